//! Ranks moved by the configuration: what matters more or less here than the evidence says.

use globset::Glob;

use super::scores::Scores;
use crate::error::{Error, Result};
use crate::gather::Corpus;

/// Adds points to the rank of what each glob matches, and orders again.
pub fn boost(scores: &mut Scores, corpus: &Corpus, boosts: &[(&str, f64)]) -> Result<()> {
    if boosts.is_empty() {
        return Ok(());
    }
    for (glob, points) in boosts {
        let matcher = Glob::new(glob)
            .map_err(|error| {
                Error::input(format!("`{glob}` is not a glob: {}", error.kind()), "mend `boosts` in config.yaml")
            })?
            .compile_matcher();
        for (item, score) in corpus.items.iter().zip(&mut scores.items) {
            if matcher.is_match(&item.path) {
                score.rank += points;
            }
        }
    }
    scores.order = super::assemble::order(corpus, &scores.items);
    Ok(())
}
