//! Everything the screen knows. Changed by `update` alone, read by the views.

pub mod bench;
pub mod layer;
pub mod line_edit;
pub mod rows;
pub mod scan;
pub mod sessions;

use std::path::Path;

use super::command::{Command, Context};
use super::keymap::{Key, Keymap};
use super::message::Generation;
use super::theme::{Role, Theme};
use crate::app::backend::{AnsweredTurn, OpenTarget, TaskSettings};
use crate::error::Error;
use bench::Bench;
use layer::Layer;
use scan::ScanList;
use sessions::Sessions;

/// Which screen is behind the overlays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// What will be made, before anything is.
    Welcome,
    Sessions,
    Workbench,
    /// A plan that waits for its report.
    AwaitingReport,
}

/// A plan, and how far it is scrolled.
#[derive(Debug)]
pub struct AwaitingReport {
    pub turn: AnsweredTurn,
    pub scroll: usize,
    /// What was written as its report and is not kept yet.
    pub draft: String,
}

/// A sentence for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub role: Role,
    pub text: String,
}

/// The numbers of the questions asked last.
#[derive(Debug, Default)]
pub struct Requests {
    pub open: Generation,
    pub preview: Generation,
    pub pane: Generation,
    /// What the pane was asked for, and for how many columns.
    pub pane_for: Option<(bench::PaneKey, u16)>,
    pub payload: Generation,
    pub reshape: Generation,
}

/// How far a scan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// So many files were read.
    Reading(usize),
    /// All of so many files are read and are being scored.
    Scoring(usize),
}

impl Stage {
    /// How many files were read.
    pub fn files(self) -> usize {
        match self {
            Self::Reading(files) | Self::Scoring(files) => files,
        }
    }
}

/// Work that goes on behind the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Scanning(Option<Stage>),
    Rescanning(Option<Stage>),
    Rescoring,
    Copying,
    Writing,
}

/// Everything the screen knows.
pub struct State {
    pub size: (u16, u16),
    pub screen: Screen,
    /// What is opened, or will be once `.teddy/` is made.
    pub entry: Option<OpenTarget>,
    /// What the first-run screen will make.
    pub to_be_made: Vec<String>,
    /// The project's directory name.
    pub project: String,
    pub keymap: Keymap,
    pub theme: Theme,
    /// Keys of a sequence that has only begun.
    pub pending: Vec<Key>,
    pub notice: Option<Notice>,
    /// What to say once the scan that goes on has ended, instead of how it ended.
    pub after_scan: Option<String>,
    pub log: Vec<Notice>,
    pub layers: Vec<Layer>,
    pub bench: Option<Bench>,
    /// The files read so far, while there is no bench yet.
    pub scan: ScanList,
    pub sessions: Sessions,
    /// Settings and budget of the form that started the session being opened.
    pub new_settings: Option<(TaskSettings, Option<usize>)>,
    pub awaiting: Option<AwaitingReport>,
    pub work: Option<Work>,
    pub requests: Requests,
    /// The last click: column, row, when.
    pub click: Option<(u16, u16, u64)>,
    pub quit: bool,
    /// Why the program has to end although nobody asked for it.
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
            project,
            keymap,
            theme,
            pending: Vec::new(),
            notice: None,
            after_scan: None,
            log: Vec::new(),
            layers: Vec::new(),
            bench: None,
            scan: ScanList::default(),
            sessions: Sessions::default(),
            new_settings: None,
            awaiting: None,
            work: None,
            requests: Requests::default(),
            click: None,
            quit: false,
            failure: None,
            counter: 0,
        }
    }

    /// Whether the first scan of a turn is under way.
    pub fn is_scanning(&self) -> bool {
        self.screen == Screen::Workbench && self.bench.is_none() && matches!(self.work, Some(Work::Scanning(_)))
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
        // What to do next is worth more than the details, and the footer has one line.
        let said = error.to_string();
        let (first, rest) = said.split_once('\n').unwrap_or((&said, ""));
        let hint = error.hint().filter(|hint| !hint.is_empty()).map_or_else(String::new, |hint| format!(" ({hint})"));
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        let text = format!("{first}{hint}{rest}");
        let role = if error.exit_code() == 1 { Role::Warn } else { Role::Bad };
        self.say(role, text);
    }

    /// Where keys are looked up, the nearest first. Empty where letters are text.
    pub fn contexts(&self) -> &'static [Context] {
        match self.layers.last() {
            Some(Layer::Filter(..) | Layer::Palette(_) | Layer::Ask(_) | Layer::Confirm(_)) => &[],
            Some(Layer::Help(help)) if help.typing => &[],
            Some(Layer::Help(_)) => &[Context::Help, Context::Move, Context::Everywhere],
            Some(Layer::Task(_)) => &[Context::Task],
            Some(Layer::Payload(_)) => &[Context::Payload, Context::Move, Context::Everywhere],
            Some(Layer::Memos(_)) => &[Context::Memos, Context::Move, Context::Everywhere],
            Some(Layer::Unfitted(_) | Layer::Redactions(_)) => &[Context::Review, Context::Move, Context::Everywhere],
            Some(Layer::Log(_) | Layer::Document(_)) => &[Context::Move, Context::Everywhere],
            None => self.screen_contexts(),
        }
    }

    /// The contexts of the screen behind the overlays.
    pub fn screen_contexts(&self) -> &'static [Context] {
        match self.screen {
            Screen::Welcome => &[Context::Move, Context::Everywhere],
            Screen::AwaitingReport => &[Context::Answer, Context::Move, Context::Everywhere],
            Screen::Sessions => &[Context::Sessions, Context::Move, Context::Everywhere],
            Screen::Workbench => &[Context::Workbench, Context::Move, Context::Everywhere],
        }
    }

    /// The key of a command on the screen behind the overlays, for a sentence; its name for the palette where it has no key.
    pub fn key_for(&self, command: Command) -> String {
        let named = || format!(":{}", command.info().name);
        self.keymap.first(self.screen_contexts(), command).unwrap_or_else(named)
    }

    /// The key of a command on this screen, as the footer shows it.
    pub fn key_of(&self, command: Command) -> String {
        self.keymap.first(self.contexts(), command).unwrap_or_default()
    }
}
