//! Pages about the turn.

use std::sync::Arc;

use super::Effects;
use crate::app::backend::{ClipboardAction, InfoPage, Request};
use crate::error::Error;
use crate::tui::command::Command;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::{BenchLayer, DocumentText, Scroll};
use crate::tui::state::rows::Row;

/// Opens a page, which is loaded in the background.
pub fn open(ui: &mut Ui, bench: &mut Bench, page: InfoPage, effects: &mut Effects) {
    ui.ask(Request::Page(page, Arc::clone(&bench.model)), effects);
    bench.layers.push(BenchLayer::Document(Box::new(DocumentText { page, text: None, scroll: Scroll::default() })));
}

/// Fetches the item under the cursor, or reads the clipboard.
pub fn use_clipboard(ui: &mut Ui, bench: &Bench, command: Command, effects: &mut Effects) {
    let action = match (command, bench.rows.get(bench.cursor)) {
        (Command::Answer, _) => ClipboardAction::Answer,
        (Command::Acknowledge, _) => ClipboardAction::Acknowledge,
        (_, Some(Row::Item { item, .. })) => ClipboardAction::Fetch(*item),
        _ => return ui.why_not("A directory cannot be fetched; choose a file"),
    };
    ui.ask(Request::Clipboard(action, Arc::clone(&bench.model)), effects);
}

/// Shows the loaded page, if it is still open.
pub fn answered(ui: &mut Ui, bench: &mut Bench, page: InfoPage, result: Result<String, Error>) {
    let open = bench.layers.iter().position(|layer| matches!(layer, BenchLayer::Document(open) if open.page == page));
    let Some(at) = open else { return };
    match result {
        Ok(text) => {
            if let Some(BenchLayer::Document(open)) = bench.layers.get_mut(at) {
                open.text = Some(text);
            }
        }
        Err(error) => {
            bench.layers.remove(at);
            ui.fail(&error);
        }
    }
}
