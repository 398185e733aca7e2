//! Which language a file is written in, and what the rest of teddy needs to know about that language.

mod detection;

/// A programming, markup or data language that teddy tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the names of the languages")]
pub enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    Java,
    C,
    Cpp,
    Ruby,
    Php,
    CSharp,
    Shell,
    Kotlin,
    Swift,
    ObjectiveC,
    Scala,
    Groovy,
    Lua,
    Perl,
    Haskell,
    OCaml,
    FSharp,
    Elixir,
    Erlang,
    Clojure,
    Lisp,
    Dart,
    Zig,
    Nim,
    Crystal,
    D,
    V,
    R,
    Julia,
    Fortran,
    Pascal,
    Assembly,
    Solidity,
    Cuda,
    Glsl,
    VisualBasic,
    PowerShell,
    Batch,
    Fish,
    Awk,
    Tcl,
    Nix,
    Sql,
    Html,
    Css,
    Scss,
    Less,
    Vue,
    Svelte,
    Astro,
    Markdown,
    Rst,
    AsciiDoc,
    Text,
    Tex,
    Json,
    Json5,
    Yaml,
    Toml,
    Xml,
    Csv,
    Ini,
    Properties,
    Make,
    CMake,
    Meson,
    Just,
    Starlark,
    Dockerfile,
    Ignore,
    Proto,
    Thrift,
    GraphQl,
    Terraform,
    Vim,
    Diff,
}

/// What a language is mostly used for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Code,
    Prose,
    Data,
}

type Comment = Option<(&'static str, &'static str)>;

const SLASHES: Comment = Some(("// ", ""));
const HASH: Comment = Some(("# ", ""));
const DASHES: Comment = Some(("-- ", ""));
const SEMICOLON: Comment = Some(("; ", ""));
const PERCENT: Comment = Some(("% ", ""));
const ANGLE: Comment = Some(("<!-- ", " -->"));
const STARS: Comment = Some(("/* ", " */"));

impl Language {
    /// The language of a file, from its `/`-separated path and, where the path says nothing, its first line (may be empty).
    pub fn of(path: &str, first_line: &str) -> Option<Language> {
        match detection::by_path(path) {
            // Qt's translations have the same extension; a large project has dozens of them, larger than its sources.
            Some(Self::TypeScript) if detection::by_first_line(first_line) == Some(Self::Xml) => Some(Self::Xml),
            Some(language) => Some(language),
            None => detection::by_first_line(first_line),
        }
    }

    /// The lower-case name that people read and that `lang:` filters use.
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// The info string of a Markdown code fence.
    pub fn fence_tag(self) -> &'static str {
        self.facts().1
    }

    /// What goes before and after a comment of one line; none where the language has no comments.
    pub fn line_comment(self) -> Option<(&'static str, &'static str)> {
        self.facts().2
    }

    /// Whether this is something that runs, is built from or describes an interface, as opposed to prose or data.
    pub fn is_code(self) -> bool {
        self.facts().3 == Use::Code
    }

    /// Whether this is written for people to read.
    pub fn is_prose(self) -> bool {
        self.facts().3 == Use::Prose
    }

    /// Name, fence tag, comment and use, one line a language.
    fn facts(self) -> (&'static str, &'static str, Comment, Use) {
        use Use::{Code, Data, Prose};
        match self {
            Self::Rust => ("rust", "rust", SLASHES, Code),
            Self::Python => ("python", "python", HASH, Code),
            Self::JavaScript => ("javascript", "javascript", SLASHES, Code),
            Self::TypeScript => ("typescript", "typescript", SLASHES, Code),
            Self::Tsx => ("tsx", "tsx", SLASHES, Code),
            Self::Go => ("go", "go", SLASHES, Code),
            Self::Java => ("java", "java", SLASHES, Code),
            Self::C => ("c", "c", SLASHES, Code),
            Self::Cpp => ("c++", "cpp", SLASHES, Code),
            Self::Ruby => ("ruby", "ruby", HASH, Code),
            Self::Php => ("php", "php", SLASHES, Code),
            Self::CSharp => ("c#", "csharp", SLASHES, Code),
            Self::Shell => ("shell", "bash", HASH, Code),
            Self::Kotlin => ("kotlin", "kotlin", SLASHES, Code),
            Self::Swift => ("swift", "swift", SLASHES, Code),
            Self::ObjectiveC => ("objective-c", "objectivec", SLASHES, Code),
            Self::Scala => ("scala", "scala", SLASHES, Code),
            Self::Groovy => ("groovy", "groovy", SLASHES, Code),
            Self::Lua => ("lua", "lua", DASHES, Code),
            Self::Perl => ("perl", "perl", HASH, Code),
            Self::Haskell => ("haskell", "haskell", DASHES, Code),
            Self::OCaml => ("ocaml", "ocaml", Some(("(* ", " *)")), Code),
            Self::FSharp => ("f#", "fsharp", SLASHES, Code),
            Self::Elixir => ("elixir", "elixir", HASH, Code),
            Self::Erlang => ("erlang", "erlang", PERCENT, Code),
            Self::Clojure => ("clojure", "clojure", SEMICOLON, Code),
            Self::Lisp => ("lisp", "lisp", SEMICOLON, Code),
            Self::Dart => ("dart", "dart", SLASHES, Code),
            Self::Zig => ("zig", "zig", SLASHES, Code),
            Self::Nim => ("nim", "nim", HASH, Code),
            Self::Crystal => ("crystal", "crystal", HASH, Code),
            Self::D => ("d", "d", SLASHES, Code),
            Self::V => ("v", "v", SLASHES, Code),
            Self::R => ("r", "r", HASH, Code),
            Self::Julia => ("julia", "julia", HASH, Code),
            Self::Fortran => ("fortran", "fortran", Some(("! ", "")), Code),
            Self::Pascal => ("pascal", "pascal", SLASHES, Code),
            Self::Assembly => ("assembly", "asm", SEMICOLON, Code),
            Self::Solidity => ("solidity", "solidity", SLASHES, Code),
            Self::Cuda => ("cuda", "cuda", SLASHES, Code),
            Self::Glsl => ("glsl", "glsl", SLASHES, Code),
            Self::VisualBasic => ("visual basic", "vb", Some(("' ", "")), Code),
            Self::PowerShell => ("powershell", "powershell", HASH, Code),
            Self::Batch => ("batch", "bat", Some(("REM ", "")), Code),
            Self::Fish => ("fish", "fish", HASH, Code),
            Self::Awk => ("awk", "awk", HASH, Code),
            Self::Tcl => ("tcl", "tcl", HASH, Code),
            Self::Nix => ("nix", "nix", HASH, Code),
            Self::Sql => ("sql", "sql", DASHES, Code),
            Self::Html => ("html", "html", ANGLE, Code),
            Self::Css => ("css", "css", STARS, Code),
            Self::Scss => ("scss", "scss", SLASHES, Code),
            Self::Less => ("less", "less", SLASHES, Code),
            Self::Vue => ("vue", "vue", ANGLE, Code),
            Self::Svelte => ("svelte", "svelte", ANGLE, Code),
            Self::Astro => ("astro", "astro", ANGLE, Code),
            Self::Markdown => ("markdown", "markdown", ANGLE, Prose),
            Self::Rst => ("rst", "rst", Some((".. ", "")), Prose),
            Self::AsciiDoc => ("asciidoc", "asciidoc", SLASHES, Prose),
            Self::Text => ("text", "text", None, Prose),
            Self::Tex => ("tex", "tex", PERCENT, Prose),
            Self::Json => ("json", "json", None, Data),
            Self::Json5 => ("json5", "json5", SLASHES, Data),
            Self::Yaml => ("yaml", "yaml", HASH, Data),
            Self::Toml => ("toml", "toml", HASH, Data),
            Self::Xml => ("xml", "xml", ANGLE, Data),
            Self::Csv => ("csv", "csv", None, Data),
            Self::Ini => ("ini", "ini", SEMICOLON, Data),
            Self::Properties => ("properties", "properties", HASH, Data),
            Self::Make => ("make", "makefile", HASH, Code),
            Self::CMake => ("cmake", "cmake", HASH, Code),
            Self::Meson => ("meson", "meson", HASH, Code),
            Self::Just => ("just", "just", HASH, Code),
            Self::Starlark => ("starlark", "python", HASH, Code),
            Self::Dockerfile => ("dockerfile", "dockerfile", HASH, Code),
            Self::Ignore => ("ignore", "gitignore", HASH, Data),
            Self::Proto => ("protobuf", "protobuf", SLASHES, Code),
            Self::Thrift => ("thrift", "thrift", SLASHES, Code),
            Self::GraphQl => ("graphql", "graphql", HASH, Code),
            Self::Terraform => ("terraform", "hcl", HASH, Code),
            Self::Vim => ("vim", "vim", Some(("\" ", "")), Code),
            Self::Diff => ("diff", "diff", None, Data),
        }
    }
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
    fn the_path_speaks_before_the_first_line() {
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
    fn uses_are_kept_apart() {
        assert!(Rust.is_code() && !Rust.is_prose());
        assert!(Markdown.is_prose() && !Markdown.is_code());
        assert!(!Json.is_prose() && !Json.is_code());
    }
}
