//! Notes about a placement, such as pins whose file is missing and evidence that does not fit.

use std::collections::BTreeMap;

use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::place::{Form, Override, Tier};
use crate::render::review::{missing_changes, missing_note};
use crate::render::{Format, Renderer};
use crate::workbench::{Step, Verb, Workbench, lines};

/// Maximum number of converted files that are listed.
const MOST_CONVERTED: usize = 5;
/// Maximum number of items without a section in the format that are listed.
const MOST_WITHOUT_SECTION: usize = 5;
/// Maximum number of changes under review that are listed.
const MOST_CHANGES: usize = 5;

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

/// Notes on pinned files and lines that no longer exist.
pub fn lost_pins(corpus: &Corpus, steps: &[Step]) -> Vec<String> {
    let mut last: BTreeMap<&str, &Step> = BTreeMap::new();
    for step in steps {
        last.extend(step.targets.iter().map(|target| (lines::path_in(target), step)));
    }
    let pins = last.into_iter().filter(|(_, step)| step.verb == Verb::Set(Override::Pin));
    let targets =
        pins.flat_map(|(path, step)| step.targets.iter().filter(move |target| lines::path_in(target) == path));
    targets
        .filter_map(|target| match lines::is_lost(corpus, target)? {
            why if why.is_empty() => Some(format!("`{target}` is pinned, but it is no longer in the project")),
            why => Some(format!("`{target}` is pinned, but {why}")),
        })
        .collect()
}

/// The note about files that were not carried over from the previous turn.
pub fn released(paths: &[String]) -> Option<String> {
    let more = match paths.len() {
        0 => return None,
        1..=3 => String::new(),
        many => format!(" and {} more", many - 3),
    };
    let named: Vec<String> = paths.iter().take(3).map(|path| format!("`{path}`")).collect();
    Some(format!(
        "not carried over from the previous turn, to leave room in this turn: {}{more}; placed by score instead",
        named.join(", ")
    ))
}

/// Notes about pinned items that could not be included, with the reason.
pub fn without_place(bench: &Workbench, format: Format) -> Vec<String> {
    let pinned = bench.placement().placed.iter().filter(|placed| placed.overridden == Some(Override::Pin));
    let items = pinned.filter(|placed| placed.tier != Tier::Raw).map(|placed| &bench.corpus().items[placed.item]);
    items
        .map(|item| {
            if item.kind.is_file() {
                format!("`{}` is pinned, but it could not be read", item.path)
            } else {
                format!("`{}` cannot be included in the {} format", item.path, format.name())
            }
        })
        .collect()
}

/// The note on changes under review that the payload does not include.
pub fn left_out_changes(bench: &Workbench) -> Option<String> {
    let missing = missing_changes(bench.corpus(), bench.placement());
    missing_note(&missing, MOST_CHANGES, |change| format!("`{}`", change.path))
}

/// The note on a review without changes.
pub fn unchanged(corpus: &Corpus) -> Option<String> {
    let review = corpus.review.as_ref().filter(|review| review.is_empty())?;
    Some(format!("nothing changed since {}, the base of the review", review.base_short()))
}

/// The note on changes, earlier turns and outputs that this format has no section for.
pub fn without_section(bench: &Workbench, renderer: &dyn Renderer, format: Format) -> Option<String> {
    let corpus = bench.corpus();
    let kinds = [ItemKind::Delta, ItemKind::Changes, ItemKind::History, ItemKind::Command, ItemKind::Review];
    let placed = bench.placement().placed.iter().filter(|placed| placed.overridden.is_none());
    let left_out = placed.filter(|placed| kinds.contains(&corpus.items[placed.item].kind));
    let left_out = left_out.filter(|placed| renderer.inlined(placed.item, &Form::Whole).is_none());
    let paths: Vec<String> = left_out.map(|placed| format!("`{}`", corpus.items[placed.item].path)).collect();
    let more = match paths.len().saturating_sub(MOST_WITHOUT_SECTION) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let listed = paths[..paths.len().min(MOST_WITHOUT_SECTION)].join(", ");
    let hint = "use another format to include them";
    (!paths.is_empty()).then(|| format!("the {} format cannot include {listed}{more}; {hint}", format.name()))
}

/// Notes on evidence that the payload does not include.
pub fn left_out_evidence(bench: &Workbench, renderer: &dyn Renderer, format: Format) -> Vec<String> {
    let corpus = bench.corpus();
    let left_out = bench.placement().placed.iter().filter(|placed| {
        corpus.items[placed.item].kind == ItemKind::Evidence && placed.tier != Tier::Raw && placed.overridden.is_none()
    });
    left_out
        .map(|placed| {
            let path = &corpus.items[placed.item].path;
            match renderer.inlined(placed.item, &Form::Whole) {
                Some(_) => format!("`{path}` does not fit; its locations are still used for scoring"),
                None => format!(
                    "`{path}` cannot be included in the {} format; its locations are still used for scoring",
                    format.name()
                ),
            }
        })
        .collect()
}
