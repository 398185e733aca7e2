//! Checks single values while they are parsed, so that errors have the value's location.

use std::fmt;
use std::ops::RangeInclusive;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{Budget, Config, Pipe, Window};
use crate::text::token_count;

/// The highest `max_file_bytes`. A repository's configuration must not remove the limit on what teddy reads.
const MAX_FILE_BYTES: u64 = 64_000_000;

/// The highest budget, which is larger than any model's window.
const MAX_TOKENS: u64 = 1_000_000_000;

/// The smallest part of a split payload. Its header alone takes several dozen tokens.
const SMALLEST_PART: u64 = 1_000;

/// A number within bounds. Null means the default.
struct Number {
    default: u64,
    bounds: RangeInclusive<u64>,
}

impl Visitor<'_> for Number {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from {} to {}", self.bounds.start(), self.bounds.end())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        if self.bounds.contains(&number) {
            return Ok(number);
        }
        Err(E::invalid_value(serde::de::Unexpected::Unsigned(number), &self))
    }

    /// Accepts the same notation as flags, such as `25k` and `25,000`.
    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        match token_count(text) {
            Some(number) => self.visit_u64(number as u64),
            None => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<u64, E> {
        Ok(self.default)
    }
}

fn number<'de, D: Deserializer<'de>>(d: D, default: u64, bounds: RangeInclusive<u64>) -> Result<u64, D::Error> {
    d.deserialize_any(Number { default, bounds })
}

pub(super) fn simple<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    number(d, Budget::default().simple, 1..=MAX_TOKENS)
}

pub(super) fn medium<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    number(d, Budget::default().medium, 1..=MAX_TOKENS)
}

pub(super) fn complex<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    number(d, Budget::default().complex, 1..=MAX_TOKENS)
}

/// The highest boost. Scores range from 0 to 10.
const MAX_BOOST: i64 = 10;

/// Points of a boost, positive or negative.
struct Points;

impl Visitor<'_> for Points {
    type Value = i8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from -{MAX_BOOST} to {MAX_BOOST}")
    }

    fn visit_i64<E: Error>(self, points: i64) -> Result<i8, E> {
        if (-MAX_BOOST..=MAX_BOOST).contains(&points) {
            return Ok(points as i8);
        }
        Err(E::invalid_value(serde::de::Unexpected::Signed(points), &self))
    }

    fn visit_u64<E: Error>(self, points: u64) -> Result<i8, E> {
        self.visit_i64(i64::try_from(points).unwrap_or(i64::MAX))
    }
}

pub(super) fn boost_points<'de, D: Deserializer<'de>>(d: D) -> Result<i8, D::Error> {
    d.deserialize_any(Points)
}

/// Characters per token.
struct Characters;

impl Visitor<'_> for Characters {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number from 0.5 to 20")
    }

    fn visit_f64<E: Error>(self, characters: f64) -> Result<f64, E> {
        if (0.5..=20.0).contains(&characters) {
            return Ok(characters);
        }
        Err(E::invalid_value(serde::de::Unexpected::Float(characters), &self))
    }

    fn visit_u64<E: Error>(self, characters: u64) -> Result<f64, E> {
        self.visit_f64(characters as f64)
    }
}

pub(super) fn characters<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    d.deserialize_any(Characters)
}

/// Parses a price: a finite number that is not negative, or `null`.
pub(super) fn price<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
    let price = Option::<f64>::deserialize(d)?;
    match price {
        Some(price) if !(price.is_finite() && price >= 0.0) => {
            Err(D::Error::invalid_value(serde::de::Unexpected::Float(price), &"a price in dollars, such as 2.5"))
        }
        price => Ok(price),
    }
}

pub(super) fn seconds<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    number(d, Pipe::default_timeout(), 1..=86_400)
}

pub(super) fn limit<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u64>, D::Error> {
    number(d, 0, 1..=MAX_TOKENS).map(|tokens| (tokens > 0).then_some(tokens))
}

pub(super) fn part_tokens<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u64>, D::Error> {
    number(d, 0, SMALLEST_PART..=MAX_TOKENS).map(|tokens| (tokens > 0).then_some(tokens))
}

/// A window with its shares, or only its number of tokens.
struct AnyWindow;

impl<'de> Visitor<'de> for AnyWindow {
    type Value = Window;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of tokens such as 128k, or `tokens` and `shares`")
    }

    fn visit_u64<E: Error>(self, tokens: u64) -> Result<Window, E> {
        let tokens = Number { default: 0, bounds: 1..=MAX_TOKENS }.visit_u64(tokens)?;
        Ok(Window { tokens: Some(tokens), ..Window::default() })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Window, E> {
        let tokens = Number { default: 0, bounds: 1..=MAX_TOKENS }.visit_str(text)?;
        Ok(Window { tokens: Some(tokens), ..Window::default() })
    }

    fn visit_unit<E: Error>(self) -> Result<Window, E> {
        Ok(Window::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Window, A::Error> {
        Window::deserialize(MapAccessDeserializer::new(map))
    }
}

pub(super) fn window<'de, D: Deserializer<'de>>(d: D) -> Result<Window, D::Error> {
    d.deserialize_any(AnyWindow)
}

pub(super) fn window_tokens<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u64>, D::Error> {
    number(d, 0, 1..=MAX_TOKENS).map(|tokens| (tokens > 0).then_some(tokens))
}

pub(super) fn file_bytes<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    number(d, Config::default().max_file_bytes, 1..=MAX_FILE_BYTES)
}

pub(super) fn history_commits<'de, D: Deserializer<'de>>(d: D) -> Result<u32, D::Error> {
    number(d, Config::default().history_commits.into(), 0..=1_000_000).map(|commits| commits as u32)
}

/// Percentages that add up to 100. Null means the default.
struct Percentages<const N: usize> {
    key: &'static str,
    default: [u32; N],
}

impl<'de, const N: usize> Visitor<'de> for Percentages<N> {
    type Value = [u32; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers that add up to 100", in_words(N))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<[u32; N], A::Error> {
        let mut parts: Vec<u32> = Vec::new();
        while let Some(part) = seq.next_element()? {
            parts.push(part);
        }
        let sum: u64 = parts.iter().map(|part| u64::from(*part)).sum();
        match <[u32; N]>::try_from(parts) {
            Ok(parts) if sum == 100 => Ok(parts),
            _ => Err(A::Error::custom(format!("`{}` takes {} numbers that add up to 100", self.key, in_words(N)))),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<[u32; N], E> {
        Ok(self.default)
    }
}

fn in_words(count: usize) -> &'static str {
    if count == 3 { "three" } else { "four" }
}

pub(super) fn split<'de, D: Deserializer<'de>>(d: D) -> Result<[u32; 3], D::Error> {
    d.deserialize_any(Percentages { key: "split", default: Budget::default().split })
}

pub(super) fn window_shares<'de, D: Deserializer<'de>>(d: D) -> Result<[u32; 4], D::Error> {
    d.deserialize_any(Percentages { key: "shares", default: Window::default().shares })
}

/// A string that must be a valid glob.
struct Glob;

impl Visitor<'_> for Glob {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a glob")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        match globset::Glob::new(text) {
            Ok(_) => Ok(text.to_owned()),
            Err(error) => Err(E::custom(error)),
        }
    }
}

pub(super) fn glob<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    d.deserialize_str(Glob)
}

pub(super) fn globs<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<String>, D::Error> {
    /// A valid glob.
    #[derive(serde::Deserialize)]
    #[serde(transparent)]
    struct Checked(#[serde(deserialize_with = "glob")] String);
    let list = Option::<Vec<Checked>>::deserialize(d)?.unwrap_or_default();
    Ok(list.into_iter().map(|Checked(text)| text).collect())
}

pub(super) fn tokenizer<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(d)?.unwrap_or_else(|| Config::default().tokenizer))
}

pub(super) fn true_by_default<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(d)?.unwrap_or(true))
}
