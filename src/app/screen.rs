//! The interface between the command line and the full-screen front end: `main` passes the screen in, so that neither front
//! end imports the other.

use std::sync::Arc;

use super::backend::{Backend, OpenTarget};
use crate::error::Result;

/// Options for the appearance of the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Appearance {
    /// The theme named on the command line.
    pub theme_option: Option<String>,
    /// The theme named in the configuration.
    pub configured_theme: Option<String>,
    /// Draw with ASCII characters only.
    pub ascii: bool,
}

/// A full-screen front end.
pub trait Screen: Sync {
    /// Returns an error if there is no theme of that name.
    fn check_theme(&self, name: &str) -> Result<()>;
    /// Opens the person's editor on a text; returns the edited text.
    fn edit_text(&self, text: &str) -> Result<String>;
    /// Opens the screen on a turn, or on the list of sessions, and returns once it is closed.
    fn run(&self, backend: &Arc<dyn Backend>, entry: Option<OpenTarget>, appearance: &Appearance) -> Result<()>;
}
