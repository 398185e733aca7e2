//! File metadata that changes with the content.

use std::fs::Metadata;
use std::num::NonZeroU64;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::bytes::{ByteReader, ByteWriter};
use crate::gather::terms::hash_bytes;
use crate::platform::files::FileIdentity;

/// Metadata that changes with every write, unless two writes fall into one clock tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gather) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Times of the content and of the inode, in nanoseconds since 1970. Programs can set the first one, but not the
    /// second.
    modified: u64,
    changed: u64,
}

/// The longest clock tick of any file system.
const TICK: Duration = Duration::from_secs(2);

impl Stamp {
    /// The stamp of `meta`; `None` on platforms without enough metadata.
    pub fn of(meta: &Metadata) -> Option<Self> {
        let FileIdentity { device, inode, modified, changed } = FileIdentity::of(meta)?;
        Some(Self { device, inode, size: meta.len(), modified, changed })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn modified_seconds(&self) -> i64 {
        (self.modified / 1_000_000_000).cast_signed()
    }

    /// A digest for comparing stamps.
    pub fn digest(&self) -> StampDigest {
        let numbers = [self.device, self.inode, self.size, self.modified, self.changed].map(u64::to_le_bytes);
        let bytes = numbers.as_flattened();
        let hash = NonZeroU64::new(hash_bytes(bytes, 0, bytes.len())).unwrap_or(NonZeroU64::MIN);
        StampDigest { hash, latest: self.modified.max(self.changed) }
    }
}

/// A short form of a [`Stamp`]: a project has one for every file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gather) struct StampDigest {
    hash: NonZeroU64,
    /// The later one of the two times.
    latest: u64,
}

impl StampDigest {
    /// Returns true if any change after `moment` would change the stamp.
    pub fn settled_at(&self, moment: SystemTime) -> bool {
        let before = moment.checked_sub(TICK).and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
        before.is_some_and(|before| u128::from(self.latest) < before.as_nanos())
    }

    pub(super) fn write(&self, writer: &mut ByteWriter) {
        writer.number(self.hash.get());
        writer.number(self.latest);
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self { hash: NonZeroU64::new(reader.number()?)?, latest: reader.number()? })
    }
}
