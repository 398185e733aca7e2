//! `context-budget-log.jsonl`: every applied budget, and statistics about them.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read};

use serde::{Deserialize, Serialize};

use super::files::{is_absent, not_regular, physical, refuse_escapes};
use super::{Project, TEDDY_DIR, atomic};
use crate::error::{Error, Result};
use crate::platform::files::open_safely;
use crate::text::thousands;

/// Maximum length of a line; teddy never writes a longer one.
const LINE_BYTES: u64 = 16 * 1024;
/// Minimum number of budgets for a verdict.
const ENOUGH: usize = 3;
/// A budget that truncates at least this percentage of contents is too tight.
const TIGHT: usize = 50;
/// A budget is too loose if it never truncates and its mean use is below this percentage.
const LOOSE: usize = 50;

/// The phase number of a turn without a phase.
pub const NO_PHASE: u32 = 0;

/// One line of the log: a budget that was applied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetEntry {
    /// Session and turn.
    pub run_id: String,
    /// Phase number, or [`NO_PHASE`].
    pub phase: u32,
    /// Tokens before truncation.
    pub original_tokens: usize,
    /// Token limit; 0 means unlimited.
    pub budget_tokens: usize,
    /// Tokens after truncation.
    pub truncated_tokens: usize,
    /// True if the content was truncated.
    pub was_truncated: bool,
    /// Time, ISO 8601.
    pub ts: String,
    /// Kind of content that the budget applied to: `handoff` (the default) or `payload`.
    #[serde(default = "handoff")]
    pub what: String,
}

fn handoff() -> String {
    "handoff".to_owned()
}

/// The parsed log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BudgetLog {
    /// Entries in file order.
    pub entries: Vec<BudgetEntry>,
    /// Number of incomplete or unknown lines.
    pub skipped: usize,
}

/// Assessment of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Not enough data.
    TooFew,
    /// Unlimited.
    Unlimited,
    /// Truncates often.
    TooTight,
    /// Never truncates and is mostly unused.
    TooLoose,
    /// Neither too tight nor too loose.
    Fits,
}

impl Verdict {
    /// Name in JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Self::TooFew => "too few",
            Self::Unlimited => "no limit",
            Self::TooTight => "too tight",
            Self::TooLoose => "too loose",
            Self::Fits => "fits",
        }
    }
}

/// Statistics of the budgets of one kind and phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetStats {
    /// Kind of content: `handoff` or `payload`.
    pub what: String,
    /// Phase number.
    pub phase: u32,
    /// Number of budgets.
    pub count: usize,
    /// Number of budgets that truncated their content.
    pub cut: usize,
    /// Mean limit of the budgets that have one.
    pub budget: usize,
    /// Mean tokens after truncation.
    pub used: usize,
    /// Mean tokens before truncation.
    pub wanted: usize,
    /// 90th percentile of tokens before truncation.
    pub most_need: usize,
    /// The assessment.
    pub verdict: Verdict,
}

impl BudgetStats {
    fn of(what: String, phase: u32, entries: &[&BudgetEntry]) -> Self {
        let count = entries.len();
        let mean = |of: fn(&BudgetEntry) -> usize, among: &[&&BudgetEntry]| {
            among.iter().map(|entry| of(entry)).sum::<usize>() / among.len().max(1)
        };
        let limited: Vec<&&BudgetEntry> = entries.iter().filter(|entry| entry.budget_tokens > 0).collect();
        let all: Vec<&&BudgetEntry> = entries.iter().collect();
        let among = if limited.is_empty() { &all } else { &limited };
        let cut = entries.iter().filter(|entry| entry.was_truncated).count();
        let mut needs: Vec<usize> = among.iter().map(|entry| entry.original_tokens).collect();
        needs.sort_unstable();
        let most_need = needs.get((needs.len() * 9).div_ceil(10).saturating_sub(1)).copied().unwrap_or(0);
        let (budget, used) = (mean(|entry| entry.budget_tokens, among), mean(|entry| entry.truncated_tokens, among));
        let verdict = match () {
            () if limited.is_empty() => Verdict::Unlimited,
            () if count < ENOUGH => Verdict::TooFew,
            () if cut * 100 >= count * TIGHT => Verdict::TooTight,
            () if cut == 0 && used * 100 < budget * LOOSE => Verdict::TooLoose,
            () => Verdict::Fits,
        };
        let wanted = mean(|entry| entry.original_tokens, among);
        Self { what, phase, count, cut, budget, used, wanted, most_need, verdict }
    }

    /// Mean unused tokens.
    pub fn unused(&self) -> usize {
        self.budget.saturating_sub(self.used)
    }

    /// The verdict as a sentence, with a suggested limit.
    pub fn advice(&self) -> String {
        let (cut, count) = (thousands(self.cut), thousands(self.count));
        match self.verdict {
            Verdict::TooFew => format!("not enough data: {count} of at least {ENOUGH} budgets"),
            Verdict::Unlimited => {
                format!("unlimited: 90% needed at most {} tokens", thousands(rounded(self.most_need)))
            }
            Verdict::TooTight => format!(
                "too tight: truncated {cut} of {count} times; {} tokens would have been enough for 90%",
                thousands(rounded(self.most_need))
            ),
            Verdict::TooLoose => format!(
                "too loose: never truncated, {} of {} tokens unused on average; {} would be enough",
                thousands(self.unused()),
                thousands(self.budget),
                thousands(rounded(self.most_need))
            ),
            Verdict::Fits if self.cut == 0 => "about right: never truncated, mostly used".to_owned(),
            Verdict::Fits => format!("about right: truncated {cut} of {count} times"),
        }
    }
}

/// Rounds up to a number that a person would choose.
pub fn rounded(tokens: usize) -> usize {
    let step = match tokens {
        0..1_000 => 50,
        1_000..10_000 => 100,
        10_000..100_000 => 1_000,
        _ => 10_000,
    };
    tokens.div_ceil(step) * step
}

impl BudgetLog {
    /// Statistics by kind and phase.
    pub fn groups(&self) -> Vec<BudgetStats> {
        let mut by: BTreeMap<(&str, u32), Vec<&BudgetEntry>> = BTreeMap::new();
        for entry in &self.entries {
            by.entry((&entry.what, entry.phase)).or_default().push(entry);
        }
        by.into_iter().map(|((what, phase), entries)| BudgetStats::of(what.to_owned(), phase, &entries)).collect()
    }

    fn take(&mut self, line: &[u8]) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match serde_json::from_slice::<BudgetEntry>(line) {
            Ok(entry) => self.entries.push(entry),
            Err(_) => self.skipped += 1,
        }
    }
}

/// Appends a line for an applied budget.
pub fn append(project: &Project, entry: &BudgetEntry) -> Result<()> {
    let line = serde_json::to_string(entry).map_err(|error| {
        Error::input(format!("the budget cannot be written as JSON: {error}"), "internal error; please report this bug")
    })?;
    atomic::append_line(&project.budget_log(), &line)
}

/// Reads the project's log; `None` if it does not exist.
pub fn read(project: &Project) -> Result<Option<BudgetLog>> {
    let path = project.budget_log();
    let failed = |error| Error::io("read", &path, error);
    match path.symlink_metadata() {
        Ok(_) => {}
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    refuse_escapes(project.root(), &format!("{TEDDY_DIR}/context-budget-log.jsonl"))?;
    let real = physical(&path).map_err(failed)?;
    let file = open_safely(OpenOptions::new().read(true)).open(real).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(not_regular(&path));
    }
    let mut log = BudgetLog::default();
    let mut lines = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut lines).take(LINE_BYTES).read_until(b'\n', &mut line).map_err(failed)? == 0 {
            return Ok(Some(log));
        }
        if line.len() as u64 == LINE_BYTES && !line.ends_with(b"\n") {
            log.skipped += 1;
            skip_line(&mut lines).map_err(failed)?;
            continue;
        }
        log.take(&line);
    }
}

/// Skips the rest of a line, however long it is.
fn skip_line(lines: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = lines.fill_buf()?;
        let (used, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        lines.consume(used);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(original: usize, budget: usize) -> BudgetEntry {
        let truncated = if budget == 0 { original } else { original.min(budget) };
        BudgetEntry {
            run_id: "s/01".to_owned(),
            phase: 2,
            original_tokens: original,
            budget_tokens: budget,
            truncated_tokens: truncated,
            was_truncated: truncated < original,
            ts: "2026-01-24T10:30:00Z".to_owned(),
            what: "handoff".to_owned(),
        }
    }

    fn group(pairs: &[(usize, usize)]) -> BudgetStats {
        let entries = pairs.iter().map(|(original, budget)| entry(*original, *budget)).collect();
        BudgetLog { entries, skipped: 0 }.groups().remove(0)
    }

    #[test]
    fn budgets_get_a_verdict() {
        let cases = [
            (&[(10, 100), (20, 100)][..], Verdict::TooFew, "not enough data"),
            (&[(120, 100), (140, 100), (20, 100), (180, 100)], Verdict::TooTight, "truncated 3 of 4 times; 200 tokens"),
            (
                &[(10, 100), (20, 100), (30, 100)],
                Verdict::TooLoose,
                "80 of 100 tokens unused on average; 50 would be enough",
            ),
            (&[(80, 100), (90, 100), (120, 100)], Verdict::Fits, "truncated 1 of 3 times"),
            (&[(80, 0), (90, 0), (120, 0)], Verdict::Unlimited, "at most 150 tokens"),
        ];
        for (pairs, verdict, words) in cases {
            let group = group(pairs);
            assert_eq!(group.verdict, verdict, "{group:?}");
            assert!(group.advice().contains(words), "{}", group.advice());
        }
    }

    #[test]
    fn verdict_thresholds_are_exact() {
        let many = |over: usize, of: usize| [vec![(150, 100); over], vec![(90, 100); of - over]].concat();
        for (pairs, verdict) in [
            (vec![(90, 100); ENOUGH - 1], Verdict::TooFew),
            (vec![(90, 100); ENOUGH], Verdict::Fits),
            (many(TIGHT, 100), Verdict::TooTight),
            (many(TIGHT - 1, 100), Verdict::Fits),
            (vec![(LOOSE - 1, 100); 3], Verdict::TooLoose),
            (vec![(LOOSE, 100); 3], Verdict::Fits),
        ] {
            assert_eq!(group(&pairs).verdict, verdict, "{:?} and {} more", pairs[0], pairs.len() - 1);
        }
        assert_eq!(group(&[(90, 100); 3]).advice(), "about right: never truncated, mostly used");
        assert_eq!(group(&many(10, 100)).advice(), "about right: truncated 10 of 100 times");
    }

    #[test]
    fn means_ignore_unlimited_budgets_and_needs_are_percentiles() {
        let needs: Vec<_> = (1..=20).map(|number| (number * 10, 400)).collect();
        let limited = group(&needs);
        assert_eq!((limited.budget, limited.used, limited.wanted, limited.most_need), (400, 105, 105, 180));
        assert_eq!((limited.unused(), limited.count, limited.cut), (295, 20, 0));
        let mixed = group(&[(100, 200), (100, 200), (1_000, 0)]);
        assert_eq!(
            (mixed.budget, mixed.used, mixed.count),
            (200, 100, 3),
            "an unlimited entry has no effect on the mean limit"
        );
    }

    #[test]
    fn advice_suggests_round_numbers() {
        for (need, advised) in [
            (0, 0),
            (1, 50),
            (950, 950),
            (951, 1_000),
            (1_001, 1_100),
            (9_901, 10_000),
            (10_001, 11_000),
            (99_001, 100_000),
            (100_001, 110_000),
        ] {
            assert_eq!(rounded(need), advised, "{need}");
        }
    }

    #[test]
    fn every_verdict_has_its_name() {
        let all = [Verdict::TooFew, Verdict::Unlimited, Verdict::TooTight, Verdict::TooLoose, Verdict::Fits];
        assert_eq!(all.map(Verdict::name), ["too few", "no limit", "too tight", "too loose", "fits"]);
    }

    #[test]
    fn appended_entries_are_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        let payload = BudgetEntry { what: "payload".to_owned(), phase: 1, ..entry(30, 0) };
        let written = [entry(10, 100), entry(200, 100), payload];
        for entry in &written {
            append(&project, entry).unwrap();
        }
        let log = read(&project).unwrap().unwrap();
        assert_eq!((&log.entries[..], log.skipped), (&written[..], 0));
        let groups: Vec<_> = log.groups().into_iter().map(|group| (group.what, group.phase, group.count)).collect();
        assert_eq!(groups, [("handoff".to_owned(), 2, 2), ("payload".to_owned(), 1, 1)]);
    }

    #[test]
    fn lines_up_to_the_maximum_length_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        let line = |bytes: usize| {
            let short = serde_json::to_string(&entry(1, 2)).unwrap();
            short.replace("s/01", &"s".repeat(bytes - short.len() + 4))
        };
        let longest = LINE_BYTES as usize;
        for (bytes, read_and_skipped) in [(longest - 1, (2, 0)), (longest, (1, 1)), (3 * longest + 1, (1, 1))] {
            std::fs::write(project.budget_log(), format!("{}\n{}\n", line(bytes), line(300))).unwrap();
            let log = read(&project).unwrap().unwrap();
            assert_eq!((log.entries.len(), log.skipped), read_and_skipped, "{bytes}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_log_outside_of_the_project_is_not_read() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("project");
        std::fs::create_dir(&root).unwrap();
        let (project, _) = Project::init(&root).unwrap();
        std::fs::write(outer.path().join("log"), "").unwrap();
        std::os::unix::fs::symlink("../../log", project.budget_log()).unwrap();
        assert!(matches!(read(&project), Err(Error::Outside { .. })));
    }

    #[test]
    fn incomplete_and_unknown_lines_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        assert_eq!(read(&project).unwrap(), None);
        let good = r#"{"run_id":"abc123","phase":2,"original_tokens":3200,"budget_tokens":2500,"truncated_tokens":2480,"was_truncated":true,"ts":"2026-03-02T12:00:00Z"}"#;
        let mut bytes = format!("{good}\n{}\n\n{{\"a\":1}}\nnot json\n", &good[..40]).into_bytes();
        bytes.extend(b"\xff\xfe torn\n");
        bytes.extend(vec![b'x'; 40_000]);
        bytes.extend(format!("\n{good}\n{}", &good[..60]).bytes());
        std::fs::write(project.budget_log(), bytes).unwrap();
        let log = read(&project).unwrap().unwrap();
        assert_eq!((log.entries.len(), log.skipped), (2, 6));
        assert_eq!(log.entries[0].what, "handoff");
        std::fs::remove_file(project.budget_log()).unwrap();
        std::fs::create_dir(project.budget_log()).unwrap();
        assert!(read(&project).is_err());
    }

    proptest! {
        #[test]
        fn every_budget_is_in_one_group(pairs in proptest::collection::vec((0usize..5_000, 0usize..3_000), 1..40)) {
            let group = group(&pairs);
            prop_assert_eq!(group.count, pairs.len());
            prop_assert!(group.cut <= group.count && !group.advice().is_empty());
            prop_assert!(group.verdict != Verdict::TooLoose || group.cut == 0);
        }
    }
}
