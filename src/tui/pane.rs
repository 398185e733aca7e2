//! Contents of the right pane for an item, created outside the screen's thread: why, content, outline, diff,
//! neighbours.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::highlight;
use super::theme::Role;
use super::wrap::{gutter, marks, rows};
use crate::app::backend::{Backend, FileDiff, Reply, Request, TurnInfo};
use crate::gather::git::LineDiff;
use crate::gather::item::{ItemKind, Source};
use crate::gather::progress::NoObserver;
use crate::gather::tokens::Tokenizer;
use crate::gather::{Corpus, Text};
use crate::ids::{FileId, ItemId};
use crate::outline::language::Language;
use crate::outline::skeleton::{ShortenedText, cut_to_spans};
use crate::place::{Form, Override, PlacedItem, RAW_FROM, Span, Tier};
use crate::score::scores::HotLines;
use crate::score::{self, Criterion, Signal};
use crate::text::thousands;
use crate::workbench::Workbench;

/// Maximum number of lines in the pane.
const MOST_LINES: usize = 20_000;
/// Maximum number of neighbours of each kind.
const MOST_NEIGHBOURS: usize = 40;

/// The views of the right pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PaneView {
    #[default]
    Why,
    Content,
    Outline,
    Diff,
    Neighbours,
}

impl PaneView {
    pub const ALL: [Self; 5] = [Self::Why, Self::Content, Self::Outline, Self::Diff, Self::Neighbours];

    pub fn name(self) -> &'static str {
        match self {
            Self::Why => "why",
            Self::Content => "content",
            Self::Outline => "outline",
            Self::Diff => "diff",
            Self::Neighbours => "neighbours",
        }
    }

    /// The view this many steps ahead.
    pub fn step(self, by: usize) -> Self {
        let at = Self::ALL.iter().position(|view| *view == self).unwrap_or_default();
        Self::ALL[(at + by) % Self::ALL.len()]
    }
}

/// A piece of a line.
pub type Piece = (Role, String);

/// Change of a line under review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineChange {
    /// The line was added or changed.
    Added,
    /// Lines were removed below it, or above it at the start of the file.
    Removed,
}

/// One line of the pane.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaneLine {
    /// Line number in the file; `None` for a line that is not from a file.
    pub number: Option<usize>,
    pub pieces: Vec<Piece>,
    /// True for a horizontal rule instead of text.
    pub rule: bool,
    /// For prose, the indentation of the rows to which the line wraps.
    pub wrap: Option<u16>,
    /// Item opened by Enter or a click.
    pub link: Option<ItemId>,
    /// The payload contains this line of the file.
    pub included: bool,
    /// Likelihood that the line matters, from 0 to 3.
    pub heat: u8,
    /// Change under review.
    pub change: Option<LineChange>,
    /// Indentation, if it continues the row above.
    pub indent: u16,
    /// Index of the line that the row belongs to.
    pub source: usize,
}

impl PaneLine {
    fn of(role: Role, text: impl Into<String>) -> Self {
        Self { pieces: vec![(role, text.into())], ..Self::default() }
    }

    /// The text of all pieces.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// A line that wraps.
    fn sentence(role: Role, text: impl Into<String>) -> Self {
        Self { wrap: Some(0), ..Self::of(role, text) }
    }

    /// A criterion with its points and its reason.
    fn signal(signal: &Signal, points: Role, name: Role) -> Self {
        let figure = format!("{:+}", signal.criterion.points());
        Self::reason((points, &figure), (name, signal.criterion.name()), signal.why.to_string())
    }

    fn reason((role, figure): (Role, &str), name: (Role, &str), why: String) -> Self {
        let pieces = vec![(role, format!(" {figure:>2} ")), (name.0, format!("{:<17}", name.1)), (Role::Dim, why)];
        Self { wrap: Some(21), pieces, ..Self::default() }
    }

    fn pair(first: Role, label: impl Into<String>, second: Role, text: impl Into<String>) -> Self {
        Self { pieces: vec![(first, label.into()), (second, text.into())], ..Self::default() }
    }
}

/// The positions of the search text in a line; a capital letter makes the search case-sensitive.
pub fn matches_in(line: &str, sought: &str) -> Vec<Range<usize>> {
    if sought.is_empty() {
        return Vec::new();
    }
    let exact = sought.chars().any(char::is_uppercase);
    // Changing the case of ASCII letters keeps their length, so the positions are also correct in the original line.
    let line = if exact { Cow::Borrowed(line) } else { Cow::Owned(line.to_ascii_lowercase()) };
    line.match_indices(sought).map(|(at, found)| at..at + found.len()).collect()
}

/// A view of an item, ready for drawing, with one line per row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaneText {
    pub item: ItemId,
    pub view: PaneView,
    /// Width in columns.
    pub width: u16,
    pub lines: Vec<PaneLine>,
}

impl PaneText {
    /// Number of columns with marks before the line numbers.
    pub fn marks(&self) -> u16 {
        marks(&self.lines)
    }

    /// Width of the line numbers and of the marks before them.
    pub fn gutter(&self) -> u16 {
        gutter(&self.lines)
    }

    /// The text for an item whose id changed. It has no links, because the ids of the linked items also changed.
    pub fn moved_to(mut self, item: ItemId) -> Self {
        self.item = item;
        for line in &mut self.lines {
            line.link = None;
        }
        self
    }

    /// Line of the file in a row, which may continue the row above.
    pub fn number_at(&self, row: usize) -> Option<usize> {
        let source = self.lines.get(row)?.source;
        self.lines[..=row].iter().rev().take_while(|line| line.source == source).find_map(|line| line.number)
    }

    /// The row at which a view opens: for a file, the first match of the search text, or else the first line in the
    /// payload.
    pub fn first_row(&self, sought: Option<&str>) -> usize {
        let found = |text: &str| self.lines.iter().position(|line| !matches_in(&line.text(), text).is_empty());
        let included = || self.lines.iter().position(|line| line.included);
        let first = || sought.and_then(found).or_else(included);
        if self.view == PaneView::Content { first().unwrap_or(0) } else { 0 }
    }

    /// The row of a line of the file, or the next one that is shown.
    pub fn row_of(&self, number: usize) -> Option<usize> {
        self.lines.iter().position(|line| line.number.is_some_and(|shown| shown >= number))
    }
}

/// Returns true if a view shows text that takes long to highlight. Such text is first shown without colours.
pub fn is_slow(bench: &Workbench, item: ItemId, view: PaneView) -> bool {
    matches!(view, PaneView::Why | PaneView::Content)
        && highlight::is_slow(&bench.corpus().item_text(item).shown, &bench.corpus().items[item].path)
}

/// Creates a view of an item for a pane of this width.
pub fn show(
    backend: &dyn Backend,
    bench: &Arc<Workbench>,
    about: &TurnInfo,
    (item, view, width): (ItemId, PaneView, u16),
    colors: bool,
) -> PaneText {
    let placed = bench.placed(item);
    let lines = match (view, placed.as_deref()) {
        (_, None) => vec![PaneLine::of(Role::Dim, "This item no longer exists")],
        (PaneView::Why, Some(placed)) => {
            let mut lines = why(bench, about, placed);
            lines.push(PaneLine { rule: true, ..PaneLine::default() });
            lines.extend(payload_text(bench, placed, colors));
            lines
        }
        (PaneView::Content, Some(placed)) => whole_text(bench, placed, colors),
        (PaneView::Outline, Some(placed)) => outline(bench, placed),
        (PaneView::Diff, Some(_)) => diff(&changes(backend, bench, item)),
        (PaneView::Neighbours, Some(_)) => neighbours(bench, item),
    };
    PaneText { item, view, width, lines: rows(lines, width) }
}

fn why(bench: &Workbench, about: &TurnInfo, placed: &PlacedItem) -> Vec<PaneLine> {
    let explanation = score::explain(bench.corpus(), bench.scores(), placed.item);
    let sum: i32 = explanation.met.iter().map(|signal| i32::from(signal.criterion.points())).sum();
    let mut lines = vec![PaneLine::pair(
        Role::Title,
        format!("{} of 10", explanation.points),
        Role::Dim,
        format!(
            "  rank {} of {}, {} priority",
            thousands(explanation.place),
            thousands(bench.corpus().items.len()),
            explanation.priority.name()
        ),
    )];
    if sum != i32::from(explanation.points) {
        let bound = if sum > 10 { "capped at 10" } else { "raised to 0" };
        lines.push(PaneLine::sentence(Role::Dim, format!(" {sum} points, {bound}")));
    }
    for signal in &explanation.met {
        let points = if signal.criterion.points() < 0 { Role::Warn } else { Role::Good };
        lines.push(PaneLine::signal(signal, points, Role::Text));
    }
    if let Some(evidence) = &explanation.weak_evidence {
        let name = Criterion::Modified.name();
        lines.push(PaneLine::reason((Role::Dim, "0"), (Role::Dim, name), evidence.clone()));
    } else if explanation.met.is_empty() {
        lines.push(PaneLine::of(Role::Dim, " Nothing in the task, the history or the imports points to it"));
    }
    lines.push(PaneLine::default());
    lines.extend(placement(placed, bench.tokenizer()));
    lines.extend(warnings(bench.corpus(), about, placed.item));
    if explanation.points < RAW_FROM && !explanation.missing.is_empty() {
        lines.push(PaneLine::default());
        lines.push(PaneLine::of(Role::Title, "What would raise the score"));
        for signal in &explanation.missing {
            lines.push(PaneLine::signal(signal, Role::Dim, Role::Dim));
        }
    }
    lines
}

fn placement(placed: &PlacedItem, tokenizer: Tokenizer) -> Vec<PaneLine> {
    let (role, tier) = (Role::of(placed.tier), placed.tier.label());
    let mut text = match &placed.form {
        Form::Whole => "in full".to_owned(),
        Form::Skeleton(keep) if keep.is_empty() => "outline".to_owned(),
        Form::Skeleton(keep) => format!("excerpt: lines {}, outline of the rest", spans(keep)),
        Form::Spans(parts) if placed.is_pinned() => format!("lines {}", spans(parts)),
        Form::Spans(parts) => format!("excerpt: lines {}", spans(parts)),
        Form::Link => "reference only".to_owned(),
        Form::Mention => "mention only".to_owned(),
        Form::Absent => String::new(),
    };
    if placed.tier != Tier::Out {
        text.push_str(&format!(", {} tokens", tokenizer.figure(placed.tokens)));
    }
    if let Some(whole) = placed.whole_tokens.filter(|whole| placed.tier != Tier::Raw || *whole > placed.tokens) {
        text.push_str(&format!(" of {} in full", tokenizer.figure(whole)));
    }
    let indent = tier.len() as u16 + 2;
    let mut lines = vec![PaneLine {
        wrap: Some(indent),
        ..PaneLine::pair(role, format!("{tier}  "), Role::Text, text.trim_start())
    }];
    if let Some(overridden) = placed.overridden {
        let said = match overridden {
            Override::Pin if placed.carried_over => "carried over from the previous turn",
            Override::Pin if matches!(placed.form, Form::Spans(_)) => "lines pinned",
            Override::Pin => "pinned",
            Override::Link => "linked by override",
            Override::Demote(_) => "demoted by override",
            Override::Exclude => "excluded by override",
        };
        lines.push(PaneLine::of(Role::Mark, said));
    }
    if let Some(why) = placed.held_back {
        let what = if placed.tier == Tier::Raw { "excerpt only" } else { "didn't fit" };
        lines.push(PaneLine::sentence(Role::Warn, format!("{what}: {why}")));
    }
    lines
}

fn warnings(corpus: &Corpus, about: &TurnInfo, item: ItemId) -> Vec<PaneLine> {
    let mut lines = Vec::new();
    if about.changed.contains(&item) {
        lines.push(PaneLine::sentence(Role::Warn, format!("changed since {}", about.since)));
    }
    if about.stale.contains(&item) {
        lines.push(PaneLine::sentence(Role::Warn, "stale: changed after this turn's payload was written"));
    }
    let Some(text) = corpus.file_of(item).and_then(|file| file.known_text()) else { return lines };
    if let Some(why) = &text.missing {
        lines.push(PaneLine::sentence(Role::Bad, format!("missing: {why}")));
    }
    if let Some(encoding) = text.encoding {
        lines.push(PaneLine::sentence(Role::Dim, format!("converted from {encoding} to UTF-8")));
    }
    if text.lossy {
        lines.push(PaneLine::sentence(Role::Warn, "invalid UTF-8 is replaced"));
    }
    for finding in text.findings.iter().take(20) {
        lines.push(PaneLine::sentence(Role::Warn, format!("redacted: {} on line {}", finding.rule, finding.line)));
    }
    lines
}

fn spans(spans: &[(u32, u32)]) -> String {
    let mut spans = spans.to_vec();
    spans.sort_unstable();
    // Adjacent spans are joined.
    spans.dedup_by(|next, before| {
        let joins = next.0 <= before.1.saturating_add(1);
        if joins {
            before.1 = before.1.max(next.1);
        }
        joins
    });
    let shown: Vec<String> = spans.iter().take(6).map(|(first, last)| format!("{first}-{last}")).collect();
    let more = if spans.len() > 6 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// The text of an item as the payload shows it.
fn payload_text(bench: &Workbench, placed: &PlacedItem, colors: bool) -> Vec<PaneLine> {
    let corpus = bench.corpus();
    let text = corpus.item_text(placed.item);
    let language = corpus.file_of(placed.item).and_then(|file| file.language);
    if let Some(why) = &text.missing {
        return vec![PaneLine::of(Role::Bad, format!("cannot read the file: {why}"))];
    }
    let path = &corpus.items[placed.item].path;
    let (note, cut) = match &placed.form {
        Form::Whole => (None, None),
        Form::Spans(parts) => (None, Some(cut_to_spans(language, &text.shown, parts))),
        Form::Skeleton(keep) => (None, language.and_then(|language| text.skeleton(language, keep))),
        Form::Link => (Some("The payload has only a reference; the model can fetch this:"), None),
        Form::Mention => (Some("The payload only mentions it; the file:"), None),
        Form::Absent => (Some("Not in the payload; the file:"), None),
    };
    let mut lines: Vec<PaneLine> = note.map(|note| PaneLine::sentence(Role::Dim, note)).into_iter().collect();
    let wrap = is_prose(corpus, placed.item).then_some(0);
    let shown = match &cut {
        Some(cut) => text_lines(&cut.text, path, &numbers(&text.shown, cut), colors),
        None => text_lines(&text.shown, path, &all_numbers(&text.shown), colors),
    };
    lines.extend(marked(bench, placed, shown).into_iter().map(|line| PaneLine { wrap, ..line }));
    if lines.is_empty() {
        lines.push(PaneLine::of(Role::Dim, "empty"));
    }
    lines
}

/// The full text of an item, with the lines marked that the payload contains.
fn whole_text(bench: &Workbench, placed: &PlacedItem, colors: bool) -> Vec<PaneLine> {
    let text = bench.corpus().item_text(placed.item);
    match placed.form {
        Form::Spans(_) | Form::Skeleton(_) if text.missing.is_none() => {
            let wrap = is_prose(bench.corpus(), placed.item).then_some(0);
            let path = &bench.corpus().items[placed.item].path;
            let lines = text_lines(&text.shown, path, &all_numbers(&text.shown), colors);
            let lines = marked(bench, placed, lines);
            lines.into_iter().map(|line| PaneLine { wrap, ..line }).collect()
        }
        _ => payload_text(bench, placed, colors),
    }
}

/// Marks the lines that the payload contains, the likelihood that each line matters, and the changes under review.
fn marked(bench: &Workbench, placed: &PlacedItem, lines: Vec<PaneLine>) -> Vec<PaneLine> {
    let shown = bench.shown_lines(placed.item);
    let count = lines.iter().filter_map(|line| line.number).max().unwrap_or_default();
    let heat = heat(&bench.scores().items[placed.item].hot, count);
    let is_in = |number: usize| shown.iter().any(|(first, last)| (*first as usize..=*last as usize).contains(&number));
    let reviewed = reviewed(bench.corpus(), placed.item);
    let mark = |line: PaneLine| match line.number {
        Some(number) => {
            let heat = heat.get(number).copied().unwrap_or_default();
            let change = change_of(reviewed, number);
            PaneLine { included: is_in(number), heat, change, ..line }
        }
        None => line,
    };
    lines.into_iter().map(mark).collect()
}

/// The changed lines of a file under review.
fn reviewed(corpus: &Corpus, item: ItemId) -> Option<&LineDiff> {
    let Source::File(file) = corpus.items[item].source else { return None };
    corpus.review.as_ref()?.of(file)?.lines()
}

fn change_of(diff: Option<&LineDiff>, number: usize) -> Option<LineChange> {
    let diff = diff?;
    let line = number as u32;
    if diff.added.iter().any(|(first, last)| (*first..=*last).contains(&line)) {
        return Some(LineChange::Added);
    }
    let removed = diff.removed_after.iter().any(|after| (*after).max(1) == line);
    removed.then_some(LineChange::Removed)
}

/// Likelihood that each line up to `count` matters, from 0 to 3, by line number. It depends on the changes expected per
/// line, relative to the likeliest lines.
fn heat(hot: &HotLines, count: usize) -> Vec<u8> {
    let per_line = |(span, share): (&Span, &f64)| share / f64::from(span.1.saturating_sub(span.0) + 1);
    let most = hot.iter().zip(hot.shares()).map(per_line).fold(0.0, f64::max);
    let mut heat = vec![0; count + 1];
    for (span, share) in hot.iter().zip(hot.shares()) {
        let level = match per_line((span, share)) / most {
            level if level >= 0.5 => 3,
            level if level >= 0.15 => 2,
            level if level > 0.0 => 1,
            _ => 0,
        };
        for line in heat.iter_mut().take(span.1 as usize + 1).skip(span.0 as usize) {
            *line = level.max(*line);
        }
    }
    heat
}

fn all_numbers(text: &str) -> Vec<Option<usize>> {
    (1..=text.lines().count()).map(Some).collect()
}

/// The line numbers of an excerpt's lines. Lines that mark a gap have none.
fn numbers(text: &str, cut: &ShortenedText) -> Vec<Option<usize>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut verbatim = cut.spans.iter().flat_map(|(first, last)| *first as usize..=*last as usize).peekable();
    let is_next = |line: &str, number: usize| lines.get(number.wrapping_sub(1)).is_some_and(|own| *own == line);
    cut.text.lines().map(|line| verbatim.next_if(|number| is_next(line, *number))).collect()
}

/// Returns true if an item is prose, whose long lines wrap.
fn is_prose(corpus: &Corpus, item: ItemId) -> bool {
    match corpus.items[item].kind {
        ItemKind::File | ItemKind::Doc => {
            corpus.file_of(item).and_then(|file| file.language).is_some_and(Language::is_prose)
        }
        ItemKind::Memo | ItemKind::Commits | ItemKind::History => true,
        ItemKind::Changes | ItemKind::Delta | ItemKind::Review | ItemKind::Evidence | ItemKind::Command => false,
    }
}

fn outline(bench: &Workbench, placed: &PlacedItem) -> Vec<PaneLine> {
    let corpus = bench.corpus();
    let text: std::sync::Arc<Text> = corpus.item_text(placed.item);
    let Some(file) = corpus.file_of(placed.item) else {
        return vec![PaneLine::of(Role::Dim, "Only source files have an outline")];
    };
    let keep = &bench.scores().items[placed.item].hot;
    let cut = file.language.and_then(|language| text.skeleton(language, keep));
    match cut {
        Some(cut) => marked(bench, placed, text_lines(&cut.text, &file.path, &numbers(&text.shown, &cut), true)),
        None => {
            vec![PaneLine::of(Role::Dim, "No outline for this kind of file; it is included in full or as an excerpt")]
        }
    }
}

fn text_lines(text: &str, path: &str, numbers: &[Option<usize>], colors: bool) -> Vec<PaneLine> {
    let lines = if colors { highlight::lines(text, path, MOST_LINES) } else { highlight::plain(text, MOST_LINES) };
    let mut lines: Vec<PaneLine> = lines
        .into_iter()
        .enumerate()
        .map(|(at, pieces)| PaneLine { number: numbers.get(at).copied().flatten(), pieces, ..PaneLine::default() })
        .collect();
    let count = text.lines().count();
    if count > MOST_LINES {
        lines.push(PaneLine::of(Role::Dim, format!("… {} more lines", thousands(count - MOST_LINES))));
    }
    lines
}

fn changes(backend: &dyn Backend, bench: &Arc<Workbench>, item: ItemId) -> FileDiff {
    match backend.handle(Request::Diff(Arc::clone(bench), item), &NoObserver) {
        Reply::Diff(diff) => diff,
        _ => FileDiff::default(),
    }
}

fn diff(difference: &FileDiff) -> Vec<PaneLine> {
    let FileDiff { since, text } = difference;
    if since.is_empty() {
        let said = if text.is_empty() { "Only files have a diff" } else { text };
        return vec![PaneLine::sentence(Role::Dim, said.to_owned())];
    }
    if text.trim().is_empty() {
        return vec![PaneLine::sentence(Role::Dim, format!("Unchanged since {since}"))];
    }
    let mut lines = vec![PaneLine::sentence(Role::Warn, format!("Changed since {since}")), PaneLine::default()];
    // The diff's header repeats the file name, which is already shown above.
    let hunks = text.lines().skip_while(|line| !line.starts_with("@@"));
    let role = |line: &str| match line.as_bytes().first() {
        Some(b'+') => Role::Added,
        Some(b'-') => Role::Removed,
        Some(b'@') => Role::Type,
        _ => Role::Text,
    };
    lines.extend(hunks.take(MOST_LINES).map(|line| PaneLine::of(role(line), line)));
    lines
}

fn neighbours(bench: &Workbench, item: ItemId) -> Vec<PaneLine> {
    let corpus = bench.corpus();
    let Source::File(file) = corpus.items[item].source else {
        return vec![PaneLine::of(Role::Dim, "Only files have neighbours")];
    };
    let mut lines = Vec::new();
    let mut section = |title: &str, files: Vec<(FileId, String)>| {
        if files.is_empty() {
            return;
        }
        if !lines.is_empty() {
            lines.push(PaneLine::default());
        }
        lines.push(PaneLine::pair(Role::Title, title, Role::Dim, format!("  {}", files.len())));
        let more = files.len().saturating_sub(MOST_NEIGHBOURS);
        for (file, note) in files.into_iter().take(MOST_NEIGHBOURS) {
            let points = bench.scores().items[file].points;
            lines.push(PaneLine {
                pieces: vec![
                    (Role::Dim, format!("{points:>3} ")),
                    (Role::Text, corpus.items[file].path.clone()),
                    (Role::Dim, note),
                ],
                link: Some(file.into()),
                ..PaneLine::default()
            });
        }
        if more > 0 {
            lines.push(PaneLine::of(Role::Dim, format!("    … {more} more")));
        }
    };
    let plain = |files: &[FileId]| files.iter().map(|file| (*file, String::new())).collect::<Vec<_>>();
    section("Imports", plain(corpus.graph.imports(file)));
    section("Imported by", plain(corpus.graph.imported_by(file)));
    section("Tests", plain(corpus.tests.tests_of(file)));
    section("Test of", plain(corpus.tests.sources_of(file)));
    section("Changed together", together(corpus, item));
    if lines.is_empty() {
        lines.push(PaneLine::of(Role::Dim, "No imports, tests or common commits"));
    }
    lines
}

/// Files that past commits changed together with this one, most frequent first.
fn together(corpus: &Corpus, item: ItemId) -> Vec<(FileId, String)> {
    let Some(git) = &corpus.git else { return Vec::new() };
    let path = &corpus.items[item].path;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    // Commits that change half of the project say nothing about pairs of files.
    for commit in git.commits.iter().filter(|commit| commit.paths.len() <= 30 && commit.paths.contains(path)) {
        for other in commit.paths.iter().filter(|other| *other != path) {
            *counts.entry(other).or_default() += 1;
        }
    }
    let mut files: Vec<(FileId, usize)> =
        counts.into_iter().filter_map(|(path, count)| Some((corpus.find(path)?, count))).collect();
    files.sort_by_key(|(file, count)| (std::cmp::Reverse(*count), *file));
    files.into_iter().map(|(file, count)| (file, format!("  {count}×"))).collect()
}
