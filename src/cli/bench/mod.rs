//! `teddy bench`: measures teddy on the repository's own history.

mod chart;
mod json;
mod svg;
mod table;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;

use clap::Args;

use super::args::tokens;
use super::interrupt::Interrupt;
use super::print::{only_ascii, print_json, print_text, say, terminal_width};
use super::progress::Progress;
use crate::app::bench::{self, BUDGETS, BenchObserver, BenchReport, BenchRequest, BenchStep};
use crate::app::environment::Environment;
use crate::error::{Error, Result};
use crate::project::atomic;
use crate::text::thousands;

/// The arguments of `teddy bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Number of commits to measure, the newest first.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100, value_parser = commits)]
    pub commits: usize,
    /// Start at this commit instead of HEAD.
    #[arg(long, value_name = "COMMIT")]
    pub from: Option<String>,
    /// Token budgets to measure with auto-fill, such as 13k,27k.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = tokens, default_values_t = BUDGETS)]
    pub budgets: Vec<usize>,
    /// Print JSON, with every commit.
    #[arg(long)]
    pub json: bool,
    /// Write a chart to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

fn commits(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| (1..=10_000).contains(count)).ok_or_else(|| "expected 1 to 10000".to_owned())
}

/// Runs the command.
pub fn run(env: &Environment, args: &BenchArgs, ascii: bool) -> Result<()> {
    let report = measured(env, args)?;
    if let Some(file) = &args.svg {
        let file = env.cwd.join(file);
        atomic::write(&file, svg::chart(&report).as_bytes())?;
        say(&format!("chart written to {}", env.shown(&file)));
    }
    if report.commits.len() < report.suitable {
        let (measured, all) = (thousands(report.commits.len()), thousands(report.suitable));
        say(&format!("stopped: {measured} of {all} commits were measured"));
    }
    if args.json {
        return print_json(&json::report(&report));
    }
    let (width, ascii) = (terminal_width(), ascii || env.config.ascii || only_ascii());
    let parts = [
        table::heading(&report),
        table::table(&report),
        chart::chart(&report, width, ascii),
        table::worst(&report, width),
    ];
    print_text(&parts.join("\n"))
}

fn measured(env: &Environment, args: &BenchArgs) -> Result<BenchReport> {
    let mut budgets = args.budgets.clone();
    budgets.sort_unstable();
    budgets.dedup();
    let smallest = crate::place::budget::SMALLEST;
    if budgets.first().is_some_and(|budget| *budget < smallest) {
        return Err(Error::input(
            format!("a budget of {} tokens is too small", thousands(budgets[0])),
            format!("use at least {}", thousands(smallest)),
        ));
    }
    let request = BenchRequest { commits: args.commits, from: args.from.clone(), budgets };
    let observer = TerminalObserver { interrupt: Interrupt::watch(), line: Mutex::new(None) };
    bench::run(env, &request, &observer)
}

/// Shows a progress bar, and stops on Esc or Ctrl-C.
struct TerminalObserver {
    interrupt: Interrupt,
    line: Mutex<Option<Progress>>,
}

impl BenchObserver for TerminalObserver {
    fn step(&self, step: BenchStep) {
        let what = match step {
            BenchStep::Select => "looking for commits",
            BenchStep::Read => "reading files from git",
            BenchStep::Measure => "measuring commits (Esc stops)",
        };
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = Some(Progress::begin(what, 0));
    }

    fn progress(&self, done: usize, of: usize) {
        if let Some(line) = &*self.line.lock().unwrap_or_else(PoisonError::into_inner) {
            line.set(done, of);
        }
    }

    fn should_continue(&self) -> bool {
        !self.interrupt.requested()
    }
}
