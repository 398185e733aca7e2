//! Tests of help, manual pages, completions and the first screen.

use clap::CommandFactory;
use teddy::cli::commands::Cli;

use super::support::{Place, TASK};

const README: &str = include_str!("../../README.md");
const CONFIG: &str = include_str!("../../assets/config.yaml");

fn commands() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

#[test]
fn help_fits_a_screen_and_names_every_command() {
    let place = Place::empty();
    for flag in ["--help", "-h"] {
        let help = place.ok(&[flag]).out;
        assert!(help.lines().count() <= 24, "{} lines:\n{help}", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let words: Vec<&str> = help.split([' ', ',', '\n']).collect();
        for command in commands() {
            assert!(words.contains(&command.as_str()), "{command} is not in the help:\n{help}");
        }
    }
    assert_eq!(place.ok(&["--version"]).out, format!("teddy {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_readme_the_configuration_and_the_help_name_what_controls_the_selection() {
    let place = Place::empty();
    let plan = place.ok(&["plan", "--help"]).out;
    for flag in ["--criteria", "--constraint", "--decision", "--plan", "--window", "--task-type", "--complexity"] {
        assert!(plan.contains(flag), "{flag}: {plan}");
        assert!(README.contains(&format!("`{flag}")), "{flag}");
    }
    assert_eq!(plan.matches("default: inferred").count(), 2, "{plan}");
    for file in [".teddyignore", "session.context", "global.context", "manifests.yaml", "memos.yaml", "CODEOWNERS"] {
        assert!(README.contains(file), "{file}");
    }
    for key in ["window:", "plan:", "pack:", "acknowledgement:"] {
        assert!(CONFIG.contains(&format!("\n{key}")), "{key}");
    }
    assert!(place.ok(&["handoff", "--help"]).out.contains("--verdict"));
}

#[test]
fn every_command_has_an_example_that_parses() {
    use clap::Parser;
    let place = Place::empty();
    for command in commands() {
        let help = place.ok(&[&command, "--help"]).out;
        let example =
            help.lines().find_map(|line| line.strip_prefix("Example: ")).unwrap_or_else(|| panic!("{command}: {help}"));
        // Splits the command as a shell would.
        let before_pipe =
            example.split([' ']).take_while(|word| !["|", ">"].contains(word)).collect::<Vec<_>>().join(" ");
        let mut words: Vec<String> = Vec::new();
        for (index, part) in before_pipe.split('"').enumerate() {
            match index % 2 {
                1 => words.push(part.to_owned()),
                _ => words.extend(part.split_whitespace().map(ToOwned::to_owned)),
            }
        }
        assert_eq!(words[1], command);
        Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{example}: {error}"));
    }
}

#[test]
fn there_is_a_manual_page_for_everything() {
    let place = Place::empty();
    let page = place.ok(&["man"]).out;
    assert!(page.contains(".TH teddy 1"), "{page}");
    for command in commands() {
        assert!(page.contains(&format!("teddy\\-{command}(1)")), "{command}: {page}");
        let own = place.ok(&["man", &command]).out;
        assert!(own.contains(&format!(".TH teddy-{command} 1")) && own.contains(".SH SYNOPSIS"), "{own}");
    }
    let plan = place.ok(&["man", "plan"]).out;
    for flag in ["budget", "only", "profile", "split", "pipe"] {
        assert!(plan.contains(&format!("\\-\\-{flag}")), "{flag}: {plan}");
    }
    place.refused(&["man", "pan"], 2, &["unknown command `pan`", "did you mean `plan`?"]);
}

#[test]
fn completions_know_the_flags_in_every_shell() {
    let place = Place::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.ok(&["completions", shell]).out;
        for word in ["plan", "resume", "tour", "split", "profile", "task-file"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // Completions for PowerShell and Elvish do not offer values.
        assert!(script.contains("xml") || ["powershell", "elvish"].contains(&shell), "{shell}");
        assert!(!script.contains("clipboard-serve"), "{shell} offers what is hidden");
    }
}

#[test]
fn without_arguments_teddy_introduces_itself_and_creates_nothing() {
    let place = Place::repository();
    let before = place.listing();
    let ran = place.ok(&[]);
    assert!(ran.out.lines().count() <= 24 && ran.out.lines().all(|line| line.chars().count() <= 90), "{}", ran.out);
    for word in
        ["RAW", "LINKED", "SUMMARY", "--pin", "teddy tour", "teddy plan", "teddy answer", "Nothing leaves this machine"]
    {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
    super::support::assert_same(&before, &place.listing());
    // With a session, `teddy` lists sessions.
    place.ok(&["plan", TASK]);
    assert!(place.ok(&[]).out.starts_with("20260124-"));
}

#[test]
fn the_tour_needs_a_terminal() {
    let place = Place::empty();
    place.refused(&["tour"], 2, &["there is no terminal", "--dry-run"]);
}
