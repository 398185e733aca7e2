//! Facts of small repositories in several languages.

use super::RepoFacts;
use crate::gather::samples::corpus;

fn facts(files: &[(&str, &str)]) -> RepoFacts {
    let (_dir, corpus) = corpus(files);
    RepoFacts::of(&corpus, &[])
}

/// Package manager, build command, test command.
fn commands(files: &[(&str, &str)]) -> (Option<&'static str>, Option<String>, Option<String>) {
    let facts = facts(files);
    let own = |command: Option<&str>| command.map(ToOwned::to_owned);
    (facts.package_manager(), own(facts.build_command()), own(facts.test_command()))
}

#[test]
fn a_rust_workspace() {
    let files = [
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n[package]\nname = \"x\"\n[dependencies]\nserde = \"1\"\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/lib.rs", "pub fn a() {}\n"),
        ("src/bin/other.rs", "fn main() {}\n"),
        ("tests/it.rs", "#[test]\nfn t() {}\n"),
        ("src/build.sh", "echo\n"),
        ("README.md", "# x\n\nmuch\nmore\nprose\nthan\ncode\n"),
    ];
    let facts = facts(&files);
    assert_eq!(facts.languages, [("rust", 83), ("shell", 17)]);
    assert_eq!(facts.package_manager(), Some("cargo"));
    assert_eq!(facts.build_command(), Some("cargo build --workspace"));
    assert_eq!(facts.test_command(), Some("cargo test --workspace"));
    assert_eq!(facts.entry_points, ["src/main.rs", "src/bin/other.rs"]);
    assert_eq!(facts.dependencies[0].names, ["serde"]);
}

#[test]
fn the_entry_point_of_a_library_is_its_root_module() {
    let rust = facts(&[("Cargo.toml", "[package]\n"), ("src/lib.rs", "pub mod a;\n"), ("src/a.rs", "\n")]);
    assert_eq!(rust.entry_points, ["src/lib.rs"]);
    let python = facts(&[("setup.py", "x\n"), ("shop/__init__.py", "v = 1\n"), ("shop/a/b/__init__.py", "\n")]);
    assert_eq!(python.entry_points, ["shop/__init__.py"]);
}

#[test]
fn node_projects_by_their_lock_and_scripts() {
    let package =
        "{\"scripts\":{\"build\":\"tsc\",\"test\":\"jest\"},\"main\":\"./lib/index.js\",\"bin\":{\"x\":\"bin/x.js\"}}";
    let files = [("package.json", package), ("lib/index.js", "x()\n"), ("bin/x.js", "y()\n")];
    assert_eq!(commands(&files), (Some("npm"), Some("npm run build".into()), Some("npm test".into())));
    // The lock file is too large to be read, but its presence is enough.
    let lock = "x: y\n".repeat(300_000);
    let locked: Vec<_> = files.iter().copied().chain([("pnpm-lock.yaml", lock.as_str())]).collect();
    assert_eq!(commands(&locked), (Some("pnpm"), Some("pnpm run build".into()), Some("pnpm test".into())));
    assert_eq!(facts(&files).entry_points, ["bin/x.js", "lib/index.js"]);
    let untested = "{\"packageManager\":\"yarn@4.1.0\",\"scripts\":{\"test\":\"echo \\\"Error: no test specified\\\" && exit 1\"}}";
    assert_eq!(commands(&[("package.json", untested)]), (Some("yarn"), None, None));
    assert_eq!(commands(&[("package.json", "{ broken")]), (Some("npm"), None, None));
    assert_eq!(commands(&[("package.json", "{\"packageManager\":\"rm -rf /\"}")]).0, Some("npm"));
}

#[test]
fn python_commands_follow_the_configuration() {
    let poetry = [
        (
            "pyproject.toml",
            "[build-system]\nrequires = []\n[tool.poetry]\nname = \"x\"\n[tool.pytest.ini_options]\na = 1\n",
        ),
        ("x/__main__.py", "print(1)\n"),
    ];
    assert_eq!(commands(&poetry), (Some("poetry"), Some("poetry build".into()), Some("poetry run pytest".into())));
    assert_eq!(facts(&poetry).entry_points, ["x/__main__.py"]);
    let uv = [("pyproject.toml", "[project]\nname = \"x\"\n"), ("uv.lock", "version = 1\n"), ("conftest.py", "\n")];
    assert_eq!(commands(&uv), (Some("uv"), None, Some("uv run pytest".into())));
    let plain = [("setup.py", "setup()\n"), ("tests/test_a.py", "def test_a(): pass\n")];
    assert_eq!(commands(&plain), (Some("pip"), Some("python -m build".into()), Some("python -m unittest".into())));
    let site = [("manage.py", "main()\n"), ("requirements.txt", "Django\npytest\n")];
    assert_eq!(commands(&site), (Some("pip"), None, Some("python manage.py test".into())));
}

#[test]
fn other_languages() {
    let go = [("go.mod", "module x\n"), ("cmd/x/main.go", "package main\n"), ("a.go", "package x\n")];
    assert_eq!(commands(&go), (Some("go"), Some("go build ./...".into()), Some("go test ./...".into())));
    assert_eq!(facts(&go).entry_points, ["cmd/x/main.go"]);
    let maven =
        [("pom.xml", "<project/>"), ("mvnw", "#!/bin/sh\n"), ("src/main/java/a/ShopApplication.java", "class A {}\n")];
    assert_eq!(commands(&maven), (Some("maven"), Some("./mvnw package".into()), Some("./mvnw test".into())));
    assert_eq!(facts(&maven).entry_points, ["src/main/java/a/ShopApplication.java"]);
    let gradle = [("build.gradle.kts", "plugins {}\n"), ("src/main/kotlin/Main.kt", "fun main() {}\n")];
    assert_eq!(commands(&gradle).0, Some("gradle"));
    let ruby = [("Gemfile", "gem 'rails'\n"), ("spec/a_spec.rb", "it {}\n")];
    assert_eq!(commands(&ruby), (Some("bundler"), None, Some("bundle exec rspec".into())));
    let php =
        [("composer.json", "{\"require\":{\"a/b\":\"1\"}}"), ("phpunit.xml", "<x/>"), ("public/index.php", "<?php\n")];
    assert_eq!(commands(&php), (Some("composer"), None, Some("vendor/bin/phpunit".into())));
    let dotnet = [("Shop.sln", "x\n"), ("Shop/Program.cs", "class P {}\n")];
    assert_eq!(commands(&dotnet).2, Some("dotnet test".into()));
    let cmake = [("CMakeLists.txt", "project(x)\nenable_testing()\n"), ("src/main.c", "int main() {}\n")];
    assert_eq!(commands(&cmake).2, Some("ctest --test-dir build".into()));
    let make = [("Makefile", "build:\n\tcc x\nTEST := 1\ntest:=no\ncheck: build\n"), ("main.c", "int main() {}\n")];
    assert_eq!(commands(&make), (None, Some("make build".into()), Some("make check".into())));
}

#[test]
fn the_main_language_decides_between_manifests() {
    let mixed = [
        ("package.json", "{\"scripts\":{\"test\":\"jest\"}}"),
        ("pyproject.toml", "[project]\nname = \"x\"\n[tool.pytest.ini_options]\n"),
        ("shop/a.py", "a = 1\nb = 2\nc = 3\n"),
        ("web.js", "x()\n"),
    ];
    let facts = facts(&mixed);
    assert_eq!((facts.package_manager(), facts.test_command()), (Some("pip"), Some("pytest")));
    assert_eq!(facts.tooling.len(), 2);
    let excluded = facts.without(|path| path == "pyproject.toml");
    assert_eq!((excluded.package_manager(), excluded.test_command()), (Some("npm"), Some("npm test")));
}

#[test]
fn a_package_of_a_workspace_has_its_own_dependencies() {
    let (_dir, corpus) = corpus(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        ("crates/pay/Cargo.toml", "[dependencies]\nserde = \"1\"\n"),
        ("crates/pay/src/deep/refund.rs", "pub fn refund() {}\n"),
        ("crates/mail/Cargo.toml", "[dependencies]\nlettre = \"1\"\n"),
        ("crates/mail/src/lib.rs", "pub fn send() {}\n"),
        ("package.json", "{\"dependencies\":{\"react\":\"1\"}}"),
    ]);
    let listed = |near: &[&str]| -> Vec<String> {
        RepoFacts::of(&corpus, near).dependencies.into_iter().map(|listed| listed.manifest).collect()
    };
    assert_eq!(listed(&[]), ["package.json"]);
    assert_eq!(listed(&["crates/pay/src/deep/refund.rs", "README.md"]), ["package.json", "crates/pay/Cargo.toml"]);
    assert_eq!(listed(&["crates/mail/src/lib.rs", "crates/mail/x"]), ["package.json", "crates/mail/Cargo.toml"]);
}

#[test]
fn an_empty_project_has_no_facts() {
    assert_eq!(facts(&[]), RepoFacts::default());
    assert_eq!(commands(&[("notes.txt", "hello\n")]), (None, None, None));
}
