//! `teddy answer`: saves the model's answer as the turn's `plan.md`, or the report as `report.md`.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::print::{print_text, say};
use crate::app::answer::{Document, not_empty, refuse_payload, save, target, undo};
use crate::app::environment::Environment;
use crate::app::input::{from_clipboard, read_stdin, read_text};
use crate::error::{Error, Result};
use crate::project::active_context;
use crate::project::files::MAX_BYTES;
use crate::text::counted;

/// The arguments of `teddy answer`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate command-line flag")]
pub struct AnswerArgs {
    /// File with the answer; `-` or a pipe reads standard input.
    pub file: Option<PathBuf>,
    /// Read the answer from the clipboard.
    #[arg(long, conflicts_with = "file")]
    pub clipboard: bool,
    /// Session or turn (`NAME/02`); default: the last delivered turn.
    #[arg(long, value_name = "NAME[/TURN]")]
    pub session: Option<String>,
    /// Save it as the report on the work, which finishes the turn.
    #[arg(long)]
    pub report: bool,
    /// Replace an existing answer or report.
    #[arg(long)]
    pub force: bool,
    /// Undo a saved answer; it is kept as plan.undone.md.
    #[arg(long, conflicts_with_all = ["file", "clipboard", "report", "force"])]
    pub undo: bool,
}

/// Runs the command.
pub fn run(env: &Environment, args: &AnswerArgs) -> Result<()> {
    let document = if args.report { Document::Report } else { Document::Plan };
    // Checks the turn before it reads standard input, so that a person does not type an answer that is then rejected.
    let turn = target(env, args.session.as_deref())?;
    if args.undo {
        let aside = undo(env, &turn)?;
        print_text(&format!("undid the answer of turn {}; it is kept as {}\n", turn.id(), env.shown(&aside)))?;
        say("save another with `teddy answer`, or change the payload with `teddy resume`");
        return Ok(());
    }
    let text = text(env, args, document)?;
    refuse_payload(env, &turn, document, &text)?;
    let saved = save(env, &turn, document, &text, args.force)?;
    for (line, rule) in &saved.redacted {
        say(&format!("note: line {line}: redacted a secret ({rule})"));
    }
    if document == Document::Report && !turn.plan_file().is_file() {
        say(&format!("note: turn {} has no answer; the report finishes it anyway", turn.id()));
    }
    let lines = counted(saved.lines as usize, "line");
    print_text(&format!(
        "saved the {} of turn {} as {} ({lines})\n",
        document.name(),
        turn.id(),
        env.shown(&saved.path)
    ))?;
    let asked = if document == Document::Plan { active_context::parse(&text).changes.len() } else { 0 };
    if asked > 0 {
        say(&format!("its Active Context block has {} for the next turn", counted(asked, "change")));
    }
    say(match document {
        Document::Plan if turn.report_file().is_file() => {
            "the turn already has a report; start the next one: teddy resume -m TASK"
        }
        Document::Plan => "do the work, then save the report: teddy answer --report FILE",
        Document::Report => "start the next turn: teddy resume -m TASK",
    });
    Ok(())
}

/// The text from the file, standard input or the clipboard.
fn text(env: &Environment, args: &AnswerArgs, document: Document) -> Result<String> {
    let name = document.name();
    let text = match &args.file {
        _ if args.clipboard => from_clipboard(env)?,
        Some(file) => read_text(env, file, MAX_BYTES)?,
        None if std::io::stdin().is_terminal() => {
            return Err(Error::input(
                format!("no {name} was given"),
                "name a file, pipe it in, or use the clipboard: teddy answer --clipboard",
            ));
        }
        None => read_stdin(MAX_BYTES)?,
    };
    not_empty(&text, document)?;
    Ok(text)
}
