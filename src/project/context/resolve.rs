//! Which files the three levels of `.context` files come to.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{ContextList, Entry, Pattern, Problem, Span, compile};

/// Where an entry comes from; a lower level overrides an upper one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// `global.context`
    Global,
    /// `session.context`
    Session,
    /// `turn.context`
    Turn,
}

/// A file that is in, or some of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The path from the project's root.
    pub path: String,
    /// First and last line, from 1, if not the whole file.
    pub span: Option<Span>,
    /// The lowest level that names it.
    pub level: Level,
}

/// What is known of one file while the entries are gone through.
struct Wanted {
    /// When it was first mentioned.
    order: usize,
    level: Level,
    /// No spans: the whole file.
    spans: Vec<Span>,
    /// Named itself, not through a directory or a glob.
    explicit: bool,
}

/// Resolves `levels`, upper first, against `files`: every candidate path, sorted.
///
/// An entry of a lower level replaces what an upper one said of the same file; within a level several spans of a file add
/// up. `!entry` takes out what came before. The order is that of first mention; what matches nothing is a problem.
pub fn resolve(levels: &[(Level, &ContextList)], files: &[&str]) -> (Vec<Resolved>, Vec<Problem>) {
    let mut wanted: HashMap<&str, Wanted> = HashMap::new();
    let mut problems = Vec::new();
    let mut order = 0;
    for (level, list) in levels {
        for entry in &list.entries {
            let mut report = |why: String| {
                let text = entry.pattern.text().to_owned();
                problems.push(Problem { level: Some(*level), line: entry.line, entry: text, why });
            };
            let matched = matches(&entry.pattern, files);
            if matched.is_empty() {
                report(nothing_matched(&entry.pattern));
                continue;
            }
            let explicit = matched == [entry.pattern.text()];
            if entry.span.is_some() && !explicit && matches!(entry.pattern, Pattern::Path(_)) {
                report("lines can be given for a file, not for a directory".to_owned());
                continue;
            }
            for path in matched {
                if !entry.negated {
                    order += 1;
                    put_in(&mut wanted, path, entry, *level, explicit, order);
                } else if let Some(span) = entry.span {
                    if !take_out_span(&mut wanted, path, span) {
                        report("these lines were not put in on their own; name the lines to keep instead".to_owned());
                    }
                } else {
                    wanted.remove(path);
                }
            }
        }
    }
    (in_order(wanted), problems)
}

/// The paths among `files`, sorted, that a pattern names.
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
        Pattern::Path(_) => "it is not among the project's files: missing, ignored or skipped".to_owned(),
        Pattern::Glob(_) => "it matches none of the project's files".to_owned(),
    }
}

/// Puts in `path` as `entry` says.
fn put_in<'a>(
    wanted: &mut HashMap<&'a str, Wanted>,
    path: &'a str,
    entry: &Entry,
    level: Level,
    explicit: bool,
    order: usize,
) {
    let spans: Vec<_> = entry.span.into_iter().collect();
    let Some(known) = wanted.get_mut(path) else {
        wanted.insert(path, Wanted { order, level, spans, explicit });
        return;
    };
    if level > known.level {
        (known.level, known.spans, known.explicit) = (level, spans, explicit);
        return;
    }
    match (explicit, known.explicit) {
        // A directory or glob says nothing new about a file that the same level names itself.
        (false, true) => {}
        // What names the file itself is more exact than what only covers it.
        (true, false) => (known.spans, known.explicit) = (spans, true),
        // The whole file holds all its lines.
        _ if spans.is_empty() || known.spans.is_empty() => known.spans.clear(),
        _ => {
            known.spans.extend(spans);
            known.spans.sort_unstable();
            known.spans.dedup();
        }
    }
}

/// Takes out lines that were put in as just these lines; `false` if the file is in, but they were not.
fn take_out_span(wanted: &mut HashMap<&str, Wanted>, path: &str, span: Span) -> bool {
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

fn in_order(wanted: HashMap<&str, Wanted>) -> Vec<Resolved> {
    let mut wanted: Vec<_> = wanted.into_iter().collect();
    wanted.sort_by_key(|(_, wanted)| wanted.order);
    let mut resolved = Vec::new();
    for (path, Wanted { level, spans, .. }) in wanted {
        let one = |span| Resolved { path: path.to_owned(), span, level };
        if spans.is_empty() {
            resolved.push(one(None));
        }
        resolved.extend(spans.into_iter().map(|span| one(Some(span))));
    }
    resolved
}
