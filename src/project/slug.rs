//! The readable part of a session name.

const MAX_WORDS: usize = 5;
const MAX_CHARS: usize = 40;

/// Words that are removed at the end of a name.
const SMALL_WORDS: [&str; 24] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "if", "in", "into", "is", "of", "on", "or",
    "that", "the", "this", "to", "via", "with",
];

/// The first words of `task` in lower-case ASCII, joined by dashes. If there are none, the word `task`.
pub(crate) fn slug(task: &str) -> String {
    let mut folded = String::new();
    // A task can be a long document, but only its start matters.
    for c in task.chars().take(2000) {
        fold(c, &mut folded);
    }
    let mut words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).take(MAX_WORDS).collect();
    if !words.iter().all(|word| SMALL_WORDS.contains(word)) {
        while words.last().is_some_and(|word| SMALL_WORDS.contains(word)) {
            words.pop();
        }
    }
    let mut slug = String::new();
    for word in words {
        if slug.is_empty() {
            slug.extend(word.chars().take(MAX_CHARS));
        } else if slug.len() + 1 + word.len() <= MAX_CHARS {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    if slug.is_empty() { "task".to_owned() } else { slug }
}

/// Appends `c` as lower-case ASCII. Characters that separate words become a space.
fn fold(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    let letters = match c.to_lowercase().next().unwrap_or(c) {
        // Apostrophes and combining accents do not separate words.
        '\'' | '’' | '\u{300}'..='\u{36f}' => "",
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => " ",
    };
    out.push_str(letters);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_the_first_words() {
        for (task, expected) in [
            ("Add refund capability to the payment service", "add-refund-capability"),
            ("to the", "to-the"),
            ("Fix the user's login!", "fix-the-users-login"),
            ("  # Überprüfe die Größe  ", "uberprufe-die-grosse"),
            ("Cafe\u{301} naïve ŁÓDŹ", "cafe-naive-lodz"),
            ("修正する", "task"),
            ("", "task"),
            ("../../etc/passwd", "etc-passwd"),
            ("internationalisation-everywhere misunderstandings", "internationalisation-everywhere"),
        ] {
            assert_eq!(slug(task), expected);
        }
        assert_eq!(slug(&"x".repeat(500)), "x".repeat(40));
        let (twenty, nineteen) = ("x".repeat(20), "y".repeat(19));
        assert_eq!(slug(&format!("{twenty} {nineteen}")), format!("{twenty}-{nineteen}"), "40 with the dash");
        assert_eq!(slug(&format!("{twenty} y{nineteen}")), twenty, "one too many");
        assert_eq!(slug("one two three four five six"), "one-two-three-four-five");
    }

    #[test]
    fn accents_are_removed() {
        for (letters, plain) in [
            ("àáâãäåāăąǎ", "a"),
            ("æ", "ae"),
            ("çćĉċč", "c"),
            ("ďđð", "d"),
            ("èéêëēĕėęě", "e"),
            ("ĝğġģ", "g"),
            ("ĥħ", "h"),
            ("ìíîïĩīĭįı", "i"),
            ("ĵ", "j"),
            ("ķ", "k"),
            ("ĺļľł", "l"),
            ("ñńņň", "n"),
            ("òóôõöøōŏő", "o"),
            ("œ", "oe"),
            ("ŕŗř", "r"),
            ("śŝşšș", "s"),
            ("ß", "ss"),
            ("ţťŧț", "t"),
            ("þ", "th"),
            ("ùúûüũūŭůűų", "u"),
            ("ŵ", "w"),
            ("ýÿŷ", "y"),
            ("źżž", "z"),
        ] {
            for letter in letters.chars() {
                assert_eq!(slug(&format!("x{letter}y")), format!("x{plain}y"), "{letter}");
            }
        }
        assert_eq!((slug("it's"), slug("it’s"), slug("a+b")), ("its".into(), "its".into(), "a-b".into()));
    }

    proptest! {
        #[test]
        fn slugs_are_always_safe_names(task in "(?s).{0,100}") {
            let slug = slug(&task);
            prop_assert!((1..=MAX_CHARS).contains(&slug.len()));
            prop_assert!(slug.split('-').count() <= MAX_WORDS);
            prop_assert!(slug.split('-').all(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())));
        }
    }
}
