//! The changes of a branch or the working tree under review: changed files and lines, commits, and changed definitions.

mod content;
mod definitions;
mod renames;
mod text;

#[cfg(test)]
mod tests;

pub use definitions::{ChangedDefinition, innermost, merged, outermost_function, touched};
pub use text::{items, range};

use super::corpus::Corpus;
use super::git::{self, BranchCommit, Git, LineDiff, PathChange};
use super::role::{self, Role};
use crate::ids::FileId;
use crate::outline::language::Language;
use content::{ChangedBytes, FileVersion};

/// Maximum number of changed files whose lines are compared. Further files are only counted.
const MOST_FILES: usize = 400;

/// All changes since a base commit, including those in the working tree.
#[derive(Debug, Default)]
pub struct Review {
    /// The base commit's full id.
    pub base: String,
    /// The first line of its message.
    pub base_subject: String,
    /// The changed files: code first, then tests, documents and the rest; deleted files last.
    pub files: Vec<ChangedFile>,
    /// Further changed files that were not compared.
    pub more_files: usize,
    /// The commits since the base, newest first.
    pub commits: Vec<BranchCommit>,
    /// True if there are more commits.
    pub more_commits: bool,
    /// The definitions that changed or were removed, in product code.
    pub definitions: Vec<ChangedDefinition>,
}

/// A changed file.
#[derive(Debug)]
pub struct ChangedFile {
    /// Its path; for a deleted file, its former path.
    pub path: String,
    /// The file as a candidate. `None` if it is deleted, binary or skipped.
    pub file: Option<FileId>,
    /// Kind of change.
    pub status: FileStatus,
    /// Its purpose.
    pub role: Role,
    /// The change itself.
    pub content: ChangedContent,
    /// The reason for omitting its diff unless a person pins it.
    pub withheld: Option<&'static str>,
    /// True if its executable bit changed.
    pub mode_changed: bool,
}

/// Kind of change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileStatus {
    /// New.
    Added,
    /// New and not tracked by git.
    Untracked,
    /// Changed.
    Modified,
    /// Deleted.
    Deleted,
    /// Renamed.
    Renamed {
        /// The former path.
        from: String,
    },
}

/// The change of a file's content.
#[derive(Debug)]
pub enum ChangedContent {
    /// Lines of text.
    Text(LineDiff),
    /// Not text: sizes before and after.
    Binary(Option<u64>, Option<u64>),
    /// A symbolic link.
    Link,
    /// A submodule: its commits before and after.
    Submodule(Option<String>, Option<String>),
    /// Not read, with the reason: it is ignored or too large.
    Unread(String),
}

impl ChangedFile {
    /// The changed lines; `None` if the content is not text.
    pub fn lines(&self) -> Option<&LineDiff> {
        match &self.content {
            ChangedContent::Text(diff) => Some(diff),
            _ => None,
        }
    }

    /// Returns true if the whole file is new.
    pub fn is_new(&self) -> bool {
        matches!(self.status, FileStatus::Added | FileStatus::Untracked)
    }
}

impl Review {
    /// Compares the working tree with a base commit. `skips` returns true for paths that the project's ignore rules
    /// exclude.
    pub fn new(corpus: &Corpus, git: &Git, base: &str, skips: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let mut paths = git.changed_between(base)?;
        for (path, _) in corpus.git.iter().flat_map(|facts| &facts.dirty) {
            paths.entry(path.clone()).or_insert_with(|| {
                let same = git.file_at(base, path);
                PathChange { before: same.clone(), after: same }
            });
        }
        paths.retain(|path, _| corpus.redactor.redact(path, "").1.is_empty() && !is_own(path));
        let reader = content::VersionReader { corpus, git, skips };
        let total = paths.len();
        let versions: Vec<ChangedBytes> =
            paths.into_iter().take(MOST_FILES).filter_map(|(path, change)| reader.read(path, &change)).collect();
        let mut files: Vec<(ChangedFile, Vec<ChangedDefinition>)> =
            renames::paired(versions).into_iter().map(|version| changed_file(corpus, version)).collect();
        files.sort_by(|(a, _), (b, _)| (order(a), &a.path).cmp(&(order(b), &b.path)));
        let (files, definitions): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let (mut commits, more_commits) = git.commits_since(base);
        for commit in &mut commits {
            commit.message = corpus.redactor.redact(&commit.message, "").0.into_owned();
        }
        let subject = git.subject_of(base).unwrap_or_default();
        Ok(Self {
            base: base.to_owned(),
            base_subject: corpus.redactor.redact(&subject, "").0.into_owned(),
            files,
            more_files: total.saturating_sub(MOST_FILES),
            commits,
            more_commits,
            definitions: definitions.into_iter().flatten().collect(),
        })
    }

    /// The base commit's short id.
    pub fn base_short(&self) -> &str {
        git::short_id(&self.base)
    }

    /// Returns true if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.more_files == 0
    }

    /// The change of a candidate.
    pub fn of(&self, file: FileId) -> Option<&ChangedFile> {
        self.files.iter().find(|changed| changed.file == Some(file))
    }

    /// Added and removed lines of all files whose diff is shown.
    pub fn line_totals(&self) -> (usize, usize) {
        let shown = self.files.iter().filter(|file| file.withheld.is_none()).filter_map(ChangedFile::lines);
        shown.fold((0, 0), |(plus, minus), diff| (plus + diff.plus, minus + diff.minus))
    }
}

/// Returns true if a path belongs to teddy itself.
fn is_own(path: &str) -> bool {
    path.split('/').next() == Some(crate::project::TEDDY_DIR)
}

/// Code comes first: its changes matter most if not everything fits.
fn order(file: &ChangedFile) -> u8 {
    match (&file.status, file.role) {
        _ if file.withheld.is_some() => 6,
        (FileStatus::Deleted, _) => 5,
        (_, Role::Source) => 0,
        (_, Role::Test) => 1,
        (_, Role::Config | Role::TestSupport | Role::Example) => 2,
        (_, Role::Doc) => 3,
        _ => 4,
    }
}

fn changed_file(corpus: &Corpus, change: ChangedBytes) -> (ChangedFile, Vec<ChangedDefinition>) {
    let ChangedBytes { path, before, after, renamed_from, untracked } = change;
    let status = match (renamed_from, &before, &after) {
        (Some(from), ..) => FileStatus::Renamed { from },
        (None, FileVersion::Absent, _) if untracked => FileStatus::Untracked,
        (None, FileVersion::Absent, _) => FileStatus::Added,
        (None, _, FileVersion::Absent) => FileStatus::Deleted,
        _ => FileStatus::Modified,
    };
    let file = corpus.find(&path);
    let language = file.and_then(|file| corpus.files[file].language).or_else(|| Language::of(&path, ""));
    let role = file.map_or_else(|| role::role(&path, language), |file| corpus.files[file].role);
    let mode_changed = match (&before, &after) {
        (FileVersion::Text { executable: old, .. }, FileVersion::Text { executable: new, .. }) => old != new,
        _ => false,
    };
    let content = content::compared(&path, &before, &after);
    let is_bulk = file.is_some_and(|file| corpus.files[file].is_bulk_output())
        || role::is_bulk_name(
            &path,
            content.lines().map_or(0, |diff| diff.hunks.iter().map(String::len).sum::<usize>() as u64),
        );
    let withheld = match role {
        Role::Generated => Some("generated"),
        Role::Vendored => Some("vendored"),
        _ => is_bulk.then_some("generated"),
    };
    let mut definitions = Vec::new();
    if let (ChangedContent::Text(diff), Some(language), Role::Source, None) = (&content, language, role, withheld) {
        definitions = definitions::changed(language, &before, &after, diff);
        for definition in &mut definitions {
            (definition.file, definition.path) = (file, path.clone());
        }
    }
    (ChangedFile { path, file, status, role, content, withheld, mode_changed }, definitions)
}

impl ChangedContent {
    fn lines(&self) -> Option<&LineDiff> {
        match self {
            Self::Text(diff) => Some(diff),
            _ => None,
        }
    }
}
