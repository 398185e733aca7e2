//! Time and memory for pathological half-megabyte files, for every language with outlines and for the tokenizer. Each
//! case runs in its own process so that its memory can be measured. `cargo bench --bench degenerate` runs all cases;
//! `cargo bench --bench degenerate -- Shell Go tokens` runs some of them.

#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::process::Command;
use std::time::Instant;

use teddy::gather::tokens::DEFAULT;
use teddy::outline::language::Language;
use teddy::outline::{definitions, imports::imports, symbols::symbols};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Strings to repeat.
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
    // These have enough different characters to look like code.
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
    // Labels, alone on their lines and before statements.
    "abcdefghijklmno:\n",
    "abcdefghijklmno: ",
    "abcdefghijklmno:;\n",
    "abcdefghijklmno: abcdefghijklmno;\n",
    "abcdefghijklmno: for (;;) ",
    "case abcdefghijklmno:\n",
    "abcdefghijklmno:\nabcdefghijklmno\n",
    "abcdefghijklmno: abcdefghijklmno\n",
    "abcdefghijklmno:\n++",
];

/// The languages that have outlines.
fn languages() -> impl Iterator<Item = Language> {
    Language::ALL.iter().copied().filter(|language| definitions::outline(*language, "").is_some())
}

/// Name for the tokenizer in the list of languages.
const TOKENS: &str = "tokens";

/// Text after every piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filling {
    /// Nothing.
    Plain,
    /// A random word, in long lines.
    Varied,
    /// A random word and a line ending.
    Lined,
}

const FILLINGS: [Filling; 3] = [Filling::Plain, Filling::Varied, Filling::Lined];

/// Length of a line that holds many pieces.
const LINE: usize = 9_900;

/// Size of each file in bytes.
const SIZE: usize = 500_000;

/// Repeats the piece after a line that contains every letter, so that the file is not treated as data.
fn made(name: &str, piece: &str, size: usize, filling: Filling) -> String {
    // A PHP file without its first line is a page without code.
    let opening = if name == "Php" { "<?php\n" } else { "" };
    let mut text = format!("{opening}abcdefghijklmnopqrstuvwxyz 0123456789\n");
    let mut state = 7_u64;
    let mut line = 0;
    while text.len() + 2 * piece.len() + 8 < size {
        let mut word = String::new();
        if filling != Filling::Plain {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            word.extend((0..6).map(|at| char::from(b'a' + (state >> (20 + 5 * at)) as u8 % 26)));
        }
        if piece.contains("abcdefghijklmno") && filling != Filling::Plain {
            text.push_str(&piece.replace("abcdefghijklmno", &word));
        } else {
            text.push_str(piece);
            text.push_str(&word);
        }
        if filling == Filling::Lined || (filling == Filling::Varied && text.len() - line > LINE - 40) {
            text.push('\n');
            line = text.len();
        }
    }
    text
}

/// Processor time of this process, if the system reports it.
fn processor_ms() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses that may contain anything.
    let mut fields = text[text.rfind(')')? + 2..].split(' ').skip(11);
    Some((fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?) * 10)
}

/// Reads one file with each reader. Prints the time of the slowest one in milliseconds, and the peak memory in
/// kilobytes.
fn one_case(name: &str, piece: &str, filling: Filling) {
    let text = made(name, piece, SIZE, filling);
    let timed = |run: &dyn Fn()| {
        let (start, before) = (Instant::now(), processor_ms());
        run();
        match processor_ms().zip(before) {
            Some((after, before)) => after - before,
            None => start.elapsed().as_millis() as u64,
        }
    };
    let took = match languages().find(|language| format!("{language:?}") == name) {
        Some(language) => {
            let outline = timed(&|| drop(definitions::outline(language, &text)));
            let imports = timed(&|| drop(imports(language, &text)));
            outline.max(imports).max(timed(&|| drop(symbols(language, &text))))
        }
        None => timed(&|| {
            DEFAULT.count(&text);
        }),
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    println!("{took} {}", memory.trim().trim_end_matches(" kB"));
}

/// Measures one case in its own process; `None` if it crashed.
fn measured(name: &str, piece: usize, filling: Filling) -> Option<(u64, u64)> {
    let program = std::env::current_exe().ok()?;
    let case = [name.to_owned(), piece.to_string(), format!("{filling:?}")];
    let output = Command::new(program).arg("--case").args(case).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let (took, memory) = said.trim().split_once(' ')?;
    Some((took.parse().ok()?, memory.parse::<u64>().ok()? / 1000))
}

/// Prints the maximum per language, and everything over two seconds or 200 MB.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [_, name, piece, filling] = arguments.as_slice()
        && arguments[0] == "--case"
    {
        let filling = FILLINGS.into_iter().find(|one| format!("{one:?}") == *filling).unwrap_or(Filling::Plain);
        return one_case(name, PIECES[piece.parse().unwrap_or(0)], filling);
    }
    let names: Vec<String> = languages().map(|language| format!("{language:?}")).chain([TOKENS.to_owned()]).collect();
    for name in names.iter().filter(|name| arguments.is_empty() || arguments.contains(name)) {
        let (mut slowest, mut largest) = ((0, String::new()), (0, String::new()));
        for filling in FILLINGS {
            for (index, piece) in PIECES.iter().enumerate() {
                let Some((took, memory)) = measured(name, index, filling) else {
                    println!("{name} {piece:?} {filling:?}: ended without a result");
                    continue;
                };
                if took > 2_000 || memory > 200 {
                    println!("{took:>6} ms {memory:>5} MB  {name} {piece:?} {filling:?}");
                }
                slowest = slowest.max((took, format!("{piece:?} {filling:?}")));
                largest = largest.max((memory, format!("{piece:?} {filling:?}")));
            }
        }
        println!("{name}: {} ms at most ({}), {} MB at most ({})", slowest.0, slowest.1, largest.0, largest.1);
    }
}
