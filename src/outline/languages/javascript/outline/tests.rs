//! Tests of the outline reader for JavaScript and TypeScript.

use crate::outline::definitions::DefinitionKind::{self, Constant, Function, Method, Module, Property, Type};
use crate::outline::language::Language::{self, JavaScript, Tsx, TypeScript};
use crate::outline::raw_outline::{RawOutline, read_outline};
use crate::outline::steps;

fn read(language: Language, text: &str) -> RawOutline {
    read_outline(language, text).unwrap()
}

/// Kind, name and lines of all definitions.
fn outline(language: Language, text: &str) -> Vec<(DefinitionKind, String, u32, u32)> {
    let outline = read(language, text);
    assert!(!outline.has_errors, "{text}");
    outline.definitions.into_iter().map(|it| (it.kind, it.name, it.first, it.last)).collect()
}

#[track_caller]
fn defines(language: Language, text: &str, expected: &[(DefinitionKind, &str, u32, u32)]) {
    let expected: Vec<_> =
        expected.iter().map(|&(kind, name, first, last)| (kind, name.to_owned(), first, last)).collect();
    assert_eq!(outline(language, text), expected, "{text}");
}

/// Rows that a skeleton can omit, 0-based.
fn gaps(language: Language, text: &str) -> Vec<(u32, u32)> {
    read(language, text).folds.iter().filter_map(|fold| fold.gap).collect()
}

#[test]
fn a_statement_without_a_semicolon_ends_where_the_next_line_cannot_continue_it() {
    let text = "const a = b\n  .c()\n  ?.d\nconst e = f +\n  g\nlet h = i++\nlet j = k as const\nlet l = m\n";
    let expected = [
        (Constant, "a", 1, 3),
        (Constant, "e", 4, 5),
        (Constant, "h", 6, 6),
        (Constant, "j", 7, 7),
        (Constant, "l", 8, 8),
    ];
    defines(TypeScript, text, &expected);
    defines(
        TypeScript,
        "type A = Map<\n  B\n>\ntype C = () => void\ntype D = 1\n",
        &[(Type, "A", 1, 3), (Type, "C", 4, 4), (Type, "D", 5, 5)],
    );
}

#[test]
fn a_body_may_begin_on_a_line_of_its_own() {
    let text = "a.b = function ()\n{\n  c();\n};\nvar d = function ()\n{\n};\nfunction e()\n{\n}\n";
    defines(JavaScript, text, &[(Function, "a.b", 1, 4), (Function, "d", 5, 7), (Function, "e", 8, 10)]);
}

#[test]
fn regular_expressions_are_distinguished_from_divisions() {
    let text = "const a = b / c; const d = '/';\nconst e = /[/'\"`{]/g.test(f);\nif (g) /{/.test(h);\nconst i = j++ / 2 / k;\nfunction l() {}\n";
    let names: Vec<String> = outline(JavaScript, text).into_iter().map(|it| it.1).collect();
    assert_eq!(names, ["a", "d", "e", "i", "l"]);
}

#[test]
fn a_template_is_one_token_including_its_placeholders() {
    let text = "const a = `{ ${b ? `}${c['}']}` : { d: /`/ }} '\n`;\nfunction e() {}\n";
    defines(JavaScript, text, &[(Constant, "a", 1, 2), (Function, "e", 3, 3)]);
}

#[test]
fn an_unclosed_template_ends_with_its_line() {
    let found = read(JavaScript, "const a = `b\nfunction c() {}\n").definitions;
    assert_eq!(found.last().map(|it| it.name.as_str()), Some("c"));
}

#[test]
fn text_in_elements_is_neither_code_nor_string() {
    let text = "const A = () => (\n  <p title=\"it's {\" for={b}>\n    don't `function x() {c > 1 && <i>}</i>} http://d\n  </p>\n);\nfunction e() {}\n";
    let text = text.replace("<i>}</i>", "<i>'</i>");
    defines(Tsx, &text, &[(Function, "A", 1, 5), (Function, "e", 6, 6)]);
    let text = "const a = <b>\n  <c/>\n  text\n</b>\nconst d = <></>\nconst f = 1\n";
    defines(JavaScript, text, &[(Constant, "a", 1, 4), (Constant, "d", 5, 5), (Constant, "f", 6, 6)]);
}

#[test]
fn type_parameters_are_not_elements() {
    let text = "const a = <T,>(b: T) => b;\nconst c = <T extends D>(e: T) => { 'f'; };\ntype G = <T>(h: T) => void;\nconst i = j < k || l > m;\nfunction n() {}\n";
    defines(
        Tsx,
        text,
        &[
            (Function, "a", 1, 1),
            (Function, "c", 2, 2),
            (Type, "G", 3, 3),
            (Constant, "i", 4, 4),
            (Function, "n", 5, 5),
        ],
    );
    defines(
        TypeScript,
        "const a = <T, U = T>(b: T): U => {};\nlet c = <D>e, f = 1;\n",
        &[(Function, "a", 1, 1), (Constant, "c", 2, 2), (Constant, "f", 2, 2)],
    );
}

#[test]
fn an_unclosed_element_does_not_hide_later_definitions() {
    for text in ["a = <b c; }\nfunction d() {}\n", "{ a = <b>c }\nfunction d() {}\n"] {
        assert!(read(JavaScript, text).definitions.iter().any(|it| it.name == "d"), "{text}");
    }
}

#[test]
fn comments_decorators_and_export_belong_to_the_next_definition() {
    let text = "import a from 'a'; // a\n/** B. */\n@C({ d: 1 })\nexport class B {\n  @E() // e\n  f: string;\n\n  // G.\n  @H\n  async g() {}\n}\n";
    defines(TypeScript, text, &[(Type, "B", 2, 11), (Property, "f", 5, 6), (Method, "g", 8, 10)]);
}

#[test]
fn members_of_classes() {
    let text = "abstract class A<T extends { x: 1 }> extends B<{ c: 1 }> implements C {\n  static #d = 1\n  readonly e?: () => void\n  get f(): { g: 1 } { return h }\n  static async *[Symbol.i]<U>() {}\n  static {\n  }\n  [key: string]: any;\n  constructor(private readonly j: K) {}\n  l(): void;\n  abstract m(): string\n  'n' = (o) => {\n  }\n  get = 1;\n}\n";
    let expected = [
        (Type, "A", 1, 15),
        (Property, "#d", 2, 2),
        (Property, "e", 3, 3),
        (Method, "f", 4, 4),
        (Method, "[Symbol.i]", 5, 5),
        (Method, "constructor", 9, 9),
        (Method, "l", 10, 10),
        (Method, "m", 11, 11),
        (Property, "'n'", 12, 13),
        (Property, "get", 14, 14),
    ];
    defines(TypeScript, text, &expected);
}

#[test]
fn declarations_of_types_and_modules() {
    let text = "declare module \"a\" {\n  export function b(): { c: string }\n  export const d: E\n}\ndeclare global {\n  interface F extends G<{ h: 1 }> { i?(j: K): L; m: () => void; new (): N }\n}\nnamespace O.P { const enum Q { R } }\nexport type S =\n  | { t: 1 }\n  | U\nexport default interface V {}\n";
    defines(
        TypeScript,
        text,
        &[
            (Module, "\"a\"", 1, 4),
            (Function, "b", 2, 2),
            (Constant, "d", 3, 3),
            (Type, "F", 6, 6),
            (Method, "i", 6, 6),
            (Module, "O.P", 8, 8),
            (Type, "Q", 8, 8),
            (Type, "S", 9, 11),
            (Type, "V", 12, 12),
        ],
    );
}

#[test]
fn a_return_type_with_braces_is_not_the_body() {
    let text = "function a(): { b: string } {\n  x();\n  y();\n  z();\n}\nconst c = (d): e is { f: 1 } => {\n  x();\n  y();\n  z();\n};\n";
    defines(TypeScript, text, &[(Function, "a", 1, 5), (Function, "c", 6, 10)]);
    assert_eq!(gaps(TypeScript, text), [(1, 3), (6, 8)]);
}

#[test]
fn variables_functions_and_assignments_are_distinguished() {
    let text = "const { a, b } = c, d = 1,\n  // E.\n  e = new Map<F, G, H>(), i = async j => j;\nfor (const k of l) m();\nexports.n = async () => {};\no.p += function () {};\nawait using t = u;\nq = r = function () {}.bind(s);\n";
    defines(
        TypeScript,
        text,
        &[
            (Constant, "d", 1, 1),
            (Constant, "e", 2, 3),
            (Function, "i", 3, 3),
            (Function, "exports.n", 5, 5),
            (Constant, "t", 7, 7),
        ],
    );
}

#[test]
fn nested_functions_have_parents() {
    let text = "(function (root) {\n  var a = 1;\n  function b() {\n    const c = () => {};\n    class D { e() {} f = 1 }\n  }\n})(this);\n";
    let outline = read(JavaScript, text);
    let found: Vec<_> = outline.definitions.iter().map(|it| (it.kind, it.name.as_str(), it.parent)).collect();
    let expected = [(Function, "b", None), (Function, "c", Some(0)), (Type, "D", Some(0)), (Method, "e", Some(2))];
    assert_eq!(found, expected);
}

#[test]
fn wrapper_functions_keep_their_structure_and_other_bodies_are_omitted() {
    let suite = "describe('a', () => {\n  it('b', async () => {\n    x();\n    y();\n    z();\n  });\n});\n";
    assert_eq!(gaps(JavaScript, suite), [(2, 4)]);
    let call = "a(() => {\n  x();\n  y();\n  z();\n});\nconst b = () => {\n  function c() {\n    x();\n  }\n};\n";
    assert_eq!(gaps(JavaScript, call), [(1, 3), (6, 8)]);
    let guarded =
        "!(function (a) {\n  if (b) return\n  a.c = function () {\n    x();\n    y();\n    z();\n  }\n})(d);\n";
    assert_eq!(gaps(JavaScript, guarded), [(3, 5)]);
    // A function that configures something is not a wrapper.
    let deep = "a(() => {\n  b = new C({\n    d: () => 1,\n  });\n});\n";
    assert_eq!(gaps(JavaScript, deep), [(1, 3)]);
}

#[test]
fn long_tables_are_omitted_unless_they_are_arguments_or_contain_functions() {
    let rows = "  1,\n".repeat(13);
    assert_eq!(gaps(JavaScript, &format!("const a = [\n{rows}];\n")), [(4, 13)]);
    assert_eq!(gaps(JavaScript, &format!("a([\n{rows}]);\n")), []);
    assert_eq!(gaps(JavaScript, &format!("a([\n{rows}].join());\n")), [(4, 13)]);
    assert_eq!(gaps(JavaScript, &format!("a({{ b: [\n{rows}] }});\n")), [(4, 13)]);
    assert_eq!(gaps(JavaScript, &format!("const a = [\n{rows}  () => 1,\n];\n")), []);
}

#[test]
fn hostile_input_takes_linear_time() {
    let pieces = [
        "(", "{", "[", "<", "`${", "`", "<a>", "<a", "a<", "a=b=", "a=>", "(a):b?", "a=x=>", "({a:", "/", "{<a>", "@",
        "class A{", "if(", "else ", "function f(){", "a,", "a<b,", "=", "//\n", "(a)=>{", "[\n", "a?b:", "x=>y,",
        "async ", "static ", "f(()=>{\n", "</", "let a:", "type A=", "é", "\\", "'", "a={b(){", "in\n", "new ",
        "export ", "import ", "case ", "a!", "((a", "/*", "${", "#", "const a=1,", "()=>",
    ];
    let nested =
        [("(", "]"), ("[", ")"), ("(", "}"), ("{", ")"), ("<", ">"), ("f(()=>{", "})"), ("[\n", "]\n"), ("(/[", "a")];
    // With quadratic time there would be sixteen times as many steps.
    let grows = |language, text: &dyn Fn(usize) -> String| {
        let steps = |length: usize| {
            let text = text(length);
            steps::taken_by(|| drop(read(language, &text)))
        };
        steps(48_000) > 6 * steps(12_000)
    };
    for piece in pieces {
        for language in [JavaScript, TypeScript, Tsx] {
            assert!(!grows(language, &|length| piece.repeat(length / piece.len())), "{piece:?} in {language:?}");
        }
    }
    for (opening, closing) in nested {
        let text = |length| opening.repeat(length / 2) + &closing.repeat(length / 2);
        assert!(!grows(Tsx, &text), "{opening:?} and {closing:?}");
    }
}
