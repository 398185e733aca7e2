//! Content of an item in a fence: its lines verbatim, with their cost.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use super::exclusion::Exclusion;
use super::fence::fence_for;
use super::line_numbers::{NUMBERED, number_cut, number_whole};
use super::pieces::Counter;
use crate::gather::corpus::count_lines;
use crate::gather::{Corpus, Text};
use crate::ids::ItemId;
use crate::outline::skeleton::{ShortenedText, cut_to_spans};
use crate::place::{Form, Span};
use crate::text::hex;

/// The part of an item's text that is shown.
#[derive(Debug)]
pub(super) struct Content {
    body: ShownText,
    /// Description of the lines: `lines 1-245`.
    pub lines: String,
}

#[derive(Debug)]
enum ShownText {
    Whole(Arc<Text>),
    Cut(String),
}

impl Content {
    /// Lines of an item in a form; `None` if the item has no text, or none in this form. Only files can have line
    /// numbers.
    pub fn of(corpus: &Corpus, item: ItemId, form: &Form, line_numbers: bool) -> Option<Self> {
        let text = corpus.item_text(item);
        if text.missing.is_some() {
            return None;
        }
        let language = corpus.file_of(item).and_then(|file| file.language);
        let count = text.lines();
        let numbered = line_numbers && count > 0 && corpus.file_of(item).is_some();
        let shown = |cut: ShortenedText| ShownText::Cut(if numbered { number_cut(&cut, count) } else { cut.text });
        let (body, mut lines) = match form {
            Form::Whole => (
                if numbered { ShownText::Cut(number_whole(&text.shown)) } else { ShownText::Whole(Arc::clone(&text)) },
                if count == 0 { "empty".to_owned() } else { format!("lines 1-{count}") },
            ),
            Form::Spans(spans) => {
                let cut = cut_to_spans(language, &text.shown, spans);
                let lines = format!("lines {} of {count}", listed(&cut.spans, count));
                (shown(cut), lines)
            }
            Form::Skeleton(keep) => {
                let cut = text.skeleton(language?, keep)?;
                let lines = match listed(keep, count).as_str() {
                    "none" => format!("outline of {count} lines"),
                    lines => format!("lines {lines} of {count}, with nearby signatures"),
                };
                (shown(cut), lines)
            }
            Form::Link | Form::Mention | Form::Absent => return None,
        };
        if numbered {
            lines.push_str(NUMBERED);
        }
        let content = Self { body, lines: String::new() };
        if lacks_line_end(content.text()) {
            lines.push_str(", no newline at end");
        }
        Some(Self { lines, ..content })
    }

    /// The item's full text without the parts about excluded files; `None` if nothing is left.
    pub fn without(corpus: &Corpus, item: ItemId, exclusion: &Exclusion) -> Option<Self> {
        let kind = corpus.items[item].kind;
        if exclusion.is_empty() || kind.is_file() {
            return None;
        }
        let text = corpus.item_text(item);
        match exclusion.strip(kind, &text.shown) {
            Cow::Borrowed(_) => None,
            Cow::Owned(kept) => {
                let lines = format!("{} of {} lines", count_lines(&kept), text.lines());
                Some(Self { body: ShownText::Cut(kept), lines })
            }
        }
    }

    pub fn text(&self) -> &str {
        match &self.body {
            ShownText::Whole(text) => &text.shown,
            ShownText::Cut(text) => text,
        }
    }
}

fn lacks_line_end(text: &str) -> bool {
    !text.is_empty() && !text.ends_with('\n')
}

/// Spans merged, sorted and limited to the file: `3-40, 88-120`.
fn listed(spans: &[Span], count: u32) -> String {
    let mut spans: Vec<Span> = spans.iter().map(|(first, last)| ((*first).max(1), (*last).min(count))).collect();
    spans.retain(|(first, last)| first <= last);
    spans.sort_unstable();
    let mut merged: Vec<Span> = Vec::new();
    for (first, last) in spans {
        match merged.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    let shown: Vec<String> = merged.iter().map(|(first, last)| format!("{first}-{last}")).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// An item's content in its fence: a piece of the payload.
#[derive(Debug)]
pub(super) struct ContentBlock {
    head: String,
    content: Content,
    tail: String,
    /// Size, as computed by [`Counter::size`].
    pub size: usize,
    /// Size of the format's text around it, computed on first use.
    pub frame: OnceLock<usize>,
    /// sha256 of the content, computed on first use.
    digest: OnceLock<String>,
}

/// A format's text around an item's content.
pub(super) struct Style<'a> {
    /// Text before the fence.
    pub before: &'a str,
    /// The fence's language tag.
    pub tag: &'a str,
    /// First line inside the fence; may be empty.
    pub header: &'a str,
    /// Minimum length of the fence.
    pub fence: usize,
    /// Text after the closing fence.
    pub after: &'a str,
}

impl ContentBlock {
    pub fn new(counter: Counter, content: Content, style: &Style<'_>) -> Self {
        // The header contains a path, which may contain backticks.
        let fence = fence_for(content.text(), style.fence).max(fence_for(style.header, style.fence));
        let head = format!("{}{fence}{}\n{}", style.before, style.tag, style.header);
        // The fence must start a line. If the content has no final newline, one is added, and the header mentions this.
        let line_end = if lacks_line_end(content.text()) { "\n" } else { "" };
        let tail = format!("{line_end}{fence}\n{}", style.after);
        Self::whole(counter, head, content, tail)
    }

    /// Puts content between `head` and `tail`, each of which starts a line.
    pub fn between(counter: Counter, head: String, content: Content, tail: &str) -> Self {
        let line_end = if lacks_line_end(content.text()) { "\n" } else { "" };
        Self::whole(counter, head, content, format!("{line_end}{tail}"))
    }

    fn whole(counter: Counter, head: String, content: Content, tail: String) -> Self {
        let size = counter.size(&[&head, content.text(), &tail].concat());
        Self { head, content, tail, size, frame: OnceLock::new(), digest: OnceLock::new() }
    }

    /// The sha256 of the content, in hexadecimal.
    pub fn digest(&self) -> &str {
        self.digest.get_or_init(|| hex(&Sha256::digest(self.content.text().as_bytes())))
    }

    pub fn feed(&self, to: &mut impl FnMut(&str)) {
        to(&self.head);
        to(self.content.text());
        to(&self.tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_listed_in_order_and_merged() {
        assert_eq!(listed(&[(88, 120), (3, 40), (41, 50)], 400), "3-50, 88-120");
        assert_eq!(listed(&[(0, 2), (390, 900)], 400), "1-2, 390-400");
        assert_eq!(listed(&[(500, 600)], 400), "none");
    }
}
