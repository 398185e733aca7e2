//! Reads Jupyter notebooks as their cells, without outputs and metadata, in the percent format that editors and
//! jupytext use.

use std::borrow::Cow;

use serde_json::Value;

/// Maximum size of a notebook. Large notebooks consist mostly of images in outputs.
pub(super) const LARGEST: u64 = 30_000_000;

/// Returns true if the file is a notebook.
pub fn is_notebook(path: &str) -> bool {
    path.len() > 6 && path.as_bytes()[path.len() - 6..].eq_ignore_ascii_case(b".ipynb")
}

/// The cells of a notebook. Any other text is returned unchanged, and so is a notebook that cannot be parsed.
pub fn cells_of<'a>(path: &str, text: Cow<'a, str>) -> Cow<'a, str> {
    if is_notebook(path) { cells(&text).map_or(text, Cow::Owned) } else { text }
}

/// The cells as text, each below a `# %%` line: code as it is, other cells as comments. `None` if the text is not a
/// notebook.
fn cells(text: &str) -> Option<String> {
    let notebook: Value = serde_json::from_str(text).ok()?;
    // Before format 4 the cells were in worksheets.
    let sheets = notebook.get("worksheets").and_then(Value::as_array).into_iter().flatten();
    let lists = notebook.get("cells").into_iter().chain(sheets.filter_map(|sheet| sheet.get("cells")));
    let lists: Vec<&Vec<Value>> = lists.filter_map(Value::as_array).collect();
    if lists.is_empty() {
        return None;
    }
    let mut out = String::new();
    for cell in lists.into_iter().flatten() {
        if !out.is_empty() {
            out.push('\n');
        }
        let kind = cell.get("cell_type").and_then(Value::as_str).unwrap_or("raw");
        let source = source(cell);
        if kind == "code" {
            out.push_str("# %%\n");
            source.lines().for_each(|line| out.extend([line, "\n"]));
        } else {
            let kind = if kind == "raw" { "raw" } else { "markdown" };
            out.push_str(&format!("# %% [{kind}]\n"));
            for line in source.lines() {
                out.extend([if line.is_empty() { "#" } else { "# " }, line, "\n"]);
            }
        }
    }
    Some(out)
}

/// A cell's source: a string or a list of lines, called `input` before format 4.
fn source(cell: &Value) -> String {
    match cell.get("source").or_else(|| cell.get("input")) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTEBOOK: &str = r##"{
        "cells": [
            {"cell_type": "markdown", "metadata": {"id": "x"}, "source": ["# Refunds\n", "\n", "per month"]},
            {"cell_type": "code", "execution_count": 3, "metadata": {}, "source": "import pandas as pd\n\ndef refund(a):\n    return a\n",
             "outputs": [{"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}}]},
            {"cell_type": "raw", "source": []}
        ],
        "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4, "nbformat_minor": 5
    }"##;

    #[test]
    fn cells_are_kept_without_outputs_and_metadata() {
        assert_eq!(
            cells_of("a/x.ipynb", Cow::Borrowed(NOTEBOOK)),
            "# %% [markdown]\n# # Refunds\n#\n# per month\n\n# %%\nimport pandas as pd\n\ndef refund(a):\n    return a\n\n# %% [raw]\n"
        );
    }

    #[test]
    fn the_format_before_version_4_is_read() {
        let old = r#"{"worksheets": [{"cells": [{"cell_type": "heading", "source": ["Title"]}, {"cell_type": "code", "input": ["x = 1\n", "y"]}]}]}"#;
        assert_eq!(cells_of("X.IPYNB", Cow::Borrowed(old)), "# %% [markdown]\n# Title\n\n# %%\nx = 1\ny\n");
    }

    #[test]
    fn other_files_and_invalid_notebooks_are_unchanged() {
        for (path, text) in [("x.json", NOTEBOOK), ("x.ipynb", "{ \"cells\": ["), ("x.ipynb", "{}"), ("x.ipynb", "")] {
            assert_eq!(cells_of(path, Cow::Borrowed(text)), text);
        }
        let deep = format!("{{\"cells\": {}", "[".repeat(100_000));
        assert_eq!(cells_of("x.ipynb", Cow::Borrowed(&deep)), deep);
    }
}
