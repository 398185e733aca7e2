//! Content on demand, in the form that RAW has: what a reader of a payload fetched because it was only linked.

use std::sync::Arc;

use super::content::{Block, Content, Style};
use super::fence::code_span;
use super::pieces::{Counter, Part};
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::gather::language::Language;
use crate::gather::tokens::Tokenizer;
use crate::place::Form;
use crate::text::{printable, thousands};

/// Fences have at least this many backticks.
const FENCE: usize = 3;

/// A document with these items in these forms, and its tokens; the error says which item has no such form, and why.
pub fn fetched(corpus: &Corpus, wanted: &[(usize, Form)], tokenizer: Tokenizer) -> Result<(String, usize), String> {
    let counter = Counter(tokenizer);
    let mut part = Part::new(counter);
    part.add("## RAW\n\n");
    for (index, (item, form)) in wanted.iter().enumerate() {
        let entry = &corpus.items[*item];
        let content = Content::of(corpus, *item, form).ok_or_else(|| {
            let why =
                corpus.item_text(*item).missing.clone().unwrap_or_else(|| "it cannot be cut like this".to_owned());
            format!("`{}`: {why}", entry.path)
        })?;
        let file = corpus.file_of(*item);
        let what = if file.is_some() { "file" } else { "item" };
        let header = format!("# {what}: {} ({})\n", printable(&entry.path), content.lines);
        let tag = match file {
            Some(file) => file.language.map_or("text", Language::fence_tag),
            None if matches!(entry.kind, ItemKind::Changes | ItemKind::Delta) => "diff",
            None => "text",
        };
        let tag = if tag.is_empty() { "text" } else { tag };
        let block = Arc::new(Block::new(
            counter,
            content,
            &Style { before: "", tag, header: &header, fence: FENCE, after: "\n" },
        ));
        let number = if wanted.len() > 1 { format!("-{}", index + 1) } else { String::new() };
        let tokens = thousands(counter.tokens(block.size));
        part.add(format!("### RAW:fetched{number}\n"));
        part.add(format!("<!-- source: teddy/fetch | tokens: ~{tokens} -->\n"));
        part.add_block(&block);
    }
    part.add("## Context Fingerprint\n\n");
    for (item, _) in wanted {
        let mark = if corpus.file_of(*item).is_some() { "" } else { " (text)" };
        let line = format!("- {} {}{mark}\n", code_span(&corpus.items[*item].path), corpus.item_text(*item).sha256);
        part.add(line);
    }
    Ok((part.text(), part.tokens()))
}
