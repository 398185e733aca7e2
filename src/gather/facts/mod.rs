//! Facts about the repository: what it is written in, how it is built and tested, where it starts, what it depends on.

mod dependencies;
mod entry_points;
mod own_name;
mod tooling;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::corpus::Corpus;
use super::role::Role;
use crate::outline::language::Language;
pub use dependencies::Dependencies;
pub use own_name::own_names;
pub use tooling::Tooling;

/// Languages with a smaller share of the code than this, in percent, are left out.
const SMALLEST_SHARE: u64 = 2;
/// No more languages than this are named.
const MOST_LANGUAGES: usize = 6;

/// What can be told about a repository from its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepoFacts {
    /// What the code is written in, with its share in percent, largest first.
    pub languages: Vec<(&'static str, u64)>,
    /// How it is built and tested, the tool of the main language first.
    pub tooling: Vec<Tooling>,
    /// Where a reader starts: programs, and libraries where there is no program.
    pub entry_points: Vec<String>,
    /// What the manifests ask for: those at the root and those of the packages that the task is about.
    pub dependencies: Vec<Dependencies>,
}

impl RepoFacts {
    /// The facts about what was gathered, for work on the files in `near`.
    pub fn of(corpus: &Corpus, near: &[&str]) -> Self {
        let lines = lines_by_language(corpus);
        let tooling = tooling::find(corpus, &lines);
        Self {
            languages: shares(&lines),
            entry_points: entry_points::find(corpus),
            dependencies: dependencies::find(corpus, near),
            tooling,
        }
    }

    /// The facts that do not come from an excluded file.
    #[must_use]
    pub fn without(&self, is_excluded: impl Fn(&str) -> bool) -> Self {
        let mut facts = self.clone();
        facts.tooling.retain(|tool| !is_excluded(&tool.manifest));
        facts.entry_points.retain(|path| !is_excluded(path));
        facts.dependencies.retain(|listed| !is_excluded(&listed.manifest));
        facts
    }

    /// The package manager of the main language.
    pub fn package_manager(&self) -> Option<&'static str> {
        self.tooling.iter().find_map(|tool| tool.manager)
    }

    /// The command that builds the project.
    pub fn build_command(&self) -> Option<&str> {
        self.tooling.iter().find_map(|tool| tool.build.as_deref())
    }

    /// The command that runs the tests.
    pub fn test_command(&self) -> Option<&str> {
        self.tooling.iter().find_map(|tool| tool.test.as_deref())
    }
}

/// Lines of product code and tests by language; what was copied in, generated or is data says nothing.
fn lines_by_language(corpus: &Corpus) -> BTreeMap<Language, u64> {
    let mut lines = BTreeMap::new();
    for file in &corpus.files {
        let counts = matches!(file.role, Role::Source | Role::Test | Role::TestSupport);
        if let Some(language) = file.language.filter(|language| counts && language.is_code()) {
            *lines.entry(language).or_insert(0) += u64::from(file.lines);
        }
    }
    lines
}

fn shares(lines: &BTreeMap<Language, u64>) -> Vec<(&'static str, u64)> {
    let total: u64 = lines.values().sum::<u64>().max(1);
    let mut shares: Vec<(&str, u64)> =
        lines.iter().map(|(language, lines)| (language.name(), (lines * 100 + total / 2) / total)).collect();
    shares.retain(|(_, share)| *share >= SMALLEST_SHARE);
    shares.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    shares.truncate(MOST_LANGUAGES);
    shares
}

/// The text of a file, by its path from the root, secrets replaced.
fn root_text(corpus: &Corpus, name: &str) -> Option<String> {
    let file = corpus.find(name)?;
    Some(corpus.file_text(file).shown.clone())
}

/// Whether there is such a file at the root, be it too large or too machine-made to be a candidate.
fn at_root(corpus: &Corpus, name: &str) -> bool {
    corpus.find(name).is_some() || corpus.root.join(name).symlink_metadata().is_ok_and(|meta| meta.is_file())
}
