//! The `prompt` format: header, project structure, files by priority, additional context, request, instructions.

mod context;
pub(super) mod templates;

use std::sync::{Arc, OnceLock};

use super::Renderer;
use super::content::{Block, Content, Style};
use super::exclusion::{Exclusion, LastExclusion};
use super::fence::{code_span, section};
use super::group::Group;
use super::payload_meta::PayloadMeta;
use super::piece_cache::{ByForm, LastMade};
use super::pieces::{Counter, Line, Part};
use super::request::Request;
use super::template::{facts_for, value};
use super::tree::Tree;
use crate::gather::Corpus;
use crate::gather::facts::RepoFacts;
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::place::{Costs, Form, Placed, Placement, Tier, Usage};
use crate::score::Scores;
use context::Link;
pub use templates::{DIRECTORY, PLACEHOLDERS, Templates};

/// Fences have at least this many backticks.
const FENCE: usize = 3;
/// The tree takes at most this part of the limit.
const TREE_SHARE: usize = 10;

/// Renders the `prompt` format.
pub(super) struct Prompt {
    corpus: Arc<Corpus>,
    brief: PayloadMeta,
    counter: Counter,
    facts: RepoFacts,
    header: Arc<Line>,
    /// The request and the instructions: one piece, since a template may start with anything.
    closing: Arc<Line>,
    blocks: ByForm<Block>,
    links: Vec<OnceLock<Link>>,
    frame: LastMade<Frame>,
    exclusion: LastExclusion,
}

/// What stands around the files.
struct Frame {
    structure: Arc<Line>,
    /// Dependencies, facts, memos.
    known: Vec<Arc<Line>>,
}

struct Assembled {
    opening: Part,
    files: Part,
    context: Part,
    related: Part,
    closing: Part,
}

impl Prompt {
    pub fn new(corpus: Arc<Corpus>, scores: &Scores, brief: PayloadMeta) -> Self {
        let counter = Counter(brief.tokenizer);
        let facts = facts_for(&corpus, scores);
        let value = |name: &str| value(&corpus, &brief, &facts, name);
        let words = templates::fill(&brief.templates.header, value);
        let header = match corpus.redactor.redact(&words, DIRECTORY).0.into_owned() {
            words if words.is_empty() => words,
            words => format!("{words}\n\n"),
        };
        let closing = format!("{}\n", Request::new(&corpus, &brief, &facts).prompt().trim_end());
        let items = corpus.items.len();
        Self {
            header: Arc::new(Line::new(counter, header)),
            closing: Arc::new(Line::new(counter, closing)),
            blocks: ByForm::new(items),
            links: (0..items).map(|_| OnceLock::new()).collect(),
            frame: LastMade::default(),
            exclusion: LastExclusion::default(),
            counter,
            facts,
            corpus,
            brief,
        }
    }

    /// The block of an item, kept; memos stand together in a section of their own and have none.
    fn block(&self, item: ItemId, form: &Form) -> Option<Arc<Block>> {
        self.corpus.items.get(item.index()).filter(|entry| entry.kind != ItemKind::Memo)?;
        self.blocks.get(item, form, || {
            let content = Content::of(&self.corpus, item, form)?;
            Some(self.new_block(item, content, *form == Form::Whole))
        })
    }

    fn new_block(&self, item: ItemId, content: Content, whole: bool) -> Block {
        let entry = &self.corpus.items[item];
        let which = if whole { String::new() } else { format!(" ({})", content.lines) };
        let (marks, tag) = match self.corpus.file_of(item) {
            Some(file) => ("##", file.language.map_or("", Language::fence_tag)),
            None if matches!(entry.kind, ItemKind::Changes | ItemKind::Delta) => ("###", "diff"),
            None => ("###", "text"),
        };
        let before = format!("{marks} {}{which}\n", heading(&entry.path));
        Block::new(self.counter, content, &Style { before: &before, tag, header: "", fence: FENCE, after: "\n" })
    }

    fn assemble(&self, placement: &Placement) -> Assembled {
        let exclusion = self.exclusion.of(&self.corpus, placement);
        let frame = self.frame(&exclusion, self.brief.limit_of(placement));
        let new = || Part::new(self.counter);
        let (mut opening, mut files, mut context) = (new(), new(), new());
        opening.add_line(&self.header);
        opening.add_line(&frame.structure);
        let mut others: Vec<(Group, Arc<Block>)> = Vec::new();
        for placed in placement.tier(Tier::Raw).filter(|placed| !exclusion.holds(placed.item)) {
            let Some(block) = self.shown(placed, &exclusion) else { continue };
            match Group::of_kind(self.corpus.items[placed.item].kind) {
                None => files.add_block(&block),
                Some(group) => others.push((group, block)),
            }
        }
        for line in &frame.known {
            context.add_line(line);
        }
        others.sort_by_key(|(group, _)| *group);
        for same in others.chunk_by(|one, next| one.0 == next.0) {
            context.add(context::group_heading(same[0].0));
            for (_, block) in same {
                context.add_block(block);
            }
        }
        let related = self.related(placement, &exclusion);
        let mut closing = new();
        closing.add_line(&self.closing);
        Assembled { opening, files, context, related, closing }
    }

    /// The block of something inlined, without what it says on excluded files.
    fn shown(&self, placed: &Placed, exclusion: &Exclusion) -> Option<Arc<Block>> {
        let item = placed.item;
        self.corpus.items.get(item.index()).filter(|entry| entry.kind != ItemKind::Memo)?;
        match Content::without(&self.corpus, item, exclusion) {
            Some(content) if content.text().trim().is_empty() => None,
            Some(content) => Some(Arc::new(self.new_block(item, content, false))),
            None => self.block(item, placed.form.inlined()),
        }
    }

    fn frame(&self, exclusion: &Arc<Exclusion>, limit: usize) -> Arc<Frame> {
        self.frame.get(exclusion, limit, || {
            let files = self.corpus.files.iter().map(|file| file.path.as_str());
            let shown = files.filter(|path| !exclusion.holds_path(path));
            let drawn = Tree::of(shown).draw(self.brief.tokenizer, limit / TREE_SHARE);
            let structure = Arc::new(Line::new(self.counter, section("Project Structure", &drawn, FENCE)));
            Frame { structure, known: self.known(exclusion, limit) }
        })
    }
}

/// A path as a heading: as it is, unless something in it could be taken for Markdown.
fn heading(path: &str) -> String {
    let plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._/+-:".contains(&byte));
    if plain { path.to_owned() } else { code_span(path) }
}

impl Costs for Prompt {
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize> {
        let block = self.block(item, form)?;
        // Its group's heading may be there already; then it costs less.
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
        let Assembled { opening, files, context, related, closing } = self.assemble(placement);
        let parts = [&opening, &files, &context, &related, &closing];
        let total = if self.counter.adds_up() {
            self.counter.tokens(parts.iter().map(|part| part.size()).sum())
        } else {
            self.counter.0.count(&parts.iter().map(|part| part.text()).collect::<String>())
        };
        Usage { raw: files.tokens(), linked: related.tokens(), summary: 0, total }
    }
}

impl Renderer for Prompt {
    fn render(&self, placement: &Placement) -> String {
        let Assembled { opening, files, context, related, closing } = self.assemble(placement);
        [opening, files, context, related, closing].iter().map(Part::text).collect()
    }
}
