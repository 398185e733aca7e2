//! Where strings, characters and their like end, language by language.

pub(super) mod php;
mod rust;
pub(super) mod script;

use memchr::memmem;

use super::lexer::Lexer;
use super::token::Kind;
use crate::outline::language::Language;

/// Signs before a quote that change what the string may hold: `$$@"`, `##"`.
const MOST_MARKS: usize = 8;

/// Where the string, or what is taken for one, that begins here ends; none if nothing of the kind begins here.
pub(super) fn text_end(lexer: &Lexer<'_>) -> Option<(Kind, usize)> {
    if script::is_script(lexer.language) {
        return script::text_end(lexer);
    }
    let end = match lexer.language {
        Language::C | Language::Cpp | Language::Cuda | Language::ObjectiveC => in_c(lexer),
        Language::Rust => return rust::text_end(lexer),
        Language::Php => return php::text_end(lexer),
        Language::CSharp => in_csharp(lexer),
        Language::Java => in_java(lexer),
        Language::Kotlin => in_declared(lexer, *b"${"),
        Language::Swift => in_declared(lexer, *b"\\("),
        Language::Go => in_go(lexer),
        _ => quoted(lexer),
    }?;
    Some((Kind::Text, end))
}

/// `"…"` and `'…'` on one line.
fn quoted(lexer: &Lexer<'_>) -> Option<usize> {
    let quote = *lexer.bytes.get(lexer.at)?;
    matches!(quote, b'"' | b'\'').then(|| escaped_end(lexer.bytes, lexer.at + 1, quote, false))
}

/// Also `` `…` `` on many lines.
fn in_go(lexer: &Lexer<'_>) -> Option<usize> {
    if lexer.follows(b"`") { Some(after(lexer.bytes, lexer.at + 1, b"`")) } else { quoted(lexer) }
}

/// The end of a string that began before `from`: after its quote, or at the end of the line where it may not have more than one.
pub(super) fn escaped_end(bytes: &[u8], from: usize, quote: u8, many_lines: bool) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // A break after `\` does not end a string.
            b'\\' => at += 1 + usize::from(bytes.get(at + 1..).is_some_and(|rest| rest.starts_with(b"\r\n"))),
            b'\n' if !many_lines => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// What comes after the first `needle` from `from` on.
pub(super) fn after(bytes: &[u8], from: usize, needle: &[u8]) -> usize {
    bytes
        .get(from..)
        .and_then(|rest| memmem::find(rest, needle))
        .map_or(bytes.len(), |length| from + length + needle.len())
}

/// Also `L"…"` and `R"mark(…)mark"`.
fn in_c(lexer: &Lexer<'_>) -> Option<usize> {
    let rest = &lexer.bytes[lexer.at..];
    let prefix = rest.iter().take(3).take_while(|byte| matches!(byte, b'L' | b'u' | b'U' | b'8' | b'R')).count();
    let quote = *rest.get(prefix)?;
    // An Objective-C string has an `@` before it, which is a sign of its own.
    if prefix > 0 && rest[prefix - 1] == b'R' && quote == b'"' {
        let mark = rest[prefix + 1..].iter().take(17).position(|byte| *byte == b'(')?;
        let mut closing = vec![b')'];
        closing.extend_from_slice(&rest[prefix + 1..prefix + 1 + mark]);
        closing.push(b'"');
        return Some(after(lexer.bytes, lexer.at + prefix + mark + 2, &closing));
    }
    matches!(quote, b'"' | b'\'').then(|| escaped_end(lexer.bytes, lexer.at + prefix + 1, quote, false))
}

/// Also `"""…"""` on many lines.
fn in_java(lexer: &Lexer<'_>) -> Option<usize> {
    if !lexer.follows(b"\"\"\"") {
        return quoted(lexer);
    }
    let mut at = lexer.at + 3;
    while at < lexer.bytes.len() {
        if lexer.bytes[at] == b'\\' {
            at += 2;
        } else if lexer.bytes[at..].starts_with(b"\"\"\"") {
            // More quotes at the end are part of it.
            return Some(at + lexer.bytes[at..].iter().take_while(|byte| **byte == b'"').count());
        } else {
            at += 1;
        }
    }
    Some(lexer.bytes.len())
}

/// `@"…""…"`, `$"…{…}…"`, `"""…"""` and what can be made of them.
fn in_csharp(lexer: &Lexer<'_>) -> Option<usize> {
    let rest = &lexer.bytes[lexer.at..];
    let prefix = rest.iter().take(MOST_MARKS).take_while(|byte| matches!(byte, b'$' | b'@')).count();
    let quotes = rest[prefix..].iter().take_while(|byte| **byte == b'"').count();
    if quotes == 0 {
        return if prefix == 0 { quoted(lexer) } else { None };
    }
    let (dollars, is_verbatim) = (rest[..prefix].contains(&b'$'), rest[..prefix].contains(&b'@'));
    if quotes >= 3 && !is_verbatim {
        let closing = vec![b'"'; quotes];
        let end = after(lexer.bytes, lexer.at + prefix + quotes, &closing);
        return Some(end + lexer.bytes[end..].iter().take_while(|byte| **byte == b'"').count());
    }
    Some(csharp_end(lexer.bytes, lexer.at + prefix + 1, is_verbatim, dollars, 0))
}

/// Strings in holes of strings in holes; nobody goes deeper.
const DEEPEST: usize = 8;

fn csharp_end(bytes: &[u8], from: usize, is_verbatim: bool, has_holes: bool, depth: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' if is_verbatim && bytes.get(at + 1) == Some(&b'"') => at += 2,
            b'"' => return at + 1,
            b'\\' if !is_verbatim => at += 2,
            b'\n' if !is_verbatim => return at,
            b'{' if has_holes && bytes.get(at + 1) == Some(&b'{') => at += 2,
            b'{' if has_holes && depth < DEEPEST => at = hole_end(bytes, at + 1, is_verbatim, depth),
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of `{…}` in a string.
fn hole_end(bytes: &[u8], from: usize, is_verbatim: bool, depth: usize) -> usize {
    let (mut at, mut open) = (from, 1_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' => open += 1,
            b'}' => {
                open -= 1;
                if open == 0 {
                    return at + 1;
                }
            }
            b'\n' if !is_verbatim => return at,
            b'\'' => {
                at = escaped_end(bytes, at + 1, b'\'', false);
                continue;
            }
            b'"' => {
                let marks = bytes[..at].iter().rev().take(MOST_MARKS).take_while(|byte| matches!(byte, b'$' | b'@'));
                let (mut holes, mut verbatim) = (false, false);
                for mark in marks {
                    holes |= *mark == b'$';
                    verbatim |= *mark == b'@';
                }
                at = csharp_end(bytes, at + 1, verbatim, holes, depth + 1);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Kotlin's `"${…}"` and Swift's `"\(…)"`, on one line or between `"""`, in holes of which strings may stand again.
fn in_declared(lexer: &Lexer<'_>, hole: [u8; 2]) -> Option<usize> {
    let hashes = lexer.bytes[lexer.at..].iter().take(MOST_MARKS).take_while(|byte| **byte == b'#').count();
    if hashes > 0 && lexer.language == Language::Swift && lexer.bytes.get(lexer.at + hashes) == Some(&b'"') {
        let closing = [&b"\""[..], &vec![b'#'; hashes]].concat();
        return Some(after(lexer.bytes, lexer.at + hashes + 1, &closing));
    }
    match lexer.bytes[lexer.at] {
        b'"' => Some(declared_end(lexer.bytes, lexer.at, hole, 0)),
        b'\'' if lexer.language == Language::Kotlin => quoted(lexer),
        // A name with spaces.
        b'`' => Some(escaped_end(lexer.bytes, lexer.at + 1, b'`', false)),
        _ => None,
    }
}

fn declared_end(bytes: &[u8], start: usize, hole: [u8; 2], depth: usize) -> usize {
    let many_lines = bytes[start..].starts_with(b"\"\"\"");
    let mut at = start + if many_lines { 3 } else { 1 };
    let has_escapes = !many_lines || hole[0] == b'\\';
    while let Some(&byte) = bytes.get(at) {
        match byte {
            _ if bytes[at..].starts_with(&hole) && depth < DEEPEST => {
                at = declared_hole_end(bytes, at + 2, hole, depth);
            }
            b'\\' if has_escapes => at += 2,
            b'"' if !many_lines => return at + 1,
            b'"' if bytes[at..].starts_with(b"\"\"\"") => {
                return at + bytes[at..].iter().take_while(|byte| **byte == b'"').count();
            }
            b'\n' if !many_lines => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn declared_hole_end(bytes: &[u8], from: usize, hole: [u8; 2], depth: usize) -> usize {
    let (opening, closing) = if hole[1] == b'{' { (b'{', b'}') } else { (b'(', b')') };
    let (mut at, mut open) = (from, 1_usize);
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' {
            at = declared_end(bytes, at, hole, depth + 1);
            continue;
        }
        open += usize::from(byte == opening);
        open -= usize::from(byte == closing);
        at += 1;
        if open == 0 {
            break;
        }
    }
    at
}
