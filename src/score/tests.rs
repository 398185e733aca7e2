//! Tests of scores and reasons on real trees.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::gather::evidence::EvidenceLocation;
use crate::gather::item::{Item, ItemKind, Source};
use crate::gather::progress::NoObserver;
use crate::gather::walk::Walk;
use crate::gather::{Corpus, Gather, samples};
use crate::ids::ItemId;

const FILES: [(&str, &str); 9] = [
    (
        "src/pay/refund.rs",
        "use crate::pay::gateway::Gateway;\n\n/// Pays money back.\npub fn refund_payment(gateway: &Gateway, cents: u32) -> bool {\n    gateway.send_refund(cents)\n}\n",
    ),
    (
        "src/pay/gateway.rs",
        "/// Talks to the bank.\npub struct Gateway;\n\nimpl Gateway {\n    pub fn send_refund(&self, cents: u32) -> bool {\n        cents > 0\n    }\n}\n",
    ),
    ("src/pay/mod.rs", "pub mod gateway;\npub mod refund;\n"),
    ("src/lib.rs", "pub mod mail;\npub mod pay;\n"),
    ("src/mail/mod.rs", "pub mod template;\n"),
    (
        "src/mail/template.rs",
        "/// Größe und Absender eines Briefs; 退款功能 is elsewhere.\npub fn render_letter(name: &str) -> String {\n    format!(\"Dear {name}\")\n}\n",
    ),
    (
        "tests/refund.rs",
        "#[test]\nfn refunds_are_paid() {\n    assert!(teddy::pay::refund::refund_payment(&Gateway, 5));\n}\n",
    ),
    ("README.md", "# Shop\n\nPays and sends letters.\n"),
    ("Cargo.toml", "[package]\nname = \"shop\"\n"),
];

fn shop() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    samples::write(dir.path(), &FILES);
    dir
}

fn git(dir: &Path, args: &[&str], when: &str) {
    let done = Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"])
        .args(args)
        .env("GIT_AUTHOR_DATE", when)
        .env("GIT_COMMITTER_DATE", when)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The shop as a repository with a single commit from a year ago.
fn committed_shop() -> TempDir {
    let dir = shop();
    for args in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "Start"]] {
        git(dir.path(), args, "2025-01-01T00:00:00Z");
    }
    dir
}

/// The weight of each of these words in the task.
fn weights<const N: usize>(dir: &Path, task: &Task<'_>, words: [&str; N]) -> [f64; N] {
    let terms = evidence::Evidence::new(&gather(dir, task), task, &Weights::default()).query.terms;
    words.map(|word| terms.iter().find(|term| term.text == word).unwrap().weight)
}

pub(super) fn gather(dir: &Path, task: &Task<'_>) -> Corpus {
    let vocabulary = vocabulary(task);
    let walk =
        Walk { root: dir, max_file_bytes: 1_000_000, ignore: &[], vocabulary: &vocabulary, observer: &NoObserver };
    let redactor = Arc::new(crate::redact::Policy::default());
    Gather { walk, history_commits: 2000, base: None, cache: None, redactor }.run().unwrap()
}

fn task(text: &str) -> Task<'_> {
    Task::new(text)
}

fn scored(dir: &Path, task: &Task<'_>) -> (Corpus, Scores) {
    let corpus = gather(dir, task);
    let scores = score(&corpus, task, &Weights::default());
    (corpus, scores)
}

fn of<'a>(corpus: &Corpus, scores: &'a Scores, path: &str) -> &'a Score {
    &scores.items[corpus.find(path).unwrap()]
}

fn why(score: &Score, criterion: Criterion) -> String {
    score
        .signals
        .iter()
        .find(|signal| signal.criterion == criterion)
        .map(|signal| signal.why.to_string())
        .unwrap_or_default()
}

fn first<'a>(corpus: &'a Corpus, scores: &Scores) -> &'a str {
    &corpus.items[scores.order[0]].path
}

#[test]
fn a_description_finds_the_file_its_neighbours_and_its_test() {
    let dir = shop();
    let (corpus, scores) = scored(dir.path(), &task("Let `refund_payment` refuse zero cents"));
    assert_eq!(first(&corpus, &scores), "src/pay/refund.rs");
    let refund = of(&corpus, &scores, "src/pay/refund.rs");
    assert!(refund.points >= 7, "{refund:?}");
    assert!(why(refund, Criterion::Named).contains("`refund_payment` (line 4)"), "{refund:?}");
    assert!(why(refund, Criterion::Modified).contains("refund_payment"), "{refund:?}");
    assert_eq!(why(of(&corpus, &scores, "src/pay/gateway.rs"), Criterion::OneHop), "imported by src/pay/refund.rs");
    assert_eq!(why(of(&corpus, &scores, "tests/refund.rs"), Criterion::TestOf), "tests src/pay/refund.rs");
    assert!(of(&corpus, &scores, "src/mail/template.rs").points < 4);
    assert_eq!(scores.targets[0].0, corpus.find("src/pay/refund.rs").unwrap());
    assert!(scores.notes.is_empty(), "{:?}", scores.notes);
}

#[test]
fn files_two_imports_away_name_their_target() {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("src/lib.rs", "\n"),
        ("src/mail/letter.rs", "pub fn fold_letter() {}\n"),
        ("src/mail/bag.rs", "use crate::mail::letter::fold_letter;\n"),
        ("src/pay/refund.rs", "pub fn refund_payment() {}\n"),
        ("src/pay/desk.rs", "use crate::pay::refund::refund_payment;\n"),
        ("src/shop/hall.rs", "use crate::pay::desk::open;\n"),
    ];
    samples::write(dir.path(), &files);
    let (corpus, scores) = scored(dir.path(), &task("Change `fold_letter` and `refund_payment`"));
    let two = |path: &str| why(of(&corpus, &scores, path), Criterion::TwoHop);
    assert_eq!(two("src/shop/hall.rs"), "imports src/pay/desk.rs, one import away from src/pay/refund.rs");
    // A target is not its own neighbour.
    for (target, path) in [("letter", "src/mail/letter.rs"), ("refund", "src/pay/refund.rs")] {
        assert!(!two(path).contains(&format!("one import away from {path}")), "{target}: {}", two(path));
    }
}

#[test]
fn a_task_unrelated_to_the_project_gets_a_note() {
    let dir = shop();
    let (_, scores) =
        scored(dir.path(), &task("Quantize neural tensors on heterogeneous accelerators with sparse kernels"));
    assert!(scores.targets.is_empty(), "{:?}", scores.targets);
    assert!(scores.items.iter().all(|score| score.points < 7));
    assert!(scores.notes.iter().any(|note| note.contains("no words in common")), "{:?}", scores.notes);
}

#[test]
fn a_missing_file_gets_a_note_with_the_nearest_name() {
    let dir = shop();
    let (_, scores) = scored(dir.path(), &task("Fix rounding in src/pay/refunds.rs"));
    let note = scores.notes.first().unwrap();
    assert!(note.contains("`src/pay/refunds.rs`") && note.contains("nearest is `src/pay/refund.rs`"), "{note}");
}

#[test]
fn single_words_and_other_languages_find_files() {
    let dir = shop();
    for (text, path) in [
        ("refund", "src/pay/refund.rs"),
        ("Die Größe des Briefs stimmt nicht", "src/mail/template.rs"),
        ("修复退款功能", "src/mail/template.rs"),
        ("Исправь render_letter, пожалуйста", "src/mail/template.rs"),
    ] {
        let (corpus, scores) = scored(dir.path(), &task(text));
        assert_eq!(first(&corpus, &scores), path, "{text}");
    }
}

#[test]
fn a_name_next_to_a_script_without_spaces_is_found() {
    let dir = shop();
    for text in
        ["refund_paymentを修正する", "修复Gateway的send_refund错误", "gatewayとletterを速くする、よろしくお願いします"]
    {
        let (corpus, scores) = scored(dir.path(), &task(text));
        assert!(!scores.targets.is_empty(), "{text}: {:?}", scores.notes);
        assert!(first(&corpus, &scores).starts_with("src/"), "{text}");
    }
    // The task is a long sentence in which only one word occurs in the code.
    let (_, scores) =
        scored(dir.path(), &task("centsの計算を正しくしてください、とても大切なので、よろしくお願いいたします"));
    assert!(scores.notes.is_empty(), "{:?}", scores.notes);
    let (_, scores) = scored(dir.path(), &task("天気予報を表示する"));
    assert!(scores.targets.is_empty() && !scores.notes.is_empty());
}

#[test]
fn in_a_small_project_many_other_words_do_not_hide_a_name() {
    let dir = tempfile::tempdir().unwrap();
    samples::write(
        dir.path(),
        &[
            ("src/refund.rs", "pub fn refund(cents: u32) -> u32 {\n    cents\n}\n"),
            ("src/pay.rs", "use crate::refund::refund;\npub fn pay() {\n    refund(1);\n}\n"),
            ("src/ship.rs", "pub fn ship() {}\n"),
        ],
    );
    for text in [
        "Change refund rounding",
        "Change refund rounding again",
        "Please change the refund rounding in the code, kindly",
    ] {
        let (corpus, scores) = scored(dir.path(), &task(text));
        assert_eq!(first(&corpus, &scores), "src/refund.rs", "{text}");
        assert!(!scores.targets.is_empty(), "{text}: {:?}", scores.notes);
    }
    let (_, scores) = scored(dir.path(), &task("Bake seven loaves of bread tomorrow"));
    assert!(scores.targets.is_empty());
}

#[test]
fn a_pasted_log_does_not_outweigh_the_sentence_above_it() {
    let dir = shop();
    let log = (0..900)
        .map(|n| format!("[{n}] INFO mail template letter render worker{n} sent name"))
        .collect::<Vec<_>>()
        .join("\n");
    let text = format!("refund_payment pays back too much\n\nThe gateway gets the wrong cents.\n\n```\n{log}\n```\n");
    assert!(text.len() > 50_000);
    let (corpus, scores) = scored(dir.path(), &task(&text));
    assert_eq!(first(&corpus, &scores), "src/pay/refund.rs");
}

#[test]
fn empty_projects_and_tasks_are_not_errors() {
    let dir = tempfile::tempdir().unwrap();
    let (_, scores) = scored(dir.path(), &task("Add refunds"));
    assert!(scores.items.is_empty() && scores.notes == ["the project has no text files"]);
    git(dir.path(), &["init", "-q"], "2026-01-01T00:00:00Z");
    assert!(scored(dir.path(), &task("Add refunds")).1.items.is_empty());
    let shop = shop();
    for text in ["", "   \n", "the of and", "?!"] {
        let (_, scores) = scored(shop.path(), &task(text));
        assert!(scores.targets.is_empty() && scores.items.iter().all(|score| score.points < 7), "{text:?}");
    }
}

#[test]
fn without_git_file_times_are_used() {
    let dir = shop();
    let mut corpus = gather(dir.path(), &task("refund"));
    assert!(corpus.git.is_none());
    let file = corpus.find("src/lib.rs").unwrap();
    corpus.now = corpus.files[file].modified + 3 * 86_400;
    // In a fresh copy all times are new, so they are ignored.
    let fresh = score(&corpus, &task("refund"), &Weights::default());
    assert_eq!(why(&fresh.items[file], Criterion::Recent), "");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(90 * 24);
    for (path, _) in FILES.iter().filter(|(path, _)| *path != "src/lib.rs") {
        fs::File::options().write(true).open(dir.path().join(path)).unwrap().set_modified(long_ago).unwrap();
    }
    let mut corpus = gather(dir.path(), &task("refund"));
    corpus.now = corpus.files[file].modified + 3 * 86_400;
    let near = score(&corpus, &task("refund"), &Weights::default());
    let day = &crate::project::clock::iso(corpus.files[file].modified)[..10];
    assert_eq!(why(&near.items[file], Criterion::Recent), format!("modified {day} according to its file time"));
    corpus.now += 40 * 86_400;
    let far = score(&corpus, &task("refund"), &Weights::default());
    assert_eq!(why(&far.items[file], Criterion::Recent), "");
}

#[test]
fn similar_commits_point_to_their_files() {
    let dir = committed_shop();
    for n in 0..3 {
        fs::write(dir.path().join("src/mail/template.rs"), format!("pub fn render_letter() {{}} // {n}\n")).unwrap();
        let when = format!("2026-01-0{}T00:00:00Z", n + 1);
        git(dir.path(), &["commit", "-qam", "Mend the greeting of invoices"], &when);
    }
    let asked = task("Mend the greeting on invoices, once more");
    let mut corpus = gather(dir.path(), &asked);
    corpus.now = corpus.git.as_ref().and_then(|git| git.head_time).unwrap() + 3 * 86_400;
    let scores = score(&corpus, &asked, &Weights::default());
    assert_eq!(first(&corpus, &scores), "src/mail/template.rs");
    let letter = of(&corpus, &scores, "src/mail/template.rs");
    assert!(why(letter, Criterion::Recent).ends_with("(Mend the greeting of invoices)"), "{letter:?}");
    assert_eq!(why(of(&corpus, &scores, "src/lib.rs"), Criterion::Recent), "");
    corpus.now += 365 * 86_400;
    let later = score(&corpus, &asked, &Weights::default());
    assert_eq!(
        why(of(&corpus, &later, "src/mail/template.rs"), Criterion::Recent),
        "",
        "a year later nothing is recent"
    );
}

#[test]
fn the_scope_of_a_subject_leads_to_its_part_of_the_project() {
    let dir = shop();
    // The kind of a change (`fix`) does not refer to the function with that name.
    samples::write(dir.path(), &[("src/fix.rs", "pub fn fix(name: &str) {\n    drop(name)\n}\n")]);
    let (corpus, scores) = scored(dir.path(), &task("fix(mail): the name is empty"));
    assert_eq!(first(&corpus, &scores), "src/mail/template.rs");
    let letter = of(&corpus, &scores, "src/mail/template.rs");
    assert!(why(letter, Criterion::Modified).contains("in the scope `mail` of the task"), "{letter:?}");
    let fix = of(&corpus, &scores, "src/fix.rs");
    assert_eq!(why(fix, Criterion::Named), "", "{fix:?}");
}

#[test]
fn a_commit_that_the_task_refers_to_points_to_its_files() {
    let dir = committed_shop();
    fs::write(dir.path().join("src/mail/template.rs"), "pub fn render_letter() {}\n").unwrap();
    git(dir.path(), &["commit", "-qam", "Shorten it (#7571)"], "2026-01-01T00:00:00Z");
    let refers = |text: &str| {
        let (corpus, scores) = scored(dir.path(), &task(text));
        let letter = of(&corpus, &scores, "src/mail/template.rs").clone();
        (first(&corpus, &scores).to_owned(), why(&letter, Criterion::Modified).clone())
    };
    let (_, why) = refers("Letters greet wrongly since that change");
    assert!(!why.contains("refers to"), "{why}");
    let (first, why) = refers("Letters greet wrongly since that change (#7571)");
    assert_eq!(first, "src/mail/template.rs");
    assert!(why.contains("changed by ") && why.contains(", which the task refers to"), "{why}");
}

#[test]
fn a_long_text_has_less_weight_without_support_in_history() {
    let dir = committed_shop();
    for n in 1..4 {
        let mut refund = FILES[0].1.to_owned();
        refund.extend((0..n).map(|_| '\n'));
        fs::write(dir.path().join(FILES[0].0), refund).unwrap();
        git(dir.path(), &["commit", "-qam", "Customers see their cents"], &format!("2026-01-0{n}T00:00:00Z"));
    }
    let story = (0..60u8).map(|at| format!("{}a{}ul", char::from(b'b' + at / 20), char::from(b'b' + at % 20)));
    let text = format!("Wrong sum\n\nCustomers lose cents. {}", story.collect::<Vec<_>>().join(" "));
    let (long, short) = (task(&text), task("Wrong sum\n\nCustomers lose cents."));
    // `refund.rs` contains "cents" but not "customers".
    let [customers, cents] = weights(dir.path(), &long, ["customer", "cent"]);
    assert!(customers < 0.6 * cents, "{customers} {cents}");
    let [customers, cents] = weights(dir.path(), &short, ["customer", "cent"]);
    assert!((customers - cents).abs() < 1e-9, "{customers} {cents}");
}

#[test]
fn the_projects_name_in_its_manifest_has_little_weight() {
    let dir = shop();
    let [shop, letters] = weights(dir.path(), &task("Shop loses letters"), ["shop", "letter"]);
    assert!((shop - 0.4 * letters).abs() < 1e-9, "{shop} {letters}");
}

#[test]
fn plans_and_traces_are_evidence() {
    let dir = shop();
    let plan = Some("1. Change `src/mail/template.rs`\n2. Run the tests\n");
    let (corpus, scores) = scored(dir.path(), &Task { plan, ..Task::new("Letters greet wrongly") });
    assert!(why(of(&corpus, &scores, "src/mail/template.rs"), Criterion::PlanStep).contains("is named in the plan"));
    // Words that occur only in the plan are not listed as words of the task.
    let plan = Some("1. Change how `Gateway` answers\n");
    let (corpus, scores) = scored(dir.path(), &Task { plan, ..Task::new("Letters greet wrongly") });
    let signals = &of(&corpus, &scores, "src/pay/gateway.rs").signals;
    let reasons: Vec<&str> = signals.iter().map(|signal| &*signal.why).collect();
    assert_eq!(reasons[0], "defines `Gateway` (line 2), named in the plan", "{reasons:?}");
    let path = "/build/src/pay/gateway.rs".to_owned();
    let focus = [EvidenceLocation { path, line: 6, column: None, why: "panicked here (ci.log)".to_owned() }];
    let (corpus, scores) = scored(dir.path(), &Task { focus: &focus, ..Task::new("It crashes") });
    let gateway = of(&corpus, &scores, "src/pay/gateway.rs");
    assert_eq!(why(gateway, Criterion::Named), "evidence: line 6, panicked here (ci.log)");
    assert!(why(gateway, Criterion::Modified).contains("line 6"), "{gateway:?}");
    assert!(gateway.points >= 8, "{gateway:?}");
    assert_eq!(first(&corpus, &scores), "src/pay/gateway.rs");
    assert!(gateway.hot.first().is_some_and(|span| span.0 <= 6 && 6 <= span.1), "{gateway:?}");
}

/// Reasons why files of a small project are named, by path.
fn named(files: &[(&str, &str)], text: &str) -> Vec<(String, String)> {
    let dir = tempfile::tempdir().unwrap();
    samples::write(dir.path(), files);
    let (corpus, scores) = scored(dir.path(), &task(text));
    let named = |score: &Score| Some(why(score, Criterion::Named)).filter(|why| !why.is_empty());
    let items = corpus.items.iter().zip(&scores.items);
    items.filter_map(|(item, score)| Some((item.path.clone(), named(score)?))).collect()
}

#[test]
fn part_of_a_word_does_not_name_a_file() {
    let files = [
        ("db/query.py", "class QuerySet:\n    def bulk_create(self):\n        return keys\n"),
        ("db/compiler.py", "class Compiler:\n    def as_sql(self):\n        pass\n"),
        ("db/mysql/features.py", "class Features:\n    def bulk(self):\n        pass\n"),
        ("db/base.py", "def inner():\n    pass\ndef add():\n    pass\ndef make():\n    pass\n"),
    ];
    let text = "Make QuerySet.bulk_create return the primary keys on MySQL under load";
    let expected = "defines `QuerySet.bulk_create` (line 2), named in the task";
    assert_eq!(named(&files, text), [("db/query.py".to_owned(), expected.to_owned())]);
    for text in ["Add an inner join on PostgreSQL", "make it faster", "Use the queryset_bulk", "Support querying"] {
        assert_eq!(named(&files, text), [], "{text}");
    }
}

#[test]
fn a_name_shared_by_many_files_names_none() {
    let paths: Vec<String> = (0..9).map(|n| format!("commands/c{n}.py")).collect();
    let text = "class Command:\n    def handle(self):\n        pass\n";
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), text)).collect();
    files.push(("commands/migrate.py", "class Command:\n    def migrate_apps(self):\n        pass\n"));
    let found = named(&files, "Add an --exclude-app option to the migrate `Command`");
    assert_eq!(found, [("commands/migrate.py".to_owned(), "file name matches `migrate` in the task".to_owned())]);
}

#[test]
fn a_module_before_a_shared_name_selects_the_file() {
    let text = "pub struct Receiver {}\nimpl Receiver {\n    pub fn recv(&mut self) {}\n}\n";
    let paths: Vec<String> = (0..30).map(|n| format!("src/sync/channel{n}/queue.rs")).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), text)).collect();
    files.push(("src/sync/mpsc/bounded.rs", text));
    let expected = "defines `Receiver` (line 1), named in the task";
    let named_by = |task: &str| named(&files, task);
    assert_eq!(
        named_by("Add a timeout to mpsc::Receiver"),
        [("src/sync/mpsc/bounded.rs".to_owned(), expected.to_owned())]
    );
    assert_eq!(named_by("Add a timeout to the `Receiver`"), []);
}

#[test]
fn a_verb_of_the_request_does_not_name_a_file() {
    let command = "class Command:\n    def migrate_apps(self):\n        pass\n";
    let auth = "class User:\n    def authenticate(self):\n        return self.users\n";
    let files =
        [("commands/migrate.py", command), ("auth/login.py", auth), ("mail/letter.py", "def send():\n    pass\n")];
    let named_by = |task: &str| named(&files, task).into_iter().map(|(path, _)| path).collect::<Vec<String>>();
    assert_eq!(named_by("Speed up the migrate command"), ["commands/migrate.py"]);
    assert!(named_by("Redesign authentication and migrate all users").is_empty());
}

#[test]
fn a_single_word_written_as_code_names_no_unlikely_file() {
    let reader = "class JsonReader:\n    def peek(self):\n        return self.document.next\n";
    let files = [
        ("gson/json_reader.py", &*reader.repeat(4)),
        ("gson/tree_writer.py", "def peek():\n    return stack[-1]\n"),
        ("gson/other.py", "def flush():\n    pass\n"),
    ];
    let found = named(&files, "JsonReader returns the wrong `peek` at the end of the next document");
    assert_eq!(found.iter().map(|found| found.0.as_str()).collect::<Vec<&str>>(), ["gson/json_reader.py"]);
}

#[test]
fn weak_evidence_is_reported_without_points() {
    let dir = tempfile::tempdir().unwrap();
    let refund = "def refund(order):\n    ledger.book(order.refund, currency)\n";
    let mut files = vec![("shop/refund.py".to_owned(), refund.repeat(5))];
    files.extend((0..20).map(|n| (format!("lib{n}/other{n}.py"), "def run():\n    return 1\n".to_owned())));
    files.push(("tools/report.py".to_owned(), "def report():\n    return ledger.total(currency)\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    samples::write(dir.path(), &files);
    let (corpus, scores) = scored(dir.path(), &task("Refunds book the wrong currency in the ledger: fix refund.py"));
    let of = |path: &str| {
        let item = corpus.items.iter().position(|item| item.path == path).unwrap();
        (&scores.items[item], scores.items[item].weak_evidence.clone())
    };
    let (target, weak) = of("shop/refund.py");
    assert!(target.has(Criterion::Modified));
    assert_eq!(weak, None);
    let (report, weak) = of("tools/report.py");
    assert!(!report.has(Criterion::Modified));
    let weak = weak.unwrap();
    assert!(weak.contains("% confidence, too low for points: contains the task's words"), "{weak}");
    assert!(weak.contains("`ledger`") && weak.contains("`currency`"), "{weak}");
    assert_eq!(of("lib3/other3.py").1, None);
}

#[test]
fn a_trace_through_another_project_has_no_effect() {
    let view = "def index(request):\n    pass\n";
    let files = [
        ("admin/views.py", view),
        ("auth/views.py", view),
        ("gis/views.py", view),
        ("core/handlers.py", "def respond(request):\n    return view(request)\n"),
    ];
    let dir = tempfile::tempdir().unwrap();
    samples::write(dir.path(), &files);
    let text = "respond() fails\n\nTraceback (most recent call last):\n  File \"/srv/app/shop/views.py\", line 2, in index\n    \
                return views(request)\nKeyError: 1\n";
    let (corpus, scores) = scored(dir.path(), &task(text));
    assert_eq!(first(&corpus, &scores), "core/handlers.py");
    for path in ["admin/views.py", "auth/views.py", "gis/views.py"] {
        let score = of(&corpus, &scores, path);
        assert!(
            !score.has(Criterion::Named) && !score.has(Criterion::Modified) && score.points < 4,
            "{path}: {score:?}"
        );
    }
}

#[test]
fn a_file_to_be_modified_needs_confidence() {
    let dir = shop();
    for text in ["refund", "Let `refund_payment` refuse zero cents", "letters", "The gateway gets cents"] {
        let (corpus, scores) = scored(dir.path(), &task(text));
        // Tests have their own likelihood.
        let items = corpus.items.iter().zip(&scores.items).filter(|(item, _)| !item.path.starts_with("tests/"));
        for (item, score) in items {
            assert_eq!(score.has(Criterion::Modified), score.likely >= 0.2, "{text}: {} {score:?}", item.path);
        }
    }
}

#[test]
fn items_that_are_not_files_come_first() {
    let dir = shop();
    let mut corpus = gather(dir.path(), &task("refund"));
    let source = Source::Text(Arc::from("Keep cents as integers."));
    corpus.items.push(Item { kind: ItemKind::Memo, path: "memo:1".to_owned(), source, about: None });
    let scores = score(&corpus, &task("refund"), &Weights::default());
    assert_eq!(first(&corpus, &scores), "memo:1");
    assert_eq!(scores.items[corpus.items.len() - 1].points, 7);
}

#[test]
fn a_low_score_is_explained_with_names() {
    let dir = shop();
    let (corpus, scores) = scored(dir.path(), &task("Let `refund_payment` refuse zero cents"));
    let told = explain(&corpus, &scores, corpus.find("src/mail/template.rs").unwrap().into());
    let named = told.missing.iter().find(|signal| signal.criterion == Criterion::Named).unwrap();
    assert!(named.why.contains("`template.rs` or `render_letter`"), "{}", named.why);
    assert!(told.missing.iter().any(|signal| signal.why.contains("src/pay/refund.rs")));
    assert_eq!(explain(&corpus, &scores, scores.order[0]).place, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn points_are_the_sum_of_their_reasons_and_ranks_order_the_items(text in "(refund|gateway|letter|src/pay|`[a-z_]{1,12}`|\\PC{0,6}|\n){0,12}") {
        let dir = shop();
        let (corpus, scores) = scored(dir.path(), &task(&text));
        let again = score(&corpus, &task(&text), &Weights::default());
        prop_assert_eq!(&scores.order, &again.order);
        let mut seen = scores.order.clone();
        seen.sort_unstable();
        prop_assert_eq!(seen, ItemId::all(corpus.items.len()).collect::<Vec<_>>());
        for (one, other) in scores.items.iter().zip(&again.items) {
            prop_assert_eq!(&one.signals, &other.signals);
            prop_assert_eq!(one.rank.to_bits(), other.rank.to_bits());
            let sum: i32 = one.signals.iter().map(|signal| i32::from(signal.criterion.points())).sum();
            prop_assert_eq!(i32::from(one.points), sum.min(10));
            prop_assert!(one.signals.iter().all(|signal| !signal.why.is_empty()));
            let mut kinds: Vec<Criterion> = one.signals.iter().map(|signal| signal.criterion).collect();
            kinds.sort_unstable();
            kinds.dedup();
            prop_assert_eq!(kinds.len(), one.signals.len());
        }
        for pair in scores.order.windows(2) {
            prop_assert!(scores.items[pair[0]].rank >= scores.items[pair[1]].rank);
        }
    }
}
