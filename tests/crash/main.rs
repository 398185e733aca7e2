//! Kills the real program, or makes one of its system calls fail (disk full, I/O error, read-only, permission
//! denied), one call per run. After every run the project must open, every file must have its old or new contents,
//! and the same command must succeed.
//!
//! Needs strace, and is skipped without it. A sample of the calls is tried, or all of them with
//! `TEDDY_CRASH_EVERY=1`. `TEDDY_CRASH_BINARY` selects another binary, `TEDDY_CRASH_ONLY` one scenario.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod faults;
mod interleaved;
mod mounts;
mod open_screen;
mod points;
mod screen;
#[path = "../pty/terminal.rs"]
#[allow(dead_code, reason = "other tests use the remaining items")]
mod terminal;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use points::{Point, points};

/// A command, and the commands that prepare its state.
struct Scenario {
    name: &'static str,
    before: &'static [&'static [&'static str]],
    command: &'static [&'static str],
}

const TASK: &str = "Add refund capability to the payment service";
const PLAN: &[&str] = &["plan", TASK, "--stdout"];
const ANSWER: &[&str] = &["answer", "answer.md"];
const MEMO: &[&str] = &["memo", "add", "Amounts are integers, in cents."];

const SCENARIOS: &[Scenario] = &[
    Scenario { name: "init", before: &[], command: &["init"] },
    Scenario { name: "first plan", before: &[], command: PLAN },
    Scenario { name: "plan", before: &[&["init"], MEMO], command: PLAN },
    Scenario { name: "second plan", before: &[PLAN], command: &["plan", "Mail a receipt", "--stdout", "-o", "out.md"] },
    Scenario {
        name: "override",
        before: &[PLAN],
        command: &["resume", "--pin", "src/mailer.py", "--exclude", "README.md", "--stdout"],
    },
    Scenario { name: "resume", before: &[PLAN], command: &["resume", "-m", "Now in part", "--stdout"] },
    Scenario { name: "memo add", before: &[&["init"], MEMO], command: &["memo", "add", "Use the ledger."] },
    Scenario {
        name: "memo rm",
        before: &[&["init"], MEMO, &["memo", "add", "Use the ledger."]],
        command: &["memo", "rm", "1"],
    },
    Scenario { name: "first memo", before: &[], command: MEMO },
    Scenario { name: "answer", before: &[PLAN], command: ANSWER },
    Scenario { name: "answer again", before: &[PLAN, ANSWER], command: &["answer", "report.md", "--force"] },
    Scenario { name: "report", before: &[PLAN, ANSWER], command: &["answer", "--report", "report.md"] },
    Scenario {
        name: "resume with a report",
        before: &[PLAN, ANSWER],
        command: &["resume", "--report", "report.md", "-m", "Now in part", "--stdout"],
    },
    Scenario {
        name: "handoff",
        before: &[PLAN, ANSWER],
        command: &["handoff", "--goal", "Refunds", "--decision", "Amounts are integers"],
    },
    Scenario {
        name: "handoff again",
        before: &[PLAN, &["handoff", "--goal", "Refunds"]],
        command: &["handoff", "--risk", "Rounding"],
    },
    Scenario { name: "branch", before: &[PLAN], command: &["branch", "01", "-m", "Another way"] },
];

/// The binary of this build, or `TEDDY_CRASH_BINARY`.
fn binary() -> PathBuf {
    std::env::var_os("TEDDY_CRASH_BINARY").map_or_else(|| env!("CARGO_BIN_EXE_teddy").into(), PathBuf::from)
}

/// A temporary directory with a project and a home.
pub struct Place {
    outer: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { outer: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.root().join("src")).unwrap();
        for (path, text) in [
            ("README.md", "# Payments\n"),
            (
                "src/payment.py",
                "from src.ledger import Ledger\n\n\ndef charge(cents):\n    return Ledger().add(cents)\n",
            ),
            ("src/ledger.py", "class Ledger:\n    def add(self, cents):\n        return cents\n"),
            ("src/mailer.py", "def send(to):\n    print(to)\n"),
            ("answer.md", "# Plan\n\nAdd `refund` to the ledger.\n\n## Decisions\n\n- Amounts stay integers\n"),
            ("report.md", "# Report\n\nDone; the ledger has `refund`.\n"),
        ] {
            fs::write(place.root().join(path), text).unwrap();
        }
        place
    }

    fn prepared(before: &[&[&str]]) -> Self {
        let place = Self::new();
        for args in before {
            let output = place.run(args);
            assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        place
    }

    /// A copy in the same state.
    fn copy(&self) -> Self {
        let outer = tempfile::tempdir().unwrap();
        let copied = Command::new("cp").arg("-a").arg(self.root()).arg(outer.path()).status();
        assert!(copied.unwrap().success());
        Self { outer }
    }

    /// Root of the project.
    pub fn root(&self) -> PathBuf {
        self.outer.path().join("project")
    }

    fn run_in_environment(&self, command: &mut Command) -> Output {
        self.run_in_environment_at("1769250600", command)
    }

    fn run_in_environment_at(&self, time: &str, command: &mut Command) -> Output {
        command
            .current_dir(self.root())
            .env_clear()
            .env("HOME", self.outer.path().join("home"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("SOURCE_DATE_EPOCH", time)
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs teddy in the project.
    pub fn run(&self, args: &[&str]) -> Output {
        self.run_in_environment(Command::new(binary()).args(args))
    }

    /// Runs teddy with the clock at `time`, in seconds since 1970.
    pub fn run_at(&self, time: &str, args: &[&str]) -> Output {
        self.run_in_environment_at(time, Command::new(binary()).args(args))
    }

    fn traced(&self, options: &[&str], args: &[&str]) -> Output {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq"]).args(options).arg("--").arg(binary()).args(args);
        self.run_in_environment(&mut strace)
    }

    /// Every file of the project with its contents, except lock files and process ids.
    fn listing(&self) -> Files {
        let mut found = BTreeMap::new();
        list(&self.root(), &self.root(), &mut found);
        found
    }
}

fn is_temporary(path: &Path) -> bool {
    path.iter().any(|part| {
        part.to_str()
            .is_some_and(|part| part.starts_with('.') && Path::new(part).extension().is_some_and(|end| end == "tmp"))
    })
}

fn list(root: &Path, dir: &Path, found: &mut Files) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let relative = path.strip_prefix(root).unwrap().to_path_buf();
        if path.file_name().is_some_and(|name| name == ".lock") {
            continue;
        }
        if path.is_dir() {
            list(root, &path, found);
        } else {
            found.insert(relative, fs::read(&path).unwrap());
        }
    }
}

/// Files that `init` writes: a command that needs a project creates one first.
fn starters() -> &'static Files {
    static STARTERS: OnceLock<Files> = OnceLock::new();
    STARTERS.get_or_init(|| Place::prepared(&[&["init"]]).listing())
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Results of all points.
#[derive(Default)]
pub struct Tally {
    known: usize,
    tried: usize,
    wrong: Vec<String>,
}

/// Problems in the files after a run; `seen` removes expected differences.
fn judge(place: &Place, seen: impl Fn(Files) -> Files, old: &Files, new: &Files) -> Result<(), String> {
    let left = seen(place.listing());
    for (path, bytes) in left.iter().filter(|(path, _)| !is_temporary(path)) {
        let whole = [old, new, starters()].iter().any(|state| state.get(path) == Some(bytes));
        // A log only grows, and the next line ends an incomplete one.
        let before = old.get(path).map_or(&[][..], Vec::as_slice);
        let grows = path.extension().is_some_and(|end| end == "jsonl")
            && bytes.starts_with(before)
            && new.get(path).is_some_and(|after| after.starts_with(bytes));
        if !whole && !grows {
            return Err(format!("{} is neither old nor new: {:?}", path.display(), String::from_utf8_lossy(bytes)));
        }
    }
    for path in old.keys().filter(|path| new.contains_key(*path)) {
        if !left.contains_key(path) {
            return Err(format!("{} is lost", path.display()));
        }
    }
    for args in [&["sessions"][..], &["plan", "Look again", "--dry-run", "--json"]] {
        let output = place.run(args);
        if !output.status.success() {
            return Err(format!("then {args:?} fails: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(())
}

fn try_point(base: &Place, scenario: &Scenario, point: &Point, new: &Files) -> Result<(), String> {
    let place = base.copy();
    let old = place.listing();
    let trace = format!("trace={}", point.call);
    let output = place.traced(&["-o", "/dev/null", "-e", &trace, "-e", &point.injection()], scenario.command);
    let printed = String::from_utf8_lossy(&output.stderr);
    if printed.contains("panicked") {
        return Err(format!("it panics: {printed}"));
    }
    judge(&place, |files| files, &old, new)?;
    // After freeing disk space or restarting the machine, the person repeats the command.
    let mut now = place.listing();
    now.retain(|path, _| !is_temporary(path));
    let again = place.run(scenario.command);
    // If the first try did its work, there may be nothing left to do.
    if !again.status.success() && now != *new {
        return Err(format!("the second try fails: {}", String::from_utf8_lossy(&again.stderr)));
    }
    // The next command that writes in the same directory removes temporary files.
    if !place.run(&["memo", "add", "Sweep."]).status.success() {
        return Err("no memo can be added".to_owned());
    }
    let left: Vec<PathBuf> = place.listing().into_keys().filter(|path| is_temporary(path)).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("temporary files stay: {left:?}")) }
}

/// Prints why a test is skipped. The text is not captured, so it is visible without `--nocapture`.
pub fn skip(needs: &str) {
    let _ = std::io::stderr().write_all(format!("skipped: needs {needs}\n").as_bytes());
}

#[test]
fn no_failing_system_call_loses_data() {
    if !points::can_trace() {
        return skip("strace, and permission to trace");
    }
    let every: Option<usize> = std::env::var("TEDDY_CRASH_EVERY").ok().and_then(|text| text.parse().ok());
    let only = std::env::var("TEDDY_CRASH_ONLY").ok();
    let mut tally = Tally::default();
    for scenario in SCENARIOS.iter().filter(|one| only.as_deref().is_none_or(|only| only == one.name)) {
        let base = Place::prepared(scenario.before);
        let place = base.copy();
        let found = points(&place, scenario.command);
        let new = place.listing();
        tally.known += found.len();
        let step = every.unwrap_or(found.len().div_ceil(5)).max(1);
        for point in found.iter().skip(step / 2).step_by(step) {
            tally.tried += 1;
            if let Err(why) = try_point(&base, scenario, point, &new) {
                println!("{}: {point:?}: {why}", scenario.name);
                tally.wrong.push(format!("{}: {point:?}: {why}", scenario.name));
            }
        }
        println!("{}: {} points", scenario.name, found.len());
    }
    if only.as_deref().is_none_or(|only| only == "screen") {
        screen::try_all(every, &mut tally);
    }
    let Tally { known, tried, wrong } = tally;
    println!("{tried} of {known} points tried, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(only.is_some() || known >= 200, "only {known} points are known");
}
