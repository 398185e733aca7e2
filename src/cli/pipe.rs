//! `--pipe NAME`: pipes the payload to a program, and prints its answer.

use std::sync::{Arc, Mutex, PoisonError};

use super::print::{print_document, say};
use super::progress::Progress;
use crate::app::answer::{self, Document};
use crate::app::environment::Environment;
use crate::app::pipe::{self, PipeObserver};
use crate::error::Result;
use crate::project::turn::Turn;
use crate::text::thousands;

/// Prints the program's messages, and counts the bytes of its answer.
struct TerminalPipe {
    name: String,
    progress: Mutex<Option<Progress>>,
}

impl PipeObserver for TerminalPipe {
    fn received(&self, bytes: usize) {
        if let Some(progress) = &*self.progress.lock().unwrap_or_else(PoisonError::into_inner) {
            progress.add(bytes);
        }
    }

    fn diagnostic(&self, line: &str) {
        say(&format!("{}: {line}", self.name));
    }

    fn ended(&self) {
        drop(self.progress.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Pipes the payload to the program with this name, saves its output as the turn's answer, and prints it.
pub fn run(env: &Environment, turn: &Turn, name: &str, payload: &str) -> Result<()> {
    let program = pipe::named(env, name)?;
    say(&format!("piped to {name} ({} bytes)", thousands(payload.len())));
    let progress = Progress::begin(&format!("bytes from {name}"), 0);
    let observer = TerminalPipe { name: name.to_owned(), progress: Mutex::new(Some(progress)) };
    let observer: Arc<dyn PipeObserver> = Arc::new(observer);
    let saved = pipe::save_answer(env, turn, program, payload, &observer)?;
    for (line, rule) in &saved.redacted {
        say(&format!("note: line {line}: redacted a secret ({rule})"));
    }
    print_document(&answer::read(env, turn, Document::Plan)?.unwrap_or_default())?;
    say(&format!("saved the answer of turn {} as {}", turn.id(), env.shown(&saved.path)));
    Ok(())
}
