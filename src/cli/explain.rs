//! `teddy explain PATH`: a file's score with its reasons, and ways to raise it.

use serde_json::json;

use super::args::ExplainArgs;
use super::output::{print_json, print_text};
use crate::app::candidates::{gather, scores};
use crate::app::environment::Environment;
use crate::app::evidence::Evidence;
use crate::app::resume::task_or_goal;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::ids::{FileId, ItemId};
use crate::place::RAW_FROM;
use crate::project::turn::{self, Turn};
use crate::project::{checkpoint, session};
use crate::score::{self, Classification, Complexity, Criterion, Explanation, Inference, Signal, Task, TaskType};
use crate::text::{printable, thousands};

/// Runs the command.
pub fn run(env: &Environment, args: &ExplainArgs) -> Result<()> {
    let ExplainedTask { text, evidence, chosen } = subject(env, args)?;
    let inferred = Inference::new(&text);
    let task = Task { task_type: Classification::type_in_force(&inferred, chosen.0), ..Task::untyped(&text) };
    let corpus = gather(env, &task, true)?;
    let places = crate::app::evidence::places(&corpus, &evidence, &text).locations;
    let task = Task { focus: &places, ..task };
    let found = env.select(&corpus, &args.path)?;
    let [item] = found.as_slice() else {
        let what = format!("`{}` names {} files", args.path, found.len());
        return Err(Error::input(what, "explain one file at a time"));
    };
    let scores = scores(env, &corpus, &task)?;
    let explanation = score::explain(&corpus, &scores, *item);
    let path = |file: FileId| corpus.files[file].path.clone();
    let classification = Classification::new(&inferred, chosen, &scores, &path);
    if args.json {
        return print_json(&as_json(&corpus.items[*item].path, &explanation, &classification));
    }
    let task = classification.explained().iter().map(|line| printable(line)).collect::<Vec<_>>().join("\n");
    print_text(&format!("{}\n{}\n", as_text(&corpus, *item, &explanation, corpus.items.len()), task))
}

/// The task that the score is explained for.
struct ExplainedTask {
    text: String,
    /// The turn's evidence.
    evidence: Vec<Evidence>,
    /// Type and complexity set by the person.
    chosen: (Option<TaskType>, Option<Complexity>),
}

/// The task of `--task`, or of the turn.
fn subject(env: &Environment, args: &ExplainArgs) -> Result<ExplainedTask> {
    if let Some(task) = &args.task {
        let text = crate::app::plan::not_empty(task.clone())?;
        return Ok(ExplainedTask { text, evidence: Vec::new(), chosen: (None, None) });
    }
    let none = |_| Error::input("no task was given", "name one: teddy explain PATH --task \"Add refunds\"");
    let project = env.project().map_err(none)?;
    let (session, id) = session::locate(project, &env.cwd, args.session.as_deref())?;
    let (message, evidence, chosen) = match id.or_else(|| turn::latest_turn(&session)) {
        Some(id) => {
            let turn = Turn::open(&session, id)?;
            let record = checkpoint::load_record(&turn)?.record;
            let given = crate::app::evidence::of_turn(env, Some(&turn), &record, &[])?;
            let task_type = record.task_type;
            let complexity = record.complexity;
            (record.message, given, (task_type, complexity))
        }
        None => (String::new(), Vec::new(), (None, None)),
    };
    let text = task_or_goal(&session, &message)?;
    Ok(ExplainedTask { text, evidence, chosen })
}

fn as_text(corpus: &Corpus, item: ItemId, explanation: &Explanation, count: usize) -> String {
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
        printable(&corpus.items[item].path),
        explanation.points,
        thousands(explanation.place),
        thousands(count),
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

fn as_json(path: &str, explanation: &Explanation, classification: &Classification) -> String {
    let list = |signals: &[Signal]| -> Vec<_> {
        signals
            .iter()
            .map(|signal| json!({"name": signal.criterion.name(), "points": signal.criterion.points(), "why": signal.why}))
            .collect()
    };
    let value = json!({
        "path": path,
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
