//! The keymap: built-in keys, overridden by the user's. All errors are reported together.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::command::{COMMANDS, Command, Context};
use crate::error::{Error, Result};
use crate::project;

/// The built-in keymap.
pub const DEFAULT: &str = include_str!("../../assets/keymap.yaml");

/// A key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        let mut modifiers = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        let mut code = event.code;
        if let KeyCode::Char(character) = code {
            // The character already includes Shift.
            modifiers.remove(KeyModifiers::SHIFT);
            if modifiers.contains(KeyModifiers::CONTROL) {
                code = KeyCode::Char(character.to_ascii_lowercase());
            }
        }
        if code == KeyCode::BackTab {
            (code, modifiers) = (KeyCode::Tab, modifiers | KeyModifiers::SHIFT);
        }
        Self { code, modifiers }
    }
}

const NAMED: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
];

impl Key {
    /// Parses a key in the notation of the keymap.
    pub fn parse(text: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        loop {
            let (modifier, after) = if let Some(after) = rest.strip_prefix("ctrl-") {
                (KeyModifiers::CONTROL, after)
            } else if let Some(after) = rest.strip_prefix("alt-") {
                (KeyModifiers::ALT, after)
            } else if let Some(after) = rest.strip_prefix("shift-") {
                (KeyModifiers::SHIFT, after)
            } else {
                break;
            };
            if modifiers.contains(modifier) {
                return None;
            }
            modifiers |= modifier;
            rest = after;
        }
        let mut characters = rest.chars();
        let code = match (characters.next(), characters.next()) {
            (Some(character), None) if !character.is_control() => {
                if modifiers.contains(KeyModifiers::SHIFT) {
                    return None;
                }
                KeyCode::Char(character)
            }
            _ => match rest.strip_prefix('f').and_then(|number| number.parse::<u8>().ok()) {
                Some(number) if (1..=12).contains(&number) => KeyCode::F(number),
                _ => NAMED.iter().find(|(name, _)| *name == rest)?.1,
            },
        };
        Some(Self { code, modifiers })
    }

    /// The event that a terminal reports for the key.
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }
}

impl fmt::Display for Key {
    /// Name in the footer: `Ctrl-r`, `Space`, `↓`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, name) in
            [(KeyModifiers::CONTROL, "Ctrl-"), (KeyModifiers::ALT, "Alt-"), (KeyModifiers::SHIFT, "Shift-")]
        {
            if self.modifiers.contains(modifier) {
                f.write_str(name)?;
            }
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Char(character) => write!(f, "{character}"),
            KeyCode::F(number) => write!(f, "F{number}"),
            KeyCode::PageUp => f.write_str("PgUp"),
            KeyCode::PageDown => f.write_str("PgDn"),
            KeyCode::Up => f.write_str("↑"),
            KeyCode::Down => f.write_str("↓"),
            KeyCode::Left => f.write_str("←"),
            KeyCode::Right => f.write_str("→"),
            code => {
                let name = NAMED.iter().find(|(_, known)| *known == code).map_or("?", |(name, _)| name);
                let mut characters = name.chars();
                let first = characters.next().map(|first| first.to_ascii_uppercase());
                write!(f, "{}{}", first.unwrap_or('?'), characters.as_str())
            }
        }
    }
}

/// A sequence of keys.
pub type Sequence = Vec<Key>;

/// Result of looking up the keys typed so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyMatch {
    /// The keys of a command.
    Complete(Command),
    /// The start of a longer sequence.
    Prefix,
    /// Not the keys of a command.
    Nothing,
}

/// Commands by context and keys.
#[derive(Debug, Clone, Default)]
pub struct Keymap {
    bindings: BTreeMap<Context, BTreeMap<Command, Vec<Sequence>>>,
}

/// Content of the file: contexts with their commands, and each command's keys.
type KeymapFile = BTreeMap<String, BTreeMap<String, Vec<String>>>;

impl Keymap {
    /// Loads the built-in keymap, overridden by the user's `keymap.yaml` if it exists. One error lists all mistakes.
    pub fn load(user_dir: Option<&Path>) -> Result<Self> {
        let mut keymap = Self::default();
        let mut wrong = Vec::new();
        keymap.add(&project::parse_own(Path::new("assets/keymap.yaml"), DEFAULT)?, &mut wrong);
        if let Some(path) = user_dir.map(|dir| dir.join("keymap.yaml"))
            && let Some(text) = project::files::read_own(&path)?
        {
            keymap.add(&project::parse_own(&path, &text)?, &mut wrong);
            keymap.check(&mut wrong);
            if !wrong.is_empty() {
                let what = format!("{}:\n  {}", path.display(), wrong.join("\n  "));
                return Err(Error::input(what, "fix the file; docs/keys.md and `?` on the screen list every command"));
            }
        }
        Ok(keymap)
    }

    fn add(&mut self, file: &KeymapFile, wrong: &mut Vec<String>) {
        for (name, commands) in file {
            let Some(context) = Context::named(name) else {
                let known: Vec<_> = Context::ALL.iter().map(|context| context.name()).collect();
                wrong.push(format!("unknown section `{name}`; use one of {}", known.join(", ")));
                continue;
            };
            for (name, keys) in commands {
                let Some(command) = Command::named(name) else {
                    let near = crate::text::nearest(name, COMMANDS.iter().map(|info| info.name));
                    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    wrong.push(format!("{}: unknown command `{name}`{near}", context.name()));
                    continue;
                };
                let mut sequences = Vec::new();
                for text in keys {
                    match text.split_whitespace().map(Key::parse).collect::<Option<Sequence>>() {
                        Some(sequence) if !sequence.is_empty() => sequences.push(sequence),
                        _ => wrong.push(format!("{}: {name}: `{text}` is not a key", context.name())),
                    }
                }
                self.bindings.entry(context).or_default().insert(command, sequences);
            }
        }
    }

    /// Finds two commands on one key, and keys that are unreachable because they begin a longer sequence.
    fn check(&self, wrong: &mut Vec<String>) {
        for (context, commands) in &self.bindings {
            let all: Vec<(&Sequence, Command)> = commands
                .iter()
                .flat_map(|(command, sequences)| sequences.iter().map(move |sequence| (sequence, *command)))
                .collect();
            for (at, (sequence, command)) in all.iter().enumerate() {
                for (other, rival) in &all[at + 1..] {
                    if command != rival && (sequence.starts_with(other) || other.starts_with(sequence)) {
                        wrong.push(format!(
                            "{}: `{}` ({}) and `{}` ({}) conflict",
                            context.name(),
                            shown(sequence),
                            command.info().name,
                            shown(other),
                            rival.info().name
                        ));
                    }
                }
            }
        }
    }

    /// The meaning of these keys in the first of these contexts that has one.
    pub fn meaning(&self, contexts: &[Context], keys: &[Key]) -> KeyMatch {
        let mut begins = false;
        for context in contexts {
            let Some(commands) = self.bindings.get(context) else { continue };
            for (command, sequences) in commands {
                for sequence in sequences {
                    if sequence == keys {
                        return KeyMatch::Complete(*command);
                    }
                    begins |= sequence.starts_with(keys);
                }
            }
            if begins {
                return KeyMatch::Prefix;
            }
        }
        KeyMatch::Nothing
    }

    /// Possible continuations after these keys: the remaining keys and the command.
    pub fn continuations(&self, contexts: &[Context], keys: &[Key]) -> Vec<(String, Command)> {
        let mut found: Vec<(String, Command)> = Vec::new();
        for (command, sequences) in contexts.iter().filter_map(|context| self.bindings.get(context)).flatten() {
            for rest in sequences.iter().filter_map(|sequence| sequence.strip_prefix(keys)) {
                let rest = shown(&rest.to_vec());
                // A nearer context hides the same keys of a farther one.
                if !rest.is_empty() && found.iter().all(|(known, _)| *known != rest) {
                    found.push((rest, *command));
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    /// The keys of a command in a context.
    pub fn keys(&self, context: Context, command: Command) -> &[Sequence] {
        self.bindings.get(&context).and_then(|commands| commands.get(&command)).map_or(&[], Vec::as_slice)
    }

    /// First key of a command in these contexts, in the notation of the footer.
    pub fn first(&self, contexts: &[Context], command: Command) -> Option<String> {
        contexts.iter().find_map(|context| self.keys(*context, command).first()).map(shown)
    }

    /// Commands of a context in table order, with their keys.
    pub fn listed(&self, context: Context) -> Vec<(Command, String)> {
        let mut listed = Vec::new();
        for info in &COMMANDS {
            let keys: Vec<String> = self.keys(context, info.command).iter().map(shown).collect();
            if !keys.is_empty() {
                listed.push((info.command, keys.join(" ")));
            }
        }
        listed
    }
}

/// A sequence in the notation of the footer.
pub fn shown(sequence: &Sequence) -> String {
    let keys: Vec<String> = sequence.iter().map(ToString::to_string).collect();
    // `gg` is more readable than `g g`, but `Ctrl-x s` is more readable than `Ctrl-xs`.
    keys.join(if keys.iter().all(|key| key.chars().count() == 1) { "" } else { " " })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_keymap_has_no_errors() {
        let mut keymap = Keymap::default();
        let mut wrong = Vec::new();
        keymap.add(&project::parse_own(Path::new("keymap.yaml"), DEFAULT).unwrap(), &mut wrong);
        keymap.check(&mut wrong);
        assert_eq!(wrong, Vec::<String>::new());
        // Every command has a key in some context.
        for info in &COMMANDS {
            assert!(
                Context::ALL.iter().any(|context| !keymap.keys(*context, info.command).is_empty()),
                "{}",
                info.name
            );
        }
    }

    #[test]
    fn keys_are_read_as_terminals_report_them() {
        for (text, code, modifiers) in [
            ("p", KeyCode::Char('p'), KeyModifiers::NONE),
            ("D", KeyCode::Char('D'), KeyModifiers::SHIFT),
            ("ctrl-r", KeyCode::Char('r'), KeyModifiers::CONTROL),
            ("shift-tab", KeyCode::BackTab, KeyModifiers::SHIFT),
            ("space", KeyCode::Char(' '), KeyModifiers::NONE),
            ("-", KeyCode::Char('-'), KeyModifiers::NONE),
            ("f1", KeyCode::F(1), KeyModifiers::NONE),
        ] {
            assert_eq!(Key::parse(text), Some(Key::from(KeyEvent::new(code, modifiers))), "{text}");
        }
        for text in ["", "ctrl-", "shift-a", "hyper-x", "f13", "ctrl-ctrl-a", "ab"] {
            assert_eq!(Key::parse(text), None, "{text}");
        }
    }

    #[test]
    fn all_errors_are_reported_together_and_valid_changes_apply() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("keymap.yaml");
        std::fs::write(&path, "workbench:\n  pin: [d, hyper-x]\n  pinn: [a]\nnowhere:\n  pin: [b]\n").unwrap();
        let said = Keymap::load(Some(dir.path())).unwrap_err().to_string();
        for part in ["`hyper-x` is not a key", "did you mean `pin`", "unknown section `nowhere`", "conflict"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        std::fs::write(&path, "workbench:\n  pin: [ctrl-x]\n").unwrap();
        let keymap = Keymap::load(Some(dir.path())).unwrap();
        let meaning = |text: &str| keymap.meaning(&[Context::Workbench], &[Key::parse(text).unwrap()]);
        assert_eq!((meaning("ctrl-x"), meaning("p")), (KeyMatch::Complete(Command::Pin), KeyMatch::Nothing));
        assert_eq!(meaning("x"), KeyMatch::Complete(Command::Exclude));
    }

    #[test]
    fn a_sequence_has_a_meaning_only_when_complete() {
        let keymap = Keymap::load(None).unwrap();
        let g = Key::parse("g").unwrap();
        assert_eq!(keymap.meaning(&[Context::Move], &[g]), KeyMatch::Prefix);
        assert_eq!(keymap.meaning(&[Context::Move], &[g, g]), KeyMatch::Complete(Command::Top));
    }
}
