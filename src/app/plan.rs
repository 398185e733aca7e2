//! Starts a new session, or the next turn of one.

use super::context_rules::Context;
use super::environment::Environment;
use super::evidence;
use super::handoff;
use super::input::{not_empty, read_text};
use super::open_turn::{self, ActiveTurn};
use super::options::{BaseRequest, PayloadRequest, PlanRequest, TurnRequest};
use super::payload_options::PayloadOptions;
use super::redact_input;
use super::resume::NextStep;
use super::review;
use super::run_inputs::{RunInputs, ScanObserver};
use super::save_turn::FinishedRun;
use super::session_terms;
use crate::error::{Error, Result};
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::project::{clock, files, memos};

/// Maximum size of a task file. Anything longer is a document that the task can refer to.
const TASK_BYTES: u64 = 1_000_000;
/// Maximum number of pinned patterns that a session's description names.
const PINS_NAMED: usize = 3;

/// Creates the payload of a new session or of a session's next turn.
pub fn plan(env: &Environment, request: &PlanRequest, observer: &dyn ScanObserver) -> Result<FinishedRun> {
    open(env, request)?.deliver(env, &request.output, observer)
}

/// Opens the turn for a plan: the first turn of a new session, or the next turn of an existing one.
pub fn open(env: &Environment, request: &PlanRequest) -> Result<ActiveTurn> {
    evidence::check_stdin(request.task_file.as_deref(), &request.payload.evidence)?;
    if let Some(name) = &request.session {
        let session = session::find(env.project()?, &env.cwd, name)?;
        refuse_awaiting_report(env, &session)?;
        let step = NextStep::Start { session, before: None };
        return open_turn::step(env, step, request.message.as_deref(), &request.payload, &request.output);
    }
    if let Some((task, payload)) = described(env, request)? {
        return described_session(env, &PlanRequest { payload, ..request.clone() }, task);
    }
    let (task, payload) = task(env, request)?;
    new_session(env, &PlanRequest { payload, ..request.clone() }, task)
}

/// Describes a review, or pinned files with their neighbours, if the person gave no task.
fn described(env: &Environment, request: &PlanRequest) -> Result<Option<(String, PayloadRequest)>> {
    if request.task.is_some() || request.task_file.is_some() {
        return Ok(None);
    }
    let payload = request.payload.clone();
    if let Some(base) = &payload.base {
        let base = review::base(env, base)?;
        let task = review::task(env, &base)?;
        return Ok(Some((task, PayloadRequest { base: Some(BaseRequest::Named(base.id)), ..payload })));
    }
    let Some(hops) = payload.hops.filter(|_| !payload.pin.is_empty()) else { return Ok(None) };
    let named: Vec<String> = payload.pin.iter().take(PINS_NAMED).map(|pattern| format!("`{pattern}`")).collect();
    let more = payload.pin.len() - named.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let distance = if hops == 1 { "one import".to_owned() } else { format!("up to {hops} imports") };
    Ok(Some((format!("Context for {}{more}: the files {distance} away", named.join(", ")), payload)))
}

fn described_session(env: &Environment, request: &PlanRequest, task: String) -> Result<ActiveTurn> {
    let mut record = TurnRecord::default();
    record.described = true;
    session_with(env, request, task, record)
}

/// Opens the first turn of a new session.
pub fn new_session(env: &Environment, request: &PlanRequest, task: String) -> Result<ActiveTurn> {
    session_with(env, request, task, TurnRecord::default())
}

fn session_with(env: &Environment, request: &PlanRequest, task: String, mut record: TurnRecord) -> Result<ActiveTurn> {
    record.message.clone_from(&task);
    let now = clock::now()?;
    let name = match env.existing_project() {
        Some(project) => session::free_name(project, &task, now),
        None => session::name_for(&task, now),
    };
    let mut inputs = inputs(env, request, &task, &name, &mut record)?;
    inputs.evidence = evidence::read(env, &request.payload.evidence)?;
    inputs.plan = own_plan(env, request)?;
    inputs.own_plan = inputs.plan.is_some();
    Ok(ActiveTurn::of_new_session(inputs, request.payload.clone(), record, task))
}

/// Opens the first turn of a new session described by a form. Fields left empty in the form are taken from `base`.
pub fn new_session_for(env: &Environment, form: &TurnRequest, base: &PlanRequest) -> Result<ActiveTurn> {
    let (flags, task) = open_turn::flags(env, form)?;
    let policy = env.redaction()?;
    let given = &base.payload;
    let mut payload = PayloadRequest {
        budget: flags.budget.or(given.budget),
        task_type: flags.task_type.or(given.task_type),
        complexity: flags.complexity.or(given.complexity),
        format: flags.format.or(given.format),
        phase: flags.phase.or(given.phase),
        evidence: [given.evidence.clone(), flags.evidence].concat(),
        redaction_notes: flags.redaction_notes,
        ..given.clone()
    };
    for line in &form.settings.done {
        let (clean, notes) = redact_input::without_secrets(&policy, "the acceptance criteria", line);
        payload.terms.definition_of_done.push(clean);
        payload.redaction_notes.extend(notes);
    }
    let request = PlanRequest { task: Some(task.clone()), payload, ..base.clone() };
    new_session(env, &request, not_empty(task)?)
}

/// The inputs of the first turn of a session with this name.
pub(super) fn inputs(
    env: &Environment,
    request: &PlanRequest,
    task: &str,
    session: &str,
    record: &mut TurnRecord,
) -> Result<RunInputs> {
    env.existing_project().map(handoff::check_manifests).transpose()?;
    Ok(RunInputs {
        previous: None,
        options: PayloadOptions::resolve(&request.payload, record, env)?,
        session: session.to_owned(),
        turn: "01".to_owned(),
        plan: None,
        own_plan: false,
        memos: env.existing_project().map(memos::load).transpose()?.unwrap_or_default(),
        history: Vec::new(),
        requested: Vec::new(),
        delivered: None,
        handoff_budget: None,
        evidence: Vec::new(),
        context: match env.existing_project() {
            Some(project) => Context::load(project, None, None)?,
            None => Context::default(),
        },
        steps: (Vec::new(), Vec::new()),
        notes: Vec::new(),
        private_notes: Vec::new(),
        terms: session_terms::of_new_session(&request.payload.terms),
        output: request.output.file.clone(),
        dry_run: request.output.dry_run,
        task: task.to_owned(),
    })
}

/// The plan from `--plan`, or else the configured plan if that file exists.
fn own_plan(env: &Environment, request: &PlanRequest) -> Result<Option<String>> {
    let text = match (&request.plan_file, &env.config.plan) {
        (Some(file), _) => Some(read_text(env, file, TASK_BYTES)?),
        (None, Some(configured)) => {
            files::refuse_escapes(&env.root, configured)?;
            files::read_named(&env.root.join(configured), TASK_BYTES)?
        }
        (None, None) => None,
    };
    let policy = env.redaction()?;
    Ok(text.map(|text| policy.redact(&text, "plan.md").0.into_owned()).filter(|text| !text.trim().is_empty()))
}

/// Rejects a new turn while the last one has an answer but no report.
fn refuse_awaiting_report(env: &Environment, session: &Session) -> Result<()> {
    let Some(latest) = turn::latest_turn(session) else { return Ok(()) };
    let latest = Turn::open(session, latest)?;
    if latest.state() != TurnState::Planned {
        return Ok(());
    }
    Err(Error::input(
        format!("turn {} of `{}` has an answer and no report yet", latest.id(), session.name()),
        format!(
            "read the answer: teddy resume {0}; continue with the report: teddy resume {0} --report FILE (it is saved as {1})",
            session.name(),
            env.shown(&latest.report_file())
        ),
    ))
}

/// The task, and the payload request with notes about redacted secrets.
fn task(env: &Environment, request: &PlanRequest) -> Result<(String, PayloadRequest)> {
    let mut payload = request.payload.clone();
    let task = match (&request.task, &request.task_file) {
        (Some(task), _) => task.clone(),
        (None, Some(file)) => {
            let text = read_text(env, file, TASK_BYTES)?;
            let (clean, notes) = redact_input::without_secrets(&*env.redaction()?, "the task", &text);
            payload.redaction_notes.extend(notes);
            clean
        }
        (None, None) => {
            return Err(Error::input(
                "no task was given",
                "describe it: teddy plan \"Add refunds to the payment service\", or name a file with --task-file",
            ));
        }
    };
    Ok((not_empty(task)?, payload))
}
