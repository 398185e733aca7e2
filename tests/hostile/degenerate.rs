//! Files of a megabyte made to be slow: a few signs over and over, in every language that is parsed.

use std::time::Instant;

use teddy::gather::code::{imports::imports, outline, skeleton, symbols::symbols};
use teddy::gather::language::Language;

/// What is repeated, in whichever language hurts most.
const PIECES: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "((",
    "{{",
    "\"",
    "'",
    "`",
    "$((",
    "$(",
    "${",
    "<<A\n",
    "<<A ",
    "<<~A\n",
    "#{",
    "\"#{",
    "%w(",
    "%(",
    "%",
    "/",
    "/*",
    "//",
    "\\",
    "a ",
    "a.",
    "a(",
    "a<",
    "a=",
    "a,",
    "a;",
    "a\n",
    "if ",
    "if x\n",
    "do ",
    "do\n",
    "begin\n",
    "case x\n",
    "def a\n",
    "fn a(",
    "class A\n",
    "=begin\n",
    "=",
    "==",
    "|",
    "||",
    "&",
    "&&",
    ";",
    ";;",
    "\n",
    " ",
    "\t",
    "\r",
    "-",
    "--",
    "!",
    "?",
    ":",
    "::",
    "@",
    "#",
    "*",
    "**",
    "~",
    "0",
    "0x",
    "\u{0}",
    "é",
    "你",
    "->",
    "=>",
    "a ? b : ",
    "x[",
    "x{",
    "for (",
    "while ",
    "<a ",
    "<?php ",
    "?>",
    "R\"(",
    "r#\"",
    "\"\"\"",
    "'''",
    "@a ",
    "#if a\n",
    "`${",
    "{|a|",
    "-> {",
    "a => ",
    "lambda: ",
    "&'a ",
    "template<",
    "a<b<",
    "<%",
    "__END__\n",
    "\\\n",
    "$a",
    "a|",
    "a&",
    "a&&",
    "if [ ",
    "[[ ",
    "case a in ",
    "a) ",
    "esac\n",
    "function a {",
    "%q{",
    "?a",
    ":a ",
    "a: ",
    "{a: ",
    "->(",
    "<<-'A'\n",
    "unless a\n",
    "a rescue ",
    "a if ",
    "yield ",
];

const LANGUAGES: &[Language] = &[
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
];

#[test]
#[ignore = "measures; run in release with -- --ignored --nocapture"]
fn how_long_degenerate_files_take() {
    let mut slow = Vec::new();
    for language in LANGUAGES {
        for piece in PIECES {
            let text = piece.repeat(999_000 / piece.len());
            for (what, run) in [
                ("outline", Box::new(|| drop(outline::outline(*language, &text))) as Box<dyn Fn()>),
                ("imports", Box::new(|| drop(imports(*language, &text)))),
                ("symbols", Box::new(|| drop(symbols(*language, &text)))),
                ("skeleton", Box::new(|| drop(skeleton::skeleton(*language, &text, &[])))),
            ] {
                let start = Instant::now();
                run();
                slow.push((start.elapsed().as_millis(), format!("{what} {language:?} {piece:?}")));
            }
        }
    }
    slow.sort();
    for (milliseconds, what) in slow.iter().rev().take(60) {
        println!("{milliseconds:>6} ms  {what}");
    }
}
