//! Tests of the configured commands, whose output is an item.

use super::support::{Place, TASK, item, json};

/// A place whose configuration runs a command that prints many lines and ends with a failure.
fn noisy(more: &str) -> Place {
    let place = Place::repository();
    place.write_own_config(&format!(
        "commands:\n- name: checks\n  run: \"seq 1 4000; echo 'error: broken at the end'\"\n{more}"
    ));
    place
}

#[test]
fn the_output_of_a_command_is_cut_to_its_limit() {
    let place = noisy("  tokens: 200\n");
    let payload = place.ok(&["plan", TASK]).out;
    let at = payload.find("# item: command:checks").unwrap();
    let block = payload[at..].split("\n```").next().unwrap();
    assert!(block.contains("$ seq 1 4000") && block.contains("error: broken at the end"), "{block}");
    assert!(block.contains("lines omitted") && block.lines().count() < 100, "{block}");
    assert!(payload.contains("output of the command `checks` was cut to 200 tokens"), "{payload}");
    // The default limit is the same share of the budget as for evidence.
    let place = noisy("");
    let plan = json(&place.ok(&["plan", TASK, "--budget", "6000", "--json"]).out);
    let tokens = item(&plan, "command:checks")["tokens"].as_u64().unwrap();
    assert!((40..=1_000).contains(&tokens), "{tokens}");
}

#[test]
fn tiers_of_the_configuration_apply_to_commands() {
    for (tier, shown) in [("linked", "linked"), ("out", "out"), ("raw", "raw")] {
        let place = noisy("  tokens: 300\n");
        place.write(".teddy/config.yaml", &format!("tiers:\n- glob: 'command:*'\n  tier: {tier}\n"));
        let plan = json(&place.ok(&["plan", TASK, "--json"]).out);
        assert_eq!(item(&plan, "command:checks")["tier"], shown);
    }
    // A glob for files does not match other items.
    let place = noisy("");
    place.write(".teddy/config.yaml", "tiers:\n- glob: '**'\n  tier: out\n");
    let plan = json(&place.ok(&["plan", TASK, "--json"]).out);
    assert_eq!(item(&plan, "command:checks")["tier"], "raw");
}
