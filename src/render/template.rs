//! The user's text before and after a payload.

use std::path::Path;

use super::Renderer;
use super::fence::{code_span, one_line};
use super::payload_meta::PayloadMeta;
use super::pieces::Counter;
use super::prompt::templates;
use crate::error::Result;
use crate::gather::Corpus;
use crate::gather::facts::RepoFacts;
use crate::ids::ItemId;
use crate::place::{Costs, Form, Placement, Usage};
use crate::project::config::{Format, Template};
use crate::score::Scores;

/// Number of likely targets whose packages are searched for commands and dependencies.
const TARGETS: usize = 5;

/// The user's text before and after a payload: empty, or whole lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wrapper {
    pub(super) before: String,
    pub(super) after: String,
}

impl Wrapper {
    /// Parses a template.
    pub fn of(template: &Template) -> Result<Self> {
        let words = |text: &Option<String>, key: &str| -> Result<String> {
            let text = text.clone().unwrap_or_default().replace("\r\n", "\n");
            templates::check(&text, Path::new(key))?;
            Ok(text)
        };
        Ok(Self {
            before: words(&template.before, "config.yaml, template.before")?,
            after: words(&template.after, "config.yaml, template.after")?,
        })
    }

    /// The template filled in for a payload of this format, redacted.
    pub(super) fn filled(&self, format: Format, corpus: &Corpus, scores: &Scores, meta: &PayloadMeta) -> Self {
        if *self == Self::default() || format == Format::Pack {
            return Self::default();
        }
        let facts = facts_for(corpus, scores);
        let words = |text: &str| {
            let words = templates::fill(text, |name| value(corpus, meta, &facts, name));
            corpus.redactor.redact(&words, "template").0.into_owned()
        };
        let (before, after) = (words(&self.before), words(&self.after));
        let rule = if format == Format::Xml { "" } else { "---\n\n" };
        Self {
            before: if before.is_empty() { before } else { format!("{before}\n\n") },
            after: if after.is_empty() { after } else { format!("{rule}{after}\n") },
        }
    }

    /// Size of the text before and after the payload; `None` if it cannot be added to the size of a payload (see
    /// `pieces`).
    pub(super) fn size(&self, counter: Counter) -> Option<usize> {
        let odd = self.after.starts_with(|c: char| c == '/' || c.is_whitespace());
        (counter.adds_up() && !odd).then(|| counter.size(&self.before) + counter.size(&self.after))
    }
}

/// Facts about the repository, from the packages of the likely targets.
pub(super) fn facts_for(corpus: &Corpus, scores: &Scores) -> RepoFacts {
    let targets = scores.targets.iter().filter_map(|(item, _)| corpus.items.get(item.index()));
    let targets: Vec<&str> = targets.take(TARGETS).map(|item| item.path.as_str()).collect();
    RepoFacts::of(corpus, &targets)
}

/// The value of a placeholder, if known.
pub(super) fn value(corpus: &Corpus, meta: &PayloadMeta, facts: &RepoFacts, name: &str) -> Option<String> {
    let some = |text: &str| (!text.is_empty()).then(|| code_span(text));
    match name {
        "task" => Some(one_line(&meta.task)),
        "task_type" => Some(meta.task_type.name().to_owned()),
        "complexity" => Some(meta.complexity.name().to_owned()),
        "session" => some(&meta.session),
        "turn" => some(&meta.turn),
        "branch" => some(corpus.git.as_ref()?.branch.as_deref()?),
        "build_command" => some(facts.build_command()?),
        "test_command" => some(facts.test_command()?),
        "definition_of_done" => {
            let criteria = meta.criteria(corpus).into_iter();
            let lines: Vec<String> = criteria.map(|criterion| format!("- [ ] {criterion}")).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        }
        _ => None,
    }
}

/// A renderer that adds a template around payloads that do not contain their own size.
pub(super) struct WrappedRenderer {
    pub inner: Box<dyn Renderer>,
    pub wrapper: Wrapper,
    pub counter: Counter,
}

impl Costs for WrappedRenderer {
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize> {
        self.inner.inlined(item, form)
    }

    fn at_least(&self, item: ItemId) -> usize {
        self.inner.at_least(item)
    }

    fn is_known(&self, item: ItemId, form: &Form) -> bool {
        self.inner.is_known(item, form)
    }

    fn linked(&self, item: ItemId) -> usize {
        self.inner.linked(item)
    }

    fn mentioned(&self, item: ItemId) -> usize {
        self.inner.mentioned(item)
    }

    fn excerpt_limit(&self, room: usize) -> Option<usize> {
        self.inner.excerpt_limit(room)
    }

    fn usage(&self, placement: &Placement) -> Usage {
        let usage = self.inner.usage(placement);
        let total = match self.wrapper.size(self.counter) {
            // Rounding makes the sum of two estimates inexact, so only exact sizes are added.
            Some(size) if self.counter.tokens(size) == size => usage.total + size,
            _ => self.counter.0.count(&self.render(placement)),
        };
        Usage { total, ..usage }
    }
}

impl Renderer for WrappedRenderer {
    fn render(&self, placement: &Placement) -> String {
        format!("{}{}{}", self.wrapper.before, self.inner.render(placement), self.wrapper.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn known_placeholders_are_filled_in() {
        let pyproject = "[tool.poetry]\nname = \"shop\"\n[tool.pytest.ini_options]\n";
        let (_dir, corpus) = samples::corpus(&[("pyproject.toml", pyproject), ("shop.py", "x = 1\n")]);
        let mut meta = samples::plain_meta();
        meta.task = "Add\n refunds".to_owned();
        meta.terms.definition_of_done = vec!["It works".to_owned(), " ".to_owned(), "It is\n tested".to_owned()];
        let facts = facts_for(&corpus, &samples::scores(&corpus));
        let said = |meta: &PayloadMeta, name: &str| value(&corpus, meta, &facts, name);
        for (name, known) in [
            ("task", Some("Add refunds")),
            ("task_type", Some("implement")),
            ("complexity", Some("medium")),
            ("session", Some("`20260124-add-refunds`")),
            ("turn", Some("`01`")),
            ("branch", None),
            ("test_command", Some("`poetry run pytest`")),
            ("definition_of_done", Some("- [ ] It works\n- [ ] It is tested")),
            ("something", None),
        ] {
            assert_eq!(said(&meta, name).as_deref(), known, "{name}");
        }
        (meta.session, meta.turn, meta.terms.definition_of_done) = (String::new(), String::new(), Vec::new());
        for name in ["session", "turn", "definition_of_done"] {
            assert_eq!(said(&meta, name), None, "{name}");
        }
    }

    #[test]
    fn sizes_add_up_if_the_template_ends_with_a_line_break() {
        let counter = |name: &str| Counter(crate::gather::tokens::Tokenizer::named(name).unwrap());
        let wrapper = |after: &str| Wrapper { before: "Before.\n\n".to_owned(), after: after.to_owned() };
        let sum = counter("o200k_base").size("Before.\n\n") + counter("o200k_base").size("After.\n");
        assert_eq!(wrapper("After.\n").size(counter("o200k_base")), Some(sum));
        for odd in ["/after\n", " after\n", "\nafter\n"] {
            assert_eq!(wrapper(odd).size(counter("o200k_base")), None, "{odd:?}");
        }
        assert_eq!(wrapper("After.\n").size(counter("gpt2")), None);
    }
}
