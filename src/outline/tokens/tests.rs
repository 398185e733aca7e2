//! Tests of outlines in each language; `tests/skeletons.rs` and `tests/outlines.rs` compare whole files.

use crate::outline::language::Language;
use crate::outline::raw_outline::read_outline;
use crate::outline::steps;

/// Every definition as `Kind name first-last`, indented by depth.
pub(crate) fn definitions_of(language: Language, text: &str) -> Vec<String> {
    let outline = read_outline(language, text).unwrap();
    let depth =
        |at: usize| std::iter::successors(outline.definitions[at].parent, |it| outline.definitions[*it].parent).count();
    let line = |(at, it): (usize, &crate::outline::definitions::Definition)| {
        format!("{}{:?} {} {}-{}", "  ".repeat(depth(at)), it.kind, it.name, it.first, it.last)
    };
    outline.definitions.iter().enumerate().map(line).collect()
}

/// Rows that a skeleton can omit, 1-based.
fn gaps(language: Language, text: &str) -> Vec<(u32, u32)> {
    let folds = read_outline(language, text).unwrap().folds;
    folds.iter().filter_map(|fold| fold.gap).map(|(first, last)| (first + 1, last + 1)).collect()
}

#[test]
fn comments_and_attributes_directly_above_belong_to_a_definition() {
    let text = "// far\n\n// near\n[Test] // beside\n/* after */ class A { }\nint x; // not of B\nclass B { }\n";
    assert_eq!(definitions_of(Language::CSharp, text), ["Type A 3-5", "Type B 7-7"]);
    let text = "/** one */\n@Named(\"x\")\n@a.b.C\nclass A {\n  @Override int f();\n  int g = 1;\n}\n";
    assert_eq!(definitions_of(Language::Java, text), ["Type A 1-7", "  Method f 5-5", "  Property g 6-6"]);
}

#[test]
fn csharp_members_have_their_kinds_and_names() {
    let text = "namespace N.M;\nusing X;\nrecord P(int A);\nclass C(int a) : D(a) where T : new() {\n  int this[int i] => 1;\n  \
                int Q { get; set { x(); } } = 1;\n  event E Happened;\n  (int, int) Pair<T>(T t) => (1, 2);\n  \
                public static bool operator ==(C a, C b) => true;\n  delegate void D(int x);\n  static C() { }\n  \
                Dictionary<string, (int a, int b)> f = new() { };\n  void I.Do() { }\n  enum E { A, B }\n}\n";
    let expected = [
        "Module N.M 1-1",
        "Type P 3-3",
        "Type C 4-15",
        "  Property this 5-5",
        "  Property Q 6-6",
        "  Property Happened 7-7",
        "  Method Pair 8-8",
        "  Method operator == 9-9",
        "  Type D 10-10",
        "  Method C 11-11",
        "  Property f 12-12",
        "  Method Do 13-13",
        "  Type E 14-14",
    ];
    assert_eq!(definitions_of(Language::CSharp, text), expected);
}

#[test]
fn brackets_in_strings_are_ignored() {
    let strings = [
        (Language::CSharp, "@\"{\"\"\\\""),
        (Language::CSharp, "$\"{a[\"}\"]}{{\""),
        (Language::CSharp, "\"\"\"\n { \" \"\"\""),
        (Language::CSharp, "'{'"),
        (Language::Java, "\"\"\"\n { \\\"\"\" \"\"\""),
        (Language::Java, "\"\\\"{\""),
        (Language::Cpp, "R\"x({)\" )x\""),
        (Language::Cpp, "u8\"{\" + 1'000'0"),
        (Language::C, "L'{'"),
        (Language::Go, "`{\"\n`"),
        (Language::Go, "'{'"),
    ];
    for (language, string) in strings {
        let text = match language {
            Language::Go => format!("var s = {string}\nfunc f() {{ }}\n"),
            Language::C | Language::Cpp => format!("auto s = {string};\nvoid f() {{ }}\n"),
            _ => format!("class A {{ object s = {string};\nvoid f() {{ }} }}\n"),
        };
        let outline = read_outline(language, &text).unwrap();
        assert!(!outline.has_errors, "{text}");
        assert_eq!(outline.definitions.last().unwrap().name, "f", "{text}");
    }
}

#[test]
fn constants_of_an_enum_may_have_members() {
    let text = "enum E {\n  A(1) { int f() { return 1; } },\n  B;\n  static { x(); }\n  abstract int f();\n}\n";
    assert_eq!(definitions_of(Language::Java, text), ["Type E 1-6", "  Method f 2-2", "  Method f 5-5"]);
}

#[test]
fn an_anonymous_class_has_members() {
    let text = "class A {\n  R r = new R() {\n    @Override void run() {\n      a();\n      b();\n      c();\n    }\n  };\n}\n";
    assert_eq!(definitions_of(Language::Java, text), ["Type A 1-9", "  Property r 2-8", "  Method run 3-7"]);
    assert_eq!(gaps(Language::Java, text), [(4, 6)]);
}

#[test]
fn c_declarations_have_their_kinds_and_names() {
    let text = "typedef struct { int a; } T;\nint (*compare)(int, int);\nstatic int (*pick(int r))(int) { return 0; }\nstruct s;\n\
                struct s *f(struct s a);\nenum { A, B } e;\nint v[] = { 1 }, w;\nMACRO(x);\nEXPORT_SYMBOL(y)\n\
                int last(a)\n{\n}\n";
    let expected = [
        "Type T 1-1",
        "  Property a 1-1",
        "Constant compare 2-2",
        "Function pick 3-3",
        "Function f 5-5",
        "Type  6-6",
        "Constant v 7-7",
        "Function last 10-12",
    ];
    assert_eq!(definitions_of(Language::C, text), expected);
}

#[test]
fn cpp_members_have_their_kinds_and_names() {
    let text = "FOLLY_PUSH\nnamespace a::b {\ntemplate <class T, int N = (1 > 0)>\nclass __attribute__((x)) C final : public D<T> {\npublic:\n  \
                C(int a) : D{a}, b_(1) { }\n  ~C();\n  bool operator()(int x) const { return x; }\n  T operator[](int i);\n  \
                friend bool operator==(C, C);\n  using U = T;\n  int b_{1};\n  Q_OBJECT\n  void f() noexcept(true);\n};\n}\n\
                auto g = [](int x) { return x; };\nvoid C::f() const try { } catch (...) { }\nextern \"C\" {\nint h();\n}\n";
    let expected = [
        "Module b 2-16",
        "  Type C 3-15",
        "    Method C 6-6",
        "    Method ~C 7-7",
        "    Method operator() 8-8",
        "    Method operator[] 9-9",
        "    Method operator== 10-10",
        "    Type U 11-11",
        "    Property b_ 12-12",
        "    Method f 14-14",
        "Constant g 17-17",
        "Function C::f 18-18",
        "Function h 20-20",
    ];
    assert_eq!(definitions_of(Language::Cpp, text), expected);
}

#[test]
fn only_one_branch_of_a_preprocessor_opens_a_brace() {
    let text =
        "#ifdef A\nint f(int a) {\n#else\nint f(void) {\n#endif\n  return 1;\n}\n#if 0\n}\n#endif\nint g() { }\n";
    assert_eq!(definitions_of(Language::C, text), ["Function f 2-7", "Function g 11-11"]);
    assert!(!read_outline(Language::C, text).unwrap().has_errors);
    let both = "#if A\nint f() { }\n#else\nint f() { return 1; }\n#endif\n";
    assert_eq!(definitions_of(Language::C, both), ["Function f 2-2", "Function f 4-4"]);
}

#[test]
fn a_body_that_ends_in_a_preprocessor_branch_is_kept() {
    let text = "int f() {\n  a();\n  b();\n#if A\n  c();\n}\n#else\n}\n#endif\n";
    assert_eq!(gaps(Language::C, text), []);
    let whole = "int f() {\n#if A\n  a();\n#else\n  b();\n#endif\n}\n";
    assert_eq!(gaps(Language::C, whole), [(2, 6)]);
}

#[test]
fn declarations_of_go_end_with_their_lines() {
    let text = "package p\n\nimport \"x\"\n\n// F does.\nfunc F() interface{} {\n\treturn 1\n}\nfunc (r *R[T]) M(a struct{}) (x, y int) { return }\n\
                func asm(x int)\nvar a, b = 1 +\n\t2\ntype (\n\tA struct {\n\t\tx int\n\t}\n\tB = A\n)\nconst c = 1; const d = 2\n";
    let expected = [
        "Function F 5-8", "Method M 9-9", "Function asm 10-10", "Constant a 11-12", "Type A 14-16", "Type B 17-17",
        "Constant c 19-19", "Constant d 19-19",
    ];
    assert_eq!(definitions_of(Language::Go, text), expected);
    let values =
        "var f = func(a int) (b int) {\n\ta()\n\ta()\n\ta()\n}\nvar g = []func(){\n\tnil,\n\tnil,\n\tnil,\n}\n";
    assert_eq!(gaps(Language::Go, values), [(2, 4)]);
}

#[test]
fn declarations_of_kotlin_and_swift_end_with_their_blocks_or_lines() {
    let text = "package a.b\nimport c.*\n\n/** One. */\n@A(\"x\")\ndata class P<T>(val x: Int) : Q(x),\n  R by y {\n  \
                private val z: Map<Int, Int>\n    get() = m[\"${q[\"}\"]}\"]\n  val l by lazy {\n    1\n  }\n  \
                override fun <T> List<T>.f(a: Int): Int =\n    a\n      .b()\n  init { g() }\n  companion object {\n    \
                const val C = 1\n  }\n}\ntypealias F = (Int) -> Unit\nenum class E { A, B }\nfun g() {\n}\nval h = 1\n";
    let expected = [
        "Type P 4-20",
        "  Property z 8-9",
        "  Property l 10-12",
        "  Method f 13-15",
        "  Method init 16-16",
        "  Type object 17-19",
        "    Property C 18-18",
        "Type F 21-21",
        "Type E 22-22",
        "Function g 23-24",
        "Constant h 25-25",
    ];
    assert_eq!(definitions_of(Language::Kotlin, text), expected);
    let text = "import A\n@objc public final class C: D {\n  private(set) var a = \"\\(b[\")\"])\"\n  var c: Int {\n    1\n  }\n  \
                init?(x: Int) { }\n  class func f<T>(_ x: T) -> [Int]\n    where T: U {\n  }\n}\nextension C: E {}\nlet s = #\"{\"#\n";
    let expected = [
        "Type C 2-11",
        "  Property a 3-3",
        "  Property c 4-6",
        "  Method init 7-7",
        "  Method f 8-10",
        "Implementation C 12-12",
        "Constant s 13-13",
    ];
    assert_eq!(definitions_of(Language::Swift, text), expected);
}

#[test]
fn a_syntax_error_affects_only_its_surroundings() {
    for (language, text) in [
        (Language::Java, "class A {\n  void f( { }\n  void g() { }\n}\nclass B { }\n"),
        (Language::C, "int f( {\n}\nvoid g() { }\nint B;\n"),
        (Language::CSharp, "class A {\n  void g() { ) }\n}\nclass B { }\n"),
    ] {
        let outline = read_outline(language, text).unwrap();
        assert!(outline.has_errors, "{text}");
        for name in ["g", "B"] {
            assert!(outline.definitions.iter().any(|it| it.name == name), "{name} in {text}");
        }
    }
}

/// Deep nesting must neither overflow the stack nor take quadratic time.
#[test]
fn deeply_nested_unclosed_brackets_are_read() {
    for (open, close) in [
        ("{", "}"),
        ("(", ")"),
        ("[", "]"),
        ("struct a {", "};"),
        ("int a = {", "};"),
        ("#if a\n", "#endif\n"),
        ("[", ")"),
    ] {
        for language in [Language::Cpp, Language::CSharp, Language::Java, Language::Go] {
            for text in
                [format!("{}{}", open.repeat(4_000), close.repeat(4_000)), open.repeat(4_000), close.repeat(4_000)]
            {
                assert!(read_outline(language, &text).is_some());
            }
        }
    }
}

#[test]
fn unclosed_constructs_end_with_the_last_line() {
    for (language, text) in [
        (Language::C, "int f() { }\nint a = 1 /*\n\n"),
        (Language::Php, "<?php\nconst A = <<<X\n  a\n"),
        (Language::Java, "class A {\n  String s = \"\"\"\n a\n"),
        (Language::TypeScript, "const a = `\n\n"),
        (Language::Python, "a = \"\"\"\n\n"),
        (Language::Ruby, "A = <<~X\n a\n"),
        (Language::Shell, "a='\n\n"),
    ] {
        let lines = text.lines().count() as u32;
        let outline = read_outline(language, text).unwrap();
        assert!(outline.definitions.iter().all(|it| it.last <= lines), "{text}");
    }
}

#[test]
fn text_that_is_too_large_has_no_outline() {
    let line = "int a;\n";
    let text = line.repeat(crate::outline::raw_outline::LARGEST / line.len());
    assert!(read_outline(Language::C, &text).is_some());
    assert!(read_outline(Language::C, &(text + line)).is_none());
}

#[test]
fn readers_take_linear_time() {
    const PIECES: [&str; 44] = [
        "(",
        "{",
        "[",
        "<",
        "\"",
        "'",
        "`",
        "\"${",
        "#{",
        "/*",
        "//",
        "--[[",
        "[[",
        "[==[",
        "<<A\n",
        "~s(",
        "a<",
        "a=",
        "a,",
        "a\n",
        "a:\n",
        "@a ",
        "@a\n",
        "if x ",
        "do\n",
        "end\n",
        "function ",
        "function a(",
        "fn a(",
        "def a =\n  ",
        "class A {",
        "class A:\n  ",
        "const a = struct {",
        "x = {\n",
        "local a = function() ",
        "a(function() ",
        "private ",
        "case ",
        "r'",
        "?a",
        "a => ",
        "A() : a = ",
        "message A {\n",
        "resource \"a\" ",
    ];
    let mut wrong = Vec::new();
    for &language in Language::ALL.iter().filter(|language| language.spec().outline.is_some()) {
        for piece in PIECES {
            let steps = |length: usize| {
                let text = piece.repeat(length / piece.len());
                steps::taken_by(|| drop(read_outline(language, &text)))
            };
            let (quarter, whole) = (steps(4_000), steps(16_000));
            if whole > 6 * quarter + 1_000 {
                wrong.push(format!("{piece:?} in {language:?}: {quarter} steps, then {whole}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
