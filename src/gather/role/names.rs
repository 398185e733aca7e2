//! File and directory names with a conventional role.
#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "these conventions are case-sensitive")]

pub(super) const TEST_DIRECTORIES: &[&str] = &[
    "test", "tests", "__tests__", "__test__", "spec", "specs", "e2e", "testsuite", "testsuites", "integration-tests",
    "integration_tests", "integrationtest", "inttest", "androidtest", "unittests", "unittest", "testscripts",
    "cypress", "__e2e__", "commontest", "jvmtest",
];
pub(super) const SUPPORT_DIRECTORIES: &[&str] = &[
    "testdata", "test-data", "test_data", "fixtures", "__fixtures__", "fixture", "__mocks__", "__snapshots__",
    "snapshots", "test-utils", "test_utils", "testutils", "testutil", "testhelpers", "test-helpers", "test_helpers",
    "testlib", "testfixtures", "test-support", "test_support", "testresources", "benches", "fuzz", "fuzzing", "jmh",
    "goldens",
];
pub(super) const DOC_DIRECTORIES: &[&str] = &["docs", "doc", "documentation", "website", "man", "manual"];
pub(super) const EXAMPLE_DIRECTORIES: &[&str] = &[
    "examples", "example", "demo", "demos", "playground", "playgrounds", "samples", "sample", "sandbox", "benchmarks",
    "benchmark", "bench", "_examples", "tutorials",
];
/// Directories with examples at any depth, also below the product's sources.
pub(super) const ALWAYS_EXAMPLES: &[&str] =
    &["examples", "example", "samples", "demos", "playground", "playgrounds", "_examples"];
/// Directories with configuration, only at the top level or hidden.
pub(super) const CONFIG_DIRECTORIES: &[&str] =
    &[".github", ".circleci", ".gitlab", ".vscode", ".idea", ".devcontainer", ".husky", ".cargo", "ci", "scripts"];
pub(super) const VENDOR_DIRECTORIES: &[&str] = &[
    "node_modules", "vendor", "vendored", "third_party", "third-party", "thirdparty", "3rdparty", "bower_components",
    "_vendor", "godeps",
];

pub(super) const DOC_EXTENSIONS: &[&str] =
    &["md", "mdx", "rst", "adoc", "asciidoc", "txt", "org", "textile", "rdoc", "1", "5", "7", "8", "tex", "pdf"];
pub(super) const CONFIG_EXTENSIONS: &[&str] = &[
    "toml", "yaml", "yml", "ini", "cfg", "conf", "properties", "gradle", "lock", "mod", "sum", "cmake", "bazel", "bzl",
    "editorconfig", "env", "mk", "am", "ac", "m4", "in", "gemspec", "nix", "csproj", "sln", "props", "targets",
    "json5", "jsonc", "plist", "service",
];
/// Extensions of source code in languages without an import reader.
pub(super) const SOURCE_EXTENSIONS: &[&str] = &[
    "proto", "sql", "graphql", "gql", "css", "scss", "sass", "less", "styl", "html", "htm", "erb", "haml", "slim",
    "jinja", "jinja2", "j2", "hbs", "ejs", "pug", "tmpl", "tpl", "y", "l", "asm", "s", "scm", "el", "vim", "zig", "hs",
    "ml", "mli", "ex", "exs", "erl", "clj", "cljs", "dart", "groovy", "pl", "pm", "r", "jl", "m", "mm", "fs", "nim",
    "ps1", "bat", "fish", "nu", "pyx", "pxd", "thrift", "idl", "wgsl", "glsl", "awk", "jq", "tcl", "vb", "cu", "cuh",
    "ipp", "inl", "templ", "astro", "rl", "g4", "pest", "lalrpop", "yy", "ll", "xsd", "xsl", "rng", "dtd",
];

pub(super) fn is_config_name(name: &str) -> bool {
    const WHOLE: &[&str] = &[
        "package.json",
        "package-lock.json",
        "composer.json",
        "composer.lock",
        "setup.py",
        "conf.py",
        "noxfile.py",
        "tasks.py",
        "fabfile.py",
        "Makefile",
        "GNUmakefile",
        "Dockerfile",
        "Containerfile",
        "Jenkinsfile",
        "Vagrantfile",
        "Procfile",
        "Rakefile",
        "Gemfile",
        "Gemfile.lock",
        "Guardfile",
        "CMakeLists.txt",
        "meson.build",
        "BUILD",
        "WORKSPACE",
        "pom.xml",
        "build.xml",
        "OWNERS",
        "CODEOWNERS",
        "go.mod",
        "go.sum",
        "Justfile",
        "justfile",
        "build.gradle.kts",
        "settings.gradle.kts",
        "gulpfile.js",
        "Gruntfile.js",
        "karma.conf.js",
        "Package.swift",
        "requirements.txt",
        "constraints.txt",
        "robots.txt",
        "Doxyfile",
        "configure",
    ];
    WHOLE.contains(&name)
        || name.starts_with("tsconfig") && name.ends_with(".json")
        || name.starts_with("requirements") && name.ends_with(".txt")
        || name.starts_with("Dockerfile.")
        || name.starts_with('.') && (name.contains("rc") || name.ends_with(".json"))
        || name.contains(".config.")
        || name.contains(".config-")
}

pub(super) fn is_doc_name(name: &str) -> bool {
    const STEMS: &[&str] = &[
        "README", "CHANGELOG", "CHANGES", "LICENSE", "LICENCE", "COPYING", "AUTHORS", "CONTRIBUTING", "NOTICE",
        "HISTORY", "NEWS", "INSTALL",
    ];
    let stem = name.split('.').next().unwrap_or_default();
    STEMS
        .iter()
        .any(|known| stem == *known || stem.strip_prefix(known).is_some_and(|rest| rest.starts_with(['-', '_'])))
}

pub(super) fn is_generated_name(name: &str) -> bool {
    const ENDS: &[&str] = &[
        ".pb.go", ".pb.gw.go", "_pb2.py", "_pb2_grpc.py", "_pb2.pyi", ".pb.cc", ".pb.h", ".pb.rs", ".g.dart", ".g.cs",
        ".designer.cs", ".Designer.cs",
    ];
    ENDS.iter().any(|end| name.ends_with(end))
        || name.contains("_generated.")
        || name.contains(".generated.")
        || name.starts_with("generated_")
        || name.starts_with("zz_generated")
        || is_bulk_name(name) && !name.ends_with(".svg") && !name.ends_with(".snap")
        || is_migration(name)
}

/// Lock files, minified bundles, source maps and snapshots.
pub(super) fn is_bulk_name(name: &str) -> bool {
    const LOCKS: &[&str] = &[
        "Cargo.lock",
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "deno.lock",
        "poetry.lock",
        "pdm.lock",
        "uv.lock",
        "Pipfile.lock",
        "conda-lock.yml",
        "Gemfile.lock",
        "composer.lock",
        "go.sum",
        "go.work.sum",
        "flake.lock",
        "mix.lock",
        "pubspec.lock",
        "Podfile.lock",
        "Package.resolved",
        "packages.lock.json",
        "paket.lock",
        "gradle.lockfile",
        ".terraform.lock.hcl",
    ];
    const ENDS: &[&str] = &[".min.js", ".min.css", ".min.mjs", ".js.map", ".mjs.map", ".css.map", ".snap", ".svg"];
    LOCKS.contains(&name) || ENDS.iter().any(|end| name.ends_with(end))
}

/// Returns true for a migration that a framework has written, such as `0001_initial.py`.
fn is_migration(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() > 8 && bytes[..4].iter().all(u8::is_ascii_digit) && bytes[4] == b'_' && name.ends_with(".py")
}

/// Returns true if the name is that of a third-party script with its version: `jquery-3.5.1.js`.
pub(super) fn is_vendored_name(name: &str) -> bool {
    let stem = name.strip_suffix(".js").or_else(|| name.strip_suffix(".css"));
    let version = stem.and_then(|stem| stem.rsplit_once('-')).map_or("", |(_, version)| version);
    version.contains('.') && version.chars().all(|c| c.is_ascii_digit() || c == '.')
}
