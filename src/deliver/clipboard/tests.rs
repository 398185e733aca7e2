//! Tests of the real methods, with small scripts as programs and a buffer as the terminal.

use std::io::Write;
use std::sync::{Arc, Mutex};

use super::*;

/// `hello` as the terminal receives it.
const HELLO: &str = "\x1b]52;c;aGVsbG8=\x1b\\";

/// A terminal that stores what it receives.
fn buffer() -> (Arc<Mutex<Vec<u8>>>, Terminal) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let writer: Arc<Mutex<dyn Write + Send>> = kept.clone();
    (kept, Terminal::Shared(writer))
}

fn sent(kept: &Mutex<Vec<u8>>) -> String {
    String::from_utf8(kept.lock().unwrap().clone()).unwrap()
}

/// Reasons why a copy failed, by method.
fn reasons(error: &Error) -> Vec<(String, String)> {
    match error {
        Error::NoClipboard { tried, .. } => tried.clone(),
        other => panic!("{other}"),
    }
}

#[test]
fn without_any_clipboard_every_method_has_a_reason() {
    let env = ClipboardEnv::default();
    let error = to_clipboard("text", &env).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let tried = reasons(&error);
    assert_eq!(tried.len(), ways(&env).len());
    assert!(tried.iter().all(|(_, why)| !why.is_empty()));
    assert_eq!(error.to_string().lines().count(), tried.len() + 1);
    assert!(error.to_string().contains("\n  terminal (OSC 52): there is no terminal"));
    assert!(error.hint().unwrap().contains("-o FILE"));
    let hint = error.saved_in(".teddy/sessions/s/01/payload.md").hint().unwrap();
    assert!(hint.contains(".teddy/sessions/s/01/payload.md"), "{hint}");
}

#[test]
fn over_ssh_the_terminal_is_used_without_confirmation() {
    let (kept, terminal) = buffer();
    let env = ClipboardEnv { ssh: true, terminal, ..ClipboardEnv::default() };
    let delivery = to_clipboard("hello", &env).unwrap();
    assert_eq!((delivery.way, delivery.confirmed), (Channel::Osc52, Confirmation::Unconfirmed));
    assert_eq!(sent(&kept), HELLO);
}

#[test]
fn a_device_receives_the_sequence() {
    let device = tempfile::NamedTempFile::new().unwrap();
    let terminal = Terminal::Device(device.path().to_path_buf());
    to_clipboard("hello", &ClipboardEnv { terminal, ..ClipboardEnv::default() }).unwrap();
    assert_eq!(std::fs::read_to_string(device.path()).unwrap(), HELLO);
}

#[test]
fn inside_tmux_both_forms_are_sent() {
    let (kept, terminal) = buffer();
    let env = ClipboardEnv { tmux: Some("/tmp/socket,1,0".into()), terminal, ..ClipboardEnv::default() };
    assert_eq!(to_clipboard("hello", &env).unwrap().way, Channel::Osc52);
    assert_eq!(sent(&kept), format!("{HELLO}\x1bPtmux;\x1b\x1b]52;c;aGVsbG8=\x1b\x1b\\\x1b\\"));
}

#[test]
fn screen_receives_pieces_that_join_to_the_sequence() {
    let (kept, terminal) = buffer();
    let env = ClipboardEnv { screen: true, terminal, ..ClipboardEnv::default() };
    to_clipboard(&"x".repeat(3_000), &env).unwrap();
    let sent = sent(&kept);
    let pieces: Vec<&str> = sent.split_terminator("\x1b\\").map(|piece| piece.strip_prefix("\x1bP").unwrap()).collect();
    assert_eq!(pieces.len(), 9);
    assert!(pieces.iter().all(|piece| piece.len() <= 500));
    assert_eq!(pieces.concat(), format!("\x1b]52;c;{}\x07", "eHh4".repeat(1_000)));
}

#[test]
fn text_that_is_too_long_for_a_terminal_is_not_sent() {
    let (kept, terminal) = buffer();
    let env = ClipboardEnv { ssh: true, terminal, ..ClipboardEnv::default() };
    let error = to_clipboard(&"x".repeat(osc52::MOST_BYTES + 1), &env).unwrap_err();
    assert_eq!(sent(&kept), "");
    assert!(error.to_string().contains("the text has 74,992 bytes, and terminals accept about 74,991"), "{error}");
    to_clipboard(&"x".repeat(osc52::MOST_BYTES), &env).unwrap();
    let sent = sent(&kept);
    assert!(sent.len() <= 100_000, "{}", sent.len());
}

#[test]
fn a_terminal_without_a_clipboard_is_not_used() {
    for term in ["dumb", "linux"] {
        let (kept, terminal) = buffer();
        let env = ClipboardEnv { term: Some(term.to_owned()), terminal, ..ClipboardEnv::default() };
        assert!(to_clipboard("hello", &env).is_err());
        assert_eq!(sent(&kept), "");
    }
}

#[test]
fn only_a_display_with_a_host_is_forwarded() {
    for (display, forwarded) in [("localhost:10.0", true), ("box:0", true), (":0", false), ("unix:0", false)] {
        let env = ClipboardEnv { display: Some(display.into()), ..ClipboardEnv::default() };
        assert_eq!(env.display_is_forwarded(), forwarded, "{display}");
    }
    assert!(!ClipboardEnv::default().display_is_forwarded());
}

#[cfg(unix)]
pub(super) mod programs {
    use super::*;
    use std::fs;
    use std::process::{Command, Stdio};
    use std::time::Duration;
    use tempfile::TempDir;

    /// Script that stores its arguments and input in files next to it.
    const TAKES_IT: &str = "cat > \"$0.taken\"; echo \"$@\" > \"$0.arguments\"";

    /// Creates a directory of scripts. Another process writes them, because a file that is open for writing cannot be
    /// run, and a child process of another test may have inherited the file's handle.
    pub(in super::super) fn scripts(named: &[(&str, &str)]) -> TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, body) in named {
            let path = directory.path().join(name);
            let mut writer = Command::new("sh")
                .args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"])
                .arg(&path)
                .stdin(Stdio::piped())
                .spawn()
                .unwrap();
            writer.stdin.take().unwrap().write_all(format!("#!/bin/sh\n{body}\n").as_bytes()).unwrap();
            assert!(writer.wait().unwrap().success());
        }
        directory
    }

    /// A desktop with these programs, X11 and Wayland, and no system clipboard.
    pub(in super::super) fn desktop(programs: &TempDir) -> ClipboardEnv {
        ClipboardEnv {
            wayland: Some("wayland-0".into()),
            display: Some(":0".into()),
            path: Some(programs.path().into()),
            patience: Duration::from_secs(20),
            ..ClipboardEnv::default()
        }
    }

    fn taken(programs: &TempDir, name: &str) -> String {
        fs::read_to_string(programs.path().join(format!("{name}.taken"))).unwrap()
    }

    #[test]
    fn a_program_receives_the_whole_text_and_its_arguments() {
        for (name, arguments) in [("wl-copy", "\n"), ("xclip", "-selection clipboard\n"), ("xsel", "-ib\n")] {
            let programs = scripts(&[(name, TAKES_IT)]);
            let text = "größer\n".repeat(50_000);
            let delivery = to_clipboard(&text, &desktop(&programs)).unwrap();
            assert_eq!((delivery.way, delivery.confirmed), (Channel::Helper(name), Confirmation::Confirmed));
            assert_eq!(delivery.bytes, text.len());
            assert_eq!(taken(&programs, name), text);
            assert_eq!(fs::read_to_string(programs.path().join(format!("{name}.arguments"))).unwrap(), arguments);
        }
    }

    #[test]
    fn after_a_failed_program_the_next_one_is_tried() {
        let programs = scripts(&[("wl-copy", "cat > /dev/null; exit 1"), ("xclip", TAKES_IT), ("xsel", TAKES_IT)]);
        assert_eq!(to_clipboard("text", &desktop(&programs)).unwrap().way, Channel::Helper("xclip"));
        assert!(!programs.path().join("xsel.taken").exists());
    }

    #[test]
    fn errors_of_programs_are_reported_without_escape_sequences() {
        let programs = scripts(&[("xclip", "printf '\\n\\033[31mno display\\n' >&2; exit 3")]);
        let error = to_clipboard("text", &desktop(&programs)).unwrap_err().to_string();
        assert!(error.contains("exit status: 3, ␛[31mno display"), "{error}");
        assert!(!error.contains('\x1b'));
    }

    #[test]
    fn a_program_that_hangs_or_does_not_read_has_failed() {
        let programs = scripts(&[("wl-copy", "exec sleep 600"), ("xclip", "exit 0")]);
        let env = ClipboardEnv { patience: Duration::from_millis(300), ..desktop(&programs) };
        let error = to_clipboard(&"x".repeat(1_000_000), &env).unwrap_err();
        let why = |way: &str| reasons(&error).into_iter().find(|(name, _)| name == way).unwrap().1;
        assert!(why("wl-copy").contains("no answer"), "{error}");
        let xclip = why("xclip");
        assert!(xclip.contains("did not read the whole text") || xclip.contains("no answer"), "{error}");
    }

    #[test]
    fn a_background_child_does_not_delay_copying() {
        let programs = scripts(&[("xclip", "cat > \"$0.taken\"; sleep 5 & exit 0")]);
        let delivery = to_clipboard("text", &ClipboardEnv { wayland: None, ..desktop(&programs) }).unwrap();
        assert_eq!(delivery.way, Channel::Helper("xclip"));
    }

    #[test]
    fn programs_without_their_display_are_not_run() {
        let programs = scripts(&[("wl-copy", TAKES_IT), ("xclip", TAKES_IT), ("xsel", TAKES_IT)]);
        let env = ClipboardEnv { wayland: None, display: None, ..desktop(&programs) };
        let error = to_clipboard("text", &env).unwrap_err().to_string();
        assert!(error.contains("wl-copy: WAYLAND_DISPLAY is not set"), "{error}");
        assert!(error.contains("xclip: DISPLAY is not set"), "{error}");
        assert!(!programs.path().join("xclip.taken").exists());
    }

    #[test]
    fn relative_path_entries_and_files_that_cannot_run_are_skipped() {
        let programs = scripts(&[]);
        fs::write(programs.path().join("xclip"), "not a program").unwrap();
        assert!(to_clipboard("text", &desktop(&programs)).is_err());
        let relative = ClipboardEnv { path: Some("usr/bin:.::bin".into()), ..desktop(&programs) };
        let error = to_clipboard("text", &relative).unwrap_err().to_string();
        assert!(error.contains("xclip: not found in PATH"), "{error}");
    }

    #[test]
    fn over_ssh_the_remote_clipboard_is_not_used() {
        let programs = scripts(&[("wl-copy", TAKES_IT), ("xclip", TAKES_IT), ("pbcopy", TAKES_IT)]);
        let (kept, terminal) = buffer();
        let env = ClipboardEnv { ssh: true, terminal, ..desktop(&programs) };
        assert_eq!(to_clipboard("hello", &env).unwrap().way, Channel::Osc52);
        assert_eq!(sent(&kept), HELLO);
        assert!(to_clipboard(&"x".repeat(100_000), &env).is_err());
        let forwarded = ClipboardEnv { display: Some("localhost:10.0".into()), ..env };
        assert_eq!(to_clipboard(&"x".repeat(100_000), &forwarded).unwrap().way, Channel::Helper("xclip"));
    }

    #[test]
    fn tmux_precedes_the_plain_sequence_and_is_unconfirmed() {
        let programs = scripts(&[("tmux", TAKES_IT)]);
        let (kept, terminal) = buffer();
        let env = ClipboardEnv { ssh: true, tmux: Some("socket".into()), terminal, ..desktop(&programs) };
        let delivery = to_clipboard("hello", &env).unwrap();
        assert_eq!((&delivery.way, delivery.confirmed), (&Channel::Helper("tmux"), Confirmation::Unconfirmed));
        assert_eq!(taken(&programs, "tmux"), "hello");
        assert_eq!(sent(&kept), "");
        let long = to_clipboard(&"x".repeat(100_000), &env).unwrap();
        assert!(long.note.unwrap().contains("100,000 bytes are more than many terminals accept"));
    }

    #[test]
    fn with_an_old_tmux_the_sequence_is_used() {
        let programs = scripts(&[("tmux", "echo 'unknown flag -w' >&2; exit 1")]);
        let (kept, terminal) = buffer();
        let env = ClipboardEnv { tmux: Some("socket".into()), terminal, ..desktop(&programs) };
        assert_eq!(to_clipboard("hello", &env).unwrap().way, Channel::Osc52);
        assert!(sent(&kept).starts_with(HELLO));
    }

    #[test]
    fn windows_programs_receive_an_encoding_that_they_understand() {
        let programs = scripts(&[("clip.exe", TAKES_IT)]);
        let env = ClipboardEnv { wsl: true, ..desktop(&programs) };
        assert_eq!(to_clipboard("aß", &env).unwrap().way, Channel::Helper("clip.exe"));
        assert_eq!(fs::read(programs.path().join("clip.exe.taken")).unwrap(), [0x61, 0, 0xdf, 0]);
    }

    /// Tests for systems on which a background process serves the clipboard.
    #[cfg(not(target_os = "macos"))]
    mod server {
        use super::*;

        fn served_by(body: &str) -> (TempDir, ClipboardEnv) {
            let programs = scripts(&[("server", body), ("xclip", TAKES_IT)]);
            let env = ClipboardEnv { server: Some(programs.path().join("server")), ..desktop(&programs) };
            (programs, env)
        }

        #[test]
        fn a_ready_message_confirms_the_copy() {
            let (programs, env) = served_by(&format!("{TAKES_IT}; echo ready"));
            let delivery = to_clipboard("text", &env).unwrap();
            assert_eq!((delivery.way, delivery.confirmed), (Channel::Native, Confirmation::Confirmed));
            assert_eq!(taken(&programs, "server"), "text");
            let arguments = fs::read_to_string(programs.path().join("server.arguments")).unwrap();
            assert_eq!(arguments.trim(), SERVE_COMMAND);
        }

        #[test]
        fn without_a_ready_message_another_method_is_used() {
            for body in ["cat > /dev/null; echo 'no such display'; exit 1", "exit 0", "echo readyish"] {
                let (programs, env) = served_by(body);
                assert_eq!(to_clipboard("text", &env).unwrap().way, Channel::Helper("xclip"), "{body}");
                assert_eq!(taken(&programs, "xclip"), "text");
            }
        }

        #[test]
        fn an_error_of_the_server_is_reported() {
            let (programs, env) = served_by("cat > /dev/null; echo 'no such display'");
            fs::remove_file(programs.path().join("xclip")).unwrap();
            let error = to_clipboard("text", &env).unwrap_err().to_string();
            assert!(error.contains("system clipboard: no such display"), "{error}");
        }

        #[test]
        fn the_server_is_not_started_without_a_display() {
            let (programs, env) = served_by(&format!("{TAKES_IT}; echo ready"));
            let env = ClipboardEnv { wayland: None, display: None, ..env };
            assert!(to_clipboard("text", &env).is_err());
            assert!(!programs.path().join("server.taken").exists());
        }
    }
}

#[test]
fn the_configuration_limits_the_methods() {
    let (kept, terminal) = buffer();
    let env = ClipboardEnv { terminal, ..ClipboardEnv::default() };
    let narrowed = |only| ClipboardEnv { only, ..env.clone() };
    for (only, wanted) in [(Clipboard::Native, "system clipboard"), (Clipboard::Osc52, "terminal (OSC 52)")] {
        let left: Vec<String> = ways(&narrowed(only)).into_iter().map(|(way, _)| way.to_string()).collect();
        assert_eq!(left, [wanted]);
    }
    assert!(ways(&narrowed(Clipboard::Helper)).iter().all(|(way, _)| matches!(way, Channel::Helper(_))));
    assert!(to_clipboard("hello", &narrowed(Clipboard::Off)).is_err());
    assert!(to_clipboard("hello", &narrowed(Clipboard::Native)).is_err());
    assert_eq!(sent(&kept), "");
    to_clipboard("hello", &narrowed(Clipboard::Osc52)).unwrap();
    assert_eq!(sent(&kept), HELLO);
}
