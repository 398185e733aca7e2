//! Effect of manifests on the neighbours view: `cargo bench --bench imports -- DIR…` resolves the imports of each project
//! once as they are and once without the settings of its manifests.

#![allow(clippy::unwrap_used, reason = "a benchmark stops if its setup fails")]
#![allow(clippy::print_stdout, reason = "the table is the result")]

use std::path::{Path, PathBuf};

use teddy::gather::progress::NoObserver;
use teddy::gather::terms::Vocabulary;
use teddy::gather::walk::Walk;
use teddy::gather::{Corpus, Gather, SourceFile};
use teddy::ids::FileId;
use teddy::outline::graph::{GraphNode, ImportGraph};
use teddy::outline::imports::Import;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Names of manifests, or their endings.
const MANIFESTS: [&str; 9] = [
    "package.json",
    "tsconfig.json",
    "jsconfig.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    ".gradle",
    ".gradle.kts",
    "compile_commands.json",
];

fn main() {
    let dirs = std::env::args().skip(1).filter(|argument| argument != "--bench").map(PathBuf::from);
    println!("| project | code files | imports resolved without | with | files with neighbours without | with |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for dir in dirs {
        let corpus = gathered(&dir);
        let code = |file: &&SourceFile| file.language.is_some_and(teddy::outline::language::Language::is_code);
        let count = corpus.files.iter().filter(code).count();
        let (without, with) = (resolved(&corpus, true), resolved(&corpus, false));
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        println!("| {name} | {count} | {} | {} | {} | {} |", without.0, with.0, without.1, with.1);
    }
}

/// Number of imports that lead to a file, and of files with a neighbour.
fn resolved(corpus: &Corpus, without_manifests: bool) -> (usize, usize) {
    const NONE: &[Import] = &[];
    let node = |file: &'_ SourceFile| (without_manifests && is_manifest(&file.path)).then_some(NONE);
    let nodes: Vec<GraphNode<'_>> = corpus
        .files
        .iter()
        .map(|file| GraphNode {
            path: &file.path,
            language: file.language,
            imports: node(file).unwrap_or(&file.imports),
        })
        .collect();
    let graph = ImportGraph::build(&nodes);
    let files = || FileId::all(nodes.len());
    let joined = |file: &FileId| !graph.imports(*file).is_empty() || !graph.imported_by(*file).is_empty();
    (files().map(|file| graph.imports(file).len()).sum(), files().filter(joined).count())
}

fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.iter().any(|known| name.ends_with(known)) || name.starts_with("tsconfig.")
}

fn gathered(dir: &Path) -> Corpus {
    let walk =
        Walk { root: dir, max_file_bytes: 1_000_000, ignore: &[], vocabulary: &Vocabulary::All, observer: &NoObserver };
    Gather { walk, history_commits: 0, cache: None, base: None, redactor: std::sync::Arc::default() }.run().unwrap()
}
