//! Checks the rules of `deny.toml` without cargo-deny: licences, sources, and duplicate versions.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::Command;

const RULES: &str = include_str!("../deny.toml");

/// First quoted word of every line of a list in `deny.toml`.
fn listed(name: &str) -> Vec<String> {
    let start = RULES.find(&format!("\n{name} = [")).unwrap() + 1;
    let list = &RULES[start..start + RULES[start..].find("\n]").unwrap()];
    list.lines().skip(1).filter_map(|line| line.split('"').nth(1).map(ToOwned::to_owned)).collect()
}

/// The crates for every platform, or only those for this platform if the others were not downloaded, because a build
/// does not need them.
fn metadata() -> serde_json::Value {
    let read = |more: &[&str]| {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let output = Command::new(cargo)
            .args(["metadata", "--offline", "--locked", "--format-version", "1"])
            .args(more)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let found = output.status.success().then(|| serde_json::from_slice(&output.stdout).unwrap());
        found.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let of_this_one = |_| {
        // Not captured, unlike `println!`.
        let note = "skipped: checking the crates of other platforms needs `cargo fetch`\n";
        std::io::stderr().write_all(note.as_bytes()).unwrap();
        read(&["--filter-platform", &host()])
    };
    read(&[]).or_else(of_this_one).unwrap()
}

/// The platform that this test was built for.
fn host() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// Returns true if the allowed licences satisfy an expression like `(MIT OR Apache-2.0) AND Unicode-3.0`.
fn is_satisfied(expression: &str, allowed: &[String]) -> bool {
    let all = expression.replace(['(', ')'], "");
    all.split(" AND ").all(|part| {
        part.split(" OR ")
            .flat_map(|part| part.split('/'))
            .any(|name| allowed.iter().any(|allowed| allowed == name.trim()))
    })
}

#[test]
fn every_license_is_allowed_and_every_crate_is_from_the_registry() {
    let metadata = metadata();
    let allowed = listed("allow");
    assert!(allowed.contains(&"MIT".to_owned()) && allowed.len() > 5, "{allowed:?}");
    for package in metadata["packages"].as_array().unwrap() {
        let (name, licence) = (package["name"].as_str().unwrap(), package["license"].as_str().unwrap_or("none"));
        assert!(is_satisfied(licence, &allowed), "{name} is under {licence}");
        let source = package["source"].as_str();
        assert!(source.is_none_or(|source| source.starts_with("registry+")), "{name} comes from {source:?}");
    }
}

#[test]
fn duplicate_versions_have_a_reason_and_no_reason_is_obsolete() {
    let lock = include_str!("../Cargo.lock");
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for name in lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')) {
        *versions.entry(name).or_default() += 1;
    }
    let twice: BTreeSet<String> =
        versions.iter().filter(|(_, count)| **count > 1).map(|(name, _)| (*name).to_owned()).collect();
    let known: BTreeSet<String> = listed("skip").into_iter().collect();
    assert_eq!(twice, known);
    let unreasoned = RULES.lines().filter(|line| line.contains("{ crate =") && !line.contains("reason = \"")).count();
    assert_eq!(unreasoned, 0);
}

#[test]
fn license_expressions_are_evaluated() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    assert!(is_satisfied("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(is_satisfied("Apache-2.0/MIT", &allowed) && is_satisfied("Apache-2.0 / MIT", &allowed));
    assert!(!is_satisfied("GPL-3.0", &allowed) && !is_satisfied("MIT AND GPL-3.0", &allowed));
}
