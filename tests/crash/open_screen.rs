//! Faults while the screen is open: another screen, edits and deletions by other programs, a full disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use portable_pty::CommandBuilder;

use super::mounts::{BALLAST, fill, may_mount, mount, unmount};
use super::terminal::Terminal;
use super::{PLAN, Place, binary};

const RECORD: &str = ".teddy/sessions/20260124-add-refund-capability/01/turn.yaml";

/// Opens the turn and waits for its items.
fn resumed(place: &Place) -> Terminal {
    let mut command = CommandBuilder::new(binary());
    command.arg("resume");
    command.env("SOURCE_DATE_EPOCH", "1769250600");
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", place.outer.path().join("bin").display()));
    command.env("WAYLAND_DISPLAY", "wayland-0");
    let env = [("WAYLAND_DISPLAY", "wayland-0")];
    let screen = Terminal::run(&place.root(), command, (140, 40), &env);
    screen.wait("the items", |text| text.contains(" items · by ") && !text.contains("so far"));
    screen
}

/// Puts the cursor on a file by filtering.
fn find(screen: &mut Terminal, name: &str) {
    screen.send(&format!("/{name}\r"));
    screen.wait("the filter", |text| text.contains("╭ 1 of "));
}

fn wait_for_pin(screen: &Terminal, name: &str) {
    screen.wait("the pin", |text| text.lines().any(|line| line.contains("P RAW") && line.contains(name)));
}

/// Quits and returns the output of the program.
fn quit(mut screen: Terminal) -> String {
    screen.send("q");
    let (raw, status) = screen.end();
    assert!(status.success());
    String::from_utf8_lossy(&raw).into_owned()
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.root().join(path)).unwrap()
}

#[test]
fn a_second_screen_on_a_session_is_refused() {
    let place = Place::prepared(&[PLAN]);
    let mut screen = resumed(&place);
    for args in [&["resume", "--no-tui", "--pin", "README.md"][..], &["resume"], &["answer", "answer.md"]] {
        let output = place.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {errors}");
        assert!(errors.contains(&format!("open in another teddy (process {})", screen.pid())), "{args:?}: {errors}");
        assert!(errors.contains("hint: close it there"), "{args:?}: {errors}");
    }
    find(&mut screen, "mailer");
    screen.send("p");
    wait_for_pin(&screen, "mailer");
    quit(screen);
    let text = read(&place, RECORD);
    assert!(text.contains("src/mailer.py") && !text.contains("- README.md"), "{text}");
    assert!(place.run(&["resume", "--pin", "README.md", "--stdout"]).status.success());
}

#[test]
fn edits_of_the_record_while_the_screen_is_open_are_kept() {
    let place = Place::prepared(&[PLAN]);
    let record = place.root().join(RECORD);
    let mut screen = resumed(&place);
    let text = read(&place, RECORD);
    fs::write(&record, format!("{text}owner: ann\n")).unwrap();
    find(&mut screen, "mailer");
    screen.send("p");
    wait_for_pin(&screen, "mailer");
    wait_until_file(&record, |text| text.contains("ruling: pin"));
    // A broken edit is reported and left alone; the override is saved with the next one after the repair.
    let sound = read(&place, RECORD);
    assert!(sound.contains("owner: ann"), "{sound}");
    fs::write(&record, "message: [\n").unwrap();
    screen.send("u");
    screen.wait_for("cannot parse .teddy/sessions/");
    assert_eq!(read(&place, RECORD), "message: [\n");
    fs::write(&record, sound).unwrap();
    screen.send("x");
    screen.wait_for("xcluded src/mailer.py");
    quit(screen);
    let text = read(&place, RECORD);
    assert!(text.contains("owner: ann") && text.contains("ruling: exclude"), "{text}");
    assert!(!text.contains("ruling: pin"), "the undone pin is back: {text}");
}

fn wait_until_file(path: &Path, holds: impl Fn(&str) -> bool) {
    super::terminal::wait_until("the file", || fs::read_to_string(path).is_ok_and(|text| holds(&text)));
}

/// Installs a clipboard program that writes the copied text to a file; returns that file.
fn clipboard(place: &Place) -> PathBuf {
    let (bin, copied) = (place.outer.path().join("bin"), place.outer.path().join("copied"));
    fs::create_dir_all(&bin).unwrap();
    let write = "printf '#!/bin/sh\\ncat > %s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let made = Command::new("sh").args(["-c", write, "sh"]).arg(bin.join("wl-copy")).arg(&copied).status();
    assert!(made.unwrap().success());
    copied
}

#[test]
fn a_deleted_teddy_directory_is_reported_on_the_screen_and_the_payload_can_be_copied() {
    let place = Place::prepared(&[PLAN]);
    let copied = clipboard(&place);
    let mut screen = resumed(&place);
    fs::remove_dir_all(place.root().join(".teddy")).unwrap();
    screen.wait_for("there is no `.teddy/` here");
    find(&mut screen, "mailer");
    screen.send("p");
    screen.wait_for("cannot write ");
    screen.send("y");
    screen.wait_for("but not saved: ");
    assert!(fs::read_to_string(copied).unwrap().contains("def send(to)"), "the pinned file is not in the payload");
    let printed = quit(screen);
    assert!(printed.contains("20260124-add-refund-capability was deleted by another program"), "{printed}");
    assert!(!place.root().join(".teddy").exists());
}

#[test]
fn overrides_on_a_full_disk_are_saved_once_there_is_room() {
    if !may_mount("open_screen::overrides_on_a_full_disk_are_saved_once_there_is_room") {
        return;
    }
    let base = Place::prepared(&[PLAN]);
    let place = Place::new();
    let copied = clipboard(&place);
    mount(&["-t", "tmpfs", "-o", "size=1m", "none"], &place.root());
    let status = Command::new("cp").arg("-a").arg(base.root().join(".")).arg(place.root()).status();
    assert!(status.unwrap().success());
    let mut screen = resumed(&place);
    fill(&place.root(), 0);
    let before = read(&place, RECORD);
    find(&mut screen, "mailer");
    screen.send("p");
    screen.wait_for("No space left on device");
    wait_for_pin(&screen, "mailer");
    assert_eq!(read(&place, RECORD), before);
    screen.send("y");
    screen.wait_for("but not saved: ");
    assert!(fs::read_to_string(copied).unwrap().contains("def send(to)"), "the pinned file is not in the payload");
    fs::remove_file(place.root().join(BALLAST)).unwrap();
    screen.send("\x1b");
    screen.wait("the whole list", |text| text.contains("╭ 6 items"));
    find(&mut screen, "ledger");
    screen.send("p");
    wait_for_pin(&screen, "ledger");
    quit(screen);
    let text = read(&place, RECORD);
    assert!(text.contains("src/mailer.py") && text.contains("src/ledger.py"), "{text}");
    unmount(&place.root());
}
