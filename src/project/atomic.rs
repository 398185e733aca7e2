//! Atomic writes: after a crash, a file has either its old or its new contents.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::files::open_parent;
use crate::error::{Error, Result};
use crate::platform::dir::{Dir, EntryKind};
use crate::platform::processes::process_runs;

/// Maximum number of temporary names to try. More than one is needed only if several threads write the same file.
const ATTEMPTS: u32 = 1000;

/// Replaces the contents of `path` atomically: temporary file, length check, fsync, rename, directory fsync.
///
/// Keeps the permission bits of an existing file. A symlink at `path` is replaced, not followed; anything else that is
/// not a regular file is an error. On error the temporary file is removed and `path` is unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    stage(&[(path, bytes)])?.commit()
}

/// Writes every file under a temporary name first, so that a full disk is noticed before anything is replaced.
pub fn stage(files: &[(&Path, &[u8])]) -> Result<StagedWrites> {
    let mut staged = StagedWrites { waiting: Vec::with_capacity(files.len()) };
    for (path, bytes) in files {
        let failed = |error| Error::io("write", path, error);
        let name = file_name(path)?;
        let dir = open_parent(path).map_err(failed)?;
        let existing = existing_file(&dir, path, name)?;
        let (temp, file) = with_free_name(path, |temp| dir.create_new(temp))?;
        staged.waiting.push(StagedFile { dir, temp, path: path.to_path_buf() });
        fill(file, bytes, existing).map_err(failed)?;
    }
    Ok(staged)
}

/// Files written under temporary names, ready to be renamed. Dropping it removes them.
#[derive(Debug)]
#[must_use]
pub struct StagedWrites {
    waiting: Vec<StagedFile>,
}

/// A file under its temporary name, and its target.
#[derive(Debug)]
struct StagedFile {
    /// The directory of both files, kept open so that renaming the directory has no effect.
    dir: Dir,
    temp: PathBuf,
    path: PathBuf,
}

impl StagedWrites {
    /// Renames every file to its target, in order.
    pub fn commit(mut self) -> Result<()> {
        while !self.waiting.is_empty() {
            let StagedFile { dir, temp, path } = self.waiting.remove(0);
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

impl Drop for StagedWrites {
    fn drop(&mut self) {
        for waiting in &self.waiting {
            // The original error matters more. Temporary files that remain are removed at the next start.
            let _ = waiting.dir.remove_file(&waiting.temp);
        }
    }
}

/// Renames `path` to `aside` in the same directory, replacing it.
pub fn set_aside(path: &Path, aside: &Path) -> Result<()> {
    let failed = |error| Error::io("rename", path, error);
    let dir = open_parent(path).map_err(failed)?;
    dir.rename(file_name(path)?, file_name(aside)?).and_then(|()| dir.sync()).map_err(failed)
}

/// Creates the directory `parent/name` with `files` atomically; fails with `AlreadyExists` if it exists.
pub fn create_dir(parent: &Path, name: &str, files: &[(&str, Vec<u8>)]) -> Result<PathBuf> {
    let target = parent.join(name);
    let failed = |error| Error::io("create", &target, error);
    let taken = || failed(io::Error::from(io::ErrorKind::AlreadyExists));
    let holder = open_parent(&target).map_err(failed)?;
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
        undo_init(&holder, &temp, files);
        // Another process was faster. Renaming to a directory that is not empty gives a different error.
        return Err(if holder.kind(place).is_ok_and(|kind| kind.is_some()) { taken() } else { failed(error) });
    }
    holder.sync().map_err(failed)?;
    Ok(target)
}

/// Removes `dir` recursively. It is renamed first, so that no other process sees it half deleted.
pub fn remove_dir(dir: &Path) -> Result<()> {
    let failed = |error| Error::io("delete", dir, error);
    let (holder, place) = (open_parent(dir).map_err(failed)?, file_name(dir)?);
    // An empty directory reserves the name until the rename replaces it.
    let (temp, ()) = with_free_name(dir, |temp| holder.create_dir(temp))?;
    holder.remove_dir(&temp).and_then(|()| holder.rename(Path::new(place), &temp)).map_err(failed)?;
    fs::remove_dir_all(dir.with_file_name(&temp)).map_err(|error| {
        // Restores the name if the directory cannot be removed.
        let _ = holder.rename(&temp, place);
        failed(error)
    })?;
    holder.sync().map_err(failed)
}

/// Removes an incomplete directory.
fn undo_init(holder: &Dir, temp: &Path, files: &[(&str, Vec<u8>)]) {
    if let Ok(dir) = holder.dir(temp) {
        for (file, _) in files {
            let _ = dir.remove_file(Path::new(file));
        }
    }
    let _ = holder.remove_dir(temp);
}

/// Appends `line` and a newline to `path` in one write. Ends an incomplete last line first.
///
/// The file is locked, so that a failed write can be undone by truncating the file without losing a line of another
/// process.
pub fn append_line(path: &Path, line: &str) -> Result<()> {
    if line.contains(['\n', '\r']) {
        return Err(Error::input("a log line cannot contain a line break", "escape it"));
    }
    let failed = |error| Error::io("append to", path, error);
    let name = file_name(path)?;
    let dir = open_parent(path).map_err(failed)?;
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

/// Removes temporary files and directories in `dir` whose process no longer runs; returns their paths.
pub fn sweep(dir: &Path) -> Vec<PathBuf> {
    sweep_if(dir, |_| true)
}

/// Removes only temporary files for `path`, in a directory that does not belong to teddy.
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

/// Process id in the name of a temporary file; `None` for other files.
fn temp_owner(name: &str) -> Option<u32> {
    let (stem, owner) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let pid = owner.split_once('-').map_or(owner, |(pid, _)| pid);
    let all_digits = !pid.is_empty() && pid.bytes().all(|b| b.is_ascii_digit());
    if stem.is_empty() || !all_digits { None } else { pid.parse().ok() }
}

/// Temporary name number `attempt` for `path`, short enough for any file system.
fn temp_name(path: &Path, attempt: u32) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem: String = name.chars().take(50).collect();
    let pid = std::process::id();
    let again = if attempt == 0 { String::new() } else { format!("-{attempt}") };
    PathBuf::from(format!(".{stem}.{pid}{again}.tmp"))
}

/// Last component of `path`.
fn file_name(path: &Path) -> Result<&Path> {
    let missing = || Error::input(format!("`{}` does not name a file", path.display()), "add a file name");
    path.file_name().map(Path::new).ok_or_else(missing)
}

/// Calls `make` with temporary names for `path` until one is unused.
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

/// Writes `bytes`, checks the length and syncs the file.
fn fill(mut file: File, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        Dir::set_mode(&file, mode)?;
    }
    file.sync_all()?;
    if file.metadata()?.len() == bytes.len() as u64 { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// Permission bits of the regular file at `path`, if it exists; an error if `path` is something else.
fn existing_file(dir: &Dir, path: &Path, name: &Path) -> Result<Option<u32>> {
    match dir.kind(name).map_err(|error| Error::io("write", path, error))? {
        Some(EntryKind::File(mode)) => Ok(Some(mode)),
        Some(EntryKind::Link) | None => Ok(None),
        Some(EntryKind::Other) => Err(not_regular(path)),
    }
}

/// Error for a directory, pipe or device at a file's path.
fn not_regular(path: &Path) -> Error {
    Error::input(format!("{} is not a regular file", path.display()), "use another path or move it aside")
}

/// Reads the last byte of a file of this length.
fn last_byte(file: &mut File, length: u64) -> io::Result<Option<u8>> {
    if length == 0 {
        return Ok(None);
    }
    let mut byte = [0];
    file.seek(SeekFrom::Start(length - 1))?;
    file.read_exact(&mut byte)?;
    Ok(Some(byte[0]))
}

/// Tries to lock `file` exclusively; `false` if another process holds the lock.
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
