//! Why a command cannot run now, for the footer and the palette.

use crate::tui::command::Command;
use crate::tui::state::bench::Zoom;
use crate::tui::state::layer::Layer;
use crate::tui::state::{Screen, State, Work};

/// The reason why this command can do nothing now; `None` if it can.
pub fn why_not(state: &State, command: Command) -> Option<String> {
    let no = |text: &str| Some(text.to_owned());
    match command {
        Command::Interrupt
        | Command::Suspend
        | Command::Help
        | Command::Palette
        | Command::Log
        | Command::Back
        | Command::Quit => {
            return None;
        }
        _ => {}
    }
    if !state.layers.is_empty() {
        return match (state.layers.last(), command) {
            (Some(Layer::Redactions(layer)), Command::Allow | Command::Open) if layer.rows.is_empty() => {
                no("nothing is in the list")
            }
            (Some(Layer::Dropped(_)), Command::Allow) => no("this is about room, not about secrets"),
            (Some(Layer::Memos(memos)), Command::Delete) if memos.list.is_empty() => no("there is no memo to delete"),
            _ => None,
        };
    }
    on_screen(state, command)
}

/// The reason why this command can do nothing on the screen behind the overlays.
pub fn on_screen(state: &State, command: Command) -> Option<String> {
    match state.screen {
        Screen::First | Screen::Planned => None,
        Screen::Sessions => match command {
            // Where there is none to open, one begins.
            Command::Open if state.sessions.rows.is_empty() => None,
            Command::Open | Command::Branch | Command::Rename | Command::Delete
                if state.sessions.current().is_none() =>
            {
                Some(if state.sessions.rows.is_empty() {
                    format!("there are no sessions yet; {} starts one", state.key_for(Command::New))
                } else {
                    "no session matches".to_owned()
                })
            }
            _ => None,
        },
        Screen::Workbench => match command {
            Command::Help | Command::Log | Command::Back | Command::Quit | Command::Interrupt | Command::Suspend => {
                None
            }
            _ => workbench(state, command),
        },
    }
}

fn workbench(state: &State, command: Command) -> Option<String> {
    let no = |text: &str| Some(text.to_owned());
    let key = |command: Command| state.key_for(command);
    let Some(bench) = &state.bench else {
        return match command {
            Command::Rescan if state.work.is_none() => None,
            Command::Sessions => None,
            // Done at once on the files read so far, or as soon as they are scored.
            _ if state.is_arriving() => None,
            _ => Some(format!("nothing is open; {} reads the project again", key(Command::Rescan))),
        };
    };
    let nothing_selected = bench.rows.is_empty() && bench.marks.is_empty();
    match command {
        Command::Pin | Command::Demote | Command::Promote | Command::Exclude | Command::Clear if nothing_selected => {
            Some(format!("no item is selected: the list is empty; {} clears the filter", key(Command::Back)))
        }
        Command::Undo if bench.model.steps().is_empty() => no("there is nothing to undo"),
        Command::Redo if bench.model.undone().is_empty() => no("there is nothing to do again"),
        Command::Clear
            if bench
                .targets()
                .iter()
                .all(|item| bench.placed(*item).is_none_or(|placed| placed.overridden.is_none())) =>
        {
            no("there is no ruling on it")
        }
        Command::NextMatch | Command::PreviousMatch if bench.sought.is_empty() => {
            Some(format!("nothing was filtered for yet; {} types a filter", key(Command::Filter)))
        }
        Command::Fold | Command::Unfold if !bench.tree && bench.zoom == Zoom::Both => {
            Some(format!("the list is flat; {} shows the tree", key(Command::Tree)))
        }
        Command::CopyPath | Command::Edit | Command::Open if bench.rows.is_empty() => {
            Some(format!("the list is empty; {} clears the filter", key(Command::Back)))
        }
        Command::CopyPath | Command::Edit if bench.current().is_none() => no("this is a directory; go to a file"),
        Command::Edit if bench.current().is_some_and(|item| !bench.model.corpus().items[item].kind.is_file()) => {
            no("this is not a file that could be edited")
        }
        Command::CopyMarked if bench.marks.is_empty() && bench.range_rows().is_none() => {
            let (mark, range) = (key(Command::Mark), key(Command::Range));
            Some(format!("nothing is marked; {mark} marks an item, {range} a range"))
        }
        Command::Copy | Command::CopyMarked if state.work == Some(Work::Copying) => no("a copy is on its way"),
        Command::Write if state.work == Some(Work::Writing) => no("it is being written"),
        Command::Rescan if matches!(state.work, Some(Work::Rescanning(_))) => {
            no("the project is being read again already")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keymap::Keymap;
    use crate::tui::theme::Theme;

    #[test]
    fn reasons_name_the_keys_that_the_person_has() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("keymap.yaml"), "sessions:\n  new: [f2]\nworkbench:\n  rescan: []\n").unwrap();
        let (keymap, theme) = (Keymap::load(Some(dir.path())).unwrap(), Theme::load("ansi", false, None).unwrap());
        let mut state = State::new(std::path::Path::new("/shop"), keymap, theme, (100, 30));
        assert_eq!(why_not(&state, Command::Open), None, "one begins");
        let why = why_not(&state, Command::Branch);
        assert_eq!(why.as_deref(), Some("there are no sessions yet; F2 starts one"));
        state.screen = Screen::Workbench;
        let why = why_not(&state, Command::Pin);
        assert_eq!(why.as_deref(), Some("nothing is open; :rescan reads the project again"));
    }
}
