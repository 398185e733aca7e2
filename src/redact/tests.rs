//! Tests of secrets, non-secrets and markers.

use super::*;

/// A token matched by a rule; split, so that no source file contains one.
pub(crate) fn token() -> String {
    format!("{}{}", "ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx")
}

#[test]
fn the_builtin_rules_all_compile() {
    let file = builtin().unwrap();
    let mut ids = HashSet::new();
    for rule in file.rules {
        assert!(ids.insert(rule.id.clone()), "twice: {}", rule.id);
        assert!(!rule.about.is_empty(), "no description: {}", rule.id);
        Rule::new(rule).check().unwrap();
    }
}

#[test]
fn redaction_shows_the_rule_and_keeps_the_rest() {
    let text = format!("a = 1\ntoken = \"{}\"\nb = 2\n", token());
    let (out, found) = Redactor::builtin().redact(&text, "x.py");
    assert_eq!(out, "a = 1\ntoken = \"[REDACTED:github-token]\"\nb = 2\n");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].line, &*found[0].rule), (2, "github-token"));
    assert_eq!(&text[found[0].start..found[0].end], token());
}

#[test]
fn clean_text_is_borrowed() {
    assert!(
        matches!(Redactor::builtin().redact("let token = next_token();", "a.rs"), (Cow::Borrowed(_), found) if found.is_empty())
    );
}

/// UTF-16 text without a byte order mark, read as UTF-8.
fn wide(text: &str) -> String {
    text.chars().flat_map(|c| [c, '\0']).collect()
}

#[test]
fn utf16_without_a_byte_order_mark_is_decoded() {
    let text = wide(&format!("a = 1\ntoken = {}\nb = 2\n", token()));
    let (out, found) = Redactor::builtin().redact(&text, "a.ini");
    assert_eq!((found.len(), found[0].line), (1, 2));
    assert_eq!(&text[found[0].start..found[0].end], wide(&token()));
    assert_eq!(out, format!("{}[REDACTED:github-token]{}", wide("a = 1\ntoken = "), wide("\nb = 2\n")));
}

#[test]
fn user_rules_add_to_the_builtin_ones() {
    let rules = "rules:\n- id: acme\n  keywords: [acme-]\n  regex: 'acme-[0-9]{8}'\n";
    let redactor = Redactor::new(Some(rules)).unwrap();
    assert_eq!(redactor.redact("see acme-12903487.", "").0, "see [REDACTED:acme].");
    assert_eq!(redactor.find(&token(), "").len(), 1);
    for bad in [
        "rules: 3",
        "rules:\n- id: x\n  regex: '('\n",
        "rules:\n- id: 'a b'\n  regex: 'a'\n",
        "rules:\n- id: x\n  regexp: 'a'\n",
    ] {
        let error = Redactor::new(Some(bad)).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{bad}");
    }
}

#[test]
fn original_lines_are_kept_over_several_rounds() {
    let text = format!("x\n{0} {0}\n\npassword = \"hunt3rs!moon\"\n", token());
    let (out, found) = Redactor::builtin().redact(&text, "");
    assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2, 2, 4]);
    assert!(!out.contains("hunt3rs") && !out.contains("ghp_"));
}

#[test]
fn redacting_a_multi_line_key_keeps_line_numbers() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8";
    for end in ["\n", "\r\n"] {
        let (open, close) = ("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----");
        let text = ["a", open, body, body, body, close, "b", "c"].join(end);
        let (out, found) = Redactor::builtin().redact(&text, "");
        assert_eq!(found.len(), 1);
        assert_eq!(out.split(end).position(|line| line == "b"), Some(6), "{out}");
        assert!(!out.contains("MIIE"));
        let (policy, _) = Policy::default().redact(&text, "");
        assert_eq!(policy, out);
    }
}

#[test]
fn positions_in_redacted_text_map_to_the_original() {
    let text = "x".repeat(40);
    let finding = |start, end| Finding { rule: Arc::from("x"), start, end, line: 1 };
    // `[REDACTED:x]` has twelve bytes: the first marker is 10..22, the second 32..44.
    let replaced = replaced(&text, &[finding(10, 20), finding(30, 34)]);
    for ((start, end), wanted) in [
        ((0, 5), (0, 5)),
        ((5, 12), (5, 20)),
        ((10, 22), (10, 20)),
        ((12, 25), (10, 23)),
        ((11, 21), (10, 20)),
        ((22, 32), (20, 30)),
        ((25, 33), (23, 34)),
        ((33, 50), (30, 40)),
        ((44, 50), (34, 40)),
    ] {
        assert_eq!(replaced.original(start, end), wanted, "{start}..{end}");
    }
}

#[test]
fn a_long_unquoted_value_is_redacted_completely() {
    let value: String = "q8Zr2LmT5vXc7Bn4Kd9WyH3j".chars().cycle().take(900).collect();
    for (path, line) in [(".env", format!("TOKEN={value}")), ("x.sh", format!("export TOKEN={value}\nls\n"))] {
        let (out, _) = Redactor::builtin().redact(&line, path);
        assert!(out.contains("TOKEN=[REDACTED:token]") && !out.contains("q8Zr"), "{out}");
    }
}

#[test]
fn a_token_inside_encoded_data_is_kept() {
    let data = "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAYAAADgdz34AAAABmJLR0QA";
    for (text, finds) in [
        (format!("{data}/{}", token()), false),
        (format!("{data}+{}", token()), false),
        (format!("/repos/{}", token()), true),
        (format!("https://files.somewhere.io/a/b/{}", token()), true),
        (format!("{data} {}", token()), true),
    ] {
        assert_eq!(
            Redactor::builtin().find(&text, "").iter().any(|found| &*found.rule == "github-token"),
            finds,
            "{text}"
        );
    }
}
