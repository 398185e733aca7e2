//! The two notations of the six sections: Markdown, and XML tags.

use std::borrow::Cow;

use super::ack::END;
use super::view::PinnedAs;
use super::xml;
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::render::content::{Content, ContentBlock, Style};
use crate::render::fence::{code_span, section};
use crate::render::pieces::{Counter, PieceList};
use crate::render::request::RequestText;
use crate::text::{printable, thousands};

/// Fences have at least this many backticks.
const FENCE: usize = 3;

/// The markup of the sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum Markup {
    Markdown,
    Xml,
}

/// A section after META.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Summary,
    Raw,
    Linked,
    Sources,
    Ack,
}

/// The heading and comment above an inlined item.
pub(super) struct ItemHeader<'a> {
    /// Label of the item, such as `primary-code-2`.
    pub label: &'a str,
    pub source: &'a str,
    pub relevance: u8,
    pub pinned: PinnedAs,
    pub tokens: usize,
}

impl Markup {
    /// The opening of a section.
    pub(super) fn open(self, counter: Counter, section: Section) -> PieceList {
        let mut part = PieceList::new(counter);
        part.add(match self {
            Self::Xml => format!("<{}>\n", section.tag()),
            Self::Markdown => format!("## {}\n\n", section.heading()),
        });
        part
    }

    /// Ends a section, if the notation requires it.
    pub(super) fn close(self, part: &mut PieceList, section: Section) {
        if self == Self::Xml {
            let end = if section == Section::Ack { "</context_payload>\n" } else { "" };
            part.add(format!("</{}>\n{end}", section.tag()));
        }
    }

    /// A sentence or two as a paragraph.
    pub fn paragraph(self, text: &str) -> String {
        match self {
            Self::Markdown => format!("{text}\n\n"),
            Self::Xml => format!("{}\n", xml::prose(text)),
        }
    }

    /// The heading and comment above an inlined item.
    pub(super) fn frame(self, frame: &ItemHeader<'_>) -> String {
        let ItemHeader { label, source, relevance, pinned, tokens } = frame;
        let tokens = thousands(*tokens);
        match self {
            Self::Markdown => {
                let pinned = match pinned {
                    PinnedAs::Not => "",
                    PinnedAs::Whole => " | pinned",
                    PinnedAs::Lines => " | lines pinned",
                    PinnedAs::CarriedOver => " | carried over",
                };
                format!(
                    "### RAW:{label}\n\
                     <!-- source: teddy/{source} | relevance: {relevance}{pinned} | tokens: ~{tokens} -->\n"
                )
            }
            Self::Xml => {
                let pinned = pinned.attribute();
                format!(
                    "<inlined section=\"RAW:{label}\" source=\"teddy/{source}\" relevance=\"{relevance}\"{pinned} \
                     tokens=\"{tokens}\">\n"
                )
            }
        }
    }

    /// Encloses an item's content to separate it from the surrounding text.
    pub fn block(self, counter: Counter, corpus: &Corpus, item: ItemId, content: Content) -> ContentBlock {
        match self {
            Self::Markdown => fenced(counter, corpus, item, content),
            Self::Xml => {
                let name = if corpus.file_of(item).is_some() { "file" } else { "item" };
                let tag = xml::tag_for(name, content.text());
                let path = xml::attribute(&corpus.items[item].path);
                let head = format!("<{tag} path=\"{path}\" shows=\"{}\">\n", content.lines);
                ContentBlock::between(counter, head, content, &format!("</{tag}>\n</inlined>\n"))
            }
        }
    }

    /// The request.
    pub(super) fn request(self, request: &RequestText) -> String {
        match self {
            Self::Markdown => request.markdown(),
            Self::Xml => request.xml(),
        }
    }

    /// The line after the request that marks the end of the payload, if the notation has one.
    pub(super) fn end_mark(self) -> Option<String> {
        (self == Self::Markdown).then(|| format!("{END}\n"))
    }

    /// A reference to an item that has this many lines.
    pub fn link(self, path: &str, lines: u32, about: &str) -> String {
        match self {
            Self::Markdown if lines == 0 => format!("- {} (empty)\n", code_span(path)),
            Self::Markdown => format!("- {} lines 1-{lines} -- {about}\n", code_span(path)),
            Self::Xml if lines == 0 => format!("<link path=\"{}\" lines=\"0\"></link>\n", xml::attribute(path)),
            Self::Xml => {
                format!("<link path=\"{}\" lines=\"1-{lines}\">{}</link>\n", xml::attribute(path), xml::prose(about))
            }
        }
    }

    /// Removes the notation's escapes from a line.
    pub fn plain(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::Markdown => Cow::Borrowed(line),
            Self::Xml => Cow::Owned(xml::unescaped(line)),
        }
    }

    /// The heading and comment above the references of a group.
    pub fn links(self, label: &str, source: &str, relevance: u8, cost: usize) -> String {
        let cost = thousands(cost);
        match self {
            Self::Markdown => format!(
                "### LINKED:{label}\n<!-- source: teddy/{source} | relevance: {relevance} | fetch-cost: ~{cost} tokens -->\n"
            ),
            Self::Xml => format!(
                "<links section=\"LINKED:{label}\" source=\"teddy/{source}\" relevance=\"{relevance}\" \
                 fetch_cost=\"{cost}\">\n"
            ),
        }
    }

    /// Ends a list; in XML, with the closing tag `tag`.
    pub fn end_list(self, part: &mut PieceList, tag: &str) {
        match self {
            Self::Markdown => part.end_list(),
            Self::Xml => part.add(format!("</{tag}>\n")),
        }
    }

    /// The project's structure, drawn as a tree.
    pub fn structure(self, drawn: &str) -> String {
        match self {
            Self::Markdown => format!("#{}", section("Project Structure", drawn, FENCE)),
            Self::Xml => {
                let tag = xml::tag_for("project_structure", drawn);
                format!("<{tag}>\n{}\n</{tag}>\n", drawn.trim_end())
            }
        }
    }

    /// A mention of an item.
    pub fn mention(self, path: &str, score: u8) -> String {
        match self {
            Self::Markdown => format!("{} ({score})\n", code_span(path)),
            Self::Xml => format!("<mention path=\"{}\" score=\"{score}\"/>\n", xml::attribute(path)),
        }
    }

    /// One finding.
    pub fn finding(self, text: &str) -> String {
        match self {
            Self::Markdown => format!("- {text}\n"),
            Self::Xml => format!("<finding>{}</finding>\n", xml::prose(text)),
        }
    }
}

impl Section {
    fn heading(self) -> &'static str {
        match self {
            Self::Summary => "SUMMARY",
            Self::Raw => "RAW",
            Self::Linked => "LINKED",
            Self::Sources => "Context Fingerprint",
            Self::Ack => "ACK",
        }
    }

    fn tag(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Raw => "raw",
            Self::Linked => "linked",
            Self::Sources => "context_fingerprint",
            Self::Ack => "ack",
        }
    }
}

/// An item's content in its fence, also used by `fetch`. The first line names the file and the lines.
fn fenced(counter: Counter, corpus: &Corpus, item: ItemId, content: Content) -> ContentBlock {
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
    ContentBlock::new(counter, content, &Style { before: "", tag, header: &header, fence: FENCE, after: "\n" })
}
