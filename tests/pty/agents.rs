//! A coding agent next to an open screen: a client of the protocol's library against the real program.

use std::path::Path;
use std::process::{Command, Stdio};

use rmcp::RoleClient;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RunningService, ServiceExt};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::terminal::{PLAN, Project, Terminal};

/// An agent, with the server that it started.
struct Agent {
    runtime: Runtime,
    service: std::sync::Arc<RunningService<RoleClient, ()>>,
    _child: tokio::process::Child,
}

impl Agent {
    fn start(root: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (service, child) = runtime.block_on(async {
            let mut command = tokio::process::Command::from(teddy(root, &["mcp"]));
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
            let streams = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            (().serve(streams).await.unwrap(), child)
        });
        Self { runtime, service: std::sync::Arc::new(service), _child: child }
    }

    /// Starts a call, which results in true and the text if it succeeded, otherwise in false and the error.
    fn call(&self, tool: &'static str, arguments: &Value) -> JoinHandle<(bool, String)> {
        let mut request = CallToolRequestParams::new(tool);
        request.arguments = arguments.as_object().cloned();
        let service = std::sync::Arc::clone(&self.service);
        self.runtime.spawn(async move {
            let result = service.call_tool(request).await.unwrap();
            let text = serde_json::to_value(&result.content).unwrap()[0]["text"].as_str().unwrap().to_owned();
            (result.is_error != Some(true), text)
        })
    }

    fn fetch(&self, path: &str) -> JoinHandle<(bool, String)> {
        self.call("fetch", &json!({"paths": [path]}))
    }

    fn result(&self, call: JoinHandle<(bool, String)>) -> (bool, String) {
        self.runtime.block_on(call).unwrap()
    }
}

/// `teddy` in the environment of [`Terminal`].
fn teddy(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_teddy"));
    command.args(arguments).current_dir(root);
    command.env("TEDDY_CONFIG_DIR", root.join("../config")).env("TEDDY_CACHE_DIR", root.join("../cache"));
    command
}

/// Esc and `q` in one burst would be Alt-q.
fn close_list_and_quit(screen: &mut Terminal) {
    screen.send("\x1b");
    screen.wait("the list to close", |text| !text.contains("Agent requests"));
    screen.send("q");
}

fn ask_first(project: &Project) {
    let config = project.root().join("../config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.yaml"), "mcp:\n  fetch: ask\n").unwrap();
}

#[test]
fn what_an_agent_fetches_appears_and_is_pinned_for_the_next_turn() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    screen.send("w");
    screen.wait_for("Wrote ");
    let agent = Agent::start(&project.root());
    let (succeeded, text) = agent.result(agent.fetch("src/other.rs"));
    assert!(succeeded && text.contains("pub fn nothing()"), "{text}");
    screen.wait_for("Agent: fetch src/other.rs (");
    let (succeeded, _) = agent.result(agent.fetch("../elsewhere.rs"));
    assert!(!succeeded);
    screen.wait_for("Refused the agent's fetch: ");
    agent.result(agent.fetch("src/refund_20.rs:2-2"));
    screen.wait_for("Agent: fetch src/refund_20.rs:2-2");
    screen.send("@");
    let list = screen.wait_for("Agent requests 3");
    assert!(list.contains("pins what was requested") && list.contains("refused"), "{list}");
    screen.send("p");
    screen.wait_for("Pinned src/refund_20.rs:2-2 for this turn and the next");
    screen.send("Gp");
    screen.wait_for("Pinned src/other.rs for this turn and the next");
    close_list_and_quit(&mut screen);
    assert!(screen.end().1.success());
    let kept = project.turn_yaml();
    assert!(kept.contains("- src/other.rs") && kept.contains("src/refund_20.rs:2"), "{kept}");

    std::fs::write(project.root().join("../answer.md"), "Rename it.\n").unwrap();
    let answered = teddy(&project.root(), &["answer", "../answer.md"]).output().unwrap();
    assert!(answered.status.success(), "{answered:?}");
    let next =
        teddy(&project.root(), &["resume", "-m", "Test it", "--json", "--dry-run", "--no-tui"]).output().unwrap();
    let next: Value = serde_json::from_slice(&next.stdout).unwrap();
    let item = |path: &str| next["items"].as_array().unwrap().iter().find(|item| item["path"] == path).unwrap().clone();
    assert_eq!(item("src/other.rs")["tier"], "raw", "{}", item("src/other.rs"));
    assert_eq!(item("src/refund_20.rs")["spans"], json!([[2, 2]]), "{}", item("src/refund_20.rs"));
}

#[test]
fn a_pin_in_an_answered_turn_is_stored_for_the_session() {
    let project = Project::with_teddy();
    let root = project.root();
    assert!(teddy(&root, PLAN).output().unwrap().status.success());
    std::fs::write(root.join("../answer.md"), "Rename it.\n").unwrap();
    assert!(teddy(&root, &["answer", "../answer.md"]).output().unwrap().status.success());
    let mut screen = Terminal::start(&root, &["resume"], (120, 40), &[]);
    screen.wait_for("answered, read-only");
    screen.send("\x1b");
    screen.wait("the form to close", |text| !text.contains("What next?"));
    let agent = Agent::start(&root);
    assert!(agent.result(agent.fetch("src/other.rs")).0);
    screen.wait_for("Agent: fetch src/other.rs (");
    screen.send("@p");
    screen.wait_for("src/other.rs in ");
    close_list_and_quit(&mut screen);
    assert!(screen.end().1.success());
    let session = std::fs::read_dir(root.join(".teddy/sessions")).unwrap().next().unwrap().unwrap().path();
    let list = std::fs::read_to_string(session.join("session.context")).unwrap();
    assert!(list.contains("src/other.rs"), "{list}");
}

#[test]
fn a_fetch_waits_for_permission_on_the_screen() {
    let project = Project::with_teddy();
    ask_first(&project);
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    let agent = Agent::start(&project.root());
    // A selection has no contents, so it needs no permission.
    assert!(agent.result(agent.call("plan", &json!({}))).0);
    let waiting = agent.fetch("src/other.rs");
    screen.wait_for("The agent asks for src/other.rs (");
    screen.wait_for("1 agent request waiting: @");
    assert!(!waiting.is_finished());
    screen.send("@");
    screen.wait_for("This request waits for permission: y allows it, n denies it.");
    screen.send("y");
    let (succeeded, text) = agent.result(waiting);
    assert!(succeeded && text.contains("pub fn nothing()"), "{text}");
    screen.wait("the outcome", |text| text.contains("Agent requests 2") && !text.contains("waits"));

    let waiting = agent.fetch("src/refund_20.rs");
    screen.wait_for("This request waits for permission");
    screen.send("ggn");
    let (succeeded, text) = agent.result(waiting);
    assert!(!succeeded && text.contains("the user denied this request"), "{text}");
    screen.wait_for("Refused: the user denied");

    let waiting = agent.call("plan", &json!({"task": "Read src/other.rs", "format": "hybrid"}));
    screen.wait_for("This request waits for permission");
    // Without a screen, the request is refused.
    close_list_and_quit(&mut screen);
    assert!(screen.end().1.success());
    let (succeeded, text) = agent.result(waiting);
    assert!(!succeeded && text.contains("no teddy screen is open"), "{text}");
    let turn = project.turn_yaml_path();
    let left: Vec<_> =
        std::fs::read_dir(turn.parent().unwrap()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".tmp")), "{left:?}");
}
