//! Renders a placement to a payload: the delivered text and its exact token count.
//!
//! A payload is a list of pieces, each counted once and cached. Its text is the joined pieces, and its cost is the sum
//! of their costs. Placing uses the same costs.

pub mod ack;
mod content;
mod describe;
mod exclusion;
mod fence;
mod fetched;
mod group;
mod hybrid;
mod invocation;
mod kept_tree;
mod line_numbers;
pub mod pack;
pub mod parse;
mod parse_xml;
pub mod payload_meta;
mod piece_cache;
mod pieces;
pub mod prompt;
pub mod recipe;
mod request;
mod reuse;
pub mod review;
pub mod split;
mod template;
mod tree;
pub mod verify;

#[cfg(test)]
mod crowded_tests;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod samples;

use std::sync::Arc;

use crate::ids::ItemId;
pub use crate::project::config::Format;
pub(crate) use fence::read_code_span;
pub use fetched::fetched;
pub use parse::{Payload, is_payload, parse};
pub use parse_xml::{is_tagged, landmarks};
pub use payload_meta::{PayloadMeta, PayloadStyle, SessionTerms, SystemInfo};
pub use prompt::Templates;
pub use reuse::{PreviousPayload, ReusablePrefix};
pub use template::Wrapper;
pub use verify::{VerifyReport, verify};

use crate::gather::Corpus;
use crate::outline::skeleton::cut_to_spans;
use crate::place::{Costs, Form, Placement, Span};
use crate::score::Scores;
use hybrid::Markup;

/// Renders placements as payloads, and provides the costs for placing.
pub trait Renderer: Costs {
    /// Renders the payload; the same placement gives the same bytes.
    fn render(&self, placement: &Placement) -> String;
}

/// The lines of an item that this form contains verbatim.
pub fn verbatim(corpus: &Corpus, item: ItemId, form: &Form) -> Vec<Span> {
    let text = corpus.item_text(item);
    let language = corpus.file_of(item).and_then(|file| file.language);
    match form {
        Form::Whole if text.lines() > 0 => vec![(1, text.lines())],
        Form::Spans(spans) => cut_to_spans(language, &text.shown, spans).spans,
        // Only the selected lines of an excerpt count, not the signatures around them.
        Form::Skeleton(keep) => match language.and_then(|language| text.skeleton(language, keep)) {
            Some(_) if !keep.is_empty() => cut_to_spans(language, &text.shown, keep).spans,
            cut => cut.map_or_else(Vec::new, |cut| cut.spans),
        },
        _ => Vec::new(),
    }
}

/// The renderer of a format.
pub fn renderer(format: Format, corpus: Arc<Corpus>, scores: Arc<Scores>, mut meta: PayloadMeta) -> Box<dyn Renderer> {
    // The redacted task is used in all formats.
    meta.task = corpus.redactor.redact(&meta.task, "task").0.into_owned();
    meta.terms.goal = corpus.redactor.redact(&meta.terms.goal, "session.yaml").0.into_owned();
    meta.wrapper = meta.wrapper.filled(format, &corpus, &scores, &meta);
    let (wrapper, counter) = (meta.wrapper.clone(), pieces::Counter(meta.tokenizer));
    let renderer: Box<dyn Renderer> = match format {
        Format::Hybrid => Box::new(hybrid::Hybrid::new(corpus, scores, meta, Markup::Markdown)),
        Format::Xml => Box::new(hybrid::Hybrid::new(corpus, scores, meta, Markup::Xml)),
        Format::Invocation => Box::new(invocation::Invocation::new(corpus, &scores, meta)),
        Format::Pack => Box::new(pack::Packer::new(corpus, scores, meta)),
        Format::Prompt => Box::new(prompt::Prompt::new(corpus, &scores, meta)),
    };
    // Formats that contain their own size include the template in it.
    if wrapper == Wrapper::default() || matches!(format, Format::Hybrid | Format::Xml) {
        return renderer;
    }
    Box::new(template::WrappedRenderer { inner: renderer, wrapper, counter })
}
