//! Reading one file: opened by handle, without following links or blocking, told apart as text, binary, too large or unreadable.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io::Read;
use std::path::Path;

use memchr::memchr;
use sha2::{Digest, Sha256};

use crate::project::dir_handle::{Dir, Links, leads_out};
use crate::text::hex;

/// A file's text with the hash of its bytes.
#[derive(Debug)]
pub struct DecodedFile {
    /// The text.
    pub text: String,
    /// The sha256 of the bytes on disk.
    pub sha256: String,
    /// Whether bytes that are no UTF-8 were replaced.
    pub lossy: bool,
}

/// Why a file without text is left out.
pub(super) const BINARY: &str = "binary";

/// How much of a file is looked at to tell text from binary.
const SNIFF: usize = 8000;

/// Reads a file's bytes; the error says why it is left out.
pub fn read_bytes(root: &Path, path: &str, limit: u64) -> Result<Vec<u8>, String> {
    let root = Dir::open(root).map_err(|error| unreadable(&error))?;
    read_below(&root, path, limit).map(|(bytes, _)| bytes).map_err(|error| error.to_string())
}

/// Why a file could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// A link stands on the way to it.
    Link,
    /// Something else, in words.
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

/// Reads the bytes of a file below an open directory, and tells its state from before that.
pub(super) fn read_below(root: &Dir, path: &str, limit: u64) -> Result<(Vec<u8>, Metadata), ReadError> {
    let mut bytes = Vec::new();
    let meta = read_into(&mut bytes, root, path, limit)?;
    Ok((bytes, meta))
}

/// The same into a buffer that is used again and again, whatever it held.
pub(super) fn read_into(bytes: &mut Vec<u8>, root: &Dir, path: &str, limit: u64) -> Result<Metadata, ReadError> {
    bytes.clear();
    let failed = |error: std::io::Error| ReadError::Other(unreadable(&error));
    let file = root
        .file(Path::new(path), Links::Refused)
        .map_err(|error| if is_link(&error) { ReadError::Link } else { failed(error) })?;
    let meta = file.metadata().map_err(failed)?;
    if !meta.is_file() {
        return Err(ReadError::Other("not a regular file".to_owned()));
    }
    if meta.len() > limit {
        return Err(ReadError::Other(too_large(meta.len(), limit)));
    }
    // One byte more tells a file that grew while it was read.
    bytes.reserve_exact(meta.len() as usize + 1);
    if !read_at_once(&file, bytes, meta.len()).map_err(failed)? {
        file.take(limit.saturating_add(1).saturating_sub(bytes.len() as u64)).read_to_end(bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > limit {
        return Err(ReadError::Other(too_large(bytes.len() as u64, limit)));
    }
    Ok(meta)
}

/// Reads into the room that there is, in one call; says whether that was all of a file of this length, as it nearly always is.
#[cfg(unix)]
fn read_at_once(file: &std::fs::File, bytes: &mut Vec<u8>, length: u64) -> std::io::Result<bool> {
    match rustix::io::read(file, rustix::buffer::spare_capacity(bytes)) {
        Ok(read) => Ok(read as u64 == length),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Elsewhere it is read piece by piece.
#[cfg(not(unix))]
fn read_at_once(_: &std::fs::File, _: &mut Vec<u8>, _: u64) -> std::io::Result<bool> {
    Ok(false)
}

fn is_link(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    let too_many = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    let too_many = false;
    too_many || leads_out(error)
}

/// Reads a file as text; the error says why it is left out.
pub fn read_text(root: &Path, path: &str, limit: u64) -> Result<DecodedFile, String> {
    let bytes = read_bytes(root, path, limit)?;
    let sha256 = hex(&Sha256::digest(&bytes));
    let (text, lossy) = decode(bytes)?;
    Ok(DecodedFile { text, sha256, lossy })
}

/// Text from bytes: UTF-8, UTF-16 with a byte order mark, or UTF-8 with what is invalid replaced; the error says "binary".
pub fn decode(bytes: Vec<u8>) -> Result<(String, bool), String> {
    match decode_in(&bytes)? {
        (Cow::Owned(text), lossy) => Ok((text, lossy)),
        (Cow::Borrowed(_), lossy) => {
            String::from_utf8(bytes).map(|text| (text, lossy)).map_err(|error| error.to_string())
        }
    }
}

/// The same where they are.
pub(super) fn decode_in(bytes: &[u8]) -> Result<(Cow<'_, str>, bool), String> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        _ => {}
    }
    // A NUL further down would end up in the payload; no text file has one.
    if memchr(0, bytes).is_some() {
        return Err(BINARY.to_owned());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok((Cow::Borrowed(text), false)),
        Err(_) if mostly_unreadable(bytes) => Err(BINARY.to_owned()),
        Err(_) => Ok((Cow::Owned(String::from_utf8_lossy(bytes).into_owned()), true)),
    }
}

fn utf16(rest: &[u8], unit: fn([u8; 2]) -> u16) -> Result<(Cow<'static, str>, bool), String> {
    let units = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    match text {
        Ok(text) if rest.len().is_multiple_of(2) && !text.contains('\0') => Ok((Cow::Owned(text), false)),
        _ => Err(BINARY.to_owned()),
    }
}

/// Whether a sample has too many bytes that neither UTF-8 nor a Latin encoding would have in text.
fn mostly_unreadable(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SNIFF)];
    let control = sample.iter().filter(|byte| matches!(byte, 0x01..=0x08 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)).count();
    let high = sample.iter().filter(|byte| **byte >= 0x80).count();
    control * 50 > sample.len() || high * 3 > sample.len()
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
    fn text_is_told_from_binary() {
        assert_eq!(decode(b"fn main() {}\r\n".to_vec()), Ok(("fn main() {}\r\n".to_owned(), false)));
        assert_eq!(decode(b"\x7fELF\x00\x01".to_vec()), Err(BINARY.to_owned()));
        assert_eq!(decode(b"caf\xe9 au lait, s'il vous pla\xeet".to_vec()).map(|(_, lossy)| lossy), Ok(true));
        assert_eq!(decode(vec![0x93, 0x81, 0xfe, 0xa7, 0x41]), Err(BINARY.to_owned()));
        let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain("hé\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(decode(utf16), Ok(("hé\n".to_owned(), false)));
        assert_eq!(decode(Vec::new()), Ok((String::new(), false)));
    }

    #[test]
    fn a_late_nul_is_binary() {
        let mut bytes = vec![b'a'; SNIFF + 10];
        bytes.push(0);
        assert_eq!(decode(bytes), Err(BINARY.to_owned()));
    }

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
