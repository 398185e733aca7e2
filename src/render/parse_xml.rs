//! Parses an `xml` payload into the same parts as a hybrid one.

use std::ops::Range;

use super::hybrid::xml::{unescaped, value};
use super::parse::{
    self, BlockKind, LinkedLine, ListedHash, Meta, PayloadNotation, RawBlock, Sections, lines_with_ends,
};
use crate::error::Result;

const START: &str = "<context_payload";
const END: &str = "</context_payload>";
const SECTIONS: [&str; 6] = ["<meta>", "<summary>", "<raw>", "<linked>", "<context_fingerprint>", "<ack>"];
/// The order of a payload that starts with its contents: positions in [`SECTIONS`].
const CONTENTS_FIRST: [usize; 6] = [2, 0, 1, 3, 4, 5];
const META_FIRST: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// Returns true for an `xml` payload.
pub fn is_tagged(text: &str) -> bool {
    // An XML payload may quote a Markdown payload, or the other way round. The outer one starts first.
    let tagged = find_start(text);
    tagged.is_some_and(|tagged| parse::find_start(text).is_none_or(|other| tagged < other))
}

/// The start of an `xml` payload in the text.
pub(super) fn find_start(text: &str) -> Option<usize> {
    let found =
        CONTENTS_FIRST.into_iter().take(2).filter_map(|first| parse::title_before(text, START, SECTIONS[first]));
    found.min()
}

/// The parser of `xml` payloads.
pub(super) const TAGS: PayloadNotation = PayloadNotation { sections, meta, raw_blocks, linked_lines, sources };

/// Name of the tag that encloses untrusted text, if the line opens one in RAW or in the request.
pub(super) fn opened(line: &str) -> Option<&str> {
    let name = line.trim_end().strip_prefix('<')?.strip_suffix('>')?.split(' ').next()?;
    let kind = name.split_once('-').map_or(name, |(kind, _)| kind);
    ["task", "file", "item", "goal", "instructions"].contains(&kind).then_some(name)
}

/// The payload's text up to its end, and the start of each section.
fn sections(text: &str) -> Result<Sections> {
    let second = lines_with_ends(text).skip(1).find(|line| !line.trim().is_empty()).unwrap_or_default();
    let order = if second.trim_end() == SECTIONS[2] { CONTENTS_FIRST } else { META_FIRST };
    let tags = order.map(|section| SECTIONS[section]);
    let mut starts: Vec<usize> = Vec::new();
    let mut inside: Option<String> = None;
    let mut at = 0;
    for line in lines_with_ends(text) {
        let bare = line.trim_end();
        if let Some(end) = &inside {
            if bare == end {
                inside = None;
            }
        } else if tags.get(starts.len()) == Some(&bare) {
            starts.push(at);
        } else if starts.len().checked_sub(1).is_some_and(|current| matches!(order[current], 1 | 2 | 5)) {
            inside = opened(line).map(|name| format!("</{name}>"));
        }
        at += line.len();
        if inside.is_none() && bare == END && starts.len() == SECTIONS.len() {
            let text = parse::ended(&text[..at]);
            let end = |index: usize| starts.get(index + 1).copied().unwrap_or(text.len());
            let mut ranges: Vec<(usize, Range<usize>)> =
                order.iter().enumerate().map(|(index, section)| (*section, starts[index]..end(index))).collect();
            ranges.sort_by_key(|(section, _)| *section);
            let ranges = ranges.into_iter().map(|(_, range)| range).collect();
            return Ok((text, ranges));
        }
    }
    Err(parse::cut_off(tags.get(starts.len())))
}

/// Line numbers at which a section or subsection starts, for paging through the payload.
pub fn landmarks(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut inside: Option<String> = None;
    for (at, line) in text.lines().enumerate() {
        match &inside {
            Some(end) if line == end => inside = None,
            Some(_) => {}
            None if SECTIONS.contains(&line) => found.push(at),
            None if line.starts_with("<inlined ") || line.starts_with("<links ") => found.push(at),
            // META also contains the task, but on one line.
            None => inside = opened(line).map(|name| format!("</{name}>")),
        }
    }
    found
}

/// The text between a tag and its end on one line.
fn element(section: &str, name: &str) -> String {
    let inside = |line: &str| {
        let rest = line.strip_prefix(&format!("<{name}>"))?.strip_suffix(&format!("</{name}>"))?;
        Some(unescaped(rest))
    };
    section.lines().find_map(inside).unwrap_or_default()
}

fn meta(section: &str) -> Meta {
    let attribute = |tag: &str, name: &str| {
        let start = format!("<{tag} ");
        section.lines().find(|line| line.starts_with(&start)).and_then(|line| value(line, name))
    };
    let number = |tag: &str, name: &str| attribute(tag, name).and_then(|text| parse::number(&text));
    Meta {
        task: element(section, "task"),
        complexity: element(section, "complexity"),
        used: number("budget", "used"),
        limit: number("budget", "limit"),
        items: number("items", "raw").zip(number("items", "linked")),
        generated: element(section, "generated"),
        fingerprint: element(section, "fingerprint"),
        raw_hash: attribute("section_hashes", "raw").unwrap_or_default(),
        linked_hash: attribute("section_hashes", "linked").unwrap_or_default(),
    }
}

fn raw_blocks(section: &str) -> Vec<RawBlock> {
    let mut blocks: Vec<RawBlock> = Vec::new();
    let mut label = String::new();
    let mut open: Option<(String, &str, Vec<&str>)> = None;
    for line in lines_with_ends(section) {
        match &mut open {
            Some((end, head, lines)) if line.trim_end() == *end => {
                blocks.push(raw_block(&label, head, lines));
                open = None;
            }
            Some((_, _, lines)) => lines.push(line),
            None => match opened(line) {
                Some(name) => open = Some((format!("</{name}>"), line, Vec::new())),
                None if line.starts_with("<inlined ") => {
                    label = label_of(line, "RAW:");
                }
                None => {}
            },
        }
    }
    blocks
}

/// The label that a tag names, without its tier.
fn label_of(line: &str, tier: &str) -> String {
    let section = value(line, "section").unwrap_or_default();
    section.strip_prefix(tier).unwrap_or(&section).to_owned()
}

fn raw_block(label: &str, head: &str, lines: &[&str]) -> RawBlock {
    let kind = match head.get(..5) {
        Some("<file") => BlockKind::File,
        Some("<item") => BlockKind::Item,
        _ => BlockKind::Task,
    };
    let shows = value(head, "shows").unwrap_or_default();
    let (form, content) = parse::form_and_content(&shows, lines.concat());
    RawBlock { label: label.to_owned(), kind, path: value(head, "path").unwrap_or_default(), form, content }
}

fn linked_lines(section: &str) -> Vec<LinkedLine> {
    let mut label = String::new();
    let mut links = Vec::new();
    for line in section.lines() {
        if line.starts_with("<links ") {
            label = label_of(line, "LINKED:");
        } else if line.starts_with("<link ") {
            let about = line.split_once('>').and_then(|(_, rest)| rest.strip_suffix("</link>")).unwrap_or_default();
            let shown = value(line, "lines").unwrap_or_default();
            links.push(LinkedLine {
                label: label.clone(),
                path: value(line, "path").unwrap_or_default(),
                lines: parse::spans(&shown).first().copied().unwrap_or_default(),
                description: unescaped(about),
            });
        }
    }
    links
}

fn sources(section: &str) -> Vec<ListedHash> {
    let hash = |line: &str| {
        let is_file = line.starts_with("<file_hash ");
        if is_file || line.starts_with("<text_hash ") {
            return Some(ListedHash { path: value(line, "path"), sha256: value(line, "sha256")?, is_file });
        }
        // Older versions list only the digits.
        parse::plain_hash(line)
    };
    section.lines().filter_map(hash).collect()
}
