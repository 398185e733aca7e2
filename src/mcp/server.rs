//! Handles requests: reads a tool's arguments, calls the use case and formats the answer.

use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::tools;
use crate::app::agents::{AgentAccess, AgentAnswer, FetchCall, PlanCall};
use crate::error::{Error, Result};
use crate::redact::message;
use crate::render::Format;
use crate::text::printable;

/// Serves the tools. Only one call runs at a time, because each call uses all cores.
#[derive(Clone)]
pub struct ToolServer {
    access: Arc<AgentAccess>,
    turn: Arc<Mutex<()>>,
}

/// The arguments of `plan`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanArguments {
    task: Option<String>,
    budget: Option<usize>,
    format: Option<String>,
}

/// The arguments of `fetch`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FetchArguments {
    paths: Vec<String>,
    max_tokens: Option<usize>,
}

/// The arguments of `explain`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExplainArguments {
    path: String,
    task: Option<String>,
}

/// The arguments of `acknowledge`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AcknowledgeArguments {
    text: String,
}

impl ToolServer {
    pub fn new(access: AgentAccess) -> Self {
        Self { access: Arc::new(access), turn: Arc::default() }
    }
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = Implementation::new("teddy", env!("CARGO_PKG_VERSION"));
        config.with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !tools::all().iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params("there is no such tool", None));
        }
        let _turn = self.turn.lock().await;
        let access = Arc::clone(&self.access);
        let run = move || call(&access, &request.name, request.arguments.unwrap_or_default());
        let result = tokio::task::spawn_blocking(run).await;
        Ok(match result {
            Ok(Ok(answer)) => CallToolResult::success(vec![ContentBlock::text(answer.text)]),
            Ok(Err(error)) => CallToolResult::error(vec![ContentBlock::text(explained(&error))]),
            Err(_) => CallToolResult::error(vec![ContentBlock::text("internal error; please report this bug")]),
        }
        .into())
    }
}

/// Runs a tool.
fn call(access: &AgentAccess, tool: &str, arguments: Map<String, Value>) -> Result<AgentAnswer> {
    match tool {
        "plan" => {
            let PlanArguments { task, budget, format } = read(arguments)?;
            let format = format.filter(|format| format != "selection").map(|name| Format::named(&name)).transpose()?;
            access.plan(&PlanCall { task, budget, format })
        }
        "fetch" => {
            let FetchArguments { paths, max_tokens } = read(arguments)?;
            access.fetch(&FetchCall { entries: paths, max_tokens })
        }
        "explain" => {
            let ExplainArguments { path, task } = read(arguments)?;
            access.explain(&path, task.as_deref())
        }
        _ => access.acknowledge(&read::<AcknowledgeArguments>(arguments)?.text),
    }
}

fn read<A: DeserializeOwned>(arguments: Map<String, Value>) -> Result<A> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| Error::input(format!("invalid arguments: {error}"), "check the tool's parameters"))
}

/// Formats an error for the client's model: what happened, then what to do. The text is escaped and redacted, because
/// it may quote the project's files.
fn explained(error: &Error) -> String {
    let lines = error.to_string();
    let mut text: Vec<String> = lines.lines().map(|line| printable(&message(line)).into_owned()).collect();
    if let Some(hint) = error.hint() {
        text.extend(hint.lines().map(|line| format!("hint: {}", printable(&message(line)))));
    }
    text.join("\n")
}
