//! What scripts read: one object for a plan.

use serde_json::{Value, json};

use super::output::Made;
use super::run::Run;
use super::world::World;
use crate::place::{Form, Placed};
use crate::project::session::Session;
use crate::render;

/// The plan as one JSON object, items in placement order.
pub fn plan(world: &World, run: &Run, made: &Made) -> String {
    let placement = run.placement();
    let (fill, budget) = run.bench.settings();
    let items: Vec<Value> = placement.placed.iter().map(|placed| item(run, placed)).collect();
    let skipped: Vec<Value> =
        run.bench.corpus().skipped.iter().map(|skipped| json!({"path": skipped.path, "why": skipped.why})).collect();
    let targets: Vec<Value> = run
        .bench
        .scores()
        .targets
        .iter()
        .map(|(item, confidence)| json!({"path": run.bench.corpus().items[*item].path, "confidence": confidence}))
        .collect();
    let shares = budget.split.of(budget.limit);
    let value = json!({
        "version": 1,
        "task": {
            "type": run.task_type.name(),
            "complexity": run.complexity.name(),
            "session": made.session.as_ref().map(Session::name),
            "payload": made.saved.as_ref().map(|path| world.shown(path)),
            "targets": targets,
            "notes": run.notes,
        },
        "budget": {
            "limit": placement.limit,
            "raw": placement.usage.raw,
            "linked": placement.usage.linked,
            "summary": placement.usage.summary,
            "used": placement.usage.total,
            "free": placement.limit.saturating_sub(placement.usage.total),
            "over": placement.over,
            "fill": fill,
            "tokenizer": budget.tokenizer.name(),
            "shares": {"raw": shares.raw, "linked": shares.linked, "summary": shares.summary},
        },
        "items": items,
        "skipped": skipped,
    });
    format!("{value}\n")
}

fn item(run: &Run, placed: &Placed) -> Value {
    let item = &run.bench.corpus().items[placed.item];
    let score = &run.bench.scores().items[placed.item];
    let signals: Vec<Value> = score
        .signals
        .iter()
        .map(|signal| json!({"name": signal.criterion.name(), "points": signal.criterion.points(), "why": signal.why}))
        .collect();
    let mut value = json!({
        "path": item.path,
        "kind": item.kind.name(),
        "score": score.points,
        "rank": (score.rank * 10.0).round() / 10.0,
        "tier": placed.tier.name(),
        "form": placed.form.name(),
        "tokens": placed.tokens,
        "ruling": placed.ruling.map(crate::place::Ruling::name),
        "signals": signals,
    });
    if let (Some(object), Some(spans)) = (value.as_object_mut(), spans(run, placed)) {
        object.insert("spans".to_owned(), json!(spans));
    }
    value
}

/// The lines that are there verbatim, for an item that is cut.
fn spans(run: &Run, placed: &Placed) -> Option<Vec<(u32, u32)>> {
    match placed.form {
        Form::Spans(_) | Form::Skeleton(_) => Some(render::verbatim(run.bench.corpus(), placed.item, &placed.form)),
        _ => None,
    }
}
