//! Passwords that consist only of letters: `const PASSWORD: &str = "swordfish"`. Next to most names, such a value is
//! test data, a field name or a label. Therefore only constants in capitals that are named like a password count.

use super::value::{has_specimen, is_placeholder};
use super::vocabulary::ADDRESS_SPECIMENS;

/// Last words in the names of such constants.
const NOUNS: [&[u8]; 6] = [b"PASSWORD", b"PASSWD", b"PASSPHRASE", b"PASSCODE", b"PASSWORT", b"PWD"];

/// Returns true for letters assigned to a constant in capitals that is named like a password.
pub(super) fn is_word_password(name: &[u8], value: &[u8]) -> bool {
    let words = || name.split(|byte| !byte.is_ascii_alphanumeric());
    let is_password = words().next_back().is_some_and(|last| {
        let noun = last.strip_suffix(b"2").or_else(|| last.strip_suffix(b"1")).unwrap_or(last);
        NOUNS.iter().any(|known| noun.ends_with(known))
    });
    is_password
        && !name.iter().any(u8::is_ascii_lowercase)
        && (6..=40).contains(&value.len())
        && value.iter().all(u8::is_ascii_alphabetic)
        // A word in capitals is the name of a constant.
        && value.iter().any(u8::is_ascii_lowercase)
        && !is_placeholder(value)
        && !has_specimen(value)
        && !ADDRESS_SPECIMENS.iter().any(|known| value.eq_ignore_ascii_case(known.as_bytes()))
        // `RESET_PASSWORD = "resetting"` is a label.
        && !words().any(|word| word.len() > 3 && starts_with_ignoring_case(value, word))
}

fn starts_with_ignoring_case(value: &[u8], word: &[u8]) -> bool {
    value.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn found(line: &str, path: &str) -> bool {
        !Redactor::builtin().find(line, path).is_empty()
    }

    #[test]
    fn a_password_constant_may_be_a_word() {
        for (path, line) in [
            ("a.rs", "const PASSWORD: &str = \"swordfish\";"),
            ("a.rs", "pub static DB_PASSWORD: &'static str = \"correctHorse\";"),
            ("a.py", "DATABASE_PASSWORD = 'tigerlily'"),
            ("settings.py", "    \"PASSWORD\": \"swordfish\","),
            ("A.java", "private static final String KEYSTORE_PASSWD = \"nightjar\";"),
            ("a.go", "const ADMIN_PASSPHRASE = \"violetmeadow\""),
            ("a.js", "export const SMTP_PWD = 'harvestmoon';"),
            (".env", "DB_PASSWORD=swordfish"),
        ] {
            assert!(found(line, path), "{line}");
        }
    }

    #[test]
    fn labels_fields_and_test_values_are_kept() {
        for line in [
            "const PASSWORD_FIELD: &str = \"username\";",
            "const FIELD_PASSWORD: &str = \"password\";",
            "RESET_PASSWORD = 'resetting'",
            "const CHANGE_PASSWORD = \"CHANGED\";",
            "\"PASSWORD\": \"postgres\",",
            "\"PASSWORD\": \"somepassword\",",
            "TEST_PASSWORD = 'something'",
            "WRONG_PASSWORD = 'swordfish'",
            "password = \"swordfish\"",
            "const flagPassword = \"swordfish\"",
            "PASSWORD = swordfish",
            "BYPASS = \"swordfish\"",
        ] {
            assert!(!found(line, "a.rs"), "{line}");
        }
    }
}
