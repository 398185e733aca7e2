//! The command palette: every command with its key, or the reason why it cannot run now.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put, put_all, width};
use crate::text::fit_end;
use crate::tui::command::{COMMANDS, Command};
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::layer::{Layer, Palette, PaletteEntry};
use crate::tui::theme::Role;
use crate::tui::update::availability;

/// Commands that match the input, best first. Of equally good matches, unavailable commands come last.
pub fn choices(state: &State) -> Vec<PaletteEntry> {
    let Some(Layer::Palette(palette)) = state.ui.layers.last() else { return Vec::new() };
    let contexts = state.screen.context().stack();
    let pattern = Pattern::parse(palette.line.text(), CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let typed = palette.line.text().trim().to_lowercase();
    let mut found: Vec<(MatchQuality, bool, std::cmp::Reverse<u32>, PaletteEntry)> = Vec::new();
    for info in &COMMANDS {
        let command = info.command;
        let Some(key) = state.ui.keymap.first(contexts, command) else { continue };
        if matches!(command, Command::Palette | Command::Down | Command::Up) {
            continue;
        }
        let score = pattern.score(Utf32Str::new(info.name, &mut buffer), &mut matcher);
        let fit = match score {
            Some(_) if info.name.starts_with(&typed) => MatchQuality::Begins,
            Some(_) if info.name.contains(&typed) => MatchQuality::Names,
            _ if info.title.to_lowercase().contains(&typed) => MatchQuality::Titles,
            Some(_) => MatchQuality::Letters,
            None => continue,
        };
        let why_not = availability::on_screen(state, command);
        let score = std::cmp::Reverse(score.unwrap_or_default());
        found.push((fit, why_not.is_some(), score, PaletteEntry { command, key, why_not }));
    }
    found.sort_by_key(|(fit, not, score, _)| (*fit, *not, *score));
    found.into_iter().map(|(_, _, _, choice)| choice).collect()
}

/// Width of the column of titles.
const TITLE: usize = 40;

/// Quality of a match, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchQuality {
    /// The name starts with the input.
    Begins,
    /// The name contains the input.
    Names,
    /// The title contains the input.
    Titles,
    /// The name contains the letters in order.
    Letters,
}

fn area(size: (u16, u16)) -> Rect {
    layout::question(size, (size.1 * 2 / 3).max(8))
}

/// Area of the choices.
pub fn list_area(size: (u16, u16)) -> Rect {
    let inside = layout::inner(area(size));
    Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside }
}

/// Index of the first visible choice.
pub fn offset(cursor: usize, rows: usize) -> usize {
    cursor.saturating_sub(rows.saturating_sub(1))
}

pub fn draw(buffer: &mut Buffer, state: &State, palette: &Palette) -> (u16, u16) {
    let style = |role: Role| state.ui.theme.style(role);
    let inside = frame(buffer, area(state.ui.size), &state.ui, true, &[(style(Role::Title), " Commands ")], &[]);
    let (before, after) = palette.line.split();
    let x = put_all(buffer, inside.x, inside.y, inside.width, &[(style(Role::Key), ":"), (style(Role::Text), before)]);
    put(buffer, x, inside.y, inside.right().saturating_sub(x), style(Role::Text), after);
    let list = list_area(state.ui.size);
    let choices = choices(state);
    if choices.is_empty() {
        put(buffer, list.x + 1, list.y, list.width, style(Role::Dim), "No command matches");
    }
    let from = offset(palette.cursor, usize::from(list.height));
    for (row, (at, choice)) in choices.iter().enumerate().skip(from).take(usize::from(list.height)).enumerate() {
        let y = list.y + row as u16;
        let info = choice.command.info();
        let (role, text) = match &choice.why_not {
            Some(why) => (Role::Dim, why.clone()),
            None => (Role::Dim, format!(":{}", info.name)),
        };
        let cursor = if at == palette.cursor { state.ui.theme.glyphs.cursor } else { " " };
        let name = format!("{cursor}{:<TITLE$} ", info.title);
        let room = list.width.saturating_sub(width(&choice.key) + 2);
        let text = fit_end(&text, usize::from(room.saturating_sub(width(&name))));
        put_all(buffer, list.x, y, room, &[(style(Role::Text), name.as_str()), (style(role), &text)]);
        put(buffer, list.right().saturating_sub(width(&choice.key) + 1), y, list.width, style(Role::Key), &choice.key);
        if at == palette.cursor {
            buffer.set_style(Rect { y, height: 1, ..list }, style(Role::Cursor));
        }
    }
    (x.min(inside.right().saturating_sub(1)), inside.y)
}
