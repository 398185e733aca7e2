//! Candidates that are not files: memos, uncommitted changes, commits, answers and reports of earlier turns, command
//! output.

use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::corpus::Corpus;
use super::git::{self, StatusChange};
use super::item::{Item, ItemKind, Source};
use super::review;
use crate::ids::FileId;
use crate::process;
use crate::redact::Policy;

/// Maximum number of diffs per run.
const MOST_CHANGES: usize = 40;
/// Maximum number of commits per file.
const MOST_COMMITS: usize = 8;
/// Limits for a command's output and time.
const COMMAND_BYTES: u64 = 200_000;
const COMMAND_TIME: Duration = Duration::from_secs(20);
/// Time that the output may take after the command has ended.
const OUTPUT_TIME: Duration = Duration::from_secs(2);

fn text_item(kind: ItemKind, path: String, text: &str, about: Option<FileId>, redactor: &Policy) -> Item {
    let (text, _) = redactor.redact(text, &path);
    Item { kind, path, source: Source::Text(Arc::from(text.as_ref())), about }
}

/// Creates an item for each memo: `memo:1` and so on.
pub fn memos(memos: &[String], redactor: &Policy) -> Vec<Item> {
    let item = |(index, memo): (usize, &String)| {
        text_item(ItemKind::Memo, format!("memo:{}", index + 1), &format!("{memo}\n"), None, redactor)
    };
    memos.iter().enumerate().map(item).collect()
}

/// Creates an item for each label and its text, such as the answer of the previous turn.
pub fn texts(kind: ItemKind, texts: &[(String, String)], redactor: &Policy) -> Vec<Item> {
    texts
        .iter()
        .map(|(label, text)| text_item(kind, format!("{}:{label}", kind.name()), text, None, redactor))
        .collect()
}

/// Creates an item for each tracked file that differs from HEAD, with its diff. In a review, these are the changes
/// since its base. Untracked files are already items.
pub fn changes(corpus: &Corpus) -> Vec<Item> {
    if let Some(review) = &corpus.review {
        return review::items(review, corpus);
    }
    let Some(facts) = &corpus.git else { return Vec::new() };
    let dirty = facts
        .dirty
        .iter()
        .filter(|(_, change)| matches!(change, StatusChange::Modified | StatusChange::Added | StatusChange::Deleted));
    let mut dirty = dirty.take(MOST_CHANGES).peekable();
    if dirty.peek().is_none() {
        return Vec::new();
    }
    let Ok(Some(git)) = git::open(&corpus.root) else { return Vec::new() };
    dirty
        .filter_map(|(path, _)| {
            let patch = git.patch(&corpus.root, path);
            let about = corpus.find(path);
            let label = format!("changes:{path}");
            (!patch.is_empty()).then(|| text_item(ItemKind::Changes, label, &patch, about, &corpus.redactor))
        })
        .collect()
}

/// Creates an item for each target, with the subjects of the last commits that changed it.
pub fn commits(corpus: &Corpus, targets: &[FileId]) -> Vec<Item> {
    let Some(facts) = &corpus.git else { return Vec::new() };
    let item = |target: &FileId| {
        let path = &corpus.files.get(target.index())?.path;
        let touching = facts.commits.iter().filter(|commit| commit.paths.contains(path)).take(MOST_COMMITS);
        let lines: Vec<String> = touching
            .map(|commit| {
                let subject = commit.message.lines().next().unwrap_or_default();
                format!(
                    "{} {} {subject}\n",
                    &commit.id[..commit.id.len().min(9)],
                    &crate::project::clock::iso(commit.time)[..10]
                )
            })
            .collect();
        let label = format!("commits:{path}");
        (!lines.is_empty())
            .then(|| text_item(ItemKind::Commits, label, &lines.concat(), Some(*target), &corpus.redactor))
    };
    targets.iter().filter_map(item).collect()
}

/// Runs a shell command; returns its output and, if it failed, its exit status.
pub fn run_command(script: &str, root: &Path) -> String {
    let mut command = process::shell(&format!("{script} 2>&1"));
    command.current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return format!("(cannot start: {error})\n"),
    };
    let (sender, output) = mpsc::channel();
    if let Some(pipe) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.take(COMMAND_BYTES).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    let ending = match process::wait_until(&mut child, Instant::now() + COMMAND_TIME) {
        Ok(Some(status)) if status.success() => String::new(),
        Ok(Some(status)) => format!("({status})\n"),
        Ok(None) => format!("(stopped after {} seconds)\n", COMMAND_TIME.as_secs()),
        Err(error) => format!("({error})\n"),
    };
    // A background process may keep the pipe open after the shell has exited.
    let bytes = output.recv_timeout(OUTPUT_TIME).unwrap_or_default();
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text + &ending
}
