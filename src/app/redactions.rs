//! The redactions of a project, and the false positives that the person allowed.

use rayon::prelude::*;

use super::candidates::gather_texts;
use super::environment::Environment;
use super::run_inputs::ScanObserver;
use crate::error::{Error, Result};
use crate::gather::item::Source;
use crate::gather::{Corpus, read};
use crate::ids::FileId;
use crate::project::secret_allowlist::SecretAllowlist;
use crate::redact::MARKER;

/// A redacted secret or an allowed value. Never contains the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redaction {
    /// Path of the file, or label of the item, that contains it.
    pub path: String,
    /// 1-based line number.
    pub line: u32,
    /// Rule that matched.
    pub rule: String,
    /// True if the person allowed it.
    pub allowed: bool,
}

/// Every redaction of the project's files.
pub fn all(env: &Environment, observer: &dyn ScanObserver) -> Result<Vec<Redaction>> {
    let corpus = gather_texts(env, observer)?;
    observer.step("searching for secrets", corpus.files.len());
    (0..corpus.files.len()).into_par_iter().for_each(|file| {
        drop(corpus.file_text(FileId::new(file)));
        observer.advance(1);
    });
    in_corpus(env, &corpus)
}

/// The redactions in the content read so far, and the allowed values.
pub fn in_corpus(env: &Environment, corpus: &Corpus) -> Result<Vec<Redaction>> {
    let mut all = Vec::new();
    for file in &corpus.files {
        let Some(text) = file.known_text() else { continue };
        all.extend(text.findings.iter().map(|finding| Redaction {
            path: file.path.clone(),
            line: finding.line,
            rule: finding.rule.to_string(),
            allowed: false,
        }));
    }
    // Items that are not files were redacted when they were created, so only their markers can be found.
    for item in corpus.items.iter().skip(corpus.files.len()) {
        let Source::Text(text) = &item.source else { continue };
        for (at, line) in text.lines().enumerate() {
            for (from, _) in line.match_indices(MARKER) {
                let rule = line[from + MARKER.len()..].split(']').next().unwrap_or_default();
                let (path, rule) = (item.path.clone(), rule.to_owned());
                all.push(Redaction { path, line: at as u32 + 1, rule, allowed: false });
            }
        }
    }
    for allowance in env.allowances()?.iter().flat_map(SecretAllowlist::list) {
        let (path, rule) = (allowance.path.clone(), allowance.rule.clone());
        all.push(Redaction { path, line: allowance.line, rule, allowed: true });
    }
    // Allowed entries keep their position, so that the cursor stays on the same entry.
    let place = |one: &Redaction| (corpus.find(&one.path).map_or(usize::MAX, FileId::index), one.line);
    all.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.path.cmp(&b.path)).then_with(|| a.rule.cmp(&b.rule)));
    Ok(all)
}

/// Allows a false positive; returns a message.
pub fn allow(env: &Environment, path: &str, line: u32, rule: Option<&str>) -> Result<String> {
    let policy = env.redaction()?;
    if !env.root.join(path).is_file() {
        return Err(Error::input(
            format!("{path} is not a file of the project"),
            "`teddy redactions` lists them; matches outside files can be allowed with `redact.allow` in your own config.yaml",
        ));
    }
    let unreadable = |why: String| Error::input(format!("{path}: {why}"), "name a file from the list");
    let bytes = read::read_bytes(&env.root, path, u64::MAX).map_err(unreadable)?;
    let text = read::decode(path, &bytes).map_err(unreadable)?.text;
    let (_, findings) = policy.redact(&text, path);
    let here = findings.iter().filter(|found| found.line == line && rule.is_none_or(|rule| *rule == *found.rule));
    let mut list = env.allowances()?.ok_or_else(no_state)?;
    let mut rules = Vec::new();
    for finding in here {
        list.allow(&finding.rule, &text[finding.start..finding.end], path, line)?;
        rules.push(finding.rule.to_string());
    }
    if rules.is_empty() {
        let by = rule.map_or_else(String::new, |rule| format!(" by rule `{rule}`"));
        return Err(Error::negative(
            format!("nothing is redacted in {path}:{line}{by}"),
            "`teddy redactions` lists them",
        ));
    }
    Ok(format!("allowed {path}:{line} ({}) in this project", rules.join(", ")))
}

/// Revokes an allowed match; returns a message.
pub fn forget(env: &Environment, path: &str, line: u32, rule: Option<&str>) -> Result<String> {
    let mut list = env.allowances()?.ok_or_else(no_state)?;
    match list.forget(path, line, rule)? {
        0 => Err(Error::negative(format!("nothing is allowed in {path}:{line}"), "`teddy redactions` lists them")),
        _ => Ok(format!("{path}:{line} is redacted again")),
    }
}

fn no_state() -> Error {
    Error::input("there is no state directory to store this in", "set TEDDY_STATE_DIR to a directory")
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::app::fetch::fetch;
    use crate::app::fetch_requests;
    use crate::gather::progress::{ScannedFile, WalkObserver};

    /// Observes a scan and records its reports.
    #[derive(Default)]
    struct Recorder {
        steps: Mutex<Vec<(String, usize)>>,
        read: AtomicUsize,
        advanced: AtomicUsize,
    }

    impl WalkObserver for Recorder {
        fn files_read(&self, files: Vec<ScannedFile>) {
            self.read.fetch_add(files.len(), Ordering::Relaxed);
        }

        fn should_continue(&self) -> bool {
            true
        }
    }

    impl ScanObserver for Recorder {
        fn reading(&self, _: &std::path::Path) {
            self.step("reading", 0);
        }

        fn step(&self, what: &str, parts: usize) {
            self.steps.lock().unwrap().push((what.to_owned(), parts));
        }

        fn advance(&self, parts: usize) {
            self.advanced.fetch_add(parts, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_scan_reports_every_file_and_every_step() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.py", "b.py", "c.py"] {
            std::fs::write(dir.path().join(name), "x = 1\n").unwrap();
        }
        let env = Environment::open(Some(dir.path())).unwrap();
        let recorder = Recorder::default();
        all(&env, &recorder).unwrap();
        assert_eq!(
            *recorder.steps.lock().unwrap(),
            [("reading".to_owned(), 0), ("searching for secrets".to_owned(), 3)]
        );
        assert_eq!((recorder.read.into_inner(), recorder.advanced.into_inner()), (3, 3));
        let recorder = Recorder::default();
        fetch(&env, None, &fetch_requests::parse("a.py").unwrap(), &recorder).unwrap();
        assert_eq!(recorder.steps.lock().unwrap().len(), 1);
        assert_eq!(recorder.read.into_inner(), 3);
    }
}
