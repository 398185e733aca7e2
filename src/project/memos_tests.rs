//! Tests of editing memos: everything else stays byte-identical.

use super::*;
use proptest::prelude::*;
use std::fs;

struct MemosFixture {
    _dir: tempfile::TempDir,
    project: Project,
}

impl MemosFixture {
    fn new(text: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        fs::write(project.memos_file(), text).unwrap();
        Self { _dir: dir, project }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.project.memos_file()).unwrap()
    }
}

fn after_add(text: &str, memo: &str) -> String {
    let setup = MemosFixture::new(text);
    add(&setup.project, memo).unwrap();
    setup.text()
}

fn after_remove(text: &str, which: &str) -> String {
    let setup = MemosFixture::new(text);
    remove(&setup.project, which).unwrap();
    setup.text()
}

#[test]
fn adds_to_every_layout() {
    for (text, expected) in [
        ("", "- Use pnpm\n"),
        ("# why\n[]\n", "# why\n- Use pnpm\n"),
        ("# why\n[] \n# after\n", "# why\n# after\n- Use pnpm\n"),
        ("- a\n", "- a\n- Use pnpm\n"),
        ("- a", "- a\n- Use pnpm\n"),
        ("- a\r\n", "- a\r\n- Use pnpm\r\n"),
        ("  - a # note\n\n  - b\n", "  - a # note\n\n  - b\n  - Use pnpm\n"),
        ("[a, 'b: c']\n", "- a\n- 'b: c'\n- Use pnpm\n"),
        ("---\n- a\n", "---\n- a\n- Use pnpm\n"),
    ] {
        assert_eq!(after_add(text, " Use pnpm "), expected, "{text:?}");
    }
}

#[test]
fn quotes_memos_that_need_it() {
    for memo in
        ["a: b", "# no comment", "- dash", "yes", "42", "~", "'q'", "\"", "two\nlines\n\nmore", "[x", "tab\there"]
    {
        let setup = MemosFixture::new("# top\n- first\n");
        add(&setup.project, memo).unwrap();
        assert_eq!(load(&setup.project).unwrap(), ["first", memo]);
        assert_eq!(setup.text().lines().count(), 3, "{memo:?}");
    }
}

#[test]
fn removes_only_the_item() {
    let text = "# top\n- a\n# about b\n- b\n  goes on\n\n# about c\n- |\n  block\n  # not a comment\n\n# end\n";
    assert_eq!(after_remove(text, "1"), text.replace("- a\n", ""));
    assert_eq!(after_remove(text, "b g"), text.replace("- b\n  goes on\n", ""));
    assert_eq!(after_remove(text, "block"), text.replace("- |\n  block\n  # not a comment\n", ""));
    assert_eq!(after_remove("# top\n- only\n# end\n", "only"), "# top\n[]\n# end\n");
    assert_eq!(after_remove("[a, b]", "2"), "- a\n");
    assert_eq!(after_remove("- a\n- a\n", "a"), "- a\n");
}

#[test]
fn finds_by_text_then_number_then_prefix() {
    let memos: Vec<String> = ["Use pnpm", "Use Rust", "1", "Never panic"].map(str::to_owned).into();
    assert_eq!(find(&memos, "1").unwrap(), 2);
    assert_eq!(find(&memos, "4").unwrap(), 3);
    assert_eq!(find(&memos, "Nev").unwrap(), 3);
    assert!(find(&memos, "Use").unwrap_err().to_string().contains("2 memos"));
    assert!(matches!(find(&memos, "Use pnmp"), Err(Error::Missing { nearest: Some(near), .. }) if near == "Use pnpm"));
    for bad in ["0", "5", ""] {
        assert!(matches!(find(&memos, bad), Err(Error::Missing { .. })), "{bad}");
    }
}

#[test]
fn memos_need_not_be_strings() {
    let setup = MemosFixture::new("- 42\n- -7\n- yes\n- Note: use pnpm\n- 1.5\n- true\n");
    assert_eq!(load(&setup.project).unwrap(), ["42", "-7", "yes", "Note: use pnpm", "1.5", "true"]);
}

#[test]
fn an_invalid_file_is_reported_with_its_location_and_unchanged() {
    for text in ["- a\n- [b\n", "a: b\n", "- a\n- {b: c, d: e}\n", "- [a]\n", "- a\n\t- b\n", "text", "- ~\n"] {
        let setup = MemosFixture::new(text);
        for result in [add(&setup.project, "x"), remove(&setup.project, "1").map(drop)] {
            assert!(matches!(result, Err(Error::Syntax { line: 1.., column: 1.., .. })), "{text:?}");
        }
        assert_eq!(setup.text(), text);
    }
}

#[test]
fn a_layout_that_cannot_be_edited_is_unchanged() {
    for text in ["[a, # first\n b]\n", "- a\n...\n"] {
        let setup = MemosFixture::new(text);
        let error = add(&setup.project, "x").unwrap_err();
        assert!(error.hint().unwrap().contains("by hand"), "{text:?} {error}");
        assert_eq!(setup.text(), text);
    }
    let setup = MemosFixture::new("- a\n");
    assert_eq!(add(&setup.project, " \n").unwrap_err().exit_code(), 2);
}

#[test]
fn a_missing_file_has_no_memos() {
    let setup = MemosFixture::new("");
    fs::remove_file(setup.project.memos_file()).unwrap();
    assert_eq!(raw_text(&setup.project).unwrap(), None);
    assert!(load(&setup.project).unwrap().is_empty());
    add(&setup.project, "first").unwrap();
    assert_eq!(raw_text(&setup.project).unwrap().as_deref(), Some("- first\n"));
}

#[test]
fn two_concurrent_edits_lose_nothing() {
    let setup = MemosFixture::new("[]\n");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let project = &setup.project;
            scope.spawn(move || (0..10).for_each(|n| add(project, &format!("memo {thread} {n}")).unwrap()));
        }
    });
    assert_eq!(load(&setup.project).unwrap().len(), 40);
}

proptest! {
    #[test]
    fn any_memo_can_be_added_and_removed(
        memos in prop::collection::vec("(?s).{1,30}", 1..4),
        index in any::<prop::sample::Index>(),
    ) {
        let memos: Vec<String> = memos.iter().map(|m| m.trim().to_owned()).filter(|m| !m.is_empty()).collect();
        prop_assume!(!memos.is_empty());
        let path = Path::new("memos.yaml");
        let mut text = "# top\n[]\n".to_owned();
        for (count, memo) in memos.iter().enumerate() {
            text = with_added(&text, &memos[..count], memo).unwrap();
        }
        prop_assert_eq!(&parse(path, &text).unwrap(), &memos);
        let index = index.index(memos.len());
        let mut rest = memos.clone();
        rest.remove(index);
        let fewer = with_removed(&text, &memos, index).unwrap();
        prop_assert_eq!(parse(path, &fewer).unwrap(), rest);
        prop_assert!(fewer.starts_with("# top\n"));
    }
}
