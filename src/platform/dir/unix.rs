//! Directory handles and `openat`. Linux confines paths with `openat2`; other systems open each component in turn.

use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::{Component, EntryKind, File, LinkPolicy, Path, io, outside, plain};

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOCTTY);
const MAKE: OFlags = OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(NO_LINK);
const APPEND: OFlags = OFlags::RDWR.union(OFlags::APPEND).union(OFlags::CREATE).union(OFlags::NONBLOCK).union(NO_LINK);
const NO_LINK: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
    /// Path at the time of opening, for systems without `openat2`.
    path: PathBuf,
}

impl Dir {
    /// Opens a trusted path; links are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let fd = rustix::fs::openat(CWD, path, DIRECTORY, Mode::empty())?;
        Ok(Self { fd, path: path.to_path_buf() })
    }

    /// Opens a subdirectory.
    pub(crate) fn dir(&self, relative: &Path) -> io::Result<Self> {
        let fd = self.open_inside(relative, DIRECTORY, LinkPolicy::Inside)?;
        Ok(Self { fd, path: self.path.join(relative) })
    }

    /// Opens a file below this directory for reading. The caller must check that the handle is a regular file.
    pub(crate) fn file(&self, relative: &Path, links: LinkPolicy) -> io::Result<File> {
        self.open_inside(relative, READ, links).map(File::from)
    }

    /// Creates a file; fails if it exists.
    pub(crate) fn create_new(&self, name: &Path) -> io::Result<File> {
        Ok(rustix::fs::openat(&self.fd, name, MAKE, Mode::from_raw_mode(0o666))?.into())
    }

    /// Opens or creates a file for reading and appending; refuses a link.
    pub(crate) fn append(&self, name: &Path) -> io::Result<File> {
        Ok(rustix::fs::openat(&self.fd, name, APPEND, Mode::from_raw_mode(0o666))?.into())
    }

    /// Creates a directory; fails if it exists.
    pub(crate) fn create_dir(&self, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.fd, name, Mode::from_raw_mode(0o777))?)
    }

    /// Renames an entry within this directory.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.fd, from, &self.fd, to)?)
    }

    /// Removes a file.
    pub(crate) fn remove_file(&self, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())?)
    }

    /// Removes an empty directory.
    pub(crate) fn remove_dir(&self, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR)?)
    }

    /// Sets the permission bits of a file.
    pub(crate) fn set_mode(file: &File, bits: u32) -> io::Result<()> {
        Ok(rustix::fs::fchmod(file, Mode::from_bits_truncate(bits as rustix::fs::RawMode))?)
    }

    /// Type of the entry `name`; `None` if it does not exist.
    pub(crate) fn kind(&self, name: &Path) -> io::Result<Option<EntryKind>> {
        let stat = match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(None),
            other => other?,
        };
        Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => EntryKind::File(permissions(stat.st_mode)),
            FileType::Symlink => EntryKind::Link,
            _ => EntryKind::Other,
        }))
    }

    /// Syncs the directory, so that a rename in it survives a power failure.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match rustix::fs::fsync(&self.fd) {
            // Some network and FUSE file systems do not support this. The rename itself has succeeded.
            Err(Errno::INVAL | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
            other => Ok(other?),
        }
    }

    fn open_inside(&self, relative: &Path, flags: OFlags, links: LinkPolicy) -> io::Result<OwnedFd> {
        plain(relative)?;
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        match self.open_beneath(relative, flags, links) {
            Some(opened) => opened,
            None => self.open_by_steps(relative, flags, links),
        }
    }

    /// Opens with `openat2`, which confines the path. `None` if the kernel does not have it.
    #[cfg(target_os = "linux")]
    fn open_beneath(&self, relative: &Path, flags: OFlags, links: LinkPolicy) -> Option<io::Result<OwnedFd>> {
        use rustix::fs::ResolveFlags;
        let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        if links == LinkPolicy::Refused {
            resolve |= ResolveFlags::NO_SYMLINKS;
        }
        // The kernel returns EAGAIN if something was renamed during the call.
        for _ in 0..64 {
            return match rustix::fs::openat2(&self.fd, relative, flags, Mode::empty(), resolve) {
                Err(Errno::AGAIN) => continue,
                Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => None,
                opened => Some(opened.map_err(io::Error::from)),
            };
        }
        None
    }

    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self)]
    fn open_beneath(&self, _relative: &Path, _flags: OFlags, _links: LinkPolicy) -> Option<io::Result<OwnedFd>> {
        None
    }

    /// Opens each path component in turn without following links.
    fn open_by_steps(&self, relative: &Path, flags: OFlags, links: LinkPolicy) -> io::Result<OwnedFd> {
        let resolved = match links {
            LinkPolicy::Refused => relative.to_path_buf(),
            LinkPolicy::Inside => {
                let (root, real) = (self.path.canonicalize()?, self.path.join(relative).canonicalize()?);
                real.strip_prefix(&root).map_err(|_| outside())?.to_path_buf()
            }
        };
        let names: Vec<_> = resolved.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        let Some((last, way)) = names.split_last() else {
            return Ok(rustix::fs::openat(&self.fd, ".", flags, Mode::empty())?);
        };
        let mut at: Option<OwnedFd> = None;
        for part in way {
            let from = at.as_ref().unwrap_or(&self.fd);
            at = Some(rustix::fs::openat(from, part.as_os_str(), DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?);
        }
        let from = at.as_ref().unwrap_or(&self.fd);
        Ok(rustix::fs::openat(from, last.as_os_str(), flags | OFlags::NOFOLLOW, Mode::empty())?)
    }
}

/// Permission bits; the integer type differs between systems.
#[allow(clippy::useless_conversion)]
fn permissions(mode: rustix::fs::RawMode) -> u32 {
    u32::from(Mode::from_raw_mode(mode).bits())
}

#[cfg(test)]
mod tests {
    use super::super::portable;
    use super::*;

    #[test]
    fn entry_kinds_and_opening() {
        use std::io::{Read, Write};
        let outer = tempfile::tempdir().unwrap();
        let dir = Dir::open(outer.path()).unwrap();
        let name = Path::new;
        assert!(dir.kind(name("file")).unwrap().is_none());
        dir.create_new(name("file")).unwrap().write_all(b"one").unwrap();
        assert_eq!(dir.create_new(name("file")).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        Dir::set_mode(&dir.file(name("file"), LinkPolicy::Refused).unwrap(), 0o640).unwrap();
        assert!(matches!(dir.kind(name("file")).unwrap(), Some(EntryKind::File(0o640))));
        let mut log = dir.append(name("file")).unwrap();
        log.write_all(b" two").unwrap();
        let mut text = String::new();
        dir.file(name("file"), LinkPolicy::Refused).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two");
        std::os::unix::fs::symlink("file", outer.path().join("link")).unwrap();
        assert!(matches!(dir.kind(name("link")).unwrap(), Some(EntryKind::Link)));
        assert!(dir.append(name("link")).is_err() && dir.create_new(name("link")).is_err());
        dir.create_dir(name("below")).unwrap();
        assert!(matches!(dir.kind(name("below")).unwrap(), Some(EntryKind::Other)));
        assert!(dir.dir(name("file")).is_err() && dir.dir(name("below")).is_ok() && dir.dir(name("")).is_ok());
        assert!(dir.kind(name("file/below")).is_err(), "below a file there is no answer");
        dir.rename(name("file"), name("below/moved")).unwrap();
        assert!(dir.remove_dir(name("below")).is_err());
        dir.remove_file(name("below/moved")).unwrap();
        dir.remove_dir(name("below")).unwrap();
        dir.sync().unwrap();
        assert!(dir.kind(name("below")).unwrap().is_none());
    }

    #[test]
    fn all_ways_of_opening_agree() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/b/f"), "in").unwrap();
        std::fs::write(outer.path().join("secret"), "out").unwrap();
        symlink("b/f", root.join("a/near")).unwrap();
        symlink("../../secret", root.join("a/far")).unwrap();
        symlink("a", root.join("alias")).unwrap();
        symlink("..", root.join("up")).unwrap();
        let dir = Dir::open(&root).unwrap();
        for links in [LinkPolicy::Refused, LinkPolicy::Inside] {
            for (path, plain, through) in [
                ("a/b/f", true, true),
                ("a/near", false, true),
                ("alias/b/f", false, true),
                ("a/far", false, false),
                ("up/secret", false, false),
                ("../secret", false, false),
                ("/etc/passwd", false, false),
                ("a/b/nothing", false, false),
            ] {
                let wanted = if links == LinkPolicy::Refused { plain } else { through };
                assert_eq!(dir.file(Path::new(path), links).is_ok(), wanted, "{path} {links:?}");
                let portable = portable::Dir::open(&root).unwrap().file(Path::new(path), links);
                assert_eq!(portable.is_ok(), wanted, "{path} {links:?} by path");
                if super::super::plain(Path::new(path)).is_ok() {
                    let stepped = dir.open_by_steps(Path::new(path), READ, links);
                    assert_eq!(stepped.is_ok(), wanted, "{path} {links:?} by steps");
                }
            }
        }
    }
}
