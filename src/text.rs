//! Text for people: escaping, fitting to a width, numbers.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Replaces control and invisible characters with visible symbols.
///
/// All external text that a terminal shows (paths, names, messages) passes through this function.
pub fn printable(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_hidden) else {
        return Cow::Borrowed(text);
    };
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(&text[..first]);
    for character in text[first..].chars() {
        match character {
            '\0'..='\x1f' => shown.extend(char::from_u32(0x2400 + u32::from(character))),
            '\x7f' => shown.push('␡'),
            _ if is_hidden(character) => {
                // Writing to a string cannot fail.
                let _ = write!(shown, "‹U+{:04X}›", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Returns true for control characters, direction marks, separators and zero-width characters.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{061c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' // zero-width, left-to-right and right-to-left marks
            | '\u{2028}'..='\u{202e}' // line and paragraph separator, embeddings, overrides
            | '\u{2060}'..='\u{206f}' // word joiner, invisible operators, isolates
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}') // tag characters, which are invisible
}

/// Escapes control and invisible characters in JSON without changing its meaning.
pub fn harmless_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        // Apart from the newlines of indented JSON, such characters occur only in strings.
        if character == '\n' || !is_hidden(character) {
            escaped.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    escaped
}

/// Parses a number: `25000`, `25_000`, `25,000`, `2.5k`, `1M`.
pub fn number(text: &str) -> Option<f64> {
    let plain = text.trim().replace(['_', ','], "");
    let (digits, unit) = match plain.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1e3),
        None => plain.strip_suffix('M').map_or((plain.as_str(), 1.0), |digits| (digits, 1e6)),
    };
    digits.parse::<f64>().ok().map(|number| number * unit).filter(|number| number.is_finite())
}

/// Parses a number of tokens. Rejects negative and absurdly large numbers.
pub fn token_count(text: &str) -> Option<usize> {
    number(text).filter(|number| (0.0..=1e12).contains(number)).map(|number| number.round() as usize)
}

/// Prefix of an estimate.
pub const ABOUT: &str = "≈";

/// Formats an exact number: `12,345`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a number with its noun: `1 line`, `12,345 lines`.
pub fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{} {what}s", thousands(number)) }
}

/// Formats a short number, where space is tight: `950`, `12.3k`, `90k`, `1.5M`.
pub fn short_count(number: usize) -> String {
    const UNITS: [(usize, char); 3] = [(1_000, 'k'), (1_000_000, 'M'), (1_000_000_000, 'G')];
    if number < 1_000 {
        return number.to_string();
    }
    let mut shown = String::new();
    for (unit, letter) in UNITS {
        let tenths = (number / (unit / 10)).saturating_add(usize::from(number % (unit / 10) >= unit / 20));
        shown = if tenths.is_multiple_of(10) {
            format!("{}{letter}", tenths / 10)
        } else {
            format!("{}.{}{letter}", tenths / 10, tenths % 10)
        };
        if tenths < 10_000 {
            break;
        }
    }
    shown
}

/// Formats a share as a percentage, rounded to the nearest: `66%`.
pub fn percent(part: usize, whole: usize) -> String {
    let whole = whole.max(1) as u128;
    format!("{}%", (part as u128 * 100 + whole / 2) / whole)
}

/// Shortens `text` in the middle to at most `width` columns, keeping the file name of a path if possible.
pub fn fit_middle(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let Some(room) = width.checked_sub(1) else {
        return Cow::Borrowed("");
    };
    let name_at = text.trim_end_matches(['/', '\\']).rfind(['/', '\\']).unwrap_or(0);
    let name_width = text[name_at..].width();
    let end_room = if name_at > 0 && name_width <= room { name_width.max(room / 2) } else { room - room / 3 };
    let end = end_within(text, end_room);
    let start = start_within(&text[..text.len() - end.len()], room - end.width().min(room));
    Cow::Owned(format!("{start}…{end}"))
}

/// Shortens `text` at its end to at most `width` columns.
pub fn fit_end(text: &str, width: usize) -> Cow<'_, str> {
    match width.checked_sub(1) {
        Some(room) if text.width() > width => Cow::Owned(format!("{}…", start_within(text, room).trim_end())),
        Some(_) => Cow::Borrowed(text),
        None => Cow::Borrowed(""),
    }
}

/// The rest of `text` after its first `columns` columns.
pub fn after_columns(text: &str, columns: usize) -> &str {
    &text[start_within(text, columns).len()..]
}

/// The longest prefix of `text` within `room` columns.
fn start_within(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme.width();
        if used > room {
            return &text[..at];
        }
    }
    text
}

/// The longest suffix of `text` within `room` columns.
fn end_within(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > room {
            return &text[at + grapheme.len()..];
        }
    }
    text
}

/// The candidate that is most similar to `name`, if it is similar enough to suggest.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The distance takes quadratic time, so only the first 200 characters are compared.
    let shortened = |name: &str| -> String { name.to_lowercase().chars().take(200).collect() };
    let wanted = shortened(name);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let offered = shortened(candidate);
            let longer = wanted.chars().count().max(offered.chars().count());
            let distance = strsim::osa_distance(&wanted, &offered);
            (distance <= (longer / 3).max(1) && distance < longer).then_some((distance, candidate))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Formats bytes in lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn control_characters_become_symbols() {
        let cases = [
            ("\x1b[31mred", "␛[31mred"),
            ("two\nlines\r\n", "two␊lines␍␊"),
            ("a\tb\0c\x7f", "a␉b␀c␡"),
            ("\u{85}\u{9b}31m", "‹U+0085›‹U+009B›31m"),
            ("gpj\u{202e}exe.rs", "gpj‹U+202E›exe.rs"),
            ("a\u{200d}b\u{feff}\u{2060}", "a‹U+200D›b‹U+FEFF›‹U+2060›"),
            ("\u{2028}\u{2066}\u{e0041}", "‹U+2028›‹U+2066›‹U+E0041›"),
        ];
        for (given, shown) in cases {
            assert_eq!(printable(given), shown);
        }
    }

    #[test]
    fn other_scripts_and_emoji_are_unchanged() {
        for text in ["src/größe.rs", "漢字/файл.md", "🦀 שלום", "e\u{301}", "❤\u{fe0f}", ""] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn numbers_are_formatted_exactly_or_short() {
        for (number, shown) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567")]
        {
            assert_eq!(thousands(number), shown);
        }
        let short = [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (1_049, "1k"),
            (1_050, "1.1k"),
            (12_345, "12.3k"),
            (90_000, "90k"),
            (999_949, "999.9k"),
            (999_950, "1M"),
            (1_500_000, "1.5M"),
            (2_000_000_000, "2G"),
        ];
        for (number, shown) in short {
            assert_eq!(short_count(number), shown, "{number}");
        }
        assert!(short_count(usize::MAX).ends_with('G'));
        for (part, whole, shown) in [(0, 0, "0%"), (2, 3, "67%"), (1, 3, "33%"), (5, 5, "100%"), (usize::MAX, 1, "")] {
            assert!(percent(part, whole).starts_with(shown), "{part} of {whole}");
        }
    }

    #[test]
    fn numbers_are_parsed_as_people_write_them() {
        for (text, read) in
            [("25000", 25_000), (" 25_000 ", 25_000), ("25,000", 25_000), ("2.5k", 2_500), ("1M", 1_000_000)]
        {
            assert_eq!(token_count(text), Some(read), "{text}");
        }
        for text in ["", "k", "-5", "1e30", "inf", "NaN", "ten"] {
            assert_eq!(token_count(text), None, "{text}");
        }
        assert_eq!(number("-0.5k"), Some(-500.0));
    }

    #[test]
    fn json_is_equivalent_after_escaping() {
        let text = "a\u{1b}[31m\u{7f}\u{9b}\u{202e}\u{e0041}é漢";
        let json = serde_json::to_string_pretty(&[text]).unwrap();
        let harmless = harmless_json(&json);
        assert!(harmless.lines().all(|line| printable(line) == line), "{harmless}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&harmless).unwrap(), [text]);
    }

    #[test]
    fn a_path_is_shortened_before_its_file_name() {
        assert_eq!(fit_middle("src/pay/refund.rs", 17), "src/pay/refund.rs");
        assert_eq!(fit_middle("src/payments/refund.rs", 16), "src/p…/refund.rs");
        assert_eq!(fit_middle("src/payments/refund.rs", 11), "…/refund.rs");
        assert_eq!(fit_middle("abcdefghijklmnopqrst", 10), "abc…opqrst");
        assert_eq!(fit_middle("src/漢字漢字/名.rs", 11), "src/…/名.rs");
        assert_eq!(fit_middle("abc", 1), "…");
        assert_eq!(fit_middle("abc", 0), "");
    }

    #[test]
    fn a_sentence_is_shortened_at_its_end() {
        assert_eq!(fit_end("Add refunds", 11), "Add refunds");
        assert_eq!(fit_end("Add refunds", 10), "Add refun…");
        assert_eq!(fit_end("Add refunds", 5), "Add…");
        assert_eq!(fit_end("漢字漢字", 6), "漢字…");
        assert_eq!((fit_end("abc", 1), fit_end("abc", 0)), ("…".into(), "".into()));
    }

    #[test]
    fn only_a_similar_name_is_suggested() {
        let sessions = ["20261116-add-refunds", "20261116-fix-login", "20261101-add-refunds"];
        assert_eq!(nearest("20261116-add-refund", sessions), Some("20261116-add-refunds"));
        assert_eq!(nearest("20261116-Fix-Lgoin", sessions), Some("20261116-fix-login"));
        assert_eq!(nearest("something else entirely", sessions), None);
        assert_eq!(nearest("pln", ["plan", "pin"]), Some("plan"));
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("", ["b"]), None);
        assert_eq!(nearest("x", []), None);
    }

    proptest! {
        #[test]
        fn printed_text_has_no_hidden_characters(text in any::<String>()) {
            let shown = printable(&text);
            prop_assert!(!shown.chars().any(|c| c.is_control() || is_hidden(c)));
            let again = printable(&shown);
            prop_assert!(matches!(again, Cow::Borrowed(_)));
            prop_assert_eq!(again.as_ref(), shown.as_ref());
        }

        #[test]
        fn fitted_text_fits_and_consists_of_its_ends(text in any::<String>(), width in 0usize..40) {
            let fitted = fit_middle(&text, width);
            prop_assert!(fitted.width() <= width, "{:?} takes {}", fitted, fitted.width());
            if text.width() > width && width > 0 {
                let ends = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).any(|at| {
                    fitted.strip_prefix(&text[..at]).and_then(|rest| rest.strip_prefix('…')).is_some_and(|end| text.ends_with(end))
                });
                prop_assert!(ends, "{:?} from {:?}", fitted, text);
            } else if width > 0 {
                prop_assert_eq!(fitted.as_ref(), text.as_str());
            }
        }

        #[test]
        fn grouped_digits_parse_to_the_same_number(number in any::<usize>()) {
            prop_assert_eq!(thousands(number).replace(',', ""), number.to_string());
        }
    }
}
