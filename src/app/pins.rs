//! Pins stored beyond their turn, in `session.context` or `global.context`.

use super::backend::Scope;
use super::environment::Environment;
use crate::error::{Error, Result};
use crate::project::context;
use crate::project::session::Session;
use crate::text::counted;

/// Stores pins of these paths, directories or globs, or removes them if all are stored already; returns a message.
pub fn toggle(env: &Environment, session: Option<&Session>, scope: Scope, paths: &[String]) -> Result<String> {
    change(env, session, scope, paths, true)
}

/// Stores pins of these paths, directories or globs; those that are stored already stay. Returns a message.
pub fn store(env: &Environment, session: Option<&Session>, scope: Scope, paths: &[String]) -> Result<String> {
    change(env, session, scope, paths, false)
}

fn change(
    env: &Environment,
    session: Option<&Session>,
    scope: Scope,
    paths: &[String],
    may_remove: bool,
) -> Result<String> {
    let project = env.project()?;
    let file = match (scope, session) {
        (Scope::Project, _) => project.global_context(),
        (Scope::Session, Some(session)) => session.context_file(),
        (Scope::Session, None) => return Err(Error::negative("there is no session yet", "start one: teddy plan")),
    };
    let text = project.read(&file)?.unwrap_or_default();
    let remove = may_remove && paths.iter().all(|path| context::covers(&text, path));
    context::change(project.root(), &file, |text| {
        paths.iter().fold(text.to_owned(), |text, path| {
            let is_file = project.root().join(path).is_file();
            match (remove, is_file) {
                (true, _) => context::with_removed(&text, path),
                (false, true) => context::with_added(&text, path),
                (false, false) => context::with_added_pattern(&text, path),
            }
        })
    })?;
    let what = match paths {
        [one] => one.clone(),
        several => counted(several.len(), "item"),
    };
    let done = if remove { "Removed the pin of" } else { "Stored the pin of" };
    let preposition = if remove { "from" } else { "in" };
    Ok(format!("{done} {what} {preposition} {}", env.shown(&file)))
}
