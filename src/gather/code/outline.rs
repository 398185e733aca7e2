//! What a source file defines, and on which lines.

use tree_sitter::{Node, Tree};

use super::grammar::{Grammar, caught, last_row};
use super::grammar_nodes::Fold;
use super::names::named;
use super::sketch::sketch;
use super::walk::{Step, Visitor, walk};
use crate::gather::language::Language;

/// One definition of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name as written, qualified only where the source qualifies it (`Shape::area`, `Display for Id`).
    pub name: String,
    /// What it is.
    pub kind: DefinitionKind,
    /// Its first line, from 1; doc comments, attributes and decorators included.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// The definition around it, as an index into the outline.
    pub parent: Option<usize>,
}

/// What kind of thing a definition defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefinitionKind {
    /// A function on its own.
    Function,
    /// A function of a type.
    Method,
    /// A class, struct, enum, interface, trait or alias.
    Type,
    /// Functions added to a type elsewhere (Rust's `impl`).
    Implementation,
    /// A module or namespace.
    Module,
    /// A constant or a variable outside any function.
    Constant,
    /// A field or property of a type.
    Property,
    /// A macro.
    Macro,
}

/// The definitions of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// In the order of the document, parents before children.
    pub definitions: Vec<Definition>,
    /// Whether the parser met something that it could not make sense of; the rest is still there.
    pub has_errors: bool,
}

/// The outline of a source file. None if there is no grammar, the text is too large for it, or the parser gave up.
pub fn outline(language: Language, text: &str) -> Option<Outline> {
    caught(|| {
        if let Some(sketch) = sketch(language, text) {
            return Some(Outline { definitions: sketch.definitions, has_errors: sketch.has_errors });
        }
        let grammar = Grammar::of(language)?;
        Some(of_tree(grammar, &grammar.parse(text)?, text))
    })
}

/// The outline by a tree of `text`.
pub(super) fn of_tree(grammar: &Grammar, tree: &Tree, text: &str) -> Outline {
    let mut outliner = Outliner { grammar, text, definitions: Vec::new(), open: Vec::new(), functions_open: 0 };
    walk(grammar, tree, &mut outliner);
    Outline { definitions: outliner.definitions, has_errors: tree.root_node().has_error() }
}

/// A definition or function that the walk is inside of.
struct Open {
    node: usize,
    definition: Option<usize>,
    is_function: bool,
}

struct Outliner<'t> {
    grammar: &'t Grammar,
    text: &'t str,
    definitions: Vec<Definition>,
    open: Vec<Open>,
    functions_open: usize,
}

impl<'t> Visitor<'t> for Outliner<'t> {
    fn enter(&mut self, step: &Step<'t, '_>) -> bool {
        let definition = self.definition(step).map(|definition| {
            self.definitions.push(definition);
            self.definitions.len() - 1
        });
        let is_function = matches!(step.role.fold, Fold::Function | Fold::Closure);
        if definition.is_some() || is_function {
            self.functions_open += usize::from(is_function);
            self.open.push(Open { node: step.node.id(), definition, is_function });
        }
        true
    }

    fn leave(&mut self, node: Node<'t>) {
        if let Some(open) = self.open.pop_if(|open| open.node == node.id()) {
            self.functions_open -= usize::from(open.is_function);
        }
    }
}

impl Outliner<'_> {
    fn definition(&self, step: &Step<'_, '_>) -> Option<Definition> {
        let (name, kind) = named(self.grammar, self.text, step.node, step.role.definition?)?;
        let is_variable = matches!(kind, DefinitionKind::Constant | DefinitionKind::Property);
        if name.trim().is_empty() || (self.functions_open > 0 && is_variable) {
            return None;
        }
        let parent = self.open.iter().rev().find_map(|open| open.definition);
        let around = parent.map(|parent| self.definitions[parent].kind);
        Some(Definition {
            name,
            kind: self.kind_within(kind, around),
            first: line(step.first_row),
            last: line(last_row(step.node)),
            parent,
        })
    }

    fn kind_within(&self, kind: DefinitionKind, around: Option<DefinitionKind>) -> DefinitionKind {
        use DefinitionKind::{Constant, Function, Implementation, Method, Module, Property, Type};
        match (kind, around) {
            (Function, Some(Type | Implementation)) => Method,
            (Function, Some(Module)) if self.grammar.language() == Language::Ruby => Method,
            (Constant, Some(Type)) if self.grammar.language() == Language::Python => Property,
            _ => kind,
        }
    }
}

fn line(row: usize) -> u32 {
    row as u32 + 1
}
