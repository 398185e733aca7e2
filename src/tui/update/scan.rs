//! Keys during a scan: they run at once if possible; the others wait for the scored list.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::{Effects, moving, overrides, press, run};
use crate::gather::progress::ScannedFile;
use crate::score::QuickScorer;
use crate::tui::command::{Command, Context};
use crate::tui::keymap::{Key, Meaning};
use crate::tui::layout;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::Layer;
use crate::tui::state::line_edit::LineEdit;
use crate::tui::state::rows::{RowKey, Spot};
use crate::tui::state::scan::{ScanList, Waiting};
use crate::tui::state::{Stage, State, Work};

/// The list during a scan.
pub fn list(state: &mut State) -> Option<&mut ScanList> {
    if state.is_scanning() { Some(&mut state.scan) } else { None }
}

/// Starts quick scoring of files as they arrive.
pub fn look(state: &mut State, glance: Arc<QuickScorer>) {
    if let Some(arriving) = list(state) {
        arriving.glance = Some(glance);
    }
}

/// Adds files that were just read.
pub fn found(state: &mut State, files: Vec<ScannedFile>) {
    if let Some(arriving) = list(state) {
        arriving.add(files);
    }
}

/// All files are read; scoring starts.
pub fn all_read(state: &mut State) {
    if let Some(arriving) = list(state) {
        arriving.show_all();
    }
}

/// Queues a key behind those already waiting, to keep their order; returns true if it did.
pub fn queue_key(state: &mut State, event: KeyEvent) -> bool {
    if !state.is_scanning() || state.scan.waiting.is_empty() || event.code == KeyCode::Esc {
        return false;
    }
    // After one of these, letters are text.
    let letters = [Command::Task, Command::Memos, Command::Palette, Command::Filter];
    let typing = state.scan.waiting.iter().any(|waiting| match waiting {
        Waiting::Command(command) => letters.contains(command),
        _ => false,
    });
    let contexts = [Context::Workbench, Context::Move, Context::Everywhere];
    let waiting = match state.keymap.meaning(&contexts, &[Key::from(event)]) {
        Meaning::Is(Command::Quit) if !typing => return false,
        Meaning::Is(command) if !typing => Waiting::Command(command),
        _ => Waiting::Key(event),
    };
    state.scan.waiting.push(waiting);
    say_waiting(state);
    true
}

/// Queues pasted text behind waiting keys.
pub fn queue_paste(state: &mut State, text: &str) -> bool {
    let waits = state.is_scanning() && !state.scan.waiting.is_empty();
    if waits {
        state.scan.waiting.push(Waiting::Paste(text.to_owned()));
    }
    waits
}

fn say_waiting(state: &mut State) {
    let named = state.scan.waiting.iter().find_map(|waiting| match waiting {
        Waiting::Command(command) => Some(command.info().label),
        _ => None,
    });
    let rest = state.scan.waiting.len() - 1;
    let what = named.unwrap_or("it");
    state.why_not(match rest {
        0 => format!("{what} will run once the items are scored"),
        1 => format!("{what} and 1 more key will run once the items are scored"),
        rest => format!("{what} and {rest} more keys will run once the items are scored"),
    });
}

/// Runs a command during the scan, or queues it.
pub fn command(state: &mut State, command: Command) {
    let page = layout::page(state);
    let arriving = &mut state.scan;
    if let Some(to) = moving::moved(command, arriving.cursor, arriving.visible.len(), page) {
        return arriving.go_to(to);
    }
    match command {
        Command::Filter => {
            let before = arriving.filter_line.text().to_owned();
            let spot = arriving.current().map(|path| Spot::Item(path.to_owned()));
            state.layers.push(Layer::Filter(before, spot));
        }
        Command::Pin | Command::Demote | Command::Promote | Command::Exclude | Command::Reset => {
            let Some(path) = arriving.current().map(ToOwned::to_owned) else {
                return state.why_not("No file yet");
            };
            arriving.moved = true;
            arriving.overrides.push((command, path.clone()));
            state.good(format!("Will {} {path} once it is scored", command.info().label));
        }
        Command::Undo => match arriving.overrides.pop() {
            Some((overridden, path)) => state.good(format!("Undone: {} {path}", overridden.info().label)),
            None => state.why_not("Nothing to undo"),
        },
        _ => {
            arriving.waiting.push(Waiting::Command(command));
            say_waiting(state);
        }
    }
}

/// Esc: clears the filter first, then cancels the scan. Returns true if it did either.
pub fn back(state: &mut State) -> bool {
    match list(state) {
        Some(arriving) if arriving.waiting.is_empty() && !arriving.filter_line.text().is_empty() => {
            arriving.filter_line = LineEdit::default();
            arriving.refilter();
            true
        }
        _ => false,
    }
}

/// The scored list takes over the cursor, and applies pending overrides and queued keys.
pub fn finish(state: &mut State, mut bench: Bench, effects: &mut Effects) {
    let arriving = std::mem::take(&mut state.scan);
    if arriving.filtered {
        bench.filter_line.clone_from(&arriving.filter_line);
        super::text::refilter(&mut bench);
    }
    if let Some(item) = arriving.current().filter(|_| arriving.moved).and_then(|path| bench.item_at(path))
        && bench.go_to(&RowKey::Item(item))
    {
        // At the same position on the screen, so that it is easy to find.
        bench.offset = bench.cursor.saturating_sub(arriving.cursor.saturating_sub(arriving.offset));
    }
    state.bench = Some(bench);
    for (command, path) in arriving.overrides {
        overrides::rule_path(state, command, &path, effects);
    }
    for waiting in arriving.waiting {
        match waiting {
            Waiting::Key(key) => press(state, key, effects),
            Waiting::Command(command) => run(state, command, effects),
            Waiting::Paste(text) => super::text::paste(state, &text, effects),
        }
    }
}

/// After a cancelled scan, queued input is dropped, and a message says so.
pub fn cancelled(state: &mut State) {
    let files = match state.work {
        Some(Work::Scanning(reached)) => reached.map_or(0, Stage::files),
        _ => 0,
    };
    let dropped = state.scan.waiting.len();
    state.scan.restart();
    state.scan.cancelled = true;
    let (again, quit) = (state.key_of(Command::Rescan), state.key_of(Command::Quit));
    let read = crate::text::counted(files, "file");
    let dropped = if dropped == 0 { String::new() } else { format!(" ({dropped} typed keys dropped)") };
    state.why_not(format!("Scan cancelled after {read}{dropped}; {again} rescans, {quit} quits"));
}
