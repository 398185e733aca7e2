//! Facts about the repository: languages, build and test commands, entry points, dependencies.

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

/// Smallest share of the code, in percent, for a language to be listed.
const SMALLEST_SHARE: u64 = 2;
/// Maximum number of languages.
const MOST_LANGUAGES: usize = 6;

/// Facts about a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepoFacts {
    /// Languages with their share of the code in percent, largest first.
    pub languages: Vec<(&'static str, u64)>,
    /// Build tools, starting with the tool of the main language.
    pub tooling: Vec<Tooling>,
    /// Entry points: programs, or libraries if there is no program.
    pub entry_points: Vec<String>,
    /// Dependencies from the manifests at the root and from those of the packages that the task is about.
    pub dependencies: Vec<Dependencies>,
}

impl RepoFacts {
    /// The facts for work on the files in `near`.
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

    /// Package manager of the main language.
    pub fn package_manager(&self) -> Option<&'static str> {
        self.tooling.iter().find_map(|tool| tool.manager)
    }

    /// Command that builds the project.
    pub fn build_command(&self) -> Option<&str> {
        self.tooling.iter().find_map(|tool| tool.build.as_deref())
    }

    /// Command that runs the tests.
    pub fn test_command(&self) -> Option<&str> {
        self.tooling.iter().find_map(|tool| tool.test.as_deref())
    }
}

/// Entry points: programs, or libraries if there is no program.
pub fn entry_points(corpus: &Corpus) -> Vec<String> {
    entry_points::find(corpus)
}

/// Lines of product code and tests by language.
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

/// The redacted text of a file, by its path from the root.
fn root_text(corpus: &Corpus, name: &str) -> Option<String> {
    let file = corpus.find(name)?;
    Some(corpus.file_text(file).shown.clone())
}

/// Returns true if the root has this file, even if it is not a candidate.
fn at_root(corpus: &Corpus, name: &str) -> bool {
    corpus.find(name).is_some() || corpus.has_at_root(name)
}
