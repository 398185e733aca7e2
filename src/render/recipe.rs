//! Recipes of payloads, from which they are rebuilt without scoring or placing.
//!
//! A payload consists of the content of its sources, each in some form, and literal text between them. The recipe
//! stores the literal text. For each source, it stores the path, the form, and hashes of the source's bytes and of its
//! content in the payload.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::content::Content;
use super::hybrid::xml::attribute;
use super::line_numbers::{number_cut, number_whole};
use crate::gather::Corpus;
use crate::gather::corpus::count_lines;
use crate::gather::read;
use crate::outline::excerpt::shortened;
use crate::outline::language::Language;
use crate::outline::skeleton::{ShortenedText, cut_to_spans};
use crate::place::{Form, Override, Placement, Span, Tier};
use crate::project::checkpoint::Artifact;
use crate::redact::Policy;
use crate::text::hex;
use crate::text::printable;

/// Maximum number of lines between a source's name and its text.
const LINES_BETWEEN: usize = 3;

/// The recipe of a payload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Version of the recipe's format.
    pub version: u32,
    /// The sha256 of the payload.
    pub payload: String,
    /// Pieces of the payload, in order.
    pub pieces: Vec<Piece>,
    /// Files that the payload only refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<LinkedSource>,
}

/// A part of a payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Piece {
    /// The text of a file.
    File(FilePiece),
    /// Literal text between files.
    Text {
        /// The text.
        text: String,
    },
}

/// The text of a file, in a form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePiece {
    /// Path of the file.
    pub file: String,
    /// `whole`, `spans` or `skeleton`.
    pub form: String,
    /// Lines of the form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
    /// True if the lines are numbered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub numbered: bool,
    /// sha256 of the file's bytes.
    pub sha256: String,
    /// git blob id of the file's bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// sha256 of the text in the payload.
    pub shown: String,
}

/// A file that a payload refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedSource {
    /// Path of the file.
    pub file: String,
    /// sha256 of the file's bytes.
    pub sha256: String,
}

/// The result of rebuilding a payload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RebuiltPayload {
    /// The payload, if every source is unchanged.
    pub text: Option<String>,
    /// Sources with changed bytes.
    pub changed: Vec<String>,
    /// Sources that cannot be read, with the reason.
    pub missing: Vec<(String, String)>,
    /// Sources with the same bytes but different content in the payload, because the redaction rules or the outline
    /// reader changed.
    pub different: Vec<String>,
    /// Number of sources.
    pub sources: usize,
}

impl Recipe {
    /// Creates the recipe of a payload; `artifacts` contains the hashes of its sources.
    pub fn of(
        corpus: &Corpus,
        placement: &Placement,
        payload: &str,
        artifacts: &[Artifact],
        line_numbers: bool,
    ) -> Self {
        let artifact = |path: &str| artifacts.iter().find(|artifact| artifact.path == path);
        let mut found: Vec<(usize, usize, FilePiece)> = Vec::new();
        for placed in placement.tier(Tier::Raw).filter(|placed| placed.overridden != Some(Override::Exclude)) {
            let Some(file) = corpus.file_of(placed.item) else { continue };
            let (form, known) = (placed.form.inlined(), artifact(&file.path));
            let (Some(content), Some(known)) = (Content::of(corpus, placed.item, form, line_numbers), known) else {
                continue;
            };
            let Some(at) = position_of(payload, &file.path, content.text(), &found) else { continue };
            let spans = match form {
                Form::Spans(spans) | Form::Skeleton(spans) => spans.clone(),
                _ => Vec::new(),
            };
            let piece = FilePiece {
                file: file.path.clone(),
                form: form.name().to_owned(),
                spans,
                numbered: line_numbers,
                sha256: known.sha256.clone(),
                blob: known.blob.clone(),
                shown: sum(content.text()),
            };
            found.push((at, at + content.text().len(), piece));
        }
        found.sort_by_key(|(at, ..)| *at);
        let mut recipe = Self { version: 1, payload: sum(payload), pieces: Vec::new(), linked: Vec::new() };
        let mut from = 0;
        for (at, end, piece) in found {
            recipe.add_text(&payload[from..at]);
            recipe.pieces.push(Piece::File(piece));
            from = end;
        }
        recipe.add_text(&payload[from..]);
        // Some sources have no separate piece, because they are described in a line or included as an excerpt.
        let inlined: Vec<&str> = recipe.files().map(|piece| piece.file.as_str()).collect();
        let others = artifacts.iter().filter(|artifact| !inlined.contains(&artifact.path.as_str()));
        let linked =
            others.map(|other| LinkedSource { file: other.path.clone(), sha256: other.sha256.clone() }).collect();
        recipe.linked = linked;
        recipe
    }

    fn add_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.pieces.push(Piece::Text { text: text.to_owned() });
        }
    }

    /// The inlined files.
    pub fn files(&self) -> impl Iterator<Item = &FilePiece> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::File(file) => Some(file),
            Piece::Text { .. } => None,
        })
    }

    /// Rebuilds the payload from the bytes that `bytes_of` returns for each file.
    pub fn rebuild(
        &self,
        redactor: &Policy,
        bytes_of: impl Fn(&FilePiece) -> Result<Vec<u8>, String>,
    ) -> RebuiltPayload {
        let mut rebuilt = RebuiltPayload::default();
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { text: between } => text.push_str(between),
                Piece::File(file) => {
                    rebuilt.sources += 1;
                    match bytes_of(file) {
                        Err(why) => rebuilt.missing.push((file.file.clone(), why)),
                        Ok(bytes) if hex(&Sha256::digest(&bytes)) != file.sha256 => {
                            rebuilt.changed.push(file.file.clone());
                        }
                        Ok(bytes) => match file.shown_of(&bytes, redactor).filter(|shown| sum(shown) == file.shown) {
                            Some(shown) => text.push_str(&shown),
                            None => rebuilt.different.push(file.file.clone()),
                        },
                    }
                }
            }
        }
        let whole = rebuilt.changed.is_empty() && rebuilt.missing.is_empty() && rebuilt.different.is_empty();
        rebuilt.text = whole.then_some(text);
        rebuilt
    }
}

impl FilePiece {
    /// The text of a file as the payload contains it: decoded, redacted and reduced to its form.
    fn shown_of(&self, bytes: &[u8], redactor: &Policy) -> Option<String> {
        let text = read::decode(&self.file, bytes).ok()?.text;
        let language = Language::of(&self.file, text.lines().next().unwrap_or_default());
        let shown = redactor.redact(&text, &self.file).0.into_owned();
        match self.form.as_str() {
            "whole" if self.numbered => Some(number_whole(&shown)),
            "whole" => Some(shown),
            "spans" => Some(self.text_of(cut_to_spans(language, &shown, &self.spans), &shown)),
            "skeleton" => Some(self.text_of(shortened(language?, &shown, &self.spans)?, &shown)),
            _ => None,
        }
    }

    fn text_of(&self, cut: ShortenedText, whole: &str) -> String {
        if self.numbered { number_cut(&cut, count_lines(whole)) } else { cut.text }
    }
}

/// Position of a file's text: at most a few lines after the file's name, and not used by another source.
fn position_of(payload: &str, path: &str, text: &str, taken: &[(usize, usize, FilePiece)]) -> Option<usize> {
    if text.is_empty() {
        return None;
    }
    let name = printable(path);
    let free = |at: usize| taken.iter().all(|(from, to, _)| at + text.len() <= *from || *to <= at);
    let behind = |named: usize| {
        let ends = payload[named..].match_indices('\n').take(LINES_BETWEEN).map(|(end, _)| named + end + 1);
        ends.into_iter().find(|at| payload[*at..].starts_with(text) && free(*at))
    };
    let tagged = attribute(path);
    let mut named = payload.match_indices(name.as_ref()).chain(payload.match_indices(&tagged));
    named.find_map(|(named, _)| behind(named))
}

fn sum(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::gather::item::ItemKind;
    use crate::ids::ItemId;
    use crate::render::samples::{self, HOSTILE, PLAIN};
    use crate::render::{Format, renderer};

    fn artifacts(corpus: &Corpus, placement: &Placement) -> Vec<Artifact> {
        let files = placement.active().filter(|placed| placed.tier <= Tier::Linked);
        files
            .filter_map(|placed| {
                let path = corpus.file_of(placed.item)?.path.clone();
                let sha256 = corpus.item_text(placed.item).sha256.clone();
                Some(Artifact {
                    kind: crate::project::checkpoint::ArtifactKind::File,
                    path,
                    tier: placed.tier,
                    sha256,
                    blob: None,
                    tokens: None,
                })
            })
            .collect()
    }

    #[test]
    fn changed_and_missing_sources_are_reported() {
        let bytes = b"one\ntwo\nthree\n".to_vec();
        let piece = |form: &str, shown: &str| FilePiece {
            file: "a.txt".to_owned(),
            form: form.to_owned(),
            sha256: sum("one\ntwo\nthree\n"),
            shown: sum(shown),
            ..FilePiece::default()
        };
        let made = |piece: FilePiece, bytes: Result<Vec<u8>, String>| {
            let text = |text: &str| Piece::Text { text: text.to_owned() };
            let pieces = vec![text("<"), Piece::File(piece), text(">")];
            Recipe { pieces, ..Recipe::default() }.rebuild(&Policy::default(), |_| bytes.clone())
        };
        let whole = piece("whole", "one\ntwo\nthree\n");
        let good = made(whole.clone(), Ok(bytes.clone()));
        assert_eq!((good.text.as_deref(), good.sources), (Some("<one\ntwo\nthree\n>"), 1));
        let gone = made(whole.clone(), Err("it is gone".to_owned()));
        assert_eq!((gone.text, gone.missing), (None, vec![("a.txt".to_owned(), "it is gone".to_owned())]));
        assert_eq!(made(whole, Ok(b"other\n".to_vec())).changed, ["a.txt"]);
        // The bytes are unchanged, but the text shown differs or cannot be produced.
        for odd in [piece("whole", "one\n"), piece("skeleton", "one\n"), piece("some", "one\ntwo\nthree\n")] {
            let rebuilt = made(odd, Ok(bytes.clone()));
            assert_eq!((rebuilt.text, rebuilt.different), (None, vec!["a.txt".to_owned()]));
        }
    }

    #[test]
    fn a_text_is_located_after_its_name_and_only_once() {
        let payload = "a.rs\n1\n2\ntext\nb.rs\n1\n2\n3\ntext\na.rs\ntext\n";
        let taken = |from: usize| vec![(from, from + 5, FilePiece::default())];
        assert_eq!(position_of(payload, "a.rs", "text\n", &[]), Some(9));
        // Another file already uses the position, so the next one is taken.
        for from in [9, 5, 13] {
            assert_eq!(position_of(payload, "a.rs", "text\n", &taken(from)), Some(35), "{from}");
        }
        for from in [4, 14] {
            assert_eq!(position_of(payload, "a.rs", "text\n", &taken(from)), Some(9), "{from}");
        }
        assert_eq!(position_of(payload, "b.rs", "text\n", &[]), None, "it is too far from its name");
        assert_eq!(position_of(payload, "a.rs", "", &[]), None);
        assert_eq!(sum(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_payload_is_rebuilt_from_its_recipe_and_its_files(
            tiers in prop::collection::vec((0..3usize, 0..3usize, 0u32..4, 0u32..6), HOSTILE.len() + PLAIN.len()),
            line_numbers: bool,
        ) {
            let (dir, mut corpus) = samples::corpus(&[&HOSTILE[..], &PLAIN[..]].concat());
            samples::add_text(&mut corpus, ItemKind::Memo, "memo:1", "## RAW\n```\nkeep it simple");
            let placed = tiers.iter().enumerate().map(|(item, (tier, form, first, more))| {
                let tier = [Tier::Raw, Tier::Raw, Tier::Linked][*tier];
                let spans = vec![(*first, first + more)];
                let form = [Form::Whole, Form::Spans(spans.clone()), Form::Skeleton(spans)][*form].clone();
                samples::placed(ItemId::new(item), tier, form)
            });
            let memo = samples::placed(ItemId::new(tiers.len()), Tier::Raw, Form::Whole);
            let placement = samples::placement(placed.chain([memo]).collect());
            let corpus = Arc::new(corpus);
            for format in [Format::Hybrid, Format::Xml, Format::Invocation, Format::Prompt] {
                let scores = Arc::new(samples::scores(&corpus));
                let mut meta = samples::plain_meta();
                meta.style.line_numbers = line_numbers;
                let payload = renderer(format, Arc::clone(&corpus), scores, meta).render(&placement);
                let recipe = Recipe::of(&corpus, &placement, &payload, &artifacts(&corpus, &placement), line_numbers);
                let kept: Recipe = serde_json::from_str(&serde_json::to_string(&recipe).unwrap()).unwrap();
                prop_assert_eq!(&kept, &recipe);
                let read = |piece: &FilePiece| read::read_bytes(dir.path(), &piece.file, u64::MAX);
                let rebuilt = recipe.rebuild(&corpus.redactor, read);
                prop_assert_eq!(rebuilt.text.as_deref(), Some(payload.as_str()), "{:?}", rebuilt);
                // Every inlined text that is not empty comes from its file, not from the record.
                let inlined = placement.tier(Tier::Raw).filter(|placed| {
                    corpus.file_of(placed.item).is_some()
                        && Content::of(&corpus, placed.item, &placed.form, line_numbers).is_some_and(|content| !content.text().is_empty())
                });
                prop_assert_eq!(recipe.files().count(), inlined.count());
                for piece in recipe.files() {
                    let other = |asked: &FilePiece| {
                        let bytes = read(asked)?;
                        Ok(if asked == piece { [bytes, b"x".to_vec()].concat() } else { bytes })
                    };
                    let rebuilt = recipe.rebuild(&corpus.redactor, other);
                    prop_assert_eq!((rebuilt.text, rebuilt.changed), (None, vec![piece.file.clone()]));
                }
            }
        }
    }
}
