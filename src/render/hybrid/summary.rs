//! The SUMMARY section: an overview, the payload map, and the Key Findings.

use std::fmt::Write as _;
use std::sync::Arc;

use super::Hybrid;
use super::findings::capitalised;
use super::linked::LinkedGroup;
use super::markup::{Markup, Section};
use super::view::PlacedItems;
use super::xml;
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::place::Placement;
use crate::render::fence::code_span;
use crate::render::group::{Group, points};
use crate::render::payload_meta::PayloadMeta;
use crate::render::pieces::{CountedText, PieceList};
use crate::render::tree::Tree;
use crate::score::{Criterion, TaskType};
use crate::text::{counted, thousands};

/// Maximum share of the limit for the project's structure.
const TREE_SHARE: usize = 20;
/// Number of files that the overview suggests to start with.
const FIRST: usize = 3;
/// The heading and the header row of the payload map in Markdown.
const MAP_HEAD: &str =
    "### Payload Map\n\n| Tier | Section | ~Tokens | Why Included |\n|------|---------|---------|--------------|\n";

impl Hybrid {
    pub(super) fn summary(
        &self,
        view: &PlacedItems,
        placement: &Placement,
        raw: &[(Group, usize)],
        linked: &[LinkedGroup],
    ) -> PieceList {
        let mut part = self.markup.open(self.counter, Section::Summary);
        if self.meta.style.request.is_first() {
            part.add_line(&self.request);
        }
        part.add(self.markup.paragraph(&self.narrative(view)));
        part.add(self.map(view, raw, linked));
        if self.meta.task_type == TaskType::Analyze {
            part.add_line(&self.structure(view));
        }
        part.add(match self.markup {
            Markup::Markdown => "### Key Findings\n\n",
            Markup::Xml => "<key_findings>\n",
        });
        let mut findings = self.findings(view, placement);
        if findings.is_empty() {
            findings.push("No likely target; the items are in the order of their scores.".to_owned());
        }
        for finding in &findings {
            part.add(self.markup.finding(finding));
        }
        self.markup.end_list(&mut part, "key_findings");
        if !view.mentioned.is_empty() {
            part.add(match self.markup {
                Markup::Markdown => "### Mentions, with scores\n\n",
                Markup::Xml => "<mentions>\n",
            });
            for item in &view.mentioned {
                part.add_line(&self.mention(*item));
            }
            self.markup.end_list(&mut part, "mentions");
        }
        self.markup.close(&mut part, Section::Summary);
        part
    }

    /// The project's files as a tree, folded to a share of the limit.
    fn structure(&self, view: &PlacedItems) -> Arc<CountedText> {
        self.structure.get(&view.exclusion, view.limit, || {
            let paths = self.corpus.files.iter().map(|file| file.path.as_str());
            let shown = paths.filter(|path| !view.exclusion.holds_path(path));
            let drawn = Tree::of(shown).draw(self.meta.tokenizer, view.limit / TREE_SHARE);
            CountedText::new(self.counter, self.markup.structure(&drawn))
        })
    }

    /// The line that mentions an item, cached.
    pub(super) fn mention(&self, item: ItemId) -> Arc<CountedText> {
        let text = || self.markup.mention(&self.corpus.items[item].path, points(&self.scores, item));
        Arc::clone(self.mentions[item].get_or_init(|| Arc::new(CountedText::new(self.counter, text()))))
    }

    /// Two to four factual sentences.
    fn narrative(&self, view: &PlacedItems) -> String {
        let (raw, linked, mentioned) = (view.raw.len(), view.linked.len(), view.mentioned.len());
        let inlined = if raw == 1 { "1 is".to_owned() } else { format!("{} are", thousands(raw)) };
        let linked = if linked == 0 { String::new() } else { format!(", {} linked", thousands(linked)) };
        let mentioned = if mentioned == 0 { String::new() } else { format!(", {} mentioned", thousands(mentioned)) };
        let shares = format!("{inlined} inlined{linked}{mentioned}");
        // The last comma becomes an "and".
        let shares = shares.rsplit_once(", ").map_or(shares.clone(), |(first, last)| format!("{first} and {last}"));
        let known = counted(view.known, "candidate");
        let task_type = self.meta.task_type.name();
        let mut sentences = vec![format!("Task type: {task_type}. Of {known}, {shares}.")];
        sentences.extend(self.where_to_start(view));
        let PayloadMeta { session, turn, tokenizer, .. } = &self.meta;
        let place = match (session.is_empty(), turn.is_empty()) {
            (true, _) => "Tokens".to_owned(),
            (false, true) => format!("This is session {}; tokens", code_span(session)),
            (false, false) => format!("This is turn {} of session {}; tokens", code_span(turn), code_span(session)),
        };
        sentences.push(format!("{place} are {}.", tokenizer.described()));
        sentences.join(" ")
    }

    fn where_to_start(&self, view: &PlacedItems) -> Option<String> {
        let overview = view.raw.iter().find(|inlined| self.corpus.items[inlined.item].kind == ItemKind::Review);
        if let Some(overview) = overview {
            let path = code_span(&self.corpus.items[overview.item].path);
            return Some(format!("Start with {path}, the overview of the changes."));
        }
        let shown = |item: ItemId| view.raw.iter().any(|inlined| inlined.item == item);
        let likely: Vec<ItemId> = self.likely(view).map(|(file, _)| ItemId::from(*file)).collect();
        let start = if likely.is_empty() { "No file is a likely target; start with" } else { "Start with" };
        let mut first: Vec<ItemId> = likely.into_iter().filter(|item| shown(*item)).take(FIRST).collect();
        if first.is_empty() {
            let files = view.raw.iter().map(|inlined| inlined.item);
            first = files.filter(|item| self.corpus.items[*item].kind == ItemKind::File).take(1).collect();
        }
        let named: Vec<String> = first.iter().map(|item| code_span(&self.corpus.items[*item].path)).collect();
        (!named.is_empty()).then(|| format!("{start} {}.", named.join(", then ")))
    }

    /// The reasons for including the items of a group. Only likely targets are called "likely to change".
    fn why(&self, group: Group, items: impl Iterator<Item = ItemId>, likely: &[ItemId]) -> String {
        if self.corpus.review.is_some()
            && let Some(why) = group.why_in_review()
        {
            return why.to_owned();
        }
        if group != Group::PrimaryCode {
            return group.why().to_owned();
        }
        let (mut is_likely, mut is_named, mut is_possible) = (false, false, false);
        for item in items {
            let named = self.scores.items.get(item.index()).is_some_and(|score| score.has(Criterion::Named));
            is_likely |= likely.contains(&item);
            is_named |= named && !likely.contains(&item);
            is_possible |= !named && !likely.contains(&item);
        }
        let reasons =
            [(is_likely, "likely to change"), (is_named, "named in the task"), (is_possible, "possibly affected")];
        let reasons: Vec<&str> = reasons.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect();
        let (last, others) = reasons.split_last().unwrap_or((&"possibly affected", &[]));
        let why = if others.is_empty() { (*last).to_owned() } else { format!("{}, or {last}", others.join(", ")) };
        capitalised(&why)
    }

    fn map(&self, view: &PlacedItems, raw: &[(Group, usize)], linked: &[LinkedGroup]) -> String {
        let (head, end) = match self.markup {
            Markup::Markdown => (MAP_HEAD, "\n"),
            Markup::Xml => ("<payload_map>\n", "</payload_map>\n"),
        };
        let mut rows = head.to_owned();
        let mut row = |tier: &str, label: &str, tokens: &str, why: &str| {
            let _ = match self.markup {
                Markup::Markdown => writeln!(rows, "| {tier} | {label} | {tokens} | {why} |"),
                Markup::Xml => {
                    let why = xml::attribute(why);
                    writeln!(rows, "<section tier=\"{tier}\" name=\"{label}\" tokens=\"{tokens}\" why=\"{why}\"/>")
                }
            };
        };
        let likely: Vec<ItemId> = self.likely(view).map(|(file, _)| ItemId::from(*file)).collect();
        for (group, size) in raw {
            let items = view.raw.iter().filter(|inlined| inlined.group == *group).map(|inlined| inlined.item);
            row("RAW", group.label(), &thousands(self.counter.tokens(*size)), &self.why(*group, items, &likely));
        }
        for LinkedGroup { group, fetch } in linked {
            let items = view.linked.iter().filter(|linked| linked.group == *group).map(|linked| linked.item);
            row(
                "LINKED",
                group.label(),
                &format!("0 ({} on fetch)", thousands(*fetch)),
                &self.why(*group, items, &likely),
            );
        }
        rows + end
    }
}
