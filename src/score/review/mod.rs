//! Scores in a review: changed files, users of the changed definitions, their tests, and documents that mention them.

mod names;
mod uses;

#[cfg(test)]
mod tests;

use super::required::{RequiredForm, RequiredGroup, RequiredItem};
use super::scores::{Criterion, HotLines, Score, Scores, Signal};
use crate::gather::Corpus;
use crate::gather::item::{Item, ItemKind, Source};
use crate::gather::review::{ChangedFile, FileStatus, Review, merged, range, touched};
use crate::gather::role::Role;
use crate::ids::{FileId, ItemId};
use uses::{Use, UseKind, uses};

/// Rank of the first item of a review. Each further item is ranked one lower.
const FIRST_RANK: f64 = 100_000.0;
/// Shares of the remaining budget, in percent. Users and tests leave part of the budget for commits and documents.
const ALL: usize = 100;
const USERS_SHARE: usize = 50;
const TESTS_SHARE: usize = 60;
const DOCS_SHARE: usize = 50;
/// Lines around a change that are shown if the whole definition does not fit.
const AROUND: u32 = 3;
/// Maximum number of changed files whose neighbours in the import graph earn points.
const MOST_SOURCES: usize = 30;
/// Maximum number of line ranges listed in a reason.
const RANGES: usize = 4;

/// Changed product code. Its neighbours earn points like those of sure targets.
pub(super) fn changed_sources(corpus: &Corpus) -> Vec<FileId> {
    let files = corpus.review.iter().flat_map(|review| &review.files);
    let sources = files.filter(|file| file.role == Role::Source && file.withheld.is_none());
    sources.filter_map(|file| file.file).take(MOST_SOURCES).collect()
}

/// Scores the items of a review, and marks the content to place first.
pub fn mark(scores: &mut Scores, corpus: &Corpus) {
    let Some(review) = corpus.review.clone() else { return };
    // Without a task, the changes decide which other files are related.
    scores.no_content = false;
    let found = uses(corpus, &review);
    mark_changed(scores, corpus, &review);
    for found in &found {
        let score = &mut scores.items[found.file];
        let (criterion, why) = (found.kind.criterion(), found.why.as_str().into());
        score.signals.push(Signal { criterion, why });
        score.points = super::assemble::points(&score.signals);
        score.hot = HotLines::from(found.spans.clone());
    }
    let groups = groups(corpus, &review, &found);
    let mut rank = FIRST_RANK;
    let mut ranked = vec![false; scores.items.len()];
    for wanted in groups.iter().flat_map(|group| &group.items) {
        if !std::mem::replace(&mut ranked[wanted.item], true) {
            scores.items[wanted.item].rank = rank;
            rank -= 1.0;
        }
    }
    scores.required = groups;
    super::derived_items::share_scores(scores, corpus);
    super::assemble::reorder(scores, corpus);
}

fn mark_changed(scores: &mut Scores, corpus: &Corpus, review: &Review) {
    for changed in &review.files {
        let Some(file) = changed.file else { continue };
        let spans = spans(corpus, changed);
        let score = &mut scores.items[file];
        score.signals.insert(0, Signal { criterion: Criterion::Changed, why: why(changed).into() });
        score.points = super::assemble::points(&score.signals);
        score.bulk |= changed.withheld.is_some();
        if !spans.is_empty() || is_shown_as_file(changed) {
            score.likely = 1.0;
        }
        if !spans.is_empty() {
            score.hot = HotLines::from(spans);
        }
    }
    for (at, item) in review_items(corpus) {
        if item.about.is_some() {
            continue;
        }
        let why = match item.kind {
            ItemKind::Changes => "deleted in this branch",
            ItemKind::Commits => "commits of this branch",
            _ => "overview of this branch",
        };
        let signals = vec![Signal { criterion: Criterion::Given, why: why.into() }];
        let bulk = changed_file(review, item).is_some_and(|file| file.withheld.is_some());
        scores.items[at] =
            Score { points: super::assemble::points(&signals), signals, likely: 1.0, bulk, ..Score::default() };
    }
}

/// Items that were created for the review.
fn review_items(corpus: &Corpus) -> impl Iterator<Item = (ItemId, &Item)> {
    ItemId::enumerate(&corpus.items).skip(corpus.files.len()).filter(|(_, item)| match item.kind {
        ItemKind::Review | ItemKind::Changes => true,
        ItemKind::Commits => item.about.is_none(),
        _ => false,
    })
}

/// The file that a diff belongs to.
fn changed_file<'a>(review: &'a Review, item: &Item) -> Option<&'a ChangedFile> {
    let path = item.path.strip_prefix("changes:").filter(|_| item.kind == ItemKind::Changes)?;
    review.files.iter().find(|file| file.path == path)
}

/// Returns true if the file is shown instead of its diff, because all of it is new.
fn is_shown_as_file(changed: &ChangedFile) -> bool {
    changed.is_new() && changed.withheld.is_none() && changed.lines().is_some_and(|diff| diff.plus > 0)
}

/// The touched definitions of a changed file of code.
fn spans(corpus: &Corpus, changed: &ChangedFile) -> Vec<(u32, u32)> {
    let (Some(file), Some(diff), None) = (changed.file, changed.lines(), changed.withheld) else { return Vec::new() };
    let Some(language) = corpus.files[file].language.filter(|language| language.is_code() && !changed.is_new()) else {
        return Vec::new();
    };
    corpus.file_text(file).shape(language).map(|shape| touched(shape, diff)).unwrap_or_default()
}

/// The reason for a changed file.
fn why(changed: &ChangedFile) -> String {
    let lines = changed.lines().map(|diff| diff.added.as_slice()).unwrap_or_default();
    let shown: Vec<String> = lines.iter().take(RANGES).map(|span| range(*span)).collect();
    let more = if lines.len() > RANGES { ", …" } else { "" };
    let lines = match shown.as_slice() {
        [] => String::new(),
        [one] if !one.contains('-') => format!(" (line {one})"),
        several => format!(" (lines {}{more})", several.join(", ")),
    };
    match &changed.status {
        FileStatus::Added => "new in this branch".to_owned(),
        FileStatus::Untracked => "new in the working tree, not tracked yet".to_owned(),
        FileStatus::Renamed { from } => format!("renamed in this branch from {from}{lines}"),
        _ => format!("changed in this branch{lines}"),
    }
}

impl UseKind {
    fn criterion(self) -> Criterion {
        match self {
            Self::User => Criterion::UsesChanged,
            Self::Test => Criterion::TestsChanged,
            Self::Doc => Criterion::MentionsChanged,
        }
    }
}

/// Content to place first: the diff, touched definitions, users of what changed, tests, commits, documents.
fn groups(corpus: &Corpus, review: &Review, found: &[Use]) -> Vec<RequiredGroup> {
    let diff_of = |changed: &ChangedFile| {
        review_items(corpus).find(|(_, item)| {
            item.kind == ItemKind::Changes && item.path.strip_prefix("changes:") == Some(changed.path.as_str())
        })
    };
    let mut diffs: Vec<RequiredItem> = review_items(corpus)
        .filter(|(_, item)| item.kind == ItemKind::Review)
        .map(|(item, _)| RequiredItem { item, forms: vec![RequiredForm::Whole] })
        .collect();
    for changed in review.files.iter().filter(|changed| changed.withheld.is_none()) {
        if let Some((item, entry)) = diff_of(changed) {
            diffs.push(RequiredItem { item, forms: forms_of_diff(entry) });
        } else if let Some(file) = changed.file.filter(|_| is_shown_as_file(changed)) {
            diffs.push(RequiredItem { item: file.into(), forms: vec![RequiredForm::Whole, RequiredForm::Outline] });
        }
    }
    let definitions = |is_test: bool| {
        let files = review.files.iter().filter(move |changed| is_test == is_of_tests(changed.role));
        files.filter_map(|changed| {
            let spans = spans(corpus, changed);
            let around =
                changed.lines()?.added.iter().map(|(first, last)| (first.saturating_sub(AROUND).max(1), last + AROUND));
            let hunks = merged(around.collect());
            let forms = vec![RequiredForm::Excerpt(spans.clone()), RequiredForm::Lines(hunks)];
            (!spans.is_empty()).then_some(RequiredItem { item: changed.file?.into(), forms })
        })
    };
    let of_kind = |kind: UseKind| {
        let uses = found.iter().filter(move |found| found.kind == kind);
        uses.map(|found| RequiredItem { item: found.file.into(), forms: forms_of_use(found) })
    };
    let commits = review_items(corpus).filter(|(_, item)| item.kind == ItemKind::Commits);
    let commits = commits.map(|(item, entry)| RequiredItem { item, forms: first_lines(entry, &[]) });
    let group = |share: usize, items: Vec<RequiredItem>| RequiredGroup { share, items };
    vec![
        group(ALL, diffs),
        group(ALL, definitions(false).collect()),
        group(USERS_SHARE, of_kind(UseKind::User).collect()),
        group(TESTS_SHARE, definitions(true).chain(of_kind(UseKind::Test)).collect()),
        group(ALL, commits.collect()),
        group(DOCS_SHARE, of_kind(UseKind::Doc).collect()),
    ]
}

fn is_of_tests(role: Role) -> bool {
    matches!(role, Role::Test | Role::TestSupport)
}

fn forms_of_use(found: &Use) -> Vec<RequiredForm> {
    match found.spans.as_slice() {
        [] => vec![RequiredForm::Outline],
        // If not all uses fit, only the first ones are included.
        spans => (1..=spans.len()).rev().map(|count| RequiredForm::Excerpt(spans[..count].to_vec())).collect(),
    }
}

/// A diff in full, or its first hunks.
fn forms_of_diff(item: &Item) -> Vec<RequiredForm> {
    let Source::Text(text) = &item.source else { return Vec::new() };
    let starts: Vec<u32> =
        text.lines().zip(1u32..).filter(|(line, _)| line.starts_with("@@ ")).map(|(_, at)| at - 1).collect();
    first_lines(item, starts.get(1..).unwrap_or_default())
}

/// The forms of an item: in full, or only its beginning (about a half, a quarter and so on, cut at one of these lines
/// if possible).
fn first_lines(item: &Item, ends: &[u32]) -> Vec<RequiredForm> {
    const SMALLEST: u32 = 8;
    let Source::Text(text) = &item.source else { return Vec::new() };
    let mut most = text.lines().count() as u32;
    let mut forms = vec![RequiredForm::Whole];
    while most / 2 >= SMALLEST {
        most /= 2;
        // The text is cut at the end of a hunk if one ends between line `most` and line `2 * most`.
        let end = ends.iter().copied().rfind(|end| *end <= most * 2 && *end >= most).unwrap_or(most);
        forms.push(RequiredForm::Lines(vec![(1, end)]));
    }
    forms
}
