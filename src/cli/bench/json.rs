//! The result as JSON.

use serde_json::{Map, Value, json};

use crate::app::bench::change::FileChange;
use crate::app::bench::measure::Measures;
use crate::app::bench::{BenchReport, MeasuredCommit, System};

/// Formats the whole result: averages by system and limit, and every commit.
pub fn report(report: &BenchReport) -> String {
    let skipped: Map<String, Value> =
        report.skipped.iter().map(|(reason, count)| (reason.name().to_owned(), json!(count))).collect();
    let mut averages = Map::new();
    for system in System::ALL {
        let mut limits = Map::new();
        for limit in &report.limits {
            if let Some(one) = report.averages(system, *limit) {
                let value = json!({
                    "lines": rounded(one.lines), "functions": rounded(one.functions), "tests": one.tests.map(rounded),
                    "useful": rounded(one.useful), "complete": rounded(one.complete), "tokens": one.tokens.round(),
                    "margin": report.margin(system, *limit).map(rounded),
                });
                limits.insert(limit.name(), value);
            }
        }
        let ranks = json!({"mrr": rounded(report.reciprocal_rank(system)), "median_rank": report.median_rank(system), "limits": limits});
        averages.insert(system.name().to_owned(), ranks);
    }
    let commits: Vec<Value> = report.commits.iter().map(commit).collect();
    json!({
        "version": 1, "measured": report.commits.len(), "suitable": report.suitable, "skipped": skipped,
        "averages": averages, "commits": commits,
    })
    .to_string()
}

fn commit(commit: &MeasuredCommit) -> Value {
    let files: Vec<Value> = commit
        .change
        .files
        .iter()
        .map(|FileChange { path, lines, functions }| json!({"path": path, "lines": lines, "functions": functions}))
        .collect();
    let first: Map<String, Value> =
        commit.first.iter().map(|(system, first)| (system.name().to_owned(), json!(first))).collect();
    let payloads: Vec<Value> = commit
        .payloads
        .iter()
        .map(|payload| {
            let Measures { lines, functions, tests, useful, tokens } = &payload.measures;
            json!({
                "system": payload.system.name(), "limit": payload.limit.name(), "lines": rounded(*lines),
                "functions": rounded(*functions), "tests": tests.map(rounded), "useful": rounded(*useful), "tokens": tokens,
            })
        })
        .collect();
    let missed: Vec<Value> = commit
        .missed
        .iter()
        .map(|miss| json!({"path": miss.path, "share": rounded(miss.share), "rank": miss.rank, "why": miss.in_words()}))
        .collect();
    json!({
        "id": commit.id, "parent": commit.parent, "task": commit.task, "files": files, "tests": commit.change.tests,
        "first": first, "payloads": payloads, "missed": missed,
    })
}

/// Rounds to four decimals.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
