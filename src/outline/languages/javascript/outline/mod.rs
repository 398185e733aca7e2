//! JavaScript and TypeScript, read statement by statement, including inside functions, because a function may wrap a
//! whole module.

mod classes;
mod closures;
mod ends;
mod frames;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod values;
mod variables;

use std::ops::{Deref, DerefMut};

use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::reader::TokenReader;

/// Maximum depth of nested brackets that are read.
const DEEPEST: u16 = 120;

/// Reads a whole file.
pub(in crate::outline::languages) fn read(reader: &mut TokenReader<'_>) {
    let end = reader.tokens.len();
    ScriptReader { reader, place: ScriptContext::default() }.statements(0, end);
}

/// Reads a whole file of TypeScript.
pub(in crate::outline::languages) fn read_typed(reader: &mut TokenReader<'_>) {
    let end = reader.tokens.len();
    ScriptReader { reader, place: ScriptContext { has_types: true, ..ScriptContext::default() } }.statements(0, end);
}

/// Context of the current statement.
#[derive(Debug, Clone, Copy, Default)]
struct ScriptContext {
    has_types: bool,
    /// True inside functions, where variables are not definitions.
    in_function: bool,
    /// True if an enclosing gap already includes it.
    is_folded: bool,
    depth: u16,
}

/// A reader with its context.
struct ScriptReader<'r, 't> {
    reader: &'r mut TokenReader<'t>,
    place: ScriptContext,
}

impl<'t> Deref for ScriptReader<'_, 't> {
    type Target = TokenReader<'t>;

    fn deref(&self) -> &Self::Target {
        self.reader
    }
}

impl DerefMut for ScriptReader<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.reader
    }
}

impl<'t> ScriptReader<'_, 't> {
    fn has_types(&self) -> bool {
        self.place.has_types
    }

    /// Reads nested code unless it is too deep.
    fn deeper(&mut self, place: ScriptContext, read: impl FnOnce(&mut ScriptReader<'_, 't>)) {
        if place.depth < DEEPEST {
            let place = ScriptContext { depth: place.depth + 1, ..place };
            read(&mut ScriptReader { reader: self.reader, place });
        }
    }

    /// Like `deeper`, within a definition if there is one.
    fn deeper_in(
        &mut self,
        definition: Option<usize>,
        place: ScriptContext,
        read: impl FnOnce(&mut ScriptReader<'_, 't>),
    ) {
        match definition {
            Some(definition) if place.depth < DEEPEST => {
                let place = ScriptContext { depth: place.depth + 1, ..place };
                self.reader.within(definition, |reader| read(&mut ScriptReader { reader, place }));
            }
            _ => self.deeper(place, read),
        }
    }

    /// Records a definition, except a variable inside a function.
    fn note(&mut self, kind: DefinitionKind, name: &str, first: usize, last: usize) -> Option<usize> {
        use DefinitionKind::{Constant, Function, Method, Property, Type};
        let is_variable = matches!(kind, Constant | Property);
        if name.trim().is_empty() || (is_variable && self.place.in_function) {
            return None;
        }
        let kind = if kind == Function && self.around() == Some(Type) { Method } else { kind };
        Some(self.define(kind, name, first, last))
    }

    /// Text from one token to another, both included.
    fn text_between(&self, first: usize, last: usize) -> &'t str {
        let (Some(first), Some(last)) = (self.tokens.get(first), self.tokens.get(last)) else { return "" };
        self.text.get(first.start as usize..last.end as usize).unwrap_or("")
    }

    /// Returns true if both tokens are on one row.
    fn same_row(&self, first: usize, second: usize) -> bool {
        self.last_row(first) == self.row(second)
    }

    /// Returns true if there is no space between a token and the one before.
    fn is_adjacent(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| self.tokens[before].end == self.tokens[at].start)
    }

    /// Last significant token before `end`.
    fn last_of(&self, from: usize, end: usize) -> usize {
        self.before(end, from).unwrap_or(from)
    }

    /// Reads the body of a function, and records that a skeleton can omit it.
    fn body(&mut self, first: usize, block: usize, definition: Option<usize>) {
        let close = self.close(block);
        let mut place = ScriptContext { in_function: true, ..self.place };
        if !place.is_folded {
            place.is_folded = self.inside(block).is_some();
            self.fold_body(first, block, close);
        }
        self.deeper_in(definition, place, |inner| inner.statements(block + 1, close));
    }
}
