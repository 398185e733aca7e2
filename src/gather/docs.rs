//! Key documents of a project: README, plan, architecture, decisions, standards.

/// Returns true if the file is a key document: README, plan, acceptance, architecture, decision record, standard.
pub fn is_contract(path: &str) -> bool {
    let lower = path.to_lowercase();
    let (directory, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if !matches!(extension, "md" | "rst" | "txt" | "adoc" | "markdown" | "") {
        return false;
    }
    let depth = directory.split('/').filter(|part| !part.is_empty()).count();
    let in_docs = directory.split('/').any(|part| matches!(part, "doc" | "docs" | "design" | "specs" | "spec"));
    if directory.split('/').any(|part| matches!(part, "adr" | "adrs" | "decisions" | "rfcs")) {
        return true;
    }
    let contract = [
        "readme", "plan", "acceptance", "architecture", "contributing", "standards", "conventions", "agents", "claude",
    ];
    let named = contract
        .iter()
        .any(|word| stem == *word || stem.strip_prefix(word).is_some_and(|rest| rest.starts_with(['-', '_', '.'])));
    named && (depth == 0 || in_docs && depth <= 2)
}

#[cfg(test)]
mod tests {
    use super::is_contract;

    #[test]
    fn key_documents_are_recognized() {
        for path in
            ["README.md", "docs/ARCHITECTURE.md", "docs/adr/0001-use-rust.md", "CONTRIBUTING.rst", "PLAN.md", "README"]
        {
            assert!(is_contract(path), "{path}");
        }
        for path in
            ["docs/guide/install.md", "src/readme.rs", "crates/a/README.md", "planning.py", "docs/a/b/c/plan.md"]
        {
            assert!(!is_contract(path), "{path}");
        }
    }
}
