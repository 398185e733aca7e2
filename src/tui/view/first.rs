//! The first run: explains what teddy does and what it will create, before creating it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put, wrap};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::state::{Ui, Welcome};
use crate::tui::theme::Role;

/// Contexts of the keys mentioned on the first screen.
const WORKBENCH: &[Context] = &[Context::Workbench, Context::Everywhere];

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, welcome: &Welcome) {
    let style = |role: Role| ui.theme.style(role);
    let footer = layout::footer(ui.size).height;
    let area = Rect { height: area.height.saturating_sub(footer), ..area };
    let title = format!(" teddy  {} ", ui.project);
    let inside = frame(buffer, area, ui, true, &[(style(Role::Title), &title)], &[]);
    let room = inside.width.saturating_sub(4).min(90);
    let mut lines: Vec<(Role, String)> = Vec::new();
    // Continuation rows are aligned with the text, not with the number.
    let mut line = |role: Role, text: &str| {
        let indent = text.len() - text.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).len();
        let (number, words) = text.split_at(indent);
        let wrapped = wrap(words, usize::from(room) - indent);
        if wrapped.is_empty() {
            lines.push((role, String::new()));
        }
        let rows = wrapped.into_iter().enumerate();
        lines.extend(rows.map(|(at, row)| (role, format!("{:indent$}{row}", if at == 0 { number } else { "" }))));
    };
    let key = |command: Command| ui.keymap.first(WORKBENCH, command).unwrap_or_default();
    let (pin, demote, exclude, undo) =
        (key(Command::Pin), key(Command::Demote), key(Command::Exclude), key(Command::Undo));
    let (copy, write, help) = (key(Command::Copy), key(Command::Write), key(Command::Help));
    line(Role::Title, "teddy chooses what a language model sees before a hard task.");
    let roomy = inside.height > 14;
    if roomy {
        line(Role::Text, "");
        line(Role::Text, "1  Describe the task; every file gets a score with reasons.");
        line(
            Role::Text,
            "2  The best files go in RAW (included), the next in LINKED (a reference), others in SUMMARY (a mention), within a token budget.",
        );
        line(
            Role::Text,
            &format!(
                "3  Override it: {pin} pin, {demote} demote, {exclude} exclude, {undo} undo; {help} lists every key."
            ),
        );
        line(
            Role::Text,
            &format!("4  {copy} copies the payload, {write} writes it. The next turn continues from the answer."),
        );
        line(Role::Text, "");
    }
    line(Role::Text, "There is no .teddy/ here yet. teddy will create:");
    line(Role::Raw, &format!("  {}", welcome.to_be_made.join("  ")));
    if roomy {
        line(Role::Text, "");
    }
    if let Some(on) = welcome.keep_out {
        let (mark, key) = (if on { "x" } else { " " }, ui.key_in(Context::Welcome, Command::KeepOut));
        line(Role::Text, &format!("  [{mark}] {key} keeps .teddy/ out of git (in .git/info/exclude)"));
        if roomy {
            line(Role::Text, "");
        }
    }
    line(Role::Dim, "Nothing leaves this machine and no model is called. You decide whether to commit .teddy/.");
    if roomy {
        line(Role::Text, "");
    }
    let (go, quit) = (ui.key_in(Context::Welcome, Command::Open), ui.key_in(Context::Welcome, Command::Quit));
    line(
        Role::Key,
        &format!(
            "{go} creates it and continues, {quit} quits and changes nothing. `teddy tour` shows an example first."
        ),
    );
    // On a small screen, text is more important than spacing.
    while lines.len() > usize::from(inside.height) {
        let Some(blank) = lines.iter().rposition(|(_, text)| text.is_empty()) else { break };
        lines.remove(blank);
    }
    let spare = usize::from(inside.height).saturating_sub(lines.len());
    let top = inside.y + u16::from(spare > 0 && roomy);
    for ((role, text), y) in lines.iter().zip(top..inside.bottom()) {
        put(buffer, inside.x + 2, y, room, style(*role), text);
    }
}
