//! The tour's current step, in a box above the footer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put, put_all, width, wrap};
use crate::tui::command::Context;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::tour::STEPS;
use crate::tui::theme::Role;

/// The widest box.
const WIDEST: u16 = 64;

pub fn draw(buffer: &mut Buffer, ui: &Ui) {
    let Some((tour, step)) = ui.tour.and_then(|tour| Some((tour, tour.step()?))) else { return };
    let style = |role: Role| ui.theme.style(role);
    let wide = ui.size.0.min(WIDEST);
    let lines = wrap(step.situation, usize::from(wide.saturating_sub(4)));
    let high = lines.len() as u16 + 3;
    let bottom = layout::footer(ui.size).y;
    let area = Rect { x: ui.size.0 - wide, y: bottom.saturating_sub(high), width: wide, height: high.min(bottom) };
    let title = format!(" Tour {} of {} ", tour.number(), STEPS.len());
    let foot = [(style(Role::Key), " Esc"), (style(Role::Dim), " skips the tour ")];
    let inside = frame(buffer, area, ui, true, &[(style(Role::Title), &title)], &foot);
    let room = inside.width.saturating_sub(2);
    for (line, y) in lines.iter().zip(inside.y..inside.bottom()) {
        put(buffer, inside.x + 1, y, room, style(Role::Text), line);
    }
    let key = format!(" {} ", ui.key_in(Context::Workbench, step.command));
    let y = inside.bottom().saturating_sub(1);
    let pieces = [(style(Role::Cursor), key.as_str()), (style(Role::Text), " "), (style(Role::Title), step.action)];
    debug_assert!(pieces.iter().map(|(_, text)| width(text)).sum::<u16>() <= room, "the action fits its row");
    put_all(buffer, inside.x + 1, y, room, &pieces);
}
