//! A rule from the data file, its patterns compiled when the first keyword of it is met.

use std::sync::{Arc, OnceLock};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::address::is_specimen;
use super::entropy::{Makeup, shannon};
use super::value::{Form, is_filler, is_placeholder, is_secret};
use super::words::Strength;
use super::{bare, decode};
use crate::error::{Error, Result};

/// The data file: rules, and names of providers for the general matcher.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    #[serde(default)]
    pub rules: Vec<RuleText>,
    #[serde(default)]
    pub providers: Vec<String>,
    /// Values that their provider prints in public documentation and that therefore protect nothing.
    #[serde(default)]
    pub known: Vec<String>,
}

/// A rule as it is written down.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleText {
    pub id: String,
    /// What it finds, for people.
    #[serde(default)]
    pub about: String,
    /// Any of these must stand near the secret; letter case does not matter. Without any, the whole text is searched.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The pattern; the first of its groups that matched is the secret, or all of it. It starts at the keyword, unless `before` is set.
    pub regex: String,
    /// How far before the keyword the pattern may start.
    #[serde(default)]
    pub before: usize,
    /// How far after the keyword it may reach.
    #[serde(default = "default_reach")]
    pub reach: usize,
    /// Least entropy of the secret, in bits a byte.
    #[serde(default)]
    pub entropy: f64,
    /// The secret may be part of a longer word.
    #[serde(default)]
    pub inside: bool,
    /// Without keywords: only long words that look drawn at random are searched.
    #[serde(default)]
    pub long_words: bool,
    /// Placeholder words (`example`, `your_…`) in the secret make it none.
    #[serde(default)]
    pub words: bool,
    /// What the secret must look like besides.
    #[serde(default)]
    pub judge: Judge,
    /// Patterns of secrets that are none.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Patterns of lines on which nothing is one.
    #[serde(default)]
    pub allow_line: Vec<String>,
    /// Only in files whose name matches one of these.
    #[serde(default)]
    pub paths: Vec<String>,
}

impl RuleText {
    /// Whether the pattern starts at the keyword.
    pub(super) fn anchored(&self) -> bool {
        self.before == 0 && !self.keywords.is_empty()
    }
}

/// A further look at the secret of a rule whose pattern alone says too little.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Judge {
    /// The pattern is enough.
    #[default]
    Nothing,
    /// As the general matcher judges a password.
    Password,
    /// As the general matcher judges a token.
    Token,
    /// Base64 of text with a colon: user and password.
    Base64,
    /// Lower case, upper case and digits, drawn at random.
    Mixed,
    /// A path with a random part.
    Segment,
}

impl Judge {
    fn accepts(self, secret: &[u8]) -> bool {
        match self {
            Self::Nothing => true,
            Self::Password => is_secret(secret, Strength::Password, Form::Quoted),
            Self::Token => is_secret(secret, Strength::Token, Form::Quoted),
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

/// A rule ready to run.
#[derive(Debug)]
pub(super) struct Rule {
    pub id: Arc<str>,
    pub text: RuleText,
    exact_case: bool,
    compiled: OnceLock<Option<Compiled>>,
}

#[derive(Debug)]
struct Compiled {
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

    /// Compiles the rule now, to say what is wrong with it.
    pub(super) fn check(&self) -> Result<()> {
        if self.id.is_empty()
            || !self.id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        {
            return Err(Error::input(
                format!("the secret rule id `{}` is not a plain name", self.id),
                "use letters, digits, `-`, `_` and `.`",
            ));
        }
        if self.text.keywords.iter().any(|keyword| keyword.len() < 2) {
            return Err(Error::input(
                format!("the secret rule `{}` has a keyword of less than two letters", self.id),
                "use longer keywords",
            ));
        }
        compile(&self.text).map(|_| ()).map_err(|why| {
            Error::input(
                format!("the secret rule `{}` does not compile: {why}", self.id),
                "mend its regex, allow or paths",
            )
        })
    }

    fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| compile(&self.text).ok()).as_ref()
    }

    /// Whether the rule looks at files of this name at all.
    pub(super) fn covers(&self, path: &str) -> bool {
        if self.text.paths.is_empty() {
            return true;
        }
        self.compiled().is_some_and(|compiled| compiled.paths.as_ref().is_none_or(|paths| paths.is_match(path)))
    }

    /// The match that starts at the keyword `at..end`: its secret, if it is judged to be one, and where it ends.
    pub(super) fn match_at(&self, text: &[u8], at: usize, end: usize) -> Option<(Option<(usize, usize)>, usize)> {
        if !self.text.inside && !starts_word(text, at) {
            return None;
        }
        // The prefilter does not mind letter case, most patterns do; this is cheaper than to ask them.
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

    fn judge(&self, compiled: &Compiled, text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
        let mut end = end;
        if end - start + 8 >= self.text.reach {
            // The window cut the match; the rest of the token goes with it.
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

/// The line that holds the span, cut at 500 bytes on either side.
fn line_around(text: &[u8], start: usize, end: usize) -> &[u8] {
    let low = start.saturating_sub(500);
    let high = text.len().min(end + 500);
    let from = text[low..start].iter().rposition(|byte| *byte == b'\n').map_or(low, |at| low + at + 1);
    let to = text[end..high].iter().position(|byte| *byte == b'\n').map_or(high, |at| end + at);
    &text[from..to]
}

/// Whether a word may start here, or the match is the end of another.
fn starts_word(text: &[u8], at: usize) -> bool {
    match at.checked_sub(1).map(|before| text[before]) {
        Some(byte) if byte.is_ascii_alphanumeric() => {
            // `\n`, `\t`, `%3D` and the like end a word though they look like one.
            (at >= 2 && text[at - 2] == b'\\' && matches!(byte, b'n' | b't' | b'r'))
                || (at >= 3 && text[at - 3] == b'%' && text[at - 2].is_ascii_hexdigit() && byte.is_ascii_hexdigit())
        }
        Some(b'+' | b'/') => !inside_data(&text[..at]),
        Some(b'_') => !at.checked_sub(2).is_some_and(|before| text[before].is_ascii_alphanumeric()),
        _ => true,
    }
}

/// Whether the text ends with a long stretch of base64: what follows goes on with it, whatever it looks like.
fn inside_data(before: &[u8]) -> bool {
    let data = before.iter().rev().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte));
    let makeup = Makeup::of(&data.copied().collect::<Vec<u8>>());
    makeup.digits > 2 && makeup.lower > 4 && makeup.upper > 4 && makeup.digits + makeup.letters() >= 40
}

/// Whether the word ends here: what is cut out of a longer one is no token.
fn ends_word(text: &[u8], at: usize) -> bool {
    match (at.checked_sub(1).map(|before| text[before]), text.get(at)) {
        (Some(last), Some(next)) if last.is_ascii_alphanumeric() || last == b'_' => {
            !(next.is_ascii_alphanumeric() || *next == b'_')
        }
        _ => true,
    }
}

/// Where the next match from `at` on has its secret.
fn spans(pattern: &Regex, window: &[u8], at: usize) -> Option<(usize, usize)> {
    if pattern.captures_len() == 1 {
        return pattern.find_at(window, at).map(|found| (found.start(), found.end()));
    }
    let groups = pattern.captures_at(window, at)?;
    let secret = groups.iter().skip(1).flatten().next().or_else(|| groups.get(0))?;
    Some((secret.start(), secret.end()))
}

fn compile(text: &RuleText) -> std::result::Result<Compiled, String> {
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
    Ok(Compiled {
        pattern: bytes_regex(&source)?,
        allow: list(&text.allow)?,
        allow_line: list(&text.allow_line)?,
        paths,
    })
}

fn bytes_regex(source: &str) -> std::result::Result<Regex, String> {
    RegexBuilder::new(source).unicode(false).size_limit(4 << 20).build().map_err(|why| why.to_string())
}
