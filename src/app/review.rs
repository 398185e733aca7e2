//! Reviews: the base of the comparison, and the task of a session that was started without one.

use super::environment::Environment;
use super::options::BaseRequest;
use crate::error::{Error, Result};
use crate::gather::git::{self, BaseCommit, BaseError, Git, short_id};
use crate::text::printable;

/// Advice on naming a base.
const NAME_ONE: &str = "name a branch, tag or commit: teddy review main";

/// Finds the base of a review.
pub fn base(env: &Environment, request: &BaseRequest) -> Result<BaseCommit> {
    let git = open(env)?;
    let name = match request {
        BaseRequest::MainBranch => None,
        BaseRequest::Named(name) => Some(name.as_str()),
    };
    git.base(name).map_err(|error| explained(&error, name.unwrap_or_default(), git.is_shallow()))
}

fn open(env: &Environment) -> Result<Git> {
    let none = || Error::input("there is no git repository here, so there are no changes to review", "use -C DIR");
    git::open(&env.root).map_err(Error::Git)?.ok_or_else(none)
}

fn explained(error: &BaseError, name: &str, shallow: bool) -> Error {
    const DEEPEN: &str = "the history is shallow; fetch more of it: git fetch --unshallow";
    let name = printable(name);
    match error {
        BaseError::NoCommits => {
            Error::negative("the repository has no commit to compare with", "commit something first")
        }
        BaseError::NoMainBranch if shallow => Error::input("found no main branch to compare with", DEEPEN),
        BaseError::NoMainBranch => Error::input("found no main branch to compare with", NAME_ONE),
        BaseError::Unknown { .. } if shallow => Error::input(format!("`{name}` is not a commit of this clone"), DEEPEN),
        BaseError::Unknown { nearest: Some(near) } => Error::input(
            format!("`{name}` is not a branch, tag or commit"),
            format!("did you mean `{}`?", printable(near)),
        ),
        BaseError::Unknown { nearest: None } => {
            Error::input(format!("`{name}` is not a branch, tag or commit"), NAME_ONE)
        }
        BaseError::Range => Error::input(
            format!("`{name}` is a range; a review ends with the working tree"),
            format!("name only its start: teddy review {}", name.split("..").next().unwrap_or_default()),
        ),
        BaseError::Ambiguous => Error::input(format!("`{name}` is ambiguous"), "write more digits of the commit id"),
        BaseError::Unrelated { name } if shallow => {
            Error::input(format!("found no common ancestor of HEAD and `{}`", printable(name)), DEEPEN)
        }
        BaseError::Unrelated { name } => {
            Error::input(format!("HEAD and `{}` have no common ancestor", printable(name)), NAME_ONE)
        }
    }
}

/// Describes a review as a task, if the person gave none.
pub fn task(env: &Environment, base: &BaseCommit) -> Result<String> {
    let git = open(env)?;
    let facts = git.facts();
    if git.head_id().as_deref() == Some(base.id.as_str()) {
        return Ok("Review the uncommitted changes".to_owned());
    }
    let branch = match facts.branch {
        Some(branch) if base.name.as_deref() != Some(branch.as_str()) => format!(" of branch {branch}"),
        _ => String::new(),
    };
    let since = match &base.name {
        Some(name) => format!("{name} ({})", short_id(&base.id)),
        None => short_id(&base.id).to_owned(),
    };
    let text = format!("Review the changes{branch} since {since}");
    Ok(env.redaction()?.redact(&text, "").0.into_owned())
}
