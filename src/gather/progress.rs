//! Whoever waits for a scan: is told what was found, and is asked whether it is still wanted.

use super::terms::TermId;
use crate::error::{Error, Result};
use crate::outline::language::Language;

/// A file that the walk has read and nobody has scored yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sighting {
    /// Relative to the root.
    pub path: String,
    /// Its lines.
    pub lines: u32,
    /// What it is written in, where that is known.
    pub language: Option<Language>,
    /// The number of its words.
    pub words: u32,
    /// Which of the terms that the observer looks for it says, by their place in that list, and how often.
    pub says: Vec<(u16, u32)>,
}

/// Watches a scan. Called from every thread that reads.
pub trait WalkObserver: Sync {
    /// These files were read just now, in no order.
    fn found(&self, files: Vec<Sighting>);
    /// Whether anybody still waits for the outcome.
    fn wanted(&self) -> bool;
    /// The terms that a sighting tells of.
    fn looks_for(&self) -> &[TermId] {
        &[]
    }
}

/// Looks for some terms on behalf of another.
pub struct Looking<'a> {
    /// Who is told.
    pub observer: &'a dyn WalkObserver,
    /// What to look for.
    pub terms: &'a [TermId],
}

impl WalkObserver for Looking<'_> {
    fn found(&self, files: Vec<Sighting>) {
        self.observer.found(files);
    }

    fn wanted(&self) -> bool {
        self.observer.wanted()
    }

    fn looks_for(&self) -> &[TermId] {
        self.terms
    }
}

/// NoObserver looks on: the scan goes on to its end.
pub struct NoObserver;

impl WalkObserver for NoObserver {
    fn found(&self, _: Vec<Sighting>) {}

    fn wanted(&self) -> bool {
        true
    }
}

/// An error once nobody waits any more.
pub fn still_wanted(observer: &dyn WalkObserver) -> Result<()> {
    if observer.wanted() { Ok(()) } else { Err(Error::negative("the scan was cancelled", "")) }
}
