//! `teddy pack`: merges context packs, or validates one.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::args::{OutputArgs, WhereArgs};
use super::output::{self, print_document, print_text, say};
use crate::app::environment::Environment;
use crate::app::input::{is_stdin, read_text};
use crate::deliver::{self, Destination};
use crate::error::{Error, Result};
use crate::project::PAYLOAD_BYTES;
use crate::redact::Policy;
use crate::render::pack::json::{self, NoPack};
use crate::render::pack::merge::merge;
use crate::render::pack::model::Pack;
use crate::text::{counted, printable};

/// The arguments of `teddy pack`.
#[derive(Debug, Args)]
pub struct PackArgs {
    /// The action.
    #[command(subcommand)]
    pub command: PackCommand,
}

/// Actions on packs.
#[derive(Debug, Subcommand)]
pub enum PackCommand {
    /// Merge packs into one; their order does not matter.
    Merge {
        /// The packs; `-` reads standard input.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Write the merged pack to this file.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Validate a pack against the schema; exit code 1 if it is invalid, 2 if it is not JSON.
    Check {
        /// The pack; `-` reads standard input.
        file: PathBuf,
    },
}

/// Runs the command.
pub fn run(env: &Environment, args: &PackArgs) -> Result<()> {
    match &args.command {
        PackCommand::Merge { files, output } => merge_files(env, files, output.as_deref()),
        PackCommand::Check { file } => check(env, file),
    }
}

/// Reads a pack; returns its name in messages, too.
fn read(env: &Environment, file: &Path, redactor: &Policy) -> Result<(String, std::result::Result<Pack, NoPack>)> {
    let name = if is_stdin(file) { "standard input".to_owned() } else { file.to_string_lossy().into_owned() };
    let name = printable(&name).into_owned();
    let text = read_text(env, file, PAYLOAD_BYTES)?;
    Ok((name, json::read(&text, redactor)))
}

fn not_json(name: &str, line: usize, column: usize, why: &str) -> Error {
    Error::input(
        format!("{name}:{line}:{column} is not valid JSON: {why}"),
        "fix the file, or create it again: teddy plan --format pack",
    )
}

fn check(env: &Environment, file: &Path) -> Result<()> {
    // Unredacted: the id is computed from these texts, and problems are redacted below.
    let (name, read) = read(env, file, &Policy::off())?;
    match read {
        Ok(pack) => print_text(&format!("{}\n", printable(&described(&name, &pack)))),
        Err(NoPack::NotJson { line, column, why }) => Err(not_json(&name, line, column, &why)),
        Err(NoPack::Invalid(problems)) => {
            let mut lines = String::new();
            let redactor = env.redaction()?;
            for problem in &problems {
                let pointer = if problem.pointer.is_empty() { "(root)" } else { problem.pointer.as_str() };
                let line = format!("{pointer}: {}; {}", problem.what, problem.hint);
                lines.push_str(&format!("{}\n", printable(&redactor.redact(&line, "pack.json").0)));
            }
            print_text(&lines)?;
            let count = counted(problems.len(), "problem");
            Err(Error::negative(
                format!("{name} is not a valid context pack: {count}"),
                "fix the problems listed; the schema is docs/schemas/context-pack.schema.json",
            ))
        }
    }
}

fn described(name: &str, pack: &Pack) -> String {
    let id = if pack.pack_id == json::pack_id(pack) {
        "packId matches its content"
    } else {
        "packId does not match its content: the pack was edited, or another program created it"
    };
    format!(
        "{name} is a valid context pack: {} documents, {} files, {} artifacts, {} decisions; its {id}",
        pack.doc_refs.len(),
        pack.relevant_files.len(),
        pack.artifacts.len(),
        pack.decisions.len(),
    )
}

fn merge_files(env: &Environment, files: &[PathBuf], to: Option<&Path>) -> Result<()> {
    let out = OutputArgs {
        to: WhereArgs { output: to.map(Path::to_path_buf), ..WhereArgs::default() },
        ..OutputArgs::default()
    };
    output::check(env, &out)?;
    if files.iter().filter(|file| is_stdin(file)).count() > 1 {
        return Err(Error::input("standard input is named twice", "it can be read only once; name a file"));
    }
    let mut packs = Vec::new();
    let redactor = env.redaction()?;
    for file in files {
        let (name, read) = read(env, file, &redactor)?;
        match read {
            Ok(pack) => packs.push(pack),
            Err(NoPack::NotJson { line, column, why }) => return Err(not_json(&name, line, column, &why)),
            Err(NoPack::Invalid(problems)) => {
                let first = problems.first().map(|problem| format!("{}: {}", problem.pointer, problem.what));
                let first = redactor.redact(&first.unwrap_or_default(), "pack.json").0.into_owned();
                return Err(Error::input(
                    format!("{name} is not a valid context pack: {first}"),
                    format!("list all problems: teddy pack check {name}"),
                ));
            }
        }
    }
    let merged = merge(&packs);
    let text = json::write(&merged);
    let conflicts = merged.decisions.iter().filter_map(|decision| decision.id.strip_prefix("conflict:"));
    for conflict in conflicts {
        say(&format!("note: the packs disagree on {conflict}; see decisions"));
    }
    let Some(to) = to else { return print_document(&text).map(drop) };
    deliver::deliver(&text, &Destination::File(env.cwd.join(to)), &crate::app::input::clipboard(env))?;
    say(&format!("written to {}", to.display()));
    say(&format!("contextPackRef {}", json::reference(&to.to_string_lossy(), &text)));
    Ok(())
}
