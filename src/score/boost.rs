//! Applies the boosts of the configuration.

use globset::Glob;

use super::assemble::{points, reorder};
use super::scores::{Criterion, Scores, Signal};
use crate::error::{Error, Result};
use crate::gather::Corpus;

/// Effect of a point on the rank within a tier.
const RANK: f64 = 100.0;

/// Adds points to files that match the globs, with the glob as the reason, and sorts again.
pub fn boost(scores: &mut Scores, corpus: &Corpus, boosts: &[(&str, i8)]) -> Result<()> {
    if boosts.is_empty() {
        return Ok(());
    }
    for (glob, by) in boosts {
        let matcher = Glob::new(glob)
            .map_err(|error| {
                Error::input(format!("`{glob}` is not a glob: {}", error.kind()), "fix `boosts` in config.yaml")
            })?
            .compile_matcher();
        for (item, score) in corpus.items.iter().zip(&mut scores.items) {
            if matcher.is_match(&item.path) {
                let why = format!("matches `{glob}` in the configuration");
                score.signals.push(Signal { criterion: Criterion::Boost(*by), why });
                score.points = points(&score.signals);
                score.rank += RANK * f64::from(*by);
            }
        }
    }
    reorder(scores, corpus);
    Ok(())
}
