//! Typed positions, so that files and items cannot be confused with each other or with other numbers.

use std::fmt;
use std::ops::{Index, IndexMut};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The id of the entry at `index` of a table.
            pub const fn new(index: usize) -> Self {
                Self(index as u32)
            }

            /// The position in a table.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The ids of a table with `count` entries, in order.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..count).map(Self::new)
            }

            /// The entries of a table with their ids.
            pub fn enumerate<T>(
                table: &[T],
            ) -> impl DoubleEndedIterator<Item = (Self, &T)> + ExactSizeIterator {
                table.iter().enumerate().map(|(index, entry)| (Self::new(index), entry))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<T> Index<$name> for [T] {
            type Output = T;

            fn index(&self, id: $name) -> &T {
                &self[id.index()]
            }
        }

        impl<T> IndexMut<$name> for [T] {
            fn index_mut(&mut self, id: $name) -> &mut T {
                &mut self[id.index()]
            }
        }

        impl<T> Index<$name> for Vec<T> {
            type Output = T;

            fn index(&self, id: $name) -> &T {
                &self[id.index()]
            }
        }

        impl<T> IndexMut<$name> for Vec<T> {
            fn index_mut(&mut self, id: $name) -> &mut T {
                &mut self[id.index()]
            }
        }
    };
}

id! {
    /// A file's position in the corpus's list of files, and in every table with one entry for each file.
    FileId
}

id! {
    /// An item's position in the corpus's list of items, and in every table with one entry for each item. The files
    /// come first and in the same order, so each [`FileId`] has an `ItemId`.
    ItemId
}

id! {
    /// An item's position in a placement: pins first, then by rank.
    PlacedId
}

impl From<FileId> for ItemId {
    fn from(file: FileId) -> Self {
        Self(file.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_indexed_by_its_ids() {
        let mut table = vec!["a", "b"];
        table[FileId::new(1)] = "c";
        assert_eq!(table[ItemId::from(FileId::new(1))], "c");
        assert_eq!(ItemId::enumerate(&table).map(|(id, _)| id.index()).collect::<Vec<_>>(), [0, 1]);
    }
}
