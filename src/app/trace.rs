//! What teddy did and how long it took, a line each, in a file: for `-v` and `TEDDY_LOG`. Never contents, and no secrets.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use crate::error::{Error, Result};
use crate::project::secret_allowlist;
use crate::redact::message;
use crate::text::printable;

/// The variable that names the file.
pub const LOG_VARIABLE: &str = "TEDDY_LOG";

struct Trace {
    file: Mutex<File>,
    began: Instant,
}

static TRACE: OnceLock<Trace> = OnceLock::new();

/// Starts tracing where it is asked for; returns the file that `-v` chose by itself, to be named to the person.
pub fn start(verbose: bool) -> Result<Option<PathBuf>> {
    let named = std::env::var_os(LOG_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let (path, chosen) = match named {
        Some(path) => (path, false),
        None if verbose => {
            let state = secret_allowlist::state_dir().ok_or_else(|| {
                Error::input(
                    "there is no state directory for the log of -v",
                    format!("name a file: {LOG_VARIABLE}=FILE"),
                )
            })?;
            std::fs::create_dir_all(&state).map_err(|error| Error::io("create", &state, error))?;
            (state.join("teddy.log"), true)
        }
        None => return Ok(None),
    };
    let file = open(&path)?;
    let _ = TRACE.set(Trace { file: Mutex::new(file), began: Instant::now() });
    // What was asked for, by name only: a task may hold anything.
    let command = std::env::args().nth(1).filter(|word| !word.starts_with('-')).unwrap_or_default();
    note(&format!("teddy {} {command}", env!("CARGO_PKG_VERSION")));
    Ok(chosen.then_some(path))
}

fn open(path: &Path) -> Result<File> {
    OpenOptions::new().append(true).create(true).open(path).map_err(|error| Error::io("write", path, error))
}

/// Notes something; nothing where nobody asked for it.
pub fn note(what: &str) {
    if let Some(trace) = TRACE.get() {
        let at = trace.began.elapsed().as_secs_f64();
        let mut file = trace.file.lock().unwrap_or_else(PoisonError::into_inner);
        for line in what.lines() {
            // A log that cannot be written must not end the work that it is about.
            let _ = writeln!(file, "{} {at:9.3} s  {}", std::process::id(), printable(&message(line)));
        }
    }
}

/// Does something, and notes how long it took and what came of it.
pub fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>, told: impl FnOnce(&T) -> String) -> Result<T> {
    let began = Instant::now();
    let done = work();
    if TRACE.get().is_some() {
        let took = began.elapsed().as_secs_f64();
        match &done {
            Ok(value) => note(&format!("{what}: {took:.3} s, {}", told(value))),
            Err(error) => note(&format!("{what}: {took:.3} s, failed: {error}")),
        }
    }
    done
}
