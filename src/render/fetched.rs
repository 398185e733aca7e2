//! Fetches the contents of linked items, in the layout of the RAW section.

use std::sync::Arc;

use super::content::Content;
use super::fence::code_span;
use super::hybrid::Markup;
use super::pieces::{Counter, PieceList};
use crate::gather::Corpus;
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::place::Form;
use crate::text::thousands;

/// Returns a document with these items in these forms, and its tokens. If an item is not available in the requested
/// form, the error contains the item and the reason.
pub fn fetched(
    corpus: &Corpus,
    wanted: &[(ItemId, Form)],
    tokenizer: Tokenizer,
    line_numbers: bool,
) -> Result<(String, usize), String> {
    let counter = Counter(tokenizer);
    let mut part = PieceList::new(counter);
    part.add("## RAW\n\n");
    for (index, (item, form)) in wanted.iter().enumerate() {
        let entry = &corpus.items[*item];
        let content = Content::of(corpus, *item, form, line_numbers).ok_or_else(|| {
            let why =
                corpus.item_text(*item).missing.clone().unwrap_or_else(|| "not available in this form".to_owned());
            format!("`{}`: {why}", entry.path)
        })?;
        let block = Arc::new(Markup::Markdown.block(counter, corpus, *item, content));
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
