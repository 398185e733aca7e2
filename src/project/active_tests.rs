//! Tests with blocks as models write them.

use super::*;
use proptest::prelude::*;

/// Parses changes and formats them as `+ path` and `- path`.
fn read(plan: &str) -> Vec<String> {
    let written = |change: &ContextChange| {
        let span = change.lines.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{} {}{span}", if change.add { '+' } else { '-' }, change.path)
    };
    parse(plan).changes.iter().map(written).collect()
}

#[test]
fn every_notation_gives_the_same_result() {
    let bodies = [
        "+ src/a.rs\n- src/b.rs\n+ src/c.rs:10-80\n",
        "- + src/a.rs\n- - src/b.rs\n- + src/c.rs:10-80\n",
        "* + `src/a.rs`\n* - `src/b.rs`\n* + `src/c.rs:10-80`\n",
        "- `+ src/a.rs`\n- `- src/b.rs`\n- `+ src/c.rs:10-80`\n",
        "+ `src/a.rs`\n- `src/b.rs`\n+ `src/c.rs:10-80` -- the parser\n",
        "```\n+ src/a.rs\n- src/b.rs\n+ src/c.rs:10-80\n```\n",
        "```diff\n+ src/a.rs\n- src/b.rs\n\n# and some lines\n+ src/c.rs:10-80\n```\n",
        "~~~text\n+src/a.rs\n- src/b.rs\n+src/c.rs:10-80\n~~~\n",
        "These are the changes:\n\n+ src/a.rs (new)\n− src/b.rs — no longer needed\n+ src/c.rs:10-80 # the parser\n",
        "+ [src/a.rs](/src/a.rs)\n- [`src/b.rs`](/src/b.rs)\n+ src/c.rs:10-80\n",
        "- [+] src/a.rs\n- [-] src/b.rs\n- [+] src/c.rs:10-80\n",
        "[+] src/a.rs\n[-] src/b.rs\n[+] /src/c.rs:10-80\n",
        "> + ./src/a.rs\n> - src/b.rs\n> + src/c.rs:10-80\n",
        "- **+** src/a.rs\n- **-** src/b.rs\n- **+** src/c.rs:10-80\n",
        "- `+` `src/a.rs`\n- `-` `src/b.rs`\n- `+` `src/c.rs:10-80`\n",
        "- Add: `src/a.rs`\n- Remove: `src/b.rs`\n- Add: `src/c.rs:10-80`\n",
        "\t+ src/a.rs\r\n\t- src/b.rs\r\n\t+ src/c.rs:10-80\r\n",
    ];
    let heads = [
        "# Active Context\n",
        "## Active Context\n\n",
        "#### 3. `Active Context`\n",
        "**Active Context**\n",
        "**Active Context:**\n",
        "Active Context:\n",
        "## Active Context (changes)\n",
        "### ACTIVE CONTEXT changes:\n",
        "__Active Context__:\n",
    ];
    for head in heads {
        for body in bodies {
            for (before, after) in [("", ""), ("# Plan\n\n1. Do it\n- not this\n\n", "\n## Next\n\n- neither this\n")] {
                let plan = format!("{before}{head}{body}{after}");
                assert_eq!(read(&plan), ["+ src/a.rs", "- src/b.rs", "+ src/c.rs:10-80"], "{plan}");
                assert_eq!(parse(&plan).problems, [], "{plan}");
            }
        }
    }
    let all = "````markdown\n# Plan\n## Active Context\n```\n+ src/a.rs\n```\n- src/b.rs\n````\n- src/no.rs\n";
    assert_eq!(read(all), ["+ src/a.rs", "- src/b.rs"]);
}

#[test]
fn other_text_is_not_a_block() {
    for plan in [
        "",
        "# Plan\n+ src/a.rs\n",
        "The active context is large.\n- src/a.rs\n",
        "I looked at the Active Context and\n+ src/a.rs\n",
        "## Active Contexts\n+ src/a.rs\n",
        "## Active Context\n\nNothing changes.\n",
        "## Active Context\n- none\n",
        "## Active Context\n(no changes)\n## Steps\n- src/a.rs\n",
        "## Active Context\n---\n## Steps\n",
    ] {
        assert_eq!(parse(plan), ActiveContext::default(), "{plan}");
    }
}

#[test]
fn a_list_that_repeats_the_payload_removes_nothing() {
    let plan = "## 4. Active Context\n````\n- src/a.rs\n- src/b.rs\n````\n";
    let found = parse(plan);
    assert!(found.changes.is_empty());
    assert!(found.problems[0].2.contains("repeats the payload's list"), "{found:?}");
    assert_eq!(read("## 4. Active Context\n- src/a.rs\n+ src/b.rs\n"), ["- src/a.rs", "+ src/b.rs"]);
    assert_eq!(read("## Active Context\n- src/a.rs\n"), ["- src/a.rs"]);
}

#[test]
fn invalid_lines_are_reported_with_their_number() {
    let plan = "## Active Context\n- + ../../etc/passwd\n- + C:/x\n- + a\u{1b}[2J.rs\n- + ok.rs\n- odd.rs\n- + a.rs:9-3\n- + /\n";
    let found = parse(plan);
    assert_eq!(found.changes.len(), 1, "{found:?}");
    assert_eq!(found.problems.iter().map(|(line, ..)| *line).collect::<Vec<_>>(), [2, 3, 4, 6, 7, 8]);
    let why = |at: usize| found.problems[at].2.as_str();
    assert!(why(0).contains("outside the project") && why(1).contains("absolute") && why(2).contains("control"));
    assert!(why(3).contains("no `+` or `-`") && why(4).contains("not a line range"), "{found:?}");
}

#[test]
fn globs_directories_and_unusual_names_are_distinguished() {
    let found = parse(
        "## Active Context\n+ src/**/*.py\n+ **/x/**\n+ **bold.py** why\n+ docs/\n+ \"odd #name:10-20\"\n+ my file.txt\n",
    );
    let paths: Vec<_> = found.changes.iter().map(|change| (change.path.as_str(), change.glob)).collect();
    assert_eq!(
        paths,
        [
            ("src/**/*.py", true),
            ("**/x/**", true),
            ("bold.py", false),
            ("docs/", false),
            ("odd #name:10-20", false),
            ("my file.txt", false)
        ]
    );
}

proptest! {
    #[test]
    fn parsing_never_panics(plan in "(?s)(## Active Context\n)?([+\\-*`#> \\[\\]]{0,6}[ -~é\\t]{0,30}\n){0,12}") {
        for change in parse(&plan).changes {
            prop_assert!(!change.path.starts_with('/') && !change.path.split('/').any(|part| part == ".."), "{:?}", change);
            prop_assert!(!change.path.chars().any(char::is_control), "{:?}", change);
        }
    }

    #[test]
    fn paths_survive_parsing(path in "[a-z]{1,8}(/[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,7}){0,3}\\.[a-z]{2}", add: bool) {
        let sign = if add { '+' } else { '-' };
        for line in [format!("{sign} {path}"), format!("- `{sign} {path}`"), format!("* {sign} `{path}` (why)")] {
            prop_assert_eq!(read(&format!("**Active Context**\n{line}\n")), [format!("{sign} {path}")]);
        }
    }
}

#[test]
fn a_fence_has_at_least_three_marks() {
    for line in ["```", "~~~", "````rust", "```   "] {
        assert!(Fence::of(line).is_some(), "{line}");
    }
    for line in ["``", "~~", "```a`b", "~~~ `x` ", "x```", ""] {
        assert!(Fence::of(line).is_none(), "{line}");
    }
    let closes = |open: &str, close: &str| Fence::of(open).unwrap().closed_by(&Fence::of(close).unwrap());
    assert!(closes("```rust", "```") && closes("```", "````") && closes("~~~", "~~~"));
    assert!(!closes("````", "```") && !closes("```", "~~~") && !closes("```", "```rust"));
}

#[test]
fn a_block_ends_at_the_next_sentence_or_heading() {
    let block = |rest: &str| read(&format!("## Active Context\n{rest}"));
    assert_eq!(block("The files:\n+ a.rs\nThat is all.\n- b.rs\n"), ["+ a.rs"]);
    assert_eq!(block("+ a.rs\n# Next\n- b.rs\n"), ["+ a.rs"]);
    assert_eq!(block("+ a.rs\n\n---\n***\n- b.rs\n"), ["+ a.rs", "- b.rs"]);
    assert_eq!(block("+ a.rs\n```\n+ b.rs\na remark\n# another\n+ c.rs\n```\n"), ["+ a.rs", "+ b.rs", "+ c.rs"]);
    assert_eq!(read("~~~\n## Active Context\n```\n+ a.rs\n~~~\n+ b.rs\n"), ["+ a.rs"]);
    assert_eq!(block("+ a.rs\n## Active Context\n+ b.rs\n"), ["+ a.rs", "+ b.rs"]);
    let (fits, prose) = ("x".repeat(LONGEST - 2), "x".repeat(LONGEST - 1));
    assert_eq!(block(&format!("+ {fits}\n+ b.rs\n")).len(), 2);
    assert_eq!(block(&format!("+ a.rs\n+ {prose}\n+ b.rs\n")), ["+ a.rs"], "a line that long is prose");
    let lines: Vec<_> = parse("# Plan\n## Active Context\n+ a.rs\n\n- b.rs\n").changes.iter().map(|c| c.line).collect();
    assert_eq!(lines, [3, 5]);
}

#[test]
fn titles_are_recognized() {
    let titles = |line: &str| parse(&format!("{line}\n+ a.rs\n")).changes.len() == 1;
    for line in [
        "# Active Context",
        "## Active Context ##",
        "#\tActive Context",
        "##**Active Context**",
        "4) Active Context:",
        "**12. Active Context**",
        "12. **Active Context**",
        "3) __Active Context__:",
        "__Active Context__",
        "## Active Context block",
        "## Active Context (for turn 2)",
        "## Active Context: updates",
        "## Active Context for the next turn",
    ] {
        assert!(titles(line), "{line}");
    }
    for line in [
        "Active Context",
        "##Active Context",
        "`Active Context`",
        "*Active Context*",
        "## The Active Context",
        "## Active Context (for turn 2",
        "## Active Context for turn 2)",
        "## Active Context and more",
        "Active Context is:",
        "12. Active Context",
        "12. **Active Context** is what I looked at",
    ] {
        assert!(!titles(line), "{line}");
    }
}

#[test]
fn signs_and_comments_in_every_form() {
    for (line, expected) in [
        ("(+) a.rs", "+ a.rs"),
        ("(-) a.rs", "- a.rs"),
        ("* [-] a.rs", "- a.rs"),
        ("`[+] a.rs`", "+ a.rs"),
        ("* drop a.rs", "- a.rs"),
        ("* REMOVE a.rs", "- a.rs"),
        ("* add: a.rs", "+ a.rs"),
        ("\u{2022} + a.rs", "+ a.rs"),
        ("\u{2013} a.rs", "- a.rs"),
        ("\u{2212} a.rs", "- a.rs"),
        ("+ \"a.rs\"", "+ a.rs"),
        ("+\"a.rs\"", "+ a.rs"),
        ("+[a.rs](/a.rs)", "+ a.rs"),
        ("+ [](/a.rs)", "+ a.rs"),
        ("+ [ a.rs ](/other.rs)", "+ a.rs"),
        ("+ a.rs \u{2014} why", "+ a.rs"),
        ("+ a.rs \u{2013} why", "+ a.rs"),
        ("+ a.rs - why (or not) -- who knows", "+ a.rs"),
        ("+ a.rs: why", "+ a.rs"),
        ("+ a.rs <!-- why -->", "+ a.rs"),
        ("+ a.rs // why", "+ a.rs"),
        ("+ a.rs,", "+ a.rs"),
        ("+ a.rs;", "+ a.rs"),
        ("- `+ a.rs` as `b` says", "+ a.rs"),
    ] {
        assert_eq!(read(&format!("## Active Context\n{line}\n")), [expected], "{line}");
    }
    for nothing in ["None.", "(nothing)", "N/A", "**no changes**", "No change", "unchanged", "..."] {
        assert_eq!(parse(&format!("## Active Context\n+ {nothing}\n")), ActiveContext::default(), "{nothing}");
    }
    // These lines are prose: a word that begins with a sign, a sign without a name, a word that begins like a command.
    for prose in ["-x a.rs", "+", "--flag", "adding a.rs", "addition: a.rs"] {
        assert_eq!(read(&format!("## Active Context\n{prose}\n")), Vec::<String>::new(), "{prose}");
    }
    let refused = parse("## Active Context\n+ !a.rs\n+ ./\n");
    let why: Vec<_> = refused.problems.iter().map(|(_, _, why)| why.as_str()).collect();
    assert_eq!(why, ["`!` is not allowed here; use `- path`", "it is the whole project"]);
}
