//! The tests that go with the change, and the documents where the task asks for them, best first.

use super::companions::Companions;
use super::evidence::Evidence;
use super::scores::{Criterion, Signal};
use super::targets::Target;
use super::task::{Task, TaskType};
use crate::gather::corpus::Corpus;
use crate::gather::role::Role;
use crate::ids::FileId;

/// Targets whose tests are looked for.
const TARGETS: usize = 8;
/// Tests that are kept.
const MOST: usize = 2;

/// The tests that the change will most probably touch, with the probability, best first.
pub fn rank_tests(corpus: &Corpus, evidence: &Evidence, likely: &[Target], companions: &Companions) -> Vec<Target> {
    let tests: Vec<(FileId, f64)> = FileId::enumerate(&corpus.files)
        .filter(|(_, file)| matches!(file.role, Role::Test | Role::TestSupport))
        .map(|(file, _)| (file, evidence.before_role(file)))
        .collect();
    let best = tests.iter().map(|test| test.1).fold(f64::MIN_POSITIVE, f64::max);
    let likely = &likely[..likely.len().min(TARGETS)];
    let sure = |is: &dyn Fn(FileId) -> bool| {
        likely.iter().filter(|target| is(target.file)).map(|target| target.confidence).fold(0.0, f64::max)
    };
    let mut ranked: Vec<Target> = tests
        .into_iter()
        .map(|(file, own)| {
            let about = sure(&|target| corpus.tests.sources_of(file).contains(&target));
            let imports = sure(&|target| corpus.graph.imports(file).contains(&target));
            let support = f64::from(u8::from(corpus.files[file].role == Role::TestSupport));
            // A logistic curve fitted on the tests of 163 real changes, checked leave one repository out.
            let z =
                -9.1 + 6.9 * own / best + 1.7 * about + 1.05 * imports + 4.0 * companions.tie(file) - 0.65 * support;
            Target { file, confidence: 1.0 / (1.0 + (-z).exp()) }
        })
        .collect();
    ranked.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.file.cmp(&b.file)));
    ranked.truncate(MOST);
    ranked
}

/// Documents that are kept.
const MOST_DOCUMENTS: usize = 2;
/// How likely the best document is to change where the task asks for documents. Not fitted: the development tasks do not say.
const BEST_DOCUMENT: f64 = 0.6;
/// Words that ask for documents.
const ASKING: [&str; 14] = [
    "docs",
    "documentation",
    "readme",
    "changelog",
    "release notes",
    "user guide",
    "man page",
    "dokumentation",
    "documentación",
    "documentação",
    "документац",
    "文档",
    "ドキュメント",
    "문서",
];

/// The documents that fit the task best, if it asks for any.
pub fn rank_documents(corpus: &Corpus, evidence: &Evidence, task: &Task<'_>) -> Vec<Target> {
    let text = task.text.to_lowercase();
    if task.task_type != TaskType::Docs && !ASKING.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let documents = FileId::enumerate(&corpus.files).filter(|(_, file)| file.role == Role::Doc);
    let mut ranked: Vec<(FileId, f64)> = documents.map(|(file, _)| (file, evidence.before_role(file))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(MOST_DOCUMENTS);
    let best = ranked.first().map_or(f64::MIN_POSITIVE, |best| best.1.max(f64::MIN_POSITIVE));
    ranked.into_iter().map(|(file, own)| Target { file, confidence: BEST_DOCUMENT * (own / best).powi(2) }).collect()
}

/// Why a ranked test goes with the change, if a target says so: it is about one, imports one, or changed with one before.
pub fn test_of(corpus: &Corpus, companions: &Companions, test: FileId, likely: &[Target]) -> Option<Signal> {
    let path = |file: FileId| &corpus.files[file].path;
    let likely = &likely[..likely.len().min(TARGETS)];
    let among = |files: &[FileId]| likely.iter().map(|target| target.file).find(|file| files.contains(file));
    let why = if let Some(source) = among(corpus.tests.sources_of(test)) {
        format!("tests {}", path(source))
    } else if let Some((target, commits)) = companions.with.get(&test) {
        let commits = if *commits == 1 { "one past commit".to_owned() } else { format!("{commits} past commits") };
        format!("changed together with {} in {commits}", path(*target))
    } else {
        format!("imports {}", path(among(corpus.graph.imports(test))?))
    };
    Some(Signal { criterion: Criterion::TestOf, why })
}
