//! The items of a review that are not files: an overview, a diff for each file, and the commit messages.

use std::fmt::Write as _;
use std::sync::Arc;

use super::super::corpus::Corpus;
use super::super::git::short_id;
use super::super::item::{Item, ItemKind, Source};
use super::{ChangedContent, ChangedFile, FileStatus, Review};
use crate::ids::FileId;
use crate::project::clock;
use crate::text::{counted, printable, thousands};

/// Maximum number of files that the overview lists.
const LISTED: usize = 200;
/// Maximum number of line ranges that the overview lists for a file.
const RANGES: usize = 6;

/// The items of the review, the overview first, then the diffs in order, then the commits.
pub fn items(review: &Review, corpus: &Corpus) -> Vec<Item> {
    let item = |kind: ItemKind, path: String, text: &str, about: Option<FileId>| {
        let (text, _) = corpus.redactor.redact(text, &path);
        Item { kind, path, source: Source::Text(Arc::from(text.as_ref())), about }
    };
    let base = review.base_short();
    let mut items = vec![item(ItemKind::Review, format!("review:{base}"), &overview(review), None)];
    for changed in &review.files {
        if let Some(patch) = patch(changed) {
            items.push(item(ItemKind::Changes, format!("changes:{}", changed.path), &patch, changed.file));
        }
    }
    let commits = commits(review);
    if !commits.is_empty() {
        items.push(item(ItemKind::Commits, format!("commits:{base}..HEAD"), &commits, None));
    }
    items
}

/// One line about the whole review, then one line for each file.
fn overview(review: &Review) -> String {
    let (plus, minus) = review.line_totals();
    let subject = match review.base_subject.as_str() {
        "" => String::new(),
        subject => format!(" ({})", printable(subject)),
    };
    let mut text = format!(
        "Changes since {}{subject}: {}, {} added, {} removed.\n",
        review.base_short(),
        counted(review.files.len() + review.more_files, "file"),
        counted(plus, "line"),
        thousands(minus)
    );
    for file in review.files.iter().take(LISTED) {
        let _ = writeln!(text, "{}", line(file));
    }
    let more = review.files.len().saturating_sub(LISTED) + review.more_files;
    if more > 0 {
        let _ = writeln!(text, "… and {} more files", thousands(more));
    }
    text
}

/// The line of a file, such as `modified src/a.rs (+10 -2), lines 10-24`.
fn line(file: &ChangedFile) -> String {
    let path = printable(&file.path);
    let head = match &file.status {
        FileStatus::Added | FileStatus::Untracked => format!("added {path}"),
        FileStatus::Modified => format!("modified {path}"),
        FileStatus::Deleted => format!("deleted {path}"),
        FileStatus::Renamed { from } => format!("renamed {} -> {path}", printable(from)),
    };
    let mut facts: Vec<String> = Vec::new();
    match &file.content {
        ChangedContent::Text(diff) if file.is_new() => facts.push(counted(diff.plus, "line")),
        ChangedContent::Text(diff) if diff.plus + diff.minus > 0 => {
            facts.push(format!("+{} -{}", thousands(diff.plus), thousands(diff.minus)));
        }
        ChangedContent::Text(_) => {}
        ChangedContent::Binary(before, after) => facts.push(sizes(*before, *after)),
        ChangedContent::Link => facts.push("symbolic link".to_owned()),
        ChangedContent::Submodule(before, after) => facts.push(submodule(before.as_deref(), after.as_deref())),
        ChangedContent::Unread(why) => facts.push(format!("not shown: {why}")),
    }
    if file.status == FileStatus::Untracked {
        facts.push("not tracked yet".to_owned());
    }
    if file.mode_changed {
        facts.push("file mode changed".to_owned());
    }
    if let Some(why) = file.withheld {
        facts.push(format!("{why}, diff omitted"));
    }
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join("; ")) };
    format!("{head}{facts}{}", ranges(file))
}

/// The changed lines of a file that existed before.
fn ranges(file: &ChangedFile) -> String {
    let Some(diff) = file.lines().filter(|_| !file.is_new() && file.withheld.is_none()) else { return String::new() };
    if diff.added.is_empty() {
        return String::new();
    }
    let mut shown: Vec<String> = diff.added.iter().take(RANGES).map(|span| range(*span)).collect();
    if diff.added.len() > RANGES {
        shown.push(format!("… {} more", diff.added.len() - RANGES));
    }
    let word = if diff.added.len() == 1 && diff.added[0].0 == diff.added[0].1 { "line" } else { "lines" };
    format!(", {word} {}", shown.join(", "))
}

/// Formats a range: `10-24`, or `10`.
pub fn range((first, last): (u32, u32)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

fn sizes(before: Option<u64>, after: Option<u64>) -> String {
    let bytes = |size: u64| thousands(usize::try_from(size).unwrap_or(usize::MAX));
    match (before, after) {
        (Some(before), Some(after)) => format!("binary, {} -> {} bytes", bytes(before), bytes(after)),
        (Some(size), None) | (None, Some(size)) => format!("binary, {} bytes", bytes(size)),
        (None, None) => "binary".to_owned(),
    }
}

fn submodule(before: Option<&str>, after: Option<&str>) -> String {
    match (before, after) {
        (Some(before), Some(after)) => format!("submodule {} -> {}", short_id(before), short_id(after)),
        (None, Some(commit)) | (Some(commit), None) => format!("submodule {}", short_id(commit)),
        (None, None) => "submodule".to_owned(),
    }
}

/// The diff of a file as git prints it. `None` if it has no lines, or if the whole file is new, because the file itself
/// is then shown.
fn patch(file: &ChangedFile) -> Option<String> {
    let diff = file.lines().filter(|diff| !diff.hunks.is_empty())?;
    if file.is_new() && file.file.is_some() {
        return None;
    }
    let path = &file.path;
    let (old, names) = match &file.status {
        FileStatus::Renamed { from } => {
            (from, format!("rename from {from}\nrename to {path}\n--- a/{from}\n+++ b/{path}\n"))
        }
        FileStatus::Deleted => (path, format!("deleted file\n--- a/{path}\n+++ /dev/null\n")),
        FileStatus::Added | FileStatus::Untracked => (path, format!("new file\n--- /dev/null\n+++ b/{path}\n")),
        FileStatus::Modified => (path, format!("--- a/{path}\n+++ b/{path}\n")),
    };
    Some(format!("diff --git a/{old} b/{path}\n{names}{}", diff.hunks.concat()))
}

/// The messages of the commits, oldest first.
fn commits(review: &Review) -> String {
    let mut text = String::new();
    if review.more_commits {
        text.push_str("… older commits omitted\n\n");
    }
    for commit in review.commits.iter().rev() {
        let day = &clock::iso(commit.time)[..10];
        let mut lines = commit.message.lines();
        let merge = if commit.is_merge { " (merge)" } else { "" };
        let _ = writeln!(text, "{} {day}{merge} {}", short_id(&commit.id), lines.next().unwrap_or_default());
        if commit.is_merge {
            continue;
        }
        for line in lines {
            let _ = writeln!(text, "{}", format!("    {line}").trim_end());
        }
    }
    text
}
