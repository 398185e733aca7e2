//! Extracts the facts about one file from its bytes.

use std::sync::OnceLock;

use super::corpus::{SourceFile, count_lines};
use super::notebook;
use super::own_payloads::{OWN_PAYLOAD, is_own_payload};
use super::read::{decode, too_large};
use super::role::{Role, looks_generated};
use super::terms::TermCounts;
use crate::outline::imports::imports_of;
use crate::outline::language::Language;
use crate::outline::symbols::symbols;

/// Extracts the facts about a file, except for its times. The error is the reason for skipping the file. `count` counts
/// the text's terms.
pub(super) fn parse_file(
    path: &str,
    bytes: &[u8],
    limit: u64,
    count: impl FnOnce(&str) -> TermCounts,
) -> Result<SourceFile, String> {
    let text = decode(path, bytes)?.text;
    // The outputs of a notebook do not count toward its size.
    let size = if notebook::is_notebook(path) { text.len() } else { bytes.len() } as u64;
    if size > limit {
        return Err(too_large(size, limit));
    }
    if is_own_payload(&text) {
        return Err(OWN_PAYLOAD.to_owned());
    }
    let language = Language::of(path, text.lines().next().unwrap_or_default());
    let generated = looks_generated(&text);
    Ok(SourceFile {
        role: if generated { Role::Generated } else { Role::Source },
        bytes: bytes.len() as u64,
        lines: count_lines(&text),
        modified: 0,
        imports: imports_of(path, language, &text).into(),
        symbols: language
            .filter(|language| language.is_code() && !generated)
            .map(|language| symbols(language, &text))
            .unwrap_or_default(),
        terms: count(&text),
        is_marked_generated: generated,
        stamp: None,
        blob: None,
        text: OnceLock::new(),
        language,
        path: path.to_owned(),
    })
}
