//! The form for a task: text, type, complexity, budget, format, phase, evidence, and acceptance criteria or a report.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use super::CursorAt;
use super::draw::{frame, put, put_all};
use crate::handoff::Phase;
use crate::render::Format;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::form::{Field, Purpose, TaskForm};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::theme::Role;

/// Width below which a unit is omitted.
const NARROW: u16 = 70;
/// Number of rows without text areas: two labels and four lines of fields.
const FIXED_ROWS: u16 = 6;

pub fn draw(buffer: &mut Buffer, ui: &Ui, form: &TaskForm, bench: Option<&Bench>) -> CursorAt {
    let style = |role: Role| ui.theme.style(role);
    let area = layout::form(ui.size);
    let (title, aside) = match &form.purpose {
        Purpose::Edit => (" Task ", "· scores update as you type "),
        Purpose::NewSession => (" New session ", ""),
        Purpose::NextTurn { .. } => (" What next? ", "· Enter starts the next turn "),
    };
    let inside = frame(buffer, area, ui, true, &[(style(Role::Title), title), (style(Role::Dim), aside)], &[]);
    let free = inside.height.saturating_sub(FIXED_ROWS);
    let text_rows = (free * 2 / 3).max(1);
    let canvas = Canvas { ui, form, bench, x: inside.x + 1, width: inside.width.saturating_sub(2) };
    let rows = |y: u16, height: u16| Rect { x: canvas.x + 1, y, width: canvas.width.saturating_sub(2), height };
    let first = match form.purpose {
        Purpose::NextTurn { .. } => "Task of the next turn; empty repeats the session's goal",
        _ => "Task",
    };
    canvas.label(buffer, canvas.x, inside.y, Field::Text, first);
    canvas.text(buffer, rows(inside.y + 1, text_rows), Field::Text);
    let y = inside.y + 1 + text_rows;
    let rest = inside.bottom().saturating_sub(y);
    if let Purpose::NextTurn { turn, .. } = &form.purpose {
        let height = rest.saturating_sub(FIXED_ROWS - 1);
        canvas.label(buffer, canvas.x, y, Field::Notes, &format!("Report on turn {turn}, optional"));
        canvas.text(buffer, rows(y + 1, height), Field::Notes);
        return canvas.fields(buffer, y + 1 + height);
    }
    let cursor = canvas.fields(buffer, y);
    canvas.label(buffer, canvas.x, y + 4, Field::Notes, "Acceptance criteria, one per line");
    canvas.text(buffer, rows(y + 5, rest.saturating_sub(5)), Field::Notes);
    cursor
}

/// The form, with the columns available to its fields.
struct Canvas<'a> {
    ui: &'a Ui,
    form: &'a TaskForm,
    /// The open turn, if the form is about it.
    bench: Option<&'a Bench>,
    x: u16,
    width: u16,
}

impl Canvas<'_> {
    fn style(&self, role: Role) -> Style {
        self.ui.theme.style(role)
    }

    /// The columns from `x` to the right edge.
    fn room(&self, x: u16) -> u16 {
        (self.x + self.width).saturating_sub(x)
    }

    /// Draws a field's name, highlighted if the field has the focus; returns the column after it.
    fn label(&self, buffer: &mut Buffer, x: u16, y: u16, field: Field, text: &str) -> u16 {
        let here = self.form.field == field;
        let sign = if here { self.ui.theme.glyphs.cursor } else { " " };
        let role = if here { Role::Key } else { Role::Dim };
        put_all(buffer, x - 1, y, self.room(x), &[(self.style(Role::Focus), sign), (self.style(role), text)])
    }

    /// Draws the four lines of short fields; returns the cursor position if text is typed in one of them.
    fn fields(&self, buffer: &mut Buffer, y: u16) -> CursorAt {
        let (kind, size) = (self.task_type(), self.complexity());
        self.choice(buffer, self.x, y, Field::Type, "Type        ", &kind);
        self.choice(buffer, self.x, y + 1, Field::Complexity, "Complexity  ", &size);
        let y = y + 2;
        let form = self.form;
        let inferred = form.starts_turn() && form.budget.text().is_empty();
        let role = if form.budget().is_some() || inferred { Role::Text } else { Role::Bad };
        let unset = if matches!(form.purpose, Purpose::NextTurn { .. }) { "as before" } else { "configured" };
        let after = match (inferred, &form.purpose) {
            (false, _) if self.width < NARROW => "",
            (false, _) => " tokens",
            (true, Purpose::NextTurn { .. }) => unset,
            (true, _) => "inferred",
        };
        let end = self.label(buffer, self.x, y, Field::Budget, "Budget      ");
        let budget = self.line(buffer, end, y, &form.budget, role, after);
        let third = self.width / 3;
        let format = form.format.map_or(unset, Format::name);
        self.choice(buffer, self.x + third + 1, y, Field::Format, "Format ", format);
        let phase = form.phase.map_or(if unset == "as before" { unset } else { "none" }, Phase::name);
        self.choice(buffer, self.x + third * 2 + 1, y, Field::Phase, "Phase ", phase);
        let end = self.label(buffer, self.x, y + 1, Field::Evidence, "Evidence    ");
        let known = match self.bench {
            Some(bench) if !bench.about.evidence.is_empty() => {
                format!(" in the turn: {}", bench.about.evidence.join(", "))
            }
            _ if form.evidence.text().is_empty() => "log or stack trace files, separated by spaces".to_owned(),
            _ => String::new(),
        };
        let evidence = self.line(buffer, end, y + 1, &form.evidence, Role::Text, &known);
        match form.field {
            Field::Budget => Some(budget),
            Field::Evidence => Some(evidence),
            _ => None,
        }
    }

    /// Draws a field with several values, between arrows if it has the focus.
    fn choice(&self, buffer: &mut Buffer, x: u16, y: u16, field: Field, name: &str, value: &str) {
        let end = self.label(buffer, x, y, field, name);
        let shown = if self.form.field == field { format!("< {value} >") } else { format!("  {value}") };
        put(buffer, end, y, self.room(end), self.style(Role::Text), &shown);
    }

    /// Draws a line of input, followed by dim text; returns the cursor position.
    fn line(&self, buffer: &mut Buffer, x: u16, y: u16, line: &LineEdit, role: Role, behind: &str) -> (u16, u16) {
        let (before, after) = line.split();
        let at = put_all(buffer, x, y, self.room(x), &[(self.style(Role::Text), "  "), (self.style(role), before)]);
        put_all(buffer, at, y, self.room(at), &[(self.style(role), after), (self.style(Role::Dim), behind)]);
        (at.min(self.x + self.width), y)
    }

    fn task_type(&self) -> String {
        let known = self.known();
        let label = known.map_or("", |known| known.type_label());
        let reason = known.and_then(|known| known.type_reason.as_ref());
        self.form.task_type.map_or_else(|| inferred(label, reason), |kind| kind.name().to_owned())
    }

    fn complexity(&self) -> String {
        let known = self.known();
        let label = known.map_or("", |known| known.complexity_label());
        let reason = known.and_then(|known| known.complexity_reason.as_ref());
        self.form.complexity.map_or_else(|| inferred(label, reason), |size| size.name().to_owned())
    }

    /// The classification of the open turn, which does not apply to another turn.
    fn known(&self) -> Option<&crate::score::Classification> {
        self.bench.map(|bench| &bench.about.classification)
    }

    fn text(&self, buffer: &mut Buffer, area: Rect, field: Field) {
        if area.height == 0 || area.width == 0 {
            return;
        }
        let mut shown = if field == Field::Text { self.form.area.clone() } else { self.form.notes.clone() };
        let here = self.form.field == field;
        let cursor = if here { Style::default().add_modifier(Modifier::REVERSED) } else { Style::default() };
        shown.set_cursor_style(cursor);
        (&shown).render(area, buffer);
    }
}

fn inferred(name: &str, reason: Option<&String>) -> String {
    match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{name} (inferred: {reason})"),
        None if name.is_empty() => "inferred".to_owned(),
        None => format!("{name} (inferred)"),
    }
}
