//! `teddy handoff`: writes, shows and previews the notes for the next phase.

use std::collections::BTreeMap;

use clap::Args;

use super::print::{print_document, print_json, say};
use crate::app::environment::Environment;
use crate::app::handoff::{self, Editor, WriteRequest};
use crate::app::screen::Screen;
use crate::error::{Error, Result};
use crate::handoff::{BudgetResult, Handoff, HandoffContext, Phase};
use crate::project::turn::Turn;
use crate::text::{ABOUT, counted, thousands};

/// The arguments of `teddy handoff`.
#[derive(Debug, Args, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate command-line flag")]
pub struct HandoffArgs {
    /// Session or turn (`NAME/02`); default: the last turn of the most recently used session.
    pub turn: Option<String>,
    /// Goal of the whole work.
    #[arg(long, value_name = "TEXT")]
    pub goal: Option<String>,
    /// Id of the epic that the work belongs to.
    #[arg(long = "epic", value_name = "ID")]
    pub epic_id: Option<String>,
    /// Verdict of a gate, such as tests=pass; can be repeated.
    #[arg(long, value_name = "GATE=VERDICT")]
    pub verdict: Vec<String>,
    /// File that was created or changed; can be repeated.
    #[arg(long, value_name = "PATH")]
    pub artifact: Vec<String>,
    /// Decision; can be repeated.
    #[arg(long, value_name = "TEXT")]
    pub decision: Vec<String>,
    /// Open risk; can be repeated.
    #[arg(long, value_name = "TEXT")]
    pub risk: Vec<String>,
    /// Summary in a few sentences.
    #[arg(long, value_name = "TEXT")]
    pub narrative: Option<String>,
    /// Generate the handoff again from plan.md and report.md.
    #[arg(long)]
    pub from_files: bool,
    /// Edit the handoff in $EDITOR.
    #[arg(long)]
    pub edit: bool,
    /// Show what a phase will get from the handoffs so far, within its budget.
    #[arg(long, value_name = "PHASE", value_parser = super::args::phase, conflicts_with_all = ["edit", "from_files"])]
    pub preview: Option<Phase>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Print the handoff without writing it.
    #[arg(long)]
    pub dry_run: bool,
}

/// Runs the command.
pub fn run(env: &Environment, args: &HandoffArgs, screen: &dyn Screen) -> Result<()> {
    let project = env.project()?;
    let turn = env.turn(args.turn.as_deref())?;
    let given = from_flags(args)?;
    if args.preview.is_some() && !given.is_empty() {
        return Err(Error::input(
            "--preview cannot be combined with options that write the handoff",
            "write it first, then preview it",
        ));
    }
    if let Some(phase) = args.preview {
        return preview(env, &turn, phase, args.json);
    }
    let on_disk = handoff::read(project, &turn)?;
    let writes = args.edit || args.from_files || !given.is_empty() || on_disk.is_none();
    let Some(handoff) = on_disk.clone().filter(|_| !writes) else {
        let edit_text = |text: &str| screen.edit_text(text);
        let edit: Option<Editor<'_>> = if args.edit { Some(&edit_text) } else { None };
        let request = WriteRequest { given, from_files: args.from_files, dry_run: args.dry_run, edit };
        let (handoff, replaced) = handoff::write(env, &turn, on_disk, request)?;
        if replaced {
            say("note: the handoff contained a secret, which was redacted");
        }
        if !args.dry_run {
            say(&format!("written to {}", env.shown(&turn.handoff_file())));
        }
        return show(&handoff, args.json);
    };
    show(&handoff.redacted(&*env.redaction()?), args.json)
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
            let what = format!("`{verdict}` is not a verdict");
            return Err(Error::input(what, "name the gate and its verdict: --verdict review=pass"));
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

fn preview(env: &Environment, turn: &Turn, phase: Phase, json: bool) -> Result<()> {
    let (HandoffContext { text, result }, notes) = handoff::preview(env, turn, phase)?;
    for note in &notes {
        say(&format!("note: {note}"));
    }
    if json {
        let value = serde_json::json!({"phase": phase.number(), "text": text, "budget": result});
        return print_json(&value.to_string());
    }
    if text.is_empty() {
        let what = format!("phase {} ({}) will see nothing: there is no handoff yet", phase.number(), phase.name());
        return Err(Error::negative(
            what,
            format!("write a handoff: teddy handoff {}/{}", turn.session().name(), turn.id()),
        ));
    }
    print_document(&text)?;
    say(&format!("phase {} ({}): {}", phase.number(), phase.name(), describe_budget(&result)));
    Ok(())
}

/// Describes the effect of a budget.
fn describe_budget(result: &BudgetResult) -> String {
    // Handoff tokens are estimated at four characters per token, whatever the model.
    let tokens = format!("{ABOUT}{}", counted(result.truncated_tokens, "token"));
    match (result.budget_tokens, result.was_truncated) {
        (0, _) => format!("{tokens}, no limit"),
        (budget, false) => format!("{tokens} of {}", thousands(budget)),
        (budget, true) => {
            format!(
                "truncated from {ABOUT}{} to {tokens}; the limit is {}",
                thousands(result.original_tokens),
                thousands(budget)
            )
        }
    }
}
