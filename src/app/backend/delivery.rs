//! Payloads and the clipboard.

use std::path::PathBuf;
use std::sync::Arc;

use super::project::ProjectBackend;
use super::turns::refuse_read_only;
use super::{ClipboardAction, Outcome, PreviewedPayload, SavedPayload, TurnSnapshot};
use crate::app::answer::{self, Document};
use crate::app::open_turn::no_turn;
use crate::app::pipeline::render;
use crate::app::{ack, save_turn};
use crate::deliver::{self, Delivery};
use crate::error::{Error, Result};
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::place::{Form, Tier};
use crate::project::checkpoint;
use crate::render::{Renderer, fetched, split};
use crate::text::{counted, printable};
use crate::workbench::Workbench;

impl ProjectBackend {
    /// Writes the payload; returns a message.
    pub(super) fn write(&self, turn: &TurnSnapshot) -> Result<Outcome> {
        let written = self.write_payload(&turn.bench, &turn.renderer)?;
        let tokens = turn.bench.tokenizer().figure(turn.bench.placement().usage.total);
        Ok(format!("Wrote {} ({tokens} tokens)", self.env().shown(&written.path)).into())
    }

    /// Writes the payload and then copies it, so that a failed copy loses nothing. If writing fails, as on a full disk,
    /// the payload is copied anyway.
    pub(super) fn copy(&self, turn: &TurnSnapshot) -> Result<Outcome> {
        let written = match self.write_payload(&turn.bench, &turn.renderer) {
            Ok(written) => written,
            Err(error) if matches!(error, Error::Io { .. }) || self.env().project().is_err() => {
                let text = render(turn.renderer.as_ref(), turn.bench.placement());
                let copied = self.copy_parts(&text, turn.bench.tokenizer())?;
                return Ok(Outcome {
                    certain: false,
                    ..copied.within(|said| format!("{said}, but not saved: {error}"))
                });
            }
            Err(error) => return Err(error),
        };
        match self.copy_parts(&written.text, turn.bench.tokenizer()) {
            Ok(done) => {
                // Shows only the end of the path, because the whole message must fit the screen's width.
                let parts: Vec<_> = written.path.iter().rev().take(2).collect();
                let name: PathBuf = parts.into_iter().rev().collect();
                Ok(done.within(|said| format!("{said}; also in {}", name.display())))
            }
            Err(error) => Err(error.saved_in(self.env().shown(&written.path))),
        }
    }

    /// Copies a payload of these items in their tiers, and changes nothing in the turn.
    pub(super) fn copy_items(&self, turn: &TurnSnapshot, items: &[ItemId]) -> Result<Outcome> {
        let some = turn.bench.placement().only(items);
        let there = some.placed.iter().filter(|placed| placed.tier != Tier::Out).count();
        if there == 0 {
            return Err(Error::negative("the selected items are not in the payload", "promote them first"));
        }
        let tokens = turn.bench.tokenizer().figure(turn.renderer.usage(&some).total);
        let text = turn.renderer.render(&some);
        let done = self.copy_parts(&text, turn.bench.tokenizer())?;
        Ok(done.within(|said| format!("Payload of {}, {tokens} tokens: {said}", counted(there, "selected item"))))
    }

    /// Writes the payload and its records to the turn.
    fn write_payload(&self, bench: &Workbench, renderer: &Arc<dyn Renderer>) -> Result<SavedPayload> {
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

    /// Copies text to the clipboard.
    pub(super) fn copy_text(&self, text: &str) -> Result<Delivery> {
        let clipboard = self.state().clipboard.clone();
        deliver::to_clipboard(text, &clipboard)
    }

    /// Copies a payload, or its next part if it is split.
    fn copy_parts(&self, text: &str, tokenizer: Tokenizer) -> Result<Outcome> {
        let (limit, copied) = {
            let state = self.state();
            let configured = state.turn.as_ref().and_then(|turn| turn.details.as_ref()?.part_limit);
            (state.split.or(configured), state.copied.clone())
        };
        let Some(parts) = split::parts(text, limit, tokenizer)? else {
            return self.copy_text(text).map(|delivery| Outcome::of(&delivery, ToOwned::to_owned));
        };
        // Copies the next part of the same payload. A new payload starts with its first part, and so does a payload
        // whose last part was copied.
        let at = copied.filter(|(of, _)| of == text).map_or(0, |(_, copied)| copied % parts.len());
        let delivery = self.copy_text(&parts[at].text)?;
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

    /// The payload of a turn as it is on the screen.
    pub(super) fn payload(&self, turn: &TurnSnapshot) -> PreviewedPayload {
        let env = self.env();
        let delivered = self.delivered_turn().and_then(|turn| {
            let text = env.existing_project()?.read_payload(&turn.delivered_file()).ok().flatten()?;
            let tokens = checkpoint::load(&turn).ok().flatten().map_or(0, |found| found.context_summary.tokens_used);
            Some((text, tokens))
        });
        let placement = turn.bench.placement();
        let (text, tokens) = delivered.unwrap_or_else(|| (turn.renderer.render(placement), placement.usage.total));
        let state = self.state();
        let details = state.turn.as_ref().and_then(|turn| turn.details.as_ref());
        let reusable = details.and_then(|details| details.reusable(&text, turn.bench.tokenizer()));
        PreviewedPayload { text, tokens, reusable }
    }

    /// Copies an item, or reads an answer or an acknowledgement from the clipboard.
    pub(super) fn clipboard_action(&self, action: ClipboardAction, bench: &Workbench) -> Result<Outcome> {
        let env = self.env();
        if let ClipboardAction::Fetch(item) = action {
            let tokenizer = bench.tokenizer();
            let style = self.state().turn.as_ref().and_then(|turn| turn.details.as_ref().map(|details| details.style));
            let numbered = style.is_some_and(|style| style.line_numbers);
            let (text, tokens) = fetched(bench.corpus(), &[(item, Form::Whole)], tokenizer, numbered)
                .map_err(|why| Error::negative(why, "choose another item"))?;
            let delivery = self.copy_text(&text)?;
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
        if action == ClipboardAction::Acknowledge {
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
        Ok(Outcome { message: said, note: Some(env.shown(&saved.path)), certain })
    }
}
