//! Two processes that write concurrently.

use std::process::{Child, Command};

use teddy::project::{Project, atomic, memos};

use super::Place;

const EACH: usize = 500;

/// Run by the test below in separate processes.
#[test]
fn a_process_that_writes() {
    let (Ok(root), Ok(name)) = (std::env::var("TEDDY_TEST_WRITER_ROOT"), std::env::var("TEDDY_TEST_WRITER_NAME"))
    else {
        return;
    };
    let project = Project::open(root.as_ref()).unwrap().unwrap();
    for index in 0..EACH {
        if index % 2 == 0 {
            memos::add(&project, &format!("{name} {index}")).unwrap();
        } else {
            atomic::append_line(&project.budget_log(), &format!("{{\"who\": \"{name} {index}\"}}")).unwrap();
        }
    }
}

#[test]
fn two_processes_with_a_thousand_writes_lose_none() {
    let place = Place::prepared(&[&["init"]]);
    let start = |name: &str| -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "interleaved::a_process_that_writes"])
            .env("TEDDY_TEST_WRITER_ROOT", place.root())
            .env("TEDDY_TEST_WRITER_NAME", name)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    for mut child in [start("one"), start("two")] {
        assert!(child.wait().unwrap().success());
    }
    let project = Project::open(&place.root()).unwrap().unwrap();
    let kept = memos::load(&project).unwrap();
    let log = std::fs::read_to_string(project.budget_log()).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!((kept.len(), lines.len()), (EACH, EACH));
    for name in ["one", "two"] {
        for index in 0..EACH {
            let wanted = format!("{name} {index}");
            let found = if index % 2 == 0 {
                kept.contains(&wanted)
            } else {
                lines.contains(&format!("{{\"who\": \"{wanted}\"}}").as_str())
            };
            assert!(found, "{wanted} is lost");
        }
    }
}
