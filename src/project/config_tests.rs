//! Tests of merged configuration files.

use super::*;
use crate::error::Error;
use std::fmt::Write;
use std::fs;

/// A user configuration directory and a project with these two files. An empty string means that there is no such file.
struct ConfigFixture {
    _dir: tempfile::TempDir,
    user: PathBuf,
    project: Project,
}

impl ConfigFixture {
    fn new(user_text: &str, project_text: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (user, root) = (dir.path().join("user"), dir.path().join("project"));
        fs::create_dir(&user).unwrap();
        fs::create_dir(&root).unwrap();
        let (project, _) = Project::init(&root).unwrap();
        for (path, text) in [(user.join("config.yaml"), user_text), (project.config_file(), project_text)] {
            if !text.is_empty() {
                fs::write(path, text).unwrap();
            }
        }
        Self { _dir: dir, user, project }
    }

    fn load(&self) -> Result<Config> {
        Config::load_from(Some(&self.user), Some(&self.project))
    }
}

fn load(user: &str, project: &str) -> Config {
    ConfigFixture::new(user, project).load().unwrap()
}

#[test]
fn the_commented_defaults_are_the_defaults_and_name_every_key() {
    assert_eq!(load(COMMENTED_DEFAULTS, COMMENTED_DEFAULTS), Config::default());
    let parsed: Config = serde_yaml::from_str(COMMENTED_DEFAULTS).unwrap();
    assert_eq!(parsed, Config::default());
    let written: serde_yaml::Value = serde_yaml::from_str(COMMENTED_DEFAULTS).unwrap();
    assert_eq!(written, serde_yaml::to_value(Config::default()).unwrap(), "a key is missing or superfluous");
}

#[test]
fn no_files_give_the_defaults() {
    assert_eq!(load("", ""), Config::default());
    assert_eq!(load("# nothing\n", "---\n"), Config::default());
    assert_eq!(Config::load_from(None, None).unwrap(), Config::default());
}

#[test]
fn project_keys_override_user_keys() {
    let config = load(
        "budget: {simple: 10, medium: 20}\nmodel: gpt-4o\nignore: [a]\nweights: {x: 1, y: 2}\nhistory_commits: 7\n",
        "budget:\n  medium: 30\nmodel: null\nignore: ['b/**']\nweights: {y: 3.5}\nformat: invocation\n",
    );
    let limits = [config.budget.simple, config.budget.medium, config.budget.complex];
    assert_eq!(limits, [10, 30, 100_000]);
    assert_eq!((config.model, config.ignore, config.history_commits), (None, vec!["b/**".to_owned()], 7));
    assert_eq!(config.weights, BTreeMap::from([("x".to_owned(), 1.0), ("y".to_owned(), 3.5)]));
    assert_eq!(config.format, Format::Invocation);
}

#[test]
fn a_key_without_a_value_keeps_the_default() {
    let empty = "budget:\ntokenizer:\nformat:\nmax_file_bytes:\nhistory_commits:\nboosts:\nweights:\nignore:\nredact:\ncommands:\nclipboard:\n";
    assert_eq!(load("", empty), Config::default());
    let user = "budget: {simple: 5}\nredact: {enabled: false, allow: [x]}\nignore: [a]\n";
    let both = load(user, empty);
    assert_eq!((both.budget.simple, both.redact.enabled, both.ignore.len()), (5, false, 1));
}

#[test]
fn unknown_keys_are_collected_with_their_file() {
    let setup = ConfigFixture::new(
        "colour_scheme: dark\n",
        "llm:\n  model: x\nbudget: {simple: 1, tiny: 2}\n7: x\ncommands: [{name: a, run: b, why: c}]\nweights: {any: 1}\n",
    );
    let config = setup.load().unwrap();
    let named: Vec<_> =
        config.unknown_keys.iter().map(|(file, key)| (file.starts_with(&setup.user), &key[..])).collect();
    let expected =
        [(true, "colour_scheme"), (false, "llm"), (false, "budget.tiny"), (false, "7"), (false, "commands[0].why")];
    assert_eq!(named, expected);
    assert_eq!(config.budget.simple, 1);
}

#[test]
fn a_repository_cannot_set_commands_or_weaken_redaction() {
    let evil = "commands: [{name: x, run: rm -rf /}]\n\
                redact: {enabled: false, rules_file: rules.yaml, allow: ['.*']}\nhistory_commits: 3\n";
    let config = load("", evil);
    let keys: Vec<_> = config.refused.iter().map(|(_, key, _)| &key[..]).collect();
    assert_eq!(keys, ["commands", "redact.enabled", "redact.rules_file", "redact.allow"]);
    assert_eq!((&config.commands, &config.redact, config.history_commits), (&Vec::new(), &Redact::default(), 3));
    assert!(config.refused.iter().all(|(file, _, why)| file.ends_with(".teddy/config.yaml") && !why.is_empty()));

    let own = load(evil, "");
    assert!(own.refused.is_empty());
    assert_eq!((own.commands.len(), own.redact.enabled, own.redact.allow.len()), (1, false, 1));
}

#[test]
fn a_repository_can_only_strengthen_redaction() {
    let mine = "commands: [{name: x, run: y}]\nredact: {enabled: false, rules_file: r, allow: [a]}\n";
    let config = load(mine, "commands: []\nredact: {enabled: true, rules_file: null, allow: []}\n");
    assert!(config.refused.is_empty());
    assert!(config.redact.enabled);
    assert_eq!((config.commands.len(), config.redact.allow.len(), config.redact.rules_file.is_some()), (1, 1, true));
    // An alias, tag or merge key must not bypass the check.
    let hidden = load("", "x: &x false\nredact: {enabled: *x}\n");
    assert!(hidden.redact.enabled);
    let tagged = load("", "commands: !x [{name: a, run: b}]\nredact: !x {enabled: !y false, allow: [a]}\n");
    assert!(tagged.redact == Redact::default() && tagged.commands.is_empty());
    for key in ["!x commands: [{name: a, run: b}]\n", "redact: {!y enabled: false}\n"] {
        assert_eq!(ConfigFixture::new("", key).load().unwrap_err().exit_code(), 2, "{key}");
    }
    let merged = load("", "redact:\n  <<: {enabled: false}\n<<: {commands: [{name: a, run: b}]}\n");
    assert!(merged.redact.enabled && merged.commands.is_empty());
}

#[test]
fn wrong_values_are_located() {
    for (text, place) in [
        ("history_commits: soon\n", (1, 18)),
        ("a: 1\nbudget:\n  simple: 0\n", (3, 11)),
        ("budget: {split: [90, 9, 2]}\n", (1, 17)),
        ("format: html\n", (1, 9)),
        ("ignore: ['a[']\n", (1, 10)),
        ("tiers:\n- glob: a\n  tier: top\n", (3, 9)),
        ("max_file_bytes: 64000001\n", (1, 17)),
        ("commands: [{name: x}]\n", (1, 12)),
        ("budget:\n  medium: 5\n  simple: -1\n", (3, 11)),
        ("ignore:\n- a\n- '['\n", (3, 3)),
        ("- a\n", (1, 1)),
    ] {
        let setup = ConfigFixture::new("", text);
        match setup.load() {
            Err(Error::Syntax { path, line, column, why }) => {
                assert_eq!((line, column), place, "{text}{why}");
                assert_eq!(path, setup.project.config_file());
            }
            other => panic!("{text}{other:?}"),
        }
    }
    assert!(matches!(ConfigFixture::new("a: [", "").load(), Err(Error::Syntax { .. })));
}

#[test]
fn an_alias_bomb_and_a_huge_file_are_errors() {
    let mut bomb = "a0: &a0 x\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        writeln!(bomb, "a{level}: &a{level} [*a{before}, *a{before}, *a{before}]").unwrap();
    }
    assert!(ConfigFixture::new("", &bomb).load().is_err());
    assert!(ConfigFixture::new("", &"# x\n".repeat(300_000)).load().is_err());
}

#[test]
fn only_the_user_decides_on_the_access_of_agents() {
    let config = load("mcp: {fetch: ask}\n", "mcp: {fetch: allow}\n");
    assert_eq!(config.mcp.fetch, Permission::Ask);
    let config = load("", "mcp: {fetch: ask}\n");
    assert_eq!(config.mcp.fetch, Permission::Allow);
    assert_eq!(config.refused.iter().map(|(_, key, _)| &key[..]).collect::<Vec<_>>(), ["mcp"]);
}

#[test]
fn only_the_user_can_set_the_theme() {
    let setup = ConfigFixture::new("theme: dark\n", "theme: light\n");
    let config = setup.load().unwrap();
    assert_eq!(config.theme.as_deref(), Some("dark"));
    assert!(config.refused.iter().any(|(_, key, _)| key == "theme"), "{:?}", config.refused);
}

#[test]
fn rule_errors_have_locations() {
    for (text, place) in [
        ("boosts: [{glob: a, points: 11}]\n", (1, 28)),
        ("boosts:\n- glob: a\n  points: -11\n", (3, 11)),
        ("boosts: [{glob: 'a[', points: 1}]\n", (1, 17)),
        ("split: 999\n", (1, 8)),
        ("characters_per_token: {claude: 0.1}\n", (1, 32)),
        ("profiles:\n  review:\n    budget: none\n", (3, 13)),
    ] {
        match ConfigFixture::new(text, "").load() {
            Err(Error::Syntax { line, column, why, .. }) => assert_eq!((line, column), place, "{text}{why}"),
            other => panic!("{text}{other:?}"),
        }
    }
    for unknown in ["profiles: {review: {bugdet: 5}}\n", "tiers: [{glob: a, teir: raw}]\n", "pipes: [{name: a}]\n"] {
        assert!(matches!(ConfigFixture::new(unknown, "").load(), Err(Error::Syntax { .. })), "{unknown}");
    }
}

#[test]
fn a_profile_overrides_settings_and_extends_lists() {
    let config = load(
        "ignore: [a]\nonly: ['**']\nbudget: {simple: 10}\nmodel: gpt-4o\n\
         profiles:\n  review:\n    budget: 40000\n    format: xml\n    fill: true\n    ignore: [b]\n    only: ['src/**']\n    \
         tokenizer: cl100k_base\n    tiers: [{glob: 'docs/**', tier: linked}]\n    boosts: [{glob: 'src/**', points: 2}]\n    \
         template: {before: Review this.}\n",
        "profiles: {review: {split: 8000}}\n",
    );
    let review = config.with_profile(Some("review")).unwrap();
    assert_eq!((review.budget.simple, review.budget.complex), (40_000, 40_000));
    assert_eq!((review.format, review.fill, review.split), (Format::Xml, true, Some(8_000)));
    assert_eq!((review.ignore.len(), review.tiers.len(), review.boosts.len()), (2, 1, 1));
    assert_eq!(review.only, ["src/**"], "`only` of the profile replaces the top-level list");
    assert_eq!((review.model, &review.tokenizer[..]), (None, "cl100k_base"));
    assert_eq!(review.template.before.as_deref(), Some("Review this."));
    assert_eq!(config.with_profile(None).unwrap(), config);
    let error = config.with_profile(Some("reveiw")).unwrap_err();
    assert_eq!(error.hint().unwrap(), "did you mean `review`?");
    assert!(Config::default().with_profile(Some("x")).unwrap_err().hint().unwrap().contains("`profiles`"));
}

#[test]
fn a_repository_cannot_set_templates_or_programs() {
    let theirs = "pipes: [{name: llm, run: curl evil}, {name: mine, run: x}]\ntemplate: {before: Obey.}\nascii: true\n\
                  profiles: {review: {budget: 9000, template: {after: Obey.}}}\n";
    let config = load("pipes: [{name: mine, run: cat}]\n", theirs);
    assert_eq!((config.pipes.len(), &config.pipes[0].run[..], config.pipes[0].timeout_seconds), (1, "cat", 600));
    assert_eq!(config.refused_pipes, ["llm"]);
    assert_eq!((config.template.before, config.ascii), (None, false));
    assert_eq!((config.profiles["review"].budget, &config.profiles["review"].template), (Some(9_000), &None));
    let keys: Vec<_> = config.refused.iter().map(|(_, key, _)| &key[..]).collect();
    assert_eq!(keys, ["pipes", "template", "profiles.*.template", "ascii"]);
    let kept = load("template: {before: Mine.}\nprofiles: {review: {template: {after: Mine.}}}\n", theirs);
    assert_eq!(kept.template.before.as_deref(), Some("Mine."));
    assert_eq!(kept.profiles["review"].template.as_ref().unwrap().after.as_deref(), Some("Mine."));
}

#[test]
fn bounds_of_numbers_are_inclusive() {
    for (key, least, most) in [
        ("budget: {simple: N}", "1", "1000000000"),
        ("budget: {medium: N}", "1", "1000000000"),
        ("budget: {complex: N}", "1", "1000000000"),
        ("split: N", "1000", "1000000000"),
        ("max_file_bytes: N", "1", "64000000"),
        ("history_commits: N", "0", "1000000"),
        ("profiles: {p: {budget: N}}", "1", "1000000000"),
        ("profiles: {p: {split: N}}", "1000", "1000000000"),
        ("pipes: [{name: a, run: b, timeout_seconds: N}]", "1", "86400"),
        ("boosts: [{glob: a, points: N}]", "-10", "10"),
        ("characters_per_token: {claude: N}", "0.5", "20"),
        ("characters_per_token: {gemini: N}", "0.5", "20"),
    ] {
        let read = |number: &str| ConfigFixture::new(&key.replace('N', number), "").load();
        let beyond = |number: &str, step: f64| (number.parse::<f64>().unwrap() + step).to_string();
        for good in [least, most] {
            assert!(read(good).is_ok(), "{key} {good}");
        }
        for bad in [beyond(least, -1.0), beyond(most, 1.0)] {
            let error = read(&bad).unwrap_err();
            assert!(matches!(error, Error::Syntax { line: 1, .. }), "{key} {bad}: {error}");
        }
    }
}

#[test]
fn numbers_are_parsed_exactly() {
    let said = "split: 4000\nmax_file_bytes: 7\nhistory_commits: 8\nboosts: [{glob: a, points: -3}]\n\
                pipes: [{name: a, run: b, timeout_seconds: 9}, {name: c, run: d}]\n\
                characters_per_token: {claude: 2, gemini: 2.5}\nprofiles: {p: {budget: 11, split: 5000}}\n";
    let config = load(said, "");
    assert_eq!((config.split, config.max_file_bytes, config.history_commits), (Some(4000), 7, 8));
    assert_eq!(config.boosts[0].points, -3);
    assert_eq!(config.pipes.iter().map(|pipe| pipe.timeout_seconds).collect::<Vec<_>>(), [9, 600]);
    assert!((config.characters_per_token.claude - 2.0).abs() < 1e-9);
    assert!((config.characters_per_token.gemini - 2.5).abs() < 1e-9);
    let profile = &config.profiles["p"];
    assert_eq!((profile.budget, profile.split), (Some(11), Some(5000)));
    let nothing =
        load("split:\nprofiles: {p: {budget: , split: }}\npipes: [{name: a, run: b, timeout_seconds: }]\n", "");
    assert_eq!((nothing.split, nothing.profiles["p"].budget, nothing.profiles["p"].split), (None, None, None));
    assert_eq!(nothing.pipes[0].timeout_seconds, 600);
}
