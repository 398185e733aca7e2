//! Tests with real tool output.

#![expect(clippy::case_sensitive_file_extension_comparisons, reason = "the test chooses the names")]

use super::*;
use crate::gather::corpus::Corpus;
use crate::gather::samples;

/// Creates a project of these files with 300 lines each. A name after `#` is defined on line 40.
fn corpus(files: &[&str]) -> (tempfile::TempDir, Corpus) {
    fn file(entry: &str) -> (&str, String) {
        let (path, symbol) = entry.split_once('#').unwrap_or((entry, ""));
        let line = |number: usize| match (number, symbol) {
            (40, symbol) if path.ends_with(".py") && !symbol.is_empty() => format!("def {symbol}():\n"),
            (40, symbol) if path.ends_with(".go") && !symbol.is_empty() => format!("func {symbol}(t *T) {{\n"),
            _ => format!("x{number}\n"),
        };
        (path, (1..=300).map(line).collect())
    }
    let files: Vec<(&str, String)> = files.iter().map(|entry| file(entry)).collect();
    samples::corpus(&files.iter().map(|(path, text)| (*path, text.as_str())).collect::<Vec<_>>())
}

/// The locations in `text` as `path:line`, and their reasons.
fn found(files: &[&str], text: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (_dir, corpus) = corpus(files);
    let found = find(&corpus, &[("ci.log".to_owned(), text.to_owned())]);
    let locations = found.locations.iter().map(|place| format!("{}:{}", place.path, place.line)).collect();
    (locations, found.locations.into_iter().map(|place| place.why).collect(), found.notes)
}

fn check(files: &[&str], text: &str, locations: &[&str], reasons: &[&str]) {
    let (got, why, notes) = found(files, text);
    assert_eq!(got, locations, "{why:#?} {notes:#?}\n{text}");
    for (why, reason) in why.iter().zip(reasons) {
        assert!(why.contains(reason), "{why} has no {reason}");
    }
}

#[test]
fn rust_panics_and_backtraces() {
    let files = ["src/main.rs", "src/pay/refund.rs"];
    check(
        &files,
        "thread 'main' panicked at src/pay/refund.rs:12:9:\nindex out of bounds: the len is 0\nnote: run with `RUST_BACKTRACE=1`\n",
        &["src/pay/refund.rs:12"],
        &["panicked here (ci.log): index out of bounds"],
    );
    check(
        &files,
        "thread 'pay::tests::refunds' (71) panicked at src/pay/refund.rs:31:9:\nassertion `left == right` failed\n  left: 1\n right: 2\n",
        &["src/pay/refund.rs:31"],
        &["panicked here (ci.log): pay::tests::refunds: assertion `left == right` failed"],
    );
    check(
        &files,
        "thread 'pay::tests::refunds' panicked at 'assertion failed: a == b', src/pay/refund.rs:31:9\n",
        &["src/pay/refund.rs:31"],
        &["pay::tests::refunds: assertion failed: a == b"],
    );
    let full = "\
thread 'main' panicked at /rustc/0123456789abcdef0123456789abcdef01234567/library/core/src/option.rs:1960:5:
called `Option::unwrap()` on a `None` value
stack backtrace:
   0:     0x55d3c1b4a0f5 - std::backtrace_rs::backtrace::libunwind::trace::h1
                               at /rustc/0123456789abcdef0123456789abcdef01234567/library/std/src/../../backtrace/src/backtrace/libunwind.rs:116:5
   1:     0x55d3c1b4a0f5 - core::panicking::panic_fmt
                               at /rustc/0123456789abcdef0123456789abcdef01234567/library/core/src/panicking.rs:72:14
   2:     0x55d3c1b4a0f5 - shop::pay::refund::refund
                               at /builds/team/shop/shop/src/pay/refund.rs:77:13
   3:     0x55d3c1b4a0f5 - shop::main
                               at /builds/team/shop/shop/src/main.rs:5:3
   4:     0x55d3c1b4a0f5 - tokio::runtime::block_on
                               at /home/u/.cargo/registry/src/index.crates.io-6f17d22bba15001f/tokio-1.38.0/src/main.rs:5:3
";
    check(&files, full, &["src/pay/refund.rs:77", "src/main.rs:5"], &["frame 4 of the panic's backtrace"]);
}

#[test]
fn rustc_and_clippy() {
    let text = "\
\x1b[0m\x1b[1m\x1b[38;5;9merror[E0308]\x1b[0m\x1b[0m\x1b[1m: mismatched types\x1b[0m
\x1b[0m  \x1b[0m\x1b[0m\x1b[1m--> \x1b[0m\x1b[0msrc/a.rs:10:5\x1b[0m\r
   |
10 |     x
   |     ^ expected `u32`, found `&str`
   |
  ::: src/b.rs:20:1
   |
20 | fn f() {}

warning: unused variable: `y`
  --> src/c.rs:3:9

error: this could be simplified
   --> src\\b.rs:30:9
    = note: `-D clippy::needless-return` implied by `-D warnings`

error: could not compile `shop` (lib) due to 2 previous errors
";
    check(
        &["src/a.rs", "src/b.rs", "src/c.rs"],
        text,
        &["src/a.rs:10", "src/b.rs:30", "src/b.rs:20"],
        &["compiler error (ci.log): E0308 mismatched types", "this could be simplified"],
    );
    check(&["src/c.rs"], "warning: unused variable: `y`\n  --> src/c.rs:3:9\n", &["src/c.rs:3"], &["compiler warning"]);
}

#[test]
fn python_tracebacks() {
    let files = ["shop/pay.py", "shop/cli.py", "manage.py"];
    let chained = "\
2026-01-24 10:30:00,123 ERROR Traceback (most recent call last):
2026-01-24 10:30:00,123 ERROR   File \"/srv/app/shop/pay.py\", line 20, in charge
2026-01-24 10:30:00,123 ERROR     return self.ledger[card]
2026-01-24 10:30:00,123 ERROR KeyError: 'card'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File \"/srv/app/manage.py\", line 7, in <module>
    main()
  File \"/srv/app/shop/cli.py\", line 33, in main
    pay()
    ~~~^^
  File \"/usr/lib/python3.11/contextlib.py\", line 81, in inner
    return func(*args, **kwds)
  File \"/srv/app/venv/lib/python3.11/site-packages/requests/cli.py\", line 33, in send
    raise PaymentError(f\"no {card}\")
shop.errors.PaymentError: no card
";
    check(
        &files,
        chained,
        &["shop/pay.py:20", "shop/cli.py:33", "manage.py:7"],
        &[
            "raised here (ci.log): KeyError: 'card'",
            "frame 3 of the stack trace (ci.log): shop.errors.PaymentError: no card",
        ],
    );
    check(
        &files,
        "  File \"shop/pay.py\", line 12\n    def x(:\n          ^\nSyntaxError: invalid syntax\n",
        &["shop/pay.py:12"],
        &["SyntaxError: invalid syntax"],
    );
    // The project's own package may be installed: the path below site-packages then names a file of the project.
    check(
        &files,
        "Traceback (most recent call last):\n  File \"/x/lib/python3.11/site-packages/shop/pay.py\", line 9, in f\nValueError\n",
        &["shop/pay.py:9"],
        &["ValueError"],
    );
}

#[test]
fn logs_of_runners_and_loggers() {
    let files = ["src/a.rs", "shop/pay.py", "lib/x.js"];
    check(
        &files,
        "2026-01-24T10:30:00.1234567Z ##[error]error[E0308]: mismatched types\n2026-01-24T10:30:00.1234567Z   --> src/a.rs:10:5\n",
        &["src/a.rs:10"],
        &["E0308 mismatched types"],
    );
    check(
        &files,
        "{\"level\":\"error\",\"exc_info\":\"Traceback (most recent call last):\\n  File \\\"/app/shop/pay.py\\\", line 7, in f\\n    x()\\nValueError: no\"}\n",
        &["shop/pay.py:7"],
        &["raised here"],
    );
    check(
        &files,
        "Jan 24 10:30:00 web node[12]: TypeError: x\nJan 24 10:30:00 web node[12]:     at f (/srv/lib/x.js:3:1)\n",
        &["lib/x.js:3"],
        &["TypeError: x"],
    );
}

#[test]
fn pytest_long_short_and_summary() {
    let files = ["shop/pay.py", "tests/test_pay.py#test_refund"];
    let long = "\
=================================== FAILURES ===================================
_________________________________ test_refund __________________________________

    def test_refund():
>       assert refund(5) == 5

tests/test_pay.py:41: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def refund(cents):
>       raise ValueError(\"no\")
E       ValueError: no

shop/pay.py:17: ValueError
=========================== short test summary info ============================
FAILED tests/test_pay.py::TestPay::test_refund[5] - ValueError: no
========================= 1 failed, 3 passed in 0.12s ==========================
";
    check(
        &files,
        long,
        &["shop/pay.py:17", "tests/test_pay.py:40", "tests/test_pay.py:41"],
        &["the test fails here (ci.log): test_refund: ValueError: no"],
    );
    let short = "___ test_refund ___\ntests/test_pay.py:41: in test_refund\n    assert refund(5) == 5\nshop/pay.py:17: in refund\n    raise ValueError(\"no\")\nE   ValueError: no\n";
    check(&files, short, &["shop/pay.py:17", "tests/test_pay.py:41"], &["test_refund: ValueError: no"]);
    check(
        &files,
        "FAILED tests/test_pay.py::test_refund - assert 4 == 5\n",
        &["tests/test_pay.py:40"],
        &["assert 4 == 5"],
    );
}

#[test]
fn node_jest_and_vitest() {
    let files = ["src/pay.ts", "src/cart.test.js", "lib/x.mjs", "server.js"];
    let node = "\
/usr/src/app/server.js:12
    throw new TypeError('x');
    ^

TypeError: Cannot read properties of undefined (reading 'id')
    at refund (webpack-internal:///./src/pay.ts:33:11)
    at async Promise.all (index 0)
    at async file:///C:/Users/me/shop/lib/x.mjs:7:3
    at Module._compile (node:internal/modules/cjs/loader:1376:14)
    at Layer.handle (/usr/src/app/node_modules/express/lib/router/layer.js:95:5)
    at Object.<anonymous> (/usr/src/app/server.js:12:9)
";
    check(
        &files,
        node,
        &["src/pay.ts:33", "lib/x.mjs:7", "server.js:12"],
        &["raised here (ci.log): TypeError: Cannot read", "frame 2 of the stack trace"],
    );
    let jest = "\
FAIL src/cart.test.js
  ● cart › adds

    expect(received).toBe(expected)

    Expected: 3
    Received: 2

      4 | test('adds', () => {
    > 5 |   expect(add(1, 1)).toBe(3);

      at Object.toBe (src/cart.test.js:5:21)
";
    check(&files, jest, &["src/cart.test.js:5"], &["the test fails here (ci.log): cart › adds"]);
    let vitest = "\
 FAIL  src/cart.test.js > cart > adds
AssertionError: expected 2 to be 3 // Object.is equality
 ❯ src/cart.test.js:5:21
 ❯ node_modules/vitest/dist/x.js:1:1
";
    let tap = "TAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  location: '/ci/src/cart.test.js:4:1'\n  error: |-\n    2 !== 3\n  stack: |-\n    TestContext.<anonymous> (file:///ci/src/cart.test.js:5:29)\n    Test.run (node:internal/test_runner/test:796:25)\n";
    check(&files, tap, &["src/cart.test.js:4", "src/cart.test.js:5"], &["the test fails here (ci.log): adds"]);
    check(&files, vitest, &["src/cart.test.js:5"], &["AssertionError: expected 2"]);
}

#[test]
fn go_panics_tests_and_vet() {
    let files =
        ["main.go", "pay/refund.go", "pay/util.go", "cart/util.go", "cart/cart_test.go#TestAdd", "pay/pay_test.go"];
    let panic = "\
panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
panic({0x4a1b20?, 0xc0000140a8?})
\t/usr/local/go/src/runtime/panic.go:770 +0x132
example.com/shop/pay.Refund(...)
\t/builds/team/shop/shop/pay/refund.go:20
main.main()
\t/builds/team/shop/shop/main.go:9 +0x1d
exit status 2
";
    check(
        &files,
        panic,
        &["pay/refund.go:20", "main.go:9"],
        &["frame 2 of the panic's backtrace (ci.log): runtime error: index out of range"],
    );
    let test = "\
=== RUN   TestAdd
    util.go:15: got 2, want 3
--- FAIL: TestAdd (0.00s)
    cart_test.go:12: got 2, want 3
FAIL
FAIL\texample.com/shop/cart\t0.003s
ok  \texample.com/shop/pay\t0.003s
";
    check(&files, test, &["cart/util.go:15", "cart/cart_test.go:12"], &[]);
    check(
        &files,
        "--- FAIL: TestAdd (0.00s)\nFAIL\texample.com/shop/cart\t0.003s\n",
        &["cart/cart_test.go:40"],
        &["TestAdd"],
    );
    let build = "# example.com/shop/pay\n./util.go:3:5: undefined: x\nvet: pay/refund.go:7:2: unreachable code\n";
    check(&files, build, &["pay/util.go:3", "pay/refund.go:7"], &["undefined: x", "unreachable code"]);
}

#[test]
fn java_and_kotlin() {
    let files = [
        "src/main/java/com/acme/pay/Refund.java",
        "src/main/java/com/acme/Main.java",
        "src/main/kotlin/com/acme/Cart.kt",
        "src/test/java/com/acme/pay/RefundTest.java",
    ];
    let trace = "\
Exception in thread \"main\" java.lang.IllegalStateException: could not refund
\tat com.acme.Main.main(Main.java:14)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1596)
Caused by: java.lang.NullPointerException: card
\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)
\tat com.acme.pay.Refund$Inner.lambda$of$0(Refund.java:31)
\tat com.acme.CartKt.total(Cart.kt:8)
\t... 12 more
";
    check(
        &files,
        trace,
        &[
            "src/main/java/com/acme/pay/Refund.java:31",
            "src/main/java/com/acme/Main.java:14",
            "src/main/kotlin/com/acme/Cart.kt:8",
        ],
        &["frame 2 of the stack trace (ci.log): java.lang.NullPointerException: card"],
    );
    let maven = "\
[ERROR] /builds/shop/src/main/java/com/acme/Main.java:[22,9] cannot find symbol
[ERROR] Failures: 
[ERROR]   RefundTest.refunds:42 expected:<3> but was:<2>
";
    check(
        &files,
        maven,
        &["src/main/java/com/acme/Main.java:22", "src/test/java/com/acme/pay/RefundTest.java:42"],
        &["cannot find symbol", "RefundTest.refunds expected:<3>"],
    );
    let gradle = "\
RefundTest > refunds() FAILED
    org.opentest4j.AssertionFailedError: expected: <3> but was: <2>
        at app//com.acme.pay.RefundTest.refunds(RefundTest.java:42)
e: file:///builds/shop/src/main/kotlin/com/acme/Cart.kt:9:13 Unresolved reference: x
";
    check(
        &files,
        gradle,
        &["src/test/java/com/acme/pay/RefundTest.java:42", "src/main/kotlin/com/acme/Cart.kt:9"],
        &["RefundTest > refunds()", "Unresolved reference"],
    );
}

#[test]
fn debuggers_and_sanitizers() {
    let files = ["src/list.c", "src/main.c", "include/list.h"];
    let gdb = "\
Program received signal SIGSEGV, Segmentation fault.
#0  0x0000555555555139 in list_push (l=0x0, v=3) at ../src/list.c:21
#1  0x0000555555555171 in main () at src/main.c:9
#2  0x00007ffff7c29d90 in __libc_start_call_main () at ../sysdeps/nptl/libc_start_call_main.h:58
";
    check(&files, gdb, &["src/list.c:21", "src/main.c:9"], &["crashed here (ci.log): SIGSEGV", "frame 2 of the crash"]);
    let asan = "\
=================================================================
==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010
READ of size 4 at 0x602000000010 thread T0
    #0 0x4c3b2a in list_len /ci/build/src/list.c:30:12
    #1 0x4c3c11 in main /ci/build/src/main.c:15:5

freed by thread T0 here:
    #0 0x493d9d in free (/ci/build/a.out+0x493d9d)
    #1 0x4c3bd1 in list_free /ci/build/src/list.c:44:3

SUMMARY: AddressSanitizer: heap-use-after-free /ci/build/src/list.c:30:12 in list_len
";
    check(
        &files,
        asan,
        &["src/list.c:30", "src/list.c:44", "src/main.c:15"],
        &["crashed here (ci.log): AddressSanitizer: heap-use-after-free", "freed by thread"],
    );
    check(
        &files,
        "src/list.c:12:7: runtime error: signed integer overflow: 2147483647 + 1\n",
        &["src/list.c:12"],
        &["signed integer overflow"],
    );
    check(
        &files,
        "WARNING: ThreadSanitizer: data race (pid=9)\n  Write of size 4 at 0x7b04 by thread T1:\n    #0 push src/list.c:8:3 (a.out+0x1)\n  Previous read of size 4 at 0x7b04 by main thread:\n    #0 main src/main.c:6:3 (a.out+0x2)\n",
        &["src/list.c:8", "src/main.c:6"],
        &["data race"],
    );
    check(
        &files,
        "a.out: src/list.c:5: list_new: Assertion `n > 0' failed.\n",
        &["src/list.c:5"],
        &["Assertion `n > 0' failed"],
    );
}

#[test]
fn compilers_and_linters() {
    let cases: [(&str, &[&str], &str); 9] = [
        ("src/a.c:3:5: error: expected ';' before '}'\nsrc/a.c:4:1: note: here\n", &["src/a.c:3"], "expected ';'"),
        (
            "In file included from src/a.c:1:\nsrc/b.h:9:2: fatal error: x.h: No such file\n",
            &["src/b.h:9"],
            "No such file",
        ),
        ("D:\\a\\repo\\src\\a.c(12,5): error C2065: 'x': undeclared identifier\r\n", &["src/a.c:12"], "C2065"),
        ("D:\\a\\repo\\src\\a.c(13): error C2065: 'x'\r\n", &["src/a.c:13"], "C2065"),
        (
            "src/x.ts(7,3): error TS2304: Cannot find name 'y'.\nsrc/x.ts(9,3): error TS2304: Cannot find name 'y'.\n",
            &["src/x.ts:7", "src/x.ts:9"],
            "TS2304",
        ),
        ("src/x.ts:7:3 - error TS2304: Cannot find name 'y'.\n", &["src/x.ts:7"], "TS2304: Cannot find"),
        (
            "/builds/ci/src/x.ts\n  12:5  error    'y' is not defined  no-undef\n  14:1  warning  Unexpected console  no-console\n\n✖ 2 problems\n",
            &["src/x.ts:12"],
            "'y' is not defined no-undef",
        ),
        (
            "app/m.py:4: error: Incompatible types  [assignment]\napp/m.py:9:1: F401 `os` imported but unused\n",
            &["app/m.py:4", "app/m.py:9"],
            "Incompatible types",
        ),
        ("PHP Fatal error:  Uncaught Exception in /var/www/app/m.php on line 9\n", &["app/m.php:9"], ""),
    ];
    for (text, locations, reason) in cases {
        check(&["src/a.c", "src/b.h", "src/x.ts", "app/m.py", "app/m.php"], text, locations, &[reason]);
    }
}

#[test]
fn paths_from_other_machines_are_resolved() {
    let files = ["src/lib.rs", "crates/a/src/lib.rs", "crates/b/src/lib.rs", "crates/b/src/only.rs", "README.md"];
    let at = |path: &str| format!("thread 'x' panicked at {path}:5:1:\nboom\n");
    for (path, expected) in [
        ("src/lib.rs", &["src/lib.rs:5"][..]),
        ("/builds/team/shop/shop/src/lib.rs", &["src/lib.rs:5"]),
        ("/builds/team/shop/shop/crates/a/src/lib.rs", &["crates/a/src/lib.rs:5"]),
        ("C:\\agent\\_work\\1\\s\\crates\\b\\src\\lib.rs", &["crates/b/src/lib.rs:5"]),
        ("c:\\Agent\\Crates\\B\\Src\\Only.rs", &["crates/b/src/only.rs:5"]),
        ("only.rs", &["crates/b/src/only.rs:5"]),
        ("/somewhere/else/only.rs", &[]),
        ("/nowhere/gone.rs", &[]),
        ("a/b/gone.rs", &[]),
    ] {
        check(&files, &at(path), expected, &[]);
    }
    let (locations, _, notes) = found(&["crates/a/src/lib.rs", "crates/b/src/lib.rs"], &at("src/lib.rs"));
    assert!(locations.is_empty());
    assert!(notes[0].contains("is ambiguous: `crates/a/src/lib.rs`, `crates/b/src/lib.rs`"), "{notes:?}");
    let (locations, _, notes) = found(&files, &at("src/lib.rs").replace(":5:1", ":5000:1"));
    assert_eq!(locations, ["src/lib.rs:300"]);
    assert!(notes[0].contains("line 5000 of `src/lib.rs`, which has only 300 lines"), "{notes:?}");
}

#[test]
fn frames_of_another_project_are_not_resolved() {
    let files = ["shop_api/views.py", "contrib/admin/views.py", "contrib/auth/views.py", "db/models/query.py"];
    let trace = |path: &str| {
        format!(
            "Traceback (most recent call last):\n  File \"{path}\", line 12, in checkout\n    total()\nKeyError: 1\n"
        )
    };
    for path in [
        "/srv/app/shop/views.py",
        "/venv/lib/python3.12/site-packages/rest_framework/views.py",
        "/home/u/other/models/sql/query.py",
    ] {
        let (locations, _, notes) = found(&files, &trace(path));
        assert!(locations.is_empty() && notes.is_empty(), "{path}: {locations:?} {notes:?}");
    }
    check(
        &["django/db/models/query.py"],
        &trace("/usr/lib/python3/site-packages/django/db/models/query.py"),
        &["django/db/models/query.py:12"],
        &[],
    );
}

#[test]
fn prose_is_not_a_failure() {
    for text in [
        "",
        "All good.\n",
        "Look at src/a.rs:12 and tell me what it does.",
        "In src/a.rs line 12 there is a loop.",
        "test result: ok. 5 passed; 0 failed",
        "http://localhost:3000/ is up; see docs/a.md",
        "12:30:05 INFO started",
    ] {
        assert_eq!(failures(text), [], "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn readers_never_panic(text in "[ -~\n\t]{0,400}") {
        let found = failures(&text);
        proptest::prop_assert!(found.iter().all(|failure| !failure.locations.is_empty()));
    }
}
