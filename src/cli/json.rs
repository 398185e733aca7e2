//! The JSON output of `plan` and `resume`.

use serde_json::{Map, Value, json};

use crate::app::environment::Environment;
use crate::app::pipeline::Run;
use crate::app::save_turn::SavedFiles;
use crate::gather::item::Source;
use crate::place::{Form, Override, PlacedItem};
use crate::render;

/// Formats the run as one JSON object, with items in placement order. `counts` adds the tokens of every file.
pub fn plan(env: &Environment, run: &Run, saved: &SavedFiles, counts: Option<&[Option<usize>]>) -> String {
    let placement = run.placement();
    let (fill, budget) = run.bench.settings();
    let items: Vec<Value> = placement.placed.iter().map(|placed| item(run, placed, counts)).collect();
    let skipped: Vec<Value> =
        run.bench.corpus().skipped.iter().map(|skipped| json!({"path": skipped.path, "why": skipped.why})).collect();
    let targets: Vec<Value> = run
        .bench
        .scores()
        .targets
        .iter()
        .map(|(item, confidence)| json!({"path": run.bench.corpus().items[*item].path, "confidence": confidence}))
        .collect();
    let places: Vec<Value> = run
        .details
        .places
        .iter()
        .map(|place| json!({"path": place.path, "line": place.line, "column": place.column, "why": place.why}))
        .collect();
    let (session, turn) = &run.details.turn;
    let value = json!({
        "version": 1,
        "task": {
            "text": run.details.task,
            "type": run.details.classification.type_name(),
            "type_reason": run.details.classification.type_reason,
            "complexity": run.details.classification.complexity_name(),
            "complexity_reason": run.details.classification.complexity_reason,
            "format": run.details.format.name(),
            "tokenizer": budget.tokenizer.name(),
            "estimated": budget.tokenizer.is_estimate(),
            "fill": fill,
            "session": session,
            "turn": turn,
            "payload": saved.payload_path(env).map(|path| path.to_string_lossy().into_owned()),
            "targets": targets,
            "places": places,
            "notes": run.details.notes,
        },
        "budget": {
            "limit": placement.limit,
            "raw": placement.usage.raw,
            "linked": placement.usage.linked,
            "summary": placement.usage.summary,
            "used": placement.usage.total,
            "free": placement.limit.saturating_sub(placement.usage.total),
        },
        "items": items,
        "skipped": skipped,
    });
    value.to_string()
}

fn item(run: &Run, placed: &PlacedItem, counts: Option<&[Option<usize>]>) -> Value {
    let item = &run.bench.corpus().items[placed.item];
    let score = &run.bench.scores().items[placed.item];
    let signals: Vec<Value> = score
        .signals
        .iter()
        .map(|signal| json!({"name": signal.criterion.name(), "points": signal.criterion.points(), "why": *signal.why}))
        .collect();
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    put("path", json!(item.path));
    put("kind", json!(item.kind.name()));
    put("score", json!(score.points));
    put("rank", json!((score.rank * 10.0).round() / 10.0));
    put("tier", json!(placed.tier.name()));
    put("form", json!(placed.form.name()));
    if let Some(spans) = spans(run, placed) {
        put("spans", json!(spans));
    }
    put("tokens", json!(placed.tokens));
    if let (Some(counts), Source::File(file)) = (counts, &item.source) {
        put("file_tokens", json!(counts.get(file.index()).copied().flatten()));
    }
    put("ruling", json!(placed.overridden.map(Override::name)));
    if let (Some(Override::Pin), Form::Spans(_)) = (placed.overridden, &placed.form) {
        let pinned = run.bench.pinned_lines(placed.item);
        put("pinned_lines", pinned.iter().map(|lines| json!({"lines": lines.span, "symbol": lines.symbol})).collect());
    }
    put("signals", json!(signals));
    put("priority", json!(score.priority.name()));
    if placed.carried_over {
        put("carried_over", json!(true));
    }
    Value::Object(object)
}

/// Lines that an excerpt or an outline contains verbatim.
fn spans(run: &Run, placed: &PlacedItem) -> Option<Vec<(u32, u32)>> {
    match placed.form {
        Form::Spans(_) | Form::Skeleton(_) => Some(render::verbatim(run.bench.corpus(), placed.item, &placed.form)),
        _ => None,
    }
}
