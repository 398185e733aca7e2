//! Verbs that ask for something: `migrate` in "and migrate all users". They do not name a file, unlike in "the migrate
//! command".

use std::collections::{HashMap, HashSet};

use super::text_regions::Region;

/// Words that may precede a request within a sentence.
const BEFORE: [&str; 8] = ["also", "and", "must", "please", "should", "then", "to", "we"];
/// Words that follow a verb and begin its object.
const AFTER: [&str; 26] = [
    "a", "all", "an", "any", "both", "each", "every", "existing", "her", "his", "it", "its", "my", "old", "our",
    "same", "some", "that", "the", "their", "them", "these", "this", "those", "your", "everything",
];

/// Words of the text, in lower case, that occur only as verbs of a request.
pub fn request_verbs(lines: &[(Region, &str)]) -> HashSet<String> {
    // For each word, true if all of its occurrences so far are verbs of a request.
    let mut seen: HashMap<String, bool> = HashMap::new();
    for (_, line) in lines.iter().filter(|(region, _)| matches!(region, Region::Title | Region::Prose)) {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let bare = |word: &str| word.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase();
            let begins = at == 0
                || words[at - 1].ends_with(['.', ',', ';', ':', '!', '?'])
                || BEFORE.contains(&bare(words[at - 1]).as_str());
            let has_object = words.get(at + 1).is_some_and(|next| AFTER.contains(&bare(next).as_str()));
            let is_verb = begins && has_object && word.chars().all(char::is_alphabetic);
            seen.entry(bare(word)).and_modify(|only| *only &= is_verb).or_insert(is_verb);
        }
    }
    seen.into_iter().filter(|(_, only)| *only).map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut found: Vec<String> = request_verbs(&[(Region::Title, text)]).into_iter().collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn only_a_word_that_is_always_a_verb_of_a_request_is_one() {
        assert_eq!(found("Redesign the authentication system and migrate all users"), ["migrate", "redesign"]);
        assert_eq!(found("Please broadcast a message, then flush the queue"), ["broadcast", "flush"]);
        assert!(found("Add an option to the migrate command").iter().all(|word| word == "add"));
        assert!(found("Migrate the users with the migrate command").is_empty());
        assert!(found("migrate: handle errors").is_empty());
        assert!(found("`migrate` the users").is_empty());
    }
}
