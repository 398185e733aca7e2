//! Decisions that apply before any override: `.context` files and the configuration's tiers.

use std::collections::HashSet;
use std::path::Path;

use globset::{Glob, GlobMatcher};

use super::environment::Environment;
use super::list_edits;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::place::{Decision, Decisions, Override, Tier};
use crate::project::Project;
use crate::project::config::TierRule;
use crate::project::context::{self, ContextEntry, ContextLevel, ContextList, EntryProblem, Pattern};
use crate::project::line_spec::LineSpec;
use crate::project::session::Session;
use crate::project::turn::{Turn, TurnId, TurnRecord};
use crate::score::Scores;
use crate::text::printable;
use crate::workbench::{Step, Verb, lines, select};

/// Tiers that the configuration assigns by glob.
pub fn from_config(env: &Environment, corpus: &Corpus) -> Result<Decisions> {
    let mut decisions = Decisions::new();
    for rule in &env.config.tiers {
        let matcher = matcher(&rule.glob, "tiers")?;
        let overridden = match rule.tier {
            Tier::Raw => Override::Pin,
            Tier::Linked => Override::Link,
            Tier::Summary => Override::Demote(Tier::Summary),
            Tier::Out => Override::Exclude,
        };
        for item in ItemId::all(corpus.items.len()) {
            if named_by(corpus, item, rule).is_some_and(|name| matcher.is_match(name)) {
                decisions.insert(item, Decision::whole(overridden));
            }
        }
    }
    Ok(decisions)
}

/// The name that a rule's glob is compared with: a file's path, or the label of an item that is not a file if the glob
/// begins with the item's kind, as in `command:*`.
fn named_by<'c>(corpus: &'c Corpus, item: ItemId, rule: &TierRule) -> Option<&'c str> {
    let entry = &corpus.items[item];
    match corpus.path_of_file(item) {
        // A deleted file cannot be included or linked, but its changes can be excluded.
        Some(path) => (entry.kind.is_file() || rule.tier == Tier::Out).then_some(path),
        None => rule.glob.starts_with(&format!("{}:", entry.kind.name())).then_some(&entry.path),
    }
}

fn matcher(glob: &str, key: &str) -> Result<GlobMatcher> {
    let wrong = |error: globset::Error| {
        Error::input(format!("`{glob}` is not a glob: {}", error.kind()), format!("fix `{key}` in config.yaml"))
    };
    Glob::new(glob).map(|glob| glob.compile_matcher()).map_err(wrong)
}

/// Excludes every file that does not match `--only` (or `only` in the configuration), together with its changes and
/// commits. Items that do not belong to a file are kept.
pub fn from_only(env: &Environment, corpus: &Corpus, asked: &[String]) -> Result<Decisions> {
    if asked.is_empty() && env.config.only.is_empty() {
        return Ok(Decisions::new());
    }
    let mut wanted = vec![false; corpus.items.len()];
    for pattern in asked {
        for item in select::select_with_gone(corpus, pattern)? {
            wanted[item] = true;
        }
    }
    for glob in env.config.only.iter().filter(|_| asked.is_empty()) {
        let matcher = matcher(glob, "only")?;
        for (item, wanted) in ItemId::all(wanted.len()).zip(&mut wanted) {
            *wanted |= corpus.path_of_file(item).is_some_and(|path| matcher.is_match(path));
        }
    }
    let is_out = |item: &ItemId| match corpus.items[*item].about {
        Some(file) => !wanted[*item] && !wanted[file],
        None => !wanted[*item] && corpus.path_of_file(*item).is_some(),
    };
    Ok(ItemId::all(corpus.items.len()).filter(is_out).map(|item| (item, Decision::moved_to(Tier::Out))).collect())
}

/// Paths that have this override after these steps, including files with pinned lines.
pub fn overridden(steps: &[Step], overridden: Override) -> HashSet<&str> {
    let mut paths = HashSet::new();
    for step in steps {
        for target in &step.targets {
            let path = if overridden == Override::Pin { lines::path_in(target) } else { target };
            let names = [target.as_str(), path];
            match step.verb {
                Verb::Set(made) if made == overridden => paths.extend(names),
                Verb::Set(_) | Verb::Move(_) | Verb::Clear => paths.retain(|path| !names.contains(path)),
                Verb::Limit(_) | Verb::Fill(_) => {}
            }
        }
    }
    paths
}

/// Excludes the diff of each deleted file that a step excludes.
pub fn from_gone(corpus: &Corpus, steps: &[Step]) -> Decisions {
    let excluded = steps.iter().filter(|step| step.verb == Verb::Set(Override::Exclude)).flat_map(|step| &step.targets);
    let gone = excluded.filter(|path| corpus.find(path).is_none());
    let change = |path: &String| lines::item_named(corpus, &format!("{}:{path}", ItemKind::Changes.name()));
    gone.filter_map(change).map(|item| (item, Decision::whole(Override::Exclude))).collect()
}

/// The `.context` files of one turn.
#[derive(Clone, Default)]
pub struct Context {
    /// The lists, global first; the turn's own list contains only lines that the person added.
    pub lists: Vec<(ContextLevel, ContextList)>,
    /// Invalid entries of the lists.
    pub problems: Vec<EntryProblem>,
    /// The person's edits of the turn's own list, as steps.
    pub edits: Vec<Step>,
    /// Entries of the turn's own list that were carried over from the previous turn.
    pub carried_over: Vec<Pattern>,
    /// Carried-over files that were in the previous turn only because of their score.
    pub by_score: HashSet<String>,
}

impl Context {
    /// Loads the lists that apply to a turn. `record` lists the lines of `turn.context` that teddy wrote itself.
    pub fn load(project: &Project, session: Option<&Session>, turn: Option<(&Turn, &TurnRecord)>) -> Result<Self> {
        let mut context = Self::default();
        context.add(project, ContextLevel::Global, &project.global_context())?;
        if let Some(session) = session {
            context.add(project, ContextLevel::Session, &session.context_file())?;
        }
        if let Some((turn, record)) = turn {
            context.add(project, ContextLevel::Turn, &turn.context_file())?;
            let text = project.read(&turn.context_file())?;
            if let (Some((_, list)), Some(text)) = (context.lists.last_mut(), text) {
                context.edits = list_edits::edits(project.root(), list, &text, record);
                let before = list.entries.iter().filter(|entry| !entry.negated).map(|entry| &entry.pattern);
                let is_carried = |pattern: &&Pattern| record.carried.iter().any(|path| path == pattern.text());
                context.carried_over = before.filter(is_carried).cloned().collect();
                list.entries.retain(|entry| !list_edits::is_ours(record, entry));
            }
        }
        Ok(context)
    }

    /// Carries over the list of the previous turn; returns the paths.
    pub fn carry_over(&mut self, project: &Project, list: &str) -> Vec<String> {
        let (mut list, _) = context::parse(list);
        list.drop_escapes(project.root());
        list.entries.retain(|entry| !is_history(project, entry));
        self.carried_over =
            list.entries.iter().filter(|entry| !entry.negated).map(|entry| entry.pattern.clone()).collect();
        self.lists.push((ContextLevel::Turn, list));
        self.carried_over.iter().map(|pattern| pattern.text().to_owned()).collect()
    }

    fn add(&mut self, project: &Project, level: ContextLevel, path: &Path) -> Result<()> {
        let (mut list, problems) = ContextList::load(project.root(), path)?;
        list.entries.retain(|entry| !is_history(project, entry));
        self.problems.extend(problems.into_iter().map(|problem| EntryProblem { level: Some(level), ..problem }));
        self.lists.push((level, list));
        Ok(())
    }
}

/// Returns true if an entry names a request, answer or report of a session. Other programs list these files; in teddy
/// they are history items instead.
fn is_history(project: &Project, entry: &ContextEntry) -> bool {
    let text = entry.pattern.text();
    let name = text.rsplit('/').next().unwrap_or(text);
    let kept = matches!(name, "initial_request.md" | "input.md" | "plan.md" | "report.md");
    let of_session = text.strip_prefix(".teddy/sessions/").is_some();
    let of_turn =
        text.split_once('/').is_some_and(|(turn, below)| below == name && TurnId::of_directory(turn).is_some());
    kept && (of_session || of_turn && !project.root().join(text).exists())
}

/// Pins for the files in the `.context` lists, and the paths that `global.context` and `session.context` name. Problems
/// are added to `notes`.
pub fn from_context(corpus: &Corpus, context: &Context, notes: &mut Vec<String>) -> (Decisions, HashSet<String>) {
    let paths: Vec<&str> = corpus.files.iter().map(|file| file.path.as_str()).collect();
    let levels: Vec<(ContextLevel, &ContextList)> = context.lists.iter().map(|(level, list)| (*level, list)).collect();
    let find = |path: &str, lines: &LineSpec| {
        corpus.find(path).map(|file| lines::find(corpus, file, lines)).unwrap_or_default()
    };
    let (resolved, more) = context::resolve(&levels, &paths, &find);
    notes.extend(context.problems.iter().chain(&more).map(|problem| problem_note(problem, corpus)));
    let (mut decisions, mut upper) = (Decisions::new(), HashSet::new());
    for entry in resolved {
        let Some(file) = corpus.find(&entry.path) else { continue };
        let carried_over = entry.level == ContextLevel::Turn
            && context.carried_over.iter().any(|pattern| context::is_match(pattern, &entry.path));
        decisions.insert(file.into(), Decision { carried_over, ..Decision::pinned(entry.lines) });
        if entry.level != ContextLevel::Turn {
            upper.insert(entry.path);
        }
    }
    (decisions, upper)
}

/// Stops carrying over the least likely files once the carried-over pins exceed half of the budget, because the
/// remaining budget is for the answer, the report and this turn's task. Only files that were in the previous turn
/// because of their score are affected. Returns their paths, best first.
pub fn release_carried_over(
    decisions: &mut Decisions,
    context: &Context,
    (corpus, scores): (&Corpus, &Scores),
    usable: usize,
    cost: impl Fn(ItemId) -> Option<usize>,
) -> Vec<String> {
    let mut room = usable / 2;
    let mut left = Vec::new();
    for item in scores.order.iter().filter(|item| context.by_score.contains(&corpus.items[**item].path)) {
        let whole_pin = |decision: &Decision| decision.overridden == Override::Pin && decision.lines.is_empty();
        if !decisions.get(item).is_some_and(whole_pin) {
            continue;
        }
        if let Some(rest) = cost(*item).and_then(|tokens| room.checked_sub(tokens)) {
            room = rest;
        } else {
            decisions.remove(item);
            left.push(corpus.items[*item].path.clone());
        }
    }
    left
}

fn problem_note(problem: &EntryProblem, corpus: &Corpus) -> String {
    let file = match problem.level {
        Some(ContextLevel::Global) => "global.context",
        Some(ContextLevel::Session) => "session.context",
        Some(ContextLevel::Turn) => "turn.context",
        None => ".context",
    };
    let skipped = corpus.skipped.iter().find(|skipped| skipped.path == problem.entry);
    let why = skipped.map_or(problem.why.as_str(), |skipped| skipped.why.as_str());
    format!("{file}:{}: `{}`: {}", problem.line, printable(&problem.entry), printable(why))
}
