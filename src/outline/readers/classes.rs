//! Reader for languages in which a member's type precedes its name, and members end with a block or a semicolon.

use crate::outline::definitions::DefinitionKind::{self, Constant, Function, Method, Module, Property, Type};
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

/// Context of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberScope {
    /// Next to other types, where C# also allows statements.
    File,
    Type,
}

/// Member syntax of a language.
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub(crate) struct ClassSyntax {
    /// Keywords of definitions.
    pub(crate) keywords: &'static [&'static str],
    /// True if `[…]` before a member is an attribute.
    pub(crate) bracket_attributes: bool,
    /// True if the constants of an enum may have bodies.
    pub(crate) enum_bodies: bool,
    /// True if a constructor may omit its parameters, as in a Java record.
    pub(crate) compact_constructors: bool,
    /// True if `new T() {…}` sets properties instead of defining a class.
    pub(crate) initializers: bool,
    /// Words that are keywords only before a name.
    pub(crate) soft_keywords: &'static [&'static str],
    /// True if functions and variables can be defined outside types, and constructors have initializer lists.
    pub(crate) top_level_members: bool,
}

impl ClassSyntax {
    pub(crate) const PLAIN: Self = Self {
        keywords: &["class", "interface", "enum", "struct", "namespace"],
        bracket_attributes: false,
        enum_bodies: false,
        compact_constructors: false,
        initializers: false,
        soft_keywords: &["record", "module"],
        top_level_members: false,
    };
}

/// Reads a whole file.
pub(crate) fn read(reader: &mut TokenReader<'_>) {
    level(reader, 0, reader.tokens.len(), MemberScope::File);
}

fn members(reader: &mut TokenReader<'_>, from: usize, to: usize) {
    level(reader, from, to, MemberScope::Type);
}

/// Reads the members of an anonymous class.
fn members_of(reader: &mut TokenReader<'_>, open: usize) {
    let close = reader.close(open);
    reader.deeper(|reader| members(reader, open + 1, close));
}

fn level(reader: &mut TokenReader<'_>, from: usize, to: usize, scope: MemberScope) {
    let mut at = reader.next_code(from, to);
    while at < to {
        at = MemberReader::new(reader, at, to, scope).read();
        at = reader.next_code(at, to);
    }
}

/// A member or type, from its first token on.
struct MemberReader<'r, 't> {
    reader: &'r mut TokenReader<'t>,
    start: usize,
    to: usize,
    scope: MemberScope,
    /// Its keyword: `class`, `namespace`.
    keyword: Option<usize>,
    /// Bracket that opens the parameters.
    parameters: Option<usize>,
}

impl<'r, 't> MemberReader<'r, 't> {
    fn new(reader: &'r mut TokenReader<'t>, start: usize, to: usize, scope: MemberScope) -> Self {
        Self { reader, start, to, scope, keyword: None, parameters: None }
    }

    /// Records the definition of the item; returns the token after it.
    fn read(mut self) -> usize {
        let reader = &mut *self.reader;
        if reader.is(self.start, b';') {
            return self.start + 1;
        }
        let after_attributes = attributes_end(reader, self.start, self.to);
        if is_global_attribute(reader, self.start) {
            return reader.close(self.start) + 1;
        }
        if is_statement(reader.word(after_attributes)) && !reader.joined(after_attributes + 1, *b"=>") {
            return statement_end(reader, after_attributes, self.to);
        }
        let mut at = after_attributes;
        while at < self.to {
            match self.reader.kind(at) {
                TokenKind::Mark(b';') => return self.end_without_body(at),
                TokenKind::Mark(b':') if self.parameters.is_some() && self.reader.syntax.classes.top_level_members => {
                    at = self.initializers_end(at);
                    continue;
                }
                TokenKind::Mark(b'=') if !self.names_operator(at) => return self.end_with_value(at),
                TokenKind::Mark(b'-') if self.reader.joined(at, *b"->") => return self.end_with_value(at),
                TokenKind::Open(b'{') => return self.end_with_block(at),
                TokenKind::Open(b'(') if self.parameters.is_none() && self.has_name_before(at) => {
                    self.parameters = Some(at);
                }
                TokenKind::Word if self.keyword.is_none() && self.parameters.is_none() && self.is_keyword(at) => {
                    self.keyword = Some(at);
                }
                _ => {}
            }
            at = self.reader.next(at, self.to);
        }
        self.to
    }

    /// Block or semicolon after `: a = 1, super(b)`.
    fn initializers_end(&self, colon: usize) -> usize {
        let (mut last, mut at) = (colon, self.reader.next(colon, self.to));
        let ends = |at: usize, last: usize| match self.reader.kind(at) {
            TokenKind::Mark(b';') => true,
            TokenKind::Open(b'{') => !matches!(self.reader.kind(last), TokenKind::Mark(_)),
            _ => false,
        };
        while at < self.to && !ends(at, last) {
            last = at;
            at = self.reader.next(at, self.to);
        }
        at
    }

    /// Returns true if this scope contains members, and not statements.
    fn defines_members(&self) -> bool {
        self.scope == MemberScope::Type || self.reader.syntax.classes.top_level_members
    }

    /// Kinds of functions and variables in this scope.
    fn member_kinds(&self) -> (DefinitionKind, DefinitionKind) {
        if self.scope == MemberScope::Type { (Method, Property) } else { (Function, Constant) }
    }

    /// Returns true if the word is a keyword of a definition. Some are ordinary names unless a name follows.
    fn is_keyword(&self, at: usize) -> bool {
        let next = self.reader.next(at, self.to);
        let names_next = self.reader.kind(next) == TokenKind::Word;
        match self.reader.word(at) {
            word if self.reader.syntax.classes.keywords.contains(&word) => true,
            word => names_next && self.reader.syntax.classes.soft_keywords.contains(&word),
        }
    }

    /// Returns true if parentheses here contain parameters: after a name, its type parameters, or an operator.
    fn has_name_before(&self, at: usize) -> bool {
        let Some(before) = self.reader.before(at, self.start) else { return false };
        match self.reader.kind(before) {
            TokenKind::Word => true,
            TokenKind::Mark(b'>') => !self.reader.joined(before.wrapping_sub(1), *b"=>"),
            TokenKind::Mark(_) => self.names_operator(before),
            _ => false,
        }
    }

    /// Returns true if the token is the name of an operator.
    fn names_operator(&self, at: usize) -> bool {
        let from = at.saturating_sub(3).max(self.start);
        (from..at).any(|it| self.reader.is_word(it, "operator"))
    }

    fn first_row(&self) -> usize {
        self.reader.first_row(self.start)
    }

    /// `int Count(int a);`, `string name;`, `record Point(int X);`, `namespace A.B;`
    fn end_without_body(self, end: usize) -> usize {
        let first = self.first_row();
        let head = self.reader.word(attributes_end(self.reader, self.start, self.to));
        let is_word_alone = matches!(
            head,
            "using" | "import" | "package" | "extern" | "global" | "return" | "export" | "part" | "library"
        );
        let (function, variable) = self.member_kinds();
        match self.keyword.map(|at| self.reader.word(at)) {
            Some("namespace") => {
                self.reader.define(Module, &self.name(), first, end);
            }
            Some("event") => {
                self.reader.define(Property, self.reader.name_before(end, self.start), first, end);
            }
            Some(_) => {
                self.reader.define(Type, &self.name(), first, end);
            }
            None if !self.defines_members() || is_word_alone => {}
            None if self.parameters.is_some() => {
                self.reader.define(function, &self.name(), first, end);
            }
            None => {
                self.reader.define(variable, self.reader.name_before(end, self.start), first, end);
            }
        }
        end + 1
    }

    /// `int count = 1;`, `int Count() => 1;`
    fn end_with_value(self, sign: usize) -> usize {
        let first = self.first_row();
        let end = self.reader.seek(sign, self.to, b';');
        let last = end.min(self.to - 1);
        if self.keyword.is_some() && self.reader.syntax.classes.top_level_members {
            self.reader.define(Type, &self.name(), first, last);
        }
        if self.keyword.is_none() && (self.defines_members() || self.parameters.is_some()) {
            let name = if self.parameters.is_some() {
                self.name()
            } else {
                self.reader.name_before(sign, self.start).to_owned()
            };
            let is_method = self.parameters.is_some() || self.is_function(end);
            if self.defines_members() || self.reader.joined(sign, *b"=>") {
                let (function, variable) = self.member_kinds();
                self.reader.define(if is_method { function } else { variable }, &name, first, last);
            }
        }
        self.reader.value(sign + 1, end, group, false);
        end + 1
    }

    /// Returns true if the value that ends before the token is a function.
    fn is_function(&self, end: usize) -> bool {
        let last = self.reader.before(end, self.start).filter(|at| self.reader.kind(*at) == TokenKind::Close(b'}'));
        last.is_some_and(|at| {
            matches!(group(self.reader, self.reader.tokens[at].partner as usize), BracketUse::Closure)
        })
    }

    fn end_with_block(self, block: usize) -> usize {
        let first = self.first_row();
        let close = self.reader.close(block);
        let after = close + 1;
        match self.keyword.map(|at| self.reader.word(at)) {
            Some("event") => return self.end_with_accessors(block),
            Some(word) => {
                let kind = if matches!(word, "namespace" | "module") { Module } else { Type };
                let end = if self.reader.is(self.reader.next_code(after, self.to), b';') {
                    self.reader.next_code(after, self.to)
                } else {
                    close
                };
                let definition = self.reader.define(kind, &self.name(), first, close);
                let scope = if kind == Module { MemberScope::File } else { MemberScope::Type };
                self.reader.within(definition, |reader| match word {
                    "enum" if reader.syntax.classes.enum_bodies => enum_level(reader, block + 1, close),
                    "enum" => {}
                    _ => level(reader, block + 1, close, scope),
                });
                return end + 1;
            }
            None => {}
        }
        let is_static = self.reader.is_word(self.start, "static") && self.reader.next(self.start, self.to) == block;
        if self.start == block || is_static {
            self.reader.fold_body(first, block, close);
            return after;
        }
        // The constructor of a Java record may omit its parameters.
        let is_compact = self.reader.syntax.classes.compact_constructors && self.defines_members();
        if self.parameters.is_some() || is_compact {
            let kind = if self.scope == MemberScope::File { Function } else { Method };
            let name = if is_compact && self.parameters.is_none() {
                self.reader.name_before(block, self.start).to_owned()
            } else {
                self.name()
            };
            self.reader.define(kind, &name, first, close);
            self.reader.fold_body(first, block, close);
            return after;
        }
        if self.scope == MemberScope::Type { self.end_with_accessors(block) } else { after }
    }

    /// `string Name { get; set { … } } = "";`
    fn end_with_accessors(self, block: usize) -> usize {
        let first = self.first_row();
        let close = self.reader.close(block);
        let next = self.reader.next_code(close + 1, self.to);
        let end = if self.reader.is(next, b'=') { self.reader.seek(next, self.to, b';') } else { close };
        let name = self.reader.name_before(block, self.start).to_owned();
        self.reader.define(Property, &name, first, end.min(self.to - 1));
        let mut at = self.reader.next_code(block + 1, close);
        let mut accessor = at;
        while at < close {
            if self.reader.opens(at, b'{') {
                let row = self.reader.first_row(accessor);
                self.reader.fold_body(row, at, self.reader.close(at));
                accessor = self.reader.next(at, close);
            } else if self.reader.is(at, b';') {
                accessor = self.reader.next(at, close);
            }
            at = self.reader.next(at, close);
        }
        if next < end {
            self.reader.value(next, end, group, false);
        }
        end + 1
    }

    /// Name after the keyword or before the parameters.
    fn name(&self) -> String {
        if let Some(keyword) = self.keyword.filter(|at| self.reader.word(*at) != "delegate") {
            let mut at = self.reader.next(keyword, self.to);
            if matches!(self.reader.word(at), "struct" | "class") {
                at = self.reader.next(at, self.to);
            }
            let mut end = at;
            while self.reader.is(end + 1, b'.') && self.reader.kind(end + 2) == TokenKind::Word {
                end += 2;
            }
            return self.reader.text[self.reader.tokens[at.min(self.to - 1)].start as usize
                ..self.reader.tokens[end.min(self.to - 1)].end as usize]
                .to_owned();
        }
        let Some(parameters) = self.parameters else { return String::new() };
        if let Some(operator) = (self.start..parameters).rev().take(6).find(|at| self.reader.is_word(*at, "operator")) {
            let from = self.reader.tokens[operator].end as usize;
            let to = self.reader.tokens[parameters].start as usize;
            return format!("operator {}", self.reader.text[from..to].trim());
        }
        let name = self.reader.name_before(parameters, self.start).to_owned();
        let is_finalizer =
            self.reader.before(parameters, self.start).is_some_and(|at| at > 0 && self.reader.is(at - 1, b'~'));
        if is_finalizer { format!("~{name}") } else { name }
    }
}

/// Constants of a Java enum, which may have bodies, then its members.
fn enum_level(reader: &mut TokenReader<'_>, from: usize, to: usize) {
    let constants = reader.seek(from, to, b';');
    let mut at = reader.next_code(from, constants);
    while at < constants {
        if reader.opens(at, b'{') {
            let close = reader.close(at);
            reader.deeper(|reader| members(reader, at + 1, close));
        }
        at = reader.next(at, constants);
    }
    members(reader, constants, to);
}

/// Token after `[Serializable]`, `@Override` and `@Named("x")`.
fn attributes_end(reader: &TokenReader<'_>, start: usize, to: usize) -> usize {
    let mut at = start;
    loop {
        let is_annotation = reader.is(at, b'@') && !reader.is_word(at + 1, "interface");
        if is_annotation && reader.kind(at + 1) == TokenKind::Word {
            at = reader.next(at + 1, to);
            while reader.is(at, b'.') {
                at = reader.next(reader.next(at, to), to);
            }
            if reader.opens(at, b'(') {
                at = reader.next(at, to);
            }
        } else if reader.syntax.classes.bracket_attributes && reader.opens(at, b'[') {
            at = reader.next(at, to);
        } else {
            return at;
        }
    }
}

/// `[assembly: InternalsVisibleTo("x")]` does not apply to the next item.
fn is_global_attribute(reader: &TokenReader<'_>, at: usize) -> bool {
    reader.opens(at, b'[') && matches!(reader.word(at + 1), "assembly" | "module") && reader.is(at + 2, b':')
}

fn is_statement(word: &str) -> bool {
    matches!(
        word,
        "if" | "for"
            | "foreach"
            | "while"
            | "do"
            | "switch"
            | "try"
            | "catch"
            | "finally"
            | "else"
            | "lock"
            | "return"
            | "throw"
            | "await"
    )
}

/// A statement ends with its block or with a semicolon.
fn statement_end(reader: &TokenReader<'_>, start: usize, to: usize) -> usize {
    let mut at = start;
    while at < to {
        if reader.is(at, b';') || reader.opens(at, b'{') {
            return reader.close(at) + 1;
        }
        at = reader.next(at, to);
    }
    to
}

/// Purpose of a bracket in the value of a field.
fn group(reader: &TokenReader<'_>, at: usize) -> BracketUse {
    let before = reader.before(at, 0);
    let is_arrow = before.is_some_and(|it| it > 0 && (reader.joined(it - 1, *b"=>") || reader.joined(it - 1, *b"->")));
    match reader.kind(at) {
        TokenKind::Open(b'(') => match before.map(|it| reader.kind(it)) {
            Some(TokenKind::Word | TokenKind::Mark(b'>')) => BracketUse::Arguments,
            _ => BracketUse::Other,
        },
        TokenKind::Open(b'{') if is_arrow => BracketUse::Closure,
        TokenKind::Open(b'{') => match before.map(|it| (it, reader.kind(it))) {
            // `new Thing() { … }` is an anonymous class in Java and an object initializer in C#.
            Some((it, TokenKind::Close(b')'))) => {
                let open = reader.tokens[it].partner as usize;
                let is_delegate = reader.before(open, 0).is_some_and(|it| reader.is_word(it, "delegate"));
                if is_delegate {
                    BracketUse::Closure
                } else if reader.syntax.classes.initializers {
                    BracketUse::Table
                } else {
                    BracketUse::Special(members_of)
                }
            }
            Some((it, TokenKind::Word)) if reader.is_word(it, "delegate") => BracketUse::Closure,
            Some((it, TokenKind::Word)) if reader.is_word(it, "switch") => BracketUse::Other,
            _ => BracketUse::Table,
        },
        _ => BracketUse::Other,
    }
}
