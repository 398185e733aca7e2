//! Opening, identifying and classifying files; paths and names of programs.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Sets options with which opening a file rejects a final symlink and does not block on a pipe. On systems without this
/// feature, callers rely on the checks before opening.
pub(crate) fn open_safely(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}

/// Absolute path with symlinks resolved, without the `\\?\` prefix on Windows.
pub(crate) fn physical(path: &Path) -> io::Result<PathBuf> {
    let path = path.canonicalize()?;
    if cfg!(windows)
        && let Some(plain) = path.to_str().and_then(without_verbatim_prefix)
    {
        return Ok(PathBuf::from(plain));
    }
    Ok(path)
}

/// A Windows path without its `\\?\` prefix. `None` if it has no prefix, or is invalid without it.
fn without_verbatim_prefix(path: &str) -> Option<&str> {
    path.strip_prefix(r"\\?\").filter(|plain| !plain.starts_with("UNC"))
}

/// Reads into the buffer's capacity with one system call. Returns true if that was the whole file, which is usual. If
/// the standard library cannot do this, callers read in a loop.
pub(crate) fn read_at_once(file: &File, bytes: &mut Vec<u8>, length: u64) -> io::Result<bool> {
    #[cfg(unix)]
    return match rustix::io::read(file, rustix::buffer::spare_capacity(bytes)) {
        Ok(read) => Ok(read as u64 == length),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    };
    #[cfg(not(unix))]
    {
        let _ = (file, bytes, length);
        Ok(false)
    }
}

/// Returns true for the error of opening a symlink where links are refused.
pub(crate) fn is_refused_link(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

/// Returns true for the error of opening a socket.
pub(crate) fn is_socket_error(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error());
    #[cfg(not(unix))]
    return error.kind() == io::ErrorKind::Unsupported;
}

/// Returns true for the error of locking a file on a network file system without a lock service.
pub(crate) fn lacks_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error());
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

/// Name of a file type that a payload must not be written to.
pub(crate) fn refused_target(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_block_device() {
            return Some("a disk");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    let _ = kind;
    None
}

/// Returns true for a file that can be run as a program.
pub(crate) fn is_executable(file: &Path) -> bool {
    let Ok(meta) = std::fs::metadata(file) else { return false };
    #[cfg(unix)]
    let runs = {
        use std::os::unix::fs::PermissionsExt;
        meta.permissions().mode() & 0o111 != 0
    };
    #[cfg(not(unix))]
    let runs = true;
    meta.is_file() && runs
}

/// File names under which a program may be installed.
pub(crate) fn program_file_names(program: &str) -> impl Iterator<Item = String> + use<> {
    let with_ending = cfg!(windows).then(|| format!("{program}.exe"));
    [Some(program.to_owned()), with_ending].into_iter().flatten()
}

/// Creates a directory that only its owner can access, with its parents.
pub(crate) fn create_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// A path that a person wrote, with `/` between its parts.
pub(crate) fn with_slashes(path: &str) -> String {
    if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() }
}

/// Returns true for a path that begins with a drive letter. On systems without drives, `c:main.rs` is an ordinary name.
pub(crate) fn has_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.get(1) == Some(&b':')
        && bytes[0].is_ascii_alphabetic()
        && (cfg!(windows) || matches!(bytes.get(2), Some(b'/' | b'\\')))
}

/// Identity of a file's content, derived from its metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    pub device: u64,
    pub inode: u64,
    /// Nanoseconds since 1970 of the last change to the content; programs can set it.
    pub modified: u64,
    /// Nanoseconds since 1970 of the last change to the inode; programs cannot set it.
    pub changed: u64,
}

impl FileIdentity {
    /// The identity of a file; `None` on systems without enough metadata.
    pub(crate) fn of(meta: &Metadata) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let nanoseconds = |seconds: i64, more: i64| {
                u64::try_from(seconds).ok()?.checked_mul(1_000_000_000)?.checked_add(u64::try_from(more).ok()?)
            };
            Some(Self {
                device: meta.dev(),
                inode: meta.ino(),
                modified: nanoseconds(meta.mtime(), meta.mtime_nsec())?,
                changed: nanoseconds(meta.ctime(), meta.ctime_nsec())?,
            })
        }
        #[cfg(not(unix))]
        {
            let _ = meta;
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbatim_prefixes_are_removed_where_the_path_stays_valid() {
        assert_eq!(without_verbatim_prefix(r"\\?\C:\code\shop"), Some(r"C:\code\shop"));
        assert_eq!(without_verbatim_prefix(r"\\?\UNC\server\share"), None);
        assert_eq!(without_verbatim_prefix(r"C:\code"), None);
    }

    #[test]
    fn an_executable_is_a_file_that_may_run() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("script");
        assert!(!is_executable(&script) && !is_executable(dir.path()));
        std::fs::write(&script, "").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert!(!is_executable(&script));
            std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o700)).unwrap();
        }
        assert!(is_executable(&script));
        assert_eq!(program_file_names("xclip").next().as_deref(), Some("xclip"));
    }
}
