//! What is remembered is what would be read, and a changed file is always read again.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::*;
use crate::gather::progress::NoObserver;
use crate::gather::terms::{TermMap, Vocabulary, hash};
use crate::gather::walk::Walk;
use crate::gather::{Cache, Corpus, Gather};
use crate::redact::Policy;

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        let files = [
            ("src/pay.py", "import os\nfrom .ledger import Book\n\nclass Refund:\n    pass\n"),
            ("src/ledger.py", "class Book:\n    pass\n"),
            ("run", "#!/bin/sh\ngo() {\n  true\n}\n"),
            ("picture.bin", "\x7fELF\0\0"),
        ];
        crate::gather::samples::write(&place.root(), &files);
        place
    }

    fn root(&self) -> std::path::PathBuf {
        self.dir.path().join("project")
    }

    fn cache(&self) -> std::path::PathBuf {
        self.dir.path().join("cache")
    }

    fn file(&self) -> std::path::PathBuf {
        file_for(&self.cache(), &self.root())
    }

    fn gather(&self, keep: bool) -> Corpus {
        gather(&self.root(), Some(Cache { dir: &self.cache(), keep }))
    }

    fn gather_for(&self, vocabulary: &Vocabulary) -> Corpus {
        gather_for(&self.root(), vocabulary, Some(Cache { dir: &self.cache(), keep: true }))
    }

    /// Whether all words are remembered, and of how many files.
    fn remembered(&self) -> (bool, usize) {
        let bytes = read(&self.cache(), &self.root()).unwrap();
        let (known, _) = Known::parse(&bytes).unwrap();
        (known.has_all_words(), known.len())
    }
}

/// Waits until a change would show in a file's times.
fn settle() {
    std::thread::sleep(Duration::from_millis(2_100));
}

fn gather(root: &Path, cache: Option<Cache<'_>>) -> Corpus {
    gather_for(root, &Vocabulary::of(["refund book import"]), cache)
}

fn gather_for(root: &Path, vocabulary: &Vocabulary, cache: Option<Cache<'_>>) -> Corpus {
    let walk = Walk { root, max_file_bytes: 1 << 20, ignore: &[], vocabulary, observer: &NoObserver };
    Gather { walk, history_commits: 0, cache, redactor: Arc::new(Policy::default()) }.run().unwrap()
}

/// Everything that scoring asks of the files.
fn told(corpus: &Corpus) -> Vec<String> {
    let index: TermMap<u16> = ["refund", "book", "import"].iter().zip(0..).map(|(term, at)| (hash(term), at)).collect();
    let wanted = corpus.terms.wanted(&index);
    let of = |file: &SourceFile| {
        let mut counts = wanted.of(&file.terms);
        counts.sort_unstable();
        format!(
            "{} {:?} {:?} {} {} {} {:?} {:?} {} {counts:?}",
            file.path,
            file.language,
            file.role,
            file.bytes,
            file.lines,
            file.modified,
            file.imports,
            file.symbols,
            file.terms.length
        )
    };
    corpus.files.iter().map(of).chain(corpus.skipped.iter().map(|skipped| format!("{skipped:?}"))).collect()
}

#[test]
fn what_is_remembered_is_what_is_read_and_changes_are_seen() {
    let place = Place::new();
    settle();
    let plain = told(&gather(&place.root(), None));
    assert_eq!(told(&place.gather(true)), plain);
    // Now it is remembered: of the files that their names tell, nothing is read.
    let bytes = read(&place.cache(), &place.root()).unwrap();
    let (known, _) = Known::parse(&bytes).unwrap();
    assert_eq!(known.len(), 3, "the script without an extension is read every time");
    assert_eq!(told(&place.gather(false)), plain);
    // The same length, and the time set back: only the time at which it was changed tells, which nobody can set.
    let path = place.root().join("src/ledger.py");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "class Hook:\n    pass\n").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let changed = told(&place.gather(false));
    assert_eq!(changed, told(&gather(&place.root(), None)));
    assert_ne!(changed, plain);
    // Another file moved into its place.
    fs::write(place.root().join("new"), "class Took:\n    pass\n").unwrap();
    fs::rename(place.root().join("new"), &path).unwrap();
    assert_eq!(told(&place.gather(true)), told(&gather(&place.root(), None)));
    // Gone, and a text where there was none.
    fs::remove_file(&path).unwrap();
    fs::write(place.root().join("picture.bin"), "a picture\n").unwrap();
    assert_eq!(told(&place.gather(true)), told(&gather(&place.root(), None)));
}

#[test]
fn the_first_task_s_words_are_remembered_and_all_of_them_once_there_is_another() {
    let place = Place::new();
    settle();
    let plain = told(&gather(&place.root(), None));
    // Of the three words that are looked at, these have one each.
    for (words, all) in [("refund", false), ("refund", false), ("book", true), ("import refund", true)] {
        drop(place.gather_for(&Vocabulary::of([words])));
        assert_eq!(place.remembered(), (all, 3), "{words}");
    }
    assert_eq!(told(&place.gather_for(&Vocabulary::All)), plain);
    fs::remove_file(place.file()).unwrap();
    drop(place.gather_for(&Vocabulary::of(["refund book import"])));
    // Fewer words than are remembered are answered from there, more are counted anew.
    assert_eq!(told(&place.gather(true)), plain);
    assert_eq!(place.remembered(), (false, 3));
    assert_eq!(told(&place.gather_for(&Vocabulary::of(["refund book import class"]))), plain);
    assert_eq!(place.remembered(), (true, 3));
    assert_eq!(told(&place.gather(true)), plain);
}

#[test]
fn what_was_just_written_is_not_remembered() {
    let place = Place::new();
    drop(place.gather(true));
    let bytes = read(&place.cache(), &place.root()).unwrap();
    assert_eq!(Known::parse(&bytes).unwrap().0.len(), 0);
    let stamp = Stamp::of(&fs::metadata(place.root().join("run")).unwrap());
    let soon = SystemTime::now() + Duration::from_secs(3);
    assert!(stamp.is_none_or(|stamp| stamp.settled_at(soon) && !stamp.settled_at(SystemTime::now())));
}

#[test]
fn who_may_only_read_writes_none_and_damage_is_noticed() {
    let place = Place::new();
    settle();
    let plain = told(&place.gather(false));
    assert!(!place.cache().exists());
    drop(place.gather(true));
    let good = fs::read(place.file()).unwrap();
    for damaged in [&good[..good.len() / 2], &good[..3], b"", b"teddy facts, 0.0.0, edition 9\nnothing"] {
        fs::write(place.file(), damaged).unwrap();
        assert!(read(&place.cache(), &place.root()).is_none());
        assert_eq!(told(&place.gather(false)), plain);
    }
    let mut flipped = good.clone();
    let at = flipped.len() - 9;
    flipped[at] ^= 4;
    fs::write(place.file(), flipped).unwrap();
    assert!(read(&place.cache(), &place.root()).is_none());
    drop(place.gather(true));
    // As good as before; which core met a word first decides how it is numbered.
    assert!(read(&place.cache(), &place.root()).is_some());
    assert_eq!(told(&place.gather(false)), plain);
}

#[cfg(unix)]
#[test]
fn it_is_its_owners_alone_and_holds_neither_text_nor_secrets() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let token = crate::redact::sample_token();
    fs::write(place.root().join("web.js"), format!("import x from \"https://u:{token}@host/x.js\"\n")).unwrap();
    fs::write(place.root().join("said.py"), "# nobody repeats this sentence\nclass Quiet:\n    pass\n").unwrap();
    settle();
    drop(place.gather(true));
    assert_eq!(fs::metadata(place.file()).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(place.file().parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    let bytes = fs::read(place.file()).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("said.py") && holds("Quiet"));
    assert!(!holds("sentence") && !holds("web.js") && !holds(&token[4..20]));
}

#[test]
fn a_name_that_a_person_s_own_rule_finds_is_not_kept() {
    let place = Place::new();
    fs::write(place.root().join("named.py"), "def acme_sesame_open():\n    pass\n").unwrap();
    settle();
    let kept_by = |redactor: Policy| {
        let (root, cache) = (place.root(), place.cache());
        let vocabulary = Vocabulary::of(["refund"]);
        let walk =
            Walk { root: &root, max_file_bytes: 1 << 20, ignore: &[], vocabulary: &vocabulary, observer: &NoObserver };
        let cache = Some(Cache { dir: &cache, keep: true });
        drop(Gather { walk, history_commits: 0, cache, redactor: Arc::new(redactor) }.run().unwrap());
        let bytes = fs::read(place.file()).unwrap();
        fs::remove_file(place.file()).unwrap();
        bytes.windows(11).any(|window| window == b"acme_sesame")
    };
    assert!(kept_by(Policy::default()));
    let own = "rules:\n- id: acme\n  keywords: [acme]\n  regex: 'acme_[a-z]+_open'\n";
    assert!(!kept_by(Policy::new(Some(own), &[]).unwrap()));
}

/// If this fails, something else is told of the same text than before: raise the number in `EDITION`, so that nothing that
/// an older teddy remembered is used, and then the number here.
#[test]
fn the_edition_stands_for_what_is_told() {
    let place = Place::new();
    settle();
    drop(place.gather_for(&Vocabulary::All));
    let bytes = fs::read(place.file()).unwrap();
    let (known, _) = Known::parse(&bytes).unwrap();
    // Which of the words has which number depends on who read which file first.
    let (body, counts_end) = bytes[EDITION.len() + SUM..].split_last_chunk::<8>().unwrap();
    let words = Reader(&body[u64::from_le_bytes(*counts_end) as usize..]).words().unwrap().len();
    let mut facts: Vec<(&str, u64)> = known.files.iter().map(|(path, (_, facts))| (*path, checksum(facts))).collect();
    facts.sort_unstable();
    let text = format!("{facts:?} {words}");
    assert_eq!(checksum(text.as_bytes()), 6_708_887_542_589_131_399, "{EDITION}{text}");
}

#[test]
fn several_who_write_and_read_at_once_see_a_whole_cache_or_none() {
    let place = Place::new();
    settle();
    let plain = told(&gather(&place.root(), None));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..12 {
                    // Without one the next gathering writes it.
                    let _ = fs::remove_file(place.file());
                    assert_eq!(told(&place.gather(true)), plain);
                }
            });
            scope.spawn(|| {
                for _ in 0..40 {
                    assert_eq!(told(&place.gather(false)), plain);
                    if let Some(bytes) = read(&place.cache(), &place.root()) {
                        assert_eq!(Known::parse(&bytes).unwrap().0.len(), 3);
                    }
                }
            });
        }
    });
    let left = fs::read_dir(place.file().parent().unwrap()).unwrap().count();
    assert!(left <= 1, "{left} files are left where one cache was written");
}

#[test]
fn the_oldest_caches_of_many_projects_go() {
    let place = Place::new();
    let facts = place.file().parent().unwrap().to_owned();
    fs::create_dir_all(&facts).unwrap();
    for number in 0..60 {
        let file = fs::File::create(facts.join(format!("{number:02}.bin"))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600 + number)).unwrap();
    }
    drop(place.gather(true));
    let mut left: Vec<String> =
        fs::read_dir(&facts).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    left.sort_unstable();
    assert_eq!(left.len(), 40);
    // Its own, and the 39 that were written last.
    assert!(place.file().exists() && left.contains(&"38.bin".to_owned()) && !left.contains(&"39.bin".to_owned()));
}
