//! Files that an answer cites: by path, by file name, or by a symbol that it names as code.

use std::collections::{BTreeSet, HashMap};

use crate::outline::language::Language;
use crate::outline::symbols::symbols;

/// Minimum length of a symbol in inline code, and of a plain word in a block of code.
const QUOTED: usize = 3;
const PLAIN: usize = 8;

/// The names in an answer.
pub struct AnswerNames<'a> {
    text: &'a str,
    /// Words that can be paths or file names.
    paths: BTreeSet<&'a str>,
    /// Identifiers in `inline code`.
    quoted: BTreeSet<&'a str>,
    /// Identifiers in blocks of code.
    blocks: BTreeSet<&'a str>,
}

impl<'a> AnswerNames<'a> {
    /// Reads an answer.
    pub fn new(text: &'a str) -> Self {
        let in_path = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '/' | '-' | '@' | '+' | '[' | ']');
        let trim = |word: &'a str| {
            word.trim_start_matches("./").trim_end_matches(['.', '/', '-', ']']).trim_start_matches('[')
        };
        let paths = text.split(|c: char| !in_path(c)).map(trim).filter(|word| word.contains(['.', '/'])).collect();
        let (mut quoted, mut blocks) = (BTreeSet::new(), BTreeSet::new());
        let mut fence: Option<&str> = None;
        for line in text.lines() {
            let trimmed = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
            match (fence, mark) {
                (None, Some(mark)) => fence = Some(mark),
                (Some(open), Some(mark)) if open == mark => fence = None,
                (Some(_), _) => blocks.extend(identifiers(line)),
                (None, None) => quoted.extend(line.split('`').skip(1).step_by(2).flat_map(identifiers)),
            }
        }
        Self { text, paths, quoted, blocks }
    }

    /// The files of a payload that the answer cites, each with the first name that cites it. `paths` are all files of
    /// the payload; a name that several paths share cites none of them. `texts` are the files whose symbols count.
    pub fn citations(&self, paths: &[&str], texts: &[(&str, String)]) -> HashMap<String, String> {
        let mut found = HashMap::new();
        for name in &self.paths {
            let mut matching = paths.iter().filter(|path| is_named(path, name));
            if let (Some(path), None) = (matching.next(), matching.next()) {
                found.entry((*path).to_owned()).or_insert_with(|| (*name).to_owned());
            }
        }
        // A path with spaces is not a single word, so it is searched for in the text.
        for path in paths.iter().filter(|path| path.contains(' ') && self.text.contains(**path)) {
            found.insert((*path).to_owned(), (*path).to_owned());
        }
        let mut defining: HashMap<String, Vec<&str>> = HashMap::new();
        for (path, text) in texts {
            let Some(language) = Language::of(path, text) else { continue };
            let names: BTreeSet<String> = symbols(language, text).iter().map(|symbol| symbol.name.to_owned()).collect();
            // `mod ledger;` names another file, so it does not cite this one.
            let is_module = |name: &str| paths.iter().any(|other| other != path && stem(other) == name);
            for name in names.into_iter().filter(|name| self.names(name) && !is_module(name)) {
                defining.entry(name).or_default().push(path);
            }
        }
        let mut unique: Vec<(String, &str)> =
            defining.into_iter().filter(|(_, files)| files.len() == 1).map(|(name, files)| (name, files[0])).collect();
        unique.sort_unstable();
        for (name, path) in unique {
            found.entry(path.to_owned()).or_insert(name);
        }
        found
    }

    /// Returns true if the answer names a symbol as code. Plain words in a block of code are too common to count.
    fn names(&self, symbol: &str) -> bool {
        let is_telling = symbol.len() >= PLAIN
            || symbol.trim_matches('_').contains('_')
            || symbol.chars().skip(1).any(char::is_uppercase) && symbol.chars().any(char::is_lowercase);
        symbol.len() >= QUOTED && self.quoted.contains(symbol) || is_telling && self.blocks.contains(symbol)
    }
}

/// Returns true if a name is the path, the end of the path, or an absolute path that ends with it.
fn is_named(path: &str, name: &str) -> bool {
    let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    path == name || ends(path, name) || ends(name, path)
}

/// The file name without its extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The identifiers of a line.
fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| word.len() >= QUOTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 5] = ["shop/pay.py", "shop/mail.py", "shop/api/mod.rs", "shop/db/mod.rs", "docs/how to pay.md"];

    fn cited(answer: &str) -> Vec<(String, String)> {
        let texts = [
            (
                "shop/pay.py",
                "def charge(card):\n    pass\n\n\ndef settle_later(x):\n    pass\n\n\ndef run(x):\n    pass\n"
                    .to_owned(),
            ),
            ("shop/mail.py", "class LetterWriter:\n    def run(self):\n        pass\n".to_owned()),
        ];
        let mut found: Vec<_> = AnswerNames::new(answer).citations(&PATHS, &texts).into_iter().collect();
        found.sort();
        found
    }

    fn paths(answer: &str) -> Vec<String> {
        cited(answer).into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn paths_and_file_names_cite_a_file() {
        for answer in [
            "Change shop/pay.py.",
            "see ./shop/pay.py:12",
            "+++ b/shop/pay.py",
            "in (pay.py)",
            "/home/me/shop/pay.py",
            "[pay.py](x)",
        ] {
            assert_eq!(paths(answer), ["shop/pay.py"], "{answer}");
        }
        assert_eq!(paths("api/mod.rs"), ["shop/api/mod.rs"]);
        assert_eq!(paths("Read docs/how to pay.md first"), ["docs/how to pay.md"]);
        for answer in ["Both mod.rs change.", "prepay.py", "pay.pyx", "pay", "e.g. this", "Pay the mail."] {
            assert_eq!(paths(answer), Vec::<String>::new(), "{answer}");
        }
    }

    #[test]
    fn symbols_named_as_code_cite_the_file_that_defines_them() {
        assert_eq!(cited("Call `charge(card)` first."), [("shop/pay.py".to_owned(), "charge".to_owned())]);
        assert_eq!(paths("```py\nsettle_later(1)\n```"), ["shop/pay.py"]);
        assert_eq!(paths("Extend `LetterWriter.run`."), ["shop/mail.py"]);
        let texts = [("a/mod.rs", "pub mod refund;\n".to_owned()), ("a/refund.rs", "pub fn refund() {}\n".to_owned())];
        let found = AnswerNames::new("Call `refund()`.").citations(&["a/mod.rs", "a/refund.rs"], &texts);
        assert_eq!(found, HashMap::from([("a/refund.rs".to_owned(), "refund".to_owned())]));
        // These are not citations: a plain word (in a sentence or a block), a symbol outside of code, and a symbol that
        // two files define.
        for answer in ["We charge the card.", "```\ncharge(1)\n```", "Use settle_later.", "Use `run`."] {
            assert_eq!(paths(answer), Vec::<String>::new(), "{answer}");
        }
    }
}
