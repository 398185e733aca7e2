//! Decides whether the value next to a suspicious name is a secret, or only a placeholder, reference, word or code.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::MARKER;
use super::entropy::{CharCounts, is_uuid, longest_sequence, looks_random, run_share, sequence_share, shannon};
use super::vocabulary::{LOCATOR_ENDS, PLACEHOLDERS, PUBLIC_PREFIXES, SPECIMENS};
use super::words::Strength;

/// Notation of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// Between quotes or tags.
    Quoted,
    /// Between quotes, as the next list item or argument, which may not belong to the name.
    Listed,
    /// Unquoted, where only a literal is possible (environment file, header, command line).
    Literal,
    /// Unquoted, where it may be code.
    Bare,
    /// Unquoted, with only spaces between name and value.
    Spaced,
}

static PLACEHOLDER_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| word_automaton(PLACEHOLDERS));
static SPECIMEN_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| word_automaton(SPECIMENS));

/// Words of a list in one automaton, because hostile input can contain many long values.
fn word_automaton(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
}

fn holds(words: &LazyLock<Option<AhoCorasick>>, value: &[u8]) -> bool {
    words.as_ref().is_some_and(|automaton| automaton.is_match(value))
}

/// Returns true for values that are never secrets: filler, templates, references to variables.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    if value.is_empty() || run_share(value) > 0.3 || is_reference(value) {
        return true;
    }
    holds(&PLACEHOLDER_WORDS, value) || longest_sequence(value) * 2 >= value.len().max(24)
}

/// Returns true for filler: `xxxxxxxx`, `00000000`, three dots.
pub(super) fn is_filler(value: &[u8]) -> bool {
    run_share(value) > 0.3 || contains(value, b"...") || contains(value, MARKER.as_bytes())
}

pub(super) fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(haystack, needle).is_some()
}

/// Returns true for references: `${X}`, `{{ x }}`, `%X%`, `$X`, `<x>`, `[x]`.
fn is_reference(value: &[u8]) -> bool {
    let (first, last) = (value[0], value[value.len() - 1]);
    let inner = &value[1..value.len().max(2) - 1];
    let name = |bytes: &[u8]| {
        !bytes.is_empty()
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_ .-:/|,'\"$()?+=[]{}@!".contains(byte))
    };
    match first {
        b'<' if last == b'>' => return true,
        b'[' if last == b']' => return true,
        b'{' if last == b'}' && name(inner) => return true,
        b'%' if last == b'%' && value.len() > 2 => return true,
        b'$' | b'@' | b'&'
            if value[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.:{}()-[]'\"".contains(byte)) =>
        {
            return true;
        }
        _ => {}
    }
    let plain = |bytes: &[u8]| {
        !bytes.is_empty() && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_ .-:".contains(byte))
    };
    for (open, close) in
        [("${", "}"), ("{{", "}}"), ("$(", ")"), ("#{", "}"), ("<%", "%>"), ("%(", ")"), ("<", ">"), ("{", "}")]
    {
        let (open, close) = (open.as_bytes(), close.as_bytes());
        let Some(at) = value.windows(open.len()).position(|window| window == open) else { continue };
        let rest = &value[at + open.len()..];
        if let Some(end) = rest.windows(close.len()).position(|window| window == close)
            && if open.len() == 1 { plain(&rest[..end]) } else { name(&rest[..end]) }
        {
            return true;
        }
    }
    matches!(value, b"%s" | b"%r" | b"%d" | b"{}" | b"{0}" | b"%v" | b"%w")
}

/// Returns true if a value of this form next to a name of this strength is a secret.
pub(super) fn is_secret(value: &[u8], strength: Strength, form: Notation) -> bool {
    if value.len() < 6 || is_placeholder(value) {
        return false;
    }
    // Dotted numbers are versions, IP addresses and object identifiers.
    if value.contains(&b'.') && value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return false;
    }
    // Escaped bytes are binary data, and escaped characters are text in another script.
    if is_locator(value) || contains(value, b"\\x") || has_escaped_character(value) {
        return false;
    }
    let makeup = CharCounts::of(value);
    if makeup.spaces > 0 {
        return false;
    }
    if matches!(form, Notation::Bare | Notation::Spaced) && is_code(value) {
        return false;
    }
    // A literal needs more capitals to count as a type name, because passwords often have one.
    let in_code = matches!(form, Notation::Bare | Notation::Spaced | Notation::Listed);
    if (in_code || makeup.case_flips >= 3) && is_type_name(value) {
        return false;
    }
    // Tokens are ASCII; other letters are words of some language.
    if strength != Strength::Password && makeup.foreign > 0 {
        return false;
    }
    let random = looks_random(value);
    if form == Notation::Spaced {
        let strong = matches!(strength, Strength::Password | Strength::Token);
        return strong
            && random
            && value.len() >= 16
            && makeup.digits > 1
            && (makeup.symbols == 0 || is_long_base64(value))
            && !is_type_or_digest(value);
    }
    match strength {
        Strength::Password => (random && !is_type_or_digest(value)) || is_human_password(value, &makeup, form),
        Strength::Token => {
            (random && !is_type_or_digest(value) && value.len() >= 12)
                || (!matches!(form, Notation::Bare | Notation::Spaced) && is_short_key(value, &makeup))
                || (form == Notation::Quoted && makeup.letters() > 0 && is_symbol_mix(value))
        }
        Strength::Weak => {
            random
                && value.len() >= 16
                && shannon(value) >= 3.0
                && !is_uuid(value)
                && makeup.letters() > 0
                && sequence_share(value) < 0.8
                && !is_type_or_digest(value)
                && makeup.symbols * 4 < value.len()
        }
        Strength::Provider => random && value.len() >= 14 && shannon(value) >= 2.9 && !is_type_or_digest(value),
    }
}

/// Returns true for long base64.
fn is_long_base64(value: &[u8]) -> bool {
    value.len() >= 32 && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte))
}

/// Returns true for `\u` and four digits: an escaped character of another script.
fn has_escaped_character(value: &[u8]) -> bool {
    value.windows(6).any(|six| six.starts_with(b"\\u") && six[2..].iter().all(u8::is_ascii_hexdigit))
}

/// Returns true for a short random token of ten or eleven bytes; only for literals next to strong names.
fn is_short_key(value: &[u8], makeup: &CharCounts) -> bool {
    value.len() >= 10 && makeup.flips >= 4 && makeup.symbols == 0 && makeup.letters() >= 3 && !has_specimen(value)
}

pub(super) fn has_specimen(value: &[u8]) -> bool {
    holds(&SPECIMEN_WORDS, value)
}

/// Returns true for a typical human-chosen password: letters with digits or symbols, not in the form of a name.
fn is_human_password(value: &[u8], makeup: &CharCounts, form: Notation) -> bool {
    if value.len() > 64 || has_specimen(value) || makeup.letters() == 0 {
        return false;
    }
    if form == Notation::Quoted && is_symbol_mix(value) {
        return true;
    }
    let separators = value.iter().filter(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/' | b':')).count();
    // `prefix+index`, `a=b` join words; a password has a different symbol.
    let telling = value.iter().any(|byte| b"!@#$%^&*?".contains(byte));
    let varied = telling && makeup.digits > 0 && makeup.lower > 0 && makeup.upper > 0;
    if separators > 0 && makeup.flips < 3 && !(form == Notation::Quoted && varied) {
        return false;
    }
    let symbols = value.iter().filter(|byte| b"!@#$%^&*+~?=".contains(byte)).count();
    let syntax = makeup.symbols - symbols.min(makeup.symbols);
    match form {
        Notation::Quoted => {
            let mixed = makeup.digits > 0
                && separators * 8 <= value.len()
                && (value.len() >= 8 || makeup.digits > 1)
                && syntax == 0;
            let marked =
                telling && syntax <= 1 && value.len() >= 8 && !value.starts_with(b"@") && makeup.letters() >= 4;
            mixed || marked
        }
        Notation::Listed => value.len() >= 8 && makeup.digits > 0 && symbols > 0 && syntax == 0,
        Notation::Literal => value.len() >= 8 && makeup.digits > 0 && syntax == 0 && separators * 8 <= value.len(),
        Notation::Bare | Notation::Spaced => {
            value.len() >= 8 && makeup.digits > 0 && symbols > 0 && syntax == 0 && separators == 0
        }
    }
}

/// Returns true for letters mixed with many different symbols that are not a pattern, format or markup.
fn is_symbol_mix(value: &[u8]) -> bool {
    let mut kinds: Vec<u8> = value.iter().copied().filter(u8::is_ascii_punctuation).collect();
    kinds.sort_unstable();
    kinds.dedup();
    value.len() >= 12
        && kinds.len() >= 6
        && ![
            "\\", "(?", "[^", "a-z", "0-9", "/>", "</", "://", "()", "{}", "=\"", "),", ");", "=(", "){", "=>", "&&",
            "||",
        ]
        .iter()
        .any(|sign| contains(value, sign.as_bytes()))
}

/// Returns true for paths, URLs, mail addresses, host names and media types.
fn is_locator(value: &[u8]) -> bool {
    let rooted = ["/var/", "/usr/", "/etc/", "/home/", "/tmp/", "/opt/", "/root/", "/mnt/", "/proc/", "/sys/", "/dev/"];
    if rooted.iter().any(|root| value.starts_with(root.as_bytes())) {
        return true;
    }
    if contains(value, b"://") || value.starts_with(b"/") && value[1..].contains(&b'/') && !looks_random(value) {
        return true;
    }
    if value.starts_with(b"./") || value.starts_with(b"../") || value.starts_with(b"~/") || value.starts_with(b"arn:") {
        return true;
    }
    // `owner/action@commit` is a version.
    if let Some(at) = value.iter().position(|byte| *byte == b'@')
        && value[..at].contains(&b'/')
        && matches!(value.len() - at, 41)
        && value[at + 1..].iter().all(u8::is_ascii_hexdigit)
    {
        return true;
    }
    LOCATOR_ENDS.iter().any(|ending| {
        value.len() > ending.len() && value[value.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
    })
}

/// Returns true for digests and public keys with a known prefix, and names of algorithms.
fn is_type_or_digest(value: &[u8]) -> bool {
    PUBLIC_PREFIXES.iter().any(|prefix| value.starts_with(prefix.as_bytes())) || contains(value, b"@sha256:")
}

/// Returns true for type names such as `OAuth2AuthenticationToken`: a capital first, mostly long words.
fn is_type_name(value: &[u8]) -> bool {
    let lower = value.split(|byte| !byte.is_ascii_lowercase()).map(<[u8]>::len);
    let (longest, in_words) =
        lower.fold((0, 0), |(longest, sum), run| (run.max(longest), sum + if run > 2 { run } else { 0 }));
    value[0].is_ascii_uppercase()
        && value.iter().all(u8::is_ascii_alphanumeric)
        && longest >= 8
        && in_words * 5 >= value.len() * 3
}

/// Returns true for code: calls, indexing, paths of names.
fn is_code(value: &[u8]) -> bool {
    if value.iter().any(|byte| b"(){}[]<>\"'`;|&".contains(byte))
        || contains(value, b"->")
        || contains(value, b"::")
        || contains(value, b"=>")
    {
        return true;
    }
    // `OLD_API_KEY2` is a constant.
    if value.contains(&b'_')
        && value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
    {
        return true;
    }
    // `self.settings.key2` is a path of names; `s.ZC9Ecf4M5g9o34` is not, because its last part is not a name.
    let dotted = value.contains(&b'.');
    let parts_are_names = value.split(|byte| *byte == b'.').all(|part| {
        let makeup = CharCounts::of(part);
        !part.is_empty()
            && (part[0].is_ascii_alphabetic() || part[0] == b'_')
            && makeup.flips <= 2
            && makeup.symbols == 0
    });
    dotted && parts_are_names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_fillers_are_placeholders() {
        for value in [
            "${TOKEN}",
            "$TOKEN",
            "{{ .Values.x }}",
            "%TOKEN%",
            "<your-token>",
            "<ask/the#team>",
            "[ask/the#team]",
            "[PASSWORD]",
            "xxxxxxxxxxxx",
            "changeme",
            "your_token_1",
            "%(pass)s",
            "#{token}",
            "abcdefghijklmnop",
            "***********",
            "prefix-${VAR}-9a8b7c6d5e",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        assert!(!is_placeholder(b"q8Zr2LmT5vXc7Bn4"));
    }

    #[test]
    fn human_passwords_need_more_than_letters() {
        let accept = |value: &str| is_secret(value.as_bytes(), Strength::Password, Notation::Quoted);
        assert!(accept("hunt3rs!moon"));
        assert!(accept("s3cur3K3y2024"));
        assert!(accept("Tr0ub4dor&3"));
        assert!(accept("Mo0n_rise!"), "a name has no such sign");
        for word in [
            "password", "incorrect horse", "get_password", "testpass1", "Password1", "path/to/thing", "abc", "a@b.com",
            "new_value",
        ] {
            assert!(!accept(word), "{word}");
        }
    }

    #[test]
    fn unquoted_code_is_not_redacted() {
        for code in
            ["settings.API_KEY", "get_token()", "tokens[0]", "self.key2", "request.headers.authorization", "Token::new"]
        {
            assert!(!is_secret(code.as_bytes(), Strength::Token, Notation::Bare), "{code}");
        }
        assert!(is_secret(b"s.ZC9Ecf4M5g9o34Q6RkzGsj0z", Strength::Token, Notation::Bare));
    }
}
