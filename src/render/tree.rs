//! The project's structure as a tree, folded to fit the budget.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::fmt::Write as _;

use super::pieces::most_that_fit;
use crate::gather::tokens::Tokenizer;
use crate::text::printable;

/// One directory.
#[derive(Default)]
struct Directory {
    entries: BTreeMap<String, TreeNode>,
    files: usize,
}

enum TreeNode {
    File,
    Directory(usize),
}

/// The tree of some paths.
pub(super) struct Tree {
    /// Every directory, the root first.
    directories: Vec<Directory>,
    /// The parent and depth of each directory.
    places: Vec<(usize, usize)>,
    folded: Vec<bool>,
}

impl Tree {
    /// The tree of these files (`a/b.rs`) and folded directories (`a/b/`).
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let mut tree = Self { directories: vec![Directory::default()], places: vec![(0, 0)], folded: Vec::new() };
        for path in paths {
            tree.insert(path);
        }
        tree.folded = vec![false; tree.directories.len()];
        tree
    }

    fn insert(&mut self, path: &str) {
        let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut at = 0;
        for part in directories.split('/').filter(|part| !part.is_empty()) {
            self.directories[at].files += usize::from(!name.is_empty());
            let next = self.directories.len();
            let entry = self.directories[at].entries.entry(part.to_owned()).or_insert(TreeNode::Directory(next));
            let TreeNode::Directory(known) = *entry else { return };
            if known == next {
                self.directories.push(Directory::default());
                self.places.push((at, self.places[at].1 + 1));
            }
            at = known;
        }
        if !name.is_empty() {
            self.directories[at].files += 1;
            self.directories[at].entries.entry(name.to_owned()).or_insert(TreeNode::File);
        }
    }

    /// Draws the tree in at most `most` tokens, one entry per line. It folds the deepest directories first; of equally
    /// deep directories, it folds the largest first. If that is not enough, it omits entries of the root.
    pub fn draw(mut self, tokenizer: Tokenizer, most: usize) -> String {
        let mut room = most;
        for _ in 0..12 {
            self.fold(room);
            let drawn = self.drawn();
            let tokens = tokenizer.count(&drawn);
            if tokens <= most {
                return drawn;
            }
            // The sizes used for folding are approximate, so the target is reduced by the error.
            room = (room * most / tokens).min(room.saturating_sub(1)) * 9 / 10;
        }
        cut(&self.drawn(), tokenizer, most)
    }

    /// Draws the tree with these directories folded, by path.
    pub fn draw_folded(mut self, folded: &HashSet<&str>) -> String {
        let mut paths = vec![String::new(); self.directories.len()];
        // Children are created after their parents.
        for index in 0..self.directories.len() {
            for (name, entry) in &self.directories[index].entries {
                let TreeNode::Directory(child) = *entry else { continue };
                let path = format!("{}{}", paths[index], printable(name));
                self.folded[child] = folded.contains(path.as_str());
                paths[child] = path + "/";
            }
        }
        self.drawn()
    }

    /// Folds directories until the lines take about `room` tokens.
    fn fold(&mut self, room: usize) {
        let count = self.directories.len();
        let size = |index: usize| -> usize {
            self.directories[index].entries.keys().map(|name| self.line_size(index, name)).sum()
        };
        let mut own: Vec<usize> = (0..count).map(size).collect();
        let mut below = own.clone();
        let mut open_children = vec![0usize; count];
        for index in (0..count).rev() {
            // Children are created after their parents, so in reverse order, a directory's size is complete before it
            // is added to its parent.
            if index > 0 {
                let parent = self.places[index].0;
                let inside = if self.folded[index] { 0 } else { below[index] };
                below[parent] += inside;
                open_children[parent] +=
                    usize::from(!self.folded[index] && !self.directories[index].entries.is_empty());
            }
        }
        let mut total = below[0];
        let mut heap: BinaryHeap<(usize, usize, Reverse<usize>)> = (1..count)
            .filter(|index| open_children[*index] == 0 && !self.folded[*index] && own[*index] > 0)
            .map(|index| (self.places[index].1, own[index], Reverse(index)))
            .collect();
        while total > room {
            let Some((_, size, Reverse(index))) = heap.pop() else { return };
            self.folded[index] = true;
            total = total.saturating_sub(size);
            own[index] = 0;
            let parent = self.places[index].0;
            open_children[parent] -= 1;
            if parent != 0 && open_children[parent] == 0 {
                heap.push((self.places[parent].1, own[parent], Reverse(parent)));
            }
        }
    }

    /// Approximate tokens of an entry's line.
    fn line_size(&self, directory: usize, name: &str) -> usize {
        name.len() / 3 + 3 + self.places[directory].1
    }

    fn drawn(&self) -> String {
        let mut drawn = String::from(".\n");
        // Uses an explicit stack, because paths can be nested too deeply for recursion.
        let mut open = vec![(0, String::new(), self.directories[0].entries.iter().peekable())];
        while let Some((_, prefix, entries)) = open.last_mut() {
            let Some((name, entry)) = entries.next() else {
                open.pop();
                continue;
            };
            let last = entries.peek().is_none();
            drawn.push_str(prefix);
            drawn.push_str(if last { "└── " } else { "├── " });
            drawn.push_str(&printable(name));
            let inside = format!("{prefix}{}", if last { "    " } else { "│   " });
            match *entry {
                TreeNode::File => drawn.push('\n'),
                TreeNode::Directory(index) if self.folded[index] => {
                    let files = self.directories[index].files;
                    let _ = writeln!(drawn, "/ ({files} file{})", if files == 1 { "" } else { "s" });
                }
                TreeNode::Directory(index) => {
                    drawn.push_str("/\n");
                    open.push((index, inside, self.directories[index].entries.iter().peekable()));
                }
            }
        }
        drawn
    }
}

/// The lines that fit, followed by the number of omitted lines.
fn cut(drawn: &str, tokenizer: Tokenizer, most: usize) -> String {
    let lines: Vec<&str> = drawn.split_inclusive('\n').collect();
    let shown = |kept: usize| match lines.len() - kept {
        0 => drawn.to_owned(),
        gone => format!("{}└── … ({gone} more)\n", lines[..kept].concat()),
    };
    match most_that_fit(lines.len(), |kept| tokenizer.count(&shown(kept)) <= most) {
        0 => ".\n".to_owned(),
        kept => shown(kept),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::tokens::DEFAULT;

    #[test]
    fn a_tree_is_drawn_in_name_order() {
        let paths =
            [".teddy/memos.yaml", ".teddy/sessions/", "docs/specs/flow.md", "Cargo.toml", "src/main.rs", "src/lib.rs"];
        let drawn = Tree::of(paths).draw(DEFAULT, 10_000);
        let expected = "\
.
├── .teddy/
│   ├── memos.yaml
│   └── sessions/
├── Cargo.toml
├── docs/
│   └── specs/
│       └── flow.md
└── src/
    ├── lib.rs
    └── main.rs
";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn a_large_tree_is_folded_deepest_first_and_fits() {
        let paths: Vec<String> = (0..5000)
            .map(|n| format!("crate-{}/src/module-{}/file-{n}.rs", n % 7, n % 31))
            .chain(["README.md".to_owned(), "crate-1/build.rs".to_owned()])
            .collect();
        for most in [60, 400, 2000] {
            let drawn = Tree::of(paths.iter().map(String::as_str)).draw(DEFAULT, most);
            assert!(DEFAULT.count(&drawn) <= most, "{most}: {}", DEFAULT.count(&drawn));
            assert_eq!(drawn, Tree::of(paths.iter().map(String::as_str)).draw(DEFAULT, most));
        }
        let folded = Tree::of(paths.iter().map(String::as_str)).draw(DEFAULT, 2000);
        assert!(folded.contains("README.md") && folded.contains("build.rs"), "{folded}");
        assert!(folded.contains(" files)") && !folded.contains("file-1.rs"), "{folded}");
    }

    #[test]
    fn a_root_full_of_files_is_cut() {
        let paths: Vec<String> = (0..3000).map(|n| format!("f{n}.txt")).collect();
        let drawn = Tree::of(paths.iter().map(String::as_str)).draw(DEFAULT, 100);
        assert!(DEFAULT.count(&drawn) <= 100);
        assert!(drawn.ends_with(" more)\n") && drawn.contains("f0.txt"), "{drawn}");
    }

    #[test]
    fn file_names_cannot_imitate_tree_lines() {
        assert_eq!(Tree::of(["a\nb"]).draw(DEFAULT, 1000), ".\n└── a␊b\n");
        assert_eq!(Tree::of([]).draw(DEFAULT, 0), ".\n");
    }

    #[test]
    fn the_deepest_are_folded_first_and_of_these_the_largest() {
        let paths = [
            "a/deep/er/one.rs", "a/deep/er/two.rs", "a/deep/three.rs", "a/four.rs", "b/five.rs", "b/six.rs",
            "b/seven.rs", "empty/", "main.rs",
        ];
        let draw = |most: usize| {
            let drawn = Tree::of(paths).draw(DEFAULT, most);
            ["├── ", "└── "].iter().fold(drawn, |drawn, mark| drawn.replace(mark, "")).replace("│  ", "   ")
        };
        let (er, deep) = ("        er/\n            one.rs\n            two.rs\n", "    deep/\n{er}        three.rs\n");
        let whole = format!(".\na/\n{deep}    four.rs\nb/\n    five.rs\n    seven.rs\n    six.rs\nempty/\nmain.rs\n");
        let without_er = whole.replace("{er}", "        er/ (2 files)\n");
        let without_deep = whole.replace(deep, "    deep/ (3 files)\n");
        let without_b = without_deep.replace("b/\n    five.rs\n    seven.rs\n    six.rs\n", "b/ (3 files)\n");
        let root = ".\na/ (4 files)\nb/ (3 files)\nempty/\nmain.rs\n";
        for (most, drawn) in [
            (101, whole.replace("{er}", er).as_str()),
            (100, &without_er),
            (81, &without_er),
            (80, &without_deep),
            (63, &without_deep),
            (62, &without_b),
            (42, &without_b),
            (41, root),
            (27, root),
            (26, ".\na/ (4 files)\nb/ (3 files)\n… (2 more)\n"),
            (24, ".\na/ (4 files)\n… (3 more)\n"),
            (9, ".\n… (4 more)\n"),
            (8, ".\n"),
        ] {
            assert_eq!(draw(most), drawn, "{most}");
        }
    }
}
