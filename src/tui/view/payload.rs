//! The payload preview: the exact text, with its tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{clean, frame, put, width};
use crate::render::Format;
use crate::text::{after_columns, counted, thousands};
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::PayloadText;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench, payload: &PayloadText) {
    let style = |role: Role| ui.theme.style(role);
    let footer = crate::tui::layout::footer(ui.size).height;
    let area = Rect { height: area.height.saturating_sub(footer), ..area };
    let format = bench.about.form.format.map_or("", Format::name);
    let limit = bench.model.placement().limit;
    let figure = |tokens| bench.model.tokenizer().figure(tokens);
    let facts = if payload.ready {
        let mut facts = format!(" {} of {} tokens", figure(payload.tokens), thousands(limit));
        let room = area.width.saturating_sub(width(" Payload  ") + width(format) + 4);
        for more in [counted(payload.starts.len(), "line"), counted(payload.text.len(), "byte")] {
            let longer = format!("{facts}, {more}");
            // A truncated number would be a different number.
            if width(&longer) <= room {
                facts = longer;
            }
        }
        facts + " "
    } else {
        " rendering ".to_owned()
    };
    let section =
        payload.sections.iter().rev().find(|line| **line <= payload.scroll).map_or("", |line| payload.line(*line));
    let foot = format!(" {section} ");
    let title = [(style(Role::Title), " Payload "), (style(Role::Linked), format), (style(Role::Text), &facts)];
    let inside = frame(buffer, area, ui, true, &title, &[(style(Role::Dim), &foot)]);
    let digits = digits(payload);
    for row in 0..usize::from(inside.height) {
        let at = payload.scroll + row;
        if at >= payload.starts.len() {
            break;
        }
        let y = inside.y + row as u16;
        let line = payload.line(at);
        let role = if payload.sections.binary_search(&at).is_ok() {
            Role::Title
        } else if line.starts_with("```") {
            Role::Dim
        } else {
            Role::Text
        };
        let x = put(buffer, inside.x, y, inside.width, style(Role::Dim), &format!("{:>digits$} ", at + 1));
        let room = inside.right().saturating_sub(x);
        let (text, shift) = (clean(line), payload.shift);
        put(buffer, x, y, room, style(role), after_columns(&text, shift));
        if let Some(found) = payload.found_in(line) {
            let column = usize::from(width(&line[..found.start]));
            if let Some(at) = column.checked_sub(shift).filter(|at| *at < usize::from(room)) {
                put(buffer, x + at as u16, y, room - at as u16, style(Role::Cursor), &line[found]);
            }
        }
        if usize::from(width(line)) > shift + usize::from(room) {
            put(buffer, inside.right().saturating_sub(1), y, 1, style(Role::Dim), ui.theme.glyphs.cut);
        }
    }
}

fn digits(payload: &PayloadText) -> usize {
    payload.starts.len().to_string().len()
}

/// Visible columns of a line on a screen of this width.
pub fn text_width(columns: u16, payload: &PayloadText) -> u16 {
    columns.saturating_sub(digits(payload) as u16 + 3)
}
