//! Extensions, well-known file names and interpreters.

use super::Language::{
    self, AsciiDoc, Assembly, Astro, Awk, Batch, C, CMake, CSharp, Clojure, Cpp, Crystal, Css, Csv, Cuda, D, Dart,
    Diff, Dockerfile, Elixir, Erlang, FSharp, Fish, Fortran, Glsl, Go, GraphQl, Groovy, Haskell, Html, Ignore, Ini,
    Java, JavaScript, Json, Json5, Julia, Just, Kotlin, Less, Lisp, Lua, Make, Markdown, Meson, Nim, Nix, OCaml,
    ObjectiveC, Pascal, Perl, Php, PowerShell, Properties, Proto, Python, R, Rst, Ruby, Rust, Scala, Scss, Shell,
    Solidity, Sql, Starlark, Svelte, Swift, Tcl, Terraform, Tex, Text, Thrift, Toml, Tsx, TypeScript, V, Vim,
    VisualBasic, Vue, Xml, Yaml, Zig,
};

/// The language that a file's name or extension tells.
pub(super) fn by_path(path: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    by_name(name).or_else(|| {
        let (stem, extension) = name.rsplit_once('.')?;
        // `.C` is C++ by old custom; every other extension is the same in any case.
        if extension == "C" {
            return Some(Cpp);
        }
        // `.env` and the like are names, not extensions of nothing.
        if stem.is_empty() { None } else { by_extension(&extension.to_ascii_lowercase()) }
    })
}

/// The language that a `#!` line or an editor's or parser's marker in the first line tells.
pub(super) fn by_first_line(line: &str) -> Option<Language> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if let Some(command) = line.strip_prefix("#!") {
        let mut words = command.split_whitespace();
        let mut program = words.next()?.rsplit('/').next()?;
        if program == "env" {
            program = words.find(|word| !word.starts_with('-') && !word.contains('='))?.rsplit('/').next()?;
        }
        return by_interpreter(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-'));
    }
    let lower = line.to_ascii_lowercase();
    if lower.starts_with("<?php") {
        Some(Php)
    } else if lower.starts_with("<?xml") || lower.starts_with("<!doctype ts>") {
        Some(Xml)
    } else if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        Some(Html)
    } else {
        None
    }
}

fn by_interpreter(program: &str) -> Option<Language> {
    Some(match program {
        "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" | "mksh" | "bats" => Shell,
        "fish" => Fish,
        "python" | "pypy" | "uv" => Python,
        "ruby" | "jruby" | "rake" => Ruby,
        "perl" => Perl,
        "node" | "nodejs" | "bun" | "zx" => JavaScript,
        "deno" | "ts-node" | "tsx" => TypeScript,
        "php" => Php,
        "lua" | "luajit" => Lua,
        "awk" | "gawk" | "mawk" => Awk,
        "Rscript" => R,
        "julia" => Julia,
        "elixir" => Elixir,
        "escript" => Erlang,
        "groovy" => Groovy,
        "scala" => Scala,
        "swift" => Swift,
        "tclsh" | "wish" => Tcl,
        "make" => Make,
        "just" => Just,
        "pwsh" => PowerShell,
        "runghc" | "runhaskell" | "stack" => Haskell,
        "rust-script" => Rust,
        _ => return None,
    })
}

fn by_name(name: &str) -> Option<Language> {
    Some(match name {
        "Makefile" | "makefile" | "GNUmakefile" | "BSDmakefile" => Make,
        "CMakeLists.txt" => CMake,
        "meson.build" | "meson_options.txt" | "meson.options" => Meson,
        "justfile" | "Justfile" | ".justfile" => Just,
        "BUILD" | "BUILD.bazel" | "WORKSPACE" | "WORKSPACE.bazel" | "MODULE.bazel" | "Tiltfile" => Starlark,
        "Gemfile" | "Rakefile" | "Guardfile" | "Vagrantfile" | "Podfile" | "Brewfile" | "Fastfile" | "Capfile"
        | "Dangerfile" | ".irbrc" | ".pryrc" => Ruby,
        "Jenkinsfile" => Groovy,
        "SConstruct" | "SConscript" | "wscript" => Python,
        ".bashrc" | ".bash_profile" | ".bash_aliases" | ".bash_logout" | ".profile" | ".zshrc" | ".zshenv"
        | ".zprofile" | ".kshrc" | "PKGBUILD" | "APKBUILD" | ".envrc" => Shell,
        ".vimrc" | "vimrc" | ".gvimrc" => Vim,
        ".emacs" => Lisp,
        ".gitignore" | ".dockerignore" | ".npmignore" | ".eslintignore" | ".prettierignore" | ".gcloudignore"
        | ".hgignore" | ".ignore" | ".gitattributes" | "CODEOWNERS" => Ignore,
        ".editorconfig" | ".gitconfig" | ".gitmodules" | ".npmrc" | ".pylintrc" | ".flake8" | ".coveragerc" => Ini,
        ".env" | ".env.example" | ".env.local" => Properties,
        ".babelrc" | ".eslintrc" | ".jshintrc" | ".prettierrc" | "tsconfig.json" | "jsconfig.json" => Json5,
        ".clang-format" | ".clang-tidy" | ".clangd" | "CITATION.cff" => Yaml,
        "Cargo.lock" | "poetry.lock" | "uv.lock" | "Pipfile" => Toml,
        "composer.lock" | "Pipfile.lock" | "flake.lock" | ".watchmanconfig" => Json,
        "go.mod" | "go.sum" | "go.work" | "README" | "LICENSE" | "LICENCE" | "COPYING" | "NOTICE" | "AUTHORS"
        | "CONTRIBUTORS" | "CHANGELOG" | "CHANGES" | "NEWS" | "INSTALL" | "TODO" | "HISTORY" | "VERSION" => Text,
        _ if matches!(name, "Dockerfile" | "Containerfile" | "dockerfile")
            || name.starts_with("Dockerfile.")
            || name.starts_with("Containerfile.") =>
        {
            Dockerfile
        }
        _ => return None,
    })
}

/// `extension` is in lower case and without its dot.
fn by_extension(extension: &str) -> Option<Language> {
    Some(match extension {
        "rs" => Rust,
        "py" | "pyi" | "pyw" | "pyx" | "pxd" | "ipynb" => Python,
        "js" | "mjs" | "cjs" | "jsx" | "es6" => JavaScript,
        "ts" | "mts" | "cts" => TypeScript,
        "tsx" => Tsx,
        "go" => Go,
        "java" => Java,
        // A header alone does not tell C from C++; C is the guess that parses in most projects.
        "c" | "h" => C,
        "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "h++" | "ipp" | "inl" | "tpp" | "ixx" | "cppm" => Cpp,
        "rb" | "rake" | "gemspec" | "ru" | "podspec" | "rbi" => Ruby,
        "php" | "phtml" | "php5" | "php7" | "php8" => Php,
        "cs" | "csx" => CSharp,
        "sh" | "bash" | "zsh" | "ksh" | "bats" | "ebuild" => Shell,
        "kt" | "kts" => Kotlin,
        "swift" => Swift,
        "m" | "mm" => ObjectiveC,
        "scala" | "sc" | "sbt" => Scala,
        "groovy" | "gradle" => Groovy,
        "lua" => Lua,
        "pl" | "pm" | "t" => Perl,
        "hs" | "lhs" | "cabal" => Haskell,
        "ml" | "mli" => OCaml,
        "fs" | "fsi" | "fsx" => FSharp,
        "ex" | "exs" | "heex" => Elixir,
        "erl" | "hrl" => Erlang,
        "clj" | "cljs" | "cljc" | "edn" => Clojure,
        "lisp" | "el" | "scm" | "rkt" | "ss" | "cl" => Lisp,
        "dart" => Dart,
        "zig" | "zon" => Zig,
        "nim" | "nims" => Nim,
        "cr" => Crystal,
        "d" | "di" => D,
        "v" | "vsh" => V,
        "r" | "rmd" => R,
        "jl" => Julia,
        "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" => Fortran,
        "pas" | "pp" | "dpr" => Pascal,
        "s" | "asm" | "nasm" => Assembly,
        "sol" => Solidity,
        "cu" | "cuh" => Cuda,
        "glsl" | "vert" | "frag" | "comp" | "geom" | "wgsl" | "hlsl" => Glsl,
        "vb" | "vbs" | "bas" => VisualBasic,
        "ps1" | "psm1" | "psd1" => PowerShell,
        "bat" | "cmd" => Batch,
        "fish" => Fish,
        "awk" => Awk,
        "tcl" => Tcl,
        "nix" => Nix,
        "sql" | "psql" | "ddl" => Sql,
        "html" | "htm" | "xhtml" | "hbs" | "ejs" | "erb" | "j2" | "jinja" | "jinja2" => Html,
        "css" => Css,
        "scss" | "sass" => Scss,
        "less" => Less,
        "vue" => Vue,
        "svelte" => Svelte,
        "astro" => Astro,
        "md" | "markdown" | "mdx" | "mdown" | "mkd" | "mdc" => Markdown,
        "rst" => Rst,
        "adoc" | "asciidoc" => AsciiDoc,
        "txt" | "text" | "log" => Text,
        "tex" | "sty" | "bib" | "cls" => Tex,
        "json" | "jsonl" | "ndjson" | "geojson" | "webmanifest" | "map" => Json,
        "json5" | "jsonc" | "code-workspace" => Json5,
        "yaml" | "yml" => Yaml,
        "toml" => Toml,
        "xml" | "xsd" | "xsl" | "xslt" | "svg" | "plist" | "csproj" | "fsproj" | "vbproj" | "props" | "targets"
        | "resx" | "wsdl" | "storyboard" | "xib" => Xml,
        "csv" | "tsv" => Csv,
        "ini" | "cfg" | "conf" | "cnf" | "desktop" | "service" | "timer" | "socket" => Ini,
        "properties" | "env" => Properties,
        "mk" | "mak" | "make" => Make,
        "cmake" => CMake,
        "just" => Just,
        "bzl" | "bazel" | "star" => Starlark,
        "dockerfile" => Dockerfile,
        "proto" => Proto,
        "thrift" => Thrift,
        "graphql" | "gql" | "graphqls" => GraphQl,
        "tf" | "tfvars" | "hcl" => Terraform,
        "vim" => Vim,
        "diff" | "patch" => Diff,
        _ => return None,
    })
}
