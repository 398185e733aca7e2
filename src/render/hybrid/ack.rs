//! The ACK section: the acknowledgement that the reader completes.

use super::Hybrid;
use super::markup::{Markup, Section};
use super::view::View;
use crate::render::pieces::Part;

impl Hybrid {
    pub(super) fn ack(&self, view: &View) -> Part {
        let raw = view.raw.len() + usize::from(self.task_block.is_some());
        let linked = view.linked.chunk_by(|one, next| one.group == next.group).count();
        let mut part = self.markup.open(self.counter, Section::Ack);
        part.add(self.markup.paragraph("Begin your answer with this block, completed:"));
        let (before, after) = match self.markup {
            Markup::Markdown => ("```yaml\n", "```\n"),
            Markup::Xml => ("", ""),
        };
        // The fingerprint itself cannot stand here: it is the hash of this text too.
        part.add(format!(
            "{before}\
             PAYLOAD_ACK:\n  \
               fingerprint: [the first 16 digits of the Fingerprint in META]\n  \
               raw_sections: [received] / {raw}\n  \
               linked_sections: [received] / {linked}\n  \
               status: complete | partial\n  \
               missing: [...]\n\
             {after}"
        ));
        self.markup.close(&mut part, Section::Ack);
        part
    }
}
