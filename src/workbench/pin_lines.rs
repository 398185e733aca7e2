//! Pins the lines of an excerpt, adds lines to it, or drops lines from it.

use super::{Action, Override, Step, Verb, Workbench, lines, nothing_to};
use crate::error::{Error, Result};
use crate::ids::ItemId;
use crate::place::{Form, PinnedLines, Span, Tier};
use crate::project::line_spec::without;

impl Workbench {
    /// The step that pins lines of files.
    pub(super) fn line_pins(&self, pins: &[(ItemId, Vec<PinnedLines>)]) -> Result<Step> {
        let items: Vec<ItemId> = pins.iter().map(|(item, _)| *item).collect();
        if items.is_empty() {
            return Err(nothing_to("pin"));
        }
        self.refuse_bound(&items)?;
        let path = |item: ItemId| &self.corpus.items[item].path;
        if let Some((item, _)) =
            pins.iter().find(|(item, lines)| !lines.is_empty() && self.corpus.file_of(*item).is_none())
        {
            return Err(Error::no_effect(format!("{} is not a file; only files have lines to pin", path(*item))));
        }
        let targets = pins.iter().flat_map(|(item, lines)| lines::targets(path(*item), lines)).collect();
        Ok(Step { verb: Verb::Set(Override::Pin), targets })
    }

    /// Pins items as they are in the payload: the lines of an excerpt, otherwise the full item.
    pub fn as_shown(&self, items: &[ItemId]) -> Action {
        let pins = items.iter().map(|item| match self.placed(*item) {
            Some(placed) if placed.tier == Tier::Raw && placed.form != Form::Whole => (*item, self.lines_in(*item)),
            _ => (*item, Vec::new()),
        });
        Action::PinLines(pins.collect())
    }

    /// Adds lines of a file to those that the payload contains.
    pub fn including(&self, item: ItemId, lines: &[PinnedLines]) -> Result<Action> {
        let shown = self.shown_lines(item);
        let spans: Vec<Span> = lines.iter().map(|line| line.span).collect();
        if without(&spans, &shown).is_empty() && self.placed(item).is_some_and(|placed| placed.tier == Tier::Raw) {
            return Err(Error::no_effect("these lines are already included"));
        }
        let mut all = self.lines_in(item);
        all.extend(lines.iter().cloned());
        let spans: Vec<Span> = all.iter().map(|line| line.span).collect();
        let count = self.corpus.item_text(item).lines();
        if without(&[(1, count)], &spans).is_empty() {
            return Ok(Action::Pin(vec![item]));
        }
        Ok(Action::PinLines(vec![(item, all)]))
    }

    /// Drops lines from those that the payload contains. If none remain, the item is excluded, or its override is reset
    /// if it only added lines.
    pub fn dropping(&self, item: ItemId, dropped: &[Span]) -> Result<Action> {
        let shown = self.shown_lines(item);
        let left = without(&shown, dropped);
        if left == without(&shown, &[]) {
            return Err(Error::no_effect("these lines are not included"));
        }
        if left.is_empty() {
            let pinned = !self.pinned_lines(item).is_empty();
            return Ok(if pinned { Action::Clear(vec![item]) } else { Action::Exclude(vec![item]) });
        }
        // A definition stays pinned by its name if none of its lines is dropped.
        let is_kept = |line: &PinnedLines| line.symbol.is_some() && without(&[line.span], &left).is_empty();
        let mut lines: Vec<PinnedLines> = self.pinned_lines(item).into_iter().filter(is_kept).collect();
        let named: Vec<Span> = lines.iter().map(|line| line.span).collect();
        lines.extend(without(&left, &named).into_iter().map(PinnedLines::range));
        Ok(Action::PinLines(vec![(item, lines)]))
    }

    /// The lines of a file that the payload contains, merged; empty for an item that is not in RAW.
    pub fn shown_lines(&self, item: ItemId) -> Vec<Span> {
        let placed = self.placed(item).filter(|placed| placed.tier == Tier::Raw);
        placed.map_or_else(Vec::new, |placed| lines::shown(&self.corpus, item, &placed.form))
    }

    /// The lines as pins: the lines that a person pinned, or else the lines in the payload.
    fn lines_in(&self, item: ItemId) -> Vec<PinnedLines> {
        match self.pinned_lines(item) {
            pinned if pinned.is_empty() => self.shown_lines(item).into_iter().map(PinnedLines::range).collect(),
            pinned => pinned,
        }
    }

    /// The lines of an item that a person pinned; empty if it is not pinned or pinned in full.
    pub fn pinned_lines(&self, item: ItemId) -> Vec<PinnedLines> {
        self.decisions(&self.steps).remove(&item).map(|decision| decision.lines).unwrap_or_default()
    }

    /// The lines of an item that a `.context` file pins.
    pub fn listed_lines(&self, item: ItemId) -> Vec<PinnedLines> {
        self.context_decisions.get(&item).map(|decision| decision.lines.clone()).unwrap_or_default()
    }
}
