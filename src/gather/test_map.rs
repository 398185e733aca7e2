//! Matches tests to sources by names and directories.

mod naming;

#[cfg(test)]
mod tests;

use crate::ids::FileId;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::role::Role;
use crate::outline::language::Language;
use naming::{generic, home, is_package_file, source_keys, subject, tokens};

/// Maximum number of equally near sources. With more, the name is ambiguous.
const MOST_EQUAL: usize = 3;

/// Tests and their sources, in both directions.
#[derive(Debug, Default)]
pub struct TestMap {
    tests: HashMap<FileId, Vec<FileId>>,
    sources: HashMap<FileId, Vec<FileId>>,
}

impl TestMap {
    /// Matches every test to the nearest source with the name that the test refers to. Indices are positions in
    /// `paths`.
    pub fn build(paths: &[&str], roles: &[Role]) -> Self {
        let mut map = Self::default();
        if !roles.contains(&Role::Test) {
            return map;
        }
        let mut keys: Vec<(u64, FileId)> = Vec::new();
        for (index, (path, role)) in FileId::all(paths.len()).zip(paths.iter().zip(roles)) {
            if *role == Role::Source && Language::test_family(path).is_some() {
                keys.extend(source_keys(path).iter().map(|key| (hash_of(key), index)));
            }
        }
        keys.sort_unstable();
        let packages = Packages::of(paths, roles);
        let search = SourceSearch { paths, homes: RefCell::default(), keys: &keys };
        for (index, (path, role)) in FileId::all(paths.len()).zip(paths.iter().zip(roles)) {
            if *role != Role::Test {
                continue;
            }
            let found = search.sources_for(path);
            let members = found.iter().flat_map(|source| packages.members(paths[*source]));
            let mut sources: Vec<FileId> = found.iter().copied().chain(members.copied()).collect();
            sources.sort_unstable();
            sources.dedup();
            for source in sources {
                map.tests.entry(source).or_default().push(index);
                map.sources.entry(index).or_default().push(source);
            }
        }
        map
    }

    /// Tests of `source`, sorted.
    pub fn tests_of(&self, source: FileId) -> &[FileId] {
        self.tests.get(&source).map_or(&[], Vec::as_slice)
    }

    /// Sources of `test`, sorted.
    pub fn sources_of(&self, test: FileId) -> &[FileId] {
        self.sources.get(&test).map_or(&[], Vec::as_slice)
    }
}

/// The sources next to each package's main file. A test of `mpsc/mod.rs` covers all of `mpsc`.
struct Packages<'a> {
    members: HashMap<&'a str, Vec<FileId>>,
}

/// Maximum number of sources in a directory that one test can cover.
const MOST_MEMBERS: usize = 12;

impl<'a> Packages<'a> {
    fn of(paths: &[&'a str], roles: &[Role]) -> Self {
        let mut members: HashMap<&str, Vec<FileId>> = HashMap::new();
        for (index, (path, role)) in FileId::all(paths.len()).zip(paths.iter().zip(roles)) {
            if *role == Role::Source && Language::test_family(path).is_some() {
                members.entry(directory(path)).or_default().push(index);
            }
        }
        members.retain(|_, members| members.len() <= MOST_MEMBERS);
        Self { members }
    }

    /// The other sources of the package whose main file is at `path`.
    fn members(&self, path: &str) -> &[FileId] {
        let package = is_package_file(path).then(|| self.members.get(directory(path))).flatten();
        package.map_or(&[], Vec::as_slice)
    }
}

/// Data for finding a test's sources.
struct SourceSearch<'a> {
    paths: &'a [&'a str],
    /// Directories that locate a source, computed when first needed.
    homes: RefCell<HashMap<FileId, Rc<[String]>>>,
    /// The hash of each name of each source, sorted: the names themselves would take more memory than all paths.
    keys: &'a [(u64, FileId)],
}

/// The part of a test's name that matches a source. The smaller the part, the better the directories must match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamePart {
    Whole,
    FirstWords,
    FirstWord,
    LastWords,
}

impl SourceSearch<'_> {
    /// The nearest sources with the test's name. If there are none, the name is shortened by its last words, and then
    /// by its first words.
    fn sources_for(&self, test: &str) -> Vec<FileId> {
        let Some(family) = Language::test_family(test) else { return Vec::new() };
        let words = tokens(&subject(test));
        let count = words.len();
        let beginnings = (1..=count).rev().map(|length| {
            let part = if length == count {
                NamePart::Whole
            } else if length > 1 {
                NamePart::FirstWords
            } else {
                NamePart::FirstWord
            };
            (words[..length].concat(), part)
        });
        let endings = (1..count).map(|from| (words[from..].concat(), NamePart::LastWords));
        for (key, part) in beginnings.chain(endings) {
            // A shortened name must still be specific. Otherwise `test_data_loader` would match `data`.
            if part != NamePart::Whole && (generic(&key) || key.len() < 4) {
                continue;
            }
            let found = self.nearest(test, &key, part, family);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn home(&self, source: FileId) -> Rc<[String]> {
        let mut homes = self.homes.borrow_mut();
        Rc::clone(homes.entry(source).or_insert_with(|| home(self.paths[source]).into()))
    }

    fn nearest(&self, test: &str, key: &str, part: NamePart, family: Language) -> Vec<FileId> {
        let hash = hash_of(key);
        let from = self.keys.partition_point(|(known, _)| *known < hash);
        let candidates = self.keys[from..].iter().take_while(|(known, _)| *known == hash).map(|(_, file)| *file);
        let test_home = home(test);
        let mut best = None;
        let mut found: Vec<FileId> = Vec::new();
        for candidate in candidates {
            let path = self.paths[candidate];
            if Language::test_family(path) != Some(family) {
                continue;
            }
            let source_home = &*self.home(candidate);
            let beside = directory(path) == directory(test);
            let outer = if is_package_file(path) { source_home.len().saturating_sub(1) } else { source_home.len() };
            // A package's main file belongs both to its own directory and to the parent directory.
            let tail = shared_end(source_home, &test_home).max(shared_end(&source_home[..outer], &test_home));
            let common = source_home.iter().filter(|part| test_home.contains(part)).count();
            let agrees = beside || tail > 0 || source_home.is_empty() && test_home.is_empty();
            let enough = match part {
                // In Go, tests are in the same package as the code that they test.
                _ if family == Language::Go => beside,
                NamePart::Whole => agrees || !generic(key),
                NamePart::FirstWords => true,
                NamePart::FirstWord => agrees || common > 0,
                NamePart::LastWords => agrees,
            };
            if !enough {
                continue;
            }
            let strays = (source_home.len() + test_home.len()).saturating_sub(2 * common);
            let rank = (beside, tail, common, Reverse(strays));
            if best.is_none_or(|best| rank > best) {
                best = Some(rank);
                found.clear();
            }
            if best == Some(rank) {
                found.push(candidate);
            }
        }
        if found.len() > MOST_EQUAL {
            found.clear();
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn hash_of(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

fn shared_end(left: &[String], right: &[String]) -> usize {
    left.iter().rev().zip(right.iter().rev()).take_while(|(left, right)| left == right).count()
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}
