//! Past commits that the task refers to by id, or by an issue or change number in the commit's message.

use std::collections::HashMap;

use crate::gather::git::Commit;
use crate::ids::FileId;

/// Maximum number of references, and maximum number of commits for each reference (newest first).
const MOST: usize = 12;
const MOST_COMMITS: usize = 3;
/// Minimum number of digits of an abbreviated id.
const SHORTEST_ID: usize = 7;
/// Minimum number of digits of an issue number. Shorter numbers are mostly positions in lists.
const SHORTEST_NUMBER: usize = 2;

/// A commit id, or `#` and a number, as written in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference(String);

/// References in the text, in order.
pub fn references(text: &str) -> Vec<Reference> {
    let not_in = |more: fn(&char) -> bool| move |character: char| !more(&character) && character != '#';
    let ids = text.split(not_in(char::is_ascii_alphanumeric)).filter(|word| is_id(word)).map(str::to_owned);
    let numbers = text.split(not_in(char::is_ascii_digit)).map(str::to_owned);
    let linked = ["/pull/", "/issues/"].into_iter().flat_map(|before| {
        text.match_indices(before).map(|(at, before)| {
            let number = &text[at + before.len()..];
            let end = number.find(|character: char| !character.is_ascii_digit()).unwrap_or(number.len());
            format!("#{}", &number[..end])
        })
    });
    let mut found: Vec<String> = Vec::new();
    for said in ids.chain(numbers.chain(linked).filter(|said| is_number(said))) {
        if !found.contains(&said) {
            found.push(said);
        }
    }
    found.truncate(MOST);
    found.into_iter().map(Reference).collect()
}

/// Returns true for a word with both letters and digits, as commit ids have.
fn is_id(word: &str) -> bool {
    (SHORTEST_ID..=40).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn is_number(word: &str) -> bool {
    word.strip_prefix('#').is_some_and(|number| {
        (SHORTEST_NUMBER..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

impl Reference {
    fn means(&self, commit: &Commit) -> bool {
        let said = self.0.as_str();
        if !said.starts_with('#') {
            return commit.id.starts_with(said) || said.starts_with(&commit.id);
        }
        commit
            .message
            .match_indices(said)
            .any(|(at, _)| !commit.message[at + said.len()..].starts_with(|character: char| character.is_ascii_digit()))
    }
}

/// For each file changed by commits that the task refers to: the weight of these commits, and the newest one. Commits
/// that changed more than `most` files are ignored.
pub(super) fn touched(
    references: &[Reference],
    commits: &[Commit],
    index: &HashMap<&str, FileId>,
    most: usize,
) -> HashMap<FileId, (f32, usize)> {
    let mut files: HashMap<FileId, (f32, usize)> = HashMap::new();
    for reference in references {
        let meant = commits.iter().enumerate().filter(|(_, commit)| reference.means(commit));
        for (at, commit) in meant.filter(|(_, commit)| commit.touched as usize <= most).take(MOST_COMMITS) {
            let each = 1.0 / (commit.touched.max(1) as f32).sqrt();
            for file in commit.paths.iter().filter_map(|path| index.get(path.as_str())) {
                files.entry(*file).or_insert((0.0, at)).0 += each;
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_numbers_are_distinguished_from_words() {
        let text = "Since 8141a4a and (#7571), see https://x.y/a/b/pull/2689/files, #1, #c0ffee1, defaced, 1234567, \
                    aee7c881afb3a2d75124dd99398388a2240c7b7b.";
        let found: Vec<String> = references(text).into_iter().map(|reference| reference.0).collect();
        assert_eq!(found, ["8141a4a", "aee7c881afb3a2d75124dd99398388a2240c7b7b", "#7571", "#2689"]);
        assert!(references("").is_empty());
        let many: Vec<String> = (100..200).map(|number| format!("#{number}")).collect();
        assert_eq!(references(&many.join(" ")).len(), MOST);
    }

    #[test]
    fn a_referenced_commit_points_to_the_files_it_changed() {
        let commit = |id: &str, message: &str, paths: &[&str]| Commit {
            id: id.to_owned(),
            time: 0,
            message: message.to_owned(),
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            touched: paths.len() as u32,
        };
        let commits = [
            commit("aaaaaaaaaaa1", "Fix (#75)", &["a.rs"]),
            commit("8141a4a00000", "Add #751", &["b.rs", "c.rs", "gone.rs", "d.rs"]),
        ];
        let index = ["a.rs", "b.rs", "c.rs", "d.rs"].into_iter().zip(FileId::all(4)).collect();
        let of = |text: &str, most: usize| touched(&references(text), &commits, &index, most);
        assert_eq!(of("since #75", 30), HashMap::from([(FileId::new(0), (1.0, 0))]));
        assert_eq!(of("since 8141a4a", 30)[&FileId::new(2)], (0.5, 1));
        assert!(of("since 8141a4a", 3).is_empty());
        assert!(of("since 8141a4b and #752", 30).is_empty());
    }
}
