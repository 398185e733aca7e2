//! Finds secrets and takes them out: `[REDACTED:rule]` stands in the place of each.
//!
//! One pass over the text for all keywords wakes three kinds of matchers: rules for tokens whose format a provider has published
//! (`assets/secret-rules.yaml`), a general one for a telling name beside a value, and those for key blocks and addresses.

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
mod words;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::text::hex;
pub use allowed::Allowed;
use decode::Decoded;
pub use policy::Policy;
use prefilter::{Prefilter, Wakes};
use rule::{Rule, RuleFile};
use scan::Span;

/// What the place of a secret begins with; the rule's name and `]` follow.
pub const MARKER: &str = "[REDACTED:";

/// `assets/secret-rules.yaml`, as `src/build.rs` writes it down.
const BUILTIN_RULES: &str = include_str!(concat!(env!("OUT_DIR"), "/secret-rules.json"));

/// One secret: where it stands, and what says so. Never its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: Arc<str>,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Its line, from 1.
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
    /// Rules that are tried on long random words.
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
                rule.text.keywords.iter().map(move |keyword| (keyword.clone(), Wakes::Rule(index)))
            })
            .chain(vocabulary::NAME_KEYWORDS.iter().map(|keyword| ((*keyword).to_owned(), Wakes::Name)))
            .chain(providers.iter().map(|provider| (provider.clone(), Wakes::Name)))
            .chain(["-----BEGIN", "LS0tLS1CRUdJTi"].map(|keyword| (keyword.to_owned(), Wakes::Pem)))
            .chain([("://".to_owned(), Wakes::Address)])
            .collect::<Vec<_>>();
        let prefilter = Prefilter::new(keywords);
        Self { rules, keywordless, words, prefilter, providers, known, ..Self::default() }
    }

    fn is_provider(&self, word: &str) -> bool {
        self.providers.contains(word)
    }
}

impl Redactor {
    /// The built-in rules, and those of `user_rules`: YAML text of the same form as `assets/secret-rules.yaml`.
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

    /// Makes what the first long text would wait for.
    pub fn prepare(&self) {
        let _ = self.engine.prefilter.prepare();
    }

    /// The built-in rules alone, made once.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Redactor> = OnceLock::new();
        BUILTIN.get_or_init(|| Self::new(None).unwrap_or_else(|_| Self::general()))
    }

    /// What tells these rules from those of another version: what they passed once need not be looked at again.
    pub fn builtin_edition() -> String {
        let hash = Sha256::digest(BUILTIN_RULES.as_bytes());
        format!("{} {}", env!("CARGO_PKG_VERSION"), &hex(&hash)[..16])
    }

    /// The general matchers without any rule: what catches kinds that no rule knows.
    pub fn general() -> Self {
        Self { engine: Arc::new(Engine::new(Vec::new())) }
    }

    /// The built-in rules without those, and without the provider names, that hold one of these words: how the rest fares on a kind
    /// that nobody wrote a rule for. For measuring.
    pub fn without(words: &[String]) -> Result<Self> {
        let mut file = builtin()?;
        let tells = |text: &str| words.iter().any(|word| text.to_ascii_lowercase().contains(word.as_str()));
        file.rules
            .retain(|rule| !tells(&rule.id) && !tells(&rule.about) && !rule.keywords.iter().any(|key| tells(key)));
        file.providers.retain(|name| !tells(name));
        Ok(Self { engine: Arc::new(Engine::new(vec![file])) })
    }

    /// All secrets in the text: sorted, apart from each other, on character boundaries. `path` helps some rules; it may be empty.
    pub fn find(&self, text: &str, path: &str) -> Vec<Finding> {
        // Files with a byte order mark are decoded where they are read; a task or an answer in UTF-16 without one is text with NULs.
        if text.contains('\0')
            && let Some(decoded) = decode::utf16(text.as_bytes())
        {
            return findings(text.as_bytes(), snapped(text, self.spans_in_original(&decoded, path)));
        }
        findings(text.as_bytes(), self.spans(text, path))
    }

    /// The text with `[REDACTED:rule]` in the place of each secret, and what was found, by its place in the text as it was.
    pub fn redact<'a>(&self, text: &'a str, path: &str) -> (Cow<'a, str>, Vec<Finding>) {
        let mut found = self.find(text, path);
        if found.is_empty() {
            return (Cow::Borrowed(text), found);
        }
        // What a replaced secret leaves behind may bring out another one; look until nothing is left.
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

    /// The names of all rules: the general ones first, then those of the data files.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        let engine = &self.engine;
        engine
            .general
            .iter()
            .chain([&engine.pem, &engine.address])
            .chain(engine.rules.iter().map(|rule| &rule.id))
            .map(AsRef::as_ref)
    }

    /// What a rule finds, in words for people.
    pub fn about(&self, rule: &str) -> Option<&str> {
        let general = match rule {
            "password" => Some("a password or secret beside its name"),
            "token" => Some("a token or key beside its name"),
            "key" => Some("a random value beside a name that tells of a key"),
            "private-key" => Some("a private key block"),
            "url-credentials" => Some("credentials in an address"),
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

    /// The spans of a decoded text, by their places before it was decoded.
    fn spans_in_original(&self, decoded: &Decoded, path: &str) -> Vec<Span> {
        let back = |span: Span| Span { start: decoded.origin[span.start], end: decoded.origin[span.end], ..span };
        self.spans(&decoded.text, path).into_iter().map(back).collect()
    }

    fn known_dropped(&self, text: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
        spans.retain(|span| !self.engine.known.contains(&text[span.start..span.end]));
        spans
    }
}

/// A line for a person, such as an error that repeats what was given, without the secrets in it.
pub fn message(line: &str) -> Cow<'_, str> {
    // Nothing short enough to be missed here is a secret; most messages do not need the rules at all.
    if line.split(char::is_whitespace).all(|word| word.len() < 12) {
        return Cow::Borrowed(line);
    }
    Redactor::builtin().redact(line, "").0
}

fn builtin() -> Result<RuleFile> {
    serde_json::from_str(BUILTIN_RULES)
        .map_err(|why| Error::input(format!("the built-in secret rules are damaged: {why}"), "install teddy again"))
}

fn parse(text: &str) -> Result<RuleFile> {
    serde_yaml::from_str(text).map_err(|why| {
        Error::input(format!("the secret rules are no valid YAML: {why}"), "compare with assets/secret-rules.yaml")
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

/// Sorted, and one where several overlap; a rule that knows the kind gives the name.
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

struct Replaced {
    text: String,
    /// For each secret: where it was, and where its marker is.
    moves: Vec<[usize; 4]>,
}

fn replaced(text: &str, found: &[Finding]) -> Replaced {
    let mut out = Replaced { text: String::with_capacity(text.len()), moves: Vec::with_capacity(found.len()) };
    let mut at = 0;
    for finding in found {
        out.text.push_str(&text[at..finding.start]);
        let start = out.text.len();
        out.text.push_str(MARKER);
        out.text.push_str(&finding.rule);
        out.text.push(']');
        // What stands below keeps its line number.
        for line in text[finding.start..finding.end].split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            out.text.push_str(if line.ends_with("\r\n") { "\r\n" } else { "\n" });
        }
        out.moves.push([finding.start, finding.end, start, out.text.len()]);
        at = finding.end;
    }
    out.text.push_str(&text[at..]);
    out
}

impl Replaced {
    /// Where a span of the replaced text was in the original; a marker counts as the whole secret.
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
