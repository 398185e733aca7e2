//! Second step of building a pack: changes and observations, as summaries.

use std::path::Path;

use super::Packer;
use super::model::Artifact;
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::render::exclusion::Exclusion;
use crate::text::{counted, printable};

/// Maximum number of entries, unless more are pinned.
const MOST: usize = 10;
/// Maximum share of the limit for changes. Evidence has a separate share of the same size.
const SHARE: usize = 6;
/// Maximum tokens of an entry that is not evidence.
const SUMMARY_TOKENS: usize = 90;
/// Maximum number of changed lines that the summary of a diff shows.
const CHANGED_LINES: usize = 3;
const CHANGED_CHARS: usize = 90;

impl Packer {
    /// Evidence, changes, earlier plans and reports, limited to their share of `limit`.
    pub(super) fn deltas(&self, exclusion: &Exclusion, limit: usize) -> Vec<Artifact> {
        let order = [
            ItemKind::Evidence,
            ItemKind::Review,
            ItemKind::Delta,
            ItemKind::Changes,
            ItemKind::History,
            ItemKind::Command,
            ItemKind::Commits,
        ];
        let mut found: Vec<Artifact> = Vec::new();
        let share = limit / SHARE;
        let (mut evidence_room, mut room) = (share, share);
        for kind in order {
            for (item, entry) in ItemId::enumerate(&self.corpus.items).filter(|(_, entry)| entry.kind == kind) {
                if found.len() == MOST || exclusion.holds(item) || exclusion.named_in(&entry.path) {
                    continue;
                }
                let (left, most) = match kind {
                    ItemKind::Evidence => (&mut evidence_room, share / 2),
                    _ => (&mut room, SUMMARY_TOKENS),
                };
                let Some(artifact) = self.artifact(item, true, most, exclusion) else { continue };
                let tokens = self.count(&serde_json::to_string(&artifact).unwrap_or_default()) + 1;
                if tokens <= *left {
                    *left -= tokens;
                    found.push(artifact);
                }
            }
        }
        found
    }

    /// An item that is not a file, in full or as a summary of at most this many tokens.
    pub(super) fn artifact(&self, item: ItemId, short: bool, most: usize, exclusion: &Exclusion) -> Option<Artifact> {
        let entry = &self.corpus.items[item];
        let text = self.corpus.item_text(item);
        let kept = exclusion.strip(entry.kind, &text.shown);
        if kept.trim().is_empty() || exclusion.named_in(&entry.path) {
            return None;
        }
        let said = match (entry.kind, short) {
            (_, false) => kept.to_string(),
            (ItemKind::Changes | ItemKind::Delta, true) => self.cut(&diff_summary(&kept), most.min(SUMMARY_TOKENS)),
            (ItemKind::Evidence, true) => self.cut(kept.trim(), most.min(SUMMARY_TOKENS * 8)),
            (_, true) => self.cut(kept.trim(), most.min(SUMMARY_TOKENS)),
        };
        let summary = Some(said).filter(|said| !said.is_empty() && !exclusion.named_in(said));
        let (kind, name) = match entry.kind {
            ItemKind::Changes | ItemKind::Delta => ("diff", entry.path.clone()),
            ItemKind::History => ("report", self.history_ref(&entry.path)),
            ItemKind::Evidence | ItemKind::Commits | ItemKind::Command | ItemKind::Review => {
                ("log", entry.path.clone())
            }
            ItemKind::File | ItemKind::Doc | ItemKind::Memo => ("unknown", entry.path.clone()),
        };
        let sha256 = Some(text.sha256.clone());
        Some(Artifact { r#ref: printable(&name).into_owned(), r#type: kind.to_owned(), summary, sha256 })
    }

    /// The file with the text of an earlier turn: `history:01/plan.md` is a file of the session.
    fn history_ref(&self, label: &str) -> String {
        let inside =
            label.strip_prefix("history:").filter(|inside| inside.contains('/') && !self.meta.session.is_empty());
        let file = match inside {
            Some(inside) if inside.ends_with("/handoff") => format!("{inside}.json"),
            Some(inside) if Path::new(inside).extension().is_some() => inside.to_owned(),
            _ => return label.to_owned(),
        };
        format!(".teddy/sessions/{}/{file}", self.meta.session)
    }
}

/// The size of a diff, and its first changed lines.
fn diff_summary(diff: &str) -> String {
    let in_body = |line: &&str| !line.starts_with("+++") && !line.starts_with("---");
    let changed: Vec<&str> = diff.lines().filter(|line| line.starts_with(['+', '-'])).filter(in_body).collect();
    let count = |sign: char| changed.iter().filter(|line| line.starts_with(sign)).count();
    let hunks = diff.lines().filter(|line| line.starts_with("@@")).count();
    let telling = changed.iter().filter(|line| line[1..].chars().any(char::is_alphanumeric)).take(CHANGED_LINES);
    let shown: Vec<String> = telling.map(|line| line.chars().take(CHANGED_CHARS).collect()).collect();
    let hunks = counted(hunks, "hunk");
    format!("+{} -{} lines in {hunks}\n{}", count('+'), count('-'), shown.join("\n")).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::render::{PayloadMeta, samples};

    #[test]
    fn a_diff_is_summarized_in_a_few_lines() {
        let diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-old line\n+new line\n+\n+}\n+second\n+third\n@@ -9 +9 @@\n-x\n";
        assert_eq!(diff_summary(diff), "+5 -2 lines in 2 hunks\n-old line\n+new line\n+second");
        assert_eq!(diff_summary(""), "+0 -0 lines in 0 hunks");
    }

    #[test]
    fn artifacts_have_references_and_a_limited_number() {
        let (_dir, mut corpus) = samples::corpus(&[("a.py", "x = 1\n")]);
        for number in 0..MOST + 2 {
            samples::add_text(&mut corpus, ItemKind::Evidence, &format!("evidence:{number:02}"), "boom\n");
        }
        samples::add_text(&mut corpus, ItemKind::Changes, "changes:a.py", "@@ -1 +1 @@\n-x\n+y\n");
        let corpus = Arc::new(corpus);
        let packer = |session: &str| {
            let meta = PayloadMeta { session: session.to_owned(), ..samples::plain_meta() };
            Packer::new(Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), meta)
        };
        let inside = packer("20260124-x");
        for (label, file) in [
            ("history:01/plan.md", ".teddy/sessions/20260124-x/01/plan.md"),
            ("history:01/handoff", ".teddy/sessions/20260124-x/01/handoff.json"),
            ("history:01/notes", "history:01/notes"),
            ("history:plan.md", "history:plan.md"),
            ("plan.md", "plan.md"),
        ] {
            assert_eq!(inside.history_ref(label), file);
        }
        assert_eq!(packer("").history_ref("history:01/plan.md"), "history:01/plan.md");
        let named = |limit: usize| {
            inside.deltas(&Exclusion::default(), limit).into_iter().map(|found| found.r#ref).collect::<Vec<_>>()
        };
        assert_eq!(named(100_000).len(), MOST);
        // Evidence has a separate share, so that it does not displace changes.
        let some = named(1_000);
        assert!((2..MOST).contains(&some.len()) && some.last().is_some_and(|last| last == "changes:a.py"), "{some:?}");
        assert_eq!(named(0), Vec::<String>::new());
    }
}
