//! Progress reports and cancellation of a scan.

use super::terms::TermId;
use crate::error::{Error, Result};
use crate::outline::language::Language;

/// A file that was read and is not scored yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScannedFile {
    /// Relative to the root.
    pub path: String,
    /// Number of lines.
    pub lines: u32,
    /// `None` if unknown.
    pub language: Option<Language>,
    /// Number of words.
    pub words: u32,
    /// Counts of the observer's search terms, each with the term's index.
    pub says: Vec<(u16, u32)>,
}

/// Observes a scan; called from every reading thread.
pub trait WalkObserver: Sync {
    /// Receives files that were just read, in any order.
    fn files_read(&self, files: Vec<ScannedFile>);
    /// Returns false to cancel the scan.
    fn should_continue(&self) -> bool;
    /// Terms to count in every [`ScannedFile`].
    fn search_terms(&self) -> &[TermId] {
        &[]
    }
}

/// An observer with search terms.
pub struct WithSearchTerms<'a> {
    /// Receives the calls.
    pub observer: &'a dyn WalkObserver,
    /// The terms to count.
    pub terms: &'a [TermId],
}

impl WalkObserver for WithSearchTerms<'_> {
    fn files_read(&self, files: Vec<ScannedFile>) {
        self.observer.files_read(files);
    }

    fn should_continue(&self) -> bool {
        self.observer.should_continue()
    }

    fn search_terms(&self) -> &[TermId] {
        self.terms
    }
}

/// Ignores progress and never cancels.
pub struct NoObserver;

impl WalkObserver for NoObserver {
    fn files_read(&self, _: Vec<ScannedFile>) {}

    fn should_continue(&self) -> bool {
        true
    }
}

/// Returns an error if the scan was cancelled.
pub fn still_wanted(observer: &dyn WalkObserver) -> Result<()> {
    if observer.should_continue() { Ok(()) } else { Err(Error::negative("scan cancelled", "")) }
}
