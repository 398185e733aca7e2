//! Sessions: one goal each, in `.teddy/sessions/YYYYMMDD-slug/`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_yaml::Mapping;

use super::slug::slug;
use super::turn::{self, TurnId};
use super::yaml::{self, one_or_many};
use super::{Project, atomic, clock, files, subdirectories};
use crate::error::{Error, Result};
use crate::text::nearest;

/// A session on disk. Having one says that its directory is there, not that everything in it is in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    root: PathBuf,
    dir: PathBuf,
    name: String,
}

/// What `session.yaml` holds. Keys of other tools are kept when it is saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionMeta {
    goal: String,
    /// The checklist that says when the goal is reached.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub definition_of_done: Vec<String>,
    /// implement, debug, refactor, test, analyze, review or docs, given or inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
    /// simple, medium or complex, if the person said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<String>,
    /// What must hold on the way.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    pub constraints: Vec<String>,
    /// What has been decided so far.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub decisions: Vec<Decision>,
    /// When it was made, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// What was in the file when it was read.
    #[serde(skip)]
    seen: Mapping,
}

/// One decision; in the file it may be just a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "DecisionForm")]
pub struct Decision {
    /// What others refer to it by.
    pub id: String,
    /// What was decided.
    pub summary: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Where to read more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

/// The ways in which a decision may be written.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a decision: a text, or `id`, `summary`, `rationale` and `links`")]
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

impl From<DecisionForm> for Decision {
    fn from(form: DecisionForm) -> Self {
        match form {
            DecisionForm::Text(summary) => Self { summary, ..Self::default() },
            DecisionForm::Full { id, summary, rationale, links } => Self { id, summary, rationale, links },
        }
    }
}

impl SessionMeta {
    /// A new session's record.
    pub fn new(goal: &str, created: i64) -> Self {
        Self { goal: goal.trim().to_owned(), created: Some(clock::iso(created)), ..Self::default() }
    }

    /// What the session is for; it is written once and never again.
    pub fn goal(&self) -> &str {
        &self.goal
    }
}

/// The name a session for this goal gets on that day, if nobody has it yet.
pub fn name_for(goal: &str, now: i64) -> String {
    format!("{}-{}", clock::date(now), slug(goal))
}

/// The name that [`create`] would give now: the first that nobody has.
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

/// Makes a session for `meta`'s goal, named after it and the day `now` (seconds since 1970).
pub fn create(project: &Project, meta: &SessionMeta, now: i64) -> Result<Session> {
    if meta.goal.is_empty() {
        return Err(Error::input("the task is empty", "say what is to be done: teddy plan \"Add refunds\""));
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
    Err(Error::input("there is no free session name", ""))
}

/// All sessions, the one touched last first; equal times by name, later names first.
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

/// The session that `what` names: a name, the part after the date, a beginning that only one has, or a path inside it.
/// Relative paths start at `cwd`.
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
                format!("`{what}` fits {} sessions: {}", names.len(), names.join(", ")),
                "give more of the name",
            ))
        }
    }
}

/// What `what` names: a session, `session/turn`, a turn of the session touched last, or a path in either. Without it,
/// the session touched last.
pub fn locate(project: &Project, cwd: &Path, what: Option<&str>) -> Result<(Session, Option<TurnId>)> {
    let sessions = list(project);
    let last = sessions.first();
    let Some(what) = what else {
        let none = || Error::negative("there is no session yet", "start one: teddy plan \"Add refunds\"");
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
    // What is written like a turn was meant as one.
    let meant = |error: Error| match last.filter(|_| TurnId::of_directory(what).is_some()) {
        Some(session) => turn::existing(session, what).err().unwrap_or(error),
        None => error,
    };
    find(project, cwd, what).map(|session| (session, None)).map_err(meant)
}

/// The session's name and perhaps the turn of a path below `sessions/`: absolute, or from where the person is, the
/// project's root or `sessions/` itself. The turn has to exist; a file in it need not, so that `01/report.md` names the
/// turn that the report is missing in.
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

/// `20260124`, or `20260124_103000` as another program writes it.
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

    /// The session's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The project's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The same session in another place.
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

    /// The name without its date.
    fn slug(&self) -> &str {
        match self.name.split_once('-') {
            Some((date, rest)) if is_date(date) => rest,
            _ => &self.name,
        }
    }

    /// What `session.yaml` says. A session of another program has none: then its request, or its name, is the goal.
    pub fn meta(&self) -> Result<SessionMeta> {
        let path = self.meta_file();
        let mut meta = match files::read_inside(&self.root, &path)? {
            Some(text) => yaml::parse::<SessionMeta>(&path, &text)?,
            None => SessionMeta::default(),
        };
        meta.seen = yaml::snapshot(&meta)?;
        if meta.goal.trim().is_empty() {
            meta.goal = self.foreign_goal().unwrap_or_else(|| self.slug().replace('-', " "));
        }
        Ok(meta)
    }

    /// Writes what changed in `meta` since it was read; the goal on disk stays as it is.
    pub fn save(&self, meta: &mut SessionMeta) -> Result<()> {
        let path = self.meta_file();
        let text = files::read_inside(&self.root, &path)?;
        let mut record = meta.clone();
        if let Some(text) = &text {
            let there: SessionMeta = yaml::parse(&path, text)?;
            if !there.goal.trim().is_empty() {
                record.seen.insert("goal".into(), record.goal.as_str().into());
                meta.goal = there.goal;
            }
        }
        let new = yaml::merge(&path, text.as_deref(), &record, &record.seen)?;
        if text.as_ref() != Some(&new) {
            atomic::write(&path, new.as_bytes())?;
        }
        meta.seen = yaml::snapshot(meta)?;
        Ok(())
    }

    /// When something in one of its turns changed last; without turns, when the session itself did.
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

    /// What another program keeps as the session's request.
    pub fn initial_request(&self) -> Option<String> {
        let read = |dir: PathBuf| files::read_inside(&self.root, &dir.join("initial_request.md")).ok().flatten();
        self.and_first_turn().into_iter().find_map(read)
    }

    /// What `meta.yaml` of another program says that the session is for.
    fn foreign_request(&self) -> Option<String> {
        let read = |dir: PathBuf| {
            let path = dir.join("meta.yaml");
            let text = files::read_inside(&self.root, &path).ok().flatten()?;
            let meta: Mapping = yaml::parse(&path, &text).ok()?;
            let keys = ["goal", "initial_request", "user_request", "request", "task", "title"];
            keys.iter().find_map(|key| meta.get(key)?.as_str().map(ToOwned::to_owned))
        };
        self.and_first_turn().into_iter().find_map(read)
    }

    /// The session's directory and that of its first turn, where other programs keep what a session is for.
    fn and_first_turn(&self) -> Vec<PathBuf> {
        let first_turn = turn::turns(self).first().map(|id| self.dir.join(id.to_string()));
        std::iter::once(self.dir.clone()).chain(first_turn).collect()
    }

    /// The first heading, else the first line, of what another program keeps as the session's request.
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
