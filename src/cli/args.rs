//! Arguments that several commands share. Their doc comments are the help texts.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::app::options::{OutputOptions, PayloadRequest, Scope, TermsRequest};
use crate::error::Error;
use crate::handoff::Phase;
use crate::project::config::RequestPosition;
use crate::project::task::{Complexity, TaskType};
use crate::render::Format;
use crate::text::token_count;

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

impl TermsArgs {
    /// The terms added to the session.
    pub fn request(&self) -> TermsRequest {
        TermsRequest {
            definition_of_done: self.definition_of_done.clone(),
            constraints: self.constraints.clone(),
            decisions: self.decisions.clone(),
        }
    }
}

/// Payload options. Each has a key in the workbench.
#[derive(Debug, Args, Default, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
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
    /// Always include a file, a directory, the files that match a glob, lines (`PATH:10-80`) or a definition
    /// (`PATH#NAME`); can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub pin: Vec<String>,
    /// Store the pins for later turns: session (session.context) or project (global.context).
    #[arg(long, value_name = "SCOPE", value_parser = scope, requires = "pin")]
    pub store: Option<Scope>,
    /// Demote items by one tier; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub demote: Vec<String>,
    /// Exclude items from the payload; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Include items as references only; can be repeated.
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
    /// Position of the request in the payload: last (default), first or both.
    #[arg(long, value_name = "POSITION", value_parser = request_positions())]
    pub request: Option<RequestPosition>,
    /// Number the lines of files, except in packs.
    #[arg(long)]
    pub line_numbers: bool,
    /// Order `prompt` and `xml` by priority, instead of starting with the files unchanged since the previous payload.
    #[arg(long)]
    pub no_reuse: bool,
    /// A log or stack trace; the code that it points to is included. `-` reads standard input; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub evidence: Vec<PathBuf>,
    /// Include files up to N imports away from the pinned ones, nearest first; works without a task.
    #[arg(long, value_name = "N", requires = "pin", value_parser = clap::value_parser!(u8).range(1..=9))]
    pub hops: Option<u8>,
    /// Notes on redacted secrets; not a flag.
    #[arg(skip)]
    pub redaction_notes: Vec<String>,
}

impl PayloadArgs {
    /// The payload options.
    pub fn request(&self) -> PayloadRequest {
        let shape = self.clone();
        PayloadRequest {
            budget: shape.budget,
            window: shape.window,
            fill: shape.fill,
            pin: shape.pin,
            store: shape.store,
            demote: shape.demote,
            exclude: shape.exclude,
            link: shape.link,
            only: shape.only,
            profile: shape.profile,
            format: shape.format,
            model: shape.model,
            tokenizer: shape.tokenizer,
            task_type: shape.task_type,
            complexity: shape.complexity,
            phase: shape.phase,
            no_ack: shape.no_ack,
            request: shape.request,
            line_numbers: shape.line_numbers,
            no_reuse: shape.no_reuse,
            evidence: shape.evidence,
            base: None,
            hops: shape.hops,
            terms: TermsRequest::default(),
            redaction_notes: shape.redaction_notes,
        }
    }
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
    /// Do not open the interactive screen.
    #[arg(long)]
    pub no_tui: bool,
}

impl OutputArgs {
    /// The limits on writing.
    pub fn options(&self) -> OutputOptions {
        OutputOptions { file: self.to.output.clone(), dry_run: self.dry_run }
    }
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
