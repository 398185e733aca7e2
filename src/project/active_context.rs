//! The `Active Context` block of a model's plan: which files it wants in the next turn (`+ path`) and which it is done
//! with (`- path`).
//!
//! Models write it in many ways, so it is read leniently: under a heading of any level, a bold line or a line that ends in
//! a colon; as bullets or plain lines; in a code fence or not; with backticks, links, spans and remarks.

use super::context::{self, Pattern, Span};

/// One line of the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Whether the file is wanted, else it is to be taken out.
    pub add: bool,
    /// The path, the directory or the glob, from the project's root.
    pub path: String,
    /// First and last line, from 1, if not the whole file.
    pub span: Option<Span>,
    /// Whether it is a glob.
    pub glob: bool,
    /// Its line in the plan, from 1.
    pub line: usize,
}

/// What a plan says about the next turn's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveContext {
    /// In the order of the plan.
    pub changes: Vec<Change>,
    /// Lines that could not be understood: the line from 1, what it says, and why.
    pub problems: Vec<(usize, String, String)>,
}

/// How long an entry may be; what is longer is prose.
const LONGEST: usize = 400;

/// Reads the blocks of a plan, one after the other.
pub fn parse(plan: &str) -> ActiveContext {
    let mut found = ActiveContext::default();
    let mut fence: Option<Fence> = None;
    let mut block: Option<Block> = None;
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
                // A fence inside a longer one is text there; its lines are looked at all the same.
                Some(open) => Some(open),
                None => Some(mark),
            };
            continue;
        }
        if let Some(title) = title(text) {
            finish(block.take(), &mut found);
            block = Some(Block { title, inside: fence.is_some(), lines: Vec::new() });
            continue;
        }
        let Some(open) = &mut block else { continue };
        // In a fence of its own, a `#` starts a remark.
        let own_fence = fence.is_some() && !open.inside;
        match Line::of(text) {
            Line::Entry(entry) => open.lines.push((index + 1, entry)),
            Line::Empty => {}
            Line::Heading | Line::Prose if own_fence => {}
            Line::Prose if open.lines.is_empty() => {}
            Line::Heading | Line::Prose => finish(block.take(), &mut found),
        }
    }
    finish(block, &mut found);
    found
}

/// A block that is being read.
struct Block {
    /// Its heading, in lower case.
    title: String,
    /// Whether it started inside a fence.
    inside: bool,
    lines: Vec<(usize, Entry)>,
}

/// A line that names something: an optional bullet, an optional sign, the rest.
struct Entry {
    bullet: Option<char>,
    sign: Option<bool>,
    rest: String,
}

enum Line {
    Empty,
    Heading,
    Prose,
    Entry(Entry),
}

/// Turns a block's lines into changes.
fn finish(block: Option<Block>, found: &mut ActiveContext) {
    let Some(block) = block else { return };
    let bulleted = block.lines.iter().any(|(_, entry)| entry.bullet.is_some() && entry.sign.is_some());
    // `- path` is a removal, unless other bullets carry a sign of their own.
    let sign = |entry: &Entry| entry.sign.or((entry.bullet == Some('-') && !bulleted).then_some(false));
    let adds = block.lines.iter().any(|(_, entry)| sign(entry) == Some(true));
    if block.title.starts_with("4.") && !adds && !block.lines.is_empty() {
        // The payload's own fourth section, repeated: the files that were there, not files to take out.
        let why = "it repeats the payload's list and has no `+`; nothing is taken out".to_owned();
        found.problems.push((block.lines[0].0, block.title, why));
        return;
    }
    for (line, entry) in block.lines {
        let name = without_remark(&entry.rest);
        if is_nothing(&name) {
            continue;
        }
        let Some(add) = sign(&entry) else {
            found.problems.push((line, name, "it has neither `+` nor `-` before it".to_owned()));
            continue;
        };
        match change(&name, add, line) {
            Ok(change) => found.changes.push(change),
            Err(why) => found.problems.push((line, name, why)),
        }
    }
}

/// The change that an entry's text comes to, by the rules of `.context` files.
fn change(name: &str, add: bool, line: usize) -> Result<Change, String> {
    // The payload writes links as `/path`, from the project's root.
    let (list, problems) = context::parse(name.strip_prefix('/').unwrap_or(name));
    if let Some(problem) = problems.into_iter().next() {
        return Err(problem.why);
    }
    let entry = list.entries.into_iter().next().ok_or("it names nothing")?;
    if entry.negated {
        return Err("`!` has no meaning here; write `- path`".to_owned());
    }
    if entry.pattern.text().is_empty() {
        return Err("it names the whole project".to_owned());
    }
    let glob = matches!(entry.pattern, Pattern::Glob(_));
    Ok(Change { add, path: entry.pattern.text().to_owned(), span: entry.span, glob, line })
}

/// A line without the marks of a quotation.
fn unquoted(line: &str) -> &str {
    let mut text = line.trim();
    while let Some(rest) = text.strip_prefix('>') {
        text = rest.trim_start();
    }
    text
}

/// The title of a block, if the line starts one.
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

impl Line {
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
        // `- + path`, `* - path`: a bullet, then a sign; `+ path` and `- path` are signs alone.
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
        Self::Entry(Entry { bullet, sign, rest: rest.to_owned() })
    }
}

/// A sign of its own: `+ x`, `- x`, `[+] x`, `` `+ x` ``, `add x`; with what follows.
fn signed(text: &str) -> Option<(bool, &str)> {
    let inner = text.strip_prefix('`').unwrap_or(text);
    for (mark, add) in [("[+]", true), ("[-]", false), ("(+)", true), ("(-)", false)] {
        if let Some(after) = inner.strip_prefix(mark) {
            return Some((add, after.trim_start()));
        }
    }
    // `+` or `-` in backticks or bold, the path outside them: `**+** a.rs`.
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

/// A sign, a blank or a backtick, and the rest.
fn plain_sign(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    let mark = characters.next().filter(|mark| is_sign(*mark))?;
    let after = characters.as_str();
    let first = after.chars().next()?;
    let fits = first.is_whitespace() || matches!(first, '`' | '[' | '"') || mark == '+' && first.is_alphanumeric();
    fits.then(|| (mark, after.trim_start()))
}

fn is_sign(mark: char) -> bool {
    // Some editors make a minus or a dash of it.
    matches!(mark, '+' | '-' | '−' | '–')
}

/// The name without backticks, link and remark: `` `a.rs` -- why ``, `[a.rs](/a.rs)`, `a.rs # why`.
fn without_remark(text: &str) -> String {
    let text = text.trim();
    // A bold name, not `**/*.rs`.
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
    // The sign was inside the backticks: `+ a.rs`.
    let text = text.split('`').next().unwrap_or_default();
    let ends = [" — ", " – ", " -- ", " - ", " # ", " (", ": ", " <!--", " // "];
    let end = ends.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    text[..end].trim().trim_end_matches([',', ';']).to_owned()
}

fn is_nothing(name: &str) -> bool {
    let plain = name.trim_matches(['(', ')', '.', '*', '_', ' ']).to_lowercase();
    matches!(plain.as_str(), "" | "none" | "nothing" | "n/a" | "no change" | "no changes" | "unchanged")
}

/// Three or more backticks or tildes.
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
