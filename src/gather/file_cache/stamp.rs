//! A file's state without its content.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::bytes::{Reader, Writer};

/// What a file system changes whenever a file's content changes, unless that happens twice within a tick of its clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gather) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Nanoseconds since 1970, of the content and of the inode: the first can be set to anything, the second cannot.
    modified: u64,
    changed: u64,
}

/// Clocks of file systems tick up to every two seconds.
const TICK: Duration = Duration::from_secs(2);

impl Stamp {
    /// The state that `meta` tells; `None` on systems whose files do not say enough.
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

    /// The state that `meta` tells; `None` on systems whose files do not say enough.
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

    /// Whether a change after `moment` would show: none could share the tick of the last one before it.
    pub fn settled_at(&self, moment: SystemTime) -> bool {
        let before = moment.checked_sub(TICK).and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
        before.is_some_and(|before| u128::from(self.modified.max(self.changed)) < before.as_nanos())
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        for number in [self.device, self.inode, self.size, self.modified, self.changed] {
            writer.number(number);
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            device: reader.number()?,
            inode: reader.number()?,
            size: reader.number()?,
            modified: reader.number()?,
            changed: reader.number()?,
        })
    }
}
