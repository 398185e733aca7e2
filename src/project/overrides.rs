//! Tiers, overrides and steps, as stored in `turn.yaml`.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Tier: how much of an item the model receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Inlined.
    Raw,
    /// A reference that the model can fetch.
    Linked,
    /// A mention.
    Summary,
    /// Not included.
    Out,
}

impl Tier {
    /// The tier's name in JSON, flags and filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Linked => "linked",
            Self::Summary => "summary",
            Self::Out => "out",
        }
    }

    /// The tier as people read it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Raw => "RAW",
            Self::Linked => "LINKED",
            Self::Summary => "SUMMARY",
            Self::Out => "not included",
        }
    }

    /// One step down; [`Tier::Out`] is unchanged.
    #[must_use]
    pub fn below(self) -> Self {
        match self {
            Self::Raw => Self::Linked,
            Self::Linked => Self::Summary,
            Self::Summary | Self::Out => Self::Out,
        }
    }

    /// One step up; [`Tier::Raw`] is unchanged.
    #[must_use]
    pub fn above(self) -> Self {
        match self {
            Self::Raw | Self::Linked => Self::Raw,
            Self::Summary => Self::Linked,
            Self::Out => Self::Summary,
        }
    }
}

/// A person's decision on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Override {
    /// Always in RAW, in full or with the lines that the person chose.
    Pin,
    /// Always LINKED.
    Link,
    /// Never above this tier.
    Demote(Tier),
    /// Excluded from the payload.
    Exclude,
}

impl Override {
    /// The override's name in JSON, on disk and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pin => "pin",
            Self::Link => "link",
            Self::Demote(_) => "demote",
            Self::Exclude => "exclude",
        }
    }
}

/// An override or budget change with its targets. Targets are paths, so that redo does not depend on the placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The action.
    pub verb: Verb,
    /// Items by path or label; a pin may name lines of a file (`path:10-80`, `path#symbol`).
    pub targets: Vec<String>,
}

/// An override or budget change, stored as `pin`, `demote:linked`, `limit:50000`, …
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Verb {
    /// Sets an override.
    Set(Override),
    /// Moves items to this tier, regardless of their score.
    Move(Tier),
    /// Resets overrides.
    Clear,
    /// Sets the token limit.
    Limit(usize),
    /// Turns auto-fill on or off.
    Fill(bool),
}

impl Verb {
    /// Name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Set(overridden) => overridden.name(),
            Self::Move(_) => "move",
            Self::Clear => "clear",
            Self::Limit(_) => "limit",
            Self::Fill(_) => "fill",
        }
    }

    /// The tier of the targets after this step, if it depends only on the step.
    pub fn tier(self) -> Option<Tier> {
        match self {
            Self::Set(Override::Pin) => Some(Tier::Raw),
            Self::Set(Override::Link) => Some(Tier::Linked),
            Self::Set(Override::Exclude) => Some(Tier::Out),
            Self::Move(tier) => Some(tier),
            Self::Set(Override::Demote(_)) | Self::Clear | Self::Limit(_) | Self::Fill(_) => None,
        }
    }

    /// The notation in `turn.yaml`, such as `demote:linked`.
    pub fn to_text(self) -> String {
        match self {
            Self::Set(Override::Demote(ceiling)) => format!("demote:{}", ceiling.name()),
            Self::Set(overridden) => overridden.name().to_owned(),
            Self::Move(tier) => format!("move:{}", tier.name()),
            Self::Clear => "clear".to_owned(),
            Self::Limit(limit) => format!("limit:{limit}"),
            Self::Fill(on) => format!("fill:{}", if on { "on" } else { "off" }),
        }
    }

    /// Parses the notation in `turn.yaml`.
    pub fn from_text(text: &str) -> Result<Self> {
        let verb = match text.split_once(':') {
            None => match text {
                "pin" => Self::Set(Override::Pin),
                "link" => Self::Set(Override::Link),
                "exclude" => Self::Set(Override::Exclude),
                "clear" => Self::Clear,
                _ => return Err(unknown(text)),
            },
            Some(("demote", "linked")) => Self::Set(Override::Demote(Tier::Linked)),
            Some(("demote", "summary")) => Self::Set(Override::Demote(Tier::Summary)),
            Some(("demote", "out")) => Self::Set(Override::Demote(Tier::Out)),
            Some(("move", "linked")) => Self::Move(Tier::Linked),
            Some(("move", "summary")) => Self::Move(Tier::Summary),
            Some(("move", "out")) => Self::Move(Tier::Out),
            Some(("fill", "on")) => Self::Fill(true),
            Some(("fill", "off")) => Self::Fill(false),
            Some(("limit", limit)) => Self::Limit(limit.parse().map_err(|_| unknown(text))?),
            Some(_) => return Err(unknown(text)),
        };
        Ok(verb)
    }
}

impl From<Verb> for String {
    fn from(verb: Verb) -> Self {
        verb.to_text()
    }
}

impl TryFrom<String> for Verb {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        Self::from_text(&text)
    }
}

fn unknown(text: &str) -> Error {
    Error::input(format!("unknown override `{text}`"), "fix `rulings` in turn.yaml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_round_trips() {
        let mut verbs = vec![Verb::Clear, Verb::Limit(42_000), Verb::Fill(true), Verb::Fill(false)];
        verbs.extend([Override::Pin, Override::Link, Override::Exclude].map(Verb::Set));
        verbs.extend([Tier::Linked, Tier::Summary, Tier::Out].map(|tier| Verb::Set(Override::Demote(tier))));
        verbs.extend([Tier::Linked, Tier::Summary, Tier::Out].map(Verb::Move));
        for verb in verbs {
            assert_eq!(Verb::from_text(&verb.to_text()).unwrap(), verb);
        }
        for nonsense in ["", "pin:raw", "demote", "demote:raw", "move", "move:raw", "limit:many", "fill:maybe"] {
            assert!(Verb::from_text(nonsense).is_err(), "{nonsense}");
        }
    }
}
