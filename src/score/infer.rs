//! What kind of work a task is, and how much.

use super::scores::Scores;
use super::task::{Complexity, TaskType};
use super::zones::{Zone, zones};

/// The kind of work, from the text's first words and what it shows.
pub fn infer_type(text: &str) -> TaskType {
    let zoned = zones(text);
    let title = zoned.first().map_or(String::new(), |(_, line)| line.to_lowercase());
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let starts = |known: &[&str]| words.first().is_some_and(|word| known.contains(word));
    let trace = zoned.iter().any(|(zone, _)| *zone == Zone::Trace);
    if starts(&[
        "explain",
        "analyze",
        "analyse",
        "understand",
        "investigate",
        "review",
        "why",
        "how",
        "document",
        "describe",
    ]) {
        TaskType::Analyze
    } else if starts(&["test", "tests"])
        || (starts(&["add", "write", "create", "extend", "cover"]) && has(&["test", "tests", "coverage"]))
    {
        TaskType::Test
    } else if has(&[
        "refactor",
        "refactoring",
        "rename",
        "extract",
        "simplify",
        "cleanup",
        "restructure",
        "reorganize",
        "deduplicate",
        "move",
        "split",
    ]) && !has(&["crash", "bug", "fails", "error"])
    {
        TaskType::Refactor
    } else if trace
        || words.windows(2).any(|pair| pair == ["can", "t"])
        || has(&[
            "fix",
            "fixes",
            "bug",
            "crash",
            "crashes",
            "error",
            "errors",
            "fail",
            "fails",
            "failing",
            "broken",
            "wrong",
            "incorrect",
            "incorrectly",
            "regression",
            "panic",
            "panics",
            "exception",
            "debug",
            "leak",
            "deadlock",
            "unexpected",
            "doesn",
            "cannot",
            "not",
            "raises",
            "hangs",
            "invalid",
            "missing",
            "ignored",
            "breaks",
        ])
    {
        TaskType::Debug
    } else {
        TaskType::Implement
    }
}

/// How much work, from the number of probable targets and from what the text asks for.
pub fn infer_complexity(text: &str, scores: &Scores) -> Complexity {
    let sure: f32 = scores.targets.iter().map(|(_, confidence)| confidence).sum();
    let spread = {
        let low = text.to_lowercase();
        ["across", "everywhere", "all ", "migrate", "redesign", "rewrite", "architecture", "throughout", "every "]
            .iter()
            .filter(|word| low.contains(**word))
            .count()
    };
    let outright = scores.targets.iter().filter(|(_, confidence)| *confidence >= 0.5).count();
    if outright >= 6 || (spread >= 2 && sure > 2.0) {
        Complexity::Complex
    } else if outright >= 3 || sure > 2.0 || spread >= 1 && text.len() > 400 || scores.targets.is_empty() {
        Complexity::Medium
    } else {
        Complexity::Simple
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_what_kind_of_work_it_is() {
        for (text, kind) in [
            ("Add refunds to the payment service", TaskType::Implement),
            ("Users can pay in two parts", TaskType::Implement),
            ("Users can't pay in two parts", TaskType::Debug),
            ("The ledger crashes on empty names", TaskType::Debug),
            ("Pay\n\nTraceback (most recent call last):\n  File \"pay.py\", line 3, in pay\n", TaskType::Debug),
            ("Rename Ledger to Book", TaskType::Refactor),
            ("Rename it, since the error is unreadable", TaskType::Debug),
            ("Write tests for the ledger", TaskType::Test),
            ("Add test coverage of refunds", TaskType::Test),
            ("How are refunds booked?", TaskType::Analyze),
        ] {
            assert_eq!(infer_type(text), kind, "{text}");
        }
    }
}
