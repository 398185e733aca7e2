//! The list of sessions.

use super::line_edit::LineEdit;
use crate::app::backend::SessionRow;

/// The list of sessions and where the cursor is.
#[derive(Debug, Default)]
pub struct Sessions {
    pub rows: Vec<SessionRow>,
    /// Whether they were read at all.
    pub loaded: bool,
    pub cursor: usize,
    pub offset: usize,
    pub filter: LineEdit,
}

impl Sessions {
    /// The rows that the filter leaves.
    pub fn visible(&self) -> Vec<&SessionRow> {
        let words: Vec<String> = self.filter.text().split_whitespace().map(str::to_lowercase).collect();
        let fits = |row: &&SessionRow| {
            let text = format!("{} {} {}", row.name, row.goal, row.state).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.rows.iter().filter(fits).collect()
    }

    pub fn current(&self) -> Option<&SessionRow> {
        self.visible().get(self.cursor).copied()
    }

    pub fn set(&mut self, rows: Vec<SessionRow>) {
        let name = self.current().map(|row| row.name.clone());
        self.rows = rows;
        self.loaded = true;
        let at = name.and_then(|name| self.visible().iter().position(|row| row.name == name));
        self.cursor = at.unwrap_or(self.cursor).min(self.visible().len().saturating_sub(1));
    }
}
