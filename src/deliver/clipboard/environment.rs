//! The environment that determines the clipboard method. It is collected once, so that tests can imitate any machine.

use std::env;
use std::ffi::OsString;
use std::fmt::{self, Debug, Formatter};
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::platform::terminal;
use crate::project::config::Clipboard;

/// Timeout of a clipboard method.
const PATIENCE: Duration = Duration::from_secs(2);

/// The clipboards available in an environment. The default has none.
#[derive(Debug, Clone)]
pub struct ClipboardEnv {
    /// True if the person works from another machine (SSH).
    pub ssh: bool,
    /// `WAYLAND_DISPLAY`.
    pub wayland: Option<OsString>,
    /// `DISPLAY`.
    pub display: Option<OsString>,
    /// `TMUX`, set inside tmux.
    pub tmux: Option<OsString>,
    /// True inside GNU screen.
    pub screen: bool,
    /// `TERM`.
    pub term: Option<String>,
    /// True inside the Windows Subsystem for Linux.
    pub wsl: bool,
    /// `PATH`, for finding other programs.
    pub path: Option<OsString>,
    /// Target of escape sequences.
    pub terminal: Terminal,
    /// teddy's own executable, which keeps serving the clipboard after teddy exits (see [`super::serve`]). Without it,
    /// the system clipboard is not used on any platform.
    pub server: Option<PathBuf>,
    /// Timeout of each method.
    pub patience: Duration,
    /// Methods that the configuration allows.
    pub only: Clipboard,
}

/// Target of terminal escape sequences.
#[derive(Clone)]
pub enum Terminal {
    /// No terminal.
    Absent,
    /// A device such as `/dev/tty`.
    Device(PathBuf),
    /// Standard error, if it is a terminal.
    Stderr,
    /// A writer shared with the screen, locked for each sequence.
    Shared(Arc<Mutex<dyn Write + Send>>),
}

impl Default for ClipboardEnv {
    fn default() -> Self {
        Self {
            ssh: false,
            wayland: None,
            display: None,
            tmux: None,
            screen: false,
            term: None,
            wsl: false,
            path: None,
            terminal: Terminal::Absent,
            server: None,
            patience: PATIENCE,
            only: Clipboard::Auto,
        }
    }
}

impl ClipboardEnv {
    /// The environment of this process.
    pub fn from_process() -> Self {
        Self {
            ssh: set("SSH_TTY").or_else(|| set("SSH_CONNECTION")).is_some(),
            wayland: set("WAYLAND_DISPLAY"),
            display: set("DISPLAY"),
            tmux: set("TMUX"),
            screen: set("STY").is_some(),
            term: set("TERM").map(|term| term.to_string_lossy().into_owned()),
            wsl: set("WSL_DISTRO_NAME").or_else(|| set("WSL_INTEROP")).is_some(),
            path: set("PATH"),
            terminal: Terminal::of_process(),
            server: env::current_exe().ok(),
            patience: PATIENCE,
            only: Clipboard::Auto,
        }
    }

    /// Returns true if `DISPLAY` is forwarded to the person's own machine (`ssh -X`).
    pub(super) fn display_is_forwarded(&self) -> bool {
        let display = self.display.as_ref().map(|display| display.to_string_lossy());
        display
            .as_deref()
            .and_then(|display| display.split_once(':'))
            .is_some_and(|(host, _)| !host.is_empty() && host != "unix")
    }
}

/// An environment variable that is set and not empty.
fn set(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

impl Terminal {
    fn of_process() -> Self {
        let writable = |device: &PathBuf| OpenOptions::new().write(true).open(device).is_ok();
        if let Some(device) = terminal::device().filter(writable) {
            Self::Device(device)
        } else if io::stderr().is_terminal() {
            Self::Stderr
        } else {
            Self::Absent
        }
    }

    /// Writes a complete sequence.
    pub(super) fn send(&self, sequence: &[u8]) -> Result<(), String> {
        let sent = match self {
            Self::Absent => return Err("there is no terminal".to_owned()),
            Self::Device(path) => {
                OpenOptions::new().write(true).open(path).and_then(|mut device| write_flushed(&mut device, sequence))
            }
            Self::Stderr => write_flushed(&mut io::stderr().lock(), sequence),
            Self::Shared(writer) => match writer.lock() {
                Ok(mut writer) => write_flushed(&mut *writer, sequence),
                Err(_) => return Err("the terminal's writer is broken".to_owned()),
            },
        };
        sent.map_err(|error| format!("cannot write to the terminal: {error}"))
    }
}

fn write_flushed(writer: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    writer.write_all(bytes)?;
    writer.flush()
}

impl Debug for Terminal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("Absent"),
            Self::Device(path) => f.debug_tuple("Device").field(path).finish(),
            Self::Stderr => f.write_str("Stderr"),
            Self::Shared(_) => f.write_str("Shared"),
        }
    }
}
