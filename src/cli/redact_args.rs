//! What a person said, without the secrets in it: it becomes names, records, logs and payloads.

use super::args::{Cli, Command, MemoCommand, SessionsCommand};
use super::output::say;
use crate::app::environment::Environment;
use crate::app::redact_input::without_secrets;
use crate::error::Result;

/// Replaces the secrets in everything that the command line says in words, as the person's own configuration wants it. Nothing
/// else of what was typed is kept anywhere, so a later turn goes on with the replaced text; the person is told.
pub fn clean(cli: &mut Cli) -> Result<()> {
    let directory = cli.directory.clone();
    let mut told = Vec::new();
    let mut texts: Vec<(&str, &mut String)> = match &mut cli.command {
        Some(Command::Plan(args)) => {
            let task = args.task.iter_mut().map(|text| ("the task", text));
            let message = args.message.iter_mut().map(|text| ("the message", text));
            let done = args.definition_of_done.iter_mut().map(|text| ("the definition of done", text));
            task.chain(message).chain(done).collect()
        }
        Some(Command::Resume(args)) => args.message.iter_mut().map(|text| ("the message", text)).collect(),
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
    // Nothing this short is a secret, and most calls say nothing longer.
    texts.retain(|(_, text)| text.split_whitespace().any(|word| word.len() >= 6));
    if texts.is_empty() {
        return Ok(());
    }
    let policy = Environment::open(directory.as_deref())?.redaction()?;
    for (what, text) in texts {
        let (clean, found) = without_secrets(&policy, what, text);
        *text = clean;
        told.extend(found);
    }
    match &mut cli.command {
        Some(Command::Plan(args)) => args.shape.told = told,
        Some(Command::Resume(args)) => args.shape.told = told,
        _ => told.iter().for_each(|note| say(&format!("note: {note}"))),
    }
    Ok(())
}
