//! Token estimates, and truncation of prose to a token budget.

use serde::Serialize;

use crate::gather::tokens;

const MARK: &str = "...";
/// Characters per estimated token.
const CHARS_A_TOKEN: usize = 4;

/// Result of applying a budget to text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct BudgetResult {
    /// Estimated tokens of the input.
    pub original_tokens: usize,
    /// Token limit; 0 means unlimited.
    pub budget_tokens: usize,
    /// Estimated tokens of the output.
    pub truncated_tokens: usize,
    /// True if the text was truncated.
    pub was_truncated: bool,
}

/// Estimates tokens as a quarter of the characters.
pub fn estimate_tokens(text: &str) -> usize {
    tokens::estimate(text)
}

/// Truncates `text` to a token budget and appends `...`. A budget of 0 means unlimited.
///
/// The text ends after a sentence. If that would leave less than half of the budget, it ends after a line, or else
/// after a word.
pub fn truncate_to_token_budget(text: &str, budget: usize) -> String {
    if budget == 0 || estimate_tokens(text) <= budget {
        return text.to_owned();
    }
    truncate_to_chars(text, budget.saturating_mul(CHARS_A_TOKEN))
}

/// Like [`truncate_to_token_budget`], for a number of characters.
pub fn truncate_to_chars(text: &str, most: usize) -> String {
    let end_of = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    if end_of(most) == text.len() {
        return text.to_owned();
    }
    let Some(room) = most.checked_sub(MARK.len()).filter(|room| *room > 0) else {
        // The limit is too small for the marker and any text.
        return text[..end_of(most)].to_owned();
    };
    let window = &text[..end_of(room)];
    // Includes one more character, to recognize a sentence, line or word that ends exactly at the limit.
    let with_next = &text[..end_of(room + 1)];
    let half = end_of(room / 2);
    let sentence = [". ", ".\n"].iter().filter_map(|end| with_next.rfind(end)).max().map(|at| at + 1);
    let line = with_next.rfind('\n').map(|at| text[..at].trim_end().len());
    let word = with_next.rfind(char::is_whitespace).map(|at| text[..at].trim_end().len());
    let in_second_half = |end: &usize| *end >= half;
    let end = sentence
        .filter(in_second_half)
        .or(line.filter(in_second_half))
        .or(word.filter(in_second_half))
        .or(sentence)
        .or(word.filter(|end| *end > 0))
        .unwrap_or(window.len());
    format!("{}{MARK}", &text[..end])
}

/// Truncates an assembled context to a budget; 0 means unlimited.
pub fn apply_context_budget(context: &str, max_tokens: usize) -> (String, BudgetResult) {
    let out = truncate_to_token_budget(context, max_tokens);
    let result = BudgetResult {
        original_tokens: estimate_tokens(context),
        budget_tokens: max_tokens,
        truncated_tokens: estimate_tokens(&out),
        was_truncated: out != context,
    };
    (out, result)
}
