//! The list during a scan: best quick score first, labelled as preliminary.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{clean, frame, join, put, put_all, width};
use super::list::{PathForm, explain, highlight, path};
use crate::place::Tier;
use crate::text::thousands;
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::Zoom;
use crate::tui::state::scan::{Scan, ScanList, ScanRow, ScanStatus};
use crate::tui::theme::Role;

/// Draws the screen while no turn is open: the files read so far, or the reason why there are none.
pub fn draw(buffer: &mut Buffer, ui: &Ui, scan: &Scan) {
    let areas = layout::areas(ui.size, Zoom::Both);
    let dim = ui.theme.style(Role::Dim);
    if scan.is_running() {
        let budget = areas.budget;
        put(buffer, budget.x, budget.y, budget.width, dim, " The budget appears once the project is scanned");
    }
    if areas.list.height >= 2 && !list(buffer, areas.list, ui, scan) {
        let inside = frame(buffer, areas.list, ui, true, &[(ui.theme.style(Role::Title), " Items ")], &[]);
        empty(buffer, inside, ui, scan);
    }
    if areas.pane.height >= 3 {
        let inside = frame(buffer, areas.pane, ui, false, &[], &[]);
        if scan.is_running() {
            let said = "The reasons appear here once the file is scored";
            put(buffer, inside.x + 1, inside.y, inside.width.saturating_sub(2), dim, said);
        }
        join(buffer, areas.list, areas.pane, ui);
    }
}

/// Explains that the list is empty.
fn empty(buffer: &mut Buffer, area: Rect, ui: &Ui, scan: &Scan) {
    let key = |command: Command| ui.key_in(Context::Workbench, command);
    let (rescan, quit) = (key(Command::Rescan), key(Command::Quit));
    let (first, second) = match scan.status {
        ScanStatus::Running(_) => {
            ("Scanning the project; files appear as they are read.", format!("{} cancels", key(Command::Back)))
        }
        ScanStatus::Cancelled => ("Scan cancelled; nothing was saved.", format!("{rescan} rescans, {quit} quits")),
        ScanStatus::Failed => ("Nothing is open.", format!("{rescan} rescans the project, {quit} quits")),
    };
    explain(buffer, area, ui, first, &second);
}

/// Draws the files read so far; false if there are none yet.
fn list(buffer: &mut Buffer, area: Rect, ui: &Ui, scan: &Scan) -> bool {
    let list = &scan.list;
    if !scan.is_running() || list.rows.is_empty() {
        return false;
    }
    let judged = list.is_judged();
    let title = title(ui, list, judged);
    let title: Vec<(Style, &str)> = title.iter().map(|(style, text)| (*style, text.as_str())).collect();
    let inside = frame(buffer, area, ui, true, &title, &[]);
    if list.visible.is_empty() {
        let said = format!("No match for /{} so far", clean(list.filter_line.text()));
        put(buffer, inside.x + 1, inside.y + 1, inside.width.saturating_sub(2), ui.theme.style(Role::Text), &said);
        return true;
    }
    let titles = if judged { "      match name" } else { "            path" };
    put(buffer, inside.x, inside.y, inside.width, ui.theme.style(Role::Dim), titles);
    let inside = layout::list_rows(area);
    for line in 0..inside.height {
        let at = list.offset + usize::from(line);
        let Some(arrived) = list.row(at) else { break };
        let area = Rect { y: inside.y + line, height: 1, ..inside };
        row(buffer, area, ui, list, arrived, judged, at == list.cursor);
    }
    true
}

fn title(ui: &Ui, list: &ScanList, judged: bool) -> Vec<(Style, String)> {
    let style = |role: Role| ui.theme.style(role);
    let dot = ui.theme.glyphs.dot;
    let count = if list.filter.is_empty() {
        thousands(list.files)
    } else {
        format!("{} of {}", thousands(list.visible.len()), thousands(list.files))
    };
    let order = if judged { "by words" } else { "by path" };
    let order = if list.is_partial() {
        format!("{dot} best {} {order} ", thousands(list.rows.len()))
    } else {
        format!("{dot} quick order {order} ")
    };
    let mut pieces = vec![(style(Role::Title), format!(" {count} items so far ")), (style(Role::Warn), order)];
    if !list.filter_line.text().is_empty() {
        pieces.push((style(Role::Dim), format!("{dot} ")));
        pieces.push((style(Role::Matched), format!("/{}", clean(list.filter_line.text()))));
        pieces.push((style(Role::Dim), " ".to_owned()));
    }
    pieces
}

fn row(buffer: &mut Buffer, area: Rect, ui: &Ui, list: &ScanList, arrived: &ScanRow, judged: bool, cursor: bool) {
    let style = |role: Role| ui.theme.style(role);
    let glyphs = ui.theme.glyphs;
    let (role, overridden) = match list.overridden(&arrived.file.path) {
        Some(Command::Pin) => (Role::Pin, "P"),
        Some(Command::Demote) => (Role::Demote, "~"),
        Some(Command::Promote) => (Role::Demote, "^"),
        Some(Command::Exclude) => (Role::Exclude, "x"),
        _ => (Role::Text, " "),
    };
    let look = if judged { format!("{:>3}% ", arrived.percent) } else { "  ?  ".to_owned() };
    let left = [
        (style(Role::Focus), if cursor { glyphs.cursor } else { " " }),
        (style(role), overridden),
        // The columns for tier and score.
        (style(Role::Dim), "  ? "),
        (style(Role::Dim), &look),
    ];
    let x = put_all(buffer, area.x, area.y, area.width, &left);
    let lines = match arrived.file.lines {
        1 => " 1 line ".to_owned(),
        lines => format!(" {} lines ", thousands(lines as usize)),
    };
    let right = width(&lines);
    let place = Rect { x, width: area.right().saturating_sub(x + right + 1), ..area };
    let form = if judged { PathForm::NameFirst } else { PathForm::Full };
    path(buffer, place, ui, &list.filter, &arrived.file.path, form, Tier::Summary);
    put(buffer, area.right().saturating_sub(right), area.y, right, style(Role::Dim), &lines);
    if cursor {
        highlight(buffer, area, ui);
    }
}
