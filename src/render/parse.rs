//! Parses a hybrid payload: its sections, its blocks with their exact content, its links and its sources.
//!
//! The payload may have been copied from a chat, with text before and after it, with other line endings, or without its
//! last line end.

use std::ops::Range;

use super::fence::read_code_span;
use super::hybrid::{END, TEXT_MARK};
use super::line_numbers::{NUMBERED, without_numbers};
use super::parse_xml;
use crate::error::{Error, Result};
use crate::place::{Form, Span};
use crate::text::ABOUT;

const TITLE: &str = "# Context Payload:";
/// The hint for a damaged payload.
const AGAIN: &str = "copy or write the payload again; the turn's directory has the original";
/// Suffixes in the description of an excerpt with an outline of the omitted lines; older versions use the second one.
const OUTLINED: [&str; 2] = [" with nearby signatures", " with signatures of the rest"];
const SECTIONS: [&str; 6] = ["## META", "## SUMMARY", "## RAW", "## LINKED", "## Context Fingerprint", "## ACK"];

/// A parsed payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// META's lines.
    pub meta: Meta,
    /// The SUMMARY section, including its heading.
    pub summary: String,
    /// The inlined blocks.
    pub raw: Vec<RawBlock>,
    /// The references.
    pub linked: Vec<LinkedLine>,
    /// The sources with their hashes.
    pub sources: Vec<SourceHash>,
    /// The text that META's fingerprint covers: everything from SUMMARY on.
    pub after_meta: String,
    /// The text of the RAW section.
    pub raw_text: String,
    /// The text of the LINKED section.
    pub linked_text: String,
    /// True if CRLF line endings were converted to LF.
    pub converted: bool,
}

/// META's lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    /// The task on one line.
    pub task: String,
    /// simple, medium or complex.
    pub complexity: String,
    /// The token count stated in META.
    pub used: Option<usize>,
    /// The token limit in META.
    pub limit: Option<usize>,
    /// The number of inlined and of linked items.
    pub items: Option<(usize, usize)>,
    /// Time of creation.
    pub generated: String,
    /// The hash of everything after META.
    pub fingerprint: String,
    /// The hash of the RAW section.
    pub raw_hash: String,
    /// The hash of the LINKED section.
    pub linked_hash: String,
}

/// The content of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// The task.
    Task,
    /// A file of the project.
    File,
    /// An item that is not a file: a memo, a diff, an earlier answer.
    Item,
}

/// One inlined block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawBlock {
    /// The subsection's label, without `RAW:`.
    pub label: String,
    /// Kind of content.
    pub kind: BlockKind,
    /// The file's path or the item's label, as the payload shows it; empty for the task.
    pub path: String,
    /// Form of the content.
    pub form: Form,
    /// The content, byte for byte, without line numbers.
    pub content: String,
}

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedLine {
    /// The subsection's label, without `LINKED:`.
    pub label: String,
    /// The path, as the payload shows it.
    pub path: String,
    /// Lines of the item.
    pub lines: Span,
    /// Description of the item.
    pub description: String,
}

/// A source with its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceHash {
    /// The path, as the payload shows it.
    pub path: String,
    /// The sha256 of its bytes, or its first digits.
    pub sha256: String,
    /// True for a file of the project.
    pub is_file: bool,
}

/// Parses a hybrid payload in Markdown or XML.
pub fn parse(text: &str) -> Result<Payload> {
    // A Markdown payload may quote an XML payload, or the other way round. The outer one starts first.
    let tagged = parse_xml::find_start(text);
    let Some(found) = find_start(text).into_iter().chain(tagged).min() else {
        return Err(Error::input(
            "there is no hybrid payload in this text",
            format!("copy the payload from its first line: `{TITLE} …`, followed by `## META`"),
        ));
    };
    let converted = lines_with_ends(&text[found..]).next().is_some_and(|line| line.ends_with("\r\n"));
    let text = if converted { text[found..].replace("\r\n", "\n") } else { text[found..].to_owned() };
    let reading = if tagged == Some(found) { parse_xml::TAGS } else { MARKDOWN };
    reading.payload(&text, converted)
}

/// Returns true if the text starts with a hybrid payload. A payload that is quoted further down does not count.
pub fn is_payload(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    find_start(text) == Some(0) || parse_xml::find_start(text) == Some(0)
}

/// A payload's text up to its end, and its sections from META to ACK, wherever they are in the text.
pub(super) type Sections = (String, Vec<Range<usize>>);

/// The functions that parse the sections of a payload in one notation (Markdown or XML).
pub(super) struct PayloadNotation {
    pub sections: fn(&str) -> Result<Sections>,
    pub meta: fn(&str) -> Meta,
    pub raw_blocks: fn(&str) -> Vec<RawBlock>,
    pub linked_lines: fn(&str) -> Vec<LinkedLine>,
    /// Hashes of the sources, inlined ones first.
    pub sources: fn(&str) -> Vec<ListedHash>,
}

/// A hash as the Context Fingerprint lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedHash {
    /// The path; `None` in payloads of older versions, which list only digits, in the order of the sections.
    pub path: Option<String>,
    pub sha256: String,
    pub is_file: bool,
}

const MARKDOWN: PayloadNotation = PayloadNotation { sections, meta, raw_blocks, linked_lines, sources };

impl PayloadNotation {
    /// Parses a payload that starts at the beginning of `text`, with `\n` line endings.
    fn payload(&self, text: &str, converted: bool) -> Result<Payload> {
        let (text, ranges) = (self.sections)(text)?;
        let part = |index: usize| &text[ranges[index].clone()];
        let (raw, linked) = ((self.raw_blocks)(part(2)), (self.linked_lines)(part(3)));
        let shown = raw.iter().filter(|block| block.kind != BlockKind::Task).map(|block| block.path.as_str());
        let mut in_order = shown.chain(linked.iter().map(|link| link.path.as_str()));
        let sources = (self.sources)(part(4))
            .into_iter()
            .map(|ListedHash { path, sha256, is_file }| {
                let by_order = in_order.next().unwrap_or_default();
                SourceHash { path: path.unwrap_or_else(|| by_order.to_owned()), sha256, is_file }
            })
            .collect();
        Ok(Payload {
            meta: (self.meta)(part(0)),
            summary: part(1).to_owned(),
            raw,
            linked,
            sources,
            after_meta: (1..ranges.len()).map(part).collect(),
            raw_text: part(2).to_owned(),
            linked_text: part(3).to_owned(),
            converted,
        })
    }
}

/// Lines with their endings; only `\n` ends a line.
pub(super) fn lines_with_ends(text: &str) -> std::str::SplitInclusive<'_, char> {
    text.split_inclusive('\n')
}

/// The start of a Markdown payload in the text.
pub(super) fn find_start(text: &str) -> Option<usize> {
    title_before(text, TITLE, SECTIONS[0])
}

/// Position of a title line that is followed by the first section, with only blank lines between them.
pub(super) fn title_before(text: &str, title: &str, section: &str) -> Option<usize> {
    let (mut at, mut found) = (0, None);
    for line in lines_with_ends(text) {
        // Some editors insert a byte order mark before the first line.
        let mark = if at == 0 && line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let bare = line[mark..].trim_end();
        if bare.starts_with(title) {
            found = Some(at + mark);
        } else if bare == section && found.is_some() {
            return found;
        } else if !bare.is_empty() {
            found = None;
        }
        at += line.len();
    }
    None
}

/// The fence that is open at a line.
#[derive(Default)]
struct Fences {
    open: usize,
}

/// The position of a line relative to fences.
#[derive(PartialEq, Eq)]
enum FenceState {
    Opens,
    Inside,
    Closes,
    Outside,
}

impl Fences {
    fn advance(&mut self, line: &str) -> FenceState {
        let marks = line.bytes().take_while(|byte| *byte == b'`').count();
        let rest = &line[marks..];
        if self.open == 0 {
            if marks >= 3 && !rest.contains('`') {
                self.open = marks;
                return FenceState::Opens;
            }
            return FenceState::Outside;
        }
        if marks >= self.open && rest.trim().is_empty() {
            self.open = 0;
            return FenceState::Closes;
        }
        FenceState::Inside
    }
}

/// Consecutive sections, given their starts.
fn until(text: String, starts: &[usize]) -> Sections {
    let end = |index: usize| starts.get(index + 1).copied().unwrap_or(text.len());
    let ranges = starts.iter().enumerate().map(|(index, start)| *start..end(index)).collect();
    (text, ranges)
}

/// The payload's text up to its end, and its sections.
fn sections(text: &str) -> Result<Sections> {
    let mut starts = Vec::new();
    let mut fences = Fences::default();
    let mut at = 0;
    let mut older_end = None;
    for line in lines_with_ends(text) {
        let seen = fences.advance(line);
        if seen == FenceState::Outside && SECTIONS.get(starts.len()) == Some(&line.trim_end()) {
            starts.push(at);
        }
        at += line.len();
        if starts.len() < SECTIONS.len() {
            continue;
        }
        if seen == FenceState::Outside && line.trim_end() == END {
            return Ok(until(ended(&text[..at]), &starts));
        }
        if seen == FenceState::Closes {
            older_end.get_or_insert(at);
        }
    }
    // Payloads of older versions end with the acknowledgement block.
    match older_end {
        Some(end) => Ok(until(ended(&text[..end]), &starts)),
        None => Err(cut_off(SECTIONS.get(starts.len()))),
    }
}

/// The payload with a final newline, which copying may have removed.
pub(super) fn ended(payload: &str) -> String {
    format!("{payload}{}", if payload.ends_with('\n') { "" } else { "\n" })
}

/// The error for a payload that ends before this section.
pub(super) fn cut_off(next: Option<&&str>) -> Error {
    let what = match next {
        Some(next) => format!("the payload is cut off or changed: section `{next}` is missing"),
        None => "the payload is cut off in its last section".to_owned(),
    };
    Error::input(what, AGAIN)
}

fn meta(section: &str) -> Meta {
    let value = |key: &str| {
        let start = format!("- **{key}:** ");
        section.lines().find_map(|line| line.strip_prefix(start.as_str())).unwrap_or_default().trim_end().to_owned()
    };
    let budget = value("Budget");
    let (used, rest) = budget.split_once(" / ").unwrap_or_default();
    let items = value("Items");
    let hashes = value("Section Hashes");
    let (raw_hash, linked_hash) = two(&hashes).unwrap_or_default();
    Meta {
        task: value("Task"),
        complexity: value("Complexity"),
        used: number(used),
        limit: rest.split(' ').next().and_then(number),
        items: two(&items).and_then(|(raw, linked)| Some((number(raw)?, number(linked)?))),
        generated: value("Generated"),
        fingerprint: value("Fingerprint"),
        raw_hash: raw_hash.to_owned(),
        linked_hash: linked_hash.to_owned(),
    }
}

/// The two values in `RAW: a | LINKED: b`.
fn two(line: &str) -> Option<(&str, &str)> {
    let (raw, linked) = line.split_once(" | ")?;
    Some((raw.strip_prefix("RAW: ")?, linked.strip_prefix("LINKED: ")?))
}

/// Parses a number, which may have the sign of an estimate before it.
pub(super) fn number(text: &str) -> Option<usize> {
    text.trim_start_matches(ABOUT).replace(',', "").parse().ok()
}

fn raw_blocks(section: &str) -> Vec<RawBlock> {
    let mut blocks = Vec::new();
    let mut fences = Fences::default();
    let mut label = "";
    let mut content: Vec<&str> = Vec::new();
    for line in lines_with_ends(section) {
        match fences.advance(line) {
            FenceState::Outside => label = line.trim_end().strip_prefix("### RAW:").unwrap_or(label),
            FenceState::Opens => content.clear(),
            FenceState::Inside => content.push(line),
            FenceState::Closes => blocks.push(raw_block(label, &content)),
        }
    }
    blocks
}

fn raw_block(label: &str, lines: &[&str]) -> RawBlock {
    let header = |start: &str| lines.first().and_then(|line| line.trim_end_matches('\n').strip_prefix(start));
    // The task is the only block without a header line.
    let found = if label == "task" { None } else { header("# file: ").map(|rest| (BlockKind::File, rest)) };
    let found = found.or_else(|| header("# item: ").filter(|_| label != "task").map(|rest| (BlockKind::Item, rest)));
    let Some((kind, rest)) = found else {
        let (label, path) = (label.to_owned(), String::new());
        return RawBlock { label, kind: BlockKind::Task, path, form: Form::Whole, content: lines.concat() };
    };
    let (path, detail) = rest.rsplit_once(" (").unwrap_or((rest, ""));
    let detail = detail.strip_suffix(')').unwrap_or(detail);
    let (form, content) = form_and_content(detail, lines[1..].concat());
    RawBlock { label: label.to_owned(), kind, path: path.to_owned(), form, content }
}

/// The form according to a block's header, and the content without an added final newline.
pub(super) fn form_and_content(detail: &str, mut content: String) -> (Form, String) {
    let bare = detail.strip_suffix(", no newline at end");
    if bare.is_some() {
        content.truncate(content.strip_suffix('\n').map_or(content.len(), str::len));
    }
    let detail = bare.unwrap_or(detail);
    match detail.strip_suffix(NUMBERED) {
        Some(detail) => (form(detail), without_numbers(&content)),
        None => (form(detail), content),
    }
}

/// The form that is described after a path.
fn form(detail: &str) -> Form {
    if detail.starts_with("outline of ") {
        return Form::Skeleton(Vec::new());
    }
    match detail.strip_prefix("lines ").and_then(|rest| rest.split_once(" of ")) {
        Some((kept, rest)) if OUTLINED.iter().any(|end| rest.ends_with(end)) => Form::Skeleton(spans(kept)),
        Some((kept, _)) => Form::Spans(spans(kept)),
        None => Form::Whole,
    }
}

/// Parses spans such as `3-40, 88-120 whole`.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let words = text.split([',', ' ']).filter_map(|word| word.split_once('-'));
    words.filter_map(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?))).collect()
}

fn linked_lines(section: &str) -> Vec<LinkedLine> {
    let mut label = "";
    let mut lines = Vec::new();
    for line in section.lines() {
        if let Some(found) = line.strip_prefix("### LINKED:") {
            label = found.trim_end();
        } else if let Some((path, rest)) = line.strip_prefix("- ").and_then(read_code_span) {
            let (span, description) = rest.split_once(" -- ").unwrap_or((rest, ""));
            let lines_of = spans(span.trim_start_matches(" lines ")).first().copied().unwrap_or_default();
            let (path, description) = (path.to_owned(), description.trim_end().to_owned());
            lines.push(LinkedLine { label: label.to_owned(), path, lines: lines_of, description });
        }
    }
    lines
}

/// Hashes in the section, one per line.
fn sources(section: &str) -> Vec<ListedHash> {
    let hash = |line: &str| {
        let Some((path, rest)) = line.strip_prefix("- ").and_then(read_code_span) else { return plain_hash(line) };
        let (sha256, is_file) = unmarked(rest);
        Some(ListedHash { path: Some(path.to_owned()), sha256, is_file })
    };
    section.lines().filter_map(hash).collect()
}

/// A line that contains only a hash, as in older versions.
pub(super) fn plain_hash(line: &str) -> Option<ListedHash> {
    let (sha256, is_file) = unmarked(line);
    let is_hash = sha256 == "-" || !sha256.is_empty() && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(ListedHash { path: None, sha256, is_file })
}

/// Strips the marker `(text)` from the digits. Also returns true if the digits belong to a file.
fn unmarked(digits: &str) -> (String, bool) {
    let digits = digits.trim();
    let (digits, is_file) = digits.strip_suffix(TEXT_MARK).map_or((digits, true), |digits| (digits, false));
    (digits.to_owned(), is_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_a_payload_is_reported() {
        for text in ["", "hello", "# Context Payload: x\n", "## META\n- **Task:** x\n"] {
            assert!(parse(text).unwrap_err().to_string().contains("no hybrid payload"), "{text}");
        }
        let error = parse("# Context Payload: x\n\n## META\n\n## SUMMARY\n\n## RAW\n```\n## LINKED\n").unwrap_err();
        assert!(error.to_string().contains("`## LINKED`"), "{error}");
    }

    #[test]
    fn forms_are_read() {
        assert_eq!(form("lines 1-245"), Form::Whole);
        assert_eq!(form("empty"), Form::Whole);
        assert_eq!(form("lines 3-40, 88-120 of 400"), Form::Spans(vec![(3, 40), (88, 120)]));
        assert_eq!(form("lines none of 400"), Form::Spans(vec![]));
        assert_eq!(form("lines 88-120 of 400, with nearby signatures"), Form::Skeleton(vec![(88, 120)]));
        assert_eq!(form("lines 88-120 of 400, with signatures of the rest"), Form::Skeleton(vec![(88, 120)]));
        assert_eq!(form("outline of 400 lines"), Form::Skeleton(vec![]));
    }

    #[test]
    fn a_path_with_brackets_keeps_them() {
        let block = raw_block("docs", &["# file: notes (old) (lines 1-1, no newline at end)\n", "text\n"]);
        assert_eq!((block.path.as_str(), block.content.as_str()), ("notes (old)", "text"));
    }

    #[test]
    fn one_form_may_quote_the_other() {
        let (markdown, tags) = ("# Context Payload: x\n\n## META\n", "<context_payload x>\n<meta>\n");
        for (text, payload, tagged) in [
            (markdown.to_owned(), true, false),
            (tags.to_owned(), true, true),
            (format!("\u{feff}\n {markdown}"), true, false),
            (format!("{markdown}{tags}"), true, false),
            (format!("{tags}{markdown}"), true, true),
            (format!("Words before.\n{tags}"), false, true),
            (format!("Words before.\n{markdown}"), false, false),
            ("<context_payload x>\nwords\n<meta>\n".to_owned(), false, false),
            (String::new(), false, false),
        ] {
            assert_eq!((is_payload(&text), parse_xml::is_tagged(&text)), (payload, tagged), "{text}");
        }
    }

    #[test]
    fn fences_open_and_close_by_their_length() {
        let seen = |lines: &[&str]| {
            let mut fences = Fences::default();
            let mark = |line: &&str| match fences.advance(line) {
                FenceState::Opens => 'o',
                FenceState::Inside => 'i',
                FenceState::Closes => 'c',
                FenceState::Outside => '-',
            };
            lines.iter().map(mark).collect::<String>()
        };
        assert_eq!(seen(&["``", "```rust", "```rust", "``", "````", "x"]), "-oiic-");
        assert_eq!(seen(&["````", "```", "`````", "```a`b", "``` ", "```  "]), "oic-oc");
    }

    #[test]
    fn a_payload_of_an_older_version_is_read() {
        let older = "# Context Payload: x\n\n## META\n## SUMMARY\n## RAW\n\n### RAW:task\n```text\nFix\nit\n```\n\n\
                     ### RAW:docs\n```markdown\n# file: a.md (lines 1-1)\nx\n```\n\n## LINKED\n\n### LINKED:docs\n\
                     - `b.md` lines 1-1 -- B\n\n## Context Fingerprint\n\nRAW, in order:\n\n01234567\n\n\
                     LINKED, in order:\n\n89abcdef\n\n## ACK\n\n```yaml\nPAYLOAD_ACK:\n```\n";
        let read = parse(&format!("{older}Thanks.\n")).unwrap();
        assert!(read.after_meta.ends_with("PAYLOAD_ACK:\n```\n"));
        let sources: Vec<(&str, &str)> =
            read.sources.iter().map(|one| (one.path.as_str(), one.sha256.as_str())).collect();
        assert_eq!(sources, [("a.md", "01234567"), ("b.md", "89abcdef")]);
    }

    #[test]
    fn numbers_hashes_and_spans_are_read_as_they_are_written() {
        assert_eq!(
            (number("12,345"), number(&format!("{ABOUT}1,000")), number("x"), number("")),
            (Some(12_345), Some(1_000), None, None)
        );
        assert_eq!(two("RAW: a | LINKED: b"), Some(("a", "b")));
        assert_eq!((two("RAW: a"), two("LINKED: a | RAW: b")), (None, None));
        assert_eq!(spans("3-40, 88-120 whole, x-1"), [(3, 40), (88, 120)]);
        assert_eq!(unmarked(&format!("abc{TEXT_MARK} ")), ("abc".to_owned(), false));
        assert_eq!(unmarked("abc"), ("abc".to_owned(), true));
        assert_eq!((ended("a"), ended("a\n")), ("a\n".to_owned(), "a\n".to_owned()));
    }

    #[test]
    fn only_the_task_has_no_header_line() {
        let lines = ["# item: memo:1 (lines 1-1)\n", "text\n"];
        let (item, task) = (raw_block("memos", &lines), raw_block("task", &lines));
        assert_eq!((item.kind, item.path.as_str(), item.content.as_str()), (BlockKind::Item, "memo:1", "text\n"));
        assert_eq!((task.kind, task.path.as_str(), task.content), (BlockKind::Task, "", lines.concat()));
        let task = raw_block("task", &["# file: a.rs (lines 1-1)\n"]);
        assert_eq!((task.kind, task.content.as_str()), (BlockKind::Task, "# file: a.rs (lines 1-1)\n"));
    }
}
