//! The rules of the design, checked by reading the sources: who may know which crate, which way modules depend on each
//! other, and how large and how well introduced a file is.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Modules by level; each may use what stands above it here, and what stands beside it.
const LEVELS: [&[&str]; 10] = [
    &["error", "text"],
    &["project", "redact"],
    &["gather"],
    &["score", "handoff"],
    &["place"],
    &["workbench"],
    &["render"],
    &["deliver"],
    &["app"],
    &["cli", "tui"],
];

/// A crate, and the only places that may know it: a directory ends with `/`.
struct Confined {
    crates: &'static [&'static str],
    to: &'static [&'static str],
    /// Single files that are let off, each with its reason.
    except: &'static [(&'static str, &'static str)],
}

const CONFINED: [Confined; 4] = [
    Confined {
        crates: &["clap"],
        to: &["src/cli/"],
        except: &[("src/gather/code/graph/tests.rs", "a source text that a test parses")],
    },
    Confined {
        crates: &["ratatui", "crossterm"],
        to: &["src/tui/", "src/main.rs"],
        except: &[
            ("src/deliver/clipboard/osc52.rs", "the escape sequence that copies through a terminal"),
            ("src/cli/output.rs", "the width that a table may have"),
        ],
    },
    Confined {
        crates: &["serde_yaml", "yaml_serde"],
        to: &["src/project/"],
        except: &[
            ("src/redact/mod.rs", "the user's own rules are a YAML file"),
            ("src/build.rs", "the built-in ones are one, too"),
        ],
    },
    Confined { crates: &["git2"], to: &["src/gather/git/"], except: &[] },
];

const LONGEST: usize = 600;

struct Source {
    /// Relative to the crate, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// The lines of code, without comments that take the whole line.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        lines.filter(|(_, line)| !line.starts_with("//"))
    }

    /// The module at the top of the tree that the file belongs to; none for `lib.rs`, `main.rs` and the build script.
    fn module(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        let module = inside.split('/').next()?.trim_end_matches(".rs");
        (!matches!(module, "build" | "lib" | "main")).then_some(module)
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![root.join("src")];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.push(Source { path: inside, text: std::fs::read_to_string(&path).unwrap() });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 50, "the sources were not found");
    found
}

/// Whether a line uses the word as a name of its own.
fn names(line: &str, word: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(in_name) && !line[at + word.len()..].starts_with(in_name))
}

/// The modules that a text reaches through `crate::a` and `crate::{a, b::c}`, with the line.
fn reached(source: &Source) -> BTreeSet<(usize, String)> {
    let mut found = BTreeSet::new();
    for (number, line) in source.code() {
        for (at, start) in line.match_indices("crate::") {
            // `$crate::` and `my_crate::` are not ours.
            if line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
                continue;
            }
            let rest = &line[at + start.len()..];
            for name in first_names(rest) {
                // `crate::Error` is what the root passes on.
                if name.starts_with(|c: char| c.is_ascii_lowercase()) {
                    found.insert((number, name));
                }
            }
        }
    }
    found
}

/// The first segment of a path, or of each path in a group.
fn first_names(rest: &str) -> Vec<String> {
    let name =
        |text: &str| -> String { text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(group) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let mut names = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    // The group may go on in the next line; what is in this one is known.
    names.push(name(&group[start..]));
    names.retain(|name| !name.is_empty());
    names
}

fn level(module: &str) -> Option<usize> {
    LEVELS.iter().position(|level| level.contains(&module))
}

#[test]
fn crates_stay_where_they_belong() {
    let sources = sources();
    let mut wrong = Vec::new();
    for rule in &CONFINED {
        for source in &sources {
            let inside = rule.to.iter().any(|place| match place.strip_suffix('/') {
                Some(_) => source.path.starts_with(place),
                None => source.path == *place,
            });
            if inside || rule.except.iter().any(|(path, _)| source.path == *path) {
                continue;
            }
            for (number, line) in source.code() {
                for name in rule.crates.iter().filter(|name| names(line, name)) {
                    wrong.push(format!("{}:{number} knows {name}: {line}", source.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_depend_one_way() {
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(module) = source.module() else { continue };
        let Some(own) = level(module) else {
            wrong.push(format!("{}: give `{module}` its place among the levels", source.path));
            continue;
        };
        // A name that is no module of ours stands in a text that a test parses; the compiler would not take it.
        for (number, other) in reached(&source) {
            if level(&other).is_some_and(|level| level > own) {
                wrong.push(format!("{}:{number}: `{module}` must not use `{other}`", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The only file of the command line that knows the screen.
const OPENS_THE_SCREEN: &str = "src/cli/screen.rs";

#[test]
fn the_front_ends_do_not_know_each_other() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| source.path != OPENS_THE_SCREEN) {
        let other = match source.module() {
            Some("cli") => "tui",
            Some("tui") => "cli",
            _ => continue,
        };
        for (number, _) in reached(source).into_iter().filter(|(_, name)| name == other) {
            wrong.push(format!("{}:{number}: must not use `{other}`", source.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let opens = sources().into_iter().find(|source| source.path == OPENS_THE_SCREEN).unwrap();
    assert!(reached(&opens).iter().any(|(_, name)| name == "tui"), "the exception is needed no more");
}

/// Ways to print; use cases return what is to be said.
const PRINTING: [&str; 7] = ["println", "print", "eprintln", "eprint", "stdout", "stderr", "is_terminal"];

#[test]
fn use_cases_do_not_print() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| source.module() == Some("app")) {
        for (number, line) in source.code() {
            // A child process in a test has streams of its own.
            if PRINTING.iter().any(|word| names(line, word)) && !line.contains("done.stdout") {
                wrong.push(format!("{}:{number}: {line}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_short_and_introduce_themselves() {
    let mut wrong = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > LONGEST {
            wrong.push(format!("{} has {lines} lines; past {LONGEST} it is two ideas", source.path));
        }
        if !source.text.starts_with("//! ") {
            wrong.push(format!("{} does not start with a `//!` line that says what it is", source.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rules_can_tell_right_from_wrong() {
    assert!(names("use git2::Repository;", "git2") && names("git2::Oid", "git2"));
    assert!(!names("use my_git2::x;", "git2") && !names("git2x::y()", "git2"));
    assert_eq!(first_names("{place::{Form, Tier}, score, text::nearest};"), ["place", "score", "text"]);
    assert_eq!(first_names("render::parse(x)"), ["render"]);
    let source = |text: &str| Source { path: "src/place/x.rs".to_owned(), text: text.to_owned() };
    let found = reached(&source("use crate::{cli, Error};\n// crate::tui\nlet x = crate::gather::y($crate::z);\n"));
    let found: Vec<_> = found.iter().map(|(line, name)| (*line, name.as_str())).collect();
    assert_eq!(found, [(1, "cli"), (3, "gather")]);
    assert_eq!(source("").module(), Some("place"));
    assert!(level("gather") < level("score") && level("render") > level("workbench"));
}
