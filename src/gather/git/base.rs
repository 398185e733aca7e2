//! The base of a review: a commit, or the commit at which the branch left the main branch.

use git2::{Commit, ErrorCode, Oid, Repository};

use super::Git;
use crate::text::nearest;

/// Names of a main branch, in order of preference.
const MAIN: [&str; 4] = ["main", "master", "trunk", "develop"];
/// Number of digits of a displayed commit id.
const SHORT: usize = 9;

/// The commit that a branch or the working tree is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseCommit {
    /// Its full id.
    pub id: String,
    /// Name by which the commit was found; `None` if it was found by its id.
    pub name: Option<String>,
}

/// A reason why there is no base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseError {
    /// The repository has no commit yet.
    NoCommits,
    /// No branch looks like the main branch.
    NoMainBranch,
    /// No commit has this name.
    Unknown {
        /// The most similar branch.
        nearest: Option<String>,
    },
    /// The name is a range of commits.
    Range,
    /// An abbreviated id matches several objects.
    Ambiguous,
    /// It has no common ancestor with HEAD.
    Unrelated {
        /// The branch or commit.
        name: String,
    },
}

/// The first digits of a commit id.
pub fn short_id(id: &str) -> &str {
    &id[..id.len().min(SHORT)]
}

impl Git {
    /// Returns true if the history is truncated.
    pub fn is_shallow(&self) -> bool {
        self.repository.is_shallow()
    }

    /// The base of a review: the merge base of HEAD with the named commit, or else with the main branch.
    pub fn base(&self, name: Option<&str>) -> Result<BaseCommit, BaseError> {
        let head = self.repository.head().and_then(|head| head.peel_to_commit()).map_err(|_| BaseError::NoCommits)?;
        let Some(name) = name else { return self.main_base(&head) };
        if name.contains("..") {
            return Err(BaseError::Range);
        }
        let commit = self.commit_named(name)?;
        let id = self
            .repository
            .merge_base(head.id(), commit.id())
            .map_err(|_| BaseError::Unrelated { name: name.to_owned() })?;
        let is_itself = id == commit.id() && id.to_string().starts_with(name);
        Ok(BaseCommit { id: id.to_string(), name: (!is_itself).then(|| name.to_owned()) })
    }

    /// The merge base with the local or remote main branch, whichever is nearer to HEAD. On the main branch itself, the
    /// remote branch is the base. Without a remote, only uncommitted changes are reviewed.
    fn main_base(&self, head: &Commit<'_>) -> Result<BaseCommit, BaseError> {
        let current = self.branch();
        let mut found: Vec<(Oid, String)> = Vec::new();
        let mut unrelated = None;
        for (name, commit) in self.main_branches() {
            if current.as_deref() == Some(name.as_str()) {
                continue;
            }
            match self.repository.merge_base(head.id(), commit) {
                Ok(id) => found.push((id, name)),
                Err(_) => unrelated = unrelated.or(Some(name)),
            }
        }
        let descends = |id: Oid, of: Oid| self.repository.graph_descendant_of(id, of).unwrap_or_default();
        let nearest = found.into_iter().reduce(|best, next| if descends(next.0, best.0) { next } else { best });
        match (nearest, unrelated) {
            (Some((id, name)), _) => Ok(BaseCommit { id: id.to_string(), name: Some(name) }),
            (None, Some(name)) => Err(BaseError::Unrelated { name }),
            (None, None) if current.is_some_and(|current| MAIN.contains(&current.as_str())) => {
                Ok(BaseCommit { id: head.id().to_string(), name: None })
            }
            (None, None) => Err(BaseError::NoMainBranch),
        }
    }

    /// The branches that may be the main branch, with their commits.
    fn main_branches(&self) -> Vec<(String, Oid)> {
        let mut names: Vec<String> = Vec::new();
        if let Ok(default) = self.repository.find_reference("refs/remotes/origin/HEAD")
            && let Ok(Some(target)) = default.symbolic_target()
            && let Some(name) = target.strip_prefix("refs/remotes/")
        {
            names.push(name.to_owned());
            names.extend(name.split_once('/').map(|(_, local)| local.to_owned()));
        }
        let known = names.is_empty();
        names.extend(MAIN.iter().filter(|_| known).flat_map(|name| [format!("origin/{name}"), (*name).to_owned()]));
        let commit = |name: String| {
            let full = if name.starts_with("origin/") { "refs/remotes/" } else { "refs/heads/" };
            let reference = self.repository.find_reference(&format!("{full}{name}")).ok()?;
            Some((name, reference.peel_to_commit().ok()?.id()))
        };
        names.into_iter().filter_map(commit).collect()
    }

    /// The commit of a branch, tag or id. `origin/` may be omitted from the name of a remote branch.
    fn commit_named(&self, name: &str) -> Result<Commit<'_>, BaseError> {
        let parsed = |name: &str| self.repository.revparse_single(name).and_then(|object| object.peel_to_commit());
        match parsed(name).or_else(|error| parsed(&format!("origin/{name}")).map_err(|_| error)) {
            Ok(commit) => Ok(commit),
            Err(error) if error.code() == ErrorCode::Ambiguous => Err(BaseError::Ambiguous),
            Err(_) => Err(BaseError::Unknown { nearest: nearest_branch(&self.repository, name) }),
        }
    }

    /// The first line of a commit's message.
    pub fn subject_of(&self, id: &str) -> Option<String> {
        let commit = self.repository.find_commit(Oid::from_str(id).ok()?).ok()?;
        let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
        Some(message.trim_start().lines().next().unwrap_or_default().to_owned())
    }
}

/// The branch with the most similar name.
fn nearest_branch(repository: &Repository, name: &str) -> Option<String> {
    let branches = repository.branches(None).ok()?;
    let names: Vec<String> = branches.filter_map(|branch| branch.ok()?.0.name().ok()?.map(ToOwned::to_owned)).collect();
    nearest(name, names.iter().map(String::as_str)).map(ToOwned::to_owned)
}
