//! The terminal: entered once, restored by one function whatever happens.

use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event, EventStream,
};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};
use futures_util::Stream;

/// Whether the screen is ours now.
static ENTERED: AtomicBool = AtomicBool::new(false);
/// What the last panic said, told once the terminal is back.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Takes the screen.
pub fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

/// Gives the screen back. Does nothing where it was given back already, so that everybody may call it.
pub fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    // A terminal that is gone cannot be restored, and there is nobody to tell.
    let mut out = io::stdout();
    let _ = queue!(out, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// Restores the terminal when it goes out of scope, also while unwinding.
pub struct Guard;

impl Guard {
    pub fn enter() -> io::Result<Self> {
        let guard = Self;
        enter()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// While the screen is up a panic must not write into it: it is kept, and told once the terminal is back.
pub fn keep_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if !ENTERED.load(Ordering::SeqCst) {
            return usual(info);
        }
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string());
    }));
}

/// What the last panic said.
pub fn last_panic() -> String {
    PANIC
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()
        .unwrap_or_else(|| "a background task panicked".to_owned())
}

/// Collects a frame and writes it as a whole, so that nothing else can land inside it.
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

/// What the loop needs of the terminal besides drawing: events, and leaving it for a while.
pub trait Front {
    /// What is typed, clicked and resized.
    type Events: Stream<Item = io::Result<Event>> + Unpin;
    /// Begins to listen. The one before has to be gone, or it would eat keys.
    fn events(&mut self) -> Self::Events;
    /// Gives the terminal back for a while.
    fn leave(&mut self);
    /// Takes it again.
    fn enter(&mut self) -> io::Result<()>;
    /// Stops this process until the shell continues it.
    fn stop(&mut self);
}

/// The terminal that we run in.
pub struct Real;

/// What comes from the terminal, none of it forgotten.
///
/// crossterm waits for changes (keys, a signal, its own waker) and is told of each once. Where a key and another size, or a key and
/// the end of a stream, come at the same moment, it returns at the size and forgets the key until the next one is typed. So after
/// each of those it is made to look once more.
pub struct Listening(EventStream);

impl Listening {
    fn new() -> Self {
        let listening = Self(EventStream::new());
        look_again();
        listening
    }
}

impl Stream for Listening {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.0).poll_next(context);
        if matches!(next, Poll::Ready(Some(Ok(Event::Resize(..))))) {
            look_again();
        }
        next
    }
}

/// Wakes who waits for the terminal: setting its attributes, though to what they are, makes the system ask anew what can be read.
fn look_again() {
    #[cfg(unix)]
    {
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        let stdin = io::stdin();
        if let Ok(attributes) = tcgetattr(&stdin) {
            let _ = tcsetattr(&stdin, OptionalActions::Now, &attributes);
        }
    }
}

impl Front for Real {
    type Events = Listening;

    fn events(&mut self) -> Listening {
        Listening::new()
    }

    fn leave(&mut self) {
        restore();
    }

    fn enter(&mut self) -> io::Result<()> {
        enter()
    }

    fn stop(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Signal, getpid, kill_process};
            // The whole group would stop a script that runs us; the shell waits for this process alone.
            let _ = kill_process(getpid(), Signal::TSTP);
        }
    }
}
