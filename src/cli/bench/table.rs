//! The result as text: the commits, the averages, and the worst commits.

use crate::app::bench::commits::skipped_in_words;
use crate::app::bench::summary::Averages;
use crate::app::bench::{BenchReport, Limit, MeasuredCommit, System};
use crate::text::{counted, fit_middle, printable, short_count, thousands};

/// Maximum number of commits in the list of the worst commits.
const WORST: usize = 10;
/// Width of the labels and of a column.
const LABEL: usize = 18;
const COLUMN: usize = 9;
/// Length of an abbreviated commit id.
const ID: usize = 10;

/// Lists the measured commits, and why others were skipped.
pub fn heading(report: &BenchReport) -> String {
    let id =
        |commit: Option<&MeasuredCommit>| commit.map_or("", |commit| &commit.id[..ID.min(commit.id.len())]).to_owned();
    let count = counted(report.commits.len(), "commit");
    let (newest, oldest) = (id(report.commits.first()), id(report.commits.last()));
    let span = if newest == oldest { newest } else { format!("{oldest} to {newest}") };
    let skipped: usize = report.skipped.iter().map(|(_, count)| count).sum();
    let reasons = match skipped {
        0 => String::new(),
        _ => format!("skipped {}: {}\n", thousands(skipped), skipped_in_words(&report.skipped)),
    };
    format!("{count}, {span}\n{reasons}Each is planned at its parent commit, with its message as the task\n")
}

/// A measure of the table.
type Cell = fn(&Averages) -> Option<f64>;

/// Formats the averages.
pub fn table(report: &BenchReport) -> String {
    let rows: [(&str, Cell); 4] = [
        ("changed lines in RAW", |one| Some(one.lines)),
        ("whole functions in RAW", |one| Some(one.functions)),
        ("changed tests in RAW", |one| one.tests),
        ("useful share of RAW's tokens", |one| Some(one.useful)),
    ];
    let mut out = String::new();
    let averages = |system, limit: &Limit| report.averages(system, *limit);
    let is_measured = |cell: Cell| {
        System::ALL.iter().any(|system| {
            report.limits.iter().any(|limit| averages(*system, limit).and_then(|one| cell(&one)).is_some())
        })
    };
    // A measure without values is omitted, such as changed tests if no commit changed a test.
    for (title, cell) in rows.into_iter().filter(|(_, cell)| is_measured(*cell)) {
        out.push_str(&format!("{title:<width$}", width = LABEL.max(title.len() + 1)));
        for limit in &report.limits {
            out.push_str(&format!("{:>COLUMN$}", limit_label(*limit)));
        }
        out.push('\n');
        for system in System::ALL {
            let share = |limit: &Limit| match averages(system, limit).and_then(|one| cell(&one)) {
                Some(share) => format!("{:>COLUMN$}", percent(share)),
                None => format!("{:>COLUMN$}", "–"),
            };
            let cells: String = report.limits.iter().map(share).collect();
            let label = format!("  {}", system.name());
            out.push_str(&format!("{label:<width$}{cells}\n", width = LABEL.max(title.len() + 1)));
        }
        out.push('\n');
    }
    for system in System::ALL {
        let median = report.median_rank(system).map_or("not found".to_owned(), thousands);
        let label = format!("first changed file, {}", system.name());
        out.push_str(&format!("{label:<36}median rank {median}, MRR {:.3}\n", report.reciprocal_rank(system)));
    }
    if let Some(averages) = report.averages(System::Teddy, Limit::Default) {
        out.push_str(&format!(
            "default payload: {} tokens in RAW on average\n",
            thousands(averages.tokens.round() as usize)
        ));
    }
    if let Some(margin) = report.margin(System::Teddy, report.focus) {
        let points = format!("{:.1}", margin * 100.0);
        out.push_str(&format!("changed lines of teddy at {}: ±{points} points (95%)\n", limit_label(report.focus)));
    }
    out
}

/// The commits with the fewest changed lines in RAW.
pub fn worst(report: &BenchReport, width: usize) -> String {
    let worst = report.worst(WORST);
    if worst.is_empty() {
        return format!("every changed line is in RAW at {}\n", limit_label(report.focus));
    }
    let mut out = format!("fewest changed lines in RAW at {}\n", limit_label(report.focus));
    for commit in worst {
        let share = commit.measures(System::Teddy, report.focus).map_or(0.0, |one| one.lines);
        let subject = printable(commit.subject());
        let line = format!("{:>7}  {}  {subject}", percent(share), &commit.id[..ID.min(commit.id.len())]);
        out.push_str(&format!("{}\n", crate::text::fit_end(&line, width)));
        for miss in &commit.missed {
            let reason = miss.in_words();
            let room = width.saturating_sub(reason.chars().count() + 12).max(20);
            let path = printable(&miss.path);
            out.push_str(&format!("         {}  {reason}\n", fit_middle(&path, room)));
        }
    }
    out
}

/// Formats a limit, such as `13k` or `default`.
pub fn limit_label(limit: Limit) -> String {
    match limit {
        Limit::Budget(tokens) => short_count(tokens),
        Limit::Default => "default".to_owned(),
    }
}

/// Formats a share, such as `85.6%`.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}
