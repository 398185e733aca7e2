//! Lists of items that did not fit and of redactions.

use std::sync::Arc;

use super::{Effects, moving, text};
use crate::ids::ItemId;
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::pane::PaneView;
use crate::tui::state::State;
use crate::tui::state::layer::{Layer, Redactions};
use crate::tui::state::rows::RowKey;

/// Opens the list of items that did not fit.
pub fn open_unfitted(state: &mut State) {
    state.layers.push(Layer::Unfitted(0));
}

/// Opens the list of redactions.
pub fn open_redactions(state: &mut State, effects: &mut Effects) {
    state.layers.push(Layer::Redactions(Redactions::default()));
    ask(state, effects);
}

/// Requests the redactions, if the list is open.
pub fn ask(state: &State, effects: &mut Effects) {
    if let Some(bench) = &state.bench
        && state.layers.iter().any(|layer| matches!(layer, Layer::Redactions(_)))
    {
        effects.push(Effect::Redactions(Arc::clone(&bench.model)));
    }
}

/// Runs a command in the list of items that did not fit.
pub fn dropped(state: &mut State, command: Command, page: usize) {
    let rows = state.bench.as_ref().map(crate::tui::state::bench::Bench::dropped).unwrap_or_default();
    let Some(Layer::Unfitted(cursor)) = state.layers.last_mut() else { return };
    *cursor = (*cursor).min(rows.len().saturating_sub(1));
    if let Some(to) = moving::moved(command, *cursor, rows.len(), page) {
        *cursor = to;
    } else if command == Command::Open {
        let at = rows.get(*cursor).copied();
        let item = at.and_then(|at| Some(state.bench.as_ref()?.model.placement().placed.get(at)?.item));
        state.layers.pop();
        if let Some(item) = item {
            go_to(state, item, None);
        }
    }
}

/// Runs a command in the list of redactions.
pub fn redactions(state: &mut State, command: Command, page: usize, effects: &mut Effects) {
    let Some(Layer::Redactions(layer)) = state.layers.last_mut() else { return };
    if let Some(to) = moving::moved(command, layer.cursor, layer.rows.len(), page) {
        layer.cursor = to;
        return;
    }
    let Some(one) = layer.rows.get(layer.cursor).cloned() else { return };
    match command {
        Command::Open => {
            state.layers.pop();
            match state.bench.as_ref().and_then(|bench| bench.item_at(&one.path)) {
                Some(item) => go_to(state, item, Some(one.line)),
                None => state.why_not(format!("{} is not in the list", one.path)),
            }
        }
        Command::Allow => effects.push(Effect::Allow(one)),
        _ => {}
    }
}

/// Moves the cursor to an item, clearing a filter that hides it, and scrolls to a line.
pub fn go_to(state: &mut State, item: ItemId, line: Option<u32>) {
    let Some(bench) = state.bench.as_mut() else { return };
    let key = RowKey::Item(item);
    if !bench.go_to(&key) {
        bench.only = None;
        text::set_filter(bench, "");
        bench.go_to(&key);
    }
    if let Some(line) = line {
        bench.look_at(PaneView::Content);
        bench.pane_goal = Some(line as usize);
        // Shown again even if it is already visible, to scroll there.
        state.requests.pane_for = None;
    }
}
