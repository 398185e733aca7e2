//! Joins parts to the original payload.

use super::{continuation_mark, cut_mark, header};

/// Number of a part, and the total number of parts.
fn place(text: &str) -> Option<(usize, usize)> {
    let rest = text.strip_prefix("[Part ")?;
    let (number, rest) = rest.split_once(" of ")?;
    let (of, _) = rest.split_once(' ')?;
    let (number, of) = (number.parse().ok()?, of.parse().ok()?);
    (1 <= number && number <= of && text.starts_with(&header(number, of))).then_some((number, of))
}

/// Splits text that contains several parts, for example from a pipe.
fn in_a_row(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((number, of)) = place(rest).filter(|(number, of)| number < of)
        && let Some((part, _)) = rest.split_once(&format!("\n\n{}", header(number + 1, of)))
    {
        let (part, next) = rest.split_at(part.len() + 1);
        parts.push(part);
        rest = &next[1..];
    }
    parts.push(rest);
    parts
}

/// Joins parts in any order to the original payload. `None` if they do not belong together or one is missing.
pub fn join(texts: &[String]) -> Option<String> {
    if let [whole] = texts
        && place(whole).is_none()
    {
        return Some(whole.clone());
    }
    let mut parts: Vec<(usize, usize, &str)> = Vec::new();
    for text in texts.iter().flat_map(|text| in_a_row(text)) {
        let (number, of) = place(text)?;
        parts.push((number, of, &text[header(number, of).len()..]));
    }
    parts.sort_unstable();
    parts.dedup();
    let of = parts.first()?.1;
    if parts.len() != of || parts.iter().enumerate().any(|(index, part)| (part.0, part.1) != (index + 1, of)) {
        return None;
    }
    let mut payload = String::new();
    for (number, _, text) in parts {
        let mut text = text;
        if let Some(rest) = text.strip_prefix(&continuation_mark(number.saturating_sub(1))) {
            // Skips the line that reopens the block.
            text = rest.split_once('\n')?.1;
        }
        let whole = [(true, cut_mark(number + 1, true)), (false, cut_mark(number + 1, false))]
            .into_iter()
            .find_map(|(inside, mark)| Some((inside, text.strip_suffix(&mark)?)));
        if let Some((inside_line, rest)) = whole {
            // Removes the line that closes the block, and a newline that is not part of the content.
            let closed = rest.strip_suffix('\n')?;
            text = &rest[..=closed.rfind('\n')?];
            if inside_line {
                text = text.strip_suffix('\n')?;
            }
        }
        payload.push_str(text);
    }
    Some(payload)
}
