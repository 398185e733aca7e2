//! The state of files when a payload was delivered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::git::Git;
use crate::project::TEDDY_DIR;
use crate::project::checkpoint::{Artifact, Checkpoint, GitState};

/// State of a file at delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PastState {
    /// It did not exist.
    Absent,
    /// It existed with these contents.
    Present {
        /// Git blob id.
        blob: Option<String>,
        /// sha256 of the contents.
        sha256: Option<String>,
    },
    /// Not recorded.
    Unknown,
}

/// Looks up file states at delivery.
pub struct PastFiles<'a> {
    git: Option<&'a Git>,
    /// Paths changed by commits since the delivery; `None` if unknown.
    since: Option<Vec<String>>,
    state: Option<&'a GitState>,
    artifacts: HashMap<&'a str, &'a Artifact>,
    files: &'a BTreeMap<String, String>,
}

impl<'a> PastFiles<'a> {
    /// The files at a delivery.
    pub fn new(git: Option<&'a Git>, delivered: &'a Checkpoint) -> Self {
        let state = delivered.git.as_ref();
        let commit = state.and_then(|state| state.commit.as_deref());
        Self {
            since: git.zip(commit).and_then(|(git, commit)| git.changed_since(commit)),
            git,
            state,
            artifacts: delivered.artifacts.iter().map(|artifact| (artifact.path.as_str(), artifact)).collect(),
            files: &delivered.files,
        }
    }

    /// The repository.
    pub fn git(&self) -> Option<&Git> {
        self.git
    }

    /// The commit at delivery.
    pub fn commit(&self) -> Option<&str> {
        self.state?.commit.as_deref()
    }

    /// Returns true if the project was a repository.
    pub fn has_repository(&self) -> bool {
        self.state.is_some()
    }

    /// Returns true if every file was recorded, because there was no repository.
    pub fn lists_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns true if the payload contained or linked the file.
    pub fn was_delivered(&self, path: &str) -> bool {
        self.artifacts.contains_key(path)
    }

    /// Paths changed by commits since the delivery.
    pub fn since_commit(&self) -> &[String] {
        self.since.as_deref().unwrap_or_default()
    }

    /// Every path with a recorded state.
    pub fn recorded(&self) -> BTreeSet<String> {
        let mut paths: BTreeSet<String> = self.artifacts.keys().map(|path| (*path).to_owned()).collect();
        match self.state {
            Some(state) => paths.extend(state.changed.keys().cloned()),
            None => paths.extend(self.files.keys().cloned()),
        }
        paths
    }

    /// The state of a file.
    pub fn of(&self, path: &str) -> PastState {
        if let Some(artifact) = self.artifacts.get(path) {
            let sha256 = Some(artifact.sha256.clone()).filter(|sum| !sum.is_empty());
            return PastState::Present { blob: artifact.blob.clone(), sha256 };
        }
        match self.state {
            Some(state) => match (state.changed.get(path), state.commit.as_deref(), self.git) {
                (Some(Some(blob)), ..) => PastState::Present { blob: Some(blob.clone()), sha256: None },
                // The file may have changed without being listed, because the list was truncated.
                (None, ..) if state.cut_short => PastState::Unknown,
                // Before the first commit, every file was listed as changed.
                (Some(None), ..) | (None, None, _) => PastState::Absent,
                (None, Some(commit), Some(git)) if self.since.is_some() => match git.blob_at(commit, path) {
                    Some(blob) => PastState::Present { blob: Some(blob), sha256: None },
                    None => PastState::Absent,
                },
                _ => PastState::Unknown,
            },
            None if self.files.is_empty() => PastState::Unknown,
            None => match self.files.get(path) {
                Some(sum) => PastState::Present { blob: None, sha256: Some(sum.clone()) },
                None => PastState::Absent,
            },
        }
    }
}

/// Returns true for teddy's own files.
pub fn is_own(path: &str) -> bool {
    path.split('/').next() == Some(TEDDY_DIR)
}
