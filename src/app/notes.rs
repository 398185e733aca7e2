//! What the person should know about a placement: pins that lead nowhere, evidence that has no place.

use std::collections::BTreeMap;

use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::place::{Form, Override, Tier};
use crate::render::{Format, Renderer};
use crate::workbench::{Step, Verb, Workbench, select};

/// Most converted files that are listed.
const MOST_CONVERTED: usize = 5;

/// Files in RAW that were converted from another encoding.
pub fn converted(bench: &Workbench) -> Vec<String> {
    let corpus = bench.corpus();
    let raw = bench.placement().active().filter(|placed| placed.tier == Tier::Raw);
    let converted = raw.filter_map(|placed| {
        let file = corpus.file_of(placed.item)?;
        Some(format!("`{}` was converted from {} to UTF-8", file.path, file.known_text()?.encoding?))
    });
    converted.take(MOST_CONVERTED).collect()
}

/// Files that an earlier run pinned and that are gone.
pub fn lost_pins(corpus: &Corpus, steps: &[Step]) -> Vec<String> {
    let mut ruled = BTreeMap::new();
    for step in steps {
        ruled.extend(step.targets.iter().map(|target| (target.as_str(), step.verb)));
    }
    let lost = ruled
        .into_iter()
        .filter(|(path, verb)| *verb == Verb::Rule(Override::Pin) && select::exact(corpus, path).is_none());
    lost.map(|(path, _)| format!("`{path}` is pinned, but it is not among the project's files any more")).collect()
}

/// What was inlined in the turn before and is not pinned now.
pub fn left_to_score(paths: &[String]) -> Option<String> {
    let more = match paths.len() {
        0 => return None,
        1..=3 => String::new(),
        many => format!(" and {} more", many - 3),
    };
    let named: Vec<String> = paths.iter().take(3).map(|path| format!("`{path}`")).collect();
    Some(format!(
        "pinned as in the turn before, {}{more} would leave too little room; the score decides again",
        named.join(", ")
    ))
}

/// What is pinned and yet not inlined, with the reason.
pub fn without_place(bench: &Workbench, format: Format) -> Vec<String> {
    let pinned = bench.placement().placed.iter().filter(|placed| placed.overridden == Some(Override::Pin));
    let items = pinned.filter(|placed| placed.tier != Tier::Raw).map(|placed| &bench.corpus().items[placed.item]);
    items
        .map(|item| {
            if item.kind.is_file() {
                format!("`{}` is pinned, but it could not be read", item.path)
            } else {
                format!("`{}` has no place of its own in the {} format", item.path, format.name())
            }
        })
        .collect()
}

/// Evidence that the payload does not show.
pub fn left_out_evidence(bench: &Workbench, renderer: &dyn Renderer, format: Format) -> Vec<String> {
    let corpus = bench.corpus();
    let left_out = bench.placement().placed.iter().filter(|placed| {
        corpus.items[placed.item].kind == ItemKind::Evidence && placed.tier != Tier::Raw && placed.overridden.is_none()
    });
    left_out
        .map(|placed| {
            let path = &corpus.items[placed.item].path;
            match renderer.inlined(placed.item, &Form::Whole) {
                Some(_) => format!("`{path}` does not fit; the places that it points to count all the same"),
                None => format!(
                    "`{path}` has no place of its own in the {} format; the places that it points to count all the same",
                    format.name()
                ),
            }
        })
        .collect()
}
