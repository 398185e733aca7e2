//! Signals of the operating system, and detection of a closed terminal.

use std::io;

/// Effect of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalEffect {
    /// Exit because of this signal.
    End(&'static str),
    /// The shell has continued the process.
    Continued,
}

/// The signals that are handled.
#[cfg(unix)]
pub(crate) struct Signals {
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    carry_on: tokio::signal::unix::Signal,
    terminal_gone: Option<tokio::sync::oneshot::Receiver<()>>,
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            carry_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            terminal_gone: Some(terminal_gone()),
        })
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) -> SignalEffect {
        tokio::select! {
            _ = self.terminate.recv() => SignalEffect::End("SIGTERM"),
            _ = self.hang_up.recv() => SignalEffect::End("SIGHUP"),
            () = wait_for(&mut self.terminal_gone) => SignalEffect::End("SIGHUP"),
            _ = self.interrupt.recv() => SignalEffect::End("SIGINT"),
            _ = self.carry_on.recv() => SignalEffect::Continued,
        }
    }
}

/// Waits for a notification, or forever if there will be none.
#[cfg(unix)]
async fn wait_for(terminal_gone: &mut Option<tokio::sync::oneshot::Receiver<()>>) {
    if let Some(receiver) = terminal_gone {
        let gone = receiver.await.is_ok();
        *terminal_gone = None;
        if gone {
            return;
        }
    }
    std::future::pending::<()>().await;
}

/// Maximum time for an orderly exit after the terminal was closed.
#[cfg(unix)]
const GRACE: std::time::Duration = std::time::Duration::from_secs(2);
/// Exit code that shells report for SIGHUP.
#[cfg(unix)]
const HUNG_UP: i32 = 129;

/// Detects that the terminal was closed. The system notifies only the session leader. Under a script, `sudo` or a
/// debugger there is no signal, and each read from the closed terminal returns immediately.
#[cfg(unix)]
fn terminal_gone() -> tokio::sync::oneshot::Receiver<()> {
    use std::io::IsTerminal;

    use rustix::event::{PollFd, PollFlags, poll};
    let (sender, receiver) = tokio::sync::oneshot::channel();
    // This check comes first, because a closed terminal is no longer recognized as a terminal.
    let (input, output) = (io::stdin(), io::stdout());
    let (is_input, is_output) = (input.is_terminal(), output.is_terminal());
    std::thread::spawn(move || {
        // No events are requested, so only a hang-up ends the wait. On systems that cannot poll terminals, the check is
        // skipped.
        let mut watched = match (is_input, is_output) {
            (true, _) => [PollFd::new(&input, PollFlags::empty())],
            (false, true) => [PollFd::new(&output, PollFlags::empty())],
            (false, false) => return,
        };
        while matches!(poll(&mut watched, None), Ok(0) | Err(rustix::io::Errno::INTR)) {}
        if watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
            let _ = sender.send(());
            // The thread that reads keys may hang on the closed terminal. All overrides are already on disk.
            std::thread::sleep(GRACE);
            std::process::exit(HUNG_UP);
        }
    });
    receiver
}

/// The signals that are handled.
#[cfg(not(unix))]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) -> SignalEffect {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        SignalEffect::End("Ctrl-C")
    }
}
