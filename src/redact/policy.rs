//! What a person decided about redaction: on or off, their own rules, and what looks like a secret and is none.

use std::borrow::Cow;

use regex::RegexSet;

use super::{Allowed, Finding, Redactor, replaced};
use crate::error::{Error, Result};

/// A redactor with the person's own decisions. Everything that is shown, counted or written goes through one.
pub struct Policy {
    redactor: Option<Redactor>,
    /// Whether the person has rules of their own.
    has_own_rules: bool,
    allow: RegexSet,
    allowed: Allowed,
}

impl Default for Policy {
    fn default() -> Self {
        Self { redactor: Some(Redactor::builtin().clone()), ..Self::off() }
    }
}

impl Policy {
    /// The built-in rules and the person's own, without what `allow` matches.
    pub fn new(user_rules: Option<&str>, allow: &[String]) -> Result<Self> {
        let allow = RegexSet::new(allow).map_err(|error| {
            Error::input(
                format!("`redact.allow` has an expression that cannot be read: {error}"),
                "mend the expression in your own config.yaml",
            )
        })?;
        let redactor = match user_rules {
            Some(_) => Redactor::new(user_rules)?,
            None => Redactor::builtin().clone(),
        };
        Ok(Self { redactor: Some(redactor), has_own_rules: user_rules.is_some(), allow, ..Self::off() })
    }

    /// Redacts nothing; only the user's own configuration can ask for this.
    pub fn off() -> Self {
        Self { redactor: None, has_own_rules: false, allow: RegexSet::empty(), allowed: Allowed::default() }
    }

    /// The same, without what the person said is no secret.
    #[must_use]
    pub fn allowing(self, allowed: Allowed) -> Self {
        Self { allowed, ..self }
    }

    /// Makes what the first long text would wait for.
    pub fn prepare(&self) {
        self.redactor.iter().for_each(Redactor::prepare);
    }

    /// Whether a text in which the built-in rules find nothing may hold something that this finds.
    pub fn finds_more_than_builtin(&self) -> bool {
        self.has_own_rules
    }

    /// What a rule finds, in words for people; none where nothing is redacted.
    pub fn about(&self, rule: &str) -> Option<&str> {
        self.redactor.as_ref()?.about(rule)
    }

    /// The text with `[REDACTED:rule]` in the place of each secret, and what was found.
    pub fn redact<'a>(&self, text: &'a str, path: &str) -> (Cow<'a, str>, Vec<Finding>) {
        let Some(redactor) = &self.redactor else { return (Cow::Borrowed(text), Vec::new()) };
        let (redacted, mut found) = redactor.redact(text, path);
        let before = found.len();
        found.retain(|finding| {
            let value = &text[finding.start..finding.end];
            !self.allow.is_match(value) && !self.allowed.holds(&finding.rule, value)
        });
        if found.len() == before {
            return (redacted, found);
        }
        if found.is_empty() {
            return (Cow::Borrowed(text), found);
        }
        (Cow::Owned(replaced(text, &found).text), found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(tail: &str) -> String {
        format!("password = \"{}{tail}\"\n", "qZ7vT2mXw9")
    }

    #[test]
    fn what_is_allowed_stays_and_the_rest_goes() {
        let text = secret("Lk4RbP") + &secret("Hs8NcD");
        let (all, found) = Policy::default().redact(&text, "a.env");
        assert_eq!(found.len(), 2, "{all}");
        let allowing = Policy::new(None, &["Lk4RbP$".to_owned()]).unwrap();
        let (some, found) = allowing.redact(&text, "a.env");
        assert_eq!(found.len(), 1);
        assert!(some.contains("Lk4RbP") && !some.contains("Hs8NcD"), "{some}");
    }

    #[test]
    fn what_was_said_to_be_no_secret_stays() {
        let text = secret("Lk4RbP") + &secret("Hs8NcD");
        let value = format!("{}Lk4RbP", "qZ7vT2mXw9");
        let (_, found) = Policy::default().redact(&text, "a.env");
        let hash = Allowed::new("salt", []).hash_of(&found[0].rule, &value);
        let (some, found) = Policy::default().allowing(Allowed::new("salt", [hash.clone()])).redact(&text, "a.env");
        assert!(found.len() == 1 && some.contains(&value) && !some.contains("Hs8NcD"), "{some}");
        let other_salt = Policy::default().allowing(Allowed::new("pepper", [hash]));
        assert_eq!(other_salt.redact(&text, "a.env").1.len(), 2);
    }

    #[test]
    fn off_is_off_and_a_bad_expression_is_told() {
        let text = secret("Lk4RbP");
        assert_eq!(Policy::off().redact(&text, "a.env").0, text);
        assert!(Policy::new(None, &["(".to_owned()]).is_err());
    }
}
