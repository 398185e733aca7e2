//! Rows of the list: items in order, or a tree of directories with totals.

use std::collections::HashSet;

use crate::gather::item::Item;
use crate::ids::ItemId;
use crate::place::{PlacedItem, Tier};
use crate::workbench::Workbench;

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Item { item: ItemId, depth: u16 },
    Directory(Directory),
}

/// A directory in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// With a trailing `/`.
    pub path: String,
    pub depth: u16,
    pub folded: bool,
    pub items: usize,
    /// Number of items in RAW, LINKED and SUMMARY.
    pub tiers: [usize; 3],
    /// Total cost in the payload.
    pub tokens: usize,
}

/// Identity of a row by path, which remains valid after a new scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowPath {
    Item(String),
    Directory(String),
}

/// Identity of a row, for finding it after the rows changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowKey {
    Item(ItemId),
    Directory(String),
}

impl Row {
    pub fn key(&self) -> RowKey {
        match self {
            Self::Item { item, .. } => RowKey::Item(*item),
            Self::Directory(directory) => RowKey::Directory(directory.path.clone()),
        }
    }

    /// Returns true if the row has this identity. It copies nothing, because it is called for every row.
    pub fn is(&self, key: &RowKey) -> bool {
        match (self, key) {
            (Self::Item { item, .. }, RowKey::Item(known)) => item == known,
            (Self::Directory(directory), RowKey::Directory(known)) => directory.path == *known,
            _ => false,
        }
    }
}

/// The flat list: positions in the placement.
pub fn flat(bench: &Workbench, order: &[usize]) -> Vec<Row> {
    order.iter().map(|at| Row::Item { item: bench.placement().placed[*at].item, depth: 0 }).collect()
}

/// Position of each item in the whole tree, computed once, because comparing paths is slow.
pub fn tree_order(items: &[Item]) -> Vec<u32> {
    let mut by_path: Vec<u32> = (0..items.len() as u32).collect();
    by_path.sort_by(|a, b| {
        // Items that are not files are in no directory and come last.
        let (a, b) = (&items[*a as usize], &items[*b as usize]);
        b.kind.is_file().cmp(&a.kind.is_file()).then_with(|| compare(&a.path, &b.path))
    });
    let mut order = vec![0; items.len()];
    for (position, item) in by_path.into_iter().enumerate() {
        order[item as usize] = position as u32;
    }
    order
}

/// A directory that contains some of the items.
struct OpenDirectory<'a> {
    path: &'a str,
    /// Its row; `None` inside a folded directory.
    row: Option<usize>,
    /// True if its contents are hidden.
    hides: bool,
}

/// The tree of these items, with directories in order of path. `whole` is the result of [`tree_order`].
pub fn tree(bench: &Workbench, order: &[usize], whole: &[u32], folded: &HashSet<String>) -> Vec<Row> {
    let items = &bench.corpus().items;
    let placed = &bench.placement().placed;
    let mut by_path: Vec<usize> = order.to_vec();
    by_path.sort_unstable_by_key(|at| whole.get(placed[*at].item.index()));
    let mut rows = Vec::with_capacity(by_path.len());
    let mut open: Vec<OpenDirectory<'_>> = Vec::new();
    for at in by_path {
        let placed = &placed[at];
        let mut common = 0;
        for directory in folders(&items[placed.item]) {
            if open.get(common).is_some_and(|known| known.path == directory) {
                common += 1;
                continue;
            }
            open.truncate(common);
            let hidden = open.last().is_some_and(|parent| parent.hides);
            let is_folded = folded.contains(directory);
            let row = (!hidden).then(|| {
                rows.push(Row::Directory(Directory::new(directory, common, is_folded)));
                rows.len() - 1
            });
            open.push(OpenDirectory { path: directory, row, hides: hidden || is_folded });
            common += 1;
        }
        open.truncate(common);
        for row in open.iter().filter_map(|directory| directory.row) {
            if let Row::Directory(directory) = &mut rows[row] {
                directory.add(placed);
            }
        }
        if !open.last().is_some_and(|directory| directory.hides) {
            rows.push(Row::Item { item: placed.item, depth: open.len() as u16 });
        }
    }
    rows
}

impl Directory {
    fn new(path: &str, depth: usize, folded: bool) -> Self {
        Self { path: path.to_owned(), depth: depth as u16, folded, items: 0, tiers: [0; 3], tokens: 0 }
    }

    fn add(&mut self, placed: &PlacedItem) {
        self.items += 1;
        self.tokens += placed.tokens;
        match placed.tier {
            Tier::Raw => self.tiers[0] += 1,
            Tier::Linked => self.tiers[1] += 1,
            Tier::Summary => self.tiers[2] += 1,
            Tier::Out => {}
        }
    }
}

/// Directories that contain an item.
fn folders(item: &Item) -> impl Iterator<Item = &str> {
    above(&item.path).filter(|_| item.kind.is_file())
}

/// Ancestors of a path, outermost first, each with its `/`.
pub fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..=at])
}

/// Compares paths in tree order: the contents of a directory stay together, and directories come before files.
fn compare(a: &str, b: &str) -> std::cmp::Ordering {
    let common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let from = a.as_bytes()[..common].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let (a, b) = (&a[from..], &b[from..]);
    let is_file = |rest: &str| !rest.contains('/');
    // Called for many pairs, so it copies nothing.
    let (first, second) = (a.split('/').next().unwrap_or_default(), b.split('/').next().unwrap_or_default());
    (is_file(a), first, a).cmp(&(is_file(b), second, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_lists_directories_before_files_and_keeps_them_together() {
        let mut paths = ["b.rs", "a/z.rs", "a-b/x.rs", "a/b/c.rs", "a/b.rs", "Cargo.toml"];
        paths.sort_by(|a, b| compare(a, b));
        assert_eq!(paths, ["a/b/c.rs", "a/b.rs", "a/z.rs", "a-b/x.rs", "Cargo.toml", "b.rs"]);
        assert_eq!(above("a/b/c.rs").collect::<Vec<_>>(), ["a/", "a/b/"]);
    }
}
