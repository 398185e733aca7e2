//! Time from a key to its frame on a project of 31,000 files: `cargo bench --bench screen`. docs/benchmarks.md has
//! the figures.

#![allow(clippy::unwrap_used, reason = "a bench that cannot set its scene has failed")]
#![allow(clippy::print_stdout, reason = "the table is the result")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use teddy::app::backend::ProjectBackend;
use teddy::app::backend::{Backend, OpenTarget};
use teddy::deliver::ClipboardEnv;
use teddy::tui::driver::Driver;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FILES: usize = 31_000;
const RUNS: usize = 101;

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("large");
    for number in 0..FILES {
        let (area, module) = (number % 62, number % 1_000);
        let path = root.join(format!("pkg/area{area:02}/module{module:03}/file{number:05}.go"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = format!(
            "package module{module}\n\n// File{number} keeps the refund ledger of area {area}.\nfunc Refund{number}(amount int) int {{\n\treturn amount + {number}\n}}\n"
        );
        std::fs::write(path, text).unwrap();
    }
    teddy::project::Project::init(&root).unwrap();
    let desk = ProjectBackend::open(Some(&root)).unwrap();
    desk.use_clipboard(ClipboardEnv::default());
    desk.use_state_dir(&dir.path().join("state"));
    let desk: Arc<dyn Backend> = desk;
    let began = Instant::now();
    let entry = Some(OpenTarget::Plan("Fix the refund ledger of area 17 in module 042".to_owned()));
    let mut screen = Driver::open(desk, entry, "ansi", (200, 60)).unwrap();
    println!("{FILES} files read, scored and placed in {:.1} s (every core, once)\n", began.elapsed().as_secs_f64());
    println!("| what | median | worst of {RUNS} |\n| --- | --- | --- |");
    row("a ruling (`p`, `u`), flat list", &mut screen, |run| if run % 2 == 0 { "p" } else { "u" });
    row("a ruling far down (`x`, `u`)", &mut screen, |run| if run % 2 == 0 { "G x" } else { "u" });
    row("a scroll (`ctrl-d`)", &mut screen, |_| "ctrl-d");
    row("a row down (`j`)", &mut screen, |_| "j");
    screen.keys("g g /").unwrap();
    row("a filter character (`r`, backspace)", &mut screen, |run| if run % 2 == 0 { "r" } else { "backspace" });
    row("a fuzzy filter (`~rfnd`)", &mut screen, |run| if run % 2 == 0 { "<~rfnd>" } else { "ctrl-u" });
    screen.keys("ctrl-u enter").unwrap();
    row("a sort (`s`)", &mut screen, |_| "s");
    row("budget up, down (`+`, `-`)", &mut screen, |run| if run % 2 == 0 { "+" } else { "-" });
    screen.keys("T g g").unwrap();
    row("a ruling in the tree", &mut screen, |run| if run % 2 == 0 { "j j j p" } else { "u" });
    row("folding (`h`, `l`)", &mut screen, |run| if run % 2 == 0 { "h" } else { "l" });
    screen.keys("T g g").unwrap();
    row("next match in the whole list (`n`)", &mut screen, |_| "n");
}

/// Measures every run from its first key to the drawn frame.
fn row(what: &str, screen: &mut Driver, keys: impl Fn(usize) -> &'static str) {
    let mut times: Vec<Duration> = (0..RUNS).map(|run| screen.time_to_frame(keys(run)).unwrap()).collect();
    times.sort_unstable();
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    println!("| {what} | {} | {} |", milliseconds(times[RUNS / 2]), milliseconds(times[RUNS - 1]));
}
