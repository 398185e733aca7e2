//! `teddy setup`: what it shows, writes and removes in the configuration of agents.

use super::support::{Place, assert_same, json};

#[test]
fn without_a_terminal_or_yes_it_only_shows_the_change() {
    let place = Place::repository();
    let before = place.everything();
    let ran = place.ok(&["setup", "claude"]);
    assert!(ran.out.contains(".mcp.json (new)\n+ {\n") && ran.out.contains("\"teddy\": {\"command\""), "{}", ran.out);
    assert!(ran.err.contains("--yes") && ran.err.contains("nothing was written"), "{}", ran.err);
    assert_same(&before, &place.everything());
}

#[test]
fn every_agent_is_set_up_and_removed_without_a_trace() {
    for agent in ["claude", "codex", "cursor", "vscode", "gemini"] {
        let place = Place::repository();
        place.write("AGENTS.md", "# Rules\n\nBe kind.");
        place.write(".mcp.json", "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}}");
        let before = place.listing();
        place.ok(&["setup", agent, "--yes"]);
        let after = place.listing();
        assert_ne!(before, after, "{agent}");
        let again = place.ok(&["setup", agent, "--yes"]);
        assert!(again.err.contains("already set up"), "{}", again.err);
        assert_same(&after, &place.listing());
        place.ok(&["setup", agent, "--undo", "--yes"]);
        assert_same(&before, &place.listing());
        let again = place.ok(&["setup", "--undo"]);
        assert!(again.err.contains("nothing to remove"), "{agent}: {}", again.err);
    }
}

#[test]
fn the_entries_are_what_each_agent_reads() {
    let place = Place::repository();
    for agent in ["claude", "codex", "cursor", "vscode", "gemini"] {
        place.ok(&["setup", agent, "--yes"]);
    }
    let read = |path: &str| json(&place.read(path));
    assert_eq!(read(".mcp.json")["mcpServers"]["teddy"]["args"][0], "mcp");
    assert_eq!(read(".cursor/mcp.json")["mcpServers"]["teddy"]["args"][1], "${workspaceFolder}");
    assert_eq!(read(".vscode/mcp.json")["servers"]["teddy"]["command"], "teddy");
    assert_eq!(read(".gemini/settings.json")["mcpServers"]["teddy"]["command"], "teddy");
    let codex = std::fs::read_to_string(place.outside().join("home/.codex/config.toml")).unwrap();
    assert!(codex.contains("[mcp_servers.teddy]"), "{codex}");
    assert!(place.read(".claude/skills/teddy/SKILL.md").starts_with("---\nname: teddy\n"));
    assert_eq!(place.read("AGENTS.md").matches("teddy:begin").count(), 1);
}

#[test]
fn a_broken_file_is_refused_and_nothing_is_written() {
    let place = Place::repository();
    place.write(".vscode/mcp.json", "{\n  // mine\n  \"servers\": {}\n}\n");
    place.refused(
        &["setup", "vscode", "--yes"],
        2,
        &["cannot edit", "comments are not supported", "nothing was changed"],
    );
}

#[cfg(unix)]
#[test]
fn a_link_in_the_repository_does_not_lead_a_write_outside() {
    let place = Place::repository();
    let outside = place.outside().join("precious.json");
    std::fs::write(&outside, "{}").unwrap();
    std::os::unix::fs::symlink(&outside, place.path(".mcp.json")).unwrap();
    place.refused(&["setup", "claude", "--yes"], 2, &["outside the project"]);
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "{}");
}
