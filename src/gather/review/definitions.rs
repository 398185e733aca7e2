//! The definitions that a change touches.

use super::LineDiff;
use super::content::FileVersion;
use crate::ids::FileId;
use crate::outline::definitions::{Definition, DefinitionKind, Outline, outline};
use crate::outline::language::Language;
use crate::outline::shape::{Extent, Shape};

/// Maximum number of lines of a type that is shown in full if its own lines changed. For a longer type, only the lines
/// around the change are shown.
const SMALL_TYPE: u32 = 60;
/// Lines shown around a change outside any function.
const AROUND: u32 = 8;

/// A definition that changed or was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedDefinition {
    /// The file, unless it is deleted.
    pub file: Option<FileId>,
    /// The file's path.
    pub path: String,
    /// Its own name, without qualification.
    pub name: String,
    /// The name of the type that it belongs to.
    pub owner: Option<String>,
    /// Kind of definition.
    pub kind: DefinitionKind,
    /// True if it no longer exists.
    pub removed: bool,
}

impl ChangedDefinition {
    /// The name with its type, such as `Ledger.add` for a method; otherwise only the name.
    pub fn qualified(&self) -> String {
        match &self.owner {
            Some(owner) => format!("{owner}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// The definitions in a file of code that a change touches: those around changed lines, and those that were removed.
pub(super) fn changed(
    language: Language,
    before: &FileVersion,
    after: &FileVersion,
    diff: &LineDiff,
) -> Vec<ChangedDefinition> {
    let outline_of = |version: &FileVersion| match version {
        FileVersion::Text { text, .. } => outline(language, text).unwrap_or_default(),
        _ => Outline::default(),
    };
    if *before == FileVersion::Absent {
        // No code outside the change can use the definitions of a new file yet.
        return Vec::new();
    }
    let (old, new) = (outline_of(before), outline_of(after));
    let names = |outline: &Outline| -> Vec<(String, Option<String>)> {
        (0..outline.definitions.len()).map(|at| (outline.definitions[at].name.clone(), owner(outline, at))).collect()
    };
    let kept = names(&new);
    let mut found: Vec<ChangedDefinition> = Vec::new();
    let mut add = |outline: &Outline, at: usize, removed: bool| {
        let definition = &outline.definitions[at];
        let changed = ChangedDefinition {
            file: None,
            path: String::new(),
            name: own_name(&definition.name).to_owned(),
            owner: owner(outline, at),
            kind: definition.kind,
            removed,
        };
        if !found.contains(&changed) {
            found.push(changed);
        }
    };
    for (outline, lines) in [(&new, &diff.telling), (&old, &diff.telling_removed)] {
        let extents: Vec<Extent> = outline.definitions.iter().map(extent).collect();
        for at in lines.iter().filter_map(|line| innermost(&extents, *line)) {
            let at = outermost_function(&extents, at);
            if kept.contains(&(outline.definitions[at].name.clone(), owner(outline, at))) {
                add(outline, at, false);
            }
        }
    }
    for (at, name) in names(&old).iter().enumerate() {
        let inside_function =
            old.definitions[at].parent.is_some_and(|parent| is_function(old.definitions[parent].kind));
        if !inside_function && !kept.contains(name) {
            add(&old, at, true);
        }
    }
    found
}

/// The lines that show every touched definition in full. Changes outside definitions are left to the diff.
pub fn touched(shape: &Shape, diff: &LineDiff) -> Vec<(u32, u32)> {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    // If lines were only removed, the line before the gap counts as changed.
    let removed = diff.removed_after.iter().map(|line| (*line).max(1));
    let mut lines: Vec<u32> = diff.telling.iter().copied().chain(removed).collect();
    lines.sort_unstable();
    for line in lines {
        if spans.last().is_some_and(|last| last.0 <= line && line <= last.1) {
            continue;
        }
        let Some(at) = innermost(&shape.definitions, line) else { continue };
        let definition = shape.definitions[outermost_function(&shape.definitions, at)];
        let is_small = definition.last - definition.first < SMALL_TYPE;
        spans.push(match definition.kind {
            DefinitionKind::Type | DefinitionKind::Implementation | DefinitionKind::Module if !is_small => {
                (line.saturating_sub(AROUND).max(definition.first), (line + AROUND).min(definition.last))
            }
            _ => (definition.first, definition.last),
        });
    }
    merged(spans)
}

/// Sorts spans and joins those that touch.
pub fn merged(mut spans: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    spans.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}

fn extent(definition: &Definition) -> Extent {
    Extent { kind: definition.kind, first: definition.first, last: definition.last, parent: definition.parent }
}

/// The innermost definition around a line. Parents come before children.
pub fn innermost(definitions: &[Extent], line: u32) -> Option<usize> {
    definitions.iter().rposition(|definition| definition.first <= line && line <= definition.last)
}

/// The outermost function around a line. A closure is hard to understand without the function around it.
pub fn outermost_function(definitions: &[Extent], mut at: usize) -> usize {
    let mut found = at;
    while let Some(parent) = definitions[at].parent {
        if is_function(definitions[parent].kind) {
            found = parent;
        }
        at = parent;
    }
    found
}

fn is_function(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Function | DefinitionKind::Method | DefinitionKind::Macro)
}

/// The name without the type: `area` for `Shape::area`. For an implementation, the type.
fn own_name(name: &str) -> &str {
    let name = name.rsplit(" for ").next().unwrap_or(name);
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit(['.', ':', ' ', '#']).next().unwrap_or(name)
}

/// The type that a definition belongs to.
fn owner(outline: &Outline, at: usize) -> Option<String> {
    let definition = &outline.definitions[at];
    let is_type = |kind| matches!(kind, DefinitionKind::Type | DefinitionKind::Implementation);
    let mut parent = definition.parent;
    while let Some(up) = parent {
        if is_type(outline.definitions[up].kind) {
            return Some(own_name(&outline.definitions[up].name).to_owned());
        }
        parent = outline.definitions[up].parent;
    }
    let (owner, _) = definition.name.rsplit_once("::").or_else(|| definition.name.rsplit_once('.'))?;
    Some(own_name(owner).to_owned())
}
