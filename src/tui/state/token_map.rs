//! The token map: the payload's items as a tree of directories, and the block under the cursor.

use std::collections::BTreeMap;

use crate::ids::ItemId;
use crate::place::Tier;
use crate::workbench::Workbench;

/// The token map.
#[derive(Debug, Default)]
pub struct TokenMap {
    tree: MapNode,
    /// Path of the zoomed directory, with `/` at the end; empty for the whole payload.
    root: String,
    /// Path of the block under the cursor.
    cursor: String,
    /// Version of the model on which the tree is based.
    version: Option<u64>,
}

/// A directory or an item with its tokens in the payload.
#[derive(Debug, Default, Clone)]
pub struct MapNode {
    /// Path, with `/` at the end for a directory.
    pub path: String,
    pub tokens: usize,
    /// Tokens in RAW, LINKED and SUMMARY.
    tiers: [usize; 3],
    /// The item, unless it is a directory.
    pub item: Option<ItemId>,
    /// Children, most tokens first.
    pub children: Vec<MapNode>,
}

/// A directory while the tree is built.
#[derive(Default)]
struct DirectoryBuilder<'a> {
    directories: BTreeMap<&'a str, DirectoryBuilder<'a>>,
    items: Vec<MapNode>,
}

impl MapNode {
    /// The tree of everything in the payload.
    fn of(model: &Workbench) -> Self {
        let mut root = DirectoryBuilder::default();
        for placed in model.placement().active().filter(|placed| placed.tier != Tier::Out && placed.tokens > 0) {
            let item = &model.corpus().items[placed.item];
            let mut directory = &mut root;
            if item.kind.is_file() {
                let parts: Vec<&str> = item.path.split_inclusive('/').collect();
                for part in parts.iter().take(parts.len().saturating_sub(1)) {
                    directory = directory.directories.entry(part).or_default();
                }
            }
            let mut tiers = [0; 3];
            if let Some(tokens) = tiers.get_mut(column(placed.tier)) {
                *tokens = placed.tokens;
            }
            let (path, tokens) = (item.path.clone(), placed.tokens);
            directory.items.push(Self { path, tokens, tiers, item: Some(placed.item), children: Vec::new() });
        }
        root.finish(String::new())
    }

    pub fn is_directory(&self) -> bool {
        self.item.is_none()
    }

    /// The tier with the most tokens.
    pub fn tier(&self) -> Tier {
        let [raw, linked, summary] = self.tiers;
        if raw >= linked.max(summary) {
            Tier::Raw
        } else if linked >= summary {
            Tier::Linked
        } else {
            Tier::Summary
        }
    }

    /// The items in this block: one item, or all items below a directory.
    pub fn items(&self) -> Vec<ItemId> {
        match self.item {
            Some(item) => vec![item],
            None => self.children.iter().flat_map(Self::items).collect(),
        }
    }

    /// The node with this path, or its nearest ancestor.
    fn find(&self, path: &str) -> &Self {
        let below = self.children.iter().find(|child| child.is_directory() && path.starts_with(&child.path));
        below.map_or(self, |child| child.find(path))
    }
}

fn column(tier: Tier) -> usize {
    match tier {
        Tier::Raw => 0,
        Tier::Linked => 1,
        Tier::Summary | Tier::Out => 2,
    }
}

impl DirectoryBuilder<'_> {
    fn finish(self, path: String) -> MapNode {
        let mut children = self.items;
        for (name, directory) in self.directories {
            let mut node = directory.finish(format!("{path}{name}"));
            // A directory whose only content is another directory gets no block.
            if let [only] = node.children.as_slice()
                && only.is_directory()
            {
                node = only.clone();
            }
            children.push(node);
        }
        children.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.path.cmp(&b.path)));
        let tokens = children.iter().map(|child| child.tokens).sum();
        let mut tiers = [0; 3];
        for child in &children {
            for (sum, tokens) in tiers.iter_mut().zip(child.tiers) {
                *sum += tokens;
            }
        }
        MapNode { path, tokens, tiers, item: None, children }
    }
}

impl TokenMap {
    /// A map with the cursor on the block that contains this path.
    pub fn new(model: &Workbench, version: u64, path: Option<&str>) -> Self {
        let mut map = Self::default();
        map.update(model, version);
        if let Some(path) = path {
            map.go_to(path);
        }
        map
    }

    /// Moves the cursor to the block that contains this path, if it is visible.
    pub fn go_to(&mut self, path: &str) {
        if let Some(at) = self.blocks().iter().position(|block| path.starts_with(&block.path)) {
            self.put_cursor(at);
        }
    }

    /// Updates the map to the model. The cursor stays on its block, or moves to the block that is now in its
    /// position.
    pub fn update(&mut self, model: &Workbench, version: u64) {
        if self.version == Some(version) {
            return;
        }
        let before = self.position();
        self.tree = MapNode::of(model);
        self.version = Some(version);
        self.root = self.shown().path.clone();
        // Zooms out if an override has emptied the directory.
        if self.blocks().is_empty() {
            self.root.clear();
        }
        let gone = !self.blocks().iter().any(|block| block.path == self.cursor);
        if gone {
            self.put_cursor(before.min(self.blocks().len().saturating_sub(1)));
        }
    }

    /// The zoomed directory.
    pub fn shown(&self) -> &MapNode {
        self.tree.find(&self.root)
    }

    /// The tokens of all items in the payload.
    pub fn total(&self) -> usize {
        self.tree.tokens
    }

    pub fn blocks(&self) -> &[MapNode] {
        &self.shown().children
    }

    /// The position of the block under the cursor.
    pub fn position(&self) -> usize {
        self.blocks().iter().position(|block| block.path == self.cursor).unwrap_or_default()
    }

    pub fn current(&self) -> Option<&MapNode> {
        self.blocks().get(self.position())
    }

    pub fn put_cursor(&mut self, at: usize) {
        self.cursor = self.blocks().get(at).map(|block| block.path.clone()).unwrap_or_default();
    }

    /// Zooms into the directory under the cursor; false if it is an item.
    pub fn zoom_in(&mut self) -> bool {
        let Some(block) = self.current().filter(|block| block.is_directory()) else { return false };
        self.root = block.path.clone();
        self.put_cursor(0);
        true
    }

    /// Zooms out to the directory above; false at the top.
    pub fn zoom_out(&mut self) -> bool {
        if self.root.is_empty() {
            return false;
        }
        let left = std::mem::take(&mut self.root);
        // The parent in the tree, which may be several directories up.
        self.root = self.tree.find(left.trim_end_matches('/')).path.clone();
        self.cursor = left;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(path: &str, tokens: usize) -> MapNode {
        MapNode {
            path: path.to_owned(),
            tokens,
            tiers: [tokens, 0, 0],
            item: Some(ItemId::new(tokens)),
            children: Vec::new(),
        }
    }

    fn map() -> TokenMap {
        let mpsc =
            DirectoryBuilder { items: vec![leaf("a/b/x.rs", 30), leaf("a/b/y.rs", 40)], ..DirectoryBuilder::default() };
        let a = DirectoryBuilder { directories: [("b/", mpsc)].into(), items: Vec::new() };
        let root = DirectoryBuilder { directories: [("a/", a)].into(), items: vec![leaf("z.rs", 100)] };
        TokenMap { tree: root.finish(String::new()), cursor: "a/b/".to_owned(), ..TokenMap::default() }
    }

    #[test]
    fn directories_with_one_child_are_one_block() {
        let map = map();
        let blocks: Vec<(&str, usize)> = map.blocks().iter().map(|block| (block.path.as_str(), block.tokens)).collect();
        assert_eq!(blocks, [("z.rs", 100), ("a/b/", 70)]);
        assert_eq!(map.current().unwrap().items(), [ItemId::new(40), ItemId::new(30)]);
        assert_eq!(map.total(), 170);
    }

    #[test]
    fn zooming_in_and_out_returns_to_the_same_block() {
        let mut map = map();
        assert!(map.zoom_in());
        assert_eq!((map.shown().path.as_str(), map.current().unwrap().path.as_str()), ("a/b/", "a/b/y.rs"));
        assert!(!map.zoom_in(), "an item has nothing inside");
        assert!(map.zoom_out());
        assert_eq!(map.current().unwrap().path, "a/b/");
        assert!(!map.zoom_out());
    }
}
