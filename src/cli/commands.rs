//! The commands and the global options. Their doc comments are the help texts.

#![expect(missing_docs, reason = "doc comments of arguments become help text")]

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::ack::AckArgs;
use super::answer::AnswerArgs;
use super::bench::BenchArgs;
use super::branch::BranchArgs;
use super::doctor::DoctorArgs;
use super::explain::ExplainArgs;
use super::fetch::FetchArgs;
use super::handoff::HandoffArgs;
use super::man::ManArgs;
use super::mcp::McpArgs;
use super::memo::MemoArgs;
use super::pack::PackArgs;
use super::plan::PlanArgs;
use super::redactions::RedactionsArgs;
use super::replay::ReplayArgs;
use super::resume::ResumeArgs;
use super::review::ReviewArgs;
use super::sessions::SessionsArgs;
use super::setup::SetupArgs;
use super::show::ShowArgs;
use super::stats::StatsArgs;
use super::verify::VerifyArgs;

/// Heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// Choose what a language model should see before a hard task.
///
/// teddy scans the repository, scores every file for the task, places each in a tier (RAW: included, LINKED: a
/// reference, SUMMARY: a mention) within a token budget, and delivers the payload. No model is called and nothing
/// leaves the machine.
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
  .teddy/memos.yaml        facts that every payload includes
  .teddy/manifests.yaml    what a handoff passes on to each phase
  .teddy/config.yaml       settings, such as `window` and `pack.constraints`";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create `.teddy/` here (`plan` also does this).
    #[command(after_help = "Example: teddy init")]
    Init,
    /// Start a session for a task, or a session's next turn, and create the payload.
    #[command(after_help = PLAN_NOTES)]
    Plan(PlanArgs),
    /// Review a branch or the working tree: the diff, the touched definitions, their users and tests.
    #[command(after_help = "Example: teddy review main --budget 50k -o review.md")]
    Review(ReviewArgs),
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
    Pack(PackArgs),
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
    Bench(BenchArgs),
    /// List redacted secrets, and allow false positives.
    #[command(after_help = "Example: teddy redactions allow tests/fixtures/key.pem:3")]
    Redactions(RedactionsArgs),
    /// Try the workbench on an example project; your files are not changed.
    #[command(after_help = "Example: teddy tour")]
    Tour,
    /// Print the manual page of teddy or of a command.
    #[command(after_help = "Example: teddy man plan | man -l -")]
    Man(ManArgs),
    /// Print shell completions.
    #[command(after_help = "Example: teddy completions zsh > ~/.zfunc/_teddy")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Save the model's answer, or the report on the work.
    #[command(after_help = "Example: teddy answer --clipboard")]
    Answer(AnswerArgs),
    /// Start another attempt at a turn (a branch); the turn itself is kept.
    #[command(after_help = "Example: teddy branch 02")]
    Branch(BranchArgs),
    /// Print or copy content that the payload only links.
    #[command(after_help = "Example: teddy fetch src/pay/ledger.rs:10-80 --copy")]
    Fetch(FetchArgs),
    /// Rebuild a payload from its sources, byte for byte, or list what changed.
    #[command(after_help = "Example: teddy replay 02 --at-delivery -o payload.md")]
    Replay(ReplayArgs),
    /// Serve agents over the Model Context Protocol, on standard input and output.
    #[command(after_help = "Example: teddy mcp")]
    Mcp(McpArgs),
    /// Give a coding agent access: show the changes to its configuration, and write them if you confirm.
    #[command(after_help = "Example: teddy setup claude")]
    Setup(SetupArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_argument_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}
