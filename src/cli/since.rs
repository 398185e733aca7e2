//! What changed since the payload that was delivered last, or since the head commit where there is none.

use std::collections::{HashMap, HashSet};
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

use super::world::World;
use crate::gather::corpus::hex;
use crate::gather::git;
use crate::gather::read;
use crate::gather::{Corpus, SourceFile};
use crate::project::session::Session;
use crate::project::turn::{self, Turn, TurnId};
use crate::tui::Difference;

/// The sources of a payload as they were when it was delivered.
pub struct Delivered {
    /// The turn it was delivered in.
    pub turn: TurnId,
    /// The sha256 of each source's bytes, by path.
    sums: HashMap<String, String>,
    /// When it was delivered, in seconds since 1970.
    at: i64,
}

impl Delivered {
    /// What the last turn before this one delivered; `None` where none did.
    pub fn before(world: &World, session: &Session, this: TurnId) -> Option<Self> {
        let earlier = turn::turns(session).into_iter().rev().filter(|id| *id < this);
        let mut earlier = earlier;
        earlier.find_map(|id| Self::of(world, &Turn::open(session, id).ok()?))
    }

    /// What this turn delivered; `None` if it has not yet.
    pub fn of(world: &World, turn: &Turn) -> Option<Self> {
        let text = world.project.as_ref()?.read(&turn.checkpoint_file()).ok()??;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        let sum = |artifact: &serde_json::Value| {
            Some((artifact["path"].as_str()?.to_owned(), artifact["sha256"].as_str()?.to_owned()))
        };
        let written = turn.checkpoint_file().metadata().and_then(|meta| meta.modified()).ok()?;
        let at = written.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs().cast_signed());
        Some(Self { turn: turn.id(), at, sums: value["artifacts"].as_array()?.iter().filter_map(sum).collect() })
    }

    /// The items whose files were its sources and are not what they were.
    pub fn sources_changed(&self, corpus: &Corpus) -> HashSet<usize> {
        let sources = self.sums.iter().filter_map(|(path, sum)| Some((corpus.find(path)?, sum)));
        sources.filter(|(file, sum)| corpus.file_text(*file).sha256 != **sum).map(|(file, _)| file).collect()
    }

    /// What it is called on the screen.
    pub fn name(&self) -> String {
        format!("turn {}", self.turn)
    }
}

/// The items whose files changed since then; without a delivered payload, those that differ from the head commit.
pub fn changed(delivered: Option<&Delivered>, corpus: &Corpus) -> HashSet<usize> {
    let Some(delivered) = delivered else {
        let dirty = corpus.git.iter().flat_map(|git| &git.dirty);
        return dirty.filter_map(|(path, _)| corpus.find(path)).collect();
    };
    let mut changed = delivered.sources_changed(corpus);
    // Of what was not in the payload nobody knows the text of then; its time tells.
    let newer = |file: &SourceFile| !delivered.sums.contains_key(&file.path) && file.modified > delivered.at;
    changed.extend(corpus.files.iter().enumerate().filter(|(_, file)| newer(file)).map(|(at, _)| at));
    changed
}

/// The difference of one file since the payload, or since the head commit; secrets are replaced on both sides.
pub fn difference(delivered: Option<&Delivered>, corpus: &Corpus, file: usize) -> Difference {
    let path = &corpus.files[file].path;
    let now = corpus.file_text(file);
    let against = |since: String, old: Option<Vec<u8>>| {
        let old = old.and_then(|bytes| read::decode(bytes).ok()).map(|(text, _)| text).unwrap_or_default();
        let (old, _) = corpus.redactor.redact(&old, path);
        Difference { since, text: git::difference(&old, &now.shown, path) }
    };
    let git = git::open(&corpus.root);
    let known = delivered.and_then(|delivered| Some((delivered.name(), delivered.sums.get(path)?)));
    let mut lost = String::new();
    if let Some((turn, sum)) = known {
        if now.sha256 == *sum {
            return Difference { since: turn, text: String::new() };
        }
        let fits = |bytes: &[u8]| hex(&Sha256::digest(bytes)) == *sum;
        if let Ok(Some(git)) = &git
            && let Some(old) = git.earlier_bytes(path, &fits)
        {
            return against(turn, Some(old));
        }
        lost = format!(" (it changed since {turn}, but git does not have the text of then)");
    } else if let Some(delivered) = delivered {
        lost = format!(" (it was not in the payload of {})", delivered.name());
    }
    match git {
        Ok(Some(git)) => against(format!("the head commit{lost}"), git.head_bytes(path)),
        Ok(None) if lost.is_empty() => Difference {
            since: String::new(),
            text: "no payload was delivered yet and this is no git repository: there is nothing to compare with"
                .to_owned(),
        },
        Ok(None) => Difference { since: String::new(), text: format!("nothing to compare with{lost}") },
        Err(why) => Difference { since: String::new(), text: format!("git says: {why}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(root: &std::path::Path, message: &str) {
        for arguments in
            [vec!["add", "-A"], vec!["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", message]]
        {
            let done = std::process::Command::new("git").args(arguments).current_dir(root).output().unwrap();
            assert!(done.status.success(), "{done:?}");
        }
    }

    fn corpus(root: &std::path::Path) -> Corpus {
        let world = World::open(Some(root)).unwrap();
        let task = crate::score::Task { text: "a", plan: None, focus: &[] };
        super::super::run::gather(&world, &task, true).unwrap()
    }

    #[test]
    fn a_file_is_compared_with_what_was_delivered_even_if_the_head_moved_on() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let write = |text: &str| std::fs::write(root.join("a.rs"), text).unwrap();
        std::process::Command::new("git").args(["init", "-q"]).current_dir(&root).output().unwrap();
        write("one\n");
        commit(&root, "one");
        let sums = HashMap::from([("a.rs".to_owned(), hex(&Sha256::digest(b"one\n")))]);
        let turn = TurnId { number: 1, branch: None };
        let delivered = Delivered { turn, sums, at: i64::MAX };
        let same = difference(Some(&delivered), &corpus(&root), 0);
        assert_eq!((same.since.as_str(), same.text.as_str()), ("turn 01", ""));
        write("two\n");
        commit(&root, "two");
        write("three\n");
        let now = corpus(&root);
        assert_eq!(changed(Some(&delivered), &now), HashSet::from([0]));
        let since = difference(Some(&delivered), &now, 0);
        assert!(since.since == "turn 01" && since.text.contains("-one\n+three\n"), "{since:?}");
        let unknown = Delivered { turn, sums: HashMap::new(), at: now.files[0].modified - 1 };
        assert_eq!(changed(Some(&unknown), &now), HashSet::from([0]), "written after it was delivered");
        // Without a payload, and with one whose text nobody has, the head commit stands in and says so.
        let head = difference(None, &now, 0);
        assert!(head.since == "the head commit" && head.text.contains("-two\n+three\n"), "{head:?}");
        let lost = Delivered { turn, sums: HashMap::from([("a.rs".to_owned(), "00".to_owned())]), at: 0 };
        let lost = difference(Some(&lost), &now, 0);
        assert!(lost.since.contains("git does not have") && lost.text.contains("-two\n+three\n"), "{lost:?}");
    }

    #[test]
    fn secrets_are_in_neither_side_of_a_difference() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let secret = |tail: &str| format!("x = 1\npassword = \"{}{tail}\"\n", "qZ7vT2mXw9");
        std::process::Command::new("git").args(["init", "-q"]).current_dir(&root).output().unwrap();
        std::fs::write(root.join("a.py"), secret("Lk4RbP")).unwrap();
        commit(&root, "one");
        std::fs::write(root.join("a.py"), secret("Hs8NcD") + "y = 2\n").unwrap();
        let shown = difference(None, &corpus(&root), 0).text;
        assert!(shown.contains("+y = 2") && !shown.contains("qZ7vT2mXw9"), "{shown}");
    }
}
