//! Redaction policy: on or off, user rules, allowed values.

use std::borrow::Cow;

use regex::RegexSet;

use super::{AllowedValues, Finding, Redactor, replaced};
use crate::error::{Error, Result};

/// A redactor with the user's settings. All text that is shown, counted or written passes through a policy.
pub struct Policy {
    redactor: Option<Redactor>,
    /// True if there are user rules.
    has_own_rules: bool,
    allow: RegexSet,
    allowed: AllowedValues,
}

impl Default for Policy {
    fn default() -> Self {
        Self { redactor: Some(Redactor::builtin().clone()), ..Self::off() }
    }
}

impl Policy {
    /// Built-in and user rules, except values matched by `allow`.
    pub fn new(user_rules: Option<&str>, allow: &[String]) -> Result<Self> {
        let allow = RegexSet::new(allow).map_err(|error| {
            Error::input(
                format!("`redact.allow` contains an invalid regular expression: {error}"),
                "fix the expression in your config.yaml",
            )
        })?;
        let redactor = match user_rules {
            Some(_) => Redactor::new(user_rules)?,
            None => Redactor::builtin().clone(),
        };
        Ok(Self { redactor: Some(redactor), has_own_rules: user_rules.is_some(), allow, ..Self::off() })
    }

    /// Redacts nothing; only the user's configuration can select this.
    pub fn off() -> Self {
        Self { redactor: None, has_own_rules: false, allow: RegexSet::empty(), allowed: AllowedValues::default() }
    }

    /// Adds the values allowed by the person.
    #[must_use]
    pub fn allowing(self, allowed: AllowedValues) -> Self {
        Self { allowed, ..self }
    }

    /// Builds the automaton in advance.
    pub fn prepare(&self) {
        self.redactor.iter().for_each(Redactor::prepare);
    }

    /// Returns true if this policy may find secrets where the built-in rules found none.
    pub fn finds_more_than_builtin(&self) -> bool {
        self.has_own_rules
    }

    /// Description of a rule; `None` if redaction is off.
    pub fn about(&self, rule: &str) -> Option<&str> {
        self.redactor.as_ref()?.about(rule)
    }

    /// Replaces each secret with `[REDACTED:rule]` and returns the findings.
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
    fn allowed_values_are_kept_and_others_redacted() {
        let text = secret("Lk4RbP") + &secret("Hs8NcD");
        let (all, found) = Policy::default().redact(&text, "a.env");
        assert_eq!(found.len(), 2, "{all}");
        let allowing = Policy::new(None, &["Lk4RbP$".to_owned()]).unwrap();
        let (some, found) = allowing.redact(&text, "a.env");
        assert_eq!(found.len(), 1);
        assert!(some.contains("Lk4RbP") && !some.contains("Hs8NcD"), "{some}");
    }

    #[test]
    fn allowed_secrets_are_kept() {
        let text = secret("Lk4RbP") + &secret("Hs8NcD");
        let value = format!("{}Lk4RbP", "qZ7vT2mXw9");
        let (_, found) = Policy::default().redact(&text, "a.env");
        let hash = AllowedValues::new("salt", []).hash_of(&found[0].rule, &value);
        let (some, found) =
            Policy::default().allowing(AllowedValues::new("salt", [hash.clone()])).redact(&text, "a.env");
        assert!(found.len() == 1 && some.contains(&value) && !some.contains("Hs8NcD"), "{some}");
        let other_salt = Policy::default().allowing(AllowedValues::new("pepper", [hash]));
        assert_eq!(other_salt.redact(&text, "a.env").1.len(), 2);
    }

    #[test]
    fn redaction_can_be_off_and_an_invalid_expression_is_reported() {
        let text = secret("Lk4RbP");
        assert_eq!(Policy::off().redact(&text, "a.env").0, text);
        assert!(Policy::new(None, &["(".to_owned()]).is_err());
    }
}
