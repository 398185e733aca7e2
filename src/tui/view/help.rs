//! Help, made from the keymap: this screen's keys first.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::draw::{frame, put_all, wrap};
use crate::tui::command::Context;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::layer::{Layer, Scroll};
use crate::tui::theme::{Glyphs, Role};

/// How wide the column of keys is.
const KEYS: usize = 11;

/// A line of help: a title, or keys and what they do.
pub enum Line {
    Title(&'static str),
    Key(String, String),
    Text(String),
    Empty,
}

/// What can be typed into the filter of the workbench; docs/keys.md says the same.
pub const FILTER: [&str; 6] = [
    "words that the path must have, all of them; a capital makes case count",
    "~abc  letters in this order, with others between them",
    "tier:raw  tier:linked  tier:summary  tier:out",
    "score:>6  tokens:>2k  and >= < <= or a number alone",
    "is:pinned  is:demoted  is:excluded  is:ruled  is:changed  is:test  is:redacted",
    "lang:rust  kind:memo",
];

/// Every line of help for where the person is.
pub fn lines(state: &State) -> Vec<Line> {
    let below = state.layers.iter().rev().find(|layer| !matches!(layer, Layer::Help(_)));
    let here: &[Context] = match below {
        Some(Layer::Payload(_)) => &[Context::Payload],
        Some(Layer::Memos(_)) => &[Context::Memos],
        Some(Layer::Task(_)) => &[Context::Task],
        _ => state.screen_contexts(),
    };
    let rest = Context::ALL.iter().filter(|context| !here.contains(context));
    let room = usize::from(layout::inner(layout::overlay(state.size)).width.saturating_sub(2));
    let mut lines = Vec::new();
    for context in here.iter().chain(rest) {
        lines.push(Line::Title(context.title()));
        for (command, keys) in state.keymap.listed(*context) {
            let mut keys = Some(keys);
            for part in wrap(command.entry().help, room.saturating_sub(KEYS + 4)) {
                lines.push(Line::Key(keys.take().unwrap_or_default(), part));
            }
        }
        lines.push(Line::Empty);
    }
    let paragraph = |text: &str| wrap(text, room.saturating_sub(2)).into_iter().map(Line::Text);
    lines.push(Line::Title("The filter"));
    for text in FILTER {
        lines.extend(paragraph(text));
    }
    lines.push(Line::Empty);
    lines.push(Line::Title("Signs"));
    let Glyphs { mark, changed, stale, secret, dropped, .. } = state.theme.glyphs;
    for text in [
        format!("P pinned   ~ demoted or linked   x excluded   {mark} marked"),
        format!("{changed} changed since the last turn   {stale} stale: changed after this turn's payload was written"),
        format!(
            "{secret} secrets were replaced   {dropped} no room for more of it   gone: the file is no longer there"
        ),
        "skel a skeleton goes out   lines some lines go out   410/3.9k tokens in the payload, and of the whole"
            .to_owned(),
    ] {
        lines.extend(paragraph(&text));
    }
    lines
}

pub fn draw(buffer: &mut Buffer, state: &State, scroll: Scroll) {
    let style = |role: Role| state.theme.style(role);
    let lines = lines(state);
    let area = layout::overlay(state.size);
    let place = format!(" {}/{} ", scroll.0 + 1, lines.len());
    let inside = frame(buffer, area, state, true, &[(style(Role::Title), " Help ")], &[(style(Role::Dim), &place)]);
    for (row, line) in lines.iter().skip(scroll.0).take(usize::from(inside.height)).enumerate() {
        let y = inside.y + row as u16;
        let key;
        let pieces: Vec<(Style, &str)> = match line {
            Line::Title(title) => vec![(style(Role::Title), *title)],
            Line::Key(keys, help) => {
                key = format!("  {keys:<KEYS$}  ");
                vec![(style(Role::Key), &key), (style(Role::Text), help)]
            }
            Line::Text(text) => vec![(style(Role::Text), "  "), (style(Role::Text), text)],
            Line::Empty => Vec::new(),
        };
        put_all(buffer, inside.x + 1, y, inside.width.saturating_sub(1), &pieces);
    }
}
