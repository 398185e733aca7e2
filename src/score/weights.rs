//! All numbers of the scoring in one table, each with its origin.

use std::collections::BTreeMap;

use super::task::TaskType;
use crate::error::{Error, Result};
use crate::text::nearest;

macro_rules! weights {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:expr;)+) => {
        /// The numbers used for scoring. The configuration can override each of them by name.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Weights { $($(#[doc = $doc])+ pub $name: f64,)+ }

        impl Default for Weights {
            fn default() -> Self {
                Self { $($name: $value,)+ }
            }
        }

        impl Weights {
            /// The name and value of every weight, in the order of the table.
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
    /// The weights for a task type. If the task changes documents or tests, they count as much as code.
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
    /// Similarity of the whole text to the whole file (BM25, k1 1.2, b .75). Fitted.
    whole = 0.3;
    /// Similarity of the first line to the whole file (BM25, k1 .9, b .4). Fitted.
    title = 0.55;
    /// Similarity of the text to the path. Fitted; with a larger weight, directories outweigh everything else.
    path = 0.25;
    /// Similarity of the text to the file name. Fitted.
    stem = 0.2;
    /// Similarity of the text to the best two adjacent blocks of 25 lines. Fitted.
    blocks = 0.6;
    /// Similarity of the text to the names that the file defines. Fitted.
    names = 0.15;
    /// Adjacent words of the text that are also adjacent in the file. Fitted.
    pairs = 0.2;
    /// The task names the file or its stem. Fitted.
    named = 0.15;
    /// The file or one of its directories is named like the subject's scope (`fix(css): …`). Chosen on the development
    /// tasks and 556 others, because more of them then have a changed file in first place.
    scope = 0.3;
    /// The file belongs to the implementation that the task names; the interface has several implementations (`mysql/`,
    /// `sqlite3/`). Chosen.
    variant = 0.4;
    /// Past commits that the task refers to changed the file. Chosen on the same tasks, few of which refer to
    /// commits.
    referred = 0.3;
    /// The file defines a symbol that the task names. Fitted.
    symbols = 0.1;
    /// Past commits with messages similar to the text vote for the files they changed. Fitted.
    commits = 0.55;
    /// Association of words in past messages with words in the changed paths. Fitted.
    wording = 0.4;
    /// Time since the last change, 1 / (1 + days / 180). Fitted.
    recency = 0.2;
    /// One of the best eight files imports the file. Fitted.
    used = 0.2;
    /// The file imports one of the best three. Fitted.
    users = 0.1;
    /// The file is in the directory of one of the best three. Fitted.
    directory = 0.1;
    /// The file has the same owners as one of the best three, by CODEOWNERS. Chosen to equal the weight of the
    /// directory.
    owners = 0.1;
    /// Past commits changed the file together with likely targets. Chosen on the development tasks: these files then
    /// rise by two places. A larger weight would displace files from the first place.
    companions = 0.4;
    /// The plan names the file.
    plan = 1.0;
    /// A stack trace points to the file.
    focus = 1.0;
    /// Minimum confidence of a likely target. Chosen so that RAW is one and a half times as precise as with BM25.
    target_least = 0.05;
    /// Minimum confidence at which a file earns the points for "to be modified", and at which a plain word of the task
    /// may name it.
    target_modified = 0.2;
    /// Minimum confidence of targets whose neighbours get points; the best target always counts. Chosen so that files
    /// with 10 points change at least twice as often as files with 7.
    target_sure = 0.5;
    /// Factor for tests.
    test_factor = 0.3;
    /// Factor for test support.
    support_factor = 0.2;
    /// Factor for documents.
    doc_factor = 0.3;
    /// Factor for examples.
    example_factor = 0.3;
    /// Factor for generated files.
    generated_factor = 0.4;
    /// Factor for vendored code.
    vendored_factor = 0.3;
    /// Factor for build and tool configuration.
    config_factor = 0.3;
    /// Factor for data such as tables and translations.
    data_factor = 0.2;
    /// Base of the rank for a likely target that evidence points to. The five bases and the boosts below follow the
    /// specification; the last three boosts are not part of it.
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
                    format!("invalid weight `{name}`: {value}"),
                    "use a number that is zero or more",
                ));
            }
            let Some(slot) = self.slot(name) else {
                let known: Vec<&str> = self.entries().into_iter().map(|entry| entry.0).collect();
                let hint = nearest(name, known.iter().copied()).map_or_else(
                    || format!("there are: {}", known.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(Error::input(format!("unknown weight `{name}`"), hint));
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
    fn weights_are_replaced_by_name_and_unknown_names_rejected() {
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
