//! Plans one commit at its parent, with every system and limit.

use super::change::CommitChange;
use super::commits::SuitableCommit;
use super::measure::{Measures, RawFile};
use super::misses::{Miss, misses};
use super::{Limit, MeasuredCommit, MeasuredPayload, System, word_search};
use crate::app::environment::Environment;
use crate::app::options::{OutputOptions, PayloadRequest, PlanRequest};
use crate::app::pipeline::{Run, ScoredTask, without_secrets};
use crate::app::plan;
use crate::app::run_inputs::RunInputs;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::snapshots::Snapshots;
use crate::gather::tokens::DEFAULT;
use crate::place::{Form, PlacedItem, Tier};
use crate::project::session;
use crate::project::turn::TurnRecord;
use crate::render;

/// Plans commits and measures the payloads.
pub(super) struct CommitPlanner<'a> {
    /// An environment without configuration.
    pub env: &'a Environment,
    /// The files of the parents.
    pub snapshots: &'a Snapshots,
    /// The limits to measure.
    pub limits: &'a [Limit],
    /// The limit whose misses are listed.
    pub focus: Limit,
}

impl CommitPlanner<'_> {
    /// Measures one commit.
    pub fn measure(&self, commit: &SuitableCommit) -> Result<MeasuredCommit> {
        let parent = commit.parent.id;
        let missing = || Error::Git(format!("cannot read commit {parent}"));
        let corpus = self.snapshots.corpus(parent).ok_or_else(missing)?;
        let mut measured = MeasuredCommit {
            id: commit.id.to_string(),
            parent: parent.to_string(),
            task: commit.task.clone(),
            change: commit.change.clone(),
            first: Vec::new(),
            payloads: Vec::new(),
            missed: Vec::new(),
        };
        self.plan(&corpus.without_history(), System::WithoutHistory, commit, &mut measured)?;
        self.search_words(&corpus, commit, &mut measured);
        self.plan(&corpus, System::Teddy, commit, &mut measured)?;
        measured.first.sort_by_key(|(system, _)| *system);
        Ok(measured)
    }

    /// Plans with every limit. The task is scored only once.
    fn plan(
        &self,
        corpus: &Corpus,
        system: System,
        commit: &SuitableCommit,
        measured: &mut MeasuredCommit,
    ) -> Result<()> {
        let mut scored: Option<ScoredTask> = None;
        let mut first = None;
        for limit in self.limits {
            let (inputs, flags) = self.inputs(commit, *limit)?;
            let task = match scored.take() {
                Some(task) => task,
                None => ScoredTask::new(self.env, corpus.clone(), &inputs, Vec::new())?,
            };
            let run = task.clone().place(self.env, inputs, &flags)?;
            scored = Some(task);
            let budget = match limit {
                Limit::Budget(tokens) => Some(*tokens),
                Limit::Default => None,
            };
            let result = Measures::of(&commit.change, &self.raw(&run), budget);
            measured.payloads.push(MeasuredPayload { system, limit: *limit, measures: result });
            if budget.is_some() || first.is_none() {
                first = first_changed(&commit.change, ranked(&run));
            }
            if system == System::Teddy && *limit == self.focus {
                measured.missed = self.missed(&run, &commit.change);
            }
        }
        measured.first.push((system, first));
        Ok(())
    }

    fn search_words(&self, corpus: &Corpus, commit: &SuitableCommit, measured: &mut MeasuredCommit) {
        let ranking = word_search::ranking(corpus, &commit.task);
        let tokens = |file| self.snapshots.tokens(&corpus.files[file], DEFAULT);
        for limit in self.limits {
            let Limit::Budget(budget) = limit else { continue };
            let raw = word_search::pack(corpus, &ranking, *budget, tokens);
            let result = Measures::of(&commit.change, &raw, Some(*budget));
            measured.payloads.push(MeasuredPayload { system: System::Bm25, limit: *limit, measures: result });
        }
        let paths = ranking.iter().map(|file| corpus.files[*file].path.as_str());
        measured.first.push((System::Bm25, first_changed(&commit.change, paths)));
    }

    fn inputs(&self, commit: &SuitableCommit, limit: Limit) -> Result<(RunInputs, PayloadRequest)> {
        let payload = match limit {
            Limit::Budget(tokens) => PayloadRequest { budget: Some(tokens), fill: true, ..PayloadRequest::default() },
            Limit::Default => PayloadRequest::default(),
        };
        let output = OutputOptions { dry_run: true, ..OutputOptions::default() };
        let request = PlanRequest { payload: payload.clone(), output, ..PlanRequest::default() };
        let name = session::name_for(&commit.task, commit.parent.time);
        let inputs = plan::inputs(self.env, &request, &commit.task, &name, &mut TurnRecord::default())?;
        Ok((without_secrets(self.env, inputs)?, payload))
    }

    /// The files in RAW, in the order of the payload.
    fn raw(&self, run: &Run) -> Vec<RawFile> {
        let corpus = run.bench.corpus();
        let file = |placed: &PlacedItem| {
            let file = corpus.file_of(placed.item)?;
            Some(match &placed.form {
                Form::Spans(_) | Form::Skeleton(_) => {
                    let lines = render::verbatim(corpus, placed.item, &placed.form);
                    let counted = DEFAULT.count(&lines_of(&corpus.item_text(placed.item).shown, &lines));
                    RawFile::excerpt(&file.path, lines, placed.tokens, counted)
                }
                _ => RawFile::whole(&file.path, self.snapshots.tokens(file, DEFAULT)),
            })
        };
        run.placement().tier(Tier::Raw).filter_map(file).collect()
    }

    fn missed(&self, run: &Run, change: &CommitChange) -> Vec<Miss> {
        misses(run, change, &self.raw(run))
    }
}

/// The paths of all files, best first.
fn ranked(run: &Run) -> impl Iterator<Item = &str> {
    run.placement().placed.iter().filter_map(|placed| Some(run.bench.corpus().file_of(placed.item)?.path.as_str()))
}

/// 1-based position of the first changed source file.
fn first_changed<'a>(change: &CommitChange, mut ranking: impl Iterator<Item = &'a str>) -> Option<usize> {
    ranking.position(|path| change.is_source(path)).map(|at| at + 1)
}

/// The text of these lines.
fn lines_of(text: &str, ranges: &[(u32, u32)]) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let range = |(first, last): &(u32, u32)| {
        let last = (*last as usize).min(lines.len());
        lines.get((*first as usize).saturating_sub(1)..last).unwrap_or_default()
    };
    ranges.iter().flat_map(range).copied().collect::<Vec<_>>().join("\n")
}
