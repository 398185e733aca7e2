//! Turns on real directories.

use super::*;
use crate::project::Project;
use crate::project::overrides::{Override, Tier, Verb};
use crate::project::session::{self, SessionMeta};
use proptest::prelude::*;
use std::fs;

struct TurnFixture {
    _dir: tempfile::TempDir,
    session: Session,
}

impl TurnFixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        let session = session::create(&project, &SessionMeta::new("x", 0), 0).unwrap();
        Self { _dir: dir, session }
    }

    fn turn(&self) -> Turn {
        Turn::create(&self.session, next_turn(&self.session), &mut TurnRecord::default(), Vec::new()).unwrap()
    }
}

fn id(text: &str) -> TurnId {
    text.parse().unwrap()
}

#[test]
fn ids_are_read_leniently_and_written_strictly() {
    for (text, written) in [("1", "01"), ("007", "07"), ("100", "100"), ("2-branch-3", "02-branch-03")] {
        assert_eq!(id(text).to_string(), written);
    }
    for bad in
        ["", "0", "-1", "+1", "a", "1-", "1-branch-", "1-branch-0", "99999999999", "01-branch-01-branch-01", " 1"]
    {
        assert_eq!(bad.parse::<TurnId>().unwrap_err().exit_code(), 2, "{bad}");
    }
    assert_eq!(TurnId::of_directory("02"), Some(id("2")));
    for other in ["2", "002", "notes", "02-branch-1", "00"] {
        assert_eq!(TurnId::of_directory(other), None, "{other}");
    }
}

#[test]
fn a_history_with_gaps_branches_and_a_hundred_turns_is_in_order() {
    let setup = TurnFixture::new();
    assert_eq!((latest_turn(&setup.session), next_turn(&setup.session)), (None, id("1")));
    for name in ["100", "02", "10", "02-branch-10", "02-branch-02", "99", "01", "notes", "2", "001"] {
        fs::create_dir(setup.session.dir().join(name)).unwrap();
    }
    fs::write(setup.session.dir().join("200"), "a file").unwrap();
    let names: Vec<_> = turns(&setup.session).iter().map(ToString::to_string).collect();
    assert_eq!(names, ["01", "02", "02-branch-02", "02-branch-10", "10", "99", "100"]);
    assert_eq!((latest_turn(&setup.session), next_turn(&setup.session)), (Some(id("100")), id("101")));
    assert_eq!(next_branch(&setup.session, id("2")), id("02-branch-11"));
    assert_eq!(next_branch(&setup.session, id("02-branch-02")), id("02-branch-11"));
    assert_eq!(next_branch(&setup.session, id("10")), id("10-branch-01"));
}

#[test]
fn the_state_is_derived_from_the_files() {
    let setup = TurnFixture::new();
    let turn = setup.turn();
    assert_eq!(turn.state(), TurnState::Open);
    for (path, state) in [
        (turn.handoff_file(), TurnState::Open),
        (turn.checkpoint_file(), TurnState::Open),
        (turn.pack_file(), TurnState::Delivered),
        (turn.plan_file(), TurnState::Planned),
        (turn.report_file(), TurnState::Done),
    ] {
        fs::write(path, "").unwrap();
        assert_eq!(turn.state(), state);
    }
    let other = setup.turn();
    fs::write(other.payload_file(), "").unwrap();
    assert_eq!(format!("{:>10}", other.state()), " delivered");
}

#[test]
fn turn_files_have_fixed_paths() {
    let setup = TurnFixture::new();
    let turn = setup.turn();
    let places = [
        (turn.record_file(), "turn.yaml"),
        (turn.context_file(), "turn.context"),
        (turn.payload_file(), "payload.md"),
        (turn.pack_file(), "pack.json"),
        (turn.checkpoint_file(), "checkpoint.json"),
        (turn.replay_file(), "replay.json"),
        (turn.plan_file(), "plan.md"),
        (turn.report_file(), "report.md"),
        (turn.handoff_file(), "handoff.json"),
        (turn.evidence_file(1), "evidence-01.log"),
        (turn.evidence_file(12), "evidence-12.log"),
    ];
    for (path, name) in places {
        assert_eq!(path, setup.session.dir().join("01").join(name));
    }
    assert_eq!(turn.session(), &setup.session);
    // A pack without `payload.md` counts as delivered.
    for (made, delivered) in [
        (None, turn.payload_file()),
        (Some(turn.pack_file()), turn.pack_file()),
        (Some(turn.payload_file()), turn.payload_file()),
    ] {
        if let Some(path) = made {
            fs::write(path, "").unwrap();
        }
        assert_eq!(turn.delivered_file(), delivered);
    }
}

#[test]
fn a_turn_follows_the_one_in_its_record_or_the_previous_number() {
    let setup = TurnFixture::new();
    for name in ["01", "02", "02-branch-01", "04"] {
        fs::create_dir(setup.session.dir().join(name)).unwrap();
    }
    let before = |name: &str, after: &str| {
        let turn = Turn::open(&setup.session, id(name)).unwrap();
        fs::write(turn.record_file(), format!("message: x\nafter: {after}\n")).unwrap();
        before(&setup.session, &turn).unwrap().map(|turn| turn.id().to_string())
    };
    for (name, after, expected) in [
        ("04", "~", Some("02-branch-01")),
        ("04", "'02'", Some("02")),
        ("04", "'2'", Some("02")),
        ("04", "'03'", Some("02-branch-01")),
        ("04", "'04'", Some("02-branch-01")),
        ("04", "nonsense", Some("02-branch-01")),
        ("02-branch-01", "~", Some("01")),
        ("01", "~", None),
        ("01", "'04'", Some("04")),
    ] {
        assert_eq!(before(name, after).as_deref(), expected, "{name} after {after}");
    }
}

#[test]
fn a_turn_is_created_once_with_its_files() {
    let setup = TurnFixture::new();
    let mut record = TurnRecord { message: "go".to_owned(), ..TurnRecord::default() };
    let turn =
        Turn::create(&setup.session, id("1"), &mut record, vec![("turn.context", b"src/a.rs\n".to_vec())]).unwrap();
    assert_eq!(fs::read_to_string(turn.context_file()).unwrap(), "src/a.rs\n");
    assert_eq!(fs::read_to_string(turn.record_file()).unwrap(), "message: go\n");
    assert_eq!(Turn::create(&setup.session, id("1"), &mut record, Vec::new()).unwrap_err().exit_code(), 3);
    assert_eq!(Turn::open(&setup.session, id("1")).unwrap(), turn);
    assert!(
        matches!(Turn::open(&setup.session, id("2")), Err(Error::Missing { kind: "turn", nearest: Some(near), .. }) if near == "01")
    );
    record.fill = true;
    turn.save(&mut record).unwrap();
    assert_eq!(turn.record().unwrap(), record);
}

#[test]
fn overrides_undo_and_view_survive_with_foreign_keys() {
    let setup = TurnFixture::new();
    let turn = setup.turn();
    fs::write(turn.record_file(), "turn_id: 7\nview: {sort: score, wrap: true}\nmessage:\n").unwrap();
    let mut record = turn.record().unwrap();
    let step = |decision: Override, target: &str| OverrideRecord {
        action: Verb::Set(decision),
        targets: vec![target.into()],
        at: None,
    };
    record.overrides = vec![step(Override::Pin, "src/a.rs"), step(Override::Exclude, "*.lock")];
    record.undone = vec![step(Override::Demote(Tier::Linked), "b")];
    record.view.cursor = Some("src/a.rs".to_owned());
    (record.phase, record.budget, record.fill) = (Some(Phase::Implementation), Some(50_000), true);
    turn.save(&mut record).unwrap();
    assert_eq!(turn.record().unwrap(), record);
    let text = fs::read_to_string(turn.record_file()).unwrap();
    assert!(text.starts_with("turn_id: 7\nview:\n") && text.contains("wrap: true"), "{text}");
    record.undone.clear();
    record.phase = None;
    turn.save(&mut record).unwrap();
    let text = fs::read_to_string(turn.record_file()).unwrap();
    assert!(!text.contains("undone") && !text.contains("phase"), "{text}");
}

#[test]
fn changes_by_another_program_are_merged_or_reported() {
    let setup = TurnFixture::new();
    let turn = setup.turn();
    let (mut mine, mut theirs) = (turn.record().unwrap(), turn.record().unwrap());
    theirs.message = "theirs".to_owned();
    turn.save(&mut theirs).unwrap();
    mine.fill = true;
    turn.save(&mut mine).unwrap();
    let both = turn.record().unwrap();
    assert_eq!((both.message.as_str(), both.fill), ("theirs", true));
    mine.message = "mine".to_owned();
    let error = turn.save(&mut mine).unwrap_err();
    assert!(error.to_string().contains("`message`"), "{error}");
    assert_eq!(turn.record().unwrap(), both);
}

#[test]
fn a_missing_record_is_the_default_and_an_invalid_one_is_kept() {
    let setup = TurnFixture::new();
    let turn = setup.turn();
    fs::remove_file(turn.record_file()).unwrap();
    let mut record = turn.record().unwrap();
    assert!(record.message.is_empty() && record.view.is_empty() && record.overrides.is_empty());
    record.message = "again".to_owned();
    turn.save(&mut record).unwrap();
    assert_eq!(turn.record().unwrap(), record);
    fs::write(turn.record_file(), "rulings:\n- pin\n").unwrap();
    assert!(matches!(turn.record(), Err(Error::Syntax { line: 2, .. })));
    record.message = "more".to_owned();
    assert!(turn.save(&mut record).is_err());
    assert_eq!(fs::read_to_string(turn.record_file()).unwrap(), "rulings:\n- pin\n");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn turns_are_ordered_by_id_and_not_by_creation(
        made in prop::collection::hash_set((1..130u32, prop::option::weighted(0.4, 1..120u32)), 1..40),
    ) {
        let setup = TurnFixture::new();
        for (number, branch) in &made {
            let id = TurnId { number: *number, branch: *branch };
            fs::create_dir(setup.session.dir().join(id.to_string())).unwrap();
        }
        let listed = turns(&setup.session);
        prop_assert_eq!(listed.len(), made.len());
        for pair in listed.windows(2) {
            let key = |id: &TurnId| (id.number, id.branch.unwrap_or(0));
            prop_assert!(key(&pair[0]) < key(&pair[1]), "{} before {}", pair[0], pair[1]);
        }
        let highest = made.iter().map(|(number, _)| *number).max().unwrap();
        prop_assert_eq!(next_turn(&setup.session), TurnId { number: highest + 1, branch: None });
        for id in &listed {
            let branch = next_branch(&setup.session, *id);
            prop_assert!(branch > *id && !listed.contains(&branch) && branch.number == id.number);
            let before = before(&setup.session, &Turn::open(&setup.session, *id).unwrap()).unwrap();
            let lower = listed.iter().filter(|other| other.number < id.number).max();
            prop_assert_eq!(before.map(|turn| turn.id()), lower.copied());
        }
    }
}

proptest! {
    #[test]
    fn ids_round_trip_and_keep_their_order(a in (1..=u32::MAX, prop::option::of(1..=u32::MAX)), b in (1..200u32, prop::option::of(1..200u32))) {
        let [a, b] = [a, b].map(|(number, branch)| TurnId { number, branch });
        prop_assert_eq!(TurnId::of_directory(&a.to_string()), Some(a));
        prop_assert_eq!(a.cmp(&b), (a.number, a.branch.unwrap_or(0)).cmp(&(b.number, b.branch.unwrap_or(0))));
    }

    #[test]
    fn any_message_round_trips(message in "(?s).{0,60}", target in "(?s).{0,20}") {
        let record = TurnRecord {
            message,
            overrides: vec![OverrideRecord { action: Verb::Set(Override::Pin), targets: vec![target], at: None }],
            ..TurnRecord::default()
        };
        let path = std::path::Path::new("turn.yaml");
        let text = yaml::merge(path, None, &record, &Mapping::new()).unwrap();
        prop_assert_eq!(yaml::parse::<TurnRecord>(path, &text).unwrap(), record);
    }
}

#[test]
fn only_set_fields_are_written() {
    let setup = TurnFixture::new();
    let turn = setup.turn();
    let mut record = turn.record().unwrap();
    record.view.sort = Some("path".to_owned());
    assert!(!record.view.is_empty() && ListView::default().is_empty());
    turn.save(&mut record).unwrap();
    assert_eq!(fs::read_to_string(turn.record_file()).unwrap(), "view:\n  sort: path\n");
    record.view = ListView::default();
    record.fill = true;
    assert_eq!(turn.merged(&record).unwrap(), "fill: true\n");
}

#[test]
fn unknown_values_are_reported_with_their_location() {
    let setup = TurnFixture::new();
    let turn = setup.turn();
    for (text, place, why) in [
        ("message: x\nformat: pdf\n", "turn.yaml:2:9", "unknown variant `pdf`"),
        ("message: x\ntask_type: cook\n", "turn.yaml:2:12", "unknown variant `cook`"),
        ("message: x\ncomplexity: huge\n", "turn.yaml:2:13", "unknown variant `huge`"),
        ("message: x\nphase: 9\n", "turn.yaml:2:8", "expected 1 (discovery), 2 (implementation) or 3 (validation)"),
        ("message: x\nrulings:\n- ruling: pim\n", "turn.yaml:3:", "unknown override `pim`"),
    ] {
        fs::write(turn.record_file(), text).unwrap();
        let said = turn.record().unwrap_err().to_string();
        assert!(said.contains(place) && said.contains(why), "{said}");
    }
}
