//! Shared by languages whose lines say more than their brackets: Python by indentation, Ruby and shells by closing words.

pub(crate) mod heredocs;
pub(crate) mod strings;
pub(crate) mod table_entries;

#[cfg(test)]
mod tests;

/// Levels open at once; nobody writes more, and each takes memory, so the rest is not read.
pub(crate) const MOST_OPEN: usize = 2_000;
