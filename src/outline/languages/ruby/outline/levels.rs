//! Open levels of a Ruby file: classes, methods, blocks, branches and brackets.

/// The kind of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelKind {
    File,
    /// A class or a module.
    Class,
    Method,
    /// `do … end` and `{ … }` after a call.
    Block,
    /// `if`, `case`, `begin`, `while`.
    Branch,
    Bracket(u8),
}

/// An open level.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub(super) struct RubyLevel {
    pub(super) kind: LevelKind,
    /// True if `end` closes it, false if a bracket does.
    pub(super) ends_with_word: bool,
    /// The definition that ends with this level.
    pub(super) own: Option<usize>,
    /// Enclosing definition of its contents.
    pub(super) definition: Option<usize>,
    pub(super) in_function: bool,
    pub(super) start: usize,
    pub(super) row: u32,
    /// Indentation of its line, and its own column.
    pub(super) indent: u32,
    pub(super) column: u32,
    /// True if the next `do` belongs to a loop.
    pub(super) takes_do: bool,
    pub(super) body: MethodBody,
    pub(super) folds_before: usize,
    pub(super) functions_before: usize,
    pub(super) statement: Option<Statement>,
    /// True if a statement precedes, so that comments can belong to the next one.
    pub(super) has_statement: bool,
    /// Rows of all statements, and of those that define something or end with a block.
    pub(super) rows: u32,
    pub(super) framed: u32,
    /// True if its contents are arguments of a call.
    pub(super) is_call: bool,
    /// True if the level itself is an argument of a call.
    pub(super) is_passed: bool,
}

impl RubyLevel {
    pub(super) fn is_bracket(&self) -> bool {
        matches!(self.kind, LevelKind::Bracket(_))
    }

    /// Returns true if a level opened here is an argument.
    pub(super) fn passes(&self) -> bool {
        self.is_call || self.statement.is_some_and(|statement| statement.is_command)
    }

    /// Returns true if its contents are mostly definitions and calls with blocks.
    pub(super) fn wraps_definitions(&self, least: usize) -> bool {
        self.framed * 2 >= self.rows && self.framed as usize >= least
    }
}

/// Start of the body of a method or block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MethodBody {
    /// First row of the definition or call around the body.
    pub(super) scope: u32,
    /// Last row of its header.
    pub(super) header: u32,
    /// True if parameters may still follow.
    pub(super) in_header: bool,
    /// True if something follows on the row of the header.
    pub(super) shares_row: bool,
}

/// The current statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Statement {
    pub(super) row: u32,
    /// First row, including the comments above.
    pub(super) lead: u32,
    /// True if the statement defines a method, class or module.
    pub(super) is_member: bool,
    /// Definitions that end with the statement: index of the first, and their number.
    pub(super) pending: Option<(usize, usize)>,
    /// True if the statement is a call without parentheses around its arguments.
    pub(super) is_command: bool,
}
