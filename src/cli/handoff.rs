//! `teddy handoff`: writes what a turn hands to the next phase, shows it, and shows what a phase will see.

use std::collections::BTreeMap;

use clap::Args;

use super::output::{print_document, print_json, say};
use super::world::World;
use crate::error::{Error, Result};
use crate::handoff::{self, BudgetResult, Handoff, Manifest, Phase, Seen, document};
use crate::project::checkpoint;
use crate::project::lock::Lock;
use crate::project::turn::{self, Turn};
use crate::project::{Project, atomic};
use crate::text::{ABOUT, counted, thousands};

/// What `teddy handoff` takes.
#[derive(Debug, Args, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub struct HandoffArgs {
    /// A session or a turn (`NAME/02`); without it the last turn of the session touched last.
    pub turn: Option<String>,
    /// What it is all for.
    #[arg(long, value_name = "TEXT")]
    pub goal: Option<String>,
    /// The larger piece of work that it is part of.
    #[arg(long = "epic", value_name = "ID")]
    pub epic_id: Option<String>,
    /// What a gate said; may be given several times.
    #[arg(long, value_name = "GATE=VERDICT")]
    pub verdict: Vec<String>,
    /// A file that was made or changed; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub artifact: Vec<String>,
    /// What was decided; may be given several times.
    #[arg(long, value_name = "TEXT")]
    pub decision: Vec<String>,
    /// What may still go wrong; may be given several times.
    #[arg(long, value_name = "TEXT")]
    pub risk: Vec<String>,
    /// The story in a few sentences.
    #[arg(long, value_name = "TEXT")]
    pub narrative: Option<String>,
    /// Start again from what plan.md and report.md say.
    #[arg(long)]
    pub from_files: bool,
    /// Write it in $EDITOR.
    #[arg(long)]
    pub edit: bool,
    /// Show what a phase will see of it, and of the handoffs before it, within its budget.
    #[arg(long, value_name = "PHASE", value_parser = super::args::phase, conflicts_with_all = ["edit", "from_files"])]
    pub preview: Option<Phase>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Show what would be written, and write nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// Runs the command.
pub fn run(world: &World, args: &HandoffArgs) -> Result<()> {
    let project = world.project()?;
    let turn = world.turn(args.turn.as_deref())?;
    let given = from_flags(args)?;
    if args.preview.is_some() && !given.is_empty() {
        return Err(Error::input(
            "--preview shows what is written; it writes nothing",
            "write it first, then preview it",
        ));
    }
    if let Some(phase) = args.preview {
        return preview(world, &turn, phase, args.json);
    }
    let on_disk = read(project, &turn)?;
    let writes = args.edit || args.from_files || !given.is_empty() || on_disk.is_none();
    let Some(handoff) = on_disk.clone().filter(|_| !writes) else {
        return write(world, &turn, on_disk, given, args);
    };
    show(&handoff.redacted(&world.redaction()?), args.json)
}

fn show(handoff: &Handoff, json: bool) -> Result<()> {
    let text = handoff.to_json()?;
    if json { print_json(text.trim_end()) } else { print_document(&text).map(drop) }
}

fn from_flags(args: &HandoffArgs) -> Result<Handoff> {
    let mut verdicts = BTreeMap::new();
    for verdict in &args.verdict {
        let pair = verdict.split_once('=').map(|(gate, said)| (gate.trim(), said.trim()));
        let Some((gate, said)) = pair.filter(|(gate, said)| !gate.is_empty() && !said.is_empty()) else {
            let what = format!("`{verdict}` is no verdict");
            return Err(Error::input(what, "write the gate and what it said: --verdict review=pass"));
        };
        verdicts.insert(gate.to_owned(), said.to_owned());
    }
    Ok(Handoff {
        goal: args.goal.clone().unwrap_or_default(),
        epic_id: args.epic_id.clone().unwrap_or_default(),
        narrative: args.narrative.clone().unwrap_or_default(),
        artifacts_produced: args.artifact.clone(),
        decisions_made: args.decision.clone(),
        open_risks: args.risk.clone(),
        verdicts,
        ..Handoff::default()
    })
}

fn write(world: &World, turn: &Turn, on_disk: Option<Handoff>, given: Handoff, args: &HandoffArgs) -> Result<()> {
    let project = world.project()?;
    // The lock before anything is read that is written again.
    let _lock = if args.dry_run { None } else { Some(Lock::acquire(turn.session().dir())?) };
    let base = match on_disk {
        Some(handoff) if !args.from_files => handoff,
        other => {
            let made = from_files(project, turn)?;
            if made.is_none() && given.is_empty() && !args.edit {
                return Err(Error::negative(
                    format!("turn {} has no handoff, and no plan.md or report.md to make one from", turn.id()),
                    "say something with --goal, --decision, --risk, --artifact, --verdict or --narrative, or write it with --edit",
                ));
            }
            // What other tools keep in the file stays.
            let other = other.map(|handoff| handoff.other).unwrap_or_default();
            Handoff { other, ..made.unwrap_or_default() }
        }
    };
    let mut handoff = given.over(base);
    if handoff.goal.trim().is_empty() {
        turn.session().meta()?.goal().clone_into(&mut handoff.goal);
    }
    if args.edit {
        let text = crate::tui::edit_text(&document::template(&handoff, &turn.id().to_string()))?;
        let edited = document::read(&text, false);
        if edited.is_empty() {
            return Err(Error::negative(
                "the handoff is empty; nothing was written",
                "write something below a heading",
            ));
        }
        handoff = Handoff { phase: handoff.phase, other: handoff.other, ..edited };
    }
    handoff.phase = checkpoint::recall(turn)?.record.phase.or(handoff.phase);
    let clean = handoff.clone().redacted(&world.redaction()?);
    if clean != handoff {
        say("note: the handoff held a secret; it was replaced, and kept nowhere");
    }
    let handoff = clean;
    if !args.dry_run {
        atomic::write(&turn.handoff_file(), handoff.to_json()?.as_bytes())?;
        say(&format!("written to {}", world.shown(&turn.handoff_file())));
    }
    show(&handoff, args.json)
}

/// `handoff.json` of a turn.
fn read(project: &Project, turn: &Turn) -> Result<Option<Handoff>> {
    let path = turn.handoff_file();
    project.read(&path)?.map(|text| Handoff::parse(&path, &text)).transpose()
}

/// What the plan and the report of a turn hand over; `None` without either.
fn from_files(project: &Project, turn: &Turn) -> Result<Option<Handoff>> {
    let plan = project.read(&turn.plan_file())?;
    let report = project.read(&turn.report_file())?;
    if plan.is_none() && report.is_none() {
        return Ok(None);
    }
    let plan = plan.map(|text| document::read(&text, report.is_none())).unwrap_or_default();
    let report = report.map(|text| document::read(&text, true)).unwrap_or_default();
    let mut handoff = report.over(plan);
    // The goal is the session's, whatever a plan calls its own.
    turn.session().meta()?.goal().clone_into(&mut handoff.goal);
    Ok(Some(handoff))
}

fn preview(world: &World, turn: &Turn, phase: Phase, json: bool) -> Result<()> {
    let project = world.project()?;
    let (manifest, notes) = handoff::resolve(project, Some(phase.number()))?;
    for note in &notes {
        say(&format!("note: {note}"));
    }
    let mut handoffs = Vec::new();
    for turn in lineage(turn)? {
        handoffs.extend(read(project, &turn)?);
    }
    let Seen { text, result } = through(world, handoffs, &manifest)?;
    if json {
        let value = serde_json::json!({"phase": phase.number(), "text": text, "budget": result});
        return print_json(&value.to_string());
    }
    if text.is_empty() {
        let what = format!("phase {} ({}) will see nothing: nothing was handed over", phase.number(), phase.name());
        return Err(Error::negative(
            what,
            format!("write a handoff: teddy handoff {}/{}", turn.session().name(), turn.id()),
        ));
    }
    print_document(&text)?;
    say(&format!("phase {} ({}): {}", phase.number(), phase.name(), told(&result)));
    Ok(())
}

/// What a budget did, in words.
pub fn told(result: &BudgetResult) -> String {
    // A handoff's tokens are a quarter of its characters, whatever the model.
    let tokens = format!("{ABOUT}{}", counted(result.truncated_tokens, "token"));
    match (result.budget_tokens, result.was_truncated) {
        (0, _) => format!("{tokens}, no limit"),
        (budget, false) => format!("{tokens} of {}", thousands(budget)),
        (budget, true) => {
            format!("cut from {ABOUT}{} to {tokens} of {}", thousands(result.original_tokens), thousands(budget))
        }
    }
}

fn through(world: &World, handoffs: Vec<Handoff>, manifest: &Manifest) -> Result<Seen> {
    let redactor = world.redaction()?;
    let handoffs: Vec<Handoff> = handoffs.into_iter().map(|handoff| handoff.redacted(&redactor)).collect();
    Ok(handoff::assemble(&handoffs, manifest))
}

/// The turns that a turn carries on, itself last: what was tried on another branch is not handed over.
fn lineage(turn: &Turn) -> Result<Vec<Turn>> {
    let mut turns = vec![turn.clone()];
    let mut at = turn::before(turn.session(), turn)?;
    // Records are files that anybody can edit: a circle of turns must end.
    while let Some(turn) = at.take().filter(|turn| !turns.contains(turn)) {
        at = turn::before(turn.session(), &turn)?;
        turns.push(turn);
    }
    turns.reverse();
    Ok(turns)
}

/// What a turn that carries on `before` and is in `phase` sees of the handoffs so far, with what is wrong with them.
/// `None` where nothing was handed over.
pub fn seen_after(world: &World, before: &Turn, phase: Option<u32>) -> Result<(Option<Seen>, Vec<String>)> {
    let project = world.project()?;
    let (mut handoffs, mut notes) = (Vec::new(), Vec::new());
    for turn in lineage(before)? {
        match read(project, &turn) {
            Ok(found) => handoffs.extend(found),
            Err(error) => notes.push(format!("the handoff of turn {} is left out: {error}", turn.id())),
        }
    }
    if handoffs.is_empty() {
        return Ok((None, notes));
    }
    let manifest = match handoff::resolve(project, phase) {
        Ok((manifest, more)) => {
            notes.extend(more);
            manifest
        }
        Err(error) => {
            notes.push(format!("manifests.yaml is not used: {error}"));
            phase.and_then(Phase::of).map_or_else(|| Manifest::permissive(phase.unwrap_or(0)), Manifest::of)
        }
    };
    let seen = through(world, handoffs, &manifest)?;
    Ok((Some(seen).filter(|seen| !seen.text.is_empty()), notes))
}
