//! The languages that teddy knows: one row for each, and a file for each language that needs more than a name.
//!
//! A language's file holds its [`LanguageSpec`] and its own code. Shared code is elsewhere: `imports`, `symbols` and
//! `graph` for reading every file line by line; `tokens`, `by_line` and `readers` for outlines.

pub(crate) mod spec;

pub(crate) mod c;
mod cpp;
mod csharp;
mod dart;
mod elixir;
pub(crate) mod go;
pub(crate) mod java;
pub(crate) mod javascript;
mod kotlin;
mod lua;
mod php;
mod protobuf;
mod python;
mod ruby;
pub(crate) mod rust;
mod scala;
mod shell;
mod swift;
mod terraform;
mod typescript;
mod zig;

use spec::{ANGLE, DASHES, HASH, LanguageSpec, PERCENT, Purpose, SEMICOLON, SLASHES, STARS};

/// Generates the enum and the table of descriptions from one list.
macro_rules! languages {
    ($($variant:ident => $spec:expr,)*) => {
        /// A programming, markup or data language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the variants are names of languages")]
        pub enum Language {
            $($variant,)*
        }

        impl Language {
            /// All languages in table order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub(crate) fn spec(self) -> &'static LanguageSpec {
                match self {
                    $(Self::$variant => {
                        static SPEC: LanguageSpec = $spec;
                        &SPEC
                    })*
                }
            }
        }
    };
}

languages! {
    Rust => rust::SPEC,
    Python => python::SPEC,
    JavaScript => javascript::SPEC,
    TypeScript => typescript::SPEC,
    Tsx => typescript::TSX,
    Go => go::SPEC,
    Java => java::SPEC,
    C => c::SPEC,
    Cpp => cpp::SPEC,
    Ruby => ruby::SPEC,
    Php => php::SPEC,
    CSharp => csharp::SPEC,
    Shell => shell::SPEC,
    Kotlin => kotlin::SPEC,
    Swift => swift::SPEC,
    ObjectiveC => LanguageSpec::code("objective-c", "objectivec", SLASHES, &["m", "mm"]),
    Scala => scala::SPEC,
    Groovy => LanguageSpec::code("groovy", "groovy", SLASHES, &["groovy"])
        .tested_with(Language::Java).other_extensions(&["gradle"]).file_names(&["Jenkinsfile"]).interpreters(&["groovy"]),
    Lua => lua::SPEC,
    Perl => LanguageSpec::code("perl", "perl", HASH, &["pl", "pm", "t"]).interpreters(&["perl"]),
    Haskell => LanguageSpec::code("haskell", "haskell", DASHES, &["hs", "lhs", "cabal"])
        .interpreters(&["runghc", "runhaskell", "stack"]),
    OCaml => LanguageSpec::code("ocaml", "ocaml", Some(("(* ", " *)")), &["ml", "mli"]),
    FSharp => LanguageSpec::code("f#", "fsharp", SLASHES, &["fs", "fsi", "fsx"]),
    Elixir => elixir::SPEC,
    Erlang => LanguageSpec::code("erlang", "erlang", PERCENT, &["erl", "hrl"]).interpreters(&["escript"]),
    Clojure => LanguageSpec::code("clojure", "clojure", SEMICOLON, &["clj", "cljs", "cljc", "edn"]),
    Lisp => LanguageSpec::code("lisp", "lisp", SEMICOLON, &["lisp", "el", "scm", "rkt", "ss", "cl"])
        .file_names(&[".emacs"]),
    Dart => dart::SPEC,
    Zig => zig::SPEC,
    Nim => LanguageSpec::code("nim", "nim", HASH, &["nim", "nims"]),
    Crystal => LanguageSpec::code("crystal", "crystal", HASH, &["cr"]),
    D => LanguageSpec::code("d", "d", SLASHES, &["d", "di"]),
    V => LanguageSpec::code("v", "v", SLASHES, &["v", "vsh"]),
    R => LanguageSpec::code("r", "r", HASH, &["r", "rmd"]).interpreters(&["Rscript"]),
    Julia => LanguageSpec::code("julia", "julia", HASH, &["jl"]).interpreters(&["julia"]),
    Fortran => LanguageSpec::code(
        "fortran", "fortran", Some(("! ", "")), &["f", "for", "f77", "f90", "f95", "f03", "f08"]),
    Pascal => LanguageSpec::code("pascal", "pascal", SLASHES, &["pas", "pp", "dpr"]),
    Assembly => LanguageSpec::code("assembly", "asm", SEMICOLON, &["s", "asm", "nasm"]),
    Solidity => LanguageSpec::code("solidity", "solidity", SLASHES, &["sol"]),
    Cuda => LanguageSpec::code("cuda", "cuda", SLASHES, &["cu", "cuh"]),
    Glsl => LanguageSpec::code("glsl", "glsl", SLASHES, &["glsl", "vert", "frag", "comp", "geom", "wgsl", "hlsl"]),
    VisualBasic => LanguageSpec::code("visual basic", "vb", Some(("' ", "")), &["vb", "vbs", "bas"]),
    PowerShell => LanguageSpec::code("powershell", "powershell", HASH, &["ps1", "psm1", "psd1"])
        .interpreters(&["pwsh"]),
    Batch => LanguageSpec::code("batch", "bat", Some(("REM ", "")), &["bat", "cmd"]),
    Fish => LanguageSpec::code("fish", "fish", HASH, &["fish"]).interpreters(&["fish"]),
    Awk => LanguageSpec::code("awk", "awk", HASH, &["awk"]).interpreters(&["awk", "gawk", "mawk"]),
    Tcl => LanguageSpec::code("tcl", "tcl", HASH, &["tcl"]).interpreters(&["tclsh", "wish"]),
    Nix => LanguageSpec::code("nix", "nix", HASH, &["nix"]),
    Sql => LanguageSpec::code("sql", "sql", DASHES, &["sql", "psql", "ddl"]),
    Html => LanguageSpec::code(
        "html", "html", ANGLE, &["html", "htm", "xhtml", "hbs", "ejs", "erb", "j2", "jinja", "jinja2"])
        .first_line(&["<!doctype html", "<html"]),
    Css => LanguageSpec::code("css", "css", STARS, &["css"]),
    Scss => LanguageSpec::code("scss", "scss", SLASHES, &["scss", "sass"]),
    Less => LanguageSpec::code("less", "less", SLASHES, &["less"]),
    Vue => javascript::VUE,
    Svelte => javascript::SVELTE,
    Astro => LanguageSpec::code("astro", "astro", ANGLE, &["astro"]),
    Markdown => LanguageSpec::prose("markdown", ANGLE, &["md", "markdown", "mdx", "mdown", "mkd", "mdc"]),
    Rst => LanguageSpec::prose("rst", Some((".. ", "")), &["rst"]),
    AsciiDoc => LanguageSpec::prose("asciidoc", SLASHES, &["adoc", "asciidoc"]),
    Text => LanguageSpec::prose("text", None, &["txt", "text", "log"]).file_names(&[
        "go.mod", "go.sum", "go.work", "README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS",
        "CHANGELOG", "CHANGES", "NEWS", "INSTALL", "TODO", "HISTORY", "VERSION"]),
    Tex => LanguageSpec::prose("tex", PERCENT, &["tex", "sty", "bib", "cls"]),
    Json => LanguageSpec::data("json", None, &["json", "jsonl", "ndjson", "geojson", "webmanifest", "map"])
        .file_names(&["composer.lock", "Pipfile.lock", "flake.lock", ".watchmanconfig"]),
    Json5 => LanguageSpec::data("json5", SLASHES, &["json5", "jsonc", "code-workspace"])
        .file_names(&[".babelrc", ".eslintrc", ".jshintrc", ".prettierrc", "tsconfig.json", "jsconfig.json"]),
    Yaml => LanguageSpec::data("yaml", HASH, &["yaml", "yml"])
        .file_names(&[".clang-format", ".clang-tidy", ".clangd", "CITATION.cff"]),
    Toml => LanguageSpec::data("toml", HASH, &["toml"])
        .file_names(&["Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"]),
    Xml => LanguageSpec::data("xml", ANGLE, &[
        "xml", "xsd", "xsl", "xslt", "svg", "plist", "csproj", "fsproj", "vbproj", "props", "targets", "resx", "wsdl",
        "storyboard", "xib"]).first_line(&["<?xml", "<!doctype ts>"]),
    Csv => LanguageSpec::data("csv", None, &["csv", "tsv"]),
    Ini => LanguageSpec::data(
        "ini", SEMICOLON, &["ini", "cfg", "conf", "cnf", "desktop", "service", "timer", "socket"])
        .file_names(&[".editorconfig", ".gitconfig", ".gitmodules", ".npmrc", ".pylintrc", ".flake8", ".coveragerc"]),
    Properties => LanguageSpec::data("properties", HASH, &["properties", "env"])
        .file_names(&[".env", ".env.example", ".env.local"]),
    Make => LanguageSpec::code("make", "makefile", HASH, &["mk", "mak", "make"])
        .file_names(&["Makefile", "makefile", "GNUmakefile", "BSDmakefile"]).interpreters(&["make"]),
    CMake => LanguageSpec::code("cmake", "cmake", HASH, &["cmake"]).file_names(&["CMakeLists.txt"]),
    Meson => LanguageSpec::code("meson", "meson", HASH, &[])
        .file_names(&["meson.build", "meson_options.txt", "meson.options"]),
    Just => LanguageSpec::code("just", "just", HASH, &["just"])
        .file_names(&["justfile", "Justfile", ".justfile"]).interpreters(&["just"]),
    Starlark => LanguageSpec::code("starlark", "python", HASH, &["bzl", "bazel", "star"])
        .file_names(&["BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "Tiltfile"]),
    Dockerfile => LanguageSpec::code("dockerfile", "dockerfile", HASH, &["dockerfile"])
        .file_names(&["Dockerfile", "Containerfile", "dockerfile"])
        .file_name_prefixes(&["Dockerfile.", "Containerfile."]),
    Ignore => LanguageSpec::new("ignore", "gitignore", HASH, Purpose::Data, &[]).file_names(&[
        ".gitignore", ".dockerignore", ".npmignore", ".eslintignore", ".prettierignore", ".gcloudignore", ".hgignore",
        ".ignore", ".gitattributes", "CODEOWNERS"]),
    Proto => protobuf::SPEC,
    Thrift => LanguageSpec::code("thrift", "thrift", SLASHES, &["thrift"]),
    GraphQl => LanguageSpec::code("graphql", "graphql", HASH, &["graphql", "gql", "graphqls"]),
    Terraform => terraform::SPEC,
    Vim => LanguageSpec::code("vim", "vim", Some(("\" ", "")), &["vim"]).file_names(&[".vimrc", "vimrc", ".gvimrc"]),
    Diff => LanguageSpec::data("diff", None, &["diff", "patch"]),
}
