//! Caches of a renderer. Placing requests the same values at every key press.

use std::sync::{Arc, Mutex, PoisonError};

use super::exclusion::Exclusion;
use crate::ids::ItemId;
use crate::place::Form;

/// Values derived from items, by item and form; `None` if an item does not have this form.
pub(super) struct FormCache<T>(Vec<Mutex<Forms<T>>>);

/// The requested forms of one item.
type Forms<T> = Vec<(Form, Option<Arc<T>>)>;

impl<T> FormCache<T> {
    pub fn new(items: usize) -> Self {
        Self((0..items).map(|_| Mutex::default()).collect())
    }

    /// Returns true if this form of the item is cached.
    pub fn knows(&self, item: ItemId, form: &Form) -> bool {
        let forms = self.0.get(item.index()).map(|forms| forms.lock().unwrap_or_else(PoisonError::into_inner));
        forms.is_some_and(|forms| forms.iter().any(|(known, _)| known == form))
    }

    /// The cached value of an item in a form, created on first use.
    pub fn get(&self, item: ItemId, form: &Form, make: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let mut forms = self.0.get(item.index())?.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = forms.iter().find(|(known, _)| known == form) {
            return known.clone();
        }
        let new = make().map(Arc::new);
        forms.push((form.clone(), new.clone()));
        new
    }
}

/// The last value that was computed for a limit and an exclusion.
pub(super) struct LastValue<T>(Mutex<Option<CachedValue<T>>>);

struct CachedValue<T> {
    exclusion: Arc<Exclusion>,
    limit: usize,
    value: Arc<T>,
}

impl<T> Default for LastValue<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> LastValue<T> {
    /// The cached value if its inputs are unchanged, otherwise a new one.
    pub fn get(&self, exclusion: &Arc<Exclusion>, limit: usize, make: impl FnOnce() -> T) -> Arc<T> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last.as_ref().filter(|last| Arc::ptr_eq(&last.exclusion, exclusion) && last.limit == limit)
        {
            return Arc::clone(&last.value);
        }
        let value = Arc::new(make());
        *last = Some(CachedValue { exclusion: Arc::clone(exclusion), limit, value: Arc::clone(&value) });
        value
    }
}
