//! The ACK section: the acknowledgement that the reader completes.

use super::Hybrid;
use super::view::View;
use crate::render::pieces::Part;

impl Hybrid {
    pub(super) fn ack(&self, view: &View) -> Part {
        let raw = view.raw.len() + usize::from(self.task_block.is_some());
        let linked = view.linked.chunk_by(|one, next| one.group == next.group).count();
        let mut part = Part::new(self.counter);
        part.add("## ACK\n\n");
        part.add("Begin your answer with this block, completed:\n\n");
        // The fingerprint itself cannot stand here: it is the hash of this text too.
        part.add(format!(
            "```yaml\n\
             PAYLOAD_ACK:\n  \
               fingerprint: [the first 16 digits of the Fingerprint in META]\n  \
               raw_sections: [received] / {raw}\n  \
               linked_sections: [received] / {linked}\n  \
               status: complete | partial\n  \
               missing: [...]\n\
             ```\n"
        ));
        part
    }
}
