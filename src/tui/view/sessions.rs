//! The sessions: name, goal, turns, state, tokens, last touched; the last payload's summary below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put, put_all, width, wrap};
use crate::text::{ABOUT, fit_end, fit_middle, short_count};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Role;

/// The list's box.
fn list_box(size: (u16, u16)) -> Rect {
    let body = size.1.saturating_sub(1 + layout::footer_rows(size));
    let height = if body >= 16 { body * 3 / 5 } else { body };
    Rect { x: 0, y: 1, width: size.0, height }
}

/// Where the rows are, below the column titles.
pub fn list_area(size: (u16, u16)) -> Rect {
    let inside = layout::inner(list_box(size));
    Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside }
}

pub fn draw(buffer: &mut Buffer, area: Rect, state: &State) {
    let style = |role: Role| state.theme.style(role);
    let head = [(style(Role::Title), " teddy ".to_owned()), (style(Role::Text), format!(" {}", state.project))];
    put_all(buffer, area.x, area.y, area.width, &head);
    let sessions = &state.sessions;
    let visible = sessions.visible();
    let filter = sessions.filter.text();
    let title = if filter.is_empty() {
        format!(" Sessions {} ", sessions.rows.len())
    } else {
        format!(" Sessions {}/{} /{filter} ", visible.len(), sessions.rows.len())
    };
    let inside = frame(buffer, list_box(state.size), state, true, &[(style(Role::Title), &title)], &[]);
    if visible.is_empty() {
        let key = state.key_for(Command::New);
        let said = match (sessions.loaded, filter.is_empty()) {
            (false, _) => "…".to_owned(),
            (true, true) => format!(
                "No session yet. {key} starts one: describe the task, and teddy picks what the model should see."
            ),
            (true, false) => format!("No match for {filter}; {} clears the filter.", state.key_for(Command::Back)),
        };
        for (row, line) in wrap(&said, usize::from(inside.width.saturating_sub(2))).iter().enumerate() {
            put(buffer, inside.x + 1, inside.y + 1 + row as u16, inside.width, style(Role::Text), line);
        }
        return;
    }
    let rows = list_area(state.size);
    let wide = inside.width >= 100;
    // On a narrow screen the goal goes: the name is made from it.
    let with_goal = inside.width >= 70;
    let name_width =
        if wide { 38 } else { usize::from(inside.width).saturating_sub(if with_goal { 46 } else { 28 }).clamp(14, 38) };
    let line = |name: &str, state: &str, turns: &str, tokens: &str, touched: &str, goal: &str| {
        let touched = if wide { format!("{touched:<16}  ") } else { String::new() };
        let name = fit_middle(name, name_width).into_owned();
        let pad = name_width.saturating_sub(usize::from(width(&name)));
        let line = format!("{name}{}  {state:<9} {turns:>5} {tokens:>7}  {touched}", " ".repeat(pad));
        let room = usize::from(inside.width.saturating_sub(2 + width(&line)));
        line + &fit_end(goal, if with_goal { room } else { 0 })
    };
    let titles = line("session", "state", "turns", "tokens", "last used", "goal");
    put(buffer, inside.x + 1, inside.y, inside.width.saturating_sub(2), style(Role::Dim), &titles);
    for (row, (at, session)) in
        visible.iter().enumerate().skip(sessions.offset).take(usize::from(rows.height)).enumerate()
    {
        let y = rows.y + row as u16;
        let about = if session.estimated { ABOUT } else { "" };
        let tokens = session
            .tokens
            .map_or_else(|| state.theme.glyphs.absent.to_owned(), |tokens| format!("{about}{}", short_count(tokens)));
        let text =
            line(&session.name, &session.state, &session.turns.to_string(), &tokens, &session.touched, &session.goal);
        let here = at == sessions.cursor;
        put(buffer, rows.x, y, 1, style(Role::Focus), if here { state.theme.glyphs.cursor } else { " " });
        put(buffer, rows.x + 1, y, rows.width.saturating_sub(2), style(Role::Text), &text);
        if here {
            buffer.set_style(Rect { y, height: 1, ..rows }, style(Role::Cursor));
        }
    }
    preview(buffer, area, state);
}

fn preview(buffer: &mut Buffer, area: Rect, state: &State) {
    let above = list_box(state.size);
    let footer = layout::areas(state).footer;
    let room = Rect { x: 0, y: above.bottom(), width: area.width, height: footer.y.saturating_sub(above.bottom()) };
    if room.height < 3 {
        return;
    }
    let Some(session) = state.sessions.current() else { return };
    let style = |role: Role| state.theme.style(role);
    let title = format!(" {} ", session.name);
    let inside = frame(buffer, room, state, false, &[(style(Role::Title), &title)], &[]);
    let lines = wrap(&session.preview, usize::from(inside.width.saturating_sub(2)));
    for (row, line) in lines.iter().take(usize::from(inside.height)).enumerate() {
        put(buffer, inside.x + 1, inside.y + row as u16, inside.width.saturating_sub(2), style(Role::Text), line);
    }
}
