//! Search in the contents of items, for the filter's `text:`.

use std::collections::HashSet;

use aho_corasick::AhoCorasick;
use rayon::prelude::*;

use super::corpus::Corpus;
use super::item::Source;
use crate::ids::ItemId;

impl Corpus {
    /// Finds the items that contain `text`. Case is ignored unless `text` has a capital letter. Files are read from
    /// disk and not stored. `None` if the search was cancelled, or if the text cannot be searched for.
    pub fn items_containing(&self, text: &str, wanted: &(dyn Fn() -> bool + Sync)) -> Option<HashSet<ItemId>> {
        let any_case = !text.chars().any(char::is_uppercase);
        let pattern = AhoCorasick::builder().ascii_case_insensitive(any_case).build([text]).ok()?;
        let contains = |item: &ItemId| {
            wanted()
                && match &self.items[*item].source {
                    Source::File(file) => self.raw_text(*file).is_some_and(|content| pattern.is_match(&content)),
                    Source::Text(content) => pattern.is_match(content.as_ref()),
                }
        };
        let items: Vec<ItemId> = ItemId::all(self.items.len()).collect();
        let found = items.into_par_iter().filter(contains).collect();
        wanted().then_some(found)
    }
}
