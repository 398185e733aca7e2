//! The header: project, branch, session and turn, task, activity.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{put_all, width};
use crate::app::backend::TurnMode;
use crate::text::{counted, fit_middle, thousands};
use crate::tui::command::Command;
use crate::tui::state::bench::{BackgroundWork, Bench};
use crate::tui::state::{ScanStage, Ui};
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: Option<&Bench>, work: Option<BackgroundWork>) {
    let style = |role: Role| ui.theme.style(role);
    let glyphs = ui.theme.glyphs;
    let busy = match work {
        Some(work) => format!(" {} {} ", glyphs.busy, work_text(work)),
        None => bench.and_then(|bench| waiting(ui, bench)).unwrap_or_default(),
    };
    let mut facts = String::new();
    let mut pieces: Vec<(Style, String)> =
        vec![(style(Role::Title), " teddy ".to_owned()), (style(Role::Text), format!(" {}", ui.project))];
    if let Some(bench) = bench {
        if let Some(git) = &bench.model.corpus().git {
            let branch = git.branch.clone().or_else(|| git.head.clone()).unwrap_or_else(|| "no commit".to_owned());
            pieces.push((style(Role::Linked), format!(" {} {branch}", glyphs.branch)));
            if !git.dirty.is_empty() {
                pieces.push((style(Role::Warn), format!(" {}{}", glyphs.dirty, git.dirty.len())));
            }
        } else {
            pieces.push((style(Role::Dim), " no git".to_owned()));
        }
        let about = &bench.about;
        let mode = match about.mode {
            TurnMode::Open => "",
            TurnMode::Answered => " answered, read-only",
            TurnMode::Finished => " finished, read-only",
        };
        let step = format!(" {} ", glyphs.step);
        let turn = format!("{step}turn {}", about.turn);
        // The session's name is shortened first, then the facts at the right are omitted. The turn is always visible.
        let taken: u16 =
            pieces.iter().map(|(_, text)| width(text)).sum::<u16>() + width(&step) + width(&turn) + width(mode);
        let room = area.width.saturating_sub(taken + width(&busy) + 1);
        let dot = glyphs.dot;
        facts = format!(
            "  {} {dot} {} {dot} {} ",
            about.classification.type_label(),
            about.classification.complexity_label(),
            about.tokenizer.trim_end_matches("_base")
        );
        let room = match room.checked_sub(width(&facts)) {
            Some(left) if left >= 16 => left,
            _ => {
                facts.clear();
                room
            }
        };
        pieces.push((style(Role::Dim), step));
        pieces.push((style(Role::Text), fit_middle(&about.session, usize::from(room)).into_owned()));
        pieces.push((style(Role::Dim), turn));
        pieces.push((style(Role::Warn), mode.to_owned()));
    }
    let right = width(&busy) + width(&facts);
    put_all(buffer, area.x, area.y, area.width.saturating_sub(right), &pieces);
    let right = [(style(Role::Ghost), busy), (style(Role::Dim), facts)];
    let x = area.right().saturating_sub(right.iter().map(|(_, text)| width(text)).sum());
    put_all(buffer, x, area.y, area.width, &right);
}

/// The requests of agents that wait for permission, with the key that shows them.
fn waiting(ui: &Ui, bench: &Bench) -> Option<String> {
    let count = bench.requests.iter().flatten().filter(|row| row.waits()).count();
    let key = ui.key_in(bench.context(), Command::Requests);
    (count > 0).then(|| format!(" {} waiting: {key} ", counted(count, "agent request")))
}

fn work_text(work: BackgroundWork) -> String {
    match work {
        BackgroundWork::Scanning(None) => "reading".to_owned(),
        BackgroundWork::Scanning(Some(ScanStage::Reading(files))) => format!("reading {}", counted(files, "file")),
        BackgroundWork::Rescanning(Some(ScanStage::Reading(files))) => format!("rescanning {}", thousands(files)),
        BackgroundWork::Rescanning(None) => "rescanning".to_owned(),
        BackgroundWork::Scanning(Some(ScanStage::Scoring(files))) => format!("scoring {}", counted(files, "file")),
        BackgroundWork::Rescanning(Some(ScanStage::Scoring(_))) | BackgroundWork::Rescoring => "scoring".to_owned(),
        BackgroundWork::Copying => "copying".to_owned(),
        BackgroundWork::Writing => "writing".to_owned(),
    }
}
