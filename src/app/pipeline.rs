//! One run of the five verbs up to the payload: gather, score, place, render.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context_rules::{self, Context};
use super::environment::Environment;
use super::evidence::{self, Given};
use super::options::PayloadRequest;
use super::payload_options::Shape;
use super::{candidates, notes, trace};
use crate::error::{Error, Result};
use crate::gather::delta::Delta;
use crate::gather::evidence::{EvidenceFindings, EvidenceLocation};
use crate::gather::item::ItemKind;
use crate::gather::progress::{NoObserver, WalkObserver, WithSearchTerms, still_wanted};
use crate::gather::terms::Vocabulary;
use crate::gather::{Corpus, virtual_items};
use crate::handoff::BudgetResult;
use crate::ids::{FileId, ItemId};
use crate::place::{Form, Placement};
use crate::project::checkpoint::Checkpoint;
use crate::project::{clock, config};
use crate::render::{self, Around, Format, PayloadMeta, Renderer, SessionTerms, SystemInfo, Templates};
use crate::score::{self, Classification, Glance, Inference, Scores, Task};
use crate::text::printable;
use crate::workbench::{Action, Step, Workbench};

/// Somebody who follows a scan while it runs.
pub trait ScanObserver: WalkObserver {
    /// Files below this root are about to be read.
    fn reading(&self, _root: &Path) {}
    /// Gives a quick score for files as they are found, where someone shows them.
    fn looking(&self, _glance: Arc<Glance>) {}
    /// Everything is read and is being scored and placed.
    fn scoring(&self) {}
}

/// NoObserver follows, and the scan goes on to its end.
impl ScanObserver for NoObserver {}

/// What a run is about.
pub struct Inputs {
    /// What is to be done.
    pub task: String,
    /// The plan in force, from the turn before.
    pub plan: Option<String>,
    /// The session's name, or what it will probably be.
    pub session: String,
    /// The turn.
    pub turn: String,
    /// Budget, format and so on.
    pub shape: Shape,
    /// Lines of `memos.yaml`.
    pub memos: Vec<String>,
    /// Texts from the turns before, with their labels.
    pub history: Vec<(String, String)>,
    /// What was delivered last in the turns before.
    pub delivered: Option<Box<Checkpoint>>,
    /// What the budget did to the handoffs among them, for the log.
    pub handed: Option<BudgetResult>,
    /// Logs and stack traces.
    pub evidence: Vec<Given>,
    /// What the `.context` files say, and what is wrong with them.
    pub context: Context,
    /// Steps of an earlier run, done and undone.
    pub steps: (Vec<Step>, Vec<Step>),
    /// What the person and the reader of the payload should know.
    pub notes: Vec<String>,
    /// What only the person should know.
    pub asides: Vec<String>,
    /// What the session agreed on.
    pub agreed: SessionTerms,
    /// The file that the payload goes to, which is therefore no candidate.
    pub output: Option<PathBuf>,
    /// Whether nothing may be written but the cache, and no command run.
    pub dry_run: bool,
}

/// The note on a task without content.
const TOO_LITTLE: &str = "the task says too little to choose files: name a file, a symbol or the behaviour to change";

/// Everything that is known once the items are placed.
pub struct Run {
    /// What is to be done, without secrets.
    pub task: String,
    /// The payload's format.
    pub format: Format,
    /// The most tokens of a part, where the configuration says so.
    pub part: Option<usize>,
    /// The session and the turn as the payload names them.
    pub turn: (String, String),
    /// What is where, and what was decided.
    pub bench: Workbench,
    /// Writes the payload.
    pub renderer: Arc<dyn Renderer>,
    /// The task's type and complexity, and why.
    pub classification: Classification,
    /// What the person should know: context entries that lead nowhere, a name that does not exist.
    pub notes: Vec<String>,
    /// The paths that `global.context` and `session.context` name.
    pub upper: HashSet<String>,
    /// What the budget did to the handoffs, for the log.
    pub handed: Option<BudgetResult>,
    /// The evidence, for the turn to keep.
    pub evidence: Vec<Given>,
    /// The places that it points to, the most telling first.
    pub places: Vec<EvidenceLocation>,
    /// What was taken over from the turn before and is not pinned for want of room.
    pub let_go: Vec<String>,
    /// What changed since the payload that was delivered last, where this run looked.
    pub since: Option<Delta>,
}

impl Run {
    /// Gathers, scores and places.
    pub fn start(
        env: &Environment,
        inputs: Inputs,
        flags: &PayloadRequest,
        observer: &dyn ScanObserver,
    ) -> Result<Self> {
        let env = &env.with_profile(inputs.shape.profile.as_deref())?;
        let inputs = without_secrets(env, inputs)?;
        inputs.shape.tokenizer.prepare();
        let task = Task { plan: inputs.plan.as_deref(), ..Task::untyped(&inputs.task) };
        let vocabulary = score::vocabulary(&task);
        let own = candidates::own_files(&inputs, flags);
        observer.reading(&env.root);
        let corpus = candidates::gather_but(env, &vocabulary, true, &own, observer)?;
        observer.scoring();
        Self::score(env, corpus, inputs, flags, observer)
    }

    /// As [`Run::start`], with somebody looking on who may stop it, and counting every word so that another task needs
    /// no second reading.
    pub fn start_with(
        env: &Environment,
        inputs: Inputs,
        flags: &PayloadRequest,
        observer: &dyn ScanObserver,
    ) -> Result<Self> {
        let env = &env.with_profile(inputs.shape.profile.as_deref())?;
        let inputs = without_secrets(env, inputs)?;
        inputs.shape.tokenizer.prepare();
        let own = candidates::own_files(&inputs, flags);
        let task = Task { plan: inputs.plan.as_deref(), ..Task::untyped(&inputs.task) };
        let glance = Arc::new(Glance::new(&task, candidates::weights(env)?));
        observer.looking(Arc::clone(&glance));
        let looking = WithSearchTerms { observer: observer, terms: glance.terms() };
        let corpus = candidates::gather_but(env, &Vocabulary::All, true, &own, &looking)?;
        observer.scoring();
        Self::score(env, corpus, inputs, flags, observer)
    }

    fn score(
        env: &Environment,
        mut corpus: Corpus,
        inputs: Inputs,
        flags: &PayloadRequest,
        observer: &dyn WalkObserver,
    ) -> Result<Self> {
        let others = candidates::other_items(env, &corpus, &inputs);
        corpus.items.extend(others.items);
        still_wanted(observer)?;
        let placed = |run: &Self| {
            let Placement { usage, limit, .. } = run.placement();
            format!("{} {} of {limit} tokens, {}", run.format.name(), usage.total, run.bench.tokenizer().name())
        };
        let scoring = || Self::scored(env, corpus, inputs, others.notes, flags, &|| still_wanted(observer));
        let run = trace::timed("score and place", scoring, placed)?;
        still_wanted(observer)?;
        Ok(Self { since: others.since, ..run })
    }

    /// Scores what another run gathered for another task, and places it. Memos are those of now, and the commits told are
    /// those of this task's targets; everything else stays as it was gathered.
    pub fn on(env: &Environment, corpus: &Corpus, inputs: Inputs, flags: &PayloadRequest) -> Result<Self> {
        let env = &env.with_profile(inputs.shape.profile.as_deref())?;
        let inputs = without_secrets(env, inputs)?;
        let mut corpus = corpus.clone();
        corpus.items.retain(|item| !matches!(item.kind, ItemKind::Memo | ItemKind::Commits));
        let files = corpus.files.len();
        corpus.items.splice(files..files, virtual_items::memos(&inputs.memos, &corpus.redactor));
        Self::scored(env, corpus, inputs, Vec::new(), flags, &|| Ok(()))
    }

    fn scored(
        env: &Environment,
        mut corpus: Corpus,
        inputs: Inputs,
        notes: Vec<String>,
        flags: &PayloadRequest,
        between: &dyn Fn() -> Result<()>,
    ) -> Result<Self> {
        let found = evidence::places(&corpus, &inputs.evidence, &inputs.task);
        let inferred = Inference::new(&inputs.task);
        let task = Task {
            text: &inputs.task,
            plan: inputs.plan.as_deref(),
            focus: &found.locations,
            task_type: Classification::type_in_force(&inferred, inputs.shape.task_type),
        };
        let mut scores = candidates::scores(env, &corpus, &task)?;
        scores.notes.extend(notes);
        if inferred.task_type.is_none() && inputs.evidence.is_empty() && inputs.plan.is_none() {
            scores.notes.push(TOO_LITTLE.to_owned());
        }
        between()?;
        let given = (inputs.shape.task_type, inputs.shape.complexity);
        let path = |file: FileId| corpus.files[file].path.clone();
        let classification = Classification::new(&inferred, given, &scores, &path);
        let budget = inputs.shape.budget(classification.complexity)?;
        let recent = virtual_items::commits(&corpus, &candidates::commit_targets(&scores, budget.limit));
        score::add(&mut scores, &mut corpus, recent);
        Self::place(env, Arc::new(corpus), scores, found, classification, inputs, flags)
    }

    fn place(
        env: &Environment,
        corpus: Arc<Corpus>,
        scores: Scores,
        found: EvidenceFindings,
        classification: Classification,
        inputs: Inputs,
        flags: &PayloadRequest,
    ) -> Result<Self> {
        let budget = inputs.shape.budget(classification.complexity)?;
        let clean = |note: &String| corpus.redactor.redact(note, "note").0.into_owned();
        let mut notes = flags.told.clone();
        notes.extend(evidence::notes(&inputs.evidence, &found));
        notes.extend(inputs.notes.iter().map(clean));
        notes.extend(scores.notes.clone());
        notes.extend(notes::lost_pins(&corpus, &inputs.steps.0));
        let mut decisions = context_rules::from_config(env, &corpus)?;
        decisions.extend(context_rules::from_only(env, &corpus, &inputs.shape.only)?);
        let (by_context, upper) = context_rules::from_context(&corpus, &inputs.context, &mut notes);
        decisions.extend(by_context);
        decisions.extend(context_rules::from_gone(&corpus, &inputs.steps.0));
        let scores = Arc::new(scores);
        for note in &mut notes {
            // They repeat what lists and overrides name, which may be anything.
            *note = corpus.redactor.redact(note, "note").0.into_owned();
        }
        let brief = brief(env, &inputs, budget.limit, &classification, notes.clone(), &upper)?;
        let (text, format, part) = (brief.task.clone(), inputs.shape.format, inputs.shape.part);
        let renderer: Arc<dyn Renderer> =
            Arc::from(render::renderer(inputs.shape.format, Arc::clone(&corpus), Arc::clone(&scores), brief));
        let whole = |item: ItemId| renderer.inlined(item, &Form::Whole);
        let known = (corpus.as_ref(), scores.as_ref());
        let let_go = context_rules::let_go(&mut decisions, &inputs.context, known, budget.usable(), whole);
        let git_off = corpus.git_off.as_ref().map(|why| format!("git signals are off: {why}"));
        let mut bench = Workbench::new(corpus, scores, renderer.clone(), decisions, budget, inputs.shape.fill);
        let (steps, undone) = inputs.steps;
        if !steps.is_empty() || !undone.is_empty() {
            bench.restore(steps, undone);
        }
        rule(env, &mut bench, flags)?;
        notes.extend(git_off);
        notes.extend(evidence::reading_notes(&inputs.evidence));
        notes.extend(notes::converted(&bench));
        notes.extend(notes::without_place(&bench, format));
        notes.extend(notes::left_out_evidence(&bench, renderer.as_ref(), format));
        notes.extend(notes::left_to_score(&let_go));
        notes.splice(..0, inputs.asides);
        let turn = (inputs.session, inputs.turn);
        Ok(Self {
            task: text,
            format,
            part,
            turn,
            bench,
            renderer,
            classification,
            notes,
            upper,
            handed: inputs.handed,
            evidence: inputs.evidence,
            places: found.locations,
            let_go,
            since: None,
        })
    }

    /// The payload's text.
    pub fn payload(&self) -> String {
        self.renderer.render(self.bench.placement())
    }

    /// Where everything is.
    pub fn placement(&self) -> &Placement {
        self.bench.placement()
    }
}

/// Reasons quote the task's words, so its secrets go before anything is scored.
fn without_secrets(env: &Environment, mut inputs: Inputs) -> Result<Inputs> {
    inputs.task = env.redaction()?.redact(&inputs.task, "task").0.into_owned();
    Ok(inputs)
}

/// The overrides that flags make, each the same action as its key.
fn rule(env: &Environment, bench: &mut Workbench, flags: &PayloadRequest) -> Result<()> {
    type Rule<'a> = (&'static str, &'a [String], fn(Vec<ItemId>) -> Action);
    let kinds: [Rule<'_>; 4] = [
        ("--link", &flags.link, Action::Link),
        ("--demote", &flags.demote, Action::Demote),
        ("--pin", &flags.pin, Action::Pin),
        ("--exclude", &flags.exclude, Action::Exclude),
    ];
    // Every pattern is looked up before anything is done, so that a wrong one changes nothing.
    let mut actions = Vec::new();
    let mut outright: HashMap<ItemId, &str> = HashMap::new();
    for (flag, patterns, action) in kinds {
        for pattern in patterns {
            let select = if flag == "--exclude" { Environment::select_with_gone } else { Environment::select };
            let items = select(env, bench.corpus(), pattern)?;
            // One file of a directory may be an exception to what is said of all; the same file twice is a mistake.
            if let [item] = items[..] {
                let path = &bench.corpus().items[item].path;
                let is_named = pattern == path || env.inside(pattern).as_ref() == Some(path);
                let other = if is_named { outright.insert(item, flag) } else { None };
                if let Some(other) = other.filter(|other| *other != flag) {
                    let what = format!("{other} and {flag} both name `{}`", printable(path));
                    return Err(Error::input(what, "leave one of them out"));
                }
            }
            actions.push(action(items));
        }
    }
    for action in actions {
        match bench.apply(&action) {
            // Demoting what is out already is no mistake when a glob says it.
            Err(error) if error.exit_code() == 1 => {}
            other => other?,
        }
    }
    Ok(())
}

fn brief(
    env: &Environment,
    inputs: &Inputs,
    limit: usize,
    classification: &Classification,
    notes: Vec<String>,
    upper: &HashSet<String>,
) -> Result<PayloadMeta> {
    let redactor = env.redaction()?;
    let clean = |text: &str, label: &str| redactor.redact(text, label).0.into_owned();
    let memos: Vec<String> = inputs.memos.iter().map(|memo| format!("- {}\n", clean(memo, "memos.yaml"))).collect();
    Ok(PayloadMeta {
        task: inputs.task.clone(),
        task_type: classification.task_type,
        complexity: classification.complexity,
        generated: clock::now()?,
        limit,
        tokenizer: inputs.shape.tokenizer,
        session: inputs.session.clone(),
        turn: inputs.turn.clone(),
        memos: (!memos.is_empty()).then(|| memos.concat()),
        standing: upper.clone(),
        system: system_info(env),
        notes,
        agreed: inputs.agreed.clone(),
        // A broken template is an error only in the formats that use it.
        templates: match inputs.shape.format {
            Format::Hybrid | Format::Xml | Format::Prompt => {
                Templates::load(config::user_dir().as_deref(), classification.task_type)?
            }
            Format::Invocation | Format::Pack => Templates::builtin(classification.task_type),
        },
        acknowledgement: inputs.shape.acknowledgement,
        around: Around::of(&env.config.template)?,
    })
}

fn system_info(env: &Environment) -> SystemInfo {
    let shell = std::env::var("SHELL").or_else(|_| std::env::var("COMSPEC")).unwrap_or_else(|_| "unknown".to_owned());
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    SystemInfo { cwd: shown(&env.cwd), root: shown(&env.root), os: operating_system(), shell }
}

#[cfg(unix)]
fn operating_system() -> String {
    let name = rustix::system::uname();
    format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy())
}

#[cfg(not(unix))]
fn operating_system() -> String {
    std::env::consts::OS.to_owned()
}
