//! A turn that has a plan and waits for its report.

use super::{Effects, leave_turn, moving};
use crate::error::Error;
use crate::tui::command::Command;
use crate::tui::desk::{Entry, Planned};
use crate::tui::message::{Effect, Report};
use crate::tui::state::layer::{Ask, Goal, Layer};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::state::{PlannedScreen, Screen, State};
use crate::tui::view::planned;

/// What the editor starts with; lines like these are no report.
pub const TEMPLATE: &str =
    "<!-- What came of the plan: what was done, what was not, what was learned. Saved empty, nothing is kept. -->\n";

/// Shows the plan.
pub fn show(state: &mut State, turn: Planned) {
    state.screen = Screen::Planned;
    state.planned = Some(PlannedScreen { turn, scroll: 0, file: None });
}

pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    let (count, page) = (planned::lines(state).len(), usize::from(planned::text_area(state).height).max(1));
    let Some(planned) = state.planned.as_mut() else { return };
    if let Some(to) = moving::scrolled(command, planned.scroll, count, page) {
        planned.scroll = to;
        return;
    }
    match command {
        Command::Report | Command::Open => effects.push(Effect::EditText(TEMPLATE.to_owned())),
        Command::ReportFile => ask_for_file(state, ""),
        Command::Sessions | Command::Back => {
            leave_turn(state, effects);
            state.planned = None;
            state.screen = Screen::Sessions;
            effects.push(Effect::Sessions);
        }
        _ => {}
    }
}

fn ask_for_file(state: &mut State, typed: &str) {
    state.layers.push(Layer::Ask(Ask {
        title: "The report",
        hint: "the file with what came of the plan, from the project's root or absolute",
        line: LineEdit::new(typed),
        goal: Goal::ReportFile,
    }));
}

/// The report was not kept: a path is there to be mended, not to be typed again.
pub fn refused(state: &mut State, error: &Error) {
    state.fail(error);
    if let Some(path) = state.planned.as_mut().and_then(|planned| planned.file.take())
        && state.layers.is_empty()
    {
        ask_for_file(state, &path);
    }
}

/// The report came back from the editor.
pub fn edited(state: &mut State, text: &str, effects: &mut Effects) {
    let report = text.replace(TEMPLATE.trim_end(), "");
    if report.trim().is_empty() {
        state.why_not("the report is empty: nothing was kept");
        return;
    }
    send(state, Report::Text(report.trim_start().to_owned()), effects);
}

/// Keeps a report.
pub fn send(state: &mut State, report: Report, effects: &mut Effects) {
    if let Some(planned) = &mut state.planned {
        planned.file = if let Report::File(path) = &report { Some(path.clone()) } else { None };
        effects.push(Effect::Report(planned.turn.clone(), report));
    }
}

/// The report is kept: the next turn begins.
pub fn done(state: &mut State, said: &str, effects: &mut Effects) {
    let Some(planned) = state.planned.take() else { return };
    state.good(said);
    super::open(state, Entry::Resume(planned.turn.session), effects);
}
