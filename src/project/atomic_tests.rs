//! Tests of `atomic` on real files.

use super::*;
use proptest::prelude::*;

/// Names in `dir`, sorted.
fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn replaces_and_leaves_no_temporary_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("turn.yaml");
    write(&path, b"one").unwrap();
    write(&path, b"").unwrap();
    write(&path, b"three").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"three");
    assert_eq!(names(dir.path()), ["turn.yaml"]);
}

#[test]
fn several_files_are_replaced_together_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (dir.path().join("one"), dir.path().join("two"));
    write(&one, b"old").unwrap();
    fs::create_dir(dir.path().join("taken")).unwrap();
    assert!(stage(&[(&one, b"new"), (&dir.path().join("taken"), b"x")]).is_err());
    drop(stage(&[(&one, b"new"), (&two, b"new")]).unwrap());
    assert_eq!(names(dir.path()), ["one", "taken"]);
    assert_eq!(fs::read(&one).unwrap(), b"old");
    stage(&[(&one, b"new"), (&two, b"2")]).unwrap().commit().unwrap();
    assert_eq!((fs::read(&one).unwrap(), fs::read(&two).unwrap()), (b"new".to_vec(), b"2".to_vec()));
    assert_eq!(names(dir.path()), ["one", "taken", "two"]);
}

#[test]
fn a_long_name_still_gets_a_temporary_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ä".repeat(120));
    write(&path, b"x").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"x");
}

#[test]
fn a_directory_in_the_way_is_refused_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    fs::create_dir(&path).unwrap();
    let error = write(&path, b"new").unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(path.is_dir());
    assert_eq!(names(dir.path()), ["x"]);
    assert!(write(Path::new("/"), b"x").is_err());
}

#[test]
fn a_missing_or_impossible_directory_is_an_io_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "old").unwrap();
    for bad in ["missing/x", "file/x"] {
        let error = write(&dir.path().join(bad), b"new").unwrap_err();
        assert!(matches!(error, Error::Io { action: "write", .. }), "{error}");
        assert_eq!(error.exit_code(), 3);
    }
    assert_eq!(fs::read_to_string(dir.path().join("file")).unwrap(), "old");
}

#[test]
fn a_leftover_of_the_same_process_id_does_not_block() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    fs::write(dir.path().join(temp_name(&path, 0)), "leftover").unwrap();
    write(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[test]
fn concurrent_writers_never_expose_a_partial_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    write(&path, &[b'a'; 5000]).unwrap();
    std::thread::scope(|scope| {
        for letter in b'a'..b'e' {
            let path = &path;
            scope.spawn(move || (0..20).for_each(|_| write(path, &[letter; 5000]).unwrap()));
        }
        for _ in 0..200 {
            let seen = fs::read(&path).unwrap();
            assert!(seen.len() == 5000 && seen.iter().all(|b| *b == seen[0]));
        }
    });
    assert_eq!(names(dir.path()), ["x"]);
}

#[test]
fn a_directory_is_created_with_all_its_files_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let files = [("a", b"1".to_vec()), ("b", b"2".to_vec())];
    let made = create_dir(dir.path(), "01", &files).unwrap();
    assert_eq!(names(&made), ["a", "b"]);
    let Err(Error::Io { source, .. }) = create_dir(dir.path(), "01", &[]) else { panic!("made twice") };
    assert_eq!(source.kind(), io::ErrorKind::AlreadyExists);
    // The second file cannot be created below the first, so nothing may remain.
    let failed = create_dir(dir.path(), "02", &[("a", vec![]), ("a/b", vec![])]).unwrap_err();
    assert!(!matches!(&failed, Error::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists), "{failed}");
    assert_eq!(names(dir.path()), ["01"]);
}

#[test]
fn staged_files_are_removed_if_renaming_fails() {
    let dir = tempfile::tempdir().unwrap();
    let (taken, after) = (dir.path().join("taken"), dir.path().join("after"));
    let staged = stage(&[(&taken, b"x"), (&after, b"y")]).unwrap();
    assert_eq!(names(dir.path()).len(), 2);
    fs::create_dir(&taken).unwrap();
    let error = staged.commit().unwrap_err();
    assert!(matches!(&error, Error::Io { action: "write", path, .. } if *path == taken), "{error}");
    assert_eq!(names(dir.path()), ["taken"]);
}

#[test]
fn a_directory_is_removed_completely_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let gone = create_dir(dir.path(), "01", &[("a", b"1".to_vec())]).unwrap();
    fs::create_dir_all(gone.join("deep/er")).unwrap();
    remove_dir(&gone).unwrap();
    let error = remove_dir(&gone).unwrap_err();
    assert!(matches!(&error, Error::Io { action: "delete", .. }), "{error}");
    assert_eq!(names(dir.path()), Vec::<String>::new());
    assert!(remove_dir(Path::new("/")).is_err());
}

#[test]
fn temporary_names_contain_the_process_id() {
    for (name, owner) in [
        (".a.12.tmp", Some(12)),
        (".a.12-3.tmp", Some(12)),
        (".a.b.12.tmp", Some(12)),
        ("..12.tmp", None),
        (".12.tmp", None),
        ("a.12.tmp", None),
        (".a.12.tm", None),
        (".a.+12.tmp", None),
        (".a.-3.tmp", None),
        (".a.x.tmp", None),
        (".a.99999999999.tmp", None),
    ] {
        assert_eq!(temp_owner(name), owner, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn removes_only_leftovers_of_dead_processes() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let dead = child.id();
    child.wait().unwrap();
    let own = format!(".a.{}.tmp", std::process::id());
    let keep = [own.as_str(), ".tmp", ".x.tmp", "a.1.tmp", ".a.1x.tmp", ".a..tmp", "notes.tmp"];
    for name in keep {
        fs::write(dir.path().join(name), "").unwrap();
    }
    let stale = dir.path().join(format!(".a.b.{dead}.tmp"));
    let stale_dir = dir.path().join(format!(".02.{dead}-3.tmp"));
    fs::write(&stale, "").unwrap();
    fs::create_dir(&stale_dir).unwrap();
    fs::write(stale_dir.join("turn.yaml"), "").unwrap();
    assert_eq!(sweep(dir.path()), [stale_dir, stale]);
    assert_eq!(names(dir.path()).len(), keep.len());
    assert_eq!(sweep(&dir.path().join("missing")), Vec::<PathBuf>::new());
}

#[test]
fn an_incomplete_last_line_is_ended_before_appending() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.jsonl");
    append_line(&path, "{\"a\":1}").unwrap();
    append_line(&path, "{\"a\":2}").unwrap();
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"to").unwrap();
    append_line(&path, "{\"a\":3}").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"a\":2}\n{\"to\n{\"a\":3}\n");
    assert_eq!(append_line(&path, "a\nb").unwrap_err().exit_code(), 2);
    assert!(append_line(dir.path(), "x").is_err());
}

#[test]
fn concurrent_appends_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.jsonl");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || (0..50).for_each(|n| append_line(path, &format!("{thread}-{n}")).unwrap()));
        }
    });
    let text = fs::read_to_string(&path).unwrap();
    let lines: std::collections::BTreeSet<_> = text.lines().collect();
    assert_eq!((lines.len(), text.lines().count()), (200, 200));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn keeps_permission_bits() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn replaces_a_symlink_instead_of_following_it() {
        let dir = tempfile::tempdir().unwrap();
        let (target, link) = (dir.path().join("target"), dir.path().join("link"));
        fs::write(&target, "precious").unwrap();
        symlink(&target, &link).unwrap();
        assert!(append_line(&link, "x").is_err());
        write(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
        assert!(link.symlink_metadata().unwrap().is_file());
        assert_eq!(fs::read(&link).unwrap(), b"new");
    }

    #[test]
    fn devices_are_not_replaced() {
        let error = write(Path::new("/dev/null"), b"x").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(append_line(Path::new("/dev/null"), "x").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_as_such() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let error = Error::io("write", "x", fill(full, b"bytes", None).unwrap_err());
        assert_eq!(error.exit_code(), 3);
        assert!(error.hint().unwrap().contains("free some space"), "{error}");
    }

    #[test]
    fn a_read_only_directory_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        write(&path, b"old").unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let result = write(&path, b"new");
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        match result {
            Ok(()) => assert!(rustix::process::geteuid().is_root(), "only root may write there"),
            Err(error) => {
                assert!(error.hint().unwrap().contains("check the permissions"), "{error}");
                assert_eq!(fs::read(&path).unwrap(), b"old");
            }
        }
        assert_eq!(names(dir.path()), ["x"]);
    }

    /// The test below runs this in a process that can write only a few blocks.
    #[test]
    fn in_a_process_with_a_file_size_limit() {
        let Ok(dir) = std::env::var("TEDDY_TEST_LIMITED_DIR") else { return };
        let (file, log) = (Path::new(&dir).join("file"), Path::new(&dir).join("log"));
        let error = write(&file, &vec![b'n'; 100_000]).unwrap_err();
        assert!(matches!(error, Error::Io { .. }), "{error}");
        let error = append_line(&log, &"n".repeat(100_000)).unwrap_err();
        assert!(matches!(error, Error::Io { .. }), "{error}");
        for log in ["empty", "new"] {
            assert!(append_line(&Path::new(&dir).join(log), &"n".repeat(100_000)).is_err());
        }
    }

    #[test]
    fn a_write_cut_short_leaves_the_old_contents() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "old").unwrap();
        fs::write(dir.path().join("log"), "old\n").unwrap();
        fs::write(dir.path().join("empty"), "").unwrap();
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact \"$1\"";
        let name = format!("{}::in_a_process_with_a_file_size_limit", module_path!().split_once("::").unwrap().1);
        let output = std::process::Command::new("sh")
            .args(["-c", script])
            .arg(std::env::current_exe().unwrap())
            .arg(name)
            .env("TEDDY_TEST_LIMITED_DIR", dir.path())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
        assert_eq!(fs::read_to_string(dir.path().join("file")).unwrap(), "old");
        assert_eq!(fs::read_to_string(dir.path().join("log")).unwrap(), "old\n");
        // A log that already existed is kept, even if it is empty. A log that was created for this line is removed.
        assert_eq!(fs::read_to_string(dir.path().join("empty")).unwrap(), "");
        assert_eq!(names(dir.path()), ["empty", "file", "log"]);
    }
}

proptest! {
    #[test]
    fn temporary_names_contain_their_process(name in "[^/\0]{1,80}", attempt in 0..3u32) {
        prop_assume!(name != "." && name != "..");
        let temp = temp_name(&Path::new("dir").join(&name), attempt);
        let owner = temp_owner(temp.file_name().unwrap().to_str().unwrap());
        prop_assert_eq!(owner, Some(std::process::id()));
        prop_assert_eq!(temp.parent(), Some(Path::new("")));
    }
}

#[cfg(unix)]
#[test]
fn only_leftovers_of_the_same_file_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    for name in ["out.md", "other.md"] {
        fs::write(dir.path().join(format!(".{name}.{}.tmp", child.id())), "half").unwrap();
    }
    assert_eq!(sweep_beside(&dir.path().join("out.md")).len(), 1);
    assert_eq!(names(dir.path()), [format!(".other.md.{}.tmp", child.id())]);
}
