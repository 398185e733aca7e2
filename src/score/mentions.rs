//! Files that a text names: by path, file name, module name or stem, and places in them (`file:line`).

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use rayon::prelude::*;
use regex::Regex;

use super::query::looks_like_code;
use super::subject::Subject;
use crate::gather::corpus::{Corpus, SourceFile};
use crate::gather::evidence::resolve::Resolver;
use crate::gather::language::Language;
use crate::gather::terms::spaced;

/// How a text names a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Its stem, as a plain word.
    Word,
    /// Its stem, written as code or as the subject's `scope:`.
    Stem,
    /// Its file name.
    Name,
    /// Its path, or the last two parts of it, or its module's name.
    Path,
}

impl How {
    /// How strong this is as evidence; 3 is a path.
    pub fn strength(self) -> f32 {
        match self {
            Self::Word => 0.5,
            Self::Stem => 1.0,
            Self::Name => 2.0,
            Self::Path => 3.0,
        }
    }
}

/// One file that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// How.
    pub how: How,
    /// What the text says.
    pub said: String,
}

/// What a text names.
#[derive(Debug, Default)]
pub struct Mentions {
    /// By file.
    pub files: HashMap<usize, Mention>,
    /// Files that are not there, in the order of the text.
    pub missing: Vec<String>,
    /// Lines of files, from traces, `file:line` and links.
    pub places: HashMap<usize, Vec<u32>>,
}

/// Stems that many files have: as words they name nothing.
const GENERIC: [&str; 44] = [
    "mod",
    "lib",
    "main",
    "index",
    "__init__",
    "init",
    "utils",
    "util",
    "base",
    "core",
    "types",
    "common",
    "test",
    "tests",
    "config",
    "data",
    "error",
    "errors",
    "helpers",
    "server",
    "client",
    "api",
    "app",
    "type",
    "default",
    "defaults",
    "build",
    "setup",
    "version",
    "constants",
    "model",
    "models",
    "view",
    "views",
    "readme",
    "license",
    "changelog",
    "makefile",
    "helper",
    "new",
    "all",
    "run",
    "options",
    "internal",
];

#[expect(clippy::unwrap_used, reason = "constant patterns, exercised by the tests")]
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?P<path>[\w@./\\+-]*[\w+-]\.[A-Za-z][A-Za-z0-9+]{0,9})(?:(?:"?, line |:|#L|\()(?P<line>\d{1,6}))?"#)
        .unwrap()
});
#[expect(clippy::unwrap_used, reason = "constant patterns, exercised by the tests")]
static DOTTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[\w-]+(?:(?:\.|::)[\w-]+)+").unwrap());
#[expect(clippy::unwrap_used, reason = "constant patterns, exercised by the tests")]
static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z_][\w-]*").unwrap());

/// What the text says that could name a file, looked up by every file.
struct Said {
    names: HashSet<String>,
    tails: HashMap<String, String>,
    modules: HashMap<String, String>,
    code: HashSet<String>,
    words: HashSet<String>,
}

impl Mentions {
    /// What `text` names in the corpus; `plain` also takes plain words for stems.
    pub fn new(corpus: &Corpus, text: &str, plain: bool) -> Self {
        let said = Said::new(text, plain);
        let stems: Vec<String> = corpus.files.par_iter().map(|file| stem(&file.path).to_lowercase()).collect();
        let mut count: HashMap<&str, u32> = HashMap::new();
        for stem in &stems {
            *count.entry(stem).or_default() += 1;
        }
        let named = |(index, (file, stem)): (usize, (&SourceFile, &String))| {
            let mention = said.mention(&file.path, file.language, stem, count[stem.as_str()])?;
            Some((index, mention))
        };
        let files = corpus.files.par_iter().zip(&stems).enumerate().filter_map(named).collect();
        let (missing, places) = files_and_places(corpus, text);
        Self { files, missing, places }
    }
}

impl Said {
    fn new(text: &str, plain: bool) -> Self {
        let text = spaced(text);
        let low = text.to_lowercase().replace('\\', "/");
        let (mut names, mut tails) = (HashSet::new(), HashMap::new());
        for found in FILE.captures_iter(&low) {
            let path = found["path"].trim_start_matches("./");
            let mut parts = path.rsplit('/');
            let name = parts.next().unwrap_or_default();
            names.insert(name.to_owned());
            if let Some(parent) = parts.next().filter(|parent| !parent.is_empty()) {
                tails.insert(format!("{parent}/{name}"), path.to_owned());
            }
        }
        let mut modules = HashMap::new();
        for found in DOTTED.find_iter(&low) {
            let parts: Vec<&str> = found.as_str().split(['.', ':']).filter(|part| !part.is_empty()).take(8).collect();
            for pair in parts.windows(2) {
                modules.entry(pair.join(".")).or_insert_with(|| found.as_str().to_owned());
            }
        }
        let (mut code, mut words) = (HashSet::new(), HashSet::new());
        let (title, more) = text.trim_start().split_once('\n').unwrap_or((text.trim_start(), ""));
        // `fix(css)` calls nothing, and names `css`.
        let Subject { scopes, rest } = Subject::of(title);
        code.extend(scopes.iter().flat_map(|scope| WORD.find_iter(scope)).map(|word| word.as_str().to_lowercase()));
        let said = format!("{rest}\n{more}");
        for (part, quoted) in said.split('`').zip([false, true].into_iter().cycle()) {
            for found in WORD.find_iter(part) {
                let word = found.as_str();
                let called = part[found.end()..].starts_with('(');
                if quoted || called || looks_like_code(word) {
                    code.insert(word.to_lowercase());
                }
            }
        }
        if plain {
            // Only the first lines: in a long text every plain word is said sooner or later.
            let head: String = text.chars().take(1500).collect();
            words.extend(WORD.find_iter(&head).map(|word| word.as_str().to_lowercase()).filter(|word| word.len() > 3));
        }
        Self { names, tails, modules, code, words }
    }

    fn mention(&self, path: &str, language: Option<Language>, stem: &str, same_stem: u32) -> Option<Mention> {
        let low = path.to_lowercase();
        let mut parts = low.rsplit('/');
        let name = parts.next().unwrap_or_default();
        let parent = parts.next();
        if let Some(parent) = parent
            && let Some(said) = self.tails.get(&format!("{parent}/{name}"))
        {
            return Some(Mention { how: How::Path, said: said.clone() });
        }
        if self.names.contains(name) {
            let how = if parent.is_none() { How::Path } else { How::Name };
            return Some(Mention { how, said: name.to_owned() });
        }
        if language.is_some_and(has_module_names)
            && let Some(module) = module_tail(&low)
            && let Some(said) = self.modules.get(&module)
        {
            return Some(Mention { how: How::Path, said: said.clone() });
        }
        if stem.len() < 3 || GENERIC.contains(&stem) || same_stem > 8 {
            return None;
        }
        let how = if self.code.contains(stem) {
            How::Stem
        } else if self.words.contains(stem) {
            How::Word
        } else {
            return None;
        };
        Some(Mention { how, said: stem.to_owned() })
    }
}

/// Languages in which `a.b` (or `a::b`) is the file `a/b`.
fn has_module_names(language: Language) -> bool {
    matches!(
        language,
        Language::Python
            | Language::Java
            | Language::Kotlin
            | Language::Scala
            | Language::Groovy
            | Language::Rust
            | Language::CSharp
    )
}

/// The last two parts of a module's name: `sync.mpsc` for `src/sync/mpsc/mod.rs`.
fn module_tail(path: &str) -> Option<String> {
    let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
    let mut parts: Vec<&str> = path.split('/').collect();
    if parts.len() > 2 && matches!(parts.last(), Some(&("__init__" | "mod" | "lib"))) {
        parts.pop();
    }
    (parts.len() >= 2).then(|| parts[parts.len() - 2..].join("."))
}

/// The file name without its extension.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem)
}

fn files_and_places(corpus: &Corpus, text: &str) -> (Vec<String>, HashMap<usize, Vec<u32>>) {
    let mut missing: Vec<String> = Vec::new();
    let mut places: HashMap<usize, Vec<u32>> = HashMap::new();
    let mut asked: HashMap<String, Option<usize>> = HashMap::new();
    // Most texts name no file, and then nobody asks which there are.
    let resolver = LazyCell::new(|| Resolver::new(corpus));
    let names: LazyCell<HashSet<String>, _> = LazyCell::new(|| {
        let skipped = corpus.skipped.iter().map(|skipped| &skipped.path);
        let paths = corpus.files.iter().map(|file| &file.path).chain(skipped);
        paths.map(|path| path.rsplit('/').next().unwrap_or_default().to_lowercase()).collect()
    });
    for (zone, line) in super::zones::zones(text) {
        for found in FILE.captures_iter(line) {
            let path = &found["path"];
            let start = found.get(0).map_or(0, |all| all.start());
            let link = line[..start]
                .rsplit(char::is_whitespace)
                .next()
                .is_some_and(|before| before.contains("://") || before.ends_with(':'));
            if let Some(number) = found.name("line").and_then(|line| line.as_str().parse().ok()) {
                // A trace of thousands of lines names few files: each is looked up once.
                if asked.len() < 200 || asked.contains_key(path) {
                    let file = *asked.entry(path.to_owned()).or_insert_with(|| resolver.find(path, None).ok());
                    if let Some(file) = file {
                        places.entry(file).or_default().push(number);
                    }
                }
            }
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
            let talk = matches!(zone, super::zones::Zone::Title | super::zones::Zone::Prose);
            if talk
                && !link
                && is_file_name(path)
                && !names.contains(&name)
                && !missing.iter().any(|known| known == path)
            {
                missing.push(path.to_owned());
            }
        }
    }
    for lines in places.values_mut() {
        lines.dedup();
        lines.truncate(20);
    }
    (missing, places)
}

/// Names that end like a file.
const PRODUCTS: [&str; 9] = ["node", "next", "vue", "react", "express", "three", "nuxt", "d3", "ember"];

/// Whether `a.b` is meant as a file: it has a known extension of code, or a directory and a known language.
fn is_file_name(path: &str) -> bool {
    let Some(language) = Language::of(path, "") else { return false };
    // `Node.js`, `Next.js` and the like are products.
    let product =
        !path.contains('/') && path.to_lowercase().strip_suffix(".js").is_some_and(|name| PRODUCTS.contains(&name));
    (language.is_code() || path.contains('/')) && !product && !path.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_files_in_many_ways() {
        let said =
            Said::new("net: see `lib/http_server.py`, foo.bar_baz and tokio::sync::mpsc or widget in query.py", true);
        let how = |path: &str, language| {
            said.mention(path, Some(language), &stem(path).to_lowercase(), 1).map(|mention| mention.how)
        };
        assert_eq!(how("src/lib/http_server.py", Language::Python), Some(How::Path));
        assert_eq!(how("other/http_server.py", Language::Python), Some(How::Name));
        assert_eq!(how("foo/bar_baz.py", Language::Python), Some(How::Path));
        assert_eq!(how("tokio/src/sync/mpsc/mod.rs", Language::Rust), Some(How::Path));
        assert_eq!(how("db/query.py", Language::Python), Some(How::Name));
        assert_eq!(how("a/net.c", Language::C), Some(How::Stem));
        assert_eq!(how("a/widget.go", Language::Go), Some(How::Word));
        assert_eq!(how("a/other.go", Language::Go), None);
        assert_eq!(how("a/lib.go", Language::Go), None);
    }

    #[test]
    fn stems_are_names_without_their_extension() {
        for (path, expected) in
            [("a/b.test.js", "b.test"), (".bashrc", ".bashrc"), ("a/Makefile", "Makefile"), ("x.rs", "x")]
        {
            assert_eq!(stem(path), expected);
        }
    }
}
