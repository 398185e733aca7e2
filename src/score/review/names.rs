//! Names by which other files refer to changed definitions.

use std::collections::HashMap;

use crate::gather::review::{ChangedDefinition, Review};
use crate::gather::terms::{TermMap, each_term, hash};
use crate::ids::FileId;
use crate::outline::definitions::DefinitionKind;

/// Maximum number of names to search for.
const MOST: usize = 600;
/// Minimum length of a name. Shorter names occur in nearly every file.
const SHORTEST: usize = 3;
/// Names of constructors. Their callers write the name of the type instead.
const CONSTRUCTORS: [&str; 5] = ["new", "constructor", "initialize", "init", "default"];

/// A name of one or more changed definitions.
#[derive(Debug, Clone)]
pub(super) struct ChangedName {
    /// The name as other files write it.
    pub name: String,
    /// The name with its type, for display.
    pub shown: String,
    /// The type that it belongs to.
    pub owner: Option<String>,
    /// True for a type.
    pub is_type: bool,
    /// The changed files that define it.
    pub files: Vec<FileId>,
    /// True if every definition of the name was removed.
    pub removed: bool,
}

/// Changed names, indexed by their terms.
#[derive(Debug, Default)]
pub(super) struct ChangedNames {
    pub names: Vec<ChangedName>,
    /// Index of each term.
    pub index: TermMap<u16>,
    /// Indices of the names that contain each term.
    pub of_term: Vec<Vec<usize>>,
}

impl ChangedNames {
    /// The names of a review.
    pub fn of(review: &Review) -> Self {
        let mut found = Self::default();
        let mut known: HashMap<(String, Option<String>), usize> = HashMap::new();
        for definition in &review.definitions {
            let Some(name) = used_name(definition) else { continue };
            let key = (name.name.clone(), name.owner.clone());
            let at = *known.entry(key).or_insert_with(|| {
                found.names.push(name);
                found.names.len() - 1
            });
            found.names[at].removed &= definition.removed;
            found.names[at].files.extend(definition.file);
            if found.names.len() == MOST {
                break;
            }
        }
        for (at, name) in found.names.iter().enumerate() {
            let mut whole = None;
            // The last term of a word is the complete word.
            each_term(&name.name, |term| whole = Some(hash(term)));
            let Some(term) = whole else { continue };
            let number = *found.index.entry(term).or_insert_with(|| {
                found.of_term.push(Vec::new());
                (found.of_term.len() - 1) as u16
            });
            found.of_term[usize::from(number)].push(at);
        }
        found
    }
}

fn used_name(definition: &ChangedDefinition) -> Option<ChangedName> {
    let special = definition.name.starts_with("__") && definition.name.ends_with("__")
        || CONSTRUCTORS.contains(&definition.name.as_str());
    let is_type = matches!(definition.kind, DefinitionKind::Type | DefinitionKind::Implementation);
    let (name, owner, is_type) = match (&definition.owner, special) {
        (Some(owner), true) => (owner.clone(), None, true),
        (None, true) => return None,
        (owner, false) => (definition.name.clone(), owner.clone(), is_type),
    };
    let is_name = name.len() >= SHORTEST
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!'))
        && definition.kind != DefinitionKind::Module;
    is_name.then(|| ChangedName {
        shown: match &owner {
            Some(owner) => format!("{owner}.{name}"),
            None => name.clone(),
        },
        name,
        owner,
        is_type,
        files: Vec::new(),
        removed: definition.removed,
    })
}
