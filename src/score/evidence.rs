//! All evidence and its weighted sum, which determines the order and the likely targets.

use std::collections::HashMap;

use super::blocks::{self, BlockScores};
use super::bm25::Documents;
use super::commits::{self, CommitEvidence};
use super::companions::Companions;
use super::history_support;
use super::lexical::{Lexical, is_code};
use super::mentions::Mentions;
use super::neighbours::neighbourhood;
use super::query::Query;
use super::subject;
use super::symbols::{self, SymbolHits};
use super::task::Task;
use super::variants::named_variants;
use super::weights::Weights;
use crate::gather::corpus::Corpus;
use crate::gather::evidence::EvidenceLocation;
use crate::gather::evidence::resolve::Resolver;
use crate::gather::facts::own_names;
use crate::gather::role::Role;
use crate::ids::FileId;

/// Number of files whose blocks are read.
const READ: usize = 250;
/// Number of the best files whose neighbours get evidence.
const SEEDS: usize = 8;

/// The evidence of every file for one task.
pub struct Evidence {
    /// The parsed task.
    pub query: Query,
    /// Matches of words.
    pub lexical: Lexical,
    /// Files named in the task.
    pub mentions: Mentions,
    /// Files named in the plan.
    pub planned: Mentions,
    /// Named definitions.
    pub defined: SymbolHits,
    /// History.
    pub past: CommitEvidence,
    /// Blocks of the best files.
    pub readings: HashMap<FileId, BlockScores>,
    /// Lines that evidence points to, by file: from stack traces and from locations such as `file:line`.
    pub places: HashMap<FileId, Vec<u32>>,
    /// Files that evidence points to, most relevant first, each with its lines and the reason for the first one.
    pub focus: Vec<PointedFile>,
    /// The project's names according to its manifests.
    pub own_names: Vec<String>,
    /// All signals by name, with one value per file, before normalization.
    pub columns: Vec<SignalColumn>,
    /// Weighted sum of each file.
    pub sum: Vec<f64>,
    /// Factor for each file's role.
    factors: Vec<f64>,
}

/// A file that evidence points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointedFile {
    /// The file.
    pub file: FileId,
    /// Its lines, most relevant first.
    pub lines: Vec<u32>,
    /// Reason for the first line.
    pub why: String,
}

impl PointedFile {
    /// The reason shown with the points.
    pub fn reason(&self) -> String {
        format!("evidence: line {}, {}", self.lines[0], self.why)
    }
}

/// Groups locations by file, in order.
fn focus(corpus: &Corpus, places: &[EvidenceLocation]) -> Vec<PointedFile> {
    let mut found: Vec<PointedFile> = Vec::new();
    if places.is_empty() {
        return found;
    }
    let resolver = Resolver::new(corpus);
    for place in places {
        let Ok(file) = resolver.find(&place.path, None) else { continue };
        match found.iter_mut().find(|focus| focus.file == file) {
            Some(focus) if focus.lines.contains(&place.line) => {}
            Some(focus) => focus.lines.push(place.line),
            None => found.push(PointedFile { file, lines: vec![place.line], why: place.why.clone() }),
        }
    }
    found
}

/// One signal.
pub struct SignalColumn {
    /// Name of the signal and of its weight.
    pub name: &'static str,
    /// Weight of the signal.
    pub weight: f64,
    /// One value per file; none if all are zero.
    pub values: Vec<f32>,
    /// Maximum over all product code; all values are divided by it.
    pub most: f64,
}

impl SignalColumn {
    fn new(corpus: &Corpus, name: &'static str, weight: f64, values: Vec<f32>) -> Self {
        let product = values.iter().zip(&corpus.files).filter(|(_, file)| is_product(file)).map(|(value, _)| *value);
        let product = product.fold(0.0, f32::max);
        let most = f64::from(if product > 0.0 { product } else { values.iter().copied().fold(0.0, f32::max) });
        let values = if most > 0.0 { values } else { Vec::new() };
        Self { name, weight, values, most }
    }

    /// A file's value relative to the signal's maximum.
    fn share(&self, file: FileId) -> f64 {
        if self.most > 0.0 { (f64::from(self.values[file]) / self.most).min(1.5) } else { 0.0 }
    }
}

impl Evidence {
    /// Collects all evidence.
    pub fn new(corpus: &Corpus, task: &Task<'_>, weights: &Weights) -> Self {
        let mut query = Query::within(corpus, task.text, task.plan);
        let by_name = || {
            let planned = task.plan.map(|plan| Mentions::new(corpus, plan, false)).unwrap_or_default();
            (Mentions::new(corpus, task.text, true), planned, own_names(corpus))
        };
        let ((mut lexical, defined), (mut past, (mentions, planned, own_names))) = rayon::join(
            || (Lexical::new(corpus, &query), symbols::defined(corpus, &query)),
            || rayon::join(|| commits::past(corpus, &query), by_name),
        );
        query.know_own_names(&own_names);
        history_support::weigh(&mut query.terms, &past.commit_terms, &lexical.contents);
        let mut places = mentions.places.clone();
        let focus = focus(corpus, task.focus);
        let mut pointed = vec![0.0f32; corpus.files.len()];
        for (position, PointedFile { file, lines, .. }) in focus.iter().enumerate() {
            places.entry(*file).or_default().splice(0..0, lines.iter().copied());
            // The innermost frame counts more than its callers.
            pointed[*file] = (1.0 - 0.06 * position as f32).max(0.3);
        }
        let factors = factors(corpus, weights);
        let mut columns = vec![
            SignalColumn::new(corpus, "whole", weights.whole, lexical.whole(&query)),
            SignalColumn::new(corpus, "title", weights.title, lexical.title(&query)),
            SignalColumn::new(corpus, "path", weights.path, lexical.path(&query)),
            SignalColumn::new(corpus, "stem", weights.stem, lexical.stem(&query)),
            SignalColumn::new(corpus, "commits", weights.commits, std::mem::take(&mut past.votes)),
            SignalColumn::new(corpus, "wording", weights.wording, std::mem::take(&mut past.wording)),
            SignalColumn::new(corpus, "recency", weights.recency, std::mem::take(&mut past.recency)),
            SignalColumn::new(corpus, "named", weights.named, strengths(corpus, &mentions)),
            SignalColumn::new(corpus, "scope", weights.scope, subject::fitting(corpus, &query.scopes)),
            SignalColumn::new(corpus, "variant", weights.variant, named_variants(corpus, &query)),
            SignalColumn::new(corpus, "referred", weights.referred, referred(corpus, &past)),
            SignalColumn::new(corpus, "symbols", weights.symbols, definitions(corpus, &defined)),
            SignalColumn::new(corpus, "plan", weights.plan, strengths(corpus, &planned)),
            SignalColumn::new(corpus, "focus", weights.focus, pointed),
        ];
        lexical.drop_paths();
        let rough = sum(&columns, &factors);
        let readings = blocks::read(corpus, &query, &lexical.statistics, &best(&rough, READ));
        let (mut best_blocks, mut pairs) = (vec![0.0f32; rough.len()], vec![0.0f32; rough.len()]);
        let rarity = pair_rarity(&readings, query.pairs.len());
        let mut names = vec![0.0f32; rough.len()];
        for (file, reading) in &readings {
            names[*file] = reading.names;
            best_blocks[*file] = reading.best;
            pairs[*file] = reading.pairs.iter().map(|(pair, _)| rarity[*pair as usize]).sum();
        }
        columns.push(SignalColumn::new(corpus, "blocks", weights.blocks, best_blocks));
        columns.push(SignalColumn::new(corpus, "names", weights.names, names));
        columns.push(SignalColumn::new(corpus, "pairs", weights.pairs, pairs));
        let own = sum(&columns, &factors);
        let product: Vec<f64> =
            own.iter().zip(&corpus.files).map(|(own, file)| if is_product(file) { *own } else { 0.0 }).collect();
        let top = product.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let seeds: Vec<(FileId, f64)> =
            best(&product, SEEDS).into_iter().map(|file| (file, product[file] / top)).collect();
        let neighbourhood = neighbourhood(corpus, &seeds);
        columns.push(SignalColumn::new(corpus, "used", weights.used, neighbourhood.used));
        columns.push(SignalColumn::new(corpus, "users", weights.users, neighbourhood.users));
        columns.push(SignalColumn::new(corpus, "directory", weights.directory, neighbourhood.directory));
        columns.push(SignalColumn::new(corpus, "owners", weights.owners, neighbourhood.owners));
        let sum = sum(&columns, &factors);
        Self {
            query,
            lexical,
            mentions,
            planned,
            defined,
            past,
            readings,
            places,
            focus,
            own_names,
            columns,
            sum,
            factors,
        }
    }

    /// Adds evidence from companions of the likely targets.
    pub fn add_companions(&mut self, companions: &Companions, weight: f64) {
        for file in companions.strength.keys() {
            self.sum[*file] += weight * companions.tie(*file) * self.factors[*file];
        }
    }

    /// The weighted sum before the role's factor is applied, for comparing tests with each other.
    pub fn before_role(&self, file: FileId) -> f64 {
        let columns = self.columns.iter().filter(|column| column.weight > 0.0 && column.most > 0.0);
        columns.map(|column| column.weight * column.share(file)).sum()
    }

    /// Similarity of the whole text to a file, relative to the best file.
    pub fn lexical_share(&self, file: FileId) -> f64 {
        self.share("whole", file) + self.share("title", file)
    }

    /// Frees all data with a value for each file. The remaining data is enough to find the likely lines of the best
    /// files.
    pub fn drop_values(&mut self) {
        (self.columns, self.sum, self.factors) = (Vec::new(), Vec::new(), Vec::new());
        self.past = CommitEvidence::default();
        self.lexical.contents = Documents::default();
        self.lexical.drop_paths();
    }

    /// Reads the blocks of further files.
    pub fn read_also(&mut self, corpus: &Corpus, files: &[FileId]) {
        let unread: Vec<FileId> = files.iter().copied().filter(|file| !self.readings.contains_key(file)).collect();
        self.readings.extend(blocks::read(corpus, &self.query, &self.lexical.statistics, &unread));
    }

    /// Returns true if the signal has a value for at least one file of product code.
    pub fn speaks(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name && column.most > 0.0)
    }

    /// A signal of a file relative to the signal's maximum; 0 for an unknown signal.
    pub fn share(&self, name: &str, file: FileId) -> f64 {
        self.columns.iter().find(|column| column.name == name).map_or(0.0, |column| column.share(file))
    }
}

/// Returns true for product code, where most changes are made.
pub fn is_product(file: &crate::gather::SourceFile) -> bool {
    file.role == Role::Source && is_code(file)
}

/// Indices of the best `count` files with any evidence, best first.
pub fn best(values: &[f64], count: usize) -> Vec<FileId> {
    let mut order: Vec<FileId> = FileId::all(values.len()).filter(|at| values[*at] > 0.0).collect();
    let by = |a: &FileId, b: &FileId| values[*b].total_cmp(&values[*a]).then(a.cmp(b));
    if order.len() > count {
        order.select_nth_unstable_by(count, by);
        order.truncate(count);
    }
    order.sort_unstable_by(by);
    order
}

fn factors(corpus: &Corpus, weights: &Weights) -> Vec<f64> {
    corpus.files.iter().map(|file| factor(file.role, is_code(file), weights)).collect()
}

/// The factor by which a file's sum is multiplied because of its role.
pub(super) fn factor(role: Role, code: bool, weights: &Weights) -> f64 {
    match role {
        Role::Source if code => 1.0,
        Role::Source | Role::Data => weights.data_factor,
        Role::Test => weights.test_factor,
        Role::TestSupport => weights.support_factor,
        Role::Doc => weights.doc_factor,
        Role::Example => weights.example_factor,
        Role::Generated => weights.generated_factor,
        Role::Vendored => weights.vendored_factor,
        Role::Config => weights.config_factor,
    }
}

/// Divides each signal by its maximum over product code, sums the weighted values, and applies the role's factor.
fn sum(columns: &[SignalColumn], factors: &[f64]) -> Vec<f64> {
    let mut total = vec![0.0; factors.len()];
    for column in columns.iter().filter(|column| column.weight > 0.0 && column.most > 0.0) {
        for (file, total) in FileId::all(factors.len()).zip(&mut total) {
            *total += column.weight * column.share(file);
        }
    }
    total.iter().zip(factors).map(|(total, factor)| total * factor).collect()
}

fn strengths(corpus: &Corpus, mentions: &Mentions) -> Vec<f32> {
    let mut values = vec![0.0; corpus.files.len()];
    for (file, mention) in &mentions.files {
        values[*file] = mention.kind.strength();
    }
    values
}

fn referred(corpus: &Corpus, past: &CommitEvidence) -> Vec<f32> {
    let mut values = vec![0.0; corpus.files.len()];
    for (file, (says, _)) in &past.referred {
        values[*file] = *says;
    }
    values
}

fn definitions(corpus: &Corpus, defined: &SymbolHits) -> Vec<f32> {
    let mut values = vec![0.0; corpus.files.len()];
    for (file, hits) in defined {
        // Only the strongest definitions count, so that many weak ones do not outweigh the right one.
        values[*file] = hits.iter().take(6).map(|hit| hit.weight).sum();
    }
    values
}

fn pair_rarity(readings: &HashMap<FileId, BlockScores>, pairs: usize) -> Vec<f32> {
    let mut frequency = vec![0u32; pairs];
    for (pair, _) in readings.values().flat_map(|reading| &reading.pairs) {
        frequency[*pair as usize] += 1;
    }
    let all = readings.len() as f32;
    frequency.iter().map(|df| (1.0 + (all - *df as f32 + 0.5) / (*df as f32 + 0.5)).ln()).collect()
}
