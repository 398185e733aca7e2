//! Time from program start to the first frame, the first files and the whole list, in a pseudo-terminal, next to
//! `true`: `cargo bench --bench start -- DIR`. DIR must be a copy with a `.teddy/`, since every run creates a
//! session. docs/benchmarks.md has the figures.

#![allow(clippy::unwrap_used, reason = "a benchmark stops if its setup fails")]
#![allow(clippy::print_stdout, reason = "the table is the result")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const ROUNDS: usize = 5;
const TASK: &str = "Loading the configuration fails when a value is empty. Report which file and which key is wrong.";
/// Text that marks each stage on the screen: first frame, incoming files, scored list.
const STAGES: [(&str, &str); 4] = [
    ("the first frame", "teddy"),
    ("the first files", "so far"),
    ("the first scored rows", "100%"),
    ("the whole list, scored and placed", "total"),
];

fn main() {
    let dir = std::env::args().skip(1).find(|argument| argument != "--bench").map(PathBuf::from);
    let Some(dir) = dir.filter(|dir| dir.join(".teddy").is_dir()) else {
        println!("skipped: pass the directory of a project copy that contains `.teddy/`");
        return;
    };
    let cache = tempfile::tempdir().unwrap();
    println!("| what | median | best | × `true` |\n| --- | --- | --- | --- |");
    let mut plain: Vec<Duration> = (0..ROUNDS).map(|_| ended("true", &dir)).collect();
    let one = row("`true`, start to end", &mut plain, None);
    let mut stages: [Vec<Duration>; 4] = [const { Vec::new() }; 4];
    for round in 0..ROUNDS {
        let times = stages_of(&dir, &cache.path().join(round.to_string()));
        times.into_iter().zip(&mut stages).for_each(|(time, all)| all.push(time));
    }
    for ((what, _), times) in STAGES.iter().zip(&mut stages) {
        row(what, times, Some(one));
    }
}

fn row(what: &str, times: &mut [Duration], one: Option<Duration>) -> Duration {
    times.sort_unstable();
    let (median, best) = (times[times.len() / 2], times[0]);
    let shown = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let ratio = one.map_or_else(|| "1.0".to_owned(), |one| format!("{:.1}", median.as_secs_f64() / one.as_secs_f64()));
    println!("| {what} | {} | {} | {ratio} |", shown(median), shown(best));
    median
}

fn size() -> PtySize {
    PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 }
}

fn ended(program: &str, dir: &Path) -> Duration {
    let pty = native_pty_system().openpty(size()).unwrap();
    let mut command = CommandBuilder::new(program);
    command.cwd(dir);
    let start = Instant::now();
    let mut child = pty.slave.spawn_command(command).unwrap();
    child.wait().unwrap();
    start.elapsed()
}

/// Times of all stages; the program is stopped after the last one.
fn stages_of(dir: &Path, cache: &Path) -> [Duration; 4] {
    let pty = native_pty_system().openpty(size()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_teddy"));
    command.args(["plan", TASK]);
    command.cwd(dir);
    command.env("TERM", "xterm-256color");
    command.env("TEDDY_CACHE_DIR", cache);
    let start = Instant::now();
    let mut child = pty.slave.spawn_command(command).unwrap();
    let mut reader = pty.master.try_clone_reader().unwrap();
    let mut screen = vt100::Parser::new(size().rows.try_into().unwrap(), size().cols.try_into().unwrap(), 0);
    let mut times = [None; 4];
    let mut bytes = vec![0; 65_536];
    while times.contains(&None) {
        let count = reader.read(&mut bytes).unwrap();
        assert!(count > 0, "teddy ended before its list was scored");
        screen.process(&bytes[..count]);
        let shown = screen.screen().contents();
        for (time, (_, mark)) in times.iter_mut().zip(STAGES) {
            if time.is_none() && shown.contains(mark) {
                *time = Some(start.elapsed());
            }
        }
        // A very short scan shows no incoming files.
        if let Some(last) = times[3] {
            times = times.map(|time| time.or(Some(last)));
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    times.map(|time| time.unwrap())
}
