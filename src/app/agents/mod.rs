//! Access for coding agents: four use cases that read the project and write nothing outside `.teddy/`. Every answer is
//! redacted and limited in size.

mod records;
mod selection;

use std::path::PathBuf;

use super::ack::{self, AckOutcome};
use super::debug_log::TARGET;
use super::environment::Environment;
use super::explain::{ExplainRequest, explain};
use super::fetch::fetch;
use super::fetch_requests::{self, FetchRequest};
use super::open_turn;
use super::options::{OutputOptions, PayloadRequest, PlanRequest};
use super::payload_options::PayloadOptions;
use super::plan;
use super::redact_input::without_secrets;
use super::resume::NextStep;
use super::save_turn::FinishedRun;
use crate::error::{Error, Result};
use crate::gather::progress::NoObserver;
use crate::project::files;
use crate::project::turn::{Turn, TurnRecord, TurnState};
use crate::render::Format;
use crate::text::{counted, thousands};
use records::AgentCall;

/// Maximum size in bytes of each argument of an agent: a task, an acknowledgement or an entry.
pub const MOST_BYTES: usize = 200_000;
/// Maximum number of entries in one fetch.
pub const MOST_ENTRIES: usize = 50;
/// Default token limit of a fetch.
pub const FETCH_TOKENS: usize = 20_000;
/// Maximum tokens of any answer.
pub const MOST_TOKENS: usize = 200_000;

/// Serves agents. `main` passes it to the command line, so that the front ends do not import each other.
pub trait AgentServer: Sync {
    /// Answers requests on standard input until it ends.
    fn serve(&self, access: AgentAccess) -> Result<()>;
}

/// A project as agents see it. Every call opens it again, so that the current configuration and lists apply.
#[derive(Debug, Clone)]
pub struct AgentAccess {
    directory: PathBuf,
    session: Option<String>,
}

/// An agent's request for a plan.
#[derive(Debug, Default, Clone)]
pub struct PlanCall {
    /// The task; `None` selects the turn that the person prepared.
    pub task: Option<String>,
    /// The token limit.
    pub budget: Option<usize>,
    /// The payload's format; `None` returns the list of selected items.
    pub format: Option<Format>,
}

/// An agent's request for content.
#[derive(Debug, Default, Clone)]
pub struct FetchCall {
    /// Paths, optionally with a range of lines or a definition, in the notation of LINKED lines.
    pub entries: Vec<String>,
    /// The token limit of the answer.
    pub max_tokens: Option<usize>,
}

/// An answer to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentAnswer {
    /// The text.
    pub text: String,
    /// Number of tokens in the text.
    pub tokens: usize,
}

impl AgentAccess {
    /// Creates access to the project of `env`, with the turns of the named session or of the most recently used one.
    pub fn new(env: &Environment, session: Option<String>) -> Self {
        Self { directory: env.cwd.clone(), session }
    }

    fn env(&self) -> Result<Environment> {
        let mut env = Environment::open(Some(&self.directory))?;
        env.writes_cache = false;
        Ok(env)
    }

    /// Plans a task without saving it, or shows the turn that the person prepared.
    pub fn plan(&self, call: &PlanCall) -> Result<AgentAnswer> {
        let asked = Vec::from_iter(call.task.clone());
        let recorded = AgentCall { tool: "plan", asked: &asked, entries: &[] };
        self.recorded(&recorded, |env| {
            let PlanAnswer { answer, is_new } = self.plan_in(env, call)?;
            if is_new {
                self.ask_permission(env, &recorded, answer.tokens)?;
            }
            Ok(answer)
        })
    }

    /// Fetches all of the content, or nothing if one entry cannot be fetched.
    pub fn fetch(&self, call: &FetchCall) -> Result<AgentAnswer> {
        let recorded = AgentCall { tool: "fetch", asked: &call.entries, entries: &call.entries };
        self.recorded(&recorded, |env| {
            let answer = self.fetch_in(env, call)?;
            self.ask_permission(env, &recorded, answer.tokens)?;
            Ok(answer)
        })
    }

    /// Explains the score of a file for this task, or for the current turn's task.
    pub fn explain(&self, path: &str, task: Option<&str>) -> Result<AgentAnswer> {
        let asked = [path.to_owned()];
        let recorded = AgentCall { tool: "explain", asked: &asked, entries: &asked };
        self.recorded(&recorded, |env| self.explain_in(env, path, task))
    }

    /// Records an acknowledgement. The answer to a partial one contains the missing sections.
    pub fn acknowledge(&self, text: &str) -> Result<AgentAnswer> {
        let recorded = AgentCall { tool: "acknowledge", asked: &[], entries: &[] };
        self.recorded(&recorded, |env| self.acknowledge_in(env, text))
    }

    /// Answers a call and records it in the current turn, if there is one.
    fn recorded(
        &self,
        recorded: &AgentCall<'_>,
        call: impl FnOnce(&Environment) -> Result<AgentAnswer>,
    ) -> Result<AgentAnswer> {
        let env = self.env()?;
        let answer = call(&env);
        if let Err(error) = self.record(&env, recorded, &answer) {
            // A call is answered even if it cannot be recorded.
            log::debug!(target: TARGET, error = error.to_string(); "agent request not recorded");
        }
        answer
    }

    fn plan_in(&self, env: &Environment, call: &PlanCall) -> Result<PlanAnswer> {
        check_tokens("budget", call.budget)?;
        let payload =
            PayloadRequest { budget: call.budget, format: call.format, no_ack: true, ..PayloadRequest::default() };
        let output = OutputOptions { file: None, dry_run: true };
        let Some(task) = &call.task else {
            return self.prepared(env, call, &payload, &output);
        };
        check_size("the task", task)?;
        let (task, redaction_notes) = without_secrets(&*env.redaction()?, "the task", task);
        let payload = PayloadRequest { redaction_notes, ..payload };
        let request = PlanRequest { task: Some(task), payload, output, ..PlanRequest::default() };
        Ok(planned(plan::plan(env, &request, &NoObserver)?, call.format))
    }

    /// The current turn's payload: the delivered one if the agent requests it, otherwise a new one.
    fn prepared(
        &self,
        env: &Environment,
        call: &PlanCall,
        payload: &PayloadRequest,
        output: &OutputOptions,
    ) -> Result<PlanAnswer> {
        let turn = env.turn(self.session.as_deref())?;
        if let Some(text) = delivered(env, &turn, call)? {
            return Ok(PlanAnswer { answer: counted_answer(env, text)?, is_new: false });
        }
        let step = NextStep::Reopen(turn);
        let turn = open_turn::step(env, step, None, payload, output)?;
        Ok(planned(turn.deliver(env, output, &NoObserver)?, call.format))
    }

    fn fetch_in(&self, env: &Environment, call: &FetchCall) -> Result<AgentAnswer> {
        check_tokens("max_tokens", call.max_tokens)?;
        let requests = entries(&call.entries)?;
        for request in &requests {
            refuse_outside(env, &request.path)?;
        }
        let document = fetch(env, self.session.as_deref(), &requests, &NoObserver)?;
        let most = call.max_tokens.unwrap_or(FETCH_TOKENS);
        if document.tokens > most {
            let what = format!("this is {} tokens; the limit is {}", thousands(document.tokens), thousands(most));
            return Err(Error::input(
                what,
                "fetch a range (src/a.rs:10-80), a definition (src/a.rs#name) or fewer files",
            ));
        }
        let mut text = document.text;
        for note in &document.notes {
            text.push_str(&format!("note: {note}\n"));
        }
        Ok(AgentAnswer { text, tokens: document.tokens })
    }

    fn explain_in(&self, env: &Environment, path: &str, task: Option<&str>) -> Result<AgentAnswer> {
        check_size("the path", path)?;
        refuse_outside(env, path)?;
        let task = match task {
            Some(task) => {
                check_size("the task", task)?;
                Some(without_secrets(&*env.redaction()?, "the task", task).0)
            }
            None => None,
        };
        let request = ExplainRequest { path: path.to_owned(), task, session: self.session.clone() };
        let explained = explain(env, &request, &NoObserver)?;
        counted_answer(env, explained.text())
    }

    fn acknowledge_in(&self, env: &Environment, text: &str) -> Result<AgentAnswer> {
        check_size("the acknowledgement", text)?;
        let turn = ack::find_turn(env, self.session.as_deref())?;
        let record = |dry_run| {
            let output = OutputOptions { file: None, dry_run };
            ack::acknowledge(env, &turn, text, &output, &NoObserver)
        };
        let outcome = match record(false) {
            // Another process, such as the workbench, holds the session's lock, so a redelivery is not saved.
            Err(Error::Locked { .. }) => {
                let outcome = record(true)?;
                if matches!(outcome, AckOutcome::Complete { .. }) {
                    ack::check(env, &turn, text)?;
                }
                outcome
            }
            outcome => outcome?,
        };
        match outcome {
            AckOutcome::Complete { payload, .. } => {
                let text = format!("{payload} of {}/{} is acknowledged\n", turn.session().name(), turn.id());
                counted_answer(env, text)
            }
            AckOutcome::Partial(again) => Ok(AgentAnswer { tokens: again.placement.usage.total, text: again.payload }),
        }
    }
}

/// The delivered payload, if the agent requests its format and sets no other limit.
fn delivered(env: &Environment, turn: &Turn, call: &PlanCall) -> Result<Option<String>> {
    let (Some(format), None) = (call.format, call.budget) else { return Ok(None) };
    let record = crate::project::checkpoint::load_record(turn)?.record;
    if turn.state() == TurnState::Open || record.format.unwrap_or(env.config.format) != format {
        return Ok(None);
    }
    env.project()?.read_payload(&turn.delivered_file())
}

/// The answer to a plan request.
struct PlanAnswer {
    answer: AgentAnswer,
    /// True if it contains content that the person has not delivered.
    is_new: bool,
}

fn planned(finished: FinishedRun, format: Option<Format>) -> PlanAnswer {
    let usage = finished.run.placement().usage;
    if format.is_some() {
        return PlanAnswer { answer: AgentAnswer { text: finished.payload, tokens: usage.total }, is_new: true };
    }
    let text = selection::list(&finished.run);
    let tokens = finished.run.bench.tokenizer().count(&text);
    PlanAnswer { answer: AgentAnswer { text, tokens }, is_new: false }
}

fn counted_answer(env: &Environment, text: String) -> Result<AgentAnswer> {
    let options = PayloadOptions::resolve(&PayloadRequest::default(), &mut TurnRecord::default(), env)?;
    Ok(AgentAnswer { tokens: options.tokenizer.count(&text), text })
}

/// The entries of a call, without duplicates.
fn entries(given: &[String]) -> Result<Vec<FetchRequest>> {
    if given.is_empty() || given.len() > MOST_ENTRIES {
        let what = format!("{} in one call; from 1 to {MOST_ENTRIES} are allowed", counted(given.len(), "entry"));
        return Err(Error::input(what, "name the files that are needed next"));
    }
    let mut found: Vec<FetchRequest> = Vec::new();
    for entry in given {
        check_size("an entry", entry)?;
        let parsed = fetch_requests::parse(entry)
            .map_err(|why| Error::input(why, "name a file, optionally with lines: src/a.py:10-80"))?;
        for request in parsed {
            if !found.contains(&request) {
                found.push(request);
            }
        }
    }
    Ok(found)
}

/// Rejects a path that is outside the project, directly or through a link, before looking it up.
fn refuse_outside(env: &Environment, path: &str) -> Result<()> {
    let file = path.split('#').next().unwrap_or(path);
    let outside = || Error::Outside { entry: path.to_owned() };
    // A label such as `memo:3` passes this check, because it looks like the name of a file in the project.
    let inside = env.inside(file).ok_or_else(outside)?;
    files::refuse_escapes(&env.root, if inside.is_empty() { "." } else { &inside }).map_err(|error| match error {
        Error::Outside { .. } => outside(),
        other => other,
    })
}

fn check_size(what: &str, text: &str) -> Result<()> {
    if text.len() <= MOST_BYTES {
        return Ok(());
    }
    let found = format!("{what} has {} bytes; the limit is {}", thousands(text.len()), thousands(MOST_BYTES));
    Err(Error::input(found, "shorten it"))
}

fn check_tokens(name: &str, tokens: Option<usize>) -> Result<()> {
    match tokens {
        Some(tokens) if tokens > MOST_TOKENS => {
            let what = format!("{name} is {}; the limit is {}", thousands(tokens), thousands(MOST_TOKENS));
            Err(Error::input(what, "ask for less at a time"))
        }
        _ => Ok(()),
    }
}

/// The beginning of the text, on one line.
fn shorten(text: &str, chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars { line } else { format!("{}…", line.chars().take(chars).collect::<String>()) }
}
