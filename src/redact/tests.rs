//! The engine on hand-made texts, and the leave-kinds-out figures when the set is at hand.

use super::*;

fn token() -> String {
    format!("{}{}", "ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx")
}

#[test]
fn the_builtin_rules_all_compile() {
    let file = parse(BUILTIN_RULES).unwrap();
    let mut ids = HashSet::new();
    for rule in file.rules {
        assert!(ids.insert(rule.id.clone()), "twice: {}", rule.id);
        assert!(!rule.about.is_empty(), "no description: {}", rule.id);
        Rule::new(rule).check().unwrap();
    }
}

#[test]
fn redaction_names_the_rule_and_keeps_the_rest() {
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

#[test]
fn utf16_is_seen_through() {
    let mut bytes = vec![0xFF, 0xFE];
    for unit in format!("token = {}\n", token()).encode_utf16() {
        bytes.extend(unit.to_le_bytes());
    }
    let found = Redactor::builtin().find_bytes(&bytes, "a.ini");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].start, found[0].end), (2 + 2 * 8, 2 + 2 * (8 + 40)));
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
fn lines_of_original_places_survive_several_rounds() {
    let text = format!("x\n{0} {0}\n\npassword = \"hunt3rs!moon\"\n", token());
    let (out, found) = Redactor::builtin().redact(&text, "");
    assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2, 2, 4]);
    assert!(!out.contains("hunt3rs") && !out.contains("ghp_"));
}

/// How the redactor would do on kinds that no rule was written for: the kinds of the labelled set named by `TEDDY_SECRETS_SET` are put
/// into five folds by name, and each fold is judged without the rules that fire on it alone, and without any provider's name.
#[test]
fn kinds_that_no_rule_knows_are_still_found() {
    let Ok(path) = std::env::var("TEDDY_SECRETS_SET") else { return };
    let output = std::process::Command::new("gzip").args(["-dcf", &path]).output().unwrap();
    let items: Vec<serde_json::Value> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let positives: Vec<_> = items.iter().filter(|item| item["class"] == "positive").collect();
    let kinds: std::collections::BTreeSet<&str> = positives.iter().filter_map(|item| item["kind"].as_str()).collect();
    let fold_of = |kind: &str| kinds.iter().position(|known| *known == kind).unwrap_or(0) % 5;
    let found = |redactor: &Redactor, item: &serde_json::Value| {
        redactor.find(item["text"].as_str().unwrap_or_default(), item["path"].as_str().unwrap_or_default())
    };
    let mut folds_of_rule: std::collections::HashMap<String, HashSet<usize>> = std::collections::HashMap::new();
    for item in &positives {
        for finding in found(Redactor::builtin(), item) {
            folds_of_rule
                .entry(finding.rule.to_string())
                .or_default()
                .insert(fold_of(item["kind"].as_str().unwrap_or_default()));
        }
    }
    let (mut hits, mut total) = (0, 0);
    for fold in 0..5 {
        let mut file = parse(BUILTIN_RULES).unwrap();
        file.providers.clear();
        file.rules
            .retain(|rule| folds_of_rule.get(&rule.id).is_none_or(|folds| folds.iter().any(|known| *known != fold)));
        let blind = Redactor { engine: Arc::new(Engine::new(vec![file]).unwrap()) };
        let held: Vec<_> =
            positives.iter().filter(|item| fold_of(item["kind"].as_str().unwrap_or_default()) == fold).collect();
        let fold_hits = held.iter().filter(|item| !found(&blind, item).is_empty()).count();
        println!("fold {fold}: {fold_hits}/{}", held.len());
        for item in held.iter().filter(|item| found(&blind, item).is_empty()) {
            println!("  missed {}", item["kind"]);
        }
        hits += fold_hits;
        total += held.len();
    }
    println!("kinds left out: {hits}/{total} = {:.4}", hits as f64 / total as f64);
    assert!(hits * 10 >= total * 8);
}
