//! From an import to the files it means: which language asks in which way, and what was asked before.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::imports::Import;
use super::go::Modules;
use super::rust::Crates;
use super::tree::Tree;
use super::{Node, dotted, paths};
use crate::outline::language::Language;

/// Resolves imports and remembers the answers that do not depend on who asks.
pub(crate) struct Resolver<'t, 'a> {
    tree: &'t Tree<'a>,
    modules: Arc<Modules>,
    crates: Arc<Crates>,
    known: HashMap<(Kind, String), Vec<u32>>,
}

/// Which way of asking an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Python,
    Jvm,
    Php,
    CSharp,
    Include,
    Ruby,
    Lua,
}

impl<'t, 'a> Resolver<'t, 'a> {
    pub(crate) fn new(tree: &'t Tree<'a>, nodes: &[Node<'_>]) -> Self {
        let (modules, crates) = (Arc::new(Modules::new(tree, nodes)), Arc::new(Crates::new(tree, nodes)));
        Self { tree, modules, crates, known: HashMap::new() }
    }

    /// Another one for the same files, with a memory of its own.
    pub(crate) fn another(&self) -> Self {
        let (modules, crates) = (Arc::clone(&self.modules), Arc::clone(&self.crates));
        Self { tree: self.tree, modules, crates, known: HashMap::new() }
    }

    /// The files that a file imports, and its other half: sorted, without itself, each once.
    pub(crate) fn targets(&mut self, file: usize, imports: &[Import]) -> Vec<u32> {
        let mut targets = Vec::new();
        for import in imports {
            self.resolve(file, import, &mut targets);
        }
        self.companions(file, &mut targets);
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|target| *target as usize != file);
        targets
    }

    /// Adds the files that `import` of `file` means.
    fn resolve(&mut self, file: usize, import: &Import, targets: &mut Vec<u32>) {
        let Some(language) = self.tree.languages.get(file).copied().flatten() else { return };
        let from = file as u32;
        match language {
            Language::Rust => self.crates.resolve(self.tree, from, import, targets),
            Language::Python => self.python(from, import, targets),
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte => {
                targets.extend(paths::script(self.tree, from, &import.spec));
            }
            Language::Go => targets.extend_from_slice(self.modules.package(&import.spec)),
            Language::Java | Language::Kotlin | Language::Scala => self.jvm(from, import, targets),
            Language::Php => self.php(from, import, targets),
            Language::CSharp => {
                let found = self.remembered(Kind::CSharp, &import.spec, dotted::c_sharp);
                targets.extend_from_slice(found);
            }
            Language::C | Language::Cpp => self.include(from, &import.spec, targets),
            Language::Ruby => self.ruby(from, &import.spec, targets),
            Language::Lua => {
                let found = self.remembered(Kind::Lua, &import.spec, paths::lua).to_vec();
                targets.extend(self.tree.nearest(from, &found));
            }
            Language::Shell => targets.extend(paths::shell(self.tree, from, &import.spec)),
            // In Swift an import names a whole module and nothing says where its files are; others have no imports.
            _ => {}
        }
    }

    /// Adds the other half of a header and its implementation.
    fn companions(&self, file: usize, targets: &mut Vec<u32>) {
        if matches!(self.tree.languages.get(file), Some(Some(Language::C | Language::Cpp))) {
            targets.extend(paths::companions(self.tree, file as u32));
        }
    }

    /// The answer to `question`, worked out the first time it is asked.
    fn remembered(&mut self, kind: Kind, question: &str, answer: impl Fn(&Tree<'a>, &str) -> Vec<u32>) -> &[u32] {
        let tree = self.tree;
        self.known.entry((kind, question.to_owned())).or_insert_with(|| answer(tree, question))
    }

    fn python(&mut self, from: u32, import: &Import, targets: &mut Vec<u32>) {
        if import.spec.starts_with('.') {
            targets.extend(dotted::python_relative(self.tree, from, import));
            return;
        }
        let mut whole = import.names.is_empty();
        for name in &import.names {
            let found = self.python_module(from, &format!("{}.{name}", import.spec));
            whole |= found.is_empty();
            targets.extend(found);
        }
        if whole {
            targets.extend(self.python_module(from, &import.spec));
        }
    }

    fn python_module(&mut self, from: u32, module: &str) -> Vec<u32> {
        let candidates = self.remembered(Kind::Python, module, dotted::python).to_vec();
        dotted::python_reachable(self.tree, from, module, &candidates)
    }

    fn jvm(&mut self, from: u32, import: &Import, targets: &mut Vec<u32>) {
        if let Some(package) = import.spec.strip_suffix(".*") {
            let class = self.remembered(Kind::Jvm, package, dotted::jvm).to_vec();
            if class.is_empty() {
                let found = self.remembered(Kind::Jvm, &import.spec, dotted::jvm_package);
                targets.extend_from_slice(found);
            } else {
                targets.extend(self.nearest_class(from, &class));
            }
            return;
        }
        let class = self.remembered(Kind::Jvm, &import.spec, dotted::jvm).to_vec();
        if !class.is_empty() {
            targets.extend(self.nearest_class(from, &class));
            return;
        }
        for name in &import.names {
            let found = self.remembered(Kind::Jvm, &format!("{}.{name}", import.spec), dotted::jvm).to_vec();
            targets.extend(self.nearest_class(from, &found));
        }
    }

    /// The nearest files of a class; where Java and Kotlin both have one, that of the importing language.
    fn nearest_class(&self, from: u32, candidates: &[u32]) -> Vec<u32> {
        let mut nearest = self.tree.nearest(from, candidates);
        let language = self.tree.languages[from as usize];
        let same = |file: &u32| self.tree.languages[*file as usize] == language;
        if nearest.iter().any(same) {
            nearest.retain(same);
        }
        nearest
    }

    fn php(&mut self, from: u32, import: &Import, targets: &mut Vec<u32>) {
        if import.spec.starts_with("./") {
            targets.extend(paths::shell(self.tree, from, &import.spec));
            return;
        }
        let found = self.remembered(Kind::Php, &import.spec, dotted::php).to_vec();
        if !found.is_empty() {
            targets.extend(self.tree.nearest(from, &found));
            return;
        }
        for name in &import.names {
            let found = self.remembered(Kind::Php, &format!("{}\\{name}", import.spec), dotted::php).to_vec();
            targets.extend(self.tree.nearest(from, &found));
        }
    }

    fn include(&mut self, from: u32, spec: &str, targets: &mut Vec<u32>) {
        let angle = spec.strip_prefix('<').and_then(|spec| spec.strip_suffix('>'));
        let path = angle.unwrap_or(spec);
        if angle.is_none()
            && let Some(beside) = paths::beside(self.tree, from, path)
        {
            targets.push(beside);
            return;
        }
        let found =
            self.remembered(Kind::Include, spec, |tree, _| paths::include(tree, path, angle.is_some())).to_vec();
        targets.extend(self.tree.nearest(from, &found));
    }

    fn ruby(&mut self, from: u32, spec: &str, targets: &mut Vec<u32>) {
        if spec.starts_with('.') {
            targets.extend(
                paths::beside(self.tree, from, &format!("{spec}.rb")).or_else(|| paths::beside(self.tree, from, spec)),
            );
            return;
        }
        let found = self.remembered(Kind::Ruby, spec, paths::ruby).to_vec();
        targets.extend(paths::ruby_reachable(self.tree, from, spec, &found));
    }
}
