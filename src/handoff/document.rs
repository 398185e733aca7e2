//! Extracts a handoff from Markdown: an answer, a report, or the editor's template.

use super::fields::{Field, Handoff, join};

/// Maximum characters of a narrative extracted from a report; manifests may truncate it further.
const NARRATIVE_CHARS: usize = 2000;
/// Maximum number of words of a heading that is a plain line with a colon.
const PLAIN_HEADING_WORDS: usize = 3;

/// Words in a heading, and the field that the text below such a heading fills.
const HEADINGS: [(&str, Field); 20] = [
    ("epic", Field::EpicId),
    ("verdict", Field::Verdicts),
    ("gate", Field::Verdicts),
    ("checks", Field::Verdicts),
    ("artifact", Field::ArtifactsProduced),
    ("files changed", Field::ArtifactsProduced),
    ("changed files", Field::ArtifactsProduced),
    ("files touched", Field::ArtifactsProduced),
    ("produced", Field::ArtifactsProduced),
    ("decision", Field::DecisionsMade),
    ("decided", Field::DecisionsMade),
    ("risk", Field::OpenRisks),
    ("open question", Field::OpenRisks),
    ("open issue", Field::OpenRisks),
    ("todo", Field::OpenRisks),
    ("narrative", Field::Narrative),
    ("summary", Field::Narrative),
    ("outcome", Field::Narrative),
    ("goal", Field::Goal),
    ("objective", Field::Goal),
];

fn field_of(heading: &str) -> Option<Field> {
    let heading = heading.to_lowercase().replace('_', " ");
    HEADINGS.iter().find(|(word, _)| heading.contains(word)).map(|(_, field)| *field)
}

/// Extracts fields by headings. If `prose` is set and no heading names a narrative, the first paragraph is the
/// narrative.
pub fn read(text: &str, prose: bool) -> Handoff {
    let mut handoff = Handoff::default();
    let mut field: Option<Field> = None;
    let (mut first, mut first_done, mut fenced) = (String::new(), false, false);
    let mut said: Vec<(Field, String)> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced || trimmed.starts_with("<!--") {
            continue;
        }
        if let Some(heading) = heading(trimmed) {
            field = field_of(heading);
            first_done |= !first.is_empty();
            continue;
        }
        let verdict = verdict(trimmed).filter(|_| field != Some(Field::Verdicts));
        if let Some((gate, verdict)) = verdict {
            handoff.verdicts.insert(gate, verdict);
            // A verdict below the last heading does not belong to that heading's list.
            if field != Some(Field::Narrative) && field.is_some() {
                continue;
            }
        }
        match field {
            Some(field) => said.push((field, line.to_owned())),
            None if trimmed.is_empty() => first_done |= !first.is_empty(),
            None if !first_done && !is_item(trimmed) => {
                first.push_str(trimmed);
                first.push('\n');
            }
            None => {}
        }
    }
    for (field, line) in said {
        put(&mut handoff, field, &line);
    }
    if prose && handoff.narrative.trim().is_empty() {
        handoff.narrative = first;
    }
    handoff.narrative = super::budget::truncate_to_chars(handoff.narrative.trim(), NARRATIVE_CHARS);
    let (goal, epic_id) = (handoff.goal.trim().to_owned(), handoff.epic_id.trim().to_owned());
    Handoff { goal, epic_id, ..handoff }
}

/// Text of a heading.
fn heading(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches('#');
    if bare.len() < line.len() && bare.starts_with(' ') {
        return Some(bare.trim());
    }
    // `**Decisions:**` alone on a line is also a heading.
    if let Some(plain) = line.strip_suffix(':').filter(|plain| is_plain_heading(plain)) {
        return Some(plain);
    }
    let bold = line.strip_prefix("**")?.strip_suffix("**").or_else(|| line.strip_prefix("**")?.strip_suffix("**:"))?;
    (!bold.contains("**")).then(|| bold.trim_end_matches(':'))
}

/// Returns true for the words before a colon if they name a field, as in `Open risks:`.
fn is_plain_heading(words: &str) -> bool {
    let letters = words.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '_');
    letters && words.split_whitespace().count() <= PLAIN_HEADING_WORDS && field_of(words).is_some()
}

fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") || numbered(line).is_some()
}

fn numbered(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line[digits..].strip_prefix(". ").or_else(|| line[digits..].strip_prefix(") ")).filter(|_| digits > 0)
}

/// Text of a list item, without bullet and check box.
fn item(line: &str) -> Option<&str> {
    let line = line.trim();
    let text = ["- ", "* ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet)).or_else(|| numbered(line))?;
    let text = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    Some(text.trim())
}

fn put(handoff: &mut Handoff, field: Field, line: &str) {
    let trimmed = line.trim();
    let entry = || item(trimmed).unwrap_or(trimmed).to_owned();
    let list = |list: &mut Vec<String>| {
        if item(trimmed).is_none() && line.starts_with([' ', '\t']) && !list.is_empty() && !trimmed.is_empty() {
            // The line continues the item above.
            if let Some(last) = list.last_mut() {
                last.push(' ');
                last.push_str(trimmed);
            }
        } else if !trimmed.is_empty() {
            join(list, vec![entry()]);
        }
    };
    match field {
        Field::Goal => add_line(&mut handoff.goal, trimmed),
        Field::EpicId => add_line(&mut handoff.epic_id, trimmed),
        Field::Narrative => {
            handoff.narrative.push_str(line.trim_end());
            handoff.narrative.push('\n');
        }
        Field::Verdicts => {
            if let Some((gate, verdict)) = verdict(trimmed) {
                handoff.verdicts.insert(gate, verdict);
            } else if let Some((gate, verdict)) = listed_verdict(&entry()) {
                handoff.verdicts.insert(gate, verdict);
            }
        }
        Field::ArtifactsProduced => {
            if let Some(path) = path_in(&entry()) {
                join(&mut handoff.artifacts_produced, vec![path]);
            }
        }
        Field::DecisionsMade => list(&mut handoff.decisions_made),
        Field::OpenRisks => list(&mut handoff.open_risks),
    }
}

fn add_line(text: &mut String, line: &str) {
    if !text.is_empty() && !line.is_empty() {
        text.push(' ');
    }
    text.push_str(line);
}

fn bare(text: &str) -> String {
    text.trim().trim_matches(['*', '`', '_']).trim().to_owned()
}

/// First path in a list item.
fn path_in(entry: &str) -> Option<String> {
    if let Some(quoted) = entry.split('`').nth(1).filter(|quoted| !quoted.trim().is_empty()) {
        return Some(quoted.trim().to_owned());
    }
    let word = entry.split_whitespace().find(|word| word.contains(['/', '.']) && !word.contains("://"))?;
    Some(word.trim_matches(['*', ',', ':', ';', '(', ')']).to_owned())
}

/// Parses `Verdict: pass` (gate `review`), `Tests verdict: 3 failed` and `Verdict: tests PASS` (gate `tests`).
fn verdict(line: &str) -> Option<(String, String)> {
    let line = item(line).unwrap_or(line);
    let (name, value) = line.split_once(':')?;
    let name = bare(name).to_lowercase();
    let gate = name.strip_suffix("verdict")?.trim();
    let value = bare(value);
    if value.is_empty() || gate.len() >= 40 {
        return None;
    }
    if gate.is_empty() {
        return Some(gate_and_result(&value).unwrap_or_else(|| ("review".to_owned(), value)));
    }
    Some((gate.to_owned(), value))
}

/// A gate and its verdict in an entry of a list of verdicts: `tests: pass`, `tests - pass`, `tests PASS`, or a row of a
/// table.
fn listed_verdict(entry: &str) -> Option<(String, String)> {
    if let Some(row) = entry.strip_prefix('|') {
        let mut cells = row.split('|').map(bare).filter(|cell| !cell.is_empty());
        let (gate, verdict) = (cells.next()?, cells.next()?);
        let is_head = verdict.eq_ignore_ascii_case("verdict") || verdict.eq_ignore_ascii_case("result");
        let is_rule = gate.chars().all(|c| matches!(c, '-' | ':'));
        return (!is_head && !is_rule).then_some((gate, verdict));
    }
    let parts = [": ", " — ", " – ", " - ", " = "].iter().find_map(|separator| entry.split_once(separator));
    parts.map(|(gate, verdict)| (bare(gate), bare(verdict))).or_else(|| gate_and_result(entry))
}

/// Splits `tests PASS`, `tests: pass` or `code review - approved` into gate and result, if the result is a known word.
fn gate_and_result(value: &str) -> Option<(String, String)> {
    const RESULTS: [&str; 14] = [
        "pass", "passed", "passes", "fail", "failed", "fails", "ok", "approved", "rejected", "accepted", "warn",
        "warning", "blocked", "skipped",
    ];
    let is_result = |word: &str| RESULTS.contains(&bare(word).trim_matches(['.', ',', '!']).to_lowercase().as_str());
    let at = value.split_whitespace().position(is_result).filter(|at| (1..=3).contains(at))?;
    let words: Vec<&str> = value.split_whitespace().collect();
    let gate = bare(words[..at].join(" ").trim_end_matches([':', '-', '–', '—', '=', ' '])).to_lowercase();
    let is_name = gate.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/'));
    (!gate.is_empty() && is_name).then(|| (gate, bare(&words[at..].join(" "))))
}

/// The editor's template, filled with known fields.
pub fn template(handoff: &Handoff, turn: &str) -> String {
    let list = |entries: &[String]| entries.iter().map(|entry| format!("- {entry}\n")).collect::<Vec<_>>().concat();
    let verdicts: Vec<String> =
        handoff.verdicts.iter().map(|(gate, verdict)| format!("- {gate}: {verdict}\n")).collect();
    format!(
        "<!-- Notes of turn {turn} for the next phase. Leave a part empty if it does not apply; if all are empty, nothing is written. -->\n\n\
         # goal\n\n{}\n\n# epic_id\n\n{}\n\n# verdicts\n<!-- - gate: verdict -->\n\n{}\n# artifacts_produced\n<!-- - path -->\n\n{}\n\
         # decisions_made\n\n{}\n# open_risks\n\n{}\n# narrative\n\n{}\n",
        handoff.goal,
        handoff.epic_id,
        verdicts.concat(),
        list(&handoff.artifacts_produced),
        list(&handoff.decisions_made),
        list(&handoff.open_risks),
        handoff.narrative,
    )
}
