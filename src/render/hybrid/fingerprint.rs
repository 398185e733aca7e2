//! The Context Fingerprint: each source with the first digits of the sha256 of its bytes, so that anybody can tell what changed since.

use std::sync::Arc;

use super::Hybrid;
use super::markup::{Markup, Section};
use super::view::View;
use crate::render::pieces::{Line, Part};

/// So many digits of a hash tell a changed file from an unchanged one; all 64 would cost as many tokens as ten lines of code, for every
/// file.
pub(in crate::render) const SHORT: usize = 12;
/// References have fewer (a change that keeps these is one in four billion), and no path, in the order of the LINKED section: the
/// path again would cost more than the reference.
pub(in crate::render) const SHORTEST: usize = 8;
/// What stands before the digits of the references.
pub(in crate::render) const LINKED_IN_ORDER: &str = "LINKED, in order:";

/// Marks the hash of a text that is no file.
pub(in crate::render) const TEXT_MARK: &str = " (text)";

impl Hybrid {
    /// The line of an inlined item, kept.
    pub(super) fn fingerprint(&self, item: usize) -> Arc<Line> {
        let line = || Arc::new(Line::new(self.counter, self.fingerprint_line(item)));
        Arc::clone(self.fingerprints[item].get_or_init(line))
    }

    /// The line of a linked item.
    pub(super) fn short_fingerprint(&self, item: usize) -> String {
        format!("{}{}\n", self.digits(item, SHORTEST), self.kind_mark(item))
    }

    fn fingerprint_line(&self, item: usize) -> String {
        self.markup.source(&self.corpus.items[item].path, &self.digits(item, SHORT), self.kind_mark(item))
    }

    /// What is gone has no hash, and the line keeps its place all the same.
    fn digits(&self, item: usize, count: usize) -> String {
        self.corpus.item_text(item).sha256.get(..count).unwrap_or("-").to_owned()
    }

    /// No file to look at later: the hash is that of the text itself.
    fn kind_mark(&self, item: usize) -> &'static str {
        if self.corpus.file_of(item).is_some() { "" } else { TEXT_MARK }
    }

    /// The section.
    pub(super) fn sources(&self, view: &View) -> Part {
        let mut part = self.markup.open(self.counter, Section::Sources);
        for inlined in &view.raw {
            part.add_line(&self.fingerprint(inlined.item));
        }
        if view.raw.is_empty() && view.linked.is_empty() {
            part.add("No sources.\n");
        }
        if self.markup == Markup::Markdown {
            part.end_list();
        }
        if !view.linked.is_empty() {
            part.add(match self.markup {
                Markup::Markdown => format!("{LINKED_IN_ORDER}\n\n"),
                Markup::Xml => "<linked_in_order>\n".to_owned(),
            });
            for linked in &view.linked {
                part.add_line(&linked.link.fingerprint);
            }
            self.markup.end_list(&mut part, "linked_in_order");
        }
        self.markup.close(&mut part, Section::Sources);
        part
    }
}
