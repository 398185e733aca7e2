//! The items of a payload that were used: changed after the delivery, or cited in the answer.

mod advice;
mod citations;

use std::collections::{BTreeSet, HashMap};

use super::answer::{self, Document};
use super::environment::Environment;
use crate::error::Result;
use crate::gather::{changes, read};
use crate::place::Tier;
use crate::project::checkpoint::{self, Artifact, Checkpoint};
use crate::project::turn::{self, Turn, TurnState};
use crate::project::turn_changes::{self, TurnChanges};
use crate::text::{counted, percent, printable, thousands};
pub use advice::{DirectoryUse, UsageSummary, summary};
use citations::AnswerNames;

/// Maximum number of files listed on a line.
const LISTED: usize = 8;

/// A RAW file of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawUse {
    /// Its path.
    pub path: String,
    /// Its tokens in the payload; `None` for a payload that did not record them.
    pub tokens: Option<usize>,
    /// True if it was changed or deleted after the delivery.
    pub changed: bool,
    /// Path, file name or symbol by which the answer cites it.
    pub cited: Option<String>,
}

impl RawUse {
    /// Returns true if it was changed or cited.
    pub fn is_used(&self) -> bool {
        self.changed || self.cited.is_some()
    }
}

/// A file that was changed although RAW did not have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissedFile {
    /// Its path.
    pub path: String,
    /// True if the payload linked it.
    pub linked: bool,
}

/// The version that the delivered files are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedWith {
    /// The files when the report was saved.
    Report,
    /// The files at the delivery of the next payload.
    NextPayload,
    /// The files now, which may still change.
    Now,
}

/// The usage of a turn's payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnUsage {
    /// The files in RAW, in the order of the payload.
    pub raw: Vec<RawUse>,
    /// Changed files that were not in RAW, linked ones first.
    pub missed: Vec<MissedFile>,
    /// Files that were added after the delivery.
    pub added: Vec<String>,
    /// The version that the files were compared with.
    pub compared_with: ComparedWith,
}

/// Determines the usage of a turn's payload. `None` if the turn has no answer and no report, or the payload was not
/// recorded.
pub fn of_turn(env: &Environment, turn: &Turn) -> Result<Option<TurnUsage>> {
    if !matches!(turn.state(), TurnState::Planned | TurnState::Done) {
        return Ok(None);
    }
    let Some(delivered) = checkpoint::load(turn).ok().flatten() else { return Ok(None) };
    let (changes, compared_with) = changes(env, turn, &delivered)?;
    let answer = answer::read(env, turn, Document::Plan)?.unwrap_or_default();
    Ok(Some(usage(turn, &delivered, &changes, &answer, compared_with)))
}

fn changes(env: &Environment, turn: &Turn, delivered: &Checkpoint) -> Result<(TurnChanges, ComparedWith)> {
    let root = turn.session().root();
    if let Some(recorded) = turn_changes::load(turn) {
        return Ok((recorded, ComparedWith::Report));
    }
    let redactor = env.redaction()?;
    Ok(match next_delivery(turn) {
        Some(next) => (changes::until(root, delivered, &next, &redactor), ComparedWith::NextPayload),
        None => (changes::until_now(root, delivered, &redactor), ComparedWith::Now),
    })
}

/// The payload of the following turn.
fn next_delivery(turn: &Turn) -> Option<Checkpoint> {
    let session = turn.session();
    let later = turn::turns(session).into_iter().filter(|id| id.number > turn.id().number);
    later
        .filter_map(|id| Turn::open(session, id).ok())
        .filter(|next| turn::before(session, next).ok().flatten().is_some_and(|before| before.id() == turn.id()))
        .find_map(|next| checkpoint::load(&next).ok().flatten())
}

fn usage(
    turn: &Turn,
    delivered: &Checkpoint,
    changes: &TurnChanges,
    answer: &str,
    compared_with: ComparedWith,
) -> TurnUsage {
    let touched: BTreeSet<&str> = changes.touched().collect();
    let in_tier = |tier: Tier| delivered.artifacts.iter().filter(move |artifact| artifact.tier == tier);
    let paths: Vec<&str> = delivered.artifacts.iter().map(|artifact| artifact.path.as_str()).collect();
    let text = |artifact: &Artifact| {
        let bytes = read::read_bytes(turn.session().root(), &artifact.path, u64::MAX).ok()?;
        Some(read::decode(&artifact.path, &bytes).ok()?.text.into_owned())
    };
    let texts: Vec<(&str, String)> =
        in_tier(Tier::Raw).filter_map(|raw| Some((raw.path.as_str(), text(raw)?))).collect();
    let cited: HashMap<String, String> = AnswerNames::new(answer).citations(&paths, &texts);
    let raw: Vec<RawUse> = in_tier(Tier::Raw)
        .map(|artifact| RawUse {
            path: artifact.path.clone(),
            tokens: artifact.tokens,
            changed: touched.contains(artifact.path.as_str()),
            cited: cited.get(&artifact.path).cloned(),
        })
        .collect();
    let is_raw = |path: &str| in_tier(Tier::Raw).any(|artifact| artifact.path == path);
    let linked = |path: &str| in_tier(Tier::Linked).any(|artifact| artifact.path == path);
    let mut missed: Vec<MissedFile> = touched
        .into_iter()
        .filter(|path| !is_raw(path))
        .map(|path| MissedFile { path: path.to_owned(), linked: linked(path) })
        .collect();
    missed.sort_by_key(|file| !file.linked);
    TurnUsage { raw, missed, added: changes.added.clone(), compared_with }
}

impl TurnUsage {
    /// Number of RAW files that were used.
    pub fn used(&self) -> usize {
        self.raw.iter().filter(|file| file.is_used()).count()
    }

    /// Tokens of the used RAW files and of all RAW files; `None` if they were not recorded.
    pub fn tokens(&self) -> Option<(usize, usize)> {
        let mut sums = (0, 0);
        for file in &self.raw {
            let tokens = file.tokens?;
            sums.0 += if file.is_used() { tokens } else { 0 };
            sums.1 += tokens;
        }
        Some(sums)
    }

    /// The result as lines, beginning with the summary.
    pub fn lines(&self) -> Vec<String> {
        let so_far = if self.compared_with == ComparedWith::Now { ", so far" } else { "" };
        let share = match self.tokens() {
            Some((used, all)) if all > 0 => {
                format!(", {} of their {} tokens", percent(used, all), thousands(all))
            }
            _ => String::new(),
        };
        let (used, all) = (thousands(self.used()), counted(self.raw.len(), "file"));
        let mut lines = vec![format!("used {used} of {all} in RAW{share}{so_far}")];
        let mut list = |what: &str, files: Vec<String>| {
            if !files.is_empty() {
                lines.push(format!("{what}: {}", listed(&files)));
            }
        };
        let path = |file: &RawUse| printable(&file.path).into_owned();
        list("changed", self.raw.iter().filter(|file| file.changed).map(path).collect());
        let cited = |file: &RawUse| {
            let by = file.cited.as_deref().filter(|_| !file.changed)?;
            let shown = path(file);
            Some(if file.path.ends_with(by) { shown } else { format!("{shown} (`{}`)", printable(by)) })
        };
        list("only cited", self.raw.iter().filter_map(cited).collect());
        let unused = |file: &RawUse| match file.tokens {
            Some(tokens) => format!("{} ({})", path(file), counted(tokens, "token")),
            None => path(file),
        };
        list("not used", self.raw.iter().filter(|file| !file.is_used()).map(unused).collect());
        let missed = |file: &MissedFile| {
            format!("{} ({})", printable(&file.path), if file.linked { "linked" } else { "not in the payload" })
        };
        list("changed outside RAW", self.missed.iter().map(missed).collect());
        list("new", self.added.iter().map(|path| printable(path).into_owned()).collect());
        lines
    }
}

/// Lists the first files, and the number of remaining ones.
fn listed(files: &[String]) -> String {
    let mut out = files[..files.len().min(LISTED)].join(", ");
    if files.len() > LISTED {
        out.push_str(&format!(" … and {} more", thousands(files.len() - LISTED)));
    }
    out
}
