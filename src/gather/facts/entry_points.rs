//! Entry points: the main files of programs and libraries.

use serde_json::Value;

use super::root_text;
use crate::gather::corpus::{Corpus, SourceFile};
use crate::gather::role::Role;
use crate::outline::language::Language;

/// Maximum number of entry points.
const MOST: usize = 8;
/// Deepest directory that is searched.
const DEEPEST: usize = 6;

/// Entry points, programs before libraries, nearest to the root first.
pub(super) fn find(corpus: &Corpus) -> Vec<String> {
    let mut found: Vec<String> = declared(corpus);
    let mut candidates: Vec<(EntryPointKind, usize, &str)> = corpus
        .files
        .iter()
        .filter(|file| file.role == Role::Source)
        .filter_map(|file| {
            let depth = file.path.matches('/').count();
            Some((kind(file).filter(|_| depth <= DEEPEST)?, depth, file.path.as_str()))
        })
        .collect();
    candidates.sort_unstable();
    let has_program =
        !found.is_empty() || candidates.first().is_some_and(|(kind, ..)| *kind == EntryPointKind::Program);
    for (kind, _, path) in candidates {
        if (kind == EntryPointKind::Program || !has_program) && !found.iter().any(|known| known == path) {
            found.push(path.to_owned());
        }
    }
    found.truncate(MOST);
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EntryPointKind {
    Program,
    Library,
}

/// Kind of entry point by the language's conventions.
fn kind(file: &SourceFile) -> Option<EntryPointKind> {
    let (directory, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let parent = directory.rsplit('/').next().unwrap_or_default();
    let at_top = directory.is_empty() || directory == "src" || directory == "app";
    let program = match file.language? {
        Language::Rust if name == "lib.rs" && parent == "src" => return Some(EntryPointKind::Library),
        Language::Rust => name == "main.rs" && parent == "src" || parent == "bin" && directory.ends_with("src/bin"),
        Language::Python if name == "__init__.py" && !directory.is_empty() => {
            return (directory.matches('/').count() <= 1).then_some(EntryPointKind::Library);
        }
        Language::Python => {
            matches!(name, "__main__.py" | "manage.py")
                || at_top && matches!(name, "main.py" | "app.py" | "wsgi.py" | "asgi.py" | "cli.py")
        }
        Language::Go => name == "main.go" && (directory.is_empty() || directory.contains("cmd")),
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            let stem = name.split('.').next().unwrap_or_default();
            at_top && matches!(stem, "index" | "main" | "server" | "app" | "cli") && name.matches('.').count() == 1
        }
        Language::Java | Language::Kotlin | Language::Scala => {
            let stem = name.split('.').next().unwrap_or_default();
            matches!(stem, "Main" | "App") || stem.ends_with("Application")
        }
        Language::C | Language::Cpp => at_top && matches!(name, "main.c" | "main.cpp" | "main.cc" | "main.cxx"),
        Language::CSharp => name == "Program.cs",
        Language::Ruby => {
            name == "config.ru" || (directory == "bin" || directory == "exe") && !matches!(name, "setup" | "console")
        }
        Language::Php => matches!(file.path.as_str(), "index.php" | "public/index.php" | "artisan" | "bin/console"),
        Language::Dart => matches!(directory, "bin" | "lib") && name == "main.dart",
        Language::Swift => name == "main.swift",
        Language::Elixir => name == "application.ex",
        _ => false,
    };
    program.then_some(EntryPointKind::Program)
}

/// Entry points named in `package.json`, if they exist.
fn declared(corpus: &Corpus) -> Vec<String> {
    let text = root_text(corpus, "package.json").unwrap_or_default();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    let mut named: Vec<&str> = Vec::new();
    match &value["bin"] {
        Value::String(path) => named.push(path),
        Value::Object(programs) => named.extend(programs.values().filter_map(Value::as_str)),
        _ => {}
    }
    named.extend(["main", "module"].iter().filter_map(|field| value[*field].as_str()));
    let mut found: Vec<String> = Vec::new();
    for path in named {
        let path = path.strip_prefix("./").unwrap_or(path);
        if corpus.find(path).is_some() && !found.iter().any(|known| known == path) {
            found.push(path.to_owned());
        }
    }
    found
}
