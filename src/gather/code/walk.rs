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
    /// The comments and attributes directly above, top first.
    pub(super) lead: &'w [Node<'t>],
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
    lead: Vec<Node<'t>>,
    /// Comments and attributes seen since the last other child.
    run: Vec<Node<'t>>,
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
        let (first_row, lead) = led_by(&mut levels, node, role);
        let step = Step { node, role, first_row, lead: &lead, around: &levels };
        if visitor.enter(&step) {
            if cursor.goto_first_child() {
                levels.push(Level { node, role, first_row, lead, run: Vec::new(), previous_row: None });
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

/// Where the node with everything that leads it begins, and what leads it; keeps the run of comments up to date.
fn led_by<'t>(levels: &mut [Level<'t>], node: Node<'t>, role: Role) -> (usize, Vec<Node<'t>>) {
    let row = node.start_position().row;
    let Some(level) = levels.last_mut() else { return (row, Vec::new()) };
    let trails = level.previous_row == Some(row);
    level.previous_row = Some(last_row(node));
    if role.lead != Lead::None {
        let follows = level.run.last().is_some_and(|last| last_row(*last) + 1 >= row);
        if !follows {
            level.run.clear();
        }
        // A comment behind code on the same row speaks about that code.
        if !trails || follows {
            level.run.push(node);
        }
        return (row, Vec::new());
    }
    let mut lead = std::mem::take(&mut level.run);
    if lead.last().is_none_or(|last| last_row(*last) + 1 < row) {
        lead.clear();
    }
    let mut first_row = lead.first().map_or(row, |first| first.start_position().row);
    let inherits = match level.role.wrapper {
        Wrapper::Always => true,
        Wrapper::SameRow => level.node.start_position().row == row,
        Wrapper::No => false,
    };
    if inherits && node.is_named() {
        first_row = first_row.min(level.first_row);
        lead.splice(0..0, level.lead.iter().copied());
    }
    (first_row, lead)
}
