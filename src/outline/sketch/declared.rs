//! Kotlin and Swift: a word says what is declared, and a declaration ends with its block or with its line.

use super::reader::Reader;
use super::tables::Group;
use super::token::Kind;
use crate::outline::language::Language;
use crate::outline::outline::DefinitionKind::{
    self, Constant, Function, Implementation, Method, Module, Property, Type,
};

/// Reads a whole file.
pub(super) fn read(reader: &mut Reader<'_>) {
    level(reader, 0, reader.tokens.len());
}

fn level(reader: &mut Reader<'_>, from: usize, to: usize) {
    let mut at = reader.loud(from, to);
    while at < to {
        let after = match declaration(reader, at, to) {
            Ok(keyword) => Declared::new(reader, at, keyword, to).read(),
            Err(other) => line_end(reader, other, to),
        };
        at = reader.loud(after, to);
    }
}

/// The word that says what the declaration that begins here declares, after what is said about it; or the word that
/// says none of it.
fn declaration(reader: &Reader<'_>, start: usize, to: usize) -> Result<usize, usize> {
    let mut at = start;
    while at < to {
        if reader.is(at, b'@') {
            at = annotation_end(reader, at, to);
        } else if reader.kind(at) == Kind::Word && kind_of(reader.language, reader.word(at)).is_some() {
            let next = reader.next(at, to);
            // `enum class`, `class func`, `fun interface`
            let says_more = matches!(reader.word(at), "enum" | "class" | "fun")
                && matches!(reader.word(next), "class" | "func" | "var" | "interface");
            if !says_more {
                return Ok(at);
            }
            at = next;
        } else if is_modifier(reader.word(at)) {
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
fn annotation_end(reader: &Reader<'_>, start: usize, to: usize) -> usize {
    let mut at = reader.next(reader.next(start, to), to);
    while (reader.is(at, b'.') || reader.is(at, b':')) && reader.row(at) == reader.row(start) {
        at = reader.next(reader.next(at, to), to);
    }
    let is_beside = at > 0 && at < to && reader.tokens[at].start == reader.tokens[at - 1].end;
    if reader.opens(at, b'(') && is_beside { reader.next(at, to) } else { at }
}

fn kind_of(language: Language, word: &str) -> Option<DefinitionKind> {
    let kind = match (language, word) {
        (Language::Kotlin, "fun" | "constructor" | "init")
        | (Language::Swift, "func" | "init" | "deinit" | "subscript") => Function,
        (Language::Kotlin, "object" | "interface")
        | (Language::Swift, "struct" | "protocol" | "actor")
        | (_, "class" | "enum" | "typealias") => Type,
        (Language::Swift, "extension") => Implementation,
        (Language::Kotlin, "val") | (Language::Swift, "let") | (_, "var") => Constant,
        _ => return None,
    };
    Some(kind)
}

fn is_modifier(word: &str) -> bool {
    matches!(
        word,
        "public"
            | "private"
            | "internal"
            | "protected"
            | "fileprivate"
            | "open"
            | "abstract"
            | "final"
            | "override"
            | "sealed"
            | "data"
            | "inner"
            | "inline"
            | "suspend"
            | "operator"
            | "infix"
            | "tailrec"
            | "external"
            | "lateinit"
            | "const"
            | "expect"
            | "actual"
            | "annotation"
            | "value"
            | "companion"
            | "static"
            | "mutating"
            | "nonmutating"
            | "indirect"
            | "weak"
            | "unowned"
            | "lazy"
            | "required"
            | "convenience"
            | "dynamic"
            | "optional"
            | "prefix"
            | "postfix"
            | "nonisolated"
            | "isolated"
            | "async"
            | "package"
    )
}

/// One declaration.
struct Declared<'r, 't> {
    reader: &'r mut Reader<'t>,
    start: usize,
    keyword: usize,
    to: usize,
    kind: DefinitionKind,
}

impl<'r, 't> Declared<'r, 't> {
    fn new(reader: &'r mut Reader<'t>, start: usize, keyword: usize, to: usize) -> Self {
        let is_member = matches!(reader.around(), Some(Type | Implementation));
        let kind = match kind_of(reader.language, reader.word(keyword)).unwrap_or(Module) {
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
        let is_variable = matches!(self.kind, Constant | Property);
        let is_accessor = |at: usize| matches!(self.reader.word(at), "get" | "set");
        let accessor = is_variable
            && self.reader.language == Language::Kotlin
            && (is_accessor(next)
                || is_modifier(self.reader.word(next)) && is_accessor(self.reader.next(next, self.to)));
        accessor || goes_on(self.reader, last, next, self.to) || (self.reader.opens(next, b'{') && !is_variable)
    }

    fn name(&self, parameters: Option<usize>) -> String {
        let word = self.reader.word(self.keyword);
        if self.is_function() {
            if !matches!(word, "fun" | "func") {
                return word.to_owned();
            }
            return parameters.map_or("", |at| self.reader.name_before(at, self.keyword + 1)).to_owned();
        }
        let name = self.reader.next(self.keyword, self.to);
        if self.reader.kind(name) == Kind::Word { self.reader.word(name).to_owned() } else { word.to_owned() }
    }
}

/// Whether an expression goes on in the next row.
fn goes_on(reader: &Reader<'_>, last: usize, next: usize, to: usize) -> bool {
    let is_open_ended = match reader.kind(last) {
        Kind::Mark(b'>') => last > 0 && reader.joined(last - 1, *b"->"),
        Kind::Mark(b'?' | b'!' | b'*' | b'+' | b'-') => {
            // `x++`, `Int?` and `import a.*` end a line; a sign with space before it does not.
            last > 0 && reader.tokens[last - 1].end < reader.tokens[last].start
        }
        Kind::Mark(b';') => false,
        Kind::Mark(_) => true,
        Kind::Word => {
            matches!(reader.word(last), "in" | "is" | "as" | "by" | "where" | "throws" | "else" | "return" | "throw")
        }
        _ => false,
    };
    let joins = match reader.kind(next) {
        Kind::Mark(b'.' | b':' | b',' | b'=' | b'&' | b'|' | b'%' | b'/') => true,
        Kind::Mark(b'?') => matches!(reader.kind(reader.next(next, to)), Kind::Mark(b'.' | b':')),
        Kind::Mark(b'-') => reader.joined(next, *b"->"),
        Kind::Word => matches!(reader.word(next), "where" | "else" | "by" | "throws" | "catch" | "finally"),
        _ => false,
    };
    is_open_ended || joins
}

/// The token after a statement that declares nothing.
fn line_end(reader: &Reader<'_>, start: usize, to: usize) -> usize {
    let (mut last, mut at) = (start, reader.next(start, to));
    while at < to && !reader.is(at, b';') && (reader.row(at) <= reader.last_row(last) || goes_on(reader, last, at, to))
    {
        last = at;
        at = reader.next(at, to);
    }
    at
}

/// What a bracket in the value of a variable opens.
fn group(reader: &Reader<'_>, at: usize) -> Group {
    let before = reader.before(at, 0).map(|it| reader.kind(it));
    match (reader.kind(at), before) {
        (Kind::Open(b'{'), _) => Group::Closure,
        (Kind::Open(b'('), Some(Kind::Word | Kind::Mark(b'>'))) if reader.language == Language::Kotlin => {
            // `listOf(…)` is how tables are written.
            Group::Table
        }
        (Kind::Open(b'('), Some(Kind::Word | Kind::Mark(b'>'))) => Group::Arguments,
        (Kind::Open(b'['), _) if reader.language == Language::Swift => Group::Table,
        _ => Group::Other,
    }
}
