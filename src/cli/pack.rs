//! `teddy pack`: merges context packs into one, or says what is wrong with one.

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

/// What to do with packs.
#[derive(Debug, Args)]
pub struct PackArgs {
    /// Which of the two.
    #[command(subcommand)]
    pub command: PackCommand,
}

/// What can be done with packs.
#[derive(Debug, Subcommand)]
pub enum PackCommand {
    /// Join packs into one; the order does not matter.
    Merge {
        /// The packs; `-` is standard input.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Write the merged pack to this file.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Check a pack against the schema: 0 valid, 1 invalid, 2 not JSON.
    Check {
        /// The pack; `-` is standard input.
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

/// A pack that somebody named, and what it is called in messages.
fn read(env: &Environment, file: &Path, redactor: &Policy) -> Result<(String, std::result::Result<Pack, NoPack>)> {
    let name = if is_stdin(file) { "standard input".to_owned() } else { file.to_string_lossy().into_owned() };
    let name = printable(&name).into_owned();
    let text = read_text(env, file, PAYLOAD_BYTES)?;
    Ok((name, json::read(&text, redactor)))
}

fn not_json(name: &str, line: usize, column: usize, why: &str) -> Error {
    Error::input(
        format!("{name} is no JSON that can be read: {why} (line {line}, column {column})"),
        "mend it, or make it again: teddy plan --format pack",
    )
}

fn check(env: &Environment, file: &Path) -> Result<()> {
    // As it is: the id is that of these very texts, and none of them is printed unredacted.
    let (name, read) = read(env, file, &Policy::off())?;
    match read {
        Ok(pack) => print_text(&format!("{}\n", printable(&described(&name, &pack)))),
        Err(NoPack::NotJson { line, column, why }) => Err(not_json(&name, line, column, &why)),
        Err(NoPack::Invalid(problems)) => {
            let mut told = String::new();
            let redactor = env.redaction()?;
            for problem in &problems {
                let pointer = if problem.pointer.is_empty() { "(root)" } else { problem.pointer.as_str() };
                let line = format!("{pointer}: {}; {}", problem.what, problem.hint);
                told.push_str(&format!("{}\n", printable(&redactor.redact(&line, "pack.json").0)));
            }
            print_text(&told)?;
            let count = counted(problems.len(), "problem");
            Err(Error::negative(
                format!("{name} is no valid context pack: {count}"),
                "mend what is listed; the schema is docs/schemas/context-pack.schema.json",
            ))
        }
    }
}

fn described(name: &str, pack: &Pack) -> String {
    let id = if pack.pack_id == json::pack_id(pack) {
        "packId is that of its content"
    } else {
        "packId is not derived from its content: it was changed since, or made by another program"
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
        return Err(Error::input("standard input is named twice", "it can be read once; name a file"));
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
                    format!("{name} is no valid context pack: {first}"),
                    format!("see all that is wrong: teddy pack check {name}"),
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
