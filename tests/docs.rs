//! docs/config.md says what the configuration says of itself. `UPDATE_DOCS=1 cargo test --test docs` writes it anew.

#![allow(clippy::unwrap_used, reason = "a test that cannot read its files has failed")]

use std::fmt::Write;
use std::path::Path;

use teddy::project::config::COMMENTED_DEFAULTS;

/// One key at the top of the file, with the comment above it.
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
         Every key, its default and what it does; written by a test from [assets/config.yaml](../assets/config.yaml), which another test\n\
         holds to the defaults of the program.\n\n\
         It is read from two files, the second over the first: `config.yaml` in your own configuration directory (`teddy doctor` names it,\n\
         `TEDDY_CONFIG_DIR` moves it), and `.teddy/config.yaml` in the project. Keys that are **yours only** count in the first alone: a\n\
         repository that you cloned must not run programs on your machine, weaken redaction, speak to the model in your name or change your screen.\n\
         Flags go over both.\n\n",
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
            let line = if indented { line[2..].to_owned() } else { line.replace("Yours only", "**Yours only**") };
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
fn the_configuration_is_documented_as_it_is() {
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

/// Every relative link in the documents leads somewhere.
#[test]
fn links_between_documents_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    for directory in ["docs", "docs/decisions"] {
        let entries = std::fs::read_dir(root.join(directory)).unwrap().flatten().map(|entry| entry.path());
        documents.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    assert!(documents.len() > 12, "{documents:?}");
    for document in documents {
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
