//! Reads the clipboard with the first method that works: the system clipboard or another program. Terminals are not
//! used: most refuse, and the others would let any program read the clipboard.

use std::path::Path;

use super::environment::ClipboardEnv;
use super::{allowed, command, native};
use crate::deliver::Channel;
use crate::project::files::{MAX_BYTES, read_all};
use crate::{Error, Result};

/// Text of the clipboard, and the method that returned it. If none works, the error lists each method with the reason
/// why it failed.
pub fn from_clipboard(env: &ClipboardEnv) -> Result<(String, Channel)> {
    let mut tried = Vec::new();
    for way in ways(env) {
        match read_by(&way, env) {
            Ok(bytes) => {
                let text = read_all(bytes.as_slice(), Path::new("the clipboard"), MAX_BYTES)?;
                return Ok((text, way));
            }
            Err(why) => tried.push((way.to_string(), why)),
        }
    }
    Err(Error::ClipboardUnread { tried })
}

fn ways(env: &ClipboardEnv) -> Vec<Channel> {
    let helpers = command::READERS.iter().filter(|program| program.reachable(env).is_some());
    let mut ways = vec![Channel::Native];
    ways.extend(helpers.map(|program| Channel::Helper(program.name)));
    ways.retain(|way| allowed(way, env.only));
    ways
}

fn read_by(way: &Channel, env: &ClipboardEnv) -> Result<Vec<u8>, String> {
    match way {
        Channel::Native => native::read(env).map(String::into_bytes),
        Channel::Helper(name) => {
            let program = command::READERS.iter().find(|program| program.name == *name).ok_or("not known")?;
            program.reachable(env).unwrap_or_else(|| Err("for another operating system".to_owned()))?;
            program.read(MAX_BYTES, env)
        }
        Channel::Osc52 | Channel::Stdout | Channel::File(_) => Err("cannot be read".to_owned()),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::time::Duration;

    use tempfile::TempDir;

    use super::super::tests::programs;
    use super::*;
    use crate::project::config::Clipboard;

    /// A desktop with these programs.
    fn desktop(named: &[(&str, &str)]) -> (TempDir, ClipboardEnv) {
        let directory = programs::scripts(named);
        let env = programs::desktop(&directory);
        (directory, env)
    }

    #[test]
    fn the_first_working_program_is_read_verbatim() {
        let (_keep, env) = desktop(&[
            ("wl-paste", "echo nothing is copied >&2; exit 1"),
            ("xclip", "test \"$*\" = '-selection clipboard -o' && printf 'größer\\n\\n'"),
            ("xsel", "echo wrong"),
        ]);
        assert_eq!(from_clipboard(&env).unwrap(), ("größer\n\n".to_owned(), Channel::Helper("xclip")));
    }

    #[test]
    fn without_a_clipboard_every_method_has_a_reason() {
        let (_keep, env) = desktop(&[("wl-paste", "echo 'no \u{1b}[31m selection' >&2; exit 1")]);
        let error = from_clipboard(&env).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        let said = error.to_string();
        assert!(said.contains("wl-paste: exit status: 1, no") && !said.contains('\u{1b}'), "{said}");
        assert!(said.contains("xclip: not found in PATH"), "{said}");
        assert!(error.hint().unwrap().contains("standard input"));
    }

    #[test]
    fn hanging_programs_and_large_clipboards_are_rejected() {
        let (_keep, env) = desktop(&[("wl-paste", "exec sleep 600")]);
        let hasty = ClipboardEnv { patience: Duration::from_millis(200), ..env };
        assert!(from_clipboard(&hasty).unwrap_err().to_string().contains("wl-paste: no answer"));
        let (_keep, env) = desktop(&[("wl-paste", "head -c 2000000 /dev/zero | tr '\\0' x")]);
        let error = from_clipboard(&env).unwrap_err();
        assert!(error.to_string().contains("larger than 1,000,000 bytes"), "{error}");
    }

    #[test]
    fn over_ssh_only_the_buffer_of_tmux_is_read() {
        let (_keep, env) = desktop(&[("wl-paste", "echo far"), ("tmux", "printf near")]);
        let env = ClipboardEnv { ssh: true, ..env };
        assert!(from_clipboard(&env).is_err());
        let env = ClipboardEnv { tmux: Some("socket".into()), ..env };
        assert_eq!(from_clipboard(&env).unwrap(), ("near".to_owned(), Channel::Helper("tmux")));
        let off = ClipboardEnv { only: Clipboard::Off, ..env };
        assert!(from_clipboard(&off).is_err());
    }

    #[test]
    fn invalid_utf8_is_reported_with_its_position() {
        let (_keep, env) = desktop(&[("wl-paste", "printf 'ok\\n\\377\\376'")]);
        let error = from_clipboard(&env).unwrap_err();
        assert!(error.to_string().contains("the clipboard:2:1: not valid UTF-8"), "{error}");
    }
}
