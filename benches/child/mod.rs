//! Runs a program and measures time, processor time and memory.

use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Cost of a run.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Wall time.
    pub wall: Duration,
    /// Processor time of all threads in hundredths of a second; `None` if the system does not report it.
    pub processor: Option<Duration>,
    pub status: ExitStatus,
}

/// Runs a command and discards its output.
pub fn timed(command: &mut Command) -> std::io::Result<Cost> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let before = children_ticks();
    let start = Instant::now();
    let status = command.status()?;
    let wall = start.elapsed();
    let ticks = children_ticks().zip(before).map(|(after, before)| after - before);
    Ok(Cost { wall, processor: ticks.map(|ticks| Duration::from_millis(ticks * 10)), status })
}

/// Peak memory in bytes, by polling; `None` if the system does not report it.
pub fn peak_memory(command: &mut Command) -> std::io::Result<Option<u64>> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let file = format!("/proc/{}/status", child.id());
    let mut most = None;
    while child.try_wait()?.is_none() {
        if let Ok(text) = std::fs::read_to_string(&file) {
            most = most.max(high_water(&text));
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    Ok(most)
}

fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// User and system time of ended children, in hundredths of a second.
fn children_ticks() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses that may contain anything.
    let mut fields = text[text.rfind(')')? + 2..].split(' ').skip(13);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}
