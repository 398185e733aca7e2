//! Decisions that stand before the person rules: `.context` files and the configuration's tiers.

use std::collections::HashSet;
use std::path::Path;

use globset::{Glob, GlobMatcher};

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::ids::ItemId;
use crate::place::{Decision, Decisions, Override, Tier};
use crate::project::Project;
use crate::project::config::RuleTier;
use crate::project::context::{self, ContextEntry, ContextLevel, ContextList, EntryProblem};
use crate::project::session::Session;
use crate::project::turn::{Turn, TurnId, TurnRecord};
use crate::score::Scores;
use crate::text::printable;
use crate::workbench::{Step, Verb, select};

/// Tiers that the configuration gives by glob.
pub fn from_config(env: &Environment, corpus: &Corpus) -> Result<Decisions> {
    let mut decisions = Decisions::new();
    for rule in &env.config.tiers {
        let matcher = matcher(&rule.glob, "tiers")?;
        let overridden = match rule.tier {
            RuleTier::Raw => Override::Pin,
            RuleTier::Linked => Override::Link,
            RuleTier::Summary => Override::Demote(Tier::Summary),
            RuleTier::Out => Override::Exclude,
        };
        // What is gone is no file to inline or to refer to, but it may have to stay unsaid.
        let items = if overridden == Override::Exclude { corpus.items.len() } else { corpus.files.len() };
        for item in ItemId::all(items) {
            if corpus.path_of_file(item).is_some_and(|path| matcher.is_match(path)) {
                decisions.insert(item, Decision::whole(overridden));
            }
        }
    }
    Ok(decisions)
}

fn matcher(glob: &str, key: &str) -> Result<GlobMatcher> {
    let wrong = |error: globset::Error| {
        Error::input(format!("`{glob}` is not a glob: {}", error.kind()), format!("mend `{key}` in config.yaml"))
    };
    Glob::new(glob).map(|glob| glob.compile_matcher()).map_err(wrong)
}

/// Leaves out every file that is not among those that were asked for, where some were: by the person, else by the
/// configuration. What tells of such a file, its changes and commits, goes with it; what is about none stays.
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

/// The paths that these steps leave ruled on like this.
pub fn ruled(steps: &[Step], overridden: Override) -> HashSet<&str> {
    let mut ruled = HashSet::new();
    for step in steps {
        for target in &step.targets {
            match step.verb {
                Verb::Rule(made) if made == overridden => drop(ruled.insert(target.as_str())),
                Verb::Rule(_) | Verb::Move(_) | Verb::Clear => drop(ruled.remove(target.as_str())),
                Verb::Limit(_) | Verb::Fill(_) => {}
            }
        }
    }
    ruled
}

/// A file that was excluded and is gone since stays out: its deletion is a change that would show it again.
pub fn from_gone(corpus: &Corpus, steps: &[Step]) -> Decisions {
    let excluded =
        steps.iter().filter(|step| step.verb == Verb::Rule(Override::Exclude)).flat_map(|step| &step.targets);
    let gone = excluded.filter(|path| corpus.find(path).is_none());
    let change = |path: &String| select::exact(corpus, &format!("{}:{path}", ItemKind::Changes.name()));
    gone.filter_map(change).map(|item| (item, Decision::whole(Override::Exclude))).collect()
}

/// What the `.context` files say for one turn.
#[derive(Default)]
pub struct Context {
    /// The lists, upper levels first; of the turn's own list only what the person put there.
    pub lists: Vec<(ContextLevel, ContextList)>,
    /// What is wrong with them.
    pub problems: Vec<EntryProblem>,
    /// What the person did to the turn's own list since we wrote it, as the steps it comes to.
    pub edits: Vec<Step>,
    /// What is taken over from the turn before although nobody but its score put it there.
    pub by_score: HashSet<String>,
}

impl Context {
    /// The levels that hold for a turn. `record` tells what we wrote into `turn.context` from what the person did.
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
                context.edits = edits(project.root(), list, &text, record);
                let ours = |text: &str| {
                    record.raw.iter().any(|path| path == text) && !record.carried.iter().any(|path| path == text)
                };
                list.entries.retain(|entry| entry.negated || entry.span.is_some() || !ours(entry.pattern.text()));
            }
        }
        Ok(context)
    }

    /// Takes over a list that the turn before had; returns the paths.
    pub fn carry_over(&mut self, project: &Project, list: &str) -> Vec<String> {
        let (mut list, _) = context::parse(list);
        list.drop_escapes(project.root());
        list.entries.retain(|entry| !is_history(project, entry));
        let paths =
            list.entries.iter().filter(|entry| !entry.negated).map(|entry| entry.pattern.text().to_owned()).collect();
        self.lists.push((ContextLevel::Turn, list));
        paths
    }

    fn add(&mut self, project: &Project, level: ContextLevel, path: &Path) -> Result<()> {
        let (mut list, problems) = ContextList::load(project.root(), path)?;
        list.entries.retain(|entry| !is_history(project, entry));
        self.problems.extend(problems.into_iter().map(|problem| EntryProblem { level: Some(level), ..problem }));
        self.lists.push((level, list));
        Ok(())
    }
}

/// Whether an entry names a request, a plan or a report of a session: other programs list them, from the project's root
/// or from the session, and here they are history and not files.
fn is_history(project: &Project, entry: &ContextEntry) -> bool {
    let text = entry.pattern.text();
    let name = text.rsplit('/').next().unwrap_or(text);
    let kept = matches!(name, "initial_request.md" | "input.md" | "plan.md" | "report.md");
    let of_session = text.strip_prefix(".teddy/sessions/").is_some();
    let of_turn =
        text.split_once('/').is_some_and(|(turn, below)| below == name && TurnId::of_directory(turn).is_some());
    kept && (of_session || of_turn && !project.root().join(text).exists())
}

/// The steps that the person's edits come to: a file added is pinned, one that we listed and they took out is demoted.
fn edits(root: &Path, list: &ContextList, text: &str, record: &TurnRecord) -> Vec<Step> {
    let known = |path: &str| record.raw.iter().any(|known| known == path);
    let plain = list.entries.iter().filter(|entry| !entry.negated && entry.span.is_none());
    let paths = plain.map(|entry| entry.pattern.text()).filter(|path| !known(path) && root.join(path).is_file());
    let added: Vec<String> = paths.map(ToOwned::to_owned).collect();
    let taken_out: Vec<String> = record.raw.iter().filter(|path| !context::covers(text, path)).cloned().collect();
    let steps = [(Override::Demote(Tier::Linked), taken_out), (Override::Pin, added)];
    let made = steps.into_iter().filter(|(_, targets)| !targets.is_empty());
    made.map(|(overridden, targets)| Step { verb: Verb::Rule(overridden), targets }).collect()
}

/// Pins for what the `.context` lists name, and which paths the upper levels named; problems go into `notes`.
pub fn from_context(corpus: &Corpus, context: &Context, notes: &mut Vec<String>) -> (Decisions, HashSet<String>) {
    let paths: Vec<&str> = corpus.files.iter().map(|file| file.path.as_str()).collect();
    let levels: Vec<(ContextLevel, &ContextList)> = context.lists.iter().map(|(level, list)| (*level, list)).collect();
    let (resolved, more) = context::resolve(&levels, &paths);
    notes.extend(context.problems.iter().chain(&more).map(|problem| said(problem, corpus)));
    let (mut decisions, mut upper) = (Decisions::new(), HashSet::new());
    for entry in resolved {
        let Some(file) = corpus.find(&entry.path) else { continue };
        let decision = decisions.entry(file.into()).or_insert_with(|| Decision::whole(Override::Pin));
        decision.spans.extend(entry.span);
        if entry.level != ContextLevel::Turn {
            upper.insert(entry.path);
        }
    }
    (decisions, upper)
}

/// Leaves to its score again what its score brought into the turn before, where pins of it would take more than half of
/// the budget: the plan, the report and what this turn is about need room, too. Returns the paths, the best one first.
pub fn let_go(
    decisions: &mut Decisions,
    context: &Context,
    (corpus, scores): (&Corpus, &Scores),
    usable: usize,
    cost: impl Fn(ItemId) -> Option<usize>,
) -> Vec<String> {
    let mut room = usable / 2;
    let mut left = Vec::new();
    for item in scores.order.iter().filter(|item| context.by_score.contains(&corpus.items[**item].path)) {
        if decisions.get(item) != Some(&Decision::whole(Override::Pin)) {
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

fn said(problem: &EntryProblem, corpus: &Corpus) -> String {
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
