//! The workbench on the screen: its model, and the state of its views.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::ScanStage;
use super::folds::Folds;
use super::item_order::ItemOrder;
use super::layer::BenchLayer;
use super::line_edit::LineEdit;
use super::rows::{self, Row, RowKey, RowPath};
use super::task_history::TaskHistory;
use crate::app::backend::{AgentRow, ListState, LoadedTurn, TaskSettings, TurnInfo, TurnMode, TurnSnapshot};
use crate::ids::ItemId;
use crate::place::{Override, PlacedItem, Tier, is_unmentioned};
use crate::render::Renderer;
use crate::tui::command::{Command, Context};
use crate::tui::message::Preview;
use crate::tui::pane::{PaneText, PaneView};
use crate::tui::state::last_change::LastChange;
use crate::workbench::filter::{FilterFacts, TextMatches};
use crate::workbench::paths::LowerPaths;
use crate::workbench::{Filter, Sort, Workbench};

/// The visible panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Zoom {
    #[default]
    Both,
    /// Only the right pane.
    Pane,
}

/// Background work of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackgroundWork {
    Scanning(Option<ScanStage>),
    Rescanning(Option<ScanStage>),
    Rescoring,
    Copying,
    Writing,
}

/// Inputs of a preview: the row under the cursor, the range, the number of selected items, the version of the model,
/// and true if the cursor is on the token map.
pub type PreviewKey = (Option<RowKey>, Option<(usize, usize)>, usize, u64, bool);

/// Inputs of the pane: item, view and the version of the model.
pub type PaneKey = (ItemId, PaneView, u64);

/// The cursor in the right pane while it has focus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaneFocus {
    /// Its row in the pane's text.
    pub row: usize,
    /// The row where a range began.
    pub range: Option<usize>,
    /// Search text.
    pub sought: String,
    /// Commands typed before the text has arrived; they run once it has.
    pub queued: Vec<Command>,
}

/// The workbench on the screen.
pub struct Bench {
    pub model: Arc<Workbench>,
    pub renderer: Arc<dyn Renderer>,
    pub about: Arc<TurnInfo>,
    /// Overlays of the workbench, topmost last.
    pub layers: Vec<BenchLayer>,
    pub work: Option<BackgroundWork>,
    /// Message for the end of the current rescan, instead of the usual one.
    pub after_rescan: Option<String>,
    pub rows: Vec<Row>,
    pub cursor: usize,
    pub offset: usize,
    pub filter_line: LineEdit,
    pub filter: Filter,
    /// Results of the filter's `text:` terms in contents.
    pub texts: TextMatches,
    /// The text that contents are being searched for.
    pub searching: Option<String>,
    /// Last filter; `n` moves through its matches even after it is cleared.
    pub sought: String,
    pub only: Option<Tier>,
    pub sort: Sort,
    pub tree: bool,
    pub folds: Folds,
    /// True once the tree has been shown.
    was_tree: bool,
    pub selected: HashSet<ItemId>,
    /// Row where a range began, by its content.
    pub range: Option<RowKey>,
    pub view: PaneView,
    pub pane_scroll: usize,
    /// Horizontal scroll offset of the pane.
    pub pane_shift: usize,
    /// Line of the file to scroll to when the pane shows it.
    pub pane_goal: Option<usize>,
    pub shown: Option<PaneText>,
    /// The cursor of the right pane, while the pane has focus.
    pub focus: Option<PaneFocus>,
    pub zoom: Zoom,
    pub ghost: Option<Preview>,
    /// The items that the previewed override changes.
    pub ghost_items: HashSet<ItemId>,
    /// The last override, undo or change to the budget.
    pub last_change: Option<LastChange>,
    /// Changes to the task.
    tasks: TaskHistory,
    /// Number of files whose tokens are counted.
    pub counted: usize,
    /// Version of the model, for detecting outdated results.
    pub version: u64,
    /// Inputs of the contents that the pane should show, and the latest request for contents, with its width.
    pub pane_key: Option<PaneKey>,
    pub pane_request: Option<(PaneKey, u16)>,
    /// Latest request for the preview.
    pub preview_key: Option<PreviewKey>,
    /// Paths of all items in lower case.
    lower: LowerPaths,
    /// All items in the order of the list.
    order: ItemOrder,
    /// Number of items that did not fit.
    pub unfitted: usize,
    /// Requests of agents during the turn; `None` until they are read.
    pub requests: Option<Vec<AgentRow>>,
    /// Number of items that match the filter, including those in folded directories.
    pub matching: usize,
}

impl Bench {
    pub fn new(opened: LoadedTurn) -> Self {
        let LoadedTurn { bench, renderer, about } = opened;
        let left = about.left.clone();
        let mut new = Self {
            model: Arc::new(bench),
            renderer,
            about: Arc::new(about),
            layers: Vec::new(),
            work: None,
            after_rescan: None,
            rows: Vec::new(),
            cursor: 0,
            offset: 0,
            filter_line: LineEdit::default(),
            filter: Filter::default(),
            texts: TextMatches::default(),
            searching: None,
            sought: String::new(),
            only: None,
            sort: left.sort.as_deref().and_then(Sort::named).unwrap_or_default(),
            tree: false,
            folds: Folds::default(),
            was_tree: false,
            selected: HashSet::new(),
            range: None,
            view: PaneView::default(),
            pane_scroll: 0,
            pane_shift: 0,
            pane_goal: None,
            shown: None,
            focus: None,
            zoom: Zoom::Both,
            ghost: None,
            ghost_items: HashSet::new(),
            last_change: None,
            tasks: TaskHistory::default(),
            counted: 0,
            version: 0,
            pane_key: None,
            pane_request: None,
            preview_key: None,
            lower: LowerPaths::default(),
            order: ItemOrder::default(),
            unfitted: 0,
            requests: None,
            matching: 0,
        };
        new.index();
        if let Some(filter) = &left.filter {
            new.filter_line = LineEdit::new(filter);
            new.filter = Filter::parse(filter);
            new.sought.clone_from(filter);
        }
        new.rebuild();
        if let Some(item) = left.cursor.and_then(|path| new.item_at(&path)) {
            new.go_to(&RowKey::Item(item));
        }
        new
    }

    /// Context of the workbench's keys, ignoring overlays.
    pub fn context(&self) -> Context {
        match self.about.mode {
            _ if self.focus.is_some() => Context::Pane,
            TurnMode::Open => Context::Workbench,
            TurnMode::Answered | TurnMode::Finished => Context::Answer,
        }
    }

    /// Applies a new scan or another task; overrides, cursor and selected items are kept.
    pub fn replace(&mut self, opened: LoadedTurn) {
        let LoadedTurn { mut bench, renderer, about } = opened;
        // A scan adds steps for edits of the turn's list. They follow the existing steps.
        let edits = bench.steps().to_vec();
        let undone = if edits.is_empty() { self.model.undone().to_vec() } else { Vec::new() };
        bench.restore([self.model.steps(), &edits].concat(), undone);
        let path = |item: ItemId| self.model.corpus().items[item].path.clone();
        let selected: Vec<String> = self.selected.iter().map(|item| path(*item)).collect();
        // Items have new ids, so the links of the old text would lead to other items.
        let shown = self.shown.take().map(|shown| (path(shown.item), shown));
        let spot = self.spot();
        self.model = Arc::new(bench);
        self.renderer = renderer;
        self.about = Arc::new(about);
        self.index();
        self.selected = selected.iter().filter_map(|path| self.item_at(path)).collect();
        self.shown = shown.and_then(|(path, shown)| Some(shown.moved_to(self.item_at(&path)?)));
        self.texts = TextMatches::default();
        self.searching = None;
        self.range = None;
        self.ghost = None;
        self.counted = 0;
        self.version += 1;
        self.rows.clear();
        self.rebuild();
        self.go_back(spot);
    }

    /// Switches to another view of the item.
    pub fn look_at(&mut self, view: PaneView) {
        self.view = view;
        self.leave_pane_text();
    }

    /// Drops the commands that wait for the pane's text, because other text was requested. The old text stays until the
    /// new one arrives.
    pub fn leave_pane_text(&mut self) {
        if let Some(focus) = &mut self.focus {
            focus.queued.clear();
        }
    }

    /// Contents of the pane; `None` if they belong to another item or view.
    pub fn in_pane(&self) -> Option<&PaneText> {
        self.shown.as_ref().filter(|shown| Some(shown.item) == self.current() && shown.view == self.view)
    }

    /// Number of rows of the pane's contents.
    pub fn pane_lines(&self) -> usize {
        self.in_pane().map_or(0, |shown| shown.lines.len())
    }

    /// Sets the contents of a pane with this number of rows.
    pub fn show(&mut self, shown: PaneText, rows: usize) {
        let same = |before: &&PaneText| before.item == shown.item && before.view == shown.view;
        if let Some(before) = self.shown.as_ref().filter(same)
            && before.width != shown.width
        {
            // Lines wrap differently at another width; the top line stays the same.
            let top = before.lines.get(self.pane_scroll).map_or(0, |line| line.source);
            self.pane_scroll = shown.lines.partition_point(|line| line.source < top);
        }
        let same_text = self.shown.as_ref().is_some_and(|before| same(&before));
        let last = shown.lines.len().saturating_sub(1);
        if let (Some(before), Some(focus), true) = (&self.shown, &mut self.focus, same_text) {
            let moved = |row: usize| match before.number_at(row) {
                Some(number) => shown.row_of(number).unwrap_or(row),
                None => row,
            };
            focus.row = moved(focus.row).min(last);
            focus.range = focus.range.map(|row| moved(row).min(last));
        }
        if !same_text {
            let first = if self.pane_goal.is_none() { shown.first_row(self.filter.texts().last()) } else { 0 };
            (self.pane_scroll, self.pane_shift) = (first.saturating_sub(2), 0);
            if let Some(focus) = &mut self.focus {
                (focus.row, focus.range) = (first, None);
            }
        }
        if let Some(goal) = self.pane_goal.take() {
            let at = shown.lines.iter().position(|line| line.number == Some(goal));
            // Leaves two lines of context above.
            self.pane_scroll = at.map_or(0, |at| at.saturating_sub(2));
            if let (Some(focus), Some(at)) = (&mut self.focus, at) {
                focus.row = at;
            }
        }
        self.pane_scroll = self.pane_scroll.min(shown.lines.len().saturating_sub(rows));
        self.shown = Some(shown);
    }

    /// Updates the number of counted files. Sorting and filtering by tokens are repeated once all files are counted.
    pub fn count(&mut self, files: usize) {
        self.counted = files;
        if (self.sort == Sort::Tokens || !self.filter.is_empty()) && !self.is_counting() {
            self.order.clear();
            self.rebuild();
        }
    }

    /// Returns true if some files' tokens are not counted yet.
    pub fn is_counting(&self) -> bool {
        self.counted < self.model.corpus().files.len()
    }

    fn index(&mut self) {
        self.lower = LowerPaths::of(&self.model.corpus().items);
        self.order.clear();
        self.count_unfitted();
    }

    fn count_unfitted(&mut self) {
        let placement = self.model.placement();
        self.unfitted = if placement.over > 0 {
            placement.placed.iter().filter(|placed| self.is_unfitted(placed)).count()
        } else {
            placement.active().filter(|placed| self.is_unfitted(placed)).count()
        };
    }

    /// The item with this path.
    pub fn item_at(&self, path: &str) -> Option<ItemId> {
        crate::workbench::lines::item_named(self.model.corpus(), path)
    }

    /// The item that a step's target names, in full or in part.
    pub fn target(&self, target: &str) -> Option<ItemId> {
        crate::workbench::lines::item(self.model.corpus(), target)
    }

    /// Path of an item.
    pub fn path(&self, item: ItemId) -> &str {
        &self.model.corpus().items[item].path
    }

    /// Position of an item in the placement.
    pub fn placed(&self, item: ItemId) -> Option<Cow<'_, PlacedItem>> {
        self.model.placed(item)
    }

    fn facts(&self) -> FilterFacts<'_> {
        FilterFacts { lower: &self.lower, changed: &self.about.changed, texts: &self.texts }
    }

    /// The first `text:` term of the filter that has not been searched for.
    pub fn text_to_search(&self) -> Option<&str> {
        self.filter.texts().find(|text| !self.texts.knows(text))
    }

    /// The items that match filter and tier, in the order of the list.
    fn matching_items(&self) -> Vec<ItemId> {
        let mut items = self.order.items.clone();
        if let Some(tier) = self.only {
            items.retain(|item| self.placed(*item).is_some_and(|placed| placed.tier == tier));
        }
        if !self.filter.is_empty() {
            let mut tester = self.filter.tester(&self.model, self.facts());
            items.retain(|item| tester.matches(*item));
        }
        items
    }

    /// Updates the rows after an override; the cursor stays on its row.
    pub fn placement_changed(&mut self) {
        let depends = self.sort.depends_on_placement() || self.filter.depends_on_placement();
        if self.tree || self.only.is_some() || depends {
            return self.rebuild();
        }
        self.count_unfitted();
    }

    /// Rebuilds the rows; the cursor stays on its row.
    pub fn rebuild(&mut self) {
        self.count_unfitted();
        self.order.update(&self.model, self.version, (self.sort, self.tree));
        let key = self.rows.get(self.cursor).map(Row::key);
        let items = self.matching_items();
        self.matching = items.len();
        self.rows = if self.tree { self.tree_rows(&items) } else { rows::flat(&items) };
        match key {
            Some(key) => drop(self.go_to(&key)),
            None => self.cursor = 0,
        }
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    fn tree_rows(&self, items: &[ItemId]) -> Vec<Row> {
        let filtered = !self.filter.is_empty();
        let active = self.model.placement().active();
        if items.len() == self.order.items.len() {
            return rows::tree(&self.model, items, active, (&self.folds, filtered));
        }
        let shown: HashSet<ItemId> = items.iter().copied().collect();
        let active = active.filter(|placed| shown.contains(&placed.item));
        rows::tree(&self.model, items, active, (&self.folds, filtered))
    }

    /// Identity of the row under the cursor.
    pub fn spot(&self) -> Option<RowPath> {
        self.rows.get(self.cursor).map(|row| match row.key() {
            RowKey::Item(item) => RowPath::Item(self.model.corpus().items[item].path.clone()),
            RowKey::Directory(directory) => RowPath::Directory(directory),
        })
    }

    /// Restores the cursor if its row still exists.
    pub fn go_back(&mut self, spot: Option<RowPath>) {
        let key = spot.and_then(|spot| match spot {
            RowPath::Item(path) => self.item_at(&path).map(RowKey::Item),
            RowPath::Directory(directory) => Some(RowKey::Directory(directory)),
        });
        if let Some(key) = key {
            self.go_to(&key);
        }
    }

    /// Moves the cursor to a row, or to the folded directory that contains it.
    pub fn go_to(&mut self, key: &RowKey) -> bool {
        let at = |key: &RowKey| self.rows.iter().position(|row| row.is(key));
        let mut found = at(key);
        if found.is_none() && self.tree {
            let path = match key {
                RowKey::Item(item) => self.model.corpus().items[*item].path.clone(),
                RowKey::Directory(path) => path.clone(),
            };
            let directories: Vec<&str> = rows::above(&path).collect();
            found = directories.into_iter().rev().find_map(|directory| at(&RowKey::Directory(directory.to_owned())));
        }
        if let Some(found) = found {
            self.cursor = found;
        }
        found.is_some()
    }

    /// The next matching row in this direction, wrapping around. While a filter is set, every row matches.
    pub fn next_sought(&self, forwards: bool) -> Option<usize> {
        let count = self.rows.len();
        let step = |by: usize| (self.cursor + if forwards { by } else { count - by }) % count;
        if !self.filter.is_empty() {
            return (count > 0).then(|| step(1));
        }
        let filter = Filter::parse(&self.sought);
        let facts = self.facts();
        let mut tester = filter.tester(&self.model, facts);
        let mut fits = |at: usize| match &self.rows[at] {
            Row::Item { item, .. } => tester.matches(*item),
            Row::Directory(_) => false,
        };
        (1..=count).map(step).find(|at| fits(*at))
    }

    /// The item under the cursor, unless it is a directory.
    pub fn current(&self) -> Option<ItemId> {
        match self.rows.get(self.cursor) {
            Some(Row::Item { item, .. }) => Some(*item),
            _ => None,
        }
    }

    /// Rows of the range selection.
    pub fn range_rows(&self) -> Option<(usize, usize)> {
        let key = self.range.as_ref()?;
        let from = self.rows.iter().position(|row| row.is(key)).unwrap_or(self.cursor);
        Some((from.min(self.cursor), from.max(self.cursor)))
    }

    /// Items of a row: one item, or all matching ones below a directory.
    fn items_of(&self, row: &Row, matching: &mut Option<Vec<ItemId>>) -> Vec<ItemId> {
        match row {
            Row::Item { item, .. } => vec![*item],
            Row::Directory(directory) => {
                let matching = matching.get_or_insert_with(|| self.matching_items());
                let is_inside = |item: &ItemId| self.path(*item).starts_with(&directory.path);
                matching.iter().copied().filter(is_inside).collect()
            }
        }
    }

    /// Targets of an override: the selected items, else the range, else the row under the cursor.
    pub fn targets(&self) -> Vec<ItemId> {
        if let Some((from, to)) = self.range_rows() {
            let mut matching = None;
            let rows = self.rows.get(from..=to).unwrap_or_default();
            let mut items: Vec<ItemId> = rows.iter().flat_map(|row| self.items_of(row, &mut matching)).collect();
            items.extend(&self.selected);
            items.sort_unstable();
            items.dedup();
            return items;
        }
        if !self.selected.is_empty() {
            let mut items: Vec<ItemId> = self.selected.iter().copied().collect();
            items.sort_unstable();
            return items;
        }
        self.rows.get(self.cursor).map(|row| self.items_of(row, &mut None)).unwrap_or_default()
    }

    /// Selects or deselects the row under the cursor.
    pub fn toggle_selected(&mut self) {
        let Some(row) = self.rows.get(self.cursor) else { return };
        let items = self.items_of(row, &mut None);
        if items.iter().all(|item| self.selected.contains(item)) {
            for item in &items {
                self.selected.remove(item);
            }
        } else {
            self.selected.extend(items);
        }
    }

    /// Switches between tree and list; the tree starts unfolded down to the items that the payload contains or links.
    pub fn toggle_tree(&mut self) {
        self.tree = !self.tree;
        if self.tree && !std::mem::replace(&mut self.was_tree, true) {
            let included = self.model.placement().active();
            let included = included.filter(|placed| matches!(placed.tier, Tier::Raw | Tier::Linked));
            let above = included.flat_map(|placed| rows::above(self.path(placed.item)));
            self.folds = Folds::opening(above.map(ToOwned::to_owned).collect());
        }
    }

    /// Folds or unfolds every directory.
    pub fn fold_all(&mut self, fold: bool) {
        self.folds.set_all(fold);
    }

    /// Returns true if an item would be in a higher tier if the budget were larger; excerpts do not count. If pins
    /// alone exceed the budget, this applies to all items with points.
    pub fn is_unfitted(&self, placed: &PlacedItem) -> bool {
        let crowded_out = || {
            let scored = self.model.scores().items[placed.item].points > 0;
            self.model.placement().over > 0 && placed.tier == Tier::Out && placed.overridden.is_none() && scored
        };
        // An unlikely item that is not even mentioned needs no action.
        let held_back = placed.held_back.is_some_and(|why| !is_unmentioned(why));
        (held_back && placed.tier != Tier::Raw) || crowded_out()
    }

    /// Positions of items that did not fit, best first, preceded by the pins if these exceed the budget.
    pub fn dropped(&self) -> Vec<usize> {
        let placement = self.model.placement();
        let (mut pins, mut held) = (Vec::new(), Vec::new());
        for (at, placed) in placement.placed.iter().enumerate() {
            if placement.over > 0 && placed.overridden == Some(Override::Pin) {
                pins.push(at);
            } else if self.is_unfitted(placed) {
                held.push(at);
            }
        }
        pins.sort_by_key(|at| std::cmp::Reverse(placement.placed[*at].tokens));
        pins.extend(held);
        pins
    }

    /// Records another task, so that it can be undone.
    pub fn task_changed(&mut self, before: TaskSettings, after: TaskSettings) {
        self.tasks.add(before, after, self.model.steps().len());
    }

    /// The task before the last change, if that was a change to the task.
    pub fn undo_task(&mut self) -> Option<TaskSettings> {
        self.tasks.undo(self.model.steps().len())
    }

    /// The task after the change that was undone last, if that was a change to the task.
    pub fn redo_task(&mut self) -> Option<TaskSettings> {
        self.tasks.redo(self.model.steps().len())
    }

    pub fn can_undo(&self) -> bool {
        !self.model.steps().is_empty() || self.tasks.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.tasks.can_redo(self.model.steps().len()) || !self.model.undone().is_empty()
    }

    /// State of the list, to be saved.
    pub fn list_state(&self) -> ListState {
        let filter = self.filter_line.text().trim();
        ListState {
            sort: (self.sort != Sort::default()).then(|| self.sort.name().to_owned()),
            cursor: self.current().map(|item| self.model.corpus().items[item].path.clone()),
            filter: (!filter.is_empty()).then(|| filter.to_owned()),
        }
    }

    /// Everything needed to render the payload.
    pub fn ready(&self) -> TurnSnapshot {
        TurnSnapshot { bench: Arc::clone(&self.model), renderer: Arc::clone(&self.renderer) }
    }
}
