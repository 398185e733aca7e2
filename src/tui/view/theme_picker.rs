//! The theme picker; the screen behind it shows the theme under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{frame, put_all, width};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::ThemePicker;
use crate::tui::theme::Role;

/// Roles shown as samples next to each name.
const SAMPLES: [(Role, &str); 5] = [
    (Role::Raw, "RAW"),
    (Role::Linked, "LINK"),
    (Role::Summary, "SUM"),
    (Role::Keyword, "fn"),
    (Role::Str, "\"text\""),
];

/// The picker's box, on the right so that the list behind it remains visible.
fn area(ui: &Ui) -> Rect {
    let names = ui.themes.iter().map(|named| width(&named.name)).max().unwrap_or(0);
    let samples: u16 = SAMPLES.iter().map(|(_, text)| width(text) + 1).sum();
    let room = ui.size.1.saturating_sub(layout::footer_rows(ui.size) + 3);
    let wide = (names + samples + 6).min(ui.size.0);
    let high = (ui.themes.len() as u16 + 2).min(room);
    Rect { x: ui.size.0 - wide, y: 3.min(ui.size.1 - high), width: wide, height: high }
}

pub fn draw(buffer: &mut Buffer, ui: &Ui, picker: &ThemePicker) {
    let style = |role: Role| ui.theme.style(role);
    let inside = frame(buffer, area(ui), ui, true, &[(style(Role::Title), " Theme ")], &[]);
    let rows = usize::from(inside.height).max(1);
    let from = picker.cursor.saturating_sub(rows - 1);
    let names = ui.themes.iter().map(|named| named.name.len()).max().unwrap_or(0);
    for (row, (at, named)) in ui.themes.iter().enumerate().skip(from).take(rows).enumerate() {
        let line = Rect { y: inside.y + row as u16, height: 1, ..inside };
        let here = at == picker.cursor;
        let plain = if here { style(Role::Text).patch(style(Role::Cursor)) } else { style(Role::Text) };
        let sign = if here { ui.theme.glyphs.cursor } else { " " };
        let name = format!(" {:<names$} ", named.name);
        let mut pieces: Vec<(Style, String)> = vec![(style(Role::Focus), sign.to_owned()), (plain, name)];
        let behind = named.theme.style(Role::Text);
        pieces.extend(SAMPLES.map(|(role, text)| (behind.patch(named.theme.style(role)), format!("{text} "))));
        put_all(buffer, line.x, line.y, line.width, &pieces);
    }
}
