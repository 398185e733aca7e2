//! The `invocation` format: five numbered sections with the system, the tree, memos, active context and whole files. A
//! sixth section contains the request. It is not part of the specification.

use std::sync::Arc;

use super::Renderer;
use super::content::{Content, ContentBlock, Style};
use super::exclusion::{Exclusion, LastExclusion};
use super::fence::{code_span, one_line, section};
use super::payload_meta::PayloadMeta;
use super::piece_cache::{FormCache, LastValue};
use super::pieces::{CountedText, Counter, PieceList};
use super::request::RequestText;
use super::template::facts_for;
use super::tree::Tree;
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::place::{Costs, Form, Placement, Tier, Usage};
use crate::score::Scores;
use crate::text::printable;

/// Fences have at least this many backticks.
const FENCE: usize = 4;
/// Maximum share of the limit for the tree.
const TREE_SHARE: usize = 10;
/// Files of `.teddy/` in the tree. The budget log is omitted, because it grows with every payload, and the same input
/// must give the same bytes.
const OWN_FILES: [&str; 4] =
    [".teddy/config.yaml", ".teddy/global.context", ".teddy/manifests.yaml", ".teddy/memos.yaml"];

/// Renders the `invocation` format.
pub(super) struct Invocation {
    corpus: Arc<Corpus>,
    meta: PayloadMeta,
    counter: Counter,
    blocks: FormCache<ContentBlock>,
    own_files: Vec<&'static str>,
    tree: LastValue<CountedText>,
    exclusion: LastExclusion,
    /// The request before the sections.
    leading: Arc<CountedText>,
    request: Arc<CountedText>,
}

struct InvocationParts {
    frame: PieceList,
    contents: PieceList,
    request: PieceList,
}

impl Invocation {
    pub fn new(corpus: Arc<Corpus>, scores: &Scores, meta: PayloadMeta) -> Self {
        let mut own_files: Vec<&str> = OWN_FILES.into_iter().filter(|path| corpus.root.join(path).is_file()).collect();
        let made = corpus.root.join(".teddy").is_dir();
        if !made && !meta.session.is_empty() {
            // The first payload is rendered before its session exists, but the tree shows the session's files.
            own_files.extend([".teddy/global.context", ".teddy/memos.yaml"]);
        }
        if made || !meta.session.is_empty() {
            own_files.push(".teddy/sessions/");
        }
        let blocks = FormCache::new(corpus.items.len());
        let counter = Counter(meta.tokenizer);
        let request = RequestText::new(&corpus, &meta, &facts_for(&corpus, scores)).without_instructions();
        let leading = format!("## Request\n\n{}\n\n", request.trim_end());
        let request = format!("---\n\n## 6. Request\n\n{}\n", request.trim_end());
        Self {
            leading: Arc::new(CountedText::new(counter, leading)),
            request: Arc::new(CountedText::new(counter, request)),
            counter,
            corpus,
            meta,
            blocks,
            own_files,
            tree: LastValue::default(),
            exclusion: LastExclusion::default(),
        }
    }

    fn block(&self, item: ItemId, form: &Form) -> Option<Arc<ContentBlock>> {
        let file = self.corpus.items.get(item.index()).and_then(|_| self.corpus.file_of(item))?;
        self.blocks.get(item, form, || {
            let content = Content::of(&self.corpus, item, form, self.meta.style.line_numbers)?;
            let path = printable(&file.path);
            let which = if *form == Form::Whole { String::new() } else { format!(" ({})", content.lines) };
            let before = format!("---\n**File:** {}{which}\n", code_span(&format!("[{path}](/{path})")));
            let tag = file.language.map_or("", crate::outline::language::Language::fence_tag);
            let style = Style { before: &before, tag, header: "", fence: FENCE, after: "" };
            Some(ContentBlock::new(self.counter, content, &style))
        })
    }

    fn assemble(&self, placement: &Placement) -> InvocationParts {
        let exclusion = self.exclusion.of(&self.corpus, placement);
        let mut frame = PieceList::new(self.counter);
        frame.add("# Agent Invocation Payload\n\n");
        if self.meta.style.request.is_first() {
            frame.add_line(&self.leading);
        }
        let system = &self.meta.system;
        let line = |name: &str, value: &str| format!("- **{name}:** {}\n", one_line(value));
        let lines = [line("CWD", &system.cwd), line("OS", &system.os), line("Shell", &system.shell)].concat();
        frame.add(format!("## 1. System Information\n{lines}\n"));
        let memos = exclusion.memos_text(&self.corpus, &self.meta);
        let inlined = placement.tier(Tier::Raw).filter(|placed| !exclusion.holds(placed.item));
        let active: Vec<String> = inlined
            .filter_map(|placed| {
                self.corpus.items.get(placed.item.index()).and_then(|_| self.corpus.file_of(placed.item))
            })
            .filter(|file| !self.meta.inherited_paths.contains(&file.path))
            .map(|file| format!("- {}\n", printable(&file.path)))
            .collect();
        frame.add_line(&self.tree(&exclusion, self.meta.limit_of(placement)));
        frame.add(section("3. Memos", &memos, FENCE));
        frame.add(section("4. Active Context", &active.concat(), FENCE));
        let mut contents = PieceList::new(self.counter);
        contents.add("## 5. File Contents\n\n");
        for placed in placement.tier(Tier::Raw).filter(|placed| !exclusion.holds(placed.item)) {
            if let Some(block) = self.block(placed.item, placed.form.inlined()) {
                contents.add_block(&block);
            }
        }
        let mut request = PieceList::new(self.counter);
        if self.meta.style.request.is_last() {
            request.add_line(&self.request);
        }
        InvocationParts { frame, contents, request }
    }

    fn tree(&self, exclusion: &Arc<Exclusion>, limit: usize) -> Arc<CountedText> {
        self.tree.get(exclusion, limit, || {
            let files = self.corpus.files.iter().map(|file| file.path.as_str());
            let shown = self.own_files.iter().copied().chain(files.filter(|path| !exclusion.holds_path(path)));
            let drawn = Tree::of(shown).draw(self.meta.tokenizer, limit / TREE_SHARE);
            CountedText::new(self.counter, section("2. Project Structure", &drawn, FENCE))
        })
    }
}

impl Costs for Invocation {
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize> {
        self.block(item, form).map(|block| self.counter.tokens(block.size))
    }

    fn at_least(&self, item: ItemId) -> usize {
        self.corpus.least_tokens(item)
    }

    fn is_known(&self, item: ItemId, form: &Form) -> bool {
        *form == Form::Link || self.blocks.knows(item, form)
    }

    /// This format has no references.
    fn linked(&self, _item: ItemId) -> usize {
        0
    }

    /// This format has no mentions.
    fn mentioned(&self, _item: ItemId) -> usize {
        0
    }

    fn usage(&self, placement: &Placement) -> Usage {
        let InvocationParts { frame, contents, request } = self.assemble(placement);
        let total = if self.counter.adds_up() {
            self.counter.tokens(frame.size() + contents.size() + request.size())
        } else {
            self.counter.0.count(&(frame.text() + &contents.text() + &request.text()))
        };
        Usage { raw: contents.tokens(), linked: 0, summary: 0, total }
    }
}

impl Renderer for Invocation {
    fn render(&self, placement: &Placement) -> String {
        let InvocationParts { frame, contents, request } = self.assemble(placement);
        frame.text() + &contents.text() + &request.text()
    }
}
