//! The list of sessions.

use super::{Effects, form, moving};
use crate::app::backend::{OpenTarget, Request, TurnRequest};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::{Confirm, ConfirmedAction, Goal, Layer, LinePrompt};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::state::sessions::Sessions;

/// Runs a command; returns the turn to open, if any.
pub fn run(ui: &mut Ui, sessions: &mut Sessions, command: Command, effects: &mut Effects) -> Option<OpenTarget> {
    let count = sessions.visible().len();
    if let Some(to) = moving::moved(command, sessions.cursor, count, layout::sessions_page(ui.size)) {
        sessions.cursor = to;
        return None;
    }
    let current = sessions.current().cloned();
    match (command, current) {
        (Command::New, _) | (Command::Open, None) => form::ask_task(ui, &TurnRequest::default()),
        (Command::Filter, _) => {
            let line = sessions.filter.clone();
            ui.layers.push(Layer::LinePrompt(LinePrompt { line, goal: Goal::SessionFilter }));
        }
        (Command::Back, _) if sessions.filter.text().is_empty() => {
            let quit = ui.key_in(Context::Sessions, Command::Quit);
            ui.why_not(format!("Nothing to go back to; {quit} quits"));
        }
        (Command::Back, _) => sessions.filter = LineEdit::default(),
        (Command::Fold | Command::Unfold, _) => sessions.fold(command == Command::Fold),
        (Command::Open, Some(row)) => {
            return Some(OpenTarget::Resume(match sessions.current_turn() {
                Some(turn) => format!("{}/{}", row.name, turn.id),
                None => row.name,
            }));
        }
        (Command::Branch, Some(row)) => ui.ask(Request::Branch(row.name), effects),
        (Command::Rename, Some(row)) => {
            let ask = LinePrompt::of(Goal::Rename(row.name.clone()), &row.name);
            ui.layers.push(Layer::LinePrompt(ask));
        }
        (Command::Delete, Some(row)) => {
            let turns =
                if row.turns.len() == 1 { "its turn".to_owned() } else { format!("its {} turns", row.turns.len()) };
            ui.layers.push(Layer::Confirm(Confirm {
                title: format!("Delete session {}?", row.name),
                consequence: format!(
                    "Deletes “{}” and {turns}: payloads, answers, reports and overrides. This cannot be undone.",
                    row.goal
                ),
                yes: 'y',
                action: ConfirmedAction::DeleteSession(row.name),
            }));
        }
        _ => {}
    }
    None
}
