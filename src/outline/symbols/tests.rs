//! Tests of symbols in each language.

use proptest::prelude::*;

use super::{MOST, symbols};
use crate::outline::language::Language;

fn names(language: Language, text: &str) -> Vec<String> {
    symbols(language, text).iter().map(|symbol| symbol.name.to_owned()).collect()
}

#[test]
fn lines_count_from_one() {
    let found = symbols(Language::Python, "\n\ndef f():\n    pass\n");
    assert_eq!(found.iter().next().map(|symbol| (symbol.name, symbol.line)), Some(("f", 3)));
}

#[test]
fn rust() {
    let text = "pub(crate) async fn run<T>() {}\nunsafe extern \"C\" fn raw() {}\nstruct A;\npub enum B {}\ntrait C {}\ntype D = u8;\n\
                const E: u8 = 1;\nstatic mut F: u8 = 1;\nmod g {\n    const fn h() {}\n}\nmacro_rules! i {}\n// fn hidden() {}\n/*\nfn hidden() {}\n*/\n\
                let x = fn_call();\n";
    assert_eq!(names(Language::Rust, text), ["run", "raw", "A", "B", "C", "D", "E", "F", "g", "h", "i"]);
}

#[test]
fn python() {
    let text = "LIMIT: int = 3\nname = 'x'\nclass A(B):\n    \"\"\"\n    def hidden\n    \"\"\"\n    async def m(self):\n        y = 1\n# def no\nif x == 1:\n";
    assert_eq!(names(Language::Python, text), ["LIMIT", "name", "A", "m"]);
}

#[test]
fn script() {
    let text = "export default async function main() {}\nexport const a = 1\nconst b = () => {\n  const local = 2\n  const inner = () => 3\n}\nclass C {\n  \
                static async m(x) {\n    if (x) {\n    call(function () {\n  }\n  #p() {\n}\nexport interface I {}\nexport type T = 1\nconst enum N {\nexports.e = f\n\
                A.prototype.q = function () {}\n";
    assert_eq!(names(Language::TypeScript, text), ["main", "a", "b", "inner", "C", "m", "p", "I", "T", "N", "e", "q"]);
}

#[test]
fn go() {
    let text = "func A() {}\nfunc (r *R[T]) M(x int) error {\ntype S struct {\n\tField int\n}\nconst (\n\tX = iota\n\tY\n)\nvar Z = 1\nfunc G[T any](x T) {}\n";
    assert_eq!(names(Language::Go, text), ["A", "M", "S", "X", "Y", "Z", "G"]);
}

#[test]
fn java_and_c_sharp() {
    let text = "public final class A<T> extends B {\n    private static Map<String, List<T>> make(int x) {\n        return new Foo(x);\n        other.call(x);\n    }\n    \
                @Override\n    public String toString() {\n    void plain();\n    A(int x) {\n}\ninterface I {}\n    int x = compute(1);\n";
    assert_eq!(names(Language::Java, text), ["A", "make", "toString", "plain", "I"]);
    let text = "namespace A.B;\npublic sealed record R(int X);\n    public async Task<int> Run(CancellationToken token) {\n    protected override void On() => x();\n";
    assert_eq!(names(Language::CSharp, text), ["B", "R", "Run", "On"]);
}

#[test]
fn c_and_cpp() {
    let text = "#define LIMIT 3\nstatic int add(int a, int b) {\n  return call(a);\n}\nstruct point {\n};\ntypedef struct {\n} jv;\nint\nmain(int argc, char **argv)\n{\n  if (x) {\n  }\n}\nMACRO(x)\nint declared(void);\n";
    assert_eq!(names(Language::C, text), ["LIMIT", "add", "point", "jv", "main"]);
    let text = "namespace Catch {\n    class Runner final {\n        void run( int x ) override;\n        std::string name() const {\n    };\n    int Runner::count( int x ) {\n        log->stream() << 1;\nvoid Runner::run( int x ) {\nusing Id = int;\n";
    assert_eq!(names(Language::Cpp, text), ["Catch", "Runner", "run", "name", "count", "run", "Id"]);
}

#[test]
fn other_languages() {
    assert_eq!(
        names(
            Language::Ruby,
            "module A\n  class B::C < D\n    LIMIT = 1\n    def self.make\n    def ok?\n=begin\ndef no\n=end\n"
        ),
        ["A", "C", "LIMIT", "make", "ok"]
    );
    assert_eq!(
        names(Language::Php, "abstract class A {\n  public static function f() {}\n  const X = 1;\n"),
        ["A", "f", "X"]
    );
    assert_eq!(names(Language::Shell, "function a {\nb() {\n  c\n}\n"), ["a", "b"]);
    assert_eq!(
        names(Language::Kotlin, "data class A(val x: Int)\nfun <T> List<T>.f() = 1\nobject O\nenum class E\n"),
        ["A", "f", "O", "E"]
    );
    assert_eq!(names(Language::Scala, "case class A(x: Int)\n  def f = 1\nobject O\n"), ["A", "f", "O"]);
    assert_eq!(
        names(Language::Lua, "local function a()\nfunction M.b()\nfunction M:c()\nd = function()\n"),
        ["a", "b", "c", "d"]
    );
    assert_eq!(
        names(Language::Dart, "abstract class A {\n  Future<int> f(int x) async {\n    g(x);\n}\nmixin M on A {\n"),
        ["A", "f", "M"]
    );
    assert_eq!(
        names(Language::Zig, "pub const A = struct {\n    pub fn f(self: A) void {\nexport var b: u8 = 1;\n"),
        ["A", "f", "b"]
    );
    assert_eq!(
        names(
            Language::Elixir,
            "defmodule A.B do\n  @doc \"\"\"\n  def no do\n  \"\"\"\n  def f(x), do: x\n  defp g do\n"
        ),
        ["B", "f", "g"]
    );
    assert_eq!(names(Language::Proto, "message A {\nservice S {\n  rpc Get(A) returns (A);\n"), ["A", "S", "Get"]);
    assert_eq!(names(Language::Terraform, "resource \"aws_vpc\" \"main\" {\n  x \"y\" {\n"), ["main"]);
    assert_eq!(names(Language::Swift, "public struct A {\n  mutating func f() {}\n"), ["A", "f"]);
}

#[test]
fn the_number_of_symbols_is_limited() {
    let text = "def f(): pass\n".repeat(MOST + 10);
    assert_eq!(symbols(Language::Python, &text).len(), MOST);
}

proptest! {
    #[test]
    fn symbols_are_on_their_lines(parts in proptest::collection::vec(
        prop::sample::select(vec![
            "fn ", "def ", "class ", "func (", "fun <", "pub(", "extern \"", "#define ", "const ", "(", ")", "{", "}", "<", ">", ":", "::", ".", "=", "=>", " ", "\n",
            "name", "é", "*", "/*", "*/", "\"\"\"", "'", "~", "_",
        ]), 0..40), any in any::<String>()) {
        for text in [parts.concat(), any] {
            let lines: Vec<&str> = text.lines().collect();
            for language in Language::ALL {
                for symbol in symbols(*language, &text).iter() {
                    prop_assert!(!symbol.name.is_empty());
                    prop_assert!(lines[symbol.line as usize - 1].contains(symbol.name));
                }
            }
        }
    }
}
