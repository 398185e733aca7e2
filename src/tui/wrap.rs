//! Wraps the lines of a view into rows.

use super::pane::{PaneLine, Piece};
use super::view::draw::{width, wrap_pieces};

/// Minimum width of a sentence next to a label.
const NARROW: u16 = 36;
/// Indentation of a sentence below its label.
const BELOW: u16 = 4;
/// Minimum width for prose.
const FEWEST: u16 = 10;

/// Columns before a line number: the first marks lines in the payload, the second how likely the line is to matter.
const MARKS: u16 = 2;

/// Number of columns before the line numbers. A view with changes under review has one more.
pub fn marks(lines: &[PaneLine]) -> u16 {
    MARKS + u16::from(lines.iter().any(|line| line.change.is_some()))
}

/// Width of the marks and line numbers, including the space after them.
pub fn gutter(lines: &[PaneLine]) -> u16 {
    lines.iter().rev().find_map(|line| line.number).map_or(0, |last| marks(lines) + last.to_string().len() as u16 + 1)
}

/// Rows of lines at this width; each records the index of its line.
pub fn rows(lines: Vec<PaneLine>, columns: u16) -> Vec<PaneLine> {
    let gutter = gutter(&lines);
    let mut rows = Vec::with_capacity(lines.len());
    for (source, line) in lines.into_iter().enumerate() {
        let numbers = if line.number.is_some() { gutter } else { 0 };
        let room = columns.saturating_sub(numbers);
        let needed: u16 = line.pieces.iter().fold(0, |sum, (_, text)| sum.saturating_add(width(text)));
        match line.wrap {
            Some(indent) if needed > room && room > indent + FEWEST => {
                let broken = if indent == 0 { prose(&line, room) } else { labelled(&line, room, indent) };
                rows.extend(broken.into_iter().enumerate().map(|(at, (inset, pieces))| PaneLine {
                    number: line.number.filter(|_| at == 0),
                    indent: if at == 0 { inset } else { numbers + inset },
                    pieces,
                    source,
                    ..line.clone()
                }));
            }
            _ => rows.push(PaneLine { source, ..line }),
        }
    }
    rows
}

/// Rows of a line of prose; continuation rows are aligned with its text.
fn prose(line: &PaneLine, room: u16) -> Vec<(u16, Vec<Piece>)> {
    let text: String = line.pieces.iter().map(|(_, text)| text.as_str()).collect();
    let inset = text_begins(&text).min(room / 2);
    let rows = wrap_pieces(&line.pieces, usize::from(room), usize::from(room - inset));
    rows.into_iter().enumerate().map(|(at, row)| (if at == 0 { 0 } else { inset }, row)).collect()
}

/// Column where the text of a line begins, after a list or quote marker.
fn text_begins(line: &str) -> u16 {
    let text = line.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marks = if digits > 0 { &text[digits..] } else { text };
    let marked = match marks.as_bytes() {
        [b'-' | b'*' | b'+' | b'>', b' ', ..] if digits == 0 => 2,
        [b'.' | b')', b' ', ..] if digits > 0 => digits + 2,
        _ => 0,
    };
    width(&line[..line.len() - text.len()]).saturating_add(marked as u16)
}

/// Rows of a line whose last piece is a sentence after a label.
fn labelled(line: &PaneLine, room: u16, indent: u16) -> Vec<(u16, Vec<Piece>)> {
    let Some((sentence, label)) = line.pieces.split_last() else { return Vec::new() };
    // Next to a wide label in a narrow pane, a sentence would be a column of single words, so it starts in the next
    // row.
    let below = room < indent + NARROW && indent > 2 * BELOW;
    let indent = if below { BELOW } else { indent };
    let columns = usize::from(room - indent);
    let mut sentence = wrap_pieces(std::slice::from_ref(sentence), columns, columns).into_iter();
    let mut first = label.to_vec();
    if !below {
        first.extend(sentence.next().into_iter().flatten());
    }
    std::iter::once((0, first)).chain(sentence.map(|row| (indent, row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::Role;

    fn line(text: &str, number: Option<usize>, wrap: Option<u16>) -> PaneLine {
        PaneLine { number, wrap, pieces: vec![(Role::Text, text.to_owned())], ..PaneLine::default() }
    }

    fn drawn(rows: &[PaneLine]) -> Vec<String> {
        let text = |row: &PaneLine| row.pieces.iter().map(|piece| piece.1.as_str()).collect::<String>();
        rows.iter().map(|row| " ".repeat(usize::from(row.indent)) + &text(row)).collect()
    }

    #[test]
    fn prose_wraps_below_its_own_text() {
        let lines = vec![
            line("one two three four five", Some(1), Some(0)),
            line("  - a list goes on under its text", Some(2), Some(0)),
            line("fn code_is_left_as_it_is_however_long() {}", Some(3), None),
        ];
        let rows = rows(lines, 22);
        let expected = [
            "one two three four",
            "    five",
            "  - a list goes on",
            "        under its text",
            "fn code_is_left_as_it_is_however_long() {}",
        ];
        assert_eq!(drawn(&rows), expected);
        assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), [Some(1), None, Some(2), None, Some(3)]);
        assert_eq!(rows.iter().map(|row| row.source).collect::<Vec<_>>(), [0, 0, 1, 1, 2]);
    }

    #[test]
    fn a_sentence_is_next_to_its_label_or_below_it() {
        let mut signal = line(" +3 named            ", None, Some(21));
        signal.pieces.push((Role::Dim, "the task names it, and so does the plan of the last turn".to_owned()));
        let wide = drawn(&rows(vec![signal.clone()], 60));
        assert_eq!(wide[0], " +3 named            the task names it, and so does the plan");
        assert_eq!(wide[1], format!("{}of the last turn", " ".repeat(21)));
        let narrow = drawn(&rows(vec![signal], 40));
        assert_eq!(narrow[0].trim_end(), " +3 named");
        assert_eq!(narrow[1], "    the task names it, and so does the");
    }

    #[test]
    fn the_start_of_a_text_is_found() {
        for (text, column) in [
            ("word", 0),
            ("  word", 2),
            ("- word", 2),
            ("> word", 2),
            ("12. word", 4),
            ("-word", 0),
            ("2026 word", 0),
            ("", 0),
        ] {
            assert_eq!(text_begins(text), column, "{text}");
        }
    }
}
