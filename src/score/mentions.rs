//! Files that the task or plan names by path, file name, module name or stem, and locations in them (`file:line`).

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use rayon::prelude::*;
use regex::{Captures, Regex};

use super::evidence::is_product;
use super::module_names::ModuleNames;
use super::query::looks_like_code;
use super::subject::Subject;
use crate::gather::corpus::{Corpus, SourceFile};
use crate::gather::evidence::resolve::{Resolver, root_name};
use crate::gather::evidence::written_path::{PathMatch, WrittenPath};
use crate::gather::terms::{hash, spaced};
use crate::ids::FileId;
use crate::outline::language::Language;

/// The way in which text names a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MentionKind {
    /// The stem as a plain word.
    Word,
    /// The stem, written as code or as the subject's `scope:`.
    Stem,
    /// The file name.
    Name,
    /// The path, its last two parts, or the module name.
    Path,
}

impl MentionKind {
    /// Strength of the evidence, up to 3 for a path.
    pub fn strength(self) -> f32 {
        match self {
            Self::Word => 0.5,
            Self::Stem => 1.0,
            Self::Name => 2.0,
            Self::Path => 3.0,
        }
    }
}

/// A file named in text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The kind of name that matched.
    pub kind: MentionKind,
    /// Words of the text that name the file.
    pub words: String,
    /// Number of files that the same words name. Only product code counts, unless the words are a path or file name.
    pub shared: u32,
}

/// Files named in text.
#[derive(Debug, Default)]
pub struct Mentions {
    /// Mentions by file.
    pub files: HashMap<FileId, Mention>,
    /// Named files that do not exist, in the order of the text.
    pub missing: Vec<String>,
    /// Lines of files, from traces, `file:line` and links.
    pub places: HashMap<FileId, Vec<u32>>,
}

/// Maximum number of compared paths with the same file name.
const MOST_PATHS: usize = 20;
/// Stems of many files. As plain words, they do not name a file.
const GENERIC: [&str; 44] = [
    "mod", "lib", "main", "index", "__init__", "init", "utils", "util", "base", "core", "types", "common", "test",
    "tests", "config", "data", "error", "errors", "helpers", "server", "client", "api", "app", "type", "default",
    "defaults", "build", "setup", "version", "constants", "model", "models", "view", "views", "readme", "license",
    "changelog", "makefile", "helper", "new", "all", "run", "options", "internal",
];

#[expect(clippy::unwrap_used, reason = "constant patterns, exercised by the tests")]
/// A path or file name, and a line number after it.
pub static FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?P<path>[\w@./\\+-]*[\w+-]\.[A-Za-z][A-Za-z0-9+]{0,9})(?:(?:"?, line |:|#L|\()(?P<line>\d{1,6}))?"#)
        .unwrap()
});
#[expect(clippy::unwrap_used, reason = "constant patterns, exercised by the tests")]
static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z_][\w-]*").unwrap());

/// Words that may name a file. Every file is looked up in them.
struct NameLookup {
    /// File names without a directory.
    names: HashSet<String>,
    /// Paths with a directory, by file name.
    paths: HashMap<String, Vec<WrittenPath>>,
    modules: ModuleNames,
    code: HashSet<String>,
    words: HashSet<String>,
}

/// A possible match of a file with the text, before other files are considered.
enum FileMatch {
    /// The text contains a path that ends like the file's path. Only the file that matches best counts.
    Path(String, PathMatch),
    /// The text contains a module name that shares this many parts with the file's module. Only the file with the
    /// longest match counts.
    Module(String, usize),
    /// The text contains the file's name or stem.
    Name(MentionKind, String),
}

impl Mentions {
    /// Finds the files that `text` names. Plain words may match stems only if `plain` is set.
    pub fn new(corpus: &Corpus, text: &str, plain: bool) -> Self {
        let said = NameLookup::new(text, plain);
        let root = root_name(corpus).to_lowercase();
        // Sorted hashes are used instead of a table of stems, which would take more memory than all paths.
        let mut stems: Vec<u64> = corpus.files.par_iter().map(|file| hash(&stem(&file.path).to_lowercase())).collect();
        stems.par_sort_unstable();
        let count = |stem: &str| {
            let (hash, up_to) =
                (hash(stem), |limit: &dyn Fn(u64) -> bool| stems.partition_point(|known| limit(*known)));
            (up_to(&|known| known <= hash) - up_to(&|known| known < hash)) as u32
        };
        let candidates = |(index, file): (usize, &SourceFile)| {
            let stem = stem(&file.path).to_lowercase();
            let found = said.candidates(&file.path, &root, file.language, &stem, || count(&stem));
            found.into_iter().map(move |candidate| (FileId::new(index), candidate)).collect::<Vec<_>>()
        };
        let candidates: Vec<(FileId, FileMatch)> =
            corpus.files.par_iter().enumerate().flat_map_iter(candidates).collect();
        let (missing, places) = files_and_places(corpus, text);
        Self { files: chosen(corpus, candidates), missing, places }
    }
}

/// Chooses among the candidates: the best match of each path and module name, and for each file the strongest kind of
/// match.
fn chosen(corpus: &Corpus, candidates: Vec<(FileId, FileMatch)>) -> HashMap<FileId, Mention> {
    let mut paths: HashMap<String, (PathMatch, u32)> = HashMap::new();
    let mut modules: HashMap<String, usize> = HashMap::new();
    for (_, candidate) in &candidates {
        match candidate {
            FileMatch::Path(said, fit) => {
                let (best, files) = paths.entry(said.clone()).or_default();
                *files = if *fit > *best { 1 } else { *files + u32::from(fit == best) };
                *best = (*best).max(*fit);
            }
            FileMatch::Module(said, parts) => {
                let best = modules.entry(said.clone()).or_default();
                *best = (*best).max(*parts);
            }
            FileMatch::Name(..) => {}
        }
    }
    let mut files: HashMap<FileId, Mention> = HashMap::new();
    let mut shared: HashMap<(MentionKind, String), u32> = HashMap::new();
    for (file, candidate) in candidates {
        let (kind, said) = match candidate {
            FileMatch::Path(said, fit) if paths[&said].0 == fit && (paths[&said].1 == 1 || is_all_of(&said, fit)) => {
                (MentionKind::Path, said)
            }
            FileMatch::Module(said, parts) if modules[&said] == parts => (MentionKind::Path, said),
            FileMatch::Name(kind, said) => (kind, said),
            FileMatch::Path(..) | FileMatch::Module(..) => continue,
        };
        if kind >= MentionKind::Name || is_product(&corpus.files[file]) {
            *shared.entry((kind, said.clone())).or_default() += 1;
        }
        let known = files.entry(file).or_insert_with(|| Mention { kind, words: said.clone(), shared: 0 });
        if kind > known.kind {
            *known = Mention { kind, words: said, shared: 0 };
        }
    }
    for mention in files.values_mut() {
        mention.shared = shared.get(&(mention.kind, mention.words.clone())).copied().unwrap_or_default();
    }
    files
}

/// Removes file paths from text, because the words of a path refer only to that path.
fn without_paths(text: &str) -> Cow<'_, str> {
    FILE.replace_all(text, |found: &Captures<'_>| {
        let path = &found["path"];
        if path.contains(['/', '\\']) || is_file_name(path) { " ".to_owned() } else { found[0].to_owned() }
    })
}

/// Returns true if the file's path ends with the whole written path, not only with part of it.
fn is_all_of(said: &str, fit: PathMatch) -> bool {
    said.split('/').count() == fit.0
}

impl NameLookup {
    fn new(text: &str, plain: bool) -> Self {
        let text = spaced(text);
        let low = text.to_lowercase().replace('\\', "/");
        let mut names = HashSet::new();
        let mut paths: HashMap<String, Vec<WrittenPath>> = HashMap::new();
        for found in FILE.captures_iter(&low) {
            let Some(path) = WrittenPath::parse(&found["path"]) else { continue };
            if path.parts.len() == 1 && !path.absolute && !path.installed {
                names.insert(path.name().to_owned());
            } else if !path.foreign || path.installed {
                let known = paths.entry(path.name().to_owned()).or_default();
                // Even a log of thousands of lines has few different paths with the same file name.
                if known.len() < MOST_PATHS && !known.contains(&path) {
                    known.push(path);
                }
            }
        }
        let (mut code, mut words) = (HashSet::new(), HashSet::new());
        let (title, more) = text.trim_start().split_once('\n').unwrap_or((text.trim_start(), ""));
        // The `fix` in `fix(css)` is not a function call, but `css` is a name.
        let Subject { scopes, rest } = Subject::of(title);
        code.extend(scopes.iter().flat_map(|scope| WORD.find_iter(scope)).map(|word| word.as_str().to_lowercase()));
        let prose = format!("{rest}\n{more}");
        let said = without_paths(&prose);
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
            // Only the beginning is searched, because a long text contains nearly every plain word.
            let head: String = text.chars().take(1500).collect();
            words.extend(
                WORD.find_iter(&without_paths(&head))
                    .map(|word| word.as_str().to_lowercase())
                    .filter(|word| word.len() > 3),
            );
        }
        Self { names, paths, modules: ModuleNames::new(&low), code, words }
    }

    /// All ways in which the text may name a file, before other files are considered.
    fn candidates(
        &self,
        path: &str,
        root: &str,
        language: Option<Language>,
        stem: &str,
        same_stem: impl Fn() -> u32,
    ) -> Vec<FileMatch> {
        let low = path.to_lowercase();
        let name = low.rsplit('/').next().unwrap_or_default();
        let mut found = Vec::new();
        for written in self.paths.get(name).into_iter().flatten() {
            if let Some(fit) = written.fit(&low, root, |a, b| a == b) {
                found.push(FileMatch::Path(written.parts.join("/"), fit));
            }
        }
        if self.names.contains(name) {
            let kind = if low.contains('/') { MentionKind::Name } else { MentionKind::Path };
            found.push(FileMatch::Name(kind, name.to_owned()));
        }
        if let Some(language) = language
            && let Some((said, parts)) = self.modules.find(&low, language)
        {
            found.push(FileMatch::Module(said, parts));
        }
        let is_word = || self.words.contains(stem).then_some(MentionKind::Word);
        let kind = self.code.contains(stem).then_some(MentionKind::Stem).or_else(is_word);
        if let Some(kind) = kind
            && found.is_empty()
            && stem.len() >= 3
            && !GENERIC.contains(&stem)
            && same_stem() <= 8
        {
            found.push(FileMatch::Name(kind, stem.to_owned()));
        }
        found
    }
}

/// The file name without its extension.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem)
}

fn files_and_places(corpus: &Corpus, text: &str) -> (Vec<String>, HashMap<FileId, Vec<u32>>) {
    let mut missing: Vec<String> = Vec::new();
    let mut places: HashMap<FileId, Vec<u32>> = HashMap::new();
    let mut asked: HashMap<String, Option<FileId>> = HashMap::new();
    // Most tasks name no file, so the resolver is built only when it is needed.
    let resolver = LazyCell::new(|| Resolver::new(corpus));
    let names: LazyCell<HashSet<String>, _> = LazyCell::new(|| {
        let skipped = corpus.skipped.iter().map(|skipped| &skipped.path);
        let paths = corpus.files.iter().map(|file| &file.path).chain(skipped);
        paths.map(|path| path.rsplit('/').next().unwrap_or_default().to_lowercase()).collect()
    });
    for (zone, line) in super::text_regions::zones(text) {
        for found in FILE.captures_iter(line) {
            let path = &found["path"];
            let start = found.get(0).map_or(0, |all| all.start());
            let link = line[..start]
                .rsplit(char::is_whitespace)
                .next()
                .is_some_and(|before| before.contains("://") || before.ends_with(':'));
            if let Some(number) = found.name("line").and_then(|line| line.as_str().parse().ok()) {
                // A trace of thousands of lines names few files, and each is looked up once.
                if asked.len() < 200 || asked.contains_key(path) {
                    let file = *asked.entry(path.to_owned()).or_insert_with(|| resolver.find(path, None).ok());
                    if let Some(file) = file {
                        places.entry(file).or_default().push(number);
                    }
                }
            }
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
            let talk = matches!(zone, super::text_regions::Region::Title | super::text_regions::Region::Prose);
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

/// Product names that end like a file name.
const PRODUCTS: [&str; 9] = ["node", "next", "vue", "react", "express", "three", "nuxt", "d3", "ember"];

/// Returns true if `a.b` is a file name: it has a known code extension, or a directory and a known language.
pub fn is_file_name(path: &str) -> bool {
    let Some(language) = Language::of(path, "") else { return false };
    // `Node.js`, `Next.js` and similar names are products, not files.
    let product =
        !path.contains('/') && path.to_lowercase().strip_suffix(".js").is_some_and(|name| PRODUCTS.contains(&name));
    (language.is_code() || path.contains('/')) && !product && !path.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::samples;

    /// The kind of name by which `text` mentions each of these files.
    fn named(text: &str, files: &[&str]) -> Vec<Option<MentionKind>> {
        let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "x\n")).collect();
        let (_dir, corpus) = samples::corpus(&files);
        let mentions = Mentions::new(&corpus, text, true);
        let of = |path: &str| corpus.find(path).and_then(|file| mentions.files.get(&file)).map(|mention| mention.kind);
        files.iter().map(|(path, _)| of(path)).collect()
    }

    #[test]
    fn files_are_named_in_many_ways() {
        let text =
            "net: see `lib/http_server.py`, foo.bar_baz and tokio::sync::mpsc or widget in query.py and setup.py";
        let cases = [
            ("src/lib/http_server.py", Some(MentionKind::Path)),
            ("other/http_server.py", None),
            ("foo/bar_baz.py", Some(MentionKind::Path)),
            ("tokio/src/sync/mpsc/mod.rs", Some(MentionKind::Path)),
            ("db/query.py", Some(MentionKind::Name)),
            ("setup.py", Some(MentionKind::Path)),
            ("a/net.c", Some(MentionKind::Stem)),
            ("a/widget.go", Some(MentionKind::Word)),
            ("a/other.go", None),
            ("a/lib.go", None),
        ];
        let paths = cases.map(|(path, _)| path);
        assert_eq!(named(text, &paths), cases.map(|(_, how)| how));
    }

    #[test]
    fn a_path_does_not_name_other_files_with_the_same_name() {
        let files = ["admin/views.py", "auth/views.py", "db/models/query.py", "db/models/sql/query.py"];
        let trace = "It fails\n\nTraceback (most recent call last):\n  File \"/srv/app/shop/views.py\", line 3, in x\n";
        assert_eq!(named(trace, &files), [None; 4]);
        assert_eq!(named("see shop/views.py", &files), [None; 4]);
        let own = "File \"/usr/lib/python3/site-packages/db/models/query.py\", line 3, in x";
        assert_eq!(named(own, &files), [None, None, Some(MentionKind::Path), None]);
        assert_eq!(named("see auth/views.py", &files), [None, Some(MentionKind::Path), None, None]);
    }

    #[test]
    fn part_of_a_word_does_not_name_a_file() {
        let files = ["db/sql.py", "db/query.py", "app/admin.py", "app/option_list.py"];
        for text in [
            "Return keys on MySQL",
            "PostgreSQL fails",
            "QuerySet is slow",
            "queries and options",
            "`administrators` see lists",
            "non-sql stores",
        ] {
            assert_eq!(named(text, &files), [None; 4], "{text}");
        }
        assert_eq!(named("Quote SQL in `query`", &files)[1], Some(MentionKind::Stem));
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
