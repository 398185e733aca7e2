//! Names that describe a file without a comment or heading: its definitions, or else its imports.

use crate::gather::SourceFile;
use crate::outline::definitions::{Definition, DefinitionKind, outline};
use crate::outline::language::Language;

/// Maximum number of definitions listed for a file without a comment or heading.
const NAMES: usize = 3;
/// Maximum length of this list, without its first name.
const NAMES_LENGTH: usize = 45;
/// Beginning of this list.
pub(in crate::render) const DEFINES: &str = "defines ";

/// The largest definitions of the file, without private ones. Members count as part of their type.
pub(super) fn largest_definitions(file: &SourceFile, text: &str) -> Option<String> {
    let outline = outline(file.language?, text)?.definitions;
    let is_module = |at: usize| outline[at].kind == DefinitionKind::Module;
    // A listed definition may be nested only in modules, but not in test modules.
    let is_listed = |definition: &&Definition| {
        let mut parent = definition.parent;
        while let Some(at) = parent {
            if !is_module(at) || matches!(outline[at].name.as_str(), "tests" | "test") {
                return false;
            }
            parent = outline[at].parent;
        }
        true
    };
    let mut sizes: Vec<(&str, u32)> = Vec::new();
    for definition in outline.iter().filter(is_listed) {
        let name = match definition.kind {
            DefinitionKind::Function | DefinitionKind::Type | DefinitionKind::Macro => definition.name.as_str(),
            DefinitionKind::Implementation => implemented(&definition.name),
            _ => continue,
        };
        let lines = definition.last + 1 - definition.first;
        match sizes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += lines,
            // A trait may be implemented for a type in another file. Other implementations belong to a type in this
            // file, even if a macro defines the type.
            None if definition.kind == DefinitionKind::Implementation && definition.name.contains(" for ") => {}
            None => sizes.push((name, lines)),
        }
    }
    sizes.retain(|(name, _)| !name.starts_with(['$', '_']));
    sizes.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
    names_listed(sizes.into_iter().map(|(name, _)| name))
}

/// The type in the name of an implementation: `Cart` in `Display for Cart<T>`.
fn implemented(name: &str) -> &str {
    let name = name.rsplit_once(" for ").map_or(name, |(_, name)| name);
    name.split('<').next().unwrap_or(name).trim()
}

/// The first few of these names, as a list.
fn names_listed<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut listed: Vec<&str> = Vec::new();
    let mut length = DEFINES.len();
    for name in names {
        if listed.len() == NAMES || (!listed.is_empty() && length + name.len() > NAMES_LENGTH) {
            break;
        }
        if !listed.contains(&name) {
            length += name.len() + 2;
            listed.push(name);
        }
    }
    (!listed.is_empty()).then(|| format!("{DEFINES}{}", listed.join(", ")))
}

/// The first exported definitions of a file without an outline, or else its constants and private names. `__init__` is
/// omitted, because every class has it.
pub(super) fn main_names(file: &SourceFile) -> Option<String> {
    let kind = |name: &str| match name {
        _ if name.starts_with("__") && name.ends_with("__") => None,
        _ if name.starts_with('_') => Some(2),
        _ if name.len() > 1 && !name.contains(char::is_lowercase) => Some(1),
        _ => Some(0),
    };
    let best = file.symbols.iter().filter_map(|symbol| kind(symbol.name)).min()?;
    names_listed(file.symbols.iter().map(|symbol| symbol.name).filter(|name| kind(name) == Some(best)))
}

/// The first modules that a file without definitions imports. These files often re-export the names of a package.
pub(super) fn first_imports(file: &SourceFile) -> Option<String> {
    // The "imports" of a manifest are packages.
    if !file.language.is_some_and(Language::is_code) {
        return None;
    }
    let mut modules: Vec<&str> = Vec::new();
    for import in &file.imports {
        let length: usize = modules.iter().map(|module| module.len()).sum();
        if modules.len() == NAMES || (!modules.is_empty() && length + import.spec.len() > NAMES_LENGTH) {
            break;
        }
        if !modules.contains(&import.spec.as_str()) {
            modules.push(&import.spec);
        }
    }
    (!modules.is_empty()).then(|| format!("imports {}", modules.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::super::{HEAD, describe_item};

    #[test]
    fn a_file_without_comments_is_described_by_its_definitions() {
        let many = "fn a1() {}\nfn a1() {}\nfn b2() {}\nfn c3() {}\nfn d4() {}\nfn e5() {}\n";
        let late = format!("{}\n# Heading\n", " \n".repeat(HEAD));
        let private = "X_LIMIT = 1\n_cache = {}\nclass A:\n    def __init__(self):\n        pass\n    def _b(self):\n        pass\n";
        let long = format!("fn {0}a() {{}}\nfn {0}b() {{}}\n", "long_name_".repeat(4));
        let files = [
            ("a.rs", many),
            ("b.rs", "\n"),
            ("c.md", "#\n"),
            ("d.md", &late),
            ("e.py", private),
            ("f.py", "class _C:\n    def __init__(self):\n        pass\n"),
            ("g.py", "LIMIT = 1\nMOST = 2\ndef _low():\n    pass\n"),
            ("h.rs", &long),
            ("i.py", "from shop.cart import Cart\nfrom shop.cart import Item\nimport os\n"),
            (
                "j.py",
                "class Small:\n    pass\n\n\ndef helper():\n    return 1\n\n\nclass Model:\n    def save(self):\n        return 1\n\n    def load(self):\n        return 2\n",
            ),
            (
                "k.rs",
                "mod tests {\n    fn checks() {}\n    fn more() {}\n}\npub struct Cart;\nfn tax() {\n    1;\n}\nimpl Cart {\n    fn add() {}\n    fn remove() {}\n}\n",
            ),
            (
                "m.rs",
                "cfg_net! {\n    pub struct Socket;\n}\n\nimpl Socket {\n    fn bind() {}\n}\n\nimpl Display for Other {\n    fn fmt() {}\n    fn more() {}\n}\n",
            ),
            ("l.lock.stderr", "error: no\n"),
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ];
        let (_dir, corpus) = crate::render::samples::corpus(&files);
        let said = |path: &str| describe_item(&corpus, crate::render::samples::item(&corpus, path));
        assert_eq!(said("a.rs"), "defines a1, b2, c3");
        assert_eq!(said("e.py"), "defines A", "exported names come before constants and private names");
        assert_eq!(said("f.py"), "defines _C");
        assert_eq!(said("g.py"), "defines LIMIT, MOST");
        assert_eq!(said("h.rs"), format!("defines {}a", "long_name_".repeat(4)));
        assert_eq!(said("i.py"), "imports shop.cart, os");
        assert_eq!(said("j.py"), "defines Model, Small, helper", "the largest first, without members");
        assert_eq!(said("k.rs"), "defines Cart, tax", "implementations count for their type, and tests not at all");
        assert_eq!(said("m.rs"), "defines Socket", "a type in a macro is known by its implementation");
        assert_eq!(said("l.lock.stderr"), "stderr file");
        assert_eq!(said("Cargo.toml"), "toml file");
        assert_eq!(said("b.rs"), "rust file");
        assert_eq!(said("c.md"), "markdown file");
        assert_eq!(said("d.md"), "markdown file", "only the beginning is read");
    }
}
