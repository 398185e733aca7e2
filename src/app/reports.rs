//! Texts about a turn for the screen, made by what the commands use: the turn itself, the advice on budgets, the replay.

use super::answer::{self, Document};
use super::delta::Delivered;
use super::environment::Environment;
use super::{budget_summary, handoff, replay};
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::evidence::Place;
use crate::project::budget_log;
use crate::project::turn::{Turn, TurnRecord};

/// How much of the differences is shown.
const DIFFERENCES: usize = 64 * 1024;
/// Wide enough for the bars, narrow enough for the overlay.
const WIDTH: usize = 68;

/// The turn's phase, evidence, what changed since the last payload, the plan in force and what was handed over.
pub fn turn(
    env: &Environment,
    record: &TurnRecord,
    before: Option<&Turn>,
    delivered: Option<&Delivered>,
    places: &[Place],
    corpus: &Corpus,
) -> Result<String> {
    let mut out = String::from("# Phase\n");
    out.push_str(&match record.phase {
        Some(phase) => format!("{} {}\n", phase.number(), phase.name()),
        None => "none: everything that was handed over is seen (`teddy resume --phase 2` sets one)\n".to_owned(),
    });
    out.push_str("\n# Evidence\n");
    if places.is_empty() {
        out.push_str("none (`teddy resume --evidence FILE` adds a log or a stack trace)\n");
    }
    for place in places {
        out.push_str(&format!("{}:{} {}\n", place.path, place.line, place.why));
    }
    match before {
        Some(before) => out.push_str(&carried_on(env, record, before, delivered, corpus)?),
        None => {
            out.push_str(
                "\n# The turn before\nThis is the first turn: no plan, no handoff, nothing to compare with.\n",
            );
        }
    }
    Ok(env.redaction()?.redact(&out, "turn").0.into_owned())
}

/// What the turn takes over from the one before it.
fn carried_on(
    env: &Environment,
    record: &TurnRecord,
    before: &Turn,
    delivered: Option<&Delivered>,
    corpus: &Corpus,
) -> Result<String> {
    let mut out = String::from("\n# What changed since the last payload\n");
    match delivered.map(Delivered::delta) {
        Some(delta) if !delta.is_empty() => out.push_str(&delta.text(corpus, DIFFERENCES)),
        Some(delta) => out.push_str(&format!("nothing, since turn {}\n", delta.since)),
        None => out.push_str("nothing was delivered before\n"),
    }
    for (document, heading) in [(Document::Plan, "plan"), (Document::Report, "report")] {
        out.push_str(&format!("\n# The {heading} of turn {}\n", before.id()));
        out.push_str(&answer::read(env, before, document)?.map_or_else(|| "none\n".to_owned(), |text| quoted(&text)));
    }
    let (seen, problems) = handoff::seen_after(env, before, record.phase)?;
    out.push_str("\n# What this phase sees of the handoffs\n");
    out.push_str(
        &seen.map_or_else(|| "nothing was handed over (`teddy handoff` does)\n".to_owned(), |seen| quoted(&seen.text)),
    );
    out.extend(problems.iter().map(|problem| format!("\n{problem}\n")));
    Ok(out)
}

/// Somebody's text, set off: its headings are not ours.
fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}

/// Which budgets were too tight and which too loose; the screen draws the bars with plain characters where those are wanted.
pub fn advice(env: &Environment) -> Result<String> {
    let log = budget_log::read(env.project()?)?.filter(|log| !log.entries.is_empty());
    let none = || Error::negative("no budget was applied yet", "write a payload first");
    Ok(budget_summary::summary(&log.ok_or_else(none)?, WIDTH, false))
}

/// Whether the turn's payload can be put together again, or what is not as it was.
pub fn replayed(env: &Environment, turn: &Turn) -> Result<String> {
    let replayed = replay::replay(env, turn, false)?;
    let rebuilt = &replayed.rebuilt;
    let delivered = env.project()?.read_payload(&turn.delivered_file())?;
    if rebuilt.text.is_some() && rebuilt.text == delivered {
        return Ok(format!("The payload of turn {} comes out the same, byte for byte.\n", turn.id()));
    }
    let mut out = format!("The payload of turn {} does not come out the same.\n", turn.id());
    out.extend(rebuilt.changed.iter().map(|path| format!("changed: {path}\n")));
    out.extend(rebuilt.missing.iter().map(|(path, why)| format!("not to be had: {path}, {why}\n")));
    out.extend(rebuilt.different.iter().map(|path| format!("comes out differently: {path}\n")));
    out.extend(replayed.linked.iter().map(|(path, why)| format!("changed: {path} (linked{why})\n")));
    Ok(out)
}
