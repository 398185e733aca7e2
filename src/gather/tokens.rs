//! Token counts, behind one small interface: exact for the known encodings, or the chars/4 estimate.

mod merge;
mod o200k;
mod pieces;
mod words;

use std::panic::catch_unwind;

use crate::error::{Error, Result};
use crate::text::{ABOUT, short_count, thousands};

/// How tokens are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Exact, by this encoding.
    Exact(&'static str),
    /// A quarter of the characters, rounded up.
    Estimate,
    /// The characters by so many hundredths of one a token, for a vendor whose tokenizer is not public.
    Vendor(Vendor, u32),
}

/// Whose models have no tokenizer that others can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vendor {
    /// Claude, by Anthropic.
    Claude,
    /// Gemini, by Google.
    Gemini,
}

impl Vendor {
    /// The vendor of a model.
    fn of(model: &str) -> Option<Self> {
        let model = model.to_lowercase();
        if model.contains("claude") {
            return Some(Self::Claude);
        }
        model.contains("gemini").then_some(Self::Gemini)
    }

    /// Characters of a token in hundredths, where nothing else is configured.
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

/// The encoding that is used when nothing says otherwise.
pub const DEFAULT: Tokenizer = Tokenizer::Exact("o200k_base");

impl Tokenizer {
    /// The tokenizer of that name: an encoding, or `estimate`.
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
            format!("there is no tokenizer `{name}`"),
            format!("use `estimate` or one of: {}", known().join(", ")),
        ))
    }

    /// The tokenizer that a model uses.
    pub fn for_model(model: &str) -> Result<Self> {
        if let Some(vendor) = Vendor::of(model) {
            return Ok(Self::Vendor(vendor, vendor.usual()));
        }
        tiktoken::model_to_encoding(model)
            .or_else(|| tiktoken_rs::tokenizer::get_tokenizer(model).and_then(oracle_name))
            .map(Self::Exact)
            .ok_or_else(|| {
                Error::input(
                    format!("the encoding of model `{model}` is not known"),
                    "name one with --tokenizer, for example `--tokenizer o200k_base` or `--tokenizer estimate`",
                )
            })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact(name) => name,
            Self::Estimate => "estimate",
            Self::Vendor(vendor, _) => vendor.name(),
        }
    }

    /// What its figures are, in words: `counted with o200k_base`, `estimated at 3.5 characters a token (claude)`.
    pub fn described(self) -> String {
        match self {
            Self::Exact(name) => format!("counted with {name}"),
            Self::Estimate => "estimated at 4 characters a token".to_owned(),
            Self::Vendor(vendor, hundredths) => {
                let characters = f64::from(hundredths) / 100.0;
                format!("estimated at {characters} characters a token ({})", vendor.name())
            }
        }
    }

    /// Whether its figures are estimates.
    pub fn is_estimate(self) -> bool {
        !matches!(self, Self::Exact(_))
    }

    /// What stands before a figure that is not exact.
    pub fn mark(self) -> &'static str {
        if self.is_estimate() { ABOUT } else { "" }
    }

    /// So many tokens for a person to read, with what says that it is no exact count.
    pub fn figure(self, tokens: usize) -> String {
        format!("{}{}", self.mark(), thousands(tokens))
    }

    /// The same in a few columns.
    pub fn short_figure(self, tokens: usize) -> String {
        format!("{}{}", self.mark(), short_count(tokens))
    }

    /// The same with other characters of a token, where that is what it goes by.
    #[must_use]
    pub fn with_characters(self, of: impl Fn(Vendor) -> f64) -> Self {
        match self {
            Self::Vendor(vendor, _) => Self::Vendor(vendor, ((of(vendor) * 100.0).round() as u32).max(1)),
            other => other,
        }
    }

    /// The tokens of so many characters, where that is what it goes by.
    pub fn of_characters(self, characters: usize) -> Option<usize> {
        match self {
            Self::Exact(_) => None,
            Self::Estimate => Some(characters.div_ceil(4)),
            Self::Vendor(_, hundredths) => Some((characters * 100).div_ceil(hundredths.max(1) as usize)),
        }
    }

    /// How many tokens the text is. Text like `<|endoftext|>` counts as the text that it is.
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Estimate => estimate(text),
            Self::Vendor(..) => self.of_characters(text.chars().count()).unwrap_or_default(),
            // One file must never end a run, whatever a tokenizer makes of it.
            Self::Exact(name) => catch_unwind(|| exact(name, text)).unwrap_or(text.len()),
        }
    }

    /// Starts to load what counting needs, beside whatever else is done: other vocabularies than the usual one take a tenth of a
    /// second.
    pub fn prepare(self) {
        if let Self::Exact(name) = self {
            // Without a thread it is loaded when it is needed first.
            let _ = std::thread::Builder::new().spawn(move || exact(name, ""));
        }
    }

    /// The share of a limit that may be used: an estimate leaves a tenth free.
    pub fn usable(self, limit: usize) -> usize {
        match self {
            Self::Exact(_) => limit,
            Self::Estimate | Self::Vendor(..) => limit - limit / 10,
        }
    }
}

/// The tokens of a text in an encoding.
fn exact(name: &str, text: &str) -> usize {
    // The two differ in special tokens only, and these are no tokens here.
    if OURS.contains(&name) {
        return o200k::count(text);
    }
    tiktoken::get_encoding(name).map_or_else(|| estimate(text), |encoding| encoding.count(text))
}

/// The encodings whose words the program has in its own form; the vocabulary that the crate has of them is left out of the build.
const OURS: [&str; 2] = ["o200k_base", "o200k_harmony"];

/// The names of the encodings that are counted exactly.
pub fn known() -> Vec<&'static str> {
    OURS.iter().chain(tiktoken::list_encodings()).copied().collect()
}

/// The encodings that both tokenizer crates know, by the name of the one that maps model names.
fn oracle_name(tokenizer: tiktoken_rs::tokenizer::Tokenizer) -> Option<&'static str> {
    use tiktoken_rs::tokenizer::Tokenizer as Oracle;
    let name = match tokenizer {
        Oracle::O200kHarmony => "o200k_harmony",
        Oracle::O200kBase => "o200k_base",
        Oracle::Cl100kBase => "cl100k_base",
        Oracle::P50kBase => "p50k_base",
        Oracle::P50kEdit => "p50k_edit",
        Oracle::R50kBase => "r50k_base",
        Oracle::Gpt2 => "gpt2",
    };
    known().into_iter().find(|known| *known == name)
}

/// A quarter of the characters, rounded up, so that only the empty text is nothing.
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

    /// Runs of one thing, which a tokenizer may take a square of time for or stumble over, and every file of this project.
    #[test]
    fn counts_agree_with_the_oracle_on_degenerate_texts_and_on_real_ones() {
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
    fn the_estimate_is_a_quarter_rounded_up() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("a"), 1);
        assert_eq!(estimate("abcd"), 1);
        assert_eq!(estimate("äöüßé"), 2);
    }

    #[test]
    fn models_map_to_encodings_and_unknown_ones_say_what_to_do() {
        assert_eq!(Tokenizer::for_model("gpt-4o").unwrap().name(), "o200k_base");
        assert_eq!(Tokenizer::for_model("gpt-4").unwrap().name(), "cl100k_base");
        assert!(Tokenizer::for_model("no-such-model").unwrap_err().hint().unwrap().contains("--tokenizer"));
        assert!(Tokenizer::named("nonsense").is_err());
    }

    #[test]
    fn models_without_a_public_tokenizer_are_estimated_by_a_stated_factor() {
        let claude = Tokenizer::for_model("claude-opus-4").unwrap();
        assert_eq!((claude.count("1234567"), claude.count("12345678"), claude.mark()), (2, 3, "≈"));
        assert_eq!(claude.described(), "estimated at 3.5 characters a token (claude)");
        assert_eq!(Tokenizer::for_model("models/gemini-2.5-pro").unwrap().count("12345678"), 2);
        let set = claude.with_characters(|_| 2.0);
        assert_eq!((set.count("12345678"), set.usable(1_000)), (4, 900));
        assert_eq!(DEFAULT.with_characters(|_| 2.0), DEFAULT);
        assert_eq!((DEFAULT.mark(), DEFAULT.is_estimate()), ("", false));
    }

    proptest! {
        /// The promise that the budget's arithmetic stands on: pieces that start with a visible character (no slash:
        /// o200k joins it to the line end before it) and end with a line end add up.
        #[test]
        fn pieces_add_up(pieces in prop::collection::vec("[!-.0-~é你][ -~é你\\t\\n]{0,40}\n{1,3}", 1..6)) {
            for name in ["o200k_base", "cl100k_base"] {
                let tokenizer = Tokenizer::Exact(name);
                let sum: usize = pieces.iter().map(|piece| tokenizer.count(piece)).sum();
                prop_assert_eq!(sum, tokenizer.count(&pieces.concat()));
            }
        }

        #[test]
        fn any_text_counts_as_the_oracle_counts_it(text in "\\PC{0,60}|[ \\t\\r\\n]{0,20}|[a-zA-Z0-9'_ \\n]{0,80}") {
            prop_assert_eq!(DEFAULT.count(&text), tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len());
        }

        /// Capitals, small letters, letters without case, marks, numbers, spaces and English endings in every order: where one piece
        /// ends and the next begins depends on all of them.
        #[test]
        fn pieces_end_where_the_oracle_ends_them(
            text in "[aAß你ǅʰ\u{301}9² \t\n\r\u{a0}\u{2028}/!'sStrevlmdſK🎉]{0,24}",
            any in any::<String>(),
        ) {
            for text in [text, any] {
                prop_assert_eq!(DEFAULT.count(&text), tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len());
            }
        }
    }
}
