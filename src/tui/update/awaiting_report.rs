//! A turn that has a plan and waits for its report.

use super::{Effects, leave_turn, moving};
use crate::app::backend::ReportSource;
use crate::app::backend::{AnsweredTurn, OpenTarget};
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::layer::{Ask, Goal, Layer};
use crate::tui::state::{AwaitingReport, Screen, State};
use crate::tui::view::awaiting_report;

/// What the editor starts with; lines like these are no report.
pub const TEMPLATE: &str =
    "<!-- Report: what was done, what was not, what was learned. An empty report is not saved. -->\n";

/// Shows the plan.
pub fn show(state: &mut State, turn: AnsweredTurn) {
    state.screen = Screen::AwaitingReport;
    state.awaiting = Some(AwaitingReport { turn, scroll: 0, draft: String::new() });
}

pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    let (count, page) =
        (awaiting_report::lines(state).len(), usize::from(awaiting_report::text_area(state).height).max(1));
    let Some(planned) = state.awaiting.as_mut() else { return };
    if let Some(to) = moving::scrolled(command, planned.scroll, count, page) {
        planned.scroll = to;
        return;
    }
    match command {
        Command::Report | Command::Open => effects.push(Effect::EditText(format!("{TEMPLATE}{}", planned.draft))),
        Command::ReportFile => state.layers.push(Layer::Ask(Ask::of(Goal::ReportFile, ""))),
        Command::UndoAnswer => effects.push(Effect::TakeBack(planned.turn.clone())),
        Command::Sessions | Command::Back => {
            leave_turn(state, effects);
            state.awaiting = None;
            state.screen = Screen::Sessions;
            effects.push(Effect::Sessions);
        }
        _ => {}
    }
}

/// The report came back from the editor.
pub fn edited(state: &mut State, text: &str, effects: &mut Effects) {
    let report = text.replace(TEMPLATE.trim_end(), "");
    if report.trim().is_empty() {
        state.why_not("The report is empty; nothing was saved");
        return;
    }
    let report = report.trim_start().to_owned();
    if let Some(planned) = &mut state.awaiting {
        planned.draft.clone_from(&report);
    }
    send(state, ReportSource::Text(report), effects);
}

/// Keeps a report.
pub fn send(state: &mut State, report: ReportSource, effects: &mut Effects) {
    if let Some(planned) = &state.awaiting {
        effects.push(Effect::Report(planned.turn.clone(), report));
    }
}

/// The report is kept, so that the next turn begins; or the plan is taken back, so that its own turn is open again.
pub fn done(state: &mut State, said: &str, effects: &mut Effects) {
    let Some(planned) = state.awaiting.take() else { return };
    state.good(said);
    super::open(state, OpenTarget::Resume(planned.turn.session), effects);
}
