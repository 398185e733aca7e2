//! Tests of environment errors: exit code 3 (or 2 if a file is in the way), and no leftovers.

use std::fs;
use std::process::Command;

use super::support::{Place, Ran, SESSION, TASK, assert_same, captured, ran, skip};

#[test]
fn a_file_named_teddy_is_reported() {
    let place = Place::repository();
    fs::write(place.path(".teddy"), "mine").unwrap();
    for args in [&["plan", TASK][..], &["init"], &["memo", "add", "x"], &["sessions"]] {
        place.refused(args, 2, &[".teddy is in the way", "move it aside"]);
    }
}

#[test]
fn two_processes_cannot_change_one_session() {
    let place = Place::planned();
    let session = place.session("");
    let lock = fs::File::options().read(true).write(true).open(session.join(".lock")).unwrap();
    lock.lock().unwrap();
    for args in [&["resume"][..], &["plan", "--session", SESSION, "-m", "more"]] {
        let ran = place.refused(args, 3, &["another teddy", SESSION, "hint: "]);
        assert!(!ran.err.contains("(process 0)"), "{}", ran.err);
    }
    // Reading is allowed, and so is using another session.
    place.ok(&["show"]);
    place.ok(&["resume", "--dry-run"]);
    place.ok(&["plan", "Something else"]);
    drop(lock);
    place.ok(&["resume", SESSION]);
}

#[test]
fn leftovers_of_dead_processes_are_removed() {
    let place = Place::planned();
    let mut child = Command::new(env!("CARGO_BIN_EXE_teddy")).arg("--version").spawn().unwrap();
    child.wait().unwrap();
    let leftover = place.session(&format!("01/.payload.md.{}.tmp", child.id()));
    fs::write(&leftover, "half").unwrap();
    place.ok(&["resume", "--dry-run"]);
    assert!(leftover.exists(), "a dry run writes nothing");
    place.ok(&["resume"]);
    assert!(!leftover.exists());
}

/// Runs teddy as a user who may not write here, if possible.
#[cfg(unix)]
fn run_unprivileged(place: &Place, args: &[&str]) -> Option<Ran> {
    use std::os::unix::fs::MetadataExt;
    let root = fs::metadata(place.outside().join("home")).unwrap().uid() == 0;
    if !root {
        return Some(place.run(args));
    }
    // root may write anywhere, so switch to another user if that user can run the binary.
    let mut command = Command::new("setpriv");
    place.set_environment(&mut command);
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", env!("CARGO_BIN_EXE_teddy")]);
    command.args(args).current_dir(place.root()).env("SOURCE_DATE_EPOCH", super::support::NOW);
    let answer = captured(&command.output().ok()?);
    (!answer.err.starts_with("setpriv:")).then_some(answer)
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::repository();
    fs::write(place.outside().join("home/.gitconfig"), "[safe]\n\tdirectory = *\n").unwrap();
    let mode = |mode| {
        for dir in [place.outside(), place.root(), &place.outside().join("home")] {
            fs::set_permissions(dir, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    mode(0o555);
    let before = place.listing();
    let answer = run_unprivileged(&place, &["plan", TASK]);
    let dry = run_unprivileged(&place, &["plan", TASK, "--dry-run"]);
    assert_same(&before, &place.listing());
    mode(0o755);
    let (Some(answer), Some(dry)) = (answer, dry) else {
        skip("setpriv, to run without root's rights");
        return;
    };
    assert_eq!(answer.code, 3, "{answer:?}");
    assert!(
        answer.err.contains("cannot create") && answer.err.contains("hint: check the permissions of"),
        "{answer:?}"
    );
    assert_eq!(dry.code, 0, "a dry run needs no right to write: {}", dry.err);
}

/// A small mounted file system; unmounted on drop.
#[cfg(target_os = "linux")]
struct Tiny(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Tiny {
    fn mount(at: &std::path::Path, kilobytes: u32) -> Option<Self> {
        let options = format!("size={kilobytes}k");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(at).output();
        if !mounted.is_ok_and(|output| output.status.success()) {
            skip("permission to mount a file system");
            return None;
        }
        Some(Self(at.to_path_buf()))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Tiny {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

/// Fills the file system up to `spare` bytes.
#[cfg(target_os = "linux")]
fn fill(path: &std::path::Path, spare: usize) {
    use std::io::Write;
    let mut file = fs::File::create(path).unwrap();
    let block = [b'x'; 4096];
    let mut written: u64 = 0;
    while let Ok(count) = file.write(&block) {
        if count == 0 {
            break;
        }
        written += count as u64;
    }
    file.set_len(written.saturating_sub(spare as u64)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_changes_nothing() {
    for pages in [0, 1, 3, 5, 7, 9, 10, 11, 12] {
        let spare = pages * 4096;
        let place = Place::empty();
        let Some(_tiny) = Tiny::mount(place.root(), 128) else { return };
        place.write("src/payment.py", &"def refund():\n    return 1\n".repeat(300));
        fill(&place.path("filler.bin"), spare);
        let before = place.listing();
        let answer = place.run(&["plan", TASK]);
        if answer.code == 0 {
            continue;
        }
        assert_eq!(answer.code, 3, "{spare}: {answer:?}");
        assert!(answer.err.contains("free some space"), "{spare}: {answer:?}");
        assert_same(&before, &place.listing());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_the_existing_turn() {
    for spare in [0, 4096, 4096 * 2, 4096 * 4] {
        let place = Place::empty();
        let Some(_tiny) = Tiny::mount(place.root(), 256) else { return };
        place.write("src/payment.py", &"def refund():\n    return 1\n".repeat(300));
        place.write("src/ledger.py", "def entry():\n    return 1\n");
        place.ok(&["plan", TASK]);
        fill(&place.path("filler.bin"), spare);
        let before = place.listing();
        for args in [
            &["resume", "--pin", "src/ledger.py", "--format", "invocation"][..],
            &["plan", "--session", SESSION, "-m", "and more"],
        ] {
            let answer = place.run(args);
            assert_eq!(answer.code, 3, "{spare} {args:?}: {answer:?}");
            assert_same(&before, &place.listing());
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_copy_is_reported_with_the_payload_file() {
    let place = Place::repository();
    // Copying fails here, because there is neither a display nor a terminal.
    place.write(".teddy/config.yaml", "clipboard: native\n");
    let ran = place.run(&["plan", TASK, "--copy"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("cannot copy to the clipboard"), "{}", ran.err);
    assert!(
        ran.err.contains(&format!("the payload was saved to .teddy/sessions/{SESSION}/01/payload.md")),
        "{}",
        ran.err
    );
}

#[test]
fn the_clipboard_can_be_switched_off() {
    let place = Place::repository();
    place.write(".teddy/config.yaml", "clipboard: off\n");
    place.refused(&["plan", TASK, "--copy"], 2, &["`clipboard: off`", "-o FILE"]);
    let doctor = place.ok(&["doctor"]).out;
    assert!(doctor.contains("clipboard    off"), "{doctor}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_configured_clipboard_method_is_used() {
    let place = Place::repository();
    let path = place.program("xclip", &format!("cat > '{}/copied'", place.outside().display()));
    let copy = |way: &str| {
        place.write(".teddy/config.yaml", &format!("clipboard: {way}\n"));
        ran(place.teddy().args(["plan", TASK, "--copy"]).env("PATH", &path).env("DISPLAY", ":97"))
    };
    let helper = copy("helper");
    assert_eq!(helper.code, 0, "{helper:?}");
    assert!(helper.err.contains("copied to the clipboard by xclip (confirmed)"), "{}", helper.err);
    assert_eq!(fs::read_to_string(place.outside().join("copied")).unwrap(), place.read_session("01/payload.md"));
    assert_eq!(helper.out, "");
    let native = copy("native");
    assert_eq!(native.code, 3, "{native:?}");
    assert!(!native.err.contains("xclip"), "{}", native.err);
}
