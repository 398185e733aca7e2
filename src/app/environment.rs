//! Where we are: the directory, the project if there is one, and the configuration.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::project::config::Config;
use crate::project::secret_allowlist::{self, SecretAllowlist};
use crate::project::session;
use crate::project::turn::{self, Turn};
use crate::project::{Project, files};
use crate::redact::Policy;
use crate::text::printable;
use crate::workbench::select;

/// Where a command runs.
#[derive(Clone)]
pub struct Environment {
    /// The directory that relative paths start at.
    pub cwd: PathBuf,
    /// The project's root, whether or not it has a `.teddy/` yet.
    pub root: PathBuf,
    /// The project, once it has a `.teddy/`.
    pub project: Option<Project>,
    /// Defaults, the user's and the project's configuration, one over the other.
    pub config: Config,
    /// Where the user's own state is, such as what is no secret.
    pub state_dir: Option<PathBuf>,
}

impl Environment {
    /// Looks around from `directory`, or from where we were started.
    pub fn open(directory: Option<&Path>) -> Result<Self> {
        let cwd = match directory {
            None => std::env::current_dir().and_then(|here| files::physical(&here)),
            Some(directory) => files::physical(directory),
        };
        let given = directory.unwrap_or(Path::new("."));
        let wrong =
            |what: &str| Error::input(format!("{} {what}", given.display()), "name a directory that exists with -C");
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
        Ok(Self { cwd, root, project, config, state_dir: secret_allowlist::state_dir() })
    }

    /// The same place with a profile of the configuration over the rest of it.
    pub fn with_profile(&self, name: Option<&str>) -> Result<Self> {
        Ok(Self { config: self.config.with_profile(name)?, ..self.clone() })
    }

    /// The project; the error says how to make one.
    pub fn project(&self) -> Result<&Project> {
        self.project
            .as_ref()
            .ok_or_else(|| Error::negative("there is no `.teddy/` here", "start with: teddy plan \"Add refunds\""))
    }

    /// The turn of that name, of the session of that name the last one; without a name, that of the session touched last.
    pub fn turn(&self, which: Option<&str>) -> Result<Turn> {
        let (session, id) = session::locate(self.project()?, &self.cwd, which)?;
        let none = || {
            let what = format!("`{}` has no turn yet", session.name());
            Error::negative(what, format!("start one: teddy resume {}", session.name()))
        };
        Turn::open(&session, id.or_else(|| turn::latest_turn(&session)).ok_or_else(none)?)
    }

    /// The project, made if it is not there yet, with what was made.
    pub fn project_or_init(&self) -> Result<(Project, Vec<PathBuf>)> {
        Project::init(&self.root)
    }

    /// What is done about secrets, by the user's own configuration.
    pub fn redaction(&self) -> Result<Policy> {
        let redact = &self.config.redact;
        if !redact.enabled {
            return Ok(Policy::off());
        }
        let rules = match &redact.rules_file {
            Some(file) => {
                let missing = || {
                    let what = format!("redact.rules_file {} does not exist", file.display());
                    Error::input(what, "mend your own config.yaml")
                };
                Some(files::read_own(file)?.ok_or_else(missing)?)
            }
            None => None,
        };
        let policy = Policy::new(rules.as_deref(), &redact.allow)?;
        let allowed = self.allowances()?.map(|list| list.for_policy()).unwrap_or_default();
        Ok(policy.allowing(allowed))
    }

    /// What the person said is no secret in this project.
    pub fn allowances(&self) -> Result<Option<SecretAllowlist>> {
        self.state_dir.as_ref().map(|dir| SecretAllowlist::load(dir, &self.root)).transpose()
    }

    /// A path as the person would type it: relative to where they are, if it is in the project or below them.
    pub fn relative(&self, path: &Path) -> PathBuf {
        if let Ok(below) = path.strip_prefix(&self.cwd) {
            return if below.as_os_str().is_empty() { PathBuf::from(".") } else { below.to_path_buf() };
        }
        match (self.cwd.strip_prefix(&self.root), path.strip_prefix(&self.root)) {
            (Ok(down), Ok(inside)) => {
                // From `a/b`, what is in `a/c` is one step up, not two.
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

    /// The items that a path, a directory or a glob names, seen from where the person is, else from the project's root.
    pub fn select(&self, corpus: &Corpus, pattern: &str) -> Result<Vec<ItemId>> {
        self.select_by(select::select, corpus, pattern)
    }

    /// The same with the changes of files that are gone.
    pub fn select_with_gone(&self, corpus: &Corpus, pattern: &str) -> Result<Vec<ItemId>> {
        self.select_by(select::select_with_gone, corpus, pattern)
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

    /// `pattern` from the project's root, if it is relative to where the person is or absolute; `None` if it is outside.
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

    /// Where teddy remembers what it can always find out again.
    pub fn cache_dir() -> Option<PathBuf> {
        if let Some(dir) = std::env::var_os("TEDDY_CACHE_DIR") {
            return Some(PathBuf::from(dir));
        }
        directories::ProjectDirs::from("", "", "teddy").map(|dirs| dirs.cache_dir().to_path_buf())
    }
}
