//! Full disks, read-only and unusual file systems, and missing permissions, for every scenario.
//!
//! A second process of this test binary mounts the file systems in its own mount namespace, so they disappear with it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::points::can_trace;
use super::{ANSWER, Files, PLAN, Place, SCENARIOS, Scenario, binary, is_temporary, judge, skip};

/// Set in the process that may mount.
const INSIDE: &str = "TEDDY_TEST_MAY_MOUNT";
/// Fills the rest of the disk.
pub const BALLAST: &str = "ballast";
const PAGE: u64 = 4096;
const REPORT: &[&str] = &["answer", "--report", "report.md"];

/// Runs the test with this name again in a process with private mounts; returns true in that process.
pub fn may_mount(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let unshare = |options: &str| {
        let mut command = Command::new("unshare");
        command.arg(options).stdin(Stdio::null());
        command
    };
    let can = |options: &&str| {
        let dir = tempfile::tempdir().unwrap();
        let mut probe = unshare(options);
        probe.args(["mount", "-t", "tmpfs", "none"]).arg(dir.path()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    let Some(options) = ["-m", "-rm"].iter().find(|options| can(options)) else {
        skip("permission to mount (root, or user namespaces)");
        return false;
    };
    let mut again = unshare(options);
    again.arg(std::env::current_exe().unwrap()).args(["--exact", "--nocapture", test]).env(INSIDE, "1");
    assert!(again.status().unwrap().success(), "{test} failed in its mount namespace");
    false
}

pub fn mount(options: &[&str], at: &Path) {
    assert!(Command::new("mount").args(options).arg(at).status().unwrap().success(), "mount {options:?}");
}

pub fn unmount(at: &Path) {
    assert!(Command::new("umount").arg(at).status().unwrap().success());
}

fn errors_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks that a command failed because of its environment and says so with a hint.
fn assert_refused(scenario: &Scenario, output: &Output, reason: &str, hint: &str) {
    let (name, errors) = (scenario.name, errors_of(output));
    assert_eq!(output.status.code(), Some(3), "{name}: {errors}");
    assert!(errors.contains(reason) && errors.contains("hint: ") && errors.contains(hint), "{name}: {errors}");
}

/// The files after the scenario ran without a fault.
fn result_of(base: &Place, scenario: &Scenario) -> Files {
    let place = base.copy();
    assert!(place.run(scenario.command).status.success(), "{}", scenario.name);
    place.listing()
}

/// Repeats the command where it can succeed.
fn assert_works_now(place: &Place, scenario: &Scenario, new: &Files) {
    let mut now = place.listing();
    now.retain(|path, _| !is_temporary(path));
    let again = place.run(scenario.command);
    assert!(again.status.success() || now == *new, "{}: the second try fails: {}", scenario.name, errors_of(&again));
}

#[test]
fn a_read_only_file_system_is_reported_and_nothing_changes() {
    if !may_mount("mounts::a_read_only_file_system_is_reported_and_nothing_changes") {
        return;
    }
    for scenario in SCENARIOS {
        let base = Place::prepared(scenario.before);
        let new = result_of(&base, scenario);
        let (root, old) = (base.root(), base.listing());
        mount(&["--bind", root.to_str().unwrap()], &root);
        mount(&["-o", "remount,bind,ro"], &root);
        let output = base.run(scenario.command);
        let seen = base.listing();
        let shown = base.run(&["plan", "Look again", "--dry-run", "--json"]);
        unmount(&root);
        assert_refused(scenario, &output, "Read-only file system", "--dry-run");
        assert!(seen == old, "{}: a file changed", scenario.name);
        assert!(shown.status.success(), "a trial run fails: {}", errors_of(&shown));
        assert_works_now(&base, scenario, &new);
    }
}

/// Leaves this many pages of a small disk free.
pub fn fill(root: &Path, pages: u64) {
    use std::io::Write;
    let mut file = fs::File::create(root.join(BALLAST)).unwrap();
    while file.write(&[0; PAGE as usize]).is_ok() {}
    let length = file.metadata().unwrap().len();
    file.set_len(length / PAGE * PAGE - pages * PAGE).unwrap();
}

#[test]
fn a_full_disk_loses_nothing() {
    if !may_mount("mounts::a_full_disk_loses_nothing") {
        return;
    }
    for scenario in SCENARIOS {
        let base = Place::prepared(scenario.before);
        let (old, new) = (base.listing(), result_of(&base, scenario));
        for pages in [0, 2] {
            let place = Place::new();
            mount(&["-t", "tmpfs", "-o", "size=1m", "none"], &place.root());
            let copied = Command::new("cp").arg("-a").arg(base.root().join(".")).arg(place.root()).status();
            assert!(copied.unwrap().success());
            fill(&place.root(), pages);
            let output = place.run(scenario.command);
            assert!(!errors_of(&output).contains("panicked"), "{}: {}", scenario.name, errors_of(&output));
            assert!(pages > 0 || !output.status.success(), "{}: there was no room", scenario.name);
            if !output.status.success() {
                assert_refused(scenario, &output, "No space left on device", "free some space");
            }
            let without_ballast = |mut files: Files| {
                files.remove(Path::new(BALLAST));
                files
            };
            let left: Vec<_> = place.listing().into_keys().filter(|path| is_temporary(path)).collect();
            assert!(left.is_empty(), "{}: temporary files stay: {left:?}", scenario.name);
            judge(&place, without_ballast, &old, &new).unwrap_or_else(|why| panic!("{}: {why}", scenario.name));
            fs::remove_file(place.root().join(BALLAST)).unwrap();
            assert_works_now(&place, scenario, &new);
            unmount(&place.root());
        }
    }
}

#[test]
fn a_file_system_without_locks_or_renames_is_reported() {
    if !can_trace() {
        return skip("strace, and permission to trace");
    }
    for scenario in SCENARIOS {
        let base = Place::prepared(scenario.before);
        let (old, new) = (base.listing(), result_of(&base, scenario));
        for (calls, error, reason) in [
            ("rename,renameat,renameat2", "EOPNOTSUPP", "Operation not supported"),
            ("flock", "EOPNOTSUPP", "Operation not supported"),
            ("flock", "ENOLCK", "No locks available"),
        ] {
            let place = base.copy();
            let inject = format!("inject={calls}:error={error}");
            let output = place.traced(&["-o", "/dev/null", "-e", &inject], scenario.command);
            // Creating a project takes no lock, so only renaming can fail.
            if output.status.success() {
                assert!(calls.starts_with("flock"), "{}: {calls} are not needed", scenario.name);
            } else {
                assert_refused(scenario, &output, reason, "supports locks and renames");
            }
            judge(&place, |files| files, &old, &new).unwrap_or_else(|why| panic!("{}: {why}", scenario.name));
            assert_works_now(&place, scenario, &new);
        }
    }
}

/// An unprivileged user who owns a project. `None` if this process cannot switch to one.
struct OrdinaryUser {
    is_root: bool,
}

const NOBODY: &str = "65534";

impl OrdinaryUser {
    fn find() -> Option<Self> {
        let id = Command::new("id").arg("-u").output().ok()?;
        let user = Self { is_root: id.stdout.starts_with(b"0\n") };
        let place = Place::new();
        user.owns(&place);
        let runs = user.run(&place, &["--version"]).is_some_and(|output| output.status.success());
        runs.then_some(user)
    }

    /// Gives a project to the user.
    fn owns(&self, place: &Place) {
        if self.is_root {
            let status = Command::new("chown").args(["-R", NOBODY]).arg(place.outer.path()).status();
            assert!(status.unwrap().success());
        }
    }

    fn run(&self, place: &Place, args: &[&str]) -> Option<Output> {
        if !self.is_root {
            return Some(place.run(args));
        }
        Command::new("setpriv").arg("--version").output().ok()?;
        let mut command = Command::new("setpriv");
        command.args(["--reuid", NOBODY, "--clear-groups", "--"]).arg(binary()).args(args);
        Some(place.run_in_environment(&mut command))
    }
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn missing_permissions_are_reported_and_nothing_changes() {
    let Some(user) = OrdinaryUser::find() else {
        return skip("setpriv, and a binary that every user can run");
    };
    let session = ".teddy/sessions/20260124-add-refund-capability";
    for (entry, mode, before, command) in [
        (".", 0o555, &[][..], PLAN),
        (".teddy", 0o555, &[PLAN][..], &["memo", "add", "Use the ledger."][..]),
        (".teddy/sessions", 0o555, &[PLAN], &["plan", "Mail a receipt", "--stdout"]),
        (session, 0o555, &[PLAN], &["branch", "01", "-m", "Another way"]),
        (session, 0o555, &[PLAN, ANSWER, REPORT], &["resume", "-m", "Now in part", "--stdout"]),
        (session, 0o000, &[PLAN], ANSWER),
        ("01", 0o555, &[PLAN], ANSWER),
        ("01", 0o555, &[PLAN], &["resume", "--pin", "src/mailer.py", "--stdout"]),
        ("01/turn.yaml", 0o000, &[PLAN], &["resume", "--pin", "src/mailer.py", "--stdout"]),
        (".teddy/memos.yaml", 0o000, &[PLAN], &["memo", "add", "Use the ledger."]),
    ] {
        let place = Place::prepared(before);
        let old = place.listing();
        user.owns(&place);
        let at =
            place.root().join(entry.strip_prefix("01").map_or(entry.to_owned(), |rest| format!("{session}/01{rest}")));
        let usual = if at.is_dir() { 0o755 } else { 0o644 };
        set_mode(&at, mode);
        let output = user.run(&place, command).unwrap();
        set_mode(&at, usual);
        let errors = errors_of(&output);
        assert_eq!(output.status.code(), Some(3), "{entry} {before:?} {command:?}: {errors}");
        let says = ["Permission denied", "hint: ", "permissions"].iter().all(|text| errors.contains(text));
        assert!(says, "{entry} {command:?}: {errors}");
        assert!(place.listing() == old, "{entry} {command:?}: a file changed");
        let again = user.run(&place, command).unwrap();
        assert!(again.status.success(), "{entry} {command:?}: {}", errors_of(&again));
    }
}
