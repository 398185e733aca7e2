//! The notation for lines of a file: `path:10-80,95` for ranges, `path#symbol` for a definition.

use std::fmt;

/// First and last line, 1-based and inclusive.
pub type Span = (u32, u32);

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LineSpec {
    /// Ranges of lines.
    Ranges(Vec<Span>),
    /// The definition with this name, wherever it is in the file.
    Symbol(String),
}

/// Lines that a person pinned.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PinnedLines {
    /// First and last line.
    pub span: Span,
    /// The definition's name, if the person chose a definition.
    pub symbol: Option<String>,
}

impl LineSpec {
    /// Splits a path from the lines after it; `None` if the text names no lines.
    pub fn split(text: &str) -> Result<Option<(&str, Self)>, String> {
        if let Some((path, ranges)) = text.rsplit_once(':')
            && !path.is_empty()
            && is_like_ranges(ranges)
        {
            return Ok(Some((path, Self::ranges(ranges)?)));
        }
        Ok(text
            .rsplit_once('#')
            .filter(|(path, symbol)| !path.is_empty() && is_symbol(symbol))
            .map(|(path, symbol)| (path, Self::Symbol(symbol.to_owned()))))
    }

    /// Parses `10-80`, `10` or `10-80,95`.
    pub fn ranges(text: &str) -> Result<Self, String> {
        text.split(',').map(parse_range).collect::<Result<_, _>>().map(Self::Ranges)
    }

    /// Splits the spec into one spec per range or symbol.
    pub fn each(&self) -> Vec<Self> {
        match self {
            Self::Ranges(ranges) => ranges.iter().map(|range| Self::Ranges(vec![*range])).collect(),
            Self::Symbol(_) => vec![self.clone()],
        }
    }

    /// The specs that name these lines: one for each symbol, then one for all ranges.
    pub fn of(lines: &[PinnedLines]) -> Vec<Self> {
        let mut specs: Vec<Self> = lines.iter().filter_map(|line| line.symbol.clone()).map(Self::Symbol).collect();
        let ranges: Vec<Span> = lines.iter().filter(|line| line.symbol.is_none()).map(|line| line.span).collect();
        if !ranges.is_empty() {
            specs.push(Self::Ranges(ranges));
        }
        specs
    }

    /// The smallest list of specs that names the same lines: one for all ranges, and one for each symbol.
    pub fn joined(specs: &[Self]) -> Vec<Self> {
        let mut joined: Vec<Self> = specs.iter().filter(|spec| matches!(spec, Self::Symbol(_))).cloned().collect();
        let ranges = specs.iter().filter_map(|spec| match spec {
            Self::Ranges(ranges) => Some(ranges.clone()),
            Self::Symbol(_) => None,
        });
        let ranges = ranges.collect::<Vec<_>>().concat();
        if !ranges.is_empty() {
            joined.push(Self::Ranges(ranges));
        }
        joined
    }

    /// The text that names these lines of a file, such as `path:10-80`.
    pub fn of_file(&self, path: &str) -> String {
        format!("{path}{self}")
    }
}

/// The text after a path: `:10-80,95` or `#symbol`.
impl fmt::Display for LineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(name) => write!(f, "#{name}"),
            Self::Ranges(ranges) => {
                let range = |(first, last): &Span| {
                    if first == last { first.to_string() } else { format!("{first}-{last}") }
                };
                write!(f, ":{}", ranges.iter().map(range).collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl PinnedLines {
    /// A range of lines.
    pub fn range(span: Span) -> Self {
        Self { span, symbol: None }
    }
}

/// Returns true for the name of a definition, qualified or not: `refund`, `Ledger::add`, `Ledger.add`.
pub fn is_symbol(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | ':' | '.' | '?' | '!'))
}

/// Returns true if `text` consists only of characters of ranges.
fn is_like_ranges(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b','))
}

fn parse_range(text: &str) -> Result<Span, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    match (number(first), number(last)) {
        (Some(0), Some(_)) => Err(format!("`{text}` is not a line range; line numbers start at 1")),
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        (Some(_), Some(_)) => Err(format!("`{text}` is not a line range: it ends before it starts")),
        _ => Err(format!("`{text}` is not a line range; write it as `10-80`")),
    }
}

/// Sorts spans and merges those that touch or overlap.
pub fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut joined: Vec<Span> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}

/// The lines of `spans` that are not in `dropped`, merged.
pub fn without(spans: &[Span], dropped: &[Span]) -> Vec<Span> {
    let mut left = merged(spans.to_vec());
    for (first, last) in dropped {
        left = left
            .into_iter()
            .flat_map(|(from, to)| {
                let before = (from, to.min(first.saturating_sub(1)));
                let after = (from.max(last.saturating_add(1)), to);
                if *last < from || to < *first { vec![(from, to)] } else { vec![before, after] }
            })
            .filter(|(from, to)| from <= to)
            .collect();
    }
    left
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(text: &str) -> Option<(&str, String)> {
        LineSpec::split(text).unwrap().map(|(path, spec)| (path, spec.to_string()))
    }

    #[test]
    fn a_path_is_split_from_its_lines() {
        for (text, path, spec) in [
            ("a.py:10-80", "a.py", ":10-80"),
            ("a.py:7", "a.py", ":7"),
            ("a.py:7-7,9-12", "a.py", ":7,9-12"),
            ("C:\\src\\a.py:10-80", "C:\\src\\a.py", ":10-80"),
            ("odd:10-20:3", "odd:10-20", ":3"),
            ("a.py#Ledger.add", "a.py", "#Ledger.add"),
            ("a.py#Ledger::add", "a.py", "#Ledger::add"),
            ("c#/a#b.cs#main", "c#/a#b.cs", "#main"),
        ] {
            assert_eq!(split(text), Some((path, spec.to_owned())), "{text}");
            assert_eq!(
                LineSpec::split(&format!("{path}{spec}")).unwrap().unwrap().1.of_file(path),
                format!("{path}{spec}")
            );
        }
        for plain in ["a.py", "C:\\src\\a.py", "memo:x", "c#/a.cs", "a.py#", "#x", "a b#1"] {
            assert_eq!(split(plain), None, "{plain}");
        }
        for (wrong, why) in [
            ("a.py:80-10", "ends before"),
            ("a.py:0-4", "start at 1"),
            ("a.py:", "write it as"),
            ("a.py:5-", "write it as"),
            ("a.py:1-2-3", "write it as"),
            ("a.py:1,,2", "write it as"),
            ("a.py:99999999999", "write it as"),
        ] {
            assert!(LineSpec::split(wrong).unwrap_err().contains(why), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn dropped_lines_are_gone_and_the_others_stay(
            spans in prop::collection::vec((1u32..40, 0u32..9), 0..6),
            dropped in prop::collection::vec((1u32..40, 0u32..9), 0..4),
        ) {
            let spans: Vec<Span> = spans.into_iter().map(|(first, more)| (first, first + more)).collect();
            let dropped: Vec<Span> = dropped.into_iter().map(|(first, more)| (first, first + more)).collect();
            let has = |spans: &[Span], line: u32| spans.iter().any(|(first, last)| *first <= line && line <= *last);
            let left = without(&spans, &dropped);
            for line in 0..60 {
                prop_assert_eq!(has(&left, line), has(&spans, line) && !has(&dropped, line), "line {}", line);
            }
            prop_assert_eq!(merged(left.clone()), left);
        }

        #[test]
        fn any_text_is_split_or_refused(text in "[a-c:#0-9,./\\-]{0,14}") {
            if let Ok(Some((path, spec))) = LineSpec::split(&text) {
                prop_assert!(!path.is_empty());
                let again = spec.of_file(path);
                prop_assert_eq!(LineSpec::split(&again), Ok(Some((path, spec))));
            }
        }
    }
}
