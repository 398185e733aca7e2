//! The Context Fingerprint: each source with the first digits of its sha256, which let readers detect changes.

use std::sync::Arc;

use super::Hybrid;
use super::markup::{Markup, Section};
use super::view::{PinnedAs, PlacedItems};
use super::xml;
use crate::ids::ItemId;
use crate::render::fence::code_span;
use crate::render::group::Group;
use crate::render::pieces::{CountedText, PieceList};

/// Number of hash digits shown. The chance that a changed file has the same digits is one in four billion. Showing all
/// 64 digits would cost as many tokens per file as ten lines of code.
pub(in crate::render) const SHORT: usize = 8;
/// Marks the hash of content that is not a file.
pub(in crate::render) const TEXT_MARK: &str = " (text)";

impl Hybrid {
    /// The cached line of an item.
    pub(super) fn fingerprint(&self, item: ItemId) -> Arc<CountedText> {
        let line = || Arc::new(CountedText::new(self.counter, self.fingerprint_line(item)));
        Arc::clone(self.fingerprints[item].get_or_init(line))
    }

    fn fingerprint_line(&self, item: ItemId) -> String {
        let (path, text) = (&self.corpus.items[item].path, self.corpus.item_text(item));
        // A deleted file has no hash, but its line is kept.
        let digits = text.sha256.get(..SHORT).unwrap_or("-");
        let is_file = self.corpus.file_of(item).is_some();
        match self.markup {
            Markup::Markdown => {
                let mark = if is_file { "" } else { TEXT_MARK };
                format!("- {} {digits}{mark}\n", code_span(path))
            }
            Markup::Xml => {
                let tag = if is_file { "file" } else { "text" };
                format!("<{tag}_hash path=\"{}\" sha256=\"{digits}\"/>\n", xml::attribute(path))
            }
        }
    }

    /// The reasons for an inlined item, which depend on the turn and therefore follow the contents.
    pub(super) fn reason_line(&self, item: ItemId, group: Group, pinned: PinnedAs) -> String {
        let (source, relevance) = self.provenance(item);
        let (group, pinned) = (group.label(), pinned.attribute());
        format!("<reason group=\"{group}\" source=\"teddy/{source}\" relevance=\"{relevance}\"{pinned}/>\n")
    }

    /// The section: the inlined sources, then the linked ones.
    pub(super) fn sources(&self, view: &PlacedItems) -> PieceList {
        let mut part = self.markup.open(self.counter, Section::Sources);
        if view.raw.is_empty() && view.linked.is_empty() {
            part.add(self.markup.paragraph("No sources."));
            self.markup.close(&mut part, Section::Sources);
            return part;
        }
        part.add(self.markup.paragraph("The first digits of the sha256 of each source:"));
        for inlined in &view.raw {
            part.add_line(&self.fingerprint(inlined.item));
            if self.contents_first() {
                part.add(self.reason_line(inlined.item, inlined.group, inlined.pinned));
            }
        }
        for linked in &view.linked {
            part.add_line(&linked.link.fingerprint);
        }
        if self.markup == Markup::Markdown {
            part.end_list();
        }
        self.markup.close(&mut part, Section::Sources);
        part
    }
}
