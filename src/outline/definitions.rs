//! Definitions of a source file, with their lines.

use super::raw_outline::read_outline;
use crate::outline::language::Language;

/// A definition in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Name as written, qualified only if the source qualifies it (`Shape::area`, `Display for Id`).
    pub name: String,
    /// Kind of definition.
    pub kind: DefinitionKind,
    /// First line (1-based), including doc comments, attributes and decorators.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Index of the enclosing definition in the outline.
    pub parent: Option<usize>,
}

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefinitionKind {
    /// A function outside a type.
    Function,
    /// A function in a type.
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
    /// In source order, parents before children.
    pub definitions: Vec<Definition>,
    /// True if a bracket or string is not closed; the remaining definitions are still listed.
    pub has_errors: bool,
}

/// The outline of a source file; `None` if the language has no reader or the text is too large.
pub fn outline(language: Language, text: &str) -> Option<Outline> {
    let outline = read_outline(language, text)?;
    Some(Outline { definitions: outline.definitions, has_errors: outline.has_errors })
}

impl Outline {
    /// Lines of the first definition called `name`, which may be qualified by the names of its parents: `add`,
    /// `Ledger.add`, `Ledger::add`.
    pub fn span_of(&self, name: &str) -> Option<(u32, u32)> {
        let wanted = name.replace("::", ".");
        let is_wanted = |index: &usize| {
            let qualified = self.qualified(*index);
            let own = self.definitions[*index].name.replace("::", ".");
            own == wanted || qualified == wanted || qualified.ends_with(&format!(".{wanted}"))
        };
        let found = (0..self.definitions.len()).find(is_wanted)?;
        Some((self.definitions[found].first, self.definitions[found].last))
    }

    /// The definition's name with those of the enclosing definitions: `Ledger.add`.
    pub fn qualified(&self, index: usize) -> String {
        let mut name = self.definitions[index].name.replace("::", ".");
        let mut parent = self.definitions[index].parent;
        while let Some(outer) = parent.and_then(|at| self.definitions.get(at)) {
            name = format!("{}.{name}", outer.name.replace("::", "."));
            parent = outer.parent;
        }
        name
    }

    /// A name by which [`Outline::span_of`] finds the definition; `None` if an earlier one has the same names.
    pub fn unique_name(&self, index: usize) -> Option<String> {
        let definition = &self.definitions[index];
        let finds = |name: &String| self.span_of(name) == Some((definition.first, definition.last));
        [self.qualified(index), definition.name.clone()].into_iter().find(finds)
    }
}
