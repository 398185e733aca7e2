//! Overrides, undo, budget and auto-fill. Each is a `workbench::Action` and is saved immediately.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Effects;
use super::impact::EarlierPlacement;
use crate::error::{Error, Result};
use crate::ids::ItemId;
use crate::place::Tier;
use crate::text::{counted, thousands};
use crate::tui::command::Command;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::rows::RowKey;
use crate::workbench::select::{PatternMatch, select, with_lines};
use crate::workbench::{Action, Step, Verb, Workbench, lines};

/// Overrides the selected items, the range or the item under the cursor.
pub fn rule(ui: &mut Ui, bench: &mut Bench, command: Command, effects: &mut Effects) {
    let targets = bench.targets();
    rule_on(ui, bench, command, &targets, effects);
}

/// Overrides these items.
pub fn rule_on(ui: &mut Ui, bench: &mut Bench, command: Command, targets: &[ItemId], effects: &mut Effects) {
    let glyphs = ui.theme.glyphs;
    let what = named(bench, targets);
    let (verb, action) = match command {
        Command::Pin => ("Pinned", bench.model.as_shown(targets)),
        Command::PinFull => ("Pinned in full:", Action::Pin(targets.to_vec())),
        Command::Demote => ("Demoted", Action::Demote(targets.to_vec())),
        Command::Promote => ("Promoted", Action::Promote(targets.to_vec())),
        Command::Exclude => ("Excluded", Action::Exclude(targets.to_vec())),
        _ => ("Reset", Action::Clear(targets.to_vec())),
    };
    let before = EarlierPlacement::of(bench);
    let result = change(bench, |model| model.apply(&action));
    if result.is_ok() {
        bench.selected.clear();
        bench.range = None;
    }
    let tier = match command {
        Command::Pin if is_of_lines(&action) => " as shown".to_owned(),
        Command::Pin | Command::PinFull | Command::Exclude => String::new(),
        _ => tier_of(bench, targets),
    };
    let own = before.own_change(bench, targets, glyphs);
    let others = before.other_changes(bench, targets, glyphs);
    after(ui, bench, result, &before, &joined(&format!("{verb} {what}{tier}{own}"), &others), effects);
}

/// Returns true if the action pins lines of a file.
fn is_of_lines(action: &Action) -> bool {
    matches!(action, Action::PinLines(pins) if pins.iter().any(|(_, lines)| !lines.is_empty()))
}

/// Pins lines of a file, or removes them from its pin.
pub fn rule_lines(
    ui: &mut Ui,
    bench: &mut Bench,
    action: Result<Action>,
    item: ItemId,
    said: &str,
    effects: &mut Effects,
) {
    let glyphs = ui.theme.glyphs;
    let before = EarlierPlacement::of(bench);
    let result = action.and_then(|action| change(bench, |model| model.apply(&action)));
    let own = before.own_change(bench, &[item], glyphs);
    let others = before.other_changes(bench, &[item], glyphs);
    after(ui, bench, result, &before, &joined(&format!("{said}{own}"), &others), effects);
}

/// Pins files, or lines of files, in the notation of `--pin`.
pub fn pin_named(ui: &mut Ui, bench: &mut Bench, named: &[String], effects: &mut Effects) {
    let glyphs = ui.theme.glyphs;
    let model = &bench.model;
    let (mut actions, mut items) = (Vec::new(), Vec::new());
    for name in named {
        match with_lines(model.corpus(), name, |path| select(model.corpus(), path)) {
            Ok(PatternMatch::Items(found)) => {
                items.extend(&found);
                actions.push(Action::Pin(found));
            }
            Ok(PatternMatch::Lines(item, lines)) => {
                items.push(item);
                actions.push(Action::PinLines(vec![(item, [model.pinned_lines(item), lines].concat())]));
            }
            Err(error) => return ui.fail(&error),
        }
    }
    let before = EarlierPlacement::of(bench);
    let result = change(bench, |model| model.apply_all(&actions));
    let own = before.own_change(bench, &items, glyphs);
    let others = before.other_changes(bench, &items, glyphs);
    let what = if let [one] = named { one.clone() } else { counted(named.len(), "item") };
    let said = format!("Pinned {what} for this turn and the next{own}");
    after(ui, bench, result, &before, &joined(&said, &others), effects);
}

/// The tier of a single item, such as ` to LINKED`.
fn tier_of(bench: &Bench, items: &[ItemId]) -> String {
    let [item] = items else { return String::new() };
    bench.placed(*item).map_or_else(String::new, |placed| match placed.tier {
        Tier::Out => ", not included".to_owned(),
        tier => format!(" to {}", tier.label()),
    })
}

/// Joins a message with the changes of other items.
fn joined(said: &str, others: &str) -> String {
    if others.is_empty() { said.to_owned() } else { format!("{said}: {others}") }
}

/// Overrides an item that was chosen by its path, before it was scored.
pub fn rule_path(ui: &mut Ui, bench: &mut Bench, command: Command, path: &str, effects: &mut Effects) {
    let Some(item) = bench.item_at(path) else {
        return ui.why_not(format!("{path} no longer exists; no override was made"));
    };
    rule_on(ui, bench, command, &[item], effects);
}

/// Describes a step: `pin src/a.rs`, `12 items to LINKED`, `budget 30,000 tokens`.
fn in_words(step: &Step) -> String {
    let paths: BTreeSet<&str> = step.targets.iter().map(|target| lines::path_in(target)).collect();
    let what = match step.targets.as_slice() {
        // More than one range would fill the message.
        [one] if one.contains(',') && !paths.contains(one.as_str()) => format!("lines of {}", lines::path_in(one)),
        [one] => one.clone(),
        [first, ..] if paths.len() == 1 => format!("lines of {}", lines::path_in(first)),
        _ => counted(paths.len(), "item"),
    };
    match step.verb {
        Verb::Move(tier) => format!("{what} to {}", tier.label()),
        Verb::Limit(limit) => format!("budget {} tokens", thousands(limit)),
        Verb::Fill(true) => "auto-fill on".to_owned(),
        Verb::Fill(false) => "auto-fill off".to_owned(),
        Verb::Clear => format!("reset {what}"),
        verb @ Verb::Set(_) => format!("{} {what}", verb.name()),
    }
}

fn named(bench: &Bench, items: &[ItemId]) -> String {
    match items {
        [item] => bench.model.corpus().items[*item].path.clone(),
        items => counted(items.len(), "item"),
    }
}

/// Undoes the last step, or redoes the last undone one.
pub fn undo(ui: &mut Ui, bench: &mut Bench, command: Command, effects: &mut Effects) {
    let glyphs = ui.theme.glyphs;
    let undo = command == Command::Undo;
    if let Some(settings) = if undo { bench.undo_task() } else { bench.redo_task() } {
        let first = settings.text.lines().next().unwrap_or_default();
        let what = if settings.text == bench.about.form.text {
            "settings of the task".to_owned()
        } else {
            format!("the task is “{first}”")
        };
        ui.good(format!("{}: {what}", if undo { "Undid" } else { "Redid" }));
        return super::task::reshape(ui, bench, Some(settings), effects);
    }
    let step = if undo { bench.model.steps() } else { bench.model.undone() }.last().cloned();
    let Some(step) = step else { return };
    let targets: Vec<ItemId> = step.targets.iter().filter_map(|target| bench.target(target)).collect();
    let before = EarlierPlacement::of(bench);
    let result = change(bench, |model| if undo { model.undo() } else { model.redo() });
    // If the cursor is on a directory that contains the item, it stays on the directory.
    if let (Ok(()), Some(item)) = (&result, targets.first())
        && !bench.targets().contains(item)
    {
        bench.go_to(&RowKey::Item(*item));
    }
    let own = before.own_change(bench, &targets, glyphs);
    let others = before.other_changes(bench, &targets, glyphs);
    let said = format!("{}: {}{own}", if undo { "Undid" } else { "Redid" }, in_words(&step));
    after(ui, bench, result, &before, &if others.is_empty() { said } else { format!("{said}; {others}") }, effects);
}

/// Raises or lowers the limit by a step that depends on its size.
pub fn budget(ui: &mut Ui, bench: &mut Bench, command: Command, effects: &mut Effects) {
    let to = next_limit(bench.model.settings().1.limit, command == Command::BudgetUp);
    set_budget(ui, bench, to, effects);
}

/// The next round limit above or below this one.
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

/// Sets the limit.
pub fn set_budget(ui: &mut Ui, bench: &mut Bench, limit: usize, effects: &mut Effects) {
    let glyphs = ui.theme.glyphs;
    let was = bench.model.settings().1.limit;
    let before = EarlierPlacement::of(bench);
    let result = change(bench, |model| model.apply(&Action::Limit(limit)));
    let said = format!("Budget {} tokens (was {})", thousands(limit), thousands(was));
    let others = before.other_changes(bench, &[], glyphs);
    after(ui, bench, result, &before, &joined(&said, &others), effects);
}

/// Turns auto-fill on or off.
pub fn fill(ui: &mut Ui, bench: &mut Bench, effects: &mut Effects) {
    let glyphs = ui.theme.glyphs;
    let on = !bench.model.settings().0;
    let before = EarlierPlacement::of(bench);
    let result = change(bench, |model| model.apply(&Action::Fill(on)));
    let others = before.other_changes(bench, &[], glyphs);
    after(ui, bench, result, &before, &joined(if on { "Auto-fill on" } else { "Auto-fill off" }, &others), effects);
}

/// Changes the workbench. Jobs that still read it keep their own copy.
fn change(bench: &mut Bench, act: impl FnOnce(&mut Workbench) -> Result<()>) -> Result<()> {
    act(Arc::make_mut(&mut bench.model))?;
    bench.version += 1;
    bench.placement_changed();
    Ok(())
}

fn after(
    ui: &mut Ui,
    bench: &mut Bench,
    result: Result<(), Error>,
    before: &EarlierPlacement,
    said: &str,
    effects: &mut Effects,
) {
    if let Err(error) = result {
        return ui.fail(&error);
    }
    bench.last_change = Some(before.change(bench, said));
    super::save(ui, bench, effects);
    let placement = bench.model.placement();
    if placement.over > 0 {
        let over = bench.model.tokenizer().figure(placement.over);
        ui.why_not(format!("Pins exceed the budget by {over} tokens. {said}"));
    } else {
        ui.good(said);
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
