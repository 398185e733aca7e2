//! Java and Kotlin: stack traces with causes, `JUnit` under Gradle and Maven, javac and kotlinc messages.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder, LogLocation};
use super::notations::pattern;

static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|\s)at (?:[\w.@$-]*/)*(?P<name>[\w.$<>-]+)\((?P<file>[\w$.-]+\.(?:java|kt|kts|scala|groovy|clj)):(?P<line>\d{1,7})\)",
    )
});
static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^(?:\S+ +)*?(?:Exception in thread "[^"]*" )?(?P<what>(?:[a-z]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Throwable|Failure)\b.*)$"#,
    )
});
static MAVEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\[ERROR\]\s+(?:(?:Failures|Errors): )?(?P<class>[A-Z]\w*)[.](?P<method>\w+):(?P<line>\d{1,7})\s*(?P<what>.*)$",
    )
});
static MAVEN_COMPILER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\[(?P<level>ERROR|WARNING)\]\s+(?P<path>\S+\.(?:java|kt|scala|groovy)):\[(?P<line>\d{1,7}),(?P<column>\d{1,6})\]\s*(?P<what>.*)$",
    )
});
static GRADLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?P<what>[A-Z][\w$.]* > .+) FAILED$"));
static GRADLE_PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s+(?:Caused by: )?(?P<what>[\w.$]+(?:Exception|Error|Failure)\b.*?)\s+at (?P<file>\w+\.(?:java|kt|groovy|scala)):(?P<line>\d{1,7})$",
    )
});
static KOTLIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<level>[ew]): (?:file://)?(?P<path>\S+\.kts?):?(?: \(|:)(?P<line>\d{1,7})(?:, |:)(?P<column>\d{1,6})\)?:? (?P<what>.*)$",
    )
});

/// Reads a line; returns whether it comes from a JVM tool.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    let trimmed = line.trim_start();
    if line.contains("at ")
        && let Some(found) = FRAME.captures(line)
        && let Ok(number) = found["line"].parse()
    {
        let path = path_of(&found["name"], &found["file"]);
        into.location(LogLocation::at(&path, number, None), FailureKind::Trace, FrameOrder::InnermostFirst);
        return true;
    }
    if let Some(cause) = trimmed.strip_prefix("Caused by: ")
        && !GRADLE_PLACE.is_match(line)
    {
        into.cause(cause, FrameOrder::InnermostFirst);
        return true;
    }
    if trimmed.starts_with("... ") && trimmed.ends_with(" more") {
        return true;
    }
    if line.starts_with('[')
        && let Some(found) = MAVEN_COMPILER.captures(line)
    {
        let kind = if &found["level"] == "ERROR" { FailureKind::Compiler } else { FailureKind::Warning };
        return single(into, kind, &found["what"], &found["path"], &found["line"], Some(&found["column"]));
    }
    if line.starts_with('[')
        && let Some(found) = MAVEN.captures(line)
    {
        let what = format!("{}.{} {}", &found["class"], &found["method"], &found["what"]);
        return single(into, FailureKind::Test, &what, &format!("{}.java", &found["class"]), &found["line"], None);
    }
    if line.ends_with(" FAILED")
        && let Some(found) = GRADLE.captures(line)
    {
        into.begin(FailureKind::Test, &found["what"], FrameOrder::InnermostFirst);
        return true;
    }
    if line.starts_with(' ')
        && let Some(found) = GRADLE_PLACE.captures(line)
        && let Ok(number) = found["line"].parse()
    {
        into.add_message(&found["what"]);
        into.location(LogLocation::at(&found["file"], number, None), FailureKind::Test, FrameOrder::InnermostFirst);
        return true;
    }
    if (line.starts_with("e: ") || line.starts_with("w: "))
        && let Some(found) = KOTLIN.captures(line)
    {
        let kind = if &found["level"] == "e" { FailureKind::Compiler } else { FailureKind::Warning };
        return single(into, kind, &found["what"], &found["path"], &found["line"], Some(&found["column"]));
    }
    if (line.contains("Exception") || line.contains("Error") || line.contains("Failure"))
        && let Some(found) = RAISED.captures(line)
    {
        // Gradle prints the exception below the test's name. Both belong to the same failure.
        if into.is_open(&[FailureKind::Test]) && !into.has_locations() {
            into.add_message(&found["what"]);
        } else {
            into.begin(FailureKind::Trace, &found["what"], FrameOrder::InnermostFirst);
        }
        return true;
    }
    false
}

fn single(
    into: &mut FailureReader,
    kind: FailureKind,
    what: &str,
    path: &str,
    line: &str,
    column: Option<&str>,
) -> bool {
    let Ok(line) = line.parse() else { return false };
    into.single(kind, what, LogLocation::at(path, line, column.and_then(|column| column.parse().ok())));
    true
}

/// Path below a source root: package directories and file name.
fn path_of(name: &str, file: &str) -> String {
    let mut parts: Vec<&str> = name.split('.').collect();
    // Removes the method and the class.
    parts.pop();
    parts.pop();
    let package: Vec<&str> = parts.into_iter().take_while(|part| !part.starts_with(char::is_uppercase)).collect();
    if package.is_empty() { file.to_owned() } else { format!("{}/{file}", package.join("/")) }
}
