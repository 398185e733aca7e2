//! Groups of items. A group determines the kind of subsection in the payload.

use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::gather::role::Role;
use crate::ids::ItemId;
use crate::outline::language::Language;
use crate::score::{Criterion, Scores, Signal};

/// A kind of subsection, in payload order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Group {
    PrimaryCode,
    Dependencies,
    TestPatterns,
    Standards,
    Docs,
    Config,
    Evidence,
    Changes,
    Memos,
    History,
}

impl Group {
    pub const ALL: [Self; 10] = [
        Self::PrimaryCode,
        Self::Dependencies,
        Self::TestPatterns,
        Self::Standards,
        Self::Docs,
        Self::Config,
        Self::Evidence,
        Self::Changes,
        Self::Memos,
        Self::History,
    ];

    /// Group of an item that is not a file.
    pub fn of_kind(kind: ItemKind) -> Option<Self> {
        match kind {
            ItemKind::File | ItemKind::Doc => None,
            ItemKind::Memo => Some(Self::Memos),
            ItemKind::Changes | ItemKind::Delta | ItemKind::Review => Some(Self::Changes),
            ItemKind::Commits | ItemKind::History => Some(Self::History),
            ItemKind::Evidence | ItemKind::Command => Some(Self::Evidence),
        }
    }

    /// The group's label.
    pub fn label(self) -> &'static str {
        match self {
            Self::PrimaryCode => "primary-code",
            Self::Dependencies => "dependencies",
            Self::TestPatterns => "test-patterns",
            Self::Standards => "standards",
            Self::Docs => "docs",
            Self::Config => "config",
            Self::Evidence => "evidence",
            Self::Changes => "changes",
            Self::Memos => "memos",
            Self::History => "history",
        }
    }

    /// Reason for including the items of this group, for the payload map.
    pub fn why(self) -> &'static str {
        match self {
            Self::PrimaryCode => "Likely to change, or named in the task",
            Self::Dependencies => "Code that uses likely targets, or is used by them",
            Self::TestPatterns => "Tests of likely targets, and test style",
            Self::Standards => "Conventions to follow",
            Self::Docs => "Project documentation",
            Self::Config => "Configuration",
            Self::Evidence => "Logs, failures and command output",
            Self::Changes => "Uncommitted changes, or changes since the last turn",
            Self::Memos => "Facts and constraints",
            Self::History => "Recent commits and earlier turns",
        }
    }
}

impl Group {
    /// Reason for including the items of this group in a review, if it differs.
    pub fn why_in_review(self) -> Option<&'static str> {
        match self {
            Self::PrimaryCode => Some("Code that changed, or is likely to change"),
            Self::Dependencies => Some("Code that uses the changes, or is used by them"),
            Self::TestPatterns => Some("Tests that changed, and tests of what changed"),
            Self::Docs => Some("Documents that mention what changed"),
            Self::Changes => Some("The changes under review"),
            Self::History => Some("Commits under review, and earlier turns"),
            Self::Standards | Self::Config | Self::Evidence | Self::Memos => None,
        }
    }
}

/// For each item, true if it is a likely target.
fn likely_targets(corpus: &Corpus, scores: &Scores) -> Vec<bool> {
    let mut targets = vec![false; corpus.items.len()];
    for (item, _) in &scores.targets {
        if let Some(target) = targets.get_mut(item.index()) {
            *target = true;
        }
    }
    targets
}

/// The group of every item.
pub(super) fn groups(corpus: &Corpus, scores: &Scores) -> Vec<Group> {
    let targets = likely_targets(corpus, scores);
    ItemId::all(corpus.items.len()).map(|item| group_of(corpus, scores, item, targets[item])).collect()
}

fn group_of(corpus: &Corpus, scores: &Scores, item: ItemId, target: bool) -> Group {
    let meets = |criterion| scores.items.get(item.index()).is_some_and(|score| score.has(criterion));
    let kind = corpus.items[item].kind;
    if let Some(group) = Group::of_kind(kind) {
        return group;
    }
    let Some(file) = corpus.file_of(item) else { return Group::Dependencies };
    if target || meets(Criterion::Modified) || meets(Criterion::Changed) && file.role == Role::Source {
        return Group::PrimaryCode;
    }
    if matches!(file.role, Role::Test | Role::TestSupport) {
        return Group::TestPatterns;
    }
    if states_rules(&file.path) && kind == ItemKind::Doc {
        return Group::Standards;
    }
    let prose = file.language.is_some_and(Language::is_prose);
    if kind == ItemKind::Doc || file.role == Role::Doc || prose {
        return Group::Docs;
    }
    if meets(Criterion::Named) {
        return Group::PrimaryCode;
    }
    if file.role == Role::Config { Group::Config } else { Group::Dependencies }
}

/// Returns true if a contract document contains rules to follow.
pub(super) fn states_rules(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    ["contributing", "standards", "conventions", "agents", "claude"].iter().any(|word| name.starts_with(word))
}

/// Maximum number of criteria in a comment; `teddy explain` lists all of them.
const MOST_NAMED: usize = 2;

/// Short names of the criteria with the most points for an item: `named+modified`.
pub(super) fn sources(scores: &Scores, item: ItemId) -> String {
    let short = |criterion| match criterion {
        Criterion::Named => "named",
        Criterion::PlanStep => "plan",
        Criterion::Modified => "modified",
        Criterion::OneHop => "1-hop",
        Criterion::TwoHop => "2-hop",
        Criterion::SameModule => "module",
        Criterion::SameDomain => "domain",
        Criterion::Recent => "recent",
        Criterion::TestOf => "test-of",
        Criterion::Given => "given",
        Criterion::TaskType(_) => "task-type",
        Criterion::Requested => "requested",
        Criterion::Changed => "changed",
        Criterion::UsesChanged => "uses-change",
        Criterion::TestsChanged => "tests-change",
        Criterion::MentionsChanged => "mentions-change",
        Criterion::Neighbour => "neighbour",
        Criterion::Boost(_) => "boost",
    };
    let signals = scores.items.get(item.index()).map_or(&[][..], |score| &score.signals);
    let mut loudest: Vec<Criterion> = signals.iter().map(|signal| signal.criterion).collect();
    loudest.sort_by_key(|criterion| std::cmp::Reverse(criterion.points()));
    let names: Vec<&str> = loudest.into_iter().take(MOST_NAMED).map(short).collect();
    // An item without a criterion was included because of its rank, by a person, or by auto-fill.
    if names.is_empty() { "rank".to_owned() } else { names.join("+") }
}

/// The strongest reason for an item, without its confidence.
pub(super) fn reason(scores: &Scores, item: ItemId) -> Option<String> {
    let signals = &scores.items.get(item.index())?.signals;
    let meets = |criterion| signals.iter().any(|signal| signal.criterion == criterion);
    if meets(Criterion::PlanStep) && !meets(Criterion::Named) {
        return Some("named in the plan".to_owned());
    }
    let signal = strongest(scores, item)?;
    let why = signal.why.split_once("% confidence: ").map_or(&*signal.why, |(_, why)| why);
    Some(if why.is_empty() { signal.criterion.name().to_owned() } else { why.to_owned() })
}

/// The signal with the most points for an item.
pub(super) fn strongest(scores: &Scores, item: ItemId) -> Option<&Signal> {
    let signals = &scores.items.get(item.index())?.signals;
    signals.iter().max_by_key(|signal| (signal.criterion.points(), std::cmp::Reverse(signal.criterion)))
}

/// An item's score.
pub(super) fn points(scores: &Scores, item: ItemId) -> u8 {
    scores.items.get(item.index()).map_or(0, |score| score.points)
}
