//! The environment of a run, opened once: working directory, project (if there is one), configuration and redaction
//! policy.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::debug_log::TARGET;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::project::config::{self, Config};
use crate::project::secret_allowlist::{self, SecretAllowlist};
use crate::project::session;
use crate::project::turn::{self, Turn};
use crate::project::{Project, files};
use crate::redact::Policy;
use crate::text::printable;
use crate::workbench::select::{self, PatternMatch};

/// The environment of a run. Clones share the redaction policy.
#[derive(Clone)]
pub struct Environment {
    /// Directory that relative paths start from.
    pub cwd: PathBuf,
    /// Root of the project, even if it has no `.teddy/` yet.
    pub root: PathBuf,
    project: OnceLock<Project>,
    policy: Arc<OnceLock<Arc<Policy>>>,
    /// Merged configuration: defaults, user's file, project's file.
    pub config: Config,
    /// Directory for the user's state, such as the list of allowed secrets.
    pub state_dir: Option<PathBuf>,
    /// The directory of the user's own configuration, such as templates.
    pub user_dir: Option<PathBuf>,
    /// Scans update the user's cache; false only for agents, which write nothing outside `.teddy/`.
    pub writes_cache: bool,
}

impl Environment {
    /// An environment without a project, with the default configuration, as on a machine where teddy has just been
    /// installed.
    pub fn without_project(root: &Path) -> Self {
        Self {
            cwd: root.to_path_buf(),
            root: root.to_path_buf(),
            project: OnceLock::new(),
            policy: Arc::default(),
            config: Config::default(),
            state_dir: None,
            user_dir: None,
            writes_cache: false,
        }
    }

    /// Opens the project around `directory`, or around the working directory.
    pub fn open(directory: Option<&Path>) -> Result<Self> {
        let cwd = match directory {
            None => std::env::current_dir().and_then(|here| files::physical(&here)),
            Some(directory) => files::physical(directory),
        };
        let given = directory.unwrap_or(Path::new("."));
        let wrong =
            |what: &str| Error::input(format!("{} {what}", given.display()), "use -C with an existing directory");
        let cwd = match cwd {
            Ok(cwd) if cwd.is_dir() => cwd,
            Ok(_) => return Err(wrong("is not a directory")),
            Err(error) if files::is_absent(&error) => return Err(wrong("does not exist")),
            Err(error) => return Err(Error::io("open", given, error)),
        };
        let project = Project::find(&cwd)?;
        let root = match &project {
            Some(project) => project.root().to_path_buf(),
            None => Project::root_for(&cwd)?,
        };
        let config = Config::load(project.as_ref())?;
        log::debug!(target: TARGET, root:% = root.display(), project = project.is_some(); "open");
        Ok(Self {
            cwd,
            root,
            project: project.map_or_else(OnceLock::new, OnceLock::from),
            policy: Arc::default(),
            config,
            state_dir: secret_allowlist::state_dir(),
            user_dir: config::user_dir(),
            writes_cache: true,
        })
    }

    /// The same environment with a profile of the configuration.
    pub fn with_profile(&self, name: Option<&str>) -> Result<Self> {
        Ok(Self { config: self.config.with_profile(name)?, ..self.clone() })
    }

    /// The project, if there is a `.teddy/`.
    pub fn existing_project(&self) -> Option<&Project> {
        self.project.get()
    }

    /// The project. Without one, the error's hint says how to create it.
    pub fn project(&self) -> Result<&Project> {
        self.existing_project()
            .ok_or_else(|| Error::negative("there is no `.teddy/` here", "start with: teddy plan \"Add refunds\""))
    }

    /// The named turn, the last turn of the named session, or else the last turn of the most recently used session.
    pub fn turn(&self, which: Option<&str>) -> Result<Turn> {
        let (session, id) = session::locate(self.project()?, &self.cwd, which)?;
        let none = || turn::no_turn_yet(&session);
        Turn::open(&session, id.or_else(|| turn::latest_turn(&session)).ok_or_else(none)?)
    }

    /// The last turn of the most recently used session, if there is one.
    pub fn latest_turn(&self) -> Result<Option<Turn>> {
        let Some(session) = self.existing_project().and_then(|project| session::list(project).into_iter().next())
        else {
            return Ok(None);
        };
        turn::latest_turn(&session).map(|id| Turn::open(&session, id)).transpose()
    }

    /// The project, which is created if necessary, and the files that were created.
    pub fn project_or_init(&self) -> Result<(&Project, Vec<PathBuf>)> {
        let (project, created) = Project::init(&self.root)?;
        Ok((self.project.get_or_init(|| project), created))
    }

    /// The redaction policy from the user's own configuration, built on first use.
    pub fn redaction(&self) -> Result<Arc<Policy>> {
        if let Some(policy) = self.policy.get() {
            return Ok(Arc::clone(policy));
        }
        let policy = Arc::new(self.build_policy()?);
        log::debug!(target: TARGET, "redaction policy");
        Ok(Arc::clone(self.policy.get_or_init(|| policy)))
    }

    fn build_policy(&self) -> Result<Policy> {
        let redact = &self.config.redact;
        if !redact.enabled {
            return Ok(Policy::off());
        }
        let rules = match &redact.rules_file {
            Some(file) => {
                let missing = || {
                    let what = format!("redact.rules_file {} does not exist", file.display());
                    Error::input(what, "fix `redact.rules_file` in your own config.yaml")
                };
                Some(files::read_own(file)?.ok_or_else(missing)?)
            }
            None => None,
        };
        let policy = Policy::new(rules.as_deref(), &redact.allow)?;
        let allowed = self.allowances()?.map(|list| list.for_policy()).unwrap_or_default();
        Ok(policy.allowing(allowed))
    }

    /// Values that the person allowed in this project.
    pub fn allowances(&self) -> Result<Option<SecretAllowlist>> {
        self.state_dir.as_ref().map(|dir| SecretAllowlist::load(dir, &self.root)).transpose()
    }

    /// A path as the person would type it: relative to the working directory if the path is inside that directory or
    /// the project.
    pub fn relative(&self, path: &Path) -> PathBuf {
        if let Ok(below) = path.strip_prefix(&self.cwd) {
            return if below.as_os_str().is_empty() { PathBuf::from(".") } else { below.to_path_buf() };
        }
        match (self.cwd.strip_prefix(&self.root), path.strip_prefix(&self.root)) {
            (Ok(down), Ok(inside)) => {
                // From `a/b`, the path `a/c` is one level up, not two.
                let shared = down.components().zip(inside.components()).take_while(|(one, two)| one == two).count();
                let up = down.components().skip(shared).map(|_| Component::ParentDir);
                up.chain(inside.components().skip(shared)).collect()
            }
            _ => path.to_path_buf(),
        }
    }

    /// [`Environment::relative`] for a message.
    pub fn shown(&self, path: &Path) -> String {
        printable(&self.relative(path).to_string_lossy()).into_owned()
    }

    /// Finds items named by a path, a directory or a glob, relative to the working directory or else to the project's
    /// root.
    pub fn select(&self, corpus: &Corpus, pattern: &str) -> Result<Vec<ItemId>> {
        self.select_by(select::select, corpus, pattern)
    }

    /// Like [`Environment::select`], including changes of deleted files.
    pub fn select_with_gone(&self, corpus: &Corpus, pattern: &str) -> Result<Vec<ItemId>> {
        self.select_by(select::select_with_gone, corpus, pattern)
    }

    /// The items that a pattern names, or the named lines of a file.
    pub fn select_lines(&self, corpus: &Corpus, pattern: &str) -> Result<PatternMatch> {
        select::with_lines(corpus, pattern, |pattern| self.select(corpus, pattern))
    }

    fn select_by(
        &self,
        select: fn(&Corpus, &str) -> Result<Vec<ItemId>>,
        corpus: &Corpus,
        pattern: &str,
    ) -> Result<Vec<ItemId>> {
        let from_root = select(corpus, pattern);
        let Some(from_here) = self.inside(pattern).filter(|from_here| from_here != pattern) else {
            return from_root;
        };
        match (select(corpus, &from_here), from_root) {
            (Ok(items), _) | (Err(_), Ok(items)) => Ok(items),
            (Err(here @ Error::Missing { nearest: Some(_), .. }), _) | (Err(here), Err(Error::Outside { .. })) => {
                Err(here)
            }
            (Err(_), Err(root)) => Err(root),
        }
    }

    /// The pattern relative to the project's root; `None` if it is outside.
    pub fn inside(&self, pattern: &str) -> Option<String> {
        let from = self.cwd.join(pattern);
        let mut parts: Vec<&str> = Vec::new();
        for part in from.strip_prefix(&self.root).ok()?.components() {
            match part {
                Component::Normal(name) => parts.push(name.to_str()?),
                Component::ParentDir => drop(parts.pop()?),
                _ => {}
            }
        }
        let ends = if pattern.ends_with('/') && !parts.is_empty() { "/" } else { "" };
        Some(format!("{}{ends}", parts.join("/")))
    }

    /// The cache directory.
    pub fn cache_dir() -> Option<PathBuf> {
        if let Some(dir) = std::env::var_os("TEDDY_CACHE_DIR") {
            return Some(PathBuf::from(dir));
        }
        directories::ProjectDirs::from("", "", "teddy").map(|dirs| dirs.cache_dir().to_path_buf())
    }
}
