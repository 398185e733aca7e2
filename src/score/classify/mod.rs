//! Infers a task's type and complexity from its text with two small linear models. `assets/task-type/train.py` trains
//! them.

mod content;
mod cues;
mod features;
mod linear;
mod reason;
mod shape;
#[cfg(test)]
mod tests;
mod tokens;

pub use content::has_content;
use features::Features;

use super::common_words::is_request;
use super::scores::Scores;
use super::task::{Complexity, TaskType};
use crate::ids::FileId;
use crate::text::counted;

/// The type for each conventional-commit prefix. Other prefixes only count as features.
const OF_PREFIX: [(&str, TaskType); 8] = [
    ("feat", TaskType::Implement),
    ("fix", TaskType::Debug),
    ("refactor", TaskType::Refactor),
    ("style", TaskType::Refactor),
    ("perf", TaskType::Refactor),
    ("chore", TaskType::Refactor),
    ("test", TaskType::Test),
    ("docs", TaskType::Docs),
];

/// The columns of the weights for types.
const TYPES: [TaskType; linear::TYPES] = [
    TaskType::Implement,
    TaskType::Debug,
    TaskType::Refactor,
    TaskType::Test,
    TaskType::Analyze,
    TaskType::Review,
    TaskType::Docs,
];

/// Verbs that, together with a question, ask only for an explanation: "explain how".
const EXPLAINING: [&str; 5] = ["analyse", "analyze", "describe", "explain", "understand"];
const QUESTION_WORDS: [&str; 8] = ["how", "what", "when", "where", "whether", "which", "who", "why"];

/// Minimum confidence of the targets that affect the complexity.
const SURE: f32 = 0.5;

/// Type and complexity inferred from the text alone.
#[derive(Debug, Clone)]
pub struct Inference {
    /// The type; `None` if the text has too little content.
    pub task_type: Option<TaskType>,
    /// Reason for the type: phrases of the text.
    pub type_reason: String,
    /// Scores of the complexities.
    levels: [f64; linear::LEVELS],
    /// Reasons for each complexity: phrases of the text.
    level_reasons: [String; linear::LEVELS],
}

/// The first words of a one-line text that only asks a question.
fn question(text: &str) -> Option<String> {
    let words: Vec<String> = text.split_whitespace().map(bare).filter(|word| word != "please").collect();
    let [verb, question, rest @ ..] = words.as_slice() else { return None };
    let asks = EXPLAINING.contains(&verb.as_str()) && QUESTION_WORDS.contains(&question.as_str());
    let only_asks = !text.trim().contains('\n') && !rest.iter().any(|word| is_request(word));
    (asks && only_asks).then(|| format!("{verb} {question}"))
}

/// A word in lower case without the punctuation around it.
fn bare(word: &str) -> String {
    word.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase()
}

impl Inference {
    /// Infers type and complexity from the text.
    pub fn new(text: &str) -> Self {
        if !has_content(text) {
            let none = || "the task has too little detail".to_owned();
            let level_reasons = [none(), none(), none()];
            return Self { task_type: None, type_reason: none(), levels: [0.0; linear::LEVELS], level_reasons };
        }
        let features = Features::new(text);
        let sums = linear::sums(&features);
        let by_prefix = OF_PREFIX.iter().find(|(prefix, _)| Some(*prefix) == features.prefix);
        let (task_type, type_reason) = if let Some((prefix, task_type)) = by_prefix {
            (*task_type, format!("the prefix '{prefix}:'"))
        } else if let Some(question) = question(text) {
            (TaskType::Analyze, format!("'{question}'"))
        } else {
            let column = linear::largest(&sums[..linear::TYPES]);
            (TYPES[column], reason::phrases(&features, column))
        };
        let mut levels = [0.0; linear::LEVELS];
        levels.copy_from_slice(&sums[linear::TYPES..]);
        let level_reasons = std::array::from_fn(|level| reason::phrases(&features, linear::TYPES + level));
        Self { task_type: Some(task_type), type_reason, levels, level_reasons }
    }

    /// Classification of a review that has no task. The complexity follows from the size of the change.
    pub fn of_review(files: usize, lines: usize) -> Self {
        let level = match (files, lines) {
            (0..=2, 0..=60) => Complexity::Simple,
            (0..=25, 0..=1_500) => Complexity::Medium,
            _ => Complexity::Complex,
        };
        let reason = format!("{}, {}", counted(files, "changed file"), counted(lines, "changed line"));
        Self::certain(TaskType::Review, "a review", level, &reason)
    }

    /// Classification of a plan with pinned files and no task.
    pub fn of_pins() -> Self {
        Self::certain(TaskType::Analyze, "pinned files without a task", Complexity::DEFAULT, "")
    }

    fn certain(task_type: TaskType, type_reason: &str, level: Complexity, reason: &str) -> Self {
        let sum = |each: Complexity| if each == level { 1.0 } else { 0.0 };
        Self {
            task_type: Some(task_type),
            type_reason: type_reason.to_owned(),
            levels: Complexity::ALL.map(sum),
            level_reasons: Complexity::ALL.map(|_| reason.to_owned()),
        }
    }

    /// The complexity and its reason, from the text and the likely targets; `None` if the text has too little content.
    pub fn complexity(&self, scores: &Scores, paths: &dyn Fn(FileId) -> String) -> (Option<Complexity>, String) {
        if self.task_type.is_none() {
            return (None, self.type_reason.clone());
        }
        let spread = TargetCounts::of(scores, paths);
        let mut levels = self.levels;
        for (level, raise) in levels.iter_mut().zip(spread.raises()) {
            *level += raise;
        }
        let level = linear::largest(&levels);
        let mut reasons = vec![self.level_reasons[level].clone()];
        if spread.raises()[level] > 0.0 {
            reasons.push(format!("{} likely targets in {} directories", spread.targets, spread.directories));
        }
        reasons.retain(|reason| !reason.is_empty());
        (Some(Complexity::ALL[level]), reasons.join(", "))
    }
}

/// The type and complexity of a task, with reasons.
#[derive(Debug, Clone)]
pub struct Classification {
    /// Type: set, inferred or the default.
    pub task_type: TaskType,
    /// Complexity: set, inferred or the default.
    pub complexity: Complexity,
    /// Reason for the type; `None` if the task has too little detail.
    pub type_reason: Option<String>,
    /// Reason for the complexity; `None` if the task has too little detail.
    pub complexity_reason: Option<String>,
}

impl Classification {
    /// Reason for a type or complexity set by a person.
    const CHOSEN: &str = "chosen by you";

    /// The type that applies to a task: set, inferred or the default.
    pub fn type_in_force(inferred: &Inference, given: Option<TaskType>) -> TaskType {
        given.or(inferred.task_type).unwrap_or(TaskType::DEFAULT)
    }

    /// Combines set and inferred values. `path` returns the path of a file.
    pub fn new(
        inferred: &Inference,
        given: (Option<TaskType>, Option<Complexity>),
        scores: &Scores,
        path: &dyn Fn(FileId) -> String,
    ) -> Self {
        let chosen = || Some(Self::CHOSEN.to_owned());
        let type_reason = match given.0 {
            Some(_) => chosen(),
            None => inferred.task_type.map(|_| inferred.type_reason.clone()),
        };
        let (complexity, complexity_reason) = match given.1 {
            Some(complexity) => (complexity, chosen()),
            None => match inferred.complexity(scores, path) {
                (Some(complexity), reason) => (complexity, Some(reason)),
                (None, _) => (Complexity::DEFAULT, None),
            },
        };
        let task_type = Self::type_in_force(inferred, given.0);
        Self { task_type, complexity, type_reason, complexity_reason }
    }

    /// Task type, unless the task has too little detail to infer it.
    pub fn known_type(&self) -> Option<TaskType> {
        self.type_reason.as_ref().map(|_| self.task_type)
    }

    /// Complexity, unless the task has too little detail to infer it.
    pub fn known_complexity(&self) -> Option<Complexity> {
        self.complexity_reason.as_ref().map(|_| self.complexity)
    }

    /// Name of the type; `None` if the task has too little detail.
    pub fn type_name(&self) -> Option<&'static str> {
        self.known_type().map(TaskType::name)
    }

    /// Name of the complexity; `None` if the task has too little detail.
    pub fn complexity_name(&self) -> Option<&'static str> {
        self.known_complexity().map(Complexity::name)
    }

    /// Name of the type for display.
    pub fn type_label(&self) -> &'static str {
        self.type_name().unwrap_or("unknown type")
    }

    /// Name of the complexity for display.
    pub fn complexity_label(&self) -> &'static str {
        self.complexity_name().unwrap_or("unknown complexity")
    }

    /// Type and complexity with their reasons, one line each.
    pub fn explained(&self) -> Vec<String> {
        let line = |kind: &str, name: Option<&str>, reason: &Option<String>| match (name, reason.as_deref()) {
            (Some(name), Some("")) => format!("{kind} {name}"),
            (Some(name), Some(reason)) => format!("{kind} {name}: {reason}"),
            _ => format!("{kind} unknown: the task has too little detail"),
        };
        vec![
            line("type", self.type_name(), &self.type_reason),
            line("complexity", self.complexity_name(), &self.complexity_reason),
        ]
    }
}

/// The number of likely targets, and the number of their directories.
struct TargetCounts {
    targets: usize,
    directories: usize,
}

impl TargetCounts {
    fn of(scores: &Scores, path: &dyn Fn(FileId) -> String) -> Self {
        let sure: Vec<FileId> =
            scores.targets.iter().filter(|(_, confidence)| *confidence >= SURE).map(|(file, _)| *file).collect();
        let directory = |file: &FileId| path(*file).rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned());
        let directories = sure.iter().map(directory).collect::<std::collections::BTreeSet<_>>().len();
        Self { targets: sure.len(), directories }
    }

    /// Effect of the targets on the scores of simple, medium and complex.
    fn raises(&self) -> [f64; linear::LEVELS] {
        match (self.targets, self.directories) {
            (targets @ 6.., 3..) => [-1.0, 0.0, (targets as f64 / 3.0).min(4.0)],
            (4.., 2..) => [0.0, 0.7, 0.3],
            _ => [0.0; linear::LEVELS],
        }
    }
}
