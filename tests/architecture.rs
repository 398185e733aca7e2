//! Checks the rules of the design by parsing the sources: crates used by each module, dependencies between modules, and
//! the size and introduction of each file.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "architecture/cycles.rs"]
mod cycles;
#[path = "architecture/paths.rs"]
mod paths;
#[path = "architecture/self_tests.rs"]
mod self_tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cycles::{Graph, cycles};
use paths::{Crate, Target};

/// Top-level modules by level; each may use the levels listed before it, and its own level if that creates no cycle.
const LEVELS: [&[&str]; 10] = [
    &["error", "ids", "leb128", "platform", "process", "text"],
    &["project", "redact", "outline"],
    &["gather"],
    &["score", "handoff"],
    &["place"],
    &["workbench"],
    &["render"],
    &["deliver"],
    &["app"],
    &["cli", "tui", "mcp"],
];

/// A crate that only some modules may use.
struct Confined {
    crates: &'static [&'static str],
    /// Path prefixes of the modules that may use it.
    to: &'static [&'static str],
    /// Exempt files, each with the reason.
    except: &'static [(&'static str, &'static str)],
}

const CONFINED: [Confined; 5] = [
    Confined { crates: &["clap"], to: &["src/cli/"], except: &[] },
    Confined {
        crates: &["ratatui", "crossterm"],
        to: &["src/tui/"],
        except: &[
            ("src/deliver/clipboard/osc52.rs", "the escape sequence that copies through a terminal"),
            ("src/cli/print.rs", "the width that a table may have"),
        ],
    },
    Confined {
        crates: &["serde_yaml", "yaml_serde"],
        to: &["src/project/"],
        except: &[
            ("src/redact/mod.rs", "the user's own rules are a YAML file"),
            ("src/build.rs", "so are the built-in rules"),
        ],
    },
    Confined { crates: &["git2"], to: &["src/gather/git/"], except: &[] },
    Confined { crates: &["rmcp"], to: &["src/mcp/"], except: &[] },
];

const LONGEST: usize = 600;

struct Source {
    /// Path relative to the crate, with `/` as separator.
    path: String,
    text: String,
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

fn parsed(sources: &[Source]) -> Crate {
    let mut all = Crate::default();
    for source in sources {
        all.add(&source.path, &source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
    }
    all
}

fn level(module: &str) -> Option<usize> {
    LEVELS.iter().position(|level| level.contains(&module))
}

/// Uses of confined crates in other modules, and unnecessary exemptions.
fn misplaced_crates(sources: &Crate) -> Vec<String> {
    let mut wrong = Vec::new();
    for rule in &CONFINED {
        let mut needed = vec![false; rule.except.len()];
        for (file, reference) in &sources.references {
            let Some(Target::Outside(name)) = sources.resolve(reference) else { continue };
            if !rule.crates.contains(&name.as_str()) || rule.to.iter().any(|place| file.starts_with(place)) {
                continue;
            }
            match rule.except.iter().position(|(path, _)| path == file) {
                Some(index) => needed[index] = true,
                None => wrong.push(format!("{file}:{} uses {name}", reference.line)),
            }
        }
        let unneeded = rule.except.iter().zip(needed).filter(|(_, needed)| !needed);
        wrong.extend(unneeded.map(|((path, _), _)| format!("{path}: remove the exemption for {:?}", rule.crates)));
    }
    wrong
}

/// Uses of a higher level, cycles between top-level modules, and modules without a level.
fn wrong_directions(sources: &Crate) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut graph = Graph::new();
    for (file, reference) in &sources.references {
        let Some(module) = reference.module.first() else { continue };
        let Some(own) = level(module) else {
            wrong.push(format!("{file}: add `{module}` to LEVELS"));
            continue;
        };
        let Some(Target::Inside(target)) = sources.resolve(reference) else { continue };
        let Some((other, level)) = target.first().and_then(|other| Some((other, level(other)?))) else { continue };
        if level > own {
            wrong.push(format!("{file}:{}: `{module}` must not use `{other}`", reference.line));
        }
        if other != module && !sources.is_test(reference) {
            graph.entry(module.clone()).or_default().insert(other.clone());
        }
    }
    wrong.extend(cycles(&graph).iter().map(|group| format!("a cycle between the modules {}", group.join(", "))));
    wrong.dedup();
    wrong
}

#[test]
fn crates_are_used_only_in_their_modules() {
    let wrong = misplaced_crates(&parsed(&sources()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_depend_only_on_lower_levels() {
    let wrong = wrong_directions(&parsed(&sources()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Top-level modules with cycles between their submodules.
const CYCLIC: [&str; 6] = ["gather", "outline", "project", "render", "score", "tui"];

/// Cycles between the submodules of a top-level module, and modules that are listed in [`CYCLIC`] without having
/// cycles.
fn cycles_within(sources: &Crate) -> Vec<String> {
    let mut graphs: BTreeMap<&String, Graph> = BTreeMap::new();
    for (_, reference) in &sources.references {
        let [module, own, ..] = &reference.module[..] else { continue };
        let Some(Target::Inside(target)) = sources.resolve(reference) else { continue };
        let [other_module, other, ..] = &target[..] else { continue };
        let is_submodule = sources.has_module(&[module.clone(), other.clone()]);
        if module == other_module && own != other && is_submodule && !sources.is_test(reference) {
            graphs.entry(module).or_default().entry(own.clone()).or_default().insert(other.clone());
        }
    }
    let mut wrong = Vec::new();
    for (module, graph) in &graphs {
        match (cycles(graph), CYCLIC.contains(&module.as_str())) {
            (groups, true) if groups.is_empty() => wrong.push(format!("remove `{module}` from CYCLIC")),
            (groups, false) => {
                wrong.extend(groups.iter().map(|group| format!("a cycle in `{module}`: {}", group.join(", "))));
            }
            _ => {}
        }
    }
    wrong
}

#[test]
fn submodules_have_no_cycles() {
    let wrong = cycles_within(&parsed(&sources()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_front_ends_do_not_use_each_other() {
    let sources = parsed(&sources());
    let mut wrong = Vec::new();
    for (file, reference) in &sources.references {
        let front_end = |module: &String| ["cli", "tui", "mcp"].contains(&module.as_str());
        let Some(own) = reference.module.first().filter(|module| front_end(module)) else { continue };
        let Some(Target::Inside(target)) = sources.resolve(reference) else { continue };
        if let Some(other) = target.first().filter(|module| front_end(module) && *module != own) {
            wrong.push(format!("{file}:{}: must not use `{other}`", reference.line));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// On X11 and Wayland, a teddy process serves the clipboard, so this file contains two programs.
const TWO_CLIPBOARDS: &str = "src/deliver/clipboard/native.rs";

/// Conditions on the operating system outside `platform`.
fn misplaced_conditions(sources: &Crate) -> Vec<String> {
    let elsewhere = sources.systems.iter().filter(|(file, reference)| {
        file != TWO_CLIPBOARDS
            && !file.starts_with("src/platform/")
            && !file.ends_with("_tests.rs")
            && !sources.is_test(reference)
    });
    elsewhere
        .map(|(file, reference)| format!("{file}:{}: asks for `{}`", reference.line, reference.segments[0]))
        .collect()
}

#[test]
fn only_platform_tells_systems_apart() {
    let wrong = misplaced_conditions(&parsed(&sources()));
    assert!(wrong.is_empty(), "move this into src/platform: {}", wrong.join("\n"));
}

/// Names that print or access a terminal; use cases return their messages instead.
const PRINTING: [&str; 7] = ["println", "print", "eprintln", "eprint", "stdout", "stderr", "is_terminal"];

#[test]
fn use_cases_do_not_print() {
    let sources = parsed(&sources());
    let in_app =
        sources.references.iter().filter(|(_, reference)| reference.module.first().is_some_and(|m| m == "app"));
    let prints = in_app.filter(|(_, reference)| {
        reference.segments.last().is_some_and(|name| PRINTING.contains(&name.as_str())) && !sources.is_test(reference)
    });
    let wrong: Vec<_> = prints.map(|(file, reference)| format!("{file}:{}", reference.line)).collect();
    assert!(wrong.is_empty(), "app must not print: {}", wrong.join("\n"));
}

#[test]
fn files_are_short_and_have_a_module_comment() {
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
