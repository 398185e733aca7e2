//! Collects every path of a source file, parsed with syn, and resolves it to a module of the crate or to another crate.
//!
//! Paths in `use` trees, expressions, types, patterns and macro arguments all count. Renamed imports are followed.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Segments from the root of the crate, such as `["gather", "code"]`; empty for the root.
pub type ModulePath = Vec<String>;

/// A path as it is written.
#[derive(Debug)]
pub struct Reference {
    pub line: usize,
    /// Module that contains the path; may be an inline module.
    pub module: ModulePath,
    /// True if the path starts with `::` and therefore names another crate.
    pub global: bool,
    pub segments: Vec<String>,
    /// True if it is compiled for tests only.
    pub in_test: bool,
}

/// Target of a path.
#[derive(Debug, PartialEq, Eq, Clone, PartialOrd, Ord)]
pub enum Target {
    /// Something in this crate, by its path from the root.
    Inside(ModulePath),
    /// Something in another crate, or a local name with the same syntax.
    Outside(String),
}

/// Imports that were followed: line, module and path.
type Seen<'a> = BTreeSet<(usize, &'a ModulePath, &'a Vec<String>)>;

/// All paths and names of one crate.
#[derive(Default)]
pub struct Crate {
    /// Every path with the path of its file.
    pub references: Vec<(String, Reference)>,
    /// Conditions on the operating system, with the path of their file: `#[cfg(unix)]`, `cfg!(windows)`.
    pub systems: Vec<(String, Reference)>,
    /// Imported names by module.
    imports: BTreeMap<ModulePath, BTreeMap<String, Reference>>,
    modules: BTreeSet<ModulePath>,
    test_modules: BTreeSet<ModulePath>,
}

impl Crate {
    /// Reads a file, whose path begins with `src/`.
    pub fn add(&mut self, file: &str, text: &str) -> syn::Result<()> {
        let parsed = syn::parse_file(text)?;
        let module = module_of(file);
        self.modules.insert(module.clone());
        let mut collector = Collector { file, found: self, module, in_test: false };
        collector.visit_file(&parsed);
        Ok(())
    }

    /// Returns true if the crate has this module.
    pub fn has_module(&self, path: &[String]) -> bool {
        self.modules.contains(path)
    }

    /// Returns true if the path is compiled for tests only.
    pub fn is_test(&self, reference: &Reference) -> bool {
        reference.in_test
            || (0..=reference.module.len()).any(|end| self.test_modules.contains(&reference.module[..end]))
    }

    /// Follows a path through `crate`, `self`, `super`, imported names and re-exports.
    pub fn resolve(&self, reference: &Reference) -> Option<Target> {
        self.resolve_once(reference, &mut BTreeSet::new())
    }

    /// Follows each imported name at most once, so that circular imports terminate.
    fn resolve_once<'a>(&'a self, reference: &'a Reference, seen: &mut Seen<'a>) -> Option<Target> {
        let (first, rest) = reference.segments.split_first()?;
        if reference.global {
            return Some(Target::Outside(first.clone()));
        }
        let path = match first.as_str() {
            "crate" | "teddy" => rest.to_vec(),
            "self" | "super" => {
                let mut module = reference.module.clone();
                let mut rest = &reference.segments[..];
                while let Some(first) = rest.first().filter(|first| matches!(first.as_str(), "self" | "super")) {
                    if first == "super" {
                        module.pop()?;
                    }
                    rest = &rest[1..];
                }
                [module, rest.to_vec()].concat()
            }
            "Self" => return None,
            name => {
                let child = [&reference.module[..], &[name.to_owned()]].concat();
                let imported = self.imports.get(&reference.module).and_then(|names| names.get(name));
                if let Some(import) = imported.filter(|import| import.segments != reference.segments)
                    && seen.insert((import.line, &import.module, &import.segments))
                {
                    return match self.resolve_once(import, seen)? {
                        Target::Inside(path) => self.follow([path, rest.to_vec()].concat(), seen),
                        outside @ Target::Outside(_) => Some(outside),
                    };
                }
                if !self.modules.contains(&child) {
                    return Some(Target::Outside(name.to_owned()));
                }
                [&child[..], rest].concat()
            }
        };
        self.follow(path, seen)
    }

    /// Replaces a re-exported name by its full path.
    fn follow<'a>(&'a self, path: ModulePath, seen: &mut Seen<'a>) -> Option<Target> {
        for end in 0..path.len() {
            let import = self.imports.get(&path[..end]).and_then(|names| names.get(&path[end]));
            let Some(import) = import else { continue };
            if !seen.insert((import.line, &import.module, &import.segments)) {
                continue;
            }
            let Some(target) = self.resolve_once(import, seen) else { continue };
            return match target {
                Target::Inside(start) if start == path[..=end] => continue,
                Target::Inside(start) => self.follow([&start[..], &path[end + 1..]].concat(), seen),
                outside @ Target::Outside(_) => Some(outside),
            };
        }
        Some(Target::Inside(path))
    }
}

/// Module of a file, from its path below `src/`.
fn module_of(file: &str) -> ModulePath {
    let inside = file.trim_start_matches("src/").trim_end_matches(".rs");
    let mut segments: ModulePath = inside.split('/').map(ToOwned::to_owned).collect();
    if matches!(segments.last().map(String::as_str), Some("mod" | "lib" | "main" | "build")) {
        segments.pop();
    }
    segments
}

struct Collector<'a> {
    file: &'a str,
    found: &'a mut Crate,
    module: ModulePath,
    in_test: bool,
}

impl Collector<'_> {
    fn reference(&self, line: usize, global: bool, segments: Vec<String>) -> Reference {
        Reference { line, module: self.module.clone(), global, segments, in_test: self.in_test }
    }

    fn note(&mut self, line: usize, global: bool, segments: Vec<String>) {
        let reference = self.reference(line, global, segments);
        self.found.references.push((self.file.to_owned(), reference));
    }

    fn import(&mut self, line: usize, global: bool, segments: Vec<String>, name: String) {
        let reference = self.reference(line, global, segments.clone());
        self.found.imports.entry(self.module.clone()).or_default().entry(name).or_insert(reference);
        self.note(line, global, segments);
    }

    fn use_tree(&mut self, tree: &syn::UseTree, global: bool, prefix: &[String]) {
        let joined = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        // `a::{self}` is `a`.
        let named =
            |name: &syn::Ident| if name == "self" && !prefix.is_empty() { prefix.to_vec() } else { joined(name) };
        match tree {
            syn::UseTree::Path(path) => self.use_tree(&path.tree, global, &joined(&path.ident)),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.use_tree(tree, global, prefix)),
            syn::UseTree::Glob(glob) => self.note(glob.span().start().line, global, prefix.to_vec()),
            syn::UseTree::Name(name) => {
                let segments = named(&name.ident);
                let last = segments.last().cloned().unwrap_or_default();
                self.import(name.ident.span().start().line, global, segments, last);
            }
            syn::UseTree::Rename(rename) => {
                let line = rename.ident.span().start().line;
                self.import(line, global, named(&rename.ident), rename.rename.to_string());
            }
        }
    }

    /// Records the first operating system in a condition.
    fn condition(&mut self, tokens: TokenStream) {
        if let Some(name) = first_system(tokens) {
            let reference = self.reference(name.span().start().line, false, vec![name.to_string()]);
            self.found.systems.push((self.file.to_owned(), reference));
        }
    }

    /// Paths in the arguments of a macro: names joined by `::`, anywhere.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let sign = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == sign);
        let colons = |at: usize| {
            let joint = matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint);
            joint && sign(at, ':') && sign(at + 1, ':')
        };
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let foreign = at > 0 && (sign(at - 1, '$') || sign(at - 1, '.'));
                    let mut segments = vec![first.to_string()];
                    while colons(at + 1)
                        && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    {
                        segments.push(next.to_string());
                        at += 3;
                    }
                    if !foreign && segments.len() > 1 {
                        self.note(first.span().start().line, false, segments);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// Names that a condition uses to distinguish operating systems.
const SYSTEMS: [&str; 5] = ["unix", "windows", "target_os", "target_family", "target_env"];

fn first_system(tokens: TokenStream) -> Option<syn::Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => first_system(group.stream()),
        TokenTree::Ident(name) => SYSTEMS.iter().any(|system| name == system).then_some(name),
        _ => None,
    })
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Meta>().is_ok_and(|condition| requires_test(&condition))
    })
}

fn requires_test(condition: &syn::Meta) -> bool {
    match condition {
        syn::Meta::List(list) if list.path.is_ident("all") => {
            let parts = list.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(requires_test))
        }
        other => other.path().is_ident("test"),
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let (true, syn::Meta::List(list)) = (attribute.path().is_ident("cfg"), &attribute.meta) {
            self.condition(list.tokens.clone());
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let before = self.in_test;
        self.in_test |= is_test(&item.attrs);
        self.use_tree(&item.tree, item.leading_colon.is_some(), &[]);
        self.in_test = before;
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.note(item.ident.span().start().line, true, vec![item.ident.to_string()]);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.module.push(item.ident.to_string());
        self.found.modules.insert(self.module.clone());
        if is_test(&item.attrs) {
            self.found.test_modules.insert(self.module.clone());
        }
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let before = self.in_test;
        self.in_test |= is_test(&item.attrs);
        visit::visit_item_fn(self, item);
        self.in_test = before;
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        // A single name is a local, a recorded import, or `crate` in `pub(crate)`.
        if segments.len() > 1 {
            self.note(path.span().start().line, path.leading_colon.is_some(), segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        visit::visit_macro(self, call);
        // `visit_path` skips single names.
        if let Some(name) = call.path.get_ident() {
            self.note(name.span().start().line, false, vec![name.to_string()]);
            if name == "cfg" {
                self.condition(call.tokens.clone());
            }
        }
        self.tokens(call.tokens.clone());
    }
}
