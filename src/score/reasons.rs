//! The reason why a file will probably change: its confidence, words and lines, and past commits.

use super::common_words::is_common;
use super::evidence::Evidence;
use super::line_likelihood::best_match;
use super::naming::text;
use super::neighbours::directory;
use super::subject::scope_of;
use super::targets::Target;
use crate::gather::corpus::Corpus;
use crate::gather::git::Commit;
use crate::ids::FileId;

/// Maximum number of words listed in a reason.
const MOST_WORDS: usize = 4;
/// Evidence below this confidence is not shown.
const LEAST_SHOWN: f64 = 0.01;

/// The reason why the file will probably change: its confidence and the evidence, strongest first.
pub fn modified(corpus: &Corpus, evidence: &Evidence, target: &Target) -> String {
    let lines = best_match(corpus, evidence, target.file).map(|((first, last), name)| match name {
        Some(name) => format!("lines {first}-{last} (`{name}`)"),
        None => format!("lines {first}-{last}"),
    });
    let confidence = (target.confidence * 100.0).round();
    format!("{confidence:.0}% confidence: {}", clues(corpus, evidence, target.file, lines).join("; "))
}

/// The evidence for a file whose confidence is too low for points.
pub fn weak(corpus: &Corpus, evidence: &Evidence, target: &Target) -> Option<String> {
    let lines = best_block(corpus, evidence, target.file);
    let clues = clues(corpus, evidence, target.file, lines);
    // Rounded down, so that it is never shown as the minimum for points.
    let confidence = (target.confidence * 100.0).floor();
    (!clues.is_empty() && target.confidence >= LEAST_SHOWN)
        .then(|| format!("{confidence:.0}% confidence, too low for points: {}", clues.join("; ")))
}

/// The evidence for a file, strongest first. `lines` are those that match the task best.
fn clues(corpus: &Corpus, evidence: &Evidence, file: FileId, lines: Option<String>) -> Vec<String> {
    let mut why: Vec<String> = Vec::new();
    if let Some(focus) = evidence.focus.iter().find(|focus| focus.file == file) {
        why.push(format!("the evidence points to line {}", focus.lines[0]));
    } else if let Some(lines) = evidence.places.get(&file) {
        why.push(format!("the task points to line {}", lines[0]));
    }
    if let Some(scope) = scope_of(&corpus.files[file].path, &evidence.query.scopes) {
        why.push(format!("in the scope `{scope}` of the task"));
    }
    if evidence.share("variant", file) > 0.0 {
        why.push(format!("in {}/, which the task names", directory(&corpus.files[file].path)));
    }
    if let Some((_, at)) = evidence.past.referred.get(&file)
        && let Some(commit) = corpus.git.as_ref().and_then(|git| git.commits.get(*at))
    {
        why.push(format!("changed by {}, which the task refers to", short(commit)));
    }
    why.extend(words(evidence, file, lines));
    why.extend(similar_commits(corpus, evidence, file));
    why
}

/// Words of the task in the file, and the lines that match best.
fn words(evidence: &Evidence, file: FileId, lines: Option<String>) -> Option<String> {
    let terms = evidence.lexical.best_terms(&evidence.query, file);
    let best = terms.iter().map(|(term, _)| &evidence.query.terms[*term]);
    // If the file contains none of the task's words, the words of the plan are listed.
    let whose = best.clone().find(|term| !term.planned).or(best.clone().next())?;
    let mut words: Vec<String> = Vec::new();
    let mut add = |said: &str| {
        let word = format!("`{said}`");
        if words.len() < MOST_WORDS && !words.contains(&word) {
            words.push(word);
        }
    };
    // Several terms can be parts of the same word. Words that occur in every request are listed only if there are no
    // others.
    let said = best.filter(|term| whose.planned == term.planned).map(|term| term.spelling.as_str());
    let (telling, common): (Vec<&str>, Vec<&str>) = said.partition(|said| !is_common(&said.to_lowercase()));
    let listed = if telling.is_empty() { common } else { telling };
    listed.into_iter().for_each(&mut add);
    let lines = lines.map(|lines| format!(", strongest match: {lines}"));
    let noun = if words.len() == 1 { "word" } else { "words" };
    Some(format!("contains {}'s {noun} {}{}", text(whose.planned), words.join(", "), lines.unwrap_or_default()))
}

/// Past commits whose messages resemble the task and that changed the file.
fn similar_commits(corpus: &Corpus, evidence: &Evidence, file: FileId) -> Option<String> {
    let (commits, count) = evidence.past.voters.get(&file)?;
    let commit = commits.first().and_then(|at| corpus.git.as_ref()?.commits.get(*at))?;
    let told = format!("{} {}", short(commit), subject(&commit.message));
    Some(match count {
        1 => format!("a similar commit changed it ({told})"),
        count => format!("{count} similar commits changed it ({told})"),
    })
}

/// The best matching block of lines, if the file's blocks were read.
fn best_block(corpus: &Corpus, evidence: &Evidence, file: FileId) -> Option<String> {
    let reading = evidence.readings.get(&file)?;
    let (block, _) = reading.blocks.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))?;
    let first = block as u32 * super::blocks::BLOCK + 1;
    let last = (first + super::blocks::BLOCK - 1).min(corpus.files[file].lines.max(first));
    Some(format!("lines {first}-{last}"))
}

/// A commit's abbreviated id.
pub fn short(commit: &Commit) -> &str {
    &commit.id[..7.min(commit.id.len())]
}

/// The first line of a commit message, shortened to a readable length.
pub fn subject(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(72) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}
