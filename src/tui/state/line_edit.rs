//! A one-line text field: filter, palette, names.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

/// A line with a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineEdit {
    text: String,
    /// Byte position on a grapheme boundary.
    cursor: usize,
}

impl LineEdit {
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.len() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Text before and after the cursor.
    pub fn split(&self) -> (&str, &str) {
        self.text.split_at(self.cursor)
    }

    /// Inserts text, with line endings replaced by spaces.
    pub fn insert(&mut self, text: &str) {
        let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.text.insert_str(self.cursor, &flat);
        self.cursor += flat.len();
    }

    fn before(&self) -> usize {
        self.text[..self.cursor].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.text[self.cursor..].graphemes(true).next().map_or(self.cursor, |grapheme| self.cursor + grapheme.len())
    }

    fn word_before(&self) -> usize {
        let head = self.text[..self.cursor].trim_end();
        head.rfind(char::is_whitespace).map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8))
    }

    /// Handles a key; returns false if it has no meaning here.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('k') if control => self.text.truncate(self.cursor),
            KeyCode::Char('w') if control => self.remove(self.word_before(), self.cursor),
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('h') if control => self.remove(self.before(), self.cursor),
            KeyCode::Char(character) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
                self.insert(character.encode_utf8(&mut [0; 4]));
            }
            KeyCode::Backspace if key.modifiers.contains(KeyModifiers::ALT) => {
                self.remove(self.word_before(), self.cursor);
            }
            KeyCode::Backspace => self.remove(self.before(), self.cursor),
            KeyCode::Delete => self.remove(self.cursor, self.after()),
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => return false,
        }
        true
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.text.drain(from..to);
        self.cursor = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn press(line: &mut LineEdit, codes: &[KeyCode]) {
        for code in codes {
            line.key(KeyEvent::new(*code, KeyModifiers::NONE));
        }
    }

    #[test]
    fn typing_and_editing() {
        let mut line = LineEdit::default();
        line.insert("refünd e\u{301}x");
        press(&mut line, &[KeyCode::Backspace, KeyCode::Backspace]);
        assert_eq!(line.text(), "refünd ");
        line.key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL));
        assert_eq!(line.text(), "");
        line.insert("two\nlines");
        press(&mut line, &[KeyCode::Home, KeyCode::Delete, KeyCode::Right, KeyCode::Char('X')]);
        assert_eq!(line.text(), "wXo lines");
        assert_eq!(line.split(), ("wX", "o lines"));
    }

    proptest! {
        #[test]
        fn the_cursor_never_leaves_the_text(keys in proptest::collection::vec(0u8..9, 0..60)) {
            let mut line = LineEdit::new("aé漢 👩‍🚀 b");
            for key in keys {
                let (code, modifiers) = match key {
                    0 => (KeyCode::Left, KeyModifiers::NONE),
                    1 => (KeyCode::Right, KeyModifiers::NONE),
                    2 => (KeyCode::Backspace, KeyModifiers::NONE),
                    3 => (KeyCode::Delete, KeyModifiers::NONE),
                    4 => (KeyCode::Char('漢'), KeyModifiers::NONE),
                    5 => (KeyCode::Char('w'), KeyModifiers::CONTROL),
                    6 => (KeyCode::Home, KeyModifiers::NONE),
                    7 => (KeyCode::Char('k'), KeyModifiers::CONTROL),
                    _ => (KeyCode::End, KeyModifiers::NONE),
                };
                line.key(KeyEvent::new(code, modifiers));
                let (before, after) = line.split();
                prop_assert_eq!(before.len() + after.len(), line.text().len());
            }
        }
    }
}
