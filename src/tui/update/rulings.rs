//! Rulings, undo, budget and fill: each is a `workbench::Action`, and each is kept at once.

use std::sync::Arc;

use super::Effects;
use crate::error::{Error, Result};
use crate::text::{short_count, thousands};
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::bench::Bench;
use crate::workbench::{Action, Verb, Workbench};

/// Rules on the marks, the range or what is under the cursor.
pub fn rule(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let targets = bench.targets();
    rule_on(state, command, targets, effects);
}

fn rule_on(state: &mut State, command: Command, targets: Vec<usize>, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let what = named(bench, &targets);
    let single = if let [item] = targets.as_slice() { Some(*item) } else { None };
    let action = match command {
        Command::Pin => Action::Pin(targets),
        Command::Demote => Action::Demote(targets),
        Command::Promote => Action::Promote(targets),
        Command::Exclude => Action::Exclude(targets),
        _ => Action::Clear(targets),
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
    let tier = single.and_then(|item| bench.placed(item)).map(|placed| placed.tier);
    let now = tier.map_or_else(String::new, |tier| format!(", now {}", tier_name(tier)));
    after(state, result, &format!("{done} {what}{now}"), effects);
}

/// Rules on one path, as was asked for before it was scored.
pub fn rule_path(state: &mut State, command: Command, path: &str, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let Some(item) = bench.item_at(path) else {
        return state.why_not(format!("{path} is gone since it was read: nothing was ruled"));
    };
    rule_on(state, command, vec![item], effects);
}

fn tier_name(tier: crate::place::Tier) -> &'static str {
    match tier {
        crate::place::Tier::Raw => "RAW",
        crate::place::Tier::Linked => "LINKED",
        crate::place::Tier::Summary => "SUMMARY",
        crate::place::Tier::Out => "left out",
    }
}

fn verb_words(verb: Verb) -> String {
    match verb {
        Verb::Move(tier) => format!("to {}:", tier_name(tier)),
        other => other.name().to_owned(),
    }
}

fn named(bench: &Bench, items: &[usize]) -> String {
    match items {
        [item] => bench.model.corpus().items[*item].path.clone(),
        items => format!("{} items", thousands(items.len())),
    }
}

/// Takes the last step back, or does it again.
pub fn undo(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let steps = if command == Command::Undo { bench.model.steps() } else { bench.model.undone() };
    let said = steps.last().map_or_else(String::new, |step| {
        let what = match step.targets.as_slice() {
            [] => step.verb.to_text().replace(':', " "),
            [one] => format!("{} {one}", verb_words(step.verb)),
            several => format!("{} {} items", verb_words(step.verb), thousands(several.len())),
        };
        format!("{}: {what}", if command == Command::Undo { "undone" } else { "done again" })
    });
    let item = steps.last().and_then(|step| step.targets.first()).and_then(|path| bench.item_at(path));
    let result = change(bench, |model| if command == Command::Undo { model.undo() } else { model.redo() });
    if let (Ok(()), Some(item)) = (&result, item) {
        bench.go_to(&crate::tui::state::rows::RowKey::Item(item));
    }
    after(state, result, &said, effects);
}

/// Raises or lowers the limit, in steps that suit its size.
pub fn budget(state: &mut State, command: Command, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let limit = bench.model.settings().1.limit;
    let to = next_limit(limit, command == Command::BudgetUp);
    let result = change(bench, |model| model.apply(&Action::Limit(to)));
    after(state, result, &format!("budget {} tokens (was {})", thousands(to), short_count(limit)), effects);
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
    after(state, result, &format!("budget {} tokens", thousands(limit)), effects);
}

/// Fills the free budget, or stops doing so.
pub fn fill(state: &mut State, effects: &mut Effects) {
    let Some(bench) = state.bench.as_mut() else { return };
    let on = !bench.model.settings().0;
    let result = change(bench, |model| model.apply(&Action::Fill(on)));
    let usage = bench.model.placement().usage;
    let said = if on {
        format!("filled with the next best: {} of {}", thousands(usage.total), thousands(bench.model.placement().limit))
    } else {
        "no longer filled".to_owned()
    };
    after(state, result, &said, effects);
}

/// Changes the model; a job that still looks at it keeps its own copy.
fn change(bench: &mut Bench, act: impl FnOnce(&mut Workbench) -> Result<()>) -> Result<()> {
    let result = act(Arc::make_mut(&mut bench.model));
    if result.is_ok() {
        bench.version += 1;
        bench.rebuild();
    }
    result
}

fn after(state: &mut State, result: Result<(), Error>, said: &str, effects: &mut Effects) {
    match result {
        Ok(()) => {
            let Some(bench) = &state.bench else { return };
            effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
            let placement = bench.model.placement();
            if placement.over > 0 {
                let over = thousands(placement.over);
                state.why_not(format!("{said}: over budget by {over} tokens, the pins alone need more than there is"));
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
