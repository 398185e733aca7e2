//! OSC 52: asks the terminal to set the clipboard of the machine on which the terminal runs. There is no reply.

use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;

use super::environment::{ClipboardEnv, Terminal};
use crate::text::thousands;

/// A common limit of terminals: a sequence of 100,000 bytes. Base64 leaves three quarters of that for the text.
pub const MOST_BYTES: usize = 74_991;

/// Longest string that GNU screen accepts.
const SCREEN_PIECE: usize = 500;

const PASS_THROUGH_END: &str = "\x1b\\";

/// Returns an error if there is no terminal that could support it.
pub fn reachable(env: &ClipboardEnv) -> Result<(), String> {
    if matches!(env.terminal, Terminal::Absent) {
        return Err("there is no terminal".to_owned());
    }
    match env.term.as_deref() {
        Some(term @ ("dumb" | "linux")) => Err(format!("a `{term}` terminal has no clipboard")),
        _ => Ok(()),
    }
}

/// Sends `text`, if it is within the limit of terminals.
pub fn copy(text: &str, env: &ClipboardEnv) -> Result<(), String> {
    if text.len() > MOST_BYTES {
        let (have, most) = (thousands(text.len()), thousands(MOST_BYTES));
        return Err(format!("the text has {have} bytes, and terminals accept about {most}"));
    }
    env.terminal.send(sequence(text, env)?.as_bytes())
}

/// The sequence, wrapped for tmux or screen so that the terminal receives it.
fn sequence(text: &str, env: &ClipboardEnv) -> Result<String, String> {
    let mut plain = String::new();
    CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain).map_err(|error| error.to_string())?;
    let in_tmux = env.tmux.is_some() || env.term.as_deref().is_some_and(|term| term.starts_with("tmux"));
    if in_tmux {
        // The settings of tmux (`set-clipboard`, `allow-passthrough`) decide which of the two forms works, so both are
        // sent.
        let doubled = plain.replace('\x1b', "\x1b\x1b");
        Ok(format!("{plain}\x1bPtmux;{doubled}{PASS_THROUGH_END}"))
    } else if env.screen {
        Ok(in_pieces_for_screen(&plain))
    } else {
        Ok(plain)
    }
}

/// Splits the sequence for GNU screen; it is ASCII, so it can be split anywhere.
fn in_pieces_for_screen(plain: &str) -> String {
    // The string terminator would end the piece, so the sequence inside the piece ends with BEL.
    let plain = plain.strip_suffix(PASS_THROUGH_END).map_or_else(|| plain.to_owned(), |start| format!("{start}\x07"));
    let mut wrapped = String::with_capacity(plain.len() + plain.len() / 100);
    let mut rest = plain.as_str();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(SCREEN_PIECE));
        wrapped.push_str("\x1bP");
        wrapped.push_str(piece);
        wrapped.push_str(PASS_THROUGH_END);
        rest = after;
    }
    wrapped
}
