//! `teddy mcp`: the real binary, driven by the protocol library's client and by raw input that no client sends.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use rmcp::RoleClient;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RunningService, ServiceExt};
use serde_json::{Value, json};

use super::support::{Place, SESSION, TASK, assert_same, json as parsed, secret};

/// A client of the library that has done its handshake.
struct Client {
    service: RunningService<RoleClient, ()>,
    _child: tokio::process::Child,
}

impl Client {
    async fn start(place: &Place) -> Self {
        let mut command = tokio::process::Command::from(place.teddy());
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let streams = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        Self { service: ().serve(streams).await.unwrap(), _child: child }
    }

    /// Calls a tool; returns true and its text if it succeeded, otherwise false and the error.
    async fn call(&self, tool: &'static str, arguments: Value) -> (bool, String) {
        let mut request = CallToolRequestParams::new(tool);
        request.arguments = arguments.as_object().cloned();
        let result = self.service.call_tool(request).await.unwrap();
        let text = serde_json::to_value(&result.content).unwrap()[0]["text"].as_str().unwrap().to_owned();
        (result.is_error != Some(true), text)
    }

    async fn ok(&self, tool: &'static str, arguments: Value) -> String {
        let (succeeded, text) = self.call(tool, arguments).await;
        assert!(succeeded, "{tool}: {text}");
        text
    }

    async fn refused(&self, tool: &'static str, arguments: Value) -> String {
        let (succeeded, text) = self.call(tool, arguments).await;
        assert!(!succeeded, "{tool}: {text}");
        text
    }
}

/// Runs a test with a client on the tests' own runtime.
fn with_client(place: &Place, test: impl AsyncFnOnce(Client)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { test(Client::start(place).await).await });
}

#[test]
fn a_client_finds_four_tools_and_who_serves_them() {
    let place = Place::plain();
    with_client(&place, async |client| {
        let tools = client.service.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["plan", "fetch", "explain", "acknowledge"]);
        let info = client.service.peer_info().unwrap();
        assert_eq!(info.server_info.as_ref().map(|info| info.name.as_str()), Some("teddy"));
    });
}

#[test]
fn a_plan_lists_the_selection_or_is_a_payload_and_writes_nothing() {
    let place = Place::repository();
    let before = place.everything();
    with_client(&place, async |client| {
        let list = client.ok("plan", json!({"task": TASK})).await;
        assert!(list.contains("likely targets: ") && list.contains("\nsrc/payment.py ("), "{list}");
        assert!(!list.contains("class PaymentService"), "a selection has no contents: {list}");
        let payload = client.ok("plan", json!({"task": TASK, "format": "hybrid", "budget": 5000})).await;
        assert!(payload.contains("\n## META\n") && payload.contains("class PaymentService"), "{payload}");
        let explained = client.ok("explain", json!({"path": "src/payment.py", "task": TASK})).await;
        assert!(explained.starts_with("src/payment.py  score "), "{explained}");
    });
    assert_same(&before, &place.everything());
}

#[test]
fn without_a_task_an_agent_gets_what_the_person_prepared() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py", "--exclude", "src/ledger.py"]);
    with_client(&place, async |client| {
        let list = client.ok("plan", json!({})).await;
        assert!(list.contains("src/mailer.py (") && !list.contains("src/ledger.py ("), "{list}");
        let payload = client.ok("plan", json!({"format": "hybrid"})).await;
        assert_eq!(payload, place.read_session("01/payload.md"));
        let refused = client.refused("fetch", json!({"paths": ["src/ledger.py"]})).await;
        assert!(refused.contains("is excluded"), "{refused}");
    });
}

#[test]
fn content_is_fetched_by_range_and_by_definition_and_redacted() {
    let place = Place::repository();
    place.write("src/settings.py", &format!("TOKEN = \"{}\"\nDEBUG = True\n", secret()));
    with_client(&place, async |client| {
        let paths = json!({"paths": ["src/payment.py#PaymentService.charge", "src/settings.py:1", "`docs/refunds.md` lines 1-1 -- x"]});
        let text = client.ok("fetch", paths).await;
        assert!(text.contains("# file: src/payment.py (lines 12-16 of 16)"), "{text}");
        assert!(text.contains("[REDACTED:github-token]") && !text.contains(&secret()), "{text}");
        assert!(text.contains("# Refunds"), "{text}");
        let refused = client.refused("fetch", json!({"paths": ["src/payment.py#refund"]})).await;
        assert!(refused.contains("no definition `refund`"), "{refused}");
        let refused = client.refused("fetch", json!({"paths": ["src/payment.py"], "max_tokens": 20})).await;
        assert!(refused.contains("the limit is 20"), "{refused}");
    });
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_project_can_be_named() {
    let place = Place::repository();
    std::fs::write(place.outside().join("private.txt"), "private words").unwrap();
    std::os::unix::fs::symlink(place.outside(), place.path("src/way")).unwrap();
    std::os::unix::fs::symlink(place.outside().join("private.txt"), place.path("src/link.txt")).unwrap();
    let absolute = place.outside().join("private.txt").to_string_lossy().into_owned();
    with_client(&place, async |client| {
        for path in [
            "../private.txt",
            "src/../../private.txt",
            "src/way/private.txt",
            "src/way/missing.txt",
            "src/link.txt",
            "src/link.txt#word",
            "/etc/passwd",
            absolute.as_str(),
            "~/.ssh/id_rsa",
            ".teddy/sessions",
            ".git/config",
        ] {
            let refused = client.refused("fetch", json!({"paths": [path]})).await;
            assert!(!refused.contains("private words"), "{path}: {refused}");
            let refused = client.refused("explain", json!({"path": path, "task": "x y"})).await;
            assert!(!refused.contains("private words"), "{path}: {refused}");
        }
        // The error for a link out of the project does not reveal whether its target exists.
        let said = async |path: &str| client.refused("fetch", json!({"paths": [path]})).await.replace(path, "");
        assert_eq!(said("src/way/private.txt").await, said("src/way/missing.txt").await);
        // The same path inside the project is fine, however it is written.
        let inside = place.path("src/ledger.py").to_string_lossy().into_owned();
        client.ok("fetch", json!({"paths": [inside]})).await;
    });
}

#[cfg(unix)]
#[test]
fn a_repository_cannot_make_it_run_anything() {
    let place = Place::planned();
    let touched = place.outside().join("ran");
    let command = format!("touch {}", touched.display());
    let config = format!("commands:\n  - name: x\n    run: {command}\n");
    place.write(".teddy/config.yaml", &config);
    place.write_own_config(&config);
    with_client(&place, async |client| {
        client.ok("plan", json!({"task": TASK})).await;
        client.ok("plan", json!({"format": "hybrid"})).await;
        client.ok("fetch", json!({"paths": ["README.md"]})).await;
    });
    assert!(!touched.exists());
}

#[test]
fn an_acknowledgement_is_recorded_and_missing_sections_come_back() {
    let place = Place::planned();
    let payload = place.read_session("01/payload.md");
    let stated = payload.lines().find(|line| line.starts_with("- **Fingerprint:**")).unwrap();
    let fingerprint = &stated.rsplit(' ').next().unwrap()[..16];
    let count = |start: &str| payload.lines().filter(|line| line.starts_with(start)).count();
    let (raw, linked) = (count("### RAW:"), count("### LINKED:"));
    let ack = |status: &str, missing: &str| {
        json!({"text": format!("PAYLOAD_ACK:\n  fingerprint: {fingerprint}\n  raw_sections: {raw} / {raw}\n  \
            linked_sections: {linked} / {linked}\n  status: {status}\n  missing: [{missing}]\n")})
    };
    with_client(&place, async |client| {
        let again = client.ok("acknowledge", ack("partial", "RAW:primary-code-1")).await;
        assert!(again.contains("\n## META\n") && again.contains("RAW:primary-code"), "{again}");
        let done = client.ok("acknowledge", ack("complete", "")).await;
        assert_eq!(done, format!("payload.md of {SESSION}/01 is acknowledged\n"));
        client.refused("acknowledge", json!({"text": "thanks"})).await;
    });
    assert_eq!(parsed(&place.read_session("01/ack.json"))["status"], "complete");
}

#[test]
fn oversized_and_invalid_arguments_are_errors() {
    let place = Place::plain();
    with_client(&place, async |client| {
        for (tool, arguments, needle) in [
            ("plan", json!({"task": "x".repeat(300_000)}), "the limit is 200,000"),
            ("plan", json!({"task": "add refunds", "budget": 10_000_000}), "the limit is 200,000"),
            ("plan", json!({"task": "add refunds", "budget": -1}), "invalid arguments"),
            ("plan", json!({"task": "add refunds", "format": "pdf"}), "pdf"),
            ("plan", json!({"taks": "add refunds"}), "taks"),
            ("plan", json!({"task": ""}), "empty"),
            ("plan", json!({}), "no `.teddy/`"),
            ("fetch", json!({}), "paths"),
            ("fetch", json!({"paths": []}), "from 1 to 50"),
            ("fetch", json!({"paths": vec!["README.md"; 60]}), "from 1 to 50"),
            ("fetch", json!({"paths": ["README.md:9-1"]}), "not a line range"),
            ("explain", json!({"path": "missing.py", "task": "add refunds"}), "missing.py"),
        ] {
            let refused = client.refused(tool, arguments).await;
            assert!(refused.contains(needle), "{tool}: {refused}");
        }
        client.ok("fetch", json!({"paths": ["README.md"]})).await;
    });
}

#[test]
fn asking_without_a_screen_means_no_and_only_the_person_decides() {
    let place = Place::planned();
    // The repository's configuration can neither require permission nor give it.
    place.write(".teddy/config.yaml", "mcp: {fetch: ask}\n");
    with_client(&place, async |client| {
        client.ok("fetch", json!({"paths": ["README.md"]})).await;
    });
    place.write(".teddy/config.yaml", "mcp: {fetch: allow}\n");
    place.write_own_config("mcp: {fetch: ask}\n");
    with_client(&place, async |client| {
        for (tool, arguments) in
            [("fetch", json!({"paths": ["README.md"]})), ("plan", json!({"task": TASK, "format": "prompt"}))]
        {
            let refused = client.refused(tool, arguments).await;
            assert!(refused.contains("no teddy screen is open") && refused.contains("hint: "), "{refused}");
        }
        // None of these answers has contents that the person has not delivered.
        client.ok("plan", json!({"task": TASK})).await;
        client.ok("plan", json!({"format": "hybrid"})).await;
        client.ok("explain", json!({"path": "README.md"})).await;
    });
    let stored = place.read_session("01/requests.jsonl");
    assert!(stored.contains("no teddy screen is open"), "{stored}");
}

const HANDSHAKE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

#[test]
fn malformed_messages_are_answered_with_errors_and_the_server_continues() {
    let place = Place::plain();
    let mut child =
        place.teddy().arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut answer = || {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        parsed(&line)
    };
    // Invalid messages before the handshake do not stop the server either.
    input.write_all(b"{garbage\n\xff\xfe\n\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n").unwrap();
    assert_eq!(answer()["error"]["code"], -32700);
    assert_eq!(answer()["error"]["code"], -32700);
    input.write_all(HANDSHAKE.as_bytes()).unwrap();
    assert_eq!(answer()["result"]["serverInfo"]["name"], "teddy");
    let mut long = b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"".to_vec();
    long.resize(5_000_000, b'x');
    long.push(b'\n');
    for (line, id, code) in [
        (&b"[]\n"[..], json!(null), -32600),
        (b"{\"id\":3,\"method\":4}\n", json!(3), -32600),
        (&long, json!(null), -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"no/such\"}\n", json!(8), -32601),
        (b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}\n", json!(9), -32602),
    ] {
        input.write_all(line).unwrap();
        let answer = answer();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{answer}");
    }
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"ping\"}").unwrap();
    drop(input);
    assert_eq!(answer()["id"], 10);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}

#[test]
fn requests_are_stored_with_the_turn_and_count_in_the_next_one() {
    let place = Place::planned();
    with_client(&place, async |client| {
        client.ok("fetch", json!({"paths": ["src/mailer.py#send", "src/mailer.py"]})).await;
        client.refused("fetch", json!({"paths": [format!("../{}", secret())]})).await;
        client.ok("plan", json!({"task": "Send mail"})).await;
    });
    let stored = place.read_session("01/requests.jsonl");
    let requests: Vec<Value> = stored.lines().map(parsed).collect();
    assert_eq!(requests.len(), 3, "{stored}");
    assert_eq!((&requests[0]["tool"], &requests[0]["paths"]), (&json!("fetch"), &json!(["src/mailer.py"])));
    assert!(requests[0]["tokens"].as_u64().unwrap() > 0, "{stored}");
    assert!(requests[1]["refused"].as_str().unwrap().contains("outside the project"), "{stored}");
    assert!(!stored.contains(&secret()), "{stored}");
    assert_eq!(requests[2]["asked"], json!(["Send mail"]));
    place.write("answer.md", "Change src/payment.py.\n");
    place.ok(&["answer", "answer.md"]);
    let next = parsed(&place.ok(&["resume", "-m", "Go on", "--json", "--dry-run"]).out);
    let signals = super::support::item(&next, "src/mailer.py")["signals"].to_string();
    assert!(signals.contains("an agent fetched it during turn 01"), "{signals}");
}
