//! Where in a file the change will probably be: the best blocks, widened to the definitions around them.

use super::blocks::BLOCK;
use super::evidence::Evidence;
use super::scores::Score;
use crate::gather::corpus::Corpus;
use crate::gather::item::Source;

/// Spans that a file gets at most.
const MOST: usize = 12;

/// Gives the first `count` files of the order their hot lines.
pub fn mark(corpus: &Corpus, evidence: &Evidence, order: &[usize], count: usize, items: &mut [Score]) {
    let files = order.iter().filter_map(|item| match corpus.items[*item].source {
        Source::File(file) => Some((*item, file as usize)),
        Source::Text(_) => None,
    });
    for (item, file) in files.take(count) {
        items[item].hot = spans(corpus, evidence, file);
    }
}

/// The hot lines of one file, best first.
pub fn spans(corpus: &Corpus, evidence: &Evidence, file: usize) -> Vec<(u32, u32)> {
    let lines = corpus.files[file].lines;
    let mut found: Vec<(u32, u32)> = Vec::new();
    let mut add = |first: u32, last: u32| {
        let span = (first.max(1), last.min(lines));
        if span.0 <= span.1 && found.len() < MOST && !found.iter().any(|known| known.0 <= span.0 && span.1 <= known.1) {
            found.push(span);
        }
    };
    for line in evidence.places.get(&file).into_iter().flatten().take(4) {
        add(line.saturating_sub(20), line + 20);
    }
    for hit in evidence.defined.get(&file).into_iter().flatten().take(3) {
        add(hit.line.saturating_sub(5), hit.line + 40);
    }
    if let Some(reading) = evidence.readings.get(&file) {
        let mut order: Vec<usize> = (0..reading.blocks.len()).filter(|block| reading.blocks[*block] > 0.0).collect();
        order.sort_by(|a, b| reading.blocks[*b].total_cmp(&reading.blocks[*a]).then(a.cmp(b)));
        for block in order.into_iter().take(MOST) {
            add(block as u32 * BLOCK + 1, (block as u32 + 1) * BLOCK);
        }
    }
    found
}
