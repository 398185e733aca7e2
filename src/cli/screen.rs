//! The screen's side of the command line: opens it where there is a terminal, and answers what it asks for.

use std::collections::HashSet;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use super::args::{OutputArgs, PlanArgs, ResumeArgs, ShapeArgs};
use super::prepare::{self, Prepared};
use super::run::Run;
use super::store;
use super::world::World;
use crate::deliver::{self, ClipboardEnv, Delivery, Terminal};
use crate::error::{Error, Result};
use crate::gather::git;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnState};
use crate::project::{clock, memos};
use crate::render::{Format, Renderer};
use crate::text::printable;
use crate::tui::{self, About, Desk, Entry, Form, Left, Opened, Progress, Ready, SessionRow, Written};
use crate::workbench::Workbench;

/// Whether the screen is wanted: a terminal on both sides, and no flag that says where the payload goes.
pub fn wanted(args: &OutputArgs) -> bool {
    let elsewhere = args.no_tui || args.json || args.stdout || args.copy || args.dry_run || args.output.is_some();
    !elsewhere && has_terminal()
}

/// Whether a person can look and type.
pub fn has_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Opens the workbench for `teddy plan`.
pub fn plan(directory: Option<&Path>, args: &PlanArgs) -> Result<()> {
    let desk = CliDesk::open(directory)?;
    let prepared = prepare::plan(&desk.world(), args)?;
    desk.show(prepared)
}

/// Opens the workbench for `teddy resume`; false where a plan waits for its report and there is nothing to curate.
pub fn resume(directory: Option<&Path>, args: &ResumeArgs) -> Result<bool> {
    let desk = CliDesk::open(directory)?;
    let Some(prepared) = prepare::resume(&desk.world(), args)? else { return Ok(false) };
    desk.show(prepared).map(|()| true)
}

/// Opens the list of sessions.
pub fn sessions(directory: Option<&Path>) -> Result<()> {
    let desk: Arc<dyn Desk> = CliDesk::open(directory)?;
    tui::run(&desk, None)
}

/// The turn that is open.
struct OpenTurn {
    prepared: Prepared,
    /// What the last run knew besides what the screen has.
    last: Option<LastRun>,
}

/// What a run knows besides what the screen has.
struct LastRun {
    task: String,
    format: Format,
    turn: (String, String),
    upper: HashSet<String>,
}

/// What the screen asks, answered with the same functions that the commands use.
pub struct CliDesk {
    directory: Option<PathBuf>,
    world: Mutex<Arc<World>>,
    /// What the command line named, until it is opened.
    named: Mutex<Option<Prepared>>,
    /// The session that was opened last, to open it again after a scan was cancelled.
    last: Mutex<Option<String>>,
    open: Mutex<Option<OpenTurn>>,
    clipboard: Mutex<ClipboardEnv>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CliDesk {
    /// Looks around from a directory.
    pub fn open(directory: Option<&Path>) -> Result<Arc<Self>> {
        let world = World::open(directory)?;
        Ok(Arc::new(Self {
            directory: directory.map(Path::to_path_buf),
            world: Mutex::new(Arc::new(world)),
            named: Mutex::new(None),
            last: Mutex::new(None),
            open: Mutex::new(None),
            clipboard: Mutex::new(ClipboardEnv::from_process()),
        }))
    }

    /// Uses these clipboards instead of the machine's own.
    pub fn use_clipboard(&self, env: ClipboardEnv) {
        *held(&self.clipboard) = env;
    }

    fn world(&self) -> Arc<World> {
        Arc::clone(&held(&self.world))
    }

    fn show(self: &Arc<Self>, prepared: Prepared) -> Result<()> {
        *held(&self.named) = Some(prepared);
        let desk: Arc<dyn Desk> = Arc::clone(self) as _;
        let ended = tui::run(&desk, Some(Entry::Named));
        if let (Ok(()), Some(name)) = (&ended, held(&self.last).as_ref()) {
            super::output::say(&format!("{name} is kept; go on with: teddy resume"));
        }
        ended
    }

    fn refresh(&self) -> Result<Arc<World>> {
        let world = Arc::new(World::open(self.directory.as_deref())?);
        *held(&self.world) = Arc::clone(&world);
        Ok(world)
    }

    fn session(&self, name: &str) -> Result<Session> {
        let world = self.world();
        session::find(world.project()?, &world.cwd, name)
    }

    /// The open turn's inputs, read again from disk, so that edited lists and memos count.
    fn again(&self, world: &World) -> Result<(super::run::Inputs, ShapeArgs)> {
        let mut open = held(&self.open);
        let open = open.as_mut().ok_or_else(|| Error::negative("no turn is open", ""))?;
        prepare::again(world, &mut open.prepared)
    }

    fn opened(&self, world: &World, run: Run, fresh: bool) -> Result<Opened> {
        let mut open = held(&self.open);
        let open = open.as_mut().ok_or_else(|| Error::negative("no turn is open", ""))?;
        open.last = Some(LastRun {
            task: run.task.clone(),
            format: run.format,
            turn: run.turn.clone(),
            upper: run.upper.clone(),
        });
        let prepared = &mut open.prepared;
        let record = &prepared.record;
        let (changed, since) = changes(world, prepared, run.bench.corpus());
        let session = prepared.session.as_ref();
        let done =
            session.and_then(|session| session.meta().ok()).map(|meta| meta.definition_of_done).unwrap_or_default();
        let about = About {
            session: session.map(|session| session.name().to_owned()).unwrap_or_default(),
            turn: prepared.turn.as_ref().map(|turn| turn.id().to_string()).unwrap_or_default(),
            form: Form {
                text: prepared.task.clone(),
                task_type: record.task_type.as_deref().and_then(|name| crate::score::TaskType::named(name).ok()),
                complexity: record.complexity.as_deref().and_then(|name| crate::score::Complexity::named(name).ok()),
                format: Format::named(record.format.as_deref().unwrap_or(world.config.format.name()))?,
                done,
            },
            task_type: run.task_type,
            complexity: run.complexity,
            tokenizer: run.bench.settings().1.tokenizer.name(),
            notes: if fresh { run.notes.clone() } else { Vec::new() },
            changed,
            since,
            left: Left {
                sort: record.view.sort.clone(),
                cursor: record.view.cursor.clone(),
                filter: record.view.filter.clone(),
            },
        };
        Ok(Opened { bench: run.bench, renderer: run.renderer, about })
    }
}

impl OpenTurn {
    /// A `Run` for the functions that store one.
    fn run(&self, bench: &Workbench, renderer: &Arc<dyn Renderer>, about: &About) -> Result<Run> {
        let last = self.last.as_ref().ok_or_else(|| Error::negative("no turn is open", ""))?;
        Ok(Run {
            task: last.task.clone(),
            format: last.format,
            turn: last.turn.clone(),
            bench: bench.clone(),
            renderer: Arc::clone(renderer),
            task_type: about.task_type,
            complexity: about.complexity,
            notes: about.notes.clone(),
            upper: last.upper.clone(),
        })
    }

    /// What is in `turn.context` now is ours.
    fn know_list(&mut self) {
        if let Some(turn) = &self.prepared.turn {
            self.prepared.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        }
    }
}

/// The items whose files changed since the turn before was delivered, else against the head commit.
fn changes(world: &World, prepared: &Prepared, corpus: &crate::gather::Corpus) -> (HashSet<usize>, String) {
    let checkpoint = prepared.before().and_then(|before| {
        let text = world.project.as_ref()?.read(&before.checkpoint_file()).ok()??;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        Some((before.id().to_string(), value.get("artifacts")?.as_array()?.clone()))
    });
    let mut changed: HashSet<usize> = HashSet::new();
    let mut since = "the head commit".to_owned();
    if let Some((turn, artifacts)) = checkpoint {
        since = format!("turn {turn}");
        for artifact in artifacts {
            let known = artifact
                .get("path")
                .and_then(|path| path.as_str())
                .zip(artifact.get("sha256").and_then(|sum| sum.as_str()));
            if let Some((path, sum)) = known
                && let Some(file) = corpus.find(path)
                && corpus.file_text(file).sha256 != sum
            {
                changed.insert(file);
            }
        }
    }
    let dirty = corpus.git.iter().flat_map(|git| &git.dirty);
    changed.extend(dirty.filter_map(|(path, _)| corpus.find(path)));
    (changed, since)
}

impl Desk for CliDesk {
    fn root(&self) -> PathBuf {
        self.world().root.clone()
    }

    fn to_be_made(&self) -> Vec<String> {
        if self.world().project.is_some() {
            return Vec::new();
        }
        [".teddy/", ".teddy/sessions/", ".teddy/.gitignore", ".teddy/global.context", ".teddy/memos.yaml"]
            .map(ToOwned::to_owned)
            .to_vec()
    }

    fn init(&self) -> Result<Vec<String>> {
        let (_, made) = self.world().project_or_init()?;
        let world = self.refresh()?;
        Ok(made.iter().map(|path| world.shown(path)).collect())
    }

    fn open(&self, entry: &Entry, progress: &(dyn Fn(Progress) -> bool + Sync)) -> Result<Opened> {
        let world = self.world();
        // The turn that was open before must be free again before another is taken.
        self.close(None);
        let named = match entry {
            Entry::Named => held(&self.named).take(),
            _ => None,
        };
        let mut prepared = match (named, entry) {
            (Some(prepared), _) => prepared,
            (None, Entry::Named) => {
                let gone = || Error::negative("the scan before has not ended yet", "try again in a moment");
                let name = held(&self.last).clone().ok_or_else(gone)?;
                prepare::named(&world, &name)?
            }
            (None, Entry::Plan(task)) => prepare::plain_task(&world, task)?,
            (None, Entry::Resume(name)) => prepare::named(&world, name)?,
        };
        let inputs = prepared.take_inputs()?;
        let run = Run::start_with(
            &world,
            inputs,
            &prepared.flags,
            &|files| {
                let _ = progress(Progress::Reading(files));
            },
            &|| {
                progress(Progress::Scoring);
            },
        )?;
        if !progress(Progress::Scoring) {
            return Err(Error::negative("the scan was cancelled", ""));
        }
        prepared.settle(&world, &run)?;
        *held(&self.last) = prepared.session.as_ref().map(|session| session.name().to_owned());
        *held(&self.open) = Some(OpenTurn { prepared, last: None });
        self.opened(&world, run, true)
    }

    fn rescan(&self, progress: &(dyn Fn(Progress) -> bool + Sync)) -> Result<Opened> {
        let world = self.refresh()?;
        let (inputs, flags) = self.again(&world)?;
        let run = Run::start_with(
            &world,
            inputs,
            &flags,
            &|files| {
                let _ = progress(Progress::Reading(files));
            },
            &|| {
                progress(Progress::Scoring);
            },
        )?;
        self.opened(&world, run, false)
    }

    fn reshape(&self, bench: &Workbench, form: &Form) -> Result<Opened> {
        let world = self.world();
        {
            let mut open = held(&self.open);
            let open = open.as_mut().ok_or_else(|| Error::negative("no turn is open", ""))?;
            open.prepared.reshape(form)?;
        }
        let (inputs, flags) = self.again(&world)?;
        let run = Run::on(&world, bench.shared_corpus(), inputs, &flags)?;
        self.opened(&world, run, false)
    }

    fn keep(&self, bench: &Workbench, left: &Left) -> Result<()> {
        let mut open = held(&self.open);
        let Some(open) = open.as_mut() else { return Ok(()) };
        let Some(turn) = open.prepared.turn.clone() else { return Ok(()) };
        let record = &mut open.prepared.record;
        store::note_rulings(bench, record)?;
        record.view.sort.clone_from(&left.sort);
        record.view.cursor.clone_from(&left.cursor);
        record.view.filter.clone_from(&left.filter);
        turn.save(record)
    }

    fn write(&self, bench: &Workbench, renderer: &Arc<dyn Renderer>, about: &About) -> Result<Written> {
        let world = self.world();
        let mut open = held(&self.open);
        let open = open.as_mut().ok_or_else(|| Error::negative("no turn is open", ""))?;
        let turn = open.prepared.turn.clone().ok_or_else(|| Error::negative("no turn is open", ""))?;
        let run = open.run(bench, renderer, about)?;
        let text = run.payload();
        store::save(world.project()?, &turn, &run, &mut open.prepared.record)?;
        open.know_list();
        let path = turn.payload_file();
        Ok(Written { path, text })
    }

    fn copy(&self, text: &str) -> Result<Delivery> {
        let env = held(&self.clipboard).clone();
        deliver::to_clipboard(text, &env)
    }

    fn diff(&self, bench: &Workbench, item: usize) -> String {
        let corpus = bench.corpus();
        let Some(file) = corpus.file_of(item) else { return String::new() };
        match git::open(&corpus.root) {
            Ok(Some(git)) => corpus.redactor.redact(&git.patch(&corpus.root, &file.path), &file.path).0.into_owned(),
            Ok(None) => "not a git repository: there is nothing to compare with".to_owned(),
            Err(why) => format!("git says: {why}"),
        }
    }

    fn memos(&self) -> Result<Vec<String>> {
        self.world().project.as_ref().map(memos::load).transpose().map(Option::unwrap_or_default)
    }

    fn add_memo(&self, text: &str) -> Result<()> {
        memos::add(self.world().project()?, text)
    }

    fn remove_memo(&self, number: usize) -> Result<()> {
        memos::remove(self.world().project()?, &number.to_string()).map(drop)
    }

    fn memos_file(&self) -> Option<PathBuf> {
        self.world().project.as_ref().map(crate::project::Project::memos_file)
    }

    fn sessions(&self) -> Result<Vec<SessionRow>> {
        let world = self.world();
        let Some(project) = &world.project else { return Ok(Vec::new()) };
        Ok(session::list(project).iter().map(|session| row(&world, session)).collect())
    }

    fn rename(&self, session: &str, name: &str) -> Result<String> {
        let session = self.session(session)?;
        let fits = !name.is_empty()
            && name.len() <= 100
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
            && !name.starts_with('.');
        if !fits {
            return Err(Error::input(format!("`{name}` cannot be a session's name"), "use letters, digits and dashes"));
        }
        let to = session.dir().with_file_name(name);
        if to.exists() {
            return Err(Error::input(format!("there is a session `{name}` already"), "choose another name"));
        }
        let _lock = crate::project::lock::Lock::acquire(session.dir())?;
        fs::rename(session.dir(), &to).map_err(|source| Error::io("rename", session.dir(), source))?;
        Ok(name.to_owned())
    }

    fn branch(&self, session: &str) -> Result<String> {
        let session = self.session(session)?;
        let none = || Error::negative("the session has no turn to branch from", "Enter starts one");
        let from = Turn::open(&session, turn::latest_turn(&session).ok_or_else(none)?)?;
        let _lock = crate::project::lock::Lock::acquire(session.dir())?;
        let mut record = from.record()?;
        record.created = Some(clock::iso(clock::now()?));
        let id = turn::next_branch(&session, from.id());
        let context = fs::read(from.context_file()).unwrap_or_default();
        let turn = Turn::create(&session, id, &mut record, vec![("turn.context", context)])?;
        Ok(format!("{}/{}", session.name(), turn.id()))
    }

    fn delete(&self, session: &str) -> Result<()> {
        let session = self.session(session)?;
        // Whoever has it open must not lose the ground under their feet.
        drop(crate::project::lock::Lock::acquire(session.dir())?);
        fs::remove_dir_all(session.dir()).map_err(|source| Error::io("delete", session.dir(), source))
    }

    fn close(&self, last: Option<&Ready>) {
        let Some(mut open) = held(&self.open).take() else { return };
        // The turn's list follows what was decided; without it `turn.context` would say what was true at the start.
        let (Some(last), Some(turn)) = (last, open.prepared.turn.clone()) else { return };
        let untouched = fs::read_to_string(turn.context_file()).is_ok_and(|text| text == open.prepared.list);
        let world = self.world();
        if let (true, Ok(run), Some(project)) =
            (untouched, open.run(&last.bench, &last.renderer, &last.about), &world.project)
        {
            // It is only a list for people; the rulings are on disk already.
            let _ = store::save_lists(project, &turn, &run, &mut open.prepared.record);
        }
    }

    fn is_own_write(&self, path: &Path) -> bool {
        let open = held(&self.open);
        let Some(open) = open.as_ref() else { return false };
        let ours = open.prepared.turn.as_ref().is_some_and(|turn| turn.context_file() == path);
        ours && fs::read_to_string(path).is_ok_and(|text| text == open.prepared.list)
    }

    fn share_terminal(&self, out: Arc<Mutex<dyn Write + Send>>) {
        held(&self.clipboard).terminal = Terminal::Shared(out);
    }

    fn shown(&self, path: &Path) -> String {
        self.world().shown(path)
    }
}

fn row(world: &World, session: &Session) -> SessionRow {
    let turns = turn::turns(session);
    let last = turns.last().and_then(|id| Turn::open(session, *id).ok());
    let state = last.as_ref().map_or(TurnState::Open, Turn::state);
    let goal = session.meta().map_or_else(|error| format!("({error})"), |meta| meta.goal().to_owned());
    let touched = session.touched().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let touched = clock::iso(touched.cast_signed());
    let delivered = turns.iter().rev().filter_map(|id| Turn::open(session, *id).ok());
    let read = |path: PathBuf| world.project.as_ref().and_then(|project| project.read_payload(&path).ok().flatten());
    let mut tokens = None;
    let mut preview = None;
    for turn in delivered {
        let Some(text) = read(turn.checkpoint_file()) else { continue };
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        tokens = value["context_summary"]["tokens_used"].as_u64().map(|tokens| tokens as usize);
        preview = read(turn.payload_file()).as_deref().and_then(summary);
        break;
    }
    SessionRow {
        name: session.name().to_owned(),
        goal: goal.lines().next().unwrap_or_default().to_owned(),
        turns: turns.len(),
        state: state.to_string(),
        tokens,
        touched: touched.get(..16).unwrap_or(&touched).replace('T', " "),
        preview: preview.unwrap_or_else(|| printable(&goal).into_owned()),
    }
}

/// The SUMMARY section of a payload, or its beginning.
fn summary(payload: &str) -> Option<String> {
    let heading = |line: &&str| line.starts_with("## ") && line.to_uppercase().contains("SUMMARY");
    let at = payload.lines().position(|line| heading(&line))?;
    let lines = payload.lines().skip(at + 1).take_while(|line| !line.starts_with("## ")).take(30);
    Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
