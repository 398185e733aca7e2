//! The footer: the message or input line, and the available keys.

use ratatui::buffer::Buffer;

use super::CursorAt;
use super::draw::{put, put_all, width, wrap};
use crate::app::backend::TurnMode;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::bench::Zoom;
use crate::tui::state::layer::Layer;
use crate::tui::state::token_map::MapNode;
use crate::tui::state::{Screen, State};
use crate::tui::theme::Role;

const WORKBENCH: &[Command] = &[
    Command::Pin,
    Command::Demote,
    Command::Promote,
    Command::Exclude,
    Command::Undo,
    Command::Select,
    Command::Filter,
    Command::Task,
    Command::Copy,
    Command::Write,
    Command::Preview,
    Command::Map,
    Command::Quit,
    Command::NextView,
    Command::Sort,
    Command::Tree,
    Command::AutoFill,
    Command::BudgetUp,
    Command::Unfitted,
    Command::Redactions,
    Command::Memos,
    Command::Open,
];
/// Zoomed pane: the way back to the list comes first.
const ZOOMED: &[Command] = &[
    Command::Back,
    Command::Down,
    Command::NextView,
    Command::Pin,
    Command::Demote,
    Command::Promote,
    Command::Exclude,
    Command::Undo,
    Command::Preview,
    Command::Copy,
    Command::Write,
    Command::Right,
];
const SESSIONS: &[Command] =
    &[Command::Open, Command::New, Command::Branch, Command::Rename, Command::Delete, Command::Filter, Command::Quit];
const PAYLOAD: &[Command] = &[
    Command::Copy,
    Command::Write,
    Command::NextSection,
    Command::Search,
    Command::Format,
    Command::Right,
    Command::Back,
];
const MAP: &[Command] = &[
    Command::Open,
    Command::Back,
    Command::Pin,
    Command::Demote,
    Command::Promote,
    Command::Exclude,
    Command::Reset,
    Command::Undo,
    Command::BudgetUp,
    Command::Palette,
    Command::Help,
];
const MEMOS: &[Command] = &[Command::Add, Command::Delete, Command::Edit, Command::Back];
const DROPPED: &[Command] = &[Command::Open, Command::Down, Command::Up, Command::Back];
const REDACTIONS: &[Command] = &[Command::Allow, Command::Open, Command::Down, Command::Up, Command::Back];
const HELP: &[Command] = &[Command::Search, Command::Down, Command::Up, Command::HalfDown, Command::Back];
const READING: &[Command] = &[Command::Down, Command::Up, Command::HalfDown, Command::Back];
const SCANNING: &[Command] =
    &[Command::Back, Command::Filter, Command::Pin, Command::Exclude, Command::Undo, Command::Sessions, Command::Quit];
const CLOSED: &[Command] = &[Command::Rescan, Command::Sessions, Command::Quit];
const ANSWERED: &[Command] = &[
    Command::NextTurn,
    Command::UndoAnswer,
    Command::Turn,
    Command::Preview,
    Command::Copy,
    Command::Filter,
    Command::NextView,
    Command::Sessions,
    Command::Quit,
];
const FINISHED: &[Command] = &[
    Command::NextTurn,
    Command::Turn,
    Command::Preview,
    Command::Copy,
    Command::Filter,
    Command::NextView,
    Command::Sessions,
    Command::Quit,
];
const FIRST: &[Command] = &[Command::Open, Command::Quit];

/// A key with its label, and the command that a click on it runs.
struct Hint {
    key: String,
    label: &'static str,
    command: Option<Command>,
}

fn hints(state: &State) -> Vec<Hint> {
    let plain = |pairs: &[(&str, &'static str)]| -> Vec<Hint> {
        pairs.iter().map(|(key, label)| Hint { key: (*key).to_owned(), label, command: None }).collect()
    };
    let commands = match state.layers.last() {
        Some(Layer::Filter(..)) => {
            return plain(&[
                ("Enter", "apply"),
                ("Esc", "cancel"),
                ("text:abc", "content"),
                ("sym:abc", "symbol"),
                ("tier:raw", ""),
                ("score:>6", ""),
                ("is:pinned", ""),
                ("lang:rust", ""),
                ("↑↓", "move"),
            ]);
        }
        Some(Layer::Palette(_)) => return plain(&[("Enter", "run"), ("↑↓", "choose"), ("Esc", "close")]),
        Some(Layer::Help(help)) if help.typing => return plain(&[("Enter", "apply"), ("Esc", "clear")]),
        Some(Layer::Help(_)) => HELP,
        Some(Layer::Ask(_)) => return plain(&[("Enter", "ok"), ("Esc", "cancel")]),
        Some(Layer::Confirm(confirm)) => {
            return vec![
                Hint { key: confirm.yes.to_string(), label: "delete", command: None },
                Hint { key: "Enter".to_owned(), label: "cancel", command: None },
                Hint { key: "Esc".to_owned(), label: "cancel", command: None },
            ];
        }
        Some(Layer::Task(form)) if form.starts_turn() => {
            return plain(&[("Enter", "start"), ("Alt-Enter", "new line"), ("Tab", "field"), ("Esc", "cancel")]);
        }
        Some(Layer::Handoff(_)) => {
            return plain(&[("Esc", "save"), ("Ctrl-e", "$EDITOR"), ("Ctrl-r", "revert")]);
        }
        Some(Layer::Task(_)) => {
            let mut all = plain(&[("Esc", "done")]);
            for command in [Command::NextField, Command::Editor, Command::Revert] {
                all.push(hint(state, command));
            }
            return all;
        }
        Some(Layer::Payload(_)) => PAYLOAD,
        Some(Layer::Map(map)) => {
            let leaves = map.shown().path.is_empty();
            let opens = map.current().is_some_and(MapNode::is_directory);
            let mut all: Vec<Hint> = MAP.iter().map(|command| hint(state, *command)).collect();
            for hint in &mut all {
                match hint.command {
                    Some(Command::Open) => hint.label = if opens { "zoom in" } else { "show in list" },
                    Some(Command::Back) => hint.label = if leaves { "close" } else { "zoom out" },
                    _ => {}
                }
            }
            return all;
        }
        Some(Layer::Memos(layer)) if layer.list.is_empty() => &[Command::Add, Command::Edit, Command::Back],
        Some(Layer::Memos(_)) => MEMOS,
        Some(Layer::Unfitted(_)) => DROPPED,
        Some(Layer::Redactions(layer)) if layer.rows.is_empty() => &[Command::Back],
        Some(Layer::Redactions(_)) => REDACTIONS,
        Some(Layer::Themes(_)) => return plain(&[("↑↓", "preview"), ("Enter", "choose"), ("Esc", "cancel")]),
        Some(Layer::Log(_) | Layer::LastChange(_) | Layer::Document(_)) => READING,
        None => match state.screen {
            Screen::Welcome => FIRST,
            Screen::Sessions if state.sessions.rows.is_empty() => &[Command::New, Command::Quit],
            Screen::Sessions => SESSIONS,
            Screen::Workbench if state.is_scanning() => SCANNING,
            Screen::Workbench if state.bench.is_none() => CLOSED,
            Screen::Workbench if state.bench.as_ref().is_some_and(|bench| bench.zoom == Zoom::Pane) => ZOOMED,
            Screen::Workbench => match state.mode() {
                TurnMode::Open => WORKBENCH,
                TurnMode::Answered => ANSWERED,
                TurnMode::Finished => FINISHED,
            },
        },
    };
    let mut all = Vec::new();
    if state.screen == Screen::Welcome && state.layers.is_empty() {
        let key = state.key_of(Command::Open);
        return vec![
            Hint { key, label: "create and continue", command: Some(Command::Open) },
            hint(state, Command::KeepOut),
            hint(state, Command::Quit),
        ];
    }
    for command in commands {
        all.push(hint(state, *command));
    }
    if state.is_scanning()
        && state.layers.is_empty()
        && let Some(first) = all.first_mut()
    {
        first.label = "cancel";
    }
    all.push(hint(state, Command::Palette));
    all.push(hint(state, Command::Help));
    all
}

fn hint(state: &State, command: Command) -> Hint {
    Hint { key: state.key_of(command), label: command.info().label, command: Some(command) }
}

/// Hints with their positions; help is always included.
fn placed(state: &State) -> Vec<(Hint, u16, u16)> {
    let area = layout::areas(state).footer;
    let rows = area.height.saturating_sub(said(state).len().max(1) as u16).max(1);
    let mut all: Vec<Hint> = hints(state).into_iter().filter(|hint| !hint.key.is_empty()).collect();
    let size = |hint: &Hint| width(&hint.key) + 1 + width(hint.label) + if hint.label.is_empty() { 1 } else { 2 };
    let last = all.pop();
    let reserved = last.as_ref().map_or(0, size);
    let (mut x, mut y, first) = (area.x + 1, 0, area.bottom() - rows);
    let mut out = Vec::new();
    for hint in all {
        let needed = size(&hint) + if y + 1 == rows { reserved } else { 0 };
        if x + needed > area.right() {
            if y + 1 == rows {
                continue;
            }
            (x, y) = (area.x + 1, y + 1);
        }
        let at = x;
        x += size(&hint);
        out.push((hint, at, first + y));
    }
    if let Some(last) = last {
        if x + reserved > area.right() && y + 1 < rows {
            (x, y) = (area.x + 1, y + 1);
        }
        out.push((last, x, first + y));
    }
    out
}

/// The message in one row, or two if the keys leave room. The log has the rest.
fn said(state: &State) -> Vec<String> {
    let area = layout::areas(state).footer;
    let typing = matches!(state.layers.last(), Some(Layer::Filter(..))) || !state.pending.is_empty();
    let Some(notice) = state.notice.as_ref().filter(|_| !typing) else { return Vec::new() };
    let room = area.width.saturating_sub(2);
    let mut lines = wrap(&notice.text, usize::from(room));
    let rows = if area.height > 2 { 2 } else { 1 };
    if lines.len() > rows {
        lines.truncate(rows);
        let dots = format!(" {}", state.theme.glyphs.more);
        let more = format!("{dots} {} shows more", state.key_for(Command::Log));
        if let Some(last) = lines.last_mut() {
            *last = with_more(last, &[&more, &dots], room);
        }
    }
    lines
}

/// The longest prefix of a message at a word boundary, with a note that there is more; a path counts as one word.
fn with_more(line: &str, words: &[&str], room: u16) -> String {
    for more in words {
        let mut kept = line;
        while width(kept) + width(more) > room
            && let Some((before, _)) = kept.rsplit_once(' ')
        {
            kept = before;
        }
        if width(kept) + width(more) <= room {
            return format!("{kept}{more}");
        }
    }
    line.to_owned()
}

/// Draws the footer; returns the cursor position if something is typed there.
pub fn draw(buffer: &mut Buffer, state: &State) -> CursorAt {
    let area = layout::areas(state).footer;
    let style = |role: Role| state.theme.style(role);
    super::draw::blank(buffer, area, &state.theme);
    for (hint, x, y) in placed(state) {
        let room = area.right().saturating_sub(x);
        put_all(
            buffer,
            x,
            y,
            room,
            &[(style(Role::Key), hint.key.as_str()), (style(Role::Text), " "), (style(Role::Dim), hint.label)],
        );
    }
    if matches!(state.layers.last(), Some(Layer::Filter(..))) {
        let (line, filter, matching) = match &state.bench {
            Some(bench) => (&bench.filter_line, &bench.filter, bench.matching),
            None => (&state.scan.filter_line, &state.scan.filter, state.scan.visible.len()),
        };
        let (before, after) = line.split();
        let x = put_all(buffer, area.x, area.y, area.width, &[(style(Role::Key), " /"), (style(Role::Text), before)]);
        let end = put(buffer, x, area.y, area.right().saturating_sub(x), style(Role::Text), after);
        let found = match filter.problems.first() {
            Some(problem) => (Role::Warn, problem.clone()),
            None if state.bench.as_ref().is_some_and(|bench| bench.text_to_search().is_some()) => {
                (Role::Dim, "searching contents …".to_owned())
            }
            None => (Role::Dim, format!("{} match", crate::text::thousands(matching))),
        };
        put(buffer, end + 3, area.y, area.right().saturating_sub(end + 3), style(found.0), &found.1);
        return Some((x.min(area.right().saturating_sub(1)), area.y));
    }
    if !state.pending.is_empty() {
        let keys: Vec<String> = state.pending.iter().map(ToString::to_string).collect();
        put(buffer, area.x + 1, area.y, area.width - 1, style(Role::Key), &format!("{} …", keys.join(" ")));
    } else if let Some(notice) = &state.notice {
        for (row, line) in said(state).iter().enumerate() {
            put(buffer, area.x + 1, area.y + row as u16, area.width.saturating_sub(2), style(notice.role), line);
        }
    }
    None
}

/// Command of the key at this position.
pub fn command_at(state: &State, column: u16, row: u16) -> Option<Command> {
    if layout::too_small(state.size) {
        return None;
    }
    let hit = |(hint, x, y): &(Hint, u16, u16)| {
        *y == row && (*x..*x + width(&hint.key) + 1 + width(hint.label)).contains(&column)
    };
    placed(state).into_iter().find(hit).and_then(|(hint, _, _)| hint.command)
}
