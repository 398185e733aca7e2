//! `teddy memo`: facts that every payload includes.

use clap::{Args, Subcommand};

use super::print::{print_text, say};
use crate::app::environment::Environment;
use crate::app::memos::{self, AddedMemo};
use crate::error::Result;
use crate::redact::message;
use crate::text::printable;

/// The arguments of `teddy memo`.
#[derive(Debug, Args)]
pub struct MemoArgs {
    #[command(subcommand)]
    pub command: MemoCommand,
}

/// Actions on memos.
#[derive(Debug, Subcommand)]
pub enum MemoCommand {
    /// Add a memo.
    Add {
        /// Text of the memo.
        text: String,
    },
    /// List the memos with their numbers.
    List,
    /// Remove a memo by number or text.
    #[command(alias = "remove")]
    Rm {
        /// Number in the list, or the beginning of the text.
        which: String,
    },
}

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
