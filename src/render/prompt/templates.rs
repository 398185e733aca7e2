//! Templates of prompts: the built-in ones, or the user's own.
//!
//! Templates are read only from the user's configuration directory. Otherwise, a repository could give instructions to
//! the model on behalf of the user.

use std::path::Path;

use crate::error::{Error, Result};
use crate::project::files;
use crate::score::TaskType;

/// The directory of templates in the user's configuration directory.
pub const DIRECTORY: &str = "prompts";
/// The template of the first part.
pub const HEADER: &str = "header.md";

/// The placeholders of templates.
pub const PLACEHOLDERS: [&str; 9] = [
    "task", "task_type", "complexity", "session", "turn", "branch", "build_command", "test_command",
    "definition_of_done",
];

/// The first and the last part of a prompt, before their placeholders are filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates {
    pub(super) header: String,
    pub(in crate::render) instructions: String,
}

impl Templates {
    /// The built-in templates for a type of task.
    pub fn builtin(task_type: TaskType) -> Self {
        let instructions = match task_type {
            TaskType::Implement => include_str!("../../../assets/prompts/implement.md"),
            TaskType::Debug => include_str!("../../../assets/prompts/debug.md"),
            TaskType::Refactor => include_str!("../../../assets/prompts/refactor.md"),
            TaskType::Test => include_str!("../../../assets/prompts/test.md"),
            TaskType::Analyze => include_str!("../../../assets/prompts/analyze.md"),
            TaskType::Review => include_str!("../../../assets/prompts/review.md"),
            TaskType::Docs => include_str!("../../../assets/prompts/docs.md"),
        };
        let header = include_str!("../../../assets/prompts/header.md");
        Self { header: header.to_owned(), instructions: instructions.to_owned() }
    }

    /// The built-in templates, replaced by those in the user's configuration directory.
    pub fn load(user_dir: Option<&Path>, task_type: TaskType) -> Result<Self> {
        let mut templates = Self::builtin(task_type);
        let Some(directory) = user_dir.map(|dir| dir.join(DIRECTORY)) else { return Ok(templates) };
        let own = |name: &str| -> Result<Option<String>> {
            let path = directory.join(name);
            let Some(text) = files::read_own(&path)? else { return Ok(None) };
            check(&text, &path)?;
            Ok(Some(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n")))
        };
        if let Some(header) = own(HEADER)? {
            templates.header = header;
        }
        if let Some(instructions) = own(&format!("{}.md", task_type.name()))? {
            templates.instructions = instructions;
        }
        Ok(templates)
    }
}

/// A part of a line: text, or a placeholder's name.
enum TemplatePart<'t> {
    Text(&'t str),
    Placeholder(&'t str),
}

fn parts(line: &str) -> std::result::Result<Vec<TemplatePart<'_>>, String> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or_else(|| "a `{{` has no `}}`".to_owned())?;
        parts.extend([TemplatePart::Text(before), TemplatePart::Placeholder(name.trim())]);
        rest = after;
    }
    parts.push(TemplatePart::Text(rest));
    Ok(parts)
}

/// Returns true if a template contains this placeholder.
pub(in crate::render) fn asks_for(template: &str, name: &str) -> bool {
    let asks = |part: &TemplatePart<'_>| matches!(part, TemplatePart::Placeholder(own) if *own == name);
    template.lines().any(|line| parts(line).is_ok_and(|parts| parts.iter().any(asks)))
}

/// Rejects templates with mistakes.
pub(in crate::render) fn check(text: &str, path: &Path) -> Result<()> {
    for (index, line) in text.lines().enumerate() {
        let wrong =
            |what: String, hint: String| Err(Error::input(format!("{}:{}: {what}", path.display(), index + 1), hint));
        match parts(line) {
            Err(why) => return wrong(why, "close or remove it".to_owned()),
            Ok(parts) => {
                let unknown = parts.iter().find_map(|part| match part {
                    TemplatePart::Placeholder(name) if !PLACEHOLDERS.contains(name) => Some(*name),
                    _ => None,
                });
                if let Some(name) = unknown {
                    let nearest = crate::text::nearest(name, PLACEHOLDERS);
                    let hint = match nearest {
                        Some(nearest) => format!("did you mean `{{{{{nearest}}}}}`?"),
                        None => format!("use one of: {}", PLACEHOLDERS.join(", ")),
                    };
                    return wrong(format!("unknown placeholder `{{{{{name}}}}}`"), hint);
                }
            }
        }
    }
    if leaves_a_fence_open(text) {
        let what = format!("{}: a code fence is not closed and would include the rest of the prompt", path.display());
        return Err(Error::input(what, "close the fence"));
    }
    Ok(())
}

fn leaves_a_fence_open(text: &str) -> bool {
    let mut open: Option<(u8, usize)> = None;
    for line in text.lines() {
        let line = line.trim_start();
        let Some(mark) = line.bytes().next().filter(|byte| matches!(byte, b'`' | b'~')) else { continue };
        let run = line.bytes().take_while(|byte| *byte == mark).count();
        let rest = &line[run..];
        open = match open {
            Some((own, length)) if own == mark && run >= length && rest.trim().is_empty() => None,
            None if run >= 3 && !(mark == b'`' && rest.contains('`')) => Some((mark, run)),
            same => same,
        };
    }
    open.is_some()
}

/// Fills in the placeholders of a template. A line whose placeholder has no value is omitted. If the only remaining
/// line of its paragraph ends with a colon, that line is also omitted.
pub(in crate::render) fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    for paragraph in template.trim().split("\n\n") {
        let mut lines: Vec<String> = Vec::new();
        let mut left_out = false;
        for line in paragraph.lines() {
            match filled(line, &value) {
                Some(line) => lines.push(line),
                None => left_out = true,
            }
        }
        let introduces_nothing = left_out && lines.len() == 1 && lines[0].trim_end().ends_with(':');
        if !lines.is_empty() && !introduces_nothing {
            paragraphs.push(lines.join("\n"));
        }
    }
    paragraphs.join("\n\n").trim().to_owned()
}

fn filled(line: &str, value: &impl Fn(&str) -> Option<String>) -> Option<String> {
    // Invalid templates were rejected when they were loaded.
    let Ok(parts) = parts(line) else { return Some(line.to_owned()) };
    let mut text = String::new();
    for part in parts {
        match part {
            TemplatePart::Text(own) => text.push_str(own),
            TemplatePart::Placeholder(name) => text.push_str(&value(name)?),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_templates_are_in_order() {
        for task_type in TaskType::ALL {
            let Templates { header, instructions } = Templates::builtin(task_type);
            check(&header, Path::new(HEADER)).unwrap();
            check(&instructions, Path::new(task_type.name())).unwrap();
            let start = instructions.lines().next().unwrap();
            assert!(start.contains(&format!(" {} task, please", task_type.name())), "{start}");
        }
    }

    #[test]
    fn lines_without_a_value_are_omitted() {
        let template = "Do it.\n- Build with {{build_command}}.\n- Test with {{ test_command }} now.\n\nDone when:\n{{definition_of_done}}\n";
        let known = |name: &str| (name == "test_command").then(|| "`make test`".to_owned());
        assert_eq!(fill(template, known), "Do it.\n- Test with `make test` now.");
        let all = |name: &str| Some(format!("<{name}>"));
        assert_eq!(
            fill(template, all),
            "Do it.\n- Build with <build_command>.\n- Test with <test_command> now.\n\nDone when:\n<definition_of_done>"
        );
        // Placeholders in a value are not filled in.
        assert_eq!(fill("{{turn}}", |_| Some("{{session}}".to_owned())), "{{session}}");
    }

    #[test]
    fn template_errors_have_a_location() {
        let path = Path::new("prompts/debug.md");
        let told = |text: &str| {
            let error = check(text, path).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            format!("{error} | {}", error.hint().unwrap_or_default())
        };
        assert_eq!(
            told("fine\n{{test_comand}}\n"),
            "prompts/debug.md:2: unknown placeholder `{{test_comand}}` | did you mean `{{test_command}}`?"
        );
        assert!(told("{{secrets of the project}}").contains("use one of: task, task_type, "));
        assert!(told("{{turn\n}}").contains("prompts/debug.md:1: a `{{` has no `}}`"));
        assert!(told("```\nfn a() {}\n").contains("not closed"));
        assert!(told("~~~~\n~~~\n").contains("not closed"));
        for good in ["", "```rust\nx\n```\n", "a `b` c\n", "~~~\n```\n~~~\n", "``` a ``` b\n"] {
            check(good, path).unwrap();
        }
    }

    #[test]
    fn user_templates_replace_the_built_in_ones() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join(DIRECTORY);
        std::fs::create_dir(&own).unwrap();
        std::fs::write(own.join("debug.md"), "Think about {{turn}}.\r\nThen act.\r\n").unwrap();
        let loaded = Templates::load(Some(dir.path()), TaskType::Debug).unwrap();
        assert_eq!(loaded.instructions, "Think about {{turn}}.\nThen act.\n");
        assert_eq!(loaded.header, Templates::builtin(TaskType::Debug).header);
        assert_eq!(Templates::load(Some(dir.path()), TaskType::Test).unwrap(), Templates::builtin(TaskType::Test));
        assert_eq!(Templates::load(None, TaskType::Debug).unwrap(), Templates::builtin(TaskType::Debug));
        std::fs::create_dir(own.join(HEADER)).unwrap();
        assert!(Templates::load(Some(dir.path()), TaskType::Test).unwrap_err().to_string().contains("header.md"));
    }
}
