//! Operations on whole sessions and turns: rename, delete, branch. The commands and the screen share them.

use std::fs;
use std::path::Path;

use super::lock::Lock;
use super::session::Session;
use super::turn::{self, Turn, TurnId};
use super::{atomic, checkpoint, clock, files};
use crate::error::{Error, Result};

/// Maximum length of a session name in bytes. Every file system allows this length.
const LONGEST_NAME: usize = 100;

/// Renames a session.
pub fn rename(session: &Session, name: &str) -> Result<Session> {
    check_name(name)?;
    let to = session.dir().with_file_name(name);
    if to.symlink_metadata().is_ok() {
        return Err(Error::input(format!("session `{name}` already exists"), "choose another name"));
    }
    // Taking the lock fails if the session is open elsewhere. The lock is released before renaming, because Windows
    // cannot rename open files.
    drop(Lock::acquire(session.dir())?);
    fs::rename(session.dir(), &to).map_err(|source| Error::io("rename", session.dir(), source))?;
    Ok(session.renamed(to, name))
}

fn check_name(name: &str) -> Result<()> {
    let fits = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && !name.starts_with(['.', '-'])
        && !name.ends_with('.');
    if !fits {
        return Err(Error::input(format!("`{name}` is not a valid session name"), "use letters, digits and dashes"));
    }
    if TurnId::of_directory(name).is_some() {
        let what = format!("`{name}` looks like a turn id");
        return Err(Error::input(what, "choose a name with a letter in it"));
    }
    Ok(())
}

/// Deletes a session with everything in it.
pub fn delete(session: &Session) -> Result<()> {
    drop(Lock::acquire(session.dir())?);
    atomic::remove_dir(session.dir())
}

/// Creates a branch of a turn. It copies the record, context list, overrides and evidence, but not the payload and the
/// answer.
pub fn branch(from: &Turn, message: Option<&str>) -> Result<Turn> {
    let session = from.session();
    let _lock = Lock::acquire(session.dir())?;
    let recalled = checkpoint::load_record(from)?;
    let mut record = recalled.record;
    if let Some(message) = message {
        if message.trim().is_empty() {
            return Err(Error::input("the message is empty", "describe this attempt, or omit -m"));
        }
        message.clone_into(&mut record.message);
    }
    record.created = Some(clock::iso(clock::now()?));
    record.branched_from = Some(from.id().to_string());
    if record.after.is_none() {
        record.after = turn::before(session, from)?.map(|before| before.id().to_string());
    }
    let mut others = Vec::new();
    let kept = || recalled.from_checkpoint.map(|(_, list)| list).filter(|list| !list.is_empty());
    if let Some(list) = read(session, &from.context_file())?.or_else(kept) {
        others.push(("turn.context".to_owned(), list.into_bytes()));
    }
    for number in 1..=record.evidence.len() {
        if let Some(log) = read(session, &from.evidence_file(number))? {
            others.push((turn::evidence_name(number), log.into_bytes()));
        }
    }
    let others = others.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    Turn::create(session, turn::next_branch(session, from.id()), &mut record, others)
}

fn read(session: &Session, path: &Path) -> Result<Option<String>> {
    files::read_inside(session.root(), path)
}

#[cfg(test)]
mod tests {
    use super::super::overrides::{Override, Verb};
    use super::super::session::{self, SessionMeta};
    use super::super::turn::{OverrideRecord, TurnRecord};
    use super::*;
    use crate::project::Project;

    fn session() -> (tempfile::TempDir, Project, Session) {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        let session = session::create(&project, &SessionMeta::new("Add refunds", 0), 0).unwrap();
        (dir, project, session)
    }

    fn turn(session: &Session, name: &str, after: Option<&str>) -> Turn {
        let mut record = TurnRecord::default();
        (record.message, record.budget) = (format!("turn {name}"), Some(9000));
        record.after = after.map(ToOwned::to_owned);
        record.overrides =
            vec![OverrideRecord { action: Verb::Set(Override::Pin), targets: vec!["a.rs".into()], at: None }];
        let list = b"a.rs\n".to_vec();
        Turn::create(session, name.parse().unwrap(), &mut record, vec![("turn.context", list)]).unwrap()
    }

    #[test]
    fn a_branch_is_another_attempt_at_the_same_turn() {
        let (_keep, _, session) = session();
        turn(&session, "01", None);
        let second = turn(&session, "02", Some("01"));
        fs::write(second.payload_file(), "x").unwrap();
        fs::write(second.plan_file(), "x").unwrap();
        let first = branch(&second, None).unwrap();
        let again = branch(&first, Some("another way")).unwrap();
        assert_eq!(
            (first.id().to_string().as_str(), again.id().to_string().as_str()),
            ("02-branch-01", "02-branch-02")
        );
        assert_eq!(first.state(), turn::TurnState::Open);
        let (old, new, newest) = (second.record().unwrap(), first.record().unwrap(), again.record().unwrap());
        assert_eq!((&new.message, new.budget, &new.overrides), (&old.message, old.budget, &old.overrides));
        assert_eq!((newest.message.as_str(), newest.branched_from.as_deref()), ("another way", Some("02-branch-01")));
        assert_eq!(fs::read_to_string(again.context_file()).unwrap(), "a.rs\n");
        let before = |turn: &Turn| turn::before(&session, turn).unwrap().map(|turn| turn.id().to_string());
        for turn in [&second, &first, &again] {
            assert_eq!(before(turn).as_deref(), Some("01"), "{}", turn.id());
        }
        assert!(branch(&second, Some(" ")).is_err());
    }

    #[test]
    fn a_turn_without_a_record_can_be_branched_despite_gaps() {
        let (_keep, _, session) = session();
        fs::create_dir(session.dir().join("01")).unwrap();
        fs::create_dir(session.dir().join("03")).unwrap();
        let third = Turn::open(&session, "3".parse().unwrap()).unwrap();
        let made = branch(&third, None).unwrap();
        assert_eq!(
            (made.id().to_string().as_str(), made.record().unwrap().after.as_deref()),
            ("03-branch-01", Some("01"))
        );
        assert!(!made.context_file().exists());
    }

    #[test]
    fn invalid_names_are_rejected_and_nothing_is_lost() {
        let (_keep, project, session) = session();
        turn(&session, "01", None);
        for bad in ["", ".", "..", "a/b", "a b", ".hidden", "-x", "01", "02-branch-01", "x\n", &"x".repeat(101), "x."] {
            assert_eq!(rename(&session, bad).unwrap_err().exit_code(), 2, "{bad}");
        }
        assert_eq!(rename(&session, session.name()).unwrap_err().exit_code(), 2);
        let held = Lock::acquire(session.dir()).unwrap();
        assert!(matches!(rename(&session, "refunds"), Err(Error::Locked { .. })));
        assert!(matches!(delete(&session), Err(Error::Locked { .. })));
        drop(held);
        let renamed = rename(&session, "größere-refunds_2.0").unwrap();
        assert_eq!(renamed.name(), "größere-refunds_2.0");
        assert_eq!(renamed.meta().unwrap().goal(), "Add refunds");
        assert_eq!(turn::turns(&renamed).len(), 1);
        delete(&renamed).unwrap();
        assert!(session::list(&project).is_empty());
        assert_eq!(fs::read_dir(project.sessions_dir()).unwrap().count(), 0, "nothing is left behind");
        assert_eq!(delete(&renamed).unwrap_err().exit_code(), 3);
    }
}
