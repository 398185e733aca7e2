//! Tests of the workbench on a small real project.

use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::gather::tokens::DEFAULT;
use crate::gather::{samples, virtual_items};
use crate::ids::ItemId;
use crate::place::{PlacedItem, Split};
use crate::redact::Policy;
use crate::score::{Task, Weights, score, vocabulary};

const FILES: [(&str, &str); 6] = [
    ("README.md", "# Shop\n"),
    ("docs/guide.md", "# Guide\n\nWords.\n"),
    ("src/mail.py", "def send(to):\n    pass\n"),
    ("src/payment.py", "def refund(order):\n    return order.total\n"),
    ("src/shop/[id].ts", "export const id = 1;\n"),
    ("vendor/lib.js", "module.exports = 1;\n"),
];

/// Costs that equal the length of the text, and fixed parts of a hundred tokens.
struct Bytes(Arc<Corpus>);

impl Costs for Bytes {
    fn inlined(&self, item: ItemId, form: &crate::place::Form) -> Option<usize> {
        (*form == crate::place::Form::Whole).then(|| self.0.item_text(item).shown.len())
    }
    fn linked(&self, _item: ItemId) -> usize {
        20
    }
    fn mentioned(&self, _item: ItemId) -> usize {
        10
    }
    fn usage(&self, placement: &Placement) -> crate::place::Usage {
        let total = 100 + placement.placed.iter().map(|placed| placed.tokens).sum::<usize>();
        crate::place::Usage { total, ..crate::place::Usage::default() }
    }
}

fn gathered(root: &Path) -> Workbench {
    let task = Task::new("Fix refund in src/payment.py");
    let vocabulary = vocabulary(&task);
    let mut corpus = samples::gathered(root, &vocabulary);
    corpus.items.extend(virtual_items::memos(&["Use cents.".to_owned()], &Policy::default()));
    let scores = Arc::new(score(&corpus, &task, &Weights::default()));
    let corpus = Arc::new(corpus);
    let costs = Arc::new(Bytes(Arc::clone(&corpus)));
    let budget = Budget::new(10_000, Split::default(), DEFAULT).unwrap();
    Workbench::new(corpus, scores, costs, Decisions::new(), budget, false)
}

fn bench() -> (TempDir, Workbench) {
    let dir = tempfile::tempdir().unwrap();
    samples::write(dir.path(), &FILES);
    samples::write(dir.path(), &[("logo.png", "PNG\0\0\0"), ("art/logo.png", "PNG\0\0\0")]);
    let bench = gathered(dir.path());
    (dir, bench)
}

fn item(bench: &Workbench, path: &str) -> ItemId {
    lines::item_named(bench.corpus(), path).unwrap()
}

fn at<'a>(bench: &'a Workbench, path: &str) -> &'a PlacedItem {
    let item = item(bench, path);
    bench.placement().placed.iter().find(|placed| placed.item == item).unwrap()
}

#[test]
fn a_later_override_replaces_an_earlier_one() {
    let (_dir, mut bench) = bench();
    let one = vec![item(&bench, "vendor/lib.js")];
    bench.apply(&Action::Pin(one.clone())).unwrap();
    assert_eq!(at(&bench, "vendor/lib.js").tier, Tier::Raw);
    bench.apply(&Action::Exclude(one.clone())).unwrap();
    assert_eq!(
        (at(&bench, "vendor/lib.js").tier, at(&bench, "vendor/lib.js").overridden),
        (Tier::Out, Some(Override::Exclude))
    );
    bench.apply(&Action::Link(one.clone())).unwrap();
    assert_eq!(at(&bench, "vendor/lib.js").tier, Tier::Linked);
    bench.apply(&Action::Clear(one)).unwrap();
    assert_eq!(at(&bench, "vendor/lib.js").overridden, None);
    assert_eq!(bench.steps().len(), 4);
}

#[test]
fn a_step_over_a_context_list_can_be_undone() {
    let (_dir, made) = bench();
    let library = item(&made, "vendor/lib.js");
    let context_decisions = Decisions::from([(library, Decision::whole(Override::Pin))]);
    let (fill, budget) = made.settings();
    let mut bench = Workbench::new(made.corpus, made.scores, made.costs, context_decisions, budget, fill);
    assert_eq!(at(&bench, "vendor/lib.js").tier, Tier::Raw);
    bench.apply(&Action::Clear(vec![library])).unwrap();
    assert_eq!(at(&bench, "vendor/lib.js").overridden, None);
    bench.undo().unwrap();
    assert_eq!(at(&bench, "vendor/lib.js").overridden, Some(Override::Pin));
}

#[test]
fn a_preview_changes_nothing_and_equals_the_result() {
    let (_dir, mut bench) = bench();
    let action = Action::Pin(vec![item(&bench, "vendor/lib.js")]);
    let before = bench.placement().clone();
    let preview = bench.preview(&action).unwrap();
    assert_eq!((bench.placement(), bench.steps().len()), (&before, 0));
    bench.apply(&action).unwrap();
    assert_eq!(bench.placement(), &preview);
    assert_ne!(preview, before);
}

#[test]
fn a_new_step_clears_the_redo_list() {
    let (_dir, mut bench) = bench();
    let file = item(&bench, "vendor/lib.js");
    bench.apply(&Action::Pin(vec![file])).unwrap();
    bench.undo().unwrap();
    assert_eq!(bench.undone().len(), 1);
    bench.apply(&Action::Fill(true)).unwrap();
    assert!(bench.undone().is_empty());
    assert_eq!(bench.redo().unwrap_err().exit_code(), 1);
    bench.undo().unwrap();
    assert_eq!(bench.undo().unwrap_err().exit_code(), 1);
}

#[test]
fn limit_and_fill_are_steps_too() {
    let (_dir, mut bench) = bench();
    bench.apply(&Action::Limit(1_234)).unwrap();
    bench.apply(&Action::Fill(true)).unwrap();
    let (fill, budget) = bench.settings();
    assert_eq!((fill, budget.limit, bench.placement().limit), (true, 1_234, 1_234));
    assert!(bench.placement().tier(Tier::Raw).count() > 3);
    bench.undo().unwrap();
    bench.undo().unwrap();
    assert_eq!((bench.settings().0, bench.placement().limit), (false, 10_000));
    assert_eq!(bench.apply(&Action::Limit(0)).unwrap_err().exit_code(), 2);
    assert!(bench.steps().is_empty());
}

#[test]
fn an_action_without_items_is_rejected() {
    let (_dir, mut bench) = bench();
    let nothing = [Action::Pin, Action::Link, Action::Demote, Action::Promote, Action::Exclude, Action::Clear];
    for action in nothing.map(|action| action(Vec::new())) {
        assert_eq!(bench.apply(&action).unwrap_err().exit_code(), 1, "{action:?}");
        assert!(bench.preview(&action).is_err());
    }
    assert!(bench.steps().is_empty());
}

#[test]
fn a_memo_is_overridden_by_its_label() {
    let (_dir, mut bench) = bench();
    assert_eq!(at(&bench, "memo:1").tier, Tier::Raw);
    for tier in [Tier::Linked, Tier::Summary, Tier::Out] {
        bench.apply(&Action::Demote(select::select(bench.corpus(), "memo:1").unwrap())).unwrap();
        assert_eq!(at(&bench, "memo:1").tier, tier);
    }
}

#[test]
fn demoting_several_items_promotes_none() {
    let (_dir, mut bench) = bench();
    let (high, low) = ("src/payment.py", "vendor/lib.js");
    assert_eq!(at(&bench, high).tier, Tier::Raw);
    let before = at(&bench, low).tier;
    assert!(before > Tier::Linked);
    let both = vec![item(&bench, high), item(&bench, low)];
    bench.apply(&Action::Demote(both)).unwrap();
    assert_eq!((at(&bench, high).tier, at(&bench, low).tier), (Tier::Linked, before));
    // With auto-fill, the item does not enter RAW either.
    bench.apply(&Action::Fill(true)).unwrap();
    assert!(at(&bench, low).tier >= Tier::Linked);
}

#[test]
fn several_pinned_are_demoted_within_the_payload() {
    let (_dir, mut bench) = bench();
    bench.apply(&Action::Pin(vec![item(&bench, "vendor/lib.js")])).unwrap();
    let both = vec![item(&bench, "vendor/lib.js"), item(&bench, "docs/guide.md")];
    assert!(at(&bench, "docs/guide.md").tier > Tier::Raw);
    bench.apply(&Action::Demote(both)).unwrap();
    assert_eq!(at(&bench, "vendor/lib.js").tier, Tier::Linked);
}

#[test]
fn promoting_several_items_demotes_none() {
    let (_dir, mut bench) = bench();
    let (high, low) = (item(&bench, "src/payment.py"), item(&bench, "vendor/lib.js"));
    bench.apply(&Action::Exclude(vec![low])).unwrap();
    for tier in [Tier::Summary, Tier::Linked, Tier::Raw] {
        bench.apply(&Action::Promote(vec![high, low])).unwrap();
        assert_eq!((at(&bench, "src/payment.py").tier, at(&bench, "vendor/lib.js").tier), (Tier::Raw, tier));
    }
    assert_eq!(bench.apply(&Action::Promote(vec![high, low])).unwrap_err().exit_code(), 1);
}

#[test]
fn steps_on_deleted_files_are_kept_without_effect() {
    let (dir, mut bench) = bench();
    bench.apply(&Action::Pin(vec![item(&bench, "vendor/lib.js"), item(&bench, "src/mail.py")])).unwrap();
    bench.apply(&Action::Exclude(vec![item(&bench, "README.md")])).unwrap();
    bench.apply(&Action::Fill(true)).unwrap();
    bench.undo().unwrap();
    std::fs::remove_file(dir.path().join("vendor/lib.js")).unwrap();
    std::fs::remove_file(dir.path().join("README.md")).unwrap();
    let mut again = gathered(dir.path());
    again.restore(bench.steps().to_vec(), bench.undone().to_vec());
    assert_eq!((again.steps(), again.undone()), (bench.steps(), bench.undone()));
    assert_eq!(at(&again, "src/mail.py").overridden, Some(Override::Pin));
    assert_eq!(again.placement().placed.iter().filter(|placed| placed.overridden.is_some()).count(), 1);
    again.redo().unwrap();
    again.undo().unwrap();
    again.undo().unwrap();
    again.undo().unwrap();
    assert_eq!(again.placement(), gathered(dir.path()).placement());
}

#[test]
fn items_are_selected_by_path_directory_and_glob() {
    let (_dir, bench) = bench();
    let cases: [(&str, &[&str]); 10] = [
        ("src/mail.py", &["src/mail.py"]),
        ("./src/mail.py", &["src/mail.py"]),
        ("src/shop/[id].ts", &["src/shop/[id].ts"]),
        ("memo:1", &["memo:1"]),
        ("src", &["src/mail.py", "src/payment.py", "src/shop/[id].ts"]),
        ("src/", &["src/mail.py", "src/payment.py", "src/shop/[id].ts"]),
        ("src/*.py", &["src/mail.py", "src/payment.py"]),
        ("**/*.md", &["README.md", "docs/guide.md"]),
        ("memo:*", &["memo:1"]),
        (".", &["README.md", "docs/guide.md", "src/mail.py", "src/payment.py", "src/shop/[id].ts", "vendor/lib.js"]),
    ];
    for (pattern, paths) in cases {
        let found = select::select(bench.corpus(), pattern).unwrap();
        let found: Vec<&str> = found.iter().map(|item| bench.corpus().items[*item].path.as_str()).collect();
        assert_eq!(found, paths, "{pattern}");
    }
}

#[test]
fn unknown_names_suggest_the_nearest_or_give_a_reason() {
    let (_dir, bench) = bench();
    let nearest = |pattern: &str| match select::select(bench.corpus(), pattern).unwrap_err() {
        Error::Missing { nearest, .. } => nearest,
        other => panic!("{pattern}: {other}"),
    };
    assert_eq!(nearest("src/paymnet.py").as_deref(), Some("src/payment.py"));
    assert_eq!(nearest("./src/paymnet.py").as_deref(), Some("src/payment.py"));
    assert_eq!(nearest("lib/mail.py").as_deref(), Some("src/mail.py"));
    assert_eq!(nearest("zzz/*.qqq"), None);
    assert_eq!(nearest(""), None);
    for skipped in ["logo.png", "./logo.png", "art", "art/", "art/*.png"] {
        let error = select::select(bench.corpus(), skipped).unwrap_err();
        assert!(error.to_string().contains("skipped by the scan: "), "{skipped}: {error}");
        assert_eq!(error.exit_code(), 2);
    }
    for outside in ["/etc/passwd", "../other", "src/../../x"] {
        assert!(matches!(select::select(bench.corpus(), outside), Err(Error::Outside { .. })), "{outside}");
    }
    let error = select::select(bench.corpus(), "src/[").unwrap_err();
    assert_eq!((error.exit_code(), error.hint().unwrap().contains("glob")), (2, true));
}

#[test]
fn background_counts_are_used_by_filter_and_sort() {
    let (dir, _) = bench();
    samples::write(dir.path(), &[("data/large.txt", &"word ".repeat(3_000))]);
    let mut bench = gathered(dir.path());
    let (small, item) = (item(&bench, "vendor/lib.js"), item(&bench, "data/large.txt"));
    bench.apply(&Action::Exclude(vec![small, item])).unwrap();
    let lower = paths::LowerPaths::of(&bench.corpus().items);
    let found = |text: &str| {
        let (filter, changed, texts) = (Filter::parse(text), HashSet::new(), filter::TextMatches::default());
        let mut tester = filter.tester(&bench, filter::FilterFacts { lower: &lower, changed: &changed, texts: &texts });
        let placed = bench.placement().placed.iter();
        placed.map(|placed| placed.item).filter(|item| tester.matches(*item)).collect::<Vec<_>>()
    };
    assert!(found("tokens:>2k").is_empty(), "it is not counted yet");
    bench.corpus().count_in_background(DEFAULT, &|| true, &|_| ()).unwrap();
    assert_eq!(found("tokens:>2k"), [item]);
    let order = Sort::Tokens.order(&bench);
    let out = order.iter().find(|item| bench.placed(**item).unwrap().tier == Tier::Out);
    assert_eq!(out, Some(&item), "the largest item that is not included comes first");
}
