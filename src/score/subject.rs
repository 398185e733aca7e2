//! What stands before a subject's colon: `fix(css): …`, `net/http: …`, `[autodoc] …`. Whoever writes so says which part of the
//! project it is about, and in names that are usually those of its directories and files.

use crate::gather::corpus::Corpus;

use super::evidence::is_product;
use super::neighbours::directory;

/// Kinds of changes: they say what is done, not where.
const KINDS: [&str; 20] = [
    "bugfix", "build", "chore", "ci", "cleanup", "deps", "doc", "docs", "feat", "feature", "fix", "fixed", "hotfix",
    "perf", "refactor", "revert", "style", "test", "tests", "wip",
];
/// A longer beginning is a sentence with a colon in it.
const LONGEST: usize = 60;
const MOST_WORDS: usize = 3;
/// What a directory of that name counts, where a file of that name is 1.
const DIRECTORY: f32 = 0.5;

/// A first line, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Subject<'a> {
    /// The parts of the project that it says it is about; empty where it says none.
    pub scopes: Vec<&'a str>,
    /// What it says about them.
    pub rest: &'a str,
}

impl<'a> Subject<'a> {
    /// Of a text's first line.
    pub fn of(line: &'a str) -> Self {
        scope(line.trim_start()).map_or(Self { scopes: Vec::new(), rest: line }, |(scope, rest)| {
            let parts = scope.split(|character: char| character.is_whitespace() || ",&+()".contains(character));
            Self { scopes: parts.filter(|part| !part.is_empty()).collect(), rest }
        })
    }
}

/// What stands before the colon, without the kind of change, and what follows it.
fn scope(line: &str) -> Option<(&str, &str)> {
    if let Some((scope, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
        return (!scope.is_empty() && scope.len() <= LONGEST).then_some((scope, rest));
    }
    let (before, rest) = line.split_once(": ")?;
    let before = before.trim_end_matches('!');
    if before.len() > LONGEST || before.contains('`') || before.split_whitespace().count() > MOST_WORDS {
        return None;
    }
    let (kind, scope) = before.split_once('(').unwrap_or((before, ""));
    let is_kind = KINDS.contains(&kind.to_lowercase().as_str());
    Some((if is_kind { scope } else { before }, rest))
}

/// How well each file of product code fits the scopes: its name is one, or one of its directories has that name. The more
/// files fit, the less it says of each.
pub fn fitting(corpus: &Corpus, scopes: &[String]) -> Vec<f32> {
    let mut values = vec![0.0; corpus.files.len()];
    for scope in scopes {
        let wanted: Vec<String> = scope.split(['/', '.', ':']).map(plain).filter(|part| !part.is_empty()).collect();
        if wanted.last().is_none_or(|last| last.len() < 2) {
            continue;
        }
        let files = corpus.files.iter().enumerate().filter(|(_, file)| is_product(file));
        let found: Vec<(usize, f32)> = files.filter_map(|(at, file)| Some((at, fit(&file.path, &wanted)?))).collect();
        let share = (found.len() as f32).sqrt();
        for (at, fit) in found {
            values[at] += fit / share;
        }
    }
    values
}

fn fit(path: &str, wanted: &[String]) -> Option<f32> {
    let stem = super::mentions::stem(path);
    let parts: Vec<String> = directory(path).split('/').chain([stem]).map(plain).collect();
    let at = parts.windows(wanted.len()).rposition(|window| window == wanted)?;
    Some(if at + wanted.len() == parts.len() { 1.0 } else { DIRECTORY })
}

/// Letters and digits alone: `cf-socket`, `cf_socket` and `cfSocket` are one name.
fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_says_what_it_is_about() {
        for (line, scopes, rest) in [
            ("fix(css): keep the order", &["css"][..], "keep the order"),
            ("feat(lib, dev)!: name it", &["lib", "dev"], "name it"),
            ("refactor: move it", &[], "move it"),
            ("net/http: close the body", &["net/http"], "close the body"),
            ("helper(foo): say more", &["helper", "foo"], "say more"),
            ("[lint] follow the rules", &["lint"], " follow the rules"),
            ("It fails with this: nothing", &[], "It fails with this: nothing"),
            ("`a`: b", &[], "`a`: b"),
            ("std::io is slow", &[], "std::io is slow"),
            ("Plain words", &[], "Plain words"),
            ("", &[], ""),
        ] {
            assert_eq!(Subject::of(line), Subject { scopes: scopes.to_vec(), rest }, "{line}");
        }
    }

    #[test]
    fn files_and_directories_of_that_name_fit() {
        let wanted = |scope: &str| scope.split('/').map(plain).collect::<Vec<String>>();
        assert_eq!(fit("lib/cf-socket.c", &wanted("cf_socket")), Some(1.0));
        assert_eq!(fit("net/http/body.go", &wanted("net/http")), Some(DIRECTORY));
        assert_eq!(fit("net/http.go", &wanted("net/http")), Some(1.0));
        assert_eq!(fit("net/smtp/http.go", &wanted("net/http")), None);
        assert_eq!(fit("a.c", &wanted("a/b/c")), None);
    }
}
