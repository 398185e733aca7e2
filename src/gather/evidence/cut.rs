//! A long log cut to its failures: what surrounds them stays, repeats become a count, the rest a number of lines.
//!
//! Lines come one by one and only what may stay is kept, so a log of any length needs the memory of a short one.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::notation::{pattern, without_prefix};
use crate::gather::tokens::Tokenizer;
use crate::text::thousands;

/// Lines that stay before and after a line that tells of a failure.
const BEFORE: usize = 6;
const AFTER: usize = 14;
/// The same where there is little room.
const FEW_BEFORE: usize = 2;
const FEW_AFTER: usize = 6;
const LITTLE: usize = 12_000;
/// A longer stretch is several.
const BLOCK_BYTES: usize = 8_000;
/// Failures that are told apart, so that repeats are noticed.
const REMEMBERED: usize = 20_000;

/// What only stands where something broke; a place to look at is not far.
const STRONG: [&str; 30] = [
    "traceback (most",
    "panicked at",
    "  file \"",
    "\tat ",
    "    at ",
    "caused by:",
    "exception in thread",
    "sanitizer:",
    "runtime error:",
    "goroutine ",
    "panic: ",
    "--- fail",
    " --> ",
    "error[",
    "error:",
    "error ts",
    ": error",
    "fatal error",
    "segmentation fault",
    "received signal",
    "assertionerror",
    "assertion failed",
    "e   ",
    "failed tests/",
    "failures:",
    "● ",
    " ❯ ",
    ".go:",
    "unhandled",
    "uncaught",
];
/// What may tell of a failure, and as often does not.
const WEAK: [&str; 9] = ["error", "fail", "exception", "fatal", "abort", "assert", "panic", "undefined", "denied"];
/// Counts of nothing.
const NOTHING: [&str; 6] = ["0 failed", "0 errors", "0 failures", "failures: 0", "errors: 0", "no errors"];

fn finder(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
}

static STRONG_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder(&STRONG));
static WEAK_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder(&WEAK));
static NOTHING_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder(&NOTHING));
/// What differs between two runs of the same failure: addresses, ids, durations.
static VOLATILE: LazyLock<Regex> = LazyLock::new(|| pattern(r"0x[0-9a-fA-F]+|\d{5,}|\d+\.\d+\s?m?s\b"));

fn has(finder: Option<&AhoCorasick>, line: &str) -> bool {
    finder.is_some_and(|finder| finder.is_match(line))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tells {
    Nothing,
    Perhaps,
    Surely,
}

fn tells(line: &str) -> Tells {
    if has(STRONG_WORDS.as_ref(), line) {
        Tells::Surely
    } else if has(WEAK_WORDS.as_ref(), line) && !has(NOTHING_WORDS.as_ref(), line) {
        Tells::Perhaps
    } else {
        Tells::Nothing
    }
}

/// A stretch of lines that stays.
#[derive(Debug)]
struct Block {
    /// Its first line, from 0, and how many lines of the log it stands for.
    first: usize,
    lines: usize,
    text: String,
    tells: Tells,
    hash: u64,
}

/// Blocks within a size: the first ones and the last ones.
#[derive(Debug, Default)]
struct Shelf {
    head: Vec<Block>,
    tail: VecDeque<Block>,
    head_left: usize,
    tail_left: usize,
}

impl Shelf {
    fn new(bytes: usize) -> Self {
        Self { head_left: bytes * 6 / 10, tail_left: bytes * 4 / 10, ..Self::default() }
    }

    fn put(&mut self, block: Block) {
        let size = block.text.len();
        if self.tail.is_empty() && size <= self.head_left {
            self.head_left -= size;
            self.head.push(block);
            return;
        }
        while size > self.tail_left {
            let Some(gone) = self.tail.pop_front() else { return };
            self.tail_left += gone.text.len();
        }
        self.tail_left -= size;
        self.tail.push_back(block);
    }
}

/// What is left of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The text, with marks where lines went.
    pub text: String,
    /// The lines that there were.
    pub lines: usize,
    /// How many of them went.
    pub gone: usize,
}

/// Cuts a log that comes line by line.
pub struct Cutter {
    cap: usize,
    /// Lines around a failure, and the longest stretch, that this size has room for.
    around: (usize, usize),
    block_bytes: usize,
    /// Everything, as long as it is short enough.
    all: Option<String>,
    lines: usize,
    strong: Shelf,
    weak: Shelf,
    open: Option<Block>,
    after: usize,
    before: VecDeque<String>,
    /// The last lines, for a log that tells of nothing.
    last: VecDeque<String>,
    last_bytes: usize,
    previous: String,
    repeats: usize,
    seen: HashMap<u64, usize>,
}

impl Cutter {
    /// A cutter that leaves about this many bytes.
    pub fn new(cap: usize) -> Self {
        Self {
            cap,
            around: if cap < LITTLE { (FEW_BEFORE, FEW_AFTER) } else { (BEFORE, AFTER) },
            // The smallest shelf has room for one.
            block_bytes: (cap * 14 / 100).min(BLOCK_BYTES),
            all: Some(String::new()),
            lines: 0,
            strong: Shelf::new(cap * 7 / 10),
            weak: Shelf::new(cap * 2 / 10),
            open: None,
            after: 0,
            before: VecDeque::new(),
            last: VecDeque::new(),
            last_bytes: 0,
            previous: String::new(),
            repeats: 0,
            seen: HashMap::new(),
        }
    }

    /// Takes the next line, without its line end.
    pub fn push(&mut self, line: &str) {
        if let Some(all) = &mut self.all {
            if all.len() + line.len() < self.cap {
                all.push_str(line);
                all.push('\n');
            } else {
                self.all = None;
            }
        }
        let number = self.lines;
        self.lines += 1;
        if !self.previous.is_empty() && same(&self.previous, line) {
            self.repeats += 1;
            return;
        }
        self.end_repeats();
        line.clone_into(&mut self.previous);
        self.last_bytes += line.len() + 1;
        self.last.push_back(line.to_owned());
        while self.last_bytes > self.cap * 8 / 10 {
            let Some(gone) = self.last.pop_front() else { break };
            self.last_bytes -= gone.len() + 1;
        }
        self.sort(number, line);
    }

    fn sort(&mut self, number: usize, line: &str) {
        let tells = tells(line);
        if tells == Tells::Nothing && self.after == 0 {
            self.close();
            self.before.push_back(line.to_owned());
            if self.before.len() > self.around.0 {
                self.before.pop_front();
            }
            return;
        }
        self.after = if tells == Tells::Nothing { self.after - 1 } else { self.around.1 };
        let before = &mut self.before;
        let block = self.open.get_or_insert_with(|| {
            let lead: Vec<String> = before.drain(..).collect();
            let text = lead.iter().flat_map(|line| [line, "\n"]).collect();
            Block { first: number - lead.len().min(number), lines: lead.len(), text, tells, hash: 0 }
        });
        block.text.push_str(line);
        block.text.push('\n');
        block.lines += 1;
        block.tells = block.tells.max(tells);
        if block.text.len() > self.block_bytes {
            self.close();
        }
    }

    fn end_repeats(&mut self) {
        if self.repeats == 0 {
            return;
        }
        let mark = format!("[the line above {} more times]\n", thousands(self.repeats));
        if let Some(block) = &mut self.open {
            block.text.push_str(&mark);
            block.lines += self.repeats;
        } else if let Some(before) = self.before.back_mut() {
            // The next stretch would begin with a line that stands for many.
            *before = format!("{before}\n{}", mark.trim_end());
        }
        self.repeats = 0;
    }

    fn close(&mut self) {
        let Some(mut block) = self.open.take() else { return };
        let mut hasher = DefaultHasher::new();
        for line in block.text.lines() {
            VOLATILE.replace_all(without_prefix(line), "0").hash(&mut hasher);
        }
        block.hash = hasher.finish();
        if let Some(count) = self.seen.get_mut(&block.hash) {
            *count += 1;
            return;
        }
        if self.seen.len() < REMEMBERED {
            self.seen.insert(block.hash, 1);
        }
        if block.tells == Tells::Surely { self.strong.put(block) } else { self.weak.put(block) }
    }

    /// What is left.
    pub fn finish(mut self) -> Cut {
        self.end_repeats();
        self.close();
        if let Some(text) = self.all {
            return Cut { text, lines: self.lines, gone: 0 };
        }
        let shelves = [self.strong, self.weak];
        let mut blocks: Vec<Block> =
            shelves.into_iter().flat_map(|shelf| shelf.head.into_iter().chain(shelf.tail)).collect();
        if blocks.is_empty() {
            let kept = self.last.len();
            let gone = self.lines.saturating_sub(kept);
            let mut text = format!(
                "[{} lines left out: nothing in them looks like a failure; these are the last]\n",
                thousands(gone)
            );
            self.last.iter().for_each(|line| text.extend([line, "\n"]));
            return Cut { text, lines: self.lines, gone };
        }
        blocks.sort_by_key(|block| block.first);
        let (mut text, mut next, mut kept) = (String::new(), 0, 0);
        for block in &blocks {
            gap(&mut text, block.first.saturating_sub(next));
            text.push_str(&block.text);
            if let Some(count) = self.seen.get(&block.hash).filter(|count| **count > 1) {
                text.push_str(&format!("[the same {} more times]\n", thousands(count - 1)));
            }
            next = next.max(block.first + block.lines);
            kept += block.lines;
        }
        gap(&mut text, self.lines.saturating_sub(next));
        Cut { text, lines: self.lines, gone: self.lines.saturating_sub(kept) }
    }
}

fn gap(text: &mut String, lines: usize) {
    match lines {
        0 => {}
        1 => text.push_str("[… 1 line left out …]\n"),
        lines => text.push_str(&format!("[… {} lines left out …]\n", thousands(lines))),
    }
}

/// Whether two lines say the same at different times.
fn same(one: &str, other: &str) -> bool {
    one == other
        || one.len() == other.len() && without_prefix(one) == without_prefix(other) && without_prefix(one) != one
}

/// Cuts a text to its failures within so many tokens.
pub fn to_tokens(text: &str, tokenizer: Tokenizer, tokens: usize) -> Cut {
    let lines = text.lines().count();
    if tokenizer.count(text) <= tokens {
        return Cut { text: text.to_owned(), lines, gone: 0 };
    }
    let mut bytes = tokens * 4;
    for _ in 0..8 {
        let mut cutter = Cutter::new(bytes);
        text.lines().for_each(|line| cutter.push(line));
        let cut = cutter.finish();
        let count = tokenizer.count(&cut.text);
        if count <= tokens {
            return cut;
        }
        bytes = (bytes * tokens / count.max(1)).min(bytes * 9 / 10);
    }
    Cut { text: String::new(), lines, gone: lines }
}
