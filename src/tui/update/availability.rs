//! Reasons why commands are unavailable, for the footer and the palette.

use super::{next_turn, requests};
use crate::tui::command::Command;
use crate::tui::state::bench::{BackgroundWork, Bench, Zoom};
use crate::tui::state::layer::BenchLayer;
use crate::tui::state::sessions::Sessions;
use crate::tui::state::token_map::MapNode;
use crate::tui::state::{Screen, State, Ui};

/// Reason why this command is unavailable; `None` if it can run.
pub fn why_not(state: &State, command: Command) -> Option<String> {
    match command {
        Command::Interrupt
        | Command::Suspend
        | Command::Help
        | Command::Palette
        | Command::Theme
        | Command::Log
        | Command::Back
        | Command::Quit => None,
        _ => match &state.screen {
            Screen::Workbench(bench) if state.has_overlay() => {
                let layer = bench.layers.last().filter(|_| state.ui.layers.is_empty());
                // In a read-only turn, the requested lines are pinned for the session.
                if let (Some(BenchLayer::Requests(cursor)), Command::Pin) = (layer, command) {
                    return requests::why_not(bench, *cursor, command);
                }
                next_turn::read_only(&state.ui, bench, command)
                    .or_else(|| in_overlay(&state.ui, bench, layer?, command))
            }
            _ if state.has_overlay() => None,
            _ => on_screen(state, command),
        },
    }
}

fn in_overlay(ui: &Ui, bench: &Bench, layer: &BenchLayer, command: Command) -> Option<String> {
    let no = |text: &str| Some(text.to_owned());
    match (layer, command) {
        (BenchLayer::Redactions(layer), Command::Allow | Command::Open) if layer.rows.is_empty() => {
            no("The list is empty")
        }
        (BenchLayer::Map(_), Command::Undo | Command::Redo | Command::LastChange) => on_bench(ui, bench, command),
        (BenchLayer::Map(map), Command::Reset) => {
            let items = map.current().map(MapNode::items).unwrap_or_default();
            let overridden = |bench: &Bench| {
                items.iter().any(|item| bench.placed(*item).is_some_and(|placed| placed.overridden.is_some()))
            };
            if overridden(bench) { None } else { no("No override to reset") }
        }
        (BenchLayer::Requests(cursor), _) => requests::why_not(bench, *cursor, command),
        (BenchLayer::Unfitted(_), Command::Allow) => no("This list has no secrets"),
        (BenchLayer::Memos(memos), Command::Delete) if memos.list.is_empty() => no("No memo to delete"),
        _ => None,
    }
}

/// Reason why this command is unavailable on the screen behind the overlays.
pub fn on_screen(state: &State, command: Command) -> Option<String> {
    match &state.screen {
        Screen::Welcome(welcome) if command == Command::KeepOut && welcome.keep_out.is_none() => {
            Some("Not a git repository with its own .git directory".to_owned())
        }
        Screen::Welcome(_) => None,
        Screen::Sessions(sessions) => on_sessions(state, sessions, command),
        Screen::Scan(_) | Screen::Workbench(_)
            if matches!(
                command,
                Command::Help
                    | Command::Log
                    | Command::Theme
                    | Command::Back
                    | Command::Quit
                    | Command::Interrupt
                    | Command::Suspend
            ) =>
        {
            None
        }
        // The command runs immediately on the files read so far, or later when they are scored.
        Screen::Scan(scan) if scan.is_running() => None,
        Screen::Scan(_) if matches!(command, Command::Rescan | Command::Sessions) => None,
        Screen::Scan(_) => Some(format!("Nothing is open; {} rescans the project", state.key_for(Command::Rescan))),
        Screen::Workbench(bench) => on_bench(&state.ui, bench, command),
    }
}

fn on_sessions(state: &State, sessions: &Sessions, command: Command) -> Option<String> {
    match command {
        // If there are no sessions, opening starts a new one.
        Command::Open if sessions.rows.is_empty() => None,
        Command::Open | Command::Branch | Command::Rename | Command::Delete if sessions.current().is_none() => {
            Some(if sessions.rows.is_empty() {
                format!("No session yet; {} starts one", state.key_for(Command::New))
            } else {
                "No session matches".to_owned()
            })
        }
        _ => None,
    }
}

fn on_bench(ui: &Ui, bench: &Bench, command: Command) -> Option<String> {
    let no = |text: &str| Some(text.to_owned());
    let key = |command: Command| ui.key_in(bench.context(), command);
    if let Some(why) = next_turn::read_only(ui, bench, command) {
        return Some(why);
    }
    let nothing_selected = bench.rows.is_empty() && bench.selected.is_empty();
    match command {
        Command::Pin | Command::PinFull | Command::Demote | Command::Promote | Command::Exclude | Command::Reset
            if nothing_selected =>
        {
            Some(format!("No item here: The list is empty; {} clears the filter", key(Command::Back)))
        }
        Command::Include | Command::Drop if bench.focus.is_none() => {
            Some(format!("The right pane has no focus; {} gives it focus", key(Command::Open)))
        }
        Command::LastChange if bench.last_change.is_none() => no("Nothing changed yet"),
        Command::Undo if !bench.can_undo() => no("Nothing to undo"),
        Command::Redo if !bench.can_redo() => no("Nothing to redo"),
        Command::Reset
            if bench
                .targets()
                .iter()
                .all(|item| bench.placed(*item).is_none_or(|placed| placed.overridden.is_none())) =>
        {
            no("No override to reset")
        }
        Command::NextMatch | Command::PreviousMatch if bench.focus.is_none() && bench.sought.is_empty() => {
            Some(format!("No filter yet; {} opens one", key(Command::Filter)))
        }
        Command::Fold | Command::Unfold | Command::FoldAll | Command::UnfoldAll
            if !bench.tree && bench.zoom == Zoom::Both =>
        {
            Some(format!("This is a list; {} shows the tree", key(Command::Tree)))
        }
        Command::CopyPath | Command::Edit | Command::Open if bench.rows.is_empty() => {
            Some(format!("The list is empty; {} clears the filter", key(Command::Back)))
        }
        Command::CopyPath | Command::Edit if bench.current().is_none() => no("This is a directory; choose a file"),
        Command::Edit if bench.current().is_some_and(|item| !bench.model.corpus().items[item].kind.is_file()) => {
            no("Only files can be edited")
        }
        Command::CopySelected if bench.selected.is_empty() && bench.range_rows().is_none() => {
            let (mark, range) = (key(Command::Select), key(Command::SelectRange));
            Some(format!("Nothing is selected; {mark} selects an item, {range} a range"))
        }
        Command::Copy | Command::CopySelected if bench.work == Some(BackgroundWork::Copying) => no("Already copying"),
        Command::Write if bench.work == Some(BackgroundWork::Writing) => no("Already writing"),
        Command::Rescan if matches!(bench.work, Some(BackgroundWork::Rescanning(_))) => no("Already rescanning"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::backend::OpenTarget;
    use crate::tui::keymap::Keymap;
    use crate::tui::state::scan::{Scan, ScanList, ScanStatus};
    use crate::tui::theme::Theme;

    #[test]
    fn reasons_name_the_keys_that_the_person_has() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("keymap.yaml"), "sessions:\n  new: [f2]\nworkbench:\n  rescan: []\n").unwrap();
        let (keymap, theme) = (Keymap::load(Some(dir.path())).unwrap(), Theme::load("ansi", false, None).unwrap());
        let mut state = State::new(std::path::Path::new("/shop"), keymap, theme, (100, 30));
        assert_eq!(why_not(&state, Command::Open), None, "one begins");
        let why = why_not(&state, Command::Branch);
        assert_eq!(why.as_deref(), Some("No session yet; F2 starts one"));
        let mut scan = Scan::start(OpenTarget::Named, ScanList::default());
        scan.stop(ScanStatus::Failed);
        state.screen = Screen::Scan(Box::new(scan));
        let why = why_not(&state, Command::Pin);
        assert_eq!(why.as_deref(), Some("Nothing is open; :rescan rescans the project"));
    }
}
