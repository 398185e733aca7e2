//! Weights the words of a long task by history. Most words of a long issue have nothing to do with the change. A word
//! counts more if it occurs in the messages of past commits and in the files that these commits changed.

use super::bm25::Documents;
use super::query::Term;
use crate::ids::FileId;

/// Maximum number of terms in a short text, whose words all have full weight.
const SHORT: f64 = 20.0;
/// Minimum number of terms for history to have its full effect.
const LONG: f64 = 60.0;
/// Weight of a word without support in history.
const LEAST: f64 = 0.3;
/// Number of assumed commits that support every word, so that a single real commit has little effect.
const ASSUMED: f64 = 1.0;

/// A past commit with words of the task in its message.
#[derive(Debug)]
pub struct CommitTerms {
    /// Terms of the task in its message.
    pub terms: Vec<u16>,
    /// Changed files of product code that still exist; never empty.
    pub files: Vec<FileId>,
}

/// Weights every term by its support in history, with more effect in longer tasks.
pub fn weigh(terms: &mut [Term], past: &[CommitTerms], contents: &Documents) {
    let long = ((terms.len() as f64 - SHORT) / (LONG - SHORT)).clamp(0.0, 1.0);
    if long == 0.0 {
        return;
    }
    let shares = shares(terms.len(), past, contents);
    for (term, share) in terms.iter_mut().zip(shares) {
        let kept = 1.0 - long * (1.0 - LEAST) * (1.0 - share);
        term.weight *= kept;
        term.title *= kept;
    }
}

/// For each term, the share of changed files that contain it, averaged over the commits whose message contains it.
fn shares(terms: usize, past: &[CommitTerms], contents: &Documents) -> impl Iterator<Item = f64> {
    let mut tally = vec![(ASSUMED, ASSUMED); terms];
    for said in past {
        for term in &said.terms {
            let has = |file: &&FileId| contents.get(file.index()).hits.binary_search_by_key(term, |hit| hit.0).is_ok();
            let (borne_out, commits) = &mut tally[*term as usize];
            *borne_out += said.files.iter().filter(has).count() as f64 / said.files.len() as f64;
            *commits += 1.0;
        }
    }
    tally.into_iter().map(|(borne_out, commits)| borne_out / commits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::score::bm25::Document;
    use crate::score::query::Query;

    /// Text of `count` different words.
    fn text(count: usize) -> Vec<Term> {
        let letter = |at: usize| char::from(b"bcdfghjklmnpqrtv"[at % 16]);
        let words: Vec<String> = (0..count).map(|at| format!("{}o{}ok", letter(at / 16), letter(at))).collect();
        let terms = Query::new(&words.join(" "), None).terms;
        assert_eq!(terms.len(), count);
        terms
    }

    fn files<const N: usize>(terms: [&[u16]; N]) -> Documents {
        let mut files = Documents::default();
        for terms in terms {
            files.push(&Document { hits: terms.iter().map(|term| (*term, 1)).collect(), length: 10 });
        }
        files
    }

    #[test]
    fn words_of_a_long_text_are_weighted_by_their_support_in_history() {
        let mut terms = text(60);
        let before = terms[0].weight;
        // Commits with the first word always change files that contain it, those with the second never do, and those
        // with the third do half of the time.
        let past: Vec<CommitTerms> =
            (0..9).map(|_| CommitTerms { terms: vec![0, 1, 2], files: FileId::all(2).collect() }).collect();
        weigh(&mut terms, &past, &files([&[0, 2], &[0]]));
        let kept: Vec<f64> = terms.iter().take(4).map(|term| term.weight / before).collect();
        for (kept, wanted) in kept.iter().zip([1.0, 0.3 + 0.7 * 0.1, 0.3 + 0.7 * 0.55, 1.0]) {
            assert!((kept - wanted).abs() < 1e-9, "{kept} is not {wanted}");
        }
        assert!((terms[1].title - terms[1].weight / before * terms[0].title).abs() < 1e-9, "{terms:?}");
    }

    #[test]
    fn every_word_of_a_short_text_has_full_weight() {
        let past = [CommitTerms { terms: vec![0], files: vec![FileId::new(0)] }];
        let kept = |count: usize| {
            let mut terms = text(count);
            let before = terms[0].weight;
            weigh(&mut terms, &past, &files([&[]]));
            terms[0].weight / before
        };
        assert!((kept(20) - 1.0).abs() < 1e-9);
        assert!(kept(20) > kept(40) && kept(40) > kept(60));
        assert!((kept(60) - kept(200)).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn weights_stay_between_the_minimum_and_the_original(
            said in proptest::collection::vec((proptest::collection::vec(0u16..80, 0..9), proptest::collection::vec(0usize..3, 1..5)), 0..30),
            count in 1usize..80,
        ) {
            let mut terms = text(count);
            let before: Vec<f64> = terms.iter().map(|term| term.weight).collect();
            let within = |terms: Vec<u16>| terms.into_iter().filter(|term| usize::from(*term) < count).collect();
            let past: Vec<CommitTerms> = said.into_iter().map(|(terms, files)| CommitTerms { terms: within(terms), files: files.into_iter().map(FileId::new).collect() }).collect();
            weigh(&mut terms, &past, &files([&[], &[1, 2, 3], &[3, 50]]));
            for (term, before) in terms.iter().zip(before) {
                prop_assert!(term.weight <= before && term.weight >= LEAST * before);
            }
        }
    }
}
