//! The additional context of a prompt: dependencies, facts, memos, items that are not files, and related files.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{FENCE, Prompt};
use crate::gather::facts::{Dependencies, RepoFacts};
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::place::{Placement, Tier};
use crate::render::describe::describe_item;
use crate::render::exclusion::Exclusion;
use crate::render::fence::{code_span, section};
use crate::render::group::Group;
use crate::render::hybrid::Markup;
use crate::render::pieces::{CountedText, PieceList, most_that_fit};

/// Share of the limit for dependencies.
const DEPENDENCIES_SHARE: usize = 20;
/// Share of the limit for memos.
const MEMOS_SHARE: usize = 4;
/// Heading of the list of related files.
const RELATED: &str = "## Related Files\nNot shown above; ask for the ones that you need.\n";

/// A reference to an item.
pub(super) struct Link {
    pub line: Arc<CountedText>,
    /// Set if the item has no content to refer to.
    missing: bool,
}

pub(super) fn group_heading(group: Group) -> String {
    let name = match group {
        Group::Changes => "Changes",
        Group::Evidence => "Evidence",
        Group::Memos => "Memos",
        _ => "History",
    };
    format!("## {name}\n")
}

impl Prompt {
    /// Dependencies, facts and memos, except those from excluded files.
    pub(super) fn known(&self, exclusion: &Exclusion, limit: usize) -> Vec<Arc<CountedText>> {
        let facts = self.facts.without(|path| exclusion.holds_path(path));
        let mut sections = Vec::new();
        let most = limit / DEPENDENCIES_SHARE;
        sections.extend(dependencies(&facts.dependencies, |text| self.counter.0.count(text) <= most));
        sections.extend(self.facts_section(&facts));
        let memos = exclusion.memos_text(&self.corpus, &self.meta);
        sections
            .extend((!memos.is_empty()).then(|| section("Memos", &self.fitting(&memos, limit / MEMOS_SHARE), FENCE)));
        sections.into_iter().map(|text| Arc::new(CountedText::new(self.counter, text))).collect()
    }

    /// The lines that fit, and the number of omitted ones.
    fn fitting(&self, lines: &str, most: usize) -> String {
        let all: Vec<&str> = lines.split_inclusive('\n').collect();
        let shown = |kept: usize| match all.len() - kept {
            0 => lines.to_owned(),
            gone => format!("{}… ({gone} more did not fit)\n", all[..kept].concat()),
        };
        shown(most_that_fit(all.len(), |kept| self.counter.0.count(&shown(kept)) <= most))
    }

    fn facts_section(&self, facts: &RepoFacts) -> Option<String> {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            if !value.is_empty() {
                let _ = writeln!(text, "- {name}: {value}");
            }
        };
        let languages: Vec<String> = facts.languages.iter().map(|(name, share)| format!("{name} {share}%")).collect();
        let spans = |texts: &[String]| texts.iter().map(|text| code_span(text)).collect::<Vec<_>>().join(", ");
        line("Languages", &languages.join(", "));
        line("Package manager", facts.package_manager().unwrap_or_default());
        line("Build", &facts.build_command().map(code_span).unwrap_or_default());
        line("Test", &facts.test_command().map(code_span).unwrap_or_default());
        line("Entry points", &spans(&facts.entry_points));
        let branch = self.corpus.git.as_ref().and_then(|git| git.branch.as_deref());
        line("Branch", &branch.map(code_span).unwrap_or_default());
        (!text.is_empty()).then(|| format!("## Facts\n{text}\n"))
    }

    /// The reference to an item, cached; `None` for a memo, which is already included.
    pub(super) fn link(&self, item: ItemId) -> Option<&Link> {
        let entry = self.corpus.items.get(item.index()).filter(|entry| entry.kind != ItemKind::Memo)?;
        Some(self.links[item].get_or_init(|| {
            let text = self.corpus.item_text(item);
            let line = Markup::Markdown.link(&entry.path, text.lines(), &describe_item(&self.corpus, item));
            Link { line: Arc::new(CountedText::new(self.counter, line)), missing: text.missing.is_some() }
        }))
    }

    /// The list of related files; empty without any.
    pub(super) fn related(&self, placement: &Placement, exclusion: &Exclusion) -> PieceList {
        let mut part = PieceList::new(self.counter);
        let placed = placement.tier(Tier::Linked).filter(|placed| !exclusion.holds(placed.item));
        let links = placed.filter_map(|placed| self.link(placed.item));
        for (index, link) in links.filter(|link| !link.missing && !exclusion.named_in(&link.line.text)).enumerate() {
            if index == 0 {
                part.add(RELATED);
            }
            part.add_line(&link.line);
        }
        part.end_list();
        part
    }
}

/// As many dependencies from the manifests as fit, and the number of omitted ones.
fn dependencies(all: &[Dependencies], fits: impl Fn(&str) -> bool) -> Option<String> {
    let shown = |most: usize| {
        let mut text = String::from("## Dependencies\n");
        for listed in all {
            let kept = listed.names.len().min(most);
            let more = listed.names.len() - kept + listed.more;
            let names = listed.names[..kept].join(", ");
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let _ = writeln!(text, "- {}: {names}{more}", code_span(&listed.manifest));
        }
        text.push('\n');
        text
    };
    [usize::MAX, 40, 25, 15, 8, 4].into_iter().map(shown).find(|text| !all.is_empty() && fits(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_cut_to_what_fits() {
        let names: Vec<String> = (0..30).map(|number| format!("crate-{number}")).collect();
        let all = [Dependencies { manifest: "Cargo.toml".to_owned(), names, more: 2 }];
        let whole = dependencies(&all, |_| true).unwrap();
        assert!(whole.starts_with("## Dependencies\n- `Cargo.toml`: crate-0, crate-1,"), "{whole}");
        assert!(whole.ends_with("crate-29 and 2 more\n\n"), "{whole}");
        let cut = dependencies(&all, |text| text.len() < 120).unwrap();
        assert!(cut.ends_with("crate-7 and 24 more\n\n"), "{cut}");
        assert_eq!(dependencies(&all, |_| false), None);
        assert_eq!(dependencies(&[], |_| true), None);
    }
}
