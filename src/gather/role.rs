//! Purpose of a file by its path and neighbours: product code, test, documentation, configuration.

mod names;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memchr::memchr_iter;
use memchr::memmem::Finder;
use rayon::prelude::*;

use crate::outline::language::Language;
use names::{
    ALWAYS_EXAMPLES, CONFIG_DIRECTORIES, CONFIG_EXTENSIONS, DOC_DIRECTORIES, DOC_EXTENSIONS, EXAMPLE_DIRECTORIES,
    SOURCE_EXTENSIONS, SUPPORT_DIRECTORIES, TEST_DIRECTORIES, VENDOR_DIRECTORIES, is_config_name, is_doc_name,
    is_generated_name, is_vendored_name,
};

/// Every marker of a generated file contains one of these phrases.
static MARKER_PHRASES: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| {
    ["enerated", "ENERATED", "not edit", "NOT EDIT", "Not Edit", "NOT edit"].iter().map(Finder::new).collect()
});

/// Purpose of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Product code.
    Source,
    /// A test.
    Test,
    /// Fixtures, helpers, recorded data, benchmarks next to tests.
    TestSupport,
    /// Documentation.
    Doc,
    /// Build, packaging and tool configuration.
    Config,
    /// Written by a program.
    Generated,
    /// Example, demo or playground.
    Example,
    /// Third-party code, copied in.
    Vendored,
    /// Anything else: images, tables, translations.
    Data,
}

/// The role of a single path, without its neighbours.
pub fn role(path: &str, language: Option<Language>) -> Role {
    Roles::default().role(path, language)
}

/// The role of every path, given the whole tree.
pub fn roles(paths: &[&str], languages: &[Option<Language>]) -> Vec<Role> {
    let evidence = Roles::build(paths, languages);
    let language = |at: usize| languages.get(at).copied().flatten();
    paths.par_iter().with_min_len(512).enumerate().map(|(at, path)| evidence.role(path, language(at))).collect()
}

/// Directories whose role depends on the other files, such as a `test` package that is part of the product.
#[derive(Debug, Default)]
pub struct Roles {
    /// Directories that are named like test directories but contain a test library.
    library: HashSet<String>,
    /// Directories named `testing` that contain tests.
    testing: HashSet<String>,
}

/// Numbers of files in a directory that has the name of a test directory.
#[derive(Default)]
struct DirectoryStats {
    code: usize,
    tests: usize,
    ruby: usize,
}

impl Roles {
    /// Collects the directories from all paths.
    pub fn build(paths: &[&str], languages: &[Option<Language>]) -> Self {
        let mut packages: HashSet<&str> = HashSet::new();
        let mut stats: HashMap<&str, DirectoryStats> = HashMap::new();
        let mut crates: HashSet<&str> = HashSet::new();
        let mut has_test_root = false;
        for (path, language) in paths.iter().zip(languages.iter().copied().chain(std::iter::repeat(None))) {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            if name == "__init__.py" {
                packages.insert(directory);
            }
            if name == "lib.rs"
                && let Some(root) = directory.strip_suffix("/src")
            {
                crates.insert(root);
            }
            let first = path.split('/').next().unwrap_or_default();
            has_test_root |= matches!(first, "test" | "tests" | "spec" | "testing");
            let Some(language) = language else { continue };
            let test = language.is_test_name(name);
            let mut from = 0;
            for component in directory.split('/') {
                let end = from + component.len();
                if matches!(component, "test" | "testing" | "Test" | "Testing") {
                    let entry = stats.entry(&directory[..end]).or_default();
                    // `sympy/testing/tests/test_x.py` tests `sympy/testing`, which is not a test directory itself.
                    let below = directory.get(end + 1..).unwrap_or_default();
                    if !below.split('/').any(|part| TEST_DIRECTORIES.contains(&part)) {
                        entry.code += usize::from(name != "__init__.py");
                        entry.tests += usize::from(test);
                        entry.ruby += usize::from(language == Language::Ruby);
                    }
                }
                from = end + 1;
            }
        }
        let mut evidence = Self::default();
        for (directory, count) in stats {
            let (parent, name) = directory.rsplit_once('/').unwrap_or(("", directory));
            let in_library = packages.contains(parent)
                || parent == "lib"
                || parent.starts_with("lib/")
                || parent.contains("/lib/")
                || (name.starts_with('T') && !parent.is_empty());
            // A gem's `lib` contains no tests, even if its files are named like tests.
            let gem = count.ruby == count.code && (parent == "lib" || parent.starts_with("lib/"));
            if (count.tests == 0 || gem) && count.code > 0 && has_test_root && in_library {
                evidence.library.insert(directory.to_owned());
            } else if name == "testing" && count.tests * 2 > count.code {
                evidence.testing.insert(directory.to_owned());
            }
        }
        // `tokio-test/src` is a library for tests.
        for root in crates {
            let name = root.rsplit('/').next().unwrap_or_default();
            if is_test_suffix(name) {
                evidence.library.insert(root.to_owned());
            }
        }
        evidence
    }

    /// The role of the file at `path`.
    pub fn role(&self, path: &str, language: Option<Language>) -> Role {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let kind = self.kind(directory, language);
        if kind == DirectoryKind::Vendor || is_vendored_name(name) {
            return Role::Vendored;
        }
        if is_generated_name(name) && kind != DirectoryKind::Test {
            return Role::Generated;
        }
        let test_name = language.is_some_and(|language| language.is_test_name(name))
            && !is_config_name(name)
            && !is_command(directory, name);
        match kind {
            DirectoryKind::Test | DirectoryKind::Support => return test_role(kind, name, language, test_name),
            DirectoryKind::Main | DirectoryKind::Library => {}
            _ if test_name => return Role::Test,
            _ => {}
        }
        match kind {
            DirectoryKind::Generated => return Role::Generated,
            DirectoryKind::Doc => return Role::Doc,
            DirectoryKind::Example => return Role::Example,
            DirectoryKind::Config => return Role::Config,
            _ => {}
        }
        if language.is_some_and(|language| language.is_test_support_name(name)) && kind != DirectoryKind::Main {
            return Role::TestSupport;
        }
        if is_config_name(name) {
            return Role::Config;
        }
        if is_doc_name(name) {
            return Role::Doc;
        }
        if language.is_some() {
            return Role::Source;
        }
        let extension = extension(name);
        if DOC_EXTENSIONS.contains(&extension) {
            Role::Doc
        } else if CONFIG_EXTENSIONS.contains(&extension) {
            Role::Config
        } else if SOURCE_EXTENSIONS.contains(&extension) {
            Role::Source
        } else if name.starts_with('.') && extension.is_empty() {
            Role::Config
        } else {
            Role::Data
        }
    }

    /// Kind of the innermost directory that determines the file's role.
    fn kind(&self, directory: &str, language: Option<Language>) -> DirectoryKind {
        let mut kind = DirectoryKind::Plain;
        let mut from = 0;
        let mut below_source = false;
        let mut previous = "";
        let mut test_component = "";
        let jvm = matches!(language, Some(Language::Java | Language::Kotlin | Language::Scala));
        let top = directory.split('/').next().unwrap_or_default();
        for component in directory.split('/').filter(|_| !directory.is_empty()) {
            let end = from + component.len();
            let whole = &directory[..end];
            let lower = component.to_ascii_lowercase();
            let lower = lower.as_str();
            let in_tests = matches!(kind, DirectoryKind::Test | DirectoryKind::Support);
            let found = if (VENDOR_DIRECTORIES.contains(&lower) || previous == "deps") && !in_tests {
                return DirectoryKind::Vendor;
            } else if kind == DirectoryKind::Main {
                // The build layout marks this as product code. Below it, `org/junit/…/test` is the name of a package.
                None
            } else if self.library.contains(whole) {
                Some(DirectoryKind::Library)
            } else if self.testing.contains(whole) || is_test_directory(lower) {
                Some(DirectoryKind::Test)
            } else if SUPPORT_DIRECTORIES.contains(&lower)
                || lower == "testing" && language == Some(Language::Go) && from > 0
            {
                Some(DirectoryKind::Support)
            } else if previous == "src"
                && matches!(component, "main" | "commonMain")
                && (kind == DirectoryKind::Plain || kind == DirectoryKind::Test && is_library_for_tests(test_component))
            {
                Some(DirectoryKind::Main)
            } else if in_tests {
                None
            } else if matches!(lower, "dist" | "generated" | "__generated__" | "locale") || whole == "build" {
                Some(DirectoryKind::Generated)
            } else if below_source && language.is_some() && !ALWAYS_EXAMPLES.contains(&lower)
                || below_source && jvm && lower == "example"
            {
                // `src/docs/` is product code that handles documents.
                None
            } else if DOC_DIRECTORIES.contains(&lower) {
                Some(DirectoryKind::Doc)
            } else if EXAMPLE_DIRECTORIES.contains(&lower) {
                Some(DirectoryKind::Example)
            } else if CONFIG_DIRECTORIES.contains(&lower)
                && (from == 0 || component.starts_with('.') || matches!(top, "packages" | "tools" | "crates" | "apps"))
            {
                Some(DirectoryKind::Config)
            } else {
                None
            };
            // Everything below a fixture directory belongs to the fixture.
            if let Some(found) = found
                && !(kind == DirectoryKind::Support && found != DirectoryKind::Vendor)
            {
                kind = found;
                test_component = component;
            }
            below_source |= matches!(lower, "src" | "lib" | "pkg");
            previous = component;
            from = end + 1;
        }
        kind
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DirectoryKind {
    Plain,
    Main,
    Library,
    Test,
    Support,
    Doc,
    Example,
    Config,
    Generated,
    Vendor,
}

/// The role of a file below a test directory.
fn test_role(kind: DirectoryKind, name: &str, language: Option<Language>, test_name: bool) -> Role {
    let Some(language) = language else { return Role::TestSupport };
    if test_name && kind == DirectoryKind::Test {
        return Role::Test;
    }
    if kind == DirectoryKind::Support || language.is_test_support_name(name) {
        return Role::TestSupport;
    }
    // In some languages, every file in a test directory is a test.
    if test_name || language.directory_makes_tests() { Role::Test } else { Role::TestSupport }
}

fn is_test_directory(lower: &str) -> bool {
    TEST_DIRECTORIES.contains(&lower) || is_test_suffix(lower) || lower.starts_with("tests-")
}

/// Returns true for a command that runs tests, such as `commands/test.rs`.
fn is_command(directory: &str, name: &str) -> bool {
    let parent = directory.rsplit('/').next().unwrap_or_default();
    matches!(parent, "commands" | "command" | "cmd" | "cli" | "subcommands" | "subcommand")
        && matches!(name.split('.').next(), Some("test" | "tests"))
}

/// Returns true for a library for tests such as `spring-test`. Returns false for `spring-tests`, which contains tests.
fn is_library_for_tests(component: &str) -> bool {
    component.ends_with("-test") || component.ends_with("_test")
}

fn is_test_suffix(name: &str) -> bool {
    ["-tests", "-test", "_tests", "_test", ".tests", ".test"].iter().any(|suffix| name.ends_with(suffix))
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension)
}

/// Returns true for a lock file, minified bundle, source map, snapshot or SVG image that is not small.
pub(super) fn is_bulk_name(path: &str, bytes: u64) -> bool {
    const SMALL: u64 = 4_000;
    let name = path.rsplit('/').next().unwrap_or_default();
    bytes > SMALL && names::is_bulk_name(name)
}

/// Returns true if the first lines have a marker of generated code or are minified.
pub fn looks_generated(head: &str) -> bool {
    const LINES: usize = 40;
    const MINIFIED: usize = 2000;
    let begins = head.as_bytes();
    let mut ends = memchr_iter(b'\n', begins).map(|at| at + 1);
    let end = ends.nth(LINES - 1).unwrap_or(begins.len());
    let begins = &begins[..end];
    let lines = memchr_iter(b'\n', begins).count() + usize::from(!begins.ends_with(b"\n"));
    if end / lines > MINIFIED {
        return true;
    }
    // Most files contain no marker, so this check is made first.
    if !MARKER_PHRASES.iter().any(|saying| saying.find(begins).is_some()) {
        return false;
    }
    for (at, line) in head.lines().take(LINES).enumerate() {
        // Markers count only in comments, so that the source of a generator does not count as its output.
        let start = line.trim_ascii_start();
        let comment =
            ["//", "#", "/*", "*", "--", ";", "<!--", "%", "\"\"\"", "'"].iter().any(|mark| start.starts_with(mark));
        if !comment {
            continue;
        }
        let lower = line.to_ascii_lowercase();
        let says = |words: &str| lower.contains(words);
        if says("@generated")
            || says("do not edit") && (says("generated") || at < 10)
            || says("autogenerated")
            || says("auto-generated")
            || says("automatically generated")
            || says("code generated by")
            || says("generated by") && (says("do not modify") || says("don't edit"))
            || says("this file was generated")
            || says("this file is generated")
        {
            return true;
        }
    }
    false
}
