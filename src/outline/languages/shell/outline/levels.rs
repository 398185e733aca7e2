//! What is open in a shell script: groups, subshells, strings, expansions, lists, cases.

/// How the text inside a level is read.
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

/// Where in a `case` one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaseState {
    /// Before `in`.
    Subject,
    /// Where a pattern or `esac` may begin.
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
    /// Whether `'` is only a letter here.
    pub(super) is_quoted: bool,
    /// The function whose body it is, and the first row of all of that.
    pub(super) function: Option<(usize, u32)>,
    pub(super) folds_before: usize,
    /// What goes on after it.
    pub(super) command: CommandState,
    pub(super) sample: ListSample,
}

/// How far a command has come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CommandState {
    /// Whether the next word is a command.
    pub(super) begins: bool,
    /// Whether what touches the last word belongs to the value of a variable.
    pub(super) in_value: bool,
    /// Whether the words are variables: `export`, `declare`.
    pub(super) declares: bool,
    /// The rows of that word, the first with the comments above it.
    pub(super) declared: (u32, u32),
    /// The first variable that it sets, which is no definition if a command follows.
    pub(super) first_set: Option<usize>,
}

/// Where what can go of a list begins.
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
    /// Where those end that would stay.
    sampled: u32,
    end: u32,
    /// Where what can go begins, once that is known.
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

    /// Where what can go begins.
    pub(super) fn gap_start(&self) -> Option<u32> {
        match self.start {
            Start::Unknown => Some(self.sampled),
            Start::At(row) => Some(row),
            Start::Nowhere => None,
        }
    }
}
