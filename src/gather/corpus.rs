//! The result of `gather`: every file with its properties, and its text on demand.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;
use sha2::{Digest, Sha256};

use super::count::TokenCounts;
use super::file_cache::{CacheWriter, StampDigest};
use super::git::{BlobId, GitFacts};
use super::item::{Item, ItemKind, Source};
use super::notebook;
use super::read::{self, DecodedFile};
use super::review::Review;
use super::role::{self, Role};
use super::snapshots::CommitFiles;
use super::terms::{TermCounts, Terms};
use super::test_map::TestMap;
use crate::ids::{FileId, ItemId};
use crate::outline::definitions::{self, Outline};
use crate::outline::excerpt::shortened_by;
use crate::outline::graph::ImportGraph;
use crate::outline::imports::Import;
use crate::outline::language::Language;
use crate::outline::shape::Shape;
use crate::outline::skeleton::ShortenedText;
use crate::outline::symbols::Symbols;
use crate::redact::{Finding, Policy};
use crate::text::hex;

/// The project at the time of the scan, for one task. Clones share everything except the list of items.
#[derive(Clone)]
pub struct Corpus {
    /// Root directory; all paths are relative to it.
    pub root: PathBuf,
    /// The commit that the files come from; `None` for the files on disk.
    pub(super) commit: Option<Arc<CommitFiles>>,
    /// Every text file, sorted by path.
    pub files: SharedList<SourceFile>,
    /// Every candidate: first the files, each at its own index, then the items that are not files.
    pub items: Vec<Item>,
    /// Paths that were skipped and why, sorted by path.
    pub skipped: SharedList<SkippedFile>,
    /// Data from git; `None` outside a repository.
    pub git: Option<Arc<GitFacts>>,
    /// The reason git data is missing.
    pub git_off: Option<String>,
    /// Term counts of all files.
    pub terms: Arc<Terms>,
    /// Import graph.
    pub graph: Arc<ImportGraph>,
    /// Tests matched to sources.
    pub tests: Arc<TestMap>,
    /// The changes under review; `None` outside a review.
    pub review: Option<Arc<Review>>,
    /// Reference time for "recent", in seconds since 1970.
    pub now: i64,
    /// Token counts, completed in the background.
    pub(super) sizes: Arc<TokenCounts>,
    /// Writes the cache in the background; dropping the last clone waits for it.
    pub(super) cache_writer: Option<Arc<CacheWriter>>,
    /// Redacts all text before it is shown or counted.
    pub redactor: Arc<Policy>,
}

/// Minimum size of a generated file that counts as bulk output.
const BULK_BYTES: u64 = 50_000;
/// Minimum bytes per line of a generated file that counts as bulk output, such as a minified one.
const BULK_LINE_BYTES: u64 = 500;

/// A list shared between clones.
#[derive(Debug)]
pub struct SharedList<T>(Arc<Vec<T>>);

impl<T> Clone for SharedList<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(list: Vec<T>) -> Self {
        Self(Arc::new(list))
    }
}

impl<T> std::ops::Deref for SharedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A list with several owners yields nothing, because it cannot be changed.
impl<'a, T> IntoIterator for &'a mut SharedList<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::get_mut(&mut self.0).map(Vec::as_mut_slice).unwrap_or_default().iter_mut()
    }
}

/// A text file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Relative to the root, with `/` on every platform.
    pub path: String,
    /// `None` if unknown.
    pub language: Option<Language>,
    /// Purpose of the file.
    pub role: Role,
    /// Size on disk.
    pub bytes: u64,
    /// Number of lines, including a last one without a line ending.
    pub lines: u32,
    /// Modification time in seconds since 1970.
    pub modified: i64,
    /// Imports as written.
    pub imports: Box<[Import]>,
    /// Definitions.
    pub symbols: Symbols,
    /// Position of the file's term counts in [`Corpus::terms`].
    pub terms: TermCounts,
    /// True if a marker in the file says that it is generated, or if the file is minified.
    pub(super) is_marked_generated: bool,
    /// Metadata of the file when it was read, if the platform provides enough.
    pub(super) stamp: Option<StampDigest>,
    /// The file's blob, in the corpus of a commit.
    pub(super) blob: Option<Box<BlobId>>,
    /// The text, read on first use.
    pub(super) text: OnceLock<Arc<Text>>,
}

/// A file's redacted text.
#[derive(Debug)]
pub struct Text {
    /// The text with secrets replaced.
    pub shown: String,
    /// Hexadecimal SHA-256 of the bytes on disk.
    pub sha256: String,
    /// Redacted secrets.
    pub findings: Vec<Finding>,
    /// Name of the encoding on disk if it is not UTF-8.
    pub encoding: Option<&'static str>,
    /// True if invalid bytes were replaced.
    pub lossy: bool,
    /// The reason why there is no text: the file was deleted or became unreadable after the scan.
    pub missing: Option<String>,
    /// Definitions without names, computed on first use.
    shape: OnceLock<Option<Shape>>,
    /// Definitions with names, computed on first use.
    outline: OnceLock<Option<Outline>>,
}

/// A path that the scan skipped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkippedFile {
    /// Relative to the root, with unprintable characters escaped.
    pub path: String,
    /// The reason.
    pub why: String,
}

impl Corpus {
    /// Path of the file that an item contains, or of the deleted file that it describes.
    pub fn path_of_file(&self, item: ItemId) -> Option<&str> {
        self.files.get(item.index()).map(|file| file.path.as_str()).or_else(|| self.deleted_path(item))
    }

    /// Path of the deleted file that a `changes` item describes.
    pub fn deleted_path(&self, item: ItemId) -> Option<&str> {
        let item =
            self.items.get(item.index()).filter(|item| item.kind == ItemKind::Changes && item.about.is_none())?;
        item.path.strip_prefix(ItemKind::Changes.name())?.strip_prefix(':')
    }

    /// The text of a file, read and redacted on first use.
    pub fn file_text(&self, file: FileId) -> Arc<Text> {
        let entry = &self.files[file];
        Arc::clone(entry.text.get_or_init(|| {
            let decoded = self.bytes(entry).and_then(|bytes| read::decode_owned(&entry.path, &bytes));
            Arc::new(Text::from_decoded(decoded, &entry.path, &self.redactor))
        }))
    }

    /// A clone without items.
    pub(crate) fn without_items(&self) -> Self {
        Self {
            root: self.root.clone(),
            commit: self.commit.clone(),
            files: self.files.clone(),
            items: Vec::new(),
            skipped: self.skipped.clone(),
            git: self.git.clone(),
            git_off: self.git_off.clone(),
            terms: Arc::clone(&self.terms),
            graph: Arc::clone(&self.graph),
            tests: Arc::clone(&self.tests),
            review: self.review.clone(),
            now: self.now,
            sizes: Arc::clone(&self.sizes),
            cache_writer: self.cache_writer.clone(),
            redactor: Arc::clone(&self.redactor),
        }
    }

    /// A clone without past commits.
    #[must_use]
    pub fn without_history(&self) -> Self {
        let git = self.git.as_ref().map(|git| {
            let (head, head_time) = (git.head.clone(), git.head_time);
            Arc::new(GitFacts { head, head_time, ..GitFacts::default() })
        });
        Self { git, ..self.clone() }
    }

    /// Leaks the large lists. Only for a process that is about to exit, because freeing a million small values takes
    /// longer than leaving them to the system.
    pub fn leak_at_exit(&self) {
        std::mem::forget((self.files.clone(), self.git.clone(), self.skipped.clone()));
        std::mem::forget((Arc::clone(&self.terms), Arc::clone(&self.graph), Arc::clone(&self.tests)));
    }

    /// The text as it is on disk. Only for scoring: it may contain secrets and must not be shown.
    pub(crate) fn raw_text(&self, file: FileId) -> Option<String> {
        let file = &self.files[file];
        let bytes = self.bytes(file).ok()?;
        read::decode(&file.path, &bytes).ok().map(|decoded| decoded.text.into_owned())
    }

    /// A file's bytes as they are on disk or in the commit; the error is the reason why they are missing.
    pub(crate) fn bytes(&self, file: &SourceFile) -> Result<Vec<u8>, String> {
        match (&self.commit, &file.blob) {
            (Some(commit), Some(blob)) => commit.blobs.read(**blob),
            _ => read::read_bytes(&self.root, &file.path, u64::MAX),
        }
    }

    /// Returns true if the root has this file, even if it is not a candidate.
    pub(super) fn has_at_root(&self, name: &str) -> bool {
        match &self.commit {
            Some(commit) => commit.root_names.contains(name),
            None => self.root.join(name).symlink_metadata().is_ok_and(|meta| meta.is_file()),
        }
    }

    /// The text of an item.
    pub fn item_text(&self, item: ItemId) -> Arc<Text> {
        match &self.items[item].source {
            Source::File(file) => self.file_text(*file),
            Source::Text(text) => Arc::new(Text::of_own(text)),
        }
    }

    /// Lower bound for an item's tokens, from its size in bytes.
    pub fn least_tokens(&self, item: ItemId) -> usize {
        let bytes = match &self.items[item].source {
            // A notebook is much smaller without its outputs.
            Source::File(file) if notebook::is_notebook(&self.files[*file].path) => 0,
            Source::File(file) => self.files[*file].bytes as usize,
            Source::Text(text) => text.len(),
        };
        bytes / 16
    }

    /// The file that an item shows.
    pub fn file_of(&self, item: ItemId) -> Option<&SourceFile> {
        match self.items[item].source {
            Source::File(file) => self.files.get(file.index()),
            Source::Text(_) => None,
        }
    }

    /// Index of the file at `path`.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(FileId::new)
    }
}

impl SourceFile {
    /// Returns true for bulk output, which enters RAW only if a person pins it: a lock file, minified bundle, source
    /// map, snapshot, SVG image or large generated file.
    pub fn is_bulk_output(&self) -> bool {
        role::is_bulk_name(&self.path, self.bytes)
            || self.role == Role::Generated
                && (self.bytes > BULK_BYTES || self.bytes > BULK_LINE_BYTES * u64::from(self.lines.max(1)))
    }

    /// The text if it has been read already.
    pub fn known_text(&self) -> Option<&Arc<Text>> {
        self.text.get()
    }
}

impl Text {
    pub(super) fn from_decoded(decoded: Result<DecodedFile, String>, path: &str, redactor: &Policy) -> Self {
        match decoded {
            Ok(DecodedFile { text, sha256, encoding, lossy }) => {
                let (shown, findings) = redactor.redact(&text, path);
                Self { findings, encoding, lossy, ..Self::new(shown.into_owned(), sha256) }
            }
            Err(why) => Self { missing: Some(why), ..Self::new(String::new(), String::new()) },
        }
    }

    fn of_own(text: &str) -> Self {
        Self::new(text.to_owned(), hex(&Sha256::digest(text.as_bytes())))
    }

    fn new(shown: String, sha256: String) -> Self {
        Self {
            shown,
            sha256,
            findings: Vec::new(),
            encoding: None,
            lossy: false,
            missing: None,
            shape: OnceLock::new(),
            outline: OnceLock::new(),
        }
    }

    /// Definitions without names. `None` if the language has no reader, or the text is too large.
    pub fn shape(&self, language: Language) -> Option<&Shape> {
        self.shape.get_or_init(|| Shape::of(language, &self.shown)).as_ref()
    }

    /// Definitions with names. `None` in the same cases as for [`Text::shape`].
    pub fn outline(&self, language: Language) -> Option<&Outline> {
        self.outline.get_or_init(|| definitions::outline(language, &self.shown)).as_ref()
    }

    /// The lines in `keep` with the signatures of the rest, or only the outline if `keep` is empty. `None` in the same
    /// cases as for [`Text::shape`].
    pub fn skeleton(&self, language: Language, keep: &[(u32, u32)]) -> Option<ShortenedText> {
        Some(shortened_by(self.shape(language)?, language, &self.shown, keep))
    }

    /// Number of lines, including a last one without a line ending.
    pub fn lines(&self) -> u32 {
        count_lines(&self.shown)
    }
}

/// Number of lines, including a last one without a line ending.
pub fn count_lines(text: &str) -> u32 {
    let ends = memchr_iter(b'\n', text.as_bytes()).count();
    (ends + usize::from(!text.is_empty() && !text.ends_with('\n'))) as u32
}
