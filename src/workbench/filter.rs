//! The filter language: space-separated words that must all match, `~fuzzy`, and `tier:`, `score:`, `tokens:`, `is:`,
//! `lang:`, `sym:`, `text:`.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::Workbench;
use super::paths::LowerPaths;
use crate::gather::role::Role;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::place::{Override, PlacedItem, Tier};
use crate::text::number;

/// A parsed filter.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    terms: Vec<Term>,
    /// Problems with invalid terms, which are ignored.
    pub problems: Vec<String>,
}

#[derive(Debug, Clone)]
enum Term {
    /// Part of the path, in lower case unless the person typed a capital letter.
    Word {
        text: String,
        exact: bool,
    },
    Fuzzy(Pattern),
    Tier(Tier),
    Score(Compare),
    Tokens(Compare),
    ItemState(ItemState),
    Language(String),
    Kind(String),
    /// Text in the content.
    Text(String),
    /// A definition in the file.
    Symbol {
        name: String,
        exact: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemState {
    Pinned,
    Demoted,
    Excluded,
    Overridden,
    CarriedOver,
    Changed,
    Test,
    Redacted,
}

/// Words after `is:`.
const KINDS_OF_IS: [(&str, ItemState); 9] = [
    ("pinned", ItemState::Pinned),
    ("demoted", ItemState::Demoted),
    ("excluded", ItemState::Excluded),
    ("overridden", ItemState::Overridden),
    // The term's name in older versions.
    ("ruled", ItemState::Overridden),
    ("carried", ItemState::CarriedOver),
    ("changed", ItemState::Changed),
    ("test", ItemState::Test),
    ("redacted", ItemState::Redacted),
];

/// Compares a number: `>6`, `>=6`, `<6`, `<=6` or `6`.
#[derive(Debug, Clone, Copy)]
struct Compare {
    number: f64,
    is: fn(&f64, &f64) -> bool,
}

impl Compare {
    fn parse(text: &str) -> Option<Self> {
        // The longer operators come first, because `>=` starts with `>`.
        type Sign = (&'static str, fn(&f64, &f64) -> bool);
        let signs: [Sign; 5] = [(">=", f64::ge), ("<=", f64::le), (">", f64::gt), ("<", f64::lt), ("", f64::eq)];
        let (rest, is) = signs.iter().find_map(|(sign, is)| Some((text.strip_prefix(sign)?, *is)))?;
        Some(Self { number: number(rest)?, is })
    }

    fn holds(self, value: f64) -> bool {
        (self.is)(&value, &self.number)
    }
}

/// Additional data for a filter: lower-case paths, computed once, and search results.
pub struct FilterFacts<'a> {
    /// Paths of all items in lower case.
    pub lower: &'a LowerPaths,
    /// Items that changed since the last turn.
    pub changed: &'a HashSet<ItemId>,
    /// Results of searches in contents.
    pub texts: &'a TextMatches,
}

/// The items that contain each searched text.
#[derive(Debug, Clone, Default)]
pub struct TextMatches(HashMap<String, HashSet<ItemId>>);

impl TextMatches {
    /// Adds the items that contain the text.
    pub fn insert(&mut self, text: String, items: HashSet<ItemId>) {
        self.0.insert(text, items);
    }

    /// Returns true if contents have been searched for this text.
    pub fn knows(&self, text: &str) -> bool {
        self.0.contains_key(text)
    }

    /// Returns true if an item contains the text. Until the search for the text is finished, the results for its
    /// longest searched prefix are used. If no prefix was searched, all items match.
    fn matches(&self, text: &str, item: ItemId) -> bool {
        let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).rev();
        let known = ends.into_iter().find_map(|end| self.0.get(&text[..end]));
        known.is_none_or(|items| items.contains(&item))
    }
}

impl Filter {
    /// Parses a filter while it is typed. Invalid and incomplete terms do not filter anything; the invalid ones are
    /// recorded.
    pub fn parse(text: &str) -> Self {
        let mut filter = Self::default();
        for word in words(text) {
            match term(word) {
                Ok(Some(term)) => filter.terms.push(term),
                Ok(None) => {}
                Err(problem) => filter.problems.push(problem),
            }
        }
        filter
    }

    /// Returns true if the filter has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Positions of the characters of a path that words and fuzzy terms match, in order.
    pub fn matched(&self, path: &str) -> Vec<usize> {
        let mut positions = BTreeSet::new();
        let lower = path.to_lowercase();
        for term in &self.terms {
            match term {
                Term::Word { text, exact } => {
                    let within = if *exact { path } else { &lower };
                    match within.find(text.as_str()) {
                        Some(at) => {
                            let from = within[..at].chars().count();
                            positions.extend(from..from + text.chars().count());
                        }
                        None => positions.extend(fuzzy_positions(&fuzzy(text), path)),
                    }
                }
                Term::Fuzzy(_) => positions.extend(fuzzy_positions(term, path)),
                _ => {}
            }
        }
        positions.into_iter().collect()
    }

    /// Strings that contents must be searched for.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter_map(|term| match term {
            Term::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns true if an override can change the items that match.
    pub fn depends_on_placement(&self) -> bool {
        self.terms.iter().any(|term| match term {
            Term::Tier(_) | Term::Tokens(_) => true,
            Term::ItemState(is) => !matches!(is, ItemState::Changed | ItemState::Test),
            _ => false,
        })
    }

    /// Creates a matcher for items. A word that no path contains matches fuzzily.
    pub fn tester<'a>(&'a self, bench: &'a Workbench, facts: FilterFacts<'a>) -> Tester<'a> {
        let items = &bench.corpus().items;
        let word = |term: &Term| match term {
            Term::Word { text, exact } => {
                let mut found = facts.lower.containing(&text.to_lowercase());
                if *exact {
                    for (found, item) in found.iter_mut().zip(items).filter(|(found, _)| **found) {
                        *found = item.path.contains(text);
                    }
                }
                if found.contains(&true) { WordMatches::Paths(found) } else { WordMatches::Fuzzy(fuzzy(text)) }
            }
            _ => WordMatches::NoWord,
        };
        let words = self.terms.iter().map(word).collect();
        Tester { filter: self, bench, facts, words, names: self.by_name() }
    }

    /// Creates a matcher for files whose contents are not known.
    pub fn by_name(&self) -> NameTester<'_> {
        NameTester { filter: self, matcher: None, buffer: Vec::new() }
    }
}

/// Matches names, reusing the buffers of the fuzzy matcher.
pub struct NameTester<'a> {
    filter: &'a Filter,
    matcher: Option<Matcher>,
    buffer: Vec<char>,
}

impl NameTester<'_> {
    /// Returns true if all terms about names match; other terms are ignored.
    pub fn matches(&mut self, path: &str, lower: &str, language: Option<Language>) -> bool {
        let filter = self.filter;
        filter.terms.iter().all(|term| self.holds(term, path, lower, language).unwrap_or(true))
    }

    /// Tests a term; `None` if it is not about names.
    fn holds(&mut self, term: &Term, path: &str, lower: &str, language: Option<Language>) -> Option<bool> {
        Some(match term {
            Term::Word { text, exact: true } => path.contains(text),
            Term::Word { text, exact: false } => lower.contains(text),
            Term::Fuzzy(pattern) => {
                let matcher = self.matcher.get_or_insert_with(|| Matcher::new(Config::DEFAULT.match_paths()));
                pattern.score(Utf32Str::new(path, &mut self.buffer), matcher).is_some()
            }
            Term::Language(name) => language.is_some_and(|language| {
                language.name().to_lowercase().starts_with(name) || language.fence_tag() == name
            }),
            _ => return None,
        })
    }
}

/// Matches items against a filter.
pub struct Tester<'a> {
    filter: &'a Filter,
    bench: &'a Workbench,
    facts: FilterFacts<'a>,
    /// For each term, the paths that contain it.
    words: Vec<WordMatches>,
    names: NameTester<'a>,
}

/// The paths that match a word.
enum WordMatches {
    /// The term is not a word.
    NoWord,
    /// For each item, whether its path contains the word.
    Paths(Vec<bool>),
    /// No path contains the word, so this term matches fuzzily instead.
    Fuzzy(Term),
}

impl Tester<'_> {
    /// Returns true if every term matches the item.
    pub fn matches(&mut self, item: ItemId) -> bool {
        let Self { filter, bench, facts, words, names } = self;
        // Words come first, because they are the fastest to test.
        let contains = |word: &WordMatches| match word {
            WordMatches::Paths(found) => found[item],
            WordMatches::NoWord | WordMatches::Fuzzy(_) => true,
        };
        words.iter().all(contains)
            && filter.terms.iter().zip(words).all(|(term, word)| match word {
                WordMatches::Paths(_) => true,
                WordMatches::Fuzzy(fuzzy) => by_name(names, bench, facts, fuzzy, item),
                WordMatches::NoWord => holds(names, bench, facts, term, item),
            })
    }
}

fn by_name(names: &mut NameTester<'_>, bench: &Workbench, facts: &FilterFacts<'_>, term: &Term, item: ItemId) -> bool {
    let language = bench.corpus().file_of(item).and_then(|file| file.language);
    names.holds(term, &bench.corpus().items[item].path, facts.lower.get(item), language).unwrap_or(true)
}

fn holds(names: &mut NameTester<'_>, bench: &Workbench, facts: &FilterFacts<'_>, term: &Term, item: ItemId) -> bool {
    let corpus = bench.corpus();
    let placed = || bench.placed(item).unwrap_or_else(|| Cow::Owned(PlacedItem::out(item)));
    match term {
        Term::Word { .. } | Term::Fuzzy(_) | Term::Language(_) => by_name(names, bench, facts, term, item),
        Term::Tier(tier) => placed().tier == *tier,
        Term::Score(compare) => compare.holds(f64::from(bench.scores().items[item].points)),
        Term::Tokens(compare) => {
            let placed = placed();
            compare.holds(bench.whole_tokens(&placed).unwrap_or(placed.tokens) as f64)
        }
        Term::ItemState(is) => is.holds(bench, facts, &placed()),
        Term::Kind(name) => corpus.items[item].kind.name() == name,
        Term::Text(text) => facts.texts.matches(text, item),
        Term::Symbol { name, exact } => corpus.file_of(item).is_some_and(|file| {
            let found =
                |symbol: &str| if *exact { symbol.contains(name) } else { contains_ignoring_case(symbol, name) };
            file.symbols.iter().any(|symbol| found(symbol.name))
        }),
    }
}

impl ItemState {
    fn holds(self, bench: &Workbench, facts: &FilterFacts<'_>, placed: &PlacedItem) -> bool {
        let file = || bench.corpus().file_of(placed.item);
        match self {
            Self::Pinned => placed.is_pinned(),
            Self::CarriedOver => placed.carried_over,
            Self::Demoted => matches!(placed.overridden, Some(Override::Demote(_) | Override::Link)),
            Self::Excluded => placed.overridden == Some(Override::Exclude),
            Self::Overridden => placed.overridden.is_some() && !placed.carried_over,
            Self::Changed => facts.changed.contains(&placed.item),
            Self::Test => file().is_some_and(|file| file.role == Role::Test),
            Self::Redacted => file().and_then(|file| file.known_text()).is_some_and(|text| !text.findings.is_empty()),
        }
    }
}

/// Splits a filter into words. Quotes after `text:` keep words together.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quoted = rest.strip_prefix("text:\"").map(|inside| inside.find('"').map_or(rest.len(), |end| end + 7));
        let end = quoted.or_else(|| rest.find(char::is_whitespace)).unwrap_or(rest.len());
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

/// A term that matches these letters in this order.
fn fuzzy(text: &str) -> Term {
    Term::Fuzzy(Pattern::new(text, CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy))
}

/// Positions of the characters of a path that a fuzzy term matches.
fn fuzzy_positions(term: &Term, path: &str) -> Vec<usize> {
    let Term::Fuzzy(pattern) = term else { return Vec::new() };
    let (mut buffer, mut positions) = (Vec::new(), Vec::new());
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    pattern.indices(Utf32Str::new(path, &mut buffer), &mut matcher, &mut positions);
    positions.into_iter().map(|at| at as usize).collect()
}

fn term(word: &str) -> Result<Option<Term>, String> {
    if let Some(fuzzy) = word.strip_prefix('~') {
        let pattern = Pattern::parse(fuzzy, CaseMatching::Smart, Normalization::Smart);
        return Ok((!fuzzy.is_empty()).then_some(Term::Fuzzy(pattern)));
    }
    let Some((key, value)) = word.split_once(':') else {
        return Ok(Some(literal(word)));
    };
    let lower = value.to_lowercase();
    let wrong = |expected: &str| Err(format!("`{word}`: {expected}"));
    let parsed = match key {
        "tier" => match lower.as_str() {
            "" => return Ok(None),
            "raw" => Term::Tier(Tier::Raw),
            "linked" | "link" => Term::Tier(Tier::Linked),
            "summary" => Term::Tier(Tier::Summary),
            "out" => Term::Tier(Tier::Out),
            _ => return wrong("use tier:raw, tier:linked, tier:summary or tier:out"),
        },
        "score" | "tokens" => match Compare::parse(value) {
            Some(compare) if key == "score" => Term::Score(compare),
            Some(compare) => Term::Tokens(compare),
            None if value.trim_start_matches(['<', '>', '=']).is_empty() => return Ok(None),
            None => return wrong("use a number, as in score:>6 or tokens:>2k"),
        },
        "is" => match KINDS_OF_IS.iter().find(|(name, _)| *name == lower) {
            Some((_, is)) => Term::ItemState(*is),
            // The term is still being typed.
            None if KINDS_OF_IS.iter().any(|(name, _)| name.starts_with(&lower)) => return Ok(None),
            None => {
                return wrong(
                    "use is:pinned, is:demoted, is:excluded, is:overridden, is:carried, is:changed, is:test or is:redacted",
                );
            }
        },
        "lang" | "kind" | "sym" if lower.is_empty() => return Ok(None),
        "text" => match value.trim_matches('"') {
            "" => return Ok(None),
            text => Term::Text(text.to_owned()),
        },
        "sym" => Term::Symbol { name: value.to_owned(), exact: value.chars().any(char::is_uppercase) },
        "lang" => Term::Language(lower),
        "kind" => Term::Kind(lower),
        _ => literal(word),
    };
    Ok(Some(parsed))
}

/// Returns true if a name contains a word, ignoring case. It copies nothing, because every symbol of the project is
/// checked.
fn contains_ignoring_case(name: &str, word: &str) -> bool {
    let (name, word) = (name.as_bytes(), word.as_bytes());
    name.len() >= word.len() && name.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// Smart case: a word with a capital letter is matched case-sensitively.
fn literal(word: &str) -> Term {
    let exact = word.chars().any(char::is_uppercase);
    Term::Word { text: word.to_owned(), exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_written() {
        for (text, value, holds) in [
            (">6", 7.0, true),
            (">6", 6.0, false),
            (">=6", 6.0, true),
            ("<2k", 1999.0, true),
            ("<2k", 2000.0, false),
            ("<=2k", 2000.0, true),
            ("10", 10.0, true),
            ("10", 9.0, false),
        ] {
            assert_eq!(Compare::parse(text).unwrap().holds(value), holds, "{text} {value}");
        }
        for text in ["", ">", "many", ">x", "inf"] {
            assert!(Compare::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn quotes_keep_the_words_of_a_text_together() {
        for (filter, texts) in [
            ("text:retry", vec!["retry"]),
            ("a text:\"two words\" b", vec!["two words"]),
            ("text:\"still typing it", vec!["still typing it"]),
            ("text:\"one\"text:two", vec!["one", "two"]),
            ("text: text:\"", vec![]),
        ] {
            assert_eq!(Filter::parse(filter).texts().collect::<Vec<_>>(), texts, "{filter}");
        }
        assert_eq!(Filter::parse("a text:\"b c\" d").matched("x/d/a"), [2, 4]);
    }

    #[test]
    fn until_a_text_is_searched_its_longest_prefix_filters() {
        let mut found = TextMatches::default();
        assert!(found.matches("refund", ItemId::new(1)), "nothing has been searched");
        found.insert("ref".to_owned(), [ItemId::new(1), ItemId::new(2)].into());
        assert!(found.matches("refund", ItemId::new(1)) && !found.matches("refund", ItemId::new(3)));
        found.insert("refund".to_owned(), [ItemId::new(2)].into());
        assert!(!found.matches("refund", ItemId::new(1)));
    }

    #[test]
    fn unfinished_terms_filter_nothing_and_errors_are_reported() {
        for text in ["", "~", "tier:", "is:", "is:pin", "score:", "score:>", "tokens:>=", "lang:", "sym:"] {
            let filter = Filter::parse(text);
            assert!(filter.is_empty() && filter.problems.is_empty(), "{text}");
        }
        for text in ["tier:huge", "score:many", "is:lovely", "tokens:>x"] {
            let filter = Filter::parse(text);
            assert!(filter.is_empty() && filter.problems.len() == 1, "{text}");
        }
        let filter = Filter::parse("refund Pay src:odd");
        assert_eq!(filter.matched("Refund/Pay/src:odd"), (0..6).chain(7..10).chain(11..18).collect::<Vec<_>>());
    }

    #[test]
    fn words_and_fuzzy_terms_are_found_in_a_path() {
        for (filter, path, matched) in [
            ("pay", "src/Pay/pay.rs", vec![4, 5, 6]),
            ("Pay", "src/pay/Pay.rs", vec![8, 9, 10]),
            ("ä", "zä/ä", vec![1]),
            ("~sp", "src/pay.rs", vec![0, 4]),
            ("spy", "src/pay.rs", vec![0, 4, 6]),
            ("xyz tier:raw", "src/pay.rs", vec![]),
        ] {
            assert_eq!(Filter::parse(filter).matched(path), matched, "{filter}");
        }
    }
}
