//! Logs and stack traces from `--evidence`: stored in the turn, included as items, and used as locations in files.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::input::is_stdin;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::evidence::{self, EvidenceFindings, Log, trim};
use crate::gather::tokens::Tokenizer;
use crate::project::files::is_absent;
use crate::project::turn::{Turn, TurnRecord};
use crate::redact::Policy;
use crate::text::{counted, thousands};

/// Maximum share of the limit for evidence, in percent; most of the budget is for code.
const SHARE: usize = 15;
/// Limit used before the task's complexity is known.
const USUAL_LIMIT: usize = 25_000;
/// Name of evidence in the task's own text.
const TASK: &str = "the task";
/// Maximum number of logs and stack traces in a turn.
const MOST_KEPT: usize = 99;

/// A log or stack trace, redacted and trimmed to its failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Name of the evidence.
    pub name: String,
    /// Text of the evidence.
    pub text: String,
    /// Notes for the person.
    pub notes: Vec<String>,
    /// True if the turn's directory already has it.
    pub stored: bool,
}

/// Reads the files given as arguments.
pub fn read(env: &Environment, files: &[PathBuf]) -> Result<Vec<Evidence>> {
    if files.iter().filter(|file| is_stdin(file)).count() > 1 {
        return Err(Error::input("standard input is given as evidence twice", "use `-` once"));
    }
    let mut given: Vec<Evidence> = Vec::new();
    let redactor = env.redaction()?;
    for file in files {
        let log = read_one(env, file, &redactor)?;
        let name = free_name(&log.name, &given);
        given.push(Evidence { name, text: log.text, notes: log.notes, stored: false });
    }
    Ok(given)
}

/// Rejects reading both the task and the evidence from standard input.
pub fn check_stdin(task_file: Option<&Path>, files: &[PathBuf]) -> Result<()> {
    if task_file.is_some_and(is_stdin) && files.iter().any(|file| is_stdin(file)) {
        return Err(Error::input(
            "standard input cannot be both the task and the evidence",
            "put one of them into a file",
        ));
    }
    Ok(())
}

fn read_one(env: &Environment, file: &Path, redactor: &Policy) -> Result<Log> {
    if is_stdin(file) {
        return evidence::read(std::io::stdin().lock(), "standard input", redactor);
    }
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let (name, _) = redactor.redact(&name, "evidence");
    let path = env.cwd.join(file);
    let failed = |error| Error::io("read", file, error);
    let opened = match File::open(&path) {
        Ok(opened) => opened,
        Err(error) if is_absent(&error) => {
            return Err(Error::Missing { kind: "file", name: file.to_string_lossy().into_owned(), nearest: None });
        }
        Err(error) => return Err(failed(error)),
    };
    if opened.metadata().map_err(failed)?.is_dir() {
        let what = format!("{} is a directory", file.display());
        return Err(Error::input(what, "use --evidence with a log file in it"));
    }
    evidence::read(opened, &name, redactor)
}

fn free_name(name: &str, taken: &[Evidence]) -> String {
    let mut free = name.to_owned();
    let mut count = 1;
    while taken.iter().any(|given| given.name == free) {
        count += 1;
        free = format!("{name} ({count})");
    }
    free
}

/// The evidence stored in a turn, followed by the evidence from the arguments.
pub fn of_turn(
    env: &Environment,
    turn: Option<&Turn>,
    record: &TurnRecord,
    files: &[PathBuf],
) -> Result<Vec<Evidence>> {
    let mut given = match turn {
        Some(turn) => stored_evidence(env, turn, record)?,
        None => Vec::new(),
    };
    for mut new in read(env, files)? {
        new.name = free_name(&new.name, &given);
        given.push(new);
    }
    Ok(given)
}

/// The evidence stored in a turn's directory; without a name in the record, the file name is used.
fn stored_evidence(env: &Environment, turn: &Turn, record: &TurnRecord) -> Result<Vec<Evidence>> {
    let (project, redactor) = (env.project()?, env.redaction()?);
    let mut given = Vec::new();
    for number in 1..=MOST_KEPT {
        let file = turn.evidence_file(number);
        let name = record.evidence.get(number - 1);
        let Some(text) = project.read(&file)? else {
            let Some(name) = name else { break };
            let notes = vec![format!("the evidence {name} is missing: {} does not exist", env.shown(&file))];
            given.push(Evidence { name: name.clone(), text: String::new(), notes, stored: true });
            continue;
        };
        let name = name.cloned().unwrap_or_else(|| crate::project::turn::evidence_name(number));
        let text = redactor.redact(&text, &name).0.into_owned();
        given.push(Evidence { name, text, notes: Vec::new(), stored: true });
    }
    Ok(given)
}

/// Files to add to the turn, with their names.
pub fn to_store(given: &[Evidence]) -> Vec<(String, Vec<u8>)> {
    let numbered = given.iter().enumerate().filter(|(_, given)| !given.stored);
    numbered.map(|(at, given)| (crate::project::turn::evidence_name(at + 1), given.text.clone().into_bytes())).collect()
}

/// Token limit of each of `texts` pieces of evidence in a payload with this limit.
pub fn room(limit: Option<usize>, texts: usize) -> usize {
    limit.unwrap_or(USUAL_LIMIT) * SHARE / 100 / texts.max(1)
}

/// Truncates the evidence for a payload with this limit; returns it with labels, and notes on what was omitted.
pub fn texts(given: &[Evidence], limit: Option<usize>, tokenizer: Tokenizer) -> (Vec<(String, String)>, Vec<String>) {
    let there: Vec<&Evidence> = given.iter().filter(|given| !given.text.trim().is_empty()).collect();
    let room = room(limit, there.len());
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for given in there {
        let cut = trim::to_tokens(&given.text, tokenizer, room);
        if cut.gone > 0 {
            let (gone, room) = (counted(cut.gone, "line"), thousands(room));
            notes.push(format!("the evidence `{}` was cut to {room} tokens: {gone} omitted", given.name));
        }
        if !cut.text.is_empty() {
            texts.push((given.name.clone(), cut.text));
        }
    }
    (texts, notes)
}

/// Locations that the evidence and the task's text point to.
pub fn locations(corpus: &Corpus, given: &[Evidence], task: &str) -> EvidenceFindings {
    let mut texts: Vec<(String, String)> = given.iter().map(|given| (given.name.clone(), given.text.clone())).collect();
    // Matching the patterns is slow, so this checks first whether the task can contain a trace or a test summary.
    if task.contains(|c: char| c.is_ascii_digit()) || task.contains("::") {
        texts.push((TASK.to_owned(), task.to_owned()));
    }
    if texts.is_empty() {
        return EvidenceFindings::default();
    }
    evidence::find(corpus, &texts)
}

/// Notes about reading the evidence. The payload does not repeat them, because its text marks each omission.
pub fn reading_notes(given: &[Evidence]) -> impl Iterator<Item = String> {
    given.iter().flat_map(|given| given.notes.iter().cloned())
}

/// Maximum number of locations in the note about the evidence.
const PLACES_LISTED: usize = 5;

/// Notes on the failures that were found, and the locations that they point to.
pub fn notes(given: &[Evidence], found: &EvidenceFindings) -> Vec<String> {
    let mut notes = found.notes.clone();
    // Missing evidence has its own note.
    if given.iter().all(|given| given.text.trim().is_empty()) {
        return notes;
    }
    notes.push(match (found.failures, found.locations.as_slice()) {
        (0, _) => "no failure was recognized in the evidence; it is included, but points to no file".to_owned(),
        (failures, []) => {
            format!("the evidence has {}, but none of them points into the project", counted(failures, "failure"))
        }
        (failures, places) => {
            let listed: Vec<String> =
                places.iter().take(PLACES_LISTED).map(|place| format!("{}:{}", place.path, place.line)).collect();
            let more = places.len().saturating_sub(PLACES_LISTED);
            let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
            format!("the evidence has {} and points to {}{more}", counted(failures, "failure"), listed.join(", "))
        }
    });
    notes
}
