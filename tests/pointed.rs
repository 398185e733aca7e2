//! Checks, on generated projects with the real gather, score and place, that RAW has the lines that evidence points to.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::Config;
use teddy::gather::evidence;
use teddy::gather::tokens::Tokenizer;
use teddy::gather::walk::Walk;
use teddy::gather::{Corpus, Gather};
use teddy::place::budget::Split;
use teddy::place::{Budget, Decisions, Form, Tier};
use teddy::redact::Policy;
use teddy::render::{Format, PayloadMeta, SessionTerms, SystemInfo, Templates, parse, renderer, verbatim};
use teddy::score::{Complexity, Task, TaskType, Weights, score, vocabulary};
use teddy::workbench::Workbench;

/// A file: its kind, and the number and length of its definitions.
#[derive(Debug, Clone)]
struct File {
    kind: usize,
    definitions: usize,
    body: usize,
}

impl File {
    fn path(&self, index: usize) -> String {
        format!("src/part{index}/refund_{index}.{}", ["py", "rs", "js", "txt"][self.kind])
    }

    /// Every line is unique, so that it can be found in a payload.
    fn text(&self, index: usize) -> String {
        let mut text = String::new();
        for number in 0..self.definitions {
            let (head, tail) = match self.kind {
                0 => (format!("def refund_{index}_{number}(cents):\n"), "\n"),
                1 => (format!("pub fn refund_{index}_{number}(cents: u32) -> u32 {{\n"), "}\n"),
                2 => (format!("function refund_{index}_{number}(cents) {{\n"), "}\n"),
                _ => (format!("Refund {index} {number}\n"), "\n"),
            };
            text.push_str(&head);
            for line in 0..self.body {
                let end = if self.kind == 0 || self.kind == 3 { "" } else { ";" };
                let name = if self.kind == 1 { "let payment" } else { "payment" };
                text.push_str(&format!("    {name}_{index}_{number}_{line} = {line}{end}\n"));
            }
            text.push_str(tail);
        }
        text
    }
}

fn files() -> impl Strategy<Value = Vec<File>> {
    let file = (0usize..4, 1usize..60, prop_oneof![4 => 1usize..20, 1 => 20usize..220]);
    let file = file.prop_map(|(kind, definitions, body)| File { kind, definitions, body });
    prop::collection::vec(file, 1..9)
}

fn gathered(dir: &std::path::Path, task: &str) -> Corpus {
    let vocabulary = vocabulary(&Task::new(task));
    let walk = Walk {
        root: dir,
        max_file_bytes: 1 << 22,
        ignore: &[],
        vocabulary: &vocabulary,
        observer: &teddy::gather::progress::NoObserver,
    };
    Gather { walk, history_commits: 0, base: None, cache: None, redactor: Arc::new(Policy::default()) }.run().unwrap()
}

fn payload_meta(task: &str, limit: usize, tokenizer: Tokenizer) -> PayloadMeta {
    PayloadMeta {
        task: task.to_owned(),
        task_type: TaskType::Debug,
        complexity: Complexity::Medium,
        generated: 1_769_250_600,
        limit,
        tokenizer,
        session: String::new(),
        turn: String::new(),
        memos: Vec::new(),
        memos_file: String::new(),
        pack: teddy::project::config::PackSettings::default(),
        inherited_paths: HashSet::new(),
        system: SystemInfo::default(),
        notes: Vec::new(),
        terms: SessionTerms::default(),
        wrapper: teddy::render::Wrapper::default(),
        style: teddy::render::PayloadStyle::default(),
        previous: None,
        templates: Templates::builtin(TaskType::Debug),
    }
}

proptest! {
    #![proptest_config(Config { cases: 40, max_shrink_iters: 100, failure_persistence: None, ..Config::default() })]

    #[test]
    fn the_line_that_a_trace_names_is_in_raw(
        files in files(), at in any::<prop::sample::Index>(), line in any::<prop::sample::Index>(), limit in 2_500usize..30_000, fill: bool,
    ) {
        let task = "Fix the rounding of the refund payment";
        let dir = tempfile::tempdir().unwrap();
        for (index, file) in files.iter().enumerate() {
            let path = dir.path().join(file.path(index));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file.text(index)).unwrap();
        }
        let chosen = at.index(files.len());
        let (path, text) = (files[chosen].path(chosen), files[chosen].text(chosen));
        let number = line.index(text.lines().count()) + 1;
        let trace = format!("thread 'main' panicked at /builds/ci/shop/{path}:{number}:1:\nboom\n");
        let corpus = gathered(dir.path(), task);
        let found = evidence::find(&corpus, &[("ci.log".to_owned(), trace)]);
        prop_assert_eq!(found.locations.len(), 1);
        prop_assert_eq!((&found.locations[0].path, found.locations[0].line as usize), (&path, number));
        let asked = Task { focus: &found.locations, ..Task::new(task) };
        let scores = Arc::new(score(&corpus, &asked, &Weights::default()));
        let corpus = Arc::new(corpus);
        let tokenizer = Tokenizer::named("o200k_base").unwrap();
        let renderer = renderer(Format::Hybrid, Arc::clone(&corpus), Arc::clone(&scores), payload_meta(task, limit, tokenizer));
        let renderer: Arc<dyn teddy::render::Renderer> = Arc::from(renderer);
        let budget = Budget::new(limit, Split::default(), tokenizer).unwrap();
        let bench = Workbench::new(Arc::clone(&corpus), Arc::clone(&scores), renderer.clone(), Decisions::new(), budget, fill);
        let item = corpus.find(&path).unwrap().into();
        let placed = bench.placement().placed.iter().find(|placed| placed.item == item).unwrap();
        prop_assert_eq!(placed.tier, Tier::Raw, "{:?}", placed);
        let wanted = number as u32;
        let inside = verbatim(&corpus, item, &placed.form).iter().any(|span| span.0 <= wanted && wanted <= span.1);
        prop_assert!(inside || placed.form == Form::Whole, "{:?}", placed);
        let payload = parse(&renderer.render(bench.placement())).unwrap();
        let block = payload.raw.iter().find(|block| block.path == path).unwrap();
        let line = text.lines().nth(number - 1).unwrap();
        prop_assert!(block.content.lines().any(|shown| shown == line), "{} is not in {}", line, block.content);
    }
}
