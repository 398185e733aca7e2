//! The parts of a pack other than its files, trimmed to leave space for the files.

use super::super::payload_meta::SessionTerms;
use super::Packer;
use super::json::write;
use super::model::{Artifact, Decision, FreeObject, Input, Pack, Provenance, RepoFacts, Workspace};
use crate::project::clock;
use crate::render::exclusion::Exclusion;
use crate::score::TaskType;
use crate::text::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Maximum number of sentences in a goal.
const GOAL_SENTENCES: usize = 3;
/// Shares of the limit for the goal, the definition of done, the constraints and the decisions.
const GOAL_SHARE: usize = 6;
const DONE_SHARE: usize = 10;
const CONSTRAINTS_SHARE: usize = 12;
const DECISIONS_SHARE: usize = 12;
/// Number of digits in the id of a decision.
const ID_DIGITS: usize = 8;
/// Number of times that the shares can be halved.
const LEVELS: u32 = 5;
/// Number of halvings after which optional parts are omitted.
const BARE: u32 = 3;

impl Packer {
    /// Builds a base that takes at most three fifths of the usable tokens, or else the smallest possible base.
    pub(super) fn build_base(&self, exclusion: &Exclusion, limit: usize) -> Pack {
        let most = self.meta.tokenizer.usable(limit) / 5 * 3;
        let mut level = 0;
        loop {
            let mut pack = self.base_at(exclusion, limit >> level, level);
            pack.pack_id = super::json::pack_id(&pack);
            if level == LEVELS || self.count(&write(&pack)) <= most {
                return pack;
            }
            level += 1;
        }
    }

    fn base_at(&self, exclusion: &Exclusion, limit: usize, level: u32) -> Pack {
        let meta = &self.meta;
        let facts = self.facts.without(|path| exclusion.holds_path(path));
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (goal, is_cut) = self.goal((limit / GOAL_SHARE).max(30));
        // The first two steps: contract documents and changes.
        let doc_refs = self.contract(exclusion, limit);
        let mut artifacts = self.deltas(exclusion, limit);
        if is_cut && !meta.session.is_empty() && !meta.turn.is_empty() {
            let whole = Artifact {
                r#ref: format!(".teddy/sessions/{}/{}/turn.yaml", meta.session, meta.turn),
                r#type: "file".to_owned(),
                summary: Some("The goal is shortened; this file contains the whole task.".to_owned()),
                sha256: None,
            };
            artifacts.insert(0, whole);
        }
        let bare = level >= BARE;
        Pack {
            pack_id: String::new(),
            run_id: some(&meta.session),
            node_id: some(&meta.turn),
            created_at: Some(clock::iso(meta.generated)),
            goal,
            definition_of_done: self.definition_of_done(&facts, limit / DONE_SHARE),
            global_mode: self.global_mode().to_owned(),
            docs_root: self.docs_root().to_owned(),
            doc_refs,
            node_mode: meta.pack.node_mode.map(|mode| mode.name().to_owned()),
            repo_facts: (!bare).then(|| repo_facts(&facts, self.provenance())),
            workspace: Some(self.workspace()).filter(|workspace| !bare && !workspace.root_path.is_empty()),
            inputs: meta.terms.upstream.iter().map(|(id, node)| input(id, node)).collect(),
            artifacts,
            decisions: self.decisions(limit / DECISIONS_SHARE),
            constraints: self.constraints(exclusion, limit / CONSTRAINTS_SHARE),
            tool_policy: if bare { FreeObject::new() } else { self.tool_policy() },
            output_schema_ref: meta.pack.output_schema.clone(),
            ..Pack::default()
        }
    }

    /// The objective in a few sentences, and true if the task was shortened. From the second turn on, the last sentence
    /// is the session's goal.
    fn goal(&self, most: usize) -> (String, bool) {
        let Some(session_goal) = self.meta.other_goal() else {
            let (goal, is_cut) = self.sentences(&self.meta.task, GOAL_SENTENCES, most);
            // The schema requires a goal, so it is never empty.
            return (if goal.is_empty() { "…".to_owned() } else { goal }, is_cut);
        };
        let (task, is_cut) = self.sentences(&self.meta.task, GOAL_SENTENCES - 1, most * 2 / 3);
        let stop = if task.ends_with(['.', '!', '?', '…']) { "" } else { "." };
        let room = most.saturating_sub(self.count(&task)).max(most / 3);
        let (session_goal, _) = self.sentences(session_goal, 1, room);
        (format!("{task}{stop} Session goal: {session_goal}"), is_cut)
    }

    /// The first sentences of the text on one line, with at most this many tokens, and true if the text was shortened.
    fn sentences(&self, text: &str, count: usize, most: usize) -> (String, bool) {
        let whole = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = sentence_ends(&whole).nth(count - 1).unwrap_or(whole.len());
        let kept = self.cut(whole[..end].trim_end(), most);
        let is_cut = kept != whole;
        (kept, is_cut)
    }

    /// The person's acceptance criteria, or else default criteria for the task type and the repository.
    fn definition_of_done(&self, facts: &crate::gather::facts::RepoFacts, most: usize) -> Vec<String> {
        let said: Vec<String> =
            self.meta.terms.definition_of_done.iter().filter(|done| !done.trim().is_empty()).cloned().collect();
        if !said.is_empty() {
            return self.fitting(&said, most);
        }
        match self.meta.task_type {
            TaskType::Analyze => {
                return vec!["The answer names the files and lines that support it".to_owned()];
            }
            TaskType::Review => {
                return vec!["Every finding names its file, lines and severity".to_owned()];
            }
            TaskType::Docs => {
                return vec!["The documents cover the goal and agree with the code".to_owned()];
            }
            _ => {}
        }
        let mut done = vec!["The goal is implemented and covered by tests".to_owned()];
        done.extend(facts.test_command().map(|command| format!("`{command}` passes")));
        done
    }

    /// As many of these strings as fit, redacted. The first one is always included, shortened if necessary.
    pub(super) fn fitting(&self, texts: &[String], most: usize) -> Vec<String> {
        let mut room = most;
        let mut kept: Vec<String> = Vec::new();
        for text in texts {
            let clean = self.corpus.redactor.redact(text, "session.yaml").0;
            let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = if kept.is_empty() { self.cut(&clean, most.max(12)) } else { clean };
            let tokens = self.count(&text) + 2;
            if text.is_empty() || kept.contains(&text) || !kept.is_empty() && tokens > room {
                continue;
            }
            room = room.saturating_sub(tokens);
            kept.push(text);
        }
        kept
    }

    /// The session's constraints and the project's memos. Each is either included in full or omitted.
    fn constraints(&self, exclusion: &Exclusion, most: usize) -> FreeObject {
        let rules = [&self.meta.terms.constraints[..], &self.meta.pack.constraints].concat();
        let rules = self.fitting(&rules, most);
        let used: usize = rules.iter().map(|rule| self.count(rule) + 2).sum();
        let memos = exclusion.remaining_memos(&self.corpus, &self.meta.memos);
        let memos = self.fitting(&memos, most.saturating_sub(used));
        let lists = [("rules", rules), ("memos", memos)];
        let filled = lists.into_iter().filter(|(_, list)| !list.is_empty());
        filled.map(|(name, list)| (name.to_owned(), json!(list))).collect()
    }

    /// The configured policy, with secrets redacted.
    fn tool_policy(&self) -> FreeObject {
        let mut policy = Value::Object(self.meta.pack.tool_policy.clone().into_iter().collect());
        super::json::redact(&mut policy, &self.corpus.redactor);
        policy.as_object().cloned().unwrap_or_default()
    }

    pub(super) fn decisions(&self, most: usize) -> Vec<Decision> {
        let mut room = most;
        let mut kept = Vec::new();
        let clean = |text: &str| self.corpus.redactor.redact(text, "session.yaml").0.into_owned();
        let SessionTerms { decisions, handed_over, .. } = &self.meta.terms;
        for decision in decisions.iter().chain(handed_over) {
            let summary = clean(&decision.summary);
            let decision = Decision {
                id: if decision.id.is_empty() { id_of(&summary) } else { clean(&decision.id) },
                summary,
                rationale: decision.rationale.as_deref().map(clean),
                links: decision.links.iter().filter(|link| !link.is_empty()).map(|link| clean(link)).collect(),
            };
            let short = Decision { rationale: None, links: Vec::new(), ..decision.clone() };
            let fitting = [decision, short].into_iter().find_map(|decision| {
                let tokens = self.count(&serde_json::to_string(&decision).unwrap_or_default()) + 1;
                (tokens <= room && !decision.summary.is_empty()).then_some((decision, tokens))
            });
            let is_new = |decision: &Decision| kept.iter().all(|known: &Decision| known.id != decision.id);
            if let Some((decision, tokens)) = fitting.filter(|(decision, _)| is_new(decision)) {
                room -= tokens;
                kept.push(decision);
            }
        }
        kept
    }

    /// The global mode: planning in discovery, implementation in the other phases. Without a phase, it depends on the
    /// task type.
    fn global_mode(&self) -> &'static str {
        let plans = match self.meta.terms.phase {
            Some(phase) => phase == 1,
            None => self.meta.task_type.only_answers(),
        };
        if plans { "planning" } else { "implementation" }
    }

    fn workspace(&self) -> Workspace {
        let git = self.corpus.git.as_ref();
        let (mode, worktree_path) = match git {
            Some(git) if git.linked_worktree => {
                ("worktree", git.top.as_ref().map(|top| top.to_string_lossy().into_owned()))
            }
            Some(git) if git.clone_of_checkout => ("copy", None),
            _ => ("shared", None),
        };
        Workspace {
            mode: mode.to_owned(),
            root_path: self.meta.system.root.clone(),
            worktree_path,
            branch: git.and_then(|git| git.branch.clone()),
        }
    }

    fn provenance(&self) -> Provenance {
        let git = self.corpus.git.as_ref();
        Provenance {
            generator: concat!("teddy ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: git.and_then(|git| git.head.clone()),
            uncommitted: git.map(|git| git.dirty.len() as u64).filter(|count| *count > 0),
        }
    }

    /// Shortens the text to this many tokens, after a sentence if possible, otherwise between words.
    pub(super) fn cut(&self, text: &str, most: usize) -> String {
        if self.count(text) <= most {
            return text.to_owned();
        }
        let fits = |end: &usize| self.count(&format!("{} …", &text[..*end])) <= most;
        let ends: Vec<usize> = sentence_ends(text).collect();
        let words: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).collect();
        let characters = || text.char_indices().map(|(at, _)| at).collect::<Vec<usize>>();
        // Longer text rarely has fewer tokens, so bisection works. The result is counted exactly.
        let last = |places: &[usize]| {
            let upto = places.partition_point(|end| fits(end));
            places[..upto].iter().rev().copied().find(|end| fits(end) && *end > 0)
        };
        let sentence = last(&ends);
        let word = last(&words);
        let end = match (sentence, word) {
            (Some(sentence), Some(word)) if sentence * 2 < word => Some(word),
            (Some(sentence), _) => Some(sentence),
            (None, word) => word.or_else(|| last(&characters())),
        };
        end.map_or_else(String::new, |end| format!("{} …", text[..end].trim_end()))
    }
}

/// The ends of sentences.
fn sentence_ends(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(['.', '!', '?', '\n']).filter_map(|(at, mark)| {
        let end = at + mark.len();
        let after = text[end..].chars().next();
        (mark == "\n" || after.is_none_or(char::is_whitespace)).then_some(end)
    })
}

fn input(id: &str, node: &str) -> Input {
    Input { payload_id: id.to_owned(), from_node_id: Some(node.to_owned()), edge_id: None }
}

fn repo_facts(facts: &crate::gather::facts::RepoFacts, provenance: Provenance) -> FreeObject {
    let own = |text: Option<&str>| text.map(ToOwned::to_owned);
    let facts = RepoFacts {
        languages: facts.languages.iter().map(|(name, _)| (*name).to_owned()).collect(),
        package_manager: own(facts.package_manager()),
        build_command: own(facts.build_command()),
        test_command: own(facts.test_command()),
        entry_points: facts.entry_points.clone(),
        provenance: vec![provenance],
    };
    match serde_json::to_value(facts) {
        Ok(Value::Object(members)) => members,
        _ => FreeObject::new(),
    }
}

/// The id for a decision that has none. It depends on the text alone, so that merging packs joins equal decisions and
/// keeps different ones apart.
fn id_of(summary: &str) -> String {
    format!("D-{}", &hex(&Sha256::digest(summary.as_bytes()))[..ID_DIGITS])
}
