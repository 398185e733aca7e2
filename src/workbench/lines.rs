//! Pinned lines of a file: their notation in steps, their position in the current file, and the lines of an item that a
//! payload contains.

use crate::gather::Corpus;
use crate::ids::{FileId, ItemId};
use crate::outline::skeleton::cut_to_spans;
use crate::place::{Form, PinnedLines, Span};
use crate::project::line_spec::{LineSpec, merged};
use crate::text::{counted, nearest};

/// A target of a step: an item, or lines of a file.
pub(super) struct Target {
    pub item: ItemId,
    /// The lines; `None` for the whole item.
    pub lines: Option<Vec<PinnedLines>>,
    /// Lines that no longer exist.
    pub problem: Option<String>,
}

/// The item with exactly this path or label.
pub fn item_named(corpus: &Corpus, path: &str) -> Option<ItemId> {
    // Files come first and are sorted by path; other items follow.
    corpus.find(path).map(ItemId::from).or_else(|| {
        let others = ItemId::enumerate(&corpus.items).skip(corpus.files.len());
        others.into_iter().find(|(_, item)| item.path == path).map(|(index, _)| index)
    })
}

impl Target {
    /// Parses a target. If an item has exactly this name, the target is the item, not lines of a file.
    pub fn find(corpus: &Corpus, text: &str) -> Option<Self> {
        if let Some(item) = item_named(corpus, text) {
            return Some(Self { item, lines: None, problem: None });
        }
        let (path, spec) = LineSpec::split(text).ok().flatten()?;
        let file = corpus.find(path)?;
        let (lines, problem) = find(corpus, file, &spec);
        Some(Self { item: file.into(), lines: Some(lines), problem })
    }
}

/// The lines of the current file that a spec names, and an error for those that do not exist.
pub fn find(corpus: &Corpus, file: FileId, spec: &LineSpec) -> (Vec<PinnedLines>, Option<String>) {
    let text = corpus.file_text(file);
    match spec {
        LineSpec::Symbol(name) => match definition(corpus, file, name) {
            Ok(span) => (vec![PinnedLines { span, symbol: Some(name.clone()) }], None),
            Err(why) => (Vec::new(), Some(why)),
        },
        LineSpec::Ranges(ranges) => {
            let count = text.lines();
            let inside =
                ranges.iter().filter(|(first, _)| *first <= count).map(|(first, last)| (*first, count.min(*last)));
            let beyond = ranges.iter().any(|(_, last)| *last > count);
            let problem = beyond.then(|| format!("the file has only {}", counted(count as usize, "line")));
            (inside.map(PinnedLines::range).collect(), problem)
        }
    }
}

/// The lines of a definition in a file.
pub fn definition(corpus: &Corpus, file: FileId, name: &str) -> Result<Span, String> {
    let language =
        corpus.files[file].language.ok_or("its language has no outline; use a line range such as `:10-80`")?;
    let text = corpus.file_text(file);
    let outline = text.outline(language).ok_or("its language has no outline; use a line range such as `:10-80`")?;
    outline.span_of(name).ok_or_else(|| {
        let names: Vec<String> = (0..outline.definitions.len()).map(|index| outline.qualified(index)).collect();
        // Only the last part of a name is compared, because otherwise `add` would not resemble `Ledger.ad`.
        let plain = outline.definitions.iter().map(|definition| definition.name.as_str());
        let close = nearest(name, names.iter().map(String::as_str).chain(plain));
        let hint = close.map(|close| format!("; did you mean `{close}`?")).unwrap_or_default();
        format!("no definition `{name}` in this file{hint}")
    })
}

/// The item that a target is about, in full or in part.
pub fn item(corpus: &Corpus, target: &str) -> Option<ItemId> {
    Target::find(corpus, target).map(|target| target.item)
}

/// The reason why a target no longer exists in full. The reason is empty if the file was deleted.
pub fn is_lost(corpus: &Corpus, target: &str) -> Option<String> {
    Target::find(corpus, target).map_or_else(|| Some(String::new()), |found| found.problem)
}

/// The path in a target, without the lines that may follow it.
pub fn path_in(target: &str) -> &str {
    LineSpec::split(target).ok().flatten().map_or(target, |(path, _)| path)
}

/// The targets for these lines of a path, with the ranges in order; the path itself if there are no lines.
pub fn targets(path: &str, lines: &[PinnedLines]) -> Vec<String> {
    let in_order = |spec: LineSpec| match spec {
        LineSpec::Ranges(ranges) => LineSpec::Ranges(merged(ranges)),
        LineSpec::Symbol(name) => LineSpec::Symbol(name),
    };
    match LineSpec::of(lines) {
        specs if specs.is_empty() => vec![path.to_owned()],
        specs => specs.into_iter().map(|spec| in_order(spec).of_file(path)).collect(),
    }
}

/// The lines of a file's text that a payload contains in this form.
pub fn shown(corpus: &Corpus, item: ItemId, form: &Form) -> Vec<Span> {
    let text = corpus.item_text(item);
    let language = corpus.file_of(item).and_then(|file| file.language);
    match form {
        Form::Whole if text.lines() > 0 => vec![(1, text.lines())],
        Form::Spans(spans) => cut_to_spans(language, &text.shown, spans).spans,
        Form::Skeleton(keep) => {
            let cut = language.and_then(|language| text.skeleton(language, keep));
            cut.map_or_else(Vec::new, |cut| merged(cut.spans))
        }
        _ => Vec::new(),
    }
}
