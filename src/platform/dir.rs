//! File access relative to an open directory handle. A path is resolved once, when its directory is opened, so a later
//! rename or symlink cannot redirect it. No function here follows a link out of the directory or blocks on a pipe.

use std::fs::File;
use std::io;
use std::path::{Component, Path};

#[cfg(any(not(unix), test))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use portable::Dir;
#[cfg(unix)]
pub(crate) use unix::Dir;

/// Type of a directory entry; links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// A regular file with its permission bits (0 on systems without them).
    File(u32),
    /// A symbolic link.
    Link,
    /// A directory, a pipe, a socket or a device.
    Other,
}

/// Policy for symbolic links in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkPolicy {
    /// Refuse all links.
    Refused,
    /// Follow links that stay inside the directory.
    Inside,
}

/// The error for a path that leaves the directory. It is the same on every system.
pub(crate) fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::CrossesDevices, "it leads outside the project")
}

/// Returns true for the error of a path that leaves the directory.
pub(crate) fn leads_out(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::CrossesDevices
}

/// Returns true for a relative path without `..`.
pub(crate) fn is_downwards(relative: &Path) -> bool {
    relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Rejects absolute paths and paths with `..`.
fn plain(relative: &Path) -> io::Result<()> {
    if is_downwards(relative) { Ok(()) } else { Err(outside()) }
}
