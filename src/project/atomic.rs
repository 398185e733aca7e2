//! The one way to write: a file is its old self or its new self, whatever happens in between.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::dir_handle::{self, Dir, Kind};
use super::files::process_runs;
use crate::error::{Error, Result};

/// How many temporary names are tried before giving up; more than one is needed only when threads write the same file.
const ATTEMPTS: u32 = 1000;

/// Replaces the contents of `path` in one step: temporary file beside it, length check, fsync, rename, directory fsync.
///
/// The permission bits of an existing file stay. A symlink at `path` is replaced, not followed; anything else that is
/// not a regular file is refused. On error the temporary file is removed and `path` is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    stage(&[(path, bytes)])?.commit()
}

/// Writes every file under a temporary name beside its place, so that a full disk is known before anything is replaced.
pub fn stage(files: &[(&Path, &[u8])]) -> Result<Staged> {
    let mut staged = Staged { waiting: Vec::with_capacity(files.len()) };
    for (path, bytes) in files {
        let failed = |error| Error::io("write", path, error);
        let name = file_name(path)?;
        let dir = dir_handle::parent(path).map_err(failed)?;
        let existing = existing_file(&dir, path, name)?;
        let (temp, file) = with_free_name(path, |temp| dir.create_new(temp))?;
        staged.waiting.push(Waiting { dir, temp, path: path.to_path_buf() });
        fill(file, bytes, existing).map_err(failed)?;
    }
    Ok(staged)
}

/// Files that are written and wait to take their places; dropped, they are gone without a trace.
#[derive(Debug)]
#[must_use]
pub struct Staged {
    waiting: Vec<Waiting>,
}

/// A file under its temporary name, and the place it is for.
#[derive(Debug)]
struct Waiting {
    /// The directory of both, held open: whatever becomes of its path, the file stays in it.
    dir: Dir,
    temp: PathBuf,
    path: PathBuf,
}

impl Staged {
    /// Puts every file into its place, in order.
    pub fn commit(mut self) -> Result<()> {
        while !self.waiting.is_empty() {
            let Waiting { dir, temp, path } = self.waiting.remove(0);
            let failed = |error| Error::io("write", &path, error);
            if let Err(error) = dir.rename(&temp, file_name(&path)?) {
                let _ = dir.remove_file(&temp);
                return Err(failed(error));
            }
            dir.sync().map_err(failed)?;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for waiting in &self.waiting {
            // The error that brought us here is the one to tell; what is left behind is swept at the next start.
            let _ = waiting.dir.remove_file(&waiting.temp);
        }
    }
}

/// Gives the file at `path` the name of `aside`, which is beside it, in one step; what had that name is replaced.
pub fn set_aside(path: &Path, aside: &Path) -> Result<()> {
    let failed = |error| Error::io("rename", path, error);
    let dir = dir_handle::parent(path).map_err(failed)?;
    dir.rename(file_name(path)?, file_name(aside)?).and_then(|()| dir.sync()).map_err(failed)
}

/// Makes the directory `parent/name` with `files` in it, all or nothing; fails with `AlreadyExists` if it is there.
pub fn create_dir(parent: &Path, name: &str, files: &[(&str, Vec<u8>)]) -> Result<PathBuf> {
    let target = parent.join(name);
    let failed = |error| Error::io("create", &target, error);
    let taken = || failed(io::Error::from(io::ErrorKind::AlreadyExists));
    let holder = dir_handle::parent(&target).map_err(failed)?;
    let place = file_name(&target)?;
    if holder.kind(place).map_err(failed)?.is_some() {
        return Err(taken());
    }
    let (temp, ()) = with_free_name(&target, |temp| holder.create_dir(temp))?;
    let filled = holder
        .dir(&temp)
        .and_then(|dir| {
            files.iter().try_for_each(|(file, bytes)| fill(dir.create_new(Path::new(file))?, bytes, None))?;
            dir.sync()
        })
        .and_then(|()| holder.rename(&temp, place));
    if let Err(error) = filled {
        take_back(&holder, &temp, files);
        // Another teddy was faster: a rename onto a directory with something in it fails in a way of its own.
        return Err(if holder.kind(place).is_ok_and(|kind| kind.is_some()) { taken() } else { failed(error) });
    }
    holder.sync().map_err(failed)?;
    Ok(target)
}

/// Removes the directory `dir` with everything in it: out of sight at once, so that nobody finds half of it.
pub fn remove_dir(dir: &Path) -> Result<()> {
    let failed = |error| Error::io("delete", dir, error);
    let (holder, place) = (dir_handle::parent(dir).map_err(failed)?, file_name(dir)?);
    // An empty directory holds the name until the rename replaces it.
    let (temp, ()) = with_free_name(dir, |temp| holder.create_dir(temp))?;
    holder.remove_dir(&temp).and_then(|()| holder.rename(Path::new(place), &temp)).map_err(failed)?;
    fs::remove_dir_all(dir.with_file_name(&temp)).map_err(|error| {
        // Whatever cannot go stays where it can be found.
        let _ = holder.rename(&temp, place);
        failed(error)
    })?;
    holder.sync().map_err(failed)
}

/// Removes a directory that was being filled.
fn take_back(holder: &Dir, temp: &Path, files: &[(&str, Vec<u8>)]) {
    if let Ok(dir) = holder.dir(temp) {
        for (file, _) in files {
            let _ = dir.remove_file(Path::new(file));
        }
    }
    let _ = holder.remove_dir(temp);
}

/// Appends `line` and a newline to the file at `path` in one write; a torn last line is ended first.
///
/// The file is locked meanwhile, so that a failure can take back its own half of a line and nobody else's.
pub fn append_line(path: &Path, line: &str) -> Result<()> {
    if line.contains(['\n', '\r']) {
        return Err(Error::input("a log line cannot hold a line break", "escape it"));
    }
    let failed = |error| Error::io("append to", path, error);
    let name = file_name(path)?;
    let dir = dir_handle::parent(path).map_err(failed)?;
    let fresh = existing_file(&dir, path, name)?.is_none();
    let mut file = dir.append(name).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(not_regular(path));
    }
    match file.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(failed(error)),
        _ => {}
    }
    let length = file.metadata().map_err(failed)?.len();
    let text = match last_byte(&mut file, length).map_err(failed)? {
        None | Some(b'\n') => format!("{line}\n"),
        Some(_) => format!("\n{line}\n"),
    };
    let appended = match file.write(text.as_bytes()) {
        Ok(count) if count == text.len() => file.sync_data(),
        Ok(_) => Err(io::Error::from(io::ErrorKind::StorageFull)),
        Err(error) => Err(error),
    };
    appended.map_err(|error| {
        let _ = file.set_len(length);
        if fresh && length == 0 {
            let _ = dir.remove_file(name);
        }
        failed(error)
    })
}

/// Removes the temporary files and directories that dead processes left in `dir`; says which.
pub fn sweep(dir: &Path) -> Vec<PathBuf> {
    sweep_if(dir, |_| true)
}

/// The same for those that stood for `path` alone: its directory may not be ours.
pub fn sweep_beside(path: &Path) -> Vec<PathBuf> {
    let name = temp_name(path, 0);
    let name = name.to_string_lossy();
    let stem = name.strip_suffix(&format!("{}.tmp", std::process::id())).unwrap_or(&name);
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    sweep_if(dir, |found| found.starts_with(stem))
}

fn sweep_if(dir: &Path, ours: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut gone = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().filter(|name| ours(name)).and_then(temp_owner) else { continue };
        let Ok(meta) = entry.metadata() else { continue };
        if pid == std::process::id() || process_runs(pid, &meta) {
            continue;
        }
        let path = entry.path();
        let removed = if meta.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        if removed.is_ok() {
            gone.push(path);
        }
    }
    gone.sort();
    gone
}

/// Which process made the temporary file of this name; `None` if it is no temporary file of ours.
fn temp_owner(name: &str) -> Option<u32> {
    let (stem, owner) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let pid = owner.split_once('-').map_or(owner, |(pid, _)| pid);
    let all_digits = !pid.is_empty() && pid.bytes().all(|b| b.is_ascii_digit());
    if stem.is_empty() || !all_digits { None } else { pid.parse().ok() }
}

/// The `attempt`th temporary name for `path`, short enough for any file system.
fn temp_name(path: &Path, attempt: u32) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem: String = name.chars().take(50).collect();
    let pid = std::process::id();
    let again = if attempt == 0 { String::new() } else { format!("-{attempt}") };
    PathBuf::from(format!(".{stem}.{pid}{again}.tmp"))
}

/// The last part of `path`.
fn file_name(path: &Path) -> Result<&Path> {
    let missing = || Error::input(format!("`{}` does not name a file", path.display()), "add a file name");
    path.file_name().map(Path::new).ok_or_else(missing)
}

/// Calls `make` with temporary names for `path` until one is free.
fn with_free_name<T>(path: &Path, make: impl Fn(&Path) -> io::Result<T>) -> Result<(PathBuf, T)> {
    let mut attempt = 0;
    loop {
        let temp = temp_name(path, attempt);
        match make(&temp) {
            Ok(handle) => return Ok((temp, handle)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(Error::io("write", path, error)),
        }
    }
}

/// Writes `bytes`, checks that they arrived and makes them durable.
fn fill(mut file: File, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        Dir::set_mode(&file, mode)?;
    }
    file.sync_all()?;
    if file.metadata()?.len() == bytes.len() as u64 { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// What a write to `path` will replace: the permission bits of a regular file, or nothing whose permissions matter.
fn existing_file(dir: &Dir, path: &Path, name: &Path) -> Result<Option<u32>> {
    match dir.kind(name).map_err(|error| Error::io("write", path, error))? {
        Some(Kind::File(mode)) => Ok(Some(mode)),
        Some(Kind::Link) | None => Ok(None),
        Some(Kind::Other) => Err(not_regular(path)),
    }
}

/// A directory, a pipe or a device is in the way.
fn not_regular(path: &Path) -> Error {
    Error::input(format!("{} is not a regular file", path.display()), "name another path or move it away")
}

/// The last byte of a file of this length.
fn last_byte(file: &mut File, length: u64) -> io::Result<Option<u8>> {
    if length == 0 {
        return Ok(None);
    }
    let mut byte = [0];
    file.seek(SeekFrom::Start(length - 1))?;
    file.read_exact(&mut byte)?;
    Ok(Some(byte[0]))
}

/// Tries to lock `file` for this process alone; `false` if somebody else has it.
pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
#[path = "atomic_tests.rs"]
mod tests;
