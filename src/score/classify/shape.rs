//! Structural features of a task's text: questions, paths, lists, code, length.

use std::collections::BTreeSet;

use super::features::Features;
use super::tokens::{CODE, Prose, first_chars};

/// The parts of a task's text.
pub struct TextParts<'a> {
    /// The first line without a prefix.
    pub rest: &'a str,
    /// Tokens of the first line.
    pub head: &'a [String],
    /// Tokens of the lines below the first line.
    pub body: &'a [String],
    /// The paths in the whole text.
    pub paths: &'a [String],
    /// The lines.
    pub prose: &'a Prose<'a>,
}

/// Sets the features.
pub fn put(features: &mut Features, parts: &TextParts<'_>) {
    questions(features, parts);
    layout(features, parts);
    paths(features, parts.paths);
    code(features, parts);
    length(features, parts);
}

fn flag(features: &mut Features, name: &str, is: bool) {
    if is {
        features.put(name, 1.0);
    }
}

fn questions(features: &mut Features, parts: &TextParts<'_>) {
    flag(features, "#ends with ?", parts.prose.lines.last().is_some_and(|line| line.ends_with(['?', '？'])));
    if parts.head.iter().any(|token| token == "?") {
        features.put("#question", 1.0);
        let ends = parts.head.last().is_some_and(|token| token == "?");
        features.put(if ends { "#first line asks" } else { "#asks and goes on" }, 1.0);
    }
}

fn layout(features: &mut Features, parts: &TextParts<'_>) {
    let lines = &parts.prose.lines;
    flag(features, "#fence", parts.prose.fenced);
    flag(features, "#trace", parts.prose.trace);
    flag(features, "#several lines", lines.len() > 1);
    let is_listed = |line: &&&str| ["- ", "* ", "1.", "2.", "3.", "4.", "5."].iter().any(|mark| line.starts_with(mark));
    let listed = lines.iter().filter(is_listed).count();
    flag(features, "#list", listed >= 2);
    flag(features, "#long list", listed >= 4);
}

fn paths(features: &mut Features, paths: &[String]) {
    flag(features, "#path", !paths.is_empty());
    flag(features, "#paths", paths.len() >= 2);
    flag(features, "#3 paths", paths.len() >= 3);
    flag(features, "#4 paths", paths.len() >= 4);
    let tops = top_directories(paths);
    if tops >= 2 {
        features.put("#top directories", (tops - 1).min(3) as f64);
    }
    flag(features, "#directories", paths.iter().filter(|path| path.ends_with('/')).count() >= 2);
    let kinds: Vec<&str> = paths.iter().map(|path| path_kind(path)).collect();
    if let Some(first) = kinds.first() {
        features.put(&format!("#first path {first}"), 1.0);
    }
    for kind in ["docs", "test"] {
        if !kinds.is_empty() && kinds.iter().all(|other| *other == kind) {
            features.put(&format!("#only {kind} paths"), 1.0);
        } else if kinds.contains(&kind) {
            features.put(&format!("#a {kind} path"), 1.0);
        }
    }
}

/// The number of top-level directories of the paths.
fn top_directories(paths: &[String]) -> usize {
    let inside = paths.iter().filter(|path| path.contains('/'));
    inside.filter_map(|path| path.trim_matches('/').split('/').next()).collect::<BTreeSet<_>>().len()
}

fn path_kind(path: &str) -> &'static str {
    let low = path.to_lowercase();
    let document = [".md", ".rst", ".adoc", ".txt"].iter().any(|end| low.ends_with(end))
        || ["docs/", "doc/", "readme", "changelog"].iter().any(|start| low.starts_with(start));
    if document {
        "docs"
    } else if low.contains("test") || low.contains("spec") {
        "test"
    } else {
        "source"
    }
}

fn code(features: &mut Features, parts: &TextParts<'_>) {
    if parts.head.first().is_some_and(|token| token == CODE) {
        features.put("#starts with code", 1.0);
        flag(features, "#code:", first_chars(parts.rest, 60).contains("`:"));
    }
    let codes = parts.head.iter().chain(parts.body).filter(|token| *token == CODE).count();
    flag(features, "#code", codes >= 1);
    flag(features, "#3 codes", codes >= 3);
}

fn length(features: &mut Features, parts: &TextParts<'_>) {
    let words = parts.head.len();
    features.put("#length", (words as f64).ln_1p() / 3.0);
    features.put("#body length", (parts.body.len() as f64).ln_1p() / 5.0);
    flag(features, "#short", words <= 3);
    flag(features, "#long", words >= 25);
    let commas = parts.rest.matches([',', '、', '，']).count();
    features.put("#commas", commas.min(4) as f64 / 2.0);
    let sentences: usize = [". ", "; ", "。"].iter().map(|mark| parts.rest.matches(mark).count()).sum();
    features.put("#sentences", sentences.min(3) as f64 / 2.0);
    flag(features, "#colon", first_chars(parts.rest, 40).contains(':'));
}
