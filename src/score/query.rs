//! The task's text in the form that evidence uses: weighted terms, words written as code, and adjacent words.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::commit_references::{Reference, references};
use super::outside_frames::foreign_lines;
use super::request_verbs::request_verbs;
use super::subject::Subject;
use super::text_regions::{Region, zones};
use crate::gather::corpus::Corpus;
use crate::gather::terms::{TermId, TermMap, Vocabulary, each_term, hash, spaced, words};

/// Maximum number of terms. More terms, as in a pasted log, would add time and noise but no evidence.
const MOST_TERMS: usize = 400;
/// Maximum number of pairs of adjacent words.
const MOST_PAIRS: usize = 200;
/// Maximum weight that a term can get from code, logs and lists: the weight of three sentences.
const MOST_PASTED: f64 = 3.0;
/// Weight of words that occur in every report.
const DULLNESS: f64 = 0.4;
/// Maximum number of bytes read.
const MOST_BYTES: usize = 200_000;

/// A term of the text.
#[derive(Debug, Clone)]
pub struct Term {
    /// Hash of the term, as in the counts of files.
    pub id: TermId,
    /// The term: part of a word, in lower case and stemmed.
    pub text: String,
    /// The first word that contains it, as written.
    pub spelling: String,
    /// Weight by region, number of occurrences and spelling as code, adjusted to the project.
    pub weight: f64,
    /// Weight in the first line; 0 if the term does not occur there.
    pub title: f64,
    /// True if the term occurs only in the plan.
    pub planned: bool,
}

/// A parsed task.
#[derive(Debug, Default)]
pub struct Query {
    /// Terms, by decreasing weight in the text.
    pub terms: Vec<Term>,
    /// Index of each term in `terms`.
    pub index: TermMap<u16>,
    /// Pairs of adjacent terms, as indices into `terms`.
    pub pairs: Vec<(u16, u16)>,
    /// Identifiers written as code: in backticks, with an inner capital or underscore, or called.
    pub code: HashSet<String>,
    /// Words of the first line and of sentences, as written.
    pub written_words: HashSet<String>,
    /// Names with the class or module that precedes them in the text: `QuerySet.bulk_create`, `Sender::send`.
    pub qualified: BTreeSet<(String, String)>,
    /// Sequences of two to four adjacent words, for names that are written as separate words: `max body length`.
    pub runs: HashSet<Vec<String>>,
    /// Words in lower case that occur only in the plan.
    pub planned: HashSet<String>,
    /// Words in lower case that occur only as verbs of a request.
    pub request_verbs: HashSet<String>,
    /// Parts of the project that the first line names as its scope.
    pub scopes: Vec<String>,
    /// Past commits that the task refers to.
    pub references: Vec<Reference>,
}

impl Query {
    /// Parses the text; words of `plan` are added with a quarter of their weight.
    pub fn new(text: &str, plan: Option<&str>) -> Self {
        Self::with_foreign(text, plan, |lines| vec![false; lines.len()])
    }

    /// Like [`Query::new`], for a known project: stack frames outside it have little weight.
    pub fn within(corpus: &Corpus, text: &str, plan: Option<&str>) -> Self {
        Self::with_foreign(text, plan, |lines| foreign_lines(corpus, lines))
    }

    fn with_foreign(text: &str, plan: Option<&str>, foreign: impl Fn(&[(Region, &str)]) -> Vec<bool>) -> Self {
        let mut build = QueryBuilder::default();
        let text = spaced(cut(text));
        let lines = zones(&text);
        let foreign = foreign(&lines);
        build.request_verbs = request_verbs(&lines);
        for ((zone, line), foreign) in lines.into_iter().zip(foreign) {
            if foreign {
                build.line(Region::Foreign, line, 1.0);
            } else if zone == Region::Title {
                let Subject { scopes, rest } = Subject::of(line);
                build.line(zone, &scopes.join(" "), 1.0);
                build.scopes = scopes.into_iter().map(str::to_owned).collect();
                build.line(zone, rest, 1.0);
            } else {
                build.line(zone, line, 1.0);
            }
        }
        let plan = plan.map(|plan| spaced(cut(plan)));
        build.in_plan = true;
        for (zone, line) in plan.as_deref().map(zones).unwrap_or_default() {
            let zone = if zone == Region::Title { Region::Prose } else { zone };
            build.line(zone, line, 0.25);
        }
        Self { references: references(&text), ..build.finish() }
    }

    /// The terms as a vocabulary for counting.
    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary::only(self.terms.iter().map(|term| term.text.as_str()))
    }

    /// Gives the project's own names as little weight as words that occur in every report, because these names do not
    /// refer to a part of the project. Parts of a longer name keep their weight.
    pub fn know_own_names(&mut self, names: &[String]) {
        let own: HashSet<String> = names
            .iter()
            .filter_map(|name| {
                let mut terms = Vec::new();
                each_term(name, |term| terms.push(term.to_owned()));
                terms.pop()
            })
            .collect();
        for term in self.terms.iter_mut().filter(|term| own.contains(&term.text) && !DULL.contains(&term.text.as_str()))
        {
            term.weight *= DULLNESS;
            term.title *= DULLNESS;
        }
    }

    /// Returns true if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A term while the text is parsed.
struct TermDraft {
    text: String,
    spelling: String,
    /// Weight in sentences.
    talk: f64,
    /// Weight in the first line.
    title: f64,
    /// Weight in code, logs and lists.
    pasted: f64,
    planned: bool,
}

#[derive(Default)]
struct QueryBuilder {
    order: Vec<TermDraft>,
    at: HashMap<String, usize>,
    pairs: Vec<(String, String)>,
    code: HashSet<String>,
    written_words: HashSet<String>,
    qualified: BTreeSet<(String, String)>,
    runs: HashSet<Vec<String>>,
    lower: HashSet<String>,
    planned: HashSet<String>,
    request_verbs: HashSet<String>,
    scopes: Vec<String>,
    /// True while the plan is parsed, after the task.
    in_plan: bool,
}

impl QueryBuilder {
    fn line(&mut self, zone: Region, text: &str, factor: f64) {
        let talk = matches!(zone, Region::Title | Region::Prose);
        if zone == Region::Template {
            return;
        }
        let mut previous: Option<String> = None;
        let mut neighbours: Vec<String> = Vec::new();
        for (stretch, quoted) in text.split('`').zip([false, true].into_iter().cycle()) {
            for chunk in stretch.split_whitespace() {
                let link = chunk.contains("://") || chunk.starts_with("www.");
                let path = is_path(chunk);
                let mut before: Option<(&str, usize)> = None;
                words(chunk, |word| {
                    let start = word.as_ptr() as usize - chunk.as_ptr() as usize;
                    let end = start + word.len();
                    let is_call = chunk[end..].starts_with('(');
                    let written_as_code = quoted || is_call || looks_like_code(word);
                    let foreign = zone == Region::Foreign;
                    if !link && !path && !foreign {
                        self.qualify(before.map(|(owner, end)| (owner, &chunk[end..start])), word);
                        before = Some((word, end));
                    }
                    if !link && !foreign {
                        // The parts of a path refer to that path, and not to other files with these names.
                        self.note(word, written_as_code && !path, talk && !path);
                        self.run(&mut neighbours, word, talk);
                    }
                    let mut weight = zone.weight() * factor;
                    weight *= if written_as_code && talk { 1.5 } else { 1.0 };
                    weight *= if link { 0.2 } else { 1.0 };
                    self.terms(
                        word,
                        weight,
                        if zone == Region::Title { 1.0 } else { 0.0 },
                        talk && !link,
                        &mut previous,
                    );
                });
                if chunk.ends_with(['.', ',', ';', ':', '!', '?']) {
                    previous = None;
                    neighbours.clear();
                }
            }
        }
    }

    /// Records a name with the class or module in front of it.
    fn qualify(&mut self, before: Option<(&str, &str)>, name: &str) {
        if let Some((owner, "." | "::" | "->" | "#")) = before
            && self.qualified.len() < MOST_PAIRS
        {
            self.qualified.insert((owner.to_owned(), name.to_owned()));
        }
    }

    fn note(&mut self, word: &str, code: bool, talk: bool) {
        let bare = word.trim_matches('_');
        if bare.len() < 3 || bare.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        let lower = word.to_lowercase();
        if STOP.contains(&lower.as_str()) {
            return;
        }
        if code {
            self.code.insert(word.to_owned());
        }
        if talk {
            self.written_words.insert(word.to_owned());
        }
        if self.lower.insert(lower.clone()) && self.in_plan {
            self.planned.insert(lower);
        }
    }

    fn run(&mut self, run: &mut Vec<String>, word: &str, talk: bool) {
        let lower = word.to_lowercase();
        if !talk || STOP.contains(&lower.as_str()) || word.contains('_') || !word.is_ascii() {
            run.clear();
            return;
        }
        run.push(lower);
        if run.len() > 4 {
            run.remove(0);
        }
        if self.runs.len() < 2000 {
            for length in 2..=run.len() {
                self.runs.insert(run[run.len() - length..].to_vec());
            }
        }
    }

    fn terms(&mut self, word: &str, weight: f64, title: f64, talk: bool, previous: &mut Option<String>) {
        let mut found: Vec<String> = Vec::with_capacity(4);
        each_term(word, |term| found.push(term.to_owned()));
        let parts = if word.is_ascii() && found.len() > 2 { found.len() - 1 } else { found.len() };
        for (position, term) in found.into_iter().enumerate() {
            if STOP.contains(&term.as_str()) {
                *previous = None;
                continue;
            }
            let is_dull = DULL.contains(&term.as_str()) || talk && self.request_verbs.contains(&word.to_lowercase());
            let dull = if is_dull { DULLNESS } else { 1.0 };
            if talk
                && position < parts
                && let Some(before) = previous.replace(term.clone())
                && before != term
                && self.pairs.len() < MOST_PAIRS
            {
                self.pairs.push((before, term.clone()));
            }
            let planned = self.in_plan;
            let at = *self.at.entry(term.clone()).or_insert_with(|| {
                let spelling = word.to_owned();
                self.order.push(TermDraft { text: term, spelling, talk: 0.0, title: 0.0, pasted: 0.0, planned });
                self.order.len() - 1
            });
            let entry = &mut self.order[at];
            *(if talk { &mut entry.talk } else { &mut entry.pasted }) += weight * dull;
            entry.title += title * dull;
        }
    }

    fn finish(self) -> Query {
        let damp = |sum: f64| if sum > 1.0 { 1.0 + sum.ln() } else { sum };
        let mut terms: Vec<Term> = self
            .order
            .into_iter()
            // A log may repeat a word a thousand times, but it must not outweigh the sentence above it.
            .map(|draft| (draft.talk + draft.pasted.min(MOST_PASTED), draft))
            .filter(|(weight, _)| *weight > 0.0)
            .map(|(weight, TermDraft { text, spelling, title, planned, .. })| Term {
                id: hash(&text),
                weight: damp(weight),
                title: damp(title),
                text,
                spelling,
                planned,
            })
            .collect();
        // The sort is stable, so terms of equal weight stay in the order of the text.
        terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        terms.truncate(MOST_TERMS);
        let index: TermMap<u16> = terms.iter().enumerate().map(|(at, term)| (term.id, at as u16)).collect();
        let mut pairs: Vec<(u16, u16)> =
            self.pairs.iter().filter_map(|(a, b)| Some((*index.get(&hash(a))?, *index.get(&hash(b))?))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Query {
            terms,
            index,
            pairs,
            code: self.code,
            written_words: self.written_words,
            qualified: self.qualified,
            runs: self.runs,
            planned: self.planned,
            request_verbs: self.request_verbs,
            scopes: self.scopes,
            references: Vec::new(),
        }
    }
}

/// Returns true for `src/pay/refund.rs`, but not for `and/or`.
fn is_path(chunk: &str) -> bool {
    chunk.rsplit_once('/').is_some_and(|(_, name)| {
        name.trim_end_matches(['.', ',', ';', ':', ')', '"']).contains('.') && !name.starts_with('.')
    })
}

/// Returns true for `maxBodyLength`, `max_body_length` and `HTTPServer`, but not for `Hello`, `HTTP` or `_`.
pub fn looks_like_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    inner.contains('_')
        || inner.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// Words that do not refer to a part of a program.
pub const STOP: [&str; 112] = [
    "a", "an", "the", "and", "or", "of", "to", "in", "on", "for", "with", "is", "are", "be", "it", "this", "that",
    "as", "by", "from", "at", "if", "not", "but", "we", "i", "you", "when", "which", "can", "will", "should", "would",
    "has", "have", "was", "were", "do", "does", "so", "than", "then", "there", "their", "use", "using", "used", "into",
    "no", "our", "your", "its", "also", "only", "any", "all", "some", "more", "how", "what", "why", "where", "after",
    "before", "may", "must", "just", "get", "set", "new", "one", "two", "been", "because", "about", "being", "could",
    "did", "each", "even", "he", "here", "his", "me", "my", "now", "other", "out", "over", "same", "she", "such",
    "them", "these", "they", "those", "through", "up", "us", "very", "via", "who", "while", "don", "doesn", "isn",
    "let", "like", "ll", "re", "ve", "am",
];

/// Words that occur in every report and have little weight.
const DULL: [&str; 55] = [
    "bug", "issue", "problem", "report", "describ", "description", "reproduc", "reproduce", "step", "expect",
    "expected", "actual", "behavior", "behaviour", "current", "currently", "version", "example", "follow", "pleas",
    "please", "thank", "thanks", "hello", "hi", "case", "code", "work", "need", "want", "seem", "instead", "make",
    "see", "try", "tri", "tried", "happen", "result", "possibl", "fix", "add", "added", "support", "change", "chang",
    "allow", "feature", "featur", "improv", "updat", "update", "line", "file", "way",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(query: &Query, term: &str) -> f64 {
        query.terms.iter().find(|known| known.text == term).map_or(0.0, |term| term.weight)
    }

    #[test]
    fn the_title_has_more_weight_than_a_log() {
        let query = Query::new("Refund fails\n\nThe gateway answers.\n```\nlogging output\n```\n", None);
        assert!(weight(&query, "refund") > weight(&query, "gateway"));
        assert!(weight(&query, "gateway") > weight(&query, "logg"));
        assert!(query.terms.iter().any(|term| term.text == "refund" && term.title > 0.0));
    }

    #[test]
    fn code_words_pairs_and_runs_are_found() {
        let query =
            Query::new("maxBodyLength is ignored\n\nCall `post` or send() with max body length, please_do.", None);
        for word in ["maxBodyLength", "post", "send", "please_do"] {
            assert!(query.code.contains(word), "{word}");
        }
        assert!(!query.code.contains("ignored"));
        assert!(query.runs.contains(&vec!["max".to_owned(), "body".to_owned(), "length".to_owned()]));
        let names: Vec<(&str, &str)> = query
            .pairs
            .iter()
            .map(|(a, b)| (query.terms[*a as usize].text.as_str(), query.terms[*b as usize].text.as_str()))
            .collect();
        assert!(names.contains(&("max", "body")) && names.contains(&("body", "length")), "{names:?}");
    }

    #[test]
    fn the_projects_own_name_has_little_weight() {
        let mut query = Query::new("Hugo loses pageBundles of the content", None);
        let before = ["hugo", "content", "page", "pagebundles"].map(|term| weight(&query, term));
        query.know_own_names(&["Hugo".to_owned(), "pageBundles".to_owned(), "content-store".to_owned()]);
        let after = ["hugo", "content", "page", "pagebundles"].map(|term| weight(&query, term));
        let kept: Vec<f64> = after.iter().zip(before).map(|(after, before)| after / before).collect();
        assert_eq!(kept, [DULLNESS, 1.0, 1.0, DULLNESS]);
        let title = |term: &str| query.terms.iter().find(|known| known.text == term).map(|term| term.title);
        assert_eq!(title("hugo"), title("content").map(|title| DULLNESS * title));
    }

    #[test]
    fn a_term_records_its_word() {
        let query = Query::new("Crash of maxBodyLength on macOS", None);
        let said = |term: &str| query.terms.iter().find(|known| known.text == term).map(|term| term.spelling.as_str());
        assert_eq!(said("length"), Some("maxBodyLength"));
        assert!(query.terms.iter().any(|term| term.spelling == "macOS"));
    }

    #[test]
    fn a_huge_text_stays_bounded() {
        let text = (0..40_000).map(|n| format!("word{n}x")).collect::<Vec<_>>().join(" ");
        let query = Query::new(&text, None);
        assert!(query.terms.len() <= MOST_TERMS && query.pairs.len() <= MOST_PAIRS);
        assert!(Query::new("", None).is_empty());
        assert!(Query::new("the of and", None).is_empty());
    }
}
