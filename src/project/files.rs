//! Bounded reads of files in `.teddy`. A read follows no symlink out of the project, does not block on a pipe, and
//! rejects oversized files.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use directories::ProjectDirs;

use crate::error::{Error, Result};
use crate::platform::dir::{Dir, LinkPolicy, is_downwards, leads_out};
pub(crate) use crate::platform::files::physical;
use crate::platform::files::{is_socket_error, open_safely};
use crate::text::thousands;

/// Maximum size of a file read from `.teddy` or the user's configuration.
pub const MAX_BYTES: u64 = 1_000_000;

/// Opens the directory that contains `path`. Inside `.teddy`, it is opened relative to the project root, so that no
/// link below the root can lead outside.
pub(crate) fn open_parent(path: &Path) -> io::Result<Dir> {
    let parent = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    let parts: Vec<Component<'_>> = parent.components().collect();
    let Some(at) = parts.iter().rposition(|part| part.as_os_str() == super::TEDDY_DIR) else {
        return Dir::open(parent);
    };
    let root: PathBuf = parts[..at].iter().collect();
    let below: PathBuf = parts[at..].iter().collect();
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root.as_path() };
    Dir::open(root)?.dir(&below)
}

/// A user directory: the value of an environment variable, or the system's default if it is not set.
pub(crate) fn variable_or_default(
    value: Option<OsString>,
    default_dir: impl Fn(&ProjectDirs) -> PathBuf,
) -> Option<PathBuf> {
    match value {
        Some(dir) if !dir.is_empty() => Some(PathBuf::from(dir)),
        _ => ProjectDirs::from("", "", "teddy").as_ref().map(default_dir),
    }
}

/// Rejects a `path` (relative to `root`, with `/`) that is absolute or leaves the root through `..` or a symlink.
///
/// If the path does not exist, its nearest existing directory is checked.
pub fn refuse_escapes(root: &Path, path: &str) -> Result<()> {
    let outside = || Error::Outside { entry: path.to_owned() };
    let relative = Path::new(path);
    if !is_downwards(relative) {
        return Err(outside());
    }
    let real_root = physical(root).map_err(|e| Error::io("open", root, e))?;
    let mut at = real_root.join(relative);
    loop {
        match physical(&at) {
            Ok(real) => return if real.starts_with(&real_root) { Ok(()) } else { Err(outside()) },
            // A dangling or circular link may later point outside.
            Err(_) if at.symlink_metadata().is_ok_and(|m| m.is_symlink()) => return Err(outside()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(Error::io("open", &at, error)),
            Err(_) => {
                if !at.pop() || !at.starts_with(&real_root) {
                    return Err(outside());
                }
            }
        }
    }
}

/// Reads a file below `root` as text; `None` if it does not exist. A symlink may point to another file of the project.
pub fn read_inside(root: &Path, path: &Path) -> Result<Option<String>> {
    read_inside_up_to(root, path, MAX_BYTES)
}

/// Like [`read_inside`], with a size limit.
pub fn read_inside_up_to(root: &Path, path: &Path, max_bytes: u64) -> Result<Option<String>> {
    let outside = || Error::Outside { entry: path.display().to_string() };
    let relative = path.strip_prefix(root).map_err(|_| outside())?;
    if relative.to_str().is_none() {
        return Err(Error::input(format!("{} is not valid Unicode", relative.display()), "rename it"));
    }
    let opened = Dir::open(root).and_then(|root| root.file(relative, LinkPolicy::Inside));
    match opened {
        Ok(file) => read_text(file, relative, max_bytes).map(Some),
        // A dangling or circular link may later point outside.
        Err(_) if path.symlink_metadata().is_ok_and(|meta| meta.is_symlink()) => Err(outside_of(relative)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) if leads_out(&error) => Err(outside_of(relative)),
        Err(error) if is_socket_error(&error) => Err(not_regular(relative)),
        Err(error) => Err(Error::io("read", relative, error)),
    }
}

fn outside_of(relative: &Path) -> Error {
    Error::Outside { entry: relative.to_string_lossy().into_owned() }
}

/// Error for a directory, pipe or device at a file's path.
pub(crate) fn not_regular(path: &Path) -> Error {
    Error::input(format!("{} is not a regular file", path.display()), "move it aside")
}

/// Reads one of the user's own files as text; `None` if it does not exist. Symlinks are followed anywhere.
pub fn read_own(path: &Path) -> Result<Option<String>> {
    match physical(path).and_then(|real| open_safely(OpenOptions::new().read(true)).open(real)) {
        Ok(file) => read_text(file, path, MAX_BYTES).map(Some),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(Error::io("read", path, error)),
    }
}

/// Reads a file or pipe named on the command line; `None` if it does not exist.
pub fn read_named(path: &Path, max_bytes: u64) -> Result<Option<String>> {
    let failed = |error| Error::io("read", path, error);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(Error::input(format!("{} is a directory", path.display()), "use a file in it"));
    }
    read_all(file, path, max_bytes).map(Some)
}

/// Reads a stream as text. Error messages refer to it as `shown`.
pub fn read_all(stream: impl Read, shown: &Path, max_bytes: u64) -> Result<String> {
    let mut bytes = Vec::new();
    let read = stream.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read", shown, error))?;
    text_of(bytes, shown, max_bytes)
}

/// Returns true if a path does not exist, or its parent is not a directory.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Reads an open file. Error messages refer to it as `shown`.
fn read_text(file: File, shown: &Path, max_bytes: u64) -> Result<String> {
    let failed = |error| Error::io("read", shown, error);
    let meta = file.metadata().map_err(failed)?;
    if !meta.is_file() {
        return Err(not_regular(shown));
    }
    let mut bytes = Vec::with_capacity(meta.len().min(max_bytes) as usize);
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    text_of(bytes, shown, max_bytes)
}

/// Checks the size and decodes UTF-8.
fn text_of(bytes: Vec<u8>, shown: &Path, max_bytes: u64) -> Result<String> {
    if bytes.len() as u64 > max_bytes {
        let what = format!("{} is larger than {} bytes", shown.display(), thousands(max_bytes as usize));
        return Err(Error::input(what, "shorten it or move it aside"));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(shown, error.as_bytes(), error.utf8_error().valid_up_to()))
}

/// Error with the location of the first invalid byte.
fn not_utf8(path: &Path, bytes: &[u8], good: usize) -> Error {
    let (line, column) = position_after(&bytes[..good]);
    Error::Syntax { path: path.to_path_buf(), line, column, why: "not valid UTF-8".to_owned() }
}

/// Line and column (1-based) of the position after `before`.
pub(super) fn position_after(before: &[u8]) -> (usize, usize) {
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let line = before.split(|&b| b == b'\n').count();
    (line, String::from_utf8_lossy(&before[line_start..]).chars().count() + 1)
}

/// The line ending used in `text`, for lines added to it.
pub(super) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn reads_existing_files_and_returns_none_for_missing_ones() {
        let dir = tempfile::tempdir().unwrap();
        let root = physical(dir.path()).unwrap();
        fs::write(root.join("a"), "text\n").unwrap();
        assert_eq!(read_inside(&root, &root.join("a")).unwrap().as_deref(), Some("text\n"));
        assert_eq!(read_inside(&root, &root.join("b")).unwrap(), None);
        assert_eq!(read_inside(&root, &root.join("a/below-a-file")).unwrap(), None);
        assert_eq!(read_own(&root.join("b")).unwrap(), None);
    }

    #[test]
    fn an_environment_variable_overrides_the_default_directory() {
        let usual = |dirs: &ProjectDirs| dirs.config_dir().join("usual");
        let named = |value: Option<&str>| variable_or_default(value.map(OsString::from), usual);
        assert_eq!(named(Some("/mine")), Some(PathBuf::from("/mine")));
        assert_eq!(named(Some("")), named(None), "an empty variable is ignored");
        assert!(named(None).is_none_or(|dir| dir.ends_with("usual")));
    }

    #[test]
    fn a_huge_file_is_refused_and_the_largest_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("big");
        fs::write(&path, vec![b'a'; MAX_BYTES as usize]).unwrap();
        assert_eq!(read_own(&path).unwrap().unwrap().len() as u64, MAX_BYTES);
        File::options().write(true).open(&path).unwrap().set_len(100_000_000).unwrap();
        let error = read_own(&path).unwrap_err();
        assert!(error.to_string().contains("larger than 1,000,000 bytes"), "{error}");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn named_files_are_read_up_to_a_size() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answer");
        assert_eq!(read_named(&path, 4).unwrap(), None);
        assert_eq!(read_named(&path.join("below"), 4).unwrap(), None);
        assert!(read_named(dir.path(), 4).unwrap_err().to_string().ends_with("is a directory"));
        for (text, fits) in [("", true), ("four", true), ("fives", false)] {
            fs::write(&path, text).unwrap();
            let read = [read_named(&path, 4).map(Option::unwrap), read_all(text.as_bytes(), &path, 4)];
            for read in read {
                assert_eq!(read.ok().as_deref(), fits.then_some(text));
            }
        }
        assert!(matches!(read_named(Path::new("a\0b"), 4), Err(Error::Io { action: "read", .. })));
    }

    #[test]
    fn invalid_unicode_is_reported_with_its_location() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bad");
        fs::write(&path, b"one\ntw\xc3\xb6 \xff").unwrap();
        let Err(Error::Syntax { line, column, .. }) = read_own(&path) else { panic!("expected a syntax error") };
        assert_eq!((line, column), (2, 5));
    }

    #[test]
    fn paths_that_leave_the_project_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        for bad in ["../x", "a/../../x", "/etc/passwd", "a/.."] {
            assert!(matches!(refuse_escapes(dir.path(), bad), Err(Error::Outside { .. })), "{bad}");
        }
        for good in ["x", "./x", "not/there/yet", "."] {
            refuse_escapes(dir.path(), good).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_may_stay_inside_but_not_leave() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let root = physical(outer.path()).unwrap().join("project");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a"), "in").unwrap();
        fs::write(root.join("../secret"), "out").unwrap();
        symlink("src", root.join("same")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("../secret", root.join("leak")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        symlink("circle", root.join("circle")).unwrap();
        assert_eq!(read_inside(&root, &root.join("same/a")).unwrap().as_deref(), Some("in"));
        for bad in ["up/secret", "leak", "dangling", "circle", "up/new-file", "up", "dangling/x"] {
            assert!(matches!(refuse_escapes(&root, bad), Err(Error::Outside { .. })), "{bad}");
        }
        for bad in ["leak", "up/secret", "dangling", "circle"] {
            assert!(matches!(read_inside(&root, &root.join(bad)), Err(Error::Outside { .. })), "{bad}");
        }
        assert!(matches!(read_inside(&root, Path::new("/etc/passwd")), Err(Error::Outside { .. })));
        let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"\xff");
        assert!(read_inside(&root, &root.join(name)).unwrap_err().to_string().ends_with("is not valid Unicode"));
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        for special in ["socket", "src"] {
            let told = read_inside(&root, &root.join(special)).unwrap_err().to_string();
            assert!(told.ends_with("is not a regular file"), "{told}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_without_waiting() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if !made.is_ok_and(|status| status.success()) {
            return;
        }
        let error = read_own(&path).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
}
