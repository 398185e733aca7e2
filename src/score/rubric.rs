//! The nine criteria, each with the evidence that earned it.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::evidence::{Evidence, best};
use super::neighbours::directory;
use super::reasons;
use super::scores::{Criterion, Signal};
use super::targets::Target;
use crate::gather::corpus::Corpus;
use crate::project::clock;

/// A month, in seconds.
const MONTH: i64 = 30 * 86_400;

/// Files with so much evidence that one telling word of their own names counts as naming them.
const LIKELY: usize = 30;

/// Every file's signals.
pub fn signals(corpus: &Corpus, evidence: &Evidence, targets: &[Target], sure: f64) -> Vec<Vec<Signal>> {
    let mut signals: Vec<Vec<Signal>> = vec![Vec::new(); corpus.files.len()];
    let chosen: HashSet<usize> = targets.iter().map(|target| target.file).collect();
    let sure: Vec<usize> = targets
        .iter()
        .enumerate()
        .filter(|(at, target)| *at == 0 || target.confidence >= sure)
        .map(|(_, target)| target.file)
        .collect();
    signals.par_iter_mut().enumerate().for_each(|(file, signals)| {
        let mut add = |criterion, why| signals.push(Signal { criterion, why });
        if let Some(why) = reasons::named(corpus, evidence, file, chosen.contains(&file)) {
            add(Criterion::Named, why);
        }
        if let Some(why) = reasons::planned(evidence, file) {
            add(Criterion::PlanStep, why);
        }
    });
    for target in targets {
        let why = reasons::modified(corpus, evidence, target);
        signals[target.file].push(Signal { criterion: Criterion::Modified, why });
    }
    for (file, (criterion, why)) in hops(corpus, &sure, &chosen) {
        signals[file].push(Signal { criterion, why });
    }
    places(corpus, &sure, &chosen, &mut signals);
    recent(corpus, &mut signals);
    for target in &sure {
        for test in corpus.tests.tests_of(*target) {
            let tested = &corpus.files[*target].path;
            let known = &mut signals[*test as usize];
            if !known.iter().any(|signal| signal.criterion == Criterion::TestOf) {
                known.push(Signal { criterion: Criterion::TestOf, why: format!("tests {tested}") });
            }
        }
    }
    if !targets.is_empty() {
        name_likely(corpus, evidence, &mut signals);
    }
    signals
}

/// Files with much evidence that nothing else speaks for: one telling word of their own names lifts them from a mention
/// to a reference. Not those around a target, which share its words anyway.
fn name_likely(corpus: &Corpus, evidence: &Evidence, signals: &mut [Vec<Signal>]) {
    for file in best(&evidence.sum, LIKELY) {
        let known = &mut signals[file];
        let points: i8 = known.iter().map(|signal| signal.criterion.points()).sum();
        if points <= 3
            && !known.iter().any(|signal| signal.criterion == Criterion::Named)
            && let Some(why) = reasons::named(corpus, evidence, file, true)
        {
            known.insert(0, Signal { criterion: Criterion::Named, why });
        }
    }
}

/// Files one and two imports away from the sure targets, with the way there.
fn hops(corpus: &Corpus, sure: &[usize], chosen: &HashSet<usize>) -> HashMap<usize, (Criterion, String)> {
    let mut found: HashMap<usize, (Criterion, String)> = HashMap::new();
    let mut edge: Vec<(usize, usize)> = Vec::new();
    let path = |file: usize| corpus.files[file].path.as_str();
    for target in sure {
        for user in corpus.graph.imported_by(*target) {
            found.entry(*user as usize).or_insert_with(|| {
                edge.push((*user as usize, *target));
                (Criterion::OneHop, format!("imports {}", path(*target)))
            });
        }
        for used in corpus.graph.imports(*target) {
            found.entry(*used as usize).or_insert_with(|| {
                edge.push((*used as usize, *target));
                (Criterion::OneHop, format!("imported by {}", path(*target)))
            });
        }
    }
    let touch = |via: usize, target: usize| {
        let target = target as u32;
        corpus.graph.imports(via).contains(&target) || corpus.graph.imported_by(via).contains(&target)
    };
    for (via, target) in edge {
        let near = corpus.graph.imported_by(via).iter().map(|file| (*file, "imports"));
        for (file, verb) in near.chain(corpus.graph.imports(via).iter().map(|file| (*file, "imported by"))) {
            // The first target is not two steps away from itself; another one is, when a file joins them.
            if sure.len() < 2 && chosen.contains(&(file as usize)) {
                continue;
            }
            found.entry(file as usize).or_insert_with(|| {
                let other = |other: &&usize| **other != file as usize && touch(via, **other);
                let from = if target == file as usize { sure.iter().find(other).copied() } else { Some(target) };
                let from = from.map_or("where the change is expected", path);
                (Criterion::TwoHop, format!("{verb} {}, one step from {from}", path(via)))
            });
        }
    }
    found
}

/// Same directory, same top-level directory.
fn places(corpus: &Corpus, sure: &[usize], chosen: &HashSet<usize>, signals: &mut [Vec<Signal>]) {
    let mut modules: HashMap<&str, usize> = HashMap::new();
    let mut domains: HashMap<&str, usize> = HashMap::new();
    for target in sure {
        let path = corpus.files[*target].path.as_str();
        modules.entry(directory(path)).or_insert(*target);
        if let Some((domain, _)) = path.split_once('/') {
            domains.entry(domain).or_insert(*target);
        }
    }
    signals.par_iter_mut().enumerate().for_each(|(file, signals)| {
        let path = corpus.files[file].path.as_str();
        let place = directory(path);
        let target = chosen.contains(&file);
        let mut add = |criterion, why| signals.push(Signal { criterion, why });
        let shown = || if place.is_empty() { "the project's root".to_owned() } else { format!("{place}/") };
        match modules.get(place) {
            Some(of) if *of == file => {
                add(Criterion::SameModule, format!("{} is where the change is expected", shown()));
            }
            Some(of) => add(Criterion::SameModule, format!("in {}, with {}", shown(), corpus.files[*of].path)),
            None if target => add(Criterion::SameModule, format!("{} is a module of the task", shown())),
            None => {}
        }
        let domain = path.split_once('/').map(|(domain, _)| domain);
        if let Some(domain) = domain.filter(|domain| target || domains.contains_key(domain)) {
            add(Criterion::SameDomain, format!("in {domain}/, like the probable targets"));
        }
    });
}

/// Changed in the 30 days before the last commit, or in the working tree; without git in the last 30 days by the file's own time.
fn recent(corpus: &Corpus, signals: &mut [Vec<Signal>]) {
    // A day, not how long ago it was: with git the 30 days are those before the last commit, whatever the clock says.
    let day = |time: i64| clock::iso(time)[..10].to_owned();
    let mut add = |file: usize, why: &dyn Fn() -> String| {
        if !signals[file].iter().any(|signal| signal.criterion == Criterion::Recent) {
            signals[file].push(Signal { criterion: Criterion::Recent, why: why() });
        }
    };
    let Some(git) = &corpus.git else {
        for (index, file) in corpus.files.iter().enumerate() {
            if corpus.now - file.modified <= MONTH {
                add(index, &|| format!("modified {} by its file time", day(file.modified)));
            }
        }
        return;
    };
    for (path, _) in &git.dirty {
        if let Some(file) = corpus.find(path) {
            add(file, &|| "changed in the working tree".to_owned());
        }
    }
    for commit in git.commits.iter().filter(|commit| corpus.now - commit.time <= MONTH) {
        let why = || {
            let id = &commit.id[..7.min(commit.id.len())];
            format!("changed {} in {id} ({})", day(commit.time), reasons::subject(&commit.message))
        };
        for file in commit.paths.iter().filter_map(|path| corpus.find(path)) {
            add(file, &why);
        }
    }
}
