//! Files that past commits changed together with the likely targets.

use std::collections::HashMap;

use super::rubric::is_bulk;
use super::targets::Target;
use crate::gather::corpus::Corpus;
use crate::gather::git::Commit;
use crate::ids::FileId;

/// Number of likely targets whose past commits are read.
const SEEDS: usize = 8;
/// Maximum number of files in a commit; larger commits contain little information about pairs of files.
const MOST_FILES: u32 = 30;
/// Number added to each target's commit count, so that a single commit has little effect.
const ASSUMED: f64 = 2.0;

/// The companions of the likely targets.
#[derive(Debug, Default)]
pub struct Companions {
    /// Share of the targets' past commits that also changed the file, weighted by the targets' confidence and the
    /// commits' sizes.
    pub strength: HashMap<FileId, f64>,
    /// The target that the file changed with most often, and the number of commits.
    pub with: HashMap<FileId, (FileId, u32)>,
}

impl Companions {
    /// The companions of the first of these targets.
    pub fn of(corpus: &Corpus, likely: &[Target]) -> Self {
        let mut companions = Self::default();
        let Some(git) = &corpus.git else { return companions };
        let seeds = &likely[..likely.len().min(SEEDS)];
        let by_path: HashMap<&str, usize> =
            seeds.iter().enumerate().map(|(at, seed)| (corpus.files[seed.file].path.as_str(), at)).collect();
        let mut commits = vec![0u32; seeds.len()];
        let mut together: Vec<HashMap<&str, (f64, u32)>> = vec![HashMap::new(); seeds.len()];
        let counts = |commit: &&Commit| commit.touched <= MOST_FILES && !is_bulk(corpus, commit.touched as usize);
        for commit in git.commits.iter().filter(counts) {
            let share = 1.0 / f64::from(commit.touched.max(1)).sqrt();
            for seed in commit.paths.iter().filter_map(|path| by_path.get(path.as_str())) {
                commits[*seed] += 1;
                for path in &commit.paths {
                    let sum = together[*seed].entry(path).or_default();
                    *sum = (sum.0 + share, sum.1 + 1);
                }
            }
        }
        for (seed, (commits, together)) in seeds.iter().zip(commits.iter().zip(together)) {
            let mut together: Vec<_> =
                together.into_iter().filter_map(|(path, sum)| Some((corpus.find(path)?, sum))).collect();
            // The sum of floats depends on their order, so the order is fixed.
            together.sort_unstable_by_key(|(file, _)| *file);
            for (file, (sum, count)) in together.into_iter().filter(|(file, _)| *file != seed.file) {
                *companions.strength.entry(file).or_default() +=
                    seed.confidence * sum / (f64::from(*commits) + ASSUMED);
                let with = companions.with.entry(file).or_insert((seed.file, 0));
                if count > with.1 {
                    *with = (seed.file, count);
                }
            }
        }
        companions
    }

    /// Strength of a file's association with the likely targets, on a scale that compresses large values.
    pub fn tie(&self, file: FileId) -> f64 {
        self.strength.get(&file).copied().unwrap_or_default().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::gather::git::GitFacts;
    use crate::gather::samples;

    const FILES: [(&str, &str); 4] =
        [("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\n"), ("c.rs", "fn c() {}\n"), ("d.rs", "fn d() {}\n")];

    /// The companions of `a.rs`, given commits that changed these paths and this many other files.
    fn companions(commits: &[(&[&str], u32)]) -> Companions {
        let (_dir, mut corpus) = samples::corpus(&FILES);
        let commit = |(paths, more): &(&[&str], u32)| Commit {
            id: "0123456".to_owned(),
            time: 0,
            message: String::new(),
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            touched: paths.len() as u32 + more,
        };
        let commits = commits.iter().map(commit).collect();
        corpus.git = Some(Arc::new(GitFacts { commits, ..GitFacts::default() }));
        Companions::of(&corpus, &[Target { file: FileId::new(0), confidence: 0.8 }])
    }

    #[test]
    fn a_file_that_changed_with_a_target_more_often_has_a_stronger_tie() {
        let found = companions(&[(&["a.rs", "b.rs"], 0), (&["a.rs", "b.rs"], 0), (&["a.rs", "c.rs"], 0)]);
        let [b, c, d] = [1, 2, 3].map(FileId::new);
        assert!(found.tie(b) > found.tie(c) && found.tie(c) > 0.0);
        assert!(found.tie(d) <= 0.0);
        assert_eq!(found.with[&b], (FileId::new(0), 2));
    }

    #[test]
    fn a_target_is_not_its_own_companion() {
        let found = companions(&[(&["a.rs", "b.rs"], 0)]);
        assert!(found.tie(FileId::new(0)) <= 0.0);
    }

    #[test]
    fn large_commits_count_less_and_very_large_ones_not_at_all() {
        let tie = |more| companions(&[(&["a.rs", "b.rs"], more)]).tie(FileId::new(1));
        assert!(tie(0) > tie(10));
        assert!(tie(29) <= 0.0);
    }

    #[test]
    fn without_history_there_are_no_companions() {
        let (_dir, corpus) = samples::corpus(&FILES);
        let found = Companions::of(&corpus, &[Target { file: FileId::new(0), confidence: 0.8 }]);
        assert!(found.strength.is_empty() && found.with.is_empty());
    }
}
