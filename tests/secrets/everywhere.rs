//! Runs the real binary in a project with a secret in every place that teddy reads or writes: none may appear in any
//! output.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A different token for every place, so that a leak shows its origin.
fn token(place: usize) -> String {
    super::draw("gh{}p_{an36}", false, place as u64 + 77)
}

const PLACES: [&str; 21] = [
    "content", "wide-content", "file-name", "directory-name", "link-name", "diff", "deleted-name", "commit-message",
    "branch", "memo", "task", "context-entry", "ruling", "message", "done", "task-file", "branch-message", "new-name",
    "handoff", "answer", "report",
];

fn at(place: &str) -> String {
    token(PLACES.iter().position(|name| *name == place).unwrap())
}

struct Project {
    outer: tempfile::TempDir,
}

impl Project {
    fn root(&self) -> std::path::PathBuf {
        self.outer.path().join("project")
    }

    fn git(&self, args: &[&str]) {
        let status = Command::new("git")
            .current_dir(self.root())
            .args(["-c", "user.name=Pat", "-c", "user.email=pat@somewhere.io"])
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(status.status.success(), "{args:?}: {}", String::from_utf8_lossy(&status.stderr));
    }

    /// Runs teddy; returns standard output and standard error.
    fn run(&self, args: &[&str]) -> String {
        let home = self.outer.path().join("home");
        let output = Command::new(env!("CARGO_BIN_EXE_teddy"))
            .current_dir(self.root())
            .args(args)
            .env_clear()
            .env("HOME", &home)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("USERPROFILE", &home)
            .env("APPDATA", home.join("roaming"))
            .env("LOCALAPPDATA", home.join("local"))
            .output()
            .unwrap();
        format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    fn new() -> Self {
        let project = Self { outer: tempfile::tempdir().unwrap() };
        let root = project.root();
        fs::create_dir_all(project.outer.path().join("home")).unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(root.join(at("directory-name"))).unwrap();
        let write = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
        write("src/pay.py", "def refund(cents):\n    return cents\n");
        write("src/client.py", &format!("TOKEN = \"{}\"\ndef refund_client():\n    pass\n", at("content")));
        let wide = format!("\u{feff}TOKEN = \"{}\"\ndef refund_in_utf16():\n    pass\n", at("wide-content"));
        let wide: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
        fs::write(root.join("src/wide.py"), wide).unwrap();
        write(&format!("src/refund-{}.py", at("file-name")), "def refund_named():\n    pass\n");
        write(&format!("{}/refund.py", at("directory-name")), "def refund_inside():\n    pass\n");
        write(&format!("src/gone-{}.py", at("deleted-name")), "def refund_gone():\n    pass\n");
        #[cfg(unix)]
        std::os::unix::fs::symlink("pay.py", root.join(format!("src/{}", at("link-name")))).unwrap();
        project.git(&["init", "-q", "-b", &format!("fix/{}", at("branch"))]);
        project.git(&["add", "-A"]);
        project.git(&["commit", "-q", "-m", &format!("Refund with {}", at("commit-message"))]);
        write("src/pay.py", &format!("def refund(cents):\n    return cents  # {}\n", at("diff")));
        fs::remove_file(root.join(format!("src/gone-{}.py", at("deleted-name")))).unwrap();
        project
    }
}

/// Every file below `dir`: its path and its bytes as text.
fn read_all(dir: &Path, found: &mut String) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        found.push_str(&format!("\n== {}\n", path.display()));
        if path.is_dir() {
            read_all(&path, found);
        } else if let Ok(bytes) = fs::read(&path) {
            found.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn no_output_contains_a_secret() {
    let project = Project::new();
    let mut said = project.run(&["init"]);
    let memo = format!("Use the token {} for refunds.", at("memo"));
    said += &project.run(&["memo", "add", &memo]);
    let entry = at("context-entry");
    fs::write(project.root().join(".teddy/global.context"), format!("src/{entry}.py\n")).unwrap();
    let task = format!("Refund a payment with {} in src/pay.py and src/client.py", at("task"));
    let done = format!("the token {} works", at("done"));
    for format in ["hybrid", "invocation"] {
        said += &project
            .run(&["plan", &task, "--format", format, "--stdout", "--budget", "60000", "--fill", "--done", &done]);
        said += &project.run(&["plan", &task, "--format", format, "--json", "--budget", "60000", "--fill"]);
    }
    said += &project.run(&["plan", &task, "--pin", &format!("src/{}.py", at("ruling"))]);
    said += &project.run(&["resume", "-m", &format!("Next, mind {}", at("message"))]);
    let file = |name: &str, text: &str| {
        let path = project.outer.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let task_file = file("task.md", &format!("Refund a payment\n\nSign in with {}\n", at("task-file")));
    said += &project.run(&["plan", "--task-file", &task_file, "--stdout"]);
    assert!(said.contains("line 3 of the task contained a secret (github-token)"), "{said}");
    said += &project.run(&["handoff", "--goal", &format!("Refunds with {}", at("handoff"))]);
    let plan = file("answer.md", &format!("Set TOKEN={}\n", at("answer")));
    said += &project.run(&["answer", &plan]);
    let report = file("report.md", &format!("It was {}\n", at("report")));
    said += &project.run(&["answer", "--report", &report]);
    said += &project.run(&["handoff", "--from-files"]);
    said += &project.run(&["branch", "01", "-m", &format!("Without {}", at("branch-message"))]);
    let sessions = project.run(&["sessions"]);
    let name = sessions.split_whitespace().next().unwrap();
    said += &project.run(&["sessions", "rename", name, &at("new-name")]);
    for what in ["the task", "the message", "the acceptance criteria", "the memo", "the name", "the handoff"] {
        assert!(said.contains(&format!("{what} contained a secret")), "nobody is told about {what}: {said}");
    }
    for args in
        [&["doctor", "--skipped"][..], &["doctor", "--json"], &["sessions"], &["show", "--payload"], &["memo", "list"]]
    {
        said += &project.run(args);
    }
    said += &project.run(&["explain", &format!("src/{}.py", at("ruling")), "--task", "refund"]);
    for shown in ["def refund_client()", "def refund_in_utf16()", "TOKEN = \"[REDACTED:github-token]\""] {
        assert!(said.contains(shown), "{shown}: {said}");
    }
    assert!(said.contains("name contains a secret"), "{said}");
    let mut written = String::new();
    read_all(&project.root().join(".teddy"), &mut written);
    read_all(&project.outer.path().join("home"), &mut written);
    // The list is the person's own file and stays unchanged.
    let written = written.replace(&format!("src/{entry}.py\n"), "");
    for place in PLACES {
        for (what, text) in [("printed", &said), ("written", &written)] {
            if let Some(found) = text.find(&at(place)) {
                let from = text[..found].rfind('\n').map_or(0, |line| line + 1);
                let line: String = text[from..].chars().take(200).collect();
                let file =
                    text[..found].rfind("\n== ").map_or("", |head| text[head + 4..].lines().next().unwrap_or(""));
                panic!("the secret of {place} is {what}: {line} ({file})");
            }
        }
    }
}
