//! `teddy bench` in a terminal: progress, and stopping early.

use std::fmt::Write as _;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::terminal::{Project, Terminal, is_restored};

/// Number of commits: more than any machine can measure before the test stops the benchmark.
const COMMITS: usize = 500;
/// Number of commits that change an existing file. The first commit of each module adds its file.
const SUITABLE: usize = COMMITS + 1 - 60;

/// A repository with a long history: each commit changes one line of one of the modules.
fn long_history() -> Project {
    let project = Project::new();
    let mut stream = String::new();
    for number in 0..=COMMITS {
        let module = number % 60;
        let text = format!("//! Module {module} of the refund ledger.\npub fn refund_{module}() {{}} // {number}\n");
        let message = format!("Book refund number {number} in the ledger");
        let time = 1_700_000_000 + number;
        let _ = writeln!(
            stream,
            "commit refs/heads/main\ncommitter A <a@example.org> {time} +0000\ndata {}\n{message}\nM 644 inline src/refund_{module:02}.rs\ndata {}\n{text}",
            message.len(),
            text.len()
        );
    }
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(project.root()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        command
    };
    assert!(git(&["init", "-q", "-b", "main"]).status().unwrap().success());
    let mut import = git(&["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().unwrap();
    import.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());
    project
}

fn stopped_by(key: &str) {
    let project = long_history();
    let arguments = ["bench", "-n", &COMMITS.to_string(), "--budgets", "2k", "--svg", "../chart.svg"];
    let mut screen = Terminal::start(&project.root(), &arguments, (100, 60), &[]);
    // The bar is shown once a commit is measured.
    screen.wait_for("] measuring commits (Esc stops)");
    screen.send(key);
    let (raw, status) = screen.end();
    let text = String::from_utf8_lossy(&raw).into_owned();
    assert!(status.success() && is_restored(&raw), "{text}");
    let stopped = text.split("stopped: ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let measured: usize = stopped.replace(',', "").parse().unwrap();
    assert!((1..SUITABLE).contains(&measured), "{text}");
    assert!(text.contains(&format!("{stopped} commit")) && text.contains("changed lines in RAW"), "{text}");
    let chart = std::fs::read_to_string(project.root().join("../chart.svg")).unwrap();
    assert!(chart.contains(&format!("changed lines in RAW, {measured} commits")), "{chart}");
}

#[test]
fn esc_stops_a_benchmark_and_keeps_what_was_measured() {
    stopped_by("\x1b");
}

#[test]
fn control_c_stops_a_benchmark_and_keeps_what_was_measured() {
    stopped_by("\x03");
}
