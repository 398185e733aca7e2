//! Build and test commands from the manifests. They are reported, never run.

use std::collections::BTreeMap;

use serde_json::Value;

use super::dependencies::parse_toml;
use super::{at_root, root_text};
use crate::gather::corpus::Corpus;
use crate::gather::role::Role;
use crate::outline::language::Language;

/// A build tool and its commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tooling {
    /// Package manager, if any.
    pub manager: Option<&'static str>,
    /// Command that builds the project.
    pub build: Option<String>,
    /// Command that runs the tests.
    pub test: Option<String>,
    /// The manifest.
    pub manifest: String,
}

type Finder = fn(&Corpus) -> Option<Tooling>;

/// The finders, each with its languages. If two tools are equally suitable, the earlier one wins.
const TOOLS: [(Finder, &[Language]); 13] = [
    (cargo, &[Language::Rust]),
    (node, &[Language::JavaScript, Language::TypeScript, Language::Tsx, Language::Vue, Language::Svelte]),
    (python, &[Language::Python]),
    (go, &[Language::Go]),
    (maven, &[Language::Java, Language::Kotlin, Language::Scala]),
    (gradle, &[Language::Java, Language::Kotlin, Language::Groovy]),
    (bundler, &[Language::Ruby]),
    (composer, &[Language::Php]),
    (dotnet, &[Language::CSharp, Language::FSharp, Language::VisualBasic]),
    (mix, &[Language::Elixir]),
    (swift, &[Language::Swift]),
    (cmake, &[Language::C, Language::Cpp]),
    (make, &[]),
];

/// Tools with a manifest at the root, starting with the tool of the main language.
pub(super) fn find(corpus: &Corpus, lines: &BTreeMap<Language, u64>) -> Vec<Tooling> {
    let weight = |languages: &[Language]| -> u64 { languages.iter().filter_map(|language| lines.get(language)).sum() };
    let mut found: Vec<(u64, Tooling)> =
        TOOLS.iter().filter_map(|(finder, languages)| Some((weight(languages), finder(corpus)?))).collect();
    // The sort is stable, so equal tools stay in the order of the table.
    found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    found.into_iter().map(|(_, tool)| tool).collect()
}

fn tool(manager: &'static str, manifest: &str, build: Option<&str>, test: Option<&str>) -> Tooling {
    let own = |command: Option<&str>| command.map(ToOwned::to_owned);
    Tooling { manager: Some(manager), build: own(build), test: own(test), manifest: manifest.to_owned() }
}

/// The first of these files at the root.
fn first_of<'n>(corpus: &Corpus, names: &[&'n str]) -> Option<&'n str> {
    names.iter().copied().find(|name| at_root(corpus, name))
}

fn cargo(corpus: &Corpus) -> Option<Tooling> {
    let manifest = root_text(corpus, "Cargo.toml")?;
    let has = |table: &str| manifest.lines().any(|line| line.trim() == table);
    // In a workspace with a package at its root, cargo builds only that package by default.
    let both = has("[workspace]") && has("[package]");
    let (build, test) =
        if both { ("cargo build --workspace", "cargo test --workspace") } else { ("cargo build", "cargo test") };
    Some(tool("cargo", "Cargo.toml", Some(build), Some(test)))
}

fn node(corpus: &Corpus) -> Option<Tooling> {
    let value: Value = serde_json::from_str(&root_text(corpus, "package.json")?).unwrap_or_default();
    let locks = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("package-lock.json", "npm"),
        ("npm-shrinkwrap.json", "npm"),
    ];
    let named = value["packageManager"].as_str().and_then(|text| text.split('@').next());
    let named = named.and_then(|name| ["pnpm", "yarn", "bun", "npm"].into_iter().find(|known| *known == name));
    let locked = || locks.into_iter().find(|(lock, _)| at_root(corpus, lock)).map(|(_, manager)| manager);
    let manager = named.or_else(locked).unwrap_or("npm");
    let script = |name: &str| value["scripts"][name].as_str().filter(|script| !script.contains("no test specified"));
    let build = script("build").map(|_| format!("{manager} run build"));
    let test =
        script("test").map(|_| if manager == "bun" { "bun run test".to_owned() } else { format!("{manager} test") });
    Some(Tooling { manager: Some(manager), build, test, manifest: "package.json".to_owned() })
}

fn python(corpus: &Corpus) -> Option<Tooling> {
    let manifest =
        first_of(corpus, &["pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "requirements.txt", "manage.py"])?;
    let project = root_text(corpus, "pyproject.toml").unwrap_or_default();
    let tables = toml::Value::Table(parse_toml(&project));
    let has_table = |path: &str| path.split('.').try_fold(&tables, |table, key| table.get(key)).is_some();
    let managers = [
        ("uv", at_root(corpus, "uv.lock") || has_table("tool.uv")),
        ("poetry", at_root(corpus, "poetry.lock") || has_table("tool.poetry")),
        ("pdm", at_root(corpus, "pdm.lock") || has_table("tool.pdm")),
        ("hatch", has_table("tool.hatch.envs")),
        ("pipenv", at_root(corpus, "Pipfile")),
    ];
    let manager = managers.into_iter().find(|(_, there)| *there).map_or("pip", |(name, _)| name);
    let packaged = has_table("build-system") || at_root(corpus, "setup.py");
    let build = match manager {
        "uv" | "poetry" | "pdm" | "hatch" if packaged => Some(format!("{manager} build")),
        _ if packaged => Some("python -m build".to_owned()),
        _ => None,
    };
    let test = python_tests(corpus, &project).map(|command| match manager {
        "uv" | "poetry" | "pdm" | "hatch" | "pipenv" if command != "tox" => format!("{manager} run {command}"),
        _ => command.to_owned(),
    });
    Some(Tooling { manager: Some(manager), build, test, manifest: manifest.to_owned() })
}

fn python_tests(corpus: &Corpus, project: &str) -> Option<&'static str> {
    if at_root(corpus, "manage.py") {
        return Some("python manage.py test");
    }
    if corpus.find("tests/runtests.py").is_some() {
        return Some("python tests/runtests.py");
    }
    let names_pytest = |file: &str| root_text(corpus, file).is_some_and(|text| text.contains("pytest"));
    let configured =
        project.contains("pytest") || ["pytest.ini", "conftest.py"].iter().any(|file| at_root(corpus, file));
    let listed =
        ["setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "Pipfile"];
    if configured || corpus.find("tests/conftest.py").is_some() || listed.iter().any(|file| names_pytest(file)) {
        return Some("pytest");
    }
    if at_root(corpus, "tox.ini") {
        return Some("tox");
    }
    let tested = corpus.files.iter().any(|file| file.role == Role::Test && file.language == Some(Language::Python));
    tested.then_some("python -m unittest")
}

fn go(corpus: &Corpus) -> Option<Tooling> {
    let manifest = first_of(corpus, &["go.work", "go.mod"]).filter(|_| at_root(corpus, "go.mod"))?;
    Some(tool("go", manifest, Some("go build ./..."), Some("go test ./...")))
}

fn maven(corpus: &Corpus) -> Option<Tooling> {
    let manifest = first_of(corpus, &["pom.xml"])?;
    let (build, test) =
        if at_root(corpus, "mvnw") { ("./mvnw package", "./mvnw test") } else { ("mvn package", "mvn test") };
    Some(tool("maven", manifest, Some(build), Some(test)))
}

fn gradle(corpus: &Corpus) -> Option<Tooling> {
    let names = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
    let manifest = first_of(corpus, &names)?;
    let (build, test) = if at_root(corpus, "gradlew") {
        ("./gradlew build", "./gradlew test")
    } else {
        ("gradle build", "gradle test")
    };
    Some(tool("gradle", manifest, Some(build), Some(test)))
}

fn bundler(corpus: &Corpus) -> Option<Tooling> {
    let manifest = first_of(corpus, &["Gemfile", "gems.rb"])?;
    let below = |directory: &str| corpus.files.iter().any(|file| file.path.starts_with(directory));
    let rails = at_root(corpus, "bin/rails");
    let test = if below("spec/") {
        Some("bundle exec rspec")
    } else if rails {
        Some("bin/rails test")
    } else {
        (at_root(corpus, "Rakefile") && below("test/")).then_some("bundle exec rake test")
    };
    Some(tool("bundler", manifest, None, test))
}

fn composer(corpus: &Corpus) -> Option<Tooling> {
    let value: Value = serde_json::from_str(&root_text(corpus, "composer.json")?).unwrap_or_default();
    let script = |name: &str| !value["scripts"][name].is_null();
    let test = if script("test") {
        Some("composer test")
    } else {
        first_of(corpus, &["phpunit.xml", "phpunit.xml.dist"]).map(|_| "vendor/bin/phpunit")
    };
    Some(tool("composer", "composer.json", script("build").then_some("composer build"), test))
}

fn dotnet(corpus: &Corpus) -> Option<Tooling> {
    let is_manifest = |name: &str| {
        let extension = std::path::Path::new(name).extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("sln" | "slnx" | "csproj" | "fsproj" | "vbproj")) && !name.contains('/')
    };
    let manifest = corpus.files.iter().map(|file| file.path.as_str()).find(|path| is_manifest(path))?;
    Some(tool("nuget", manifest, Some("dotnet build"), Some("dotnet test")))
}

fn mix(corpus: &Corpus) -> Option<Tooling> {
    let manifest = first_of(corpus, &["mix.exs"])?;
    Some(tool("mix", manifest, Some("mix compile"), Some("mix test")))
}

fn swift(corpus: &Corpus) -> Option<Tooling> {
    let manifest = first_of(corpus, &["Package.swift"])?;
    Some(tool("swiftpm", manifest, Some("swift build"), Some("swift test")))
}

fn cmake(corpus: &Corpus) -> Option<Tooling> {
    let text = root_text(corpus, "CMakeLists.txt")?.to_lowercase();
    let tested = ["enable_testing", "include(ctest)", "add_test("].iter().any(|call| text.contains(call));
    Some(Tooling {
        manager: None,
        build: Some("cmake -B build && cmake --build build".to_owned()),
        test: tested.then(|| "ctest --test-dir build".to_owned()),
        manifest: "CMakeLists.txt".to_owned(),
    })
}

fn make(corpus: &Corpus) -> Option<Tooling> {
    let manifest = first_of(corpus, &["Makefile", "GNUmakefile", "makefile"])?;
    let rules = root_text(corpus, manifest)?;
    let has = |target: &str| {
        rules
            .lines()
            .any(|line| line.strip_prefix(target).is_some_and(|rest| rest.starts_with(':') && !rest.starts_with(":=")))
    };
    let build = ["build", "all"].into_iter().find(|target| has(target)).map(|target| format!("make {target}"));
    let test = ["test", "check", "tests"].into_iter().find(|target| has(target)).map(|target| format!("make {target}"));
    (build.is_some() || test.is_some()).then(|| Tooling { manager: None, build, test, manifest: manifest.to_owned() })
}
