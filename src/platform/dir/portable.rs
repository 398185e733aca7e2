//! Paths instead of handles, for systems without `openat`. Links are checked before every operation.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;

use super::{EntryKind, File, LinkPolicy, Path, io, outside, plain};

/// A directory path.
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
        Self::open(&self.inside(relative, LinkPolicy::Inside)?)
    }

    pub(crate) fn file(&self, relative: &Path, links: LinkPolicy) -> io::Result<File> {
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

    pub(crate) fn kind(&self, name: &Path) -> io::Result<Option<EntryKind>> {
        match fs::symlink_metadata(self.path.join(name)) {
            Ok(meta) if meta.is_file() => Ok(Some(EntryKind::File(0))),
            Ok(meta) if meta.is_symlink() => Ok(Some(EntryKind::Link)),
            Ok(_) => Ok(Some(EntryKind::Other)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn inside(&self, relative: &Path, links: LinkPolicy) -> io::Result<PathBuf> {
        plain(relative)?;
        let (root, wanted) = (self.path.canonicalize()?, self.path.join(relative));
        let real = wanted.canonicalize()?;
        if !real.starts_with(&root) || (links == LinkPolicy::Refused && real != root.join(relative)) {
            return Err(outside());
        }
        Ok(real)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn entries_are_created_renamed_and_removed() {
        let outer = tempfile::tempdir().unwrap();
        let dir = Dir::open(outer.path()).unwrap();
        let name = Path::new;
        assert!(dir.kind(name("file")).unwrap().is_none());
        dir.create_new(name("file")).unwrap().write_all(b"one").unwrap();
        assert_eq!(dir.create_new(name("file")).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        Dir::set_mode(&dir.file(name("file"), LinkPolicy::Refused).unwrap(), 0o600).unwrap();
        assert!(matches!(dir.kind(name("file")).unwrap(), Some(EntryKind::File(0))));
        dir.append(name("file")).unwrap().write_all(b" two").unwrap();
        let mut text = String::new();
        dir.file(name("./file"), LinkPolicy::Refused).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two");
        dir.create_dir(name("below")).unwrap();
        assert!(matches!(dir.kind(name("below")).unwrap(), Some(EntryKind::Other)));
        assert!(dir.dir(name("file")).is_err() && dir.dir(name("below")).is_ok());
        assert!(dir.file(name("../file"), LinkPolicy::Inside).is_err());
        dir.rename(name("file"), name("below/moved")).unwrap();
        assert!(dir.remove_dir(name("below")).is_err());
        dir.remove_file(name("below/moved")).unwrap();
        dir.remove_dir(name("below")).unwrap();
        dir.sync().unwrap();
        assert!(dir.kind(name("below")).unwrap().is_none());
    }
}
