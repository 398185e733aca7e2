//! `teddy init`: creates `.teddy/` and lists what it created.

use super::print::{print_document, say};
use crate::app::environment::Environment;
use crate::error::Result;

/// Runs the command.
pub fn run(env: &Environment) -> Result<()> {
    let (project, made) = env.project_or_init()?;
    for path in &made {
        say(&format!("created {}", env.shown(path)));
    }
    if made.is_empty() {
        say(&format!("{} already exists; nothing was changed", env.shown(&project.teddy_dir())));
    }
    print_document(&format!("{}\n", project.teddy_dir().display())).map(drop)
}
