//! The lengths, and the numbers of digits, symbols and separators, at which a value of each shape counts as a secret.
//! Read a row as "a quoted password of this shape is a secret from 8 to 64 bytes".

use super::value::{Notation, is_secret};
use super::words::Strength;

type Shape = (&'static str, fn(usize) -> String);

fn cycled(alphabet: &str, length: usize) -> String {
    alphabet.chars().cycle().take(length).collect()
}

/// Spreads `count` times `extra` over 24 letters.
fn scattered(extra: &str, count: usize) -> String {
    let (letters, mut extra) = ("moonlightriverstonecloud", extra.chars().cycle());
    let every = if count == 0 { usize::MAX } else { 24_usize.div_ceil(count) };
    let mut out = String::new();
    let mut left = count;
    for (index, letter) in letters.chars().enumerate() {
        if left > 0 && index > 0 && index % every == 0 {
            out.extend(extra.next());
            left -= 1;
        }
        out.push(letter);
    }
    out.extend(extra.take(left));
    out
}

/// Values by length.
const LONG: &[Shape] = &[
    ("digits", |length| cycled("73918462059174", length)),
    ("hex", |length| cycled("a7f3c09e1b5d28f46e90d3b7", length)),
    ("mixed", |length| cycled("q8Zr2LmT5vXc7Bn4Kd9WyH3j", length)),
    ("capitals", |length| cycled("QZRKXVBNWTPLMC", length)),
    ("small", |length| cycled("qzrkxvbnwtplmc", length)),
    ("words", |length| cycled("moonlightriverstonecloud", length)),
    ("words and 7", |length| cycled("moonlightriverstonecloud", length - 1) + "7"),
    ("words and 73", |length| cycled("moonlightriverstonecloud", length - 2) + "73"),
    ("words and !", |length| cycled("moonlightriverstonecloud", length - 1) + "!"),
    ("words, 7 and !", |length| cycled("moonlightriverstonecloud", length - 2) + "7!"),
    ("leet", |length| cycled("m00nl1ghtr1v3rst0n3cl0ud", length)),
    ("Words", |length| cycled("MoonLightRiverStoneCloud", length)),
    ("joined", |length| cycled("moon-light-river-stone-cloud", length)),
    ("joined 7", |length| cycled("moon-7-light-3-river-9", length)),
    ("dotted", |length| cycled("moon7.light3.river9", length)),
    ("CONSTANT_7", |length| cycled("MOON_LIGHT_7_RIVER", length)),
    ("soup", |length| cycled("aQ!z@x#w$e%r^t&y*", length)),
    ("counting", |length| cycled("abcdefghijklmnop0123456789", length)),
    ("runs", |length| cycled("aaaa7bbbb3", length)),
    ("digest", |length| format!("sha256-{}", cycled("q8Zr2LmT5vXc7Bn4Kd9WyH3j", length - 7))),
];

/// Values by count within 24 letters.
const MANY: &[Shape] = &[
    ("digits in words", |count| scattered("73918462", count)),
    ("symbols in words", |count| scattered("!@#$%^&*", count)),
    ("separators in words", |count| scattered("-_./", count)),
    ("separators and digits", |count| scattered("-7_3.9/4", count)),
    ("capitals in words", |count| scattered("QZRK", count)),
    ("brackets and digits", |count| scattered("(7)3[9]4", count)),
];

/// Numbers that satisfy a predicate, as ranges.
fn ranges(numbers: impl Iterator<Item = usize>, holds: impl Fn(usize) -> bool) -> String {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for number in numbers.filter(|number| holds(*number)) {
        match found.last_mut() {
            Some(last) if last.1 + 1 == number => last.1 = number,
            _ => found.push((number, number)),
        }
    }
    let shown = found.iter().map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { "never".to_owned() } else { shown.join(",") }
}

fn table(shapes: &[Shape], numbers: std::ops::RangeInclusive<usize>) -> String {
    let strengths = [Strength::Password, Strength::Token, Strength::Weak, Strength::Provider];
    let forms = [Notation::Quoted, Notation::Listed, Notation::Literal, Notation::Bare, Notation::Spaced];
    let mut out = String::from("\n");
    for (name, make) in shapes {
        for strength in strengths {
            let cells = forms.map(|form| {
                let found = ranges(numbers.clone(), |number| is_secret(make(number).as_bytes(), strength, form));
                (format!("{form:?}").to_lowercase(), found)
            });
            // Rows without any number are omitted.
            let rows: Vec<String> =
                cells.iter().filter(|cell| cell.1 != "never").map(|(form, found)| format!("{form} {found}")).collect();
            if !rows.is_empty() {
                out.push_str(&format!("{name}, {}: {}\n", format!("{strength:?}").to_lowercase(), rows.join(" · ")));
            }
        }
    }
    out
}

#[test]
fn minimum_lengths_of_secrets() {
    assert_eq!(table(LONG, 8..=70), LENGTHS);
}

#[test]
fn minimum_counts_of_symbols_in_secrets() {
    assert_eq!(table(MANY, 0..=16), COUNTS);
}

#[rustfmt::skip]
const LENGTHS: &str = r"
digits, password: quoted 15-70 · listed 15-70 · literal 15-70 · bare 15-70 · spaced 16-70
digits, token: quoted 15-70 · listed 15-70 · literal 15-70 · bare 15-70 · spaced 16-70
digits, provider: quoted 15-70 · listed 15-70 · literal 15-70 · bare 15-70
hex, password: quoted 8-70 · listed 12-70 · literal 8-70 · bare 12-70 · spaced 16-70
hex, token: quoted 10-70 · listed 10-70 · literal 10-70 · bare 12-70 · spaced 16-70
hex, weak: quoted 16-70 · listed 16-70 · literal 16-70 · bare 16-70
hex, provider: quoted 14-70 · listed 14-70 · literal 14-70 · bare 14-70
mixed, password: quoted 8-70 · listed 12-70 · literal 8-70 · bare 12-70 · spaced 16-70
mixed, token: quoted 10-70 · listed 10-70 · literal 10-70 · bare 12-70 · spaced 16-70
mixed, weak: quoted 16-70 · listed 16-70 · literal 16-70 · bare 16-70
mixed, provider: quoted 14-70 · listed 14-70 · literal 14-70 · bare 14-70
capitals, password: quoted 12-70 · listed 12-70 · literal 12-70 · bare 12-70
capitals, token: quoted 12-70 · listed 12-70 · literal 12-70 · bare 12-70
capitals, weak: quoted 16-70 · listed 16-70 · literal 16-70 · bare 16-70
capitals, provider: quoted 14-70 · listed 14-70 · literal 14-70 · bare 14-70
small, password: quoted 12-70 · listed 12-70 · literal 12-70 · bare 12-70
small, token: quoted 12-70 · listed 12-70 · literal 12-70 · bare 12-70
small, weak: quoted 16-70 · listed 16-70 · literal 16-70 · bare 16-70
small, provider: quoted 14-70 · listed 14-70 · literal 14-70 · bare 14-70
words and 7, password: quoted 8-64 · literal 8-64
words and 73, password: quoted 8-64 · literal 8-64
words and !, password: quoted 8-64
words, 7 and !, password: quoted 8-64 · listed 8-64 · literal 8-64 · bare 8-64
leet, password: quoted 8-70 · listed 12-70 · literal 8-70 · bare 12-70 · spaced 16-70
leet, token: quoted 10-70 · listed 10-70 · literal 10-70 · bare 12-70 · spaced 16-70
leet, weak: quoted 16-70 · listed 16-70 · literal 16-70 · bare 16-70
leet, provider: quoted 14-70 · listed 14-70 · literal 14-70 · bare 14-70
dotted, password: quoted 19-70 · listed 39,43-70 · literal 19-70 · bare 39,43-70 · spaced 39,43-70
dotted, token: quoted 20-70 · listed 20-70 · literal 20-70 · bare 39,43-70 · spaced 39,43-70
dotted, weak: quoted 39,43-70 · listed 39,43-70 · literal 39,43-70 · bare 39,43-70
dotted, provider: quoted 39,43-70 · listed 39,43-70 · literal 39,43-70 · bare 39,43-70
soup, password: quoted 8-64
soup, token: quoted 13-70
counting, password: quoted 53-70 · listed 53-70 · literal 53-70 · bare 53-70 · spaced 53-70
counting, token: quoted 53-70 · listed 53-70 · literal 53-70 · bare 53-70 · spaced 53-70
counting, provider: quoted 53-70 · listed 53-70 · literal 53-70 · bare 53-70
";
#[rustfmt::skip]
const COUNTS: &str = r"
digits in words, password: quoted 1-16 · listed 2-16 · literal 1-16 · bare 2-16 · spaced 2-16
digits in words, token: quoted 2-16 · listed 2-16 · literal 2-16 · bare 2-16 · spaced 2-16
digits in words, weak: quoted 2-16 · listed 2-16 · literal 2-16 · bare 2-16
digits in words, provider: quoted 2-16 · listed 2-16 · literal 2-16 · bare 2-16
symbols in words, password: quoted 1-16
symbols in words, token: quoted 6-16
separators and digits, password: quoted 4-6,8-16 · listed 8-16 · literal 4-6,8-16 · bare 8-16 · spaced 8-16
separators and digits, token: quoted 5-16 · listed 5-16 · literal 5-16 · bare 8-16 · spaced 8-16
separators and digits, weak: quoted 8-16 · listed 8-16 · literal 8-16 · bare 8-16
separators and digits, provider: quoted 8-16 · listed 8-16 · literal 8-16 · bare 8-16
brackets and digits, password: quoted 4-16 · listed 4-16 · literal 4-16
brackets and digits, token: quoted 4-16 · listed 4-16 · literal 4-16
brackets and digits, weak: quoted 4-16 · listed 4-16 · literal 4-16
brackets and digits, provider: quoted 4-16 · listed 4-16 · literal 4-16
";
