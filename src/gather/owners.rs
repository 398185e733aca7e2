//! File ownership according to a CODEOWNERS file.

use std::collections::HashMap;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::corpus::Corpus;
use crate::ids::FileId;

/// Paths where hosting services look for the file, in this order.
const PATHS: [&str; 4] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

/// The owners of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ownership {
    /// For each file, the position of its owners in `sizes`.
    groups: Vec<Option<usize>>,
    /// Number of files that belong to each group of owners.
    sizes: Vec<usize>,
}

impl Ownership {
    /// Reads the project's CODEOWNERS file; `None` without one.
    pub fn of(corpus: &Corpus) -> Option<Self> {
        let file = PATHS.iter().find_map(|path| corpus.find(path))?;
        let text = corpus.file_text(file);
        Some(Self::parse(&text.shown, corpus.files.iter().map(|file| file.path.as_str())))
    }

    /// Applies the rules to paths. The last rule that matches a path decides.
    fn parse<'p>(text: &str, paths: impl Iterator<Item = &'p str>) -> Self {
        let (mut globs, mut owners) = (GlobSetBuilder::new(), Vec::new());
        for (pattern, who) in text.lines().filter_map(rule) {
            for glob in glob_patterns(pattern).iter().filter_map(|glob| parsed(glob)) {
                globs.add(glob);
                owners.push(who.clone());
            }
        }
        let globs = globs.build().unwrap_or_else(|_| GlobSet::empty());
        let (mut groups, mut sizes, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        for path in paths {
            let last = globs.matches(path).into_iter().max();
            let who = last.map(|rule| &owners[rule]).filter(|who| !who.is_empty());
            groups.push(who.map(|who| {
                let group = *known.entry(who).or_insert_with(|| {
                    sizes.push(0);
                    sizes.len() - 1
                });
                sizes[group] += 1;
                group
            }));
        }
        Self { groups, sizes }
    }

    /// The owners of a file as a number, and the number of files that they own.
    pub fn group(&self, file: FileId) -> Option<(usize, usize)> {
        let group = self.groups.get(file.index()).copied().flatten()?;
        Some((group, self.sizes[group]))
    }
}

/// The pattern of a rule, and its owners in a fixed order. The list is empty for files without an owner.
fn rule(line: &str) -> Option<(&str, String)> {
    let line = line.split(" #").next().unwrap_or(line).trim();
    // Lines in brackets are section headings of GitLab.
    if line.is_empty() || line.starts_with(['#', '!', '[', '^']) {
        return None;
    }
    let mut words = line.split_whitespace();
    let pattern = words.next()?;
    let mut owners: Vec<&str> = words.collect();
    owners.sort_unstable();
    Some((pattern, owners.join(" ")))
}

/// Globs for a pattern. A pattern matches files, and directories with everything below them. It matches at any depth,
/// unless it contains a slash before its end. `docs/*` matches only the files directly in `docs`.
fn glob_patterns(pattern: &str) -> Vec<String> {
    let name = pattern.trim_end_matches('/');
    let rooted = name.trim_start_matches('/');
    let start = if name.contains('/') { "" } else { "**/" };
    let below = format!("{start}{rooted}/**");
    match pattern {
        "*" => vec!["**".to_owned()],
        _ if pattern.ends_with('/') => vec![below],
        _ if pattern.ends_with("/*") => vec![format!("{start}{rooted}")],
        _ => vec![format!("{start}{rooted}"), below],
    }
}

fn parsed(glob: &str) -> Option<Glob> {
    GlobBuilder::new(glob).literal_separator(true).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(text: &str, paths: &[&str]) -> Vec<Option<usize>> {
        Ownership::parse(text, paths.iter().copied()).groups
    }

    #[test]
    fn the_last_rule_that_matches_decides() {
        let text =
            "# Teams\n* @all\n/pay/ @money @audit  # both\n*.md @docs\n[Section]\n/pay/gen/\n/bill/ @audit @money\n";
        let paths = ["main.rs", "pay/a.rs", "pay/b/c.rs", "pay/README.md", "pay/gen/x.rs", "bill/d.rs"];
        let found = groups(text, &paths);
        assert_eq!(found[1], found[2]);
        assert_eq!(found[1], found[5], "the order of owners does not matter");
        assert_eq!(found[4], None, "a rule without owners takes them away");
        assert!(found[0] != found[1] && found[3] != found[1] && found[0].is_some() && found[3].is_some());
        let sizes = Ownership::parse(text, paths.into_iter());
        assert_eq!(sizes.group(FileId::new(1)).map(|group| group.1), Some(3));
        assert_eq!(groups("docs/* @d\n", &["docs/a.md", "docs/b/c.md", "x/docs/a.md"]), [Some(0), None, None]);
        assert_eq!(groups("gen @g\n", &["gen/a", "x/gen/b/c", "x/gen", "general"]), [Some(0), Some(0), Some(0), None]);
    }

    #[test]
    fn broken_rules_are_skipped() {
        assert_eq!(groups("a[ @x\n!b @x\n", &["a", "b"]), [None, None]);
        assert_eq!(groups("", &["a"]), [None]);
    }
}
