//! Tests of parsing, resolving and editing `.context` files.

use super::super::line_spec::PinnedLines;
use super::*;
use proptest::prelude::*;

fn list(text: &str) -> ContextList {
    let (list, problems) = parse(text);
    assert!(problems.is_empty(), "{problems:?}");
    list
}

const FILES: [&str; 9] = [
    "README.md", "app/[id]/page.tsx", "app/d/page.tsx", "docs/a.md", "docs/deep/b.md", "docs2/c.md", "src/lib.rs",
    "src/main.rs", "src/x.py",
];

/// The resolved entries of these levels, in the notation of entries.
fn resolved(levels: &[(ContextLevel, &str)]) -> Vec<String> {
    let lists: Vec<_> = levels.iter().map(|(level, text)| (*level, list(text))).collect();
    let levels: Vec<_> = lists.iter().map(|(level, list)| (*level, list)).collect();
    let write = |r: &ResolvedEntry| {
        let specs = LineSpec::of(&r.lines).into_iter().flat_map(|spec| spec.each());
        let lines: Vec<String> = specs.map(|spec| spec.of_file(&r.path)).collect();
        if lines.is_empty() { vec![r.path.clone()] } else { lines }
    };
    resolve(&levels, &FILES, &found).0.iter().flat_map(write).collect()
}

/// Finds the lines of a file. Every symbol is on line 5.
fn found(_: &str, lines: &LineSpec) -> (Vec<PinnedLines>, Option<String>) {
    match lines {
        LineSpec::Ranges(ranges) => (ranges.iter().copied().map(PinnedLines::range).collect(), None),
        LineSpec::Symbol(name) if name == "gone" => (Vec::new(), Some("no definition `gone`".to_owned())),
        LineSpec::Symbol(name) => (vec![PinnedLines { span: (5, 5), symbol: Some(name.clone()) }], None),
    }
}

fn turn(text: &str) -> Vec<String> {
    resolved(&[(ContextLevel::Turn, text)])
}

fn why(text: &str) -> Vec<(usize, String)> {
    let (list, mut problems) = parse(text);
    problems.extend(resolve(&[(ContextLevel::Turn, &list)], &FILES, &found).1);
    problems.into_iter().map(|p| (p.line, p.why)).collect()
}

#[test]
fn parses_every_kind_of_line() {
    let text = "\u{feff}# comment\r\n\r\n src/main.rs \r\nsrc/\n!docs/**/*.md # why\na.rs:10-80\nb.rs:7,9-11\n./c//d/../e\n.\n\"odd #n:1-2\":3-4\nfile:name\nc.rs#A::b\n\"odd\"#x\n";
    let got: Vec<_> = list(text).entries.into_iter().map(|e| (e.line, e.pattern, e.lines, e.negated)).collect();
    let path = |text: &str| Pattern::Path(text.to_owned());
    let ranges = |ranges: &[Span]| Some(LineSpec::Ranges(ranges.to_vec()));
    let symbol = |name: &str| Some(LineSpec::Symbol(name.to_owned()));
    assert_eq!(
        got,
        [
            (3, path("src/main.rs"), None, false),
            (4, path("src/"), None, false),
            (5, Pattern::Glob("docs/**/*.md".to_owned()), None, true),
            (6, path("a.rs"), ranges(&[(10, 80)]), false),
            (7, path("b.rs"), ranges(&[(7, 7), (9, 11)]), false),
            (8, path("c/e"), None, false),
            (9, path(""), None, false),
            (10, path("odd #n:1-2"), ranges(&[(3, 4)]), false),
            (11, path("file:name"), None, false),
            (12, path("c.rs"), symbol("A::b"), false),
            (13, path("odd"), symbol("x"), false),
        ]
    );
}

#[test]
fn invalid_entries_are_reported_line_by_line() {
    for bad in [
        "/etc/passwd", "../x", "a/../../x", "~/x", "C:/x", "a:80-10", "a:0-3", "a:1-", "a:", "a:1-2-3", "!", "\"open",
        "\"a\" b", "a:99999999999", "[", "a\tb\u{7}", "src/:1-2", "\"\"", "\"/etc/passwd\"", "\"a\\u0000b\"", "{a",
    ] {
        let (list, problems) = parse(&format!("ok\n{bad}\nok2\n"));
        assert_eq!(problems.len(), 1, "{bad}");
        assert_eq!((problems[0].line, list.entries.len()), (2, 2), "{bad}");
        assert!(!problems[0].why.is_empty());
    }
}

#[test]
fn backslashes_separate_only_on_windows() {
    let expected = if cfg!(windows) { "src/main.rs" } else { "src\\main.rs" };
    assert_eq!(list("src\\main.rs").entries[0].pattern.text(), expected);
}

#[test]
fn files_directories_and_globs() {
    assert_eq!(turn("docs"), ["docs/a.md", "docs/deep/b.md"]);
    assert_eq!(turn("docs/"), ["docs/a.md", "docs/deep/b.md"]);
    assert_eq!(turn("src/*.rs\nREADME.md"), ["src/lib.rs", "src/main.rs", "README.md"]);
    assert_eq!(turn("*.md"), ["README.md"]);
    assert_eq!(turn("**/*.md").len(), 4);
    assert_eq!(turn("docs*/"), ["docs/a.md", "docs/deep/b.md", "docs2/c.md"]);
    assert_eq!(turn("app/[id]/page.tsx"), ["app/[id]/page.tsx"]);
    assert_eq!(turn(".").len(), FILES.len());
}

#[test]
fn missing_files_are_reported_and_the_rest_works() {
    assert_eq!(turn("nope.rs\nREADME.md\n*.zig\n"), ["README.md"]);
    let told = why("nope.rs\nREADME.md\n*.zig\nREADME.md/\n!gone\n");
    assert_eq!(told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 3, 4, 5]);
    assert!(told[0].1.contains("missing"));
    assert_eq!(why("src:1-2").len(), 1);
}

#[test]
fn an_exclamation_mark_removes_earlier_entries() {
    assert_eq!(turn("src\n!src/x.py"), ["src/lib.rs", "src/main.rs"]);
    assert_eq!(turn("!src/x.py\nsrc/x.py"), ["src/x.py"]);
    assert_eq!(turn("src/lib.rs\n!src\nREADME.md"), ["README.md"]);
    let levels = [
        (ContextLevel::Global, "docs\nREADME.md"),
        (ContextLevel::Session, "!docs/deep"),
        (ContextLevel::Turn, "!*.md"),
    ];
    assert_eq!(resolved(&levels), ["docs/a.md"]);
}

#[test]
fn spans_add_up_within_a_level_and_replace_higher_ones() {
    assert_eq!(turn("src/x.py:30-40\nsrc/x.py:1-2\nsrc/x.py:30-40"), ["src/x.py:1-2", "src/x.py:30-40"]);
    assert_eq!(turn("src\nsrc/x.py:1-2"), ["src/lib.rs", "src/main.rs", "src/x.py:1-2"]);
    assert_eq!(turn("src/x.py:1-2\nsrc/*.py"), ["src/x.py:1-2"]);
    assert_eq!(turn("src/x.py:1-2\nsrc/x.py"), ["src/x.py"]);
    assert_eq!(turn("src/x.py\nsrc/x.py:1-2"), ["src/x.py"]);
    assert_eq!(turn("src/x.py:1-2\nsrc/x.py:5-6\n!src/x.py:1-2"), ["src/x.py:5-6"]);
    assert_eq!(turn("src/x.py:1-2\n!src/x.py:1-2"), Vec::<String>::new());
    assert_eq!(why("src/x.py\n!src/x.py:1-2").len(), 1);
    let levels = [(ContextLevel::Global, "src/x.py\nREADME.md:5-9"), (ContextLevel::Turn, "README.md\nsrc/x.py:1-2")];
    assert_eq!(resolved(&levels), ["src/x.py:1-2", "README.md"]);
}

#[test]
fn symbol_entries_keep_their_name() {
    assert_eq!(turn("src/x.py#refund\nsrc/x.py:1-2,9"), ["src/x.py#refund", "src/x.py:1-2", "src/x.py:9"]);
    assert_eq!(turn("src/x.py#refund\nsrc/x.py:1-2\n!src/x.py#refund"), ["src/x.py:1-2"]);
    assert_eq!(turn("src/x.py#gone\nREADME.md"), ["README.md"]);
    assert_eq!(why("src/x.py#gone"), [(1, "no definition `gone`".to_owned())]);
}

#[test]
fn a_file_name_takes_precedence_over_lines() {
    let files = ["a.rs", "a.rs#b", "a.rs:1-2"];
    for (text, path) in [("a.rs:1-2", "a.rs:1-2"), ("a.rs#b", "a.rs#b"), ("\"a.rs\":1-2", "a.rs"), ("a.rs#c", "a.rs")] {
        let (resolved, problems) = resolve(&[(ContextLevel::Turn, &list(text))], &files, &found);
        assert_eq!((resolved[0].path.as_str(), problems.len()), (path, 0), "{text}");
        assert_eq!(resolved[0].lines.is_empty(), path != "a.rs", "{text}");
    }
}

#[test]
fn line_entries_are_added_and_removed() {
    let spec = |text: &str| LineSpec::split(text).unwrap().unwrap().1;
    let added = |text: &str, lines: &str| with_added_lines(text, "a.rs", &spec(lines));
    assert_eq!(added("", "a.rs:1-2,9"), "a.rs:1-2,9\n");
    assert_eq!(added("a.rs:1-2\n", "a.rs:1-2,9"), "a.rs:1-2\na.rs:9\n");
    assert_eq!(added("!a.rs\n", "a.rs#b"), "a.rs#b\n");
    assert_eq!(added("a.rs\n", "a.rs#b"), "a.rs\n", "the file includes its lines");
    assert_eq!(added("*.rs\n", "a.rs#b"), "*.rs\na.rs#b\n");
    assert_eq!(with_added_lines("", "#odd", &spec("x#y")), "\"#odd\"#y\n");
    let text = "a.rs:1-2,9\na.rs#b\na.rs:9,12\nb.rs:9\n";
    let without =
        |lines: &[&str]| with_removed_lines(text, "a.rs", &lines.iter().map(|line| spec(line)).collect::<Vec<_>>());
    assert_eq!(without(&["a.rs:9", "a.rs#b"]), "a.rs:1-2,9\na.rs:9,12\nb.rs:9\n");
    assert_eq!(without(&["a.rs:9", "a.rs:12"]), "a.rs:1-2,9\na.rs#b\nb.rs:9\n");
}

#[test]
fn the_lowest_level_is_named() {
    let (global, session) = (list("README.md\nsrc/x.py"), list("README.md"));
    let (files, _) = resolve(&[(ContextLevel::Global, &global), (ContextLevel::Session, &session)], &FILES, &found);
    assert_eq!((files[0].level, files[1].level), (ContextLevel::Session, ContextLevel::Global));
}

#[cfg(unix)]
#[test]
fn symlinks_out_of_the_project_are_rejected_one_by_one() {
    let outer = tempfile::tempdir().unwrap();
    let root = files::physical(outer.path()).unwrap().join("project");
    std::fs::create_dir_all(root.join("src")).unwrap();
    std::os::unix::fs::symlink("..", root.join("up")).unwrap();
    std::fs::write(root.join("x.context"), "up/secret\nsrc/a\n/etc/passwd\nup/*.md\nup\n*/x\n").unwrap();
    let (list, problems) = ContextList::load(&root, &root.join("x.context")).unwrap();
    assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [1, 3, 4, 5]);
    assert_eq!(list.entries.iter().map(|e| e.line).collect::<Vec<_>>(), [2, 6]);
    assert!(ContextList::load(&root, &root.join("missing")).unwrap().0.entries.is_empty());
}

#[test]
fn editing_keeps_everything_else() {
    let text = "# mine\r\nsrc/ # all\r\n/bad\r\n!src/x.py\r\nlast";
    assert_eq!(with_added(text, "src/main.rs"), text);
    assert_eq!(with_added(text, "src/x.py"), "# mine\r\nsrc/ # all\r\n/bad\r\nlast");
    assert_eq!(with_added(text, "new.rs"), format!("{text}\r\nnew.rs\r\n"));
    assert_eq!(with_removed(text, "last"), "# mine\r\nsrc/ # all\r\n/bad\r\n!src/x.py\r\n");
    assert_eq!(with_removed(text, "src/lib.rs"), format!("{text}\r\n!src/lib.rs\r\n"));
    assert_eq!(with_removed(text, "other"), text);
    assert_eq!(with_removed("a.rs:1-2\na.rs:5-6\n", "a.rs"), "");
    assert_eq!(with_added("", "a.rs"), "a.rs\n");
    assert_eq!(with_added("a.rs:1-2\n", "a.rs"), "a.rs:1-2\n");
    for (before, whole) in
        [("a.rs:1-2\n", "a.rs:1-2\na.rs\n"), ("a.rs\n", "a.rs\n"), ("*.rs\n", "*.rs\n"), ("", "a.rs\n")]
    {
        assert_eq!(with_added_whole(before, "a.rs"), whole);
    }
    assert_eq!(with_added("", "#odd"), "\"#odd\"\n");
    assert_eq!(with_added("", "app/[id]/x"), "app/[id]/x\n");
}

#[test]
fn a_file_is_changed_only_if_something_changes() {
    let dir = tempfile::tempdir().unwrap();
    let root = files::physical(dir.path()).unwrap();
    let path = root.join("turn.context");
    assert!(!change(&root, &path, |text| with_removed(text, "a")).unwrap());
    assert!(!path.exists());
    assert!(change(&root, &path, |text| with_added(text, "a")).unwrap());
    assert!(!change(&root, &path, |text| with_added(text, "a")).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a\n");
}

proptest! {
    #[test]
    fn any_text_parses(text in "(?s).{0,200}") {
        let (list, problems) = parse(&text);
        prop_assert!(list.entries.len() + problems.len() <= text.lines().count());
        for entry in &list.entries {
            let path = entry.pattern.text();
            prop_assert!(!path.starts_with('/') && !path.split('/').any(|part| part == ".."));
            if let Some(LineSpec::Ranges(ranges)) = &entry.lines {
                prop_assert!(ranges.iter().all(|(first, last)| 0 < *first && first <= last));
            }
        }
    }

    #[test]
    fn adding_and_removing_entries(
        lines in prop::collection::vec("[ !#a-c/*:1-3\"-]{0,8}", 0..6),
        path in "[ !#a-c*:1-3\"~\\\\\u{e9}\n\\[{-]{1,6}(/[a-c #]{1,3})?",
    ) {
        // A drive letter is not a name inside the project.
        prop_assume!(normalise(&path, true).is_ok_and(|same| same == path));
        let text = lines.join("\n");
        let added = with_added(&text, &path);
        let files = [path.as_str()];
        let (inside, _) = resolve(&[(ContextLevel::Turn, &parse(&added).0)], &files, &found);
        prop_assert!(!inside.is_empty(), "{added:?}");
        let removed = with_removed(&added, &path);
        let (inside, _) = resolve(&[(ContextLevel::Turn, &parse(&removed).0)], &files, &found);
        prop_assert!(inside.is_empty(), "{removed:?}");
        for line in lines.iter().filter(|line| line.trim_start().starts_with('#')) {
            prop_assert!(removed.lines().any(|kept| kept == line));
        }
        prop_assert_eq!(with_added(&added, &path), added.clone());
    }
}
