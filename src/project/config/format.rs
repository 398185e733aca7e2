//! Payload formats.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Format of the payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Markdown with six sections; content inlined, linked or mentioned.
    #[default]
    Hybrid,
    /// The content of `hybrid` in XML tags.
    Xml,
    /// Six numbered sections, including the contents of files.
    Invocation,
    /// A context pack: JSON with references and excerpts.
    Pack,
    /// Six parts, ending with instructions for the task type.
    Prompt,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Hybrid, Self::Xml, Self::Invocation, Self::Pack, Self::Prompt];

    /// Name in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Xml => "xml",
            Self::Invocation => "invocation",
            Self::Pack => "pack",
            Self::Prompt => "prompt",
        }
    }

    /// One-line description for help.
    pub fn about(self) -> &'static str {
        match self {
            Self::Hybrid => "Markdown in three tiers: contents, links, mentions",
            Self::Xml => "The contents of hybrid in XML tags",
            Self::Invocation => "Six sections: system, structure, memos, active context, files, request",
            Self::Pack => "Context pack: JSON with references and excerpts",
            Self::Prompt => "Six parts, ending with instructions for the task type",
        }
    }

    /// Parses a format's name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let (last, others) = names.split_last().map_or(("", &[][..]), |(last, others)| (*last, others));
            Error::input(format!("unknown format `{name}`"), format!("use {} or {last}", others.join(", ")))
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
