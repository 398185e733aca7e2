//! The form for the task: text, type, complexity, budget, definition of done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use super::CursorAt;
use super::draw::{frame, put, put_all};
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::layer::{Field, TaskForm};
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, state: &State, form: &TaskForm) -> CursorAt {
    let style = |role: Role| state.theme.style(role);
    let area = layout::form(state.size);
    let inside = frame(
        buffer,
        area,
        state,
        true,
        &if form.new_session {
            [(style(Role::Title), " New session "), (style(Role::Dim), "")]
        } else {
            [(style(Role::Title), " Task "), (style(Role::Dim), "scores update as you type ")]
        },
        &[],
    );
    // Text and definition of done share what the three one-line fields leave.
    let free = inside.height.saturating_sub(6);
    let text_rows = (free * 2 / 3).max(1);
    let x = inside.x + 1;
    let width = inside.width.saturating_sub(2);
    let label = |buffer: &mut Buffer, y: u16, field: Field, text: &str| {
        let here = form.field == field;
        let sign = if here { state.theme.glyphs.cursor } else { " " };
        let role = if here { Role::Key } else { Role::Dim };
        put_all(buffer, x - 1, y, width, &[(style(Role::Focus), sign), (style(role), text)])
    };
    label(buffer, inside.y, Field::Text, "Task");
    let text_area = Rect { x: x + 1, y: inside.y + 1, width: width.saturating_sub(2), height: text_rows };
    text(buffer, text_area, form, Field::Text);
    let mut y = inside.y + 1 + text_rows;
    let known = state.bench.as_ref().map(|bench| &bench.about.classification);
    let inferred = |name: &str, reason: Option<&String>| match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{name} (inferred: {reason})"),
        None if name.is_empty() => "inferred".to_owned(),
        None => format!("{name} (inferred)"),
    };
    let kind = form.task_type.map_or_else(
        || {
            let label = known.map_or("", |known| known.type_label());
            inferred(label, known.and_then(|known| known.type_reason.as_ref()))
        },
        |kind| kind.name().to_owned(),
    );
    let size = form.complexity.map_or_else(
        || {
            let label = known.map_or("", |known| known.complexity_label());
            inferred(label, known.and_then(|known| known.complexity_reason.as_ref()))
        },
        |size| size.name().to_owned(),
    );
    for (field, name, value) in [(Field::Type, "Type        ", kind), (Field::Complexity, "Complexity  ", size)] {
        let end = label(buffer, y, field, name);
        let shown = if form.field == field { format!("< {value} >") } else { format!("  {value}") };
        put(buffer, end, y, width, style(Role::Text), &shown);
        y += 1;
    }
    let end = label(buffer, y, Field::Budget, "Budget      ");
    let inferred = form.new_session && form.budget.text().is_empty();
    let wrong = if form.budget().is_some() || inferred { Role::Text } else { Role::Bad };
    let (before, after) = form.budget.split();
    let at = put_all(buffer, end, y, width, &[(style(Role::Text), "  "), (style(wrong), before)]);
    put_all(
        buffer,
        at,
        y,
        width,
        &[(style(wrong), after), (style(Role::Dim), if inferred { "inferred" } else { " tokens" })],
    );
    let budget_cursor = (at, y);
    y += 1;
    label(buffer, y, Field::Done, "Acceptance criteria, one per line");
    let done_area =
        Rect { x: x + 1, y: y + 1, width: width.saturating_sub(2), height: inside.bottom().saturating_sub(y + 1) };
    text(buffer, done_area, form, Field::Done);
    (form.field == Field::Budget).then_some(budget_cursor)
}

fn text(buffer: &mut Buffer, area: Rect, form: &TaskForm, field: Field) {
    if area.height == 0 || area.width == 0 {
        return;
    }
    let mut shown = if field == Field::Text { form.area.clone() } else { form.done.clone() };
    let cursor = if form.field == field { Style::default().add_modifier(Modifier::REVERSED) } else { Style::default() };
    shown.set_cursor_style(cursor);
    (&shown).render(area, buffer);
}
