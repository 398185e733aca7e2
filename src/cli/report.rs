//! What came of a plan, kept beside it as `report.md`: that closes the turn.

use super::world::World;
use crate::error::{Error, Result};
use crate::project::atomic;
use crate::project::lock::Lock;
use crate::project::turn::Turn;

/// Keeps a report, secrets replaced; one that is there already stays.
pub fn keep(world: &World, turn: &Turn, text: &str) -> Result<()> {
    if text.trim().is_empty() {
        return Err(Error::input("the report is empty; nothing was kept", "say what came of the plan"));
    }
    let _lock = Lock::acquire(turn.session().dir())?;
    let path = turn.report_file();
    if path.symlink_metadata().is_ok() {
        return Err(Error::input(format!("turn {} has a report already", turn.id()), "go on with: teddy resume"));
    }
    let (clean, _) = world.redaction()?.redact(text, "report.md");
    atomic::write(&path, format!("{}\n", clean.trim_end()).as_bytes())
}
