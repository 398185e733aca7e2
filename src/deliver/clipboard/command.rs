//! Programs that copy their standard input to the clipboard, or print the clipboard.

use std::borrow::Cow;
use std::env;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::REMOTE_CLIPBOARD;
use super::environment::ClipboardEnv;
use crate::platform::files::{is_executable, program_file_names};
use crate::platform::processes::{System, system};
use crate::process;

/// A clipboard program, and the environment that it needs.
pub struct Program {
    /// Name in `PATH`.
    pub name: &'static str,
    arguments: &'static [&'static str],
    needs: Requirement,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Requirement {
    Wayland,
    X11,
    Mac,
    Windows,
    Tmux,
}

/// Copy programs, in the order in which they are tried.
pub const PROGRAMS: [Program; 5] = [
    Program { name: "wl-copy", arguments: &[], needs: Requirement::Wayland },
    Program { name: "xclip", arguments: &["-selection", "clipboard"], needs: Requirement::X11 },
    Program { name: "xsel", arguments: &["-ib"], needs: Requirement::X11 },
    Program { name: "pbcopy", arguments: &[], needs: Requirement::Mac },
    Program { name: "clip.exe", arguments: &[], needs: Requirement::Windows },
];

/// tmux has its own buffer and passes it on to the terminal with the correct wrapping.
pub const TMUX: Program = Program { name: "tmux", arguments: &["load-buffer", "-w", "-"], needs: Requirement::Tmux };

/// Programs that print the clipboard, in the order in which they are tried.
pub const READERS: [Program; 6] = [
    Program { name: "wl-paste", arguments: &["--no-newline"], needs: Requirement::Wayland },
    Program { name: "xclip", arguments: &["-selection", "clipboard", "-o"], needs: Requirement::X11 },
    Program { name: "xsel", arguments: &["-ob"], needs: Requirement::X11 },
    Program { name: "pbpaste", arguments: &[], needs: Requirement::Mac },
    Program {
        name: "powershell.exe",
        arguments: &[
            "-NoProfile",
            "-Command",
            "[Console]::OutputEncoding=[Text.Encoding]::UTF8; [Console]::Out.Write((Get-Clipboard -Raw))",
        ],
        needs: Requirement::Windows,
    },
    Program { name: "tmux", arguments: &["save-buffer", "-"], needs: Requirement::Tmux },
];

impl Program {
    /// Returns an error if the program cannot be used here; `None` if it is for another operating system.
    pub fn reachable(&self, env: &ClipboardEnv) -> Option<Result<(), String>> {
        let found = self.found(env).map(|_| ());
        let belongs = match self.needs {
            Requirement::Wayland | Requirement::X11 => system() == System::Other || found.is_ok(),
            Requirement::Mac => system() == System::Mac || found.is_ok(),
            Requirement::Windows => system() == System::Windows || env.wsl,
            Requirement::Tmux => env.tmux.is_some(),
        };
        let missing = match self.needs {
            Requirement::Wayland if env.wayland.is_none() => Some("WAYLAND_DISPLAY is not set"),
            Requirement::X11 if env.display.is_none() => Some("DISPLAY is not set"),
            Requirement::X11 if env.ssh && env.display_is_forwarded() => None,
            // tmux runs on the same machine as teddy, and its buffer contains the text that the person copied.
            Requirement::Tmux => None,
            _ if env.ssh => Some(REMOTE_CLIPBOARD),
            _ => None,
        };
        belongs.then(|| missing.map_or(found, |why| Err(why.to_owned())))
    }

    /// Full path of the program. Only absolute entries of `PATH` count, so that a file of the project is never run by
    /// accident.
    pub fn found(&self, env: &ClipboardEnv) -> Result<PathBuf, String> {
        env.path
            .iter()
            .flat_map(env::split_paths)
            .filter(|directory| directory.is_absolute())
            .flat_map(|directory| program_file_names(self.name).map(move |name| directory.join(name)))
            .find(|file| is_executable(file))
            .ok_or_else(|| "not found in PATH".to_owned())
    }

    /// Passes `text` to the program and waits for the result.
    pub fn copy(&self, text: &str, env: &ClipboardEnv) -> Result<(), String> {
        let mut complaints =
            tempfile::tempfile().map_err(|error| format!("cannot create a temporary file: {error}"))?;
        let mut command = Command::new(self.found(env)?);
        command.args(self.arguments).stdin(Stdio::piped()).stdout(Stdio::null());
        // A file is used instead of a pipe, because xclip leaves a child process that would keep the pipe open.
        command.stderr(complaints.try_clone().map_err(|error| error.to_string())?);
        set_displays(&mut command, env);
        let mut child = command.spawn().map_err(|error| format!("cannot start: {error}"))?;
        let fed = feed(&mut child, self.encoded(text).into_owned());
        let Some(status) =
            process::wait_until(&mut child, Instant::now() + env.patience).map_err(|error| error.to_string())?
        else {
            return Err(no_answer(env.patience));
        };
        if !status.success() {
            return Err(refusal(status, &mut complaints));
        }
        match fed.recv_timeout(env.patience) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("did not read the whole text: {error}")),
            Err(_) => Err("did not read the whole text".to_owned()),
        }
    }

    /// The program's output, up to one byte more than `most`.
    pub fn read(&self, most: u64, env: &ClipboardEnv) -> Result<Vec<u8>, String> {
        let mut complaints =
            tempfile::tempfile().map_err(|error| format!("cannot create a temporary file: {error}"))?;
        let mut command = Command::new(self.found(env)?);
        command.args(self.arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(complaints.try_clone().map_err(|error| error.to_string())?);
        set_displays(&mut command, env);
        let mut child = command.spawn().map_err(|error| format!("cannot start: {error}"))?;
        let (sender, printed) = mpsc::channel();
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut bytes = Vec::new();
                let read = stdout.take(most.saturating_add(1)).read_to_end(&mut bytes);
                // After a timeout, nobody receives the result.
                let _ = sender.send(read.map(|_| bytes));
            });
        }
        let Some(status) =
            process::wait_until(&mut child, Instant::now() + env.patience).map_err(|error| error.to_string())?
        else {
            return Err(no_answer(env.patience));
        };
        // If the output exceeds the limit, the reader closed the pipe, so the exit status has no meaning.
        let bytes = match printed.recv_timeout(env.patience) {
            Ok(read) => read.map_err(|error| error.to_string())?,
            Err(_) => return Err("did not finish its output".to_owned()),
        };
        if status.success() || bytes.len() as u64 > most { Ok(bytes) } else { Err(refusal(status, &mut complaints)) }
    }

    /// `clip.exe` assumes the console's code page unless the text looks like UTF-16, and keeps a byte order mark.
    fn encoded<'t>(&self, text: &'t str) -> Cow<'t, [u8]> {
        if self.needs == Requirement::Windows {
            Cow::Owned(text.encode_utf16().flat_map(u16::to_le_bytes).collect())
        } else {
            Cow::Borrowed(text.as_bytes())
        }
    }
}

/// Runs `work` on its own thread, because a clipboard that another program holds open can block forever.
pub fn within<T: Send + 'static, E: ToString + Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, String> {
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || {
        // After a timeout there is no receiver.
        let _ = sender.send(work());
    });
    match answer.recv_timeout(patience) {
        Ok(given) => given.map_err(|error| error.to_string()),
        Err(_) => Err(no_answer(patience)),
    }
}

fn no_answer(patience: Duration) -> String {
    format!("no answer within {} s", patience.as_secs_f32())
}

/// Gives a child process only the displays that `env` describes.
pub fn set_displays(command: &mut Command, env: &ClipboardEnv) {
    let variables = [("WAYLAND_DISPLAY", &env.wayland), ("DISPLAY", &env.display), ("TMUX", &env.tmux)];
    for (name, value) in variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Writes to the child's standard input on a separate thread, since the child may never read.
pub fn feed(child: &mut Child, bytes: Vec<u8>) -> mpsc::Receiver<io::Result<()>> {
    let (sender, fed) = mpsc::channel();
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || {
            let written = stdin.write_all(&bytes);
            drop(stdin);
            // After a timeout there is no receiver.
            let _ = sender.send(written);
        });
    }
    fed
}

/// Exit status and first line of the program's error output.
fn refusal(status: ExitStatus, complaints: &mut fs::File) -> String {
    let mut said = Vec::new();
    let read = complaints.seek(SeekFrom::Start(0)).and_then(|_| complaints.take(400).read_to_end(&mut said));
    let said = String::from_utf8_lossy(&said);
    match said.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) if read.is_ok() => format!("{status}, {line}"),
        _ => status.to_string(),
    }
}
