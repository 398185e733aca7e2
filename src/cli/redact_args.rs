//! Redacts secrets in the text arguments of a command, because they end up in names, records, logs and payloads.

use super::args::TermsArgs;
use super::commands::{Cli, Command};
use super::memo::MemoCommand;
use super::print::say;
use super::sessions::SessionsCommand;
use crate::app::environment::Environment;
use crate::app::redact_input::without_secrets;
use crate::error::Result;

/// Redacts every text argument before it is stored anywhere, and adds a note about each secret.
pub fn clean(cli: &mut Cli, env: &Environment) -> Result<()> {
    let mut notes = Vec::new();
    let mut texts: Vec<(&str, &mut String)> = match &mut cli.command {
        Some(Command::Plan(args)) => {
            let task = args.task.iter_mut().map(|text| ("the task", text));
            let message = args.message.iter_mut().map(|text| ("the message", text));
            task.chain(message).chain(terms(&mut args.terms)).collect()
        }
        Some(Command::Resume(args)) => {
            let message = args.message.iter_mut().map(|text| ("the message", text));
            message.chain(terms(&mut args.terms)).collect()
        }
        Some(Command::Branch(args)) => args.message.iter_mut().map(|text| ("the message", text)).collect(),
        Some(Command::Memo(args)) => match &mut args.command {
            MemoCommand::Add { text } => vec![("the memo", text)],
            _ => Vec::new(),
        },
        Some(Command::Sessions(args)) => match &mut args.command {
            Some(SessionsCommand::Rename { name, .. }) => vec![("the name", name)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    // No secret is this short. Most calls have only shorter words, so they skip the scan.
    texts.retain(|(_, text)| text.split_whitespace().any(|word| word.len() >= 6));
    if texts.is_empty() {
        return Ok(());
    }
    let policy = env.redaction()?;
    for (what, text) in texts {
        let (clean, found) = without_secrets(&policy, what, text);
        *text = clean;
        notes.extend(found);
    }
    match &mut cli.command {
        Some(Command::Plan(args)) => args.payload.redaction_notes = notes,
        Some(Command::Resume(args)) => args.payload.redaction_notes = notes,
        _ => notes.iter().for_each(|note| say(&format!("note: {note}"))),
    }
    Ok(())
}

/// The terms of a session, each with its name for messages.
fn terms(args: &mut TermsArgs) -> impl Iterator<Item = (&'static str, &mut String)> {
    let done = args.definition_of_done.iter_mut().map(|text| ("the acceptance criteria", text));
    let constraints = args.constraints.iter_mut().map(|text| ("a constraint", text));
    let decisions = args.decisions.iter_mut().map(|text| ("a decision", text));
    done.chain(constraints).chain(decisions)
}
