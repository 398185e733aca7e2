//! The LINKED section: references to items that are not inlined, one line each.

use std::sync::{Arc, OnceLock};

use super::Hybrid;
use super::markup::Section;
use super::view::PlacedItems;
use crate::ids::ItemId;
use crate::place::on_all_cores;
use crate::render::describe::describe_item;
use crate::render::group::{Group, points, sources};
use crate::render::pieces::{CountedText, PieceList};

/// Maximum length of text whose tokens are counted. The cost of fetching longer text is estimated.
const COUNTED_BYTES: usize = 128 * 1024;

/// A reference to an item.
#[derive(Debug)]
pub(super) struct Link {
    pub line: Arc<CountedText>,
    pub fingerprint: Arc<CountedText>,
    /// Reason why there is nothing to refer to.
    pub missing: Option<String>,
    fetch: OnceLock<usize>,
}

/// A group of the section, with the cost of fetching its files.
pub(super) struct LinkedGroup {
    pub group: Group,
    pub fetch: usize,
}

impl Hybrid {
    /// The reference to an item, cached.
    pub(super) fn link(&self, item: ItemId) -> Arc<Link> {
        Arc::clone(self.links[item].get_or_init(|| Arc::new(self.new_link(item))))
    }

    fn new_link(&self, item: ItemId) -> Link {
        let text = self.corpus.item_text(item);
        let about = describe_item(&self.corpus, item);
        let line = self.markup.link(&self.corpus.items[item].path, text.lines(), &about);
        Link {
            line: Arc::new(CountedText::new(self.counter, line)),
            fingerprint: self.fingerprint(item),
            missing: text.missing.clone(),
            fetch: OnceLock::new(),
        }
    }

    /// Approximate cost of fetching the item.
    fn fetch_cost(&self, item: ItemId, link: &Link) -> usize {
        *link.fetch.get_or_init(|| {
            let text = self.corpus.item_text(item);
            if text.shown.len() <= COUNTED_BYTES { self.counter.0.count(&text.shown) } else { text.shown.len() / 4 }
        })
    }

    /// The section, and its groups.
    pub(super) fn linked_section(&self, view: &PlacedItems) -> (PieceList, Vec<LinkedGroup>) {
        let mut part = self.markup.open(self.counter, Section::Linked);
        if view.linked.is_empty() {
            part.add(self.markup.paragraph("Nothing is linked."));
        }
        let uncounted: Vec<_> = view.linked.iter().filter(|linked| linked.link.fetch.get().is_none()).collect();
        on_all_cores(&uncounted, |linked| {
            self.fetch_cost(linked.item, &linked.link);
        });
        let mut groups = Vec::new();
        for links in view.linked.chunk_by(|one, next| one.group == next.group) {
            let group = links[0].group;
            let fetch = links.iter().map(|linked| self.fetch_cost(linked.item, &linked.link)).sum();
            let best = links
                .iter()
                .max_by_key(|linked| points(&self.scores, linked.item))
                .map_or(links[0].item, |best| best.item);
            let (source, relevance) = (sources(&self.scores, best), points(&self.scores, best));
            part.add(self.markup.links(group.label(), &source, relevance, fetch));
            for linked in links {
                part.add_line(&linked.link.line);
            }
            self.markup.end_list(&mut part, "links");
            groups.push(LinkedGroup { group, fetch });
        }
        self.markup.close(&mut part, Section::Linked);
        (part, groups)
    }
}
