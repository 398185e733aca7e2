//! The ACK section: the acknowledgement template, and the request at the end of the payload.

use super::Hybrid;
use super::markup::{Markup, Section};
use super::view::PlacedItems;
use crate::render::pieces::PieceList;

/// The last line of a Markdown payload. Anything after it in a chat is not part of the payload.
pub(in crate::render) const END: &str = "<!-- end of payload -->";

impl Hybrid {
    pub(super) fn ack(&self, view: &PlacedItems) -> PieceList {
        let mut part = self.markup.open(self.counter, Section::Ack);
        if self.meta.style.acknowledgement {
            let template = self.template(view);
            part.add(self.markup.paragraph("Begin your answer with this block, completed:"));
            part.add(template);
        }
        if self.meta.style.request.is_last() {
            part.add_line(&self.request);
        }
        if let Some(end) = self.markup.end_mark() {
            part.add(end);
        }
        self.markup.close(&mut part, Section::Ack);
        part
    }

    fn template(&self, view: &PlacedItems) -> String {
        let raw = view.raw.len();
        let linked = view.linked.chunk_by(|one, next| one.group == next.group).count();
        let (before, after) = match self.markup {
            Markup::Markdown => ("```yaml\n", "```\n\n"),
            Markup::Xml => ("", ""),
        };
        // The template cannot contain the fingerprint, because this text is part of the hashed content.
        format!(
            "{before}\
             PAYLOAD_ACK:\n  \
               fingerprint: [the first 16 digits of the Fingerprint in META]\n  \
               raw_sections: [received] / {raw}\n  \
               linked_sections: [received] / {linked}\n  \
               status: complete | partial\n  \
               missing: [...]\n\
             {after}"
        )
    }
}
