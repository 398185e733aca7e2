//! `teddy explain PATH`: how a file got its score, and what would have raised it.

use serde_json::json;

use super::args::ExplainArgs;
use super::candidates::{gather, scores};
use super::evidence::Given;
use super::output::{print_json, print_text};
use super::world::World;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::place::RAW_FROM;
use crate::project::turn::{self, Turn};
use crate::project::{checkpoint, session};
use crate::score::{self, Explanation, Signal, Task};
use crate::text::printable;

/// Runs the command.
pub fn run(world: &World, args: &ExplainArgs) -> Result<()> {
    let (text, given) = task_text(world, args)?;
    let task = Task { text: &text, plan: None, focus: &[] };
    let corpus = gather(world, &task, true)?;
    let places = super::evidence::places(&corpus, &given, &text).places;
    let task = Task { focus: &places, ..task };
    let found = world.select(&corpus, &args.path)?;
    let [item] = found.as_slice() else {
        let what = format!("`{}` names {} files", args.path, found.len());
        return Err(Error::input(what, "explain one file at a time"));
    };
    let scores = scores(world, &corpus, &task)?;
    let explanation = score::explain(&corpus, &scores, *item);
    if args.json {
        return print_json(&as_json(&corpus.items[*item].path, &explanation));
    }
    print_text(&as_text(&corpus, *item, &explanation, corpus.items.len()))
}

/// The task, and the evidence that its turn keeps.
fn task_text(world: &World, args: &ExplainArgs) -> Result<(String, Vec<Given>)> {
    if let Some(task) = &args.task {
        return super::plan::not_empty(task.clone()).map(|task| (task, Vec::new()));
    }
    let none = |_| {
        Error::input("there is no task to explain the score for", "give one: teddy explain PATH --task \"Add refunds\"")
    };
    let project = world.project().map_err(none)?;
    let (session, id) = session::locate(project, &world.cwd, args.session.as_deref())?;
    let (message, given) = match id.or_else(|| turn::latest_turn(&session)) {
        Some(id) => {
            let turn = Turn::open(&session, id)?;
            let record = checkpoint::recall(&turn)?.record;
            let given = super::evidence::of_turn(world, Some(&turn), &record, &[])?;
            (record.message, given)
        }
        None => (String::new(), Vec::new()),
    };
    Ok((if message.is_empty() { session.meta()?.goal().to_owned() } else { message }, given))
}

fn as_text(corpus: &Corpus, item: usize, explanation: &Explanation, count: usize) -> String {
    let line = |signal: &Signal| {
        format!("  {:+}  {:<18} {}\n", signal.criterion.points(), signal.criterion.name(), printable(&signal.why))
    };
    let sum: i32 = explanation.met.iter().map(|signal| i32::from(signal.criterion.points())).sum();
    let capped = match sum {
        11.. => format!(" (the signals add up to {sum}; 10 is the most)"),
        ..0 => format!(" (the signals add up to {sum}; 0 is the least)"),
        _ => String::new(),
    };
    let mut out = format!(
        "{}  {} of 10{capped}, place {} of {count}\n",
        printable(&corpus.items[item].path),
        explanation.points,
        explanation.place,
    );
    out.extend(explanation.met.iter().map(line));
    if explanation.met.is_empty() {
        out.push_str("  nothing in the task, the history or the imports points to it\n");
    }
    if explanation.points < RAW_FROM && !explanation.missing.is_empty() {
        out.push_str("what would have raised it:\n");
        out.extend(explanation.missing.iter().map(line));
    }
    out
}

fn as_json(path: &str, explanation: &Explanation) -> String {
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
    });
    value.to_string()
}
