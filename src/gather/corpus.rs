//! What `gather` read: every file with what can be told cheaply, and its text on demand.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;
use sha2::{Digest, Sha256};

use super::count::Sizes;
use super::file_cache::{Keeping, Stamp};
use super::git::GitFacts;
use super::item::{Item, ItemKind, Source};
use super::read::{self, Decoded};
use super::role::Role;
use super::terms::{TermCounts, Terms};
use super::test_map::TestMap;
use crate::ids::{FileId, ItemId};
use crate::outline::excerpt::shortened_by;
use crate::outline::graph::ImportGraph;
use crate::outline::imports::Import;
use crate::outline::language::Language;
use crate::outline::shape::Shape;
use crate::outline::skeleton::Cut;
use crate::outline::symbols::Symbols;
use crate::redact::{Finding, Policy};
use crate::text::hex;

/// The project as it was when it was read, for one task. A clone shares everything but the list of items.
#[derive(Clone)]
pub struct Corpus {
    /// The project's root; every path is relative to it.
    pub root: PathBuf,
    /// Every text file, sorted by path.
    pub files: Shared<SourceFile>,
    /// Every candidate: the files first, at the same index, then what is not a file.
    pub items: Vec<Item>,
    /// What was left out of the scan and why, sorted by path.
    pub skipped: Shared<Skipped>,
    /// What git knows; `None` outside a repository.
    pub git: Option<Arc<GitFacts>>,
    /// Why git signals are off, where they are.
    pub git_off: Option<String>,
    /// How often each file says which word.
    pub terms: Arc<Terms>,
    /// Who imports whom.
    pub graph: Arc<ImportGraph>,
    /// Which test belongs to which source.
    pub tests: Arc<TestMap>,
    /// The moment that "recent" is judged against, in seconds since 1970.
    pub now: i64,
    /// How many tokens each file has, as far as they were counted.
    pub(super) sizes: Arc<Sizes>,
    /// What is being remembered for the next run; the last one to drop it waits for that.
    pub(super) keeping: Option<Arc<Keeping>>,
    /// Finds secrets; every text goes through it before anybody sees or counts it.
    pub redactor: Arc<Policy>,
}

/// A list that clones share.
#[derive(Debug)]
pub struct Shared<T>(Arc<Vec<T>>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<Vec<T>> for Shared<T> {
    fn from(list: Vec<T>) -> Self {
        Self(Arc::new(list))
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a Shared<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Only a list that nobody shares yet can be changed; a shared one has nothing to offer here.
impl<'a, T> IntoIterator for &'a mut Shared<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::get_mut(&mut self.0).map(Vec::as_mut_slice).unwrap_or_default().iter_mut()
    }
}

/// One text file.
#[derive(Debug)]
pub struct SourceFile {
    /// Relative to the root, with `/` on every platform.
    pub path: String,
    /// What it is written in, where that is known.
    pub language: Option<Language>,
    /// What it is for.
    pub role: Role,
    /// Its size on disk.
    pub bytes: u64,
    /// Its lines; a last line without a line end counts.
    pub lines: u32,
    /// When it was last modified, in seconds since 1970.
    pub modified: i64,
    /// What it imports, as written.
    pub imports: Vec<Import>,
    /// What it defines.
    pub symbols: Symbols,
    /// Where the corpus keeps how often it says which word.
    pub terms: TermCounts,
    /// Whether it says itself that a program wrote it.
    pub(super) says_generated: bool,
    /// Its state when it was read, where the system tells it.
    pub(super) stamp: Option<Stamp>,
    /// Its text once somebody asked for it.
    pub(super) text: OnceLock<Arc<Text>>,
}

/// A file's text as it may be shown, with what was found in it.
#[derive(Debug)]
pub struct Text {
    /// The text, secrets replaced.
    pub shown: String,
    /// The sha256 of the bytes on disk, in hexadecimal.
    pub sha256: String,
    /// Where secrets were replaced.
    pub findings: Vec<Finding>,
    /// Whether bytes that are no UTF-8 were replaced.
    pub lossy: bool,
    /// Why there is no text, for a file that went away or became unreadable after the scan.
    pub missing: Option<String>,
    /// The shape of its outline, once it was asked for.
    shape: OnceLock<Option<Shape>>,
}

/// A path that was left out of the scan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Relative to the root, with what is not UTF-8 or not printable escaped.
    pub path: String,
    /// Why it was left out.
    pub why: String,
}

impl Corpus {
    /// The path of a file, or of the one that an item tells the loss of.
    pub fn path_of_file(&self, item: ItemId) -> Option<&str> {
        self.files.get(item.index()).map(|file| file.path.as_str()).or_else(|| self.gone_path(item))
    }

    /// The path of the file that an item tells the loss of: a change of what is gone.
    pub fn gone_path(&self, item: ItemId) -> Option<&str> {
        let item =
            self.items.get(item.index()).filter(|item| item.kind == ItemKind::Changes && item.about.is_none())?;
        item.path.strip_prefix(ItemKind::Changes.name())?.strip_prefix(':')
    }

    /// The text of a file, read (again) and redacted on first use, then kept.
    pub fn file_text(&self, file: FileId) -> Arc<Text> {
        let entry = &self.files[file];
        Arc::clone(entry.text.get_or_init(|| {
            let decoded = read::read_text(&self.root, &entry.path, u64::MAX);
            Arc::new(Text::from_decoded(decoded, &entry.path, &self.redactor))
        }))
    }

    /// The same project without the list of its items, sharing everything.
    pub(crate) fn without_items(&self) -> Self {
        Self {
            root: self.root.clone(),
            files: self.files.clone(),
            items: Vec::new(),
            skipped: self.skipped.clone(),
            git: self.git.clone(),
            git_off: self.git_off.clone(),
            terms: Arc::clone(&self.terms),
            graph: Arc::clone(&self.graph),
            tests: Arc::clone(&self.tests),
            now: self.now,
            sizes: Arc::clone(&self.sizes),
            keeping: self.keeping.clone(),
            redactor: Arc::clone(&self.redactor),
        }
    }

    /// Leaves what is large to the system, for a process that is about to end: taking a million small things apart one by one
    /// would take longer than most of what was done with them.
    pub fn leave_to_the_end(&self) {
        std::mem::forget((self.files.clone(), self.git.clone(), self.skipped.clone()));
        std::mem::forget((Arc::clone(&self.terms), Arc::clone(&self.graph), Arc::clone(&self.tests)));
    }

    /// A file's text as it is on disk, for evidence only: it may hold secrets, so nothing of it may be shown.
    pub(crate) fn raw_text(&self, file: FileId) -> Option<String> {
        let bytes = read::read_bytes(&self.root, &self.files[file].path, u64::MAX).ok()?;
        read::decode(bytes).ok().map(|(text, _)| text)
    }

    /// The text of any item.
    pub fn item_text(&self, item: ItemId) -> Arc<Text> {
        match &self.items[item].source {
            Source::File(file) => self.file_text(*file),
            Source::Text(text) => Arc::new(Text::of_own(text)),
        }
    }

    /// What an item's text has in tokens at least, by its bytes: less than any source that is not mostly spaces.
    pub fn least_tokens(&self, item: ItemId) -> usize {
        let bytes = match &self.items[item].source {
            Source::File(file) => self.files[*file].bytes as usize,
            Source::Text(text) => text.len(),
        };
        bytes / 16
    }

    /// The file behind an item.
    pub fn file_of(&self, item: ItemId) -> Option<&SourceFile> {
        match self.items[item].source {
            Source::File(file) => self.files.get(file.index()),
            Source::Text(_) => None,
        }
    }

    /// The index of the file at `path`.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(FileId::new)
    }
}

impl SourceFile {
    /// Its text, if somebody has asked for it already.
    pub fn known_text(&self) -> Option<&Arc<Text>> {
        self.text.get()
    }
}

impl Text {
    pub(super) fn from_decoded(decoded: Result<Decoded, String>, path: &str, redactor: &Policy) -> Self {
        match decoded {
            Ok(Decoded { text, sha256, lossy }) => {
                let (shown, findings) = redactor.redact(&text, path);
                Self { findings, lossy, ..Self::new(shown.into_owned(), sha256) }
            }
            Err(why) => Self { missing: Some(why), ..Self::new(String::new(), String::new()) },
        }
    }

    fn of_own(text: &str) -> Self {
        Self::new(text.to_owned(), hex(&Sha256::digest(text.as_bytes())))
    }

    fn new(shown: String, sha256: String) -> Self {
        Self { shown, sha256, findings: Vec::new(), lossy: false, missing: None, shape: OnceLock::new() }
    }

    /// Where its definitions are; none if nobody reads its language, or it is too large.
    pub fn shape(&self, language: Language) -> Option<&Shape> {
        self.shape.get_or_init(|| Shape::of(language, &self.shown)).as_ref()
    }

    /// The lines in `keep` with the signatures of the rest, or the whole outline where there are none; none as for its shape.
    pub fn skeleton(&self, language: Language, keep: &[(u32, u32)]) -> Option<Cut> {
        Some(shortened_by(self.shape(language)?, language, &self.shown, keep))
    }

    /// The number of lines; a last line without a line end counts.
    pub fn lines(&self) -> u32 {
        count_lines(&self.shown)
    }
}

/// The number of lines in `text`; a last line without a line end counts.
pub fn count_lines(text: &str) -> u32 {
    let ends = memchr_iter(b'\n', text.as_bytes()).count();
    (ends + usize::from(!text.is_empty() && !text.ends_with('\n'))) as u32
}
