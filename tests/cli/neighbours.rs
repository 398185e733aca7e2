//! Tests of `--hops`: pinned files with the files that they use or that use them.

use super::support::{Place, item, json};

fn neighbours(place: &Place, pin: &str, hops: &str, more: &[&str]) -> serde_json::Value {
    json(&place.ok(&[&["plan", "--pin", pin, "--hops", hops, "--json", "--dry-run"], more].concat()).out)
}

/// The paths in RAW, in order.
fn raw(plan: &serde_json::Value) -> Vec<&str> {
    let items = plan["items"].as_array().unwrap().iter().filter(|item| item["tier"] == "raw");
    items.map(|item| item["path"].as_str().unwrap()).collect()
}

/// Name, files, pinned path, expected neighbours, and files that are too far away.
type Layout<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, &'a [&'a str], &'a [&'a str]);

#[test]
fn neighbours_are_found_in_several_languages() {
    let layouts: [Layout<'_>; 4] = [
        (
            "Rust",
            &[
                ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n"),
                (
                    "src/main.rs",
                    "mod desk;\nmod far;\nmod ledger;\nmod money;\n\nfn main() { desk::open(); far::away(); }\n",
                ),
                ("src/desk.rs", "use crate::ledger::Ledger;\n\npub fn open() -> Ledger { Ledger::default() }\n"),
                (
                    "src/ledger.rs",
                    "use crate::money::Cents;\n\n#[derive(Default)]\npub struct Ledger { pub rows: Vec<Cents> }\n",
                ),
                ("src/money.rs", "pub type Cents = i64;\n"),
                ("src/far.rs", "pub fn away() {}\n"),
            ],
            "src/ledger.rs",
            &["src/money.rs", "src/desk.rs"],
            &["src/far.rs"],
        ),
        (
            "Python",
            &[
                ("shop/__init__.py", ""),
                ("shop/desk.py", "from shop.ledger import Ledger\n\ndef open_desk():\n    return Ledger()\n"),
                ("shop/ledger.py", "from .money import cents\n\nclass Ledger:\n    rows = cents\n"),
                ("shop/money.py", "cents = []\n"),
                ("shop/far.py", "def away():\n    return 1\n"),
                ("tests/test_ledger.py", "from shop.ledger import Ledger\n\ndef test_it():\n    assert Ledger\n"),
            ],
            "shop/ledger.py",
            &["shop/money.py", "shop/desk.py", "tests/test_ledger.py"],
            &["shop/far.py"],
        ),
        (
            "TypeScript",
            &[
                ("package.json", "{\"name\": \"shop\"}\n"),
                (
                    "src/desk.ts",
                    "import { Ledger } from './ledger';\nexport function open() { return new Ledger(); }\n",
                ),
                ("src/ledger.ts", "import { cents } from './money';\nexport class Ledger { rows = [cents]; }\n"),
                ("src/money.ts", "export const cents = 1;\n"),
                ("src/far.ts", "export const away = 1;\n"),
            ],
            "src/ledger.ts",
            &["src/money.ts", "src/desk.ts"],
            &["src/far.ts"],
        ),
        (
            "Go",
            &[
                ("go.mod", "module example.com/shop\n\ngo 1.22\n"),
                (
                    "desk/desk.go",
                    "package desk\n\nimport \"example.com/shop/ledger\"\n\nfunc Open() { ledger.Book() }\n",
                ),
                (
                    "ledger/ledger.go",
                    "package ledger\n\nimport \"example.com/shop/money\"\n\nfunc Book() { money.Cents() }\n",
                ),
                ("money/money.go", "package money\n\nfunc Cents() {}\n"),
                ("far/far.go", "package far\n\nfunc Away() {}\n"),
            ],
            "ledger/ledger.go",
            &["money/money.go", "desk/desk.go"],
            &["far/far.go"],
        ),
    ];
    for (language, files, pin, near, far) in layouts {
        let place = Place::empty();
        for (path, text) in files {
            place.write(path, text);
        }
        let plan = neighbours(&place, pin, "1", &[]);
        let raw = raw(&plan);
        assert_eq!(
            raw[..=near.len()],
            [&[pin], near].concat(),
            "{language}: the pin, what it uses, what uses it, tests"
        );
        assert!(far.iter().all(|path| !raw.contains(path)), "{language}: {raw:?}");
        let signal = &item(&plan, near[0])["signals"][0];
        assert_eq!(signal["why"], format!("imported by {pin}, which is pinned"), "{language}: {plan}");
    }
}

#[test]
fn hops_reach_further_and_the_task_describes_them() {
    let place = Place::empty();
    place.write("shop/__init__.py", "");
    for (name, uses) in [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")] {
        place.write(&format!("shop/{name}.py"), &format!("from shop.{uses} import x\n\ny = x\n"));
    }
    place.write("shop/e.py", "x = 1\n");
    let files = |hops: &str| {
        let plan = neighbours(&place, "shop/a.py", hops, &[]);
        raw(&plan).into_iter().map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(files("1"), ["shop/a.py", "shop/b.py"]);
    assert_eq!(files("3"), ["shop/a.py", "shop/b.py", "shop/c.py", "shop/d.py"]);
    let ran = place.ok(&["plan", "--pin", "shop/a.py", "--hops", "2"]);
    assert!(
        ran.out.starts_with("# Context Payload: Context for `shop/a.py`: the files up to 2 imports away\n"),
        "{}",
        ran.out
    );
    assert!(!ran.err.contains("has too little detail"), "{}", ran.err);
    place.ok(&["verify"]);
    // The turn stores the number of hops.
    let again = place.ok(&["resume"]).out;
    assert!(again.contains("# file: shop/c.py") && !again.contains("# file: shop/d.py"), "{again}");
    place.refused(&["plan", "--hops", "1"], 2, &["--pin"]);
    place.refused(&["plan", "--pin", "shop/a.py", "--hops", "0"], 2, &["--hops"]);
    place.refused(&["plan", "--pin", "shop/a.py"], 2, &["no task was given"]);
}

#[test]
fn a_tight_budget_leaves_outlines() {
    let place = Place::empty();
    place.write("shop/__init__.py", "");
    let imports = (0..6).map(|at| format!("from shop.part_{at} import work_{at}\n")).collect::<Vec<_>>().concat();
    place.write("shop/hub.py", &imports);
    for at in 0..6 {
        let body = "    print('a line of work that takes some tokens')\n".repeat(90);
        place.write(&format!("shop/part_{at}.py"), &format!("def work_{at}():\n{body}    return {at}\n"));
    }
    let forms = |budget: &str| -> Vec<String> {
        let plan = neighbours(&place, "shop/hub.py", "1", &["--budget", budget]);
        let form = |at: usize| item(&plan, &format!("shop/part_{at}.py"))["form"].as_str().unwrap().to_owned();
        (0..6).map(form).collect()
    };
    assert!(forms("30k").iter().all(|form| form == "whole"), "{:?}", forms("30k"));
    let tight = forms("5k");
    assert_eq!((tight[0].as_str(), tight[5].as_str()), ("whole", "skeleton"), "{tight:?}");
    assert!(tight.iter().all(|form| form == "whole" || form == "skeleton"), "{tight:?}");
}
