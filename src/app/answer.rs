//! The model's answer, saved as the turn's `plan.md`, and the report on the work, saved as `report.md`.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::gather::changes;
use crate::project::checkpoint::{self, Message};
use crate::project::files;
use crate::project::lock::Lock;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnState};
use crate::project::turn_changes::TurnChanges;
use crate::project::{Project, atomic};
use crate::redact::Finding;
use crate::render;

/// A document of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// The model's answer, in `plan.md`.
    Plan,
    /// The report on the work, in `report.md`.
    Report,
}

impl Document {
    /// Name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "answer",
            Self::Report => "report",
        }
    }

    /// File name in a turn.
    fn file_name(self) -> &'static str {
        match self {
            Self::Plan => "plan.md",
            Self::Report => "report.md",
        }
    }

    /// File in a turn.
    pub fn file(self, turn: &Turn) -> PathBuf {
        match self {
            Self::Plan => turn.plan_file(),
            Self::Report => turn.report_file(),
        }
    }
}

/// A document that has been saved.
pub struct SavedDocument {
    /// File of the document.
    pub path: PathBuf,
    /// Number of lines.
    pub lines: u32,
    /// Redacted secrets: line and rule.
    pub redacted: Vec<(usize, String)>,
}

/// Rejects empty text.
pub fn not_empty(text: &str, document: Document) -> Result<()> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let what = format!("the {} is empty; nothing was saved", document.name());
        return Err(Error::input(what, "copy the model's whole answer and try again"));
    }
    Ok(())
}

/// The turn that an answer belongs to: the named one, or else the last turn of the session that has a payload.
pub fn target(env: &Environment, which: Option<&str>) -> Result<Turn> {
    let project = env.project()?;
    let (session, id) = session::locate(project, &env.cwd, which)?;
    let turn = match id {
        Some(id) => Turn::open(&session, id)?,
        None => delivered_last(&session)?,
    };
    if turn.state() == TurnState::Open {
        let name = format!("{}/{}", session.name(), turn.id());
        return Err(Error::negative(
            format!(
                "turn {} of `{}` has no payload yet, so it cannot have an answer or report",
                turn.id(),
                session.name(),
            ),
            format!("create the payload first: teddy resume {name}"),
        ));
    }
    Ok(turn)
}

/// The last delivered turn, or else the last turn.
fn delivered_last(session: &Session) -> Result<Turn> {
    let ids = turn::turns(session);
    let turns: Result<Vec<Turn>> = ids.into_iter().rev().map(|id| Turn::open(session, id)).collect();
    let mut turns = turns?;
    let at = turns.iter().position(|turn| turn.state() != TurnState::Open).unwrap_or(0);
    if turns.is_empty() {
        return Err(turn::no_turn_yet(session));
    }
    Ok(turns.swap_remove(at))
}

/// Rejects teddy's own payload as an answer, because the clipboard still contains it if the answer was not copied.
pub fn refuse_payload(env: &Environment, turn: &Turn, document: Document, text: &str) -> Result<()> {
    let sent = env.project()?.read(&turn.delivered_file())?;
    let is_sent = sent.is_some_and(|sent| sent.trim().lines().eq(text.trim().lines()));
    if !is_sent && !render::is_payload(text) {
        return Ok(());
    }
    let what = format!("this is a payload, not the {}; nothing was saved", document.name());
    Err(Error::input(what, "copy the model's whole answer and try again"))
}

/// Rejects replacing an existing document without `--force`.
fn refuse_replacing(env: &Environment, turn: &Turn, document: Document) -> Result<()> {
    let path = document.file(turn);
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let next = match (document, turn.state()) {
        (Document::Plan, TurnState::Planned) => "if this is the report: teddy answer --report FILE".to_owned(),
        _ => format!("start the next turn: teddy resume {}", turn.session().name()),
    };
    Err(Error::input(
        format!("turn {} of `{}` already has its {}", turn.id(), turn.session().name(), document.name()),
        format!("read {}; replace it with --force, or {next}", env.shown(&path)),
    ))
}

/// Reads a turn's answer or report and redacts it.
pub fn read(env: &Environment, turn: &Turn, document: Document) -> Result<Option<String>> {
    let Some(text) = env.project()?.read(&document.file(turn))? else { return Ok(None) };
    Ok(Some(env.redaction()?.redact(&text, document.file_name()).0.into_owned()))
}

/// Redacts text and saves it as a turn's answer or report.
pub fn save(env: &Environment, turn: &Turn, document: Document, text: &str, force: bool) -> Result<SavedDocument> {
    not_empty(text, document)?;
    let _lock = Lock::acquire(turn.session().dir())?;
    save_locked(env, turn, document, text, force)
}

/// Like [`save`], for a caller that holds the session's lock.
pub fn save_locked(
    env: &Environment,
    turn: &Turn,
    document: Document,
    text: &str,
    force: bool,
) -> Result<SavedDocument> {
    not_empty(text, document)?;
    let project = env.project()?;
    let path = document.file(turn);
    refuse_outside(project, &path)?;
    let (clean, found) = clean(env, document, text)?;
    // Saving the same text again completes a call that was interrupted.
    if !force && !holds(env, turn, document, &clean)? {
        refuse_replacing(env, turn, document)?;
    }
    let message = match document {
        Document::Plan => Message::assistant(clean.clone()),
        Document::Report => Message::user(clean.clone()),
    };
    let state =
        if document == Document::Report || turn.report_file().is_file() { TurnState::Done } else { TurnState::Planned };
    let (checkpoint_file, checkpoint) = (turn.checkpoint_file(), checkpoint::answered(turn, state, &message));
    let mut files: Vec<(&Path, &[u8])> = vec![(&path, clean.as_bytes())];
    files.extend(checkpoint.iter().map(|text| (checkpoint_file.as_path(), text.as_bytes())));
    let changes_file = turn.changes_file();
    // Files keep changing after the report, so this turn's changes are recorded together with the report.
    let changes = if document == Document::Report { changes_until_now(env, turn)? } else { None };
    let changes = changes.map(|changes| changes.to_text()).transpose()?;
    files.extend(changes.iter().map(|text| (changes_file.as_path(), text.as_bytes())));
    atomic::stage(&files)?.commit()?;
    let redacted = found.iter().map(|finding| (finding.line as usize, finding.rule.to_string())).collect();
    Ok(SavedDocument { lines: crate::gather::corpus::count_lines(&clean), path, redacted })
}

/// The files that changed since a turn's payload was delivered; `None` if the payload was not recorded.
fn changes_until_now(env: &Environment, turn: &Turn) -> Result<Option<TurnChanges>> {
    let Some(delivered) = checkpoint::load(turn).ok().flatten() else { return Ok(None) };
    let redactor = env.redaction()?;
    Ok(Some(changes::until_now(turn.session().root(), &delivered, &redactor)))
}

/// Undoes a turn's answer: renames its file and returns the new path.
pub fn undo(env: &Environment, turn: &Turn) -> Result<PathBuf> {
    let (project, plan, aside) = (env.project()?, turn.plan_file(), turn.undone_plan_file());
    refuse_outside(project, &plan)?;
    let _lock = Lock::acquire(turn.session().dir())?;
    let (id, name) = (turn.id(), turn.session().name());
    match turn.state() {
        TurnState::Planned => {}
        TurnState::Done => {
            let what = format!("turn {id} of `{name}` has a report, so its answer cannot be undone");
            return Err(Error::negative(what, format!("start the next turn: teddy resume {name}")));
        }
        TurnState::Open | TurnState::Delivered => {
            let what = format!("turn {id} of `{name}` has no answer to undo");
            return Err(Error::negative(what, "list its files: teddy show"));
        }
    }
    let (checkpoint_file, checkpoint) = (turn.checkpoint_file(), checkpoint::without_answer(turn));
    let files: Vec<(&Path, &[u8])> =
        checkpoint.iter().map(|text| (checkpoint_file.as_path(), text.as_bytes())).collect();
    // The files are prepared before the answer is renamed, so that nothing changes on a full disk.
    let staged = atomic::stage(&files)?;
    atomic::set_aside(&plan, &aside)?;
    staged.commit()?;
    Ok(aside)
}

/// The text of an answer or a report as it is saved: redacted, and with a newline at the end.
fn clean(env: &Environment, document: Document, text: &str) -> Result<(String, Vec<Finding>)> {
    let (clean, found) = env.redaction()?.redact(text, document.file_name());
    let mut clean = clean.into_owned();
    if !clean.ends_with('\n') {
        clean.push('\n');
    }
    Ok((clean, found))
}

fn holds(env: &Environment, turn: &Turn, document: Document, clean: &str) -> Result<bool> {
    Ok(env.project()?.read(&document.file(turn))?.is_some_and(|saved| saved == clean))
}

/// Returns true if a turn already has exactly this text, as when an interrupted call is repeated.
pub fn is_saved(env: &Environment, turn: &Turn, document: Document, text: &str) -> Result<bool> {
    holds(env, turn, document, &clean(env, document, text)?.0)
}

/// Rejects a session directory that is a link out of the project.
fn refuse_outside(project: &Project, path: &Path) -> Result<()> {
    let inside = path.strip_prefix(project.root()).ok().and_then(Path::to_str);
    match inside {
        Some(inside) => files::refuse_escapes(project.root(), inside),
        None => Err(Error::Outside { entry: path.display().to_string() }),
    }
}
