//! The `pack` format: a context pack, JSON with the minimum context for one turn of work.
//!
//! It is built in six steps: contract documents, changes and relevant files are collected, trimmed to the budget,
//! redacted and given a provenance. Contents are references. RAW items have an excerpt, which is an outline or the
//! matching lines; only pinned items are included in full.

mod anchors;
mod base;
mod deltas;
mod documents;
pub mod edge;
mod entries;
pub mod fit;
pub mod json;
pub mod merge;
pub mod model;
pub mod schema;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::Renderer;
use super::exclusion::LastExclusion;
use super::payload_meta::PayloadMeta;
use super::piece_cache::{FormCache, LastValue};
use crate::gather::Corpus;
use crate::gather::facts::RepoFacts;
use crate::ids::ItemId;
use crate::place::{Costs, Form, Limits, Placement, Tier, Usage};
use crate::score::Scores;
use entries::{CountedEntry, PackEntry};
use model::{DocRef, Pack};

/// Maximum share of the files' tokens for one excerpt.
const EXCERPT_SHARE: usize = 4;
/// Minimum and maximum token limits of an excerpt.
const SMALLEST_EXCERPT: usize = 400;
const LARGEST_EXCERPT: usize = 1_500;

/// Default limits of packs. They are small, because a pack is read on every turn and refers to everything else.
pub const LIMITS: Limits = Limits { simple: 4_000, medium: 6_000, complex: 20_000 };

/// Renders the `pack` format.
pub(super) struct Packer {
    corpus: Arc<Corpus>,
    scores: Arc<Scores>,
    meta: PayloadMeta,
    facts: RepoFacts,
    entries: FormCache<CountedEntry>,
    /// Everything except the files.
    base: LastValue<Pack>,
    exclusion: LastExclusion,
}

struct PackDraft {
    pack: Pack,
    raw: usize,
    linked: usize,
}

impl Packer {
    pub fn new(corpus: Arc<Corpus>, scores: Arc<Scores>, meta: PayloadMeta) -> Self {
        let facts = RepoFacts::of(&corpus, &[]);
        let entries = FormCache::new(corpus.items.len());
        Self { facts, entries, base: LastValue::default(), exclusion: LastExclusion::default(), corpus, scores, meta }
    }

    fn count(&self, text: &str) -> usize {
        self.meta.tokenizer.count(text)
    }

    fn assemble(&self, placement: &Placement) -> PackDraft {
        let exclusion = self.exclusion.of(&self.corpus, placement);
        let limit = self.meta.limit_of(placement);
        let mut pack = Pack::clone(&self.base.get(&exclusion, limit, || self.build_base(&exclusion, limit)));
        let (mut raw, mut linked, mut redactions) = (0, 0, 0_u64);
        for tier in [Tier::Raw, Tier::Linked] {
            for placed in placement.tier(tier).filter(|placed| !exclusion.holds(placed.item)) {
                let form = if tier == Tier::Raw { placed.form.inlined() } else { &Form::Link };
                let Some(costed) = self.shown(placed.item, form, &exclusion) else { continue };
                if tier == Tier::Raw {
                    raw += costed.tokens;
                    redactions += self.corpus.item_text(placed.item).findings.len() as u64;
                } else {
                    linked += costed.tokens;
                }
                add(&mut pack, &costed.entry);
            }
        }
        // The sort is stable: contract documents stay in their order, and files in the order of the placement.
        pack.doc_refs.sort_by_key(|entry| std::cmp::Reverse(entry.priority));
        let source =
            pack.repo_facts.as_mut().and_then(|facts| facts.get_mut("provenance")?.get_mut(0)?.as_object_mut());
        if let Some(source) = source.filter(|_| redactions > 0) {
            source.insert("redactions".to_owned(), redactions.into());
        }
        pack.pack_id = json::pack_id(&pack);
        PackDraft { pack, raw, linked }
    }
}

/// Adds an entry, replacing one with the same name.
fn add(pack: &mut Pack, entry: &PackEntry) {
    match entry {
        PackEntry::Doc(doc) => match pack.doc_refs.iter_mut().find(|known| known.path == doc.path) {
            Some(known) => {
                let priority = known.priority.max(doc.priority);
                let excerpt = doc.excerpt.clone().or_else(|| known.excerpt.take());
                *known = DocRef { excerpt, priority, ..doc.clone() };
            }
            None => pack.doc_refs.push(doc.clone()),
        },
        PackEntry::File(file) => pack.relevant_files.push(file.clone()),
        PackEntry::Artifact(artifact) => match pack.artifacts.iter_mut().find(|known| known.r#ref == artifact.r#ref) {
            Some(known) => *known = artifact.clone(),
            None => pack.artifacts.push(artifact.clone()),
        },
    }
}

impl Costs for Packer {
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize> {
        self.entry(item, form).map(|costed| costed.tokens)
    }

    fn linked(&self, item: ItemId) -> usize {
        self.entry(item, &Form::Link).map_or(0, |costed| costed.tokens)
    }

    /// This format has no mentions.
    fn mentioned(&self, _item: ItemId) -> usize {
        0
    }

    fn usage(&self, placement: &Placement) -> Usage {
        let PackDraft { pack, raw, linked } = self.assemble(placement);
        Usage { raw, linked, summary: 0, total: self.count(&json::write(&pack)) }
    }

    fn excerpt_limit(&self, room: usize) -> Option<usize> {
        Some((room / EXCERPT_SHARE).clamp(SMALLEST_EXCERPT, LARGEST_EXCERPT))
    }
}

impl Renderer for Packer {
    fn render(&self, placement: &Placement) -> String {
        json::write(&self.assemble(placement).pack)
    }
}
