//! Tests of unusual PHP.

use crate::outline::definitions::DefinitionKind;
use crate::outline::language::Language;
use crate::outline::raw_outline::{RawOutline, read_outline};

fn read(text: &str) -> RawOutline {
    read_outline(Language::Php, text).unwrap_or_else(|| panic!("PHP is not read"))
}

/// Names with first and last lines.
fn names(text: &str) -> Vec<(String, u32, u32)> {
    read(text).definitions.into_iter().map(|it| (it.name, it.first, it.last)).collect()
}

fn only_names(text: &str) -> Vec<String> {
    names(text).into_iter().map(|it| it.0).collect()
}

#[test]
fn text_outside_php_tags_is_not_code() {
    let text =
        "it's { <?xml ?>\n<?php // a ?> { \"\n<?= $x # b ?> }\n<?php function a() { ?> { <?php }\nfunction b() {}";
    assert_eq!(names(text), [("a".into(), 4, 4), ("b".into(), 5, 5)]);
    assert!(!read(text).has_errors);
    assert!(only_names("function a() {}").is_empty());
}

#[test]
fn strings_may_contain_expressions_with_strings() {
    let text =
        "<?php\nfunction a() { return \"a {$b[\"}\"]} ${c['\"']} {\" . 'it\\'s\n{' . `ls \"{`; }\nfunction b() {}";
    assert_eq!(names(text), [("a".into(), 2, 3), ("b".into(), 4, 4)]);
}

#[test]
fn heredocs_end_with_their_delimiter() {
    let text = "<?php\nfunction a() {\n$x = [<<<\"EOT\"\n {  EOT\n EOTS }\n  EOT, <<<'N'\n {\n N];\n}\nfunction b() {}";
    assert_eq!(names(text), [("a".into(), 2, 9), ("b".into(), 10, 10)]);
}

#[test]
fn comments_and_attributes_belong_to_the_next_definition() {
    let text = "<?php\n/** doc */\n#[A(1)]\n# more\nfinal class B\n{\n    #[C]\n    public $d = 1;\n}";
    assert_eq!(names(text), [("B".into(), 2, 9), ("$d".into(), 7, 8)]);
}

#[test]
fn every_constant_and_property_of_a_list_is_a_definition() {
    let text = "<?php\nclass A {\n // b\n const int B = 1, C = [2, 3],\n  D = 4;\n private ?int $e, $f = 5;\n}";
    let expected = [("A", 2, 7), ("B", 3, 4), ("C", 3, 4), ("D", 5, 5), ("$e", 6, 6), ("$f", 6, 6)]
        .map(|it| (it.0.to_owned(), it.1, it.2));
    assert_eq!(names(text), expected);
}

#[test]
fn hooks_belong_to_their_property_and_can_be_omitted() {
    let text = "<?php\nclass A {\n public string $b = 'x' {\n  get => 1;\n  set {\n   a();\n   b();\n   c();\n  }\n }\n function d() {}\n}";
    assert_eq!(names(text)[1..], [("$b".into(), 3, 10), ("d".into(), 11, 11)]);
    assert_eq!(read(text).folds.iter().map(|it| it.gap).collect::<Vec<_>>(), [Some((5, 7))]);
}

#[test]
fn a_mention_of_class_defines_nothing() {
    let text =
        "<?php\n$a = Foo::class; $b->class; static::make(); enum(1); $f = fn () => 1;\nclass B { function class() {} }";
    assert_eq!(only_names(text), ["B", "class"]);
}

#[test]
fn definitions_in_blocks_are_found() {
    let text = "<?php\nnamespace A\\B {\nif (!function_exists('c')) {\n function &c() {}\n} else { function d() {} }\nif (1): function e() {} endif;\n}";
    assert_eq!(only_names(text), ["A\\B", "c", "d", "e"]);
}

#[test]
fn anonymous_classes_have_members() {
    let text = "<?php\nreturn new class(1) extends A {\n public function up(): void {\n  a();\n  b();\n  c();\n }\n};";
    let outline = read(text);
    assert_eq!(outline.definitions.iter().map(|it| it.kind).collect::<Vec<_>>(), [DefinitionKind::Method]);
    assert_eq!(outline.folds.len(), 1);
}

#[test]
fn anonymous_functions_are_omitted_unless_they_wrap_others() {
    let closure = "function () use ($x): ?int {\n a();\n b();\n c();\n}";
    assert_eq!(read(&format!("<?php\n$a = {closure};")).folds[0].gap, Some((2, 4)));
    let framed = format!("<?php\ngroup(function () {{\nit('a', {closure});\nit('b', {closure});\n}});");
    assert_eq!(read(&framed).folds.len(), 2);
}

#[test]
fn an_unfinished_definition_does_not_hide_the_next() {
    let text = "<?php\n$a = 1\nclass A {\n public $b\n public function c()\n public function d() {}\n}";
    assert_eq!(names(text), [("A".into(), 3, 7), ("$b".into(), 4, 4), ("c".into(), 5, 5), ("d".into(), 6, 6),]);
}

#[test]
fn text_after_halt_compiler_is_data() {
    assert_eq!(only_names("<?php\nfunction a() {}\n__halt_compiler(); function b() {} {"), ["a"]);
}
