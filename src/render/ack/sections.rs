//! The sections of a payload that an acknowledgement names as missing.

use crate::error::{Error, Result};
use crate::place::Tier;
use crate::render::parse::{LinkedLine, Payload, RawBlock};
use crate::text::nearest;

/// Sections of a payload that an acknowledgement reports as missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct MissingSections<'p> {
    /// Inlined blocks, in the payload's order.
    pub raw: Vec<&'p RawBlock>,
    /// References, in the payload's order.
    pub linked: Vec<&'p LinkedLine>,
}

impl MissingSections<'_> {
    /// Returns true if nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty() && self.linked.is_empty()
    }
}

/// The sections that labels name by heading (`RAW:primary-code-2`), group (`primary-code`) or path.
pub fn sections<'p>(payload: &'p Payload, labels: &[String]) -> Result<MissingSections<'p>> {
    let mut missing = MissingSections::default();
    for label in labels {
        let named = LabelQuery::by(label);
        let raws = payload.raw.iter().filter(|block| named.is(Tier::Raw, &block.label, &block.path));
        let links = payload.linked.iter().filter(|link| named.is(Tier::Linked, &link.label, &link.path));
        let (raws, links): (Vec<_>, Vec<_>) = (raws.collect(), links.collect());
        if raws.is_empty() && links.is_empty() && named.name != Some("") {
            return Err(unknown(payload, label));
        }
        missing.raw.extend(raws);
        missing.linked.extend(links);
    }
    // Lists each section once, in payload order.
    missing.raw = payload.raw.iter().filter(|block| missing.raw.contains(block)).collect();
    missing.linked = payload.linked.iter().filter(|link| missing.linked.contains(link)).collect();
    Ok(missing)
}

/// A parsed label. `RAW:x` and `LINKED:x` name a section of one tier; `RAW` and `RAW:*` name the whole tier.
struct LabelQuery<'l> {
    tier: Option<Tier>,
    /// Section, group or path; `None` for everything in the tier.
    name: Option<&'l str>,
}

impl<'l> LabelQuery<'l> {
    fn by(label: &'l str) -> Self {
        for tier in [Tier::Raw, Tier::Linked] {
            let word = tier.label().len();
            if let Some(start) = label.get(..word)
                && start.eq_ignore_ascii_case(tier.label())
                && !label[word..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            {
                let name = label[word..].trim_start_matches([':', '/', '|', ' ', '-', '.']).trim();
                return Self { tier: Some(tier), name: Some(name).filter(|name| !matches!(*name, "" | "*")) };
            }
        }
        Self { tier: None, name: Some(label.trim()).filter(|name| *name != "*") }
    }

    fn is(&self, tier: Tier, label: &str, path: &str) -> bool {
        self.tier.is_none_or(|own| own == tier) && self.name.is_none_or(|name| names(name, label, path))
    }
}

fn names(name: &str, label: &str, path: &str) -> bool {
    let group =
        label.rsplit_once('-').filter(|(_, end)| end.bytes().all(|b| b.is_ascii_digit())).map(|(group, _)| group);
    name.eq_ignore_ascii_case(label)
        || group.is_some_and(|group| name.eq_ignore_ascii_case(group))
        || !path.is_empty() && name == path
}

fn unknown(payload: &Payload, label: &str) -> Error {
    let mut known: Vec<String> = payload.raw.iter().map(|block| format!("RAW:{}", block.label)).collect();
    for link in &payload.linked {
        let shown = format!("LINKED:{}", link.label);
        if !known.contains(&shown) {
            known.push(shown);
        }
    }
    let paths = payload.raw.iter().map(|block| &block.path).chain(payload.linked.iter().map(|link| &link.path));
    let bare = known.iter().filter_map(|known| known.split_once(':')).map(|(_, bare)| bare);
    let near = nearest(label, known.iter().map(String::as_str))
        .or_else(|| nearest(label, bare))
        .or_else(|| nearest(label, paths.map(String::as_str)));
    let hint =
        near.map_or_else(|| format!("there are: {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
    Error::input(format!("the payload has no section `{label}`"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Form;
    use crate::render::parse::{BlockKind, Meta};

    fn payload() -> Payload {
        let block = |label: &str, path: &str| RawBlock {
            label: label.to_owned(),
            kind: BlockKind::File,
            path: path.to_owned(),
            form: Form::Whole,
            content: String::new(),
        };
        let link = |label: &str, path: &str| LinkedLine {
            label: label.to_owned(),
            path: path.to_owned(),
            lines: (1, 2),
            description: String::new(),
        };
        Payload {
            meta: Meta::default(),
            summary: String::new(),
            raw: vec![
                block("primary-code-1", "src/a.rs"),
                block("primary-code-2", "src/b.rs"),
                block("docs", "README.md"),
            ],
            linked: vec![link("docs", "docs/x.md"), link("dependencies", "src/c.rs")],
            sources: Vec::new(),
            after_meta: String::new(),
            raw_text: String::new(),
            linked_text: String::new(),
            converted: false,
        }
    }

    #[test]
    fn labels_name_sections_as_headings_maps_and_paths() {
        let payload = payload();
        let found = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
            let found = sections(&payload, &labels)?;
            let paths = found.raw.iter().map(|block| block.path.as_str());
            Ok::<_, Error>(paths.chain(found.linked.iter().map(|link| link.path.as_str())).collect::<Vec<_>>())
        };
        assert_eq!(found(&["RAW:primary-code-2"]).unwrap(), ["src/b.rs"]);
        assert_eq!(found(&["raw: Primary-Code"]).unwrap(), ["src/a.rs", "src/b.rs"]);
        assert_eq!(found(&["docs"]).unwrap(), ["README.md", "docs/x.md"]);
        assert_eq!(found(&["LINKED | docs", "RAW/docs"]).unwrap(), ["README.md", "docs/x.md"]);
        assert_eq!(found(&["src/b.rs", "primary-code-2"]).unwrap(), ["src/b.rs"]);
        assert_eq!(found(&["LINKED"]).unwrap(), ["docs/x.md", "src/c.rs"]);
        let error = found(&["RAW:primary-kode-2"]).unwrap_err();
        assert_eq!(error.hint().unwrap(), "did you mean `RAW:primary-code-2`?");
        assert!(found(&["something else"]).unwrap_err().hint().unwrap().contains("LINKED:dependencies"));
        assert!(found(&["LINKED:primary-code-1"]).is_err());
        let all = ["src/a.rs", "src/b.rs", "README.md", "docs/x.md", "src/c.rs"];
        assert_eq!(found(&["*"]).unwrap(), all);
        assert_eq!(found(&["raw.*", "linked: *"]).unwrap(), all);
        assert_eq!(found(&["Primary-code-1"]).unwrap(), ["src/a.rs"]);
        assert!(found(&["rawhide"]).is_err() && found(&["raw_1"]).is_err() && found(&["primary"]).is_err());
        assert_eq!(found(&[]).unwrap(), Vec::<&str>::new());
        assert_eq!(found(&["dependancies"]).unwrap_err().hint().unwrap(), "did you mean `dependencies`?");
        assert_eq!(found(&["src/d.rs"]).unwrap_err().hint().unwrap(), "did you mean `src/a.rs`?");
        let nothing = sections(&payload, &[]).unwrap();
        let one = sections(&payload, &["src/c.rs".to_owned()]).unwrap();
        assert!(nothing.is_empty() && !one.is_empty() && one.raw.is_empty());
    }
}
