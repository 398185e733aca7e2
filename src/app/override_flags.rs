//! Applies the override flags, with the same actions as the keys on the screen.

use std::collections::HashMap;

use super::environment::Environment;
use super::options::PayloadRequest;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::place::PinnedLines;
use crate::text::printable;
use crate::workbench::select::PatternMatch;
use crate::workbench::{Action, Workbench};

/// Applies the override flags, then places the items once.
pub fn apply(env: &Environment, bench: &mut Workbench, flags: &PayloadRequest) -> Result<()> {
    type OverrideFlag<'a> = (&'static str, &'a [String], fn(Vec<ItemId>) -> Action);
    let kinds: [OverrideFlag<'_>; 4] = [
        ("--link", &flags.link, Action::Link),
        ("--demote", &flags.demote, Action::Demote),
        ("--pin", &flags.pin, Action::Pin),
        ("--exclude", &flags.exclude, Action::Exclude),
    ];
    // All patterns are resolved before any action, so that an invalid pattern changes nothing.
    let mut actions = Vec::new();
    let mut outright: HashMap<ItemId, &str> = HashMap::new();
    for (flag, patterns, action) in kinds {
        let (mut lines, mut whole) = (LinePins::default(), Vec::new());
        for pattern in patterns {
            let selected = select_for(env, bench.corpus(), flag, pattern)?;
            let named = named_item(env, bench, pattern, &selected);
            if let Some(item) = named
                && let Some(other) = outright.insert(item, flag).filter(|other| *other != flag)
            {
                // A flag may name a file in a directory that another flag names: the file is then an exception. The
                // same file in two flags is a mistake.
                let path = printable(&bench.corpus().items[item].path);
                return Err(Error::input(format!("{other} and {flag} both name `{path}`"), "remove one of them"));
            }
            match selected {
                PatternMatch::Items(items) => {
                    whole.extend(named);
                    actions.push(action(items));
                }
                PatternMatch::Lines(item, found) => lines.add(bench, item, found),
            }
        }
        lines.0.retain(|(item, _)| !whole.contains(item));
        if !lines.0.is_empty() {
            actions.push(Action::PinLines(lines.0));
        }
    }
    bench.apply_all(&actions)
}

/// The item that the pattern names exactly, in full or with lines.
fn named_item(env: &Environment, bench: &Workbench, pattern: &str, selected: &PatternMatch) -> Option<ItemId> {
    match selected {
        PatternMatch::Lines(item, _) => Some(*item),
        PatternMatch::Items(items) => {
            let [item] = items.as_slice() else { return None };
            let path = &bench.corpus().items[*item].path;
            (pattern == path || env.inside(pattern).as_ref() == Some(path)).then_some(*item)
        }
    }
}

/// Pinned lines by file.
#[derive(Default)]
struct LinePins(Vec<(ItemId, Vec<PinnedLines>)>);

impl LinePins {
    /// Adds lines to those already pinned in a file.
    fn add(&mut self, bench: &Workbench, item: ItemId, lines: Vec<PinnedLines>) {
        match self.0.iter_mut().find(|(known, _)| *known == item) {
            Some((_, known)) => known.extend(lines),
            None => self.0.push((item, [bench.pinned_lines(item), lines].concat())),
        }
    }
}

/// The items that a flag's pattern names. Only pins can name lines.
fn select_for(env: &Environment, corpus: &Corpus, flag: &str, pattern: &str) -> Result<PatternMatch> {
    let found = match flag {
        "--pin" => return env.select_lines(corpus, pattern),
        "--exclude" => env.select_with_gone(corpus, pattern),
        _ => env.select(corpus, pattern),
    };
    match found {
        Err(Error::Missing { .. }) if matches!(env.select_lines(corpus, pattern), Ok(PatternMatch::Lines(..))) => {
            let what = format!("`{pattern}` names lines, but {flag} applies to whole files");
            Err(Error::input(what, "pin the lines to include: --pin PATH:10-80"))
        }
        found => found.map(PatternMatch::Items),
    }
}
