//! Tests of the definitions that a change touches, and of renames.

use super::content::{ChangedBytes, FileVersion};
use super::definitions::{changed, touched};
use super::{LineDiff, renames};
use crate::outline::language::Language;
use crate::outline::shape::Shape;

const PYTHON: &str = "\
import os


class Ledger:
    rows = []

    def add(self, row):
        def check(row):
            return row

        self.rows.append(check(row))

    def total(self):
        return sum(self.rows)


def currency():
    return 1
";

fn version(text: &str) -> FileVersion {
    FileVersion::Text { text: text.to_owned(), executable: false }
}

/// The qualified names that changed, and the lines that are shown.
fn python(old: &str, new: &str) -> (Vec<String>, Vec<(u32, u32)>) {
    let language = Language::of("a.py", "").unwrap();
    let diff = LineDiff::between(old, new, "a.py");
    let names = changed(language, &version(old), &version(new), &diff);
    let names = names.iter().map(|found| format!("{}{}", if found.removed { "-" } else { "" }, found.qualified()));
    let shape = Shape::of(language, new).unwrap();
    (names.collect(), touched(&shape, &diff))
}

#[test]
fn a_changed_line_touches_the_function_around_it() {
    let (names, spans) = python(PYTHON, &PYTHON.replace("return row", "return row or 1"));
    // A closure is shown with the function around it.
    assert_eq!((names, spans), (vec!["Ledger.add".to_owned()], vec![(7, 11)]));
    let (names, spans) = python(
        PYTHON,
        &PYTHON.replace("        return sum(self.rows)\n", "        rows = self.rows\n        return sum(rows)\n"),
    );
    assert_eq!((names, spans), (vec!["Ledger.total".to_owned()], vec![(13, 15)]));
}

#[test]
fn lines_outside_definitions_and_blank_lines_touch_none() {
    assert_eq!(python(PYTHON, &PYTHON.replace("import os\n", "import os\nimport re\n")), (vec![], vec![]));
    let (names, _) = python(PYTHON, &PYTHON.replace("\n    def total", "\n\n    def total"));
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn removed_definitions_are_named() {
    let without = PYTHON.replace("\n\ndef currency():\n    return 1\n", "");
    assert_eq!(python(PYTHON, &without).0, ["-currency"]);
    let renamed = PYTHON.replace("def total", "def sum_up");
    assert_eq!(python(PYTHON, &renamed).0, ["Ledger.sum_up", "-Ledger.total"]);
}

#[test]
fn a_file_under_another_name_is_one_change() {
    let file = |path: &str, before: Option<&str>, after: Option<&str>| ChangedBytes {
        path: path.to_owned(),
        before: before.map_or(FileVersion::Absent, version),
        after: after.map_or(FileVersion::Absent, version),
        renamed_from: None,
        untracked: false,
    };
    let moved = PYTHON.replace("return 1", "return 2");
    let changes = renames::paired(vec![
        file("old/ledger.py", Some(PYTHON), None),
        file("other.py", Some("nothing alike\n"), None),
        file("new/ledger.py", None, Some(&moved)),
        file("new/copy.py", None, Some(PYTHON)),
        file("empty.py", None, Some("")),
    ]);
    let shown: Vec<(&str, Option<&str>)> =
        changes.iter().map(|change| (change.path.as_str(), change.renamed_from.as_deref())).collect();
    let expected =
        [("other.py", None), ("new/ledger.py", None), ("new/copy.py", Some("old/ledger.py")), ("empty.py", None)];
    assert_eq!(shown, expected, "the most similar file wins");
}
