//! Only what a model lacks, delivered again: placed as it was before, as far as it still fits.

use std::path::Path;

use serde_json::json;

use super::{Delivered, MOST_AGAIN, ack_file, again_file, record};
use crate::cli::args::{OutputArgs, ShapeArgs};
use crate::cli::output::{self, print_json, say};
use crate::cli::resume::{self, Carried};
use crate::cli::run::Run;
use crate::cli::standing::Context;
use crate::cli::store;
use crate::cli::world::World;
use crate::error::Result;
use crate::handoff::BudgetResult;
use crate::place::{Form, Placed, Placement, Tier, Usage};
use crate::project::lock::Lock;
use crate::project::turn::{self, Turn};
use crate::project::{atomic, checkpoint};
use crate::render::ack::{Ack, Missing};
use crate::text::{counted, printable};

/// Delivers what is missing again, and records that.
pub(super) fn deliver_again(
    world: &World,
    turn: &Turn,
    ack: &Ack,
    which: &Delivered,
    missing: &Missing<'_>,
    args: &OutputArgs,
) -> Result<()> {
    let project = world.project()?;
    let lock = if args.dry_run { None } else { Some(Lock::acquire(turn.session().dir())?) };
    let note = format!(
        "this is only what was missing from the payload with the fingerprint {}",
        which.payload.meta.fingerprint.get(..16).unwrap_or(&which.payload.meta.fingerprint)
    );
    let run = rebuild(world, turn, args, note)?;
    let again = place(&run, missing, which.payload.meta.limit);
    let payload = run.renderer.render(&again.placement);
    let mut labels: Vec<String> = missing.raw.iter().map(|block| format!("RAW:{}", block.label)).collect();
    labels.extend(missing.linked.iter().map(|link| format!("LINKED:{}", link.label)));
    labels.dedup();
    say(&format!("turn {} of {}: {} missing", turn.id(), turn.session().name(), counted(labels.len(), "section")));
    for note in &again.notes {
        say(&format!("note: {note}"));
    }
    let mut saved = None;
    if !args.dry_run {
        let file = (1..=MOST_AGAIN).map(|number| again_file(turn, number)).find(|path| !path.exists());
        let file = file.unwrap_or_else(|| again_file(turn, MOST_AGAIN));
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = record(ack, which, &labels, Some(&name))?;
        let ack_file = ack_file(turn);
        let files: [(&Path, &[u8]); 2] = [(&file, payload.as_bytes()), (&ack_file, text.as_bytes())];
        atomic::stage(&files)?.commit()?;
        let phase = checkpoint::recall(turn)?.record.phase;
        store::note_budget(project, turn, phase, "redelivery", again.budget())?;
        saved = Some(world.relative(&file));
    }
    drop(lock);
    if args.json {
        let items = again.placement.placed.iter().map(|placed| {
            let path = &run.bench.corpus().items[placed.item].path;
            json!({"path": path, "tier": placed.tier.name(), "form": placed.form.name(), "tokens": placed.tokens})
        });
        let items: Vec<_> = items.collect();
        let value = json!({
            "version": 1, "status": "partial", "payload": which.name, "missing": labels, "items": items,
            "used": again.placement.usage.total, "limit": again.placement.limit, "notes": again.notes,
        });
        print_json(&value.to_string())?;
    }
    let tokenizer = run.bench.tokenizer();
    output::send_out(world, &again.placement, (&payload, tokenizer), args, saved)
}

/// The turn's run, made from what the project is now.
fn rebuild(world: &World, turn: &Turn, args: &OutputArgs, note: String) -> Result<Run> {
    let session = turn.session();
    let mut record = checkpoint::recall(turn)?.record;
    let context = Context::load(world.project()?, Some(session), Some((turn, &record)))?;
    let steps = store::steps(&record)?;
    let task = if record.message.is_empty() { session.meta()?.goal().to_owned() } else { record.message.clone() };
    let before = turn::before(session, turn)?;
    let carried = Carried { task, before, context, steps, notes: Vec::new(), asides: Vec::new() };
    let shape = ShapeArgs::default();
    let mut inputs = resume::inputs(world, session, turn.id().to_string(), &mut record, &shape, args, carried)?;
    inputs.notes.insert(0, note);
    Run::start(world, inputs, &shape)
}

/// What is delivered again.
struct Again {
    placement: Placement,
    /// What it would have been, had everything fit.
    wanted: usize,
    notes: Vec<String>,
}

impl Again {
    /// What the budget did to it, for the log.
    fn budget(&self) -> BudgetResult {
        let Placement { placed, usage, limit, .. } = &self.placement;
        BudgetResult {
            original_tokens: self.wanted,
            budget_tokens: *limit,
            truncated_tokens: usage.total,
            was_truncated: placed.iter().any(|placed| placed.held_back.is_some()),
        }
    }
}

/// Places only what is missing, as it was placed before; RAW becomes LINKED where it no longer fits.
fn place(run: &Run, missing: &Missing<'_>, limit: Option<usize>) -> Again {
    let corpus = run.bench.corpus();
    let mut notes = Vec::new();
    let mut placed: Vec<Placed> = Vec::new();
    let find = |path: &str| corpus.items.iter().position(|item| printable(&item.path) == path);
    let mut gone = |path: &str| notes.push(format!("`{path}` is not among the project's files any more"));
    for block in missing.raw.iter().filter(|block| !block.path.is_empty()) {
        let Some(item) = find(&block.path) else {
            gone(&block.path);
            continue;
        };
        let forms = [block.form.clone(), Form::Whole];
        match forms.into_iter().find_map(|form| run.renderer.inlined(item, &form).map(|tokens| (form, tokens))) {
            Some((form, tokens)) => placed.push(Placed::within(item, Tier::Raw, form, tokens)),
            None => gone(&block.path),
        }
    }
    for link in &missing.linked {
        match find(&link.path) {
            Some(item) => placed.push(Placed::within(item, Tier::Linked, Form::Link, run.renderer.linked(item))),
            None => gone(&link.path),
        }
    }
    // The best first, so that the last is the first to step down.
    let scores = run.bench.scores();
    placed.sort_by_key(|placed| scores.order.iter().position(|item| *item == placed.item));
    let budget = &run.bench.settings().1;
    let limit = limit.unwrap_or(budget.limit);
    let usable = budget.tokenizer.usable(limit);
    let mut placement = Placement { placed, active: None, usage: Usage::default(), limit, over: 0 };
    let mut wanted = None;
    loop {
        placement.usage = run.renderer.usage(&placement);
        wanted.get_or_insert(placement.usage.total);
        if placement.usage.total <= usable {
            break;
        }
        let lowest = |tier: Tier| placement.placed.iter().rposition(|placed| placed.tier == tier);
        let Some(at) = lowest(Tier::Raw).or_else(|| lowest(Tier::Linked)).or_else(|| lowest(Tier::Summary)) else {
            placement.over = placement.usage.total - usable;
            break;
        };
        let entry = &mut placement.placed[at];
        let item = &corpus.items[entry.item];
        (entry.tier, entry.form, entry.tokens) = match entry.tier {
            Tier::Raw if item.kind.is_file() => (Tier::Linked, Form::Link, run.renderer.linked(entry.item)),
            Tier::Raw | Tier::Linked => (Tier::Summary, Form::Mention, run.renderer.mentioned(entry.item)),
            _ => (Tier::Out, Form::Absent, 0),
        };
        entry.held_back = Some("it does not fit any more");
        notes.push(format!("`{}` does not fit any more: {} now", item.path, entry.tier.label()));
    }
    Again { wanted: wanted.unwrap_or(placement.usage.total), placement, notes }
}
