//! The form for the task of the open turn; items are scored again as the task is typed.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::overlays::{OverlayStep, with_top};
use super::{Effects, form, overrides};
use crate::app::backend::{Request, TaskSettings, TurnMode};
use crate::tui::message::{Job, JobKind};
use crate::tui::state::Ui;
use crate::tui::state::bench::{BackgroundWork, Bench};
use crate::tui::state::form::TaskForm;
use crate::tui::state::layer::{BenchLayer, Confirm, ConfirmedAction, Layer};

/// Handles a key.
pub fn press(
    ui: &mut Ui,
    bench: &mut Bench,
    form: &mut TaskForm,
    event: KeyEvent,
    effects: &mut Effects,
) -> OverlayStep {
    if event.code == KeyCode::Esc {
        finish(ui, bench, form, effects);
        return OverlayStep::Close;
    }
    form::edit(form, form::command_of(ui, event), event, effects);
    rescore(ui, bench, form, effects);
    OverlayStep::Stay
}

/// Requests scores for the form, if it is open on top.
pub fn rescore_open(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    with_top(bench, |bench, layer| {
        if let BenchLayer::Task(form) = layer {
            rescore(ui, bench, form, effects);
        }
        OverlayStep::Stay
    });
}

/// Requests scores for the form if they differ from the shown ones. The job waits for a pause in typing.
pub fn rescore(ui: &mut Ui, bench: &mut Bench, form: &TaskForm, effects: &mut Effects) {
    // A path that is still being typed does not exist, so evidence is read only when the form is closed.
    let form = TaskSettings { evidence: Vec::new(), ..form.settings() };
    if form.text.trim().is_empty() || (form == bench.about.form && bench.work != Some(BackgroundWork::Rescoring)) {
        return;
    }
    reshape(ui, bench, Some(form), effects);
}

/// Places the same files again, for the form's settings or with changed memos.
pub fn reshape(ui: &mut Ui, bench: &mut Bench, form: Option<TaskSettings>, effects: &mut Effects) {
    if bench.about.mode != TurnMode::Open {
        return;
    }
    let form = form.unwrap_or_else(|| bench.about.form.clone());
    bench.work = Some(BackgroundWork::Rescoring);
    ui.start(JobKind::Rescore, Job::Request(Request::Reshape(Arc::clone(&bench.model), form)), effects);
}

fn finish(ui: &mut Ui, bench: &mut Bench, form: &TaskForm, effects: &mut Effects) {
    rescore(ui, bench, form, effects);
    let settings = form.settings();
    if settings.text.trim().is_empty() {
        return ui.why_not("The task is empty; the previous one is kept");
    }
    let after = TaskSettings { evidence: Vec::new(), ..settings.clone() };
    let untouched = TaskSettings { evidence: Vec::new(), ..form.reverted().settings() };
    if after != untouched {
        bench.task_changed(form.before.clone(), after);
        let goal = bench.about.goal.trim();
        if form.before.text.trim() == goal && settings.text.trim() != goal {
            ui.layers.push(Layer::Confirm(Confirm {
                title: "Use the new task as the session's goal?".to_owned(),
                consequence: "The session is then named after it.".to_owned(),
                yes: 'y',
                action: ConfirmedAction::Retitle,
            }));
        }
    }
    if !settings.evidence.is_empty() {
        reshape(ui, bench, Some(settings), effects);
    }
    match form.budget() {
        Some(budget) if budget != form.budget_before => overrides::set_budget(ui, bench, budget, effects),
        Some(_) => {}
        None => {
            let said = form.budget.text();
            ui.why_not(format!("`{said}` is not a number of tokens such as 25000 or 25k; the budget is unchanged"));
        }
    }
}
