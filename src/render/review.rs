//! The changes under review that did not fit into the payload.

use super::verbatim;
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::gather::review::ChangedFile;
use crate::ids::ItemId;
use crate::place::{Form, PlacedItem, Placement, Span, Tier};
use crate::text::{counted, thousands};

/// A changed file whose change is not included in full.
#[derive(Debug, PartialEq, Eq)]
pub struct MissingChange {
    /// The diff, or a new file itself.
    pub item: ItemId,
    /// The path of the file.
    pub path: String,
    /// Number of its changed lines that are not in the payload.
    pub lines: usize,
    /// Number of all its changed lines.
    pub all: usize,
    /// The tokens of its diff, or of the new file, if counted.
    pub tokens: Option<usize>,
}

/// The changed files whose changed lines are not all in the payload. Generated and vendored files are not listed,
/// because their diffs are never included.
pub fn missing_changes(corpus: &Corpus, placement: &Placement) -> Vec<MissingChange> {
    let Some(review) = &corpus.review else { return Vec::new() };
    let placed = |item: ItemId| placement.active().find(|placed| placed.item == item);
    let missing = |changed: &ChangedFile| {
        let diff = changed.lines().filter(|diff| diff.plus + diff.minus > 0 && changed.withheld.is_none())?;
        let all = diff.plus + diff.minus;
        let label = format!("changes:{}", changed.path);
        let item = ItemId::enumerate(&corpus.items)
            .skip(corpus.files.len())
            .find(|(_, item)| item.kind == ItemKind::Changes && item.path == label)
            .map(|(item, _)| item)
            .or_else(|| changed.file.map(ItemId::from))?;
        let shown = placed(item);
        let included = match shown.filter(|placed| placed.tier == Tier::Raw) {
            Some(placed) if placed.form == Form::Whole => all,
            Some(placed) => changed_lines_of(corpus, placed),
            None => 0,
        };
        // Changed lines that are included with the file itself also count.
        let file = changed.file.and_then(|file| placed(file.into())).filter(|placed| placed.tier == Tier::Raw);
        let spans = file.map(|placed| verbatim(corpus, placed.item, &placed.form)).unwrap_or_default();
        let is_shown = |line: u32| spans.iter().any(|span| span.0 <= line && line <= span.1);
        let in_file = diff.added.iter().flat_map(|(first, last)| *first..=*last).filter(|line| is_shown(*line)).count();
        let lines = all.saturating_sub(included.max(in_file));
        let tokens = shown.and_then(|placed| placed.whole_tokens);
        (lines > 0).then(|| MissingChange { item, path: changed.path.clone(), lines, all, tokens })
    };
    review.files.iter().filter_map(missing).collect()
}

/// The changed lines in an excerpt of a diff or of a new file.
fn changed_lines_of(corpus: &Corpus, placed: &PlacedItem) -> usize {
    let text = corpus.item_text(placed.item);
    let spans: Vec<Span> = verbatim(corpus, placed.item, &placed.form);
    let is_shown = |line: u32| spans.iter().any(|span| span.0 <= line && line <= span.1);
    let is_new_file = corpus.items[placed.item].kind.is_file();
    let lines = text.shown.lines().zip(1u32..).filter(|(_, at)| is_shown(*at));
    let mut in_hunk = false;
    lines
        .filter(|(line, _)| {
            in_hunk |= line.starts_with("@@ ");
            is_new_file || in_hunk && line.starts_with(['+', '-'])
        })
        .count()
}

/// The note about these changes, such as `2 changed files did not fit in full: … (12.3k tokens)`.
pub fn missing_note(
    missing: &[MissingChange],
    listed: usize,
    shown: impl Fn(&MissingChange) -> String,
) -> Option<String> {
    let named: Vec<String> = missing
        .iter()
        .take(listed)
        .map(|change| {
            let part = match (change.lines == change.all, change.tokens) {
                (true, Some(tokens)) => format!("{} tokens", thousands(tokens)),
                (true, None) => counted(change.all, "changed line"),
                (false, _) => format!("{} of {} missing", thousands(change.lines), counted(change.all, "changed line")),
            };
            format!("{} ({part})", shown(change))
        })
        .collect();
    let more = missing.len().saturating_sub(listed);
    let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
    let files = counted(missing.len(), "changed file");
    (!missing.is_empty()).then(|| format!("{files} did not fit in full: {}{more}", named.join(", ")))
}
