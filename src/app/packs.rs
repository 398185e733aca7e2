//! Context packs in files: merging, checking, and wrapping one in an edge payload.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::input::{is_stdin, read_text};
use crate::error::{Error, Result};
use crate::gather::tokens::DEFAULT;
use crate::project::{PAYLOAD_BYTES, clock};
use crate::redact::Policy;
use crate::render::pack::edge::{self, EdgeOptions, Status};
use crate::render::pack::fit::{self, PackTrim};
use crate::render::pack::json::{self, PackError};
use crate::render::pack::merge;
use crate::render::pack::model::Pack;
use crate::render::pack::schema::Problem;
use crate::text::printable;

/// A pack that was merged from several packs.
pub struct MergedPack {
    /// Its text.
    pub text: String,
    /// The parts that were removed to meet the budget.
    pub trimmed: PackTrim,
    /// Fields on which the packs disagree; `decisions` has all values.
    pub conflicts: Vec<String>,
}

/// A pack that was checked.
pub struct CheckedPack {
    /// Name of its file, for messages.
    pub name: String,
    /// The result.
    pub verdict: PackVerdict,
}

/// The result of checking a pack.
pub enum PackVerdict {
    /// It follows the schema.
    Valid {
        /// The pack.
        pack: Box<Pack>,
        /// True if `packId` matches the content.
        id_matches: bool,
    },
    /// The problems, one per line.
    Invalid(Vec<String>),
}

/// An edge payload to write.
#[derive(Debug, Clone, Default)]
pub struct EdgeRequest {
    /// The pack's file; default: the pack of the last turn.
    pub file: Option<PathBuf>,
    /// Kind of payload.
    pub kind: Option<String>,
    /// Node that sends it.
    pub from: Option<String>,
    /// Edge of the workflow graph that it is sent along.
    pub edge: Option<String>,
    /// Message to the next node.
    pub message: Option<String>,
    /// The reason why the work failed.
    pub failed: Option<String>,
    /// Status code for programs.
    pub code: Option<String>,
}

/// Merges packs within a budget; their order does not matter.
pub fn merge_files(env: &Environment, files: &[PathBuf], budget: usize) -> Result<MergedPack> {
    if files.iter().filter(|file| is_stdin(file)).count() > 1 {
        return Err(Error::input("standard input is named twice", "it can be read only once; name a file"));
    }
    let redactor = env.redaction()?;
    let mut packs = Vec::new();
    for file in files {
        let (name, read) = read(env, file, &redactor)?;
        match read {
            Ok(pack) => packs.push(pack),
            Err(PackError::NotJson { line, column, why }) => return Err(not_json(&name, line, column, &why)),
            Err(PackError::Invalid(problems)) => {
                let first = problems.first().map(|problem| format!("{}: {}", problem.pointer, problem.what));
                let first = redactor.redact(&first.unwrap_or_default(), "pack.json").0.into_owned();
                return Err(Error::input(
                    format!("{name} is not a valid context pack: {first}"),
                    format!("list all problems: teddy pack check {name}"),
                ));
            }
        }
    }
    let mut merged = merge::merge(&packs);
    let trimmed = fit::fit(&mut merged, budget, DEFAULT);
    let conflicts = merged.decisions.iter().filter_map(|decision| decision.id.strip_prefix("conflict:"));
    Ok(MergedPack { conflicts: conflicts.map(ToOwned::to_owned).collect(), text: json::write(&merged), trimmed })
}

/// Checks a pack against the schema.
pub fn check(env: &Environment, file: &Path) -> Result<CheckedPack> {
    // Reads the pack unredacted, because its id is computed from the original text. Problems are redacted below.
    let (name, read) = read(env, file, &Policy::off())?;
    let verdict = match read {
        Ok(pack) => PackVerdict::Valid { id_matches: pack.pack_id == json::pack_id(&pack), pack: Box::new(pack) },
        Err(PackError::NotJson { line, column, why }) => return Err(not_json(&name, line, column, &why)),
        Err(PackError::Invalid(problems)) => {
            let redactor = env.redaction()?;
            let line = |problem: &Problem| {
                let pointer = if problem.pointer.is_empty() { "(root)" } else { problem.pointer.as_str() };
                let line = format!("{pointer}: {}; {}", problem.what, problem.hint);
                redactor.redact(&line, "pack.json").0.into_owned()
            };
            PackVerdict::Invalid(problems.iter().map(line).collect())
        }
    };
    Ok(CheckedPack { name, verdict })
}

/// Wraps a reference to a pack in an edge payload; returns its text.
pub fn edge(env: &Environment, request: &EdgeRequest) -> Result<String> {
    let file = match &request.file {
        Some(file) => file.clone(),
        None => env.turn(None)?.pack_file(),
    };
    let text = read_text(env, &file, PAYLOAD_BYTES)?;
    let name = printable(&file.to_string_lossy()).into_owned();
    let redactor = env.redaction()?;
    let pack = match json::read(&text, &redactor) {
        Ok(pack) => pack,
        Err(PackError::NotJson { line, column, why }) => return Err(not_json(&name, line, column, &why)),
        Err(PackError::Invalid(_)) => {
            return Err(Error::input(
                format!("{name} is not a valid context pack"),
                format!("list the problems: teddy pack check {name}"),
            ));
        }
    };
    let clean = |text: &String| redactor.redact(text, "edge payload").0.into_owned();
    let options = EdgeOptions {
        kind: request.kind.clone(),
        from_node: request.from.as_ref().map(clean),
        edge: request.edge.as_ref().map(clean),
        message: request.message.as_ref().map(clean),
        status: Status {
            ok: request.failed.is_none(),
            code: request.code.as_ref().map(clean),
            reason: request.failed.as_ref().map(clean),
        },
    };
    let path = env.shown(&env.cwd.join(&file));
    Ok(edge::write(&edge::envelope(&pack, &path, &text, clock::now()?, options)))
}

/// Reads a pack. Also returns its name for messages.
fn read(env: &Environment, file: &Path, redactor: &Policy) -> Result<(String, std::result::Result<Pack, PackError>)> {
    let name = if is_stdin(file) { "standard input".to_owned() } else { file.to_string_lossy().into_owned() };
    let name = printable(&name).into_owned();
    let text = read_text(env, file, PAYLOAD_BYTES)?;
    Ok((name, json::read(&text, redactor)))
}

fn not_json(name: &str, line: usize, column: usize, why: &str) -> Error {
    Error::input(
        format!("{name}:{line}:{column} is not valid JSON: {why}"),
        "fix the file, or create it again: teddy plan --format pack",
    )
}
