//! The lines of a file that are most likely to change, computed on demand.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Spans of a file as (first, last) with 1-based line numbers, best first. Clones share the result.
#[derive(Clone, Default)]
pub struct HotLines(Option<Arc<LazyLines>>);

/// Likely lines with their shares.
#[derive(Default)]
pub struct LikelyLines {
    /// The lines, best first.
    pub spans: Vec<(u32, u32)>,
    /// Expected share of the file's changes in each span.
    pub shares: Vec<f64>,
}

struct LazyLines {
    found: OnceLock<LikelyLines>,
    find: Box<dyn Fn() -> LikelyLines + Send + Sync>,
}

impl LazyLines {
    fn get(&self) -> &LikelyLines {
        self.found.get_or_init(|| (self.find)())
    }
}

impl HotLines {
    /// Lines that `find` computes on first use.
    pub fn later(find: impl Fn() -> LikelyLines + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(LazyLines { found: OnceLock::new(), find: Box::new(find) })))
    }

    /// Returns true if the lines have been computed, or if there are none.
    pub fn is_found(&self) -> bool {
        self.0.as_ref().is_none_or(|lazy| lazy.found.get().is_some())
    }

    /// Returns true if there may be lines, without computing them.
    pub fn may_be(&self) -> bool {
        self.0.is_some()
    }

    /// Expected share of the file's changes in each span.
    pub fn shares(&self) -> &[f64] {
        self.0.as_ref().map_or(&[], |lazy| &lazy.get().shares)
    }
}

impl Deref for HotLines {
    type Target = [(u32, u32)];

    fn deref(&self) -> &Self::Target {
        self.0.as_ref().map_or(&[], |lazy| &lazy.get().spans)
    }
}

impl From<Vec<(u32, u32)>> for HotLines {
    /// Spans with equal shares.
    fn from(spans: Vec<(u32, u32)>) -> Self {
        let shares = vec![1.0 / spans.len().max(1) as f64; spans.len()];
        let found = LikelyLines { spans, shares }.into();
        Self(Some(Arc::new(LazyLines { found, find: Box::new(LikelyLines::default) })))
    }
}

impl fmt::Debug for HotLines {
    /// Formats the lines if they have already been computed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().filter_map(|lazy| lazy.found.get()).flat_map(|found| &found.spans))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn lines_are_computed_once_and_on_demand() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let lines = HotLines::later(move || {
            count.fetch_add(1, Ordering::SeqCst);
            LikelyLines { spans: vec![(3, 9)], shares: vec![1.0] }
        });
        let clone = lines.clone();
        assert_eq!((format!("{lines:?}").as_str(), asked.load(Ordering::SeqCst)), ("[]", 0));
        assert_eq!((lines.first(), clone.len(), asked.load(Ordering::SeqCst)), (Some(&(3, 9)), 1, 1));
        assert_eq!((lines.shares(), lines.may_be(), asked.load(Ordering::SeqCst)), (&[1.0][..], true, 1));
        assert!(!HotLines::default().may_be());
    }
}
