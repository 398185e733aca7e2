//! Work off the screen's thread. What touches the disk runs on one thread, in order; the rest side by side.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use super::desk::{Desk, Opened, Progress, Ready};
use super::message::{Answer, Effect, Generation, Message, Preview};
use super::watch::Watch;
use super::{pane, terminal};
use crate::error::{Error, Result};
use crate::text::thousands;

/// How long typing has to pause before the task is scored again.
const PAUSE: Duration = Duration::from_millis(120);
/// How often a scan says how far it is.
const REPORT: Duration = Duration::from_millis(80);

/// Does one piece of work and says what came of it; `tell` is for what is worth saying on the way, and answers whether
/// the work is still wanted.
pub fn perform(desk: &dyn Desk, effect: Effect, tell: &(dyn Fn(Answer) -> bool + Sync)) -> Vec<Answer> {
    let one = |answer: Answer| vec![answer];
    match effect {
        Effect::Open(generation, entry) => {
            let opened = desk.open(&entry, &|progress| tell(Answer::Progress(generation, progress)));
            one(Answer::Opened(generation, opened))
        }
        Effect::Rescan(generation) => {
            let opened = desk.rescan(&|progress| tell(Answer::Progress(generation, progress)));
            one(Answer::Rescanned(generation, opened))
        }
        Effect::Reshape(generation, bench, form) => one(Answer::Reshaped(generation, desk.reshape(&bench, &form))),
        Effect::Preview(generation, bench, verb, action) => match bench.preview(&action) {
            Ok(placement) => one(Answer::Preview(generation, Preview { verb, usage: placement.usage })),
            Err(_) => Vec::new(),
        },
        Effect::Show(generation, bench, item, view) => {
            one(Answer::Shown(generation, Box::new(pane::show(desk, &bench, item, view))))
        }
        Effect::Payload(generation, ready) => {
            let (text, tokens) = desk.payload(&ready.renderer, ready.bench.placement());
            one(Answer::Payload(generation, text, tokens))
        }
        Effect::Keep(bench, left) => one(Answer::Kept(desk.keep(&bench, &left))),
        Effect::Write(ready) => one(Answer::Said(write(desk, &ready).map(|(said, _)| said))),
        Effect::Copy(ready) => one(Answer::Said(copy(desk, &ready))),
        Effect::CopyText(text, what) => {
            one(Answer::Said(desk.copy(&text).map(|delivery| format!("{what}: {delivery}"))))
        }
        Effect::Init => one(Answer::Made(desk.init())),
        Effect::Memos => one(Answer::Memos(desk.memos())),
        Effect::AddMemo(text) => {
            memo(desk, desk.add_memo(&text).map(|()| "memo added; R takes it into the payload".to_owned()))
        }
        Effect::RemoveMemo(number) => memo(desk, desk.remove_memo(number).map(|()| format!("memo {number} deleted"))),
        Effect::Sessions => one(Answer::Sessions(desk.sessions())),
        Effect::Rename(session, name) => {
            listed(desk, desk.rename(&session, &name).map(|name| format!("renamed to {name}")))
        }
        Effect::Branch(session) => listed(desk, desk.branch(&session).map(|name| format!("branched: {name}"))),
        Effect::Delete(session) => listed(desk, desk.delete(&session).map(|()| format!("deleted {session}"))),
        Effect::Close(last) => {
            desk.close(last.as_ref());
            Vec::new()
        }
        // These belong to the loop, which has the terminal.
        Effect::EditFile(..)
        | Effect::EditMemos
        | Effect::EditText(_)
        | Effect::Suspend
        | Effect::Cancel(_)
        | Effect::Quit => Vec::new(),
    }
}

fn write(desk: &dyn Desk, ready: &Ready) -> Result<(String, String)> {
    let written = desk.write(&ready.bench, &ready.renderer, &ready.about)?;
    let said =
        format!("written to {} ({} tokens)", desk.shown(&written.path), thousands(ready.bench.placement().usage.total));
    Ok((said, written.text))
}

/// The payload is always written first, so that a copy that reaches nobody loses nothing.
fn copy(desk: &dyn Desk, ready: &Ready) -> Result<String> {
    let written = desk.write(&ready.bench, &ready.renderer, &ready.about)?;
    match desk.copy(&written.text) {
        Ok(delivery) => Ok(format!("{delivery}; also in {}", desk.shown(&written.path))),
        Err(error) => Err(error.saved_in(&written.path)),
    }
}

fn memo(desk: &dyn Desk, result: Result<String>) -> Vec<Answer> {
    vec![Answer::Said(result), Answer::Memos(desk.memos())]
}

fn listed(desk: &dyn Desk, result: Result<String>) -> Vec<Answer> {
    vec![Answer::Said(result), Answer::Sessions(desk.sessions())]
}

/// The newest questions of each kind: an older one that has not begun need not begin.
#[derive(Default)]
struct Newest {
    preview: AtomicU64,
    pane: AtomicU64,
    reshape: AtomicU64,
    open: AtomicU64,
}

/// Everything that works behind the screen.
pub struct Jobs {
    desk: Arc<dyn Desk>,
    to: UnboundedSender<Message>,
    disk: Option<mpsc::Sender<Effect>>,
    worker: Option<JoinHandle<()>>,
    newest: Arc<Newest>,
    watch: Arc<Watch>,
}

impl Jobs {
    pub fn new(desk: Arc<dyn Desk>, to: UnboundedSender<Message>) -> Self {
        let (orders, inbox) = mpsc::channel::<Effect>();
        let watch = Arc::new(Watch::new(Arc::clone(&desk), to.clone()));
        let writer = {
            let (desk, to) = (Arc::clone(&desk), to.clone());
            std::thread::spawn(move || {
                for effect in inbox {
                    carry_out(desk.as_ref(), effect, &to, None, &|| true);
                }
            })
        };
        Self { desk, to, disk: Some(orders), worker: Some(writer), newest: Arc::default(), watch }
    }

    /// Begins a piece of work.
    pub fn start(&self, effect: Effect) {
        let slot = |newest: &Newest, effect: &Effect| -> Option<Generation> {
            let (slot, generation) = match effect {
                Effect::Preview(generation, ..) => (&newest.preview, generation),
                Effect::Show(generation, ..) => (&newest.pane, generation),
                Effect::Reshape(generation, ..) => (&newest.reshape, generation),
                Effect::Open(generation, _) | Effect::Rescan(generation) | Effect::Cancel(generation) => {
                    (&newest.open, generation)
                }
                _ => return None,
            };
            slot.fetch_max(*generation, Ordering::Relaxed);
            Some(*generation)
        };
        let generation = slot(&self.newest, &effect);
        match effect {
            Effect::Open(..)
            | Effect::Rescan(_)
            | Effect::Payload(..)
            | Effect::Preview(..)
            | Effect::Show(..)
            | Effect::Reshape(..) => {
                let (desk, to, newest, watch) =
                    (Arc::clone(&self.desk), self.to.clone(), Arc::clone(&self.newest), Arc::clone(&self.watch));
                let patient = matches!(effect, Effect::Reshape(..));
                tokio::spawn(async move {
                    if patient {
                        tokio::time::sleep(PAUSE).await;
                    }
                    let _ = tokio::task::spawn_blocking(move || {
                        let late = match &effect {
                            Effect::Preview(..) => Some(&newest.preview),
                            Effect::Show(..) => Some(&newest.pane),
                            Effect::Reshape(..) => Some(&newest.reshape),
                            _ => None,
                        };
                        if late.zip(generation).is_some_and(|(slot, own)| slot.load(Ordering::Relaxed) != own) {
                            return;
                        }
                        let wanted = || generation.is_none_or(|own| newest.open.load(Ordering::Relaxed) == own);
                        carry_out(desk.as_ref(), effect, &to, Some(&watch), &wanted);
                    })
                    .await;
                });
            }
            Effect::Cancel(_) => {}
            other => {
                if let Some(disk) = &self.disk {
                    let _ = disk.send(other);
                }
            }
        }
    }

    /// Waits until everything that was to be written is.
    pub fn finish(&mut self) {
        self.disk = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }

    /// A job that panics, for a test.
    #[cfg(debug_assertions)]
    pub fn break_on_purpose(&self) {
        let to = self.to.clone();
        tokio::task::spawn_blocking(move || {
            let answers = caught(|| panic!("a panic on purpose"));
            for answer in answers {
                let _ = to.send(Message::Answer(Box::new(answer)));
            }
        });
    }

    pub fn desk(&self) -> &Arc<dyn Desk> {
        &self.desk
    }
}

impl Drop for Jobs {
    /// Also while unwinding: what was decided a moment ago may still be on its way to the disk.
    fn drop(&mut self) {
        self.finish();
    }
}

/// Does it, catching a panic so that the screen can end in order and say what happened.
fn carry_out(
    desk: &dyn Desk,
    effect: Effect,
    to: &UnboundedSender<Message>,
    watch: Option<&Watch>,
    wanted: &(dyn Fn() -> bool + Sync),
) {
    let last = Mutex::new(Instant::now());
    let tell = |answer: Answer| {
        if let Answer::Progress(_, Progress::Reading(_)) = answer {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() < REPORT {
                return wanted();
            }
            *last = Instant::now();
        }
        let _ = to.send(Message::Answer(Box::new(answer)));
        wanted()
    };
    let answers = caught(|| perform(desk, effect, &tell));
    for answer in answers {
        if let (Some(watch), Answer::Opened(_, Ok(opened)) | Answer::Rescanned(_, Ok(opened))) = (watch, &answer) {
            arm(watch, opened);
        }
        let _ = to.send(Message::Answer(Box::new(answer)));
    }
}

fn caught(work: impl FnOnce() -> Vec<Answer>) -> Vec<Answer> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| vec![Answer::Panicked(terminal::last_panic())])
}

fn arm(watch: &Watch, opened: &Opened) {
    let corpus = opened.bench.corpus();
    watch.arm(&corpus.root, corpus.files.iter().map(|file| file.path.as_str()));
}

/// What the editor is called, and with which arguments.
pub fn editor() -> Vec<String> {
    let named =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()));
    let fallback = if cfg!(windows) { "notepad" } else { "vi" };
    named.unwrap_or_else(|| fallback.to_owned()).split_whitespace().map(ToOwned::to_owned).collect()
}

/// Runs the editor on a file and waits for it.
pub fn edit(path: &std::path::Path, line: u32) -> Result<()> {
    let words = editor();
    let Some((program, arguments)) = words.split_first() else {
        return Err(Error::input("$EDITOR is empty", "set it to your editor"));
    };
    let name =
        std::path::Path::new(program).file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut command = std::process::Command::new(program);
    command.args(arguments);
    match name.as_str() {
        "vi" | "vim" | "nvim" | "nano" | "emacs" | "emacsclient" | "kak" | "micro" | "joe" if line > 1 => {
            command.arg(format!("+{line}")).arg(path);
        }
        "hx" | "helix" | "subl" | "zed" if line > 1 => {
            command.arg(format!("{}:{line}", path.display()));
        }
        "code" | "codium" if line > 1 => {
            command.arg("-g").arg(format!("{}:{line}", path.display()));
        }
        _ => {
            command.arg(path);
        }
    }
    let status = command.status().map_err(|source| Error::io("run", program, source))?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::negative(format!("{program} ended with {status}"), "nothing was taken over"))
    }
}

/// Runs the editor on a text and returns what it became.
pub fn edit_text(text: &str) -> Result<String> {
    let file = tempfile::Builder::new().prefix("teddy-task-").suffix(".md").tempfile();
    let file = file.map_err(|source| Error::io("create", std::env::temp_dir(), source))?;
    std::fs::write(file.path(), text).map_err(|source| Error::io("write", file.path(), source))?;
    edit(file.path(), 1)?;
    std::fs::read_to_string(file.path()).map_err(|source| Error::io("read", file.path(), source))
}
