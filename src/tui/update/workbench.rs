//! Commands of the workbench: overlays, delivery and views.

use std::sync::Arc;

use super::{
    Effects, cancel, documents, leave_turn, moving, next_turn, open, overrides, review, scan, text, token_map,
};
use crate::app::backend::{InfoPage, OpenTarget, Scope, TurnMode};
use crate::ids::ItemId;
use crate::place::{Override, Tier};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::Effect;
use crate::tui::pane::PaneView;
use crate::tui::state::bench::{Bench, Zoom};
use crate::tui::state::form::TaskForm;
use crate::tui::state::layer::{Layer, Memos, Scroll};
use crate::tui::state::{Screen, State, Work};

/// Runs a command of the workbench.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    if moving::list(state, command) {
        return;
    }
    match command {
        Command::Back => back(state, effects),
        Command::Rescan => rescan(state, effects),
        Command::Sessions => {
            leave_turn(state, effects);
            state.bench = None;
            state.work = None;
            state.screen = Screen::Sessions;
            effects.push(Effect::Sessions);
        }
        Command::Pin | Command::Demote | Command::Promote | Command::Exclude | Command::Reset => {
            overrides::rule(state, command, effects);
        }
        Command::Undo | Command::Redo => overrides::undo(state, command, effects),
        Command::BudgetUp | Command::BudgetDown => overrides::budget(state, command, effects),
        Command::AutoFill => overrides::fill(state, effects),
        Command::Copy => copy(state, effects),
        Command::Write => write(state, effects),
        Command::Preview => {
            state.layers.push(Layer::Payload(Box::default()));
            ask_payload(state, effects);
        }
        Command::Map => token_map::open(state),
        Command::LastChange => state.layers.push(Layer::LastChange(Scroll::default())),
        Command::Unfitted => review::open_unfitted(state),
        Command::Redactions => review::open_redactions(state, effects),
        Command::Turn => documents::open(state, InfoPage::Turn, effects),
        Command::Advice => documents::open(state, InfoPage::Advice, effects),
        Command::Replay => documents::open(state, InfoPage::Replay, effects),
        Command::Handoff => effects.push(Effect::Handoff),
        Command::StoreSession => store(state, Scope::Session, effects),
        Command::StoreProject => store(state, Scope::Project, effects),
        Command::NextTurn | Command::UndoAnswer => next_turn::run(state, command, effects),
        // The answer is saved already; the next thing is to say what comes next.
        Command::Answer if state.mode() != TurnMode::Open => next_turn::ask(state),
        Command::Fetch | Command::Answer | Command::Acknowledge => documents::deed(state, command, effects),
        Command::Memos => {
            state.layers.push(Layer::Memos(Memos::default()));
            effects.push(Effect::Memos);
        }
        _ => looking(state, command, effects),
    }
}

/// Stores the pins of the selected items, or of the item under the cursor, for the session or the project.
fn store(state: &mut State, scope: Scope, effects: &mut Effects) {
    let Some(bench) = &state.bench else { return };
    let items = &bench.model.corpus().items;
    let pinned = |item: &ItemId| {
        items[*item].kind.is_file() && bench.placed(*item).is_some_and(|p| p.overridden == Some(Override::Pin))
    };
    let paths: Vec<String> =
        bench.targets().iter().filter(|item| pinned(item)).map(|item| items[*item].path.clone()).collect();
    if paths.is_empty() {
        let pin = state.key_of(Command::Pin);
        return state.why_not(format!("Only pinned files can be stored; {pin} pins the item"));
    }
    effects.push(Effect::StorePins(scope, paths));
}

/// Commands that change the view, not the items.
fn looking(state: &mut State, command: Command, effects: &mut Effects) {
    let pane_rows = layout::pane_rows(state);
    let Some(bench) = state.bench.as_mut() else { return };
    let only = |tier: Tier, now: Option<Tier>| (now != Some(tier)).then_some(tier);
    match command {
        Command::Filter => {
            let before = bench.filter_line.text().to_owned();
            state.layers.push(Layer::Filter(before, bench.spot()));
            return;
        }
        Command::OnlyRaw => bench.only = only(Tier::Raw, bench.only),
        Command::OnlyLinked => bench.only = only(Tier::Linked, bench.only),
        Command::OnlySummary => bench.only = only(Tier::Summary, bench.only),
        Command::OnlyOut => bench.only = only(Tier::Out, bench.only),
        Command::Sort => bench.sort = bench.sort.next(),
        Command::Tree => bench.toggle_tree(),
        Command::FoldAll | Command::UnfoldAll => bench.fold_all(command == Command::FoldAll),
        Command::Left | Command::Right => return moving::shift_pane(state, command == Command::Right),
        // In the zoomed pane there is nothing to fold, and lines may be long.
        Command::Fold | Command::Unfold if bench.zoom == Zoom::Pane => {
            return moving::shift_pane(state, command == Command::Unfold);
        }
        Command::Fold | Command::Unfold => moving::fold(bench, command == Command::Fold),
        Command::Select => {
            if bench.range.is_some() {
                bench.selected = bench.targets().into_iter().collect();
                bench.range = None;
            } else {
                bench.toggle_selected();
                bench.cursor = (bench.cursor + 1).min(bench.rows.len().saturating_sub(1));
            }
            return;
        }
        Command::SelectRange => {
            bench.range = match bench.range {
                Some(_) => {
                    bench.selected = bench.targets().into_iter().collect();
                    None
                }
                None => bench.rows.get(bench.cursor).map(crate::tui::state::rows::Row::key),
            };
            return;
        }
        Command::NextView => bench.look_at(bench.view.step(1)),
        Command::PreviousView => bench.look_at(bench.view.step(PaneView::ALL.len() - 1)),
        Command::PaneDown | Command::PaneUp => {
            let half = if command == Command::PaneDown { Command::HalfDown } else { Command::HalfUp };
            if let Some(to) = moving::scrolled(half, bench.pane_scroll, bench.pane_lines(), pane_rows) {
                bench.pane_scroll = to;
            }
        }
        Command::Zoom => bench.zoom = if bench.zoom == Zoom::Both { Zoom::Pane } else { Zoom::Both },
        Command::Open => {
            moving::enter(state);
            return;
        }
        Command::Task => {
            let form = TaskForm::new(&bench.about.form, bench.model.settings().1.limit);
            state.layers.push(Layer::Task(Box::new(form)));
            return;
        }
        Command::CopySelected => {
            effects.push(Effect::CopySome(bench.ready(), bench.targets()));
            state.work = Some(Work::Copying);
            return;
        }
        Command::CopyPath => {
            if let Some(item) = bench.current() {
                let path = bench.model.corpus().items[item].path.clone();
                effects.push(Effect::CopyText(path.clone(), format!("Path {path}")));
            }
            return;
        }
        Command::Edit => {
            if let Some(item) = bench.current() {
                let path = bench.model.corpus().items[item].path.clone();
                let line = bench.model.scores().items[item].hot.first().map_or(1, |span| span.0);
                effects.push(Effect::EditFile(path, line));
            }
            return;
        }
        _ => return,
    }
    let changed = matches!(
        command,
        Command::OnlyRaw
            | Command::OnlyLinked
            | Command::OnlySummary
            | Command::OnlyOut
            | Command::Sort
            | Command::Tree
            | Command::FoldAll
            | Command::UnfoldAll
    );
    if changed {
        bench.rebuild();
        if matches!(command, Command::Sort | Command::Tree) {
            effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
        }
    }
}

pub fn copy(state: &mut State, effects: &mut Effects) {
    if let Some(bench) = &state.bench {
        effects.push(Effect::Copy(bench.ready()));
        state.work = Some(Work::Copying);
    }
}

pub fn write(state: &mut State, effects: &mut Effects) {
    if let Some(bench) = &state.bench {
        effects.push(Effect::Write(bench.ready()));
        state.work = Some(Work::Writing);
    }
}

/// Scans the project again, or repeats the entry if nothing is open.
pub fn rescan(state: &mut State, effects: &mut Effects) {
    if state.bench.is_none() {
        let entry = state.entry.clone().unwrap_or(OpenTarget::Named);
        return open(state, entry, effects);
    }
    state.requests.open = state.ask();
    state.work = Some(Work::Rescanning(None));
    effects.push(Effect::Rescan(state.requests.open));
}

/// Requests the payload of the current placement.
pub fn ask_payload(state: &mut State, effects: &mut Effects) {
    if let Some(ready) = state.bench.as_ref().map(Bench::ready) {
        state.requests.payload = state.ask();
        effects.push(Effect::Payload(state.requests.payload, ready));
    }
}

/// Esc: goes back one step.
fn back(state: &mut State, effects: &mut Effects) {
    let working = matches!(state.work, Some(Work::Scanning(_) | Work::Rescanning(_)));
    let Some(bench) = state.bench.as_mut() else {
        if working && !scan::back(state) {
            scan::cancelled(state);
            cancel(state, effects);
        }
        return;
    };
    if bench.range.take().is_some() {
    } else if !bench.selected.is_empty() {
        bench.selected.clear();
    } else if bench.zoom != Zoom::Both {
        bench.zoom = Zoom::Both;
    } else if !bench.filter_line.text().is_empty() {
        text::set_filter(bench, "");
        effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
    } else if bench.only.take().is_some() {
        bench.rebuild();
    } else if working {
        cancel(state, effects);
        state.why_not("Rescan cancelled; the list is from the previous scan");
    } else {
        let quit = state.key_of(Command::Quit);
        state.why_not(format!("Nothing to go back to; {quit} quits"));
    }
}
