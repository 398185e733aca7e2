//! What the screen asks, answered with the same functions that the commands use.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::project::{OpenTurn, ProjectBackend, held};
use super::{
    About, Backend, Deed, Difference, Done, Entry, Left, Opened, Opening, Paper, Planned, Ready, Redaction, Report,
    SessionRow, TaskSettings, Written,
};
use crate::app::answer::{self, Document};
use crate::app::open_turn::{self, no_turn};
use crate::app::pipeline::{Run, ScanObserver};
use crate::app::{ack, branch, delta, parts, redact_input, redactions, reports, resume, save_turn, session_rows};
use crate::deliver::{self, Delivery, Terminal};
use crate::error::{Error, Result};
use crate::gather::delta::Delta;
use crate::gather::item::Source;
use crate::gather::progress::still_wanted;
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::project::turn::{self, Turn};
use crate::project::{memos, session, session_ops};
use crate::redact::message;
use crate::render::{Renderer, fetched};
use crate::text::printable;
use crate::workbench::Workbench;

impl Backend for ProjectBackend {
    fn root(&self) -> PathBuf {
        self.env().root.clone()
    }

    fn to_be_made(&self) -> Vec<String> {
        if self.env().project.is_some() {
            return Vec::new();
        }
        [".teddy/", ".teddy/sessions/", ".teddy/.gitignore", ".teddy/global.context", ".teddy/memos.yaml"]
            .map(ToOwned::to_owned)
            .to_vec()
    }

    fn init(&self) -> Result<Vec<String>> {
        let (_, made) = self.env().project_or_init()?;
        let env = self.refresh()?;
        Ok(made.iter().map(|path| env.shown(path)).collect())
    }

    fn open(&self, entry: &Entry, observer: &dyn ScanObserver) -> Result<Opening> {
        let _one_at_a_time = held(&self.opening);
        still_wanted(observer)?;
        let env = self.env();
        // The turn that was open before must be free again before another is taken.
        self.close(None);
        let named = match entry {
            Entry::Named => held(&self.named).take(),
            _ => None,
        };
        if named.is_none()
            && let Some(turn) = self.planned(&env, entry)?
        {
            return session_rows::planned(&env, &turn).map(Opening::Planned);
        }
        let mut prepared = match (named, entry) {
            (Some(prepared), _) => prepared,
            (None, Entry::Named) => self.asked_again(&env)?,
            (None, Entry::Plan(task)) => open_turn::plain_task(&env, task)?,
            (None, Entry::Resume(name)) => open_turn::named(&env, name)?,
        };
        let inputs = prepared.take_inputs()?;
        let run = Run::start_with(&env, inputs, &prepared.flags, observer)?;
        // The last moment to turn back: from here on something is on disk.
        still_wanted(observer)?;
        prepared.settle(&env, &run)?;
        *held(&self.last) = prepared.session.as_ref().map(|session| session.name().to_owned());
        *held(&self.open) = Some(OpenTurn { prepared, last: None, delivered: None });
        self.opened(run, true).map(|opened| Opening::Turn(Box::new(opened)))
    }

    fn report(&self, turn: &Planned, report: &Report) -> Result<String> {
        let env = self.env();
        let session = self.session(&turn.session)?;
        let turn = Turn::open(&session, turn::existing(&session, &turn.turn)?)?;
        let text = match report {
            Report::Text(text) => text.clone(),
            Report::File(path) => {
                let path = env.root.join(path.trim());
                fs::read_to_string(&path).map_err(|source| Error::io("read", &path, source))?
            }
        };
        resume::keep_report(&env, &turn, &text)
    }

    fn take_back(&self, turn: &Planned) -> Result<String> {
        let (env, session) = (self.env(), self.session(&turn.session)?);
        let turn = Turn::open(&session, turn::existing(&session, &turn.turn)?)?;
        let aside = answer::take_back(&env, &turn)?;
        Ok(format!("the plan is taken back; it is in {}", env.shown(&aside)))
    }

    fn rescan(&self, observer: &dyn ScanObserver) -> Result<Opened> {
        let env = self.refresh()?;
        let before = held(&self.open).as_ref().map(|open| (open.prepared.record.clone(), open.prepared.list.clone()));
        let (inputs, flags) = self.again(&env)?;
        let run = Run::start_with(&env, inputs, &flags, observer);
        // Edits of lists that this scan was to bring in are still to come if nobody wants it any more.
        if let (Err(_), Some((record, list)), Some(open)) = (&run, before, held(&self.open).as_mut()) {
            (open.prepared.record, open.prepared.list) = (record, list);
        }
        let run = run?;
        self.opened(run, false)
    }

    fn reshape(&self, bench: &Workbench, form: &TaskSettings) -> Result<Opened> {
        let env = self.env();
        let (before, told) = {
            let mut open = held(&self.open);
            let open = open.as_mut().ok_or_else(no_turn)?;
            (open.prepared.record.format.clone(), open.prepared.reshape(&env.redaction()?, form)?)
        };
        let (inputs, mut flags) = self.again(&env)?;
        flags.told.clone_from(&told);
        let mut run = Run::on(&env, bench.corpus(), inputs, &flags).inspect_err(|_| {
            // A template that cannot be read: the turn keeps the format that the screen still shows.
            if let Some(open) = held(&self.open).as_mut() {
                open.prepared.record.format = before;
                let turn = open.prepared.turn.clone();
                let _ = turn.map(|turn| turn.save(&mut open.prepared.record));
            }
        })?;
        // The files are the same, and so is what changed in them.
        run.since = held(&self.open).as_mut().and_then(|open| open.delivered.take()).map(Delta::from);
        self.opened(run, false)
    }

    fn keep(&self, bench: &Workbench, left: &Left) -> Result<()> {
        let mut open = held(&self.open);
        let Some(open) = open.as_mut() else { return Ok(()) };
        let Some(turn) = open.prepared.turn.clone() else { return Ok(()) };
        let record = &mut open.prepared.record;
        save_turn::record_overrides(bench, record)?;
        record.view.sort.clone_from(&left.sort);
        record.view.cursor.clone_from(&left.cursor);
        record.view.filter = left.filter.as_deref().map(|filter| message(filter).into_owned());
        turn.save(record)
    }

    fn write(&self, bench: &Workbench, renderer: &Arc<dyn Renderer>, about: &About) -> Result<Written> {
        let env = self.env();
        let mut open = held(&self.open);
        let open = open.as_mut().ok_or_else(no_turn)?;
        let turn = open.prepared.turn.clone().ok_or_else(no_turn)?;
        let run = open.run(bench, renderer, about)?;
        let text = run.payload();
        save_turn::save(env.project()?, &turn, &run, &mut open.prepared.record)?;
        open.know_list();
        let path = turn.delivered_file();
        Ok(Written { path, text })
    }

    fn copy(&self, text: &str) -> Result<Delivery> {
        let env = held(&self.clipboard).clone();
        deliver::to_clipboard(text, &env)
    }

    fn copy_payload(&self, text: &str, tokenizer: Tokenizer) -> Result<Done> {
        let configured = held(&self.open).as_ref().and_then(|open| open.last.as_ref()?.part);
        let most = held(&self.split).or(configured);
        let Some(parts) = parts::of(most, text, tokenizer)? else {
            return self.copy(text).map(|delivery| Done::of(&delivery, ToOwned::to_owned));
        };
        let mut copied = held(&self.copied);
        // The next part of the same payload; of another one, and after the last, the first.
        let at = copied.as_ref().filter(|(of, _)| of == text).map_or(0, |(_, copied)| copied % parts.len());
        let delivery = self.copy(&parts[at].text)?;
        *copied = Some((text.to_owned(), at + 1));
        let next = if at + 1 < parts.len() {
            format!("copy again for part {}", at + 2)
        } else {
            "that was the last".to_owned()
        };
        let tokens = tokenizer.figure(parts[at].tokens);
        let said = |outcome: &str| format!("part {} of {}, {tokens} tokens: {outcome}; {next}", at + 1, parts.len());
        Ok(Done::of(&delivery, said))
    }

    fn diff(&self, bench: &Workbench, item: ItemId) -> Difference {
        let corpus = bench.corpus();
        let Source::File(file) = corpus.items[item].source else { return Difference::default() };
        let open = held(&self.open);
        delta::difference(open.as_ref().and_then(|open| open.delivered.as_ref()), corpus, file)
    }

    fn redactions(&self, bench: &Workbench) -> Result<Vec<Redaction>> {
        redactions::found(&self.env(), bench.corpus())
    }

    fn allow(&self, one: &Redaction) -> Result<String> {
        let env = self.env();
        if one.allowed {
            return redactions::forget(&env, &one.path, one.line, Some(&one.rule));
        }
        redactions::allow(&env, &one.path, one.line, Some(&one.rule))
    }

    fn paper(&self, paper: Paper, bench: &Workbench) -> Result<String> {
        let env = self.env();
        let open = held(&self.open);
        let open = open.as_ref().ok_or_else(no_turn)?;
        match paper {
            Paper::Turn => {
                let before = open.prepared.before();
                let places = open.last.as_ref().map_or(&[][..], |last| &last.places);
                let delivered = open.delivered.as_ref();
                reports::turn(&env, &open.prepared.record, before.as_ref(), delivered, places, bench.corpus())
            }
            Paper::Advice => reports::advice(&env),
            Paper::Replay => {
                let turn = open.prepared.turn.as_ref();
                let delivered = turn.filter(|turn| turn.delivered_file().is_file());
                let none = || Error::negative("this turn has no payload yet", "write it first");
                reports::replayed(&env, delivered.ok_or_else(none)?)
            }
        }
    }

    fn deed(&self, deed: Deed, bench: &Workbench) -> Result<Done> {
        let env = self.env();
        if let Deed::Fetch(item) = deed {
            let tokenizer = bench.tokenizer();
            let (text, tokens) = fetched(bench.corpus(), &[(item, crate::place::Form::Whole)], tokenizer)
                .map_err(|why| Error::negative(why, "choose another item"))?;
            let delivery = self.copy(&text)?;
            let path = printable(&bench.corpus().items[item].path).into_owned();
            let said = |outcome: &str| format!("{path}, {} tokens: {outcome}", tokenizer.figure(tokens));
            return Ok(Done::of(&delivery, said));
        }
        let turn = held(&self.open).as_ref().and_then(|open| open.prepared.turn.clone());
        let delivered = turn.filter(|turn| turn.delivered_file().is_file());
        let none = || Error::negative("this turn has no payload yet", "write or copy it first");
        let turn = delivered.ok_or_else(none)?;
        let (text, _) = deliver::from_clipboard(&held(&self.clipboard).clone())?;
        if deed == Deed::Acknowledge {
            return ack::check(&env, &turn, &text).map(Done::from);
        }
        answer::refuse_payload(&env, &turn, Document::Plan, &text)?;
        let kept = answer::keep_held(&env, &turn, Document::Plan, &text, false)?;
        Ok(format!("kept as the plan in {}", env.shown(&kept.path)).into())
    }

    fn memos(&self) -> Result<Vec<String>> {
        let env = self.env();
        let policy = env.redaction()?;
        let memos = env.project.as_ref().map(memos::load).transpose()?.unwrap_or_default();
        Ok(memos.iter().map(|memo| policy.redact(memo, "memos.yaml").0.into_owned()).collect())
    }

    fn add_memo(&self, text: &str) -> Result<String> {
        let env = self.env();
        let (text, told) = redact_input::without_secrets(&env.redaction()?, "the memo", text);
        memos::add(env.project()?, &text)?;
        self.know_memos();
        let mut said = vec!["memo added: it is in the payload now".to_owned()];
        said.extend(told);
        Ok(said.join("; "))
    }

    fn remove_memo(&self, number: usize) -> Result<()> {
        memos::remove(self.env().project()?, &number.to_string())?;
        self.know_memos();
        Ok(())
    }

    fn memos_file(&self) -> Option<PathBuf> {
        self.env().project.as_ref().map(crate::project::Project::memos_file)
    }

    fn sessions(&self) -> Result<Vec<SessionRow>> {
        let env = self.env();
        let Some(project) = &env.project else { return Ok(Vec::new()) };
        Ok(session::list(project).iter().map(|session| session_rows::row(&env, session)).collect())
    }

    fn rename(&self, session: &str, name: &str) -> Result<String> {
        let renamed = session_ops::rename(&self.session(session)?, name)?;
        // What is said on leaving names the session that was open.
        if let Some(last) = held(&self.last).as_mut().filter(|last| *last == session) {
            renamed.name().clone_into(last);
        }
        Ok(renamed.name().to_owned())
    }

    fn branch(&self, session: &str) -> Result<String> {
        branch::of_last(&self.session(session)?, None)
    }

    fn delete(&self, session: &str) -> Result<()> {
        session_ops::delete(&self.session(session)?)?;
        held(&self.last).take_if(|last| last == session);
        Ok(())
    }

    fn close(&self, last: Option<&Ready>) {
        let Some(mut open) = held(&self.open).take() else { return };
        // The turn's list follows what was decided; without it `turn.context` would say what was true at the start.
        let (Some(last), Some(turn)) = (last, open.prepared.turn.clone()) else { return };
        let untouched = fs::read_to_string(turn.context_file()).is_ok_and(|text| text == open.prepared.list);
        let env = self.env();
        if let (true, Ok(run), Some(project)) =
            (untouched, open.run(&last.bench, &last.renderer, &last.about), &env.project)
        {
            // It is only a list for people; the overrides are on disk already.
            let _ = save_turn::save_lists(project, &turn, &run, &mut open.prepared.record);
        }
    }

    fn is_own_write(&self, path: &Path) -> bool {
        let same = |kept: &str| fs::read_to_string(path).is_ok_and(|text| text == kept);
        if self.memos_file().is_some_and(|memos| memos == path) {
            return held(&self.memos).as_deref().is_some_and(same);
        }
        let open = held(&self.open);
        let Some(open) = open.as_ref() else { return false };
        let ours = open.prepared.turn.as_ref().is_some_and(|turn| turn.context_file() == path);
        ours && same(&open.prepared.list)
    }

    fn share_terminal(&self, out: Arc<Mutex<dyn Write + Send>>) {
        held(&self.clipboard).terminal = Terminal::Shared(out);
    }

    fn shown(&self, path: &Path) -> String {
        self.env().shown(path)
    }
}
