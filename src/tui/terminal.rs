//! Enters the terminal's screen mode once, and restores the terminal with a single function in all cases.

use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use crate::platform::terminal::{replies_to_queries, suspend, wake_reader};
use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event, EventStream,
};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};
use futures_util::Stream;

/// True while the screen is in use.
static ENTERED: AtomicBool = AtomicBool::new(false);
/// Message of the last panic, printed when the terminal is restored.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Enters the screen.
pub fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

/// Restores the terminal, unless that has already happened.
pub fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    // A closed terminal cannot be restored, and nobody would see the error.
    let mut out = io::stdout();
    let _ = queue!(out, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// Restores the terminal on drop, also while unwinding.
pub struct TerminalGuard;

impl TerminalGuard {
    pub fn enter() -> io::Result<Self> {
        let guard = Self;
        enter()?;
        Ok(guard)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

/// Stores panic messages, because printing them would corrupt the display; they are printed when the terminal is
/// restored.
pub fn keep_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if !ENTERED.load(Ordering::SeqCst) {
            return usual(info);
        }
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string());
    }));
}

/// Message of the last panic.
pub fn last_panic() -> String {
    PANIC
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()
        .unwrap_or_else(|| "a background task panicked".to_owned())
}

/// Buffers a frame and writes it in one piece, so that no other output can interrupt it.
pub struct FrameWriter {
    frame: Vec<u8>,
    out: Arc<Mutex<io::Stdout>>,
}

impl FrameWriter {
    pub fn new(out: Arc<Mutex<io::Stdout>>) -> Self {
        Self { frame: Vec::with_capacity(1 << 16), out }
    }
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&self.frame)?;
        self.frame.clear();
        out.flush()
    }
}

/// The event loop's access to the terminal apart from drawing: events, and leaving the screen temporarily.
pub trait TerminalIo {
    /// Keys, mouse events and resizes.
    type Events: Stream<Item = io::Result<Event>> + Unpin;
    /// Starts listening. The previous listener must have ended, or both would compete for keys.
    fn events(&mut self) -> Self::Events;
    /// Restores the terminal temporarily.
    fn leave(&mut self);
    /// Enters the screen again.
    fn enter(&mut self) -> io::Result<()>;
    /// Requests the background colour; returns false if that is not possible.
    fn ask_background(&mut self) -> bool;
    /// Suspends the process until the shell continues it.
    fn stop(&mut self);
}

/// The real terminal.
pub struct SystemTerminal;

/// Events of the terminal, without losing any.
///
/// crossterm waits for changes (keys, a signal, its own waker) and is notified of each once. If a key and a resize, or
/// a key and the end of a stream, arrive together, it returns the resize and misses the key until the next one is
/// typed. Therefore it is made to check again after each of these events.
pub struct TerminalEvents(EventStream);

impl TerminalEvents {
    fn new() -> Self {
        let listening = Self(EventStream::new());
        wake_reader();
        listening
    }
}

impl Stream for TerminalEvents {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.0).poll_next(context);
        if matches!(next, Poll::Ready(Some(Ok(Event::Resize(..))))) {
            wake_reader();
        }
        next
    }
}

impl TerminalIo for SystemTerminal {
    type Events = TerminalEvents;

    fn events(&mut self) -> TerminalEvents {
        TerminalEvents::new()
    }

    fn leave(&mut self) {
        restore();
    }

    fn enter(&mut self) -> io::Result<()> {
        enter()
    }

    fn ask_background(&mut self) -> bool {
        if !replies_to_queries() {
            return false;
        }
        let mut out = io::stdout();
        out.write_all(super::background::QUESTION).and_then(|()| out.flush()).is_ok()
    }

    fn stop(&mut self) {
        suspend();
    }
}
