//! The list of sessions.

use std::collections::HashSet;

use super::line_edit::LineEdit;
use crate::app::backend::{SessionRow, TurnRow};

/// A line of the list: a session, or a turn of the unfolded session above.
#[derive(Debug, Clone, Copy)]
pub struct SessionLine<'a> {
    pub session: &'a SessionRow,
    pub turn: Option<&'a TurnRow>,
}

/// The list of sessions and the cursor.
#[derive(Debug, Default)]
pub struct Sessions {
    pub rows: Vec<SessionRow>,
    /// True once the sessions are loaded.
    pub loaded: bool,
    pub cursor: usize,
    pub offset: usize,
    pub filter: LineEdit,
    /// Sessions whose turns are shown.
    pub unfolded: HashSet<String>,
}

impl Sessions {
    /// The lines that match the filter.
    pub fn visible(&self) -> Vec<SessionLine<'_>> {
        let words: Vec<String> = self.filter.text().split_whitespace().map(str::to_lowercase).collect();
        let fits = |row: &&SessionRow| {
            let text = format!("{} {} {}", row.name, row.goal, row.state).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let lines = self.rows.iter().filter(fits).flat_map(|session| {
            let turns = if self.unfolded.contains(&session.name) { session.turns.as_slice() } else { &[] };
            let turns = turns.iter().map(move |turn| SessionLine { session, turn: Some(turn) });
            std::iter::once(SessionLine { session, turn: None }).chain(turns)
        });
        lines.collect()
    }

    /// The session under the cursor.
    pub fn current(&self) -> Option<&SessionRow> {
        self.visible().get(self.cursor).map(|line| line.session)
    }

    /// The turn under the cursor.
    pub fn current_turn(&self) -> Option<&TurnRow> {
        self.visible().get(self.cursor).and_then(|line| line.turn)
    }

    /// Shows or hides the turns of the session under the cursor; the cursor stays on the session.
    pub fn fold(&mut self, fold: bool) {
        let Some(name) = self.current().map(|row| row.name.clone()) else { return };
        let at = self.visible().iter().position(|line| line.session.name == name).unwrap_or_default();
        if fold {
            self.unfolded.remove(&name);
            self.cursor = at;
        } else {
            self.unfolded.insert(name);
        }
    }

    pub fn set(&mut self, rows: Vec<SessionRow>) {
        let name = self.current().map(|row| row.name.clone());
        self.rows = rows;
        self.loaded = true;
        let at = name.and_then(|name| self.visible().iter().position(|line| line.session.name == name));
        self.cursor = at.unwrap_or(self.cursor).min(self.visible().len().saturating_sub(1));
    }
}
