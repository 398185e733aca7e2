//! The places in the project that failures name, the most telling first, each with its reason.

use std::collections::HashSet;

use super::failure::{Failure, Kind, Spot};
use super::failures;
use super::resolve::{Resolver, Unresolved};
use crate::gather::corpus::Corpus;
use crate::ids::FileId;

/// More places than this are no focus.
const MOST: usize = 60;
/// Paths of a log that show where the project was on its machine.
const MOST_ROOTS: usize = 200;
/// Notes of one kind.
const MOST_NOTES: usize = 3;

/// A line of a file of the project that evidence points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the project names it.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, where it is said.
    pub column: Option<u32>,
    /// What happened there, and which evidence says so.
    pub why: String,
}

/// What evidence says about the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The places, the most telling first.
    pub places: Vec<Place>,
    /// What could not be placed, and why.
    pub notes: Vec<String>,
    /// How many failures the evidence tells of.
    pub failures: usize,
}

/// The places that some texts name, each text with the name that it goes by.
pub fn find(corpus: &Corpus, texts: &[(String, String)]) -> Found {
    let mut found = Found::default();
    let mut ranked: Vec<((usize, usize), Place)> = Vec::new();
    let mut resolver = Resolver::new(corpus);
    let mut notes = Notes::default();
    for (name, text) in texts {
        let failures = failures(text);
        let paths = failures.iter().flat_map(|failure| &failure.spots).map(|spot| spot.path.as_str());
        resolver.learn_roots(paths.take(MOST_ROOTS));
        for failure in failures {
            let number = found.failures;
            found.failures += 1;
            let mut depth = 0;
            for (index, spot) in failure.spots.iter().enumerate() {
                let Some((file, line)) = notes.place(corpus, &resolver, spot) else { continue };
                let place = Place {
                    path: corpus.files[file].path.clone(),
                    line,
                    column: spot.column,
                    why: why(&failure, index, name),
                };
                ranked.push(((depth, number), place));
                depth += 1;
            }
        }
    }
    // Where each failure happened, then the step before it in each, and so on.
    ranked.sort_by_key(|(key, _)| *key);
    let mut seen = HashSet::new();
    let new = ranked.into_iter().filter(|(_, place)| seen.insert((place.path.clone(), place.line)));
    found.places = new.map(|(_, place)| place).take(MOST).collect();
    found.notes = notes.said;
    found
}

#[derive(Default)]
struct Notes {
    said: Vec<String>,
    asked: HashSet<String>,
}

impl Notes {
    fn place(&mut self, corpus: &Corpus, resolver: &Resolver<'_>, spot: &Spot) -> Option<(FileId, u32)> {
        let hint = spot.hint.as_deref();
        let file = if spot.path.is_empty() { Ok(None) } else { resolver.find(&spot.path, hint).map(Some) };
        match (file, spot.line, &spot.symbol) {
            (Ok(Some(file)), Some(line), _) => {
                let lines = corpus.files[file].lines;
                if line > lines {
                    let path = &corpus.files[file].path;
                    self.say(format!(
                        "the evidence names line {line} of `{path}`, which has {lines}: it may be of another version"
                    ));
                }
                Some((file, line.min(lines.max(1))))
            }
            (Ok(file), None, Some(symbol)) => resolver.symbol(file, symbol, hint),
            (Err(Unresolved::Ambiguous(files)), ..) => {
                let shown = files.iter().take(3).map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ");
                let more = if files.len() > 3 { format!(" and {} more", files.len() - 3) } else { String::new() };
                self.say(format!("the evidence names `{}`, which could be {shown}{more}", spot.path));
                None
            }
            _ => None,
        }
    }

    fn say(&mut self, note: String) {
        if self.said.len() < MOST_NOTES && self.asked.insert(note.clone()) {
            self.said.push(note);
        }
    }
}

/// What a place is to its failure, in words.
fn why(failure: &Failure, index: usize, name: &str) -> String {
    let role = match (failure.kind, index) {
        (Kind::Panic, 0) => "panicked here".to_owned(),
        (Kind::Trace, 0) => "raised here".to_owned(),
        (Kind::Test, 0) => "the test fails here".to_owned(),
        (Kind::Crash, 0) => "crashed here".to_owned(),
        (Kind::Compiler, 0) => "compiler error".to_owned(),
        (Kind::Warning, 0) => "compiler warning".to_owned(),
        (Kind::Panic, _) => format!("frame {} of the panic's backtrace", index + 1),
        (Kind::Trace, _) => format!("frame {} of the stack trace", index + 1),
        (Kind::Test, _) => format!("frame {} of the failing test", index + 1),
        (Kind::Crash, _) => format!("frame {} of the crash's stack", index + 1),
        (Kind::Compiler | Kind::Warning, _) => "named by the compiler".to_owned(),
    };
    if failure.what.is_empty() {
        format!("{role}, says {name}")
    } else {
        format!("{role}, says {name}: {}", failure.what)
    }
}
