//! The `prompt` format: header, project structure, files by priority, additional context, request, instructions.

mod context;
pub(super) mod templates;

use std::sync::{Arc, OnceLock};

use super::Renderer;
use super::content::{Content, ContentBlock, Style};
use super::exclusion::{Exclusion, LastExclusion};
use super::fence::{code_span, section};
use super::group::Group;
use super::kept_tree::{self, KeptTree};
use super::payload_meta::PayloadMeta;
use super::piece_cache::{FormCache, LastValue};
use super::pieces::{CountedText, Counter, PieceList};
use super::request::RequestText;
use super::template::{facts_for, value};
use super::tree::Tree;
use crate::gather::Corpus;
use crate::gather::facts::RepoFacts;
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::place::{Costs, Form, PlacedItem, Placement, Tier, Usage};
use crate::score::Scores;
use context::Link;
pub use templates::{DIRECTORY, PLACEHOLDERS, Templates};

/// Fences have at least this many backticks.
const FENCE: usize = 3;
/// Maximum share of the limit for the tree.
const TREE_SHARE: usize = 10;

/// Renders the `prompt` format.
pub(super) struct Prompt {
    corpus: Arc<Corpus>,
    meta: PayloadMeta,
    counter: Counter,
    facts: RepoFacts,
    header: Arc<CountedText>,
    /// Request and instructions. They are one piece, because a template may start with any character, but a piece may
    /// not.
    closing: Arc<CountedText>,
    blocks: FormCache<ContentBlock>,
    links: Vec<OnceLock<Link>>,
    frame: LastValue<FixedSections>,
    exclusion: LastExclusion,
}

/// The sections that do not depend on the placed items.
struct FixedSections {
    structure: Arc<CountedText>,
    /// Dependencies, facts, memos.
    known: Vec<Arc<CountedText>>,
}

struct PromptParts {
    opening: PieceList,
    files: PieceList,
    known: PieceList,
    others: PieceList,
    related: PieceList,
    closing: PieceList,
}

impl Prompt {
    pub fn new(corpus: Arc<Corpus>, scores: &Scores, meta: PayloadMeta) -> Self {
        let counter = Counter(meta.tokenizer);
        let facts = facts_for(&corpus, scores);
        let value = |name: &str| value(&corpus, &meta, &facts, name);
        let words = templates::fill(&meta.templates.header, value);
        let header = match corpus.redactor.redact(&words, DIRECTORY).0.into_owned() {
            words if words.is_empty() => words,
            words => format!("{words}\n\n"),
        };
        let closing = format!("{}\n", RequestText::new(&corpus, &meta, &facts).prompt().trim_end());
        let items = corpus.items.len();
        Self {
            header: Arc::new(CountedText::new(counter, header)),
            closing: Arc::new(CountedText::new(counter, closing)),
            blocks: FormCache::new(items),
            links: (0..items).map(|_| OnceLock::new()).collect(),
            frame: LastValue::default(),
            exclusion: LastExclusion::default(),
            counter,
            facts,
            corpus,
            meta,
        }
    }

    /// The block of an item, cached; `None` for memos, which have their own section.
    fn block(&self, item: ItemId, form: &Form) -> Option<Arc<ContentBlock>> {
        self.corpus.items.get(item.index()).filter(|entry| entry.kind != ItemKind::Memo)?;
        self.blocks.get(item, form, || {
            let content = Content::of(&self.corpus, item, form, self.meta.style.line_numbers)?;
            Some(self.new_block(item, content, *form == Form::Whole))
        })
    }

    fn new_block(&self, item: ItemId, content: Content, whole: bool) -> ContentBlock {
        let entry = &self.corpus.items[item];
        let which = if whole { String::new() } else { format!(" ({})", content.lines) };
        let (marks, tag) = match self.corpus.file_of(item) {
            Some(file) => ("##", file.language.map_or("", Language::fence_tag)),
            None if matches!(entry.kind, ItemKind::Changes | ItemKind::Delta) => ("###", "diff"),
            None => ("###", "text"),
        };
        let before = format!("{marks} {}{which}\n", heading(&entry.path));
        ContentBlock::new(self.counter, content, &Style { before: &before, tag, header: "", fence: FENCE, after: "\n" })
    }

    fn assemble(&self, placement: &Placement) -> PromptParts {
        let exclusion = self.exclusion.of(&self.corpus, placement);
        let frame = self.frame(&exclusion, self.meta.limit_of(placement));
        let new = || PieceList::new(self.counter);
        let (mut opening, mut files, mut known, mut texts) = (new(), new(), new(), new());
        opening.add_line(&self.header);
        if self.meta.style.request.is_first() {
            opening.add(format!("{}\n", self.closing.text));
        }
        opening.add_line(&frame.structure);
        let (mut inlined, mut others): (Vec<_>, Vec<(Group, Arc<ContentBlock>)>) = (Vec::new(), Vec::new());
        for placed in placement.tier(Tier::Raw).filter(|placed| !exclusion.holds(placed.item)) {
            let Some(block) = self.shown(placed, &exclusion) else { continue };
            match Group::of_kind(self.corpus.items[placed.item].kind) {
                None => inlined.push((placed.item, block)),
                Some(group) => others.push((group, block)),
            }
        }
        if let Some(previous) = &self.meta.previous {
            let path = |(item, _): &(ItemId, Arc<ContentBlock>)| Some(self.corpus.items[*item].path.as_str());
            previous.sort(&mut inlined, path, |(_, block)| block.as_ref());
        }
        for (_, block) in &inlined {
            files.add_block(block);
        }
        for line in &frame.known {
            known.add_line(line);
        }
        others.sort_by_key(|(group, _)| *group);
        for same in others.chunk_by(|one, next| one.0 == next.0) {
            texts.add(context::group_heading(same[0].0));
            for (_, block) in same {
                texts.add_block(block);
            }
        }
        let related = self.related(placement, &exclusion);
        let mut closing = new();
        if self.meta.style.request.is_last() {
            closing.add_line(&self.closing);
        }
        PromptParts { opening, files, known, others: texts, related, closing }
    }

    /// The block of an inlined item, without the parts about excluded files.
    fn shown(&self, placed: &PlacedItem, exclusion: &Exclusion) -> Option<Arc<ContentBlock>> {
        let item = placed.item;
        self.corpus.items.get(item.index()).filter(|entry| entry.kind != ItemKind::Memo)?;
        match Content::without(&self.corpus, item, exclusion) {
            Some(content) if content.text().trim().is_empty() => None,
            Some(content) => Some(Arc::new(self.new_block(item, content, false))),
            None => self.block(item, placed.form.inlined()),
        }
    }

    fn frame(&self, exclusion: &Arc<Exclusion>, limit: usize) -> Arc<FixedSections> {
        self.frame.get(exclusion, limit, || {
            let KeptTree { drawn, changes } = self.tree(exclusion, limit / TREE_SHARE);
            let structure = Arc::new(CountedText::new(self.counter, section("Project Structure", &drawn, FENCE)));
            let mut known = self.known(exclusion, limit);
            if !changes.is_empty() {
                let text = format!("{}\n", changes.join("\n"));
                let text = section("Changes to the Project Structure", &text, FENCE);
                known.insert(0, Arc::new(CountedText::new(self.counter, text)));
            }
            FixedSections { structure, known }
        })
    }

    /// The project's structure. If little has changed, the tree of the previous payload is kept.
    fn tree(&self, exclusion: &Exclusion, most: usize) -> KeptTree {
        let files = self.corpus.files.iter().map(|file| file.path.as_str());
        let shown = || files.clone().filter(|path| !exclusion.holds_path(path));
        let tokenizer = self.meta.tokenizer;
        let old = self.meta.previous.as_ref().and_then(|previous| previous.structure());
        // A tree drawn earlier may name a file that is excluded now.
        let kept = old.and_then(|old| kept_tree::keep(old, shown(), tokenizer, most, exclusion.is_empty()));
        kept.unwrap_or_else(|| KeptTree { drawn: Tree::of(shown()).draw(tokenizer, most), changes: Vec::new() })
    }
}

/// Formats a path as a heading, verbatim unless part of it could be mistaken for Markdown.
fn heading(path: &str) -> String {
    let plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._/+-:".contains(&byte));
    if plain { path.to_owned() } else { code_span(path) }
}

impl Costs for Prompt {
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize> {
        let block = self.block(item, form)?;
        // The cost of a group's heading is added to its first item.
        let around = Group::of_kind(self.corpus.items[item].kind)
            .map_or(0, |group| self.counter.size(&context::group_heading(group)));
        Some(self.counter.tokens(block.size + around))
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
        self.link(item).map_or(0, |link| self.counter.tokens(link.line.size))
    }

    /// This format has no mentions.
    fn mentioned(&self, _item: ItemId) -> usize {
        0
    }

    fn usage(&self, placement: &Placement) -> Usage {
        let PromptParts { opening, files, known, others, related, closing } = self.assemble(placement);
        let parts = [&opening, &files, &known, &others, &related, &closing];
        let total = if self.counter.adds_up() {
            self.counter.tokens(parts.iter().map(|part| part.size()).sum())
        } else {
            self.counter.0.count(&parts.iter().map(|part| part.text()).collect::<String>())
        };
        Usage { raw: files.tokens() + others.tokens(), linked: related.tokens(), summary: 0, total }
    }
}

impl Renderer for Prompt {
    fn render(&self, placement: &Placement) -> String {
        let PromptParts { opening, files, known, others, related, closing } = self.assemble(placement);
        [opening, files, known, others, related, closing].iter().map(PieceList::text).collect()
    }
}
