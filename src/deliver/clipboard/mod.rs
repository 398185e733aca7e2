//! Copies to the clipboard with the first method that works: the system clipboard, another program, the terminal.

mod command;
mod environment;
mod native;
mod osc52;
mod paste;
#[cfg(test)]
mod tests;

pub use environment::{ClipboardEnv, Terminal};
pub use native::{SERVE_COMMAND, serve};
pub use paste::from_clipboard;

use super::{Channel, Confirmation, Delivery};
use crate::project::config::Clipboard;
use crate::text::thousands;
use crate::{Error, Result};

/// Reason to skip a method if the person works from another machine.
const REMOTE_CLIPBOARD: &str = "over SSH this would use the remote machine's clipboard";

/// All methods in the order in which they are tried, each with the reason if it cannot work here.
pub fn ways(env: &ClipboardEnv) -> Vec<(Channel, Result<(), String>)> {
    let mut system = vec![(Channel::Native, native::reachable(env))];
    system.extend(command::PROGRAMS.iter().filter_map(|program| {
        let reachable = program.reachable(env)?;
        Some((Channel::Helper(program.name), reachable))
    }));
    let mut terminal = Vec::new();
    if env.tmux.is_some() {
        terminal.push((Channel::Helper(command::TMUX.name), command::TMUX.found(env).map(|_| ())));
    }
    terminal.push((Channel::Osc52, osc52::reachable(env)));
    let (mut first, then) = if env.ssh { (terminal, system) } else { (system, terminal) };
    first.extend(then);
    first.retain(|(way, _)| allowed(way, env.only));
    first
}

/// Returns true if the configuration allows a method.
fn allowed(way: &Channel, only: Clipboard) -> bool {
    match only {
        Clipboard::Auto => true,
        Clipboard::Native => *way == Channel::Native,
        Clipboard::Osc52 => *way == Channel::Osc52,
        Clipboard::Helper => matches!(way, Channel::Helper(_)),
        Clipboard::Off => false,
    }
}

/// Copies `text` with the first method that works. If none does, the error lists each method with the reason why it
/// failed.
pub fn to_clipboard(text: &str, env: &ClipboardEnv) -> Result<Delivery> {
    let mut tried = Vec::new();
    for (way, reachable) in ways(env) {
        match reachable.and_then(|()| copy_by(&way, text, env)) {
            Ok((confirmed, note)) => return Ok(Delivery { way, confirmed, bytes: text.len(), note }),
            Err(why) => tried.push((way.to_string(), why)),
        }
    }
    Err(Error::NoClipboard { tried, saved: None })
}

type CopyResult = Result<(Confirmation, Option<String>), String>;

fn copy_by(way: &Channel, text: &str, env: &ClipboardEnv) -> CopyResult {
    match way {
        Channel::Native => native::copy(text, env).map(|()| (Confirmation::Confirmed, None)),
        Channel::Helper(name) if *name == command::TMUX.name => {
            command::TMUX.copy(text, env)?;
            let mut note = "stored in tmux (prefix ] pastes it) and passed on to the terminal".to_owned();
            if text.len() > osc52::MOST_BYTES {
                note = format!("{note}, but {} bytes are more than many terminals accept", thousands(text.len()));
            }
            Ok((Confirmation::Unconfirmed, Some(note)))
        }
        Channel::Helper(name) => {
            let program = command::PROGRAMS.iter().find(|program| program.name == *name);
            program.ok_or("not known")?.copy(text, env).map(|()| (Confirmation::Confirmed, None))
        }
        Channel::Osc52 => osc52::copy(text, env).map(|()| (Confirmation::Unconfirmed, None)),
        Channel::Stdout | Channel::File(_) => Err("not a clipboard".to_owned()),
    }
}
