//! Reads one file by handle, without following links or blocking, and decodes it.

use std::fs::Metadata;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::encoding::{self, DecodedText};
use super::notebook::cells_of;
use crate::platform::dir::{Dir, LinkPolicy, leads_out};
use crate::platform::files::{is_refused_link, read_at_once};
use crate::text::hex;

/// A file's text with the hash of its bytes.
#[derive(Debug)]
pub struct DecodedFile {
    /// Text to show.
    pub text: String,
    /// Hexadecimal SHA-256 of the bytes on disk.
    pub sha256: String,
    /// Name of the encoding on disk if it is not UTF-8.
    pub encoding: Option<&'static str>,
    /// True if invalid bytes were replaced.
    pub lossy: bool,
}

/// Reads a file's bytes. The error is the reason for skipping the file.
pub fn read_bytes(root: &Path, path: &str, limit: u64) -> Result<Vec<u8>, String> {
    let root = Dir::open(root).map_err(|error| unreadable(&error))?;
    read_below(&root, path, limit).map(|(bytes, _)| bytes).map_err(|error| error.to_string())
}

/// The reason a file could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// A symbolic link in its path.
    Link,
    /// Any other reason.
    Other(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Link => "symbolic link",
            Self::Other(why) => why,
        })
    }
}

/// Reads a file below an open directory; also returns the metadata that it had before it was read.
pub(super) fn read_below(root: &Dir, path: &str, limit: u64) -> Result<(Vec<u8>, Metadata), ReadError> {
    let mut bytes = Vec::new();
    let meta = read_into(&mut bytes, root, path, limit)?;
    Ok((bytes, meta))
}

/// Reads a file into a buffer, replacing its content.
pub(super) fn read_into(bytes: &mut Vec<u8>, root: &Dir, path: &str, limit: u64) -> Result<Metadata, ReadError> {
    bytes.clear();
    let failed = |error: std::io::Error| ReadError::Other(unreadable(&error));
    let file = root
        .file(Path::new(path), LinkPolicy::Refused)
        .map_err(|error| if is_refused_link(&error) || leads_out(&error) { ReadError::Link } else { failed(error) })?;
    let meta = file.metadata().map_err(failed)?;
    if !meta.is_file() {
        return Err(ReadError::Other("not a regular file".to_owned()));
    }
    if meta.len() > limit {
        return Err(ReadError::Other(too_large(meta.len(), limit)));
    }
    // Reads one more byte, to notice a file that has grown.
    bytes.reserve_exact(meta.len() as usize + 1);
    if !read_at_once(&file, bytes, meta.len()).map_err(failed)? {
        file.take(limit.saturating_add(1).saturating_sub(bytes.len() as u64)).read_to_end(bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > limit {
        return Err(ReadError::Other(too_large(bytes.len() as u64, limit)));
    }
    Ok(meta)
}

/// The text of a file with the hash of its bytes. The error is the reason for skipping the file.
pub(super) fn decode_owned(path: &str, bytes: &[u8]) -> Result<DecodedFile, String> {
    let sha256 = hex(&Sha256::digest(bytes));
    let DecodedText { text, encoding, lossy } = decode(path, bytes)?;
    Ok(DecodedFile { text: text.into_owned(), sha256, encoding, lossy })
}

/// Decodes the text of a file to UTF-8, and reduces a notebook to its cells. The error is the reason for skipping the
/// file.
pub fn decode<'a>(path: &str, bytes: &'a [u8]) -> Result<DecodedText<'a>, String> {
    let decoded = encoding::decode(bytes)?;
    Ok(DecodedText { text: cells_of(path, decoded.text), ..decoded })
}

pub(super) fn too_large(size: u64, limit: u64) -> String {
    format!("too large ({} kB, the limit is {} kB)", size.div_ceil(1000), limit / 1000)
}

fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => "unreadable: permission denied".to_owned(),
        std::io::ErrorKind::NotFound => "deleted since the scan".to_owned(),
        _ => format!("unreadable: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_missing_files_have_reasons() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("big"), vec![b'x'; 2000]).unwrap();
        assert_eq!(read_bytes(dir.path(), "big", 1000).unwrap_err(), "too large (2 kB, the limit is 1 kB)");
        assert_eq!(read_bytes(dir.path(), "nothing", 1000).unwrap_err(), "deleted since the scan");
        assert!(read_bytes(dir.path(), "", 1000).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_and_fifos_do_not_block() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("real"), "x").unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        assert_eq!(read_bytes(dir.path(), "link", 1000).unwrap_err(), "symbolic link");
        std::os::unix::fs::symlink(".", dir.path().join("round")).unwrap();
        assert_eq!(read_bytes(dir.path(), "round/real", 1000).unwrap_err(), "symbolic link");
        assert_eq!(read_bytes(dir.path(), "../x", 1000).unwrap_err(), "symbolic link");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            dir.path().join("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        assert_eq!(read_bytes(dir.path(), "fifo", 1000).unwrap_err(), "not a regular file");
    }
}
