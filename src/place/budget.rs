//! The token limit and its split between the tiers.

use crate::error::{Error, Result};
use crate::gather::tokens::Tokenizer;
use crate::score::Complexity;
use crate::text::thousands;

/// Shares of a limit in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// Share of RAW.
    pub raw: u8,
    /// Share of LINKED.
    pub linked: u8,
    /// Share of SUMMARY.
    pub summary: u8,
}

impl Default for Split {
    fn default() -> Self {
        Self { raw: 90, linked: 9, summary: 1 }
    }
}

impl Split {
    /// Creates a split; the shares must add up to 100.
    pub fn new([raw, linked, summary]: [u8; 3]) -> Result<Self> {
        if u32::from(raw) + u32::from(linked) + u32::from(summary) == 100 {
            return Ok(Self { raw, linked, summary });
        }
        Err(Error::input(
            format!("the split {raw}/{linked}/{summary} does not add up to 100"),
            "fix `budget.split` in the configuration; the default is [90, 9, 1]",
        ))
    }

    /// Splits `tokens` into the shares; rounding never exceeds `tokens`.
    pub fn of(self, tokens: usize) -> Shares {
        let share = |percent: u8| tokens / 100 * usize::from(percent) + tokens % 100 * usize::from(percent) / 100;
        Shares { raw: share(self.raw), linked: share(self.linked), summary: share(self.summary) }
    }
}

/// Tokens for each tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// Tokens for RAW.
    pub raw: usize,
    /// Tokens for LINKED.
    pub linked: usize,
    /// Tokens for SUMMARY.
    pub summary: usize,
}

/// A limit in tokens with its split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Maximum number of tokens of the payload.
    pub limit: usize,
    /// Shares of the tiers.
    pub split: Split,
    /// The tokenizer; if it only estimates, part of the limit is not used.
    pub tokenizer: Tokenizer,
}

/// Smallest accepted limit; the fixed parts of a payload alone take a few hundred tokens.
pub const SMALLEST: usize = 1_000;

impl Budget {
    /// Creates a budget; a limit that is too small for a payload is an error.
    pub fn new(limit: usize, split: Split, tokenizer: Tokenizer) -> Result<Self> {
        if limit < SMALLEST {
            return Err(Error::input(
                format!("a budget of {} tokens is too small", thousands(limit)),
                format!("use at least {}, for example 25k", thousands(SMALLEST)),
            ));
        }
        Ok(Self { limit, split, tokenizer })
    }

    /// The usable part of the limit.
    pub fn usable(&self) -> usize {
        self.tokenizer.usable(self.limit)
    }
}

/// Limits by complexity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Limit for a simple task.
    pub simple: usize,
    /// Limit for a medium task.
    pub medium: usize,
    /// Limit for a complex task.
    pub complex: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { simple: 25_000, medium: 70_000, complex: 100_000 }
    }
}

impl Limits {
    /// The smaller limit of each pair.
    #[must_use]
    pub fn within(self, most: Self) -> Self {
        Self {
            simple: self.simple.min(most.simple),
            medium: self.medium.min(most.medium),
            complex: self.complex.min(most.complex),
        }
    }

    /// The limit for this complexity.
    pub fn of(&self, complexity: Complexity) -> usize {
        match complexity {
            Complexity::Simple => self.simple,
            Complexity::Medium => self.medium,
            Complexity::Complex => self.complex,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::tokens::DEFAULT;
    use proptest::prelude::*;

    #[test]
    fn invalid_budgets_are_rejected_with_a_hint() {
        assert!(Budget::new(0, Split::default(), DEFAULT).unwrap_err().hint().unwrap().contains("at least 1,000"));
        assert!(Split::new([90, 9, 2]).is_err());
        assert!(Split::new([255, 255, 2]).is_err());
    }

    #[test]
    fn an_estimate_leaves_a_tenth_free() {
        let budget = Budget::new(10_000, Split::default(), Tokenizer::Estimate).unwrap();
        assert_eq!(budget.usable(), 9_000);
    }

    proptest! {
        #[test]
        fn shares_never_exceed_the_whole(tokens in 0usize..10_000_000, raw in 0u8..=100) {
            let split = Split::new([raw, 100 - raw, 0]).unwrap();
            let shares = split.of(tokens);
            prop_assert!(shares.raw + shares.linked + shares.summary <= tokens);
        }
    }
}
