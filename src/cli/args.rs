//! The command line, as clap sees it. Each flag's documentation stands here and nowhere else.

#![expect(missing_docs, reason = "a doc comment here becomes help that a person reads; groups of flags have none")]

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use super::ack::AckArgs;
use super::handoff::HandoffArgs;
use super::stats::StatsArgs;
use crate::error::Error;
use crate::handoff::Phase;
use crate::project::task::{Complexity, TaskType};
use crate::render::Format;
use crate::text::token_count;

/// Choose what a language model should see before a hard task.
///
/// teddy scans the repository, scores every file for the task, places each in a tier (RAW inlined, LINKED a reference,
/// SUMMARY a mention) within a token budget, and delivers the payload. No model is called and nothing leaves the machine.
#[derive(Debug, Parser)]
#[command(name = "teddy", version, max_term_width = 100, propagate_version = true)]
#[command(after_help = "Exit codes: 0 done, 1 a negative answer, 2 a wrong call or bad input, 3 the environment.")]
#[command(override_help = include_str!("help.txt"))]
pub struct Cli {
    /// Work as if started in this directory.
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    pub directory: Option<PathBuf>,

    /// Trace what is done into a file of your state directory; `TEDDY_LOG=FILE` names another.
    #[arg(short, long, global = true)]
    pub verbose: bool,

    /// How the screen looks: ansi, dark, light, mono, high-contrast, or one of your own themes.yaml.
    #[arg(long, global = true, value_name = "NAME")]
    pub theme: Option<String>,

    /// Draw the screen and charts with plain characters.
    #[arg(long, global = true)]
    pub ascii: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create `.teddy/` here (plan does it by itself).
    #[command(after_help = "Example: teddy init")]
    Init,
    /// Start a session for a task, or the next turn of one, and make the payload.
    #[command(after_help = "Example: teddy plan \"Add refunds to the payment service\" --budget 40k --pin src/pay/")]
    Plan(PlanArgs),
    /// Carry a session on: reopen the turn that is open, or start the next one.
    #[command(after_help = "Example: teddy resume -m \"Now show refunds in the web client\"")]
    Resume(ResumeArgs),
    /// List the sessions, the one touched last first.
    #[command(after_help = "Example: teddy sessions rename 20260124-add-refunds refunds")]
    Sessions(SessionsArgs),
    /// Show a session and its turns, or the payload of one.
    #[command(after_help = "Example: teddy show 20260124-add-refunds/02 --payload")]
    Show(ShowArgs),
    /// Facts that every payload carries.
    #[command(after_help = "Example: teddy memo add \"Amounts are whole cents\"")]
    Memo(MemoArgs),
    /// Say how a file got its score, and what would have raised it.
    #[command(after_help = "Example: teddy explain src/pay/ledger.rs --task \"Add refunds\"")]
    Explain(ExplainArgs),
    /// Recompute a payload's hashes and name every source that changed since.
    #[command(after_help = "Example: teddy verify payload.md")]
    Verify(VerifyArgs),
    /// Merge context packs, or check one.
    #[command(after_help = "Example: teddy pack merge a.json b.json -o both.json")]
    Pack(super::pack::PackArgs),
    /// Say what teddy sees here: repository, configuration, encodings, clipboard, skipped files.
    #[command(after_help = "Example: teddy doctor --skipped")]
    Doctor(DoctorArgs),
    /// Write, show or preview what a turn hands to the next phase.
    #[command(after_help = "Example: teddy handoff --decision \"Cents are integers\"")]
    Handoff(HandoffArgs),
    /// Take a model's acknowledgement, and deliver again what it says is missing.
    #[command(after_help = "Example: teddy ack answer.md")]
    Ack(AckArgs),
    /// Say which budgets were too tight and which too loose.
    #[command(after_help = "Example: teddy log")]
    Log(StatsArgs),
    /// List what is taken for a secret, and say what is none.
    #[command(after_help = "Example: teddy redactions allow tests/fixtures/key.pem:3")]
    Redactions(super::redactions::RedactionsArgs),
    /// Open the workbench on an example, without touching your files.
    #[command(after_help = "Example: teddy tour")]
    Tour,
    /// Print the manual page, or that of a command.
    #[command(after_help = "Example: teddy man plan | man -l -")]
    Man(super::man::ManArgs),
    /// Print the completions for a shell.
    #[command(after_help = "Example: teddy completions zsh > ~/.zfunc/_teddy")]
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Keep the model's answer as the turn's plan, or what came of it as its report.
    #[command(after_help = "Example: teddy answer --clipboard")]
    Answer(super::answer::AnswerArgs),
    /// Make another attempt at a turn, beside it.
    #[command(after_help = "Example: teddy branch 02")]
    Branch(super::branch::BranchArgs),
    /// Deliver content that the payload only links.
    #[command(after_help = "Example: teddy fetch src/pay/ledger.rs:10-80 --copy")]
    Fetch(super::fetch::FetchArgs),
    /// Put a payload together again from its sources, and prove it the same or name what changed.
    #[command(after_help = "Example: teddy replay 02 --at-delivery -o payload.md")]
    Replay(super::replay::ReplayArgs),
}

#[derive(Debug, Args, Clone)]
pub struct PlanArgs {
    /// What is to be done, in your own words.
    pub task: Option<String>,
    /// Read the task from a file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "task")]
    pub task_file: Option<PathBuf>,
    /// Start this session's next turn instead of a new session.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["task", "task_file"])]
    pub session: Option<String>,
    /// What the next turn is about; without it the session's goal.
    #[arg(short, long, value_name = "TEXT", requires = "session")]
    pub message: Option<String>,
    /// When the work is done; may be given several times.
    #[arg(long = "done", value_name = "TEXT")]
    pub definition_of_done: Vec<String>,
    /// Rule for the work, such as "no new dependencies", for packs; repeatable.
    #[arg(long = "constraint", value_name = "TEXT")]
    pub constraints: Vec<String>,
    /// Decision already made, for packs; repeatable.
    #[arg(long = "decision", value_name = "TEXT")]
    pub decisions: Vec<String>,
    #[command(flatten)]
    pub shape: ShapeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args, Clone)]
pub struct ResumeArgs {
    /// A session, a turn (`NAME/02`), or any path inside one; without it the session touched last.
    pub session: Option<String>,
    /// What the next turn is about.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
    /// What came of the plan that the turn waits with; it is kept as its report, and the next turn starts.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub shape: ShapeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What shapes the payload; each has its key in the workbench.
#[derive(Debug, Args, Default, Clone)]
pub struct ShapeArgs {
    /// The most tokens the payload may have, such as 25000 or 25k.
    #[arg(long, value_name = "N", value_parser = tokens, conflicts_with = "window", allow_negative_numbers = true)]
    pub budget: Option<usize>,
    /// A model's whole window; half of it is for the payload.
    #[arg(long, value_name = "N", value_parser = tokens, allow_negative_numbers = true)]
    pub window: Option<usize>,
    /// Go on down the ranking until the budget is full.
    #[arg(long)]
    pub fill: bool,
    /// Always inline what matches: a file, a directory or a glob.
    #[arg(long, value_name = "GLOB")]
    pub pin: Vec<String>,
    /// Put what matches one tier lower.
    #[arg(long, value_name = "GLOB")]
    pub demote: Vec<String>,
    /// Leave out what matches, everywhere.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Only refer to what matches.
    #[arg(long, value_name = "GLOB")]
    pub link: Vec<String>,
    /// Leave out every file that does not match; may be given several times.
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Take the settings of this profile of the configuration.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// The payload's format.
    #[arg(long, value_parser = formats(), value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Count tokens as this model does.
    #[arg(long, value_name = "NAME", conflicts_with = "tokenizer")]
    pub model: Option<String>,
    /// Count tokens by this encoding; `estimate` is a quarter of the characters.
    #[arg(long, value_name = "NAME")]
    pub tokenizer: Option<String>,
    /// implement, debug, refactor, test, analyze, review or docs; inferred from the task without it.
    #[arg(long, value_name = "TYPE", value_parser = task_type)]
    pub task_type: Option<TaskType>,
    /// simple, medium or complex; inferred from the task without it.
    #[arg(long, value_name = "HOW", value_parser = complexity)]
    pub complexity: Option<Complexity>,
    /// 1 discovery, 2 implementation or 3 validation; without it that of the turn before.
    #[arg(long, value_name = "PHASE", value_parser = phase)]
    pub phase: Option<Phase>,
    /// Omit the acknowledgement template of `hybrid` and `xml` payloads.
    #[arg(long)]
    pub no_ack: bool,
    /// A log or a stack trace; the places in it are inlined. `-` is standard input; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub evidence: Vec<PathBuf>,
    /// Notes on replaced secrets; not a flag.
    #[arg(skip)]
    pub redaction_notes: Vec<String>,
}

/// Where a document goes.
#[derive(Debug, Args, Default, Clone)]
pub struct WhereArgs {
    /// Write it to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Copy it to the clipboard.
    #[arg(long)]
    pub copy: bool,
    /// Print it, even to a terminal, and also if it is written or copied.
    #[arg(long)]
    pub stdout: bool,
}

impl WhereArgs {
    /// Whether a place was named.
    pub fn is_given(&self) -> bool {
        self.output.is_some() || self.copy || self.stdout
    }
}

/// How a payload goes out.
#[derive(Debug, Args, Default, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub struct OutputArgs {
    #[command(flatten)]
    pub to: WhereArgs,
    /// Print what was placed where as JSON instead of the payload.
    #[arg(long, conflicts_with = "stdout")]
    pub json: bool,
    /// Write no session and no file, only the cache that makes the next run fast.
    #[arg(long)]
    pub dry_run: bool,
    /// Count the tokens of every text file of the project, not only of what is placed.
    #[arg(long)]
    pub count_all: bool,
    /// Deliver the payload in parts of at most so many tokens, such as 8k; `-o out.md` writes out.1of3.md and so on.
    #[arg(long, value_name = "N", value_parser = tokens, allow_negative_numbers = true)]
    pub split: Option<usize>,
    /// Hand the payload to this program of your own configuration, and keep what it prints as the plan.
    #[arg(long, value_name = "NAME")]
    pub pipe: Option<String>,
    /// Stay on the command line, also in a terminal.
    #[arg(long)]
    pub no_tui: bool,
}

/// The names of the formats, with a line of help each.
fn formats() -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.map(|format| PossibleValue::new(format.name()).help(format.about()));
    PossibleValuesParser::new(values).try_map(|name| Format::named(&name))
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
    /// Give a session another name.
    Rename {
        /// The session.
        session: String,
        /// Its new name: letters, digits and dashes.
        name: String,
    },
    /// Delete a session with every turn, payload, plan and report in it.
    Delete {
        /// The session.
        session: String,
        /// Yes, for good.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A session or a turn (`NAME/02`); without it the session touched last.
    pub session: Option<String>,
    /// Print the payload as it was delivered.
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
        /// The fact, in one line.
        text: String,
    },
    /// List the memos with their numbers.
    List,
    /// Remove a memo, by its number or its text.
    Rm {
        /// The number that `list` shows, or the beginning of the text.
        which: String,
    },
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The file.
    pub path: String,
    /// For this task; without it the task of the session touched last.
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// For this session's task.
    #[arg(long, value_name = "NAME", conflicts_with = "task")]
    pub session: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The payload, or all parts of one; `-` is standard input; without it the one delivered last.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// List every skipped path with its reason.
    #[arg(long)]
    pub skipped: bool,
}

/// A phase; the error says which there are, for clap shows no hint of ours.
pub fn phase(text: &str) -> Result<Phase, String> {
    text.parse().map_err(|error: Error| with_hint(&error))
}

fn task_type(text: &str) -> Result<TaskType, String> {
    TaskType::named(text).map_err(|error| with_hint(&error))
}

fn complexity(text: &str) -> Result<Complexity, String> {
    Complexity::named(text).map_err(|error| with_hint(&error))
}

/// Formats an error for clap, which shows no separate hint.
fn with_hint(error: &Error) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}

/// A number of tokens; the error says how one is written.
pub(super) fn tokens(text: &str) -> Result<usize, String> {
    token_count(text).ok_or_else(|| "give a number of tokens, such as 25000 or 25k".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn token_counts_are_read_as_people_write_them() {
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
