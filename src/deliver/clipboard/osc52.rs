//! OSC 52: asking the terminal to fill the clipboard of the machine it runs on. It never answers.

use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;

use super::environment::{ClipboardEnv, Terminal};
use crate::text::thousands;

/// The common limit of terminals: 100,000 bytes of sequence, of which base64 leaves three quarters.
pub const MOST_BYTES: usize = 74_991;

/// GNU screen drops longer strings.
const SCREEN_PIECE: usize = 500;

const PASS_THROUGH_END: &str = "\x1b\\";

/// Reports if there is a terminal that may support it.
pub fn reachable(env: &ClipboardEnv) -> Result<(), String> {
    if matches!(env.terminal, Terminal::Absent) {
        return Err("there is no terminal".to_owned());
    }
    match env.term.as_deref() {
        Some(term @ ("dumb" | "linux")) => Err(format!("a `{term}` terminal has no clipboard")),
        _ => Ok(()),
    }
}

/// Sends `text`, if it is short enough that terminals take it.
pub fn copy(text: &str, env: &ClipboardEnv) -> Result<(), String> {
    if text.len() > MOST_BYTES {
        let (have, most) = (thousands(text.len()), thousands(MOST_BYTES));
        return Err(format!("the copy has {have} bytes, and terminals take about {most}"));
    }
    env.terminal.send(sequence(text, env)?.as_bytes())
}

/// The sequence, wrapped so that the terminal behind tmux or screen gets it.
fn sequence(text: &str, env: &ClipboardEnv) -> Result<String, String> {
    let mut plain = String::new();
    CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain).map_err(|error| error.to_string())?;
    let in_tmux = env.tmux.is_some() || env.term.as_deref().is_some_and(|term| term.starts_with("tmux"));
    if in_tmux {
        // Its settings decide which of the two it listens to (`set-clipboard`, `allow-passthrough`): send both.
        let doubled = plain.replace('\x1b', "\x1b\x1b");
        Ok(format!("{plain}\x1bPtmux;{doubled}{PASS_THROUGH_END}"))
    } else if env.screen {
        Ok(in_pieces_for_screen(&plain))
    } else {
        Ok(plain)
    }
}

/// The sequence is ASCII, so any byte is a place to cut.
fn in_pieces_for_screen(plain: &str) -> String {
    // An end marker inside a piece would end the piece: BEL ends the sequence as well.
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
