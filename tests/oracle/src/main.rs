//! Compares outlines with tree-sitter's grammars for all source files below the given directories, and prints a table.
//!
//! A definition counts as found if outline and grammar agree on its last line and on its first line, not counting the
//! comments, attributes and annotations that the outline includes above it. Definitions inside functions are ignored,
//! because outlines do not have them.

mod grammars;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use grammars::{Grammar, grammar};
use teddy::outline::definitions::{Definition, DefinitionKind, outline};
use teddy::outline::language::Language;
use tree_sitter::{Node, Parser};

/// Files above this size are data.
const LARGEST: usize = 1_000_000;

/// Figures of one language; files with grammar errors are counted separately.
#[derive(Default)]
struct Figures {
    files: usize,
    grammar_errors: usize,
    outline_errors: usize,
    clean: Agreement,
    with_errors: Agreement,
}

/// Definitions of the grammar, and the number of those that the outline also has.
#[derive(Default)]
struct Agreement {
    found: usize,
    all: usize,
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().position(|argument| argument == "--verbose").map(|at| arguments.remove(at)).is_some();
    let mut figures: BTreeMap<Language, Figures> = BTreeMap::new();
    for root in &arguments {
        for path in files_below(Path::new(root)) {
            compare(&path, &mut figures, verbose);
        }
    }
    println!("| language | files | with errors: grammar, outline | definitions found | in files with grammar errors |");
    println!("|---|---|---|---|---|");
    for (language, it) in figures {
        println!(
            "| {} | {} | {}, {} | {} | {} |",
            language.name(),
            it.files,
            it.grammar_errors,
            it.outline_errors,
            it.clean.text(),
            it.with_errors.text()
        );
    }
}

impl Agreement {
    fn text(&self) -> String {
        format!("{} of {}", self.found, self.all)
    }
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for path in entries.flatten().map(|entry| entry.path()).filter(|path| !path.is_symlink()) {
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn compare(path: &Path, figures: &mut BTreeMap<Language, Figures>, verbose: bool) {
    let Some(text) = fs::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok()) else { return };
    let first_line = text.lines().next().unwrap_or_default();
    let Some(language) = Language::of(&path.to_string_lossy(), first_line) else { return };
    let Some(grammar) = grammar(language).filter(|_| text.len() <= LARGEST) else { return };
    let Some(outline) = outline(language, &text) else { return };
    let mut parser = Parser::new();
    if parser.set_language(&grammar.language).is_err() {
        eprintln!("the grammar of {} does not fit this version of tree-sitter", language.name());
        return;
    }
    let Some(tree) = parser.parse(&text, None) else { return };
    let has_errors = tree.root_node().has_error();
    let mut wanted = Vec::new();
    collect(tree.root_node(), &grammar, &text, &mut wanted);
    let found = outlined(&outline.definitions, &text);
    let figures = figures.entry(language).or_default();
    figures.files += 1;
    figures.grammar_errors += usize::from(has_errors);
    figures.outline_errors += usize::from(outline.has_errors);
    let agreement = if has_errors { &mut figures.with_errors } else { &mut figures.clean };
    for (first, last) in wanted {
        agreement.all += 1;
        if found.contains(&(first, last)) {
            agreement.found += 1;
        } else if verbose {
            let line = text.lines().nth(first as usize - 1).unwrap_or_default();
            eprintln!("{}:{first}-{last}: {}", path.display(), line.trim());
        }
    }
}

/// Lines of definitions outside functions, without preceding comments.
fn collect(root: Node<'_>, grammar: &Grammar, text: &str, found: &mut Vec<(u32, u32)>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let is_function = grammar.functions.contains(&node.kind());
        let is_definition = is_function || grammar.types.contains(&node.kind());
        if is_definition && (grammar.accept)(node, text) {
            let end = node.end_position();
            // A node that ends at the start of a row ends with the row before.
            let last = if end.column == 0 && end.row > node.start_position().row { end.row } else { end.row + 1 };
            let last = last_with_text(text, last);
            found.push((first_of_head(text, node.start_position().row as u32 + 1, last), last));
            if is_function {
                continue;
            }
        }
        if grammar.bodies.contains(&node.kind()) {
            continue;
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
    }
}

/// Lines of the outline's definitions, without preceding comments and annotations.
fn outlined(definitions: &[Definition], text: &str) -> HashSet<(u32, u32)> {
    let is_kept = |it: &&Definition| !matches!(it.kind, DefinitionKind::Property);
    definitions.iter().filter(is_kept).map(|it| (first_of_head(text, it.first, it.last), it.last)).collect()
}

fn last_with_text(text: &str, last: usize) -> u32 {
    let lines: Vec<&str> = text.lines().take(last).collect();
    let blank = lines.iter().rev().take_while(|line| line.trim().is_empty()).count();
    (lines.len() - blank) as u32
}

/// First line from `first` on that is not a comment, an attribute or an annotation.
fn first_of_head(text: &str, first: u32, last: u32) -> u32 {
    const STARTS: [&str; 10] = ["//", "/*", "*", "#", "@", "--", "[", "\"\"\"", "'''", "=begin"];
    let skipped = text
        .lines()
        .skip(first as usize - 1)
        .take((last - first) as usize)
        .take_while(|line| line.trim().is_empty() || STARTS.iter().any(|start| line.trim_start().starts_with(start)))
        .count();
    first + skipped as u32
}
