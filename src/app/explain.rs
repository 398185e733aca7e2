//! A file's score for a task, with its reasons and what would raise it.

use serde_json::json;

use super::candidates;
use super::environment::Environment;
use super::evidence::{self, Evidence};
use super::input::not_empty;
use super::resume::{plan_in_force, task_or_goal};
use super::run_inputs::ScanObserver;
use crate::error::{Error, Result};
use crate::ids::FileId;
use crate::place::RAW_FROM;
use crate::project::turn::{self, Turn};
use crate::project::{checkpoint, session};
use crate::score::{self, Classification, Complexity, Criterion, Explanation, Inference, Signal, Task, TaskType};
use crate::text::{printable, thousands};

/// The file and the task to explain.
#[derive(Debug, Clone, Default)]
pub struct ExplainRequest {
    /// The file.
    pub path: String,
    /// The task; default: a turn's task.
    pub task: Option<String>,
    /// The session or turn; default: the most recently used one.
    pub session: Option<String>,
}

/// A file's score, and the task that it was scored for.
pub struct ExplainedFile {
    /// The file's path.
    pub path: String,
    /// Its score.
    pub explanation: Explanation,
    /// Number of items that it was ranked among.
    pub candidates: usize,
    /// True if it was carried over from the previous turn.
    pub carried_over: bool,
    /// The type and complexity of the task.
    pub classification: Classification,
}

/// Scores the project for a task and explains one file.
pub fn explain(env: &Environment, request: &ExplainRequest, observer: &dyn ScanObserver) -> Result<ExplainedFile> {
    let subject = subject(env, request)?;
    let words = if subject.described { "" } else { subject.text.as_str() };
    let inferred = Inference::new(words);
    let task_type = Classification::type_in_force(&inferred, subject.chosen.0);
    let is_type_given = subject.chosen.0.is_some();
    let task = Task { task_type, is_type_given, plan: subject.plan.as_deref(), ..Task::untyped(words) };
    let corpus = candidates::gather_since(env, &task, subject.base.as_deref(), observer)?;
    observer.scoring();
    let places = evidence::locations(&corpus, &subject.evidence, words).locations;
    let task = Task { focus: &places, ..task };
    let found = env.select(&corpus, &request.path)?;
    let [item] = found.as_slice() else {
        let what = format!("`{}` names {} files", request.path, found.len());
        return Err(Error::input(what, "explain one file at a time"));
    };
    let scores = candidates::scores(env, &corpus, &task, &[])?;
    let path = |file: FileId| corpus.files[file].path.clone();
    let own_path = corpus.items[*item].path.clone();
    Ok(ExplainedFile {
        explanation: score::explain(&corpus, &scores, *item),
        candidates: corpus.items.len(),
        carried_over: subject.carried_over.contains(&own_path),
        classification: Classification::new(&inferred, subject.chosen, &scores, &path),
        path: own_path,
    })
}

/// The task that a score is explained for.
#[derive(Default)]
struct ExplainedTask {
    text: String,
    plan: Option<String>,
    evidence: Vec<Evidence>,
    /// The type and complexity that the person set.
    chosen: (Option<TaskType>, Option<Complexity>),
    /// Files that were carried over from the previous turn.
    carried_over: Vec<String>,
    /// The base of a review.
    base: Option<String>,
    /// True if teddy wrote the task itself. Its words are then not used for scoring.
    described: bool,
}

/// The task from the arguments, or else the turn's task.
fn subject(env: &Environment, request: &ExplainRequest) -> Result<ExplainedTask> {
    if let Some(task) = &request.task {
        return Ok(ExplainedTask { text: not_empty(task.clone())?, ..ExplainedTask::default() });
    }
    let none = |_| Error::input("no task was given", "name one: teddy explain PATH --task \"Add refunds\"");
    let project = env.project().map_err(none)?;
    let (session, id) = session::locate(project, &env.cwd, request.session.as_deref())?;
    let Some(id) = id.or_else(|| turn::latest_turn(&session)) else {
        return Ok(ExplainedTask { text: task_or_goal(&session, "")?, ..ExplainedTask::default() });
    };
    let turn = Turn::open(&session, id)?;
    let record = checkpoint::load_record(&turn)?.record;
    Ok(ExplainedTask {
        text: task_or_goal(&session, &record.message)?,
        plan: plan_in_force(project, &session, &id.to_string(), turn::before(&session, &turn)?.as_ref())?,
        evidence: evidence::of_turn(env, Some(&turn), &record, &[])?,
        chosen: (record.task_type, record.complexity),
        carried_over: record.carried,
        base: record.base,
        described: record.described,
    })
}

impl ExplainedFile {
    /// The explanation as text, with the type and the complexity of the task.
    pub fn text(&self) -> String {
        let explanation = &self.explanation;
        let line = |signal: &Signal| {
            format!("  {:+}  {:<18} {}\n", signal.criterion.points(), signal.criterion.name(), printable(&signal.why))
        };
        let sum: i32 = explanation.met.iter().map(|signal| i32::from(signal.criterion.points())).sum();
        let capped = match sum {
            11.. => format!(" ({sum} points, capped at 10)"),
            ..0 => format!(" ({sum} points, raised to 0)"),
            _ => String::new(),
        };
        let mut out = format!(
            "{}  score {}{capped}, rank {} of {}, {} priority\n",
            printable(&self.path),
            explanation.points,
            thousands(explanation.place),
            thousands(self.candidates),
            explanation.priority.name(),
        );
        if self.carried_over {
            out.push_str("  carried over: in RAW because the previous turn had it\n");
        }
        out.extend(explanation.met.iter().map(line));
        if let Some(evidence) = &explanation.weak_evidence {
            out.push_str(&format!("   0  {:<18} {}\n", Criterion::Modified.name(), printable(evidence)));
        } else if explanation.met.is_empty() {
            out.push_str("  no reason: the task, the history and the imports do not point to it\n");
        }
        if explanation.points < RAW_FROM && !explanation.missing.is_empty() {
            out.push_str("would raise the score:\n");
            out.extend(explanation.missing.iter().map(line));
        }
        out.push('\n');
        out.extend(self.classification.explained().iter().map(|line| format!("{}\n", printable(line))));
        out
    }

    /// The explanation as one JSON object.
    pub fn json(&self) -> String {
        let Self { explanation, classification, .. } = self;
        let list = |signals: &[Signal]| -> Vec<_> {
            signals
            .iter()
            .map(|signal| json!({"name": signal.criterion.name(), "points": signal.criterion.points(), "why": *signal.why}))
            .collect()
        };
        let value = json!({
            "path": self.path,
            "score": explanation.points,
            "rank": explanation.rank,
            "place": explanation.place,
            "priority": explanation.priority.name(),
            "carried_over": self.carried_over,
            "signals": list(&explanation.met),
            "missing": list(&explanation.missing),
            "task": {
                "type": classification.type_name(),
                "type_reason": classification.type_reason,
                "complexity": classification.complexity_name(),
                "complexity_reason": classification.complexity_reason,
            },
        });
        value.to_string()
    }
}
