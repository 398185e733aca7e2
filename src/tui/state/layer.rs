//! What lies over a screen, the topmost last.

use std::ops::Range;

use ratatui_textarea::TextArea;

use super::line_edit::LineEdit;
use super::rows::Spot;
use crate::app::backend::{InfoPage, Redaction, TaskSettings};
use crate::render::{Format, is_tagged, landmarks};
use crate::score::{Complexity, TaskType};
use crate::text::token_count;
use crate::tui::command::Command;

/// What lies over a screen.
pub enum Layer {
    /// The filter is being typed; what it was before, and where the cursor was.
    Filter(String, Option<Spot>),
    Payload(Box<PayloadText>),
    Task(Box<TaskForm>),
    Help(Help),
    Palette(Palette),
    Memos(Memos),
    /// Items that didn't fit, with the cursor's row.
    Unfitted(usize),
    Redactions(Redactions),
    Log(Scroll),
    Document(Box<DocumentText>),
    Ask(Ask),
    Confirm(Confirm),
}

impl Layer {
    /// How far a text that is only read is scrolled.
    pub fn scroll(&mut self) -> Option<&mut usize> {
        match self {
            Self::Help(help) => Some(&mut help.scroll),
            Self::Log(scroll) => Some(&mut scroll.0),
            Self::Document(open) => Some(&mut open.scroll.0),
            _ => None,
        }
    }
}

/// Help, searched with `/`.
#[derive(Debug, Default)]
pub struct Help {
    pub scroll: usize,
    pub query: LineEdit,
    /// Letters go into the query.
    pub typing: bool,
}

/// A text to be read, once it is there.
#[derive(Debug)]
pub struct DocumentText {
    pub paper: InfoPage,
    pub text: Option<String>,
    pub scroll: Scroll,
}

/// How far a text is scrolled.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scroll(pub usize);

/// The payload as it goes out.
#[derive(Debug, Default)]
pub struct PayloadText {
    pub text: String,
    /// Where each line begins.
    pub starts: Vec<usize>,
    /// The lines that are headings of sections.
    pub sections: Vec<usize>,
    pub tokens: usize,
    pub scroll: usize,
    /// How many columns of long lines are out of sight to the left.
    pub shift: usize,
    /// What was searched for.
    pub sought: String,
    /// Whether the text is there.
    pub ready: bool,
    /// The version of the model that it was made from.
    pub version: u64,
}

impl PayloadText {
    /// Takes the text in; headings inside fences are not sections.
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
        if self.text.starts_with("{\n") {
            // A context pack: its fields are its sections.
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
                None if ticks >= 3 => fence = Some(ticks),
                None if line.starts_with('#') && !found => self.sections.push(at),
                _ => {}
            }
        }
        self.scroll = self.scroll.min(self.starts.len().saturating_sub(1));
    }

    /// Where a line has what was searched for; a capital in it makes case count.
    pub fn found_in(&self, line: &str) -> Option<Range<usize>> {
        if self.sought.is_empty() {
            return None;
        }
        let exact = self.sought.chars().any(char::is_uppercase);
        // Letters beyond ASCII keep their case: a fold may change lengths, and with them the place.
        let at = if exact { line.find(&self.sought) } else { line.to_ascii_lowercase().find(&self.sought) }?;
        Some(at..at + self.sought.len())
    }

    /// The lines that have what was searched for.
    pub fn found(&self) -> Vec<usize> {
        (0..self.starts.len()).filter(|at| self.found_in(self.line(*at)).is_some()).collect()
    }

    /// One line of it.
    pub fn line(&self, at: usize) -> &str {
        let Some(start) = self.starts.get(at) else { return "" };
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        self.text[*start..end].trim_end_matches(['\n', '\r'])
    }
}

/// The form for the task.
pub struct TaskForm {
    pub area: TextArea<'static>,
    pub done: TextArea<'static>,
    pub task_type: Option<TaskType>,
    pub complexity: Option<Complexity>,
    pub budget: LineEdit,
    pub format: Format,
    pub field: Field,
    /// The form starts a session instead of changing an open turn.
    pub new_session: bool,
    /// As it was when the form was opened.
    pub before: TaskSettings,
    pub budget_before: usize,
}

/// The fields of the form, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Text,
    Type,
    Complexity,
    Budget,
    Done,
}

impl Field {
    pub const ALL: [Self; 5] = [Self::Text, Self::Type, Self::Complexity, Self::Budget, Self::Done];

    pub fn step(self, by: usize) -> Self {
        let at = Self::ALL.iter().position(|field| *field == self).unwrap_or_default();
        Self::ALL[(at + by) % Self::ALL.len()]
    }
}

impl TaskForm {
    pub fn new(form: &TaskSettings, budget: usize) -> Self {
        let mut new = Self {
            area: area(&form.text),
            done: area(&form.done.join("\n")),
            task_type: form.task_type,
            complexity: form.complexity,
            budget: LineEdit::new(&budget.to_string()),
            format: form.format,
            field: Field::Text,
            new_session: false,
            before: form.clone(),
            budget_before: budget,
        };
        new.area.move_cursor(ratatui_textarea::CursorMove::Bottom);
        new.area.move_cursor(ratatui_textarea::CursorMove::End);
        new
    }

    /// A form for a new session; type, complexity and budget are inferred unless they are set.
    pub fn for_new_session(text: &str) -> Self {
        let settings = TaskSettings {
            text: text.to_owned(),
            task_type: None,
            complexity: None,
            format: Format::Hybrid,
            done: Vec::new(),
        };
        Self { new_session: true, budget: LineEdit::default(), ..Self::new(&settings, 0) }
    }

    /// What the form says now.
    pub fn form(&self) -> TaskSettings {
        let done = self.done.lines().iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
        TaskSettings {
            text: self.area.lines().join("\n"),
            task_type: self.task_type,
            complexity: self.complexity,
            format: self.format,
            done: done.collect(),
        }
    }

    /// Another task, type or complexity has brought another budget: the field shows it, unless somebody types there.
    pub fn follow(&mut self, budget: usize) {
        if self.budget() == Some(self.budget_before) && budget != self.budget_before {
            (self.budget, self.budget_before) = (LineEdit::new(&budget.to_string()), budget);
        }
    }

    /// The budget that was typed.
    pub fn budget(&self) -> Option<usize> {
        token_count(self.budget.text())
    }

    pub fn set_text(&mut self, text: &str) {
        self.area = area(text);
    }
}

fn area(text: &str) -> TextArea<'static> {
    let mut area = TextArea::new(text.lines().map(ToOwned::to_owned).collect());
    area.set_cursor_line_style(ratatui::style::Style::default());
    area.set_wrap_mode(ratatui_textarea::WrapMode::WordOrGlyph);
    area
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

/// What was replaced as a secret.
#[derive(Debug, Default)]
pub struct Redactions {
    pub rows: Vec<Redaction>,
    pub loaded: bool,
    pub cursor: usize,
}

impl Redactions {
    /// Takes the list as it is now; the cursor stays with its row, wherever that is.
    pub fn take(&mut self, rows: Vec<Redaction>) {
        let here = self.rows.get(self.cursor);
        let same = |row: &Redaction| {
            here.is_some_and(|here| (&here.path, here.line, &here.rule) == (&row.path, row.line, &row.rule))
        };
        self.cursor = rows.iter().position(same).unwrap_or(self.cursor).min(rows.len().saturating_sub(1));
        (self.rows, self.loaded) = (rows, true);
    }
}

/// A line that is asked for.
#[derive(Debug)]
pub struct Ask {
    pub line: LineEdit,
    pub goal: Goal,
}

impl Ask {
    /// Asks for a line that begins with this text.
    pub fn of(goal: Goal, text: &str) -> Self {
        Self { line: LineEdit::new(text), goal }
    }
}

/// What the line is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    Rename(String),
    Memo,
    SessionFilter,
    ReportFile,
    Search,
}

impl Goal {
    /// The heading of the question.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Rename(_) => "Rename session",
            Self::Memo => "New memo",
            Self::SessionFilter => "Filter",
            Self::ReportFile => "Report file",
            Self::Search => "Search",
        }
    }

    /// What to type.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Rename(_) => "letters, digits and dashes",
            Self::Memo => "a fact or rule for every payload",
            Self::SessionFilter => "words in the name, goal or state",
            Self::ReportFile => "path of the report, absolute or from the project root",
            Self::Search => "text to find; a capital letter matches case",
        }
    }
}

/// A question whose answer is no unless another key than the one that led here says yes.
#[derive(Debug)]
pub struct Confirm {
    pub title: String,
    /// What will happen, in sentences.
    pub consequence: String,
    pub yes: char,
    pub goal: Deletion,
}

/// What a confirmed question does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deletion {
    Session(String),
    Memo(usize),
}

/// A command in the palette, with its key and perhaps the reason why it cannot run now.
pub struct Choice {
    pub command: Command,
    pub key: String,
    pub why_not: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

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
