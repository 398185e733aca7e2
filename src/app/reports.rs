//! Pages about a turn for the screen: the turn, budget statistics, reproducibility.

use super::answer::{self, Document};
use super::delta::PayloadDelta;
use super::environment::Environment;
use super::{budget_summary, handoff, replay, usage};
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::evidence::EvidenceLocation;
use crate::project::turn::{Turn, TurnRecord};
use crate::project::{agent_requests, budget_log};
use crate::text::thousands;

/// Maximum size of the diffs on a page, in bytes.
const DIFFERENCES: usize = 64 * 1024;
/// Width of a page.
const WIDTH: usize = 68;

/// Turns described by the turn page.
pub struct TurnPage<'a> {
    /// The turn's record.
    pub record: &'a TurnRecord,
    /// The turn; `None` until it is created.
    pub own: Option<&'a Turn>,
    /// The previous turn.
    pub before: Option<&'a Turn>,
}

/// The turn page: answer, report, phase, evidence, changes since the last payload, and handoffs.
pub fn turn(
    env: &Environment,
    page: &TurnPage<'_>,
    delivered: Option<&PayloadDelta>,
    places: &[EvidenceLocation],
    corpus: &Corpus,
) -> Result<String> {
    let TurnPage { record, own, before } = *page;
    let mut out = String::new();
    if let Some(own) = own {
        for (document, heading) in [(Document::Plan, "Answer"), (Document::Report, "Report")] {
            if let Some(text) = answer::read(env, own, document)? {
                out.push_str(&format!("# {heading} of turn {}\n{}\n", own.id(), quoted(&text)));
            }
        }
    }
    if let Some(own) = own {
        out.push_str(&used_items(env, own)?);
    }
    out.push_str("# Phase\n");
    out.push_str(&match record.phase {
        Some(phase) => format!("{} {}\n", phase.number(), phase.name()),
        None => "none: the turn sees all handoffs (set one with `teddy resume --phase 2`)\n".to_owned(),
    });
    out.push_str("\n# Evidence\n");
    if places.is_empty() {
        out.push_str("none (add a log or stack trace with `teddy resume --evidence FILE`)\n");
    }
    for place in places {
        out.push_str(&format!("{}:{} {}\n", place.path, place.line, place.why));
    }
    if let Some(own) = own {
        out.push_str(&agents(env, own)?);
    }
    match before {
        Some(before) => out.push_str(&previous_turn(env, record, before, delivered, corpus)?),
        None => {
            out.push_str(
                "\n# Previous turn\nThis is the first turn, so there is no answer, handoff or earlier payload.\n",
            );
        }
    }
    Ok(env.redaction()?.redact(&out, "turn").0.into_owned())
}

/// Lists the items of a turn that were used. Empty if the turn has neither an answer nor a report.
fn used_items(env: &Environment, turn: &Turn) -> Result<String> {
    let Some(used) = usage::of_turn(env, turn)? else { return Ok(String::new()) };
    Ok(format!("# Items that were used in turn {}\n{}\n\n", turn.id(), used.lines().join("\n")))
}

/// The requests of agents during the turn.
fn agents(env: &Environment, turn: &Turn) -> Result<String> {
    let mut out = String::from("\n# Requests of agents\n");
    let requests = agent_requests::read(env.project()?, turn)?;
    if requests.is_empty() {
        out.push_str("none (give an agent access with `teddy setup`)\n");
    }
    for request in &requests {
        let outcome = match (&request.tokens, &request.refused) {
            (Some(tokens), _) => format!("{} tokens", thousands(*tokens)),
            (None, Some(why)) => format!("refused: {why}"),
            (None, None) => String::new(),
        };
        out.push_str(&format!("{} {} {} {outcome}\n", request.at, request.tool, request.asked.join(" ")));
    }
    Ok(out)
}

/// The part of the page that comes from the previous turn.
fn previous_turn(
    env: &Environment,
    record: &TurnRecord,
    before: &Turn,
    delivered: Option<&PayloadDelta>,
    corpus: &Corpus,
) -> Result<String> {
    let mut out = String::from("\n");
    out.push_str(&used_items(env, before)?);
    out.push_str("# Changes since the last payload\n");
    match delivered.map(PayloadDelta::delta) {
        Some(delta) if !delta.is_empty() => out.push_str(&delta.text(corpus, DIFFERENCES)),
        Some(delta) => out.push_str(&format!("none since turn {}\n", delta.since)),
        None => out.push_str("no earlier payload was delivered\n"),
    }
    for (document, heading) in [(Document::Plan, "Answer"), (Document::Report, "Report")] {
        out.push_str(&format!("\n# {heading} of turn {}\n", before.id()));
        out.push_str(&answer::read(env, before, document)?.map_or_else(|| "none\n".to_owned(), |text| quoted(&text)));
    }
    let (seen, problems) = handoff::seen_after(env, before, record.phase)?;
    out.push_str("\n# Handoffs visible in this phase\n");
    out.push_str(&seen.map_or_else(|| "none (write one with `teddy handoff`)\n".to_owned(), |seen| quoted(&seen.text)));
    out.extend(problems.iter().map(|problem| format!("\n{problem}\n")));
    Ok(out)
}

/// Indents text, so that its headings are not taken for headings of the page.
fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}

/// The budget statistics.
pub fn advice(env: &Environment) -> Result<String> {
    let log = budget_log::read(env.project()?)?.filter(|log| !log.entries.is_empty());
    let none = || Error::negative("there are no budget statistics yet", "write a payload first");
    let budgets = budget_summary::summary(&log.ok_or_else(none)?, WIDTH, false);
    Ok(budgets + &usage::summary(env)?.map_or_else(String::new, |used| format!("\n{}", used.text())))
}

/// The page about rebuilding the turn's payload.
pub fn replayed(env: &Environment, turn: &Turn) -> Result<String> {
    let replayed = replay::replay(env, turn, false)?;
    let rebuilt = &replayed.rebuilt;
    let delivered = env.project()?.read_payload(&turn.delivered_file())?;
    if rebuilt.text.is_some() && rebuilt.text == delivered {
        return Ok(format!("The payload of turn {} can be rebuilt byte for byte.\n", turn.id()));
    }
    let mut out = format!("The payload of turn {} cannot be rebuilt byte for byte.\n", turn.id());
    out.extend(rebuilt.changed.iter().map(|path| format!("changed: {path}\n")));
    out.extend(rebuilt.missing.iter().map(|(path, why)| format!("missing: {path}: {why}\n")));
    out.extend(rebuilt.different.iter().map(|path| format!("different: {path}\n")));
    out.extend(replayed.linked.iter().map(|(path, why)| format!("changed: {path} (linked{why})\n")));
    Ok(out)
}
