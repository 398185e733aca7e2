//! Redelivery of the sections that a model did not receive, placed as before if they still fit.

use std::path::{Path, PathBuf};

use super::{Delivered, MOST_AGAIN, ack_file, again_file, record};
use crate::app::context_rules::Context;
use crate::app::environment::Environment;
use crate::app::options::{OutputOptions, PayloadRequest};
use crate::app::pipeline::{Run, ScanObserver};
use crate::app::resume::{self, StoredTurn};
use crate::app::save_turn;
use crate::error::Result;
use crate::handoff::BudgetResult;
use crate::ids::ItemId;
use crate::place::{Form, Placed, Placement, Tier, Usage};
use crate::project::lock::Lock;
use crate::project::turn::{self, Turn};
use crate::project::{atomic, checkpoint};
use crate::render::ack::{Ack, Missing};
use crate::text::printable;

/// The redelivered sections.
pub struct Redelivery {
    /// File name of the payload with the missing sections.
    pub of: String,
    /// A new run of the turn in the project's current state.
    pub run: Run,
    /// Placement of only the missing sections.
    pub placement: Placement,
    /// Text of the redelivery.
    pub payload: String,
    /// Labels of the missing sections.
    pub labels: Vec<String>,
    /// Notes for the person.
    pub notes: Vec<String>,
    /// Copy in the turn; `None` after a dry run.
    pub saved: Option<PathBuf>,
}

/// Places the missing sections and records the redelivery.
pub(super) fn deliver_again(
    env: &Environment,
    turn: &Turn,
    ack: &Ack,
    which: &Delivered,
    missing: &Missing<'_>,
    out: &OutputOptions,
    observer: &dyn ScanObserver,
) -> Result<Redelivery> {
    let project = env.project()?;
    let lock = if out.dry_run { None } else { Some(Lock::acquire(turn.session().dir())?) };
    let note = format!(
        "this has only the sections missing from the payload with the fingerprint {}",
        which.payload.meta.fingerprint.get(..16).unwrap_or(&which.payload.meta.fingerprint)
    );
    let run = rebuild(env, turn, out, observer, note)?;
    let again = place(&run, missing, which.payload.meta.limit);
    let payload = run.renderer.render(&again.placement);
    let mut labels: Vec<String> = missing.raw.iter().map(|block| format!("RAW:{}", block.label)).collect();
    labels.extend(missing.linked.iter().map(|link| format!("LINKED:{}", link.label)));
    labels.dedup();
    let mut saved = None;
    if !out.dry_run {
        let file = (1..=MOST_AGAIN).map(|number| again_file(turn, number)).find(|path| !path.exists());
        let file = file.unwrap_or_else(|| again_file(turn, MOST_AGAIN));
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = record(ack, which, &labels, Some(&name))?;
        let ack_file = ack_file(turn);
        let files: [(&Path, &[u8]); 2] = [(&file, payload.as_bytes()), (&ack_file, text.as_bytes())];
        atomic::stage(&files)?.commit()?;
        let phase = checkpoint::load_record(turn)?.record.phase;
        save_turn::append_budget(project, turn, phase, "redelivery", again.budget())?;
        saved = Some(env.relative(&file));
    }
    drop(lock);
    let PlacedAgain { placement, notes, .. } = again;
    Ok(Redelivery { of: which.name.clone(), run, placement, payload, labels, notes, saved })
}

/// A run of the turn in the project's current state.
fn rebuild(
    env: &Environment,
    turn: &Turn,
    out: &OutputOptions,
    observer: &dyn ScanObserver,
    note: String,
) -> Result<Run> {
    let session = turn.session();
    let mut record = checkpoint::load_record(turn)?.record;
    let context = Context::load(env.project()?, Some(session), Some((turn, &record)))?;
    let steps = save_turn::steps(&record)?;
    let task = resume::task_or_goal(session, &record.message)?;
    let before = turn::before(session, turn)?;
    let stored = StoredTurn { task, before, context, steps, notes: Vec::new(), private_notes: Vec::new() };
    let request = PayloadRequest::default();
    let mut inputs = resume::inputs(env, session, turn.id().to_string(), &mut record, &request, out, stored)?;
    inputs.notes.insert(0, note);
    Run::start(env, inputs, &request, observer)
}

/// The redelivered payload.
struct PlacedAgain {
    placement: Placement,
    /// Number of tokens without a limit.
    wanted: usize,
    notes: Vec<String>,
}

impl PlacedAgain {
    /// Effect of the budget, for the log.
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

/// Places only the missing sections as before. Items that no longer fit into RAW become LINKED.
fn place(run: &Run, missing: &Missing<'_>, limit: Option<usize>) -> PlacedAgain {
    let corpus = run.bench.corpus();
    let mut notes = Vec::new();
    let mut placed: Vec<Placed> = Vec::new();
    let find = |path: &str| corpus.items.iter().position(|item| printable(&item.path) == path).map(ItemId::new);
    let mut gone = |path: &str| notes.push(format!("`{path}` is no longer in the project"));
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
    // Best first, so that the last item is demoted first.
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
        entry.held_back = Some("it no longer fits the budget");
        notes.push(format!("`{}` no longer fits the budget and is now {}", item.path, entry.tier.label()));
    }
    PlacedAgain { wanted: wanted.unwrap_or(placement.usage.total), placement, notes }
}
