//! The table of commands, used by keys, help, palette, footer and availability.

/// A command that a key, the palette or a click runs.
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
    Theme,
    Log,
    Quit,
    Interrupt,
    Suspend,
    Pin,
    PinFull,
    Demote,
    Promote,
    Exclude,
    Reset,
    Include,
    Drop,
    Undo,
    Redo,
    Select,
    SelectRange,
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
    FoldAll,
    UnfoldAll,
    NextView,
    PreviousView,
    PaneDown,
    PaneUp,
    Zoom,
    BudgetUp,
    BudgetDown,
    AutoFill,
    Task,
    Memos,
    Preview,
    Map,
    LastChange,
    Copy,
    CopySelected,
    CopyPath,
    Write,
    Edit,
    Rescan,
    Sessions,
    Unfitted,
    Redactions,
    Turn,
    Advice,
    Replay,
    Fetch,
    Answer,
    Acknowledge,
    Allow,
    NextTurn,
    UndoAnswer,
    KeepOut,
    Handoff,
    StoreSession,
    StoreProject,
    NextSection,
    PreviousSection,
    Outline,
    Retitle,
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
    Requests,
    Approve,
    Deny,
    Revert,
}

/// Part of the screen with its own keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Every screen.
    Everywhere,
    /// Lists and text views.
    Move,
    /// The first screen.
    Welcome,
    Workbench,
    /// The right pane with focus.
    Pane,
    /// The payload preview.
    Payload,
    /// The token map.
    Map,
    Sessions,
    /// The lists of items that didn't fit and of redactions.
    Review,
    /// The requests of agents.
    Requests,
    /// A turn that has an answer.
    Answer,
    Memos,
    /// The task form.
    Task,
    Help,
}

impl Context {
    pub const ALL: [Self; 14] = [
        Self::Workbench,
        Self::Pane,
        Self::Move,
        Self::Payload,
        Self::Map,
        Self::Task,
        Self::Memos,
        Self::Review,
        Self::Requests,
        Self::Answer,
        Self::Sessions,
        Self::Welcome,
        Self::Help,
        Self::Everywhere,
    ];

    /// The contexts in which a key is looked up, nearest first.
    pub fn stack(self) -> &'static [Self] {
        match self {
            Self::Everywhere => &[Self::Everywhere],
            Self::Move => &[Self::Move, Self::Everywhere],
            Self::Welcome => &[Self::Welcome, Self::Move, Self::Everywhere],
            Self::Workbench => &[Self::Workbench, Self::Move, Self::Everywhere],
            Self::Pane => &[Self::Pane, Self::Workbench, Self::Move, Self::Everywhere],
            Self::Payload => &[Self::Payload, Self::Move, Self::Everywhere],
            Self::Map => &[Self::Map, Self::Move, Self::Everywhere],
            Self::Sessions => &[Self::Sessions, Self::Move, Self::Everywhere],
            Self::Review => &[Self::Review, Self::Move, Self::Everywhere],
            Self::Requests => &[Self::Requests, Self::Move, Self::Everywhere],
            Self::Answer => &[Self::Answer, Self::Workbench, Self::Move, Self::Everywhere],
            Self::Memos => &[Self::Memos, Self::Move, Self::Everywhere],
            Self::Help => &[Self::Help, Self::Move, Self::Everywhere],
            // Its letters are text input.
            Self::Task => &[Self::Task],
        }
    }

    /// Name in the keymap file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Move => "move",
            Self::Welcome => "welcome",
            Self::Workbench => "workbench",
            Self::Pane => "pane",
            Self::Payload => "payload",
            Self::Map => "map",
            Self::Sessions => "sessions",
            Self::Memos => "memos",
            Self::Answer => "answer",
            Self::Review => "review",
            Self::Requests => "requests",
            Self::Task => "task",
            Self::Help => "help",
        }
    }

    /// The context with this name; `planned` is an older name of `answer`.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "planned" { "answer" } else { name };
        Self::ALL.into_iter().find(|context| context.name() == name)
    }

    /// Title in help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Every screen",
            Self::Move => "Lists and text views",
            Self::Welcome => "First run",
            Self::Workbench => "Workbench",
            Self::Pane => "Right pane with focus",
            Self::Payload => "Payload preview",
            Self::Map => "Token map",
            Self::Sessions => "Sessions",
            Self::Memos => "Memos",
            Self::Answer => "Answered or finished turn",
            Self::Review => "Redactions and items that didn't fit",
            Self::Requests => "Agent requests",
            Self::Task => "Task form",
            Self::Help => "Help",
        }
    }
}

/// The groups of commands in help, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Move,
    Select,
    Override,
    View,
    Payload,
    Session,
}

impl Group {
    pub const ALL: [Self; 6] = [Self::Move, Self::Select, Self::Override, Self::View, Self::Payload, Self::Session];

    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Select => "Select",
            Self::Override => "Override",
            Self::View => "View",
            Self::Payload => "Payload",
            Self::Session => "Session",
        }
    }
}

/// Texts of a command.
pub struct CommandInfo {
    pub command: Command,
    /// Name in the keymap file and in the palette (`:name`).
    pub name: &'static str,
    /// Label in the footer.
    pub label: &'static str,
    /// Text in help and in the palette.
    pub title: &'static str,
    pub group: Group,
}

const fn info(
    command: Command,
    name: &'static str,
    label: &'static str,
    title: &'static str,
    group: Group,
) -> CommandInfo {
    CommandInfo { command, name, label, title, group }
}

/// Every command, in the order in which help shows them.
pub const COMMANDS: [CommandInfo; 97] = [
    info(Command::Pin, "pin", "pin", "Pin as shown (always include)", Group::Override),
    info(Command::PinFull, "pin-full", "pin in full", "Pin in full", Group::Override),
    info(Command::Demote, "demote", "demote", "Demote one tier", Group::Override),
    info(Command::Promote, "promote", "promote", "Promote one tier", Group::Override),
    info(Command::Exclude, "exclude", "exclude", "Exclude", Group::Override),
    info(Command::Reset, "reset", "reset", "Reset override", Group::Override),
    info(Command::Include, "include", "include", "Include or drop the definition or range", Group::Override),
    info(Command::Drop, "drop", "drop", "Drop the definition or range", Group::Override),
    info(Command::Undo, "undo", "undo", "Undo", Group::Override),
    info(Command::Redo, "redo", "redo", "Redo", Group::Override),
    info(Command::BudgetUp, "budget-up", "budget+", "Raise the budget", Group::Override),
    info(Command::BudgetDown, "budget-down", "budget-", "Lower the budget", Group::Override),
    info(Command::AutoFill, "auto-fill", "auto-fill", "Turn auto-fill on or off", Group::Override),
    info(Command::Allow, "allow", "not a secret", "Mark as not a secret, or undo that", Group::Override),
    info(Command::Select, "select", "select", "Select or deselect the item", Group::Select),
    info(Command::SelectRange, "select-range", "range", "Select a range", Group::Select),
    info(Command::Filter, "filter", "filter", "Filter", Group::Select),
    info(Command::NextMatch, "next-match", "next", "Next match", Group::Select),
    info(Command::PreviousMatch, "previous-match", "previous", "Previous match", Group::Select),
    info(Command::OnlyRaw, "only-raw", "RAW", "Show only RAW, or all", Group::Select),
    info(Command::OnlyLinked, "only-linked", "LINKED", "Show only LINKED, or all", Group::Select),
    info(Command::OnlySummary, "only-summary", "SUMMARY", "Show only SUMMARY, or all", Group::Select),
    info(Command::OnlyOut, "only-out", "not included", "Show only items not included, or all", Group::Select),
    info(Command::Search, "search", "search", "Search (a capital letter matches case)", Group::Select),
    info(Command::Sort, "sort", "sort", "Sort by score, tokens, path, recency or tier", Group::View),
    info(Command::Tree, "tree", "tree", "Switch between tree and list", Group::View),
    info(Command::Fold, "fold", "fold", "Fold, or go to the parent directory", Group::View),
    info(Command::Unfold, "unfold", "unfold", "Unfold", Group::View),
    info(Command::FoldAll, "fold-all", "fold all", "Fold all directories", Group::View),
    info(Command::UnfoldAll, "unfold-all", "unfold all", "Unfold all directories", Group::View),
    info(Command::NextView, "next-view", "view", "Next view: why, content, outline, diff, neighbours", Group::View),
    info(Command::PreviousView, "previous-view", "view", "Previous view", Group::View),
    info(Command::PaneDown, "pane-down", "scroll", "Scroll the right pane down", Group::View),
    info(Command::PaneUp, "pane-up", "scroll", "Scroll the right pane up", Group::View),
    info(Command::Zoom, "zoom", "zoom", "Zoom the right pane", Group::View),
    info(Command::Left, "left", "left", "Scroll long lines left", Group::View),
    info(Command::Right, "right", "right", "Scroll long lines right", Group::View),
    info(Command::Map, "map", "map", "Show the token map", Group::View),
    info(Command::LastChange, "last-change", "last change", "Show the last change, before and after", Group::View),
    info(Command::Unfitted, "unfitted", "didn't fit", "Show items that didn't fit", Group::View),
    info(Command::Redactions, "redactions", "redactions", "Review redactions", Group::View),
    info(Command::Turn, "turn", "turn", "Show turn: phase, evidence, changes, answer, handoff", Group::View),
    info(Command::Advice, "stats", "budget stats", "Show budget statistics", Group::View),
    info(Command::Theme, "theme", "theme", "Choose a theme", Group::View),
    info(Command::Log, "log", "messages", "Show message log", Group::View),
    info(Command::Help, "help", "help", "Show help", Group::View),
    info(Command::Palette, "palette", "commands", "Open the command palette", Group::View),
    info(Command::Preview, "preview", "preview", "Preview payload", Group::Payload),
    info(Command::Copy, "copy", "copy", "Copy payload", Group::Payload),
    info(
        Command::CopySelected,
        "copy-selected",
        "copy selected",
        "Copy a payload of the selected items",
        Group::Payload,
    ),
    info(Command::CopyPath, "copy-path", "copy path", "Copy the path", Group::Payload),
    info(Command::Write, "write", "write", "Write payload to the turn's directory", Group::Payload),
    info(Command::Format, "format", "format", "Switch to the next format", Group::Payload),
    info(Command::NextSection, "next-section", "section", "Next section or definition", Group::Payload),
    info(Command::PreviousSection, "previous-section", "section", "Previous section or definition", Group::Payload),
    info(Command::Outline, "outline", "outline", "Show sections and files", Group::Payload),
    info(Command::Replay, "replay", "verify", "Check reproducibility", Group::Payload),
    info(Command::Fetch, "fetch", "fetch", "Copy the item's content for the model", Group::Payload),
    info(Command::Requests, "requests", "agent requests", "Show agent requests", Group::Session),
    info(Command::Approve, "approve", "allow", "Allow the agent's request", Group::Session),
    info(Command::Deny, "deny", "deny", "Deny the agent's request", Group::Session),
    info(Command::Task, "task", "task", "Edit the task", Group::Session),
    info(Command::Retitle, "retitle", "update goal", "Use the task as the session's goal and name", Group::Session),
    info(Command::Memos, "memos", "memos", "Show memos (in every payload)", Group::Session),
    info(Command::Answer, "answer", "answer", "Save clipboard as the model's answer", Group::Session),
    info(Command::Acknowledge, "acknowledge", "ack", "Check the acknowledgement on the clipboard", Group::Session),
    info(Command::NextTurn, "next-turn", "next turn", "Start the next turn", Group::Session),
    info(Command::UndoAnswer, "undo-answer", "undo answer", "Undo the answer (kept as plan.undone.md)", Group::Session),
    info(Command::KeepOut, "keep-out", "keep out of git", "Keep .teddy/ out of git (on or off)", Group::Session),
    info(Command::Handoff, "handoff", "handoff", "Write the handoff for the next phase", Group::Session),
    info(
        Command::StoreSession,
        "store-session",
        "pin for session",
        "Pin in every turn of the session",
        Group::Override,
    ),
    info(Command::StoreProject, "store-project", "pin for project", "Pin in every session", Group::Override),
    info(Command::Edit, "edit", "edit", "Open in $EDITOR", Group::Session),
    info(Command::Rescan, "rescan", "rescan", "Rescan the project", Group::Session),
    info(Command::Sessions, "sessions", "sessions", "Show sessions", Group::Session),
    info(Command::New, "new", "new", "New session", Group::Session),
    info(Command::Branch, "branch", "branch", "Branch the session at its last turn", Group::Session),
    info(Command::Rename, "rename", "rename", "Rename", Group::Session),
    info(Command::Delete, "delete", "delete", "Delete (asks first)", Group::Session),
    info(Command::Add, "add", "add", "Add", Group::Session),
    info(Command::Editor, "editor", "$EDITOR", "Edit the text in $EDITOR", Group::Session),
    info(Command::Revert, "revert", "revert", "Revert the form", Group::Session),
    info(Command::Suspend, "suspend", "suspend", "Suspend (fg resumes)", Group::Session),
    info(Command::Quit, "quit", "quit", "Quit (everything is saved)", Group::Session),
    info(Command::Interrupt, "interrupt", "quit", "Quit immediately", Group::Session),
    info(Command::Open, "open", "open", "Open", Group::Move),
    info(Command::Back, "back", "back", "Back: close, deselect, clear the filter, cancel", Group::Move),
    info(Command::Down, "down", "down", "Down", Group::Move),
    info(Command::Up, "up", "up", "Up", Group::Move),
    info(Command::Top, "top", "top", "First line", Group::Move),
    info(Command::Bottom, "bottom", "bottom", "Last line", Group::Move),
    info(Command::HalfDown, "half-down", "half page", "Half a page down", Group::Move),
    info(Command::HalfUp, "half-up", "half page", "Half a page up", Group::Move),
    info(Command::PageDown, "page-down", "page", "Page down", Group::Move),
    info(Command::PageUp, "page-up", "page", "Page up", Group::Move),
    info(Command::NextField, "next-field", "field", "Next field", Group::Move),
    info(Command::PreviousField, "previous-field", "field", "Previous field", Group::Move),
];

/// Names from earlier versions, which keymap files may still use.
const OLD_NAMES: [(&str, Command); 11] = [
    ("advice", Command::Advice),
    ("clear", Command::Reset),
    ("mark", Command::Select),
    ("range", Command::SelectRange),
    ("fill", Command::AutoFill),
    ("dropped", Command::Unfitted),
    ("payload", Command::Preview),
    ("copy-marked", Command::CopySelected),
    ("take-back", Command::UndoAnswer),
    ("report", Command::NextTurn),
    ("report-file", Command::NextTurn),
];

impl Command {
    /// The command's row in the table.
    pub fn info(self) -> &'static CommandInfo {
        // A test checks that the table is complete.
        COMMANDS.iter().find(|info| info.command == self).unwrap_or(&COMMANDS[0])
    }

    /// The command with this name or older name.
    pub fn named(name: &str) -> Option<Self> {
        let old = || OLD_NAMES.iter().find(|(old, _)| *old == name).map(|(_, command)| *command);
        COMMANDS.iter().find(|info| info.name == name).map(|info| info.command).or_else(old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_command_has_its_own_line_and_name() {
        let commands: HashSet<_> = COMMANDS.iter().map(|info| info.command).collect();
        let names: HashSet<_> = COMMANDS.iter().map(|info| info.name).collect();
        assert_eq!((commands.len(), names.len()), (COMMANDS.len(), COMMANDS.len()));
        for info in &COMMANDS {
            assert_eq!(Command::named(info.name), Some(info.command));
            assert_eq!(info.command.info().name, info.name);
        }
        for (old, command) in OLD_NAMES {
            assert_eq!(Command::named(old), Some(command));
            assert!(!names.contains(old), "{old}");
        }
        // `Revert` is the last variant, so its number is one less than their count.
        assert_eq!(Command::Revert as usize + 1, COMMANDS.len());
    }
}
