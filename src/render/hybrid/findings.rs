//! Key findings: what the reader should know before relying on the payload.

use super::Hybrid;
use super::view::View;
use crate::ids::ItemId;
use crate::place::{Placement, RAW_FROM, Tier};
use crate::render::fence::{code_span, cut_line, one_line};
use crate::text::thousands;

/// At most this many findings of one kind are listed; the frame must not grow with the project.
const LISTED: usize = 5;
/// How long a note may be.
const NOTE_CHARS: usize = 240;

impl Hybrid {
    pub(super) fn findings(&self, view: &View, placement: &Placement) -> Vec<String> {
        let mut findings = self.notes(view);
        findings.extend(self.missing(view));
        findings.extend(self.stale(view));
        findings.extend(self.redactions(view));
        findings.extend(self.lossy(view));
        findings.extend(self.left_out(view, placement));
        findings
    }

    fn path(&self, item: ItemId) -> String {
        code_span(&self.corpus.items[item].path)
    }

    fn notes(&self, view: &View) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.brief.notes.iter().chain(&self.scores.notes) {
            let (note, _) = self.corpus.redactor.redact(note, "note");
            let line = cut_line(&one_line(&note), NOTE_CHARS);
            if !line.is_empty() && !view.exclusion.named_in(&note) && !notes.contains(&line) {
                notes.push(line);
            }
        }
        notes
    }

    fn missing(&self, view: &View) -> Vec<String> {
        capped(view.missing.iter().map(|(item, why)| format!("Not included: {}: {}", self.path(*item), one_line(why))))
    }

    /// Files whose text is not the one that was scored.
    fn stale(&self, view: &View) -> Vec<String> {
        capped(view.raw.iter().filter_map(|inlined| {
            let file = self.corpus.file_of(inlined.item)?;
            let text = self.corpus.item_text(inlined.item);
            let comparable = text.findings.is_empty() && !text.lossy;
            (comparable && text.lines() != file.lines).then(|| {
                format!("Changed while it was read: {}; its score is that of the older text", self.path(inlined.item))
            })
        }))
    }

    fn redactions(&self, view: &View) -> Vec<String> {
        let inlined = view.raw.iter().map(|inlined| inlined.item);
        capped(inlined.filter(|item| self.corpus.file_of(*item).is_some()).flat_map(|item| {
            let (text, path) = (self.corpus.item_text(item), &self.corpus.items[item].path);
            let told = text.findings.iter().map(|found| {
                format!("Redacted: {} {}", code_span(&format!("{path}:{}", found.line)), one_line(&found.rule))
            });
            told.collect::<Vec<String>>()
        }))
    }

    /// Files whose text differs from the bytes on disk: another encoding, invalid bytes.
    fn lossy(&self, view: &View) -> Vec<String> {
        capped(view.raw.iter().filter_map(|inlined| {
            self.corpus.file_of(inlined.item)?;
            let (text, path) = (self.corpus.item_text(inlined.item), self.path(inlined.item));
            match text.encoding {
                Some(encoding) => Some(format!("Converted from {encoding} to UTF-8: {path}")),
                None => text.lossy.then(|| format!("Not UTF-8, some characters are replaced: {path}")),
            }
        }))
    }

    /// What would have been inlined, had there been room.
    fn left_out(&self, view: &View, placement: &Placement) -> Option<String> {
        let high = placement.active().filter(|placed| {
            placed.tier != Tier::Raw
                && placed.overridden.is_none()
                && self.high.get(placed.item.index()).copied().unwrap_or_default()
                && !view.exclusion.holds(placed.item)
        });
        let named: Vec<String> = high
            .map(|placed| match placed.whole_tokens {
                Some(tokens) => format!("{} ({} tokens)", self.path(placed.item), thousands(tokens)),
                None => self.path(placed.item),
            })
            .collect();
        let (count, more) = (named.len(), named.len().saturating_sub(LISTED));
        let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
        let listed = named.into_iter().take(LISTED).collect::<Vec<_>>().join(", ");
        match count {
            0 => None,
            1 => Some(format!("1 item that scored {RAW_FROM} or more did not fit: {listed}")),
            _ => Some(format!("{} items that scored {RAW_FROM} or more did not fit: {listed}{more}", thousands(count))),
        }
    }
}

/// The first of some findings, and how many more there are.
fn capped(findings: impl Iterator<Item = String>) -> Vec<String> {
    let mut findings: Vec<String> = findings.collect();
    let more = findings.len().saturating_sub(LISTED);
    if more > 0 {
        findings.truncate(LISTED);
        if let Some(last) = findings.last_mut() {
            *last = format!("{last} (and {} more like this)", thousands(more));
        }
    }
    findings
}
