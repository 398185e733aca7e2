//! Repeatedly swaps a directory for a link to the outside while the real binary runs: nothing outside is read or
//! written.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::make::{Hostile, OUTSIDE};
use super::scan::teddy;

/// Swaps `dir` between a real directory and a link to `outside` until `stop` is set; returns the number of swaps.
fn swap(dir: &Path, outside: &Path, stop: &AtomicBool) -> usize {
    let aside = dir.with_extension("aside");
    let mut times = 0;
    while !stop.load(Ordering::Relaxed) {
        fs::rename(dir, &aside).unwrap();
        symlink(outside, dir).unwrap();
        // Each state lasts long enough for some reads.
        std::thread::sleep(std::time::Duration::from_micros(400));
        fs::remove_file(dir).unwrap();
        fs::rename(&aside, dir).unwrap();
        std::thread::sleep(std::time::Duration::from_micros(400));
        times += 1;
    }
    times
}

#[test]
fn a_directory_that_becomes_a_link_is_not_followed() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("project");
    let outside = outer.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(root.join("src")).unwrap();
    for index in 0..40 {
        fs::write(root.join(format!("src/refund{index}.py")), format!("def refund{index}():\n    pass\n")).unwrap();
        fs::write(outside.join(format!("refund{index}.py")), format!("def refund{index}():\n    '''{OUTSIDE}'''\n"))
            .unwrap();
    }
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "Refunds"]] {
        Hostile::git(&root, args);
    }
    for index in 0..40 {
        // Changed files are read again for their diffs.
        fs::write(root.join(format!("src/refund{index}.py")), format!("def refund{index}():\n    return {index}\n"))
            .unwrap();
    }
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let swapper = scope.spawn(|| swap(&root.join("src"), &outside, &stop));
        for round in 0..12 {
            let format = if round % 2 == 0 { "hybrid" } else { "invocation" };
            let args = ["plan", "refund", "--fill", "--budget", "100000", "--stdout", "--format", format];
            let ran = teddy(outer.path(), &root, &args);
            if ran.out.contains(OUTSIDE) || ran.err.contains(OUTSIDE) {
                stop.store(true, Ordering::Relaxed);
                panic!("round {round} shows text from outside");
            }
        }
        stop.store(true, Ordering::Relaxed);
        let times = swapper.join().unwrap();
        println!("swapped {times} times in 12 runs");
        assert!(times > 12, "the directory was swapped {times} times only");
    });
}

#[test]
fn a_session_that_becomes_a_link_is_not_written_through() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("project");
    let outside = outer.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join("a.py"), "def refund():\n    pass\n").unwrap();
    assert_eq!(teddy(outer.path(), &root, &["plan", "refund", "--stdout"]).code, Some(0));
    let sessions = root.join(".teddy/sessions");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let swapper = scope.spawn(|| swap(&sessions, &outside, &stop));
        for round in 0..16 {
            let task = format!("refund {round}");
            let args: [&[&str]; 4] = [
                &["plan", &task, "--stdout"],
                &["resume", "-m", &task, "--stdout"],
                &["answer", "a.py", "--force"],
                &["handoff", "--goal", &task],
            ];
            let ran = teddy(outer.path(), &root, args[round % 4]);
            // It may report a link or a missing session, but must not follow the link.
            assert!(matches!(ran.code, Some(0..=3)), "{:?}: {}", ran.code, ran.err);
        }
        stop.store(true, Ordering::Relaxed);
        swapper.join().unwrap();
    });
    let left: Vec<_> = fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "written outside: {left:?}");
}
