//! `teddy pack`: merges context packs, or validates one.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::args::{OutputArgs, WhereArgs, tokens};
use super::output;
use super::print::{print_document, print_text, say};
use crate::app::environment::Environment;
use crate::app::input::clipboard;
use crate::app::packs::{self, CheckedPack, EdgeRequest, MergedPack, PackVerdict};
use crate::deliver::{self, Destination};
use crate::error::{Error, Result};
use crate::render::pack::{edge, fit, json};
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
#[derive(Debug, Args, Clone)]
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
    /// Machine-readable status code.
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
    /// Write the edge payload to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(env: &Environment, args: &PackArgs) -> Result<()> {
    match &args.command {
        PackCommand::Merge { files, budget, output } => merge(env, files, *budget, output.as_deref()),
        PackCommand::Edge(args) => write_edge(env, args),
        PackCommand::Check { file } => check(env, file),
    }
}

fn check(env: &Environment, file: &Path) -> Result<()> {
    let CheckedPack { name, verdict } = packs::check(env, file)?;
    let (pack, id_matches) = match verdict {
        PackVerdict::Valid { pack, id_matches } => (pack, id_matches),
        PackVerdict::Invalid(problems) => {
            let lines: Vec<String> = problems.iter().map(|line| format!("{}\n", printable(line))).collect();
            print_text(&lines.concat())?;
            let count = counted(problems.len(), "problem");
            return Err(Error::negative(
                format!("{name} is not a valid context pack: {count}"),
                "fix the problems listed; the schema is docs/schemas/context-pack.schema.json",
            ));
        }
    };
    let id = if id_matches {
        "packId matches its content"
    } else {
        "packId does not match its content: the pack was edited, or another program created it"
    };
    let line = format!(
        "{name} is a valid context pack: {} documents, {} files, {} artifacts, {} decisions; its {id}",
        pack.doc_refs.len(),
        pack.relevant_files.len(),
        pack.artifacts.len(),
        pack.decisions.len(),
    );
    print_text(&format!("{}\n", printable(&line)))
}

fn write_edge(env: &Environment, args: &EdgeArgs) -> Result<()> {
    let EdgeArgs { file, kind, from, edge, message, failed, code, output } = args.clone();
    let envelope = packs::edge(env, &EdgeRequest { file, kind, from, edge, message, failed, code })?;
    let Some(to) = output else { return print_document(&envelope).map(drop) };
    deliver::deliver(&envelope, &Destination::File(env.cwd.join(&to)), &clipboard(env))?;
    say(&format!("written to {}", to.display()));
    Ok(())
}

fn merge(env: &Environment, files: &[PathBuf], budget: usize, to: Option<&Path>) -> Result<()> {
    let out = OutputArgs {
        to: WhereArgs { output: to.map(Path::to_path_buf), ..WhereArgs::default() },
        ..OutputArgs::default()
    };
    output::check(env, &out)?;
    let MergedPack { text, trimmed: fit::PackTrim { texts, entries, over }, conflicts } =
        packs::merge_files(env, files, budget)?;
    if texts + entries > 0 {
        let texts = (texts > 0).then(|| counted(texts, "text") + " removed");
        let entries = (entries > 0).then(|| {
            if entries == 1 { "1 entry removed".to_owned() } else { format!("{} entries removed", thousands(entries)) }
        });
        let removed: Vec<String> = texts.into_iter().chain(entries).collect();
        say(&format!("note: trimmed to {} tokens: {}", thousands(budget), removed.join(", ")));
    }
    if over > 0 {
        say(&format!("note: the pack is {} tokens over the budget; nothing else can be removed", thousands(over)));
    }
    for conflict in &conflicts {
        say(&format!("note: the packs disagree on {conflict}; see decisions"));
    }
    let Some(to) = to else { return print_document(&text).map(drop) };
    deliver::deliver(&text, &Destination::File(env.cwd.join(to)), &crate::app::input::clipboard(env))?;
    say(&format!("written to {}", to.display()));
    say(&format!("contextPackRef {}", json::reference(&to.to_string_lossy(), &text)));
    Ok(())
}
