//! The words that introduce a definition, language by language.

use crate::gather::language::Language;

/// What can stand before a defined name.
pub(super) struct Words {
    /// Words that may come before the keyword.
    pub(super) modifiers: &'static [&'static str],
    /// Words that the name follows.
    pub(super) keywords: &'static [&'static str],
    /// Whether the name may be qualified (`self.name`, `a.b.name`), and its last part is meant.
    pub(super) qualified: bool,
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
static NONE: Words = Words { modifiers: &[], keywords: &[], qualified: false };
static RUST: Words = Words {
    modifiers: &["pub", "async", "unsafe", "extern", "default", "const", "auto"],
    keywords: &["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "union", "macro_rules", "mut"],
    qualified: false,
};
static PYTHON: Words = Words { modifiers: &["async"], keywords: &["def", "class"], qualified: false };
static SCRIPT: Words = Words {
    modifiers: &["export", "default", "async", "declare", "abstract"],
    keywords: &["function", "class", "interface", "type", "enum", "namespace"],
    qualified: false,
};
static GO: Words = Words { modifiers: &[], keywords: &["func", "type", "const", "var"], qualified: false };
static JAVA: Words = Words {
    modifiers: &["public", "private", "protected", "static", "final", "abstract", "sealed", "strictfp", "non"],
    keywords: &["class", "interface", "enum", "record"],
    qualified: false,
};
static KOTLIN: Words = Words {
    modifiers: &[
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
    keywords: &["class", "interface", "object", "fun", "typealias", "val", "var"],
    qualified: true,
};
static SCALA: Words = Words {
    modifiers: &[
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
    keywords: &["class", "trait", "object", "def", "type", "val", "var", "enum", "given"],
    qualified: false,
};
static C: Words = Words {
    modifiers: &["typedef", "static", "export", "inline", "constexpr", "extern"],
    keywords: &["struct", "class", "enum", "union", "namespace", "concept"],
    qualified: true,
};
static RUBY: Words = Words {
    modifiers: &["private", "protected", "public", "private_class_method", "module_function"],
    keywords: &["def", "class", "module"],
    qualified: true,
};
static PHP: Words = Words {
    modifiers: &["public", "private", "protected", "static", "final", "abstract", "readonly"],
    keywords: &["function", "class", "interface", "trait", "enum", "const"],
    qualified: false,
};
static C_SHARP: Words = Words {
    modifiers: &[
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
    keywords: &["class", "interface", "struct", "enum", "record", "namespace"],
    qualified: true,
};
static SHELL: Words = Words { modifiers: &[], keywords: &["function"], qualified: false };
static LUA: Words = Words { modifiers: &["local"], keywords: &["function"], qualified: true };
static SWIFT: Words = Words {
    modifiers: &[
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
    keywords: &["class", "struct", "enum", "protocol", "func", "typealias", "actor", "let", "var", "extension"],
    qualified: false,
};
