//! An override on the screen, with faults at the calls that write it. Thread order varies between runs, so another
//! thread may reach a point; the guarantees hold in any case.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, panic};

use portable_pty::CommandBuilder;

use super::points::{self, Point};
use super::terminal::Terminal;
use super::{PLAN, Place, Tally, binary, is_temporary, judge};

/// Opens the turn under strace, pins a file and quits; returns the screen if that fails.
fn pin(place: &Place, options: &[String]) -> Result<(), String> {
    let mut command = CommandBuilder::new("strace");
    command.args(["-f", "-qq"]);
    command.args(options);
    command.arg("--");
    command.arg(binary());
    command.arg("resume");
    command.env("SOURCE_DATE_EPOCH", "1769250600");
    let mut screen = Terminal::run(&place.root(), command, (120, 40), &[]);
    let mut steps = || -> Result<(), String> {
        screen.wait_or_end("the items", |text| text.contains(" items · by ") || text.contains("Nothing is open"))?;
        if screen.shows("Nothing is open") {
            return Err("it was not opened".to_owned());
        }
        screen.try_send("/mailer\r").map_err(|why| why.to_string())?;
        screen.wait_or_end("the filter", |text| text.contains("╭ 1 of "))?;
        screen.try_send("p").map_err(|why| why.to_string())?;
        screen.wait_or_end("the pin", |text| {
            text.lines().any(|line| line.contains("P RAW") && line.contains("mailer"))
        })?;
        Ok(())
    };
    let went = steps();
    // Quitting must work after any failure.
    let _ = screen.try_send("\x03");
    let (raw, _) = screen.end();
    let printed = String::from_utf8_lossy(&raw).into_owned();
    if printed.contains("panicked") { Err(printed) } else { went }
}

/// `turn.yaml` without the screen's state and the inlined files, which are saved shortly after the override.
fn decided(mut files: BTreeMap<PathBuf, Vec<u8>>) -> BTreeMap<PathBuf, Vec<u8>> {
    for (path, bytes) in &mut files {
        if path.ends_with("turn.yaml") {
            let text = String::from_utf8(std::mem::take(bytes)).unwrap();
            let (mut kept, mut inside) = (String::new(), false);
            for line in text.lines() {
                inside = line.starts_with("view:")
                    || line.starts_with("raw:")
                    || (inside && (line.starts_with(' ') || line.starts_with('-')));
                if !inside {
                    kept.push_str(line);
                    kept.push('\n');
                }
            }
            *bytes = kept.into_bytes();
        }
    }
    files
}

fn try_point(base: &Place, point: &Point, new: &BTreeMap<PathBuf, Vec<u8>>) -> Result<(), String> {
    let place = base.copy();
    let old = decided(place.listing());
    let options =
        ["-o", "/dev/null", "-e", &format!("trace={}", point.call), "-e", &point.injection()].map(ToOwned::to_owned);
    // After a kill or a full disk, the run need not finish, but existing files must be intact.
    match pin(&place, &options) {
        Err(printed) if printed.contains("panicked") => return Err(format!("it panics: {printed}")),
        _ => {}
    }
    judge(&place, decided, &old, new)?;
    let again = place.run(&["resume", "--pin", "src/mailer.py", "--stdout"]);
    if !again.status.success() {
        return Err(format!("then it does not open: {}", String::from_utf8_lossy(&again.stderr)));
    }
    let left: Vec<PathBuf> = place.listing().into_keys().filter(|path| is_temporary(path)).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("temporary files stay: {left:?}")) }
}

/// Tries a sample of the points, or every `every`-th.
pub fn try_all(every: Option<usize>, tally: &mut Tally) {
    let base = Place::prepared(&[PLAN]);
    let place = base.copy();
    let log = place.root().parent().unwrap().join("trace.log");
    pin(&place, &points::tracing(&log)).unwrap();
    let new = decided(place.listing());
    let pinned = new.iter().find(|(path, _)| path.ends_with("turn.yaml")).unwrap().1;
    assert!(String::from_utf8_lossy(pinned).contains("src/mailer.py"), "the pin is not kept");
    let found = distinct(&log);
    tally.known += found.len();
    let step = every.unwrap_or(found.len().div_ceil(3)).max(1);
    for point in found.iter().skip(step / 2).step_by(step) {
        tally.tried += 1;
        let tried = panic::catch_unwind(|| try_point(&base, point, &new));
        let why = tried.unwrap_or_else(|_| Err("the screen stands still".to_owned()));
        tally.wrong.extend(why.err().map(|why| format!("screen: {point:?}: {why}")));
    }
    println!("screen: {} points", found.len());
}

/// Every point once, regardless of its thread. Only the first few writes are included, because threads write to the
/// terminal and to each other more often than to files. These pipes never fail outside a tracer, and a thread waiting
/// for one would hang, so failed writes are not injected here, only kills. Failing file writes are covered by the
/// command-line scenarios, which use the same code.
fn distinct(log: &Path) -> Vec<Point> {
    let all = points::in_trace(&fs::read_to_string(log).unwrap(), |_| true);
    let mut seen = BTreeSet::new();
    all.into_iter()
        .filter(|point| point.call != "write" || (point.nth <= 4 && point.what.starts_with("signal")))
        .filter(|point| seen.insert((point.call, point.nth, point.what)))
        .collect()
}
