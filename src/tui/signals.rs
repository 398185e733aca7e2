//! What the system tells the process: end, or go on.

use std::io;

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// To end, by this signal.
    End(&'static str),
    /// The shell has continued us.
    Continued,
}

/// The signals that we listen for.
#[cfg(unix)]
pub struct Signals {
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    carry_on: tokio::signal::unix::Signal,
    terminal_gone: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>,
}

#[cfg(unix)]
impl Signals {
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            carry_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            terminal_gone: Box::pin(terminal_gone()),
        })
    }

    /// The next one.
    pub async fn next(&mut self) -> Notice {
        tokio::select! {
            _ = self.terminate.recv() => Notice::End("SIGTERM"),
            _ = self.hang_up.recv() => Notice::End("SIGHUP"),
            () = &mut self.terminal_gone => Notice::End("SIGHUP"),
            _ = self.interrupt.recv() => Notice::End("SIGINT"),
            _ = self.carry_on.recv() => Notice::Continued,
        }
    }
}

/// Waits until the terminal is closed. The system tells only the leader of the session of that; under a script, `sudo` or a debugger nobody
/// tells us, and reading a closed terminal ends at once, again and again.
#[cfg(unix)]
async fn terminal_gone() {
    use std::io::IsTerminal;

    use rustix::event::{PollFd, PollFlags, poll};
    let (tell, told) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let (input, output) = (io::stdin(), io::stdout());
        // Nothing is asked for, so only a hang-up ends the wait. A system that cannot wait for terminals says so, and we go without.
        let mut watched = if input.is_terminal() {
            [PollFd::new(&input, PollFlags::empty())]
        } else if output.is_terminal() {
            [PollFd::new(&output, PollFlags::empty())]
        } else {
            return;
        };
        while matches!(poll(&mut watched, None), Ok(0) | Err(rustix::io::Errno::INTR)) {}
        if watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
            let _ = tell.send(());
        }
    });
    if told.await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The signals that we listen for.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// The next one.
    pub async fn next(&mut self) -> Notice {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Notice::End("Ctrl-C")
    }
}
