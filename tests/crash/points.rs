//! Points at which a run can fail: its mutating system calls in order, and the faults to inject at each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Place;

/// Calls that change something; for `openat` only those that may create a file.
const MUTATING: &[&str] = &[
    "openat", "write", "pwrite64", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "unlink", "unlinkat",
    "rmdir", "fsync", "fdatasync", "ftruncate", "fchmod", "flock",
];

/// A fault at one system call.
#[derive(Debug, Clone)]
pub struct Point {
    pub call: &'static str,
    /// 1-based index of the call among those with this name in the first thread.
    pub nth: usize,
    /// `signal=KILL` or `error=…`.
    pub what: &'static str,
}

impl Point {
    pub fn injection(&self) -> String {
        format!("inject={}:{}:when={}", self.call, self.what, self.nth)
    }
}

pub fn can_trace() -> bool {
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o", "/dev/null", "-e", "inject=write:error=EIO:when=1", "true"]);
    traced
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Options for strace that log every mutating call.
pub fn tracing(log: &Path) -> [String; 4] {
    ["-o".to_owned(), log.to_str().unwrap().to_owned(), "-e".to_owned(), format!("trace={}", MUTATING.join(","))]
}

/// Runs the command once under strace and lists its points.
pub fn points(place: &Place, command: &[&str]) -> Vec<Point> {
    let log = place.root().parent().unwrap().join("trace.log");
    let options = tracing(&log);
    let output = place.traced(&options.each_ref().map(String::as_str), command);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&log).unwrap();
    let first = text.split_whitespace().next().unwrap_or_default().to_owned();
    in_trace(&text, |thread| thread == first)
}

/// Points of a trace in some of its threads.
pub fn in_trace(text: &str, counts_thread: impl Fn(&str) -> bool) -> Vec<Point> {
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut list = Vec::new();
    for line in text.lines() {
        let Some((pid, rest)) = line.split_once(' ') else { continue };
        let Some(call) = MUTATING.iter().find(|call| rest.trim_start().starts_with(&format!("{call}("))) else {
            continue;
        };
        if !counts_thread(pid) {
            continue;
        }
        let count = counts.entry((pid.to_owned(), call)).or_default();
        *count += 1;
        // Opening for reading and printing change nothing.
        let opens_only = *call == "openat" && !rest.contains("O_CREAT");
        let prints = *call == "write" && (rest.contains("write(1,") || rest.contains("write(2,"));
        if opens_only || prints {
            continue;
        }
        let errors: &[&'static str] = match *call {
            "openat" | "mkdir" | "mkdirat" => &["error=ENOSPC", "error=EROFS", "error=EACCES"],
            "write" | "pwrite64" | "fsync" | "fdatasync" => &["error=ENOSPC", "error=EIO"],
            "rename" | "renameat" | "renameat2" => &["error=ENOSPC", "error=EIO", "error=EROFS", "error=EACCES"],
            _ => &["error=EIO"],
        };
        let nth = *count;
        list.extend(["signal=KILL"].iter().chain(errors).map(|what| Point { call, nth, what }));
    }
    list
}
