//! Tests of rules, key blocks, URLs and names at their limits.

use super::tests::token;
use super::{Finding, Redactor, address, assign, message, pem};

fn with(rule: &str) -> Redactor {
    Redactor::new(Some(&format!("rules:\n- {rule}\n"))).unwrap()
}

fn spans(redactor: &Redactor, text: &str, path: &str) -> Vec<(usize, usize)> {
    let of = |finding: &Finding| (finding.start, finding.end);
    redactor.find(text, path).iter().filter(|found| &*found.rule == "acme").map(of).collect()
}

#[test]
fn a_rule_matches_whole_words_at_its_keyword() {
    let acme = with("{id: acme, keywords: [acme-], regex: 'acme-[0-9]{6}'}");
    for (text, wanted) in [
        ("acme-129034", Some((0, 11))),
        ("x acme-129034 y", Some((2, 13))),
        ("xacme-129034", None),
        ("x_acme-129034", None),
        ("_acme-129034", Some((1, 12))),
        ("-_acme-129034", Some((2, 13))),
        ("\\nacme-129034", Some((2, 13))),
        ("\\tacme-129034", Some((2, 13))),
        ("\\sacme-129034", None),
        ("nacme-129034", None),
        ("%3Dacme-129034", Some((3, 14))),
        ("%zDacme-129034", None),
        ("%3zacme-129034", None),
        ("3Dacme-129034", None),
        ("acme-1290345", None),
        ("acme-129034_", None),
        ("acme-129034-", Some((0, 11))),
        ("ACME-129034", None),
        ("acme-12903", None),
        ("acme-111111", None),
    ] {
        assert_eq!(spans(&acme, text, "").first().copied(), wanted, "{text}");
    }
    assert_eq!(spans(&acme, "acme-129034 acme-983412,acme-129034", ""), [(0, 11), (12, 23), (24, 35)]);
    let any_case = with("{id: acme, keywords: [acme-], regex: '(?i)acme-[0-9]{6}'}");
    assert_eq!(spans(&any_case, "ACME-129034", ""), [(0, 11)]);
    let inside = with("{id: acme, keywords: [acme-], regex: 'acme-[0-9]{6}', inside: true}");
    assert_eq!(spans(&inside, "xacme-1290345", ""), [(1, 12)]);
}

#[test]
fn additional_conditions_of_rules() {
    let near = with("{id: acme, keywords: [acme], regex: '[0-9]{6}', before: 10, reach: 12}");
    assert_eq!(spans(&near, "129034 acme", ""), [(0, 6)]);
    assert_eq!(spans(&near, "129034     acme", ""), []);
    assert_eq!(spans(&near, "acme: 983412", ""), [(6, 12)]);
    assert_eq!(spans(&near, "acme:        983412", ""), []);
    assert_eq!(spans(&near, "129034 acme 983412", ""), [(0, 6), (12, 18)]);
    let group = with("{id: acme, keywords: [acme], regex: 'acme=([0-9]+)'}");
    assert_eq!(spans(&group, "acme=983412", ""), [(5, 11)]);
    let lively = with("{id: acme, keywords: [acme-], regex: 'acme-[0-9]{6}', entropy: 3.0}");
    assert_eq!((spans(&lively, "acme-129034", ""), spans(&lively, "acme-aacmea", "")), (vec![(0, 11)], vec![]));
    assert_eq!(
        spans(&with("{id: acme, keywords: [acme-], regex: 'acme-[0-9]{6}', entropy: 3.2}"), "acme-121212", ""),
        []
    );
    let words = with("{id: acme, keywords: [acme-], regex: 'acme-[a-z0-9]{12}', words: true}");
    assert_eq!(
        (spans(&words, "acme-example12345", ""), spans(&words, "acme-q8zr2lmt5vxc", "")),
        (vec![], vec![(0, 17)])
    );
    let allow = with("{id: acme, keywords: [acme-], regex: 'acme-[0-9]{6}', allow: ['903']}");
    assert_eq!((spans(&allow, "acme-129034", ""), spans(&allow, "acme-983412", "")), (vec![], vec![(0, 11)]));
    let line = with("{id: acme, keywords: [acme-], regex: 'acme-[0-9]{6}', allow_line: ['docs', 'last$']}");
    assert_eq!(spans(&line, "docs: acme-129034\nacme-983412\ndocs", ""), [(18, 29)]);
    assert_eq!(spans(&line, "acme-129034 last\nacme-983412 last one", ""), [(17, 28)]);
    let far = format!("docs{}acme-129034", " ".repeat(497));
    assert_eq!(spans(&line, &far, ""), [(501, 512)]);
    assert_eq!(spans(&line, &far.replacen(' ', "", 1), ""), []);
    let paths = with("{id: acme, keywords: [acme-], regex: 'acme-[0-9]{6}', paths: ['*.ini', 'conf/*']}");
    for (path, wanted) in [("a.ini", 1), ("x/A.INI", 1), ("conf/a", 1), ("a.py", 0), ("", 0), ("x/conf/a", 0)] {
        assert_eq!(spans(&paths, "acme-129034", path).len(), wanted, "{path}");
    }
    let everywhere = with("{id: acme, regex: '[0-9]{6}'}");
    assert_eq!(spans(&everywhere, "129034 1290345 983412", ""), [(0, 6), (15, 21)]);
    // A match truncated by its window extends to the end of the word.
    let cut = with("{id: acme, keywords: [acme-], regex: 'acme-[a-z0-9]+', reach: 20}");
    let long = format!("acme-{} x", "q8zr2lmt5vxc7bn4".repeat(3));
    assert_eq!(spans(&cut, &long, ""), [(0, 53)]);
}

#[test]
fn additional_checks_of_rules() {
    let judged = |judge: &str, secret: &str| {
        let rule = with(&format!("{{id: acme, keywords: [acme=], regex: 'acme=(\\S+)', judge: {judge}}}"));
        !spans(&rule, &format!("acme={secret}"), "").is_empty()
    };
    assert!(judged("password", "hunt3rs!moon") && !judged("password", "moonlight"));
    assert!(judged("token", "q8Zr2LmT5vXc7Bn4") && !judged("token", "hunt3rs!moon"));
    assert!(judged("base64", "am9lOnE4WnIyTG1UNXY") && !judged("base64", "bm8gY29sb24gaGVyZQ"));
    assert!(!judged("base64", "AAE6q8Zr2LmT5v"));
    assert!(judged("mixed", "Zq8vT2mXw9LrK4sNp7Yd3BcFh5GjQ1Wz") && !judged("mixed", "Zq8vT2mXw9LrK4"));
    assert!(judged("segment", "/a/Zq8vT2mXw9LrK4sNp7") && !judged("segment", "/a/b/c"));
}

#[test]
fn invalid_rules_are_rejected() {
    for (rule, why) in [
        ("{id: '', regex: a}", "invalid secret rule id"),
        ("{id: 'a b', regex: a}", "invalid secret rule id"),
        ("{id: a, keywords: [x], regex: a}", "fewer than two letters"),
        ("{id: a, regex: '('}", "does not compile"),
        ("{id: a, regex: a, paths: ['[']}", "does not compile"),
        ("{id: a, regex: a, allow: ['(']}", "does not compile"),
    ] {
        let error = Redactor::new(Some(&format!("rules:\n- {rule}\n"))).unwrap_err();
        assert!(error.to_string().contains(why), "{rule}: {error}");
    }
    assert!(Redactor::new(Some("rules:\n- {id: a-b_c.d9, keywords: [xy], regex: a}\n")).is_ok());
}

const BODY: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8";

fn block(body: &str) -> Option<usize> {
    let text = body.replace('<', "-----BEGIN PRIVATE KEY-----").replace('>', "-----END PRIVATE KEY-----");
    let at = text.find("-----BEGIN")?;
    pem::find(text.as_bytes(), at).map(|(start, end)| end - start)
}

#[test]
fn key_blocks_at_their_limits() {
    // The first line has 27 bytes, the last one 25.
    assert_eq!(block(&format!("<\n{BODY}\n>")), Some(27 + 1 + 64 + 1 + 25));
    assert_eq!(block(&format!("x<\n{BODY}\n>y")), Some(118));
    for (length, whole) in [(15, false), (16, false), (23, false), (24, true)] {
        assert_eq!(block(&format!("<\n{}\n>", &BODY[..length])).is_some(), whole, "{length}");
    }
    // Lines of fifteen bytes are not a key.
    assert_eq!(block(&format!("<\n{0}\n{0}\n{0}\n>", &BODY[..15])), None);
    assert!(block(&format!("<\n{0}\n{0}\n>", &BODY[..16])).is_some());
    assert_eq!(block(&format!("<\n{}\n>", BODY.to_uppercase())), None);
    assert_eq!(block(&format!("<\n{}\n>", BODY.to_lowercase())), None);
    assert_eq!(block(&format!("<\n{}{}\n>", &BODY[..20], "A".repeat(20))), None);
    // A block without its end includes the lines that follow.
    assert_eq!(block(&format!("<\n{BODY}\n{BODY}")), Some(27 + 1 + 64 + 1 + 64));
    assert_eq!(block(&format!("<\n{BODY}\n\n{BODY}")), Some(27 + 1 + 64));
    assert_eq!(block(&format!("<\n{BODY}\ncode();\n{BODY}")), Some(27 + 1 + 64));
    assert_eq!(block(&format!("<\nProc-Type: 4,ENCRYPTED\n{BODY}")), Some(27 + 1 + 22 + 1 + 64));
    assert_eq!(block(&format!("< \t\r\n{BODY}")), Some(27 + 4 + 64));
    assert_eq!(block(&format!("<x\n{BODY}")), None);
    assert_eq!(block("<\nabc"), None);
    assert_eq!(block("<\nabcd"), Some(27 + 1 + 4));
    assert_eq!(block(&format!("<\\n{BODY}\"")), Some(27 + 2 + 64));
    assert_eq!(block(&format!("<\\r\\n{BODY} x")), Some(27 + 4 + 64));
    assert_eq!(block("<\\nabcdef\""), None);
    assert_eq!(block("<\\nabcdefg\""), Some(27 + 2 + 7));
    // A block without its end includes the next block.
    assert_eq!(block(&format!("<\n{BODY}\n<\n{BODY}\n>")), Some(27 + 1 + 64 + 1 + 118));
    let label = |filler: usize| format!("-----BEGIN {}PRIVATE KEY-----\n{BODY}\n-----END x-----", " ".repeat(filler));
    let found = |filler| pem::find(label(filler).as_bytes(), 0).is_some();
    assert!(found(0) && found(43) && !found(44));
}

#[test]
fn encoded_keys_have_at_least_eighty_bytes() {
    let wrapped = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcwQkFRRUZBQVNDQktjd2dnU2pBZ0VBQW9JQkFRREFDNEFXa2R3S1lTZDgK";
    let found = |text: &str| pem::find_wrapped(text.as_bytes(), 0).map(|(_, end)| end);
    assert_eq!(found(wrapped), Some(wrapped.len()));
    assert_eq!(found(&format!("{wrapped}== x")), Some(wrapped.len() + 2));
    assert_eq!((found(&wrapped[..80]), found(&wrapped[..79])), (Some(80), None));
    let public = "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUlJRXZRSUJBREFOQmdrcWhraUc5dzBCQVFFRkFBU0NCS2N3Z2dTakFnRUFBb0lCQVFEQUM0QVdrZHdL";
    assert_eq!(found(public), None);
}

#[test]
fn passwords_in_urls_at_their_limits() {
    let secret = |line: &str| {
        let at = line.find("://").unwrap();
        address::find(line.as_bytes(), at).map(|(start, end)| line[start..end].to_owned())
    };
    for (line, wanted) in [
        ("://joe:q8Zr2@h", None),
        ("+://joe:q8Zr2@h", None),
        ("x://joe:q8Z@h", None),
        ("x://joe:q8Zr@h", Some("q8Zr")),
        ("x://joe:1234567@h", None),
        ("x://joe:91827364@h", Some("91827364")),
        ("x://joe:moonlig@h", None),
        ("x://joe:moonlight@h", Some("moonlight")),
        ("x://joe:moon:light@h", None),
        ("x://joe:moon:l1ght@h", Some("moon:l1ght")),
        ("x://joe:q8@Zr2@h", Some("q8@Zr2")),
        ("x://joe:joe@h", None),
        ("x://moonlight:MOONLIGHT@h", None),
        ("x://joe:$q8Zr2@h", None),
        ("x://joe:q8[Zr]2@h", None),
        ("x://joe:q8*Zr2LmT5vXc7Bn4@h", Some("q8*Zr2LmT5vXc7Bn4")),
        ("x://joe:password123@h", None),
        ("x://h/joe:q8Zr2@x", None),
        ("x://joe:q8Zr2 @h", None),
        ("x://joe:q8Zr2@h/a@b", Some("q8Zr2")),
        ("x://joe:q8Zr2@h?a@b", Some("q8Zr2")),
        ("x://q8Zr2LmT5vXc7Bn4Kd9@h", None),
        ("x://q8Zr2LmT5vXc7Bn4Kd9W@h", Some("q8Zr2LmT5vXc7Bn4Kd9W")),
        ("x://q8Zr2LmT5vXc7Bn4Kd9W:x-oauth-basic@h", Some("q8Zr2LmT5vXc7Bn4Kd9W")),
        ("x://q8Zr2LmT5vXc7Bn4Kd9W:@h", Some("q8Zr2LmT5vXc7Bn4Kd9W")),
        ("x://q8Zr2LmT5vXc7Bn4Kd9:@h", None),
        ("x://moonlightriverstonecloud@h", None),
    ] {
        assert_eq!(secret(line).as_deref(), wanted, "{line}");
    }
    let long = |filler: usize| format!("x://joe:{}q8Zr2@h", "b7".repeat(filler));
    assert!(secret(&long(200)).is_some() && secret(&long(300)).is_none());
}

#[test]
fn a_name_may_extend_eighty_bytes_to_either_side() {
    let around = |text: &str| {
        let at = text.find("token").unwrap();
        assign::name_around(text.as_bytes(), at, at + 5)
    };
    assert_eq!(around("my.token-x = 1"), Some((0, 10)));
    assert_eq!(around("(token)"), Some((1, 6)));
    assert_eq!(around("a token-. b"), Some((2, 7)));
    assert_eq!(around("\"\\ntoken\""), Some((3, 8)));
    assert_eq!(around("\"\\xtoken\""), Some((2, 8)));
    assert_eq!(around("ntoken"), Some((0, 6)));
    for (before, after, held) in [(80, 80, true), (81, 0, false), (0, 81, false)] {
        let text = format!("{}token{}", "a".repeat(before), "b".repeat(after));
        assert_eq!(around(&text).is_some(), held, "{before} {after}");
    }
}

#[test]
fn redacting_a_message_changes_only_its_secrets() {
    assert_eq!(message("no file `a.rs`"), "no file `a.rs`");
    assert_eq!(message("a word of twelve: administration"), "a word of twelve: administration");
    assert_eq!(message(&format!("no file `{}`", token())), "no file `[REDACTED:github-token]`");
    assert_eq!(message("pwd=q8Zr2!mT5"), "pwd=[REDACTED:password]");
}

#[test]
fn every_rule_has_a_description() {
    let redactor = Redactor::builtin();
    let names: Vec<&str> = redactor.rules().collect();
    assert_eq!(names[..5], ["password", "token", "key", "private-key", "url-credentials"]);
    assert!(names.len() > 200 && names.iter().all(|name| redactor.about(name).is_some_and(|about| about.len() > 5)));
    assert_eq!(redactor.about("no-such-rule"), None);
    assert_eq!(redactor.about("private-key"), Some("a private key block"));
}

#[test]
fn distances_of_the_assignment_matcher() {
    let found = |text: &str| {
        let text = text.replace('@', "q8Zr2LmT5vXc7Bn4");
        Redactor::general().find(&text, "").len()
    };
    let blanks = |count: usize| " ".repeat(count);
    // There may be at most forty spaces on either side of the operator, and eighty before a value on its own line.
    assert_eq!((found(&format!("token{}= '@'", blanks(40))), found(&format!("token{}= '@'", blanks(90)))), (1, 0));
    assert_eq!(
        (found(&format!("<token>{}@</token>", blanks(80))), found(&format!("<token>{}@</token>", "\n".repeat(200)))),
        (1, 0)
    );
    // A type may have at most forty bytes.
    let typed = |length: usize| found(&format!("token: {} = '@'", "T".repeat(length)));
    assert_eq!((typed(38), typed(45)), (1, 0));
    // A constructor's literal is found within 60 bytes, and a fallback within 160.
    let wrapped = |length: usize| found(&format!("token = {}('@')", "K".repeat(length)));
    assert_eq!((wrapped(59), wrapped(60)), (1, 0));
    let fallback = |length: usize| found(&format!("token = f({}) || '@'", "x".repeat(length)));
    assert_eq!((fallback(100), fallback(170)), (1, 0));
    // A default is found within 300 bytes.
    let default =
        |length: usize| found(&format!("variable \"token\" {{\n{}\n default = \"@\"\n}}", "#".repeat(length)));
    assert_eq!((default(250), default(310)), (1, 0));
    // Values may have at most two kilobytes.
    let long = |length: usize| "q8Zr2LmT5vXc7Bn4".chars().cycle().take(length).collect::<String>();
    assert_eq!((found(&format!("token = '{}'", long(2047))), found(&format!("token = '{}'", long(2049)))), (1, 0));
    assert_eq!((found(&format!("token={} ", long(2047))), found(&format!("token={} ", long(2048)))), (1, 0));
}

#[test]
fn withheld_words_remove_rules_and_providers() {
    let without = Redactor::without(&["github".to_owned()]).unwrap();
    assert!(!without.rules().any(|rule| rule.contains("github")) && without.rules().any(|rule| rule == "stripe-key"));
}
