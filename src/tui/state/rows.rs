//! Rows of the list: items in order, or a tree of directories with totals.

use std::collections::HashMap;

use super::folds::Folds;
use crate::gather::item::Item;
use crate::ids::ItemId;
use crate::place::{PlacedItem, Tier};
use crate::workbench::Workbench;

/// One row of the list. Directories are boxed, because there may be a million rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Item { item: ItemId, depth: u16 },
    Directory(Box<Directory>),
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

/// The flat list of items in this order.
pub fn flat(order: &[ItemId]) -> Vec<Row> {
    order.iter().map(|item| Row::Item { item: *item, depth: 0 }).collect()
}

/// All items in the order of the whole tree, computed once, because comparing paths is slow.
pub fn tree_order(items: &[Item]) -> Vec<ItemId> {
    let mut order: Vec<ItemId> = ItemId::all(items.len()).collect();
    order.sort_by(|a, b| {
        // Items that are not files are in no directory and come last.
        let (a, b) = (&items[*a], &items[*b]);
        b.kind.is_file().cmp(&a.kind.is_file()).then_with(|| compare(&a.path, &b.path))
    });
    order
}

/// Builds a tree from items that are already in tree order; `active` holds those that the placement includes.
pub fn tree<'a>(
    bench: &'a Workbench,
    order: &[ItemId],
    active: impl Iterator<Item = &'a PlacedItem>,
    (folds, filtered): (&Folds, bool),
) -> Vec<Row> {
    let items = &bench.corpus().items;
    let mut totals: HashMap<&str, Totals> = HashMap::new();
    for placed in active {
        for directory in folders(&items[placed.item]) {
            totals.entry(directory).or_default().add(placed);
        }
    }
    let mut rows = Vec::new();
    TreeRows { items, totals: &totals, folds, filtered, rows: &mut rows }.add(order, 0, 0);
    rows
}

/// Cost of the items in a directory.
#[derive(Default, Clone, Copy)]
struct Totals {
    tiers: [usize; 3],
    tokens: usize,
}

impl Totals {
    fn add(&mut self, placed: &PlacedItem) {
        self.tokens += placed.tokens;
        match placed.tier {
            Tier::Raw => self.tiers[0] += 1,
            Tier::Linked => self.tiers[1] += 1,
            Tier::Summary => self.tiers[2] += 1,
            Tier::Out => {}
        }
    }
}

/// Builds the rows of a tree. The contents of a folded directory are skipped as a whole.
struct TreeRows<'a, 'r> {
    items: &'a [Item],
    totals: &'a HashMap<&'a str, Totals>,
    folds: &'a Folds,
    filtered: bool,
    rows: &'r mut Vec<Row>,
}

impl TreeRows<'_, '_> {
    /// Adds the items below a directory whose path, with its `/`, has this length.
    fn add(&mut self, order: &[ItemId], length: usize, depth: u16) {
        let mut rest = order;
        while let Some((first, others)) = rest.split_first() {
            let item = &self.items[*first];
            let Some(directory) = folders(item).find(|directory| directory.len() > length) else {
                self.rows.push(Row::Item { item: *first, depth });
                rest = others;
                continue;
            };
            let is_inside = |item: &ItemId| {
                let item = &self.items[*item];
                item.kind.is_file() && item.path.starts_with(directory)
            };
            let (inside, after) = rest.split_at(rest.partition_point(is_inside));
            let folded = self.folds.is_folded(directory, self.filtered);
            let Totals { tiers, tokens } = self.totals.get(directory).copied().unwrap_or_default();
            let path = directory.to_owned();
            self.rows.push(Row::Directory(Box::new(Directory {
                path,
                depth,
                folded,
                items: inside.len(),
                tiers,
                tokens,
            })));
            if !folded {
                self.add(inside, directory.len(), depth + 1);
            }
            rest = after;
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
