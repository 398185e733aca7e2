//! Sort orders of the list.

use std::cmp::Reverse;

use super::Workbench;
use crate::ids::ItemId;
use crate::place::PlacedItem;

/// An order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Highest score first, then by rank.
    #[default]
    Score,
    /// Most tokens first.
    Tokens,
    /// By path.
    Path,
    /// Most recently changed first.
    Recency,
    /// RAW, LINKED, SUMMARY, not included; within a tier as placed.
    Tier,
}

impl Sort {
    /// All orders, in the order in which the key switches between them.
    pub const ALL: [Self; 5] = [Self::Score, Self::Tokens, Self::Path, Self::Recency, Self::Tier];

    /// Name on the screen and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Tokens => "tokens",
            Self::Path => "path",
            Self::Recency => "recency",
            Self::Tier => "tier",
        }
    }

    /// The order with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.name() == name)
    }

    /// The next order.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// Returns true if an override can change the order.
    pub fn depends_on_placement(self) -> bool {
        matches!(self, Self::Tokens | Self::Tier)
    }

    /// All items in this order.
    pub fn order(self, bench: &Workbench) -> Vec<ItemId> {
        match self {
            Self::Score => by_points(bench),
            Self::Tokens => by_place(bench, |placed| Reverse((placed.tokens, bench.whole_tokens(placed)))),
            Self::Path => by_path(bench),
            Self::Recency => {
                let mut order = as_placed(bench);
                order.sort_by_cached_key(|item| Reverse(touched(bench, *item)));
                order
            }
            Self::Tier => by_place(bench, |placed| placed.tier),
        }
    }
}

fn as_placed(bench: &Workbench) -> Vec<ItemId> {
    bench.placement().placed.iter().map(|placed| placed.item).collect()
}

fn by_place<K: Ord>(bench: &Workbench, key: impl Fn(&PlacedItem) -> K) -> Vec<ItemId> {
    let placed = &bench.placement().placed;
    let mut order: Vec<usize> = (0..placed.len()).collect();
    order.sort_by_cached_key(|at| key(&placed[*at]));
    order.into_iter().map(|at| placed[at].item).collect()
}

/// By points, then by rank. There are few different scores, so this collects one list per score.
fn by_points(bench: &Workbench) -> Vec<ItemId> {
    let mut lists: Vec<Vec<ItemId>> = Vec::new();
    for item in &bench.scores().order {
        let points = usize::from(bench.scores().items[*item].points);
        if lists.len() <= points {
            lists.resize(points + 1, Vec::new());
        }
        lists[points].push(*item);
    }
    lists.into_iter().rev().flatten().collect()
}

/// By path. Files come first among the items and are already in this order.
fn by_path(bench: &Workbench) -> Vec<ItemId> {
    let items = &bench.corpus().items;
    let files = bench.corpus().files.len();
    let mut order: Vec<ItemId> = ItemId::all(items.len()).collect();
    if files < items.len() {
        order.sort_by(|a, b| items[*a].path.cmp(&items[*b].path));
    }
    order
}

/// Time of an item's last change: now for uncommitted changes, otherwise according to git, or else the file's time.
pub fn touched(bench: &Workbench, item: ItemId) -> i64 {
    let corpus = bench.corpus();
    let Some(file) = corpus.file_of(item) else { return i64::MAX };
    let Some(git) = &corpus.git else { return file.modified };
    if git.dirty.binary_search_by(|(path, _)| path.as_str().cmp(&file.path)).is_ok() {
        return i64::MAX;
    }
    git.last_touched.get(&file.path).copied().unwrap_or(i64::MIN)
}
