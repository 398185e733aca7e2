//! Redelivers the sections that a model did not receive. They are placed as before if they still fit.

use std::path::{Path, PathBuf};

use super::{MOST_AGAIN, PayloadFile, ack_file, again_file, record};
use crate::app::context_rules::Context;
use crate::app::environment::Environment;
use crate::app::options::{OutputOptions, PayloadRequest};
use crate::app::pipeline::Run;
use crate::app::resume::{self, StoredTurn};
use crate::app::run_inputs::ScanObserver;
use crate::app::save_turn;
use crate::error::Result;
use crate::handoff::BudgetResult;
use crate::ids::ItemId;
use crate::place::{Budget, Decisions, Form, Placement, PlacementRequest, Tier};
use crate::project::lock::Lock;
use crate::project::turn::{self, Turn};
use crate::project::{atomic, checkpoint};
use crate::render::ack::{Ack, MissingSections};
use crate::text::printable;

/// The redelivered sections.
pub struct Redelivery {
    /// File name of the payload that these sections are missing from.
    pub of: String,
    /// A new run of the turn, with the project's current files.
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
    which: &PayloadFile,
    missing: &MissingSections<'_>,
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
    let MissingPlacement { placement, notes, .. } = again;
    Ok(Redelivery { of: which.name.clone(), run, placement, payload, labels, notes, saved })
}

/// Runs the turn again with the project's current files.
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

/// Placement of the missing sections.
struct MissingPlacement {
    placement: Placement,
    /// Tokens that the sections would need without a limit.
    wanted: usize,
    notes: Vec<String>,
}

impl MissingPlacement {
    /// The budget result for the budget log.
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

/// Places only the missing sections, each in its former tier. A section that no longer fits in RAW is linked.
fn place(run: &Run, missing: &MissingSections<'_>, limit: Option<usize>) -> MissingPlacement {
    let corpus = run.bench.corpus();
    let mut notes = Vec::new();
    let mut wanted: Vec<(ItemId, Tier, Form)> = Vec::new();
    let find = |path: &str| corpus.items.iter().position(|item| printable(&item.path) == path).map(ItemId::new);
    let mut gone = |path: &str| notes.push(format!("`{path}` is no longer in the project"));
    for block in missing.raw.iter().filter(|block| !block.path.is_empty()) {
        let readable = |item: ItemId| {
            let mut forms = [block.form.clone(), Form::Whole].into_iter();
            forms.find(|form| run.renderer.inlined(item, form).is_some()).map(|form| (item, Tier::Raw, form))
        };
        match find(&block.path).and_then(readable) {
            Some(block) => wanted.push(block),
            None => gone(&block.path),
        }
    }
    for link in &missing.linked {
        match find(&link.path) {
            Some(item) => wanted.push((item, Tier::Linked, Form::Link)),
            None => gone(&link.path),
        }
    }
    let budget = run.bench.settings().1;
    let request = PlacementRequest {
        items: &corpus.items,
        scores: run.bench.scores(),
        decisions: &Decisions::new(),
        budget: Budget { limit: limit.unwrap_or(budget.limit), ..budget },
        fill: false,
        costs: run.renderer.as_ref(),
    };
    let (placement, wanted) = request.place_again(&wanted);
    for placed in placement.placed.iter().filter(|placed| placed.held_back.is_some()) {
        let path = &corpus.items[placed.item].path;
        notes.push(format!("`{path}` no longer fits the budget and is now {}", placed.tier.label()));
    }
    MissingPlacement { placement, wanted, notes }
}
