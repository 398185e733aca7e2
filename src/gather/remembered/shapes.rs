//! The shapes of source files by their content, remembered between runs: parsing the few files that are cut takes longer than
//! all the rest of a plan in a project that is known. Numbers only, nothing of a text.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::bytes::{Reader, Writer};
use super::keep::replace;
use super::{EDITION, SUM, file_for, whole};
use crate::gather::Cache;
use crate::gather::code::outline::DefinitionKind;
use crate::gather::code::shape::{Extent, Foldable, Shape};
use crate::gather::language::Language;

/// Shapes that are remembered of one project, the newest first.
const MOST: usize = 1_000;
/// A shape of more bytes is not remembered.
const LARGEST_SHAPE: usize = 100_000;

/// The shapes of one project's files. New ones are written when it is dropped.
#[derive(Debug)]
pub(in crate::gather) struct Shapes {
    file: PathBuf,
    keep: bool,
    known: OnceLock<Vec<Entry>>,
    new: Mutex<Vec<Entry>>,
}

impl Shapes {
    /// Those of the project at `root`.
    pub fn of(cache: Cache<'_>, root: &Path) -> Self {
        let file = file_for(cache.dir, "shapes", root);
        Self { file, keep: cache.keep, known: OnceLock::new(), new: Mutex::default() }
    }

    /// The shape of a text with this hash, by `make` if it is not known.
    pub fn get_or(&self, sha256: &str, language: Language, make: impl FnOnce() -> Option<Shape>) -> Option<Shape> {
        let key = format!("{} {sha256}", language.name());
        let known = self.known.get_or_init(|| read(&self.file)).iter().find(|(name, _)| *name == key);
        match known.map(|(_, bytes)| (bytes.is_empty(), decoded(bytes))) {
            Some((true, _)) => return None,
            Some((false, Some(shape))) => return Some(shape),
            _ => {}
        }
        let shape = make();
        let bytes = encoded(shape.as_ref());
        if self.keep && bytes.len() <= LARGEST_SHAPE {
            self.new.lock().unwrap_or_else(PoisonError::into_inner).push((key, bytes));
        }
        shape
    }
}

impl Drop for Shapes {
    fn drop(&mut self) {
        let new = std::mem::take(self.new.get_mut().unwrap_or_else(PoisonError::into_inner));
        if new.is_empty() {
            return;
        }
        // Another process may have written since.
        let mut seen = HashSet::new();
        let all = new.into_iter().chain(read(&self.file));
        let kept: Vec<Entry> = all.filter(|(key, _)| seen.insert(key.clone())).take(MOST).collect();
        let mut body = Writer::default();
        body.number(kept.len() as u64);
        for (key, bytes) in kept {
            body.text(&key);
            body.bytes(&bytes);
        }
        replace(&self.file, &body.0);
    }
}

/// A text's language and hash, and its shape in bytes.
type Entry = (String, Vec<u8>);

/// What is remembered in a file, in its order.
fn read(file: &Path) -> Vec<Entry> {
    let Some(bytes) = whole(file) else { return Vec::new() };
    let mut reader = Reader(bytes.get(EDITION.len() + SUM..).unwrap_or_default());
    let count = reader.number().unwrap_or_default();
    (0..count).map_while(|_| Some((reader.text()?.to_owned(), reader.bytes()?.to_vec()))).collect()
}

const KINDS: [DefinitionKind; 8] = [
    DefinitionKind::Function,
    DefinitionKind::Method,
    DefinitionKind::Type,
    DefinitionKind::Implementation,
    DefinitionKind::Module,
    DefinitionKind::Constant,
    DefinitionKind::Property,
    DefinitionKind::Macro,
];

/// Nothing for a text that the parser gave up on: it would do so again.
fn encoded(shape: Option<&Shape>) -> Vec<u8> {
    let mut writer = Writer::default();
    let Some(shape) = shape else { return writer.0 };
    let span = |writer: &mut Writer, (first, last): (u32, u32)| {
        writer.number(u64::from(first));
        writer.number(u64::from(last));
    };
    writer.number(u64::from(shape.has_errors));
    writer.number(shape.definitions.len() as u64);
    for extent in &shape.definitions {
        writer.number(KINDS.iter().position(|kind| *kind == extent.kind).unwrap_or_default() as u64);
        span(&mut writer, (extent.first, extent.last));
        writer.number(extent.parent.map_or(0, |parent| parent as u64 + 1));
    }
    writer.number(shape.folds.len() as u64);
    for fold in &shape.folds {
        span(&mut writer, fold.scope);
        // A gap is inside of something, so that none is the first row alone.
        span(&mut writer, fold.gap.unwrap_or_default());
        writer.number(fold.holds as u64 * 2 + u64::from(fold.is_body));
    }
    writer.0
}

/// The shape that [`encoded`] wrote; `None` where there is none.
fn decoded(bytes: &[u8]) -> Option<Shape> {
    let mut reader = Reader(bytes);
    let has_errors = reader.number()? == 1;
    let count = reader.number()?;
    let definitions: Option<Vec<Extent>> = (0..count)
        .map(|at| {
            let kind = *KINDS.get(usize::try_from(reader.number()?).ok()?)?;
            let (first, last, parent) = (reader.small()?, reader.small()?, reader.number()?);
            (parent <= at).then_some(())?;
            Some(Extent { kind, first, last, parent: parent.checked_sub(1).map(|parent| parent as usize) })
        })
        .collect();
    let count = reader.number()?;
    let folds: Option<Vec<Foldable>> = (0..count)
        .map(|at| {
            let (scope, gap) = ((reader.small()?, reader.small()?), (reader.small()?, reader.small()?));
            let last = reader.number()?;
            let (holds, is_body) = (last / 2, last % 2 == 1);
            (holds <= at).then_some(())?;
            Some(Foldable { scope, gap: Some(gap).filter(|gap| *gap != (0, 0)), is_body, holds: holds as usize })
        })
        .collect();
    Some(Shape { definitions: definitions?, has_errors, folds: folds? })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TEXT: &str = "import os\n\nTABLE = [\n    1,\n    2,\n    3,\n    4,\n    5,\n    6,\n    7,\n    8,\n    9,\n    10,\n    11,\n    12,\n    13,\n    14,\n]\n\n\nclass A:\n    def a(self):\n        x()\n        y()\n        z()\n";

    fn store(dir: &Path, keep: bool) -> Shapes {
        Shapes::of(Cache { dir, keep }, Path::new("a project"))
    }

    fn make() -> Option<Shape> {
        Shape::of(Language::Python, TEXT)
    }

    #[test]
    fn a_shape_is_read_as_it_was_written() {
        let broken = Shape::of(Language::Rust, "fn a( {\n").unwrap();
        for shape in [make().unwrap(), broken] {
            assert!(!shape.definitions.is_empty() || shape.has_errors);
            assert_eq!(decoded(&encoded(Some(&shape))), Some(shape));
        }
        assert!(make().unwrap().folds.len() == 2);
        assert!(encoded(None).is_empty());
        assert_eq!(decoded(&[0, 9, 9]), None);
    }

    #[test]
    fn every_kind_of_definition_has_its_number() {
        let extent = |kind| Extent { kind, first: 1, last: 2, parent: None };
        let shape = Shape { definitions: KINDS.map(extent).to_vec(), has_errors: false, folds: Vec::new() };
        assert_eq!(decoded(&encoded(Some(&shape))), Some(shape));
    }

    #[test]
    fn what_one_run_made_the_next_one_knows() {
        let dir = tempfile::tempdir().unwrap();
        let shape = store(dir.path(), true).get_or("ab12", Language::Python, make);
        assert_eq!(shape, make());
        let second = store(dir.path(), true);
        assert_eq!(second.get_or("ab12", Language::Python, || panic!("it is known")), shape);
        assert_eq!(second.get_or("ab12", Language::Rust, || None), None, "another language is another shape");
        drop(second);
        let third = store(dir.path(), true);
        assert_eq!(third.get_or("ab12", Language::Rust, make), None, "what could not be parsed cannot be parsed");
        assert_eq!(third.get_or("ab12", Language::Python, || panic!("it is known")), shape);
    }

    #[test]
    fn two_at_once_both_remember() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (store(dir.path(), true), store(dir.path(), true));
        one.get_or("aa", Language::Python, make);
        other.get_or("bb", Language::Python, make);
        drop((one, other));
        let after = store(dir.path(), true);
        for hash in ["aa", "bb"] {
            assert_eq!(after.get_or(hash, Language::Python, || panic!("{hash} is known")), make());
        }
    }

    #[test]
    fn nothing_is_written_that_may_not_be_and_damage_is_nothing_known() {
        let dir = tempfile::tempdir().unwrap();
        store(dir.path(), false).get_or("aa", Language::Python, make);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        store(dir.path(), true).get_or("aa", Language::Python, make);
        let file = file_for(dir.path(), "shapes", Path::new("a project"));
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        assert_eq!(store(dir.path(), false).get_or("aa", Language::Python, || None), None);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        for round in ["a", "b"] {
            let shapes = store(dir.path(), true);
            for number in 0..MOST - 1 {
                shapes.get_or(&format!("{round}{number}"), Language::Python, || None);
            }
        }
        let known = read(&file_for(dir.path(), "shapes", Path::new("a project")));
        assert_eq!(known.len(), MOST);
        assert!(known[0].0.ends_with("b0") && known[MOST - 1].0.ends_with("a0"), "{:?}", known[MOST - 1].0);
    }
}
