//! Pages about the turn.

use std::sync::Arc;

use super::Effects;
use crate::app::backend::{ClipboardAction, InfoPage};
use crate::error::Error;
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::layer::{DocumentText, Layer, Scroll};
use crate::tui::state::rows::Row;

/// Opens a page, which is loaded in the background.
pub fn open(state: &mut State, paper: InfoPage, effects: &mut Effects) {
    let Some(bench) = &state.bench else { return };
    effects.push(Effect::Paper(paper, Arc::clone(&bench.model)));
    state.layers.push(Layer::Document(Box::new(DocumentText { paper, text: None, scroll: Scroll::default() })));
}

/// Fetches the item under the cursor, or reads the clipboard.
pub fn deed(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = &state.bench else { return };
    let deed = match (command, bench.rows.get(bench.cursor)) {
        (Command::Answer, _) => ClipboardAction::Answer,
        (Command::Acknowledge, _) => ClipboardAction::Acknowledge,
        (_, Some(Row::Item { item, .. })) => ClipboardAction::Fetch(*item),
        _ => return state.why_not("A directory cannot be fetched; choose a file"),
    };
    effects.push(Effect::Deed(deed, Arc::clone(&bench.model)));
}

/// Shows the loaded page, if it is still open.
pub fn answered(state: &mut State, paper: InfoPage, result: Result<String, Error>) {
    let open = state.layers.iter().position(|layer| matches!(layer, Layer::Document(open) if open.paper == paper));
    let Some(at) = open else { return };
    match result {
        Ok(text) => {
            if let Some(Layer::Document(open)) = state.layers.get_mut(at) {
                open.text = Some(text);
            }
        }
        Err(error) => {
            state.layers.remove(at);
            state.fail(&error);
        }
    }
}
