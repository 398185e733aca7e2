//! The payload as it goes out, to the byte, with its number of tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::put::{frame, put, width};
use crate::text::thousands;
use crate::tui::state::State;
use crate::tui::state::layer::PayloadText;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, area: Rect, state: &State, payload: &PayloadText) {
    let style = |role: Role| state.theme.style(role);
    let footer = crate::tui::layout::areas(state).footer.height;
    let area = Rect { height: area.height.saturating_sub(footer), ..area };
    let (format, limit) =
        state.bench.as_ref().map_or(("", 0), |bench| (bench.about.form.format.name(), bench.model.placement().limit));
    let figure =
        |tokens| state.bench.as_ref().map_or_else(|| thousands(tokens), |bench| bench.model.tokenizer().figure(tokens));
    let facts = if payload.ready {
        format!(
            " {} of {} tokens, {} lines, {} bytes ",
            figure(payload.tokens),
            thousands(limit),
            thousands(payload.starts.len()),
            thousands(payload.text.len())
        )
    } else {
        " being made ".to_owned()
    };
    let section =
        payload.sections.iter().rev().find(|line| **line <= payload.scroll).map_or("", |line| payload.line(*line));
    let foot = format!(" {section} ");
    let title = [(style(Role::Title), " Payload "), (style(Role::Linked), format), (style(Role::Text), &facts)];
    let inside = frame(buffer, area, state, true, &title, &[(style(Role::Dim), &foot)]);
    let digits = payload.starts.len().to_string().len();
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
        put(buffer, x, y, room, style(role), line);
        if width(line) > room {
            put(buffer, inside.right().saturating_sub(1), y, 1, style(Role::Dim), state.theme.glyphs.cut);
        }
    }
}
