//! The entry of an item in a pack, in the form of its placement, and its cost.

use std::sync::Arc;

use serde_json::Value;

use super::Packer;
use super::json::entry as entry_text;
use super::model::{Artifact, DocRef, RelevantFile};
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::place::Form;
use crate::render::content::Content;
use crate::render::describe::{DEFINES, describe};
use crate::render::exclusion::Exclusion;
use crate::render::fence::cut_line;
use crate::render::group::{points, reason};
use crate::text::printable;

/// Number of digits of a file's hash in a pack.
const DIGITS: usize = 12;

/// Maximum number of characters of a purpose.
const PURPOSE_CHARS: usize = 180;

/// One entry of a pack.
#[derive(Debug)]
pub(super) enum PackEntry {
    Doc(DocRef),
    File(RelevantFile),
    Artifact(Artifact),
}

/// An entry and its cost.
#[derive(Debug)]
pub(super) struct CountedEntry {
    pub entry: PackEntry,
    pub tokens: usize,
}

impl Packer {
    /// The entry of an item in a form, cached; `None` for memos, which are constraints.
    pub(super) fn entry(&self, item: ItemId, form: &Form) -> Option<Arc<CountedEntry>> {
        self.entries.get(item, form, || self.make(item, form).map(|entry| self.costed(entry)))
    }

    fn costed(&self, entry: PackEntry) -> CountedEntry {
        let value = match &entry {
            PackEntry::Doc(doc) => serde_json::to_value(doc),
            PackEntry::File(file) => serde_json::to_value(file),
            PackEntry::Artifact(artifact) => serde_json::to_value(artifact),
        };
        let text = format!("{},\n", entry_text(&value.unwrap_or(Value::Null)));
        CountedEntry { tokens: self.count(&text), entry }
    }

    /// The entry without the parts about excluded files.
    pub(super) fn shown(&self, item: ItemId, form: &Form, exclusion: &Exclusion) -> Option<Arc<CountedEntry>> {
        let costed = self.entry(item, form)?;
        if exclusion.is_empty() {
            return Some(costed);
        }
        match &costed.entry {
            PackEntry::File(file) if file.purpose.as_deref().is_some_and(|purpose| exclusion.named_in(purpose)) => {
                Some(Arc::new(self.costed(PackEntry::File(RelevantFile { purpose: None, ..file.clone() }))))
            }
            PackEntry::Doc(doc) if doc.anchors.iter().any(|anchor| exclusion.named_in(anchor)) => {
                Some(Arc::new(self.costed(PackEntry::Doc(DocRef { anchors: Vec::new(), ..doc.clone() }))))
            }
            PackEntry::Artifact(_) => {
                let artifact = self.artifact(item, form == &Form::Link, usize::MAX, exclusion)?;
                Some(Arc::new(self.costed(PackEntry::Artifact(artifact))))
            }
            _ => Some(costed),
        }
    }

    fn make(&self, item: ItemId, form: &Form) -> Option<PackEntry> {
        let entry = self.corpus.items.get(item.index())?;
        if entry.kind == ItemKind::Memo {
            return None;
        }
        let Some(file) = self.corpus.file_of(item) else {
            let artifact = self.artifact(item, form == &Form::Link, usize::MAX, &Exclusion::default())?;
            return Some(PackEntry::Artifact(artifact));
        };
        let text = self.corpus.item_text(item);
        if text.missing.is_some() {
            return None;
        }
        let excerpt = match form {
            Form::Link | Form::Mention | Form::Absent => None,
            inlined => Some(Content::of(&self.corpus, item, inlined, false)?.text().to_owned()),
        };
        let path = printable(&file.path).into_owned();
        if entry.kind == ItemKind::Doc || file.language.is_some_and(Language::is_prose) {
            let anchors = self.anchors(item);
            return Some(PackEntry::Doc(DocRef { path, anchors, excerpt, priority: self.priority(item, form) }));
        }
        let about = describe(file, &text.shown).replace("\\<", "<");
        let purpose = match self.reason(item) {
            // A reason that names the relevant definition replaces the list of definitions.
            Some(why) if about.starts_with(DEFINES) && why.starts_with(DEFINES) => why,
            Some(why) => format!("{about}; {why}"),
            None => about,
        };
        let purpose = Some(cut_line(&purpose, PURPOSE_CHARS));
        let hash = text.sha256.get(..DIGITS).map(ToOwned::to_owned);
        Some(PackEntry::File(RelevantFile { path, purpose, excerpt, hash }))
    }

    /// Reason for including an item: its strongest signal.
    fn reason(&self, item: ItemId) -> Option<String> {
        let why = reason(&self.scores, item)?;
        let why = self.corpus.redactor.redact(&why, "why").0.into_owned();
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(why.trim_end_matches('.').to_owned())
    }

    pub(super) fn score_of(&self, item: ItemId) -> u8 {
        points(&self.scores, item)
    }
}
