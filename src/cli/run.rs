//! One run of the five verbs up to the payload: gather, score, place, render.

use std::collections::HashSet;
use std::path::Path;
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
use crate::place::Placement;
use crate::project::clock;
use crate::render::{self, Brief, Renderer, SystemInfo};
use crate::score::{self, Complexity, Scores, Task, TaskType, Weights};
use crate::workbench::{Action, Step, Workbench};

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
    /// Whether nothing may be written, not even a cache, and no command run.
    pub dry_run: bool,
}

/// Everything that is known once the items are placed.
pub struct Run {
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
        let mut corpus = gather(world, &task, inputs.dry_run)?;
        corpus.items.extend(other_items(world, &corpus, &inputs));
        Self::on(world, Arc::new(corpus), inputs, flags)
    }

    /// As [`Run::start`], saying how far it is, and counting every word so that another task needs no second reading.
    pub fn start_with(
        world: &World,
        inputs: Inputs,
        flags: &ShapeArgs,
        reading: &(dyn Fn(usize) + Sync),
        scoring: &dyn Fn(),
    ) -> Result<Self> {
        let mut corpus = gather_with(world, &Vocabulary::All, inputs.dry_run, reading)?;
        scoring();
        corpus.items.extend(other_items(world, &corpus, &inputs));
        Self::on(world, Arc::new(corpus), inputs, flags)
    }

    /// Scores and places what was gathered.
    pub fn on(world: &World, corpus: Arc<Corpus>, inputs: Inputs, flags: &ShapeArgs) -> Result<Self> {
        let task = Task { text: &inputs.task, plan: inputs.plan.as_deref(), focus: &[] };
        let scores = scores(world, &corpus, &task)?;
        let task_type = inputs.shape.task_type.unwrap_or_else(|| score::infer_type(&inputs.task));
        let complexity = inputs.shape.complexity.unwrap_or_else(|| score::infer_complexity(&inputs.task, &scores));
        let budget = inputs.shape.budget(complexity)?;
        let mut notes = scores.notes.clone();
        let mut decisions = standing::from_config(world, &corpus)?;
        let (by_context, upper) = standing::from_context(&corpus, &inputs.context, &mut notes);
        decisions.extend(by_context);
        let scores = Arc::new(scores);
        let brief = brief(world, &inputs, budget.limit, task_type, complexity, notes.clone())?;
        let renderer: Arc<dyn Renderer> =
            Arc::from(render::renderer(inputs.shape.format, Arc::clone(&corpus), Arc::clone(&scores), brief));
        let mut bench = Workbench::new(corpus, scores, renderer.clone(), decisions, budget, inputs.shape.fill);
        let (steps, undone) = inputs.steps;
        if !steps.is_empty() || !undone.is_empty() {
            bench.restore(steps, undone);
        }
        rule(&mut bench, flags)?;
        Ok(Self { bench, renderer, task_type, complexity, notes, upper })
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
fn rule(bench: &mut Workbench, flags: &ShapeArgs) -> Result<()> {
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
            actions.push(action(bench.select(pattern)?));
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

/// Gathers for a task.
pub fn gather(world: &World, task: &Task<'_>, dry_run: bool) -> Result<Corpus> {
    gather_with(world, &score::vocabulary(task), dry_run, &|_| {})
}

fn gather_with(
    world: &World,
    vocabulary: &Vocabulary,
    dry_run: bool,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Corpus> {
    let cache = World::cache_dir().filter(|_| !dry_run);
    let gather = Gather {
        walk: Walk {
            root: &world.root,
            max_file_bytes: world.config.max_file_bytes,
            ignore: &world.config.ignore,
            vocabulary,
            progress,
        },
        history_commits: world.config.history_commits as usize,
        cache_dir: cache.as_deref(),
        redactor: world.redactor()?,
    };
    gather.run()
}

/// Scores a corpus for a task.
pub fn scores(world: &World, corpus: &Corpus, task: &Task<'_>) -> Result<Scores> {
    let weights = Weights::default().with(&world.config.weights)?;
    let mut scores = score::score(corpus, task, &weights);
    score::boost(&mut scores, corpus, &world.config.rank_boosts())?;
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
) -> Result<Brief> {
    let redactor = world.redactor()?;
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
        active_context: inputs.context.active(),
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
