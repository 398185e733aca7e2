//! Exact token counts of every file, on all cores: each is read again, counted and forgotten.

use rayon::prelude::*;

use super::corpus::Corpus;
use super::read::{decode, read_below};
use super::tokens::Tokenizer;
use crate::error::{Error, Result};
use crate::project::beneath::Dir;

/// Files that one core takes at once: few, so that a core that met large ones is not waited for.
const TOGETHER: usize = 8;

impl Corpus {
    /// The tokens of each text file as it is on disk, by its index; `None` for one that cannot be read any more. A payload
    /// has other text in place of secrets, so there a file that holds some may be a few tokens more or less.
    pub fn count_all(&self, tokenizer: Tokenizer) -> Result<Vec<Option<usize>>> {
        let root = Dir::open(&self.root).map_err(|error| Error::io("open", &self.root, error))?;
        let count = |path: &str| {
            let (bytes, _) = read_below(&root, path, u64::MAX).ok()?;
            decode(bytes).ok().map(|(text, _)| tokenizer.count(&text))
        };
        Ok(self.files.par_iter().with_max_len(TOGETHER).map(|file| count(&file.path)).collect())
    }
}
