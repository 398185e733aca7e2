//! The record of an agent's calls in the turn, and the person's permission for a call.

use std::time::Duration;

use super::{AgentAccess, AgentAnswer, MOST_ENTRIES, shorten};
use crate::app::environment::Environment;
use crate::app::fetch_requests;
use crate::error::{Error, Result};
use crate::project::agent_requests::{self, AgentRequest};
use crate::project::approvals::{self, Answer};
use crate::project::clock;
use crate::project::config::Permission;
use crate::project::turn::Turn;

/// Maximum number of characters of each string in a record.
const RECORDED_CHARS: usize = 300;
/// Maximum wait for the person's permission.
const PATIENCE: Duration = Duration::from_mins(2);

/// A call as it is recorded.
pub(super) struct AgentCall<'a> {
    /// The tool.
    pub tool: &'a str,
    /// The entries, the path or the task as the agent wrote them.
    pub asked: &'a [String],
    /// The entries that may name files.
    pub entries: &'a [String],
}

impl AgentAccess {
    /// The turn that calls are recorded in.
    fn current_turn(&self, env: &Environment) -> Result<Option<Turn>> {
        match &self.session {
            Some(name) => env.turn(Some(name)).map(Some),
            None => env.latest_turn(),
        }
    }

    /// Records a call and its outcome in the current turn, if there is one.
    pub(super) fn record(&self, env: &Environment, call: &AgentCall<'_>, answer: &Result<AgentAnswer>) -> Result<()> {
        let Some(turn) = self.current_turn(env)? else { return Ok(()) };
        let request = call.request(env, answer.as_ref().map(|answer| answer.tokens))?;
        agent_requests::append(&turn, &request)
    }

    /// Asks the person to allow an answer of this size, if the configuration requires permission.
    pub(super) fn ask_permission(&self, env: &Environment, call: &AgentCall<'_>, tokens: usize) -> Result<()> {
        if env.config.mcp.fetch == Permission::Allow {
            return Ok(());
        }
        let answer = match self.current_turn(env)? {
            Some(turn) => approvals::ask(&turn, &call.request(env, Ok(tokens))?, PATIENCE)?,
            None => Answer::NoScreen,
        };
        let (what, hint) = match answer {
            Answer::Allowed => return Ok(()),
            Answer::Denied => ("the user denied this request", "continue without it, or ask the user"),
            Answer::NoScreen => (
                "this needs the user's permission, and no teddy screen is open",
                "ask the user to open the session: teddy resume",
            ),
            Answer::TimedOut => (
                "the user did not answer within 2 minutes",
                "ask the user to answer on the teddy screen, then repeat the request",
            ),
        };
        Err(Error::negative(what, hint))
    }
}

impl AgentCall<'_> {
    /// The redacted record of the call.
    fn request(&self, env: &Environment, outcome: Result<usize, &Error>) -> Result<AgentRequest> {
        let policy = env.redaction()?;
        let clean = |text: &str| policy.redact(text, "").0.into_owned();
        let asked = self.asked.iter().take(MOST_ENTRIES).map(|text| shorten(&clean(text), RECORDED_CHARS)).collect();
        let mut paths: Vec<String> = Vec::new();
        if outcome.is_ok() {
            let requests = self.entries.iter().filter_map(|entry| fetch_requests::parse(entry).ok()).flatten();
            let files = requests.filter_map(|request| env.inside(request.path.split('#').next().unwrap_or_default()));
            paths.extend(files.filter(|path| env.root.join(path).is_file()).map(|path| clean(&path)));
            paths.dedup();
        }
        Ok(AgentRequest {
            at: clock::iso(clock::now()?),
            tool: self.tool.to_owned(),
            asked,
            paths,
            tokens: outcome.ok(),
            refused: outcome.err().map(|error| shorten(&clean(&error.to_string()), RECORDED_CHARS)),
        })
    }
}
