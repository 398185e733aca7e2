//! Handles answers of jobs. A late answer to an older request is dropped.

use std::sync::Arc;

use super::{Effects, begin, text};
use crate::app::backend::{LoadedTurn, OpenTarget, Progress, TurnMode};
use crate::text::{counted, thousands};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::{Answer, Effect};
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::Layer;
use crate::tui::state::{Screen, Stage, State, Work};
use crate::tui::theme::Role;

pub fn take(state: &mut State, answer: Answer, effects: &mut Effects) {
    match answer {
        Answer::Progress(generation, progress) if generation == state.requests.open => scanned(state, progress),
        Answer::Counted(generation, done) if generation == state.requests.open => {
            if let Some(bench) = state.bench.as_mut() {
                bench.count(done);
            }
        }
        Answer::Opened(generation, result) => opened(state, generation == state.requests.open, result, effects),
        Answer::Rescanned(generation, result) if generation == state.requests.open => rescanned(state, result, effects),
        Answer::Reshaped(generation, result) if generation == state.requests.reshape => reshaped(state, result),
        Answer::Preview(generation, preview) if generation == state.requests.preview => {
            if let Some(bench) = state.bench.as_mut() {
                bench.ghost = Some(preview);
            }
        }
        Answer::Shown(generation, shown) if generation == state.requests.pane => {
            let rows = layout::pane_rows(state);
            if let Some(bench) = state.bench.as_mut() {
                bench.show(*shown, rows);
            }
        }
        Answer::TextFound(generation, text, items) if generation == state.requests.text => {
            if let Some(bench) = state.bench.as_mut() {
                bench.texts.insert(text, items);
                bench.searching = None;
                super::text::narrow(bench);
            }
        }
        Answer::Payload(generation, payload, tokens) if generation == state.requests.payload => {
            let version = state.bench.as_ref().map_or(0, |bench| bench.version);
            if let Some(Layer::Payload(layer)) =
                state.layers.iter_mut().rev().find(|layer| matches!(layer, Layer::Payload(_)))
            {
                layer.set(payload, tokens);
                layer.version = version;
            }
        }
        Answer::Said(result) => {
            if matches!(state.work, Some(Work::Copying | Work::Writing)) {
                state.work = None;
            }
            match result {
                // Uncertain outcomes are not shown in green.
                Ok(done) => state.say(if done.certain { Role::Good } else { Role::Warn }, done.text()),
                Err(error) => state.fail(&error),
            }
        }
        Answer::Made(Ok(made)) => {
            state.to_be_made.clear();
            let first = made.first().map_or(".teddy", String::as_str);
            state.good(format!("Created {first}/"));
            begin(state, effects);
            // There is no session yet, so the next thing is to say what the first one is about.
            if state.screen == Screen::Sessions && state.layers.is_empty() {
                super::sessions::run(state, Command::New, effects);
            }
        }
        Answer::Memos(result) => memos(state, result, effects),
        Answer::Handoff(result) => super::handoff::show(state, result),
        Answer::HandoffSaved(text, result) => super::handoff::saved(state, &text, result),
        Answer::Unanswered(result) => super::next_turn::undone(state, result, effects),
        Answer::Refused(goal, typed, error) => {
            state.fail(&error);
            text::ask_again(state, goal, &typed);
        }
        Answer::Redactions(Ok(rows)) => {
            let open = state.layers.iter_mut().rev().find_map(|layer| match layer {
                Layer::Redactions(layer) => Some(layer),
                _ => None,
            });
            if let Some(layer) = open {
                layer.take(rows);
            }
        }
        Answer::Answered(result) => super::next_turn::answered(state, result),
        Answer::Paper(paper, result) => super::documents::answered(state, paper, result),
        Answer::Allowed(Ok(said)) => {
            // Texts were redacted when they were read, so they are read again.
            super::workbench::rescan(state, effects);
            state.after_scan = Some(said);
        }
        Answer::Sessions(Ok(rows)) => state.sessions.set(rows),
        Answer::Edited(Ok(Some(edited))) => text::edited(state, &edited, effects),
        // The file may have changed.
        Answer::Edited(Ok(None)) if state.screen == Screen::Workbench && state.bench.is_some() => {
            super::workbench::rescan(state, effects);
        }
        Answer::Kept(Err(error))
        | Answer::Made(Err(error))
        | Answer::Sessions(Err(error))
        | Answer::Redactions(Err(error))
        | Answer::Allowed(Err(error))
        | Answer::Edited(Err(error)) => state.fail(&error),
        Answer::Panicked(what) => {
            state.failure = Some(what);
            state.quit = true;
            super::leave_turn(state, effects);
            effects.push(Effect::Quit);
        }
        // Late answers, and those that need no message.
        _ => {}
    }
}

/// Updates the progress of a scan.
fn scanned(state: &mut State, progress: Progress) {
    let files = |stage: &Option<Stage>| stage.map_or(0, Stage::files);
    match (progress, &mut state.work) {
        (Progress::Looking(glance), _) => super::scan::look(state, glance),
        (Progress::Found(found), work) => {
            if let Some(Work::Scanning(now) | Work::Rescanning(now)) = work {
                *now = Some(Stage::Reading(files(now) + found.len()));
            }
            super::scan::found(state, found);
        }
        (Progress::Scoring, work) => {
            if let Some(Work::Scanning(now) | Work::Rescanning(now)) = work {
                *now = Some(Stage::Scoring(files(now)));
            }
            super::scan::all_read(state);
        }
    }
}

fn opened(
    state: &mut State,
    wanted: bool,
    result: Result<Box<LoadedTurn>, crate::error::Error>,
    effects: &mut Effects,
) {
    if !wanted {
        // The person has moved on, so the turn opened for them must not stay locked.
        if result.is_ok() {
            effects.push(Effect::Close(None));
        }
        return;
    }
    state.work = None;
    match result {
        Ok(opened) => {
            let bench = Bench::new(*opened);
            let notes = bench.about.notes.clone();
            if let Some(why) = git_off(&bench) {
                state.say(Role::Warn, why);
            }
            for note in &notes {
                state.say(Role::Warn, note.clone());
            }
            if notes.len() > 1 {
                let key = state.key_for(Command::Log);
                state.why_not(format!("{} notes; press {key} to read them", notes.len()));
            }
            effects.push(Effect::Count(state.requests.open, Arc::clone(&bench.model), None));
            super::scan::finish(state, bench, effects);
            if state.mode() != TurnMode::Open {
                super::next_turn::say_mode(state);
            }
        }
        Err(error) => {
            state.scan.restart();
            state.fail(&error);
            match state.entry.clone() {
                // The typed text stays in the field to be corrected.
                Some(OpenTarget::New(request)) => {
                    state.screen = Screen::Sessions;
                    effects.push(Effect::Sessions);
                    super::sessions::ask_task(state, &request);
                }
                Some(OpenTarget::Next(request)) => super::next_turn::ask_again(state, &request, effects),
                _ if !state.sessions.rows.is_empty() => state.screen = Screen::Sessions,
                _ => {}
            }
        }
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

fn rescanned(state: &mut State, result: Result<LoadedTurn, crate::error::Error>, effects: &mut Effects) {
    state.work = None;
    match result {
        Ok(opened) => {
            let Some(bench) = state.bench.as_mut() else { return };
            let older = bench.model.shared_corpus();
            let before = older.files.len();
            bench.replace(opened);
            effects.push(Effect::Count(state.requests.open, Arc::clone(&bench.model), Some(older)));
            let now = bench.model.corpus().files.len();
            let change = match now.cmp(&before) {
                std::cmp::Ordering::Equal => String::new(),
                std::cmp::Ordering::Greater => format!(" ({} more)", thousands(now - before)),
                std::cmp::Ordering::Less => format!(" ({} fewer)", thousands(before - now)),
            };
            effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
            let said = state.after_scan.take();
            state.good(said.unwrap_or_else(|| format!("Rescanned {}{change}", counted(now, "file"))));
            text::rescore(state, effects);
            super::review::ask(state, effects);
        }
        Err(error) => state.fail(&error),
    }
}

fn reshaped(state: &mut State, result: Result<LoadedTurn, crate::error::Error>) {
    if state.work == Some(Work::Rescoring) {
        state.work = None;
    }
    match result {
        Ok(opened) => {
            // Redactions in the person's input.
            for note in &opened.about.notes {
                state.say(Role::Warn, note.clone());
            }
            if let Some(bench) = state.bench.as_mut() {
                bench.replace(opened);
                let limit = bench.model.settings().1.limit;
                if let Some(Layer::Task(form)) =
                    state.layers.iter_mut().rev().find(|layer| matches!(layer, Layer::Task(_)))
                {
                    form.follow(limit);
                }
            }
        }
        Err(error) => state.fail(&error),
    }
}

fn memos(state: &mut State, result: Result<Vec<String>, crate::error::Error>, effects: &mut Effects) {
    match result {
        Ok(list) => {
            if let Some(Layer::Memos(memos)) =
                state.layers.iter_mut().rev().find(|layer| matches!(layer, Layer::Memos(_)))
            {
                let changed = memos.loaded && memos.list != list;
                memos.cursor = memos.cursor.min(list.len().saturating_sub(1));
                memos.list = list;
                memos.loaded = true;
                if changed {
                    text::reshape(state, None, effects);
                }
            }
        }
        Err(error) => state.fail(&error),
    }
}

/// Files changed on disk: scan again, unless a scan is running.
pub fn changed(state: &mut State, paths: &[String], effects: &mut Effects) {
    if state.bench.is_none() || paths.is_empty() {
        return;
    }
    super::workbench::rescan(state, effects);
    let what = match paths {
        [one] => format!("{one} changed on disk"),
        several => format!("{} files changed on disk", thousands(several.len())),
    };
    state.say(Role::Dim, format!("{what}; rescanning"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::backend::{OpenTarget, Outcome, Progress};
    use crate::tui::keymap::Keymap;
    use crate::tui::message::Message;
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
        let effects = start(&mut state, Some(OpenTarget::Plan("x".to_owned())), Vec::new());
        assert!(matches!(effects.as_slice(), [Effect::Open(1, OpenTarget::Plan(task))] if task == "x"));
        update(&mut state, answer(Answer::Progress(1, Progress::Found(files(5)))));
        assert_eq!(state.work, Some(Work::Scanning(Some(Stage::Reading(5)))));
        update(&mut state, answer(Answer::Progress(0, Progress::Found(files(9)))));
        assert_eq!(state.work, Some(Work::Scanning(Some(Stage::Reading(5)))));
    }

    #[test]
    fn a_cancelled_scan_neither_opens_nor_fails_late() {
        let mut state = state();
        start(&mut state, Some(OpenTarget::Named), Vec::new());
        let esc = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Esc);
        update(&mut state, Message::Key(esc));
        assert_eq!(state.work, None);
        let late = Err(crate::error::Error::negative("too late", ""));
        update(&mut state, answer(Answer::Opened(1, late)));
        assert!(state.notice.as_ref().is_some_and(|notice| notice.text.contains("cancelled")));
        assert!(!state.log.iter().any(|notice| notice.text.contains("too late")));
    }

    #[test]
    fn a_failure_is_said_and_changes_without_a_bench_ask_for_nothing() {
        let mut state = state();
        start(&mut state, Some(OpenTarget::Named), Vec::new());
        update(&mut state, answer(Answer::Opened(1, Err(crate::error::Error::negative("no", "try again")))));
        assert!(state.notice.as_ref().is_some_and(|notice| notice.text == "no (try again)"));
        assert!(update(&mut state, Message::Changed(vec!["a.rs".to_owned()])).is_empty());
    }

    #[test]
    fn what_is_not_certain_is_not_said_in_green() {
        for (certain, role) in [(true, Role::Good), (false, Role::Warn)] {
            let mut state = state();
            let done = Outcome { said: "copied, unconfirmed or not".to_owned(), note: None, certain };
            update(&mut state, answer(Answer::Said(Ok(done))));
            assert_eq!(state.notice.map(|notice| notice.role), Some(role));
        }
    }

    #[test]
    fn the_first_run_creates_only_on_enter() {
        let mut state = state();
        let effects = start(&mut state, None, vec![".teddy/".to_owned()]);
        assert!(effects.is_empty() && state.screen == Screen::Welcome);
        let enter = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Enter);
        assert!(matches!(update(&mut state, Message::Key(enter)).as_slice(), [Effect::Init(false)]));
        let effects = update(&mut state, answer(Answer::Made(Ok(vec![".teddy".to_owned()]))));
        assert!(matches!(effects.as_slice(), [Effect::Sessions]) && state.screen == Screen::Sessions);
        assert!(matches!(state.layers.as_slice(), [Layer::Task(form)] if form.starts_turn()));
    }

    #[test]
    fn a_panic_behind_the_screen_ends_it_in_order() {
        let mut state = state();
        let effects = update(&mut state, answer(Answer::Panicked("boom".to_owned())));
        assert!(state.quit && state.failure.as_deref() == Some("boom"));
        assert!(matches!(effects.last(), Some(Effect::Quit)));
    }
}
