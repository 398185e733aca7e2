//! Pairs brackets, taking the branches of a preprocessor into account.

use crate::outline::steps;
use crate::outline::tokens::token::{Token, TokenKind};

/// Maximum number of unclosed brackets that a parenthesis skips to reach its partner.
const FARTHEST: usize = 8;

/// Finds the partners of all brackets; returns true if one has none.
pub(crate) fn pair(text: &str, tokens: &mut [Token]) -> bool {
    let mut pairing = Pairing { tokens, open: Vec::new(), braces: 0, has_errors: false };
    let mut conditions = Conditions::default();
    for at in 0..pairing.tokens.len() {
        match pairing.tokens[at].kind {
            TokenKind::Directive => conditions.direct(word_of(text, pairing.tokens[at]), pairing.open.len()),
            _ if conditions.skipping > 0 => pairing.tokens[at].kind = TokenKind::Dead,
            TokenKind::Open(bracket) => {
                pairing.braces += usize::from(bracket == b'{');
                pairing.open.push(at);
            }
            TokenKind::Close(bracket) => pairing.close(at, bracket),
            _ => {}
        }
    }
    pairing.unpair_from(0);
    pairing.has_errors
}

/// The state of pairing.
struct Pairing<'t> {
    tokens: &'t mut [Token],
    /// Open brackets, outermost first.
    open: Vec<usize>,
    /// Number of braces in `open`.
    braces: usize,
    has_errors: bool,
}

impl Pairing<'_> {
    fn close(&mut self, at: usize, bracket: u8) {
        let Some(place) = self.partner_of(bracket) else {
            self.tokens[at].kind = TokenKind::Dead;
            self.has_errors = true;
            return;
        };
        self.unpair_from(place + 1);
        let Some(partner) = self.open.pop() else { return };
        self.braces -= usize::from(bracket == b'}');
        self.tokens[at].partner = partner as u32;
        self.tokens[partner].partner = at as u32;
    }

    /// Position of the partner among the open brackets. A brace closes all brackets left open
    /// inside it; a parenthesis closes no brace.
    fn partner_of(&self, bracket: u8) -> Option<usize> {
        let kind_at = |place: &usize| {
            steps::count(1);
            self.tokens[self.open[*place]].kind
        };
        let mut places = (0..self.open.len()).rev();
        match bracket {
            b'}' if self.braces == 0 => None,
            b'}' => places.find(|place| kind_at(place) == TokenKind::Open(b'{')),
            _ => {
                let wanted = TokenKind::Open(if bracket == b']' { b'[' } else { b'(' });
                let mut near = places.take(FARTHEST).take_while(|place| kind_at(place) != TokenKind::Open(b'{'));
                near.find(|place| kind_at(place) == wanted)
            }
        }
    }

    /// Marks the open brackets from this position on as unpaired.
    fn unpair_from(&mut self, place: usize) {
        for lost in self.open.drain(place..) {
            self.braces -= usize::from(self.tokens[lost].kind == TokenKind::Open(b'{'));
            self.tokens[lost].kind = TokenKind::Dead;
            self.has_errors = true;
        }
    }
}

/// Branches that the preprocessor omits.
#[derive(Default)]
struct Conditions {
    open: Vec<Condition>,
    /// Number of open conditions that omit the current branch.
    skipping: usize,
}

/// An open `#if`.
struct Condition {
    /// Brackets that were open before it.
    open: usize,
    /// True if the current branch is omitted.
    skips: bool,
    /// True if a branch has changed the open brackets. The other branches make the same change, so
    /// only this one counts.
    settled: bool,
}

impl Conditions {
    fn direct(&mut self, (word, rest): (&str, &str), open: usize) {
        match word {
            "if" | "ifdef" | "ifndef" => {
                let skips = word == "if" && rest.trim() == "0";
                self.skipping += usize::from(skips);
                self.open.push(Condition { open, skips, settled: false });
            }
            "else" | "elif" => {
                if let Some(condition) = self.open.last_mut() {
                    self.skipping -= usize::from(condition.skips);
                    condition.settled |= !condition.skips && open != condition.open;
                    condition.skips = condition.settled;
                    self.skipping += usize::from(condition.skips);
                }
            }
            "endif" => self.skipping -= usize::from(self.open.pop().is_some_and(|condition| condition.skips)),
            _ => {}
        }
    }
}

/// Name of a directive, and the text after it.
fn word_of(text: &str, directive: Token) -> (&str, &str) {
    let line = &text[directive.start as usize..directive.end as usize];
    let rest = line.trim_start_matches('#').trim_start();
    rest.split_at(rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()))
}

/// Returns true if the tokens contain only complete conditions: the end of every `#if`, and the `#if` of every other
/// branch.
pub(crate) fn directives_stand_alone(text: &str, tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for directive in tokens.iter().filter(|token| token.kind == TokenKind::Directive) {
        match word_of(text, *directive).0 {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "else" | "elif" | "endif" if depth == 0 => return false,
            "endif" => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}
