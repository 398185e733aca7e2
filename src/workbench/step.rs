//! One thing done, in the form that is kept on disk: a verb and the paths it was done to.

use crate::error::{Error, Result};
use crate::place::{Override, Tier};

/// One thing that was done, resolved to paths, so that doing it again gives the same whatever the placement is by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What was done.
    pub verb: Verb,
    /// To which items, by path or label.
    pub targets: Vec<String>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// A override on the targets.
    Rule(Override),
    /// The targets moved to this tier, whatever their score, and no higher.
    Move(Tier),
    /// Rulings on the targets taken away.
    Clear,
    /// Another limit.
    Limit(usize),
    /// Fill switched on or off.
    Fill(bool),
}

impl Verb {
    /// The verb for a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rule(overridden) => overridden.name(),
            Self::Move(_) => "move",
            Self::Clear => "clear",
            Self::Limit(_) => "limit",
            Self::Fill(_) => "fill",
        }
    }

    /// The tier that the targets are in after this step, if it decides that alone.
    pub fn tier(self) -> Option<Tier> {
        match self {
            Self::Rule(Override::Pin) => Some(Tier::Raw),
            Self::Rule(Override::Link) => Some(Tier::Linked),
            Self::Rule(Override::Exclude) => Some(Tier::Out),
            Self::Move(tier) => Some(tier),
            Self::Rule(Override::Demote(_)) | Self::Clear | Self::Limit(_) | Self::Fill(_) => None,
        }
    }

    /// The verb as it is written to disk.
    pub fn to_text(self) -> String {
        match self {
            Self::Rule(Override::Demote(ceiling)) => format!("demote:{}", ceiling.name()),
            Self::Rule(overridden) => overridden.name().to_owned(),
            Self::Move(tier) => format!("move:{}", tier.name()),
            Self::Clear => "clear".to_owned(),
            Self::Limit(limit) => format!("limit:{limit}"),
            Self::Fill(on) => format!("fill:{}", if on { "on" } else { "off" }),
        }
    }

    /// Reads what [`Verb::to_text`] wrote.
    pub fn from_text(text: &str) -> Result<Self> {
        let verb = match text.split_once(':') {
            None => match text {
                "pin" => Self::Rule(Override::Pin),
                "link" => Self::Rule(Override::Link),
                "exclude" => Self::Rule(Override::Exclude),
                "clear" => Self::Clear,
                _ => return Err(unknown(text)),
            },
            Some(("demote", "linked")) => Self::Rule(Override::Demote(Tier::Linked)),
            Some(("demote", "summary")) => Self::Rule(Override::Demote(Tier::Summary)),
            Some(("demote", "out")) => Self::Rule(Override::Demote(Tier::Out)),
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

fn unknown(text: &str) -> Error {
    Error::input(format!("`{text}` is not a ruling"), "mend `rulings` in turn.yaml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_survives_the_disk() {
        let mut verbs = vec![Verb::Clear, Verb::Limit(42_000), Verb::Fill(true), Verb::Fill(false)];
        verbs.extend([Override::Pin, Override::Link, Override::Exclude].map(Verb::Rule));
        verbs.extend([Tier::Linked, Tier::Summary, Tier::Out].map(|tier| Verb::Rule(Override::Demote(tier))));
        verbs.extend([Tier::Linked, Tier::Summary, Tier::Out].map(Verb::Move));
        for verb in verbs {
            assert_eq!(Verb::from_text(&verb.to_text()).unwrap(), verb);
        }
        for nonsense in ["", "pin:raw", "demote", "demote:raw", "move", "move:raw", "limit:many", "fill:maybe"] {
            assert!(Verb::from_text(nonsense).is_err(), "{nonsense}");
        }
    }
}
