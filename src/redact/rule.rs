//! Rules from the data file; patterns are compiled when a keyword is first found.

use std::sync::{Arc, OnceLock};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::address::is_specimen;
use super::entropy::{CharCounts, shannon};
use super::value::{Notation, is_filler, is_placeholder, is_secret};
use super::words::Strength;
use super::{bare, decode};
use crate::error::{Error, Result};

/// The data file: rules, and provider names for the assignment matcher.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    #[serde(default)]
    pub rules: Vec<RuleText>,
    #[serde(default)]
    pub providers: Vec<String>,
    /// Example values from providers' public documentation.
    #[serde(default)]
    pub known: Vec<String>,
}

/// A rule in the data file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleText {
    pub id: String,
    /// Description.
    #[serde(default)]
    pub about: String,
    /// Keywords, ignoring case. One of them must be near the secret. Without keywords, the whole text is searched.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Pattern, which starts at the keyword unless `before` is set. The secret is the first group that matched, else
    /// the whole match.
    pub regex: String,
    /// Maximum distance from the start of the match to the keyword.
    #[serde(default)]
    pub before: usize,
    /// Maximum distance from the keyword to the end of the match.
    #[serde(default = "default_reach")]
    pub reach: usize,
    /// Minimum entropy of the secret in bits per byte.
    #[serde(default)]
    pub entropy: f64,
    /// True if the secret may be part of a longer word.
    #[serde(default)]
    pub inside: bool,
    /// True to search only long random words; for rules without keywords.
    #[serde(default)]
    pub long_words: bool,
    /// True to ignore values with placeholder words (`example`, `your_…`).
    #[serde(default)]
    pub words: bool,
    /// Additional check of the secret.
    #[serde(default)]
    pub judge: ValueCheck,
    /// Patterns of values to ignore.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Patterns of lines to ignore.
    #[serde(default)]
    pub allow_line: Vec<String>,
    /// Patterns of file names the rule is limited to.
    #[serde(default)]
    pub paths: Vec<String>,
}

impl RuleText {
    /// Returns true if the pattern starts at the keyword.
    pub(super) fn anchored(&self) -> bool {
        self.before == 0 && !self.keywords.is_empty()
    }
}

/// Additional check for rules whose pattern also matches other text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ValueCheck {
    /// No additional check.
    #[default]
    Nothing,
    /// The assignment matcher's check for passwords.
    Password,
    /// The assignment matcher's check for tokens.
    Token,
    /// Base64 of text with a colon: user and password.
    Base64,
    /// Random lower case, upper case and digits.
    Mixed,
    /// A path with a random component.
    Segment,
}

impl ValueCheck {
    fn accepts(self, secret: &[u8]) -> bool {
        match self {
            Self::Nothing => true,
            Self::Password => is_secret(secret, Strength::Password, Notation::Quoted),
            Self::Token => is_secret(secret, Strength::Token, Notation::Quoted),
            Self::Base64 => {
                let plain = decode::base64(secret);
                let colon = plain.iter().position(|byte| *byte == b':');
                let password = colon.map(|colon| &plain[colon + 1..]).unwrap_or_default();
                !password.is_empty()
                    && !is_specimen(password)
                    && plain.iter().all(|byte| (0x20..0x7F).contains(byte) || *byte >= 0x80)
            }
            Self::Mixed => bare::is_mixed(secret) && !is_placeholder(secret),
            Self::Segment => bare::has_random_segment(secret),
        }
    }
}

fn default_reach() -> usize {
    512
}

/// A rule with its lazily compiled patterns.
#[derive(Debug)]
pub(super) struct Rule {
    pub id: Arc<str>,
    pub text: RuleText,
    exact_case: bool,
    compiled: OnceLock<Option<CompiledRule>>,
}

#[derive(Debug)]
struct CompiledRule {
    pattern: Regex,
    allow: Vec<Regex>,
    allow_line: Vec<Regex>,
    paths: Option<GlobSet>,
}

impl Rule {
    pub(super) fn new(text: RuleText) -> Self {
        Self {
            id: Arc::from(text.id.as_str()),
            exact_case: !text.regex.contains("(?i"),
            text,
            compiled: OnceLock::new(),
        }
    }

    /// Compiles the rule now, to report errors.
    pub(super) fn check(&self) -> Result<()> {
        if self.id.is_empty()
            || !self.id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        {
            return Err(Error::input(
                format!("invalid secret rule id `{}`", self.id),
                "use letters, digits, `-`, `_` and `.`",
            ));
        }
        if self.text.keywords.iter().any(|keyword| keyword.len() < 2) {
            return Err(Error::input(
                format!("the secret rule `{}` has a keyword with fewer than two letters", self.id),
                "use longer keywords",
            ));
        }
        compile(&self.text).map(|_| ()).map_err(|why| {
            Error::input(
                format!("the secret rule `{}` does not compile: {why}", self.id),
                "fix its regex, allow or paths",
            )
        })
    }

    fn compiled(&self) -> Option<&CompiledRule> {
        self.compiled.get_or_init(|| compile(&self.text).ok()).as_ref()
    }

    /// Returns true if the rule applies to files with this name.
    pub(super) fn covers(&self, path: &str) -> bool {
        if self.text.paths.is_empty() {
            return true;
        }
        self.compiled().is_some_and(|compiled| compiled.paths.as_ref().is_none_or(|paths| paths.is_match(path)))
    }

    /// The match that starts at the keyword `at..end`: its secret, if it passes the checks, and its end.
    pub(super) fn match_at(&self, text: &[u8], at: usize, end: usize) -> Option<(Option<(usize, usize)>, usize)> {
        if !self.text.inside && !starts_word(text, at) {
            return None;
        }
        // The prefilter ignores case, but most patterns do not, so checking the case first saves time.
        if self.exact_case && !self.text.keywords.iter().any(|keyword| keyword.as_bytes() == &text[at..end]) {
            return None;
        }
        let compiled = self.compiled()?;
        let window = &text[at..text.len().min(at + self.text.reach)];
        let (start, end) = spans(&compiled.pattern, window, 0)?;
        let secret = self.judge(compiled, text, at + start, at + end);
        Some((secret, secret.map_or(at + end, |secret| secret.1)))
    }

    /// All secrets in `from..to`.
    pub(super) fn matches_in(&self, text: &[u8], from: usize, to: usize, mut found: impl FnMut(usize, usize)) {
        let Some(compiled) = self.compiled() else { return };
        let window = &text[from..to];
        let mut at = 0;
        while at <= window.len() {
            let Some((start, end)) = spans(&compiled.pattern, window, at) else { return };
            if (self.text.inside || starts_word(text, from + start))
                && let Some((start, end)) = self.judge(compiled, text, from + start, from + end)
            {
                found(start, end);
            }
            at = end.max(at + 1);
        }
    }

    fn judge(&self, compiled: &CompiledRule, text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
        let mut end = end;
        if end - start + 8 >= self.text.reach {
            // The window truncated the match; include the rest of the token.
            while end < text.len() && (text[end].is_ascii_alphanumeric() || b"+/=_.-".contains(&text[end])) {
                end += 1;
            }
        } else if !self.text.inside && !ends_word(text, end) {
            return None;
        }
        let secret = &text[start..end];
        if end == start || is_filler(secret) || (self.text.entropy > 0.0 && shannon(secret) < self.text.entropy) {
            return None;
        }
        if self.text.words && is_placeholder(secret) {
            return None;
        }
        if !self.text.judge.accepts(secret) {
            return None;
        }
        if compiled.allow.iter().any(|allow| allow.is_match(secret)) {
            return None;
        }
        if !compiled.allow_line.is_empty() {
            let line = line_around(text, start, end);
            if compiled.allow_line.iter().any(|allow| allow.is_match(line)) {
                return None;
            }
        }
        Some((start, end))
    }
}

/// The line containing the span, at most 500 bytes on either side.
fn line_around(text: &[u8], start: usize, end: usize) -> &[u8] {
    let low = start.saturating_sub(500);
    let high = text.len().min(end + 500);
    let from = text[low..start].iter().rposition(|byte| *byte == b'\n').map_or(low, |at| low + at + 1);
    let to = text[end..high].iter().position(|byte| *byte == b'\n').map_or(high, |at| end + at);
    &text[from..to]
}

/// Returns true if a word starts here, rather than the middle of another.
fn starts_word(text: &[u8], at: usize) -> bool {
    match at.checked_sub(1).map(|before| text[before]) {
        Some(byte) if byte.is_ascii_alphanumeric() => {
            // Escapes such as `\n`, `\t`, `%3D` end a word.
            (at >= 2 && text[at - 2] == b'\\' && matches!(byte, b'n' | b't' | b'r'))
                || (at >= 3 && text[at - 3] == b'%' && text[at - 2].is_ascii_hexdigit() && byte.is_ascii_hexdigit())
        }
        Some(b'+' | b'/') => !inside_data(&text[..at]),
        Some(b'_') => !at.checked_sub(2).is_some_and(|before| text[before].is_ascii_alphanumeric()),
        _ => true,
    }
}

/// Returns true if the text ends with a long run of base64, of which the match would be a part.
fn inside_data(before: &[u8]) -> bool {
    let data = before.iter().rev().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte));
    let makeup = CharCounts::of(&data.copied().collect::<Vec<u8>>());
    makeup.digits > 2 && makeup.lower > 4 && makeup.upper > 4 && makeup.digits + makeup.letters() >= 40
}

/// Returns true if the word ends here; part of a longer word is not a token.
fn ends_word(text: &[u8], at: usize) -> bool {
    match (at.checked_sub(1).map(|before| text[before]), text.get(at)) {
        (Some(last), Some(next)) if last.is_ascii_alphanumeric() || last == b'_' => {
            !(next.is_ascii_alphanumeric() || *next == b'_')
        }
        _ => true,
    }
}

/// Span of the secret in the next match from `at` on.
fn spans(pattern: &Regex, window: &[u8], at: usize) -> Option<(usize, usize)> {
    if pattern.captures_len() == 1 {
        return pattern.find_at(window, at).map(|found| (found.start(), found.end()));
    }
    let groups = pattern.captures_at(window, at)?;
    let secret = groups.iter().skip(1).flatten().next().or_else(|| groups.get(0))?;
    Some((secret.start(), secret.end()))
}

fn compile(text: &RuleText) -> std::result::Result<CompiledRule, String> {
    let source = if text.anchored() { format!(r"\A(?:{})", text.regex) } else { text.regex.clone() };
    let list = |sources: &[String]| {
        sources.iter().map(|source| bytes_regex(source)).collect::<std::result::Result<Vec<_>, _>>()
    };
    let paths = if text.paths.is_empty() {
        None
    } else {
        let mut set = GlobSetBuilder::new();
        for path in &text.paths {
            let glob = if path.contains('/') { path.clone() } else { format!("**/{path}") };
            set.add(GlobBuilder::new(&glob).case_insensitive(true).build().map_err(|why| why.to_string())?);
        }
        Some(set.build().map_err(|why| why.to_string())?)
    };
    Ok(CompiledRule {
        pattern: bytes_regex(&source)?,
        allow: list(&text.allow)?,
        allow_line: list(&text.allow_line)?,
        paths,
    })
}

fn bytes_regex(source: &str) -> std::result::Result<Regex, String> {
    RegexBuilder::new(source).unicode(false).size_limit(4 << 20).build().map_err(|why| why.to_string())
}
