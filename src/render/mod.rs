//! A placement as a payload: the text that is delivered, and what it costs to the token.
//!
//! Placing asks the renderer what things cost, so both come from one place: a payload is a list of pieces, each counted
//! once and kept, and its cost is their sum. The text of a payload is the same pieces joined.

pub mod ack;
pub mod brief;
mod content;
mod describe;
mod exclusion;
mod fence;
mod fetched;
mod group;
mod hybrid;
mod invocation;
pub mod pack;
pub mod parse;
mod pieces;
pub mod prompt;
pub mod recipe;
mod tree;
pub mod verify;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod samples;

use std::sync::Arc;

pub use brief::{Agreed, Brief, SystemInfo};
pub use fetched::fetched;
pub use parse::{Payload, parse};
pub use prompt::Templates;
pub use verify::{Verdict, verify};

use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::code::skeleton::{cut_to_spans, skeleton};
use crate::place::{Costs, Form, Placement, Span};
use crate::score::Scores;

/// The shape of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Six sections in three tiers: inlined, linked, mentioned.
    Hybrid,
    /// Five numbered sections with the contents of files.
    Invocation,
    /// JSON: a context pack with references and excerpts.
    Pack,
    /// Six parts, from a header to instructions for the type of task.
    Prompt,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Hybrid, Self::Invocation, Self::Pack, Self::Prompt];

    /// Its name in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Invocation => "invocation",
            Self::Pack => "pack",
            Self::Prompt => "prompt",
        }
    }

    /// The format of that name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
            Error::input(format!("there is no format `{name}`"), "use hybrid, invocation, pack or prompt")
        })
    }
}

/// Turns placements into payloads, and says what they cost.
pub trait Renderer: Costs {
    /// The payload; the same placement gives the same bytes.
    fn render(&self, placement: &Placement) -> String;
}

/// The lines of an item that stand in this form of it verbatim.
pub fn verbatim(corpus: &Corpus, item: usize, form: &Form) -> Vec<Span> {
    let text = corpus.item_text(item);
    let language = corpus.file_of(item).and_then(|file| file.language);
    match form {
        Form::Whole if text.lines() > 0 => vec![(1, text.lines())],
        Form::Spans(spans) => cut_to_spans(language, &text.shown, spans).spans,
        Form::Skeleton(keep) => {
            language.and_then(|language| skeleton(language, &text.shown, keep)).map_or_else(Vec::new, |cut| cut.spans)
        }
        _ => Vec::new(),
    }
}

/// The renderer of a format.
pub fn renderer(format: Format, corpus: Arc<Corpus>, scores: Arc<Scores>, brief: Brief) -> Box<dyn Renderer> {
    match format {
        Format::Hybrid => Box::new(hybrid::Hybrid::new(corpus, scores, brief)),
        Format::Invocation => Box::new(invocation::Invocation::new(corpus, brief)),
        Format::Pack => Box::new(pack::Packer::new(corpus, scores, brief)),
        Format::Prompt => Box::new(prompt::Prompt::new(corpus, &scores, brief)),
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
        assert!(Format::named("html").unwrap_err().hint().unwrap().contains("hybrid"));
    }
}
