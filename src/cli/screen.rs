//! The screen's side of the command line: opens it where there is a terminal, and answers what it asks for.

use std::collections::HashSet;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use super::ack;
use super::answer::{self, Document};
use super::args::{OutputArgs, PlanArgs, ResumeArgs, ShapeArgs};
use super::branch;
use super::papers;
use super::prepare::{self, Prepared};
use super::redactions;
use super::run::Run;
use super::since::{self, Delivered};
use super::store;
use super::world::World;
use crate::deliver::{self, ClipboardEnv, Delivery, Terminal};
use crate::error::{Error, Result};
use crate::gather::item::Source;
use crate::gather::onlooker::still_wanted;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnState};
use crate::project::{clock, memos, rearrange};
use crate::render::{Format, Renderer, fetched};
use crate::text::printable;
use crate::tui::{
    self, About, Audience, Deed, Desk, Difference, Entry, Form, Left, Opened, Opening, Paper, Planned, Ready,
    Redaction, Report, SessionRow, Written,
};
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
    *held(&desk.asked) = Some(Asked::Plan(args.clone()));
    desk.show(Some(prepared))
}

/// Opens the workbench for `teddy resume`, or the plan of a turn that waits for its report.
pub fn resume(directory: Option<&Path>, args: &ResumeArgs) -> Result<()> {
    let desk = CliDesk::open(directory)?;
    let prepared = prepare::resume(&desk.world(), args)?;
    *held(&desk.asked) = Some(Asked::Resume(args.clone()));
    desk.show(prepared)
}

/// Opens the list of sessions.
pub fn sessions(directory: Option<&Path>) -> Result<()> {
    let desk: Arc<dyn Desk> = CliDesk::open(directory)?;
    tui::run(&desk, None)
}

/// What the command line asked for.
enum Asked {
    Plan(PlanArgs),
    Resume(ResumeArgs),
}

/// The turn that is open.
struct OpenTurn {
    prepared: Prepared,
    /// What the last run knew besides what the screen has.
    last: Option<LastRun>,
    /// What the last turn before this one delivered.
    delivered: Option<Delivered>,
}

/// What a run knows besides what the screen has.
struct LastRun {
    task: String,
    format: Format,
    turn: (String, String),
    upper: HashSet<String>,
    handed: Option<crate::handoff::BudgetResult>,
    places: Vec<crate::gather::evidence::Place>,
}

/// What the screen asks, answered with the same functions that the commands use.
pub struct CliDesk {
    directory: Option<PathBuf>,
    world: Mutex<Arc<World>>,
    /// What the command line named, until it is opened.
    named: Mutex<Option<Prepared>>,
    /// What was asked for on the command line, to ask it again after a scan was cancelled.
    asked: Mutex<Option<Asked>>,
    /// Held while a turn is opened: one that was cancelled lets go of its session before the next takes it.
    opening: Mutex<()>,
    /// The session that was opened last, to open it again after a scan was cancelled.
    last: Mutex<Option<String>>,
    open: Mutex<Option<OpenTurn>>,
    clipboard: Mutex<ClipboardEnv>,
    state_dir: Mutex<Option<PathBuf>>,
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
            asked: Mutex::new(None),
            opening: Mutex::new(()),
            last: Mutex::new(None),
            open: Mutex::new(None),
            clipboard: Mutex::new(ClipboardEnv::from_process()),
            state_dir: Mutex::new(None),
        }))
    }

    /// Uses these clipboards instead of the machine's own.
    pub fn use_clipboard(&self, env: ClipboardEnv) {
        *held(&self.clipboard) = env;
    }

    fn world(&self) -> Arc<World> {
        Arc::clone(&held(&self.world))
    }

    fn show(self: &Arc<Self>, prepared: Option<Prepared>) -> Result<()> {
        *held(&self.named) = prepared;
        let desk: Arc<dyn Desk> = Arc::clone(self) as _;
        let ended = tui::run(&desk, Some(Entry::Named));
        if let (Ok(()), Some(name)) = (&ended, held(&self.last).as_ref()) {
            super::output::say(&format!("{name} is kept; go on with: teddy resume"));
        }
        ended
    }

    /// What the command line asked for, made ready again after a scan of it was cancelled.
    fn asked_again(&self, world: &World) -> Result<Prepared> {
        if let Some(name) = held(&self.last).as_ref() {
            return prepare::named(world, name);
        }
        let nothing = || Error::negative("nothing was asked for that could be opened again", "start again: teddy plan");
        match held(&self.asked).as_ref() {
            Some(Asked::Plan(args)) => prepare::plan(world, args),
            Some(Asked::Resume(args)) => prepare::resume(world, args)?.ok_or_else(nothing),
            None => Err(nothing()),
        }
    }

    /// Keeps the user's own state there instead of where the system says.
    pub fn use_state_dir(&self, dir: &Path) {
        *held(&self.state_dir) = Some(dir.to_path_buf());
        let _ = self.refresh();
    }

    /// The turn that an entry leads to, if it has a plan and waits for its report.
    fn planned(&self, world: &World, entry: &Entry) -> Result<Option<Turn>> {
        let which = match (entry, held(&self.last).as_ref(), held(&self.asked).as_ref()) {
            (Entry::Resume(name), ..) | (Entry::Named, Some(name), _) => Some(name.clone()),
            (Entry::Named, None, Some(Asked::Resume(args))) => args.session.clone(),
            _ => return Ok(None),
        };
        let (session, id) = session::locate(world.project()?, &world.cwd, which.as_deref())?;
        let Some(id) = id.or_else(|| turn::latest_turn(&session)) else { return Ok(None) };
        let turn = Turn::open(&session, id)?;
        Ok((turn.state() == TurnState::Planned).then_some(turn))
    }

    fn refresh(&self) -> Result<Arc<World>> {
        let mut world = World::open(self.directory.as_deref())?;
        if let Some(dir) = held(&self.state_dir).as_ref() {
            world.state_dir = Some(dir.clone());
        }
        let world = Arc::new(world);
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
            handed: run.handed,
            places: run.places.clone(),
        });
        let prepared = &mut open.prepared;
        let record = &prepared.record;
        let session = prepared.session.as_ref();
        let before = session.zip(prepared.before());
        open.delivered = before.and_then(|(session, before)| Delivered::before(session, &before, run.bench.corpus()));
        let changed = since::changed(open.delivered.as_ref(), run.bench.corpus());
        let own = prepared.turn.as_ref().and_then(|turn| Delivered::of(turn, run.bench.corpus()));
        let stale = own.map(|own| own.sources_changed(run.bench.corpus())).unwrap_or_default();
        let since = open.delivered.as_ref().map_or_else(|| "the head commit".to_owned(), Delivered::name);
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
            stale,
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
            handed: last.handed,
            // It is on disk since the turn was opened.
            evidence: Vec::new(),
            places: Vec::new(),
        })
    }

    /// What is in `turn.context` now is ours.
    fn know_list(&mut self) {
        if let Some(turn) = &self.prepared.turn {
            self.prepared.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        }
    }
}

impl Desk for CliDesk {
    fn root(&self) -> PathBuf {
        self.world().root.clone()
    }

    fn theme(&self) -> Option<String> {
        self.world().config.theme.clone()
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

    fn open(&self, entry: &Entry, audience: &dyn Audience) -> Result<Opening> {
        let _one_at_a_time = held(&self.opening);
        still_wanted(audience)?;
        let world = self.world();
        // The turn that was open before must be free again before another is taken.
        self.close(None);
        let named = match entry {
            Entry::Named => held(&self.named).take(),
            _ => None,
        };
        if named.is_none()
            && let Some(turn) = self.planned(&world, entry)?
        {
            return planned(&world, &turn).map(Opening::Planned);
        }
        let mut prepared = match (named, entry) {
            (Some(prepared), _) => prepared,
            (None, Entry::Named) => self.asked_again(&world)?,
            (None, Entry::Plan(task)) => prepare::plain_task(&world, task)?,
            (None, Entry::Resume(name)) => prepare::named(&world, name)?,
        };
        let inputs = prepared.take_inputs()?;
        let run = Run::start_with(&world, inputs, &prepared.flags, audience, &|| audience.scoring())?;
        // The last moment to turn back: from here on something is on disk.
        still_wanted(audience)?;
        prepared.settle(&world, &run)?;
        *held(&self.last) = prepared.session.as_ref().map(|session| session.name().to_owned());
        *held(&self.open) = Some(OpenTurn { prepared, last: None, delivered: None });
        self.opened(&world, run, true).map(|opened| Opening::Turn(Box::new(opened)))
    }

    fn report(&self, turn: &Planned, report: &Report) -> Result<String> {
        let world = self.world();
        let session = self.session(&turn.session)?;
        let turn = Turn::open(&session, turn::existing(&session, &turn.turn)?)?;
        let text = match report {
            Report::Text(text) => text.clone(),
            Report::File(path) => {
                let path = world.root.join(path.trim());
                fs::read_to_string(&path).map_err(|source| Error::io("read", &path, source))?
            }
        };
        let kept = answer::keep(&world, &turn, Document::Report, &text, false)?;
        Ok(format!("report of turn {} kept in {}", turn.id(), world.shown(&kept.path)))
    }

    fn rescan(&self, audience: &dyn Audience) -> Result<Opened> {
        let world = self.refresh()?;
        let before = held(&self.open).as_ref().map(|open| (open.prepared.record.clone(), open.prepared.list.clone()));
        let (inputs, flags) = self.again(&world)?;
        let run = Run::start_with(&world, inputs, &flags, audience, &|| audience.scoring());
        // Edits of lists that this scan was to bring in are still to come if nobody wants it any more.
        if let (Err(_), Some((record, list)), Some(open)) = (&run, before, held(&self.open).as_mut()) {
            (open.prepared.record, open.prepared.list) = (record, list);
        }
        let run = run?;
        self.opened(&world, run, false)
    }

    fn reshape(&self, bench: &Workbench, form: &Form) -> Result<Opened> {
        let world = self.world();
        let before = {
            let mut open = held(&self.open);
            let open = open.as_mut().ok_or_else(|| Error::negative("no turn is open", ""))?;
            let before = open.prepared.record.format.clone();
            open.prepared.reshape(form)?;
            before
        };
        let (inputs, flags) = self.again(&world)?;
        let run = Run::on(&world, bench.corpus(), inputs, &flags).inspect_err(|_| {
            // A template that cannot be read: the turn keeps the format that the screen still shows.
            if let Some(open) = held(&self.open).as_mut() {
                open.prepared.record.format = before;
                let turn = open.prepared.turn.clone();
                let _ = turn.map(|turn| turn.save(&mut open.prepared.record));
            }
        })?;
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
        let path = turn.delivered_file();
        Ok(Written { path, text })
    }

    fn copy(&self, text: &str) -> Result<Delivery> {
        let env = held(&self.clipboard).clone();
        deliver::to_clipboard(text, &env)
    }

    fn diff(&self, bench: &Workbench, item: usize) -> Difference {
        let corpus = bench.corpus();
        let Source::File(file) = corpus.items[item].source else { return Difference::default() };
        let open = held(&self.open);
        since::difference(open.as_ref().and_then(|open| open.delivered.as_ref()), corpus, file as usize)
    }

    fn redactions(&self, bench: &Workbench) -> Result<Vec<Redaction>> {
        redactions::found(&self.world(), bench.corpus())
    }

    fn allow(&self, one: &Redaction) -> Result<String> {
        let world = self.world();
        if one.allowed {
            return redactions::forget(&world, &one.path, one.line, Some(&one.rule));
        }
        redactions::allow(&world, &one.path, one.line, Some(&one.rule))
    }

    fn paper(&self, paper: Paper, bench: &Workbench) -> Result<String> {
        let world = self.world();
        let open = held(&self.open);
        let open = open.as_ref().ok_or_else(|| Error::negative("no turn is open", ""))?;
        match paper {
            Paper::Turn => {
                let before = open.prepared.before();
                let places = open.last.as_ref().map_or(&[][..], |last| &last.places);
                let delivered = open.delivered.as_ref();
                papers::turn(&world, &open.prepared.record, before.as_ref(), delivered, places, bench.corpus())
            }
            Paper::Advice => papers::advice(&world),
            Paper::Replay => {
                let turn = open.prepared.turn.as_ref();
                let delivered = turn.filter(|turn| turn.delivered_file().is_file());
                let none = || Error::negative("this turn has no payload yet", "w writes it");
                papers::replayed(&world, delivered.ok_or_else(none)?)
            }
        }
    }

    fn deed(&self, deed: Deed, bench: &Workbench) -> Result<String> {
        let world = self.world();
        if let Deed::Fetch(item) = deed {
            let tokenizer = bench.settings().1.tokenizer;
            let (text, tokens) = fetched(bench.corpus(), &[(item, crate::place::Form::Whole)], tokenizer)
                .map_err(|why| Error::negative(why, "choose another item"))?;
            let delivery = self.copy(&text)?;
            let path = printable(&bench.corpus().items[item].path).into_owned();
            return Ok(format!("{path}, {} tokens: {delivery}", crate::text::thousands(tokens)));
        }
        let turn = held(&self.open).as_ref().and_then(|open| open.prepared.turn.clone());
        let delivered = turn.filter(|turn| turn.delivered_file().is_file());
        let none = || Error::negative("this turn has no payload yet", "w writes it, y copies it");
        let turn = delivered.ok_or_else(none)?;
        let (text, _) = deliver::from_clipboard(&held(&self.clipboard).clone())?;
        if deed == Deed::Acknowledge {
            return ack::check(&world, &turn, &text);
        }
        let kept = answer::keep_held(&world, &turn, Document::Plan, &text, false)?;
        Ok(format!("kept as the plan in {}", world.shown(&kept.path)))
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
        rearrange::rename(&self.session(session)?, name).map(|session| session.name().to_owned())
    }

    fn branch(&self, session: &str) -> Result<String> {
        branch::of_last(&self.session(session)?, None)
    }

    fn delete(&self, session: &str) -> Result<()> {
        rearrange::delete(&self.session(session)?)
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

/// What the screen shows of a turn that has a plan.
fn planned(world: &World, turn: &Turn) -> Result<Planned> {
    let plan = world.project()?.read(&turn.plan_file())?.unwrap_or_default();
    let (plan, _) = world.redaction()?.redact(&plan, "plan.md");
    Ok(Planned { session: turn.session().name().to_owned(), turn: turn.id().to_string(), plan: plan.into_owned() })
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
        preview = read(turn.delivered_file()).as_deref().and_then(summary);
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
    let heading = |line: &str| line == "## SUMMARY" || line == "<summary>";
    let at = payload.lines().position(heading)?;
    let lines =
        payload.lines().skip(at + 1).take_while(|line| !line.starts_with("## ") && *line != "</summary>").take(30);
    Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
