//! What the outlines of the golden files say.

#![allow(clippy::unwrap_used, reason = "a test that cannot read its golden file fails")]

use std::fs;
use std::path::Path;

use teddy::gather::code::outline::{Definition, DefinitionKind, outline};
use teddy::gather::language::Language;

use DefinitionKind::{Constant, Function, Implementation, Macro, Method, Module, Property, Type};

fn definitions(name: &str) -> Vec<Definition> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/skeleton").join(name);
    let text = fs::read_to_string(path).unwrap();
    outline(Language::of(name, "").unwrap(), &text).unwrap().definitions
}

type Named = (&'static str, DefinitionKind, Option<&'static str>);

const EXPECTED: [(&str, &[Named]); 13] = [
    (
        "rust.rs",
        &[
            ("DEFAULT_PLACES", Constant, Some("How many places a cache has unless told otherwise.")),
            ("Cache", Type, Some("Keeps the values that were asked for last.")),
            ("Cache<K, V>", Implementation, None),
            ("get_or", Method, Some("The value of `key`, made by `make` if it is not there.")),
            ("Display for Cache<K, V>", Implementation, None),
            ("cache", Macro, Some("Builds a cache with values in it.")),
            ("tests", Module, None),
            ("the_oldest_goes", Function, None),
        ],
    ),
    (
        "python.py",
        &[
            ("RETRIES", Constant, None),
            ("User", Type, Some("A person who may log in.")),
            ("email", Property, None),
            ("Missing", Type, Some("There is nothing by that name.")),
            ("get", Method, Some("Fetch a thing by its name.")),
            ("by_age", Function, None),
            ("report", Function, None),
        ],
    ),
    (
        "javascript.js",
        &[
            ("COLOURS", Constant, None),
            ("Queue", Type, Some("Runs jobs, at most `limit` at once.")),
            ("onIdle", Property, Some("Called when all is done.")),
            ("add", Method, Some("Adds a job.")),
            ("#next", Method, None),
            ("inTurn", Function, Some("One after the other.")),
            ("numbers", Function, None),
            ("Queue.prototype.drain", Function, None),
        ],
    ),
    (
        "typescript.ts",
        &[
            ("Handler", Type, None),
            ("Route", Type, Some("What the router needs to know about a route.")),
            ("Level", Type, None),
            ("load", Method, None),
            ("Router", Type, Some("Finds the handler of a request.")),
            ("routes", Property, None),
            ("Paths", Module, None),
            ("join", Function, None),
            ("respond", Function, None),
        ],
    ),
    ("tsx.tsx", &[("PickList", Function, Some("A list in which one item can be picked.")), ("Boundary", Type, None)]),
    (
        "go.go",
        &[
            ("ErrEmpty", Constant, Some("ErrEmpty is returned when there is nothing to take.")),
            ("large", Constant, None),
            ("Ring", Type, Some("Ring holds values of one type.")),
            ("Option", Type, Some("Option changes a ring while it is made.")),
            ("Push", Method, Some("Push adds a value and forgets the oldest if there is no room.")),
            ("New", Function, Some("New makes a ring.")),
        ],
    ),
    (
        "java.java",
        &[
            ("Basket", Type, Some("A basket of goods.")),
            ("RATES", Property, None),
            ("byPrice", Method, Some("Orders goods by price.")),
            ("add", Method, Some("Adds some of a good.")),
            ("Payment", Type, Some("How a basket is paid for.")),
            ("Visitor", Type, None),
        ],
    ),
    (
        "c.c",
        &[
            ("TABLE_SIZE", Macro, None),
            ("MIX", Macro, None),
            ("entry", Type, Some("One entry, linked to the next in its place.")),
            ("table_t", Type, None),
            ("primes", Constant, None),
            ("hash", Function, Some("FNV-1a, good enough for short keys.")),
            ("table_put", Function, Some("Puts a value into the table.")),
            ("pick", Function, None),
        ],
    ),
    (
        "cpp.cpp",
        &[
            ("geometry", Module, None),
            ("Point", Type, Some("A point in the plane.")),
            ("operator+=", Method, None),
            ("Shape", Type, Some("Anything with an area.")),
            ("accept", Method, None),
            ("id_", Property, None),
            ("Polygon::area", Function, Some("The shoelace formula.")),
            ("Shape::registry", Function, None),
        ],
    ),
    (
        "ruby.rb",
        &[
            ("Weblog", Module, Some("A weblog and everything that can be done to it.")),
            ("LIMITS", Constant, None),
            ("Missing", Type, Some("Raised when there is no such post.")),
            ("each", Method, Some("All posts, newest first.")),
            ("template", Method, None),
            ("[]", Method, None),
        ],
    ),
    (
        "php.php",
        &[
            ("DEFAULT_PORT", Constant, None),
            ("Mailer", Type, Some("Sends letters, one at a time.")),
            ("STATES", Constant, None),
            ("send", Method, Some("Sends a letter.")),
            ("Priority", Type, None),
            ("letters", Function, None),
        ],
    ),
    (
        "csharp.cs",
        &[
            ("Example.Banking", Module, None),
            ("Account", Type, Some("An account that remembers what happened to it.")),
            ("~Account", Method, None),
            ("Owner", Property, Some("Who it belongs to.")),
            ("this", Property, None),
            ("WithdrawAsync", Method, Some("Takes money out.")),
            ("operator +", Method, None),
            ("Entry", Type, None),
        ],
    ),
    (
        "shell.sh",
        &[
            ("VERSION", Constant, None),
            ("TARGETS", Constant, None),
            ("usage", Function, Some("Prints how to use this.")),
            ("pack", Function, Some("In a subshell, so that the directory does not change.")),
        ],
    ),
];

#[test]
fn definitions_have_the_names_kinds_and_docs_that_a_reader_would_give_them() {
    for (name, expected) in EXPECTED {
        let found = definitions(name);
        for (wanted, kind, doc) in expected {
            let hit = found.iter().any(|it| it.name == *wanted && it.kind == *kind && it.doc.as_deref() == *doc);
            let near: Vec<_> = found.iter().map(|it| (&it.name, it.kind, &it.doc)).collect();
            assert!(hit, "{name} has no {kind:?} {wanted} {doc:?}:\n{near:#?}");
        }
    }
}

#[test]
fn lines_include_what_leads_a_definition() {
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
fn broken_code_is_outlined_with_a_warning() {
    let outline = outline(Language::Rust, "fn good() {}\nfn bad( {\n").unwrap();
    assert!(outline.has_errors);
    assert_eq!(outline.definitions[0].name, "good");
}
