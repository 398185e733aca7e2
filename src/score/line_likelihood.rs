//! Finds the lines of a file that are most likely to change: its definitions, in order of similarity to the task.

use std::collections::HashMap;
use std::sync::Arc;

use super::evidence::{Evidence, is_product};
use super::hot_lines::LikelyLines;
use super::scores::{Criterion, HotLines, Score};
use crate::gather::corpus::Corpus;
use crate::gather::item::Source;
use crate::ids::{FileId, ItemId};
use crate::outline::definitions::DefinitionKind;
use crate::outline::shape::Extent;

/// Maximum number of spans per file.
const MOST: usize = 40;
/// Maximum number of lines in all spans.
const MOST_LINES: u32 = 1_000;
/// Maximum length of a file that is always included in full.
const SHORT: u32 = 120;
/// Maximum length of an undivided definition. Longer definitions are divided into pieces of half this length.
const LONG: u32 = 80;
/// Minimum length of a separate definition. Shorter definitions are joined with the next one.
const TINY: u32 = 8;
/// Exponent of a definition's length when its share of the change is estimated.
const LENGTH_COUNTS: f64 = 0.3;
/// Exponent of a definition's length when its cost is estimated.
const LENGTH_COSTS: f64 = 0.8;
/// Cost of the marker for omitted lines, in lines.
const MARK: f64 = 2.0;

/// Assigns likely lines to the first `count` files. They are computed on demand, because computing them reads the file,
/// and most files are included in full or not at all.
pub fn mark(
    corpus: &Corpus,
    mut evidence: Evidence,
    order: &[ItemId],
    count: usize,
    also: &[FileId],
    items: &mut [Score],
) {
    evidence.drop_values();
    let known = Arc::new((corpus.without_items(), evidence));
    let files: Vec<(ItemId, FileId)> = order
        .iter()
        .filter_map(|item| match corpus.items[*item].source {
            Source::File(file) => Some((*item, file)),
            Source::Text(_) => None,
        })
        .take(count)
        // An excerpt of a document or a bundle is less useful than another full file.
        .filter(|(item, file)| is_product(&corpus.files[*file]) || items[*item].has(Criterion::Modified))
        // Files come first among the items, each at its own index.
        .chain(also.iter().map(|file| ((*file).into(), *file)))
        .collect();
    for (item, file) in files {
        items[item].pointed = known.1.focus.iter().any(|focus| focus.file == file);
        let known = Arc::clone(&known);
        items[item].hot = HotLines::later(move || spans(&known.0, &known.1, file));
    }
}

/// Maximum length of a definition that is included in full around a location. If a definition is longer, only this many
/// lines of it are included.
const WHOLE: u32 = 120;
/// Context lines around a location. They are used outside definitions, or if few tokens are left.
const SIDES: u32 = 20;
const CLOSE: u32 = 6;
/// Maximum number of locations per file.
const MOST_PLACES: usize = 8;

/// Spans around the lines that evidence points to, most relevant first. The lines with a little context come before the
/// whole definitions, in case the definitions do not fit.
fn pointed(corpus: &Corpus, evidence: &Evidence, file: FileId) -> Vec<(u32, u32)> {
    let Some(focus) = evidence.focus.iter().find(|focus| focus.file == file) else { return Vec::new() };
    let lines = corpus.files[file].lines;
    let text = corpus.file_text(file);
    let shape = corpus.files[file].language.and_then(|language| text.shape(language));
    let definitions = shape.map_or(&[][..], |shape| &shape.definitions);
    let mut spans: Vec<(u32, u32)> = Vec::new();
    let holds =
        |spans: &[(u32, u32)], (first, last): (u32, u32)| spans.iter().any(|span| span.0 <= first && last <= span.1);
    let around = |line: u32, sides: u32| (line.saturating_sub(sides).max(1), (line + sides).min(lines));
    let places = || focus.lines.iter().copied().filter(|line| (1..=lines).contains(line)).take(MOST_PLACES);
    for line in places() {
        let inside = definitions
            .iter()
            .map(|definition| (definition.first, definition.last))
            .filter(|span| span.0 <= line && line <= span.1);
        let span = match inside.min_by_key(|span| span.1 - span.0) {
            Some(span) if span.1 - span.0 < WHOLE => span,
            Some((first, last)) => {
                let (from, to) = around(line, WHOLE / 2);
                (from.max(first), to.min(last))
            }
            None => around(line, SIDES),
        };
        // A location in a field or constant needs the lines around it.
        let span = if span.1 - span.0 < CLOSE { around(line, CLOSE) } else { span };
        if !holds(&spans, span) {
            spans.push(span);
        }
    }
    let mut all: Vec<(u32, u32)> = Vec::new();
    for span in places().map(|line| around(line, CLOSE)).chain(spans) {
        if !holds(&all, span) {
            all.push(span);
        }
    }
    all
}

/// The likely lines of one file, best first.
fn spans(corpus: &Corpus, evidence: &Evidence, file: FileId) -> LikelyLines {
    let entry = &corpus.files[file];
    let text = corpus.file_text(file);
    let shape = entry.language.filter(|_| entry.lines > SHORT).and_then(|language| text.shape(language));
    let boundaries = match shape {
        Some(shape) => definition_boundaries(&shape.definitions),
        None => entry.symbols.iter().map(|symbol| symbol.line).collect(),
    };
    let segments = segments(boundaries, entry.lines);
    let length = |at: usize| f64::from(segments[at].1 + 1 - segments[at].0);
    // A longer definition changes more often, but less than in proportion to its length.
    let mut shares = LineModel::new(corpus, evidence, file, &segments).each();
    for (at, share) in shares.iter_mut().enumerate() {
        *share *= length(at).powf(LENGTH_COUNTS);
    }
    let all = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    for share in &mut shares {
        *share /= all;
    }
    // Spans are ordered by their share of the change per line.
    let worth = |at: usize| shares[at] / (length(at) + MARK).powf(LENGTH_COSTS);
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)).then(a.cmp(b)));
    let mut left = MOST_LINES;
    let mut found = LikelyLines::default();
    for span in pointed(corpus, evidence, file) {
        let within = |at: usize| {
            let both = (span.1.min(segments[at].1) + 1).saturating_sub(span.0.max(segments[at].0));
            shares[at] * f64::from(both) / length(at)
        };
        found.shares.push((0..segments.len()).map(within).sum());
        found.spans.push(span);
    }
    let must = found.spans.clone();
    let mut taken = 0;
    for at in order {
        let (first, last) = segments[at];
        let lines = last + 1 - first;
        if lines <= left {
            left -= lines;
            taken += 1;
            if !must.iter().any(|span| span.0 <= first && last <= span.1) {
                found.spans.push((first, last));
                found.shares.push(shares[at]);
            }
        }
        if taken == MOST {
            break;
        }
    }
    found
}

/// The lines of a file that match the task best, and the name of the definition that contains them. `None` if nothing
/// matches.
pub fn best_match<'a>(corpus: &'a Corpus, evidence: &Evidence, file: FileId) -> Option<((u32, u32), Option<&'a str>)> {
    let entry = &corpus.files[file];
    let text = corpus.file_text(file);
    let definitions =
        entry.language.and_then(|language| text.shape(language)).map_or(&[][..], |shape| &shape.definitions);
    let boundaries = definition_boundaries(definitions);
    let segments = segments(boundaries, entry.lines);
    let matches = LineModel::new(corpus, evidence, file, &segments).matches();
    let best = (0..segments.len()).filter(|at| matches[*at] > 0.0);
    let best = best.max_by(|a, b| matches[*a].total_cmp(&matches[*b]).then(b.cmp(a)))?;
    let name = most_of(definitions, segments[best]).and_then(|definition| {
        let is_its = |line: u32| definition.first <= line && line <= definition.last;
        entry.symbols.iter().find(|symbol| is_its(symbol.line))
    });
    Some((segments[best], name.map(|symbol| symbol.name)))
}

/// The function that makes up at least half of the lines, or else the smallest type or constant that does.
fn most_of(definitions: &[Extent], (first, last): (u32, u32)) -> Option<&Extent> {
    let shared = |definition: &Extent| (definition.last.min(last) + 1).saturating_sub(definition.first.max(first));
    let is_half = |definition: &&Extent| 2 * shared(definition) > last - first;
    let functions = definitions.iter().filter(|definition| is_function(definition.kind));
    // A nested function is a detail of the outer one.
    let function = functions.rev().max_by_key(|definition| shared(definition));
    function.filter(is_half).or_else(|| {
        let has_name =
            |kind| matches!(kind, DefinitionKind::Type | DefinitionKind::Constant | DefinitionKind::Property);
        let others = definitions.iter().filter(|definition| has_name(definition.kind)).filter(is_half);
        others.min_by_key(|definition| definition.last - definition.first)
    })
}

fn is_function(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Function | DefinitionKind::Method | DefinitionKind::Macro)
}

/// First and last lines of definitions.
fn definition_boundaries(definitions: &[Extent]) -> Vec<u32> {
    let mut boundaries = Vec::new();
    let mut inside = 0;
    for (at, definition) in definitions.iter().enumerate() {
        if definition.first <= inside {
            continue;
        }
        let function = is_function(definition.kind);
        let holds_more = definitions.get(at + 1).is_some_and(|next| next.parent == Some(at));
        boundaries.push(definition.first);
        if function || !holds_more {
            boundaries.push(definition.last + 1);
            inside = definition.last;
        }
    }
    boundaries
}

/// Divides the file at the boundaries. Long pieces are divided again, and tiny ones joined with the next.
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

/// Evidence for a change in each segment of a file.
struct LineModel<'a> {
    corpus: &'a Corpus,
    evidence: &'a Evidence,
    file: FileId,
    segments: &'a [(u32, u32)],
}

impl<'a> LineModel<'a> {
    fn new(corpus: &'a Corpus, evidence: &'a Evidence, file: FileId, segments: &'a [(u32, u32)]) -> Self {
        Self { corpus, evidence, file, segments }
    }

    /// Likelihood that each segment changes if the file changes, relative to the maximum in the file. The logistic
    /// model was fitted on the changed files of 163 real changes, and checked with one repository left out at a time.
    fn each(&self) -> Vec<f64> {
        let (words, telling) = self.words();
        let pairs = shares(self.pairs());
        let named = shares(self.named());
        let places = shares(self.places());
        let last = self.segments.len().saturating_sub(1);
        let beside = |at: usize| {
            let before = at.checked_sub(1).map_or(0.0, |before| telling[before]);
            telling.get(at + 1).copied().unwrap_or_default().max(before)
        };
        let imports = self.corpus.files[self.file].imports.len() > 1;
        let curve = |at: usize| {
            let z = -4.9
                + 1.75 * words[at]
                + 2.13 * telling[at]
                + 0.66 * beside(at)
                + 0.67 * named[at]
                + 0.44 * pairs[at]
                + 1.55 * places[at]
                // Changes often add imports at the top and new code at the end.
                + if at == 0 && imports { 1.2 } else { 0.0 }
                + if at == last { 1.5 } else { 0.0 };
            1.0 / (1.0 + (-z).exp())
        };
        (0..self.segments.len()).map(curve).collect()
    }

    /// Similarity of each segment to the task, without regard to its position.
    fn matches(&self) -> Vec<f64> {
        let (words, telling) = self.words();
        let (pairs, named, places) = (shares(self.pairs()), shares(self.named()), shares(self.places()));
        let sum = |at: usize| words[at] + telling[at] + named[at] + 0.5 * pairs[at] + places[at];
        (0..self.segments.len()).map(sum).collect()
    }

    fn at(&self, line: u32) -> usize {
        self.segments.partition_point(|segment| segment.1 < line)
    }

    /// The task's words in each segment, relative to its length. The first value weights the words by their rarity in
    /// the project; the second value also by their rarity in this file.
    fn words(&self) -> (Vec<f64>, Vec<f64>) {
        let mut plain = vec![0.0; self.segments.len()];
        let mut telling = vec![0.0; self.segments.len()];
        let Some(reading) = self.evidence.readings.get(&self.file) else { return (plain, telling) };
        let mut counts: HashMap<(usize, u16), u32> = HashMap::new();
        for (line, term) in &reading.hits {
            *counts.entry((self.at(*line), *term)).or_default() += 1;
        }
        let mut counts: Vec<((usize, u16), u32)> = counts.into_iter().collect();
        // The sum of floats depends on their order, so the order is fixed.
        counts.sort_unstable();
        let mut holders: HashMap<u16, u32> = HashMap::new();
        for ((_, term), _) in &counts {
            *holders.entry(*term).or_default() += 1;
        }
        let all = self.segments.len() as f64;
        for ((segment, term), count) in counts {
            let Some((first, last)) = self.segments.get(segment) else { continue };
            let worth = self.evidence.query.terms[term as usize].weight
                * self.evidence.lexical.statistics.rarity[term as usize];
            let count = f64::from(count);
            plain[segment] += worth * count / (count + 1.2);
            let here = f64::from(holders[&term]);
            let rare_here = (1.0 + (all - here + 0.5) / (here + 0.5)).ln();
            let length = 1.2 * (0.25 + 0.75 * f64::from(last + 1 - first) / 30.0);
            telling[segment] += worth * rare_here * count / (count + length);
        }
        (shares(plain), shares(telling))
    }

    fn pairs(&self) -> Vec<f64> {
        let found = self.evidence.readings.get(&self.file).map_or(&[][..], |reading| &reading.pairs);
        self.tally(found.iter().map(|(_, line)| (*line, 1.0)))
    }

    fn named(&self) -> Vec<f64> {
        let hits = self.evidence.defined.get(&self.file).into_iter().flatten();
        self.tally(hits.map(|hit| (hit.line, f64::from(hit.weight))))
    }

    fn places(&self) -> Vec<f64> {
        self.tally(self.evidence.places.get(&self.file).into_iter().flatten().map(|line| (*line, 1.0)))
    }

    fn tally(&self, lines: impl Iterator<Item = (u32, f64)>) -> Vec<f64> {
        let mut sums = vec![0.0; self.segments.len()];
        for (line, weight) in lines {
            if let Some(sum) = sums.get_mut(self.at(line)) {
                *sum += weight;
            }
        }
        sums
    }
}

/// Divides each value by the maximum.
fn shares(mut values: Vec<f64>) -> Vec<f64> {
    let most = values.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        for value in &mut values {
            *value /= most;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::samples;
    use crate::score::task::Task;
    use crate::score::tests::gather;
    use crate::score::weights::Weights;
    use proptest::prelude::*;

    /// The name of the definition that matches the task best, in a file of 200 lines.
    fn best_name(language: &str, text: &str, task: &str) -> Option<String> {
        let path = format!("shop/cart.{language}");
        let filler = "// Nothing.\n".repeat(160);
        let dir = tempfile::tempdir().unwrap();
        samples::write(dir.path(), &[(path.as_str(), &format!("{text}{filler}"))]);
        let task = Task::new(task);
        let corpus = gather(dir.path(), &task);
        let evidence = Evidence::new(&corpus, &task, &Weights::default());
        let (_, name) = best_match(&corpus, &evidence, corpus.find(&path).unwrap())?;
        name.map(str::to_owned)
    }

    #[test]
    fn the_best_match_names_the_function_around_it() {
        let body = |words: &str| format!("\tvar err error\n\tcall({words})\n").repeat(8);
        let go = format!(
            "package shop\n\nfunc Refund() {{\n{}}}\n\nfunc Ship() {{\n{}}}\n",
            body("bank, currency"),
            body("parcel, address")
        );
        for (task, name) in [("Wrong currency of the bank", "Refund"), ("Parcel has the wrong address", "Ship")] {
            assert_eq!(best_name("go", &go, task).as_deref(), Some(name), "{task}");
        }
        let method = |name: &str, words: &str| format!("    fn {name}() {{\n{}    }}\n", body(words));
        let rust = format!("impl Cart {{\n{}\n{}}}\n", method("open", "bank"), method("ship", "parcel, address"));
        assert_eq!(best_name("rs", &rust, "Parcel has the wrong address").as_deref(), Some("ship"));
        assert_eq!(best_name("rs", &rust, "Nothing in common"), None);
    }

    #[test]
    fn files_are_divided_at_definitions() {
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
