//! Tests of session directories, including those written by other programs.

use super::*;
use crate::project::turn::{Turn, TurnRecord, next_turn};
use std::fs;
use std::time::Duration;

const DAY: i64 = 1_769_250_600; // 2026-01-24

struct SessionFixture {
    _dir: tempfile::TempDir,
    project: Project,
}

impl SessionFixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        Self { _dir: dir, project }
    }

    fn session(&self, goal: &str) -> Session {
        create(&self.project, &SessionMeta::new(goal, DAY), DAY).unwrap()
    }

    /// Creates a session directory as another program would.
    fn foreign(&self, name: &str, files: &[(&str, &str)]) -> Session {
        let dir = self.project.sessions_dir().join(name);
        fs::create_dir_all(&dir).unwrap();
        for (file, text) in files {
            fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
            fs::write(dir.join(file), text).unwrap();
        }
        self.find(name).unwrap()
    }

    fn find(&self, what: &str) -> Result<Session> {
        find(&self.project, self.project.root(), what)
    }

    fn names(&self) -> Vec<String> {
        list(&self.project).iter().map(|session| session.name().to_owned()).collect()
    }
}

fn add_turn(session: &Session) -> Turn {
    Turn::create(session, next_turn(session), &mut TurnRecord::default(), Vec::new()).unwrap()
}

/// Sets the modification time of everything in the turn.
fn touch(turn: &Turn, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    let files = fs::read_dir(turn.dir()).unwrap().map(|entry| entry.unwrap().path());
    for path in files.chain([turn.dir()]) {
        fs::File::open(path).unwrap().set_modified(time).unwrap();
    }
}

#[test]
fn sessions_are_named_after_date_and_goal_and_numbered_if_taken() {
    let setup = SessionFixture::new();
    let names = [(); 3].map(|()| setup.session("Add user auth").name().to_owned());
    assert_eq!(names, ["20260124-add-user-auth", "20260124-add-user-auth-2", "20260124-add-user-auth-3"]);
    let error = create(&setup.project, &SessionMeta::new("  ", DAY), DAY).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert_eq!(setup.names().len(), 3);
}

#[test]
fn concurrent_creations_get_different_names() {
    let setup = SessionFixture::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5).for_each(|_| drop(setup.session("same"))));
        }
    });
    assert_eq!(setup.names().len(), 20);
    assert_eq!(fs::read_dir(setup.project.sessions_dir()).unwrap().count(), 20);
}

#[test]
fn the_record_survives_and_the_goal_is_never_rewritten() {
    let setup = SessionFixture::new();
    let session = setup.session("Add refunds: all of them\n\nwith care");
    let mut meta = session.meta().unwrap();
    assert_eq!(
        (meta.goal(), meta.created.as_deref()),
        ("Add refunds: all of them\n\nwith care", Some("2026-01-24T10:30:00Z"))
    );
    meta.definition_of_done = vec!["tests pass".to_owned()];
    meta.decisions.push(Decision { id: "d1".into(), summary: "use cents".into(), ..Decision::default() });
    session.save(&mut meta).unwrap();
    assert_eq!(session.meta().unwrap(), meta);

    // While we hold the old record, the person edits the goal and another tool adds a key.
    let text = fs::read_to_string(session.meta_file()).unwrap();
    let edited = text.replace("Add refunds: all of them", "Add partial refunds") + "ticket: 42\n";
    fs::write(session.meta_file(), edited).unwrap();
    meta.task_type = Some(TaskType::Implement);
    session.save(&mut meta).unwrap();
    let text = fs::read_to_string(session.meta_file()).unwrap();
    assert!(text.contains("partial") && text.contains("ticket: 42") && text.contains("task_type: implement"), "{text}");
    assert!(session.meta().unwrap().goal().starts_with("Add partial refunds"));
    assert_eq!(session.meta().unwrap(), meta);
}

#[test]
fn a_record_that_did_not_change_keeps_its_comments() {
    let setup = SessionFixture::new();
    let text = "# mine\ngoal: x # why\nconstraints: no new dependencies\ndecisions: [use cents]\n";
    let session = setup.foreign("20260124-x", &[("session.yaml", text)]);
    let mut meta = session.meta().unwrap();
    assert_eq!(
        (&meta.constraints[..], &meta.decisions[0].summary[..]),
        (&["no new dependencies".to_owned()][..], "use cents")
    );
    session.save(&mut meta).unwrap();
    assert_eq!(fs::read_to_string(session.meta_file()).unwrap(), text);
}

#[test]
fn an_invalid_record_is_reported_with_its_location_and_not_overwritten() {
    let setup = SessionFixture::new();
    let session = setup.session("x");
    let mut meta = session.meta().unwrap();
    meta.complexity = Some(Complexity::Simple);
    for broken in ["goal: [", "goal: x\nconstraints: {a: b}\n", "- x\n"] {
        fs::write(session.meta_file(), broken).unwrap();
        assert!(matches!(session.meta(), Err(Error::Syntax { .. })), "{broken}");
        assert!(matches!(session.save(&mut meta), Err(Error::Syntax { .. })), "{broken}");
        assert_eq!(fs::read_to_string(session.meta_file()).unwrap(), broken);
    }
    assert_eq!(setup.names().len(), 1);
}

#[test]
fn sessions_of_other_programs_are_read() {
    let setup = SessionFixture::new();
    for (name, files, goal) in [
        ("a", vec![("initial_request.md", "\n\nsome words\n# Add login\n")], "Add login"),
        ("b", vec![("initial_request.md", "\u{feff}Just do it\nplease\n"), ("meta.yaml", "x: [")], "Just do it"),
        ("c", vec![("01/initial_request.md", "## In a turn"), ("01/plan.md", "")], "In a turn"),
        ("20260124-from-the-name", vec![("system_prompt.xml", "<x/>")], "from the name"),
        ("20260417_120000-feat-x", vec![("01/meta.yaml", "turn_id: '01'\n")], "feat x"),
        ("e", vec![("meta.yaml", "agent_name: pf\ngoal: |\n  Add search\n  to it\n")], "Add search"),
        ("f", vec![("01/meta.yaml", "request: [not, a, text]\ntask: Find it\n")], "Find it"),
        ("d", vec![("initial_request.md", "###\n"), ("session.yaml", "goal: ''\n")], "d"),
    ] {
        assert_eq!(setup.foreign(name, &files).meta().unwrap().goal(), goal, "{name}");
    }
    let session = setup.find("a").unwrap();
    let mut meta = session.meta().unwrap();
    meta.complexity = Some(Complexity::Simple);
    session.save(&mut meta).unwrap();
    assert_eq!(fs::read_to_string(session.meta_file()).unwrap(), "goal: Add login\ncomplexity: simple\n");
}

#[test]
fn sessions_are_listed_by_last_change_then_name() {
    let setup = SessionFixture::new();
    let turns = ["one", "two", "three", "four"].map(|goal| add_turn(&setup.session(goal)));
    for (turn, time) in turns.iter().zip([100, 300, 200, 200]) {
        touch(turn, time);
    }
    fs::create_dir(setup.project.sessions_dir().join(".two.1.tmp")).unwrap();
    fs::write(setup.project.sessions_dir().join("README"), "").unwrap();
    assert_eq!(setup.names(), ["20260124-two", "20260124-three", "20260124-four", "20260124-one"]);
    touch(&turns[0], 400);
    assert_eq!(setup.names()[0], "20260124-one");
    // An editor that writes in place does not change the time of the directory.
    fs::File::open(turns[3].record_file())
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(500))
        .unwrap();
    assert_eq!(setup.names()[0], "20260124-four");
    let (last, turn) = locate(&setup.project, setup.project.root(), None).unwrap();
    assert_eq!((last.name(), turn), ("20260124-four", None));
}

#[test]
fn sessions_are_found_by_name_prefix_slug_and_path() {
    let setup = SessionFixture::new();
    let (auth, login) = (setup.session("Add user auth"), setup.session("Fix login"));
    let turn = add_turn(&auth);
    let inside = turn.record_file();
    for what in ["20260124-add-user-auth", "20260124-a", "add-user-auth", inside.to_str().unwrap()] {
        assert_eq!(setup.find(what).unwrap(), auth, "{what}");
    }
    assert_eq!(find(&setup.project, login.dir(), ".").unwrap(), login);
    assert_eq!(find(&setup.project, &setup.project.sessions_dir(), "20260124-add-user-auth/01").unwrap(), auth);
    let error = setup.find("20260124").unwrap_err();
    assert!(error.to_string().contains("matches 2 sessions"), "{error}");
    for (bad, near) in [
        ("20260124-ad-user-auth", Some(auth.name())),
        ("fix-logn", Some(login.name())),
        ("zzzz", None),
        ("", None),
        ("../..", None),
    ] {
        match setup.find(bad) {
            Err(Error::Missing { kind: "session", nearest, .. }) => assert_eq!(nearest.as_deref(), near, "{bad}"),
            other => panic!("{bad}: {other:?}"),
        }
    }
}

#[test]
fn turns_are_located() {
    let setup = SessionFixture::new();
    let none = locate(&setup.project, setup.project.root(), None).unwrap_err();
    assert_eq!(none.exit_code(), 1);
    let (auth, login) = (setup.session("Add user auth"), setup.session("Fix login"));
    touch(&add_turn(&auth), 100);
    touch(&add_turn(&auth), 100);
    touch(&add_turn(&login), 200);
    let at = |what: &str| {
        let (session, turn) = locate(&setup.project, setup.project.root(), Some(what))?;
        Ok::<_, Error>((session.name().to_owned(), turn.map(|id| id.to_string())))
    };
    let file = auth.dir().join("02/turn.yaml");
    for (what, session, turn) in [
        ("1", &login, Some("01")),
        ("add-user-auth/2", &auth, Some("02")),
        ("20260124-a/02", &auth, Some("02")),
        (file.to_str().unwrap(), &auth, Some("02")),
        (".teddy/sessions/20260124-fix-login", &login, None),
        (".teddy/sessions/20260124-fix-login/session.yaml", &login, None),
        ("20260124-add-user-auth/02/turn.yaml", &auth, Some("02")),
        ("20260124-add-user-auth/02/report.md", &auth, Some("02")),
        (".teddy/sessions/20260124-add-user-auth/01/deep/er", &auth, Some("01")),
        ("20260124-add-user-auth/", &auth, None),
        ("fix-login", &login, None),
    ] {
        assert_eq!(at(what).unwrap(), (session.name().to_owned(), turn.map(str::to_owned)), "{what}");
    }
    assert!(matches!(at("add-user-auth/9"), Err(Error::Missing { kind: "turn", .. })));
    assert!(matches!(at("nobody/01"), Err(Error::Missing { kind: "session", .. })));
    assert!(matches!(at("20260124-add-user-auth/09"), Err(Error::Missing { kind: "turn", .. })));
    assert!(matches!(at("20260124-add-user-auth/02/../../../.."), Err(Error::Missing { .. })));
    let below = setup.project.root().join("src");
    fs::create_dir(&below).unwrap();
    for (from, what) in [
        (&below, ".teddy/sessions/20260124-add-user-auth/02"),
        (&below, "../.teddy/sessions/20260124-add-user-auth/02/turn.yaml"),
        (&auth.dir().to_path_buf(), "02"),
        (&auth.dir().join("02"), "."),
        (&auth.dir().join("01"), "../02/report.md"),
    ] {
        let (session, turn) = locate(&setup.project, from, Some(what)).unwrap();
        assert_eq!((session.name(), turn.map(|id| id.to_string()).as_deref()), (auth.name(), Some("02")), "{what}");
    }
}

#[cfg(unix)]
#[test]
fn symlinks_are_neither_sessions_nor_read() {
    let setup = SessionFixture::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("session.yaml"), "goal: secret\n").unwrap();
    std::os::unix::fs::symlink(outside.path(), setup.project.sessions_dir().join("20260124-x")).unwrap();
    assert!(setup.names().is_empty());
    let session = setup.session("y");
    fs::remove_file(session.meta_file()).unwrap();
    std::os::unix::fs::symlink(outside.path().join("session.yaml"), session.meta_file()).unwrap();
    assert!(matches!(session.meta(), Err(Error::Outside { .. })));
}

#[test]
fn a_slug_follows_the_date_or_is_the_whole_name() {
    for day in ["20260124", "20260124_103000"] {
        assert!(is_date(day), "{day}");
    }
    for other in ["", "2026012", "202601245", "2026012x", "20260124_1030", "20260124_", "x_103000", "_103000"] {
        assert!(!is_date(other), "{other}");
    }
    let setup = SessionFixture::new();
    let theirs = setup.foreign("20260124_103000-add-it", &[]);
    assert_eq!((theirs.slug(), setup.find("add-it").unwrap().name()), ("add-it", theirs.name()));
    assert_eq!(setup.foreign("notes-of-mine", &[]).slug(), "notes-of-mine");
    assert!(matches!(setup.find(""), Err(Error::Missing { .. })), "nothing fits everything");
}

#[test]
fn a_name_is_free_until_it_is_taken() {
    let setup = SessionFixture::new();
    let free = || free_name(&setup.project, "Add it", DAY);
    assert_eq!((free(), name_for("Add it", DAY)), ("20260124-add-it".to_owned(), "20260124-add-it".to_owned()));
    let session = setup.session("Add it");
    assert_eq!(free(), "20260124-add-it-2");
    // The name is taken by any existing entry, not only by a session.
    fs::write(setup.project.sessions_dir().join("20260124-add-it-2"), "").unwrap();
    assert_eq!(free(), "20260124-add-it-3");
    assert_eq!(setup.session("Add it").name(), "20260124-add-it-3");
    assert_eq!(session.dir(), setup.project.sessions_dir().join("20260124-add-it"));
    assert_eq!(session.root(), setup.project.root());
    assert_eq!(session.meta_file(), session.dir().join("session.yaml"));
    assert_eq!(session.context_file(), session.dir().join("session.context"));
}

#[test]
fn another_programs_request_is_found_in_the_session_or_its_first_turn() {
    let setup = SessionFixture::new();
    for (name, files, request) in [
        ("20260124-a", &[("initial_request.md", "own"), ("01/initial_request.md", "first")][..], Some("own")),
        ("20260124-b", &[("01/initial_request.md", "first"), ("02/initial_request.md", "second")], Some("first")),
        ("20260124-c", &[("02/initial_request.md", "second"), ("01/other.md", "x")], None),
    ] {
        assert_eq!(setup.foreign(name, files).initial_request().as_deref(), request, "{name}");
    }
    for (name, files, goal) in [
        ("20260124-d", &[("initial_request.md", "\n  \nfirst line\n## The heading\n")][..], "The heading"),
        ("20260124-e", &[("initial_request.md", "\u{feff}first line\nsecond\n")], "first line"),
        ("20260124-add-it", &[("initial_request.md", "###\n")], "add it"),
        ("20260124-f", &[("meta.yaml", "title: later\nrequest: sooner\n")], "sooner"),
    ] {
        assert_eq!(setup.foreign(name, files).meta().unwrap().goal(), goal, "{name}");
    }
}
