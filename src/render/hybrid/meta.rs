//! The title and META: what the payload is for, what it costs, and the hashes that tell whether it is as it was made.

use super::Hybrid;
use super::markup::Markup;
use super::view::View;
use super::xml;
use crate::place::Usage;
use crate::project::clock;
use crate::render::fence::{cut_line, one_line};
use crate::render::pieces::Part;
use crate::text::thousands;

/// A task of a line of at most so many characters stands in META alone.
const TASK_CHARS: usize = 300;
/// How much META shows of one that stands whole in RAW.
const BEGINNING_CHARS: usize = 120;
/// How much of the task the title shows.
const TITLE_CHARS: usize = 80;
/// How far a total is looked for where it does not settle by itself.
const SEARCHED: usize = 24;

/// The hashes that META states.
pub(super) struct Hashes {
    pub all: String,
    pub raw: String,
    pub linked: String,
}

/// What META says of the task.
pub(super) fn task_line(task: &str) -> String {
    let line = cut_line(&one_line(task), TASK_CHARS);
    if line == task.trim() { line } else { cut_line(&line, BEGINNING_CHARS) }
}

impl Hybrid {
    /// META, with the total that it states itself put into `usage`.
    pub(super) fn meta(&self, view: &View, after: &[&Part], hashes: &Hashes, usage: &mut Usage) -> Part {
        let text = |total: usize, number: fn(usize) -> String| self.meta_text(view, hashes, *usage, total, number);
        let rest: usize = after.iter().map(|part| part.size()).sum();
        let around = &self.brief.around;
        let adds = around.size(self.counter);
        let rest_text: String = match adds {
            Some(_) => String::new(),
            None => after.iter().map(|part| part.text()).chain([around.after.clone()]).collect(),
        };
        let count = |meta: &str| match adds {
            Some(size) => self.counter.tokens(self.counter.size(meta) + rest + size),
            None => self.counter.0.count(&format!("{}{meta}{rest_text}", around.before)),
        };
        let (total, meta) = settle(count, text);
        usage.total = total;
        let mut part = Part::new(self.counter);
        part.add(meta);
        part
    }

    fn meta_text(
        &self,
        view: &View,
        hashes: &Hashes,
        usage: Usage,
        total: usize,
        number: fn(usize) -> String,
    ) -> String {
        let title = cut_line(&self.task_line, TITLE_CHARS);
        let Self { brief, task_line, .. } = self;
        if self.markup == Markup::Xml {
            return format!(
                "<context_payload task=\"{}\">\n\
                 <meta>\n\
                 <task>{}</task>\n\
                 <complexity>{}</complexity>\n\
                 <budget used=\"{}\" limit=\"{}\" raw=\"{}\" linked=\"{}\" summary=\"{}\"/>\n\
                 <items raw=\"{}\" linked=\"{}\"/>\n\
                 <generated>{}</generated>\n\
                 <fingerprint>{}</fingerprint>\n\
                 <section_hashes raw=\"{}\" linked=\"{}\"/>\n\
                 </meta>\n",
                xml::attribute(&title.replace("\\<", "<")),
                xml::prose(task_line),
                brief.complexity.name(),
                number(total),
                thousands(view.limit),
                thousands(usage.raw),
                thousands(usage.linked),
                thousands(usage.summary),
                view.raw.len(),
                view.linked.len(),
                clock::iso(brief.generated),
                hashes.all,
                hashes.raw,
                hashes.linked,
            );
        }
        format!(
            "# Context Payload: {title}\n\n\
             ## META\n\
             - **Task:** {task_line}\n\
             - **Complexity:** {}\n\
             - **Budget:** {} / {} tokens (RAW: {} | LINKED: {} | SUMMARY: {})\n\
             - **Items:** RAW: {} | LINKED: {}\n\
             - **Generated:** {}\n\
             - **Fingerprint:** {}\n\
             - **Section Hashes:** RAW: {} | LINKED: {}\n\n",
            brief.complexity.name(),
            number(total),
            thousands(view.limit),
            thousands(usage.raw),
            thousands(usage.linked),
            thousands(usage.summary),
            view.raw.len(),
            view.linked.len(),
            clock::iso(brief.generated),
            hashes.all,
            hashes.raw,
            hashes.linked,
        )
    }
}

/// The total that is true of the text that states it, and that text.
///
/// A number's tokens grow with its digits, so counting, stating and counting again settles. Only encodings that take
/// some numbers for one token and others of the same length for two may swing; for them the neighbourhood is searched.
fn settle(count: impl Fn(&str) -> usize, text: impl Fn(usize, fn(usize) -> String) -> String) -> (usize, String) {
    let mut total = 0;
    for _ in 0..8 {
        let stated = text(total, thousands);
        let counted = count(&stated);
        if counted == total {
            return (total, stated);
        }
        total = counted;
    }
    let spellings: [fn(usize) -> String; 3] = [thousands, |number| number.to_string(), |number| format!("{number:09}")];
    for spelling in spellings {
        for candidate in total.saturating_sub(SEARCHED / 2)..total + SEARCHED {
            let stated = text(candidate, spelling);
            if count(&stated) == candidate {
                return (candidate, stated);
            }
        }
    }
    let stated = text(total, thousands);
    (count(&stated), stated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_settles_across_a_change_of_digits() {
        for rest in [0, 7, 8, 9, 96, 97, 98, 99, 995, 996, 997, 998, 99_990, 99_996] {
            let (total, stated) = settle(|text| text.len() + rest, |total, number| number(total));
            assert_eq!(total, stated.len() + rest);
            assert_eq!(stated, thousands(total));
        }
    }

    #[test]
    fn a_total_that_swings_is_spelled_otherwise() {
        // Even numbers cost two, odd ones one: with an odd rest, stating either makes the other true.
        let count = |text: &str| {
            let even = text.ends_with(['0', '2', '4', '6', '8']);
            if text.starts_with("00") { 13 } else { 11 + usize::from(!even) }
        };
        let (total, stated) = settle(count, |total, number| number(total));
        assert_eq!(total, count(&stated));
        assert_eq!(stated.parse::<usize>().unwrap(), total);
    }
}
