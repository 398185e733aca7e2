//! `teddy bench`: plans past commits again, each with its message as the task and its parent as the project, and
//! measures the share of the real change that is in the payload.
//!
//! | module | content |
//! | --- | --- |
//! | [`commits`] | the commits that are suitable, and why others are not |
//! | [`change`] | the lines, functions and tests that a commit changed |
//! | `plan_commit`, `word_search` | payloads of teddy with and without history, and of BM25 over whole files |
//! | [`measure`] | the share of a change that is in a payload |
//! | [`summary`], [`misses`] | averages, and the worst payloads with the reasons |

pub mod change;
pub mod commits;
pub mod measure;
pub mod misses;
mod plan_commit;
pub mod summary;
mod word_search;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::gather::git;
use crate::gather::snapshots::{ReadObserver, SnapshotSettings, Snapshots};
use change::CommitChange;
pub use commits::{Selection, SkipReason};
use commits::{SuitableCommit, select};
use measure::Measures;
use misses::Miss;
use plan_commit::CommitPlanner;

/// Budgets that are measured by default.
pub const BUDGETS: [usize; 4] = [13_000, 27_000, 50_000, 100_000];

/// Settings of a benchmark.
#[derive(Debug, Clone)]
pub struct BenchRequest {
    /// Number of commits.
    pub commits: usize,
    /// The commit to start at; default: HEAD.
    pub from: Option<String>,
    /// Token budgets, ascending.
    pub budgets: Vec<usize>,
}

/// Receives progress and can stop the benchmark.
pub trait BenchObserver: Sync {
    /// Starts a step.
    fn step(&self, step: BenchStep);
    /// Reports the work done in the current step, and its total.
    fn progress(&self, done: usize, of: usize);
    /// Returns false to stop; what has been measured is kept.
    fn should_continue(&self) -> bool;
}

/// A step of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchStep {
    /// Looking for suitable commits.
    Select,
    /// Reading the files of their parents.
    Read,
    /// Planning and measuring.
    Measure,
}

/// A way to choose content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// teddy.
    Teddy,
    /// teddy without past commits.
    WithoutHistory,
    /// BM25 over whole files.
    Bm25,
}

impl System {
    /// All systems, in the order of the table.
    pub const ALL: [Self; 3] = [Self::Teddy, Self::WithoutHistory, Self::Bm25];

    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Teddy => "teddy",
            Self::WithoutHistory => "without history",
            Self::Bm25 => "BM25",
        }
    }
}

/// A limit that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// This many tokens, with auto-fill.
    Budget(usize),
    /// A payload without options: the budget depends on the task, and auto-fill is off.
    Default,
}

impl Limit {
    /// The name in JSON.
    pub fn name(self) -> String {
        match self {
            Self::Budget(tokens) => tokens.to_string(),
            Self::Default => "default".to_owned(),
        }
    }
}

/// One measured payload.
#[derive(Debug, Clone)]
pub struct MeasuredPayload {
    /// The system that chose its content.
    pub system: System,
    /// Its limit.
    pub limit: Limit,
    /// The result.
    pub measures: Measures,
}

/// One measured commit.
#[derive(Debug, Clone)]
pub struct MeasuredCommit {
    /// Full id.
    pub id: String,
    /// Full id of the parent, at which it was planned.
    pub parent: String,
    /// The task: the message without trailers.
    pub task: String,
    /// Its changes.
    pub change: CommitChange,
    /// 1-based position of the first changed file in each system's ranking; `None` if no changed file is a candidate.
    pub first: Vec<(System, Option<usize>)>,
    /// Every payload.
    pub payloads: Vec<MeasuredPayload>,
    /// Files that the payload at [`BenchReport::focus`] lacks.
    pub missed: Vec<Miss>,
}

impl MeasuredCommit {
    /// The result of a system at a limit.
    pub fn measures(&self, system: System, limit: Limit) -> Option<&Measures> {
        let found = self.payloads.iter().find(|payload| payload.system == system && payload.limit == limit);
        found.map(|payload| &payload.measures)
    }

    /// First line of the message.
    pub fn subject(&self) -> &str {
        self.task.lines().next().unwrap_or_default()
    }
}

/// The result of a benchmark.
#[derive(Debug, Clone)]
pub struct BenchReport {
    /// Measured commits, newest first.
    pub commits: Vec<MeasuredCommit>,
    /// Number of suitable commits. If the benchmark was stopped, some of them were not measured.
    pub suitable: usize,
    /// Number of skipped commits by reason.
    pub skipped: Vec<(SkipReason, usize)>,
    /// The limits, in order.
    pub limits: Vec<Limit>,
    /// The limit whose misses are listed.
    pub focus: Limit,
}

/// Runs the benchmark.
pub fn run(env: &Environment, request: &BenchRequest, observer: &dyn BenchObserver) -> Result<BenchReport> {
    let policy = env.redaction()?;
    // The configuration and `.teddy` are not used, because they can be newer than the commits.
    let env = &Environment::without_project(&env.root);
    let git = git::open_history(&env.root)
        .map_err(Error::Git)?
        .ok_or_else(|| Error::negative("this is not a git repository", "run it in a repository with some history"))?;
    let from = match &request.from {
        Some(name) => git.commit_of(name).ok_or_else(|| {
            Error::input(format!("`{name}` is not a commit"), "use --from to start at a commit of this repository")
        })?,
        None => git.commit_of("HEAD").ok_or_else(|| {
            Error::negative("the current branch has no commits", "use --from to start at a commit of another branch")
        })?,
    };
    observer.step(BenchStep::Select);
    let selection = select(&git, from, request.commits, observer)?;
    if !observer.should_continue() {
        return Err(stopped());
    }
    if selection.commits.is_empty() {
        return Err(Error::negative(
            format!("no commit is suitable: {}", selection.skipped_in_words()),
            "a suitable commit changes 1 to 6 existing source files and has a message of a few words",
        ));
    }
    let mut report = measure_selected(env, &git, selection, request, observer)?;
    for commit in &mut report.commits {
        commit.task = policy.redact(&commit.task, "task").0.into_owned();
    }
    Ok(report)
}

fn measure_selected(
    env: &Environment,
    git: &git::Git,
    selection: Selection,
    request: &BenchRequest,
    observer: &dyn BenchObserver,
) -> Result<BenchReport> {
    observer.step(BenchStep::Read);
    let parents: Vec<git::LoggedCommit> = selection.commits.iter().map(|commit| commit.parent.clone()).collect();
    let settings = SnapshotSettings {
        root: &env.root,
        max_file_bytes: env.config.max_file_bytes,
        history_commits: env.config.history_commits as usize,
        redactor: env.redaction()?,
    };
    let snapshots = Snapshots::read(git, &parents, settings, &ReadProgress(observer))
        .map_err(|error| if observer.should_continue() { error } else { stopped() })?;
    let mut limits: Vec<Limit> = request.budgets.iter().copied().map(Limit::Budget).collect();
    limits.push(Limit::Default);
    let focus = focus(&request.budgets);
    let planner = CommitPlanner { env, snapshots: &snapshots, limits: &limits, focus };
    observer.step(BenchStep::Measure);
    let (done, all) = (AtomicUsize::new(0), selection.commits.len());
    let measure = |commit: &SuitableCommit| {
        let measured = observer.should_continue().then(|| planner.measure(commit));
        observer.progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        measured.transpose()
    };
    // Each thread takes one commit at a time, so that stopping loses little work.
    let measured: Vec<Option<MeasuredCommit>> =
        selection.commits.par_iter().with_max_len(1).map(measure).collect::<Result<_>>()?;
    let commits: Vec<MeasuredCommit> = measured.into_iter().flatten().collect();
    if commits.is_empty() {
        return Err(stopped());
    }
    Ok(BenchReport { commits, suitable: all, skipped: selection.skipped, limits, focus })
}

fn stopped() -> Error {
    Error::negative("stopped before the first commit was measured", "")
}

/// The limit whose misses are listed: the budget nearest to 27,000 tokens.
fn focus(budgets: &[usize]) -> Limit {
    const USUAL: usize = 27_000;
    budgets.iter().copied().min_by_key(|budget| budget.abs_diff(USUAL)).map_or(Limit::Default, Limit::Budget)
}

/// Forwards the progress of reading.
struct ReadProgress<'a>(&'a dyn BenchObserver);

impl ReadObserver for ReadProgress<'_> {
    fn read(&self, done: usize, of: usize) {
        self.0.progress(done, of);
    }

    fn should_continue(&self) -> bool {
        self.0.should_continue()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::git::samples::run_git;

    /// Stops the benchmark as soon as this step starts.
    struct StopAt(BenchStep, std::sync::atomic::AtomicBool);

    impl BenchObserver for StopAt {
        fn step(&self, step: BenchStep) {
            if step == self.0 {
                self.1.store(true, Ordering::Relaxed);
            }
        }

        fn progress(&self, _: usize, _: usize) {}

        fn should_continue(&self) -> bool {
            !self.1.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn stopping_before_the_first_result_is_not_a_lack_of_commits() {
        let dir = tempfile::tempdir().unwrap();
        run_git(dir.path(), &["init", "-q", "-b", "main"]);
        for count in 1..3 {
            std::fs::write(dir.path().join("pay.py"), "def pay():\n    pass\n".repeat(count)).unwrap();
            run_git(dir.path(), &["add", "-A"]);
            run_git(dir.path(), &["commit", "-q", "-m", "Pay twice for every order"]);
        }
        let env = Environment::open(Some(dir.path())).unwrap();
        let request = BenchRequest { commits: 1, from: None, budgets: vec![13_000] };
        for step in [BenchStep::Select, BenchStep::Read, BenchStep::Measure] {
            let error = run(&env, &request, &StopAt(step, false.into())).unwrap_err();
            assert_eq!(error.to_string(), "stopped before the first commit was measured", "{step:?}");
        }
    }
}
