//! Everything a person can do, once: keys, help, palette, footer and "why not" all read this table.

/// Something a person can do on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Command {
    Down,
    Up,
    Top,
    Bottom,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    Open,
    Back,
    Help,
    Palette,
    Log,
    Quit,
    Interrupt,
    Suspend,
    Pin,
    Demote,
    Promote,
    Exclude,
    Clear,
    Undo,
    Redo,
    Mark,
    Range,
    Filter,
    NextMatch,
    PreviousMatch,
    OnlyRaw,
    OnlyLinked,
    OnlySummary,
    OnlyOut,
    Sort,
    Tree,
    Fold,
    Unfold,
    NextView,
    PreviousView,
    PaneDown,
    PaneUp,
    Zoom,
    BudgetUp,
    BudgetDown,
    Fill,
    Task,
    Memos,
    Payload,
    Copy,
    CopyMarked,
    CopyPath,
    Write,
    Edit,
    Rescan,
    Sessions,
    Dropped,
    Redactions,
    Turn,
    Advice,
    Replay,
    Fetch,
    Answer,
    Acknowledge,
    Allow,
    Report,
    ReportFile,
    TakeBack,
    NextSection,
    PreviousSection,
    Search,
    Left,
    Right,
    Format,
    New,
    Branch,
    Rename,
    Delete,
    Add,
    NextField,
    PreviousField,
    Editor,
    Revert,
}

/// Where a key means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// On every screen.
    Everywhere,
    /// Wherever there is a list or a text to move in.
    Move,
    /// The items, the gauges and the right pane.
    Workbench,
    /// The payload's text.
    Payload,
    /// The list of sessions.
    Sessions,
    /// What had no room, what was replaced as a secret.
    Review,
    /// A plan that waits for its report.
    Planned,
    /// The memos.
    Memos,
    /// The task's form.
    Task,
}

impl Context {
    pub const ALL: [Self; 9] = [
        Self::Workbench,
        Self::Move,
        Self::Payload,
        Self::Task,
        Self::Memos,
        Self::Review,
        Self::Planned,
        Self::Sessions,
        Self::Everywhere,
    ];

    /// Its name in the keymap file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Move => "move",
            Self::Workbench => "workbench",
            Self::Payload => "payload",
            Self::Sessions => "sessions",
            Self::Memos => "memos",
            Self::Planned => "planned",
            Self::Review => "review",
            Self::Task => "task",
        }
    }

    /// Its title in help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Move => "Moving",
            Self::Workbench => "Workbench",
            Self::Payload => "Payload",
            Self::Sessions => "Sessions",
            Self::Memos => "Memos",
            Self::Planned => "A plan that waits for its report",
            Self::Review => "Secrets and what was dropped",
            Self::Task => "Task",
        }
    }
}

/// One line of the table: the command, its name in the keymap, its word in the footer, and what it does.
pub struct Entry {
    pub command: Command,
    pub name: &'static str,
    pub label: &'static str,
    pub help: &'static str,
}

const fn entry(command: Command, name: &'static str, label: &'static str, help: &'static str) -> Entry {
    Entry { command, name, label, help }
}

/// Every command, in the order in which help shows them.
pub const COMMANDS: [Entry; 81] = [
    entry(Command::Pin, "pin", "pin", "always inline it (RAW), whole"),
    entry(Command::Demote, "demote", "demote", "one tier lower: RAW, LINKED, SUMMARY, left out"),
    entry(Command::Promote, "promote", "promote", "one tier higher"),
    entry(Command::Exclude, "exclude", "exclude", "nowhere in the payload"),
    entry(Command::Clear, "clear", "clear", "take the ruling away"),
    entry(Command::Undo, "undo", "undo", "take the last ruling or budget change back"),
    entry(Command::Redo, "redo", "redo", "do again what was undone"),
    entry(Command::Mark, "mark", "mark", "mark the item; rulings apply to the marks"),
    entry(Command::Range, "range", "range", "mark a range from here"),
    entry(Command::Filter, "filter", "filter", "narrow the list by what is typed"),
    entry(Command::NextMatch, "next-match", "next", "the next match, also after Esc took the filter away"),
    entry(Command::PreviousMatch, "previous-match", "previous", "the match before"),
    entry(Command::OnlyRaw, "only-raw", "RAW", "show only RAW; again shows all"),
    entry(Command::OnlyLinked, "only-linked", "LINKED", "show only LINKED; again shows all"),
    entry(Command::OnlySummary, "only-summary", "SUMMARY", "show only SUMMARY; again shows all"),
    entry(Command::OnlyOut, "only-out", "left out", "show only what is left out; again shows all"),
    entry(Command::Sort, "sort", "sort", "sort by score, tokens, path, recency, tier"),
    entry(Command::Tree, "tree", "tree", "directories with their sums, or the flat list"),
    entry(Command::Fold, "fold", "fold", "fold the directory, or go to the one above"),
    entry(Command::Unfold, "unfold", "unfold", "unfold the directory"),
    entry(
        Command::NextView,
        "next-view",
        "view",
        "the right pane's next view: why, content, skeleton, diff, neighbours",
    ),
    entry(Command::PreviousView, "previous-view", "view", "the right pane's previous view"),
    entry(Command::PaneDown, "pane-down", "scroll", "scroll the right pane down"),
    entry(Command::PaneUp, "pane-up", "scroll", "scroll the right pane up"),
    entry(Command::Zoom, "zoom", "zoom", "the right pane alone, or both"),
    entry(Command::BudgetUp, "budget-up", "budget+", "raise the budget"),
    entry(Command::BudgetDown, "budget-down", "budget-", "lower the budget"),
    entry(Command::Fill, "fill", "fill", "fill the free budget with the next best, or stop doing so"),
    entry(Command::Dropped, "dropped", "dropped", "what had no room, and what it would need"),
    entry(Command::Redactions, "redactions", "secrets", "what was replaced as a secret; say what is none"),
    entry(Command::Turn, "turn", "turn", "the turn: its phase, evidence, what changed since, the plan, the handoff"),
    entry(Command::Advice, "advice", "advice", "which budgets were too tight and which too loose"),
    entry(Command::Replay, "replay", "replay", "whether the payload can be put together again, or what changed"),
    entry(
        Command::Fetch,
        "fetch",
        "fetch",
        "copy the item's content in the payload's form, for a model that asks for it",
    ),
    entry(Command::Answer, "answer", "answer", "keep what is on the clipboard as the plan of this turn"),
    entry(Command::Acknowledge, "acknowledge", "ack", "check the acknowledgement that is on the clipboard"),
    entry(Command::Allow, "allow", "is no secret", "this is no secret in this project; again takes that back"),
    entry(Command::Task, "task", "task", "edit the task, its type, complexity, budget and definition of done"),
    entry(Command::Memos, "memos", "memos", "the memos that every payload carries"),
    entry(Command::Payload, "payload", "payload", "the exact text that goes out"),
    entry(Command::Copy, "copy", "copy", "copy the payload"),
    entry(Command::CopyMarked, "copy-marked", "copy marked", "copy a payload of the marked items alone"),
    entry(Command::CopyPath, "copy-path", "copy path", "copy the item's path"),
    entry(Command::Write, "write", "write", "write the payload into the turn"),
    entry(Command::Edit, "edit", "edit", "open the file in $EDITOR"),
    entry(Command::Rescan, "rescan", "rescan", "read the project again"),
    entry(Command::Sessions, "sessions", "sessions", "the list of sessions"),
    entry(Command::Open, "open", "open", "open what is under the cursor"),
    entry(Command::Down, "down", "down", "down"),
    entry(Command::Up, "up", "up", "up"),
    entry(Command::Top, "top", "top", "to the top"),
    entry(Command::Bottom, "bottom", "bottom", "to the bottom"),
    entry(Command::HalfDown, "half-down", "half page", "half a page down"),
    entry(Command::HalfUp, "half-up", "half page", "half a page up"),
    entry(Command::PageDown, "page-down", "page", "a page down"),
    entry(Command::PageUp, "page-up", "page", "a page up"),
    entry(Command::NextSection, "next-section", "section", "the next section"),
    entry(Command::PreviousSection, "previous-section", "section", "the section before"),
    entry(Command::Search, "search", "search", "find a text; a capital makes case count"),
    entry(Command::Left, "left", "left", "long lines further left"),
    entry(Command::Right, "right", "right", "long lines further right"),
    entry(Command::Format, "format", "format", "the payload's next format"),
    entry(Command::Report, "report", "write report", "write in $EDITOR what came of the plan; the next turn begins"),
    entry(Command::ReportFile, "report-file", "report from file", "take a file as what came of the plan"),
    entry(
        Command::TakeBack,
        "take-back",
        "take it back",
        "no plan after all: back to the items; it stays as plan.undone.md",
    ),
    entry(Command::New, "new", "new", "start a session for a task"),
    entry(Command::Branch, "branch", "branch", "another attempt at the session's last turn, beside it"),
    entry(Command::Rename, "rename", "rename", "give it another name"),
    entry(Command::Delete, "delete", "delete", "delete it, after asking"),
    entry(Command::Add, "add", "add", "add one"),
    entry(Command::NextField, "next-field", "field", "the next field"),
    entry(Command::PreviousField, "previous-field", "field", "the field before"),
    entry(Command::Editor, "editor", "$EDITOR", "write it in $EDITOR"),
    entry(Command::Revert, "revert", "revert", "as it was before"),
    entry(Command::Help, "help", "help", "every key of this screen"),
    entry(Command::Palette, "palette", "commands", "every command by name"),
    entry(Command::Log, "log", "messages", "what was said so far"),
    entry(Command::Back, "back", "back", "one step back: close, unmark, clear the filter, cancel work"),
    entry(Command::Suspend, "suspend", "suspend", "to the shell; fg comes back"),
    entry(Command::Quit, "quit", "quit", "leave; everything decided is on disk"),
    entry(Command::Interrupt, "interrupt", "leave", "leave at once, also from a text field"),
];

impl Command {
    /// Its line of the table.
    pub fn entry(self) -> &'static Entry {
        // The table is complete; a test says so.
        COMMANDS.iter().find(|entry| entry.command == self).unwrap_or(&COMMANDS[0])
    }

    /// The command of that name.
    pub fn named(name: &str) -> Option<Self> {
        COMMANDS.iter().find(|entry| entry.name == name).map(|entry| entry.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_command_has_its_own_line_and_name() {
        let commands: HashSet<_> = COMMANDS.iter().map(|entry| entry.command).collect();
        let names: HashSet<_> = COMMANDS.iter().map(|entry| entry.name).collect();
        assert_eq!((commands.len(), names.len()), (COMMANDS.len(), COMMANDS.len()));
        for entry in &COMMANDS {
            assert_eq!(Command::named(entry.name), Some(entry.command));
            assert_eq!(entry.command.entry().name, entry.name);
        }
        // `Revert` is the last of the enum, so its number is one less than how many there are.
        assert_eq!(Command::Revert as usize + 1, COMMANDS.len());
    }
}
