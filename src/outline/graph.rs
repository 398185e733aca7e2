//! The import graph: files that import each other, derived from paths and import statements.

mod key_index;
mod resolver;
pub(crate) mod tree;

#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use rayon::prelude::*;

use super::imports::Import;
use crate::ids::FileId;
use crate::outline::language::Language;
pub(crate) use resolver::Resolver;
pub(crate) use tree::FileTree;

/// A file of the tree. Files without a language help to locate packages.
#[derive(Debug, Clone, Copy)]
pub struct GraphNode<'a> {
    /// Path from the project root, with `/`.
    pub path: &'a str,
    /// Language, if it is code.
    pub language: Option<Language>,
    /// Imports as written in the file.
    pub imports: &'a [Import],
}

/// Imports between files, in both directions. A header and its implementation count as importing each other.
#[derive(Debug, Default)]
pub struct ImportGraph {
    forward: Adjacency,
    backward: Adjacency,
}

impl ImportGraph {
    /// Resolves every import of every node; a node's index is its position in the slice.
    pub fn build(nodes: &[GraphNode<'_>]) -> Self {
        let tree = FileTree::new(nodes);
        let resolver = Resolver::new(&tree, nodes);
        // Several parts per core balance the load, because some files import far more than others. Too many parts would
        // repeat work, because each part has its own cache.
        let part = nodes.len().div_ceil(4 * rayon::current_num_threads()).max(1);
        let parts: Vec<Vec<Vec<u32>>> = nodes
            .par_chunks(part)
            .enumerate()
            .map_init(
                || resolver.another(),
                |resolver, (number, some)| {
                    let each = some.iter().enumerate();
                    each.map(|(at, node)| resolver.targets(number * part + at, node.imports)).collect()
                },
            )
            .collect();
        let edges: Vec<Vec<u32>> = parts.into_iter().flatten().collect();
        let backward = Adjacency::reversed(&edges);
        Self { forward: Adjacency::new(&edges), backward }
    }

    /// Files that `file` imports, sorted, without duplicates and without `file` itself.
    pub fn imports(&self, file: FileId) -> &[FileId] {
        self.forward.of(file)
    }

    /// Files that import `file`, sorted, without duplicates and without `file` itself.
    pub fn imported_by(&self, file: FileId) -> &[FileId] {
        self.backward.of(file)
    }

    /// Files within 1 to `limit` steps of `from` in either direction, nearest first, without `from` itself.
    pub fn hops(&self, from: &[FileId], limit: u8) -> Vec<(FileId, u8)> {
        let mut seen = vec![false; self.forward.len()];
        let mut queue: VecDeque<(FileId, u8)> = VecDeque::new();
        for &file in from {
            if let Some(seen) = seen.get_mut(file.index())
                && !std::mem::replace(seen, true)
            {
                queue.push_back((file, 0));
            }
        }
        let mut reached = Vec::new();
        while let Some((file, distance)) = queue.pop_front() {
            if distance == limit {
                continue;
            }
            for &next in self.imports(file).iter().chain(self.imported_by(file)) {
                if !std::mem::replace(&mut seen[next], true) {
                    reached.push((next, distance + 1));
                    queue.push_back((next, distance + 1));
                }
            }
        }
        reached
    }
}

/// Adjacency lists in one allocation.
#[derive(Debug, Default)]
struct Adjacency {
    starts: Vec<u32>,
    targets: Vec<FileId>,
}

impl Adjacency {
    fn new(edges: &[Vec<u32>]) -> Self {
        let mut starts = Vec::with_capacity(edges.len() + 1);
        let mut targets = Vec::with_capacity(edges.iter().map(Vec::len).sum());
        starts.push(0);
        for list in edges {
            targets.extend(list.iter().map(|target| FileId::new(*target as usize)));
            starts.push(targets.len() as u32);
        }
        Self { starts, targets }
    }

    fn reversed(edges: &[Vec<u32>]) -> Self {
        let mut starts = vec![0_u32; edges.len() + 1];
        for &target in edges.iter().flatten() {
            starts[target as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![FileId::new(0); edges.iter().map(Vec::len).sum()];
        // Sources are visited in ascending order, so every list is sorted.
        for (source, list) in edges.iter().enumerate() {
            for &target in list {
                let place = &mut next[target as usize];
                targets[*place as usize] = FileId::new(source);
                *place += 1;
            }
        }
        Self { starts, targets }
    }

    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn of(&self, file: FileId) -> &[FileId] {
        match (self.starts.get(file.index()), self.starts.get(file.index() + 1)) {
            (Some(&start), Some(&end)) => &self.targets[start as usize..end as usize],
            _ => &[],
        }
    }
}
