//! Agents' requests that wait for the person's permission: a file in the turn's directory while an agent waits, and the
//! answer next to it. Both are temporary files by name, so git ignores them and [`atomic::sweep`] removes those of
//! ended processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::agent_requests::AgentRequest;
use super::lock::screen_is_open;
use super::turn::Turn;
use super::{Project, atomic};
use crate::error::{Error, Result};

const REQUEST: &str = ".waiting.";
const ANSWER: &str = ".answer.";
const END: &str = ".tmp";

const YES: &str = "yes";
const NO: &str = "no";

/// Interval at which the agent's side looks for the answer.
const INTERVAL: Duration = Duration::from_millis(100);

/// Number of requests of this process.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The person allowed it.
    Allowed,
    /// The person denied it.
    Denied,
    /// No screen shows the session, or the screen was closed in the meantime.
    NoScreen,
    /// The person did not answer in time.
    TimedOut,
}

/// A request that waits for permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingRequest {
    /// Id, which is part of the file's name.
    pub id: String,
    /// The request.
    pub request: AgentRequest,
}

/// Removes the files of a request when the agent no longer waits.
struct RequestFiles {
    request: PathBuf,
    answer: PathBuf,
}

impl Drop for RequestFiles {
    fn drop(&mut self) {
        for path in [&self.request, &self.answer] {
            let _ = fs::remove_file(path);
        }
    }
}

/// Asks the person on the screen, and waits for the answer.
pub fn ask(turn: &Turn, request: &AgentRequest, patience: Duration) -> Result<Answer> {
    let session = turn.session().dir();
    if !screen_is_open(session) {
        return Ok(Answer::NoScreen);
    }
    let id = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let files = RequestFiles { request: file(turn, REQUEST, &id), answer: file(turn, ANSWER, &id) };
    // An answer that existed before the request does not come from the person.
    let _ = fs::remove_file(&files.answer);
    let text = serde_json::to_string(request)
        .map_err(|error| Error::input(format!("the request cannot be written as JSON: {error}"), "shorten it"))?;
    atomic::write(&files.request, text.as_bytes())?;
    let until = Instant::now() + patience;
    loop {
        match fs::read_to_string(&files.answer).as_deref() {
            Ok(YES) => return Ok(Answer::Allowed),
            Ok(_) => return Ok(Answer::Denied),
            Err(_) => {}
        }
        if !screen_is_open(session) {
            return Ok(Answer::NoScreen);
        }
        if Instant::now() >= until {
            return Ok(Answer::TimedOut);
        }
        std::thread::sleep(INTERVAL);
    }
}

/// The waiting requests of a turn, oldest first.
pub fn waiting(project: &Project, turn: &Turn) -> Vec<WaitingRequest> {
    let entries = fs::read_dir(turn.dir()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let ids = names.filter_map(|name| Some(name.strip_prefix(REQUEST)?.strip_suffix(END)?.to_owned()));
    let mut waiting: Vec<WaitingRequest> = ids
        .filter(|id| is_id(id) && !file(turn, ANSWER, id).exists())
        .filter_map(|id| {
            let text = project.read(&file(turn, REQUEST, &id)).ok()??;
            Some(WaitingRequest { request: serde_json::from_str(&text).ok()?, id })
        })
        .collect();
    waiting.sort_by(|one, next| (&one.request.at, &one.id).cmp(&(&next.request.at, &next.id)));
    waiting
}

/// Answers a waiting request.
pub fn answer(turn: &Turn, id: &str, allow: bool) -> Result<()> {
    if !is_id(id) || !file(turn, REQUEST, id).is_file() {
        return Err(Error::negative("the agent no longer waits for an answer", "it can ask again"));
    }
    atomic::write(&file(turn, ANSWER, id), if allow { YES } else { NO }.as_bytes())
}

/// Returns true if a file in a turn's directory is a request that waits for permission.
pub fn is_request(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(REQUEST))
}

fn file(turn: &Turn, start: &str, id: &str) -> PathBuf {
    turn.dir().join(format!("{start}{id}{END}"))
}

/// Returns true for an id, which consists of a process id and a number.
fn is_id(text: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(process, count)| number(process) && number(count))
}
