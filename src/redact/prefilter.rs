//! One pass over the text for every keyword at once; what each keyword wakes.

use std::collections::HashMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem;

use crate::error::{Error, Result};

/// What looks at the text around a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wakes {
    /// The rule of this index.
    Rule(usize),
    /// The general matcher of names and values.
    Name,
    /// The matcher of private key blocks.
    Pem,
    /// The matcher of credentials in addresses.
    Address,
}

/// A text up to this long is searched for one keyword after the other, unless the automaton is there already: making that takes
/// longer than a command that only wants to look at its own words.
const SHORT: usize = 1_000;

/// All keywords in one automaton, made for the first long text.
#[derive(Debug, Default)]
pub(super) struct Prefilter {
    keywords: Vec<String>,
    wakes: Vec<Vec<Wakes>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Prefilter {
    pub(super) fn new(keywords: impl IntoIterator<Item = (String, Wakes)>) -> Self {
        let mut order: Vec<String> = Vec::new();
        let mut wakes: Vec<Vec<Wakes>> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (keyword, wake) in keywords {
            let keyword = keyword.to_ascii_lowercase();
            let index = *known.entry(keyword.clone()).or_insert_with(|| {
                order.push(keyword);
                wakes.push(Vec::new());
                wakes.len() - 1
            });
            if !wakes[index].contains(&wake) {
                wakes[index].push(wake);
            }
        }
        Self { keywords: order, wakes, automaton: OnceLock::new() }
    }

    /// Makes the automaton; an error where the keywords are too many or too long for one.
    pub(super) fn prepare(&self) -> Result<()> {
        self.automaton().map(|_| ()).ok_or_else(|| {
            Error::input("the secret rules' keywords do not fit together", "use fewer or shorter keywords")
        })
    }

    fn automaton(&self) -> Option<&AhoCorasick> {
        let build = || {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::Standard)
                .kind(Some(AhoCorasickKind::DFA))
                .build(&self.keywords)
                .ok()
        };
        self.automaton.get_or_init(build).as_ref()
    }

    /// Every keyword in the text with what it wakes, in the order of their ends, the longest first.
    pub(super) fn hits<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (usize, usize, &'a [Wakes])> {
        let one_by_one = text.len() <= SHORT && self.automaton.get().is_none();
        let few = if one_by_one { self.each_searched(text) } else { Vec::new() };
        let automaton = if one_by_one { None } else { self.automaton() };
        automaton
            .into_iter()
            .flat_map(move |automaton| automaton.find_overlapping_iter(text))
            .map(|hit| (hit.start(), hit.end(), hit.pattern().as_usize()))
            .chain(few)
            .map(|(start, end, keyword)| (start, end, self.wakes[keyword].as_slice()))
    }

    fn each_searched(&self, text: &[u8]) -> Vec<(usize, usize, usize)> {
        let text = text.to_ascii_lowercase();
        let mut hits = Vec::new();
        for (index, keyword) in self.keywords.iter().enumerate() {
            let mut from = 0;
            while let Some(at) = memmem::find(&text[from..], keyword.as_bytes()) {
                hits.push((from + at, from + at + keyword.len(), index));
                from += at + 1;
            }
        }
        hits.sort_unstable_by_key(|(start, end, _)| (*end, *start));
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_short_text_is_searched_as_a_long_one(text in "[aAbBcCé]{0,60}") {
            let keywords = || ["a", "ab", "abc", "b", "bca", "cC", "aa"].map(|word| (word.to_owned(), Wakes::Name));
            let (fresh, ready) = (Prefilter::new(keywords()), Prefilter::new(keywords()));
            ready.prepare().unwrap();
            let hits = |prefilter: &Prefilter| {
                prefilter.hits(text.as_bytes()).map(|(start, end, _)| (start, end)).collect::<Vec<_>>()
            };
            prop_assert_eq!(hits(&fresh), hits(&ready));
            prop_assert!(fresh.automaton.get().is_none(), "it was not needed");
        }
    }

    #[test]
    fn the_same_keyword_wakes_everybody_who_waits_for_it() {
        let prefilter = Prefilter::new([("Key".to_owned(), Wakes::Rule(3)), ("key".to_owned(), Wakes::Name)]);
        let hits: Vec<_> = prefilter.hits(b"my KEY").collect();
        assert_eq!(hits, [(3, 6, [Wakes::Rule(3), Wakes::Name].as_slice())]);
    }
}
