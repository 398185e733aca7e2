//! Sessions: one goal each, in `.teddy/sessions/YYYYMMDD-slug/`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_yaml::Mapping;

use super::slug::slug;
use super::task::{Complexity, TaskType};
use super::turn::{self, TurnId};
use super::yaml::{self, one_or_many};
use super::{Project, atomic, clock, files, subdirectories};
use crate::error::{Error, Result};
use crate::text::nearest;

/// A session on disk. Its directory exists; its files may be missing or invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    root: PathBuf,
    dir: PathBuf,
    name: String,
}

/// Contents of `session.yaml`. Saving keeps the keys of other tools.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionMeta {
    goal: String,
    /// Acceptance criteria.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub definition_of_done: Vec<String>,
    /// Task type, set or inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<TaskType>,
    /// Complexity, if set by the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Constraints.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub constraints: Vec<String>,
    /// Decisions made so far.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub decisions: Vec<Decision>,
    /// Creation time, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The file's contents when it was read, for merging.
    #[serde(skip)]
    seen: Mapping,
}

/// A decision. In the file, it may also be a plain string.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "DecisionForm")]
pub struct Decision {
    /// Id for references.
    pub id: String,
    /// Text of the decision.
    pub summary: String,
    /// Rationale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Links to more information.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

/// Accepted notations of a decision.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a decision: a string, or `id`, `summary`, `rationale` and `links`")]
enum DecisionForm {
    Text(String),
    Full {
        #[serde(default)]
        id: String,
        summary: String,
        #[serde(default)]
        rationale: Option<String>,
        #[serde(default)]
        links: Vec<String>,
    },
}

impl Decision {
    /// A decision that is just a string.
    pub fn of_text(text: &str) -> Self {
        Self { summary: text.to_owned(), ..Self::default() }
    }
}

impl From<DecisionForm> for Decision {
    fn from(form: DecisionForm) -> Self {
        match form {
            DecisionForm::Text(summary) => Self { summary, ..Self::default() },
            DecisionForm::Full { id, summary, rationale, links } => Self { id, summary, rationale, links },
        }
    }
}

impl SessionMeta {
    /// Record of a new session.
    pub fn new(goal: &str, created: i64) -> Self {
        Self { goal: goal.trim().to_owned(), created: Some(clock::iso(created)), ..Self::default() }
    }

    /// Goal of the session. It changes only if the person asks for it.
    pub fn goal(&self) -> &str {
        &self.goal
    }
}

/// Name of a session with this goal on that day. The name may already be taken.
pub fn name_for(goal: &str, now: i64) -> String {
    format!("{}-{}", clock::date(now), slug(goal))
}

/// The first name that is not taken, which [`create`] would choose now.
pub fn free_name(project: &Project, goal: &str, now: i64) -> String {
    let base = name_for(goal, now);
    let mut name = base.clone();
    let mut count = 1;
    while project.sessions_dir().join(&name).symlink_metadata().is_ok() {
        count += 1;
        name = format!("{base}-{count}");
    }
    name
}

/// Creates a session for the goal in `meta`, named after it and the date `now` (seconds since 1970).
pub fn create(project: &Project, meta: &SessionMeta, now: i64) -> Result<Session> {
    if meta.goal.is_empty() {
        return Err(Error::input("the task is empty", "describe the task: teddy plan \"Add refunds\""));
    }
    let text = yaml::merge::<SessionMeta>(Path::new("session.yaml"), None, meta, &Mapping::new())?;
    let base = name_for(&meta.goal, now);
    let mut name = free_name(project, &meta.goal, now);
    for count in 2.. {
        match atomic::create_dir(&project.sessions_dir(), &name, &[("session.yaml", text.clone().into_bytes())]) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {
                name = format!("{base}-{count}");
            }
            Err(error) => return Err(error),
            Ok(dir) => return Ok(Session { root: project.root().to_path_buf(), dir, name }),
        }
    }
    Err(Error::input("no free session name found", ""))
}

/// All sessions, most recently used first. Sessions used at the same time are ordered by name, descending.
pub fn list(project: &Project) -> Vec<Session> {
    let mut sessions: Vec<_> = subdirectories(&project.sessions_dir())
        .into_iter()
        .filter_map(|dir| {
            let name = dir.file_name()?.to_str()?.to_owned();
            let session = Session { root: project.root().to_path_buf(), dir, name };
            Some((session.touched(), session))
        })
        .collect();
    sessions.sort_by(|(a_time, a), (b_time, b)| b_time.cmp(a_time).then_with(|| b.name.cmp(&a.name)));
    sessions.into_iter().map(|(_, session)| session).collect()
}

/// Finds a session by its name, the part of the name after the date, a unique prefix, or a path inside it. Relative
/// paths start at `cwd`.
pub fn find(project: &Project, cwd: &Path, what: &str) -> Result<Session> {
    let sessions = list(project);
    let exact = |name: &str| sessions.iter().find(|session| session.name == name).cloned();
    if let Some(session) = exact(what) {
        return Ok(session);
    }
    if let Some(session) = path_inside(project, cwd, what).and_then(|(name, _)| exact(&name)) {
        return Ok(session);
    }
    let fits = |session: &&Session| !what.is_empty() && (session.name.starts_with(what) || session.slug() == what);
    match sessions.iter().filter(fits).collect::<Vec<_>>().as_slice() {
        [session] => Ok((*session).clone()),
        [] => Err(missing(&sessions, what)),
        several => {
            let names: Vec<_> = several.iter().map(|session| session.name.as_str()).collect();
            Err(Error::input(
                format!("`{what}` matches {} sessions: {}", names.len(), names.join(", ")),
                "give more of the name",
            ))
        }
    }
}

/// Finds a session, `session/turn`, a turn of the most recently used session, or a path inside one. Without an
/// argument, finds the most recently used session.
pub fn locate(project: &Project, cwd: &Path, what: Option<&str>) -> Result<(Session, Option<TurnId>)> {
    let sessions = list(project);
    let last = sessions.first();
    let Some(what) = what else {
        let none = || Error::negative("there are no sessions yet", "start one: teddy plan \"Add refunds\"");
        return last.cloned().map(|session| (session, None)).ok_or_else(none);
    };
    if let Some((name, turn)) = path_inside(project, cwd, what) {
        return Ok((find(project, cwd, &name)?, turn));
    }
    if !sessions.iter().any(|session| session.name == what) {
        if let Some((name, turn)) = what.trim_end_matches('/').rsplit_once('/') {
            let session = find(project, cwd, name)?;
            let id = turn::existing(&session, turn)?;
            return Ok((session, Some(id)));
        }
        if let Some(session) = last
            && let Ok(id) = turn::existing(session, what)
        {
            return Ok((session.clone(), Some(id)));
        }
    }
    // A string in the form of a turn id always means a turn.
    let meant = |error: Error| match last.filter(|_| TurnId::of_directory(what).is_some()) {
        Some(session) => turn::existing(session, what).err().unwrap_or(error),
        None => error,
    };
    find(project, cwd, what).map(|session| (session, None)).map_err(meant)
}

/// Session name and optional turn of a path below `sessions/`. The path is absolute, or relative to the current
/// directory, the project's root or `sessions/`. The turn must exist, but a file in it need not, so that `01/report.md`
/// names a turn without a report.
fn path_inside(project: &Project, cwd: &Path, what: &str) -> Option<(String, Option<TurnId>)> {
    let sessions = files::physical(&project.sessions_dir()).ok()?;
    [cwd, project.root(), &sessions].into_iter().find_map(|from| {
        let path = from.join(what);
        let there = path.ancestors().find_map(|path| files::physical(path).ok().map(|real| (real, path)))?;
        let mut parts = there.0.strip_prefix(&sessions).ok()?.components();
        let name = parts.next()?.as_os_str().to_str()?.to_owned();
        let turn = parts.next().and_then(|part| TurnId::of_directory(part.as_os_str().to_str()?));
        (turn.is_some() || there.1 == path).then_some((name, turn))
    })
}

/// Returns true for `20260124`, or `20260124_103000` as other programs write it.
fn is_date(text: &str) -> bool {
    let (date, time) = text.split_once('_').unwrap_or((text, "000000"));
    let digits = |text: &str, length| text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
    digits(date, 8) && digits(time, 6)
}

fn missing(sessions: &[Session], what: &str) -> Error {
    let names = sessions.iter().map(|session| session.name.as_str());
    let by_slug = || {
        let slug = nearest(what, sessions.iter().map(Session::slug))?;
        sessions.iter().find(|session| session.slug() == slug).map(|session| session.name.clone())
    };
    Error::Missing {
        kind: "session",
        name: what.to_owned(),
        nearest: nearest(what, names).map(ToOwned::to_owned).or_else(by_slug),
    }
}

impl Session {
    /// `20260124-add-user-auth`
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Directory of the session.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// `path` relative to the project root, for messages.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Root of the project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The same session in a new directory.
    pub(super) fn renamed(&self, dir: PathBuf, name: &str) -> Self {
        Self { root: self.root.clone(), dir, name: name.to_owned() }
    }

    /// `session.yaml`
    pub fn meta_file(&self) -> PathBuf {
        self.dir.join("session.yaml")
    }

    /// `session.context`
    pub fn context_file(&self) -> PathBuf {
        self.dir.join("session.context")
    }

    /// Name without the date.
    fn slug(&self) -> &str {
        match self.name.split_once('-') {
            Some((date, rest)) if is_date(date) => rest,
            _ => &self.name,
        }
    }

    /// Reads `session.yaml`. A session of another program has no such file; its goal is then the request, or its name.
    pub fn meta(&self) -> Result<SessionMeta> {
        let path = self.meta_file();
        let mut meta = match files::read_inside(&self.root, &path)? {
            Some(text) => yaml::parse::<SessionMeta>(self.shown(&path), &text)?,
            None => SessionMeta::default(),
        };
        meta.seen = yaml::snapshot(&meta)?;
        if meta.goal.trim().is_empty() {
            meta.goal = self.foreign_goal().unwrap_or_else(|| self.slug().replace('-', " "));
        }
        Ok(meta)
    }

    /// Writes `session.yaml` again, from a copy.
    pub fn restore(&self, meta: &SessionMeta) -> Result<()> {
        let text = yaml::merge::<SessionMeta>(Path::new("session.yaml"), None, meta, &Mapping::new())?;
        atomic::write(&self.meta_file(), text.as_bytes())
    }

    /// Replaces the goal.
    pub fn set_goal(&self, goal: &str) -> Result<()> {
        let path = self.meta_file();
        let text = files::read_inside(&self.root, &path)?;
        let mut meta = self.meta()?;
        goal.trim().clone_into(&mut meta.goal);
        let new = yaml::merge(self.shown(&path), text.as_deref(), &meta, &meta.seen)?;
        atomic::write(&path, new.as_bytes())
    }

    /// The name that the session would have with this goal, without changing its date. A name that a person chose is
    /// kept.
    pub fn name_for_goal(&self, goal: &str) -> String {
        match self.name.split_once('-') {
            Some((date, _)) if is_date(date) => format!("{date}-{}", slug(goal)),
            _ => self.name.clone(),
        }
    }

    /// Writes the changes made to `meta` since it was read. The goal is not written.
    pub fn save(&self, meta: &mut SessionMeta) -> Result<()> {
        let path = self.meta_file();
        let text = files::read_inside(&self.root, &path)?;
        let mut record = meta.clone();
        if let Some(text) = &text {
            let there: SessionMeta = yaml::parse(self.shown(&path), text)?;
            if !there.goal.trim().is_empty() {
                record.seen.insert("goal".into(), record.goal.as_str().into());
                meta.goal = there.goal;
            }
        }
        let new = yaml::merge(self.shown(&path), text.as_deref(), &record, &record.seen)?;
        if text.as_ref() != Some(&new) {
            atomic::write(&path, new.as_bytes())?;
        }
        meta.seen = yaml::snapshot(meta)?;
        Ok(())
    }

    /// Time of the last change in a turn, or of the session itself if it has no turns.
    pub fn touched(&self) -> SystemTime {
        let of = |dir: &Path| {
            let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
            let files = entries.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
            let times = files.filter_map(|entry| entry.metadata().ok()?.modified().ok());
            times.chain(dir.symlink_metadata().and_then(|meta| meta.modified())).max()
        };
        let turns = turn::turns(self).into_iter().filter_map(|id| of(&self.dir.join(id.to_string()))).max();
        turns.or_else(|| of(&self.dir)).unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// The request stored by another program.
    pub fn initial_request(&self) -> Option<String> {
        let read = |dir: PathBuf| files::read_inside(&self.root, &dir.join("initial_request.md")).ok().flatten();
        self.request_directories().into_iter().find_map(read)
    }

    /// The goal in another program's `meta.yaml`.
    fn foreign_request(&self) -> Option<String> {
        let read = |dir: PathBuf| {
            let path = dir.join("meta.yaml");
            let text = files::read_inside(&self.root, &path).ok().flatten()?;
            let meta: Mapping = yaml::parse(&path, &text).ok()?;
            let keys = ["goal", "initial_request", "user_request", "request", "task", "title"];
            keys.iter().find_map(|key| meta.get(key)?.as_str().map(ToOwned::to_owned))
        };
        self.request_directories().into_iter().find_map(read)
    }

    /// Directories in which other programs store the request: the session's, and its first turn's.
    fn request_directories(&self) -> Vec<PathBuf> {
        let first_turn = turn::turns(self).first().map(|id| self.dir.join(id.to_string()));
        std::iter::once(self.dir.clone()).chain(first_turn).collect()
    }

    /// The first heading of a request stored by another program, or else its first line.
    fn foreign_goal(&self) -> Option<String> {
        let text = self.initial_request().or_else(|| self.foreign_request())?;
        let lines =
            || text.lines().map(|line| line.trim().trim_start_matches('\u{feff}')).filter(|line| !line.is_empty());
        let line = lines().find(|line| line.starts_with('#')).or_else(|| lines().next())?;
        let goal = line.trim_start_matches('#').trim();
        (!goal.is_empty()).then(|| goal.to_owned())
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
