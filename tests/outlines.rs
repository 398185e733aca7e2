//! Outlines of the golden files.

#![allow(clippy::unwrap_used, reason = "a missing golden file must fail the test")]

use std::fs;
use std::path::Path;

use teddy::outline::definitions::{Definition, DefinitionKind, outline};
use teddy::outline::language::Language;

use DefinitionKind::{Constant, Function, Implementation, Macro, Method, Module, Property, Type};

fn definitions(name: &str) -> Vec<Definition> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/skeleton").join(name);
    let text = fs::read_to_string(path).unwrap();
    outline(Language::of(name, "").unwrap(), &text).unwrap().definitions
}

type Named = (&'static str, DefinitionKind);

const EXPECTED: [(&str, &[Named]); 22] = [
    (
        "rust.rs",
        &[
            ("DEFAULT_PLACES", Constant),
            ("Cache", Type),
            ("Cache<K, V>", Implementation),
            ("get_or", Method),
            ("Display for Cache<K, V>", Implementation),
            ("cache", Macro),
            ("tests", Module),
            ("the_oldest_goes", Function),
        ],
    ),
    (
        "python.py",
        &[
            ("RETRIES", Constant),
            ("User", Type),
            ("email", Property),
            ("Missing", Type),
            ("get", Method),
            ("by_age", Function),
            ("report", Function),
        ],
    ),
    (
        "javascript.js",
        &[
            ("COLOURS", Constant),
            ("Queue", Type),
            ("onIdle", Property),
            ("add", Method),
            ("#next", Method),
            ("inTurn", Function),
            ("numbers", Function),
            ("Queue.prototype.drain", Function),
        ],
    ),
    (
        "typescript.ts",
        &[
            ("Handler", Type),
            ("Route", Type),
            ("Level", Type),
            ("load", Method),
            ("Router", Type),
            ("routes", Property),
            ("Paths", Module),
            ("join", Function),
            ("respond", Function),
        ],
    ),
    ("tsx.tsx", &[("PickList", Function), ("Boundary", Type)]),
    (
        "go.go",
        &[
            ("ErrEmpty", Constant),
            ("large", Constant),
            ("Ring", Type),
            ("Option", Type),
            ("Push", Method),
            ("New", Function),
        ],
    ),
    (
        "java.java",
        &[
            ("Basket", Type),
            ("RATES", Property),
            ("byPrice", Method),
            ("add", Method),
            ("Payment", Type),
            ("Visitor", Type),
        ],
    ),
    (
        "c.c",
        &[
            ("TABLE_SIZE", Macro),
            ("MIX", Macro),
            ("entry", Type),
            ("table_t", Type),
            ("primes", Constant),
            ("hash", Function),
            ("table_put", Function),
            ("pick", Function),
        ],
    ),
    (
        "cpp.cpp",
        &[
            ("geometry", Module),
            ("Point", Type),
            ("operator+=", Method),
            ("Shape", Type),
            ("accept", Method),
            ("id_", Property),
            ("Polygon::area", Function),
            ("Shape::registry", Function),
        ],
    ),
    (
        "ruby.rb",
        &[
            ("Weblog", Module),
            ("LIMITS", Constant),
            ("Missing", Type),
            ("each", Method),
            ("template", Method),
            ("[]", Method),
        ],
    ),
    (
        "php.php",
        &[
            ("DEFAULT_PORT", Constant),
            ("Mailer", Type),
            ("STATES", Constant),
            ("send", Method),
            ("Priority", Type),
            ("letters", Function),
        ],
    ),
    (
        "csharp.cs",
        &[
            ("Example.Banking", Module),
            ("Account", Type),
            ("~Account", Method),
            ("Owner", Property),
            ("this", Property),
            ("WithdrawAsync", Method),
            ("operator +", Method),
            ("Entry", Type),
        ],
    ),
    (
        "kotlin.kt",
        &[
            ("LONGEST", Constant),
            ("FEES", Constant),
            ("Reader", Type),
            ("Item", Type),
            ("age", Property),
            ("shelves", Property),
            ("constructor", Method),
            ("borrowed", Method),
            ("`can be kept for`", Method),
            ("Clock", Type),
            ("Desk", Type),
            ("lend", Method),
            ("fee", Function),
        ],
    ),
    (
        "swift.swift",
        &[
            ("colours", Constant),
            ("Handler", Type),
            ("Switchable", Type),
            ("text", Property),
            ("Lamp", Type),
            ("isOn", Property),
            ("init", Method),
            ("make", Method),
            ("Lamp", Implementation),
            ("Room", Type),
        ],
    ),
    (
        "scala.scala",
        &[
            ("Reading", Type),
            ("describe", Method),
            ("Temperature", Type),
            ("Limits", Type),
            ("names", Property),
            ("clamp", Method),
            ("Listener", Type),
            ("Station", Type),
            ("record", Method),
            ("latest", Method),
            ("Wind", Type),
            ("isStorm", Method),
            ("Report", Type),
            ("lines", Method),
            ("extension", Implementation),
            ("summary", Method),
        ],
    ),
    (
        "dart.dart",
        &[
            ("maxItems", Constant),
            ("taxRates", Constant),
            ("OnChange", Type),
            ("Cart", Type),
            ("_items", Property),
            ("Cart", Method),
            ("empty", Method),
            ("of", Method),
            ("total", Method),
            ("discount", Method),
            ("checkout", Method),
            ("operator ==", Method),
            ("clear", Method),
            ("Observable", Type),
            ("Size", Type),
            ("next", Method),
            ("Money", Type),
            ("euros", Property),
            ("main", Function),
        ],
    ),
    (
        "lua.lua",
        &[
            ("M", Constant),
            ("M.VERSION", Constant),
            ("priorities", Constant),
            ("M.new", Function),
            ("Bus:on", Method),
            ("deliver", Function),
            ("M.emit", Function),
            ("handlers", Constant),
            ("M.name_of", Function),
        ],
    ),
    (
        "zig.zig",
        &[
            ("Error", Type),
            ("primes", Constant),
            ("usage", Constant),
            ("Ring", Function),
            ("Stats", Type),
            ("Kind", Type),
            ("label", Method),
            ("add", Method),
            ("isEmpty", Method),
            ("Tagged", Type),
            ("time", Function),
            ("counter", Constant),
            ("main", Function),
            ("the oldest value goes first", Function),
        ],
    ),
    (
        "elixir.ex",
        &[
            ("Library.Loans", Module),
            ("TooMany", Module),
            ("exception", Function),
            ("lend", Function),
            ("late?", Function),
            ("late_loans", Function),
            ("remind!", Function),
            ("with_loan", Macro),
            ("init", Function),
            ("Library.Describable", Type),
            ("Library.Describable", Implementation),
            ("describe", Method),
        ],
    ),
    (
        "protobuf.proto",
        &[
            ("Loans", Type),
            ("Lend", Method),
            ("Watch", Method),
            ("Loan", Type),
            ("State", Type),
            ("Reminder", Type),
            ("WatchRequest", Type),
            ("google.protobuf.FieldOptions", Implementation),
        ],
    ),
    (
        "terraform.tf",
        &[
            ("terraform", Type),
            ("region", Constant),
            ("locals", Constant),
            ("network", Module),
            ("aws_instance.web", Type),
            ("aws_ami.debian", Type),
            ("address", Constant),
        ],
    ),
    ("shell.sh", &[("VERSION", Constant), ("TARGETS", Constant), ("usage", Function), ("pack", Function)]),
];

#[test]
fn definitions_have_the_expected_names_and_kinds() {
    for (name, expected) in EXPECTED {
        let found = definitions(name);
        for (wanted, kind) in expected {
            let hit = found.iter().any(|it| it.name == *wanted && it.kind == *kind);
            let near: Vec<_> = found.iter().map(|it| (&it.name, it.kind)).collect();
            assert!(hit, "{name} has no {kind:?} {wanted}:\n{near:#?}");
        }
    }
}

#[test]
fn a_definition_includes_its_comments_and_attributes() {
    let lines = |file: &str, name: &str| {
        let found = definitions(file);
        let definition = found.iter().find(|it| it.name == name).unwrap();
        let parent = definition.parent.map(|parent| found[parent].name.clone());
        (definition.first, definition.last, parent)
    };
    let own = |first, last| (first, last, None);
    assert_eq!(lines("rust.rs", "Cache"), own(31, 41));
    assert_eq!(lines("python.py", "User"), own(33, 51));
    assert_eq!(lines("python.py", "initials"), (41, 44, Some("User".to_owned())));
    assert_eq!(lines("typescript.ts", "Router"), own(37, 76));
    assert_eq!(lines("javascript.js", "inTurn"), own(85, 92));
    assert_eq!(lines("cpp.cpp", "Point"), (10, 22, Some("v1".to_owned())));
    assert_eq!(lines("go.go", "Option"), own(48, 49));
    assert_eq!(lines("shell.sh", "die"), own(36, 37));
}

#[test]
fn code_with_errors_has_an_outline_and_a_warning() {
    let outline = outline(Language::Rust, "fn good() {}\nfn bad( {\n").unwrap();
    assert!(outline.has_errors);
    assert_eq!(outline.definitions[0].name, "good");
}
