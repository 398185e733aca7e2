//! The person's edits of `turn.context`, which become overrides.

use std::collections::BTreeMap;
use std::path::Path;

use crate::place::{Override, Tier};
use crate::project::context::{self, ContextEntry, ContextList};
use crate::project::line_spec::LineSpec;
use crate::project::turn::TurnRecord;
use crate::workbench::{Step, Verb, lines};

/// The recorded lines of each path; empty for a file that is listed in full.
pub(super) fn by_path(listed: &[String], is_file: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<LineSpec>> {
    let mut found: BTreeMap<String, Vec<LineSpec>> = BTreeMap::new();
    for text in listed {
        match LineSpec::split(text).ok().flatten().filter(|_| !is_file(text)) {
            Some((path, lines)) => found.entry(path.to_owned()).or_default().extend(lines.each()),
            None => drop(found.entry(text.clone()).or_default()),
        }
    }
    found
}

/// Returns true if teddy wrote this entry, according to the record.
pub fn is_ours(record: &TurnRecord, entry: &ContextEntry) -> bool {
    let path = entry.pattern.text();
    let recorded = |lines: &[String]| match &entry.lines {
        None => lines.iter().any(|line| line == path),
        Some(named) => {
            let ours = by_path(lines, |_| false).remove(path).unwrap_or_default();
            named.each().iter().all(|line| ours.contains(line))
        }
    };
    !entry.negated && recorded(&record.raw) && !(entry.is_whole() && recorded(&record.carried))
}

/// Converts the person's edits to steps: an added file is pinned, a removed file is demoted, and removed lines are
/// unpinned.
pub fn edits(root: &Path, list: &ContextList, text: &str, record: &TurnRecord) -> Vec<Step> {
    let known = |path: &str| record.raw.iter().any(|known| known == path);
    let plain = list.entries.iter().filter(|entry| !entry.negated && entry.is_whole());
    let paths = plain.map(|entry| entry.pattern.text()).filter(|path| !known(path) && root.join(path).is_file());
    let mut pinned: Vec<String> = paths.map(ToOwned::to_owned).collect();
    let mut taken_out = Vec::new();
    for (path, ours) in by_path(&record.raw, |path| root.join(path).is_file()) {
        if !context::covers(text, &path) {
            taken_out.push(path);
            continue;
        }
        let is_listed = |line: &&LineSpec| context::with_added_lines(text, &path, line) == text;
        let left: Vec<LineSpec> = ours.iter().filter(is_listed).cloned().collect();
        if left.len() < ours.len() && !left.is_empty() {
            pinned.extend(LineSpec::joined(&left).iter().map(|lines| lines.of_file(&path)));
        }
    }
    let steps = [(Override::Demote(Tier::Linked), taken_out), (Override::Pin, pinned)];
    let made = steps.into_iter().filter(|(_, targets)| !targets.is_empty());
    made.map(|(overridden, targets)| Step { verb: Verb::Set(overridden), targets }).collect()
}

/// Records edits that were converted to steps, so that they are converted only once.
pub fn record_edits(record: &mut TurnRecord, edits: &[Step]) {
    for edit in edits {
        let paths: Vec<&str> = edit.targets.iter().map(|target| lines::path_in(target)).collect();
        record.raw.retain(|line| !edit.targets.contains(line) && !paths.contains(&lines::path_in(line)));
        if edit.verb == Verb::Set(Override::Pin) {
            record.raw.extend(edit.targets.iter().cloned());
        }
    }
}
