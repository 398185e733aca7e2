//! Detects renamed files: a deleted and a new file with similar text, as git detects them. Files need not be committed.

use std::collections::HashMap;

use super::content::{ChangedBytes, FileVersion};

/// Minimum share of common lines, as in git.
const SIMILAR: f64 = 0.5;
/// Maximum number of deleted and of new files that are compared by line.
const MOST: usize = 200;

/// The changes, with each renamed file as a single change.
pub(super) fn paired(mut changes: Vec<ChangedBytes>) -> Vec<ChangedBytes> {
    let gone: Vec<usize> = (0..changes.len()).filter(|at| changes[*at].is_gone()).take(MOST).collect();
    let new: Vec<usize> = (0..changes.len()).filter(|at| changes[*at].is_new()).take(MOST).collect();
    let mut pairs: Vec<(f64, bool, usize, usize)> = Vec::new();
    for old_at in &gone {
        for new_at in &new {
            let (old, new) = (&changes[*old_at], &changes[*new_at]);
            let likeness = likeness(&old.before, &new.after);
            if likeness >= SIMILAR {
                pairs.push((likeness, file_name(&old.path) == file_name(&new.path), *old_at, *new_at));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then((a.2, a.3).cmp(&(b.2, b.3))));
    let mut taken = vec![false; changes.len()];
    for (_, _, old, new) in pairs {
        if taken[old] || taken[new] {
            continue;
        }
        (taken[old], taken[new]) = (true, true);
        let before = std::mem::replace(&mut changes[old].before, FileVersion::Absent);
        changes[new].before = before;
        changes[new].renamed_from = Some(changes[old].path.clone());
    }
    // A deleted file that is part of a rename has no version left.
    changes.retain(|change| change.before != FileVersion::Absent || change.after != FileVersion::Absent);
    changes
}

impl ChangedBytes {
    fn is_gone(&self) -> bool {
        matches!(self.before, FileVersion::Text { .. } | FileVersion::Binary(_)) && self.after == FileVersion::Absent
    }

    fn is_new(&self) -> bool {
        matches!(self.after, FileVersion::Text { .. } | FileVersion::Binary(_)) && self.before == FileVersion::Absent
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The share of bytes in lines that occur in both files.
fn likeness(old: &FileVersion, new: &FileVersion) -> f64 {
    let (FileVersion::Text { text: old, .. }, FileVersion::Text { text: new, .. }) = (old, new) else { return 0.0 };
    let longer = old.len().max(new.len());
    if longer == 0 || (old.len().min(new.len()) as f64) < SIMILAR * longer as f64 {
        return 0.0;
    }
    if old == new {
        return 1.0;
    }
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for line in old.split_inclusive('\n') {
        *lines.entry(line).or_default() += 1;
    }
    let mut common = 0;
    for line in new.split_inclusive('\n') {
        if let Some(count) = lines.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            common += line.len();
        }
    }
    common as f64 / longer as f64
}
