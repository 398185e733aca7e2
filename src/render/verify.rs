//! Verification: checks a payload against its own hashes and its sources.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::hybrid::SHORT;
use super::pack::json::{self, PackError};
use super::parse::{BlockKind, Payload, parse};
use crate::gather::read::read_bytes;
use crate::redact::Policy;
use crate::text::{counted, hex, printable};

/// The state of a payload and its sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Damage to the payload itself.
    pub damaged: Vec<String>,
    /// Sources whose content changed.
    pub changed: Vec<String>,
    /// Missing or unreadable sources, with the reason.
    pub missing: Vec<String>,
    /// The number of files that were checked.
    pub sources: usize,
}

impl VerifyReport {
    /// Returns true if the payload is undamaged and no source changed.
    pub fn is_fresh(&self) -> bool {
        self.damaged.is_empty() && self.changed.is_empty() && self.missing.is_empty()
    }
}

/// Checks a payload's hashes, and its sources below `root`.
pub fn verify(payload: &str, root: &Path) -> VerifyReport {
    if payload.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return verify_pack(payload, root);
    }
    let mut verdict = VerifyReport::default();
    let payload = match parse(payload) {
        Ok(payload) => payload,
        Err(error) => {
            let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
            verdict.damaged.push(format!("{error}{hint}"));
            return verdict;
        }
    };
    verdict.damaged = damage(&payload);
    for source in payload.sources.iter().filter(|source| source.is_file) {
        compare(&mut verdict, root, &source.path, &source.sha256);
    }
    verdict
}

/// Compares a source with its recorded hash.
fn compare(verdict: &mut VerifyReport, root: &Path, path: &str, known: &str) {
    verdict.sources += 1;
    if known.len() < SHORT || !known.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        verdict.damaged.push(format!("the hash of `{}` is invalid", printable(path)));
        return;
    }
    if leads_outside(path) {
        verdict.damaged.push(format!("`{}` is outside the project", printable(path)));
        return;
    }
    match bytes_of(root, path) {
        Ok(bytes) if hex(&Sha256::digest(&bytes)).starts_with(known) => {}
        Ok(_) => verdict.changed.push(path.to_owned()),
        Err(why) => verdict.missing.push(format!("{path}: {why}")),
    }
}

/// Checks that a pack's id matches its content, and the files that it names below `root`.
fn verify_pack(text: &str, root: &Path) -> VerifyReport {
    let mut verdict = VerifyReport::default();
    let pack = match json::read(text, &Policy::off()) {
        Ok(pack) => pack,
        Err(PackError::NotJson { line, column, why }) => {
            verdict.damaged.push(format!("not valid JSON: {why} (line {line}, column {column})"));
            return verdict;
        }
        Err(PackError::Invalid(problems)) => {
            verdict.damaged.extend(problems.iter().map(|problem| format!("{}: {}", problem.pointer, problem.what)));
            return verdict;
        }
    };
    if pack.pack_id != json::pack_id(&pack) {
        verdict
            .damaged
            .push("the packId does not match the content: the pack was changed or made by another program".into());
    }
    for file in &pack.relevant_files {
        if let Some(hash) = &file.hash {
            compare(&mut verdict, root, &file.path, hash);
        }
    }
    verdict
}

fn damage(payload: &Payload) -> Vec<String> {
    let mut damaged = Vec::new();
    let meta = &payload.meta;
    // If CRLF line endings were converted, files with CRLF differ, although the payload is not damaged.
    let ends =
        if payload.converted { " (line endings were converted, which also changes files with CRLF)" } else { "" };
    let checks = [
        ("RAW section", &payload.raw_text, &meta.raw_hash),
        ("LINKED section", &payload.linked_text, &meta.linked_hash),
        ("text after META", &payload.after_meta, &meta.fingerprint),
    ];
    for (what, text, known) in checks {
        if known.is_empty() {
            damaged.push(format!("META has no hash of the {what}"));
        } else if hex(&Sha256::digest(text.as_bytes())) != *known {
            damaged.push(format!("the {what} does not match its hash in META{ends}"));
        }
    }
    let blocks = payload.raw.iter().filter(|block| block.kind != BlockKind::Task).count();
    let inlined = payload.raw.iter().filter(|block| block.kind != BlockKind::Task).map(|block| &block.path);
    let shown = inlined.chain(payload.linked.iter().map(|link| &link.path));
    if !shown.eq(payload.sources.iter().map(|source| &source.path)) {
        damaged.push(format!(
            "the Context Fingerprint lists {}, but {blocks} are inlined and {} linked",
            counted(payload.sources.len(), "source"),
            payload.linked.len()
        ));
    }
    if meta.items != Some((blocks, payload.linked.len())) {
        damaged.push(format!(
            "the number of items in META is wrong: {blocks} are inlined and {} linked",
            payload.linked.len()
        ));
    }
    damaged
}

fn leads_outside(path: &str) -> bool {
    Path::new(path).components().any(|part| !matches!(part, std::path::Component::Normal(_)))
}

/// The bytes of a source. A payload shows control characters in names as symbols, so the original name is searched for.
fn bytes_of(root: &Path, path: &str) -> Result<Vec<u8>, String> {
    let read = read_bytes(root, path, u64::MAX);
    if read.is_ok() || !path.contains(|c| matches!(c, '\u{2400}'..='\u{2421}' | '‹')) {
        return read;
    }
    let mut found = String::new();
    for part in path.split('/') {
        let entries = std::fs::read_dir(root.join(&found)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| printable(name) == part).collect();
        names.sort_unstable();
        let Some(name) = names.into_iter().next() else { return read };
        found = if found.is_empty() { name } else { format!("{found}/{name}") };
    }
    read_bytes(root, &found, u64::MAX)
}
