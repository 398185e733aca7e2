//! Overlays: those of the workbench, and above them those available on every screen. The topmost is last.

use std::ops::Range;

use ratatui_textarea::TextArea;

use super::form::TaskForm;
use super::line_edit::LineEdit;
use super::rows::RowPath;
use super::token_map::TokenMap;
use crate::app::backend::{InfoPage, Redaction};
use crate::render::{ReusablePrefix, is_tagged, landmarks};
use crate::tui::command::{Command, Context};
use crate::tui::highlight::LineRoles;
use crate::tui::theme::Theme;

/// An overlay that does not require an open turn.
pub enum Layer {
    Help(Help),
    Palette(Palette),
    Log(Scroll),
    Themes(Box<ThemePicker>),
    LinePrompt(LinePrompt),
    Confirm(Confirm),
    /// The form for a new session or the next turn.
    Form(Box<TaskForm>),
}

/// An overlay of the workbench.
pub enum BenchLayer {
    Filter(FilterEdit),
    Payload(Box<PayloadText>),
    Map(Box<TokenMap>),
    /// The form for the task of the open turn.
    Task(Box<TaskForm>),
    Handoff(Box<HandoffText>),
    Memos(Memos),
    /// Items that didn't fit, with the row of the cursor.
    Unfitted(usize),
    Redactions(Redactions),
    /// Requests of agents, with the row of the cursor.
    Requests(usize),
    /// The last change, before and after.
    LastChange(Scroll),
    Document(Box<DocumentText>),
    /// The sections and files of the payload behind it.
    Outline(PayloadOutline),
}

impl Layer {
    /// Context of the overlay's keys; `None` while letters are text.
    pub fn context(&self) -> Option<Context> {
        match self {
            Self::Palette(_) | Self::LinePrompt(_) | Self::Confirm(_) => None,
            Self::Help(help) if help.typing => None,
            Self::Help(_) => Some(Context::Help),
            Self::Form(_) => Some(Context::Task),
            Self::Log(_) | Self::Themes(_) => Some(Context::Move),
        }
    }

    /// Returns true if typed keys are text.
    pub fn takes_text(&self) -> bool {
        matches!(self.context(), None | Some(Context::Task))
    }

    /// Scroll offset of read-only text.
    pub fn scroll(&mut self) -> Option<&mut usize> {
        match self {
            Self::Help(help) => Some(&mut help.scroll),
            Self::Log(scroll) => Some(&mut scroll.0),
            _ => None,
        }
    }
}

impl BenchLayer {
    /// Context of the overlay's keys; `None` while letters are text.
    pub fn context(&self) -> Option<Context> {
        match self {
            Self::Filter(_) => None,
            Self::Task(_) | Self::Handoff(_) => Some(Context::Task),
            Self::Payload(_) => Some(Context::Payload),
            Self::Map(_) => Some(Context::Map),
            Self::Memos(_) => Some(Context::Memos),
            Self::Unfitted(_) | Self::Redactions(_) => Some(Context::Review),
            Self::Requests(_) => Some(Context::Requests),
            Self::LastChange(_) | Self::Document(_) | Self::Outline(_) => Some(Context::Move),
        }
    }

    /// Returns true if typed keys are text.
    pub fn takes_text(&self) -> bool {
        matches!(self.context(), None | Some(Context::Task))
    }

    pub fn as_map(&mut self) -> Option<&mut TokenMap> {
        if let Self::Map(map) = self { Some(map) } else { None }
    }

    /// Scroll offset of read-only text.
    pub fn scroll(&mut self) -> Option<&mut usize> {
        match self {
            Self::LastChange(scroll) => Some(&mut scroll.0),
            Self::Document(open) => Some(&mut open.scroll.0),
            _ => None,
        }
    }
}

/// The filter and the cursor's row before typing.
#[derive(Debug, Clone, Default)]
pub struct FilterEdit {
    pub before: String,
    pub spot: Option<RowPath>,
}

/// The handoff that is being edited, and its original text.
pub struct HandoffText {
    pub area: TextArea<'static>,
    pub before: String,
}

impl HandoffText {
    pub fn text(&self) -> String {
        self.area.lines().join("\n") + "\n"
    }
}

/// Help with a search.
#[derive(Debug, Default)]
pub struct Help {
    pub scroll: usize,
    pub query: LineEdit,
    /// True while a query is typed.
    pub typing: bool,
}

/// The theme picker.
#[derive(Debug)]
pub struct ThemePicker {
    pub cursor: usize,
    /// The theme to return to.
    pub before: Theme,
}

/// A page, or `None` while it is loading.
#[derive(Debug)]
pub struct DocumentText {
    pub page: InfoPage,
    pub text: Option<String>,
    pub scroll: Scroll,
}

/// Scroll offset.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scroll(pub usize);

/// The sections and files of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayloadOutline {
    /// Line and label.
    pub entries: Vec<(usize, String)>,
    pub cursor: usize,
}

/// The payload preview.
#[derive(Debug, Default)]
pub struct PayloadText {
    pub text: String,
    /// Start of each line.
    pub starts: Vec<usize>,
    /// Lines that are section headings.
    pub sections: Vec<usize>,
    /// Lines that begin a file, with its path.
    pub files: Vec<(usize, String)>,
    /// The roles of each line's parts, once they are known.
    pub roles: Vec<LineRoles>,
    pub tokens: usize,
    /// The beginning that it shares with the previous payload.
    pub reusable: Option<ReusablePrefix>,
    pub scroll: usize,
    /// Horizontal scroll offset.
    pub shift: usize,
    /// Search text.
    pub sought: String,
    /// True once the text is loaded.
    pub ready: bool,
    /// Version of the model that it was rendered from.
    pub version: u64,
}

impl PayloadText {
    /// Sets the text; headings inside fences are not sections.
    pub fn set(&mut self, text: String, tokens: usize) {
        self.starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        if self.starts.last() == Some(&text.len()) {
            self.starts.pop();
        }
        self.text = text;
        self.tokens = tokens;
        self.ready = true;
        let mut fence: Option<usize> = None;
        self.sections.clear();
        self.files.clear();
        self.roles.clear();
        if self.text.starts_with("{\n") {
            // The fields of a context pack are its sections.
            self.sections = (0..self.starts.len()).filter(|at| self.line(*at).starts_with('"')).collect();
        }
        if is_tagged(&self.text) {
            self.sections = landmarks(&self.text);
        }
        let found = !self.sections.is_empty();
        for at in 0..self.starts.len() {
            let line = self.line(at);
            let ticks = line.len() - line.trim_start_matches('`').len();
            match fence {
                Some(open) if ticks >= open && line.trim_start_matches('`').trim().is_empty() => fence = None,
                None if ticks >= 3 => {
                    fence = Some(ticks);
                    self.files.extend(self.file_named(at + 1).map(|path| (at, path)));
                }
                None if line.starts_with('#') && !found => self.sections.push(at),
                _ => {}
            }
        }
        self.scroll = self.scroll.min(self.starts.len().saturating_sub(1));
    }

    /// The path that the first line of a code block names.
    fn file_named(&self, at: usize) -> Option<String> {
        let (before, path) = self.line(at).split_once("file: ")?;
        // A comment of any language, and nothing else.
        let is_comment = before.len() <= 5 && !before.contains(char::is_alphanumeric);
        is_comment.then(|| path.trim_end_matches(['*', '/', '-', '>', ' ']).to_owned())
    }

    /// Sections and files with their lines, in order; the entry at or above the top line is under the cursor.
    pub fn outline(&self) -> PayloadOutline {
        let heading = |line: &usize| {
            let text = self.line(*line);
            let level = text.len() - text.trim_start_matches('#').len();
            (*line, format!("{}{}", "  ".repeat(level.saturating_sub(1)), text.trim_start_matches('#').trim()))
        };
        let files = self.files.iter().map(|(line, path)| (*line, format!("      {path}")));
        let mut entries: Vec<(usize, String)> = self.sections.iter().map(heading).chain(files).collect();
        entries.sort();
        let cursor = entries.partition_point(|(line, _)| *line <= self.scroll).saturating_sub(1);
        PayloadOutline { entries, cursor }
    }

    /// Position of the match in a line; a capital letter makes the search case-sensitive.
    pub fn found_in(&self, line: &str) -> Option<Range<usize>> {
        if self.sought.is_empty() {
            return None;
        }
        let exact = self.sought.chars().any(char::is_uppercase);
        // Case is ignored only for ASCII, because folding other letters may change their length and thus positions.
        let at = if exact { line.find(&self.sought) } else { line.to_ascii_lowercase().find(&self.sought) }?;
        Some(at..at + self.sought.len())
    }

    /// Lines with a match.
    pub fn found(&self) -> Vec<usize> {
        (0..self.starts.len()).filter(|at| self.found_in(self.line(*at)).is_some()).collect()
    }

    /// A line of the text.
    pub fn line(&self, at: usize) -> &str {
        let Some(start) = self.starts.get(at) else { return "" };
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        self.text[*start..end].trim_end_matches(['\n', '\r'])
    }
}

/// The command palette.
#[derive(Debug, Default)]
pub struct Palette {
    pub line: LineEdit,
    pub cursor: usize,
}

/// The memos.
#[derive(Debug, Default)]
pub struct Memos {
    pub list: Vec<String>,
    pub loaded: bool,
    pub cursor: usize,
}

/// Redacted secrets.
#[derive(Debug, Default)]
pub struct Redactions {
    pub rows: Vec<Redaction>,
    pub loaded: bool,
    pub cursor: usize,
}

impl Redactions {
    /// Updates the list; the cursor stays on its entry.
    pub fn take(&mut self, rows: Vec<Redaction>) {
        let here = self.rows.get(self.cursor);
        let same = |row: &Redaction| {
            here.is_some_and(|here| (&here.path, here.line, &here.rule) == (&row.path, row.line, &row.rule))
        };
        self.cursor = rows.iter().position(same).unwrap_or(self.cursor).min(rows.len().saturating_sub(1));
        (self.rows, self.loaded) = (rows, true);
    }
}

/// A prompt for a line of text.
#[derive(Debug)]
pub struct LinePrompt {
    pub line: LineEdit,
    pub goal: Goal,
}

impl LinePrompt {
    /// A prompt with initial text.
    pub fn of(goal: Goal, text: &str) -> Self {
        Self { line: LineEdit::new(text), goal }
    }
}

/// Purpose of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    Rename(String),
    Memo,
    SessionFilter,
    Search,
}

impl Goal {
    /// Heading of the prompt.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Rename(_) => "Rename session",
            Self::Memo => "New memo",
            Self::SessionFilter => "Filter",
            Self::Search => "Search",
        }
    }

    /// Description of the input.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Rename(_) => "letters, digits and dashes",
            Self::Memo => "a fact or rule for every payload",
            Self::SessionFilter => "words in the name, goal or state",
            Self::Search => "text to find; a capital letter matches case",
        }
    }
}

/// A confirmation; all keys except the confirming one answer no.
#[derive(Debug)]
pub struct Confirm {
    pub title: String,
    /// The consequences in full sentences.
    pub consequence: String,
    pub yes: char,
    pub action: ConfirmedAction,
}

/// Action of a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmedAction {
    DeleteSession(String),
    RemoveMemo(usize),
    /// Uses the task as the session's goal and name.
    Retitle,
}

impl ConfirmedAction {
    /// Label of the confirming key.
    pub fn label(&self) -> &'static str {
        match self {
            Self::DeleteSession(_) | Self::RemoveMemo(_) => "delete",
            Self::Retitle => "update",
        }
    }

    /// Returns true if something is lost.
    pub fn deletes(&self) -> bool {
        *self != Self::Retitle
    }
}

/// A command in the palette, with its key, and the reason why it is unavailable, if it is.
pub struct PaletteEntry {
    pub command: Command,
    pub key: String,
    pub why_not: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_lists_sections_and_files_in_order() {
        let mut payload = PayloadText { scroll: 4, ..PayloadText::default() };
        let text = "# Payload\n\n## RAW\n\n### RAW:primary-code-1\n```python\n# file: pay/ledger.py (lines 1-3)\n# the file: none\n```\n## ACK\n";
        payload.set(text.to_owned(), 9);
        let outline = payload.outline();
        let expected = [
            (0, "Payload"),
            (2, "  RAW"),
            (4, "    RAW:primary-code-1"),
            (5, "      pay/ledger.py (lines 1-3)"),
            (9, "  ACK"),
        ];
        assert_eq!(outline.entries, expected.map(|(line, label)| (line, label.to_owned())));
        assert_eq!(outline.cursor, 2);
    }

    #[test]
    fn the_cursor_stays_with_its_secret() {
        let row = |line: u32| Redaction { path: "a.rs".into(), line, rule: "password".into(), allowed: false };
        let mut list = Redactions { rows: vec![row(1), row(2), row(3)], loaded: true, cursor: 1 };
        list.take(vec![row(2), row(3)]);
        assert_eq!(list.cursor, 0, "the one above it is gone");
        list.take(vec![row(3)]);
        list.take(Vec::new());
        assert_eq!((list.cursor, list.rows.len()), (0, 0));
    }
}
