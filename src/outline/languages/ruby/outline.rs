//! Ruby: a keyword opens a block that ends with its `end`.

mod ends;
mod levels;
mod lexer;
mod text;

use crate::outline::by_line::MOST_OPEN;
use crate::outline::definitions::Definition;
use crate::outline::definitions::DefinitionKind::{self, Constant, Function, Method, Module, Type};
use crate::outline::raw_outline::RawOutline;
use crate::outline::shape::Foldable;
use levels::{LevelKind, MethodBody, RubyLevel, Statement};
use lexer::{PrecedingToken, RubyLexer, RubyToken};

/// Reads a whole file. If keywords do not match their ends, indentation decides which belong
/// together.
pub(crate) fn read(text: &str) -> RawOutline {
    let outline = read_by(text, false);
    if outline.has_errors { read_by(text, true) } else { outline }
}

fn read_by(text: &str, by_indentation: bool) -> RawOutline {
    let mut lexer = RubyLexer::new(text);
    let mut reader = RubyReader::new(text, by_indentation);
    while let Some(token) = lexer.next() {
        reader.token(token, &lexer);
        if reader.levels.len() > MOST_OPEN {
            break;
        }
    }
    reader.has_errors |= lexer.has_errors || by_indentation;
    let has_errors = reader.finish();
    RawOutline { definitions: reader.definitions, folds: reader.folds, has_errors }
}

#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
struct RubyReader<'t> {
    text: &'t str,
    by_indentation: bool,
    definitions: Vec<Definition>,
    folds: Vec<Foldable>,
    functions_seen: usize,
    levels: Vec<RubyLevel>,
    /// Rows of adjacent comments since the last token.
    run: Option<(u32, u32)>,
    /// True if a line, and perhaps a statement, has ended since the last token.
    is_broken: bool,
    last_row: u32,
    /// True if the last token closed a block, or brackets around one.
    ends_with_block: bool,
    /// The last `def`.
    def: Option<RubyToken>,
    has_errors: bool,
}

impl<'t> RubyReader<'t> {
    fn new(text: &'t str, by_indentation: bool) -> Self {
        let mut reader = Self {
            text,
            by_indentation,
            definitions: Vec::new(),
            folds: Vec::new(),
            functions_seen: 0,
            levels: Vec::new(),
            run: None,
            is_broken: false,
            last_row: 0,
            ends_with_block: false,
            def: None,
            has_errors: false,
        };
        reader.levels.push(RubyLevel {
            kind: LevelKind::File,
            ends_with_word: false,
            own: None,
            definition: None,
            in_function: false,
            start: 0,
            row: 0,
            indent: 0,
            column: 0,
            takes_do: false,
            body: MethodBody::default(),
            folds_before: 0,
            functions_before: 0,
            statement: None,
            has_statement: true,
            rows: 0,
            framed: 0,
            is_call: false,
            is_passed: false,
        });
        reader
    }

    fn finish(&mut self) -> bool {
        while self.levels.len() > 1 {
            self.has_errors = true;
            self.end_statement();
            let last_row = self.last_row;
            if let Some(own) = self.levels.pop().and_then(|level| level.own) {
                self.set_last(own, last_row);
            }
        }
        self.end_statement();
        if self.has_errors {
            // An unclosed string extends beyond the last line.
            let lines = self.text.lines().count() as u32;
            self.definitions.iter_mut().for_each(|definition| definition.last = definition.last.min(lines));
        }
        self.has_errors
    }

    fn top(&mut self) -> &mut RubyLevel {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn set_last(&mut self, definition: usize, row: u32) {
        if let Some(definition) = self.definitions.get_mut(definition) {
            definition.last = definition.first.max(row + 1);
        }
    }

    fn token(&mut self, token: RubyToken, lexer: &RubyLexer<'_>) {
        use lexer::RubyTokenKind as It;
        match token.kind {
            It::Comment => return self.comment(token),
            It::Break => return self.line_break(token),
            _ => {}
        }
        let text = &self.text[token.start..token.end];
        if std::mem::take(&mut self.is_broken) && !self.top().is_bracket() && !(text == "." || text == "&.") {
            self.end_statement();
        }
        let closes = matches!(token.kind, It::Close(_)) || (token.kind == It::Word && text == "end");
        if !closes {
            self.note_header(token);
            self.begin_statement(token);
            self.ends_with_block = false;
        }
        self.run = None;
        match token.kind {
            It::Word => self.word(token, text, lexer),
            It::Name => self.method(token, text, lexer),
            It::Open(bracket) => self.open_bracket(token, bracket, lexer),
            It::Block => self.open_block(token, false, lexer),
            It::Close(bracket) => self.close_bracket(token, bracket, lexer),
            It::Semicolon => self.semicolon(),
            It::Value | It::Label => self.note_argument(token),
            _ => {}
        }
        self.last_row = self.last_row.max(token.last_row);
    }

    fn comment(&mut self, token: RubyToken) {
        let level = self.top();
        level.rows += u32::from(level.has_statement);
        let is_alone = self.text[..token.start].trim_end_matches([' ', '\t']).ends_with('\n') || token.start == 0;
        let above = self.run.filter(|(_, last)| last + 1 >= token.row);
        self.run = is_alone.then(|| (above.map_or(token.row, |(first, _)| first), token.row));
    }

    fn line_break(&mut self, token: RubyToken) {
        self.last_row = self.last_row.max(token.last_row);
        self.is_broken = true;
        let level = self.top();
        level.takes_do = false;
        if level.kind == LevelKind::Method && level.body.in_header {
            level.body.in_header = false;
            level.body.header = token.row;
        }
    }

    /// Records whether other code follows on the row of a header.
    fn note_header(&mut self, token: RubyToken) {
        let body = &mut self.top().body;
        if token.kind == lexer::RubyTokenKind::Parameters {
            body.header = token.last_row;
        } else if !body.in_header && token.row == body.header {
            body.shares_row = true;
        }
    }

    fn semicolon(&mut self) {
        let level = self.top();
        level.takes_do = false;
        if level.body.in_header && level.kind == LevelKind::Method {
            level.body.in_header = false;
            level.body.shares_row = true;
        }
        if !level.is_bracket() {
            self.end_statement();
        }
    }

    fn begin_statement(&mut self, token: RubyToken) {
        let run = self.run;
        let level = self.top();
        if level.statement.is_some()
            || level.body.in_header
            || matches!(token.kind, lexer::RubyTokenKind::Semicolon | lexer::RubyTokenKind::Parameters)
        {
            return;
        }
        let lead =
            run.filter(|(_, last)| level.has_statement && last + 1 >= token.row).map_or(token.row, |(first, _)| first);
        level.statement = Some(Statement { row: token.row, lead, is_member: false, pending: None, is_command: false });
        if token.kind == lexer::RubyTokenKind::Word && !level.in_function && !level.is_bracket() {
            self.constants(token, lead);
        }
    }

    fn end_statement(&mut self) {
        let (last_row, ends_with_block) = (self.last_row, self.ends_with_block);
        let level = self.top();
        let Some(statement) = level.statement.take() else { return };
        let rows = (last_row + 1).saturating_sub(statement.row);
        // Tokens in a header are not statements.
        level.has_statement |= statement.row > level.row || level.kind == LevelKind::File;
        level.rows += rows;
        if statement.is_member || ends_with_block {
            level.framed += rows;
        }
        if let Some((first, count)) = statement.pending {
            (first..first + count).for_each(|definition| self.set_last(definition, last_row));
        }
    }

    /// `NAME = …`, `ONE = OTHER = …`
    fn constants(&mut self, token: RubyToken, lead: u32) {
        let (mut rest, mut lead) = (&self.text[token.start..], lead);
        let (from, definition) = (self.definitions.len(), self.top().definition);
        loop {
            let length = rest.bytes().position(|byte| !lexer::is_word(byte)).unwrap_or(rest.len());
            let (name, after) = rest.split_at(length);
            let after = after.trim_start_matches([' ', '\t']);
            let is_assigned = after.starts_with('=') && !after[1..].starts_with(['=', '~', '>']);
            if !name.starts_with(|it: char| it.is_ascii_uppercase()) || !is_assigned {
                break;
            }
            self.define(Constant, name, lead, definition);
            lead = token.row;
            rest = after[1..].trim_start_matches([' ', '\t']);
        }
        let count = self.definitions.len() - from;
        if let Some(statement) = self.top().statement.as_mut().filter(|_| count > 0) {
            statement.pending = Some((from, count));
        }
    }

    fn define(&mut self, kind: DefinitionKind, name: &str, first: u32, parent: Option<usize>) -> usize {
        self.definitions.push(Definition { name: name.to_owned(), kind, first: first + 1, last: first + 1, parent });
        self.definitions.len() - 1
    }

    /// Enclosing definition of new definitions.
    fn around(&mut self) -> Option<usize> {
        let level = self.top();
        level.statement.and_then(|statement| statement.pending).map(|(first, _)| first).or(level.definition)
    }

    /// First row of a definition that starts with the token; includes the comments above if the token starts its row.
    fn first_row(&mut self, token: RubyToken) -> u32 {
        self.top()
            .statement
            .filter(|statement| statement.row == token.row)
            .map_or(token.row, |statement| statement.lead)
    }

    fn open(&mut self, kind: LevelKind, token: RubyToken, lexer: &RubyLexer<'_>) -> &mut RubyLevel {
        let definition = self.around();
        let (folds_before, functions_before) = (self.folds.len(), self.functions_seen);
        let around = *self.top();
        let is_function = matches!(kind, LevelKind::Method | LevelKind::Block);
        self.functions_seen += usize::from(is_function);
        self.levels.push(RubyLevel {
            kind,
            ends_with_word: true,
            own: None,
            definition,
            in_function: around.in_function || is_function,
            start: token.start,
            row: token.row,
            indent: lexer.indent(),
            column: (token.start - lexer.line.min(token.start)) as u32,
            takes_do: false,
            body: MethodBody { scope: token.row, header: token.row, in_header: false, shares_row: false },
            folds_before,
            functions_before,
            statement: None,
            has_statement: false,
            rows: 0,
            framed: 0,
            is_call: false,
            is_passed: false,
        });
        self.top()
    }

    fn word(&mut self, token: RubyToken, text: &str, lexer: &RubyLexer<'_>) {
        let may_begin = matches!(token.before, PrecedingToken::Start | PrecedingToken::Operator);
        match text {
            "def" => self.def = Some(token),
            "class" | "module" => self.class(token, text, lexer),
            "if" | "unless" if may_begin => {
                self.open(LevelKind::Branch, token, lexer);
            }
            "while" | "until" | "for" if may_begin => self.open(LevelKind::Branch, token, lexer).takes_do = true,
            "case" | "begin" => {
                self.open(LevelKind::Branch, token, lexer);
            }
            "do" if self.top().takes_do => self.top().takes_do = false,
            "do" => self.open_block(token, true, lexer),
            "end" => self.end(token, lexer),
            "else" | "elsif" | "when" | "in" | "rescue" | "ensure" | "then" => {
                let level = self.top();
                if !level.is_bracket()
                    && level
                        .statement
                        .is_some_and(|statement| statement.row == token.row && token.before == PrecedingToken::Start)
                {
                    level.statement = None;
                    level.has_statement = matches!(text, "else" | "ensure");
                }
            }
            "if" | "unless" | "while" | "until" | "and" | "or" | "not" => {}
            _ => self.note_argument(token),
        }
    }

    fn note_argument(&mut self, token: RubyToken) {
        if token.before == PrecedingToken::Name
            && token.after_blank
            && let Some(statement) = self.top().statement.as_mut()
        {
            statement.is_command = true;
        }
    }

    fn class(&mut self, token: RubyToken, text: &str, lexer: &RubyLexer<'_>) {
        let rest = self.text[token.end..].trim_start_matches([' ', '\t']);
        let length =
            rest.bytes().position(|byte| !lexer::is_word(byte) && !matches!(byte, b':' | b'.')).unwrap_or(rest.len());
        let name = &rest[..length];
        // `class self.class::Name`
        if name.starts_with(|it: char| it.is_ascii_uppercase()) || name.contains("::") {
            let (first, definition) = (self.first_row(token), self.around());
            let kind = if text == "class" { Type } else { Module };
            let own = self.define(kind, name, first, definition);
            self.mark_member();
            let level = self.open(LevelKind::Class, token, lexer);
            (level.own, level.definition) = (Some(own), Some(own));
        } else if rest.starts_with("<<") && text == "class" {
            self.open(LevelKind::Class, token, lexer);
        }
    }

    fn mark_member(&mut self) {
        if let Some(statement) = self.top().statement.as_mut() {
            statement.is_member = true;
        }
    }

    fn method(&mut self, token: RubyToken, text: &str, lexer: &RubyLexer<'_>) {
        let def = self.def.take().unwrap_or(token);
        let (first, around) = (self.first_row(def), self.around());
        let is_in_class =
            around.and_then(|at| self.definitions.get(at)).is_some_and(|around| matches!(around.kind, Type | Module));
        let name = text.rsplit_once('.').map_or(text, |(_, name)| name);
        let own = self.define(
            if is_in_class { Method } else { Function },
            if name.is_empty() { text } else { name },
            first,
            around,
        );
        if self.top().statement.is_some_and(|statement| statement.row == def.row) && def.before == PrecedingToken::Start
        {
            self.mark_member();
        }
        let rest = &self.text[token.end..];
        let level = self.open(LevelKind::Method, def, lexer);
        (level.own, level.definition) = (Some(own), Some(own));
        level.body = MethodBody { scope: first, header: token.row, in_header: true, shares_row: false };
        if is_endless(rest) {
            self.make_endless();
        }
    }

    /// `def name = …` ends with its statement.
    fn make_endless(&mut self) {
        let Some(own) = self.levels.pop().and_then(|level| level.own) else { return };
        if let Some(statement) = self.top().statement.as_mut() {
            let first = statement.pending.map_or(own, |(first, _)| first);
            statement.pending = Some((first, own + 1 - first));
        }
    }

    fn open_block(&mut self, token: RubyToken, ends_with_word: bool, lexer: &RubyLexer<'_>) {
        self.open(LevelKind::Block, token, lexer).ends_with_word = ends_with_word;
    }

    fn open_bracket(&mut self, token: RubyToken, bracket: u8, lexer: &RubyLexer<'_>) {
        if bracket != b'(' {
            self.note_argument(token);
        }
        let follows_value = match token.before {
            PrecedingToken::Value | PrecedingToken::Dot => true,
            PrecedingToken::Name => !token.after_blank || bracket == b'(',
            PrecedingToken::Start | PrecedingToken::Operator => false,
        };
        let around = *self.top();
        let level = self.open(LevelKind::Bracket(bracket), token, lexer);
        level.ends_with_word = false;
        level.is_call = follows_value && bracket == b'(';
        let in_list_of_call = around.kind == LevelKind::Bracket(b'[') && around.is_passed;
        level.is_passed = around.passes() || in_list_of_call || (follows_value && bracket == b'[');
        level.body.in_header = around.body.in_header && bracket == b'(';
    }
}

/// Returns true if `=` follows, and not a comparison.
fn is_endless(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.starts_with('=') && !rest[1..].starts_with(['=', '~', '>'])
}
