//! `update` takes a message, changes the state and returns effects. Pure: no file, no terminal, no clock.

mod answers;
pub mod availability;
mod documents;
mod handoff;
pub mod impact;
mod layers;
mod mouse;
mod moving;
mod next_turn;
mod overrides;
mod review;
mod scan;
mod sessions;
mod text;
mod theme;
mod token_map;
mod workbench;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::command::{Command, Context};
use super::keymap::{Key, Meaning};
use super::layout;
use super::message::{Effect, Message, Verb};
use super::state::layer::{Help, Layer, PayloadText, Scroll};
use super::state::rows::RowKey;
use super::state::token_map::MapNode;
use super::state::{Screen, State, Work};
use crate::app::backend::{OpenTarget, TurnRequest};
use crate::ids::ItemId;
use crate::place::Tier;
use crate::workbench::Action;

/// Effects requested by `update`.
pub type Effects = Vec<Effect>;

/// Starts the screen: the first frame needs nothing, requested data arrives later.
pub fn start(state: &mut State, entry: Option<OpenTarget>, to_be_made: Vec<String>) -> Effects {
    let mut effects = Effects::new();
    state.entry = entry;
    state.to_be_made = to_be_made;
    if state.to_be_made.is_empty() {
        begin(state, &mut effects);
    } else {
        state.screen = Screen::Welcome;
    }
    effects
}

/// Opens the entry, or the list of sessions.
fn begin(state: &mut State, effects: &mut Effects) {
    match state.entry.take() {
        Some(OpenTarget::Form) => sessions::ask_task(state, &TurnRequest::default()),
        Some(entry) => return open(state, entry, effects),
        None => {}
    }
    state.screen = Screen::Sessions;
    effects.push(Effect::Sessions);
}

fn open(state: &mut State, entry: OpenTarget, effects: &mut Effects) {
    state.screen = Screen::Workbench;
    state.bench = None;
    state.entry = Some(entry.clone());
    state.work = Some(Work::Scanning(None));
    state.scan.restart();
    state.requests.open = state.ask();
    effects.push(Effect::Open(state.requests.open, entry));
}

/// Handles a message.
pub fn update(state: &mut State, message: Message) -> Effects {
    let mut effects = Effects::new();
    match message {
        Message::Key(key) if key.kind == KeyEventKind::Release => return effects,
        Message::Key(key) => press(state, key, &mut effects),
        Message::Paste(text) => text::paste(state, &text, &mut effects),
        Message::Mouse(event, at) => mouse::take(state, event, at, &mut effects),
        Message::Resize(width, height) => state.size = (width, height),
        Message::Background(brightness) => theme::follow(state, brightness),
        Message::Changed(paths) => answers::changed(state, &paths, &mut effects),
        Message::Answer(answer) => answers::take(state, *answer, &mut effects),
    }
    settle(state, &mut effects);
    effects
}

fn press(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    // Enter typed before the screen opened arrives as a line feed, which is Ctrl-j; the palette uses that to move.
    let line_feed = event.code == KeyCode::Char('j') && event.modifiers == KeyModifiers::CONTROL;
    let event = if line_feed && !matches!(state.layers.last(), Some(Layer::Palette(_))) {
        KeyEvent::from(KeyCode::Enter)
    } else {
        event
    };
    let key = Key::from(event);
    state.notice = None;
    // These two work everywhere, even in a text field.
    if let Meaning::Is(command @ (Command::Interrupt | Command::Suspend)) =
        state.keymap.meaning(&[Context::Everywhere], &[key])
    {
        return run(state, command, effects);
    }
    if state.pending.is_empty() && scan::queue_key(state, event) {
        return;
    }
    if state.contexts().is_empty() || matches!(state.layers.last(), Some(Layer::Task(_) | Layer::Handoff(_))) {
        state.pending.clear();
        return text::press(state, event, effects);
    }
    state.pending.push(key);
    match state.keymap.meaning(state.contexts(), &state.pending) {
        Meaning::Begins => {}
        Meaning::Is(command) => {
            state.pending.clear();
            run(state, command, effects);
        }
        Meaning::Nothing => {
            let keys: Vec<String> = state.pending.drain(..).map(|key| key.to_string()).collect();
            let plain = matches!(event.code, KeyCode::Esc) && event.modifiers == KeyModifiers::NONE;
            if !plain {
                let help = state.key_of(Command::Help);
                state.why_not(format!("{} does nothing here; {help} lists the keys", keys.join(" ")));
            }
        }
    }
}

/// Runs a command in the current context, or says why it is unavailable.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    if let Some(why) = availability::why_not(state, command) {
        state.why_not(why);
        return;
    }
    match command {
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Help => toggle(state, Layer::Help(Help::default())),
        Command::Log => toggle(state, Layer::Log(Scroll::default())),
        Command::Theme => theme::open(state),
        Command::Palette => state.layers.push(Layer::Palette(super::state::layer::Palette::default())),
        Command::Quit if matches!(state.layers.last(), Some(Layer::Themes(_))) => layers::run(state, command, effects),
        Command::Quit if !state.layers.is_empty() => drop(state.layers.pop()),
        Command::Quit | Command::Interrupt => quit(state, effects),
        _ if !state.layers.is_empty() => layers::run(state, command, effects),
        _ if state.is_scanning() && !matches!(command, Command::Back | Command::Sessions) => {
            scan::command(state, command);
        }
        _ => match state.screen {
            Screen::Welcome => first(state, command, effects),
            Screen::Sessions => sessions::run(state, command, effects),
            Screen::Workbench => workbench::run(state, command, effects),
        },
    }
}

/// Opens an overlay, or closes it if it is the one on top.
fn toggle(state: &mut State, layer: Layer) {
    let same = state.layers.last().is_some_and(|top| std::mem::discriminant(top) == std::mem::discriminant(&layer));
    if same {
        state.layers.pop();
    } else {
        state.layers.push(layer);
    }
}

fn first(state: &mut State, command: Command, effects: &mut Effects) {
    match command {
        Command::Open => effects.push(Effect::Init(state.keep_out == Some(true))),
        Command::KeepOut => state.keep_out = state.keep_out.map(|on| !on),
        Command::Back => quit(state, effects),
        _ => {}
    }
}

/// Quits, after saving.
pub fn quit(state: &mut State, effects: &mut Effects) {
    leave_turn(state, effects);
    state.quit = true;
    effects.push(Effect::Quit);
}

fn leave_turn(state: &mut State, effects: &mut Effects) {
    if let Some(bench) = &state.bench {
        effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
        effects.push(Effect::Close(Some(bench.ready())));
    }
    state.requests.open = state.ask();
    effects.push(Effect::Cancel(state.requests.open));
}

/// Drops the results of the scan.
fn cancel(state: &mut State, effects: &mut Effects) {
    state.requests.open = state.ask();
    state.work = None;
    effects.push(Effect::Cancel(state.requests.open));
}

/// After every message: scrolls to the cursor and requests what is shown.
fn settle(state: &mut State, effects: &mut Effects) {
    let areas = layout::areas(state);
    let rows = usize::from(layout::list_rows(areas.list).height).max(1);
    let (sessions, count) = (super::view::sessions::list_area(state.size), state.sessions.visible().len());
    state.sessions.cursor = state.sessions.cursor.min(count.saturating_sub(1));
    let cursor = state.sessions.cursor;
    moving::keep_in_sight(&mut state.sessions.offset, cursor, usize::from(sessions.height).max(1), count);
    let Some(bench) = state.bench.as_mut() else {
        let list = &mut state.scan;
        return moving::keep_in_sight(&mut list.offset, list.cursor, rows, list.visible.len());
    };
    moving::keep_in_sight(&mut bench.offset, bench.cursor, rows, bench.rows.len());
    let version = bench.version;
    let pane = bench.current().map(|item| (item, bench.view, version)).filter(|_| areas.pane.height > 0);
    if pane.is_some() && pane != bench.pane_key {
        if pane.map(|key| key.0) != bench.pane_key.map(|key| key.0) {
            (bench.pane_scroll, bench.pane_shift) = (0, 0);
        }
        bench.pane_key = pane;
    } else if pane.is_none() {
        bench.pane_key = None;
    }
    let columns = layout::text(layout::inner(areas.pane)).width;
    let asked = pane.map(|key| (key, columns)).filter(|key| state.requests.pane_for != Some(*key));
    let row = bench.rows.get(bench.cursor).map(super::state::rows::Row::key);
    if let Some(Layer::Map(map)) = state.layers.iter_mut().rev().find(|layer| matches!(layer, Layer::Map(_))) {
        map.update(bench);
    }
    let block = match state.layers.last() {
        Some(Layer::Map(map)) => map.current(),
        _ => None,
    };
    let row =
        block.map_or(row, |block| Some(block.item.map_or_else(|| RowKey::Directory(block.path.clone()), RowKey::Item)));
    let preview = (row, bench.range_rows(), bench.selected.len(), version, block.is_some());
    // Only if an input changed: an answer must not repeat its request.
    let preview = (bench.preview_key.as_ref() != Some(&preview)).then_some(preview);
    let (model, about) = (Arc::clone(&bench.model), Arc::clone(&bench.about));
    let mut action = None;
    if let Some(preview) = preview {
        bench.preview_key = Some(preview);
        bench.ghost = None;
        let targets = block.map_or_else(|| bench.targets(), MapNode::items);
        let raw = |item: &ItemId| bench.placed(*item).is_some_and(|placed| placed.tier == Tier::Raw);
        if !targets.is_empty() {
            action = Some(if targets.iter().all(raw) {
                (Verb::Demote, Action::Demote(targets))
            } else {
                (Verb::Pin, Action::Pin(targets))
            });
        }
    }
    if let Some(key) = asked {
        state.requests.pane = state.ask();
        state.requests.pane_for = Some(key);
        let ((item, view, _), columns) = key;
        effects.push(Effect::Show(state.requests.pane, Arc::clone(&model), about, item, view, columns));
    }
    if let Some((verb, action)) = action {
        state.requests.preview = state.ask();
        effects.push(Effect::Preview(state.requests.preview, model, verb, action));
    }
    search_text(state, effects);
    if let Some(Layer::Payload(payload)) = state.layers.last_mut()
        && payload.ready
        && payload.version != version
    {
        let PayloadText { ready, version: made_from, .. } = payload.as_mut();
        (*ready, *made_from) = (false, version);
        workbench::ask_payload(state, effects);
    }
}

/// Searches contents for what the filter asks for and nobody knows yet.
fn search_text(state: &mut State, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let Some(text) = bench.text_to_search().map(ToOwned::to_owned) else { return };
    if bench.searching.as_ref() == Some(&text) {
        return;
    }
    bench.searching = Some(text.clone());
    let model = Arc::clone(&bench.model);
    state.requests.text = state.ask();
    effects.push(Effect::SearchText(state.requests.text, model, text));
}
