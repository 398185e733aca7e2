//! Tests of the change, and documents if the task asks for them, best first.

use super::companions::Companions;
use super::evidence::Evidence;
use super::scores::{Criterion, Signal};
use super::targets::Target;
use super::task::{Task, TaskType};
use crate::gather::corpus::Corpus;
use crate::gather::role::Role;
use crate::ids::FileId;

/// Number of targets whose tests are searched for.
const TARGETS: usize = 8;
/// Maximum number of tests.
const MOST: usize = 2;

/// Tests that the change will probably touch, with the probability, best first.
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
            // The logistic model was fitted on the tests of 163 real changes, and checked with one repository left out
            // at a time.
            let z =
                -9.1 + 6.9 * own / best + 1.7 * about + 1.05 * imports + 4.0 * companions.tie(file) - 0.65 * support;
            Target { file, confidence: 1.0 / (1.0 + (-z).exp()) }
        })
        .collect();
    ranked.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.file.cmp(&b.file)));
    ranked.truncate(MOST);
    ranked
}

/// Maximum number of documents.
const MOST_DOCUMENTS: usize = 2;
/// Likelihood that the best document changes if the task asks for documents. It is not fitted, because the development
/// tasks do not record documents.
const BEST_DOCUMENT: f64 = 0.6;
/// Number of documents whose lines are read.
const READ_DOCUMENTS: usize = 24;
/// Weight of past commits that changed a document together with likely targets, relative to the document's words.
const COMPANION: f64 = 3.0;
/// Words that request documents.
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

/// The documents that match the task best, if it asks for documents. They are chosen by all their words, by their best
/// lines (only one page of a long reference may be relevant), and by past commits that changed them together with
/// likely targets.
pub fn rank_documents(
    corpus: &Corpus,
    evidence: &mut Evidence,
    task: &Task<'_>,
    companions: &Companions,
) -> Vec<Target> {
    let text = task.text.to_lowercase();
    if task.task_type != TaskType::Docs && !ASKING.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let is_document = |path: &str, role: Role| role == Role::Doc && !is_past_release(path);
    let documents = FileId::enumerate(&corpus.files).filter(|(_, file)| is_document(&file.path, file.role));
    let mut ranked: Vec<(FileId, f64)> =
        documents.map(|(file, _)| (file, evidence.before_role(file) + companions.tie(file))).collect();
    let by_worth = |a: &(FileId, f64), b: &(FileId, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    ranked.sort_by(by_worth);
    ranked.truncate(READ_DOCUMENTS);
    evidence.read_also(corpus, &ranked.iter().map(|document| document.0).collect::<Vec<FileId>>());
    let lines = |file: FileId| evidence.readings.get(&file).map_or(0.0, |reading| f64::from(reading.best));
    let whole = |file: FileId| evidence.lexical_share(file);
    let most = |value: &dyn Fn(FileId) -> f64| {
        ranked.iter().map(|document| value(document.0)).fold(f64::MIN_POSITIVE, f64::max)
    };
    let (most_lines, most_whole) = (most(&lines), most(&whole));
    let mut ranked: Vec<(FileId, f64)> = ranked
        .iter()
        .map(|(file, _)| {
            let own = lines(*file) / most_lines + whole(*file) / most_whole;
            (*file, own + COMPANION * companions.tie(*file))
        })
        .collect();
    ranked.sort_by(by_worth);
    ranked.truncate(MOST_DOCUMENTS);
    let best = ranked.first().map_or(f64::MIN_POSITIVE, |best| best.1.max(f64::MIN_POSITIVE));
    ranked.into_iter().map(|(file, own)| Target { file, confidence: BEST_DOCUMENT * (own / best).powi(2) }).collect()
}

/// Returns true for the release notes of one version (`docs/releases/5.2.txt`), which do not change after the
/// release.
fn is_past_release(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let version = name.rsplit_once('.').map_or(name, |(stem, _)| stem).trim_start_matches('v');
    version.contains('.') && version.chars().all(|character| character.is_ascii_digit() || character == '.')
}

/// The reason why a test belongs to the change: it tests or imports a target, or changed together with one.
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
    Some(Signal { criterion: Criterion::TestOf, why: why.into() })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::gather::samples;
    use crate::score::targets::likelihoods;
    use crate::score::tests::gather;
    use crate::score::weights::Weights;

    const SHOP: [(&str, &str); 7] = [
        ("shop/refund.py", "def refund_payment(cents):\n    return cents\n"),
        ("shop/letter.py", "def render_letter(name):\n    return name\n"),
        ("tests/test_refund.py", "from shop.refund import refund_payment\n\ndef test_refund_payment():\n    pass\n"),
        ("tests/test_letter.py", "from shop.letter import render_letter\n\ndef test_letter():\n    pass\n"),
        ("tests/test_stock.py", "def test_stock():\n    pass\n"),
        ("docs/refunds.md", "# Refunds\n\nA refund pays the payment back in cents.\n"),
        ("docs/letters.md", "# Letters\n\nA letter has a name.\n"),
    ];

    fn scored<T>(root: &Path, text: &str, with: impl Fn(&Corpus, Evidence, &[Target], &Task<'_>) -> T) -> T {
        let task = Task::new(text);
        let corpus = gather(root, &task);
        let evidence = Evidence::new(&corpus, &task, &Weights::default());
        let likely = likelihoods(&corpus, &evidence);
        with(&corpus, evidence, &likely, &task)
    }

    fn paths(corpus: &Corpus, ranked: &[Target]) -> Vec<String> {
        ranked.iter().map(|target| corpus.files[target.file].path.clone()).collect()
    }

    fn documents(text: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        samples::write(dir.path(), &SHOP);
        scored(dir.path(), text, |corpus, mut evidence, _, task| {
            paths(corpus, &rank_documents(corpus, &mut evidence, task, &Companions::default()))
        })
    }

    #[test]
    fn the_test_of_a_likely_target_comes_first_with_a_reason() {
        let dir = tempfile::tempdir().unwrap();
        samples::write(dir.path(), &SHOP);
        scored(dir.path(), "Refund the payment in full", |corpus, evidence, likely, _| {
            let companions = Companions::default();
            let ranked = rank_tests(corpus, &evidence, likely, &companions);
            assert_eq!(paths(corpus, &ranked)[0], "tests/test_refund.py");
            assert_eq!(ranked.len(), MOST);
            assert!(ranked[0].confidence > 2.0 * ranked[1].confidence);
            let signal = test_of(corpus, &companions, ranked[0].file, likely).unwrap();
            assert_eq!((signal.criterion, &*signal.why), (Criterion::TestOf, "tests shop/refund.py"));
        });
    }

    #[test]
    fn a_test_without_a_target_has_no_reason() {
        let dir = tempfile::tempdir().unwrap();
        samples::write(dir.path(), &SHOP);
        scored(dir.path(), "Refund the payment in full", |corpus, _, likely, _| {
            let stock = corpus.find("tests/test_stock.py").unwrap();
            assert!(test_of(corpus, &Companions::default(), stock, likely).is_none());
        });
    }

    #[test]
    fn documents_are_included_only_if_the_task_requests_them() {
        assert!(documents("Refund the payment in full").is_empty());
        assert_eq!(documents("Refund the payment in full; update the docs")[0], "docs/refunds.md");
    }

    #[test]
    fn release_notes_of_past_versions_are_excluded() {
        assert!(is_past_release("docs/releases/5.2.txt") && is_past_release("v1.10.3.md"));
        assert!(!is_past_release("docs/ref/django-admin.txt") && !is_past_release("docs/5.txt"));
        assert!(!is_past_release("docs/http2.md"));
    }
}
