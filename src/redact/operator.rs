//! Operators between a name and its value, in many syntaxes.

/// Kind of value expected after the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedValue {
    /// A quoted value only: `setPassword("x")`, `PASSWORD 'x'`.
    QuotedOnly,
    /// A quoted value only, one of several.
    Listed,
    /// A value up to the next tag.
    Element,
    /// A literal, quoted or not.
    Literal,
    /// An unquoted literal after spaces: `apikey x`.
    Spaced,
    /// A quoted value, or an expression.
    Expression,
}

/// A position in the text.
pub(super) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
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

/// Skips the operator between a name and its value.
pub(super) fn operator(cursor: &mut Cursor<'_>, from: usize, literal: bool) -> Option<ExpectedValue> {
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
    if !closed && !indexed {
        array_length(cursor);
    }
    let blanks = cursor.skip_blanks();
    if (closed || blanks > 0)
        && (cursor.take(b"|| ") || cursor.take(b"?? ") || cursor.take(b"?: ") || cursor.take(b"or "))
    {
        // `getenv('TOKEN') || '…'`, `process.env.TOKEN ?? '…'`
        return Some(if closed { ExpectedValue::QuotedOnly } else { ExpectedValue::Listed });
    }
    if blanks > 0 && cursor.take(b"| ") {
        // `| API token | x |` in a Markdown table.
        cursor.skip_blanks();
        return Some(ExpectedValue::Spaced);
    }
    if blanks > 0 && !closed && cursor.take(b"is ") {
        // `the token is x` in a note.
        return Some(ExpectedValue::Spaced);
    }
    if blanks > 0 && cursor.take(b"-value ") {
        // `Set-Item -Path Env:TOKEN -Value x`
        return Some(ExpectedValue::Literal);
    }
    match cursor.peek() {
        b'=' | b':' | b'?' | b'.' | b'+' | b'|' | b'!' | b'-' => {
            assignment(cursor, literal || (before == b'-' && blanks == 0))
        }
        b'<' if cursor.take(b"<-") => Some(ExpectedValue::Expression),
        b'<' if cursor.take(b"</key>") || cursor.take(b"</name>") => {
            cursor.skip_space();
            (cursor.take(b"<string>") || cursor.take(b"<value>")).then_some(ExpectedValue::Element)
        }
        b',' if closed && !indexed => {
            cursor.at += 1;
            cursor.skip_space();
            // `"name": "TOKEN", "value": "…"` has its value in the next pair.
            let named = ["\"value\"", "'value'", "value=", "value:", "default=", "default:"];
            if named.iter().any(|name| cursor.take(name.as_bytes())) {
                cursor.skip_blanks();
                if matches!(cursor.peek(), b':' | b'=') {
                    cursor.at += 1;
                }
                return Some(ExpectedValue::QuotedOnly);
            }
            Some(ExpectedValue::Listed)
        }
        b'>' if before == b'<' || closed => {
            cursor.at += 1;
            cursor.skip_space();
            Some(ExpectedValue::Element)
        }
        b'(' if !closed && blanks == 0 => {
            cursor.at += 1;
            Some(ExpectedValue::QuotedOnly)
        }
        // `std::string token{"x"}`
        b'{' if !closed && blanks == 0 => {
            cursor.at += 1;
            matches!(cursor.peek(), b'"' | b'\'').then_some(ExpectedValue::QuotedOnly)
        }
        // `name="token"`, a blank line, the value: multipart form data, plain or escaped in a string.
        b'\n' | b'\r' | b'\\' if closed && before == b'"' && empty_line(cursor) => Some(ExpectedValue::Literal),
        b'\n' | b'\r' => {
            cursor.skip_space();
            cursor.take(b"value:").then_some(ExpectedValue::Literal)
        }
        b'v' | b'V' if closed && cursor.take(b"value=") => Some(ExpectedValue::QuotedOnly),
        b'c' if closed && cursor.take(b"content=") => Some(ExpectedValue::QuotedOnly),
        // `variable "password" { default = "x" }`
        b'{' if closed && default_inside(cursor) => Some(ExpectedValue::QuotedOnly),
        // `--password x`, `PASSWORD 'x'`, `login x password y`.
        // A line with nothing else is a setting: `keyPassword "x"`.
        b'"' | b'\'' if blanks > 0 && !closed => {
            Some(if is_statement(cursor, from) { ExpectedValue::QuotedOnly } else { ExpectedValue::Listed })
        }
        // `<password encrypted="false">x</password>`
        _ if blanks > 0 && before == b'<' && attributes(cursor) => Some(ExpectedValue::Element),
        _ if blanks > 0 && !closed && text.get(from..from + 2) == Some(b"--") => Some(ExpectedValue::Literal),
        _ if blanks > 0 && !closed => {
            let held = cursor.at;
            typed_declaration(cursor).or_else(|| {
                cursor.at = held;
                Some(ExpectedValue::Spaced)
            })
        }
        _ => None,
    }
}

/// Skips the attributes and end of a tag; returns true if content follows.
fn attributes(cursor: &mut Cursor<'_>) -> bool {
    let rest = &cursor.rest()[..cursor.rest().len().min(160)];
    let Some(end) = rest.iter().position(|byte| matches!(byte, b'<' | b'>' | b'\n')) else { return false };
    let opens = rest[end] == b'>' && rest[..end].contains(&b'=') && !matches!(rest[end - 1], b'/' | b'?' | b'=' | b'-');
    // `<pin algorithm="sha256">` contains a digest.
    let opens = opens && !rest[..end].windows(3).any(|three| three == b"sha");
    if opens {
        cursor.at += end + 1;
        cursor.skip_space();
    }
    opens
}

/// Returns true if the name at `from` starts its line or follows `#define`, and the quoted value at the cursor ends
/// that line.
fn is_statement(cursor: &Cursor<'_>, from: usize) -> bool {
    let line = cursor.text[..from].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let quote = cursor.peek();
    let rest = cursor.rest();
    let rest = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()).min(200)];
    let value = rest.trim_ascii_end();
    from - line < 40
        && matches!(cursor.text[line..from].trim_ascii(), b"" | b"#define" | b"# define")
        && value.len() > 2
        && value.ends_with(&[quote])
        && !value[1..value.len() - 1].contains(&quote)
}

/// Skips two line endings, plain or escaped as `\r\n`; returns true if there were two.
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
fn assignment(cursor: &mut Cursor<'_>, literal: bool) -> Option<ExpectedValue> {
    let start = cursor.at;
    let mut colon_only = true;
    while cursor.at - start < 4 && matches!(cursor.peek(), b'=' | b':' | b'?' | b'.' | b'+' | b'|' | b'!' | b'-') {
        colon_only &= cursor.peek() == b':';
        cursor.at += 1;
    }
    let signs = &cursor.text[start..cursor.at];
    if !signs.contains(&b'=') && signs != b":" && signs != b"-" {
        // `Token::new`, `a.b`, `a ? b : c`, `a - b` are not assignments.
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
        return Some(ExpectedValue::Literal);
    }
    if matches!(cursor.peek(), b'\r' | b'\n') {
        cursor.skip_space();
        if !matches!(cursor.peek(), b'"' | b'\'' | b'`') {
            // `token:` with only the value on the next line.
            return (colon_only && is_one_word(cursor)).then_some(ExpectedValue::Spaced);
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
    if literal || (tight && signs == b"=") { Some(ExpectedValue::Literal) } else { Some(ExpectedValue::Expression) }
}

/// Returns true if the line at the cursor is a single word.
fn is_one_word(cursor: &Cursor<'_>) -> bool {
    let rest = cursor.rest();
    let line = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()).min(300)];
    !line.trim_ascii_end().iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b':' | b','))
}

/// Skips markers for a value on the next line: `|`, `>-` in YAML, a backslash in properties and shells.
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

/// Skips to the `default =` of the block that opens here.
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

/// Skips `[]` or `[16]` after the name of a C array, if `=` follows.
fn array_length(cursor: &mut Cursor<'_>) {
    let rest = cursor.rest();
    let Some(length) = rest.iter().take(24).position(|byte| *byte == b']').filter(|_| rest.starts_with(b"[")) else {
        return;
    };
    let is_length = rest[1..length].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if is_length && rest[length + 1..].trim_ascii_start().starts_with(b"=") {
        cursor.at += length + 1;
    }
}

/// `string = "…"`, `&'static str = "…"`, `Optional[str] = "…"` after a name.
fn typed_declaration(cursor: &mut Cursor<'_>) -> Option<ExpectedValue> {
    let start = cursor.at;
    let mut brackets = 0_usize;
    while cursor.at - start < 40 {
        let byte = cursor.peek();
        match byte {
            b'[' => brackets += 1,
            b']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        // `[u8; 16]`
        let in_array = brackets > 0 && (byte.is_ascii_digit() || byte == b';');
        if byte == b'=' && cursor.at > start {
            cursor.at += 1;
            if matches!(cursor.peek(), b'=' | b'>') {
                return None;
            }
            cursor.skip_blanks();
            return Some(ExpectedValue::QuotedOnly);
        }
        if !(byte.is_ascii_alphabetic()
            || in_array
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
