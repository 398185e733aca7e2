//! Commands on the token map: moving between blocks, zoom, and overrides of the block under the cursor.

use super::{Effects, overrides, review};
use crate::ids::ItemId;
use crate::tui::command::Command;
use crate::tui::state::State;
use crate::tui::state::layer::{Layer, Scroll};
use crate::tui::state::token_map::{MapNode, TokenMap};
use crate::tui::treemap::{Direction, neighbour};
use crate::tui::view;

/// Opens the map with the cursor on the block of the item in the list.
pub fn open(state: &mut State) {
    let Some(bench) = &state.bench else { return };
    let path = bench.current().map(|item| bench.model.corpus().items[item].path.as_str());
    let map = TokenMap::new(bench, path);
    state.layers.push(Layer::Map(Box::new(map)));
}

/// The items of the block under the cursor, while the map is on top.
pub fn targets(state: &State) -> Option<Vec<ItemId>> {
    match state.layers.last() {
        Some(Layer::Map(map)) => Some(map.current().map(MapNode::items).unwrap_or_default()),
        _ => None,
    }
}

/// Runs a command on the map.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    let blocks = view::token_map::blocks(state);
    let Some(Layer::Map(map)) = state.layers.last_mut() else { return };
    let direction = match command {
        Command::Left => Some(Direction::Left),
        Command::Right => Some(Direction::Right),
        Command::Up => Some(Direction::Up),
        Command::Down => Some(Direction::Down),
        _ => None,
    };
    if let Some(direction) = direction {
        if let Some(to) = neighbour(&blocks, map.position(), direction) {
            map.put_cursor(to);
        }
        return;
    }
    match command {
        Command::Top => map.put_cursor(0),
        Command::Bottom => map.put_cursor(map.blocks().len().saturating_sub(1)),
        Command::Open if !map.zoom_in() => {
            let item = map.current().and_then(|block| block.item);
            state.layers.pop();
            if let Some(item) = item {
                review::go_to(state, item, None);
            }
        }
        Command::Back if !map.zoom_out() => drop(state.layers.pop()),
        Command::Map => drop(state.layers.pop()),
        Command::Pin | Command::Demote | Command::Promote | Command::Exclude | Command::Reset => {
            let targets = targets(state).unwrap_or_default();
            overrides::rule_on(state, command, &targets, effects);
        }
        Command::Undo | Command::Redo => undo(state, command, effects),
        Command::BudgetUp | Command::BudgetDown => overrides::budget(state, command, effects),
        Command::LastChange => state.layers.push(Layer::LastChange(Scroll::default())),
        Command::AutoFill => overrides::fill(state, effects),
        _ => {}
    }
}

/// Undoes or redoes a step and puts the cursor on the block that it was about.
fn undo(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = &state.bench else { return };
    let steps = if command == Command::Undo { bench.model.steps() } else { bench.model.undone() };
    let path = steps.last().and_then(|step| step.targets.first().cloned());
    overrides::undo(state, command, effects);
    if let (Some(bench), Some(Layer::Map(map)), Some(path)) = (&state.bench, state.layers.last_mut(), path) {
        map.update(bench);
        map.go_to(&path);
    }
}

/// Puts the cursor on the block at this place; false if there is none.
pub fn click(state: &mut State, column: u16, row: u16) -> bool {
    let at = view::token_map::blocks(state).iter().position(|block| block.contains((column, row).into()));
    let (Some(at), Some(Layer::Map(map))) = (at, state.layers.last_mut()) else { return false };
    map.put_cursor(at);
    true
}
