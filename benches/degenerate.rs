//! Files of a megabyte made to be slow: a few signs over and over, in every language that is parsed.
//! `cargo bench --bench degenerate`

#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::time::Instant;

use teddy::gather::code::{imports::imports, outline, symbols::symbols};
use teddy::gather::language::Language;
use teddy::gather::tokens::DEFAULT;

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
    // With enough different signs to pass for code.
    "fn abcdefghijklm(",
    "(abcdefghijklm + ",
    "[abcdefghijklmno, ",
    "{abcdefghijklmno: ",
    "if abcdefghijklmno {",
    "<abcdefghijklmno ",
    "<abcdefghijklmno<",
    "abcdefghijklmno(",
    "\"abcdefghijklmno${",
    "`abcdefghijklmno${",
    "'abcdefghijklmno\n",
    "$(abcdefghijklmno ",
    "abcdefghijklmno => ",
    "abcdefghijklmno ? ",
    "/* abcdefghijklmno ",
    "#if abcdefghijklmno\n",
    "class abcdefghijklmno {",
    "abcdefghijklmno do |p|\n",
    "<<ABCDEFGHIJKLMNO\n",
];

const LANGUAGES: &[Language] = &[
    Language::Shell,
    Language::Ruby,
    Language::Rust,
    Language::Python,
    Language::JavaScript,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Java,
    Language::C,
    Language::Cpp,
    Language::Php,
    Language::CSharp,
];

/// The piece over and over, below a line of every letter: what is told by its few signs alone is no measure.
fn made(piece: &str, size: usize) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz 0123456789\n";
    letters.to_owned() + &piece.repeat((size - letters.len()) / piece.len())
}

/// The longest that each took, and everything over a fifth of a second as it is found.
fn main() {
    for language in LANGUAGES {
        let (mut longest, mut worst) = (0, String::new());
        for piece in PIECES {
            // As large as each grammar is given.
            let text = made(
                piece,
                match language {
                    Language::Shell => 49_000,
                    Language::Ruby => 199_000,
                    _ => 999_000,
                },
            );
            let jobs: [(&str, &dyn Fn()); 3] = [
                ("outline", &|| drop(outline::outline(*language, &text))),
                ("imports", &|| drop(imports(*language, &text))),
                ("symbols", &|| drop(symbols(*language, &text))),
            ];
            for (what, run) in jobs {
                let start = Instant::now();
                run();
                let took = start.elapsed().as_millis();
                if took > 200 {
                    println!("{took:>6} ms  {what} {language:?} {piece:?}");
                }
                if took > longest {
                    (longest, worst) = (took, format!("{what} {piece:?}"));
                }
            }
        }
        println!("{language:?}: {longest} ms at most ({worst})");
    }
    let (mut longest, mut worst) = (0, "");
    for piece in PIECES {
        let text = made(piece, 999_000);
        let start = Instant::now();
        let tokens = DEFAULT.count(&text);
        let took = start.elapsed().as_millis();
        if took > 200 {
            println!("{took:>6} ms  {tokens} tokens {piece:?}");
        }
        if took > longest {
            (longest, worst) = (took, piece);
        }
    }
    println!("tokens: {longest} ms at most ({worst:?})");
}
