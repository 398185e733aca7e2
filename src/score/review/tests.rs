//! Tests of the files that use what changed.

use std::sync::Arc;

use super::uses::{UseKind, uses};
use super::*;
use crate::gather::review::ChangedDefinition;
use crate::gather::{git::LineDiff, review::ChangedContent, samples};
use crate::outline::definitions::DefinitionKind;

/// Reasons of the files that use a changed method `Ledger.book` of `ledger.py`.
fn reasons(files: &[(&str, &str)]) -> Vec<(String, UseKind, String)> {
    let ledger = ("ledger.py", "class Ledger:\n    def book(self, cents):\n        return cents\n");
    let (_dir, mut corpus) = samples::corpus(&[&[ledger], files].concat());
    let file = corpus.find("ledger.py");
    let definition = ChangedDefinition {
        file,
        path: "ledger.py".to_owned(),
        name: "book".to_owned(),
        owner: Some("Ledger".to_owned()),
        kind: DefinitionKind::Method,
        removed: false,
    };
    let changed = ChangedFile {
        path: "ledger.py".to_owned(),
        file,
        status: FileStatus::Modified,
        role: Role::Source,
        content: ChangedContent::Text(LineDiff::between("a\n", "b\n", "ledger.py")),
        withheld: None,
        mode_changed: false,
    };
    let review = Review { files: vec![changed], definitions: vec![definition], ..Review::default() };
    corpus.review = Some(Arc::new(review));
    let review = corpus.review.clone().unwrap();
    let found = uses(&corpus, &review);
    found.into_iter().map(|found| (corpus.files[found.file].path.clone(), found.kind, found.why)).collect()
}

#[test]
fn callers_and_overrides_are_told_apart_and_imports_are_not_uses() {
    let found = reasons(&[
        ("desk.py", "from ledger import Ledger\n\ndef open(ledger):\n    # book is called below\n    ledger.book(1)\n"),
        ("audit.py", "from ledger import Ledger\n\nclass Audit(Ledger):\n    def book(self, cents):\n        pass\n"),
        ("only.py", "from ledger import book\n"),
        ("weather.py", "def rain():\n    return 1\n"),
    ]);
    let shown: Vec<(&str, &str)> = found.iter().map(|(path, _, why)| (path.as_str(), why.as_str())).collect();
    assert!(shown.contains(&("desk.py", "uses `Ledger.book` (line 5)")), "{shown:?}");
    assert!(shown.contains(&("audit.py", "overrides `Ledger.book` (line 4)")), "{shown:?}");
    assert_eq!(shown.len(), 2, "{shown:?}");
}

#[test]
fn tests_and_documents_have_their_own_kind() {
    let found = reasons(&[
        ("tests/test_ledger.py", "from ledger import Ledger\n\ndef test_it():\n    Ledger().book(1)\n"),
        ("docs/shop.md", "# Shop\n\nTo book a room, call us.\n"),
    ]);
    assert_eq!(found.len(), 1, "`book` in prose is a plain word: {found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1), ("tests/test_ledger.py", UseKind::Test));
}

#[test]
fn a_long_diff_is_cut_between_hunks() {
    let hunk = |at: usize| format!("@@ -{at} +{at} @@\n{}", "-a\n+b\n".repeat(10));
    let text: String = (0..8).map(hunk).collect();
    let item = Item {
        kind: ItemKind::Changes,
        path: "changes:a".to_owned(),
        source: Source::Text(Arc::from(text)),
        about: None,
    };
    let forms = forms_of_diff(&item);
    assert_eq!(forms[0], RequiredForm::Whole);
    for form in &forms[1..4] {
        let RequiredForm::Lines(spans) = form else { panic!("{form:?}") };
        assert_eq!(spans[0].1 % 21, 0, "each hunk has 21 lines: {forms:?}");
    }
}
