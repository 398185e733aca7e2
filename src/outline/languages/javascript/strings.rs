//! Strings, templates and regular expressions of JavaScript and TypeScript.

use crate::outline::steps;
use crate::outline::tokens::lexer::{Lexer, is_word};
use crate::outline::tokens::strings::{after, escaped_end};
use crate::outline::tokens::token::{Token, TokenKind};

/// Words that precede an expression. After them, `/` starts a regular expression and `<` an element.
const BEFORE_EXPRESSION: [&str; 18] = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "do", "else", "await",
    "yield", "default", "export", "extends", "as",
];

/// Kind and end of the string, template, regular expression or private name that starts here.
pub(crate) fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let byte = *lexer.bytes.get(lexer.at)?;
    let text = |end: usize| Some((TokenKind::Text, end));
    match byte {
        b'"' | b'\'' => text(escaped_end(lexer.bytes, lexer.at + 1, byte, false)),
        b'`' => text(template_or_line_end(lexer)),
        b'/' if expression_may_begin(lexer) => regex_end(lexer.bytes, lexer.at).and_then(text),
        b'#' if lexer.bytes.get(lexer.at + 1).is_some_and(|next| is_word(*next)) => {
            Some((TokenKind::Word, lexer.word_end(lexer.at + 1)))
        }
        _ => None,
    }
}

/// Returns true if an operand is expected, judged by the previous token.
pub(crate) fn expression_may_begin(lexer: &Lexer<'_>) -> bool {
    let Some(previous) = lexer.previous() else { return true };
    match previous.kind {
        TokenKind::Word => is_keyword_before(lexer, previous),
        TokenKind::Number | TokenKind::Text | TokenKind::Close(b']') => false,
        TokenKind::Close(b')') => closes_condition(lexer),
        // A `}` that ends its line closes a block; a dividend does not end a line.
        TokenKind::Close(_) => lexer.text[previous.end as usize..lexer.at].contains('\n'),
        TokenKind::Mark(mark @ (b'+' | b'-')) => !is_doubled(lexer, mark),
        TokenKind::Mark(b'!') => !is_postfix(lexer, previous),
        _ => true,
    }
}

/// `x.return / 2` has a property, not a keyword.
fn is_keyword_before(lexer: &Lexer<'_>, word: Token) -> bool {
    let before = word.start.checked_sub(1).and_then(|at| lexer.bytes.get(at as usize));
    before != Some(&b'.') && BEFORE_EXPRESSION.contains(&lexer.text_of(word))
}

/// `i++ / 2` is a division.
fn is_doubled(lexer: &Lexer<'_>, mark: u8) -> bool {
    let count = lexer.tokens.len();
    matches!(lexer.tokens.get(count.wrapping_sub(2)..), Some([first, second])
        if first.is(mark) && second.is(mark) && first.end == second.start)
}

/// `value! / 2` is a division.
fn is_postfix(lexer: &Lexer<'_>, mark: Token) -> bool {
    let before = mark.start.checked_sub(1).and_then(|at| lexer.bytes.get(at as usize));
    before.is_some_and(|byte| is_word(*byte) || matches!(byte, b')' | b']'))
}

/// `if (x) /y/.test(z)`: the search for the start of the condition is limited to keep the time linear.
fn closes_condition(lexer: &Lexer<'_>) -> bool {
    const FARTHEST: usize = 60;
    let mut depth = 0_usize;
    let mut recent = lexer.tokens.iter().rev().filter(|token| !token.is_silent()).take(FARTHEST);
    while let Some(token) = recent.next() {
        steps::count(1);
        match token.kind {
            TokenKind::Close(b')') => depth += 1,
            TokenKind::Open(b'(') => {
                depth -= 1;
                if depth == 0 {
                    return recent
                        .next()
                        .is_some_and(|word| matches!(lexer.text_of(*word), "if" | "while" | "for" | "with"));
                }
            }
            _ => {}
        }
    }
    false
}

/// End of the regular expression that starts at `at`, with its flags; `None` if it does not end on its line or is too
/// long.
fn regex_end(bytes: &[u8], at: usize) -> Option<usize> {
    const LONGEST: usize = 4000;
    let (last, mut at, mut in_class) = (at + LONGEST, at + 1, false);
    loop {
        steps::count(1);
        match bytes.get(at).filter(|_| at < last)? {
            b'\n' => return None,
            b'\\' => at += usize::from(bytes.get(at + 1) != Some(&b'\n')),
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => break,
            _ => {}
        }
        at += 1;
    }
    let flags = bytes[at + 1..].iter().take_while(|byte| is_word(**byte)).count();
    Some(at + 1 + flags)
}

/// A template without an end is read as ending with its line.
fn template_or_line_end(lexer: &Lexer<'_>) -> usize {
    // After one failed search, later ones would also fail.
    let is_short = lexer.unterminated.get();
    template_end(lexer.bytes, lexer.at, is_short).unwrap_or_else(|| {
        lexer.unterminated.set(true);
        lexer.line_end(lexer.at)
    })
}

/// End of the template that starts at `at`, including nested templates; if `is_short`, it must be on one line.
fn template_end(bytes: &[u8], at: usize, is_short: bool) -> Option<usize> {
    // Number of open braces in the placeholder of each open template.
    let mut holes: Vec<usize> = Vec::new();
    let (mut at, mut in_hole) = (at + 1, false);
    while let Some(&byte) = bytes.get(at) {
        steps::count(1);
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        at += 1;
        match byte {
            b'\n' if is_short => return None,
            b'\\' if !in_hole => at += 1,
            b'`' if !in_hole => {
                if holes.is_empty() {
                    return Some(at);
                }
                in_hole = true;
            }
            b'$' if !in_hole && next == b'{' => {
                holes.push(0);
                in_hole = true;
                at += 1;
            }
            _ if !in_hole => {}
            b'`' => in_hole = false,
            b'{' => *holes.last_mut()? += 1,
            b'}' => match holes.last_mut()? {
                0 => {
                    holes.pop();
                    in_hole = false;
                }
                open => *open -= 1,
            },
            b'"' | b'\'' => at = escaped_end(bytes, at, byte, false),
            b'/' if next == b'*' => at = after(bytes, at + 1, b"*/"),
            b'/' if next == b'/' => at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at),
            b'/' if regex_may_start(&bytes[..at - 1]) => at = regex_end(bytes, at - 1).unwrap_or(at),
            _ => {}
        }
    }
    None
}

/// Returns true if a `/` after these bytes starts a regular expression.
fn regex_may_start(before: &[u8]) -> bool {
    let last = before.iter().rev().take(80).find(|byte| !byte.is_ascii_whitespace());
    last.is_some_and(|byte| b"(,=:[!&|?{};+-*%<>~^".contains(byte))
}
