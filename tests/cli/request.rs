//! The request that a payload ends with: goal, task, acceptance criteria and instructions, in every format.

use super::support::{Place, SESSION, TASK, json};

const FORMATS: [&str; 5] = ["hybrid", "xml", "invocation", "prompt", "pack"];
const MESSAGE: &str = "Now refund in part";

#[test]
fn acceptance_criteria_reach_the_model_in_every_format() {
    for format in FORMATS {
        let place = Place::repository();
        let made =
            place.ok(&["plan", TASK, "--format", format, "--done", "Partial refunds work", "--done", "Docs say so"]);
        let stated = match format {
            "xml" => "<criterion>Partial refunds work</criterion>\n<criterion>Docs say so</criterion>\n",
            "pack" => "\"definitionOfDone\":[\"Partial refunds work\",\"Docs say so\"]",
            _ => "### Acceptance Criteria\n\n- [ ] Partial refunds work\n- [ ] Docs say so\n",
        };
        assert_eq!(made.out.matches(stated).count(), 1, "{format}: {}", made.out);
        assert_eq!(made.out.matches("Docs say so").count(), 1, "{format}: {}", made.out);
    }
}

#[test]
fn constraints_and_decisions_reach_the_model_in_every_format() {
    for format in FORMATS {
        let place = Place::repository();
        let terms = ["--constraint", "No new dependencies", "--decision", "Money is in cents"];
        let made = place.ok(&[&["plan", TASK, "--format", format][..], &terms].concat());
        let stated = match format {
            "xml" => {
                "<constraints>\n<constraint>No new dependencies</constraint>\n</constraints>\n\
                 <decisions>\n<decision>Money is in cents</decision>\n</decisions>\n"
            }
            "pack" => "\"summary\":\"Money is in cents\"",
            _ => "### Constraints\n\n- No new dependencies\n\n### Decisions\n\n- Money is in cents\n",
        };
        assert_eq!(made.out.matches(stated).count(), 1, "{format}: {}", made.out);
        assert_eq!(made.out.matches("No new dependencies").count(), 1, "{format}: {}", made.out);
    }
}

#[test]
fn terms_given_to_a_later_turn_hold_from_then_on() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--criteria", "Partial refunds work", "--constraint", "No new dependencies"]);
    place.write_session("01/report.md", "Done.\n");
    let added = ["--criteria", "Docs say so", "--criteria", "Partial refunds work", "--decision", "Money is in cents"];
    let before = place.read_session("session.yaml");
    let stated = "### Acceptance Criteria\n\n- [ ] Partial refunds work\n- [ ] Docs say so\n\n\
                  ### Constraints\n\n- No new dependencies\n\n### Decisions\n\n- Money is in cents\n";
    let start = ["plan", "--session", SESSION, "-m", MESSAGE];
    let tried = place.ok(&[&start[..], &added, &["--dry-run"]].concat()).out;
    assert!(tried.contains(stated), "{tried}");
    assert_eq!(place.read_session("session.yaml"), before, "a dry run writes nothing");
    let second = place.ok(&[&start[..], &added, &["--stdout"]].concat()).out;
    assert!(second.contains(stated), "{second}");
    place.write_session("02/report.md", "Done.\n");
    let third = place.ok(&["resume", "--constraint", "Python 3.11", "--stdout"]).out;
    let stated = stated.replace("No new dependencies\n", "No new dependencies\n- Python 3.11\n");
    assert!(third.contains(&stated), "{third}");
}

#[test]
fn later_turns_state_the_goal_and_the_new_message() {
    for format in FORMATS {
        let place = Place::repository();
        let first = place.ok(&["plan", TASK, "--format", format]);
        assert!(!first.out.contains("Session Goal") && !first.out.contains("Session goal"), "{format}: {}", first.out);
        place.write_session("01/report.md", "Done.\n");
        let next = place.ok(&["plan", "--session", SESSION, "-m", MESSAGE, "--format", format, "--stdout"]);
        let stated = match format {
            "hybrid" | "invocation" => format!("### Session Goal\n\n{TASK}\n\n### Task\n\n{MESSAGE}\n"),
            "xml" => format!("<goal>\n{TASK}\n</goal>\n<task>\n{MESSAGE}\n</task>\n"),
            "prompt" => format!("## Request\n{MESSAGE}\n\n### Session Goal\n\n{TASK}\n"),
            _ => format!("\"goal\":\"{MESSAGE}. Session goal: {TASK}\""),
        };
        assert!(next.out.contains(&stated), "{format}: {}", next.out);
    }
}

#[test]
fn a_payload_ends_with_the_request_with_or_without_an_acknowledgement() {
    let place = Place::repository();
    let asking = place.ok(&["plan", TASK, "--dry-run", "--done", "It works"]).out;
    let silent = place.ok(&["plan", TASK, "--dry-run", "--done", "It works", "--no-ack"]).out;
    assert!(asking.contains("## ACK\n\nBegin your answer with this block, completed:\n\n```yaml\nPAYLOAD_ACK:\n"));
    assert!(silent.contains("## ACK\n\n### Task\n\n") && !silent.contains("PAYLOAD_ACK"), "{silent}");
    for payload in [&asking, &silent] {
        let (_, end) = payload.split_once("## ACK\n").unwrap();
        let (_, request) = end.split_once("### Task\n\n").unwrap();
        let opening =
            format!("{TASK}\n\n### Acceptance Criteria\n\n- [ ] It works\n\n### Instructions\n\nAs an implement task");
        assert!(request.starts_with(&opening), "{request}");
        assert!(request.ends_with("\n\n<!-- end of payload -->\n"), "{request}");
    }
    place.write_own_config("acknowledgement: false\n");
    let configured = place.ok(&["plan", TASK, "--dry-run", "--done", "It works"]).out;
    assert_eq!(configured, silent);
    let tagged = place.ok(&["plan", TASK, "--dry-run", "--format", "xml"]).out;
    assert!(
        tagged.contains("<ack>\n<request>\n<task>\n") && tagged.ends_with("</request>\n</ack>\n</context_payload>\n")
    );
}

#[test]
fn a_turn_without_an_acknowledgement_can_be_verified_and_replayed() {
    let place = Place::repository();
    let first = place.ok(&["plan", TASK, "--no-ack"]).out;
    assert_eq!(place.ok(&["resume", "--stdout"]).out, first);
    assert!(place.ok(&["verify"]).out.contains("is intact"));
    assert_eq!(place.ok(&["replay", "--stdout"]).out, first);
}

#[test]
fn the_fingerprint_lists_each_source_with_its_path_and_hash() {
    let place = Place::repository();
    let made = place.ok(&["plan", TASK, "--dry-run", "--json"]);
    let placed = json(&made.out)["items"].as_array().unwrap().clone();
    let text = place.ok(&["plan", TASK, "--dry-run"]).out;
    let (_, section) = text.split_once("\n## Context Fingerprint\n").unwrap();
    let (section, _) = section.split_once("\n## ACK\n").unwrap();
    let listed: Vec<&str> = section.lines().filter(|line| line.starts_with("- `")).collect();
    let shown = placed.iter().filter(|item| item["tier"] == "raw" || item["tier"] == "linked").count();
    assert_eq!(listed.len(), shown, "{section}");
    let line = listed.iter().find(|line| line.starts_with("- `src/payment.py` ")).unwrap();
    let digits = line.rsplit(' ').next().unwrap();
    assert!(digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
}

#[test]
fn a_template_with_the_criteria_contains_them_once() {
    let place = Place::repository();
    place.write_own_config("");
    let own = place.outside().join("home/.config/teddy/prompts");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("implement.md"), "Finish all of these:\n{{definition_of_done}}\n").unwrap();
    for format in ["hybrid", "xml", "prompt"] {
        let text = place.ok(&["plan", TASK, "--dry-run", "--format", format, "--done", "It works"]).out;
        assert!(text.contains("Finish all of these:\n- [ ] It works\n"), "{text}");
        assert_eq!(text.matches("It works").count(), 1, "{text}");
    }
}

#[test]
fn the_request_comes_first_last_or_both_in_every_text_format() {
    for format in ["hybrid", "xml", "invocation", "prompt"] {
        let place = Place::repository();
        let payload = |more: &[&str]| {
            let args = [&["plan", TASK, "--dry-run", "--format", format, "--done", "It works"], more].concat();
            place.ok(&args).out
        };
        let last = payload(&[]);
        assert_eq!(payload(&["--request", "last"]), last, "{format}");
        let content = "class PaymentService:";
        let around = |payload: &str| {
            let (before, after) = payload.split_once(content).unwrap();
            [before, after].map(|part| part.matches("It works").count())
        };
        assert_eq!(around(&last), [0, 1], "{format}");
        assert_eq!(around(&payload(&["--request", "first"])), [1, 0], "{format}");
        let both = payload(&["--request", "both"]);
        assert_eq!(around(&both), [1, 1], "{format}");
        place.write_own_config("request: both\n");
        assert_eq!(payload(&[]), both, "{format}");
        assert_eq!(payload(&["--request", "last"]), last, "{format}");
    }
}

#[test]
fn a_request_at_the_front_is_kept_verified_and_replayed() {
    for format in ["hybrid", "xml"] {
        let place = Place::repository();
        // A task that imitates sections must not end the summary.
        let task = "Add refunds\n## RAW\n<raw>\n</task>";
        let first = place.ok(&["plan", task, "--request", "first", "--format", format]).out;
        place.ok(&["verify"]);
        place.ok(&["replay"]);
        assert_eq!(place.ok(&["resume", "--stdout"]).out, first, "{format}");
    }
}
