//! `teddy stats`: statistics of past budgets and of the items that were used, with advice.

use clap::Args;
use serde_json::json;

use super::print::{only_ascii, print_json, print_text, say, terminal_width};
use crate::app::budget_summary::summary;
use crate::app::environment::Environment;
use crate::app::usage::{self, DirectoryUse, UsageSummary};
use crate::error::{Error, Result};
use crate::project::budget_log::{self, BudgetLog};
use crate::text::counted;

/// The arguments of `teddy stats`.
#[derive(Debug, Args)]
pub struct StatsArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(env: &Environment, args: &StatsArgs, ascii: bool) -> Result<()> {
    let none =
        || Error::negative("there are no budget statistics yet", "create a payload first: teddy plan \"Add refunds\"");
    let log = budget_log::read(env.project()?)?.ok_or_else(none)?;
    let used = usage::summary(env)?;
    if args.json {
        return print_json(&as_json(&log, used.as_ref()));
    }
    if log.skipped > 0 {
        let lines = counted(log.skipped, "line");
        say(&format!("note: skipped {lines} of context-budget-log.jsonl that could not be read"));
    }
    if log.entries.is_empty() {
        return Err(none());
    }
    let budgets = summary(&log, terminal_width(), ascii || env.config.ascii || only_ascii());
    print_text(&(budgets + &used.map_or_else(String::new, |used| format!("\n{}", used.text()))))
}

fn as_json(log: &BudgetLog, used: Option<&UsageSummary>) -> String {
    let groups: Vec<_> = log
        .groups()
        .iter()
        .map(|group| {
            json!({
                "what": group.what,
                "phase": group.phase,
                "count": group.count,
                "cut": group.cut,
                "mean_budget": group.budget,
                "mean_used": group.used,
                "mean_unused": group.unused(),
                "mean_original": group.wanted,
                "verdict": group.verdict.name(),
                "advice": group.advice(),
            })
        })
        .collect();
    json!({
        "version": 1, "budgets": log.entries.len(), "skipped": log.skipped, "groups": groups, "use": used.map(use_as_json),
    })
    .to_string()
}

fn use_as_json(used: &UsageSummary) -> serde_json::Value {
    let directories = |directories: &[DirectoryUse]| -> Vec<serde_json::Value> {
        directories.iter().map(|one| json!({"path": one.path, "turns": one.turns, "tokens": one.tokens})).collect()
    };
    json!({
        "turns": used.turns, "raw_files": used.files.0, "used_files": used.files.1, "used_tokens": used.tokens.0,
        "raw_tokens": used.tokens.1, "turns_linked": used.linked, "turns_absent": used.absent,
        "unused_directories": directories(&used.unused), "missed_directories": directories(&used.missed),
        "advice": used.advice(),
    })
}
