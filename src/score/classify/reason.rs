//! The phrases of a task that contribute most to its type or complexity, for display.

use super::cues::lexicon;
use super::features::Features;
use super::linear;

/// Maximum number of displayed phrases.
const MOST: usize = 3;
/// Minimum contribution of a displayed phrase.
const LEAST: f64 = 0.15;

/// Structural features, with the words that describe them.
const STRUCTURE: [(&str, &str); 18] = [
    ("#trace", "a stack trace"),
    ("#question", "a question"),
    ("#first line asks", "a question"),
    ("#ends with ?", "a question"),
    ("#reports", "reports what happens"),
    ("#states", "reports what happens"),
    ("#names", "names something"),
    ("#only docs paths", "only documents are named"),
    ("#first path docs", "names a document"),
    ("#only test paths", "only tests are named"),
    ("#first path test", "names a test"),
    ("#3 paths", "several paths"),
    ("#4 paths", "several paths"),
    ("#top directories", "paths in several directories"),
    ("#directories", "several directories"),
    ("#long list", "a long list"),
    ("#body length", "a long text"),
    ("#short", "a short text"),
];

/// The phrases that contribute most to a column of the weights, quoted and joined.
pub fn phrases(features: &Features, column: usize) -> String {
    let mut found: Vec<(String, f64)> = Vec::new();
    let speaks_for = linear::contributions(features, column).into_iter().filter(|(_, adds)| *adds > 0.0);
    for (name, adds) in speaks_for {
        let labels = labels(features, name);
        let share = adds / labels.len().max(1) as f64;
        for label in labels {
            match found.iter_mut().find(|(known, _)| *known == label) {
                Some((_, sum)) => *sum += share,
                None => found.push((label, share)),
            }
        }
    }
    found.retain(|(_, sum)| *sum >= LEAST);
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut shown: Vec<String> = Vec::new();
    for (label, _) in found {
        // A phrase that is part of a longer one is not repeated.
        let bare = label.trim_matches('\'').to_owned();
        if shown.len() < MOST
            && !shown.iter().any(|other| other.contains(&bare) || label.contains(other.trim_matches('\'')))
        {
            shown.push(label);
        }
    }
    shown.join(", ")
}

/// Descriptions of a feature: phrases of a concept, a word of the text, or a property of the text.
fn labels(features: &Features, name: &str) -> Vec<String> {
    if let Some(concept) = name.strip_prefix('@') {
        let concept = concept.trim_start_matches(['^', ';', '2', '_']);
        let first = |concept: &str| features.cues.get(concept).and_then(|found| found.first());
        return concept.split('+').filter_map(first).map(|phrase| format!("'{phrase}'")).collect();
    }
    if name.starts_with('#') {
        let known = STRUCTURE.iter().find(|(feature, _)| *feature == name);
        return known.map(|(_, label)| (*label).to_owned()).into_iter().collect();
    }
    let says_nothing =
        |word: &&str| word.chars().count() < 3 || word.starts_with('<') || lexicon().empty.contains(word);
    let words: Vec<&str> = name.trim_start_matches(['^', '$']).split(' ').collect();
    if name.starts_with("p:") || words.iter().any(says_nothing) {
        return Vec::new();
    }
    vec![format!("'{}'", words.join(" "))]
}
