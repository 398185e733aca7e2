//! Which rows the list has: items in order, or directories with their sums and what is in them.

use std::collections::{HashMap, HashSet};

use crate::gather::item::Item;
use crate::place::{Placed, Tier};
use crate::workbench::Workbench;

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Item { item: usize, depth: u16 },
    Directory(Directory),
}

/// A directory in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// With a `/` at its end.
    pub path: String,
    pub depth: u16,
    pub folded: bool,
    pub items: usize,
    /// How many of them are in RAW, LINKED, SUMMARY.
    pub tiers: [usize; 3],
    /// What they cost in the payload together.
    pub tokens: usize,
}

/// What a row is about, to find it again after the rows changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowKey {
    Item(usize),
    Directory(String),
}

impl Row {
    pub fn key(&self) -> RowKey {
        match self {
            Self::Item { item, .. } => RowKey::Item(*item),
            Self::Directory(directory) => RowKey::Directory(directory.path.clone()),
        }
    }
}

/// The flat list: positions in the placement, in order.
pub fn flat(bench: &Workbench, order: &[usize]) -> Vec<Row> {
    order.iter().map(|at| Row::Item { item: bench.placement().placed[*at].item, depth: 0 }).collect()
}

#[derive(Default, Clone, Copy)]
struct Sum {
    items: usize,
    tiers: [usize; 3],
    tokens: usize,
}

/// The tree over the same items, directories in order of path.
pub fn tree(bench: &Workbench, order: &[usize], folded: &HashSet<String>) -> Vec<Row> {
    let corpus = bench.corpus();
    let placed = &bench.placement().placed;
    let mut sums: HashMap<&str, Sum> = HashMap::new();
    for at in order {
        for directory in folders(&corpus.items[placed[*at].item]) {
            add(sums.entry(directory).or_default(), &placed[*at]);
        }
    }
    let mut by_path: Vec<usize> = order.to_vec();
    by_path.sort_by(|a, b| {
        // What is no file lies in no directory, whatever its label looks like; it comes last.
        let (a, b) = (&corpus.items[placed[*a].item], &corpus.items[placed[*b].item]);
        let kinds = b.kind.is_file().cmp(&a.kind.is_file());
        kinds.then_with(|| compare(&a.path, &b.path))
    });
    let mut rows = Vec::with_capacity(by_path.len());
    let mut open: Vec<&str> = Vec::new();
    for at in by_path {
        let directories: Vec<&str> = folders(&corpus.items[placed[at].item]).collect();
        let common = open.iter().zip(&directories).take_while(|(a, b)| a == b).count();
        open.truncate(common);
        let mut hidden = open.iter().any(|directory| folded.contains(*directory));
        for directory in &directories[common..] {
            let sum = sums.get(directory).copied().unwrap_or_default();
            if !hidden {
                rows.push(Row::Directory(Directory {
                    path: (*directory).to_owned(),
                    depth: open.len() as u16,
                    folded: folded.contains(*directory),
                    items: sum.items,
                    tiers: sum.tiers,
                    tokens: sum.tokens,
                }));
            }
            hidden |= folded.contains(*directory);
            open.push(directory);
        }
        if !hidden {
            rows.push(Row::Item { item: placed[at].item, depth: open.len() as u16 });
        }
    }
    rows
}

fn add(sum: &mut Sum, placed: &Placed) {
    sum.items += 1;
    sum.tokens += placed.tokens;
    match placed.tier {
        Tier::Raw => sum.tiers[0] += 1,
        Tier::Linked => sum.tiers[1] += 1,
        Tier::Summary => sum.tiers[2] += 1,
        Tier::Out => {}
    }
}

/// The directories that an item lies in.
fn folders(item: &Item) -> impl Iterator<Item = &str> {
    above(&item.path).filter(|_| item.kind.is_file())
}

/// The directories above a path, the outermost first, each with its `/`.
pub fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..=at])
}

/// Paths in the order of a tree: what is in a directory stays together, directories before files.
fn compare(a: &str, b: &str) -> std::cmp::Ordering {
    let common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let from = a.as_bytes()[..common].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let (a, b) = (&a[from..], &b[from..]);
    let is_file = |rest: &str| !rest.contains('/');
    // Compared for every pair of a large tree: nothing is copied.
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
