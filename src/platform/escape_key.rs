//! The Esc key while a command runs in a terminal, without a screen.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Reads single keys from the terminal until it is dropped.
#[cfg(unix)]
pub(crate) struct EscapeKey {
    before: rustix::termios::Termios,
    ended: Arc<AtomicBool>,
    reading: Option<std::thread::JoinHandle<()>>,
}

#[cfg(unix)]
impl EscapeKey {
    /// Sets the flag when Esc is pressed; `None` if standard input is not a terminal, or now belongs to another
    /// program.
    pub(crate) fn watch(pressed: Arc<AtomicBool>) -> Option<Self> {
        use std::io::IsTerminal;
        use std::sync::atomic::Ordering;

        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};
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
            const ESC: u8 = 0x1b;
            while !stop.load(Ordering::SeqCst) {
                // A key such as an arrow sends more bytes after the first.
                if keys_waiting() && read_keys() == [ESC] {
                    pressed.store(true, Ordering::SeqCst);
                }
            }
        });
        Some(Self { before, ended, reading: Some(reading) })
    }
}

#[cfg(unix)]
fn keys_waiting() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = std::io::stdin();
    let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
    let patience = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    poll(&mut waiting, Some(&patience)).is_ok_and(|count| count > 0)
}

#[cfg(unix)]
fn read_keys() -> Vec<u8> {
    use std::io::Read;
    let mut bytes = [0; 64];
    let count = std::io::stdin().lock().read(&mut bytes).unwrap_or(0);
    if count == 0 {
        // The terminal is gone. Sleeps, because the loop would otherwise keep a core busy.
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    bytes[..count].to_vec()
}

#[cfg(unix)]
impl Drop for EscapeKey {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        self.ended.store(true, std::sync::atomic::Ordering::SeqCst);
        if let Some(reading) = self.reading.take() {
            let _ = reading.join();
        }
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.before);
    }
}

/// On other systems, only Ctrl-C stops a command.
#[cfg(not(unix))]
pub(crate) struct EscapeKey;

#[cfg(not(unix))]
impl EscapeKey {
    /// Does nothing.
    pub(crate) fn watch(_: Arc<AtomicBool>) -> Option<Self> {
        None
    }
}
