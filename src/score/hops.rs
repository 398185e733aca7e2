//! Finds files that are a few imports away from pinned ones, nearest first.

use std::collections::HashSet;

use super::required::{RequiredForm, RequiredGroup, RequiredItem};
use super::scores::{Criterion, Scores, Signal};
use crate::gather::Corpus;
use crate::gather::role::Role;
use crate::ids::{FileId, ItemId};

/// Rank of the nearest neighbour. Each further neighbour is ranked one lower.
const FIRST_RANK: f64 = 50_000.0;
/// Maximum number of neighbours that are included.
const MOST: usize = 500;
/// Share of the available tokens for the full text of files at one distance. The rest is for outlines of files further
/// away.
const FULL_SHARE: usize = 60;

/// Scores the neighbours of pinned files up to a distance, and marks content to place first: an outline of each
/// neighbour, nearest first, and then the full text of neighbours as far as the budget allows.
pub fn mark(scores: &mut Scores, corpus: &Corpus, pinned: &[FileId], hops: u8) {
    let mut found = corpus.graph.hops(pinned, hops);
    let is_test = |file: FileId| matches!(corpus.files[file].role, Role::Test | Role::TestSupport);
    let pins: HashSet<FileId> = pinned.iter().copied().collect();
    let is_used = |file: FileId| corpus.graph.imported_by(file).iter().any(|user| pins.contains(user));
    // At the same distance, files that the pinned ones use come first, then files that use them, then tests.
    found.sort_by_key(|(file, distance)| (*distance, is_test(*file), !is_used(*file), *file));
    found.truncate(MOST);
    let mut groups = Vec::new();
    for distance in 1..=hops {
        let near: Vec<FileId> = found.iter().filter(|(_, at)| *at == distance).map(|(file, _)| *file).collect();
        let wanted = |forms: &[RequiredForm]| -> Vec<RequiredItem> {
            near.iter().map(|file| RequiredItem { item: ItemId::from(*file), forms: forms.to_vec() }).collect()
        };
        groups.push(RequiredGroup { share: 100, items: wanted(&[RequiredForm::Outline, RequiredForm::Whole]) });
        groups.push(RequiredGroup { share: FULL_SHARE, items: wanted(&[RequiredForm::Whole]) });
    }
    let all =
        found.iter().map(|(file, _)| RequiredItem { item: ItemId::from(*file), forms: vec![RequiredForm::Whole] });
    groups.push(RequiredGroup { share: 100, items: all.collect() });
    let mut nearer: HashSet<FileId> = pins.clone();
    for (position, (file, distance)) in found.iter().enumerate() {
        let why = why(corpus, *file, *distance, &nearer, &pins);
        nearer.insert(*file);
        let score = &mut scores.items[*file];
        score.signals.push(Signal { criterion: Criterion::Neighbour, why: why.into() });
        score.points = super::assemble::points(&score.signals);
        score.rank = FIRST_RANK - position as f64;
    }
    scores.required.extend(groups);
    super::assemble::reorder(scores, corpus);
}

/// Describes the import that connects a file to a pinned file, or to a file nearer to a pinned one.
fn why(corpus: &Corpus, file: FileId, distance: u8, nearer: &HashSet<FileId>, pins: &HashSet<FileId>) -> String {
    let first = |files: &[FileId]| {
        files
            .iter()
            .find(|file| pins.contains(file))
            .or_else(|| files.iter().find(|file| nearer.contains(file)))
            .copied()
    };
    let path = |file: FileId| corpus.files[file].path.as_str();
    let end = match distance {
        1 => ", which is pinned".to_owned(),
        2 => ", one import away from a pin".to_owned(),
        _ => format!(", {} imports away from a pin", distance - 1),
    };
    match (first(corpus.graph.imported_by(file)), first(corpus.graph.imports(file))) {
        (Some(user), _) => format!("imported by {}{end}", path(user)),
        (None, Some(used)) => format!("imports {}{end}", path(used)),
        (None, None) => format!("{distance} imports away from a pin"),
    }
}
