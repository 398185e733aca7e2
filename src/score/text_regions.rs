//! Regions of a task's text, and the weight of their words: a pasted log counts less than the sentence above it.

/// The kind of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// The first line, which is the author's summary.
    Title,
    /// Sentences.
    Prose,
    /// Lines of a stack trace.
    Trace,
    /// Stack frames outside the project. They can be recognized only if the project is known.
    Foreign,
    /// Fenced or indented code.
    Code,
    /// Version information: `Version: 1.2`, `OS: Linux`.
    Versions,
    /// A heading or instruction of an issue template.
    Template,
}

impl Region {
    /// Weight of a word in the region.
    pub fn weight(self) -> f64 {
        match self {
            Self::Title => 2.0,
            Self::Prose => 1.0,
            Self::Trace => 0.8,
            Self::Code => 0.6,
            Self::Versions | Self::Foreign => 0.1,
            Self::Template => 0.0,
        }
    }
}

/// The text's lines with their regions. Hosts of links and HTML comments are not regions; the caller gives their words
/// less weight.
pub fn zones(text: &str) -> Vec<(Region, &str)> {
    let mut out = Vec::new();
    let mut fence: Option<&str> = None;
    let (mut titled, mut comment, mut blank) = (false, false, true);
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            blank = true;
            continue;
        }
        let zone = if !titled {
            titled = true;
            Region::Title
        } else if let Some(mark) = fence {
            if trimmed.starts_with(mark) && trimmed.trim_start_matches(['`', '~']).is_empty() {
                fence = None;
                continue;
            }
            if is_trace(trimmed) { Region::Trace } else { Region::Code }
        } else if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            // The language after a fence is not text. A fence may open and close on the same line.
            if trimmed.len() <= 3 || !trimmed[3..].contains(&trimmed[..3]) {
                fence = Some(&trimmed[..3]);
            }
            continue;
        } else if comment || trimmed.starts_with("<!--") {
            comment = !trimmed.contains("-->");
            Region::Template
        } else if is_trace(trimmed) {
            Region::Trace
        } else if is_template(trimmed) {
            Region::Template
        } else if is_versions(trimmed) {
            Region::Versions
        } else if (line.starts_with("    ") || line.starts_with('\t'))
            && (blank || out.last().is_some_and(|(zone, _)| *zone == Region::Code))
        {
            Region::Code
        } else {
            Region::Prose
        };
        blank = false;
        out.push((zone, line));
    }
    out
}

/// Returns true for a line of a stack trace.
pub fn is_trace(line: &str) -> bool {
    (line.starts_with("File \"") && line.contains("\", line "))
        || line.starts_with("Traceback (most recent call last)")
        || (line.starts_with("at ") && line.ends_with(')') && line.contains('('))
        || (line.starts_with("at ") && has_place(line))
        || (line.starts_with('#')
            && line[1..].starts_with(|c: char| c.is_ascii_digit())
            && (line.contains(" at ") || line.contains(" in ")))
        || line.starts_with("thread '") && line.contains("panicked at")
        || (has_place(line) && (line.contains(" in ") || line.contains(":in ")))
        || (line.starts_with("goroutine ") && line.ends_with("]:"))
}

/// Returns true if the line contains a location such as `name.ext:12`.
fn has_place(line: &str) -> bool {
    line.match_indices(':').any(|(at, _)| {
        line[at + 1..].starts_with(|c: char| c.is_ascii_digit())
            && line[..at].rsplit(|c: char| c.is_whitespace() || c == '(').next().is_some_and(|word| word.contains('.'))
    })
}

/// Headings in issue templates.
const HEADINGS: [&str; 39] = [
    "describe the bug",
    "description",
    "to reproduce",
    "steps to reproduce",
    "how to reproduce",
    "expected behavior",
    "expected behaviour",
    "expected results",
    "expected result",
    "actual results",
    "actual result",
    "actual behavior",
    "actual behaviour",
    "current behavior",
    "screenshots",
    "additional context",
    "additional information",
    "environment",
    "environment info",
    "your environment",
    "system info",
    "system information",
    "versions",
    "version",
    "reproduction",
    "reproduce",
    "summary",
    "motivation",
    "motivation and context",
    "logs",
    "output",
    "your project",
    "os",
    "python version",
    "sphinx version",
    "extra tools",
    "context",
    "bug report",
    "problem",
];

/// Returns true for headings and check boxes of issue templates.
fn is_template(line: &str) -> bool {
    let lower = line.to_lowercase();
    let bare = lower
        .trim_start_matches(['#', '*', '-', '>', ' ', '[', ']', 'x', '_'])
        .trim_end_matches(['*', ':', '?', '.', ' ', '_', '#']);
    if lower.starts_with("- [") || lower.starts_with("* [") {
        return true;
    }
    let heading = line.starts_with('#') || line.starts_with("**") || line.ends_with(':');
    heading && bare.len() < 60 && (HEADINGS.contains(&bare) || bare.starts_with("is your feature request related"))
}

/// First words of lines in version lists.
const NAMES: [&str; 22] = [
    "os:", "os ", "python ", "python:", "node", "npm", "browser", "platform", "python version", "version",
    "ruby version", "rustc", "cargo ", "go version", "java version", "jdk", "operating system", "ubuntu", "macos",
    "windows ", "linux ", "kernel",
];

/// Returns true for `Python 3.8`, `OS: Ubuntu`, `- Node.js Version: 16.13.0`.
fn is_versions(line: &str) -> bool {
    let lower = line.to_lowercase();
    let bare = lower.trim_start_matches(['-', '*', ' ', '|', '>']);
    if bare.len() > 90 {
        return false;
    }
    let digits = bare.chars().filter(char::is_ascii_digit).count();
    let known = NAMES.iter().any(|name| bare.starts_with(name));
    let pinned = bare.contains("==") && bare.split_whitespace().count() <= 2;
    (known && digits > 0 && bare.split_whitespace().count() <= 8) || pinned || (bare.contains("version:") && digits > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regions_of_an_issue_are_recognized() {
        let text = "Crash on save\n\n### Describe the bug\nIt crashes.\n```py\nsave()\nFile \"a/b.py\", line 3, in save\n```\n- OS: Linux 5.4\n<!-- fill in\nthis -->\n    indented()\n\n    code()\n";
        let got: Vec<(Region, &str)> = zones(text).into_iter().map(|(zone, line)| (zone, line.trim())).collect();
        assert_eq!(
            got,
            [
                (Region::Title, "Crash on save"),
                (Region::Template, "### Describe the bug"),
                (Region::Prose, "It crashes."),
                (Region::Code, "save()"),
                (Region::Trace, "File \"a/b.py\", line 3, in save"),
                (Region::Versions, "- OS: Linux 5.4"),
                (Region::Template, "<!-- fill in"),
                (Region::Template, "this -->"),
                (Region::Prose, "indented()"),
                (Region::Code, "code()"),
            ]
        );
    }

    #[test]
    fn traces_of_several_languages_are_recognized() {
        for line in [
            "at com.acme.Pay.refund(Pay.java:12)",
            "File \"x.py\", line 3, in f",
            "at Object.<anonymous> (/a/b.js:1:2)",
            "#3 0x0000 in foo at bar.c:12",
            "thread 'main' panicked at src/main.rs:3:5:",
            "lib/a.rb:12:in `go'",
            "from lib/b.rb:3:in 'call'",
        ] {
            assert!(is_trace(line), "{line}");
        }
        assert!(!is_trace("at least one (of them)x"));
    }
}
