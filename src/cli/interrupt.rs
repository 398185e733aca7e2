//! Stops a long command early: Ctrl-C, and Esc in a terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Watches until it is dropped.
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    /// Restores the terminal when dropped.
    _escape: Option<escape::Watch>,
}

impl Interrupt {
    /// Starts watching. A second Ctrl-C ends the program.
    pub fn watch() -> Self {
        let requested = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&requested);
        std::thread::spawn(move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    if flag.swap(true, Ordering::SeqCst) {
                        std::process::exit(130);
                    }
                }
            });
        });
        let escape = escape::Watch::start(Arc::clone(&requested));
        Self { requested, _escape: escape }
    }

    /// Returns true once the person asked to stop.
    pub fn requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }
}

#[cfg(unix)]
mod escape {
    use std::io::{IsTerminal, Read};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::JoinHandle;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

    const ESC: u8 = 0x1b;

    /// Reads single keys from the terminal.
    pub struct Watch {
        before: Termios,
        ended: Arc<AtomicBool>,
        reading: Option<JoinHandle<()>>,
    }

    impl Watch {
        /// Starts unless standard input is no terminal, or belongs to another program at the moment.
        pub fn start(requested: Arc<AtomicBool>) -> Option<Self> {
            let stdin = std::io::stdin();
            if !stdin.is_terminal() || tcgetpgrp(&stdin).ok()? != rustix::process::getpgrp() {
                return None;
            }
            let before = tcgetattr(&stdin).ok()?;
            let mut keys = before.clone();
            keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
            tcsetattr(&stdin, OptionalActions::Now, &keys).ok()?;
            let ended = Arc::new(AtomicBool::new(false));
            let stop = Arc::clone(&ended);
            let reading = std::thread::spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    // A key such as an arrow sends more bytes after the first.
                    if keys_waiting() && read_keys() == [ESC] {
                        requested.store(true, Ordering::SeqCst);
                    }
                }
            });
            Some(Self { before, ended, reading: Some(reading) })
        }
    }

    fn keys_waiting() -> bool {
        let stdin = std::io::stdin();
        let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
        let patience = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        poll(&mut waiting, Some(&patience)).is_ok_and(|count| count > 0)
    }

    fn read_keys() -> Vec<u8> {
        let mut bytes = [0; 64];
        let count = std::io::stdin().lock().read(&mut bytes).unwrap_or(0);
        if count == 0 {
            // The terminal is gone; do not spin.
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        bytes[..count].to_vec()
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            self.ended.store(true, Ordering::SeqCst);
            if let Some(reading) = self.reading.take() {
                let _ = reading.join();
            }
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.before);
        }
    }
}

#[cfg(not(unix))]
mod escape {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Elsewhere only Ctrl-C stops.
    pub struct Watch;

    impl Watch {
        /// Does nothing.
        pub fn start(_: Arc<AtomicBool>) -> Option<Self> {
            None
        }
    }
}
