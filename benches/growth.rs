//! Time and memory of a plan by size of the project: `cargo bench --bench growth -- [--svg FILE] [FILES…]` generates
//! trees with these numbers of files (1,000 and 10,000 by default). docs/benchmarks.md has the figures.

#![allow(clippy::unwrap_used, reason = "a benchmark stops if its setup fails")]
#![allow(clippy::print_stdout, reason = "the table is the result")]

mod child;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use child::{peak_memory, timed};

const TASK: &str = "Fix the refund ledger of area 17: it books the wrong amount. Keep the reason of each refund.";

struct Point {
    files: usize,
    seconds: f64,
    megabytes: f64,
}

fn main() {
    let mut svg: Option<PathBuf> = None;
    let mut sizes: Vec<usize> = Vec::new();
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--svg" => svg = arguments.next().map(PathBuf::from),
            size => sizes.push(size.parse().unwrap()),
        }
    }
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000];
    }
    println!("| files | time | per file | processor | peak memory |\n| --- | --- | --- | --- | --- |");
    let points: Vec<Point> = sizes.into_iter().map(measure).collect();
    if let Some(file) = svg {
        std::fs::write(file, plot(&points)).unwrap();
    }
}

/// The best of three runs without a cache.
fn measure(files: usize) -> Point {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path(), files);
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_teddy"));
        command.args(["plan", TASK, "--dry-run", "--no-tui"]).current_dir(dir.path());
        command.env("TEDDY_CACHE_DIR", dir.path().join("none"));
        command
    };
    let memory = peak_memory(&mut command()).unwrap();
    let runs: Vec<_> = (0..3).map(|_| timed(&mut command()).unwrap()).collect();
    assert!(runs.iter().all(|run| run.status.success()), "teddy failed");
    let best = runs.iter().min_by_key(|run| run.wall).unwrap();
    let (seconds, megabytes) = (best.wall.as_secs_f64(), memory.unwrap_or_default() as f64 / 1e6);
    let processor = best.processor.map_or("–".to_owned(), |time| format!("{:.2} s", time.as_secs_f64()));
    println!("| {files} | {seconds:.2} s | {:.0} µs | {processor} | {megabytes:.0} MB |", seconds / files as f64 * 1e6);
    Point { files, seconds, megabytes }
}

/// Files of about 50 lines, two per directory.
fn make(root: &Path, files: usize) {
    for number in 0..files {
        let directory = root.join(format!("area{:02}/module{:05}", number % 50, number / 100));
        std::fs::create_dir_all(&directory).unwrap();
        let mut text = format!("package module{number}\n\nimport \"ledger/area{}\"\n\n", number % 50);
        for part in 0..10 {
            writeln!(text, "// Part{part} keeps the refund ledger.\nfunc Refund{number}Part{part}(amount int) int {{\n\treturn amount + {part}\n}}\n")
                .unwrap();
        }
        std::fs::write(directory.join(format!("file{number}.go")), text).unwrap();
    }
}

/// Label, colour and value of a curve.
type Curve<'a> = (&'a str, &'a str, &'a dyn Fn(&Point) -> f64);

/// Draws two curves by number of files on logarithmic axes, so that linear growth has a slope of one.
fn plot(points: &[Point]) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 400.0;
    const MARGIN: f64 = 60.0;
    let span = |values: &dyn Fn(&Point) -> f64| {
        let (low, high) = points
            .iter()
            .map(values)
            .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
        (low.log10().floor(), high.log10().ceil())
    };
    let place =
        |value: f64, (low, high): (f64, f64), length: f64| (value.log10() - low) / (high - low).max(1.0) * length;
    let across = span(&|point| point.files as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let curves: [Curve<'_>; 2] =
        [("time, s", "#1f5fa8", &|point| point.seconds), ("peak memory, MB", "#b0480f", &|point| point.megabytes)];
    for (at, (name, colour, value)) in curves.iter().enumerate() {
        let up = span(value);
        let position = |point: &Point| {
            let x = MARGIN + place(point.files as f64, across, WIDTH - 2.0 * MARGIN);
            (x, HEIGHT - MARGIN - place(value(point), up, HEIGHT - 2.0 * MARGIN))
        };
        let line: Vec<String> =
            points.iter().map(|point| format!("{:.1},{:.1}", position(point).0, position(point).1)).collect();
        writeln!(out, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>", line.join(" "))
            .unwrap();
        for point in points {
            let (x, y) = position(point);
            writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">{:.2}</text>", y - 8.0, value(point)).unwrap();
        }
        writeln!(out, "<text x=\"{MARGIN}\" y=\"{}\" fill=\"{colour}\">{name}</text>", 20.0 + 16.0 * at as f64)
            .unwrap();
    }
    for point in points {
        let x = MARGIN + place(point.files as f64, across, WIDTH - 2.0 * MARGIN);
        writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{} files</text>",
            HEIGHT - MARGIN + 24.0,
            point.files
        )
        .unwrap();
    }
    out.push_str("</svg>\n");
    out
}
