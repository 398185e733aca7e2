//! BM25 with two extensions: term weights, and statistics from documents other than the scored ones.

/// A document: its terms as `(index of the term, count)`, and its length.
#[derive(Debug, Default, Clone)]
pub struct Document {
    /// Terms of the query in the document.
    pub hits: Vec<(u16, u32)>,
    /// Total number of words.
    pub length: u32,
}

/// Rarity of each term, and average document length.
#[derive(Debug, Default, Clone)]
pub struct Statistics {
    /// One value per term: `ln(1 + (n - df + .5) / (df + .5))`.
    pub rarity: Vec<f64>,
    /// Average document length.
    pub average: f64,
}

impl Statistics {
    /// Computes the statistics of these documents for `terms` terms.
    pub fn of<'a>(documents: impl Iterator<Item = &'a Document>, terms: usize) -> Self {
        let (mut count, mut total, mut frequency) = (0usize, 0u64, vec![0u32; terms]);
        for document in documents {
            count += 1;
            total += u64::from(document.length);
            for (term, _) in &document.hits {
                frequency[*term as usize] += 1;
            }
        }
        let rarity = frequency
            .iter()
            .map(|df| {
                let df = f64::from(*df);
                (1.0 + (count as f64 - df + 0.5).max(0.0) / (df + 0.5)).ln()
            })
            .collect();
        Self { rarity, average: (total as f64 / count.max(1) as f64).max(1.0) }
    }
}

/// The two constants of BM25.
#[derive(Debug, Clone, Copy)]
pub struct Bm25Parameters {
    /// Saturation of repeated terms.
    pub k1: f64,
    /// Penalty for long documents.
    pub b: f64,
}

/// Score of a document. `weight` returns the weight of a term.
pub fn bm25(document: &Document, statistics: &Statistics, shape: Bm25Parameters, weight: impl Fn(usize) -> f64) -> f64 {
    let norm = shape.k1 * (1.0 - shape.b + shape.b * f64::from(document.length) / statistics.average);
    document
        .hits
        .iter()
        .map(|(term, count)| {
            let (term, count) = (*term as usize, f64::from(*count));
            weight(term) * statistics.rarity[term] * count / (count + norm)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPE: Bm25Parameters = Bm25Parameters { k1: 1.2, b: 0.75 };

    #[test]
    fn rare_terms_and_short_documents_win() {
        let documents = [
            Document { hits: vec![(0, 1), (1, 1)], length: 10 },
            Document { hits: vec![(0, 1)], length: 10 },
            Document { hits: vec![(0, 1)], length: 100 },
        ];
        let statistics = Statistics::of(documents.iter(), 2);
        let score = |at: usize| bm25(&documents[at], &statistics, SHAPE, |_| 1.0);
        assert!(statistics.rarity[1] > statistics.rarity[0]);
        assert!(score(0) > score(1) && score(1) > score(2));
    }

    proptest! {
        #[test]
        fn more_of_a_term_never_scores_less(counts in proptest::collection::vec(1u32..50, 1..6), length in 1u32..500) {
            let document = |extra: u32| Document {
                hits: counts.iter().enumerate().map(|(term, count)| (term as u16, count + extra)).collect(),
                length,
            };
            let statistics = Statistics::of([document(0), document(1)].iter(), counts.len());
            let (less, more) = (bm25(&document(0), &statistics, SHAPE, |_| 1.0), bm25(&document(5), &statistics, SHAPE, |_| 1.0));
            prop_assert!(less >= 0.0 && more >= less);
        }
    }
}
