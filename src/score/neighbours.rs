//! Evidence from neighbours of the best files: imports in both directions, and files in the same directory.

use std::collections::BTreeMap;

use crate::gather::corpus::Corpus;
use crate::ids::FileId;

/// Number of best files whose imports count.
const FOLLOWED: usize = 8;
/// Number of best files whose importers and directories count; with more, nearly every file would be a neighbour.
const BEST: usize = 3;

/// Evidence of each file from neighbours among the best files.
#[derive(Debug, Default)]
pub struct Neighbourhood {
    /// The file imports one of the best.
    pub users: Vec<f32>,
    /// One of the best imports the file.
    pub used: Vec<f32>,
    /// The file is in the directory of one of the best.
    pub directory: Vec<f32>,
}

/// Collects evidence from `seeds`, best first, each with its value. A seed with many neighbours contributes less to
/// each.
pub fn neighbourhood(corpus: &Corpus, seeds: &[(FileId, f64)]) -> Neighbourhood {
    let count = corpus.files.len();
    let mut neighbourhood =
        Neighbourhood { users: vec![0.0; count], used: vec![0.0; count], directory: vec![0.0; count] };
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
    neighbourhood
}

/// The directory of a path; empty for the root.
pub fn directory(path: &str) -> &str {
    memchr::memrchr(b'/', path.as_bytes()).map_or("", |slash| &path[..slash])
}
