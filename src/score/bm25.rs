//! BM25 with two extensions: terms have weights, and the statistics may come from documents other than the scored ones.

/// A document: its terms as `(index of the term, count)`, and its length.
#[derive(Debug, Default, Clone)]
pub struct Document {
    /// Terms of the query in the document.
    pub hits: Vec<(u16, u32)>,
    /// Total number of words.
    pub length: u32,
}

/// A document without its own allocation.
#[derive(Debug, Clone, Copy)]
pub struct DocumentRef<'a> {
    /// Terms of the query in the document.
    pub hits: &'a [(u16, u32)],
    /// Total number of words.
    pub length: u32,
}

impl<'a> From<&'a Document> for DocumentRef<'a> {
    fn from(document: &'a Document) -> Self {
        Self { hits: &document.hits, length: document.length }
    }
}

/// The documents of many files. They share two allocations, because a million small allocations would take twice the
/// memory.
#[derive(Debug, Default)]
pub struct Documents {
    hits: Vec<(u16, u32)>,
    /// End of each document in `hits`, and its length.
    ends: Vec<(u32, u32)>,
}

impl Documents {
    /// Number of documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no documents.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a document.
    pub fn push(&mut self, document: &Document) {
        self.hits.extend_from_slice(&document.hits);
        self.ends.push((self.hits.len() as u32, document.length));
    }

    /// Joins lists of documents, in order.
    pub fn concat(parts: Vec<Self>) -> Self {
        let mut all = Self {
            hits: Vec::with_capacity(parts.iter().map(|part| part.hits.len()).sum()),
            ends: Vec::with_capacity(parts.iter().map(Self::len).sum()),
        };
        for part in parts {
            let start = all.hits.len() as u32;
            all.hits.extend_from_slice(&part.hits);
            all.ends.extend(part.ends.iter().map(|(end, length)| (start + end, *length)));
        }
        all
    }

    /// The document at an index.
    pub fn get(&self, at: usize) -> DocumentRef<'_> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, length) = self.ends[at];
        DocumentRef { hits: &self.hits[start as usize..end as usize], length }
    }

    /// All documents, in order.
    pub fn iter(&self) -> impl Iterator<Item = DocumentRef<'_>> {
        (0..self.len()).map(|at| self.get(at))
    }
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
    pub fn of<'a>(documents: impl Iterator<Item = impl Into<DocumentRef<'a>>>, terms: usize) -> Self {
        let (mut count, mut total, mut frequency) = (0usize, 0u64, vec![0u32; terms]);
        for document in documents {
            let document: DocumentRef<'a> = document.into();
            count += 1;
            total += u64::from(document.length);
            for (term, _) in document.hits {
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
pub fn bm25<'a>(
    document: impl Into<DocumentRef<'a>>,
    statistics: &Statistics,
    shape: Bm25Parameters,
    weight: impl Fn(usize) -> f64,
) -> f64 {
    let document: DocumentRef<'a> = document.into();
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
        fn joined_documents_are_the_same(
            parts in proptest::collection::vec(proptest::collection::vec((proptest::collection::vec((0u16..9, 1u32..9), 0..4), 0u32..9), 0..4), 0..4),
        ) {
            let each: Vec<Document> =
                parts.iter().flatten().map(|(hits, length)| Document { hits: hits.clone(), length: *length }).collect();
            let mut rest = each.iter();
            let part = |count: usize| {
                let mut part = Documents::default();
                rest.by_ref().take(count).for_each(|document| part.push(document));
                part
            };
            let all = Documents::concat(parts.iter().map(Vec::len).map(part).collect());
            prop_assert_eq!(all.len(), each.len());
            for (joined, document) in all.iter().zip(&each) {
                prop_assert_eq!((joined.hits, joined.length), (document.hits.as_slice(), document.length));
            }
        }

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
