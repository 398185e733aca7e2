//! Pipes the payload to a program from the user's own configuration, and saves its output as the answer.

use std::future::poll_fn;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::pin::pin;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::answer::{self, Document, SavedDocument};
use super::debug_log;
use super::environment::Environment;
use crate::error::{Error, Result};
use crate::process;
use crate::project::config::Pipe;
use crate::project::files::MAX_BYTES;
use crate::project::turn::Turn;
use crate::text::{nearest, thousands};

/// The configured program with this name.
pub fn named<'e>(env: &'e Environment, name: &str) -> Result<&'e Pipe> {
    let pipes = &env.config.pipes;
    if let Some(pipe) = pipes.iter().find(|pipe| pipe.name == name) {
        return Ok(pipe);
    }
    let own = "add it under `pipes` in your own config.yaml; `teddy doctor` shows its path";
    if env.config.refused_pipes.iter().any(|refused| refused == name) {
        let what = format!("`{name}` is only in this repository's configuration, which may not run programs");
        return Err(Error::input(what, format!("if you trust it, {own}")));
    }
    let near = nearest(name, pipes.iter().map(|pipe| pipe.name.as_str()));
    let hint = near.map_or_else(|| own.to_owned(), |near| format!("did you mean `{near}`?"));
    Err(Error::input(format!("unknown pipe `{name}`"), hint))
}

/// Receives the program's progress, on separate threads.
pub trait PipeObserver: Send + Sync {
    /// The program has printed more bytes.
    fn received(&self, bytes: usize);
    /// A line of the program's standard error.
    fn diagnostic(&self, line: &str);
    /// The output of the program has ended.
    fn ended(&self);
}

/// Pipes the payload to the program with this name, and saves its output as the turn's answer.
pub fn save_answer(
    env: &Environment,
    turn: &Turn,
    pipe: &Pipe,
    payload: &str,
    observer: &Arc<dyn PipeObserver>,
) -> Result<SavedDocument> {
    let start = Instant::now();
    let text = run(pipe, payload, &env.root, observer);
    let bytes = text.as_ref().map_or(0, String::len);
    log::debug!(target: debug_log::TARGET, name = pipe.name.as_str(), bytes, ms = debug_log::ms(start); "pipe");
    let again = format!("the payload is saved; try again: teddy resume --pipe {}", pipe.name);
    let text = text.map_err(|why| Error::Program { what: format!("{}: {why}", pipe.name), hint: again })?;
    answer::save(env, turn, Document::Plan, &text, false)
}

/// An event while waiting for the program.
enum Event {
    /// The output is complete.
    Ended(Vec<u8>),
    TooMuch,
    Interrupted,
    TimedOut,
}

/// Runs the program with the payload on its standard input, and returns its output.
fn run(pipe: &Pipe, payload: &str, root: &Path, observer: &Arc<dyn PipeObserver>) -> Result<String> {
    let failed = |what: String| Error::negative(what, "");
    let mut command = process::shell(&pipe.run);
    command.current_dir(root).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(format!("cannot wait for it: {error}")))?;
    let time = Duration::from_secs(pipe.timeout_seconds);
    let (mut child, event, deadline) = runtime.block_on(async {
        let mut interrupt = pin!(tokio::signal::ctrl_c());
        // The first poll installs the signal handler. The program starts after this, so that Ctrl-C always stops it.
        let _ = poll_fn(|context| Poll::Ready(interrupt.as_mut().poll(context).is_ready())).await;
        let mut child = command.spawn().map_err(|error| failed(format!("cannot start: {error}")))?;
        let deadline = Instant::now() + time;
        let mut events = listen(&mut child, payload, observer);
        let event = tokio::select! {
            event = events.recv() => event.unwrap_or(Event::Ended(Vec::new())),
            _ = interrupt => Event::Interrupted,
            () = tokio::time::sleep_until(deadline.into()) => Event::TimedOut,
        };
        Ok::<_, Error>((child, event, deadline))
    })?;
    observer.ended();
    let bytes = match event {
        Event::Ended(bytes) => bytes,
        other => {
            process::stop(&mut child);
            return Err(failed(match other {
                Event::TooMuch => format!("printed more than {} bytes and was stopped", thousands(MAX_BYTES as usize)),
                Event::Interrupted => "stopped by Ctrl-C; nothing was saved".to_owned(),
                _ => format!("took more than {} s and was stopped (timeout_seconds)", pipe.timeout_seconds),
            }));
        }
    };
    // The program may continue after it has closed its output.
    let status = match process::wait_until(&mut child, deadline) {
        Ok(Some(status)) => status,
        Ok(None) => return Err(failed(format!("took more than {} s and was stopped", pipe.timeout_seconds))),
        Err(error) => return Err(failed(format!("cannot wait for it: {error}"))),
    };
    if !status.success() {
        return Err(failed(format!("failed ({status}); its output was not saved")));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(failed("printed nothing".to_owned()));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes to and reads from the program on separate threads, so that neither blocks the other.
fn listen(child: &mut Child, payload: &str, observer: &Arc<dyn PipeObserver>) -> mpsc::UnboundedReceiver<Event> {
    let (to, events) = mpsc::unbounded_channel();
    if let Some(mut stdin) = child.stdin.take() {
        let payload = payload.to_owned();
        // A program may close its input early.
        thread::spawn(move || drop(stdin.write_all(payload.as_bytes())));
    }
    if let Some(stderr) = child.stderr.take() {
        let observer = Arc::clone(observer);
        thread::spawn(move || {
            for line in BufReader::new(stderr).split(b'\n').map_while(std::result::Result::ok) {
                observer.diagnostic(String::from_utf8_lossy(&line).trim_end());
            }
        });
    }
    if let Some(mut stdout) = child.stdout.take() {
        let observer = Arc::clone(observer);
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let mut chunk = [0; 8192];
            while let Ok(read @ 1..) = stdout.read(&mut chunk) {
                bytes.extend_from_slice(&chunk[..read]);
                observer.received(read);
                if bytes.len() as u64 > MAX_BYTES {
                    let _ = to.send(Event::TooMuch);
                    return;
                }
            }
            let _ = to.send(Event::Ended(bytes));
        });
    }
    events
}
