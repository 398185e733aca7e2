//! `teddy pack`: merges context packs, or validates one.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::args::{OutputArgs, WhereArgs, tokens};
use super::output::{self, print_document, print_text, say};
use crate::app::environment::Environment;
use crate::app::input::{is_stdin, read_text};
use crate::deliver::{self, Destination};
use crate::error::{Error, Result};
use crate::gather::tokens::DEFAULT;
use crate::project::{PAYLOAD_BYTES, clock};
use crate::redact::Policy;
use crate::render::pack::json::{self, PackError};
use crate::render::pack::merge::merge;
use crate::render::pack::model::Pack;
use crate::render::pack::{edge, fit};
use crate::text::{counted, printable, thousands};

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
        /// Token limit of the merged pack; excerpts are removed first.
        #[arg(long, value_name = "N", value_parser = tokens, default_value = "20k")]
        budget: usize,
        /// Write the merged pack to this file.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Validate a pack against the schema; exit code 1 if it is invalid, 2 if it is not JSON.
    Check {
        /// The pack; `-` reads standard input.
        file: PathBuf,
    },
    /// Wrap a reference to a pack in an edge payload.
    Edge(EdgeArgs),
}

/// An edge payload to write.
#[derive(Debug, Args)]
pub struct EdgeArgs {
    /// Pack to refer to; default: the pack of the last turn.
    pub file: Option<PathBuf>,
    /// Kind of payload; default: `message` with --message, else `artifact_ref`.
    #[arg(long, value_parser = edge::KINDS)]
    pub kind: Option<String>,
    /// Sending node; default: the pack's nodeId.
    #[arg(long, value_name = "NODE")]
    pub from: Option<String>,
    /// Edge; default: the pack's runId and the node.
    #[arg(long, value_name = "ID")]
    pub edge: Option<String>,
    /// Message to the next node, as Markdown.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
    /// Mark the work as failed, with this reason.
    #[arg(long, value_name = "REASON")]
    pub failed: Option<String>,
    /// Status code for programs.
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
    /// Write the edge payload to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(env: &Environment, args: &PackArgs) -> Result<()> {
    match &args.command {
        PackCommand::Merge { files, budget, output } => merge_files(env, files, *budget, output.as_deref()),
        PackCommand::Edge(args) => write_edge(env, args),
        PackCommand::Check { file } => check(env, file),
    }
}

/// Reads a pack, and returns it with its name for messages.
fn read(env: &Environment, file: &Path, redactor: &Policy) -> Result<(String, std::result::Result<Pack, PackError>)> {
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
    // The text is not redacted, because the id is computed from it; the messages below are redacted.
    let (name, read) = read(env, file, &Policy::off())?;
    match read {
        Ok(pack) => print_text(&format!("{}\n", printable(&described(&name, &pack)))),
        Err(PackError::NotJson { line, column, why }) => Err(not_json(&name, line, column, &why)),
        Err(PackError::Invalid(problems)) => {
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

fn write_edge(env: &Environment, args: &EdgeArgs) -> Result<()> {
    let file = match &args.file {
        Some(file) => file.clone(),
        None => env.turn(None)?.pack_file(),
    };
    let text = read_text(env, &file, PAYLOAD_BYTES)?;
    let name = printable(&file.to_string_lossy()).into_owned();
    let redactor = env.redaction()?;
    let pack = match json::read(&text, &redactor) {
        Ok(pack) => pack,
        Err(PackError::NotJson { line, column, why }) => return Err(not_json(&name, line, column, &why)),
        Err(PackError::Invalid(_)) => {
            return Err(Error::input(
                format!("{name} is not a valid context pack"),
                format!("list the problems: teddy pack check {name}"),
            ));
        }
    };
    let clean = |text: &String| redactor.redact(text, "edge payload").0.into_owned();
    let options = edge::EdgeOptions {
        kind: args.kind.clone(),
        from_node: args.from.as_ref().map(clean),
        edge: args.edge.as_ref().map(clean),
        message: args.message.as_ref().map(clean),
        status: edge::Status {
            ok: args.failed.is_none(),
            code: args.code.as_ref().map(clean),
            reason: args.failed.as_ref().map(clean),
        },
    };
    let path = env.shown(&env.cwd.join(&file));
    let envelope = edge::write(&edge::envelope(&pack, &path, &text, clock::now()?, options));
    let Some(to) = &args.output else { return print_document(&envelope).map(drop) };
    deliver::deliver(&envelope, &Destination::File(env.cwd.join(to)), &crate::app::input::clipboard(env))?;
    say(&format!("written to {}", to.display()));
    Ok(())
}

fn merge_files(env: &Environment, files: &[PathBuf], budget: usize, to: Option<&Path>) -> Result<()> {
    let out = OutputArgs {
        to: WhereArgs { output: to.map(Path::to_path_buf), ..WhereArgs::default() },
        ..OutputArgs::default()
    };
    output::check(env, &out)?;
    if files.iter().filter(|file| is_stdin(file)).count() > 1 {
        return Err(Error::input("standard input is used twice", "it can be read only once; use a file"));
    }
    let mut packs = Vec::new();
    let redactor = env.redaction()?;
    for file in files {
        let (name, read) = read(env, file, &redactor)?;
        match read {
            Ok(pack) => packs.push(pack),
            Err(PackError::NotJson { line, column, why }) => return Err(not_json(&name, line, column, &why)),
            Err(PackError::Invalid(problems)) => {
                let first = problems.first().map(|problem| format!("{}: {}", problem.pointer, problem.what));
                let first = redactor.redact(&first.unwrap_or_default(), "pack.json").0.into_owned();
                return Err(Error::input(
                    format!("{name} is not a valid context pack: {first}"),
                    format!("list all problems: teddy pack check {name}"),
                ));
            }
        }
    }
    let mut merged = merge(&packs);
    let fit::Trimmed { texts, entries, over } = fit::fit(&mut merged, budget, DEFAULT);
    if texts + entries > 0 {
        let (texts, entries) = (counted(texts, "excerpt or summary"), counted(entries, "entry"));
        say(&format!("note: trimmed to {} tokens: {texts} and {entries} removed", thousands(budget)));
    }
    if over > 0 {
        say(&format!("note: the pack is {} tokens over the budget; nothing else can be removed", thousands(over)));
    }
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
