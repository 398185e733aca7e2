//! Reduces names of tests and sources to their subject.

/// Returns true for names that are common in every project. Only the directory distinguishes them.
pub(super) fn generic(key: &str) -> bool {
    const GENERIC: &[&str] = &[
        "mod", "lib", "main", "index", "init", "utils", "util", "base", "core", "types", "common", "test", "tests",
        "config", "data", "error", "errors", "helpers", "helper", "server", "client", "api", "app", "models", "views",
        "forms", "admin", "urls", "options", "version", "doc",
    ];
    GENERIC.contains(&key)
}

/// The words of a name: `XMLHttpRequest_v2` becomes xml, http, request, v2.
pub(super) fn tokens(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_alphanumeric() {
            previous = ' ';
            continue;
        }
        let begins = previous == ' '
            || character.is_uppercase()
                && (!previous.is_uppercase() || characters.peek().is_some_and(|next| next.is_lowercase()));
        if begins || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
        previous = character;
    }
    words
}

/// The subject of a test: its name without words such as `test`, or the name of its directory if nothing else remains.
pub(super) fn subject(test: &str) -> String {
    let name = test.rsplit('/').next().unwrap_or_default();
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let mut words = tokens(stem);
    while words.len() > 1 && words.first().is_some_and(|word| is_test_word(word)) {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(|word| is_test_word(word)) {
        words.pop();
    }
    if words.len() == 1
        && let Some(rest) = words[0].strip_suffix("tests").or_else(|| words[0].strip_suffix("test"))
        && rest.len() > 3
    {
        words = vec![rest.to_owned()];
    }
    if words.len() == 1 && matches!(words[0].as_str(), "test" | "tests" | "spec" | "mod" | "index") {
        // In `sync/tests.rs` and `query/test.py`, the directory is the subject.
        if let Some(directory) = home(test).pop() {
            return directory;
        }
    }
    words.join("_")
}

fn is_test_word(word: &str) -> bool {
    matches!(word, "test" | "tests" | "spec" | "specs" | "it" | "unittest" | "unit" | "testcase" | "e2e" | "case")
}

/// Returns true if a file represents its directory, such as `mod.rs`.
pub(super) fn is_package_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name == "init.lua" || matches!(name.split('.').next(), Some("__init__" | "mod" | "index" | "lib" | "main"))
}

/// The names of a source: its own name, and the directory's name followed by its own; for a package's main file, only
/// the directory's name.
pub(super) fn source_keys(path: &str) -> Vec<String> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem);
    let words = tokens(stem);
    let own = words.concat();
    let parents: Vec<String> =
        directory.rsplit('/').filter(|part| !part.is_empty()).take(2).map(|part| tokens(part).concat()).collect();
    let mut keys = Vec::new();
    match parents.as_slice() {
        [parent, above @ ..] if is_package_file(path) => {
            keys.push(parent.clone());
            keys.extend(above.first().map(|above| format!("{above}{parent}")));
        }
        [parent, ..] => keys.push(format!("{parent}{own}")),
        [] => {}
    }
    // In `catch2/catch_xml.cpp`, the prefix only repeats the project's name, so tests omit it.
    if let [first, rest @ ..] = words.as_slice()
        && !rest.is_empty()
        && first.len() > 2
        && directory.split('/').any(|part| part.to_ascii_lowercase().starts_with(first.as_str()))
    {
        keys.push(rest.concat());
    }
    keys.push(own);
    keys.retain(|key| !key.is_empty());
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The directories that identify a file, without common directories and without affixes such as `test`.
pub(super) fn home(path: &str) -> Vec<String> {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    directory
        .split('/')
        .filter_map(|part| {
            let lower = part.to_ascii_lowercase();
            let mut bare = lower.as_str();
            for suffix in ["_tests", "-tests", "_test", "-test", ".tests", ".test"] {
                bare = bare.strip_suffix(suffix).unwrap_or(bare);
            }
            bare = bare.strip_prefix("test_").or_else(|| bare.strip_prefix("test-")).unwrap_or(bare);
            let layout = matches!(
                bare,
                "" | "test"
                    | "tests"
                    | "spec"
                    | "specs"
                    | "src"
                    | "lib"
                    | "main"
                    | "java"
                    | "kotlin"
                    | "scala"
                    | "unit"
                    | "integration"
                    | "__tests__"
                    | "__test__"
                    | "e2e"
                    | "it"
                    | "testing"
                    | "ruby"
                    | "php"
                    | "include"
                    | "source"
                    | "packages"
                    | "crates"
            );
            (!layout).then(|| bare.to_owned())
        })
        .collect()
}
