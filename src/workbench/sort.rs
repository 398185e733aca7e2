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

    /// Positions in `placement().placed` in this order.
    pub fn order(self, bench: &Workbench) -> Vec<usize> {
        let placed = &bench.placement().placed;
        let mut order: Vec<usize> = (0..placed.len()).collect();
        match self {
            Self::Score => {
                let mut place = vec![usize::MAX; bench.corpus().items.len()];
                for (at, item) in bench.scores().order.iter().enumerate() {
                    place[*item] = at;
                }
                order.sort_by_key(|at| {
                    let item = placed[*at].item;
                    (Reverse(bench.scores().items[item].points), place[item])
                });
            }
            Self::Tokens => order.sort_by_key(|at| Reverse((placed[*at].tokens, bench.whole_tokens(&placed[*at])))),
            Self::Path => order.sort_by(|a, b| path(bench, &placed[*a]).cmp(path(bench, &placed[*b]))),
            Self::Recency => order.sort_by_key(|at| Reverse(touched(bench, placed[*at].item))),
            Self::Tier => order.sort_by_key(|at| placed[*at].tier),
        }
        order
    }
}

fn path<'a>(bench: &'a Workbench, placed: &PlacedItem) -> &'a str {
    &bench.corpus().items[placed.item].path
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
