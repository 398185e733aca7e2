//! Commands in overlays of the workbench that take no text: payload, map, memos, lists and pages.

use super::requests::requests;
use super::review::{redactions, unfitted};
use super::{Effects, moving, task, token_map, workbench};
use crate::gather::item::ItemKind;
use crate::render::Format;
use crate::text::counted;
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::message::Effect;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::{
    BenchLayer, Confirm, ConfirmedAction, Goal, Layer, LinePrompt, Memos, PayloadOutline, PayloadText,
};
use crate::tui::view::draw::width;
use crate::tui::view::{self, document, last_change};

/// The next state of an overlay after a command.
pub enum OverlayStep {
    Stay,
    Close,
    /// Another overlay opens above it.
    Cover(BenchLayer),
}

/// Runs a command in the topmost overlay.
pub fn run(ui: &mut Ui, bench: &mut Bench, command: Command, effects: &mut Effects) {
    with_top(bench, |bench, layer| handle(ui, bench, layer, command, effects));
}

/// Handles a message in the topmost overlay. During that time the overlay is not in the list, because most actions
/// change the workbench behind it.
pub fn with_top(bench: &mut Bench, act: impl FnOnce(&mut Bench, &mut BenchLayer) -> OverlayStep) {
    let Some(mut layer) = bench.layers.pop() else { return };
    match act(bench, &mut layer) {
        OverlayStep::Stay => bench.layers.push(layer),
        OverlayStep::Close => {}
        OverlayStep::Cover(other) => bench.layers.extend([layer, other]),
    }
}

fn handle(
    ui: &mut Ui,
    bench: &mut Bench,
    layer: &mut BenchLayer,
    command: Command,
    effects: &mut Effects,
) -> OverlayStep {
    if let BenchLayer::Map(map) = layer {
        return token_map::run(ui, bench, map, command, effects);
    }
    if command == Command::Back {
        return OverlayStep::Close;
    }
    let (page, lines) = (layout::overlay_page(ui.size), text_lines(ui, bench, layer));
    if let Some(scroll) = layer.scroll() {
        if command == Command::Open {
            return OverlayStep::Close;
        }
        if let Some(to) = moving::scrolled(command, *scroll, lines, page) {
            *scroll = to;
        }
        return OverlayStep::Stay;
    }
    match layer {
        BenchLayer::Payload(payload) => in_payload(ui, bench, payload, command, effects),
        BenchLayer::Memos(memos) => in_memos(ui, bench, memos, command, effects),
        BenchLayer::Unfitted(cursor) => unfitted(ui, bench, cursor, command),
        BenchLayer::Redactions(layer) => redactions(ui, bench, layer, command, effects),
        BenchLayer::Requests(cursor) => requests(ui, bench, cursor, command, effects),
        BenchLayer::Outline(outline) => in_outline(ui, bench, outline, command),
        _ => OverlayStep::Stay,
    }
}

/// Number of lines of an overlay, if it is a read-only text.
pub fn text_lines(ui: &Ui, bench: &Bench, layer: &BenchLayer) -> usize {
    match layer {
        BenchLayer::LastChange(_) => last_change::lines(ui, bench).len(),
        BenchLayer::Document(open) => document::lines(ui, open).len(),
        _ => 0,
    }
}

fn in_payload(
    ui: &mut Ui,
    bench: &mut Bench,
    payload: &mut PayloadText,
    command: Command,
    effects: &mut Effects,
) -> OverlayStep {
    let page = layout::payload_page(ui.size);
    if let Some(to) = moving::scrolled(command, payload.scroll, payload.starts.len(), page) {
        payload.scroll = to;
        return OverlayStep::Stay;
    }
    match command {
        Command::NextSection => match payload.sections.iter().find(|line| **line > payload.scroll) {
            Some(next) => payload.scroll = *next,
            None => ui.why_not("This is the last section"),
        },
        Command::PreviousSection => match payload.sections.iter().rev().find(|line| **line < payload.scroll) {
            Some(before) => payload.scroll = *before,
            None => ui.why_not("This is the first section"),
        },
        Command::Left | Command::Right => {
            let longest = (payload.scroll..).take(page).map(|at| width(payload.line(at))).max().unwrap_or_default();
            let room = usize::from(view::payload::text_width(ui.size.0, payload));
            let right = command == Command::Right;
            match moving::sideways(right, payload.shift, usize::from(longest), room) {
                Some(shift) => payload.shift = shift,
                None => ui.why_not(moving::no_further(right)),
            }
        }
        Command::Search => ui.layers.push(Layer::LinePrompt(LinePrompt::of(Goal::Search, &payload.sought))),
        Command::NextMatch | Command::PreviousMatch => seek(ui, payload, command == Command::NextMatch),
        Command::Open => return OverlayStep::Close,
        Command::Outline => return OverlayStep::Cover(BenchLayer::Outline(payload.outline())),
        Command::Copy => workbench::copy(ui, bench, effects),
        Command::Write => workbench::write(ui, bench, effects),
        Command::Format => {
            // Line numbers differ between formats.
            (payload.scroll, payload.shift) = (0, 0);
            let mut form = bench.about.form.clone();
            let at = Format::ALL.iter().position(|format| Some(*format) == form.format).unwrap_or_default();
            let next = Format::ALL[(at + 1) % Format::ALL.len()];
            form.format = Some(next);
            ui.good(format!("Format: {}", next.name()));
            task::reshape(ui, bench, Some(form), effects);
        }
        _ => {}
    }
    OverlayStep::Stay
}

/// Goes to the chosen section or file.
fn in_outline(ui: &Ui, bench: &mut Bench, outline: &mut PayloadOutline, command: Command) -> OverlayStep {
    let count = outline.entries.len();
    if let Some(to) = moving::moved(command, outline.cursor, count, layout::overlay_page(ui.size)) {
        outline.cursor = to;
        return OverlayStep::Stay;
    }
    if command != Command::Open {
        return OverlayStep::Stay;
    }
    if let (Some((line, _)), Some(BenchLayer::Payload(payload))) =
        (outline.entries.get(outline.cursor), bench.layers.last_mut())
    {
        (payload.scroll, payload.shift) = (*line, 0);
    }
    OverlayStep::Close
}

/// Searches the payload, starting at the top line on the screen.
pub fn search(ui: &mut Ui, bench: &mut Bench, text: String) {
    if let Some(BenchLayer::Payload(payload)) = bench.layers.last_mut() {
        payload.sought = text;
        seek(ui, payload, true);
    }
}

/// Moves to the next match, wrapping around.
fn seek(ui: &mut Ui, payload: &mut PayloadText, forward: bool) {
    let key = |command: Command| ui.key_in(Context::Payload, command);
    if payload.sought.is_empty() {
        let search = key(Command::Search);
        return ui.why_not(format!("No search yet; {search} starts one"));
    }
    let found = payload.found();
    let after = found.partition_point(|line| *line <= payload.scroll);
    let before = found.partition_point(|line| *line < payload.scroll);
    let at = if forward {
        after % found.len().max(1)
    } else {
        before.checked_sub(1).unwrap_or(found.len().saturating_sub(1))
    };
    let Some(line) = found.get(at).copied() else {
        return ui.why_not(format!("No match for {}", payload.sought));
    };
    payload.scroll = line;
    payload.shift = shift_for(payload, line, usize::from(view::payload::text_width(ui.size.0, payload)));
    let next = key(Command::NextMatch);
    ui.good(format!("Match {} of {}; {next} goes to the next", at + 1, counted(found.len(), "line")));
}

/// Horizontal offset at which the match in this line is visible.
fn shift_for(payload: &PayloadText, line: usize, room: usize) -> usize {
    let line = payload.line(line);
    let Some(found) = payload.found_in(line) else { return payload.shift };
    let (from, to) = (usize::from(width(&line[..found.start])), usize::from(width(&line[..found.end])));
    if to <= room { 0 } else { from.saturating_sub(room / 2) }
}

fn in_memos(ui: &mut Ui, bench: &mut Bench, memos: &mut Memos, command: Command, effects: &mut Effects) -> OverlayStep {
    if let Some(to) = moving::moved(command, memos.cursor, memos.list.len(), layout::overlay_page(ui.size)) {
        memos.cursor = to;
        return OverlayStep::Stay;
    }
    match command {
        Command::Add => ui.layers.push(Layer::LinePrompt(LinePrompt::of(Goal::Memo, ""))),
        Command::Delete => {
            let (number, text) = (memos.cursor + 1, memos.list.get(memos.cursor).cloned().unwrap_or_default());
            ui.layers.push(Layer::Confirm(Confirm {
                title: format!("Delete memo {number}?"),
                consequence: format!("Removes “{text}” from memos.yaml and from every later payload."),
                yes: 'y',
                action: ConfirmedAction::RemoveMemo(number),
            }));
        }
        Command::Edit => effects.push(Effect::EditMemos),
        Command::Open => {
            let label = format!("{}:{}", ItemKind::Memo.name(), memos.cursor + 1);
            match bench.item_at(&label) {
                Some(item) => super::review::go_to(bench, item, None),
                None => ui.why_not(format!("{label} is not in the list")),
            }
            return OverlayStep::Close;
        }
        _ => {}
    }
    OverlayStep::Stay
}
