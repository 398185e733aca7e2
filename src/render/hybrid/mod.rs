//! The `hybrid` format: META, SUMMARY, RAW, LINKED, Context Fingerprint, ACK; and `xml`, the same sections in XML tags.

mod ack;
mod findings;
mod fingerprint;
mod linked;
mod markup;
mod meta;
mod raw;
mod summary;
mod view;
pub(super) mod xml;

pub(in crate::render) use markup::Markup;

use std::sync::{Arc, OnceLock};

use super::Renderer;
use super::content::ContentBlock;
use super::exclusion::LastExclusion;
use super::group::{Group, groups};
use super::payload_meta::PayloadMeta;
use super::piece_cache::{FormCache, LastValue};
use super::pieces::{CountedText, Counter, PieceList, sha256_of};
use super::request::RequestText;
use super::template::facts_for;
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::place::{Costs, Form, Placement, RAW_FROM, Usage};
use crate::score::Scores;
pub(super) use ack::END;
pub(super) use fingerprint::{SHORT, TEXT_MARK};
use linked::Link;
use view::PlacedItems;

/// Renders the `hybrid` format.
pub(super) struct Hybrid {
    corpus: Arc<Corpus>,
    scores: Arc<Scores>,
    meta: PayloadMeta,
    counter: Counter,
    markup: Markup,
    /// The task on one line.
    task_line: String,
    /// The request, which is placed at the beginning of SUMMARY, at the end of ACK, or in both places.
    request: Arc<CountedText>,
    groups: Vec<Group>,
    /// Findings about likely targets, cached for the last exclusion.
    target_findings: LastValue<Vec<String>>,
    /// The project's structure, for analyze tasks.
    structure: LastValue<CountedText>,
    /// True for each item with enough points for RAW. It is read for every item at every key press.
    high: Vec<bool>,
    blocks: FormCache<ContentBlock>,
    links: Vec<OnceLock<Arc<Link>>>,
    fingerprints: Vec<OnceLock<Arc<CountedText>>>,
    mentions: Vec<OnceLock<Arc<CountedText>>>,
    /// The strongest criteria of each item as short names.
    sources_of: Vec<OnceLock<String>>,
    exclusion: LastExclusion,
}

/// The parts of a payload in order, and their total.
struct HybridParts {
    parts: Vec<PieceList>,
    usage: Usage,
}

impl Hybrid {
    pub fn new(corpus: Arc<Corpus>, scores: Arc<Scores>, meta: PayloadMeta, markup: Markup) -> Self {
        let counter = Counter(meta.tokenizer);
        let task_line = meta::task_line(&meta.task);
        let request = markup.request(&RequestText::new(&corpus, &meta, &facts_for(&corpus, &scores)));
        let items = corpus.items.len();
        Self {
            counter,
            markup,
            task_line,
            request: Arc::new(CountedText::new(counter, request)),
            groups: groups(&corpus, &scores),
            target_findings: LastValue::default(),
            structure: LastValue::default(),
            high: scores.items.iter().map(|score| score.points >= RAW_FROM).take(items).collect(),
            blocks: FormCache::new(items),
            links: (0..items).map(|_| OnceLock::new()).collect(),
            fingerprints: (0..items).map(|_| OnceLock::new()).collect(),
            mentions: (0..items).map(|_| OnceLock::new()).collect(),
            sources_of: (0..items).map(|_| OnceLock::new()).collect(),
            exclusion: LastExclusion::default(),
            corpus,
            scores,
            meta,
        }
    }

    fn assemble(&self, placement: &Placement) -> HybridParts {
        let view = PlacedItems::of(self, placement);
        let (raw, raw_groups) = self.raw(&view);
        let (linked, linked_groups) = self.linked_section(&view);
        let summary = self.summary(&view, placement, &raw_groups, &linked_groups);
        let sources = self.sources(&view);
        let ack = self.ack(&view);
        let mut usage = Usage { raw: raw.tokens(), linked: linked.tokens(), summary: summary.tokens(), total: 0 };
        let hashes = meta::Hashes {
            all: sha256_of([&summary, &raw, &linked, &sources, &ack]),
            raw: sha256_of([&raw]),
            linked: sha256_of([&linked]),
        };
        // Hashing follows the order of the sections, so the position of META does not affect the hashes.
        let (before, after) = if self.contents_first() {
            let mut opening = PieceList::new(self.counter);
            opening.add(xml::START);
            (vec![opening, raw], vec![summary, linked, sources, ack])
        } else {
            (Vec::new(), vec![summary, raw, linked, sources, ack])
        };
        let meta = self.meta_section(&view, (&before, &after), &hashes, &mut usage);
        HybridParts { parts: before.into_iter().chain([meta]).chain(after).collect(), usage }
    }

    /// Returns true if the payload starts with the contents, which later turns share. A Markdown payload always starts
    /// with META. If the request comes before the contents, the beginning differs in every turn anyway.
    fn contents_first(&self) -> bool {
        let style = &self.meta.style;
        self.markup == Markup::Xml && style.reuse && !style.request.is_first()
    }
}

impl Costs for Hybrid {
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize> {
        let block = self.block(item, form)?;
        Some(self.counter.tokens(self.raw_frame_size(item, &block) + block.size + self.fingerprint(item).size))
    }

    fn at_least(&self, item: ItemId) -> usize {
        self.corpus.least_tokens(item)
    }

    fn is_known(&self, item: ItemId, form: &Form) -> bool {
        match form {
            Form::Link => self.links[item].get().is_some(),
            form => self.blocks.knows(item, form),
        }
    }

    fn linked(&self, item: ItemId) -> usize {
        let link = self.link(item);
        self.counter.tokens(link.line.size + link.fingerprint.size)
    }

    fn mentioned(&self, item: ItemId) -> usize {
        self.counter.tokens(self.mention(item).size)
    }

    fn usage(&self, placement: &Placement) -> Usage {
        self.assemble(placement).usage
    }
}

impl Renderer for Hybrid {
    fn render(&self, placement: &Placement) -> String {
        let mut payload = self.meta.wrapper.before.clone();
        for part in &self.assemble(placement).parts {
            part.feed(&mut |piece| payload.push_str(piece));
        }
        payload.push_str(&self.meta.wrapper.after);
        payload
    }
}
