//! `teddy explain PATH`: a file's score with its reasons, and what would raise it.

use serde_json::json;

use super::args::ExplainArgs;
use super::output::{print_json, print_text};
use crate::app::environment::Environment;
use crate::app::explain::{self, ExplainRequest, ExplainedFile};
use crate::error::Result;
use crate::place::RAW_FROM;
use crate::score::{Criterion, Signal};
use crate::text::{printable, thousands};

/// Runs the command.
pub fn run(env: &Environment, args: &ExplainArgs) -> Result<()> {
    let ExplainArgs { path, task, session, json } = args.clone();
    let explained = explain::explain(env, &ExplainRequest { path, task, session })?;
    if json { print_json(&as_json(&explained)) } else { print_text(&as_text(&explained)) }
}

fn as_text(explained: &ExplainedFile) -> String {
    let explanation = &explained.explanation;
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
        "{}  score {}{capped}, rank {} of {}, {} priority\n",
        printable(&explained.path),
        explanation.points,
        thousands(explanation.place),
        thousands(explained.candidates),
        explanation.priority.name(),
    );
    if explained.carried_over {
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
    out.extend(explained.classification.explained().iter().map(|line| format!("{}\n", printable(line))));
    out
}

fn as_json(explained: &ExplainedFile) -> String {
    let ExplainedFile { explanation, classification, .. } = explained;
    let list = |signals: &[Signal]| -> Vec<_> {
        signals
            .iter()
            .map(|signal| json!({"name": signal.criterion.name(), "points": signal.criterion.points(), "why": signal.why}))
            .collect()
    };
    let value = json!({
        "path": explained.path,
        "score": explanation.points,
        "rank": explanation.rank,
        "place": explanation.place,
        "priority": explanation.priority.name(),
        "carried_over": explained.carried_over,
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
