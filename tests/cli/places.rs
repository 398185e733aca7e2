//! Tests of starting directories: plain directories, repositories in every state, subdirectories.

use std::fs;

use super::support::{Place, SESSION, TASK, git_in, item, json, ran};

#[test]
fn a_plain_directory_works() {
    let place = Place::plain();
    let ran = place.ok(&["plan", TASK]);
    assert!(ran.out.contains("src/payment.py"), "{}", ran.out);
    assert!(place.ok(&["doctor"]).out.contains("not a Git repository"));
}

#[test]
fn an_empty_directory_and_an_empty_repository_work() {
    for repository in [false, true] {
        let place = Place::empty();
        if repository {
            place.git(&["init", "-q"]);
        }
        let ran = place.ok(&["plan", TASK]);
        assert!(ran.out.contains("## META"), "{}", ran.out);
        assert!(place.ok(&["verify"]).out.contains("is intact"));
        place.ok(&["doctor"]);
    }
}

#[test]
fn payloads_in_the_project_are_not_candidates() {
    let place = Place::repository();
    let planned = || json(&place.ok(&["plan", TASK, "--fill", "--dry-run", "--json"]).out);
    let before = planned();
    for format in ["hybrid", "xml", "invocation", "prompt", "pack"] {
        place.ok(&["plan", TASK, "--format", format, "-o", &format!("out-{format}.md")]);
    }
    place.ok(&["plan", TASK, "--fill", "--split", "1000", "-o", "parts.md"]);
    for run in ["first run", "cached run"] {
        let plan = planned();
        assert_eq!(plan["items"], before["items"], "{run}");
        let skipped = plan["skipped"].as_array().unwrap();
        assert!(skipped.iter().all(|one| one["why"] == "a payload written by teddy"), "{run}: {skipped:?}");
        assert!(skipped.iter().any(|one| one["path"].as_str().unwrap().starts_with("parts.2of")), "{skipped:?}");
        assert_eq!(skipped.iter().filter(|one| one["path"].as_str().unwrap().starts_with("out-")).count(), 5);
    }
    place.refused(&["plan", TASK, "--pin", "out-xml.md"], 2, &["skipped by the scan", "a payload written by teddy"]);
}

#[test]
fn changes_of_ignored_files_are_not_included() {
    let place = Place::repository();
    place.write("priv/pay.txt", "salaries of refund clerks\n");
    place.write("priv/other.txt", "refund forms\n");
    place.write("notes.txt", "refund notes\n");
    place.commit("Add pay");
    fs::remove_file(place.path("priv/pay.txt")).unwrap();
    let told = |args: &[&str]| place.ok(&[&["plan", TASK, "--dry-run", "--fill"], args].concat()).out;
    let all = told(&[]);
    assert!(all.contains("changes:priv/pay.txt") && all.contains("-salaries of refund clerks"), "{all}");
    for filter in
        [&["--exclude", "priv/**"][..], &["--exclude", "priv"], &["--exclude", "priv/pay.txt"], &["--only", "src/**"]]
    {
        let out = told(filter);
        assert!(!out.contains("pay.txt") && !out.contains("salaries"), "{filter:?}: {out}");
    }
    assert!(told(&["--only", "priv"]).contains("-salaries"), "what is gone may be asked for");
    // Pinning a directory pins the files that exist.
    let pinned = json(&place.ok(&["plan", TASK, "--dry-run", "--json", "--pin", "priv"]).out);
    assert_eq!(item(&pinned, "priv/other.txt")["ruling"], "pin");
    assert!(item(&pinned, "changes:priv/pay.txt")["ruling"].is_null(), "{pinned:#}");
    // Changes to files that were not requested are not included.
    place.write("notes.txt", "other notes\n");
    assert!(told(&[]).contains("changes:notes.txt"));
    assert!(!told(&["--only", "src/**"]).contains("notes.txt"));
    // Deleted and staged files also obey the configuration and ignore files.
    for (file, text) in [
        (".teddy/config.yaml", "ignore: [\"priv/**\"]\n"),
        (".teddy/config.yaml", "ignore: [priv]\n"),
        (".teddy/config.yaml", "tiers: [{ glob: \"priv/**\", tier: out }]\n"),
        (".teddyignore", "priv/\n"),
    ] {
        let _ = fs::remove_file(place.path(".teddy/config.yaml"));
        place.write(file, text);
        assert!(!told(&[]).contains("salaries"), "{text}");
    }
    place.write("priv/pay.txt", "salaries and a bonus\n");
    place.git(&["add", "priv"]);
    assert!(!told(&[]).contains("bonus"));
}

#[test]
fn teddys_own_files_are_not_changes() {
    let place = Place::repository();
    place.ok(&["plan", TASK]);
    place.git(&["add", "-A"]);
    let told = || place.ok(&["plan", TASK, "--dry-run", "--fill"]).out;
    assert!(!told().contains("changes:.teddy"));
    place.commit("Keep the session");
    fs::remove_dir_all(place.path(".teddy/sessions")).unwrap();
    assert!(!told().contains("changes:.teddy"));
}

#[test]
fn a_repository_without_commits_works() {
    let place = Place::plain();
    place.git(&["init", "-q", "-b", "main"]);
    let ran = place.ok(&["plan", TASK]);
    assert!(ran.out.contains("def charge"), "{}", ran.out);
    assert!(place.ok(&["doctor"]).out.contains("main at no commit yet"));
}

#[test]
fn a_linked_worktree_has_its_own_project() {
    let place = Place::planned();
    let tree = place.outside().join("tree");
    place.git(&["worktree", "add", "-q", tree.to_str().unwrap(), "-b", "other"]);
    let first = ran(place.teddy_in(&tree).args(["plan", TASK]));
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out.contains("def charge"), "{}", first.out);
    assert!(tree.join(".teddy/sessions").join(SESSION).is_dir());
    let doctor = ran(place.teddy_in(&tree).arg("doctor"));
    assert!(doctor.out.contains("other at ") && doctor.out.contains("linked work tree"), "{}", doctor.out);
}

#[test]
fn a_worktree_inside_the_project_is_not_scanned() {
    let place = Place::repository();
    place.git(&["worktree", "add", "-q", ".worktrees/other", "-b", "other"]);
    let plan = json(&place.ok(&["plan", TASK, "--fill", "--dry-run", "--json"]).out);
    assert!(
        plan["items"].as_array().unwrap().iter().all(|item| !item["path"].as_str().unwrap().contains(".worktrees"))
    );
    let skipped = &plan["skipped"][0];
    assert_eq!(
        (&skipped["path"], &skipped["why"]),
        (&".worktrees/other".into(), &"another worktree of this repository".into())
    );
    // In a command that runs inside the other worktree, that worktree is the project.
    let inside = ran(place.teddy_in(&place.path(".worktrees/other")).args(["plan", TASK, "--dry-run"]));
    assert!(inside.out.contains("def charge"), "{}", inside.out);
}

#[test]
fn a_shallow_clone_works() {
    let place = Place::repository();
    place.write("src/payment.py", "def charge():\n    return 1\n");
    place.commit("Simplify");
    let source = format!("file://{}", place.root().display());
    git_in(place.outside(), &["clone", "-q", "--depth", "1", &source, "shallow"]);
    let clone = place.outside().join("shallow");
    let planned = ran(place.teddy_in(&clone).args(["plan", TASK]));
    assert_eq!(planned.code, 0, "{}", planned.err);
    let doctor = ran(place.teddy_in(&clone).arg("doctor"));
    assert!(doctor.out.contains(", shallow") && doctor.out.contains("1 commit read"), "{}", doctor.out);
}

#[test]
fn a_subdirectory_of_a_repository_belongs_to_its_root() {
    let place = Place::repository();
    let below = ran(place.teddy_in(&place.path("src")).args(["plan", TASK]));
    assert_eq!(below.code, 0, "{}", below.err);
    assert!(place.session("01/payload.md").is_file());
    assert!(!place.path("src/.teddy").exists());
    assert!(below.out.contains("tests/test_payment.py"), "{}", below.out);
    assert!(below.err.contains("created ../.teddy\n"), "{}", below.err);
    assert!(below.err.contains(&format!("saved in ../.teddy/sessions/{SESSION}/01/payload.md\n")), "{}", below.err);
    let listed = ran(place.teddy_in(&place.path("src")).arg("sessions"));
    assert!(listed.out.contains(SESSION), "{}", listed.out);
}

#[test]
fn a_teddy_in_a_subdirectory_makes_it_a_project() {
    let place = Place::repository();
    fs::create_dir(place.path("src/.teddy")).unwrap();
    place.write("src/payment.py", "def charge_and_refund():\n    return 1\n");
    let below = ran(place.teddy_in(&place.path("src")).args(["plan", TASK, "--json"]));
    assert_eq!(below.code, 0, "{}", below.err);
    let plan = json(&below.out);
    let paths: Vec<&str> =
        plan["items"].as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap()).collect();
    assert!(paths.contains(&"payment.py") && !paths.contains(&"tests/test_payment.py"), "{paths:?}");
    assert!(paths.contains(&"changes:payment.py"), "git's paths do not fit the project's: {paths:?}");
    assert!(place.path(&format!("src/.teddy/sessions/{SESSION}/01/payload.md")).is_file());
    assert!(!place.path(".teddy").exists());
}

#[test]
fn another_directory_can_be_selected() {
    let place = Place::repository();
    let elsewhere = ran(place.teddy_in(place.outside()).args(["-C", "project/src", "plan", TASK, "-o", "out.md"]));
    assert_eq!(elsewhere.code, 0, "{}", elsewhere.err);
    assert!(place.path("src/out.md").is_file());
    assert!(place.session("01/payload.md").is_file());
    let after = ran(place.teddy_in(place.outside()).args(["sessions", "-C", "project"]));
    assert!(after.out.contains(SESSION), "{}", after.out);
    for (dir, why) in [("nowhere", "nowhere does not exist"), ("project/README.md", "README.md is not a directory")] {
        let wrong = ran(place.teddy_in(place.outside()).args(["-C", dir, "plan", TASK]));
        assert_eq!(wrong.code, 2, "{}", wrong.err);
        assert!(wrong.err.contains(why), "{}", wrong.err);
    }
}

#[cfg(unix)]
#[test]
fn a_directory_reached_through_a_link_is_the_same_project() {
    let place = Place::repository();
    let link = place.outside().join("link");
    std::os::unix::fs::symlink(place.root(), &link).unwrap();
    let planned = ran(place.teddy_in(&link).args(["plan", TASK]));
    assert!(planned.err.contains(&format!("saved in .teddy/sessions/{SESSION}/01/payload.md\n")), "{}", planned.err);
}

#[test]
fn ignore_files_apply_and_teddyignore_can_override_them() {
    let place = Place::repository();
    place.write(".gitignore", "build/\n*.log\n");
    place.write(".teddyignore", "!refund.log\ndocs/\n");
    place.write("build/refund.py", "def refund(): pass\n");
    place.write("refund.log", "refund refund\n");
    place.write("other.log", "refund\n");
    let plan = place.placed(&[]);
    item(&plan, "refund.log");
    for path in ["build/refund.py", "other.log", "docs/refunds.md"] {
        assert!(plan["items"].as_array().unwrap().iter().all(|item| item["path"] != path), "{path}");
    }
}
