//! The words that introduce a definition, language by language.

use crate::outline::language::Language;

/// What can stand before a defined name.
pub(super) struct Words {
    /// Words that may come before the keyword.
    pub(super) modifiers: &'static [&'static str],
    /// Words that the name follows.
    pub(super) keywords: &'static [&'static str],
    /// Whether the name may be qualified (`self.name`, `a.b.name`), and its last part is meant.
    pub(super) qualified: bool,
    /// The letters that one of these words begins with, a bit each: most lines begin otherwise.
    begin: u128,
}

impl Words {
    const fn new(modifiers: &'static [&'static str], keywords: &'static [&'static str]) -> Self {
        Self { modifiers, keywords, qualified: false, begin: beginnings(modifiers) | beginnings(keywords) }
    }

    const fn qualified(self) -> Self {
        Self { qualified: true, ..self }
    }

    /// Whether a line with this first letter can begin with one of the words.
    pub(super) fn begin_with(&self, first: u8) -> bool {
        first < 128 && self.begin >> first & 1 == 1
    }
}

const fn beginnings(words: &[&str]) -> u128 {
    let (mut bits, mut at) = (0, 0);
    while at < words.len() {
        bits |= 1 << words[at].as_bytes()[0];
        at += 1;
    }
    bits
}

pub(super) fn words(language: Language) -> &'static Words {
    match language {
        Language::Rust => &RUST,
        Language::Python => &PYTHON,
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte => &SCRIPT,
        Language::Go => &GO,
        Language::Java => &JAVA,
        Language::Kotlin => &KOTLIN,
        Language::Scala => &SCALA,
        Language::C | Language::Cpp => &C,
        Language::Ruby => &RUBY,
        Language::Php => &PHP,
        Language::CSharp => &C_SHARP,
        Language::Shell => &SHELL,
        Language::Lua => &LUA,
        Language::Swift => &SWIFT,
        _ => &NONE,
    }
}

/// For languages without definitions, or none that a line tells.
static NONE: Words = Words::new(&[], &[]);
static RUST: Words = Words::new(
    &["pub", "async", "unsafe", "extern", "default", "const", "auto"],
    &["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "union", "macro_rules", "mut"],
);
static PYTHON: Words = Words::new(&["async"], &["def", "class"]);
static SCRIPT: Words = Words::new(
    &["export", "default", "async", "declare", "abstract"],
    &["function", "class", "interface", "type", "enum", "namespace"],
);
static GO: Words = Words::new(&[], &["func", "type", "const", "var"]);
static JAVA: Words = Words::new(
    &["public", "private", "protected", "static", "final", "abstract", "sealed", "strictfp", "non"],
    &["class", "interface", "enum", "record"],
);
static KOTLIN: Words = Words::new(
    &[
        "public",
        "private",
        "protected",
        "internal",
        "open",
        "abstract",
        "final",
        "sealed",
        "data",
        "inner",
        "inline",
        "value",
        "override",
        "suspend",
        "operator",
        "infix",
        "tailrec",
        "lateinit",
        "const",
        "companion",
        "annotation",
        "external",
        "expect",
        "actual",
        "enum",
    ],
    &["class", "interface", "object", "fun", "typealias", "val", "var"],
)
.qualified();
static SCALA: Words = Words::new(
    &[
        "private",
        "protected",
        "final",
        "sealed",
        "abstract",
        "implicit",
        "lazy",
        "override",
        "case",
        "inline",
        "opaque",
        "open",
        "transparent",
    ],
    &["class", "trait", "object", "def", "type", "val", "var", "enum", "given"],
);
static C: Words = Words::new(
    &["typedef", "static", "export", "inline", "constexpr", "extern"],
    &["struct", "class", "enum", "union", "namespace", "concept"],
)
.qualified();
static RUBY: Words = Words::new(
    &["private", "protected", "public", "private_class_method", "module_function"],
    &["def", "class", "module"],
)
.qualified();
static PHP: Words = Words::new(
    &["public", "private", "protected", "static", "final", "abstract", "readonly"],
    &["function", "class", "interface", "trait", "enum", "const"],
);
static C_SHARP: Words = Words::new(
    &[
        "public",
        "private",
        "protected",
        "internal",
        "static",
        "sealed",
        "abstract",
        "partial",
        "readonly",
        "ref",
        "file",
        "unsafe",
        "new",
    ],
    &["class", "interface", "struct", "enum", "record", "namespace"],
)
.qualified();
static SHELL: Words = Words::new(&[], &["function"]);
static LUA: Words = Words::new(&["local"], &["function"]).qualified();
static SWIFT: Words = Words::new(
    &[
        "public",
        "private",
        "fileprivate",
        "internal",
        "open",
        "static",
        "final",
        "mutating",
        "override",
        "indirect",
        "lazy",
        "weak",
        "convenience",
        "required",
        "async",
        "nonisolated",
    ],
    &["class", "struct", "enum", "protocol", "func", "typealias", "actor", "let", "var", "extension"],
);
