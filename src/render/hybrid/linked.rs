//! The LINKED section: where to find what is not inlined, in a line each.

use std::sync::{Arc, OnceLock};

use super::Hybrid;
use super::view::View;
use crate::render::describe::{describe, describe_text};
use crate::render::fence::code_span;
use crate::render::group::{Group, points, sources};
use crate::render::pieces::{Line, Part};
use crate::text::thousands;

/// Longer texts are not counted just to say what fetching them would cost.
const COUNTED_BYTES: usize = 128 * 1024;

/// A reference to an item.
#[derive(Debug)]
pub(super) struct Link {
    pub line: Arc<Line>,
    pub fingerprint: Arc<Line>,
    /// Why there is nothing to refer to.
    pub missing: Option<String>,
    fetch: OnceLock<usize>,
}

/// A group in the section, with what its files cost to fetch.
pub(super) struct LinkedGroup {
    pub group: Group,
    pub fetch: usize,
}

impl Hybrid {
    /// The reference to an item, kept.
    pub(super) fn link(&self, item: usize) -> Arc<Link> {
        Arc::clone(self.links[item].get_or_init(|| Arc::new(self.new_link(item))))
    }

    fn new_link(&self, item: usize) -> Link {
        let text = self.corpus.item_text(item);
        let path = code_span(&self.corpus.items[item].path);
        let about = match self.corpus.file_of(item) {
            Some(file) => describe(file, &text.shown),
            None => describe_text(&text.shown),
        };
        let count = text.lines();
        let first = count.min(1);
        let line = format!("- {path} lines {first}-{count} -- {about}\n");
        Link {
            line: Arc::new(Line::new(self.counter, line)),
            fingerprint: Arc::new(Line::new(self.counter, self.short_fingerprint(item))),
            missing: text.missing.clone(),
            fetch: OnceLock::new(),
        }
    }

    /// About what fetching the item would cost.
    fn fetch_cost(&self, item: usize, link: &Link) -> usize {
        *link.fetch.get_or_init(|| {
            let text = self.corpus.item_text(item);
            if text.shown.len() <= COUNTED_BYTES { self.counter.0.count(&text.shown) } else { text.shown.len() / 4 }
        })
    }

    /// The section, and its groups.
    pub(super) fn linked_section(&self, view: &View) -> (Part, Vec<LinkedGroup>) {
        let mut part = Part::new(self.counter);
        part.add("## LINKED\n\n");
        if view.linked.is_empty() {
            part.add("Nothing is linked.\n\n");
        }
        let mut groups = Vec::new();
        for links in view.linked.chunk_by(|one, next| one.group == next.group) {
            let group = links[0].group;
            let fetch = links.iter().map(|linked| self.fetch_cost(linked.item, &linked.link)).sum();
            let best = links
                .iter()
                .max_by_key(|linked| points(&self.scores, linked.item))
                .map_or(links[0].item, |best| best.item);
            let (source, relevance) = (sources(&self.scores, best), points(&self.scores, best));
            let cost = thousands(fetch);
            part.add(format!(
                "### LINKED:{}\n<!-- source: teddy/{source} | relevance: {relevance} | fetch-cost: ~{cost} tokens -->\n",
                group.label()
            ));
            for linked in links {
                part.add_line(&linked.link.line);
            }
            part.end_list();
            groups.push(LinkedGroup { group, fetch });
        }
        (part, groups)
    }
}
