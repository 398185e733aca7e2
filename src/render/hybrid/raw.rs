//! The RAW section: every inlined item in a subsection of its own.
//!
//! Everything stands in a fence, prose too: a document has headings and comments of its own, and nobody must take
//! them for the payload's. The fence's first line names the file and the lines, the content follows as it is.
//! The tokens in an item's comment are those of its fenced block, not of its heading and comment.

use std::sync::Arc;

use super::Hybrid;
use super::view::View;
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::gather::language::Language;
use crate::place::Form;
use crate::render::content::{Block, Content, Style};
use crate::render::fence::fence_for;
use crate::render::group::{Group, points, sources};
use crate::render::pieces::{Counter, Part};
use crate::text::{printable, thousands};

/// Fences have at least this many backticks.
const FENCE: usize = 3;

/// An item's content in its fence, as RAW has it and as `fetch` delivers it.
pub(in crate::render) fn raw_block(counter: Counter, corpus: &Corpus, item: usize, content: Content) -> Block {
    let entry = &corpus.items[item];
    let file = corpus.file_of(item);
    let what = if file.is_some() { "file" } else { "item" };
    let header = format!("# {what}: {} ({})\n", printable(&entry.path), content.lines);
    let tag = match file {
        Some(file) => file.language.map_or("text", Language::fence_tag),
        None if matches!(entry.kind, ItemKind::Changes | ItemKind::Delta) => "diff",
        None => "text",
    };
    let tag = if tag.is_empty() { "text" } else { tag };
    Block::new(counter, content, &Style { before: "", tag, header: &header, fence: FENCE, after: "\n" })
}

/// The subsection that holds the whole task.
pub(super) fn task_block(counter: Counter, task: &str) -> String {
    let fence = fence_for(task, FENCE);
    let line_end = if task.is_empty() || task.ends_with('\n') { "" } else { "\n" };
    let block = format!("{fence}text\n{task}{line_end}{fence}\n\n");
    let tokens = thousands(counter.tokens(counter.size(&block)));
    format!("### RAW:task\n<!-- source: teddy/task | relevance: 10 | tokens: ~{tokens} -->\n{block}")
}

fn heading(group: Group, number: usize) -> String {
    match number {
        0 => format!("### RAW:{}\n", group.label()),
        number => format!("### RAW:{}-{number}\n", group.label()),
    }
}

impl Hybrid {
    /// The section, and the size of each group in it.
    pub(super) fn raw(&self, view: &View) -> (Part, Vec<(Group, usize)>) {
        let mut part = Part::new(self.counter);
        part.add("## RAW\n\n");
        if let Some(task) = &self.task_block {
            part.add_line(task);
        } else if view.raw.is_empty() {
            part.add("Nothing is inlined.\n\n");
        }
        let mut groups: Vec<(Group, usize)> = Vec::new();
        for inlined in &view.raw {
            let before = part.size();
            part.add(heading(inlined.group, inlined.number));
            part.add(self.comment(inlined.item, &inlined.block));
            part.add_block(&inlined.block);
            let size = part.size() - before;
            match groups.last_mut() {
                Some((group, sum)) if *group == inlined.group => *sum += size,
                _ => groups.push((inlined.group, size)),
            }
        }
        (part, groups)
    }

    /// The block of an item, kept.
    pub(super) fn block(&self, item: usize, form: &Form) -> Option<Arc<Block>> {
        self.blocks.get(item, form, || Some(self.new_block(item, Content::of(&self.corpus, item, form)?)))
    }

    pub(super) fn new_block(&self, item: usize, content: Content) -> Block {
        raw_block(self.counter, &self.corpus, item, content)
    }

    fn comment(&self, item: usize, block: &Block) -> String {
        let start = self.comments[item].get_or_init(|| {
            format!("<!-- source: teddy/{} | relevance: {}", sources(&self.scores, item), points(&self.scores, item))
        });
        format!("{start} | tokens: ~{} -->\n", thousands(self.counter.tokens(block.size)))
    }

    /// The size of what stands around an item's block: its comment and the longest heading that it can have.
    pub(super) fn raw_frame_size(&self, item: usize, block: &Block) -> usize {
        let group = self.groups[item];
        // Up to three digits are one token; a group of a thousand is left to the exact count of the whole.
        let numbers = [1, self.corpus.items.len().clamp(1, 999)];
        let heading = numbers.iter().map(|number| self.counter.size(&heading(group, *number))).max().unwrap_or(0);
        heading + self.counter.size(&self.comment(item, block))
    }
}
