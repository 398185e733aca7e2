//! Terminal functions that crossterm does not offer: waking its reader, suspending, and writing to it despite
//! redirections.

use std::path::PathBuf;

/// Wakes the reader of the terminal. Setting its attributes, even to the same values, makes the system check for input
/// again.
pub(crate) fn wake_reader() {
    #[cfg(unix)]
    {
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        let stdin = std::io::stdin();
        if let Ok(attributes) = tcgetattr(&stdin) {
            let _ = tcsetattr(&stdin, OptionalActions::Now, &attributes);
        }
    }
}

/// Returns true if the terminal's replies to queries arrive as events. On Windows, the console's events do not include
/// them.
pub(crate) fn replies_to_queries() -> bool {
    cfg!(unix)
}

/// Suspends this process until the shell continues it. Stopping the whole process group would also stop a script that
/// runs teddy, while the shell waits only for this process.
pub(crate) fn suspend() {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getpid, kill_process};
        let _ = kill_process(getpid(), Signal::TSTP);
    }
}

/// The device of this process's terminal. It works even if all three standard streams are redirected.
pub(crate) fn device() -> Option<PathBuf> {
    cfg!(unix).then(|| PathBuf::from("/dev/tty"))
}
