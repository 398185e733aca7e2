//! The readable part of a session name.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const MAX_WORDS: usize = 5;
/// Maximum width in columns: 40 Latin letters, or 20 Chinese characters.
const MAX_WIDTH: usize = 40;
/// Maximum length, because marks have no width, and a file name has at most 255 bytes.
const MAX_BYTES: usize = 160;
/// Minimum length of a word in ASCII letters that can name a session on its own.
const MIN_LETTERS: usize = 3;

/// Words that are removed at the end of a name.
const SMALL_WORDS: [&str; 24] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "if", "in", "into", "is", "of", "on", "or",
    "that", "the", "this", "to", "via", "with",
];

/// The first words of `task` in lower case, joined by dashes. If there are none, the word `task`.
///
/// A name in ASCII is the easiest to type. Words in other scripts are used unless the task contains a long enough word
/// in ASCII.
pub(crate) fn slug(task: &str) -> String {
    let (mut ascii, mut all) = (String::new(), String::new());
    // A task can be a long document, but only its start matters.
    for c in task.chars().take(2000) {
        fold(c, &mut ascii, &mut all);
    }
    let has_name = |word: &str| word.bytes().filter(u8::is_ascii_alphabetic).count() >= MIN_LETTERS;
    let other_scripts = !all.is_ascii() && !ascii.split(' ').any(has_name);
    let slug = first_words(if other_scripts { &all } else { &ascii });
    if slug.is_empty() { "task".to_owned() } else { slug }
}

/// The first words, as many as fit.
fn first_words(folded: &str) -> String {
    let mut words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).take(MAX_WORDS).collect();
    if !words.iter().all(|word| SMALL_WORDS.contains(word)) {
        while words.last().is_some_and(|word| SMALL_WORDS.contains(word)) {
            words.pop();
        }
    }
    let mut slug = String::new();
    for word in words {
        if slug.is_empty() {
            slug.push_str(beginning(word));
        } else if slug.width() + 1 + word.width() <= MAX_WIDTH && slug.len() + 1 + word.len() <= MAX_BYTES {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    slug
}

/// The part of a word that fits.
fn beginning(word: &str) -> &str {
    let fits = |end: &usize| *end <= MAX_BYTES && word[..*end].width() <= MAX_WIDTH;
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(fits);
    &word[..ends.last().unwrap_or(0)]
}

/// Returns true for a letter or digit of any script, and for a mark that belongs to the letter before it.
fn is_part_of_word(c: char) -> bool {
    let is_invisible = matches!(c, '\u{2000}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..);
    c.is_alphanumeric() || c.width() == Some(0) && !is_invisible
}

/// Appends `c` in lower case to `all`, and as ASCII to `ascii`. Characters that separate words become a space.
fn fold(c: char, ascii: &mut String, all: &mut String) {
    if c.is_ascii_alphanumeric() {
        ascii.push(c.to_ascii_lowercase());
        all.push(c.to_ascii_lowercase());
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
    ascii.push_str(letters);
    if letters == " " && is_part_of_word(c) {
        all.extend(c.to_lowercase());
    } else {
        all.push_str(letters);
    }
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
            ("", "task"),
            ("!?", "task"),
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
    fn words_in_other_scripts_name_a_session() {
        for (task, expected) in [
            ("返金の台帳を修正する", "返金の台帳を修正する"),
            ("修复：退款账本 404", "修复-退款账本-404"),
            ("Исправить ошибку возврата денег", "исправить-ошибку-возврата-денег"),
            ("환불 장부를 수정하세요", "환불-장부를-수정하세요"),
            ("भुगतान की मरम्मत", "भुगतान-की-मरम्मत"),
            ("パ\u{30cf}\u{309a}", "パ\u{30cf}\u{309a}"),
            ("batch_semaphoreのacquireが公平でない", "batch-semaphore-acquire"),
            ("Исправить recv_many в mpsc", "recv-many-mpsc"),
            ("退款\u{202e}账本\u{200b}", "退款-账本"),
        ] {
            assert_eq!(slug(task), expected);
        }
        assert_eq!(slug(&"退".repeat(100)), "退".repeat(20), "two columns each");
        assert_eq!(slug(&format!("र{}", "्".repeat(500))).len(), 159, "marks have no width");
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
            prop_assert!(slug.width() <= MAX_WIDTH && slug.len() <= MAX_BYTES, "{slug}");
            prop_assert!(slug.split('-').count() <= MAX_WORDS);
            prop_assert!(slug.split('-').all(|word| !word.is_empty() && word.chars().all(is_part_of_word)), "{slug}");
        }
    }
}
