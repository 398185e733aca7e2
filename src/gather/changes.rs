//! Paths that changed between the delivery of a payload and a later state.
//!
//! Contents are compared by the hashes and commits that were recorded at delivery, so modification times do not matter.

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::past_files::{PastFiles, PastState, is_own};
use super::{git, names, read};
use crate::project::checkpoint::Checkpoint;
use crate::project::files::refuse_escapes;
use crate::project::turn_changes::TurnChanges;
use crate::redact::Policy;
use crate::text::hex;

/// Maximum number of changed paths between two commits.
const MOST_PATHS: usize = 5_000;

/// The changes since a delivery, without paths that contain secrets. New files that git does not track are found only
/// if the checkpoint lists them.
pub fn until_now(root: &Path, delivered: &Checkpoint, redactor: &Policy) -> TurnChanges {
    let git = git::open(root).ok().flatten();
    let past = PastFiles::new(git.as_ref(), delivered);
    let mut paths = past.recorded();
    if past.has_repository() {
        paths.extend(past.since_commit().iter().cloned());
        let dirty = git.as_ref().and_then(git::Git::tracked).map(|index| index.dirty_on_disk(root));
        paths.extend(dirty.into_iter().flatten().map(|(path, _)| path));
    }
    let mut changes = compare(&past, paths, |path| on_disk(root, path));
    names::withhold_from_changes(&mut changes, redactor);
    changes
}

/// The changes between a delivery and a later one, without paths that contain secrets.
pub fn until(root: &Path, delivered: &Checkpoint, later: &Checkpoint, redactor: &Policy) -> TurnChanges {
    let git = git::open(root).ok().flatten();
    let (past, later) = (PastFiles::new(git.as_ref(), delivered), PastFiles::new(git.as_ref(), later));
    let mut paths = past.recorded();
    paths.extend(later.recorded());
    if let (Some(git), Some(old), Some(new)) = (&git, past.commit(), later.commit())
        && let (Some(old), Some(new)) = (git.commit_of(old), git.commit_of(new))
        && let Some((between, _)) = git.changes_between(old, new, MOST_PATHS)
    {
        paths.extend(between.into_iter().map(|change| change.path));
    }
    let mut changes = compare(&past, paths, |path| later.of(path));
    names::withhold_from_changes(&mut changes, redactor);
    changes
}

fn compare(past: &PastFiles<'_>, paths: BTreeSet<String>, later: impl Fn(&str) -> PastState) -> TurnChanges {
    let mut changes = TurnChanges::default();
    for path in paths.into_iter().filter(|path| !is_own(path)) {
        match (past.of(&path), later(&path)) {
            (PastState::Absent, PastState::Present { .. }) => changes.added.push(path),
            (PastState::Present { .. }, PastState::Absent) => changes.removed.push(path),
            (before @ PastState::Present { .. }, after @ PastState::Present { .. }) if differ(&before, &after) => {
                changes.changed.push(path);
            }
            _ => {}
        }
    }
    changes
}

/// Returns true if two states differ; false if they cannot be compared.
fn differ(before: &PastState, after: &PastState) -> bool {
    let (PastState::Present { blob, sha256 }, PastState::Present { blob: later_blob, sha256: later_sha256 }) =
        (before, after)
    else {
        return false;
    };
    match (sha256.as_ref().zip(later_sha256.as_ref()), blob.as_ref().zip(later_blob.as_ref())) {
        (Some((before, after)), _) | (None, Some((before, after))) => before != after,
        (None, None) => false,
    }
}

/// The state of a file in the working tree.
fn on_disk(root: &Path, path: &str) -> PastState {
    if refuse_escapes(root, path).is_err() {
        return PastState::Unknown;
    }
    match read::read_bytes(root, path, u64::MAX) {
        Ok(bytes) => PastState::Present { blob: git::blob_id(&bytes), sha256: Some(hex(&Sha256::digest(&bytes))) },
        Err(_) if std::fs::symlink_metadata(root.join(path)).is_err() => PastState::Absent,
        Err(_) => PastState::Unknown,
    }
}
