//! Finds files outside the change that use, override or mention changed definitions. Files that contain a changed name
//! are candidates; reading a candidate confirms or rejects it.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;

use super::names::{ChangedName, ChangedNames};
use crate::gather::review::{Review, innermost, merged, outermost_function};
use crate::gather::role::Role;
use crate::gather::{Corpus, SourceFile};
use crate::ids::FileId;
use crate::outline::definitions::DefinitionKind;
use crate::outline::language::Language;
use crate::outline::shape::Shape;

/// Maximum number of files read, most promising first.
const MOST_READ: usize = 400;
/// Maximum numbers of users, tests and documents returned.
const MOST_USERS: usize = 40;
const MOST_TESTS: usize = 20;
const MOST_DOCS: usize = 6;
/// Maximum number of uses shown in a file, and of lines in all of them.
const MOST_SPANS: usize = 6;
const MOST_LINES: u32 = 160;
/// Maximum length of a definition that is shown in full around a use.
const LONG: u32 = 80;
const AROUND: u32 = 12;
/// Lines shown around a mention in prose or a use outside any definition.
const AROUND_LINE: u32 = 4;
/// Weight of a name in a file that imports a changed file, in one that is two imports away (or a document), and in any
/// other file.
const NEAR: [f64; 3] = [1.0, 0.5, 0.2];
/// Factor for a file that names both a method and its type.
const WITH_OWNER: f64 = 1.6;
/// Minimum weight of a name. A name with less weight is assumed to refer to something else.
const LEAST: f64 = 0.12;
/// Weight of release notes relative to other documents.
const HISTORY: f64 = 0.2;
/// Maximum number of names, and maximum number of lines, in a reason.
const NAMED: usize = 3;
const LINES_LISTED: usize = 4;

/// The relation of a file to the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum UseKind {
    /// It calls, extends or overrides what changed.
    User,
    /// It tests what changed.
    Test,
    /// It is a document that mentions what changed.
    Doc,
}

/// A file that uses what changed.
#[derive(Debug, Clone)]
pub(super) struct Use {
    pub file: FileId,
    pub kind: UseKind,
    /// The reason.
    pub why: String,
    /// Definitions around the uses, best first.
    pub spans: Vec<(u32, u32)>,
    pub strength: f64,
}

/// The files that use changed definitions: users, then tests, then documents, the strongest first.
pub(super) fn uses(corpus: &Corpus, review: &Review) -> Vec<Use> {
    let names = ChangedNames::of(review);
    let search = UseSearch::new(corpus, review, &names);
    let mut found = search.run();
    search.add_tests(&mut found);
    search.add_documents(&mut found);
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength).then(a.file.cmp(&b.file)));
    let mut kept = Vec::new();
    for (kind, most) in [(UseKind::User, MOST_USERS), (UseKind::Test, MOST_TESTS), (UseKind::Doc, MOST_DOCS)] {
        kept.extend(found.iter().filter(|found| found.kind == kind).take(most).cloned());
    }
    kept
}

struct UseSearch<'a> {
    corpus: &'a Corpus,
    review: &'a Review,
    names: &'a ChangedNames,
    changed: HashSet<FileId>,
    /// Number of imports between a file and the nearest changed file.
    distance: HashMap<FileId, u8>,
}

/// The way in which a line uses a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LineUse {
    Mentions,
    Uses,
    Overrides,
    Extends,
}

impl LineUse {
    fn verb(self) -> &'static str {
        match self {
            Self::Mentions => "mentions",
            Self::Uses => "uses",
            Self::Overrides => "overrides",
            Self::Extends => "extends",
        }
    }

    fn factor(self) -> f64 {
        match self {
            Self::Mentions | Self::Uses => 1.0,
            Self::Overrides | Self::Extends => 1.5,
        }
    }
}

/// A name in a file, with the lines that use it.
struct NameUse<'n> {
    name: &'n ChangedName,
    manner: LineUse,
    lines: Vec<u32>,
    weight: f64,
}

impl<'a> UseSearch<'a> {
    fn new(corpus: &'a Corpus, review: &'a Review, names: &'a ChangedNames) -> Self {
        let changed: HashSet<FileId> = review.files.iter().filter_map(|file| file.file).collect();
        let sources = super::changed_sources(corpus);
        let distance = corpus.graph.hops(&sources, 2).into_iter().collect();
        Self { corpus, review, names, changed, distance }
    }

    /// Selects files by the names that they contain, and then by their text.
    fn run(&self) -> Vec<Use> {
        let lookup = self.corpus.terms.wanted(&self.names.index);
        let files: Vec<(FileId, Vec<usize>)> = FileId::enumerate(&self.corpus.files)
            .collect::<Vec<_>>()
            .into_par_iter()
            .with_min_len(256)
            .filter(|(file, entry)| !self.changed.contains(file) && kind_of(entry).is_some())
            .filter_map(|(file, entry)| {
                let terms = lookup.of(&entry.terms);
                let names: Vec<usize> =
                    terms.iter().flat_map(|(term, _)| self.names.of_term[usize::from(*term)].iter().copied()).collect();
                (!names.is_empty()).then_some((file, names))
            })
            .collect();
        let rarity = self.rarity(&files);
        let mut wanted: Vec<_> = files
            .into_iter()
            .filter_map(|(file, names)| {
                let owners: HashSet<&str> = names.iter().map(|at| self.names.names[*at].name.as_str()).collect();
                let weigh = |at: usize| (at, rarity[at] * self.nearness(file, &self.names.names[at], &owners));
                let names: Vec<(usize, f64)> =
                    names.into_iter().map(weigh).filter(|(_, weight)| *weight >= LEAST).collect();
                let sum: f64 = names.iter().map(|(_, weight)| weight).sum();
                (!names.is_empty()).then_some((sum, file, names))
            })
            .collect();
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        wanted.truncate(MOST_READ);
        wanted.par_iter().filter_map(|(_, file, names)| self.read(*file, names)).collect()
    }

    /// Weight of each name. A name that many files contain or define is weak evidence.
    fn rarity(&self, files: &[(FileId, Vec<usize>)]) -> Vec<f64> {
        let mut containing = vec![0usize; self.names.names.len()];
        for at in files.iter().flat_map(|(_, names)| names) {
            containing[*at] += 1;
        }
        let by_name: HashMap<&str, Vec<usize>> =
            self.names.names.iter().enumerate().fold(HashMap::new(), |mut map, (at, name)| {
                map.entry(name.name.as_str()).or_insert_with(Vec::new).push(at);
                map
            });
        let mut defining = vec![0usize; self.names.names.len()];
        for (file, _) in files {
            let defined: HashSet<&str> = self.corpus.files[*file].symbols.iter().map(|symbol| symbol.name).collect();
            for at in defined.into_iter().filter_map(|name| by_name.get(name)).flatten() {
                defining[*at] += 1;
            }
        }
        let all = (self.corpus.files.len().max(2)) as f64;
        let rare = |at: usize| {
            let share = (all / containing[at].max(1) as f64).ln() / all.ln();
            // A method that other types also define may be overridden, and it is uncertain which one a call refers to.
            share.max(0.05) / (1.0 + (1.0 + defining[at] as f64).ln() / 2.0)
        };
        (0..self.names.names.len()).map(rare).collect()
    }

    fn nearness(&self, file: FileId, name: &ChangedName, others: &HashSet<&str>) -> f64 {
        let near = match self.distance.get(&file) {
            Some(1) => NEAR[0],
            Some(_) => NEAR[1],
            // Documents import nothing, so they count as two imports away.
            None if kind_of(&self.corpus.files[file]) == Some(UseKind::Doc) => NEAR[1],
            None => NEAR[2],
        };
        let with_owner = name.owner.as_deref().is_some_and(|owner| others.contains(owner));
        // A long name rarely matches by chance.
        let distinct = if name.name.len() >= 12 { 1.5 } else { 1.0 };
        near * distinct * if with_owner { WITH_OWNER } else { 1.0 }
    }

    /// The uses in a file's text. `None` if the names occur only in imports, or mean something else.
    fn read(&self, file: FileId, names: &[(usize, f64)]) -> Option<Use> {
        let entry = &self.corpus.files[file];
        let kind = kind_of(entry)?;
        let text = self.corpus.raw_text(file)?;
        let prose = kind == UseKind::Doc;
        let shape = entry.language.filter(|_| !prose).and_then(|language| Shape::of(language, &text));
        let lines: Vec<&str> = text.lines().collect();
        let mut found: Vec<NameUse<'_>> = Vec::new();
        for (at, weight) in names {
            let name = &self.names.names[*at];
            if prose && !is_distinct(&name.name) {
                continue;
            }
            let mut by_manner: BTreeMap<LineUse, Vec<u32>> = BTreeMap::new();
            for (line, number) in lines.iter().zip(1u32..).filter(|(line, _)| has_word(line, &name.name)) {
                if let Some(manner) = self.manner(name, file, line, number, shape.as_ref(), prose, &text) {
                    by_manner.entry(manner).or_default().push(number);
                }
            }
            for (manner, lines) in by_manner {
                let weight = weight * manner.factor() * (1.0 + (lines.len() as f64).ln());
                found.push(NameUse { name, manner, lines, weight });
            }
        }
        found.sort_by(|a, b| {
            b.weight.total_cmp(&a.weight).then(a.name.shown.cmp(&b.name.shown)).then(b.manner.cmp(&a.manner))
        });
        // Old release notes rarely describe the current state.
        let worth = if prose && is_history(&entry.path) { HISTORY } else { 1.0 };
        let strength: f64 = found.iter().map(|found| found.weight).sum::<f64>() * worth;
        (!found.is_empty()).then(|| Use {
            file,
            kind,
            why: why(&found),
            spans: spans(&found, shape.as_ref(), lines.len()),
            strength,
        })
    }

    /// The way in which a line uses a name. `None` for an import, or a definition of something else with this name.
    #[expect(clippy::too_many_arguments, reason = "facts about one line")]
    fn manner(
        &self,
        name: &ChangedName,
        file: FileId,
        line: &str,
        number: u32,
        shape: Option<&Shape>,
        prose: bool,
        text: &str,
    ) -> Option<LineUse> {
        if prose {
            return Some(LineUse::Mentions);
        }
        let start = line.trim_start();
        let comment = self.corpus.files[file].language.and_then(Language::line_comment);
        if comment.is_some_and(|(marker, _)| !marker.is_empty() && start.starts_with(marker)) {
            return None;
        }
        if IMPORTS.iter().any(|word| start.starts_with(word)) {
            return None;
        }
        let defines = |symbol: crate::outline::symbols::Symbol<'_>| symbol.line == number && symbol.name == name.name;
        if self.corpus.files[file].symbols.iter().any(defines) {
            let related = name.owner.as_deref().is_some_and(|owner| text.contains(owner));
            return related.then_some(LineUse::Overrides);
        }
        let is_head = |definition: &crate::outline::shape::Extent| {
            matches!(definition.kind, DefinitionKind::Type | DefinitionKind::Implementation)
                && definition.first <= number
                && number <= definition.first + 2
        };
        let shape_head = shape.is_some_and(|shape| shape.definitions.iter().any(is_head));
        if name.is_type && shape_head && HEADS.iter().any(|word| start.starts_with(word)) {
            return Some(LineUse::Extends);
        }
        Some(LineUse::Uses)
    }

    /// Adds tests whose name matches a changed file, unless they were already found because they use the change.
    fn add_tests(&self, found: &mut Vec<Use>) {
        const BY_NAME: f64 = 0.1;
        let known: HashSet<FileId> = found.iter().map(|found| found.file).collect();
        let mut added = HashSet::new();
        for source in super::changed_sources(self.corpus) {
            for test in self.corpus.tests.tests_of(source) {
                if !known.contains(test) && !self.changed.contains(test) && added.insert(*test) {
                    let why = format!("tests {}, which changed", self.corpus.files[source].path);
                    found.push(Use { file: *test, kind: UseKind::Test, why, spans: Vec::new(), strength: BY_NAME });
                }
            }
        }
    }

    /// Documents that name the path or the module of a changed file.
    fn add_documents(&self, found: &mut Vec<Use>) {
        const BY_PATH: f64 = 0.5;
        let known: HashSet<FileId> = found.iter().map(|found| found.file).collect();
        let names: Vec<(&str, String)> = self
            .review
            .files
            .iter()
            .filter(|file| file.role == Role::Source)
            .map(|file| {
                let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
                (file.path.as_str(), stem.replace('/', "."))
            })
            .filter(|(path, _)| path.contains('/'))
            .collect();
        if names.is_empty() {
            return;
        }
        let documents: Vec<FileId> = FileId::enumerate(&self.corpus.files)
            .filter(|(file, entry)| {
                kind_of(entry) == Some(UseKind::Doc) && !known.contains(file) && !self.changed.contains(file)
            })
            .map(|(file, _)| file)
            .collect();
        let more: Vec<Use> = documents
            .into_par_iter()
            .filter_map(|file| {
                let text = self.corpus.raw_text(file)?;
                let (path, line) = names.iter().find_map(|(path, module)| {
                    let at = text
                        .lines()
                        .position(|line| has_path(line, path) || module.contains('.') && has_path(line, module))?;
                    Some((path, at as u32 + 1))
                })?;
                let count = text.lines().count() as u32;
                let span = (line.saturating_sub(AROUND_LINE).max(1), (line + AROUND_LINE).min(count));
                let why = format!("mentions {path}, which changed (line {line})");
                Some(Use { file, kind: UseKind::Doc, why, spans: vec![span], strength: BY_PATH })
            })
            .collect();
        found.extend(more);
    }
}

/// Beginnings of lines that import something, and of lines that define a type.
const IMPORTS: [&str; 9] =
    ["import ", "from ", "use ", "pub use ", "#include", "require", "export {", "export * ", "using "];
const HEADS: [&str; 12] = [
    "class ", "pub ", "impl", "struct ", "interface ", "export ", "public ", "abstract ", "final ", "object ",
    "trait ", "@",
];

/// The relations that a file of this kind can have; `None` for files that use nothing.
fn kind_of(file: &SourceFile) -> Option<UseKind> {
    match file.role {
        Role::Generated | Role::Vendored | Role::Data => None,
        Role::Doc => Some(UseKind::Doc),
        _ if file.language.is_some_and(Language::is_prose) => Some(UseKind::Doc),
        Role::Test | Role::TestSupport => Some(UseKind::Test),
        _ => file.language.filter(|language| language.is_code()).map(|_| UseKind::User),
    }
}

/// Returns true if a name in prose can only mean the definition. `Ledger` and `add` are also plain words; `add_refund`
/// and `addRefund` are not.
fn is_distinct(name: &str) -> bool {
    let inner = &name[name.chars().next().map_or(0, char::len_utf8)..];
    name.trim_matches('_').contains('_') || inner.contains(char::is_uppercase) && name.contains(char::is_lowercase)
}

fn is_history(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    lower.split('/').any(|part| matches!(part, "releases" | "release-notes" | "changelogs" | "news" | "whatsnew"))
        || ["changelog", "changes", "history", "news"].iter().any(|word| name.starts_with(word))
}

fn has_word(line: &str, name: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name)
        .any(|(at, _)| !line[..at].ends_with(in_word) && !line[at + name.len()..].starts_with(in_word))
}

fn has_path(line: &str, path: &str) -> bool {
    let in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '-');
    line.match_indices(path).any(|(at, _)| {
        !line[..at].ends_with(|c| in_path(c) || c == '.') && !line[at + path.len()..].starts_with(in_path)
    })
}

/// Formats uses, such as: uses `Ledger.add` (lines 12, 40), extends `Ledger` (line 3).
fn why(found: &[NameUse<'_>]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for found in found.iter().take(NAMED) {
        let mut lines: Vec<String> = found.lines.iter().take(LINES_LISTED).map(u32::to_string).collect();
        if found.lines.len() > LINES_LISTED {
            lines.push("…".to_owned());
        }
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let removed = if found.name.removed { ", which was removed" } else { "" };
        parts.push(format!("{} `{}`{removed} ({word} {})", found.manner.verb(), found.name.shown, lines.join(", ")));
    }
    if found.len() > NAMED {
        parts.push(format!("and {} more", found.len() - NAMED));
    }
    parts.join(", ")
}

/// The definitions around the uses, best first, up to a maximum number of lines.
fn spans(found: &[NameUse<'_>], shape: Option<&Shape>, count: usize) -> Vec<(u32, u32)> {
    let mut weights: Vec<((u32, u32), f64)> = Vec::new();
    for found in found {
        for line in &found.lines {
            let span = around(*line, shape, count as u32);
            match weights.iter_mut().find(|(known, _)| *known == span) {
                Some((_, weight)) => *weight += found.weight / found.lines.len() as f64,
                None => weights.push((span, found.weight / found.lines.len() as f64)),
            }
        }
    }
    weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let (mut kept, mut lines): (Vec<(u32, u32)>, u32) = (Vec::new(), 0);
    for (span, _) in weights {
        let more = span.1 - span.0 + 1;
        if kept.len() == MOST_SPANS || lines + more > MOST_LINES && !kept.is_empty() {
            break;
        }
        lines += more;
        kept.push(span);
    }
    // Overlapping pieces are joined.
    let joined = merged(kept.clone());
    if joined.len() < kept.len() { joined } else { kept }
}

/// The function around a line, or a few lines if the function is long or there is none.
fn around(line: u32, shape: Option<&Shape>, count: u32) -> (u32, u32) {
    let near = |lines: u32, first: u32, last: u32| (line.saturating_sub(lines).max(first), (line + lines).min(last));
    let Some(shape) = shape else { return near(AROUND_LINE, 1, count) };
    let Some(at) = innermost(&shape.definitions, line) else { return near(AROUND_LINE, 1, count) };
    let definition = shape.definitions[outermost_function(&shape.definitions, at)];
    if definition.last - definition.first < LONG {
        return (definition.first, definition.last);
    }
    near(AROUND, definition.first, definition.last)
}
