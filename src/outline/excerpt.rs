//! Excerpts: selected lines of a source file, with its imports and the signatures of omitted definitions.

use std::collections::{HashMap, HashSet};

use super::definitions::DefinitionKind;
use super::lines::{Gap, TextRows, count_of_lines};
use super::shape::{Extent, Shape};
use super::skeleton::{ShortenedText, skeleton_by};
use crate::outline::language::Language;

/// Imports and signatures take at most this fraction of the selected lines. They orient the reader, but with a larger
/// share, small budgets include fewer of the changed lines (docs/scoring.md).
const CONTEXT_PART: usize = 8;
/// A gap of this many lines or fewer is kept, because replacing it with a marker saves too little.
const SMALLEST_GAP: usize = 3;
/// Signatures with more lines than this are represented by their first line.
const LONGEST_SIGNATURE: usize = 5;
/// Longer import statements are shown only up to this many lines.
const LONGEST_IMPORT: usize = 40;

/// An excerpt with the lines in `keep`, or the whole outline if `keep` is empty; `None` if the language has no reader
/// or the text is too large.
pub fn shortened(language: Language, text: &str, keep: &[(u32, u32)]) -> Option<ShortenedText> {
    Some(shortened_by(&Shape::of(language, text)?, language, text, keep))
}

/// Like [`shortened`], for text whose shape is known.
pub fn shortened_by(shape: &Shape, language: Language, text: &str, keep: &[(u32, u32)]) -> ShortenedText {
    match keep {
        [] => skeleton_by(shape, language, text, keep),
        _ => excerpt(shape, language, text, keep),
    }
}

/// The lines in `keep` (1-based, inclusive), with imports and the signatures of omitted definitions, nearest first.
fn excerpt(shape: &Shape, language: Language, text: &str, keep: &[(u32, u32)]) -> ShortenedText {
    let lines = TextRows::of(text);
    let mut wanted = vec![false; lines.count()];
    for (first, last) in keep {
        let last = (*last as usize).min(wanted.len());
        let first = (first.max(&1) - 1) as usize;
        if first < last {
            wanted[first..last].fill(true);
        }
    }
    let chosen: usize = (0..wanted.len()).filter(|row| wanted[*row]).map(|row| lines.row(row).len() + 1).sum();
    let mut context = ExcerptContext { lines: &lines, left: chosen / CONTEXT_PART, wanted: &mut wanted };
    let signatures = signatures(shape, &lines, context.wanted);
    let (around, beside): (Vec<_>, Vec<_>) = signatures.into_iter().partition(|signature| signature.encloses);
    for signature in around {
        context.add(signature.rows);
    }
    context.add_imports(shape);
    for signature in beside {
        context.add(signature.rows);
    }
    lines.without(&gaps(shape, language, &lines, &wanted))
}

/// Additional lines shown around the selected ones, limited to a number of bytes.
struct ExcerptContext<'a> {
    lines: &'a TextRows<'a>,
    left: usize,
    wanted: &'a mut [bool],
}

impl ExcerptContext<'_> {
    /// Shows these rows (0-based, end exclusive) if the allowance covers them.
    fn add(&mut self, rows: (usize, usize)) -> bool {
        let new = (rows.0..rows.1).filter(|row| !self.wanted[*row]);
        let bytes: usize = new.map(|row| self.lines.row(row).len() + 1).sum();
        let fits = bytes <= self.left;
        if fits {
            self.left -= bytes;
            self.wanted[rows.0..rows.1].fill(true);
        }
        fits
    }

    /// Shows all imports if they take less than half of the allowance, otherwise only those that
    /// the selected lines use.
    fn add_imports(&mut self, shape: &Shape) {
        let imports = imports(shape, self.lines);
        let bytes = |rows: &(usize, usize)| (rows.0..rows.1).map(|row| self.lines.row(row).len() + 1).sum::<usize>();
        if imports.iter().map(bytes).sum::<usize>() <= self.left / 2 {
            for rows in imports {
                self.add(rows);
            }
            return;
        }
        let shown: Vec<usize> = (0..self.wanted.len()).filter(|row| self.wanted[*row]).collect();
        let used: HashSet<&str> = shown.iter().flat_map(|row| identifiers(self.lines.row(*row))).collect();
        for rows in imports {
            let names_used = (rows.0..rows.1)
                .flat_map(|row| identifiers(self.lines.row(row)))
                .any(|name| name.len() > 1 && !IMPORT_WORDS.contains(&name) && used.contains(name));
            if names_used {
                self.add(rows);
            }
        }
    }
}

fn identifiers(row: &str) -> impl Iterator<Item = &str> {
    row.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Signature of a definition that is omitted, or that encloses selected lines.
struct Signature {
    /// 0-based rows, end exclusive.
    rows: (usize, usize),
    /// True if some lines of the definition are selected.
    encloses: bool,
}

/// Signatures of definitions that are not shown in full, nearest to the selected lines first.
fn signatures(shape: &Shape, lines: &TextRows<'_>, wanted: &[bool]) -> Vec<Signature> {
    let distances = distances(wanted);
    let bodies: HashMap<u32, u32> =
        shape.folds.iter().filter(|fold| fold.is_body).filter_map(|fold| Some((fold.scope.0, fold.gap?.0))).collect();
    let mut found: Vec<(usize, Signature)> = Vec::new();
    for definition in &shape.definitions {
        if matches!(definition.kind, DefinitionKind::Property | DefinitionKind::Constant) {
            continue;
        }
        let rows = head(&bodies, definition, lines);
        if rows.0 >= rows.1 || rows.1 > wanted.len() || wanted[rows.0..rows.1].iter().all(|row| *row) {
            continue;
        }
        let all = rows.0..(definition.last as usize).min(wanted.len());
        let encloses = all.clone().any(|row| wanted[row]);
        let distance = all.map(|row| distances[row]).min().unwrap_or(usize::MAX);
        found.push((distance, Signature { rows, encloses }));
    }
    found.sort_by_key(|(distance, signature)| (*distance, signature.rows));
    found.into_iter().map(|(_, signature)| signature).collect()
}

/// Distance of each row to the nearest selected one.
fn distances(wanted: &[bool]) -> Vec<usize> {
    let mut distances = vec![usize::MAX; wanted.len()];
    let mut last = None;
    for row in 0..wanted.len() {
        last = if wanted[row] { Some(row) } else { last };
        distances[row] = last.map_or(usize::MAX, |last| row - last);
    }
    let mut next = None;
    for row in (0..wanted.len()).rev() {
        next = if wanted[row] { Some(row) } else { next };
        distances[row] = distances[row].min(next.map_or(usize::MAX, |next| next - row));
    }
    distances
}

/// Rows of a definition's signature, without the doc comments and attributes above it. `bodies` maps the first row of a
/// definition to the first row of its body.
fn head(bodies: &HashMap<u32, u32>, definition: &Extent, lines: &TextRows<'_>) -> (usize, usize) {
    let (mut first, end) = ((definition.first - 1) as usize, definition.last as usize);
    while first + 1 < end && is_preamble(lines.row(first)) {
        first += 1;
    }
    let body = bodies.get(&(definition.first - 1)).map(|row| *row as usize).filter(|row| *row > first && *row < end);
    let end = body.unwrap_or(first + 1);
    if end - first > LONGEST_SIGNATURE { (first, first + 1) } else { (first, end) }
}

/// Returns true if a row is a comment, an attribute or a decorator.
fn is_preamble(row: &str) -> bool {
    let row = row.trim_start();
    row.is_empty() || ["//", "/*", "*", "#[", "# ", "@", "--", "\"\"\""].iter().any(|start| row.starts_with(start))
}

const IMPORT_WORDS: [&str; 12] =
    ["import", "from", "use", "pub", "crate", "super", "self", "include", "require", "using", "static", "package"];
const IMPORT_STARTS: [&str; 14] = [
    "import ", "import(", "import{", "from ", "use ", "pub use ", "pub(crate) use ", "#include", "# include",
    "require ", "require(", "require_relative ", "using ", "extern crate ",
];

/// Rows of import statements outside definitions, including continuation lines.
fn imports(shape: &Shape, lines: &TextRows<'_>) -> Vec<(usize, usize)> {
    let mut inside = vec![false; lines.count()];
    for definition in &shape.definitions {
        let end = (definition.last as usize).min(inside.len());
        inside[((definition.first - 1) as usize).min(end)..end].fill(true);
    }
    let mut found = Vec::new();
    let mut row = 0;
    while row < lines.count() {
        let text = lines.row(row);
        let is_import = IMPORT_STARTS.iter().any(|start| text.starts_with(start)) || text.contains("= require(");
        if inside[row] || !is_import {
            row += 1;
            continue;
        }
        let first = row;
        let (mut opened, mut closed) = (0, 0);
        loop {
            let text = lines.row(row);
            opened += text.matches(['(', '{']).count();
            closed += text.matches([')', '}']).count();
            row += 1;
            if (opened <= closed && !text.ends_with('\\')) || row >= lines.count() || row - first >= LONGEST_IMPORT {
                break;
            }
        }
        found.push((first, row));
    }
    found
}

/// Gaps between the shown rows, each with a marker that shows the number of its lines and, if only one definition is
/// missing, the definition's name.
fn gaps(shape: &Shape, language: Language, lines: &TextRows<'_>, wanted: &[bool]) -> Vec<Gap> {
    let (before, after) = language.line_comment().unwrap_or_default();
    let mut gaps = Vec::new();
    let mut row = 0;
    while row < wanted.len() {
        let end = (row..wanted.len()).find(|next| wanted[*next] != wanted[row]).unwrap_or(wanted.len());
        let bytes = if wanted[row] { 0 } else { lines.bytes(row, end - 1) };
        let between = row > 0 && end < wanted.len();
        if !wanted[row] && (end - row > SMALLEST_GAP || !between) {
            let indentation = lines.indentation(row, end - 1);
            let missing = missing_definitions(shape, lines, (row, end));
            let mark = format!("{indentation}{before}… ({}{missing}){after}", count_of_lines(end - row));
            if mark.len() < bytes {
                gaps.push(Gap { first: row, last: end - 1, mark });
            }
        }
        row = end;
    }
    gaps
}

/// Describes the definitions in these rows that are not nested in another: their number or, if there is only one, its
/// name, so that a long gap does not look like the rest of one body. Fields and constants are not counted.
fn missing_definitions(shape: &Shape, lines: &TextRows<'_>, (from, to): (usize, usize)) -> String {
    let is_inside = |extent: &Extent| from < extent.first as usize && extent.last as usize <= to;
    let outermost: Vec<&Extent> = shape
        .definitions
        .iter()
        .filter(|extent| {
            is_inside(extent) && !extent.parent.is_some_and(|parent| is_inside(&shape.definitions[parent]))
        })
        .collect();
    let is_field = |extent: &Extent| matches!(extent.kind, DefinitionKind::Property | DefinitionKind::Constant);
    let larger: Vec<&Extent> = outermost.iter().copied().filter(|extent| !is_field(extent)).collect();
    match (&larger[..], &outermost[..]) {
        ([only], _) | ([], [only]) => {
            let mut rows = (only.first as usize - 1..only.last as usize).map(|row| lines.row(row));
            let name = rows.find(|row| !is_preamble(row)).and_then(name_of);
            name.map(|name| format!(": {name}")).unwrap_or_default()
        }
        ([], _) => String::new(),
        (several, _) => format!(", {} definitions", several.len()),
    }
}

/// Words that may precede the name in a signature.
const SIGNATURE_WORDS: [&str; 37] = [
    "abstract", "async", "class", "const", "crate", "def", "default", "enum", "export", "extern", "final", "fn",
    "func", "fun", "function", "impl", "in", "inline", "interface", "internal", "macro_rules", "mod", "override",
    "private", "protected", "pub", "public", "sealed", "static", "struct", "super", "template", "trait", "type",
    "unsafe", "virtual", "void",
];

/// Name in a signature: the word before its first parenthesis, else the first word that is not a keyword.
fn name_of(signature: &str) -> Option<&str> {
    let signature = signature.trim_start();
    if signature.starts_with("impl") {
        return None;
    }
    // A Go method has its receiver before its name.
    let signature =
        signature.strip_prefix("func (").and_then(|rest| rest.split_once(')')).map_or(signature, |(_, rest)| rest);
    let before = signature.split(['(', '{', ':', '=', '<']).next().unwrap_or(signature);
    let named = |word: &&str| !SIGNATURE_WORDS.contains(word) && !word.starts_with(|c: char| c.is_ascii_digit());
    if signature[before.len()..].starts_with(['(', '<']) && !before.starts_with("pub") {
        return identifiers(before).filter(named).last();
    }
    identifiers(signature).find(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten functions of ten lines each in a class, below two imports.
    fn source() -> String {
        let mut text = "import os\nimport sys\n\n\nclass Cart:\n".to_owned();
        for number in 0..10 {
            text.push_str(&format!("    def step_{number}(self):\n"));
            text.push_str(&format!("        os.write({number})\n").repeat(8));
            text.push('\n');
        }
        text
    }

    #[test]
    fn an_excerpt_shows_its_class_imports_and_nearest_signatures() {
        // `step_3` to `step_6` are on lines 36 to 75.
        let cut = shortened(Language::Python, &source(), &[(36, 75)]).unwrap();
        for shown in [
            "import os\n",
            "class Cart:\n",
            "def step_2(self):\n",
            "def step_3(self):\n",
            "def step_7(self):\n",
            "# … (",
        ] {
            assert!(cut.text.contains(shown), "no {shown:?} in {}", cut.text);
        }
        assert!(!cut.text.contains("os.write(7)"), "{}", cut.text);
    }

    #[test]
    fn imports_that_the_selected_lines_use_come_first() {
        let others: Vec<String> = (0..40).map(|number| format!("import module_with_a_long_name_{number}\n")).collect();
        let mut text = others.concat();
        text.push_str("import os\n\n\n");
        text.push_str(&format!("def save():\n{}", "    os.write(1)\n".repeat(20)));
        let cut = shortened(Language::Python, &text, &[(44, 64)]).unwrap();
        assert!(cut.text.contains("import os\n") && !cut.text.contains("long_name_7\n"), "{}", cut.text);
    }

    #[test]
    fn a_marker_names_the_only_omitted_definition() {
        let body = "    os.write(1)\n".repeat(12);
        let text = format!("def load():\n{body}\n\ndef save():\n{body}\n\ndef send():\n{body}");
        // Signatures do not fit, so only the gap before `send` has a single definition.
        let shape = Shape::of(Language::Python, &text).unwrap();
        let lines = TextRows::of(&text);
        let mut wanted = vec![false; lines.count()];
        wanted[30..].fill(true);
        assert!(gaps(&shape, Language::Python, &lines, &wanted)[0].mark.ends_with(" lines, 2 definitions)"));
        wanted[..15].fill(true);
        assert!(gaps(&shape, Language::Python, &lines, &wanted)[0].mark.ends_with(" lines: save)"));
        for (signature, name) in [
            ("def save(self):", "save"),
            ("pub(crate) fn save<T>(x: T) {", "save"),
            ("pub struct Cart {", "Cart"),
            ("class Cart(Base):", "Cart"),
            ("    async fn save(&self) {", "save"),
            ("public static void save(int x) {", "save"),
            ("export function save(x) {", "save"),
            ("func (c *Cart) Save() {", "Save"),
        ] {
            assert_eq!(name_of(signature), Some(name), "{signature}");
        }
    }

    #[test]
    fn an_excerpt_without_lines_is_the_whole_outline() {
        let outline = shortened(Language::Python, &source(), &[]).unwrap().text;
        assert!((0..10).all(|number| outline.contains(&format!("def step_{number}(self):"))), "{outline}");
        assert_eq!(shortened(Language::Markdown, "# a\n", &[(1, 1)]), None);
    }
}
