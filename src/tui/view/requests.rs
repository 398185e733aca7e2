//! The list of agent requests.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{clean, frame, put, put_all, width};
use super::list::highlight;
use super::review::{area, head, list_area, offset};
use crate::app::backend::{AgentOutcome, AgentRow};
use crate::text::{fit_middle, thousands};
use crate::tui::command::{Command, Context};
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::theme::Role;

/// Draws the requests of agents: time, tool, paths and tokens.
pub fn draw(buffer: &mut Buffer, ui: &Ui, bench: &Bench, cursor: usize) {
    let style = |role: Role| ui.theme.style(role);
    let rows = bench.requests.as_deref().unwrap_or_default();
    let title = format!(" Agent requests {} ", thousands(rows.len()));
    let inside = frame(buffer, area(ui.size, rows.len()), ui, true, &[(style(Role::Title), &title)], &[]);
    let (role, said) = explanation(ui, rows.get(cursor));
    head(buffer, inside, ui, role, &said);
    let from = offset(cursor, ui.size, rows.len());
    let list = list_area(ui.size, rows.len());
    for (line, row) in rows.iter().enumerate().skip(from).take(usize::from(list.height)) {
        let area = Rect { y: list.y + (line - from) as u16, height: 1, ..list };
        request(buffer, area, ui, row, line == cursor);
    }
}

/// The text above the list: what the keys do, or why the request under the cursor was refused.
fn explanation(ui: &Ui, row: Option<&AgentRow>) -> (Role, String) {
    let key = |command: Command| ui.key_in(Context::Requests, command);
    match row.map(|row| &row.outcome) {
        None => (Role::Text, "No agent made a request in this turn. `teddy setup` connects one.".to_owned()),
        Some(AgentOutcome::Waiting(_)) => {
            let (allow, deny) = (key(Command::Approve), key(Command::Deny));
            (Role::Warn, format!("This request waits for permission: {allow} allows it, {deny} denies it."))
        }
        Some(AgentOutcome::Refused(why)) => (Role::Text, format!("Refused: {}", clean(why))),
        Some(AgentOutcome::Answered) => {
            (Role::Text, format!("{} pins what was requested, for this turn and the next.", key(Command::Pin)))
        }
    }
}

fn request(buffer: &mut Buffer, area: Rect, ui: &Ui, row: &AgentRow, cursor: bool) {
    let style = |role: Role| ui.theme.style(role);
    let left = [
        (style(Role::Focus), if cursor { ui.theme.glyphs.cursor } else { " " }.to_owned()),
        (style(Role::Dim), format!("{} ", row.at)),
        (style(Role::Text), format!("{:<8}", clean(&row.tool))),
    ];
    let x = put_all(buffer, area.x, area.y, area.width, &left);
    let (role, right) = outcome(row);
    let right = format!(" {right} ");
    let room = area.right().saturating_sub(x + width(&right));
    put(buffer, x, area.y, room, style(Role::Text), &fit_middle(&clean(&row.asked), usize::from(room)));
    put(buffer, area.right().saturating_sub(width(&right)), area.y, width(&right), style(role), &right);
    if cursor {
        highlight(buffer, area, ui);
    }
}

/// The outcome of a request as a short text.
fn outcome(row: &AgentRow) -> (Role, String) {
    match (&row.outcome, row.tokens) {
        (AgentOutcome::Waiting(_), Some(tokens)) => (Role::Warn, format!("waits, {}", thousands(tokens))),
        (AgentOutcome::Waiting(_), None) => (Role::Warn, "waits".to_owned()),
        (AgentOutcome::Refused(_), _) => (Role::Bad, "refused".to_owned()),
        (AgentOutcome::Answered, tokens) => (Role::Dim, tokens.map_or_else(String::new, thousands)),
    }
}
