//! The Context Fingerprint: each source with the sha256 of its bytes, so that anybody can tell what changed since.

use std::sync::Arc;

use super::Hybrid;
use super::view::View;
use crate::render::fence::code_span;
use crate::render::pieces::{Line, Part};

/// A reference is a line; its whole hash would cost more than the reference.
pub(super) const SHORT: usize = 16;

impl Hybrid {
    /// The line of an inlined item, kept.
    pub(super) fn fingerprint(&self, item: usize) -> Arc<Line> {
        let line = || Arc::new(Line::new(self.counter, self.fingerprint_line(item, usize::MAX)));
        Arc::clone(self.fingerprints[item].get_or_init(line))
    }

    /// The line of a linked item.
    pub(super) fn short_fingerprint(&self, item: usize) -> String {
        self.fingerprint_line(item, SHORT)
    }

    fn fingerprint_line(&self, item: usize, digits: usize) -> String {
        let text = self.corpus.item_text(item);
        let hash = &text.sha256[..text.sha256.len().min(digits)];
        // No file to look at later: the hash is that of the text itself.
        let kind = if self.corpus.file_of(item).is_some() { "" } else { " (text)" };
        format!("- {} {hash}{kind}\n", code_span(&self.corpus.items[item].path))
    }

    /// The section.
    pub(super) fn sources(&self, view: &View) -> Part {
        let mut part = Part::new(self.counter);
        part.add("## Context Fingerprint\n\n");
        for inlined in &view.raw {
            part.add_line(&self.fingerprint(inlined.item));
        }
        for linked in &view.linked {
            part.add_line(&linked.link.fingerprint);
        }
        if view.raw.is_empty() && view.linked.is_empty() {
            part.add("No sources.\n");
        }
        part.end_list();
        part
    }
}
