//! The bundled example project, which the tour copies to a temporary directory.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::error::{Error, Result};

macro_rules! example {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../.teddy-example/project/", $path)))),+]
    };
}

/// Age of the copied files.
const AN_HOUR: Duration = Duration::from_hours(1);

/// Every file of the example project.
const FILES: &[(&str, &str)] = example![
    ".teddy/.gitignore",
    ".teddy/context-budget-log.jsonl",
    ".teddy/global.context",
    ".teddy/memos.yaml",
    ".teddy/sessions/20260124-add-refund-capability/01/checkpoint.json",
    ".teddy/sessions/20260124-add-refund-capability/01/payload.md",
    ".teddy/sessions/20260124-add-refund-capability/01/plan.md",
    ".teddy/sessions/20260124-add-refund-capability/01/replay.json",
    ".teddy/sessions/20260124-add-refund-capability/01/report.md",
    ".teddy/sessions/20260124-add-refund-capability/01/turn.context",
    ".teddy/sessions/20260124-add-refund-capability/01/turn.yaml",
    ".teddy/sessions/20260124-add-refund-capability/02/checkpoint.json",
    ".teddy/sessions/20260124-add-refund-capability/02/payload.md",
    ".teddy/sessions/20260124-add-refund-capability/02/replay.json",
    ".teddy/sessions/20260124-add-refund-capability/02/turn.context",
    ".teddy/sessions/20260124-add-refund-capability/02/turn.yaml",
    ".teddy/sessions/20260124-add-refund-capability/session.yaml",
    "README.md",
    "docs/adr/0001-money-in-cents.md",
    "payments/__init__.py",
    "payments/api.py",
    "payments/errors.py",
    "payments/gateway.py",
    "payments/ledger.py",
    "payments/service.py",
    "pyproject.toml",
    "tests/test_service.py",
    "web/payments.ts",
    "web/receipt.ts",
];

/// Writes the example project into a directory.
pub fn write(project: &Path) -> Result<()> {
    // The files are older than the scan, so that the watcher does not report changes.
    let before = SystemTime::now().checked_sub(AN_HOUR).unwrap_or(SystemTime::UNIX_EPOCH);
    for (path, text) in FILES {
        let path = project.join(path);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).map_err(|error| Error::io("create", above, error))?;
        }
        write_file(&path, text, before).map_err(|error| Error::io("write", &path, error))?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str, modified: SystemTime) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.set_modified(modified)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(dir: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                below(&entry.path(), root, found);
            } else if entry.file_name() != ".lock" {
                found.push(entry.path().strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
            }
        }
    }

    #[test]
    fn the_program_contains_every_file_of_the_example() {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join(".teddy-example/project");
        let mut there = Vec::new();
        below(&example, &example, &mut there);
        there.sort();
        let brought: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
        assert_eq!(there, brought, "list it in src/app/example_project.rs");
    }

    #[test]
    fn the_tour_copy_is_a_project_with_a_session() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path()).unwrap();
        let project = crate::project::Project::find(dir.path()).unwrap().unwrap();
        let session = crate::project::session::find(&project, dir.path(), "20260124-add-refund-capability").unwrap();
        assert_eq!(crate::project::turn::turns(&session).len(), 2);
    }

    #[test]
    fn the_tour_copy_is_older_than_the_scan() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path()).unwrap();
        for (path, _) in FILES {
            let modified = fs::metadata(dir.path().join(path)).unwrap().modified().unwrap();
            assert!(modified.elapsed().unwrap() >= AN_HOUR, "{path} would be read again");
        }
    }
}
