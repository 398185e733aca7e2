//! Whoever waits for a scan: is told what was found, and is asked whether it is still wanted.

use super::language::Language;
use crate::error::{Error, Result};

/// A file that the walk has read and nobody has scored yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// Relative to the root.
    pub path: String,
    /// Its lines.
    pub lines: u32,
    /// What it is written in, where that is known.
    pub language: Option<Language>,
}

/// Watches a scan. Called from every thread that reads.
pub trait Onlooker: Sync {
    /// These files were read just now, in no order.
    fn found(&self, files: Vec<Sighting>);
    /// Whether anybody still waits for the outcome.
    fn wanted(&self) -> bool;
}

/// Nobody looks on: the scan goes on to its end.
pub struct Nobody;

impl Onlooker for Nobody {
    fn found(&self, _: Vec<Sighting>) {}

    fn wanted(&self) -> bool {
        true
    }
}

/// An error once nobody waits any more.
pub fn still_wanted(onlooker: &dyn Onlooker) -> Result<()> {
    if onlooker.wanted() { Ok(()) } else { Err(Error::negative("the scan was cancelled", "")) }
}
