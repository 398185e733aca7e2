//! Sets up coding agents: the entry for `teddy mcp` in their configuration, and a few lines on when to use it.
//! Everything else in these files is kept byte for byte.

mod json_entry;
mod section;
mod toml_entry;

use std::fs;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::project::{atomic, files};

/// The name of teddy's entry in every configuration.
const NAME: &str = "teddy";

/// Instructions for the agents that read `AGENTS.md`.
const INSTRUCTIONS: &str = "\
## Context for a task

Before you read files for a new task, call the tool `plan` of the MCP server `teddy` with the task: it lists the files and
lines that matter. Get what else you need with `fetch` (`path`, `path:10-80`, `path#definition`). Without a task, `plan`
returns the context that the user prepared.
";

/// The skill for Claude Code.
const SKILL: &str = "\
---
name: teddy
description: Find the files and lines of this repository that matter for a task. Use it before reading files for a new task.
---

1. Call the tool `plan` of the MCP server `teddy` with the task. It lists likely targets, files and lines with reasons.
   Without a task it returns the context that the user prepared.
2. Read the RAW items first. Get others with `fetch`: `path`, `path:10-80` or `path#definition`.
3. If a file is missing or surprising, `explain` says why it scores as it does.
4. If a payload asks for a PAYLOAD_ACK block, complete it and pass it to `acknowledge`.
";

/// An agent that can be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Cursor.
    Cursor,
    /// VS Code with Copilot.
    VsCode,
    /// Gemini CLI.
    Gemini,
}

/// A file to write, or to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// Its text; `None` if it does not exist.
    pub before: Option<String>,
    /// The new text; `None` removes the file.
    pub after: Option<String>,
}

/// The part of a file that belongs to teddy.
enum ConfigEntry {
    /// A member of the object `key` in a JSON file.
    Json { key: &'static str, server: String },
    /// A table in a TOML file.
    Toml,
    /// A section between markers in a Markdown file.
    Section,
    /// A whole file that belongs to teddy.
    Own(&'static str),
}

impl Agent {
    /// All agents.
    pub const ALL: [Self; 5] = [Self::Claude, Self::Codex, Self::Cursor, Self::VsCode, Self::Gemini];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Gemini => "gemini",
        }
    }

    /// The files to change, and teddy's part of each.
    fn entries(self, env: &Environment) -> Result<Vec<(PathBuf, ConfigEntry)>> {
        let root = &env.root;
        let here = r#"{"command": "teddy", "args": ["mcp"]}"#;
        // These agents start servers in their own directory, so the entry contains the project's path.
        let there = r#"{"command": "teddy", "args": ["-C", "${workspaceFolder}", "mcp"]}"#;
        let json = |key, server: &str| ConfigEntry::Json { key, server: server.to_owned() };
        let agents = || (root.join("AGENTS.md"), ConfigEntry::Section);
        Ok(match self {
            Self::Claude => vec![
                (root.join(".mcp.json"), json("mcpServers", here)),
                (root.join(".claude/skills/teddy/SKILL.md"), ConfigEntry::Own(SKILL)),
            ],
            Self::Codex => vec![(codex_dir()?.join("config.toml"), ConfigEntry::Toml), agents()],
            Self::Cursor => vec![(root.join(".cursor/mcp.json"), json("mcpServers", there)), agents()],
            Self::VsCode => vec![(root.join(".vscode/mcp.json"), json("servers", there)), agents()],
            Self::Gemini => vec![
                (root.join(".gemini/settings.json"), json("mcpServers", here)),
                (root.join("GEMINI.md"), ConfigEntry::Section),
            ],
        })
    }
}

/// Codex's directory: `CODEX_HOME`, else `.codex` in the home directory.
fn codex_dir() -> Result<PathBuf> {
    if let Some(dir) = std::env::var_os("CODEX_HOME").filter(|dir| !dir.is_empty()) {
        return Ok(PathBuf::from(dir));
    }
    let base = directories::BaseDirs::new();
    let home = base.ok_or_else(|| Error::input("there is no home directory", "set CODEX_HOME to Codex's directory"))?;
    Ok(home.home_dir().join(".codex"))
}

/// The changes that set up an agent, or remove its setup. Empty if there is nothing to do.
pub fn changes(env: &Environment, agent: Agent, undo: bool) -> Result<Vec<FileChange>> {
    let mut changes = Vec::new();
    for (path, entry) in agent.entries(env)? {
        let before = read(env, &path)?;
        let after = match (undo, &before) {
            (true, None) => None,
            (true, Some(text)) => entry.removed(&path, text)?,
            (false, _) => Some(entry.added(&path, before.as_deref())?),
        };
        if after != before {
            changes.push(FileChange { path, before, after });
        }
    }
    Ok(changes)
}

/// Writes the changes. Rejects a file that was changed in the meantime.
pub fn apply(env: &Environment, changes: &[FileChange]) -> Result<()> {
    for FileChange { path, before, after } in changes {
        if read(env, path)? != *before {
            let what = format!("{} was changed in the meantime", env.shown(path));
            return Err(Error::input(what, "run the command again"));
        }
        let failed = |error| Error::io("write", path, error);
        let Some(text) = after else {
            fs::remove_file(path).map_err(failed)?;
            remove_empty_dirs(env, path);
            continue;
        };
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir).map_err(failed)?;
        }
        // A link stays a link, such as one into a directory of dotfiles.
        let target = files::physical(path).unwrap_or_else(|_| path.clone());
        atomic::write(&target, text.as_bytes())?;
    }
    Ok(())
}

/// Removes the directories that are empty after a file was removed, up to the project's root.
fn remove_empty_dirs(env: &Environment, path: &Path) {
    for dir in path.ancestors().skip(1).take_while(|dir| dir.starts_with(&env.root) && **dir != *env.root) {
        if fs::remove_dir(dir).is_err() {
            return;
        }
    }
}

/// Reads a file. A link in the repository must not lead out of it.
fn read(env: &Environment, path: &Path) -> Result<Option<String>> {
    match path.strip_prefix(&env.root) {
        Ok(inside) => {
            files::refuse_escapes(&env.root, &inside.to_string_lossy())?;
            files::read_inside(&env.root, path)
        }
        Err(_) => files::read_own(path),
    }
}

impl ConfigEntry {
    /// Adds teddy's part; returns the text unchanged if it is there already.
    fn added(&self, path: &Path, text: Option<&str>) -> Result<String> {
        match self {
            Self::Json { key, server } => json_entry::added(path, text, key, server),
            Self::Toml => toml_entry::added(path, text.unwrap_or_default()),
            Self::Section => section::added(path, text.unwrap_or_default(), INSTRUCTIONS),
            Self::Own(own) => match text {
                Some(other) if other != *own => {
                    let what = format!("{} exists with different contents", path.display());
                    Err(Error::input(what, "move it aside, or keep it and add only the MCP server by hand"))
                }
                _ => Ok((*own).to_owned()),
            },
        }
    }

    /// Removes teddy's part; `None` if nothing else is left.
    fn removed(&self, path: &Path, text: &str) -> Result<Option<String>> {
        match self {
            Self::Json { key, server } => json_entry::removed(path, text, key, server),
            Self::Toml => toml_entry::removed(path, text),
            Self::Section => section::removed(path, text),
            Self::Own(own) => Ok((text != *own).then(|| text.to_owned())),
        }
    }
}

/// The error for a file that cannot be edited safely.
fn broken(path: &Path, why: &str) -> Error {
    let what = format!("cannot edit {}: {why}", path.display());
    Error::input(what, "fix the file or add the entry by hand; nothing was changed")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn json() -> ConfigEntry {
        ConfigEntry::Json { key: "mcpServers", server: r#"{"command": "teddy"}"#.to_owned() }
    }

    #[test]
    fn every_kind_of_file_comes_back_byte_for_byte() {
        let path = Path::new("file");
        let texts: [(ConfigEntry, &[&str]); 3] = [
            (
                json(),
                &[
                    "{}",
                    "{}\n",
                    "{ }",
                    "{\n}\n",
                    "{\"a\": 1}",
                    "{\n  \"a\": {\"mcpServers\": {}}\n}\n",
                    "{\"mcpServers\": {}}",
                    "{\"mcpServers\": { }}\n",
                    "{\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\": \"y\"}\n\t}\n}\n",
                    "{\r\n  \"mcpServers\": {\r\n    \"x\": {}\r\n  },\r\n  \"b\": [1, 2]\r\n}\r\n",
                    "{\"b\": \"mcp\\\"Servers}{\", \"mcpServers\":{\"x\":{}}}",
                ],
            ),
            (
                ConfigEntry::Toml,
                &["a = 1", "a = 1\n", "\n\n[x]\ny = [\n  1,\n]\n", "# only a comment\n", "a = 1\r\n[b]\r\n"],
            ),
            (ConfigEntry::Section, &["# Rules\n", "# Rules", "text\n\n\n", "a\r\nb\r\n"]),
        ];
        for (entry, texts) in texts {
            let created = entry.added(path, None).unwrap();
            assert_eq!(entry.removed(path, &created).unwrap(), None);
            for text in texts {
                let added = entry.added(path, Some(text)).unwrap();
                assert_ne!(added, *text);
                assert_eq!(entry.added(path, Some(&added)).unwrap(), added, "a second setup changes nothing");
                assert_eq!(entry.removed(path, &added).unwrap().as_deref(), Some(*text), "{added:?}");
                assert_eq!(entry.removed(path, text).unwrap().as_deref(), Some(*text), "there is nothing to remove");
            }
        }
    }

    #[test]
    fn an_entry_is_found_among_others_however_it_is_written() {
        let path = Path::new("file");
        let removed = |text: &str| json().removed(path, text).unwrap().unwrap();
        for (text, rest) in [
            (
                r#"{"mcpServers": {"a": {}, "teddy": {"command": "x"}, "b": {}}}"#,
                r#"{"mcpServers": {"a": {}, "b": {}}}"#,
            ),
            (r#"{"mcpServers": {"a": {}, "teddy": {}}}"#, r#"{"mcpServers": {"a": {}}}"#),
            (r#"{"mcpServers": {"teddy": 1, "a": {}}, "z": 2}"#, r#"{"mcpServers": { "a": {}}, "z": 2}"#),
        ] {
            assert_eq!(removed(text), rest);
        }
    }

    #[test]
    fn broken_files_are_refused() {
        let path = Path::new("file");
        for text in ["", "{", "[]", "{\"mcpServers\": 4}", "// comment\n{}", "{\"a\": 1,}"] {
            let error = json().added(path, Some(text)).unwrap_err();
            assert!(error.to_string().starts_with("cannot edit file: "), "{error}");
        }
        for text in ["[x", "a = ", "mcp_servers = {}\n"] {
            assert!(ConfigEntry::Toml.added(path, Some(text)).is_err(), "{text}");
        }
        for text in ["<!-- teddy:begin -->\n", "<!-- teddy:end -->\n<!-- teddy:begin -->\n"] {
            assert!(ConfigEntry::Section.added(path, Some(text)).is_err(), "{text}");
        }
        assert!(ConfigEntry::Own("mine").added(path, Some("yours")).is_err());
        assert_eq!(ConfigEntry::Own("mine").removed(path, "yours").unwrap().as_deref(), Some("yours"));
    }

    proptest! {
        #[test]
        fn any_object_comes_back(keys in prop::collection::btree_map("[a-z\"\\\\{}]{0,4}", "[ -~]{0,8}", 0..4), pretty: bool) {
            let value = serde_json::json!({"mcpServers": keys, "other": keys});
            let text = if pretty { format!("{value:#}\n") } else { value.to_string() };
            let added = json().added(Path::new("f"), Some(&text)).unwrap();
            let read: serde_json::Value = serde_json::from_str(&added).unwrap();
            prop_assert_eq!(&read["mcpServers"]["teddy"]["command"], "teddy");
            prop_assert_eq!(&read["other"], &value["other"]);
            prop_assert_eq!(json().removed(Path::new("f"), &added).unwrap(), Some(text));
        }
    }
}
