//! Tests of imports in each language.

use proptest::prelude::*;

use super::{MOST, imports};
use crate::outline::language::Language;

const LANGUAGES: [Language; 19] = [
    Language::Rust,
    Language::Python,
    Language::JavaScript,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Java,
    Language::C,
    Language::Cpp,
    Language::Ruby,
    Language::Php,
    Language::CSharp,
    Language::Shell,
    Language::Kotlin,
    Language::Scala,
    Language::Lua,
    Language::Vue,
    Language::Svelte,
    Language::Swift,
];

/// Each import as `spec` or `spec: a b`.
fn found(language: Language, text: &str) -> Vec<String> {
    imports(language, text)
        .into_iter()
        .map(
            |import| {
                if import.names.is_empty() {
                    import.spec
                } else {
                    format!("{}: {}", import.spec, import.names.join(" "))
                }
            },
        )
        .collect()
}

#[test]
fn rust_use_trees_are_expanded() {
    let text = "use std::fmt;\npub(crate) use crate::a::{self, b::{C, d as e}, *};\nuse anyhow;\nextern crate serde;\n";
    assert_eq!(
        found(Language::Rust, text),
        ["std: fmt", "crate: a", "crate::a::b: C d", "crate::a: *", "anyhow", "serde"]
    );
}

#[test]
fn rust_modules_and_their_paths_are_found() {
    let text =
        "mod one;\npub mod two;\n#[path = \"other/three.rs\"]\nmod three;\nmod inline {\n    mod four;\n}\nmod five;\n";
    assert_eq!(
        found(Language::Rust, text),
        ["self::one", "self::two", "./other/three.rs", "self::inline::four", "self::five"]
    );
}

#[test]
fn rust_super_inside_an_inline_module_is_the_file_itself() {
    let text = "use super::Parent;\nmod tests {\n    use super::*;\n    use super::super::Upper;\n}\n";
    assert_eq!(found(Language::Rust, text), ["super: Parent", "self: *", "super: Upper"]);
}

#[test]
fn rust_imports_may_contain_comments_and_span_lines() {
    let text = "/*\nuse hidden::x;\n*/\n// use also::hidden;\nfn f() {\n    use crate::{\n        a, // why; not\n        b,\n    };\n}\n";
    assert_eq!(found(Language::Rust, text), ["crate: a b"]);
}

#[test]
fn python_imports_of_every_form() {
    let text = "import os, a.b as c  # why\nfrom . import x\nfrom ..pkg.mod import (\n    one,  # first\n    two as zwei,\n)\n\
                from y import \\\n    z, \\\n    w\ndef f():\n    from late import thing\n";
    assert_eq!(found(Language::Python, text), ["os", "a.b", ".: x", "..pkg.mod: one two", "y: z w", "late: thing"]);
}

#[test]
fn python_docstrings_import_nothing() {
    let text = "\"\"\"\nimport hidden\n\"\"\"\nimport shown\nx = '''\nfrom hidden import y\n'''\n";
    assert_eq!(found(Language::Python, text), ["shown"]);
}

#[test]
fn script_imports_of_every_form() {
    let text = "import def, { a, type B as C } from './x'\nimport type { T } from \"t\";\nimport * as ns from 'ns'\nimport 'side.css'\n\
                export * from './y'\nexport {\n  q,\n  r,\n} from './z'\nconst c = require('c')\nconst d = await import(/* chunk */ './d.js')\n\
                export const from = 'nothing'\n// import 'hidden'\nobject.require('not')\n";
    assert_eq!(
        found(Language::TypeScript, text),
        ["./x: def a B", "t: T", "ns", "side.css", "./y", "./z: q r", "c", "./d.js"]
    );
}

#[test]
fn script_imports_inside_components() {
    let text = "<template><p>import</p></template>\n<script setup>\nimport A from '@/a.vue'\n</script>\n";
    assert_eq!(found(Language::Vue, text), ["@/a.vue: A"]);
    assert_eq!(found(Language::Svelte, text), ["@/a.vue: A"]);
}

#[test]
fn go_single_and_block() {
    let text = "package a\n\nimport \"fmt\"\nimport (\n\t\"os\"\n\n\tv1 \"k8s.io/api/core/v1\" // comment\n\t_ \"embed\"\n\t// \"hidden\"\n)\n\nfunc f() {\n\tx := \"import\"\n}\n";
    assert_eq!(found(Language::Go, text), ["fmt", "os", "k8s.io/api/core/v1", "embed"]);
}

#[test]
fn dotted_imports() {
    let java = "package p;\nimport a.b.C;\nimport static a.b.D.make;\nimport a.c.*;\n";
    assert_eq!(found(Language::Java, java), ["a.b.C: C", "a.b.D: make", "a.c.*"]);
    let scala = "import a.b.{C, D => E}\nimport a.c._\n";
    assert_eq!(found(Language::Scala, scala), ["a.b: C D", "a.c.*"]);
    assert_eq!(found(Language::Kotlin, "import a.b.C as D\nimport a.*\n"), ["a.b.C: C", "a.*"]);
    let c_sharp = "global using A.B;\nusing static A.C;\nusing X = A.D.E;\nusing var f = Open();\nusing (x) {}\n";
    assert_eq!(found(Language::CSharp, c_sharp), ["A.B", "A.C", "A.D.E"]);
    assert_eq!(found(Language::Swift, "@testable import Core\nimport struct A.B\n"), ["Core", "A.B"]);
}

#[test]
fn includes_keep_their_brackets() {
    let text = "#include \"a/b.h\"\n#  include <vector>\n/* #include \"no.h\" */\n#define include\n";
    assert_eq!(found(Language::C, text), ["a/b.h", "<vector>"]);
}

#[test]
fn ruby_php_lua() {
    let ruby = "require 'fluent/config'\nrequire_relative \"../helper\"\nrequire_relative 'x'\nautoload :Foo, 'a/foo'\nrequire \"#{x}/y\"\nrequired 'no'\n";
    assert_eq!(found(Language::Ruby, ruby), ["fluent/config", "../helper", "./x", "a/foo: Foo"]);
    let php = "<?php\nuse A\\B\\C;\nuse A\\{D, E as F};\nuse function A\\g;\nrequire_once __DIR__ . '/inc/x.php';\n$this->required('no');\n";
    assert_eq!(found(Language::Php, php), ["A\\B\\C: C", "A: D E", "A\\g: g", "./inc/x.php"]);
    let lua = "local a = require \"x.y\"\nlocal b = require('z')\n-- require 'hidden'\n";
    assert_eq!(found(Language::Lua, lua), ["x.y", "z"]);
}

#[test]
fn shell_paths_lose_their_variables() {
    let text = "source lib/a.sh\n. ./b.sh\nsource \"$(dirname \"$0\")/c.sh\"\n. \"${ROOT}/hack/lib/init.sh\"\nsource $HOME/x.sh\n# source no.sh\n";
    assert_eq!(found(Language::Shell, text), ["lib/a.sh", "./b.sh", "./c.sh", "./hack/lib/init.sh", "./x.sh"]);
}

#[test]
fn the_number_of_imports_is_limited() {
    let text: String = (0..1000).map(|n| format!("import m{n}\n")).collect::<Vec<_>>().concat();
    assert_eq!(imports(Language::Python, &text).len(), MOST);
}

#[test]
fn a_file_full_of_unfinished_imports_is_abandoned() {
    for (language, beginning) in [
        (Language::Rust, "use a\n"),
        (Language::Python, "from a import (\n"),
        (Language::TypeScript, "import {\n"),
        (Language::Scala, "import a.{\n"),
        (Language::Php, "use a\n"),
        (Language::Lua, "require "),
    ] {
        assert!(imports(language, &beginning.repeat(50_000)).is_empty(), "{language:?}");
    }
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        for language in LANGUAGES {
            prop_assert!(imports(language, &text).iter().all(|import| !import.spec.is_empty()));
        }
    }

    #[test]
    fn malformed_imports_never_panic(parts in proptest::collection::vec(
        prop::sample::select(vec![
            "import ", "from ", "use ", "mod ", "require", "export ", "#include ", "#[path = ", "source ", ". ", "using ", "pub(", "import(", "{", "}", "(", ")",
            "\"", "'", "`", "\"\"\"", "\n", ";", "::", ".", "*", " as ", "self", "super::", "é", "/*", "*/", "\\", "$", "<", ">", "a", "=",
        ]), 0..40)) {
        let text = parts.concat();
        for language in LANGUAGES {
            imports(language, &text);
        }
    }
}
