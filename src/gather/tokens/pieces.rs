//! How a text falls into pieces before words are looked up: the pattern of o200k, written out.
//!
//! Its alternatives in their order, `U` for capitals (Lu, Lt), `L` for small letters (Ll), `B` for letters without case and
//! marks (Lm, Lo, M): `[^\r\n\p{L}\p{N}]?[UB]*[LB]+'s?`, `[^\r\n\p{L}\p{N}]?[UB]+[LB]*'s?` (where `'s` is any of the seven
//! English endings), `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`.

/// What a character is to the pattern: one bit each, so that several are asked for at once.
type Kind = u8;

/// Neither space nor letter nor number.
const OTHER: Kind = 1;
/// White space that ends no line.
const SPACE: Kind = 1 << 1;
/// `\r` or `\n`.
const LINE_END: Kind = 1 << 2;
const NUMBER: Kind = 1 << 3;
const UPPER: Kind = 1 << 4;
const LOWER: Kind = 1 << 5;
/// A letter that has no case.
const UNCASED: Kind = 1 << 6;
const MARK: Kind = 1 << 7;

/// What may stand before a word as its first character.
const LEADING: Kind = OTHER | SPACE | MARK;
/// What no word, number or space has.
const SIGN: Kind = OTHER | MARK;

/// Made by src/build.rs: for each block of 256 characters the number of its kinds, then these.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.kinds"));
const BLOCKS: usize = 0x11_0000 / 256;

static ASCII: [Kind; 128] = {
    let mut kinds = [OTHER; 128];
    let mut code = 0;
    while code < 128 {
        kinds[code] = TABLE[BLOCKS + TABLE[0] as usize * 256 + code];
        code += 1;
    }
    kinds
};

fn kind_of(character: char) -> Kind {
    let code = character as usize;
    TABLE[BLOCKS + usize::from(TABLE[code / 256]) * 256 + code % 256]
}

/// Calls `each` with where every piece starts and ends.
pub fn each_piece(text: &str, mut each: impl FnMut(usize, usize)) {
    let mut start = 0;
    while start < text.len() {
        let end = Text(text).piece_end(start);
        each(start, end);
        start = end;
    }
}

struct Text<'a>(&'a str);

impl Text<'_> {
    /// The kind of the character at a byte, and where the next one is; `None` at the end.
    #[inline]
    fn at(&self, at: usize) -> Option<(Kind, usize)> {
        let byte = *self.0.as_bytes().get(at)?;
        if byte < 128 {
            return Some((ASCII[usize::from(byte)], at + 1));
        }
        self.0[at..].chars().next().map(|character| (kind_of(character), at + character.len_utf8()))
    }

    /// Where characters of these kinds end.
    #[inline]
    fn run(&self, mut at: usize, wanted: Kind) -> usize {
        while let Some((kind, next)) = self.at(at)
            && kind & wanted != 0
        {
            at = next;
        }
        at
    }

    fn piece_end(&self, start: usize) -> usize {
        let Some((kind, next)) = self.at(start) else { return start };
        if let Some(end) = self.word(start, kind, next) {
            return self.ending(end);
        }
        match kind {
            NUMBER => self.one(self.one(next, NUMBER), NUMBER),
            SPACE | LINE_END => {
                let signs = self.at(next).is_some_and(|(kind, _)| kind & SIGN != 0);
                if signs && self.0.as_bytes()[start] == b' ' { self.signs(next) } else { self.space(start) }
            }
            // Letters are words.
            _ => self.signs(start),
        }
    }

    /// Past one character of this kind, if it is there.
    fn one(&self, at: usize, wanted: Kind) -> usize {
        self.at(at).filter(|(kind, _)| *kind == wanted).map_or(at, |(_, next)| next)
    }

    /// The first two alternatives, without the ending.
    #[inline]
    fn word(&self, start: usize, kind: Kind, next: usize) -> Option<usize> {
        if kind & LEADING != 0 {
            let alone = (kind == MARK).then_some(next);
            self.with_small(next).or(alone).or_else(|| self.capitals(next))
        } else if kind & (UPPER | LOWER | UNCASED) != 0 {
            self.with_small(start).or_else(|| self.capitals(start))
        } else {
            None
        }
    }

    /// `[UB]*[LB]+`: the first part takes all that it can and gives back what the second one needs.
    #[inline]
    fn with_small(&self, start: usize) -> Option<usize> {
        let (mut at, mut uncased) = (start, None);
        while let Some((kind, next)) = self.at(at) {
            match kind {
                UPPER => {}
                UNCASED | MARK => uncased = Some(next),
                LOWER => return Some(self.run(next, LOWER | UNCASED | MARK)),
                _ => break,
            }
            at = next;
        }
        uncased
    }

    /// `[UB]+[LB]*` where the alternative before did not match: capitals alone.
    fn capitals(&self, start: usize) -> Option<usize> {
        Some(self.run(start, UPPER)).filter(|end| *end > start)
    }

    /// Past `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in any case.
    fn ending(&self, at: usize) -> usize {
        let lower = |index: usize| self.0.as_bytes().get(at + index).map(u8::to_ascii_lowercase);
        if lower(0) != Some(b'\'') {
            return at;
        }
        match (lower(1), lower(2)) {
            (Some(b's' | b't' | b'm' | b'd'), _) => at + 2,
            // The last is the long s, an s in another case.
            (Some(b'r' | b'v'), Some(b'e')) | (Some(b'l'), Some(b'l')) | (Some(0xc5), Some(0xbf)) => at + 3,
            _ => at,
        }
    }

    /// `[^\s\p{L}\p{N}]+[\r\n/]*`
    fn signs(&self, start: usize) -> usize {
        let mut end = self.run(start, SIGN);
        while matches!(self.0.as_bytes().get(end), Some(b'\r' | b'\n' | b'/')) {
            end += 1;
        }
        end
    }

    /// The last three alternatives.
    fn space(&self, start: usize) -> usize {
        let (mut at, mut last, mut line_end) = (start, start, None);
        while let Some((kind, next)) = self.at(at) {
            match kind {
                LINE_END => line_end = Some(next),
                SPACE => {}
                _ => break,
            }
            (last, at) = (at, next);
        }
        match line_end {
            Some(end) => end,
            // What follows takes the last one along.
            None if at < self.0.len() && last > start => last,
            None => at,
        }
    }
}
