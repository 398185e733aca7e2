//! Shells, process groups, running processes and the system's name.

use std::fs::Metadata;
use std::process::{Child, Command};

/// A command for the system's shell. On Unix it leads a process group, so that [`signal_group`] also reaches the
/// processes that the shell starts.
pub(crate) fn shell(script: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.args([flag, script]);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Urgency of a request to end a process group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// The processes may clean up.
    Terminate,
    /// The processes end immediately.
    Kill,
}

/// Signals the process group that a child leads. Returns false if the child does not lead a group: it shares this
/// process's group, or the system has no groups.
pub(crate) fn signal_group(child: &Child, urgency: Urgency) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, getpgid, kill_process_group};
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let Some(group) = pid.filter(|pid| getpgid(Some(*pid)).is_ok_and(|group| group == *pid)) else { return false };
        let signal = match urgency {
            Urgency::Terminate => Signal::TERM,
            Urgency::Kill => Signal::KILL,
        };
        let _ = kill_process_group(group, signal);
        true
    }
    #[cfg(not(unix))]
    {
        let _ = (child, urgency);
        false
    }
}

/// Returns true if a process with this id exists, also for other users' processes. If the system does not report it,
/// the process is assumed to run for a day after it wrote its file.
pub(crate) fn process_runs(pid: u32, written: &Metadata) -> bool {
    #[cfg(unix)]
    {
        let _ = written;
        let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
        !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH))
    }
    #[cfg(not(unix))]
    {
        let _ = pid;
        let age = written.modified().ok().and_then(|at| at.elapsed().ok());
        age.is_none_or(|age| age.as_secs() < 86_400)
    }
}

/// Name and release of the operating system.
pub(crate) fn operating_system() -> String {
    #[cfg(unix)]
    {
        let name = rustix::system::uname();
        format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy())
    }
    #[cfg(not(unix))]
    std::env::consts::OS.to_owned()
}

/// Splits a command line such as `$EDITOR` into words, with the quoting rules of a shell; `None` if a quote is open. On
/// Windows, a backslash separates directories and escapes nothing.
pub(crate) fn split_command(line: &str) -> Option<Vec<String>> {
    if cfg!(windows) { split_with_literal_backslashes(line) } else { shlex::split(line) }
}

fn split_with_literal_backslashes(line: &str) -> Option<Vec<String>> {
    shlex::split(&line.replace('\\', "\\\\"))
}

/// Systems whose clipboard programs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    Windows,
    Mac,
    /// Linux and other systems with Wayland or X11.
    Other,
}

/// The system that this program runs on.
pub(crate) fn system() -> System {
    if cfg!(windows) {
        System::Windows
    } else if cfg!(target_os = "macos") {
        System::Mac
    } else {
        System::Other
    }
}

/// The editor that every installation of the system has.
pub(crate) fn default_editor() -> &'static str {
    if cfg!(windows) { "notepad" } else { "vi" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_of_windows_paths_are_kept() {
        let windows = split_with_literal_backslashes(r#""C:\Program Files\Vim\vim.exe" C:\notes"#).unwrap();
        assert_eq!(windows, [r"C:\Program Files\Vim\vim.exe", r"C:\notes"]);
    }

    #[test]
    #[cfg(unix)]
    fn command_lines_are_split_like_a_shell_does() {
        let words = |line: &str| split_command(line).unwrap();
        assert_eq!(words("code --wait"), ["code", "--wait"]);
        assert_eq!(
            words(r#""/opt/my editor/ed" -c 'set ft=markdown'"#),
            ["/opt/my editor/ed", "-c", "set ft=markdown"]
        );
        assert_eq!(words(r"/opt/my\ editor"), ["/opt/my editor"]);
        assert_eq!(split_command("vi 'open"), None);
    }

    #[test]
    #[cfg(unix)]
    fn running_processes_are_detected() {
        let dir = tempfile::tempdir().unwrap();
        let meta = std::fs::metadata(dir.path()).unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert!(process_runs(std::process::id(), &meta) && process_runs(1, &meta));
        for none in [child.id(), 0, u32::MAX] {
            assert!(!process_runs(none, &meta), "{none}");
        }
    }
}
