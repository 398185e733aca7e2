//! Elements in JavaScript expressions: `<p title="it's">don't {count}</p>`.
//!
//! All parts of an element, except the expressions in its braces, become punctuation, so that its words are not read as
//! keywords and its line breaks do not end a statement. Only the end of the outermost element is a text token, like any
//! other operand.

use crate::outline::tokens::lexer::{Lexer, is_word};
use crate::outline::tokens::token::TokenKind;

/// Token kind of all parts of an element; no punctuation has this byte.
pub(crate) const MARKUP: TokenKind = TokenKind::Mark(0);

/// Open elements, and the expressions inside them.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    open: Vec<ElementPart>,
}

/// The innermost part of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementPart {
    /// Between `<` and `>`, with the number of open type arguments.
    Tag(u32),
    /// Between the tags of an element.
    Children,
    /// In an expression, with the number of open braces.
    Hole(u32),
}

/// Reads the next token if it is part of an element; returns false if it is not.
pub(crate) fn step(lexer: &mut Lexer<'_>) -> bool {
    let Some(&byte) = lexer.bytes.get(lexer.at) else { return false };
    match lexer.markup.open.last().copied() {
        None => byte == b'<' && begin(lexer),
        Some(ElementPart::Hole(braces)) => match byte {
            b'<' => begin(lexer),
            b'{' => set(lexer, ElementPart::Hole(braces + 1)),
            b'}' if braces == 0 => {
                lexer.markup.open.pop();
                lexer.take(TokenKind::Close(b'}'), lexer.at + 1);
                true
            }
            b'}' => set(lexer, ElementPart::Hole(braces - 1)),
            _ => false,
        },
        Some(ElementPart::Tag(angles)) => in_tag(lexer, byte, angles),
        Some(ElementPart::Children) => between_tags(lexer, byte),
    }
}

/// Updates the innermost part; returns false, so that the token is read as code.
fn set(lexer: &mut Lexer<'_>, part: ElementPart) -> bool {
    if let Some(last) = lexer.markup.open.last_mut() {
        *last = part;
    }
    false
}

fn begin(lexer: &mut Lexer<'_>) -> bool {
    let Some(may_begin) = lexer.syntax.element_may_begin else { return false };
    if !begins_element(lexer) || !may_begin(lexer) {
        return false;
    }
    open_tag(lexer);
    true
}

fn open_tag(lexer: &mut Lexer<'_>) {
    lexer.markup.open.push(ElementPart::Tag(0));
    lexer.take(MARKUP, lexer.word_end(lexer.at + 1));
}

/// `<name` and `<>`, but not the type parameters of a function.
fn begins_element(lexer: &Lexer<'_>) -> bool {
    let name_end = lexer.word_end(lexer.at + 1);
    let rest = &lexer.text[name_end..];
    if name_end == lexer.at + 1 {
        return rest.starts_with('>');
    }
    if lexer.bytes[lexer.at + 1].is_ascii_digit() {
        return false;
    }
    let behind = rest.trim_start();
    let is_parameter = behind.starts_with([',', '='])
        || behind.strip_prefix("extends").is_some_and(|bound| bound.starts_with(char::is_whitespace))
        || &lexer.text[lexer.at + 1..name_end] == "const"
        || (rest.starts_with(">(") && types_function(&rest[1..]));
    !is_parameter
}

/// Returns true if parentheses at the start of `text` are the parameters of a function type: `(x: T) => T`.
fn types_function(text: &str) -> bool {
    const LONGEST: usize = 2000;
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().take(LONGEST) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    let behind = text[at + 1..].trim_start();
                    return behind.starts_with("=>") || behind.starts_with(':');
                }
            }
            b'<' if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

fn in_tag(lexer: &mut Lexer<'_>, byte: u8, angles: u32) -> bool {
    let at = lexer.at;
    match byte {
        _ if byte.is_ascii_whitespace() => return false,
        b'/' if lexer.follows(b"//") || lexer.follows(b"/*") => return false,
        b'/' if lexer.follows(b"/>") => close_element(lexer, at + 2),
        b'<' => {
            set(lexer, ElementPart::Tag(angles + 1));
            lexer.take(MARKUP, at + 1);
        }
        b'>' if angles > 0 => {
            set(lexer, ElementPart::Tag(angles - 1));
            lexer.take(MARKUP, at + 1);
        }
        b'>' => {
            set(lexer, ElementPart::Children);
            lexer.take(MARKUP, at + 1);
        }
        b'"' | b'\'' => {
            // Attribute strings have no escapes and may span lines.
            let end = memchr::memchr(byte, &lexer.bytes[at + 1..])
                .map_or_else(|| lexer.line_end(at), |length| at + length + 2);
            lexer.take(MARKUP, end);
        }
        b'{' => open_hole(lexer),
        _ if is_word(byte) => lexer.take(MARKUP, lexer.word_end(at)),
        b'=' | b'-' | b':' | b'.' | b'/' | b'@' => lexer.take(MARKUP, at + 1),
        b',' | b'|' | b'&' | b'[' | b']' if angles > 0 => lexer.take(MARKUP, at + 1),
        _ => return give_up(lexer),
    }
    true
}

fn between_tags(lexer: &mut Lexer<'_>, byte: u8) -> bool {
    match byte {
        _ if byte.is_ascii_whitespace() => return false,
        b'{' => open_hole(lexer),
        b'}' => return give_up(lexer),
        b'<' if lexer.follows(b"</") => {
            let name =
                lexer.bytes[lexer.at..].iter().take_while(|byte| !matches!(byte, b'>' | b'\n' | b'{' | b'}')).count();
            let end = lexer.at + name + usize::from(lexer.bytes.get(lexer.at + name) == Some(&b'>'));
            close_element(lexer, end);
        }
        b'<' => open_tag(lexer),
        _ => {
            let rest = &lexer.text[lexer.at..];
            let length = rest.find(['<', '{', '}']).unwrap_or(rest.len());
            lexer.take(MARKUP, lexer.at + rest[..length].trim_end_matches(|it: char| it.is_ascii_whitespace()).len());
        }
    }
    true
}

fn open_hole(lexer: &mut Lexer<'_>) {
    lexer.markup.open.push(ElementPart::Hole(0));
    lexer.take(TokenKind::Open(b'{'), lexer.at + 1);
}

fn close_element(lexer: &mut Lexer<'_>, end: usize) {
    lexer.markup.open.pop();
    let is_inner = matches!(lexer.markup.open.last(), Some(ElementPart::Children | ElementPart::Tag(_)));
    lexer.take(if is_inner { MARKUP } else { TokenKind::Text }, end);
}

/// Treats the tokens since `<` as code, because they are not an element.
fn give_up(lexer: &mut Lexer<'_>) -> bool {
    while matches!(lexer.markup.open.last(), Some(ElementPart::Tag(_) | ElementPart::Children)) {
        lexer.markup.open.pop();
    }
    step(lexer)
}
