//! Grammars, loaded when first asked for, and parsing that always ends.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::grammar_nodes::{NodeTable, Role, table};
use super::unclosed::is_unclosed;
use crate::gather::language::Language;

/// Larger files are generated or data, and what a file made for the purpose costs grows with its size.
const LARGEST: usize = 500_000;
/// The same for C# and PHP, whose grammars take longest over an error: 500 kB of open quotes took 6.5 seconds.
const LARGEST_SLOW: usize = 320_000;
/// And for the two grammars that look ahead without end: a megabyte of `${` takes the one of shells seconds, and no person
/// writes a script of this size.
const LARGEST_SCRIPT: usize = 200_000;
/// And of these the one of shells takes memory with the square of what it cannot make sense of: 860 MB for 100 kB of half a loop.
const LARGEST_SHELL: usize = 50_000;

/// A text with this much of the same over and over is no code, whatever its name says, and recovering from its errors is slow: a
/// megabyte of quotes takes the grammar of Rust six seconds, and 200 kB of half a loop the one of shells more than a minute.
const MONOTONOUS: usize = 50_000;
/// It is looked at in stretches of this many bytes; one with fewer different fours of bytes than this is dull. A table of numbers has
/// hundreds of them, code a thousand.
const STRETCH: usize = 4_096;
const FEWEST_FOURS: u32 = 64;

/// A longer line is minified or data. On one line an error has nowhere to end: a megabyte of `/*word` took the grammar of Python more
/// memory than the machine had.
const LONGEST_LINE: usize = 10_000;

/// How often the parser may report its progress (every hundred steps) before it has to stop: so often, and once for every so many bytes
/// that it has got past. Of 22,000 real files none needed more than one report in 42 bytes. A count, unlike a clock, gives the same
/// answer on every machine; counted from where the parser is, it ends one that stands still while most of the text lies ahead.
const REPORTS_FLOOR: usize = 1_000;
const BYTES_A_REPORT: usize = 40;
/// And how many of these reports may say that every reading tried so far is an error. Real files had 74 at most. Recovering is what takes
/// time and memory without end.
const MOST_REPORTS_IN_ERROR: usize = 500;

/// The text is handed out in chunks of this many bytes, so that the reads can be counted too: some grammars look far
/// ahead at every token, which takes time between two reports. Real files need at most five reads a chunk.
const CHUNK: usize = 512;
const READS_FLOOR: usize = 1_000;
const READS_A_CHUNK: usize = 8;

/// A grammar together with what its node kinds mean to us.
pub(super) struct Grammar {
    language: Language,
    parser: tree_sitter::Language,
    nodes: &'static NodeTable,
    roles: Vec<Role>,
}

impl Grammar {
    /// The grammar of `language`, loaded once.
    pub(super) fn of(language: Language) -> Option<&'static Grammar> {
        static LOADED: [OnceLock<Grammar>; 13] = [const { OnceLock::new() }; 13];
        let (slot, parser): (usize, fn() -> tree_sitter::Language) = match language {
            Language::Python => (1, || tree_sitter_python::LANGUAGE.into()),
            Language::Ruby => (9, || tree_sitter_ruby::LANGUAGE.into()),
            Language::Shell => (12, || tree_sitter_bash::LANGUAGE.into()),
            _ => return None,
        };
        Some(LOADED[slot].get_or_init(|| Grammar::load(language, parser())))
    }

    fn load(language: Language, parser: tree_sitter::Language) -> Grammar {
        let nodes = table(language);
        let roles = (0..parser.node_kind_count())
            .map(|id| {
                let id = id as u16;
                match parser.node_kind_for_id(id) {
                    Some(kind) if parser.node_kind_is_named(id) => nodes.role(kind),
                    _ => Role::default(),
                }
            })
            .collect();
        Grammar { language, parser, nodes, roles }
    }

    /// Which language this is the grammar of.
    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// What a node of this kind means.
    pub(super) fn role(&self, node: Node<'_>) -> Role {
        self.roles.get(usize::from(node.kind_id())).copied().unwrap_or_default()
    }

    /// Whether nodes of this kind are blocks of statements that can be emptied.
    pub(super) fn is_block(&self, node: Node<'_>) -> bool {
        self.nodes.blocks.contains(&node.kind())
    }

    /// The syntax tree; none if the text is too large or the parser would not come to an end soon.
    pub(super) fn parse(&self, text: &str) -> Option<Tree> {
        let largest = match self.language {
            Language::Shell => LARGEST_SHELL,
            Language::Ruby => LARGEST_SCRIPT,
            Language::CSharp | Language::Php => LARGEST_SLOW,
            _ => LARGEST,
        };
        let has_long_line = || text.as_bytes().split(|byte| *byte == b'\n').any(|line| line.len() > LONGEST_LINE);
        if text.len() > largest || has_long_line() || is_monotonous(text) || is_unclosed(self.language, text) {
            return None;
        }
        if self.language == Language::Shell && misleads_shells(text) {
            return None;
        }
        let mut parser = Parser::new();
        parser.set_language(&self.parser).ok()?;
        let (mut reports, mut in_error, mut furthest) = (0, 0, 0);
        let mut count_reports = |state: &tree_sitter::ParseState| {
            reports += 1;
            in_error += usize::from(state.has_error());
            furthest = furthest.max(state.current_byte_offset());
            let is_lost = reports > REPORTS_FLOOR + furthest / BYTES_A_REPORT || in_error > MOST_REPORTS_IN_ERROR;
            if is_lost { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut reads_left = READS_FLOOR + text.len() / CHUNK * READS_A_CHUNK;
        let mut read = |offset: usize, _| {
            reads_left = reads_left.saturating_sub(1);
            let end = text.len().min(offset + CHUNK);
            // Nothing more to read makes every look ahead short, so that the parser soon comes to its end.
            if reads_left == 0 { &[][..] } else { text.as_bytes().get(offset..end).unwrap_or_default() }
        };
        let tree =
            parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut count_reports)));
        tree.filter(|_| reads_left > 0)
    }
}

/// Whether the grammar of shells would read memory that is not its own: where the digits of `{1..5}` may stand, its scanner asks C's
/// `isdigit` of any character, and that looks it up in a table of bytes. It crashed on U+10FFFF.
fn misleads_shells(text: &str) -> bool {
    fn after_digits(text: &str) -> &str {
        text.trim_start_matches(|c: char| c.is_ascii_digit())
    }
    let is_no_byte = |text: &str| text.starts_with(|c: char| c > '\u{ff}');
    text.match_indices('{').any(|(at, _)| {
        let first = after_digits(&text[at + 1..]);
        is_no_byte(first) || first.strip_prefix("..").is_some_and(|rest| is_no_byte(after_digits(rest)))
    })
}

fn is_monotonous(text: &str) -> bool {
    if text.len() < MONOTONOUS {
        return false;
    }
    let dull = text.as_bytes().chunks(STRETCH).filter(|stretch| different_fours(stretch) < FEWEST_FOURS);
    dull.map(<[u8]>::len).sum::<usize>() >= MONOTONOUS
}

/// How many different runs of four bytes there are, about: two of them may count as one.
fn different_fours(stretch: &[u8]) -> u32 {
    let mut seen = [0_u64; 64];
    for four in stretch.windows(4) {
        let hash = u32::from_le_bytes([four[0], four[1], four[2], four[3]]).wrapping_mul(0x9E37_79B1) >> 20;
        seen[(hash >> 6) as usize] |= 1 << (hash & 63);
    }
    seen.iter().map(|bits| bits.count_ones()).sum()
}

/// What came of reading a syntax tree; nothing if that panicked: no one file can end a run.
pub(super) fn caught<T>(read: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_default()
}

/// The row on which a node ends. A node that takes its line break along ends on the row of the break, not on the next.
pub(super) fn last_row(node: Node<'_>) -> usize {
    let (start, end) = (node.start_position(), node.end_position());
    if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row }
}

/// A node's direct children in order, the punctuation included.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_in_the_tables_exists_in_its_grammar() {
        use Language::{C, CSharp, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell, Tsx, TypeScript};
        for language in [Rust, Python, JavaScript, TypeScript, Tsx, Go, Java, C, Cpp, Ruby, Php, CSharp, Shell] {
            let grammar = Grammar::of(language).unwrap();
            let nodes = grammar.nodes;
            let lists = [
                nodes.functions,
                nodes.closures,
                nodes.blocks,
                nodes.literals,
                nodes.comments,
                nodes.attributes,
                nodes.wrappers,
                nodes.declarations,
            ];
            let kinds = lists.into_iter().flatten().copied().chain(nodes.definitions.iter().map(|(kind, _)| *kind));
            for kind in kinds {
                assert_ne!(grammar.parser.id_for_node_kind(kind, true), 0, "{language:?} has no `{kind}`");
            }
        }
    }

    #[test]
    fn only_languages_with_a_grammar_have_one() {
        assert!(Grammar::of(Language::Rust).is_some() && Grammar::of(Language::Shell).is_some());
        assert!(Grammar::of(Language::Kotlin).is_none() && Grammar::of(Language::Markdown).is_none());
    }

    #[test]
    fn a_character_that_crashes_the_scanner_of_shells_is_not_given_to_it() {
        let grammar = Grammar::of(Language::Shell).unwrap();
        for range in ["{\u{10ffff}..3}", "{12\u{10ffff}}", "{1..\u{10ffff}}", "{1..5\u{10ffff}"] {
            assert!(grammar.parse(&format!("for i in {range}; do echo $i; done\n")).is_none(), "{range}");
        }
        for fine in ["for i in {1..5}; do echo \"\u{10ffff}\"; done\n", "echo ${name}… {é..z}\n"] {
            assert!(grammar.parse(fine).is_some(), "{fine}");
        }
    }

    #[test]
    fn a_panic_over_a_file_is_no_outline_of_it() {
        assert_eq!(caught(|| Some(1)), Some(1));
        assert_eq!(caught(|| -> Option<u8> { panic!("a file that nobody thought of") }), None);
    }

    /// So many bytes of code in which no two lines are the same.
    fn varied(language: Language, length: usize) -> String {
        let line = |number: u32| match language {
            Language::CSharp => format!("void Refund{number}() {{ }}\n"),
            Language::Php => format!("<?php function refund_{number}() {{ }} ?>\n"),
            Language::Ruby => format!("REFUND_{number} = {number}\n"),
            Language::Shell => format!("refund_{number}() {{ true; }}\n"),
            _ => format!("int refund_{number}(void);\n"),
        };
        let lines = (0..).map(|number| line(number).into_bytes());
        String::from_utf8(lines.flatten().take(length).collect()).unwrap()
    }

    #[test]
    fn the_same_over_and_over_is_no_code() {
        let grammar = Grammar::of(Language::Rust).unwrap();
        assert!(grammar.parse(&"\"\n".repeat(MONOTONOUS / 2)).is_none());
        let constant = "const A: u8 = 1;\n";
        assert!(grammar.parse(&constant.repeat(MONOTONOUS / constant.len() - 1)).is_some());
        for piece in ["{", "${", "fn abcdefghijklm(", "abcdefghijklmno do |p|\n"] {
            let heap = |size: usize| varied(Language::C, 9_000) + &piece.repeat(size / piece.len());
            assert!(is_monotonous(&heap(MONOTONOUS + 2 * STRETCH)), "{piece}");
            assert!(!is_monotonous(&heap(MONOTONOUS - STRETCH)), "{piece}");
        }
        let numbers: Vec<String> = (0..20_000).map(|number: u32| number.to_string()).collect();
        assert!(!is_monotonous(&format!("const TABLE: [u32; 20_000] = [{}];", numbers.join(",\n"))));
        assert!(!is_monotonous(&varied(Language::C, 400_000)));
    }

    #[test]
    fn a_line_that_does_not_end_is_not_parsed() {
        let list = |length: usize| format!("a = [{}]\nb = 1\n", "1, ".repeat(length / 3));
        let grammar = Grammar::of(Language::Python).unwrap();
        assert!(grammar.parse(&list(LONGEST_LINE - 10)).is_some());
        assert!(grammar.parse(&list(LONGEST_LINE)).is_none());
    }

    #[test]
    fn a_text_that_closes_nothing_is_not_parsed() {
        let nested = |depth: usize| format!("int a = {}1{};\n", "(".repeat(depth), ")".repeat(depth));
        let open = |depth: usize| format!("int a = {}1;\n", "(".repeat(depth));
        let grammar = Grammar::of(Language::Java).unwrap();
        assert!(grammar.parse(&nested(400)).is_some() && grammar.parse(&open(400)).is_some());
        assert!(grammar.parse(&open(600)).is_none());
    }

    #[test]
    fn a_file_over_the_limit_is_not_parsed() {
        for (language, limit) in [
            (Language::C, LARGEST),
            (Language::CSharp, LARGEST_SLOW),
            (Language::Php, LARGEST_SLOW),
            (Language::Ruby, LARGEST_SCRIPT),
            (Language::Shell, LARGEST_SHELL),
        ] {
            let grammar = Grammar::of(language).unwrap();
            assert!(grammar.parse(&varied(language, limit)).is_some(), "{language:?}");
            assert!(grammar.parse(&varied(language, limit + 1)).is_none(), "{language:?}");
        }
    }
}
