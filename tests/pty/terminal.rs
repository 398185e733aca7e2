//! A pseudo-terminal that runs teddy, and an emulator for its screen.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Deadline for any step. No test should reach it: it only ends a run that hangs.
const PATIENCE: Duration = Duration::from_mins(3);

/// Waits until a condition holds.
#[allow(dead_code, reason = "the crash harness has its own")]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "waited for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The task of most tests, about one of the modules of [`Project`].
pub const PLAN: &[&str] = &["plan", "Rename refund_07 in the refund ledger"];

/// Output of the program as a terminal shows it.
struct Shown {
    parser: vt100::Parser,
    raw: Vec<u8>,
    ended: bool,
    /// True once the window should close: the next read is the last.
    closing: bool,
}

/// A terminal that runs a program.
pub struct Terminal {
    shown: Arc<(Mutex<Shown>, Condvar)>,
    writer: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    reading: std::thread::JoinHandle<()>,
}

impl Terminal {
    /// Starts `teddy` with these arguments in a directory.
    pub fn start(directory: &Path, arguments: &[&str], size: (u16, u16), env: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_teddy"));
        command.args(arguments);
        Self::run(directory, command, size, env)
    }

    /// Starts a script in a shell with job control; `$TEDDY` is the program.
    pub fn shell(directory: &Path, script: &str, size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new("bash");
        command.args(["--norc", "-mc", script]);
        Self::run(directory, command, size, &[("TEDDY", env!("CARGO_BIN_EXE_teddy"))])
    }

    /// Starts any command.
    pub fn run(directory: &Path, mut command: CommandBuilder, size: (u16, u16), env: &[(&str, &str)]) -> Self {
        let pty = native_pty_system().openpty(pty_size(size)).unwrap();
        command.cwd(directory);
        command.env("TERM", "xterm-256color");
        for name in ["TMUX", "DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", "NO_COLOR", "VISUAL"] {
            command.env_remove(name);
        }
        command.env("TEDDY_CONFIG_DIR", directory.join("../config"));
        command.env("TEDDY_CACHE_DIR", directory.join("../cache"));
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let mut reader = pty.master.try_clone_reader().unwrap();
        let writer = pty.master.take_writer().unwrap();
        let parser = vt100::Parser::new(cells(size.1), cells(size.0), 0);
        let shown =
            Arc::new((Mutex::new(Shown { parser, raw: Vec::new(), ended: false, closing: false }), Condvar::new()));
        let shared = Arc::clone(&shown);
        let reading = std::thread::spawn(move || {
            let mut bytes = vec![0; 65_536];
            loop {
                let count = reader.read(&mut bytes).unwrap_or(0);
                let mut shown = shared.0.lock().unwrap();
                if count == 0 {
                    shown.ended = true;
                } else {
                    shown.parser.process(&bytes[..count]);
                    shown.raw.extend_from_slice(&bytes[..count]);
                }
                shared.1.notify_all();
                if count == 0 || shown.closing {
                    return;
                }
            }
        });
        Self { shown, writer, master: pty.master, child, reading }
    }

    /// Types keys.
    pub fn send(&mut self, text: &str) {
        self.try_send(text).unwrap();
    }

    /// Types keys, even if the program may have ended.
    pub fn try_send(&mut self, text: &str) -> std::io::Result<()> {
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }

    /// Waits until the screen satisfies a condition.
    pub fn wait(&self, what: &str, satisfied: impl Fn(&str) -> bool) -> String {
        self.wait_or_end(what, satisfied).unwrap_or_else(|text| panic!("waited for {what}; the screen:\n{text}"))
    }

    /// Waits until the screen satisfies a condition; returns an error with the last screen if the program ends first.
    pub fn wait_or_end(&self, what: &str, satisfied: impl Fn(&str) -> bool) -> Result<String, String> {
        let until = Instant::now() + PATIENCE;
        let mut shown = self.shown.0.lock().unwrap();
        loop {
            let text = shown.parser.screen().contents();
            if satisfied(&text) {
                return Ok(text);
            }
            if shown.ended {
                return Err(text);
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited for {what}; the screen:\n{text}");
            shown = self.shown.1.wait_timeout(shown, left).unwrap().0;
        }
    }

    /// Returns true if the text is on the screen now.
    #[allow(dead_code, reason = "used only by the crash tests")]
    pub fn shows(&self, text: &str) -> bool {
        self.shown.0.lock().unwrap().parser.screen().contents().contains(text)
    }

    /// Waits for the scored list with this many items, not for the growing one during the scan.
    #[allow(dead_code, reason = "the crash tests have their own")]
    pub fn wait_for_items(&self, count: usize) -> String {
        let title = format!(" {count} items");
        self.wait(&title, |text| text.contains(&title) && !text.contains("so far"))
    }

    /// Waits until the text is on the screen.
    pub fn wait_for(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Resizes the terminal.
    pub fn resize(&self, size: (u16, u16)) {
        self.shown.0.lock().unwrap().parser.screen_mut().set_size(cells(size.1), cells(size.0));
        self.master.resize(pty_size(size)).unwrap();
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.pid().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Closes the window. The program must write something afterwards, so that the reader wakes up and closes its
    /// end; `wake` makes it do so.
    pub fn close(mut self, wake: impl FnOnce(&mut Self)) {
        self.shown.0.lock().unwrap().closing = true;
        wake(&mut self);
        self.reading.join().unwrap();
        let mut child = self.child;
        std::thread::spawn(move || child.wait());
    }

    /// Waits for the end; returns the output and the exit status.
    pub fn end(mut self) -> (Vec<u8>, ExitStatus) {
        let until = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            let screen = || self.shown.0.lock().unwrap().parser.screen().contents();
            assert!(Instant::now() < until, "it does not end; the screen:\n{}", screen());
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut shown = self.shown.0.lock().unwrap();
        while !shown.ended {
            let left = until.saturating_duration_since(Instant::now());
            let screen = || shown.parser.screen().contents();
            assert!(!left.is_zero(), "the output does not end; the screen:\n{}", screen());
            shown = self.shown.1.wait_timeout(shown, left).unwrap().0;
        }
        // The writer is dropped only now, because it sends a last newline, which the terminal would echo.
        (shown.raw.clone(), status)
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn pty_size(size: (u16, u16)) -> PtySize {
    PtySize { rows: size.1, cols: size.0, pixel_width: 0, pixel_height: 0 }
}

/// Waits until a process has exited, reaped or not.
pub fn has_ended(pid: u32) {
    wait_until(&format!("process {pid} to end without a terminal"), || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
    });
}

/// Returns true if the output leaves the terminal as it was: main screen, cursor, no mouse, no bracketed paste.
pub fn is_restored(raw: &[u8]) -> bool {
    let text = String::from_utf8_lossy(raw);
    let last = |on: &str, off: &str| text.rfind(on).is_none_or(|on| text.rfind(off).is_some_and(|off| off > on));
    last("\x1b[?1049h", "\x1b[?1049l")
        && last("\x1b[?25l", "\x1b[?25h")
        && last("\x1b[?1000h", "\x1b[?1000l")
        && last("\x1b[?2004h", "\x1b[?2004l")
}

/// A small project: sixty modules, one of them about refunds.
pub struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("shop");
        std::fs::create_dir_all(root.join("src")).unwrap();
        for number in 0..60 {
            let text = format!("//! Module {number} of the refund ledger.\npub fn refund_{number}() {{}}\n");
            std::fs::write(root.join(format!("src/refund_{number:02}.rs")), text).unwrap();
        }
        std::fs::write(root.join("src/other.rs"), "pub fn nothing() {}\n").unwrap();
        Self { dir }
    }

    pub fn with_teddy() -> Self {
        let project = Self::new();
        teddy::project::Project::init(&project.root()).unwrap();
        project
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().join("shop")
    }

    /// A program that writes this text to its argument, like an editor.
    pub fn editor(&self, text: &str) -> String {
        let path = self.root().join("../editor.sh");
        std::fs::write(&path, format!("#!/bin/sh\nprintf '{text}' > \"$1\"\n")).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&path).status().unwrap().success());
        path.to_str().unwrap().to_owned()
    }

    /// Writes two clipboard programs to a directory: one copies to a file, the other pastes from it. Returns the file.
    pub fn clipboard(&self, bin: &Path) -> PathBuf {
        let held = self.root().join("../held");
        std::fs::create_dir_all(bin).unwrap();
        for (name, body) in [("wl-copy", "cat >"), ("wl-paste", "cat")] {
            let script = format!("#!/bin/sh\n{body} '{}'\n", held.display());
            // Another process writes the script, because a file that this process has open for writing cannot be run.
            let script_of = "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"";
            let made = Command::new("sh").args(["-c", script_of, "sh"]).arg(bin.join(name)).arg(script).status();
            assert!(made.unwrap().success());
        }
        held
    }

    /// `turn.yaml` of the only session's first turn.
    pub fn turn_yaml(&self) -> String {
        std::fs::read_to_string(self.turn_yaml_path()).unwrap()
    }

    /// Path of `turn.yaml` of the only session's first turn.
    pub fn turn_yaml_path(&self) -> PathBuf {
        let session = std::fs::read_dir(self.root().join(".teddy/sessions")).unwrap().next().unwrap().unwrap();
        session.path().join("01/turn.yaml")
    }
}
