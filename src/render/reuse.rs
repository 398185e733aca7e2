//! The beginning of a payload that is identical to the beginning of the previous one. Providers charge less for it, so
//! unchanged contents come first, in their previous order.

use std::collections::HashMap;

use super::content::ContentBlock;
use super::recipe::Recipe;
use crate::gather::tokens::Tokenizer;

/// The payload that was delivered last before this turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PreviousPayload {
    text: String,
    /// Position and hash of each file's text in the payload, by path.
    files: HashMap<String, (usize, String)>,
}

/// Number of tokens that a provider need not process again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReusablePrefix {
    /// Tokens of the identical prefix.
    pub tokens: usize,
    /// Tokens of the previous payload.
    pub of: usize,
}

impl PreviousPayload {
    /// A payload with its recipe.
    pub fn new(text: String, recipe: &Recipe) -> Self {
        let files = recipe.files().enumerate().map(|(at, piece)| (piece.file.clone(), (at, piece.shown.clone())));
        Self { text, files: files.collect() }
    }

    /// The prefix that a payload shares with this one, up to the end of a line.
    pub fn reusable(&self, payload: &str, tokenizer: Tokenizer) -> ReusablePrefix {
        let same = self.text.bytes().zip(payload.bytes()).take_while(|(old, new)| old == new).count();
        let end = self.text.as_bytes()[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        ReusablePrefix { tokens: tokenizer.count(&self.text[..end]), of: tokenizer.count(&self.text) }
    }

    /// The project's structure as a prompt shows it.
    pub(super) fn structure(&self) -> Option<&str> {
        let (_, rest) = self.text.split_once("## Project Structure\n")?;
        let (fence, rest) = rest.split_once('\n')?;
        let is_fence = fence.len() >= 3 && fence.bytes().all(|byte| byte == b'`');
        let (drawn, _) = rest.split_once(&format!("\n{fence}\n")).filter(|_| is_fence)?;
        rest.get(..=drawn.len())
    }

    /// Moves blocks with unchanged text to the front, in their previous order.
    pub(super) fn sort<'p, T>(
        &self,
        blocks: &mut [T],
        path: impl Fn(&T) -> Option<&'p str>,
        block: impl Fn(&T) -> &ContentBlock,
    ) {
        let position = |entry: &T| {
            let (at, shown) = self.files.get(path(entry)?)?;
            (block(entry).digest() == shown).then_some(*at)
        };
        blocks.sort_by_cached_key(|entry| position(entry).unwrap_or(usize::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_ends_with_a_line() {
        let tokenizer = Tokenizer::named("o200k_base").unwrap();
        let previous = PreviousPayload::new("one\ntwo é\nthree\n".to_owned(), &Recipe::default());
        let tokens = |payload: &str| previous.reusable(payload, tokenizer).tokens;
        assert_eq!(tokens("one\ntwo è\nthree\n"), tokenizer.count("one\n"));
        assert_eq!(tokens("one\ntwo é\nthree\nfour\n"), tokenizer.count("one\ntwo é\nthree\n"));
        assert_eq!(tokens("other"), 0);
        assert_eq!(previous.reusable("", tokenizer).of, tokenizer.count("one\ntwo é\nthree\n"));
    }
}
