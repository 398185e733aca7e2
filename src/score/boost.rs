//! Points from outside the project: the boosts of the configuration, and the requests of agents.

use globset::Glob;

use super::assemble::{points, reorder};
use super::scores::{Criterion, Scores, Signal};
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::ids::ItemId;

/// Amount that one point adds to the rank within a tier.
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
                score.signals.push(Signal { criterion: Criterion::Boost(*by), why: why.into() });
                score.points = points(&score.signals);
                score.rank += RANK * f64::from(*by);
            }
        }
    }
    reorder(scores, corpus);
    Ok(())
}

/// Adds points to the files that agents fetched during the previous turn, and sorts again.
pub fn requested(scores: &mut Scores, corpus: &Corpus, requested: &[(String, String)]) {
    if requested.is_empty() {
        return;
    }
    for (path, why) in requested {
        let Some(file) = corpus.find(path) else { continue };
        let score = &mut scores.items[ItemId::from(file)];
        score.signals.push(Signal { criterion: Criterion::Requested, why: why.as_str().into() });
        score.points = points(&score.signals);
        score.rank += RANK * f64::from(Criterion::Requested.points());
    }
    reorder(scores, corpus);
}
