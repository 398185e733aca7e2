//! Tests of matching tests to sources.

use proptest::prelude::*;

use super::TestMap;
use crate::gather::role::Role;
use crate::ids::FileId;

/// Builds a map in which the first path is the test; returns its sources among the others.
fn sources_among(test: &str, sources: &[&str]) -> Vec<String> {
    let mut paths = vec![test];
    paths.extend(sources);
    let mut roles = vec![Role::Source; paths.len()];
    roles[0] = Role::Test;
    let map = TestMap::build(&paths, &roles);
    let first = FileId::new(0);
    for file in FileId::all(paths.len()).skip(1) {
        assert_eq!(map.tests_of(file) == [first], map.sources_of(first).contains(&file));
    }
    map.sources_of(first).iter().map(|source| paths[*source].to_owned()).collect()
}

#[test]
fn test_names_of_every_language_match_their_sources() {
    for (test, source) in [
        ("test/cart_test.dart", "lib/cart.dart"),
        ("test/shop/cart_test.exs", "lib/shop/cart.ex"),
        ("src/test/scala/a/FooSpec.scala", "src/main/scala/a/Foo.scala"),
        ("src/ring_test.zig", "src/ring.zig"),
        ("tests/test_x.py", "pkg/x.py"),
        ("pkg/x_test.go", "pkg/x.go"),
        ("src/test/java/a/FooTest.java", "src/main/java/a/Foo.java"),
        ("src/test/java/a/FooTests.java", "src/main/java/a/Foo.java"),
        ("src/a/x.spec.ts", "src/a/x.ts"),
        ("src/a/Button.test.tsx", "src/a/Button.tsx"),
        ("tests/x.rs", "src/x.rs"),
        ("spec/a/x_spec.rb", "lib/a/x.rb"),
        ("tests/xmlwritertests.cpp", "src/xmlwriter.cpp"),
        ("tests/SelfTest/ToString.tests.cpp", "src/catch2/catch_tostring.hpp"),
        ("tests/FooTest.php", "src/Foo.php"),
        ("A.Tests/FooTests.cs", "A/Foo.cs"),
        ("src/sync/tests.rs", "src/sync/mod.rs"),
        ("src/doc_formatter/test.rs", "src/doc_formatter.rs"),
    ] {
        assert_eq!(sources_among(test, &[source, "other/y.py", "other/y.rs"]), [source], "{test}");
    }
}

#[test]
fn a_mirrored_directory_is_preferred() {
    assert_eq!(sources_among("tests/a/b/test_x.py", &["src/a/b/x.py", "src/a/c/x.py", "src/x.py"]), ["src/a/b/x.py"]);
    assert_eq!(
        sources_among(
            "tests/auth_tests/test_models.py",
            &["django/contrib/auth/models.py", "django/db/models/__init__.py"]
        ),
        ["django/contrib/auth/models.py"]
    );
}

#[test]
fn a_generic_name_needs_its_directory() {
    assert!(sources_among("tests/test_utils.py", &["a/b/utils.py", "c/utils.py"]).is_empty());
    assert_eq!(sources_among("tests/c/test_utils.py", &["a/b/utils.py", "c/utils.py"]), ["c/utils.py"]);
}

#[test]
fn a_longer_name_falls_back_to_its_beginning_or_its_end() {
    assert_eq!(
        sources_among("tests/test_ext_autodoc_configs.py", &["sphinx/ext/autodoc/__init__.py"]),
        ["sphinx/ext/autodoc/__init__.py"]
    );
    assert_eq!(
        sources_among(
            "tests/test_builders/test_build_latex.py",
            &["sphinx/builders/latex/__init__.py", "sphinx/builders/html.py"]
        ),
        ["sphinx/builders/latex/__init__.py"]
    );
    assert!(sources_among("tests/test_data_loader.py", &["pkg/data.py"]).is_empty());
}

#[test]
fn a_test_of_a_package_covers_all_its_sources() {
    let sources = ["src/sync/mpsc/bounded.rs", "src/sync/mpsc/mod.rs", "src/sync/watch.rs"];
    assert_eq!(sources_among("tests/sync_mpsc.rs", &sources), ["src/sync/mpsc/bounded.rs", "src/sync/mpsc/mod.rs"]);
}

#[test]
fn other_languages_and_other_packages_do_not_match() {
    assert!(sources_among("tests/test_x.py", &["src/x.rs"]).is_empty());
    assert!(sources_among("test/integration/images_test.go", &["tpl/images/images.go"]).is_empty());
}

#[test]
fn too_many_equally_near_sources_match_nothing() {
    assert!(sources_among("tests/test_thing.py", &["a/thing.py", "b/thing.py", "c/thing.py", "d/thing.py"]).is_empty());
}

proptest! {
    #[test]
    fn tests_and_sources_are_listed_in_both_directions(paths in proptest::collection::vec("(tests/|src/|a/|b_tests/){0,3}(test_)?(x|utils|Foo|__init__|mod)(_test|Test|\\.spec)?\\.(py|rs|go|ts|java)?", 0..12)) {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let roles: Vec<Role> = paths.iter().map(|path| if path.to_lowercase().contains("test") { Role::Test } else { Role::Source }).collect();
        let map = TestMap::build(&paths, &roles);
        for test in FileId::all(paths.len()) {
            for &source in map.sources_of(test) {
                prop_assert!(map.tests_of(source).contains(&test));
                prop_assert_eq!(roles[source], Role::Source);
            }
            for &other in map.tests_of(test) {
                prop_assert!(map.sources_of(other).contains(&test));
            }
        }
    }
}
