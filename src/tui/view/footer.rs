//! The footer: the message or input line, and the available keys.

use ratatui::buffer::Buffer;

use super::CursorAt;
use super::draw::{put, put_all, width, wrap};
use crate::app::backend::{AgentRow, TurnMode};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::bench::{Bench, Zoom};
use crate::tui::state::layer::{BenchLayer, Layer};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::state::token_map::MapNode;
use crate::tui::state::{Screen, State};
use crate::tui::theme::Role;
use crate::workbench::Filter;

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
/// Commands of the zoomed pane, starting with the way back to the list.
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
/// Right pane with focus.
const PANE: &[Command] = &[
    Command::Back,
    Command::Include,
    Command::SelectRange,
    Command::Drop,
    Command::Pin,
    Command::PinFull,
    Command::Undo,
    Command::Search,
    Command::NextSection,
    Command::NextView,
    Command::Preview,
    Command::Copy,
    Command::Zoom,
];
const SESSIONS: &[Command] = &[
    Command::Open,
    Command::Unfold,
    Command::New,
    Command::Branch,
    Command::Rename,
    Command::Delete,
    Command::Filter,
    Command::Quit,
];
const PAYLOAD: &[Command] = &[
    Command::Copy,
    Command::Write,
    Command::NextSection,
    Command::Outline,
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
const UNFITTED: &[Command] = &[Command::Open, Command::Down, Command::Up, Command::Back];
const REDACTIONS: &[Command] = &[Command::Allow, Command::Open, Command::Down, Command::Up, Command::Back];
const REQUESTS: &[Command] = &[Command::Pin, Command::Open, Command::Down, Command::Up, Command::Back];
const WAITING: &[Command] =
    &[Command::Approve, Command::Deny, Command::Pin, Command::Open, Command::Down, Command::Up, Command::Back];
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
/// Keys and terms while a filter is typed.
const FILTER: &[(&str, &str)] = &[
    ("Enter", "apply"),
    ("Esc", "cancel"),
    ("text:abc", "content"),
    ("sym:abc", "symbol"),
    ("tier:raw", ""),
    ("score:>6", ""),
    ("is:pinned", ""),
    ("lang:rust", ""),
    ("↑↓", "move"),
];

/// A key with its label, and the command that a click on it runs.
struct Hint {
    key: String,
    label: &'static str,
    command: Option<Command>,
}

fn hints(state: &State) -> Vec<Hint> {
    match (state.ui.layers.last(), &state.screen) {
        (Some(layer), _) => in_layer(state, layer),
        (None, Screen::Welcome(_)) => {
            let open = Hint { label: "create and continue", ..hint(state, Command::Open) };
            vec![open, hint(state, Command::KeepOut), hint(state, Command::Quit)]
        }
        (None, Screen::Sessions(sessions)) if sessions.rows.is_empty() => {
            with_help(state, &[Command::New, Command::Quit])
        }
        (None, Screen::Sessions(_)) => with_help(state, SESSIONS),
        (None, Screen::Scan(scan)) if scan.typing.is_some() => plain(FILTER),
        (None, Screen::Scan(scan)) if scan.is_running() => {
            let mut all = with_help(state, SCANNING);
            all[0].label = "cancel";
            all
        }
        (None, Screen::Scan(_)) => with_help(state, CLOSED),
        (None, Screen::Workbench(bench)) => match bench.layers.last() {
            Some(layer) => in_bench_layer(state, layer),
            None => with_help(state, on_bench(bench)),
        },
    }
}

/// Hints for these commands, followed by the palette and help.
fn with_help(state: &State, commands: &[Command]) -> Vec<Hint> {
    commands.iter().chain(&[Command::Palette, Command::Help]).map(|command| hint(state, *command)).collect()
}

fn plain(pairs: &[(&str, &'static str)]) -> Vec<Hint> {
    pairs.iter().map(|(key, label)| Hint { key: (*key).to_owned(), label, command: None }).collect()
}

fn in_layer(state: &State, layer: &Layer) -> Vec<Hint> {
    match layer {
        Layer::Palette(_) => plain(&[("Enter", "run"), ("↑↓", "choose"), ("Esc", "close")]),
        Layer::Help(help) if help.typing => plain(&[("Enter", "apply"), ("Esc", "clear")]),
        Layer::Help(_) => with_help(state, HELP),
        Layer::LinePrompt(_) => plain(&[("Enter", "ok"), ("Esc", "cancel")]),
        Layer::Confirm(confirm) => {
            let label = confirm.action.label();
            plain(&[(&confirm.yes.to_string(), label), ("Enter", "cancel"), ("Esc", "cancel")])
        }
        Layer::Form(_) => plain(&[("Enter", "start"), ("Alt-Enter", "new line"), ("Tab", "field"), ("Esc", "cancel")]),
        Layer::Themes(_) => plain(&[("↑↓", "preview"), ("Enter", "choose"), ("Esc", "cancel")]),
        Layer::Log(_) => with_help(state, READING),
    }
}

fn in_bench_layer(state: &State, layer: &BenchLayer) -> Vec<Hint> {
    match layer {
        BenchLayer::Filter(_) => plain(FILTER),
        BenchLayer::Handoff(_) => plain(&[("Esc", "save"), ("Ctrl-e", "$EDITOR"), ("Ctrl-r", "revert")]),
        BenchLayer::Task(_) => {
            let keys = [Command::NextField, Command::Editor, Command::Revert].map(|command| hint(state, command));
            plain(&[("Esc", "done")]).into_iter().chain(keys).collect()
        }
        BenchLayer::Payload(_) => with_help(state, PAYLOAD),
        BenchLayer::Map(map) => {
            let mut all: Vec<Hint> = MAP.iter().map(|command| hint(state, *command)).collect();
            let at_top = map.shown().path.is_empty();
            let opens = map.current().is_some_and(MapNode::is_directory);
            for hint in &mut all {
                match hint.command {
                    Some(Command::Open) => hint.label = if opens { "zoom in" } else { "show in list" },
                    Some(Command::Back) => hint.label = if at_top { "close" } else { "zoom out" },
                    _ => {}
                }
            }
            all
        }
        BenchLayer::Memos(layer) if layer.list.is_empty() => {
            with_help(state, &[Command::Add, Command::Edit, Command::Back])
        }
        BenchLayer::Memos(_) => with_help(state, MEMOS),
        BenchLayer::Unfitted(_) | BenchLayer::Outline(_) => with_help(state, UNFITTED),
        BenchLayer::Redactions(layer) if layer.rows.is_empty() => with_help(state, &[Command::Back]),
        BenchLayer::Redactions(_) => with_help(state, REDACTIONS),
        BenchLayer::Requests(_) => {
            let requests = state.bench().and_then(|bench| bench.requests.as_ref());
            let answering = requests.is_some_and(|rows| rows.iter().any(AgentRow::waits));
            with_help(state, if answering { WAITING } else { REQUESTS })
        }
        BenchLayer::LastChange(_) | BenchLayer::Document(_) => with_help(state, READING),
    }
}

fn on_bench(bench: &Bench) -> &'static [Command] {
    match bench.about.mode {
        _ if bench.focus.is_some() => PANE,
        _ if bench.zoom == Zoom::Pane => ZOOMED,
        TurnMode::Open => WORKBENCH,
        TurnMode::Answered => ANSWERED,
        TurnMode::Finished => FINISHED,
    }
}

fn hint(state: &State, command: Command) -> Hint {
    Hint { key: state.key_of(command), label: command.info().label, command: Some(command) }
}

/// Hints with their positions; help is always included.
fn placed(state: &State) -> Vec<(Hint, u16, u16)> {
    let area = layout::footer(state.ui.size);
    let rows = area.height.saturating_sub(notice_lines(state).len().max(1) as u16).max(1);
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

/// The message in one row, or in two if the keys leave room. The message log shows the rest.
fn notice_lines(state: &State) -> Vec<String> {
    let area = layout::footer(state.ui.size);
    let typing = typed_filter(state).is_some() || !state.ui.pending.is_empty();
    let Some(notice) = state.ui.notice.as_ref().filter(|_| !typing) else { return Vec::new() };
    let room = area.width.saturating_sub(2);
    let mut lines = wrap(&notice.text, usize::from(room));
    let rows = if area.height > 2 { 2 } else { 1 };
    if lines.len() > rows {
        lines.truncate(rows);
        let dots = format!(" {}", state.ui.theme.glyphs.more);
        let more = format!("{dots} {} shows more", state.key_for(Command::Log));
        if let Some(last) = lines.last_mut() {
            *last = with_more(last, &[&more, &dots], room);
        }
    }
    lines
}

/// The longest prefix of a message that ends at a word boundary, with a note that there is more. A path counts as one
/// word.
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

/// The filter that is being typed.
struct TypedFilter<'a> {
    line: &'a LineEdit,
    filter: &'a Filter,
    matching: usize,
    /// True while contents are being searched.
    searching: bool,
}

fn typed_filter(state: &State) -> Option<TypedFilter<'_>> {
    match &state.screen {
        _ if !state.ui.layers.is_empty() => None,
        Screen::Scan(scan) => scan.typing.as_ref().map(|_| TypedFilter {
            line: &scan.list.filter_line,
            filter: &scan.list.filter,
            matching: scan.list.visible.len(),
            searching: false,
        }),
        Screen::Workbench(bench) if matches!(bench.layers.last(), Some(BenchLayer::Filter(_))) => Some(TypedFilter {
            line: &bench.filter_line,
            filter: &bench.filter,
            matching: bench.matching,
            searching: bench.text_to_search().is_some(),
        }),
        _ => None,
    }
}

/// Draws the footer; returns the cursor position if text is typed there.
pub fn draw(buffer: &mut Buffer, state: &State) -> CursorAt {
    let area = layout::footer(state.ui.size);
    let style = |role: Role| state.ui.theme.style(role);
    super::draw::blank(buffer, area, &state.ui.theme);
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
    if let Some(TypedFilter { line, filter, matching, searching }) = typed_filter(state) {
        let (before, after) = line.split();
        let x = put_all(buffer, area.x, area.y, area.width, &[(style(Role::Key), " /"), (style(Role::Text), before)]);
        let end = put(buffer, x, area.y, area.right().saturating_sub(x), style(Role::Text), after);
        let found = match filter.problems.first() {
            Some(problem) => (Role::Warn, problem.clone()),
            None if searching => (Role::Dim, "searching contents …".to_owned()),
            None => (Role::Dim, format!("{} match", crate::text::thousands(matching))),
        };
        put(buffer, end + 3, area.y, area.right().saturating_sub(end + 3), style(found.0), &found.1);
        return Some((x.min(area.right().saturating_sub(1)), area.y));
    }
    if !state.ui.pending.is_empty() {
        let keys: Vec<String> = state.ui.pending.iter().map(ToString::to_string).collect();
        put(buffer, area.x + 1, area.y, area.width - 1, style(Role::Key), &format!("{} …", keys.join(" ")));
    } else if let Some(notice) = &state.ui.notice {
        for (row, line) in notice_lines(state).iter().enumerate() {
            put(buffer, area.x + 1, area.y + row as u16, area.width.saturating_sub(2), style(notice.role), line);
        }
    }
    None
}

/// Command of the key at this position.
pub fn command_at(state: &State, column: u16, row: u16) -> Option<Command> {
    if layout::too_small(state.ui.size) {
        return None;
    }
    let hit = |(hint, x, y): &(Hint, u16, u16)| {
        *y == row && (*x..*x + width(&hint.key) + 1 + width(hint.label)).contains(&column)
    };
    placed(state).into_iter().find(hit).and_then(|(hint, _, _)| hint.command)
}
