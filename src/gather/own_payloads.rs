//! Detects payloads that were written into the project. They repeat the task and the files, so they would rank higher
//! than the original files in the next run.

/// Skip reason.
pub(super) const OWN_PAYLOAD: &str = "a payload written by teddy";

/// Returns true if `text` starts like a payload of any format, or like a part of a split payload.
pub(crate) fn is_own_payload(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if is_part(first) {
        return true;
    }
    let next = |wanted: &[&str]| {
        let mut lines = lines.clone();
        wanted.iter().all(|start| {
            lines.next().is_some_and(|line| if start.is_empty() { line.is_empty() } else { line.starts_with(start) })
        })
    };
    match first {
        "# Agent Invocation Payload" => next(&["", "## 1. System Information", "- **CWD:** "]),
        "Here is the relevant context for your task:" => next(&["", "## Project Structure", "```"]),
        "{" => next(&["\"packId\":\""]),
        _ if first.starts_with("# Context Payload: ") => next(&["", "## META", "- **Task:** "]),
        "<context_payload>" => next(&["<raw>", "<inlined section=\"RAW:"]) || next(&["<raw>", "Nothing is inlined."]),
        _ if first.starts_with("<context_payload task=\"") => next(&["<meta>", "<task>"]),
        _ => false,
    }
}

/// Returns true for the first line of a part, such as `[Part 2 of 3 of one payload. …`.
fn is_part(first: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    first
        .strip_prefix("[Part ")
        .and_then(|rest| rest.split_once(" of one payload. "))
        .and_then(|(numbers, _)| numbers.split_once(" of "))
        .is_some_and(|(part, of)| number(part) && number(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_text_is_not_a_payload() {
        for text in [
            "",
            "# Context Payload: how it is made\n\nA payload has six sections.\n\n## META\n",
            "# Context Payload: x\n\n## META\n## SUMMARY\n",
            "# Agent Invocation Payload\n\nThe five sections.\n",
            "<context_payload task=\"x\">\n<file>\n",
            "<context_payload>\n<raw>\n<file>\n",
            "Here is the relevant context for your task:\n\n- one\n",
            "{\n\"packed\":1}",
            "{",
            "[Part one of two of one payload. x]\n",
            "[Part 1 of 2 of something else. x]\n",
            "intro\n# Context Payload: x\n\n## META\n- **Task:** x\n",
        ] {
            assert!(!is_own_payload(text), "{text}");
        }
    }

    #[test]
    fn payloads_with_crlf_or_a_byte_order_mark_are_detected() {
        assert!(is_own_payload("\u{feff}# Context Payload: x\r\n\r\n## META\r\n- **Task:** x\r\n"));
        assert!(is_own_payload("[Part 12 of 30 of one payload. It continues part 11, and the next part follows.]\n"));
    }
}
