//! The command line's arguments. Their doc comments are the help texts.

#![expect(missing_docs, reason = "doc comments of arguments become help text")]

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use super::ack::AckArgs;
use super::handoff::HandoffArgs;
use super::stats::StatsArgs;
use crate::app::backend::Scope;
use crate::error::Error;
use crate::handoff::Phase;
use crate::project::config::RequestPosition;
use crate::project::task::{Complexity, TaskType};
use crate::render::Format;
use crate::text::token_count;

/// Heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// Choose what a language model should see before a hard task.
///
/// teddy scans the repository, scores every file for the task, places each in a tier (RAW: included, LINKED: a reference,
/// SUMMARY: a mention) within a token budget, and delivers the payload. No model is called and nothing leaves the machine.
#[derive(Debug, Parser)]
#[command(name = "teddy", version, max_term_width = 100, propagate_version = true)]
#[command(after_help = "Exit codes: 0 success, 1 negative result, 2 usage or input error, 3 environment error.")]
#[command(override_help = include_str!("help.txt"))]
pub struct Cli {
    /// Run in this directory.
    #[arg(short = 'C', long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub directory: Option<PathBuf>,

    /// Write a debug log (JSON lines) to your state directory; `TEDDY_LOG=FILE` writes it to FILE.
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub verbose: bool,

    /// Theme of the screen: a built-in one such as dark, light or mono, or one from your themes.yaml.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "NAME")]
    pub theme: Option<String>,

    /// Use ASCII characters only, on the screen and in charts.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub ascii: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Text at the end of `teddy plan --help`.
const PLAN_NOTES: &str = "\
Example: teddy plan \"Add refunds to the payment service\" --budget 40k --pin src/pay/

Type and complexity are inferred from the task's words and from the number of
files it will probably touch; `teddy explain` shows the reasons.

Files that are read:
  .teddyignore             never candidates, like .gitignore; `!path` includes a file again
  .teddy/global.context    always included; .teddy/sessions/NAME/session.context: for one session
  .teddy/memos.yaml        facts that every payload states
  .teddy/manifests.yaml    what a handoff passes on to each phase
  .teddy/config.yaml       settings, such as `window` and `pack.constraints`";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create `.teddy/` here (`plan` does this, too).
    #[command(after_help = "Example: teddy init")]
    Init,
    /// Start a session for a task, or a session's next turn, and create the payload.
    #[command(after_help = PLAN_NOTES)]
    Plan(PlanArgs),
    /// Review a branch or the working tree: the diff, the touched definitions, their users and tests.
    #[command(after_help = "Example: teddy review main --budget 50k -o review.md")]
    Review(super::review::ReviewArgs),
    /// Continue a session: reopen its open turn, or start the next one.
    #[command(after_help = "Example: teddy resume -m \"Now show refunds in the web client\"")]
    Resume(ResumeArgs),
    /// List, rename or delete sessions.
    #[command(after_help = "Example: teddy sessions rename 20260124-add-refunds refunds")]
    Sessions(SessionsArgs),
    /// Show a session with its turns, or a turn's payload.
    #[command(after_help = "Example: teddy show 20260124-add-refunds/02 --payload")]
    Show(ShowArgs),
    /// Add, list or remove memos: facts that every payload includes.
    #[command(after_help = "Example: teddy memo add \"Amounts are whole cents\"")]
    Memo(MemoArgs),
    /// Explain a file's score, and what would raise it.
    #[command(after_help = "Example: teddy explain src/pay/ledger.rs --task \"Add refunds\"")]
    Explain(ExplainArgs),
    /// Check a payload's hashes, and list the source files that have changed.
    #[command(after_help = "Example: teddy verify payload.md")]
    Verify(VerifyArgs),
    /// Merge context packs, or validate one.
    #[command(after_help = "Example: teddy pack merge a.json b.json -o both.json")]
    Pack(super::pack::PackArgs),
    /// Check the setup: repository, configuration, tokenizer, clipboard, skipped files.
    #[command(after_help = "Example: teddy doctor --skipped")]
    Doctor(DoctorArgs),
    /// Write, show or preview the notes for the next phase.
    #[command(after_help = "Example: teddy handoff --decision \"Cents are integers\"")]
    Handoff(HandoffArgs),
    /// Read the model's acknowledgement, and resend the sections that it reports missing.
    #[command(after_help = "Example: teddy ack answer.md")]
    Ack(AckArgs),
    /// Show budget statistics: which budgets are too tight or too loose.
    #[command(alias = "log", after_help = "Example: teddy stats")]
    Stats(StatsArgs),
    /// Measure teddy on this repository's own commits.
    #[command(after_help = "Example: teddy bench -n 50 --svg bench.svg")]
    Bench(super::bench::BenchArgs),
    /// List redacted secrets, and allow false positives.
    #[command(after_help = "Example: teddy redactions allow tests/fixtures/key.pem:3")]
    Redactions(super::redactions::RedactionsArgs),
    /// Try the workbench on an example project; your files are not changed.
    #[command(after_help = "Example: teddy tour")]
    Tour,
    /// Print the manual page of teddy or of a command.
    #[command(after_help = "Example: teddy man plan | man -l -")]
    Man(super::man::ManArgs),
    /// Print shell completions.
    #[command(after_help = "Example: teddy completions zsh > ~/.zfunc/_teddy")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Save the model's answer, or the report on the work.
    #[command(after_help = "Example: teddy answer --clipboard")]
    Answer(super::answer::AnswerArgs),
    /// Start another attempt at a turn (a branch); the turn itself is kept.
    #[command(after_help = "Example: teddy branch 02")]
    Branch(super::branch::BranchArgs),
    /// Print or copy content that the payload only links.
    #[command(after_help = "Example: teddy fetch src/pay/ledger.rs:10-80 --copy")]
    Fetch(super::fetch::FetchArgs),
    /// Rebuild a payload from its sources, byte for byte, or list what changed.
    #[command(after_help = "Example: teddy replay 02 --at-delivery -o payload.md")]
    Replay(super::replay::ReplayArgs),
    /// Serve agents over the Model Context Protocol, on standard input and output.
    #[command(after_help = "Example: teddy mcp")]
    Mcp(super::mcp::McpArgs),
    /// Give a coding agent access: show the changes to its configuration, and write them if you confirm.
    #[command(after_help = "Example: teddy setup claude")]
    Setup(super::setup::SetupArgs),
}

#[derive(Debug, Args, Clone)]
pub struct PlanArgs {
    /// The task, in your own words.
    pub task: Option<String>,
    /// Read the task from a file; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "task")]
    pub task_file: Option<PathBuf>,
    /// Start this session's next turn instead of a new session.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["task", "task_file"])]
    pub session: Option<String>,
    /// The next turn's task; default: the session's goal.
    #[arg(short, long, value_name = "TEXT", requires = "session")]
    pub message: Option<String>,
    #[command(flatten)]
    pub terms: TermsArgs,
    /// Existing plan; the files it names score higher; default: `plan` in the configuration.
    #[arg(long, value_name = "FILE", conflicts_with = "session")]
    pub plan: Option<PathBuf>,
    /// Include the changes since the merge base of HEAD and this branch, tag or commit, and what they affect.
    #[arg(long, value_name = "BASE")]
    pub base: Option<String>,
    #[command(flatten)]
    pub payload: PayloadArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args, Clone)]
pub struct ResumeArgs {
    /// A session, a turn (`NAME/02`), or a path inside one; default: the most recently used session.
    pub session: Option<String>,
    /// The turn's task.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
    /// Save this report on the work, and start the next turn.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub terms: TermsArgs,
    #[command(flatten)]
    pub payload: PayloadArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Terms added to the session.
#[derive(Debug, Args, Default, Clone)]
pub struct TermsArgs {
    /// An acceptance criterion; can be repeated.
    #[arg(long = "criteria", alias = "done", value_name = "TEXT")]
    pub definition_of_done: Vec<String>,
    /// Constraint on the work, such as "no new dependencies"; can be repeated.
    #[arg(long = "constraint", value_name = "TEXT")]
    pub constraints: Vec<String>,
    /// Decision that was already made; can be repeated.
    #[arg(long = "decision", value_name = "TEXT")]
    pub decisions: Vec<String>,
}

/// Payload options. Each has a key in the workbench.
#[derive(Debug, Args, Default, Clone)]
pub struct PayloadArgs {
    /// Token budget of the payload, such as 25000 or 25k.
    #[arg(long, value_name = "N", value_parser = tokens, conflicts_with = "window", allow_negative_numbers = true)]
    pub budget: Option<usize>,
    /// Context window of the model, such as 128k; the payload gets half of it.
    #[arg(long, value_name = "N", value_parser = tokens, allow_negative_numbers = true)]
    pub window: Option<usize>,
    /// Auto-fill: use the free budget for the next-best items.
    #[arg(long)]
    pub fill: bool,
    /// Always include a file, a directory, the files that match a glob, lines (`PATH:10-80`) or a definition (`PATH#NAME`); can
    /// be repeated.
    #[arg(long, value_name = "GLOB")]
    pub pin: Vec<String>,
    /// Store the pins for later turns: session (session.context) or project (global.context).
    #[arg(long, value_name = "SCOPE", value_parser = scope, requires = "pin")]
    pub store: Option<Scope>,
    /// Demote by one tier; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub demote: Vec<String>,
    /// Exclude from the payload; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Include as a reference only; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub link: Vec<String>,
    /// Use only files that match; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Use a profile from the configuration.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Format of the payload.
    #[arg(long, value_parser = formats(), value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Count tokens with this model's tokenizer.
    #[arg(long, value_name = "NAME", conflicts_with = "tokenizer")]
    pub model: Option<String>,
    /// Count tokens with this encoding; `estimate` counts four characters as a token.
    #[arg(long, value_name = "NAME")]
    pub tokenizer: Option<String>,
    /// Task type: implement, debug, refactor, test, analyze, review or docs; default: inferred from the task.
    #[arg(long, value_name = "TYPE", value_parser = task_type)]
    pub task_type: Option<TaskType>,
    /// Complexity: simple, medium or complex, which sets the default budget; default: inferred from the task.
    #[arg(long, value_name = "LEVEL", value_parser = complexity)]
    pub complexity: Option<Complexity>,
    /// Phase: 1 discovery, 2 implementation or 3 validation; default: the phase of the previous turn.
    #[arg(long, value_name = "PHASE", value_parser = phase)]
    pub phase: Option<Phase>,
    /// Omit the acknowledgement template of `hybrid` and `xml` payloads.
    #[arg(long)]
    pub no_ack: bool,
    /// Position of the request: last (default), first or both.
    #[arg(long, value_name = "POSITION", value_parser = request_positions())]
    pub request: Option<RequestPosition>,
    /// Number the lines of files, except in packs.
    #[arg(long)]
    pub line_numbers: bool,
    /// A log or stack trace; the code that it points to is included. `-` reads standard input; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub evidence: Vec<PathBuf>,
    /// Include files up to N imports away from the pinned ones, nearest first; works without a task.
    #[arg(long, value_name = "N", requires = "pin", value_parser = clap::value_parser!(u8).range(1..=9))]
    pub hops: Option<u8>,
    /// Notes on replaced secrets; not a flag.
    #[arg(skip)]
    pub redaction_notes: Vec<String>,
}

/// Destinations of a document.
#[derive(Debug, Args, Default, Clone)]
pub struct WhereArgs {
    /// Write to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Copy to the clipboard.
    #[arg(long)]
    pub copy: bool,
    /// Print to standard output, even to a terminal and in addition to -o or --copy.
    #[arg(long)]
    pub stdout: bool,
}

impl WhereArgs {
    /// Returns true if a destination was given.
    pub fn is_given(&self) -> bool {
        self.output.is_some() || self.copy || self.stdout
    }
}

/// Output options of a payload.
#[derive(Debug, Args, Default, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate command-line flag")]
pub struct OutputArgs {
    #[command(flatten)]
    pub to: WhereArgs,
    /// Print the placement as JSON instead of the payload.
    #[arg(long, conflicts_with = "stdout")]
    pub json: bool,
    /// Create no session and write no file except the cache.
    #[arg(long)]
    pub dry_run: bool,
    /// Count the tokens of every text file in the project.
    #[arg(long)]
    pub count_all: bool,
    /// Split the payload into parts of at most N tokens, such as 8k; `-o out.md` writes out.1of3.md and so on.
    #[arg(long, value_name = "N", value_parser = tokens, allow_negative_numbers = true)]
    pub split: Option<usize>,
    /// Pipe the payload to a program from your configuration, and save its output as the answer.
    #[arg(long, value_name = "NAME")]
    pub pipe: Option<String>,
    /// Do not open the screen.
    #[arg(long)]
    pub no_tui: bool,
}

/// The format names, each with its description.
fn formats() -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.map(|format| PossibleValue::new(format.name()).help(format.about()));
    PossibleValuesParser::new(values).try_map(|name| Format::named(&name))
}

/// The positions of the request.
fn request_positions() -> impl TypedValueParser<Value = RequestPosition> {
    PossibleValuesParser::new(RequestPosition::ALL.map(RequestPosition::name)).try_map(|name| {
        RequestPosition::ALL.into_iter().find(|known| known.name() == name).ok_or("use first, last or both")
    })
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct SessionsArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Option<SessionsCommand>,
}

#[derive(Debug, Subcommand)]
pub enum SessionsCommand {
    /// Rename a session.
    Rename {
        /// Session to rename.
        session: String,
        /// New name: letters, digits and dashes.
        name: String,
    },
    /// Delete a session with all its turns.
    Delete {
        /// Session to delete.
        session: String,
        /// Confirm the deletion.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A session or a turn (`NAME/02`); default: the most recently used session.
    pub session: Option<String>,
    /// Print the payload as delivered.
    #[arg(long)]
    pub payload: bool,
}

#[derive(Debug, Args)]
pub struct MemoArgs {
    #[command(subcommand)]
    pub command: MemoCommand,
}

#[derive(Debug, Subcommand)]
pub enum MemoCommand {
    /// Add a memo.
    Add {
        /// Text of the memo.
        text: String,
    },
    /// List the memos with their numbers.
    List,
    /// Remove a memo by number or text.
    #[command(alias = "remove")]
    Rm {
        /// Number in the list, or the beginning of the text.
        which: String,
    },
}

#[derive(Debug, Args, Clone)]
pub struct ExplainArgs {
    /// The file.
    pub path: String,
    /// The task; default: the task of the most recently used session.
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// Use this session's task.
    #[arg(long, value_name = "NAME", conflicts_with = "task")]
    pub session: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Payload, or all of its parts; `-` reads standard input; default: the last delivered payload.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// List all skipped files with the reason.
    #[arg(long)]
    pub skipped: bool,
}

/// Parses the scope of stored pins.
pub fn scope(text: &str) -> Result<Scope, String> {
    match text {
        "session" => Ok(Scope::Session),
        "project" => Ok(Scope::Project),
        _ => Err("use session or project".to_owned()),
    }
}

/// Parses a phase. The error includes the hint, because clap would not print it.
pub fn phase(text: &str) -> Result<Phase, String> {
    text.parse().map_err(|error: Error| with_hint(&error))
}

fn task_type(text: &str) -> Result<TaskType, String> {
    TaskType::named(text).map_err(|error| with_hint(&error))
}

fn complexity(text: &str) -> Result<Complexity, String> {
    Complexity::named(text).map_err(|error| with_hint(&error))
}

/// Formats an error for clap, which has no separate hint.
fn with_hint(error: &Error) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}

/// Parses a number of tokens.
pub(super) fn tokens(text: &str) -> Result<usize, String> {
    token_count(text).ok_or_else(|| "expected a number of tokens such as 25000 or 25k".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_argument_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn token_counts_are_parsed_as_people_write_them() {
        for (text, expected) in [
            ("25000", 25_000),
            ("25k", 25_000),
            ("25_000", 25_000),
            ("25,000", 25_000),
            ("1.5k", 1_500),
            ("2M", 2_000_000),
            ("0", 0),
        ] {
            assert_eq!(tokens(text), Ok(expected), "{text}");
        }
        for text in ["abc", "", "-5", "k", "inf", "NaN", "1e30"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }
}
