//! Parses an acknowledgement in a model's answer; `sections` finds the missing sections in the payload.
//!
//! Models complete the template with variations: with bullets, in bold, as JSON, inside or outside a fence, or with
//! text around it.

mod sections;

use crate::error::{Error, Result};
pub use sections::{MissingSections, sections};

const NAME: &str = "PAYLOAD_ACK";
const FIELDS: [&str; 5] = ["fingerprint", "raw_sections", "linked_sections", "status", "missing"];
/// Minimum number of fingerprint digits; fewer could match another payload.
const FEWEST_DIGITS: usize = 8;
/// Words that models write for an empty list.
const NOTHING: [&str; 9] = ["", "none", "n/a", "nothing", "null", "...", "…", "-", "no"];

/// An acknowledgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ack {
    /// The first digits of the payload's fingerprint, in lower case.
    pub fingerprint: String,
    /// Number of RAW sections received, and their total according to the model.
    pub raw: (usize, Option<usize>),
    /// Number of LINKED sections received, and their total according to the model.
    pub linked: (usize, Option<usize>),
    /// Set if every section was received.
    pub complete: bool,
    /// Labels of missing sections.
    pub missing: Vec<String>,
}

/// Fields of one block, as written.
#[derive(Debug, Default, Clone)]
struct AckFields {
    values: [Option<String>; 5],
    missing: Vec<String>,
}

impl AckFields {
    /// Sets a field unless an earlier line has set it.
    fn put(&mut self, field: usize, value: &str) {
        if self.values[field].is_none() {
            self.values[field] = Some(value.to_owned());
        }
    }

    fn get(&self, field: &str) -> Option<&str> {
        let at = FIELDS.iter().position(|known| *known == field)?;
        self.values[at].as_deref()
    }

    /// Returns true if the fields are those of the payload's template, without values.
    fn is_template(&self) -> bool {
        self.get("fingerprint").is_some_and(|value| value.contains("digits of the"))
            || self.get("status").is_some_and(|value| value.contains('|'))
    }
}

/// Returns true if the text contains an acknowledgement, even an incomplete one.
pub fn is_in(text: &str) -> bool {
    !blocks(text).is_empty()
}

/// Parses the last completed acknowledgement in the text.
pub fn read(text: &str) -> Result<Ack> {
    let found = blocks(text);
    let Some(block) = found.iter().rev().find(|block| !block.is_template()) else {
        return Err(match found.last() {
            Some(_) => Error::input(
                "the acknowledgement is not completed: it is still the template from the payload",
                "pass the model's answer, which begins with the completed block",
            ),
            None => Error::input(
                format!("there is no acknowledgement in this text: no `{NAME}:`"),
                "pass the whole answer of the model; the payload's last section contains the block to complete",
            ),
        });
    };
    completed(block)
}

fn completed(block: &AckFields) -> Result<Ack> {
    let template = "complete every line of the block in the payload's ACK section";
    let lacking: Vec<&str> =
        FIELDS.iter().copied().filter(|field| *field != "missing" && block.get(field).is_none()).collect();
    if !lacking.is_empty() {
        let what = format!("the acknowledgement has no `{}`", lacking.join("`, `"));
        return Err(Error::input(what, template));
    }
    let value = |field: &str| block.get(field).unwrap_or_default();
    let fingerprint = digits(value("fingerprint")).ok_or_else(|| {
        let what = format!("`{}` is not a fingerprint", value("fingerprint"));
        Error::input(what, format!("copy it from META; the first {FEWEST_DIGITS} digits are enough"))
    })?;
    let status = value("status").to_lowercase();
    let partial = ["partial", "incomplete", "not complete"].iter().any(|word| status.contains(word));
    if !partial && !status.contains("complete") {
        let what = format!("the acknowledgement has the invalid status `{}`", value("status"));
        return Err(Error::input(what, "use `complete` or `partial`"));
    }
    let count = |field: &str| {
        counts(value(field)).ok_or_else(|| {
            let what = format!("the acknowledgement has an invalid value for `{field}`: `{}`", value(field));
            Error::input(what, "write the number of sections received and the total: `3 / 4`")
        })
    };
    let (raw, linked) = (count("raw_sections")?, count("linked_sections")?);
    Ok(Ack { fingerprint, raw, linked, complete: !partial, missing: block.missing.clone() })
}

/// The hexadecimal digits in a value, if there are enough in a row.
fn digits(value: &str) -> Option<String> {
    let runs = value.split(|c: char| !c.is_ascii_hexdigit());
    runs.max_by_key(|run| run.len()).filter(|run| run.len() >= FEWEST_DIGITS).map(str::to_ascii_lowercase)
}

/// Parses counts such as `3 / 4`, `3 of 4`, `[3] / 4` and `3`.
fn counts(value: &str) -> Option<(usize, Option<usize>)> {
    let mut numbers = value.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
    Some((numbers.next()?, numbers.next()))
}

/// Every acknowledgement block in the text, as written.
fn blocks(text: &str) -> Vec<AckFields> {
    let mut found: Vec<AckFields> = Vec::new();
    let mut open: Option<AckFields> = None;
    // `Some` while the lines list missing sections; true if the list is in brackets.
    let mut listing: Option<bool> = None;
    for line in lines(text) {
        let plain = unmarked(&line);
        if let Some(rest) = after_name(&plain) {
            found.extend(open.take());
            open = Some(AckFields::default());
            listing = None;
            if rest.trim_matches([':', ' ', '{', '*', '`', '"']).is_empty() {
                continue;
            }
        }
        let Some(block) = &mut open else { continue };
        if line.trim().starts_with("```") && block.values.iter().any(Option::is_some) {
            found.extend(open.take());
            continue;
        }
        if let Some((field, value)) = field(&plain) {
            listing = None;
            block.put(field, value);
            if FIELDS[field] == "missing" && block.missing.is_empty() {
                let brackets = value.contains('[') && !value.contains(']');
                block.missing.extend(labels(value));
                listing = (brackets || value.trim_matches(['[', ' ', '|', '>']).is_empty()).then_some(brackets);
            }
        } else if let Some(brackets) = listing.filter(|brackets| *brackets || is_item(&line)) {
            block.missing.extend(labels(&plain));
            listing = (!brackets || !plain.contains(']')).then_some(brackets);
        } else if !plain.trim_matches(['{', '}', ']', ',', ' ', '>']).is_empty()
            && block.values.iter().any(Option::is_some)
        {
            // Any other text ends the block.
            found.extend(open.take());
        }
    }
    found.extend(open);
    found
}

/// The text's lines; an object on a single line becomes several lines.
fn lines(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let one = line.to_lowercase();
        if one.contains("fingerprint") && one.contains("status") {
            let mut depth = 0;
            let mut part = String::new();
            for c in line.chars() {
                match c {
                    '[' => depth += 1,
                    ']' => depth -= 1,
                    _ => {}
                }
                if matches!(c, '{' | '}') || matches!(c, ',' | ';') && depth <= 0 {
                    out.push(std::mem::take(&mut part));
                } else {
                    part.push(c);
                }
            }
            out.push(part);
        } else {
            out.push(line.to_owned());
        }
    }
    out
}

/// Removes leading bullets, quotes and emphasis from a line.
fn unmarked(line: &str) -> String {
    let line = line.trim().trim_start_matches(['-', '*', '>', '#', '+', ' ', '`', '"', '\'', '_', '|', '•']);
    line.replace("**", "").replace('`', "")
}

/// The text after the block's name.
fn after_name(line: &str) -> Option<&str> {
    let start = line.get(..NAME.len())?;
    let same =
        start.chars().zip(NAME.chars()).all(|(a, b)| a.eq_ignore_ascii_case(&b) || b == '_' && matches!(a, ' ' | '-'));
    same.then(|| &line[NAME.len()..])
}

/// The field that a line sets, and its value.
fn field(line: &str) -> Option<(usize, &str)> {
    let (key, value) = line.split_once([':', '='])?;
    let key = key.trim().trim_matches(['"', '\'', '*', '_', ' ']).to_lowercase().replace([' ', '-'], "_");
    let at = FIELDS.iter().position(|known| *known == key)?;
    let value = value.split(" #").next().unwrap_or(value);
    Some((at, value.trim().trim_end_matches(',').trim_matches(['"', '\'', ' ', '*'])))
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with(['-', '*', '+', '•', '"', '\''])
}

/// The labels in a list, with any kind of separator.
fn labels(list: &str) -> Vec<String> {
    let bare = |label: &str| {
        label.trim().trim_matches(['[', ']', '"', '\'', '`', '*', ' ', '.']).trim_start_matches("### ").to_owned()
    };
    let labels = list.split([',', ';']).map(bare);
    labels.filter(|label| !NOTHING.contains(&label.to_lowercase().as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ack(fingerprint: &str, complete: bool, missing: &[&str]) -> Ack {
        let missing = missing.iter().map(|label| (*label).to_owned()).collect();
        Ack { fingerprint: fingerprint.to_owned(), raw: (3, Some(4)), linked: (1, Some(1)), complete, missing }
    }

    #[test]
    fn acknowledgements_are_read_as_models_write_them() {
        let expected = ack("0123456789abcdef", false, &["RAW:primary-code-2", "docs"]);
        for text in [
            "PAYLOAD_ACK:\n  fingerprint: 0123456789abcdef\n  raw_sections: 3 / 4\n  linked_sections: 1 / 1\n  status: partial\n  missing: [RAW:primary-code-2, docs]\n",
            "Sure! Here it is.\n\n```yaml\nPAYLOAD_ACK:\n  fingerprint: \"0123456789ABCDEF\"\n  raw_sections: [3] / 4\n  linked_sections: 1/1\n  status: partial\n  missing:\n    - RAW:primary-code-2\n    - docs\n```\n\nNow the plan.\n\n- status: complete\n",
            "**PAYLOAD_ACK:**\n- **Fingerprint:** `0123456789abcdef`\n- **Raw sections:** 3 of 4\n- **Linked Sections:** 1 of 1\n- **Status:** Partial.\n- **Missing:** `RAW:primary-code-2`, `docs`\n\nThe rest follows.\n",
            "{\"PAYLOAD_ACK\": {\"fingerprint\": \"0123456789abcdef\", \"raw_sections\": \"3 / 4\", \"linked_sections\": \"1 / 1\", \"status\": \"partial\", \"missing\": [\"RAW:primary-code-2\", \"docs\"]}}",
            "{\n  \"PAYLOAD_ACK\": {\n    \"fingerprint\": \"0123456789abcdef\",\n    \"raw_sections\": \"3 / 4\",\n    \"linked_sections\": \"1 / 1\",\n    \"status\": \"partial\",\n    \"missing\": [\n      \"RAW:primary-code-2\",\n      \"docs\"\n    ]\n  }\n}",
            "payload-ack\r\nfingerprint = sha256:0123456789abcdef\r\nraw_sections: 3 / 4 # one is cut off\r\nlinked_sections: 1 / 1\r\nstatus: incomplete\r\nmissing: RAW:primary-code-2; docs\r\n",
            "PAYLOAD_ACK: {fingerprint: 0123456789abcdef, raw_sections: [3, 4], linked_sections: [1, 1], status: partial, missing: [RAW:primary-code-2, docs]}",
            "payload ack\nmissing: [\n  RAW:primary-code-2,\n  docs\n]\nstatus: not complete\nlinked_sections: 1 / 1\nraw_sections: 3 / 4\nfingerprint: 0123456789abcdef\n",
            "PAYLOAD_ACK:\n  fingerprint: 0123456789abcdef\n  fingerprint: ffffffffffffffff\n  raw_sections: 3 / 4\n  linked_sections: 1 / 1\n  status: partial\n  missing:\n  * RAW:primary-code-2\n  * docs\nThe rest:\n  * not this\n",
            "> PAYLOAD_ACK:\n>   fingerprint: 0123456789abcdef\n>   raw_sections: 3 / 4\n>   linked_sections: 1 / 1\n>   status: partial\n>   missing: [RAW:primary-code-2, docs]\n",
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        for nothing in ["[]", "none", "N/A", "[...]", "", "[ ]"] {
            let text = format!(
                "PAYLOAD_ACK:\n fingerprint: 0123456789abcdef\n raw_sections: 3 / 4\n linked_sections: 1 / 1\n status: complete ✅\n missing: {nothing}\n\nI will now begin.\n"
            );
            assert_eq!(read(&text).unwrap(), ack("0123456789abcdef", true, &[]), "{nothing}");
        }
    }

    #[test]
    fn the_completed_block_takes_precedence_over_the_template() {
        let template = "PAYLOAD_ACK:\n  fingerprint: [the first 16 digits of the Fingerprint in META]\n  raw_sections: [received] / 4\n  linked_sections: [received] / 1\n  status: complete | partial\n  missing: [...]\n";
        let done = "PAYLOAD_ACK:\n  fingerprint: 0123456789abcdef\n  raw_sections: 3 / 4\n  linked_sections: 1 / 1\n  status: complete\n  missing: []\n";
        assert_eq!(read(&format!("```yaml\n{template}```\n\n{done}")).unwrap().fingerprint, "0123456789abcdef");
        let error = read(template).unwrap_err();
        assert!(error.to_string().contains("not completed") && error.exit_code() == 2, "{error}");
    }

    #[test]
    fn invalid_acknowledgements_are_reported() {
        let good = "PAYLOAD_ACK:\nfingerprint: 0123456789abcdef\nraw_sections: 3 / 4\nlinked_sections: 1 / 1\nstatus: complete\n";
        for (from, to, said) in [
            ("PAYLOAD_ACK:", "ACK:", "there is no acknowledgement"),
            ("fingerprint: 0123456789abcdef", "fingerprint: abc", "`abc` is not a fingerprint"),
            ("fingerprint: 0123456789abcdef", "fingerprint: 0123456 abcdef0", "is not a fingerprint"),
            ("PAYLOAD_ACK:", "PAYLOAD_ASK:", "there is no acknowledgement"),
            ("fingerprint: 0123456789abcdef\n", "", "has no `fingerprint`"),
            ("status: complete\n", "", "has no `status`"),
            ("raw_sections: 3 / 4\nlinked_sections: 1 / 1\n", "", "has no `raw_sections`, `linked_sections`"),
            ("status: complete", "status: fine", "invalid status `fine`"),
            ("3 / 4", "all", "invalid value for `raw_sections`: `all`"),
        ] {
            let error = read(&good.replace(from, to)).unwrap_err();
            assert!(error.to_string().contains(said) && error.exit_code() == 2, "{error}");
        }
        assert!(read("").is_err());
        assert_eq!(read(&good.replace("0123456789abcdef", "01234567")).unwrap().fingerprint, "01234567");
        assert_eq!(read(&good.replace("3 / 4", "3")).unwrap().raw, (3, None));
    }

    #[test]
    fn a_block_ends_at_other_text() {
        let block = "PAYLOAD_ACK:\nfingerprint: 0123456789abcdef\nraw_sections: 3 / 4\nlinked_sections: 1 / 1\n";
        for talk in ["Well.\n", "```\n", "PAYLOAD_ACK:\n"] {
            let error = read(&format!("{block}{talk}status: complete\n")).unwrap_err();
            assert!(error.to_string().contains("the acknowledgement has no"), "{talk}: {error}");
        }
        for space in ["", "\n\n", "{\n", "},\n"] {
            assert!(read(&format!("{block}{space}status: complete\n")).is_ok(), "{space}");
        }
        let again = format!("{block}status: complete\n{}status: partial\n", block.replace("0123", "3210"));
        let last = read(&again).unwrap();
        assert_eq!((last.fingerprint.as_str(), last.complete), ("3210456789abcdef", false));
    }

    proptest! {
        #[test]
        fn surrounding_text_is_ignored(before in "([a-zA-Z .,]{0,40}\n){0,4}", after in "(\n[a-zA-Z .,]{0,40}){0,4}", raw in 0usize..50) {
            let block = format!("PAYLOAD_ACK:\n  fingerprint: 0123456789abcdef\n  raw_sections: {raw} / 50\n  linked_sections: 1 / 1\n  status: partial\n  missing: [docs]\n");
            let found = read(&format!("{before}\n{block}{after}")).unwrap();
            prop_assert_eq!(found.raw, (raw, Some(50)));
            prop_assert_eq!(found.missing, ["docs"]);
        }

        #[test]
        fn parsing_never_panics(text in "[ -~\n]{0,300}") {
            let _ = read(&format!("PAYLOAD_ACK{text}"));
        }
    }
}
