//! Definitions that the task names: as code, as a plain word, or as separate words.

use std::collections::HashMap;

use rayon::prelude::*;

use super::query::Query;
use crate::gather::corpus::Corpus;
use crate::gather::terms::{TermMap, hash};
use crate::ids::FileId;
use crate::outline::symbols::Symbol;

/// Spelling of a definition's name in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spelling {
    /// As a plain word of a sentence.
    Word,
    /// As separate words: `max body length` for `maxBodyLength`.
    Apart,
    /// As code.
    Code,
}

impl Spelling {
    fn strength(self) -> f64 {
        match self {
            Self::Word => 0.25,
            Self::Apart => 0.7,
            Self::Code => 1.0,
        }
    }
}

/// A definition named in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct SymbolHit {
    /// Name of the definition.
    pub name: String,
    /// Line of the definition.
    pub line: u32,
    /// Spelling in the text.
    pub spelling: Spelling,
    /// Number of files that define the name.
    pub files: u32,
    /// Weight as evidence.
    pub weight: f32,
}

/// The named definitions of every file, strongest first.
pub type SymbolHits = HashMap<FileId, Vec<SymbolHit>>;

/// Finds the definitions that the text names, with one lookup per symbol.
pub fn defined(corpus: &Corpus, query: &Query) -> SymbolHits {
    let wanted = names(query);
    let members: TermMap<u64> = query.qualified.iter().map(|(owner, member)| (hash(member), hash(owner))).collect();
    let found: Vec<(FileId, Vec<(u64, Symbol<'_>)>)> = corpus
        .files
        .par_iter()
        .with_min_len(256)
        .enumerate()
        .filter_map(|(index, file)| {
            let mut hits: Vec<(u64, Symbol<'_>)> = Vec::new();
            for symbol in file.symbols.iter() {
                let key = hash(symbol.name);
                // The first definition of a name is the original; later ones are variants.
                if !wanted.contains_key(&key) {
                    continue;
                }
                let line_of = |key: u64| hits.iter().find(|hit| hit.0 == key).map(|hit| hit.1.line);
                match hits.iter().position(|hit| hit.0 == key) {
                    None => hits.push((key, symbol)),
                    // `Ledger.close` is the first `close` after `Ledger`.
                    Some(at) => {
                        let owner = members.get(&key).and_then(|owner| line_of(*owner));
                        if owner.is_some_and(|owner| hits[at].1.line < owner) {
                            hits[at].1 = symbol;
                        }
                    }
                }
            }
            (!hits.is_empty()).then_some((FileId::new(index), hits))
        })
        .collect();
    let mut files: TermMap<u32> = TermMap::default();
    for (_, hits) in &found {
        for (key, _) in hits {
            *files.entry(*key).or_default() += 1;
        }
    }
    let all = corpus.files.len() as f64;
    found
        .into_iter()
        .map(|(index, hits)| {
            let mut hits: Vec<SymbolHit> = hits
                .into_iter()
                .map(|(key, symbol)| {
                    let (spelling, count) = (wanted[&key], files[&key]);
                    let rarity = (1.0 + (all - f64::from(count) + 0.5) / (f64::from(count) + 0.5)).ln();
                    SymbolHit {
                        name: symbol.name.to_owned(),
                        line: symbol.line,
                        spelling,
                        files: count,
                        weight: (spelling.strength() * rarity) as f32,
                    }
                })
                .collect();
            hits.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.line.cmp(&b.line)));
            (index, hits)
        })
        .collect()
}

/// All names that the text may refer to, by hash.
fn names(query: &Query) -> TermMap<Spelling> {
    let mut wanted: TermMap<Spelling> = TermMap::default();
    let mut want = |name: &str, spelling: Spelling| {
        let entry = wanted.entry(hash(name)).or_insert(spelling);
        *entry = (*entry).max(spelling);
    };
    for word in query.written_words.iter().filter(|word| word.len() >= 4) {
        want(word, Spelling::Word);
        want(&capital(word), Spelling::Word);
    }
    for run in &query.runs {
        for name in spellings(run) {
            want(&name, Spelling::Apart);
        }
    }
    for word in &query.code {
        want(word, Spelling::Code);
    }
    wanted
}

/// Spells `max body length` in the naming conventions of different languages.
fn spellings(run: &[String]) -> [String; 4] {
    let pascal: String = run.iter().map(|word| capital(word)).collect();
    let camel: String = run[..1].iter().cloned().chain(run[1..].iter().map(|word| capital(word))).collect();
    let snake = run.join("_");
    let screaming = snake.to_ascii_uppercase();
    [pascal, camel, snake, screaming]
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::samples;

    #[test]
    fn a_member_is_the_first_one_after_its_class() {
        let class = |name: &str| format!("class {name}:\n    def close(self):\n        pass\n\n");
        let text = ["Book", "Ledger", "Shop"].map(class).concat();
        let (_dir, corpus) = samples::corpus(&[("shop.py", &text)]);
        let line = |task: &str| {
            let hits = defined(&corpus, &Query::new(task, None));
            let hits = hits.into_values().next().unwrap();
            hits.iter().find(|hit| hit.name == "close").unwrap().line
        };
        assert_eq!(line("`Ledger.close` fails"), 6);
        assert_eq!(line("`Shop.close()` fails"), 10);
        assert_eq!(line("`close` fails"), 2);
    }

    #[test]
    fn names_are_searched_in_the_spelling_of_each_language() {
        let wanted = names(&Query::new("The max body length of `Agent` is wrong in the writer", None));
        for (name, how) in [
            ("maxBodyLength", Spelling::Apart),
            ("MaxBodyLength", Spelling::Apart),
            ("max_body_length", Spelling::Apart),
            ("MAX_BODY_LENGTH", Spelling::Apart),
            ("body_length", Spelling::Apart),
            ("Agent", Spelling::Code),
            ("writer", Spelling::Word),
            ("Writer", Spelling::Word),
        ] {
            assert_eq!(wanted.get(&hash(name)), Some(&how), "{name}");
        }
        assert_eq!(wanted.get(&hash("the")), None);
    }
}
