//! Tests of reviews: a branch or the working tree as a payload.

use super::support::{Place, Ran, git_in, item, json};

const LEDGER: &str = "\
\"\"\"The ledger.\"\"\"


class Ledger:
    \"\"\"Every booking, in order.\"\"\"

    def __init__(self):
        self.rows = []

    def book_refund(self, order, cents):
        \"\"\"Books a refund.\"\"\"
        self.rows.append((order, -cents))

    def total(self):
        return sum(cents for _, cents in self.rows)


def currency():
    return \"EUR\"
";
const DESK: &str = "\
from shop.ledger import Ledger


def refund_order(ledger: Ledger, order):
    # The whole order.
    ledger.book_refund(order, order.cents)


def unrelated():
    return 1
";
const AUDIT: &str = "\
from shop.ledger import Ledger


class AuditedLedger(Ledger):
    def book_refund(self, order, cents):
        print(order)
        super().book_refund(order, cents)
";
const TESTS: &str = "\
from shop.ledger import Ledger


def test_a_refund_is_negative():
    ledger = Ledger()
    ledger.book_refund(1, 5)
    assert ledger.total() == -5
";

/// A repository with a branch that is not changed yet.
fn shop() -> Place {
    let place = Place::empty();
    place.write("README.md", "# Shop\n\nSells things.\n");
    place.write("shop/__init__.py", "");
    place.write("shop/ledger.py", LEDGER);
    place.write("shop/desk.py", DESK);
    place.write("shop/audit.py", AUDIT);
    place.write("shop/weather.py", "def forecast():\n    return \"sunny\"\n");
    place.write("tests/test_ledger.py", TESTS);
    place.write("docs/refunds.md", "# Refunds\n\nA refund goes through `book_refund`.\n");
    place.write("docs/weather.md", "# Weather\n\nIt is sunny.\n");
    place.git(&["init", "-q", "-b", "main"]);
    place.commit("Open the shop");
    place.git(&["checkout", "-q", "-b", "refunds"]);
    place
}

/// The same repository with one change on the branch.
fn changed_shop() -> Place {
    let place = shop();
    place.write("shop/ledger.py", &LEDGER.replace("(order, -cents)", "(order, -abs(cents))"));
    place.commit("Book refunds as negative amounts\n\nA caller passed negative cents.");
    place
}

/// Text of an item in a hybrid payload.
fn block<'a>(payload: &'a str, head: &str) -> &'a str {
    let at = payload.find(&format!("# {head} (")).unwrap_or_else(|| panic!("no {head} in {payload}"));
    let body = &payload[at..];
    &body[..=body.find("\n```").unwrap()]
}

fn overview(payload: &str) -> &str {
    let at = payload.find("# item: review:").unwrap_or_else(|| panic!("no overview in {payload}"));
    &payload[at..=at + payload[at..].find("\n```").unwrap()]
}

fn reviewed(place: &Place) -> Ran {
    place.ok(&["review", "--budget", "20k"])
}

#[test]
fn a_branch_comes_with_its_diff_definitions_users_tests_commits_and_documents() {
    let place = changed_shop();
    let ran = reviewed(&place);
    let payload = &ran.out;
    assert!(payload.starts_with("# Context Payload: Review the changes of branch refunds since main ("), "{payload}");
    assert!(
        overview(payload).contains("1 file, 1 line added, 1 removed.\nmodified shop/ledger.py (+1 -1), line 12"),
        "{payload}"
    );
    let diff = block(payload, "item: changes:shop/ledger.py");
    assert!(
        diff.contains("-        self.rows.append((order, -cents))\n+        self.rows.append((order, -abs(cents)))\n"),
        "{diff}"
    );
    let plan = json(&place.ok(&["review", "--budget", "20k", "--json", "--dry-run"]).out);
    assert_eq!(plan["task"]["type"], "review", "{}", plan["task"]);
    for (path, criterion, why) in [
        ("shop/ledger.py", "changed", "changed in this branch (line 12)"),
        ("shop/desk.py", "uses a change", "uses `Ledger.book_refund` (line 6)"),
        ("shop/audit.py", "uses a change", "overrides `Ledger.book_refund` (line 5)"),
        ("tests/test_ledger.py", "tests a change", "uses `Ledger.book_refund` (line 6)"),
        ("docs/refunds.md", "mentions a change", "mentions `Ledger.book_refund` (line 3)"),
    ] {
        let found = item(&plan, path);
        assert_eq!(found["tier"], "raw", "{path}: {found}");
        let signals = found["signals"].as_array().unwrap();
        let signal = signals.iter().find(|signal| signal["name"] == criterion);
        let said = signal.unwrap_or_else(|| panic!("{path}: {found}"))["why"].as_str().unwrap();
        assert!(said.contains(why), "{path}: {said}");
    }
    for path in ["shop/weather.py", "docs/weather.md"] {
        assert!(!payload.contains(&format!("# file: {path}")), "{path} has nothing to do with it");
    }
    assert!(payload.contains("Book refunds as negative amounts\n\n    A caller passed negative cents.\n"), "{payload}");
    let order = ["### RAW:changes", "### RAW:primary-code", "### RAW:dependencies", "### RAW:history"];
    let at: Vec<usize> = order.iter().map(|heading| payload.find(heading).unwrap()).collect();
    assert!(at.is_sorted(), "the diff comes first: {at:?}");
    assert!(
        payload.contains("- Under review: 1 changed file since `") && payload.contains("Start with `review:"),
        "{payload}"
    );
    assert!(payload.contains("As a review task"), "{payload}");
    assert!(!ran.err.contains("has too little detail") && !payload.contains("likely target"), "{}{payload}", ran.err);
    place.ok(&["verify"]);
}

#[test]
fn every_format_has_the_change() {
    let place = changed_shop();
    for format in ["hybrid", "xml", "prompt"] {
        let payload = place.ok(&["review", "--format", format, "--dry-run"]).out;
        assert!(payload.contains("+        self.rows.append((order, -abs(cents)))"), "{format}: {payload}");
        assert!(payload.contains("ledger.book_refund(order, order.cents)"), "{format}: {payload}");
    }
    let invocation = place.ok(&["review", "--format", "invocation", "--dry-run"]).out;
    assert!(invocation.contains("-abs(cents)") && invocation.contains("shop/desk.py"), "{invocation}");
    let pack = place.ok(&["review", "--format", "pack", "--dry-run"]).out;
    assert!(pack.contains("changes:shop/ledger.py") && pack.contains("book_refund"), "{pack}");
}

#[test]
fn deleted_renamed_binary_generated_and_vendored_files_are_told_apart() {
    let place = shop();
    place.write("old/gone.py", "def forgotten():\n    return 1\n");
    place.write("shop/teller.py", &"# teller\n".repeat(20));
    place.write("vendor/lib/a.py", "x = 1\n");
    place.write("shop/api_pb2.py", "# Generated by the protocol buffer compiler.  DO NOT EDIT!\nx = 1\n");
    std::fs::write(place.path("logo.png"), b"\x89PNG\r\n\x1a\n\0\0one").unwrap();
    place.commit("More files");
    place.git(&["branch", "-f", "main"]);
    std::fs::remove_file(place.path("old/gone.py")).unwrap();
    place.git(&["mv", "shop/teller.py", "shop/cashier.py"]);
    place.write("shop/cashier.py", &format!("{}cash = 1\n", "# teller\n".repeat(20)));
    place.write("vendor/lib/a.py", "x = 2\n");
    place.write("shop/api_pb2.py", "# Generated by the protocol buffer compiler.  DO NOT EDIT!\nx = 22\n");
    std::fs::write(place.path("logo.png"), b"\x89PNG\r\n\x1a\n\0\0three").unwrap();
    place.write("shop/fresh.py", "def fresh():\n    return 2\n");
    place.commit("Change them all");
    let payload = reviewed(&place).out;
    let overview = overview(&payload);
    for line in [
        "\ndeleted old/gone.py (+0 -2)\n",
        "\nrenamed shop/teller.py -> shop/cashier.py (+1 -0), line 21\n",
        "\nmodified logo.png (binary, 13 -> 15 bytes)\n",
        "\nmodified shop/api_pb2.py (+1 -1; generated, diff omitted)\n",
        "\nmodified vendor/lib/a.py (+1 -1; vendored, diff omitted)",
        "\nadded shop/fresh.py (2 lines)\n",
    ] {
        assert!(overview.contains(line), "{line:?} is not in {overview}");
    }
    assert!(payload.contains("rename from shop/teller.py\nrename to shop/cashier.py\n"), "{payload}");
    assert!(payload.contains("deleted file\n--- a/old/gone.py\n+++ /dev/null\n"), "{payload}");
    assert!(payload.contains("# file: shop/fresh.py (lines 1-2)"), "a new file is its own diff: {payload}");
    assert!(!payload.contains("x = 22") && !payload.contains("x = 2\n"), "{payload}");
    let pinned = place.ok(&["review", "--pin", "changes:vendor/lib/a.py", "--dry-run"]).out;
    assert!(pinned.contains("+x = 2\n"), "a person can still include it: {pinned}");
}

#[test]
fn an_excluded_or_ignored_file_stays_out() {
    let place = changed_shop();
    place.write("shop/desk.py", &DESK.replace("return 1", "return 2"));
    place.write("secret/plans.py", "plan = 'hidden'\n");
    place.write(".teddyignore", "secret/\n");
    place.commit("Change the desk");
    let payload = place.ok(&["review", "--exclude", "shop/ledger.py", "--dry-run"]).out;
    assert!(!payload.contains("shop/ledger.py") && !payload.contains("-abs(cents)"), "{payload}");
    assert!(payload.contains("+    return 2") && !payload.contains("hidden"), "{payload}");
    assert!(overview(&payload).contains("added secret/plans.py (not shown: ignored)"), "{payload}");
}

#[test]
fn the_working_tree_counts_with_untracked_files() {
    let place = shop();
    place.write("shop/ledger.py", &LEDGER.replace("(order, -cents)", "(order, cents)"));
    place.write("shop/new_desk.py", "def open_desk():\n    return 3\n");
    let payload = reviewed(&place).out;
    assert!(payload.starts_with("# Context Payload: Review the uncommitted changes\n"), "{payload}");
    let overview = overview(&payload);
    assert!(overview.contains("\nadded shop/new_desk.py (2 lines; not tracked yet)\n"), "{overview}");
    assert!(overview.contains("\nmodified shop/ledger.py (+1 -1), line 12\n"), "{overview}");
    assert!(payload.contains("# file: shop/new_desk.py") && payload.contains("# file: shop/desk.py"), "{payload}");
    assert!(!payload.contains("### RAW:history"), "there is no commit: {payload}");
}

#[test]
fn a_merge_of_the_main_branch_is_not_part_of_the_review() {
    let place = changed_shop();
    place.git(&["checkout", "-q", "main"]);
    place.write("shop/weather.py", "def forecast():\n    return \"rain\"\n");
    place.commit("It rains");
    place.git(&["checkout", "-q", "refunds"]);
    place.git(&["merge", "-q", "--no-ff", "-m", "Merge main into refunds", "main"]);
    let payload = reviewed(&place).out;
    assert!(!payload.contains("return \"rain\""), "{payload}");
    assert!(payload.contains("(merge) Merge main into refunds\n") && payload.contains("Book refunds"), "{payload}");
}

#[test]
fn a_conflicting_merge_shows_the_files_as_they_are() {
    let place = changed_shop();
    place.git(&["checkout", "-q", "main"]);
    place.write("shop/ledger.py", &LEDGER.replace("(order, -cents)", "(order, 0 - cents)"));
    place.commit("Subtract");
    place.git(&["checkout", "-q", "refunds"]);
    let merged = std::process::Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b.c", "merge", "-q", "main"])
        .current_dir(place.root())
        .output()
        .unwrap();
    assert!(!merged.status.success());
    let payload = place.ok(&["review", "main~1", "--dry-run"]).out;
    assert!(payload.contains("+<<<<<<< HEAD") && payload.contains("+>>>>>>> main"), "{payload}");
}

#[test]
fn submodules_are_listed_with_their_commits() {
    let place = shop();
    let inner = place.outside().join("inner");
    std::fs::create_dir(&inner).unwrap();
    git_in(&inner, &["init", "-q", "-b", "main"]);
    std::fs::write(inner.join("a.py"), "x = 1\n").unwrap();
    git_in(&inner, &["add", "."]);
    git_in(&inner, &["commit", "-q", "-m", "One"]);
    place.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", "../inner", "lib"]);
    place.commit("Add a submodule");
    let added = reviewed(&place).out;
    assert!(overview(&added).contains("\nadded lib (submodule "), "{added}");
    place.git(&["branch", "-f", "main"]);
    place.refused(&["review"], 1, &["nothing to review: no changes since "]);
    // The submodule has another commit checked out, which is not recorded yet.
    let lib = place.path("lib");
    std::fs::write(lib.join("a.py"), "x = 2\n").unwrap();
    git_in(&lib, &["commit", "-q", "-a", "-m", "Two"]);
    let moved = reviewed(&place).out;
    let line = overview(&moved).lines().find(|line| line.starts_with("modified lib (submodule ")).unwrap();
    assert!(line.contains(" -> "), "{line}");
}

#[test]
fn a_review_without_changes_or_base_says_so() {
    let place = shop();
    place.refused(&["review", "--no-tui"], 1, &["nothing to review: no changes since ", "teddy review HEAD~1"]);
    place.refused(&["review", "mian"], 2, &["`mian` is not a branch, tag or commit", "did you mean `main`?"]);
    place.refused(&["review", "0000000"], 2, &["`0000000` is not a branch, tag or commit"]);
    place.refused(&["review", "main..HEAD"], 2, &["is a range", "teddy review main"]);
    place.refused(&["plan", "Check it", "--base", "nowhere"], 2, &["`nowhere` is not a branch"]);
    place.git(&["checkout", "-q", "--orphan", "island"]);
    place.commit("Another beginning");
    place.refused(&["review"], 2, &["HEAD and `main` have no common ancestor"]);
    let outside = Place::plain();
    outside.refused(&["review"], 2, &["there is no git repository here"]);
    let young = Place::plain();
    young.git(&["init", "-q", "-b", "main"]);
    young.refused(&["review"], 1, &["the repository has no commit to compare with"]);
    let unnamed = Place::plain();
    unnamed.git(&["init", "-q", "-b", "work"]);
    unnamed.commit("Begin");
    unnamed.refused(&["review"], 2, &["found no main branch", "teddy review main"]);
    unnamed.ok(&["plan", "Add refunds", "--base", "work", "--dry-run"]);
}

#[test]
fn a_shallow_clone_says_how_to_get_the_history() {
    let place = changed_shop();
    place.git(&["checkout", "-q", "main"]);
    let source = format!("file://{}", place.root().display());
    let copy = place.outside().join("shallow");
    git_in(place.outside(), &["clone", "-q", "--depth", "1", "--branch", "refunds", &source, "shallow"]);
    let shallow = |args: &[&str]| super::support::ran(place.teddy_in(&copy).args(args));
    for args in [&["review"][..], &["review", "HEAD~1"], &["review", "main"]] {
        let ran = shallow(args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        assert!(ran.err.contains("the history is shallow") && ran.err.contains("git fetch --unshallow"), "{ran:?}");
    }
    // The working tree can be reviewed without history.
    std::fs::write(copy.join("shop/weather.py"), "def forecast():\n    return \"snow\"\n").unwrap();
    let ran = shallow(&["review", "HEAD", "--dry-run"]);
    assert!(ran.code == 0 && ran.out.contains("+    return \"snow\""), "{ran:?}");
}

#[test]
fn the_remote_main_branch_is_the_base_on_the_main_branch() {
    let place = changed_shop();
    let source = place.root().display().to_string();
    git_in(place.outside(), &["clone", "-q", "--branch", "main", &source, "clone"]);
    let clone = place.outside().join("clone");
    std::fs::write(clone.join("shop/weather.py"), "def forecast():\n    return \"hail\"\n").unwrap();
    git_in(&clone, &["commit", "-q", "-a", "-m", "It hails"]);
    let ran = super::support::ran(place.teddy_in(&clone).args(["review", "--dry-run"]));
    assert!(ran.out.contains("+    return \"hail\"") && ran.out.contains("It hails"), "{ran:?}");
}

#[test]
fn what_does_not_fit_is_named() {
    let place = shop();
    let function =
        |name: &str, text: &str| format!("def {name}():\n{}\n\n", format!("    print(\"{text}\")\n").repeat(60));
    let module = |text: &str| (0..6).map(|at| function(&format!("step_{at}"), text)).collect::<String>();
    for name in ["a", "b", "c"] {
        place.write(&format!("shop/big_{name}.py"), &module("before"));
    }
    place.commit("Big modules");
    place.git(&["branch", "-f", "main"]);
    for name in ["a", "b", "c"] {
        place.write(&format!("shop/big_{name}.py"), &module("after the change"));
    }
    place.commit("Rewrite them");
    let ran = place.ok(&["review", "--budget", "8k"]);
    let finding =
        ran.out.lines().find(|line| line.contains("did not fit in full")).unwrap_or_else(|| panic!("{}", ran.out));
    assert!(
        finding.contains("changed files did not fit in full: `shop/big_") && finding.contains(" missing"),
        "{finding}"
    );
    assert!(finding.contains("`shop/big_c.py` ("), "{finding}");
    assert!(!finding.contains("`shop/big_a.py` ("), "the first file fits: {finding}");
    assert!(ran.err.contains("did not fit in full"), "{}", ran.err);
    let whole = place.ok(&["review", "--budget", "60k", "--dry-run"]).out;
    assert!(!whole.contains("did not fit"), "{whole}");
}

#[test]
fn a_person_can_demote_and_exclude_what_changed() {
    let place = changed_shop();
    let plan =
        json(&place.ok(&["review", "--json", "--dry-run", "--demote", "shop/ledger.py", "--link", "shop/desk.py"]).out);
    assert_eq!(item(&plan, "shop/ledger.py")["tier"], "linked");
    assert_eq!(item(&plan, "shop/desk.py")["tier"], "linked");
    assert_eq!(item(&plan, "changes:shop/ledger.py")["tier"], "raw");
}

#[test]
fn the_base_is_stored_and_the_next_turn_keeps_it() {
    let place = changed_shop();
    place.ok(&["review"]);
    let sessions = json(&place.ok(&["sessions", "--json"]).out);
    let name = sessions[0]["name"].as_str().or(sessions["sessions"][0]["name"].as_str()).unwrap().to_owned();
    let record = |turn: &str| place.read(&format!(".teddy/sessions/{name}/{turn}/turn.yaml"));
    let base = record("01").lines().find(|line| line.starts_with("base: ")).unwrap().to_owned();
    assert!(record("01").contains("described: true"), "{}", record("01"));
    // Commits on the main branch do not move the base.
    place.git(&["checkout", "-q", "main"]);
    place.git(&["merge", "-q", "refunds"]);
    place.git(&["checkout", "-q", "refunds"]);
    let again = place.ok(&["resume"]).out;
    assert!(again.contains("-abs(cents)"), "{again}");
    place.ok(&["replay", "01", "-o", "replayed.md"]);
    assert_eq!(place.read("replayed.md"), again);
    std::fs::remove_file(place.path("replayed.md")).unwrap();
    place.write(&format!(".teddy/sessions/{name}/01/plan.md"), "# Findings\n");
    place.write(&format!(".teddy/sessions/{name}/01/report.md"), "# Report\n");
    let next = place.ok(&["resume", "-m", "Check the weather forecast, too"]).out;
    assert!(record("02").contains(&base) && !record("02").contains("described"), "{}", record("02"));
    assert!(next.contains("# item: changes:shop/ledger.py") && next.contains("# file: shop/weather.py"), "{next}");
    place.ok(&["verify"]);
    let explained = place.ok(&["explain", "shop/ledger.py"]).out;
    assert!(explained.contains("changed in this branch (line 12)"), "{explained}");
    let fetched = place.ok(&["fetch", "changes:shop/ledger.py"]).out;
    assert!(fetched.contains("+        self.rows.append((order, -abs(cents)))"), "{fetched}");
}

#[test]
fn a_task_with_a_base_has_the_changes_and_its_own_files() {
    let place = changed_shop();
    let payload = place.ok(&["plan", "Let the weather forecast return rain", "--base", "main", "--dry-run"]).out;
    assert!(
        payload.contains("# item: changes:shop/ledger.py") && payload.contains("# file: shop/weather.py"),
        "{payload}"
    );
    assert!(payload.contains("Likely target: `shop/weather.py`"), "{payload}");
}

#[test]
fn secrets_in_changes_and_messages_are_redacted() {
    let place = shop();
    let secret = super::support::secret();
    place.write("shop/keys.py", "token = \"none\"\n");
    place.commit("Keys");
    place.git(&["branch", "-f", "main"]);
    place.write("shop/keys.py", &format!("token = \"{secret}\"\n"));
    place.commit(&format!("Use {secret}"));
    let ran = reviewed(&place);
    assert!(!ran.out.contains(&secret) && ran.out.contains("[REDACTED:"), "{}", ran.out);
    for (path, bytes) in place.everything() {
        let is_ours = path.components().any(|part| part.as_os_str() == ".teddy");
        assert!(!is_ours || !String::from_utf8_lossy(&bytes).contains(&secret), "{}", path.display());
    }
}
