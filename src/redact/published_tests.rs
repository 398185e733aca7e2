//! Tests that providers' documented example values are kept and similar values are redacted.

use super::tests::token;
use super::*;

fn published() -> Vec<String> {
    builtin().unwrap().known
}

/// Contexts in which such values occur.
fn places(value: &str) -> [String; 6] {
    [
        format!("{value}\n"),
        format!("password = \"{value}\"\n"),
        format!("secret_key: {value}\n"),
        format!("{{\"access_token\": \"{value}\", \"expires_in\": 3600}}\n"),
        format!("Authorization: Bearer {value}\n"),
        format!("<add key=\"ClearTextPassword\" value=\"{value}\" />\n"),
    ]
}

/// The value with a different character of the same class in the middle.
fn changed(value: &str) -> String {
    let middle = (value.len() / 2..value.len()).find(|&at| value.as_bytes()[at].is_ascii_alphanumeric()).unwrap();
    let other = match value.as_bytes()[middle] {
        b'0'..=b'8' => '9',
        b'9' => '4',
        b'k' => 'q',
        b'K' => 'Q',
        letter if letter.is_ascii_lowercase() => 'k',
        _ => 'K',
    };
    format!("{}{other}{}", &value[..middle], &value[middle + 1..])
}

#[test]
fn a_documented_example_is_kept_everywhere() {
    for value in published() {
        for text in places(&value) {
            let (out, found) = Redactor::builtin().redact(&text, "settings.conf");
            assert!(found.is_empty(), "{out}");
        }
    }
}

#[test]
fn example_credentials_of_standards_are_kept_in_headers() {
    for credentials in ["QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3"] {
        let header = |value: &str| format!("Authorization: Basic {value}\n");
        assert!(Redactor::builtin().find(&header(credentials), "").is_empty(), "{credentials}");
        assert_eq!(Redactor::builtin().find(&header(&changed(credentials)), "").len(), 1, "{credentials}");
    }
}

#[test]
fn a_changed_character_makes_it_a_secret_again() {
    // Another check already keeps values that contain the word "example".
    for value in published().iter().filter(|value| !value.contains("EXAMPLE") && !value.contains("yourStrong")) {
        let text = format!("password = \"{}\"\n", changed(value));
        let (out, found) = Redactor::builtin().redact(&text, "settings.conf");
        assert!(found.len() == 1 && out.starts_with("password = \"[REDACTED:"), "{out}");
    }
}

#[test]
fn an_extended_example_is_redacted() {
    for (before, after) in [("x7Q", ""), ("", "x7Q")] {
        let text = format!("password = \"{before}33f!!lloppa{after}\"\n");
        assert_eq!(Redactor::builtin().find(&text, "").len(), 1, "{text}");
    }
}

#[test]
fn a_secret_next_to_a_published_value_is_found() {
    let secret = token();
    for value in published() {
        for text in [
            format!("password = \"{value}\"\ntoken = \"{secret}\"\n"),
            format!("keys: {value},{secret}\n"),
            format!("{{\"old_token\": \"{value}\", \"token\": \"{secret}\"}}\n"),
        ] {
            let (out, found) = Redactor::builtin().redact(&text, "");
            assert!(found.len() == 1 && out.contains(&value) && !out.contains(&secret), "{out}");
        }
    }
}

#[test]
fn user_rules_are_added() {
    let text = "password = \"Vq8!mRt2#zLw\"\n";
    assert_eq!(Redactor::builtin().find(text, "").len(), 1);
    let redactor = Redactor::new(Some("known: ['Vq8!mRt2#zLw']\n")).unwrap();
    assert!(redactor.find(text, "").is_empty());
    assert!(redactor.find("password = \"33f!!lloppa\"\n", "").is_empty());
    assert_eq!(redactor.find("password = \"Vq8!mRt2#zLx\"\n", "").len(), 1);
}
