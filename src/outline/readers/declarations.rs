//! Reader for languages in which a keyword introduces a declaration, and a declaration ends with its block, its line or
//! a semicolon.

use crate::outline::definitions::DefinitionKind::{
    self, Constant, Function, Implementation, Macro, Method, Module, Property, Type,
};
use crate::outline::raw_outline::SHORTEST_TABLE;
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

/// Declaration syntax of a language.
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub(crate) struct DeclarationSyntax {
    /// Keywords of declarations, and the kind of definition that each introduces outside types.
    pub(crate) kinds: &'static [(&'static str, DefinitionKind)],
    pub(crate) modifiers: &'static [&'static str],
    /// Keywords of declarations that have no other name, such as `init`.
    pub(crate) own_names: &'static [&'static str],
    /// True if `get` and `set` below a property belong to it.
    pub(crate) accessors: bool,
    /// True if the arguments of a call in a value are a table.
    pub(crate) call_tables: bool,
    /// True if `[…]` in a value is a table.
    pub(crate) bracket_tables: bool,
    /// True if `{…}` in a value is a table.
    pub(crate) brace_tables: bool,
    /// True if a long type that contains only fields, which end with semicolons, is a table.
    pub(crate) field_tables: bool,
    /// True if names of types and modules contain dots.
    pub(crate) dotted_names: bool,
    /// True if a declaration ends only with a semicolon or a block, not with its line.
    pub(crate) semicolons: bool,
    /// True if more deeply indented rows belong to a declaration without braces.
    pub(crate) indented_bodies: bool,
    /// True if `= {…}` is the body of a function.
    pub(crate) block_values: bool,
    /// Words before a brace that make the value of a constant a type.
    pub(crate) type_values: &'static [&'static str],
    /// Annotations that extend to the end of their line; if there are any, other annotations do not
    /// belong to a declaration.
    pub(crate) line_annotations: &'static [&'static str],
}

impl DeclarationSyntax {
    pub(crate) const NONE: Self = Self {
        kinds: &[],
        modifiers: &[],
        own_names: &[],
        accessors: false,
        call_tables: false,
        bracket_tables: false,
        brace_tables: false,
        field_tables: false,
        dotted_names: false,
        semicolons: false,
        indented_bodies: false,
        block_values: false,
        type_values: &[],
        line_annotations: &[],
    };

    fn kind_of(&self, word: &str) -> Option<DefinitionKind> {
        self.kinds.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind)
    }
}

/// Reads a whole file.
pub(crate) fn read(reader: &mut TokenReader<'_>) {
    level(reader, 0, reader.tokens.len());
}

fn level(reader: &mut TokenReader<'_>, from: usize, to: usize) {
    let mut at = reader.next_code(from, to);
    while at < to {
        let after = match declaration(reader, at, to) {
            Ok(keyword) => DeclarationReader::new(reader, at, keyword, to).read(),
            Err(other) if reader.syntax.declarations.semicolons => statement_end(reader, other, to),
            Err(other) => line_end(reader, other, to),
        };
        at = reader.next_code(after, to);
    }
}

/// Keyword of the declaration that starts here, after annotations and modifiers; for anything else, `Err` with its
/// first token.
fn declaration(reader: &TokenReader<'_>, start: usize, to: usize) -> Result<usize, usize> {
    let mut at = start;
    while at < to {
        if reader.is(at, b'@') {
            at = annotation_end(reader, at, to).ok_or(at)?;
        } else if reader.kind(at) == TokenKind::Word && reader.syntax.declarations.kind_of(reader.word(at)).is_some() {
            let next = reader.next(at, to);
            // `enum class`, `class func`, `fun interface`
            let says_more = matches!(reader.word(at), "enum" | "class" | "fun")
                && matches!(reader.word(next), "class" | "func" | "var" | "interface");
            if !says_more {
                return Ok(at);
            }
            at = next;
        } else if reader.syntax.declarations.modifiers.contains(&reader.word(at)) {
            at = reader.next(at, to);
            // `private(set)`, `private[this]`, `extern "c"`
            if reader.opens(at, b'(') || reader.opens(at, b'[') || reader.kind(at) == TokenKind::Text {
                at = reader.next(at, to);
            }
        } else {
            return Err(at);
        }
    }
    Err(to)
}

/// Token after `@Named("x")`, `@file:JvmName("x")`, `@a.b.C`; `None` if it does not belong to a declaration.
fn annotation_end(reader: &TokenReader<'_>, start: usize, to: usize) -> Option<usize> {
    let name = reader.next(start, to);
    let with_line = reader.syntax.declarations.line_annotations;
    if !with_line.is_empty() {
        return with_line.contains(&reader.word(name)).then(|| line_end(reader, start, to));
    }
    let mut at = reader.next(name, to);
    while (reader.is(at, b'.') || reader.is(at, b':')) && reader.row(at) == reader.row(start) {
        at = reader.next(reader.next(at, to), to);
    }
    let is_beside = at > 0 && at < to && reader.tokens[at].start == reader.tokens[at - 1].end;
    Some(if reader.opens(at, b'(') && is_beside { reader.next(at, to) } else { at })
}

/// One declaration.
struct DeclarationReader<'r, 't> {
    reader: &'r mut TokenReader<'t>,
    start: usize,
    keyword: usize,
    to: usize,
    kind: DefinitionKind,
}

impl<'r, 't> DeclarationReader<'r, 't> {
    fn new(reader: &'r mut TokenReader<'t>, start: usize, keyword: usize, to: usize) -> Self {
        let is_member = matches!(reader.around(), Some(Type | Implementation));
        let kind = match reader.syntax.declarations.kind_of(reader.word(keyword)).unwrap_or(Module) {
            Function if is_member => Method,
            Constant if is_member => Property,
            kind => kind,
        };
        Self { reader, start, keyword, to, kind }
    }

    fn is_function(&self) -> bool {
        matches!(self.kind, Function | Method | Macro)
    }

    /// Records the declaration; returns the token after it.
    fn read(mut self) -> usize {
        let syntax = &self.reader.syntax.declarations;
        let first = self.reader.first_row(self.start);
        let (mut last, mut at) = (self.keyword, self.reader.next(self.keyword, self.to));
        let (mut value, mut parameters) = (None, None);
        while at < self.to && !self.reader.is(at, b';') {
            // `error{Full}!void {`: the first brace belongs to the return type.
            let is_return_type = self.is_function() && self.follows_type_word(at);
            if self.reader.opens(at, b'{') && value.is_none() && !is_return_type {
                return self.end_with_block(first, at, parameters);
            }
            if syntax.block_values && self.is_function() && self.reader.opens(at, b'{') && value == Some(last) {
                return self.end_with_block(first, at, parameters);
            }
            let is_variable = matches!(self.kind, Constant | Property);
            if self.reader.opens(at, b'{') && is_variable && self.follows_type_word(at) {
                self.kind = Type;
                return self.end_with_block(first, at, None);
            }
            if self.reader.row(at) > self.reader.last_row(last) {
                if syntax.indented_bodies && self.is_deeper(at) {
                    if let Some(after) = self.end_with_indented_body(first, last, at, parameters) {
                        return after;
                    }
                } else if !syntax.semicolons && !self.goes_on(last, at) {
                    break;
                }
            }
            // `val x by lazy { … }`: the block belongs to the call.
            let delegates = matches!(self.kind, Constant | Property) && self.reader.is_word(at, "by");
            if (self.reader.is(at, b'=') || delegates) && value.is_none() {
                value = Some(at);
            }
            if self.reader.opens(at, b'(') && parameters.is_none() {
                parameters = Some(at);
            }
            last = at;
            at = self.reader.next(at, self.to);
        }
        let name = self.name(parameters.filter(|at| value.is_none_or(|sign| *at < sign)));
        self.reader.define(self.kind, &name, first, last);
        if let Some(value) = value {
            let end = self.reader.close(last) + 1;
            self.reader.value(value, end, group, false);
        }
        at.max(self.reader.close(last) + 1)
    }

    /// Returns true if a brace follows a word that makes it a type: `struct {`, `union(enum) {`, `error{`.
    fn follows_type_word(&self, block: usize) -> bool {
        let words = self.reader.syntax.declarations.type_values;
        let Some(before) = self.reader.before(block, self.keyword).filter(|_| !words.is_empty()) else { return false };
        let before = match self.reader.kind(before) {
            TokenKind::Close(b')') => self.reader.before(self.reader.tokens[before].partner as usize, self.keyword),
            _ => Some(before),
        };
        before.is_some_and(|at| words.contains(&self.reader.word(at)))
    }

    /// Returns true if a token that begins a row is indented deeper than the declaration.
    fn is_deeper(&self, at: usize) -> bool {
        self.reader.indentation(at) > self.reader.indentation(self.start)
    }

    /// Ends a declaration whose head ends with `:` or `=` and whose body, from `at` on, is indented.
    fn end_with_indented_body(
        &mut self,
        first: usize,
        last: usize,
        at: usize,
        parameters: Option<usize>,
    ) -> Option<usize> {
        let is_body = match self.kind {
            Implementation => true,
            Type | Module => self.reader.is(last, b':'),
            _ => self.reader.is(last, b'=') && self.is_function(),
        };
        if !is_body {
            return None;
        }
        let (mut end, mut next) = (at, self.reader.next(at, self.to));
        while next < self.to && (self.reader.row(next) <= self.reader.last_row(end) || self.is_deeper(next)) {
            end = next;
            next = self.reader.next(next, self.to);
        }
        let name = self.name(parameters);
        let definition = self.reader.define(self.kind, &name, first, end);
        if self.is_function() {
            self.reader.fold_rows(first, (self.reader.last_row(last) + 1, self.reader.last_row(end)));
        } else {
            self.reader.within(definition, |reader| level(reader, at, next));
        }
        Some(next)
    }

    fn end_with_block(self, first: usize, block: usize, parameters: Option<usize>) -> usize {
        let close = self.reader.close(block);
        let name = self.name(parameters);
        let definition = self.reader.define(self.kind, &name, first, close);
        if self.is_function() || matches!(self.kind, Constant | Property) {
            self.reader.fold_body(first, block, close);
        } else {
            let (folds, functions) = (self.reader.folds.len(), self.reader.functions_seen);
            self.reader.within(definition, |reader| level(reader, block + 1, close));
            let has_members = self.reader.definitions.len() > definition + 1;
            let rows = self.reader.row(close) - self.reader.row(block);
            if self.reader.syntax.declarations.field_tables && !has_members && rows >= SHORTEST_TABLE {
                self.reader.note_table(block, folds, functions);
            }
        }
        close + 1
    }

    /// Returns true if the next row belongs to this declaration.
    fn goes_on(&self, last: usize, next: usize) -> bool {
        let syntax = &self.reader.syntax.declarations;
        let is_variable = matches!(self.kind, Constant | Property);
        let is_accessor = |at: usize| matches!(self.reader.word(at), "get" | "set");
        let accessor = is_variable
            && syntax.accessors
            && (is_accessor(next)
                || syntax.modifiers.contains(&self.reader.word(next)) && is_accessor(self.reader.next(next, self.to)));
        accessor || goes_on(self.reader, last, next, self.to) || (self.reader.opens(next, b'{') && !is_variable)
    }

    fn name(&self, parameters: Option<usize>) -> String {
        let word = self.reader.word(self.keyword);
        if self.is_function() {
            if self.reader.syntax.declarations.own_names.contains(&word) {
                return word.to_owned();
            }
            if let Some(at) = parameters {
                return self.reader.name_before(at, self.keyword + 1).to_owned();
            }
        }
        let name = self.reader.next(self.keyword, self.to);
        match self.reader.kind(name) {
            TokenKind::Word if self.reader.syntax.declarations.dotted_names => self.reader.dotted_name(name).to_owned(),
            TokenKind::Word => self.reader.word(name).to_owned(),
            // The name of a test.
            TokenKind::Text if self.reader.word(name).starts_with('"') => {
                self.reader.word(name).trim_matches('"').to_owned()
            }
            _ => word.to_owned(),
        }
    }
}

/// Returns true if an expression continues on the next row.
pub(crate) fn goes_on(reader: &TokenReader<'_>, last: usize, next: usize, to: usize) -> bool {
    let is_open_ended = match reader.kind(last) {
        TokenKind::Mark(b'>') => last > 0 && reader.joined(last - 1, *b"->"),
        TokenKind::Mark(b'?' | b'!' | b'*' | b'+' | b'-') => {
            // `x++`, `Int?` and `import a.*` end a line; an operator with a space before it does not.
            last > 0 && reader.tokens[last - 1].end < reader.tokens[last].start
        }
        TokenKind::Mark(b';') => false,
        TokenKind::Mark(_) => true,
        TokenKind::Word => {
            matches!(reader.word(last), "in" | "is" | "as" | "by" | "where" | "throws" | "else" | "return" | "throw")
        }
        _ => false,
    };
    let joins = match reader.kind(next) {
        TokenKind::Mark(b'.' | b':' | b',' | b'=' | b'&' | b'|' | b'%' | b'/') => true,
        TokenKind::Mark(b'?') => matches!(reader.kind(reader.next(next, to)), TokenKind::Mark(b'.' | b':')),
        TokenKind::Mark(b'-') => reader.joined(next, *b"->"),
        TokenKind::Word => matches!(reader.word(next), "where" | "else" | "by" | "throws" | "catch" | "finally"),
        _ => false,
    };
    is_open_ended || joins
}

/// Token after a field or statement that ends with a semicolon, a comma or a block.
fn statement_end(reader: &TokenReader<'_>, start: usize, to: usize) -> usize {
    let mut at = start;
    while at < to && !matches!(reader.kind(at), TokenKind::Mark(b';' | b',') | TokenKind::Open(b'{')) {
        at = reader.next(at, to);
    }
    reader.close(at) + 1
}

/// Token after a statement that declares nothing.
pub(crate) fn line_end(reader: &TokenReader<'_>, start: usize, to: usize) -> usize {
    let (mut last, mut at) = (start, reader.next(start, to));
    while at < to && !reader.is(at, b';') && (reader.row(at) <= reader.last_row(last) || goes_on(reader, last, at, to))
    {
        last = at;
        at = reader.next(at, to);
    }
    at
}

/// Purpose of a bracket in the value of a variable.
fn group(reader: &TokenReader<'_>, at: usize) -> BracketUse {
    let before = reader.before(at, 0).map(|it| reader.kind(it));
    match (reader.kind(at), before) {
        (TokenKind::Open(b'{'), _) if reader.syntax.declarations.brace_tables => BracketUse::Table,
        (TokenKind::Open(b'{'), _) => BracketUse::Closure,
        (TokenKind::Open(b'('), Some(TokenKind::Word | TokenKind::Mark(b'>')))
            if reader.syntax.declarations.call_tables =>
        {
            // `listOf(…)` is a table.
            BracketUse::Table
        }
        (TokenKind::Open(b'('), Some(TokenKind::Word | TokenKind::Mark(b'>'))) => BracketUse::Arguments,
        (TokenKind::Open(b'['), _) if reader.syntax.declarations.bracket_tables => BracketUse::Table,
        _ => BracketUse::Other,
    }
}
