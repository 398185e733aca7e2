//! `update`: what happened changes the state, and asks for work. Pure: no file, no terminal, no clock.

mod answers;
mod arriving;
mod layers;
mod mouse;
mod moving;
mod papers;
mod planned;
pub mod possible;
mod review;
mod rulings;
mod sessions;
mod text;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::command::{Command, Context};
use super::desk::{Entry, Paper};
use super::keymap::{Key, Meaning};
use super::layout;
use super::message::{Effect, Message, Verb};
use super::pane::PaneView;
use super::state::bench::Zoom;
use super::state::layer::{Layer, PayloadText, Scroll, TaskForm};
use super::state::{Screen, State, Work};
use crate::place::Tier;
use crate::workbench::Action;

/// What `update` asks for.
pub type Effects = Vec<Effect>;

/// Starts: the first frame needs nothing, what it asks for comes in later.
pub fn start(state: &mut State, entry: Option<Entry>, to_be_made: Vec<String>) -> Effects {
    let mut effects = Effects::new();
    state.entry = entry;
    state.to_be_made = to_be_made;
    if state.to_be_made.is_empty() {
        begin(state, &mut effects);
    } else {
        state.screen = Screen::First;
    }
    effects
}

/// Opens what was asked for, or the list of sessions.
fn begin(state: &mut State, effects: &mut Effects) {
    if let Some(entry) = state.entry.clone() {
        return open(state, entry, effects);
    }
    state.screen = Screen::Sessions;
    effects.push(Effect::Sessions);
}

fn open(state: &mut State, entry: Entry, effects: &mut Effects) {
    state.screen = Screen::Workbench;
    state.bench = None;
    state.entry = Some(entry.clone());
    state.work = Some(Work::Scanning(None));
    state.arriving.restart();
    state.asked.open = state.ask();
    effects.push(Effect::Open(state.asked.open, entry));
}

/// Takes one message in.
pub fn update(state: &mut State, message: Message) -> Effects {
    let mut effects = Effects::new();
    match message {
        Message::Key(key) if key.kind == KeyEventKind::Release => return effects,
        Message::Key(key) => press(state, key, &mut effects),
        Message::Paste(text) => text::paste(state, &text, &mut effects),
        Message::Mouse(event, at) => mouse::take(state, event, at, &mut effects),
        Message::Resize(width, height) => state.size = (width, height),
        Message::Changed(paths) => answers::changed(state, &paths, &mut effects),
        Message::Answer(answer) => answers::take(state, *answer, &mut effects),
    }
    settle(state, &mut effects);
    effects
}

fn press(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    // Enter typed before the terminal was ours arrives as a line feed, which is Ctrl-j. The palette moves with that.
    let line_feed = event.code == KeyCode::Char('j') && event.modifiers == KeyModifiers::CONTROL;
    let event = if line_feed && !matches!(state.layers.last(), Some(Layer::Palette(_))) {
        KeyEvent::from(KeyCode::Enter)
    } else {
        event
    };
    let key = Key::from(event);
    state.notice = None;
    // These two work wherever one is, also in a text.
    if let Meaning::Is(command @ (Command::Interrupt | Command::Suspend)) =
        state.keymap.meaning(&[Context::Everywhere], &[key])
    {
        return run(state, command, effects);
    }
    if state.pending.is_empty() && arriving::queue_key(state, event) {
        return;
    }
    if state.contexts().is_empty() || matches!(state.layers.last(), Some(Layer::Task(_))) {
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
                state.why_not(format!("{} does nothing here; {help} shows every key", keys.join(" ")));
            }
        }
    }
}

/// Runs a command where the person is, or says why it cannot run.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    if let Some(why) = possible::why_not(state, command) {
        state.why_not(why);
        return;
    }
    match command {
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Help => toggle(state, Layer::Help(Scroll::default())),
        Command::Log => toggle(state, Layer::Log(Scroll::default())),
        Command::Palette => state.layers.push(Layer::Palette(super::state::layer::Palette::default())),
        Command::Quit if !state.layers.is_empty() => drop(state.layers.pop()),
        Command::Quit | Command::Interrupt => quit(state, effects),
        _ if !state.layers.is_empty() => layers::run(state, command, effects),
        _ if state.is_arriving() && !matches!(command, Command::Back | Command::Sessions) => {
            arriving::command(state, command);
        }
        _ => match state.screen {
            Screen::First => first(state, command, effects),
            Screen::Sessions => sessions::run(state, command, effects),
            Screen::Workbench => workbench(state, command, effects),
            Screen::Planned => planned::run(state, command, effects),
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
        Command::Open => effects.push(Effect::Init),
        Command::Back => quit(state, effects),
        _ => {}
    }
}

/// Leaves: what was decided is kept first.
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
    state.asked.open = state.ask();
    effects.push(Effect::Cancel(state.asked.open));
}

/// Nobody waits for the scan any more.
fn cancel(state: &mut State, effects: &mut Effects) {
    state.asked.open = state.ask();
    state.work = None;
    effects.push(Effect::Cancel(state.asked.open));
}

fn workbench(state: &mut State, command: Command, effects: &mut Effects) {
    if moving::list(state, command) {
        return;
    }
    match command {
        Command::Back => back(state, effects),
        Command::Rescan => rescan(state, effects),
        Command::Sessions => {
            leave_turn(state, effects);
            state.bench = None;
            state.work = None;
            state.screen = Screen::Sessions;
            effects.push(Effect::Sessions);
        }
        Command::Pin | Command::Demote | Command::Promote | Command::Exclude | Command::Clear => {
            rulings::rule(state, command, effects);
        }
        Command::Undo | Command::Redo => rulings::undo(state, command, effects),
        Command::BudgetUp | Command::BudgetDown => rulings::budget(state, command, effects),
        Command::Fill => rulings::fill(state, effects),
        Command::Copy => copy(state, effects),
        Command::Write => write(state, effects),
        Command::Payload => {
            state.layers.push(Layer::Payload(Box::default()));
            ask_payload(state, effects);
        }
        Command::Dropped => review::open_dropped(state),
        Command::Redactions => review::open_redactions(state, effects),
        Command::Turn => papers::open(state, Paper::Turn, effects),
        Command::Advice => papers::open(state, Paper::Advice, effects),
        Command::Replay => papers::open(state, Paper::Replay, effects),
        Command::Fetch | Command::Answer | Command::Acknowledge => papers::deed(state, command, effects),
        Command::Memos => {
            state.layers.push(Layer::Memos(super::state::layer::Memos::default()));
            effects.push(Effect::Memos);
        }
        _ => looking(state, command, effects),
    }
}

/// The commands that change how one looks at the items, not the items.
fn looking(state: &mut State, command: Command, effects: &mut Effects) {
    let page = layout::page(state);
    let Some(bench) = state.bench.as_mut() else { return };
    let only = |tier: Tier, now: Option<Tier>| (now != Some(tier)).then_some(tier);
    match command {
        Command::Filter => {
            let before = bench.filter_line.text().to_owned();
            state.layers.push(Layer::Filter(before, bench.spot()));
            return;
        }
        Command::OnlyRaw => bench.only = only(Tier::Raw, bench.only),
        Command::OnlyLinked => bench.only = only(Tier::Linked, bench.only),
        Command::OnlySummary => bench.only = only(Tier::Summary, bench.only),
        Command::OnlyOut => bench.only = only(Tier::Out, bench.only),
        Command::Sort => bench.sort = bench.sort.next(),
        Command::Tree => bench.tree = !bench.tree,
        Command::Fold | Command::Unfold => {
            moving::fold(bench, command == Command::Fold);
        }
        Command::Mark => {
            if bench.range.is_some() {
                bench.marks = bench.targets().into_iter().collect();
                bench.range = None;
            } else {
                bench.toggle_mark();
                bench.cursor = (bench.cursor + 1).min(bench.rows.len().saturating_sub(1));
            }
            return;
        }
        Command::Range => {
            bench.range = match bench.range {
                Some(_) => {
                    bench.marks = bench.targets().into_iter().collect();
                    None
                }
                None => bench.rows.get(bench.cursor).map(super::state::rows::Row::key),
            };
            return;
        }
        Command::NextView => (bench.view, bench.pane_scroll) = (bench.view.step(1), 0),
        Command::PreviousView => (bench.view, bench.pane_scroll) = (bench.view.step(PaneView::ALL.len() - 1), 0),
        Command::PaneDown => bench.pane_scroll = bench.pane_scroll.saturating_add(page / 2 + 1),
        Command::PaneUp => bench.pane_scroll = bench.pane_scroll.saturating_sub(page / 2 + 1),
        Command::Zoom => bench.zoom = if bench.zoom == Zoom::Both { Zoom::Pane } else { Zoom::Both },
        Command::Open => {
            moving::enter(state);
            return;
        }
        Command::Task => {
            let form = TaskForm::new(&bench.about.form, bench.model.settings().1.limit);
            state.layers.push(Layer::Task(Box::new(form)));
            return;
        }
        Command::CopyMarked => {
            effects.push(Effect::CopySome(bench.ready(), bench.targets()));
            state.work = Some(Work::Copying);
            return;
        }
        Command::CopyPath => {
            if let Some(item) = bench.current() {
                let path = bench.model.corpus().items[item].path.clone();
                effects.push(Effect::CopyText(path.clone(), format!("the path {path}")));
            }
            return;
        }
        Command::Edit => {
            if let Some(item) = bench.current() {
                let path = bench.model.corpus().items[item].path.clone();
                let line = bench.model.scores().items[item].hot.first().map_or(1, |span| span.0);
                effects.push(Effect::EditFile(path, line));
            }
            return;
        }
        _ => return,
    }
    let changed = matches!(
        command,
        Command::OnlyRaw
            | Command::OnlyLinked
            | Command::OnlySummary
            | Command::OnlyOut
            | Command::Sort
            | Command::Tree
    );
    if changed {
        bench.rebuild();
        if matches!(command, Command::Sort | Command::Tree) {
            effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
        }
    }
}

fn copy(state: &mut State, effects: &mut Effects) {
    if let Some(bench) = &state.bench {
        effects.push(Effect::Copy(bench.ready()));
        state.work = Some(Work::Copying);
    }
}

fn write(state: &mut State, effects: &mut Effects) {
    if let Some(bench) = &state.bench {
        effects.push(Effect::Write(bench.ready()));
        state.work = Some(Work::Writing);
    }
}

fn rescan(state: &mut State, effects: &mut Effects) {
    if state.bench.is_none() {
        let entry = state.entry.clone().unwrap_or(Entry::Named);
        return open(state, entry, effects);
    }
    state.asked.open = state.ask();
    state.work = Some(Work::Rescanning(None));
    effects.push(Effect::Rescan(state.asked.open));
}

/// Asks for the payload's text of the placement now.
fn ask_payload(state: &mut State, effects: &mut Effects) {
    if let Some(ready) = state.bench.as_ref().map(super::state::bench::Bench::ready) {
        state.asked.payload = state.ask();
        effects.push(Effect::Payload(state.asked.payload, ready));
    }
}

/// Esc: one step back, the smallest there is.
fn back(state: &mut State, effects: &mut Effects) {
    let working = matches!(state.work, Some(Work::Scanning(_) | Work::Rescanning(_)));
    let Some(bench) = state.bench.as_mut() else {
        if working && !arriving::back(state) {
            arriving::cancelled(state);
            cancel(state, effects);
        }
        return;
    };
    if bench.range.take().is_some() {
    } else if !bench.marks.is_empty() {
        bench.marks.clear();
    } else if bench.zoom != Zoom::Both {
        bench.zoom = Zoom::Both;
    } else if !bench.filter_line.text().is_empty() {
        text::set_filter(bench, "");
        effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
    } else if bench.only.take().is_some() {
        bench.rebuild();
    } else if working {
        cancel(state, effects);
        state.why_not("reading the project again is cancelled; what is shown is from before");
    } else {
        let quit = state.key_of(Command::Quit);
        state.why_not(format!("there is nothing to step back from; {quit} leaves"));
    }
}

/// After every message: the cursor is in sight, and what is shown is asked for.
fn settle(state: &mut State, effects: &mut Effects) {
    let areas = layout::areas(state);
    let rows = usize::from(layout::inner(areas.list).height).max(1);
    let (sessions, count) = (super::view::sessions::list_area(state.size), state.sessions.visible().len());
    state.sessions.cursor = state.sessions.cursor.min(count.saturating_sub(1));
    let cursor = state.sessions.cursor;
    moving::keep_in_sight(&mut state.sessions.offset, cursor, usize::from(sessions.height).max(1), count);
    let Some(bench) = state.bench.as_mut() else {
        let list = &mut state.arriving;
        return moving::keep_in_sight(&mut list.offset, list.cursor, rows, list.visible.len());
    };
    moving::keep_in_sight(&mut bench.offset, bench.cursor, rows, bench.rows.len());
    let version = bench.version;
    let pane = bench.current().map(|item| (item, bench.view, version)).filter(|_| areas.pane.height > 0);
    if pane.is_some() && pane != bench.pane_key {
        if pane.map(|key| key.0) != bench.pane_key.map(|key| key.0) {
            bench.pane_scroll = 0;
        }
        bench.pane_key = pane;
    } else if pane.is_none() {
        bench.pane_key = None;
    }
    let asked = pane.filter(|key| state.asked.pane_for != Some(*key));
    let row = bench.rows.get(bench.cursor).map(super::state::rows::Row::key);
    let preview = (row, bench.range_rows(), bench.marks.len(), version);
    // Only when something it depends on changed: an answer must not ask the same question again.
    let preview = (bench.preview_key.as_ref() != Some(&preview)).then_some(preview);
    let (model, about) = (Arc::clone(&bench.model), Arc::clone(&bench.about));
    let mut action = None;
    if let Some(preview) = preview {
        bench.preview_key = Some(preview);
        bench.ghost = None;
        let targets = bench.targets();
        let raw = |item: &usize| bench.placed(*item).is_some_and(|placed| placed.tier == Tier::Raw);
        if !targets.is_empty() {
            action = Some(if targets.iter().all(raw) {
                (Verb::Demote, Action::Demote(targets))
            } else {
                (Verb::Pin, Action::Pin(targets))
            });
        }
    }
    if let Some(key) = asked {
        state.asked.pane = state.ask();
        state.asked.pane_for = Some(key);
        effects.push(Effect::Show(state.asked.pane, Arc::clone(&model), about, key.0, key.1));
    }
    if let Some((verb, action)) = action {
        state.asked.preview = state.ask();
        effects.push(Effect::Preview(state.asked.preview, model, verb, action));
    }
    if let Some(Layer::Payload(payload)) = state.layers.last_mut()
        && payload.ready
        && payload.version != version
    {
        let PayloadText { ready, version: made_from, .. } = payload.as_mut();
        (*ready, *made_from) = (false, version);
        ask_payload(state, effects);
    }
}
