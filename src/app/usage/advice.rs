//! Advice on budget, tiers and ignored files, from the turns whose outcome is known.

use std::collections::{BTreeMap, BTreeSet};

use super::{ComparedWith, TurnUsage, of_turn};
use crate::app::environment::Environment;
use crate::error::Result;
use crate::gather::role::{Role, Roles};
use crate::outline::language::Language;
use crate::project::budget_log::rounded;
use crate::project::session;
use crate::project::turn::{self, Turn};
use crate::text::{counted, percent, printable, thousands};

/// Minimum number of turns for advice.
const ENOUGH: usize = 3;
/// Percentage below which the useful share of RAW is low.
const LOW: usize = 33;
/// Maximum number of directories that the advice names.
const NAMED: usize = 3;

/// A directory whose files, in several turns, were in RAW but never used, or changed outside RAW.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryUse {
    /// The directory with a slash at the end.
    pub path: String,
    /// Number of turns.
    pub turns: usize,
    /// Tokens of its files in RAW.
    pub tokens: usize,
}

/// Statistics on the usage of a project's payloads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageSummary {
    /// Number of turns with an outcome.
    pub turns: usize,
    /// Files in RAW, and those that were used.
    pub files: (usize, usize),
    /// Tokens of the used files in RAW, and of all files in RAW, for the turns that recorded them.
    pub tokens: (usize, usize),
    /// Number of tokens that the used files did not exceed in 90% of these turns.
    pub most_need: usize,
    /// Turns in which a changed file was only linked.
    pub linked: usize,
    /// Turns in which a changed file was not in the payload.
    pub absent: usize,
    /// Directories that were in RAW in several turns and never used, most tokens first.
    pub unused: Vec<DirectoryUse>,
    /// Directories with changed files outside RAW in several turns.
    pub missed: Vec<DirectoryUse>,
}

/// The summary of all sessions; `None` if no outcome is known.
pub fn summary(env: &Environment) -> Result<Option<UsageSummary>> {
    let mut usages = Vec::new();
    for session in session::list(env.project()?) {
        for id in turn::turns(&session) {
            // Turns that cannot be read are omitted.
            usages.extend(Turn::open(&session, id).and_then(|turn| of_turn(env, &turn)).ok().flatten());
        }
    }
    Ok(UsageSummary::of(&usages))
}

impl UsageSummary {
    /// Summarizes turns. Omits turns without an outcome, because they may still change files, and turns that used and
    /// changed nothing.
    fn of(usages: &[TurnUsage]) -> Option<Self> {
        let told = |usage: &&TurnUsage| {
            usage.compared_with != ComparedWith::Now && (usage.used() > 0 || !usage.missed.is_empty())
        };
        let usages: Vec<&TurnUsage> = usages.iter().filter(told).collect();
        if usages.is_empty() {
            return None;
        }
        let mut needs: Vec<usize> = usages.iter().filter_map(|usage| usage.tokens()).map(|tokens| tokens.0).collect();
        needs.sort_unstable();
        let turns_with =
            |linked: bool| usages.iter().filter(|usage| usage.missed.iter().any(|file| file.linked == linked)).count();
        let sum = |of: fn(&TurnUsage) -> usize| usages.iter().map(|usage| of(usage)).sum();
        Some(Self {
            turns: usages.len(),
            files: (sum(|usage| usage.raw.len()), sum(TurnUsage::used)),
            tokens: (
                sum(|usage| usage.tokens().map_or(0, |tokens| tokens.0)),
                sum(|usage| usage.tokens().map_or(0, |tokens| tokens.1)),
            ),
            most_need: needs.get((needs.len() * 9).div_ceil(10).saturating_sub(1)).copied().unwrap_or(0),
            linked: turns_with(true),
            absent: turns_with(false),
            unused: unused(&usages),
            missed: missed(&usages),
        })
    }

    /// The summary and the advice as lines.
    pub fn text(&self) -> String {
        let (all, used) = self.files;
        let mut out = format!(
            "RAW in {} with a known outcome: {} of {} changed or cited",
            counted(self.turns, "turn"),
            thousands(used),
            counted(all, "file")
        );
        if self.tokens.1 > 0 {
            out.push_str(&format!(
                ", {} of {} tokens",
                percent(self.tokens.0, self.tokens.1),
                thousands(self.tokens.1)
            ));
        }
        out.push('\n');
        out.extend(self.advice().iter().map(|line| format!("  {line}\n")));
        out
    }

    /// Advice in sentences.
    pub fn advice(&self) -> Vec<String> {
        if self.turns < ENOUGH {
            return vec![format!("not enough data for advice: {} of at least {ENOUGH} turns", thousands(self.turns))];
        }
        let mut advice = Vec::new();
        let (useful, all) = self.tokens;
        let misses_often = self.linked.max(self.absent) * 3 > self.turns;
        if useful * 100 < all * LOW && !misses_often {
            advice.push(format!(
                "budget: in 90% of the turns, the used files had at most {} tokens, and RAW had {} on average; try a smaller --budget, or omit --fill",
                thousands(rounded(self.most_need)),
                thousands(all / self.turns)
            ));
        }
        let of_turns = |turns: usize| format!("{} of {}", thousands(turns), counted(self.turns, "turn"));
        if self.linked * 3 > self.turns {
            let turns = of_turns(self.linked);
            advice.push(format!("budget: in {turns} a changed file was only linked; try a larger --budget, or --fill"));
        }
        for directory in &self.missed {
            let (path, turns) = (printable(&directory.path), of_turns(directory.turns));
            advice.push(format!(
                "tiers: in {turns}, files in {path} changed without being in RAW; consider `boosts` or `tiers` for \"{path}**\""
            ));
        }
        for directory in &self.unused {
            let (path, turns) = (printable(&directory.path), counted(directory.turns, "turn"));
            advice.push(format!(
                ".teddyignore: {path} was in RAW in {turns} with {} tokens, and never used; consider ignoring it, or linking it with `tiers`",
                thousands(directory.tokens)
            ));
        }
        if advice.is_empty() {
            advice.push("these turns suggest no change to the budget, tiers or .teddyignore".to_owned());
        }
        advice
    }
}

/// The directories of a path, the topmost first.
fn directories(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..=at])
}

/// Directories that were in RAW in enough turns, and that no turn used or changed.
fn unused(usages: &[&TurnUsage]) -> Vec<DirectoryUse> {
    let mut found: BTreeMap<&str, (BTreeSet<usize>, usize)> = BTreeMap::new();
    let mut needed: BTreeSet<&str> = BTreeSet::new();
    let paths: Vec<&str> = usages.iter().flat_map(|usage| &usage.raw).map(|file| file.path.as_str()).collect();
    let languages: Vec<Option<Language>> = paths.iter().map(|path| Language::of(path, "")).collect();
    let roles = Roles::build(&paths, &languages);
    // Tests do not count, because they are also useful as patterns.
    let is_test = |path: &str| matches!(roles.role(path, Language::of(path, "")), Role::Test | Role::TestSupport);
    for (turn, usage) in usages.iter().enumerate() {
        for file in &usage.raw {
            if file.is_used() || is_test(&file.path) {
                needed.extend(directories(&file.path));
            }
            for directory in directories(&file.path) {
                let (turns, tokens) = found.entry(directory).or_default();
                turns.insert(turn);
                *tokens += file.tokens.unwrap_or(0);
            }
        }
        let outside = usage.missed.iter().map(|file| &file.path).chain(&usage.added);
        needed.extend(outside.flat_map(|path| directories(path)));
    }
    found.retain(|directory, (turns, _)| turns.len() >= ENOUGH && !needed.contains(directory));
    largest(&found)
}

/// Directories in which enough turns changed files outside RAW.
fn missed(usages: &[&TurnUsage]) -> Vec<DirectoryUse> {
    let mut found: BTreeMap<&str, (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (turn, usage) in usages.iter().enumerate() {
        // Only the file's own directory counts, because its parents also contain files that were in RAW.
        for directory in usage.missed.iter().filter_map(|file| directories(&file.path).last()) {
            found.entry(directory).or_default().0.insert(turn);
        }
    }
    found.retain(|_, (turns, _)| turns.len() >= ENOUGH);
    largest(&found)
}

/// The largest of these directories, without those inside another of them.
fn largest(found: &BTreeMap<&str, (BTreeSet<usize>, usize)>) -> Vec<DirectoryUse> {
    let is_inside = |path: &str| found.keys().any(|other| other.len() < path.len() && path.starts_with(other));
    let outermost = found.iter().filter(|(path, _)| !is_inside(path));
    let mut directories: Vec<DirectoryUse> = outermost
        .map(|(path, (turns, tokens))| DirectoryUse { path: (*path).to_owned(), turns: turns.len(), tokens: *tokens })
        .collect();
    directories.sort_by(|a, b| (b.tokens, b.turns).cmp(&(a.tokens, a.turns)).then(a.path.cmp(&b.path)));
    directories.truncate(NAMED);
    directories
}

#[cfg(test)]
mod tests {
    use super::super::{MissedFile, RawUse};
    use super::*;

    fn turn(raw: &[(&str, usize, bool)], missed: &[(&str, bool)]) -> TurnUsage {
        let raw = raw.iter().map(|(path, tokens, changed)| RawUse {
            path: (*path).to_owned(),
            tokens: Some(*tokens),
            changed: *changed,
            cited: None,
        });
        let missed = missed.iter().map(|(path, linked)| MissedFile { path: (*path).to_owned(), linked: *linked });
        TurnUsage {
            raw: raw.collect(),
            missed: missed.collect(),
            added: Vec::new(),
            compared_with: ComparedWith::Report,
        }
    }

    fn advice(usages: &[TurnUsage]) -> String {
        UsageSummary::of(usages).unwrap().text()
    }

    #[test]
    fn a_directory_that_was_never_used_is_noise() {
        let one = turn(&[("src/a.rs", 500, true), ("docs/old/a.md", 400, false), ("docs/old/b/c.md", 50, false)], &[]);
        let text = advice(&[one.clone(), one.clone(), one.clone()]);
        assert!(text.contains(".teddyignore: docs/ was in RAW in 3 turns with 1,350 tokens, and never used"), "{text}");
        // Once a file in a directory is used, only its unused subdirectories are reported.
        let used = turn(&[("docs/new.md", 10, true)], &[]);
        let text = advice(&[one.clone(), one.clone(), one.clone(), used]);
        assert!(text.contains(".teddyignore: docs/old/ was in RAW in 3 turns"), "{text}");
        let missed = turn(&[("src/a.rs", 500, true)], &[("docs/old/b/d.md", false)]);
        let text = advice(&[one.clone(), one.clone(), one, missed]);
        assert!(!text.contains(".teddyignore: "), "{text}");
    }

    #[test]
    fn tests_are_not_noise_because_they_show_how_to_test() {
        let one = turn(&[("src/a.rs", 500, true), ("tests/a.rs", 400, false)], &[]);
        let text = advice(&[one.clone(), one.clone(), one]);
        assert!(!text.contains(".teddyignore: "), "{text}");
    }

    #[test]
    fn the_budget_is_too_large_if_little_is_used_and_too_small_if_changed_files_are_linked() {
        let little = turn(&[("src/a.rs", 100, true), ("src/b.rs", 900, false)], &[]);
        let text = advice(&[little.clone(), little.clone(), little.clone()]);
        assert!(
            text.starts_with(
                "RAW in 3 turns with a known outcome: 3 of 6 files changed or cited, 10% of 3,000 tokens\n"
            ),
            "{text}"
        );
        assert!(
            text.contains(
                "budget: in 90% of the turns, the used files had at most 100 tokens, and RAW had 1,000 on average"
            ),
            "{text}"
        );
        let linked = turn(&[("src/a.rs", 100, true)], &[("lib/c.rs", true)]);
        let text = advice(&[linked.clone(), linked.clone(), linked]);
        assert!(text.contains("in 3 of 3 turns a changed file was only linked; try a larger --budget"), "{text}");
        assert!(text.contains("tiers: in 3 of 3 turns, files in lib/ changed without being in RAW"), "{text}");
        let good = turn(&[("src/a.rs", 100, true)], &[]);
        assert!(advice(&[good.clone(), good.clone(), good]).contains("suggest no change"));
        assert!(advice(&[little]).contains("not enough data for advice: 1 of at least 3 turns"));
    }

    #[test]
    fn turns_without_an_end_or_without_any_use_are_left_out() {
        let open = TurnUsage { compared_with: ComparedWith::Now, ..turn(&[("a", 1, true)], &[]) };
        assert_eq!(UsageSummary::of(&[open, turn(&[("a", 1, false)], &[])]), None);
    }
}
