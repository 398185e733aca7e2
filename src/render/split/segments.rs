//! Segments of a payload that are not split: lines outside blocks, and each block with its heading.

use crate::render::is_tagged;
use crate::render::parse_xml::opened;

/// A segment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Segment<'t> {
    /// Text of the segment.
    pub text: &'t str,
    /// Start and end of a block's content.
    body: Option<(usize, usize)>,
    /// The line that reopens the block after a cut.
    pub opening: &'t str,
    /// The line that closes the block.
    pub closing: &'t str,
}

impl<'t> Segment<'t> {
    /// The text before the content, the content, and the text after it.
    pub fn pieces(&self) -> (&'t str, &'t str, &'t str) {
        let (from, to) = self.body.unwrap_or((0, self.text.len()));
        (&self.text[..from], &self.text[from..to], &self.text[to..])
    }
}

/// The end of the block that this line opens; `None` if it opens none.
fn closes(line: &str, tagged: bool) -> Option<Closing<'_>> {
    if tagged {
        return opened(line).map(Closing::Tag);
    }
    let bare = line.trim_end();
    let ticks = bare.bytes().take_while(|byte| *byte == b'`').count();
    (ticks >= 3 && !bare[ticks..].contains('`')).then_some(Closing::Fence(ticks))
}

/// The end of a block.
enum Closing<'t> {
    Fence(usize),
    Tag(&'t str),
}

impl Closing<'_> {
    fn is(&self, line: &str) -> bool {
        let bare = line.trim_end();
        match self {
            Self::Fence(open) => bare.len() >= *open && bare.bytes().all(|byte| byte == b'`'),
            Self::Tag(name) => bare.strip_prefix("</").and_then(|rest| rest.strip_suffix('>')) == Some(name),
        }
    }
}

/// Splits the payload into segments. Joining the segments restores the payload.
pub(super) fn segments(payload: &str) -> Vec<Segment<'_>> {
    let tagged = is_tagged(payload);
    let mut found: Vec<Segment<'_>> = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let mut lines = payload.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let Some(closing) = closes(line, tagged) else {
            // A heading and a comment stay with the block below them. A blank line ends a segment.
            let next = lines.peek().copied().unwrap_or_default();
            let leads = is_lead(line, tagged) && !next.trim().is_empty();
            if !leads && !next.trim().is_empty() || next.is_empty() {
                found.push(Segment { text: &payload[from..at], ..Segment::default() });
                from = at;
            }
            continue;
        };
        let opening_end = at;
        let mut body_end = payload.len();
        let mut closing_end = payload.len();
        for line in lines.by_ref() {
            let before = at;
            at += line.len();
            if closing.is(line) {
                (body_end, closing_end) = (before, at);
                break;
            }
        }
        // Blank lines after a block belong to it.
        while let Some(line) = lines.next_if(|line| line.trim().is_empty() || tagged && line.trim_end() == "</inlined>")
        {
            at += line.len();
        }
        found.push(Segment {
            text: &payload[from..at],
            body: Some((opening_end - from, body_end - from)),
            opening: &payload[start..opening_end],
            closing: &payload[body_end..closing_end],
        });
        from = at;
    }
    if from < payload.len() {
        found.push(Segment { text: &payload[from..], ..Segment::default() });
    }
    found
}

/// Returns true if a line introduces the block below it.
fn is_lead(line: &str, tagged: bool) -> bool {
    if tagged {
        return line.starts_with("<inlined ");
    }
    line.starts_with('#') || line.starts_with("<!-- ") || line.starts_with("---") || line.starts_with("**File:**")
}
