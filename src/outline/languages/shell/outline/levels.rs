//! Open levels of a shell script: groups, subshells, strings, expansions, lists, cases.

/// Syntax inside a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelMode {
    /// Commands up to `}`.
    Group,
    /// Commands up to `)`: a subshell or command substitution.
    Subshell,
    /// The commands of a whole file.
    File,
    /// `"…"`
    Quoted,
    /// `${…}`
    Parameter,
    /// `((…))`, with the number of open parentheses.
    Arithmetic(usize),
    /// Words up to `)`.
    Words,
    /// `[[ … ]]`
    Test,
    CaseState(CaseState),
}

/// Position in a `case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaseState {
    /// Before `in`.
    Subject,
    /// Before a pattern or `esac`.
    Fresh,
    /// In a pattern, with the number of open parentheses.
    Pattern(usize),
    Commands,
}

/// An open level.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShellLevel {
    pub(super) mode: LevelMode,
    pub(super) row: u32,
    pub(super) start: usize,
    /// True if `'` has no special meaning here.
    pub(super) is_quoted: bool,
    /// The function whose body it is, and the function's first row.
    pub(super) function: Option<(usize, u32)>,
    pub(super) folds_before: usize,
    /// The command to continue afterwards.
    pub(super) command: CommandState,
    pub(super) sample: ListSample,
}

/// Position in a command.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CommandState {
    /// True if the next word is a command.
    pub(super) begins: bool,
    /// True if text directly after the last word continues the value of a variable.
    pub(super) in_value: bool,
    /// True if the words are variables: `export`, `declare`.
    pub(super) declares: bool,
    /// Rows of the declaring word; the first includes the comments above it.
    pub(super) declared: (u32, u32),
    /// The first variable set in this command; it is not a definition if a command follows.
    pub(super) first_set: Option<usize>,
}

/// Start of the gap in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Start {
    #[default]
    Unknown,
    At(u32),
    /// Nothing can be omitted.
    Nowhere,
}

/// The first rows of a long list, which are kept.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListSample {
    pub(super) is_list: bool,
    /// End of the kept rows.
    sampled: u32,
    end: u32,
    /// Start of the gap, once known.
    start: Start,
}

impl ListSample {
    pub(super) fn of_list(row: u32, rows: u32) -> Self {
        Self { is_list: true, sampled: row + 1, end: row + 1 + rows, start: Start::Unknown }
    }

    /// Records a word of the list.
    pub(super) fn note(&mut self, first: u32, last: u32) {
        if !self.is_list || self.start != Start::Unknown {
        } else if first >= self.sampled && first >= self.end {
            self.start = Start::At(self.sampled);
        } else if last >= self.end {
            // A word that continues beyond the sample is omitted if it begins its row; otherwise
            // the sample ends before that row.
            self.start = if first >= self.sampled { Start::At(first) } else { Start::Nowhere };
        } else {
            self.sampled = self.sampled.max(last + 1);
        }
    }

    /// First row of the gap.
    pub(super) fn gap_start(&self) -> Option<u32> {
        match self.start {
            Start::Unknown => Some(self.sampled),
            Start::At(row) => Some(row),
            Start::Nowhere => None,
        }
    }
}
