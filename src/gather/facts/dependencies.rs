//! Dependencies listed in the manifests at the root and in those of the packages that the task is about.

use serde_json::Value;

use super::root_text;
use crate::gather::corpus::Corpus;

/// Maximum number of names per manifest.
const MOST: usize = 60;

/// Maximum number of manifests.
const MOST_MANIFESTS: usize = 4;

/// Dependencies in one manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependencies {
    /// Path of the manifest.
    pub manifest: String,
    /// Names in the manifest's order, without duplicates.
    pub names: Vec<String>,
    /// Number of names beyond the limit.
    pub more: usize,
}

/// Dependencies of all known manifests, nearest to the root first.
pub(super) fn find(corpus: &Corpus, near: &[&str]) -> Vec<Dependencies> {
    type ManifestReader = fn(&str) -> Vec<String>;
    let readers: [(&str, ManifestReader); 8] = [
        ("Cargo.toml", cargo),
        ("package.json", package_json),
        ("pyproject.toml", pyproject),
        ("requirements.txt", requirements),
        ("go.mod", go_mod),
        ("Gemfile", gemfile),
        ("composer.json", composer),
        ("pom.xml", pom),
    ];
    let mut manifests: Vec<(String, ManifestReader)> = Vec::new();
    for (name, reader) in readers {
        let owners = near.iter().filter_map(|path| owner(corpus, path, name));
        for manifest in std::iter::once(name.to_owned()).chain(owners) {
            if !manifests.iter().any(|(known, _)| *known == manifest) {
                manifests.push((manifest, reader));
            }
        }
    }
    // The sort is stable: manifests at the same depth stay in the order of the table.
    manifests.sort_by_key(|(manifest, _)| manifest.matches('/').count());
    let read = |(manifest, reader): &(String, ManifestReader)| {
        let mut names: Vec<String> = Vec::new();
        for name in reader(&root_text(corpus, manifest)?) {
            if is_name(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len().saturating_sub(MOST);
        names.truncate(MOST);
        (!names.is_empty()).then(|| Dependencies { manifest: manifest.clone(), names, more })
    };
    manifests.iter().filter_map(read).take(MOST_MANIFESTS).collect()
}

/// The nearest manifest with this name in the directories above a file.
fn owner(corpus: &Corpus, path: &str, name: &str) -> Option<String> {
    let mut directory = path.rsplit_once('/')?.0;
    loop {
        let manifest = format!("{directory}/{name}");
        if corpus.find(&manifest).is_some() {
            return Some(manifest);
        }
        directory = directory.rsplit_once('/')?.0;
    }
}

/// Returns true if the text can be the name of a package. Anything else must not get into a payload.
fn is_name(text: &str) -> bool {
    (1..=100).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@/._-+:".contains(&byte))
        && text.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

fn cargo(text: &str) -> Vec<String> {
    let manifest = parse_toml(text);
    let by_target = manifest.get("target").and_then(toml::Value::as_table);
    let by_target = by_target.into_iter().flat_map(toml::Table::values).filter_map(|target| target.get("dependencies"));
    let workspace = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let tables = manifest.get("dependencies").into_iter().chain(workspace).chain(by_target);
    tables.filter_map(toml::Value::as_table).flat_map(toml::Table::keys).cloned().collect()
}

/// Parses TOML; empty if invalid.
pub(super) fn parse_toml(text: &str) -> toml::Table {
    text.parse().unwrap_or_default()
}

fn package_json(text: &str) -> Vec<String> {
    keys(text, &["dependencies", "peerDependencies"])
}

fn composer(text: &str) -> Vec<String> {
    keys(text, &["require"])
}

fn keys(text: &str, fields: &[&str]) -> Vec<String> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let objects = fields.iter().filter_map(|field| value.get(*field)?.as_object());
    objects.flat_map(|object| object.keys().cloned()).collect()
}

fn pyproject(text: &str) -> Vec<String> {
    let manifest = parse_toml(text);
    let listed = manifest.get("project").and_then(|project| project.get("dependencies")?.as_array());
    let listed = listed.into_iter().flatten().filter_map(toml::Value::as_str).map(requirement);
    let poetry = manifest.get("tool").and_then(|tool| tool.get("poetry")?.get("dependencies")?.as_table());
    let poetry = poetry.into_iter().flat_map(toml::Table::keys).filter(|name| *name != "python").cloned();
    listed.chain(poetry).collect()
}

/// Quoted strings of a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    let quote = if line.contains('"') { '"' } else { '\'' };
    line.split(quote).skip(1).step_by(2)
}

/// The name in a requirement, without version, extras and conditions.
fn requirement(text: &str) -> String {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))).unwrap_or(text.len());
    text[..end].to_owned()
}

fn requirements(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '-']));
    lines.map(requirement).filter(|name| !name.is_empty()).collect()
}

fn go_mod(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_block = false;
    for line in text.lines().map(str::trim).filter(|line| !line.ends_with("// indirect")) {
        let required = line.strip_prefix("require ");
        match (in_block, required) {
            (true, _) if line == ")" => in_block = false,
            (true, _) => names.extend(line.split_whitespace().next().map(ToOwned::to_owned)),
            (false, Some(rest)) if rest.trim() == "(" => in_block = true,
            (false, Some(rest)) => names.extend(rest.split_whitespace().next().map(ToOwned::to_owned)),
            (false, None) => {}
        }
    }
    names
}

fn gemfile(text: &str) -> Vec<String> {
    let gems = text.lines().map(str::trim).filter_map(|line| line.strip_prefix("gem "));
    gems.filter_map(|rest| quoted(rest).next().map(ToOwned::to_owned)).collect()
}

fn pom(text: &str) -> Vec<String> {
    let blocks = text.split("<dependency>").skip(1).filter_map(|rest| rest.split("</dependency>").next());
    let inside = |block: &str, tag: &str| -> Option<String> {
        let (_, rest) = block.split_once(&format!("<{tag}>"))?;
        Some(rest.split('<').next()?.trim().to_owned())
    };
    blocks
        .filter_map(|block| Some(format!("{}:{}", inside(block, "groupId")?, inside(block, "artifactId")?)))
        .filter(|name| !name.contains('$'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_from_every_kind_of_manifest() {
        let toml = "[package]\nname = \"x\"\n\n[dependencies]\nserde = { version = \"1\" }\n# no\nlog.workspace = true\n\n\
                    [dependencies.tokio]\nversion = \"1\"\n[dev-dependencies]\ninsta = \"1\"\n\
                    [target.'cfg(unix)'.dependencies]\nrustix = \"1\"\n";
        assert_eq!(cargo(toml), ["serde", "log", "tokio", "rustix"]);
        let toml = "[project]\nname = \"x\"\ndependencies = [\n  \"uvicorn[standard]>=0.2\",\n  'httpx',\n]\n\
                    keywords = [\"no\"]\n[tool.poetry.dependencies]\npython = \"^3.9\"\nrich = \"*\"\n";
        assert_eq!(pyproject(toml), ["uvicorn", "httpx", "rich"]);
        assert_eq!(pyproject("[project]\ndependencies = [\"a>=1\", \"b\"]\nname = \"c\"\n"), ["a", "b"]);
        assert_eq!(
            requirements("# x\n-r other.txt\nDjango>=4\nrequests ; python_version > '3'\n"),
            ["Django", "requests"]
        );
        let module = "module x\n\nrequire example.com/one v1\n\nrequire (\n\texample.com/two v2\n\texample.com/no v1 // indirect\n)\n";
        assert_eq!(go_mod(module), ["example.com/one", "example.com/two"]);
        assert_eq!(gemfile("source 'https://x'\ngem 'rails', '~> 7'\n  gem \"pg\"\n"), ["rails", "pg"]);
        assert_eq!(package_json("{\"dependencies\":{\"react\":\"1\"},\"devDependencies\":{\"x\":\"1\"}}"), ["react"]);
        assert_eq!(package_json("{ broken"), Vec::<String>::new());
        let xml = "<dependency><groupId>org.a</groupId><artifactId>b</artifactId></dependency>\
                   <dependency><groupId>${g}</groupId><artifactId>c</artifactId></dependency>";
        assert_eq!(pom(xml), ["org.a:b"]);
    }

    #[test]
    fn hostile_toml_has_no_dependencies() {
        for text in [
            "[".repeat(100_000),
            format!("a = {}", "[".repeat(100_000)),
            format!("a = {}", "{x=".repeat(100_000)),
            format!("{} = 1", "a.".repeat(100_000)),
            "[dependencies".to_owned(),
            "dependencies = 7\n[project]\ndependencies = \"x\"\n".to_owned(),
        ] {
            assert_eq!((cargo(&text), pyproject(&text)), (Vec::new(), Vec::new()), "{}", &text[..13]);
        }
    }

    #[test]
    fn only_package_names_are_accepted() {
        for good in ["serde", "@scope/pkg", "example.com/a/v2", "org.a:b"] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", "a b", "## Request", "`x`", "---", "é", &"x".repeat(101)] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
