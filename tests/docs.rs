//! Checks the documents: docs/config.md matches the configuration (`UPDATE_DOCS=1 cargo test --test docs` rewrites it),
//! links have targets, and the program accepts every quoted command.

#![allow(clippy::unwrap_used, reason = "an unreadable file must fail the test")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use clap::error::ErrorKind;
use teddy::cli::commands::Cli;
use teddy::project::config::COMMENTED_DEFAULTS;

/// A top-level key with the comment above it.
struct Key {
    name: String,
    about: Vec<String>,
    lines: Vec<String>,
}

fn keys() -> Vec<Key> {
    let mut found: Vec<Key> = Vec::new();
    let mut about: Vec<String> = Vec::new();
    for line in COMMENTED_DEFAULTS.lines() {
        match line.strip_prefix('#') {
            Some(words) => about.push(words.strip_prefix(' ').unwrap_or(words).to_owned()),
            None if line.is_empty() => about.clear(),
            None if line.starts_with(' ') => found.last_mut().unwrap().lines.push(line.to_owned()),
            None => {
                let name = line.split(':').next().unwrap().to_owned();
                found.push(Key { name, about: std::mem::take(&mut about), lines: vec![line.to_owned()] });
            }
        }
    }
    found
}

fn document() -> String {
    let mut out = String::from(
        "# Configuration\n\n\
         Generated from [assets/config.yaml](../assets/config.yaml) by `UPDATE_DOCS=1 cargo test --test docs`.\n\n\
         teddy reads two files; the second overrides the first:\n\n\
         1. `config.yaml` in your configuration directory (`teddy doctor` shows the path; `TEDDY_CONFIG_DIR` changes it)\n\
         2. `.teddy/config.yaml` in the project\n\n\
         Keys marked **user only** are ignored in the project's file: a cloned repository must not run programs on your machine, weaken\n\
         redaction, add text to your payloads or change your screen. Flags override both files.\n\n",
    );
    let keys = keys();
    let names: Vec<String> = keys.iter().map(|key| format!("[`{0}`](#{0})", key.name)).collect();
    writeln!(out, "{}", names.join(", ")).unwrap();
    for Key { name, about, lines } in keys {
        write!(out, "\n## {name}\n\n").unwrap();
        let mut example = false;
        for line in about {
            let indented = line.starts_with("  ");
            if indented != example {
                out.push_str(if indented { "\n```yaml\n" } else { "```\n\n" });
                example = indented;
            }
            let line = if indented { line[2..].to_owned() } else { line.replace("User only", "**User only**") };
            writeln!(out, "{line}").unwrap();
        }
        if example {
            out.push_str("```\n");
        }
        write!(out, "\nDefault:\n\n```yaml\n{}\n```\n", lines.join("\n")).unwrap();
    }
    out
}

#[test]
fn the_configuration_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/config.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, document()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == document(),
        "docs/config.md is older than the configuration: UPDATE_DOCS=1 cargo test --test docs"
    );
}

/// README, CHANGELOG and everything in docs/.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    for directory in ["docs", "docs/decisions"] {
        let entries = std::fs::read_dir(root.join(directory)).unwrap().flatten().map(|entry| entry.path());
        documents.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    assert!(documents.len() > 12, "{documents:?}");
    documents
}

/// Checks that every relative link in the documents has a target.
#[test]
fn links_between_documents_have_targets() {
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with('/') {
                continue;
            }
            assert!(document.parent().unwrap().join(target).exists(), "{}: {link}", document.display());
        }
    }
}

/// A command quoted in a document, split into words like a shell does.
struct Quoted {
    words: Vec<String>,
    /// True for a command in a sentence, which may lack required arguments.
    in_a_sentence: bool,
}

/// Splits a command into words: quotes keep blanks, and a comment, pipe or redirection ends it. Optional parts in
/// brackets are included, and one alternative of `a|b` is used.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in command.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, ' ') => words.push(String::new()),
            (None, '[' | ']') => {}
            _ => words.last_mut().unwrap().push(character),
        }
    }
    let ends = |word: &&String| !matches!(word.as_str(), "#" | "|" | ">" | ";" | "&&");
    let plain = words.iter().take_while(ends).filter(|word| !word.is_empty());
    plain.map(|word| word.split('|').next().unwrap_or(word).to_owned()).collect()
}

/// Commands in a document: lines of code blocks, and code in sentences.
fn quoted(text: &str) -> Vec<Quoted> {
    let mut found = Vec::new();
    let mut fence = None;
    for line in text.lines() {
        let backticks = line.chars().take_while(|c| *c == '`').count();
        if backticks >= 3 && fence.is_none_or(|open| backticks >= open) {
            fence = if fence.is_none() { Some(backticks) } else { None };
            continue;
        }
        let run = "cargo run --release -- ";
        if fence.is_some() {
            let line = line.strip_prefix("$ ").unwrap_or(line).replace(run, "teddy ");
            let commands = line.split(" | ").filter(|part| part.starts_with("teddy "));
            found.extend(commands.map(|command| Quoted { words: words(command), in_a_sentence: false }));
        } else {
            let code = line.split('`').skip(1).step_by(2).flat_map(|code| code.split(" | "));
            let commands = code.filter(|code| code.starts_with("teddy "));
            found.extend(commands.map(|command| Quoted { words: words(command), in_a_sentence: true }));
        }
    }
    found
}

#[test]
fn every_quoted_command_is_accepted_by_the_program() {
    let mut seen = 0;
    for document in documents() {
        for Quoted { words, in_a_sentence } in quoted(&std::fs::read_to_string(&document).unwrap()) {
            seen += 1;
            let Err(error) = Cli::try_parse_from(&words) else { continue };
            let told = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let lacks = matches!(
                error.kind(),
                ErrorKind::MissingRequiredArgument
                    | ErrorKind::MissingSubcommand
                    | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            );
            assert!(told || in_a_sentence && lacks, "{}: {words:?}: {error}", document.display());
        }
    }
    assert!(seen > 50, "only {seen} commands were found");
}

#[test]
fn an_invalid_quoted_command_is_detected() {
    let text = "Say `teddy plan \"a b\" --no-such-flag`.\n\n```sh\n$ cat log | teddy resume --evidence - # why\nteddy frobnicate\n```\n";
    let found: Vec<(Vec<String>, bool)> = quoted(text)
        .into_iter()
        .map(|quoted| (quoted.words.clone(), Cli::try_parse_from(&quoted.words).is_ok()))
        .collect();
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    assert_eq!(
        found,
        [
            (words(&["teddy", "plan", "a b", "--no-such-flag"]), false),
            (words(&["teddy", "resume", "--evidence", "-"]), true),
            (words(&["teddy", "frobnicate"]), false),
        ]
    );
}
