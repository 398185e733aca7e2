//! Commands of the workbench: overlays, delivery and views.

use super::{Effects, cancel, documents, moving, next_turn, overrides, pane, review, save, text, token_map};
use crate::app::backend::{InfoPage, Request, Scope, TurnMode};
use crate::ids::ItemId;
use crate::place::{Override, Tier};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::{Effect, Job, JobKind};
use crate::tui::pane::PaneView;
use crate::tui::state::Ui;
use crate::tui::state::bench::{BackgroundWork, Bench, Zoom};
use crate::tui::state::form::TaskForm;
use crate::tui::state::layer::{BenchLayer, FilterEdit, Memos, Scroll};
use crate::workbench::lines;

/// Runs a command of the workbench.
pub fn run(ui: &mut Ui, bench: &mut Bench, command: Command, effects: &mut Effects) {
    if pane::run(ui, bench, command, effects) || moving::list(ui, bench, command) {
        return;
    }
    match command {
        Command::Back => back(ui, bench, effects),
        Command::Rescan => rescan(ui, bench, effects),
        Command::Pin | Command::PinFull | Command::Demote | Command::Promote | Command::Exclude | Command::Reset => {
            overrides::rule(ui, bench, command, effects);
        }
        Command::Undo | Command::Redo => overrides::undo(ui, bench, command, effects),
        Command::BudgetUp | Command::BudgetDown => overrides::budget(ui, bench, command, effects),
        Command::AutoFill => overrides::fill(ui, bench, effects),
        Command::Copy => copy(ui, bench, effects),
        Command::Write => write(ui, bench, effects),
        Command::Preview => {
            bench.layers.push(BenchLayer::Payload(Box::default()));
            ask_payload(ui, bench, effects);
        }
        Command::Map => token_map::open(bench),
        Command::LastChange => bench.layers.push(BenchLayer::LastChange(Scroll::default())),
        Command::Unfitted => bench.layers.push(BenchLayer::Unfitted(0)),
        Command::Requests => bench.layers.push(BenchLayer::Requests(0)),
        Command::Redactions => review::open_redactions(ui, bench, effects),
        Command::Turn => documents::open(ui, bench, InfoPage::Turn, effects),
        Command::Advice => documents::open(ui, bench, InfoPage::Advice, effects),
        Command::Replay => documents::open(ui, bench, InfoPage::Replay, effects),
        Command::Handoff => ui.ask(Request::Handoff, effects),
        Command::StoreSession => store(ui, bench, Scope::Session, effects),
        Command::StoreProject => store(ui, bench, Scope::Project, effects),
        Command::Retitle => ui.ask(Request::Retitle, effects),
        Command::NextTurn | Command::UndoAnswer => next_turn::run(ui, bench, command, effects),
        // The answer is already saved, so this asks for the next task.
        Command::Answer if bench.about.mode != TurnMode::Open => next_turn::ask(ui, bench),
        Command::Fetch | Command::Answer | Command::Acknowledge => {
            documents::use_clipboard(ui, bench, command, effects);
        }
        Command::Memos => {
            bench.layers.push(BenchLayer::Memos(Memos::default()));
            ui.ask(Request::Memos, effects);
        }
        _ => change_view(ui, bench, command, effects),
    }
}

/// Stores the pins of the selected items, or of the item under the cursor, for the session or the project.
fn store(ui: &mut Ui, bench: &Bench, scope: Scope, effects: &mut Effects) {
    let items = &bench.model.corpus().items;
    let pinned = |item: &ItemId| {
        items[*item].kind.is_file() && bench.placed(*item).is_some_and(|p| p.overridden == Some(Override::Pin))
    };
    let pins = bench.targets().into_iter().filter(pinned);
    let paths: Vec<String> =
        pins.flat_map(|item| lines::targets(&items[item].path, &bench.model.pinned_lines(item))).collect();
    if paths.is_empty() {
        let pin = ui.key_in(bench.context(), Command::Pin);
        return ui.why_not(format!("Only pinned files can be stored; {pin} pins the item"));
    }
    ui.ask(Request::StorePins(scope, paths), effects);
}

/// Runs commands that change the view, not the items.
fn change_view(ui: &mut Ui, bench: &mut Bench, command: Command, effects: &mut Effects) {
    let pane_rows = layout::pane_rows(ui.size, bench);
    let only = |tier: Tier, now: Option<Tier>| (now != Some(tier)).then_some(tier);
    match command {
        Command::Filter => {
            let before = bench.filter_line.text().to_owned();
            let spot = bench.spot();
            bench.layers.push(BenchLayer::Filter(FilterEdit { before, spot }));
            return;
        }
        Command::OnlyRaw => bench.only = only(Tier::Raw, bench.only),
        Command::OnlyLinked => bench.only = only(Tier::Linked, bench.only),
        Command::OnlySummary => bench.only = only(Tier::Summary, bench.only),
        Command::OnlyOut => bench.only = only(Tier::Out, bench.only),
        Command::Sort => bench.sort = bench.sort.next(),
        Command::Tree => bench.toggle_tree(),
        Command::FoldAll | Command::UnfoldAll => bench.fold_all(command == Command::FoldAll),
        Command::Left | Command::Right => return moving::shift_pane(ui, bench, command == Command::Right),
        // The zoomed pane cannot be folded, so these keys scroll its long lines.
        Command::Fold | Command::Unfold if bench.zoom == Zoom::Pane => {
            return moving::shift_pane(ui, bench, command == Command::Unfold);
        }
        Command::Fold | Command::Unfold => moving::fold(bench, command == Command::Fold),
        Command::Select => {
            if bench.range.is_some() {
                bench.selected = bench.targets().into_iter().collect();
                bench.range = None;
            } else {
                bench.toggle_selected();
                bench.cursor = (bench.cursor + 1).min(bench.rows.len().saturating_sub(1));
            }
            return;
        }
        Command::SelectRange => {
            bench.range = match bench.range {
                Some(_) => {
                    bench.selected = bench.targets().into_iter().collect();
                    None
                }
                None => bench.rows.get(bench.cursor).map(crate::tui::state::rows::Row::key),
            };
            return;
        }
        Command::NextView => bench.look_at(bench.view.step(1)),
        Command::PreviousView => bench.look_at(bench.view.step(PaneView::ALL.len() - 1)),
        Command::PaneDown | Command::PaneUp => {
            let half = if command == Command::PaneDown { Command::HalfDown } else { Command::HalfUp };
            if let Some(to) = moving::scrolled(half, bench.pane_scroll, bench.pane_lines(), pane_rows) {
                bench.pane_scroll = to;
            }
        }
        Command::Zoom => bench.zoom = if bench.zoom == Zoom::Both { Zoom::Pane } else { Zoom::Both },
        Command::Open => {
            return moving::enter(ui, bench);
        }
        Command::Task => {
            let form = TaskForm::new(&bench.about.form, bench.model.settings().1.limit);
            bench.layers.push(BenchLayer::Task(Box::new(form)));
            return;
        }
        Command::CopySelected => {
            ui.ask(Request::CopyItems(bench.ready(), bench.targets()), effects);
            bench.work = Some(BackgroundWork::Copying);
            return;
        }
        Command::CopyPath => {
            if let Some(item) = bench.current() {
                let path = bench.model.corpus().items[item].path.clone();
                let what = format!("Path {path}");
                ui.ask(Request::CopyText { text: path, what }, effects);
            }
            return;
        }
        Command::Edit => {
            if let Some(item) = bench.current() {
                let path = bench.model.corpus().items[item].path.clone();
                let line = bench.model.scores().items[item].hot.first().map_or(1, |span| span.0);
                effects.push(Effect::EditFile(path, line));
            }
            return;
        }
        _ => return,
    }
    let changed = matches!(
        command,
        Command::OnlyRaw
            | Command::OnlyLinked
            | Command::OnlySummary
            | Command::OnlyOut
            | Command::Sort
            | Command::Tree
            | Command::FoldAll
            | Command::UnfoldAll
    );
    if changed {
        bench.rebuild();
        if matches!(command, Command::Sort | Command::Tree) {
            save(ui, bench, effects);
        }
    }
}

/// Copies the payload.
pub fn copy(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    ui.ask(Request::Copy(bench.ready()), effects);
    bench.work = Some(BackgroundWork::Copying);
}

/// Writes the payload to the turn.
pub fn write(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    ui.ask(Request::Write(bench.ready()), effects);
    bench.work = Some(BackgroundWork::Writing);
}

/// Scans the project again.
pub fn rescan(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    bench.work = Some(BackgroundWork::Rescanning(None));
    ui.start(JobKind::Turn, Job::Request(Request::Rescan), effects);
}

/// Requests the payload of the current placement.
pub fn ask_payload(ui: &mut Ui, bench: &Bench, effects: &mut Effects) {
    ui.start(JobKind::Payload, Job::Request(Request::Render(bench.ready())), effects);
}

/// Handles Esc: goes back one step.
fn back(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    if bench.range.take().is_some() {
    } else if !bench.selected.is_empty() {
        bench.selected.clear();
    } else if bench.zoom != Zoom::Both {
        bench.zoom = Zoom::Both;
    } else if !bench.filter_line.text().is_empty() {
        text::set_filter(bench, "");
        save(ui, bench, effects);
    } else if bench.only.take().is_some() {
        bench.rebuild();
    } else if matches!(bench.work, Some(BackgroundWork::Rescanning(_))) {
        bench.work = None;
        cancel(ui, effects);
        ui.why_not("Rescan cancelled; the list is from the previous scan");
    } else {
        let quit = ui.key_in(bench.context(), Command::Quit);
        ui.why_not(format!("Nothing to go back to; {quit} quits"));
    }
}
