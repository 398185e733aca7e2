//! The three phases of a piece of work.

use std::str::FromStr;

use crate::error::{Error, Result};

/// A phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Finding out what is to be done; nothing comes before it.
    Discovery,
    /// Doing it.
    Implementation,
    /// Finding out whether it is right.
    Validation,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 3] = [Self::Discovery, Self::Implementation, Self::Validation];

    /// 1, 2 or 3.
    pub fn number(self) -> u32 {
        match self {
            Self::Discovery => 1,
            Self::Implementation => 2,
            Self::Validation => 3,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Implementation => "implementation",
            Self::Validation => "validation",
        }
    }

    /// The phase of this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.number() == number)
    }
}

impl FromStr for Phase {
    type Err = Error;

    /// A number, a name, or the beginning of one.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim().to_lowercase();
        let fits = |phase: &Self| {
            phase.number().to_string() == text || text.len() >= 3 && phase.name().starts_with(text.as_str())
        };
        Self::ALL.into_iter().find(fits).ok_or_else(|| {
            Error::input(
                format!("there is no phase `{text}`"),
                "use 1 (discovery), 2 (implementation) or 3 (validation)",
            )
        })
    }
}
