//! Commands on the token map: moving between blocks, zoom, and overrides of the block under the cursor.

use super::overlays::OverlayStep;
use super::{Effects, overrides, review};
use crate::tui::command::Command;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::{BenchLayer, Scroll};
use crate::tui::state::token_map::{MapNode, TokenMap};
use crate::tui::treemap::{Direction, neighbour};
use crate::tui::view;

/// Opens the map with the cursor on the block of the current item.
pub fn open(bench: &mut Bench) {
    let path = bench.current().map(|item| bench.model.corpus().items[item].path.as_str());
    let map = TokenMap::new(&bench.model, bench.version, path);
    bench.layers.push(BenchLayer::Map(Box::new(map)));
}

/// Runs a command on the map.
pub fn run(ui: &mut Ui, bench: &mut Bench, map: &mut TokenMap, command: Command, effects: &mut Effects) -> OverlayStep {
    let direction = match command {
        Command::Left => Some(Direction::Left),
        Command::Right => Some(Direction::Right),
        Command::Up => Some(Direction::Up),
        Command::Down => Some(Direction::Down),
        _ => None,
    };
    if let Some(direction) = direction {
        let blocks = view::token_map::blocks(ui.size, map);
        if let Some(to) = neighbour(&blocks, map.position(), direction) {
            map.put_cursor(to);
        }
        return OverlayStep::Stay;
    }
    match command {
        Command::Top => map.put_cursor(0),
        Command::Bottom => map.put_cursor(map.blocks().len().saturating_sub(1)),
        Command::Open if !map.zoom_in() => {
            if let Some(item) = map.current().and_then(|block| block.item) {
                review::go_to(bench, item, None);
            }
            return OverlayStep::Close;
        }
        Command::Back if !map.zoom_out() => return OverlayStep::Close,
        Command::Map => return OverlayStep::Close,
        Command::Pin | Command::PinFull | Command::Demote | Command::Promote | Command::Exclude | Command::Reset => {
            let targets = map.current().map(MapNode::items).unwrap_or_default();
            overrides::rule_on(ui, bench, command, &targets, effects);
        }
        Command::Undo | Command::Redo => undo(ui, bench, map, command, effects),
        Command::BudgetUp | Command::BudgetDown => overrides::budget(ui, bench, command, effects),
        Command::LastChange => return OverlayStep::Cover(BenchLayer::LastChange(Scroll::default())),
        Command::AutoFill => overrides::fill(ui, bench, effects),
        _ => {}
    }
    OverlayStep::Stay
}

/// Undoes or redoes a step, and moves the cursor to the block that it affected.
fn undo(ui: &mut Ui, bench: &mut Bench, map: &mut TokenMap, command: Command, effects: &mut Effects) {
    let steps = if command == Command::Undo { bench.model.steps() } else { bench.model.undone() };
    let path = steps
        .last()
        .and_then(|step| step.targets.first())
        .and_then(|target| bench.target(target))
        .map(|item| bench.path(item).to_owned());
    overrides::undo(ui, bench, command, effects);
    if let Some(path) = path {
        map.update(&bench.model, bench.version);
        map.go_to(&path);
    }
}

/// Moves the cursor to the block at this position; returns false if there is none.
pub fn click(ui: &Ui, map: &mut TokenMap, column: u16, row: u16) -> bool {
    let at = view::token_map::blocks(ui.size, map).iter().position(|block| block.contains((column, row).into()));
    if let Some(at) = at {
        map.put_cursor(at);
    }
    at.is_some()
}
