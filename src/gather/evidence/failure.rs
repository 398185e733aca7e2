//! A failure and its locations, built line by line.

/// Limits for one log. More failures or locations add no information.
const MOST_FAILURES: usize = 400;
const MOST_LOCATIONS: usize = 120;
/// Longest message shown in a reason.
const MESSAGE_CHARS: usize = 120;
/// Number of unrelated lines after which a trace is considered complete.
const PATIENCE: usize = 12;

/// Kind of failure; decides the wording of its reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// A Rust or Go panic.
    Panic,
    /// An exception's stack trace.
    Trace,
    /// A failed test.
    Test,
    /// A debugger's or sanitizer's stack.
    Crash,
    /// A compiler's or linter's error.
    Compiler,
    /// A compiler or linter warning; reported only if nothing failed.
    Warning,
}

/// Order in which a stack trace is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameOrder {
    /// The failing frame comes first.
    InnermostFirst,
    /// The failing frame comes last, as in Python.
    OutermostFirst,
}

/// A location as it appears in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLocation {
    /// A path or file name from any machine.
    pub path: String,
    /// `None` if only a definition is named.
    pub line: Option<u32>,
    /// 1-based column number.
    pub column: Option<u32>,
    /// The named definition, such as a test.
    pub symbol: Option<String>,
    /// Package directory that selects one of several files with this path.
    pub hint: Option<String>,
}

impl LogLocation {
    /// A line of a file.
    pub fn at(path: &str, line: u32, column: Option<u32>) -> Self {
        Self { path: path.to_owned(), line: Some(line), column, symbol: None, hint: None }
    }

    /// A definition in a file; an empty path matches any file.
    pub fn named(path: &str, symbol: &str) -> Self {
        Self { path: path.to_owned(), line: None, column: None, symbol: Some(symbol.to_owned()), hint: None }
    }
}

/// A failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Kind of failure.
    pub kind: FailureKind,
    /// The message, error code or test name.
    pub what: String,
    /// The locations, starting with the failing frame.
    pub locations: Vec<LogLocation>,
}

struct OpenFailure {
    failure: Failure,
    order: FrameOrder,
    /// Position among the finished failures. A cause is placed before its effect.
    at: usize,
    quiet: usize,
}

/// Collects failures from the lines that the readers recognize.
#[derive(Default)]
pub struct FailureReader {
    done: Vec<Failure>,
    open: Option<OpenFailure>,
    /// Position at which the current chain of causes begins.
    chain: usize,
    /// Level, code and message that a compiler printed before the location.
    pub announced: Option<(FailureKind, String)>,
    /// The next line is the message of the open failure.
    pub message_follows: bool,
    /// Location to use if the open failure has none, such as a test that is found by its name.
    pub fallback: Option<LogLocation>,
    /// File whose messages a linter lists below its name.
    pub listed: Option<String>,
    /// Package of files that Go reports without a directory.
    pub package: Option<String>,
    /// Index of the first failure whose package is not known yet.
    unplaced: usize,
}

impl FailureReader {
    /// Starts a failure.
    pub fn begin(&mut self, kind: FailureKind, what: &str, order: FrameOrder) {
        self.close();
        self.chain = self.done.len();
        self.start(kind, what, order, self.done.len());
    }

    /// Starts the cause of the previous failure. The cause is listed before that failure.
    pub fn cause(&mut self, what: &str, order: FrameOrder) {
        let kind = self.open.as_ref().map_or(FailureKind::Trace, |open| open.failure.kind);
        self.close();
        self.start(kind, what, order, self.chain.min(self.done.len()));
    }

    fn start(&mut self, kind: FailureKind, what: &str, order: FrameOrder, at: usize) {
        (self.message_follows, self.fallback) = (false, None);
        let failure = Failure { kind, what: short(what), locations: Vec::new() };
        self.open = Some(OpenFailure { failure, order, at, quiet: 0 });
    }

    /// Returns true if a failure of one of these kinds is open.
    pub fn is_open(&self, kinds: &[FailureKind]) -> bool {
        self.open.as_ref().is_some_and(|open| kinds.contains(&open.failure.kind))
    }

    /// Returns true if the open failure has locations.
    pub fn has_locations(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.failure.locations.is_empty())
    }

    /// Returns true if the open failure has a message.
    pub fn has_message(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.failure.what.is_empty())
    }

    /// Adds text to the message of the open failure.
    pub fn add_message(&mut self, what: &str) {
        if let Some(open) = &mut self.open {
            open.quiet = 0;
            let what = short(what);
            if open.failure.what.is_empty() {
                open.failure.what = what;
            } else if !what.is_empty() && !open.failure.what.contains(&what) {
                open.failure.what = short(&format!("{}: {what}", open.failure.what));
            }
        }
    }

    /// Adds a location to the open failure. If none is open, starts one of this kind.
    pub fn location(&mut self, mut location: LogLocation, kind: FailureKind, order: FrameOrder) {
        if self.open.is_none() {
            self.begin(kind, "", order);
        }
        if location.hint.is_none() {
            location.hint.clone_from(&self.package);
        }
        if let Some(open) = &mut self.open {
            open.quiet = 0;
            let known =
                open.failure.locations.iter().any(|known| known.path == location.path && known.line == location.line);
            if !known && open.failure.locations.len() < MOST_LOCATIONS {
                open.failure.locations.push(location);
            } else if !known && open.order == FrameOrder::OutermostFirst {
                // The innermost frames come last, so an outer frame is removed.
                open.failure.locations.remove(MOST_LOCATIONS / 2);
                open.failure.locations.push(location);
            }
        }
    }

    /// Adds a complete failure with one location.
    pub fn single(&mut self, kind: FailureKind, what: &str, location: LogLocation) {
        self.begin(kind, what, FrameOrder::InnermostFirst);
        self.location(location, kind, FrameOrder::InnermostFirst);
        self.close();
    }

    /// Assigns a package directory to earlier locations that have none.
    pub fn assign_package(&mut self, directory: &str) {
        self.close();
        for failure in self.done.iter_mut().skip(self.unplaced) {
            for location in failure.locations.iter_mut().filter(|location| location.hint.is_none()) {
                location.hint = Some(directory.to_owned());
            }
        }
        self.unplaced = self.done.len();
    }

    /// A blank line ends a linter's list of messages.
    pub fn blank_line(&mut self) {
        self.listed = None;
        self.unrelated("");
    }

    /// Counts a line that no reader recognizes.
    pub fn unrelated(&mut self, _line: &str) {
        if let Some(open) = &mut self.open {
            open.quiet += 1;
            if open.quiet > PATIENCE {
                self.close();
            }
        }
    }

    /// Finishes the open failure.
    pub fn close(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        if open.failure.locations.is_empty() {
            open.failure.locations.extend(self.fallback.take());
        }
        if open.failure.locations.is_empty() || self.done.len() >= MOST_FAILURES {
            return;
        }
        if open.order == FrameOrder::OutermostFirst {
            open.failure.locations.reverse();
        }
        // Logs repeat failures, for example after retries and in a summary at the end.
        if self.done.iter().any(|known| known.locations == open.failure.locations && known.what == open.failure.what) {
            return;
        }
        self.done.insert(open.at.min(self.done.len()), open.failure);
    }

    /// Returns all failures. Warnings are included only if nothing failed.
    pub fn finish(mut self) -> Vec<Failure> {
        self.close();
        if self.done.iter().any(|failure| failure.kind != FailureKind::Warning) {
            self.done.retain(|failure| failure.kind != FailureKind::Warning);
        }
        self.done
    }
}

/// The first line of a message, shortened.
fn short(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}
