//! Handles results of jobs. A late result for an older request is dropped.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{
    Effects, begin, documents, form, handoff, next_turn, pane, requests, review, scan, show_sessions, task, text,
    workbench,
};
use crate::app::backend::{
    Changed, LoadedTurn, OpenTarget, Outcome, PreviewedPayload, Progress, Reply, Request, TurnMode, TurnRequest,
};
use crate::error::Error;
use crate::text::{counted, thousands};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::message::{Effect, Job, JobKind, JobResult, Ticket};
use crate::tui::state::bench::{BackgroundWork, Bench};
use crate::tui::state::layer::{BenchLayer, Goal};
use crate::tui::state::scan::ScanStatus;
use crate::tui::state::{ScanStage, Screen, State, Ui};
use crate::tui::theme::Role;

pub fn take(state: &mut State, ticket: Ticket, answer: JobResult, effects: &mut Effects) {
    if state.ui.is_outdated(ticket) {
        // The person has moved to another screen, so the turn must not stay locked.
        if matches!(answer, JobResult::Reply(Reply::Opened(Ok(_)))) {
            state.ui.ask(Request::Close(None), effects);
        }
        return;
    }
    match (answer, &mut state.screen) {
        (JobResult::Reply(reply), _) => take_reply(state, ticket, reply, effects),
        (JobResult::Progress(progress), Screen::Scan(scan)) => scan::progress(scan, progress),
        (answer, Screen::Workbench(bench)) => about_turn(&mut state.ui, bench, answer, effects),
        // Results for a turn that is no longer on the screen.
        _ => {}
    }
}

fn take_reply(state: &mut State, ticket: Ticket, reply: Reply, effects: &mut Effects) {
    match (reply, &mut state.screen) {
        (Reply::Nothing, _) => {}
        (Reply::Opened(Ok(opened)), _) => show_turn(state, ticket, Bench::new(*opened), effects),
        (Reply::Opened(Err(error)), _) => open_failed(state, &error, effects),
        (Reply::Created(made), _) => created(state, &made, effects),
        (Reply::AnswerUndone(said), _) => next_turn::undone(state, said, effects),
        (Reply::Refused { request, error }, _) => refused(state, *request, &error),
        (Reply::Sessions(rows), Screen::Sessions(sessions)) => sessions.set(rows),
        (Reply::Done(outcome, changed), _) => {
            delivered(&mut state.screen);
            state.ui.report(&outcome);
            ask_for(state, changed, &outcome, effects);
        }
        (Reply::Failed(error), screen) => {
            delivered(screen);
            state.ui.fail(&error);
        }
        (reply, Screen::Workbench(bench)) => reply_about_turn(&mut state.ui, bench, ticket, reply, effects),
        // Results for a turn that is no longer on the screen.
        _ => {}
    }
}

/// Marks copying or writing as finished.
fn delivered(screen: &mut Screen) {
    if let Screen::Workbench(bench) = screen
        && matches!(bench.work, Some(BackgroundWork::Copying | BackgroundWork::Writing))
    {
        bench.work = None;
    }
}

/// Requests the list that an action has changed.
fn ask_for(state: &mut State, changed: Changed, outcome: &Outcome, effects: &mut Effects) {
    match (changed, &mut state.screen) {
        (Changed::Memos, _) => state.ui.ask(Request::Memos, effects),
        (Changed::AgentRequests, _) => state.ui.ask(Request::AgentRequests, effects),
        (Changed::Sessions, _) => state.ui.ask(Request::Sessions, effects),
        (Changed::Texts, Screen::Workbench(bench)) => {
            // Texts were redacted when they were read, so they are read again.
            workbench::rescan(&mut state.ui, bench, effects);
            bench.after_rescan = Some(outcome.text());
        }
        (Changed::Texts | Changed::Nothing, _) => {}
    }
}

/// Shows a rejected text again, so that the person can correct it.
fn refused(state: &mut State, request: Request, error: &Error) {
    match (request, &mut state.screen) {
        (Request::AddMemo(text), _) => text::ask_again(state, Goal::Memo, &text),
        (Request::Rename { session, name }, _) => text::ask_again(state, Goal::Rename(session), &name),
        (Request::SaveHandoff(text), Screen::Workbench(bench)) => handoff::correct(bench, &text),
        _ => {}
    }
    state.ui.fail(error);
}

/// Handles a result about the turn on the screen.
fn about_turn(ui: &mut Ui, bench: &mut Bench, answer: JobResult, effects: &mut Effects) {
    match answer {
        JobResult::Progress(progress) => rescanning(bench, &progress),
        JobResult::Counted(done) => bench.count(done),
        JobResult::Preview(preview) => bench.ghost = Some(preview),
        JobResult::Pane(shown) => {
            let rows = layout::pane_rows(ui.size, bench);
            bench.show(shown, rows);
            pane::arrived(ui, bench, effects);
        }
        JobResult::Highlighted(roles) => {
            for layer in &mut bench.layers {
                if let BenchLayer::Payload(payload) = layer {
                    payload.roles.clone_from(&roles);
                }
            }
        }
        JobResult::TextFound(text, items) => {
            bench.texts.insert(text, items);
            bench.searching = None;
            text::narrow(bench);
        }
        JobResult::Reply(_) => {}
    }
}

fn reply_about_turn(ui: &mut Ui, bench: &mut Bench, ticket: Ticket, reply: Reply, effects: &mut Effects) {
    match reply {
        Reply::Rescanned(result) => rescanned(ui, bench, ticket, result, effects),
        Reply::Reshaped(result) => reshaped(ui, bench, result),
        Reply::Payload(PreviewedPayload { text, tokens, reusable }) => {
            let version = bench.version;
            let open = bench.layers.iter_mut().rev().find_map(|layer| match layer {
                BenchLayer::Payload(layer) => Some(layer),
                _ => None,
            });
            if let Some(layer) = open {
                ui.start(JobKind::Highlight, Job::Highlight(text.as_str().into()), effects);
                layer.set(text, tokens);
                (layer.version, layer.reusable) = (version, reusable);
            }
        }
        Reply::Memos(list) => memos(ui, bench, list, effects),
        Reply::Handoff(text) => handoff::show(bench, &text),
        Reply::Redactions(rows) => {
            let open = bench.layers.iter_mut().rev().find_map(|layer| match layer {
                BenchLayer::Redactions(layer) => Some(layer),
                _ => None,
            });
            if let Some(layer) = open {
                layer.take(rows);
            }
        }
        Reply::AgentRequests(rows) => requests::arrived(ui, bench, rows),
        Reply::Answered(outcome) => next_turn::answered(ui, bench, &outcome),
        Reply::Page(page, result) => documents::answered(ui, bench, page, result),
        // The other replies were handled above, or need no message.
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
    // There is no session yet, so the form asks for the first task.
    if matches!(state.screen, Screen::Sessions(_)) && state.ui.layers.is_empty() {
        form::ask_task(&mut state.ui, &TurnRequest::default());
    }
}

/// Updates the progress of a rescan.
fn rescanning(bench: &mut Bench, progress: &Progress) {
    let Some(BackgroundWork::Rescanning(stage)) = &mut bench.work else { return };
    let files = stage.map_or(0, ScanStage::files);
    match progress {
        Progress::Looking(_) => {}
        Progress::Found(found) => *stage = Some(ScanStage::Reading(files + found.len())),
        Progress::Scoring => *stage = Some(ScanStage::Scoring(files)),
    }
}

fn show_turn(state: &mut State, ticket: Ticket, bench: Bench, effects: &mut Effects) {
    let ui = &mut state.ui;
    // The example of the tour is not a repository.
    if let Some(why) = git_off(&bench).filter(|_| ui.tour.is_none()) {
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
    effects.push(Effect::Start(ticket, Job::Count(Arc::clone(&bench.model), None)));
    scan::finish(state, bench, effects);
    requests::ask(state, effects);
    if let Screen::Workbench(bench) = &state.screen
        && bench.about.mode != TurnMode::Open
    {
        next_turn::say_mode(&mut state.ui, bench);
    }
}

/// Handles a turn that could not be opened. Its input stays in the form, so that the person can correct it.
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

fn rescanned(
    ui: &mut Ui,
    bench: &mut Bench,
    ticket: Ticket,
    result: Result<Box<LoadedTurn>, Error>,
    effects: &mut Effects,
) {
    bench.work = None;
    let opened = match result {
        Ok(opened) => opened,
        Err(error) => return ui.fail(&error),
    };
    let older = bench.model.shared_corpus();
    let before = older.files.len();
    bench.replace(*opened);
    effects.push(Effect::Start(ticket, Job::Count(Arc::clone(&bench.model), Some(older))));
    let now = bench.model.corpus().files.len();
    let change = match now.cmp(&before) {
        Ordering::Equal => String::new(),
        Ordering::Greater => format!(" ({} more)", thousands(now - before)),
        Ordering::Less => format!(" ({} fewer)", thousands(before - now)),
    };
    super::save(ui, bench, effects);
    let said = bench.after_rescan.take();
    ui.good(said.unwrap_or_else(|| format!("Rescanned {}{change}", counted(now, "file"))));
    task::rescore_open(ui, bench, effects);
    review::ask(ui, bench, effects);
}

fn reshaped(ui: &mut Ui, bench: &mut Bench, result: Result<Box<LoadedTurn>, Error>) {
    if bench.work == Some(BackgroundWork::Rescoring) {
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
    bench.replace(*opened);
    let limit = bench.model.settings().1.limit;
    let open = bench.layers.iter_mut().rev().find_map(|layer| match layer {
        BenchLayer::Task(form) => Some(form),
        _ => None,
    });
    if let Some(form) = open {
        form.follow(limit);
    }
}

fn memos(ui: &mut Ui, bench: &mut Bench, list: Vec<String>, effects: &mut Effects) {
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
    let what = match paths {
        [one] => format!("{one} changed on disk"),
        [first, others @ ..] => format!("{first} and {} more changed on disk", thousands(others.len())),
        [] => return,
    };
    workbench::rescan(&mut state.ui, bench, effects);
    state.ui.say(Role::Dim, format!("{what}; rescanning"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::backend::ProjectFacts;
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

    fn turn(generation: u64, answer: JobResult) -> Message {
        Message::JobResult(Ticket { kind: JobKind::Turn, generation }, Box::new(answer))
    }

    fn reply(reply: Reply) -> Message {
        Message::JobResult(Ticket { kind: JobKind::InOrder, generation: 0 }, Box::new(JobResult::Reply(reply)))
    }

    #[test]
    fn the_first_effect_is_to_open_and_late_progress_is_dropped() {
        let mut state = state();
        let effects = start(&mut state, Some(OpenTarget::Plan("x".to_owned())), ProjectFacts::default());
        assert!(
            matches!(effects.as_slice(), [Effect::Start(Ticket { generation: 1, .. }, Job::Request(Request::Open(OpenTarget::Plan(task))))] if task == "x")
        );
        update(&mut state, turn(1, JobResult::Progress(Progress::Found(files(5)))));
        assert_eq!(state.work(), Some(BackgroundWork::Scanning(Some(ScanStage::Reading(5)))));
        update(&mut state, turn(0, JobResult::Progress(Progress::Found(files(9)))));
        assert_eq!(state.work(), Some(BackgroundWork::Scanning(Some(ScanStage::Reading(5)))));
    }

    #[test]
    fn a_cancelled_scan_neither_opens_nor_fails_late() {
        let mut state = state();
        start(&mut state, Some(OpenTarget::Named), ProjectFacts::default());
        let esc = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Esc);
        update(&mut state, Message::Key(esc));
        assert_eq!(state.work(), None);
        let late = Err(Error::negative("too late", ""));
        update(&mut state, turn(1, JobResult::Reply(Reply::Opened(late))));
        assert!(state.ui.notice.as_ref().is_some_and(|notice| notice.text.contains("cancelled")));
        assert!(!state.ui.log.iter().any(|notice| notice.text.contains("too late")));
    }

    #[test]
    fn failures_are_shown_and_changes_without_a_turn_are_ignored() {
        let mut state = state();
        start(&mut state, Some(OpenTarget::Named), ProjectFacts::default());
        update(&mut state, turn(1, JobResult::Reply(Reply::Opened(Err(Error::negative("no", "try again"))))));
        assert!(state.ui.notice.as_ref().is_some_and(|notice| notice.text == "no (try again)"));
        assert!(update(&mut state, Message::Changed(vec!["a.rs".to_owned()])).is_empty());
    }

    #[test]
    fn uncertain_outcomes_are_not_green() {
        for (certain, role) in [(true, Role::Good), (false, Role::Warn)] {
            let mut state = state();
            let done = Outcome { message: "copied, unconfirmed or not".to_owned(), note: None, certain };
            update(&mut state, reply(Reply::Done(done, Changed::Nothing)));
            assert_eq!(state.ui.notice.map(|notice| notice.role), Some(role));
        }
    }

    #[test]
    fn the_first_run_creates_only_on_enter() {
        let mut state = state();
        let first_run = ProjectFacts { to_be_made: vec![".teddy/".to_owned()], ..ProjectFacts::default() };
        let effects = start(&mut state, None, first_run);
        assert!(effects.is_empty() && matches!(state.screen, Screen::Welcome(_)));
        let enter = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Enter);
        assert!(matches!(
            update(&mut state, Message::Key(enter)).as_slice(),
            [Effect::Start(_, Job::Request(Request::Init { keep_out_of_git: false }))]
        ));
        let effects = update(&mut state, reply(Reply::Created(vec![".teddy".to_owned()])));
        assert!(
            matches!(effects.as_slice(), [Effect::Start(_, Job::Request(Request::Sessions))])
                && matches!(state.screen, Screen::Sessions(_))
        );
        assert!(matches!(state.ui.layers.as_slice(), [Layer::Form(form)] if form.starts_turn()));
    }

    #[test]
    fn a_panic_in_a_job_ends_the_screen_cleanly() {
        let mut state = state();
        let effects = update(&mut state, Message::Panicked("boom".to_owned()));
        assert!(state.ui.quit && state.ui.failure.as_deref() == Some("boom"));
        assert!(matches!(effects.last(), Some(Effect::Quit)));
    }
}
