//! Handles results of jobs. A late result for an older request is dropped.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Effects, begin, documents, form, handoff, next_turn, review, scan, show_sessions, task, text, workbench};
use crate::app::backend::{LoadedTurn, OpenTarget, Progress, TurnMode, TurnRequest};
use crate::error::Error;
use crate::text::{counted, thousands};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::message::{Answer, Effect, Generation};
use crate::tui::state::bench::{Bench, Work};
use crate::tui::state::layer::BenchLayer;
use crate::tui::state::scan::ScanStatus;
use crate::tui::state::{Screen, Stage, State, Ui};
use crate::tui::theme::Role;

pub fn take(state: &mut State, answer: Answer, effects: &mut Effects) {
    match (answer, &mut state.screen) {
        (Answer::Opened(generation, result), _) => opened(state, generation, result, effects),
        (Answer::Progress(generation, progress), Screen::Scan(scan)) if generation == state.ui.requests.open => {
            scan::progress(scan, progress);
        }
        (Answer::Made(Ok(made)), _) => created(state, &made, effects),
        (Answer::Unanswered(result), _) => next_turn::undone(state, result, effects),
        (Answer::Refused(goal, typed, error), _) => {
            state.ui.fail(&error);
            text::ask_again(state, goal, &typed);
        }
        (Answer::Sessions(Ok(rows)), Screen::Sessions(sessions)) => sessions.set(rows),
        (Answer::Edited(Ok(Some(edited))), _) => text::edited(state, &edited, effects),
        (Answer::Panicked(what), _) => {
            state.ui.failure = Some(what);
            super::quit(state, effects);
        }
        (
            Answer::Kept(Err(error))
            | Answer::Made(Err(error))
            | Answer::Sessions(Err(error))
            | Answer::Redactions(Err(error))
            | Answer::Allowed(Err(error))
            | Answer::Edited(Err(error)),
            _,
        ) => state.ui.fail(&error),
        (Answer::Said(result), screen) => {
            if let Screen::Workbench(bench) = screen
                && matches!(bench.work, Some(Work::Copying | Work::Writing))
            {
                bench.work = None;
            }
            match result {
                // Uncertain outcomes are not shown in green.
                Ok(done) => state.ui.say(if done.certain { Role::Good } else { Role::Warn }, done.text()),
                Err(error) => state.ui.fail(&error),
            }
        }
        (answer, Screen::Workbench(bench)) => about_turn(&mut state.ui, bench, answer, effects),
        // Results for a turn that is no longer on the screen.
        _ => {}
    }
}

/// Handles a result about the turn on the screen.
fn about_turn(ui: &mut Ui, bench: &mut Bench, answer: Answer, effects: &mut Effects) {
    match answer {
        Answer::Progress(generation, progress) if generation == ui.requests.open => rescanning(bench, &progress),
        Answer::Counted(generation, done) if generation == ui.requests.open => bench.count(done),
        Answer::Rescanned(generation, result) if generation == ui.requests.open => {
            rescanned(ui, bench, result, effects);
        }
        Answer::Reshaped(generation, result) if generation == ui.requests.reshape => reshaped(ui, bench, result),
        Answer::Preview(generation, preview) if generation == ui.requests.preview => bench.ghost = Some(preview),
        Answer::Shown(generation, shown) if generation == ui.requests.pane => {
            let rows = layout::pane_rows(ui.size, bench);
            bench.show(*shown, rows);
        }
        Answer::TextFound(generation, text, items) if generation == ui.requests.text => {
            bench.texts.insert(text, items);
            bench.searching = None;
            text::narrow(bench);
        }
        Answer::Payload(generation, payload, tokens) if generation == ui.requests.payload => {
            let version = bench.version;
            let open = bench.layers.iter_mut().rev().find_map(|layer| match layer {
                BenchLayer::Payload(layer) => Some(layer),
                _ => None,
            });
            if let Some(layer) = open {
                layer.set(payload, tokens);
                layer.version = version;
            }
        }
        Answer::Memos(result) => memos(ui, bench, result, effects),
        Answer::Handoff(result) => handoff::show(ui, bench, result),
        Answer::HandoffSaved(text, result) => handoff::saved(ui, bench, &text, result),
        Answer::Redactions(Ok(rows)) => {
            let open = bench.layers.iter_mut().rev().find_map(|layer| match layer {
                BenchLayer::Redactions(layer) => Some(layer),
                _ => None,
            });
            if let Some(layer) = open {
                layer.take(rows);
            }
        }
        Answer::Answered(result) => next_turn::answered(ui, bench, result),
        Answer::Page(page, result) => documents::answered(ui, bench, page, result),
        Answer::Allowed(Ok(said)) => {
            // Texts are redacted when they are read, so they must be read again.
            workbench::rescan(ui, bench, effects);
            bench.after_rescan = Some(said);
        }
        // The file may have changed.
        Answer::Edited(Ok(None)) => workbench::rescan(ui, bench, effects),
        // Late results, and those that need no message.
        _ => {}
    }
}

/// Continues after `.teddy/` has been created.
fn created(state: &mut State, made: &[String], effects: &mut Effects) {
    let first = made.first().map_or(".teddy", String::as_str);
    state.ui.good(format!("Created {first}/"));
    let Screen::Welcome(welcome) = &mut state.screen else { return };
    let entry = welcome.entry.take();
    begin(state, entry, effects);
    // There is no session yet, so the first task is requested.
    if matches!(state.screen, Screen::Sessions(_)) && state.ui.layers.is_empty() {
        form::ask_task(&mut state.ui, &TurnRequest::default());
    }
}

/// Updates the progress of a rescan.
fn rescanning(bench: &mut Bench, progress: &Progress) {
    let Some(Work::Rescanning(stage)) = &mut bench.work else { return };
    let files = stage.map_or(0, Stage::files);
    match progress {
        Progress::Looking(_) => {}
        Progress::Found(found) => *stage = Some(Stage::Reading(files + found.len())),
        Progress::Scoring => *stage = Some(Stage::Scoring(files)),
    }
}

fn opened(state: &mut State, generation: Generation, result: Result<Box<LoadedTurn>, Error>, effects: &mut Effects) {
    if generation != state.ui.requests.open {
        // The person has moved on, so the opened turn must not stay locked.
        if result.is_ok() {
            effects.push(Effect::Close(None));
        }
        return;
    }
    match result {
        Ok(opened) => show_turn(state, Bench::new(*opened), effects),
        Err(error) => open_failed(state, &error, effects),
    }
}

fn show_turn(state: &mut State, bench: Bench, effects: &mut Effects) {
    let ui = &mut state.ui;
    if let Some(why) = git_off(&bench) {
        ui.say(Role::Warn, why);
    }
    for note in &bench.about.notes {
        ui.say(Role::Warn, note.clone());
    }
    let notes = bench.about.notes.len();
    if notes > 1 {
        let key = ui.key_in(Context::Workbench, Command::Log);
        ui.why_not(format!("{notes} notes; press {key} to read them"));
    }
    effects.push(Effect::Count(ui.requests.open, Arc::clone(&bench.model), None));
    scan::finish(state, bench, effects);
    if let Screen::Workbench(bench) = &state.screen
        && bench.about.mode != TurnMode::Open
    {
        next_turn::say_mode(&mut state.ui, bench);
    }
}

/// Handles a turn that could not be opened: its input stays in the form for correction.
fn open_failed(state: &mut State, error: &Error, effects: &mut Effects) {
    state.ui.fail(error);
    let Screen::Scan(scan) = &mut state.screen else { return };
    scan.stop(ScanStatus::Failed);
    match scan.entry.clone() {
        OpenTarget::New(request) => {
            show_sessions(state, effects);
            form::ask_task(&mut state.ui, &request);
        }
        OpenTarget::Next(request) => next_turn::ask_again(state, &request, effects),
        _ if !state.parked.rows.is_empty() => {
            state.screen = Screen::Sessions(std::mem::take(&mut state.parked));
        }
        _ => {}
    }
}

fn git_off(bench: &Bench) -> Option<String> {
    let corpus = bench.model.corpus();
    match (&corpus.git, &corpus.git_off) {
        (Some(_), _) => None,
        (None, Some(why)) => Some(format!("Git signals are off: {why}")),
        (None, None) => Some("Not a git repository: scoring uses file times instead of history".to_owned()),
    }
}

fn rescanned(ui: &mut Ui, bench: &mut Bench, result: Result<LoadedTurn, Error>, effects: &mut Effects) {
    bench.work = None;
    let opened = match result {
        Ok(opened) => opened,
        Err(error) => return ui.fail(&error),
    };
    let older = bench.model.shared_corpus();
    let before = older.files.len();
    bench.replace(opened);
    effects.push(Effect::Count(ui.requests.open, Arc::clone(&bench.model), Some(older)));
    let now = bench.model.corpus().files.len();
    let change = match now.cmp(&before) {
        Ordering::Equal => String::new(),
        Ordering::Greater => format!(" ({} more)", thousands(now - before)),
        Ordering::Less => format!(" ({} fewer)", thousands(before - now)),
    };
    effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
    let said = bench.after_rescan.take();
    ui.good(said.unwrap_or_else(|| format!("Rescanned {}{change}", counted(now, "file"))));
    task::rescore_open(ui, bench, effects);
    review::ask(bench, effects);
}

fn reshaped(ui: &mut Ui, bench: &mut Bench, result: Result<LoadedTurn, Error>) {
    if bench.work == Some(Work::Rescoring) {
        bench.work = None;
    }
    let opened = match result {
        Ok(opened) => opened,
        Err(error) => return ui.fail(&error),
    };
    // Notes about secrets redacted in the person's input.
    for note in &opened.about.notes {
        ui.say(Role::Warn, note.clone());
    }
    bench.replace(opened);
    let limit = bench.model.settings().1.limit;
    let open = bench.layers.iter_mut().rev().find_map(|layer| match layer {
        BenchLayer::Task(form) => Some(form),
        _ => None,
    });
    if let Some(form) = open {
        form.follow(limit);
    }
}

fn memos(ui: &mut Ui, bench: &mut Bench, result: Result<Vec<String>, Error>, effects: &mut Effects) {
    let list = match result {
        Ok(list) => list,
        Err(error) => return ui.fail(&error),
    };
    let open = bench.layers.iter_mut().rev().find_map(|layer| match layer {
        BenchLayer::Memos(memos) => Some(memos),
        _ => None,
    });
    let Some(memos) = open else { return };
    let changed = memos.loaded && memos.list != list;
    memos.cursor = memos.cursor.min(list.len().saturating_sub(1));
    memos.list = list;
    memos.loaded = true;
    if changed {
        task::reshape(ui, bench, None, effects);
    }
}

/// Scans again after files changed on disk, unless a scan is running.
pub fn changed(state: &mut State, paths: &[String], effects: &mut Effects) {
    let Screen::Workbench(bench) = &mut state.screen else { return };
    if paths.is_empty() {
        return;
    }
    workbench::rescan(&mut state.ui, bench, effects);
    let what = match paths {
        [one] => format!("{one} changed on disk"),
        several => format!("{} files changed on disk", thousands(several.len())),
    };
    state.ui.say(Role::Dim, format!("{what}; rescanning"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::backend::{OpenTarget, Outcome, Progress};
    use crate::tui::keymap::Keymap;
    use crate::tui::message::Message;
    use crate::tui::state::layer::Layer;
    use crate::tui::theme::Theme;
    use crate::tui::update::{start, update};

    fn files(count: usize) -> Vec<crate::gather::progress::ScannedFile> {
        let file = |at| crate::gather::progress::ScannedFile { path: format!("f{at}"), lines: 1, ..Default::default() };
        (0..count).map(file).collect()
    }

    fn state() -> State {
        let theme = Theme::load("ansi", false, None).unwrap();
        State::new(std::path::Path::new("/shop"), Keymap::load(None).unwrap(), theme, (100, 30))
    }

    fn answer(answer: Answer) -> Message {
        Message::Answer(Box::new(answer))
    }

    #[test]
    fn the_first_effect_is_to_open_and_late_progress_is_dropped() {
        let mut state = state();
        let effects = start(&mut state, Some(OpenTarget::Plan("x".to_owned())), Vec::new(), None);
        assert!(matches!(effects.as_slice(), [Effect::Open(1, OpenTarget::Plan(task))] if task == "x"));
        update(&mut state, answer(Answer::Progress(1, Progress::Found(files(5)))));
        assert_eq!(state.work(), Some(Work::Scanning(Some(Stage::Reading(5)))));
        update(&mut state, answer(Answer::Progress(0, Progress::Found(files(9)))));
        assert_eq!(state.work(), Some(Work::Scanning(Some(Stage::Reading(5)))));
    }

    #[test]
    fn a_cancelled_scan_neither_opens_nor_fails_late() {
        let mut state = state();
        start(&mut state, Some(OpenTarget::Named), Vec::new(), None);
        let esc = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Esc);
        update(&mut state, Message::Key(esc));
        assert_eq!(state.work(), None);
        let late = Err(crate::error::Error::negative("too late", ""));
        update(&mut state, answer(Answer::Opened(1, late)));
        assert!(state.ui.notice.as_ref().is_some_and(|notice| notice.text.contains("cancelled")));
        assert!(!state.ui.log.iter().any(|notice| notice.text.contains("too late")));
    }

    #[test]
    fn failures_are_shown_and_changes_without_a_turn_are_ignored() {
        let mut state = state();
        start(&mut state, Some(OpenTarget::Named), Vec::new(), None);
        update(&mut state, answer(Answer::Opened(1, Err(crate::error::Error::negative("no", "try again")))));
        assert!(state.ui.notice.as_ref().is_some_and(|notice| notice.text == "no (try again)"));
        assert!(update(&mut state, Message::Changed(vec!["a.rs".to_owned()])).is_empty());
    }

    #[test]
    fn uncertain_outcomes_are_not_green() {
        for (certain, role) in [(true, Role::Good), (false, Role::Warn)] {
            let mut state = state();
            let done = Outcome { said: "copied, unconfirmed or not".to_owned(), note: None, certain };
            update(&mut state, answer(Answer::Said(Ok(done))));
            assert_eq!(state.ui.notice.map(|notice| notice.role), Some(role));
        }
    }

    #[test]
    fn the_first_run_creates_only_on_enter() {
        let mut state = state();
        let effects = start(&mut state, None, vec![".teddy/".to_owned()], None);
        assert!(effects.is_empty() && matches!(state.screen, Screen::Welcome(_)));
        let enter = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Enter);
        assert!(matches!(update(&mut state, Message::Key(enter)).as_slice(), [Effect::Init(false)]));
        let effects = update(&mut state, answer(Answer::Made(Ok(vec![".teddy".to_owned()]))));
        assert!(matches!(effects.as_slice(), [Effect::Sessions]) && matches!(state.screen, Screen::Sessions(_)));
        assert!(matches!(state.ui.layers.as_slice(), [Layer::Form(form)] if form.starts_turn()));
    }

    #[test]
    fn a_panic_in_a_job_ends_the_screen_cleanly() {
        let mut state = state();
        let effects = update(&mut state, answer(Answer::Panicked("boom".to_owned())));
        assert!(state.ui.quit && state.ui.failure.as_deref() == Some("boom"));
        assert!(matches!(effects.last(), Some(Effect::Quit)));
    }
}
