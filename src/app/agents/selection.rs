//! The selection of a plan as a short list of paths, lines and reasons, for agents that read the files themselves.

use crate::app::pipeline::Run;
use crate::place::{Form, PlacedItem, Tier};
use crate::render;
use crate::text::{percent, printable, thousands};

/// Lists the selected items by tier, best first.
pub(super) fn list(run: &Run) -> String {
    let placement = run.placement();
    let classification = &run.details.classification;
    let mut text = format!(
        "{} of {} tokens as a payload; task type {}, {}\n",
        thousands(placement.usage.total),
        thousands(placement.limit),
        classification.type_name().unwrap_or("unknown"),
        classification.complexity_name().unwrap_or("of unknown complexity"),
    );
    let scores = run.bench.scores();
    let items = &run.bench.corpus().items;
    let targets: Vec<String> = scores
        .targets
        .iter()
        .map(|(file, confidence)| {
            format!(
                "{} {}",
                printable(&run.bench.corpus().files[*file].path),
                percent((confidence * 100.0) as usize, 100)
            )
        })
        .collect();
    if !targets.is_empty() {
        text.push_str(&format!("likely targets: {}\n", targets.join(", ")));
    }
    for (tier, heading) in [(Tier::Raw, "RAW (read these)"), (Tier::Linked, "LINKED (fetch if needed)")] {
        let lines: Vec<String> = placement.tier(tier).map(|placed| line(run, placed)).collect();
        if !lines.is_empty() {
            text.push_str(&format!("{heading}\n{}", lines.concat()));
        }
    }
    let mentioned: Vec<String> =
        placement.tier(Tier::Summary).map(|placed| printable(&items[placed.item].path).into_owned()).collect();
    if !mentioned.is_empty() {
        text.push_str(&format!("SUMMARY (related): {}\n", mentioned.join(", ")));
    }
    for note in &run.details.notes {
        text.push_str(&format!("note: {}\n", printable(note)));
    }
    text
}

/// Formats one item: path, lines, tokens of the included content, strongest reason.
fn line(run: &Run, placed: &PlacedItem) -> String {
    let path = printable(&run.bench.corpus().items[placed.item].path).into_owned();
    let mut line = path;
    match &placed.form {
        Form::Spans(_) | Form::Skeleton(_) => {
            let spans = render::verbatim(run.bench.corpus(), placed.item, &placed.form);
            let spans: Vec<String> = spans.iter().map(|(first, last)| format!("{first}-{last}")).collect();
            line.push_str(&format!(":{}", spans.join(",")));
        }
        _ => {}
    }
    if placed.tier == Tier::Raw {
        line.push_str(&format!(" ({} tokens)", thousands(placed.tokens)));
    }
    let signals = &run.bench.scores().items[placed.item].signals;
    if let Some(signal) = signals.iter().max_by_key(|signal| signal.criterion.points()) {
        line.push_str(&format!(" -- {}", printable(&signal.why)));
    }
    line.push('\n');
    line
}
