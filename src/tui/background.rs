//! The terminal's background colour, requested with OSC 11. The reply arrives as key events, which are separated from
//! typed keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The request; terminals that do not support it ignore it.
pub const QUESTION: &[u8] = b"\x1b]11;?\x07";

/// Maximum length of a reply: `11;rgba:` and four groups of four digits.
const LONGEST: usize = 32;

/// Brightness of a background: dark or light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brightness {
    Dark,
    Light,
}

impl Brightness {
    /// Name of the theme for this brightness.
    pub fn theme(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }
}

/// Separates the terminal's reply from typed keys. Its `ESC ]` arrives as Alt-], and its end as Ctrl-g or Alt-\.
#[derive(Debug, Default)]
pub struct ReplyFilter {
    /// Keys that may be the start of a reply.
    held: Vec<KeyEvent>,
}

/// The result for one key.
#[derive(Debug, PartialEq, Eq)]
pub enum FilterResult {
    /// These keys were typed.
    Typed(Vec<KeyEvent>),
    /// The keys are held back, because more are needed to decide.
    Held,
    Reply(Brightness),
}

impl ReplyFilter {
    /// Handles a key.
    pub fn take(&mut self, key: KeyEvent) -> FilterResult {
        if self.held.is_empty() {
            let begins = key.code == KeyCode::Char(']') && key.modifiers == KeyModifiers::ALT;
            if !begins {
                return FilterResult::Typed(vec![key]);
            }
            self.held.push(key);
            return FilterResult::Held;
        }
        self.held.push(key);
        let text: String = self.held[1..].iter().filter_map(|key| character(*key)).collect();
        let ends = matches!((key.code, key.modifiers), (KeyCode::Char('g'), KeyModifiers::CONTROL))
            || matches!((key.code, key.modifiers), (KeyCode::Char('\\'), KeyModifiers::ALT));
        if ends && let Some(brightness) = brightness(&text) {
            self.held.clear();
            return FilterResult::Reply(brightness);
        }
        if !ends && character(key).is_some() && may_become_reply(&text) {
            return FilterResult::Held;
        }
        FilterResult::Typed(std::mem::take(&mut self.held))
    }
}

/// The character of a key without Ctrl or Alt.
fn character(key: KeyEvent) -> Option<char> {
    match key.code {
        KeyCode::Char(character) if (key.modifiers - KeyModifiers::SHIFT).is_empty() => Some(character),
        _ => None,
    }
}

fn may_become_reply(text: &str) -> bool {
    let head = |head: &str| head.starts_with(text) || text.strip_prefix(head).is_some_and(is_colour);
    text.len() <= LONGEST && (head("11;rgb:") || head("11;rgba:"))
}

fn is_colour(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii_hexdigit() || character == '/')
}

/// The brightness stated in a reply such as `11;rgb:1e1e/1e1e/2e2e`.
fn brightness(text: &str) -> Option<Brightness> {
    let colour = text.strip_prefix("11;rgb:").or_else(|| text.strip_prefix("11;rgba:"))?;
    let mut parts = colour.split('/').map(|part| {
        let most = 16_u32.checked_pow(part.len().try_into().ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    });
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    // Standard weights of perceived brightness.
    let light = 0.299 * red + 0.587 * green + 0.114 * blue;
    Some(if light > 0.5 { Brightness::Light } else { Brightness::Dark })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(character: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(character), KeyModifiers::NONE)
    }

    fn alt(character: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(character), KeyModifiers::ALT)
    }

    fn bell() -> KeyEvent {
        KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL)
    }

    /// Output of the filter: typed keys, and the replies.
    fn filtered(keys: &[KeyEvent]) -> (Vec<KeyEvent>, Vec<Brightness>) {
        let (mut filter, mut typed, mut replies) = (ReplyFilter::default(), Vec::new(), Vec::new());
        for key in keys {
            match filter.take(*key) {
                FilterResult::Typed(keys) => typed.extend(keys),
                FilterResult::Held => {}
                FilterResult::Reply(brightness) => replies.push(brightness),
            }
        }
        (typed, replies)
    }

    fn reply(text: &str, end: KeyEvent) -> Vec<KeyEvent> {
        std::iter::once(alt(']')).chain(text.chars().map(key)).chain([end]).collect()
    }

    #[test]
    fn replies_of_terminals_are_understood() {
        for (text, expected) in [
            ("11;rgb:1e1e/1e1e/2e2e", Brightness::Dark),
            ("11;rgb:ffff/ffff/ffff", Brightness::Light),
            ("11;rgb:FD/F6/E3", Brightness::Light),
            ("11;rgba:0000/0000/0000/ffff", Brightness::Dark),
        ] {
            for end in [bell(), alt('\\')] {
                assert_eq!(filtered(&reply(text, end)), (Vec::new(), vec![expected]), "{text}");
            }
        }
    }

    #[test]
    fn keys_around_a_reply_are_kept_in_order() {
        let mut keys = vec![key('j')];
        keys.extend(reply("11;rgb:0000/0000/0000", bell()));
        keys.push(key('p'));
        assert_eq!(filtered(&keys), (vec![key('j'), key('p')], vec![Brightness::Dark]));
    }

    #[test]
    fn keys_that_resemble_a_reply_are_typed() {
        let typed = [alt(']'), key('1'), key('1'), key('x')];
        assert_eq!(filtered(&typed), (typed.to_vec(), Vec::new()));
        let odd = reply("11;rgb:zz", bell());
        assert_eq!(filtered(&odd).0, odd);
    }

    proptest! {
        #[test]
        fn no_typed_key_is_lost(text in "[]1;rgb:0-9a-f/x]{0,40}") {
            // A final key ends everything that is held back.
            let keys: Vec<KeyEvent> = text.chars().map(|c| if c == ']' { alt(c) } else { key(c) }).chain([key('q')]).collect();
            prop_assert_eq!(filtered(&keys).0, keys);
        }
    }
}
