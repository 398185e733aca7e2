//! Files that a type of task needs in addition to its likely targets, such as fixtures for a test task or the changed
//! files for a review.

use std::collections::HashSet;

use super::evidence::{Evidence, is_product};
use super::neighbours::directory;
use super::scores::{Criterion, Signal};
use super::targets::Target;
use super::task::{Task, TaskType};
use super::weights::Weights;
use crate::gather::Corpus;
use crate::gather::facts::entry_points;
use crate::gather::item::ItemKind;
use crate::gather::role::Role;
use crate::ids::{FileId, ItemId};

/// Minimum points for RAW, and for LINKED.
const IN_RAW: u8 = 7;
const IN_LINKED: u8 = 4;
/// Likely targets whose surroundings are searched.
const TARGETS: usize = 3;
/// Maximum number of files for each need.
const TESTS: usize = 4;
const FIXTURES: usize = 4;
const DEPENDENTS: usize = 12;
const DEPENDENTS_IN_RAW: usize = 5;
const ERROR_FILES: usize = 3;
const RECENT_FILES: usize = 3;
const OVERVIEW_FILES: usize = 8;
const REVIEWED: usize = 20;

/// A file that this type of task needs.
#[derive(Debug, Clone, PartialEq)]
pub struct NeededFile {
    /// The file.
    pub file: FileId,
    /// Minimum points of the file.
    pub least: u8,
    /// Minimum likelihood that the work changes or reads the file.
    pub likely: f64,
    /// The reason.
    pub why: String,
}

/// The files that a type of task needs, each once.
pub fn needed_files(
    corpus: &Corpus,
    evidence: &Evidence,
    (targets, tests): (&[Target], &[Target]),
    signals: &[Vec<Signal>],
    weights: &Weights,
    task: &Task<'_>,
) -> Vec<NeededFile> {
    let is_sure =
        |target: &&Target| target.confidence >= weights.target_modified || evidence.places.contains_key(&target.file);
    let targets: Vec<FileId> = targets.iter().filter(is_sure).take(TARGETS).map(|target| target.file).collect();
    let search = NeedSearch { corpus, evidence, targets: &targets, signals };
    let mut found = match task.task_type {
        // Most bug reports are not about error definitions or recent changes, so these are included only if a person
        // chose the type.
        TaskType::Debug if task.is_type_given => search.for_debugging(),
        TaskType::Test => search.for_tests(tests),
        TaskType::Refactor => search.for_refactoring(task.is_type_given),
        TaskType::Analyze => search.for_analysis(),
        TaskType::Review => search.for_review(),
        TaskType::Debug | TaskType::Implement | TaskType::Docs => Vec::new(),
    };
    let mut seen = HashSet::new();
    found.retain(|needed| seen.insert(needed.file));
    found
}

/// The search around the likely targets.
struct NeedSearch<'a> {
    corpus: &'a Corpus,
    evidence: &'a Evidence,
    targets: &'a [FileId],
    signals: &'a [Vec<Signal>],
}

impl NeedSearch<'_> {
    fn path(&self, file: FileId) -> &str {
        &self.corpus.files[file].path
    }

    /// The files with the most evidence first.
    fn best(&self, files: impl IntoIterator<Item = FileId>, count: usize) -> Vec<FileId> {
        let mut files: Vec<FileId> = files.into_iter().collect();
        files.sort_unstable();
        files.dedup();
        files.sort_by(|a, b| self.evidence.sum[*b].total_cmp(&self.evidence.sum[*a]).then(a.cmp(b)));
        files.truncate(count);
        files
    }

    /// The files that import a target, that a target imports, or that are in its directory.
    fn around(&self) -> Vec<FileId> {
        let product = |file: &FileId| is_product(&self.corpus.files[*file]) && !self.targets.contains(file);
        let places: HashSet<&str> = self.targets.iter().map(|target| directory(self.path(*target))).collect();
        let beside = FileId::all(self.corpus.files.len()).filter(|file| places.contains(directory(self.path(*file))));
        let graph = &self.corpus.graph;
        let linked =
            self.targets.iter().flat_map(|target| graph.imports(*target).iter().chain(graph.imported_by(*target)));
        linked.copied().chain(beside).filter(product).collect()
    }

    /// Definitions of errors next to the targets, and recent changes there.
    fn for_debugging(&self) -> Vec<NeededFile> {
        if self.targets.is_empty() {
            return Vec::new();
        }
        let around = self.around();
        let errors = around.iter().copied().filter(|file| is_about_errors(self.path(*file)));
        let errors = self.best(errors, ERROR_FILES).into_iter().map(|file| NeededFile {
            file,
            least: IN_LINKED,
            likely: 0.0,
            why: "defines errors, next to a likely target".to_owned(),
        });
        let change = |file: &FileId| self.signals[*file].iter().find(|signal| signal.criterion == Criterion::Recent);
        let recent = self.best(around.iter().copied().filter(|file| change(file).is_some()), RECENT_FILES);
        let recent = recent.into_iter().map(|file| NeededFile {
            file,
            least: IN_LINKED,
            likely: 0.0,
            why: format!("next to a likely target and {}", change(&file).map_or("", |signal| &*signal.why)),
        });
        errors.chain(recent).collect()
    }

    /// The module under test, its tests or the closest other tests, and their fixtures.
    fn for_tests(&self, ranked: &[Target]) -> Vec<NeededFile> {
        let module = self.targets.iter().take(1).map(|file| NeededFile {
            file: *file,
            least: IN_RAW,
            likely: 0.0,
            why: "the module under test".to_owned(),
        });
        let own = self.targets.iter().flat_map(|target| self.corpus.tests.tests_of(*target)).copied();
        let own = self.best(own, TESTS);
        let tests: Vec<NeededFile> = if own.is_empty() {
            let closest = ranked.iter().take(usize::from(!self.targets.is_empty()));
            let why = "the closest existing test, as a pattern";
            closest.map(|test| needed_test(test.file, why.to_owned())).collect()
        } else {
            own.into_iter()
                .map(|test| needed_test(test, format!("existing test of {}", self.tested_by(test))))
                .collect()
        };
        let mut fixtures: Vec<NeededFile> = Vec::new();
        for test in &tests {
            let why = format!("fixtures of {}", self.path(test.file));
            for file in self.fixtures(test.file) {
                if !fixtures.iter().any(|fixture| fixture.file == file) {
                    fixtures.push(NeededFile { file, least: IN_RAW, likely: 0.5, why: why.as_str().into() });
                }
            }
        }
        fixtures.truncate(FIXTURES);
        module.chain(tests).chain(fixtures).collect()
    }

    /// The target that a test is for.
    fn tested_by(&self, test: FileId) -> &str {
        let tested = self.targets.iter().find(|target| self.corpus.tests.tests_of(**target).contains(&test));
        tested.map_or("a likely target", |target| self.path(*target))
    }

    /// `conftest.py` and similar files in the test's directory and the directories above it, nearest first, followed by
    /// the helpers that the test imports.
    fn fixtures(&self, test: FileId) -> Vec<FileId> {
        let mut found = Vec::new();
        let mut place = directory(self.path(test));
        loop {
            let below = if place.is_empty() { String::new() } else { format!("{place}/") };
            found.extend(FIXTURE_NAMES.iter().filter_map(|name| self.corpus.find(&format!("{below}{name}"))));
            if place.is_empty() {
                break;
            }
            place = directory(place);
        }
        let is_support = |file: &FileId| self.corpus.files[*file].role == Role::TestSupport;
        found.extend(self.corpus.graph.imports(test).iter().copied().filter(is_support));
        found
    }

    /// The files that import a target, and the tests that cover it. Only 5% of the files that import a target change
    /// with it, so without other evidence, they enter RAW only if a person chose the type.
    fn for_refactoring(&self, is_type_given: bool) -> Vec<NeededFile> {
        let mut found = Vec::new();
        for target in self.targets {
            let tests = self.best(self.corpus.tests.tests_of(*target).iter().copied(), 1);
            let covers = |test| needed_test(test, format!("covers {}", self.path(*target)));
            // A third of these tests change.
            found.extend(tests.into_iter().map(|test| NeededFile { likely: 0.35, ..covers(test) }));
        }
        let users = |target: &FileId| self.corpus.graph.imported_by(*target).iter().copied();
        let dependents = self.targets.iter().flat_map(users);
        let dependents =
            dependents.filter(|file| is_product(&self.corpus.files[*file]) && !self.targets.contains(file));
        for (at, file) in self.best(dependents, DEPENDENTS).into_iter().enumerate() {
            let used = self.targets.iter().find(|target| self.corpus.graph.imported_by(**target).contains(&file));
            let used = used.map_or("a likely target", |target| self.path(*target));
            let (least, likely) = if !is_type_given {
                (IN_LINKED, 0.0)
            } else if at < DEPENDENTS_IN_RAW {
                (IN_RAW, 0.25)
            } else {
                (IN_LINKED, 0.25)
            };
            found.push(NeededFile { file, least, likely, why: format!("depends on {used}") });
        }
        found
    }

    /// Documents that describe the whole project, and its entry points.
    fn for_analysis(&self) -> Vec<NeededFile> {
        let documents = ItemId::all(self.corpus.files.len())
            .filter(|item| self.corpus.items[*item].kind == ItemKind::Doc)
            .filter_map(|item| self.corpus.find(&self.corpus.items[item].path))
            .filter(|file| describes_the_project(self.path(*file)));
        let documents = self.best(documents, OVERVIEW_FILES / 2).into_iter().map(|file| NeededFile {
            file,
            least: IN_LINKED,
            likely: 0.0,
            why: "describes the project".to_owned(),
        });
        let entry_points = entry_points(self.corpus).into_iter().filter_map(|path| self.corpus.find(&path));
        let entry_points = entry_points.map(|file| NeededFile {
            file,
            least: IN_LINKED,
            likely: 0.0,
            why: "entry point of the project".to_owned(),
        });
        documents.chain(entry_points).take(OVERVIEW_FILES).collect()
    }

    /// The files that differ from the last commit.
    fn for_review(&self) -> Vec<NeededFile> {
        let dirty = self.corpus.git.iter().flat_map(|git| &git.dirty);
        let changed = dirty.filter_map(|(path, _)| self.corpus.find(path)).take(REVIEWED);
        let why = "changed in the working tree, therefore under review";
        changed.map(|file| NeededFile { file, least: IN_RAW, likely: 0.5, why: why.to_owned() }).collect()
    }
}

fn needed_test(file: FileId, why: String) -> NeededFile {
    NeededFile { file, least: IN_RAW, likely: 0.5, why }
}

/// Names of files that set up the tests of their directory and its subdirectories.
const FIXTURE_NAMES: [&str; 6] =
    ["conftest.py", "spec_helper.rb", "rails_helper.rb", "test_helper.rb", "test_helper.exs", "setupTests.ts"];

/// Returns true if the file's name contains a word for errors.
fn is_about_errors(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    stem.split(['_', '-'])
        .any(|word| matches!(word, "error" | "errors" | "exception" | "exceptions" | "errno" | "panic"))
        || stem.ends_with("error")
        || stem.ends_with("exception")
}

/// Returns true for the root's README and for documents about the architecture.
fn describes_the_project(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_lowercase();
    directory.is_empty() && name.starts_with("readme")
        || ["architecture", "design", "overview"].iter().any(|word| name.starts_with(word))
}

/// Raises the points of the needed files, each with its reason.
pub fn raise(signals: &mut [Vec<Signal>], needed: &[NeededFile]) {
    for NeededFile { file, least, why, .. } in needed {
        let known = &mut signals[*file];
        let sum: i32 = known.iter().map(|signal| i32::from(signal.criterion.points())).sum();
        let missing = i32::from(*least) - sum;
        if missing > 0 {
            known.push(Signal { criterion: Criterion::TaskType(missing as i8), why: why.as_str().into() });
        }
    }
}
