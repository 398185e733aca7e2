//! Kotlin and Swift: a word says what is declared, and a declaration ends with its block or with its line.

use crate::outline::definitions::DefinitionKind::{
    self, Constant, Function, Implementation, Method, Module, Property, Type,
};
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

/// The declarations of a language.
pub(crate) struct DeclarationSyntax {
    /// Words that begin a declaration, and what each declares outside of types.
    pub(crate) kinds: &'static [(&'static str, DefinitionKind)],
    pub(crate) modifiers: &'static [&'static str],
    /// Words whose declaration has no other name.
    pub(crate) own_names: &'static [&'static str],
    /// Whether `get` and `set` below a property belong to it.
    pub(crate) accessors: bool,
    /// Whether the arguments of a call in a value are a table.
    pub(crate) call_tables: bool,
    /// Whether `[…]` in a value is a table.
    pub(crate) bracket_tables: bool,
}

impl DeclarationSyntax {
    pub(crate) const NONE: Self = Self {
        kinds: &[],
        modifiers: &[],
        own_names: &[],
        accessors: false,
        call_tables: false,
        bracket_tables: false,
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
    let mut at = reader.loud(from, to);
    while at < to {
        let after = match declaration(reader, at, to) {
            Ok(keyword) => DeclarationReader::new(reader, at, keyword, to).read(),
            Err(other) => line_end(reader, other, to),
        };
        at = reader.loud(after, to);
    }
}

/// The word that says what the declaration that begins here declares, after what is said about it; or the word that
/// says none of it.
fn declaration(reader: &TokenReader<'_>, start: usize, to: usize) -> Result<usize, usize> {
    let mut at = start;
    while at < to {
        if reader.is(at, b'@') {
            at = annotation_end(reader, at, to);
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
            // `private(set)`
            if reader.opens(at, b'(') {
                at = reader.next(at, to);
            }
        } else {
            return Err(at);
        }
    }
    Err(to)
}

/// The token after `@Named("x")`, `@file:JvmName("x")`, `@a.b.C`.
fn annotation_end(reader: &TokenReader<'_>, start: usize, to: usize) -> usize {
    let mut at = reader.next(reader.next(start, to), to);
    while (reader.is(at, b'.') || reader.is(at, b':')) && reader.row(at) == reader.row(start) {
        at = reader.next(reader.next(at, to), to);
    }
    let is_beside = at > 0 && at < to && reader.tokens[at].start == reader.tokens[at - 1].end;
    if reader.opens(at, b'(') && is_beside { reader.next(at, to) } else { at }
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
        matches!(self.kind, Function | Method)
    }

    /// Notes the declaration; gives the token after it.
    fn read(self) -> usize {
        let first = self.reader.first_row(self.start);
        let (mut last, mut at) = (self.keyword, self.reader.next(self.keyword, self.to));
        let (mut value, mut parameters) = (None, None);
        while at < self.to && !self.reader.is(at, b';') {
            if self.reader.opens(at, b'{') && value.is_none() {
                return self.end_with_block(first, at, parameters);
            }
            if self.reader.row(at) > self.reader.last_row(last) && !self.goes_on(last, at) {
                break;
            }
            // `val x by lazy { … }`: the block belongs to what is called.
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

    fn end_with_block(self, first: usize, block: usize, parameters: Option<usize>) -> usize {
        let close = self.reader.close(block);
        let name = self.name(parameters);
        let definition = self.reader.define(self.kind, &name, first, close);
        if self.is_function() || matches!(self.kind, Constant | Property) {
            self.reader.fold_body(first, block, close);
        } else {
            self.reader.within(definition, |reader| level(reader, block + 1, close));
        }
        close + 1
    }

    /// Whether what stands on the next row belongs to this declaration.
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
            return parameters.map_or("", |at| self.reader.name_before(at, self.keyword + 1)).to_owned();
        }
        let name = self.reader.next(self.keyword, self.to);
        if self.reader.kind(name) == TokenKind::Word { self.reader.word(name).to_owned() } else { word.to_owned() }
    }
}

/// Whether an expression goes on in the next row.
fn goes_on(reader: &TokenReader<'_>, last: usize, next: usize, to: usize) -> bool {
    let is_open_ended = match reader.kind(last) {
        TokenKind::Mark(b'>') => last > 0 && reader.joined(last - 1, *b"->"),
        TokenKind::Mark(b'?' | b'!' | b'*' | b'+' | b'-') => {
            // `x++`, `Int?` and `import a.*` end a line; a sign with space before it does not.
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

/// The token after a statement that declares nothing.
fn line_end(reader: &TokenReader<'_>, start: usize, to: usize) -> usize {
    let (mut last, mut at) = (start, reader.next(start, to));
    while at < to && !reader.is(at, b';') && (reader.row(at) <= reader.last_row(last) || goes_on(reader, last, at, to))
    {
        last = at;
        at = reader.next(at, to);
    }
    at
}

/// What a bracket in the value of a variable opens.
fn group(reader: &TokenReader<'_>, at: usize) -> BracketUse {
    let before = reader.before(at, 0).map(|it| reader.kind(it));
    match (reader.kind(at), before) {
        (TokenKind::Open(b'{'), _) => BracketUse::Closure,
        (TokenKind::Open(b'('), Some(TokenKind::Word | TokenKind::Mark(b'>')))
            if reader.syntax.declarations.call_tables =>
        {
            // `listOf(…)` is how tables are written.
            BracketUse::Table
        }
        (TokenKind::Open(b'('), Some(TokenKind::Word | TokenKind::Mark(b'>'))) => BracketUse::Arguments,
        (TokenKind::Open(b'['), _) if reader.syntax.declarations.bracket_tables => BracketUse::Table,
        _ => BracketUse::Other,
    }
}
