//! `teddy answer`: keeps the model's answer as the turn's `plan.md`, or what came of it as `report.md`.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::output::{print_text, say};
use crate::app::answer::{Document, not_empty, refuse_payload, save, target, undo};
use crate::app::environment::Environment;
use crate::app::input::{from_clipboard, read_stdin, read_text};
use crate::error::{Error, Result};
use crate::project::active_context;
use crate::project::files::MAX_BYTES;
use crate::text::counted;

/// What `teddy answer` takes.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub struct AnswerArgs {
    /// The file that holds the answer; `-` is standard input, which is also read when it is a pipe.
    pub file: Option<PathBuf>,
    /// Take the answer from the clipboard.
    #[arg(long, conflicts_with = "file")]
    pub clipboard: bool,
    /// The session or the turn (`NAME/02`) it belongs to; without it the turn delivered last.
    #[arg(long, value_name = "NAME[/TURN]")]
    pub session: Option<String>,
    /// It is not the plan but the report: what came of the plan. It closes the turn.
    #[arg(long)]
    pub report: bool,
    /// Replace the plan or the report that the turn has already.
    #[arg(long)]
    pub force: bool,
    /// Take a plan back that was kept by mistake; it stays beside it as plan.undone.md.
    #[arg(long, conflicts_with_all = ["file", "clipboard", "report", "force"])]
    pub undo: bool,
}

/// Runs the command.
pub fn run(env: &Environment, args: &AnswerArgs) -> Result<()> {
    let document = if args.report { Document::Report } else { Document::Plan };
    // Looked up first: what is typed or copied must not be asked for in vain.
    let turn = target(env, args.session.as_deref(), document)?;
    if args.undo {
        let aside = undo(env, &turn)?;
        print_text(&format!("undid the answer of turn {}; it is kept as {}\n", turn.id(), env.shown(&aside)))?;
        say("keep another with `teddy answer`, or change what goes out with `teddy resume`");
        return Ok(());
    }
    let text = text(env, args, document)?;
    refuse_payload(env, &turn, document, &text)?;
    let saved = save(env, &turn, document, &text, args.force)?;
    for (line, rule) in &saved.redacted {
        say(&format!("note: line {line}: a secret was replaced ({rule})"));
    }
    if document == Document::Report && !turn.plan_file().is_file() {
        say(&format!("note: turn {} has no plan; the report closes it all the same", turn.id()));
    }
    let lines = counted(saved.lines as usize, "line");
    print_text(&format!("{} of turn {} kept in {} ({lines})\n", document.name(), turn.id(), env.shown(&saved.path)))?;
    let asked = if document == Document::Plan { active_context::parse(&text).changes.len() } else { 0 };
    if asked > 0 {
        say(&format!("its Active Context has {} for the next turn", counted(asked, "change")));
    }
    say(match document {
        Document::Plan if turn.report_file().is_file() => {
            "the turn has its report already; go on with the next one: teddy resume -m MESSAGE"
        }
        Document::Plan => "carry it out, then say what came of it: teddy answer --report FILE",
        Document::Report => "go on with the next turn: teddy resume -m MESSAGE",
    });
    Ok(())
}

/// The text that the arguments name.
fn text(env: &Environment, args: &AnswerArgs, document: Document) -> Result<String> {
    let name = document.name();
    let text = match &args.file {
        _ if args.clipboard => from_clipboard(env)?,
        Some(file) => read_text(env, file, MAX_BYTES)?,
        None if std::io::stdin().is_terminal() => {
            return Err(Error::input(
                format!("there is no {name} to keep"),
                "name a file, pipe it in, or take it from the clipboard: teddy answer --clipboard",
            ));
        }
        None => read_stdin(MAX_BYTES)?,
    };
    not_empty(&text, document)?;
    Ok(text)
}
