//! A small shop with a payment module: fixed files, fixed times, one commit.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use teddy::app::backend::OpenTarget;
use teddy::app::backend::ProjectBackend;
use teddy::deliver::ClipboardEnv;
use teddy::tui::driver::Driver;

pub const TASK: &str = "Add refunds to the payment ledger";

const FILES: &[(&str, &str)] = &[
    ("README.md", "# Shop\n\nA small shop. See src/pay for payments.\n"),
    ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n"),
    (
        "src/pay/ledger.rs",
        "//! The ledger of payments.\n\nuse crate::money::Amount;\n\n/// All bookings, oldest first.\npub struct Ledger {\n    bookings: Vec<Amount>,\n}\n\nimpl Ledger {\n    /// Adds a payment.\n    pub fn book(&mut self, amount: Amount) {\n        self.bookings.push(amount);\n    }\n\n    /// What was paid in all.\n    pub fn total(&self) -> Amount {\n        self.bookings.iter().copied().sum()\n    }\n}\n",
    ),
    (
        "src/pay/refund.rs",
        "//! Refunds: money that goes back.\n\nuse crate::money::Amount;\nuse crate::pay::ledger::Ledger;\n\n/// Gives an amount back.\npub fn refund(ledger: &mut Ledger, amount: Amount) {\n    ledger.book(-amount);\n}\n",
    ),
    ("src/pay/mod.rs", "pub mod ledger;\npub mod refund;\n"),
    ("src/money.rs", "//! Amounts of money.\n\n/// Cents.\npub type Amount = i64;\n"),
    ("src/lib.rs", "pub mod money;\npub mod pay;\npub mod stock;\n"),
    ("src/stock.rs", "//! What is in store.\n\npub fn left(article: &str) -> usize {\n    article.len()\n}\n"),
    (
        "tests/ledger_test.rs",
        "use shop::pay::ledger::Ledger;\n\n#[test]\nfn books() {\n    let _ = std::mem::size_of::<Ledger>();\n}\n",
    ),
    ("docs/stock.md", "# Stock\n\nHow articles are counted.\n"),
];

/// The project in a temporary directory.
pub struct Shop {
    dir: tempfile::TempDir,
}

impl Shop {
    /// Creates the files and the commit.
    pub fn new() -> Self {
        // 2026-11-16, some days after the commit.
        teddy::project::clock::stop_at(1_794_823_200);
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().join("shop");
        for (path, text) in FILES {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let shop = Self { dir: parent };
        shop.git(&["init", "-q", "-b", "main"]);
        shop.commit("Open the shop");
        shop
    }

    fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args(arguments)
            .current_dir(self.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_AUTHOR_DATE", "2026-11-10T10:00:00Z")
            .env("GIT_COMMITTER_DATE", "2026-11-10T10:00:00Z")
            .output()
            .unwrap();
        assert!(status.status.success(), "git {arguments:?}: {status:?}");
    }

    /// Commits all changes.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "."]);
        self.git(&["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-qm", message]);
    }

    /// The project with a `.teddy/`.
    pub fn with_teddy() -> Self {
        let shop = Self::new();
        teddy::project::Project::init(&shop.root()).unwrap();
        shop
    }

    pub fn root(&self) -> std::path::PathBuf {
        self.dir.path().join("shop")
    }

    pub fn write(&self, path: &str, text: &str) {
        std::fs::write(self.root().join(path), text).unwrap();
    }

    /// Directory of the only session.
    pub fn session(&self) -> std::path::PathBuf {
        let mut sessions = std::fs::read_dir(self.root().join(".teddy/sessions")).unwrap();
        sessions.next().unwrap().unwrap().path()
    }

    /// Number of sessions.
    pub fn sessions(&self) -> usize {
        std::fs::read_dir(self.root().join(".teddy/sessions")).map_or(0, Iterator::count)
    }

    pub fn turn_yaml(&self) -> String {
        std::fs::read_to_string(self.session().join("01/turn.yaml")).unwrap()
    }

    /// A backend for the project, without a clipboard.
    pub fn desk(&self) -> Arc<ProjectBackend> {
        self.desk_with(ClipboardEnv::default())
    }

    fn desk_with(&self, clipboard: ClipboardEnv) -> Arc<ProjectBackend> {
        let desk = ProjectBackend::open(Some(&self.root())).unwrap();
        desk.use_clipboard(clipboard);
        desk.use_state_dir(&self.dir.path().join("state"));
        desk
    }

    /// The workbench for the usual task, with a clipboard.
    pub fn drive_with(&self, clipboard: ClipboardEnv, size: (u16, u16)) -> Driver {
        Driver::open(self.desk_with(clipboard), Some(OpenTarget::Plan(TASK.to_owned())), "ansi", size).unwrap()
    }

    /// The screen, opened with this entry.
    pub fn drive(&self, entry: Option<OpenTarget>, size: (u16, u16)) -> Driver {
        Driver::open(self.desk(), entry, "ansi", size).unwrap()
    }

    /// The workbench for the usual task.
    pub fn workbench(&self, size: (u16, u16)) -> Driver {
        self.drive(Some(OpenTarget::Plan(TASK.to_owned())), size)
    }
}

/// The screen without parts that differ between runs.
pub fn steady(screen: &str) -> String {
    undated(screen).replace("/tmp", "TMP")
}

/// The screen with its styles at three sizes; it is 120x40 afterwards.
pub fn at_three_sizes(screen: &mut Driver) -> String {
    let mut all = String::new();
    for (width, height) in [(80, 24), (200, 60), (120, 40)] {
        screen.resize(width, height);
        all.push_str(&format!("=== {width}x{height}\n{}", screen.styled()));
    }
    steady(&all)
}

/// Session names and times without their date.
fn undated(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let digits = characters[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let part: String = characters[at..].iter().take(16).collect();
        let next = characters.get(at + digits);
        // A name that is cut off within its date keeps the beginning.
        let dated = digits == 8 && next == Some(&'-') || (1..=8).contains(&digits) && next == Some(&'…');
        if dated && part.starts_with('2') {
            out.extend(std::iter::repeat_n('D', digits));
            at += digits;
        } else if part.starts_with("20") && part.chars().nth(4) == Some('-') && part.chars().nth(13) == Some(':') {
            out.push_str("DDDD-DD-DD HH:MM");
            at += 16;
        } else if digits > 0 {
            out.extend(&characters[at..at + digits]);
            at += digits;
        } else {
            out.push(characters[at]);
            at += 1;
        }
    }
    out
}

/// A token that every redactor knows, in two parts so that no source file contains a secret.
pub fn token() -> String {
    ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat()
}

/// Returns true if a file exists.
pub fn exists(root: &Path, path: &str) -> bool {
    root.join(path).exists()
}

/// A clipboard that consists of two programs and a file.
#[cfg(unix)]
pub fn clipboard(directory: &std::path::Path) -> ClipboardEnv {
    let held = directory.join("held");
    program(directory, "wl-copy", &format!("cat > '{}'", held.display()));
    program(directory, "wl-paste", &format!("cat '{}'", held.display()));
    ClipboardEnv { wayland: Some("wayland-0".into()), ..programs(directory) }
}

/// A clipboard inside tmux, which accepts everything.
#[cfg(unix)]
pub fn tmux(directory: &std::path::Path) -> ClipboardEnv {
    program(directory, "tmux", "cat > /dev/null");
    ClipboardEnv { tmux: Some("socket".into()), ..programs(directory) }
}

/// Writes a script that other programs can run.
#[cfg(unix)]
fn program(directory: &std::path::Path, name: &str, body: &str) {
    // Another process writes the script, because a file that is open for writing cannot be run.
    let script = "printf '%s\\n' '#!/bin/sh' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let made = Command::new("sh").args(["-c", script, "sh"]).arg(directory.join(name)).arg(body).status();
    assert!(made.unwrap().success());
}

/// A clipboard with only the programs in a directory.
#[cfg(unix)]
fn programs(directory: &std::path::Path) -> ClipboardEnv {
    let mut path = std::ffi::OsString::from(directory);
    path.push(":/usr/bin:/bin");
    ClipboardEnv { path: Some(path), patience: std::time::Duration::from_secs(20), ..ClipboardEnv::default() }
}

/// A path as a row of the list shows it: the file's name, then its directory.
pub fn in_row(path: &str) -> String {
    path.rsplit_once('/').map_or_else(|| path.to_owned(), |(directory, name)| format!("{name}  {directory}"))
}

/// The name at the start of a row, after the label of an item that is not a file.
pub fn name_in_row(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match path.split_once(':') {
        Some((label, _)) if path.contains('/') => format!("{label}:{name}"),
        _ => name.to_owned(),
    }
}
