//! Runs teddy, `rg -c` and code2prompt alternately on the same trees: `cargo bench --bench peers -- [--rounds N] DIR…`.
//! Each DIR may have its own task: `DIR=TASK`. Missing programs are skipped with a note. docs/benchmarks.md has the
//! figures.

#![allow(clippy::unwrap_used, reason = "a benchmark stops if its setup fails")]
#![allow(clippy::print_stdout, reason = "the table is the result")]

mod child;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use child::{Cost, peak_memory, timed};

const TEDDY: &str = env!("CARGO_BIN_EXE_teddy");
const TASK: &str = "Loading the configuration fails when a value is empty. Report which file and which key is wrong, and keep the default for that value.";

/// One program on one tree.
struct Contender {
    name: &'static str,
    command: Box<dyn Fn() -> Command>,
    runs: Vec<Cost>,
    memory: Option<u64>,
    /// Slow programs run once.
    once: bool,
}

fn main() {
    let mut rounds = 7;
    let mut trees: Vec<(PathBuf, String)> = Vec::new();
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        if argument == "--rounds" {
            rounds = arguments.next().unwrap().parse().unwrap();
        } else {
            let (dir, task) = argument.split_once('=').unwrap_or((&argument, TASK));
            trees.push((PathBuf::from(dir), task.to_owned()));
        }
    }
    if trees.is_empty() {
        trees.push((PathBuf::from(env!("CARGO_MANIFEST_DIR")), TASK.to_owned()));
    }
    println!("| tree | program | best | median | processor | × `rg -c` | peak memory |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut missing = BTreeSet::new();
    for (dir, task) in trees {
        tree(&dir, &task, rounds, &mut missing);
    }
    for name in missing {
        println!("\n{name} was skipped because it is not installed or does not run here.");
    }
}

fn tree(dir: &Path, task: &str, rounds: usize, missing: &mut BTreeSet<&'static str>) {
    let scratch = tempfile::tempdir().unwrap();
    let cache = |name: &str| scratch.path().join(name);
    let (cold, second, other) = (cache("cold"), teddy(dir, task, &cache("second")), teddy(dir, task, &cache("other")));
    timed(&mut second()).unwrap();
    // After two runs with different tasks, the cache contains every word.
    for before in ["Rename a thing", "Remove another"] {
        timed(&mut teddy(dir, before, &cache("other"))()).unwrap();
    }
    let first = teddy(dir, task, &cold);
    let mut contenders = vec![
        contender("`rg -c`", grep(dir, task)),
        contender("teddy, cold", move || {
            let _ = std::fs::remove_dir_all(&cold);
            first()
        }),
        contender("teddy, second run", second),
        contender("teddy, third run, another task", other),
        Contender { once: true, ..contender("code2prompt", pack(dir)) },
    ];
    contenders.retain(|contender| {
        // rg exits with 1 if nothing matches.
        let runs = timed(&mut (contender.command)()).is_ok_and(|cost| cost.status.code().is_some_and(|code| code < 2));
        if !runs {
            missing.insert(contender.name);
        }
        runs
    });
    for contender in &mut contenders {
        contender.memory = peak_memory(&mut (contender.command)()).unwrap();
    }
    for round in 0..rounds {
        for contender in contenders.iter_mut().filter(|contender| round == 0 || !contender.once) {
            contender.runs.push(timed(&mut (contender.command)()).unwrap());
        }
    }
    let grep: Vec<f64> = contenders.first().filter(|first| first.name == "`rg -c`").map(walls).unwrap_or_default();
    for contender in &contenders {
        let walls = walls(contender);
        let ratio = if grep.is_empty() { "–".to_owned() } else { format!("{:.2}", median(&walls) / median(&grep)) };
        let processor: Vec<f64> =
            contender.runs.iter().filter_map(|run| run.processor).map(|time| time.as_secs_f64()).collect();
        let processor = if processor.is_empty() { "–".to_owned() } else { format!("{:.2} s", median(&processor)) };
        let memory = contender.memory.map_or("–".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6));
        println!(
            "| {} | {} | {:.3} s | {:.3} s | {processor} | {ratio} | {memory} |",
            dir.file_name().unwrap_or(dir.as_os_str()).display(),
            contender.name,
            walls.iter().copied().fold(f64::INFINITY, f64::min),
            median(&walls),
        );
    }
}

fn contender(name: &'static str, command: impl Fn() -> Command + 'static) -> Contender {
    Contender { name, command: Box::new(command), runs: Vec::new(), memory: None, once: false }
}

fn walls(contender: &Contender) -> Vec<f64> {
    contender.runs.iter().map(|run| run.wall.as_secs_f64()).collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Searches for the task's words of more than three letters, ignoring case.
fn grep(dir: &Path, task: &str) -> impl Fn() -> Command + 'static {
    let words: BTreeSet<String> = task
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.len() > 3)
        .map(str::to_lowercase)
        .collect();
    let dir = dir.to_path_buf();
    move || {
        let mut command = Command::new("rg");
        command.args(["--no-config", "-c", "-i", "-F"]).args(words.iter().flat_map(|word| ["-e", word])).arg(&dir);
        command
    }
}

/// Runs teddy from reading to rendering, without writing a payload.
fn teddy(dir: &Path, task: &str, cache: &Path) -> impl Fn() -> Command + 'static {
    let (dir, task, cache) = (dir.to_path_buf(), task.to_owned(), cache.to_path_buf());
    move || {
        let mut command = Command::new(TEDDY);
        command.args(["plan", &task, "--dry-run", "--no-tui"]).current_dir(&dir).env("TEDDY_CACHE_DIR", &cache);
        command
    }
}

/// Packs the tree into one prompt.
fn pack(dir: &Path) -> impl Fn() -> Command + 'static {
    let dir = dir.to_path_buf();
    move || {
        let mut command = Command::new("code2prompt");
        command.arg(&dir).args(["--quiet", "--encoding", "cl100k", "--output-file", "/dev/null"]);
        command
    }
}
