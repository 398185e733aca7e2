//! Updates `turn.context`. The lines that teddy wrote follow the placement; the person's own lines are kept.

use super::list_edits::by_path;
use super::pipeline::Selection;
use crate::place::{Override, PinnedLines, Tier};
use crate::project::context;
use crate::project::line_spec::LineSpec;

/// The first line of `turn.context`.
const HEAD: &str = "# Files that this turn inlines. Adding a line pins the file, removing one demotes it.\n";

/// A file in RAW.
struct RawFile {
    path: String,
    pinned: bool,
    /// The pinned lines; empty if the whole file is included.
    lines: Vec<LineSpec>,
    /// Lines pinned by steps, without those that the person listed in a `.context` file.
    by_steps: Vec<LineSpec>,
}

/// Updates the text `before`, in which teddy wrote the lines `listed`. Returns the new text, and teddy's lines in it as
/// `turn.yaml` records them.
pub fn update(selection: Selection<'_>, before: &str, listed: &[String]) -> (String, Vec<String>) {
    let files = raw_files(selection);
    let mut text = if before.is_empty() { HEAD.to_owned() } else { before.to_owned() };
    let corpus = selection.bench.corpus();
    for (path, mut ours) in by_path(listed, |path| corpus.find(path).is_some()) {
        match files.iter().find(|file| file.path == path) {
            // The line of a missing file is kept.
            None if corpus.find(&path).is_some() => text = context::with_removed(&text, &path),
            Some(file) => {
                ours.retain(|line| !file.lines.contains(line));
                text = context::with_removed_lines(&text, &path, &ours);
                if !file.lines.is_empty() && listed.contains(&path) {
                    text = context::with_removed_whole(&text, &path);
                }
            }
            None => {}
        }
    }
    for file in &files {
        // `!path` is a line that the person wrote. It stays unless the file has been pinned since.
        if !file.pinned && context::excludes(&text, &file.path) {
            continue;
        }
        text = match file.lines.as_slice() {
            [] => context::with_added(&text, &file.path),
            lines => LineSpec::joined(lines)
                .iter()
                .fold(text, |text, lines| context::with_added_lines(&text, &file.path, lines)),
        };
    }
    let covered = files.iter().filter(|file| context::covers(&text, &file.path));
    let raw = covered.flat_map(|file| match LineSpec::joined(&file.by_steps) {
        lines if lines.is_empty() => vec![file.path.clone()],
        lines => lines.iter().map(|lines| lines.of_file(&file.path)).collect(),
    });
    let raw = raw.collect();
    (text, raw)
}

/// RAW files that are not in `global.context` or `session.context`, in order.
fn raw_files(selection: Selection<'_>) -> Vec<RawFile> {
    let Selection { bench, details } = selection;
    let raw = selection.placement().tier(Tier::Raw);
    let files = raw.filter_map(|placed| Some((placed, bench.corpus().file_of(placed.item)?)));
    files
        .filter(|(_, file)| !details.listed_above.contains(&file.path))
        .map(|(placed, file)| {
            let pinned = placed.overridden == Some(Override::Pin);
            let each = |lines: &[PinnedLines]| LineSpec::of(lines).iter().flat_map(LineSpec::each).collect::<Vec<_>>();
            let lines = if pinned { each(&bench.pinned_lines(placed.item)) } else { Vec::new() };
            let listed = each(&bench.listed_lines(placed.item));
            let by_steps = lines.iter().filter(|line| !listed.contains(line)).cloned().collect();
            RawFile { path: file.path.clone(), pinned, lines, by_steps }
        })
        .collect()
}
