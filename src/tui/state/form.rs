//! The form for the task of the open turn, of a new session, or of the next turn.

use ratatui_textarea::{CursorMove, TextArea};

use super::line_edit::LineEdit;
use crate::app::backend::{NextRequest, TaskSettings, TurnRequest};
use crate::handoff::Phase;
use crate::render::Format;
use crate::score::{Complexity, TaskType};
use crate::text::{thousands, token_count};

/// Purpose of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// Changes the task of the open turn.
    Edit,
    /// Starts a session.
    NewSession,
    /// Starts the turn after this one.
    NextTurn { session: String, turn: String },
}

/// The form for a task.
pub struct TaskForm {
    pub area: TextArea<'static>,
    /// Acceptance criteria, or for the next turn the report.
    pub notes: TextArea<'static>,
    pub task_type: Option<TaskType>,
    pub complexity: Option<Complexity>,
    pub budget: LineEdit,
    pub format: Option<Format>,
    pub phase: Option<Phase>,
    /// Paths of logs to add, separated by spaces.
    pub evidence: LineEdit,
    pub field: Field,
    pub purpose: Purpose,
    /// State when the form was opened.
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
    Format,
    Phase,
    Evidence,
    Notes,
}

impl Field {
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Type,
        Self::Complexity,
        Self::Budget,
        Self::Format,
        Self::Phase,
        Self::Evidence,
        Self::Notes,
    ];
    /// In the form for the next turn, the report follows the task.
    const NEXT_TURN: [Self; 8] = [
        Self::Text,
        Self::Notes,
        Self::Type,
        Self::Complexity,
        Self::Budget,
        Self::Format,
        Self::Phase,
        Self::Evidence,
    ];
}

impl TaskForm {
    /// A form for the task of the open turn.
    pub fn new(form: &TaskSettings, budget: usize) -> Self {
        let mut new = Self {
            area: area(&form.text),
            notes: area(&form.done.join("\n")),
            task_type: form.task_type,
            complexity: form.complexity,
            budget: LineEdit::new(&thousands(budget)),
            format: form.format,
            phase: form.phase,
            evidence: LineEdit::default(),
            field: Field::Text,
            purpose: Purpose::Edit,
            before: form.clone(),
            budget_before: budget,
        };
        new.area.move_cursor(CursorMove::Bottom);
        new.area.move_cursor(CursorMove::End);
        new
    }

    /// A form for a new session; unset fields are inferred or configured.
    pub fn for_new_session(request: &TurnRequest) -> Self {
        Self { purpose: Purpose::NewSession, ..Self::for_request(request) }
    }

    /// A form for the next turn.
    pub fn for_next_turn(request: &NextRequest) -> Self {
        let purpose = Purpose::NextTurn { session: request.session.clone(), turn: request.turn.clone() };
        Self { purpose, notes: area(&request.report), ..Self::for_request(&request.request) }
    }

    fn for_request(request: &TurnRequest) -> Self {
        let budget = request.budget.map(thousands).unwrap_or_default();
        let evidence = LineEdit::new(&request.settings.evidence.join(" "));
        Self { budget: LineEdit::new(&budget), evidence, ..Self::new(&request.settings, 0) }
    }

    /// The form in its initial state.
    #[must_use]
    pub fn reverted(&self) -> Self {
        let request = TurnRequest { settings: self.before.clone(), budget: None };
        match &self.purpose {
            Purpose::Edit => Self::new(&self.before, self.budget_before),
            Purpose::NewSession => Self::for_new_session(&request),
            Purpose::NextTurn { session, turn } => {
                let (session, turn) = (session.clone(), turn.clone());
                Self::for_next_turn(&NextRequest { session, turn, report: String::new(), request })
            }
        }
    }

    /// Returns true if the form starts a turn, false if it changes the open one.
    pub fn starts_turn(&self) -> bool {
        self.purpose != Purpose::Edit
    }

    /// Moves to another field.
    pub fn step(&mut self, by: usize) {
        let all = if matches!(self.purpose, Purpose::NextTurn { .. }) { Field::NEXT_TURN } else { Field::ALL };
        let at = all.iter().position(|field| *field == self.field).unwrap_or_default();
        self.field = all[(at + by) % all.len()];
    }

    /// The task and its settings in the form.
    pub fn settings(&self) -> TaskSettings {
        let lines = self.notes.lines().iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
        let is_next = matches!(self.purpose, Purpose::NextTurn { .. });
        TaskSettings {
            text: self.area.lines().join("\n"),
            task_type: self.task_type,
            complexity: self.complexity,
            format: self.format,
            phase: self.phase,
            evidence: self.evidence.text().split_whitespace().map(ToOwned::to_owned).collect(),
            done: if is_next { self.before.done.clone() } else { lines.collect() },
        }
    }

    /// The turn described by the form.
    pub fn request(&self) -> TurnRequest {
        TurnRequest { settings: self.settings(), budget: self.budget() }
    }

    /// The report on the previous turn.
    pub fn report(&self) -> String {
        self.notes.lines().join("\n")
    }

    /// Shows the default budget of the changed task, type or complexity, unless a budget was typed.
    pub fn follow(&mut self, budget: usize) {
        if self.budget() == Some(self.budget_before) && budget != self.budget_before {
            (self.budget, self.budget_before) = (LineEdit::new(&thousands(budget)), budget);
        }
    }

    /// The budget that was typed.
    pub fn budget(&self) -> Option<usize> {
        token_count(self.budget.text())
    }

    /// The text for the editor: the report if its field has the focus, otherwise the task.
    pub fn edited_area(&mut self) -> &mut TextArea<'static> {
        if self.field == Field::Notes { &mut self.notes } else { &mut self.area }
    }

    pub fn set_text(&mut self, text: &str) {
        *self.edited_area() = area(text);
    }
}

/// A text field without a highlighted line.
pub fn area(text: &str) -> TextArea<'static> {
    let mut area = TextArea::new(text.lines().map(ToOwned::to_owned).collect());
    area.set_cursor_line_style(ratatui::style::Style::default());
    area.set_wrap_mode(ratatui_textarea::WrapMode::WordOrGlyph);
    area
}
