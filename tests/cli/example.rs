//! Checks that `.teddy-example/` is what the program writes today, byte for byte.
//!
//! `UPDATE_EXAMPLE=1 cargo test --test cli example` regenerates it; review the diff before committing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::support::{Place, git_at, ran};

/// Times of the two turns, and of the commits before each.
const TURNS: [(&str, &str); 2] = [("2026-01-23T16:00:00Z", "1769250600"), ("2026-01-26T08:00:00Z", "1769418000")];
const SESSION: &str = ".teddy/sessions/20260124-add-refund-capability";

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".teddy-example")
}

/// Files below `dir`, by relative path.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    fn gather(dir: &Path, below: &str, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(dir).into_iter().flatten().map(Result::unwrap) {
            let name = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                gather(&entry.path(), &format!("{name}/"), found);
            } else if entry.file_name() != ".lock" {
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    gather(dir, "", &mut found);
    found
}

fn put(place: &Place, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files.iter().filter(|(name, _)| !name.starts_with(".teddy/")) {
        place.write(name, std::str::from_utf8(bytes).unwrap());
    }
}

fn commit(place: &Place, turn: usize, message: &str) {
    let date = TURNS[turn].0;
    git_at(place.root(), date, &["add", "--", ".", ":!.teddy"]);
    git_at(place.root(), date, &["commit", "-q", "-m", message]);
}

fn teddy(place: &Place, turn: usize, args: &[&str]) {
    let ran = ran(place.teddy().args(args).env("SOURCE_DATE_EPOCH", TURNS[turn].1));
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
}

/// Runs the whole session: a task, an answer, a report, the next turn.
fn rebuild() -> Place {
    let (finished, start) = (files(&example().join("project")), files(&example().join("start")));
    let place = Place::empty();
    put(&place, &finished);
    put(&place, &start);
    place.git(&["init", "-q", "-b", "main"]);
    commit(&place, 0, "Charge cards and keep a ledger");
    teddy(&place, 0, &["memo", "add", "All amounts are whole cents; never use floats for money."]);
    teddy(&place, 0, &["plan", "Add refund capability to the payment service", "--done", "pytest passes"]);

    let answer = |name: &str| fs::copy(example().join("answers").join(name), place.path(SESSION).join("01").join(name));
    answer("plan.md").unwrap();
    put(&place, &finished);
    commit(&place, 1, "Refund payments in full or in part");
    answer("report.md").unwrap();
    teddy(&place, 1, &["resume", "-m", "Show refunds in the web client", "--pin", "web/receipt.ts"]);
    place
}

#[test]
fn the_example_is_up_to_date() {
    let place = rebuild();
    let made = files(&place.path(".teddy"));
    let kept_in = example().join("project/.teddy");
    if std::env::var_os("UPDATE_EXAMPLE").is_some() {
        if kept_in.exists() {
            fs::remove_dir_all(&kept_in).unwrap();
        }
        for (name, bytes) in &made {
            let path = kept_in.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
    let kept = files(&kept_in);
    let advice = "if that is meant, make it anew: UPDATE_EXAMPLE=1 cargo test --test cli example";
    assert_eq!(made.keys().collect::<Vec<_>>(), kept.keys().collect::<Vec<_>>(), "{advice}");
    for (name, bytes) in &made {
        let (made, kept) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&kept[name]));
        assert!(made == kept, "{name} is another now; {advice}\n{made}");
    }
}

#[test]
fn the_example_reveals_nothing_about_a_machine() {
    let place = rebuild();
    let outside = place.outside().to_str().unwrap().to_owned();
    for (name, bytes) in files(&place.path(".teddy")) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(&outside) && !text.contains("/bin/sh"), "{name}: {text}");
    }
}

#[test]
fn the_example_contains_what_its_readme_describes() {
    let place = rebuild();
    let session = place.path(SESSION);
    for file in ["01/payload.md", "01/plan.md", "01/report.md", "02/payload.md", "02/checkpoint.json", "session.yaml"] {
        assert!(session.join(file).is_file(), "{file}");
    }
    let shown = place.ok(&["show"]).out;
    assert!(shown.contains("01  done") && shown.contains("02  delivered"), "{shown}");
    place.ok(&["verify"]);
    let second = fs::read_to_string(session.join("02/payload.md")).unwrap();
    assert!(second.contains("A refund's key is the payment's id"), "{second}");
}
