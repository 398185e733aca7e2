//! Every number of the scoring in one table, with where it came from.

use std::collections::BTreeMap;

use super::task::TaskType;
use crate::error::{Error, Result};
use crate::text::nearest;

macro_rules! weights {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:expr;)+) => {
        /// The numbers that scoring uses. Configuration may override any of them by name.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Weights { $($(#[doc = $doc])+ pub $name: f64,)+ }

        impl Default for Weights {
            fn default() -> Self {
                Self { $($name: $value,)+ }
            }
        }

        impl Weights {
            /// Every weight's name with its value, in the order of the table.
            pub fn entries(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($name), self.$name),)+]
            }

            fn slot(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

impl Weights {
    /// The weights for a type of task: where documents or tests are to change, they count as much as code.
    #[must_use]
    pub fn for_type(&self, task_type: TaskType) -> Self {
        let mut weights = self.clone();
        match task_type {
            TaskType::Docs => weights.doc_factor = weights.doc_factor.max(1.0),
            TaskType::Test => weights.test_factor = weights.test_factor.max(1.0),
            _ => {}
        }
        weights
    }
}

weights! {
    /// The whole text against the whole file (BM25, k1 1.2, b .75). Fitted.
    whole = 0.3;
    /// The first line alone against the whole file (BM25, k1 .9, b .4). Fitted.
    title = 0.55;
    /// The text's words against the words of the path. Fitted; more of it lets directories drown the rest.
    path = 0.25;
    /// The text's words against the words of the file's own name. Fitted.
    stem = 0.2;
    /// The best two neighbouring 25-line blocks. Fitted.
    blocks = 0.6;
    /// The text's words against the names of what the file defines. Fitted.
    names = 0.15;
    /// Neighbouring words of the text that are neighbours in the file too. Fitted.
    pairs = 0.2;
    /// The file or its stem is named. Fitted.
    named = 0.15;
    /// The file, or a directory around it, has the name of the subject's scope (`fix(css): …`). Chosen on the development tasks and
    /// on 556 others: the first place is right more often in all of them.
    scope = 0.3;
    /// The file is of the implementation that the task names, among several of one interface (`mysql/`, `sqlite3/`). Chosen.
    variant = 0.4;
    /// Past commits that the task refers to touched the file. Chosen on the same tasks; few of them refer to any.
    referred = 0.3;
    /// The file defines a symbol that is named. Fitted.
    symbols = 0.1;
    /// Past commits whose messages resemble the text vote for the files they touched. Fitted.
    commits = 0.55;
    /// Words of past messages that go with words of the paths they touched. Fitted.
    wording = 0.4;
    /// Last touched, 1 / (1 + days / 180). Fitted.
    recency = 0.2;
    /// Imported by one of the best eight. Fitted.
    used = 0.2;
    /// Imports one of the best three. Fitted.
    users = 0.1;
    /// In the directory of one of the best three. Fitted.
    directory = 0.1;
    /// Has the same owners as one of the best three, by CODEOWNERS. Chosen: as light as the directory.
    owners = 0.1;
    /// Past commits changed the file together with likely targets. Chosen on the development tasks: further down the order, files that
    /// change with others come up by two points; more of it costs the first place.
    companions = 0.4;
    /// The current plan names the file.
    plan = 1.0;
    /// A place in an error trace.
    focus = 1.0;
    /// A file is a target from this confidence on. Chosen so that RAW stays half as precise again as BM25.
    target_least = 0.05;
    /// From this confidence on a target earns the points of a file to be modified, and a plain word of the task may name it.
    target_modified = 0.2;
    /// Neighbourhood criteria look outward from targets of this confidence, and from the best one: those that will rather change than not. Chosen so
    /// that files with 10 points change at least twice as often as files with 7.
    target_sure = 0.5;
    /// A test's evidence counts this much.
    test_factor = 0.3;
    /// Test support.
    support_factor = 0.2;
    /// Documents.
    doc_factor = 0.3;
    /// Examples.
    example_factor = 0.3;
    /// Program output.
    generated_factor = 0.4;
    /// Somebody else's code, copied in.
    vendored_factor = 0.3;
    /// Build and tool configuration.
    config_factor = 0.3;
    /// Tables, translations and the like.
    data_factor = 0.2;
    /// The base of the rank by priority class: a likely target that evidence points to. The five bases and the boosts below are those of
    /// the specification, except the last three, which it does not name.
    critical = 1000.0;
    /// A likely target, or a file that the plan names.
    high = 800.0;
    /// Code with much evidence, or a test of a likely target.
    medium = 500.0;
    /// Code and configuration next to a likely target.
    low = 200.0;
    /// Everything else.
    minimal = 100.0;
    /// Added for a debug task: likely targets, error definitions and recent changes next to them.
    debug_boost = 300.0;
    /// Added for a test task: tests of the targets, and their fixtures.
    test_boost = 250.0;
    /// Added for an implement task: likely targets.
    implement_boost = 400.0;
    /// Added for a refactor task: likely targets and the files that depend on them.
    refactor_boost = 200.0;
    /// Added for an analyze task: entry points and documents about the whole project.
    analyze_boost = 200.0;
    /// Added for a review: changed files.
    review_boost = 400.0;
    /// Added for a docs task: documents.
    docs_boost = 250.0;
}

impl Weights {
    /// These weights with some of them replaced.
    pub fn with(mut self, overrides: &BTreeMap<String, f64>) -> Result<Self> {
        for (name, value) in overrides {
            if !value.is_finite() || *value < 0.0 {
                return Err(Error::input(
                    format!("the weight `{name}` is {value}"),
                    "give a number that is zero or more",
                ));
            }
            let Some(slot) = self.slot(name) else {
                let known: Vec<&str> = self.entries().into_iter().map(|entry| entry.0).collect();
                let hint = nearest(name, known.iter().copied()).map_or_else(
                    || format!("there are: {}", known.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(Error::input(format!("there is no weight `{name}`"), hint));
            };
            *slot = *value;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_replaced_by_name_and_wrong_names_are_refused() {
        let changed = Weights::default().with(&BTreeMap::from([("title".to_owned(), 0.5)])).unwrap();
        assert!((changed.title - 0.5).abs() < 1e-9);
        assert_eq!(Weights { title: Weights::default().title, ..changed }, Weights::default());
        let error = Weights::default().with(&BTreeMap::from([("titel".to_owned(), 0.5)])).unwrap_err();
        assert_eq!(error.hint().unwrap(), "did you mean `title`?");
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(Weights::default().with(&BTreeMap::from([("title".to_owned(), value)])).is_err());
        }
    }
}
