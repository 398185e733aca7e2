//! A turn that has a plan: the plan, and where its report comes from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put, width, wrap};
use crate::text::{fit_middle, thousands};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Role;

/// Where the plan's text is.
pub fn text_area(state: &State) -> Rect {
    let (width, height) = state.size;
    let footer = layout::areas(state).footer.height;
    let around = Rect { x: 0, y: 2, width, height: height.saturating_sub(footer + 2) };
    layout::text(layout::inner(around))
}

/// The plan cut to the width of its box.
pub fn lines(state: &State) -> Vec<String> {
    let width = usize::from(text_area(state).width);
    let plan = state.awaiting.as_ref().map_or("", |planned| planned.turn.plan.as_str());
    plan.lines().flat_map(|line| if line.is_empty() { vec![String::new()] } else { wrap(line, width) }).collect()
}

pub fn draw(buffer: &mut Buffer, area: Rect, state: &State) {
    let style = |role: Role| state.theme.style(role);
    let Some(planned) = &state.awaiting else { return };
    let turn = &planned.turn;
    let fixed = width(&state.project) + width(&turn.turn) + 14;
    let session = fit_middle(&turn.session, usize::from(area.width.saturating_sub(fixed)));
    let head = format!(" teddy  {}   {session} / {}", state.project, turn.turn);
    put(buffer, area.x, area.y, area.width, style(Role::Title), &head);
    let key = |command: Command| state.key_for(command);
    let (write, take, back) = (key(Command::Report), key(Command::ReportFile), key(Command::UndoAnswer));
    let said = format!(" Awaiting report: {write} write, {take} load file");
    let more = format!("{said}, {back} undo answer");
    let said = if width(&more) <= area.width { more } else { said };
    put(buffer, area.x, area.y + 1, area.width, style(Role::Warn), &said);
    let text = text_area(state);
    let around = Rect { x: 0, y: 2, width: area.width, height: text.height + 2 };
    let lines = lines(state);
    let place = format!(" {} of {} lines ", thousands(lines.len().min(planned.scroll + 1)), thousands(lines.len()));
    let foot = if lines.len() > usize::from(text.height) { place } else { String::new() };
    let foot = [(style(Role::Dim), foot.as_str())];
    frame(buffer, around, state, true, &[(style(Role::Title), " Answer ")], &foot);
    if turn.plan.trim().is_empty() {
        put(buffer, text.x, text.y, text.width, style(Role::Dim), "The answer is empty");
    }
    for (row, line) in lines.iter().skip(planned.scroll).take(usize::from(text.height)).enumerate() {
        let role = if line.starts_with('#') { Role::Title } else { Role::Text };
        put(buffer, text.x, text.y + row as u16, text.width, style(role), line);
    }
}
