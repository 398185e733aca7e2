//! Open levels of a shell script: groups, subshells, strings, expansions, lists, cases.

/// The way in which the text inside a level is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelMode {
    /// Commands up to `}`.
    Group,
    /// Commands up to `)`: a subshell, or what is put in place of it.
    Subshell,
    /// The commands of a whole file.
    File,
    /// `"…"`
    Quoted,
    /// `${…}`
    Parameter,
    /// `((…))`, with the parentheses that are open.
    Arithmetic(usize),
    /// Words up to `)`.
    Words,
    /// `[[ … ]]`
    Test,
    CaseState(CaseState),
}

/// The position in a `case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaseState {
    /// Before `in`.
    Subject,
    /// Before a pattern or `esac`.
    Fresh,
    /// In a pattern, with the parentheses that are open.
    Pattern(usize),
    Commands,
}

/// One level.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShellLevel {
    pub(super) mode: LevelMode,
    pub(super) row: u32,
    pub(super) start: usize,
    /// True if `'` is only a letter here.
    pub(super) is_quoted: bool,
    /// The function whose body it is, and the first row of all of that.
    pub(super) function: Option<(usize, u32)>,
    pub(super) folds_before: usize,
    /// The command to continue after it.
    pub(super) command: CommandState,
    pub(super) sample: ListSample,
}

/// The progress of a command.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CommandState {
    /// True if the next word is a command.
    pub(super) begins: bool,
    /// True if what touches the last word belongs to the value of a variable.
    pub(super) in_value: bool,
    /// True if the words are variables: `export`, `declare`.
    pub(super) declares: bool,
    /// The rows of that word, the first with the comments above it.
    pub(super) declared: (u32, u32),
    /// The first variable that it sets, which is no definition if a command follows.
    pub(super) first_set: Option<usize>,
}

/// The beginning of the gap in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Start {
    #[default]
    Unknown,
    At(u32),
    /// Nothing can go.
    Nowhere,
}

/// The first rows of a long list, which stay.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListSample {
    pub(super) is_list: bool,
    /// The end of the rows that stay.
    sampled: u32,
    end: u32,
    /// The beginning of the gap, once it is known.
    start: Start,
}

impl ListSample {
    pub(super) fn of_list(row: u32, rows: u32) -> Self {
        Self { is_list: true, sampled: row + 1, end: row + 1 + rows, start: Start::Unknown }
    }

    /// Notes a word of the list.
    pub(super) fn note(&mut self, first: u32, last: u32) {
        if !self.is_list || self.start != Start::Unknown {
        } else if first >= self.sampled && first >= self.end {
            self.start = Start::At(self.sampled);
        } else if last >= self.end {
            // A word that runs past the sample goes if it begins on a row of its own; else the sample ends before.
            self.start = if first >= self.sampled { Start::At(first) } else { Start::Nowhere };
        } else {
            self.sampled = self.sampled.max(last + 1);
        }
    }

    /// The first row of the gap.
    pub(super) fn gap_start(&self) -> Option<u32> {
        match self.start {
            Start::Unknown => Some(self.sampled),
            Start::At(row) => Some(row),
            Start::Nowhere => None,
        }
    }
}
