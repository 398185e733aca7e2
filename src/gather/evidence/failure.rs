//! A failure with the places that it names, put together line by line.

/// Failures and places beyond these say nothing new.
const MOST_FAILURES: usize = 400;
const MOST_SPOTS: usize = 120;
/// A message is for one line of a reason.
const MESSAGE_CHARS: usize = 120;
/// After so many lines that say nothing, a trace is over.
const PATIENCE: usize = 12;

/// What a failure is, which decides how its places are spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A Rust or Go panic.
    Panic,
    /// An exception's stack trace.
    Trace,
    /// A test that failed.
    Test,
    /// A debugger's or sanitizer's stack.
    Crash,
    /// A compiler's or linter's error.
    Compiler,
    /// A compiler's or linter's warning: it counts only where nothing failed.
    Warning,
}

/// Which end of a stack is printed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Where it happened comes first.
    InnermostFirst,
    /// Where it happened comes last, as in Python.
    OutermostFirst,
}

/// A place that a log names, as it is written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The path, or a file name, of whatever machine.
    pub path: String,
    /// The line; `None` where only a definition is named.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
    /// The definition that is named, such as a test.
    pub symbol: Option<String>,
    /// Where to look when several files have this path: a package's directory.
    pub hint: Option<String>,
}

impl Spot {
    /// A line of a file.
    pub fn at(path: &str, line: u32, column: Option<u32>) -> Self {
        Self { path: path.to_owned(), line: Some(line), column, symbol: None, hint: None }
    }

    /// A definition in a file; an empty path means any.
    pub fn named(path: &str, symbol: &str) -> Self {
        Self { path: path.to_owned(), line: None, column: None, symbol: Some(symbol.to_owned()), hint: None }
    }
}

/// One failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What it is.
    pub kind: Kind,
    /// What it says: the message, the error's code, the test's name.
    pub what: String,
    /// Its places, where it happened first.
    pub spots: Vec<Spot>,
}

struct Open {
    failure: Failure,
    order: Order,
    /// Where it goes among the others; a cause goes before what it caused.
    at: usize,
    quiet: usize,
}

/// What the readers have found so far.
#[derive(Default)]
pub struct Reading {
    done: Vec<Failure>,
    open: Option<Open>,
    /// Where the chain of causes began that the open failure belongs to.
    chain: usize,
    /// What a compiler said before it named the place: level, code and message.
    pub announced: Option<(Kind, String)>,
    /// Whether the next line is the open failure's message.
    pub message_follows: bool,
    /// What to look for where the open failure names no other place: a test by its name.
    pub fallback: Option<Spot>,
    /// The file whose errors a linter lists.
    pub listed: Option<String>,
    /// The package whose files are named by their names alone.
    pub package: Option<String>,
    /// Failures from here on wait for their package to be named.
    unplaced: usize,
}

impl Reading {
    /// A failure begins.
    pub fn begin(&mut self, kind: Kind, what: &str, order: Order) {
        self.close();
        self.chain = self.done.len();
        self.start(kind, what, order, self.done.len());
    }

    /// The cause of the failure before begins: it is the root of it, so it goes first.
    pub fn cause(&mut self, what: &str, order: Order) {
        let kind = self.open.as_ref().map_or(Kind::Trace, |open| open.failure.kind);
        self.close();
        self.start(kind, what, order, self.chain.min(self.done.len()));
    }

    fn start(&mut self, kind: Kind, what: &str, order: Order, at: usize) {
        (self.message_follows, self.fallback) = (false, None);
        let failure = Failure { kind, what: short(what), spots: Vec::new() };
        self.open = Some(Open { failure, order, at, quiet: 0 });
    }

    /// Whether a failure of one of these kinds is open.
    pub fn is_open(&self, kinds: &[Kind]) -> bool {
        self.open.as_ref().is_some_and(|open| kinds.contains(&open.failure.kind))
    }

    /// Whether a failure is open that has places already.
    pub fn has_spots(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.failure.spots.is_empty())
    }

    /// Whether the open failure says something.
    pub fn has_message(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.failure.what.is_empty())
    }

    /// The open failure says this too.
    pub fn says(&mut self, what: &str) {
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

    /// A place of the open failure; without one a failure of this kind begins.
    pub fn spot(&mut self, mut spot: Spot, kind: Kind, order: Order) {
        if self.open.is_none() {
            self.begin(kind, "", order);
        }
        if spot.hint.is_none() {
            spot.hint.clone_from(&self.package);
        }
        if let Some(open) = &mut self.open {
            open.quiet = 0;
            let known = open.failure.spots.iter().any(|known| known.path == spot.path && known.line == spot.line);
            if !known && open.failure.spots.len() < MOST_SPOTS {
                open.failure.spots.push(spot);
            } else if !known && open.order == Order::OutermostFirst {
                // The innermost places come last, so the outer ones make way.
                open.failure.spots.remove(MOST_SPOTS / 2);
                open.failure.spots.push(spot);
            }
        }
    }

    /// A failure that is one place.
    pub fn single(&mut self, kind: Kind, what: &str, spot: Spot) {
        self.begin(kind, what, Order::InnermostFirst);
        self.spot(spot, kind, Order::InnermostFirst);
        self.close();
    }

    /// Files that were named without their directory are in this package; what follows is not.
    pub fn package_was(&mut self, directory: &str) {
        self.close();
        for failure in self.done.iter_mut().skip(self.unplaced) {
            for spot in failure.spots.iter_mut().filter(|spot| spot.hint.is_none()) {
                spot.hint = Some(directory.to_owned());
            }
        }
        self.unplaced = self.done.len();
    }

    /// A blank line: what a compiler announced without a place had none.
    pub fn blank(&mut self) {
        self.listed = None;
        self.other("");
    }

    /// A line that says nothing to any reader.
    pub fn other(&mut self, _line: &str) {
        if let Some(open) = &mut self.open {
            open.quiet += 1;
            if open.quiet > PATIENCE {
                self.close();
            }
        }
    }

    /// The open failure is complete.
    pub fn close(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        if open.failure.spots.is_empty() {
            open.failure.spots.extend(self.fallback.take());
        }
        if open.failure.spots.is_empty() || self.done.len() >= MOST_FAILURES {
            return;
        }
        if open.order == Order::OutermostFirst {
            open.failure.spots.reverse();
        }
        // A log repeats itself: retries, a summary at the end.
        if self.done.iter().any(|known| known.spots == open.failure.spots && known.what == open.failure.what) {
            return;
        }
        self.done.insert(open.at.min(self.done.len()), open.failure);
    }

    /// Everything that was found; warnings only if nothing failed.
    pub fn finish(mut self) -> Vec<Failure> {
        self.close();
        if self.done.iter().any(|failure| failure.kind != Kind::Warning) {
            self.done.retain(|failure| failure.kind != Kind::Warning);
        }
        self.done
    }
}

/// A message on one line, cut to a readable length.
fn short(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}
