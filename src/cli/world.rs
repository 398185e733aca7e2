//! Where we are: the directory, the project if there is one, and the configuration.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::project::config::Config;
use crate::project::{Project, files};
use crate::redact::Policy;

/// Where a command runs.
pub struct World {
    /// The directory that relative paths start at.
    pub cwd: PathBuf,
    /// The project's root, whether or not it has a `.teddy/` yet.
    pub root: PathBuf,
    /// The project, once it has a `.teddy/`.
    pub project: Option<Project>,
    /// Defaults, the user's and the project's configuration, one over the other.
    pub config: Config,
}

impl World {
    /// Looks around from `directory`, or from where we were started.
    pub fn open(directory: Option<&Path>) -> Result<Self> {
        let here = std::env::current_dir().map_err(|source| Error::io("find", ".", source))?;
        let cwd = directory.map_or_else(|| here.clone(), |directory| here.join(directory));
        if !cwd.is_dir() {
            return Err(Error::input(format!("{} is not a directory", cwd.display()), "name one that exists with -C"));
        }
        let project = Project::find(&cwd)?;
        let root = match &project {
            Some(project) => project.root().to_path_buf(),
            None => Project::root_for(&cwd)?,
        };
        let config = Config::load(project.as_ref())?;
        Ok(Self { cwd, root, project, config })
    }

    /// The project; the error says how to make one.
    pub fn project(&self) -> Result<&Project> {
        self.project
            .as_ref()
            .ok_or_else(|| Error::negative("there is no `.teddy/` here", "start with: teddy plan \"Add refunds\""))
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
        Policy::new(rules.as_deref(), &redact.allow)
    }

    /// A path for a message: relative to where the person is, where it is below it.
    pub fn shown(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.cwd).unwrap_or(path);
        crate::text::printable(&path.to_string_lossy()).into_owned()
    }

    /// Where teddy remembers what it can always find out again.
    pub fn cache_dir() -> Option<PathBuf> {
        if let Some(dir) = std::env::var_os("TEDDY_CACHE_DIR") {
            return Some(PathBuf::from(dir));
        }
        directories::ProjectDirs::from("", "", "teddy").map(|dirs| dirs.cache_dir().to_path_buf())
    }
}
