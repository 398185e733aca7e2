//! Which rows lie strictly inside a function's body or a literal, so that they can go and the frame can stay.

use tree_sitter::Node;

use super::grammar::{Grammar, children, last_row};
use super::grammar_nodes::Lead;
use super::lines::Lines;
use super::sketch::SAMPLE_ROWS;
use crate::gather::language::Language;

/// Rows counted from 0, inclusive.
pub(super) type Rows = (usize, usize);

/// The rows of a function's body that can go: all between the braces, or in Python all after the docstring.
/// None if the body is not a block or shares its first or last row with its frame.
pub(super) fn of_function(grammar: &Grammar, lines: &Lines<'_>, function: Node<'_>) -> Option<Rows> {
    match grammar.language() {
        Language::Python => indented(lines, function),
        Language::Ruby => {
            let header = function
                .child_by_field_name("parameters")
                .or_else(|| function.child_by_field_name("name"))
                .or_else(|| function.child(0))?;
            between(grammar, lines, function, header)
        }
        _ => {
            let block = block_of(grammar, function)?;
            between(grammar, lines, block, block.child(0)?)
        }
    }
}

/// The block of statements that is a function's body.
pub(super) fn block_of<'t>(grammar: &Grammar, function: Node<'t>) -> Option<Node<'t>> {
    let mut block = function
        .child_by_field_name("body")
        .or_else(|| function.child_by_field_name("right"))
        .or_else(|| children(function).into_iter().find(|child| grammar.is_block(*child)))
        .filter(|block| grammar.is_block(*block))?;
    // `=> {{ … }}` in a macro: what counts is inside the inner pair.
    while block.kind() == "token_tree"
        && let Some(inner) = block.named_child(0)
        && inner.kind() == "token_tree"
        && inner.start_position().row == block.start_position().row
        && inner.end_position().row == block.end_position().row
    {
        block = inner;
    }
    Some(block)
}

/// The rows of a table that can go: all but the first few entries.
pub(super) fn of_literal(grammar: &Grammar, lines: &Lines<'_>, literal: Node<'_>) -> Option<Rows> {
    let all = children(literal);
    // `array(` in PHP and the like: the bracket is not always the first child.
    let open = all.iter().position(|child| matches!(child.kind(), "[" | "{" | "("))?;
    let (first, last) = between(grammar, lines, literal, all[open])?;
    let mut sampled = first;
    for child in &all[open + 1..all.len() - 1] {
        let (start, end) = (child.start_position().row, last_row(*child));
        if start >= sampled && start >= first + SAMPLE_ROWS {
            break;
        }
        if end >= first + SAMPLE_ROWS {
            // An entry that runs past the sample goes if it begins on a row of its own; else the sample ends before.
            return (start >= sampled).then_some((start.max(first), last));
        }
        sampled = sampled.max(end + 1);
    }
    Some((sampled, last))
}

/// The rows after `opening` and before the last child of `frame`, if these two have their rows for themselves.
fn between(grammar: &Grammar, lines: &Lines<'_>, frame: Node<'_>, opening: Node<'_>) -> Option<Rows> {
    let open_row = last_row(opening);
    let closing = frame.child(frame.child_count().checked_sub(1)?)?;
    if !matches!(closing.kind(), "}" | "]" | ")" | "end") || closing.is_missing() {
        return None;
    }
    let close = closing.start_position();
    if !lines.row(close.row).get(..close.column)?.trim().is_empty() {
        return None;
    }
    let shares_opening_row = children(frame)
        .into_iter()
        .filter(|child| child.start_byte() >= opening.end_byte() && child.id() != closing.id())
        .take_while(|child| child.start_position().row <= open_row)
        .any(|child| grammar.role(child).lead != Lead::Comment || last_row(child) > open_row);
    if shares_opening_row || close.row < open_row + 2 {
        return None;
    }
    Some((open_row + 1, close.row - 1))
}

fn indented(lines: &Lines<'_>, function: Node<'_>) -> Option<Rows> {
    let body = function.child_by_field_name("body")?;
    let colon = children(function).into_iter().rfind(|child| child.kind() == ":")?;
    let mut first = colon.start_position().row + 1;
    let statements = children(body);
    let mut following = statements.iter().filter(|child| child.kind() != "comment");
    if let Some(docstring) = docstring_statement(body) {
        first = last_row(docstring) + 1;
        following.next();
    }
    let next = following.next()?;
    if next.start_position().row < first {
        return None;
    }
    let mut last = last_row(body);
    // The grammar leaves comments at the end of a body outside; they are indented like it and go with it.
    let depth = body.start_position().column;
    for row in last + 1..lines.count() {
        let text = lines.row(row);
        let content = text.trim_start();
        if content.is_empty() {
            continue;
        }
        if !content.starts_with('#') || text.len() - content.len() < depth {
            break;
        }
        last = row;
    }
    Some((first, last))
}

/// The first statement of a Python body if it is a docstring.
pub(super) fn docstring_statement(body: Node<'_>) -> Option<Node<'_>> {
    let first = children(body).into_iter().find(|child| child.kind() != "comment")?;
    let string = first.named_child(0)?;
    (first.kind() == "expression_statement"
        && first.named_child_count() == 1
        && matches!(string.kind(), "string" | "concatenated_string"))
    .then_some(first)
}
