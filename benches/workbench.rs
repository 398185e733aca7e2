//! Operations on a gathered project without the screen: scoring another task, placing an override, counting all
//! tokens: `cargo bench --bench workbench -- [DIR…]`. docs/benchmarks.md has the figures.

#![allow(clippy::unwrap_used, reason = "a benchmark stops if its setup fails")]
#![allow(clippy::print_stdout, reason = "the table is the result")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use teddy::gather::progress::NoObserver;
use teddy::gather::terms::Vocabulary;
use teddy::gather::tokens::DEFAULT;
use teddy::gather::walk::Walk;
use teddy::gather::{Corpus, Gather};
use teddy::ids::ItemId;
use teddy::place::{Budget, Decisions, Split};
use teddy::render::{Format, PayloadMeta, Renderer, SessionTerms, SystemInfo, Templates, Wrapper, renderer};
use teddy::score::{Complexity, Scores, Task, TaskType, Weights, score};
use teddy::workbench::{Action, Workbench};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TASKS: [&str; 3] = [
    "Loading the configuration fails when a value is empty. Report which file and which key is wrong, and keep the default for that value.",
    "Cancel a request that waits for its lock when the client has closed the connection",
    "Show the age of every object in the list, and sort by it",
];
const ROUNDS: usize = 5;
const RULINGS: usize = 101;
const LIMIT: usize = 25_000;

fn main() {
    let mut dirs: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").map(PathBuf::from).collect();
    if dirs.is_empty() {
        dirs.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    }
    println!("| tree | operation | median | worst |\n| --- | --- | --- | --- |");
    for dir in dirs {
        tree(&dir);
    }
}

fn tree(dir: &Path) {
    let corpus = Arc::new(gathered(dir));
    let name = format!("{}, {} files", dir.file_name().unwrap_or_default().to_string_lossy(), corpus.files.len());
    let rounds = |what: &str, times: Vec<Duration>| row(&name, what, times);
    let mut at = 0;
    let rescore = || {
        at += 1;
        scored(&corpus, TASKS[at % TASKS.len()])
    };
    rounds("score another task", timed(ROUNDS * TASKS.len(), rescore));
    let mut bench = placed(&corpus);
    let items = corpus.items.len();
    let mut at = 0;
    let rule = || {
        at += 1;
        let last = ItemId::new(items - 1);
        let action = if at % 2 == 1 { Action::Exclude(vec![last]) } else { Action::Clear(vec![last]) };
        bench.apply(&action).unwrap();
    };
    rounds("place an override", timed(RULINGS, rule));
    let files: Vec<PathBuf> = corpus.files.iter().map(|file| corpus.root.join(&file.path)).collect();
    DEFAULT.count("load the vocabulary");
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.extend(timed(1, || bare_loop(&files)));
        ours.extend(timed(1, || corpus.count_all(DEFAULT, &|| ()).unwrap()));
    }
    rounds("count all tokens, plain loop", bare);
    rounds("count all tokens", ours);
}

fn timed<T>(rounds: usize, mut run: impl FnMut() -> T) -> Vec<Duration> {
    let once = |_| {
        let start = Instant::now();
        let result = run();
        let time = start.elapsed();
        drop(result);
        time
    };
    (0..rounds).map(once).collect()
}

fn row(name: &str, what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let shown = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    println!("| {name} | {what} | {} | {} |", shown(times[times.len() / 2]), shown(times[times.len() - 1]));
}

fn gathered(dir: &Path) -> Corpus {
    let walk =
        Walk { root: dir, max_file_bytes: 1_000_000, ignore: &[], vocabulary: &Vocabulary::All, observer: &NoObserver };
    Gather { walk, history_commits: 2_000, cache: None, base: None, redactor: Arc::default() }.run().unwrap()
}

fn scored(corpus: &Corpus, task: &str) -> Scores {
    score(corpus, &Task::new(task), &Weights::default())
}

fn placed(corpus: &Arc<Corpus>) -> Workbench {
    let scores = Arc::new(scored(corpus, TASKS[0]));
    let brief = PayloadMeta {
        task: TASKS[0].to_owned(),
        task_type: TaskType::Debug,
        complexity: Complexity::Medium,
        generated: 1_769_212_800,
        limit: LIMIT,
        tokenizer: DEFAULT,
        session: String::new(),
        turn: String::new(),
        memos: Vec::new(),
        memos_file: String::new(),
        pack: teddy::project::config::PackSettings::default(),
        inherited_paths: HashSet::new(),
        system: SystemInfo {
            cwd: "/project".to_owned(),
            root: "/project".to_owned(),
            os: "Linux".to_owned(),
            shell: "sh".to_owned(),
        },
        notes: Vec::new(),
        terms: SessionTerms::default(),
        wrapper: Wrapper::default(),
        style: teddy::render::PayloadStyle::default(),
        previous: None,
        templates: Templates::builtin(TaskType::Debug),
    };
    let renderer: Arc<dyn Renderer> =
        Arc::from(renderer(Format::Hybrid, Arc::clone(corpus), Arc::clone(&scores), brief));
    let budget = Budget::new(LIMIT, Split::default(), DEFAULT).unwrap();
    Workbench::new(Arc::clone(corpus), scores, renderer, Decisions::new(), budget, false)
}

/// Reads the files and counts their tokens on two threads, for comparison.
fn bare_loop(files: &[PathBuf]) -> usize {
    let (next, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = std::fs::read(file).unwrap();
                    total.fetch_add(DEFAULT.count(&String::from_utf8_lossy(&bytes)), Ordering::Relaxed);
                }
            });
        }
    });
    total.into_inner()
}
