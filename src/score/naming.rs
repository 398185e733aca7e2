//! Decides if a task names a file: by path, file name, stem or definition. The name must be a whole identifier that few
//! files share.

use std::collections::HashMap;

use super::common_words::{is_common, is_request};
use super::evidence::{Evidence, is_product};
use super::mentions::{Mention, MentionKind, stem};
use super::neighbours::directory;
use super::query::looks_like_code;
use super::symbols::{Spelling, SymbolHit};
use crate::gather::corpus::Corpus;
use crate::ids::FileId;

/// Maximum number of files that may share a file name, a stem, or a class and its member. If more files share it, it
/// names a file only together with other evidence.
const SHARED_NAME: u32 = 3;
/// Maximum number of files that may define a name written as code, and the maximum if other evidence makes the file
/// likely.
const SHARED_CODE: u32 = 5;
const SHARED_CODE_LIKELY: u32 = 20;
/// These two limits for a name that the task writes as separate words (`max body length`).
const SHARED_APART: u32 = 3;
const SHARED_APART_LIKELY: u32 = 8;
/// Maximum number of likely files that share a stem or definition that is a plain word of the text.
const SHARED_WORD: u32 = 3;

/// How likely a file is according to other evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plausibility {
    /// Not a target.
    Unlikely,
    /// A target.
    Possible,
    /// A target that will probably be modified.
    Likely,
}

/// Decides which files the task names.
pub struct Naming<'a> {
    corpus: &'a Corpus,
    evidence: &'a Evidence,
    /// For a class or module and a member that the task writes together, the number of files that define both.
    members: HashMap<(&'a str, &'a str), u32>,
    /// For a module and a name that the task writes together, the number of files in the module that define the name:
    /// `mpsc::Receiver` in `mpsc/bounded.rs`.
    in_module: HashMap<(&'a str, &'a str), u32>,
}

impl<'a> Naming<'a> {
    /// Prepares the decision for one task's evidence.
    pub fn new(corpus: &'a Corpus, evidence: &'a Evidence) -> Self {
        let mut members: HashMap<(&str, &str), u32> = HashMap::new();
        let mut in_module: HashMap<(&str, &str), u32> = HashMap::new();
        if !evidence.query.qualified.is_empty() {
            for (file, hits) in &evidence.defined {
                for (owner, member) in pairs(evidence, hits) {
                    *members.entry((owner.name.as_str(), member.name.as_str())).or_default() += 1;
                }
                let file = &corpus.files[*file];
                if is_product(file) {
                    for (module, member) in module_pairs(evidence, &file.path, hits) {
                        *in_module.entry((module, member.name.as_str())).or_default() += 1;
                    }
                }
            }
        }
        Self { corpus, evidence, members, in_module }
    }

    /// The reason for assuming that the task names a file. A plain word may occur by chance, so it counts only for a
    /// file that other evidence makes likely.
    pub fn named(&self, file: FileId, plausibility: Plausibility) -> Option<String> {
        let likely = plausibility == Plausibility::Likely;
        if let Some(focus) = self.evidence.focus.iter().find(|focus| focus.file == file) {
            return Some(focus.reason());
        }
        let mention = self.evidence.mentions.files.get(&file);
        if let Some(mention) = mention.filter(|mention| by_path(mention, likely)) {
            return Some(mentioned(mention, "the task"));
        }
        // Only product code counts: not a copy of a definition in a bundle, a test helper, or a word in a document.
        if !is_product(&self.corpus.files[file]) {
            return None;
        }
        let by_stem = mention.filter(|mention| self.by_stem(mention, likely));
        let by_stem = by_stem.filter(|_| plausibility >= Plausibility::Possible);
        match (by_stem, self.definition(file, plausibility)) {
            // A definition written as code that few files share is more specific than a plain word.
            (Some(mention), Some((true, definition))) if mention.kind == MentionKind::Word => Some(definition),
            (Some(mention), _) => Some(mentioned(mention, "the task")),
            (None, Some((_, definition))) => Some(definition),
            (None, None) if likely => self.by_other_stem(file),
            (None, None) => None,
        }
    }

    fn by_stem(&self, mention: &Mention, likely: bool) -> bool {
        let is_telling = self.is_telling(&mention.words);
        match mention.kind {
            MentionKind::Word => likely && is_telling && mention.shared <= SHARED_WORD,
            MentionKind::Stem if likely => is_telling || self.is_said(&mention.words),
            MentionKind::Stem => is_telling && self.is_said(&mention.words) && mention.shared <= SHARED_NAME,
            MentionKind::Name | MentionKind::Path => false,
        }
    }

    /// Returns true if the word is in the task's sentences, not only in code and traces.
    fn is_said(&self, word: &str) -> bool {
        let query = &self.evidence.query;
        word.contains('-')
            || query.written_words.iter().any(|said| said.eq_ignore_ascii_case(word))
            || query.scopes.iter().any(|scope| scope.eq_ignore_ascii_case(word))
    }

    /// Returns true if a word is the project's own name, which does not name a file.
    fn is_own_name(&self, word: &str) -> bool {
        self.evidence.own_names.iter().any(|own| own.eq_ignore_ascii_case(word))
    }

    /// The reason for assuming that the task names a definition in the file. The boolean is true if the name is written
    /// as code and few files define it.
    fn definition(&self, file: FileId, plausibility: Plausibility) -> Option<(bool, String)> {
        let hits = self.evidence.defined.get(&file)?;
        let most = if plausibility == Plausibility::Likely { SHARED_CODE } else { SHARED_NAME };
        let mut pairs = pairs(self.evidence, hits);
        let few = |(owner, member): &(&SymbolHit, &SymbolHit)| {
            self.members.get(&(owner.name.as_str(), member.name.as_str())).is_some_and(|files| *files <= most)
        };
        if let Some((owner, member)) = pairs.find(few) {
            let name = format!("{}.{}", owner.name, member.name);
            return Some((true, self.defines(&name, member)));
        }
        let path = &self.corpus.files[file].path;
        let few = |(module, member): &(&str, &SymbolHit)| {
            self.in_module.get(&(*module, member.name.as_str())).is_some_and(|files| *files <= most)
        };
        // In a code listing, `testing.Test` only shows how the project is used.
        let is_said = |(_, member): &(&str, &SymbolHit)| {
            self.evidence.query.written_words.contains(&member.name) && self.is_telling(&member.name)
        };
        if let Some((_, member)) = module_pairs(self.evidence, path, hits).filter(is_said).find(few) {
            return Some((true, self.defines(&member.name, member)));
        }
        let hit = hits.iter().find(|hit| self.is_named(hit, plausibility))?;
        Some((hit.spelling == Spelling::Code && hit.files <= SHARED_CODE, self.defines(&hit.name, hit)))
    }

    /// Returns true for a distinctive word: not common, not a verb of the request, and not the project's own name.
    fn is_telling(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        !is_common(&lower) && !self.evidence.query.request_verbs.contains(&lower) && !self.is_own_name(name)
    }

    fn is_named(&self, hit: &SymbolHit, plausibility: Plausibility) -> bool {
        let likely = plausibility == Plausibility::Likely;
        let is_telling = || self.is_telling(&hit.name);
        match hit.spelling {
            Spelling::Code if likely => {
                let most = if self.evidence.query.written_words.contains(&hit.name) {
                    SHARED_CODE_LIKELY
                } else {
                    SHARED_CODE
                };
                hit.files <= most
            }
            // A name that is a single word, such as `peek()`, may be meant for another definition.
            Spelling::Code
                if !looks_like_code(&hit.name) && (plausibility == Plausibility::Unlikely || hit.files > 1) =>
            {
                false
            }
            Spelling::Code => {
                hit.files <= SHARED_CODE && self.evidence.query.written_words.contains(&hit.name) && is_telling()
            }
            // `Add field` asks for a field, so it does not name `AddField`.
            Spelling::Apart if is_request(&first_word(&hit.name)) || plausibility == Plausibility::Unlikely => false,
            Spelling::Apart => hit.files <= if likely { SHARED_APART_LIKELY } else { SHARED_APART },
            Spelling::Word => likely && hit.files <= SHARED_WORD && is_telling(),
        }
    }

    fn defines(&self, name: &str, hit: &SymbolHit) -> String {
        let named = if hit.spelling == Spelling::Apart { "written as words in" } else { "named in" };
        let text = text(self.evidence.query.planned.contains(&hit.name.to_lowercase()));
        format!("defines `{name}` (line {}), {named} {text}", hit.line)
    }

    /// The reason for a stem that the task writes in another form: as separate words (`max_body_length.rs` for
    /// `max body length`), in the plural, or as the directory of a package's main file (`autodoc/__init__.py`).
    fn by_other_stem(&self, file: FileId) -> Option<String> {
        let path = &self.corpus.files[file].path;
        let stem = match stem(path) {
            "__init__" | "mod" | "index" => directory(path).rsplit('/').next().unwrap_or_default(),
            stem => stem,
        };
        let stem = stem.to_lowercase();
        if stem.len() <= 3 || !self.is_telling(&stem) {
            return None;
        }
        let query = &self.evidence.query;
        let words: Vec<String> = stem.split(['_', '-']).map(str::to_owned).collect();
        let said = if words.len() > 1 {
            query.runs.contains(&words).then(|| words.join(" "))
        } else {
            let forms = [stem.clone(), format!("{stem}s"), stem.strip_suffix('s').unwrap_or(&stem).to_owned()];
            forms.into_iter().find(|form| self.is_said(form))
        };
        said.map(|said| format!("file name matches `{said}` in the task"))
    }
}

/// Pairs of a class (or module) and a member that the task writes together, such as `QuerySet.bulk_create`, if one file
/// defines both.
fn pairs<'h>(evidence: &Evidence, hits: &'h [SymbolHit]) -> impl Iterator<Item = (&'h SymbolHit, &'h SymbolHit)> {
    let by_name = |name: &str| hits.iter().find(|hit| hit.name == name);
    evidence
        .query
        .qualified
        .iter()
        .filter_map(move |(owner, member)| Some((by_name(owner)?, by_name(member)?)))
        .filter(|(owner, member)| owner.line <= member.line && owner.name != member.name)
}

/// Pairs of a module and a name that the task writes together, such as `mpsc::Receiver`, if the file defines the name
/// and its directory or stem is the module.
fn module_pairs<'h>(
    evidence: &'h Evidence,
    path: &'h str,
    hits: &'h [SymbolHit],
) -> impl Iterator<Item = (&'h str, &'h SymbolHit)> {
    let is_module = move |owner: &str| {
        [stem(path), directory(path).rsplit('/').next().unwrap_or_default()]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(owner))
    };
    let qualified = evidence.query.qualified.iter().filter(move |(owner, _)| is_module(owner));
    qualified.filter_map(|(owner, member)| {
        let hit = hits.iter().find(|hit| hit.name == *member)?;
        Some((owner.as_str(), hit))
    })
}

/// The reason for assuming that the plan names the file.
pub fn planned(evidence: &Evidence, file: FileId) -> Option<String> {
    evidence.planned.files.get(&file).map(|mention| mentioned(mention, "the plan"))
}

fn mentioned(mention: &Mention, text: &str) -> String {
    match mention.kind {
        MentionKind::Path | MentionKind::Name => format!("`{}` is named in {text}", mention.words),
        MentionKind::Stem | MentionKind::Word => format!("file name matches `{}` in {text}", mention.words),
    }
}

fn by_path(mention: &Mention, likely: bool) -> bool {
    mention.kind == MentionKind::Path || mention.kind == MentionKind::Name && (likely || mention.shared <= SHARED_NAME)
}

/// The first word of an identifier, in lower case.
fn first_word(name: &str) -> String {
    let end = name.char_indices().skip(1).find(|(_, c)| *c == '_' || c.is_uppercase() && !is_screaming(name));
    name[..end.map_or(name.len(), |(at, _)| at)].to_lowercase()
}

fn is_screaming(name: &str) -> bool {
    !name.chars().any(char::is_lowercase)
}

/// The text that contains the name: the plan if only the plan contains it, otherwise the task.
pub fn text(planned: bool) -> &'static str {
    if planned { "the plan" } else { "the task" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split_into_words() {
        for (name, first) in
            [("AddField", "add"), ("add_field", "add"), ("ADD_FIELD", "add"), ("addField", "add"), ("x", "x"), ("", "")]
        {
            assert_eq!(first_word(name), first, "{name}");
        }
    }
}
