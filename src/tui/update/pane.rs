//! The right pane with focus: its cursor, ranges of lines, search, and which lines of the file the payload contains.

use super::moving::{moved, shift_pane};
use super::{Effects, overrides, review};
use crate::ids::ItemId;
use crate::place::{PinnedLines, Span};
use crate::project::line_spec::{is_symbol, without};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::pane::{PaneView, matches_in};
use crate::tui::state::Ui;
use crate::tui::state::bench::{Bench, PaneFocus, Zoom};
use crate::tui::state::layer::{Goal, Layer, LinePrompt};

/// Gives focus to the pane. The view of reasons has no lines to choose, so the content is shown instead.
pub fn focus(bench: &mut Bench) {
    if bench.view == PaneView::Why {
        bench.look_at(PaneView::Content);
    }
    // The filter's text is the search text of the pane until the person enters another.
    let sought = bench.filter.texts().last().unwrap_or_default().to_owned();
    bench.focus = Some(PaneFocus { row: bench.pane_scroll, sought, ..PaneFocus::default() });
}

/// Runs a command of the focused pane; returns false for commands of the workbench.
pub fn run(ui: &mut Ui, bench: &mut Bench, command: Command, effects: &mut Effects) -> bool {
    if bench.in_pane().is_none() && needs_text(command) {
        return bench.focus.as_mut().map(|focus| focus.queued.push(command)).is_some();
    }
    let Some(focus) = &bench.focus else { return false };
    let page = layout::pane_rows(ui.size, bench);
    let step = match command {
        Command::PaneDown => Command::HalfDown,
        Command::PaneUp => Command::HalfUp,
        command => command,
    };
    if let Some(to) = moved(step, focus.row, bench.pane_lines(), page) {
        go_to(ui, bench, to);
        return true;
    }
    match command {
        Command::Back => back(ui, bench),
        Command::Open => open(ui, bench, effects),
        Command::Include => include(ui, bench, effects),
        Command::Drop => drop_lines(ui, bench, effects),
        Command::SelectRange => {
            if let Some(focus) = &mut bench.focus {
                focus.range = if focus.range.is_some() { None } else { Some(focus.row) };
            }
        }
        Command::Search => ui.layers.push(Layer::LinePrompt(LinePrompt::of(Goal::Search, &focus.sought.clone()))),
        Command::NextMatch | Command::PreviousMatch => seek(ui, bench, command == Command::NextMatch),
        Command::NextSection | Command::PreviousSection => definition(ui, bench, command == Command::NextSection),
        Command::Left | Command::Right => shift_pane(ui, bench, command == Command::Right),
        _ => return false,
    }
    true
}

/// Returns true if a command needs the pane's text.
fn needs_text(command: Command) -> bool {
    let about_lines = matches!(
        command,
        Command::Open
            | Command::Include
            | Command::Drop
            | Command::SelectRange
            | Command::NextMatch
            | Command::PreviousMatch
            | Command::NextSection
            | Command::PreviousSection
            | Command::PaneDown
            | Command::PaneUp
    );
    about_lines || moved(command, 0, 1, 1).is_some()
}

/// Runs the commands that were typed before the text arrived.
pub fn arrived(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let queued = bench.focus.as_mut().map(|focus| std::mem::take(&mut focus.queued)).unwrap_or_default();
    for command in queued {
        run(ui, bench, command, effects);
    }
}

/// Moves the cursor and keeps it in sight.
fn go_to(ui: &Ui, bench: &mut Bench, row: usize) {
    let (page, count) = (layout::pane_rows(ui.size, bench), bench.pane_lines());
    if let Some(focus) = &mut bench.focus {
        focus.row = row;
        super::moving::keep_in_sight(&mut bench.pane_scroll, row, page, count);
    }
}

/// Handles Esc: ends the range, then the focus.
fn back(ui: &Ui, bench: &mut Bench) {
    let Some(focus) = &mut bench.focus else { return };
    if focus.range.take().is_some() {
        return;
    }
    bench.focus = None;
    let narrow = layout::areas(ui.size, Zoom::Both).pane.height == 0;
    if narrow {
        bench.zoom = Zoom::Both;
    }
}

/// Handles Enter: goes to a neighbour, or includes the lines.
fn open(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let Some(focus) = &bench.focus else { return };
    let link = bench.in_pane().and_then(|shown| shown.lines.get(focus.row)?.link);
    match link {
        Some(item) => review::go_to(bench, item, None),
        None => include(ui, bench, effects),
    }
}

/// The lines that a command applies to.
struct SelectedLines {
    item: ItemId,
    /// A range of lines, or a definition that can be found by its name.
    lines: PinnedLines,
}

impl SelectedLines {
    fn text(&self) -> String {
        let lines = match self.lines.span {
            (first, last) if first == last => format!("line {first}"),
            (first, last) => format!("lines {first}-{last}"),
        };
        self.lines.symbol.as_ref().map_or(lines.clone(), |symbol| format!("{symbol} ({lines})"))
    }
}

/// The selected range, else the innermost definition around the cursor, else the cursor's line.
fn chosen(bench: &Bench) -> Option<SelectedLines> {
    let (focus, shown) = (bench.focus.as_ref()?, bench.in_pane()?);
    let file = bench.model.corpus().file_of(shown.item)?;
    if let Some(from) = focus.range {
        let rows = from.min(focus.row)..=from.max(focus.row);
        let numbers: Vec<usize> = rows.filter_map(|row| shown.number_at(row)).collect();
        let span = (*numbers.iter().min()? as u32, *numbers.iter().max()? as u32);
        return Some(SelectedLines { item: shown.item, lines: PinnedLines::range(span) });
    }
    let line = shown.number_at(focus.row)? as u32;
    let text = bench.model.corpus().item_text(shown.item);
    let outline = file.language.and_then(|language| text.outline(language));
    let around = outline.into_iter().flat_map(|outline| {
        let definitions = outline.definitions.iter().enumerate();
        definitions.filter(|(_, it)| (it.first..=it.last).contains(&line)).map(move |(at, it)| (outline, at, it))
    });
    let lines = match around.min_by_key(|(_, _, it)| it.last - it.first) {
        Some((outline, at, it)) => {
            PinnedLines { span: (it.first, it.last), symbol: outline.unique_name(at).filter(|name| is_symbol(name)) }
        }
        None => PinnedLines::range((line, line)),
    };
    Some(SelectedLines { item: shown.item, lines })
}

/// Includes the chosen lines, or drops them if all are already included.
fn include(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let Some(chosen) = chosen(bench) else { return nothing_here(ui) };
    let shown: Vec<Span> = bench.model.shown_lines(chosen.item);
    if without(&[chosen.lines.span], &shown).is_empty() {
        return drop_lines(ui, bench, effects);
    }
    let said = format!("Included {} of {}", chosen.text(), bench.path(chosen.item));
    let action = bench.model.including(chosen.item, std::slice::from_ref(&chosen.lines));
    end_range(bench);
    overrides::rule_lines(ui, bench, action, chosen.item, &said, effects);
}

/// Drops the chosen lines.
fn drop_lines(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let Some(chosen) = chosen(bench) else { return nothing_here(ui) };
    let said = format!("Dropped {} of {}", chosen.text(), bench.path(chosen.item));
    let action = bench.model.dropping(chosen.item, &[chosen.lines.span]);
    end_range(bench);
    overrides::rule_lines(ui, bench, action, chosen.item, &said, effects);
}

fn end_range(bench: &mut Bench) {
    if let Some(focus) = &mut bench.focus {
        focus.range = None;
    }
}

fn nothing_here(ui: &mut Ui) {
    ui.why_not("Not a line of the file; switch to the content or outline view");
}

/// Moves to the next definition, or the previous one.
fn definition(ui: &mut Ui, bench: &mut Bench, forwards: bool) {
    let target = (|| {
        let (focus, shown) = (bench.focus.as_ref()?, bench.in_pane()?);
        let file = bench.model.corpus().file_of(shown.item)?;
        let text = bench.model.corpus().item_text(shown.item);
        let here = shown.number_at(focus.row).unwrap_or_default();
        let starts = text.outline(file.language?)?.definitions.iter().map(|it| it.first as usize);
        let next = if forwards { starts.filter(|at| *at > here).min() } else { starts.filter(|at| *at < here).max() };
        shown.row_of(next?)
    })();
    match target {
        Some(row) => go_to(ui, bench, row),
        None => ui.why_not(if forwards { "No definition below" } else { "No definition above" }),
    }
}

/// Searches the pane, starting at the cursor.
pub fn search(ui: &mut Ui, bench: &mut Bench, text: String) {
    if let Some(focus) = &mut bench.focus {
        focus.sought = text;
        seek(ui, bench, true);
    }
}

/// Moves to the next match, wrapping around; a capital letter matches case.
fn seek(ui: &mut Ui, bench: &mut Bench, forwards: bool) {
    let (Some(focus), Some(shown)) = (&bench.focus, bench.in_pane()) else { return };
    if focus.sought.is_empty() {
        let search = ui.key_in(Context::Pane, Command::Search);
        return ui.why_not(format!("No search yet; {search} starts one"));
    }
    let matches = |row: &usize| !matches_in(&shown.lines[*row].text(), &focus.sought).is_empty();
    let count = shown.lines.len();
    let step = |by: usize| (focus.row + if forwards { by } else { count - by }) % count;
    let why = format!("No match for {}", focus.sought);
    if let Some(row) = (1..=count).map(step).find(matches) {
        go_to(ui, bench, row);
    } else {
        ui.why_not(why);
    }
}
