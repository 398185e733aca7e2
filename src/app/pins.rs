//! Pins stored for later turns, in `session.context` or `global.context`.

use super::environment::Environment;
use super::options::Scope;
use crate::error::{Error, Result};
use crate::project::line_spec::LineSpec;
use crate::project::session::Session;
use crate::project::{Project, context};
use crate::text::counted;

/// Stores pins for these paths, directories or globs, or removes the pins if all of them are already stored. Returns a
/// message.
pub fn toggle(env: &Environment, session: Option<&Session>, scope: Scope, paths: &[String]) -> Result<String> {
    change(env, session, scope, paths, true)
}

/// Stores pins for these paths, directories or globs if they are not stored yet; returns a message.
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
    let pins: Vec<StoredPin> = paths.iter().map(|path| StoredPin::of(env, project, path)).collect();
    let remove = may_remove && pins.iter().all(|pin| pin.is_in(&text));
    context::change(project.root(), &file, |text| {
        pins.iter()
            .fold(text.to_owned(), |text, pin| if remove { pin.removed_from(&text) } else { pin.added_to(&text) })
    })?;
    let what = match paths {
        [one] => one.clone(),
        several => counted(several.len(), "item"),
    };
    let done = if remove { "Removed the pin of" } else { "Stored the pin of" };
    let preposition = if remove { "from" } else { "in" };
    Ok(format!("{done} {what} {preposition} {}", env.shown(&file)))
}

/// A pin as a line of a `.context` file.
enum StoredPin {
    File(String),
    /// Lines of a file.
    Lines(String, LineSpec),
    /// A directory or a glob.
    Pattern(String),
}

impl StoredPin {
    /// Converts a pattern, which may be relative to the working directory.
    fn of(env: &Environment, project: &Project, pattern: &str) -> Self {
        let file = |path: &str| {
            let here = env.inside(path).into_iter().chain([path.to_owned()]);
            here.into_iter().find(|path| project.root().join(path).is_file())
        };
        if let Some(path) = file(pattern) {
            return Self::File(path);
        }
        match LineSpec::split(pattern).ok().flatten().and_then(|(path, lines)| Some((file(path)?, lines))) {
            Some((path, lines)) => Self::Lines(path, lines),
            None => Self::Pattern(pattern.to_owned()),
        }
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Self::File(path) | Self::Pattern(path) => context::covers(text, path),
            Self::Lines(path, lines) => context::with_added_lines(text, path, lines) == text,
        }
    }

    fn added_to(&self, text: &str) -> String {
        match self {
            Self::File(path) => context::with_added_whole(text, path),
            Self::Lines(path, lines) => context::with_added_lines(text, path, lines),
            Self::Pattern(pattern) => context::with_added_pattern(text, pattern),
        }
    }

    fn removed_from(&self, text: &str) -> String {
        match self {
            Self::File(path) | Self::Pattern(path) => context::with_removed(text, path),
            Self::Lines(path, lines) => context::with_removed_lines(text, path, &lines.each()),
        }
    }
}
