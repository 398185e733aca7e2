//! Hot lines that are found when somebody asks for them.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Lines of a file, as first and last from 1, best first. Clones share what was found.
#[derive(Clone, Default)]
pub struct HotLines(Option<Arc<Lazy>>);

struct Lazy {
    found: OnceLock<Vec<(u32, u32)>>,
    find: Box<dyn Fn() -> Vec<(u32, u32)> + Send + Sync>,
}

impl HotLines {
    /// What `find` will answer, once.
    pub fn later(find: impl Fn() -> Vec<(u32, u32)> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Lazy { found: OnceLock::new(), find: Box::new(find) })))
    }

    /// Whether they were found already, or there are none to find.
    pub fn is_found(&self) -> bool {
        self.0.as_ref().is_none_or(|lazy| lazy.found.get().is_some())
    }

    /// Finds them now, for somebody who will ask soon.
    pub fn find(&self) -> &[(u32, u32)] {
        self.0.as_ref().map_or(&[], |lazy| lazy.found.get_or_init(|| (lazy.find)()))
    }
}

impl Deref for HotLines {
    type Target = [(u32, u32)];

    fn deref(&self) -> &Self::Target {
        self.find()
    }
}

impl From<Vec<(u32, u32)>> for HotLines {
    fn from(lines: Vec<(u32, u32)>) -> Self {
        Self(Some(Arc::new(Lazy { found: lines.into(), find: Box::new(Vec::new) })))
    }
}

impl fmt::Debug for HotLines {
    /// Without finding them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().filter_map(|lazy| lazy.found.get()).flatten()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn they_are_found_once_and_only_when_asked_for() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let lines = HotLines::later(move || {
            count.fetch_add(1, Ordering::SeqCst);
            vec![(3, 9)]
        });
        let clone = lines.clone();
        assert_eq!((format!("{lines:?}").as_str(), asked.load(Ordering::SeqCst)), ("[]", 0));
        assert_eq!((lines.first(), clone.len(), asked.load(Ordering::SeqCst)), (Some(&(3, 9)), 1, 1));
    }
}
