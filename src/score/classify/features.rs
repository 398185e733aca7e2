//! Features of a task's text for the linear models: words, cues, and the structure of the text.
//! `assets/task-type/features.py` computes the same features for training; change both together.

use std::collections::BTreeMap;

use super::cues::lexicon;
use super::shape;
use super::tokens::{Prose, prefix, prose, tokens, without_code};

/// Polite words at the start of a request, which have no other meaning.
const POLITE: &str = " please pls plz hey hi hello can could would will you we let's lets ok so hm just kindly i want to i'd like need \
     bitte kannst du könntest por favor puedes podrías peux tu pouvez vous pourrais s'il te plaît pode você poderia \
     puoi potresti per favore пожалуйста можешь нужно надо proszę czy możesz ";

/// Maximum number of words that count below the first line.
const BODY_WORDS: usize = 250;

/// Pairs of concepts that have a different meaning together.
const PAIRS: [(&str, &str); 43] = [
    ("judge", "change_ref"),
    ("ask", "no_change"),
    ("add", "test"),
    ("fix", "test"),
    ("fix", "docs"),
    ("add", "docs"),
    ("refactor", "same"),
    ("refactor", "docs"),
    ("refactor", "test"),
    ("perf", "since"),
    ("perf", "cache"),
    ("ask", "fix"),
    ("wrong", "since"),
    ("refactor", "scope_all"),
    ("add", "scope_all"),
    ("docs", "scope_all"),
    ("big", "scope_all"),
    ("wrong", "test"),
    ("wrong", "docs"),
    ("add", "same"),
    ("error", "add"),
    ("ask", "docs"),
    ("widget", "test"),
    ("widget", "wrong"),
    ("widget", "docs"),
    ("widget", "refactor"),
    ("widget", "crash"),
    ("widget", "states"),
    ("widget", "ask"),
    ("widget", "judge"),
    ("widget", "error"),
    ("states", "modal"),
    ("ask", "please_do"),
    ("docs", "states"),
    ("test", "states"),
    ("test", "scope_all"),
    ("refactor", "dependency"),
    ("big", "refactor"),
    ("add", "big"),
    ("few", "refactor"),
    ("along", "test"),
    ("along", "add"),
    ("along", "docs"),
];

/// The features of a task's text.
#[derive(Debug, Default)]
pub struct Features {
    /// Values by name.
    pub values: BTreeMap<String, f64>,
    /// The phrases found for each concept, in the order of the text.
    pub cues: BTreeMap<&'static str, Vec<&'static str>>,
    /// Prefix of a conventional commit.
    pub prefix: Option<&'static str>,
}

impl Features {
    /// Computes the features.
    pub fn new(text: &str) -> Self {
        let mut features = Self::default();
        let prose = prose(text);
        let title = prose.lines.first().map_or("", |line| line.trim_start_matches(['#', '*', ' ']).trim());
        let (known, breaking, rest) = prefix(title);
        let mut paths = Vec::new();
        let head = tokens(rest, &mut paths);
        let mut body: Vec<String> = prose.lines.iter().skip(1).flat_map(|line| tokens(line, &mut paths)).collect();
        body.truncate(BODY_WORDS);
        let polite = head.iter().take(head.len().saturating_sub(1)).take_while(|word| is_polite(word)).count();
        features.prefix = known;
        features.put_words(&head, &body, polite);
        if let Some(known) = known {
            features.put(&format!("p:{known}"), 1.0);
        }
        if breaking {
            features.put("p:!", 1.0);
        }
        features.put_cues(&prose, rest, polite);
        features.put_mood(&head);
        shape::put(&mut features, &shape::TextParts { rest, head: &head, body: &body, paths: &paths, prose: &prose });
        features
    }

    /// Sets a feature, unless it has a larger value.
    pub fn put(&mut self, name: &str, value: f64) {
        match self.values.get_mut(name) {
            Some(old) => *old = old.max(value),
            None => drop(self.values.insert(name.to_owned(), value)),
        }
    }

    /// Returns true if a feature is set.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Sets words and pairs of words. Their values are normalized, because otherwise the words of a long text would
    /// outweigh its phrases.
    fn put_words(&mut self, head: &[String], body: &[String], polite: usize) {
        let mut bag: BTreeMap<String, f64> = BTreeMap::new();
        for (part, value) in [(head, 1.0), (body, 0.5)] {
            let pairs = part.windows(2).map(|pair| pair.join(" "));
            for token in part.iter().cloned().chain(pairs) {
                let old = bag.entry(token).or_insert(0.0);
                *old = old.max(value);
            }
        }
        let norm = bag.values().map(|value| value * value).sum::<f64>().sqrt();
        for (token, value) in bag {
            self.put(&token, 2.0 * value / norm);
        }
        if let Some(first) = head.get(polite) {
            self.put(&format!("^{first}"), 1.0);
            if let Some(second) = head.get(polite + 1) {
                self.put(&format!("^{first} {second}"), 1.0);
            }
        }
        if let Some(last) = head.last() {
            self.put(&format!("${last}"), 1.0);
        }
    }

    /// Sets the concepts of the text, marked by their position: in the first line (`@`), at its start (`@^`), at the
    /// start of a later sentence (`@;`), in several places (`@2`), or below the first line (`@_`).
    fn put_cues(&mut self, prose: &Prose<'_>, rest: &str, polite: usize) {
        let low = without_code(rest);
        let below = prose.lines.iter().skip(1).map(|line| without_code(line)).collect::<Vec<_>>().join(" ");
        let starts = sentence_starts(&low);
        for (concept, phrases) in &lexicon().concepts {
            let mut hits: Vec<(usize, &'static str)> =
                phrases.iter().filter_map(|phrase| Some((phrase.find_in(&low)?, phrase.text))).collect();
            hits.sort_unstable();
            if let Some((first, _)) = hits.first() {
                self.put(&format!("@{concept}"), 1.0);
                if low[..*first].matches(' ').count() <= polite {
                    self.put(&format!("@^{concept}"), 1.0);
                }
                if hits.len() > 1 {
                    self.put(&format!("@2{concept}"), 1.0);
                }
                if hits.iter().any(|(at, _)| starts.contains(at)) {
                    self.put(&format!("@;{concept}"), 1.0);
                }
            }
            let mut found: Vec<&'static str> = hits.iter().map(|(_, text)| *text).collect();
            for phrase in phrases.iter().filter(|phrase| phrase.find_in(&below).is_some()) {
                self.put(&format!("@_{concept}"), 1.0);
                if !found.contains(&phrase.text) {
                    found.push(phrase.text);
                }
            }
            if !found.is_empty() {
                self.cues.insert(concept, found);
            }
        }
        for (a, b) in PAIRS {
            if self.has(&format!("@{a}")) && self.has(&format!("@{b}")) {
                self.put(&format!("@{a}+{b}"), 1.0);
            }
        }
    }

    /// Sets features that distinguish statements, descriptions of behaviour, and mere names.
    fn put_mood(&mut self, head: &[String]) {
        let is_imperative = self.has("@^imperative");
        if self.has("@states") && !is_imperative {
            self.put("#states", 1.0);
            if !self.has("@modal") {
                self.put("#reports", 1.0);
            }
        } else if !is_imperative && !self.has("@modal") && !head.iter().any(|token| token == "?") {
            self.put("#names", 1.0);
        }
    }
}

fn is_polite(word: &str) -> bool {
    POLITE.contains(&format!(" {word} "))
}

/// Byte offsets of sentences after the first one, without polite words.
fn sentence_starts(low: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    for mark in [". ", "; ", "? ", "! ", ": ", ", ", " - "] {
        for (at, _) in low.match_indices(mark) {
            let mut start = at + mark.len();
            while let Some(space) = low[start..].find(' ').filter(|space| is_polite(&low[start..start + space])) {
                start += space + 1;
            }
            starts.push(start);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_record_their_position() {
        let features = Features::new("please fix the parser. Also add a test");
        for name in ["@fix", "@^fix", "@;test", "@add", "^fix", "^fix the", "$test"] {
            assert_eq!(features.has(name), name != "@;test", "{name}");
        }
        assert_eq!(features.cues["fix"], ["fix"]);
    }

    #[test]
    fn statements_are_not_requests() {
        assert!(Features::new("The header covers the last line").has("#reports"));
        assert!(!Features::new("Show the header that covers the last line").has("#reports"));
        assert!(Features::new("Dark theme").has("#names"));
    }
}
