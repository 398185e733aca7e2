//! Files that past commits changed together with the likely targets.

use std::collections::HashMap;

use super::targets::Target;
use crate::gather::corpus::Corpus;
use crate::ids::FileId;

/// Likely targets whose past commits are looked at.
const SEEDS: usize = 8;
/// A commit that touches more files says little about any two of them.
const MOST_FILES: u32 = 30;
/// Commits that every target is assumed to have besides its own, so that one commit proves nothing.
const ASSUMED: f64 = 2.0;

/// The companions of the likely targets.
#[derive(Debug, Default)]
pub struct Companions {
    /// The share of the targets' past commits that touched the file too, weighted by the targets' confidence and the commits' sizes.
    pub strength: HashMap<FileId, f64>,
    /// The target that the file changed with most often, and in how many commits.
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
        for commit in git.commits.iter().filter(|commit| commit.touched <= MOST_FILES) {
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
            // Sums of floats depend on their order.
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

    /// The strength of a file's ties to the likely targets; large ones differ less than small ones.
    pub fn tie(&self, file: FileId) -> f64 {
        self.strength.get(&file).copied().unwrap_or_default().sqrt()
    }
}
