//! What a person said on the command line, without the secrets in it: it becomes names, records, logs and payloads.

use super::args::{Cli, Command};
use super::world::World;
use crate::error::Result;
use crate::redact::Redactor;

/// Replaces the secrets in the task, the message and the definition of done, as the person's own configuration wants it.
pub fn clean(cli: &mut Cli) -> Result<()> {
    let directory = cli.directory.clone();
    let mut texts: Vec<&mut String> = match &mut cli.command {
        Some(Command::Plan(args)) => {
            args.task.iter_mut().chain(&mut args.message).chain(&mut args.definition_of_done).collect()
        }
        Some(Command::Resume(args)) => args.message.iter_mut().collect(),
        _ => Vec::new(),
    };
    texts.retain(|text| !Redactor::builtin().find(text, "").is_empty());
    if texts.is_empty() {
        return Ok(());
    }
    let policy = World::open(directory.as_deref())?.redaction()?;
    for text in texts {
        *text = policy.redact(text, "").0.into_owned();
    }
    Ok(())
}
