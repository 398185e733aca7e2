//! Redacts secrets in text that a person typed, because it ends up in names, records, logs and payloads.

use crate::redact::Policy;

/// The redacted text, with a note about each secret.
pub fn without_secrets(policy: &Policy, what: &str, text: &str) -> (String, Vec<String>) {
    let (clean, found) = policy.redact(text, "");
    let lines = text.trim_end().lines().count();
    let notes = found.iter().map(|finding| {
        let place = if lines > 1 { format!("line {} of {what}", finding.line) } else { what.to_owned() };
        format!("{place} contained a secret ({}), which was redacted", finding.rule)
    });
    let notes = notes.collect();
    (clean.into_owned(), notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_the_line_and_the_rule_and_never_the_value() {
        let secret = crate::redact::sample_token();
        let (clean, notes) = without_secrets(&Policy::default(), "the task", &format!("Sign in\nwith {secret}\n"));
        assert_eq!(clean, "Sign in\nwith [REDACTED:github-token]\n");
        assert_eq!(notes, ["line 2 of the task contained a secret (github-token), which was redacted"]);
        let (_, notes) = without_secrets(&Policy::default(), "the memo", &secret);
        assert_eq!(notes, ["the memo contained a secret (github-token), which was redacted"]);
        assert_eq!(without_secrets(&Policy::off(), "the memo", &secret), (secret, Vec::new()));
    }
}
