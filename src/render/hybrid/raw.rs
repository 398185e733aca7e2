//! The RAW section: a subsection for every inlined item.
//!
//! Everything is fenced, including prose, so that headings and comments of a document are not mistaken for those of the
//! payload. The first line in a fence names the file and the lines; the content follows verbatim. The token count in an
//! item's comment is that of the fenced block alone.

use std::sync::Arc;

use super::Hybrid;
use super::markup::{ItemHeader, Section};
use super::view::{PinnedAs, PlacedItems};
use crate::ids::ItemId;
use crate::place::Form;
use crate::render::content::{Content, ContentBlock};
use crate::render::group::{Group, points, sources};
use crate::render::pieces::PieceList;
use crate::text::thousands;

impl Hybrid {
    /// The label of a subsection. Contents that come first have only a number, because their group may differ in the
    /// next turn.
    fn label(&self, group: Group, number: usize) -> String {
        match number {
            number if self.contents_first() => number.to_string(),
            0 => group.label().to_owned(),
            number => format!("{}-{number}", group.label()),
        }
    }

    /// The section, and the size of each group in it.
    pub(super) fn raw(&self, view: &PlacedItems) -> (PieceList, Vec<(Group, usize)>) {
        let mut part = self.markup.open(self.counter, Section::Raw);
        if view.raw.is_empty() {
            part.add(self.markup.paragraph("Nothing is inlined."));
        }
        let mut groups: Vec<(Group, usize)> = Vec::new();
        for inlined in &view.raw {
            let before = part.size();
            let label = self.label(inlined.group, inlined.number);
            part.add(self.frame(inlined.item, &label, &inlined.block, inlined.pinned));
            part.add_block(&inlined.block);
            let size = part.size() - before;
            match groups.iter_mut().find(|(group, _)| *group == inlined.group) {
                Some((_, sum)) => *sum += size,
                None => groups.push((inlined.group, size)),
            }
        }
        self.markup.close(&mut part, Section::Raw);
        (part, groups)
    }

    /// The block of an item, cached.
    pub(super) fn block(&self, item: ItemId, form: &Form) -> Option<Arc<ContentBlock>> {
        self.blocks.get(item, form, || {
            Some(self.new_block(item, Content::of(&self.corpus, item, form, self.meta.style.line_numbers)?))
        })
    }

    pub(super) fn new_block(&self, item: ItemId, content: Content) -> ContentBlock {
        self.markup.block(self.counter, &self.corpus, item, content)
    }

    fn frame(&self, item: ItemId, label: &str, block: &ContentBlock, pinned: PinnedAs) -> String {
        let tokens = self.counter.tokens(block.size);
        if self.contents_first() {
            // The reasons follow the contents.
            return format!("<inlined section=\"RAW:{label}\" tokens=\"{}\">\n", thousands(tokens));
        }
        let (source, relevance) = self.provenance(item);
        self.markup.frame(&ItemHeader { label, source, relevance, pinned, tokens })
    }

    /// The strongest criteria of an item, and its points.
    pub(super) fn provenance(&self, item: ItemId) -> (&str, u8) {
        (self.sources_of[item].get_or_init(|| sources(&self.scores, item)).as_str(), points(&self.scores, item))
    }

    /// Size of an item's heading and comment with the longest possible label.
    pub(super) fn raw_frame_size(&self, item: ItemId, block: &ContentBlock) -> usize {
        *block.frame.get_or_init(|| {
            let group = self.groups[item];
            // Numbers of up to three digits take one token. For groups of a thousand or more items, the exact count of
            // the whole payload corrects this.
            let numbers = [1, self.corpus.items.len().clamp(1, 999)];
            let framed = |number: &usize| {
                self.counter.size(&self.frame(item, &self.label(group, *number), block, PinnedAs::Not))
            };
            let moved = if self.contents_first() {
                self.counter.size(&self.reason_line(item, group, PinnedAs::Not))
            } else {
                0
            };
            numbers.iter().map(framed).max().unwrap_or(0) + moved
        })
    }
}
