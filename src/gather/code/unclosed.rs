//! How much of a text is left open, or goes on without an end. A parser that meets the end of a text with thousands of things unclosed
//! tries to close them in every way at once, which takes memory with the square of their number and cannot be stopped: 30 kB of `<word`
//! cost the grammar of Java 590 MB, a megabyte more than any machine has. With an expression of hundreds of operators it does so at each
//! error in it: 6 kB of `=>word` cost the grammar of C 220 MB.

use crate::gather::language::Language;

/// Code nests some tens of brackets; a text with this many open at once is made, or a table of them.
const MOST_OPEN: usize = 500;
/// As many blanks are looked over for the beginning of a line.
const INDENT: usize = 200;

/// Whether more stands open at once, somewhere in the text, than in any code, or more signs follow each other in one expression. Strings and
/// comments are not told from the rest: what they leave open would have to add up to hundreds.
pub(super) fn is_unclosed(language: Language, text: &str) -> bool {
    let in_shells = || language == Language::Shell && blocks(text) > MOST_OPEN;
    brackets(text) > MOST_OPEN || angles(text) > MOST_OPEN || chained(language, text) > MOST_OPEN || in_shells()
}

/// The most of `(`, `[` and `{` that are open at once.
fn brackets(text: &str) -> usize {
    most_open(text.bytes().map(|byte| match byte {
        b'(' | b'[' | b'{' => Step::Open,
        b')' | b']' | b'}' => Step::Close,
        _ => Step::Stay,
    }))
}

/// The same for `<`, which compares as often as it opens: what ends a comparison ends them all.
fn angles(text: &str) -> usize {
    most_open(text.bytes().map(|byte| match byte {
        b'<' => Step::Open,
        b'>' => Step::Close,
        b';' | b')' | b'{' | b'}' => Step::CloseAll,
        _ => Step::Stay,
    }))
}

/// The same for what words open and close in shells.
fn blocks(text: &str) -> usize {
    most_open(text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').map(|word| match word {
        "do" | "if" | "case" => Step::Open,
        "done" | "fi" | "esac" => Step::Close,
        _ => Step::Stay,
    }))
}

/// The most signs, a run of the same counting once, in what may be one expression or one chain of commands: 25,000 commands joined by `|`
/// took the grammar of shells 20 seconds and 6 GB. Whatever separates or encloses ends it, and where the language says so the line end does,
/// unless the line ends with a sign itself, whatever empty lines follow, or the next begins with a colon or a question mark: 25 kB of such
/// lines took the grammar of JavaScript 3 seconds, twice as much more than 15; 17 kB of `case word:` with an empty line below each had no answer after 15 on a busy machine.
fn chained(language: Language, text: &str) -> usize {
    use Language::{C, CSharp, Cpp, Java, Rust};
    let ends_with_line = !matches!(language, C | CSharp | Cpp | Java | Rust);
    // The byte before, the last one that is no space, and the first one of the line.
    let (mut previous, mut before, mut first) = (0, 0, None);
    let goes_on = |at: usize| {
        let next = text.as_bytes()[at + 1..].iter().take(INDENT).find(|byte| !byte.is_ascii_whitespace());
        matches!(next, Some(b':' | b'?'))
    };
    most_open(text.bytes().enumerate().map(|(at, byte)| {
        let step = match byte {
            b';' | b',' | b'(' | b')' | b'[' | b']' | b'{' | b'}' => Step::CloseAll,
            b'\n' if first == Some(b'#') || (ends_with_line && !is_sign(before) && !goes_on(at)) => Step::CloseAll,
            _ if byte != previous && is_sign(byte) => Step::Open,
            _ => Step::Stay,
        };
        if byte == b'\n' {
            first = None;
        } else if !byte.is_ascii_whitespace() {
            first = first.or(Some(byte));
            before = byte;
        }
        previous = byte;
        step
    }))
}

/// Whether a byte is an operator, or a part of one, in some language.
fn is_sign(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !b"\"'`._,;()[]{}".contains(&byte)
}

#[derive(Clone, Copy)]
enum Step {
    Open,
    Close,
    CloseAll,
    Stay,
}

fn most_open(steps: impl Iterator<Item = Step>) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for step in steps {
        match step {
            Step::Open => open += 1,
            Step::Close => open = open.saturating_sub(1),
            Step::CloseAll => open = 0,
            Step::Stay => {}
        }
        most = most.max(open);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The piece so many times, each with another word behind it.
    fn heap(piece: &str, times: usize) -> String {
        (0..times).map(|number| format!("{piece}word{number}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_opens_and_never_closes_is_told() {
        for piece in ["(", "[", "{", "<", "fn a(", "$((", "a<b, ", "for (", "<a "] {
            assert!(is_unclosed(Language::Java, &heap(piece, MOST_OPEN + 1)), "{piece}");
        }
        for piece in ["do a\n", "if ", "case a in ", "while a; do "] {
            assert!(is_unclosed(Language::Shell, &heap(piece, MOST_OPEN + 1)), "{piece}");
            assert!(!is_unclosed(Language::Python, &heap(piece, MOST_OPEN + 1)), "{piece}");
        }
    }

    #[test]
    fn a_chain_of_commands_is_one_until_its_line_ends() {
        for piece in ["a|", "a | \n", "a &&\\\n", "a || b &\\\n"] {
            assert!(is_unclosed(Language::Shell, &piece.repeat(MOST_OPEN + 1)), "{piece:?}");
        }
        for piece in ["a | b\n", "a && b || c; ", "a |\n  b\n"] {
            assert!(!is_unclosed(Language::Shell, &piece.repeat(MOST_OPEN)), "{piece:?}");
        }
    }

    #[test]
    fn an_expression_of_hundreds_of_operators_is_told() {
        for language in [Language::C, Language::Java, Language::Php, Language::Python] {
            for piece in ["=>", "a = ", "a ? b : ", "!", "/*", "\\\n"] {
                assert!(is_unclosed(language, &heap(piece, MOST_OPEN + 1)), "{language:?} {piece:?}");
                assert!(!is_unclosed(language, &heap(piece, MOST_OPEN / 2)), "{language:?} {piece:?}");
            }
        }
        // Where a line may end without its statement, as in C but not in Python.
        let lines = |piece: &str| heap(&format!("\n{piece}"), MOST_OPEN + 1);
        assert!(is_unclosed(Language::C, &lines("a = ")) && !is_unclosed(Language::Python, &lines("a = ")));
        assert!(is_unclosed(Language::JavaScript, &lines(":a ")) && !is_unclosed(Language::JavaScript, &lines("| a ")));
        let labels = |below: &str| format!("\ncase a:\n{below}").repeat(MOST_OPEN + 1);
        assert!(is_unclosed(Language::JavaScript, &labels("")) && is_unclosed(Language::JavaScript, &labels(" \n\n")));
        assert!(!is_unclosed(Language::JavaScript, &labels("b\n")));
        for piece in [";!", "#include <a>\n", "// -----------\n, "] {
            assert!(!is_unclosed(Language::C, &lines(piece)), "{piece:?}");
        }
    }

    #[test]
    fn so_many_may_be_open() {
        for piece in ["(", "<", "do "] {
            assert!(!is_unclosed(Language::Shell, &heap(piece, MOST_OPEN)), "{piece}");
            assert!(is_unclosed(Language::Shell, &heap(piece, MOST_OPEN + 1)), "{piece}");
        }
    }

    #[test]
    fn code_closes_what_it_opens() {
        let loops = "for(i=0;i<n;i++){ if(a<b){ c[i]=d(e<<1); } }\n".repeat(2_000);
        let generics = "Map<String, List<Map<K, V>>> rows = new HashMap<>();\n".repeat(2_000);
        let script = "for a in b; do if c; then d; fi; case e in f) ;; esac; done\n".repeat(2_000);
        for (language, text) in [(Language::C, loops), (Language::Java, generics), (Language::Shell, script)] {
            assert!(!is_unclosed(language, &text), "{language:?}");
        }
    }
}
