//! Credentials in URLs: `scheme://user:password@host`.

use super::entropy::looks_random;
use super::value::{Notation, is_placeholder, is_secret};
use super::vocabulary::{ADDRESS_SPECIMENS, SPECIMEN_PARTS};
use super::words::Strength;

const REACH: usize = 512;

/// The secret part of the URL whose `://` is at `at`.
pub(super) fn find(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let scheme = at.checked_sub(1).map(|before| text[before])?;
    if !scheme.is_ascii_alphanumeric() {
        return None;
    }
    let start = at + 3;
    let limit = text.len().min(start + REACH);
    // The last `@` before the path ends the credentials; a password may contain `@`, but no `/` or space.
    let mut sign = None;
    for (index, &byte) in text.iter().enumerate().take(limit).skip(start) {
        match byte {
            b'@' => sign = Some(index),
            b'/' | b'?' if sign.is_some() => break,
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b',' | b';' | b'(' | b')'
            | b'/' => break,
            _ => {}
        }
    }
    let sign = sign?;
    let colon = text[start..sign].iter().position(|byte| *byte == b':').map(|found| start + found);
    let Some(colon) = colon else {
        return looks_random(&text[start..sign])
            .then_some(())
            .filter(|()| sign - start >= 20 && !is_placeholder(&text[start..sign]))
            .map(|()| (start, sign));
    };
    let (user, password) = (&text[start..colon], &text[colon + 1..sign]);
    if is_secret(user, Strength::Token, Notation::Quoted)
        && user.len() >= 20
        && (password.is_empty() || is_specimen(password))
    {
        return Some((start, colon));
    }
    is_password(user, password).then_some((colon + 1, sign))
}

/// Returns true for placeholder passwords: well-known words, alone or combined, with an optional number.
pub(super) fn is_specimen(password: &[u8]) -> bool {
    if ADDRESS_SPECIMENS.iter().any(|word| password.eq_ignore_ascii_case(word.as_bytes())) {
        return true;
    }
    let digits = password.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = &password.to_ascii_lowercase()[..password.len() - digits];
    while !rest.is_empty() {
        // Longest word first: `password` before `pass`.
        let part = SPECIMEN_PARTS.iter().filter(|part| rest.starts_with(part.as_bytes())).map(|part| part.len()).max();
        match (part, rest[0]) {
            (Some(length), _) => rest = &rest[length..],
            (None, b'_' | b'-') => rest = &rest[1..],
            (None, _) => return false,
        }
    }
    digits <= 4 && digits < password.len()
}

fn is_password(user: &[u8], password: &[u8]) -> bool {
    if password.len() < 4 || is_specimen(password) || is_placeholder(password) || password.eq_ignore_ascii_case(user) {
        return false;
    }
    if password.iter().any(|byte| matches!(byte, b'{' | b'}' | b'[' | b']' | b'$' | b'\\' | b'*'))
        && !looks_random(password)
    {
        return false;
    }
    if password.iter().all(u8::is_ascii_digit) && password.len() < 8 {
        return false;
    }
    // In this position, even a plain word is a password, unless it is very short.
    let words =
        password.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'@'));
    !words || (password.len() >= 8 && !password.contains(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(line: &str) -> Option<&str> {
        let at = line.find("://")?;
        find(line.as_bytes(), at).map(|(start, end)| &line[start..end])
    }

    #[test]
    fn passwords_in_urls_are_found() {
        assert_eq!(secret("https://apiuser:r3alP4ss@api.somewhere.io/v2"), Some("r3alP4ss"));
        assert_eq!(secret("redis://:q8Zr2LmT5v@cache:6379/0"), Some("q8Zr2LmT5v"));
        assert_eq!(secret("https://testy:abcdefghijabcdefghijk@db.somewhere.com"), Some("abcdefghijabcdefghijk"));
        assert_eq!(
            secret("git+https://111da111qq309bqq562159952c2c2a1:x-oauth-basic@somewhere.io/a.git"),
            Some("111da111qq309bqq562159952c2c2a1")
        );
    }

    #[test]
    fn placeholders_and_plain_urls_are_kept() {
        for line in [
            "postgres://user:password@localhost/db",
            "https://somewhere.io/@scope/name",
            "mongodb://${USER}:${PASS}@host/",
            "https://user@somewhere.io",
            "https://a.b:8080/x@y",
            "mongodb+srv://<username>:<password>@cluster.io",
            "http://foo:bar@somewhere.io",
            "https://u:{{ password }}@h.io",
            "amqp://guest:guest@localhost",
        ] {
            assert_eq!(secret(line), None, "{line}");
        }
    }
}
