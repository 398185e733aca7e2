//! Speed of the secret scanner in processor time of one core: `cargo bench --bench redact` scans this repository, and
//! `cargo bench --bench redact -- DIR` another directory.

use std::path::PathBuf;
use std::time::Instant;

use teddy::redact::Redactor;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Processor time if the system reports it, else wall time.
fn seconds(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds =
        told.as_deref().and_then(|text| text.split(' ').next()).and_then(|first| first.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn main() {
    let start = Instant::now();
    let asked = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let root = asked.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let mut texts = Vec::new();
    let mut bytes = 0;
    for entry in ignore::WalkBuilder::new(&root).build().flatten() {
        if let Ok(text) = std::fs::read_to_string(entry.path())
            && bytes < 100_000_000
        {
            bytes += text.len();
            texts.push((entry.path().to_string_lossy().into_owned(), text));
        }
    }
    let before = seconds(start);
    let redactor = Redactor::builtin();
    println!("start-up    {:>8.1} ms", (seconds(start) - before) * 1e3);
    let rounds = (50_000_000 / bytes.max(1)).clamp(1, 40);
    // The first round compiles the rules that the files need.
    for round in ["first round", "then"] {
        let before = seconds(start);
        let times = if round == "then" { rounds } else { 1 };
        let found: usize =
            (0..times).map(|_| texts.iter().map(|(path, text)| redactor.find(text, path).len()).sum::<usize>()).sum();
        let rate = (bytes * times) as f64 / 1e6 / (seconds(start) - before).max(1e-9);
        println!(
            "{round:<11} {rate:>8.1} MB/s   {} files, {} MB, {} findings",
            texts.len(),
            bytes / 1_000_000,
            found / times
        );
    }
}
