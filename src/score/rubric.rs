//! The nine criteria, each with the evidence that earned it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::evidence::{Evidence, is_product};
use super::mentions::MentionKind;
use super::naming::{self, Naming, Plausibility};
use super::neighbours::directory;
use super::reasons;
use super::scores::{Criterion, Signal};
use super::targets::Target;
use super::weights::Weights;
use crate::gather::corpus::Corpus;
use crate::gather::git::StatusChange;
use crate::ids::FileId;
use crate::project::clock;

/// Number of seconds in a month.
const MONTH: i64 = 30 * 86_400;

/// Maximum number of neighbours of the file in the middle of a chain of two imports. A file with more neighbours
/// connects nearly everything.
const MOST_JOINED: usize = 25;
/// Minimum number of files in a bulk commit. Commits that changed more than half of the project, or all of its files,
/// do not count as recent changes.
const BULK: usize = 5;

/// The signals of every file.
pub fn signals(corpus: &Corpus, evidence: &Evidence, targets: &[Target], weights: &Weights) -> Vec<Vec<Signal>> {
    let mut signals: Vec<Vec<Signal>> = vec![Vec::new(); corpus.files.len()];
    let modified: Vec<&Target> = targets.iter().filter(|target| is_modified(evidence, target, weights)).collect();
    let likely: HashSet<FileId> = modified.iter().map(|target| target.file).collect();
    let changed = super::review::changed_sources(corpus);
    let sure: Vec<FileId> = modified
        .iter()
        .enumerate()
        .filter(|(at, target)| *at == 0 || target.confidence >= weights.target_sure)
        .map(|(_, target)| target.file)
        .chain(changed.iter().copied())
        .collect();
    // The evidence for these less certain targets already includes their neighbours, so they get no points as neighbours.
    let unsure: HashSet<FileId> = likely.iter().copied().filter(|file| !sure.contains(file)).collect();
    let naming = Naming::new(corpus, evidence);
    signals.par_iter_mut().enumerate().for_each(|(file, signals)| {
        let file = FileId::new(file);
        let mut add = |criterion, why: String| signals.push(Signal { criterion, why: why.into() });
        let plausibility = if likely.contains(&file) {
            Plausibility::Likely
        } else if targets.iter().any(|target| target.file == file) {
            Plausibility::Possible
        } else {
            Plausibility::Unlikely
        };
        if let Some(why) = naming.named(file, plausibility) {
            add(Criterion::Named, why);
        }
        if let Some(why) = naming::planned(evidence, file) {
            add(Criterion::PlanStep, why);
        }
    });
    let tested: Vec<FileId> = modified.iter().map(|target| target.file).chain(changed).collect();
    for target in modified {
        let why = reasons::modified(corpus, evidence, target);
        signals[target.file].push(Signal { criterion: Criterion::Modified, why: why.into() });
    }
    for (file, (criterion, why)) in hops(corpus, &sure).into_iter().filter(|(file, _)| !unsure.contains(file)) {
        signals[file].push(Signal { criterion, why: why.into() });
    }
    places(corpus, &sure, &unsure, &mut signals);
    recent(corpus, &mut signals);
    tests(corpus, &tested, &mut signals);
    signals
}

/// Returns true if the file will probably change: its confidence is high enough, evidence points to its lines, or the
/// plan names it.
fn is_modified(evidence: &Evidence, target: &Target, weights: &Weights) -> bool {
    target.confidence >= weights.target_modified
        || evidence.places.contains_key(&target.file)
        || evidence.planned.files.get(&target.file).is_some_and(|mention| mention.kind >= MentionKind::Name)
}

/// Adds signals for the tests of files that will probably change.
fn tests(corpus: &Corpus, tested: &[FileId], signals: &mut [Vec<Signal>]) {
    for target in tested {
        for test in corpus.tests.tests_of(*target) {
            let tested = &corpus.files[*target].path;
            let known = &mut signals[*test];
            if !known.iter().any(|signal| signal.criterion == Criterion::TestOf) {
                known.push(Signal { criterion: Criterion::TestOf, why: format!("tests {tested}").into() });
            }
        }
    }
}

/// Files one or two imports away from sure targets, with the path between them.
fn hops(corpus: &Corpus, sure: &[FileId]) -> HashMap<FileId, (Criterion, String)> {
    let mut found: HashMap<FileId, (Criterion, String)> = HashMap::new();
    let mut edges: Vec<(FileId, FileId)> = Vec::new();
    let path = |file: FileId| corpus.files[file].path.as_str();
    for target in sure {
        for (file, verb) in neighbours(corpus, *target) {
            edges.push((file, *target));
            found.entry(file).or_insert_with(|| (Criterion::OneHop, format!("{verb} {}", path(*target))));
        }
    }
    for (via, target) in edges {
        let joined = corpus.graph.imported_by(via).len() + corpus.graph.imports(via).len();
        // A test imports not only the code that it tests, but also many other files.
        if joined > MOST_JOINED || !is_product(&corpus.files[via]) {
            continue;
        }
        for (file, verb) in neighbours(corpus, via).filter(|(file, _)| *file != target) {
            found.entry(file).or_insert_with(|| {
                (Criterion::TwoHop, format!("{verb} {}, one import away from {}", path(via), path(target)))
            });
        }
    }
    found
}

/// Files that import a file or are imported by it, each with a description.
fn neighbours(corpus: &Corpus, file: FileId) -> impl Iterator<Item = (FileId, &'static str)> {
    let users = corpus.graph.imported_by(file).iter().map(|user| (*user, "imports"));
    users.chain(corpus.graph.imports(file).iter().map(|used| (*used, "imported by")))
}

/// Adds signals for the same directory and the same top-level directory.
fn places(corpus: &Corpus, sure: &[FileId], unsure: &HashSet<FileId>, signals: &mut [Vec<Signal>]) {
    // The reasons for the target itself and for the other files of its directory.
    let mut modules: HashMap<&str, [Arc<str>; 2]> = HashMap::new();
    let mut domains: HashMap<&str, Arc<str>> = HashMap::new();
    for target in sure {
        let path = corpus.files[*target].path.as_str();
        modules.entry(directory(path)).or_insert_with(|| {
            let own = format!("in the directory of a likely target ({})", shown(directory(path)));
            [own.into(), format!("same directory as {path}").into()]
        });
        if let Some((domain, _)) = path.split_once('/') {
            let why = || format!("same top-level directory ({domain}/) as likely targets").into();
            domains.entry(domain).or_insert_with(why);
        }
    }
    signals.par_iter_mut().enumerate().for_each(|(file, signals)| {
        let file = FileId::new(file);
        let path = corpus.files[file].path.as_str();
        let module = modules.get(directory(path)).and_then(|[own, beside]| {
            if sure.contains(&file) { Some(own) } else { (!unsure.contains(&file)).then_some(beside) }
        });
        let domain = path.split_once('/').and_then(|(domain, _)| domains.get(domain));
        let signal = |criterion| move |why: &Arc<str>| Signal { criterion, why: Arc::clone(why) };
        // Reserves no spare capacity, because this loop can include all files of the project.
        signals.reserve_exact(usize::from(module.is_some()) + usize::from(domain.is_some()));
        signals.extend(module.map(signal(Criterion::SameModule)));
        signals.extend(domain.map(signal(Criterion::SameDomain)));
    });
}

/// A directory for display.
fn shown(directory: &str) -> String {
    if directory.is_empty() { "the project's root".to_owned() } else { format!("{directory}/") }
}

/// Returns true if a commit with this many changed files carries no information about any single file, such as the
/// initial import of a young project.
pub(super) fn is_bulk(corpus: &Corpus, touched: usize) -> bool {
    touched >= corpus.files.len() || touched >= BULK && touched * 2 > corpus.files.len()
}

/// Adds signals for files that a commit changed in the last 30 days, or that are changed in the working tree. Without
/// git, the modification time counts.
fn recent(corpus: &Corpus, signals: &mut [Vec<Signal>]) {
    let day = |time: i64| clock::iso(time)[..10].to_owned();
    let mut add = |file: FileId, why: &dyn Fn() -> Arc<str>| {
        if !signals[file].iter().any(|signal| signal.criterion == Criterion::Recent) {
            signals[file].push(Signal { criterion: Criterion::Recent, why: why() });
        }
    };
    let is_bulk = |touched: usize| is_bulk(corpus, touched);
    let Some(git) = &corpus.git else {
        let is_new = |time: i64| corpus.now - time <= MONTH;
        // In a fresh copy, all file times are new.
        if is_bulk(corpus.files.iter().filter(|file| is_new(file.modified)).count()) {
            return;
        }
        for (index, file) in FileId::enumerate(&corpus.files).filter(|(_, file)| is_new(file.modified)) {
            add(index, &|| format!("modified {} according to its file time", day(file.modified)).into());
        }
        return;
    };
    let in_the_working_tree: Arc<str> = "changed in the working tree".into();
    // Before the first commit, every file is untracked.
    let untracked = git.dirty.iter().filter(|(_, change)| *change == StatusChange::Untracked).count();
    let counts = |change: StatusChange| change != StatusChange::Untracked || !is_bulk(untracked);
    for (path, _) in git.dirty.iter().filter(|(_, change)| counts(*change)) {
        if let Some(file) = corpus.find(path) {
            add(file, &|| Arc::clone(&in_the_working_tree));
        }
    }
    let recent = git.commits.iter().filter(|commit| corpus.now - commit.time <= MONTH);
    for commit in recent.filter(|commit| !is_bulk(commit.touched as usize)) {
        let (day, id) = (day(commit.time), reasons::short(commit));
        let why: Arc<str> = format!("changed {day} in {id} ({})", reasons::subject(&commit.message)).into();
        for file in commit.paths.iter().filter_map(|path| corpus.find(path)) {
            add(file, &|| Arc::clone(&why));
        }
    }
}
