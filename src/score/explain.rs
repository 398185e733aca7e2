//! Explains an item's score, and gives advice on raising it.

use super::neighbours::directory;
use super::scores::{Criterion, Priority, Scores, Signal};
use crate::gather::corpus::Corpus;
use crate::ids::ItemId;

/// The explanation of an item's score.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// Points.
    pub points: u8,
    /// 1-based position in the order of points.
    pub place: usize,
    /// Rank, which orders items with equal points.
    pub rank: f64,
    /// Priority class, which determines the base of the rank.
    pub priority: Priority,
    /// The criteria that it meets.
    pub met: Vec<Signal>,
    /// Evidence that is too weak for points.
    pub weak_evidence: Option<String>,
    /// Criteria that the item does not meet, each with advice, most points first.
    pub missing: Vec<Signal>,
}

/// Explains one item's score.
pub fn explain(corpus: &Corpus, scores: &Scores, item: ItemId) -> Explanation {
    let score = &scores.items[item];
    // The list on the screen is ordered by points and then by rank, so this counts the items before this one.
    let better = scores.order.iter().filter(|other| scores.items[**other].points > score.points).count();
    let same = scores.order.iter().take_while(|other| **other != item);
    let place = 1 + better + same.filter(|other| scores.items[**other].points == score.points).count();
    let met: Vec<Criterion> = score.signals.iter().map(|signal| signal.criterion).collect();
    let mut missing: Vec<Signal> = Vec::new();
    if let Some(file) = corpus.file_of(item)
        && score.points < 10
    {
        for criterion in Criterion::ALL.into_iter().filter(|criterion| !met.contains(criterion)) {
            if criterion == Criterion::TwoHop && met.contains(&Criterion::OneHop) {
                continue;
            }
            missing.push(Signal { criterion, why: how_to_earn(corpus, scores, &file.path, criterion).into() });
        }
        missing.sort_by_key(|signal| std::cmp::Reverse(signal.criterion.points()));
    }
    let weak_evidence = score.weak_evidence.clone();
    Explanation {
        points: score.points,
        place,
        rank: score.rank,
        priority: score.priority,
        met: score.signals.clone(),
        weak_evidence,
        missing,
    }
}

/// Advice on how to meet a criterion, with names from the project.
fn how_to_earn(corpus: &Corpus, scores: &Scores, path: &str, criterion: Criterion) -> String {
    let general = criterion.how_to_earn();
    let target = scores.targets.first().map(|(file, _)| corpus.files[*file].path.as_str());
    let detail = match (criterion, target) {
        (Criterion::Named, _) => {
            let name = path.rsplit('/').next().unwrap_or(path);
            let symbols = corpus.find(path).map(|file| &corpus.files[file].symbols);
            let defined = symbols.and_then(|symbols| symbols.iter().find(|symbol| symbol.name.len() > 3));
            match defined {
                Some(symbol) => format!("for example `{name}` or `{}`", symbol.name),
                None => format!("for example `{name}`"),
            }
        }
        (Criterion::Modified, Some(target)) => format!("the strongest evidence is for {target}"),
        (Criterion::OneHop | Criterion::TwoHop | Criterion::TestOf, Some(target)) => {
            format!("the likeliest target is {target}")
        }
        (Criterion::SameModule, Some(target)) => match directory(target) {
            "" => "the likeliest target is in the project's root".to_owned(),
            place => format!("the likeliest target is in {place}/"),
        },
        (Criterion::SameDomain, Some(target)) => match target.split_once('/') {
            Some((domain, _)) => format!("the likeliest target is in {domain}/"),
            None => "the likeliest target is in the project's root".to_owned(),
        },
        (
            Criterion::Modified
            | Criterion::OneHop
            | Criterion::TwoHop
            | Criterion::TestOf
            | Criterion::SameModule
            | Criterion::SameDomain,
            None,
        ) => "but there is no likely target".to_owned(),
        _ => return general.to_owned(),
    };
    format!("{general} ({detail})")
}
