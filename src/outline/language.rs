//! Languages, and detection of a file's language.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::languages::spec::{LanguageSpec, Purpose};

pub use super::languages::Language;

impl Language {
    /// Detects a file's language from its `/`-separated path or, if the path is not enough, from
    /// its first line, which may be empty.
    pub fn of(path: &str, first_line: &str) -> Option<Language> {
        match by_path(path) {
            // Qt translation files are also named `.ts`; without this check they would count as
            // source code.
            Some(Self::TypeScript) if by_first_line(first_line) == Some(Self::Xml) => Some(Self::Xml),
            Some(language) => Some(language),
            None => by_first_line(first_line),
        }
    }

    /// Lower-case name, as shown to people and used in `lang:` filters.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Info string of a Markdown code fence.
    pub fn fence_tag(self) -> &'static str {
        self.spec().fence_tag
    }

    /// Markers before and after a one-line comment; `None` if the language has no comments.
    pub fn line_comment(self) -> Option<(&'static str, &'static str)> {
        self.spec().comment
    }

    /// Returns true for code, build files and interface descriptions, as opposed to prose and data.
    pub fn is_code(self) -> bool {
        self.spec().purpose == Purpose::Code
    }

    /// Returns true for prose.
    pub fn is_prose(self) -> bool {
        self.spec().purpose == Purpose::Prose
    }

    /// Returns true if a file name marks a test by the conventions of the language.
    pub(crate) fn is_test_name(self, name: &str) -> bool {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        self.spec().tests.matches(stem.strip_suffix(".d").unwrap_or(stem))
    }

    /// Returns true if a file name marks a test helper that contains no tests itself.
    pub(crate) fn is_test_support_name(self, name: &str) -> bool {
        self.spec().tests.support.contains(&name.split('.').next().unwrap_or_default())
    }

    /// Returns true if every file in a test directory is a test, regardless of its name.
    pub(crate) fn directory_makes_tests(self) -> bool {
        self.spec().tests.directory_decides
    }

    /// Language that represents a group whose files test each other, such as Java for Kotlin; `None` if the language's
    /// files are not paired with tests.
    pub(crate) fn test_family(path: &str) -> Option<Language> {
        let extension = path.rsplit('/').next()?.rsplit_once('.')?.1;
        let language = *TABLES.extensions.get(extension)?;
        language.spec().tests.family.filter(|_| language.spec().extensions.contains(&extension))
    }
}

/// Detection tables, built from the descriptions of all languages.
struct DetectionTables {
    extensions: HashMap<&'static str, Language>,
    file_names: HashMap<&'static str, Language>,
    file_name_prefixes: Vec<(&'static str, Language)>,
    interpreters: HashMap<&'static str, Language>,
    first_lines: Vec<(&'static str, Language)>,
}

static TABLES: LazyLock<DetectionTables> = LazyLock::new(|| {
    fn pairs(list: fn(&LanguageSpec) -> &'static [&'static str]) -> impl Iterator<Item = (&'static str, Language)> {
        Language::ALL.iter().flat_map(move |language| list(language.spec()).iter().map(|entry| (*entry, *language)))
    }
    DetectionTables {
        extensions: pairs(|spec| spec.extensions).chain(pairs(|spec| spec.other_extensions)).collect(),
        file_names: pairs(|spec| spec.file_names).collect(),
        file_name_prefixes: pairs(|spec| spec.file_name_prefixes).collect(),
        interpreters: pairs(|spec| spec.interpreters).collect(),
        first_lines: pairs(|spec| spec.first_line).collect(),
    }
});

fn by_path(path: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    by_name(name).or_else(|| {
        let (stem, extension) = name.rsplit_once('.')?;
        // `.C` is C++ by convention, unlike `.c`.
        if extension == "C" {
            return Some(Language::Cpp);
        }
        // `.env` and similar are names without an extension.
        if stem.is_empty() {
            return None;
        }
        let known = |extension: &str| TABLES.extensions.get(extension).copied();
        known(extension).or_else(|| known(&extension.to_ascii_lowercase()))
    })
}

fn by_name(name: &str) -> Option<Language> {
    let prefixed = || TABLES.file_name_prefixes.iter().find(|(prefix, _)| name.starts_with(prefix));
    TABLES.file_names.get(name).copied().or_else(|| prefixed().map(|(_, language)| *language))
}

/// Language named by a `#!` line or by an editor's or parser's marker.
fn by_first_line(line: &str) -> Option<Language> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if let Some(command) = line.strip_prefix("#!") {
        let mut words = command.split_whitespace();
        let mut program = words.next()?.rsplit('/').next()?;
        if program == "env" {
            program = words.find(|word| !word.starts_with('-') && !word.contains('='))?.rsplit('/').next()?;
        }
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        return TABLES.interpreters.get(program).copied();
    }
    let lower = line.to_ascii_lowercase();
    TABLES.first_lines.iter().find(|(start, _)| lower.starts_with(start)).map(|(_, language)| *language)
}

#[cfg(test)]
mod tests {
    use super::Language::{
        self, C, Cpp, Dockerfile, Json, Make, Markdown, Python, Ruby, Rust, Shell, Text, Tsx, TypeScript, Xml,
    };

    #[test]
    fn extensions_names_and_shebangs_are_known() {
        for (path, first, expected) in [
            ("src/lib.rs", "", Some(Rust)),
            ("a/b/App.TSX", "", Some(Tsx)),
            ("include/x.h", "", Some(C)),
            ("include/x.hpp", "", Some(Cpp)),
            ("legacy/X.C", "", Some(Cpp)),
            ("Makefile", "", Some(Make)),
            ("docker/Dockerfile.dev", "", Some(Dockerfile)),
            ("Containerfile", "", Some(Dockerfile)),
            ("Gemfile", "", Some(Ruby)),
            (".bashrc", "", Some(Shell)),
            ("README", "", Some(Text)),
            ("README.md", "", Some(Markdown)),
            ("package-lock.json", "", Some(Json)),
            ("bin/run", "#!/usr/bin/env -S python3.12 -u", Some(Python)),
            ("bin/run", "#!/bin/sh -e", Some(Shell)),
            ("bin/run", "#! /usr/local/bin/bash\r", Some(Shell)),
            ("bin/run", "#!", None),
            ("bin/run", "#!/usr/bin/env", None),
            ("bin/run", "", None),
            ("photo.png", "", None),
            ("", "", None),
            (".", "", None),
        ] {
            assert_eq!(Language::of(path, first), expected, "{path} {first}");
        }
    }

    #[test]
    fn the_path_decides_before_the_first_line() {
        assert_eq!(Language::of("a.py", "#!/bin/sh"), Some(Python));
        assert_eq!(Language::of("a.ts", "#!/usr/bin/env node"), Some(TypeScript));
    }

    #[test]
    fn translations_of_qt_are_not_typescript() {
        for first in ["<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<!DOCTYPE TS>", "<!DOCTYPE TS><TS>"] {
            assert_eq!(Language::of("i18n/app_de.ts", first), Some(Xml), "{first}");
        }
    }

    #[test]
    fn code_prose_and_data_are_distinguished() {
        assert!(Rust.is_code() && !Rust.is_prose());
        assert!(Markdown.is_prose() && !Markdown.is_code());
        assert!(!Json.is_prose() && !Json.is_code());
    }

    #[test]
    fn no_name_or_extension_belongs_to_two_languages() {
        let mut owners = std::collections::HashMap::new();
        for language in Language::ALL {
            let spec = language.spec();
            let extensions = spec.extensions.iter().chain(spec.other_extensions).map(|it| format!("*.{it}"));
            let names = spec.file_names.iter().map(|it| (*it).to_owned());
            let programs = spec.interpreters.iter().map(|it| format!("#!{it}"));
            for key in extensions.chain(names).chain(programs) {
                let other = owners.insert(key.clone(), *language);
                assert_eq!(other, None, "{key} is listed for {language:?} too");
            }
        }
    }
}
