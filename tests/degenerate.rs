//! Tests of files that are designed to be slow, deep or confusing, in every language with outlines: no file may crash a
//! run or need a deep stack. `cargo bench --bench degenerate` measures their time.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use teddy::outline::language::Language;
use teddy::outline::{definitions, imports::imports, skeleton, symbols::symbols};

/// Languages with outlines.
fn languages() -> Vec<Language> {
    Language::ALL.iter().copied().filter(|language| definitions::outline(*language, "").is_some()).collect()
}

#[rustfmt::skip]
const PIECES: [&str; 49] = [
    "${", "$((", "((((", "[[[[", "{{{{", "<<<<", "\"\"\"\"", "''''", "``", "/*/*", "//", "#{", "\"#{", "`${", "<<A\n", "%w(",
    "a<b<", "a ? b : ", "if x\n", "do\n", "fn a(", "class A {", "lambda: ", "=> ", "<a ", "<?php ", "R\"(", "#if a\n", "\\\n",
    "template<", "\"${", "`", "#if 0\n", "#else\n", "r#\"", "operator", "@a(", "@a\n", "class A\n", "<a>", "</a>", "<?php ?>", "function () {",
    "x = [\n", "def f():\n", "  if x:\n", "case x in\n", "end\n", "new A() {",
];

/// Reads the text with every reader, on a quarter of the usual stack.
fn read(language: Language, text: &str) {
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(512 * 1024).spawn_scoped(scope, || {
            let _ = (definitions::outline(language, text), imports(language, text), symbols(language, text));
            if let Some(cut) = skeleton::skeleton(language, text, &[]) {
                assert!(cut.text.len() <= text.len(), "{language:?}: a skeleton larger than its file");
            }
        });
        reader.unwrap().join().unwrap();
    });
}

#[test]
fn a_repeated_piece_is_read() {
    for language in languages() {
        for piece in PIECES {
            read(language, &piece.repeat(2_000 / piece.len()));
        }
    }
}

#[test]
fn a_megabyte_is_read() {
    for (language, piece) in [(Language::Shell, "${"), (Language::JavaScript, "`${"), (Language::Java, "/*/*")] {
        read(language, &piece.repeat(1_000_000 / piece.len()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn pieces_in_any_order_are_read(
        language in prop::sample::select(languages()),
        parts in prop::collection::vec((prop::sample::select(PIECES.to_vec()), 1..60_usize), 1..8),
    ) {
        let text: String = parts.iter().map(|(piece, times)| piece.repeat(*times)).collect();
        read(language, &text);
    }

    #[test]
    fn nested_pieces_are_read(
        language in prop::sample::select(languages()),
        (open, close) in prop::sample::select(vec![
            ("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("${", "}"), ("$(", ")"), ("`${", "}`"), ("\"#{", "}\""),
            ("a(", ")"), ("{ if x ", "}"), ("fn a() {", "}"), ("class A {", "}"), ("/*", "*/"),
        ]),
        depth in 1..1_500_usize,
    ) {
        read(language, &format!("{}x{}", open.repeat(depth), close.repeat(depth)));
    }
}
