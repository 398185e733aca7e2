//! State of the screen. Only `update` changes it, and views read it.

pub mod bench;
pub mod form;
pub mod layer;
pub mod line_edit;
pub mod rows;
pub mod scan;
pub mod sessions;
pub mod token_map;

use std::path::Path;

use super::command::{Command, Context};
use super::keymap::{Key, Keymap};
use super::message::Generation;
use super::theme::{NamedTheme, Role, Theme};
use crate::app::backend::{OpenTarget, TurnMode};
use crate::error::Error;
use bench::Bench;
use layer::Layer;
use scan::ScanList;
use sessions::Sessions;

/// The screen behind the overlays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// First run: lists what will be created.
    Welcome,
    Sessions,
    Workbench,
}

/// A message for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub role: Role,
    pub text: String,
}

/// Numbers of the latest requests.
#[derive(Debug, Default)]
pub struct Requests {
    pub open: Generation,
    pub preview: Generation,
    pub text: Generation,
    pub pane: Generation,
    /// Latest request for the pane, and its width.
    pub pane_for: Option<(bench::PaneKey, u16)>,
    pub payload: Generation,
    pub reshape: Generation,
}

/// Progress of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Number of files read so far.
    Reading(usize),
    /// All files, this many, are read and being scored.
    Scoring(usize),
}

impl Stage {
    /// Number of files read.
    pub fn files(self) -> usize {
        match self {
            Self::Reading(files) | Self::Scoring(files) => files,
        }
    }
}

/// Background work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Scanning(Option<Stage>),
    Rescanning(Option<Stage>),
    Rescoring,
    Copying,
    Writing,
}

/// State of the screen.
pub struct State {
    pub size: (u16, u16),
    pub screen: Screen,
    /// The entry that is open, or will be once `.teddy/` exists.
    pub entry: Option<OpenTarget>,
    /// Paths that the first-run screen will create.
    pub to_be_made: Vec<String>,
    /// Whether the first-run screen keeps `.teddy/` out of git; `None` where it cannot.
    pub keep_out: Option<bool>,
    /// Directory name of the project.
    pub project: String,
    pub keymap: Keymap,
    pub theme: Theme,
    /// All themes, for the picker.
    pub themes: Vec<NamedTheme>,
    /// The terminal's background decides on the theme.
    pub follow_background: bool,
    /// Keys of an incomplete sequence.
    pub pending: Vec<Key>,
    pub notice: Option<Notice>,
    /// Message for the end of the current scan, in place of the usual one.
    pub after_scan: Option<String>,
    pub log: Vec<Notice>,
    pub layers: Vec<Layer>,
    pub bench: Option<Bench>,
    /// Files read so far, before the workbench exists.
    pub scan: ScanList,
    pub sessions: Sessions,
    pub work: Option<Work>,
    pub requests: Requests,
    /// Last click: column, row, time.
    pub click: Option<(u16, u16, u64)>,
    pub quit: bool,
    /// Reason for an unexpected exit.
    pub failure: Option<String>,
    counter: Generation,
}

impl State {
    pub fn new(root: &Path, keymap: Keymap, theme: Theme, size: (u16, u16)) -> Self {
        let project = root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned());
        Self {
            size,
            screen: Screen::Sessions,
            entry: None,
            to_be_made: Vec::new(),
            keep_out: None,
            project,
            keymap,
            theme,
            themes: Vec::new(),
            follow_background: false,
            pending: Vec::new(),
            notice: None,
            after_scan: None,
            log: Vec::new(),
            layers: Vec::new(),
            bench: None,
            scan: ScanList::default(),
            sessions: Sessions::default(),
            work: None,
            requests: Requests::default(),
            click: None,
            quit: false,
            failure: None,
            counter: 0,
        }
    }

    /// Returns true during the first scan of a turn.
    pub fn is_scanning(&self) -> bool {
        self.screen == Screen::Workbench && self.bench.is_none() && matches!(self.work, Some(Work::Scanning(_)))
    }

    /// State of the turn on the screen.
    pub fn mode(&self) -> TurnMode {
        self.bench.as_ref().map_or(TurnMode::Open, |bench| bench.about.mode)
    }

    /// The number for the next question.
    pub fn ask(&mut self) -> Generation {
        self.counter += 1;
        self.counter
    }

    pub fn say(&mut self, role: Role, text: impl Into<String>) {
        let notice = Notice { role, text: text.into() };
        if self.log.last() != Some(&notice) {
            self.log.push(notice.clone());
        }
        if self.log.len() > 1_000 {
            self.log.remove(0);
        }
        self.notice = Some(notice);
    }

    pub fn good(&mut self, text: impl Into<String>) {
        self.say(Role::Good, text);
    }

    pub fn why_not(&mut self, text: impl Into<String>) {
        self.say(Role::Warn, text);
    }

    pub fn fail(&mut self, error: &Error) {
        // The footer has one line, and the hint is more useful than the details.
        let said = error.to_string();
        let (first, rest) = said.split_once('\n').unwrap_or((&said, ""));
        let hint = error.hint().filter(|hint| !hint.is_empty()).map_or_else(String::new, |hint| format!(" ({hint})"));
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        let text = format!("{first}{hint}{rest}");
        let role = if error.exit_code() == 1 { Role::Warn } else { Role::Bad };
        self.say(role, text);
    }

    /// Contexts for looking up keys, nearest first; empty while letters are text.
    pub fn contexts(&self) -> &'static [Context] {
        match self.layers.last() {
            Some(Layer::Filter(..) | Layer::Palette(_) | Layer::Ask(_) | Layer::Confirm(_)) => &[],
            Some(Layer::Help(help)) if help.typing => &[],
            Some(Layer::Help(_)) => &[Context::Help, Context::Move, Context::Everywhere],
            Some(Layer::Task(_) | Layer::Handoff(_)) => &[Context::Task],
            Some(Layer::Payload(_)) => &[Context::Payload, Context::Move, Context::Everywhere],
            Some(Layer::Map(_)) => &[Context::Map, Context::Move, Context::Everywhere],
            Some(Layer::Memos(_)) => &[Context::Memos, Context::Move, Context::Everywhere],
            Some(Layer::Unfitted(_) | Layer::Redactions(_)) => &[Context::Review, Context::Move, Context::Everywhere],
            Some(Layer::Log(_) | Layer::LastChange(_) | Layer::Themes(_) | Layer::Document(_)) => {
                &[Context::Move, Context::Everywhere]
            }
            None => self.screen_contexts(),
        }
    }

    /// Contexts of the screen behind the overlays.
    pub fn screen_contexts(&self) -> &'static [Context] {
        match self.screen {
            Screen::Welcome => &[Context::Welcome, Context::Move, Context::Everywhere],
            Screen::Sessions => &[Context::Sessions, Context::Move, Context::Everywhere],
            Screen::Workbench if self.mode() != TurnMode::Open => {
                &[Context::Answer, Context::Workbench, Context::Move, Context::Everywhere]
            }
            Screen::Workbench => &[Context::Workbench, Context::Move, Context::Everywhere],
        }
    }

    /// Key of a command on the screen behind the overlays, for messages; its palette name if it has no key.
    pub fn key_for(&self, command: Command) -> String {
        let named = || format!(":{}", command.info().name);
        self.keymap.first(self.screen_contexts(), command).unwrap_or_else(named)
    }

    /// Key of a command on this screen, as the footer shows it.
    pub fn key_of(&self, command: Command) -> String {
        self.keymap.first(self.contexts(), command).unwrap_or_default()
    }
}
