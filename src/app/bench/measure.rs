//! Measures the share of a change that a payload contains. `docs/scoring.md` defines the measures.

use std::collections::HashMap;

use super::change::{CommitChange, LineRange};

/// Tokens counted for a file's heading and fence.
pub const HEADING_TOKENS: usize = 12;
/// Minimum tokens counted for an excerpt.
const LEAST_TOKENS: usize = 25;
/// Maximum size of RAW in percent of the budget. Files beyond it do not count.
const SLACK: usize = 102;

/// A file in RAW.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFile {
    /// Its path.
    pub path: String,
    /// The lines included verbatim; `None` for the whole file.
    pub lines: Option<Vec<LineRange>>,
    /// Tokens as counted by the benchmark, independently of the payload.
    pub tokens: usize,
}

impl RawFile {
    /// An excerpt with the larger of two token counts: the one in the payload and the one of its lines.
    pub fn excerpt(path: &str, lines: Vec<LineRange>, said: usize, counted: usize) -> Self {
        Self { path: path.to_owned(), lines: Some(lines), tokens: said.max(LEAST_TOKENS).max(counted + HEADING_TOKENS) }
    }

    /// A whole file with this many tokens.
    pub fn whole(path: &str, counted: usize) -> Self {
        Self { path: path.to_owned(), lines: None, tokens: counted + HEADING_TOKENS }
    }
}

/// The results for one payload; each share is between 0 and 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    /// Share of the changed lines that are verbatim in RAW, averaged over the changed ranges.
    pub lines: f64,
    /// Share of the changed ranges whose whole function is in RAW.
    pub functions: f64,
    /// Share of the changed tests that are in RAW in any form; `None` if no test changed.
    pub tests: Option<f64>,
    /// Share of RAW's tokens that belong to changed files, including tests.
    pub useful: f64,
    /// Tokens in RAW.
    pub tokens: usize,
}

impl Measures {
    /// Measures a payload by its RAW files, which are in the order of the payload.
    pub fn of(change: &CommitChange, raw: &[RawFile], budget: Option<usize>) -> Self {
        let raw = within(raw, budget);
        let mut inlined: HashMap<&str, Vec<&RawFile>> = HashMap::new();
        for file in raw {
            inlined.entry(&file.path).or_default().push(file);
        }
        let has = |path: &str, line: u32| {
            inlined.get(path).into_iter().flatten().any(|file| match &file.lines {
                None => true,
                Some(lines) => lines.iter().any(|(first, last)| (*first..=*last).contains(&line)),
            })
        };
        let share = |path: &str, (first, last): LineRange| {
            let hits = (first..=last).filter(|line| has(path, *line)).count();
            hits as f64 / f64::from(last - first + 1)
        };
        let ranges = |of: fn(&super::change::FileChange) -> &Vec<LineRange>| -> Vec<f64> {
            change.files.iter().flat_map(|file| of(file).iter().map(|range| share(&file.path, *range))).collect()
        };
        let (lines, functions) = (ranges(|file| &file.lines), ranges(|file| &file.functions));
        let whole = functions.iter().map(|share| if *share >= 1.0 { 1.0 } else { 0.0 });
        let tokens: usize = raw.iter().map(|file| file.tokens).sum();
        let useful: usize = raw.iter().filter(|file| change.touches(&file.path)).map(|file| file.tokens).sum();
        let tests = change.tests.iter().filter(|test| inlined.contains_key(test.as_str())).count();
        Self {
            lines: lines.iter().sum::<f64>() / lines.len().max(1) as f64,
            functions: whole.sum::<f64>() / functions.len().max(1) as f64,
            tests: (!change.tests.is_empty()).then(|| tests as f64 / change.tests.len() as f64),
            useful: useful as f64 / tokens.max(1) as f64,
            tokens,
        }
    }
}

/// The files before the first one that exceeds the budget.
fn within(raw: &[RawFile], budget: Option<usize>) -> &[RawFile] {
    let Some(budget) = budget else { return raw };
    let mut used = 0;
    let fits = |file: &&RawFile| {
        used += file.tokens;
        used * 100 <= budget * SLACK
    };
    &raw[..raw.iter().take_while(fits).count()]
}

#[cfg(test)]
mod tests {
    use super::super::change::FileChange;
    use super::*;

    fn change() -> CommitChange {
        let file = |path: &str, lines: &[LineRange], functions: &[LineRange]| FileChange {
            path: path.to_owned(),
            lines: lines.to_vec(),
            functions: functions.to_vec(),
        };
        CommitChange {
            files: vec![file("a.rs", &[(10, 13), (20, 20)], &[(8, 15), (18, 30)]), file("b.rs", &[(1, 2)], &[(1, 2)])],
            tests: vec!["tests/a.rs".to_owned(), "tests/b.rs".to_owned()],
        }
    }

    #[test]
    fn lines_functions_tests_and_useful_tokens_are_shares() {
        let raw = [
            RawFile { path: "a.rs".to_owned(), lines: Some(vec![(8, 11), (18, 30)]), tokens: 100 },
            RawFile { path: "c.rs".to_owned(), lines: None, tokens: 250 },
            RawFile { path: "tests/b.rs".to_owned(), lines: Some(vec![(1, 1)]), tokens: 50 },
        ];
        let found = Measures::of(&change(), &raw, Some(1_000));
        // The payload has half of the first range, all of the second and nothing of the third.
        assert!((found.lines - 0.5).abs() < 1e-9);
        assert!((found.functions - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(found.tests, Some(0.5));
        assert!((found.useful - 150.0 / 400.0).abs() < 1e-9);
        assert_eq!(found.tokens, 400);
    }

    #[test]
    fn a_whole_file_has_all_of_its_lines_and_nothing_counts_beyond_the_budget() {
        let raw = [RawFile::whole("a.rs", 488), RawFile::whole("b.rs", 488)];
        let all = Measures::of(&change(), &raw, Some(1_000));
        assert_eq!((all.lines, all.functions, all.tokens), (1.0, 1.0, 1_000));
        assert!((Measures::of(&change(), &raw, Some(981)).lines - 1.0).abs() < 1e-9);
        let cut = Measures::of(&change(), &raw, Some(980));
        assert_eq!(cut.tokens, 500);
        assert!((cut.lines - 2.0 / 3.0).abs() < 1e-9);
        assert!(Measures::of(&change(), &[], None).useful.abs() < 1e-9);
    }

    #[test]
    fn an_excerpt_counts_what_it_says_or_what_its_lines_cost() {
        assert_eq!(RawFile::excerpt("a", Vec::new(), 90, 50).tokens, 90);
        assert_eq!(RawFile::excerpt("a", Vec::new(), 40, 50).tokens, 62);
        assert_eq!(RawFile::excerpt("a", Vec::new(), 0, 0).tokens, 25);
    }
}
