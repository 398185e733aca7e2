//! The event loop: receives signals, events and results, and draws frames. It sleeps until something happens.

use std::io;
use std::task::Poll;
use std::time::{Duration, Instant};

use crossterm::event::Event;
use futures_util::{Stream, StreamExt};
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::Rect;
use tokio::sync::mpsc::UnboundedReceiver;

use super::background::{FilterResult, ReplyFilter};
use super::editor;
use super::jobs::Jobs;
use super::message::{EditResult, Effect, Effects, Message};
use super::state::State;
use super::terminal::TerminalIo;
use super::update::update;
use super::view;
use crate::error::{Error, Result};
use crate::platform::signals::{SignalEffect, Signals};

/// Minimum time between two frames.
const FRAME: Duration = Duration::from_millis(16);

/// Maximum time that the first frame waits for the terminal's background.
const REPLY: Duration = Duration::from_millis(60);

/// Reason why the loop ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitReason {
    /// The person quit.
    Quit,
    /// A signal, by name.
    Signal(&'static str),
    /// The terminal was closed.
    Closed,
    /// A panic, with its message.
    Panicked(String),
}

/// One run of the screen.
pub struct Runner<B: Backend, F: TerminalIo> {
    pub terminal: Terminal<B>,
    pub front: F,
    pub state: State,
    pub jobs: Jobs,
    pub inbox: UnboundedReceiver<Message>,
    pub replies: ReplyFilter,
}

impl<B: Backend, F: TerminalIo> Runner<B, F> {
    /// Runs until the person quits or a signal, a closed terminal or a panic ends it.
    pub async fn run(&mut self, begin: Effects) -> Result<ExitReason> {
        let mut signals = Signals::new().map_err(|source| Error::io("listen for", "signals", source))?;
        let mut events = Some(self.front.events());
        let opened_at = Instant::now();
        let early = self.ask_background(&mut events).await;
        let mut dirty = true;
        let mut drawn: Option<Instant> = None;
        self.draw()?;
        self.start(begin, &mut events)?;
        for message in early {
            let effects = update(&mut self.state, message);
            self.start(effects, &mut events)?;
        }
        loop {
            if dirty && drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
                self.draw()?;
                (dirty, drawn) = (false, Some(Instant::now()));
            }
            let Some(listening) = events.as_mut() else { return Ok(ExitReason::Closed) };
            let due = drawn.map_or_else(Instant::now, |drawn| drawn + FRAME);
            let mut messages = Vec::new();
            tokio::select! {
                biased;
                notice = signals.next() => match notice {
                    SignalEffect::End(name) => {
                        let mut effects = Effects::new();
                        super::update::quit(&mut self.state, &mut effects);
                        self.start(effects, &mut events)?;
                        return Ok(ExitReason::Signal(name));
                    }
                    SignalEffect::Continued => {
                        self.back()?;
                        dirty = true;
                    }
                },
                event = listening.next() => {
                    let mut next = Some(event);
                    // Processes all keys that have arrived before drawing the next frame.
                    while let Some(event) = next {
                        match event {
                            Some(Ok(event)) => messages.extend(self.messages(event, opened_at)),
                            Some(Err(_)) | None => return self.closed(&mut events),
                        }
                        next = if messages.len() < 1_000 { ready(listening).await } else { None };
                    }
                }
                Some(message) = self.inbox.recv() => {
                    messages.push(message);
                    while let Ok(message) = self.inbox.try_recv() {
                        messages.push(message);
                    }
                }
                () = tokio::time::sleep_until(due.into()), if dirty => {}
            }
            for message in messages {
                dirty = true;
                #[cfg(debug_assertions)]
                super::startup_check::panic_if_asked(&message, &self.jobs);
                let effects = update(&mut self.state, message);
                if self.start(effects, &mut events)? {
                    let failure = self.state.ui.failure.take();
                    return Ok(failure.map_or(ExitReason::Quit, ExitReason::Panicked));
                }
            }
        }
    }

    /// Requests the terminal's background if it determines the theme, and waits a moment for the reply, so that the
    /// first frame has the right colours. Returns other messages that arrived meanwhile; a later reply is still used.
    async fn ask_background(&mut self, events: &mut Option<F::Events>) -> Vec<Message> {
        let mut early = Vec::new();
        if !self.state.ui.follow_background || !self.front.ask_background() {
            return early;
        }
        let asked_at = Instant::now();
        while let Some(listening) = events.as_mut()
            && let Some(left) = REPLY.checked_sub(asked_at.elapsed())
            && let Ok(Some(Ok(event))) = tokio::time::timeout(left, listening.next()).await
        {
            for message in self.messages(event, asked_at) {
                if matches!(message, Message::Background(_)) {
                    update(&mut self.state, message);
                    return early;
                }
                early.push(message);
            }
        }
        early
    }

    /// Converts an event to messages. The terminal's reply about its background is not typed text.
    fn messages(&mut self, event: Event, began: Instant) -> Vec<Message> {
        match event {
            Event::Key(key) => match self.replies.take(key) {
                FilterResult::Typed(keys) => keys.into_iter().map(Message::Key).collect(),
                FilterResult::Held => Vec::new(),
                FilterResult::Reply(brightness) => vec![Message::Background(brightness)],
            },
            event => message(event, began).into_iter().collect(),
        }
    }

    /// Saves everything and exits, because the terminal was closed.
    fn closed(&mut self, events: &mut Option<F::Events>) -> Result<ExitReason> {
        let mut effects = Effects::new();
        super::update::quit(&mut self.state, &mut effects);
        self.start(effects, events)?;
        Ok(ExitReason::Closed)
    }

    fn draw(&mut self) -> Result<()> {
        let size = self.terminal.size().map_err(|error| broken(&error))?;
        if self.state.ui.size != (size.width, size.height) {
            let effects = update(&mut self.state, Message::Resize(size.width, size.height));
            // After a resize, the only effects are jobs.
            for effect in effects {
                if let Effect::Start(ticket, job) = effect {
                    self.jobs.start(ticket, job);
                }
            }
        }
        let state = &self.state;
        self.terminal.draw(|frame| view::draw(frame, state)).map_err(|error| broken(&error))?;
        Ok(())
    }

    /// Runs the requested effects; returns true if the loop must end.
    fn start(&mut self, effects: Effects, events: &mut Option<F::Events>) -> Result<bool> {
        for effect in effects {
            match effect {
                Effect::Start(ticket, job) => self.jobs.start(ticket, job),
                Effect::Cancel(ticket) => self.jobs.cancel(ticket),
                Effect::Quit => {
                    self.jobs.finish();
                    return Ok(true);
                }
                Effect::Suspend | Effect::EditFile(..) | Effect::EditMemos | Effect::EditText(_) => {
                    // Two listeners would compete for keys.
                    drop(events.take());
                    self.front.leave();
                    let edited = self.run_elsewhere(effect);
                    self.front.enter().map_err(|source| Error::io("enter", "the terminal", source))?;
                    *events = Some(self.front.events());
                    self.back()?;
                    if let Some(edited) = edited {
                        let effects = update(&mut self.state, Message::Edited(edited));
                        self.start(effects, events)?;
                    }
                    self.draw()?;
                }
            }
        }
        Ok(false)
    }

    /// Gives the terminal to another program: the editor, or the shell.
    fn run_elsewhere(&mut self, effect: Effect) -> Option<Result<EditResult>> {
        let facts = self.jobs.backend().facts();
        match effect {
            Effect::EditFile(path, line) => Some(editor::edit(&facts.root.join(path), line).map(|()| EditResult::File)),
            Effect::EditMemos => Some(editor::edit(&facts.memos_file?, 1).map(|()| EditResult::Memos)),
            Effect::EditText(text) => Some(editor::edit_text(&text).map(EditResult::Text)),
            Effect::Suspend | Effect::Start(..) | Effect::Cancel(_) | Effect::Quit => {
                self.front.stop();
                None
            }
        }
    }

    /// Redraws everything after another program has used the terminal.
    fn back(&mut self) -> Result<()> {
        let size = self.terminal.size().map_err(|error| broken(&error))?;
        // `clear` is not used, because it asks the terminal for the cursor position, and the reply would compete with
        // events.
        self.terminal.resize(Rect::new(0, 0, size.width, size.height)).map_err(|error| broken(&error))
    }
}

/// Events that have already arrived. They are polled in the loop's own task, because crossterm wakes the first task
/// that polled; polling elsewhere would leave the loop asleep.
async fn ready<S: Stream + Unpin>(stream: &mut S) -> Option<Option<S::Item>> {
    std::future::poll_fn(|context| {
        Poll::Ready(match stream.poll_next_unpin(context) {
            Poll::Ready(item) => Some(item),
            Poll::Pending => None,
        })
    })
    .await
}

fn broken(error: &dyn std::error::Error) -> Error {
    Error::io("draw on", "the terminal", io::Error::other(error.to_string()))
}

fn message(event: Event, began: Instant) -> Option<Message> {
    match event {
        Event::Key(key) => Some(Message::Key(key)),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Mouse(mouse) => Some(Message::Mouse(mouse, began.elapsed().as_millis() as u64)),
        Event::Resize(width, height) => Some(Message::Resize(width, height)),
        Event::FocusGained | Event::FocusLost => None,
    }
}
