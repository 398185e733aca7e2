//! The phrases in `assets/task-type/cues.tsv` and the filler words in `empty.txt`.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::tokens::{is_cjk, is_word};

/// A phrase that indicates a concept.
pub struct Phrase {
    /// Text for display.
    pub text: &'static str,
    /// True if the last word may have other endings.
    open: bool,
    /// True if the phrase may occur inside a word, because its script has no spaces.
    anywhere: bool,
}

impl Phrase {
    fn new(text: &'static str) -> Self {
        let open = text.ends_with('*');
        let text = text.trim_end_matches('*');
        Self { text, open, anywhere: text.contains(is_cjk) }
    }

    /// Byte offset of the phrase in lower-case text.
    pub fn find_in(&self, low: &str) -> Option<usize> {
        low.match_indices(self.text).map(|(at, _)| at).find(|at| {
            let before = low[..*at].chars().next_back();
            let after = low[at + self.text.len()..].chars().next();
            self.anywhere
                || (!before.is_some_and(is_word) && (self.open || !after.is_some_and(|c| is_word(c) || c == '_')))
        })
    }
}

/// Concepts and filler words.
pub struct Lexicon {
    /// Each concept with its phrases.
    pub concepts: Vec<(&'static str, Vec<Phrase>)>,
    /// Filler words.
    pub empty: HashSet<&'static str>,
    /// Filler words in scripts without spaces, longest first.
    pub empty_anywhere: Vec<&'static str>,
}

/// The lexicon, parsed on first use.
pub fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let lines = |text: &'static str| text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let concepts = lines(include_str!("../../../assets/task-type/cues.tsv"))
            .filter_map(|line| line.split_once('\t'))
            .map(|(concept, phrases)| {
                let mut seen = HashSet::new();
                let phrases = phrases.split(',').map(str::trim).filter(|text| !text.is_empty() && seen.insert(*text));
                (concept, phrases.map(Phrase::new).collect())
            })
            .collect();
        let words: HashSet<&'static str> =
            lines(include_str!("../../../assets/task-type/empty.txt")).flat_map(str::split_whitespace).collect();
        let (anywhere, empty): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.contains(is_cjk));
        let mut empty_anywhere = anywhere;
        empty_anywhere.sort_by_key(|word| (std::cmp::Reverse(word.chars().count()), *word));
        Lexicon { concepts, empty: empty.into_iter().collect(), empty_anywhere }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_match_at_word_boundaries() {
        for (phrase, text, at) in [
            ("fix", "a fix", Some(2)),
            ("fix", "prefix the fix", Some(11)),
            ("beheb*", "bitte beheben", Some(6)),
            ("all", "call it", None),
            ("修复", "请修复它", Some(3)),
        ] {
            assert_eq!(Phrase::new(phrase).find_in(text), at, "{phrase} in {text}");
        }
    }
}
