//! Rulings, undo, budget and fill: each is a `workbench::Action`, and each is kept at once.

use std::collections::HashSet;
use std::sync::Arc;

use super::Effects;
use crate::error::{Error, Result};
use crate::ids::{FileId, ItemId};
use crate::place::{Override, Tier};
use crate::text::{counted, short_count, thousands};
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::bench::Bench;
use crate::workbench::{Action, Step, Verb, Workbench};

/// Rules on the marks, the range or what is under the cursor.
pub fn rule(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let targets = bench.targets();
    rule_on(state, command, &targets, effects);
}

fn rule_on(state: &mut State, command: Command, targets: &[ItemId], effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let what = named(bench, targets);
    let single = if let [item] = targets { Some(*item) } else { None };
    let action = match command {
        Command::Pin => Action::Pin(targets.to_vec()),
        Command::Demote => Action::Demote(targets.to_vec()),
        Command::Promote => Action::Promote(targets.to_vec()),
        Command::Exclude => Action::Exclude(targets.to_vec()),
        _ => Action::Clear(targets.to_vec()),
    };
    let done = match command {
        Command::Pin => "pinned",
        Command::Demote => "demoted",
        Command::Promote => "promoted",
        Command::Exclude => "excluded",
        _ => "cleared",
    };
    let result = change(bench, |model| model.apply(&action));
    if result.is_ok() {
        bench.marks.clear();
        bench.range = None;
    }
    let down = result.as_ref().map(|fallen| pushed_down(bench, fallen, targets)).unwrap_or_default();
    let result = result.map(drop);
    let tier = single.and_then(|item| bench.placed(item)).map(|placed| placed.tier);
    let now = tier.map_or_else(String::new, |tier| format!(", now {}", tier.label()));
    after(state, result, &format!("{done} {what}{now}{down}"), effects);
}

/// Rules on one path, as was asked for before it was scored.
pub fn rule_path(state: &mut State, command: Command, path: &str, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let Some(item) = bench.item_at(path) else {
        return state.why_not(format!("{path} is gone since it was read: nothing was ruled"));
    };
    rule_on(state, command, &[item], effects);
}

/// A step as a person would say it: `pin src/a.rs`, `12 items to LINKED`, `budget 30,000 tokens`.
fn in_words(step: &Step) -> String {
    let what = match step.targets.as_slice() {
        [one] => one.clone(),
        several => counted(several.len(), "item"),
    };
    match step.verb {
        Verb::Move(tier) => format!("{what} to {}", tier.label()),
        Verb::Limit(limit) => format!("budget {} tokens", thousands(limit)),
        Verb::Fill(true) => "filling".to_owned(),
        Verb::Fill(false) => "no longer filling".to_owned(),
        verb @ (Verb::Rule(_) | Verb::Clear) => format!("{} {what}", verb.name()),
    }
}

fn named(bench: &Bench, items: &[ItemId]) -> String {
    match items {
        [item] => bench.model.corpus().items[*item].path.clone(),
        items => counted(items.len(), "item"),
    }
}

/// Takes the last step back, or does it again.
pub fn undo(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let steps = if command == Command::Undo { bench.model.steps() } else { bench.model.undone() };
    let how = if command == Command::Undo { "undone" } else { "done again" };
    let said = steps.last().map_or_else(String::new, |step| format!("{how}: {}", in_words(step)));
    let single = steps.last().is_some_and(|step| step.targets.len() == 1);
    let item = steps.last().and_then(|step| step.targets.first()).and_then(|path| bench.item_at(path));
    let result = change(bench, |model| if command == Command::Undo { model.undo() } else { model.redo() }).map(drop);
    // Who stands on the directory that holds it sees it from there.
    if let (Ok(()), Some(item)) = (&result, item)
        && !bench.targets().contains(&item)
    {
        bench.go_to(&crate::tui::state::rows::RowKey::Item(item));
    }
    let tier = item.filter(|_| single).and_then(|item| bench.placed(item)).map(|placed| placed.tier);
    let now = tier.map_or_else(String::new, |tier| format!("; now {}", tier.label()));
    after(state, result, &format!("{said}{now}"), effects);
}

/// Raises or lowers the limit, in steps that suit its size.
pub fn budget(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let limit = bench.model.settings().1.limit;
    let to = next_limit(limit, command == Command::BudgetUp);
    let result = change(bench, |model| model.apply(&Action::Limit(to)));
    let down = result.as_ref().map(|fallen| pushed_down(bench, fallen, &[])).unwrap_or_default();
    let said = format!("budget {} tokens (was {}){down}", thousands(to), short_count(limit));
    after(state, result.map(drop), &said, effects);
}

/// The next round limit up or down.
fn next_limit(limit: usize, up: bool) -> usize {
    let step = |limit: usize| match limit {
        0..10_000 => 1_000,
        10_000..100_000 => 5_000,
        100_000..400_000 => 20_000,
        _ => 100_000,
    };
    if up {
        let step = step(limit);
        (limit / step + 1) * step
    } else {
        let step = step(limit.saturating_sub(1));
        limit.saturating_sub(1) / step * step
    }
}

/// Sets the limit that a form asks for.
pub fn set_budget(state: &mut State, limit: usize, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let result = change(bench, |model| model.apply(&Action::Limit(limit)));
    let down = result.as_ref().map(|fallen| pushed_down(bench, fallen, &[])).unwrap_or_default();
    after(state, result.map(drop), &format!("budget {} tokens{down}", thousands(limit)), effects);
}

/// Fills the free budget, or stops doing so.
pub fn fill(state: &mut State, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let on = !bench.model.settings().0;
    let result = change(bench, |model| model.apply(&Action::Fill(on))).map(drop);
    let usage = bench.model.placement().usage;
    let said = if on {
        let used = bench.model.tokenizer().figure(usage.total);
        format!("filled with the next best: {used} of {}", thousands(bench.model.placement().limit))
    } else {
        "no longer filled".to_owned()
    };
    after(state, result, &said, effects);
}

/// Changes the model; a job that still looks at it keeps its own copy. Returns the items that stand lower than before.
fn change(bench: &mut Bench, act: impl FnOnce(&mut Workbench) -> Result<()>) -> Result<Vec<ItemId>> {
    let count = bench.model.corpus().items.len();
    let tiers = |bench: &Bench| {
        let mut tiers = vec![Tier::Out; count];
        for placed in &bench.model.placement().placed {
            tiers[placed.item] = placed.tier;
        }
        tiers
    };
    let before = tiers(bench);
    act(Arc::make_mut(&mut bench.model))?;
    bench.version += 1;
    bench.rebuild();
    let now = tiers(bench);
    Ok(ItemId::all(count).filter(|item| before[*item] < now[*item]).collect())
}

/// What stepped down for want of room, in words; what was ruled on does not count.
fn pushed_down(bench: &Bench, fallen: &[ItemId], ruled: &[ItemId]) -> String {
    let ruled: HashSet<ItemId> = ruled.iter().copied().collect();
    // What speaks of a file that is excluded goes with it, room or not.
    let excluded =
        |file: FileId| bench.placed(file.into()).is_some_and(|placed| placed.overridden == Some(Override::Exclude));
    let goes_along = |item: ItemId| bench.model.corpus().items[item].about.is_some_and(excluded);
    let wants_room = |item: &ItemId| !ruled.contains(item) && !goes_along(*item);
    let mut fallen: Vec<ItemId> = fallen.iter().copied().filter(wants_room).collect();
    // The best first: what it says of the rest is that there is more.
    fallen.sort_by_key(|item| std::cmp::Reverse(bench.model.scores().items[*item].points));
    let name = |item: &ItemId| {
        let item = &bench.model.corpus().items[*item];
        let short = item.path.rsplit('/').next().filter(|_| item.kind.is_file());
        short.unwrap_or(&item.path).to_owned()
    };
    let names: Vec<String> = fallen.iter().take(3).map(name).collect();
    match fallen.len() {
        0 => String::new(),
        1..=3 => format!("; no room any more for {}", names.join(", ")),
        more => format!("; no room any more for {} and {} others", names.join(", "), thousands(more - 3)),
    }
}

fn after(state: &mut State, result: Result<(), Error>, said: &str, effects: &mut Effects) {
    match result {
        Ok(()) => {
            let Some(bench) = &state.bench else { return };
            effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
            let placement = bench.model.placement();
            if placement.over > 0 {
                let over = bench.model.tokenizer().figure(placement.over);
                state.why_not(format!("over budget by {over} tokens, the pins alone: {said}"));
            } else {
                state.good(said);
            }
        }
        Err(error) => state.fail(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_moves_in_round_steps() {
        for (from, up, down) in
            [(25_000, 30_000, 20_000), (100_000, 120_000, 95_000), (9_500, 10_000, 9_000), (10_000, 15_000, 9_000)]
        {
            assert_eq!((next_limit(from, true), next_limit(from, false)), (up, down), "{from}");
        }
        assert_eq!(next_limit(0, false), 0);
    }
}
