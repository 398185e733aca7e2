//! The debug log of `TEDDY_LOG` and `-v`: one JSON object per line for every step, with counts and times. It never
//! contains file contents, tasks or secrets.
//!
//! Steps are logged through the `log` facade (`log::debug!` with key-value pairs); this module implements the logger.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use log::kv::{Error as KvError, Key, Value, VisitSource};
use log::{LevelFilter, Log, Metadata, Record};
use serde_json::{Map, json};

use crate::error::{Error, Result};
use crate::project::{clock, secret_allowlist};
use crate::redact::message;
use crate::text::printable;

/// Environment variable with the path of the log file.
pub const LOG_VARIABLE: &str = "TEDDY_LOG";

/// Target of teddy's own log lines; other crates use the same facade.
pub const TARGET: &str = "teddy";

struct JsonLines {
    file: Mutex<File>,
    started: Instant,
}

/// Starts the log if `TEDDY_LOG` or `-v` requests one; returns the file if `-v` chose it.
pub fn start(verbose: bool) -> Result<Option<PathBuf>> {
    let named = std::env::var_os(LOG_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let (path, chosen) = match named {
        Some(path) => (path, false),
        None if verbose => {
            let state = secret_allowlist::state_dir().ok_or_else(|| {
                Error::input(
                    "-v has no state directory to write its log to",
                    format!("name the log file: {LOG_VARIABLE}=FILE"),
                )
            })?;
            std::fs::create_dir_all(&state).map_err(|error| Error::io("create", &state, error))?;
            (state.join("teddy.log"), true)
        }
        None => return Ok(None),
    };
    let logger = JsonLines { file: Mutex::new(open(&path)?), started: Instant::now() };
    if log::set_boxed_logger(Box::new(logger)).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
    // Only the name of the command is logged, because other arguments may contain secrets.
    let command = std::env::args().nth(1).filter(|word| !word.starts_with('-')).unwrap_or_default();
    log::debug!(target: TARGET, version = env!("CARGO_PKG_VERSION"), command = command.as_str(); "start");
    Ok(chosen.then_some(path))
}

fn open(path: &Path) -> Result<File> {
    OpenOptions::new().append(true).create(true).open(path).map_err(|error| Error::io("write", path, error))
}

/// Milliseconds since `start`, to a tenth.
pub fn ms(start: Instant) -> f64 {
    (start.elapsed().as_secs_f64() * 10_000.0).round() / 10.0
}

impl Log for JsonLines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == TARGET
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let mut line = Map::new();
        line.insert("ts".to_owned(), json!(clock::now().map(clock::iso).ok()));
        line.insert("pid".to_owned(), json!(std::process::id()));
        line.insert("at_ms".to_owned(), json!(ms(self.started)));
        line.insert("event".to_owned(), json!(clean(&record.args().to_string())));
        let _ = record.key_values().visit(&mut Fields(&mut line));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A failed write to the log must not end the run.
        let _ = writeln!(file, "{}", serde_json::Value::Object(line));
    }

    fn flush(&self) {}
}

struct Fields<'a>(&'a mut Map<String, serde_json::Value>);

impl<'kvs> VisitSource<'kvs> for Fields<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> std::result::Result<(), KvError> {
        let value = match (value.to_u64(), value.to_f64(), value.to_bool()) {
            (Some(number), ..) => json!(number),
            (None, Some(number), _) => json!(number),
            (None, None, Some(yes)) => json!(yes),
            _ => json!(clean(&value.to_string())),
        };
        self.0.insert(key.as_str().to_owned(), value);
        Ok(())
    }
}

fn clean(text: &str) -> String {
    printable(&message(text)).into_owned()
}
