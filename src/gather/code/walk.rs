//! One walk over a syntax tree, without recursion, that knows which comments and attributes lead which node.

use tree_sitter::{Node, Tree};

use super::grammar::{Grammar, last_row};
use super::grammar_nodes::{Lead, Role, Wrapper};

/// A node on the way, with what stands before it.
pub(super) struct Step<'t, 'w> {
    pub(super) node: Node<'t>,
    pub(super) role: Role,
    /// The first row of the node, or of the comments, attributes and wrappers that lead it.
    pub(super) first_row: usize,
    /// The nodes around this one, outermost first.
    pub(super) around: &'w [Level<'t>],
}

/// Whoever looks at the nodes.
pub(super) trait Visitor<'t> {
    /// Sees a node before its children; says whether to go into them.
    fn enter(&mut self, step: &Step<'t, '_>) -> bool;
    /// Sees a node after its children, if it went into them.
    fn leave(&mut self, node: Node<'t>);
}

/// A node whose children are being visited.
pub(super) struct Level<'t> {
    pub(super) node: Node<'t>,
    pub(super) role: Role,
    first_row: usize,
    /// The rows of the comments and attributes one above the other since the last other child.
    run: Option<(usize, usize)>,
    /// Where the last child ended.
    previous_row: Option<usize>,
}

/// Shows every node of the tree to the visitor, parents before children.
pub(super) fn walk<'t>(grammar: &Grammar, tree: &'t Tree, visitor: &mut impl Visitor<'t>) {
    let mut cursor = tree.walk();
    let mut levels: Vec<Level<'t>> = Vec::new();
    loop {
        let node = cursor.node();
        let role = grammar.role(node);
        let first_row = first_row_of(&mut levels, node, role);
        let step = Step { node, role, first_row, around: &levels };
        if visitor.enter(&step) {
            if cursor.goto_first_child() {
                levels.push(Level { node, role, first_row, run: None, previous_row: None });
                continue;
            }
            visitor.leave(node);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            if let Some(level) = levels.pop() {
                visitor.leave(level.node);
            }
        }
    }
}

/// Where the node with everything that leads it begins; keeps the run of comments up to date.
fn first_row_of(levels: &mut [Level<'_>], node: Node<'_>, role: Role) -> usize {
    let (row, end) = (node.start_position().row, last_row(node));
    let Some(level) = levels.last_mut() else { return row };
    let trails = level.previous_row.replace(end) == Some(row);
    let above = level.run.take().filter(|(_, last)| last + 1 >= row);
    if role.lead != Lead::None {
        // A comment behind code on the same row speaks about that code.
        level.run = match above {
            None if trails => None,
            _ => Some((above.map_or(row, |(first, _)| first), end)),
        };
        return row;
    }
    let first_row = above.map_or(row, |(first, _)| first);
    let inherits = match level.role.wrapper {
        Wrapper::Always => true,
        Wrapper::SameRow => level.node.start_position().row == row,
        Wrapper::No => false,
    };
    if inherits && node.is_named() { first_row.min(level.first_row) } else { first_row }
}
