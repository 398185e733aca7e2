//! Key Findings: facts the reader should know before relying on the payload, most useful first.

use std::collections::HashSet;

use super::Hybrid;
use super::view::PlacedItems;
use crate::gather::SourceFile;
use crate::gather::item::ItemKind;
use crate::gather::review::ChangedFile;
use crate::gather::role::Role;
use crate::ids::{FileId, ItemId};
use crate::place::{Form, Placement, RAW_FROM, Tier};
use crate::render::fence::{code_span, cut_line, one_line};
use crate::render::group::{reason, strongest};
use crate::render::review::{missing_changes, missing_note};
use crate::score::Criterion;
use crate::text::{counted, thousands};

/// Maximum number of findings of each kind, so that the section does not grow with the project.
const LISTED: usize = 5;
/// Maximum number of tests listed for one likely target.
const TESTS_LISTED: usize = 1;
/// Maximum length of a note, and of the reason for a likely target.
const NOTE_CHARS: usize = 240;
const REASON_CHARS: usize = 100;
/// First words of the lines that list the files of a delta.
const DELTA_VERBS: [&str; 4] = ["changed", "added", "removed", "renamed"];
/// Rust keeps unit tests in the file that they test.
const INLINE_TESTS: &str = "#[cfg(test)]";

impl Hybrid {
    pub(super) fn findings(&self, view: &PlacedItems, placement: &Placement) -> Vec<String> {
        let targets = self.target_findings.get(&view.exclusion, view.limit, || self.likely_targets(view));
        let mut findings = Vec::clone(&targets);
        findings.extend(self.reviewed(view, placement));
        findings.extend(self.changes(view, placement));
        findings.extend(self.notes(view));
        findings.extend(self.missing(view));
        findings.extend(self.stale(view));
        findings.extend(self.redactions(view));
        findings.extend(self.lossy(view));
        findings.extend(self.not_fitting(view, placement));
        findings
    }

    fn path(&self, item: ItemId) -> String {
        code_span(&self.corpus.items[item].path)
    }

    /// Targets that will probably be modified, with their confidence. The likeliest target is always included.
    pub(super) fn likely(&self, view: &PlacedItems) -> impl Iterator<Item = &(FileId, f32)> {
        let known = self.scores.targets.iter().filter(|(file, _)| !view.exclusion.holds(ItemId::from(*file)));
        let likely = known.enumerate().filter(|(at, (file, _))| {
            *at == 0 || self.scores.items.get(file.index()).is_some_and(|score| score.has(Criterion::Modified))
        });
        likely.map(|(_, target)| target)
    }

    /// Likely targets: confidence, reason, and tests.
    fn likely_targets(&self, view: &PlacedItems) -> Vec<String> {
        capped(self.likely(view).map(|(file, confidence)| {
            let item = ItemId::from(*file);
            let percent = (confidence * 100.0).round() as usize;
            let reason = self.reason(view, item).map(|reason| format!("; {reason}")).unwrap_or_default();
            let tests = self.tests_of(view, *file).map(|tests| format!("; {tests}")).unwrap_or_default();
            format!("Likely target: {} ({percent}% confidence{reason}{tests})", self.path(item))
        }))
    }

    /// The strongest reason for an item, unless the reason names something excluded.
    fn reason(&self, view: &PlacedItems, item: ItemId) -> Option<String> {
        let why = reason(&self.scores, item)?;
        if view.exclusion.named_in(&why) {
            return strongest(&self.scores, item).map(|signal| signal.criterion.name().to_owned());
        }
        let why = one_line(&why);
        // If a reason is too long, only its first clause is used, which is the strongest.
        let why = if why.chars().count() > REASON_CHARS { why.split("; ").next().unwrap_or(&why) } else { &why };
        Some(cut_line(why, REASON_CHARS).trim_end_matches('.').to_owned()).filter(|why| !why.is_empty())
    }

    /// Tests of a source file, or a note that it has none. `None` for a file that needs no tests.
    fn tests_of(&self, view: &PlacedItems, file: FileId) -> Option<String> {
        let SourceFile { role, path, .. } = self.corpus.files.get(file.index())?;
        if *role != Role::Source {
            return None;
        }
        let chosen: Vec<ItemId> = self.scores.supporting.iter().map(|(file, _)| ItemId::from(*file)).collect();
        let mapped = self.corpus.tests.tests_of(file).iter().map(|test| ItemId::from(*test));
        let by_history = chosen.iter().copied().filter(|test| self.is_test_of(*test, path));
        let mut tests: Vec<ItemId> = mapped.chain(by_history).filter(|test| !view.exclusion.holds(*test)).collect();
        tests.sort_unstable();
        tests.dedup();
        if tests.is_empty() {
            let inline = self.corpus.item_text(ItemId::from(file)).shown.contains(INLINE_TESTS);
            return Some(if inline { "tests in the file itself" } else { "no tests found" }.to_owned());
        }
        // Tests in the payload come first, and fixtures last.
        let merit = |test: ItemId| {
            let is_test = self.corpus.file_of(test).is_some_and(|file| file.role == Role::Test);
            let score = self.scores.items.get(test.index());
            let (points, rank) = score.map_or((0, 0.0), |score| (score.points, score.rank));
            (is_test, chosen.contains(&test), points, rank)
        };
        tests.sort_by(|one, next| merit(*next).partial_cmp(&merit(*one)).unwrap_or(std::cmp::Ordering::Equal));
        Some(format!("tests: {}", self.listed(&tests, TESTS_LISTED)))
    }

    /// Returns true if, according to its score, the item tests the file with this path.
    fn is_test_of(&self, item: ItemId, path: &str) -> bool {
        let signals = self.scores.items.get(item.index()).map_or(&[][..], |score| &score.signals);
        let tests = signals.iter().filter(|signal| signal.criterion == Criterion::TestOf);
        tests.into_iter().any(|signal| signal.why.split_whitespace().any(|word| word == path))
    }

    /// Paths of the first few items, and the number of omitted ones.
    fn listed(&self, items: &[ItemId], most: usize) -> String {
        let named: Vec<String> = items.iter().take(most).map(|item| self.path(*item)).collect();
        let more = items.len().saturating_sub(most);
        let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
        format!("{}{more}", named.join(", "))
    }

    /// The changes under review, and those that did not fit.
    fn reviewed(&self, view: &PlacedItems, placement: &Placement) -> Vec<String> {
        let Some(review) = &self.corpus.review else { return Vec::new() };
        let held = |changed: &&ChangedFile| changed.file.is_some_and(|file| view.exclusion.holds(file.into()));
        let held = review.files.iter().filter(held).count();
        let (plus, minus) = review.line_totals();
        let mut findings = vec![format!(
            "Under review: {} since {} (+{} -{})",
            counted(review.files.len() + review.more_files - held, "changed file"),
            code_span(review.base_short()),
            thousands(plus),
            thousands(minus)
        )];
        let mut missing = missing_changes(&self.corpus, placement);
        missing.retain(|change| {
            let file = self.corpus.find(&change.path).map(ItemId::from);
            !view.exclusion.holds(change.item) && !file.is_some_and(|file| view.exclusion.holds(file))
        });
        findings.extend(missing_note(&missing, LISTED, |change| code_span(&change.path)));
        findings
    }

    /// Files that changed since the last turn, and uncommitted changes.
    fn changes(&self, view: &PlacedItems, placement: &Placement) -> Vec<String> {
        let of_kind = |kind: ItemKind| {
            let items = ItemId::enumerate(&self.corpus.items).skip(self.corpus.files.len());
            items.filter(move |(item, entry)| entry.kind == kind && !view.exclusion.holds(*item))
        };
        let mut findings = Vec::new();
        for (item, entry) in of_kind(ItemKind::Delta) {
            let text = self.corpus.item_text(item);
            let text = view.exclusion.strip(ItemKind::Delta, &text.shown);
            // The list of files comes before the diffs, with a line for each file.
            let lines = text.lines().skip(1).take_while(|line| !line.starts_with("diff "));
            let files: Vec<(&str, &str)> =
                lines.filter_map(|line| line.split_once(' ')).filter(|(verb, _)| DELTA_VERBS.contains(verb)).collect();
            let more = files.len().saturating_sub(LISTED);
            let more = if more == 0 { String::new() } else { format!(", and {} more", thousands(more)) };
            let turn = entry.path.split_once(':').map_or("", |(_, turn)| turn);
            if !files.is_empty() {
                let files = by_verb(&files[..files.len().min(LISTED)]);
                findings.push(format!("Since turn {}: {files}{more}", one_line(turn)));
            }
        }
        if self.corpus.review.is_some() {
            return findings;
        }
        // The configuration or `--only` may omit a change without an override.
        let out: HashSet<ItemId> = placement.tier(Tier::Out).map(|placed| placed.item).collect();
        let included = of_kind(ItemKind::Changes).filter(|(item, _)| !out.contains(item));
        let about = included.filter_map(|(_, entry)| entry.about).map(ItemId::from);
        let changed: Vec<ItemId> = about.filter(|item| !view.exclusion.holds(*item)).collect();
        if !changed.is_empty() {
            findings.push(format!("Uncommitted changes in {}", self.listed(&changed, LISTED)));
        }
        findings
    }

    fn notes(&self, view: &PlacedItems) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.meta.notes.iter().chain(&self.scores.notes) {
            let (note, _) = self.corpus.redactor.redact(note, "note");
            let line = capitalised(&cut_line(&one_line(&note), NOTE_CHARS));
            if !line.is_empty() && !view.exclusion.named_in(&note) && !notes.contains(&line) {
                notes.push(line);
            }
        }
        notes
    }

    fn missing(&self, view: &PlacedItems) -> Vec<String> {
        capped(view.missing.iter().map(|(item, why)| format!("Not included: {} ({})", self.path(*item), one_line(why))))
    }

    /// Files that changed between scoring and rendering.
    fn stale(&self, view: &PlacedItems) -> Vec<String> {
        capped(view.raw.iter().filter_map(|inlined| {
            let file = self.corpus.file_of(inlined.item)?;
            let text = self.corpus.item_text(inlined.item);
            let comparable = text.findings.is_empty() && !text.lossy;
            (comparable && text.lines() != file.lines).then(|| {
                format!("Changed during the scan: {}; the score is based on the older text", self.path(inlined.item))
            })
        }))
    }

    fn redactions(&self, view: &PlacedItems) -> Vec<String> {
        let inlined = view.raw.iter().map(|inlined| inlined.item);
        capped(inlined.filter(|item| self.corpus.file_of(*item).is_some()).flat_map(|item| {
            let (text, path) = (self.corpus.item_text(item), &self.corpus.items[item].path);
            let redacted = text.findings.iter().map(|found| {
                format!("Redacted: {} {}", code_span(&format!("{path}:{}", found.line)), one_line(&found.rule))
            });
            redacted.collect::<Vec<String>>()
        }))
    }

    /// Files whose text in the payload differs from the bytes on disk, because of another encoding or invalid bytes.
    fn lossy(&self, view: &PlacedItems) -> Vec<String> {
        capped(view.raw.iter().filter_map(|inlined| {
            self.corpus.file_of(inlined.item)?;
            let (text, path) = (self.corpus.item_text(inlined.item), self.path(inlined.item));
            match text.encoding {
                Some(encoding) => Some(format!("Converted from {encoding} to UTF-8: {path}")),
                None => text.lossy.then(|| format!("Not UTF-8, some characters are replaced: {path}")),
            }
        }))
    }

    /// Items with enough points for RAW that did not fit, with their cost in full.
    fn not_fitting(&self, view: &PlacedItems, placement: &Placement) -> Option<String> {
        let high = placement.active().filter(|placed| {
            placed.tier != Tier::Raw
                && placed.overridden.is_none()
                && self.high.get(placed.item.index()).copied().unwrap_or_default()
                // Changes under review are listed in a separate finding.
                && !self.scores.items.get(placed.item.index()).is_some_and(|score| score.has(Criterion::Changed))
                && !view.exclusion.holds(placed.item)
        });
        let named: Vec<String> = high
            .map(|placed| match placed.whole_tokens.or_else(|| self.whole_cost(placed.item)) {
                Some(tokens) => format!("{} ({} tokens in full)", self.path(placed.item), thousands(tokens)),
                None => self.path(placed.item),
            })
            .collect();
        let (count, more) = (named.len(), named.len().saturating_sub(LISTED));
        let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
        let listed = named.into_iter().take(LISTED).collect::<Vec<_>>().join(", ");
        let items = if count == 1 { "1 item scores".to_owned() } else { format!("{} items score", thousands(count)) };
        (count > 0).then(|| format!("{items} {RAW_FROM} or more but did not fit: {listed}{more}"))
    }
}

impl Hybrid {
    /// Tokens of a full item that was not counted because nothing was placed after the pins.
    fn whole_cost(&self, item: ItemId) -> Option<usize> {
        Some(self.counter.tokens(self.block(item, &Form::Whole)?.size))
    }
}

/// The files of a delta, with each verb written once for the files that follow it.
fn by_verb(files: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut last = "";
    for (verb, file) in files {
        let separator = if text.is_empty() { "" } else { ", " };
        let verb_once = if *verb == last { String::new() } else { format!("{verb} ") };
        text.push_str(&format!("{separator}{verb_once}{}", delta_file(verb, file)));
        last = verb;
    }
    text
}

/// The path in a line of a delta, or both paths of a renamed file, without the remark in parentheses.
fn delta_file(verb: &str, file: &str) -> String {
    let is_remark =
        |remark: &str| remark.starts_with("no diff") || remark.ends_with(" line)") || remark.ends_with(" lines)");
    let path = file.rsplit_once(" (").filter(|(_, remark)| is_remark(remark)).map_or(file, |(path, _)| path);
    match path.split_once(" -> ").filter(|_| verb == "renamed") {
        Some((from, to)) => format!("{} -> {}", code_span(from), code_span(to)),
        None => code_span(path),
    }
}

/// A note with a capital first letter, unless it begins with code.
pub(super) fn capitalised(note: &str) -> String {
    let mut characters = note.chars();
    let word = note.split_whitespace().next().unwrap_or_default();
    let is_word = word.chars().all(|c| c.is_alphabetic() || c == ',');
    match characters.next() {
        Some(first) if is_word => first.to_uppercase().chain(characters).collect(),
        _ => note.to_owned(),
    }
}

/// The first few findings, and the number of omitted ones.
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
