//! File metadata that changes with the content.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::bytes::{ByteReader, ByteWriter};

/// Metadata that changes with every write, unless two writes fall into one clock tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gather) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Nanoseconds since 1970, of the content and of the inode; programs can set the first but not the second.
    modified: u64,
    changed: u64,
}

/// Coarsest clock tick of a file system.
const TICK: Duration = Duration::from_secs(2);

impl Stamp {
    /// The stamp of `meta`; `None` on platforms without enough metadata.
    #[cfg(unix)]
    pub fn of(meta: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, more: i64| {
            u64::try_from(seconds).ok()?.checked_mul(1_000_000_000)?.checked_add(u64::try_from(more).ok()?)
        };
        Some(Self {
            device: meta.dev(),
            inode: meta.ino(),
            size: meta.len(),
            modified: nanoseconds(meta.mtime(), meta.mtime_nsec())?,
            changed: nanoseconds(meta.ctime(), meta.ctime_nsec())?,
        })
    }

    /// The stamp of `meta`; `None` on platforms without enough metadata.
    #[cfg(not(unix))]
    pub fn of(_: &Metadata) -> Option<Self> {
        None
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn modified_seconds(&self) -> i64 {
        (self.modified / 1_000_000_000).cast_signed()
    }

    /// Returns whether any change after `moment` would change the stamp.
    pub fn settled_at(&self, moment: SystemTime) -> bool {
        let before = moment.checked_sub(TICK).and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
        before.is_some_and(|before| u128::from(self.modified.max(self.changed)) < before.as_nanos())
    }

    pub(super) fn write(&self, writer: &mut ByteWriter) {
        for number in [self.device, self.inode, self.size, self.modified, self.changed] {
            writer.number(number);
        }
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            device: reader.number()?,
            inode: reader.number()?,
            size: reader.number()?,
            modified: reader.number()?,
            changed: reader.number()?,
        })
    }
}
