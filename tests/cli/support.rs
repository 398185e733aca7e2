//! A test environment: a project directory, a home directory, git with fixed dates, and the output of a run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Time of every run: 2026-01-24T10:30:00Z.
pub const NOW: &str = "1769250600";
/// Time of commits: four days earlier.
const COMMIT_DATE: &str = "2026-01-20T09:00:00Z";
/// The task of most tests, and the name of its session.
pub const TASK: &str = "Add refund capability to the payment service";
pub const SESSION: &str = "20260124-add-refund-capability";

/// Prints why a test is skipped. The text is not captured, so it is visible without `--nocapture`.
pub fn skip(needs: &str) {
    std::io::stderr().write_all(format!("skipped: needs {needs}\n").as_bytes()).unwrap();
}

/// A temporary directory with a project and a home directory.
pub struct Place {
    outer: TempDir,
    root: PathBuf,
}

/// Output of one run.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Place {
    /// An empty directory.
    pub fn empty() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let real = outer.path().canonicalize().unwrap();
        fs::create_dir(real.join("home")).unwrap();
        fs::create_dir(real.join("project")).unwrap();
        Self { outer, root: real.join("project") }
    }

    /// A plain directory with a small payment service.
    pub fn plain() -> Self {
        let place = Self::empty();
        place.write("README.md", "# Payments\n\nCharges cards and keeps a ledger.\n");
        place.write("src/payment.py", PAYMENT);
        place.write("src/ledger.py", LEDGER);
        place.write("src/mailer.py", MAILER);
        place.write("tests/test_payment.py", TEST_PAYMENT);
        place.write("docs/refunds.md", "# Refunds\n\nA refund pays a charge back, in full or in part.\n");
        place
    }

    /// A repository with one commit.
    pub fn repository() -> Self {
        let place = Self::plain();
        place.git(&["init", "-q", "-b", "main"]);
        place.commit("Charge cards and keep a ledger");
        place
    }

    /// A repository with one planned turn.
    pub fn planned() -> Self {
        let place = Self::repository();
        place.ok(&["plan", TASK]);
        place
    }

    /// Root of the project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Directory that contains the project.
    pub fn outside(&self) -> &Path {
        self.root.parent().unwrap_or_else(|| self.outer.path())
    }

    /// A path in the project.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path in the session of [`TASK`].
    pub fn session(&self, relative: &str) -> PathBuf {
        self.path(&format!(".teddy/sessions/{SESSION}")).join(relative)
    }

    /// Writes a file of the project, creating directories.
    pub fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a file of the session.
    pub fn write_session(&self, relative: &str, text: &str) {
        fs::write(self.session(relative), text).unwrap();
    }

    /// Text of a file of the project.
    pub fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    /// Text of a file of the session.
    pub fn read_session(&self, relative: &str) -> String {
        fs::read_to_string(self.session(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    /// Runs git in the project.
    pub fn git(&self, args: &[&str]) {
        git_in(&self.root, args);
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Writes the user's config.yaml.
    pub fn write_own_config(&self, text: &str) {
        let dir = self.outside().join("home/.config/teddy");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("config.yaml"), text).unwrap();
    }

    /// Writes a script to a directory; returns a `PATH` with that directory.
    #[cfg(unix)]
    pub fn program(&self, name: &str, body: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let bin = self.outside().join("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join(name), format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
    }

    /// teddy with this home directory and a fixed clock, in the project's root.
    pub fn teddy(&self) -> Command {
        self.teddy_in(&self.root)
    }

    /// teddy in `dir`.
    pub fn teddy_in(&self, dir: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_teddy"));
        self.set_environment(&mut command);
        command.current_dir(dir).env("SOURCE_DATE_EPOCH", NOW);
        command
    }

    /// Gives a command this home directory and clears the rest of the environment.
    pub fn set_environment(&self, command: &mut Command) {
        let home = self.outside().join("home");
        command.env_clear().stdin(Stdio::null());
        for name in ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("HOME", &home).env("USERPROFILE", &home).env("SHELL", "/bin/sh");
        command.env("APPDATA", home.join("roaming")).env("LOCALAPPDATA", home.join("local"));
    }

    /// Runs teddy in the project's root.
    pub fn run(&self, args: &[&str]) -> Ran {
        ran(self.teddy().args(args))
    }

    /// Runs teddy; fails the test unless teddy succeeds.
    pub fn ok(&self, args: &[&str]) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        ran
    }

    /// Runs teddy, which must fail with `code`, print each of `needles` and change nothing in the project.
    pub fn refused(&self, args: &[&str], code: i32, needles: &[&str]) -> Ran {
        let before = self.listing();
        let ran = self.run(args);
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        for needle in needles {
            assert!(ran.err.contains(needle), "{args:?} does not say {needle:?}:\n{}", ran.err);
        }
        assert_eq!(ran.out, "", "{args:?}");
        assert_same(&before, &self.listing());
        ran
    }

    /// Output of `plan --json --dry-run` with more flags.
    pub fn placed(&self, more: &[&str]) -> serde_json::Value {
        let args = [&["plan", TASK, "--dry-run", "--json"], more].concat();
        json(&self.ok(&args).out)
    }

    /// Every path of the project with its contents, except locks; links are not followed.
    pub fn listing(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        list(&self.root, &mut found);
        found.retain(|path, _| path.file_name().is_none_or(|name| name != ".lock"));
        found
    }

    /// Every path of the project and the home directory, including locks, except the cache.
    pub fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        list(self.outside(), &mut found);
        let cache = self.outside().join("home/.cache");
        found.retain(|path, _| !path.starts_with(&cache));
        found
    }
}

/// Runs a command and captures its output.
pub fn ran(command: &mut Command) -> Ran {
    captured(&command.output().unwrap())
}

/// Runs a command with this standard input.
pub fn run_with_input(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The command may fail before it reads.
    let _ = child.stdin.take().unwrap().write_all(input);
    captured(&child.wait_with_output().unwrap())
}

/// Output of a command that has ended.
pub fn captured(output: &Output) -> Ran {
    let text = |bytes: &[u8]| std::str::from_utf8(bytes).unwrap().to_owned();
    Ran { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

/// A token that every redactor knows, in two parts so that no source file contains a secret.
pub fn secret() -> String {
    ["ghp_", "Zx81kLmQpR27vTnWy5sDf3gHj6bNc9eXaUo2"].concat()
}

/// Parses JSON.
pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Runs git in a directory, with fixed names and dates.
pub fn git_in(dir: &Path, args: &[&str]) {
    git_at(dir, COMMIT_DATE, args);
}

/// Runs git in a directory at a given time.
pub fn git_at(dir: &Path, date: &str, args: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(dir).args(args);
    for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")] {
        git.env(name, value);
    }
    for who in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{who}_NAME"), "Pat").env(format!("GIT_{who}_EMAIL"), "pat@example.com");
        git.env(format!("GIT_{who}_DATE"), date);
    }
    let output = git.output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Item with this path in the output of `--json`.
pub fn item<'a>(plan: &'a serde_json::Value, path: &str) -> &'a serde_json::Value {
    let items = plan["items"].as_array().unwrap();
    items.iter().find(|item| item["path"] == path).unwrap_or_else(|| panic!("no {path} in {plan:#}"))
}

/// Fails with the differences of two listings.
pub fn assert_same(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) {
    for (path, bytes) in after {
        match before.get(path) {
            None => panic!("{} was made", path.display()),
            Some(old) => assert!(old == bytes, "{} was changed", path.display()),
        }
    }
    for path in before.keys() {
        assert!(after.contains_key(path), "{} is gone", path.display());
    }
}

fn list(dir: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let meta = path.symlink_metadata().unwrap();
        if meta.is_dir() {
            found.insert(path.clone(), b"(directory)".to_vec());
            list(&path, found);
        } else if meta.is_symlink() {
            found.insert(path.clone(), fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes());
        } else if meta.is_file() {
            found.insert(path.clone(), fs::read(&path).unwrap());
        } else {
            found.insert(path, b"(special)".to_vec());
        }
    }
}

const PAYMENT: &str = r#""""Charges cards."""

from src.ledger import Ledger


class PaymentService:
    """Takes payments and writes them down."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def charge(self, card: str, cents: int) -> str:
        """Charges a card; returns the payment's id."""
        if cents <= 0:
            raise ValueError("nothing to charge")
        return self.ledger.add(card, cents)
"#;

const LEDGER: &str = r#""""Keeps what was paid."""


class Ledger:
    """Every payment, in order."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, int]] = []

    def add(self, card: str, cents: int) -> str:
        """Writes a payment down; returns its id."""
        self.entries.append((card, cents))
        return f"p{len(self.entries)}"
"#;

const MAILER: &str = r#""""Sends mail."""


def send(to: str, text: str) -> None:
    """Sends a text to somebody."""
    print(to, text)
"#;

const TEST_PAYMENT: &str = r#"from src.ledger import Ledger
from src.payment import PaymentService


def test_charge() -> None:
    assert PaymentService(Ledger()).charge("4111", 500) == "p1"
"#;
