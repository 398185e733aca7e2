//! The `invocation` format: five numbered sections with where the person works, the tree, memos and whole files.

use std::sync::{Arc, Mutex, PoisonError};

use super::Renderer;
use super::brief::Brief;
use super::content::{Block, Blocks, Content, Style};
use super::exclusion::{Exclusion, LastExclusion};
use super::fence::{code_span, fence_for, one_line};
use super::pieces::{Counter, Line, Part};
use super::tree::Tree;
use crate::gather::Corpus;
use crate::place::{Costs, Form, Placement, Tier, Usage};
use crate::text::printable;

/// Fences have at least this many backticks.
const FENCE: usize = 4;
/// The tree takes at most this part of the limit.
const TREE_SHARE: usize = 10;
/// What is shown of `.teddy/` where it is there. Not its log, which grows with every payload: the same input has to give
/// the same bytes.
const OWN_FILES: [&str; 4] =
    [".teddy/config.yaml", ".teddy/global.context", ".teddy/manifests.yaml", ".teddy/memos.yaml"];

/// Renders the `invocation` format.
pub(super) struct Invocation {
    corpus: Arc<Corpus>,
    brief: Brief,
    counter: Counter,
    blocks: Blocks,
    own_files: Vec<&'static str>,
    /// The tree that was drawn last.
    tree: Mutex<Option<DrawnTree>>,
    exclusion: LastExclusion,
}

/// A tree, with what was excluded and the limit that it was drawn for.
type DrawnTree = (Arc<Exclusion>, usize, Arc<Line>);

struct Assembled {
    frame: Part,
    contents: Part,
}

impl Invocation {
    pub fn new(corpus: Arc<Corpus>, brief: Brief) -> Self {
        let mut own_files: Vec<&str> = OWN_FILES.into_iter().filter(|path| corpus.root.join(path).is_file()).collect();
        let made = corpus.root.join(".teddy").is_dir();
        if !made && !brief.session.is_empty() {
            // The first payload is rendered before the session is made that it tells of.
            own_files.extend([".teddy/global.context", ".teddy/memos.yaml"]);
        }
        if made || !brief.session.is_empty() {
            own_files.push(".teddy/sessions/");
        }
        let blocks = Blocks::new(corpus.items.len());
        let counter = Counter(brief.tokenizer);
        Self { counter, corpus, brief, blocks, own_files, tree: Mutex::default(), exclusion: LastExclusion::default() }
    }

    fn block(&self, item: usize, form: &Form) -> Option<Arc<Block>> {
        let file = self.corpus.items.get(item).and_then(|_| self.corpus.file_of(item))?;
        self.blocks.get(item, form, || {
            let content = Content::of(&self.corpus, item, form)?;
            let path = printable(&file.path);
            let which = if *form == Form::Whole { String::new() } else { format!(" ({})", content.lines) };
            let before = format!("---\n**File:** {}{which}\n", code_span(&format!("[{path}](/{path})")));
            let tag = file.language.map_or("", crate::gather::language::Language::fence_tag);
            let style = Style { before: &before, tag, header: "", fence: FENCE, after: "" };
            Some(Block::new(self.counter, content, &style))
        })
    }

    fn assemble(&self, placement: &Placement) -> Assembled {
        let exclusion = self.exclusion.of(&self.corpus, placement);
        let mut frame = Part::new(self.counter);
        frame.add("# Agent Invocation Payload\n\n");
        let system = &self.brief.system;
        let line = |name: &str, value: &str| format!("- **{name}:** {}\n", one_line(value));
        let lines = [line("CWD", &system.cwd), line("OS", &system.os), line("Shell", &system.shell)].concat();
        frame.add(format!("## 1. System Information\n{lines}\n"));
        let memos = exclusion.strip_memos(&self.corpus, self.brief.memos.as_deref().unwrap_or_default());
        let inlined = placement.tier(Tier::Raw).filter(|placed| !exclusion.holds(placed.item));
        let active: Vec<String> = inlined
            .filter_map(|placed| self.corpus.items.get(placed.item).and_then(|_| self.corpus.file_of(placed.item)))
            .filter(|file| !self.brief.standing.contains(&file.path))
            .map(|file| format!("- {}\n", printable(&file.path)))
            .collect();
        frame.add_line(&self.tree(&exclusion, self.brief.limit_of(placement)));
        frame.add(section("3. Memos", &memos));
        frame.add(section("4. Active Context", &active.concat()));
        let mut contents = Part::new(self.counter);
        contents.add("## 5. File Contents\n\n");
        for placed in placement.tier(Tier::Raw).filter(|placed| !exclusion.holds(placed.item)) {
            if let Some(block) = self.block(placed.item, placed.form.inlined()) {
                contents.add_block(&block);
            }
        }
        Assembled { frame, contents }
    }

    fn tree(&self, exclusion: &Arc<Exclusion>, limit: usize) -> Arc<Line> {
        let mut kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, line)) = kept.as_ref().filter(|(known, at, _)| Arc::ptr_eq(known, exclusion) && *at == limit)
        {
            return Arc::clone(line);
        }
        let files = self.corpus.files.iter().map(|file| file.path.as_str()).filter(|path| !exclusion.holds_path(path));
        let drawn =
            Tree::of(self.own_files.iter().copied().chain(files)).draw(self.brief.tokenizer, limit / TREE_SHARE);
        let line = Arc::new(Line::new(self.counter, section("2. Project Structure", &drawn)));
        *kept = Some((Arc::clone(exclusion), limit, Arc::clone(&line)));
        line
    }
}

/// A section that is a heading and a fenced text.
fn section(heading: &str, text: &str) -> String {
    let fence = fence_for(text, FENCE);
    let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("## {heading}\n{fence}\n{text}{line_end}{fence}\n\n")
}

impl Costs for Invocation {
    fn inlined(&self, item: usize, form: &Form) -> Option<usize> {
        self.block(item, form).map(|block| self.counter.tokens(block.size))
    }

    fn is_known(&self, item: usize, form: &Form) -> bool {
        *form == Form::Link || self.blocks.knows(item, form)
    }

    /// This format has no references.
    fn linked(&self, _item: usize) -> usize {
        0
    }

    /// This format has no mentions.
    fn mentioned(&self, _item: usize) -> usize {
        0
    }

    fn usage(&self, placement: &Placement) -> Usage {
        let Assembled { frame, contents } = self.assemble(placement);
        let total = if self.counter.adds_up() {
            self.counter.tokens(frame.size() + contents.size())
        } else {
            self.counter.0.count(&(frame.text() + &contents.text()))
        };
        Usage { raw: contents.tokens(), linked: 0, summary: 0, total }
    }
}

impl Renderer for Invocation {
    fn render(&self, placement: &Placement) -> String {
        let Assembled { frame, contents } = self.assemble(placement);
        frame.text() + &contents.text()
    }
}
