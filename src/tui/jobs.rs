//! Jobs that run outside the screen's thread. Jobs that write to disk run in order on one thread, the others in
//! parallel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::mpsc::UnboundedSender;

use super::message::{Answer, Effect, Generation, Message, Preview};
use super::state::layer::Goal;
use super::watch::{self, Watch};
use super::{pane, terminal};
use crate::app::backend::{Backend, ClipboardAction, Outcome, Progress, TurnSnapshot};
use crate::app::pipeline::ScanObserver;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::progress::{ScannedFile, WalkObserver};
use crate::ids::ItemId;
use crate::place::Tier;
use crate::score::QuickScorer;
use crate::text::counted;
use crate::workbench::Workbench;

/// Pause in typing before the task is scored again.
const PAUSE: Duration = Duration::from_millis(120);
/// Interval of progress reports.
const REPORT: Duration = Duration::from_millis(80);

/// Connection to the requester of a job.
pub trait Line: Sync {
    /// Reports progress.
    fn tell(&self, answer: Answer);
    /// Returns false if the result is no longer wanted.
    fn wanted(&self) -> bool;
}

/// Reports the progress of a scan.
struct Told<'a> {
    generation: Generation,
    line: &'a dyn Line,
}

impl WalkObserver for Told<'_> {
    fn found(&self, files: Vec<ScannedFile>) {
        self.line.tell(Answer::Progress(self.generation, Progress::Found(files)));
    }

    fn wanted(&self) -> bool {
        self.line.wanted()
    }
}

impl ScanObserver for Told<'_> {
    fn looking(&self, glance: Arc<QuickScorer>) {
        self.line.tell(Answer::Progress(self.generation, Progress::Looking(glance)));
    }

    fn scoring(&self) {
        self.line.tell(Answer::Progress(self.generation, Progress::Scoring));
    }
}

/// Runs a job and reports its result.
pub fn perform(backend: &dyn Backend, effect: Effect, line: &dyn Line) -> Vec<Answer> {
    let one = |answer: Answer| vec![answer];
    match effect {
        Effect::Open(generation, entry) => {
            let opened = backend.open(&entry, &Told { generation, line });
            one(Answer::Opened(generation, opened.map(Box::new)))
        }
        Effect::Rescan(generation) => {
            let opened = backend.rescan(&Told { generation, line });
            one(Answer::Rescanned(generation, opened))
        }
        Effect::Count(generation, bench, older) => {
            one(Answer::Counted(generation, count(&bench, older, generation, line)))
        }
        Effect::Reshape(generation, bench, form) => one(Answer::Reshaped(generation, backend.reshape(&bench, &form))),
        Effect::Preview(generation, bench, verb, action) => match bench.preview(&action) {
            Ok(placement) => one(Answer::Preview(generation, Preview { verb, usage: placement.usage })),
            Err(_) => Vec::new(),
        },
        Effect::Show(generation, bench, about, item, view, columns) => {
            one(Answer::Shown(generation, Box::new(pane::show(backend, &bench, &about, item, view, columns))))
        }
        Effect::SearchText(generation, bench, text) => {
            let found = bench.corpus().items_containing(&text, &|| line.wanted());
            found.map(|items| Answer::TextFound(generation, text, items)).into_iter().collect()
        }
        Effect::Payload(generation, ready) => {
            let (text, tokens) = backend.payload(&ready.renderer, ready.bench.placement());
            one(Answer::Payload(generation, text, tokens))
        }
        Effect::Keep(bench, left) => one(Answer::Kept(backend.keep(&bench, &left))),
        Effect::Write(ready) => one(Answer::Said(write(backend, &ready))),
        Effect::Copy(ready) => one(Answer::Said(copy(backend, &ready))),
        Effect::CopySome(ready, items) => one(Answer::Said(copy_some(backend, &ready, &items))),
        Effect::CopyText(text, what) => {
            let done = |delivery| Outcome::of(&delivery, |outcome| format!("{what}: {outcome}"));
            one(Answer::Said(backend.copy(&text).map(done)))
        }
        Effect::Init(keep_out) => one(Answer::Made(backend.init(keep_out))),
        Effect::Handoff => one(Answer::Handoff(backend.handoff())),
        Effect::SaveHandoff(text) => {
            let saved = backend.save_handoff(&text);
            one(Answer::HandoffSaved(text, saved))
        }
        Effect::StorePins(scope, paths) => one(Answer::Allowed(backend.store_pins(scope, &paths))),
        Effect::UndoAnswer => one(Answer::Unanswered(backend.undo_answer())),
        Effect::Memos => one(Answer::Memos(backend.memos())),
        Effect::Redactions(bench) => one(Answer::Redactions(backend.redactions(&bench))),
        Effect::Page(page, bench) => one(Answer::Page(page, backend.paper(page, &bench))),
        Effect::Clipboard(ClipboardAction::Answer, bench) => {
            one(Answer::Answered(backend.deed(ClipboardAction::Answer, &bench)))
        }
        Effect::Clipboard(deed, bench) => one(Answer::Said(backend.deed(deed, &bench))),
        Effect::Allow(redaction) => one(Answer::Allowed(backend.allow(&redaction))),
        Effect::AddMemo(text) => match backend.add_memo(&text) {
            Ok(said) => memo(backend, Ok(said)),
            Err(error) => one(Answer::Refused(Goal::Memo, text, error)),
        },
        Effect::RemoveMemo(number) => {
            memo(backend, backend.remove_memo(number).map(|()| format!("Deleted memo {number}")))
        }
        Effect::Sessions => one(Answer::Sessions(backend.sessions())),
        Effect::Rename(session, name) => match backend.rename(&session, &name) {
            Ok(name) => listed(backend, Ok(format!("Renamed to {name}"))),
            Err(error) => one(Answer::Refused(Goal::Rename(session), name, error)),
        },
        Effect::Branch(session) => listed(backend, backend.branch(&session).map(|name| format!("Branched as {name}"))),
        Effect::Delete(session) => listed(backend, backend.delete(&session).map(|()| format!("Deleted {session}"))),
        Effect::Close(last) => {
            backend.close(last.as_ref());
            Vec::new()
        }
        // Handled by the event loop, which owns the terminal.
        Effect::EditFile(..)
        | Effect::EditMemos
        | Effect::EditText(_)
        | Effect::Suspend
        | Effect::Cancel(_)
        | Effect::Quit => Vec::new(),
    }
}

/// Counts files that an earlier scan has not counted. If the project cannot be read, the next scan reports it.
fn count(bench: &Workbench, older: Option<Arc<Corpus>>, generation: Generation, line: &dyn Line) -> usize {
    let corpus = bench.corpus();
    if let Some(older) = older {
        corpus.copy_counts_from(&older);
    }
    let _ = corpus.count_in_background(bench.tokenizer(), &|| line.wanted(), &|done| {
        line.tell(Answer::Counted(generation, done));
    });
    corpus.files.len()
}

fn write(backend: &dyn Backend, ready: &TurnSnapshot) -> Result<Outcome> {
    let written = backend.write(&ready.bench, &ready.renderer)?;
    let tokens = ready.bench.tokenizer().figure(ready.bench.placement().usage.total);
    Ok(format!("Wrote {} ({tokens} tokens)", backend.shown(&written.path)).into())
}

/// Writes the payload before copying, so that a failed copy loses nothing.
fn copy(backend: &dyn Backend, ready: &TurnSnapshot) -> Result<Outcome> {
    let written = backend.write(&ready.bench, &ready.renderer)?;
    match backend.copy_payload(&written.text, ready.bench.tokenizer()) {
        Ok(done) => {
            // Shows the path from the session on, because the whole path would not fit into the width.
            let parts: Vec<_> = written.path.iter().rev().take(2).collect();
            let name: std::path::PathBuf = parts.into_iter().rev().collect();
            Ok(done.within(|said| format!("{said}; also in {}", name.display())))
        }
        Err(error) => Err(error.saved_in(backend.shown(&written.path))),
    }
}

/// Copies a payload of some items in their tiers. The turn itself is not changed.
fn copy_some(backend: &dyn Backend, ready: &TurnSnapshot, items: &[ItemId]) -> Result<Outcome> {
    let some = ready.bench.placement().only(items);
    let there = some.placed.iter().filter(|placed| placed.tier != Tier::Out).count();
    if there == 0 {
        return Err(Error::negative("the selected items are not in the payload", "promote them first"));
    }
    let tokens = ready.bench.tokenizer().figure(ready.renderer.usage(&some).total);
    let text = ready.renderer.render(&some);
    let done = backend.copy_payload(&text, ready.bench.tokenizer())?;
    Ok(done.within(|said| format!("Payload of {}, {tokens} tokens: {said}", counted(there, "selected item"))))
}

fn memo(backend: &dyn Backend, result: Result<String>) -> Vec<Answer> {
    vec![Answer::Said(result.map(Outcome::from)), Answer::Memos(backend.memos())]
}

fn listed(backend: &dyn Backend, result: Result<String>) -> Vec<Answer> {
    vec![Answer::Said(result.map(Outcome::from)), Answer::Sessions(backend.sessions())]
}

/// Latest request of each kind, so that an older one that has not started can be skipped.
#[derive(Default)]
struct Newest {
    preview: AtomicU64,
    pane: AtomicU64,
    text: AtomicU64,
    reshape: AtomicU64,
    open: AtomicU64,
}

/// All background work.
pub struct Jobs {
    backend: Arc<dyn Backend>,
    to: UnboundedSender<Message>,
    disk: Option<mpsc::Sender<Effect>>,
    worker: Option<JoinHandle<()>>,
    newest: Arc<Newest>,
    watch: Arc<Watch>,
}

impl Jobs {
    pub fn new(backend: Arc<dyn Backend>, to: UnboundedSender<Message>) -> Self {
        let (orders, inbox) = mpsc::channel::<Effect>();
        let watch = Arc::new(Watch::new(Arc::clone(&backend), to.clone()));
        let writer = {
            let (backend, to) = (Arc::clone(&backend), to.clone());
            std::thread::spawn(move || {
                for effect in inbox {
                    carry_out(backend.as_ref(), effect, &to, None, &|| true);
                }
            })
        };
        Self { backend, to, disk: Some(orders), worker: Some(writer), newest: Arc::default(), watch }
    }

    /// Starts a job.
    pub fn start(&self, effect: Effect) {
        let slot = |newest: &Newest, effect: &Effect| -> Option<Generation> {
            let (slot, generation) = match effect {
                Effect::Preview(generation, ..) => (&newest.preview, generation),
                Effect::Show(generation, ..) => (&newest.pane, generation),
                Effect::SearchText(generation, ..) => (&newest.text, generation),
                Effect::Reshape(generation, ..) => (&newest.reshape, generation),
                Effect::Open(generation, _)
                | Effect::Rescan(generation)
                | Effect::Count(generation, ..)
                | Effect::Cancel(generation) => (&newest.open, generation),
                _ => return None,
            };
            slot.fetch_max(*generation, Ordering::Relaxed);
            Some(*generation)
        };
        let generation = slot(&self.newest, &effect);
        match effect {
            Effect::Open(..)
            | Effect::Rescan(_)
            | Effect::Count(..)
            | Effect::Payload(..)
            | Effect::Preview(..)
            | Effect::Show(..)
            | Effect::SearchText(..)
            | Effect::Reshape(..) => {
                let (backend, to, newest, watch) =
                    (Arc::clone(&self.backend), self.to.clone(), Arc::clone(&self.newest), Arc::clone(&self.watch));
                let patient = matches!(effect, Effect::Reshape(..) | Effect::SearchText(..));
                tokio::spawn(async move {
                    if patient {
                        tokio::time::sleep(PAUSE).await;
                    }
                    let _ = tokio::task::spawn_blocking(move || {
                        let late = match &effect {
                            Effect::Preview(..) => Some(&newest.preview),
                            Effect::Show(..) => Some(&newest.pane),
                            Effect::SearchText(..) => Some(&newest.text),
                            Effect::Reshape(..) => Some(&newest.reshape),
                            _ => None,
                        };
                        if late.zip(generation).is_some_and(|(slot, own)| slot.load(Ordering::Relaxed) != own) {
                            return;
                        }
                        let slot = if matches!(effect, Effect::SearchText(..)) { &newest.text } else { &newest.open };
                        let wanted = || generation.is_none_or(|own| slot.load(Ordering::Relaxed) == own);
                        carry_out(backend.as_ref(), effect, &to, Some(&watch), &wanted);
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

    /// Waits until everything is written.
    pub fn finish(&mut self) {
        self.disk = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }

    /// Starts a job that panics, for a test.
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

    pub fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }
}

impl Drop for Jobs {
    /// Also runs while unwinding, because recent decisions may not be on disk yet.
    fn drop(&mut self) {
        self.finish();
    }
}

/// Runs a job and catches panics, so that the screen can close and report them.
fn carry_out(
    backend: &dyn Backend,
    effect: Effect,
    to: &UnboundedSender<Message>,
    watch: Option<&Watch>,
    wanted: &(dyn Fn() -> bool + Sync),
) {
    let post = Post { to, wanted, held: Mutex::new((Instant::now(), Vec::new())) };
    let began = SystemTime::now();
    let answers = caught(|| perform(backend, effect, &post));
    for answer in answers {
        let corpus = match (watch, &answer) {
            (Some(watch), Answer::Opened(_, Ok(opened))) => Some((watch, opened.bench.shared_corpus())),
            (Some(watch), Answer::Rescanned(_, Ok(opened))) => Some((watch, opened.bench.shared_corpus())),
            _ => None,
        };
        let _ = to.send(Message::Answer(Box::new(answer)));
        if let Some((watch, corpus)) = corpus {
            let paths = || corpus.files.iter().map(|file| file.path.as_str());
            watch.arm(&corpus.root, paths());
            let missed = watch::missed(&corpus.root, &paths().collect(), began);
            if !missed.is_empty() {
                let _ = to.send(Message::Changed(missed));
            }
        }
    }
}

/// A channel to the event loop. Files are collected for a moment, because each message causes a frame.
struct Post<'a> {
    to: &'a UnboundedSender<Message>,
    wanted: &'a (dyn Fn() -> bool + Sync),
    held: Mutex<(Instant, Vec<ScannedFile>)>,
}

impl Line for Post<'_> {
    fn tell(&self, answer: Answer) {
        let send = |answer: Answer| drop(self.to.send(Message::Answer(Box::new(answer))));
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, files) = &mut *held;
        match answer {
            Answer::Progress(generation, Progress::Found(mut found)) => {
                files.append(&mut found);
                if last.elapsed() >= REPORT {
                    *last = Instant::now();
                    send(Answer::Progress(generation, Progress::Found(std::mem::take(files))));
                }
            }
            Answer::Progress(generation, Progress::Scoring) => {
                send(Answer::Progress(generation, Progress::Found(std::mem::take(files))));
                send(Answer::Progress(generation, Progress::Scoring));
            }
            Answer::Counted(..) if last.elapsed() < REPORT => {}
            Answer::Counted(..) => {
                *last = Instant::now();
                send(answer);
            }
            other => send(other),
        }
    }

    fn wanted(&self) -> bool {
        (self.wanted)()
    }
}

fn caught(work: impl FnOnce() -> Vec<Answer>) -> Vec<Answer> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| vec![Answer::Panicked(terminal::last_panic())])
}
