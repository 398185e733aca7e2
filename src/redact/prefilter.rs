//! Finds all keywords in one pass, and the matcher of each.

use std::collections::HashMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem;

use crate::error::{Error, Result};

/// Matcher started by a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Matcher {
    /// The rule with this index.
    Rule(usize),
    /// The assignment matcher.
    Name,
    /// The matcher for private key blocks.
    Pem,
    /// The matcher for credentials in URLs.
    Address,
}

/// Text up to this length is searched keyword by keyword unless the automaton exists, because building it takes longer
/// than a short command.
const SHORT: usize = 1_000;

/// All keywords in one automaton, built for the first long text.
#[derive(Debug, Default)]
pub(super) struct Prefilter {
    keywords: Vec<String>,
    wakes: Vec<Vec<Matcher>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Prefilter {
    pub(super) fn new(keywords: impl IntoIterator<Item = (String, Matcher)>) -> Self {
        let mut order: Vec<String> = Vec::new();
        let mut wakes: Vec<Vec<Matcher>> = Vec::new();
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

    /// Builds the automaton; fails if there are too many keywords.
    pub(super) fn prepare(&self) -> Result<()> {
        self.automaton().map(|_| ()).ok_or_else(|| {
            Error::input("the secret rules have too many or too long keywords", "use fewer or shorter keywords")
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

    /// Every keyword in the text with its matcher, ordered by end, longest first.
    pub(super) fn hits<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (usize, usize, &'a [Matcher])> {
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
        fn short_and_long_texts_give_the_same_matches(text in "[aAbBcCé]{0,60}") {
            let keywords = || ["a", "ab", "abc", "b", "bca", "cC", "aa"].map(|word| (word.to_owned(), Matcher::Name));
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
    fn a_shared_keyword_starts_all_its_matchers() {
        let prefilter = Prefilter::new([("Key".to_owned(), Matcher::Rule(3)), ("key".to_owned(), Matcher::Name)]);
        let hits: Vec<_> = prefilter.hits(b"my KEY").collect();
        assert_eq!(hits, [(3, 6, [Matcher::Rule(3), Matcher::Name].as_slice())]);
    }
}
