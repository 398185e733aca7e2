//! Python: blocks are marked by indentation, and a definition ends with the last row of its block.

mod lines;
mod tables;

use crate::outline::definitions::Definition;
use crate::outline::definitions::DefinitionKind::{self, Constant, Function, Method, Property, Type};
use crate::outline::raw_outline::RawOutline;
use crate::outline::raw_outline::SHORTEST_BODY;
use crate::outline::shape::Foldable;
use lines::{LogicalLine, LogicalLines, Statement};

/// Reads a whole file.
pub(crate) fn read(text: &str) -> RawOutline {
    let mut reader = PythonReader::new(text);
    let mut lines = LogicalLines::new(text);
    while let Some(line) = lines.next() {
        match line {
            LogicalLine::Comment { row, indent } => reader.comments.push(PendingComment { row, indent }),
            LogicalLine::Statement(statement) => reader.statement(statement, &mut lines.tables),
        }
    }
    reader.finish(lines.has_errors)
}

/// A comment that has not been assigned to a block yet.
#[derive(Debug, Clone, Copy)]
struct PendingComment {
    row: u32,
    indent: u32,
}

/// A block that is open or about to open.
#[derive(Debug, Clone, Copy)]
struct PythonBlock {
    /// Indentation of its statements; for a block about to open, of its header.
    indent: u32,
    /// Enclosing definition of its contents.
    definition: Option<usize>,
    /// True if the block is the body of that definition, not a branch in it.
    is_its_own: bool,
    in_function: bool,
    last_row: u32,
    /// Body of the outermost function that contains it.
    body: Option<FunctionBody>,
}

/// Body of a function, with the rows that a skeleton can omit so far.
#[derive(Debug, Clone, Copy)]
struct FunctionBody {
    scope_first: u32,
    /// First row of the gap: after the header, or after the docstring.
    first: u32,
    stage: BodyStage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyStage {
    /// No statement yet.
    Empty,
    /// Only a docstring.
    Documented,
    Foldable,
    /// A statement is on the same row as the docstring.
    Stays,
}

struct PythonReader<'t> {
    text: &'t str,
    definitions: Vec<Definition>,
    folds: Vec<Foldable>,
    has_errors: bool,
    /// Open blocks, starting with the file itself.
    blocks: Vec<PythonBlock>,
    /// Block opened by the last statement, which ended with a colon.
    opening: Option<PythonBlock>,
    comments: Vec<PendingComment>,
    /// Rows of adjacent comments since the last statement of this block.
    run: Option<(u32, u32)>,
    /// First row of the decorators before the next definition.
    decorated: Option<u32>,
}

impl<'t> PythonReader<'t> {
    fn new(text: &'t str) -> Self {
        let file =
            PythonBlock { indent: 0, definition: None, is_its_own: false, in_function: false, last_row: 0, body: None };
        Self {
            text,
            definitions: Vec::new(),
            folds: Vec::new(),
            has_errors: false,
            blocks: vec![file],
            opening: None,
            comments: Vec::new(),
            run: None,
            decorated: None,
        }
    }

    fn finish(mut self, has_errors: bool) -> RawOutline {
        self.has_errors |= has_errors;
        self.forget_opening();
        self.settle_comments(0);
        while self.blocks.len() > 1 {
            self.close_block();
        }
        RawOutline { definitions: self.definitions, folds: self.folds, has_errors: self.has_errors }
    }

    fn top(&self) -> PythonBlock {
        self.blocks[self.blocks.len() - 1]
    }

    /// Reports an error if a header that needs a block has none.
    fn forget_opening(&mut self) {
        self.has_errors |= self.opening.take().is_some();
    }

    fn statement(&mut self, statement: Statement, tables: &mut Vec<Foldable>) {
        if !statement.follows {
            self.enter_level(statement);
        }
        let first =
            self.run.take().filter(|(_, last)| last + 1 >= statement.row).map_or(statement.row, |(first, _)| first);
        let words = &self.text[statement.start..statement.end];
        self.note_body(statement, words);
        let block = self.top();
        let (head, rest) = word(words);
        let first = if head.is_empty() && rest.starts_with('@') {
            self.decorated = Some(self.decorated.unwrap_or(first));
            tables.retain(|_| !block.in_function);
            self.folds.append(tables);
            return self.extend(statement.last_row);
        } else {
            self.decorated.take().unwrap_or(first)
        };
        let is_function = head == "def" || (head == "async" && word(rest).0 == "def");
        if !is_function && !block.in_function {
            self.folds.append(tables);
        }
        if is_function {
            let rest = if head == "def" { rest } else { word(rest).1 };
            self.define_block(statement, first, Function, word(rest).0);
        } else if head == "class" {
            self.define_block(statement, first, Type, word(rest).0);
        } else if is_compound(head) {
            self.branch(statement);
        } else {
            self.simple(statement, first, words);
            if words.ends_with(':') {
                self.opening = Some(PythonBlock { indent: statement.indent, is_its_own: false, body: None, ..block });
            }
        }
        self.extend(statement.last_row);
    }

    /// Opens and closes blocks until the innermost one has the statement's indentation.
    fn enter_level(&mut self, statement: Statement) {
        if let Some(opening) = self.opening
            && statement.indent > opening.indent
        {
            // Comments above the first statement of a block do not belong to it.
            self.comments.clear();
            self.run = None;
            self.opening = None;
            self.blocks.push(PythonBlock { indent: statement.indent, ..opening });
            return;
        }
        self.forget_opening();
        self.settle_comments(statement.indent);
        while self.blocks.len() > 1 && self.top().indent > statement.indent {
            self.close_block();
        }
        if self.top().indent < statement.indent {
            // Invalid Python; the rows are treated as a block.
            self.has_errors = true;
            let around = self.top();
            self.blocks.push(PythonBlock { indent: statement.indent, is_its_own: false, body: None, ..around });
        }
    }

    /// Assigns comments to blocks by indentation, given the indentation of the next statement.
    fn settle_comments(&mut self, next_indent: u32) {
        for at in 0..self.comments.len() {
            let comment = self.comments[at];
            while self.blocks.len() > 1 && self.top().indent > comment.indent.max(next_indent) {
                self.close_block();
            }
            self.extend(comment.row);
            let above = self.run.filter(|(_, last)| last + 1 >= comment.row);
            self.run = Some((above.map_or(comment.row, |(first, _)| first), comment.row));
        }
        self.comments.clear();
    }

    fn extend(&mut self, row: u32) {
        if let Some(block) = self.blocks.last_mut() {
            block.last_row = block.last_row.max(row);
        }
    }

    fn close_block(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        self.run = None;
        self.decorated = None;
        self.extend(block.last_row);
        if block.is_its_own
            && let Some(definition) = block.definition.and_then(|at| self.definitions.get_mut(at))
        {
            definition.last = block.last_row + 1;
        }
        if let Some(body) = block.body.filter(|body| body.stage == BodyStage::Foldable)
            && (block.last_row + 1) as usize >= body.first as usize + SHORTEST_BODY
        {
            let scope = (body.scope_first, block.last_row);
            self.folds.push(Foldable { scope, gap: Some((body.first, block.last_row)), is_body: true, holds: 0 });
        }
    }

    /// Updates the state of a function's body for a statement directly in it.
    fn note_body(&mut self, statement: Statement, words: &str) {
        let Some(body) = self.blocks.last_mut().and_then(|block| block.body.as_mut()) else { return };
        body.stage = match body.stage {
            BodyStage::Empty if is_docstring(words) => {
                body.first = statement.last_row + 1;
                BodyStage::Documented
            }
            BodyStage::Documented if statement.row < body.first => BodyStage::Stays,
            BodyStage::Empty | BodyStage::Documented => BodyStage::Foldable,
            settled => settled,
        };
    }

    fn define(&mut self, kind: DefinitionKind, name: &str, first: u32, last: u32, parent: Option<usize>) -> usize {
        let (first, last) = (first + 1, last + 1);
        self.definitions.push(Definition { name: name.to_owned(), kind, first, last, parent });
        self.definitions.len() - 1
    }

    fn is_in_class(&self, parent: Option<usize>) -> bool {
        parent.and_then(|at| self.definitions.get(at)).is_some_and(|around| around.kind == Type)
    }

    /// `def name(…):` and `class Name:`
    fn define_block(&mut self, statement: Statement, first: u32, kind: DefinitionKind, name: &str) {
        if name.is_empty() {
            return;
        }
        let around = self.top();
        let is_function = kind == Function;
        let kind = if is_function && self.is_in_class(around.definition) { Method } else { kind };
        let definition = self.define(kind, name, first, statement.last_row, around.definition);
        let is_inside = around.in_function || is_function;
        if self.has_block(statement) {
            let body = FunctionBody { scope_first: first, first: statement.last_row + 1, stage: BodyStage::Empty };
            self.opening = Some(PythonBlock {
                indent: statement.indent,
                definition: Some(definition),
                is_its_own: true,
                in_function: is_inside,
                last_row: statement.last_row,
                body: (is_function && !around.in_function).then_some(body),
            });
        } else if !is_inside && let Some(inline) = inline_body(self.text, statement) {
            self.assignments(statement, statement.row, inline, Some(definition));
        }
    }

    fn has_block(&self, statement: Statement) -> bool {
        self.text[statement.start..statement.end].ends_with(':')
    }

    /// `if …:`, `else:`, with a block or with a statement on the same row.
    fn branch(&mut self, statement: Statement) {
        let around = self.top();
        if self.has_block(statement) {
            self.opening = Some(PythonBlock { indent: statement.indent, is_its_own: false, body: None, ..around });
        } else if let Some(inline) = inline_body(self.text, statement).filter(|_| !around.in_function) {
            self.assignments(statement, statement.row, inline, around.definition);
        }
    }

    /// A statement without a block.
    fn simple(&mut self, statement: Statement, first: u32, words: &str) {
        let around = self.top();
        let (head, rest) = word(words);
        if head == "type"
            && !word(rest).0.is_empty()
            && !matches!(word(rest).0, "in" | "is" | "and" | "or" | "if" | "not")
        {
            self.define(Type, word(rest).0, first, statement.last_row, around.definition);
        } else if !around.in_function {
            self.assignments(statement, first, words, around.definition);
        }
    }

    /// `name = …`, `name: kind`, `name: kind = …`, `one = other = …`
    fn assignments(&mut self, statement: Statement, first: u32, words: &str, parent: Option<usize>) {
        let kind = if self.is_in_class(parent) { Property } else { Constant };
        let (mut words, mut first) = (words, first);
        loop {
            let (name, rest) = word(words);
            let is_plain = rest.starts_with('=') && !rest.starts_with("==");
            let is_annotated = rest.starts_with(':') && !rest.starts_with(":=") && rest.len() > 1;
            if name.is_empty()
                || name.starts_with(|it: char| it.is_ascii_digit())
                || !(is_plain || is_annotated)
                || name == "lambda"
            {
                return;
            }
            self.define(kind, name, first, statement.last_row, parent);
            if is_annotated {
                return;
            }
            words = &rest[1..];
            first = statement.row;
        }
    }
}

/// Statement after the colon of `if …: …`.
fn inline_body(text: &str, statement: Statement) -> Option<&str> {
    text.get(statement.colon? + 1..statement.end)
}

/// The first word, and the text after it without leading blanks.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches([' ', '\t']);
    let length = text
        .bytes()
        .position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_' && byte < 0x80)
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(length);
    (word, rest.trim_start_matches([' ', '\t']))
}

fn is_compound(word: &str) -> bool {
    matches!(word, "if" | "elif" | "else" | "for" | "while" | "try" | "except" | "finally" | "with" | "async")
}

/// Returns true if a statement consists only of strings.
fn is_docstring(words: &str) -> bool {
    let bytes = words.as_bytes();
    let mut strings = crate::outline::by_line::strings::StringScanner::default();
    let mut at = 0;
    while at < bytes.len() {
        let prefix = bytes[at..].iter().take(3).take_while(|byte| byte.is_ascii_alphabetic()).count();
        match bytes.get(at + prefix) {
            Some(b'"' | b'\'') => at = strings.end(bytes, at + prefix).at,
            Some(b' ' | b'\t' | b'\\' | b'\r' | b'\n') if prefix == 0 => at += 1,
            _ => return false,
        }
    }
    true
}
