//! `teddy memo`: facts that every payload includes.

use super::args::MemoCommand;
use super::output::{print_text, say};
use crate::app::environment::Environment;
use crate::app::memos::{self, AddedMemo};
use crate::error::Result;
use crate::redact::message;
use crate::text::printable;

/// Runs the command.
pub fn run(env: &Environment, command: &MemoCommand) -> Result<()> {
    match command {
        MemoCommand::Add { text } => {
            let AddedMemo { number, created } = memos::add(env, text)?;
            for path in &created {
                say(&format!("created {}", env.shown(path)));
            }
            say(&format!("memo {number} added"));
            Ok(())
        }
        MemoCommand::List => {
            let memos = memos::list(env)?;
            if memos.is_empty() {
                say("there are no memos yet; add one: teddy memo add \"Use pnpm\"");
            }
            let line = |(index, memo): (usize, &String)| format!("{:>3}  {}\n", index + 1, printable(&message(memo)));
            print_text(&memos.iter().enumerate().map(line).collect::<Vec<String>>().concat())
        }
        MemoCommand::Rm { which } => {
            say(&format!("removed: {}", memos::remove(env, which)?));
            Ok(())
        }
    }
}
