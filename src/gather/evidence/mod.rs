//! What a log or a stack trace says about the project: failures, the places in files that they name, and the log cut
//! down to them.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`failure`] | a failure with its places, and how readers put one together |
//! | `notation` | the ways in which programs write a place in a file |
//! | `rust`, `python`, `pytest`, `node`, `go`, `java`, `native`, `compilers` | one reader a family, line by line |
//! | [`written_path`] | a path as a log writes it, and which files it can mean |
//! | [`resolve`] | a path of another machine as a file of the project |
//! | [`places`] | the places in the project, the most telling first, with the reason |
//! | [`cut`] | a long log cut to its failures |
//! | [`mod@read`] | a log of any length as a cut text without secrets |

pub mod cut;
pub mod failure;
mod notation;
pub mod places;
pub mod read;
pub mod resolve;
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

pub use failure::{Failure, Spot};
pub use places::{Found, Place, find};
pub use read::{Log, read};

use failure::Reading;
use notation::{plain, without_prefix};

/// The lines in a line: a logger that writes JSON folds a whole trace into one.
fn unfolded(line: &str) -> Vec<Cow<'_, str>> {
    if !line.trim_start().starts_with('{') || !line.contains("\\n") {
        return vec![Cow::Borrowed(line)];
    }
    let text = line.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"");
    text.lines().map(|line| Cow::Owned(line.to_owned())).collect()
}

/// The failures that a text tells of, in its order; within a chain of causes the root comes first.
pub fn failures(text: &str) -> Vec<Failure> {
    let mut reading = Reading::default();
    for line in text.lines().flat_map(unfolded) {
        let line = plain(&line);
        let line = without_prefix(line.trim_end());
        if line.trim_start().is_empty() {
            reading.blank();
            continue;
        }
        // The order matters: each takes what is surely its own, the last one what looks like a compiler's.
        let taken = python::read(line, &mut reading)
            || pytest::read(line, &mut reading)
            || rust::read(line, &mut reading)
            || java::read(line, &mut reading)
            || native::read(line, &mut reading)
            || go::read(line, &mut reading)
            || node::read(line, &mut reading)
            || compilers::read(line, &mut reading);
        if !taken {
            reading.other(line);
        }
    }
    reading.finish()
}
