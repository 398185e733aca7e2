//! Resolves an import to the files it refers to.

use std::collections::HashMap;
use std::sync::Arc;

use super::GraphNode;
use super::tree::FileTree;
use crate::outline::imports::Import;
use crate::outline::language::Language;
use crate::outline::languages::c::include_paths::include_directories;
use crate::outline::languages::go::modules::GoModules;
use crate::outline::languages::java::builds::JvmBuilds;
use crate::outline::languages::javascript::packages::ScriptPackages;
use crate::outline::languages::rust::crates::RustCrates;

/// Resolves imports and caches the results that do not depend on the importing file.
pub(crate) struct Resolver<'t, 'a> {
    pub(crate) tree: &'t FileTree<'a>,
    pub(crate) modules: Arc<GoModules>,
    pub(crate) crates: Arc<RustCrates>,
    pub(crate) packages: Arc<ScriptPackages>,
    pub(crate) builds: Arc<JvmBuilds>,
    pub(crate) include_directories: Arc<Vec<String>>,
    answers: HashMap<(Language, String), Vec<u32>>,
}

impl<'t, 'a> Resolver<'t, 'a> {
    pub(crate) fn new(tree: &'t FileTree<'a>, nodes: &[GraphNode<'_>]) -> Self {
        Self {
            tree,
            modules: Arc::new(GoModules::new(tree, nodes)),
            crates: Arc::new(RustCrates::new(tree, nodes)),
            packages: Arc::new(ScriptPackages::new(nodes)),
            builds: Arc::new(JvmBuilds::new(nodes)),
            include_directories: Arc::new(include_directories(tree, nodes)),
            answers: HashMap::new(),
        }
    }

    /// Another resolver for the same files, with its own cache.
    pub(crate) fn another(&self) -> Self {
        Self {
            tree: self.tree,
            modules: Arc::clone(&self.modules),
            crates: Arc::clone(&self.crates),
            packages: Arc::clone(&self.packages),
            builds: Arc::clone(&self.builds),
            include_directories: Arc::clone(&self.include_directories),
            answers: HashMap::new(),
        }
    }

    /// Files that a file imports, and its companions; sorted, without duplicates and without the file itself.
    pub(crate) fn targets(&mut self, file: usize, imports: &[Import]) -> Vec<u32> {
        let mut targets = Vec::new();
        let Some(language) = self.tree.languages.get(file).copied().flatten() else { return targets };
        if let Some(resolve) = language.spec().resolve {
            for import in imports {
                resolve(self, file as u32, import, &mut targets);
            }
        }
        if let Some(companions) = language.spec().companions {
            targets.extend(companions(self.tree, file as u32));
        }
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|target| *target as usize != file);
        targets
    }

    /// The cached result for `question` in this language, computed on first use.
    pub(crate) fn cached(
        &mut self,
        language: Language,
        question: &str,
        answer: impl Fn(&FileTree<'a>, &str) -> Vec<u32>,
    ) -> &[u32] {
        let tree = self.tree;
        self.answers.entry((language, question.to_owned())).or_insert_with(|| answer(tree, question))
    }
}
