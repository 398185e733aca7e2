//! Trims a long log to its failures with some context. Repeated lines are replaced by a count, and all other lines by
//! the number of omitted lines.
//!
//! Lines arrive one by one, and only those that may be kept are stored, so memory does not grow with the log.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::notations::{pattern, without_prefix};
use crate::gather::tokens::Tokenizer;
use crate::text::thousands;

/// Context lines before and after a line with a sign of failure.
const BEFORE: usize = 6;
const AFTER: usize = 14;
/// Numbers of context lines if the limit is below `LITTLE` bytes.
const FEW_BEFORE: usize = 2;
const FEW_AFTER: usize = 6;
const LITTLE: usize = 12_000;
/// Maximum size of a block. Longer blocks are split.
const BLOCK_BYTES: usize = 8_000;
/// Number of different blocks that are remembered, to detect repeats.
const MOST_BLOCKS: usize = 20_000;

/// Strong signs of failure. The location is usually near.
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
/// Weak signs of failure. They are often harmless.
const WEAK: [&str; 9] = ["error", "fail", "exception", "fatal", "abort", "assert", "panic", "undefined", "denied"];
/// Phrases such as `0 failed`, which cancel a weak sign of failure.
const NOTHING: [&str; 6] = ["0 failed", "0 errors", "0 failures", "failures: 0", "errors: 0", "no errors"];

fn finder(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
}

static STRONG_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder(&STRONG));
static WEAK_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder(&WEAK));
static NOTHING_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder(&NOTHING));
/// Parts that differ between two runs of the same failure: addresses, ids, durations.
static VOLATILE: LazyLock<Regex> = LazyLock::new(|| pattern(r"0x[0-9a-fA-F]+|\d{5,}|\d+\.\d+\s?m?s\b"));

fn has(finder: Option<&AhoCorasick>, line: &str) -> bool {
    finder.is_some_and(|finder| finder.is_match(line))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FailureSign {
    None,
    Weak,
    Strong,
}

fn sign(line: &str) -> FailureSign {
    if has(STRONG_WORDS.as_ref(), line) {
        FailureSign::Strong
    } else if has(WEAK_WORDS.as_ref(), line) && !has(NOTHING_WORDS.as_ref(), line) {
        FailureSign::Weak
    } else {
        FailureSign::None
    }
}

/// Consecutive lines that may be kept.
#[derive(Debug)]
struct Block {
    /// First line, from 0, and the number of log lines it covers.
    first: usize,
    lines: usize,
    text: String,
    sign: FailureSign,
    hash: u64,
}

/// Stores the first and the last blocks, up to a total size.
#[derive(Debug, Default)]
struct BlockStore {
    head: Vec<Block>,
    tail: VecDeque<Block>,
    head_left: usize,
    tail_left: usize,
}

impl BlockStore {
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

/// A trimmed log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrimmedLog {
    /// The text, with a marker for each gap.
    pub text: String,
    /// Number of lines in the original.
    pub lines: usize,
    /// Number of lines that were removed.
    pub gone: usize,
}

/// Trims a log that arrives line by line.
pub struct LogTrimmer {
    cap: usize,
    /// Context lines before and after.
    around: (usize, usize),
    block_bytes: usize,
    /// The whole text, until it exceeds the limit.
    all: Option<String>,
    lines: usize,
    strong: BlockStore,
    weak: BlockStore,
    open: Option<Block>,
    after: usize,
    before: VecDeque<String>,
    /// The last lines, for a log without a sign of failure.
    last: VecDeque<String>,
    last_bytes: usize,
    previous: String,
    repeats: usize,
    seen: HashMap<u64, usize>,
}

impl LogTrimmer {
    /// A trimmer that keeps about `cap` bytes.
    pub fn new(cap: usize) -> Self {
        Self {
            cap,
            around: if cap < LITTLE { (FEW_BEFORE, FEW_AFTER) } else { (BEFORE, AFTER) },
            // Even the smallest store holds at least one block.
            block_bytes: (cap * 14 / 100).min(BLOCK_BYTES),
            all: Some(String::new()),
            lines: 0,
            strong: BlockStore::new(cap * 7 / 10),
            weak: BlockStore::new(cap * 2 / 10),
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

    /// Adds the next line, without its line ending.
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
        let sign = sign(line);
        if sign == FailureSign::None && self.after == 0 {
            self.close();
            self.before.push_back(line.to_owned());
            if self.before.len() > self.around.0 {
                self.before.pop_front();
            }
            return;
        }
        self.after = if sign == FailureSign::None { self.after - 1 } else { self.around.1 };
        let before = &mut self.before;
        let block = self.open.get_or_insert_with(|| {
            let lead: Vec<String> = before.drain(..).collect();
            let text = lead.iter().flat_map(|line| [line, "\n"]).collect();
            Block { first: number - lead.len().min(number), lines: lead.len(), text, sign, hash: 0 }
        });
        block.text.push_str(line);
        block.text.push('\n');
        block.lines += 1;
        block.sign = block.sign.max(sign);
        if block.text.len() > self.block_bytes {
            self.close();
        }
    }

    fn end_repeats(&mut self) {
        if self.repeats == 0 {
            return;
        }
        let mark = format!("[previous line repeated {} more times]\n", thousands(self.repeats));
        if let Some(block) = &mut self.open {
            block.text.push_str(&mark);
            block.lines += self.repeats;
        } else if let Some(before) = self.before.back_mut() {
            // The marker for repeats is added to the last context line.
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
        if self.seen.len() < MOST_BLOCKS {
            self.seen.insert(block.hash, 1);
        }
        if block.sign == FailureSign::Strong { self.strong.put(block) } else { self.weak.put(block) }
    }

    /// Returns the trimmed log.
    pub fn finish(mut self) -> TrimmedLog {
        self.end_repeats();
        self.close();
        if let Some(text) = self.all {
            return TrimmedLog { text, lines: self.lines, gone: 0 };
        }
        let shelves = [self.strong, self.weak];
        let mut blocks: Vec<Block> =
            shelves.into_iter().flat_map(|shelf| shelf.head.into_iter().chain(shelf.tail)).collect();
        if blocks.is_empty() {
            let kept = self.last.len();
            let gone = self.lines.saturating_sub(kept);
            let mut text =
                format!("[{} lines omitted: no sign of a failure; the last lines follow]\n", thousands(gone));
            self.last.iter().for_each(|line| text.extend([line, "\n"]));
            return TrimmedLog { text, lines: self.lines, gone };
        }
        blocks.sort_by_key(|block| block.first);
        let (mut text, mut next, mut kept) = (String::new(), 0, 0);
        for block in &blocks {
            gap(&mut text, block.first.saturating_sub(next));
            text.push_str(&block.text);
            if let Some(count) = self.seen.get(&block.hash).filter(|count| **count > 1) {
                text.push_str(&format!("[repeated {} more times]\n", thousands(count - 1)));
            }
            next = next.max(block.first + block.lines);
            kept += block.lines;
        }
        gap(&mut text, self.lines.saturating_sub(next));
        TrimmedLog { text, lines: self.lines, gone: self.lines.saturating_sub(kept) }
    }
}

fn gap(text: &mut String, lines: usize) {
    match lines {
        0 => {}
        1 => text.push_str("[… 1 line omitted …]\n"),
        lines => text.push_str(&format!("[… {} lines omitted …]\n", thousands(lines))),
    }
}

/// Compares two lines without their timestamps.
fn same(one: &str, other: &str) -> bool {
    one == other
        || one.len() == other.len() && without_prefix(one) == without_prefix(other) && without_prefix(one) != one
}

/// Trims text to at most `tokens` tokens.
pub fn to_tokens(text: &str, tokenizer: Tokenizer, tokens: usize) -> TrimmedLog {
    let lines = text.lines().count();
    if tokenizer.count(text) <= tokens {
        return TrimmedLog { text: text.to_owned(), lines, gone: 0 };
    }
    let mut bytes = tokens * 4;
    for _ in 0..8 {
        let mut cutter = LogTrimmer::new(bytes);
        text.lines().for_each(|line| cutter.push(line));
        let cut = cutter.finish();
        let count = tokenizer.count(&cut.text);
        if count <= tokens {
            return cut;
        }
        bytes = (bytes * tokens / count.max(1)).min(bytes * 9 / 10);
    }
    TrimmedLog { text: String::new(), lines, gone: lines }
}
