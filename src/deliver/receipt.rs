//! Receipts: the size of the payload, its destination, and how certain the delivery is.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

use serde::{Serialize, Serializer};

use super::{Channel, Confirmation, Delivery};
use crate::text::{ABOUT, counted, printable, short_count, thousands};

/// The number of items in a tier, and their tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TierTokens {
    /// Number of items.
    pub items: usize,
    /// Total tokens of the items.
    pub tokens: usize,
}

/// Receipt of a payload: tokens by tier, the limit, and all deliveries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The RAW tier.
    pub raw: TierTokens,
    /// The LINKED tier.
    pub linked: TierTokens,
    /// The SUMMARY tier.
    pub summary: TierTokens,
    /// Token count of the whole payload, including headings and fixed parts.
    pub total: usize,
    /// Token limit.
    pub limit: usize,
    /// True if the figures are estimates.
    pub estimated: bool,
    /// Tokens of the previous payload that this one begins with, and all of its tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reusable: Option<(usize, usize)>,
    /// The deliveries.
    pub deliveries: Vec<Delivery>,
    /// Reference to the context pack, if the payload is one.
    pub context_pack_ref: Option<String>,
    /// The copy stored in the turn.
    #[serde(serialize_with = "lossy_or_null")]
    pub saved: Option<PathBuf>,
}

impl Receipt {
    /// A token count for display, marked if it is an estimate.
    pub fn figure(&self, tokens: usize) -> String {
        format!("{}{}", if self.estimated { ABOUT } else { "" }, thousands(tokens))
    }
}

/// Says how much of the previous payload is the beginning of this one: `18.2k of 24.0k tokens reusable`.
pub fn reusable_text(mark: &str, tokens: usize, of: usize) -> String {
    format!("{mark}{} of {mark}{} tokens reusable", short_count(tokens), short_count(of))
}

impl Display for Receipt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "RAW {} tokens ({})", self.figure(self.raw.tokens), counted(self.raw.items, "item"))?;
        write!(f, " · LINKED {} ({})", self.figure(self.linked.tokens), counted(self.linked.items, "item"))?;
        write!(f, " · SUMMARY {}", self.figure(self.summary.tokens))?;
        write!(f, " · total {} of {}", self.figure(self.total), thousands(self.limit))?;
        if self.total > self.limit {
            write!(f, " (over by {})", self.figure(self.total - self.limit))?;
        }
        if let Some((tokens, of)) = self.reusable {
            let mark = if self.estimated { ABOUT } else { "" };
            write!(f, " · {}", reusable_text(mark, tokens, of))?;
        }
        for delivery in &self.deliveries {
            write!(f, "\n{delivery}")?;
        }
        if let Some(path) = &self.saved {
            write!(f, "\nsaved in {}", printable(&path.to_string_lossy()))?;
        }
        if let Some(reference) = &self.context_pack_ref {
            write!(f, "\ncontextPackRef {}", printable(reference))?;
        }
        Ok(())
    }
}

impl Delivery {
    /// The outcome without the note.
    pub fn outcome(&self) -> String {
        match (&self.way, self.confirmed) {
            (Channel::Stdout | Channel::File(_), Confirmation::Confirmed) => format!("written to {}", self.way),
            (Channel::Stdout | Channel::File(_), Confirmation::Unconfirmed) => {
                format!("{} bytes written to {}, unconfirmed", thousands(self.bytes), self.way)
            }
            (Channel::Native, Confirmation::Confirmed) => "copied to the clipboard (confirmed)".to_owned(),
            (_, Confirmation::Confirmed) => format!("copied to the clipboard by {} (confirmed)", self.way),
            (Channel::Osc52, Confirmation::Unconfirmed) => "copy sent to the terminal, unconfirmed".to_owned(),
            (_, Confirmation::Unconfirmed) => format!("copy sent to the terminal by {}, unconfirmed", self.way),
        }
    }
}

impl Display for Delivery {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.outcome())?;
        match &self.note {
            Some(note) => write!(f, ": {}", printable(note)),
            None => Ok(()),
        }
    }
}

impl Display for Channel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("standard output"),
            Self::File(path) => f.write_str(&printable(&path.to_string_lossy())),
            Self::Native => f.write_str("system clipboard"),
            Self::Helper(program) => f.write_str(program),
            Self::Osc52 => f.write_str("terminal (OSC 52)"),
        }
    }
}

#[allow(clippy::ref_option)] // serde passes a reference to the field.
fn lossy_or_null<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => super::lossy(path, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt() -> Receipt {
        Receipt {
            raw: TierTokens { items: 12, tokens: 18_204 },
            linked: TierTokens { items: 31, tokens: 1_730 },
            summary: TierTokens { items: 4, tokens: 212 },
            total: 20_502,
            limit: 25_000,
            estimated: false,
            reusable: None,
            deliveries: vec![Delivery {
                way: Channel::Helper("xclip"),
                confirmed: Confirmation::Confirmed,
                bytes: 80_000,
                note: None,
            }],
            context_pack_ref: None,
            saved: Some(PathBuf::from(".teddy/sessions/20261116-add-refunds/01/payload.md")),
        }
    }

    #[test]
    fn a_receipt_has_three_lines() {
        let expected = "RAW 18,204 tokens (12 items) · LINKED 1,730 (31 items) · SUMMARY 212 · total 20,502 of 25,000\n\
                        copied to the clipboard by xclip (confirmed)\n\
                        saved in .teddy/sessions/20261116-add-refunds/01/payload.md";
        assert_eq!(receipt().to_string(), expected);
    }

    #[test]
    fn a_receipt_shows_the_excess_over_the_limit() {
        let over = Receipt { total: 26_204, ..receipt() };
        assert!(over.to_string().contains("total 26,204 of 25,000 (over by 1,204)"));
        let estimated = Receipt { estimated: true, ..receipt() }.to_string();
        assert!(estimated.starts_with(
            "RAW ≈18,204 tokens (12 items) · LINKED ≈1,730 (31 items) · SUMMARY ≈212 · total ≈20,502 of 25,000\n"
        ));
    }

    #[test]
    fn an_unconfirmed_copy_never_reads_as_copied() {
        for way in [Channel::Osc52, Channel::Helper("tmux")] {
            let delivery = Delivery { way, confirmed: Confirmation::Unconfirmed, bytes: 1, note: Some("why".into()) };
            let shown = delivery.to_string();
            assert!(shown.contains("unconfirmed: why") && !shown.contains("copied"), "{shown}");
        }
    }

    #[test]
    fn escape_sequences_in_paths_are_made_visible() {
        let path = PathBuf::from("\u{1b}]52;c;aGk=\u{7}\u{202e}out.md");
        let delivery = Delivery {
            way: Channel::File(path.clone()),
            confirmed: Confirmation::Confirmed,
            bytes: 1,
            note: Some("\u{1b}[2J".into()),
        };
        let shown = Receipt { deliveries: vec![delivery], saved: Some(path), ..receipt() }.to_string();
        assert!(shown.lines().all(|line| printable(line) == line), "{shown:?}");
        assert_eq!(shown.lines().count(), 3);
    }

    #[test]
    fn json_has_the_same_facts() {
        let json = serde_json::to_value(receipt()).unwrap();
        assert_eq!(json["raw"], serde_json::json!({"items": 12, "tokens": 18_204}));
        assert_eq!(json["deliveries"][0]["way"], serde_json::json!({"kind": "helper", "name": "xclip"}));
        assert_eq!(json["deliveries"][0]["confirmed"], "confirmed");
        assert_eq!(json["saved"], ".teddy/sessions/20261116-add-refunds/01/payload.md");
        let bare = serde_json::to_value(Receipt::default()).unwrap();
        assert!(bare["saved"].is_null());
    }
}
