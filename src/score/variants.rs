//! Directories that implement the same interface and contain files with the same names, such as `backends/mysql/` and
//! `backends/sqlite3/`. If the task's first line names one of these directories, the task is about the files in that
//! directory.

use std::collections::{HashMap, HashSet};

use super::common_words::is_common;
use super::evidence::is_product;
use super::neighbours::directory;
use super::query::Query;
use crate::gather::corpus::Corpus;
use crate::ids::FileId;

/// Minimum length of a directory's name. Shorter names match by chance.
const SHORTEST: usize = 3;
/// Number of sibling directories that must contain a file with the same name.
const SIBLINGS: usize = 2;
/// Number of file names that a directory must share with its siblings.
const SHARED_NAMES: usize = 2;

/// The value is 1 for files of a named implementation whose siblings contain the same files, and 0 for all others.
pub fn named_variants(corpus: &Corpus, query: &Query) -> Vec<f32> {
    let mut values = vec![0.0; corpus.files.len()];
    let words: HashSet<String> = query
        .terms
        .iter()
        .filter(|term| term.title > 0.0 && !term.planned)
        .map(|term| term.spelling.to_lowercase())
        .filter(|word| word.len() >= SHORTEST && !is_common(word))
        .collect();
    let product = || FileId::enumerate(&corpus.files).filter(|(_, file)| is_product(file));
    let named: HashSet<&str> = product()
        .map(|(_, file)| directory(&file.path))
        .filter(|directory| words.contains(&file_name(directory).to_lowercase()))
        .collect();
    if named.is_empty() {
        return values;
    }
    let parents: HashSet<&str> = named.iter().map(|named| directory(named)).collect();
    // For each parent directory and file name, the subdirectories that contain such a file.
    let mut holders: HashMap<(&str, &str), HashSet<&str>> = HashMap::new();
    for (_, file) in product() {
        let own = directory(&file.path);
        if parents.contains(directory(own)) && !own.is_empty() {
            holders.entry((directory(own), file_name(&file.path))).or_default().insert(own);
        }
    }
    let is_shared = |path: &str| {
        let own = directory(path);
        let shared = holders.get(&(directory(own), file_name(path)));
        !is_entry_point(path) && shared.is_some_and(|holders| holders.len() > SIBLINGS)
    };
    let mut files: HashMap<&str, Vec<FileId>> = HashMap::new();
    for (id, file) in product().filter(|(_, file)| named.contains(directory(&file.path))) {
        if is_shared(&file.path) {
            files.entry(directory(&file.path)).or_default().push(id);
        }
    }
    for id in files.into_values().filter(|files| files.len() >= SHARED_NAMES).flatten() {
        values[id] = 1.0;
    }
    values
}

/// Returns true for files that every directory of a language contains.
fn is_entry_point(path: &str) -> bool {
    let name = file_name(path);
    matches!(name.split('.').next().unwrap_or(name), "__init__" | "mod" | "index" | "lib" | "main")
}

/// The last component of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::samples;
    use crate::score::task::Task;

    fn variants(files: &[&str], task: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "def connect():\n    pass\n")).collect();
        samples::write(dir.path(), &files);
        let corpus = crate::score::tests::gather(dir.path(), &Task::new(task));
        let values = named_variants(&corpus, &Query::new(task, None));
        FileId::enumerate(&corpus.files)
            .filter(|(id, _)| values[*id] > 0.0)
            .map(|(_, file)| file.path.clone())
            .collect()
    }

    const BACKENDS: [&str; 8] = [
        "db/mysql/__init__.py",
        "db/mysql/features.py",
        "db/mysql/operations.py",
        "db/mysql/client_side.py",
        "db/oracle/features.py",
        "db/oracle/operations.py",
        "db/sqlite/features.py",
        "db/sqlite/operations.py",
    ];

    #[test]
    fn files_of_the_named_implementation_are_preferred() {
        let found = variants(&BACKENDS, "Return primary keys on MySQL");
        assert_eq!(found, ["db/mysql/features.py", "db/mysql/operations.py"]);
        assert!(variants(&BACKENDS, "Return primary keys").is_empty());
    }

    #[test]
    fn directories_without_common_names_are_not_implementations() {
        let files = ["app/mysql/features.py", "app/mysql/operations.py", "app/views/page.py", "app/forms/field.py"];
        assert!(variants(&files, "Return primary keys on MySQL").is_empty());
    }
}
