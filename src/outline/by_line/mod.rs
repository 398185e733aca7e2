//! Code shared by languages that are read line by line: Python by indentation, Ruby and shells by closing keywords.

pub(crate) mod heredocs;
pub(crate) mod strings;
pub(crate) mod table_entries;

#[cfg(test)]
mod tests;

/// Maximum number of open levels; deeper code is not read, which bounds memory.
pub(crate) const MOST_OPEN: usize = 2_000;
