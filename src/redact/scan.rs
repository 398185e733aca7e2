//! One pass over the text: runs the matchers at their keywords and collects matches.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::assign::{BARE_REACH, SHORT_REACH, ScanState};
use super::prefilter::Matcher;
use super::words::Strength;
use super::{Engine, address, assign, bare, pem};

/// A matched span with its rule, before merging.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    pub rule: Arc<str>,
    /// True for a general matcher, which yields to a specific rule.
    pub general: bool,
}

/// Names of files in which unquoted values are literals.
const LITERAL_ENDS: &[&str] = &[
    ".env", ".properties", ".ini", ".cfg", ".conf", ".yml", ".yaml", ".npmrc", ".netrc", ".pgpass", ".pypirc",
    ".envrc", ".credentials", "credentials",
];

pub(super) fn scan(engine: &Engine, text: &[u8], path: &str) -> Vec<Span> {
    let mut pass = TextScan {
        engine,
        text,
        path,
        limits: ScanState { literal: is_literal_file(path), bare_reach: BARE_REACH, judged: 0 },
        covered: vec![None; engine.rules.len()],
        spans: Vec::new(),
        done: vec![0; engine.rules.len()],
        near: BTreeMap::new(),
        name_done: 0,
        pem_done: 0,
    };
    for (start, end, wakes) in engine.prefilter.hits(text) {
        for wake in wakes {
            match *wake {
                Matcher::Rule(index) => pass.rule(index, start, end),
                Matcher::Name => pass.name(start, end),
                Matcher::Pem => pass.pem(start),
                Matcher::Address => pass.address(start),
            }
        }
    }
    pass.near_rules();
    pass.everywhere();
    pass.long_words();
    // White space around a secret is kept.
    for span in &mut pass.spans {
        let secret = &text[span.start..span.end];
        span.start += secret.len() - secret.trim_ascii_start().len();
        span.end -= (secret.len() - secret.trim_ascii_end().len()).min(span.end - span.start);
    }
    pass.spans
}

fn is_literal_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    name.starts_with(".env") || LITERAL_ENDS.iter().any(|end| name.ends_with(end))
}

struct TextScan<'a> {
    engine: &'a Engine,
    text: &'a [u8],
    path: &'a str,
    limits: ScanState,
    /// For each rule, true if it applies to this path.
    covered: Vec<Option<bool>>,
    spans: Vec<Span>,
    /// For each anchored rule, the end of its last match, so that no byte is matched twice.
    done: Vec<usize>,
    /// Windows around keywords, merged where they overlap.
    near: BTreeMap<usize, Vec<(usize, usize)>>,
    name_done: usize,
    pem_done: usize,
}

impl TextScan<'_> {
    fn rule(&mut self, index: usize, start: usize, end: usize) {
        let rule = &self.engine.rules[index];
        if !rule.text.anchored() {
            let (from, to) = (start.saturating_sub(rule.text.before), self.text.len().min(end + rule.text.reach));
            let windows = self.near.entry(index).or_default();
            match windows.last_mut() {
                Some(last) if last.1 >= from => last.1 = to,
                _ => windows.push((from, to)),
            }
            return;
        }
        if start < self.done[index] || !self.covers(index) {
            return;
        }
        if let Some((secret, matched)) = rule.match_at(self.text, start, end) {
            // A rejected match is not searched again.
            self.done[index] = matched;
            if let Some((from, to)) = secret {
                self.push(from, to, &rule.id, false);
            }
        }
    }

    fn covers(&mut self, index: usize) -> bool {
        let (rule, path) = (&self.engine.rules[index], self.path);
        *self.covered[index].get_or_insert_with(|| rule.covers(path))
    }

    fn near_rules(&mut self) {
        for (index, windows) in std::mem::take(&mut self.near) {
            for (from, to) in windows {
                self.search(index, from, to, false);
            }
        }
    }

    /// Runs rules without keywords on the whole text.
    fn everywhere(&mut self) {
        for &index in &self.engine.keywordless {
            self.search(index, 0, self.text.len(), false);
        }
    }

    /// Runs word rules on possible tokens.
    fn long_words(&mut self) {
        if self.engine.words.is_empty() {
            return;
        }
        for (from, to) in bare::words(self.text) {
            if bare::may_hold_token(self.text, from, to) {
                for &index in &self.engine.words {
                    self.search(index, from, to, true);
                }
            }
        }
    }

    /// Collects all matches of a rule in a part of the text.
    fn search(&mut self, index: usize, from: usize, to: usize, general: bool) {
        if !self.covers(index) {
            return;
        }
        let (rule, text) = (&self.engine.rules[index], self.text);
        rule.matches_in(text, from, to, |start, end| self.push(start, end, &rule.id, general));
    }

    fn name(&mut self, start: usize, end: usize) {
        if end <= self.name_done {
            return;
        }
        let Some((from, to)) = assign::name_around(self.text, start, end) else { return };
        self.name_done = to;
        if inside_marker(self.text, from) {
            return;
        }
        let found = {
            let engine = self.engine;
            assign::find(self.text, from, to, &mut self.limits, |word| engine.is_provider(word))
        };
        if self.limits.judged > 4 * self.text.len() + 4096 {
            self.limits.bare_reach = SHORT_REACH;
        }
        if let Some(found) = found {
            let rule = &self.engine.general[match found.strength {
                Strength::Password => 0,
                Strength::Token => 1,
                Strength::Weak | Strength::Provider => 2,
            }];
            self.push(found.start, found.end, rule, true);
        }
    }

    fn pem(&mut self, start: usize) {
        if start < self.pem_done {
            return;
        }
        let found =
            if self.text[start] == b'-' { pem::find(self.text, start) } else { pem::find_wrapped(self.text, start) };
        if let Some((from, to)) = found {
            self.pem_done = to;
            self.push(from, to, &self.engine.pem, false);
        }
    }

    fn address(&mut self, start: usize) {
        if let Some((from, to)) = address::find(self.text, start) {
            self.push(from, to, &self.engine.address, false);
        }
    }

    fn push(&mut self, start: usize, end: usize, rule: &Arc<str>, general: bool) {
        self.spans.push(Span { start, end, rule: Arc::clone(rule), general });
    }
}

/// Returns true if the name is part of an existing `[REDACTED:rule]`.
fn inside_marker(text: &[u8], from: usize) -> bool {
    text[..from].ends_with(super::MARKER.as_bytes())
}
