//! The three phases of a task.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer};

use crate::error::{Error, Result};

/// A phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(into = "u32")]
pub enum Phase {
    /// Phase 1: research and planning.
    Discovery,
    /// Phase 2.
    Implementation,
    /// Phase 3.
    Validation,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 3] = [Self::Discovery, Self::Implementation, Self::Validation];

    /// Number of the phase: 1, 2 or 3.
    pub fn number(self) -> u32 {
        match self {
            Self::Discovery => 1,
            Self::Implementation => 2,
            Self::Validation => 3,
        }
    }

    /// Name of the phase.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Implementation => "implementation",
            Self::Validation => "validation",
        }
    }

    /// Phase with this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.number() == number)
    }
}

impl FromStr for Phase {
    type Err = Error;

    /// Accepts a number, a name or a prefix of one.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim().to_lowercase();
        let fits = |phase: &Self| {
            phase.number().to_string() == text || text.len() >= 3 && phase.name().starts_with(text.as_str())
        };
        Self::ALL.into_iter().find(fits).ok_or_else(|| {
            Error::input(format!("unknown phase `{text}`"), "use 1 (discovery), 2 (implementation) or 3 (validation)")
        })
    }
}

impl From<Phase> for u32 {
    fn from(phase: Phase) -> Self {
        phase.number()
    }
}

impl<'de> Deserialize<'de> for Phase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u32(PhaseVisitor)
    }
}

/// Rejects unknown numbers while parsing, so that the error has a location.
struct PhaseVisitor;

impl de::Visitor<'_> for PhaseVisitor {
    type Value = Phase;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("1 (discovery), 2 (implementation) or 3 (validation)")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Phase, E> {
        let known = u32::try_from(number).ok().and_then(Phase::of);
        known.ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }
}
