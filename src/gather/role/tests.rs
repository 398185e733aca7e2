//! Tests of roles by path and first lines.

use proptest::prelude::*;

use super::{Role, looks_generated, role, roles};
use crate::outline::language::Language;

fn language(path: &str) -> Option<Language> {
    Language::of(path, "")
}

fn one(path: &str) -> Role {
    role(path, language(path))
}

fn within(paths: &[&str]) -> Vec<Role> {
    let languages: Vec<_> = paths.iter().map(|path| language(path)).collect();
    roles(paths, &languages)
}

#[test]
fn tests_by_name() {
    for path in [
        "pkg/test_x.py", "pkg/tests.py", "a/x_test.go", "src/a/x.spec.ts", "src/x.test.tsx", "a/FooTest.java",
        "a/FooIT.java", "a/FooTests.cs", "lib/x_spec.rb", "src/x/tests.rs", "src/x_test.rs", "a/x_unittest.cpp",
        "src/FooTest.php", "a/types.test-d.ts",
    ] {
        assert_eq!(one(path), Role::Test, "{path}");
    }
}

#[test]
fn scripts_with_a_version_in_their_name_are_vendored() {
    assert_eq!(one("sphinx/themes/basic/static/jquery-3.5.1.js"), Role::Vendored);
    assert_eq!(one("static/print-2.0.css"), Role::Vendored);
    for path in ["src/jquery.js", "src/http-2.js", "src/x-.js", "src/a-b.c.js", "src/v-1.2.py"] {
        assert_eq!(one(path), Role::Source, "{path}");
    }
}

#[test]
fn tests_by_directory() {
    for path in [
        "tests/it/run.rs",
        "tests/a/test_b.py",
        "spec/a/b_spec.rb",
        "pkg/__tests__/x.test.js",
        "tests/unit/x.cpp",
        "x-tests/src/test/java/ATests.java",
    ] {
        assert_eq!(one(path), Role::Test, "{path}");
    }
}

#[test]
fn test_support_files() {
    for path in [
        "tests/conftest.py",
        "conftest.py",
        "tests/helper.py",
        "pkg/testdata/a.go",
        "test/fixtures/x.js",
        "src/__mocks__/x.ts",
        "tests/data.json",
        "spec/spec_helper.rb",
        "a/src/testFixtures/java/X.java",
        "benches/a.rs",
        "pkg/api/testing/fuzzer.go",
        "tests/vendor/x.js",
        "fuzz/targets/a.rs",
        "axum/src/test_helpers/mod.rs",
    ] {
        assert_eq!(one(path), Role::TestSupport, "{path}");
    }
}

#[test]
fn products_about_testing_are_source() {
    for path in [
        "src/_pytest/pytester.py",
        "sympy/testing/runtests.py",
        "junit-jupiter-api/src/main/java/org/junit/jupiter/api/Test.java",
        "junit-jupiter-api/src/main/java/org/junit/jupiter/api/DynamicTest.java",
        "src/catch2/catch_test_case_info.cpp",
        "spring-test/src/main/java/org/springframework/test/web/Client.java",
        "django/core/management/commands/test.py",
        "src/cli/test.ts",
    ] {
        assert_eq!(one(path), Role::Source, "{path}");
    }
}

#[test]
fn a_test_package_inside_the_product_is_source() {
    let paths = [
        "django/__init__.py",
        "django/test/__init__.py",
        "django/test/client.py",
        "django/test/utils.py",
        "tests/auth_tests/test_models.py",
    ];
    assert_eq!(within(&paths)[2..], [Role::Source, Role::Source, Role::Test]);
    let paths = ["pkg/__init__.py", "pkg/test/__init__.py", "pkg/test/test_a.py", "pkg/test/base.py", "tests/x.py"];
    assert_eq!(within(&paths)[2..4], [Role::Test, Role::TestSupport]);
}

#[test]
fn a_crate_or_gem_for_tests_is_source() {
    let paths = ["tokio-test/src/lib.rs", "tokio-test/src/io.rs", "tokio-test/tests/io.rs", "tests-build/src/lib.rs"];
    assert_eq!(within(&paths), [Role::Source, Role::Source, Role::Test, Role::Test]);
    let paths = ["lib/fluent/test/driver/base.rb", "lib/fluent/test/input_test.rb", "test/test_engine.rb"];
    assert_eq!(within(&paths), [Role::Source, Role::Source, Role::Test]);
}

#[test]
fn a_testing_directory_full_of_tests_holds_tests() {
    let paths = ["testing/test_a.py", "testing/test_b.py", "testing/example_scripts/x.py", "src/_pytest/a.py"];
    assert_eq!(within(&paths), [Role::Test, Role::Test, Role::TestSupport, Role::Source]);
}

#[test]
fn the_other_roles() {
    for (path, expected) in [
        ("docs/conf.py", Role::Doc),
        ("README.md", Role::Doc),
        ("src/doc/os.rs", Role::Source),
        ("LICENSE-MIT", Role::Doc),
        ("Cargo.lock", Role::Generated),
        (".github/workflows/ci.yml", Role::Config),
        ("vite.config.ts", Role::Config),
        ("setup.py", Role::Config),
        ("api/x.pb.go", Role::Generated),
        ("pkg/zz_generated.deepcopy.go", Role::Generated),
        ("app/migrations/0001_initial.py", Role::Generated),
        ("dist/app.js", Role::Generated),
        ("static/jquery.min.js", Role::Generated),
        ("vendor/a/b_test.go", Role::Vendored),
        ("a/node_modules/b/index.js", Role::Vendored),
        ("examples/a.rs", Role::Example),
        ("staging/src/x/examples/a.go", Role::Example),
        ("src/main/java/com/example/App.java", Role::Source),
        ("src/catch2/benchmark/catch_clock.hpp", Role::Source),
        ("logo.png", Role::Data),
        ("api/schema.proto", Role::Source),
        ("src/lib.rs", Role::Source),
        ("build.rs", Role::Source),
    ] {
        assert_eq!(one(path), expected, "{path}");
    }
}

/// The extension decides only if the language is unknown. Data formats with a known language are sources, unless a name
/// or directory says otherwise.
#[test]
fn data_files_are_configuration_by_name_or_directory() {
    for (path, expected) in [
        ("Cargo.toml", Role::Source),
        (".gitignore", Role::Source),
        ("package.json", Role::Config),
        (".github/dependabot.yml", Role::Config),
    ] {
        assert_eq!(one(path), expected, "{path}");
    }
    assert_eq!(role("app.unheardof", None), Role::Data);
    assert_eq!(role("app.toml", None), Role::Config);
}

#[test]
fn generated_files_are_detected_by_their_first_lines() {
    assert!(looks_generated("// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n"));
    assert!(looks_generated("/*\n * @generated\n */\n"));
    assert!(looks_generated("# This file is autogenerated by pip-compile\n"));
    assert!(looks_generated(&"x=1;".repeat(2000)));
    assert!(!looks_generated("fn main() {\n    println!(\"// Code generated by me. DO NOT EDIT.\");\n}\n"));
    assert!(!looks_generated(""));
}

proptest! {
    #[test]
    fn any_path_and_text_has_a_role(path in "[a-zA-Z_./é-]{0,40}", head in any::<String>()) {
        prop_assert_eq!(within(&[&path]).len(), 1);
        one(&path);
        looks_generated(&head);
    }
}
