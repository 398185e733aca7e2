//! Reduces an item to its likeliest lines if it does not fit in full.

use super::placer::{Placer, SMALLEST_CUT, on_all_cores};
use super::{Form, Span};
use crate::ids::PlacedId;

/// Approximate tokens of an excerpt's heading, and approximate tokens of a marker for omitted lines.
const HEADING: f64 = 80.0;
const MARK: f64 = 8.0;
/// Factor for the tokens of an excerpt's lines that accounts for imports and signatures.
const WITH_SIGNATURES: f64 = 1.2;
/// Number of times that the number of fitting spans is guessed before a binary search.
const GUESSES: usize = 4;
/// Number of spans that are tried individually after the first one that does not fit.
const TRIED: usize = 4;
/// Maximum number of pieces in an excerpt.
const MOST_PIECES: usize = 8;
/// Minimum number of lines between two pieces. Closer pieces are joined.
const NEAR: u32 = 4;

impl Placer<'_> {
    /// Returns true if the item may become an excerpt.
    pub fn can_be_cut(&self, at: PlacedId) -> bool {
        self.request.scores.items[self.item(at)].hot.may_be()
    }

    /// Finds the likeliest lines of these items on all cores, because each item must be read and parsed.
    pub fn find_hot(&self, mut wanted: Vec<PlacedId>) {
        let hot = |at: PlacedId| &self.request.scores.items[self.item(at)].hot;
        wanted.retain(|at| !hot(*at).is_found());
        on_all_cores(&wanted, |at| {
            let _ = hot(*at).len();
        });
    }

    /// Possible excerpts of an item. Each has its approximate tokens, and the share of the item's changes that it is
    /// expected to contain.
    pub fn cuts(&self, at: PlacedId, whole: usize) -> Vec<(usize, f64)> {
        let hot = &self.request.scores.items[self.item(at)].hot;
        let lines = hot.iter().map(|(_, last)| *last).max().unwrap_or(1);
        let each = whole as f64 / f64::from(lines) * WITH_SIGNATURES;
        let base = self.excerpt_lines(at);
        let is_there = |index: &usize| is_within(hot[*index], &base);
        let there: f64 = (0..hot.len()).filter(is_there).map(|index| hot.shares()[index]).sum();
        let start = (HEADING + each * lines_of(&base) as f64 + MARK * base.len() as f64, there);
        let sum = |sum: &mut (f64, f64), index: usize| {
            *sum = (sum.0 + each * lines_of(&[hot[index]]) as f64 + MARK, (sum.1 + hot.shares()[index]).min(1.0));
            Some((sum.0.ceil() as usize, sum.1))
        };
        let first = (!base.is_empty()).then_some((self.placement.placed[at].tokens, there));
        first.into_iter().chain(in_few_pieces(hot, &base).into_iter().scan(start, sum)).collect()
    }

    /// The lines of the item's excerpt in the payload.
    fn excerpt_lines(&self, at: PlacedId) -> Vec<Span> {
        match &self.placement.placed[at].form {
            Form::Spans(spans) | Form::Skeleton(spans) => spans.clone(),
            _ => Vec::new(),
        }
    }

    /// The outline of an item without likely lines, for a format that could otherwise include only the item's name.
    pub fn bare_skeleton(&self, at: PlacedId, left: usize) -> Option<(Form, usize)> {
        let form = Form::Skeleton(Vec::new());
        let tokens = self.request.costs.inlined(self.item(at), &form)?;
        (tokens <= left).then_some((form, tokens))
    }

    /// The best excerpt of an item within `left` tokens: its likeliest definitions, with imports and signatures if
    /// the language is known. Lines that are already in the payload are kept.
    pub fn cut(&self, at: PlacedId, left: usize) -> Option<(Form, usize)> {
        let item = self.item(at);
        let hot: &[Span] = &self.request.scores.items[item].hot;
        if left < SMALLEST_CUT || hot.is_empty() {
            return None;
        }
        let base = self.excerpt_lines(at);
        let hot: Vec<Span> = in_few_pieces(hot, &base).into_iter().map(|index| hot[index]).collect();
        let excerpt = |chosen: &[Span]| {
            let spans = merged(base.iter().chain(chosen).copied().collect());
            let with_signatures = Form::Skeleton(spans.clone());
            let counted = |form: Form| self.request.costs.inlined(item, &form).map(|tokens| (form, tokens));
            counted(with_signatures).or_else(|| counted(Form::Spans(spans)))
        };
        let mut best = None;
        let lines: Vec<usize> = hot.iter().map(|span| lines_of(&[*span])).collect();
        let whole = self.request.costs.inlined(item, &Form::Whole)?;
        let all = hot.iter().map(|(_, last)| *last).max().unwrap_or(1);
        let fitting = most_that_fit(&lines, left, whole as f64 / f64::from(all), |count| {
            let (form, tokens) = excerpt(&hot[..count])?;
            if tokens <= left {
                best = Some((form, tokens));
            }
            Some(tokens)
        });
        let mut keep = hot[..fitting].to_vec();
        for span in hot.iter().skip(fitting + 1).take(TRIED) {
            // Spans that would not fit even at half the usual cost per line are ignored.
            let (kept, tokens) = best.as_ref().map_or((0, 0), |(_, tokens)| (lines_of(&keep), *tokens));
            if tokens + (tokens * lines_of(&[*span])).checked_div(2 * kept).unwrap_or(0) > left {
                continue;
            }
            keep.push(*span);
            match excerpt(&keep).filter(|(_, tokens)| *tokens <= left) {
                Some(cut) => best = Some(cut),
                None => {
                    keep.pop();
                }
            }
        }
        best
    }
}

/// Indices of the likely lines, best first. Omits lines in `base`, and lines that would split the excerpt into too many
/// pieces.
fn in_few_pieces(hot: &[Span], base: &[Span]) -> Vec<usize> {
    let mut pieces = merged(base.to_vec());
    let mut kept = Vec::new();
    for (index, span) in hot.iter().enumerate() {
        if is_within(*span, base) {
            continue;
        }
        let mut with_it = pieces.clone();
        with_it.push(*span);
        let with_it = merged(with_it);
        if with_it.len() <= MOST_PIECES.max(pieces.len()) {
            pieces = with_it;
            kept.push(index);
        }
    }
    kept
}

fn is_within(span: Span, pieces: &[Span]) -> bool {
    pieces.iter().any(|piece| piece.0 <= span.0 && span.1 <= piece.1)
}

/// The spans in order, joined if only a few lines separate them.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut joined: Vec<Span> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut() {
            Some(before) if first <= before.1.saturating_add(NEAR) => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}

/// The largest number of leading spans that cost at most `left` tokens. `lines` contains the length of each span.
/// Counting is slow, so the number is guessed from the cost per line. After a few wrong guesses, a binary search finds
/// it.
fn most_that_fit(
    lines: &[usize],
    left: usize,
    mut per_line: f64,
    mut cost: impl FnMut(usize) -> Option<usize>,
) -> usize {
    let mut upto = vec![0.0];
    upto.extend(lines.iter().scan(0.0, |sum, lines| {
        *sum += *lines as f64;
        Some(*sum)
    }));
    let (mut fitting, mut over) = (0, lines.len() + 1);
    let (mut known_lines, mut known_tokens) = (0.0, 0.0);
    for guesses in 0.. {
        if over - fitting <= 1 {
            break;
        }
        let middle = if guesses < GUESSES {
            let may_have = known_lines + (left as f64 - known_tokens) / per_line;
            upto.partition_point(|lines| *lines <= may_have).saturating_sub(1).clamp(fitting + 1, over - 1)
        } else {
            usize::midpoint(fitting, over)
        };
        let tokens = cost(middle);
        if let Some(tokens) = tokens {
            (known_lines, known_tokens) = (upto[middle], tokens as f64);
            per_line = (known_tokens / known_lines).max(f64::MIN_POSITIVE);
        }
        if tokens.is_some_and(|tokens| tokens <= left) {
            fitting = middle;
        } else {
            over = middle;
        }
    }
    fitting
}

fn lines_of(spans: &[Span]) -> usize {
    spans.iter().map(|(first, last)| (last - first + 1) as usize).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::most_that_fit;

    proptest! {
        #[test]
        fn the_guess_finds_as_much_as_trying_every_number(
            spans in prop::collection::vec((1usize..90, 0usize..900), 0..60),
            left in 0usize..9_000,
            per_line in 0.01f64..40.0,
            missing in any::<bool>(),
        ) {
            let lines: Vec<usize> = spans.iter().map(|(lines, _)| *lines).collect();
            let cost = |count: usize| spans[..count].iter().map(|(_, tokens)| tokens).sum::<usize>() + 12;
            let mut asked = Vec::new();
            let found = most_that_fit(&lines, left, per_line, |count| {
                asked.push(count);
                (!missing).then(|| cost(count))
            });
            let plain = if missing { 0 } else { (1..=lines.len()).rev().find(|count| cost(*count) <= left).unwrap_or(0) };
            prop_assert_eq!(found, plain);
            // There are at most four guesses, followed by a binary search. The cost of the result has been counted
            // already.
            prop_assert!(asked.len() <= 4 + 6, "{:?}", asked);
            prop_assert!(found == 0 || asked.contains(&found));
        }
    }

    #[test]
    fn lines_of_equal_cost_need_few_counts() {
        let mut asked = 0;
        let found = most_that_fit(&[10; 400], 3_000, 9.0, |count| {
            asked += 1;
            Some(count * 110)
        });
        assert_eq!(found, 27);
        assert!(asked <= 4, "{asked} counts");
    }
}
