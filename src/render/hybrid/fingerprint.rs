//! The Context Fingerprint: the first digits of the sha256 of each source's bytes, in the order of the sections, so that anybody can tell what
//! changed since.

use std::sync::Arc;

use super::Hybrid;
use super::markup::{Markup, Section};
use super::view::View;
use crate::ids::ItemId;
use crate::render::pieces::{Line, Part};

/// So many digits of a hash tell a changed file from an unchanged one (a change that keeps them is one in four billion); all 64 would cost as
/// many tokens as ten lines of code, for every file. Paths stand in the sections already, in the same order.
pub(in crate::render) const SHORT: usize = 8;
/// What stands before the digits of the inlined items, and of the references.
pub(in crate::render) const RAW_IN_ORDER: &str = "RAW, in order:";
pub(in crate::render) const LINKED_IN_ORDER: &str = "LINKED, in order:";

/// Marks the hash of a text that is no file.
pub(in crate::render) const TEXT_MARK: &str = " (text)";

impl Hybrid {
    /// The line of an item, kept.
    pub(super) fn fingerprint(&self, item: ItemId) -> Arc<Line> {
        // What is gone has no hash, and the line keeps its place all the same.
        let digits = || self.corpus.item_text(item).sha256.get(..SHORT).unwrap_or("-").to_owned();
        let line = || Arc::new(Line::new(self.counter, format!("{}{}\n", digits(), self.kind_mark(item))));
        Arc::clone(self.fingerprints[item].get_or_init(line))
    }

    /// No file to look at later: the hash is that of the text itself.
    fn kind_mark(&self, item: ItemId) -> &'static str {
        if self.corpus.file_of(item).is_some() { "" } else { TEXT_MARK }
    }

    /// The section.
    pub(super) fn sources(&self, view: &View) -> Part {
        let mut part = self.markup.open(self.counter, Section::Sources);
        if view.raw.is_empty() && view.linked.is_empty() {
            part.add(self.markup.paragraph("No sources."));
        }
        let inlined = view.raw.iter().map(|inlined| self.fingerprint(inlined.item));
        self.in_order(&mut part, (RAW_IN_ORDER, "raw_in_order"), inlined);
        let linked = view.linked.iter().map(|linked| Arc::clone(&linked.link.fingerprint));
        self.in_order(&mut part, (LINKED_IN_ORDER, "linked_in_order"), linked);
        self.markup.close(&mut part, Section::Sources);
        part
    }

    /// The digits of one section's items, unless there are none.
    fn in_order(&self, part: &mut Part, (heading, tag): (&str, &str), lines: impl Iterator<Item = Arc<Line>>) {
        let mut lines = lines.peekable();
        if lines.peek().is_none() {
            return;
        }
        part.add(match self.markup {
            Markup::Markdown => format!("{heading}\n\n"),
            Markup::Xml => format!("<{tag}>\n"),
        });
        for line in lines {
            part.add_line(&line);
        }
        self.markup.end_list(part, tag);
    }
}
