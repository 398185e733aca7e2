//! The scope before a subject's colon: `fix(css): …`, `net/http: …`, `[autodoc] …`. A scope is usually the name of a
//! directory or file.

use rayon::prelude::*;

use super::evidence::is_product;
use super::mentions::stem;
use super::neighbours::directory;
use crate::gather::corpus::{Corpus, SourceFile};
use crate::ids::FileId;

/// Kinds of changes and reports, which do not name a part of the project.
const KINDS: [&str; 28] = [
    "bug", "bugfix", "build", "chore", "ci", "cleanup", "deps", "doc", "docs", "enhancement", "feat", "feature", "fix",
    "fixed", "hotfix", "improvement", "perf", "proposal", "question", "refactor", "regression", "revert", "rfc",
    "style", "suggestion", "test", "tests", "wip",
];
/// Words that may follow a kind, as in "bug report". Without a kind before them, they may name a part of the project.
const AND: [&str; 2] = ["report", "request"];
/// Maximum length of a scope; longer text before a colon is a sentence.
const LONGEST: usize = 60;
const MOST_WORDS: usize = 3;
/// Value of a match with a directory's name. A match with a file's name has the value 1.
const DIRECTORY: f32 = 0.5;

/// A parsed subject.
#[derive(Debug, PartialEq, Eq)]
pub struct Subject<'a> {
    /// Parts of the project named in the scope; empty without a scope.
    pub scopes: Vec<&'a str>,
    /// The text after the scope.
    pub rest: &'a str,
}

impl<'a> Subject<'a> {
    /// Parses a subject line.
    pub fn of(line: &'a str) -> Self {
        scope(line.trim_start()).map_or(Self { scopes: Vec::new(), rest: line }, |(scope, rest)| {
            let parts = scope.split(|character: char| character.is_whitespace() || ",&+()".contains(character));
            Self { scopes: parts.filter(|part| !part.is_empty()).collect(), rest }
        })
    }
}

/// The text before the colon, without the kind of change, and the text after the colon.
fn scope(mut line: &str) -> Option<(&str, &str)> {
    let whole = line;
    // A scope may follow `[Bug]: …`.
    while let Some((kind, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']'))
        && is_kind(kind)
    {
        line = rest.trim_start_matches([':', ' ']);
    }
    place(line).or_else(|| (line.len() < whole.len()).then_some(("", line)))
}

/// Like [`scope`], for a line without a kind in brackets.
fn place(line: &str) -> Option<(&str, &str)> {
    if let Some((scope, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
        return (!scope.is_empty() && scope.len() <= LONGEST).then_some((scope, rest));
    }
    let (before, rest) = line.split_once(": ")?;
    let before = before.trim_end_matches('!');
    if before.len() > LONGEST || before.contains('`') || before.split_whitespace().count() > MOST_WORDS {
        return None;
    }
    let (kind, scope) = before.split_once('(').unwrap_or((before, ""));
    Some((if is_kind(kind) { scope } else { before }, rest))
}

/// Returns true for `Fix`, `Feature request` and similar.
fn is_kind(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace();
    words.next().is_some_and(|first| KINDS.contains(&first)) && words.all(|word| AND.contains(&word))
}

/// For each file of product code, the quality of its match with the scopes, by its name or one of its directories. The
/// more files match, the lower the value of each.
pub fn fitting(corpus: &Corpus, scopes: &[String]) -> Vec<f32> {
    let mut values = vec![0.0; corpus.files.len()];
    for scope in scopes {
        let wanted = ScopeName::new(scope);
        let fit = |(at, file): (usize, &SourceFile)| {
            is_product(file).then(|| wanted.fit(&file.path)).flatten().map(|fit| (FileId::new(at), fit))
        };
        let found: Vec<(FileId, f32)> = corpus.files.par_iter().enumerate().with_min_len(512).filter_map(fit).collect();
        let share = (found.len() as f32).sqrt();
        for (at, fit) in found {
            values[at] += fit / share;
        }
    }
    values
}

/// The first scope that a path matches.
pub fn scope_of<'a>(path: &str, scopes: &'a [String]) -> Option<&'a str> {
    scopes.iter().find(|scope| ScopeName::new(scope).fit(path).is_some()).map(String::as_str)
}

/// The parts of a scope's name, prepared for comparison.
struct ScopeName(Vec<String>);

impl ScopeName {
    fn new(scope: &str) -> Self {
        let parts = scope.split(['/', '.', ':']).map(|part| plain(part).collect());
        Self(parts.filter(|part: &String| !part.is_empty()).collect())
    }

    fn fit(&self, path: &str) -> Option<f32> {
        let wanted = &self.0;
        // A single letter is not a name.
        if wanted.last().is_none_or(|last| last.len() < 2) {
            return None;
        }
        let parts: Vec<&str> = directory(path).split('/').chain([stem(path)]).collect();
        let same = |parts: &[&str]| parts.iter().zip(wanted).all(|(part, wanted)| plain(part).eq(wanted.chars()));
        let at = parts.windows(wanted.len()).rposition(same)?;
        Some(if at + wanted.len() == parts.len() { 1.0 } else { DIRECTORY })
    }
}

/// Keeps only letters and digits, so that `cf-socket`, `cf_socket` and `cfSocket` are equal.
fn plain(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scope_of_a_subject_is_parsed() {
        for (line, scopes, rest) in [
            ("fix(css): keep the order", &["css"][..], "keep the order"),
            ("feat(lib, dev)!: name it", &["lib", "dev"], "name it"),
            ("refactor: move it", &[], "move it"),
            ("net/http: close the body", &["net/http"], "close the body"),
            ("helper(foo): say more", &["helper", "foo"], "say more"),
            ("[lint] follow the rules", &["lint"], " follow the rules"),
            ("[Bug]: it falls over", &[], "it falls over"),
            ("[Feature Request] autodoc: say more", &["autodoc"], "say more"),
            ("[Bug][css] wrong order", &["css"], " wrong order"),
            ("Regression: it falls over", &[], "it falls over"),
            ("Bug report: it falls over", &[], "it falls over"),
            ("[] nothing", &[], "[] nothing"),
            ("request: keep the header", &["request"], "keep the header"),
            ("fix build: say more", &["fix", "build"], "say more"),
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
    fn a_subject_may_consist_only_of_kinds() {
        let kinds = "[bug]".repeat(40_000);
        let Subject { scopes, rest } = Subject::of(&kinds);
        assert_eq!((scopes.len(), rest), (0, ""));
    }

    #[test]
    fn files_and_directories_match_a_scope() {
        let fit = |path: &str, scope: &str| ScopeName::new(scope).fit(path);
        assert_eq!(fit("lib/cf-socket.c", "cf_socket"), Some(1.0));
        assert_eq!(fit("net/http/body.go", "net/http"), Some(DIRECTORY));
        assert_eq!(fit("net/http.go", "net/http"), Some(1.0));
        assert_eq!(fit("net/smtp/http.go", "net/http"), None);
        assert_eq!(fit("a.c", "a/b/c"), None);
        assert_eq!(fit("a.c", "a"), None);
        assert_eq!(fit("a.c", "//"), None);
        let scopes = ["cli".to_owned(), "net/http".to_owned()];
        assert_eq!(scope_of("net/http/body.go", &scopes), Some("net/http"));
        assert_eq!(scope_of("net/smtp.go", &scopes), None);
    }
}
