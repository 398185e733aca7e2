//! Processor time from a key press to its frame: `cargo bench --bench screen -- [FILES]`, in a project of FILES files
//! (31,000 by default).
//! docs/benchmarks.md has the figures.

#![allow(clippy::unwrap_used, reason = "a benchmark stops if its setup fails")]
#![allow(clippy::print_stdout, reason = "the table is the result")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use teddy::app::backend::ProjectBackend;
use teddy::app::backend::{Backend, OpenTarget};
use teddy::deliver::ClipboardEnv;
use teddy::tui::driver::Driver;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Default number of files.
const FILES: usize = 31_000;
const RUNS: usize = 101;

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("large");
    let files = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(FILES);
    for number in 0..files {
        let (area, module) = (number % 62, number % 1_000);
        let path = root.join(format!("pkg/area{area:02}/module{module:03}/file{number:05}.go"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = format!(
            "package module{module}\n\n// File{number} keeps the refund ledger of area {area}.\nfunc Refund{number}(amount int) int {{\n\treturn amount + {number}\n}}\n"
        );
        std::fs::write(path, text).unwrap();
    }
    teddy::project::Project::init(&root).unwrap();
    let backend = ProjectBackend::open(Some(&root)).unwrap();
    backend.use_clipboard(ClipboardEnv::default());
    backend.use_state_dir(&dir.path().join("state"));
    let backend: Arc<dyn Backend> = backend;
    let began = Instant::now();
    let entry = Some(OpenTarget::Plan("Fix the refund ledger of area 17 in module 042".to_owned()));
    let mut screen = Driver::open(backend, entry, "dark", (200, 60)).unwrap();
    println!("{files} files read, scored and placed in {:.1} s (once, on every core)\n", began.elapsed().as_secs_f64());
    println!("| key | median | worst of {RUNS} |\n| --- | --- | --- |");
    row("override (`p`, `u`)", &mut screen, &["p", "u"]);
    row("override far down (`x`, `u`)", &mut screen, &["x", "u"]);
    row("row down (`j`)", &mut screen, &["j"]);
    row("half a page down (`ctrl-d`)", &mut screen, &["ctrl-d"]);
    row("last and first row (`G`, `home`)", &mut screen, &["G", "home"]);
    row("sort (`s`)", &mut screen, &["s"]);
    row("budget (`+`, `-`)", &mut screen, &["+", "-"]);
    row("auto-fill on and off (`F`)", &mut screen, &["F"]);
    screen.keys("home /").unwrap();
    row("filter character (`r`, backspace)", &mut screen, &["r", "backspace"]);
    screen.keys("<~rfn>").unwrap();
    row("fuzzy filter character (`d`, backspace)", &mut screen, &["d", "backspace"]);
    screen.keys("ctrl-u <sym:Refund1> ").unwrap();
    row("symbol filter character (`7`, backspace)", &mut screen, &["7", "backspace"]);
    screen.keys("ctrl-u enter home").unwrap();
    row("next view (`tab`)", &mut screen, &["tab"]);
    screen.keys("home enter").unwrap();
    row("line down and up in the pane (`j`, `k`)", &mut screen, &["j", "k"]);
    row("definition included and dropped (`space`)", &mut screen, &["space"]);
    screen.keys("esc home M").unwrap();
    row("token map: next block (`l`, `h`)", &mut screen, &["l", "h"]);
    row("token map: override (`x`, `u`)", &mut screen, &["x", "u"]);
    screen.keys("esc esc esc").unwrap();
    row("tree on and off (`T`)", &mut screen, &["T"]);
    screen.keys("T home j j j").unwrap();
    row("tree: override (`p`, `u`)", &mut screen, &["p", "u"]);
    row("tree: fold and unfold (`h`, `l`)", &mut screen, &["h", "l"]);
    row("tree: unfold and fold all (`]`, `[`)", &mut screen, &["]", "["]);
}

/// Measures each of these keys, from the press to the drawn frame. The jobs of the previous key are still waiting and
/// share the model, as in normal use.
fn row(what: &str, screen: &mut Driver, keys: &[&str]) {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|run| {
            let before = processor_time();
            screen.press_and_draw(keys[run % keys.len()]).unwrap();
            let taken = processor_time().saturating_sub(before);
            if run % 2 == 1 {
                screen.run_jobs();
            }
            taken
        })
        .collect();
    screen.run_jobs();
    if !RUNS.is_multiple_of(keys.len()) {
        // Restores the initial state.
        screen.keys(keys[1 % keys.len()]).unwrap();
    }
    times.sort_unstable();
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    println!("| {what} | {} | {} |", milliseconds(times[RUNS / 2]), milliseconds(times[RUNS - 1]));
}

/// Processor time of all threads since the start; elapsed time if the system does not report it.
fn processor_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let times = threads.filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<u64>().ok()
    });
    match times.sum::<u64>() {
        0 => Duration::from_nanos(std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64)),
        nanoseconds => Duration::from_nanos(nanoseconds),
    }
}
