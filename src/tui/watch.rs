//! Watches for changes by other programs: project files, `.context` lists, memos, a checkout.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant, SystemTime};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::UnboundedSender;

use super::message::Message;
use crate::app::backend::Backend;
use crate::project::{agent_requests, approvals};

/// Changes within this time are combined into one message.
const QUIET: Duration = Duration::from_millis(250);
/// Maximum wait for changes to end, so that a file that changes constantly does not hide others.
const LONGEST: Duration = Duration::from_secs(1);
/// Pause between two reports about the same file; it doubles while the file keeps changing.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Maximum number of directories to watch.
const MOST_DIRECTORIES: usize = 20_000;

#[derive(Default)]
struct WatchedPaths {
    watcher: Option<RecommendedWatcher>,
    directories: HashSet<PathBuf>,
    files: HashSet<String>,
}

/// A message about changed files.
enum Signal {
    Event(Event),
    /// Files that changed before they were watched.
    Missed(Vec<String>),
}

/// Watches only directories with project files, so that builds and caches cause no events.
pub struct Watch {
    state: Arc<Mutex<WatchedPaths>>,
    signals: mpsc::Sender<Signal>,
}

impl Watch {
    pub fn new(backend: Arc<dyn Backend>, to: UnboundedSender<Message>) -> Self {
        let (signals, inbox) = mpsc::channel::<Signal>();
        let events = signals.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if let Ok(event) = event
                && is_change(event.kind)
            {
                let _ = events.send(Signal::Event(event));
            }
        });
        let state = Arc::new(Mutex::new(WatchedPaths { watcher: watcher.ok(), ..WatchedPaths::default() }));
        let shared = Arc::downgrade(&state);
        std::thread::spawn(move || {
            let mut pending = PendingChanges::default();
            // Ends when the watcher, and with it the sender, is dropped.
            while let Ok(first) = next_signal(&inbox, pending.next_report()) {
                let signals = first.map_or_else(Vec::new, |first| collect_signals(first, &inbox));
                let mut events = Vec::new();
                for signal in signals {
                    match signal {
                        Signal::Event(event) => events.push(event),
                        Signal::Missed(paths) => pending.add(paths),
                    }
                }
                if !events.is_empty() {
                    let Some(state) = shared.upgrade() else { return };
                    let known = state.lock().unwrap_or_else(PoisonError::into_inner).files.clone();
                    pending.add(relevant(&backend, &known, &events));
                }
                let paths = pending.take(Instant::now());
                if !paths.is_empty() && to.send(Message::Changed(paths)).is_err() {
                    return;
                }
                let agents = events.iter().flat_map(|event| &event.paths).any(|path| is_agent_request(path));
                if agents && to.send(Message::AgentActivity).is_err() {
                    return;
                }
            }
        });
        Self { state, signals }
    }

    /// Reports files that changed before they were watched.
    pub fn report(&self, missed: Vec<String>) {
        let _ = self.signals.send(Signal::Missed(missed));
    }

    /// Starts watching the directories of these files.
    pub fn arm<'a>(&self, root: &Path, files: impl Iterator<Item = &'a str>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.files = files.map(ToOwned::to_owned).collect();
        let mut directories: HashSet<PathBuf> =
            HashSet::from([root.to_path_buf(), root.join(".teddy"), root.join(".git")]);
        for file in &state.files {
            let parents = Path::new(file).ancestors().skip(1);
            directories.extend(parents.map(|parent| root.join(parent)));
        }
        for session in crate::project::subdirectories(&root.join(".teddy/sessions")) {
            directories.extend(crate::project::subdirectories(&session));
            directories.insert(session);
        }
        if directories.len() > MOST_DIRECTORIES {
            directories.retain(|directory| directory.components().count() <= root.components().count() + 2);
        }
        let WatchedPaths { watcher: Some(watcher), directories: armed, .. } = &mut *state else { return };
        for gone in armed.difference(&directories) {
            let _ = watcher.unwatch(gone);
        }
        for new in directories.difference(armed) {
            // Changes in a directory that cannot be watched become visible after a rescan (R).
            let _ = watcher.watch(new, RecursiveMode::NonRecursive);
        }
        *armed = directories;
    }
}

/// Returns true for a file that records the requests of agents, or that asks the person for permission.
fn is_agent_request(path: &Path) -> bool {
    agent_requests::is_record(path) || approvals::is_request(path)
}

/// Changed files that are not reported yet. Each report scans the project again, so a file that changes all the time,
/// such as a log, is reported less and less often. Other files are not delayed by it.
#[derive(Default)]
struct PendingChanges {
    paths: BTreeSet<String>,
    /// For each file, the time of its last report and the pause after it.
    reported: HashMap<String, (Instant, Duration)>,
}

impl PendingChanges {
    fn add(&mut self, paths: Vec<String>) {
        self.paths.extend(paths);
    }

    /// The time from which a file may be reported again; `None` if it may be reported now.
    fn paused_until(&self, path: &str) -> Option<Instant> {
        self.reported.get(path).map(|(last, pause)| *last + *pause)
    }

    /// Time of the next report if nothing else changes; `None` if nothing is pending.
    fn next_report(&self) -> Option<Instant> {
        self.paths.iter().filter_map(|path| self.paused_until(path)).min()
    }

    /// All changes, if one of them may be reported now.
    fn take(&mut self, now: Instant) -> Vec<String> {
        let is_due = |path: &String| self.paused_until(path).is_none_or(|until| now >= until);
        if !self.paths.iter().any(is_due) {
            return Vec::new();
        }
        for path in &self.paths {
            let pause = match self.reported.get(path) {
                // The file changed again soon after the pause, so its pause doubles.
                Some((last, pause)) if now < *last + *pause * 2 => (*pause * 2).min(LONGEST_PAUSE),
                _ => SHORTEST_PAUSE,
            };
            self.reported.insert(path.clone(), (now, pause));
        }
        std::mem::take(&mut self.paths).into_iter().collect()
    }
}

/// The next signal; `None` if none arrives until this time.
fn next_signal(inbox: &mpsc::Receiver<Signal>, until: Option<Instant>) -> Result<Option<Signal>, mpsc::RecvError> {
    let Some(until) = until else { return inbox.recv().map(Some) };
    match inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
        Ok(signal) => Ok(Some(signal)),
        Err(mpsc::RecvTimeoutError::Timeout) => Ok(None),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(mpsc::RecvError),
    }
}

/// Returns true for changes; reads would only delay the message about them.
fn is_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(_))
}

/// Collects signals after the first one, until none arrives for a while or the maximum wait is over.
fn collect_signals(first: Signal, inbox: &mpsc::Receiver<Signal>) -> Vec<Signal> {
    let end = Instant::now() + LONGEST;
    let mut signals = vec![first];
    while let Ok(next) = inbox.recv_timeout(QUIET.min(end.saturating_duration_since(Instant::now()))) {
        signals.push(next);
        if Instant::now() >= end {
            break;
        }
    }
    signals
}

/// Changes between the start of a scan and the start of watching: files written since, and files in changed
/// directories that the scan has not seen.
pub fn missed(root: &Path, files: &HashSet<&str>, began: SystemTime) -> Vec<String> {
    // File times are less precise than the clock.
    let began = began.checked_sub(Duration::from_millis(20)).unwrap_or(began);
    let since =
        |path: &Path| path.symlink_metadata().and_then(|meta| meta.modified()).is_ok_and(|modified| modified >= began);
    let mut missed: BTreeSet<String> =
        files.iter().filter(|file| since(&root.join(file))).map(|file| (*file).to_owned()).collect();
    let mut directories: BTreeSet<&Path> = BTreeSet::from([Path::new("")]);
    for file in files {
        // The ancestors of a known directory are also known.
        directories.extend(Path::new(file).ancestors().skip(1).take_while(|above| !above.as_os_str().is_empty()));
    }
    for directory in directories.into_iter().filter(|directory| since(&root.join(directory))) {
        let entries = std::fs::read_dir(root.join(directory)).into_iter().flatten().flatten();
        let below = entries.filter_map(|entry| crate::gather::git::slashed(&directory.join(entry.file_name())));
        missed.extend(below.filter(|path| !files.contains(path.as_str()) && is_new(root, path)));
    }
    missed.into_iter().collect()
}

/// Paths of these events that matter to the workbench, relative to the root.
fn relevant(backend: &Arc<dyn Backend>, known: &HashSet<String>, events: &[Event]) -> Vec<String> {
    let root = backend.facts().root;
    let mut paths = BTreeSet::new();
    for event in events {
        for path in &event.paths {
            let Some(below) = path.strip_prefix(&root).ok().and_then(crate::gather::git::slashed) else { continue };
            let name = below.rsplit('/').next().unwrap_or(&below);
            let ours = below.starts_with(".teddy/");
            let matters = if below.starts_with(".git/") {
                below == ".git/HEAD"
            } else if ours {
                (name.ends_with(".context") || name == "memos.yaml") && !backend.is_own_write(path)
            } else {
                known.contains(&below)
                    || (!matches!(event.kind, EventKind::Modify(notify::event::ModifyKind::Metadata(_)))
                        && is_new(&root, &below))
            };
            if matters {
                paths.insert(below);
            }
        }
    }
    paths.into_iter().collect()
}

/// Returns true if an unknown path is a file that a scan would read: not ignored, not temporary.
fn is_new(root: &Path, below: &str) -> bool {
    let name = below.rsplit('/').next().unwrap_or(below);
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let temporary =
        matches!(extension, "swp" | "swx" | "tmp") || name.ends_with('~') || name.starts_with(".#") || name == "4913";
    !temporary && root.join(below).is_file() && !crate::gather::walk::is_ignored(root, below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_without_a_pause_are_reported() {
        let (sender, inbox) = mpsc::channel();
        let event = || Signal::Event(Event::new(EventKind::Modify(notify::event::ModifyKind::Any)));
        // On a busy machine, the receiver may detect a pause before the thread sends anything.
        sender.send(event()).unwrap();
        let writer = std::thread::spawn(move || {
            // Sends events until the receiver is dropped.
            while sender.send(event()).is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let events = collect_signals(event(), &inbox);
        drop(inbox);
        writer.join().unwrap();
        assert!(events.len() > 1, "{}", events.len());
    }

    #[test]
    fn a_file_that_keeps_changing_is_reported_less_often_and_delays_no_other() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut pending = PendingChanges::default();
        let mut reports = Vec::new();
        for second in 0..20 {
            pending.add(vec!["app.log".to_owned()]);
            if second == 9 {
                pending.add(vec!["src/pay.rs".to_owned()]);
            }
            let paths = pending.take(at(second));
            if !paths.is_empty() {
                reports.push((second, paths.len()));
            }
        }
        assert_eq!(reports, [(0, 1), (1, 1), (3, 1), (7, 1), (9, 2)], "{reports:?}");
        assert_eq!(pending.next_report(), Some(at(9 + 16)));
        // After a while without changes, the next change is reported immediately again.
        assert_eq!(pending.take(at(60)).len(), 1);
        assert_eq!(pending.next_report(), None);
        pending.add(vec!["app.log".to_owned()]);
        assert_eq!(pending.take(at(61)), ["app.log"]);
    }

    #[test]
    fn reads_are_not_changes() {
        use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};
        for access in [AccessKind::Read, AccessKind::Open(AccessMode::Read), AccessKind::Close(AccessMode::Write)] {
            assert!(!is_change(EventKind::Access(access)), "{access:?}");
        }
        for change in [
            EventKind::Create(CreateKind::File),
            EventKind::Modify(ModifyKind::Any),
            EventKind::Remove(RemoveKind::File),
            EventKind::Any,
        ] {
            assert!(is_change(change), "{change:?}");
        }
    }

    #[test]
    fn changes_before_watching_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        };
        for path in ["src/old.rs", "src/edited.rs", "docs/a.md", ".gitignore"] {
            write(path);
        }
        std::fs::write(dir.path().join(".gitignore"), "*.log\n").unwrap();
        let long_ago = SystemTime::now() - Duration::from_hours(1);
        for path in ["src/old.rs", "src/edited.rs", "docs/a.md", ".gitignore", "src", "docs", ""] {
            std::fs::File::open(dir.path().join(path)).unwrap().set_modified(long_ago).unwrap();
        }
        let known = HashSet::from(["src/old.rs", "src/edited.rs", "docs/a.md", ".gitignore"]);
        let began = SystemTime::now();
        assert_eq!(missed(dir.path(), &known, began), Vec::<String>::new());
        for path in ["src/edited.rs", "src/new.rs", "src/noise.log"] {
            write(path);
        }
        assert_eq!(missed(dir.path(), &known, began), ["src/edited.rs", "src/new.rs"]);
    }
}
