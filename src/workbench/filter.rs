//! The filter language: space-separated words that must all match, `~fuzzy`, and `tier:`, `score:`, `tokens:`, `is:`, `lang:`.

use std::collections::HashSet;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::Workbench;
use crate::gather::role::Role;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::place::{Override, Placed, Tier};
use crate::text::number;

/// What narrows the list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    terms: Vec<Term>,
    /// What is wrong with it, in words; such a term is left aside.
    pub problems: Vec<String>,
}

#[derive(Debug, Clone)]
enum Term {
    /// A part of the path; lower case unless the person typed a capital.
    Word {
        text: String,
        exact: bool,
    },
    Fuzzy(Pattern),
    Tier(Tier),
    Score(Compare),
    Tokens(Compare),
    Is(Is),
    Language(String),
    Kind(String),
    /// A definition in the file.
    Symbol {
        name: String,
        exact: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    Pinned,
    Demoted,
    Excluded,
    Overridden,
    Changed,
    Test,
    Redacted,
}

/// The words after `is:`.
const KINDS_OF_IS: [(&str, Is); 8] = [
    ("pinned", Is::Pinned),
    ("demoted", Is::Demoted),
    ("excluded", Is::Excluded),
    ("overridden", Is::Overridden),
    // An older name.
    ("ruled", Is::Overridden),
    ("changed", Is::Changed),
    ("test", Is::Test),
    ("redacted", Is::Redacted),
];

/// `>6`, `>=6`, `<6`, `<=6`, `6`.
#[derive(Debug, Clone, Copy)]
struct Compare {
    number: f64,
    is: fn(&f64, &f64) -> bool,
}

impl Compare {
    fn parse(text: &str) -> Option<Self> {
        // The longer sign first: `>=` begins with `>`.
        type Sign = (&'static str, fn(&f64, &f64) -> bool);
        let signs: [Sign; 5] = [(">=", f64::ge), ("<=", f64::le), (">", f64::gt), ("<", f64::lt), ("", f64::eq)];
        let (rest, is) = signs.iter().find_map(|(sign, is)| Some((text.strip_prefix(sign)?, *is)))?;
        Some(Self { number: number(rest)?, is })
    }

    fn holds(self, value: f64) -> bool {
        (self.is)(&value, &self.number)
    }
}

/// What a filter asks about besides the workbench: lower-case paths, made once, and what changed since the last turn.
pub struct Facts<'a> {
    /// Every item's path in lower case.
    pub lower: &'a [String],
    /// The items that changed since the last turn.
    pub changed: &'a HashSet<ItemId>,
}

impl Filter {
    /// Reads a filter as it is typed; what makes no sense (yet) is noted and does not narrow anything.
    pub fn parse(text: &str) -> Self {
        let mut filter = Self::default();
        for word in text.split_whitespace() {
            match term(word) {
                Ok(Some(term)) => filter.terms.push(term),
                Ok(None) => {}
                Err(problem) => filter.problems.push(problem),
            }
        }
        filter
    }

    /// Whether everything matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The words that match literally, for showing where.
    pub fn words(&self) -> impl Iterator<Item = (&str, bool)> {
        self.terms.iter().filter_map(|term| match term {
            Term::Word { text, exact } => Some((text.as_str(), *exact)),
            _ => None,
        })
    }

    /// Something that tests items, one after the other.
    pub fn tester<'a>(&'a self, bench: &'a Workbench, facts: Facts<'a>) -> Tester<'a> {
        Tester { filter: self, bench, facts, names: self.by_name() }
    }

    /// Something that tests files of which only the name is known.
    pub fn by_name(&self) -> NameTester<'_> {
        NameTester { filter: self, matcher: None, buffer: Vec::new() }
    }
}

/// Tests names, keeping what the fuzzy matcher needs between them.
pub struct NameTester<'a> {
    filter: &'a Filter,
    matcher: Option<Matcher>,
    buffer: Vec<char>,
}

impl NameTester<'_> {
    /// Whether every term that a name can answer matches; the others narrow nothing.
    pub fn matches(&mut self, path: &str, lower: &str, language: Option<Language>) -> bool {
        let filter = self.filter;
        filter.terms.iter().all(|term| self.holds(term, path, lower, language).unwrap_or(true))
    }

    /// Whether a term matches; `None` if it is not about names.
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

/// Tests items against a filter.
pub struct Tester<'a> {
    filter: &'a Filter,
    bench: &'a Workbench,
    facts: Facts<'a>,
    names: NameTester<'a>,
}

impl Tester<'_> {
    /// Whether every term matches the item.
    pub fn matches(&mut self, placed: &Placed) -> bool {
        let filter = self.filter;
        filter.terms.iter().all(|term| self.holds(term, placed))
    }

    fn holds(&mut self, term: &Term, placed: &Placed) -> bool {
        let corpus = self.bench.corpus();
        let item = &corpus.items[placed.item];
        match term {
            Term::Word { .. } | Term::Fuzzy(_) | Term::Language(_) => {
                let language = corpus.file_of(placed.item).and_then(|file| file.language);
                let lower = &self.facts.lower[placed.item];
                self.names.holds(term, &item.path, lower, language).unwrap_or(true)
            }
            Term::Tier(tier) => placed.tier == *tier,
            Term::Score(compare) => compare.holds(f64::from(self.bench.scores().items[placed.item].points)),
            Term::Tokens(compare) => compare.holds(self.bench.whole_tokens(placed).unwrap_or(placed.tokens) as f64),
            Term::Is(is) => self.is(*is, placed),
            Term::Kind(name) => item.kind.name() == name,
            Term::Symbol { name, exact } => corpus.file_of(placed.item).is_some_and(|file| {
                let found = |symbol: &str| {
                    if *exact { symbol.contains(name) } else { contains_ignoring_case(symbol, name) }
                };
                file.symbols.iter().any(|symbol| found(symbol.name))
            }),
        }
    }

    fn is(&self, is: Is, placed: &Placed) -> bool {
        let file = || self.bench.corpus().file_of(placed.item);
        match is {
            Is::Pinned => placed.overridden == Some(Override::Pin),
            Is::Demoted => matches!(placed.overridden, Some(Override::Demote(_) | Override::Link)),
            Is::Excluded => placed.overridden == Some(Override::Exclude),
            Is::Overridden => placed.overridden.is_some(),
            Is::Changed => self.facts.changed.contains(&placed.item),
            Is::Test => file().is_some_and(|file| file.role == Role::Test),
            Is::Redacted => file().and_then(|file| file.known_text()).is_some_and(|text| !text.findings.is_empty()),
        }
    }
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
            Some((_, is)) => Term::Is(*is),
            // Still being typed.
            None if KINDS_OF_IS.iter().any(|(name, _)| name.starts_with(&lower)) => return Ok(None),
            None => {
                return wrong(
                    "use is:pinned, is:demoted, is:excluded, is:overridden, is:changed, is:test or is:redacted",
                );
            }
        },
        "lang" | "kind" | "sym" if lower.is_empty() => return Ok(None),
        "sym" => Term::Symbol { name: value.to_owned(), exact: value.chars().any(char::is_uppercase) },
        "lang" => Term::Language(lower),
        "kind" => Term::Kind(lower),
        _ => literal(word),
    };
    Ok(Some(parsed))
}

/// Whether a name contains a word in any case; without copies, because every symbol of the project is asked.
fn contains_ignoring_case(name: &str, word: &str) -> bool {
    let (name, word) = (name.as_bytes(), word.as_bytes());
    name.len() >= word.len() && name.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// Smart case: a capital makes the word match as it is.
fn literal(word: &str) -> Term {
    let exact = word.chars().any(char::is_uppercase);
    Term::Word { text: word.to_owned(), exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_as_they_are_written() {
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
    fn what_is_half_typed_narrows_nothing_and_what_is_wrong_is_said() {
        for text in ["", "~", "tier:", "is:", "is:pin", "score:", "score:>", "tokens:>=", "lang:", "sym:"] {
            let filter = Filter::parse(text);
            assert!(filter.is_empty() && filter.problems.is_empty(), "{text}");
        }
        for text in ["tier:huge", "score:many", "is:lovely", "tokens:>x"] {
            let filter = Filter::parse(text);
            assert!(filter.is_empty() && filter.problems.len() == 1, "{text}");
        }
        let filter = Filter::parse("refund Pay src:odd");
        assert_eq!(filter.words().collect::<Vec<_>>(), [("refund", false), ("Pay", true), ("src:odd", false)]);
    }
}
