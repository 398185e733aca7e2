//! Implements the screen's requests with the functions that the commands use.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::project::{ProjectBackend, ScreenTurn};
use super::{
    Backend, ClipboardAction, FileDiff, InfoPage, ListState, LoadedTurn, OpenTarget, Outcome, Redaction, SavedPayload,
    Scope, SessionRow, TaskSettings, TurnMode, TurnRequest, TurnSnapshot,
};
use crate::app::answer::{self, Document};
use crate::app::open_turn::{self, no_turn};
use crate::app::options::PlanRequest;
use crate::app::pipeline::{Run, ScanObserver, render};
use crate::app::{
    ack, branch, delta, handoff, parts, pins, plan, redact_input, redactions, reports, save_turn, session_rows,
};
use crate::deliver::{self, Delivery, Terminal};
use crate::error::{Error, Result};
use crate::gather::delta::Delta;
use crate::gather::item::Source;
use crate::gather::progress::still_wanted;
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::place::Placement;
use crate::project::lock::Lock;
use crate::project::{checkpoint, git_exclude, memos, session, session_ops};
use crate::redact::message;
use crate::render::{Renderer, fetched};
use crate::text::printable;
use crate::workbench::Workbench;

/// Rejects changes to a turn that has an answer.
fn refuse_read_only(mode: TurnMode) -> Result<()> {
    match mode {
        TurnMode::Open => Ok(()),
        TurnMode::Answered | TurnMode::Finished => {
            Err(Error::negative("this turn is read-only, because it has an answer", "start the next turn"))
        }
    }
}

impl Backend for ProjectBackend {
    fn root(&self) -> PathBuf {
        self.env().root.clone()
    }

    fn to_be_made(&self) -> Vec<String> {
        if self.env().existing_project().is_some() {
            return Vec::new();
        }
        [".teddy/", ".teddy/sessions/", ".teddy/.gitignore", ".teddy/global.context", ".teddy/memos.yaml"]
            .map(ToOwned::to_owned)
            .to_vec()
    }

    fn can_keep_out_of_git(&self) -> bool {
        git_exclude::is_possible(&self.env().root)
    }

    fn init(&self, keep_out_of_git: bool) -> Result<Vec<String>> {
        let (_, made) = self.env().project_or_init()?;
        if keep_out_of_git {
            git_exclude::add(&self.env().root)?;
        }
        let env = self.refresh()?;
        Ok(made.iter().map(|path| env.shown(path)).collect())
    }

    fn open(&self, entry: &OpenTarget, observer: &dyn ScanObserver) -> Result<LoadedTurn> {
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        still_wanted(observer)?;
        let env = self.env();
        // Releases the lock of the turn that was open before.
        self.close(None);
        let prepared = match entry {
            OpenTarget::Named => self.state().prepared.take(),
            _ => None,
        };
        let mut active = match (prepared, entry) {
            (Some(active), _) => active,
            (None, OpenTarget::Named | OpenTarget::Form) => self.reopen(&env)?,
            (None, OpenTarget::Plan(task)) => {
                let settings = TaskSettings { text: task.clone(), ..TaskSettings::default() };
                plan::new_session_for(&env, &TurnRequest { settings, budget: None }, &PlanRequest::default())?
            }
            (None, OpenTarget::New(request)) => plan::new_session_for(&env, request, &self.plan_options())?,
            (None, OpenTarget::Resume(name)) => open_turn::named(&env, name)?,
            (None, OpenTarget::Next(request)) => open_turn::after(&env, request)?,
        };
        let inputs = active.take_inputs()?;
        let run = Run::start_for_screen(&env, inputs, &active.options, observer)?;
        // Files are written from here on, so this is the last opportunity to cancel.
        still_wanted(observer)?;
        let new_session = active.session.is_none();
        active.save_opened(&env, &run)?;
        {
            let mut state = self.state();
            state.last_session = active.session.as_ref().map(|session| session.name().to_owned());
            state.turn = Some(ScreenTurn { active, details: None, delivered: None, untouched: new_session });
        }
        self.opened(run, true)
    }

    fn undo_answer(&self) -> Result<String> {
        let env = self.env();
        let turn = self.state().turn.as_ref().and_then(|turn| turn.active.turn.clone()).ok_or_else(no_turn)?;
        let aside = answer::undo(&env, &turn)?;
        Ok(format!("undid the answer; it is kept as {}", env.shown(&aside)))
    }

    fn rescan(&self, observer: &dyn ScanObserver) -> Result<LoadedTurn> {
        let env = self.refresh()?;
        let before = self.state().turn.as_ref().map(|turn| (turn.active.record.clone(), turn.active.list.clone()));
        let (inputs, flags) = self.read_again(&env, &[])?;
        let run = Run::start_for_screen(&env, inputs, &flags, observer);
        // After a cancelled scan, edits of the lists remain to be applied.
        if let (Err(_), Some((record, list)), Some(turn)) = (&run, before, self.state().turn.as_mut()) {
            (turn.active.record, turn.active.list) = (record, list);
        }
        self.opened(run?, false)
    }

    fn reshape(&self, bench: &Workbench, form: &TaskSettings) -> Result<LoadedTurn> {
        let env = self.env();
        let (before, notes) = {
            let mut state = self.state();
            let ScreenTurn { active, untouched, .. } = state.turn.as_mut().ok_or_else(no_turn)?;
            refuse_read_only(active.mode)?;
            *untouched = false;
            (active.record.format, active.change_task(&*env.redaction()?, form)?)
        };
        let (inputs, mut flags) = self.read_again(&env, &form.evidence)?;
        flags.redaction_notes = notes;
        let mut run = Run::rescore(&env, bench.corpus(), inputs, &flags).inspect_err(|_| {
            // With an invalid template, the turn keeps the format that the screen still shows.
            if let Some(ScreenTurn { active, .. }) = self.state().turn.as_mut() {
                active.record.format = before;
                let turn = active.turn.clone();
                let _ = turn.map(|turn| turn.save(&mut active.record));
            }
        })?;
        if let Some(ScreenTurn { active, .. }) = self.state().turn.as_mut()
            && let Some(turn) = active.turn.clone()
        {
            save_turn::store_evidence(&turn, &run.details, &mut active.record)?;
            turn.save(&mut active.record)?;
        }
        // The files are the same, and so are their changes.
        run.details.delta = self.state().turn.as_mut().and_then(|turn| turn.delivered.take()).map(Delta::from);
        self.opened(run, false)
    }

    fn keep(&self, bench: &Workbench, left: &ListState) -> Result<()> {
        let mut state = self.state();
        let Some(ScreenTurn { active, .. }) = state.turn.as_mut() else { return Ok(()) };
        let Some(turn) = active.turn.clone().filter(|_| active.mode == TurnMode::Open) else { return Ok(()) };
        let record = &mut active.record;
        save_turn::record_overrides(bench, record)?;
        record.view.sort.clone_from(&left.sort);
        record.view.cursor.clone_from(&left.cursor);
        record.view.filter = left.filter.as_deref().map(|filter| message(filter).into_owned());
        turn.save(record)
    }

    fn write(&self, bench: &Workbench, renderer: &Arc<dyn Renderer>) -> Result<SavedPayload> {
        let env = self.env();
        if let Some(turn) = self.delivered_turn() {
            let path = turn.delivered_file();
            let text = env.project()?.read_payload(&path)?.unwrap_or_default();
            return Ok(SavedPayload { path, text });
        }
        let text = render(renderer.as_ref(), bench.placement());
        let mut state = self.state();
        let open = state.turn.as_mut().ok_or_else(no_turn)?;
        refuse_read_only(open.active.mode)?;
        let turn = open.active.turn.clone().ok_or_else(no_turn)?;
        let mut record = open.active.record.clone();
        save_turn::save(env.project()?, &turn, open.selection(bench)?, &text, &mut record)?;
        open.active.record = record;
        open.record_list();
        let path = turn.delivered_file();
        Ok(SavedPayload { path, text })
    }

    fn copy(&self, text: &str) -> Result<Delivery> {
        let clipboard = self.state().clipboard.clone();
        deliver::to_clipboard(text, &clipboard)
    }

    fn copy_payload(&self, text: &str, tokenizer: Tokenizer) -> Result<Outcome> {
        let (limit, copied) = {
            let state = self.state();
            let configured = state.turn.as_ref().and_then(|turn| turn.details.as_ref()?.part_limit);
            (state.split.or(configured), state.copied.clone())
        };
        let Some(parts) = parts::of(limit, text, tokenizer)? else {
            return self.copy(text).map(|delivery| Outcome::of(&delivery, ToOwned::to_owned));
        };
        // The next part of the same payload. A new payload, or the last part, is followed by the first part.
        let at = copied.filter(|(of, _)| of == text).map_or(0, |(_, copied)| copied % parts.len());
        let delivery = self.copy(&parts[at].text)?;
        self.state().copied = Some((text.to_owned(), at + 1));
        let next = if at + 1 < parts.len() {
            format!("copy again for part {}", at + 2)
        } else {
            "this was the last part".to_owned()
        };
        let tokens = tokenizer.figure(parts[at].tokens);
        let said = |outcome: &str| format!("part {} of {}, {tokens} tokens: {outcome}; {next}", at + 1, parts.len());
        Ok(Outcome::of(&delivery, said))
    }

    fn payload(&self, renderer: &Arc<dyn Renderer>, placement: &Placement) -> (String, usize) {
        let env = self.env();
        let delivered = self.delivered_turn().and_then(|turn| {
            let text = env.existing_project()?.read_payload(&turn.delivered_file()).ok().flatten()?;
            let tokens = checkpoint::load(&turn).ok().flatten().map_or(0, |found| found.context_summary.tokens_used);
            Some((text, tokens))
        });
        delivered.unwrap_or_else(|| (renderer.render(placement), placement.usage.total))
    }

    fn diff(&self, bench: &Workbench, item: ItemId) -> FileDiff {
        let corpus = bench.corpus();
        let Source::File(file) = corpus.items[item].source else { return FileDiff::default() };
        let state = self.state();
        delta::difference(state.turn.as_ref().and_then(|turn| turn.delivered.as_ref()), corpus, file)
    }

    fn redactions(&self, bench: &Workbench) -> Result<Vec<Redaction>> {
        redactions::found(&self.env(), bench.corpus())
    }

    fn allow(&self, one: &Redaction) -> Result<String> {
        let env = self.env();
        let change = if one.allowed { redactions::forget } else { redactions::allow };
        let message = change(&env, &one.path, one.line, Some(&one.rule))?;
        self.refresh()?;
        Ok(message)
    }

    fn paper(&self, paper: InfoPage, bench: &Workbench) -> Result<String> {
        let env = self.env();
        let state = self.state();
        let open = state.turn.as_ref().ok_or_else(no_turn)?;
        match paper {
            InfoPage::Turn => {
                let before = open.active.before();
                let places = open.details.as_ref().map_or(&[][..], |details| &details.places);
                let delivered = open.delivered.as_ref();
                let own = open.active.turn.as_ref();
                let about = reports::TurnPage { record: &open.active.record, own, before: before.as_ref() };
                reports::turn(&env, &about, delivered, places, bench.corpus())
            }
            InfoPage::Advice => reports::advice(&env),
            InfoPage::Replay => {
                let turn = open.active.turn.as_ref();
                let delivered = turn.filter(|turn| turn.delivered_file().is_file());
                let none = || Error::negative("this turn has no payload yet", "write it first");
                reports::replayed(&env, delivered.ok_or_else(none)?)
            }
        }
    }

    fn deed(&self, deed: ClipboardAction, bench: &Workbench) -> Result<Outcome> {
        let env = self.env();
        if let ClipboardAction::Fetch(item) = deed {
            let tokenizer = bench.tokenizer();
            let (text, tokens) = fetched(bench.corpus(), &[(item, crate::place::Form::Whole)], tokenizer)
                .map_err(|why| Error::negative(why, "choose another item"))?;
            let delivery = self.copy(&text)?;
            let path = printable(&bench.corpus().items[item].path).into_owned();
            let said = |outcome: &str| format!("{path}, {} tokens: {outcome}", tokenizer.figure(tokens));
            return Ok(Outcome::of(&delivery, said));
        }
        let turn = self.state().turn.as_ref().and_then(|turn| turn.active.turn.clone());
        let delivered = turn.filter(|turn| turn.delivered_file().is_file());
        let none = || Error::negative("this turn has no payload yet", "write or copy it first");
        let turn = delivered.ok_or_else(none)?;
        let clipboard = self.state().clipboard.clone();
        let (text, _) = deliver::from_clipboard(&clipboard)?;
        if deed == ClipboardAction::Acknowledge {
            return ack::check(&env, &turn, &text).map(Outcome::from);
        }
        answer::refuse_payload(&env, &turn, Document::Plan, &text)?;
        let saved = answer::save_locked(&env, &turn, Document::Plan, &text, false)?;
        let checked = ack::check_in_answer(&env, &turn, &text);
        if let Some(open) = self.state().turn.as_mut() {
            open.active.set_answered();
        }
        let (certain, said) = match checked {
            Ok(Some(acknowledged)) => (true, format!("Saved the answer; {acknowledged}")),
            Ok(None) => (true, "Saved the answer; it has no acknowledgement".to_owned()),
            Err(error) => (false, format!("Saved the answer, but {error}")),
        };
        Ok(Outcome { said, note: Some(env.shown(&saved.path)), certain })
    }

    fn handoff(&self) -> Result<String> {
        let turn = self.state().turn.as_ref().and_then(|turn| turn.active.turn.clone()).ok_or_else(no_turn)?;
        handoff::draft(&self.env(), &turn)
    }

    fn save_handoff(&self, text: &str) -> Result<String> {
        let env = self.env();
        let (turn, mode) = {
            let state = self.state();
            let active = &state.turn.as_ref().ok_or_else(no_turn)?.active;
            (active.turn.clone().ok_or_else(no_turn)?, active.mode)
        };
        // A turn that is only viewed is not locked yet.
        let _lock = if mode == TurnMode::Open { None } else { Some(Lock::acquire(turn.session().dir())?) };
        let replaced = handoff::write_draft(&env, &turn, text)?;
        let secret = if replaced { "; a secret in it was replaced" } else { "" };
        Ok(format!("Wrote the handoff of turn {}{secret}", turn.id()))
    }

    fn store_pins(&self, scope: Scope, paths: &[String]) -> Result<String> {
        let session = self.state().turn.as_ref().and_then(|turn| turn.active.session.clone());
        pins::toggle(&self.env(), session.as_ref(), scope, paths)
    }

    fn memos(&self) -> Result<Vec<String>> {
        let env = self.env();
        let policy = env.redaction()?;
        let memos = env.existing_project().map(memos::load).transpose()?.unwrap_or_default();
        Ok(memos.iter().map(|memo| policy.redact(memo, "memos.yaml").0.into_owned()).collect())
    }

    fn add_memo(&self, text: &str) -> Result<String> {
        let env = self.env();
        let (text, notes) = redact_input::without_secrets(&*env.redaction()?, "the memo", text);
        memos::add(env.project()?, &text)?;
        self.record_memos();
        let mut message = vec!["memo added to the payload".to_owned()];
        message.extend(notes);
        Ok(message.join("; "))
    }

    fn remove_memo(&self, number: usize) -> Result<()> {
        memos::remove(self.env().project()?, &number.to_string())?;
        self.record_memos();
        Ok(())
    }

    fn memos_file(&self) -> Option<PathBuf> {
        self.env().existing_project().map(crate::project::Project::memos_file)
    }

    fn sessions(&self) -> Result<Vec<SessionRow>> {
        let env = self.env();
        let Some(project) = env.existing_project() else { return Ok(Vec::new()) };
        Ok(session::list(project).iter().map(|session| session_rows::row(&env, session)).collect())
    }

    fn rename(&self, session: &str, name: &str) -> Result<String> {
        let renamed = session_ops::rename(&self.session(session)?, name)?;
        if let Some(last) = self.state().last_session.as_mut().filter(|last| *last == session) {
            renamed.name().clone_into(last);
        }
        Ok(renamed.name().to_owned())
    }

    fn branch(&self, session: &str) -> Result<String> {
        branch::of_last(&self.session(session)?, None)
    }

    fn delete(&self, session: &str) -> Result<()> {
        session_ops::delete(&self.session(session)?)?;
        self.state().last_session.take_if(|last| last == session);
        Ok(())
    }

    fn close(&self, last: Option<&TurnSnapshot>) {
        let Some(open) = self.state().turn.take().filter(|open| open.active.mode == TurnMode::Open) else { return };
        if open.is_trial() {
            return self.forget_session(open);
        }
        let (Some(last), Some(turn)) = (last, open.active.turn.clone()) else { return };
        let untouched = fs::read_to_string(turn.context_file()).is_ok_and(|text| text == open.active.list);
        let env = self.env();
        if let (true, Ok(selection), Some(project)) = (untouched, open.selection(&last.bench), env.existing_project()) {
            // The overrides are already on disk; `turn.context` is a list for people.
            let _ = save_turn::save_lists(project, &turn, selection, &mut open.active.record.clone());
        }
    }

    fn is_own_write(&self, path: &Path) -> bool {
        let same = |kept: &str| fs::read_to_string(path).is_ok_and(|text| text == kept);
        if self.memos_file().is_some_and(|memos| memos == path) {
            return self.state().written_memos.as_deref().is_some_and(same);
        }
        let state = self.state();
        let Some(ScreenTurn { active, .. }) = state.turn.as_ref() else { return false };
        let ours = active.turn.as_ref().is_some_and(|turn| turn.context_file() == path);
        ours && same(&active.list)
    }

    fn share_terminal(&self, out: Arc<Mutex<dyn Write + Send>>) {
        self.state().clipboard.terminal = Terminal::Shared(out);
    }

    fn shown(&self, path: &Path) -> String {
        self.env().shown(path)
    }
}
