//! Resolves the three levels of `.context` files to a list of files.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{ContextList, EntryProblem, Pattern, compile};
use crate::project::line_spec::{LineSpec, PinnedLines};

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

/// An included file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedEntry {
    /// Path from the project root.
    pub path: String,
    /// The included lines, in order; empty means the whole file.
    pub lines: Vec<PinnedLines>,
    /// The lowest level that names it.
    pub level: ContextLevel,
}

/// Finds lines of a file. Also returns an error that names the lines that do not exist.
pub type FindLines<'a> = dyn Fn(&str, &LineSpec) -> (Vec<PinnedLines>, Option<String>) + 'a;

/// State of one file while entries are applied.
struct Inclusion {
    /// Position of its first mention.
    order: usize,
    level: ContextLevel,
    /// Included lines; empty means the whole file.
    lines: Vec<PinnedLines>,
    /// True if an entry names the file itself, and not only a directory or glob.
    explicit: bool,
}

/// Resolves `levels`, highest first, against `files`, which are all candidate paths in order. `find` resolves entries
/// with lines.
///
/// An entry of a lower level replaces higher entries for the same file. Within a level, lines of a file add up.
/// `!entry` removes earlier entries. Files are in the order in which they are first named. An entry without matches is
/// a problem.
pub fn resolve(
    levels: &[(ContextLevel, &ContextList)],
    files: &[&str],
    find: &FindLines<'_>,
) -> (Vec<ResolvedEntry>, Vec<EntryProblem>) {
    let mut wanted: HashMap<&str, Inclusion> = HashMap::new();
    let mut problems = Vec::new();
    let mut order = 0;
    for (level, list) in levels {
        for entry in &list.entries {
            let mut entry = entry.clone();
            if entry.as_name.as_deref().is_some_and(|name| files.binary_search(&name).is_ok()) {
                entry.take_as_name();
            }
            let mut report = |why: String| {
                problems.push(EntryProblem { level: Some(*level), line: entry.line, entry: entry.text(), why });
            };
            let matched = matches(&entry.pattern, files);
            if matched.is_empty() {
                report(nothing_matched(&entry.pattern));
                continue;
            }
            let explicit = matched == [entry.pattern.text()];
            if !entry.is_whole() && !explicit && matches!(entry.pattern, Pattern::Path(_)) {
                report("a line range needs a file, not a directory".to_owned());
                continue;
            }
            for path in matched {
                let (lines, problem) = entry.lines.as_ref().map(|lines| find(path, lines)).unwrap_or_default();
                if let Some(why) = problem {
                    report(why);
                }
                if lines.is_empty() && !entry.is_whole() {
                    continue;
                }
                if !entry.negated {
                    order += 1;
                    include(&mut wanted, path, lines, *level, explicit, order);
                } else if !entry.is_whole() {
                    if !remove_lines(&mut wanted, path, &lines) {
                        report("no earlier entry added exactly these lines; list the lines to keep instead".to_owned());
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

/// Includes `lines` of `path`, or the whole file if `lines` is empty.
fn include<'a>(
    wanted: &mut HashMap<&'a str, Inclusion>,
    path: &'a str,
    lines: Vec<PinnedLines>,
    level: ContextLevel,
    explicit: bool,
    order: usize,
) {
    let Some(known) = wanted.get_mut(path) else {
        wanted.insert(path, Inclusion { order, level, lines, explicit });
        return;
    };
    if level > known.level {
        (known.level, known.lines, known.explicit) = (level, lines, explicit);
        return;
    }
    match (explicit, known.explicit) {
        // A directory or glob does not change a file that the same level names itself.
        (false, true) => {}
        // The file's own name takes precedence over a directory or glob.
        (true, false) => (known.lines, known.explicit) = (lines, true),
        // If the whole file is included, its lines need no separate entry.
        _ if lines.is_empty() || known.lines.is_empty() => known.lines.clear(),
        _ => known.lines.extend(lines),
    }
}

/// Removes lines that an earlier entry added in the same form. Returns false if the file was included in another form.
fn remove_lines(wanted: &mut HashMap<&str, Inclusion>, path: &str, lines: &[PinnedLines]) -> bool {
    let Some(known) = wanted.get_mut(path) else { return true };
    let before = known.lines.len();
    known.lines.retain(|have| lines.iter().all(|line| line.span != have.span));
    if known.lines.len() == before {
        return false;
    }
    if known.lines.is_empty() {
        wanted.remove(path);
    }
    true
}

fn in_order(wanted: HashMap<&str, Inclusion>) -> Vec<ResolvedEntry> {
    let mut wanted: Vec<_> = wanted.into_iter().collect();
    wanted.sort_by_key(|(_, wanted)| wanted.order);
    let resolved = wanted.into_iter().map(|(path, Inclusion { level, mut lines, .. })| {
        lines.sort_unstable();
        lines.dedup();
        ResolvedEntry { path: path.to_owned(), lines, level }
    });
    resolved.collect()
}
