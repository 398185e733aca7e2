//! Files read so far by a scan, before scoring, and keys typed meanwhile.

use std::cmp::Reverse;
use std::sync::Arc;

use crossterm::event::KeyEvent;

use super::ScanStage;
use super::layer::FilterEdit;
use super::line_edit::LineEdit;
use crate::app::backend::OpenTarget;
use crate::gather::progress::ScannedFile;
use crate::score::{QuickFile, QuickScorer};
use crate::tui::command::Command;
use crate::workbench::Filter;

/// Fraction of the files that must be new before all rows are sorted again.
const TOGETHER: usize = 8;
/// Maximum number of rows. In a larger project, only the best files have a row until all files are scored, because the
/// rows of a million files would need more memory than all other data about them.
const MOST_ROWS: usize = 50_000;

/// A file that was read.
#[derive(Debug, Clone)]
pub struct ScanRow {
    pub file: ScannedFile,
    seen: QuickFile,
    /// Quick score in percent of the best one so far.
    pub percent: u8,
    /// The path in lower case, for filters.
    lower: String,
}

/// Input that waits until the items are scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueuedInput {
    Key(KeyEvent),
    Command(Command),
    Paste(String),
}

/// State of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanStatus {
    Running(Option<ScanStage>),
    /// The person cancelled it.
    Cancelled,
    Failed,
}

/// The first scan of a turn.
#[derive(Debug)]
pub struct Scan {
    /// The turn to open, which can be opened again after the scan was cancelled.
    pub entry: OpenTarget,
    pub list: ScanList,
    pub status: ScanStatus,
    /// Set while a filter is typed.
    pub typing: Option<FilterEdit>,
    /// Input that waits until the items are scored.
    pub waiting: Vec<QueuedInput>,
}

impl Scan {
    /// Starts a scan, with the person's decisions from an earlier one.
    pub fn start(entry: OpenTarget, list: ScanList) -> Self {
        Self { entry, list, status: ScanStatus::Running(None), typing: None, waiting: Vec::new() }
    }

    pub fn is_running(&self) -> bool {
        matches!(self.status, ScanStatus::Running(_))
    }

    /// Stops the scan. The files are dropped, and the person's decisions are kept.
    pub fn stop(&mut self, status: ScanStatus) {
        (self.status, self.typing) = (status, None);
        self.waiting.clear();
        self.list.restart();
    }
}

/// The list during a scan.
#[derive(Debug, Default)]
pub struct ScanList {
    /// Scores files by words alone, while the scan runs.
    pub glance: Option<Arc<QuickScorer>>,
    /// Rows in order of path.
    pub rows: Vec<ScanRow>,
    /// Number of files that were read.
    pub files: usize,
    /// Files that were read but have no row yet.
    held: Vec<ScannedFile>,
    /// Rows that match the filter, best quick score first.
    pub visible: Vec<usize>,
    pub cursor: usize,
    pub offset: usize,
    pub filter_line: LineEdit,
    pub filter: Filter,
    /// True if the person moved the cursor.
    pub moved: bool,
    /// True if the person typed a filter.
    pub filtered: bool,
    /// Overrides to apply once items are scored, oldest first.
    pub overrides: Vec<(Command, String)>,
}

impl ScanList {
    /// Adds files; the cursor stays on its file. All rows are scored and sorted again, so a long list waits for more
    /// new files, which keeps the time per file constant.
    pub fn add(&mut self, mut files: Vec<ScannedFile>) {
        self.files += files.len();
        self.held.append(&mut files);
        if self.held.len() > (self.files - self.held.len()) / TOGETHER {
            self.show_all();
        }
    }

    /// Creates rows for all added files, up to `MOST_ROWS`.
    pub fn show_all(&mut self) {
        let files = std::mem::take(&mut self.held);
        let on = self.moved.then(|| self.current().map(ToOwned::to_owned)).flatten();
        let glance = self.glance.clone();
        let seen = |file: &ScannedFile| glance.as_ref().map_or_else(QuickFile::default, |glance| glance.at(file));
        let arrived =
            |file: ScannedFile| ScanRow { lower: file.path.to_lowercase(), seen: seen(&file), percent: 0, file };
        self.rows.extend(files.into_iter().map(arrived));
        // The list is mostly sorted already, which makes this sort fast.
        self.rows.sort_by(|a, b| a.file.path.cmp(&b.file.path));
        if let Some(glance) = glance {
            let shares = glance.shares(&self.rows.iter().map(|row| &row.seen).collect::<Vec<_>>());
            for (row, share) in self.rows.iter_mut().zip(shares) {
                row.percent = (share * 100.0).round() as u8;
            }
        }
        self.keep_best(on.as_deref());
        self.narrow(on.as_deref());
    }

    /// Drops the rows with the lowest quick scores if there are too many, except the row of the path `on`.
    fn keep_best(&mut self, on: Option<&str>) {
        if self.rows.len() <= MOST_ROWS {
            return;
        }
        let mut best: Vec<usize> = (0..self.rows.len()).collect();
        best.select_nth_unstable_by_key(MOST_ROWS, |at| (Reverse(self.rows[*at].percent), *at));
        let mut is_best = vec![false; self.rows.len()];
        for at in &best[..MOST_ROWS] {
            is_best[*at] = true;
        }
        let mut is_best = is_best.into_iter();
        self.rows.retain(|row| is_best.next() == Some(true) || on == Some(row.file.path.as_str()));
    }

    /// Returns true if some files have no row, because there are too many.
    pub fn is_partial(&self) -> bool {
        self.rows.len() + self.held.len() < self.files
    }

    /// Returns true if rows are sorted by quick score, false if they are sorted by path.
    pub fn is_judged(&self) -> bool {
        self.rows.iter().any(|row| row.percent > 0)
    }

    /// Applies the filter again.
    pub fn refilter(&mut self) {
        self.filtered = true;
        self.filter = Filter::parse(self.filter_line.text());
        let on = self.current().map(ToOwned::to_owned);
        self.narrow(on.as_deref());
    }

    fn narrow(&mut self, on: Option<&str>) {
        let mut tester = self.filter.by_name();
        let fits = |row: &ScanRow| tester.matches(&row.file.path, &row.lower, row.file.language);
        self.visible = self.rows.iter().map(fits).enumerate().filter(|(_, fits)| *fits).map(|(at, _)| at).collect();
        self.visible.sort_by_key(|at| Reverse(self.rows[*at].percent));
        self.cursor = on
            .and_then(|path| self.visible.iter().position(|at| self.rows[*at].file.path == path))
            .unwrap_or(if on.is_some() { 0 } else { self.cursor })
            .min(self.visible.len().saturating_sub(1));
    }

    /// Row at a position.
    pub fn row(&self, at: usize) -> Option<&ScanRow> {
        self.visible.get(at).map(|row| &self.rows[*row])
    }

    /// The path under the cursor.
    pub fn current(&self) -> Option<&str> {
        self.row(self.cursor).map(|row| row.file.path.as_str())
    }

    pub fn go_to(&mut self, at: usize) {
        self.cursor = at.min(self.visible.len().saturating_sub(1));
        self.moved = true;
    }

    /// The pending override for a path.
    pub fn overridden(&self, path: &str) -> Option<Command> {
        let last = self.overrides.iter().rev().find(|(_, ruled)| ruled == path)?;
        (last.0 != Command::Reset).then_some(last.0)
    }

    /// Drops the files and keeps the person's decisions.
    pub fn restart(&mut self) {
        let Self { filter_line, filter, filtered, overrides, .. } = std::mem::take(self);
        *self = Self { filter_line, filter, filtered, overrides, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Task, Weights};

    fn files(paths: &[&str]) -> Vec<ScannedFile> {
        paths.iter().map(|path| ScannedFile { path: (*path).to_owned(), lines: 1, ..ScannedFile::default() }).collect()
    }

    #[test]
    fn the_cursor_stays_on_the_file_it_was_put_on() {
        let mut list = ScanList::default();
        list.add(files(&["m.rs", "z.rs"]));
        list.add(files(&["a.rs"]));
        assert_eq!((list.cursor, list.current()), (0, Some("a.rs")), "nobody moved it");
        list.go_to(1);
        list.add(files(&["b.rs", "c.rs", "zz.rs"]));
        assert_eq!(list.current(), Some("m.rs"));
        list.filter_line.insert("Z");
        list.refilter();
        assert!(list.visible.is_empty() && list.current().is_none(), "a capital matches as it is");
        list.filter_line = LineEdit::new("z tier:raw");
        list.refilter();
        assert_eq!(list.visible.len(), 2, "what only scores can tell narrows nothing yet");
    }

    #[test]
    fn many_rows_are_not_sorted_again_for_a_few_files() {
        let mut list = ScanList::default();
        let paths: Vec<String> = (0..100).map(|at| format!("{at:03}")).collect();
        list.add(files(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
        list.add(files(&["a"]));
        assert_eq!(list.rows.len(), 100);
        list.add(files(&["b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"]));
        assert_eq!(list.rows.len(), 113, "an eighth of what is there");
        list.add(files(&["n"]));
        list.show_all();
        assert_eq!(list.rows.len(), 114);
    }

    #[test]
    fn too_many_files_leave_rows_for_the_best() {
        let glance = QuickScorer::new(&Task::new("Refund a payment"), Weights::default());
        let mut list = ScanList { glance: Some(Arc::new(glance)), ..ScanList::default() };
        let named = |word: &str, count: usize| -> Vec<ScannedFile> {
            (0..count).map(|at| ScannedFile { path: format!("{word}/{at:06}.rs"), ..ScannedFile::default() }).collect()
        };
        list.add(named("other", 100));
        list.go_to(40);
        list.add(named("refund", 10));
        list.add(named("later", MOST_ROWS + 500));
        list.show_all();
        assert_eq!((list.files, list.rows.len()), (MOST_ROWS + 610, MOST_ROWS + 1), "the cursor's row stays, too");
        assert!(list.is_partial() && list.rows.iter().filter(|row| row.file.path.starts_with("refund")).count() == 10);
        assert_eq!(list.current(), Some("other/000040.rs"));
    }

    #[test]
    fn the_last_override_of_a_path_counts() {
        let overrides = vec![(Command::Pin, "a".to_owned()), (Command::Exclude, "a".to_owned())];
        let mut list = ScanList { overrides, ..ScanList::default() };
        assert_eq!((list.overridden("a"), list.overridden("b")), (Some(Command::Exclude), None));
        list.overrides.push((Command::Reset, "a".to_owned()));
        assert_eq!(list.overridden("a"), None);
        list.restart();
        assert_eq!(list.overrides.len(), 3);
    }
}
