//! The general matcher: a telling name, an operator of any syntax, a value.

use super::value::{Form, is_secret};
use super::words::{Strength, strength};

/// Names and values beyond these lengths are not looked at: every step stays bounded.
const NAME_REACH: usize = 80;
const VALUE_REACH: usize = 2048;
/// How far a bare value may reach. It has no closing sign, so in a text of nothing but names every one would be judged with
/// all that follow; once a text has shown itself to be of that kind, the shorter reach keeps the whole linear.
pub(super) const BARE_REACH: usize = 2048;
pub(super) const SHORT_REACH: usize = 64;

/// What the general matcher found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub start: usize,
    pub end: usize,
    pub strength: Strength,
}

/// What the matcher knows about the file, and how much it has judged so far.
#[derive(Debug)]
pub(super) struct Limits {
    /// Bare values in this file are literals, never code.
    pub literal: bool,
    pub bare_reach: usize,
    pub judged: usize,
}

/// The name around `start..end`: letters, digits and joints on both sides.
pub(super) fn name_around(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let mut from = start;
    while from > 0 && is_name_byte(text[from - 1]) {
        from -= 1;
        if start - from > NAME_REACH {
            return None;
        }
    }
    let mut to = end;
    while to < text.len() && is_name_byte(text[to]) {
        to += 1;
        if to - end > NAME_REACH {
            return None;
        }
    }
    // `"\nTOKEN=…"` in a string: the `n` belongs to the escape.
    if from > 0 && text[from - 1] == b'\\' && from < start && matches!(text[from], b'n' | b't' | b'r') {
        from += 1;
    }
    while to > end && matches!(text[to - 1], b'-' | b'.') {
        to -= 1;
    }
    Some((from, to))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Looks at the name `from..to` and what follows it.
pub(super) fn find(
    text: &[u8],
    from: usize,
    to: usize,
    limits: &mut Limits,
    is_provider: impl Fn(&str) -> bool,
) -> Option<Match> {
    let name = text.get(from..to)?;
    let strength = strength(name, is_provider)?;
    let mut cursor = Cursor { text, at: to };
    let spot = operator(&mut cursor, from, limits.literal)?;
    for value in values(text, cursor.at, spot, limits.bare_reach) {
        limits.judged += value.1 - value.0;
        if is_secret(&text[value.0..value.1], strength, value.2) {
            return Some(Match { start: value.0, end: value.1, strength });
        }
    }
    None
}

/// What may stand where the operator ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    /// A quoted value only: `setPassword("x")`, `PASSWORD 'x'`.
    QuotedOnly,
    /// A quoted value only, the next of several.
    Listed,
    /// A value up to the next tag.
    Element,
    /// A bare literal or a quoted one.
    Literal,
    /// A bare literal behind blanks: `apikey x`.
    Spaced,
    /// A quoted value, or an expression.
    Expression,
}

struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at.min(self.text.len())..]
    }

    fn skip_blanks(&mut self) -> usize {
        let before = self.at;
        while self.at - before < 40 && matches!(self.peek(), b' ' | b'\t') {
            self.at += 1;
        }
        self.at - before
    }

    fn skip_space(&mut self) {
        let before = self.at;
        while self.at - before < 80 && matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn take(&mut self, literal: &[u8]) -> bool {
        let rest = self.rest();
        let taken = rest.len() >= literal.len() && rest[..literal.len()].eq_ignore_ascii_case(literal);
        if taken {
            self.at += literal.len();
        }
        taken
    }
}

/// Steps over what joins a name and its value, in the syntaxes of the world.
fn operator(cursor: &mut Cursor<'_>, from: usize, literal: bool) -> Option<Spot> {
    let text = cursor.text;
    let before = from.checked_sub(1).map_or(b'\n', |at| text[at]);
    if cursor.peek() == b'\\' && matches!(text.get(cursor.at + 1), Some(b'"' | b'\'')) {
        cursor.at += 1;
    }
    let closed = matches!(cursor.peek(), b'"' | b'\'' | b'`');
    if closed {
        cursor.at += 1;
    }
    // `**API key**: x` in Markdown.
    for _ in 0..2 {
        cursor.take(b"*");
    }
    let mut indexed = false;
    while matches!(cursor.peek(), b']' | b')') {
        cursor.at += 1;
        indexed = true;
    }
    let blanks = cursor.skip_blanks();
    if closed && (cursor.take(b"|| ") || cursor.take(b"?? ") || cursor.take(b"?: ") || cursor.take(b"or ")) {
        // `getenv('TOKEN') || '…'`
        return Some(Spot::QuotedOnly);
    }
    if blanks > 0 && cursor.take(b"-value ") {
        // `Set-Item -Path Env:TOKEN -Value x`
        return Some(Spot::Literal);
    }
    match cursor.peek() {
        b'=' | b':' | b'?' | b'.' | b'+' | b'|' | b'!' | b'-' => {
            assignment(cursor, literal || (before == b'-' && blanks == 0))
        }
        b'<' if cursor.take(b"<-") => Some(Spot::Expression),
        b'<' if cursor.take(b"</key>") || cursor.take(b"</name>") => {
            cursor.skip_space();
            (cursor.take(b"<string>") || cursor.take(b"<value>")).then_some(Spot::Element)
        }
        b',' if closed && !indexed => {
            cursor.at += 1;
            cursor.skip_space();
            // `"name": "TOKEN", "value": "…"` keeps its value one pair further.
            if cursor.take(b"\"value\"") || cursor.take(b"value=") || cursor.take(b"value:") || cursor.take(b"'value'")
            {
                cursor.skip_blanks();
                if matches!(cursor.peek(), b':' | b'=') {
                    cursor.at += 1;
                }
                return Some(Spot::QuotedOnly);
            }
            Some(Spot::Listed)
        }
        b'>' if before == b'<' || closed => {
            cursor.at += 1;
            cursor.skip_space();
            Some(Spot::Element)
        }
        b'(' if !closed && blanks == 0 => {
            cursor.at += 1;
            Some(Spot::QuotedOnly)
        }
        // `name="token"`, an empty line, the value: a form as browsers send it, as it is or escaped into a string.
        b'\n' | b'\r' | b'\\' if closed && before == b'"' && empty_line(cursor) => Some(Spot::Literal),
        b'\n' | b'\r' => {
            cursor.skip_space();
            cursor.take(b"value:").then_some(Spot::Literal)
        }
        b'v' | b'V' if closed && cursor.take(b"value=") => Some(Spot::QuotedOnly),
        b'c' if closed && cursor.take(b"content=") => Some(Spot::QuotedOnly),
        // `variable "password" { default = "x" }`
        b'{' if closed && default_inside(cursor) => Some(Spot::QuotedOnly),
        // `--password x`, `PASSWORD 'x'`, `login x password y`.
        b'"' | b'\'' if blanks > 0 && !closed => Some(Spot::Listed),
        _ if blanks > 0 && !closed && text.get(from..from + 2) == Some(b"--") => Some(Spot::Literal),
        _ if blanks > 0 && !closed => {
            let held = cursor.at;
            typed_declaration(cursor).or_else(|| {
                cursor.at = held;
                Some(Spot::Spaced)
            })
        }
        _ => None,
    }
}

/// Steps over two line ends, as they are or written `\r\n`; says whether there were two.
fn empty_line(cursor: &mut Cursor<'_>) -> bool {
    let held = cursor.at;
    let mut ends = 0;
    loop {
        if cursor.take(b"\n") || cursor.take(b"\\n") {
            ends += 1;
        } else if !(cursor.take(b"\r") || cursor.take(b"\\r")) {
            break;
        }
    }
    cursor.skip_blanks();
    if ends != 2 {
        cursor.at = held;
    }
    ends == 2
}

/// `=`, `:`, `:=`, `=>`, `?=`, `::=`, `||=`, `.=`, `==`, `: Type =` …
fn assignment(cursor: &mut Cursor<'_>, literal: bool) -> Option<Spot> {
    let start = cursor.at;
    let mut colon_only = true;
    while cursor.at - start < 4 && matches!(cursor.peek(), b'=' | b':' | b'?' | b'.' | b'+' | b'|' | b'!' | b'-') {
        colon_only &= cursor.peek() == b':';
        cursor.at += 1;
    }
    let signs = &cursor.text[start..cursor.at];
    if !signs.contains(&b'=') && signs != b":" && signs != b"-" {
        // `Token::new`, `a.b`, `a ? b : c`, `a - b` assign nothing.
        return None;
    }
    if signs == b"-" && cursor.peek() != b'>' {
        return None;
    }
    if cursor.peek() == b'>' {
        cursor.at += 1;
    }
    let tight = !matches!(cursor.peek(), b' ' | b'\t');
    cursor.skip_blanks();
    if next_line_holds_value(cursor, colon_only) {
        return Some(Spot::Literal);
    }
    if matches!(cursor.peek(), b'\r' | b'\n') {
        let line_end = cursor.at;
        cursor.skip_space();
        if !matches!(cursor.peek(), b'"' | b'\'' | b'`') {
            cursor.at = line_end;
            return None;
        }
    }
    if colon_only {
        // A type annotation: the value follows the next `=`.
        let held = cursor.at;
        if let Some(spot) = typed_declaration(cursor) {
            return Some(spot);
        }
        cursor.at = held;
    }
    if literal || (tight && signs == b"=") { Some(Spot::Literal) } else { Some(Spot::Expression) }
}

/// Steps over what says that the value follows on the next line: `|`, `>-` in YAML, a backslash in properties and shells.
fn next_line_holds_value(cursor: &mut Cursor<'_>, colon_only: bool) -> bool {
    let held = cursor.at;
    match cursor.peek() {
        b'|' | b'>' if colon_only => {
            cursor.at += 1;
            while matches!(cursor.peek(), b'+' | b'-' | b'0'..=b'9') && cursor.at - held < 4 {
                cursor.at += 1;
            }
        }
        b'\\' => cursor.at += 1,
        _ => return false,
    }
    cursor.skip_blanks();
    let ends = matches!(cursor.peek(), b'\r' | b'\n');
    if ends {
        cursor.skip_space();
    } else {
        cursor.at = held;
    }
    ends
}

/// Steps behind the `default =` of the block that opens here.
fn default_inside(cursor: &mut Cursor<'_>) -> bool {
    let block = &cursor.rest()[..cursor.rest().len().min(300)];
    let block = &block[..block.iter().position(|byte| *byte == b'}').unwrap_or(block.len())];
    let Some(found) = block.windows(8).position(|window| window == b"default ") else { return false };
    let sign = block[found..].iter().position(|byte| *byte == b'=').filter(|sign| *sign < 24);
    if let Some(sign) = sign {
        cursor.at += found + sign + 1;
        cursor.skip_blanks();
    }
    sign.is_some()
}

/// `string = "…"`, `&'static str = "…"`, `Optional[str] = "…"` after a name.
fn typed_declaration(cursor: &mut Cursor<'_>) -> Option<Spot> {
    let start = cursor.at;
    while cursor.at - start < 40 {
        let byte = cursor.peek();
        if byte == b'=' && cursor.at > start {
            cursor.at += 1;
            if matches!(cursor.peek(), b'=' | b'>') {
                return None;
            }
            cursor.skip_blanks();
            return Some(Spot::QuotedOnly);
        }
        if !(byte.is_ascii_alphabetic()
            || matches!(
                byte,
                b' ' | b'&' | b'\'' | b'_' | b'[' | b']' | b'<' | b'>' | b'?' | b'|' | b'*' | b'.' | b':'
            ))
        {
            return None;
        }
        cursor.at += 1;
    }
    None
}

/// The candidates from `at` on: the value itself, then a literal that stands in for a missing one (`x || "…"`).
fn values(text: &[u8], at: usize, spot: Spot, reach: usize) -> Vec<(usize, usize, Form)> {
    let mut list = Vec::new();
    if spot == Spot::Element {
        let start =
            at + text[at.min(text.len())..].iter().take(80).take_while(|byte| byte.is_ascii_whitespace()).count();
        let wrapper = b"<![CDATA[";
        let start = if text[start..].starts_with(wrapper) { start + wrapper.len() } else { start };
        let end = scan(text, start, |byte| matches!(byte, b'<' | b'\n' | b'\r' | b']'));
        if text.get(end).is_some() {
            let end = trim_end(text, start, end);
            list.push((start, end, Form::Quoted));
        }
        return list;
    }
    let mut at = at;
    // `b"…"`, `f'…'`, `@"…"`, `["…"]`, `("…")`, `new String("…")` open the same literal.
    while at < text.len() && matches!(text[at], b' ' | b'\t' | b'[' | b'(' | b'{') {
        at += 1;
    }
    let quote = (at..text.len().min(at + 3)).find(|&index| matches!(text[index], b'"' | b'\'' | b'`'));
    if let Some(quote) = quote
        && text[at..quote].iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'@' | b'$' | b'\\' | b'#'))
    {
        let form = if matches!(spot, Spot::Listed | Spot::Spaced) { Form::Listed } else { Form::Quoted };
        list.extend(quoted(text, quote).map(|(start, end)| (start, end, form)));
        return list;
    }
    let limit = text.len().min(at + 160);
    let line = (at..limit).find(|&index| matches!(text[index], b'\n' | b'\r')).unwrap_or(limit);
    if spot != Spot::QuotedOnly && spot != Spot::Listed {
        let form = match spot {
            Spot::Literal => Form::Literal,
            Spot::Spaced => return bare(text, at, Form::Spaced, reach).into_iter().collect(),
            _ => Form::Bare,
        };
        list.extend(bare(text, at, form, reach));
    }
    list.extend(wrapped(text, at, line.min(at + 60)));
    list.extend(fallback(text, at, line));
    list
}

/// A quoted value that opens at `quote`; nothing if it does not close on its line.
fn quoted(text: &[u8], quote: usize) -> Option<(usize, usize)> {
    let mark = text[quote];
    let mut start = quote + 1;
    let triple = text.get(start) == Some(&mark) && text.get(start + 1) == Some(&mark);
    if triple {
        start += 2;
        start += text[start..].iter().take(2).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    }
    let escaped = quote > 0 && text[quote - 1] == b'\\';
    let mut at = start;
    while at < text.len() && at - start < VALUE_REACH {
        match text[at] {
            b'\n' | b'\r' => return triple.then_some((start, at)),
            b'\\' if escaped && text.get(at + 1) == Some(&mark) => return Some((start, at)),
            b'\\' => at += 1,
            byte if byte == mark => return Some((start, at)),
            _ => {}
        }
        at += 1;
    }
    None
}

/// A bare value: up to white space or what closes the expression around it.
fn bare(text: &[u8], at: usize, form: Form, reach: usize) -> Option<(usize, usize, Form)> {
    let mut end = at;
    while end < text.len() && end - at < reach {
        match text[end] {
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b',' | b';' | b'<' | b'>' | b'|' | b')' | b']'
            | b'}' => break,
            b'&' if next_argument(&text[end + 1..]) => break,
            b'\\' if matches!(text.get(end + 1), Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'\\') | None) => break,
            _ => end += 1,
        }
    }
    // A bare word that goes on with a bracket is an expression.
    if end == at || end - at == reach || text[at..end].iter().any(|byte| matches!(byte, b'(' | b'[' | b'{')) {
        return None;
    }
    // Prose has more words; a bare literal ends its line, its field or its argument.
    Some((at, trim_end(text, at, end), form))
}

/// Whether what follows a `&` is the next argument of an address or a command, and not the rest of a password.
fn next_argument(rest: &[u8]) -> bool {
    let name = rest.iter().take(40).take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-[]%".contains(byte)).count();
    match rest.get(name) {
        Some(b'=' | b';') => name > 0,
        None | Some(b' ' | b'\n' | b'\r' | b'&' | b'"' | b'\'') => name == 0,
        _ => false,
    }
}

/// The literal in `[]byte("literal")`, `SecretString::from("literal")`.
fn wrapped(text: &[u8], at: usize, line: usize) -> Option<(usize, usize, Form)> {
    let open = at + text.get(at..line)?.iter().position(|byte| *byte == b'(')?;
    let constructor = text[at..open].iter().all(|byte| byte.is_ascii_alphanumeric() || b" _.:[]&*<>".contains(byte));
    let quote = text.get(open + 1).is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    if constructor && quote { quoted(text, open + 1).map(|(start, end)| (start, end, Form::Listed)) } else { None }
}

/// The literal in `getenv("X") || "literal"`, `x ?? 'literal'`, `x or "literal"`.
fn fallback(text: &[u8], at: usize, line: usize) -> Option<(usize, usize, Form)> {
    let rest = text.get(at..line)?;
    for sign in [&b"|| "[..], b"?? ", b" or ", b"?: "] {
        if let Some(found) = rest.windows(sign.len()).position(|window| window == sign) {
            let open = at + found + sign.len();
            if matches!(text.get(open), Some(b'"' | b'\'' | b'`')) {
                return quoted(text, open).map(|(start, end)| (start, end, Form::Quoted));
            }
        }
    }
    None
}

fn scan(text: &[u8], at: usize, stop: impl Fn(u8) -> bool) -> usize {
    let limit = text.len().min(at + VALUE_REACH);
    (at..limit).find(|&index| stop(text[index])).unwrap_or(limit)
}

fn trim_end(text: &[u8], start: usize, end: usize) -> usize {
    let mut end = end;
    while end > start && (text[end - 1].is_ascii_whitespace() || matches!(text[end - 1], b'.' | b':' | b'\\')) {
        end -= 1;
    }
    end
}

#[cfg(test)]
#[path = "assign_tests.rs"]
mod tests;
