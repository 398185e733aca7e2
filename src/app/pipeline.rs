//! One run of the pipeline up to the payload: gather, score, place, render.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::context_rules;
use super::debug_log::{TARGET, ms};
use super::environment::Environment;
use super::evidence::{self, Evidence};
use super::options::PayloadRequest;
use super::payload_options::WindowSplit;
use super::run_inputs::{RunInputs, ScanObserver};
use super::{candidates, notes, override_flags};
use crate::error::Result;
use crate::gather::delta::Delta;
use crate::gather::evidence::{EvidenceFindings, EvidenceLocation};
use crate::gather::item::{Item, ItemKind};
use crate::gather::progress::{WalkObserver, WithSearchTerms, still_wanted};
use crate::gather::terms::Vocabulary;
use crate::gather::tokens::Tokenizer;
use crate::gather::{Corpus, virtual_items};
use crate::handoff::BudgetResult;
use crate::ids::{FileId, ItemId};
use crate::place::{Budget, Form, Override, Placement};
use crate::platform::processes::operating_system;
use crate::project::{clock, memos};
use crate::render::{
    self, Format, PayloadMeta, PayloadStyle, PreviousPayload, Renderer, ReusablePrefix, SystemInfo, Templates, Wrapper,
};
use crate::score::{self, Classification, Inference, QuickScorer, Scores, Task, TaskType};
use crate::workbench::Workbench;

/// The note on a task without content.
const TOO_LITTLE: &str =
    "the task has too little detail to choose files: name a file, a symbol or the behaviour to change";

/// The result of gather, score and place.
pub struct Run {
    /// Items, overrides and placement.
    pub bench: Workbench,
    /// Renderer of the payload.
    pub renderer: Arc<dyn Renderer>,
    /// Other results of the run.
    pub details: RunDetails,
}

/// Results of a run other than its workbench.
#[derive(Clone)]
pub struct RunDetails {
    /// The task, redacted.
    pub task: String,
    /// The payload's format.
    pub format: Format,
    /// Choices about the payload's text.
    pub style: PayloadStyle,
    /// Configured token limit for the parts of a split payload.
    pub part_limit: Option<usize>,
    /// Names of session and turn in the payload.
    pub turn: (String, String),
    /// The task's type and complexity, with reasons.
    pub classification: Classification,
    /// Notes for the person, such as context entries that match nothing.
    pub notes: Vec<String>,
    /// Paths in `global.context` and `session.context`.
    pub listed_above: HashSet<String>,
    /// The truncation of the handoffs, for the budget log.
    pub handoff_budget: Option<BudgetResult>,
    /// Evidence to store in the turn.
    pub evidence: Vec<Evidence>,
    /// Locations that the evidence points to, most specific first.
    pub places: Vec<EvidenceLocation>,
    /// Files of the previous turn that are not carried over because they would fill too much of the budget.
    pub released: Vec<String>,
    /// The payload that was delivered last, if this one can reuse its beginning.
    pub previous: Option<Arc<PreviousPayload>>,
    /// Changes since the last delivered payload, if there is one.
    pub delta: Option<Delta>,
    /// The plan that the person provided, to store in the turn.
    pub own_plan: Option<String>,
}

impl RunDetails {
    /// The beginning of a payload that is identical to the previous one.
    pub fn reusable(&self, payload: &str, tokenizer: Tokenizer) -> Option<ReusablePrefix> {
        self.previous.as_ref().map(|previous| previous.reusable(payload, tokenizer))
    }
}

/// A workbench and the other results of its run, which are written to a turn together.
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    /// Items, overrides and placement.
    pub bench: &'a Workbench,
    /// Results of the run.
    pub details: &'a RunDetails,
}

impl Selection<'_> {
    /// The placement.
    pub fn placement(&self) -> &Placement {
        self.bench.placement()
    }
}

impl Run {
    /// Gathers, scores and places.
    pub fn start(
        env: &Environment,
        inputs: RunInputs,
        flags: &PayloadRequest,
        observer: &dyn ScanObserver,
    ) -> Result<Self> {
        let env = &env.with_profile(inputs.options.profile.as_deref())?;
        let inputs = without_secrets(env, inputs)?;
        inputs.options.tokenizer.prepare();
        let task = Task { plan: inputs.plan.as_deref(), ..Task::untyped(inputs.words()) };
        // A review searches for the names that changed, and these are known only after the scan.
        let vocabulary = if inputs.options.base.is_some() { Vocabulary::All } else { score::vocabulary(&task) };
        let own = candidates::own_files(&inputs, flags);
        observer.reading(&env.root);
        let corpus =
            candidates::gather_without(env, &vocabulary, true, &own, inputs.options.base.as_deref(), observer)?;
        observer.scoring();
        Self::score(env, corpus, inputs, flags, observer)
    }

    /// Like [`Run::start`], for the screen: files get a quick score as they are found, and all words are counted, so
    /// that another task needs no second scan.
    pub fn start_for_screen(
        env: &Environment,
        inputs: RunInputs,
        flags: &PayloadRequest,
        observer: &dyn ScanObserver,
    ) -> Result<Self> {
        let env = &env.with_profile(inputs.options.profile.as_deref())?;
        let inputs = without_secrets(env, inputs)?;
        inputs.options.tokenizer.prepare();
        let own = candidates::own_files(&inputs, flags);
        let task = Task { plan: inputs.plan.as_deref(), ..Task::untyped(inputs.words()) };
        let glance = Arc::new(QuickScorer::new(&task, candidates::weights(env)?));
        observer.looking(Arc::clone(&glance));
        let looking = WithSearchTerms { observer, terms: glance.terms() };
        let corpus =
            candidates::gather_without(env, &Vocabulary::All, true, &own, inputs.options.base.as_deref(), &looking)?;
        observer.scoring();
        Self::score(env, corpus, inputs, flags, observer)
    }

    fn score(
        env: &Environment,
        mut corpus: Corpus,
        inputs: RunInputs,
        flags: &PayloadRequest,
        observer: &dyn WalkObserver,
    ) -> Result<Self> {
        let added = candidates::virtual_candidates(env, &corpus, &inputs);
        corpus.items.extend(added.items);
        still_wanted(observer)?;
        let mut run = Self::scored(env, corpus, inputs, added.notes, flags, &|| still_wanted(observer))?;
        still_wanted(observer)?;
        run.details.delta = added.delta;
        Ok(run)
    }

    /// Scores and places the files of an earlier run for another task. Memos and the commits of the new likely targets
    /// are read again; everything else is reused.
    pub fn rescore(env: &Environment, corpus: &Corpus, inputs: RunInputs, flags: &PayloadRequest) -> Result<Self> {
        let env = &env.with_profile(inputs.options.profile.as_deref())?;
        let inputs = without_secrets(env, inputs)?;
        let mut corpus = corpus.clone();
        // The commits under review do not depend on the task.
        let depends_on_task =
            |item: &Item| item.kind == ItemKind::Memo || item.kind == ItemKind::Commits && item.about.is_some();
        corpus.items.retain(|item| !depends_on_task(item));
        let files = corpus.files.len();
        corpus.items.splice(files..files, virtual_items::memos(&inputs.memos, &corpus.redactor));
        Self::scored(env, corpus, inputs, Vec::new(), flags, &|| Ok(()))
    }

    fn scored(
        env: &Environment,
        corpus: Corpus,
        inputs: RunInputs,
        notes: Vec<String>,
        flags: &PayloadRequest,
        between: &dyn Fn() -> Result<()>,
    ) -> Result<Self> {
        let mut scored = ScoredTask::new(env, corpus, &inputs, notes)?;
        if let Some(hops) = inputs.options.hops {
            let pinned = pinned(env, &scored.corpus, &inputs, flags)?;
            score::hops::mark(&mut scored.scores, &scored.corpus, &pinned, hops);
        }
        between()?;
        scored.place(env, inputs, flags)
    }

    fn place(
        env: &Environment,
        corpus: Arc<Corpus>,
        scores: Scores,
        findings: EvidenceFindings,
        (classification, budget): (Classification, Budget),
        inputs: RunInputs,
        flags: &PayloadRequest,
    ) -> Result<Self> {
        let clean = |note: &String| corpus.redactor.redact(note, "note").0.into_owned();
        let mut notes = flags.redaction_notes.clone();
        notes.extend(evidence::notes(&inputs.evidence, &findings));
        notes.extend(inputs.notes.iter().map(clean));
        notes.extend(scores.notes.clone());
        notes.extend(notes::unchanged(&corpus));
        notes.extend(notes::lost_pins(&corpus, &inputs.steps.0));
        let mut decisions = context_rules::from_config(env, &corpus)?;
        decisions.extend(context_rules::from_only(env, &corpus, &inputs.options.only)?);
        let (by_context, listed_above) = context_rules::from_context(&corpus, &inputs.context, &mut notes);
        decisions.extend(by_context);
        decisions.extend(context_rules::from_gone(&corpus, &inputs.steps.0));
        let scores = Arc::new(scores);
        for note in &mut notes {
            // Notes quote lists and overrides, which may contain secrets.
            *note = corpus.redactor.redact(note, "note").0.into_owned();
        }
        let meta = payload_meta(env, &inputs, budget.limit, &classification, notes.clone(), &listed_above)?;
        let (text, format, part_limit) = (meta.task.clone(), inputs.options.format, inputs.options.part_limit);
        let style = inputs.options.style;
        let renderer: Arc<dyn Renderer> =
            Arc::from(render::renderer(inputs.options.format, Arc::clone(&corpus), Arc::clone(&scores), meta));
        let whole = |item: ItemId| renderer.inlined(item, &Form::Whole);
        let known = (corpus.as_ref(), scores.as_ref());
        let released =
            context_rules::release_carried_over(&mut decisions, &inputs.context, known, budget.usable(), whole);
        let git_off = corpus.git_off.as_ref().map(|why| format!("git signals are off: {why}"));
        let mut bench = Workbench::new(corpus, scores, renderer.clone(), decisions, budget, inputs.options.fill);
        let (steps, undone) = inputs.steps;
        if !steps.is_empty() || !undone.is_empty() {
            bench.restore(steps, undone);
        }
        override_flags::apply(env, &mut bench, flags)?;
        notes.extend(git_off);
        notes.extend(evidence::reading_notes(&inputs.evidence));
        notes.extend(notes::converted(&bench));
        notes.extend(notes::without_place(&bench, format));
        notes.extend(notes::left_out_changes(&bench));
        notes.extend(notes::without_section(&bench, renderer.as_ref(), format));
        notes.extend(notes::left_out_evidence(&bench, renderer.as_ref(), format));
        notes.extend(notes::released(&released));
        notes.extend(inputs.options.window.map(WindowSplit::describe));
        notes.splice(..0, inputs.private_notes);
        let turn = (inputs.session, inputs.turn);
        let details = RunDetails {
            task: text,
            format,
            style,
            part_limit,
            turn,
            classification,
            notes,
            listed_above,
            handoff_budget: inputs.handoff_budget,
            evidence: inputs.evidence,
            places: findings.locations,
            released,
            previous: inputs.previous,
            delta: None,
            own_plan: inputs.plan.filter(|_| inputs.own_plan),
        };
        Ok(Self { bench, renderer, details })
    }

    /// Renders the payload.
    pub fn payload(&self) -> String {
        render(self.renderer.as_ref(), self.bench.placement())
    }

    /// The workbench and the results of this run.
    pub fn selection(&self) -> Selection<'_> {
        Selection { bench: &self.bench, details: &self.details }
    }

    /// The placement.
    pub fn placement(&self) -> &Placement {
        self.bench.placement()
    }
}

/// A corpus scored for a task, before anything is placed. Several budgets can share it.
#[derive(Clone)]
pub struct ScoredTask {
    corpus: Corpus,
    scores: Scores,
    findings: EvidenceFindings,
    classification: Classification,
}

impl ScoredTask {
    /// Scores the corpus for the task of the inputs.
    pub fn new(env: &Environment, corpus: Corpus, inputs: &RunInputs, notes: Vec<String>) -> Result<Self> {
        let findings = evidence::locations(&corpus, &inputs.evidence, inputs.words());
        let inferred = inference(&corpus, inputs);
        let task = task_of(inputs, &findings, Classification::type_in_force(&inferred, inputs.options.task_type));
        let mut scores = candidates::scores(env, &corpus, &task, &inputs.requested)?;
        scores.notes.extend(notes);
        if inferred.task_type.is_none()
            && corpus.review.is_none()
            && inputs.evidence.is_empty()
            && inputs.plan.is_none()
        {
            scores.notes.push(TOO_LITTLE.to_owned());
        }
        let chosen = (inputs.options.task_type, inputs.options.complexity);
        let path = |file: FileId| corpus.files[file].path.clone();
        let classification = Classification::new(&inferred, chosen, &scores, &path);
        Ok(Self { corpus, scores, findings, classification })
    }

    /// Places the items within the budget of the inputs.
    pub fn place(self, env: &Environment, inputs: RunInputs, flags: &PayloadRequest) -> Result<Run> {
        let Self { mut corpus, mut scores, findings, classification } = self;
        let budget = inputs.options.budget(classification.complexity)?;
        let task = task_of(&inputs, &findings, classification.task_type);
        let files = candidates::commit_targets(&scores, budget.limit, &task);
        let recent = virtual_items::commits(&corpus, &files);
        score::add(&mut scores, &mut corpus, recent);
        Run::place(env, Arc::new(corpus), scores, findings, (classification, budget), inputs, flags)
    }
}

/// The task of the inputs, with the locations that its evidence names.
fn task_of<'a>(inputs: &'a RunInputs, findings: &'a EvidenceFindings, task_type: TaskType) -> Task<'a> {
    Task {
        text: inputs.words(),
        plan: inputs.plan.as_deref(),
        focus: &findings.locations,
        task_type,
        is_type_given: inputs.options.task_type.is_some(),
    }
}

/// Renders a payload and logs the step.
pub fn render(renderer: &dyn Renderer, placement: &Placement) -> String {
    let start = Instant::now();
    let text = renderer.render(placement);
    let tokens = placement.usage.total;
    log::debug!(target: TARGET, tokens, bytes = text.len(), ms = ms(start); "render");
    text
}

/// Infers type and complexity from the task, or for a review from the size of the change.
fn inference(corpus: &Corpus, inputs: &RunInputs) -> Inference {
    match &corpus.review {
        _ if !inputs.options.described => Inference::new(&inputs.task),
        Some(review) => {
            let (plus, minus) = review.line_totals();
            Inference::of_review(review.files.len() + review.more_files, plus + minus)
        }
        None => Inference::of_pins(),
    }
}

/// The files that the flags and steps pin.
fn pinned(env: &Environment, corpus: &Corpus, inputs: &RunInputs, flags: &PayloadRequest) -> Result<Vec<FileId>> {
    let by_steps = context_rules::overridden(&inputs.steps.0, Override::Pin);
    let mut files: Vec<FileId> = by_steps.into_iter().filter_map(|path| corpus.find(path)).collect();
    for pattern in &flags.pin {
        let items = env.select(corpus, pattern)?;
        files.extend(items.into_iter().filter_map(|item| corpus.find(&corpus.items[item].path)));
    }
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

/// Redacts secrets in the task before anything is scored, because reasons quote its words.
pub(super) fn without_secrets(env: &Environment, mut inputs: RunInputs) -> Result<RunInputs> {
    inputs.task = env.redaction()?.redact(&inputs.task, "task").0.into_owned();
    Ok(inputs)
}

fn payload_meta(
    env: &Environment,
    inputs: &RunInputs,
    limit: usize,
    classification: &Classification,
    notes: Vec<String>,
    listed_above: &HashSet<String>,
) -> Result<PayloadMeta> {
    let redactor = env.redaction()?;
    let clean = |text: &str, label: &str| redactor.redact(text, label).0.into_owned();
    let memos_file = env.existing_project().map(memos::raw_text).transpose()?.flatten().unwrap_or_default();
    let memos_file = if inputs.memos.is_empty() { String::new() } else { memos_file };
    Ok(PayloadMeta {
        task: inputs.task.clone(),
        task_type: classification.task_type,
        complexity: classification.complexity,
        generated: clock::now()?,
        limit,
        tokenizer: inputs.options.tokenizer,
        session: inputs.session.clone(),
        turn: inputs.turn.clone(),
        memos: inputs.memos.iter().map(|memo| clean(memo, "memos.yaml")).collect(),
        memos_file: clean(&memos_file, "memos.yaml"),
        pack: env.config.pack.clone(),
        inherited_paths: listed_above.clone(),
        system: system_info(env),
        notes,
        terms: inputs.terms.clone(),
        // An invalid template is an error only in the formats that use it.
        templates: match inputs.options.format {
            Format::Hybrid | Format::Xml | Format::Prompt => {
                Templates::load(env.user_dir.as_deref(), classification.task_type)?
            }
            Format::Invocation | Format::Pack => Templates::builtin(classification.task_type),
        },
        style: inputs.options.style,
        previous: inputs.previous.clone(),
        wrapper: Wrapper::of(&env.config.template)?,
    })
}

fn system_info(env: &Environment) -> SystemInfo {
    let shell = std::env::var("SHELL").or_else(|_| std::env::var("COMSPEC")).unwrap_or_else(|_| "unknown".to_owned());
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    SystemInfo { cwd: shown(&env.cwd), root: shown(&env.root), os: operating_system(), shell }
}
