//! The interface between the command line and the full-screen front end. `main` passes the screen in, so that neither
//! front end imports the other.

use std::sync::Arc;

use super::backend::{Backend, OpenTarget};
use crate::error::Result;

/// Options for the appearance of the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Appearance {
    /// Theme from the command line.
    pub theme_option: Option<String>,
    /// Theme from the configuration.
    pub configured_theme: Option<String>,
    /// True to draw with ASCII characters only.
    pub ascii: bool,
}

/// A full-screen front end.
pub trait Screen: Sync {
    /// Returns an error if no theme has this name.
    fn check_theme(&self, name: &str) -> Result<()>;
    /// Opens text in the person's editor; returns the edited text.
    fn edit_text(&self, text: &str) -> Result<String>;
    /// Opens the screen on a turn or on the list of sessions, and returns when it is closed.
    fn run(&self, backend: &Arc<dyn Backend>, entry: Option<OpenTarget>, appearance: &Appearance) -> Result<()>;
}
