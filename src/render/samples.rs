//! A small project for tests, with content that could break a payload.

use std::collections::HashSet;

use tempfile::TempDir;

use super::payload_meta::{PayloadMeta, PayloadStyle, SessionTerms, SystemInfo};
use super::{Templates, Wrapper};
use crate::gather::item::{Item, ItemKind, Source};
use crate::gather::role::Role;
use crate::gather::tokens::{DEFAULT, Tokenizer};
use crate::gather::{Corpus, samples};
use crate::ids::ItemId;
use crate::place::{Form, Override, PlacedItem, Placement, Tier, Usage};
use crate::project::config::PackSettings;
use crate::score::{Complexity, Criterion, Score, Scores, Signal, TaskType};

/// A simple project with a readable payload.
pub const PLAIN: [(&str, &str); 6] = [
    ("README.md", "# Shop\n\nSells things.\n"),
    ("CONTRIBUTING.md", "# How to contribute\n\nWrite a test first.\n"),
    ("src/payment.py", "\"\"\"Takes and returns money.\"\"\"\n\n\ndef refund(order):\n    return order.total\n"),
    ("src/order.py", "# Orders and their totals.\nclass Order:\n    total = 0\n"),
    ("src/mail.py", "def send(to):\n    pass\n"),
    ("tests/test_payment.py", "from src.payment import refund\n\n\ndef test_refund():\n    assert refund\n"),
];

/// A project with content that looks like parts of a payload.
pub const HOSTILE: [(&str, &str); 16] = [
    ("a.md", "```rust\nfn a() {}\n```\n"),
    ("a&lt;b.md", "a &amp; b\n"),
    ("ack.md", "## ACK\n\n```yaml\nPAYLOAD_ACK:\n```\n\n## LINKED\n"),
    ("backticks.md", "` `` ``` ```` ````` `````` ```````\n"),
    ("comment.html", "<!-- source: teddy/x | relevance: 9 -->\n<!-- open\n"),
    ("crlf.txt", "one\r\ntwo\r\n\r\n```\r\n"),
    ("empty.rs", ""),
    ("endoftext.txt", "<|endoftext|><|im_start|>\n"),
    ("file.py", "# file: other.py (lines 1-2)\nx = 1\n"),
    ("lone-cr.txt", "a\r```\r## RAW\rb"),
    ("no-newline.rs", "fn main() {}"),
    ("payload.md", "# Context Payload: x\n\n## META\n## SUMMARY\n## RAW\n### RAW:task\n```\n"),
    ("slash.js", "/* a comment */\n/re/.test(x)\n\n\n"),
    ("spaces.txt", "   \n\t\n  x  \n\n\n   "),
    ("tags.xml", "<file>\n</file>\n</inlined>\n</file-1></raw>\n<linked>\n<context_payload task=\"x\">\n<meta>\n"),
    ("tilde.md", "~~~\n## RAW\n~~~~\n"),
];

/// Writes files and gathers them.
pub fn corpus(files: &[(&str, &str)]) -> (TempDir, Corpus) {
    let (dir, mut corpus) = samples::corpus(files);
    // These tests depend on roles but not on their detection.
    for file in &mut corpus.files {
        file.role = if file.path.starts_with("tests/") { Role::Test } else { Role::Source };
    }
    (dir, corpus)
}

/// Adds an item that is not a file.
pub fn add_text(corpus: &mut Corpus, kind: ItemKind, path: &str, text: &str) {
    corpus.items.push(Item { kind, path: path.to_owned(), source: Source::Text(text.into()), about: None });
}

/// Scores that put the items in order, best first.
pub fn scores(corpus: &Corpus) -> Scores {
    let score = |(index, item): (usize, &Item)| {
        let signal = |criterion, why: &str| Signal { criterion, why: why.into() };
        let signals = match item.path.as_str() {
            "src/payment.py" => vec![
                signal(Criterion::Named, "defines `refund`"),
                signal(Criterion::Modified, "contains words of the task"),
            ],
            "tests/test_payment.py" => vec![signal(Criterion::TestOf, "tests src/payment.py")],
            _ if index % 2 == 0 => vec![signal(Criterion::SameDomain, "same directory as a likely target")],
            _ => vec![],
        };
        let points = signals.iter().map(|signal| signal.criterion.points()).sum::<i8>() as u8 + (index % 5) as u8;
        Score { points: points.min(10), signals, ..Score::default() }
    };
    let items: Vec<Score> = corpus.items.iter().enumerate().map(score).collect();
    let order = ItemId::all(items.len()).collect();
    let targets = corpus.find("src/payment.py").map(|item| (item, 0.9)).into_iter().collect();
    let notes = vec!["`invoice`, named in the task, was not found".to_owned()];
    Scores { items, order, targets, notes, ..Scores::default() }
}

/// Payload metadata for tests.
pub fn meta(task: &str, tokenizer: Tokenizer) -> PayloadMeta {
    PayloadMeta {
        task: task.to_owned(),
        task_type: TaskType::Implement,
        complexity: Complexity::Medium,
        generated: 1_769_250_600,
        limit: 70_000,
        tokenizer,
        session: "20260124-add-refunds".to_owned(),
        turn: "01".to_owned(),
        memos: vec!["Use 'pnpm' for all package management.".to_owned()],
        memos_file: "- Use 'pnpm' for all package management.\n".to_owned(),
        pack: PackSettings::default(),
        inherited_paths: HashSet::from(["README.md".to_owned()]),
        system: SystemInfo {
            cwd: "/home/dev/shop".to_owned(),
            root: "/home/dev/shop".to_owned(),
            os: "Linux 6.8".to_owned(),
            shell: "/bin/zsh".to_owned(),
        },
        notes: vec![],
        terms: SessionTerms {
            definition_of_done: vec!["Partial refunds work".to_owned()],
            constraints: vec!["No new dependencies".to_owned()],
            ..SessionTerms::default()
        },
        templates: Templates::builtin(TaskType::Implement),
        wrapper: Wrapper::default(),
        previous: None,
        style: PayloadStyle::default(),
    }
}

/// Payload metadata with the default encoding.
pub fn plain_meta() -> PayloadMeta {
    meta("Add refund capability", DEFAULT)
}

/// A placed item.
pub fn placed(item: ItemId, tier: Tier, form: Form) -> PlacedItem {
    PlacedItem::within(item, tier, form, 0)
}

/// A placement of these items.
pub fn placement(placed: Vec<PlacedItem>) -> Placement {
    Placement { placed, active: None, usage: Usage::default(), limit: 70_000, over: 0 }
}

/// Every item inlined in full.
pub fn all_raw(corpus: &Corpus) -> Placement {
    placement(ItemId::all(corpus.items.len()).map(|item| placed(item, Tier::Raw, Form::Whole)).collect())
}

/// An item that the person excluded.
pub fn excluded(item: ItemId) -> PlacedItem {
    let mut placed = PlacedItem::out(item);
    placed.overridden = Some(Override::Exclude);
    placed
}

/// Adds a memo, a diff, the plan of an earlier turn and a log.
pub fn add_one_of_each(corpus: &mut Corpus) {
    add_text(corpus, ItemKind::Memo, "memo:1", "Use 'pnpm' for all package management.\n");
    add_text(corpus, ItemKind::Changes, "changes:src/order.py", "@@ -1 +1 @@\n-total = 0\n+total = 1\n");
    add_text(corpus, ItemKind::History, "history:01/plan.md", "1. Write refund().\n");
    add_text(corpus, ItemKind::Evidence, "evidence:log", "FAILED test_refund: src/payment.py:5\n");
}

/// The item with this path.
pub fn item(corpus: &Corpus, path: &str) -> ItemId {
    corpus.items.iter().position(|item| item.path == path).map(ItemId::new).unwrap()
}
