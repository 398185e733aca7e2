//! State of the screen. Only `update` changes it, and views read it.

pub mod bench;
pub mod folds;
pub mod form;
pub mod item_order;
pub mod last_change;
pub mod layer;
pub mod line_edit;
pub mod rows;
pub mod scan;
pub mod sessions;
pub mod task_history;
pub mod token_map;
pub mod tour;

use std::path::Path;

use super::command::{Command, Context};
use super::keymap::{Key, Keymap};
use super::message::{Effect, Effects, Generation, Job, JobKind, Ticket};
use super::theme::{NamedTheme, Role, Theme};
use crate::app::backend::{OpenTarget, Outcome, Request};
use crate::error::Error;
use bench::{BackgroundWork, Bench};
use layer::Layer;
use scan::{Scan, ScanStatus};
use sessions::Sessions;
use tour::Tour;

/// The screen below the overlays, with its own state.
pub enum Screen {
    /// First run: lists the paths that will be created.
    Welcome(Welcome),
    Sessions(Sessions),
    /// A turn whose files are being read for the first time, or whose scan was cancelled or has failed.
    Scan(Box<Scan>),
    Workbench(Box<Bench>),
}

/// The first run.
#[derive(Debug, Default)]
pub struct Welcome {
    /// Paths that will be created.
    pub to_be_made: Vec<String>,
    /// True to keep `.teddy/` out of git; `None` if that is not possible.
    pub keep_out: Option<bool>,
    /// Entry to open after `.teddy/` has been created.
    pub entry: Option<OpenTarget>,
}

/// A message for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub role: Role,
    pub text: String,
}

/// Progress of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanStage {
    /// Number of files read so far.
    Reading(usize),
    /// The number of files, all of which are read and being scored.
    Scoring(usize),
}

impl ScanStage {
    /// Number of files read.
    pub fn files(self) -> usize {
        match self {
            Self::Reading(files) | Self::Scoring(files) => files,
        }
    }
}

/// State shared by all screens: theme, keys, messages, and overlays that require no turn.
pub struct Ui {
    pub size: (u16, u16),
    /// Directory name of the project.
    pub project: String,
    pub keymap: Keymap,
    pub theme: Theme,
    /// All themes, for the picker.
    pub themes: Vec<NamedTheme>,
    /// True if the terminal's background determines the theme.
    pub follow_background: bool,
    /// Keys of an incomplete sequence.
    pub pending: Vec<Key>,
    pub notice: Option<Notice>,
    pub log: Vec<Notice>,
    /// Overlays above those of the screen, topmost last.
    pub layers: Vec<Layer>,
    /// Last click: column, row, time.
    pub click: Option<(u16, u16, u64)>,
    /// The tour, while it runs.
    pub tour: Option<Tour>,
    pub quit: bool,
    /// Reason for an unexpected exit.
    pub failure: Option<String>,
    /// Number of the latest job, and the number of the latest job of each kind.
    counter: Generation,
    latest: [Generation; JobKind::REPLACED],
}

/// State of the screen.
pub struct State {
    pub ui: Ui,
    pub screen: Screen,
    /// The list of sessions while another screen is shown. It keeps its cursor and filter.
    pub parked: Sessions,
}

impl Ui {
    /// The ticket for a new job, which replaces older ones of its kind.
    pub fn ticket(&mut self, kind: JobKind) -> Ticket {
        self.counter += 1;
        if let Some(latest) = kind.slot().and_then(|slot| self.latest.get_mut(slot)) {
            *latest = self.counter;
        }
        Ticket { kind, generation: self.counter }
    }

    /// Returns true if a newer job of its kind replaced this one.
    pub fn is_outdated(&self, ticket: Ticket) -> bool {
        let latest = ticket.kind.slot().and_then(|slot| self.latest.get(slot));
        latest.is_some_and(|latest| *latest != ticket.generation)
    }

    /// Starts a job that replaces older ones of its kind.
    pub fn start(&mut self, kind: JobKind, job: Job, effects: &mut Effects) {
        effects.push(Effect::Start(self.ticket(kind), job));
    }

    /// Sends a request to the rest of the program, in order after earlier ones.
    pub fn ask(&mut self, request: Request, effects: &mut Effects) {
        self.start(JobKind::InOrder, Job::Request(request), effects);
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

    /// Reports the outcome of an action. An uncertain outcome is not shown in green.
    pub fn report(&mut self, outcome: &Outcome) {
        self.say(if outcome.certain { Role::Good } else { Role::Warn }, outcome.text());
    }

    pub fn fail(&mut self, error: &Error) {
        // The footer has only one line, and the hint is more useful than the details.
        let said = error.to_string();
        let (first, rest) = said.split_once('\n').unwrap_or((&said, ""));
        let hint = error.hint().filter(|hint| !hint.is_empty()).map_or_else(String::new, |hint| format!(" ({hint})"));
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        let text = format!("{first}{hint}{rest}");
        let role = if error.is_negative() { Role::Warn } else { Role::Bad };
        self.say(role, text);
    }

    /// Key of a command in a context, for messages; the command's palette name if it has no key.
    pub fn key_in(&self, context: Context, command: Command) -> String {
        let named = || format!(":{}", command.info().name);
        self.keymap.first(context.stack(), command).unwrap_or_else(named)
    }
}

impl Screen {
    /// The context of the screen's keys.
    pub fn context(&self) -> Context {
        match self {
            Self::Welcome(_) => Context::Welcome,
            Self::Sessions(_) => Context::Sessions,
            Self::Scan(_) => Context::Workbench,
            Self::Workbench(bench) => bench.context(),
        }
    }
}

impl State {
    pub fn new(root: &Path, keymap: Keymap, theme: Theme, size: (u16, u16)) -> Self {
        let project = root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned());
        let ui = Ui {
            size,
            project,
            keymap,
            theme,
            themes: Vec::new(),
            follow_background: false,
            pending: Vec::new(),
            notice: None,
            log: Vec::new(),
            layers: Vec::new(),
            click: None,
            tour: None,
            quit: false,
            failure: None,
            counter: 0,
            latest: [0; JobKind::REPLACED],
        };
        Self { ui, screen: Screen::Sessions(Sessions::default()), parked: Sessions::default() }
    }

    /// Background work, for the header.
    pub fn work(&self) -> Option<BackgroundWork> {
        match &self.screen {
            Screen::Scan(scan) => match scan.status {
                ScanStatus::Running(stage) => Some(BackgroundWork::Scanning(stage)),
                ScanStatus::Cancelled | ScanStatus::Failed => None,
            },
            Screen::Workbench(bench) => bench.work,
            Screen::Welcome(_) | Screen::Sessions(_) => None,
        }
    }

    /// The turn on the screen.
    pub fn bench(&self) -> Option<&Bench> {
        match &self.screen {
            Screen::Workbench(bench) => Some(bench),
            _ => None,
        }
    }

    /// Returns true while an overlay is open.
    pub fn has_overlay(&self) -> bool {
        !self.ui.layers.is_empty() || self.bench().is_some_and(|bench| !bench.layers.is_empty())
    }

    /// Context of the keys; `None` while letters are text.
    fn context(&self) -> Option<Context> {
        if let Some(layer) = self.ui.layers.last() {
            return layer.context();
        }
        match &self.screen {
            Screen::Scan(scan) if scan.typing.is_some() => None,
            Screen::Workbench(bench) => match bench.layers.last() {
                Some(layer) => layer.context(),
                None => Some(bench.context()),
            },
            screen => Some(screen.context()),
        }
    }

    /// Contexts in which keys are looked up, nearest first; empty while letters are text.
    pub fn contexts(&self) -> &'static [Context] {
        self.context().map_or(&[], Context::stack)
    }

    /// Key of a command on the screen below the overlays, for messages; the command's palette name if it has no key.
    pub fn key_for(&self, command: Command) -> String {
        self.ui.key_in(self.screen.context(), command)
    }

    /// Key of a command on this screen, in the notation of the footer.
    pub fn key_of(&self, command: Command) -> String {
        self.ui.keymap.first(self.contexts(), command).unwrap_or_default()
    }
}
