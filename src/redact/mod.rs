//! Finds secrets and replaces each with `[REDACTED:rule]`.
//!
//! One pass over the text finds all keywords and starts the matchers: rules for tokens with a known format
//! (`assets/secret-rules.yaml`), the assignment matcher for names and values, and matchers for key blocks and URLs.

mod address;
mod allowed;
mod assign;
mod bare;
mod decode;
mod entropy;
mod operator;
mod pem;
mod policy;
mod prefilter;
mod rule;
mod scan;
mod value;
mod vocabulary;
mod word_password;
mod words;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::text::hex;
pub use allowed::AllowedValues;
use decode::Utf16Text;
pub use policy::Policy;
use prefilter::{Matcher, Prefilter};
use rule::{Rule, RuleFile};
use scan::Span;

/// Start of the marker that replaces a secret; the rule's name and `]` follow.
pub const MARKER: &str = "[REDACTED:";

/// `assets/secret-rules.yaml` as JSON, written by `src/build.rs`.
const BUILTIN_RULES: &str = include_str!(concat!(env!("OUT_DIR"), "/secret-rules.json"));

/// Location and rule of a secret; never its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Rule that matched.
    pub rule: Arc<str>,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// 1-based line number.
    pub line: u32,
}

/// Finds and replaces secrets. Cheap to clone and to share between threads.
#[derive(Debug, Clone)]
pub struct Redactor {
    engine: Arc<Engine>,
}

#[derive(Debug)]
pub(crate) struct Engine {
    rules: Vec<Rule>,
    keywordless: Vec<usize>,
    /// Rules for long random words.
    words: Vec<usize>,
    prefilter: Prefilter,
    providers: HashSet<String>,
    known: HashSet<Vec<u8>>,
    general: [Arc<str>; 3],
    pem: Arc<str>,
    address: Arc<str>,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            rules: Vec::new(),
            keywordless: Vec::new(),
            words: Vec::new(),
            prefilter: Prefilter::default(),
            providers: HashSet::new(),
            known: HashSet::new(),
            general: ["password", "token", "key"].map(Arc::from),
            pem: Arc::from("private-key"),
            address: Arc::from("url-credentials"),
        }
    }
}

impl Engine {
    fn new(files: Vec<RuleFile>) -> Self {
        let mut rules = Vec::new();
        let (mut providers, mut known) = (HashSet::new(), HashSet::new());
        for file in files {
            rules.extend(file.rules.into_iter().map(Rule::new));
            providers.extend(file.providers.into_iter().map(|name| name.to_ascii_lowercase()));
            known.extend(file.known.into_iter().map(String::into_bytes));
        }
        let (words, keywordless) = (0..rules.len())
            .filter(|&index| rules[index].text.keywords.is_empty())
            .partition(|&index| rules[index].text.long_words);
        let keywords = rules
            .iter()
            .enumerate()
            .flat_map(|(index, rule)| {
                rule.text.keywords.iter().map(move |keyword| (keyword.clone(), Matcher::Rule(index)))
            })
            .chain(vocabulary::NAME_KEYWORDS.iter().map(|keyword| ((*keyword).to_owned(), Matcher::Name)))
            .chain(providers.iter().map(|provider| (provider.clone(), Matcher::Name)))
            .chain(["-----BEGIN", "LS0tLS1CRUdJTi"].map(|keyword| (keyword.to_owned(), Matcher::Pem)))
            .chain([("://".to_owned(), Matcher::Address)])
            .collect::<Vec<_>>();
        let prefilter = Prefilter::new(keywords);
        Self { rules, keywordless, words, prefilter, providers, known, ..Self::default() }
    }

    fn is_provider(&self, word: &str) -> bool {
        self.providers.contains(word)
    }
}

impl Redactor {
    /// Built-in rules plus `user_rules`, YAML in the format of `assets/secret-rules.yaml`.
    pub fn new(user_rules: Option<&str>) -> Result<Self> {
        let mut files = vec![builtin()?];
        if let Some(text) = user_rules {
            let file = parse(text)?;
            for rule in &file.rules {
                Rule::new(rule.clone()).check()?;
            }
            files.push(file);
        }
        let redactor = Self { engine: Arc::new(Engine::new(files)) };
        if user_rules.is_some() {
            redactor.engine.prefilter.prepare()?;
        }
        Ok(redactor)
    }

    /// Builds the automaton in advance.
    pub fn prepare(&self) {
        let _ = self.engine.prefilter.prepare();
    }

    /// Built-in rules only, created once.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Redactor> = OnceLock::new();
        BUILTIN.get_or_init(|| Self::new(None).unwrap_or_else(|_| Self::general()))
    }

    /// Fingerprint of the rules; a cache key for content known to be clean.
    pub fn builtin_edition() -> String {
        let hash = Sha256::digest(BUILTIN_RULES.as_bytes());
        format!("{} {}", env!("CARGO_PKG_VERSION"), &hex(&hash)[..16])
    }

    /// Only the general matchers, without rules.
    pub fn general() -> Self {
        Self { engine: Arc::new(Engine::new(Vec::new())) }
    }

    /// The built-in rules and provider names, except those that contain one of `words`; used to measure recall on
    /// secrets without a rule.
    pub fn without(words: &[String]) -> Result<Self> {
        let mut file = builtin()?;
        let tells = |text: &str| words.iter().any(|word| text.to_ascii_lowercase().contains(word.as_str()));
        file.rules
            .retain(|rule| !tells(&rule.id) && !tells(&rule.about) && !rule.keywords.iter().any(|key| tells(key)));
        file.providers.retain(|name| !tells(name));
        Ok(Self { engine: Arc::new(Engine::new(vec![file])) })
    }

    /// All secrets in the text, sorted and disjoint, on character boundaries. Some rules use `path`; it may be empty.
    pub fn find(&self, text: &str, path: &str) -> Vec<Finding> {
        // Files with a byte order mark are already decoded; a task or answer in UTF-16 without such a mark contains
        // NULs.
        if text.contains('\0')
            && let Some(decoded) = decode::utf16(text.as_bytes())
        {
            return findings(text.as_bytes(), snapped(text, self.spans_in_original(&decoded, path)));
        }
        findings(text.as_bytes(), self.spans(text, path))
    }

    /// Replaces each secret with `[REDACTED:rule]`; the findings refer to positions in the original text.
    pub fn redact<'a>(&self, text: &'a str, path: &str) -> (Cow<'a, str>, Vec<Finding>) {
        let mut found = self.find(text, path);
        if found.is_empty() {
            return (Cow::Borrowed(text), found);
        }
        // Replacing a secret may expose another one; repeat until none is found.
        for _ in 0..8 {
            let redacted = replaced(text, &found);
            let more = self.find(&redacted.text, path);
            if more.is_empty() {
                return (Cow::Owned(redacted.text), found);
            }
            let spans = found.iter().map(|finding| (finding.start, finding.end, &finding.rule));
            let more = more.iter().map(|finding| {
                let (start, end) = redacted.original(finding.start, finding.end);
                (start, end, &finding.rule)
            });
            let all = spans
                .chain(more)
                .map(|(start, end, rule)| Span { start, end, rule: Arc::clone(rule), general: false })
                .collect();
            found = findings(text.as_bytes(), snapped(text, all));
        }
        (Cow::Owned(replaced(text, &found).text), found)
    }

    /// Names of all rules: the general ones first, then those of the data files.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        let engine = &self.engine;
        engine
            .general
            .iter()
            .chain([&engine.pem, &engine.address])
            .chain(engine.rules.iter().map(|rule| &rule.id))
            .map(AsRef::as_ref)
    }

    /// Description of a rule.
    pub fn about(&self, rule: &str) -> Option<&str> {
        let general = match rule {
            "password" => Some("a value named like a password or secret"),
            "token" => Some("a value named like a token or API key"),
            "key" => Some("a random value named like a key"),
            "private-key" => Some("a private key block"),
            "url-credentials" => Some("credentials in a URL"),
            _ => None,
        };
        general.or_else(|| {
            self.engine.rules.iter().find(|known| &*known.id == rule).map(|known| known.text.about.as_str())
        })
    }

    fn spans(&self, text: &str, path: &str) -> Vec<Span> {
        let spans = scan::scan(&self.engine, text.as_bytes(), path);
        snapped(text, self.known_dropped(text.as_bytes(), spans))
    }

    /// Maps spans of the decoded text to the original.
    fn spans_in_original(&self, decoded: &Utf16Text, path: &str) -> Vec<Span> {
        let back = |span: Span| Span { start: decoded.origin[span.start], end: decoded.origin[span.end], ..span };
        self.spans(&decoded.text, path).into_iter().map(back).collect()
    }

    fn known_dropped(&self, text: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
        spans.retain(|span| !self.engine.known.contains(&text[span.start..span.end]));
        spans
    }
}

/// Redacts one line for display, such as an error that quotes its input.
pub fn message(line: &str) -> Cow<'_, str> {
    // Skips the rules for messages without any long word.
    if line.split(char::is_whitespace).all(|word| word.len() < 12) {
        return Cow::Borrowed(line);
    }
    Redactor::builtin().redact(line, "").0
}

fn builtin() -> Result<RuleFile> {
    serde_json::from_str(BUILTIN_RULES).map_err(|why| {
        Error::input(format!("the built-in secret rules are invalid: {why}"), "internal error; please report this bug")
    })
}

fn parse(text: &str) -> Result<RuleFile> {
    serde_yaml::from_str(text).map_err(|why| {
        Error::input(format!("the secret rules are not valid YAML: {why}"), "compare with assets/secret-rules.yaml")
    })
}

/// Moves spans to character boundaries, sorts and merges them.
fn snapped(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    for span in &mut spans {
        while !text.is_char_boundary(span.start) {
            span.start -= 1;
        }
        while span.end < text.len() && !text.is_char_boundary(span.end) {
            span.end += 1;
        }
    }
    merged(spans)
}

/// Sorts and merges overlapping spans; a specific rule's name takes precedence.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| span.start < span.end);
    spans.sort_by(|one, two| (one.start, two.end).cmp(&(two.start, one.end)));
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                if last.general && !span.general {
                    last.rule = span.rule;
                    last.general = false;
                }
            }
            _ => out.push(span),
        }
    }
    out
}

fn findings(text: &[u8], spans: Vec<Span>) -> Vec<Finding> {
    let (mut line, mut counted) = (1_u32, 0);
    let mut list = Vec::with_capacity(spans.len());
    for span in spans {
        line += (text[counted..span.start].split(|byte| *byte == b'\n').count() - 1) as u32;
        counted = span.start;
        list.push(Finding { rule: span.rule, start: span.start, end: span.end, line });
    }
    list
}

struct RedactedText {
    text: String,
    /// For each secret: its original span and the span of its marker.
    moves: Vec<[usize; 4]>,
}

fn replaced(text: &str, found: &[Finding]) -> RedactedText {
    let mut out = RedactedText { text: String::with_capacity(text.len()), moves: Vec::with_capacity(found.len()) };
    let mut at = 0;
    for finding in found {
        out.text.push_str(&text[at..finding.start]);
        let start = out.text.len();
        out.text.push_str(MARKER);
        out.text.push_str(&finding.rule);
        out.text.push(']');
        // Keeps the line numbers of the text below.
        for line in text[finding.start..finding.end].split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            out.text.push_str(if line.ends_with("\r\n") { "\r\n" } else { "\n" });
        }
        out.moves.push([finding.start, finding.end, start, out.text.len()]);
        at = finding.end;
    }
    out.text.push_str(&text[at..]);
    out
}

impl RedactedText {
    /// Maps a span of the redacted text to the original; a marker maps to the whole secret.
    fn original(&self, start: usize, end: usize) -> (usize, usize) {
        let place = |at: usize, inside: usize| {
            let next = self.moves.partition_point(|step| step[3] <= at);
            match self.moves.get(next) {
                Some(step) if at > step[2] => step[inside],
                _ => next.checked_sub(1).map_or(at, |last| self.moves[last][1] + (at - self.moves[last][3])),
            }
        };
        (place(start, 0), place(end, 1))
    }
}

#[cfg(test)]
mod judged_tests;
#[cfg(test)]
mod measured_tests;
#[cfg(test)]
mod parts_tests;
#[cfg(test)]
mod published_tests;
#[cfg(test)]
mod syntax_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::token as sample_token;
