//! Reads logs and stack traces: finds the failures and the project lines that they point to, and trims the log to its
//! failures.
//!
//! | module | content |
//! | --- | --- |
//! | [`failure`] | a failure with its locations, and the builder that the readers fill |
//! | `notations` | ways to write a file and line: `path:12:5`, `path(12,5)`, `path line 12` |
//! | `rust`, `python`, `pytest`, `node`, `go`, `java`, `native`, `compilers` | one line-by-line reader per family |
//! | [`written_path`] | a path as it appears in a log, matched against project files |
//! | [`resolve`] | maps a path from another machine to a project file |
//! | [`locations`] | locations in the project with reasons, most relevant first |
//! | [`trim`] | trims a long log to its failures |
//! | [`mod@read`] | reads a log of any length, without secrets |

pub mod failure;
pub mod locations;
mod notations;
pub mod read;
pub mod resolve;
pub mod trim;
pub mod written_path;

mod compilers;
mod go;
mod java;
mod native;
mod node;
mod pytest;
mod python;
mod rust;

#[cfg(test)]
mod log_tests;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use failure::{Failure, LogLocation};
pub use locations::{EvidenceFindings, EvidenceLocation, find};
pub use read::{Log, read};

use failure::FailureReader;
use notations::{plain, without_prefix};

/// Unfolds a stack trace that a JSON log contains as one string; returns its lines.
fn unfolded(line: &str) -> Vec<Cow<'_, str>> {
    if !line.trim_start().starts_with('{') || !line.contains("\\n") {
        return vec![Cow::Borrowed(line)];
    }
    let text = line.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"");
    text.lines().map(|line| Cow::Owned(line.to_owned())).collect()
}

/// The failures in the order in which they appear in the text. In a chain of causes, the root cause comes first.
pub fn failures(text: &str) -> Vec<Failure> {
    let mut reading = FailureReader::default();
    for line in text.lines().flat_map(unfolded) {
        let line = plain(&line);
        let line = without_prefix(line.trim_end());
        if line.trim_start().is_empty() {
            reading.blank_line();
            continue;
        }
        // The order matters: specific readers come first, and the generic reader for compilers last.
        let taken = python::read(line, &mut reading)
            || pytest::read(line, &mut reading)
            || rust::read(line, &mut reading)
            || java::read(line, &mut reading)
            || native::read(line, &mut reading)
            || go::read(line, &mut reading)
            || node::read(line, &mut reading)
            || compilers::read(line, &mut reading);
        if !taken {
            reading.unrelated(line);
        }
    }
    reading.finish()
}
