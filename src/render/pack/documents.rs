//! First step of building a pack: the contract documents, with the headings that match the task.

use super::Packer;
use super::anchors::{Heading, headings};
use super::model::{DocRef, Priority};
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::place::{Form, LINKED_FROM, RAW_FROM};
use crate::render::exclusion::Exclusion;
use crate::render::group::states_rules;
use crate::text::printable;

/// Maximum number of documents, unless more are pinned.
const MOST_DOCUMENTS: usize = 12;
/// Maximum number of headings per document.
const MOST_ANCHORS: usize = 4;
/// Minimum length of a word that is compared.
const SHORTEST_WORD: usize = 4;
/// Share of the limit for the documents.
const SHARE: usize = 5;
/// Share of the limit for the excerpt of one document.
const EXCERPT_SHARE: usize = 40;

impl Packer {
    /// The directory of the documents, relative to the root.
    pub(super) fn docs_root(&self) -> &'static str {
        let below = |directory: &str| self.corpus.files.iter().any(|file| file.path.starts_with(directory));
        [("docs/", "/docs"), ("doc/", "/doc"), ("documentation/", "/documentation")]
            .into_iter()
            .find(|(directory, _)| below(directory))
            .map_or("/", |(_, root)| root)
    }

    /// The contract documents within their share of `limit`: plan, acceptance and architecture come first.
    pub(super) fn contract(&self, exclusion: &Exclusion, limit: usize) -> Vec<DocRef> {
        let docs = ItemId::enumerate(&self.corpus.items).filter(|(item, entry)| {
            entry.kind == ItemKind::Doc && !exclusion.holds(*item) && self.corpus.item_text(*item).missing.is_none()
        });
        let mut docs: Vec<(Priority, usize, &str, ItemId)> = docs
            .map(|(item, entry)| {
                (priority_by_name(&entry.path), entry.path.matches('/').count(), entry.path.as_str(), item)
            })
            .collect();
        docs.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(b.2)));
        let mut room = limit / SHARE;
        let mut found = Vec::new();
        for (priority, _, path, item) in docs.into_iter().take(MOST_DOCUMENTS) {
            let anchors = self.anchors(item).into_iter().filter(|anchor| !exclusion.named_in(anchor)).collect();
            let excerpt = self.opening(item, limit / EXCERPT_SHARE).filter(|_| priority == Priority::High);
            let excerpt = excerpt.filter(|text| !exclusion.named_in(text));
            let doc = DocRef { path: printable(path).into_owned(), anchors, excerpt, priority };
            let with = [
                doc.clone(),
                DocRef { excerpt: None, ..doc.clone() },
                DocRef { excerpt: None, anchors: vec![], ..doc },
            ];
            let fitting = with.into_iter().find_map(|doc| {
                let tokens = self.count(&serde_json::to_string(&doc).unwrap_or_default()) + 1;
                (tokens <= room).then_some((doc, tokens))
            });
            let Some((doc, tokens)) = fitting else { break };
            room -= tokens;
            found.push(doc);
        }
        found
    }

    /// The priority of a document, from its kind and its score for this task.
    pub(super) fn priority(&self, item: ItemId, form: &Form) -> Priority {
        let entry = &self.corpus.items[item];
        let by_score = match self.score_of(item) {
            _ if !matches!(form, Form::Link | Form::Mention | Form::Absent) => Priority::High,
            RAW_FROM.. => Priority::High,
            LINKED_FROM.. => Priority::Medium,
            _ => Priority::Low,
        };
        if entry.kind == ItemKind::Doc { by_score.max(priority_by_name(&entry.path)) } else { by_score }
    }

    /// Headings of a document that contain words of the task. If a contract document has none, its first headings.
    pub(super) fn anchors(&self, item: ItemId) -> Vec<String> {
        let all = self.headings(item);
        let matching = self.matching(&all);
        let chosen: Vec<&Heading> =
            if matching.is_empty() && priority_by_name(&self.corpus.items[item].path) == Priority::High {
                all.iter().take(MOST_ANCHORS).collect()
            } else {
                matching
            };
        chosen.into_iter().map(|heading| heading.slug.clone()).collect()
    }

    fn headings(&self, item: ItemId) -> Vec<Heading> {
        let markdown = self.corpus.file_of(item).is_some_and(|file| file.language == Some(Language::Markdown));
        if markdown { headings(&self.corpus.item_text(item).shown) } else { Vec::new() }
    }

    /// The headings that contain the most words of the task, in document order.
    fn matching<'h>(&self, headings: &'h [Heading]) -> Vec<&'h Heading> {
        let words = words(&self.meta.task);
        let mut found: Vec<(usize, usize)> = headings
            .iter()
            .enumerate()
            .map(|(index, heading)| {
                let own = self::words(&heading.text);
                (own.iter().filter(|word| words.iter().any(|other| same(word, other))).count(), index)
            })
            .filter(|(matches, _)| *matches > 0)
            .collect();
        found.sort_by_key(|(matches, index)| (std::cmp::Reverse(*matches), *index));
        found.truncate(MOST_ANCHORS);
        found.sort_by_key(|(_, index)| *index);
        found.into_iter().map(|(_, index)| &headings[index]).collect()
    }

    /// The text below the first heading that matches the task, or else the start of the document.
    fn opening(&self, item: ItemId, most: usize) -> Option<String> {
        let text = self.corpus.item_text(item);
        let all = self.headings(item);
        let from = self.matching(&all).first().map_or(0, |heading| heading.line as usize);
        let is_heading = |line: usize| all.iter().any(|heading| heading.line as usize == line + 1);
        let lines: Vec<&str> = text
            .shown
            .lines()
            .enumerate()
            .skip(from)
            .skip_while(|(at, line)| line.trim().is_empty() || is_heading(*at))
            .take_while(|(at, _)| !is_heading(*at))
            .map(|(_, line)| line)
            .collect();
        let said = lines.join("\n");
        let said = self.cut(said.trim(), most);
        (said.chars().filter(|c| c.is_alphabetic()).count() >= SHORTEST_WORD).then_some(said)
    }
}

/// The priority of a contract document by its name.
fn priority_by_name(path: &str) -> Priority {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    if ["plan", "acceptance", "architecture"].iter().any(|word| name.starts_with(word)) {
        Priority::High
    } else if name.starts_with("readme") || states_rules(path) {
        Priority::Medium
    } else {
        Priority::Low
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= SHORTEST_WORD);
    words.map(str::to_lowercase).collect()
}

/// Returns true if two words differ only in their ending: `refund` and `refunds`.
fn same(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    long.strip_prefix(short).is_some_and(|end| end.chars().count() <= 2)
}
