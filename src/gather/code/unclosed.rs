//! How much of a text is left open. A parser that meets the end of a text with thousands of things unclosed tries to close them in
//! every way at once, which takes memory with the square of their number and cannot be stopped: 30 kB of `<word` cost the grammar
//! of Java 590 MB, a megabyte more than any machine has.

use crate::gather::language::Language;

/// Code nests some tens of brackets; a text with this many open at once is made, or a table of them.
const MOST_OPEN: usize = 500;

/// Whether more stands open at once, somewhere in the text, than in any code. Strings and comments are not told from the rest: what they
/// leave open would have to add up to hundreds.
pub(super) fn is_unclosed(language: Language, text: &str) -> bool {
    let in_shells = || language == Language::Shell && (blocks(text) > MOST_OPEN || chained(text) > MOST_OPEN);
    brackets(text) > MOST_OPEN || angles(text) > MOST_OPEN || in_shells()
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

/// The longest chain of commands by `|` and `&` in shells, each inside the one before: 25,000 of them took 20 seconds and 6 GB. A
/// line end ends it, unless the line ends with such a sign or goes on.
fn chained(text: &str) -> usize {
    let mut before = 0;
    most_open(text.bytes().map(|byte| {
        let step = match byte {
            b'|' | b'&' => Step::Open,
            b'\n' if !matches!(before, b'|' | b'&' | b'\\') => Step::CloseAll,
            b';' => Step::CloseAll,
            _ => Step::Stay,
        };
        if !byte.is_ascii_whitespace() {
            before = byte;
        } else if byte == b'\n' && before == b'\\' {
            // Only the very next line goes on.
            before = b' ';
        }
        step
    }))
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
        for piece in ["do |p|\n", "if ", "case a in ", "while a; do "] {
            assert!(is_unclosed(Language::Shell, &heap(piece, MOST_OPEN + 1)), "{piece}");
            assert!(!is_unclosed(Language::Python, &heap(piece, MOST_OPEN + 1)), "{piece}");
        }
    }

    #[test]
    fn a_chain_of_commands_is_one_until_its_line_ends() {
        for piece in ["a|", "a | \n", "a &&\\\n", "a || b &\\\n"] {
            assert!(is_unclosed(Language::Shell, &piece.repeat(MOST_OPEN + 1)), "{piece:?}");
            assert!(!is_unclosed(Language::Python, &piece.repeat(MOST_OPEN + 1)), "{piece:?}");
        }
        for piece in ["a | b\n", "a && b || c; ", "a |\n  b\n"] {
            assert!(!is_unclosed(Language::Shell, &piece.repeat(MOST_OPEN)), "{piece:?}");
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
