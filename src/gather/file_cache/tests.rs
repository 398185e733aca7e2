//! Tests that cached results equal fresh ones, and that a changed file is always read again.

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

struct TestProject {
    dir: tempfile::TempDir,
}

impl TestProject {
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

    /// True if all words are cached, and the number of cached files.
    fn cached(&self) -> (bool, usize) {
        let bytes = read(&self.cache(), &self.root()).unwrap();
        let (known, _) = CachedFiles::parse(bytes.clone()).unwrap();
        (known.has_all_words(), known.len())
    }
}

/// Waits until a change would show in a file's times.
fn wait_for_tick() {
    std::thread::sleep(Duration::from_millis(2_100));
}

fn gather(root: &Path, cache: Option<Cache<'_>>) -> Corpus {
    gather_for(root, &Vocabulary::of(["refund book import"]), cache)
}

fn gather_for(root: &Path, vocabulary: &Vocabulary, cache: Option<Cache<'_>>) -> Corpus {
    let walk = Walk { root, max_file_bytes: 1 << 20, ignore: &[], vocabulary, observer: &NoObserver };
    Gather { walk, history_commits: 0, base: None, cache, redactor: Arc::new(Policy::default()) }.run().unwrap()
}

/// All properties that scoring uses.
fn facts_of(corpus: &Corpus) -> Vec<String> {
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
fn cached_results_equal_fresh_ones_and_changes_are_detected() {
    let place = TestProject::new();
    wait_for_tick();
    let plain = facts_of(&gather(&place.root(), None));
    assert_eq!(facts_of(&place.gather(true)), plain);
    // The results are cached now. Files whose names decide their language are not read again.
    let bytes = read(&place.cache(), &place.root()).unwrap();
    let (known, _) = CachedFiles::parse(bytes.clone()).unwrap();
    assert_eq!(known.len(), 3, "the script without an extension is read every time");
    assert_eq!(facts_of(&place.gather(false)), plain);
    // The length and the time are the same. Only the inode's change time differs, which programs cannot set.
    let path = place.root().join("src/ledger.py");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "class Hook:\n    pass\n").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let changed = facts_of(&place.gather(false));
    assert_eq!(changed, facts_of(&gather(&place.root(), None)));
    assert_ne!(changed, plain);
    // Another file is renamed to this path.
    fs::write(place.root().join("new"), "class Took:\n    pass\n").unwrap();
    fs::rename(place.root().join("new"), &path).unwrap();
    assert_eq!(facts_of(&place.gather(true)), facts_of(&gather(&place.root(), None)));
    // A file is deleted, and a binary file becomes text.
    fs::remove_file(&path).unwrap();
    fs::write(place.root().join("picture.bin"), "a picture\n").unwrap();
    assert_eq!(facts_of(&place.gather(true)), facts_of(&gather(&place.root(), None)));
}

#[test]
fn the_first_run_caches_its_words_and_the_second_task_all_words() {
    let place = TestProject::new();
    wait_for_tick();
    let plain = facts_of(&gather(&place.root(), None));
    // Each of these words occurs in one of the three files.
    for (words, all) in [("refund", false), ("refund", false), ("book", true), ("import refund", true)] {
        drop(place.gather_for(&Vocabulary::of([words])));
        assert_eq!(place.cached(), (all, 3), "{words}");
    }
    assert_eq!(facts_of(&place.gather_for(&Vocabulary::All)), plain);
    fs::remove_file(place.file()).unwrap();
    drop(place.gather_for(&Vocabulary::of(["refund book import"])));
    // The cache can be used for a subset of its words. Other words are counted.
    assert_eq!(facts_of(&place.gather(true)), plain);
    assert_eq!(place.cached(), (false, 3));
    assert_eq!(facts_of(&place.gather_for(&Vocabulary::of(["refund book import class"]))), plain);
    assert_eq!(place.cached(), (true, 3));
    assert_eq!(facts_of(&place.gather(true)), plain);
}

#[test]
fn recently_written_files_are_not_cached() {
    let place = TestProject::new();
    drop(place.gather(true));
    let bytes = read(&place.cache(), &place.root()).unwrap();
    assert_eq!(CachedFiles::parse(bytes.clone()).unwrap().0.len(), 0);
    let stamp = Stamp::of(&fs::metadata(place.root().join("run")).unwrap());
    let soon = SystemTime::now() + Duration::from_secs(3);
    assert!(stamp.is_none_or(|stamp| stamp.digest().settled_at(soon) && !stamp.digest().settled_at(SystemTime::now())));
}

#[test]
fn a_read_only_run_writes_nothing_and_damage_is_detected() {
    let place = TestProject::new();
    wait_for_tick();
    let plain = facts_of(&place.gather(false));
    assert!(!place.cache().exists());
    drop(place.gather(true));
    let good = fs::read(place.file()).unwrap();
    for damaged in [&good[..good.len() / 2], &good[..3], b"", b"teddy facts, 0.0.0, edition 9\nnothing"] {
        fs::write(place.file(), damaged).unwrap();
        assert!(read(&place.cache(), &place.root()).is_none());
        assert_eq!(facts_of(&place.gather(false)), plain);
    }
    let mut flipped = good.clone();
    let at = flipped.len() - 9;
    flipped[at] ^= 4;
    fs::write(place.file(), flipped).unwrap();
    assert!(read(&place.cache(), &place.root()).is_none());
    drop(place.gather(true));
    // The results are equal except for the numbering of words, which depends on the timing of threads.
    assert!(read(&place.cache(), &place.root()).is_some());
    assert_eq!(facts_of(&place.gather(false)), plain);
}

#[cfg(unix)]
#[test]
fn the_cache_is_private_and_contains_no_text_or_secrets() {
    use std::os::unix::fs::PermissionsExt;
    let place = TestProject::new();
    let token = crate::redact::sample_token();
    fs::write(place.root().join("web.js"), format!("import x from \"https://u:{token}@host/x.js\"\n")).unwrap();
    fs::write(place.root().join("said.py"), "# nobody repeats this sentence\nclass Quiet:\n    pass\n").unwrap();
    wait_for_tick();
    drop(place.gather(true));
    assert_eq!(fs::metadata(place.file()).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(place.file().parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    let bytes = fs::read(place.file()).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("said.py") && holds("Quiet"));
    assert!(!holds("sentence") && !holds("web.js") && !holds(&token[4..20]));
}

#[test]
fn names_that_match_a_custom_rule_are_not_cached() {
    let place = TestProject::new();
    fs::write(place.root().join("named.py"), "def acme_sesame_open():\n    pass\n").unwrap();
    wait_for_tick();
    let kept_by = |redactor: Policy| {
        let (root, cache) = (place.root(), place.cache());
        let vocabulary = Vocabulary::of(["refund"]);
        let walk =
            Walk { root: &root, max_file_bytes: 1 << 20, ignore: &[], vocabulary: &vocabulary, observer: &NoObserver };
        let cache = Some(Cache { dir: &cache, keep: true });
        drop(Gather { walk, history_commits: 0, base: None, cache, redactor: Arc::new(redactor) }.run().unwrap());
        let bytes = fs::read(place.file()).unwrap();
        fs::remove_file(place.file()).unwrap();
        bytes.windows(11).any(|window| window == b"acme_sesame")
    };
    assert!(kept_by(Policy::default()));
    let own = "rules:\n- id: acme\n  keywords: [acme]\n  regex: 'acme_[a-z]+_open'\n";
    assert!(!kept_by(Policy::new(Some(own), &[]).unwrap()));
}

/// If this fails, the walk returns different results for the same text. Increase the number in `EDITION`, so that older
/// caches are ignored, and then update the number here.
#[test]
fn the_edition_matches_the_results() {
    let place = TestProject::new();
    wait_for_tick();
    drop(place.gather_for(&Vocabulary::All));
    let bytes = fs::read(place.file()).unwrap();
    let (known, _) = CachedFiles::parse(bytes.clone()).unwrap();
    // The numbering of words depends on the timing of threads.
    let (body, counts_end) = bytes[EDITION.len() + SUM..].split_last_chunk::<8>().unwrap();
    let words = ByteReader(&body[u64::from_le_bytes(*counts_end) as usize..]).words().unwrap().len();
    let mut facts: Vec<(&str, u64)> = known.index.iter().map(|(_, at)| facts_at(&known, *at)).collect();
    facts.sort_unstable();
    let text = format!("{facts:?} {words}");
    assert_eq!(checksum(text.as_bytes()), 6_708_887_542_589_131_399, "{EDITION}{text}");
}

/// The path of a cached file, and a checksum of the facts about it.
fn facts_at(known: &CachedFiles, at: u32) -> (&str, u64) {
    let mut reader = ByteReader(&known.bytes[at as usize..]);
    let path = reader.text().unwrap();
    StampDigest::read(&mut reader).unwrap();
    (path, checksum(reader.bytes().unwrap()))
}

#[test]
fn concurrent_readers_and_writers_see_a_complete_cache_or_none() {
    let place = TestProject::new();
    wait_for_tick();
    let plain = facts_of(&gather(&place.root(), None));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..12 {
                    // Without a cache the next run writes one.
                    let _ = fs::remove_file(place.file());
                    assert_eq!(facts_of(&place.gather(true)), plain);
                }
            });
            scope.spawn(|| {
                for _ in 0..40 {
                    assert_eq!(facts_of(&place.gather(false)), plain);
                    if let Some(bytes) = read(&place.cache(), &place.root()) {
                        assert_eq!(CachedFiles::parse(bytes.clone()).unwrap().0.len(), 3);
                    }
                }
            });
        }
    });
    let left = fs::read_dir(place.file().parent().unwrap()).unwrap().count();
    assert!(left <= 1, "{left} files are left where one cache was written");
}

#[test]
fn the_oldest_caches_are_removed() {
    let place = TestProject::new();
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
    // The project's own cache and the 39 most recent others remain.
    assert!(place.file().exists() && left.contains(&"38.bin".to_owned()) && !left.contains(&"39.bin".to_owned()));
}
