//! Pages, redactions, the handoff, memos and sessions.

use super::project::ProjectBackend;
use super::{FileDiff, InfoPage, Redaction, Scope, SessionRow, TurnMode};
use crate::app::open_turn::no_turn;
use crate::app::{branch, delta, handoff, pins, redact_input, redactions, reports, sessions};
use crate::error::{Error, Result};
use crate::gather::item::Source;
use crate::ids::ItemId;
use crate::project::lock::Lock;
use crate::project::{git_exclude, memos};
use crate::workbench::Workbench;

impl ProjectBackend {
    /// Creates `.teddy/`, and keeps it out of git if requested; returns the paths that were created.
    pub(super) fn init(&self, keep_out_of_git: bool) -> Result<Vec<String>> {
        let (_, made) = self.env().project_or_init()?;
        if keep_out_of_git {
            git_exclude::add(&self.env().root)?;
        }
        let env = self.refresh()?;
        Ok(made.iter().map(|path| env.shown(path)).collect())
    }

    /// Changes of a file since the last turn, or since the head commit.
    pub(super) fn diff(&self, bench: &Workbench, item: ItemId) -> FileDiff {
        let corpus = bench.corpus();
        let Source::File(file) = corpus.items[item].source else { return FileDiff::default() };
        let state = self.state();
        delta::difference(state.turn.as_ref().and_then(|turn| turn.delivered.as_ref()), corpus, file)
    }

    /// Secrets redacted in the content read so far, and the allowed values of this project.
    pub(super) fn redactions(&self, bench: &Workbench) -> Result<Vec<Redaction>> {
        redactions::in_corpus(&self.env(), bench.corpus())
    }

    /// Allows a false positive, or redacts it again; returns a message.
    pub(super) fn allow(&self, one: &Redaction) -> Result<String> {
        let env = self.env();
        let change = if one.allowed { redactions::forget } else { redactions::allow };
        let message = change(&env, &one.path, one.line, Some(&one.rule))?;
        self.refresh()?;
        Ok(message)
    }

    /// A page about the open turn.
    pub(super) fn page(&self, page: InfoPage, bench: &Workbench) -> Result<String> {
        let env = self.env();
        let state = self.state();
        let open = state.turn.as_ref().ok_or_else(no_turn)?;
        match page {
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

    /// The handoff of the open turn, as text for the editor.
    pub(super) fn handoff(&self) -> Result<String> {
        let turn = self.state().turn.as_ref().and_then(|turn| turn.active.turn.clone()).ok_or_else(no_turn)?;
        handoff::draft(&self.env(), &turn)
    }

    /// Writes the edited handoff; returns a message.
    pub(super) fn save_handoff(&self, text: &str) -> Result<String> {
        let env = self.env();
        let (turn, mode) = {
            let state = self.state();
            let active = &state.turn.as_ref().ok_or_else(no_turn)?.active;
            (active.turn.clone().ok_or_else(no_turn)?, active.mode)
        };
        // A turn that is only viewed is not locked.
        let _lock = if mode == TurnMode::Open { None } else { Some(Lock::acquire(turn.session().dir())?) };
        let replaced = handoff::write_draft(&env, &turn, text)?;
        let secret = if replaced { "; a secret in it was redacted" } else { "" };
        Ok(format!("Wrote the handoff of turn {}{secret}", turn.id()))
    }

    /// Stores the pins of these paths, or removes them if all are stored; returns a message.
    pub(super) fn store_pins(&self, scope: Scope, paths: &[String]) -> Result<String> {
        let session = self.state().turn.as_ref().and_then(|turn| turn.active.session.clone());
        pins::toggle(&self.env(), session.as_ref(), scope, paths)
    }

    /// All memos, in file order.
    pub(super) fn memos(&self) -> Result<Vec<String>> {
        let env = self.env();
        let policy = env.redaction()?;
        let memos = env.existing_project().map(memos::load).transpose()?.unwrap_or_default();
        Ok(memos.iter().map(|memo| policy.redact(memo, "memos.yaml").0.into_owned()).collect())
    }

    /// Appends a memo; returns a message.
    pub(super) fn add_memo(&self, text: &str) -> Result<String> {
        let env = self.env();
        let (text, notes) = redact_input::without_secrets(&*env.redaction()?, "the memo", text);
        memos::add(env.project()?, &text)?;
        self.record_memos();
        let mut message = vec!["memo added to the payload".to_owned()];
        message.extend(notes);
        Ok(message.join("; "))
    }

    /// Removes a memo by its 1-based number.
    pub(super) fn remove_memo(&self, number: usize) -> Result<()> {
        memos::remove(self.env().project()?, &number.to_string())?;
        self.record_memos();
        Ok(())
    }

    /// All sessions, most recently used first.
    pub(super) fn sessions(&self) -> Vec<SessionRow> {
        sessions::rows(&self.env())
    }

    /// Renames a session; returns its new name.
    pub(super) fn rename(&self, session: &str, name: &str) -> Result<String> {
        let (_, renamed) = sessions::rename(&self.env(), session, name)?;
        if let Some(last) = self.state().last_session.as_mut().filter(|last| *last == session) {
            renamed.name().clone_into(last);
        }
        Ok(renamed.name().to_owned())
    }

    /// Creates a branch of a session's last turn; returns its name.
    pub(super) fn branch(&self, session: &str) -> Result<String> {
        branch::of_last(&sessions::find(&self.env(), session)?, None)
    }

    /// Deletes a session with everything in it.
    pub(super) fn delete(&self, session: &str) -> Result<()> {
        sessions::delete(&self.env(), session, true)?;
        self.state().last_session.take_if(|last| last == session);
        Ok(())
    }
}
