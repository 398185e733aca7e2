//! Scores files quickly while others are still being read, by the similarity of a file and its path to the task. The
//! quick score does not use history, imports or blocks. The full score follows when all files have been read.

use super::bm25::{Document, Statistics};
use super::evidence::factor;
use super::lexical::{PATH, TITLE, WHOLE, WordCache, content, path_document};
use super::query::Query;
use super::{Task, Weights, bm25};
use crate::gather::progress::ScannedFile;
use crate::gather::role;
use crate::gather::terms::TermId;
use crate::outline::language::Language;

/// The terms to search for, with weights.
#[derive(Debug)]
pub struct QuickScorer {
    query: Query,
    weights: Weights,
    terms: Vec<TermId>,
}

/// A file as seen by the quick score.
#[derive(Debug, Clone, Default)]
pub struct QuickFile {
    content: Document,
    path: Document,
    name: Document,
    /// Factor of the file's role.
    factor: f64,
    /// True if the file's words count when the rarity of words is computed.
    code: bool,
}

impl QuickScorer {
    /// Prepares the quick score for a task.
    pub fn new(task: &Task<'_>, weights: Weights) -> Self {
        let query = Query::new(task.text, task.plan);
        let terms = query.terms.iter().map(|term| term.id).collect();
        Self { query, weights, terms }
    }

    /// Terms that the walk must count.
    pub fn terms(&self) -> &[TermId] {
        &self.terms
    }

    /// Converts a scanned file.
    pub fn at(&self, file: &ScannedFile) -> QuickFile {
        let mut known = WordCache::default();
        let path = path_document(&file.path, &self.query, &mut known);
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        let code = file.language.is_some_and(Language::is_code);
        QuickFile {
            content: content(file.says.clone(), file.words, &path),
            name: path_document(name, &self.query, &mut known),
            factor: factor(role::role(&file.path, file.language), code, &self.weights),
            path,
            code,
        }
    }

    /// The value of each file relative to the best one, from 0 to 1.
    pub fn shares(&self, files: &[&QuickFile]) -> Vec<f64> {
        let term = |at: usize| &self.query.terms[at];
        let signals = [
            self.signal(files, |file| &file.content, WHOLE, self.weights.whole, |at| term(at).weight),
            self.signal(files, |file| &file.content, TITLE, self.weights.title, |at| term(at).title),
            self.signal(files, |file| &file.path, PATH, self.weights.path, |at| term(at).weight),
            self.signal(files, |file| &file.name, PATH, self.weights.stem, |at| term(at).weight),
        ];
        let sum = |(at, file): (usize, &&QuickFile)| signals.iter().map(|signal| signal[at]).sum::<f64>() * file.factor;
        let sums: Vec<f64> = files.iter().enumerate().map(sum).collect();
        let best = sums.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        sums.into_iter().map(|sum| sum / best).collect()
    }

    /// The weighted values of one signal for all files, relative to the maximum.
    fn signal<'f>(
        &self,
        files: &[&'f QuickFile],
        document: fn(&'f QuickFile) -> &'f Document,
        shape: bm25::Bm25Parameters,
        weight: f64,
        of_term: impl Fn(usize) -> f64,
    ) -> Vec<f64> {
        let code = files.iter().filter(|file| file.code).map(|file| document(file));
        let statistics = Statistics::of(code, self.terms.len());
        let values: Vec<f64> =
            files.iter().map(|file| bm25::bm25(document(file), &statistics, shape, &of_term)).collect();
        let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        values.into_iter().map(|value| weight * value / most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::terms::{TermCounter, Vocabulary};

    fn sighting(glance: &QuickScorer, path: &str, text: &str) -> ScannedFile {
        let counts = TermCounter::new(&Vocabulary::All).count(text);
        let place = |id: &TermId| glance.terms().iter().position(|term| term == id);
        let says = counts.terms.iter().filter_map(|(id, count)| Some((place(id)? as u16, *count))).collect();
        let language = Language::of(path, "");
        ScannedFile { path: path.to_owned(), lines: 1, language, words: counts.length, says }
    }

    fn order(task: &str, files: &[(&str, &str)]) -> Vec<String> {
        let glance = QuickScorer::new(&Task::new(task), Weights::default());
        let seen: Vec<QuickFile> = files.iter().map(|(path, text)| glance.at(&sighting(&glance, path, text))).collect();
        let shares = glance.shares(&seen.iter().collect::<Vec<_>>());
        let mut order: Vec<usize> = (0..files.len()).filter(|at| shares[*at] > 0.0).collect();
        order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
        order.into_iter().map(|at| files[at].0.to_owned()).collect()
    }

    #[test]
    fn files_with_the_tasks_words_come_first_and_code_before_tests() {
        let files = [
            ("src/ui.rs", "fn draw() { frame(); }"),
            ("src/charge.rs", "fn charge(amount: u32) { gateway(amount) }"),
            ("src/refund.rs", "fn refund(payment: Payment) { gateway(payment) }"),
            ("tests/refund.rs", "fn refund(payment: Payment) { gateway(payment) }"),
        ];
        let found = order("Refund a payment twice", &files);
        assert_eq!(found, ["src/refund.rs", "tests/refund.rs"]);
    }

    #[test]
    fn a_word_in_every_file_has_no_effect() {
        let files = [("a.rs", "value value value"), ("b.rs", "value empty"), ("c.rs", "value")];
        assert_eq!(order("An empty value", &files)[0], "b.rs");
    }

    #[test]
    fn a_task_without_words_finds_nothing() {
        assert!(order("?", &[("a.rs", "value")]).is_empty());
    }
}
