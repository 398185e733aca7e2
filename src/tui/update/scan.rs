//! Keys during a scan. Some commands run immediately; the others wait until the items are scored.

use crossterm::event::{KeyCode, KeyEvent};

use super::{Effects, cancel, moving, overrides, press, run as run_command};
use crate::app::backend::Progress;
use crate::text::counted;
use crate::tui::command::{Command, Context};
use crate::tui::keymap::{Key, KeyMatch};
use crate::tui::layout;
use crate::tui::state::bench::{Bench, Zoom};
use crate::tui::state::layer::{BenchLayer, FilterEdit};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::state::rows::{RowKey, RowPath};
use crate::tui::state::scan::{QueuedInput, Scan, ScanStatus};
use crate::tui::state::{ScanStage, Screen, State, Ui};

/// Handles the progress of the scan.
pub fn progress(scan: &mut Scan, progress: Progress) {
    let ScanStatus::Running(stage) = &mut scan.status else { return };
    let files = stage.map_or(0, ScanStage::files);
    match progress {
        Progress::Looking(glance) => scan.list.glance = Some(glance),
        Progress::Found(found) => {
            *stage = Some(ScanStage::Reading(files + found.len()));
            scan.list.add(found);
        }
        Progress::Scoring => {
            *stage = Some(ScanStage::Scoring(files));
            scan.list.show_all();
        }
    }
}

/// Queues a key behind keys that already wait, to keep their order; returns true if it did.
pub fn queue_key(ui: &mut Ui, scan: &mut Scan, event: KeyEvent) -> bool {
    if scan.waiting.is_empty() || event.code == KeyCode::Esc {
        return false;
    }
    // After one of these commands, letters are typed text.
    let letters = [Command::Task, Command::Memos, Command::Palette, Command::Filter];
    let typing = scan.waiting.iter().any(|waiting| match waiting {
        QueuedInput::Command(command) => letters.contains(command),
        _ => false,
    });
    let waiting = match ui.keymap.meaning(Context::Workbench.stack(), &[Key::from(event)]) {
        KeyMatch::Complete(Command::Quit) if !typing => return false,
        KeyMatch::Complete(command) if !typing => QueuedInput::Command(command),
        _ => QueuedInput::Key(event),
    };
    scan.waiting.push(waiting);
    say_waiting(ui, scan);
    true
}

/// Queues pasted text behind waiting keys.
pub fn queue_paste(scan: &mut Scan, text: &str) -> bool {
    let waits = !scan.waiting.is_empty();
    if waits {
        scan.waiting.push(QueuedInput::Paste(text.to_owned()));
    }
    waits
}

fn say_waiting(ui: &mut Ui, scan: &Scan) {
    let named = scan.waiting.iter().find_map(|waiting| match waiting {
        QueuedInput::Command(command) => Some(command.info().label),
        _ => None,
    });
    let rest = scan.waiting.len() - 1;
    let what = named.unwrap_or("it");
    ui.why_not(match rest {
        0 => format!("{what} will run once the items are scored"),
        1 => format!("{what} and 1 more key will run once the items are scored"),
        rest => format!("{what} and {rest} more keys will run once the items are scored"),
    });
}

/// Runs a command during the scan, or queues it.
pub fn run(ui: &mut Ui, scan: &mut Scan, command: Command, effects: &mut Effects) {
    let list = &mut scan.list;
    let page = layout::list_page(ui.size, Zoom::Both);
    if let Some(to) = moving::moved(command, list.cursor, list.visible.len(), page) {
        return list.go_to(to);
    }
    match command {
        Command::Back => back(ui, scan, effects),
        Command::Filter => {
            let before = list.filter_line.text().to_owned();
            let spot = list.current().map(|path| RowPath::Item(path.to_owned()));
            scan.typing = Some(FilterEdit { before, spot });
        }
        Command::Pin | Command::Demote | Command::Promote | Command::Exclude | Command::Reset => {
            let Some(path) = list.current().map(ToOwned::to_owned) else {
                return ui.why_not("No file yet");
            };
            list.moved = true;
            list.overrides.push((command, path.clone()));
            ui.good(format!("Will {} {path} once it is scored", command.info().label));
        }
        Command::Undo => match list.overrides.pop() {
            Some((overridden, path)) => ui.good(format!("Undone: {} {path}", overridden.info().label)),
            None => ui.why_not("Nothing to undo"),
        },
        _ => {
            scan.waiting.push(QueuedInput::Command(command));
            say_waiting(ui, scan);
        }
    }
}

/// Handles a key while the filter is typed.
pub fn filter(scan: &mut Scan, event: KeyEvent) {
    let Scan { list, typing, .. } = scan;
    match event.code {
        KeyCode::Enter => *typing = None,
        KeyCode::Esc => {
            let before = typing.take().map(|edit| edit.before).unwrap_or_default();
            list.filter_line = LineEdit::new(&before);
            list.refilter();
        }
        KeyCode::Down => list.go_to(list.cursor + 1),
        KeyCode::Up => list.go_to(list.cursor.saturating_sub(1)),
        _ => {
            if list.filter_line.key(event) {
                list.refilter();
            }
        }
    }
}

/// Handles Esc: clears the filter, or else cancels the scan.
fn back(ui: &mut Ui, scan: &mut Scan, effects: &mut Effects) {
    if scan.waiting.is_empty() && !scan.list.filter_line.text().is_empty() {
        scan.list.filter_line = LineEdit::default();
        scan.list.refilter();
        return;
    }
    let files = match scan.status {
        ScanStatus::Running(stage) => stage.map_or(0, ScanStage::files),
        ScanStatus::Cancelled | ScanStatus::Failed => 0,
    };
    let dropped = match scan.waiting.len() {
        0 => String::new(),
        dropped => format!(" ({dropped} typed keys dropped)"),
    };
    scan.stop(ScanStatus::Cancelled);
    let key = |command: Command| ui.key_in(Context::Workbench, command);
    let (again, quit) = (key(Command::Rescan), key(Command::Quit));
    let read = counted(files, "file");
    ui.why_not(format!("Scan cancelled after {read}{dropped}; {again} rescans, {quit} quits"));
    cancel(ui, effects);
}

/// Continues with the scored list: keeps the cursor, and applies pending overrides and queued keys.
pub fn finish(state: &mut State, mut bench: Bench, effects: &mut Effects) {
    let Screen::Scan(scan) = &mut state.screen else { return };
    let (list, typing) = (std::mem::take(&mut scan.list), scan.typing.take());
    let waiting = std::mem::take(&mut scan.waiting);
    if list.filtered {
        bench.filter_line.clone_from(&list.filter_line);
        super::text::refilter(&mut bench);
    }
    if let Some(item) = list.current().filter(|_| list.moved).and_then(|path| bench.item_at(path))
        && bench.go_to(&RowKey::Item(item))
    {
        // The item stays at the same position on the screen.
        bench.offset = bench.cursor.saturating_sub(list.cursor.saturating_sub(list.offset));
    }
    bench.layers.extend(typing.map(BenchLayer::Filter));
    for (command, path) in list.overrides {
        overrides::rule_path(&mut state.ui, &mut bench, command, &path, effects);
    }
    state.screen = Screen::Workbench(Box::new(bench));
    for waiting in waiting {
        match waiting {
            QueuedInput::Key(key) => press(state, key, effects),
            QueuedInput::Command(command) => run_command(state, command, effects),
            QueuedInput::Paste(text) => super::text::paste(state, &text, effects),
        }
    }
}
