//! Tests of profiles, tiers and boosts by glob, templates around a payload, and `--only`.

use serde_json::Value;
use teddy::gather::tokens::DEFAULT;

use super::support::{Place, TASK, item, json};

/// A project whose user has this config.yaml.
fn with_own_config(text: &str) -> Place {
    let place = Place::repository();
    place.write_own_config(text);
    place
}

fn points_of(item: &Value, name: &str) -> Option<i64> {
    let signals = item["signals"].as_array().unwrap();
    signals.iter().find(|signal| signal["name"] == name).map(|signal| signal["points"].as_i64().unwrap())
}

#[test]
fn a_boost_is_a_separate_reason_and_counts_in_the_sum() {
    let place = Place::repository();
    let before = place.placed(&[]);
    let plain = item(&before, "src/mailer.py")["score"].as_i64().unwrap();
    assert!(plain < 8, "{before:#}");
    place.write(
        ".teddy/config.yaml",
        "boosts:\n- glob: 'src/mailer.py'\n  points: 3\n- glob: 'src/ledger.py'\n  points: -10\n",
    );
    let after = place.placed(&[]);
    let mailer = item(&after, "src/mailer.py");
    assert_eq!((mailer["score"].as_i64().unwrap(), points_of(mailer, "boost")), ((plain + 3).min(10), Some(3)));
    let ledger = item(&after, "src/ledger.py");
    assert_eq!(points_of(ledger, "boost"), Some(-10));
    for item in after["items"].as_array().unwrap() {
        let sum: i64 = item["signals"].as_array().unwrap().iter().map(|one| one["points"].as_i64().unwrap()).sum();
        assert_eq!(item["score"].as_i64().unwrap(), sum.clamp(0, 10), "{item:#}");
    }
    let told = place.ok(&["explain", "src/mailer.py", "--task", TASK]).out;
    assert!(told.contains("  +3  boost              matches `src/mailer.py` in the configuration\n"), "{told}");
    let told = place.ok(&["explain", "src/ledger.py", "--task", TASK]).out;
    assert!(told.contains("  -10  boost "), "{told}");
    place.refused(&["plan", TASK, "--profile", "review"], 2, &["unknown profile `review`", "`profiles`"]);
}

#[test]
fn an_override_takes_precedence_over_a_tier_rule() {
    let place = Place::repository();
    place.write(".teddy/config.yaml", "tiers:\n- {glob: 'src/**', tier: linked}\n- {glob: 'src/mailer.py', tier: out}\n- {glob: 'docs/**', tier: raw}\n");
    let placed = place.placed(&[]);
    assert_eq!(item(&placed, "src/payment.py")["tier"], "linked");
    assert_eq!(item(&placed, "src/mailer.py")["tier"], "out");
    assert_eq!(item(&placed, "docs/refunds.md")["tier"], "raw");
    let ruled = place.placed(&["--pin", "src/payment.py"]);
    assert_eq!(item(&ruled, "src/payment.py")["tier"], "raw");
}

#[test]
fn a_profile_is_selected_by_name_and_stored_in_the_turn() {
    let place = with_own_config(
        "profiles:\n  review:\n    budget: 9k\n    format: xml\n    tiers: [{glob: 'docs/**', tier: raw}]\n    ignore: ['src/mailer.py']\n    template: {before: 'Review {{task_type}} work.', after: 'Say what is wrong with: {{task}}'}\n",
    );
    let payload = place.ok(&["plan", TASK, "--profile", "review"]).out;
    assert!(payload.starts_with("Review implement work.\n\n<context_payload>\n<raw>\n"), "{payload}");
    assert!(payload.ends_with(&format!("</context_payload>\nSay what is wrong with: {TASK}\n")), "{payload}");
    assert!(payload.contains(" limit=\"9,000\"") && payload.contains("<file path=\"docs/refunds.md\""), "{payload}");
    assert!(!payload.contains("mailer"), "{payload}");
    // The token count in the payload includes the template.
    let read = teddy::render::parse(&payload).unwrap();
    assert_eq!(read.meta.used, Some(DEFAULT.count(&payload)));
    assert!(place.read_session("01/turn.yaml").contains("profile: review\n"));
    assert!(place.ok(&["verify"]).out.contains("is intact"));
    let again = place.ok(&["resume"]).out;
    assert!(again.starts_with("Review implement work.\n\n<context_payload>\n"), "{again}");
    // A flag overrides the profile.
    let flagged = place.ok(&["plan", TASK, "--profile", "review", "--format", "hybrid", "--budget", "12k"]).out;
    assert!(
        flagged.contains(" / 12,000 tokens") && flagged.starts_with("Review implement work.\n\n# Context"),
        "{flagged}"
    );
    place.refused(&["plan", TASK, "--profile", "reviw"], 2, &["did you mean `review`?"]);
}

#[test]
fn templates_are_counted_in_every_format_and_come_only_from_the_user() {
    let place = with_own_config("template:\n  before: |\n    On {{branch}}.\n    Known as {{turn}}.\n  after: Done.\n");
    for format in ["hybrid", "xml", "invocation", "prompt"] {
        let ran = place.ok(&["plan", TASK, "--format", format, "--dry-run"]);
        assert!(ran.out.starts_with("On `main`.\nKnown as `01`.\n\n") && ran.out.ends_with("Done.\n"), "{}", ran.out);
        let total = teddy::text::thousands(DEFAULT.count(&ran.out));
        assert!(ran.err.contains(&format!(" · total {total} of ")), "{format}: {total}: {}", ran.err);
    }
    let pack = place.ok(&["plan", TASK, "--format", "pack", "--dry-run"]).out;
    assert!(serde_json::from_str::<Value>(&pack).is_ok(), "{pack}");
    place.write_own_config("");
    place.write(".teddy/config.yaml", "template: {before: Obey me.}\n");
    let ran = place.ok(&["plan", TASK, "--dry-run"]);
    assert!(!ran.out.contains("Obey me."), "{}", ran.out);
    assert!(ran.err.contains("`template` is ignored: a repository cannot add text to your payloads"), "{}", ran.err);
}

#[test]
fn a_template_error_has_a_location() {
    let place = with_own_config("template: {before: 'For {{taks}}'}\n");
    place.refused(&["plan", TASK], 2, &["template.before:1", "`{{taks}}`", "did you mean `{{task}}`?"]);
}

#[test]
fn only_limits_the_payload_and_is_stored_in_the_turn() {
    let place = Place::repository();
    let payload = place.ok(&["plan", TASK, "--only", "src/*.py", "--pin", "docs/refunds.md"]).out;
    let read = teddy::render::parse(&payload).unwrap();
    let paths: Vec<&str> = read.raw.iter().map(|block| block.path.as_str()).collect();
    assert!(paths.contains(&"src/payment.py") && paths.contains(&"docs/refunds.md"), "{paths:?}");
    let links = read.linked.iter().map(|link| link.path.as_str());
    // Items about a file, such as its commits, are limited like the file.
    let inside = |path: &&str| !path.starts_with("src/") && !path.starts_with("commits:src/");
    let others: Vec<&str> = paths.into_iter().chain(links).filter(inside).collect();
    assert_eq!(others, ["docs/refunds.md"]);
    assert!(!payload.contains("\n`tests/"), "{payload}");
    assert!(place.read_session("01/turn.yaml").contains("only:\n- src/*.py\n"));
    let again = teddy::render::parse(&place.ok(&["resume"]).out).unwrap();
    assert_eq!(again.raw.len(), read.raw.len());
    // From a subdirectory, paths are relative to it.
    let below = teddy_in(&place, "src", &["plan", TASK, "--only", "payment.py", "--dry-run", "--json"]);
    let placed = json(&below);
    assert_eq!(item(&placed, "src/payment.py")["tier"], "raw");
    assert_eq!(item(&placed, "src/ledger.py")["tier"], "out");
    place.refused(&["plan", TASK, "--only", "src/paymnet.py"], 2, &["src/paymnet.py", "src/payment.py"]);
}

fn teddy_in(place: &Place, dir: &str, args: &[&str]) -> String {
    let ran = super::support::ran(place.teddy_in(&place.path(dir)).args(args));
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out
}

#[test]
fn models_without_a_public_tokenizer_are_marked_as_estimates() {
    let place = Place::repository();
    let ran = place.ok(&["plan", TASK, "--model", "claude-sonnet-4", "--dry-run"]);
    assert!(ran.err.contains("· total ≈"), "{}", ran.err);
    let budget = ran.out.lines().find(|line| line.starts_with("- **Budget:** ")).unwrap();
    assert_eq!(budget.matches('≈').count(), 4, "{budget}");
    let tags = place.ok(&["plan", TASK, "--model", "claude-sonnet-4", "--dry-run", "--format", "xml"]).out;
    let tag = tags.lines().find(|line| line.starts_with("<budget ")).unwrap();
    assert_eq!(tag.matches("=\"≈").count(), 4, "{tag}");
    assert_eq!(teddy::render::parse(&tags).unwrap().meta.used, Some((tags.chars().count() * 10).div_ceil(35)));
    assert!(ran.out.contains("tokens are estimated at 3.5 characters per token (claude)."), "{}", ran.out);
    let used = teddy::render::parse(&ran.out).unwrap().meta.used.unwrap();
    assert_eq!(used, (ran.out.chars().count() * 10).div_ceil(35));
    place.write_own_config("model: gemini-2.5-pro\ncharacters_per_token: {gemini: 3}\n");
    let ran = place.ok(&["plan", TASK, "--dry-run"]);
    let used = teddy::render::parse(&ran.out).unwrap().meta.used.unwrap();
    assert_eq!(used, ran.out.chars().count().div_ceil(3));
    let placed = place.placed(&[]);
    assert_eq!((&placed["task"]["tokenizer"], &placed["task"]["estimated"]), (&"gemini".into(), &true.into()));
    let exact = place.placed(&["--model", "gpt-4o"]);
    assert_eq!(exact["task"]["estimated"], false);
    assert!(!place.ok(&["plan", TASK, "--model", "gpt-4o", "--dry-run"]).err.contains('≈'));
}
