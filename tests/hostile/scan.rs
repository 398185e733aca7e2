//! The real binary in the hostile repository: it terminates, uses little memory, reports what it skipped and delivers
//! the files unchanged.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use teddy::render::parse;
use teddy::text::printable;

use super::make::{Hostile, OUTSIDE};

/// Maximum duration of a run, which takes a few seconds in a release build.
const TIMEOUT: Duration = Duration::from_mins(2);
const MOST_MEMORY_KB: u64 = 300_000;

pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    /// Peak memory, if the system reports it.
    pub peak_kb: Option<u64>,
    pub took: Duration,
}

pub fn teddy(home: &Path, root: &Path, args: &[&str]) -> Ran {
    let out = tempfile::tempfile().unwrap();
    let err = tempfile::tempfile().unwrap();
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_teddy"))
        .current_dir(root)
        .args(args)
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(out.try_clone().unwrap())
        .stderr(err.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut peak_kb = None;
    let code = loop {
        peak_kb = peak_kb.max(peak(&child));
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > TIMEOUT {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{args:?} did not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ran { code, out: all(out), err: all(err), peak_kb, took: start.elapsed() }
}

fn all(mut file: fs::File) -> String {
    use std::io::{Read, Seek};
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// The code blocks that a Markdown reader finds.
fn code_blocks(markdown: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => open = Some(String::new()),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => panic!("an indented block"),
            Event::Text(text) => {
                if let Some(content) = &mut open {
                    content.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// Text as a Markdown parser returns it: with `\n` line endings and without those at the end.
fn read_back(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_end_matches('\n').to_owned()
}

fn check(hostile: &Hostile, ran: &Ran, what: &str) {
    assert_eq!(ran.code, Some(0), "{what}: {}", ran.err);
    println!("{what}: {:?}, peak {:?} kB, {} bytes", ran.took, ran.peak_kb, ran.out.len());
    if let Some(peak) = ran.peak_kb {
        assert!(peak < MOST_MEMORY_KB, "{what} took {peak} kB");
    }
    for text in [&ran.out, &ran.err] {
        assert!(!text.contains(OUTSIDE), "{what} shows text from outside");
        assert!(!text.contains("root:x:0:0") && !text.contains("root:*:0:0"), "{what} shows /etc/passwd");
    }
    assert!(
        !ran.err.contains('\u{1b}') && !ran.err.contains('\u{202e}'),
        "{what}: raw control characters in {:?}",
        ran.err
    );
    assert!(!hostile.sprung().exists(), "{what} ran a program that the repository names");
}

const EVERYTHING: [&str; 5] = ["plan", "refund", "--budget", "9000000", "--fill"];

#[test]
fn a_hostile_repository_is_scanned_and_delivered_unchanged() {
    let hostile = Hostile::new();
    // A file with a line of a megabyte counts as minified, and only a pin puts it into RAW.
    let pins: Vec<&str> =
        hostile.texts.iter().map(|(path, _)| path.as_str()).filter(|path| path.starts_with("big/")).collect();
    let pins: Vec<&str> = pins.into_iter().flat_map(|path| ["--pin", path]).collect();
    let run = |more: &[&str]| teddy(&hostile.home(), &hostile.root, &[&EVERYTHING[..], &pins, more].concat());

    let ran = run(&["--stdout"]);
    check(&hostile, &ran, "hybrid");
    let read = parse(&ran.out).unwrap();
    let blocks = code_blocks(&ran.out);
    assert_eq!(blocks.len(), read.raw.len() + 1, "one block a file, and the acknowledgement");
    for (path, text) in &hostile.texts {
        let shown = printable(path);
        let mut found = read.raw.iter().zip(&blocks).filter(|(block, _)| block.path == *shown);
        let (block, markdown) = found.next().unwrap_or_else(|| panic!("{shown} is not inlined"));
        assert!(found.next().is_none(), "{shown} is inlined twice");
        assert!(block.content == *text, "{shown} has other contents");
        let (_, body) = markdown.split_once('\n').unwrap();
        assert!(read_back(body) == read_back(text), "{shown} reads differently as Markdown");
    }

    let ran = run(&["--stdout", "--format", "invocation"]);
    check(&hostile, &ran, "invocation");
    let blocks = code_blocks(&ran.out);
    let contents: Vec<String> = blocks[3..].iter().map(|block| read_back(block)).collect();
    for (path, text) in &hostile.texts {
        let text = read_back(text);
        let same = hostile.texts.iter().filter(|(_, other)| read_back(other) == text).count();
        let found = contents.iter().filter(|content| **content == text).count();
        assert_eq!(found, same, "{} is there {found} times", printable(path));
    }
    let inlined = ran.out.matches("\n**File:** `").count();
    // Files may also contain that line.
    assert!(contents.len() <= inlined, "{} blocks, {inlined} files", contents.len());

    let ran = teddy(&hostile.home(), &hostile.root, &["doctor", "--skipped"]);
    check(&hostile, &ran, "doctor");
    let said = format!("{}{}", ran.out, ran.err);
    for (path, why) in &hostile.skipped {
        let told = said.lines().any(|line| line.contains(path.as_str()) && line.contains(why));
        assert!(told, "nobody told that {path} was left out ({why}):\n{said}");
    }
    for args in
        [&["sessions"][..], &["explain", "src/bidi.rs", "--task", "refund"], &["plan", "refund", "--dry-run", "--json"]]
    {
        check(&hostile, &teddy(&hostile.home(), &hostile.root, args), args[0]);
    }
    assert_eq!(fs::read_to_string(hostile.outside().join("outside.txt")).unwrap(), format!("refund {OUTSIDE}\n"));
}

/// Invalid state files are reported by name, without a hang, excessive memory or a panic.
#[test]
fn invalid_state_files_are_reported() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n\
                e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n";
    let deep = format!("{}x\n", "- ".repeat(200_000));
    let flow = "[".repeat(500_000);
    let long = "x".repeat(2_000_000);
    for (file, text) in [
        ("memos.yaml", bomb),
        ("memos.yaml", &deep),
        ("memos.yaml", &flow),
        ("memos.yaml", &long),
        ("memos.yaml", "\u{0}\u{1}"),
        ("config.yaml", bomb),
        ("config.yaml", &flow),
        ("config.yaml", "budget: {simple: -1}\n"),
        ("global.context", &long),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("project");
        fs::create_dir_all(root.join(".teddy/sessions")).unwrap();
        fs::write(root.join("a.py"), "refund\n").unwrap();
        fs::write(root.join(".teddy").join(file), text).unwrap();
        let ran = teddy(dir.path(), &root, &["plan", "refund", "--stdout", "--dry-run"]);
        let start: String = text.chars().take(20).collect();
        assert!(matches!(ran.code, Some(0 | 2)), "{file} {start:?}: {:?} {}", ran.code, ran.err);
        assert!(ran.code == Some(0) || ran.err.contains(file), "{file} {start:?}: {}", ran.err);
        assert!(ran.peak_kb.is_none_or(|peak| peak < MOST_MEMORY_KB), "{file} {start:?}: {:?} kB", ran.peak_kb);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
    }
}

/// If the files of the repository itself are pipes, only the git signals are off.
#[cfg(unix)]
#[test]
fn a_repository_of_pipes_does_not_block() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    for file in ["HEAD", "config", "index", "info/exclude"] {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("project");
        fs::create_dir_all(root.join(".git/info")).unwrap();
        fs::create_dir_all(root.join(".git/objects")).unwrap();
        fs::create_dir_all(root.join(".git/refs")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(root.join("a.py"), "refund\n").unwrap();
        let _ = fs::remove_file(root.join(".git").join(file));
        mknodat(CWD, root.join(".git").join(file), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let ran = teddy(dir.path(), &root, &["plan", "refund", "--stdout", "--dry-run"]);
        assert_eq!(ran.code, Some(0), "{file}: {}", ran.err);
        assert!(ran.out.contains("a.py"), "{file}");
    }
}
