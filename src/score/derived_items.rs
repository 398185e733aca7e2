//! Gives items derived from a file, such as its diff and the commits that changed it, the score of the file.

use super::scores::{HotLines, Scores};
use crate::gather::Corpus;
use crate::gather::item::Item;

/// Difference in rank between a file and the items derived from it.
const BEHIND: f64 = 0.5;

/// Gives every item that belongs to a file the file's score, and sorts again.
pub fn share_scores(scores: &mut Scores, corpus: &Corpus) {
    let mut moved = false;
    for (index, item) in corpus.items.iter().enumerate() {
        let Some(file) = item.about else { continue };
        let Some(mut score) = scores.items.get(file.index()).cloned() else { continue };
        score.rank -= BEHIND;
        score.hot = HotLines::default();
        scores.items[index] = score;
        moved = true;
    }
    if moved {
        super::assemble::reorder(scores, corpus);
    }
}

/// Adds items that can be created only when the targets are known.
pub fn add(scores: &mut Scores, corpus: &mut Corpus, items: Vec<Item>) {
    scores.items.extend(items.iter().map(|_| super::Score::default()));
    corpus.items.extend(items);
    share_scores(scores, corpus);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::gather::item::{ItemKind, Source};
    use crate::gather::samples;
    use crate::ids::{FileId, ItemId};
    use crate::score::Score;

    #[test]
    fn a_diff_has_the_score_of_its_file() {
        let (_dir, mut corpus) = samples::corpus(&[("a.rs", "fn main() {}\n"), ("b.rs", "fn main() {}\n")]);
        let score = |points, rank| Score { points, rank, ..Score::default() };
        let mut scores = Scores {
            items: vec![score(2, 10.0), score(8, 900.0)],
            order: vec![ItemId::new(1), ItemId::new(0)],
            ..Scores::default()
        };
        let diff = |path: &str, about| Item {
            kind: ItemKind::Changes,
            path: path.to_owned(),
            source: Source::Text(Arc::from("+1\n")),
            about: Some(about),
        };
        add(&mut scores, &mut corpus, vec![diff("changes:a.rs", FileId::new(0)), diff("changes:b.rs", FileId::new(1))]);
        assert_eq!(scores.items.iter().map(|score| score.points).collect::<Vec<_>>(), [2, 8, 2, 8]);
        assert_eq!(scores.order, [1, 3, 0, 2].map(ItemId::new));
    }
}
