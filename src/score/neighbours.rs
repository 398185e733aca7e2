//! Looking outward from the best files: who imports them, whom they import, who lies beside them.

use std::collections::HashMap;

use super::mentions::stem;
use crate::gather::corpus::Corpus;
use crate::gather::terms::each_term;

/// What the neighbourhood of the best files says about each file.
#[derive(Debug, Default)]
pub struct Around {
    /// Imports, in either direction.
    pub imports: Vec<f32>,
    /// Imports one of them.
    pub users: Vec<f32>,
    /// Is imported by one of them.
    pub used: Vec<f32>,
    /// In the directory of one of them.
    pub directory: Vec<f32>,
    /// Named like one of them.
    pub alike: Vec<f32>,
}

/// Looks around `seeds`, each with how good it is.
pub fn around(corpus: &Corpus, seeds: &[(usize, f64)]) -> Around {
    let count = corpus.files.len();
    let mut around = Around {
        imports: vec![0.0; count],
        users: vec![0.0; count],
        used: vec![0.0; count],
        directory: vec![0.0; count],
        alike: vec![0.0; count],
    };
    let degree = |file: u32| corpus.graph.imports(file as usize).len() + corpus.graph.imported_by(file as usize).len();
    for (seed, weight) in seeds {
        for user in corpus.graph.imported_by(*seed) {
            let add = weight / (1.0 + degree(*user) as f64).sqrt();
            around.imports[*user as usize] += add as f32;
            around.users[*user as usize] += add as f32;
        }
        for used in corpus.graph.imports(*seed) {
            let add = weight / (1.0 + degree(*used) as f64).sqrt();
            around.imports[*used as usize] += add as f32;
            around.used[*used as usize] += add as f32;
        }
    }
    beside(corpus, seeds, &mut around);
    around
}

fn beside(corpus: &Corpus, seeds: &[(usize, f64)], around: &mut Around) {
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    let mut sums: HashMap<&str, f64> = HashMap::new();
    for file in &corpus.files {
        *sizes.entry(directory(&file.path)).or_default() += 1;
    }
    for (seed, weight) in seeds {
        *sums.entry(directory(&corpus.files[*seed].path)).or_default() += weight;
    }
    let names: Vec<(Vec<String>, &str, f64)> = seeds
        .iter()
        .map(|(seed, weight)| (name_parts(&corpus.files[*seed].path), corpus.files[*seed].path.as_str(), *weight))
        .collect();
    for (index, file) in corpus.files.iter().enumerate() {
        let place = directory(&file.path);
        if let Some(sum) = sums.get(place) {
            around.directory[index] = (sum / (sizes[place] as f64 + 3.0).sqrt()) as f32;
        }
        let mut mine: Option<Vec<String>> = None;
        for (parts, path, weight) in &names {
            if *path == file.path || shared_start(place, directory(path)) == 0 && !place.is_empty() {
                continue;
            }
            let mine = mine.get_or_insert_with(|| name_parts(&file.path));
            let common = mine.iter().filter(|part| parts.contains(part)).count();
            if common > 0 {
                let share = common as f64 / (mine.len().max(parts.len())) as f64;
                around.alike[index] = around.alike[index].max((weight * share) as f32);
            }
        }
    }
}

fn shared_start(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

fn name_parts(path: &str) -> Vec<String> {
    let mut parts = Vec::new();
    crate::gather::terms::words(stem(path), |word| {
        let mut found = Vec::new();
        each_term(word, |term| found.push(term.to_owned()));
        if found.len() > 2 {
            found.pop();
        }
        parts.append(&mut found);
    });
    parts
}

/// The directory of a path; the root's is empty.
pub fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}
