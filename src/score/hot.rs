//! Where in a file the change will probably be: its definitions, ordered by how much of the task stands in them.

use std::collections::HashMap;

use rayon::prelude::*;

use super::evidence::{Evidence, is_product};
use super::scores::{Criterion, Score};
use crate::gather::code::outline::{DefinitionKind, outline};
use crate::gather::corpus::Corpus;
use crate::gather::item::Source;

/// Spans that a file gets at most.
const MOST: usize = 16;
/// Lines that they have in all: beyond these the next file is worth more.
const MOST_LINES: u32 = 260;
/// Files whose definitions are found by parsing them; the others' by what the walk found.
const PARSED: usize = 24;
/// Shorter files are inlined whole: nobody will cut them.
const SHORT: u32 = 120;
/// A longer definition is cut into pieces of half this.
const LONG: u32 = 80;
/// A shorter one is joined with what follows it.
const TINY: u32 = 8;

/// Gives the first `count` files of the order their hot lines.
pub fn mark(corpus: &Corpus, evidence: &Evidence, order: &[usize], count: usize, items: &mut [Score]) {
    let files: Vec<(usize, usize)> = order
        .iter()
        .filter_map(|item| match corpus.items[*item].source {
            Source::File(file) => Some((*item, file as usize)),
            Source::Text(_) => None,
        })
        .take(count)
        // A piece of a test, a document or a bundle helps less than the next whole file.
        .filter(|(item, file)| is_product(&corpus.files[*file]) || items[*item].has(Criterion::Modified))
        .collect();
    let found: Vec<(usize, Vec<(u32, u32)>)> = files
        .par_iter()
        .enumerate()
        .with_max_len(1)
        .map(|(position, (item, file))| (*item, spans(corpus, evidence, *file, position < PARSED)))
        .collect();
    for (item, hot) in found {
        items[item].hot = hot;
    }
}

/// The hot lines of one file, best first.
fn spans(corpus: &Corpus, evidence: &Evidence, file: usize, parse: bool) -> Vec<(u32, u32)> {
    let entry = &corpus.files[file];
    let boundaries = if parse && entry.lines > SHORT { parsed(corpus, file) } else { None };
    let boundaries = boundaries.unwrap_or_else(|| entry.symbols.iter().map(|symbol| symbol.line).collect());
    let segments = segments(boundaries, entry.lines);
    let scores = weigh(corpus, evidence, file, &segments);
    let mut order: Vec<usize> = (0..segments.len()).filter(|at| scores[*at] > 0.0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut left = MOST_LINES;
    let mut hot = Vec::new();
    for (first, last) in order.into_iter().map(|at| segments[at]) {
        let lines = last + 1 - first;
        if lines <= left {
            left -= lines;
            hot.push((first, last));
        }
        if hot.len() == MOST {
            break;
        }
    }
    hot
}

/// Where definitions begin and end, by the grammar.
fn parsed(corpus: &Corpus, file: usize) -> Option<Vec<u32>> {
    let language = corpus.files[file].language?;
    let outline = outline(language, &corpus.raw_text(file)?)?;
    let mut boundaries = Vec::new();
    let mut inside = 0;
    for (at, definition) in outline.definitions.iter().enumerate() {
        if definition.first <= inside {
            continue;
        }
        let function =
            matches!(definition.kind, DefinitionKind::Function | DefinitionKind::Method | DefinitionKind::Macro);
        let holds_more = outline.definitions.get(at + 1).is_some_and(|next| next.parent == Some(at));
        boundaries.push(definition.first);
        if function || !holds_more {
            boundaries.push(definition.last + 1);
            inside = definition.last;
        }
    }
    Some(boundaries)
}

/// The file cut at the boundaries: long pieces cut again, tiny ones joined with what follows.
fn segments(mut boundaries: Vec<u32>, lines: u32) -> Vec<(u32, u32)> {
    boundaries.push(1);
    boundaries.retain(|line| (1..=lines).contains(line));
    boundaries.sort_unstable();
    boundaries.dedup();
    let mut out: Vec<(u32, u32)> = Vec::new();
    let mut first = 1;
    for end in boundaries.into_iter().skip(1).map(|next| next - 1).chain([lines]) {
        if end + 1 - first < TINY && end < lines {
            continue;
        }
        while end + 1 - first > LONG {
            out.push((first, first + LONG / 2 - 1));
            first += LONG / 2;
        }
        if first <= end {
            out.push((first, end));
        }
        first = end + 1;
    }
    out
}

/// How much of the task stands in each segment.
fn weigh(corpus: &Corpus, evidence: &Evidence, file: usize, segments: &[(u32, u32)]) -> Vec<f64> {
    let mut scores = vec![0.0; segments.len()];
    let at = |line: u32| segments.partition_point(|segment| segment.1 < line);
    if let Some(reading) = evidence.readings.get(&file) {
        let mut counts: HashMap<(usize, u16), u32> = HashMap::new();
        for (line, term) in &reading.hits {
            *counts.entry((at(*line), *term)).or_default() += 1;
        }
        let mut counts: Vec<((usize, u16), u32)> = counts.into_iter().collect();
        // Sums of floats depend on their order.
        counts.sort_unstable();
        for ((segment, term), count) in counts {
            let Some((first, last)) = segments.get(segment) else { continue };
            let norm = 1.2 * (0.25 + 0.75 * f64::from(last + 1 - first) / 30.0);
            let worth = evidence.query.terms[term as usize].weight * evidence.lexical.statistics.rarity[term as usize];
            scores[segment] += worth * f64::from(count) / (f64::from(count) + norm);
        }
    }
    let most = scores.iter().copied().fold(0.0, f64::max).max(1.0);
    for hit in evidence.defined.get(&file).into_iter().flatten().take(4) {
        if let Some(score) = scores.get_mut(at(hit.line)) {
            *score += most * 0.3 * f64::from(hit.weight) / 8.0;
        }
    }
    for line in evidence.places.get(&file).into_iter().flatten() {
        if let Some(score) = scores.get_mut(at(*line)) {
            *score += most;
        }
    }
    // What a change needs is imported at the top.
    if corpus.files[file].imports.len() > 1
        && let Some(score) = scores.first_mut()
    {
        *score += most * 0.3;
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn files_are_cut_where_definitions_begin() {
        assert_eq!(segments(vec![10, 30, 33, 50], 60), [(1, 9), (10, 29), (30, 49), (50, 60)]);
        assert_eq!(segments(vec![], 100), [(1, 40), (41, 100)]);
        assert_eq!(segments(vec![3], 0), []);
    }

    proptest! {
        #[test]
        fn segments_cover_every_line_once(boundaries in proptest::collection::vec(0u32..400, 0..40), lines in 1u32..400) {
            let cut = segments(boundaries, lines);
            let mut next = 1;
            for (first, last) in cut {
                prop_assert_eq!(first, next);
                prop_assert!(last >= first && last + 1 - first <= LONG);
                next = last + 1;
            }
            prop_assert_eq!(next, lines + 1);
        }
    }
}
