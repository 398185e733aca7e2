//! `teddy show`: shows a session with its turns, or a turn's payload.

use std::collections::BTreeSet;

use clap::Args;

use super::print::{print_document, print_text};
use crate::app::environment::Environment;
use crate::app::show::{self, SessionOverview, TurnOverview};
use crate::app::usage::TurnUsage;
use crate::error::Result;
use crate::redact::message;
use crate::text::{counted, printable};
use crate::workbench::lines;

/// The arguments of `teddy show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A session or a turn (`NAME/02`); default: the most recently used session.
    pub session: Option<String>,
    /// Print the payload as delivered.
    #[arg(long)]
    pub payload: bool,
}

/// Runs the command.
pub fn run(env: &Environment, args: &ShowArgs) -> Result<()> {
    let which = args.session.as_deref();
    if args.payload {
        return print_document(&show::payload(env, &env.turn(which)?)?).map(drop);
    }
    print_text(&as_text(env, &show::overview(env, which)?))
}

fn as_text(env: &Environment, SessionOverview { name, meta, turns }: &SessionOverview) -> String {
    let mut out = format!("{}\n", printable(name));
    for line in meta.goal().lines().take(12) {
        out.push_str(&format!("  {}\n", printable(&message(line))));
    }
    if let (Some(kind), Some(complexity)) = (&meta.task_type, &meta.complexity) {
        out.push_str(&format!("  {} · {}\n", kind.name(), complexity.name()));
    }
    for done in &meta.definition_of_done {
        out.push_str(&format!("  acceptance criterion: {}\n", printable(&message(done))));
    }
    out.extend(turns.iter().map(|turn| turn_text(env, turn)));
    out
}

fn turn_text(env: &Environment, turn: &TurnOverview) -> String {
    let record = &turn.record;
    let asked = record.message.lines().next().unwrap_or_default();
    let mut out = format!("\n{}  {}  {}\n", turn.id, turn.state, printable(&message(asked)));
    let mut line = |text: &str| out.push_str(&format!("    {text}\n"));
    for overridden in &record.overrides {
        line(&format!("{} {}", overridden.action.to_text(), printable(&overridden.targets.join(", "))));
    }
    let files: BTreeSet<&str> = record.raw.iter().map(|path| lines::path_in(path)).collect();
    if !files.is_empty() {
        line(&format!("{} in RAW", counted(files.len(), "file")));
    }
    if let Some(phase) = record.phase {
        line(&format!("phase {} {}", phase.number(), phase.name()));
    }
    for name in &record.evidence {
        line(&format!("evidence {}", printable(name)));
    }
    for (file, what) in [(&turn.handoff, "handoff "), (&turn.acknowledgement, "acknowledgement "), (&turn.payload, "")]
    {
        if let Some(file) = file {
            line(&format!("{what}{}", env.shown(file)));
        }
    }
    for text in turn.usage.iter().flat_map(TurnUsage::lines) {
        line(&text);
    }
    out
}
