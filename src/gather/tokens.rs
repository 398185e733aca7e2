//! Token counting: exact for the known encodings, estimated for others.

mod merge;
mod o200k;
mod pieces;
mod words;

use std::panic::catch_unwind;

use crate::error::{Error, Result};
use crate::text::{ABOUT, short_count, thousands};

/// A way to count tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Exact count in this encoding.
    Exact(&'static str),
    /// Characters divided by four, rounded up.
    Estimate,
    /// Estimate for a vendor without a public tokenizer. The number is characters per token, in hundredths.
    Vendor(Vendor, u32),
}

/// A vendor without a public tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vendor {
    /// Anthropic's models.
    Claude,
    /// Google's models.
    Gemini,
}

impl Vendor {
    /// The vendor of a model, by its name.
    fn of(model: &str) -> Option<Self> {
        let model = model.to_lowercase();
        if model.contains("claude") {
            return Some(Self::Claude);
        }
        model.contains("gemini").then_some(Self::Gemini)
    }

    /// The default number of characters per token, in hundredths.
    fn usual(self) -> u32 {
        match self {
            Self::Claude => 350,
            Self::Gemini => 400,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Gemini => "gemini",
        }
    }
}

/// Default encoding.
pub const DEFAULT: Tokenizer = Tokenizer::Exact("o200k_base");

impl Tokenizer {
    /// The tokenizer with this name: an encoding, a vendor or `estimate`.
    pub fn named(name: &str) -> Result<Self> {
        if name == "estimate" {
            return Ok(Self::Estimate);
        }
        if let Some(vendor) = [Vendor::Claude, Vendor::Gemini].into_iter().find(|vendor| vendor.name() == name) {
            return Ok(Self::Vendor(vendor, vendor.usual()));
        }
        if let Some(known) = known().into_iter().find(|known| *known == name) {
            return Ok(Self::Exact(known));
        }
        Err(Error::input(
            format!("unknown tokenizer `{name}`"),
            format!("use `estimate` or one of: {}", known().join(", ")),
        ))
    }

    /// The tokenizer of a model.
    pub fn for_model(model: &str) -> Result<Self> {
        if let Some(vendor) = Vendor::of(model) {
            return Ok(Self::Vendor(vendor, vendor.usual()));
        }
        tiktoken::model_to_encoding(model)
            .or_else(|| MORE_MODELS.iter().find(|(start, _)| model.starts_with(start)).map(|(_, name)| *name))
            .map(Self::Exact)
            .ok_or_else(|| {
                Error::input(
                    format!("no tokenizer is known for model `{model}`"),
                    "choose one with --tokenizer, for example `--tokenizer o200k_base` or `--tokenizer estimate`",
                )
            })
    }

    /// The name as accepted by [`Tokenizer::named`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact(name) => name,
            Self::Estimate => "estimate",
            Self::Vendor(vendor, _) => vendor.name(),
        }
    }

    /// Describes the counting, such as `counted with o200k_base` or `estimated at 3.5 characters per token (claude)`.
    pub fn described(self) -> String {
        match self {
            Self::Exact(name) => format!("counted with {name}"),
            Self::Estimate => "estimated at 4 characters per token".to_owned(),
            Self::Vendor(vendor, hundredths) => {
                let characters = f64::from(hundredths) / 100.0;
                format!("estimated at {characters} characters per token ({})", vendor.name())
            }
        }
    }

    /// Returns true if counts are estimates.
    pub fn is_estimate(self) -> bool {
        !matches!(self, Self::Exact(_))
    }

    /// Prefix for estimated counts.
    pub fn mark(self) -> &'static str {
        if self.is_estimate() { ABOUT } else { "" }
    }

    /// A count for display, with a prefix if estimated.
    pub fn figure(self, tokens: usize) -> String {
        format!("{}{}", self.mark(), thousands(tokens))
    }

    /// A short count for display.
    pub fn short_figure(self, tokens: usize) -> String {
        format!("{}{}", self.mark(), short_count(tokens))
    }

    /// Sets the characters per token of a vendor's models.
    #[must_use]
    pub fn with_characters(self, of: impl Fn(Vendor) -> f64) -> Self {
        match self {
            Self::Vendor(vendor, _) => Self::Vendor(vendor, ((of(vendor) * 100.0).round() as u32).max(1)),
            other => other,
        }
    }

    /// Number of tokens for a number of characters, if the tokenizer depends only on that.
    pub fn of_characters(self, characters: usize) -> Option<usize> {
        match self {
            Self::Exact(_) => None,
            Self::Estimate => Some(characters.div_ceil(4)),
            Self::Vendor(_, hundredths) => Some((characters * 100).div_ceil(hundredths.max(1) as usize)),
        }
    }

    /// Number of tokens. Special tokens such as `<|endoftext|>` count as plain text.
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Estimate => estimate(text),
            Self::Vendor(..) => self.of_characters(text.chars().count()).unwrap_or_default(),
            // A panic in a tokenizer must not end the run.
            Self::Exact(name) => catch_unwind(|| exact(name, text)).unwrap_or(text.len()),
        }
    }

    /// Loads the vocabulary in the background. Any vocabulary except the default takes a tenth of a second.
    pub fn prepare(self) {
        if let Self::Exact(name) = self {
            // If the thread cannot start, the vocabulary is loaded on first use.
            let _ = std::thread::Builder::new().spawn(move || exact(name, ""));
        }
    }

    /// The usable part of a limit. For an estimate, a tenth of the limit is reserved.
    pub fn usable(self, limit: usize) -> usize {
        match self {
            Self::Exact(_) => limit,
            Self::Estimate | Self::Vendor(..) => limit - limit / 10,
        }
    }
}

fn exact(name: &str, text: &str) -> usize {
    // These encodings differ only in special tokens, which are not counted as such.
    if OURS.contains(&name) {
        return o200k::count(text);
    }
    tiktoken::get_encoding(name).map_or_else(|| estimate(text), |encoding| encoding.count(text))
}

/// Encodings with our own vocabulary format. The crate's copies are not compiled in.
const OURS: [&str; 2] = ["o200k_base", "o200k_harmony"];

/// Names of the exact encodings.
pub fn known() -> Vec<&'static str> {
    OURS.iter().chain(tiktoken::list_encodings()).copied().collect()
}

/// Beginnings of model names that the crate does not map to an encoding.
const MORE_MODELS: [(&str, &str); 4] = [
    ("codex-mini", "o200k_base"),
    ("text-similarity-", "r50k_base"),
    ("text-search-", "r50k_base"),
    ("code-search-", "r50k_base"),
];

/// Characters divided by four, rounded up.
pub fn estimate(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn exact_counts_agree_with_the_oracle() {
        let samples = [
            "",
            "fn main() {}\n",
            "naïve café 你好 🎉",
            "\t\t  indented\r\n\r\n",
            "<|endoftext|>",
            "1234567 __x__",
            "```rust\n",
        ];
        for text in samples {
            let o200k = tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
            let cl100k = tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len();
            assert_eq!(Tokenizer::Exact("o200k_base").count(text), o200k, "{text:?}");
            assert_eq!(Tokenizer::Exact("cl100k_base").count(text), cl100k, "{text:?}");
            let harmony = tiktoken_rs::o200k_harmony_singleton().encode_ordinary(text).len();
            assert_eq!(Tokenizer::Exact("o200k_harmony").count(text), harmony, "{text:?}");
        }
    }

    /// Covers repeated characters, for which tokenizers may need quadratic time or panic, and every file of this
    /// project.
    #[test]
    fn counts_agree_with_the_oracle_on_pathological_and_real_input() {
        let oracle = tiktoken_rs::o200k_base_singleton();
        let mut texts: Vec<String> = [
            "a", "A", "0", "_", "-", "=", "\n", "\r\n", "\t", "\u{a0}", "é", "你", "🎉", "\u{301}", "'s", "aA", "ab ",
            "/*",
        ]
        .iter()
        .flat_map(|unit| [1, 2, 3, 64, 95, 96, 97, 500].map(|times| unit.repeat(times)))
        .collect();
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let files = ignore::WalkBuilder::new(root.join("src"))
            .build()
            .chain(ignore::WalkBuilder::new(root.join("docs")).build());
        texts.extend(files.flatten().filter_map(|entry| std::fs::read_to_string(entry.path()).ok()));
        assert!(texts.len() > 300);
        for text in texts {
            let head: String = text.chars().take(40).collect();
            assert_eq!(DEFAULT.count(&text), oracle.encode_ordinary(&text).len(), "{head:?}");
        }
    }

    #[test]
    fn a_megabyte_of_spaces_is_counted() {
        let spaces = " ".repeat(1 << 20);
        assert!(DEFAULT.count(&spaces) > 0);
    }

    #[test]
    fn the_estimate_is_a_quarter_of_the_characters_rounded_up() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("a"), 1);
        assert_eq!(estimate("abcd"), 1);
        assert_eq!(estimate("äöüßé"), 2);
    }

    #[test]
    fn models_map_to_encodings_and_unknown_ones_have_a_hint() {
        assert_eq!(Tokenizer::for_model("gpt-4o").unwrap().name(), "o200k_base");
        assert_eq!(Tokenizer::for_model("gpt-4").unwrap().name(), "cl100k_base");
        for model in [
            "o1",
            "o3-mini",
            "o4-mini-2025-04-16",
            "gpt-5.1",
            "gpt-4.5-preview",
            "gpt-4.1-nano",
            "chatgpt-4o-latest",
            "gpt-4-32k",
            "gpt-3.5-turbo-0301",
            "gpt-oss-120b",
            "codex-mini-latest",
            "davinci",
            "davinci-002",
            "text-davinci-003",
            "text-davinci-001",
            "text-davinci-edit-001",
            "code-davinci-002",
            "text-embedding-3-large",
            "text-similarity-ada-001",
            "text-search-curie-doc-001",
            "code-search-ada-code-001",
        ] {
            let oracle = format!("{:?}", tiktoken_rs::tokenizer::get_tokenizer(model).unwrap()).to_lowercase();
            assert_eq!(Tokenizer::for_model(model).unwrap().name().replace('_', ""), oracle, "{model}");
        }
        assert!(Tokenizer::for_model("no-such-model").unwrap_err().hint().unwrap().contains("--tokenizer"));
        assert!(Tokenizer::named("nonsense").is_err());
    }

    #[test]
    fn models_without_a_public_tokenizer_are_estimated() {
        let claude = Tokenizer::for_model("claude-opus-4").unwrap();
        assert_eq!((claude.count("1234567"), claude.count("12345678"), claude.mark()), (2, 3, "≈"));
        assert_eq!(claude.described(), "estimated at 3.5 characters per token (claude)");
        assert_eq!(Tokenizer::for_model("models/gemini-2.5-pro").unwrap().count("12345678"), 2);
        let set = claude.with_characters(|_| 2.0);
        assert_eq!((set.count("12345678"), set.usable(1_000)), (4, 900));
        assert_eq!(DEFAULT.with_characters(|_| 2.0), DEFAULT);
        assert_eq!((DEFAULT.mark(), DEFAULT.is_estimate()), ("", false));
    }

    proptest! {
        /// The computation of budgets relies on this: pieces that start with a visible character other than a slash,
        /// and end with a line ending, can be counted separately.
        #[test]
        fn pieces_add_up(pieces in prop::collection::vec("[!-.0-~é你][ -~é你\\t\\n]{0,40}\n{1,3}", 1..6)) {
            for name in ["o200k_base", "cl100k_base"] {
                let tokenizer = Tokenizer::Exact(name);
                let sum: usize = pieces.iter().map(|piece| tokenizer.count(piece)).sum();
                prop_assert_eq!(sum, tokenizer.count(&pieces.concat()));
            }
        }

        #[test]
        fn random_text_has_the_same_count_as_the_oracle(text in "\\PC{0,60}|[ \\t\\r\\n]{0,20}|[a-zA-Z0-9'_ \\n]{0,80}") {
            prop_assert_eq!(DEFAULT.count(&text), tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len());
        }

        /// Tests characters of all classes in any order, because the classes decide the boundaries of pieces.
        #[test]
        fn piece_boundaries_agree_with_the_oracle(
            text in "[aAß你ǅʰ\u{301}9² \t\n\r\u{a0}\u{2028}/!'sStrevlmdſK🎉]{0,24}",
            any in any::<String>(),
        ) {
            for text in [text, any] {
                prop_assert_eq!(DEFAULT.count(&text), tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len());
            }
        }
    }
}
