//! The only mutable model: overrides, limit and auto-fill, with undo. The command line and the screen use the same
//! actions.

pub mod filter;
pub mod lines;
pub mod paths;
mod pin_lines;
mod places;
pub mod select;
pub mod sort;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

pub use crate::project::overrides::{Step, Verb};
pub use filter::Filter;
use lines::Target;
use places::IndexedPlacement;
pub use sort::Sort;

use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::item::Source;
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::place::{
    Budget, Costs, Decision, Decisions, Form, Override, PinnedLines, PlacedItem, Placement, PlacementRequest, Tier,
};
use crate::score::Scores;

/// An action by a person. Each override flag and each override key is one of these actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Always RAW, in full.
    Pin(Vec<ItemId>),
    /// Always RAW, with exactly these lines, or in full if there are none.
    PinLines(Vec<(ItemId, Vec<PinnedLines>)>),
    /// Always LINKED.
    Link(Vec<ItemId>),
    /// Demote one tier.
    Demote(Vec<ItemId>),
    /// Promote one tier.
    Promote(Vec<ItemId>),
    /// Exclude from the payload.
    Exclude(Vec<ItemId>),
    /// Reset the override.
    Clear(Vec<ItemId>),
    /// Set the token limit.
    Limit(usize),
    /// Turn auto-fill on or off.
    Fill(bool),
}

/// Items, overrides and budget, and the placement that follows from them.
pub struct Workbench {
    corpus: Arc<Corpus>,
    scores: Arc<Scores>,
    costs: Arc<dyn Costs>,
    /// Decisions from `.context` files and the configuration, which steps override.
    context_decisions: Decisions,
    budget: Budget,
    fill: bool,
    steps: Vec<Step>,
    undone: Vec<Step>,
    /// Placement after all steps. It is computed on first use, so that several steps cause only one computation.
    placement: OnceLock<IndexedPlacement>,
}

impl Clone for Workbench {
    /// A clone is made in order to change it, so it does not copy the placement.
    fn clone(&self) -> Self {
        Self {
            corpus: Arc::clone(&self.corpus),
            scores: Arc::clone(&self.scores),
            costs: Arc::clone(&self.costs),
            context_decisions: self.context_decisions.clone(),
            budget: self.budget,
            fill: self.fill,
            steps: self.steps.clone(),
            undone: self.undone.clone(),
            placement: OnceLock::new(),
        }
    }
}

impl Workbench {
    /// A workbench without steps.
    pub fn new(
        corpus: Arc<Corpus>,
        scores: Arc<Scores>,
        costs: Arc<dyn Costs>,
        context_decisions: Decisions,
        budget: Budget,
        fill: bool,
    ) -> Self {
        let (steps, undone, placement) = (Vec::new(), Vec::new(), OnceLock::new());
        Self { corpus, scores, costs, context_decisions, budget, fill, steps, undone, placement }
    }

    /// The placement after all steps.
    pub fn placement(&self) -> &Placement {
        &self.indexed().placement
    }

    fn indexed(&self) -> &IndexedPlacement {
        self.placement.get_or_init(|| self.placed_with(&self.steps).into())
    }

    /// The corpus.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The corpus, shared with another workbench.
    pub fn shared_corpus(&self) -> Arc<Corpus> {
        Arc::clone(&self.corpus)
    }

    /// The scores.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// All steps, oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Undone steps, the next to redo last.
    pub fn undone(&self) -> &[Step] {
        &self.undone
    }

    /// Auto-fill and token limit after all steps.
    pub fn settings(&self) -> (bool, Budget) {
        settings(&self.steps, self.fill, self.budget)
    }

    /// Tokenizer.
    pub fn tokenizer(&self) -> Tokenizer {
        self.budget.tokenizer
    }

    /// Tokens of the full item, if it is not included in full and has been counted.
    pub fn whole_tokens(&self, placed: &PlacedItem) -> Option<usize> {
        let counted = || match self.corpus.items[placed.item].source {
            Source::File(file) if placed.form != Form::Whole => self.corpus.counted(file, self.tokenizer()),
            _ => None,
        };
        placed.whole_tokens.or_else(counted)
    }

    /// Restores the steps of an earlier run. Steps for missing files are kept but have no effect.
    pub fn restore(&mut self, steps: Vec<Step>, undone: Vec<Step>) {
        self.steps = steps;
        self.undone = undone;
        self.placement = OnceLock::new();
    }

    /// Applies an action. If that is not possible, the error says why.
    pub fn apply(&mut self, action: &Action) -> Result<()> {
        let step = self.step_for(action, &HashMap::new())?;
        self.push(step);
        Ok(())
    }

    /// Applies several actions, all relative to the placement before them. Actions without an effect are skipped, such
    /// as demoting an item that is not included.
    pub fn apply_all(&mut self, actions: &[Action]) -> Result<()> {
        let mut steps = Vec::new();
        let mut moved = HashMap::new();
        for action in actions {
            let step = match self.step_for(action, &moved) {
                Err(Error::NoEffect { .. }) => continue,
                step => step?,
            };
            for target in step.targets.iter().filter_map(|text| Target::find(&self.corpus, text)) {
                moved.extend(step.verb.tier().map(|tier| (target.item, tier)));
            }
            steps.push(step);
        }
        for step in steps {
            self.push(step);
        }
        Ok(())
    }

    fn push(&mut self, step: Step) {
        self.steps.push(step);
        self.undone.clear();
        self.placement = OnceLock::new();
    }

    /// The placement that an action would lead to, without applying the action.
    pub fn preview(&self, action: &Action) -> Result<Placement> {
        let mut steps = self.steps.clone();
        steps.push(self.step_for(action, &HashMap::new())?);
        Ok(self.placed_with(&steps))
    }

    /// Undoes the last step.
    pub fn undo(&mut self) -> Result<()> {
        let step = self.steps.pop().ok_or_else(|| Error::negative("there is nothing to undo", ""))?;
        self.undone.push(step);
        self.placement = OnceLock::new();
        Ok(())
    }

    /// Redoes the last undone step.
    pub fn redo(&mut self) -> Result<()> {
        let step = self.undone.pop().ok_or_else(|| Error::negative("there is nothing to redo", ""))?;
        self.steps.push(step);
        self.placement = OnceLock::new();
        Ok(())
    }

    /// Tiers of these items. The tiers in `moved` take precedence.
    fn tiers_of(&self, items: &[ItemId], moved: &HashMap<ItemId, Tier>) -> HashMap<ItemId, Tier> {
        let tier = |item: &ItemId| moved.get(item).copied().or_else(|| Some(self.placed(*item)?.tier));
        items.iter().filter_map(|item| Some((*item, tier(item)?))).collect()
    }

    /// The step for an action, assuming that the items in `moved` already have the given tiers.
    fn step_for(&self, action: &Action, moved: &HashMap<ItemId, Tier>) -> Result<Step> {
        let (verb, items) = match action {
            Action::Limit(limit) => {
                Budget::new(*limit, self.budget.split, self.budget.tokenizer)?;
                return Ok(Step { verb: Verb::Limit(*limit), targets: Vec::new() });
            }
            Action::Fill(on) => return Ok(Step { verb: Verb::Fill(*on), targets: Vec::new() }),
            Action::Pin(items) => (Verb::Set(Override::Pin), items),
            Action::PinLines(pins) => return self.line_pins(pins),
            Action::Link(items) => (Verb::Set(Override::Link), items),
            Action::Exclude(items) => (Verb::Set(Override::Exclude), items),
            Action::Clear(items) => (Verb::Clear, items),
            Action::Demote(items) => (self.demotion(items, moved)?, items),
            Action::Promote(items) => {
                let (verb, lowest) = self.promotion(items, moved)?;
                self.refuse_bound(&lowest)?;
                return Ok(self.step(verb, &lowest));
            }
        };
        if items.is_empty() {
            return Err(nothing_to(verb.name()));
        }
        if verb == Verb::Set(Override::Pin) || verb == Verb::Set(Override::Link) {
            self.refuse_bound(items)?;
        }
        Ok(self.step(verb, items))
    }

    /// Rejects overrides of items that are excluded together with their file, because these overrides would have no
    /// effect.
    fn refuse_bound(&self, items: &[ItemId]) -> Result<()> {
        let decisions = self.decisions(&self.steps);
        let excluded =
            |item: &ItemId| decisions.get(item).is_some_and(|decision| decision.overridden == Override::Exclude);
        let binding = |item: &ItemId| self.corpus.items[*item].about.map(ItemId::from).filter(excluded);
        let Some(bound) = items.iter().map(binding).collect::<Option<Vec<ItemId>>>() else { return Ok(()) };
        let path = |item: ItemId| &self.corpus.items[item].path;
        let what = format!("{} belongs to {}, which is excluded", path(items[0]), path(bound[0]));
        Err(Error::NoEffect { what, hint: "reset the exclusion first".to_owned() })
    }

    /// The place of an item.
    pub fn placed(&self, item: ItemId) -> Option<Cow<'_, PlacedItem>> {
        (item.index() < self.corpus.items.len()).then(|| self.indexed().get(item))
    }

    fn step(&self, verb: Verb, items: &[ItemId]) -> Step {
        Step { verb, targets: items.iter().map(|item| self.corpus.items[*item].path.clone()).collect() }
    }

    fn demotion(&self, items: &[ItemId], moved: &HashMap<ItemId, Tier>) -> Result<Verb> {
        let tiers = self.tiers_of(items, moved);
        let highest = tiers.values().min().ok_or_else(|| nothing_to("demote"))?;
        match highest {
            Tier::Out => Err(Error::no_effect("the item is already not included")),
            tier if tiers.values().all(|other| other == tier) => Ok(Verb::Move(tier.below())),
            // Demoted items must not rise again when tokens become available.
            tier => Ok(Verb::Set(Override::Demote(tier.below()))),
        }
    }

    /// Creates the step that promotes the items with the lowest tier among `items`. Also returns the promoted items.
    fn promotion(&self, items: &[ItemId], moved: &HashMap<ItemId, Tier>) -> Result<(Verb, Vec<ItemId>)> {
        let tiers = self.tiers_of(items, moved);
        let lowest = tiers.values().max().ok_or_else(|| nothing_to("promote"))?;
        let verb = match lowest {
            Tier::Raw => return Err(Error::no_effect("the item is already in RAW")),
            Tier::Linked => Verb::Set(Override::Pin),
            Tier::Summary => Verb::Set(Override::Link),
            Tier::Out => Verb::Move(Tier::Summary),
        };
        Ok((verb, items.iter().copied().filter(|item| tiers.get(item) == Some(lowest)).collect()))
    }

    fn placed_with(&self, steps: &[Step]) -> Placement {
        let (fill, budget) = settings(steps, self.fill, self.budget);
        let decisions = self.decisions(steps);
        let start = Instant::now();
        let request = PlacementRequest {
            items: &self.corpus.items,
            scores: &self.scores,
            decisions: &decisions,
            budget,
            fill,
            costs: self.costs.as_ref(),
        };
        let placement = request.place();
        let count = |tier: Tier| placement.tier(tier).count();
        log::debug!(
            target: "teddy",
            candidates = self.corpus.items.len(),
            raw = count(Tier::Raw),
            linked = count(Tier::Linked),
            summary = count(Tier::Summary),
            tokens = placement.usage.total,
            limit = placement.limit,
            utilization = (placement.usage.total as f64 / placement.limit.max(1) as f64 * 1000.0).round() / 1000.0,
            ms = (start.elapsed().as_secs_f64() * 10_000.0).round() / 10.0;
            "place"
        );
        placement
    }

    fn decisions(&self, steps: &[Step]) -> Decisions {
        let mut decisions = self.context_decisions.clone();
        for step in steps {
            let mut of_step: HashSet<ItemId> = HashSet::new();
            for target in step.targets.iter().filter_map(|text| Target::find(&self.corpus, text)) {
                let item = target.item;
                // Lines that no longer exist pin nothing. In particular, they do not pin the whole file.
                if target.lines.as_ref().is_some_and(Vec::is_empty) {
                    continue;
                }
                match (step.verb, target.lines) {
                    (Verb::Set(Override::Pin), Some(lines)) => {
                        let more = match decisions.get(&item).map(|decision| decision.lines.as_slice()) {
                            _ if of_step.insert(item) => &[],
                            // Another target of the same step pins the whole file.
                            Some([]) => continue,
                            Some(before) => before,
                            None => &[],
                        };
                        decisions.insert(item, Decision::pinned([more, &lines].concat()));
                    }
                    (Verb::Set(overridden), None) => {
                        of_step.insert(item);
                        // An item that a person included stays in the payload when it is demoted, regardless of its
                        // score.
                        let moved = decisions.get(&item).is_some_and(|before: &Decision| {
                            before.moved || matches!(before.overridden, Override::Pin | Override::Link)
                        });
                        decisions.insert(item, Decision { moved, ..Decision::whole(overridden) });
                    }
                    (Verb::Move(tier), None) => drop(decisions.insert(item, Decision::moved_to(tier))),
                    (Verb::Clear, None) => drop(decisions.remove(&item)),
                    // Only a pin can name lines.
                    _ => {}
                }
            }
        }
        decisions
    }
}

fn nothing_to(verb: &str) -> Error {
    Error::no_effect(format!("no item is selected to {verb}"))
}

fn settings(steps: &[Step], fill: bool, budget: Budget) -> (bool, Budget) {
    steps.iter().fold((fill, budget), |(fill, budget), step| match step.verb {
        Verb::Limit(limit) => (fill, Budget { limit, ..budget }),
        Verb::Fill(on) => (on, budget),
        Verb::Set(_) | Verb::Move(_) | Verb::Clear => (fill, budget),
    })
}
