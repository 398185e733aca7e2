//! Files that the task names by module: `django.db.models`, `tokio::sync::mpsc`.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::outline::language::Language;

#[expect(clippy::unwrap_used, reason = "constant patterns, exercised by the tests")]
static DOTTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[\w-]+(?:(?:\.|::)[\w-]+)+").unwrap());

/// Maximum number of parts read from a dotted name.
const MOST_PARTS: usize = 8;
/// Maximum number of compared names that end with the same two parts.
const MOST_NAMES: usize = 20;
/// Directories that are not part of module names.
const SOURCE_ROOTS: [&str; 9] = ["src", "lib", "main", "java", "kotlin", "scala", "python", "crates", "packages"];
/// Prefixes that refer to the same project.
const OWN: [&str; 3] = ["crate", "self", "super"];
/// First parts that never belong to the project.
const STANDARD: [&str; 8] = ["std", "core", "alloc", "java", "javax", "kotlin", "scala", "system"];

/// Dotted names in text, indexed by each pair of adjacent parts.
pub struct ModuleNames {
    pairs: HashMap<(String, String), Vec<ModuleName>>,
}

/// A dotted name, up to one of its parts.
struct ModuleName {
    name: String,
    parts: Vec<String>,
}

impl ModuleNames {
    /// Collects the names in a lower-case text.
    pub fn new(low: &str) -> Self {
        let mut pairs: HashMap<(String, String), Vec<ModuleName>> = HashMap::new();
        for found in DOTTED.find_iter(low) {
            let parts = found.as_str().split(['.', ':']).filter(|part| !part.is_empty()).take(MOST_PARTS);
            let parts: Vec<String> = parts.map(plain).collect();
            for end in 2..=parts.len() {
                let pair = (parts[end - 2].clone(), parts[end - 1].clone());
                let known = pairs.entry(pair).or_default();
                let dotted = ModuleName { name: found.as_str().to_owned(), parts: parts[..end].to_vec() };
                if known.len() < MOST_NAMES && !known.iter().any(|known| known.name == dotted.name) {
                    known.push(dotted);
                }
            }
        }
        Self { pairs }
    }

    /// The dotted name that refers to a file with this lower-case path, and the number of matching parts.
    /// `django.db.models.query` refers to `query.py` rather than to the package that contains it.
    pub fn find(&self, path: &str, language: Language) -> Option<(String, usize)> {
        if self.pairs.is_empty() || !has_module_names(language) {
            return None;
        }
        let own = module_parts(path);
        let [.., parent, name] = own.as_slice() else { return None };
        let known = self.pairs.get(&(parent.clone(), name.clone()))?;
        let fitting = known.iter().filter(|dotted| fits(&dotted.parts, &own));
        fitting.map(|dotted| (dotted.name.clone(), dotted.parts.len())).max_by_key(|(_, parts)| *parts)
    }
}

/// Returns true if one of the lists ends with the other.
fn fits(dotted: &[String], own: &[String]) -> bool {
    let own = own.iter().rev().filter(|part| !SOURCE_ROOTS.contains(&part.as_str()));
    let dotted: Vec<&String> = dotted.iter().skip_while(|part| OWN.contains(&part.as_str())).collect();
    let common = own.clone().zip(dotted.iter().rev()).take_while(|(own, said)| own == *said).count();
    let standard = dotted.first().is_some_and(|first| STANDARD.contains(&first.as_str()));
    common == dotted.len() || common == own.count() && !standard
}

/// The parts of a module name. For `src/sync/mpsc/mod.rs` they end with `sync` and `mpsc`.
fn module_parts(path: &str) -> Vec<String> {
    let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
    let mut parts: Vec<String> = path.split('/').map(plain).collect();
    if parts.len() > 2 && matches!(parts.last().map(String::as_str), Some("__init__" | "mod" | "lib")) {
        parts.pop();
    }
    parts
}

/// Replaces hyphens by underscores, because the directory of a crate may have hyphens where its name in code has
/// underscores.
fn plain(part: &str) -> String {
    part.replace('-', "_")
}

/// Returns true for languages in which `a.b` (or `a::b`) refers to the file `a/b`.
fn has_module_names(language: Language) -> bool {
    matches!(
        language,
        Language::Python
            | Language::Java
            | Language::Kotlin
            | Language::Scala
            | Language::Groovy
            | Language::Rust
            | Language::CSharp
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_names_refer_to_files() {
        for (text, path, parts) in [
            ("foo.bar", "foo/bar.py", Some(2)),
            ("django.db.models.query.queryset", "django/db/models/query.py", Some(4)),
            ("django.db.models.query.queryset", "django/db/models/__init__.py", Some(3)),
            ("django.db.models.query", "other/models/query.py", None),
            ("celery.app.base", "shop/app/base.py", None),
            ("tokio::sync::mpsc", "tokio/src/sync/mpsc/mod.rs", Some(3)),
            ("std::sync::mpsc", "tokio/src/sync/mpsc/mod.rs", None),
            ("std::sync::mpsc", "src/sync/mpsc.rs", None),
            ("crate::sync::mpsc", "src/sync/mpsc.rs", Some(3)),
            ("tokio_util::codec::framed", "tokio-util/src/codec/framed.rs", Some(3)),
            ("org.acme.pay.refund", "core/src/main/java/org/acme/pay/refund.java", Some(4)),
            ("a.b", "b.py", None),
        ] {
            let language = Language::of(path, "").unwrap();
            let found = ModuleNames::new(text).find(path, language).map(|(_, parts)| parts);
            assert_eq!(found, parts, "{text} {path}");
        }
    }
}
