//! `update` handles a message: it changes the state and returns effects. Pure: no files, no terminal, no clock.

pub mod availability;
mod documents;
mod form;
mod handoff;
pub mod impact;
mod job_results;
mod layers;
mod mouse;
mod moving;
mod next_turn;
mod overlays;
mod overrides;
mod pane;
pub mod requests;
mod review;
mod scan;
mod sessions;
mod task;
mod text;
mod theme;
mod token_map;
mod tour;
mod workbench;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::command::{Command, Context};
use super::keymap::{Key, KeyMatch};
use super::layout;
use super::message::{Effect, Effects, Job, JobKind, Message, PreviewVerb};
use super::state::bench::Bench;
use super::state::layer::{BenchLayer, Help, Layer, Palette, PayloadText, Scroll};
use super::state::rows::RowKey;
use super::state::scan::{Scan, ScanList};
use super::state::token_map::MapNode;
use super::state::tour::Tour;
use super::state::{Screen, State, Ui, Welcome};
use crate::app::backend::{OpenTarget, ProjectFacts, Request, TurnMode, TurnRequest};
use crate::ids::ItemId;
use crate::place::Tier;
use crate::workbench::Action;

/// Starts the screen. The first frame needs no data; requested data arrives later.
pub fn start(state: &mut State, entry: Option<OpenTarget>, facts: ProjectFacts) -> Effects {
    let mut effects = Effects::new();
    let ProjectFacts { to_be_made, can_keep_out_of_git, .. } = facts;
    if to_be_made.is_empty() {
        begin(state, entry, &mut effects);
    } else {
        let keep_out = can_keep_out_of_git.then_some(false);
        state.screen = Screen::Welcome(Welcome { to_be_made, keep_out, entry });
    }
    effects
}

/// Opens the entry, or the list of sessions.
fn begin(state: &mut State, entry: Option<OpenTarget>, effects: &mut Effects) {
    match entry {
        Some(OpenTarget::Tour) => {
            state.ui.tour = Some(Tour::default());
            return open(state, OpenTarget::Named, effects);
        }
        Some(OpenTarget::Form) => form::ask_task(&mut state.ui, &TurnRequest::default()),
        Some(entry) => return open(state, entry, effects),
        None => {}
    }
    show_sessions(state, effects);
}

/// Opens a turn; the screen shows files as they are read.
fn open(state: &mut State, entry: OpenTarget, effects: &mut Effects) {
    state.ui.start(JobKind::Turn, Job::Request(Request::Open(entry.clone())), effects);
    let list = match std::mem::replace(&mut state.screen, Screen::Welcome(Welcome::default())) {
        Screen::Sessions(sessions) => {
            state.parked = sessions;
            ScanList::default()
        }
        // Decisions during an unfinished scan are kept for the next one.
        Screen::Scan(mut scan) => {
            scan.list.restart();
            scan.list
        }
        Screen::Welcome(_) | Screen::Workbench(_) => ScanList::default(),
    };
    state.screen = Screen::Scan(Box::new(Scan::start(entry, list)));
}

/// Shows the list of sessions as it was left, and requests its contents again.
fn show_sessions(state: &mut State, effects: &mut Effects) {
    if !matches!(state.screen, Screen::Sessions(_)) {
        state.screen = Screen::Sessions(std::mem::take(&mut state.parked));
    }
    state.ui.ask(Request::Sessions, effects);
}

/// Handles a message.
pub fn update(state: &mut State, message: Message) -> Effects {
    let mut effects = Effects::new();
    match message {
        Message::Key(key) if key.kind == KeyEventKind::Release => return effects,
        Message::Key(key) => press(state, key, &mut effects),
        Message::Paste(text) => text::paste(state, &text, &mut effects),
        Message::Mouse(event, at) => mouse::take(state, event, at, &mut effects),
        Message::Resize(width, height) => state.ui.size = (width, height),
        Message::Background(brightness) => theme::follow(&mut state.ui, brightness),
        Message::Changed(paths) => job_results::changed(state, &paths, &mut effects),
        Message::AgentActivity => requests::ask(state, &mut effects),
        Message::Edited(result) => text::edited(state, result, &mut effects),
        Message::JobResult(ticket, answer) => job_results::take(state, ticket, *answer, &mut effects),
        Message::Panicked(what) => {
            state.ui.failure = Some(what);
            quit(state, &mut effects);
        }
    }
    settle(state, &mut effects);
    effects
}

fn press(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    // An Enter that was typed before the screen opened arrives as a line feed (Ctrl-j), but the palette uses Ctrl-j to
    // move.
    let line_feed = event.code == KeyCode::Char('j') && event.modifiers == KeyModifiers::CONTROL;
    let event = if line_feed && !matches!(state.ui.layers.last(), Some(Layer::Palette(_))) {
        KeyEvent::from(KeyCode::Enter)
    } else {
        event
    };
    let key = Key::from(event);
    state.ui.notice = None;
    // These two commands work everywhere, even in a text field.
    if let KeyMatch::Complete(command @ (Command::Interrupt | Command::Suspend)) =
        state.ui.keymap.meaning(&[Context::Everywhere], &[key])
    {
        return run(state, command, effects);
    }
    if state.ui.pending.is_empty()
        && let Screen::Scan(scan) = &mut state.screen
        && scan::queue_key(&mut state.ui, scan, event)
    {
        return;
    }
    if takes_text(state) {
        state.ui.pending.clear();
        return text::press(state, event, effects);
    }
    state.ui.pending.push(key);
    match state.ui.keymap.meaning(state.contexts(), &state.ui.pending) {
        KeyMatch::Prefix => {}
        KeyMatch::Complete(command) => {
            state.ui.pending.clear();
            run(state, command, effects);
        }
        KeyMatch::Nothing => {
            let keys: Vec<String> = state.ui.pending.drain(..).map(|key| key.to_string()).collect();
            let plain = matches!(event.code, KeyCode::Esc) && event.modifiers == KeyModifiers::NONE;
            if !plain {
                let help = state.key_of(Command::Help);
                state.ui.why_not(format!("{} does nothing here; {help} lists the keys", keys.join(" ")));
            }
        }
    }
}

/// Returns true if keys are typed into the topmost overlay.
fn takes_text(state: &State) -> bool {
    match (state.ui.layers.last(), &state.screen) {
        (Some(layer), _) => layer.takes_text(),
        (None, Screen::Workbench(bench)) => bench.layers.last().is_some_and(BenchLayer::takes_text),
        (None, Screen::Scan(scan)) => scan.typing.is_some(),
        (None, Screen::Welcome(_) | Screen::Sessions(_)) => false,
    }
}

/// Runs a command in the current context, or shows why it is unavailable.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    if let Some(why) = availability::why_not(state, command) {
        state.ui.why_not(why);
        return;
    }
    if tour::skip(state, command) {
        return;
    }
    run_available(state, command, effects);
    tour::pressed(state, command);
}

fn run_available(state: &mut State, command: Command, effects: &mut Effects) {
    match command {
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Help => toggle(&mut state.ui, Layer::Help(Help::default())),
        Command::Log => toggle(&mut state.ui, Layer::Log(Scroll::default())),
        Command::Theme => theme::open(&mut state.ui),
        Command::Palette => state.ui.layers.push(Layer::Palette(Palette::default())),
        Command::Quit if matches!(state.ui.layers.last(), Some(Layer::Themes(_))) => {
            theme::run(&mut state.ui, command);
        }
        Command::Quit if state.has_overlay() => close_overlay(state),
        Command::Quit | Command::Interrupt => quit(state, effects),
        _ if !state.ui.layers.is_empty() => layers::run(state, command),
        _ => run_on_screen(state, command, effects),
    }
}

fn run_on_screen(state: &mut State, command: Command, effects: &mut Effects) {
    match &mut state.screen {
        Screen::Welcome(welcome) => match command {
            Command::Open => {
                let keep_out_of_git = welcome.keep_out == Some(true);
                state.ui.ask(Request::Init { keep_out_of_git }, effects);
            }
            Command::KeepOut => welcome.keep_out = welcome.keep_out.map(|on| !on),
            Command::Back => quit(state, effects),
            _ => {}
        },
        Screen::Sessions(sessions) => {
            if let Some(entry) = sessions::run(&mut state.ui, sessions, command, effects) {
                open(state, entry, effects);
            }
        }
        Screen::Workbench(bench) if !bench.layers.is_empty() => {
            overlays::run(&mut state.ui, bench, command, effects);
        }
        Screen::Scan(_) | Screen::Workbench(_) if command == Command::Sessions => {
            leave_turn(state, effects);
            show_sessions(state, effects);
        }
        Screen::Scan(scan) if scan.is_running() => scan::run(&mut state.ui, scan, command, effects),
        Screen::Scan(scan) if command == Command::Rescan => {
            let entry = scan.entry.clone();
            open(state, entry, effects);
        }
        Screen::Scan(_) => {}
        Screen::Workbench(bench) => workbench::run(&mut state.ui, bench, command, effects),
    }
}

/// Opens an overlay, or closes it if it is the one on top.
fn toggle(ui: &mut Ui, layer: Layer) {
    let same = ui.layers.last().is_some_and(|top| std::mem::discriminant(top) == std::mem::discriminant(&layer));
    if same {
        ui.layers.pop();
    } else {
        ui.layers.push(layer);
    }
}

/// Closes the topmost overlay.
fn close_overlay(state: &mut State) {
    if state.ui.layers.pop().is_none()
        && let Screen::Workbench(bench) = &mut state.screen
    {
        bench.layers.pop();
    }
}

/// Saves everything and quits.
pub fn quit(state: &mut State, effects: &mut Effects) {
    leave_turn(state, effects);
    state.ui.quit = true;
    effects.push(Effect::Quit);
}

fn leave_turn(state: &mut State, effects: &mut Effects) {
    if let Screen::Workbench(bench) = &state.screen {
        save(&mut state.ui, bench, effects);
        state.ui.ask(Request::Close(Some(bench.ready())), effects);
    }
    cancel(&mut state.ui, effects);
}

/// Saves the overrides and the state of the list.
fn save(ui: &mut Ui, bench: &Bench, effects: &mut Effects) {
    ui.ask(Request::Save(Arc::clone(&bench.model), bench.list_state()), effects);
}

/// Drops the results of the scan.
fn cancel(ui: &mut Ui, effects: &mut Effects) {
    effects.push(Effect::Cancel(ui.ticket(JobKind::Turn)));
}

/// Runs after every message: scrolls to the cursor and requests the visible contents.
fn settle(state: &mut State, effects: &mut Effects) {
    let size = state.ui.size;
    match &mut state.screen {
        Screen::Welcome(_) => {}
        Screen::Sessions(sessions) => {
            let (rows, count) = (super::view::sessions::list_area(size).height, sessions.visible().len());
            sessions.cursor = sessions.cursor.min(count.saturating_sub(1));
            moving::keep_in_sight(&mut sessions.offset, sessions.cursor, usize::from(rows).max(1), count);
        }
        Screen::Scan(scan) => {
            let list = &mut scan.list;
            let rows = layout::list_page(size, super::state::bench::Zoom::Both);
            moving::keep_in_sight(&mut list.offset, list.cursor, rows, list.visible.len());
        }
        Screen::Workbench(bench) => settle_bench(&mut state.ui, bench, effects),
    }
}

fn settle_bench(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    moving::keep_in_sight(&mut bench.offset, bench.cursor, layout::list_page(ui.size, bench.zoom), bench.rows.len());
    if let Some(map) = bench.layers.iter_mut().rev().find_map(BenchLayer::as_map) {
        map.update(&bench.model, bench.version);
    }
    show_pane(ui, bench, effects);
    preview_override(ui, bench, effects);
    search_text(ui, bench, effects);
    let version = bench.version;
    if let Some(BenchLayer::Payload(payload)) = bench.layers.last_mut().filter(|_| ui.layers.is_empty())
        && payload.ready
        && payload.version != version
    {
        let PayloadText { ready, version: made_from, .. } = payload.as_mut();
        (*ready, *made_from) = (false, version);
        workbench::ask_payload(ui, bench, effects);
    }
}

/// Requests the view of the item under the cursor, if it has changed.
fn show_pane(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let area = layout::areas(ui.size, bench.zoom).pane;
    let pane = bench.current().map(|item| (item, bench.view, bench.version)).filter(|_| area.height > 0);
    if pane.is_some() && pane != bench.pane_key && pane.map(|key| key.0) != bench.pane_key.map(|key| key.0) {
        bench.leave_pane_text();
    }
    bench.pane_key = pane;
    let columns = layout::text(layout::inner(area)).width;
    let Some(key) = pane.map(|key| (key, columns)).filter(|key| bench.pane_request != Some(*key)) else { return };
    bench.pane_request = Some(key);
    let ((item, view, _), columns) = key;
    let (model, about) = (Arc::clone(&bench.model), Arc::clone(&bench.about));
    ui.start(JobKind::Pane, Job::Pane(model, about, item, view, columns), effects);
}

/// Requests the preview for the budget bar: the override that it offers for the item under the cursor.
fn preview_override(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let block = match bench.layers.last() {
        Some(BenchLayer::Map(map)) if ui.layers.is_empty() => map.current(),
        _ => None,
    };
    let row = bench.rows.get(bench.cursor).map(super::state::rows::Row::key);
    let row =
        block.map_or(row, |block| Some(block.item.map_or_else(|| RowKey::Directory(block.path.clone()), RowKey::Item)));
    let key = (row, bench.range_rows(), bench.selected.len(), bench.version, block.is_some());
    // A request is sent only if an input has changed; otherwise each answer would cause the next request.
    if bench.preview_key.as_ref() == Some(&key) {
        return;
    }
    let targets = block.map_or_else(|| bench.targets(), MapNode::items);
    (bench.preview_key, bench.ghost) = (Some(key), None);
    bench.ghost_items = targets.iter().copied().collect();
    if targets.is_empty() || bench.about.mode != TurnMode::Open {
        return;
    }
    let raw = |item: &ItemId| bench.placed(*item).is_some_and(|placed| placed.tier == Tier::Raw);
    let (verb, action) = if targets.iter().all(raw) {
        (PreviewVerb::Demote, Action::Demote(targets))
    } else {
        (PreviewVerb::Pin, Action::Pin(targets))
    };
    ui.start(JobKind::Preview, Job::Preview(Arc::clone(&bench.model), verb, action), effects);
}

/// Searches file contents for the filter's `text:` terms that have not been searched for.
fn search_text(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let Some(text) = bench.text_to_search().map(ToOwned::to_owned) else { return };
    if bench.searching.as_ref() == Some(&text) {
        return;
    }
    bench.searching = Some(text.clone());
    ui.start(JobKind::Search, Job::Search(Arc::clone(&bench.model), text), effects);
}
