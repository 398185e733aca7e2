//! Evidence from neighbours of the best files: imports in both directions, files in the same directory, and files with
//! the same owners.

use std::collections::BTreeMap;

use crate::gather::corpus::Corpus;
use crate::gather::owners::Ownership;
use crate::ids::FileId;

/// Number of best files whose imports count.
const FOLLOWED: usize = 8;
/// Number of best files whose importers and directories count. With more, nearly every file would be a neighbour.
const BEST: usize = 3;

/// Evidence of each file from neighbours among the best files.
#[derive(Debug, Default)]
pub struct Neighbourhood {
    /// For files that import one of the best files.
    pub users: Vec<f32>,
    /// For files that one of the best files imports.
    pub used: Vec<f32>,
    /// For files in the directory of one of the best files.
    pub directory: Vec<f32>,
    /// For files with the same owners as one of the best files, according to CODEOWNERS.
    pub owners: Vec<f32>,
}

/// Collects evidence from `seeds`, best first, each with its value. The more neighbours a seed has, the less it
/// contributes to each.
pub fn neighbourhood(corpus: &Corpus, seeds: &[(FileId, f64)]) -> Neighbourhood {
    let count = corpus.files.len();
    let mut neighbourhood = Neighbourhood {
        users: vec![0.0; count],
        used: vec![0.0; count],
        directory: vec![0.0; count],
        owners: vec![0.0; count],
    };
    let degree = |file: FileId| corpus.graph.imports(file).len() + corpus.graph.imported_by(file).len();
    let share = |file: FileId, weight: f64| (weight / (1.0 + degree(file) as f64).sqrt()) as f32;
    for (seed, weight) in seeds.iter().take(FOLLOWED) {
        for used in corpus.graph.imports(*seed) {
            neighbourhood.used[*used] += share(*used, *weight);
        }
    }
    for (seed, weight) in seeds.iter().take(BEST) {
        for user in corpus.graph.imported_by(*seed) {
            neighbourhood.users[*user] += share(*user, *weight);
        }
    }
    let mut places: BTreeMap<&str, (f64, Vec<FileId>)> = BTreeMap::new();
    for (seed, weight) in seeds.iter().take(BEST) {
        places.entry(directory(&corpus.files[*seed].path)).or_default().0 += weight;
    }
    for (index, file) in FileId::enumerate(&corpus.files) {
        if let Some((_, inside)) = places.get_mut(directory(&file.path)) {
            inside.push(index);
        }
    }
    for (sum, inside) in places.into_values() {
        let each = (sum / (inside.len() as f64 + 3.0).sqrt()) as f32;
        for index in inside {
            neighbourhood.directory[index] = each;
        }
    }
    if let Some(ownership) = Ownership::of(corpus) {
        neighbourhood.owners = owned_together(&ownership, &seeds[..seeds.len().min(BEST)], count);
    }
    neighbourhood
}

/// Evidence for the files with the same owners as a seed. Owners of more than half of the project are ignored, because
/// they do not distinguish its files.
fn owned_together(ownership: &Ownership, seeds: &[(FileId, f64)], count: usize) -> Vec<f32> {
    let mut values = vec![0.0; count];
    for (seed, weight) in seeds {
        let Some((owners, size)) = ownership.group(*seed).filter(|(_, size)| size * 2 <= count) else { continue };
        let each = (weight / (size as f64 + 3.0).sqrt()) as f32;
        for file in FileId::all(count).filter(|file| ownership.group(*file).is_some_and(|(other, _)| other == owners)) {
            values[file] += each;
        }
    }
    values
}

/// The directory of a path; the root's is empty.
pub fn directory(path: &str) -> &str {
    memchr::memrchr(b'/', path.as_bytes()).map_or("", |slash| &path[..slash])
}
