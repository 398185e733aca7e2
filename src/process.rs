//! Subprocesses with a deadline. At the deadline, a process is stopped together with its children.

use std::io;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use crate::platform::processes::shell;
use crate::platform::processes::{Urgency, signal_group};

/// Time that a process has to exit after it was asked to.
const GRACE: Duration = Duration::from_secs(1);
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Waits until the process ends. At the deadline, stops it and returns `None`.
pub fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let status = poll(child, deadline)?;
    if status.is_none() {
        stop(child);
    }
    Ok(status)
}

/// Stops the process, and its process group if it leads one. First asks it to exit, then kills it.
pub fn stop(child: &mut Child) {
    if signal_group(child, Urgency::Terminate) {
        let _ = poll(child, Instant::now() + GRACE);
        signal_group(child, Urgency::Kill);
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn poll(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = SHORTEST_PAUSE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_that_ends_in_time_has_its_status() {
        let mut child = shell("exit 3").spawn().unwrap();
        let status = wait_until(&mut child, Instant::now() + Duration::from_mins(1)).unwrap();
        assert_eq!(status.and_then(|status| status.code()), Some(3));
    }

    #[test]
    fn a_process_is_stopped_with_its_children() {
        let mut child = shell("sleep 1000 & sleep 1000").stdout(Stdio::piped()).spawn().unwrap();
        assert!(wait_until(&mut child, Instant::now()).unwrap().is_none());
        // The pipe closes when the last process that holds it has ended.
        let mut printed = String::new();
        child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        assert_eq!(printed, "");
    }

    #[test]
    fn a_child_in_the_same_group_is_stopped_alone() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        stop(&mut child);
        assert!(child.try_wait().unwrap().is_some_and(|status| !status.success()));
    }
}
