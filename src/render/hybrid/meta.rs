//! Title and META: the task, the token counts, and the hashes that verify the payload.

use super::Hybrid;
use super::markup::Markup;
use super::view::PlacedItems;
use super::xml;
use crate::place::Usage;
use crate::project::clock;
use crate::render::fence::{cut_line, one_line};
use crate::render::pieces::PieceList;
use crate::text::thousands;

/// Maximum length of a one-line task that META contains in full.
const TASK_CHARS: usize = 300;
/// Maximum length of a longer task in META. The request contains the full task.
const BEGINNING_CHARS: usize = 120;
/// Maximum number of characters of the task in the title.
const TITLE_CHARS: usize = 80;
/// Number of totals that are tried if repeated counting does not converge.
const SEARCHED: usize = 24;

/// The hashes in META.
pub(super) struct Hashes {
    pub all: String,
    pub raw: String,
    pub linked: String,
}

/// The task on one line, for META.
pub(super) fn task_line(task: &str) -> String {
    let line = cut_line(&one_line(task), TASK_CHARS);
    if line == task.trim() { line } else { cut_line(&line, BEGINNING_CHARS) }
}

impl Hybrid {
    /// The META section. Also sets the total in `usage` to the one in META.
    pub(super) fn meta_section(
        &self,
        view: &PlacedItems,
        (before, after): (&[PieceList], &[PieceList]),
        hashes: &Hashes,
        usage: &mut Usage,
    ) -> PieceList {
        let text = |total: usize, number: fn(usize) -> String| self.meta_text(view, hashes, *usage, total, number);
        let rest: usize = before.iter().chain(after).map(PieceList::size).sum();
        let wrapper = &self.meta.wrapper;
        let adds = wrapper.size(self.counter);
        let (mut text_before, mut text_after) = (String::new(), String::new());
        if adds.is_none() {
            text_before = [wrapper.before.clone()].into_iter().chain(before.iter().map(PieceList::text)).collect();
            text_after = after.iter().map(PieceList::text).chain([wrapper.after.clone()]).collect();
        }
        let count = |meta: &str| match adds {
            Some(size) => self.counter.tokens(self.counter.size(meta) + rest + size),
            None => self.counter.0.count(&format!("{text_before}{meta}{text_after}")),
        };
        let (total, meta) = stable_total(count, text);
        usage.total = total;
        let mut part = PieceList::new(self.counter);
        part.add(meta);
        part
    }

    fn meta_text(
        &self,
        view: &PlacedItems,
        hashes: &Hashes,
        usage: Usage,
        total: usize,
        number: fn(usize) -> String,
    ) -> String {
        let figure = |tokens: usize| self.counter.0.figure(tokens);
        let used = format!("{}{}", self.counter.0.mark(), number(total));
        let (raw, linked, summary) = (figure(usage.raw), figure(usage.linked), figure(usage.summary));
        let limit = thousands(view.limit);
        let (raws, links) = (view.raw.len(), view.linked.len());
        let Hashes { all, raw: raw_hash, linked: linked_hash } = hashes;
        let task = &self.task_line;
        let title = cut_line(task, TITLE_CHARS);
        let complexity = self.meta.complexity.name();
        let generated = clock::iso(self.meta.generated);
        match self.markup {
            Markup::Markdown => format!(
                "# Context Payload: {title}\n\n\
                 ## META\n\
                 - **Task:** {task}\n\
                 - **Complexity:** {complexity}\n\
                 - **Budget:** {used} / {limit} tokens (RAW: {raw} | LINKED: {linked} | SUMMARY: {summary})\n\
                 - **Items:** RAW: {raws} | LINKED: {links}\n\
                 - **Generated:** {generated}\n\
                 - **Fingerprint:** {all}\n\
                 - **Section Hashes:** RAW: {raw_hash} | LINKED: {linked_hash}\n\n"
            ),
            Markup::Xml => {
                let (title, task) = (xml::attribute(&title.replace("\\<", "<")), xml::prose(task));
                let start = format!("<context_payload task=\"{title}\">\n");
                let start = if self.contents_first() { "" } else { &start };
                format!(
                    "{start}\
                     <meta>\n\
                     <task>{task}</task>\n\
                     <complexity>{complexity}</complexity>\n\
                     <budget used=\"{used}\" limit=\"{limit}\" raw=\"{raw}\" linked=\"{linked}\" summary=\"{summary}\"/>\n\
                     <items raw=\"{raws}\" linked=\"{links}\"/>\n\
                     <generated>{generated}</generated>\n\
                     <fingerprint>{all}</fingerprint>\n\
                     <section_hashes raw=\"{raw_hash}\" linked=\"{linked_hash}\"/>\n\
                     </meta>\n"
                )
            }
        }
    }
}

/// Finds a total that is correct for the text that contains it, and returns that text.
///
/// The number of tokens depends on the digits of the total, so counting is repeated until the total no longer changes.
/// In some encodings, the total may alternate between two values, because some numbers take one token and other numbers
/// of the same length take two. Then neighbouring totals are tried.
fn stable_total(count: impl Fn(&str) -> usize, text: impl Fn(usize, fn(usize) -> String) -> String) -> (usize, String) {
    let mut total = 0;
    for _ in 0..8 {
        let stated = text(total, thousands);
        let counted = count(&stated);
        if counted == total {
            return (total, stated);
        }
        total = counted;
    }
    // Padding changes the number of tokens, so the total may converge.
    let spellings: [fn(usize) -> String; 7] = [
        thousands,
        |number| number.to_string(),
        |number| format!("{number:09}"),
        |number| format!("{number:010}"),
        |number| format!("{number:011}"),
        |number| format!("{number:012}"),
        |number| format!("{number:013}"),
    ];
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
            let (total, stated) = stable_total(|text| text.len() + rest, |total, number| number(total));
            assert_eq!(total, stated.len() + rest);
            assert_eq!(stated, thousands(total));
        }
    }

    #[test]
    fn an_alternating_total_is_written_differently() {
        // Even numbers take two tokens and odd ones take one. With an odd remainder, each total leads to the other.
        let count = |text: &str| {
            let even = text.ends_with(['0', '2', '4', '6', '8']);
            if text.starts_with("00") { 13 } else { 11 + usize::from(!even) }
        };
        let (total, stated) = stable_total(count, |total, number| number(total));
        assert_eq!(total, count(&stated));
        assert_eq!(stated.parse::<usize>().unwrap(), total);
    }

    #[test]
    fn an_alternating_total_is_padded_if_necessary() {
        let count =
            |text: &str| if text.len() > 9 { 13 } else { 11 + usize::from(!text.ends_with(['0', '2', '4', '6', '8'])) };
        let (total, stated) = stable_total(count, |total, number| number(total));
        assert_eq!((total, stated.as_str()), (13, "0000000013"));
    }
}
