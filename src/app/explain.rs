//! A file's score with its reasons, and what would raise it.

use serde_json::json;

use super::candidates::{gather_but, scores};
use super::environment::Environment;
use super::evidence::Evidence;
use super::pipeline::ScanObserver;
use super::resume::task_or_goal;
use crate::error::{Error, Result};
use crate::ids::FileId;
use crate::place::RAW_FROM;
use crate::project::turn::{self, Turn};
use crate::project::{checkpoint, session};
use crate::score::{self, Classification, Complexity, Criterion, Explanation, Inference, Signal, Task, TaskType};
use crate::text::{printable, thousands};

/// The file and the task to explain.
#[derive(Debug, Default, Clone)]
pub struct ExplainRequest {
    /// The file.
    pub path: String,
    /// The task; `None` takes that of the session.
    pub task: Option<String>,
    /// The session; `None` takes the most recently used one.
    pub session: Option<String>,
}

/// An explained score.
pub struct ExplainedScore {
    path: String,
    candidates: usize,
    explanation: Explanation,
    classification: Classification,
}

/// Explains the score of one file for a task.
pub fn explain(env: &Environment, request: &ExplainRequest, observer: &dyn ScanObserver) -> Result<ExplainedScore> {
    let ExplainedTask { text, evidence, chosen } = subject(env, request)?;
    let inferred = Inference::new(&text);
    let task = Task { task_type: Classification::type_in_force(&inferred, chosen.0), ..Task::untyped(&text) };
    observer.reading(&env.root);
    let corpus = gather_but(env, &score::vocabulary(&task), true, &[], observer)?;
    observer.scoring();
    let places = super::evidence::places(&corpus, &evidence, &text).locations;
    let task = Task { focus: &places, ..task };
    let found = env.select(&corpus, &request.path)?;
    let [item] = found.as_slice() else {
        let what = format!("`{}` names {} files", request.path, found.len());
        return Err(Error::input(what, "explain one file at a time"));
    };
    let scores = scores(env, &corpus, &task, &[])?;
    let explanation = score::explain(&corpus, &scores, *item);
    let path = |file: FileId| corpus.files[file].path.clone();
    Ok(ExplainedScore {
        path: corpus.items[*item].path.clone(),
        candidates: corpus.items.len(),
        explanation,
        classification: Classification::new(&inferred, chosen, &scores, &path),
    })
}

/// The task that a score is explained for.
struct ExplainedTask {
    text: String,
    /// The turn's evidence.
    evidence: Vec<Evidence>,
    /// The type and complexity that the person set.
    chosen: (Option<TaskType>, Option<Complexity>),
}

/// The task of `--task`, or of the turn.
fn subject(env: &Environment, args: &ExplainRequest) -> Result<ExplainedTask> {
    if let Some(task) = &args.task {
        let text = super::plan::not_empty(task.clone())?;
        return Ok(ExplainedTask { text, evidence: Vec::new(), chosen: (None, None) });
    }
    let none = |_| Error::input("no task was given", "name one: teddy explain PATH --task \"Add refunds\"");
    let project = env.project().map_err(none)?;
    let (session, id) = session::locate(project, &env.cwd, args.session.as_deref())?;
    let (message, evidence, chosen) = match id.or_else(|| turn::latest_turn(&session)) {
        Some(id) => {
            let turn = Turn::open(&session, id)?;
            let record = checkpoint::load_record(&turn)?.record;
            let given = super::evidence::of_turn(env, Some(&turn), &record, &[])?;
            let task_type = record.task_type;
            let complexity = record.complexity;
            (record.message, given, (task_type, complexity))
        }
        None => (String::new(), Vec::new(), (None, None)),
    };
    let text = task_or_goal(&session, &message)?;
    Ok(ExplainedTask { text, evidence, chosen })
}

impl ExplainedScore {
    /// The explanation as text, with the type and the complexity of the task.
    pub fn text(&self) -> String {
        let task = self.classification.explained().iter().map(|line| printable(line)).collect::<Vec<_>>().join("\n");
        format!("{}\n{task}\n", self.score_text())
    }

    fn score_text(&self) -> String {
        let explanation = &self.explanation;
        let line = |signal: &Signal| {
            format!("  {:+}  {:<18} {}\n", signal.criterion.points(), signal.criterion.name(), printable(&signal.why))
        };
        let sum: i32 = explanation.met.iter().map(|signal| i32::from(signal.criterion.points())).sum();
        let capped = match sum {
            11.. => format!(" ({sum} points, capped at 10)"),
            ..0 => format!(" ({sum} points, at least 0)"),
            _ => String::new(),
        };
        let mut out = format!(
            "{}  score {}{capped}, rank {} of {}\n",
            printable(&self.path),
            explanation.points,
            thousands(explanation.place),
            thousands(self.candidates),
        );
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
        out
    }

    /// The explanation as one JSON object.
    pub fn json(&self) -> String {
        let (explanation, classification) = (&self.explanation, &self.classification);
        let list = |signals: &[Signal]| -> Vec<_> {
            signals
                .iter()
                .map(|signal| json!({"name": signal.criterion.name(), "points": signal.criterion.points(), "why": signal.why}))
                .collect()
        };
        let value = json!({
            "path": self.path,
            "score": explanation.points,
            "rank": explanation.rank,
            "place": explanation.place,
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
