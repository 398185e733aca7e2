//! Applies the `Active Context` block of an answer to the next turn's list, as if the person had edited
//! `turn.context`.

use crate::error::Result;
use crate::place::{Override, Tier};
use crate::project::active_context::{self, ContextChange};
use crate::project::line_spec::LineSpec;
use crate::project::session::Session;
use crate::project::turn::Turn;
use crate::project::{Project, TEDDY_DIR, context, files};
use crate::workbench::{Step, Verb};

/// Effect of an answer's `Active Context` block.
pub struct ListChanges {
    /// `turn.context` for the next turn.
    pub list: String,
    /// Demotions of the removed files, so that their scores do not bring them back.
    pub steps: Vec<Step>,
    /// Notes about the applied changes and about lines that match nothing.
    pub notes: Vec<String>,
}

/// Applies the block in the answer `plan` of the turn `before` to that turn's list.
pub fn apply(project: &Project, session: &Session, before: &Turn, plan: &str, list: &str) -> Result<ListChanges> {
    let asked = active_context::parse(plan);
    let label = format!("{}/plan.md", before.id());
    let mut upper = String::new();
    for path in [project.global_context(), session.context_file()] {
        upper.push_str(&project.read(&path)?.unwrap_or_default());
        upper.push('\n');
    }
    let mut applied = ListChanges { list: list.to_owned(), steps: Vec::new(), notes: Vec::new() };
    let mut problems: Vec<(usize, String, String)> = asked.problems;
    let (mut done, mut out) = (Vec::new(), Vec::new());
    for change in &asked.changes {
        match edit(project, &upper, &applied.list, change) {
            Ok((list, taken_out)) => {
                applied.list = list;
                // If an answer has several lines about a file, the last one counts.
                out.retain(|path| *path != change.path);
                out.extend(taken_out);
                done.push(shown(change));
            }
            Err(why) => problems.push((change.line, shown(change), why)),
        }
    }
    if !done.is_empty() {
        applied.notes.push(format!("Active Context of {label}: {}", done.join(", ")));
    }
    problems.sort();
    applied.notes.extend(problems.into_iter().map(|(line, entry, why)| format!("{label}:{line}: `{entry}`: {why}")));
    if !out.is_empty() {
        applied.steps.push(Step { verb: Verb::Set(Override::Demote(Tier::Linked)), targets: out });
    }
    Ok(applied)
}

fn shown(change: &ContextChange) -> String {
    let lines = change.lines.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{} {}{lines}", if change.add { '+' } else { '-' }, change.path)
}

/// The list after one change, and the removed paths.
fn edit(project: &Project, upper: &str, list: &str, change: &ContextChange) -> Result<(String, Vec<String>), String> {
    let path = change.path.as_str();
    let name = path.trim_end_matches('/');
    if name == TEDDY_DIR || name.starts_with(".teddy/") {
        return Err("teddy's own files cannot be included".to_owned());
    }
    if change.glob {
        return match (change.add, &change.lines) {
            (_, Some(_)) => Err("lines can be given for a file, not for a glob".to_owned()),
            (true, None) => Ok((context::with_added_pattern(list, path), Vec::new())),
            (false, None) => Ok(remove_paths(list, |listed| context::covers(path, listed), path)),
        };
    }
    files::refuse_escapes(project.root(), name)
        .map_err(|_| "a symlink in the path leads out of the project".to_owned())?;
    let real = project.root().join(name);
    let (file, directory) = (real.is_file() && !path.ends_with('/'), real.is_dir());
    match (change.add, &change.lines) {
        (true, Some(lines)) if file => Ok((context::with_added_lines(list, path, lines), Vec::new())),
        (true, None) if file => Ok((context::with_added_whole(list, path), Vec::new())),
        (true, None) if directory => Ok((context::with_added_pattern(list, &format!("{name}/")), Vec::new())),
        (true, Some(_)) if directory => Err("a line range needs a file, not a directory".to_owned()),
        (false, _) if context::covers(upper, name) => {
            Err("not removed: global.context or session.context lists it, and an answer cannot change those lists"
                .to_owned())
        }
        (false, Some(lines)) => without_lines(list, path, lines),
        (false, None) if directory => {
            let below = format!("{name}/");
            Ok(remove_paths(list, |listed| listed.starts_with(&below), &below))
        }
        (false, None) if file || context::covers(list, path) => {
            Ok((context::with_removed(list, path), if file { vec![path.to_owned()] } else { Vec::new() }))
        }
        (true, _) | (false, None) => Err("there is no such file".to_owned()),
    }
}

/// Removes every listed path for which `meant` is true, and the pattern itself if it is listed.
fn remove_paths(list: &str, meant: impl Fn(&str) -> bool, pattern: &str) -> (String, Vec<String>) {
    let entries = context::parse(list).0.entries;
    let listed = entries.iter().filter(|entry| !entry.negated).map(|entry| entry.pattern.text().to_owned());
    let gone: Vec<String> = listed.filter(|path| meant(path)).collect();
    let mut list = context::with_removed(list, pattern);
    list = context::with_removed(&list, pattern.trim_end_matches('/'));
    for path in &gone {
        list = context::with_removed(&list, path);
    }
    (list, gone)
}

/// Removes lines of a file from the list. Only a range or symbol that was added in the same form can be removed.
fn without_lines(list: &str, path: &str, lines: &LineSpec) -> Result<(String, Vec<String>), String> {
    let entries = context::parse(list).0.entries;
    let same = entries.iter().filter(|entry| !entry.negated && entry.pattern.text() == path);
    let listed: Vec<LineSpec> = same.filter_map(|entry| entry.lines.as_ref()).flat_map(LineSpec::each).collect();
    if lines.each().iter().any(|line| !listed.contains(line)) {
        return Err("the list has no entry with exactly these lines; remove the whole file instead".to_owned());
    }
    let mut list = context::with_removed(list, path);
    for other in listed.into_iter().filter(|other| !lines.each().contains(other)) {
        list = context::with_added_lines(&list, path, &other);
    }
    Ok((list, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::session::{self, SessionMeta};
    use crate::project::turn::TurnRecord;
    use std::fs;

    fn applied(list: &str, block: &str) -> ListChanges {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        let session = session::create(&project, &SessionMeta::new("x", 0), 0).unwrap();
        let turn = Turn::create(&session, "01".parse().unwrap(), &mut TurnRecord::default(), Vec::new()).unwrap();
        for path in ["a.rs", "b.rs", "src/c.rs", "src/d.rs", "README.md"] {
            let path = project.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x\n").unwrap();
        }
        fs::write(project.global_context(), "README.md\n").unwrap();
        apply(&project, &session, &turn, &format!("## Active Context\n{block}"), list).unwrap()
    }

    fn targets(applied: &ListChanges) -> Vec<&str> {
        applied.steps.iter().flat_map(|step| &step.targets).map(String::as_str).collect()
    }

    #[test]
    fn lines_are_added_and_removed_and_comments_kept() {
        let done = applied("# mine\na.rs\n", "+ b.rs\n+ src/c.rs:1-3\n- a.rs\n");
        assert_eq!(done.list, "# mine\nb.rs\nsrc/c.rs:1-3\n");
        assert_eq!(targets(&done), ["a.rs"]);
        assert_eq!(done.notes, ["Active Context of 01/plan.md: + b.rs, + src/c.rs:1-3, - a.rs"]);
        let same = applied("b.rs\n", "+ b.rs\n+ b.rs:1-2\n");
        assert_eq!(same.list, "b.rs\n");
        let whole = applied("b.rs:1-2\n", "+ b.rs\n");
        assert_eq!(whole.list, "b.rs:1-2\nb.rs\n", "lines are not the file");
    }

    #[test]
    fn directories_globs_and_spans() {
        assert_eq!(applied("", "+ src\n").list, "src/\n");
        assert_eq!(applied("src/\n", "+ src/\n").list, "src/\n");
        assert_eq!(applied("", "+ src/*.rs\n").list, "src/*.rs\n");
        let out = applied("a.rs\nsrc/c.rs\nsrc/d.rs:1-2\n", "- src/\n");
        assert_eq!((out.list.as_str(), targets(&out)), ("a.rs\n", vec!["src/c.rs", "src/d.rs"]));
        let out = applied("a.rs\nsrc/c.rs\n", "- *.rs\n");
        assert_eq!(out.list, "src/c.rs\n");
        let out = applied("src/\n", "- src/c.rs\n");
        assert_eq!((out.list.as_str(), targets(&out)), ("src/\n!src/c.rs\n", vec!["src/c.rs"]));
        assert_eq!(applied("a.rs:1-2\na.rs:4-5\n", "- a.rs:1-2\n").list, "a.rs:4-5\n");
    }

    #[test]
    fn invalid_lines_are_reported_and_change_nothing() {
        let done = applied("a.rs\n", "+ gone.rs\n+ ../up.rs\n- README.md\n- nor.rs\n+ .teddy/memos.yaml\n- a.rs:1-2\n");
        assert_eq!((done.list.as_str(), done.steps.len()), ("a.rs\n", 0));
        assert_eq!(done.notes.len(), 6, "{:?}", done.notes);
        assert!(done.notes[0].starts_with("01/plan.md:2: `+ gone.rs`: there is no such file"), "{:?}", done.notes);
        assert!(done.notes[2].contains("not removed: global.context"), "{:?}", done.notes);
    }

    #[test]
    fn the_last_line_counts_and_deleted_files_leave_the_list() {
        let done = applied("b.rs\n", "- b.rs\n+ b.rs\n");
        assert_eq!((done.list.as_str(), done.steps.len()), ("b.rs\n", 0));
        assert_eq!(applied("gone.rs\nb.rs\n", "- gone.rs\n").list, "b.rs\n");
    }
}
