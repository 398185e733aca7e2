//! `teddy init`: makes `.teddy/` and says what it made.

use super::output::{print_document, say};
use crate::app::environment::World;
use crate::error::Result;

/// Runs the command.
pub fn run(world: &World) -> Result<()> {
    let (project, made) = world.project_or_init()?;
    for path in &made {
        say(&format!("created {}", world.shown(path)));
    }
    if made.is_empty() {
        say(&format!("{} is there already; nothing was changed", world.shown(&project.teddy_dir())));
    }
    print_document(&format!("{}\n", project.teddy_dir().display())).map(drop)
}
