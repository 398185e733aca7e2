//! One run of the five verbs up to the payload: gather, score, place, render.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::ShapeArgs;
use super::shape::Shape;
use super::standing::{self, Context};
use super::world::World;
use crate::error::Result;
use crate::gather::item::{Item, ItemKind};
use crate::gather::terms::Vocabulary;
use crate::gather::walk::Walk;
use crate::gather::{Corpus, Gather, extra};
use crate::place::{Placement, Ruling, Tier};
use crate::project::clock;
use crate::render::{self, Brief, Format, Renderer, SystemInfo};
use crate::score::{self, Complexity, Scores, Task, TaskType, Weights};
use crate::workbench::{Action, Step, Verb, Workbench};

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
    /// What the `.context` files say, and what is wrong with them.
    pub context: Context,
    /// Steps of an earlier run, done and undone.
    pub steps: (Vec<Step>, Vec<Step>),
    /// The file that the payload goes to, which is therefore no candidate.
    pub output: Option<PathBuf>,
    /// Whether nothing may be written, not even a cache, and no command run.
    pub dry_run: bool,
}

/// Everything that is known once the items are placed.
pub struct Run {
    /// What is to be done, without secrets.
    pub task: String,
    /// The payload's format.
    pub format: Format,
    /// The session and the turn as the payload names them.
    pub turn: (String, String),
    /// What is where, and what was decided.
    pub bench: Workbench,
    /// Writes the payload.
    pub renderer: Arc<dyn Renderer>,
    /// What kind of task it is.
    pub task_type: TaskType,
    /// How much of one.
    pub complexity: Complexity,
    /// What the person should know: context entries that lead nowhere, a name that does not exist.
    pub notes: Vec<String>,
    /// The paths that `global.context` and `session.context` name.
    pub upper: HashSet<String>,
}

impl Run {
    /// Gathers, scores and places.
    pub fn start(world: &World, inputs: Inputs, flags: &ShapeArgs) -> Result<Self> {
        let task = Task { text: &inputs.task, plan: inputs.plan.as_deref(), focus: &[] };
        let vocabulary = score::vocabulary(&task);
        let corpus = gather_but(world, &vocabulary, inputs.dry_run, inputs.output.as_deref(), &|_| {})?;
        Self::score(world, corpus, inputs, flags)
    }

    /// As [`Run::start`], saying how far it is, and counting every word so that another task needs no second reading.
    pub fn start_with(
        world: &World,
        inputs: Inputs,
        flags: &ShapeArgs,
        reading: &(dyn Fn(usize) + Sync),
        scoring: &dyn Fn(),
    ) -> Result<Self> {
        let corpus = gather_but(world, &Vocabulary::All, inputs.dry_run, inputs.output.as_deref(), reading)?;
        scoring();
        Self::score(world, corpus, inputs, flags)
    }

    fn score(world: &World, mut corpus: Corpus, inputs: Inputs, flags: &ShapeArgs) -> Result<Self> {
        let task = Task { text: &inputs.task, plan: inputs.plan.as_deref(), focus: &[] };
        corpus.items.extend(other_items(world, &corpus, &inputs));
        let mut scores = scores(world, &corpus, &task)?;
        let complexity = inputs.shape.complexity.unwrap_or_else(|| score::infer_complexity(&inputs.task, &scores));
        let budget = inputs.shape.budget(complexity)?;
        let recent = extra::commits(&corpus, &commit_targets(&scores, budget.limit));
        score::add(&mut scores, &mut corpus, recent);
        Self::place(world, Arc::new(corpus), scores, complexity, inputs, flags)
    }

    /// Scores what another run gathered for another task, and places it.
    pub fn on(world: &World, corpus: Arc<Corpus>, inputs: Inputs, flags: &ShapeArgs) -> Result<Self> {
        let task = Task { text: &inputs.task, plan: inputs.plan.as_deref(), focus: &[] };
        let scores = scores(world, &corpus, &task)?;
        let complexity = inputs.shape.complexity.unwrap_or_else(|| score::infer_complexity(&inputs.task, &scores));
        Self::place(world, corpus, scores, complexity, inputs, flags)
    }

    fn place(
        world: &World,
        corpus: Arc<Corpus>,
        scores: Scores,
        complexity: Complexity,
        inputs: Inputs,
        flags: &ShapeArgs,
    ) -> Result<Self> {
        let task_type = inputs.shape.task_type.unwrap_or_else(|| score::infer_type(&inputs.task));
        let budget = inputs.shape.budget(complexity)?;
        let mut notes = scores.notes.clone();
        notes.extend(lost_pins(&corpus, &inputs.steps.0));
        let mut decisions = standing::from_config(world, &corpus)?;
        let (by_context, upper) = standing::from_context(&corpus, &inputs.context, &mut notes);
        decisions.extend(by_context);
        decisions.extend(standing::from_gone(&corpus, &inputs.steps.0));
        let scores = Arc::new(scores);
        for note in &mut notes {
            // They repeat what lists and rulings name, which may be anything.
            *note = corpus.redactor.redact(note, "note").0.into_owned();
        }
        let brief = brief(world, &inputs, budget.limit, task_type, complexity, notes.clone(), &upper)?;
        let (text, format) = (brief.task.clone(), inputs.shape.format);
        let renderer: Arc<dyn Renderer> =
            Arc::from(render::renderer(inputs.shape.format, Arc::clone(&corpus), Arc::clone(&scores), brief));
        let mut bench = Workbench::new(corpus, scores, renderer.clone(), decisions, budget, inputs.shape.fill);
        let (steps, undone) = inputs.steps;
        if !steps.is_empty() || !undone.is_empty() {
            bench.restore(steps, undone);
        }
        rule(world, &mut bench, flags)?;
        notes.extend(without_place(&bench, format));
        let turn = (inputs.session, inputs.turn);
        Ok(Self { task: text, format, turn, bench, renderer, task_type, complexity, notes, upper })
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

/// The rulings that flags make, each the same action as its key.
fn rule(world: &World, bench: &mut Workbench, flags: &ShapeArgs) -> Result<()> {
    type Rule<'a> = (&'a [String], fn(Vec<usize>) -> Action);
    let kinds: [Rule<'_>; 4] = [
        (&flags.link, Action::Link),
        (&flags.demote, Action::Demote),
        (&flags.pin, Action::Pin),
        (&flags.exclude, Action::Exclude),
    ];
    // Every pattern is looked up before anything is done, so that a wrong one changes nothing.
    let mut actions = Vec::new();
    for (patterns, action) in kinds {
        for pattern in patterns {
            actions.push(action(world.select(bench.corpus(), pattern)?));
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

/// Files that an earlier run pinned and that are gone.
fn lost_pins(corpus: &Corpus, steps: &[Step]) -> Vec<String> {
    let mut ruled = BTreeMap::new();
    for step in steps {
        ruled.extend(step.targets.iter().map(|target| (target.as_str(), step.verb)));
    }
    let lost = ruled.into_iter().filter(|(path, verb)| {
        *verb == Verb::Rule(Ruling::Pin) && crate::workbench::select::exact(corpus, path).is_none()
    });
    lost.map(|(path, _)| format!("`{path}` is pinned, but it is not among the project's files any more")).collect()
}

/// What is pinned and yet not inlined, with the reason.
fn without_place(bench: &Workbench, format: Format) -> Vec<String> {
    let pinned = bench.placement().placed.iter().filter(|placed| placed.ruling == Some(Ruling::Pin));
    let items = pinned.filter(|placed| placed.tier != Tier::Raw).map(|placed| &bench.corpus().items[placed.item]);
    items
        .map(|item| {
            if item.kind.is_file() {
                format!("`{}` is pinned, but it could not be read", item.path)
            } else {
                format!("`{}` has no place of its own in the {} format", item.path, format.name())
            }
        })
        .collect()
}

/// Gathers for a task.
pub fn gather(world: &World, task: &Task<'_>, dry_run: bool) -> Result<Corpus> {
    gather_but(world, &score::vocabulary(task), dry_run, None, &|_| {})
}

/// Gathers for a task; the file that the payload will be written to is left out, so that it is not its own source.
fn gather_but(
    world: &World,
    vocabulary: &Vocabulary,
    dry_run: bool,
    output: Option<&Path>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Corpus> {
    let mut ignore = world.config.ignore.clone();
    if let Some(inside) = output.and_then(|output| world.inside(output.to_str()?)) {
        ignore.push(format!("/{}", globset::escape(&inside)));
    }
    let cache = World::cache_dir().filter(|_| !dry_run);
    let gather = Gather {
        walk: Walk {
            root: &world.root,
            max_file_bytes: world.config.max_file_bytes,
            ignore: &ignore,
            vocabulary,
            progress,
        },
        history_commits: world.config.history_commits as usize,
        cache_dir: cache.as_deref(),
        redactor: Arc::new(world.redaction()?),
    };
    gather.run()
}

/// The targets whose recent commits are told: a small budget has no room for history.
fn commit_targets(scores: &Scores, limit: usize) -> Vec<usize> {
    const TOKENS_EACH: usize = 20_000;
    const MOST: usize = 3;
    scores.targets.iter().map(|(file, _)| *file).take((limit / TOKENS_EACH).min(MOST)).collect()
}

/// Scores a corpus for a task.
pub fn scores(world: &World, corpus: &Corpus, task: &Task<'_>) -> Result<Scores> {
    let weights = Weights::default().with(&world.config.weights)?;
    let mut scores = score::score(corpus, task, &weights);
    score::boost(&mut scores, corpus, &world.config.rank_boosts())?;
    score::stand_beside(&mut scores, corpus);
    Ok(scores)
}

fn other_items(world: &World, corpus: &Corpus, inputs: &Inputs) -> Vec<Item> {
    let mut items = extra::memos(&inputs.memos, &corpus.redactor);
    items.extend(extra::texts(ItemKind::History, &inputs.history, &corpus.redactor));
    items.extend(extra::changes(corpus));
    if !inputs.dry_run {
        let commands: Vec<(&str, &str)> =
            world.config.commands.iter().map(|command| (command.name.as_str(), command.run.as_str())).collect();
        items.extend(extra::commands(&commands, &corpus.root, &corpus.redactor));
    }
    items
}

fn brief(
    world: &World,
    inputs: &Inputs,
    limit: usize,
    task_type: TaskType,
    complexity: Complexity,
    notes: Vec<String>,
    upper: &HashSet<String>,
) -> Result<Brief> {
    let redactor = world.redaction()?;
    let clean = |text: &str, label: &str| redactor.redact(text, label).0.into_owned();
    let memos: Vec<String> = inputs.memos.iter().map(|memo| format!("- {}\n", clean(memo, "memos.yaml"))).collect();
    Ok(Brief {
        task: clean(&inputs.task, "task"),
        task_type,
        complexity,
        generated: clock::now()?,
        limit,
        tokenizer: inputs.shape.tokenizer,
        session: inputs.session.clone(),
        turn: inputs.turn.clone(),
        memos: (!memos.is_empty()).then(|| memos.concat()),
        standing: upper.clone(),
        system: system_info(&world.cwd),
        notes,
    })
}

fn system_info(cwd: &Path) -> SystemInfo {
    let shell = std::env::var("SHELL").or_else(|_| std::env::var("COMSPEC")).unwrap_or_else(|_| "unknown".to_owned());
    SystemInfo { cwd: cwd.to_string_lossy().into_owned(), os: operating_system(), shell }
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
