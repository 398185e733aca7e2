//! Tests of unusual Rust.

use crate::outline::language::Language;
use crate::outline::raw_outline::{RawOutline, read_outline};

fn read(text: &str) -> RawOutline {
    read_outline(Language::Rust, text).unwrap_or_else(|| panic!("Rust is not read"))
}

/// Names with first and last lines.
fn names(text: &str) -> Vec<(String, u32, u32)> {
    read(text).definitions.into_iter().map(|it| (it.name, it.first, it.last)).collect()
}

fn only_names(text: &str) -> Vec<String> {
    names(text).into_iter().map(|it| it.0).collect()
}

#[test]
fn quotes_are_characters_or_lifetimes() {
    let text =
        "fn a<'a>(x: &'a str) { m('\"', '{', b'\\'', '\\u{7d}', 'ä') }\nfn b() { 'l: loop { break 'l } }\nfn c() {}";
    assert_eq!(only_names(text), ["a", "b", "c"]);
    assert!(!read(text).has_errors);
}

#[test]
fn raw_strings_end_with_their_delimiter_and_raw_names_are_names() {
    let text = "const A: &str = r#\"} \" {\"#;\nconst B: &[u8] = br\"\\\";\nfn r#type() {}\nfn c() { c\"}\" }";
    assert_eq!(only_names(text), ["A", "B", "r#type", "c"]);
}

#[test]
fn strings_may_span_lines() {
    assert_eq!(names("fn a() { \"{\n \\\" }\n\" }\nfn b() {}"), [("a".into(), 1, 3), ("b".into(), 4, 4)]);
}

#[test]
fn outer_attributes_belong_to_the_next_item_and_inner_ones_do_not() {
    let text = "#![allow(x)]\n/// doc\n#[derive(\n  Debug\n)]\n// more\npub(crate) struct A;\n";
    assert_eq!(names(text), [("A".into(), 2, 7)]);
}

#[test]
fn braces_in_generics_are_not_bodies() {
    let text = "fn a<const N: usize>() -> X<{ N }> where Y<{ N + 1 }>: Z {\n}\nimpl<const N: usize> T<{ N }> for fn() -> U<N> {\n fn b() {}\n}";
    let expected = [("a".into(), 1, 2), ("T<{ N }> for fn() -> U<N>".into(), 3, 5), ("b".into(), 4, 4)];
    assert_eq!(names(text), expected);
}

#[test]
fn an_implementation_is_named_after_its_trait_and_type() {
    let text =
        "impl<F> A<F> for F where F: for<'a> Fn(&'a u8) -> u8 {}\nunsafe impl !Send for B {}\nimpl dyn C + 'static {}";
    assert_eq!(only_names(text), ["A<F> for F", "Send for B", "dyn C + 'static"]);
}

#[test]
fn the_input_of_a_macro_defines_nothing() {
    let text =
        "lazy_static! { static ref A: u8 = 1; }\na::b!(fn c() {});\nmacro_rules! d { () => { fn e() {} } }\nfn f() {}";
    assert_eq!(only_names(text), ["d", "f"]);
}

#[test]
fn macro_rules_are_shortened_like_functions() {
    let folds =
        read("macro_rules! a {\n    () => {{\n        1;\n        2;\n        3\n    }};\n    ($x:tt) => { 1 };\n}")
            .folds;
    assert_eq!(folds.iter().map(|it| it.gap).collect::<Vec<_>>(), [Some((2, 4))]);
}

#[test]
fn definitions_in_constants_and_extern_blocks_are_found() {
    let text = "const _: () = {\n impl A { fn b() {} }\n};\nextern \"C\" {\n fn c();\n static D: u8;\n}\nextern \"C\" fn e() {}";
    assert_eq!(only_names(text), ["_", "A", "b", "c", "D", "e"]);
}

#[test]
fn union_is_a_keyword_only_before_a_name() {
    assert_eq!(only_names("union A { b: u8 }\nfn union() {}\nunion!(x);\nstruct B(u8);"), ["A", "union", "B"]);
}

#[test]
fn an_unfinished_definition_does_not_hide_the_next() {
    assert_eq!(
        names("fn a()\nfn b() {\n}\nconst C: u8 = 1\npub fn d() {}\nuse e\nstruct F;"),
        [("a".into(), 1, 1), ("b".into(), 2, 3), ("C".into(), 4, 4), ("d".into(), 5, 5), ("F".into(), 7, 7),]
    );
    assert!(read("fn good() {}\nfn bad( {\n").has_errors);
}

#[test]
fn a_table_with_closures_keeps_its_structure() {
    let rows = |entry: &str| format!("const A: [X; 20] = [\n{}];", format!("    {entry},\n").repeat(20));
    assert_eq!(read(&rows("1")).folds.len(), 1);
    assert_eq!(read(&rows("|x| x")).folds.len(), 0);
    assert_eq!(read(&rows("1").replace("= [", "= vec![")).folds.len(), 0);
}

#[test]
fn an_unfinished_implementation_is_ignored() {
    assert_eq!(names("impl !\npub fn a() {}\nimpl const !"), [("a".into(), 2, 2)]);
}
