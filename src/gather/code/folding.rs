//! What of a source file could go from a skeleton: the bodies of functions, and long tables.

use tree_sitter::{Node, Tree};

use super::grammar::{Grammar, children, last_row};
use super::grammar_nodes::Fold;
use super::interior::{Rows, block_of, of_function, of_literal};
use super::lines::Lines;
use super::outline::DefinitionKind;
use super::shape::Foldable;
use super::sketch::{SHORTEST_BODY, SHORTEST_TABLE};
use super::walk::{Step, Visitor, walk};

/// All that can go from the text of `tree`, what is inside before what is around it.
pub(super) fn foldables(grammar: &Grammar, tree: &Tree, lines: &Lines<'_>) -> Vec<Foldable> {
    let mut folding = Folding { grammar, lines, folds: Vec::new(), tables: Vec::new(), functions_seen: 0 };
    walk(grammar, tree, &mut folding);
    folding.folds
}

fn small((first, last): Rows) -> (u32, u32) {
    (first as u32, last as u32)
}

/// A table that the walk is inside of, with the state before it.
struct OpenTable {
    node: usize,
    folds_before: usize,
    functions_before: usize,
}

struct Folding<'a> {
    grammar: &'a Grammar,
    lines: &'a Lines<'a>,
    folds: Vec<Foldable>,
    tables: Vec<OpenTable>,
    functions_seen: usize,
}

impl<'t> Visitor<'t> for Folding<'_> {
    fn enter(&mut self, step: &Step<'t, '_>) -> bool {
        match step.role.fold {
            Fold::Never => true,
            Fold::Function => {
                self.functions_seen += 1;
                !self.fold_function(step)
            }
            Fold::Closure => {
                self.functions_seen += 1;
                (is_argument(step) && self.frames_others(step.node)) || !self.fold_function(step)
            }
            Fold::Literal => {
                let long = last_row(step.node) - step.node.start_position().row >= SHORTEST_TABLE;
                if long && !is_passed(step) {
                    self.tables.push(OpenTable {
                        node: step.node.id(),
                        folds_before: self.folds.len(),
                        functions_before: self.functions_seen,
                    });
                }
                true
            }
        }
    }

    fn leave(&mut self, node: Node<'t>) {
        let Some(table) = self.tables.pop_if(|table| table.node == node.id()) else { return };
        // A table of functions is as good as a class; it keeps its structure.
        if self.functions_seen > table.functions_before {
            return;
        }
        let gap =
            of_literal(self.grammar, self.lines, node).filter(|(first, last)| last + 1 >= first + SHORTEST_TABLE - 3);
        let scope = (node.start_position().row, last_row(node));
        let holds = self.folds.len() - table.folds_before;
        self.folds.push(Foldable { scope: small(scope), gap: gap.map(small), is_body: false, holds });
    }
}

impl Folding<'_> {
    /// Notes the body of a function if it can be cut; whether that settles everything inside.
    fn fold_function(&mut self, step: &Step<'_, '_>) -> bool {
        let Some((first, last)) = of_function(self.grammar, self.lines, step.node) else { return false };
        if last + 1 >= first + SHORTEST_BODY {
            let scope = (step.first_row, last_row(step.node));
            self.folds.push(Foldable { scope: small(scope), gap: Some(small((first, last))), is_body: true, holds: 0 });
        }
        true
    }

    /// Whether a closure holds mostly definitions and calls with closures of their own: a module wrapped into a function,
    /// a suite of tests. Its structure says more than a mark would.
    fn frames_others(&self, closure: Node<'_>) -> bool {
        let body = closure.child_by_field_name("body").or_else(|| block_of(self.grammar, closure));
        let Some(body) = body else { return false };
        let (mut framed, mut all) = (0, 0);
        for child in children(body).into_iter().filter(Node::is_named) {
            let rows = last_row(child) + 1 - child.start_position().row;
            all += rows;
            if self.is_member(child) {
                framed += rows;
            }
        }
        framed * 2 >= all && framed >= SHORTEST_BODY
    }

    fn is_member(&self, mut statement: Node<'_>) -> bool {
        let role = self.grammar.role(statement);
        if role.fold == Fold::Function || matches!(role.definition, Some(DefinitionKind::Type | DefinitionKind::Module))
        {
            return true;
        }
        // `describe("…", () => { … })`: the closure is the last thing in the last argument of the statement.
        for _ in 0..6 {
            if self.grammar.role(statement).fold == Fold::Closure {
                return true;
            }
            let count = statement.named_child_count() as u32;
            match count.checked_sub(1).and_then(|last| statement.named_child(last)) {
                Some(last) => statement = last,
                None => return false,
            }
        }
        false
    }
}

/// Whether a closure is part of a call, as opposed to being given a name.
fn is_argument(step: &Step<'_, '_>) -> bool {
    let calls = ["call", "call_expression", "parenthesized_expression"];
    is_passed(step) || step.around.iter().rev().take(2).any(|level| calls.contains(&level.node.kind()))
}

/// Whether a literal is an argument of a call; what it configures is more than a table.
fn is_passed(step: &Step<'_, '_>) -> bool {
    step.around.iter().rev().take(2).any(|level| level.node.kind().contains("argument"))
}
