//! Writes payloads to files: regular files atomically, special files directly.

use std::fs::{self, FileType, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::stdout::{to_stdout, write_to};
use super::{Channel, Confirmation, Delivery};
use crate::outline::language::Language;
use crate::platform::files::refused_target;
use crate::project::atomic;
use crate::text::printable;
use crate::{Error, Result};

/// Maximum number of symbolic links to follow; more are treated as a loop.
const MOST_LINKS: usize = 40;

/// Writes `text` to `path`. A regular file is replaced atomically, and a pipe or device is written to directly.
pub fn to_file(path: &Path, text: &str) -> Result<Delivery> {
    if let Some(delivery) = to_own_stream(path, text) {
        return delivery;
    }
    // `>(command)` is a link in /dev/fd that only the system can resolve, so check its type first.
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(Error::input(
            format!("`{}` is a directory", shown(path)),
            format!("use a file in it: {}", shown(&path.join("payload.md"))),
        )),
        Ok(found) if found.is_file() => {
            keep_source(path)?;
            // Renaming over a read-only file would succeed, but would ignore its protection.
            if found.permissions().readonly() {
                return Err(Error::io("write", path, ErrorKind::PermissionDenied.into()));
            }
            replace(path, &follow_links(path)?, text)
        }
        Ok(found) => to_special(path, found.file_type(), text),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let target = follow_links(path)?;
            check_directory(path, &target)?;
            replace(path, &target, text)
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory => Err(not_a_directory(path)),
        Err(_) if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) => {
            follow_links(path).and_then(|target| to_file(&target, text))
        }
        Err(error) => Err(Error::io("write", path, error)),
    }
}

/// Rejects overwriting a source file, because that is probably a mistake and uncommitted changes would be lost.
pub fn keep_source(path: &Path) -> Result<()> {
    let is_source = Language::of(&path.to_string_lossy(), "").is_some_and(Language::is_code);
    if is_source && fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0) {
        return Err(Error::input(
            format!("`{}` is a source file and would be overwritten", shown(path)),
            "use another file, or remove this one first",
        ));
    }
    Ok(())
}

fn replace(path: &Path, target: &Path, text: &str) -> Result<Delivery> {
    atomic::sweep_beside(target);
    atomic::write(target, text.as_bytes())?;
    Ok(Delivery {
        way: Channel::File(path.to_path_buf()),
        confirmed: Confirmation::Confirmed,
        bytes: text.len(),
        note: None,
    })
}

/// Writes to standard output or standard error if the path names one of them. Opening it again would overwrite the
/// start of a file that `>>` appends to.
fn to_own_stream(path: &Path, text: &str) -> Option<Result<Delivery>> {
    match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => Some(to_stdout(text)),
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => Some(
            write_to(&mut io::stderr().lock(), text, Channel::File(path.to_path_buf()))
                .map_err(|source| Error::io("write to", path, source)),
        ),
        _ => None,
    }
}

/// Writes to a pipe or character device. A disk is rejected because its contents would be destroyed, and a socket
/// because it cannot be opened.
fn to_special(path: &Path, kind: FileType, text: &str) -> Result<Delivery> {
    if let Some(what) = refused_target(kind) {
        return Err(Error::input(format!("`{}` is {what}", shown(path)), "use a file or a pipe"));
    }
    OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|mut stream| write_to(&mut stream, text, Channel::File(path.to_path_buf())))
        .map_err(|source| Error::io("write to", path, source))
}

/// Target of `path`. If it is a symbolic link, the link is kept and its target is written, even if the target does not
/// exist yet.
fn follow_links(path: &Path) -> Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(Error::input(format!("`{}` is a symbolic link to itself", shown(path)), "use another file"))
}

/// Reports a missing directory before anything is written.
fn check_directory(path: &Path, target: &Path) -> Result<()> {
    if path.as_os_str().is_empty() {
        return Err(Error::input("the output file has no name", "add one: `-o FILE`"));
    }
    let names_directory = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    let directory = if names_directory { Some(target) } else { target.parent() };
    let Some(directory) = directory.filter(|directory| !directory.as_os_str().is_empty()) else {
        return Ok(());
    };
    match fs::metadata(directory) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(not_a_directory(target)),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Error::input(
            format!("directory `{}` does not exist", shown(directory)),
            format!("create it first: mkdir -p {}", shown(directory)),
        )),
        Err(error) => Err(Error::io("write", path, error)),
    }
}

fn not_a_directory(target: &Path) -> Error {
    let file = target.ancestors().skip(1).find(|above| above.is_file()).unwrap_or(target);
    Error::input(format!("`{}` is a file, not a directory", shown(file)), "use a path in a directory")
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All files below `directory`, to check that no temporary file remains.
    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_created_and_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.md");
        for text in ["the first, longer text", "second"] {
            let delivery = to_file(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(delivery.way, Channel::File(path.clone()));
            assert_eq!((delivery.bytes, delivery.confirmed), (text.len(), Confirmation::Confirmed));
        }
        assert_eq!(names(directory.path()), ["out.md"]);
    }

    #[test]
    fn invalid_destinations_are_reported_and_nothing_is_left_behind() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::write(root.join("file"), "kept").unwrap();
        fs::write(root.join("main.rs"), "fn main() {}").unwrap();
        fs::create_dir(root.join("sub")).unwrap();
        let cases = [
            (root.join("main.rs"), "is a source file and would be overwritten"),
            (root.join("sub"), "is a directory"),
            (root.join("none/out.md"), "does not exist"),
            (root.join("new/"), "does not exist"),
            (root.join("file/out.md"), "is a file, not a directory"),
            (PathBuf::new(), "has no name"),
        ];
        for (path, expected) in cases {
            let error = to_file(&path, "text").unwrap_err();
            assert!(error.to_string().contains(expected), "{path:?}: {error}");
            assert_eq!(error.exit_code(), 2);
            assert!(error.hint().is_some());
        }
        assert_eq!(names(root), ["file", "main.rs", "sub"]);
        assert_eq!(fs::read_to_string(root.join("file")).unwrap(), "kept");
        assert_eq!(fs::read_to_string(root.join("main.rs")).unwrap(), "fn main() {}");
    }

    #[test]
    fn a_read_only_file_is_unchanged() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.md");
        fs::write(&path, "kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let error = to_file(&path, "text").unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
        assert_eq!(names(directory.path()), ["out.md"]);
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::symlink;
        use std::process::{Command, Stdio};

        #[test]
        fn writing_to_a_link_keeps_the_link() {
            let directory = tempfile::tempdir().unwrap();
            let link = directory.path().join("link.md");
            symlink("real.md", &link).unwrap();
            for text in ["while it dangles", "and when it does not"] {
                to_file(&link, text).unwrap();
                assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
                assert_eq!(fs::read_to_string(directory.path().join("real.md")).unwrap(), text);
            }
        }

        #[test]
        fn a_link_to_itself_is_not_a_valid_target() {
            let directory = tempfile::tempdir().unwrap();
            let link = directory.path().join("circle");
            symlink("circle", &link).unwrap();
            assert_eq!(to_file(&link, "text").unwrap_err().exit_code(), 2);
        }

        #[test]
        fn a_device_is_written_to_and_not_replaced() {
            use std::os::unix::fs::FileTypeExt;
            let delivery = to_file(Path::new("/dev/null"), "gone").unwrap();
            assert_eq!(delivery.bytes, 4);
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        }

        #[test]
        fn a_named_pipe_receives_the_text() {
            use std::os::unix::fs::FileTypeExt;
            let directory = tempfile::tempdir().unwrap();
            let pipe = directory.path().join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
            to_file(&pipe, "through the pipe").unwrap();
            assert_eq!(reader.wait_with_output().unwrap().stdout, b"through the pipe");
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        }

        #[test]
        fn a_socket_is_not_a_valid_target() {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("socket");
            let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
            assert!(to_file(&path, "text").unwrap_err().to_string().contains("is a socket"));
        }

        #[cfg(target_os = "linux")]
        #[test]
        fn a_full_device_is_an_environment_error() {
            let error = to_file(Path::new("/dev/full"), "text").unwrap_err();
            assert_eq!(error.exit_code(), 3);
            assert!(error.hint().is_some());
        }
    }
}
