//! Measurements on texts outside this repository. `TEDDY_SECRETS_SET` is a file of labelled texts (JSON lines, plain or
//! gzip); `TEDDY_SECRETS_DIR` is a directory of real code whose findings are listed for review.

use std::collections::BTreeMap;
use std::io::Write;

use teddy::redact::Redactor;

/// Words in kinds that name no provider.
const GENERIC: &[&str] = &[
    "access", "account", "admin", "api", "apikey", "app", "application", "atlas", "auth", "authentication", "basic",
    "basicauth", "bot", "ca", "cicd", "client", "cloud", "com", "config", "connection", "cookie", "credentials",
    "curl", "custom", "deploy", "developer", "ecdsa", "encryption", "extended", "fine", "full", "grained", "has",
    "header", "hmac", "iam", "id", "in", "job", "json", "jwt", "key", "legacy", "live", "lived", "lock", "management",
    "ng", "oauth", "open", "org", "organization", "origin", "package", "page", "password", "pat", "pem", "personal",
    "personnal", "private", "privatekey", "privkey", "production", "public", "real", "reference", "refresh", "rich",
    "routable", "rrt", "sdk", "search", "secret", "server", "service", "session", "shared", "short", "string", "swarm",
    "test", "token", "unlock", "url", "user", "web", "webhook", "xapp",
];

struct Item {
    kind: String,
    class: String,
    text: String,
    path: String,
    secret: Option<String>,
}

fn set() -> Option<Vec<Item>> {
    let Ok(path) = std::env::var("TEDDY_SECRETS_SET") else {
        std::io::stderr().write_all(b"skipped: needs TEDDY_SECRETS_SET, the path of a labelled set\n").unwrap();
        return None;
    };
    let output = std::process::Command::new("gzip").args(["-dcf", &path]).output().expect("the set can be read");
    let text = String::from_utf8(output.stdout).expect("the set is UTF-8");
    let item = |line: &str| {
        let item: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
        let field = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let secret = item["secret"].as_str().map(ToOwned::to_owned);
        Item { kind: field("kind"), class: field("class"), text: field("text"), path: field("path"), secret }
    };
    Some(text.lines().map(item).collect())
}

#[test]
fn recall_and_false_positives_on_the_labelled_set() {
    let Some(items) = set() else { return };
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for item in &items {
        let (out, found) = Redactor::builtin().redact(&item.text, &item.path);
        let entry = counts.entry(&item.class).or_default();
        entry.0 += usize::from(!found.is_empty());
        entry.1 += 1;
        let is_missed = item.secret.as_ref().is_some_and(|secret| out.contains(secret.as_str()));
        assert!(found.is_empty() || item.class != "positive" || !is_missed, "a secret is_missed: {}", item.kind);
        if (item.class == "positive") == found.is_empty() && item.class != "near-miss" {
            wrong.push(format!("{} {}", item.class, item.kind));
        }
    }
    println!("found of all, by class: {counts:?}; wrong: {wrong:?}");
    let (found, positives) = counts.get("positive").copied().unwrap_or_default();
    assert!(found * 100 >= positives * 95, "recall {found}/{positives}");
    let (hits, clear) = counts.get("clear").copied().unwrap_or_default();
    assert!(hits * 200 <= clear, "{hits} false positives in {clear}");
}

/// Recall for kinds without a rule: the rules and provider names that contain a word of a text's kind are left out.
#[test]
fn recall_without_the_rules_of_the_kind() {
    let Some(items) = set() else { return };
    let mut redactors: BTreeMap<&str, Redactor> = BTreeMap::new();
    let (mut found, mut positives, mut missed) = (0, 0, Vec::new());
    for item in items.iter().filter(|item| item.class == "positive") {
        let redactor = redactors.entry(&item.kind).or_insert_with(|| {
            let lower = item.kind.to_lowercase();
            let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
            let mut words: Vec<String> =
                words.filter(|word| word.len() > 1 && !GENERIC.contains(word)).map(ToOwned::to_owned).collect();
            if words.len() > 1 {
                words.push(words.concat());
            }
            Redactor::without(&words).expect("the rules can be read")
        });
        positives += 1;
        if redactor.find(&item.text, &item.path).is_empty() {
            missed.push(item.kind.as_str());
        } else {
            found += 1;
        }
    }
    println!("without the rules of the kind: {found}/{positives}; missed {missed:?}");
    assert!(found * 100 >= positives * 95, "recall {found}/{positives}");
}

/// Lists findings in real code. The test asserts only that the scan ends, because only a person can tell a fixture from
/// a leak.
#[test]
fn findings_in_a_directory() {
    let Ok(root) = std::env::var("TEDDY_SECRETS_DIR") else {
        std::io::stderr().write_all(b"skipped: needs TEDDY_SECRETS_DIR, a directory of source code\n").unwrap();
        return;
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut files, mut bytes) = (0, 0);
    for entry in ignore::WalkBuilder::new(&root).hidden(false).build().flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        let path = entry.path().strip_prefix(&root).unwrap_or(entry.path()).to_string_lossy().into_owned();
        files += 1;
        bytes += text.len();
        for finding in Redactor::builtin().find(&text, &path) {
            *counts.entry(finding.rule.to_string()).or_default() += 1;
            let start = text[..finding.start].rfind('\n').map_or(0, |at| at + 1);
            let before: String = text[start..finding.start].chars().rev().take(80).collect();
            let before: String = before.chars().rev().collect();
            let secret: String = text[finding.start..finding.end].chars().take(60).collect();
            println!("{}\t{path}:{}\t{before}<<{}>>", finding.rule, finding.line, secret.replace('\n', " "));
        }
    }
    println!("{files} files, {} MB, {} findings: {counts:?}", bytes / 1_000_000, counts.values().sum::<usize>());
}
