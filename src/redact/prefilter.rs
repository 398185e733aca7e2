//! One pass over the text for every keyword at once; what each keyword wakes.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

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

/// All keywords in one automaton.
#[derive(Debug, Default)]
pub(super) struct Prefilter {
    automaton: Option<AhoCorasick>,
    wakes: Vec<Vec<Wakes>>,
}

impl Prefilter {
    pub(super) fn new(keywords: impl IntoIterator<Item = (String, Wakes)>) -> Result<Self> {
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
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&order)
            .map_err(|why| {
                Error::input(
                    format!("the secret rules' keywords do not fit together: {why}"),
                    "use fewer or shorter keywords",
                )
            })?;
        Ok(Self { automaton: Some(automaton), wakes })
    }

    /// Every keyword in the text with what it wakes, in the order of their ends.
    pub(super) fn hits<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (usize, usize, &'a [Wakes])> {
        self.automaton
            .iter()
            .flat_map(move |automaton| automaton.find_overlapping_iter(text))
            .map(|hit| (hit.start(), hit.end(), self.wakes[hit.pattern().as_usize()].as_slice()))
    }
}
