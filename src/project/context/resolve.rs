//! Resolves the three levels of `.context` files to a list of files.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{ContextEntry, ContextList, EntryProblem, Pattern, Span, compile};

/// Level of an entry; lower levels override higher ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextLevel {
    /// `global.context`
    Global,
    /// `session.context`
    Session,
    /// `turn.context`
    Turn,
}

/// An included file or span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedEntry {
    /// Path from the project root.
    pub path: String,
    /// First and last line, from 1; `None` is the whole file.
    pub span: Option<Span>,
    /// The lowest level that names it.
    pub level: ContextLevel,
}

/// State of one file while entries are applied.
struct Inclusion {
    /// Position of its first mention.
    order: usize,
    level: ContextLevel,
    /// Included spans; empty means the whole file.
    spans: Vec<Span>,
    /// True if named directly, not through a directory or glob.
    explicit: bool,
}

/// Resolves `levels`, highest first, against `files`, all candidate paths in order.
///
/// An entry of a lower level replaces higher entries for the same file; within a level, spans of a file add
/// up. `!entry` removes earlier entries. Files are in order of first mention; an entry without matches is a problem.
pub fn resolve(levels: &[(ContextLevel, &ContextList)], files: &[&str]) -> (Vec<ResolvedEntry>, Vec<EntryProblem>) {
    let mut wanted: HashMap<&str, Inclusion> = HashMap::new();
    let mut problems = Vec::new();
    let mut order = 0;
    for (level, list) in levels {
        for entry in &list.entries {
            let mut report = |why: String| {
                let text = entry.pattern.text().to_owned();
                problems.push(EntryProblem { level: Some(*level), line: entry.line, entry: text, why });
            };
            let matched = matches(&entry.pattern, files);
            if matched.is_empty() {
                report(nothing_matched(&entry.pattern));
                continue;
            }
            let explicit = matched == [entry.pattern.text()];
            if entry.span.is_some() && !explicit && matches!(entry.pattern, Pattern::Path(_)) {
                report("a line range needs a file, not a directory".to_owned());
                continue;
            }
            for path in matched {
                if !entry.negated {
                    order += 1;
                    put_in(&mut wanted, path, entry, *level, explicit, order);
                } else if let Some(span) = entry.span {
                    if !take_out_span(&mut wanted, path, span) {
                        report("these lines were not added by themselves; list the lines to keep instead".to_owned());
                    }
                } else {
                    wanted.remove(path);
                }
            }
        }
    }
    (in_order(wanted), problems)
}

/// Paths in the sorted `files` that match a pattern.
fn matches<'a>(pattern: &Pattern, files: &[&'a str]) -> Vec<&'a str> {
    let text = pattern.text();
    if let Ok(at) = files.binary_search(&text) {
        return vec![files[at]];
    }
    match pattern {
        Pattern::Path(_) if text.is_empty() => files.to_vec(),
        Pattern::Path(_) => {
            let below = format!("{}/", text.trim_end_matches('/'));
            let start = files.partition_point(|file| *file < below.as_str());
            files[start..].iter().take_while(|file| file.starts_with(&below)).copied().collect()
        }
        Pattern::Glob(_) => match compile(text) {
            Ok(glob) => files.iter().filter(|file| glob.is_match(file)).copied().collect(),
            Err(_) => Vec::new(),
        },
    }
}

fn nothing_matched(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Path(_) => "no such file in the project: missing, ignored or skipped".to_owned(),
        Pattern::Glob(_) => "it matches no file of the project".to_owned(),
    }
}

/// Includes `path` as specified by `entry`.
fn put_in<'a>(
    wanted: &mut HashMap<&'a str, Inclusion>,
    path: &'a str,
    entry: &ContextEntry,
    level: ContextLevel,
    explicit: bool,
    order: usize,
) {
    let spans: Vec<_> = entry.span.into_iter().collect();
    let Some(known) = wanted.get_mut(path) else {
        wanted.insert(path, Inclusion { order, level, spans, explicit });
        return;
    };
    if level > known.level {
        (known.level, known.spans, known.explicit) = (level, spans, explicit);
        return;
    }
    match (explicit, known.explicit) {
        // A directory or glob does not change a file named directly on the same level.
        (false, true) => {}
        // A direct name takes precedence over a directory or glob.
        (true, false) => (known.spans, known.explicit) = (spans, true),
        // The whole file includes every span.
        _ if spans.is_empty() || known.spans.is_empty() => known.spans.clear(),
        _ => {
            known.spans.extend(spans);
            known.spans.sort_unstable();
            known.spans.dedup();
        }
    }
}

/// Removes a span that was added as exactly this span; `false` if the file is included otherwise.
fn take_out_span(wanted: &mut HashMap<&str, Inclusion>, path: &str, span: Span) -> bool {
    let Some(known) = wanted.get_mut(path) else { return true };
    let before = known.spans.len();
    known.spans.retain(|have| *have != span);
    if known.spans.len() == before {
        return false;
    }
    if known.spans.is_empty() {
        wanted.remove(path);
    }
    true
}

fn in_order(wanted: HashMap<&str, Inclusion>) -> Vec<ResolvedEntry> {
    let mut wanted: Vec<_> = wanted.into_iter().collect();
    wanted.sort_by_key(|(_, wanted)| wanted.order);
    let mut resolved = Vec::new();
    for (path, Inclusion { level, spans, .. }) in wanted {
        let one = |span| ResolvedEntry { path: path.to_owned(), span, level };
        if spans.is_empty() {
            resolved.push(one(None));
        }
        resolved.extend(spans.into_iter().map(|span| one(Some(span))));
    }
    resolved
}
