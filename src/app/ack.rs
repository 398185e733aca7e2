//! A model's acknowledgement of a payload, and the redelivery of missing sections.

mod redelivery;

pub use redelivery::Redelivery;

use std::path::PathBuf;

use serde_json::json;

use super::environment::Environment;
use super::options::OutputOptions;
use super::run_inputs::ScanObserver;
use crate::error::{Error, Result};
use crate::project::lock::Lock;
use crate::project::session;
use crate::project::turn::{self, Turn};
use crate::project::{atomic, clock};
use crate::render::ack::{self, Ack, MissingSections};
use crate::render::{self, Payload};

/// Maximum number of redeliveries in one turn.
const MOST_AGAIN: usize = 99;

/// A payload of a turn: the delivered one or a redelivery.
struct PayloadFile {
    name: String,
    payload: Payload,
}

/// The outcome of an acknowledgement.
pub enum AckOutcome {
    /// Everything was received.
    Complete {
        /// File name of the payload.
        payload: String,
        /// The acknowledgement.
        ack: Ack,
    },
    /// Some sections are missing and are delivered again.
    Partial(Box<Redelivery>),
}

/// Processes an acknowledgement: records a complete one, and delivers the sections missing from a partial one.
pub fn acknowledge(
    env: &Environment,
    turn: &Turn,
    text: &str,
    out: &OutputOptions,
    observer: &dyn ScanObserver,
) -> Result<AckOutcome> {
    let ack = ack::read(text)?;
    let delivered = delivered(env, turn)?;
    let which = acknowledged_payload(env, turn, &ack, &delivered)?;
    let missing = missing(&ack, &which.payload)?;
    if !(missing.is_empty() && ack.complete) {
        let again = redelivery::deliver_again(env, turn, &ack, which, &missing, out, observer)?;
        return Ok(AckOutcome::Partial(Box::new(again)));
    }
    if !out.dry_run {
        let _lock = Lock::acquire(turn.session().dir())?;
        atomic::write(&ack_file(turn), record(&ack, which, &[], None)?.as_bytes())?;
    }
    Ok(AckOutcome::Complete { payload: which.name.clone(), ack })
}

/// Checks an acknowledgement for the screen, which already holds the session's lock. A complete one is recorded. A
/// partial one is an error that lists the missing sections.
pub fn check(env: &Environment, turn: &Turn, text: &str) -> Result<String> {
    let ack = ack::read(text)?;
    let delivered = delivered(env, turn)?;
    let which = acknowledged_payload(env, turn, &ack, &delivered)?;
    let missing = missing(&ack, &which.payload)?;
    if missing.is_empty() && ack.complete {
        atomic::write(&ack_file(turn), record(&ack, which, &[], None)?.as_bytes())?;
        return Ok(format!("{} of turn {} is acknowledged", which.name, turn.id()));
    }
    let what = format!("the model did not receive {}", ack.missing.join(", "));
    Err(Error::negative(what, "quit and resend them: teddy ack --clipboard --copy"))
}

/// Like [`check`], for an acknowledgement inside an answer. `None` if the answer contains none or the payload did not
/// request one.
pub fn check_in_answer(env: &Environment, turn: &Turn, text: &str) -> Result<Option<String>> {
    if !ack::is_in(text) || !turn.payload_file().is_file() {
        return Ok(None);
    }
    check(env, turn, text).map(Some)
}

/// Finds the named turn, or else the last delivered one.
pub fn find_turn(env: &Environment, which: Option<&str>) -> Result<Turn> {
    let (session, id) = session::locate(env.project()?, &env.cwd, which)?;
    if let Some(id) = id {
        return Turn::open(&session, id);
    }
    let mut turns = turn::turns(&session).into_iter().rev().filter_map(|id| Turn::open(&session, id).ok());
    turns.find(|turn| turn.payload_file().is_file() || turn.pack_file().is_file()).ok_or_else(|| {
        let what = format!("no payload has been delivered in session `{}` yet", session.name());
        Error::negative(what, format!("create the payload: teddy resume {}", session.name()))
    })
}

/// File that records the acknowledgement.
pub fn ack_file(turn: &Turn) -> PathBuf {
    turn.dir().join("ack.json")
}

/// File of the redelivery with this number.
fn again_file(turn: &Turn, number: usize) -> PathBuf {
    turn.dir().join(format!("redelivery-{number:02}.md"))
}

/// All payloads of a turn, latest first.
fn delivered(env: &Environment, turn: &Turn) -> Result<Vec<PayloadFile>> {
    let project = env.project()?;
    let mut found = Vec::new();
    let numbered = (1..=MOST_AGAIN).map(|number| again_file(turn, number)).take_while(|path| path.is_file());
    for path in numbered.collect::<Vec<_>>().into_iter().rev().chain([turn.payload_file()]) {
        let Some(text) = project.read_payload(&path)? else { continue };
        if text.trim_start().starts_with("# Agent Invocation Payload") {
            let what = format!("{} is in the invocation format, which has no acknowledgement", env.shown(&path));
            return Err(Error::input(what, "use a hybrid or xml payload: --format hybrid"));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        found.push(PayloadFile { name, payload: render::parse(&text)? });
    }
    if found.is_empty() {
        let what = format!("turn {} of `{}` has no payload to acknowledge", turn.id(), turn.session().name());
        return Err(Error::input(what, "create a hybrid payload: teddy resume --format hybrid"));
    }
    Ok(found)
}

/// The payload that an acknowledgement is for.
fn acknowledged_payload<'d>(
    env: &Environment,
    turn: &Turn,
    ack: &Ack,
    delivered: &'d [PayloadFile],
) -> Result<&'d PayloadFile> {
    let which = delivered.iter().find(|one| one.payload.meta.fingerprint.starts_with(&ack.fingerprint));
    which.ok_or_else(|| wrong_fingerprint(env, turn, ack))
}

fn wrong_fingerprint(env: &Environment, turn: &Turn, ack: &Ack) -> Error {
    let what = format!(
        "the acknowledgement is for another payload: `{}` is not the fingerprint of turn {} of `{}`",
        ack.fingerprint,
        turn.id(),
        turn.session().name()
    );
    let others = turn::turns(turn.session()).into_iter().filter_map(|id| Turn::open(turn.session(), id).ok());
    let fits = |other: &Turn| {
        let delivered = delivered(env, other).unwrap_or_default();
        delivered.iter().any(|one| one.payload.meta.fingerprint.starts_with(&ack.fingerprint))
    };
    let hint = match others.filter(|other| other.id() != turn.id()).find(fits) {
        Some(other) => {
            format!("it belongs to turn {0}: teddy ack --session {1}/{0}", other.id(), turn.session().name())
        }
        None => "the payload has been created again, or the model copied the fingerprint incorrectly; META has the current one"
            .to_owned(),
    };
    Error::negative(what, hint)
}

/// The missing sections; a contradictory acknowledgement is an error.
fn missing<'p>(ack: &Ack, payload: &'p Payload) -> Result<MissingSections<'p>> {
    let missing = ack::sections(payload, &ack.missing)?;
    if !ack.missing.is_empty() {
        return Ok(missing);
    }
    let name_them = "ask the model to list them by heading, such as missing: [RAW:primary-code-2]";
    if !ack.complete {
        return Err(Error::input("the acknowledgement is partial but does not list the missing sections", name_them));
    }
    let mut groups: Vec<&str> = payload.linked.iter().map(|link| link.label.as_str()).collect();
    groups.dedup();
    for (tier, (received, of), there) in [("RAW", ack.raw, payload.raw.len()), ("LINKED", ack.linked, groups.len())] {
        if received < there || of.is_some_and(|of| received < of) {
            let what = format!(
                "the acknowledgement has the status `complete`, but only {received} of {there} {tier} sections"
            );
            return Err(Error::input(what, name_them));
        }
    }
    Ok(missing)
}

/// The text of `ack.json`.
fn record(ack: &Ack, which: &PayloadFile, missing: &[String], again: Option<&str>) -> Result<String> {
    let value = json!({
        "payload": which.name,
        "fingerprint": which.payload.meta.fingerprint,
        "raw_sections": {"received": ack.raw.0, "of": which.payload.raw.len()},
        "linked_sections": {"received": ack.linked.0},
        "status": if missing.is_empty() { "complete" } else { "partial" },
        "missing": missing,
        "redelivered": again,
        "at": clock::iso(clock::now()?),
    });
    Ok(format!("{value:#}\n"))
}
