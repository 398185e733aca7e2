//! The payload preview: the exact text, with its tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{frame, put, put_all, width};
use super::list::highlight;
use super::pane::put_shifted;
use crate::deliver::reusable_text;
use crate::render::Format;
use crate::text::{counted, fit_middle, thousands};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::{PayloadOutline, PayloadText};
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench, payload: &PayloadText) {
    let style = |role: Role| ui.theme.style(role);
    let footer = layout::footer(ui.size).height;
    let area = Rect { height: area.height.saturating_sub(footer), ..area };
    let format = bench.about.form.format.map_or("", Format::name);
    let limit = bench.model.placement().limit;
    let figure = |tokens| bench.model.tokenizer().figure(tokens);
    let facts = if payload.ready {
        let mut facts = format!(" {} of {} tokens", figure(payload.tokens), thousands(limit));
        let room = area.width.saturating_sub(width(" Payload  ") + width(format) + 4);
        let mark = bench.model.tokenizer().mark();
        let reusable = payload.reusable.map(|prefix| reusable_text(mark, prefix.tokens, prefix.of));
        let counts = [counted(payload.starts.len(), "line"), counted(payload.text.len(), "byte")];
        for more in reusable.into_iter().chain(counts) {
            let longer = format!("{facts}, {more}");
            // A number is shown in full or not at all, because a truncated one would be wrong.
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
        let shift = payload.shift;
        let mut rest = line;
        let parts = payload.roles.get(at).into_iter().flatten();
        let mut pieces: Vec<(Style, &str)> = parts
            .map(|(role, length)| {
                let (part, after) = rest.split_at_checked(*length).unwrap_or((rest, ""));
                rest = after;
                (style(*role), part)
            })
            .collect();
        pieces.push((style(role), rest));
        put_shifted(buffer, x, y, room, &pieces, shift);
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

/// Draws the list of sections and files.
pub fn outline(buffer: &mut Buffer, ui: &Ui, outline: &PayloadOutline) {
    let style = |role: Role| ui.theme.style(role);
    let widest = outline.entries.iter().map(|(_, label)| width(label)).max().unwrap_or(0);
    let area = layout::fitted(ui.size, outline.entries.len(), widest);
    let inside = frame(buffer, area, ui, true, &[(style(Role::Title), " Sections and files ")], &[]);
    let rows = usize::from(inside.height);
    let from = outline.cursor.saturating_sub(rows.saturating_sub(1));
    for (row, (at, (_, label))) in outline.entries.iter().enumerate().skip(from).take(rows).enumerate() {
        let line = Rect { y: inside.y + row as u16, height: 1, ..inside };
        let here = at == outline.cursor;
        let sign = if here { ui.theme.glyphs.cursor } else { " " };
        // Files are indented below their sections.
        let role = if label.starts_with("      ") { Role::Text } else { Role::Title };
        let label = fit_middle(label, usize::from(inside.width.saturating_sub(2)));
        put_all(buffer, line.x, line.y, line.width, &[(style(Role::Focus), sign), (style(role), label.as_ref())]);
        if here {
            highlight(buffer, line, ui);
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
