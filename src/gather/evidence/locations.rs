//! The locations in the project that the failures of a log point to, most relevant first, each with its reason.

use std::collections::HashSet;

use super::failure::{Failure, FailureKind, LogLocation};
use super::failures;
use super::resolve::{ResolveError, Resolver};
use crate::gather::corpus::Corpus;
use crate::ids::FileId;

/// Maximum number of locations per run.
const MOST: usize = 60;
/// Maximum number of paths that are used to find the project's directory on the machine that wrote the log.
const MOST_ROOTS: usize = 200;
/// Maximum number of notes per run.
const MOST_NOTES: usize = 3;

/// A project line that a log points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceLocation {
    /// Relative to the project root.
    pub path: String,
    /// 1-based line number.
    pub line: u32,
    /// 1-based column number.
    pub column: Option<u32>,
    /// The kind of failure, the log and its message.
    pub why: String,
}

/// Locations and notes from all logs of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvidenceFindings {
    /// Most relevant first.
    pub locations: Vec<EvidenceLocation>,
    /// Paths that could not be resolved, with the reason.
    pub notes: Vec<String>,
    /// Number of failures.
    pub failures: usize,
}

/// Finds the locations in `texts`, which are pairs of a log's name and its text.
pub fn find(corpus: &Corpus, texts: &[(String, String)]) -> EvidenceFindings {
    let mut found = EvidenceFindings::default();
    let mut ranked: Vec<((usize, usize), EvidenceLocation)> = Vec::new();
    let mut resolver = Resolver::new(corpus);
    let mut notes = ResolutionNotes::default();
    for (name, text) in texts {
        let failures = failures(text);
        let paths = failures.iter().flat_map(|failure| &failure.locations).map(|location| location.path.as_str());
        resolver.learn_roots(paths.take(MOST_ROOTS));
        for failure in failures {
            let number = found.failures;
            found.failures += 1;
            let mut depth = 0;
            for (index, location) in failure.locations.iter().enumerate() {
                let Some((file, line)) = notes.place(corpus, &resolver, location) else { continue };
                let place = EvidenceLocation {
                    path: corpus.files[file].path.clone(),
                    line,
                    column: location.column,
                    why: why(&failure, index, name),
                };
                ranked.push(((depth, number), place));
                depth += 1;
            }
        }
    }
    // The failing frames of all failures come first, then the frames one level up, and so on.
    ranked.sort_by_key(|(key, _)| *key);
    let mut seen = HashSet::new();
    let new = ranked.into_iter().filter(|(_, place)| seen.insert((place.path.clone(), place.line)));
    found.locations = new.map(|(_, place)| place).take(MOST).collect();
    found.notes = notes.notes;
    found
}

#[derive(Default)]
struct ResolutionNotes {
    notes: Vec<String>,
    seen: HashSet<String>,
}

impl ResolutionNotes {
    fn place(&mut self, corpus: &Corpus, resolver: &Resolver<'_>, location: &LogLocation) -> Option<(FileId, u32)> {
        let hint = location.hint.as_deref();
        let file = if location.path.is_empty() { Ok(None) } else { resolver.find(&location.path, hint).map(Some) };
        match (file, location.line, &location.symbol) {
            (Ok(Some(file)), Some(line), _) => {
                let lines = corpus.files[file].lines;
                if line > lines {
                    let path = &corpus.files[file].path;
                    self.say(format!(
                        "the evidence points to line {line} of `{path}`, which has only {lines} lines; it may come from another version"
                    ));
                }
                Some((file, line.min(lines.max(1))))
            }
            (Ok(file), None, Some(symbol)) => resolver.symbol(file, symbol, hint),
            (Err(ResolveError::Ambiguous(files)), ..) => {
                let shown = files.iter().take(3).map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ");
                let more = if files.len() > 3 { format!(" and {} more", files.len() - 3) } else { String::new() };
                self.say(format!("`{}` in the evidence is ambiguous: {shown}{more}", location.path));
                None
            }
            _ => None,
        }
    }

    fn say(&mut self, note: String) {
        if self.notes.len() < MOST_NOTES && self.seen.insert(note.clone()) {
            self.notes.push(note);
        }
    }
}

/// The reason shown for a location.
fn why(failure: &Failure, index: usize, name: &str) -> String {
    let role = match (failure.kind, index) {
        (FailureKind::Panic, 0) => "panicked here".to_owned(),
        (FailureKind::Trace, 0) => "raised here".to_owned(),
        (FailureKind::Test, 0) => "the test fails here".to_owned(),
        (FailureKind::Crash, 0) => "crashed here".to_owned(),
        (FailureKind::Compiler, 0) => "compiler error".to_owned(),
        (FailureKind::Warning, 0) => "compiler warning".to_owned(),
        (FailureKind::Panic, _) => format!("frame {} of the panic's backtrace", index + 1),
        (FailureKind::Trace, _) => format!("frame {} of the stack trace", index + 1),
        (FailureKind::Test, _) => format!("frame {} of the failing test", index + 1),
        (FailureKind::Crash, _) => format!("frame {} of the crash's stack", index + 1),
        (FailureKind::Compiler | FailureKind::Warning, _) => "named by the compiler".to_owned(),
    };
    if failure.what.is_empty() { format!("{role} ({name})") } else { format!("{role} ({name}): {}", failure.what) }
}
