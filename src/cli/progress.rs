//! A progress line on standard error, in a terminal only.

use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::print::terminal_width;
use crate::app::run_inputs::ScanObserver;
use crate::gather::progress::{ScannedFile, WalkObserver};
use crate::text::{fit_middle, thousands};

/// Delay before the line is shown.
const DELAY: Duration = Duration::from_millis(300);
/// Interval between updates.
const INTERVAL: Duration = Duration::from_millis(100);
/// Width of the bar.
const BAR: usize = 24;

/// A progress line, which is cleared when dropped.
pub struct Progress {
    shared: Arc<ProgressState>,
    drawing: Option<JoinHandle<()>>,
}

struct ProgressState {
    what: Mutex<String>,
    done: AtomicUsize,
    /// The total, or 0 if it is unknown.
    of: AtomicUsize,
    /// True if the total is an estimate.
    about: AtomicBool,
    ended: AtomicBool,
}

impl Progress {
    /// Starts a line; nothing is drawn unless standard error is a terminal.
    pub fn begin(what: &str, of: usize) -> Self {
        let shared = Arc::new(ProgressState {
            what: Mutex::new(what.to_owned()),
            done: AtomicUsize::new(0),
            of: AtomicUsize::new(of),
            about: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        });
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let drawing = (std::io::stderr().is_terminal() && !dumb).then(|| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || draw(&shared))
        });
        Self { shared, drawing }
    }

    /// Like [`Progress::begin`], with a total that is an estimate.
    fn begin_about(what: &str, of: usize) -> Self {
        let line = Self::begin(what, of);
        line.shared.about.store(true, Ordering::Relaxed);
        line
    }

    /// Starts another step. A total of 0 means that it is unknown.
    pub fn step(&self, what: &str, of: usize) {
        self.shared.about.store(false, Ordering::Relaxed);
        what.clone_into(&mut self.shared.what.lock().unwrap_or_else(PoisonError::into_inner));
        self.shared.of.store(of, Ordering::Relaxed);
        self.shared.done.store(0, Ordering::Relaxed);
    }

    /// Sets the count and the total.
    pub fn set(&self, done: usize, of: usize) {
        self.shared.of.store(of, Ordering::Relaxed);
        self.shared.done.store(done, Ordering::Relaxed);
    }

    /// Adds to the count.
    pub fn add(&self, more: usize) {
        self.shared.done.fetch_add(more, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(drawing) = self.drawing.take() {
            drawing.thread().unpark();
            let _ = drawing.join();
        }
    }
}

/// The progress line of a scan, which starts with the first file.
#[derive(Default)]
pub struct ScanProgress {
    line: OnceLock<Progress>,
}

impl WalkObserver for ScanProgress {
    fn files_read(&self, files: Vec<ScannedFile>) {
        if let Some(line) = self.line.get() {
            line.add(files.len());
        }
    }

    fn should_continue(&self) -> bool {
        true
    }
}

impl ScanObserver for ScanProgress {
    fn reading(&self, root: &Path) {
        self.line.get_or_init(|| Progress::begin_about("reading files", files_in(root)));
    }

    fn scoring(&self) {
        if let Some(line) = self.line.get() {
            line.step("scoring", 0);
        }
    }

    fn step(&self, what: &str, parts: usize) {
        if let Some(line) = self.line.get() {
            line.step(what, parts);
        }
    }

    fn advance(&self, parts: usize) {
        if let Some(line) = self.line.get() {
            line.add(parts);
        }
    }
}

fn draw(shared: &ProgressState) {
    let mut drawn = false;
    let mut wait = DELAY;
    while !shared.ended.load(Ordering::Acquire) {
        std::thread::park_timeout(wait);
        if shared.ended.load(Ordering::Acquire) {
            break;
        }
        let what = shared.what.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (done, of) = (shared.done.load(Ordering::Relaxed), shared.of.load(Ordering::Relaxed));
        let about = shared.about.load(Ordering::Relaxed);
        let line = line(&what, done, (of, about), terminal_width().saturating_sub(1));
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        let _ = std::io::stderr().flush();
        (drawn, wait) = (true, INTERVAL);
    }
    if drawn {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// Text of the line: a bar if the total is known, at least approximately, otherwise a count.
fn line(what: &str, done: usize, (of, about): (usize, bool), width: usize) -> String {
    let text = match (done, of) {
        (0, 0) => format!("{what} …"),
        (done, 0) => format!("{what} … {}", thousands(done)),
        (done, of) => {
            let full = (done * BAR / of).min(BAR);
            format!(
                "[{}{}] {what} {} of {}{}",
                "#".repeat(full),
                ".".repeat(BAR - full),
                thousands(done),
                if about { "about " } else { "" },
                thousands(of)
            )
        }
    };
    fit_middle(&text, width).into_owned()
}

/// The approximate number of files, according to the header of git's index; 0 without an index.
fn files_in(root: &Path) -> usize {
    let mut head = [0; 12];
    let index = root.join(".git/index");
    // Opening a named pipe would block.
    if !std::fs::symlink_metadata(&index).is_ok_and(|found| found.is_file()) {
        return 0;
    }
    let read = std::fs::File::open(index).and_then(|mut file| file.read_exact(&mut head));
    if read.is_err() || &head[..4] != b"DIRC" {
        return 0;
    }
    u32::from_be_bytes([head[8], head[9], head[10], head[11]]) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_a_bar_or_a_count() {
        assert_eq!(line("scoring", 0, (0, false), 80), "scoring …");
        assert_eq!(line("reading", 1_200, (0, true), 80), "reading … 1,200");
        assert_eq!(line("reading", 600, (1_200, true), 80), "[############............] reading 600 of about 1,200");
        assert_eq!(line("measuring", 50, (100, false), 80), "[############............] measuring 50 of 100");
        // There may be more files than in the index, because not all files are in git.
        assert!(line("reading", 2_000, (1_200, true), 80).starts_with("[########################] "));
        assert!(line("reading", 2_000, (1_200, true), 30).chars().count() <= 30);
    }

    #[test]
    fn the_number_of_files_is_read_from_the_index() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(files_in(dir.path()), 0);
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        std::fs::write(dir.path().join(".git/index"), b"DIRC\0\0\0\x02\0\0\x01\x02rest").unwrap();
        assert_eq!(files_in(dir.path()), 258);
        std::fs::write(dir.path().join(".git/index"), b"no index at all").unwrap();
        assert_eq!(files_in(dir.path()), 0);
    }
}
