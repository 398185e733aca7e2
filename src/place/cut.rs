//! Where an item is cut when it does not fit whole: to its hot lines.

use super::walk::{SMALLEST_CUT, Walk, on_all_cores};
use super::{Form, Span};

/// What the heading of a cut costs about, and the mark for what is left out.
const HEADING: f64 = 80.0;
const MARK: f64 = 8.0;
/// How often it is guessed what fits before it is searched for.
const GUESSES: usize = 4;
/// How many of the lines that did not fit are tried one by one.
const TRIED: usize = 4;

impl Walk<'_> {
    /// Whether the item has lines that it may be cut to.
    pub fn can_be_cut(&self, at: usize) -> bool {
        self.request.scores.items[self.item(at)].hot.may_be()
    }

    /// Finding where to cut takes reading and parsing: on all cores.
    pub fn find_hot(&self, mut wanted: Vec<usize>) {
        let hot = |at: usize| &self.request.scores.items[self.item(at)].hot;
        wanted.retain(|at| !hot(*at).is_found());
        on_all_cores(&wanted, |at| {
            let _ = hot(*at).len();
        });
    }

    /// What an item may be cut to: about how many tokens, and which share of its changes that holds.
    pub fn cuts(&self, at: usize, whole: usize) -> Vec<(usize, f64)> {
        let hot = &self.request.scores.items[self.item(at)].hot;
        let lines = hot.iter().map(|(_, last)| *last).max().unwrap_or(1);
        let each = whole as f64 / f64::from(lines);
        let sum = |sum: &mut (f64, f64), (span, share): (&Span, &f64)| {
            *sum = (sum.0 + each * lines_of(&[*span]) as f64 + MARK, (sum.1 + share).min(1.0));
            Some((sum.0.ceil() as usize, sum.1))
        };
        hot.iter().zip(hot.shares()).scan((HEADING, 0.0), sum).collect()
    }

    /// The skeleton of an item in which nothing stands out, for a format that would otherwise only name it.
    pub fn bare_skeleton(&self, at: usize, left: usize) -> Option<(Form, usize)> {
        let form = Form::Skeleton(Vec::new());
        let tokens = self.request.costs.inlined(self.item(at), &form)?;
        (tokens <= left).then_some((form, tokens))
    }

    /// The best cut of an item that fits into `left`: its hot lines, with the skeleton of the rest where that costs little.
    pub fn cut(&self, at: usize, left: usize) -> Option<(Form, usize)> {
        let item = self.item(at);
        if left < SMALLEST_CUT {
            return None;
        }
        let hot: &[Span] = &self.request.scores.items[item].hot;
        if hot.is_empty() {
            return None;
        }
        let counted = |form: Form| self.request.costs.inlined(item, &form).map(|tokens| (form, tokens));
        let fits = |form: Form| counted(form).filter(|(_, tokens)| *tokens <= left);
        let sorted = |spans: &[Span]| {
            let mut spans = spans.to_vec();
            spans.sort_unstable();
            spans
        };
        let mut best = None;
        let lines: Vec<usize> = hot.iter().map(|span| lines_of(&[*span])).collect();
        let whole = self.request.costs.inlined(item, &Form::Whole)?;
        let all = hot.iter().map(|(_, last)| *last).max().unwrap_or(1);
        let fitting = most_that_fit(&lines, left, whole as f64 / f64::from(all), |count| {
            let (form, tokens) = counted(Form::Spans(sorted(&hot[..count])))?;
            if tokens <= left {
                best = Some((form, tokens));
            }
            Some(tokens)
        });
        let mut keep = hot[..fitting].to_vec();
        for span in hot.iter().skip(fitting + 1).take(TRIED) {
            // One that would not fit if its lines cost half of what the others do is not worth the counting.
            let (kept, tokens) = best.as_ref().map_or((0, 0), |(_, tokens)| (lines_of(&keep), *tokens));
            if tokens + (tokens * lines_of(&[*span])).checked_div(2 * kept).unwrap_or(0) > left {
                continue;
            }
            keep.push(*span);
            match fits(Form::Spans(sorted(&keep))) {
                Some(cut) => best = Some(cut),
                None => {
                    keep.pop();
                }
            }
        }
        // The skeleton of the rest orients, and may cost a quarter of what the lines do.
        match (fits(Form::Skeleton(sorted(&keep))), best) {
            (Some(skeleton), Some(spans)) if skeleton.1 <= spans.1 + spans.1 / 4 => Some(skeleton),
            (_, spans) => spans,
        }
    }
}

/// How many spans, from the first, cost `left` at most; `lines` says how long each is, and more lines cost more. Counting
/// is what takes time, so the answer is guessed from what a line costs; where a few guesses did not do, it is searched for by halving.
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
        fn what_fits_is_what_trying_all_finds(
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
            // Four guesses, then halving; what fits was asked about, so that the caller has seen it.
            prop_assert!(asked.len() <= 4 + 6, "{:?}", asked);
            prop_assert!(found == 0 || asked.contains(&found));
        }
    }

    #[test]
    fn lines_of_equal_cost_take_few_counts() {
        let mut asked = 0;
        let found = most_that_fit(&[10; 400], 3_000, 9.0, |count| {
            asked += 1;
            Some(count * 110)
        });
        assert_eq!(found, 27);
        assert!(asked <= 4, "{asked} counts");
    }
}
