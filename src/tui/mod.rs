//! The screen: an event loop, a state, messages that change it, effects that run in the background, and views that
//! draw it.
//!
//! | module | contents |
//! | --- | --- |
//! | `command`, `keymap`, `theme` | commands, keys and styles |
//! | `message`, `state`, `update` | events, the state, and the changes that events make to it; no input or output |
//! | `pane`, `highlight` | contents of the right pane, created off the screen's thread |
//! | `layout`, `treemap`, `view` | the areas of the screen, and drawing them |
//! | `jobs`, `watch`, `terminal`, `runner` | everything with side effects |
//! | [`driver`] | the same screen without a terminal, for tests and pictures |

mod background;
mod command;
pub mod driver;
mod editor;
mod highlight;
mod jobs;
mod keymap;
mod keys_doc;
mod layout;
mod message;
mod pane;
mod runner;
#[cfg(debug_assertions)]
mod startup_check;
mod state;
mod svg;
mod terminal;
mod theme;
mod treemap;
mod update;
mod view;
mod watch;
mod wrap;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

pub use keys_doc::keys_document;

use crate::app::backend::{Backend, OpenTarget};
use crate::app::screen::{Appearance, Screen};
use crate::error::{Error, Result};
use crate::project::config::user_dir;
use background::ReplyFilter;
use jobs::Jobs;
use keymap::Keymap;
use runner::{ExitReason, Runner};
use state::State;
use terminal::{FrameWriter, SystemTerminal, TerminalGuard};
use theme::{Theme, ThemeSelection};

/// The screen on a real terminal.
#[derive(Debug, Clone, Copy, Default)]
pub struct TerminalScreen;

impl Screen for TerminalScreen {
    fn check_theme(&self, name: &str) -> Result<()> {
        Theme::load(name, false, user_dir().as_deref()).map(drop)
    }

    fn edit_text(&self, text: &str) -> Result<String> {
        editor::edit_text(text)
    }

    fn run(&self, backend: &Arc<dyn Backend>, entry: Option<OpenTarget>, appearance: &Appearance) -> Result<()> {
        run(backend, entry, appearance)
    }
}

fn run(backend: &Arc<dyn Backend>, entry: Option<OpenTarget>, appearance: &Appearance) -> Result<()> {
    // Errors in these are reported before the screen opens.
    let user_dir = user_dir();
    let keymap = Keymap::load(user_dir.as_deref())?;
    let look = ThemeSelection::from_environment(appearance, user_dir.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|source| Error::io("start", "the screen's loop", source))?;
    terminal::keep_panics();
    let ended = {
        let _guard = TerminalGuard::enter().map_err(|source| Error::io("enter", "the terminal", source))?;
        catch_unwind(AssertUnwindSafe(|| runtime.block_on(screen(backend, entry, keymap, look))))
    };
    // A running job must not prevent the process from exiting.
    runtime.shutdown_background();
    match ended {
        Ok(Ok(ExitReason::Quit | ExitReason::Closed)) => Ok(()),
        Ok(Ok(ExitReason::Signal(name))) => {
            Err(Error::negative(format!("ended by {name}; everything is saved"), "continue with: teddy resume"))
        }
        Ok(Ok(ExitReason::Panicked(what))) => Err(panicked(&what)),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(panicked(&terminal::last_panic())),
    }
}

fn panicked(what: &str) -> Error {
    Error::input(
        format!("internal error; please report this bug: {what}"),
        "the turn is saved; continue with: teddy resume",
    )
}

async fn screen(
    backend: &Arc<dyn Backend>,
    entry: Option<OpenTarget>,
    keymap: Keymap,
    look: ThemeSelection,
) -> Result<ExitReason> {
    let broken = |source: io::Error| Error::io("draw on", "the terminal", source);
    let out = Arc::new(Mutex::new(io::stdout()));
    backend.share_terminal(out.clone());
    let terminal = Terminal::new(CrosstermBackend::new(FrameWriter::new(out))).map_err(broken)?;
    let size = terminal.size().map_err(broken)?;
    let (to, inbox) = tokio::sync::mpsc::unbounded_channel();
    let ThemeSelection { theme, themes, follow_background } = look;
    let mut state = State::new(&backend.facts().root, keymap, theme, (size.width, size.height));
    (state.ui.themes, state.ui.follow_background) = (themes, follow_background);
    let begin = update::start(&mut state, entry, backend.facts());
    let jobs = Jobs::new(Arc::clone(backend), to);
    Runner { terminal, front: SystemTerminal, state, jobs, inbox, replies: ReplyFilter::default() }.run(begin).await
}
