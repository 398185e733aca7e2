//! Requests of agents during the open turn.

use super::project::ProjectBackend;
use super::{AgentOutcome, AgentRow};
use crate::app::fetch_requests::{self, FetchRequest};
use crate::app::open_turn::no_turn;
use crate::error::Result;
use crate::project::agent_requests::{self, AgentRequest};
use crate::project::approvals;
use crate::project::turn::Turn;

/// Maximum number of requests on the screen.
const MOST_ROWS: usize = 500;

impl ProjectBackend {
    fn open_turn_on_disk(&self) -> Result<Turn> {
        self.state().turn.as_ref().and_then(|turn| turn.active.turn.clone()).ok_or_else(no_turn)
    }

    /// The agent requests of the open turn. Requests that wait for permission come first; the rest are sorted newest
    /// first.
    pub(super) fn agent_requests(&self) -> Result<Vec<AgentRow>> {
        let (env, turn) = (self.env(), self.open_turn_on_disk()?);
        let project = env.project()?;
        let waiting = approvals::waiting(project, &turn).into_iter();
        let waiting = waiting.map(|waiting| row(waiting.request, Some(waiting.id)));
        let recorded = agent_requests::read(project, &turn)?.into_iter().rev().map(|request| row(request, None));
        Ok(waiting.chain(recorded).take(MOST_ROWS).collect())
    }

    /// Allows or denies a waiting request; returns a message.
    pub(super) fn answer_agent(&self, id: &str, allow: bool) -> Result<String> {
        approvals::answer(&self.open_turn_on_disk()?, id, allow)?;
        Ok(if allow { "Allowed the agent's request" } else { "Denied the agent's request" }.to_owned())
    }
}

fn row(request: AgentRequest, waiting: Option<String>) -> AgentRow {
    let AgentRequest { at, tool, asked, tokens, refused, .. } = request;
    let names_files = matches!(tool.as_str(), "fetch" | "explain");
    let named = asked.iter().filter(|_| names_files).filter_map(|entry| fetch_requests::parse(entry).ok()).flatten();
    let pin = |request: FetchRequest| match request.span {
        Some((first, last)) => format!("{}:{first}-{last}", request.path),
        None => request.path,
    };
    AgentRow {
        at: at.get(11..19).unwrap_or_default().to_owned(),
        tool,
        pins: named.map(pin).collect(),
        asked: asked.join(", "),
        tokens,
        outcome: match (waiting, refused) {
            (Some(id), _) => AgentOutcome::Waiting(id),
            (None, Some(why)) => AgentOutcome::Refused(why),
            (None, None) => AgentOutcome::Answered,
        },
    }
}
