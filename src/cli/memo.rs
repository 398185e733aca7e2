//! `teddy memo`: facts that every payload includes.

use super::args::MemoCommand;
use super::output::{print_text, say};
use crate::app::environment::Environment;
use crate::error::Result;
use crate::project::{Project, memos};
use crate::redact::message;
use crate::text::printable;

/// Runs the command.
pub fn run(env: &Environment, command: &MemoCommand) -> Result<()> {
    match command {
        MemoCommand::Add { text } => {
            let (project, made) = env.project_or_init()?;
            project.sweep();
            if let Err(error) = memos::add(project, text) {
                Project::undo_init(&made);
                return Err(error);
            }
            for path in &made {
                say(&format!("created {}", env.shown(path)));
            }
            say(&format!("memo {} added", memos::load(project)?.len()));
            Ok(())
        }
        MemoCommand::List => {
            let memos = env.existing_project().map(memos::load).transpose()?.unwrap_or_default();
            let lines: Vec<String> = memos
                .iter()
                .enumerate()
                .map(|(index, memo)| format!("{:>3}  {}\n", index + 1, printable(&message(memo))))
                .collect();
            if lines.is_empty() {
                say("there are no memos yet; add one: teddy memo add \"Use pnpm\"");
            }
            print_text(&lines.concat())
        }
        MemoCommand::Rm { which } => {
            env.project()?.sweep();
            let removed = memos::remove(env.project()?, which)?;
            say(&format!("removed: {removed}"));
            Ok(())
        }
    }
}
