//! Lists of items that did not fit and of redactions.

use std::sync::Arc;

use super::overlays::OverlayStep;
use super::{Effects, moving, text};
use crate::app::backend::Request;
use crate::ids::ItemId;
use crate::tui::command::Command;
use crate::tui::pane::PaneView;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::{BenchLayer, Redactions};
use crate::tui::state::rows::RowKey;
use crate::tui::view::review::page;

/// Opens the list of redactions.
pub fn open_redactions(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    bench.layers.push(BenchLayer::Redactions(Redactions::default()));
    ask(ui, bench, effects);
}

/// Requests the redactions if their list is open.
pub fn ask(ui: &mut Ui, bench: &Bench, effects: &mut Effects) {
    if bench.layers.iter().any(|layer| matches!(layer, BenchLayer::Redactions(_))) {
        ui.ask(Request::Redactions(Arc::clone(&bench.model)), effects);
    }
}

/// Runs a command in the list of items that did not fit.
pub fn unfitted(ui: &mut Ui, bench: &mut Bench, cursor: &mut usize, command: Command) -> OverlayStep {
    let rows = bench.dropped();
    *cursor = (*cursor).min(rows.len().saturating_sub(1));
    if let Some(to) = moving::moved(command, *cursor, rows.len(), page(ui.size, rows.len())) {
        *cursor = to;
        return OverlayStep::Stay;
    }
    if command != Command::Open {
        return OverlayStep::Stay;
    }
    let at = rows.get(*cursor).copied();
    if let Some(item) = at.and_then(|at| Some(bench.model.placement().placed.get(at)?.item)) {
        go_to(bench, item, None);
    }
    OverlayStep::Close
}

/// Runs a command in the list of redactions.
pub fn redactions(
    ui: &mut Ui,
    bench: &mut Bench,
    layer: &mut Redactions,
    command: Command,
    effects: &mut Effects,
) -> OverlayStep {
    if let Some(to) = moving::moved(command, layer.cursor, layer.rows.len(), page(ui.size, layer.rows.len())) {
        layer.cursor = to;
        return OverlayStep::Stay;
    }
    let Some(one) = layer.rows.get(layer.cursor).cloned() else { return OverlayStep::Stay };
    match command {
        Command::Open => {
            match bench.item_at(&one.path) {
                Some(item) => go_to(bench, item, Some(one.line)),
                None => ui.why_not(format!("{} is not in the list", one.path)),
            }
            return OverlayStep::Close;
        }
        Command::Allow => ui.ask(Request::Allow(one), effects),
        _ => {}
    }
    OverlayStep::Stay
}

/// Moves the cursor to an item, clearing a filter that hides it, and scrolls to a line.
pub fn go_to(bench: &mut Bench, item: ItemId, line: Option<u32>) {
    let key = RowKey::Item(item);
    if !bench.go_to(&key) {
        bench.only = None;
        text::set_filter(bench, "");
        bench.go_to(&key);
    }
    if let Some(line) = line {
        bench.look_at(PaneView::Content);
        bench.pane_goal = Some(line as usize);
        // Requests the pane again even if it is already visible, to scroll it.
        bench.pane_request = None;
    }
}
