//! Help: keys of this screen by group, then those of other screens, filter terms and symbols.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::CursorAt;
use super::draw::{frame, put, put_all, width, wrap};
use crate::tui::command::{Command, Context, Group};
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::layer::{BenchLayer, Help, Layer};
use crate::tui::theme::{Glyphs, Role};

/// Width of the column of keys.
const KEYS: usize = 11;

/// A line of help.
pub enum HelpLine {
    Title(String),
    Key { keys: String, title: String },
    Text(String),
    Blank,
}

impl HelpLine {
    fn width(&self) -> u16 {
        match self {
            Self::Title(title) => width(title),
            Self::Key { title, .. } => KEYS as u16 + 4 + width(title),
            Self::Text(text) => 2 + width(text),
            Self::Blank => 0,
        }
    }
}

/// Terms of the workbench's filter, also listed in docs/keys.md.
pub const FILTER: [&str; 7] = [
    "words that the path must contain; a capital letter matches case, and a word found in no path matches fuzzily",
    "~abc  these letters in this order, with others in between",
    "text:retry  text:\"two words\"  files whose content contains this",
    "tier:raw  tier:linked  tier:summary  tier:out",
    "score:>6  tokens:>2k  with > >= < <= or just a number",
    "is:pinned  is:demoted  is:excluded  is:overridden  is:carried  is:changed  is:test  is:redacted",
    "sym:parse  files that define a name with these letters; lang:rust  kind:memo",
];

/// A heading with its lines. It is omitted if it has no lines.
struct Section {
    title: String,
    lines: Vec<HelpLine>,
}

/// The contexts of the overlay below help, or of the screen.
fn contexts_here(state: &State) -> &'static [Context] {
    let common = state.ui.layers.iter().rev().find(|layer| !matches!(layer, Layer::Help(_) | Layer::Palette(_)));
    let layer = state.bench().and_then(|bench| bench.layers.last());
    let context = common.map_or_else(|| layer.and_then(BenchLayer::context), Layer::context);
    // Read-only texts have no special keys, so help shows the keys of the screen behind them.
    context.filter(|context| *context != Context::Move).unwrap_or_else(|| state.screen.context()).stack()
}

/// The lines of help for this screen that match the search.
pub fn lines(state: &State) -> Vec<HelpLine> {
    let query = state.ui.layers.iter().rev().find_map(|layer| match layer {
        Layer::Help(help) => Some(help.query.text().to_lowercase()),
        _ => None,
    });
    matching(state, &query.unwrap_or_default())
}

fn matching(state: &State, query: &str) -> Vec<HelpLine> {
    let room = usize::from(layout::inner(layout::overlay(state.ui.size)).width.saturating_sub(2));
    let mut lines = Vec::new();
    for section in sections(state, room, query) {
        if !section.lines.is_empty() {
            lines.push(HelpLine::Title(section.title));
            lines.extend(section.lines);
            lines.push(HelpLine::Blank);
        }
    }
    lines.pop();
    lines
}

fn sections(state: &State, room: usize, query: &str) -> Vec<Section> {
    let here = contexts_here(state);
    let listed = |contexts: &[Context], group: Option<Group>| -> Vec<HelpLine> {
        let all = contexts.iter().flat_map(|context| state.ui.keymap.listed(*context));
        let wanted = all.filter(|(command, keys)| {
            let info = command.info();
            group.is_none_or(|group| info.group == group)
                && (contains(info.title, query) || contains(info.name, query) || contains(keys, query))
        });
        wanted.flat_map(|(command, keys)| key_lines(command, keys, room)).collect()
    };
    let mut sections = Vec::new();
    let screen = here.first().map_or("", |context| context.title());
    // A turn that is read-only has no overrides.
    let groups =
        Group::ALL.into_iter().filter(|group| here.first() != Some(&Context::Answer) || *group != Group::Override);
    for group in groups {
        sections.push(Section { title: format!("{screen}: {}", group.title()), lines: listed(here, Some(group)) });
    }
    for context in Context::ALL.iter().filter(|context| !here.contains(context)) {
        sections.push(Section { title: context.title().to_owned(), lines: listed(&[*context], None) });
    }
    let paragraphs = |texts: Vec<String>| -> Vec<HelpLine> {
        let found = texts.into_iter().filter(|text| contains(text, query));
        found.flat_map(|text| wrap(&text, room.saturating_sub(2)).into_iter().map(HelpLine::Text)).collect()
    };
    let filter = FILTER.iter().map(|text| (*text).to_owned()).collect();
    sections.push(Section { title: "Filter terms".to_owned(), lines: paragraphs(filter) });
    sections.push(Section { title: "Signs".to_owned(), lines: paragraphs(signs(state.ui.theme.glyphs)) });
    sections
}

fn contains(text: &str, query: &str) -> bool {
    query.is_empty() || text.to_lowercase().contains(query)
}

fn key_lines(command: Command, keys: String, room: usize) -> Vec<HelpLine> {
    let mut keys = Some(keys);
    let parts = wrap(command.info().title, room.saturating_sub(KEYS + 4));
    parts.into_iter().map(|title| HelpLine::Key { keys: keys.take().unwrap_or_default(), title }).collect()
}

fn signs(glyphs: &Glyphs) -> Vec<String> {
    let Glyphs { mark, changed, stale, secret, dropped, .. } = glyphs;
    vec![
        format!("P pinned   c carried over from the previous turn   ~ demoted or linked   x excluded   {mark} selected"),
        format!("{changed} changed since the last turn   {stale} changed since this turn's payload was written"),
        format!("{secret} contains redacted secrets   {dropped} didn't fit   gone: the file no longer exists"),
        "outline: signatures without bodies   excerpt: part of the file   410 of 3.9k: tokens in the payload and in full"
            .to_owned(),
    ]
}

pub fn draw(buffer: &mut Buffer, state: &State, help: &Help) -> CursorAt {
    let style = |role: Role| state.ui.theme.style(role);
    let lines = lines(state);
    // The size does not depend on the search, so that the box stays in place while it is typed.
    let all = matching(state, "");
    let area = layout::fitted(state.ui.size, all.len(), all.iter().map(HelpLine::width).max().unwrap_or(0));
    let position = format!(" {}/{} ", (help.scroll + 1).min(lines.len()), lines.len());
    let query = format!("/{} ", help.query.text());
    let mut title = vec![(style(Role::Title), " Help ")];
    if help.typing || !help.query.text().is_empty() {
        title.push((style(Role::Matched), &query));
    }
    let inside = frame(buffer, area, &state.ui, true, &title, &[(style(Role::Dim), &position)]);
    if lines.is_empty() {
        put(buffer, inside.x + 1, inside.y, inside.width, style(Role::Dim), "No key or command matches");
    }
    for (row, line) in lines.iter().skip(help.scroll).take(usize::from(inside.height)).enumerate() {
        let y = inside.y + row as u16;
        let key;
        let pieces: Vec<(Style, &str)> = match line {
            HelpLine::Title(title) => vec![(style(Role::Title), title)],
            HelpLine::Key { keys, title } => {
                key = format!("  {keys:<KEYS$}  ");
                vec![(style(Role::Key), &key), (style(Role::Text), title)]
            }
            HelpLine::Text(text) => vec![(style(Role::Text), "  "), (style(Role::Text), text)],
            HelpLine::Blank => Vec::new(),
        };
        put_all(buffer, inside.x + 1, y, inside.width.saturating_sub(1), &pieces);
    }
    let before = help.query.split().0;
    help.typing.then(|| (area.x + 8 + super::draw::width(before), area.y))
}
