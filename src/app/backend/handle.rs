//! Handles the screen's requests with the same functions as the commands.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::project::{ProjectBackend, ScreenTurn};
use super::request::{Changed, Reply, Request};
use super::{Backend, ClipboardAction, Outcome, ProjectFacts};
use crate::app::run_inputs::ScanObserver;
use crate::deliver::Terminal;
use crate::error::Result;
use crate::project::git_exclude;

impl Backend for ProjectBackend {
    fn facts(&self) -> ProjectFacts {
        let env = self.env();
        let to_be_made: &[&str] = match env.existing_project() {
            Some(_) => &[],
            None => &[".teddy/", ".teddy/sessions/", ".teddy/.gitignore", ".teddy/global.context", ".teddy/memos.yaml"],
        };
        ProjectFacts {
            root: env.root.clone(),
            to_be_made: to_be_made.iter().map(ToString::to_string).collect(),
            can_keep_out_of_git: git_exclude::is_possible(&env.root),
            memos_file: self.memos_file(),
        }
    }

    fn handle(&self, request: Request, observer: &dyn ScanObserver) -> Reply {
        self.try_handle(request, observer).unwrap_or_else(Reply::Failed)
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
}

/// A reply with a message and the list to refresh.
fn done(message: impl Into<Outcome>, changed: Changed) -> Reply {
    Reply::Done(message.into(), changed)
}

impl ProjectBackend {
    fn try_handle(&self, request: Request, observer: &dyn ScanObserver) -> Result<Reply> {
        Ok(match request {
            Request::Init { keep_out_of_git } => Reply::Created(self.init(keep_out_of_git)?),
            Request::Open(target) => Reply::Opened(self.open_turn(&target, observer).map(Box::new)),
            Request::Rescan => Reply::Rescanned(self.rescan(observer).map(Box::new)),
            Request::Reshape(bench, form) => Reply::Reshaped(self.reshape(&bench, &form).map(Box::new)),
            Request::Save(bench, left) => self.save(&bench, &left).map(|()| Reply::Nothing)?,
            Request::Close(last) => {
                self.close(last.as_ref());
                Reply::Nothing
            }
            Request::UndoAnswer => Reply::AnswerUndone(self.undo_answer()?),
            Request::Render(turn) => Reply::Payload(self.payload(&turn)),
            Request::Write(turn) => done(self.write(&turn)?, Changed::Nothing),
            Request::Copy(turn) => done(self.copy(&turn)?, Changed::Nothing),
            Request::CopyItems(turn, items) => done(self.copy_items(&turn, &items)?, Changed::Nothing),
            Request::CopyText { text, what } => {
                let delivery = self.copy_text(&text)?;
                done(Outcome::of(&delivery, |outcome| format!("{what}: {outcome}")), Changed::Nothing)
            }
            Request::Clipboard(ClipboardAction::Answer, bench) => {
                Reply::Answered(self.clipboard_action(ClipboardAction::Answer, &bench)?)
            }
            Request::Clipboard(action, bench) => done(self.clipboard_action(action, &bench)?, Changed::Nothing),
            Request::Diff(bench, item) => Reply::Diff(self.diff(&bench, item)),
            Request::Page(page, bench) => Reply::Page(page, self.page(page, &bench)),
            Request::Redactions(bench) => Reply::Redactions(self.redactions(&bench)?),
            Request::Allow(redaction) => done(self.allow(&redaction)?, Changed::Texts),
            Request::AgentRequests => Reply::AgentRequests(self.agent_requests()?),
            Request::AnswerAgent { id, allow } => done(self.answer_agent(&id, allow)?, Changed::AgentRequests),
            Request::Retitle => done(self.retitle()?, Changed::Texts),
            Request::Handoff => Reply::Handoff(self.handoff()?),
            Request::SaveHandoff(text) => match self.save_handoff(&text) {
                Ok(message) => done(message, Changed::Nothing),
                Err(error) => Reply::Refused { request: Box::new(Request::SaveHandoff(text)), error },
            },
            Request::StorePins(scope, paths) => done(self.store_pins(scope, &paths)?, Changed::Texts),
            Request::Memos => Reply::Memos(self.memos()?),
            Request::AddMemo(text) => match self.add_memo(&text) {
                Ok(message) => done(message, Changed::Memos),
                Err(error) => Reply::Refused { request: Box::new(Request::AddMemo(text)), error },
            },
            Request::RemoveMemo(number) => {
                self.remove_memo(number)?;
                done(format!("Deleted memo {number}"), Changed::Memos)
            }
            Request::Sessions => Reply::Sessions(self.sessions()),
            Request::Rename { session, name } => match self.rename(&session, &name) {
                Ok(name) => done(format!("Renamed to {name}"), Changed::Sessions),
                Err(error) => Reply::Refused { request: Box::new(Request::Rename { session, name }), error },
            },
            Request::Branch(session) => done(format!("Branched as {}", self.branch(&session)?), Changed::Sessions),
            Request::Delete(session) => {
                self.delete(&session)?;
                done(format!("Deleted {session}"), Changed::Sessions)
            }
        })
    }

    fn memos_file(&self) -> Option<PathBuf> {
        self.env().existing_project().map(crate::project::Project::memos_file)
    }
}
