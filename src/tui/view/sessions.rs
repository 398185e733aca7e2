//! The list of sessions: name, goal, turns, state, tokens and last change, above the summary of the last payload.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{frame, join, put, put_all, width, wrap};
use super::list::highlight;
use crate::project::clock;
use crate::text::{ABOUT, fit_end, fit_middle, short_count};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::sessions::{SessionLine, Sessions};
use crate::tui::theme::Role;

/// The box around the list.
fn list_box(size: (u16, u16)) -> Rect {
    let body = size.1.saturating_sub(1 + layout::footer_rows(size));
    // The preview shares the lower border.
    let height = if body >= 16 { body * 3 / 5 + 1 } else { body };
    Rect { x: 0, y: 1, width: size.0, height }
}

/// Rows below the column titles.
pub fn list_area(size: (u16, u16)) -> Rect {
    let inside = layout::inner(list_box(size));
    Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside }
}

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, sessions: &Sessions) {
    let style = |role: Role| ui.theme.style(role);
    let head = [(style(Role::Title), " teddy ".to_owned()), (style(Role::Text), format!(" {}", ui.project))];
    put_all(buffer, area.x, area.y, area.width, &head);
    let visible = sessions.visible();
    let filter = sessions.filter.text();
    let title = if filter.is_empty() {
        format!(" Sessions {} ", sessions.rows.len())
    } else {
        format!(" Sessions {}/{} /{filter} ", visible.len(), sessions.rows.len())
    };
    let inside = frame(buffer, list_box(ui.size), ui, true, &[(style(Role::Title), &title)], &[]);
    if visible.is_empty() {
        let key = ui.key_in(Context::Sessions, Command::New);
        let said = match (sessions.loaded, filter.is_empty()) {
            (false, _) => "…".to_owned(),
            (true, true) => format!(
                "No session yet. {key} starts one: describe the task, and teddy chooses what the model should see."
            ),
            (true, false) => {
                format!("No match for {filter}; {} clears the filter.", ui.key_in(Context::Sessions, Command::Back))
            }
        };
        for (row, line) in wrap(&said, usize::from(inside.width.saturating_sub(2))).iter().enumerate() {
            put(buffer, inside.x + 1, inside.y + 1 + row as u16, inside.width, style(Role::Text), line);
        }
        return;
    }
    let rows = list_area(ui.size);
    let wide = inside.width >= 100;
    // On a narrow screen the goal is omitted, because the session's name is similar.
    let with_goal = inside.width >= 70;
    let name_width =
        if wide { 38 } else { usize::from(inside.width).saturating_sub(if with_goal { 46 } else { 28 }).clamp(14, 38) };
    let columns = Columns { name: name_width, touched: wide, goal: with_goal, width: inside.width.saturating_sub(2) };
    let used = format!("last used {}", clock::zone());
    let titles = ["session", "state", "turns", "tokens", &used, "goal"];
    columns.draw(buffer, (inside.x + 1, inside.y), [style(Role::Dim); 4], titles);
    for (row, (at, SessionLine { session, turn })) in
        visible.iter().enumerate().skip(sessions.offset).take(usize::from(rows.height)).enumerate()
    {
        let y = rows.y + row as u16;
        let here = at == sessions.cursor;
        put(buffer, rows.x, y, 1, style(Role::Focus), if here { ui.theme.glyphs.cursor } else { " " });
        let at = (rows.x + 1, y);
        if let Some(turn) = turn {
            let looks = [style(Role::Text), style(state_role(&turn.state)), style(Role::Dim), style(Role::Dim)];
            columns.draw(buffer, at, looks, [&format!("  turn {}", turn.id), &turn.state, "", "", "", &turn.task]);
        } else {
            let about = if session.estimated { ABOUT } else { "" };
            let tokens = session.tokens.map(|tokens| format!("{about}{}", short_count(tokens)));
            let tokens = tokens.unwrap_or_else(|| ui.theme.glyphs.absent.to_owned());
            let turns = session.turns.len().to_string();
            let looks = [style(Role::Title), style(state_role(&session.state)), style(Role::Text), style(Role::Dim)];
            let texts = [&session.name, &session.state, &turns, &tokens, &session.touched, &session.goal];
            columns.draw(buffer, at, looks, texts.map(String::as_str));
        }
        if here {
            highlight(buffer, Rect { y, height: 1, ..rows }, ui);
        }
    }
    preview(buffer, area, ui, sessions);
}

/// The columns that fit.
struct Columns {
    /// Width of the name.
    name: usize,
    touched: bool,
    goal: bool,
    width: u16,
}

impl Columns {
    /// Draws name, state, turns, tokens, time and goal, in the styles of name, state, figures and goal.
    fn draw(&self, buffer: &mut Buffer, (x, y): (u16, u16), looks: [Style; 4], texts: [&str; 6]) {
        let [name, state, turns, tokens, touched, goal] = texts;
        let name = fit_middle(name, self.name);
        let pad = self.name.saturating_sub(usize::from(width(&name)));
        let touched = if self.touched { format!("{touched:<16}  ") } else { String::new() };
        let pieces = [
            (looks[0], format!("{name}{:pad$}  ", "")),
            (looks[1], format!("{state:<9}")),
            (looks[2], format!(" {turns:>5} {tokens:>7}  {touched}")),
        ];
        let end = put_all(buffer, x, y, self.width, &pieces);
        let room = (x + self.width).saturating_sub(end);
        if self.goal {
            put(buffer, end, y, room, looks[3], &fit_end(goal, usize::from(room)));
        }
    }
}

/// The colour of a state. Finished turns are dim, because they need no action.
fn state_role(state: &str) -> Role {
    match state {
        "open" => Role::Good,
        "delivered" => Role::Linked,
        "planned" => Role::Warn,
        _ => Role::Dim,
    }
}

fn preview(buffer: &mut Buffer, area: Rect, ui: &Ui, sessions: &Sessions) {
    let above = list_box(ui.size);
    let footer = layout::footer(ui.size);
    let top = above.bottom().saturating_sub(1);
    let room = Rect { x: 0, y: top, width: area.width, height: footer.y.saturating_sub(top) };
    if room.height < 3 {
        return;
    }
    let Some(session) = sessions.current() else { return };
    let style = |role: Role| ui.theme.style(role);
    let title = format!(" {} ", session.name);
    let inside = frame(buffer, room, ui, false, &[(style(Role::Title), &title)], &[]);
    join(buffer, above, room, ui);
    let room = inside.width.saturating_sub(2);
    let lines = without_markup(&session.preview).into_iter().flat_map(|(role, line)| {
        let wrapped = wrap(&line, usize::from(room));
        let wrapped = if wrapped.is_empty() { vec![String::new()] } else { wrapped };
        wrapped.into_iter().map(move |line| (role, line))
    });
    for (row, (role, line)) in lines.take(usize::from(inside.height)).enumerate() {
        put(buffer, inside.x + 1, inside.y + row as u16, room, style(role), &line);
    }
}

/// A text without Markdown syntax: headings are styled, list items get a dot, and tables are aligned.
fn without_markup(text: &str) -> Vec<(Role, String)> {
    let (mut out, mut table): (Vec<(Role, String)>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    for line in text.lines().chain([""]) {
        if let Some(row) = line.strip_prefix('|') {
            let cells: Vec<String> = row.trim_end_matches('|').split('|').map(|cell| plain(cell.trim())).collect();
            if !cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':'))) {
                table.push(cells);
            }
            continue;
        }
        out.append(&mut aligned(&std::mem::take(&mut table)));
        out.push(rendered(line));
    }
    out
}

/// The rows of a table as columns; the first row is dim.
fn aligned(table: &[Vec<String>]) -> Vec<(Role, String)> {
    let columns = table.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |at: usize| table.iter().filter_map(|row| row.get(at)).map(|cell| width(cell)).max().unwrap_or(0);
    let widths: Vec<u16> = (0..columns).map(widest).collect();
    let row = |cells: &Vec<String>| {
        let padded = cells.iter().zip(&widths).map(|(cell, wide)| {
            let pad = usize::from(wide.saturating_sub(width(cell)));
            format!("{cell}{:pad$}", "")
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let role = |at: usize| if at == 0 { Role::Dim } else { Role::Text };
    table.iter().enumerate().map(|(at, cells)| (role(at), row(cells))).collect()
}

fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

/// A line outside of tables.
fn rendered(line: &str) -> (Role, String) {
    let plain = plain(line);
    let heading = plain.trim_start_matches('#');
    if heading.len() < plain.len() && heading.starts_with(' ') {
        return (Role::Title, heading.trim().to_owned());
    }
    let indent = plain.len() - plain.trim_start().len();
    match plain.trim_start().strip_prefix("- ") {
        Some(item) => (Role::Text, format!("{:indent$}· {item}", "")),
        None => (Role::Text, plain),
    }
}
