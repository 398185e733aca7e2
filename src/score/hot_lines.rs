//! Hot lines that are found when somebody asks for them.

use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Lines of a file, as first and last from 1, best first. Clones share what was found.
#[derive(Clone, Default)]
pub struct HotLines(Option<Arc<Lazy>>);

struct Lazy {
    found: OnceLock<Vec<(u32, u32)>>,
    /// Whether somebody was told to find them: a second one would only wait for the first.
    begun: AtomicBool,
    find: Box<dyn Fn() -> Vec<(u32, u32)> + Send + Sync>,
}

impl Lazy {
    fn get(&self) -> &[(u32, u32)] {
        self.begun.store(true, Ordering::Relaxed);
        self.found.get_or_init(|| (self.find)())
    }
}

impl HotLines {
    /// What `find` will answer, once.
    pub fn later(find: impl Fn() -> Vec<(u32, u32)> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Lazy { found: OnceLock::new(), begun: AtomicBool::new(false), find: Box::new(find) })))
    }

    /// Whether they were found already, or there are none to find.
    pub fn is_found(&self) -> bool {
        self.0.as_ref().is_none_or(|lazy| lazy.found.get().is_some())
    }

    /// Begins to find them on another core, for somebody who will ask soon.
    pub fn find_ahead(&self) {
        let Some(lazy) = self.0.as_ref().filter(|lazy| !lazy.begun.swap(true, Ordering::Relaxed)) else { return };
        let lazy = Arc::clone(lazy);
        rayon::spawn(move || {
            // Whoever asks finds them again then, and is the one to fail.
            let _ = catch_unwind(AssertUnwindSafe(|| lazy.get().len()));
        });
    }
}

impl Deref for HotLines {
    type Target = [(u32, u32)];

    fn deref(&self) -> &Self::Target {
        self.0.as_ref().map_or(&[], |lazy| lazy.get())
    }
}

impl From<Vec<(u32, u32)>> for HotLines {
    fn from(lines: Vec<(u32, u32)>) -> Self {
        Self(Some(Arc::new(Lazy { found: lines.into(), begun: AtomicBool::new(true), find: Box::new(Vec::new) })))
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
    use std::sync::atomic::AtomicUsize;

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
        lines.find_ahead();
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn what_is_found_ahead_is_what_is_asked_for_and_failing_ahead_is_no_harm() {
        let (fails, asked) = (Arc::new(AtomicUsize::new(1)), Arc::new(AtomicUsize::new(0)));
        let (left, count) = (Arc::clone(&fails), Arc::clone(&asked));
        let lines = HotLines::later(move || {
            count.fetch_add(1, Ordering::SeqCst);
            assert!(left.swap(0, Ordering::SeqCst) == 0, "the first time");
            vec![(3, 9)]
        });
        lines.find_ahead();
        while asked.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        assert_eq!(lines.first(), Some(&(3, 9)));
        assert_eq!(asked.load(Ordering::SeqCst), 2);
        let lines = HotLines::later(|| vec![(1, 2)]);
        lines.find_ahead();
        while !lines.is_found() {
            std::thread::yield_now();
        }
        assert_eq!(lines.first(), Some(&(1, 2)));
    }
}
