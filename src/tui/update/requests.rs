//! Requests of agents: they appear as they happen, can be pinned, and can wait for permission.

use super::overlays::OverlayStep;
use super::{Effects, moving, overrides, review};
use crate::app::backend::{AgentOutcome, AgentRow, Request, Scope, TurnMode};
use crate::text::counted;
use crate::tui::command::{Command, Context};
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::BenchLayer;
use crate::tui::state::{Screen, State, Ui};
use crate::tui::theme::Role;
use crate::tui::view::review::page;
use crate::workbench::lines;

/// Reads the requests of the open turn.
pub fn ask(state: &mut State, effects: &mut Effects) {
    if matches!(state.screen, Screen::Workbench(_)) {
        state.ui.ask(Request::AgentRequests, effects);
    }
}

/// Shows new requests. Those from before the turn was opened are only listed.
pub fn arrived(ui: &mut Ui, bench: &mut Bench, rows: Vec<AgentRow>) {
    let Some(before) = bench.requests.replace(rows) else { return };
    let Some(rows) = &bench.requests else { return };
    let key = ui.key_in(bench.context(), Command::Requests);
    let is_new = |row: &&AgentRow| !before.contains(row);
    if let Some(row) = rows.iter().filter(is_new).find(|row| row.waits()) {
        let allow = ui.key_in(Context::Requests, Command::Approve);
        ui.say(Role::Warn, format!("The agent asks for {}: {key} {allow} allows it", described(row)));
    } else if rows.len() > before.len()
        && let Some(row) = rows.iter().find(is_new)
    {
        let pin = ui.key_in(Context::Requests, Command::Pin);
        let what = match &row.outcome {
            AgentOutcome::Refused(why) => format!("Refused the agent's {}: {why}; {key} lists requests", row.tool),
            _ if row.pins.is_empty() => format!("Agent: {} {}; {key} lists requests", row.tool, described(row)),
            _ => format!("Agent: {} {}; {key} {pin} pins it", row.tool, described(row)),
        };
        ui.say(Role::Text, what);
    }
    let count = rows.len();
    if let Some(cursor) = bench.layers.iter_mut().find_map(|layer| match layer {
        BenchLayer::Requests(cursor) => Some(cursor),
        _ => None,
    }) {
        *cursor = (*cursor).min(count.saturating_sub(1));
    }
}

/// The content that a request asks for, with its tokens.
fn described(row: &AgentRow) -> String {
    let asked = row.asked.lines().next().unwrap_or_default();
    let tokens = row.tokens.map_or_else(String::new, |tokens| format!(" ({})", counted(tokens, "token")));
    format!("{asked}{tokens}")
}

/// Reason why a command in the list is unavailable.
pub fn why_not(bench: &Bench, cursor: usize, command: Command) -> Option<String> {
    let row = bench.requests.as_ref().and_then(|rows| rows.get(cursor));
    let waits = row.is_some_and(AgentRow::waits);
    match command {
        Command::Pin | Command::Open if row.is_none_or(|row| row.pins.is_empty()) => {
            Some("This request names no file".to_owned())
        }
        Command::Approve | Command::Deny if !waits => Some("This request does not wait for permission".to_owned()),
        _ => None,
    }
}

/// Runs a command in the list of requests.
pub fn requests(
    ui: &mut Ui,
    bench: &mut Bench,
    cursor: &mut usize,
    command: Command,
    effects: &mut Effects,
) -> OverlayStep {
    let count = bench.requests.as_ref().map_or(0, Vec::len);
    *cursor = (*cursor).min(count.saturating_sub(1));
    if let Some(to) = moving::moved(command, *cursor, count, page(ui.size, count)) {
        *cursor = to;
        return OverlayStep::Stay;
    }
    let Some(row) = bench.requests.as_ref().and_then(|rows| rows.get(*cursor)).cloned() else {
        return OverlayStep::Stay;
    };
    match (command, row.outcome) {
        (Command::Approve | Command::Deny, AgentOutcome::Waiting(id)) => {
            ui.ask(Request::AnswerAgent { id, allow: command == Command::Approve }, effects);
        }
        (Command::Pin, _) if bench.about.mode == TurnMode::Open => {
            overrides::pin_named(ui, bench, &row.pins, effects);
        }
        (Command::Pin, _) => ui.ask(Request::StorePins(Scope::Session, row.pins), effects),
        (Command::Open, _) => {
            let named = row.pins.first().map_or("", |pin| lines::path_in(pin));
            match bench.item_at(named) {
                Some(item) => review::go_to(bench, item, None),
                None => ui.why_not(format!("{named} is not in the list")),
            }
            return OverlayStep::Close;
        }
        _ => {}
    }
    OverlayStep::Stay
}
