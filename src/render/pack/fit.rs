//! Trims a merged pack to a budget. It removes excerpts first (those of contract documents last), then rationales and
//! summaries, then whole entries.

use super::json::{pack_id, write};
use super::model::{Pack, Priority};
use crate::gather::tokens::Tokenizer;

/// Number of removals from a pack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackTrim {
    /// Excerpts, summaries and rationales.
    pub texts: usize,
    /// Whole entries.
    pub entries: usize,
    /// Number of tokens by which the pack still exceeds the budget.
    pub over: usize,
}

/// Removes a string or an entry; `None` if there is none left.
type Removal = fn(&mut Pack) -> Option<()>;

/// Trims the pack to at most this many tokens; required fields are kept.
pub fn fit(pack: &mut Pack, most: usize, tokenizer: Tokenizer) -> PackTrim {
    let mut trimmed = PackTrim::default();
    let texts: [Removal; 5] = [file_excerpt, low_excerpt, rationale, summary, doc_excerpt];
    let entries: [Removal; 4] = [file, artifact, low_document, decision];
    let steps = texts.iter().map(|step| (step, true)).chain(entries.iter().map(|step| (step, false)));
    // The id depends on the content, and takes tokens itself.
    let tokens = |pack: &mut Pack| {
        pack.pack_id = pack_id(pack);
        tokenizer.count(&write(pack))
    };
    for (step, is_text) in steps {
        // Counting after each removal keeps as much as fits.
        while tokens(pack) > most && step(pack).is_some() {
            if is_text {
                trimmed.texts += 1;
            } else {
                trimmed.entries += 1;
            }
        }
    }
    trimmed.over = tokens(pack).saturating_sub(most);
    trimmed
}

/// Removes the longest of these strings; of equally long ones, the last.
fn take_longest<'t>(texts: impl Iterator<Item = &'t mut Option<String>>) -> Option<()> {
    let longest = texts.filter(|text| text.is_some()).max_by_key(|text| text.as_ref().map_or(0, String::len))?;
    *longest = None;
    Some(())
}

fn file_excerpt(pack: &mut Pack) -> Option<()> {
    take_longest(pack.relevant_files.iter_mut().map(|file| &mut file.excerpt))
}

fn low_excerpt(pack: &mut Pack) -> Option<()> {
    let low = pack.doc_refs.iter_mut().filter(|doc| doc.priority != Priority::High);
    take_longest(low.map(|doc| &mut doc.excerpt))
}

fn doc_excerpt(pack: &mut Pack) -> Option<()> {
    take_longest(pack.doc_refs.iter_mut().map(|doc| &mut doc.excerpt))
}

fn rationale(pack: &mut Pack) -> Option<()> {
    take_longest(pack.decisions.iter_mut().map(|decision| &mut decision.rationale))
}

fn summary(pack: &mut Pack) -> Option<()> {
    take_longest(pack.artifacts.iter_mut().map(|artifact| &mut artifact.summary))
}

fn file(pack: &mut Pack) -> Option<()> {
    pack.relevant_files.pop().map(drop)
}

fn artifact(pack: &mut Pack) -> Option<()> {
    pack.artifacts.pop().map(drop)
}

fn low_document(pack: &mut Pack) -> Option<()> {
    pack.doc_refs.pop_if(|doc| doc.priority != Priority::High).map(drop)
}

fn decision(pack: &mut Pack) -> Option<()> {
    pack.decisions.pop().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::tokens::DEFAULT;
    use crate::render::pack::model::{DocRef, RelevantFile};

    #[test]
    fn excerpts_are_removed_before_entries_and_the_contract_last() {
        let file = |number: usize| RelevantFile {
            path: format!("src/{number}.rs"),
            excerpt: Some("fn a() {}\n".repeat(number * 10)),
            ..RelevantFile::default()
        };
        let doc = DocRef {
            path: "docs/plan.md".to_owned(),
            excerpt: Some("First the ledger.".to_owned()),
            priority: Priority::High,
            ..DocRef::default()
        };
        let mut whole = Pack { relevant_files: (1..20).map(file).collect(), doc_refs: vec![doc], ..Pack::default() };
        whole.pack_id = pack_id(&whole);
        let size = |pack: &Pack| DEFAULT.count(&write(pack));
        for most in [size(&whole), size(&whole) - 1, 2_000, 400, 200] {
            let mut pack = whole.clone();
            let trimmed = fit(&mut pack, most, DEFAULT);
            assert!(size(&pack) <= most && trimmed.over == 0, "{most}: {trimmed:?}");
            assert_eq!(pack.doc_refs[0].excerpt.is_some(), most > 200, "{most}");
            assert_eq!(trimmed.texts == 0, most == size(&whole));
        }
        let mut pack = whole;
        assert!(fit(&mut pack, 10, DEFAULT).over > 0 && pack.doc_refs.len() == 1);
    }
}
