//! Files and directories by handle: what a path means is settled when its directory is opened, and nobody can lead it elsewhere
//! afterwards. No open follows a link out of the directory, and none waits for the other end of a pipe.

use std::fs::File;
use std::io;
use std::path::{Component, Path};

pub(crate) use imp::Dir;

/// What stands under a name, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A regular file with these permission bits (0 where the system has none).
    File(u32),
    /// A symbolic link.
    Link,
    /// A directory, a pipe, a socket or a device.
    Other,
}

/// Whether links inside the directory may be followed on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// None at all.
    Refused,
    /// Those that stay inside.
    Inside,
}

/// The directory that holds `path`. What lies in a `.teddy` is reached from the project's root by handle, so that a link below it
/// cannot lead out.
pub(crate) fn parent(path: &Path) -> io::Result<Dir> {
    let parent = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    let parts: Vec<Component<'_>> = parent.components().collect();
    let Some(at) = parts.iter().rposition(|part| part.as_os_str() == super::TEDDY_DIR) else {
        return Dir::open(parent);
    };
    let root: std::path::PathBuf = parts[..at].iter().collect();
    let below: std::path::PathBuf = parts[at..].iter().collect();
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root.as_path() };
    Dir::open(root)?.dir(&below)
}

/// A path that leads out, in the words of every system.
pub(crate) fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::CrossesDevices, "it leads out of the project")
}

/// Whether an error says that a path leads out of the directory.
pub(crate) fn leads_out(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::CrossesDevices
}

/// Whether this is a plain path downwards: not absolute, and nowhere up.
pub(crate) fn is_downwards(relative: &Path) -> bool {
    relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Refuses what is not a plain path downwards.
fn plain(relative: &Path) -> io::Result<()> {
    if is_downwards(relative) { Ok(()) } else { Err(outside()) }
}

#[cfg(unix)]
mod imp {
    use std::os::fd::OwnedFd;
    use std::path::PathBuf;

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
    use rustix::io::Errno;

    use super::{Component, File, Kind, Links, Path, io, outside, plain};

    const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOCTTY);
    const MAKE: OFlags = OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(NO_LINK);
    const APPEND: OFlags =
        OFlags::RDWR.union(OFlags::APPEND).union(OFlags::CREATE).union(OFlags::NONBLOCK).union(NO_LINK);
    const NO_LINK: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);

    /// An open directory.
    #[derive(Debug)]
    pub(crate) struct Dir {
        fd: OwnedFd,
        /// Where it was when it was opened, for systems that cannot keep a path inside by themselves.
        path: PathBuf,
    }

    impl Dir {
        /// Opens a directory that the person or the system named; links on the way are followed.
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            let fd = rustix::fs::openat(CWD, path, DIRECTORY, Mode::empty())?;
            Ok(Self { fd, path: path.to_path_buf() })
        }

        /// A directory below this one.
        pub(crate) fn dir(&self, relative: &Path) -> io::Result<Self> {
            let fd = self.open_inside(relative, DIRECTORY, Links::Inside)?;
            Ok(Self { fd, path: self.path.join(relative) })
        }

        /// Opens something below for reading; it need not be a regular file, so its kind has to be asked of the handle.
        pub(crate) fn file(&self, relative: &Path, links: Links) -> io::Result<File> {
            self.open_inside(relative, READ, links).map(File::from)
        }

        /// Makes a file that is not there yet.
        pub(crate) fn create_new(&self, name: &Path) -> io::Result<File> {
            Ok(rustix::fs::openat(&self.fd, name, MAKE, Mode::from_raw_mode(0o666))?.into())
        }

        /// Opens a file to append to and to read, made if it is not there; a link is refused.
        pub(crate) fn append(&self, name: &Path) -> io::Result<File> {
            Ok(rustix::fs::openat(&self.fd, name, APPEND, Mode::from_raw_mode(0o666))?.into())
        }

        /// Makes a directory that is not there yet.
        pub(crate) fn create_dir(&self, name: &Path) -> io::Result<()> {
            Ok(rustix::fs::mkdirat(&self.fd, name, Mode::from_raw_mode(0o777))?)
        }

        /// Gives something of this directory another name in it.
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

        /// Gives a file the permission bits of another.
        pub(crate) fn set_mode(file: &File, bits: u32) -> io::Result<()> {
            Ok(rustix::fs::fchmod(file, Mode::from_bits_truncate(bits as rustix::fs::RawMode))?)
        }

        /// What stands under a name; `None` if nothing does.
        pub(crate) fn kind(&self, name: &Path) -> io::Result<Option<Kind>> {
            let stat = match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => return Ok(None),
                other => other?,
            };
            Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Kind::File(permissions(stat.st_mode)),
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            }))
        }

        /// Makes a rename in this directory survive a power cut.
        pub(crate) fn sync(&self) -> io::Result<()> {
            match rustix::fs::fsync(&self.fd) {
                // Some network and user-space file systems cannot do it; the rename itself has happened.
                Err(Errno::INVAL | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
                other => Ok(other?),
            }
        }

        fn open_inside(&self, relative: &Path, flags: OFlags, links: Links) -> io::Result<OwnedFd> {
            plain(relative)?;
            let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
            match self.open_beneath(relative, flags, links) {
                Some(opened) => opened,
                None => self.open_by_steps(relative, flags, links),
            }
        }

        /// Lets the kernel keep the path inside; `None` where it cannot.
        #[cfg(target_os = "linux")]
        fn open_beneath(&self, relative: &Path, flags: OFlags, links: Links) -> Option<io::Result<OwnedFd>> {
            use rustix::fs::ResolveFlags;
            let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
            if links == Links::Refused {
                resolve |= ResolveFlags::NO_SYMLINKS;
            }
            // A rename somewhere in the tree makes the kernel ask for another try.
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
        fn open_beneath(&self, _relative: &Path, _flags: OFlags, _links: Links) -> Option<io::Result<OwnedFd>> {
            None
        }

        /// Opens every directory on the way in turn, each without following a link.
        fn open_by_steps(&self, relative: &Path, flags: OFlags, links: Links) -> io::Result<OwnedFd> {
            let resolved = match links {
                Links::Refused => relative.to_path_buf(),
                Links::Inside => {
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

    /// The permission bits; their type is not the same on every system.
    #[allow(clippy::useless_conversion)]
    fn permissions(mode: rustix::fs::RawMode) -> u32 {
        u32::from(Mode::from_raw_mode(mode).bits())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_stands_under_a_name_and_what_is_opened_there() {
            use std::io::{Read, Write};
            let outer = tempfile::tempdir().unwrap();
            let dir = Dir::open(outer.path()).unwrap();
            let name = Path::new;
            assert!(dir.kind(name("file")).unwrap().is_none());
            dir.create_new(name("file")).unwrap().write_all(b"one").unwrap();
            assert_eq!(dir.create_new(name("file")).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            Dir::set_mode(&dir.file(name("file"), Links::Refused).unwrap(), 0o640).unwrap();
            assert!(matches!(dir.kind(name("file")).unwrap(), Some(Kind::File(0o640))));
            let mut log = dir.append(name("file")).unwrap();
            log.write_all(b" two").unwrap();
            let mut text = String::new();
            dir.file(name("file"), Links::Refused).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "one two");
            std::os::unix::fs::symlink("file", outer.path().join("link")).unwrap();
            assert!(matches!(dir.kind(name("link")).unwrap(), Some(Kind::Link)));
            assert!(dir.append(name("link")).is_err() && dir.create_new(name("link")).is_err());
            dir.create_dir(name("below")).unwrap();
            assert!(matches!(dir.kind(name("below")).unwrap(), Some(Kind::Other)));
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
        fn both_ways_of_opening_agree() {
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
            for links in [Links::Refused, Links::Inside] {
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
                    let wanted = if links == Links::Refused { plain } else { through };
                    assert_eq!(dir.file(Path::new(path), links).is_ok(), wanted, "{path} {links:?}");
                    if super::super::plain(Path::new(path)).is_ok() {
                        let stepped = dir.open_by_steps(Path::new(path), READ, links);
                        assert_eq!(stepped.is_ok(), wanted, "{path} {links:?} by steps");
                    }
                }
            }
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use std::fs::{self, OpenOptions};
    use std::path::PathBuf;

    use super::{File, Kind, Links, Path, io, outside, plain};

    /// A directory; here no more than its path, whose links are looked at before every step.
    #[derive(Debug)]
    pub(crate) struct Dir {
        path: PathBuf,
    }

    impl Dir {
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            if fs::metadata(path)?.is_dir() {
                Ok(Self { path: path.to_path_buf() })
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }

        pub(crate) fn dir(&self, relative: &Path) -> io::Result<Self> {
            Self::open(&self.inside(relative, Links::Inside)?)
        }

        pub(crate) fn file(&self, relative: &Path, links: Links) -> io::Result<File> {
            File::open(self.inside(relative, links)?)
        }

        pub(crate) fn create_new(&self, name: &Path) -> io::Result<File> {
            File::create_new(self.path.join(name))
        }

        pub(crate) fn append(&self, name: &Path) -> io::Result<File> {
            OpenOptions::new().read(true).append(true).create(true).open(self.path.join(name))
        }

        pub(crate) fn create_dir(&self, name: &Path) -> io::Result<()> {
            fs::create_dir(self.path.join(name))
        }

        pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            fs::rename(self.path.join(from), self.path.join(to))
        }

        pub(crate) fn remove_file(&self, name: &Path) -> io::Result<()> {
            fs::remove_file(self.path.join(name))
        }

        pub(crate) fn remove_dir(&self, name: &Path) -> io::Result<()> {
            fs::remove_dir(self.path.join(name))
        }

        #[allow(clippy::unnecessary_wraps)]
        pub(crate) fn set_mode(_file: &File, _bits: u32) -> io::Result<()> {
            Ok(())
        }

        pub(crate) fn kind(&self, name: &Path) -> io::Result<Option<Kind>> {
            match fs::symlink_metadata(self.path.join(name)) {
                Ok(meta) if meta.is_file() => Ok(Some(Kind::File(0))),
                Ok(meta) if meta.is_symlink() => Ok(Some(Kind::Link)),
                Ok(_) => Ok(Some(Kind::Other)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }

        #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
        pub(crate) fn sync(&self) -> io::Result<()> {
            Ok(())
        }

        fn inside(&self, relative: &Path, links: Links) -> io::Result<PathBuf> {
            plain(relative)?;
            let (root, wanted) = (self.path.canonicalize()?, self.path.join(relative));
            let real = wanted.canonicalize()?;
            if !real.starts_with(&root) || (links == Links::Refused && real != root.join(relative)) {
                return Err(outside());
            }
            Ok(real)
        }
    }
}
