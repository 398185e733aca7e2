//! Small sources with violations, to check that each rule can fail.

use super::paths::{Crate, Target};
use super::{cycles_within, misplaced_conditions, misplaced_crates, wrong_directions};

/// A minimal crate with one more file.
fn with(file: &str, text: &str) -> Crate {
    let mut all = Crate::default();
    all.add("src/lib.rs", "mod tui; mod gather; mod place; mod text; mod error; pub use error::Error;").unwrap();
    all.add(file, text).unwrap();
    all
}

fn directions(file: &str, text: &str) -> Vec<String> {
    wrong_directions(&with(file, text))
}

/// Checks without the exemptions, which these sources do not use.
fn crates(file: &str, text: &str) -> Vec<String> {
    misplaced_crates(&with(file, text)).into_iter().filter(|line| !line.contains("exemption")).collect()
}

#[test]
fn a_use_of_a_higher_level_is_found_in_every_spelling() {
    let spellings = [
        "use crate::tui::Screen;",
        "use crate::{\n    text,\n    tui::{\n        view,\n    },\n};",
        "use super::super::tui;",
        "use super::super::{text, tui as screen};",
        "use crate as root;\nfn f() { root::tui::run(); }",
        "use super::super as root;\nuse root::tui;",
        "fn f() -> crate::tui::Screen { todo!() }",
        "fn f() { crate::tui::run(); }",
        "fn f(s: &[Option<crate::tui::Screen>]) {}",
        "fn f() { if let crate::tui::Screen::Task = x {} }",
        "fn f() { super::super::tui::run(); }",
        "mod inner { use super::super::super::tui; }",
        "mod inner { fn f() { super::super::super::tui::run(); } }",
        "fn f() { assert_eq!(1, g(crate::tui::run())); }",
        "impl crate::tui::Desk for X {}",
        "pub(crate) use crate::tui::*;",
        "fn f() { use crate::tui; }",
    ];
    for text in spellings {
        let wrong = directions("src/place/walk.rs", text);
        assert!(wrong.iter().any(|line| line.contains("`place` must not use `tui`")), "{text}: {wrong:?}");
    }
    let wrong = directions("src/place/walk.rs", "use crate::{\n    text,\n    tui,\n};");
    assert_eq!(wrong, ["src/place/walk.rs:3: `place` must not use `tui`"]);
}

#[test]
fn a_use_of_a_lower_level_and_similar_names_are_allowed() {
    let fine = [
        "use crate::{gather::Corpus, text, Error};",
        "use super::super::gather;",
        "// use crate::tui;\n/// See crate::tui.\nfn f() {}",
        "fn f() -> &'static str { \"use crate::tui;\" }",
        "mod tui {} use self::tui::x;",
        "use other::tui;",
        "macro_rules! m { () => { $crate::tui::x() } }",
    ];
    for text in fine {
        assert_eq!(directions("src/place/walk.rs", text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_module_without_a_level_is_reported() {
    assert_eq!(directions("src/novel.rs", "use crate::text::x;"), ["src/novel.rs: add `novel` to LEVELS"]);
}

#[test]
fn modules_of_a_level_may_not_use_each_other() {
    let mut all = with("src/text.rs", "use crate::error::Kind;");
    assert_eq!(wrong_directions(&all), Vec::<String>::new());
    all.add("src/error.rs", "#[cfg(test)] mod tests { use crate::text; }").unwrap();
    assert_eq!(wrong_directions(&all), Vec::<String>::new());
    all.add("src/error.rs", "fn f() { super::text::short() }").unwrap();
    assert_eq!(wrong_directions(&all), ["a cycle between the modules error, text"]);
}

#[test]
fn submodules_may_not_use_each_other() {
    let within = |all: &Crate| -> Vec<String> {
        cycles_within(all).into_iter().filter(|line| !line.starts_with("remove")).collect()
    };
    let mut all = with("src/place/walk.rs", "use super::fit::{\n    run,\n};");
    all.add("src/place/fit.rs", "#[cfg(test)] mod tests { use super::super::walk; } fn f() { super::missing::g() }")
        .unwrap();
    assert_eq!(within(&all), Vec::<String>::new());
    all.add("src/place/fit/inner.rs", "fn f() { super::super::walk::start() }").unwrap();
    assert_eq!(within(&all), ["a cycle in `place`: fit, walk"]);
}

#[test]
fn confined_crates_are_found_in_every_spelling() {
    let spellings = [
        "use git2::Repository;",
        "use git2 as g;",
        "use {\n    std::fs,\n    git2::{\n        Oid,\n    },\n};",
        "use ::git2::Oid;",
        "extern crate git2;",
        "fn f(id: git2::Oid) {}",
        "fn f() { ::git2::Oid::zero(); }",
        "fn f() { println!(\"{}\", git2::Oid::zero()); }",
    ];
    for text in spellings {
        let wrong = crates("src/gather/walk.rs", text);
        assert!(wrong.iter().any(|line| line.contains("uses git2")), "{text}: {wrong:?}");
        assert_eq!(crates("src/gather/git/log.rs", text), Vec::<String>::new(), "{text}");
    }
    for text in
        ["// git2::Oid", "use my_git2::x;", "fn f() { let git2 = \"git2::Oid\"; }", "mod git2 {} use self::git2::x;"]
    {
        assert_eq!(crates("src/gather/walk.rs", text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn an_unnecessary_exemption_is_reported() {
    let wrong = misplaced_crates(&with("src/redact/mod.rs", "use serde_yaml::Value;"));
    assert!(wrong.iter().any(|line| line.starts_with("src/build.rs: remove the exemption")), "{wrong:?}");
    assert!(!wrong.iter().any(|line| line.starts_with("src/redact/")), "{wrong:?}");
}

#[test]
fn circular_imports_terminate() {
    let all = with("src/place/walk.rs", "use self::a as b; use self::b as a; fn f() { a::x(); }");
    let resolved = all.references.iter().map(|(_, reference)| all.resolve(reference));
    assert!(resolved.flatten().all(|target| matches!(target, Target::Inside(_) | Target::Outside(_))));
}

#[test]
fn conditions_on_the_system_are_found_outside_tests() {
    for text in [
        "#[cfg(unix)] fn f() {}",
        "#[cfg(any(windows, target_os = \"macos\"))] mod inner;",
        "fn f() { if cfg!(windows) {} }",
        "fn f() { #[cfg(not(unix))] { g() } }",
    ] {
        let wrong = misplaced_conditions(&with("src/place/walk.rs", text));
        assert_eq!(wrong.len(), 1, "{text}: {wrong:?}");
        assert_eq!(misplaced_conditions(&with("src/platform/files.rs", text)), Vec::<String>::new());
    }
    for text in [
        "#[cfg(test)] mod tests { #[cfg(unix)] #[test] fn f() {} }",
        "#[cfg(all(test, unix))] mod tests {}",
        "#[cfg(debug_assertions)] fn f() {}",
        "fn f() { g(\"cfg(unix)\") }",
    ] {
        assert_eq!(misplaced_conditions(&with("src/place/walk.rs", text)), Vec::<String>::new(), "{text}");
    }
}
