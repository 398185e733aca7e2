//! C and C++: namespaces, types, functions and variables, with macros anywhere between them.

use crate::outline::definitions::DefinitionKind::{self, Constant, Function, Macro, Method, Module, Property, Type};
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

/// Reads a whole file.
pub(crate) fn read(reader: &mut TokenReader<'_>) {
    level(reader, 0, reader.tokens.len());
}

fn level(reader: &mut TokenReader<'_>, from: usize, to: usize) {
    let mut at = from;
    while at < to {
        at = match reader.kind(at) {
            TokenKind::Directive => {
                define_macro(reader, at);
                at + 1
            }
            TokenKind::Comment | TokenKind::Dead => at + 1,
            _ => DeclarationReader::new(reader, at, to).read(),
        };
    }
}

/// `#define NAME` with its continuation lines.
fn define_macro(reader: &mut TokenReader<'_>, at: usize) {
    let line = reader.word(at).trim_start_matches('#').trim_start();
    let Some(rest) = line.strip_prefix("define") else { return };
    let rest = rest.trim_start();
    let name = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())];
    let first = reader.first_row(at);
    // A comment after the macro may begin on its last row and continue below it.
    let is_explained = reader.kind(at + 1) == TokenKind::Comment && reader.row(at + 1) == reader.last_row(at);
    reader.define(Macro, name, first, at + usize::from(is_explained));
}

/// A declaration, from its first token on.
struct DeclarationReader<'r, 't> {
    reader: &'r mut TokenReader<'t>,
    start: usize,
    to: usize,
    /// `class`, `struct`, `union`, `enum`, `namespace`.
    keyword: Option<usize>,
    /// Bracket that opens the parameters.
    parameters: Option<usize>,
    is_typedef: bool,
}

impl<'r, 't> DeclarationReader<'r, 't> {
    fn new(reader: &'r mut TokenReader<'t>, start: usize, to: usize) -> Self {
        let is_typedef = reader.is_word(start, "typedef");
        Self { reader, start, to, keyword: None, parameters: None, is_typedef }
    }

    /// Records the definition; returns the token after it.
    fn read(mut self) -> usize {
        if self.is_label() {
            return self.reader.seek(self.start, self.to, b':') + 1;
        }
        if self.is_macro_alone() {
            return self.start + 1;
        }
        let mut at = self.start;
        while at < self.to {
            match self.reader.kind(at) {
                TokenKind::Mark(b';') => return self.end_without_body(at),
                TokenKind::Mark(b'=') if !self.names_operator(at) => return self.end_with_value(at),
                TokenKind::Mark(b':') if self.starts_initializers(at) => {
                    at = self.initializers_end(at);
                    continue;
                }
                TokenKind::Open(b'{') => match self.block(at) {
                    BlockEffect::Ends(after) => return after,
                    BlockEffect::Continues(next) => {
                        at = next;
                        continue;
                    }
                },
                TokenKind::Open(b'(') => {
                    if self.is_macro_call(at) {
                        return self.reader.close(at) + 1;
                    }
                    if self.parameters.is_none() && self.has_name_before(at) {
                        self.parameters = Some(at);
                    }
                }
                TokenKind::Word => match self.reader.word(at) {
                    "template" => {
                        at = self.angles_end(self.reader.next(at, self.to));
                        continue;
                    }
                    // Preceding tokens without a semicolon are a macro.
                    "namespace" if self.keyword.is_none() && !self.may_precede_namespace(at) => return at,
                    "class" | "struct" | "union" | "enum" | "namespace"
                        if self.parameters.is_none() && (self.keyword.is_none() || self.is_enum_class(at)) =>
                    {
                        self.keyword = self.keyword.or(Some(at));
                    }
                    // The name follows and may consist of punctuation.
                    "operator" => {
                        at = self.operator_end(at);
                        continue;
                    }
                    _ => {}
                },
                _ => {}
            }
            at = self.reader.next(at, self.to);
        }
        self.to
    }

    /// `public:`, `Q_SIGNALS:`, `private slots:`
    fn is_label(&self) -> bool {
        let word = self.reader.word(self.start);
        let next = self.reader.next(self.start, self.to);
        let colon =
            if matches!(self.reader.word(next), "slots" | "Q_SLOTS") { self.reader.next(next, self.to) } else { next };
        let is_access = matches!(word, "public" | "private" | "protected" | "signals" | "Q_SIGNALS");
        self.reader.kind(self.start) == TokenKind::Word && is_access && self.reader.is(colon, b':')
    }

    /// `Q_OBJECT` on a line of its own.
    fn is_macro_alone(&self) -> bool {
        let next = self.reader.next(self.start, self.to);
        self.reader.kind(self.start) == TokenKind::Word
            && is_upper_case(self.reader.word(self.start))
            && self.reader.row(next) > self.reader.row(self.start)
            && matches!(self.reader.kind(next), TokenKind::Word | TokenKind::Mark(b'~'))
    }

    fn may_precede_namespace(&self, at: usize) -> bool {
        let before = self.reader.before(at, self.start).map(|it| self.reader.word(it));
        before.is_none_or(|word| matches!(word, "using" | "inline" | "export"))
    }

    fn is_enum_class(&self, at: usize) -> bool {
        self.reader.before(at, self.start).is_some_and(|before| self.reader.is_word(before, "enum"))
    }

    /// Token after `<…>`, or `at` if there is none.
    fn angles_end(&self, at: usize) -> usize {
        if !self.reader.is(at, b'<') {
            return at;
        }
        let (mut at, mut depth) = (at, 0_usize);
        while at < self.to {
            match self.reader.kind(at) {
                TokenKind::Mark(b'<') => depth += 1,
                TokenKind::Mark(b'>') if at > 0 && self.reader.joined(at - 1, *b"->") => {}
                TokenKind::Mark(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        return self.reader.next(at, self.to);
                    }
                }
                TokenKind::Mark(b';') | TokenKind::Open(b'{') => return at,
                _ => {}
            }
            at = self.reader.next(at, self.to);
        }
        self.to
    }

    /// Token after `operator+=`, `operator()`, `operator bool`.
    fn operator_end(&self, at: usize) -> usize {
        let mut at = self.reader.next(at, self.to);
        if self.reader.opens(at, b'(') && self.reader.opens(self.reader.next(at, self.to), b'(') {
            return self.reader.next(at, self.to);
        }
        while at < self.to && !self.reader.opens(at, b'(') && !self.reader.is(at, b';') && !self.reader.opens(at, b'{')
        {
            at = self.reader.next(at, self.to);
        }
        at
    }

    fn names_operator(&self, at: usize) -> bool {
        let from = at.saturating_sub(3).max(self.start);
        (from..at).any(|it| self.reader.is_word(it, "operator"))
    }

    /// Returns true if parentheses here may contain parameters, unlike those of keywords and attributes.
    fn has_name_before(&self, at: usize) -> bool {
        let Some(before) = self.reader.before(at, self.start) else { return false };
        match self.reader.kind(before) {
            TokenKind::Word => !is_attribute(self.reader.word(before)) && !self.is_pointer(at),
            // `void (*pick(int reverse))(int)`, `operator()()`
            TokenKind::Close(b')') => !self.is_pointer(before),
            TokenKind::Mark(b'>') => !self.is_pointer(at),
            TokenKind::Mark(_) | TokenKind::Close(_) => self.names_operator(before),
            _ => false,
        }
    }

    /// `(*compare)` is a variable that points to a function; `(*pick(int reverse))` is a function.
    fn is_pointer(&self, at: usize) -> bool {
        let open = if matches!(self.reader.kind(at), TokenKind::Close(_)) {
            self.reader.tokens[at].partner as usize
        } else {
            at
        };
        let close = self.reader.close(open);
        let is_starred = self.reader.is(open + 1, b'*') || self.reader.is(open + 1, b'^');
        is_starred && !(open + 1..close).any(|it| self.reader.opens(it, b'('))
    }

    /// `DECLARE_THING(a, b)` on a line of its own, without a semicolon.
    fn is_macro_call(&self, at: usize) -> bool {
        let next = self.reader.next(at, self.to);
        self.start + 1 == at
            && self.reader.kind(self.start) == TokenKind::Word
            && self.reader.row(next) > self.reader.last_row(at)
            && (next >= self.to || matches!(self.reader.kind(next), TokenKind::Word | TokenKind::Mark(b'[' | b'~')))
            && !matches!(self.reader.word(next), "const" | "noexcept" | "override" | "final" | "try" | "requires")
            && (!is_attribute(self.reader.word(self.start)) && is_upper_case(self.reader.word(self.start)))
    }

    /// Colon after a constructor's parameters.
    fn starts_initializers(&self, at: usize) -> bool {
        self.parameters.is_some()
            && self.keyword.is_none()
            && !self.reader.joined(at, *b"::")
            && !(at > 0 && self.reader.joined(at - 1, *b"::"))
    }

    /// Body after `: first(1), second{2}`: the brace that does not follow a name.
    fn initializers_end(&self, at: usize) -> usize {
        let mut at = self.reader.next(at, self.to);
        while at < self.to && !self.reader.is(at, b';') {
            if self.reader.opens(at, b'{') {
                let before = self.reader.before(at, self.start).map_or(TokenKind::Dead, |it| self.reader.kind(it));
                if !matches!(before, TokenKind::Word | TokenKind::Mark(b'>')) {
                    return at;
                }
            }
            at = self.reader.next(at, self.to);
        }
        at
    }

    fn first_row(&self) -> usize {
        self.reader.first_row(self.start)
    }

    /// Kind of a variable or function in this scope.
    fn kind_here(&self, kind: DefinitionKind) -> DefinitionKind {
        match (kind, self.reader.around()) {
            (Function, Some(Type)) => Method,
            (Constant, Some(Type)) => Property,
            _ => kind,
        }
    }

    /// `int f(void);`, `extern int a, b;`, `using A = B;`, `} name;`
    fn end_without_body(self, end: usize) -> usize {
        let first = self.first_row();
        let head = self.reader.word(self.start);
        if self.is_typedef {
            self.reader.define(Type, &self.name_before(end), first, end);
        } else if self.is_call() || end == self.start {
            // A macro that looks like a call.
        } else if matches!(head, "using" | "static_assert" | "_Static_assert" | "return" | "goto" | "namespace")
            || (head == "friend" && self.parameters.is_none())
        {
            // A call, which defines nothing.
        } else if self.parameters.is_some() {
            self.reader.define(self.kind_here(Function), &self.name(), first, end);
        } else if self.keyword.is_none_or(|at| self.declares_more_than_a_type(at, end)) {
            self.reader.define(self.kind_here(Constant), &self.name_before(end), first, end);
        }
        end + 1
    }

    /// Parameters without a type before their name, as only constructors have.
    fn is_call(&self) -> bool {
        let is_member = self.reader.around() == Some(Type);
        self.parameters == Some(self.start + 1) && (!is_member || is_upper_case(self.reader.word(self.start)))
    }

    /// Returns true for `struct a b;`, which defines b, and false for `struct a;`, which only
    /// declares a.
    fn declares_more_than_a_type(&self, keyword: usize, end: usize) -> bool {
        let words = (keyword + 1..end)
            .filter(|at| self.reader.kind(*at) == TokenKind::Word && !is_attribute(self.reader.word(*at)));
        words.count() > 1 && !self.is_enum_class(keyword + 1)
    }

    /// `int a = 1;`, `auto f = [] { … };`, `void f() = 0;`
    fn end_with_value(self, sign: usize) -> usize {
        let first = self.first_row();
        let end = self.reader.seek(sign, self.to, b';');
        let last = end.min(self.to - 1);
        let head = self.reader.word(self.start);
        let is_concept = (self.start..sign).any(|at| self.reader.is_word(at, "concept"));
        if head == "namespace" {
            // An alias.
        } else if head == "using"
            || is_concept
            || (self.reader.is_word(self.start, "template") && self.has_word("using", sign))
        {
            self.reader.define(Type, &self.name_before(sign), first, last);
        } else if self.parameters.is_some() {
            self.reader.define(self.kind_here(Function), &self.name(), first, last);
        } else {
            self.reader.define(self.kind_here(Constant), &self.name_before(sign), first, last);
        }
        self.reader.value(sign + 1, end, group, false);
        end + 1
    }

    fn has_word(&self, word: &str, end: usize) -> bool {
        (self.start..end).any(|at| self.reader.is_word(at, word))
    }

    fn block(&mut self, at: usize) -> BlockEffect {
        let close = self.reader.close(at);
        let first = self.first_row();
        if let Some(keyword) = self.keyword
            && self.parameters.is_none()
        {
            let is_namespace = self.reader.is_word(keyword, "namespace");
            let is_enum = self.reader.is_word(keyword, "enum");
            let end = if is_namespace { close } else { self.reader.seek(close, self.to, b';').min(self.to - 1) };
            let kind = if is_namespace { Module } else { Type };
            let name = if self.is_typedef { self.name_before(end) } else { self.type_name(keyword, at) };
            let definition = self.reader.define(kind, &name, first, end);
            if !is_enum {
                self.reader.within(definition, |reader| level(reader, at + 1, close));
            }
            self.reader.value(close + 1, end, group, false);
            return BlockEffect::Ends(end + 1);
        }
        if self.parameters.is_some() {
            let mut end = close;
            while self.reader.is_word(self.reader.next_code(end + 1, self.to), "catch") {
                let what = self.reader.next(self.reader.next_code(end + 1, self.to), self.to);
                let body = self.reader.next(what, self.to);
                if !self.reader.opens(body, b'{') {
                    break;
                }
                end = self.reader.close(body);
            }
            self.reader.define(self.kind_here(Function), &self.name(), first, end);
            if end == close {
                self.reader.fold_body(first, at, close);
            }
            return BlockEffect::Ends(end + 1);
        }
        let before = self.reader.before(at, self.start);
        let is_linkage = self.reader.is_word(self.start, "extern")
            && before.is_some_and(|it| self.reader.kind(it) == TokenKind::Text);
        if before.is_none() || is_linkage || self.start + 1 == at {
            self.reader.deeper(|reader| level(reader, at + 1, close));
            return BlockEffect::Ends(close + 1);
        }
        // `int a{1};`
        BlockEffect::Continues(self.reader.next(at, self.to))
    }

    /// Name of a type or namespace: the last one before its base classes.
    fn type_name(&self, keyword: usize, block: usize) -> String {
        let mut name = String::new();
        let mut at = self.reader.next(keyword, block);
        while at < block
            && (!self.reader.is(at, b':') || self.reader.joined(at, *b"::") || self.reader.joined(at - 1, *b"::"))
        {
            if self.reader.is(at, b'<') {
                break;
            }
            let word = self.reader.word(at);
            if self.reader.kind(at) == TokenKind::Word
                && !matches!(word, "final" | "class" | "struct" | "alignas")
                && !is_attribute(word)
            {
                word.clone_into(&mut name);
            }
            at = self.reader.next(at, block);
        }
        name
    }

    /// Name before the parameters, with its qualifiers.
    fn name(&self) -> String {
        let Some(parameters) = self.parameters else { return String::new() };
        if self.reader.is(parameters + 1, b'*') {
            let inside = parameters..self.reader.close(parameters);
            return inside
                .into_iter()
                .find(|at| self.reader.kind(*at) == TokenKind::Word)
                .map_or("", |at| self.reader.word(at))
                .to_owned();
        }
        let operator = (self.start..parameters).rev().take(8).find(|at| self.reader.is_word(*at, "operator"));
        let (mut from, end) = match operator {
            Some(at) => (at, parameters),
            None => match self.reader.before(parameters, self.start) {
                Some(at) if self.reader.kind(at) == TokenKind::Word => (at, at + 1),
                Some(_) => return self.name_before(parameters),
                None => return String::new(),
            },
        };
        while from >= self.start + 2
            && (self.reader.joined(from - 2, *b"::") && self.reader.kind(from.saturating_sub(3)) == TokenKind::Word)
        {
            from -= 3;
        }
        if from > self.start && self.reader.is(from - 1, b'~') {
            from -= 1;
        }
        let (from, to) = (self.reader.tokens[from].start as usize, self.reader.tokens[end - 1].end as usize);
        self.reader.text[from..to].to_owned()
    }

    /// Last name before a token: `(*compare)(…)`, `places[SIZE]`, `a, b`.
    fn name_before(&self, end: usize) -> String {
        let mut at = end;
        while let Some(before) = self.reader.before(at, self.start) {
            at = before;
            match self.reader.kind(at) {
                TokenKind::Close(b']' | b'}') => at = self.reader.tokens[at].partner as usize,
                TokenKind::Close(b')') => {
                    let open = self.reader.tokens[at].partner as usize;
                    if !self.reader.is(open + 1, b'*') {
                        at = open;
                    }
                }
                TokenKind::Word => return self.reader.word(at).to_owned(),
                _ => {}
            }
        }
        String::new()
    }
}

/// Effect of a block on the declaration around it.
enum BlockEffect {
    /// The block ends the declaration; holds the token after it.
    Ends(usize),
    /// The declaration continues at this token.
    Continues(usize),
}

/// Words whose parentheses contain no parameters.
fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "alignas"
            | "_Alignas"
            | "decltype"
            | "noexcept"
            | "throw"
            | "requires"
            | "explicit"
            | "sizeof"
            | "typeof"
            | "__typeof__"
            | "asm"
            | "__asm__"
            | "if"
            | "while"
            | "for"
            | "switch"
            | "return"
    )
}

/// `A_MACRO`: several letters, none in lower case.
fn is_upper_case(word: &str) -> bool {
    word.len() > 1 && !word.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Purpose of a bracket in the value of a variable.
fn group(reader: &TokenReader<'_>, at: usize) -> BracketUse {
    let before = reader.before(at, 0).map(|it| (it, reader.kind(it)));
    match (reader.kind(at), before) {
        (TokenKind::Open(b'('), Some((_, TokenKind::Word | TokenKind::Mark(b'>')))) => BracketUse::Arguments,
        (TokenKind::Open(b'{'), Some((_, TokenKind::Close(b']')))) => BracketUse::Closure,
        (TokenKind::Open(b'{'), Some((it, TokenKind::Close(b')')))) => {
            let open = reader.tokens[it].partner as usize;
            let is_lambda = reader.before(open, 0).is_some_and(|it| reader.kind(it) == TokenKind::Close(b']'));
            // A cast before a list: `(struct a) { 1, 2 }`.
            if is_lambda { BracketUse::Closure } else { BracketUse::Table }
        }
        (TokenKind::Open(b'{'), _) => BracketUse::Table,
        _ => BracketUse::Other,
    }
}
