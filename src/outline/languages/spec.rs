//! The description of a language.

use crate::outline::graph::{FileTree, Resolver};
use crate::outline::imports::{Import, ImportList};
use crate::outline::language::Language;
use crate::outline::manifests::ManifestKind;
use crate::outline::raw_outline::RawOutline;
use crate::outline::symbols::SymbolSyntax;
use crate::outline::tokens::TokenSyntax;

/// Opening and closing markers of a one-line comment.
pub(crate) type CommentMarks = (&'static str, &'static str);

pub(crate) const SLASHES: Option<CommentMarks> = Some(("// ", ""));
pub(crate) const HASH: Option<CommentMarks> = Some(("# ", ""));
pub(crate) const DASHES: Option<CommentMarks> = Some(("-- ", ""));
pub(crate) const SEMICOLON: Option<CommentMarks> = Some(("; ", ""));
pub(crate) const PERCENT: Option<CommentMarks> = Some(("% ", ""));
pub(crate) const ANGLE: Option<CommentMarks> = Some(("<!-- ", " -->"));
pub(crate) const STARS: Option<CommentMarks> = Some(("/* ", " */"));

/// The main purpose of files in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Code,
    Prose,
    Data,
}

/// All properties of a language. Only the first four fields and a way to detect it are required.
pub(crate) struct LanguageSpec {
    /// Lower-case name, as shown to people and used in `lang:` filters.
    pub(crate) name: &'static str,
    /// Info string of a Markdown code fence.
    pub(crate) fence_tag: &'static str,
    pub(crate) comment: Option<CommentMarks>,
    pub(crate) purpose: Purpose,

    /// Extensions of source files, without the dot. Case matters only if it distinguishes two languages.
    pub(crate) extensions: &'static [&'static str],
    /// Extensions of dialects and build files, which are not paired with tests.
    pub(crate) other_extensions: &'static [&'static str],
    pub(crate) file_names: &'static [&'static str],
    pub(crate) file_name_prefixes: &'static [&'static str],
    /// Programs in a `#!` line, without version numbers.
    pub(crate) interpreters: &'static [&'static str],
    /// Prefixes of a first line, in lower case.
    pub(crate) first_line: &'static [&'static str],

    /// Collects the imports of a file.
    pub(crate) imports: Option<fn(&str, &mut ImportList)>,
    /// Finds the files that an import refers to.
    pub(crate) resolve: Option<ResolveImport>,
    /// Files with settings for import resolution.
    pub(crate) manifests: &'static [ManifestKind],
    /// Files that belong together without an import, such as a header and its implementation.
    pub(crate) companions: Option<fn(&FileTree<'_>, u32) -> Vec<u32>>,
    /// Definitions that are recognizable in a single line.
    pub(crate) symbols: Option<&'static SymbolSyntax>,
    pub(crate) tests: TestNaming,
    pub(crate) outline: Option<OutlineReader>,
    /// Statement for bodies that must not be empty; it precedes the marker that replaces a body.
    pub(crate) empty_body: &'static str,
}

/// Adds the files that an import in the file `from` refers to.
pub(crate) type ResolveImport = fn(&mut Resolver<'_, '_>, from: u32, &Import, &mut Vec<u32>);

/// Method for reading the definitions and bodies of a file.
#[derive(Clone, Copy)]
pub(crate) enum OutlineReader {
    /// By brackets: a lexer produces tokens, and a reader walks them.
    Tokens(&'static TokenSyntax),
    /// Line by line, by indentation and keywords.
    Lines(fn(&str) -> RawOutline),
}

/// Naming conventions for tests; all names are without extensions.
#[derive(Clone, Copy)]
pub(crate) struct TestNaming {
    /// Language that represents a group whose files test each other, such as Java for Kotlin; `None` if files are not
    /// paired with tests.
    pub(crate) family: Option<Language>,
    pub(crate) prefixes: &'static [&'static str],
    pub(crate) suffixes: &'static [&'static str],
    pub(crate) names: &'static [&'static str],
    /// Conventions that need more than a prefix or suffix; replaces the lists above.
    pub(crate) is_test: Option<fn(&str) -> bool>,
    /// Names of helper files of tests.
    pub(crate) support: &'static [&'static str],
    /// True if every file in a test directory is a test, regardless of its name.
    pub(crate) directory_decides: bool,
}

impl TestNaming {
    pub(crate) const NONE: Self = Self {
        family: None,
        prefixes: &[],
        suffixes: &[],
        names: &[],
        is_test: None,
        support: &[],
        directory_decides: false,
    };

    /// Returns true if a file name without its extension marks a test.
    pub(crate) fn matches(&self, stem: &str) -> bool {
        if let Some(is_test) = self.is_test {
            return is_test(stem);
        }
        ends_with_any(stem, self.suffixes)
            || self.prefixes.iter().any(|prefix| stem.starts_with(prefix))
            || self.names.contains(&stem)
    }
}

/// Returns true if the name ends with one of the suffixes and is longer than that suffix.
pub(crate) fn ends_with_any(stem: &str, suffixes: &[&str]) -> bool {
    suffixes.iter().any(|suffix| stem.len() > suffix.len() && stem.ends_with(suffix))
}

impl LanguageSpec {
    /// A language that is only detected, counted and commented.
    pub(crate) const fn new(
        name: &'static str,
        fence_tag: &'static str,
        comment: Option<CommentMarks>,
        purpose: Purpose,
        extensions: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            fence_tag,
            comment,
            purpose,
            extensions,
            other_extensions: &[],
            file_names: &[],
            file_name_prefixes: &[],
            interpreters: &[],
            first_line: &[],
            imports: None,
            resolve: None,
            manifests: &[],
            companions: None,
            symbols: None,
            tests: TestNaming::NONE,
            outline: None,
            empty_body: "",
        }
    }

    pub(crate) const fn code(
        name: &'static str,
        fence_tag: &'static str,
        comment: Option<CommentMarks>,
        extensions: &'static [&'static str],
    ) -> Self {
        Self::new(name, fence_tag, comment, Purpose::Code, extensions)
    }

    pub(crate) const fn prose(
        name: &'static str,
        comment: Option<CommentMarks>,
        extensions: &'static [&'static str],
    ) -> Self {
        Self::new(name, name, comment, Purpose::Prose, extensions)
    }

    pub(crate) const fn data(
        name: &'static str,
        comment: Option<CommentMarks>,
        extensions: &'static [&'static str],
    ) -> Self {
        Self::new(name, name, comment, Purpose::Data, extensions)
    }

    pub(crate) const fn file_names(self, file_names: &'static [&'static str]) -> Self {
        Self { file_names, ..self }
    }

    pub(crate) const fn interpreters(self, interpreters: &'static [&'static str]) -> Self {
        Self { interpreters, ..self }
    }

    pub(crate) const fn first_line(self, first_line: &'static [&'static str]) -> Self {
        Self { first_line, ..self }
    }

    pub(crate) const fn other_extensions(self, other_extensions: &'static [&'static str]) -> Self {
        Self { other_extensions, ..self }
    }

    pub(crate) const fn file_name_prefixes(self, file_name_prefixes: &'static [&'static str]) -> Self {
        Self { file_name_prefixes, ..self }
    }

    /// Adds the language to the group of `family`, whose files test each other.
    pub(crate) const fn tested_with(self, family: Language) -> Self {
        Self { tests: TestNaming { family: Some(family), ..TestNaming::NONE }, ..self }
    }
}
