//! Generated projects for testing guarantees, written to disk, gathered and scored like `teddy plan` does.

use std::sync::Arc;

use proptest::prelude::*;
use teddy::gather::item::{Item, ItemKind, Source};
use teddy::gather::tokens::Tokenizer;
use teddy::gather::walk::Walk;
use teddy::gather::{Corpus, Gather, virtual_items};
use teddy::ids::FileId;
use teddy::place::{Budget, Decisions, Split};
use teddy::redact::Policy;
use teddy::render::{Format, PayloadMeta, Renderer, SessionTerms, SystemInfo, Templates, renderer};
use teddy::score::{Complexity, Scores, Task, TaskType, Weights, score, vocabulary};
use teddy::workbench::Workbench;
use tempfile::TempDir;

const DIRECTORIES: [&str; 4] = ["src", "src/billing", "tests", "docs"];
const EXTENSIONS: [&str; 8] = ["rs", "py", "ts", "go", "md", "txt", "yaml", "java"];

/// Lines of generated files; some look like parts of a payload.
const LINES: [&str; 16] = [
    "def refund(order): return order.total",
    "fn settle_invoice(amount: u64) -> u64 { amount }",
    "    // rounding of the refund in cents",
    "class Payment:",
    "",
    "```",
    "`````rust",
    "## RAW",
    "### RAW:primary-code",
    "<!-- source: teddy/named | relevance: 10 | tokens: ~1 -->",
    "# A heading",
    "\t\tindented := true /",
    "/slash at the start",
    "naïve café 你好 🎉",
    "- **Budget:** 1 / 2 tokens (RAW: 0 | LINKED: 0 | SUMMARY: 0)",
    "<|endoftext|>",
];

/// Generated files, and those that the task is about.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub all: Vec<File>,
}

/// A generated file.
#[derive(Debug, Clone)]
pub struct File {
    directory: usize,
    extension: usize,
    lines: Vec<usize>,
    /// Number of repetitions of the lines.
    times: usize,
    /// Length of an additional line without a break.
    long: usize,
    crlf: bool,
    last_line_end: bool,
    named: bool,
}

impl File {
    fn path(&self, index: usize) -> String {
        // No path is a part of another.
        format!("{}/f{index:03}x.{}", DIRECTORIES[self.directory], EXTENSIONS[self.extension])
    }

    fn symbol(index: usize) -> String {
        format!("compute_refund_{index:03}")
    }

    fn text(&self, index: usize) -> String {
        let end = if self.crlf { "\r\n" } else { "\n" };
        let mut text = String::new();
        let lines = self.lines.iter().map(|line| LINES[*line]);
        for line in lines.clone().cycle().take(lines.len() * self.times) {
            text.push_str(line);
            text.push_str(end);
        }
        if self.long > 0 {
            text.push_str(&"xyz,".repeat(self.long));
            text.push_str(end);
        }
        if self.named {
            text.push_str(&match EXTENSIONS[self.extension] {
                "rs" => format!("pub fn {}() -> u32 {{{end}    1{end}}}{end}", Self::symbol(index)),
                "py" => format!("def {}():{end}    return 1{end}", Self::symbol(index)),
                "ts" => format!("export function {}() {{{end}  return 1;{end}}}{end}", Self::symbol(index)),
                "go" => format!("func {}() int {{{end}\treturn 1{end}}}{end}", Self::symbol(index)),
                _ => format!("{}{end}", Self::symbol(index)),
            });
        }
        if !self.last_line_end {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text
    }
}

fn file() -> impl Strategy<Value = File> {
    let times = prop_oneof![2 => Just(0usize), 4 => 1usize..20, 3 => 20usize..120, 1 => 120usize..400];
    let long = prop_oneof![6 => Just(0usize), 1 => 1usize..2_000];
    let shape = (0..DIRECTORIES.len(), 0..EXTENSIONS.len(), prop::collection::vec(0..LINES.len(), 1..6), times, long);
    (shape, prop::bool::weighted(0.2), prop::bool::weighted(0.8), prop::bool::weighted(0.6)).prop_map(
        |((directory, extension, lines, times, long), crlf, last_line_end, named)| File {
            directory,
            extension,
            lines,
            times,
            long,
            crlf,
            last_line_end,
            named,
        },
    )
}

/// Files of a project.
pub fn files() -> impl Strategy<Value = Files> {
    prop::collection::vec(file(), 1..14).prop_map(|all| Files { all })
}

/// A project on disk, gathered and scored.
pub struct Project {
    dir: Arc<TempDir>,
    task: String,
    pub corpus: Arc<Corpus>,
    scores: Arc<Scores>,
}

/// A workbench, and the renderer that provides its costs.
pub struct Bench {
    pub bench: Workbench,
    pub renderer: Arc<dyn Renderer>,
}

impl Project {
    pub fn new(files: &Files) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (index, file) in files.all.iter().enumerate() {
            let path = dir.path().join(file.path(index));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file.text(index)).unwrap();
        }
        let named = files.all.iter().enumerate().filter(|(_, file)| file.named);
        let symbols: Vec<String> = named.map(|(index, _)| File::symbol(index)).collect();
        let task = format!("Fix the rounding of the refund in {}", symbols.join(", "));
        Self::gathered(Arc::new(dir), task)
    }

    /// A project of these files.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self::gathered(Arc::new(dir), "Fix the rounding of the refund".to_owned())
    }

    /// The same files, gathered and scored again.
    pub fn again(&self) -> Self {
        Self::gathered(Arc::clone(&self.dir), self.task.clone())
    }

    fn gathered(dir: Arc<TempDir>, task: String) -> Self {
        let asked = Task::new(&task);
        let vocabulary = vocabulary(&asked);
        let walk = Walk {
            root: dir.path(),
            max_file_bytes: 1 << 20,
            ignore: &[],
            vocabulary: &vocabulary,
            observer: &teddy::gather::progress::NoObserver,
        };
        let redactor = Arc::new(Policy::default());
        let gather = Gather { walk, history_commits: 0, base: None, cache: None, redactor: Arc::clone(&redactor) };
        let mut corpus = gather.run().unwrap();
        corpus.items.extend(virtual_items::memos(&["Refunds are in cents.".to_owned()], &redactor));
        let history = [("01/plan".to_owned(), "# Plan\n\n```\nround half up\n```\n".to_owned())];
        corpus.items.extend(virtual_items::texts(ItemKind::History, &history, &redactor));
        let changed: Vec<Item> =
            corpus.files.iter().enumerate().take(2).map(|(at, file)| change(at, &file.path)).collect();
        corpus.items.extend(changed);
        let scores = score(&corpus, &asked, &Weights::default());
        Self { task, corpus: Arc::new(corpus), scores: Arc::new(scores), dir }
    }

    pub fn bench(&self, format: Format, tokenizer: Tokenizer, limit: usize, fill: bool) -> Bench {
        let brief = PayloadMeta {
            task: self.task.clone(),
            task_type: TaskType::Debug,
            complexity: Complexity::Medium,
            generated: 1_769_250_600,
            limit,
            tokenizer,
            session: "20260124-fix-rounding".to_owned(),
            turn: "01".to_owned(),
            memos: vec!["Refunds are in cents.".to_owned()],
            memos_file: "- Refunds are in cents.\n".to_owned(),
            pack: teddy::project::config::PackSettings::default(),
            inherited_paths: std::collections::HashSet::new(),
            system: SystemInfo {
                cwd: "/shop".to_owned(),
                root: "/shop".to_owned(),
                os: "Linux".to_owned(),
                shell: "sh".to_owned(),
            },
            notes: self.scores.notes.clone(),
            terms: SessionTerms::default(),
            wrapper: teddy::render::Wrapper::default(),
            style: teddy::render::PayloadStyle::default(),
            previous: None,
            templates: Templates::builtin(TaskType::Debug),
        };
        let (corpus, scores) = (Arc::clone(&self.corpus), Arc::clone(&self.scores));
        let renderer: Arc<dyn Renderer> = Arc::from(renderer(format, Arc::clone(&corpus), Arc::clone(&scores), brief));
        let budget = Budget::new(limit, Split::default(), tokenizer).unwrap();
        let bench = Workbench::new(corpus, scores, renderer.clone(), Decisions::new(), budget, fill);
        Bench { bench, renderer }
    }

    /// Text written to a path.
    pub fn written(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.dir.path().join(path)).ok()
    }

    /// Text that occurs only in the diff of a file.
    pub fn diff_mark(path: &str) -> String {
        format!("+changed in {}", path.replace('/', " of "))
    }
}

fn change(file: usize, path: &str) -> Item {
    let text = format!("diff --git a/{path} b/{path}\n@@ -1 +1 @@\n{}\n", Project::diff_mark(path));
    Item {
        kind: ItemKind::Changes,
        path: format!("changes:{path}"),
        source: Source::Text(text.into()),
        about: Some(FileId::new(file)),
    }
}

/// Token count by another tokenizer.
pub fn oracle(tokenizer: Tokenizer, text: &str) -> usize {
    match tokenizer.name() {
        "o200k_base" => tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len(),
        "cl100k_base" => tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len(),
        _ => text.chars().count().div_ceil(4),
    }
}
