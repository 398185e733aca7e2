//! One lock for each session. The operating system releases it when the process ends, so it is never stale.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::atomic::try_lock;
use super::files::not_regular;
use super::files::open_parent;
use crate::error::{Error, Result};

/// Name of the lock file in a session's directory.
pub const LOCK_FILE: &str = ".lock";
/// Name of the lock file that the interactive screen holds while the session is open, even read-only.
const SCREEN_FILE: &str = ".screen";

/// Number of attempts to acquire a lock, or to read its owner.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// Exclusive access to a session; released on drop.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Acquires the lock of the session in `session_dir`; the error names the process that holds it.
    pub fn acquire(session_dir: &Path) -> Result<Self> {
        let path = session_dir.join(LOCK_FILE);
        let mut file = open(&path)?;
        // A lock that was just released may still be held for a moment, if a new process has inherited the open file
        // and has not closed it yet.
        for _ in 0..ATTEMPTS {
            if try_lock(&file).map_err(|e| Error::io("lock", &path, e))? {
                note_owner(&mut file);
                return Ok(Self { _file: file });
            }
            std::thread::sleep(PAUSE);
        }
        let session = session_dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Err(Error::Locked { session, pid: owner(&mut file) })
    }

    /// Waits for the lock in `dir`. Only for short changes, such as adding a memo.
    pub fn wait(dir: &Path) -> Result<Self> {
        let path = dir.join(LOCK_FILE);
        let mut file = open(&path)?;
        file.lock().map_err(|e| Error::io("lock", &path, e))?;
        note_owner(&mut file);
        Ok(Self { _file: file })
    }
}

/// Tells other processes that a screen shows the session, until it is dropped.
#[derive(Debug)]
pub struct ScreenPresence {
    path: PathBuf,
    _file: File,
}

impl ScreenPresence {
    /// Registers this process as the screen of a session. `None` if another screen shows it, or on a read-only
    /// file system.
    pub fn register(session_dir: &Path) -> Option<Self> {
        let path = session_dir.join(SCREEN_FILE);
        let file = open(&path).ok()?;
        // Another process may be looking for a screen at this moment.
        for _ in 0..ATTEMPTS {
            if try_lock(&file).ok()? {
                return Some(Self { path, _file: file });
            }
            std::thread::sleep(PAUSE);
        }
        None
    }
}

impl Drop for ScreenPresence {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Returns true if a screen of any process shows the session in this directory.
pub fn screen_is_open(session_dir: &Path) -> bool {
    let path = session_dir.join(SCREEN_FILE);
    path.is_file() && open(&path).is_ok_and(|file| matches!(try_lock(&file), Ok(false)))
}

/// Opens or creates the lock file. Refuses a symlink, because the file is written to.
fn open(path: &Path) -> Result<File> {
    let failed = |error| Error::io("lock", path, error);
    let file = open_parent(path)
        .and_then(|dir| dir.append(Path::new(path.file_name().unwrap_or_default())))
        .map_err(failed)?;
    if file.metadata().map_err(failed)?.is_file() {
        return Ok(file);
    }
    Err(not_regular(path))
}

/// Records the owner's process id for error messages. The lock works without it, so a full disk is not an error.
fn note_owner(file: &mut File) {
    let pid = format!("{}\n", std::process::id());
    let _ = file.rewind().and_then(|()| file.set_len(0)).and_then(|()| file.write_all(pid.as_bytes()));
}

/// Process id of the lock's owner, or 0 if it is unknown. Waits a moment, because the owner may have just taken the
/// lock.
fn owner(file: &mut File) -> u32 {
    for _ in 0..ATTEMPTS {
        let mut text = String::new();
        let read = file.rewind().and_then(|()| file.take(20).read_to_string(&mut text));
        if let (Ok(_), Ok(pid)) = (read, text.trim().parse()) {
            return pid;
        }
        std::thread::sleep(PAUSE);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_lock_is_exclusive_until_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let session = dir.path().join("20260124-x");
        fs::create_dir(&session).unwrap();
        let first = Lock::acquire(&session).unwrap();
        let Err(Error::Locked { session: name, pid }) = Lock::acquire(&session) else { panic!("two locks at once") };
        assert_eq!((name.as_str(), pid), ("20260124-x", std::process::id()));
        drop(first);
        Lock::acquire(&session).unwrap();
    }

    #[test]
    fn a_screen_is_open_until_its_presence_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!screen_is_open(dir.path()));
        let screen = ScreenPresence::register(dir.path()).unwrap();
        assert!(screen_is_open(dir.path()));
        let _lock = Lock::acquire(dir.path()).unwrap();
        drop(screen);
        assert!(!screen_is_open(dir.path()));
        // A file that a killed process left is not locked.
        fs::write(dir.path().join(SCREEN_FILE), "").unwrap();
        assert!(!screen_is_open(dir.path()));
    }

    #[test]
    fn a_dead_process_leaves_no_lock() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(LOCK_FILE), "999999999 and a long rest of something\n").unwrap();
        let _lock = Lock::acquire(dir.path()).unwrap();
        assert_eq!(fs::read_to_string(dir.path().join(LOCK_FILE)).unwrap(), format!("{}\n", std::process::id()));
    }

    #[test]
    fn waiting_acquires_the_lock_eventually() {
        let dir = tempfile::tempdir().unwrap();
        let count = dir.path().join("count");
        fs::write(&count, "0").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let _lock = Lock::wait(dir.path()).unwrap();
                        let n: u32 = fs::read_to_string(&count).unwrap().parse().unwrap();
                        fs::write(&count, (n + 1).to_string()).unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&count).unwrap(), "100");
    }

    #[test]
    fn a_missing_session_is_an_io_error() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Lock::acquire(&dir.path().join("missing")).unwrap_err().exit_code(), 3);
    }

    #[test]
    fn only_regular_files_can_be_locked() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(LOCK_FILE)).unwrap();
        assert!(Lock::acquire(dir.path()).is_err() && Lock::wait(dir.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_is_not_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let precious = dir.path().join("precious");
        fs::write(&precious, "keep").unwrap();
        std::os::unix::fs::symlink(&precious, dir.path().join(LOCK_FILE)).unwrap();
        assert!(Lock::acquire(dir.path()).is_err());
        assert_eq!(fs::read_to_string(&precious).unwrap(), "keep");
    }
}
