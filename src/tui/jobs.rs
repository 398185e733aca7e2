//! Jobs that run outside the screen's thread. Jobs that write to disk run in order on one thread, the others in
//! parallel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::mpsc::UnboundedSender;

use super::message::{Job, JobKind, JobResult, Message, Preview, Ticket};
use super::watch::{self, Watch};
use super::{highlight, pane, terminal};
use crate::app::backend::{Backend, Progress, Reply};
use crate::app::run_inputs::ScanObserver;
use crate::gather::Corpus;
use crate::gather::progress::{ScannedFile, WalkObserver};
use crate::score::QuickScorer;
use crate::workbench::Workbench;

/// Pause in typing before the task is scored again.
const PAUSE: Duration = Duration::from_millis(120);
/// Interval of progress reports.
const REPORT: Duration = Duration::from_millis(80);

/// Receives the progress of a job, and decides whether it continues.
pub trait JobObserver: Sync {
    /// Reports progress.
    fn tell(&self, answer: JobResult);
    /// Returns false if the result is no longer wanted.
    fn should_continue(&self) -> bool;
}

/// Observes a scan for a client.
struct ScanProgress<'a>(&'a dyn JobObserver);

impl WalkObserver for ScanProgress<'_> {
    fn files_read(&self, files: Vec<ScannedFile>) {
        self.0.tell(JobResult::Progress(Progress::Found(files)));
    }

    fn should_continue(&self) -> bool {
        self.0.should_continue()
    }
}

impl ScanObserver for ScanProgress<'_> {
    fn looking(&self, glance: Arc<QuickScorer>) {
        self.0.tell(JobResult::Progress(Progress::Looking(glance)));
    }

    fn scoring(&self) {
        self.0.tell(JobResult::Progress(Progress::Scoring));
    }
}

/// Runs a job, and returns its result if it has one.
pub fn perform(backend: &dyn Backend, job: Job, client: &dyn JobObserver) -> Option<JobResult> {
    Some(match job {
        Job::Request(request) => JobResult::Reply(backend.handle(request, &ScanProgress(client))),
        Job::Count(bench, older) => JobResult::Counted(count(&bench, older, client)),
        Job::Preview(bench, verb, action) => {
            JobResult::Preview(Preview { verb, usage: bench.preview(&action).ok()?.usage })
        }
        Job::Pane(bench, about, item, view, columns) => {
            let make = |colors| JobResult::Pane(pane::show(backend, &bench, &about, (item, view, columns), colors));
            if pane::is_slow(&bench, item, view) {
                client.tell(make(false));
            }
            make(true)
        }
        Job::Highlight(text) => JobResult::Highlighted(highlight::fenced(&text)),
        Job::Search(bench, text) => {
            let items = bench.corpus().items_containing(&text, &|| client.should_continue())?;
            JobResult::TextFound(text, items)
        }
    })
}

/// Counts the tokens of files that are new since an earlier scan. If the project is unreadable, the next scan reports
/// it.
fn count(bench: &Workbench, older: Option<Arc<Corpus>>, client: &dyn JobObserver) -> usize {
    let corpus = bench.corpus();
    if let Some(older) = older {
        corpus.copy_counts_from(&older);
    }
    let _ = corpus.count_in_background(bench.tokenizer(), &|| client.should_continue(), &|done| {
        client.tell(JobResult::Counted(done));
    });
    corpus.files.len()
}

/// Latest job of each kind: an older one ends early, or is skipped if it has not started.
#[derive(Default)]
struct LatestTickets([AtomicU64; JobKind::REPLACED]);

impl LatestTickets {
    fn record(&self, ticket: Ticket) {
        if let Some(slot) = self.slot(ticket.kind) {
            slot.fetch_max(ticket.generation, Ordering::Relaxed);
        }
    }

    fn is_wanted(&self, ticket: Ticket) -> bool {
        self.slot(ticket.kind).is_none_or(|slot| slot.load(Ordering::Relaxed) == ticket.generation)
    }

    fn slot(&self, kind: JobKind) -> Option<&AtomicU64> {
        kind.slot().and_then(|slot| self.0.get(slot))
    }
}

/// Runs jobs.
pub struct Jobs {
    backend: Arc<dyn Backend>,
    to: UnboundedSender<Message>,
    in_order: Option<mpsc::Sender<(Ticket, Job)>>,
    worker: Option<JoinHandle<()>>,
    latest: Arc<LatestTickets>,
    watch: Arc<Watch>,
}

impl Jobs {
    pub fn new(backend: Arc<dyn Backend>, to: UnboundedSender<Message>) -> Self {
        let (orders, inbox) = mpsc::channel::<(Ticket, Job)>();
        let watch = Arc::new(Watch::new(Arc::clone(&backend), to.clone()));
        let worker = {
            let (backend, to) = (Arc::clone(&backend), to.clone());
            std::thread::spawn(move || {
                for (ticket, job) in inbox {
                    carry_out(backend.as_ref(), ticket, job, &to, None, &|| true);
                }
            })
        };
        Self { backend, to, in_order: Some(orders), worker: Some(worker), latest: Arc::default(), watch }
    }

    /// Starts a job.
    pub fn start(&self, ticket: Ticket, job: Job) {
        self.latest.record(ticket);
        if ticket.kind == JobKind::InOrder {
            if let Some(in_order) = &self.in_order {
                let _ = in_order.send((ticket, job));
            }
            return;
        }
        let (backend, to) = (Arc::clone(&self.backend), self.to.clone());
        let (latest, watch) = (Arc::clone(&self.latest), Arc::clone(&self.watch));
        tokio::spawn(async move {
            if matches!(ticket.kind, JobKind::Rescore | JobKind::Search) {
                tokio::time::sleep(PAUSE).await;
            }
            let _ = tokio::task::spawn_blocking(move || {
                // A turn that is no longer wanted is still opened, so that it is closed in order.
                if ticket.kind == JobKind::Turn || latest.is_wanted(ticket) {
                    carry_out(backend.as_ref(), ticket, job, &to, Some(&watch), &|| latest.is_wanted(ticket));
                }
            })
            .await;
        });
    }

    /// Stops older jobs of this kind.
    pub fn cancel(&self, ticket: Ticket) {
        self.latest.record(ticket);
    }

    /// Waits until everything is written.
    pub fn finish(&mut self) {
        self.in_order = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }

    /// Starts a job that panics, for a test.
    #[cfg(debug_assertions)]
    pub fn break_on_purpose(&self) {
        let to = self.to.clone();
        tokio::task::spawn_blocking(move || caught(&to, || panic!("a panic on purpose")));
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

/// Runs a job and sends its answer; a panic is reported, so that the screen can close.
fn carry_out(
    backend: &dyn Backend,
    ticket: Ticket,
    job: Job,
    to: &UnboundedSender<Message>,
    watch: Option<&Watch>,
    wanted: &(dyn Fn() -> bool + Sync),
) {
    let post = MessageSender { ticket, to, wanted, held: Mutex::new((Instant::now(), Vec::new())) };
    let began = SystemTime::now();
    let Some(answer) = caught(to, || perform(backend, job, &post)).flatten() else { return };
    let corpus = match &answer {
        JobResult::Reply(Reply::Opened(Ok(opened)) | Reply::Rescanned(Ok(opened))) => {
            Some(opened.bench.shared_corpus())
        }
        _ => None,
    };
    let _ = to.send(Message::JobResult(ticket, Box::new(answer)));
    if let Some((watch, corpus)) = watch.zip(corpus) {
        let paths = || corpus.files.iter().map(|file| file.path.as_str());
        watch.arm(&corpus.root, paths());
        let missed = watch::missed(&corpus.root, &paths().collect(), began);
        if !missed.is_empty() {
            watch.report(missed);
        }
    }
}

/// Sends results to the event loop. Files are collected for a moment, because each message causes a frame.
struct MessageSender<'a> {
    ticket: Ticket,
    to: &'a UnboundedSender<Message>,
    wanted: &'a (dyn Fn() -> bool + Sync),
    held: Mutex<(Instant, Vec<ScannedFile>)>,
}

impl JobObserver for MessageSender<'_> {
    fn tell(&self, answer: JobResult) {
        let send = |answer: JobResult| drop(self.to.send(Message::JobResult(self.ticket, Box::new(answer))));
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, files) = &mut *held;
        match answer {
            JobResult::Progress(Progress::Found(mut found)) => {
                files.append(&mut found);
                if last.elapsed() >= REPORT {
                    *last = Instant::now();
                    send(JobResult::Progress(Progress::Found(std::mem::take(files))));
                }
            }
            JobResult::Progress(Progress::Scoring) => {
                send(JobResult::Progress(Progress::Found(std::mem::take(files))));
                send(JobResult::Progress(Progress::Scoring));
            }
            JobResult::Counted(_) if last.elapsed() < REPORT => {}
            JobResult::Counted(_) => {
                *last = Instant::now();
                send(answer);
            }
            other => send(other),
        }
    }

    fn should_continue(&self) -> bool {
        (self.wanted)()
    }
}

fn caught<T>(to: &UnboundedSender<Message>, work: impl FnOnce() -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(work));
    if done.is_err() {
        let _ = to.send(Message::Panicked(terminal::last_panic()));
    }
    done.ok()
}
