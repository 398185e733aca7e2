//! The `Active Context` block of a model's answer: files to add to the next turn (`+ path`) and to remove (`- path`).
//!
//! Models write the block in many ways, so parsing is lenient. The heading may have any level, or be a bold line or a
//! line that ends with a colon. Entries may be bullets or plain lines, in a code fence or not, with backticks, links,
//! line ranges and comments.

use super::context::{self, Pattern};
use super::line_spec::LineSpec;

/// One line of the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextChange {
    /// True to add, false to remove.
    pub add: bool,
    /// Path, directory or glob, from the project root.
    pub path: String,
    /// Lines of the file; `None` is the whole file.
    pub lines: Option<LineSpec>,
    /// True for a glob.
    pub glob: bool,
    /// 1-based line in the answer.
    pub line: usize,
}

/// Changes to the next turn's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveContext {
    /// Changes in order.
    pub changes: Vec<ContextChange>,
    /// Invalid lines: line number, text and reason.
    pub problems: Vec<(usize, String, String)>,
}

/// Maximum length of an entry. Longer lines are prose.
const LONGEST: usize = 400;

/// Parses all `Active Context` blocks of an answer.
pub fn parse(plan: &str) -> ActiveContext {
    let mut found = ActiveContext::default();
    let mut fence: Option<Fence> = None;
    let mut block: Option<ContextBlock> = None;
    let plan = plan.strip_prefix('\u{feff}').unwrap_or(plan);
    for (index, line) in plan.lines().enumerate() {
        let text = unquoted(line);
        if let Some(mark) = Fence::of(text) {
            let closes = fence.as_ref().is_some_and(|open| open.closed_by(&mark));
            if closes && block.as_ref().is_some_and(|block| block.inside) {
                finish(block.take(), &mut found);
            }
            fence = match fence {
                Some(_) if closes => None,
                // A fence inside a longer one is text, but its lines are parsed anyway.
                Some(open) => Some(open),
                None => Some(mark),
            };
            continue;
        }
        if let Some(title) = title(text) {
            finish(block.take(), &mut found);
            block = Some(ContextBlock { title, inside: fence.is_some(), lines: Vec::new() });
            continue;
        }
        let Some(open) = &mut block else { continue };
        // Inside the block's own fence, `#` starts a comment.
        let own_fence = fence.is_some() && !open.inside;
        match BlockLine::of(text) {
            BlockLine::Entry(entry) => open.lines.push((index + 1, entry)),
            BlockLine::Empty => {}
            BlockLine::Heading | BlockLine::Prose if own_fence => {}
            BlockLine::Prose if open.lines.is_empty() => {}
            BlockLine::Heading | BlockLine::Prose => finish(block.take(), &mut found),
        }
    }
    finish(block, &mut found);
    found
}

/// The answer without the lines that remove files, so that they do not count as mentions of these files.
pub fn without_removals(plan: &str) -> String {
    let removals: Vec<usize> =
        parse(plan).changes.iter().filter(|change| !change.add).map(|change| change.line).collect();
    let lines = plan.split_inclusive('\n').enumerate().filter(|(at, _)| !removals.contains(&(at + 1)));
    lines.map(|(_, line)| line).collect()
}

/// A block being parsed.
struct ContextBlock {
    /// Heading in lower case.
    title: String,
    /// True if the heading is inside a fence.
    inside: bool,
    lines: Vec<(usize, BlockEntry)>,
}

/// A line with an optional bullet, an optional sign, and a name.
struct BlockEntry {
    bullet: Option<char>,
    sign: Option<bool>,
    rest: String,
}

enum BlockLine {
    Empty,
    Heading,
    Prose,
    Entry(BlockEntry),
}

/// Converts a block's lines to changes.
fn finish(block: Option<ContextBlock>, found: &mut ActiveContext) {
    let Some(block) = block else { return };
    let bulleted = block.lines.iter().any(|(_, entry)| entry.bullet.is_some() && entry.sign.is_some());
    // `- path` removes the path, unless other bullets have a sign.
    let sign = |entry: &BlockEntry| entry.sign.or((entry.bullet == Some('-') && !bulleted).then_some(false));
    let adds = block.lines.iter().any(|(_, entry)| sign(entry) == Some(true));
    if block.title.starts_with("4.") && !adds && !block.lines.is_empty() {
        // Without any `+`, the list is a copy of the payload's fourth section, and not a list of removals.
        let why = "it repeats the payload's list without any `+`; nothing was removed".to_owned();
        found.problems.push((block.lines[0].0, block.title, why));
        return;
    }
    for (line, entry) in block.lines {
        let name = without_remark(&entry.rest);
        if is_nothing(&name) {
            continue;
        }
        let Some(add) = sign(&entry) else {
            found.problems.push((line, name, "it has no `+` or `-` prefix".to_owned()));
            continue;
        };
        match change(&name, add, line) {
            Ok(change) => found.changes.push(change),
            Err(why) => found.problems.push((line, name, why)),
        }
    }
}

/// Parses an entry with the rules of `.context` files.
fn change(name: &str, add: bool, line: usize) -> Result<ContextChange, String> {
    // Payloads write links as `/path`, where `/` is the project's root.
    let (list, problems) = context::parse(name.strip_prefix('/').unwrap_or(name));
    if let Some(problem) = problems.into_iter().next() {
        return Err(problem.why);
    }
    let entry = list.entries.into_iter().next().ok_or("it is empty")?;
    if entry.negated {
        return Err("`!` is not allowed here; use `- path`".to_owned());
    }
    if entry.pattern.text().is_empty() {
        return Err("it is the whole project".to_owned());
    }
    let glob = matches!(entry.pattern, Pattern::Glob(_));
    Ok(ContextChange { add, path: entry.pattern.text().to_owned(), lines: entry.lines, glob, line })
}

/// Strips Markdown quote marks.
fn unquoted(line: &str) -> &str {
    let mut text = line.trim();
    while let Some(rest) = text.strip_prefix('>') {
        text = rest.trim_start();
    }
    text
}

/// The title, if the line starts a block.
fn title(line: &str) -> Option<String> {
    let hashes = line.trim_start_matches('#');
    let heading = hashes.len() < line.len() && hashes.starts_with([' ', '\t', '*', '_', '`']);
    let body = hashes.trim().trim_end_matches('#').trim();
    let unnumbered = body.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let strong = unnumbered.starts_with("**") || unnumbered.starts_with("__");
    let plain = body.trim_matches(['*', '_', '`', ':', ' ']).to_lowercase();
    let words =
        plain.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '`' | '*' | '_'));
    let rest = words.strip_prefix("active context")?;
    let rest = rest.trim_matches(['*', '_', '`', ':', ' ']);
    let remark = rest.is_empty()
        || rest.starts_with('(') && rest.ends_with(')')
        || ["block", "change", "changes", "update", "updates", "for the next turn", "for next turn"].contains(&rest);
    let marked = heading || strong || body.ends_with(':');
    (marked && remark).then_some(plain)
}

impl BlockLine {
    fn of(text: &str) -> Self {
        if text.is_empty() || text.bytes().all(|b| matches!(b, b'-' | b'*' | b'_' | b'=' | b' ')) {
            return Self::Empty;
        }
        if text.starts_with('#') {
            return Self::Heading;
        }
        if text.len() > LONGEST {
            return Self::Prose;
        }
        let (mut bullet, mut rest) = (None, text);
        let mut sign = None;
        // `- + path` and `* - path` have a bullet and a sign; `+ path` and `- path` have only a sign.
        for mark in ['*', '•', '-', '+'] {
            if let Some(after) = text.strip_prefix(mark)
                && after.starts_with([' ', '\t'])
                && (matches!(mark, '*' | '•') || signed(after.trim_start()).is_some())
            {
                (bullet, rest) = (Some(mark), after.trim_start());
                break;
            }
        }
        let alone = if bullet.is_none() { plain_sign(text) } else { None };
        if let Some((mark, after)) = alone {
            match mark {
                '+' => sign = Some(true),
                '-' => bullet = Some('-'),
                _ => sign = Some(false),
            }
            rest = after;
        } else if let Some((add, after)) = signed(rest) {
            (sign, rest) = (Some(add), after);
        }
        if bullet.is_none() && sign.is_none() {
            return Self::Prose;
        }
        Self::Entry(BlockEntry { bullet, sign, rest: rest.to_owned() })
    }
}

/// Parses a sign: `+ x`, `- x`, `[+] x`, `` `+ x` ``, `add x`; returns the sign and the remaining text.
fn signed(text: &str) -> Option<(bool, &str)> {
    let inner = text.strip_prefix('`').unwrap_or(text);
    for (mark, add) in [("[+]", true), ("[-]", false), ("(+)", true), ("(-)", false)] {
        if let Some(after) = inner.strip_prefix(mark) {
            return Some((add, after.trim_start()));
        }
    }
    // The marker may be in backticks or bold on its own: `**+** a.rs`.
    let bare = text.trim_start_matches(['`', '*']);
    let mut characters = bare.chars();
    let mark = characters.next()?;
    let after = characters.as_str();
    if bare.len() < text.len() && is_sign(mark) && after.starts_with(['`', '*']) {
        return Some((mark == '+', after.trim_start_matches(['`', '*']).trim_start()));
    }
    if let Some((mark, after)) = plain_sign(inner) {
        return Some((mark == '+', after));
    }
    for (word, add) in [("add", true), ("remove", false), ("drop", false)] {
        let Some(after) = text.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)) else { continue };
        let after = &text[after.len()..];
        if after.starts_with([':', ' ']) {
            return Some((add, after.trim_start_matches([':', ' '])));
        }
    }
    None
}

/// Parses a sign followed by a space or a quote; returns the sign and the remaining text.
fn plain_sign(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    let mark = characters.next().filter(|mark| is_sign(*mark))?;
    let after = characters.as_str();
    let first = after.chars().next()?;
    let fits = first.is_whitespace() || matches!(first, '`' | '[' | '"') || mark == '+' && first.is_alphanumeric();
    fits.then(|| (mark, after.trim_start()))
}

fn is_sign(mark: char) -> bool {
    // Some editors replace the hyphen with a minus sign or dash.
    matches!(mark, '+' | '-' | '−' | '–')
}

/// Strips backticks, links and comments: `` `a.rs` -- why ``, `[a.rs](/a.rs)`, `a.rs # why`.
fn without_remark(text: &str) -> String {
    let text = text.trim();
    // A bold name is meant, and not the glob `**/*.rs`.
    if let Some((name, _)) =
        text.strip_prefix("**").filter(|rest| !rest.starts_with('/')).and_then(|rest| rest.split_once("**"))
    {
        return without_remark(name);
    }
    if let Some(inside) = text.strip_prefix('`') {
        return inside.split('`').next().unwrap_or_default().trim().to_owned();
    }
    if let Some((label, target)) = text.strip_prefix('[').and_then(|inside| inside.split_once("](")) {
        let label = label.trim_matches('`').trim();
        let target = target.split(')').next().unwrap_or_default().trim();
        return if label.is_empty() { target.to_owned() } else { label.to_owned() };
    }
    if text.starts_with('"') {
        return text.to_owned();
    }
    // The sign is inside the backticks with the name: `+ a.rs`.
    let text = text.split('`').next().unwrap_or_default();
    let ends = [" — ", " – ", " -- ", " - ", " # ", " (", ": ", " <!--", " // "];
    let end = ends.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    text[..end].trim().trim_end_matches([',', ';']).to_owned()
}

fn is_nothing(name: &str) -> bool {
    let plain = name.trim_matches(['(', ')', '.', '*', '_', ' ']).to_lowercase();
    matches!(plain.as_str(), "" | "none" | "nothing" | "n/a" | "no change" | "no changes" | "unchanged")
}

/// A code fence: three or more backticks or tildes.
struct Fence {
    mark: u8,
    length: usize,
    info: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let mark = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = line.bytes().take_while(|byte| *byte == mark).count();
        let info = line[length..].trim();
        (length >= 3 && !info.contains('`')).then_some(Self { mark, length, info: !info.is_empty() })
    }

    fn closed_by(&self, other: &Self) -> bool {
        other.mark == self.mark && other.length >= self.length && !other.info
    }
}

#[cfg(test)]
#[path = "active_tests.rs"]
mod tests;
