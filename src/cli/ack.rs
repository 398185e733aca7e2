//! `teddy ack`: reads a model's acknowledgement and resends the missing sections.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::args::OutputArgs;
use super::output;
use super::print::{print_json, print_text, say};
use super::progress::ScanProgress;
use crate::app::ack::{self, AckOutcome, Redelivery};
use crate::app::environment::Environment;
use crate::app::input::{from_clipboard, read_stdin, read_text};
use crate::error::{Error, Result};
use crate::project::turn::Turn;
use crate::text::{counted, printable};

/// Maximum size of an answer.
const ANSWER_BYTES: u64 = 8_000_000;

/// The arguments of `teddy ack`.
#[derive(Debug, Args)]
pub struct AckArgs {
    /// File with the answer; `-` reads standard input; default: a pipe, or else the turn's plan.md.
    pub file: Option<PathBuf>,
    /// Read the answer from the clipboard.
    #[arg(long, conflicts_with = "file")]
    pub clipboard: bool,
    /// Session or turn (`NAME/02`) of the payload; default: the last delivered turn.
    #[arg(long, value_name = "NAME[/TURN]")]
    pub session: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(env: &Environment, args: &AckArgs) -> Result<()> {
    output::check(env, &args.output)?;
    let turn = ack::find_turn(env, args.session.as_deref())?;
    let text = answer(env, args, &turn)?;
    match ack::acknowledge(env, &turn, &text, &args.output.options(), &ScanProgress::default())? {
        AckOutcome::Complete { payload, .. } if args.output.json => {
            let value = json!({"version": 1, "status": "complete", "payload": payload, "missing": []});
            print_json(&value.to_string())
        }
        AckOutcome::Complete { payload, ack } => print_text(&format!(
            "{} of turn {} of {} is acknowledged: {} and {} received\n",
            printable(&payload),
            turn.id(),
            printable(turn.session().name()),
            counted(ack.raw.0, "RAW section"),
            counted(ack.linked.0, "LINKED section"),
        )),
        AckOutcome::Partial(again) => send_again(env, &turn, &again, &args.output),
    }
}

fn answer(env: &Environment, args: &AckArgs, turn: &Turn) -> Result<String> {
    if args.clipboard {
        return from_clipboard(env);
    }
    if let Some(file) = &args.file {
        return read_text(env, file, ANSWER_BYTES);
    }
    if !std::io::stdin().is_terminal() {
        let text = read_stdin(ANSWER_BYTES)?;
        if !text.trim().is_empty() {
            return Ok(text);
        }
    }
    env.project()?.read(&turn.plan_file())?.ok_or_else(|| {
        Error::input(
            "no acknowledgement was given",
            "name a file, pipe the answer in, or use the clipboard: teddy ack --clipboard",
        )
    })
}

fn send_again(env: &Environment, turn: &Turn, again: &Redelivery, args: &OutputArgs) -> Result<()> {
    let missing = counted(again.labels.len(), "section");
    say(&format!("turn {} of {}: {missing} missing", turn.id(), turn.session().name()));
    for note in &again.notes {
        say(&format!("note: {note}"));
    }
    if args.json {
        let items = again.placement.placed.iter().map(|placed| {
            let path = &again.run.bench.corpus().items[placed.item].path;
            json!({"path": path, "tier": placed.tier.name(), "form": placed.form.name(), "tokens": placed.tokens})
        });
        let items: Vec<_> = items.collect();
        let value = json!({
            "version": 1, "status": "partial", "payload": again.of, "missing": again.labels, "items": items,
            "used": again.placement.usage.total, "limit": again.placement.limit, "notes": again.notes,
        });
        print_json(&value.to_string())?;
    }
    let tokenizer = again.run.bench.tokenizer();
    output::send_out(env, &again.placement, (&again.payload, tokenizer), args, again.saved.clone())
}
