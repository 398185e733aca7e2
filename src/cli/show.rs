//! `teddy show`: shows a session with its turns, or a turn's payload.

use std::collections::BTreeSet;

use super::args::ShowArgs;
use super::output::{print_document, print_text};
use crate::app::ack::ack_file;
use crate::app::environment::Environment;
use crate::error::{Error, Result};
use crate::project::checkpoint;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn};
use crate::redact::message;
use crate::text::{counted, printable};
use crate::workbench::lines;

/// Runs the command.
pub fn run(env: &Environment, args: &ShowArgs) -> Result<()> {
    if args.payload {
        return print_document(&payload(env, &env.turn(args.session.as_deref())?)?).map(drop);
    }
    let (session, _) = session::locate(env.project()?, &env.cwd, args.session.as_deref())?;
    print_text(&overview(env, &session)?)
}

/// The payload as delivered.
pub fn payload(env: &Environment, turn: &Turn) -> Result<String> {
    let none = || {
        let what = format!("turn {} of `{}` has no payload yet", turn.id(), turn.session().name());
        Error::negative(what, format!("create it: teddy resume {}/{}", turn.session().name(), turn.id()))
    };
    env.project()?.read_payload(&turn.delivered_file())?.ok_or_else(none)
}

fn overview(env: &Environment, session: &Session) -> Result<String> {
    let meta = session.meta()?;
    let mut out = format!("{}\n", printable(session.name()));
    for line in meta.goal().lines().take(12) {
        out.push_str(&format!("  {}\n", printable(&message(line))));
    }
    if let (Some(kind), Some(complexity)) = (&meta.task_type, &meta.complexity) {
        out.push_str(&format!("  {} · {}\n", kind.name(), complexity.name()));
    }
    for done in &meta.definition_of_done {
        out.push_str(&format!("  acceptance criterion: {}\n", printable(&message(done))));
    }
    for id in turn::turns(session) {
        let turn = Turn::open(session, id)?;
        let record = checkpoint::load_record(&turn)?.record;
        let asked = record.message.lines().next().unwrap_or_default();
        out.push_str(&format!("\n{id}  {}  {}\n", turn.state(), printable(&message(asked))));
        for overridden in &record.overrides {
            out.push_str(&format!(
                "    {} {}\n",
                overridden.action.to_text(),
                printable(&overridden.targets.join(", "))
            ));
        }
        let files: BTreeSet<&str> = record.raw.iter().map(|path| lines::path_in(path)).collect();
        if !files.is_empty() {
            out.push_str(&format!("    {} in RAW\n", counted(files.len(), "file")));
        }
        if let Some(phase) = record.phase {
            out.push_str(&format!("    phase {} {}\n", phase.number(), phase.name()));
        }
        for name in &record.evidence {
            out.push_str(&format!("    evidence {}\n", printable(name)));
        }
        for (file, what) in [(turn.handoff_file(), "handoff"), (ack_file(&turn), "acknowledgement")] {
            if file.is_file() {
                out.push_str(&format!("    {what} {}\n", env.shown(&file)));
            }
        }
        if turn.delivered_file().is_file() {
            out.push_str(&format!("    {}\n", env.shown(&turn.delivered_file())));
        }
    }
    Ok(out)
}
