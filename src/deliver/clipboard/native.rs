//! The system clipboard.
//!
//! On X11 and Wayland the content exists only while the process that set it is running, so teddy starts itself in the
//! background to serve it until something else is copied. Other systems store the content.

use super::command::within;
use super::environment::ClipboardEnv;

/// The hidden command that calls [`serve`].
pub const SERVE_COMMAND: &str = "clipboard-serve";

pub use platform::{copy, reachable, serve};

/// Text of the clipboard.
pub fn read(env: &ClipboardEnv) -> Result<String, String> {
    reachable(env)?;
    if env.ssh && env.wayland.is_some() {
        // Over SSH, this would be the clipboard of the remote machine.
        return Err(super::REMOTE_CLIPBOARD.to_owned());
    }
    within(env.patience, || arboard::Clipboard::new().and_then(|mut clipboard| clipboard.get_text()))
}

#[cfg(all(unix, not(target_os = "macos")))]
mod platform {
    use std::io::{self, BufRead, BufReader, Read, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::{self, RecvTimeoutError};
    use std::thread;
    use std::time::Duration;

    use arboard::{Clipboard, SetExtLinux};

    use super::super::REMOTE_CLIPBOARD;
    use super::super::command::{feed, set_displays};
    use super::{ClipboardEnv, SERVE_COMMAND, within};
    use crate::{Error, Result};

    const READY: &str = "ready";

    /// Interval at which the server checks whether the clipboard has the text.
    const COPY_CHECK: Duration = Duration::from_millis(10);

    /// Interval at which the server checks that the display still exists. It is long, because each check wakes the
    /// processor.
    const DISPLAY_CHECK: Duration = Duration::from_secs(20);

    pub fn reachable(env: &ClipboardEnv) -> Result<(), String> {
        if env.server.is_none() {
            Err("not in use".to_owned())
        } else if env.wayland.is_none() && env.display.is_none() {
            Err("neither WAYLAND_DISPLAY nor DISPLAY is set".to_owned())
        } else if env.ssh && !env.display_is_forwarded() {
            Err(REMOTE_CLIPBOARD.to_owned())
        } else {
            Ok(())
        }
    }

    /// Starts the server, passes it the text and waits until the server reports that the text is on the clipboard.
    pub fn copy(text: &str, env: &ClipboardEnv) -> Result<(), String> {
        let server = env.server.as_ref().ok_or("not in use")?;
        let mut command = Command::new(server);
        command.arg(SERVE_COMMAND).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A separate process group protects the server from Ctrl-C in the terminal. The server runs in `/`, so that it
        // does not keep any other directory from being removed.
        command.process_group(0).current_dir("/");
        set_displays(&mut command, env);
        if env.ssh {
            command.env_remove("WAYLAND_DISPLAY");
        }
        let mut child = command.spawn().map_err(|error| format!("cannot start the background process: {error}"))?;
        let fed = feed(&mut child, text.as_bytes().to_vec());
        let verdict = first_line(&mut child, env.patience);
        drop(fed);
        match verdict.as_deref() {
            Ok(READY) => {
                // The server normally outlives teddy. If it ends first, it must not become a zombie.
                thread::spawn(move || child.wait());
                Ok(())
            }
            refused => {
                let why = match refused {
                    Ok("") => "the background process ended without a message".to_owned(),
                    Ok(why) => why.to_owned(),
                    Err(why) => why.clone(),
                };
                // It may have exited already.
                let _ = child.kill();
                let _ = child.wait();
                Err(why)
            }
        }
    }

    fn first_line(child: &mut Child, patience: Duration) -> Result<String, String> {
        let stdout = child.stdout.take().ok_or("no pipe to the background process")?;
        within(patience, move || {
            let mut line = String::new();
            BufReader::new(stdout.take(1_000)).read_line(&mut line).map(|_| line.trim().to_owned())
        })
    }

    /// Reads the text from standard input, puts it on the clipboard, prints `ready`, and serves the text until
    /// something else is copied.
    pub fn serve() -> Result<()> {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(|error| Error::io("read", "standard input", error))?;
        let served = hold(&text);
        if let Err(why) = &served {
            say(why)?;
        }
        served.map_err(|why| Error::NoClipboard { tried: vec![("system clipboard".to_owned(), why)], saved: None })
    }

    /// One thread owns the clipboard, while this one reads it like any other program until the text arrives.
    fn hold(text: &str) -> Result<(), String> {
        let mut owner = Clipboard::new().map_err(|error| error.to_string())?;
        let mut asking = Clipboard::new().map_err(|error| error.to_string())?;
        let (sender, replaced) = mpsc::channel();
        let copy = text.to_owned();
        thread::spawn(move || {
            let held = owner.set().wait().text(copy).map_err(|error| error.to_string());
            // If sending fails, the other thread has ended.
            let _ = sender.send(held);
        });
        let mut ready = false;
        let mut misses = 0;
        loop {
            match asking.get_text() {
                Ok(found) if found == text => {
                    misses = 0;
                    if !ready {
                        say(READY).map_err(|error| error.to_string())?;
                        ready = true;
                    }
                }
                _ => misses += 1,
            }
            // If the display is gone, no other program will ever replace the copy.
            if ready && misses > 1 {
                return Ok(());
            }
            match replaced.recv_timeout(if ready { DISPLAY_CHECK } else { COPY_CHECK }) {
                Ok(Ok(())) if !ready => return Err("another program immediately replaced the copy".to_owned()),
                Ok(held) => return held,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err("the clipboard's thread ended".to_owned()),
            }
        }
    }

    /// Sends one line to the waiting process.
    fn say(line: &str) -> Result<()> {
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{}", crate::text::printable(line))
            .and_then(|()| stdout.flush())
            .map_err(|error| Error::io("write to", "standard output", error))
    }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
mod platform {
    use arboard::Clipboard;

    use super::super::REMOTE_CLIPBOARD;
    use super::{ClipboardEnv, within};
    use crate::{Error, Result};

    pub fn reachable(env: &ClipboardEnv) -> Result<(), String> {
        if env.server.is_none() {
            Err("not in use".to_owned())
        } else if env.ssh {
            Err(REMOTE_CLIPBOARD.to_owned())
        } else {
            Ok(())
        }
    }

    pub fn copy(text: &str, env: &ClipboardEnv) -> Result<(), String> {
        let copy = text.to_owned();
        within(env.patience, move || Clipboard::new().and_then(|mut clipboard| clipboard.set_text(copy)))
    }

    /// Not needed here, because this system stores copied text.
    pub fn serve() -> Result<()> {
        Err(Error::input("not needed on this system", ""))
    }
}
