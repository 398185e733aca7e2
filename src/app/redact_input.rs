//! A person's own words without the secrets in them: they become names, records, logs and payloads.

use crate::redact::Policy;

/// A text that a person wrote without its secrets, and what to tell them about each.
pub fn without_secrets(policy: &Policy, what: &str, text: &str) -> (String, Vec<String>) {
    let (clean, found) = policy.redact(text, "");
    let lines = text.trim_end().lines().count();
    let told = found.iter().map(|finding| {
        let place = if lines > 1 { format!("line {} of {what}", finding.line) } else { what.to_owned() };
        format!("{place} held a secret ({}); it was replaced, and kept nowhere", finding.rule)
    });
    let told = told.collect();
    (clean.into_owned(), told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_the_line_and_the_rule_and_never_the_value() {
        let secret = crate::redact::sample_token();
        let (clean, told) = without_secrets(&Policy::default(), "the task", &format!("Sign in\nwith {secret}\n"));
        assert_eq!(clean, "Sign in\nwith [REDACTED:github-token]\n");
        assert_eq!(told, ["line 2 of the task held a secret (github-token); it was replaced, and kept nowhere"]);
        let (_, told) = without_secrets(&Policy::default(), "the memo", &secret);
        assert_eq!(told, ["the memo held a secret (github-token); it was replaced, and kept nowhere"]);
        assert_eq!(without_secrets(&Policy::off(), "the memo", &secret), (secret, Vec::new()));
    }
}
