//! Facts about the setup: project, git, files, configuration, templates, clipboard.

use super::candidates;
use super::environment::Environment;
use super::handoff;
use super::input::clipboard;
use super::run_inputs::ScanObserver;
use crate::deliver::{self, Channel};
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::walk::count_ignored;
use crate::project::config;
use crate::project::{memos, session};
use crate::render::{Templates, prompt};
use crate::score::TaskType;

/// The results of checking the setup.
pub struct Diagnosis {
    /// The files, the git facts and the skipped paths.
    pub corpus: Corpus,
    /// Number of ignored files.
    pub ignored: usize,
    /// Number of sessions; `None` without a `.teddy/`.
    pub sessions: Option<usize>,
    /// Number of memos, or the problem with them; `None` without a `.teddy/`.
    pub memos: Option<Result<usize, Error>>,
    /// The problem with `manifests.yaml`, if it has one; `None` without such a file.
    pub manifests: Option<Result<(), Error>>,
    /// The user's own templates, and the problems in them.
    pub templates: Vec<String>,
    /// The ways to a clipboard, each with the reason if it cannot be used.
    pub clipboards: Vec<(Channel, Result<(), String>)>,
}

/// Checks everything that a run depends on; writes nothing.
pub fn diagnose(env: &Environment, observer: &dyn ScanObserver) -> Result<Diagnosis> {
    let project = env.existing_project();
    let corpus = candidates::gather_texts(env, observer)?;
    observer.step("counting ignored files", 0);
    Ok(Diagnosis {
        corpus,
        ignored: count_ignored(&env.root),
        sessions: project.map(|project| session::list(project).len()),
        memos: project.map(|project| memos::load(project).map(|memos| memos.len())),
        manifests: project.filter(|project| project.manifests_file().exists()).map(handoff::check_manifests),
        templates: templates(),
        clipboards: deliver::ways(&clipboard(env)),
    })
}

/// The user's own templates, and the problems in them.
fn templates() -> Vec<String> {
    let Some(dir) = config::user_dir() else { return Vec::new() };
    let mut lines = Vec::new();
    for task_type in TaskType::ALL {
        match Templates::load(Some(&dir), task_type) {
            Ok(own) if own == Templates::builtin(task_type) => {}
            Ok(_) => {
                lines.push(format!("{}: your own, in {}", task_type.name(), dir.join(prompt::DIRECTORY).display()));
            }
            Err(error) => lines.push(error.to_string()),
        }
    }
    // A problem in the shared header is listed only once.
    lines.dedup();
    lines
}
