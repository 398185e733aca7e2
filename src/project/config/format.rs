//! The shapes that a payload can have.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// What a payload looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Six sections in three tiers: inlined, linked, mentioned.
    #[default]
    Hybrid,
    /// The same in tags, for models that prefer XML.
    Xml,
    /// Five numbered sections with the contents of files.
    Invocation,
    /// JSON: a context pack with references and excerpts.
    Pack,
    /// Six parts, from a header to instructions for the type of task.
    Prompt,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::Hybrid, Self::Xml, Self::Invocation, Self::Pack, Self::Prompt];

    /// Its name in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Xml => "xml",
            Self::Invocation => "invocation",
            Self::Pack => "pack",
            Self::Prompt => "prompt",
        }
    }

    /// What it is, in a line of help.
    pub fn about(self) -> &'static str {
        match self {
            Self::Hybrid => "Three tiers in one document: inlined, linked, summarised",
            Self::Xml => "The same in tags, for models that prefer XML",
            Self::Invocation => "System, structure, memos, active context and file contents",
            Self::Pack => "A context pack: JSON with references and excerpts, small",
            Self::Prompt => {
                "Header, structure, files, additional context, request and instructions for the type of task"
            }
        }
    }

    /// The format of that name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let (last, others) = names.split_last().map_or(("", &[][..]), |(last, others)| (*last, others));
            Error::input(format!("there is no format `{name}`"), format!("use {} or {last}", others.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_name() {
        for format in Format::ALL {
            assert_eq!(Format::named(format.name()).unwrap(), format);
        }
        let error = Format::named("html").unwrap_err();
        assert_eq!(error.hint().unwrap(), "use hybrid, xml, invocation, pack or prompt");
    }
}
